/* The command `history` in a build without SQLite: says what to install. */
#include "cli/cli.h"

int cmd_history(int argc, char **argv)
{
    (void)argc, (void)argv;
    fputs(CLI_PROGRAM " history: this build keeps no history: install SQLite (Debian: libsqlite3-dev), build again\n", stderr);
    return GJB_EXIT_USAGE;
}
