/* Bench results for programs and for people. */
#ifndef GJB_BENCH_RESULTS_H
#define GJB_BENCH_RESULTS_H

#include <jansson.h>
#include <stdio.h>

#include "bench/machine/memory_ceiling.h"
#include "bench/machine/port_ceiling.h"
#include "bench/measure.h"

/* Every contender of this program, for a context: name, version, licence, note, ... */
json_t *gjb_contenders_json(void);

/* Adds what a timing depends on to `context`: clock rate, caches, load, seed,
 * the contenders of this build and those missing, and the memory ceiling
 * (`memory` may be NULL; left out when the row of scenes was not taken). 0, or -1 out of memory. */
int gjb_bench_add_context(json_t *context, uint64_t seed, const gjb_memory_row *memory, size_t memory_rows);

/* Adds the ceilings of arithmetic. 0, or -1 out of memory. */
int gjb_bench_add_ports(json_t *context, const gjb_port_row *rows, size_t count);

/* Google Benchmark's schema with keys of our own; a number that is not known
 * is left out, never NaN. Takes the reference to `context`. NULL out of memory. */
json_t *gjb_bench_json(const gjb_bench *bench, json_t *context);

/* Escapes for the words that matter; all "" for plain text. */
typedef struct gjb_bench_paint { const char *title, *good, *bad, *plain; } gjb_bench_paint;

/* One line a point: time with its interval, rate, how many times as fast as the
 * reference and as other contenders at the same point, wrong answers. */
void gjb_bench_print(const gjb_bench *bench, FILE *stream, const gjb_bench_paint *paint);
/* The base points alone: per query, every way against other contenders and the reference. */
void gjb_bench_print_headline(const gjb_bench *bench, FILE *stream, const gjb_bench_paint *paint);
/* What was left out of times, and why. */
void gjb_bench_print_losses(const gjb_bench *bench, FILE *stream, const gjb_bench_paint *paint);
void gjb_memory_print(const gjb_memory_row *rows, size_t count, FILE *stream, const gjb_bench_paint *paint);

/* The row that answers the same question on the same scene as `row`, by the
 * widest way of contender `name`; or NULL. */
const gjb_measurement *gjb_bench_rival(const gjb_bench *bench, const gjb_measurement *row, const char *name);
/* Do both rows answer the same query about the same pairs in calls of the same size? */
int gjb_bench_same_question(const gjb_measurement *a, const gjb_measurement *b);
/* The share of the row's graded answers that are off by more than 1e-3 S, or for times of impact by more than the
 * contender documents. If none can be graded, as of booleans of
 * pairs that touch, that of its contender's other rows of the query and workload, or else of the query and dimension,
 * in the same precision. NaN if nothing of these was graded either. */
double gjb_bench_wrong_share(const gjb_bench *bench, const gjb_measurement *row);
/* That share is at most GJB_RIGHT_SHARE. Nothing graded at all passes too. */
int gjb_bench_right(const gjb_bench *bench, const gjb_measurement *row);
/* The fastest row of a contender that is not ours, to the same question on the
 * same scene; with `right` of those that pass gjb_bench_right. NULL for none. */
const gjb_measurement *gjb_bench_others(const gjb_bench *bench, const gjb_measurement *row, int right);
/* Rows in which one of ours has a wrong, capped or unwritten answer. */
size_t gjb_bench_wrong_ours(const gjb_bench *bench);

#endif
