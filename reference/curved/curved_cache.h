/* Inside the reference room: answers to curved pairs that a thread keeps, for queries that ask the same of a pair. */
#ifndef REF_CURVED_CACHE_H
#define REF_CURVED_CACHE_H

#include "reference/curved/curved_pair.h"

/* What a thread that remembers (ref_remember in reference.h) answered before; NULL: it has not, or keeps nothing. */
const ref_answer3 *ref_cache_find(const gjb_pair *pair, ref_wanted wanted);
void ref_cache_keep(const gjb_pair *pair, ref_wanted wanted, const ref_answer3 *answer);

#endif
