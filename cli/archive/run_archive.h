/* A whole run as one file: how it was asked for, what it was fed, where it ran, what came of it. */
#ifndef GJB_CLI_RUN_ARCHIVE_H
#define GJB_CLI_RUN_ARCHIVE_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/archive/archive_file.h"

enum { CLI_RUN_FORMAT = 1, CLI_RUN_WORDS = 512, CLI_RUN_PATH = 4096 };

/* Results of a run, in DIR/data. */
extern const char *const cli_run_results[]; /* file names, NULL-terminated */

/* Files that an option of the run names. */
typedef struct cli_run_input {
    const char *option; /* "--hulls" */
    const char *path;   /* a file or a folder of scenes; NULL: not given */
} cli_run_input;
enum { CLI_RUN_INPUTS = 2 };

/* What a run is archived with: its words but for those that say where results go, and for inputs. */
typedef struct cli_run_asked {
    int argc;
    char **argv; /* argv[0] is "run" */
    cli_run_input inputs[CLI_RUN_INPUTS];
    const char *out; /* the folder of its page */
    int exit_code;
} cli_run_asked;

/* Zero it; fill in what was asked before anything runs, so that inputs are kept as they were then. */
int cli_run_archive_begin(cli_archive *archive, json_t **manifest, const cli_run_asked *asked, gjb_error *error);
/* Adds the results and writes the file. */
int cli_run_archive_end(cli_archive *archive, json_t *manifest, const cli_run_asked *asked, const char *path,
                        gjb_error *error);

/* A run read back. Its words are those to run with; inputs lie in a folder that cli_run_again_free removes. */
typedef struct cli_run_again {
    cli_archive archive;
    json_t *manifest;
    char folder[64]; /* "": none was made */
    int argc;
    char *argv[CLI_RUN_WORDS + 1];
} cli_run_again;
/* 0, or -1 with one line in `error`: damaged, foreign, newer. Free it in both cases. */
int cli_run_again_open(cli_run_again *again, const char *path, const char *out, gjb_error *error);
void cli_run_again_free(cli_run_again *again);

/* How much a run did: of a sample that a clock cut, no word of its command says it. */
typedef struct cli_run_graded {
    uint64_t pairs, space_pairs; /* graded of the whole plan, in 2D and 3D; 0: unknown */
    uint64_t chunks;             /* of its sample; 0: all of it */
    uint64_t scenes;             /* measured; 0: all of them */
} cli_run_graded;
/* 0, or -1 with `error`: results that are none. An archive without them leaves zeros. */
int cli_run_again_graded(const cli_run_again *again, cli_run_graded *graded, gjb_error *error);

/* Says on `stream` what differs from the results in DIR/data. How many results differ; -1 with `error`, also
 * if there is nothing to compare. */
int cli_run_compare(const cli_run_again *again, const char *out, FILE *stream, gjb_error *error);

/* What of this machine and build may explain a difference. */
json_t *cli_run_environment(void);

#endif
