/* The commands of 'history': a row in cmd_history.c each. */
#ifndef GJB_CLI_HISTORY_H
#define GJB_CLI_HISTORY_H

#include "cli/cli.h"
#include "history/find.h"
#include "history/store.h"

int history_add(int argc, char **argv);
int history_list(int argc, char **argv);
int history_show(int argc, char **argv);
int history_changes(int argc, char **argv);
int history_plot(int argc, char **argv);
int history_export(int argc, char **argv);
int history_import(int argc, char **argv);

/* What --db gave, or GJKBENCH_HISTORY, or gjkbench-history.db in this folder. */
const char *history_path(const char *given);
extern const char history_db_about[];

/* One line on stderr, and `code`. */
int history_fail(const char *command, const gjb_error *error, int code);

/* A text of the database as a terminal may have it; one of four, in turn. */
const char *history_clean(const char *text);

#endif
