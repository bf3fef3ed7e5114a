/* Asks again: repeated, reordered, in another session, and translated; counts answers that differ. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/generate/generate_parts.h"
#include "verify/verify_private.h"

const int gjb_shift_log2[GJB_SHIFTS] = {0, 10, 20};

/* Frames of the scene that is asked; then two for each shift, before and after. */
enum { STRAIGHT, BACKWARDS, SHIFTED, FRAMES = SHIFTED + 2 * GJB_SHIFTS };

/* The first pairs of a combination. */
typedef struct probe {
    gjb_chunk *chunk;
    const gjb_verify_plan *plan;
    gjb_watch *watch;
    gjb_scene *scene;
    uint64_t pairs;
    double size[GJB_METRIC_PAIRS];                 /* S */
    uint8_t inexact[GJB_SHIFTS][GJB_METRIC_PAIRS]; /* not moved at all */
} probe;

/* A translation in 2D or 3D. */
typedef struct place {
    double at[3];
} place;

static place place_of(const gjb_scene *scene, uint32_t body)
{
    if (scene->shapes.dim == 2) {
        const gjb_pose2d pose = gjb_scene_pose(scene, STRAIGHT, body);
        return (place){{pose.x, pose.y, 0}};
    }
    const gjb_pose3d pose = gjb_scene_pose3(scene, STRAIGHT, body);
    return (place){{pose.x, pose.y, pose.z}};
}

static void set_place(gjb_scene *scene, uint32_t frame, uint32_t body, const place *to)
{
    if (scene->shapes.dim == 2) {
        gjb_pose2d pose = gjb_scene_pose(scene, frame, body);
        pose.x = to->at[0];
        pose.y = to->at[1];
        gjb_scene_set_pose(scene, frame, body, pose);
    } else {
        gjb_pose3d pose = gjb_scene_pose3(scene, frame, body);
        pose.x = to->at[0];
        pose.y = to->at[1];
        pose.z = to->at[2];
        gjb_scene_set_pose3(scene, frame, body, pose);
    }
}

/* Is from + by, in every coordinate, the very number that `precision` stores? */
static int exact_sum(const place *from, const place *by, gjb_precision precision, place *sum)
{
    int exact = 1;
    for (int j = 0; j < 3; j++) {
        const double s = from->at[j] + by->at[j];
        exact = exact && s - from->at[j] == by->at[j] && s - by->at[j] == from->at[j] &&
                fabs(s) <= gjb_largest(precision) && (precision == GJB_F64 || (double)(float)s == s);
        sum->at[j] = s;
    }
    return exact;
}

/* Rounds the places of a pair to the grid of a shift, in its first frame, and moves them
 * in its second. Where that cannot be done exactly both stay where the pair was. */
static void shift_pair(probe *p, uint64_t i, int shift)
{
    static const double direction[3] = {1, -0.5, 0.25};
    const gjb_precision precision = (gjb_precision)p->scene->shapes.precision;
    const uint32_t *bodies = p->scene->frames[STRAIGHT].pairs + 2 * i;
    const uint32_t frame = SHIFTED + 2 * (uint32_t)shift;
    const double by = ldexp(1, (int)ceil(log2(p->size[i])) + gjb_shift_log2[shift]);
    place from[2] = {place_of(p->scene, bodies[0]), place_of(p->scene, bodies[1])}, to[2], step = {{0}};
    double most = 2 * by;
    for (int b = 0; b < 2; b++)
        for (int j = 0; j < 3; j++)
            most = fmax(most, fabs(from[b].at[j]) + 2 * by);
    const double grid = ldexp(1, ilogb(most) + 1 - (precision == GJB_F32 ? FLT_MANT_DIG : DBL_MANT_DIG));
    for (uint32_t j = 0; j < p->scene->shapes.dim; j++)
        step.at[j] = nearbyint(direction[j] * by / grid) * grid;
    int exact = step.at[0] != 0;
    for (int b = 0; b < 2; b++) {
        for (int j = 0; j < 3; j++)
            from[b].at[j] = nearbyint(from[b].at[j] / grid) * grid;
        const place nothing = {{0}};
        place same;
        exact = exact_sum(&from[b], &nothing, precision, &same) &&
                exact_sum(&from[b], &step, precision, &to[b]) && exact;
    }
    p->inexact[shift][i] = !exact;
    for (int b = 0; b < 2 && exact; b++) {
        set_place(p->scene, frame, bodies[b], &from[b]);
        set_place(p->scene, frame + 1, bodies[b], &to[b]);
    }
}

static int add_frames(gjb_scene *scene)
{
    const gjb_frame *first;
    const size_t pose = gjb_pose_size((gjb_precision)scene->shapes.precision, scene->shapes.dim);
    const uint64_t pairs = scene->frames[STRAIGHT].pair_count;
    for (uint32_t f = BACKWARDS; f < FRAMES; f++) {
        if (gjb_scene_add_frame(scene, pairs) != f)
            return -1;
        first = &scene->frames[STRAIGHT];
        memcpy(scene->frames[f].poses, first->poses, scene->body_count * pose);
        if (gjb_verify_copy_motions(scene, STRAIGHT, f))
            return -1;
        for (uint64_t i = 0; i < pairs; i++)
            memcpy(scene->frames[f].pairs + 2 * (f == BACKWARDS ? pairs - 1 - i : i), first->pairs + 2 * i,
                   2 * sizeof *first->pairs);
    }
    return 0;
}

/* 0, or -1 out of memory. */
static int make_scene(probe *p, gjb_error *error)
{
    const gjb_combo *combo = p->chunk->combo;
    gjb_pair_space space = {0};
    p->scene = gjb_verify_make_scene(p->plan, combo, p->chunk->first, p->pairs, error);
    int failed = !p->scene || add_frames(p->scene);
    for (uint64_t i = 0; i < p->pairs && !failed; i++) {
        gjb_pair pair;
        failed = gjb_scene_pair(p->scene, STRAIGHT, i, &space, &pair);
        if (failed)
            break;
        p->size[i] = fmax(gjb_pair_size(&pair), gjb_least_size(combo->precision));
        for (int k = 0; k < GJB_SHIFTS; k++)
            shift_pair(p, i, k);
    }
    gjb_pair_space_free(&space);
    return failed ? -1 : 0;
}

/* 1 when every pair was asked: what a stop flag or too many hangs left out would pass for a change. */
static int ask(const probe *p, gjb_session *session, size_t r, uint32_t frame, void *records)
{
    gjb_session_stats stats;
    if (p->plan->stop && *p->plan->stop)
        return 0;
    const gjb_verify_row *row = &p->chunk->tally[r];
    const size_t size = gjb_result_size(row->query, p->chunk->combo->precision, p->chunk->combo->dim);
    gjb_verify_ask(p->watch, r, row->contender, session, row->query, frame, p->pairs, size, records, &stats);
    return !stats.interrupted && !stats.unasked;
}

/* Records of one query and precision. */
typedef struct records {
    gjb_query query;
    gjb_precision precision;
    uint32_t dim;
    size_t size;
} records;

static int differ(const records *kind, const char *a, uint64_t i, const char *b, uint64_t j)
{
    return memcmp(a + i * kind->size, b + j * kind->size, kind->size) != 0;
}

static gjb_status status_at(const records *kind, const void *all, uint64_t i)
{
    return gjb_result_get(kind->query, kind->precision, kind->dim, all, i).status;
}

static void count_repeats(const probe *p, const records *kind, const char *first, const char *again,
                          const char *backwards, const char *other, gjb_metrics *sum)
{
    for (uint64_t i = 0; i < p->pairs; i++) {
        if (status_at(kind, first, i) == GJB_UNSUPPORTED)
            continue;
        sum->pairs++;
        sum->again += (uint64_t)differ(kind, first, i, again, i);
        sum->reordered += (uint64_t)differ(kind, first, i, backwards, p->pairs - 1 - i);
        sum->other_session += (uint64_t)differ(kind, first, i, other, i);
    }
}

static void count_shift(const probe *p, const records *kind, int shift, const char *before, const char *after,
                        gjb_shift_count *sum)
{
    const double epsilon = gjb_epsilon(kind->precision), within = p->scene->within;
    /* Beyond it, what a distance says may be anything that is more. */
    const double most = gjb_queries[kind->query].has_within && within > 0 ? within : INFINITY;
    for (uint64_t i = 0; i < p->pairs; i++) {
        const gjb_result r = gjb_result_get(kind->query, kind->precision, kind->dim, before, i);
        const gjb_result s = gjb_result_get(kind->query, kind->precision, kind->dim, after, i);
        if (r.status == GJB_UNSUPPORTED)
            continue;
        if (p->inexact[shift][i]) {
            sum->inexact++;
            continue;
        }
        const int lost = isfinite(r.value) && !isfinite(s.value);
        sum->pairs++;
        sum->changed += (uint64_t)differ(kind, before, i, after, i);
        sum->flipped += r.status != s.status || lost;
        /* A time has no size: it changes in units of the step's rounding. */
        const double unit = gjb_queries[kind->query].moving ? 1 : p->size[i];
        const double change = fabs(fmin(s.value, most) - fmin(r.value, most)) / (epsilon * unit);
        if (gjb_queries[kind->query].has_value && r.status == s.status && change > sum->worst_eps &&
            isfinite(change))
            sum->worst_eps = change;
    }
}

enum { BUFFERS = 3 };

/* One contender and query. */
static void measure_row(const probe *p, gjb_session *session, size_t r, char *const buffer[BUFFERS])
{
    const gjb_combo *combo = p->chunk->combo;
    gjb_verify_row *row = &p->chunk->tally[r];
    const records kind = {row->query, combo->precision, combo->dim,
                          gjb_result_size(row->query, combo->precision, combo->dim)};
    gjb_metrics sum = {0};
    if (!ask(p, session, r, STRAIGHT, buffer[0]) || !ask(p, session, r, STRAIGHT, buffer[1]) ||
        !ask(p, session, r, BACKWARDS, buffer[2]))
        return;
    count_repeats(p, &kind, buffer[0], buffer[1], buffer[2], p->chunk->straight[r], &sum);
    for (int k = 0; k < GJB_SHIFTS; k++) {
        const uint32_t frame = SHIFTED + 2 * (uint32_t)k;
        if (!ask(p, session, r, frame, buffer[0]) || !ask(p, session, r, frame + 1, buffer[1]))
            return;
        count_shift(p, &kind, k, buffer[0], buffer[1], &sum.shifts[k]);
    }
    row->metrics = sum;
}

/* Of curved pairs fewer: ours that answers one after another has no lanes to depend on, and an answer may cost
 * as much as a thousand; in space even those of lanes cost a hundred times what other shapes take. */
static uint64_t asked_again(const probe *p, size_t entry, uint64_t most)
{
    const gjb_combo *combo = p->chunk->combo;
    const gjb_contender *contender = p->plan->entries[entry].contender;
    uint32_t vertices;
    const gjb_workload *workload = gjb_workload_find(combo->dim, combo->workload, &vertices); /* NULL: a grid */
    if (!workload || !workload->curved)
        return most;
    if (gjb_answers_singly(contender))
        return GJB_METRIC_FEW;
    return combo->dim == 3 && contender->ours ? GJB_METRIC_CURVED : most;
}

/* What hung or died in this chunk is not asked again: it would cost as long each time. */
static int measurable(const probe *p, size_t r)
{
    const gjb_verify_row *row = &p->chunk->tally[r];
    return p->chunk->straight[r] && row->pairs >= p->pairs && !row->hung && !row->crashed && !row->unasked;
}

static int measure_entry(const probe *p, size_t entry, char *const buffer[BUFFERS], gjb_error *error)
{
    gjb_session *session = NULL;
    for (size_t r = entry * GJB_QUERIES; r < (entry + 1) * GJB_QUERIES; r++) {
        if (!measurable(p, r))
            continue;
        if (!session)
            session = gjb_session_open(p->plan->entries[entry].contender, p->plan->entries[entry].backend,
                                       p->scene, 1, error);
        if (!session)
            return -1;
        measure_row(p, session, r, buffer);
    }
    gjb_session_close(session);
    return 0;
}

/* Those that are asked as many again, of `most`. */
static int measure_on(probe *p, uint64_t again, uint64_t most, gjb_error *error)
{
    char *buffer[BUFFERS] = {NULL};
    int failed = 0;
    p->pairs = p->chunk->pairs < again ? p->chunk->pairs : again;
    for (size_t e = 0; e < p->plan->entry_count && !failed; e++) {
        if (asked_again(p, e, most) != again)
            continue;
        failed = !p->scene && make_scene(p, error);
        for (int b = 0; b < BUFFERS && !failed; b++)
            failed = !buffer[b] && !(buffer[b] = calloc(p->pairs, GJB_RECORD_MOST));
        if (failed && !error->text[0])
            gjb_fail(error, "verify: out of memory");
        failed = failed || measure_entry(p, e, buffer, error);
    }
    for (int b = 0; b < BUFFERS; b++)
        free(buffer[b]);
    gjb_scene_free(p->scene);
    p->scene = NULL;
    return failed ? -1 : 0;
}

int gjb_metrics_measure(gjb_chunk *c, const gjb_verify_plan *plan, gjb_watch *watch, gjb_error *error)
{
    const uint64_t most = gjb_verify_samples(plan) ? GJB_METRIC_SAMPLE : GJB_METRIC_PAIRS;
    probe p = {.chunk = c, .plan = plan, .watch = watch};
    if (!c->task->metrics || c->interrupted || plan->truths)
        return 0;
    return measure_on(&p, most, most, error) || measure_on(&p, GJB_METRIC_CURVED, most, error) ||
                   measure_on(&p, GJB_METRIC_FEW, most, error)
               ? -1
               : 0;
}

void gjb_metrics_add(gjb_metrics *sum, const gjb_metrics *part)
{
    sum->pairs += part->pairs;
    sum->again += part->again;
    sum->reordered += part->reordered;
    sum->other_session += part->other_session;
    for (int k = 0; k < GJB_SHIFTS; k++) {
        gjb_shift_count *into = &sum->shifts[k];
        const gjb_shift_count *from = &part->shifts[k];
        into->pairs += from->pairs;
        into->inexact += from->inexact;
        into->changed += from->changed;
        into->flipped += from->flipped;
        into->worst_eps = fmax(into->worst_eps, from->worst_eps);
    }
}

uint64_t gjb_metrics_broken(const gjb_metrics *metrics)
{
    uint64_t broken = metrics->again + metrics->reordered + metrics->other_session;
    for (int k = 0; k < GJB_SHIFTS; k++)
        broken += metrics->shifts[k].changed;
    return broken;
}

json_t *gjb_metrics_json(const gjb_metrics *metrics)
{
    json_t *shifts = json_array();
    for (int k = 0; k < GJB_SHIFTS; k++) {
        const gjb_shift_count *s = &metrics->shifts[k];
        json_array_append_new(shifts, json_pack("{si sI sI sI sI sf}", "log2", gjb_shift_log2[k], "pairs",
                                                (json_int_t)s->pairs, "inexact", (json_int_t)s->inexact,
                                                "changed", (json_int_t)s->changed, "flipped",
                                                (json_int_t)s->flipped, "worst_eps", s->worst_eps));
    }
    return json_pack("{s{sI sI sI sI} so}", "repeat", "pairs", (json_int_t)metrics->pairs, "again",
                     (json_int_t)metrics->again, "reordered", (json_int_t)metrics->reordered, "other_session",
                     (json_int_t)metrics->other_session, "shifts", shifts);
}
