/* What the truth of one pair may take: searches of curved pairs ask whether it is used up, and end as if capped, with
 * bounds that hold but may be wide. Without a budget, as while a contender answers, searches run on. */
#ifndef REF_EFFORT_H
#define REF_EFFORT_H

#include <signal.h>
#include <stdbool.h>

typedef enum ref_cut { REF_UNCUT = 0, REF_TOO_SLOW, REF_STOPPED } ref_cut;

/* Of one pair, over all that is asked of it; begins as {0}, or with `slowly` alone. */
typedef struct ref_effort {
    double spent; /* CPU seconds of this thread, of every search from its first poll on */
    ref_cut cut;
    bool slowly; /* asked for depths of curved cores by branch and bound alone, as audits are */
    bool capped; /* the oracle of a curved pair used up its support points, which are as many everywhere */
} ref_effort;

/* Generous, so that on no machine in use a pair is cut: verdicts do not depend on its speed. */
#define REF_EFFORT_SECONDS 30.0
/* Set before threads are: the CPU seconds of a pair (at least 0), and a flag that cuts all searches as soon as it is
 * raised, or NULL. */
void ref_effort_limit(double seconds);
void ref_effort_stop_on(const volatile sig_atomic_t *stop);

/* From here to the end, what this thread searches is for `effort`, which is borrowed. Returns what was at work before,
 * to be ended with: a begin within a begin of the same pair changes nothing. */
ref_effort *ref_effort_begin(ref_effort *effort);
void ref_effort_end(ref_effort *before);
/* What the oracle says of its own cap. */
void ref_effort_note_cap(void);
static inline bool ref_effort_too_slow(const ref_effort *effort)
{
    return effort->cut == REF_TOO_SLOW || (effort->capped && effort->cut != REF_STOPPED);
}
/* Polled by searches: once true, so for the rest of the pair. */
bool ref_effort_over(void);
/* Is what this thread searches to be proven slowly? False without a budget. */
bool ref_effort_slowly(void);

#endif
