/* Rows of convergence, read from their JSON. */
#include "reports/figures/converge.h"

#include <math.h>

#include "reports/figures/json_fields.h"

#define ROW(key, member, type, required)                                                                     \
    {                                                                                                        \
        key, offsetof(converge_row, member), type, required                                                  \
    }

static const field row_fields[] = {
    ROW("query", query, TEXT, 1),   ROW("workload", workload, TEXT, 1), ROW("precision", precision, TEXT, 1),
    ROW("method", method, TEXT, 1), ROW("dim", dim, COUNT, 1),          ROW("pairs", pairs, COUNT, 1),
    ROW("met", met, COUNT, 1),      ROW("floor", floor, COUNT, 1),      ROW("capped", capped, COUNT, 1),
};
static const field ours_fields[] = {
    ROW("mean", ours.mean, COUNT, 1), ROW("median", ours.median, COUNT, 1), ROW("most", ours.most, COUNT, 1),
    ROW("all", ours.all, COUNT, 1),   ROW("capped", ours.capped, COUNT, 1),
    ROW("unproven", ours.unproven, COUNT, 0),
};

static int read_steps(double *out, size_t *count, json_t *object, const char *key, const char *where,
                      gjb_error *error)
{
    json_t *array = json_object_get(object, key), *value;
    size_t i;
    if (!json_is_array(array) || json_array_size(array) > CONVERGE_STEPS)
        return gjb_fail(error, "%s.%s: expected an array of at most %d numbers", where, key, CONVERGE_STEPS);
    json_array_foreach(array, i, value)
    {
        if (!json_is_number(value) || !(json_number_value(value) > 0))
            return gjb_fail(error, "%s.%s[%zu]: expected a positive number", where, key, i);
        out[i] = json_number_value(value);
    }
    *count = json_array_size(array);
    return 0;
}

int converge_read(converge_row *row, json_t *object, const char *where, gjb_error *error)
{
    json_t *ours = json_object_get(object, "ours");
    size_t errors;
    *row = (converge_row){.ours = {NAN, NAN, NAN, NAN, NAN, NAN}};
    if (fields_read(row, row_fields, sizeof row_fields / sizeof *row_fields, object, where, error) ||
        (ours &&
         fields_read(row, ours_fields, sizeof ours_fields / sizeof *ours_fields, ours, where, error)) ||
        read_steps(row->supports, &row->steps, object, "supports", where, error) ||
        read_steps(row->most, &errors, object, "most", where, error))
        return -1;
    return errors == row->steps ? 0 : gjb_fail(error, "%s.most: as many as \"supports\" are expected", where);
}
