/* What a point is about, and what its contender answers there: outside of timed blocks. */
#ifndef GJB_BENCH_ANSWERS_H
#define GJB_BENCH_ANSWERS_H

#include "bench/measure.h"

/* The scene in the point's scene precision: `*owned`, to be freed, or the recorded one, and `*owned` is NULL then.
 * `library` and `seed` as in gjb_bench_settings. NULL with one line in `error`. */
const gjb_scene *gjb_bench_case_scene(const gjb_bench_case *point, const gjb_shapes *library, uint64_t seed,
                                      gjb_scene **owned, gjb_error *error);

/* Pairs of a frame to a run, no fewer than a call. */
/* Does its question depend on a margin, so that its workload has a hash of its own? */
int gjb_bench_asks_margin(const gjb_bench_case *point);
uint64_t gjb_bench_span(const gjb_bench_case *point);
/* Room for the records of a run or of a timed call, a multiple of 64. */
size_t gjb_bench_result_bytes(const gjb_bench_case *point);

/* Runs gjb_bench_case_answers() pairs in the point's calls, for fingerprint, iterations, counts and statistics of `row`,
 * which are zero beforehand. Returns how many answers were "unsupported". */
uint64_t gjb_bench_answer(gjb_measurement *row, gjb_session *session, const gjb_scene *scene, void *results);

/* Pairs that it did not live through: it gets no time then, and every more of these costs some. */
int gjb_bench_lost(const gjb_session_stats *stats);

#endif
