/* From SELECT and numbers to a measured plan; `bench` and `run` share it. */
#ifndef GJB_CLI_BENCH_PLAN_H
#define GJB_CLI_BENCH_PLAN_H

#include "bench/cells.h"
#include "bench/isolation_cost.h"
#include "bench/results.h"
#include "cli/options/options.h"
#include "cli/options/select.h"
#include "grading/grade.h"

enum { CLI_RECORDINGS_MAX = 16, CLI_WAYS_MAX = CLI_CONTENDERS_MAX * CLI_BACKENDS_MAX, CLI_TRUTHS = 16384,
       CLI_ISOLATION_MAX = 4, CLI_PORTS_MAX = 32 };

/* A pair whose truth is known. */
typedef struct cli_truth {
    gjb_pair pair;
    gjb_pair_space space;
    gjb_truth truth;
    uint64_t index;
    uint32_t frame;
    uint64_t scene; /* truths_scene when it was found; 0: none was */
} cli_truth;

/* Zero it; fill in what the command line says; end with cli_bench_free. */
typedef struct cli_bench {
    gjb_plan_size size;
    int brief; /* for a minute: fewer answers, grades and blocks a point */
    int cells; /* measure ours against all others at the points of gjb_cells_plan */
    cli_numbers shapes, calls, threads; /* 0 threads: all processors */
    const char *coherence;              /* names of gjb_start with commas between; NULL: cold */
    double min_time;                    /* seconds a point; 0: what the budget of the size allows */
    uint64_t seed;
    double margin, within;              /* CLI_NO_MARGIN: the default, and of recorded scenes their own */
    uint32_t leaving;                   /* likewise CLI_NO_LEAVING */
    double seconds;                     /* no scene is begun after so long; 0: the clock does not matter */
    uint64_t scenes_most;               /* of a run that is repeated; 0: all */
    const char *out; /* folder for pairs that contenders crash at, and the like; NULL: keep none */
    const gjb_shapes *library; /* of the workloads "realN"; NULL: the hulls that ship */

    gjb_plan plan;
    gjb_bench bench;
    const gjb_bench_settings *settings; /* while it measures */
    gjb_memory_row memory[GJB_MEMORY_ROWS];
    size_t memory_rows; /* measured so far */
    gjb_port_row ports[CLI_PORTS_MAX];
    size_t port_rows;
    gjb_isolation_row isolation[CLI_ISOLATION_MAX];
    size_t isolation_rows; /* measured so far */

    /* What the plan's pointers lead to. */
    gjb_way ways[CLI_WAYS_MAX];
    const char *workloads[CLI_SELECT_MAX], *families[CLI_SELECT_MAX];
    uint32_t numbers[3][64];
    gjb_start starts[GJB_STARTS];
    gjb_recording recordings[CLI_RECORDINGS_MAX];
    gjb_scene *scenes[CLI_RECORDINGS_MAX];
    size_t recording_count;
    /* Of the grader: pair i of a frame at a place that depends on both, NULL until it grades. */
    cli_truth *truths;
    gjb_bench_case truths_of;
    int truths_rounded;
    /* A number for each scene, so that truths of earlier ones need not be touched: a page that is written while a child
     * runs is copied. */
    uint64_t truths_scene;
} cli_bench;

/* 0, or -1 with one line in `error`: bad numbers, nothing to measure, a
 * recorded scene named by SELECT that cannot be loaded; any other costs a line on stderr. */
int cli_bench_plan(cli_bench *b, const cli_select *select, gjb_error *error);
/* Measures the ceilings of memory and of arithmetic, then the plan, until done or interrupted. */
int cli_bench_ceilings(cli_bench *b, gjb_error *error);
/* What a child process costs ours, at the base point of each selected dimension; `seconds` each. */
int cli_bench_isolation(cli_bench *b, const cli_select *select, double seconds, gjb_error *error);
int cli_bench_measure(cli_bench *b, gjb_error *error);
/* Prints cells of what was measured, and what was left out. 0, or -1 with `error`. */
int cli_bench_print_cells(const cli_bench *b, FILE *stream, gjb_error *error);
/* Writes what was measured, with its cells if that is what it was for. */
int cli_bench_write(const cli_bench *b, const char *path, gjb_error *error);
void cli_bench_free(cli_bench *b);

gjb_bench_paint cli_bench_paint(FILE *stream);

#endif
