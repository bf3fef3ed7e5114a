/* Shrinks a failing pair: tries cheaper candidates in batches, and descends while the failure stays. */
#include "fuzz/shrink_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify/verify_private.h"

enum { BATCH = 192, MOST_DEATHS = 600 };

/* Characters of a number as files have it, none of 0. */
static double digits_of(gjb_precision precision, double value)
{
    char text[40];
    if (value == 0)
        return 0;
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        const double back = strtod(text, NULL);
        if (precision == GJB_F32 ? (float)back == (float)value : back == value)
            break;
    }
    /* Whole numbers that %g would write as powers of ten: 1e+02. */
    double length = (double)strlen(text);
    if (value == rint(value) && fabs(value) < 1e6)
        length = (double)snprintf(text, sizeof text, "%.0f", value);
    return length + 0.001 * fabs(log2(fabs(value)));
}

double gjb_edit_cost(const gjb_edit *edit)
{
    static const double kinds[GJB_KINDS] = {
        [GJB_POINT] = 20,         [GJB_SEGMENT] = 60,   [GJB_BOX] = 50,      [GJB_AABB] = 60,
        [GJB_TRIANGLE] = 100,     [GJB_POLYGON] = 20,   [GJB_HULL] = 20,     [GJB_ELLIPSE] = 60,
        [GJB_SUPERELLIPSE] = 90,  [GJB_ELLIPSOID] = 60, [GJB_CYLINDER] = 70, [GJB_CONE] = 75,
        [GJB_SUPERELLIPSOID] = 90, [GJB_HALFSPACE] = 30};
    double cost = (edit->margin != 0 ? 8 : 0) + digits_of(GJB_F64, edit->margin);
    cost += (edit->within != 0 ? 8 : 0) + digits_of(GJB_F64, edit->within) + (edit->leaving ? 8 : 0);
    for (uint32_t i = 0; i < 2; i++) {
        const gjb_edit_body *b = &edit->body[i];
        const gjb_precision p = edit->precision;
        const int plain = edit->dim == 2 ? b->turn[0] == 1 && b->turn[1] == 0
                                         : b->turn[0] == 0 && b->turn[1] == 0 && b->turn[2] == 0;
        cost += kinds[b->kind] + (b->kind == GJB_POLYGON || b->kind == GJB_HULL ? 40.0 * b->count : 0);
        for (uint32_t v = 0; v < b->count; v++)
            for (uint32_t k = 0; k < edit->dim; k++)
                cost += digits_of(p, b->rows[v][k]);
        cost += (b->radius != 0 ? 8 : 0) + digits_of(p, b->radius) + (plain ? 0 : 20);
        for (uint32_t k = 0; k < 3; k++)
            cost += digits_of(p, b->place[k]);
        for (uint32_t k = 0; k < 4 && !plain; k++)
            cost += digits_of(p, b->turn[k]);
        for (uint32_t k = 0; k < 6 && edit->moving; k++)
            cost += (b->motion[k] != 0 ? 4 : 0) + digits_of(p, b->motion[k]);
    }
    const gjb_edit_body *a = &edit->body[0], *b = &edit->body[1];
    const int same = a->kind == b->kind && a->count == b->count && a->radius == b->radius &&
                     !memcmp(a->rows, b->rows, a->count * sizeof a->rows[0]);
    return same ? cost - 10 : cost;
}

typedef struct candidate {
    gjb_scene *scene;
    double cost;
} candidate;

typedef struct shrinking {
    const gjb_shrink_plan *plan;
    gjb_edit *now, *next;
    gjb_outcome first, best;
    double cost, deadline;
    candidate *list;
    size_t count, room;
    uint64_t asked, most;
    gjb_error *error;
} shrinking;

static int over(const shrinking *s)
{
    return s->asked >= s->most || (s->plan->stop && *s->plan->stop) ||
           (s->plan->seconds > 0 && gjb_verify_now() > s->deadline);
}

static int same_failure(const shrinking *s, const gjb_outcome *o)
{
    if (o->symptom != s->first.symptom)
        return 0;
    if (o->symptom >= GJB_SYMPTOM_MISHAP || o->symptom == GJB_SYMPTOM_ASYMMETRIC ||
        o->symptom == GJB_SYMPTOM_BACKENDS)
        return 1;
    if (o->result.status != s->first.result.status)
        return 0;
    if (!isfinite(s->first.error))
        return 1;
    const double quarter = 0.25 * s->first.error / s->first.tolerance,
                 hundredth = 0.01 * o->size / o->tolerance;
    return o->error / o->tolerance >= fmax(1, fmin(quarter, hundredth)) ||
           (s->first.error <= s->first.tolerance);
}

static int by_cost(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    return (a->cost > b->cost) - (a->cost < b->cost);
}

static void drop_candidates(shrinking *s)
{
    for (size_t i = 0; i < s->count; i++)
        gjb_scene_free(s->list[i].scene);
    s->count = 0;
}

/* Everything that a reduction makes of the pair and that is less than it. 0, or -1 out of memory. */
static int gather(shrinking *s, const gjb_reduction *reduction)
{
    drop_candidates(s);
    for (uint32_t k = 0; k < 1u << 16; k++) {
        gjb_edit_copy(s->next, s->now);
        const gjb_made made = reduction->make(s->next, k);
        if (made == GJB_NO_MORE)
            break;
        if (made == GJB_NOT_MADE)
            continue;
        if (s->plan->ask.query == GJB_SWEEP)
            gjb_edit_square(s->next);
        if (gjb_edit_settle(s->next) || gjb_ask_declines(&s->plan->ask, s->next))
            continue;
        const double cost = gjb_edit_cost(s->next);
        if (!(cost < s->cost))
            continue;
        if (s->count == s->room) {
            const size_t room = s->room ? 2 * s->room : 256;
            candidate *more = realloc(s->list, room * sizeof *more);
            if (!more)
                return gjb_fail(s->error, "out of memory");
            s->list = more;
            s->room = room;
        }
        s->list[s->count] = (candidate){gjb_edit_scene(s->next, NULL), cost};
        if (!s->list[s->count].scene)
            return gjb_fail(s->error, "out of memory");
        s->count++;
    }
    if (s->count) /* else there may be no list */
        qsort(s->list, s->count, sizeof *s->list, by_cost);
    return 0;
}

static int ends_process(const gjb_outcome *o)
{
    return o->symptom >= GJB_SYMPTOM_MISHAP && o->symptom < GJB_SYMPTOM_MISHAP + GJB_MILD;
}

/* Who does not come back costs seconds each time, and a session gives up after so many. */
static size_t batch_of(const shrinking *s)
{
    return s->first.symptom == GJB_SYMPTOM_MISHAP + GJB_HUNG ? 1 : ends_process(&s->first) ? 4 : BATCH;
}

/* 1: the pair is less now; 0: none of these works; -1 with an error. */
static int try_all(shrinking *s)
{
    const gjb_scene *pairs[BATCH];
    gjb_outcome *outcomes = malloc(BATCH * sizeof *outcomes);
    int found = outcomes ? 0 : gjb_fail(s->error, "out of memory");
    for (size_t at = 0; at < s->count && !found && !over(s);) {
        const size_t most = batch_of(s), count = s->count - at < most ? s->count - at : most;
        for (size_t i = 0; i < count; i++)
            pairs[i] = s->list[at + i].scene;
        if (gjb_ask_pairs(&s->plan->ask, pairs, count, outcomes, s->error)) {
            found = -1;
            break;
        }
        s->asked += count;
        for (size_t i = 0; i < count && !found; i++)
            if (same_failure(s, &outcomes[i])) {
                const int moving = s->now->moving;
                gjb_edit_load(s->now, pairs[i], 0, 0);
                s->now->moving = moving;
                s->cost = s->list[at + i].cost;
                s->best = outcomes[i];
                found = 1;
            }
        at += count;
    }
    free(outcomes);
    return found;
}

static int descend(shrinking *s, int *at_rest)
{
    for (int changed = 1; changed && !over(s);) {
        changed = 0;
        for (size_t r = 0; r < gjb_reduction_count && !over(s); r++)
            for (int found = 1; found && !over(s);) {
                found = gather(s, &gjb_reductions[r]) ? -1 : try_all(s);
                if (found < 0)
                    return -1;
                changed |= found;
            }
    }
    *at_rest = !over(s);
    return 0;
}

int gjb_shrink(const gjb_shrink_plan *plan, const gjb_scene *pair, gjb_shrunk *out, gjb_error *error)
{
    shrinking s = {.plan = plan,
                   .error = error,
                   .most = plan->most ? plan->most : 20000,
                   .now = malloc(sizeof *s.now),
                   .next = malloc(sizeof *s.next),
                   .deadline = gjb_verify_now() + plan->seconds,
                   .asked = 1};
    *out = (gjb_shrunk){0};
    int failed = s.now && s.next ? 0 : gjb_fail(error, "out of memory");
    gjb_scene *only = NULL;
    if (!failed) {
        gjb_edit_load(s.now, pair, 0, 0);
        s.now->moving = gjb_queries[plan->ask.query].moving; /* others do not see motions */
        s.now->margin = gjb_queries[plan->ask.query].has_patch ? s.now->margin : 0;
        s.now->within = gjb_queries[plan->ask.query].has_within ? s.now->within : 0;
        s.now->leaving = gjb_queries[plan->ask.query].has_leaving ? s.now->leaving : GJB_LEAVING_HIT;
        only = gjb_edit_scene(s.now, error);
        failed = only ? gjb_ask_pairs(&plan->ask, (const gjb_scene *const[]){only}, 1, &s.first, error) : -1;
    }
    out->before = out->outcome = s.best = s.first;
    if (!failed && !s.first.symptom)
        failed = 1;
    if (!failed && ends_process(&s.first) && s.most > MOST_DEATHS)
        s.most = MOST_DEATHS;
    s.cost = failed ? 0 : gjb_edit_cost(s.now);
    if (!failed && !descend(&s, &out->at_rest)) {
        out->pair = gjb_edit_scene(s.now, error);
        out->outcome = s.best;
        out->asked = s.asked;
        failed = out->pair ? 0 : -1;
    } else if (!failed) {
        failed = -1;
    }
    if (!failed)
        snprintf(out->pair->query, sizeof out->pair->query, "%s", gjb_queries[plan->ask.query].name);
    drop_candidates(&s);
    free(s.list);
    gjb_scene_free(only);
    free(s.now);
    free(s.next);
    return failed;
}
