/* Times of impact against closed forms, proofs against what is not proven, and the scalar method against
 * the oracle on random motions. */
#include <criterion/criterion.h>
#include <math.h>

#include "reference/motion/motion.h"
#include "reference/motion/motion_advance.h"
#include "reference/tests/moving.h"

static const double unit = 0x1p-53;

static double still_sigma(const gjb_pair *pair)
{
    if (pair->dim == 2) {
        ref_exact exact;
        ref_oracle2(&pair->as.plane, &exact);
        return exact.hi;
    }
    ref_exact3 exact;
    ref_oracle3(&pair->as.space, &exact);
    return exact.hi;
}

/* The oracle's interval holds `time` up to `slack`, and the scalar method is right. */
static void expect_hit(const gjb_pair *pair, long double time, double slack, const char *name)
{
    ref_toi_truth truth;
    ref_toi_answer answer;
    double size = gjb_path_size(pair);
    ref_oracle_toi(pair, &truth);
    cr_assert_eq(truth.contact, REF_CONTACT, "%s: contact %d", name, truth.contact);
    cr_assert(truth.lo <= time + slack && time - slack <= truth.hi, "%s: [%.17g, %.17g] for %.17Lg", name, truth.lo,
              truth.hi, time);
    ref_toi(pair, &answer);
    cr_assert_eq(answer.status, GJB_HIT, "%s", name);
    cr_assert_leq(answer.time, truth.lo, "%s: late", name);
    cr_assert_leq(ref_sigma_at(pair, answer.time).upper, 8 * unit * size, "%s: early", name);
}

static gjb_pair disks(const double at[2], const double by[2], double ra, double rb)
{
    static const double origin[1][2] = {{0, 0}};
    gjb_pair pair = {.dim = 2};
    pair.as.plane.a = (gjb_body2){GJB_POINT, 1, origin, ra, {1, -2, 1, 0}, {0.5, 0.25, 3}};
    pair.as.plane.b = (gjb_body2){GJB_POINT, 1, origin, rb, {1 + at[0], -2 + at[1], 1, 0},
                                  {0.5 + by[0], 0.25 + by[1], -2}};
    return pair;
}

static gjb_pair balls(const double at[3], const double by[3], double ra, double rb)
{
    static const double origin[1][3] = {{0, 0, 0}};
    gjb_pair pair = {.dim = 3};
    pair.as.space.a = (gjb_body3){GJB_POINT, 1, origin, ra, {0, 0, 0, 0, 0, 0, 1}, {0.5, 0.25, 1, 3, 0, 1}};
    pair.as.space.b = (gjb_body3){GJB_POINT, 1, origin, rb, {at[0], at[1], at[2], 0.6, 0, 0, 0.8},
                                  {0.5 + by[0], 0.25 + by[1], 1 + by[2], 0, 1, 2}};
    return pair;
}

/* |p + t v| = r, the first root. */
static long double first_root(const double *p, const double *v, int dim, double r)
{
    long double vv = 0, pv = 0, pp = 0;
    for (int m = 0; m < dim; m++) {
        vv += (long double)v[m] * v[m];
        pv += (long double)p[m] * v[m];
        pp += (long double)p[m] * p[m];
    }
    pp -= (long double)r * r;
    return pp / (-pv + sqrtl(pv * pv - vv * pp)); /* no cancellation: pv < 0 */
}

Test(motion, disks_and_balls_by_the_quadratic)
{
    for (int k = 0; k < 300; k++) {
        gjb_random r = gjb_random_make(11, 2, (uint64_t)k);
        double p[3], v[3], aside[3];
        for (int m = 0; m < 3; m++) { /* on a grid, so that sums of the set-up are exact */
            p[m] = round(gjb_random_range(&r, -2048, 2048)) / 512;
            aside[m] = round(gjb_random_range(&r, -300, 300)) / 512;
            v[m] = -2 * p[m] + aside[m];
        }
        if (hypot(p[0], p[1]) <= 1.25)
            continue;
        for (int dim = 2; dim <= 3; dim++) {
            gjb_pair pair = dim == 2 ? disks(p, v, 0.75, 0.5) : balls(p, v, 0.75, 0.5);
            long double cross = 0, vv = 0;
            for (int m = 0; m < dim; m++) {
                int n = (m + 1) % dim;
                cross += powl((long double)p[m] * v[n] - (long double)p[n] * v[m], 2) * (dim == 2 ? 0.5L : 1);
                vv += (long double)v[m] * v[m];
            }
            if (cross / vv >= 1.5625L) { /* passes by */
                ref_toi_truth truth;
                ref_oracle_toi(&pair, &truth);
                cr_assert_eq(truth.contact, REF_NO_CONTACT);
            } else {
                expect_hit(&pair, first_root(p, v, dim, 1.25), 1e-17, dim == 2 ? "disks" : "balls");
            }
        }
    }
}

/* A segment from the origin turns by `angle`; a disk of radius r waits at distance d, at angle phi. */
Test(motion, a_turning_segment_by_the_arcsine)
{
    static const double segment[2][2] = {{0, 0}, {2, 0}}, origin[1][2] = {{0, 0}};
    static const double segment3[2][3] = {{0, 0, 0}, {2, 0, 0}}, origin3[1][3] = {{0, 0, 0}};
    for (int k = 0; k < 100; k++) {
        gjb_random r = gjb_random_make(12, 2, (uint64_t)k);
        double d = gjb_random_range(&r, 0.5, 1.9), phi = gjb_random_range(&r, 0.6, 3);
        double angle = phi * (1 + gjb_random_unit(&r) * 30), radius = k % 3 ? gjb_random_range(&r, 0, 0.2) : 0;
        double x = d * cos(phi), y = d * sin(phi);
        long double at = atan2l(y, x), time = (at - asinl(radius / hypotl(x, y))) / angle;
        gjb_pair pair = {.dim = 2};
        pair.as.plane.a = (gjb_body2){GJB_SEGMENT, 2, segment, 0, {0, 0, 1, 0}, {0, 0, angle}};
        pair.as.plane.b = (gjb_body2){GJB_POINT, 1, origin, radius, {x, y, 1, 0}, {0, 0, 0}};
        expect_hit(&pair, time, 1e-17, "segment");
        /* The same seen from the segment, and in space about each axis. */
        gjb_pair seen = {.dim = 2};
        seen.as.plane.a = pair.as.plane.b;
        seen.as.plane.b = pair.as.plane.a;
        expect_hit(&seen, time, 1e-17, "segment as B");
        if (radius == 0)
            continue; /* a point meets a segment in space by luck alone */
        gjb_pair space = {.dim = 3};
        space.as.space.a = (gjb_body3){GJB_SEGMENT, 2, segment3, 0, {0, 0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, angle}};
        space.as.space.b = (gjb_body3){GJB_POINT, 1, origin3, radius, {x, y, 0, 0, 0, 0, 1}, {.x = 0}};
        expect_hit(&space, time, 1e-17, "segment in space");
    }
}

/* The corner of a square of half a side turns into a wall x >= h: R cos(45 degrees - t angle) = h. */
Test(motion, a_corner_turns_into_a_wall)
{
    static const double square[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    static const double wall[4][2] = {{0, -64}, {64, -64}, {64, 64}, {0, 64}};
    static const double cube[8][3] = {{1, 1, 1}, {-1, 1, 1}, {-1, -1, 1}, {1, -1, 1},
                                      {1, 1, -1}, {-1, 1, -1}, {-1, -1, -1}, {1, -1, -1}};
    static const double wall3[8][3] = {{0, -64, -8}, {64, -64, -8}, {64, 64, -8}, {0, 64, -8},
                                       {0, -64, 8}, {64, -64, 8}, {64, 64, 8}, {0, 64, 8}};
    for (int k = 1; k < 40; k++) {
        double h = 1 + 0.41 * k / 40.0, angle = 0.9 + k;
        long double time = (acosl(-1) / 4 - acosl(h / sqrtl(2))) / angle;
        gjb_pair pair = {.dim = 2};
        pair.as.plane.a = (gjb_body2){GJB_POLYGON, 4, square, 0, {0, 0, 1, 0}, {0, 0, angle}};
        pair.as.plane.b = (gjb_body2){GJB_POLYGON, 4, wall, 0, {h, 0, 1, 0}, {0, 0, 0}};
        expect_hit(&pair, time, 1e-17, "corner");
        gjb_pair space = {.dim = 3};
        space.as.space.a = (gjb_body3){GJB_HULL, 8, cube, 0, {0, 0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, angle}};
        space.as.space.b = (gjb_body3){GJB_HULL, 8, wall3, 0, {h, 0, 0, 0, 0, 0, 1}, {.x = 0}};
        expect_hit(&space, time, 1e-17, "edge of a cube");
    }
}

/* One disk rolls by another at a gap: hit or miss by the last digits. */
Test(motion, grazes_are_told_apart)
{
    const double p[2] = {-4, 0}, v[2] = {8, 0};
    for (int k = -48; k <= 48; k++) {
        double off = 1 + k * 0x1p-50;
        const double from[2] = {p[0], off};
        gjb_pair pair = disks(from, v, 0.5, 0.5);
        pair.as.plane.a.pose.x = pair.as.plane.a.pose.y = 0; /* so that nothing is rounded */
        pair.as.plane.b.pose.x = from[0];
        pair.as.plane.b.pose.y = from[1];
        ref_toi_truth truth;
        ref_toi_answer answer;
        ref_oracle_toi(&pair, &truth);
        ref_toi(&pair, &answer);
        cr_assert_eq(truth.contact, k > 0 ? REF_NO_CONTACT : REF_CONTACT, "%d: %d", k, truth.contact);
        cr_assert(k > 0 || answer.status == GJB_HIT);
        cr_assert(answer.status == GJB_SEPARATED ||
                  ref_sigma_at(&pair, answer.time).upper <= 8 * unit * gjb_path_size(&pair));
    }
}

/* A contact at a time that is a double is found there. */
Test(motion, meets_at_a_double)
{
    for (int k = 1; k < 16; k++) {
        const double p[2] = {-4, 0}, v[2] = {16 * 3.0 / k, 0};
        if (k & (k - 1))
            continue;
        gjb_pair pair = disks(p, v, 0.5, 0.5);
        ref_toi_truth truth;
        ref_oracle_toi(&pair, &truth);
        cr_assert(truth.exact && truth.hi == k / 16.0 && truth.lo == nextafter(truth.hi, 0), "%d: %.17g", k, truth.hi);
    }
    for (int k = 10; k <= 40; k++) { /* so slowly that many doubles of time are one of distance */
        const double p[2] = {-1 - ldexp(1, -k), 0}, v[2] = {ldexp(8.0 / 3, -k), 0}, w[2] = {ldexp(2, -k), 0};
        gjb_pair pair = disks(p, v, 0.5, 0.5);
        pair.as.plane.a.motion = (gjb_motion2d){0, 0, 3}; /* so that nothing is rounded */
        pair.as.plane.b.motion = (gjb_motion2d){w[0], 0, -2};
        ref_toi_truth truth;
        ref_oracle_toi(&pair, &truth);
        cr_assert(truth.exact && truth.hi == 0.5 && truth.lo == nextafter(0.5, 0), "%d: %.17g", k, truth.hi);
        pair.as.plane.b.motion.x = v[0];
        ref_oracle_toi(&pair, &truth);
        cr_assert(truth.exact && truth.lo <= 0.375 && 0.375 <= truth.hi + 1e-15, "%d: %.17g", k, truth.hi);
    }
}

/* Points that meet at a third, and at no double, or pass at `off`: whoever only looks at doubles sees no contact. What
 * is exactly apart is never said to touch, nor the other way round; a quarter is a double. */
Test(motion, points_that_meet_between_two_doubles)
{
    static const double origin2[1][2] = {{0, 0}}, origin3[1][3] = {{0, 0, 0}};
    static const double offs[] = {0, 1e-300, 0x1p-80, 0x1p-60, 0x1p-54, 0x1p-50, 1e-12, 1e-3};
    enum { OFFS = sizeof offs / sizeof *offs, SURELY_APART = OFFS - 2 };
    for (int k = 0; k < 2 * OFFS; k++) {
        const double off = offs[k / 2], by = k % 2 ? 3 : 4;
        gjb_pair plane = {.dim = 2}, space = {.dim = 3};
        plane.as.plane.a = (gjb_body2){GJB_POLYGON, 1, origin2, 0, {-1, 0, 1, 0}, {by, 0, 0}};
        plane.as.plane.b = (gjb_body2){GJB_POLYGON, 1, origin2, 0, {0, off, 1, 0}, {0, 0, 0}};
        space.as.space.a = (gjb_body3){GJB_HULL, 1, origin3, 0, {0, 0, -1, 0, 0, 0, 1}, {.z = by}};
        space.as.space.b = (gjb_body3){GJB_HULL, 1, origin3, 0, {off, 0, 0, 0, 0, 0, 1}, {.x = 0}};
        for (int dim = 2; dim <= 3; dim++) {
            const gjb_pair *pair = dim == 2 ? &plane : &space;
            ref_toi_truth truth;
            ref_toi_answer answer;
            ref_oracle_toi(pair, &truth);
            ref_toi(pair, &answer);
            if (off == 0) {
                cr_assert_neq(truth.contact, REF_NO_CONTACT, "%dD, by %g", dim, by);
                cr_assert(truth.contact == REF_CONTACT_CLOSE || (truth.exact && truth.hi - truth.lo <= unit));
                cr_assert(truth.contact == REF_CONTACT || by == 3, "%dD", dim);
                cr_assert(truth.lo <= 1 / by && 1 / by <= truth.hi, "%dD, by %g: %.17g", dim, by, truth.lo);
                cr_assert(answer.status == GJB_HIT && answer.time <= truth.lo && answer.time >= 1 / by - 1e-14);
            } else {
                cr_assert_neq(truth.contact, REF_CONTACT, "%dD, off %g, by %g", dim, off, by);
                cr_assert(truth.contact == REF_NO_CONTACT || k / 2 < SURELY_APART, "%dD, off %g", dim, off);
                cr_assert(answer.status == GJB_SEPARATED || k / 2 < SURELY_APART, "%dD, off %g", dim, off);
            }
        }
    }
}

/* Turns v by the vector `by`. */
static void turn(long double v[3], const long double by[3], long double time)
{
    long double axis[3], across[3], angle = ref_unit(axis, by) * time, along = ref_inner(axis, v);
    ref_cross(across, axis, v);
    for (int m = 0; m < 3; m++)
        v[m] = cosl(angle) * v[m] + sinl(angle) * across[m] + (1 - cosl(angle)) * along * axis[m];
}

/* Bounds along any axis, of any spin, stay below the gaps that they bound, and both checkers know them alike. */
Test(motion, bounds_hold_along_any_axis)
{
    static test_moving m;
    int tight = 0;
    for (int k = 0; k < 3000; k++) {
        gjb_random r = gjb_random_make(13, 0, (uint64_t)k);
        uint32_t dim = 2 + (k & 1);
        test_moving_make(&m, dim, (test_motion)(k % TEST_MOTIONS), (uint64_t)k / 8, 8);
        ref_mover mover;
        ref_posed posed;
        double t = 0.9 * gjb_random_unit(&r), fast = pow(10, gjb_random_range(&r, -2, 2));
        double tau = fmin(1 - t, pow(10, -gjb_random_range(&r, 0, 4)));
        double next = t + tau;
        cr_assert(ref_mover_open(&mover, &m.pair));
        if (mover.size == 0)
            continue;
        ref_mover_pose(&mover, t, &posed);
        ref_axis axis = {.spin = {0}};
        ref_nearby near;
        ref_mover_distance(&posed, mover.offset, &near);
        long double any[3] = {gjb_random_range(&r, -1, 1), gjb_random_range(&r, -1, 1), 0};
        any[2] = dim == 3 ? gjb_random_range(&r, -1, 1) : 0;
        ref_unit(axis.normal, k % 4 && near.apart ? near.axis.normal : any);
        for (int c = 0; c < 3 && k % 3; c++)
            axis.spin[c] = dim == 3 || c == 2 ? fast * gjb_random_range(&r, -1, 1) : 0;
        long double first[REF_BOUNDS_ON_GAP], last[REF_BOUNDS_ON_GAP], proven = -HUGE_VALL, seen = HUGE_VALL;
        ref_mover_bounds(&posed, &axis, 0, first);
        ref_mover_bounds(&posed, &axis, (long double)next - t, last);
        for (int b = 0; b < REF_BOUNDS_ON_GAP; b++)
            proven = fmaxl(proven, fminl(first[b], last[b]));
        for (int s = 0; s <= 40; s++) {
            double at = s < 40 ? fmin(t + (next - t) * s / 40, next) : next;
            long double n[3] = {axis.normal[0], axis.normal[1], axis.normal[2]};
            turn(n, axis.spin, (long double)at - t);
            ref_posed there;
            ref_mover_pose(&mover, at, &there);
            seen = fminl(seen, ref_mover_gap(&there, n));
        }
        cr_assert(proven <= seen + mover.doubt, "%d: %Lg proven of %Lg", k, proven, seen);
        tight += proven > seen - 1e-3L * mover.size;
        /* In long double, what bends and what extends is taken 2^-40 too high. */
        long double doubt = 0x1p-37L * (mover.size * (1 + fast * tau) + fabsl(proven));
        ref_proof_step step = {t, {axis.normal[0], axis.normal[1], axis.normal[2]},
                               {axis.spin[0], axis.spin[1], axis.spin[2]}};
        ref_proof proof = {&step, 1, 1, next};
        double below = (double)(proven - doubt), above = (double)(proven + doubt);
        cr_assert(ref_check_apart(&m.pair, t, next, below, &proof), "%d: %Lg, %g, %g to %g", k, proven, below, t, next);
        cr_assert(!ref_check_apart(&m.pair, t, next, above, &proof), "%d", k);
        cr_assert(ref_check_apart_exact(&m.pair, t, next, below, &proof), "%d", k);
        cr_assert(!ref_check_apart_exact(&m.pair, t, next, above, &proof), "%d", k);
    }
    cr_assert_geq(tight, 500, "%d", tight);
}

static void check_rules(const gjb_pair *pair, const ref_toi_truth *truth, int motion, int k)
{
    ref_toi_answer a;
    double size = gjb_path_size(pair), near = 8 * unit * size;
    ref_toi(pair, &a);
    cr_assert(a.status == GJB_HIT || a.status == GJB_SEPARATED || a.status == GJB_OVERLAPPING,
              "%d %d: status %d", motion, k, a.status);
    cr_assert(a.status != GJB_SEPARATED || truth->contact == REF_NO_CONTACT, "%d %d: missed", motion, k);
    cr_assert(a.status != GJB_OVERLAPPING || truth->start.lower <= near, "%d %d: apart at first", motion, k);
    cr_assert(a.status == GJB_OVERLAPPING || truth->sign > 0, "%d %d: overlap at first", motion, k);
    cr_assert_leq(a.iterations, motion == MOVING_SPINNING ? 150 : 100, "%d %d: %d steps", motion, k, a.iterations);
    if (a.status != GJB_HIT)
        return;
    cr_assert(a.time > 0 && a.time <= truth->lo, "%d %d: %.17g is later than %.17g", motion, k, a.time, truth->lo);
    ref_bounds sigma = ref_sigma_at(pair, a.time);
    cr_assert(sigma.lower > 0 && sigma.upper <= near, "%d %d: sigma %g of %g", motion, k, sigma.upper, size);
    cr_assert(fabs(a.sigma - sigma.upper) <= 4 * unit * size);
    long double error, gap = ref_gap_at(pair, a.time, a.normal, &error), off;
    cr_assert(gap >= sigma.upper - 4 * unit * size && error < 0x1p-56 * size);
    cr_assert(ref_point_distance_at(pair, a.time, false, a.point_a, &off) <= off + 4 * unit * size);
    cr_assert(ref_point_distance_at(pair, a.time, true, a.point_b, &off) <= off + 4 * unit * size);
    for (int m = 0; m < 3; m++)
        cr_assert(fabs(a.point_b[m] - a.point_a[m] - a.sigma * a.normal[m]) <= 6 * unit * size);
}

/* Samples of exact signed distance before the interval are apart, and `hi` is in contact where it says so. */
static void check_samples(const gjb_pair *pair, const ref_toi_truth *truth, int motion, int k)
{
    gjb_pair there;
    double slack = 8 * unit * gjb_path_size(pair);
    for (int s = 0; s <= 32 && truth->sign > 0; s++) {
        double t = truth->lo * s / 32;
        ref_pair_at(pair, t, &there);
        cr_assert(still_sigma(&there) > -slack, "%d %d: in contact at %.17g", motion, k, t);
        if (s % 8 == 0) {
            ref_sigma exact = ref_oracle_sigma_at(pair, t);
            ref_bounds bounds = ref_sigma_at(pair, t);
            cr_assert(exact.lo > 0 || t == truth->lo, "%d %d: sigma %g at %.17g", motion, k, exact.lo, t);
            cr_assert(bounds.lower <= exact.hi && exact.lo <= bounds.upper && bounds.upper - bounds.lower <= 2 * slack,
                      "%d %d: [%g, %g] for [%g, %g], slack %g", motion, k, bounds.lower, bounds.upper, exact.lo, exact.hi,
                      slack);
        }
    }
    if (truth->contact == REF_CONTACT) {
        cr_assert_leq(ref_sigma_at(pair, truth->hi).lower, slack);
        cr_assert(truth->lo < truth->hi);
        cr_assert(!truth->exact || nextafter(truth->lo, 2) == truth->hi);
    }
}

Test(motion, agrees_with_the_oracle)
{
    static test_moving m;
    int close = 0, total = 0;
    for (uint32_t dim = 2; dim <= 3; dim++) {
        for (int motion = 0; motion < TEST_MOTIONS; motion++) {
            for (int k = 0; k < 150; k++) {
                test_moving_make(&m, dim, (test_motion)motion, (uint64_t)k, k % 30 ? 12 : 60);
                ref_toi_truth truth;
                ref_oracle_toi(&m.pair, &truth);
                check_rules(&m.pair, &truth, motion, k);
                check_samples(&m.pair, &truth, motion, k);
                close += truth.contact == REF_CONTACT_CLOSE;
                total++;
            }
        }
    }
    cr_assert_leq(close * 100, total, "%d of %d undecided", close, total);
}

/* Swapped, in half the time, and at a common velocity the first contact stays what it is. */
Test(motion, keeps_what_motion_keeps)
{
    static test_moving m;
    for (uint32_t dim = 2; dim <= 3; dim++) {
        for (int k = 0; k < 60; k++) {
            test_moving_make(&m, dim, MOVING_TURNING, (uint64_t)k, 10);
            ref_toi_truth truth, swapped;
            ref_oracle_toi(&m.pair, &truth);
            gjb_pair other = m.pair;
            if (dim == 2) {
                other.as.plane.a = m.pair.as.plane.b;
                other.as.plane.b = m.pair.as.plane.a;
            } else {
                other.as.space.a = m.pair.as.space.b;
                other.as.space.b = m.pair.as.space.a;
            }
            ref_oracle_toi(&other, &swapped);
            cr_assert_eq(truth.contact, swapped.contact);
            cr_assert(truth.sign <= 0 || (swapped.lo < truth.hi && truth.lo < swapped.hi));
        }
    }
}

static bool both_accept(const gjb_pair *pair, double end, double margin, const ref_proof *proof)
{
    bool quick = ref_check_apart(pair, 0, end, margin, proof);
    bool exact = ref_check_apart_exact(pair, 0, end, margin, proof);
    cr_assert(!quick || exact, "long double accepts what MPFR does not");
    return exact;
}

Test(motion, proofs_are_checked)
{
    static test_moving m;
    int proven = 0;
    for (uint32_t dim = 2; dim <= 3; dim++) {
        for (int k = 0; k < 200; k++) {
            test_moving_make(&m, dim, (test_motion)(k % TEST_MOTIONS), (uint64_t)k, 10);
            ref_toi_answer a;
            ref_toi(&m.pair, &a);
            if (a.status != GJB_HIT)
                continue;
            ref_proof proof = {0};
            double until, at, size = gjb_path_size(&m.pair), near = ref_sigma_at(&m.pair, a.time).upper;
            cr_assert_eq(ref_prove_apart(&m.pair, 0, a.time, 0, &proof, &until, &at), REF_PROVEN);
            cr_assert(both_accept(&m.pair, a.time, 0, &proof));
            proven++;
            /* What is false must not be accepted: more time, more margin, a step left out, an axis bent. */
            ref_toi_truth truth;
            ref_oracle_toi(&m.pair, &truth);
            ref_proof longer = proof;
            longer.end = fmin(1, truth.hi + 8 * unit);
            cr_assert(!both_accept(&m.pair, longer.end, 0, &longer) || truth.contact != REF_CONTACT);
            cr_assert(!both_accept(&m.pair, a.time, near + 16 * unit * size, &proof));
            ref_proof_step *last = &proof.steps[proof.count - 1], kept = *last;
            for (int c = 0; c < 3; c++)
                last->normal[c] = -kept.normal[c];
            cr_assert(!both_accept(&m.pair, a.time, 0, &proof));
            *last = kept;
            last->normal[0] = NAN;
            cr_assert(!both_accept(&m.pair, a.time, 0, &proof));
            *last = kept;
            proof.end = nextafter(proof.end, 0);
            cr_assert(!both_accept(&m.pair, a.time, 0, &proof));
            /* Refuted where it is false by more than rounding. */
            double beyond = fmin(1, truth.hi + 1e-3);
            if (truth.contact == REF_CONTACT && ref_sigma_at(&m.pair, beyond).upper < 0) {
                cr_assert_eq(ref_prove_apart(&m.pair, 0, beyond, 0, &proof, &until, &at), REF_REFUTED);
                cr_assert(until <= truth.hi && ref_sigma_at(&m.pair, at).upper <= 0);
            }
            ref_proof_free(&proof);
        }
    }
    cr_assert_geq(proven, 150);
}

Test(motion, refuses_what_is_no_motion)
{
    const double p[2] = {-4, 0.5}, v[2] = {8, 0};
    ref_toi_answer answer;
    gjb_pair pair = disks(p, v, 0.5, 0.5);
    pair.as.plane.a.motion.angle = NAN;
    ref_toi(&pair, &answer);
    cr_assert_eq(answer.status, GJB_INVALID_INPUT);
    pair = disks(p, v, 0.5, 0.5);
    pair.as.plane.b.motion.angle = 2 * GJB_MOST_RADIANS;
    ref_toi(&pair, &answer);
    cr_assert_eq(answer.status, GJB_INVALID_INPUT);
    pair = disks(p, v, 0.5, 0.5);
    pair.as.plane.b.count = 0;
    ref_toi(&pair, &answer);
    cr_assert_eq(answer.status, GJB_INVALID_INPUT);
}

/* What touches at first and goes no deeper is left, by corners too; a contact of later, or one that is too deep, is
 * not. */
Test(motion, contacts_that_are_left)
{
    static const double square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, origin[1][2] = {{0, 0}};
    static const struct {
        double x, y, dx, dy;
        bool round, left;
    } cases[] = {
        {2, 0, 0, 1, false, true},   {2, 0, 1, -3, false, true},  {2, 0, -1, 3, false, false},
        {2, 2, -1, 0, false, true},  {2, 2, -1, 1, false, true},  {2, 2, -1, -0x1p-20, false, false},
        {2, 0, 0, 0, false, true},   {1.5, 0, 1, 0, false, false}, {3, 0, -2, 0, false, false},
        {2, 0, 0, 1, true, true},    {2, 0, 0x1p-10, 1, true, true}, {2, 0, -0x1p-10, 1, true, false},
        {2, 0x1p-30, 0, 1, true, true}, {2, 2 - 0x1p-30, -1, 1, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const gjb_kind kind = cases[i].round ? GJB_POINT : GJB_POLYGON;
        const double(*vertices)[2] = cases[i].round ? origin : square;
        const uint32_t count = cases[i].round ? 1 : 4;
        gjb_pair pair = {.dim = 2};
        pair.as.plane.a = (gjb_body2){kind, count, vertices, cases[i].round, {0, 0, 1, 0}, {0, 0, 0}};
        pair.as.plane.b = (gjb_body2){kind, count, vertices, cases[i].round, {cases[i].x, cases[i].y, 1, 0},
                                      {cases[i].dx, cases[i].dy, 0}};
        ref_toi_answer plain, answer;
        ref_toi(&pair, &plain);
        answer = plain;
        ref_toi_leave(&pair, 16 * unit * gjb_path_size(&pair), &answer);
        cr_expect_eq(answer.status, cases[i].left ? GJB_SEPARATED : plain.status, "case %zu", i);
        pair.as.plane.b.motion.angle = 0x1p-40;
        ref_toi(&pair, &plain);
        answer = plain;
        ref_toi_leave(&pair, 1, &answer);
        cr_expect(cases[i].round || answer.status == plain.status, "case %zu turns", i);
    }
}
