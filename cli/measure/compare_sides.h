/* What `compare` is given: result files, programs, plug-ins, or revisions, which it builds. */
#ifndef GJB_CLI_COMPARE_SIDES_H
#define GJB_CLI_COMPARE_SIDES_H

#include "core/error.h"

typedef enum cli_side_kind { CLI_SIDE_FILE, CLI_SIDE_PROGRAM, CLI_SIDE_PLUGIN, CLI_SIDE_REVISION } cli_side_kind;

typedef struct cli_side {
    const char *given; /* as on the command line */
    cli_side_kind kind;
    char commit[48];   /* of a revision */
    char *path;        /* the file, program or plug-in; of a revision the program, once it is built. Owned */
} cli_side;

/* What is a file is taken for what it is, by content and name; all else is asked of git, in the folder that the
 * program runs in. 0, or -1 with one line in `error`. Free it in both cases. */
int cli_side_find(cli_side *side, const char *given, gjb_error *error);
void cli_side_free(cli_side *side);

/* Builds a revision in a folder of its own under `builds`, with the compiler that CC names, without what needs other
 * libraries, and with `backends` ("scalar,avx512"; NULL: all) alone; one that is there already stays. What is said
 * meanwhile is in a file that an error names. */
int cli_side_build(cli_side *side, const char *builds, const char *backends, gjb_error *error);

/* The first-parent line from `old` (left out) to `new`, oldest first: commits by their whole hashes, in memory that
 * the caller frees. Their number, or -1 with one line in `error`. */
int cli_commits_between(const char *old, const char *new, char (**commits)[48], gjb_error *error);

#endif
