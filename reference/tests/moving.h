/* Pairs in motion for the tests of this room: shapes of pairs.h and pairs3.h, made to meet or to miss. */
#ifndef REF_TESTS_MOVING_H
#define REF_TESTS_MOVING_H

#include "reference/tests/pairs.h"
#include "reference/tests/pairs3.h"

typedef enum test_motion {
    MOVING_STRAIGHT, /* neither turns */
    MOVING_TURNING,  /* both up to one turn */
    MOVING_SPINNING, /* up to 20 turns */
    MOVING_IN_PLACE, /* no displacement, one or both turn */
    MOVING_GRAZING,  /* aimed so that they pass at about 1e-3 to 1e-12 of their size */
    MOVING_TOGETHER, /* a common displacement a thousand times their own */
    TEST_MOTIONS
} test_motion;

typedef struct test_moving {
    gjb_pair pair;
    test_pair plane;
    test_pair3 space;
} test_moving;

/* Pointers inside refer to `out`. */
void test_moving_make(test_moving *out, uint32_t dim, test_motion motion, uint64_t index, uint32_t most);

#endif
