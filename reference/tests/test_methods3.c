/* GJK, EPA and the polytope they end with against the oracle in space, over
 * every family. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "reference/methods/frame3.h"
#include "reference/methods/nearest3.h"
#include "reference/tests/claim.h"
#include "reference/tests/pairs3.h"

#define DIM 3
#define D(name) name##3
#define E(name) name##3
#define SUITE methods3
#define MAKE test_pair3_make
#define SWAPPED test_pair3_swapped
#define SIGNED(pair) ref_signed_distance3(pair, NULL)
#define CLAIM claim_in_space
#define PLAIN SPACE_PLAIN
#define SCALED SPACE_PARALLEL
enum { MOST = 16, FEW = 12 };
#include "reference/tests/methods.inc"

/* Two edges, with and without a third vertex, and two triangles, whose foot lies `off` from a corner at height 1:
 * closer than the root of eps the corner is as far, and its own direction proves less. */
Test(methods3, near_a_corner_the_direction_proves_the_distance)
{
    for (int k = 4; k < 70; k++) {
        const double off = ldexp(1, -k);
        const double cases[4][3][3] = {{{-off, 0, 1}, {9, 0, 1}},
                                       {{-off, 0, 1}, {9, 0, 1}, {-1, 1, 3}},
                                       {{-off, -off, 1}, {9, -1, 1}, {-1, 9, 1}},
                                       {{9, -1, 1}, {-off, -off, 1}, {-1, 9, 1}}};
        for (int c = 0; c < 4; c++) {
            const int count = c ? 3 : 2;
            const double(*w)[3] = cases[c];
            long double wide[3][3], least[2] = {HUGE_VALL, HUGE_VALL};
            for (int i = 0; i < 9; i++)
                wide[i / 3][i % 3] = w[i / 3][i % 3];
            const ref_nearest3 n = ref_nearest_simplex3(w, count, 0);
            const ref_nearest3l l = ref_nearest_simplex3l((const long double(*)[3])wide, count, 0);
            for (int i = 0; i < count; i++) {
                least[0] = fminl(least[0], ref_dot3(n.normal, w[i]));
                least[1] = fminl(least[1], l.normal[0] * wide[i][0] + l.normal[1] * wide[i][1] +
                                               l.normal[2] * wide[i][2]);
            }
            cr_expect(least[0] >= 1 - 0x1p-47L, "case %d, 2^-%d: %Lg short", c, k, 1 - least[0]);
            cr_expect(least[1] >= 1 - 0x1p-58L, "case %d, 2^-%d: %Lg short", c, k, 1 - least[1]);
            cr_expect(fabs(n.distance - 1) <= 0x1p-50 && fabsl(l.distance - 1) <= 0x1p-61L);
        }
    }
}

/* Pairs, found among hundreds of thousands, at which GJK ends with bounds that
 * did not meet, or EPA would start from a simplex that does not hold the origin. */
Test(methods3, own_up_to_a_stall)
{
    static test_pair3 pair;
    static const struct { test_family3 family; uint64_t index; } stalls[] = {
        {SPACE_THIN, 32514}, {SPACE_THIN, 21811}, {SPACE_SPREAD, 9663}, {SPACE_SPREAD, 24310},
    };
    for (size_t k = 0; k < sizeof stalls / sizeof stalls[0]; k++) {
        test_pair3_make(&pair, stalls[k].family, stalls[k].index, 16);
        ref_exact3 x;
        ref_oracle3(&pair.pair, &x);
        ref_answer3 r = ref_signed_distance3(&pair.pair, NULL);
        check(&pair.pair, &r, &x, "method", (int)stalls[k].family, (int)stalls[k].index);
    }
}

/* Not through the oracle in the method's place: the double parts must end by
 * themselves wherever the shapes are no worse than what scenes are made of. */
Test(methods3, seldom_need_the_oracle)
{
    static test_pair3 pair;
    static const test_family3 families[] = {SPACE_PLAIN, SPACE_PARALLEL, SPACE_TURNED, SPACE_TINY, SPACE_HUGE,
                                            SPACE_RATIO, SPACE_OFFSET, SPACE_NEAR, SPACE_REPEATED};
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++) {
        int stalled = 0;
        for (int k = 0; k < 2000; k++) {
            test_pair3_make(&pair, families[f], (uint64_t)k, 16);
            if (pair.pair.a.count < 5 || pair.pair.b.count < 5)
                continue; /* D may be flat */
            ref_frame3 frame;
            ref_core3 core;
            ref_vertex3 simplex[4];
            int count = 0;
            cr_assert(ref_frame3_open(&frame, &pair.pair));
            ref_outcome3 outcome = ref_gjk_core3(&frame, &core, simplex, &count);
            stalled += outcome == REF_STALLED_OUT3 ||
                       (outcome == REF_OVERLAP3 && !ref_epa_core3(&frame, &core, simplex, count, NULL));
        }
        cr_assert(stalled <= 10, "family %d: %d of 2000 stalled", (int)families[f], stalled);
    }
}

/* R = M(q) / (q.q): lengths of q that are powers of two apart mean the same. */
Test(methods3, length_of_the_quaternion_means_nothing)
{
    static test_pair3 pair;
    for (int k = 0; k < 200; k++) {
        test_pair3_make(&pair, SPACE_PLAIN, (uint64_t)k, 12);
        ref_answer3 plain = ref_signed_distance3(&pair.pair, NULL);
        ref_exact3 x, y;
        ref_oracle3(&pair.pair, &x);
        gjb_pose3d *pose = k % 2 ? &pair.pair.a.pose : &pair.pair.b.pose;
        double scale = k % 3 ? -0x1p-300 : 0x1p500;
        pose->qx *= scale;
        pose->qy *= scale;
        pose->qz *= scale;
        pose->qw *= scale;
        ref_answer3 scaled = ref_signed_distance3(&pair.pair, NULL);
        ref_oracle3(&pair.pair, &y);
        cr_assert(memcmp(&plain, &scaled, sizeof plain) == 0 && x.lo == y.lo && x.hi == y.hi, "pair %d", k);
    }
}

/* What the polytope proves is what the oracle says, and the polytope is one. */
Test(methods3, the_polytope_proves_the_depth)
{
    static test_pair3 pair;
    ref_polytope3 polytope = {0};
    int proven = 0;
    for (int family = 0; family < TEST_FAMILIES3; family++) {
        for (int k = 0; k < 500; k++) {
            test_pair3_make(&pair, (test_family3)family, (uint64_t)k, k % 50 ? 16 : 70);
            double unit = 0x1p-53 * gjb_pair_size3(&pair.pair);
            ref_signed_distance3(&pair.pair, &polytope);
            pair.pair.a.radius = pair.pair.b.radius = 0;
            ref_exact3 x;
            ref_oracle3(&pair.pair, &x);
            long double error, depth = ref_depth_bound3(&pair.pair, &polytope, &error);
            cr_assert(error <= 0.2 * unit);
            cr_assert(depth <= error - x.lo, "family %d, pair %d: %Lg proven of %g", family, k, depth, -x.lo);
            if (polytope.face_count) {
                cr_assert(x.sign <= 0 || x.lo < CLAIM_VALUE_LIMIT * unit, "family %d, pair %d", family, k);
                cr_assert(-x.lo < 64 * unit || -x.hi - depth <= CLAIM_VALUE_LIMIT * unit,
                          "family %d, pair %d: %Lg proven of %g", family, k, depth, -x.lo);
                proven++;
            } else {
                cr_assert(x.lo > -16 * unit, "family %d, pair %d: nothing proven of %g", family, k, -x.lo);
            }
        }
    }
    cr_assert(proven > 1000);
    ref_polytope3_free(&polytope);
}

Test(methods3, thousands_of_vertices)
{
    static test_pair3 pair;
    static const test_family3 families[3] = {SPACE_PLAIN, SPACE_SLIVER, SPACE_COPLANAR};
    for (int k = 0; k < 12; k++) {
        test_pair3_make(&pair, families[k % 3], (uint64_t)(k / 3), PAIR3_VERTICES);
        if (k % 2) { /* contained, centres close */
            pair.pair.b.pose.x = pair.pair.a.pose.x + 1e-1;
            pair.pair.b.pose.y = pair.pair.a.pose.y;
            pair.pair.b.pose.z = pair.pair.a.pose.z;
        }
        ref_exact3 x;
        ref_oracle3(&pair.pair, &x);
        ref_answer3 r = ref_signed_distance3(&pair.pair, NULL);
        check(&pair.pair, &r, &x, "method", families[k % 3], k);
    }
}
