/* What is exact about the answers of two builds at one point, as workers and result files say it: fingerprint,
 * iterations, pairs by the fallback path, and the like. An object a side, or NULL; what either leaves out is not
 * compared. */
#ifndef GJB_BENCH_ANSWER_CHANGES_H
#define GJB_BENCH_ANSWER_CHANGES_H

#include <jansson.h>
#include <stdio.h>

#include "bench/compare/paired_runs.h"

int gjb_answers_changed(const json_t *const answers[GJB_PAIRED_SIDES]);

/* "    changed: iterations a pair 3.1 -> 3.2; ..." in one line, or none. */
void gjb_answers_print_changes(const json_t *const answers[GJB_PAIRED_SIDES], FILE *stream);
json_t *gjb_answers_changes_json(const json_t *const answers[GJB_PAIRED_SIDES]); /* {"mean_iterations": [3.1, 3.2]} */

#endif
