/* Series of times over commits, read from their JSON. */
#include "reports/figures/timeline.h"

#include <string.h>

#include "reports/figures/json_fields.h"

static const field row_fields[] = {
    {"benchmark", offsetof(timeline_row, benchmark), TEXT, 1},
    {"machine", offsetof(timeline_row, machine), TEXT, 0},
    {"compiler", offsetof(timeline_row, compiler), TEXT, 0},
    {"flags", offsetof(timeline_row, flags), TEXT, 0},
    {"build_type", offsetof(timeline_row, build_type), TEXT, 0},
    {"seed", offsetof(timeline_row, seed), NUMBER, 0},
};
static const struct list {
    const char *key;
    size_t offset;
    const char *numbers[4]; /* of its elements, which are objects; none: they are positive numbers */
} lists[] = {
    {"times", offsetof(timeline_row, times), {NULL}},
    {"levels", offsetof(timeline_row, levels), {"first", "runs", "ns", "ratio"}},
    {"changes", offsetof(timeline_row, changes), {"at", "ratio"}},
};

static int check_element(const struct list *list, const json_t *value, const char *where, size_t at,
                         gjb_error *error)
{
    if (!list->numbers[0])
        return json_number_value(value) > 0
                   ? 0
                   : gjb_fail(error, "%s.%s[%zu]: expected a positive number", where, list->key, at);
    if (!json_is_object(value))
        return gjb_fail(error, "%s.%s[%zu]: expected an object", where, list->key, at);
    for (size_t i = 0; i < 4 && list->numbers[i]; i++) {
        const json_t *number = json_object_get(value, list->numbers[i]);
        if (!json_is_number(number) || !(json_number_value(number) >= 0))
            return gjb_fail(error, "%s.%s[%zu].%s: expected a number that is not negative", where, list->key,
                            at, list->numbers[i]);
    }
    return 0;
}

static int read_list(timeline_row *row, const struct list *list, json_t *object, const char *where,
                     gjb_error *error)
{
    json_t *array = json_object_get(object, list->key), *value;
    size_t i;
    if (!json_is_array(array))
        return gjb_fail(error, "%s.%s: expected an array", where, list->key);
    json_array_foreach(array, i, value)
        if (check_element(list, value, where, i, error))
            return -1;
    memcpy((char *)row + list->offset, &array, sizeof array);
    return 0;
}

int timeline_read(timeline_row *row, json_t *object, const char *where, gjb_error *error)
{
    *row = (timeline_row){.slower = json_is_true(json_object_get(object, "slower"))};
    if (fields_read(row, row_fields, sizeof row_fields / sizeof *row_fields, object, where, error))
        return -1;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (read_list(row, &lists[i], object, where, error))
            return -1;
    row->dim = strncmp(row->benchmark, "3d/", 3) ? 2 : 3;
    return 0;
}
