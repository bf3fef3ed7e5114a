/* Inside progress: what is said when, apart from clocks and streams. */
#ifndef GJB_CLI_PROGRESS_H
#define GJB_CLI_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

typedef struct cli_pace {
    const char *command; /* NULL: none is named */
    int terminal;
    double limit;        /* seconds that the work takes at most; 0: as long as it takes */
    /* Seconds of a clock that is never 0; 0: not yet. Lines elsewhere than on a terminal keep their distance from one
     * work to the next. */
    double first, begun, shown;
    uint64_t deaths;     /* crashes and hangs of contenders so far */
} cli_pace;

enum { CLI_PACE_TEXT = 200 };

/* The text to show now, or NULL if nothing is due. done == total ends the work; "" then, if a line of a terminal
 * is to be cleared. */
const char *cli_pace_text(cli_pace *pace, const char *what, uint64_t done, uint64_t total, double now,
                          char text[CLI_PACE_TEXT]);

#endif
