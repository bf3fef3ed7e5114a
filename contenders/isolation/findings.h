/* What a session has seen its contender do apart from answering: ends of its
 * process, which cost, and mild ones, which do not. */
#ifndef GJB_CONTENDERS_FINDINGS_H
#define GJB_CONTENDERS_FINDINGS_H

#include "contenders/harness.h"

typedef struct gjb_findings {
    gjb_finding list[GJB_FINDINGS_MAX + (GJB_MISHAPS - GJB_MILD) * GJB_QUERIES * GJB_MILD_MAX];
    size_t count;
    size_t ends, hangs, mild[GJB_MISHAPS][GJB_QUERIES]; /* of them; ends: of the process */
    size_t in_a_row; /* ends since it last answered */
} gjb_findings;

/* Counts it in `stats` (may be NULL) if it has a pair, and keeps it while there is room. */
void gjb_findings_add(gjb_findings *findings, gjb_finding finding, gjb_session_stats *stats);

/* After too many ends, or hangs, the contender is not asked any more. */
int gjb_findings_enough(const gjb_findings *findings);

/* Looks through `count` records of pairs from `first` on, poisoned beforehand, for what was left unwritten
 * or is no number. */
void gjb_findings_look(gjb_findings *findings, gjb_query query, gjb_precision precision, uint32_t dim,
                       uint32_t frame, uint64_t first, uint64_t count, const void *results,
                       gjb_session_stats *stats);

#endif
