/* The program's commands. A command is one row in main.c's table and one file
 * cmd_*.c; it gets its own argc and argv (argv[0] is its name) and returns an
 * exit code of core/error.h. */
#ifndef GJB_CLI_H
#define GJB_CLI_H

#include "cli/options/options.h"
#include "cli/options/select.h"
#include "cli/output.h"

#define CLI_PROGRAM "gjkbench"

int cmd_list(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_bench(int argc, char **argv);
int cmd_calibrate(int argc, char **argv);
int cmd_choose(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_fuzz(int argc, char **argv);
int cmd_shrink(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_properties(int argc, char **argv);
int cmd_selftest(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_certify(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_import(int argc, char **argv);
int cmd_recipe(int argc, char **argv);
int cmd_suite(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_step(int argc, char **argv);
int cmd_history(int argc, char **argv);

#endif
