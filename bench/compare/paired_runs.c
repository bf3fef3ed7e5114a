/* Paired runs of two builds: launches, blocks of calls by turns at places in memory, and ratios over all of them. */
#include "bench/compare/paired_runs.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/compare/ratios.h"
#include "bench/compare/worker.h"
#include "bench/compare/worker_process.h"
#include "bench/statistics.h"
#include "contenders/harness.h"
#include "core/clock.h"
#include "scenes/generate/generate.h"

enum {
    STREAM_TURNS = 0x62656e04,
    PAIRS_LEAST = 256, /* a call for fewer is mostly beginning and end */
    PAIRS_MOST = 1 << 30,
    WORDS_MOST = 255,
    DESCRIPTORS_FROM = 16, /* of our own, above those that a worker is given */
    DATA_STAYS = 2,        /* places, while code moves with each */
    TURNS_LEAST = 3,
    PLACES_LEAST = 2
};
static const double stay_ns = 1.5e6; /* of each side, at a place: what moving takes, or so */
static const double launch_most = 10, launch_part = 1.0 / 48, slice_least = 0.05;

/* A point that both sides have. */
typedef struct match {
    uint64_t index[GJB_PAIRED_SIDES]; /* what each calls it */
    uint64_t pairs;                 /* of a block; 0: not known yet */
    uint32_t turns;
    int threaded;
} match;

typedef struct run {
    gjb_paired *paired;
    const gjb_paired_settings *settings;
    gjb_error *error;
    match *matches; /* one a row */
    gjb_worker_process sides[GJB_PAIRED_SIDES];
    uint64_t launch;
    int lead; /* the side that is started and asked first in this launch */
    uint64_t begin;
    uint32_t places, turns; /* 0: as time allows */
    double block_ns, slice;
} run;

static int stopped(const run *r)
{
    return r->settings->stop && *r->settings->stop;
}

static double seconds_since(uint64_t begin)
{
    return 1e-9 * (double)(gjb_clock_wall() - begin);
}

static void progress(const run *r)
{
    double done = seconds_since(r->begin) / r->settings->budget;
    const double launches =
        (double)r->launch / (double)(r->settings->launches ? r->settings->launches : UINT32_MAX);
    done = fmin(fmax(done, launches), 1);
    if (r->settings->progress)
        r->settings->progress(r->settings->user, (uint64_t)(1000 * done), 1000);
}

/* --- one point in one launch -------------------------------------------------- */

/* Both at once: NULL if one fails. */
static int ask_both(run *r, const char *what, const uint64_t *numbers, json_t *replies[GJB_PAIRED_SIDES])
{
    for (int i = 0, s = r->lead; i < GJB_PAIRED_SIDES; i++, s = !s)
        if (numbers)
            gjb_worker_process_tell(&r->sides[s], "%s %llu\n", what, (unsigned long long)numbers[s]);
        else
            gjb_worker_process_tell(&r->sides[s], "%s\n", what);
    int failed = 0;
    for (int s = 0; s < GJB_PAIRED_SIDES; s++) {
        replies[s] = gjb_worker_process_hear(&r->sides[s], r->error);
        failed |= !replies[s];
    }
    for (int s = 0; s < GJB_PAIRED_SIDES && failed; s++) {
        json_decref(replies[s]);
        replies[s] = NULL;
    }
    return failed ? -1 : 0;
}

typedef struct block {
    double ns, pairs, instructions;
} block;

static int gone(const gjb_worker_process *o)
{
    return feof(o->from) || ferror(o->from);
}

/* As many blocks of each side as `turns`, the first side drawn for each two; 0 if all of them are there. */
static int take_turns(run *r, const match *m, uint64_t pairs, uint32_t turns, gjb_random *random,
                      block blocks[GJB_PAIRED_SIDES][GJB_WORKER_TURNS])
{
    char order[GJB_WORKER_TURNS + 1] = "";
    int failed = 0;
    for (uint32_t t = 0; t < turns; t++)
        memcpy(order + 2 * (size_t)t, gjb_random_below(random, 2) ? "10" : "01", 3);
    for (int i = 0, s = r->lead; i < GJB_PAIRED_SIDES; i++, s = !s)
        gjb_worker_process_tell(&r->sides[s], "turns %llu %d %s\n", (unsigned long long)pairs, s, order);
    for (int s = 0; s < GJB_PAIRED_SIDES; s++) { /* both are heard, whatever one says */
        gjb_error error = {{0}};
        json_t *reply = gjb_worker_process_hear(&r->sides[s], &error);
        const json_t *all = json_object_get(reply, "blocks");
        if (reply && json_array_size(all) != turns)
            gjb_fail(&error, "%s: it took %zu turns of %u", r->sides[s].program, json_array_size(all), turns);
        failed |= json_array_size(all) != turns;
        for (uint32_t t = 0; t < turns && !failed; t++) {
            const json_t *one = json_array_get(all, t);
            block *b = &blocks[s][t];
            b->ns = json_number_value(json_array_get(one, m->threaded ? 1 : 0));
            b->pairs = json_number_value(json_array_get(one, 2));
            b->instructions = json_number_value(json_array_get(one, 3));
            if (!(b->ns > 0 && b->pairs > 0))
                failed = gjb_fail(&error, "%s: it says that a block took no time", r->sides[s].program);
        }
        if (error.text[0] && (gone(&r->sides[s]) || !r->error->text[0]))
            *r->error = error; /* the other's may be but what follows from it */
        json_decref(reply);
    }
    return failed ? -1 : 0;
}

/* How many pairs fill a block: found on the old side, and the same for both. The new one takes the same steps, so
 * that it goes on at the same pair. */
static int find_pairs(run *r, match *m, gjb_random *random)
{
    block b[GJB_PAIRED_SIDES][GJB_WORKER_TURNS];
    const uint64_t least =
        m->threaded ? GJB_THREADED_PAIRS : PAIRS_LEAST; /* or waking threads would be most of it */
    uint64_t pairs = least;
    do
        if (take_turns(r, m, pairs, 1, random, b))
            return -1;
    while (b[0][0].ns < r->block_ns / 4 && (pairs *= 2) <= PAIRS_MOST);
    const double each = b[0][0].ns / b[0][0].pairs, fill = r->block_ns / each,
                 turns = stay_ns / fmax(r->block_ns, each * (double)least);
    m->pairs = fill < (double)least ? least : fill > PAIRS_MOST ? PAIRS_MOST : (uint64_t)fill;
    m->turns = r->turns                 ? r->turns
               : turns < TURNS_LEAST    ? TURNS_LEAST
               : turns > GJB_PAIRED_TURNS ? GJB_PAIRED_TURNS
                                        : (uint32_t)turns;
    return 0;
}

static int open_both(run *r, gjb_paired_row *row, const match *m)
{
    json_t *opened[GJB_PAIRED_SIDES];
    if (ask_both(r, "open", m->index, opened))
        return -1;
    if (!json_equal(json_object_get(opened[0], "workload_hash"), json_object_get(opened[1], "workload_hash")))
        snprintf(row->trouble, sizeof row->trouble, "another workload: the pairs are not the same");
    json_decref(opened[0]);
    json_decref(opened[1]);
    return !row->answers[0] && !row->trouble[0] ? ask_both(r, "answer", NULL, row->answers) : 0;
}

/* Turns at one place. */
static int stay(run *r, gjb_paired_row *row, const match *m, gjb_random *random, json_t *places,
                double *log_ratio)
{
    block b[GJB_PAIRED_SIDES][GJB_WORKER_TURNS];
    double logs[GJB_WORKER_TURNS];
    double ns[GJB_PAIRED_SIDES][GJB_WORKER_TURNS];
    if (take_turns(r, m, m->pairs, m->turns, random, b))
        return -1;
    for (uint32_t t = 0; t < m->turns; t++) {
        for (int s = 0; s < GJB_PAIRED_SIDES; s++)
            ns[s][t] = b[s][t].ns / b[s][t].pairs;
        logs[t] = log(ns[1][t] / ns[0][t]);
    }
    for (int s = 0; s < GJB_PAIRED_SIDES; s++)
        row->instructions[s] = b[s][0].instructions / b[s][0].pairs;
    *log_ratio = gjb_middle(logs, m->turns);
    json_array_append_new(
        places, json_pack("[fff]", gjb_median(ns[0], m->turns), gjb_median(ns[1], m->turns), *log_ratio));
    return 0;
}

static int move(run *r, uint32_t place, gjb_random *random)
{
    json_t *moved[GJB_PAIRED_SIDES];
    const uint64_t seeds[GJB_PAIRED_SIDES] = {gjb_random_below(random, UINT32_MAX),
                                              gjb_random_below(random, UINT32_MAX)};
    if (ask_both(r, place % DATA_STAYS ? "move" : "shuffle", seeds, moved))
        return -1;
    for (int s = 0; s < GJB_PAIRED_SIDES; s++)
        json_decref(moved[s]);
    return 0;
}

/* As many as requested, or as fit the point's slice of time. */
static int visit_places(run *r, gjb_paired_row *row, const match *m, gjb_random *random, double slice)
{
    double logs[GJB_SAMPLES_MAX];
    json_t *places = json_array();
    const uint64_t begin = gjb_clock_wall();
    int failed = 0;
    uint32_t p = 0;
    while (!failed && p < GJB_SAMPLES_MAX && !(p >= PLACES_LEAST && stopped(r)) &&
           (r->places ? p < r->places : p < PLACES_LEAST || seconds_since(begin) < slice)) {
        failed = p > 0 && move(r, p, random) ? -1 : stay(r, row, m, random, places, &logs[p]);
        p++;
    }
    if (failed) {
        json_decref(places);
        return -1;
    }
    json_array_append_new(row->places, places);
    row->logs[row->launches++] = gjb_middle(logs, p);
    return 0;
}

static void pin_both(run *r, int pinned)
{
    for (int s = 0; s < GJB_PAIRED_SIDES; s++)
        gjb_worker_process_pin(&r->sides[s], pinned ? &r->launch : NULL);
}

/* What a side cannot do is trouble of the row; only a side that is gone ends the run. */
static int measure(run *r, size_t i, gjb_random *random)
{
    gjb_paired_row *row = &r->paired->rows[i];
    match *m = &r->matches[i];
    if (row->trouble[0])
        return 0;
    const uint64_t begin = gjb_clock_wall();
    pin_both(r, 0); /* scenes are made side by side */
    int failed = open_both(r, row, m);
    pin_both(r, !m->threaded);
    if (!failed && row->trouble[0])
        return 0;
    if (!failed && !m->pairs)
        failed = find_pairs(r, m, random);
    if (!failed)
        failed = visit_places(r, row, m, random, fmax(r->slice - seconds_since(begin), slice_least));
    if (!failed || stopped(r))
        return 0;
    snprintf(row->trouble, sizeof row->trouble, "%.150s", r->error->text);
    for (int s = 0; s < GJB_PAIRED_SIDES; s++)
        if (gone(&r->sides[s]))
            return -1;
    r->error->text[0] = '\0';
    return 0;
}

/* --- launches ----------------------------------------------------------------- */

static size_t index_of(const json_t *names, const char *name)
{
    size_t i;
    json_t *other;
    json_array_foreach(names, i, other)
        if (!strcmp(json_string_value(other) ? json_string_value(other) : "", name))
            return i;
    return SIZE_MAX;
}

static int wanted(const run *r, const char *name)
{
    return name && (!r->settings->only || strstr(name, r->settings->only));
}

/* From what both say that they have. */
static int make_rows(run *r, json_t *const hello[GJB_PAIRED_SIDES])
{
    const json_t *names[GJB_PAIRED_SIDES] = {json_object_get(hello[0], "points"),
                                             json_object_get(hello[1], "points")};
    const size_t most = json_array_size(names[1]);
    gjb_paired *d = r->paired;
    size_t i;
    json_t *name;
    d->rows = calloc(most + 1, sizeof *d->rows);
    r->matches = calloc(most + 1, sizeof *r->matches);
    for (int s = 0; s < GJB_PAIRED_SIDES; s++)
        d->missing[s] = json_array();
    if (!d->rows || !r->matches || !d->missing[0] || !d->missing[1])
        return gjb_fail(r->error, "out of memory");
    json_array_foreach(names[0], i, name)
        if (wanted(r, json_string_value(name)) && index_of(names[1], json_string_value(name)) == SIZE_MAX)
            json_array_append(d->missing[1], name);
    json_array_foreach(names[1], i, name) {
        const char *text = json_string_value(name);
        const size_t other = text ? index_of(names[0], text) : SIZE_MAX;
        if (!wanted(r, text))
            continue;
        if (other == SIZE_MAX) {
            json_array_append(d->missing[0], name);
            continue;
        }
        gjb_paired_row *row = &d->rows[d->count];
        r->matches[d->count++] = (match){.index = {other, i}, .threaded = strstr(text, "/threads:") != NULL};
        row->name = strdup(text);
        row->places = json_array();
        row->logs = calloc(GJB_PAIRED_LAUNCHES_MOST, sizeof *row->logs);
        if (!row->name || !row->places || !row->logs)
            return gjb_fail(r->error, "out of memory");
    }
    if (!d->count)
        return gjb_fail(r->error, "nothing to compare: the two have no benchmark in common%s%s",
                        r->settings->only ? " whose name contains " : "",
                        r->settings->only ? r->settings->only : "");
    return 0;
}

/* A copy of its own, of which only the descriptor is left: the name that others reach it by is at `path`. -1 if
 * there is none, and the file itself has to do. */
static int copy_file(const char *from, char *path, size_t size)
{
    struct stat info;
    const int source = open(from, O_RDONLY | O_CLOEXEC),
              copy = source < 0 ? -1 : memfd_create("gjkbench", MFD_CLOEXEC);
    off_t done = 0;
    ssize_t got = copy >= 0 && !fstat(source, &info) ? 1 : 0;
    while (got > 0 && done < info.st_size)
        got = sendfile(copy, source, &done, (size_t)(info.st_size - done));
    if (source >= 0)
        close(source);
    if (got > 0 && info.st_size > 0) {
        snprintf(path, size, "/proc/%ld/fd/%d", (long)getpid(), copy);
        return copy;
    }
    if (copy >= 0)
        close(copy);
    return -1;
}

static int start_fresh(run *r, int s, const gjb_paired_side *side, const int turn[2], json_t **hello)
{
    const char *words[WORDS_MOST + 1];
    char paths[64][64];
    int copies[64], count = 0;
    size_t i = 0;
    for (; side->command[i] && i < WORDS_MOST; i++) {
        words[i] = side->command[i];
        if (i >= 64 || !(side->files >> i & 1))
            continue;
        copies[count] = copy_file(side->command[i], paths[count], sizeof *paths);
        if (copies[count] >= 0)
            words[i] = paths[count++];
    }
    words[i] = NULL;
    const int failed =
        gjb_worker_process_start(&r->sides[s], side->command[0], words, turn, r->settings->stop, hello, r->error);
    while (count > 0)
        close(copies[--count]);
    return failed;
}

/* A pipe whose ends leave room for those that a worker is given. */
static int make_pipe(int ends[2], gjb_error *error)
{
    int low[2] = {-1, -1};
    ends[0] = ends[1] = -1;
    if (pipe2(low, O_CLOEXEC) == 0)
        for (int i = 0; i < 2; i++) {
            ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, DESCRIPTORS_FROM);
            close(low[i]);
        }
    return ends[0] >= 0 && ends[1] >= 0 ? 0 : gjb_fail(error, "no pipe: %s", strerror(errno));
}

static int start_both(run *r, const gjb_paired_side sides[GJB_PAIRED_SIDES])
{
    json_t *hello[GJB_PAIRED_SIDES] = {NULL, NULL};
    int turns[GJB_PAIRED_SIDES][2] = {{-1, -1}, {-1, -1}}; /* that each side reads */
    int failed = make_pipe(turns[0], r->error) || make_pipe(turns[1], r->error) ? -1 : 0;
    for (int i = 0, s = r->lead; i < GJB_PAIRED_SIDES && !failed; i++, s = !s)
        failed = start_fresh(r, s, &sides[s], (const int[2]){turns[s][0], turns[!s][1]}, &hello[s]);
    for (int i = 0; i < 2 * GJB_PAIRED_SIDES; i++)
        if (turns[i / 2][i % 2] >= 0)
            close(turns[i / 2][i % 2]);
    if (!failed && !r->paired->rows)
        failed = make_rows(r, hello);
    for (int s = 0; s < GJB_PAIRED_SIDES; s++) {
        if (!failed && !r->paired->context[s]) {
            r->paired->context[s] = json_incref(hello[s]);
            json_object_del(hello[s], "points");
        }
        json_decref(hello[s]);
    }
    return failed;
}

static int one_launch(run *r, const gjb_paired_side sides[GJB_PAIRED_SIDES])
{
    gjb_random random = gjb_random_make(r->settings->seed, STREAM_TURNS, r->launch);
    r->lead = (int)gjb_random_below(&random, GJB_PAIRED_SIDES);
    int failed = start_both(r, sides);
    /* In the plan's order, which shares scenes, from somewhere on. */
    r->slice = fmin(r->settings->budget * launch_part, launch_most) / (double)(r->paired->count + 1);
    const size_t points = r->paired->count, from = points ? gjb_random_below(&random, (uint32_t)points) : 0;
    for (size_t i = 0; i < points && !failed && !stopped(r); i++) {
        failed = measure(r, (from + i) % points, &random);
        progress(r);
    }
    for (int s = 0; s < GJB_PAIRED_SIDES; s++)
        gjb_worker_process_end(&r->sides[s]);
    if (!failed && !stopped(r))
        r->paired->launches = ++r->launch;
    return failed;
}

/* Of all places, each a median itself. */
static int summarise(gjb_paired_row *row)
{
    size_t launch, i, count = 0;
    json_t *places, *place;
    json_array_foreach(row->places, launch, places)
        count += json_array_size(places);
    double *values = malloc((count + 1) * sizeof *values);
    for (size_t s = 0; s < GJB_PAIRED_SIDES && values; s++) {
        count = 0;
        json_array_foreach(row->places, launch, places)
            json_array_foreach(places, i, place)
                values[count++] = json_number_value(json_array_get(place, s));
        row->ns[s] = gjb_median(values, count);
    }
    free(values);
    return values ? 0 : -1;
}

/* A launch is not begun that would not end in time, once it is known how long they take, and there are enough of
 * them to tell anything. */
static int goes_on(const run *r)
{
    const double spent = seconds_since(r->begin);
    if (stopped(r) || r->launch >= GJB_PAIRED_LAUNCHES_MOST ||
        (r->settings->launches && r->launch >= r->settings->launches))
        return 0;
    return r->launch < GJB_RATIOS_LEAST || spent + spent / (double)r->launch <= r->settings->budget;
}

int gjb_paired_run(gjb_paired *paired, const gjb_paired_side sides[GJB_PAIRED_SIDES],
                   const gjb_paired_settings *settings, gjb_error *error)
{
    run r = {.paired = paired,
             .settings = settings,
             .error = error,
             .begin = gjb_clock_wall(),
             .places = settings->places < GJB_SAMPLES_MAX ? settings->places : GJB_SAMPLES_MAX,
             .turns = settings->turns < GJB_WORKER_TURNS / 2 ? settings->turns : GJB_WORKER_TURNS / 2,
             .block_ns = 1e9 * (settings->block > 0 ? settings->block : GJB_PAIRED_BLOCK)};
    *paired = (gjb_paired){0};
    void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* a side that is gone is heard of by its silence */
    int failed = 0;
    while (!failed && goes_on(&r))
        failed = one_launch(&r, sides);
    if (settings->progress)
        settings->progress(settings->user, 1000, 1000);
    signal(SIGPIPE, before);
    paired->interrupted = stopped(&r);
    if (paired->interrupted)
        failed = 0; /* what sides say then is about that */
    for (size_t i = 0; i < paired->count; i++)
        if (summarise(&paired->rows[i]) && !failed)
            failed = gjb_fail(error, "out of memory");
    free(r.matches);
    return failed ? -1 : 0;
}

void gjb_paired_free(gjb_paired *paired)
{
    for (size_t i = 0; i < paired->count; i++) {
        free(paired->rows[i].name);
        free(paired->rows[i].logs);
        json_decref(paired->rows[i].places);
        for (int s = 0; s < GJB_PAIRED_SIDES; s++)
            json_decref(paired->rows[i].answers[s]);
    }
    for (int s = 0; s < GJB_PAIRED_SIDES; s++) {
        json_decref(paired->context[s]);
        json_decref(paired->missing[s]);
    }
    free(paired->rows);
    *paired = (gjb_paired){0};
}
