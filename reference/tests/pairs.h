/* Pairs for the tests of this room: seeded, valid, and nasty on request. */
#ifndef REF_TESTS_PAIRS_H
#define REF_TESTS_PAIRS_H

#include "core/types.h"
#include "scenes/generate/generate.h"

enum { PAIR_VERTICES = 4096 };

typedef struct test_pair {
    gjb_pair2 pair;
    double vertices[2][PAIR_VERTICES][2];
} test_pair;

typedef enum test_family {
    PLAIN,      /* ellipses cut to polygons, points and segments among them */
    NEEDLE,     /* aspect to 1e4 */
    REPEATED,   /* vertices twice or more in a row */
    COLLINEAR,  /* vertices on straight edges, up to rounding */
    PARALLEL,   /* regular polygons turned by the same angle, faces aligned */
    IDENTICAL,  /* the same shape in the same pose, or moved along an edge */
    TINY,       /* scale 1e-6 */
    HUGE_SCALE, /* scale 1e6 */
    OFFSET,     /* both far from the origin, at 1e6 */
    NEAR,       /* a vertex of each within 1e-12 of the other */
    DYADIC,     /* few bits, quarter turns: touching and ties are exact */
    FLAT,       /* points and segments on one line or in one place */
    TEST_FAMILIES
} test_family;

/* Pair `index` of a family, with up to `most` vertices a shape (at least 1).
 * Pointers inside refer to `out`. */
void test_pair_make(test_pair *out, test_family family, uint64_t index, uint32_t most);
/* A pair from literal vertices. */
void test_pair_set(test_pair *out, int side, gjb_kind kind, uint32_t count, const double (*vertices)[2],
                   double radius, gjb_pose2d pose);
/* B first, A second. */
gjb_pair2 test_pair_swapped(const gjb_pair2 *pair);

#endif
