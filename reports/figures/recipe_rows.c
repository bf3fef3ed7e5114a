/* Reads rows of `recipe`, and computes the quartiles of samples and of counts. */
#include "reports/figures/recipe_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/json_file.h"
#include "core/sort.h"
#include "reports/figures/json_fields.h"

#define ROW(key, member, type, required)                                                                     \
    {                                                                                                        \
        key, offsetof(recipe_row, member), type, required                                                    \
    }
static const field row_fields[] = {
    ROW("contender", contender, TEXT, 1),    ROW("backend", backend, TEXT, 1),
    ROW("precision", precision, TEXT, 1),    ROW("query", query, TEXT, 1),
    ROW("workload", workload, TEXT, 1),      ROW("family", family, TEXT, 1),
    ROW("ns_per_pair", ns, COUNT, 1),        ROW("mean_iterations", mean_iterations, COUNT, 0),
    ROW("wrong_rate", wrong_rate, COUNT, 0), ROW("graded", graded, COUNT, 0),
};
#undef ROW

/* Between two samples, linearly. */
static double sample_at(const double *sorted, size_t n, double share)
{
    const double at = share * (double)(n - 1);
    const size_t i = (size_t)at;
    return i + 1 < n ? sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

static quartiles quartiles_of_samples(const json_t *samples)
{
    const size_t n = json_array_size(samples);
    double *sorted = n ? malloc(n * sizeof *sorted) : NULL;
    if (!sorted)
        return (quartiles){NAN, NAN, NAN};
    for (size_t i = 0; i < n; i++)
        sorted[i] = json_number_value(json_array_get(samples, i));
    gjb_sort(sorted, n);
    const quartiles q = {sample_at(sorted, n, 0.25), sample_at(sorted, n, 0.5), sample_at(sorted, n, 0.75)};
    free(sorted);
    return q;
}

static double count_at(const json_t *histogram, double wanted)
{
    double before = 0;
    for (size_t i = 0; i < json_array_size(histogram); i++) {
        const double here = json_number_value(json_array_get(histogram, i));
        if (here > 0 && before + here >= wanted)
            return fmax((double)i - 0.5 + (wanted - before) / here, 0);
        before += here;
    }
    return NAN;
}

quartiles quartiles_of_counts(const json_t *histogram)
{
    double all = 0;
    for (size_t i = 0; i < json_array_size(histogram); i++)
        all += json_number_value(json_array_get(histogram, i));
    return (quartiles){count_at(histogram, 0.25 * all), count_at(histogram, 0.5 * all),
                       count_at(histogram, 0.75 * all)};
}

/* Which panel and place the names of a row are. */
static int find_place(const gjb_published *p, recipe_row *row)
{
    for (size_t i = 0; p->panels[i].name; i++)
        for (size_t k = 0; p->places[k].label; k++) {
            char workload[GJB_PUBLISHED_NAME], family[GJB_PUBLISHED_NAME];
            gjb_published_workload(p, &p->panels[i], &p->places[k], workload);
            gjb_published_family(p, &p->panels[i], &p->places[k], family);
            if (!strcmp(workload, row->workload) && !strcmp(family, row->family)) {
                row->panel = i;
                row->place = k;
                return 0;
            }
        }
    return -1;
}

static int read_row(recipe_results *r, json_t *object, const char *where, recipe_row *row, gjb_error *error)
{
    if (fields_read(row, row_fields, sizeof row_fields / sizeof *row_fields, object, where, error))
        return -1;
    if (find_place(r->what, row))
        return gjb_fail(error, "%s: %s, %s: no part of the recipe %s", where, row->workload, row->family,
                        r->what->name);
    const int backend = strcmp(row->backend, "-") != 0;
    const int other = strcmp(row->precision, gjb_precision_name(r->what->precision)) != 0;
    snprintf(row->series, sizeof row->series, "%.30s%s%.16s%s%.8s", row->contender, backend ? " " : "",
             backend ? row->backend : "", other ? " " : "", other ? row->precision : "");
    row->time = quartiles_of_samples(json_object_get(object, "samples"));
    row->iterations = (quartiles){NAN, NAN, NAN};
    if (row->mean_iterations > 0)
        row->iterations = quartiles_of_counts(json_object_get(object, "iteration_histogram"));
    return 0;
}

int recipe_load(recipe_results *r, const char *path, gjb_error *error)
{
    r->root = gjb_json_load(path, error);
    if (!r->root)
        return -1;
    const json_t *rows = json_object_get(r->root, "benchmarks");
    r->context = json_object_get(r->root, "context");
    r->facts = json_object_get(r->context, "recipe");
    const char *name = json_string_value(json_object_get(r->facts, "name"));
    r->what = name ? gjb_published_find(name) : NULL;
    if (!r->what)
        return gjb_fail(error, "%s: context.recipe.name: expected a recipe, as 'gjkbench recipe' writes it",
                        path);
    const size_t count = json_array_size(rows);
    r->rows = calloc(count + 1, sizeof *r->rows);
    if (!r->rows)
        return gjb_fail(error, "%s: out of memory", path);
    for (; r->count < count; r->count++) {
        char where[512];
        snprintf(where, sizeof where, "%.400s: benchmarks[%zu]", path, r->count);
        if (read_row(r, json_array_get(rows, r->count), where, &r->rows[r->count], error))
            return -1;
    }
    return count ? 0 : gjb_fail(error, "%s: benchmarks: nothing was measured", path);
}

void recipe_free(recipe_results *r)
{
    json_decref(r->root);
    free(r->rows);
    *r = (recipe_results){0};
}
