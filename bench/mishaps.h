/* What contenders do apart from answering while they are measured. */
#ifndef GJB_BENCH_MISHAPS_H
#define GJB_BENCH_MISHAPS_H

#include "bench/measure.h"

/* Keeps, of each kind that the session has found from its `from`-th finding on for the point's query, one
 * with the pair if there is one, and saves that. `stats` counts them; NULL: not counted. What memory does
 * not suffice for is left out. */
void gjb_bench_keep_mishaps(gjb_bench_mishaps *mishaps, const gjb_bench_settings *settings,
                            const gjb_bench_case *point, const gjb_scene *fed, const gjb_session *session,
                            size_t from, const gjb_session_stats *stats);
void gjb_bench_free_mishaps(gjb_bench_mishaps *mishaps);

#endif
