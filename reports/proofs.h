/* What stands for or against our answers: sums of what was graded, and fingerprints that should be equal. */
#ifndef GJB_REPORTS_PROOFS_H
#define GJB_REPORTS_PROOFS_H

#include "draw/text.h"
#include "reports/point_selection.h"

/* Ways in which an answer can be missing, and where rows count them. */
enum { PROOF_LOSSES = 5 };
typedef struct proof_loss {
    const char *word;
    size_t verified, kept; /* offsets: into a verify_row, into a league_row */
} proof_loss;
extern const proof_loss proof_losses[PROOF_LOSSES];

/* Of verified rows, or if there are none, of a league table that was kept. */
typedef struct proofs {
    double pairs, graded;                     /* graded: of all contenders */
    double answers, ungraded, wrong, missing; /* of ours; answers were graded */
    double too_slow;                          /* pairs that were too slow to judge */
    const char *slow_first;                   /* one of them, or NULL */
    double lost[PROOF_LOSSES];                /* what `missing` sums up */
    names contenders, families, backends;     /* backends: of ours */
} proofs;
proofs proofs_of(const results *r);

typedef struct agreement {
    size_t groups, differing;
    names backends;
    text list; /* of the first that differ; the caller frees it */
} agreement;
/* Compares fingerprints of all backends. 0, or -1 out of memory. */
int proofs_agreement(const results *r, agreement *found);

#endif
