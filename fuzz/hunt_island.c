/* One island of a search: draws and mutates pairs in rounds, and keeps the closest of each niche. */
#include "fuzz/hunt_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/mutate_private.h"
#include "verify/verify_private.h"

enum { NICHES = 1024 };

const char *const gjb_regime_names[GJB_REGIMES] = {"deep", "shallow", "touching", "near", "far"};

gjb_regime gjb_regime_of(const gjb_outcome *o)
{
    const double sigma = o->size > 0 ? (0.5 * o->lo + 0.5 * o->hi) / o->size : 0;
    return sigma < -0.05   ? GJB_DEEP
           : sigma < -1e-4 ? GJB_SHALLOW
           : sigma <= 1e-4 ? GJB_TOUCHING
           : sigma <= 0.05 ? GJB_NEAR
                           : GJB_FAR;
}

int gjb_failure_alike(const gjb_failure *a, const gjb_failure *b)
{
    return a->outcome.symptom == b->outcome.symptom && a->kinds[0] == b->kinds[0] &&
           a->kinds[1] == b->kinds[1] && a->regime == b->regime;
}

/* The closest pair of a niche. */
typedef struct elite {
    uint32_t niche;
    double closeness;
    gjb_scene *pair;
} elite;

typedef struct offspring {
    gjb_scene *pair;
    uint32_t made_by; /* row of the last mutation + 1; 0: of a recipe or corpus */
} offspring;

typedef struct search {
    const gjb_hunt_plan *plan;
    const gjb_target *target;
    gjb_island *island;
    gjb_random r;
    elite *elites;
    size_t elite_count;
    gjb_edit *edit, *other, *spare;
    gjb_error *error;
} search;

/* One such pair takes the oracle as long as rounds of others, and neither a deadline nor Ctrl-C ends a round. */
static int is_large(const gjb_edit *edit)
{
    return edit->body[0].count > GJB_MUTATE_VERTICES || edit->body[1].count > GJB_MUTATE_VERTICES;
}

/* A pair of a recipe that the target takes, into s->edit. */
static int draw_recipe(search *s)
{
    const gjb_hunt_plan *plan = s->plan;
    const gjb_target *t = s->target;
    for (int tries = 0; tries < 256; tries++) {
        const gjb_verify_workload *w =
            &plan->workloads[gjb_random_below(&s->r, (uint32_t)plan->workload_count)];
        const gjb_family *f = plan->families[gjb_random_below(&s->r, (uint32_t)plan->family_count)];
        const uint32_t first = gjb_random_u32(&s->r);
        if (w->dim != t->dim || !gjb_family_has(f, w->dim, w->name) ||
            !gjb_query_meets(t->ask.query, f->moving) || (plan->leaving && f->moving && !gjb_family_leaves(f)))
            continue;
        gjb_scene *scene = gjb_generate(&(gjb_recipe){.dim = w->dim,
                                                      .workload = w->name,
                                                      .family = f->name,
                                                      .seed = plan->seed,
                                                      .margin = plan->margin,
                                                      .within = plan->within,
                                                      .leaving = f->moving ? plan->leaving : GJB_LEAVING_HIT,
                                                      .precision = t->precision,
                                                      .first = first,
                                                      .pairs = 1},
                                        NULL);
        if (!scene)
            continue;
        gjb_edit_load(s->edit, scene, 0, 0);
        gjb_scene_free(scene);
        s->edit->moving = gjb_queries[t->ask.query].moving;
        s->edit->margin = gjb_queries[t->ask.query].has_patch ? s->edit->margin : 0;
        s->edit->within = gjb_queries[t->ask.query].has_within ? s->edit->within : 0;
        s->edit->leaving = gjb_queries[t->ask.query].has_leaving ? s->edit->leaving : GJB_LEAVING_HIT;
        if (!is_large(s->edit) && !gjb_ask_declines(&t->ask, s->edit))
            return 0;
    }
    return -1;
}

static int draw_corpus(search *s)
{
    const gjb_target *t = s->target;
    for (int tries = 0; tries < 32 && s->plan->corpus_count; tries++) {
        const gjb_scene *scene = s->plan->corpus[gjb_random_below(&s->r, (uint32_t)s->plan->corpus_count)];
        if (scene->shapes.dim != t->dim || !scene->frames[0].pair_count ||
            !gjb_scene_fits(scene, t->precision))
            continue;
        gjb_edit_load(s->edit, scene, 0, gjb_random_below(&s->r, (uint32_t)scene->frames[0].pair_count));
        if (is_large(s->edit))
            continue;
        s->edit->precision = t->precision;
        s->edit->moving = gjb_queries[t->ask.query].moving;
        s->edit->margin = gjb_queries[t->ask.query].has_patch ? s->edit->margin : 0;
        s->edit->within = gjb_queries[t->ask.query].has_within ? s->edit->within : 0;
        s->edit->leaving = gjb_queries[t->ask.query].has_leaving ? s->edit->leaving : GJB_LEAVING_HIT;
        if (t->ask.query == GJB_SWEEP)
            gjb_edit_square(s->edit);
        if (!gjb_ask_declines(&t->ask, s->edit) && !gjb_edit_settle(s->edit))
            return 0;
    }
    return -1;
}

/* The closer of two. */
static const elite *draw_elite(search *s)
{
    const elite *a = &s->elites[gjb_random_below(&s->r, (uint32_t)s->elite_count)];
    const elite *b = &s->elites[gjb_random_below(&s->r, (uint32_t)s->elite_count)];
    return a->closeness >= b->closeness ? a : b;
}

/* A few mutations of a pair that is kept, of a recipe's or of the corpus'. */
static int draw_offspring(search *s, offspring *child)
{
    const gjb_hunt_plan *plan = s->plan;
    const uint32_t kind = gjb_random_below(&s->r, 16);
    const int fresh = plan->unguided || !s->elite_count || kind < 3;
    child->made_by = 0;
    if (fresh && (kind % 2 || draw_corpus(s)) && draw_recipe(s))
        return 1;
    if (!fresh)
        gjb_edit_load(s->edit, draw_elite(s)->pair, 0, 0);
    s->edit->moving = gjb_queries[s->target->ask.query].moving;
    if (s->elite_count && !plan->unguided) {
        gjb_edit_load(s->other, s->elites[gjb_random_below(&s->r, (uint32_t)s->elite_count)].pair, 0, 0);
        s->other->moving = s->edit->moving;
    }
    uint32_t steps = plan->unguided || (fresh && kind == 0) ? 0 : 1;
    while (steps && steps < 8 && gjb_random_u32(&s->r) & 1)
        steps++;
    for (uint32_t i = 0; i < steps; i++) {
        const gjb_mutation *m = gjb_mutate(&s->r, s->edit, s->elite_count ? s->other : NULL, s->spare);
        child->made_by = m ? (uint32_t)(m - gjb_mutations) + 1 : child->made_by;
    }
    if (s->target->ask.query == GJB_SWEEP) {
        gjb_edit_square(s->edit);
        if (gjb_edit_settle(s->edit))
            return 1;
    }
    child->pair = gjb_ask_declines(&s->target->ask, s->edit) ? NULL : gjb_edit_scene(s->edit, NULL);
    return !child->pair;
}

static void order_kinds(const gjb_scene *pair, gjb_kind kinds[2])
{
    const gjb_kind a = (gjb_kind)pair->shapes.kind[0], b = (gjb_kind)pair->shapes.kind[1];
    kinds[0] = a < b ? a : b;
    kinds[1] = a < b ? b : a;
}

/* Keeps the pair if it is the closest of its niche: takes it over then. */
static void keep(search *s, offspring *child, const gjb_outcome *o)
{
    gjb_kind kinds[2];
    order_kinds(child->pair, kinds);
    const uint32_t niche =
        ((kinds[0] * GJB_KINDS + kinds[1]) * GJB_REGIMES + gjb_regime_of(o)) * 64 + child->made_by;
    size_t at = 0;
    while (at < s->elite_count && s->elites[at].niche != niche)
        at++;
    if (at == s->elite_count && at == NICHES) /* full: the least close makes room */
        for (size_t i = at = 0; i < NICHES; i++)
            at = s->elites[i].closeness < s->elites[at].closeness ? i : at;
    if (at < s->elite_count && !(o->closeness > s->elites[at].closeness))
        return;
    if (at < s->elite_count)
        gjb_scene_free(s->elites[at].pair);
    else
        s->elite_count++;
    s->elites[at] = (elite){niche, o->closeness, child->pair};
    child->pair = NULL;
}

static int note_failure(search *s, offspring *child, const gjb_outcome *o, uint64_t index)
{
    gjb_island *island = s->island;
    gjb_failure f = {.outcome = *o, .island = island->number, .index = index, .regime = gjb_regime_of(o)};
    order_kinds(child->pair, f.kinds);
    for (size_t i = 0; i < island->failure_count; i++)
        if (gjb_failure_alike(&island->failures[i], &f))
            return 0;
    if (island->failure_count == GJB_HUNT_FAILURES) {
        island->dropped++;
        return 0;
    }
    if (!island->failures)
        island->failures = calloc(GJB_HUNT_FAILURES, sizeof *island->failures);
    if (!island->failures)
        return gjb_fail(s->error, "out of memory");
    f.pair = child->pair;
    child->pair = NULL;
    island->failures[island->failure_count++] = f;
    return 0;
}

/* Passed over: where such a pair led, others would be as slow. */
static void note_slow(gjb_island *island, const gjb_scene *pair, uint64_t index)
{
    if (!island->too_slow++) {
        island->slow_pair = gjb_scene_extract(pair, 0, 0);
        island->slow_index = index;
    }
}

static int take(search *s, offspring *child, const gjb_outcome *o)
{
    gjb_island *island = s->island;
    const uint64_t index = island->pairs++;
    island->graded += o->grade.verdict == GJB_RIGHT || o->grade.verdict == GJB_WRONG;
    island->ungraded += o->grade.verdict == GJB_UNGRADED;
    island->unsupported += o->grade.verdict == GJB_NOT_SUPPORTED;
    island->wrong += o->symptom != GJB_SYMPTOM_NONE;
    island->symptoms[o->symptom]++;
    if (o->symptom)
        return note_failure(s, child, o, index);
    if (o->grade.too_slow)
        note_slow(island, child->pair, index);
    if (o->grade.too_slow || o->grade.verdict == GJB_NOT_SUPPORTED)
        return 0;
    const double used = o->tolerance > 0 ? o->error / o->tolerance : 0;
    if (used > island->closest) {
        gjb_scene_free(island->closest_pair);
        island->closest = used;
        island->closest_pair = gjb_scene_extract(child->pair, 0, 0);
        island->closest_index = index;
    }
    if (!s->plan->unguided)
        keep(s, child, o);
    return 0;
}

static int round_of(search *s, size_t count)
{
    offspring children[GJB_HUNT_ROUND];
    const gjb_scene *pairs[GJB_HUNT_ROUND];
    gjb_outcome *outcomes = malloc(GJB_HUNT_ROUND * sizeof *outcomes);
    size_t made = 0;
    int failed = outcomes ? 0 : gjb_fail(s->error, "out of memory");
    for (size_t tries = 0; made < count && tries < 16 * count && !failed; tries++)
        if (!draw_offspring(s, &children[made])) {
            pairs[made] = children[made].pair;
            made++;
        }
    if (!failed && made)
        failed = gjb_ask_pairs(&s->target->ask, pairs, made, outcomes, s->error);
    const int stopped = s->plan->stop && *s->plan->stop; /* what is left then was not asked */
    for (size_t i = 0; i < made; i++) {
        if (!failed && !stopped)
            failed = take(s, &children[i], &outcomes[i]);
        gjb_scene_free(children[i].pair);
    }
    free(outcomes);
    return failed ? -1 : made == 0;
}

int gjb_island_run(gjb_island *island, const gjb_hunt_plan *plan, const gjb_target *target, uint64_t pairs,
                   double deadline, gjb_error *error)
{
    search s = {.plan = plan,
                .target = target,
                .island = island,
                .r = gjb_random_make(plan->seed, target->key, island->number),
                .elites = calloc(NICHES, sizeof *s.elites),
                .edit = malloc(sizeof *s.edit),
                .other = malloc(sizeof *s.other),
                .spare = malloc(sizeof *s.spare),
                .error = error};
    int failed = s.elites && s.edit && s.other && s.spare ? 0 : gjb_fail(error, "out of memory");
    while (!failed && (deadline > 0 || island->pairs < pairs) &&
           island->symptoms[GJB_SYMPTOM_MISHAP + GJB_HUNG] < GJB_VERIFY_HANGS) {
        const uint64_t left = pairs - island->pairs;
        failed = round_of(&s, deadline > 0 || left > GJB_HUNT_ROUND ? GJB_HUNT_ROUND : (size_t)left);
        island->rounds++;
        island->stopped = plan->stop && *plan->stop;
        if (island->stopped || (deadline > 0 && gjb_verify_now() >= deadline))
            break;
    }
    island->niches = s.elite_count;
    for (size_t i = 0; i < s.elite_count; i++)
        gjb_scene_free(s.elites[i].pair);
    free(s.elites);
    free(s.edit);
    free(s.other);
    free(s.spare);
    return failed < 0 ? -1 : 0;
}

void gjb_island_free(gjb_island *island)
{
    for (size_t i = 0; i < island->failure_count; i++)
        gjb_scene_free(island->failures[i].pair);
    free(island->failures);
    gjb_scene_free(island->closest_pair);
    gjb_scene_free(island->slow_pair);
}
