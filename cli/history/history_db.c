/* Where the history is, and what its commands print of it. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/history/history.h"

const char history_db_about[] = "history file (default: GJKBENCH_HISTORY if set, else gjkbench-history.db in this folder)";

const char *history_path(const char *given)
{
    const char *environment = getenv("GJKBENCH_HISTORY");
    return given && *given ? given : environment && *environment ? environment : "gjkbench-history.db";
}

int history_fail(const char *command, const gjb_error *error, int code)
{
    fprintf(stderr, CLI_PROGRAM " history %s: %s\n", command, error->text);
    return code;
}

const char *history_clean(const char *text)
{
    static char texts[4][512];
    static unsigned next;
    char *copy = texts[next++ % 4];
    snprintf(copy, sizeof texts[0], "%s", text);
    gjb_text_clean(copy);
    return copy;
}
