/* Counts instead of times, as `compare`, `calibrate` and `bench` take them with --count: which backends can be counted
 * here, and a tally of each side. */
#ifndef GJB_CLI_COUNT_H
#define GJB_CLI_COUNT_H

#include "bench/compare/tally.h"
#include "cli/measure/compare_programs.h"

enum { CLI_COUNT_BACKENDS = CLI_BACKENDS_MAX * 18 };

/* Is batch among the selected contenders? It is, if none is named. */
int cli_counting_takes_batch(const cli_select *select);

/* Counts have no noise: what changes by less costs too little to be an alarm. A share. */
extern const double cli_floor_of_counts;

/* Which backends are counted how, with commas between. */
typedef struct cli_counting {
    char simulated[CLI_COUNT_BACKENDS]; /* under callgrind, as asked for; "": the widest that it runs, unless `none` */
    char processor[CLI_COUNT_BACKENDS]; /* that callgrind does not run, by the processor's counter */
    char left_out[CLI_COUNT_BACKENDS];  /* that nothing here counts */
    const char *widest;                 /* that callgrind runs */
    int none;                           /* callgrind runs none of those that were asked for */
} cli_counting;

/* Sorts the selected backends of batch, and takes them from what `pairing` hands on; none if `batch` takes no part.
 * -1 to go on, else an exit code: none of them can be counted here. */
int cli_counting_choose(cli_counting *counting, cli_pairing *pairing, const cli_select *select, int batch);

/* One tally a side, 1 or 2. 0, or -1 with one line in `error`; what was counted by then, or by Ctrl-C, stays. Free
 * each in both cases. */
int cli_counting_run(const cli_counting *counting, const cli_pairing *pairing, const cli_pairing_side *sides,
                     size_t count, gjb_tally *tallies, gjb_error *error);

/* And what both say of each other: verdicts on what both counted. The comparison points into the tallies. */
int cli_counting_compare(const cli_counting *counting, const cli_pairing *pairing,
                         const cli_pairing_side sides[GJB_PAIRED_SIDES], gjb_tally tallies[GJB_PAIRED_SIDES],
                         gjb_comparison *result, gjb_error *error);

/* A line a point, and what the numbers are. */
void cli_counting_print(const gjb_tally *tally, FILE *stream, const gjb_bench_paint *paint);

/* An array of the backends that were left out; NULL out of memory. */
json_t *cli_counting_left_out_json(const cli_counting *counting);

/* Says which backends were left out, and what to do about them, in one line or none. */
void cli_counting_print_left_out(const cli_counting *counting, FILE *stream);

#endif
