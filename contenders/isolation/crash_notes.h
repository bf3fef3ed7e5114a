/* What a process can still say of its end while it dies: who wrote where it
 * may not, and whether a C++ exception escaped. Its exit status says neither. */
#ifndef GJB_CONTENDERS_CRASH_NOTES_H
#define GJB_CONTENDERS_CRASH_NOTES_H

#include <stdatomic.h>
#include <stddef.h>

#include "contenders/harness.h"

typedef struct gjb_range {
    const char *begin;
    size_t bytes;
} gjb_range;

enum { GJB_FENCES = 4 };

/* All of the process, and in memory that outlives it. */
typedef struct gjb_crash_notes {
    _Atomic int *said;            /* becomes a gjb_mishap */
    gjb_range fences[GJB_FENCES]; /* a write there is one outside of the results */
    gjb_range inputs;             /* read-only */
} gjb_crash_notes;

/* From now on. Signals still end the process as they would have. `notes` outlives it. */
void gjb_crash_notes_watch(const gjb_crash_notes *notes);

/* Watches exceptions too, if a C++ library that can report them is loaded by now; again after loading more. */
void gjb_crash_notes_watch_exceptions(void);

/* What the end of a process by `signal` means, given what it said. Trusts nothing: a contender may have
 * scribbled. */
gjb_mishap gjb_crash_notes_meaning(int said, int signal);

#endif
