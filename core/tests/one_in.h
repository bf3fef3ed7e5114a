/* How many cases a long test runs: all at night (`meson test --setup night`), else one in so many, and
 * under the sanitizers a quarter of those, since what they find shows in the first case as well as in the
 * hundredth. */
#ifndef GJB_CORE_TESTS_ONE_IN_H
#define GJB_CORE_TESTS_ONE_IN_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/sanitized.h"

enum { UNDER_SANITIZERS = GJB_SANITIZED };

/* 1 at night, `by_day` by day, four times that under the sanitizers. */
static inline size_t one_in(size_t by_day)
{
    const char *asked = getenv("GJKBENCH_TESTS");
    if (asked && !strcmp(asked, "night"))
        return 1;
    return UNDER_SANITIZERS ? 4 * by_day : by_day;
}

#endif
