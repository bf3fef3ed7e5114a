/* Known failures inside another command. */
#ifndef GJB_CLI_CMD_REPLAY_H
#define GJB_CLI_CMD_REPLAY_H

#include <stdio.h>

#include "cli/options/select.h"

/* Replays one file as 'replay' does and writes the verdicts to `json_path`; `stream` gets only what the file has that
 * is not supported, and the sum. 1 when an answer of ours is wrong, else 0; -1 with one line in `error`. */
int cli_replay(const char *file, const cli_select *select, const char *json_path, FILE *stream, gjb_error *error);

#endif
