/* A pair of a chunk: its name, and how its truth is opened. */
#include "verify/verify_private.h"

const char *gjb_verify_pair_name(const gjb_chunk *c, uint64_t index, char name[GJB_VERIFY_PAIR])
{
    snprintf(name, GJB_VERIFY_PAIR, "pair %llu of %uD %s %s, %s", (unsigned long long)(c->first + index),
             (unsigned)c->combo->dim, c->combo->workload, c->combo->family->name,
             gjb_precision_name(c->combo->precision));
    return name;
}

int gjb_verify_open_truth(const gjb_chunk *c, gjb_truth *truth, const gjb_pair *pair)
{
    return c->combo->family->moving ? gjb_truth_open_moving(truth, pair) : gjb_truth_open_lazily(truth, pair);
}
