/* Relations that right answers about motion keep among themselves, each a row: the pairs are changed, and what
 * is answered then, brought back, must be right of the pairs as they were. Judged as answers of others are,
 * by T and the slack of the row: the change is rounded, so that a time may be late by that. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "properties/tests/subjects.h"

enum { TOI = 1u << GJB_TOI, SWEEP = 1u << GJB_SWEEP };

/* Where B is relative to A at a time. */
static void offset_at(const gjb_pair *pair, double t, double offset[3])
{
    gjb_pair then;
    ref_pair_at(pair, t, &then);
    offset[0] = pair->dim == 2 ? then.as.plane.b.pose.x : then.as.space.b.pose.x;
    offset[1] = pair->dim == 2 ? then.as.plane.b.pose.y : then.as.space.b.pose.y;
    offset[2] = pair->dim == 2 ? 0 : then.as.space.b.pose.z;
}

static void scale_motions(gjb_scene *scene, double ways, double angles)
{
    const uint32_t dim = scene->shapes.dim;
    for (uint32_t i = 0; i < scene->body_count; i++) {
        double m[6];
        gjb_scene_motion(scene, 0, i, m);
        for (uint32_t k = 0; k < gjb_motion_numbers(dim); k++)
            m[k] *= k < dim ? ways : angles;
        cr_assert_eq(gjb_scene_set_motion(scene, 0, i, m), 0);
    }
}

/* --- Changes, and the way back --- */

static void go_twice_as_far(gjb_scene *scene)
{
    scale_motions(scene, 2, 2);
}
static void in_half_the_time(const gjb_pair *pair, gjb_result *r)
{
    (void)pair;
    r->value *= 2;
    r->last = fmin(1, 2 * r->last);
    if (r->status == GJB_HIT && r->value > 1)
        *r = (gjb_result){.status = GJB_SEPARATED}; /* after the end */
}

static void exchange(gjb_scene *scene)
{
    for (uint64_t i = 0; i < scene->frames[0].pair_count; i++) {
        uint32_t *pair = scene->frames[0].pairs + 2 * i, a = pair[0];
        pair[0] = pair[1];
        pair[1] = a;
    }
}
static void exchange_back(const gjb_pair *pair, gjb_result *r)
{
    double offset[3];
    const gjb_result s = *r;
    if (r->status == GJB_SEPARATED)
        return;
    offset_at(pair, r->value, offset);
    for (int k = 0; k < 3; k++) {
        r->normal[k] = 0.0 - s.normal[k];
        r->point_a[k] = s.point_b[k] + offset[k];
        r->point_b[k] = s.point_a[k] + offset[k];
    }
}
/* Of toi nothing but a hit has points. */
static void exchange_toi_back(const gjb_pair *pair, gjb_result *r)
{
    if (r->status == GJB_HIT)
        exchange_back(pair, r);
}

static void reflect(gjb_scene *scene)
{
    mirror(scene);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        double m[6];
        gjb_scene_motion(scene, 0, i, m);
        m[0] = 0.0 - m[0];
        if (scene->shapes.dim == 2)
            m[2] = 0.0 - m[2];
        else
            for (int k = 4; k < 6; k++)
                m[k] = 0.0 - m[k];
        cr_assert_eq(gjb_scene_set_motion(scene, 0, i, m), 0);
    }
}
static void reflect_back(const gjb_pair *pair, gjb_result *r)
{
    (void)pair;
    r->normal[0] = 0.0 - r->normal[0];
    r->point_a[0] = 0.0 - r->point_a[0];
    r->point_b[0] = 0.0 - r->point_b[0];
    r->normal[0] += 0.0;
}

/* As many numbers as one sum leaves exact; other pairs stay as they were. */
static void go_with_the_world(gjb_scene *scene)
{
    for (uint64_t i = 0; i < scene->frames[0].pair_count; i++) {
        const uint32_t *pair = scene->frames[0].pairs + 2 * i;
        double m[2][6], sum[2][6], by = 0;
        int exact = 1;
        for (int b = 0; b < 2; b++) {
            gjb_scene_motion(scene, 0, pair[b], m[b]);
            by = fmax(by, fmax(fabs(m[b][0]), fabs(m[b][1])));
        }
        by = by > 0 ? ldexp(1, ilogb(by)) : 1;
        for (int b = 0; b < 2; b++) {
            memcpy(sum[b], m[b], sizeof sum[b]);
            for (int k = 0; k < 2; k++) {
                sum[b][k] += k ? -by : by;
                exact &= sum[b][k] - m[b][k] == (k ? -by : by) && sum[b][k] - (k ? -by : by) == m[b][k];
                exact &= scene->shapes.precision == GJB_F64 || (double)(float)sum[b][k] == sum[b][k];
            }
        }
        for (int b = 0; b < 2 && exact; b++)
            cr_assert_eq(gjb_scene_set_motion(scene, 0, pair[b], sum[b]), 0);
    }
}
static void as_it_was(const gjb_pair *pair, gjb_result *r)
{
    (void)pair;
    (void)r;
}

static void grow(gjb_scene *scene)
{
    scale_scene(scene, 8);
    scale_motions(scene, 8, 1);
}
static void shrink_back(const gjb_pair *pair, gjb_result *r)
{
    (void)pair;
    for (int k = 0; k < 3; k++) {
        r->point_a[k] /= 8;
        r->point_b[k] /= 8;
    }
}

/* Bodies as they are at a time of the step. */
static void go_on(gjb_scene *scene, double t)
{
    gjb_pair_space space = {0};
    for (uint64_t i = 0; i < scene->frames[0].pair_count; i++) {
        const uint32_t *bodies = scene->frames[0].pairs + 2 * i;
        gjb_pair pair, then;
        cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
        ref_pair_at(&pair, t, &then);
        for (int b = 0; b < 2; b++) {
            double place[3], m[6];
            place_of(scene, bodies[b], place);
            gjb_scene_motion(scene, 0, bodies[b], m);
            for (uint32_t k = 0; k < pair.dim; k++)
                place[k] += t * m[k];
            if (pair.dim == 2) {
                const gjb_pose2d *pose = b ? &then.as.plane.b.pose : &then.as.plane.a.pose;
                gjb_scene_set_pose(scene, 0, bodies[b], (gjb_pose2d){place[0], place[1], pose->c, pose->s});
            } else {
                gjb_pose3d pose = b ? then.as.space.b.pose : then.as.space.a.pose;
                pose.x = place[0];
                pose.y = place[1];
                pose.z = place[2];
                gjb_scene_set_pose3(scene, 0, bodies[b], pose);
            }
        }
    }
    gjb_pair_space_free(&space);
}

static void go_back(gjb_scene *scene)
{
    go_on(scene, 1);
    scale_motions(scene, -1, -1);
}
/* First and last contact change places. */
static void go_forth(const gjb_pair *pair, gjb_result *r)
{
    (void)pair;
    if (r->status == GJB_SEPARATED)
        return;
    const double first = 1 - r->last, last = 1 - r->value;
    *r = (gjb_result){.status = first > 0 ? GJB_HIT : GJB_OVERLAPPING, .value = first + 0.0, .last = last};
}

typedef struct relation {
    const char *name;
    void (*change)(gjb_scene *scene);
    void (*back)(const gjb_pair *pair, gjb_result *r);
    uint32_t queries;
    double slack;   /* times T */
    int bits;       /* 1: of batched ones, the very bits */
    int times_only; /* 1: normals and points are not comparable */
} relation;

static const relation relations[] = {
    /* The path is up to twice as long, and so is the T of its answers. */
    {"twice as far takes half the time", go_twice_as_far, in_half_the_time, TOI | SWEEP, 3, 0, 0},
    /* Two answers, each within T; the offset that brings points back is rounded. */
    {"exchanged", exchange, exchange_toi_back, TOI, 2, 0, 0},
    {"exchanged", exchange, exchange_back, SWEEP, 2, 0, 0},
    {"mirrored", reflect, reflect_back, TOI | SWEEP, 2, 0, 0},
    /* Motion is relative; where the sums are exact nothing is rounded otherwise. */
    {"common velocity", go_with_the_world, as_it_was, TOI | SWEEP, 1, 1, 0},
    /* Powers of two round nothing. */
    {"eight times as large", grow, shrink_back, TOI | SWEEP, 1, 1, 0},
    /* The place at the end is rounded: in addition to T by eps of it, which is granted below. */
    {"backwards", go_back, go_forth, SWEEP, 3, 0, 1}};

static double far_out(const gjb_scene *scene, uint64_t i)
{
    double most = 0;
    for (int b = 0; b < 2; b++) {
        double place[3], m[6];
        place_of(scene, scene->frames[0].pairs[2 * i + b], place);
        gjb_scene_motion(scene, 0, scene->frames[0].pairs[2 * i + b], m);
        for (int k = 0; k < 2; k++)
            most = fmax(most, fabs(place[k]) + fabs(m[k]));
        if (scene->shapes.dim == 3)
            most = fmax(most, fabs(place[2]) + fabs(m[2]));
    }
    return most;
}

/* What is granted to an answer that was brought back. */
static gjb_tolerance granted(const probe *p, uint64_t i, double slack, int times_only)
{
    gjb_tolerance g = gjb_tolerance_for(p->who.contender, p->query, p->who.precision, dim_of(p));
    g.k *= slack;
    for (int kind = 0; kind < GJB_KINDS; kind++)
        g.k_of_kind[kind] *= slack;
    g.ours = 0;
    g.tau = 4 * g.epsilon * far_out(p->scene, i);
    g.no_normal |= times_only;
    g.no_points |= times_only;
    return g;
}

static gjb_result answer_at(const probe *p, const void *records, uint64_t i)
{
    return gjb_result_get(p->query, p->who.precision, dim_of(p), records, i);
}

/* Is r, brought back, right of pair i as it was? */
static void judge(probe *p, uint64_t i, const gjb_result *r, double slack, int times_only, const char *what)
{
    gjb_pair_space space = {0};
    gjb_truth truth = {0};
    gjb_pair pair;
    const gjb_tolerance g = granted(p, i, slack, times_only);
    cr_assert(!gjb_scene_pair(p->scene, 0, i, &space, &pair) && !gjb_truth_open_moving(&truth, &pair));
    const gjb_grade grade = gjb_grade_result(p->query, &truth, r, &g);
    CHECK(p, grade.verdict != GJB_WRONG, "%s, pair %d: %s %.9g is wrong: %s, %.3g eps S", what, (int)i,
          gjb_status_name(r->status), r->value, gjb_fault_name(grade.fault), grade.error_eps);
    gjb_truth_close(&truth);
    gjb_pair_space_free(&space);
}

static const relation *at_hand;

static void relate(probe *p)
{
    const relation *rule = at_hand;
    if (!(rule->queries >> p->query & 1))
        return;
    gjb_scene *changed = copy_of(p->scene);
    gjb_pair_space space = {0};
    rule->change(changed);
    void *before = answers(&p->who, p->query, p->scene, 0, 1), *after = answers(&p->who, p->query, changed, 0, 1);
    for (uint64_t i = 0; i < p->scene->frames[0].pair_count; i++) {
        gjb_result r = answer_at(p, before, i), s = answer_at(p, after, i);
        gjb_pair pair;
        cr_assert_eq(gjb_scene_pair(p->scene, 0, i, &space, &pair), 0);
        if (r.status == GJB_UNSUPPORTED || s.status == GJB_INVALID_INPUT) /* which is too many turns */
            continue;
        rule->back(&pair, &s);
        /* Below normal numbers powers of two round, too. */
        const int normal = (s.value == 0 || s.value > 0x1p-100) && (s.last == 0 || s.last > 0x1p-100);
        if (rule->bits && p->who.batched && normal)
            CHECK(p, !memcmp(&r, &s, sizeof r), "%s, pair %d: %s %a last %a, then %s %a last %a", rule->name, (int)i,
                  gjb_status_name(r.status), r.value, r.last, gjb_status_name(s.status), s.value, s.last);
        else
            judge(p, i, &s, rule->slack, rule->times_only, rule->name);
    }
    free(before);
    free(after);
    gjb_pair_space_free(&space);
    gjb_scene_free(changed);
}

/* --- Relations of more than one answer --- */

/* The step in two halves: whoever has not met by its middle goes on from there. */
static void split(probe *p)
{
    if (p->query != GJB_TOI)
        return;
    gjb_scene *first = copy_of(p->scene), *second = copy_of(p->scene);
    scale_motions(first, 0.5, 0.5);
    go_on(second, 0.5);
    scale_motions(second, 0.5, 0.5);
    void *early = answers(&p->who, p->query, first, 0, 1), *late = answers(&p->who, p->query, second, 0, 1);
    for (uint64_t i = 0; i < p->scene->frames[0].pair_count; i++) {
        gjb_result r = answer_at(p, early, i);
        const double start = r.status == GJB_SEPARATED ? 0.5 : 0;
        if (start > 0)
            r = answer_at(p, late, i);
        if (r.status == GJB_UNSUPPORTED)
            continue;
        if (start > 0 && r.status == GJB_OVERLAPPING) /* they met at the middle, but for rounding */
            r.status = GJB_HIT;
        if (r.status == GJB_HIT)
            r.value = start + 0.5 * r.value;
        judge(p, i, &r, 3, 1, "in two halves");
    }
    free(early);
    free(late);
    gjb_scene_free(first);
    gjb_scene_free(second);
}

/* A radius brings the contact forward: at the old time the shapes were within T, and the radius is more. */
static void inflate(probe *p)
{
    if (p->query != GJB_TOI)
        return;
    gjb_scene *changed = copy_of(p->scene);
    double by[PAIRS];
    for (uint64_t i = 0; i < p->scene->frames[0].pair_count; i++) {
        const uint32_t shape = shape_of(changed, changed->frames[0].pairs[2 * i]);
        by[i] = 1e-3 * size_of(p->scene, i) + 8 * tolerance_of(p, i);
        set_radius(changed, shape, radius_of(changed, shape) + by[i]);
    }
    void *before = answers(&p->who, p->query, p->scene, 0, 1), *after = answers(&p->who, p->query, changed, 0, 1);
    for (uint64_t i = 0; i < p->scene->frames[0].pair_count; i++) {
        const gjb_result r = answer_at(p, before, i), s = answer_at(p, after, i);
        if (r.status == GJB_OVERLAPPING)
            CHECK(p, s.status == GJB_OVERLAPPING, "inflated, pair %d: %s", (int)i, gjb_status_name(s.status));
        else if (r.status == GJB_HIT)
            CHECK(p, s.status == GJB_OVERLAPPING || (s.status == GJB_HIT && s.value <= r.value),
                  "inflated, pair %d: at %.9g, then %s %.9g", (int)i, r.value, gjb_status_name(s.status), s.value);
    }
    free(before);
    free(after);
    gjb_scene_free(changed);
}

/* Signed distances of the same contender along the way: not below 0 before the hit, and 0 at it; never below
 * if there is none. All but for T, and for what poses are rounded by. */
static void follow(probe *p)
{
    if (p->query != GJB_TOI || !(p->who.contender->queries >> GJB_SIGNED_DISTANCE & 1))
        return;
    void *times = answers(&p->who, p->query, p->scene, 0, 1);
    for (int part = 0; part <= 4; part++)
        for (uint64_t i = 0; i < p->scene->frames[0].pair_count; i++) {
            const gjb_result r = answer_at(p, times, i);
            if (r.status != GJB_HIT && r.status != GJB_SEPARATED)
                continue;
            gjb_scene *then = gjb_scene_extract(p->scene, 0, i);
            const double t = (r.status == GJB_HIT ? r.value : 1) * 0.25 * part;
            const double allowed = 3 * tolerance_of(p, i) + 4 * gjb_epsilon(p->who.precision) * far_out(p->scene, i);
            go_on(then, t);
            void *distances = answers(&p->who, GJB_SIGNED_DISTANCE, then, 0, 1);
            const gjb_result d = gjb_result_get(GJB_SIGNED_DISTANCE, p->who.precision, dim_of(p), distances, 0);
            CHECK(p, d.value >= -allowed, "pair %d, hit at %.9g: %.9g apart at %.9g", (int)i, r.value, d.value, t);
            if (part == 4 && r.status == GJB_HIT)
                CHECK(p, d.value <= allowed, "pair %d: a hit at %.9g, %.9g apart", (int)i, t, d.value);
            free(distances);
            gjb_scene_free(then);
        }
    free(times);
}

/* Sweep and toi of unturned boxes are one question. */
static void agree(probe *p)
{
    if (p->query != GJB_SWEEP || !(p->who.contender->queries >> GJB_TOI & 1))
        return;
    void *swept = answers(&p->who, GJB_SWEEP, p->scene, 0, 1);
    for (uint64_t i = 0; i < p->scene->frames[0].pair_count; i++) {
        gjb_result r = answer_at(p, swept, i);
        if (r.status == GJB_UNSUPPORTED)
            continue;
        r = (gjb_result){.status = r.status, .value = r.value};
        probe as_toi = *p;
        as_toi.query = GJB_TOI;
        /* At a corner a gap along an axis is less than the distance. */
        judge(&as_toi, i, &r, 2, 1, "a sweep as a time of impact");
        p->checks = as_toi.checks;
        p->failures = as_toi.failures;
        memcpy(p->first, as_toi.first, sizeof p->first);
    }
    free(swept);
}

typedef void each(uint32_t dim, void (*visit)(probe *p), uint64_t *failures, uint64_t *checks, char first[512]);

static void hold(each *for_each, uint32_t dim, void (*visit)(probe *p))
{
    uint64_t failures, checks;
    char first[512];
    for_each(dim, visit, &failures, &checks, first);
    cr_expect(checks > 0, "nothing was checked");
    cr_expect(failures == 0, "%llu of %llu: %s", (unsigned long long)failures, (unsigned long long)checks, first);
}

static void hold_relations(each *for_each, uint32_t dim)
{
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        at_hand = &relations[i];
        /* Curved shapes are never boxes, which alone are swept. */
        if (for_each == for_all_moving || relations[i].queries & TOI)
            hold(for_each, dim, relate);
    }
}

#define PROPERTY(suite, name, for_each, visit)     \
    Test(suite, name##_2d, .timeout = 240)        \
    {                                             \
        hold(for_each, 2, visit);                 \
    }                                             \
    Test(suite, name##_3d, .timeout = 240)        \
    {                                             \
        hold(for_each, 3, visit);                 \
    }
#define RELATIONS(suite, for_each)                \
    Test(suite, relations_hold_2d, .timeout = 240) \
    {                                             \
        hold_relations(for_each, 2);              \
    }                                             \
    Test(suite, relations_hold_3d, .timeout = 240) \
    {                                             \
        hold_relations(for_each, 3);              \
    }
#define PROPERTIES(suite, for_each)                                                  \
    RELATIONS(suite, for_each)                                                       \
    PROPERTY(suite, two_halves_are_the_whole, for_each, split)                       \
    PROPERTY(suite, inflation_brings_contact_forward, for_each, inflate)             \
    PROPERTY(suite, distance_is_positive_until_it_is_none, for_each, follow)
PROPERTIES(motion_properties, for_all_moving)
PROPERTIES(motion_properties_of_curves, for_all_curved_moving)
PROPERTY(motion_properties, sweep_and_toi_agree, for_all_moving, agree)
