/* SELECT: the options that say what a command works on. */
#ifndef GJB_CLI_SELECT_H
#define GJB_CLI_SELECT_H

#include "core/error.h"
#include "core/query.h"
#include "scenes/generate/generate.h"
#include <gjkbench/contender.h>

enum { CLI_SELECT_MAX = 64, CLI_CONTENDERS_MAX = 128, CLI_BACKENDS_MAX = 16 };

/* Zero it, let cli_parse fill it. */
typedef struct cli_select {
    uint32_t dims;       /* bit d; never 0 after parsing */
    uint32_t queries;    /* bit per gjb_query; never 0 */
    uint32_t precisions; /* bit per gjb_precision; never 0 */
    char workloads[CLI_SELECT_MAX][32];
    size_t workload_count; /* 0: not given, the command has its own default */
    const gjb_family *families[CLI_SELECT_MAX];
    size_t family_count; /* 0: not given */
    const gjb_contender *contenders[CLI_CONTENDERS_MAX];
    size_t contender_count; /* all but variants when not given */
    char backends[CLI_BACKENDS_MAX][16];
    size_t backend_count; /* 0: not given by option nor GJKBENCH_BACKEND */
    int contenders_all; /* --contender all */
    int contenders_given, queries_given, precisions_given;
    int takes_recorded; /* set beforehand: recorded scenes are workloads too */
    const char *const *takes; /* set beforehand: the options that the command takes, and NULL; NULL: all of them */
} cli_select;

/* The part of --help about the options that are taken, on stdout. */
void cli_select_print(const cli_select *select);
/* Their names: `names` holds as many as there are SELECT options. Returns how many. */
size_t cli_select_names(const cli_select *select, const char **names);

/* What it says of one in --help, or NULL. */
const char *cli_select_about(const char *option);
/* The names that an option takes, whether `select`, which may be NULL, takes it or not; of other options none.
 * A backend is there if some contender can run on it here. Returns how many. */
enum { CLI_SELECT_VALUES = 256 };
size_t cli_select_values(const cli_select *select, const char *option, const char *names[CLI_SELECT_VALUES]);

/* 1 taken, 0 no SELECT option, -1 with one line in `error`. */
int cli_select_take(cli_select *select, const char *option, const char *value, gjb_error *error);
/* Fills in the defaults and reads GJKBENCH_BACKEND. 0, or -1 with `error`. */
int cli_select_finish(cli_select *select, gjb_error *error);

/* The ways to run `contender` that are selected and that this CPU has: names
 * of its backends, or one NULL if it has just one way. Returns how many. */
size_t cli_select_backends(const cli_select *select, const gjb_contender *contender,
                           const char *out[CLI_BACKENDS_MAX]);
/* Is the query (or precision) selected and does the contender support it? */
int cli_select_query(const cli_select *select, const gjb_contender *contender, gjb_query query);
int cli_select_precision(const cli_select *select, const gjb_contender *contender, gjb_precision precision);

/* Why contenders that are named do not go with the rest: ": chipmunk has no 3D", or "". Returns `text`. */
const char *cli_select_clash(const cli_select *select, char text[256]);

/* What is ignored has to be asked for: the query toi, and of families that are named none that turns. 0, or -1 with
 * `error`. */
int cli_check_leaving(const cli_select *select, uint32_t leaving, gjb_error *error);
/* Of a scene with the name `file`, in place of what it says; CLI_NO_LEAVING leaves that. 0, or -1 with `error`, which
 * names the option. */
int cli_take_leaving(gjb_scene *scene, uint32_t leaving, const char *file, gjb_error *error);

#endif
