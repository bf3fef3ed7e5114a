/* Pairs in space for the tests of this room: seeded, valid, and nasty on request. */
#ifndef REF_TESTS_PAIRS3_H
#define REF_TESTS_PAIRS3_H

#include "core/types.h"
#include "scenes/generate/generate.h"

enum { PAIR3_VERTICES = 4096 };

typedef struct test_pair3 {
    gjb_pair3 pair;
    double vertices[2][PAIR3_VERTICES][3];
} test_pair3;

typedef enum test_family3 {
    SPACE_PLAIN,     /* points on ellipsoids; points, segments and triangles among them */
    SPACE_SLIVER,    /* two of three axes down to 1e-6 */
    SPACE_REPEATED,  /* vertices twice or more, and inside */
    SPACE_COPLANAR,  /* prisms that share an axis, up to rounding */
    SPACE_PARALLEL,  /* boxes with one edge direction in common */
    SPACE_TURNED,    /* boxes, rotations within 1e-5 of aligned */
    SPACE_IDENTICAL, /* the same shape, often thin, in the same pose or moved along an edge */
    SPACE_TINY,      /* scale 1e-6 */
    SPACE_HUGE,      /* scale 1e6 */
    SPACE_RATIO,     /* sizes 1e6 apart */
    SPACE_OFFSET,    /* both far from the origin, at 1e6 */
    SPACE_NEAR,      /* a vertex of each within 1e-12 of the other */
    SPACE_LATTICE,   /* few bits, quarter turns: touching and ties are exact */
    SPACE_NEARLY,    /* lattice points turned and rounded: all but coplanar, all but collinear */
    SPACE_THIN,      /* two of three axes down to rounding: flat or not is a matter of bits */
    SPACE_SPREAD,    /* every coordinate of a magnitude of its own, down to rounding and below */
    SPACE_FLAT,      /* all vertices of each in one plane, often the same */
    SPACE_LINE,      /* points and segments on one line or in one place */
    TEST_FAMILIES3
} test_family3;

/* Pair `index` of a family, with up to `most` vertices a shape (at least 1).
 * Pointers inside refer to `out`. */
void test_pair3_make(test_pair3 *out, test_family3 family, uint64_t index, uint32_t most);
/* A pair from literal vertices. */
void test_pair3_set(test_pair3 *out, int side, uint32_t count, const double (*vertices)[3], double radius,
                    gjb_pose3d pose);
/* B first, A second. */
gjb_pair3 test_pair3_swapped(const gjb_pair3 *pair);

#endif
