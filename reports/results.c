#include "reports/results.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum field_type { TEXT, NUMBER, COUNT } field_type;

/* One row a field: what the file calls it, where it goes, and whether a row
 * without it can be used at all. */
typedef struct field {
    const char *key;
    size_t offset;
    field_type type;
    int required;
} field;

#define BENCH(key, member, type, required) {key, offsetof(bench_row, member), type, required}
#define VERIFY(key, member, type, required) {key, offsetof(verify_row, member), type, required}

static const field bench_fields[] = {
    BENCH("name", name, TEXT, 1),
    BENCH("contender", contender, TEXT, 1),
    BENCH("query", query, TEXT, 1),
    BENCH("ns_per_pair", ns, COUNT, 1),
    BENCH("backend", backend, TEXT, 0),
    BENCH("precision", precision, TEXT, 0),
    BENCH("workload", workload, TEXT, 0),
    BENCH("family", family, TEXT, 0),
    BENCH("sweep", sweep, TEXT, 0),
    BENCH("label", fingerprint, TEXT, 0),
    BENCH("ns_low", low, COUNT, 0),
    BENCH("ns_high", high, COUNT, 0),
    BENCH("ns_min", minimum, COUNT, 0),
    BENCH("pairs_per_second", pairs_per_second, COUNT, 0),
    BENCH("prepare_ns_per_shape", prepare_ns, COUNT, 0),
    BENCH("wrong_rate", wrong_rate, COUNT, 0),
    BENCH("worst_error_eps", worst_error_eps, NUMBER, 0),
    BENCH("dim", dim, COUNT, 0),
    BENCH("shapes", shapes, COUNT, 0),
    BENCH("pairs", pairs, COUNT, 0),
    BENCH("pairs_per_call", call, COUNT, 0),
    BENCH("threads", threads, COUNT, 0),
    BENCH("vertices", vertices, COUNT, 0),
    BENCH("lane_occupancy", occupancy, COUNT, 0),
    BENCH("mean_iterations", mean_iterations, COUNT, 0),
    BENCH("careful_share", careful_share, COUNT, 0),
    BENCH("random_lines_per_pair", random_lines, COUNT, 0),
};

static const field verify_fields[] = {
    VERIFY("contender", contender, TEXT, 1),
    VERIFY("query", query, TEXT, 1),
    VERIFY("pairs", pairs, COUNT, 1),
    VERIFY("wrong", wrong, COUNT, 1),
    VERIFY("backend", backend, TEXT, 0),
    VERIFY("precision", precision, TEXT, 0),
    VERIFY("workload", workload, TEXT, 0),
    VERIFY("family", family, TEXT, 0),
    VERIFY("fingerprint", fingerprint, TEXT, 0),
    VERIFY("graded", graded, COUNT, 0),
    VERIFY("ungraded", ungraded, COUNT, 0),
    VERIFY("nan", nan, COUNT, 0),
    VERIFY("hung", hung, COUNT, 0),
    VERIFY("capped", capped, COUNT, 0),
    VERIFY("symmetry_wrong", symmetry_wrong, COUNT, 0),
    VERIFY("worst_error_eps", worst_error_eps, NUMBER, 0),
    VERIFY("unsupported", unsupported, COUNT, 0),
    VERIFY("unwritten", unwritten, COUNT, 0),
    VERIFY("beyond_1e6", beyond_1e6, COUNT, 0),
    VERIFY("beyond_1e3", beyond_1e3, COUNT, 0),
};

static int read_fields(void *row, const field *fields, size_t count, json_t *object, const char *where,
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

static int read_histogram(double *bins, size_t capacity, size_t *used, json_t *object, const char *key,
                          const char *where, gjb_error *error)
{
    json_t *array = json_object_get(object, key), *value;
    size_t i;
    *used = 0;
    if (!array || json_is_null(array))
        return 0;
    if (!json_is_array(array))
        return gjb_fail(error, "%s.%s: expected an array of counts", where, key);
    json_array_foreach(array, i, value) {
        if (!json_is_number(value) || json_number_value(value) < 0)
            return gjb_fail(error, "%s.%s[%zu]: expected a count", where, key, i);
        size_t bin = i < capacity ? i : capacity - 1; /* the last bin takes the rest */
        bins[bin] += json_number_value(value);
        *used = bin + 1;
    }
    return 0;
}

static int read_errors(verify_row *row, json_t *object, const char *where, gjb_error *error)
{
    static const char *const kinds[ERROR_KINDS] = {"value", "normal", "witness"};
    json_t *histogram = json_object_get(object, "error_histogram");
    if (!json_is_object(histogram))
        return read_histogram(row->errors[ERROR_VALUE], ERROR_BINS, &row->error_bins[ERROR_VALUE], object,
                              "error_histogram", where, error);
    char inside[448];
    snprintf(inside, sizeof inside, "%.400s.error_histogram", where);
    for (int k = 0; k < ERROR_KINDS; k++)
        if (read_histogram(row->errors[k], ERROR_BINS, &row->error_bins[k], histogram, kinds[k], inside, error))
            return -1;
    return 0;
}

/* Vertices of a workload by its name: polygon8, hull16; a box has four. */
static double workload_vertices(const char *workload)
{
    size_t size = strcspn(workload, "0123456789");
    if (workload[size])
        return strtod(workload + size, NULL);
    return !strcmp(workload, "box") ? 4 : NAN;
}

static int read_row(results *r, int is_bench, json_t *object, const char *where, gjb_error *error)
{
    if (!json_is_object(object))
        return gjb_fail(error, "%s: expected an object", where);
    if (is_bench) {
        bench_row *row = &r->bench[r->bench_count];
        *row = (bench_row){0};
        if (read_fields(row, bench_fields, sizeof bench_fields / sizeof *bench_fields, object, where, error) ||
            read_histogram(row->iterations, ITERATION_BINS, &row->iteration_bins, object,
                           "iteration_histogram", where, error))
            return -1;
        if (!(row->ns > 0))
            return gjb_fail(error, "%s.ns_per_pair: %g is not positive", where, row->ns);
        if (isnan(row->vertices))
            row->vertices = workload_vertices(row->workload);
        if (isnan(row->threads))
            row->threads = 1;
        if (!(row->pairs_per_second > 0))
            row->pairs_per_second = 1e9 / row->ns;
        r->bench_count++;
    } else {
        verify_row *row = &r->verify[r->verify_count];
        *row = (verify_row){0};
        if (read_fields(row, verify_fields, sizeof verify_fields / sizeof *verify_fields, object, where,
                        error) ||
            read_errors(row, object, where, error))
            return -1;
        if (isnan(row->graded))
            row->graded = row->pairs - (row->ungraded > 0 ? row->ungraded : 0);
        r->verify_count++;
    }
    return 0;
}

static int load_file(results *r, const char *name, gjb_error *error)
{
    json_error_t at;
    json_t *root = strcmp(name, "-") ? json_load_file(name, JSON_REJECT_DUPLICATES, &at)
                                     : json_loadf(stdin, JSON_REJECT_DUPLICATES, &at);
    if (!root && at.line < 0)
        return gjb_fail(error, "%s: cannot be read", name);
    if (!root)
        return gjb_fail(error, "%s:%d:%d: %s", name, at.line, at.column, at.text);
    results_file *file = &r->files[r->file_count++];
    *file = (results_file){.name = name, .root = root};
    json_t *bench = json_object_get(root, "benchmarks"), *verify = json_object_get(root, "rows");
    if (!json_is_array(bench) && !json_is_array(verify))
        return gjb_fail(error, "%s: neither bench results (an array \"benchmarks\") nor verify results "
                        "(an array \"rows\")", name);
    file->is_bench = json_is_array(bench);
    file->context = json_object_get(root, "context");
    file->summary = json_object_get(root, "summary");
    if (file->context && !json_is_object(file->context))
        return gjb_fail(error, "%s: context: expected an object", name);

    json_t *rows = file->is_bench ? bench : verify, *object;
    size_t i, more = json_array_size(rows);
    void *grown = file->is_bench ? realloc(r->bench, (r->bench_count + more + 1) * sizeof *r->bench)
                                 : realloc(r->verify, (r->verify_count + more + 1) * sizeof *r->verify);
    if (!grown)
        return gjb_fail(error, "%s: out of memory", name);
    if (file->is_bench)
        r->bench = grown;
    else
        r->verify = grown;
    json_array_foreach(rows, i, object) {
        char where[384];
        snprintf(where, sizeof where, "%.300s: %s[%zu]", name, file->is_bench ? "benchmarks" : "rows", i);
        if (read_row(r, file->is_bench, object, where, error))
            return -1;
    }
    return 0;
}

int results_load(results *r, const char *const *files, size_t n, gjb_error *error)
{
    *r = (results){0};
    if (!n)
        return gjb_fail(error, "report: no result file given");
    r->files = calloc(n, sizeof *r->files);
    if (!r->files)
        return gjb_fail(error, "report: out of memory");
    for (size_t i = 0; i < n; i++)
        if (load_file(r, files[i], error))
            return -1;
    if (!r->bench_count && !r->verify_count)
        return gjb_fail(error, "%s: no results in it", files[0]);
    return 0;
}

void results_free(results *r)
{
    for (size_t i = 0; i < r->file_count; i++)
        json_decref(r->files[i].root);
    free(r->files);
    free(r->bench);
    free(r->verify);
    *r = (results){0};
}

json_t *results_context(const results *r, const char *key)
{
    for (int bench = 1; bench >= 0; bench--)
        for (size_t i = 0; i < r->file_count; i++) {
            json_t *value = r->files[i].is_bench == bench ? json_object_get(r->files[i].context, key) : NULL;
            if (value && !json_is_null(value))
                return value;
        }
    return NULL;
}

int results_does_more(const results *r, const char *contender, const char *query)
{
    json_t *list = results_context(r, "contenders"), *one, *more;
    size_t i, k;
    json_array_foreach(list, i, one) {
        const char *name = json_string_value(json_object_get(one, "name"));
        if (name && !strcmp(name, contender))
            json_array_foreach(json_object_get(one, "does_more"), k, more)
                if (json_is_string(more) && !strcmp(json_string_value(more), query))
                    return 1;
    }
    return 0;
}
