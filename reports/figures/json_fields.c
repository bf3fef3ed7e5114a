/* Reads a JSON object into a struct by a table of fields. */
#include "reports/figures/json_fields.h"

#include <math.h>
#include <string.h>

int fields_read(void *row, const field *fields, size_t count, json_t *object, const char *where,
                gjb_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const field *f = &fields[i];
        json_t *value = json_object_get(object, f->key);
        int absent = !value || json_is_null(value);
        if (absent && f->required)
            return gjb_fail(error, "%s.%s: missing", where, f->key);
        if (f->type == TEXT) {
            if (!absent && !json_is_string(value))
                return gjb_fail(error, "%s.%s: expected a string", where, f->key);
            const char *s = absent ? "" : json_string_value(value);
            memcpy((char *)row + f->offset, &s, sizeof s);
        } else {
            if (!absent && !json_is_number(value))
                return gjb_fail(error, "%s.%s: expected a number", where, f->key);
            double v = absent ? NAN : json_number_value(value);
            if (f->type == COUNT && v < 0)
                return gjb_fail(error, "%s.%s: %g is negative", where, f->key, v);
            memcpy((char *)row + f->offset, &v, sizeof v);
        }
    }
    return 0;
}
