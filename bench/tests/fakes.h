/* Contenders that answer nothing worth knowing, but count what is asked. */
#ifndef GJB_BENCH_TESTS_FAKES_H
#define GJB_BENCH_TESTS_FAKES_H

#include <signal.h>

#include "bench/plan.h"

extern const gjb_contender fake_wide;   /* f32 and f64; backends "narrow", "middle", "wide"; all queries */
extern const gjb_contender fake_single; /* f32, one way, at most 16 vertices, no signed distance */
extern const gjb_contender fake_double; /* f64, one way */
extern const gjb_contender fake_unable; /* f32, one way; answers "unsupported" */

extern const gjb_way fake_ways[6]; /* three of wide, then single, double, unable */

/* Pairs and calls answered so far; after `fake_stop_after` calls (0: never)
 * the flag is raised. */
extern uint64_t fake_pairs, fake_calls, fake_stop_after;
extern volatile sig_atomic_t fake_stop;

#endif
