/* Starts a worker for each side under callgrind, asks both for the same points, and reads what was counted. */
#include "bench/compare/tally.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/personality.h>
#endif

#include "bench/compare/worker_process.h"
#include "bench/count/profile.h"
#include "core/file.h"

enum { WORDS_MOST = 255, PATH_ROOM = 4096, FUNCTIONS_MOST = 24 };

typedef struct run {
    gjb_tally *tallies;
    const gjb_tally_side *sides;
    size_t count;
    const gjb_tally_settings *settings;
    gjb_worker_process workers[GJB_TALLY_SIDES];
    char folder[PATH_ROOM]; /* that callgrind writes to; "" until there is one */
    char file[GJB_TALLY_SIDES][PATH_ROOM + 64];
    gjb_error *error;
} run;

static int stopped(const run *r)
{
    return r->settings->stop && *r->settings->stop;
}

/* --- sides -------------------------------------------------------------------- */

static int make_folder(run *r)
{
    const char *place = getenv("TMPDIR");
    snprintf(r->folder, sizeof r->folder, "%.4000s/gjkbench-count-XXXXXX", place && *place ? place : "/tmp");
    if (mkdtemp(r->folder))
        return 0;
    gjb_fail(r->error, "%s: %s", r->folder, strerror(errno));
    r->folder[0] = '\0';
    return -1;
}

static void remove_folder(run *r)
{
    char path[2 * PATH_ROOM];
    DIR *all = r->folder[0] ? opendir(r->folder) : NULL;
    for (struct dirent *one; all && (one = readdir(all));) {
        snprintf(path, sizeof path, "%s/%s", r->folder, one->d_name);
        unlink(path);
    }
    if (all)
        closedir(all);
    if (r->folder[0])
        rmdir(r->folder);
}

/* A copy of bytes takes an instruction more or less by where they lie, and a cache holds what its addresses let it
 * hold: so the next program gets the same addresses each time, if the system lets us say so. */
static int fix_addresses(void)
{
#if defined(__linux__)
    const int before = personality(0xffffffff);
    if (before >= 0)
        personality((unsigned long)before | ADDR_NO_RANDOMIZE);
    return before;
#else
    return -1;
#endif
}

static void release_addresses(int before)
{
#if defined(__linux__)
    if (before >= 0)
        personality((unsigned long)before);
#else
    (void)before;
#endif
}

static int start_side(run *r, size_t s)
{
    const char *words[WORDS_MOST + 1];
    char output[PATH_ROOM + 64];
    size_t count = 0;
    if (!r->settings->by_processor) {
        snprintf(r->file[s], sizeof r->file[s], "%s/%zu", r->folder, s);
        snprintf(output, sizeof output, "--callgrind-out-file=%s", r->file[s]);
        words[count++] = "valgrind";
        for (size_t i = 0; gjb_callgrind_options[i]; i++)
            words[count++] = gjb_callgrind_options[i];
        words[count++] = output;
    }
    for (size_t i = 0; r->sides[s].command[i] && count < WORDS_MOST; i++)
        words[count++] = r->sides[s].command[i];
    words[count] = NULL;
    const int before = fix_addresses();
    const int failed = gjb_worker_process_start(&r->workers[s], r->sides[s].name, words, NULL, r->settings->stop,
                                                &r->tallies[s].context, r->error);
    release_addresses(before);
    return failed;
}

static int start_sides(run *r)
{
    for (size_t s = 0; s < r->count; s++) {
        if (start_side(r, s))
            return -1;
        const char *by = json_string_value(json_object_get(r->tallies[s].context, "counts"));
        if (!by || strcmp(by, r->settings->by_processor ? "processor" : "callgrind") != 0)
            return gjb_fail(r->error,
                            "%s: cannot count: it was built without Valgrind's header, valgrind/callgrind.h, or "
                            "before gjkbench could count",
                            r->sides[s].name);
    }
    return 0;
}

/* --- points ------------------------------------------------------------------- */

static const json_t *points_of(const run *r, size_t side)
{
    return json_object_get(r->tallies[side].context, "points");
}

/* Where a side has the point of that name; SIZE_MAX: nowhere. */
static size_t find_point(const run *r, size_t side, const char *name)
{
    size_t i;
    json_t *other;
    json_array_foreach(points_of(r, side), i, other)
        if (!strcmp(json_string_value(other) ? json_string_value(other) : "", name))
            return i;
    return SIZE_MAX;
}

static int wanted(const run *r, const json_t *name)
{
    return json_is_string(name) && (!r->settings->only || strstr(json_string_value(name), r->settings->only));
}

/* Names that all sides have, in the last one's order. */
static json_t *common_points(run *r)
{
    json_t *names = json_array(), *name;
    size_t i;
    for (size_t s = 0; s < r->count; s++)
        json_array_foreach(points_of(r, s), i, name) {
            if (!wanted(r, name))
                continue;
            const size_t other = r->count - 1 - s;
            if (find_point(r, other, json_string_value(name)) == SIZE_MAX)
                json_array_append(r->tallies[other].missing, name);
            else if (s == r->count - 1)
                json_array_append(names, name);
        }
    return names;
}

/* The same request to all sides, which are at work at the same time. Each reply is merged into the side's row; what a
 * side cannot do becomes the row's "trouble". 0, or -1 if a side is gone. */
static int ask(run *r, const char *what, const char *name, json_t *rows[GJB_TALLY_SIDES])
{
    int gone = 0;
    for (size_t s = 0; s < r->count; s++)
        if (name)
            gjb_worker_process_tell(&r->workers[s], "%s %zu\n", what, find_point(r, s, name));
        else
            gjb_worker_process_tell(&r->workers[s], "%s\n", what);
    for (size_t s = 0; s < r->count; s++) {
        gjb_error error = {{0}};
        json_t *reply = gjb_worker_process_hear(&r->workers[s], &error);
        if (reply)
            json_object_update(rows[s], reply);
        else if (!json_object_get(rows[s], "trouble"))
            json_object_set_new(rows[s], "trouble", json_string(error.text));
        if (!reply && (feof(r->workers[s].from) || ferror(r->workers[s].from) || stopped(r))) {
            gone = 1;
            if (!r->error->text[0])
                *r->error = error;
        }
        json_decref(reply);
    }
    return gone ? -1 : 0;
}

static void set_per_pair(json_t *row, const char *key, double count)
{
    json_object_set_new(row, key, json_real(count / json_number_value(json_object_get(row, "pairs"))));
}

static int by_size(const void *a, const void *b)
{
    const double x = json_number_value(json_object_iter_value(*(void *const *)a)),
                 y = json_number_value(json_object_iter_value(*(void *const *)b));
    return (x < y) - (x > y);
}

/* The largest of them: what is behind these is a small part of a small part. */
static void set_functions(json_t *row, json_t *functions)
{
    const double pairs = json_number_value(json_object_get(row, "pairs"));
    json_t *largest = json_object();
    void **all = malloc((json_object_size(functions) + 1) * sizeof *all);
    size_t count = 0;
    for (void *i = json_object_iter(functions); all && i; i = json_object_iter_next(functions, i))
        all[count++] = i;
    if (all)
        qsort(all, count, sizeof *all, by_size);
    for (size_t i = 0; i < count && i < FUNCTIONS_MOST; i++)
        json_object_set_new(largest, json_object_iter_key(all[i]),
                            json_real(json_number_value(json_object_iter_value(all[i])) / pairs));
    free(all);
    json_object_set_new(row, "functions", largest);
}

/* From callgrind's file, which is taken away. */
static void read_profile(run *r, size_t s, json_t *row)
{
    char path[PATH_ROOM + 96];
    gjb_error error = {{0}};
    gjb_profile p;
    snprintf(path, sizeof path, "%s.%lld", r->file[s], (long long)json_integer_value(json_object_get(row, "file")));
    json_object_del(row, "file");
    if (gjb_profile_read(&p, path, &error)) {
        json_object_set_new(row, "trouble", json_string(error.text));
    } else {
        set_per_pair(row, "instructions_per_pair", p.instructions);
        set_per_pair(row, "branches_per_pair", p.branches);
        set_per_pair(row, "mispredicted_per_pair", p.mispredicted);
        set_per_pair(row, "misses_per_pair", p.misses);
        set_per_pair(row, "last_misses_per_pair", p.last_misses);
        set_per_pair(row, "cycles_per_pair", gjb_profile_cycles(&p));
        set_functions(row, p.functions);
        json_object_set_new(r->tallies[s].context, "counted_by", json_string(p.by));
    }
    gjb_profile_free(&p);
    unlink(path);
}

static void finish_row(run *r, size_t s, json_t *row)
{
    if (json_object_get(row, "trouble"))
        return;
    if (!r->settings->by_processor) {
        read_profile(r, s, row);
        return;
    }
    set_per_pair(row, "instructions_per_pair", json_number_value(json_object_get(row, "instructions")));
    json_object_del(row, "instructions");
    json_object_set_new(r->tallies[s].context, "counted_by", json_string("processor"));
}

static int count_point(run *r, const char *name)
{
    json_t *rows[GJB_TALLY_SIDES] = {NULL, NULL};
    for (size_t s = 0; s < r->count; s++)
        rows[s] = json_pack("{ss}", "name", name);
    const int failed = ask(r, "open", name, rows) || ask(r, "answer", NULL, rows) || ask(r, "count", NULL, rows);
    for (size_t s = 0; s < r->count; s++) {
        json_object_del(rows[s], "prepared");
        json_t *fingerprint = json_object_get(rows[s], "fingerprint");
        if (fingerprint)
            json_object_set(rows[s], "label", fingerprint);
        json_object_del(rows[s], "fingerprint");
        if (!failed && !stopped(r)) {
            finish_row(r, s, rows[s]);
            json_array_append(r->tallies[s].rows, rows[s]);
        }
        json_decref(rows[s]);
    }
    return failed ? -1 : 0;
}

static int count_points(run *r)
{
    json_t *names = common_points(r), *name;
    size_t i;
    int failed = 0;
    if (!json_array_size(names))
        failed = gjb_fail(r->error, "nothing to count: no benchmark is common to both%s%s",
                          r->settings->only ? " whose name contains " : "",
                          r->settings->only ? r->settings->only : "");
    json_array_foreach(names, i, name) {
        if (failed || stopped(r))
            break;
        failed = count_point(r, json_string_value(name));
        if (r->settings->progress)
            r->settings->progress(r->settings->user, i + 1, json_array_size(names));
    }
    json_decref(names);
    return failed ? -1 : 0;
}

/* --- in all ------------------------------------------------------------------- */

int gjb_tally_run(gjb_tally *tallies, const gjb_tally_side *sides, size_t count, const gjb_tally_settings *settings,
                  gjb_error *error)
{
    run r = {.tallies = tallies, .sides = sides, .count = count, .settings = settings, .error = error};
    void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* a side that is gone is heard of by its silence */
    char valgrind[PATH_ROOM];
    int failed = 0;
    for (size_t s = 0; s < count; s++)
        tallies[s] = (gjb_tally){.rows = json_array(), .missing = json_array()};
    if (!settings->by_processor && !gjb_file_on_path("valgrind", valgrind, sizeof valgrind))
        failed = gjb_fail(error, "counting needs valgrind on PATH: install the package 'valgrind'");
    failed = failed || (!settings->by_processor && make_folder(&r)) || start_sides(&r) || count_points(&r);
    for (size_t s = 0; s < count; s++) {
        gjb_worker_process_end(&r.workers[s]);
        json_object_del(tallies[s].context, "points");
    }
    remove_folder(&r);
    signal(SIGPIPE, before);
    return failed && !stopped(&r) ? -1 : 0;
}

void gjb_tally_free(gjb_tally *tally)
{
    json_decref(tally->context);
    json_decref(tally->rows);
    json_decref(tally->missing);
    *tally = (gjb_tally){0};
}

json_t *gjb_tally_json(const gjb_tally *tally)
{
    return json_pack("{sO sO}", "context", tally->context, "benchmarks", tally->rows);
}
