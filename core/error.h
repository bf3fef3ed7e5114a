/* One-line errors that name file, position, field and value. */
#ifndef GJB_CORE_ERROR_H
#define GJB_CORE_ERROR_H

#include <stdarg.h>
#include <stddef.h>

typedef struct gjb_error {
    char text[512]; /* "" while all is well */
} gjb_error;

/* Formats into `error` (which may be NULL) and returns -1, so that a caller
 * can write `return gjb_fail(error, ...)`. The first failure is kept.
 * Control characters in the text are shown as '?': a hostile file cannot
 * write to a terminal. */
int gjb_fail(gjb_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Replaces by '?' every byte that must not reach a terminal: control
 * characters, malformed UTF-8, and characters that break a line or reorder
 * the text around them. Returns how many it replaced. */
size_t gjb_text_clean(char *text);

/* Exit codes of the program, as scripts rely on them. */
enum {
    GJB_EXIT_OK = 0,
    GJB_EXIT_WRONG = 1,    /* verification failed */
    GJB_EXIT_USAGE = 2,    /* usage or bad input */
    GJB_EXIT_SLOWER = 3,   /* significant slow-down */
    GJB_EXIT_SKIPPED = 77,
    GJB_EXIT_HARNESS = 99
};

#endif
