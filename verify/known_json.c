/* Numbers and vectors of a case, as its JSON has them. */
#include <math.h>

#include "verify/known_failures_private.h"

int gjb_known_number(const gjb_known_context *c, const json_t *json, const char *field, double *value)
{
    *value = json_number_value(json);
    return json_is_number(json) && isfinite(*value) ? 0 : REFUSE(c, "%s: a finite number is wanted", field);
}

int gjb_known_vector(const gjb_known_context *c, const json_t *json, const char *field, double *value)
{
    if (json_array_size(json) != c->dim)
        return REFUSE(c, "%s: %u numbers are wanted", field, (unsigned)c->dim);
    for (uint32_t k = 0; k < c->dim; k++)
        if (gjb_known_number(c, json_array_get(json, k), field, &value[k]))
            return -1;
    return 0;
}
