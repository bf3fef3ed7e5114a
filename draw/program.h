/* Other programs that draw: found by name, run without a shell. */
#ifndef GJB_DRAW_PROGRAM_H
#define GJB_DRAW_PROGRAM_H

#include "draw/text.h"

/* Path of the program that the environment's `variable` names, or else of the first of `names` (NULL at their end) that
 * is on PATH. 0, or -1 when there is none. */
int program_find(const char *variable, const char *const *names, char *path, size_t size);

typedef enum program_end {
    PROGRAM_FINE,
    PROGRAM_FAILED, /* ended with another code than 0, or by a signal */
    PROGRAM_UNSTARTED,
    PROGRAM_UNENDED /* after that many seconds, and was killed */
} program_end;

/* Feeds `in` (may be empty), and collects what it prints into `out` and what it complains of into `complaint`. */
program_end program_run(const char *path, char *const argv[], const text *in, int seconds, text *out,
                        text *complaint);

#endif
