/* Loads result files of every kind, checks their fields, and splits their rows by dimension. */
#include "reports/results.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/json_file.h"
#include "core/query.h"

#define COMPARED(key, member, type, required) {key, offsetof(compared_row, member), type, required}
#define KNOWN(key, member, required) {key, offsetof(known_row, member), TEXT, required}
#define BENCH(key, member, type, required) {key, offsetof(bench_row, member), type, required}
#define CELL(key, member, type, required) {key, offsetof(cell_row, member), type, required}
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
    BENCH("start", start, TEXT, 0),
    BENCH("label", fingerprint, TEXT, 0),
    BENCH("ns_low", low, COUNT, 0),
    BENCH("ns_high", high, COUNT, 0),
    BENCH("ns_min", minimum, COUNT, 0),
    BENCH("real_time", real_time, COUNT, 0),
    BENCH("cpu_time", cpu_time, COUNT, 0),
    BENCH("pairs_per_second", pairs_per_second, COUNT, 0),
    BENCH("prepare_ns_per_shape", prepare_ns, COUNT, 0),
    BENCH("wrong_rate", wrong_rate, COUNT, 0),
    BENCH("wrong_rate_1e3", wrong_rate_1e3, COUNT, 0),
    BENCH("graded", graded, COUNT, 0),
    BENCH("mean_coverage", mean_coverage, COUNT, 0),
    BENCH("worst_error_eps", worst_error_eps, NUMBER, 0),
    BENCH("dim", dim, COUNT, 0),
    BENCH("shapes", shapes, COUNT, 0),
    BENCH("pairs", pairs, COUNT, 0),
    BENCH("pairs_per_call", call, COUNT, 0),
    BENCH("threads", threads, COUNT, 0),
    BENCH("vertices", vertices, COUNT, 0),
    BENCH("lane_occupancy", occupancy, COUNT, 0),
    BENCH("mean_iterations", mean_iterations, COUNT, 0),
    BENCH("careful_share", fallback_share, COUNT, 0),
    BENCH("random_lines_per_pair", random_lines, COUNT, 0),
    BENCH("memory_ns_per_pair", memory_ns, COUNT, 0),
    BENCH("bytes_per_pair", pair_bytes, COUNT, 0),
};

static const field compared_fields[] = {
    COMPARED("name", name, TEXT, 1),
    COMPARED("verdict", verdict, TEXT, 1),
    COMPARED("ratio", ratio, COUNT, 0),
    COMPARED("ratio_low", low, COUNT, 0),
    COMPARED("ratio_high", high, COUNT, 0),
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
    VERIFY("too_slow", too_slow, COUNT, 0),
    VERIFY("nan", nan, COUNT, 0),
    VERIFY("dim", dim, COUNT, 0),
    VERIFY("hung", hung, COUNT, 0),
    VERIFY("crashed", crashed, COUNT, 0),
    VERIFY("unasked", unasked, COUNT, 0),
    VERIFY("capped", capped, COUNT, 0),
    VERIFY("careful", fallback, COUNT, 0),
    VERIFY("unproven", unproven, COUNT, 0),
    VERIFY("symmetry_wrong", symmetry_wrong, COUNT, 0),
    VERIFY("worst_error_eps", worst_error_eps, NUMBER, 0),
    VERIFY("unsupported", unsupported, COUNT, 0),
    VERIFY("unwritten", unwritten, COUNT, 0),
    VERIFY("beyond_1e6", beyond_1e6, COUNT, 0),
    VERIFY("beyond_1e3", beyond_1e3, COUNT, 0),
};

static const field cell_fields[] = {
    CELL("query", query, TEXT, 1),         CELL("workload", workload, TEXT, 1),   CELL("family", family, TEXT, 1),
    CELL("call", call, TEXT, 1),           CELL("precision", precision, TEXT, 1), CELL("backend", backend, TEXT, 1),
    CELL("judged", judged, TEXT, 1),       CELL("dim", dim, COUNT, 1),            CELL("ours_ns", ours_ns, COUNT, 1),
    CELL("rival", rival, TEXT, 0),         CELL("rival_ns", rival_ns, COUNT, 0),  CELL("ratio", ratio, COUNT, 0),
    CELL("wrong_share", wrong_share, COUNT, 0), CELL("recorded", recorded, TEXT, 0),
};

static const field known_fields[] = {
    KNOWN("id", id, 1),           KNOWN("contender", contender, 1), KNOWN("query", query, 1),
    KNOWN("verdict", verdict, 1), KNOWN("backend", backend, 0),     KNOWN("precision", precision, 0),
};

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

static int read_dim(double *dim, const char *where, gjb_error *error)
{
    if (isnan(*dim))
        *dim = 2;
    if (*dim != 2 && *dim != 3)
        return gjb_fail(error, "%s.dim: %g is neither 2 nor 3", where, *dim);
    return 0;
}

static int read_bench(results *r, json_t *object, const char *where, gjb_error *error)
{
    bench_row *row = &r->bench[r->bench_count];
    *row = (bench_row){0};
    if (fields_read(row, bench_fields, sizeof bench_fields / sizeof *bench_fields, object, where, error) ||
        read_histogram(row->iterations, ITERATION_BINS, &row->iteration_bins, object, "iteration_histogram", where,
                       error) ||
        read_dim(&row->dim, where, error))
        return -1;
    if (!(row->ns > 0))
        return gjb_fail(error, "%s.ns_per_pair: %g is not positive", where, row->ns);
    if (isnan(row->vertices))
        row->vertices = league_vertices(row->workload, row->dim);
    if (isnan(row->threads))
        row->threads = 1;
    if (!(row->pairs_per_second > 0))
        row->pairs_per_second = 1e9 / row->ns;
    r->bench_count++;
    return 0;
}

static int read_verify(results *r, json_t *object, const char *where, gjb_error *error)
{
    verify_row *row = &r->verify[r->verify_count];
    *row = (verify_row){0};
    if (fields_read(row, verify_fields, sizeof verify_fields / sizeof *verify_fields, object, where, error) ||
        read_errors(row, object, where, error) || metrics_read(&row->metrics, object, where, error) ||
        read_dim(&row->dim, where, error))
        return -1;
    if (isnan(row->graded))
        row->graded = row->pairs - (row->ungraded > 0 ? row->ungraded : 0);
    r->verify_count++;
    return 0;
}

static int read_league(results *r, json_t *object, const char *where, gjb_error *error)
{
    if (league_read(&r->league[r->league_count], object, where, error))
        return -1;
    r->league_count++;
    return 0;
}

static int read_known(results *r, json_t *object, const char *where, gjb_error *error)
{
    known_row *row = &r->known[r->known_count];
    if (fields_read(row, known_fields, sizeof known_fields / sizeof *known_fields, object, where, error))
        return -1;
    r->known_count++;
    return 0;
}

static int read_compared(results *r, json_t *object, const char *where, gjb_error *error)
{
    compared_row *row = &r->compared[r->compared_count];
    if (fields_read(row, compared_fields, sizeof compared_fields / sizeof *compared_fields, object, where, error))
        return -1;
    row->of_counts = !json_object_get(object, "ns_per_pair") && json_object_get(object, "instructions_per_pair");
    row->changes = json_object_size(json_object_get(object, "changed"));
    r->compared_count++;
    return 0;
}

static int read_timeline(results *r, json_t *object, const char *where, gjb_error *error)
{
    if (timeline_read(&r->timeline[r->timeline_count], object, where, error))
        return -1;
    r->timeline_count++;
    return 0;
}

/* One row a kind of file: the array that tells it, and how its rows are read. */
static const struct {
    const char *key;
    size_t rows, count, size; /* where the rows are in `results`, and their size */
    int (*read)(results *r, json_t *object, const char *where, gjb_error *error);
} kinds[] = {
    [RESULTS_BENCH] = {"benchmarks", offsetof(results, bench), offsetof(results, bench_count), sizeof(bench_row),
                       read_bench},
    [RESULTS_VERIFY] = {"rows", offsetof(results, verify), offsetof(results, verify_count), sizeof(verify_row),
                        read_verify},
    [RESULTS_KNOWN] = {"cases", offsetof(results, known), offsetof(results, known_count), sizeof(known_row),
                       read_known},
    [RESULTS_LEAGUE] = {"entries", offsetof(results, league), offsetof(results, league_count), sizeof(league_row),
                        read_league},
    [RESULTS_CONVERGENCE] = {.key = "convergence"}, /* of older versions: named, and not read */
    [RESULTS_COMPARED] = {"comparisons", offsetof(results, compared), offsetof(results, compared_count),
                          sizeof(compared_row), read_compared},
    [RESULTS_TIMELINE] = {"series", offsetof(results, timeline), offsetof(results, timeline_count),
                          sizeof(timeline_row), read_timeline},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Room for `more` rows of a kind. */
static int grow(results *r, int kind, size_t more)
{
    char *rows = (char *)r + kinds[kind].rows;
    size_t count;
    void *old;
    memcpy(&count, (char *)r + kinds[kind].count, sizeof count);
    memcpy(&old, rows, sizeof old);
    void *grown = realloc(old, (count + more + 1) * kinds[kind].size);
    if (grown)
        memcpy(rows, &grown, sizeof grown);
    return grown ? 0 : -1;
}

/* What a file of measured times may have on top of them. */
static int take_cells(results *r, const char *name, json_t *root, gjb_error *error)
{
    json_t *cells = json_object_get(root, "cells"), *object;
    size_t i;
    if (!cells)
        return 0;
    if (!json_is_array(cells))
        return gjb_fail(error, "%s: cells: expected an array", name);
    cell_row *grown = realloc(r->cells, (r->cell_count + json_array_size(cells) + 1) * sizeof *grown);
    if (!grown)
        return gjb_fail(error, "%s: out of memory", name);
    r->cells = grown;
    json_array_foreach(cells, i, object) {
        char where[384];
        snprintf(where, sizeof where, "%.300s: cells[%zu]", name, i);
        cell_row *row = &r->cells[r->cell_count];
        if (!json_is_object(object))
            return gjb_fail(error, "%s: expected an object", where);
        if (fields_read(row, cell_fields, sizeof cell_fields / sizeof *cell_fields, object, where, error) ||
            read_dim(&row->dim, where, error))
            return -1;
        if (isfinite(row->ratio) && !(row->ours_ns > 0 && row->rival_ns > 0))
            return gjb_fail(error, "%s.ratio: %g without two times above 0", where, row->ratio);
        r->cell_count++;
    }
    return 0;
}

static int take_file(results *r, const char *name, json_t *root, gjb_error *error)
{
    results_file *file = &r->files[r->file_count++];
    *file = (results_file){.name = name, .root = root};
    int kind = 0;
    while (kind < KINDS && !json_is_array(json_object_get(root, kinds[kind].key)))
        kind++;
    if (kind == KINDS)
        return gjb_fail(error, "%s: neither bench results (an array \"benchmarks\") nor verify results "
                        "(an array \"rows\") nor replay results (an array \"cases\") nor a league table (an array "
                        "\"entries\") nor one of compare (an array \"comparisons\") nor of history (an array \"series\")", name);
    file->kind = (results_kind)kind;
    file->context = json_object_get(root, "context");
    file->summary = json_object_get(root, "summary");
    json_t *version = json_object_get(root, "league");
    if (kind == RESULTS_LEAGUE && !(json_is_integer(version) && json_integer_value(version) == LEAGUE_VERSION))
        return gjb_fail(error, "%s: league: expected version %d", name, LEAGUE_VERSION);
    if (file->context && !json_is_object(file->context))
        return gjb_fail(error, "%s: context: expected an object", name);

    json_t *rows = json_object_get(root, kinds[kind].key), *object;
    size_t i;
    if (kind == RESULTS_CONVERGENCE)
        return 0;
    if (grow(r, kind, json_array_size(rows)))
        return gjb_fail(error, "%s: out of memory", name);
    json_array_foreach(rows, i, object) {
        char where[384];
        snprintf(where, sizeof where, "%.300s: %s[%zu]", name, kinds[kind].key, i);
        if (!json_is_object(object))
            return gjb_fail(error, "%s: expected an object", where);
        if (kinds[kind].read(r, object, where, error))
            return -1;
    }
    return kind == RESULTS_BENCH ? take_cells(r, name, root, error) : 0;
}

static int load_file(results *r, const char *name, gjb_error *error)
{
    json_t *root = gjb_json_load(name, error);
    if (!root)
        return -1;
    const int failed = take_file(r, name, root, error);
    if (failed)
        gjb_json_point_file(error, name);
    return failed;
}

static int stands_apart(const bench_row *row)
{
    return *row->start || !strcmp(row->query, gjb_queries[GJB_SWEEP].name) || !strcmp(row->query, gjb_queries[GJB_TOI].name);
}

/* What figures, tables and the league compare is asked of the same pairs, and in the same way. */
static int set_apart(results *r, gjb_error *error)
{
    size_t kept = 0;
    r->apart = malloc((r->bench_count + 1) * sizeof *r->apart);
    if (!r->apart)
        return gjb_fail(error, "report: out of memory");
    for (size_t i = 0; i < r->bench_count; i++)
        if (stands_apart(&r->bench[i]))
            r->apart[r->apart_count++] = r->bench[i];
        else
            r->bench[kept++] = r->bench[i];
    r->bench_count = kept;
    return 0;
}

static void set_league_ours(results *r)
{
    for (size_t i = 0; i < r->league_count; i++)
        r->league[i].ours = results_ours(r, r->league[i].contender);
}

/* Whose each contender is, asked once. */
static void set_ours(results *r)
{
    for (size_t i = 0; i < r->bench_count; i++) {
        r->bench[i].ours = results_ours(r, r->bench[i].contender);
        r->bench[i].self_timed = results_self_timed(r, r->bench[i].contender);
    }
    for (size_t i = 0; i < r->apart_count; i++)
        r->apart[i].ours = results_ours(r, r->apart[i].contender);
    for (size_t i = 0; i < r->verify_count; i++)
        r->verify[i].ours = results_ours(r, r->verify[i].contender);
    for (size_t i = 0; i < r->known_count; i++)
        r->known[i].ours = results_ours(r, r->known[i].contender);
    set_league_ours(r);
}

/* The precisions that rows of a contender and query are of. */
typedef struct kin {
    const char *contender, *query;
    int precisions; /* 1: f32, 2: f64 */
} kin;

static int precision_bit(const bench_row *row)
{
    return strcmp(row->precision, "f64") ? 1 : 2;
}

static kin *kin_of(kin *all, size_t *count, const bench_row *row)
{
    size_t i = 0;
    while (i < *count && (strcmp(all[i].contender, row->contender) || strcmp(all[i].query, row->query)))
        i++;
    if (i == *count)
        all[(*count)++] = (kin){row->contender, row->query, 0};
    return &all[i];
}

/* 0, or -1 out of memory. */
static int set_only(results *r)
{
    size_t count = 0;
    kin *all = malloc((r->bench_count + 1) * sizeof *all);
    if (!all)
        return -1;
    for (size_t i = 0; i < r->bench_count; i++)
        kin_of(all, &count, &r->bench[i])->precisions |= precision_bit(&r->bench[i]);
    for (size_t i = 0; i < r->bench_count; i++)
        r->bench[i].only = kin_of(all, &count, &r->bench[i])->precisions == precision_bit(&r->bench[i]);
    free(all);
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
    if (set_apart(r, error))
        return -1;
    if (!r->bench_count && !r->apart_count && !r->verify_count && !r->known_count && !r->league_count &&
        !r->compared_count && !r->timeline_count && r->files[0].kind != RESULTS_CONVERGENCE)
        return gjb_fail(error, "%s: no results in it", files[0]);
    set_ours(r);
    return set_only(r) ? gjb_fail(error, "report: out of memory") : 0;
}

void results_free(results *r)
{
    for (size_t i = 0; i < r->file_count; i++)
        json_decref(r->files[i].root);
    free(r->files);
    free(r->bench);
    free(r->apart);
    free(r->verify);
    free(r->known);
    free(r->compared);
    free(r->timeline);
    free(r->cells);
    free(r->league);
    json_decref(r->made);
    *r = (results){0};
}

int results_take_league(results *r, json_t *made, gjb_error *error)
{
    json_t *entries, *entry;
    size_t i;
    r->made = made;
    entries = json_object_get(r->made, kinds[RESULTS_LEAGUE].key);
    if (!r->made || grow(r, RESULTS_LEAGUE, json_array_size(entries)))
        return gjb_fail(error, "report: out of memory");
    json_array_foreach(entries, i, entry)
        if (read_league(r, entry, "league", error))
            return -1;
    set_league_ours(r);
    return 0;
}

int results_part(const results *all, uint32_t dim, results *part)
{
    *part = (results){.files = all->files, .file_count = all->file_count};
    part->bench = malloc((all->bench_count + 1) * sizeof *part->bench);
    part->verify = malloc((all->verify_count + 1) * sizeof *part->verify);
    part->league = malloc((all->league_count + 1) * sizeof *part->league);
    part->timeline = malloc((all->timeline_count + 1) * sizeof *part->timeline);
    if (!part->bench || !part->verify || !part->league || !part->timeline)
        return -1;
    for (size_t i = 0; i < all->bench_count; i++)
        if (all->bench[i].dim == dim)
            part->bench[part->bench_count++] = all->bench[i];
    for (size_t i = 0; i < all->verify_count; i++)
        if (all->verify[i].dim == dim)
            part->verify[part->verify_count++] = all->verify[i];
    for (size_t i = 0; i < all->league_count; i++)
        if (all->league[i].dim == dim)
            part->league[part->league_count++] = all->league[i];
    for (size_t i = 0; i < all->timeline_count; i++)
        if (all->timeline[i].dim == dim)
            part->timeline[part->timeline_count++] = all->timeline[i];
    return set_only(part);
}

void results_part_free(results *part)
{
    free(part->bench);
    free(part->verify);
    free(part->league);
    free(part->timeline);
    *part = (results){0};
}

size_t results_points(const results *r)
{
    return r->bench_count + r->apart_count;
}

const bench_row *results_point(const results *r, size_t i)
{
    return i < r->bench_count ? &r->bench[i] : &r->apart[i - r->bench_count];
}

json_t *results_context(const results *r, const char *key)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < r->file_count; i++) {
            json_t *value = (int)r->files[i].kind == kind ? json_object_get(r->files[i].context, key) : NULL;
            if (value && !json_is_null(value))
                return value;
        }
    return NULL;
}

json_t *results_named(json_t *list, const char *name)
{
    json_t *one;
    size_t i;
    json_array_foreach(list, i, one) {
        const char *s = json_string_value(json_object_get(one, "name"));
        if (s && !strcmp(s, name))
            return one;
    }
    return NULL;
}

json_t *results_about(const results *r, const char *contender)
{
    json_t *about = NULL;
    for (size_t f = 0; f < r->file_count && !about; f++)
        about = results_named(json_object_get(r->files[f].root, "contenders"), contender);
    return about ? about : results_named(results_context(r, "contenders"), contender);
}

int results_batch(const char *contender)
{
    return !strcmp(contender, "batch");
}

int results_ours(const results *r, const char *contender)
{
    const json_t *ours = json_object_get(results_about(r, contender), "ours");
    return ours ? json_is_true(ours) : results_batch(contender) || !strcmp(contender, "reference");
}

int results_self_timed(const results *r, const char *contender)
{
    return json_is_true(json_object_get(results_about(r, contender), "self_timed"));
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

json_t *results_fact(const results_file *file, const char *key)
{
    json_t *value = json_object_get(file->context, key);
    return value ? value : json_object_get(file->summary, key);
}

double results_count(double count)
{
    return isfinite(count) ? count : 0;
}
