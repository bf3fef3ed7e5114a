/* GJK, EPA and the enumeration against the oracle, over every family. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "reference/methods/frame2.h"
#include "reference/tests/claim.h"
#include "reference/tests/pairs.h"

#define DIM 2
#define D(name) name##2
#define E(name) name
#define SUITE methods
#define MAKE test_pair_make
#define SWAPPED test_pair_swapped
#define SIGNED(pair) ref_signed_distance2(pair)
#define CLAIM claim_in_plane
#define SCALED NEEDLE
enum { MOST = 12, FEW = 10 };
#include "reference/tests/methods.inc"

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
