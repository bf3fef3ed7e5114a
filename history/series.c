/* Loads the runs and times of a store, orders them, and cuts them into series. */
#include "history/series.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

gjb_day gjb_day_of(long long seconds)
{
    gjb_day day = {"?"};
    const time_t t = (time_t)seconds;
    struct tm utc;
    if (gmtime_r(&t, &utc))
        strftime(day.s, sizeof day.s, "%Y-%m-%d %H:%M", &utc);
    return day;
}

/* The same text once, for as long as the past lives. NULL out of memory. */
static const char *word(gjb_past *past, const char *text)
{
    json_t *known = json_object_get(past->words, text);
    if (!known && !json_object_set_new(past->words, text, json_string(text)))
        known = json_object_get(past->words, text);
    return json_string_value(known);
}

/* Room for one more of `size` bytes in an array that doubles. */
static void *grow(void *array, size_t count, size_t size)
{
    const int full = !(count & (count - 1)); /* 0, 1, 2, 4, ... */
    return full ? realloc(array, (count ? 2 * count : 1) * size) : array;
}

static int load_runs(gjb_past *past, const gjb_store *store, const char *machine, gjb_error *error)
{
    static const char sql[] =
        "SELECT p.id, p.build, p.seed, p.date, p.place, p.hash, p.machine, p.\"commit\", p.kernel, b.compiler, b.flags,"
        " b.type, m.cpu || CASE m.cpus WHEN 0 THEN '' ELSE ', ' || m.cpus || ' CPUs' END,"
        " m.identity LIKE '{\"counted_by\"%'"
        " FROM placed p JOIN build b ON b.id = p.build"
        " JOIN machine m ON m.id = p.machine WHERE substr(p.machine, 1, length(?1)) = ?1"
        " ORDER BY p.place, p.date, p.hash";
    const char *const begins = machine ? machine : "";
    sqlite3_stmt *q = gjb_store_ask(store, sql, &begins, 1, error);
    int got = q ? 1 : -1;
    while (got > 0 && (got = gjb_store_row(store, q, error)) > 0) {
        gjb_past_run *grown = grow(past->runs, past->run_count, sizeof *grown);
        if (!grown) {
            got = gjb_fail(error, "history: out of memory");
            break;
        }
        past->runs = grown;
        gjb_past_run *r = &past->runs[past->run_count++];
        *r = (gjb_past_run){.id = sqlite3_column_int64(q, 0), .build = sqlite3_column_int64(q, 1),
                            .seed = sqlite3_column_int64(q, 2), .date = sqlite3_column_int64(q, 3),
                            .place = sqlite3_column_int64(q, 4), .counts = sqlite3_column_int(q, 13)};
        const char **const texts[] = {&r->hash, &r->machine, &r->commit, &r->kernel, &r->compiler, &r->flags, &r->type,
                                      &r->described};
        for (int i = 0; i < 8; i++)
            if (!(*texts[i] = word(past, gjb_store_text(q, 5 + i))))
                got = gjb_fail(error, "history: out of memory");
    }
    sqlite3_finalize(q);
    return got;
}

typedef struct run_at { long long id; uint32_t at; } run_at;

static int by_id(const void *a, const void *b)
{
    const run_at *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static run_at *index_runs(const gjb_past *past)
{
    run_at *index = malloc((past->run_count + 1) * sizeof *index);
    for (size_t i = 0; index && i < past->run_count; i++)
        index[i] = (run_at){past->runs[i].id, (uint32_t)i};
    if (index)
        qsort(index, past->run_count, sizeof *index, by_id);
    return index;
}

/* A time while it is sorted into its series. */
typedef struct filed { const char *name, *contender; long long benchmark; const gjb_past_run *run; gjb_past_time time; } filed;

static int by_key(const filed *x, const filed *y)
{
    const int name = strcmp(x->name, y->name), machine = name ? name : strcmp(x->run->machine, y->run->machine);
    if (machine)
        return machine;
    if (x->run->build != y->run->build)
        return x->run->build < y->run->build ? -1 : 1;
    return (x->run->seed > y->run->seed) - (x->run->seed < y->run->seed);
}

static int by_series(const void *a, const void *b)
{
    const filed *x = a, *y = b;
    const int key = by_key(x, y);
    return key ? key : (x->time.run > y->time.run) - (x->time.run < y->time.run);
}

static int load_times(gjb_past *past, const gjb_store *store, const char *glob, filed **all, size_t *count,
                      gjb_error *error)
{
    static const char sql[] =
        "SELECT m.run, b.id, b.name, b.contender, m.ns, m.low, m.high, m.workload_hash, m.fingerprint, m.version"
        " FROM benchmark b JOIN measurement m ON m.benchmark = b.id WHERE b.name GLOB ?1";
    const char *const pattern = glob ? glob : "*";
    sqlite3_stmt *q = gjb_store_ask(store, sql, &pattern, 1, error);
    run_at *index = index_runs(past);
    int got = !q ? -1 : !index ? gjb_fail(error, "history: out of memory") : 1;
    while (got > 0 && (got = gjb_store_row(store, q, error)) > 0) {
        const run_at key = {sqlite3_column_int64(q, 0), 0};
        const run_at *found = bsearch(&key, index, past->run_count, sizeof *index, by_id);
        if (!found) /* of another machine */
            continue;
        filed *grown = grow(*all, *count, sizeof *grown);
        if (grown) {
            *all = grown;
            (*all)[*count] = (filed){word(past, gjb_store_text(q, 2)), word(past, gjb_store_text(q, 3)),
                                     sqlite3_column_int64(q, 1), &past->runs[found->at],
                                     {found->at, sqlite3_column_double(q, 4), sqlite3_column_double(q, 5),
                                      sqlite3_column_double(q, 6), word(past, gjb_store_text(q, 7)),
                                      word(past, gjb_store_text(q, 8)), word(past, gjb_store_text(q, 9))}};
        }
        const filed *one = grown ? &(*all)[*count] : NULL;
        if (!one || !one->name || !one->contender || !one->time.workload_hash || !one->time.fingerprint ||
            !one->time.version) {
            got = gjb_fail(error, "history: out of memory");
            break;
        }
        ++*count;
    }
    free(index);
    sqlite3_finalize(q);
    return got;
}

static int cut(gjb_past *past, filed *all, size_t count, gjb_error *error)
{
    past->times = malloc((count + 1) * sizeof *past->times);
    if (!past->times)
        return gjb_fail(error, "history: out of memory");
    qsort(all, count, sizeof *all, by_series);
    for (size_t i = 0; i < count; i++) {
        past->times[i] = all[i].time;
        if (i && !by_key(&all[i - 1], &all[i])) {
            past->all[past->count - 1].count++;
            continue;
        }
        gjb_series *grown = grow(past->all, past->count, sizeof *grown);
        if (!grown)
            return gjb_fail(error, "history: out of memory");
        past->all = grown;
        past->all[past->count++] =
            (gjb_series){all[i].benchmark, all[i].name, all[i].contender, all[i].run, &past->times[i], 1};
    }
    return 0;
}

int gjb_past_load(gjb_past *past, const gjb_store *store, const char *glob, const char *machine, gjb_error *error)
{
    filed *all = NULL;
    size_t count = 0;
    *past = (gjb_past){.words = json_object()};
    int failed = load_runs(past, store, machine, error);
    if (!failed && !past->run_count)
        failed = machine ? gjb_fail(error, "%s: no machine whose id begins with '%.80s'; 'history list' names them",
                                    store->path, machine)
                         : gjb_fail(error, "%s: holds no runs", store->path);
    failed = failed || load_times(past, store, glob, &all, &count, error);
    if (!failed && !count)
        failed = gjb_fail(error, "%s: no benchmark matches '%.200s'%s; 'history list --benchmarks' names them", store->path,
                          glob ? glob : "*", machine ? " on that machine" : "");
    failed = failed || cut(past, all, count, error);
    free(all);
    return failed ? -1 : 0;
}

void gjb_past_free(gjb_past *past)
{
    free(past->runs);
    free(past->times);
    free(past->all);
    json_decref(past->words);
    *past = (gjb_past){0};
}

const char *gjb_series_unit(const gjb_series *series)
{
    return series->of->counts ? "instructions" : "ns";
}

long gjb_past_samples(const gjb_store *store, long long run, long long benchmark, double *samples, size_t most,
                      gjb_error *error)
{
    sqlite3_stmt *q = gjb_store_ask(store, "SELECT row FROM measurement WHERE run = ? AND benchmark = ?", NULL, 0, error);
    if (!q)
        return -1;
    sqlite3_bind_int64(q, 1, run);
    sqlite3_bind_int64(q, 2, benchmark);
    long count = gjb_store_row(store, q, error) < 0 ? -1 : 0;
    json_t *row = count ? NULL : json_loads(gjb_store_text(q, 0), 0, NULL);
    const json_t *all = json_object_get(row, "samples");
    for (size_t i = 0; i < json_array_size(all) && (size_t)count < most; i++)
        samples[count++] = json_number_value(json_array_get(all, i));
    json_decref(row);
    sqlite3_finalize(q);
    return count;
}
