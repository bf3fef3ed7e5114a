/* Who fails which case: the answers of a replay as a table, cases by contenders. */
#ifndef GJB_CLI_REPLAY_TABLE_H
#define GJB_CLI_REPLAY_TABLE_H

#include <stdio.h>

#include "verify/replay.h"

typedef struct cli_replay_table cli_replay_table;

/* A column for each contender of the plan, ours first. NULL out of memory. */
cli_replay_table *cli_replay_table_new(const gjb_replay_plan *plan);
/* Backends, precisions and queries of a contender share a cell. Where memory fails the case is missing, and the table says so. */
void cli_replay_table_add(cli_replay_table *table, uint32_t dim, const gjb_replay_case *one);
/* One table for each dimension, of the contenders that answered something in it; then their versions. */
void cli_replay_table_print(const cli_replay_table *table, int markdown, FILE *stream);
void cli_replay_table_free(cli_replay_table *table);

#endif
