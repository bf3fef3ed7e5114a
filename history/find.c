/* Finds changes in every series by p-values over all of them, with ratios and events such as changed answers. */
#include "history/find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const event_names[] = {"workload", "answers", "version", "kernel"};

const char *gjb_event_name(gjb_event_kind kind)
{
    return event_names[kind];
}

static const char *fact(const gjb_past *past, const gjb_past_time *t, int kind)
{
    switch ((gjb_event_kind)kind) {
    case GJB_EVENT_WORKLOAD: return t->workload_hash;
    case GJB_EVENT_ANSWERS: return t->fingerprint;
    case GJB_EVENT_VERSION: return t->version;
    default: return past->runs[t->run].kernel;
    }
}

/* A fact that differs from that of the run before. Other answers to another workload are not reported. */
static size_t events_of(const gjb_past *past, const gjb_series *s, gjb_event *events)
{
    size_t count = 0;
    for (size_t i = 1; i < s->count; i++) {
        int other_workload = 0;
        for (int kind = 0; kind < GJB_EVENT_KINDS; kind++) {
            const char *before = fact(past, &s->times[i - 1], kind), *after = fact(past, &s->times[i], kind);
            if (!strcmp(before, after) || (kind == GJB_EVENT_ANSWERS && other_workload))
                continue;
            other_workload |= kind == GJB_EVENT_WORKLOAD;
            if (events)
                events[count] = (gjb_event){i, (gjb_event_kind)kind, before, after};
            count++;
        }
    }
    return count;
}

static size_t parts_of(const gjb_series *s, gjb_part *parts)
{
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (!i || strcmp(s->times[i - 1].workload_hash, s->times[i].workload_hash)) {
            if (parts)
                parts[count] = (gjb_part){i, i, 1, 1};
            count++;
        }
        if (parts)
            parts[count - 1].end = i + 1;
    }
    return count;
}

static int open_found(gjb_found *found, const gjb_past *past, const gjb_series *s)
{
    *found = (gjb_found){.series = s, .part_count = parts_of(s, NULL), .event_count = events_of(past, s, NULL)};
    found->parts = malloc((found->part_count + 1) * sizeof *found->parts);
    found->events = malloc((found->event_count + 1) * sizeof *found->events);
    if (!found->parts || !found->events)
        return -1;
    parts_of(s, found->parts);
    events_of(past, s, found->events);
    return 0;
}

static double *logs_of(const gjb_series *s, const gjb_part *part)
{
    const size_t n = part->end - part->first;
    double *logs = malloc((n + 1) * sizeof *logs);
    for (size_t i = 0; logs && i < n; i++)
        logs[i] = log(s->times[part->first + i].ns);
    return logs;
}

/* p of every part that has the runs for one, and q over all of those. */
static int judge_parts(gjb_findings *f, gjb_chance *chance, double rate)
{
    double *p = malloc((f->parts + 1) * sizeof *p);
    gjb_part **tested = malloc((f->parts + 1) * sizeof *tested);
    int failed = !p || !tested;
    for (size_t i = 0; i < f->count && !failed; i++)
        for (size_t k = 0; k < f->all[i].part_count && !failed; k++) {
            gjb_part *part = &f->all[i].parts[k];
            const size_t n = part->end - part->first;
            if (f->all[i].series->of->counts) {
                f->counted++;
                continue;
            }
            f->few += n < GJB_CHANGE_RUNS_LEAST;
            f->hopeless += n >= GJB_CHANGE_RUNS_LEAST && gjb_split_least_p(n) > rate;
            if (gjb_split_least_p(n) > rate)
                continue;
            double *logs = logs_of(f->all[i].series, part);
            part->p = logs ? gjb_split_find(logs, n, chance).p : -1;
            failed = part->p < 0;
            free(logs);
            tested[f->tested] = part;
            p[f->tested++] = part->p;
        }
    f->level = failed ? -1 : gjb_discoveries(p, f->tested, rate, p);
    failed |= f->level < 0;
    for (size_t i = 0; i < f->tested && !failed; i++)
        tested[i]->q = p[i];
    free(p);
    free(tested);
    return failed ? -1 : 0;
}

/* The runs of one side that lie nearest to the change. */
static int blocks_of(const gjb_past *past, const gjb_store *store, const gjb_series *s, size_t first, size_t count,
                     gjb_blocks *blocks, gjb_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const gjb_past_time *t = &s->times[first + i];
        const long got = gjb_past_samples(store, past->runs[t->run].id, s->benchmark, blocks[i].ns,
                                          GJB_CHANGE_BLOCKS_MOST, error);
        if (got < 0)
            return -1;
        blocks[i].median = t->ns;
        blocks[i].count = (size_t)got;
    }
    return 0;
}

static int size_turn(const gjb_past *past, const gjb_store *store, const gjb_series *s, gjb_turn *turn, uint64_t seed,
                     gjb_error *error)
{
    enum { MOST = GJB_CHANGE_SIDE_MOST };
    const size_t n = turn->before < MOST ? turn->before : MOST, m = turn->after < MOST ? turn->after : MOST;
    gjb_blocks *blocks = malloc((n + m) * sizeof *blocks);
    int failed = blocks ? 0 : gjb_fail(error, "history: out of memory");
    failed = failed || blocks_of(past, store, s, turn->at - n, n, blocks, error) ||
             blocks_of(past, store, s, turn->at, m, blocks + n, error);
    if (!failed)
        turn->ratio = gjb_shift_across(blocks, n, blocks + n, m, seed);
    free(blocks);
    return failed ? -1 : 0;
}

static int add_turns(gjb_found *found, const gjb_part *part, const gjb_split *splits, size_t count)
{
    gjb_turn *grown = realloc(found->turns, (found->turn_count + count + 1) * sizeof *grown);
    if (!grown)
        return -1;
    found->turns = grown;
    for (size_t i = 0; i < count; i++) {
        const size_t first = i ? splits[i - 1].at : 0,
                     end = i + 1 < count ? splits[i + 1].at : part->end - part->first;
        found->turns[found->turn_count++] = (gjb_turn){.at = part->first + splits[i].at, .p = splits[i].p,
                                                       .before = splits[i].at - first, .after = end - splits[i].at};
    }
    return 0;
}

static int search_part(gjb_found *found, const gjb_part *part, double level, gjb_chance *chance)
{
    const size_t n = part->end - part->first;
    double *logs = logs_of(found->series, part);
    gjb_split *splits = malloc((n + 1) * sizeof *splits);
    const long count = logs && splits ? gjb_changes_find(logs, n, level, chance, splits) : -1;
    const int failed = count < 0 || add_turns(found, part, splits, (size_t)count);
    free(logs);
    free(splits);
    return failed ? -1 : 0;
}

/* Changes of counts, by the first run of each level, so that what grows by little at a time is found too. */
static int search_counts(gjb_found *found, gjb_part *part)
{
    const gjb_past_time *times = found->series->times;
    gjb_turn *grown = realloc(found->turns, (found->turn_count + part->end - part->first + 1) * sizeof *grown);
    if (!grown)
        return -1;
    found->turns = grown;
    for (size_t i = part->first + 1, level = part->first; i < part->end; i++) {
        const double ratio = times[i].ns / times[level].ns;
        if (fabs(log(ratio)) < log1p(GJB_COUNT_SEEN))
            continue;
        if (level > part->first)
            grown[found->turn_count - 1].after = i - level;
        grown[found->turn_count++] = (gjb_turn){i, 0, {ratio, ratio, ratio}, i - level, part->end - i};
        part->p = part->q = 0;
        level = i;
    }
    return 0;
}

/* The runs up to the last one of a commit. 0, or -1 with one line in `error`. */
static int runs_until(const gjb_past *past, const char *commit, size_t *runs, gjb_error *error)
{
    for (*runs = commit ? past->run_count : 0; commit && *runs > 0; --*runs)
        if (!strcmp(past->runs[*runs - 1].commit, commit))
            return 0;
    return commit ? gjb_fail(error, "--since: no run is of commit '%.80s'; 'history list' names them", commit) : 0;
}

/* Those that are not reported go last, so that what is next to them was found as if they were. */
static void drop_untold(gjb_found *found, double least, size_t since)
{
    size_t kept = 0;
    for (size_t i = 0; i < found->turn_count; i++)
        if (fabs(log(found->turns[i].ratio.value)) >= log1p(least) && found->series->times[found->turns[i].at].run >= since)
            found->turns[kept++] = found->turns[i];
    found->turn_count = kept;
}

static int search_series(gjb_found *found, const gjb_past *past, const gjb_store *store, const gjb_findings *f,
                         const gjb_search *search, size_t since, gjb_chance *chance, gjb_error *error)
{
    const int counts = found->series->of->counts;
    for (size_t k = 0; k < found->part_count && counts; k++)
        if (search_counts(found, &found->parts[k]))
            return gjb_fail(error, "history: out of memory");
    for (size_t k = 0; k < found->part_count && !counts; k++)
        if (found->parts[k].q <= search->rate && search_part(found, &found->parts[k], f->level, chance))
            return gjb_fail(error, "history: out of memory");
    for (size_t i = 0; i < found->turn_count && !counts; i++)
        if (size_turn(past, store, found->series, &found->turns[i], search->seed, error))
            return -1;
    drop_untold(found, search->least, since);
    return 0;
}

int gjb_findings_make(gjb_findings *f, const gjb_past *past, const gjb_store *store, const gjb_search *search,
                      gjb_error *error)
{
    *f = (gjb_findings){0};
    size_t since = 0;
    if (runs_until(past, search->since, &since, error))
        return -1;
    *f = (gjb_findings){.all = calloc(past->count + 1, sizeof *f->all), .count = past->count, .rate = search->rate};
    int failed = !f->all;
    for (size_t i = 0; i < past->count && !failed; i++) {
        failed = open_found(&f->all[i], past, &past->all[i]);
        f->parts += f->all[i].part_count;
    }
    /* One change among all parts must be distinguishable from chance. */
    const double wanted = 4 * (double)f->parts / search->rate;
    f->draws = wanted < 9999 ? 9999 : wanted < 999999 ? (size_t)wanted : 999999;
    gjb_chance chance = {.seed = search->seed, .draws = f->draws};
    failed = failed || judge_parts(f, &chance, search->rate);
    if (failed)
        gjb_fail(error, "history: out of memory");
    for (size_t i = 0; i < f->count && !failed; i++)
        failed = search_series(&f->all[i], past, store, f, search, since, &chance, error);
    gjb_chance_free(&chance);
    return failed ? -1 : 0;
}

void gjb_findings_free(gjb_findings *f)
{
    for (size_t i = 0; f->all && i < f->count; i++) {
        free(f->all[i].parts);
        free(f->all[i].turns);
        free(f->all[i].events);
    }
    free(f->all);
    *f = (gjb_findings){0};
}

int gjb_found_slower(const gjb_found *found)
{
    const double least = found->series->of->counts ? 1 + GJB_COUNT_ALARM : 1;
    return found->turn_count && found->turns[found->turn_count - 1].ratio.low > least;
}

size_t gjb_runs_needed(double rate)
{
    size_t n = GJB_CHANGE_RUNS_LEAST;
    while (gjb_split_least_p(n) > rate)
        n++;
    return n;
}

size_t gjb_findings_alike(const gjb_findings *f, size_t at)
{
    size_t n = 1;
    while (at + n < f->count && f->all[at + n].series->benchmark == f->all[at].series->benchmark)
        n++;
    return n;
}
