/* Relations that right answers keep among themselves, each held against every
 * query of the kernels on every backend, and of the reference. Where rounding
 * has a say, values may differ by a few T; where bits are promised, by none. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/tests/subjects.h"

static int answered(const gjb_result *r)
{
    return r->status == GJB_SEPARATED || r->status == GJB_OVERLAPPING;
}

/* Signed distance as far as a query tells it; 1 when it does. */
static int sigma_of(gjb_query query, const gjb_result *r, double *sigma)
{
    *sigma = query == GJB_PENETRATION ? -r->value : r->value;
    return query == GJB_SIGNED_DISTANCE || (query == GJB_DISTANCE && r->status == GJB_SEPARATED) ||
           (query == GJB_PENETRATION && r->status == GJB_OVERLAPPING);
}

/* Runs the query on a changed scene and calls `relate` for each pair. */
typedef void relation(probe *p, uint64_t i, const gjb_result *before, const gjb_result *after, double by);

static void relate(probe *p, const gjb_scene *changed, relation *check, double by)
{
    void *before = answers(&p->who, p->query, p->scene, 0, 1),
         *after = answers(&p->who, p->query, changed, 0, 1);
    for (uint64_t i = 0; i < changed->frames[0].pair_count; i++) {
        gjb_result r = gjb_result_get(p->query, p->who.precision, dim_of(p), before, i);
        gjb_result s = gjb_result_get(p->query, p->who.precision, dim_of(p), after, i);
        CHECK(p, answered(&r) && answered(&s), "pair %d: status %d, then %d", (int)i, (int)r.status,
              (int)s.status);
        check(p, i, &r, &s, by);
    }
    free(before);
    free(after);
}

/* Equal but for rounding: values within `slack` T, statuses unless that near to touching. */
static void alike(probe *p, uint64_t i, const gjb_result *r, const gjb_result *s, double slack)
{
    double allowed = slack * tolerance_of(p, i);
    if (gjb_queries[p->query].has_value)
        CHECK(p, fabs(r->value - s->value) <= allowed, "pair %d: %.9g, then %.9g", (int)i, r->value,
              s->value);
    if (r->status == s->status)
        return;
    gjb_pair_space space = {0};
    gjb_truth truth = {0};
    gjb_pair pair;
    cr_assert(!gjb_scene_pair(p->scene, 0, i, &space, &pair) && !gjb_truth_open(&truth, &pair));
    CHECK(p, truth.lo <= allowed && truth.hi >= -allowed, "pair %d: statuses %d and %d, sigma %.9g", (int)i,
          (int)r->status, (int)s->status, truth.lo);
    gjb_truth_close(&truth);
    gjb_pair_space_free(&space);
}

static void swap(probe *p)
{
    gjb_scene *changed = copy_of(p->scene);
    for (uint64_t i = 0; i < changed->frames[0].pair_count; i++) {
        uint32_t *pair = changed->frames[0].pairs + 2 * i, a = pair[0];
        pair[0] = pair[1];
        pair[1] = a;
    }
    relate(p, changed, alike, 2);
    gjb_scene_free(changed);
}

static double far_out(const gjb_scene *scene, uint32_t body)
{
    double place[3];
    place_of(scene, body, place);
    return hypot(hypot(place[0], place[1]), place[2]);
}

static void move_rigidly(probe *p)
{
    gjb_scene *changed = copy_of(p->scene);
    /* Poses round to eps |t| each, and |t| may exceed S: bodies far from the
     * origin are not part of this relation. */
    for (uint64_t i = 0; i < PAIRS; i++) {
        const uint32_t *pair = p->scene->frames[0].pairs + 2 * i;
        if (far_out(p->scene, pair[0]) + far_out(p->scene, pair[1]) > 4 * size_of(p->scene, i))
            continue;
        rotate_world(changed, pair[0]);
        rotate_world(changed, pair[1]);
    }
    relate(p, changed, alike, 3);
    gjb_scene_free(changed);
}

static void turn(probe *p)
{
    for (uint32_t axis = 0; axis < (dim_of(p) == 2 ? 1u : 3u); axis++) {
        gjb_scene *changed = copy_of(p->scene);
        for (uint32_t i = 0; i < changed->body_count; i++)
            turn_world(changed, i, axis);
        relate(p, changed, alike, 2);
        gjb_scene_free(changed);
    }
}

static void reflect(probe *p)
{
    gjb_scene *changed = copy_of(p->scene);
    mirror(changed);
    relate(p, changed, alike, 2);
    gjb_scene_free(changed);
}

static void reorder(probe *p)
{
    gjb_scene *changed = reordered(p->scene);
    relate(p, changed, alike, 2);
    gjb_scene_free(changed);
}

/* What a coordinate should be, times a power of two. Where it, or what it was, is below the least normal number, it has
 * been rounded to a multiple of the least of all, and both are off by up to half of that. */
static double coordinate_times(const probe *p, double was, double got, double by)
{
    const double least = p->who.precision == GJB_F32 ? 0x1p-149 : 0x1p-1074;
    const double normal = p->who.precision == GJB_F32 ? 0x1p-126 : 0x1p-1022, wanted = was * by;
    const int whole = fabs(was) >= normal && fabs(wanted) >= normal;
    return !whole && fabs(got - wanted) <= 0.5 * least * (1 + by) ? got : wanted;
}

static void scaled(probe *p, uint64_t i, const gjb_result *r, const gjb_result *s, double by)
{
    gjb_result wanted = *r;
    wanted.value *= by;
    for (int k = 0; k < 3; k++) {
        wanted.point_a[k] = coordinate_times(p, r->point_a[k], s->point_a[k], by);
        wanted.point_b[k] = coordinate_times(p, r->point_b[k], s->point_b[k], by);
    }
    CHECK(p, !memcmp(&wanted, s, sizeof wanted), "pair %d times %g: value %a, wanted %a; status %d, %d",
          (int)i, by, s->value, wanted.value, (int)s->status, (int)wanted.status);
}

static void scale(probe *p)
{
    static const double factors[] = {0x1p-12, 2, 0x1p9};
    for (size_t k = 0; k < 3 && p->who.batched; k++) {
        gjb_scene *changed = copy_of(p->scene);
        scale_scene(changed, factors[k]);
        relate(p, changed, scaled, factors[k]);
        gjb_scene_free(changed);
    }
}

/* radius + r on A: sigma - r. */
static void inflated(probe *p, uint64_t i, const gjb_result *r, const gjb_result *s, double by)
{
    double before, after;
    uint32_t shape = shape_of(p->scene, p->scene->frames[0].pairs[2 * i]);
    double larger = radius_of(p->scene, shape) + by;
    if (p->who.precision == GJB_F32)
        larger = (double)(float)larger;
    if (!sigma_of(p->query, r, &before) || !sigma_of(p->query, s, &after))
        return;
    double wanted = before - (larger - radius_of(p->scene, shape)), allowed = 2 * tolerance_of(p, i);
    /* The pair is larger by as much, and so is its T. */
    double more = allowed / size_of(p->scene, i) * by;
    CHECK(p, fabs(after - wanted) <= allowed + more, "pair %d: %.9g inflated by %.9g is %.9g", (int)i,
          before, by, after);
}

static void inflate(probe *p)
{
    gjb_scene *changed = copy_of(p->scene);
    double by = 0.25 * size_of(p->scene, 0);
    for (uint64_t i = 0; i < changed->frames[0].pair_count; i++) {
        uint32_t shape = shape_of(changed, changed->frames[0].pairs[2 * i]);
        set_radius(changed, shape, radius_of(p->scene, shape) + by);
    }
    relate(p, changed, inflated, by);
    gjb_scene_free(changed);
}

/* B taken along the normal of the answer: sigma grows by as much, and what
 * was a right normal still is. */
static void slide(probe *p)
{
    if (!gjb_queries[p->query].has_value)
        return;
    gjb_scene *changed = copy_of(p->scene);
    void *before = answers(&p->who, p->query, p->scene, 0, 1);
    double by[PAIRS], rounding[PAIRS];
    for (uint64_t i = 0; i < PAIRS; i++) {
        gjb_result r = gjb_result_get(p->query, p->who.precision, dim_of(p), before, i);
        by[i] = (r.status == GJB_SEPARATED ? 0.5 : 0.125) * fabs(r.value);
        rounding[i] = gjb_epsilon(p->who.precision) *
                      move(changed, p->scene->frames[0].pairs[2 * i + 1], r.normal, by[i]);
    }
    void *after = answers(&p->who, p->query, changed, 0, 1);
    for (uint64_t i = 0; i < PAIRS; i++) {
        gjb_result r = gjb_result_get(p->query, p->who.precision, dim_of(p), before, i);
        gjb_result s = gjb_result_get(p->query, p->who.precision, dim_of(p), after, i);
        double from, to;
        if (!sigma_of(p->query, &r, &from) || !sigma_of(p->query, &s, &to))
            continue;
        CHECK(p, fabs(to - (from + by[i])) <= 3 * tolerance_of(p, i) + 4 * rounding[i],
              "pair %d: %.9g, taken %.9g along its normal %.9g", (int)i, from, by[i], to);
    }
    free(before);
    free(after);
    gjb_scene_free(changed);
}

/* Along a line of translations sigma is convex, and so is max(sigma, 0). */
static void convexity(probe *p)
{
    if (p->query != GJB_SIGNED_DISTANCE && p->query != GJB_DISTANCE)
        return;
    void *at[3];
    gjb_scene *scenes[3];
    double far[PAIRS] = {0};
    for (int k = 0; k < 3; k++) {
        scenes[k] = copy_of(p->scene);
        for (uint64_t i = 0; i < PAIRS; i++) {
            const double angle = (double)i, slope = dim_of(p) == 2 ? 0 : sin(3 * angle);
            const double direction[3] = {cos(angle), sin(angle), slope};
            far[i] = fmax(far[i], move(scenes[k], p->scene->frames[0].pairs[2 * i + 1], direction,
                                       (k - 1) * 0.4 * size_of(p->scene, i)));
        }
        at[k] = answers(&p->who, p->query, scenes[k], 0, 1);
    }
    for (uint64_t i = 0; i < PAIRS; i++) {
        gjb_result r[3];
        for (int k = 0; k < 3; k++)
            r[k] = gjb_result_get(p->query, p->who.precision, dim_of(p), at[k], i);
        /* Translations are rounded to eps of their length. */
        double allowed = 4 * tolerance_of(p, i) + 4 * gjb_epsilon(p->who.precision) * far[i];
        CHECK(p, r[1].value <= 0.5 * (r[0].value + r[2].value) + allowed,
              "pair %d: %.9g between %.9g and %.9g", (int)i, r[1].value, r[0].value, r[2].value);
    }
    for (int k = 0; k < 3; k++) {
        free(at[k]);
        gjb_scene_free(scenes[k]);
    }
}

/* Witness points belong to their shapes, axes separate as far as they say. */
static void certificate(probe *p)
{
    void *results = answers(&p->who, p->query, p->scene, 0, 1);
    gjb_tolerance granted = gjb_tolerance_for(p->who.contender, p->query, p->who.precision, p->scene->shapes.dim);
    gjb_pair_space space = {0};
    gjb_truth truth = {0};
    for (uint64_t i = 0; i < PAIRS; i++) {
        gjb_pair pair;
        cr_assert(!gjb_scene_pair(p->scene, 0, i, &space, &pair) && !gjb_truth_open(&truth, &pair));
        gjb_result r = gjb_result_get(p->query, p->who.precision, dim_of(p), results, i);
        gjb_grade grade = gjb_grade_result(p->query, &truth, &r, &granted);
        CHECK(p, grade.verdict == GJB_RIGHT || grade.verdict == GJB_UNGRADED,
              "pair %d: %s, value %.9g in [%.9g, %.9g]", (int)i, gjb_fault_name(grade.fault), r.value,
              truth.lo, truth.hi);
    }
    gjb_truth_close(&truth);
    gjb_pair_space_free(&space);
    free(results);
}

/* B moved along the normal by a little more than the depth is apart, by a little less it is not. */
static void depth_separates(probe *p)
{
    if (p->query != GJB_PENETRATION)
        return;
    void *depths = answers(&p->who, p->query, p->scene, 0, 1);
    for (int more = 0; more < 2; more++) {
        gjb_scene *changed = copy_of(p->scene);
        for (uint64_t i = 0; i < PAIRS; i++) {
            gjb_result r = gjb_result_get(p->query, p->who.precision, dim_of(p), depths, i);
            const uint32_t b = p->scene->frames[0].pairs[2 * i + 1];
            const double beyond = 4 * tolerance_of(p, i) + 4 * gjb_epsilon(p->who.precision) * far_out(p->scene, b);
            move(changed, b, r.normal, r.value + (more ? beyond : -beyond));
        }
        void *moved = answers(&p->who, GJB_INTERSECT, changed, 0, 1);
        for (uint64_t i = 0; i < PAIRS; i++) {
            gjb_result r = gjb_result_get(p->query, p->who.precision, dim_of(p), depths, i);
            gjb_result s = gjb_result_get(GJB_INTERSECT, p->who.precision, dim_of(p), moved, i);
            if (r.status == GJB_OVERLAPPING && r.value > 16 * tolerance_of(p, i))
                CHECK(p, s.status == (more ? GJB_SEPARATED : GJB_OVERLAPPING),
                      "pair %d: moved by %s the depth %.9g: %s", (int)i, more ? "more than" : "less than",
                      r.value, gjb_status_name(s.status));
        }
        free(moved);
        gjb_scene_free(changed);
    }
    free(depths);
}

/* B moved towards A along the normal by a little less than the distance is still apart: as near to touching as a
 * right boolean may be asked for. */
static void distance_keeps_apart(probe *p)
{
    if (p->query != GJB_DISTANCE)
        return;
    void *distances = answers(&p->who, p->query, p->scene, 0, 1);
    gjb_scene *changed = copy_of(p->scene);
    for (uint64_t i = 0; i < PAIRS; i++) {
        gjb_result r = gjb_result_get(p->query, p->who.precision, dim_of(p), distances, i);
        const uint32_t b = p->scene->frames[0].pairs[2 * i + 1];
        const double short_of = 4 * tolerance_of(p, i) + 4 * gjb_epsilon(p->who.precision) * far_out(p->scene, b);
        move(changed, b, r.normal, short_of - r.value);
    }
    void *moved = answers(&p->who, GJB_INTERSECT, changed, 0, 1);
    for (uint64_t i = 0; i < PAIRS; i++) {
        gjb_result r = gjb_result_get(p->query, p->who.precision, dim_of(p), distances, i);
        gjb_result s = gjb_result_get(GJB_INTERSECT, p->who.precision, dim_of(p), moved, i);
        if (r.status == GJB_SEPARATED && r.value > 16 * tolerance_of(p, i))
            CHECK(p, s.status == GJB_SEPARATED, "pair %d: moved by less than the distance %.9g: %s", (int)i, r.value,
                  gjb_status_name(s.status));
    }
    free(moved);
    gjb_scene_free(changed);
    free(distances);
}

/* Whatever index, neighbours, call size and number of threads: the same bytes. */
static void invariance(probe *p)
{
    static const struct {
        uint64_t call;
        uint32_t threads;
    } ways[] = {{1, 1}, {3, 1}, {7, 3}, {0, 2}};
    size_t size = gjb_result_size(p->query, p->who.precision, p->scene->shapes.dim);
    char *plain = answers(&p->who, p->query, p->scene, 0, 1);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        char *other = answers(&p->who, p->query, p->scene, ways[k].call, ways[k].threads);
        CHECK(p, !memcmp(plain, other, PAIRS * size), "calls of %d pairs, %d threads: other bytes",
              (int)ways[k].call, (int)ways[k].threads);
        free(other);
    }
    gjb_scene *changed = copy_of(p->scene);
    for (uint64_t i = 0; i < PAIRS; i++)
        memcpy(changed->frames[0].pairs + 2 * i, p->scene->frames[0].pairs + 2 * (i * 5 % PAIRS),
               2 * sizeof(uint32_t));
    char *shuffled = answers(&p->who, p->query, changed, 0, 1);
    for (uint64_t i = 0; i < PAIRS; i++)
        CHECK(p, !memcmp(shuffled + i * size, plain + i * 5 % PAIRS * size, size),
              "pair %d at place %d: other bytes", (int)(i * 5 % PAIRS), (int)i);
    free(shuffled);
    /* Alone among copies of one other pair. */
    for (uint64_t i = 0; i < PAIRS; i++)
        memcpy(changed->frames[0].pairs + 2 * i, p->scene->frames[0].pairs + (i == 11 ? 2 : 6),
               2 * sizeof(uint32_t));
    char *alone = answers(&p->who, p->query, changed, 0, 1);
    CHECK(p, !memcmp(alone + 11 * size, plain + size, size), "pair %d among others: other bytes", 1);
    free(alone);
    gjb_scene_free(changed);
    free(plain);
}

/* Every backend, the bytes of the first. */
static void same_bits(probe *p)
{
    if (!p->who.batched || !p->who.contender->backends)
        return;
    size_t size = gjb_result_size(p->query, p->who.precision, p->scene->shapes.dim);
    subject first = p->who;
    first.backend = p->who.contender->backends[0];
    char *wanted = answers(&first, p->query, p->scene, 0, 1),
         *got = answers(&p->who, p->query, p->scene, 0, 1);
    for (uint64_t i = 0; i < PAIRS; i++) {
        gjb_result r = gjb_result_get(p->query, p->who.precision, dim_of(p), got, i);
        gjb_result s = gjb_result_get(p->query, p->who.precision, dim_of(p), wanted, i);
        CHECK(p, !memcmp(got + i * size, wanted + i * size, size), "pair %d: value %a, %s says %a", (int)i,
              r.value, first.backend, s.value);
    }
    free(wanted);
    free(got);
}

/* The promises of bits are theirs alone. */
static int has_kernels(uint32_t dim)
{
    subject all[SUBJECTS_MAX];
    int has = 0;
    for (size_t i = subjects(all); i-- > 0;)
        has |= all[i].batched && all[i].contender->dims >> dim & 1;
    return has;
}

typedef void each(uint32_t dim, void (*visit)(probe *), uint64_t *failures, uint64_t *checks, char first[512]);

static void hold(each *for_each, uint32_t dim, void (*visit)(probe *))
{
    uint64_t failures, checks;
    char first[512];
    for_each(dim, visit, &failures, &checks, first);
    if (!checks && !has_kernels(dim))
        cr_skip_test("no kernels have this dimension");
    cr_expect(checks > 0, "nothing was checked in %uD", (unsigned)dim);
    cr_expect(failures == 0, "%llu of %llu checks failed; first: %s", (unsigned long long)failures,
              (unsigned long long)checks, first);
}

#define HOLD(suite, name, for_each, dim, visit) \
    Test(suite, name, .timeout = 900)            \
    {                                            \
        hold(for_each, dim, visit);              \
    }
#define PROPERTY(name, visit)                                        \
    HOLD(properties, name, for_all, 2, visit)                        \
    HOLD(properties_in_space, name, for_all, 3, visit)               \
    HOLD(properties_of_curves, name, for_all_curved, 2, visit)       \
    HOLD(properties_of_curved_solids, name, for_all_curved, 3, visit)
PROPERTY(swapping_bodies_changes_nothing, swap)
PROPERTY(rigid_motion_changes_nothing, move_rigidly)
PROPERTY(turns_that_round_nothing_change_nothing, turn)
PROPERTY(mirrors_change_nothing, reflect)
PROPERTY(order_and_repetition_of_vertices_change_nothing, reorder)
PROPERTY(powers_of_two_scale_bit_for_bit, scale)
PROPERTY(inflation_takes_the_radius_off, inflate)
PROPERTY(sigma_grows_along_the_normal, slide)
PROPERTY(distance_is_convex_in_translation, convexity)
PROPERTY(certificates_hold, certificate)
PROPERTY(depth_separates_and_less_does_not, depth_separates)
PROPERTY(less_than_the_distance_keeps_apart, distance_keeps_apart)
PROPERTY(place_neighbours_calls_and_threads_do_not_show, invariance)
PROPERTY(backends_give_the_same_bits, same_bits)
