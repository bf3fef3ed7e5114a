/* League files read and checked: rows, cells of times and counts, and rows as JSON again. */
#include "reports/league/league.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD(key, required) {#key, offsetof(league_row, key), TEXT, required}
#define TALLY(key) {#key, offsetof(league_row, key), COUNT, 0}

static const field words[] = {
    WORD(contender, 1), WORD(backend, 1), WORD(precision, 1), WORD(query, 1), WORD(date, 0), WORD(commit, 0),
    WORD(fingerprint, 0),
};

static const field counts[] = {
    {"dim", offsetof(league_row, dim), COUNT, 1},
    TALLY(pairs), TALLY(graded), TALLY(ungraded), TALLY(unsupported), TALLY(wrong), TALLY(beyond_1e6),
    TALLY(beyond_1e3), TALLY(nan), TALLY(hung), TALLY(crashed), TALLY(unasked), TALLY(capped), TALLY(unwritten),
    TALLY(symmetry_wrong),
};

static const field worst[] = {{"worst_error_eps", offsetof(league_row, worst_error_eps), COUNT, 0}};

/* Numbers by name; so many of `values` may not be left out. */
static const struct {
    const char *key;
    size_t offset, values;
} cells[] = {
    {"families", offsetof(league_row, families), 2},
    {"base", offsetof(league_row, base), 3},
    {"classes", offsetof(league_row, classes), 3},
    {"box_classes", offsetof(league_row, box_classes), 3},
    {"vertices", offsetof(league_row, vertices), 4},
};

enum {
    WORDS = sizeof words / sizeof *words,
    COUNTS = sizeof counts / sizeof *counts,
    CELLS = sizeof cells / sizeof *cells
};

league_cell *league_cell_of(league_cells *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (!strcmp(list->cells[i].name, name))
            return &list->cells[i];
    if (list->n == LEAGUE_CELLS)
        return NULL;
    list->cells[list->n] = (league_cell){.name = name};
    return &list->cells[list->n++];
}

const league_cell *league_find(const league_cells *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (!strcmp(list->cells[i].name, name))
            return &list->cells[i];
    return NULL;
}

int league_same(const league_row *a, const league_row *b)
{
    return a->dim == b->dim && !strcmp(a->contender, b->contender) && !strcmp(a->backend, b->backend) &&
           !strcmp(a->precision, b->precision) && !strcmp(a->query, b->query);
}

double league_vertices(const char *workload, double dim)
{
    size_t size = strcspn(workload, "0123456789");
    if (workload[size])
        return strtod(workload + size, NULL);
    return !strcmp(workload, "box") ? pow(2, dim) : NAN;
}

static int by_vertices(const void *a, const void *b)
{
    const double x = ((const league_cell *)a)->value[LEAGUE_VERTICES],
                 y = ((const league_cell *)b)->value[LEAGUE_VERTICES];
    return (x > y) - (x < y);
}

static int read_cells(league_row *row, size_t kind, json_t *entry, const char *where, gjb_error *error)
{
    league_cells *list = (league_cells *)((char *)row + cells[kind].offset);
    json_t *object = json_object_get(entry, cells[kind].key), *numbers, *number;
    const char *name;
    size_t i;
    if (object && !json_is_object(object))
        return gjb_fail(error, "%s.%s: expected an object", where, cells[kind].key);
    json_object_foreach(object, name, numbers) {
        league_cell *cell = league_cell_of(list, name);
        if (!cell)
            return gjb_fail(error, "%s.%s: more than %d names", where, cells[kind].key, LEAGUE_CELLS);
        const size_t given = json_array_size(numbers);
        const int old = cells[kind].values == 4 && given == 3; /* of files that do not say how many vertices */
        if (!json_is_array(numbers) || (given != cells[kind].values && !old))
            return gjb_fail(error, "%s.%s.%.40s: expected an array of %zu numbers", where, cells[kind].key,
                            name, cells[kind].values);
        json_array_foreach(numbers, i, number) {
            cell->value[i] = json_is_null(number) && i ? NAN : json_number_value(number);
            if ((!json_is_number(number) && !(json_is_null(number) && i)) || cell->value[i] < 0)
                return gjb_fail(error, "%s.%s.%.40s[%zu]: expected a number that is not negative", where,
                                cells[kind].key, name, i);
        }
        if (old || isnan(cell->value[LEAGUE_VERTICES]))
            cell->value[LEAGUE_VERTICES] = league_vertices(name, row->dim);
    }
    return 0;
}

int league_read(league_row *row, json_t *entry, const char *where, gjb_error *error)
{
    *row = (league_row){0};
    if (fields_read(row, words, WORDS, entry, where, error) ||
        fields_read(row, counts, COUNTS, entry, where, error) ||
        fields_read(row, worst, 1, entry, where, error) || metrics_read(&row->metrics, entry, where, error))
        return -1;
    for (size_t i = 0; i < COUNTS; i++) {
        double *count = (double *)((char *)row + counts[i].offset);
        *count = isnan(*count) ? 0 : *count;
    }
    if (row->dim != 2 && row->dim != 3)
        return gjb_fail(error, "%s.dim: %g is neither 2 nor 3", where, row->dim);
    if (row->wrong > row->graded)
        return gjb_fail(error, "%s.wrong: %g of %g graded answers", where, row->wrong, row->graded);
    for (size_t kind = 0; kind < CELLS; kind++)
        if (read_cells(row, kind, entry, where, error))
            return -1;
    qsort(row->vertices.cells, row->vertices.n, sizeof *row->vertices.cells, by_vertices);
    return 0;
}

static json_t *number_json(double value)
{
    if (!isfinite(value))
        return json_null();
    return value == floor(value) && value < 0x1p53 ? json_integer((json_int_t)value) : json_real(value);
}

/* Five figures say more than any measurement, and keep the file small. */
static double rounded(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.5g", value);
    return strtod(text, NULL);
}

static json_t *cells_json(const league_cells *list, size_t values)
{
    json_t *object = json_object();
    for (size_t i = 0; i < list->n; i++) {
        json_t *numbers = json_array();
        for (size_t v = 0; v < values; v++)
            json_array_append_new(numbers, number_json(values == 2 ? list->cells[i].value[v]
                                                                   : rounded(list->cells[i].value[v])));
        json_object_set_new(object, list->cells[i].name, numbers);
    }
    return object;
}

json_t *league_row_json(const league_row *row)
{
    json_t *entry = json_object(), *depends = metrics_json(&row->metrics);
    for (size_t i = 0; i < WORDS; i++)
        json_object_set_new(entry, words[i].key,
                            json_string(*(const char *const *)((const char *)row + words[i].offset)));
    for (size_t i = 0; i < COUNTS; i++)
        json_object_set_new(entry, counts[i].key,
                            number_json(*(const double *)((const char *)row + counts[i].offset)));
    json_object_set_new(entry, worst[0].key, number_json(row->worst_error_eps));
    if (depends)
        json_object_set_new(entry, "metrics", depends);
    for (size_t kind = 0; kind < CELLS; kind++) {
        const league_cells *list = (const league_cells *)((const char *)row + cells[kind].offset);
        json_object_set_new(entry, cells[kind].key, cells_json(list, cells[kind].values));
    }
    return entry;
}
