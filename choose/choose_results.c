/* Looks up a candidate's time in result files and league tables of the same machine, build and version. */
#include "choose/choose_results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contenders/table.h"
#include "core/json_file.h"
#include "core/query.h"

/* What makes times of two files comparable. */
static const char *const same_keys[] = {"host_name", "cpu", "commit", "compiler", "flags"};

/* The first thing that differs, or NULL. */
static const char *difference(const json_t *context, const json_t *now)
{
    for (size_t i = 0; i < sizeof same_keys / sizeof *same_keys; i++)
        if (strcmp(gjb_text_at(context, same_keys[i]), gjb_text_at(now, same_keys[i])))
            return same_keys[i];
    return NULL;
}

static int is_league(const json_t *root)
{
    return json_is_integer(json_object_get(root, "league")) &&
           json_is_array(json_object_get(root, "entries"));
}

static int load_one(choose_results *all, const char *name, const json_t *now, gjb_error *error)
{
    gjb_error why = {{0}};
    json_t *root = gjb_json_load(name, &why);
    if (!root)
        return gjb_fail(error, "--results: %s", why.text);
    snprintf(all->files[all->count].name, sizeof all->files[0].name, "%s", name);
    all->files[all->count].root = root;
    const json_t *context = json_object_get(root, "context");
    if (!json_is_array(json_object_get(root, "benchmarks")) && !is_league(root))
        return gjb_fail(
            error, "--results: %s: no measured times in it (an array \"benchmarks\" or \"entries\")", name);
    const char *other = difference(context, now);
    all->files[all->count].fits = !other;
    if (other)
        fprintf(stderr, "gjkbench choose: %s: its %s is '%s', here it is '%s': its times are not used\n",
                name, other, gjb_text_at(context, other), gjb_text_at(now, other));
    all->count++;
    return 0;
}

int choose_results_load(choose_results *all, const char *list, const json_t *context, gjb_error *error)
{
    for (;; list++) {
        char name[1024];
        const size_t size = strcspn(list, ",");
        if (!size || size >= sizeof name)
            return gjb_fail(error, "--results: '%.60s': a file name is empty or too long", list);
        if (all->count == CHOOSE_FILES_MOST)
            return gjb_fail(error, "--results: at most %d files", CHOOSE_FILES_MOST);
        memcpy(name, list, size);
        name[size] = 0;
        if (load_one(all, name, context, error))
            return -1;
        list += size;
        if (!*list)
            return 0;
    }
}

void choose_results_free(choose_results *all)
{
    for (size_t i = 0; i < CHOOSE_FILES_MOST; i++)
        json_decref(all->files[i].root);
    memset(all, 0, sizeof *all);
}

static int says(const json_t *row, const char *key, const char *value)
{
    return !strcmp(gjb_text_at(row, key), value);
}

static int counts(const json_t *row, const char *key, uint32_t value)
{
    const json_t *number = json_object_get(row, key);
    return json_is_integer(number) && json_integer_value(number) == (json_int_t)value;
}

/* Results and league tables name these alike. */
static int same_way(const json_t *row, const gjb_bench_case *point)
{
    return says(row, "query", gjb_queries[point->query].name) &&
           says(row, "contender", point->way.contender->name) &&
           says(row, "backend", point->way.backend ? point->way.backend : "-") &&
           says(row, "precision", gjb_precision_name(point->precision));
}

/* Both a frame, or both of so many pairs. */
static int same_call(const json_t *row, const gjb_bench_case *point)
{
    const int by_frame = says(row, "call", "frame");
    return by_frame == (point->by_frame != 0) && counts(row, "pairs_per_call", point->call);
}

static int answers(const json_t *row, const gjb_bench_case *point, const char *hash)
{
    return says(row, "workload_hash", hash) && same_way(row, point) && !json_object_get(row, "start") &&
           same_call(row, point) && counts(row, "threads", point->threads);
}

/* Its library may have been replaced since. */
static int same_version(const json_t *root, const gjb_contender *contender)
{
    const json_t *above = is_league(root) ? root : json_object_get(root, "context"), *one;
    const json_t *list = json_object_get(above, "contenders");
    size_t i;
    json_array_foreach(list, i, one)

        if (says(one, "name", contender->name))
            return says(one, "version", contender->version);
    return 0;
}

static int is_built_in(const choose_results *all, const gjb_contender *contender)
{
    for (size_t i = 0; i < all->built_in; i++)
        if (gjb_contender_at(i) == contender)
            return 1;
    return 0;
}

static int is_time(const gjb_summary *ns)
{
    return ns->median > 0 && ns->low > 0 && ns->low <= ns->median && ns->median <= ns->high;
}

static int read_time(const json_t *row, gjb_summary *ns)
{
    ns->median = json_number_value(json_object_get(row, "ns_per_pair"));
    ns->low = json_number_value(json_object_get(row, "ns_low"));
    ns->high = json_number_value(json_object_get(row, "ns_high"));
    ns->minimum = json_number_value(json_object_get(row, "ns_min"));
    return is_time(ns);
}

static const json_t *find_row(const json_t *root, const gjb_bench_case *point, const char *hash, gjb_summary *ns)
{
    const json_t *rows = json_object_get(root, "benchmarks"), *row;
    size_t i;
    json_array_foreach(rows, i, row)

        if (answers(row, point, hash) && read_time(row, ns))
            return row;
    return NULL;
}

/* Is it a point that sweeps over families and vertices have: everything else as at the base, the scene in f32
 * but for contenders that have both precisions? */
static int is_swept(const gjb_bench_case *point)
{
    gjb_bench_case base = *gjb_base_point(point->dim);
    snprintf(base.workload, sizeof base.workload, "%s", point->workload);
    gjb_bench_case_fit(&base);
    const int has_f32 = point->way.contender->precisions >> GJB_F32 & 1;
    return point->shapes == base.shapes && point->call == base.call && point->threads == base.threads &&
           point->scene_precision == (has_f32 ? point->precision : GJB_F32);
}

/* [median, low, high] of a cell such as "polygon4". */
static int read_cell(const json_t *entry, const char *cells, const char *name, gjb_summary *ns)
{
    const json_t *cell = json_object_get(json_object_get(entry, cells), name);
    double *const to[] = {&ns->median, &ns->low, &ns->high};
    for (size_t i = 0; i < 3; i++)
        *to[i] = json_number_value(json_array_get(cell, i));
    ns->minimum = ns->low;
    return is_time(ns);
}

/* A league keeps entries of runs before its last one; what it says of machine and build is the last one's. */
static int find_entry(const choose_results *all, const json_t *root, const gjb_bench_case *point, gjb_summary *ns)
{
    const json_t *entries = json_object_get(root, "entries"), *context = json_object_get(root, "context"),
                 *one;
    const json_t *seed = json_object_get(context, "seed");
    const int at_base = !strcmp(point->workload, gjb_base_point(point->dim)->workload);
    const int mixed = !strcmp(point->family, gjb_base_point(point->dim)->family);
    size_t i;
    if (!all->plain || !is_swept(point) || !json_is_integer(seed) ||
        json_integer_value(seed) != (json_int_t)all->seed)
        return 0;
    json_array_foreach(entries, i, one)

        if (same_way(one, point) && counts(one, "dim", point->dim) &&
            says(one, "date", gjb_text_at(context, "date")) && says(one, "commit", gjb_text_at(context, "commit")) &&
            ((mixed && read_cell(one, "base", point->workload, ns)) ||
             (mixed && read_cell(one, "vertices", point->workload, ns)) ||
             (at_base && read_cell(one, "classes", point->family, ns))))
            return 1;
    return 0;
}

int choose_results_find(choose_results *all, const gjb_bench_case *point, uint64_t hash, gjb_summary *ns,
                        const json_t **row)
{
    char text[20];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    *row = NULL;
    for (size_t f = 0; f < all->count && is_built_in(all, point->way.contender); f++) {
        const json_t *root = all->files[f].root;
        if (!all->files[f].fits || !same_version(root, point->way.contender))
            continue;
        *row = is_league(root) ? NULL : find_row(root, point, text, ns);
        if (*row || (is_league(root) && find_entry(all, root, point, ns)))
            return 1;
    }
    return 0;
}
