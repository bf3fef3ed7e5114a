/* The league table of a run, and the one that is kept from run to run. */
#ifndef GJB_CLI_LEAGUE_FILE_H
#define GJB_CLI_LEAGUE_FILE_H

#include <jansson.h>
#include <stddef.h>

#include "core/error.h"

enum { CLI_LEAGUE_PATH = 4096 };

/* Zero it; end with cli_league_free. */
typedef struct cli_league {
    char path[CLI_LEAGUE_PATH]; /* of the kept one; "" keeps none */
    json_t *kept;               /* as it was before the run; NULL if there was none */
} cli_league;

/* Before any work: finds the kept table, at `path` or, if that is NULL, at $XDG_DATA_HOME/gjkbench/league.json
 * (~/.local/share if that is not set), makes its folder and reads it. 0, or -1 with one line in `error` for a
 * file that is no league table or a folder that cannot be written to. */
int cli_league_open(cli_league *league, const char *path, gjb_error *error);
/* The table of these result files goes to `out`; `command` is recorded in it. With `renew` the kept one is renewed
 * too, and a line on stdout says what became of its entries. 0, or -1 with one line in `error`. */
int cli_league_write(cli_league *league, const char *const *files, size_t n, const char *out,
                     const char *command, int renew, gjb_error *error);
void cli_league_free(cli_league *league);

#endif
