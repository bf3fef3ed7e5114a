/* Two programs against each other, as `compare` and `calibrate` let them. */
#ifndef GJB_CLI_COMPARE_PROGRAMS_H
#define GJB_CLI_COMPARE_PROGRAMS_H

#include "bench/compare/comparison.h"
#include "cli/options/select.h"

enum { CLI_PAIRING_ARGUMENTS = 128 };

/* Zero it; fill in what the command line says. */
typedef struct cli_pairing {
    const char *arguments[CLI_PAIRING_ARGUMENTS]; /* for `bench`: what was given of its options */
    size_t argument_count;
    double budget;       /* seconds */
    double floor, alpha; /* a share; a chance */
    uint64_t seed;
    const char *only; /* gjb_paired_settings */
    const char *name; /* of the progress */
} cli_pairing;

typedef struct cli_pairing_side {
    const char *program; /* NULL: this one */
    const char *plugin;  /* NULL: none */
    double slow;         /* gjb_slowed */
} cli_pairing_side;

/* Options that `bench` gets as they are: those of SELECT, and of numbers. -1 to go on, else an exit code. */
int cli_pairing_hand_on(cli_pairing *pairing, int argc, char **argv, const cli_select *select);

/* What starts a side's worker: `bench --serve` with what was given. It points into the pairing and the side. */
typedef struct cli_pairing_command {
    const char *words[CLI_PAIRING_ARGUMENTS + 16];
    uint64_t files; /* of gjb_paired_side */
    char slow[32];
} cli_pairing_command;
void cli_pairing_command_of(cli_pairing_command *command, const cli_pairing *pairing, const cli_pairing_side *side);

/* Until the budget is spent or Ctrl-C. 0, or -1 with one line in `error`, and then of what was measured by then; free
 * both in both cases. */
int cli_pairing_run(const cli_pairing *pairing, const cli_pairing_side sides[GJB_PAIRED_SIDES], gjb_paired *paired,
                    gjb_comparison *result, gjb_error *error);

/* What identical builds differ by on this machine (a share): as `calibrate` found, or else what is usual. `*from` says
 * which, for people. */
double cli_floor(const char **from);
/* Keeps it for this user, CPU and compiler; `context` says how it was found. 0, or -1 with one line in `error`. */
int cli_floor_save(double floor, json_t *context, gjb_error *error);
/* The user's cache folder for `what`: "builds". */
const char *cli_cache_path(const char *what, char *path, size_t size);

#endif
