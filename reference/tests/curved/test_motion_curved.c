/* Curved pairs in motion: paper, twins among polytopes, and proofs that are held to be such. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "reference/curved/curved.h"
#include "reference/motion/motion.h"
#include "reference/tests/curved/curved_pairs.h"

static void move(curved_pair *made, int side, const double by[3], const double turn[3])
{
    if (made->pair.dim == 2) {
        (side ? &made->pair.as.plane.b : &made->pair.as.plane.a)->motion = (gjb_motion2d){by[0], by[1], turn[2]};
    } else {
        (side ? &made->pair.as.space.b : &made->pair.as.space.a)->motion =
            (gjb_motion3d){by[0], by[1], by[2], turn[0], turn[1], turn[2]};
    }
}

/* B towards A from up to a few sizes away, both turning, sometimes many times. */
static void make(curved_pair *made, uint32_t dim, curved_family family, uint64_t index)
{
    curved_pair_make(made, dim, family, index);
    gjb_random r = gjb_random_make(11, dim, index);
    const double size = gjb_pair_size(&made->pair);
    double by[2][3] = {{0}}, turn[2][3] = {{0}};
    gjb_body2 *flat = &made->pair.as.plane.b;
    gjb_body3 *solid = &made->pair.as.space.b;
    const double spin = index % 3 == 0 ? 0 : index % 3 == 1 ? 1 : 20;
    for (uint32_t k = 0; k < dim; k++) {
        const double away = size * gjb_random_range(&r, -1.5, 1.5);
        double *at = dim == 2 ? (k ? &flat->pose.y : &flat->pose.x)
                              : k == 0 ? &solid->pose.x : k == 1 ? &solid->pose.y : &solid->pose.z;
        *at += away;
        by[1][k] = -gjb_random_range(&r, 0.2, 2) * away;
        by[0][k] = size * gjb_random_range(&r, -0.2, 0.2);
    }
    for (int k = 0; k < 6; k++)
        turn[k / 3][k % 3] = spin * gjb_random_range(&r, -1, 1);
    move(made, 0, by[0], turn[0]);
    move(made, 1, by[1], turn[1]);
}

static void check_answer(const gjb_pair *pair, const char *what, int index)
{
    const double size = gjb_path_size(pair), unit = 0x1p-53 * size;
    ref_toi_answer answer;
    ref_toi_truth truth;
    ref_toi(pair, &answer);
    ref_oracle_toi(pair, &truth);
    cr_assert(truth.contact != REF_CONTACT_CLOSE, "%s, pair %d: open from %.17g on", what, index, truth.lo);
    switch (truth.contact) {
    case REF_NO_CONTACT: cr_assert_eq(answer.status, GJB_SEPARATED, "%s, pair %d", what, index); break;
    case REF_CONTACT_FIRST: cr_assert_eq(answer.status, GJB_OVERLAPPING, "%s, pair %d", what, index); break;
    default:
        cr_assert_eq(answer.status, GJB_HIT, "%s, pair %d: %s", what, index, gjb_status_name(answer.status));
        cr_assert(answer.time <= truth.hi && truth.lo <= truth.hi, "%s, pair %d: %.17g, first [%.17g, %.17g]", what,
                  index, answer.time, truth.lo, truth.hi);
        const ref_sigma then = ref_oracle_sigma_at(pair, answer.time);
        cr_assert(then.lo > 0 && then.hi <= 8 * unit, "%s, pair %d: sigma in [%g, %g] eps S", what, index,
                  then.lo / unit, then.hi / unit);
        const ref_sigma last = ref_oracle_sigma_at(pair, truth.lo);
        cr_assert(last.hi > 0 && last.hi <= 8 * unit, "%s, pair %d: not apart for as long as can be: %g", what, index,
                  last.hi / unit);
        long double error;
        cr_assert(ref_gap_at(pair, answer.time, answer.normal, &error) > 0, "%s, pair %d", what, index);
        for (int side = 0; side < 2; side++) {
            const double *point = side ? answer.point_b : answer.point_a;
            cr_assert(ref_point_distance_at(pair, answer.time, side, point, &error) <= 8 * unit, "%s, pair %d", what, index);
        }
    }
}

Test(motion_curved, times_are_never_late_and_hardly_early, .timeout = 300)
{
    curved_pair made;
    int index = 0;
    for (uint32_t dim = 2; dim <= 3; dim++) {
        for (int family = 0; family < CURVED_COAXIAL; family++) {
            for (uint64_t k = 0; k < 12; k++, index++) {
                make(&made, dim, (curved_family)family, k);
                char what[32];
                snprintf(what, sizeof what, "%uD, family %d", (unsigned)dim, family);
                check_answer(&made.pair, what, (int)k);
            }
        }
    }
}

/* ---- paper ---- */

Test(motion_curved, agrees_with_paper)
{
    static const double still[3] = {0}, turned[4] = {1, 0, 0, 0}, straight[4] = {0, 0, 0, 1};
    static const double ellipse[4] = {2, 1}, wall[4] = {-8, 1.5, 8, 1.5}, cone[3] = {1, 2}, egg[3] = {1, 2, 3};
    curved_pair made = {.pair.dim = 2};
    ref_toi_truth truth;
    /* Its height above the wall's line, the root of 4 sin^2 + cos^2, is 1.5. */
    curved_pair_set(&made, 0, GJB_ELLIPSE, 1, ellipse, 0);
    curved_pair_set(&made, 1, GJB_SEGMENT, 2, wall, 0);
    curved_pair_pose(&made, 0, still, turned);
    curved_pair_pose(&made, 1, still, turned);
    move(&made, 0, still, (const double[3]){0, 0, 2});
    ref_oracle_toi(&made.pair, &truth);
    const double angle = asin(sqrt(1.25 / 3));
    cr_expect(truth.contact == REF_CONTACT && truth.lo <= angle / 2 + 1e-15 && truth.hi >= angle / 2 - 1e-15 &&
              truth.hi - truth.lo < 1e-15, "[%.17g, %.17g], %.17g", truth.lo, truth.hi, angle / 2);
    /* And back from beyond: never. */
    made.pair.as.plane.a.motion.angle = 0.5;
    ref_oracle_toi(&made.pair, &truth);
    cr_expect_eq(truth.contact, REF_NO_CONTACT);
    /* A cone's tip into an ellipsoid: 10 less 2 less 3, at 8 a step. */
    made.pair.dim = 3;
    curved_pair_set(&made, 0, GJB_CONE, 1, cone, 0);
    curved_pair_set(&made, 1, GJB_ELLIPSOID, 1, egg, 0);
    curved_pair_pose(&made, 0, still, straight);
    curved_pair_pose(&made, 1, (const double[3]){0, 0, 10}, straight);
    move(&made, 1, (const double[3]){0, 0, -8}, still);
    ref_oracle_toi(&made.pair, &truth);
    cr_expect(truth.contact == REF_CONTACT && truth.lo <= 0.625 && truth.hi >= 0.625 && truth.hi - truth.lo < 1e-15,
              "[%.17g, %.17g]", truth.lo, truth.hi);
    /* Spinning about the line to it changes nothing. */
    move(&made, 1, (const double[3]){0, 0, -8}, (const double[3]){0, 0, 900});
    ref_oracle_toi(&made.pair, &truth);
    cr_expect(truth.contact == REF_CONTACT && truth.lo <= 0.625 && truth.hi >= 0.625 && truth.hi - truth.lo < 1e-14,
              "[%.17g, %.17g]", truth.lo, truth.hi);
}

/* Points of an ellipse as near as doubles come, which go inwards: whether they touch it to begin with may stay open,
 * and then is said to; that they are in it at the end does not. */
Test(motion_curved, may_begin_without_telling_whether_they_touch)
{
    static const double still[3] = {0}, turned[4] = {1, 0, 0, 0}, straight[4] = {0, 0, 0, 1}, semi[3] = {2, 1, 1}, origin[3] = {0};
    int open = 0;
    for (int k = 0; k < 40; k++) {
        const uint32_t dim = k % 2 ? 3 : 2;
        const double angle = 0.05 + k / 26.0, at[3] = {2 * cos(angle), sin(angle), 0};
        const double by[3] = {-at[0] / 2, -at[1] / 2, 0}, unit = 0x1p-53 * 8;
        curved_pair made = {.pair.dim = dim};
        ref_toi_truth truth;
        curved_pair_set(&made, 0, dim == 2 ? GJB_ELLIPSE : GJB_ELLIPSOID, 1, semi, 0);
        curved_pair_set(&made, 1, GJB_POINT, 1, origin, 0);
        curved_pair_pose(&made, 0, still, dim == 2 ? turned : straight);
        curved_pair_pose(&made, 1, at, dim == 2 ? turned : straight);
        move(&made, 1, by, still);
        ref_oracle_toi(&made.pair, &truth);
        cr_expect_neq(truth.contact, REF_NO_CONTACT, "%d", k);
        cr_expect(truth.start.lower >= -unit && truth.start.upper <= unit, "%d: sigma(0) in [%g, %g]", k,
                  truth.start.lower, truth.start.upper);
        cr_expect(truth.lo <= 4 * unit, "%d: apart until %g", k, truth.lo);
        cr_expect((truth.sign == 0) == (truth.start.lower <= 0 && truth.start.upper > 0), "%d: sign %d", k, truth.sign);
        open += truth.sign == 0 && truth.contact == REF_CONTACT_CLOSE && truth.lo == 0;
    }
    cr_expect(open > 0, "none was open");
}

/* ---- twins ---- */

/* p = 1 is an octahedron, equal semi-axes are a ball: of both the exact oracles know the time. */
Test(motion_curved, meets_when_its_twins_do, .timeout = 120)
{
    curved_pair made, twin;
    int met = 0;
    for (uint64_t k = 0; k < 60; k++) {
        const bool ball = k % 2;
        make(&made, 3, CURVED_PLAIN, k);
        double vertices[18] = {0}, rows[6] = {0};
        for (int m = 0; m < 3; m++) {
            rows[m] = ball ? 0.75 : made.rows[0][0][m] + 0.25;
            vertices[7 * m] = ball ? 0 : rows[m];
            vertices[7 * m + 3] = ball ? 0 : -rows[m];
        }
        rows[3] = ball ? 0 : 1;
        const gjb_body3 a = made.pair.as.space.a;
        double box[24];
        for (int m = 0; m < 24; m++)
            box[m] = gjb_box_corner(3, (uint32_t)m / 3, (uint32_t)m % 3) * (m % 3 + 1) * 0.5;
        const gjb_body3 b = made.pair.as.space.b;
        twin.pair.dim = 3;
        curved_pair_set(&made, 0, ball ? GJB_ELLIPSOID : GJB_SUPERELLIPSOID, ball ? 1 : 2, rows, 0);
        curved_pair_set(&twin, 0, ball ? GJB_POINT : GJB_HULL, ball ? 1 : 6, vertices, ball ? 0.75 : 0);
        curved_pair_set(&made, 1, GJB_BOX, 8, box, 0);
        curved_pair_set(&twin, 1, GJB_BOX, 8, box, 0);
        made.pair.as.space.a.pose = twin.pair.as.space.a.pose = a.pose;
        made.pair.as.space.a.motion = twin.pair.as.space.a.motion = a.motion;
        made.pair.as.space.b.pose = twin.pair.as.space.b.pose = b.pose;
        made.pair.as.space.b.motion = twin.pair.as.space.b.motion = b.motion;
        ref_toi_truth curved, straight;
        ref_oracle_toi(&made.pair, &curved);
        ref_oracle_toi(&twin.pair, &straight);
        cr_assert_eq(curved.contact, straight.contact, "pair %d: %d, %d", (int)k, curved.contact, straight.contact);
        cr_assert(curved.lo <= straight.hi && straight.lo <= curved.hi, "pair %d: [%.17g, %.17g], [%.17g, %.17g]", (int)k,
                  curved.lo, curved.hi, straight.lo, straight.hi);
        met += curved.contact == REF_CONTACT;
    }
    cr_expect(met > 10, "%d met", met);
}

/* ---- proofs ---- */

/* What is found is accepted by both checkers, and a proof that is bent is not. */
Test(motion_curved, proofs_are_checked)
{
    curved_pair made;
    ref_proof proof = {0};
    int proven = 0, bent = 0;
    for (uint64_t k = 0; k < 120; k++) {
        double until, at;
        make(&made, k % 2 ? 3 : 2, (curved_family)(k / 2 % CURVED_COAXIAL), 500 + k);
        if (ref_prove_apart(&made.pair, 0, 1, 0, &proof, &until, &at) != REF_PROVEN)
            continue;
        proven++;
        cr_assert(ref_check_apart(&made.pair, 0, 1, 0, &proof) && ref_check_apart_exact(&made.pair, 0, 1, 0, &proof),
                  "pair %d", (int)k);
        const ref_bounds sigma = ref_sigma_at(&made.pair, 0);
        cr_assert(!ref_check_apart_exact(&made.pair, 0, 1, sigma.upper, &proof), "pair %d: a margin that is none", (int)k);
        for (int m = 0; m < 3; m++)
            proof.steps[0].normal[m] = -proof.steps[0].normal[m];
        bent += !ref_check_apart(&made.pair, 0, 1, 0, &proof) && !ref_check_apart_exact(&made.pair, 0, 1, 0, &proof);
    }
    ref_proof_free(&proof);
    cr_expect(proven > 30 && bent == proven, "%d proven, of %d the bent proof is refused", proven, bent);
}

/* An axis by which a point is just outside its shape, and one just inside, of bodies at rest. */
Test(motion_curved, checkers_know_each_shape)
{
    curved_pair made;
    for (uint64_t k = 0; k < 400; k++) {
        const uint32_t dim = k % 2 ? 3 : 2;
        curved_pair_make(&made, dim, CURVED_PLAIN, 2000 + k);
        gjb_random r = gjb_random_make(12, dim, k);
        ref_curved curved;
        ref_curved_open(&curved, &made.pair);
        ref_proof_step step = {.t = 0};
        ref_real x[3];
        for (uint32_t m = 0; m < dim; m++)
            step.normal[m] = gjb_random_range(&r, -1, 1);
        ref_unit(step.normal, step.normal);
        const ref_real out = ref_solid_support(&curved.body[0], step.normal, x) + curved.body[0].ball;
        const ref_proof proof = {.steps = &step, .count = 1, .end = 1};
        for (int way = 0; way < 2; way++) {
            const ref_real moved = curved.body[0].ball + (way ? -1e-9L : 1e-9L) * (1 + out);
            const double origin[3] = {0};
            double at[3] = {0}, turned[4] = {dim == 2, 0, 0, dim == 3};
            for (int m = 0; m < 3; m++)
                at[m] = (double)(x[m] + moved * step.normal[m]);
            curved_pair_set(&made, 1, GJB_POINT, 1, origin, 0);
            if (dim == 2) {
                at[0] += made.pair.as.plane.a.pose.x;
                at[1] += made.pair.as.plane.a.pose.y;
            } else {
                at[0] += made.pair.as.space.a.pose.x;
                at[1] += made.pair.as.space.a.pose.y;
                at[2] += made.pair.as.space.a.pose.z;
            }
            curved_pair_pose(&made, 1, at, turned);
            cr_assert(ref_check_apart(&made.pair, 0, 1, 0, &proof) == !way, "pair %d", (int)k);
            cr_assert(ref_check_apart_exact(&made.pair, 0, 1, 0, &proof) == !way, "pair %d, exactly", (int)k);
        }
    }
}

/* Bounds at a time against those of the pair as it lies then. */
Test(motion_curved, lies_where_it_lies_at_a_time)
{
    curved_pair made;
    for (uint64_t k = 0; k < 120; k++) {
        make(&made, k % 2 ? 3 : 2, (curved_family)(k / 2 % CURVED_COAXIAL), 900 + k);
        const double t = (double)(k % 7) / 7, moved = 8 * 0x1p-53 * gjb_path_size(&made.pair);
        gjb_pair then;
        ref_pair_at(&made.pair, t, &then);
        double lo, hi;
        if (then.dim == 2) {
            ref_exact x;
            ref_oracle2(&then.as.plane, &x);
            lo = x.lo, hi = x.hi;
        } else {
            ref_exact3 x;
            ref_oracle3(&then.as.space, &x);
            lo = x.lo, hi = x.hi;
        }
        const ref_bounds bounds = ref_sigma_at(&made.pair, t);
        const ref_sigma sigma = ref_oracle_sigma_at(&made.pair, t);
        cr_assert(bounds.lower <= hi + moved && bounds.upper >= lo - moved, "pair %d", (int)k);
        cr_assert(sigma.lo <= hi + moved && sigma.hi >= lo - moved, "pair %d", (int)k);
        cr_assert(bounds.lower <= sigma.hi && bounds.upper >= sigma.lo, "pair %d", (int)k);
    }
}
