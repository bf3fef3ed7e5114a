/* Audits: each verdict on a pair once more, by a truth that is looked for slowly. */
#include "verify/verify_private.h"

static gjb_verdict verdict_of(const gjb_chunk *c, gjb_truth *truth, size_t r, uint64_t index)
{
    const gjb_verify_row *row = &c->tally[r];
    const gjb_result result =
        gjb_result_get(row->query, c->combo->precision, c->combo->dim, c->straight[r], index);
    return result.unasked ? GJB_UNGRADED
                          : gjb_grade_result(row->query, truth, &result, &c->granted[r]).verdict;
}

static void tell(gjb_chunk *c, size_t r, uint64_t index, gjb_verdict slow)
{
    const gjb_verify_row *row = &c->tally[r];
    char name[GJB_VERIFY_PAIR];
    gjb_fail(&c->conflict, "%s: %s of %s %s is %s, and %s by the slow truth",
             gjb_verify_pair_name(c, index, name), gjb_queries[row->query].name, row->contender->name,
             row->backend, gjb_verdict_name(c->grades[r].verdict), gjb_verdict_name(slow));
}

int gjb_verify_audit(gjb_chunk *c, gjb_truth *truth, gjb_truth *slow, uint64_t index)
{
    if (gjb_verify_open_truth(c, slow, truth->pair))
        return -1;
    for (size_t r = 0; r < c->rows; r++) {
        if (!c->straight[r] || index >= c->tally[r].pairs)
            continue;
        const gjb_verdict again = verdict_of(c, slow, r, index);
        if (again == c->grades[r].verdict || again == GJB_UNGRADED)
            continue;
        tell(c, r, index, again);
        truth->conflict = 1;
    }
    gjb_truth_audit(truth, slow);
    c->audits++;
    return 0;
}
