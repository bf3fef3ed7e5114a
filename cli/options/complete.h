/* Completion for shells. `gjkbench --complete WORD...` prints what the last word may become, a line
 * each, with a tab and what it is behind it if that is known; ":files" and ":folders" stand for
 * names of these, which shells know better. All of it comes from the tables that --help and `list`
 * are made from. The scripts in completions/ hand words over and lines back. */
#ifndef GJB_CLI_COMPLETE_H
#define GJB_CLI_COMPLETE_H

#include "cli/options/options.h"

#define CLI_COMPLETE "--complete"

/* From here on cli_parse answers by completing, and its command ends with that. */
void cli_complete_begin(void);
int cli_completing(void);

/* What the last of a command's words may become; argv[0] is the command. GJB_EXIT_OK. */
int cli_complete(const cli_spec *spec, int argc, char **argv);

/* A line, if `word` is one that `typed` may become. `about` may be NULL. */
void cli_complete_offer(const char *typed, const char *word, const char *about);

#endif
