#include "bench/duel.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/clock.h"
#include "bench/opponent.h"
#include "bench/ratios.h"
#include "bench/statistics.h"
#include "core/generate.h"

enum { STREAM_TURNS = 0x62656e04, CALLS_MOST = 1 << 24, WORDS_MOST = 255 };

/* A point that both sides have. */
typedef struct match {
    uint64_t index[GJB_DUEL_SIDES]; /* what each calls it */
    uint64_t calls;                 /* of a block; 0: not known yet */
    int threaded;
} match;

typedef struct run {
    gjb_duel *duel;
    const gjb_duel_settings *settings;
    gjb_error *error;
    match *matches; /* one a row */
    gjb_opponent sides[GJB_DUEL_SIDES];
    uint64_t launch;
    uint64_t begin;
    uint32_t places, turns;
    double block_ns;
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

/* Both at once: NULL where one fails. */
static int ask_both(run *r, const char *what, const uint64_t *numbers, json_t *replies[GJB_DUEL_SIDES])
{
    for (int s = 0; s < GJB_DUEL_SIDES; s++)
        if (numbers)
            gjb_opponent_tell(&r->sides[s], "%s %llu\n", what, (unsigned long long)numbers[s]);
        else
            gjb_opponent_tell(&r->sides[s], "%s\n", what);
    int failed = 0;
    for (int s = 0; s < GJB_DUEL_SIDES; s++) {
        replies[s] = gjb_opponent_hear(&r->sides[s], r->error);
        failed |= !replies[s];
    }
    for (int s = 0; s < GJB_DUEL_SIDES && failed; s++) {
        json_decref(replies[s]);
        replies[s] = NULL;
    }
    return failed ? -1 : 0;
}

typedef struct block {
    double ns, pairs, instructions;
} block;

static int take(run *r, int side, const match *m, uint64_t calls, block *b)
{
    gjb_opponent_tell(&r->sides[side], "time %llu\n", (unsigned long long)calls);
    json_t *reply = gjb_opponent_hear(&r->sides[side], r->error);
    if (!reply)
        return -1;
    b->ns = json_number_value(json_object_get(reply, m->threaded ? "wall_ns" : "cpu_ns"));
    b->pairs = json_number_value(json_object_get(reply, "pairs"));
    b->instructions = json_number_value(json_object_get(reply, "instructions"));
    json_decref(reply);
    if (b->ns > 0 && b->pairs > 0)
        return 0;
    return gjb_fail(r->error, "%s: it says that a block took no time", r->sides[side].program);
}

/* How many calls fill a block: found on the old side, and the same for both. The new one takes the same steps, so
 * that it goes on at the same pair. */
static int find_calls(run *r, match *m)
{
    uint64_t calls = 1;
    for (;;) {
        block b[GJB_DUEL_SIDES];
        for (int s = 0; s < GJB_DUEL_SIDES; s++)
            if (take(r, s, m, calls, &b[s]))
                return -1;
        if (b[0].ns >= r->block_ns / 4 || calls >= CALLS_MOST) {
            const double fill = (double)calls * r->block_ns / b[0].ns;
            m->calls = fill < 1 ? 1 : fill > CALLS_MOST ? CALLS_MOST : (uint64_t)fill;
            return 0;
        }
        calls *= 2;
    }
}

static double mean_of(const double *values, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

static int open_both(run *r, gjb_duel_row *row, const match *m)
{
    json_t *opened[GJB_DUEL_SIDES];
    if (ask_both(r, "open", m->index, opened))
        return -1;
    if (!json_equal(json_object_get(opened[0], "workload_hash"), json_object_get(opened[1], "workload_hash")))
        snprintf(row->trouble, sizeof row->trouble, "another workload: the pairs are not the same");
    json_decref(opened[0]);
    json_decref(opened[1]);
    return !row->answers[0] && !row->trouble[0] ? ask_both(r, "answer", NULL, row->answers) : 0;
}

/* Turns at one place: their median, as something may disturb one. */
static int take_turns(run *r, gjb_duel_row *row, const match *m, gjb_random *random, json_t *place,
                      double *log_ratio)
{
    double logs[GJB_SAMPLES_MAX];
    for (uint32_t t = 0; t < r->turns; t++) {
        const int first = (int)gjb_random_below(random, 2);
        block b[GJB_DUEL_SIDES];
        for (int i = 0; i < GJB_DUEL_SIDES; i++) {
            const int side = i ? !first : first;
            if (take(r, side, m, m->calls, &b[side]))
                return -1;
        }
        const double ns[GJB_DUEL_SIDES] = {b[0].ns / b[0].pairs, b[1].ns / b[1].pairs};
        logs[t] = log(ns[1] / ns[0]);
        json_array_append_new(place, json_pack("[ff]", ns[0], ns[1]));
        for (int s = 0; s < GJB_DUEL_SIDES; s++)
            row->instructions[s] = b[s].instructions / b[s].pairs;
    }
    *log_ratio = gjb_median(logs, r->turns);
    return 0;
}

static int visit_places(run *r, gjb_duel_row *row, const match *m, gjb_random *random)
{
    double logs[GJB_SAMPLES_MAX];
    json_t *launch = json_array();
    int failed = 0;
    for (uint32_t p = 0; p < r->places && !failed; p++) {
        json_t *place = json_array(), *moved[GJB_DUEL_SIDES];
        json_array_append_new(launch, place);
        if (p > 0) {
            const uint64_t seeds[GJB_DUEL_SIDES] = {gjb_random_below(random, UINT32_MAX),
                                                    gjb_random_below(random, UINT32_MAX)};
            failed = ask_both(r, "shuffle", seeds, moved);
            for (int s = 0; s < GJB_DUEL_SIDES && !failed; s++)
                json_decref(moved[s]);
        }
        if (!failed)
            failed = take_turns(r, row, m, random, place, &logs[p]);
    }
    if (failed) {
        json_decref(launch);
        return -1;
    }
    json_array_append_new(row->blocks, launch);
    row->logs[row->launches++] = mean_of(logs, r->places);
    return 0;
}

/* What a side cannot do is trouble of the row; only a side that is gone ends the run. */
static int measure(run *r, size_t i, gjb_random *random)
{
    gjb_duel_row *row = &r->duel->rows[i];
    match *m = &r->matches[i];
    if (row->trouble[0])
        return 0;
    int failed = open_both(r, row, m);
    if (!failed && row->trouble[0])
        return 0;
    if (!failed && !m->calls)
        failed = find_calls(r, m);
    if (!failed)
        failed = visit_places(r, row, m, random);
    if (!failed)
        return 0;
    snprintf(row->trouble, sizeof row->trouble, "%.150s", r->error->text);
    for (int s = 0; s < GJB_DUEL_SIDES; s++)
        if (feof(r->sides[s].from) || ferror(r->sides[s].from))
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
static int make_rows(run *r, json_t *const hello[GJB_DUEL_SIDES])
{
    const json_t *names[GJB_DUEL_SIDES] = {json_object_get(hello[0], "points"),
                                           json_object_get(hello[1], "points")};
    const size_t most = json_array_size(names[1]);
    gjb_duel *d = r->duel;
    size_t i;
    json_t *name;
    d->rows = calloc(most + 1, sizeof *d->rows);
    r->matches = calloc(most + 1, sizeof *r->matches);
    for (int s = 0; s < GJB_DUEL_SIDES; s++)
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
        gjb_duel_row *row = &d->rows[d->count];
        r->matches[d->count++] = (match){.index = {other, i}, .threaded = strstr(text, "/threads:") != NULL};
        row->name = strdup(text);
        row->blocks = json_array();
        row->logs = calloc(GJB_DUEL_LAUNCHES_MOST, sizeof *row->logs);
        if (!row->name || !row->blocks || !row->logs)
            return gjb_fail(r->error, "out of memory");
    }
    if (!d->count)
        return gjb_fail(r->error, "nothing to compare: the two have no benchmark in common%s%s",
                        r->settings->only ? " whose name has in it: " : "",
                        r->settings->only ? r->settings->only : "");
    return 0;
}

/* A copy of its own, of which only the descriptor is left: the name that others reach it by is at `path`. -1 where
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

static int start_fresh(run *r, int s, const gjb_duel_side *side, json_t **hello)
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
    const int failed = gjb_opponent_start(&r->sides[s], side->command[0], words, hello, r->error);
    while (count > 0)
        close(copies[--count]);
    return failed;
}

static int start_both(run *r, const gjb_duel_side sides[GJB_DUEL_SIDES])
{
    json_t *hello[GJB_DUEL_SIDES] = {NULL, NULL};
    int failed = 0;
    for (int s = 0; s < GJB_DUEL_SIDES && !failed; s++)
        failed = start_fresh(r, s, &sides[s], &hello[s]);
    if (!failed && !r->duel->rows)
        failed = make_rows(r, hello);
    for (int s = 0; s < GJB_DUEL_SIDES; s++) {
        if (!failed && !r->duel->context[s]) {
            r->duel->context[s] = json_incref(hello[s]);
            json_object_del(hello[s], "points");
        }
        json_decref(hello[s]);
    }
    return failed;
}

static int alike_all(const run *r)
{
    for (size_t i = 0; i < r->duel->count; i++)
        if (r->matches[i].threaded)
            return 0;
    return 1;
}

static int one_launch(run *r, const gjb_duel_side sides[GJB_DUEL_SIDES])
{
    gjb_random random = gjb_random_make(r->settings->seed, STREAM_TURNS, r->launch);
    int failed = start_both(r, sides);
    if (!failed && alike_all(r))
        for (int s = 0; s < GJB_DUEL_SIDES; s++)
            gjb_opponent_pin(&r->sides[s], r->launch);
    /* In the plan's order, which shares scenes, from somewhere on. */
    const size_t points = r->duel->count, from = points ? gjb_random_below(&random, (uint32_t)points) : 0;
    for (size_t i = 0; i < points && !failed && !stopped(r); i++) {
        failed = measure(r, (from + i) % points, &random);
        progress(r);
    }
    for (int s = 0; s < GJB_DUEL_SIDES; s++)
        gjb_opponent_end(&r->sides[s]);
    if (!failed && !stopped(r))
        r->duel->launches = ++r->launch;
    return failed;
}

static double median_of(const json_t *blocks, int side, double *values)
{
    size_t l, p, t, count = 0;
    json_t *launch, *place, *turn;
    json_array_foreach(blocks, l, launch)
        json_array_foreach(launch, p, place)
            json_array_foreach(place, t, turn)
                values[count++] = json_number_value(json_array_get(turn, (size_t)side));
    return gjb_median(values, count);
}

static int summarise(run *r)
{
    double *values = malloc(((size_t)r->places * r->turns * (r->launch + 1) + 1) * sizeof *values);
    if (!values)
        return gjb_fail(r->error, "out of memory");
    for (size_t i = 0; i < r->duel->count; i++)
        for (int s = 0; s < GJB_DUEL_SIDES; s++)
            r->duel->rows[i].ns[s] = median_of(r->duel->rows[i].blocks, s, values);
    free(values);
    return 0;
}

/* A launch is not begun that would not end in time, once it is known how long they take, and there are enough of
 * them to tell anything. */
static int goes_on(const run *r)
{
    const double spent = seconds_since(r->begin);
    if (stopped(r) || r->launch >= GJB_DUEL_LAUNCHES_MOST ||
        (r->settings->launches && r->launch >= r->settings->launches))
        return 0;
    return r->launch < GJB_RATIOS_LEAST || spent + spent / (double)r->launch <= r->settings->budget;
}

int gjb_duel_run(gjb_duel *duel, const gjb_duel_side sides[GJB_DUEL_SIDES], const gjb_duel_settings *settings,
                 gjb_error *error)
{
    run r = {.duel = duel,
             .settings = settings,
             .error = error,
             .begin = gjb_clock_wall(),
             .places = settings->places ? settings->places : GJB_DUEL_PLACES,
             .turns = settings->turns ? settings->turns : GJB_DUEL_TURNS,
             .block_ns = 1e9 * (settings->block > 0 ? settings->block : GJB_DUEL_BLOCK)};
    *duel = (gjb_duel){0};
    r.places = r.places < GJB_SAMPLES_MAX ? r.places : GJB_SAMPLES_MAX;
    r.turns = r.turns < GJB_SAMPLES_MAX ? r.turns : GJB_SAMPLES_MAX;
    void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* a side that is gone is heard of by its silence */
    int failed = 0;
    while (!failed && goes_on(&r))
        failed = one_launch(&r, sides);
    if (settings->progress)
        settings->progress(settings->user, 1000, 1000);
    signal(SIGPIPE, before);
    duel->interrupted = stopped(&r);
    if (duel->interrupted)
        failed = 0; /* whoever raised the flag ended the sides, too */
    if (!failed && duel->count)
        failed = summarise(&r);
    free(r.matches);
    return failed ? -1 : 0;
}

void gjb_duel_free(gjb_duel *duel)
{
    for (size_t i = 0; i < duel->count; i++) {
        free(duel->rows[i].name);
        free(duel->rows[i].logs);
        json_decref(duel->rows[i].blocks);
        for (int s = 0; s < GJB_DUEL_SIDES; s++)
            json_decref(duel->rows[i].answers[s]);
    }
    for (int s = 0; s < GJB_DUEL_SIDES; s++) {
        json_decref(duel->context[s]);
        json_decref(duel->missing[s]);
    }
    free(duel->rows);
    *duel = (gjb_duel){0};
}
