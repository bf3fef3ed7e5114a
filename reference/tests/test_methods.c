/* GJK, EPA and the enumeration against the oracle, over every family. */
#include <criterion/criterion.h>
#include <math.h>

#include "reference/methods/frame2.h"
#include "reference/tests/claim.h"
#include "reference/tests/pairs.h"

static void check(const gjb_pair2 *pair, const ref_answer *r, const ref_exact *x, const char *who,
                  int family, int index)
{
    const claim c = claim_in_plane(pair, (claim){.sigma = r->sigma, .lower = r->lower, .upper = r->upper,
                                             .normal = r->normal, .point_a = r->point_a,
                                             .point_b = r->point_b});
    claim_check(&c, x->lo, x->hi, who, family, index);
}

Test(methods, agree_with_the_oracle)
{
    static test_pair pair;
    for (int family = 0; family < TEST_FAMILIES; family++) {
        for (int k = 0; k < 1500; k++) {
            test_pair_make(&pair, (test_family)family, (uint64_t)k, k % 50 ? 12 : 70);
            ref_exact x;
            ref_oracle2(&pair.pair, &x);
            ref_answer r = ref_signed_distance2(&pair.pair);
            cr_assert(r.status == GJB_SEPARATED || r.status == GJB_OVERLAPPING);
            check(&pair.pair, &r, &x, "method", family, k);
        }
    }
}

Test(methods, enumeration_agrees_with_the_oracle)
{
    static test_pair pair;
    for (int family = 0; family < TEST_FAMILIES; family++) {
        for (int k = 0; k < 400; k++) {
            test_pair_make(&pair, (test_family)family, (uint64_t)k, 8);
            ref_exact x;
            ref_oracle2(&pair.pair, &x);
            ref_frame2 frame;
            ref_core2 core = {0};
            cr_assert(ref_frame2_open(&frame, &pair.pair));
            ref_enumerate_core2(&frame, &core);
            ref_answer r = ref_answer2(&frame, &core);
            check(&pair.pair, &r, &x, "enumeration", family, k);
        }
    }
}

Test(methods, gjk_alone_is_the_distance_of_the_cores)
{
    static test_pair pair;
    for (int family = 0; family < TEST_FAMILIES; family++) {
        for (int k = 0; k < 300; k++) {
            test_pair_make(&pair, (test_family)family, (uint64_t)k, 8);
            ref_answer r = ref_gjk2(&pair.pair);
            pair.pair.a.radius = pair.pair.b.radius = 0;
            ref_exact x;
            ref_oracle2(&pair.pair, &x);
            double unit = 0x1p-53 * gjb_pair_size2(&pair.pair);
            cr_assert(fabs(r.sigma - fmax(x.lo, 0)) <= CLAIM_VALUE_LIMIT * unit, "family %d, pair %d", family, k);
        }
    }
}

/* Swapping A and B turns the normal round and swaps the points. Points and
 * normals of ties may differ, so both are held against the pair, not each other. */
Test(methods, swap)
{
    static test_pair pair;
    for (int family = 0; family < TEST_FAMILIES; family++) {
        for (int k = 0; k < 400; k++) {
            test_pair_make(&pair, (test_family)family, (uint64_t)k, 10);
            gjb_pair2 swapped = test_pair_swapped(&pair.pair);
            ref_exact x;
            ref_oracle2(&pair.pair, &x);
            ref_answer there = ref_signed_distance2(&swapped), back = there;
            double dx = swapped.a.pose.x - pair.pair.a.pose.x, dy = swapped.a.pose.y - pair.pair.a.pose.y;
            back.normal[0] = -there.normal[0];
            back.normal[1] = -there.normal[1];
            back.point_a[0] = there.point_b[0] + dx;
            back.point_a[1] = there.point_b[1] + dy;
            back.point_b[0] = there.point_a[0] + dx;
            back.point_b[1] = there.point_a[1] + dy;
            check(&pair.pair, &back, &x, "swapped", family, k);
            ref_exact y;
            ref_oracle2(&swapped, &y);
            cr_assert(x.sign == y.sign && x.lo == y.lo && x.hi == y.hi, "oracle swapped, family %d, pair %d",
                      family, k);
        }
    }
}

/* A power of two goes through bit for bit. */
Test(methods, scale_by_powers_of_two)
{
    static test_pair pair;
    for (int k = 0; k < 600; k++) {
        test_pair_make(&pair, k % 2 ? PLAIN : NEEDLE, (uint64_t)k, 10);
        ref_answer plain = ref_signed_distance2(&pair.pair);
        double scale = k % 3 ? 0x1p-40 : 0x1p77;
        for (int side = 0; side < 2; side++) {
            gjb_body2 *body = side ? &pair.pair.b : &pair.pair.a;
            for (uint32_t v = 0; v < body->count; v++) {
                pair.vertices[side][v][0] *= scale;
                pair.vertices[side][v][1] *= scale;
            }
            body->radius *= scale;
            body->pose.x *= scale;
            body->pose.y *= scale;
        }
        ref_answer scaled = ref_signed_distance2(&pair.pair);
        cr_assert(scaled.sigma == plain.sigma * scale && scaled.normal[0] == plain.normal[0]
                  && scaled.point_b[1] == plain.point_b[1] * scale, "pair %d", k);
    }
}

Test(methods, thousands_of_vertices)
{
    static test_pair pair;
    static const test_family families[3] = {PLAIN, NEEDLE, PARALLEL};
    for (int k = 0; k < 24; k++) {
        test_pair_make(&pair, families[k % 3], (uint64_t)(k / 3), PAIR_VERTICES);
        if (k % 2) { /* contained, centres close */
            pair.pair.b.pose.x = pair.pair.a.pose.x + 1e-3;
            pair.pair.b.pose.y = pair.pair.a.pose.y;
        }
        ref_exact x;
        ref_oracle2(&pair.pair, &x);
        ref_answer r = ref_signed_distance2(&pair.pair);
        check(&pair.pair, &r, &x, "method", families[k % 3], k);
    }
}
