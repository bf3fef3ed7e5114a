/* What the methods tell of their steps: the example of the tutorials point by point, and on
 * pairs of every family that each step is true and that watching changes no answer. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "reference/methods/frame2.h"
#include "reference/reference.h"
#include "reference/tests/pairs.h"
#include "reference/tests/pairs3.h"

enum { STEPS = 4096, SHOWN = 8, SLACK = 16 /* eps S */ };

typedef struct told {
    gjb_trace_step step;
    gjb_trace_vertex vertices[SHOWN];
} told;

typedef struct tape {
    told *steps;
    int count;
} tape;

static void record(void *user, const gjb_trace_step *step)
{
    tape *t = user;
    cr_assert(t->count < STEPS);
    told *one = &t->steps[t->count++];
    one->step = *step;
    for (uint32_t v = 0; v < step->vertex_count && v < SHOWN; v++)
        one->vertices[v] = step->vertices[v];
}

static void expect_point(const double *got, double x, double y, const char *what, int step)
{
    cr_assert(fabs(got[0] - x) <= 1e-15 && fabs(got[1] - y) <= 1e-15 && got[2] == 0,
              "step %d: %s is (%g, %g), not (%g, %g)", step, what, got[0], got[1], x, y);
}

/* By hand. B is A turned by half a turn, so A - B is A twice as large: the triangle (0, 2), (2, -2),
 * (-2, -2), whose sides 2x + y = 2 and -2x + y = 2 are 2 / sqrt 5 from the origin. */
Test(trace, example_of_the_tutorials)
{
    static const double a[3][2] = {{0, 1}, {1, -1}, {-1, -1}}, b[3][2] = {{0, -1}, {1, 1}, {-1, 1}};
    static test_pair pair;
    static told steps[STEPS];
    tape t = {.steps = steps};
    test_pair_set(&pair, 0, GJB_POLYGON, 3, a, 0, (gjb_pose2d){0, 0, 1, 0});
    test_pair_set(&pair, 1, GJB_POLYGON, 3, b, 0, (gjb_pose2d){0, 0, 1, 0});
    ref_answer answer = ref_signed_distance2_traced(&pair.pair, &(gjb_trace){record, &t});
    const double r5 = sqrt(5), r2 = sqrt(2);

    /* Both translations are the origin: the first direction is (1, 0). */
    static const struct {
        const char *method;
        double direction[2]; /* of any length */
        double a[2], b[2], w[2];
        uint32_t vertices, feature;
        double closest[2];
    } wanted[] = {
        {"gjk", {1, 0}, {1, -1}, {-1, 1}, {2, -2}, 1, 1, {2, -2}},
        {"gjk", {-1, 1}, {0, 1}, {0, -1}, {0, 2}, 2, 2, {0.8, 0.4}},
        {"gjk", {-2, -1}, {-1, -1}, {1, 1}, {-2, -2}, 3, 3, {0, 0}},
    };
    const double lower[] = {-2, -r2, -r2, -r2, -2 / r5}, upper[] = {2 * r2, 2 / r5, 0, -2 / r5, -2 / r5};
    cr_assert(t.count == 5, "%d steps", t.count);
    for (int k = 0; k < 5; k++) {
        const gjb_trace_step *step = &steps[k].step;
        cr_assert(step->has_lower && step->has_upper && step->has_closest);
        cr_assert(fabs(step->lower - lower[k]) <= 1e-15 && fabs(step->upper - upper[k]) <= 1e-15,
                  "step %d: %.17g to %.17g", k, step->lower, step->upper);
        if (k >= 3)
            continue;
        double length = hypot(wanted[k].direction[0], wanted[k].direction[1]);
        cr_assert_str_eq(step->method, wanted[k].method);
        cr_assert(step->has_direction && step->has_support);
        expect_point(step->direction, wanted[k].direction[0] / length, wanted[k].direction[1] / length,
                     "direction", k);
        expect_point(step->support.a, wanted[k].a[0], wanted[k].a[1], "support of A", k);
        expect_point(step->support.b, wanted[k].b[0], wanted[k].b[1], "support of B", k);
        expect_point(step->support.w, wanted[k].w[0], wanted[k].w[1], "support", k);
        expect_point(step->closest, wanted[k].closest[0], wanted[k].closest[1], "closest point", k);
        cr_assert(step->vertex_count == wanted[k].vertices && step->feature_count == wanted[k].feature);
        for (int v = 0; v <= k; v++)
            expect_point(steps[k].vertices[v].w, wanted[v].w[0], wanted[v].w[1], "vertex", k);
    }
    /* EPA opens with the triangle; its nearest side is one of A - B already. */
    const gjb_trace_step *open = &steps[3].step, *last = &steps[4].step;
    cr_assert_str_eq(open->method, "epa");
    cr_assert(!open->has_direction && !open->has_support && open->vertex_count == 3 && open->face_count == 3);
    cr_assert(open->feature_count == 2);
    double side = open->closest[0] > 0 ? 1 : -1;
    expect_point(open->closest, side * 0.8, 0.4, "closest point", 3);
    expect_point(last->direction, side * 2 / r5, 1 / r5, "direction", 4);
    cr_assert(last->vertex_count == 3);
    cr_assert(fabs(side * 2 * last->support.w[0] + last->support.w[1] - 2) <= 1e-15,
              "no support of that side");
    cr_assert(fabs(answer.sigma + 2 / r5) <= 1e-15);
}

/* Vertices of D are of the scale of S: what the methods may be off, and what a support may fall short. */
static void check_steps(const tape *t, const gjb_pair *pair, double lo, double hi, double sigma, int family,
                        int index)
{
    double unit = 0x1p-53 * gjb_pair_size(pair), slack = SLACK * unit;
    double lower = -INFINITY, upper = INFINITY;
    cr_assert(t->count > 0);
    for (int k = 0; k < t->count; k++) {
        const gjb_trace_step *step = &t->steps[k].step;
        cr_assert(step->method && step->text && step->text[strlen(step->text) - 1] != '.');
        if (step->has_lower) {
            cr_assert(step->lower <= hi + slack, "family %d, pair %d, step %d: %.17g > %.17g", family, index,
                      k, step->lower, hi);
            cr_assert(step->lower >= lower - slack, "family %d, pair %d, step %d: lower falls", family, index,
                      k);
            lower = step->lower;
        }
        if (step->has_upper) {
            cr_assert(step->upper >= lo - slack, "family %d, pair %d, step %d: %.17g < %.17g", family, index,
                      k, step->upper, lo);
            cr_assert(step->upper <= upper + slack, "family %d, pair %d, step %d: upper rises", family, index,
                      k);
            upper = step->upper;
        }
        for (uint32_t f = 0; f < step->feature_count; f++)
            cr_assert(step->feature[f] < step->vertex_count, "family %d, pair %d, step %d", family, index, k);
        for (int m = 0; m < 3; m++)
            cr_assert(!step->has_support ||
                      fabs(step->support.w[m] - (step->support.a[m] - step->support.b[m])) <= slack);
    }
    const gjb_trace_step *last = &t->steps[t->count - 1].step;
    cr_assert(last->lower <= sigma + slack && sigma - slack <= last->upper,
              "family %d, pair %d: the last step has %.17g to %.17g, sigma is %.17g", family, index,
              last->lower, last->upper, sigma);
    cr_assert(last->upper - last->lower <= 4 * slack, "family %d, pair %d: bounds stay %g eps S apart",
              family, index, (last->upper - last->lower) / unit);
}

/* No vertex is farther than the support told, whose two vertices are of the shapes. */
static void check_supports2(const tape *t, const gjb_pair2 *pair, double slack)
{
    for (int k = 0; k < t->count; k++) {
        const gjb_trace_step *step = &t->steps[k].step;
        for (int side = 0; side < 2 && step->has_support; side++) {
            const gjb_body2 *body = side ? &pair->b : &pair->a;
            const double *at = side ? step->support.b : step->support.a;
            double sign = side ? -1 : 1, least = INFINITY;
            double shift[2] = {side ? pair->b.pose.x - pair->a.pose.x : 0,
                               side ? pair->b.pose.y - pair->a.pose.y : 0};
            for (uint32_t v = 0; v < body->count; v++) {
                double x = body->vertices[v][0], y = body->vertices[v][1];
                double w[2] = {body->pose.c * x - body->pose.s * y + shift[0],
                               body->pose.s * x + body->pose.c * y + shift[1]};
                double ahead =
                    sign * (step->direction[0] * (w[0] - at[0]) + step->direction[1] * (w[1] - at[1]));
                cr_assert(ahead <= slack, "step %d, side %d: a vertex is %g farther", k, side, ahead);
                least = fmin(least, hypot(w[0] - at[0], w[1] - at[1]));
            }
            cr_assert(least <= slack, "step %d, side %d: no vertex", k, side);
        }
    }
}

Test(trace, steps_are_true_in_the_plane)
{
    static test_pair pair;
    static told steps[STEPS];
    for (int family = 0; family < TEST_FAMILIES; family++) {
        for (int k = 0; k < 400; k++) {
            test_pair_make(&pair, (test_family)family, (uint64_t)k, k % 50 ? 12 : 70);
            tape t = {.steps = steps};
            ref_answer plain = ref_signed_distance2(&pair.pair);
            ref_answer traced = ref_signed_distance2_traced(&pair.pair, &(gjb_trace){record, &t});
            cr_assert(!memcmp(&plain, &traced, sizeof plain),
                      "family %d, pair %d: watching changes the answer", family, k);
            double radii = pair.pair.a.radius + pair.pair.b.radius;
            gjb_pair whole = {.dim = 2, .as.plane = pair.pair};
            check_supports2(&t, &pair.pair, SLACK * 0x1p-53 * gjb_pair_size(&whole));
            gjb_pair2 cores = pair.pair;
            cores.a.radius = cores.b.radius = 0;
            ref_exact x;
            ref_oracle2(&cores, &x);
            check_steps(&t, &whole, x.lo, x.hi, traced.sigma + radii, family, k);

            plain = ref_gjk2(&pair.pair);
            t.count = 0;
            traced = ref_gjk2_traced(&pair.pair, &(gjb_trace){record, &t});
            cr_assert(!memcmp(&plain, &traced, sizeof plain) && t.count > 0,
                      "family %d, pair %d: of GJK alone", family, k);
        }
    }
}

/* What GJK and EPA fall back on where rounding stalls them, which it hardly ever does. */
Test(trace, the_fallback_tells_what_is_true)
{
    static test_pair pair;
    static told steps[STEPS];
    for (int family = 0; family < TEST_FAMILIES; family++) {
        for (int k = 0; k < 100; k++) {
            test_pair_make(&pair, (test_family)family, (uint64_t)k, 12);
            pair.pair.a.radius = pair.pair.b.radius = 0;
            tape t = {.steps = steps};
            ref_frame2 frame;
            ref_watch watch;
            ref_core2 plain = {0}, traced = {0};
            cr_assert(ref_frame2_open(&frame, &pair.pair));
            ref_enumerate_core2(&frame, &plain);
            ref_watch_open(&watch, &(gjb_trace){record, &t}, 2);
            frame.watch = ref_watch_at(&watch, frame.unscale);
            ref_enumerate_core2(&frame, &traced);
            ref_watch_close(&watch);
            cr_assert(!memcmp(&plain, &traced, sizeof plain), "family %d, pair %d: watching changes it", family, k);
            cr_assert_eq(t.count, 1);
            cr_assert_str_eq(steps[0].step.method, "enumeration");
            ref_exact x;
            ref_oracle2(&pair.pair, &x);
            const gjb_pair whole = {.dim = 2, .as.plane = pair.pair};
            check_steps(&t, &whole, x.lo, x.hi, traced.sigma * frame.unscale, family, k);
        }
    }
}

Test(trace, steps_are_true_in_space)
{
    static test_pair3 pair;
    static told steps[STEPS];
    for (int family = 0; family < TEST_FAMILIES3; family++) {
        for (int k = 0; k < 120; k++) {
            test_pair3_make(&pair, (test_family3)family, (uint64_t)k, k % 40 ? 12 : 60);
            tape t = {.steps = steps};
            ref_answer3 plain = ref_signed_distance3(&pair.pair, NULL);
            ref_answer3 traced = ref_signed_distance3_traced(&pair.pair, NULL, &(gjb_trace){record, &t});
            cr_assert(!memcmp(&plain, &traced, sizeof plain),
                      "family %d, pair %d: watching changes the answer", family, k);
            double radii = pair.pair.a.radius + pair.pair.b.radius;
            gjb_pair whole = {.dim = 3, .as.space = pair.pair};
            gjb_pair3 cores = pair.pair;
            cores.a.radius = cores.b.radius = 0;
            ref_exact3 x;
            ref_oracle3(&cores, &x);
            check_steps(&t, &whole, x.lo, x.hi, traced.sigma + radii, family, k);

            plain = ref_gjk3(&pair.pair);
            t.count = 0;
            traced = ref_gjk3_traced(&pair.pair, &(gjb_trace){record, &t});
            cr_assert(!memcmp(&plain, &traced, sizeof plain) && t.count > 0,
                      "family %d, pair %d: of GJK alone", family, k);
        }
    }
}

/* Faces are counter-clockwise seen from outside: of A - B, not of its mirror image. */
static void check_faces(void *user, const gjb_trace_step *step)
{
    uint32_t *seen = user;
    for (uint32_t f = 0; f < step->face_count; f++) {
        const double *p = step->vertices[step->faces[f][0]].w, *q = step->vertices[step->faces[f][1]].w;
        double n[3] = {q[1] - p[1], p[0] - q[0], 0};
        if (step->faces[f][2] != UINT32_MAX) {
            const double *r = step->vertices[step->faces[f][2]].w;
            double e[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]},
                   g[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
            n[0] = e[1] * g[2] - e[2] * g[1];
            n[1] = e[2] * g[0] - e[0] * g[2];
            n[2] = e[0] * g[1] - e[1] * g[0];
        }
        for (uint32_t v = 0; v < step->vertex_count; v++) {
            const double *w = step->vertices[v].w;
            double beyond = n[0] * (w[0] - p[0]) + n[1] * (w[1] - p[1]) + n[2] * (w[2] - p[2]);
            cr_assert(beyond <= 1e-9, "a vertex lies %g beyond face %u", beyond, f);
        }
        ++*seen;
    }
}

Test(trace, polytopes_face_outward)
{
    static test_pair pair;
    static test_pair3 solid;
    uint32_t seen[2] = {0, 0};
    for (int k = 0; k < 200; k++) {
        test_pair_make(&pair, PLAIN, (uint64_t)k, 12);
        ref_signed_distance2_traced(&pair.pair, &(gjb_trace){check_faces, &seen[0]});
        test_pair3_make(&solid, SPACE_PLAIN, (uint64_t)k, 12);
        ref_signed_distance3_traced(&solid.pair, NULL, &(gjb_trace){check_faces, &seen[1]});
    }
    cr_assert(seen[0] > 500 && seen[1] > 500, "%u edges, %u faces", seen[0], seen[1]);
}
