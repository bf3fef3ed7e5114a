/* Measures a plan group by group: prepares, calibrates blocks, times calls, and fingerprints and grades answers. */
#include "bench/measure.h"

#include <stdlib.h>
#include <string.h>

#include "bench/answers.h"
#include "bench/machine/memory_ceiling.h"
#include "bench/mishaps.h"
#include "bench/timed.h"
#include "core/clock.h"
#include "core/query.h"
#include "scenes/hash.h"

enum {
    OTHERS_CHUNK = 256, OTHERS_LEAST = 1024, /* pairs of contenders not ours, graded between looks at the clock */
    PREPARES = 5
};
/* Grading ends after so long if a contender is slow, but for OTHERS_LEAST pairs. */
static const double others_grade_ns = 3e9, brief_grade_ns = 0.2e9;
static const double block_least_ns = 1e6, block_most_ns = 20e6, block_longest_ns = 50e6, prepare_enough_ns = 20e6,
                    prepare_brief_ns = 2e6;
static const double stream_seconds = 0.05;
/* A call is timed whole unless it takes longer than this and many blocks. */
static const double call_most_ns = 8e6, call_brief_ns = 1e6;
/* Of a recording whose calls are frames, a block is whole passes over the scene unless one takes longer. */
static const double pass_most_ns = 200e6;
/* Share of a point's time that goes to its timed blocks; the rest is for
 * scenes, preparation, warm-up, fingerprints and grading. */
static const double timed_share = 0.4;

/* A point at work. */
typedef struct entry {
    gjb_measurement *row;
    size_t plan_index;
    gjb_session *session; /* shared by all entries with the same way, precision and threads */
    gjb_session *timed;   /* a child process, as those of others are; of ours `session` is here, for its answers */
    int brief;
    int owns_session;
    const gjb_scene *scene; /* as fed */
    uint32_t frame;         /* where the next call starts */
    uint64_t at;
    uint64_t block_calls;
    int dropped; /* answers "unsupported" */
    int useless; /* leaves axes alone: as a cold start */
    int died;    /* crashed or hung */
    uint64_t lost_pairs; /* in the calls that it died in */
    int cut;     /* stopped in the middle of a call */
} entry;

typedef struct group {
    entry *entries;
    size_t count;
    const gjb_scene *scene;               /* in the precision of the points' scene */
    gjb_scene *generated;                 /* owned, or NULL for a recording */
    gjb_scene *converted;                 /* owned; to the other precision, made when asked for */
    uint64_t hash; /* but of rows of a query with a margin (gjb_bench_asks_margin) */
    void *results;
    size_t result_bytes;
} group;

typedef struct run {
    const gjb_plan *plan;
    const gjb_bench_settings *settings;
    gjb_error *error;
    uint32_t blocks;
    uint64_t start, done, total;
    size_t points_left;
    gjb_measurement *rows; /* one a point of the plan */
    uint8_t *complete;     /* of the rows */
    uint64_t group_index;
    gjb_bench_left_out *left_out; /* likewise */
    size_t unsupported;
    gjb_bench_case *died; /* as many as there are points in the plan */
    size_t died_count;
    gjb_bench_mishaps mishaps;
} run;

static int stopped(const run *r)
{
    return r->settings->stop && *r->settings->stop;
}

static void progress(run *r, uint64_t steps)
{
    r->done += steps;
    if (r->settings->progress)
        r->settings->progress(r->settings->user, r->done, r->total);
}

/* --- one call after another ------------------------------------------------ */

static int ended(const entry *e)
{
    return e->died || e->cut;
}

/* Calls from where the entry stopped. A contender that does not live through
 * them costs its row. */
static gjb_timing time_calls(entry *e, uint64_t calls, int warm, void *results)
{
    gjb_stretch stretch = {e->row->point.query, e->row->timed_call, calls, e->frame, e->at};
    gjb_timing t;
    const int lost = gjb_session_time(e->timed, &stretch, warm, results, &t);
    e->died |= lost < 0;
    e->lost_pairs = lost < 0 ? (calls + (uint64_t)warm) * e->row->timed_call : 0;
    e->cut |= lost > 0;
    e->frame = stretch.frame;
    e->at = stretch.at;
    return t;
}

static double call_time(gjb_timing t, int threaded)
{
    return threaded ? t.wall_ns : t.cpu_ns;
}

/* Calls that take every frame as often as any other, as frames differ. Of a scene that takes long, blocks share the
 * frames instead. */
static uint64_t whole_passes(const entry *e, uint64_t calls, double call_ns)
{
    uint64_t frames = 0;
    for (uint32_t i = 0; i < e->scene->frame_count; i++)
        frames += e->scene->frames[i].pair_count > 0;
    if (!e->row->point.by_frame || !frames || call_ns * (double)frames > pass_most_ns)
        return calls;
    return (calls + frames - 1) / frames * frames;
}

/* How many calls fill a block; a call that takes many blocks is cut smaller, but for a frame. */
static void calibrate(entry *e, double block_ns, void *results)
{
    uint64_t calls = 1;
    int threaded = e->row->point.threads > 1;
    const double longest = e->brief ? call_brief_ns : call_most_ns,
                 most = 4 * block_ns > longest && !e->brief ? 4 * block_ns : longest;
    double ns = call_time(time_calls(e, calls, 0, results), threaded);
    while (!ended(e) && !threaded && !e->row->point.by_frame && e->row->timed_call > 64 && ns > most) {
        for (; e->row->timed_call > 64 && ns > most; ns /= 2)
            e->row->timed_call /= 2;
        ns = call_time(time_calls(e, calls, 0, results), threaded);
    }
    while (!ended(e) && ns < block_ns / 8 && calls < 1u << 24) {
        calls *= 4;
        ns = call_time(time_calls(e, calls, 0, results), threaded);
    }
    double fill = ended(e) ? 1 : block_ns / (ns / (double)calls);
    e->block_calls = whole_passes(e, fill > 1 ? (uint64_t)fill : 1, ns / (double)calls);
}

static void take_block(entry *e, void *results)
{
    gjb_measurement *row = e->row;
    gjb_timing t = time_calls(e, e->block_calls, 1, results);
    if (ended(e))
        return;
    double pairs = t.pairs ? (double)t.pairs : 1;
    row->samples[row->sample_count] = call_time(t, row->point.threads > 1) / pairs;
    row->wall_samples[row->sample_count++] = t.wall_ns / pairs;
    row->calls += e->block_calls;
    row->cpu_ns_per_call += t.cpu_ns;
    row->wall_ns_per_call += t.wall_ns;
}

/* --- answers, outside the timed blocks -------------------------------------- */

/* The same contender with the same answers has the same grade, whatever its
 * backend: 1 when one of the entries before has it. */
static int grade_known(const group *g, const entry *e)
{
    for (const entry *other = g->entries; other < e; other++) {
        const gjb_measurement *a = other->row, *b = e->row;
        if (!other->dropped && a->grade.graded && a->point.query == b->point.query &&
            a->point.way.contender == b->point.way.contender && a->point.start == b->point.start &&
            a->point.precision == b->point.precision &&
            a->answered == b->answered && a->fingerprint == b->fingerprint) {
            e->row->grade = a->grade;
            return 1;
        }
    }
    return 0;
}

static size_t found_by(const entry *e)
{
    size_t count;
    gjb_session_findings(e->session, &count);
    return count;
}

static void keep_mishaps(run *r, const entry *e, size_t from, const gjb_session_stats *stats)
{
    gjb_bench_keep_mishaps(&r->mishaps, r->settings, &e->row->point, e->scene, e->session, from, stats);
}

/* After a contender died in timed calls: which pair of them does it. */
static void find_pair(run *r, group *g, entry *e)
{
    uint64_t left = e->lost_pairs, span = gjb_bench_span(&e->row->point);
    gjb_session_stats stats = {0};
    e->lost_pairs = 0;
    while (left && !gjb_bench_lost(&stats) && !stopped(r)) {
        const uint64_t pairs = e->scene->frames[e->frame].pair_count;
        uint64_t part = pairs - e->at < span ? pairs - e->at : span;
        part = part < left ? part : left;
        if (part)
            gjb_session_run(e->session, e->row->point.query, e->frame, e->at, part, e->row->point.call, 1,
                            g->results, &stats);
        left -= part;
        e->at += part;
        if (e->at == pairs) {
            e->at = 0;
            e->frame = e->frame + 1 < e->scene->frame_count ? e->frame + 1 : 0;
        }
    }
}

/* Grades up to `quota` pairs of one frame. A contender that is not ours must not hold up the others: it is graded
 * on fewer if it is slow, and on no more after a pair that it dies of. */
static void grade_frame(run *r, group *g, entry *e, uint32_t frame, uint64_t quota, uint64_t start)
{
    const gjb_bench_case *point = &e->row->point;
    int ours = point->way.contender->ours;
    uint64_t count = e->scene->frames[frame].pair_count, span = ours ? gjb_bench_span(point) : OTHERS_CHUNK;
    if (count > quota)
        count = quota;

    for (uint64_t first = 0; first < count && !stopped(r); first += span) {
        uint64_t part = count - first < span ? count - first : span;
        gjb_session_stats stats = {0};
        gjb_session_run(e->session, point->query, frame, first, part, point->call, 1, g->results, &stats);
        if (stats.interrupted)
            return;
        if (r->settings->grade(r->settings->user, point, e->scene, frame, first, part, g->results,
                               &e->row->grade)) {
            gjb_fail(r->error, "out of memory");
            return;
        }
        if (gjb_bench_lost(&stats))
            return;
        if (!ours && (e->brief || first + part >= OTHERS_LEAST) &&
            (double)(gjb_clock_wall() - start) > (e->brief ? brief_grade_ns : others_grade_ns))
            return;
    }
}

/* Fingerprint and counts, then the grade. Returns how many were unsupported. */
static uint64_t answer(run *r, group *g, entry *e)
{
    gjb_measurement *row = e->row;
    const size_t from = e->owns_session ? 0 : found_by(e);
    const uint64_t unsupported = gjb_bench_answer(row, e->session, e->scene, g->results);
    e->died = gjb_bench_lost(&row->stats);
    keep_mishaps(r, e, from, &row->stats);

    if (!r->settings->grade || unsupported || e->died || grade_known(g, e))
        return unsupported;
    uint64_t quota = gjb_bench_case_grades(&row->point), start = gjb_clock_wall();
    if (r->settings->grade_pairs && !row->point.recorded)
        quota = r->settings->grade_pairs;
    for (uint32_t frame = 0; frame < e->scene->frame_count && !stopped(r); frame++)
        grade_frame(r, g, e, frame, quota, start);
    return 0;
}

/* --- groups ------------------------------------------------------------------ */

static const gjb_scene *scene_as_fed(group *g, const gjb_bench_case *point)
{
    if (point->precision == (gjb_precision)g->scene->shapes.precision)
        return g->scene;
    if (!g->converted)
        g->converted = gjb_scene_convert(g->scene, point->precision);
    return g->converted;
}

/* The best of several: the first preparation pays for fresh pages. */
static double prepare_time(const entry *e)
{
    double best = 1e9 * gjb_session_prepare_seconds(e->timed), spent = best;
    for (int i = 1; i < PREPARES && spent < (e->brief ? prepare_brief_ns : prepare_enough_ns); i++) {
        double ns = 1e9 * gjb_session_time_prepare(e->timed);
        if (ns < 0)
            break;
        spent += ns;
        if (ns < best)
            best = ns;
    }
    return best / (double)e->scene->shapes.count;
}

/* Answers of ours are asked for here, if calls are not cut into requests. */
static int open_sessions(entry *e, gjb_error *error)
{
    const gjb_bench_case *p = &e->row->point;
    const gjb_contender *who = p->way.contender;
    e->owns_session = 1;
    if (who->ours)
        e->session = gjb_session_open(who, p->way.backend, e->scene, p->threads, error);
    if (who->ours && !e->session)
        return -1;
    e->timed = gjb_timed_open(who, p->way.backend, e->scene, p->threads, error);
    e->session = who->ours ? e->session : e->timed;
    return e->timed ? 0 : -1;
}

/* Of both sessions, so that what is timed answers the same. 0; 1 if axes are left alone; -1 with `error`. */
static int start_sessions(entry *e, gjb_error *error)
{
    const gjb_bench_case *p = &e->row->point;
    const int started = p->start ? gjb_session_start(e->session, p->query, p->start, error) : 0;
    if (started || !p->start || e->timed == e->session)
        return started;
    return gjb_session_start(e->timed, p->query, p->start, error);
}

static int open_entry(run *r, group *g, entry *e)
{
    const gjb_bench_case *point = &e->row->point;
    e->scene = scene_as_fed(g, point);
    if (!e->scene)
        return gjb_fail(r->error, "%s: out of memory", point->workload);
    for (entry *other = g->entries; other < e; other++)
        if (other->session && other->row->point.way.contender == point->way.contender &&
            other->row->point.way.backend == point->way.backend && other->scene == e->scene &&
            other->row->point.threads == point->threads && !other->row->point.start && !point->start) {
            e->session = other->session;
            e->timed = other->timed;
            e->row->prepare_ns_per_shape = other->row->prepare_ns_per_shape;
            return 0;
        }
    const int started = open_sessions(e, r->error) ? -1 : start_sessions(e, r->error);
    if (started < 0)
        return -1;
    e->useless = started > 0;
    e->row->prepare_ns_per_shape = prepare_time(e);
    return 0;
}

/* Bytes that the largest run of any entry may write. */
static size_t result_bytes(const group *g)
{
    size_t most = 0;
    for (size_t i = 0; i < g->count; i++) {
        const size_t bytes = gjb_bench_result_bytes(&g->entries[i].row->point);
        most = bytes > most ? bytes : most;
    }
    return most;
}

static int open_group(run *r, group *g)
{
    const gjb_bench_case *first = &g->entries[0].row->point;
    g->scene = gjb_bench_case_scene(first, r->settings->library, r->settings->seed, &g->generated, r->error);
    if (!g->scene)
        return -1;
    if (!gjb_bench_case_pairs(first))
        return gjb_fail(r->error, "%s: no pairs to measure", first->workload);
    g->hash = gjb_scene_hash_for(g->scene, GJB_PENETRATION);
    g->result_bytes = result_bytes(g);
    g->results = aligned_alloc(64, g->result_bytes);
    if (!g->results)
        return gjb_fail(r->error, "out of memory for %zu bytes of results", g->result_bytes);
    memset(g->results, 0, g->result_bytes);
    return 0;
}

static void close_group(group *g)
{
    for (size_t i = 0; i < g->count; i++)
        if (g->entries[i].owns_session) {
            if (g->entries[i].timed != g->entries[i].session)
                gjb_session_close(g->entries[i].timed);
            gjb_session_close(g->entries[i].session);
        }
    gjb_scene_free(g->converted);
    gjb_scene_free(g->generated);
    free(g->results);
    free(g->entries);
    *g = (group){0};
}

/* Nanoseconds of one block, from what the settings ask or the budget leaves. */
static double block_time(const run *r)
{
    const gjb_bench_settings *s = r->settings;
    if (s->min_time > 0)
        return 1e9 * s->min_time / r->blocks;
    double left = 1e9 * s->budget - (double)(gjb_clock_wall() - r->start);
    double block = timed_share * left / (double)(r->points_left ? r->points_left : 1) / r->blocks;
    return block < block_least_ns ? block_least_ns : block > block_most_ns ? block_most_ns : block;
}

static int allocate_samples(gjb_measurement *row, uint32_t blocks)
{
    row->samples = calloc(blocks, sizeof *row->samples);
    row->wall_samples = calloc(blocks, sizeof *row->wall_samples);
    return row->samples && row->wall_samples ? 0 : -1;
}

static void finish_row(run *r, entry *e)
{
    gjb_measurement *row = e->row;
    uint32_t enough = r->blocks < GJB_BLOCKS_LEAST ? r->blocks : GJB_BLOCKS_LEAST;
    if (e->died)
        r->died[r->died_count++] = row->point;
    if (e->dropped || e->died || row->sample_count < enough)
        return;
    row->ns = gjb_summarise(row->samples, row->sample_count, r->settings->seed);
    row->cpu_ns_per_call /= (double)row->calls;
    row->wall_ns_per_call /= (double)row->calls;
    r->complete[e->plan_index] = 1;
}

/* Calls for the clock; if the contender dies of them, a search for the pair. */
static void time_entry(run *r, group *g, entry *e, double block_ns)
{
    if (e->dropped || e->died)
        return;
    const size_t from = found_by(e);
    if (block_ns > 0)
        calibrate(e, block_ns, g->results);
    else
        take_block(e, g->results);
    if (e->died)
        find_pair(r, g, e);
    if (e->died || found_by(e) > from)
        keep_mishaps(r, e, from, NULL);
}

static int measure_rounds(run *r, group *g)
{
    uint32_t *order = malloc(g->count * sizeof *order);
    if (!order)
        return gjb_fail(r->error, "out of memory");
    for (uint32_t round = 0; round < r->blocks && !stopped(r); round++) {
        gjb_shuffle(order, (uint32_t)g->count, r->settings->seed, r->group_index << 32 | round);
        for (size_t i = 0; i < g->count && !stopped(r); i++) {
            time_entry(r, g, &g->entries[order[i]], 0);
            progress(r, 1);
        }
    }
    free(order);
    return 0;
}

/* Next to the times of swept boxes, which do little but read. */
static void find_memory_bounds(run *r, group *g)
{
    for (size_t i = 0; i < g->count && !stopped(r); i++) {
        gjb_measurement *row = g->entries[i].row;
        const gjb_measurement *before = i ? g->entries[i - 1].row : NULL;
        if (row->point.query != GJB_SWEEP)
            continue;
        if (before && before->memory_ns > 0 && before->point.precision == row->point.precision)
            row->memory_ns = before->memory_ns;
        else
            row->memory_ns = gjb_swept_ceiling(row->point.dim, row->point.precision, row->point.shapes, row->pairs,
                                               stream_seconds);
    }
}

static int measure_group(run *r, group *g)
{
    if (open_group(r, g))
        return -1;
    for (size_t i = 0; i < g->count && !stopped(r); i++) {
        entry *e = &g->entries[i];
        gjb_measurement *row = e->row;
        if (allocate_samples(row, r->blocks))
            return gjb_fail(r->error, "out of memory");
        if (open_entry(r, g, e))
            return -1;
        row->timed_call = row->point.call;
        row->pairs = gjb_bench_case_pairs(&row->point);
        row->workload_hash =
            gjb_bench_asks_margin(&row->point) ? gjb_scene_hash_for(g->scene, row->point.query) : g->hash;
        const uint64_t unsupported = e->useless ? 0 : answer(r, g, e);
        e->dropped = e->useless || unsupported > 0;
        if (unsupported > 0)
            r->left_out[r->unsupported++] = (gjb_bench_left_out){row->point, unsupported, row->answered};
        if (r->error->text[0])
            return -1;
        progress(r, 1);
    }
    double block = block_time(r);
    for (size_t i = 0; i < g->count && !stopped(r); i++) {
        time_entry(r, g, &g->entries[i], block);
        progress(r, 1);
    }
    int failed = measure_rounds(r, g);
    find_memory_bounds(r, g);
    for (size_t i = 0; i < g->count; i++)
        finish_row(r, &g->entries[i]);
    r->points_left -= g->count;
    return failed;
}

/* The entries of the group that point `first` begins. */
static int gather(run *r, group *g, size_t first, uint8_t *taken)
{
    const gjb_plan *plan = r->plan;
    g->entries = calloc(plan->count - first, sizeof *g->entries);
    if (!g->entries)
        return gjb_fail(r->error, "out of memory");
    for (size_t i = first; i < plan->count; i++)
        if (!taken[i] && gjb_bench_case_same_scene(&plan->points[first], &plan->points[i])) {
            taken[i] = 1;
            r->rows[i].point = plan->points[i];
            g->entries[g->count++] = (entry){.row = &r->rows[i], .plan_index = i, .brief = r->settings->brief};
        }
    return 0;
}

/* The first point of each scene. Those of 2D and of 3D by turns, each in the order of the plan, so that time that runs
 * out is short for both. */
static size_t order_scenes(const gjb_plan *plan, size_t *firsts)
{
    size_t count = 0, of[4] = {0}, *order = calloc(plan->count + 1, sizeof *order);
    for (size_t i = 0; i < plan->count; i++) {
        size_t known = 0;
        while (known < count && !gjb_bench_case_same_scene(&plan->points[firsts[known]], &plan->points[i]))
            known++;
        if (known == count)
            firsts[count++] = i;
    }
    for (size_t i = 0; order && i < count; i++) { /* by its turn, then by its dimension */
        const uint32_t dim = plan->points[firsts[i]].dim;
        order[i] = 2 * of[dim]++ + (dim == 3);
    }
    for (size_t i = 1; order && i < count; i++)
        for (size_t k = i; k > 0 && order[k - 1] > order[k]; k--) {
            const size_t turn = order[k], first = firsts[k];
            order[k] = order[k - 1], firsts[k] = firsts[k - 1];
            order[k - 1] = turn, firsts[k - 1] = first;
        }
    free(order);
    return count;
}

static size_t points_of(const gjb_plan *plan, const size_t *firsts, size_t scenes)
{
    size_t points = 0;
    for (size_t i = 0; i < scenes; i++)
        for (size_t k = 0; k < plan->count; k++)
            points += (size_t)gjb_bench_case_same_scene(&plan->points[firsts[i]], &plan->points[k]);
    return points;
}

static int late(const run *r)
{
    return r->settings->seconds > 0 && r->group_index > 0 &&
           (double)(gjb_clock_wall() - r->start) > 1e9 * r->settings->seconds;
}

/* Rows that are complete move together; the others are freed. */
static size_t compact(gjb_measurement *rows, const uint8_t *complete, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (complete[i]) {
            rows[kept++] = rows[i];
            continue;
        }
        free(rows[i].samples);
        free(rows[i].wall_samples);
    }
    return kept;
}

/* Longer times make more blocks, not longer ones: more is known of the spread,
 * and an interruption is heard soon. */
static uint32_t block_count(const gjb_bench_settings *settings)
{
    double wanted = settings->min_time * 1e9 / block_longest_ns;
    uint32_t blocks = settings->blocks ? settings->blocks : GJB_BLOCKS;
    if (!settings->blocks && wanted > blocks)
        blocks = wanted < GJB_SAMPLES_MAX ? (uint32_t)wanted : GJB_SAMPLES_MAX;
    return blocks < GJB_SAMPLES_MAX ? blocks : GJB_SAMPLES_MAX;
}

uint32_t gjb_bench_steps(const gjb_bench_settings *settings)
{
    return block_count(settings) + 2; /* its answers, and how many calls fill a block */
}

int gjb_bench_measure(gjb_bench *bench, const gjb_plan *plan, const gjb_bench_settings *settings, gjb_error *error)
{
    gjb_error own = {{0}};
    run r = {
        .plan = plan, .settings = settings, .error = error ? error : &own, .start = gjb_clock_wall(),
        .blocks = block_count(settings), .points_left = plan->count,
    };
    r.total = plan->count * gjb_bench_steps(settings);
    r.rows = calloc(plan->count, sizeof *r.rows);
    r.complete = calloc(plan->count, 1);
    r.died = calloc(plan->count, sizeof *r.died);
    r.left_out = calloc(plan->count, sizeof *r.left_out);
    uint8_t *taken = calloc(plan->count, 1);
    size_t *firsts = calloc(plan->count + 1, sizeof *firsts);
    int failed = r.rows && r.complete && r.died && r.left_out && taken && firsts ? 0 : gjb_fail(r.error, "out of memory");
    const size_t scenes = failed ? 0 : order_scenes(plan, firsts),
                 most = settings->scenes ? settings->scenes : SIZE_MAX;

    if (most < scenes)
        r.total = points_of(plan, firsts, most) * gjb_bench_steps(settings);
    for (size_t i = 0; i < scenes && i < most && !failed && !stopped(&r) && !late(&r); i++) {
        group g = {0};
        failed = gather(&r, &g, firsts[i], taken) || measure_group(&r, &g);
        close_group(&g);
        r.group_index++;
    }
    if (settings->progress)
        settings->progress(settings->user, r.total, r.total);

    bench->count = r.rows && r.complete ? compact(r.rows, r.complete, plan->count) : 0;
    bench->rows = r.rows;
    bench->left_out = r.left_out;
    bench->unsupported = r.unsupported;
    bench->died = r.died;
    bench->died_count = r.died_count;
    bench->mishaps = r.mishaps;
    bench->scenes = r.group_index;
    bench->scenes_planned = scenes;
    bench->interrupted = stopped(&r);
    free(r.complete);
    free(firsts);
    free(taken);
    return failed ? -1 : 0;
}

void gjb_bench_free(gjb_bench *bench)
{
    for (size_t i = 0; i < bench->count; i++) {
        free(bench->rows[i].samples);
        free(bench->rows[i].wall_samples);
    }
    free(bench->rows);
    gjb_bench_free_mishaps(&bench->mishaps);
    free(bench->died);
    free(bench->left_out);
    *bench = (gjb_bench){0};
}
