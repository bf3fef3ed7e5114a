/* Help as it is printed: in lines of at most 80 columns. */
#ifndef GJB_CLI_OPTIONS_WRAP_H
#define GJB_CLI_OPTIONS_WRAP_H

#include <stdio.h>

/* Words of `text`, from column `at` on; later lines begin at column `indent`. Lines of a paragraph are joined. Empty lines,
 * and lines that begin with a space, stay as they are. Ends the last line. */
void cli_print_wrapped(FILE *stream, const char *text, int at, int indent);
/* "  --name ARGUMENT   what it is about", on standard output; `argument` may be NULL. */
void cli_print_option(const char *name, const char *argument, const char *about);
/* Lines of a command and, two spaces or more behind it, what it does: which goes below if the line is too long. */
void cli_print_examples(FILE *stream, const char *examples);

#endif
