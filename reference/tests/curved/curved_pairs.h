/* Pairs with curved cores for the tests of this room: seeded, valid, and nasty on request. */
#ifndef REF_TESTS_CURVED_PAIRS_H
#define REF_TESTS_CURVED_PAIRS_H

#include "core/types.h"
#include "scenes/generate/generate.h"

enum { CURVED_ROWS = 8 };

typedef struct curved_pair {
    gjb_pair pair;
    double rows[2][CURVED_ROWS][3]; /* of the plane: two numbers a row, packed */
} curved_pair;

typedef enum curved_family {
    CURVED_PLAIN,
    CURVED_FLAT,     /* a length of 0, or two */
    CURVED_NEEDLE,   /* lengths down to 1e-9 of the largest */
    CURVED_ROUNDED,
    CURVED_TINY,     /* 1e-150 */
    CURVED_HUGE,     /* 1e150 */
    CURVED_OFFSET,   /* far from the origin */
    CURVED_COAXIAL,  /* the same rotation, centres on one axis */
    CURVED_PARALLEL, /* the same rotation */
    CURVED_LEANING,  /* coaxial but for rounding, or a little more */
    CURVED_SAME,     /* the same shape in the same place */
    CURVED_FAMILIES
} curved_family;

/* Pair `index` of a family: A of a curved kind of the dimension, B of any kind of it. Pointers refer to `out`. */
void curved_pair_make(curved_pair *out, uint32_t dim, curved_family family, uint64_t index);
/* One shape: up to CURVED_ROWS rows of `dim` numbers, laid out as stored, or expanded of kinds with vertices. */
void curved_pair_set(curved_pair *out, int side, gjb_kind kind, uint32_t count, const double *rows, double radius);
/* Unit quaternion in space, (c, s, 0, 0) in the plane. */
void curved_pair_pose(curved_pair *out, int side, const double at[3], const double turn[4]);
gjb_pair curved_pair_swapped(const gjb_pair *pair);

#endif
