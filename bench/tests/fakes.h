/* Contenders that answer nothing worth knowing, but count what is asked. */
#ifndef GJB_BENCH_TESTS_FAKES_H
#define GJB_BENCH_TESTS_FAKES_H

#include <signal.h>

#include "bench/plan.h"

extern const gjb_contender fake_wide;   /* f32 and f64; backends "narrow", "middle", "wide"; all queries; 2D and 3D */
extern const gjb_contender fake_single; /* f32, one way, at most 16 vertices, no signed distance; 2D and 3D */
extern const gjb_contender fake_double; /* f64, one way; 2D */
extern const gjb_contender fake_unable; /* f32, one way; answers "unsupported"; 2D */
extern const gjb_contender fake_dying;  /* f32, one way; aborts; 2D */

extern const gjb_contender fake_dying_late; /* the same, after `dies_after` calls and of pair 10 alone */

extern const gjb_way fake_ways[6]; /* three of wide, then single, double, unable */

/* Pairs and calls answered so far; after `stop_after` calls (0: never) the flag
 * is raised. Shared with the processes that contenders run in. */
typedef struct fake_counts {
    uint64_t pairs, calls, stop_after, dies_after;
    volatile sig_atomic_t stop;
} fake_counts;
extern fake_counts *fake;

#endif
