/* Slows a contender by a known share: a part of the pairs of each call is answered twice. */
#include "bench/compare/injected_slowdown.h"

enum { PART = 256, RECORD = 512 }; /* pairs, and bytes of a record, that are answered again at a time */

static const gjb_contender *of;
static gjb_contender slowed;
static double share_again;

/* `count` of the pairs, spread evenly over all, so that they cost what pairs cost. Their answers go elsewhere. */
static void answer_again(const void *prepared, const gjb_batch *batch, size_t count)
{
    static _Thread_local uint32_t pairs[2 * PART];
    static _Thread_local _Alignas(64) char results[PART * RECORD];
    for (size_t done = 0; done < count;) {
        gjb_batch again = *batch;
        again.pair_count = count - done < PART ? count - done : PART;
        again.stats = NULL;
        again.pairs = pairs;
        again.results = results;
        for (size_t i = 0; i < again.pair_count; i++) {
            const size_t at = (size_t)((double)(done + i) * (double)batch->pair_count / (double)count);
            pairs[2 * i] = batch->pairs[2 * at];
            pairs[2 * i + 1] = batch->pairs[2 * at + 1];
        }
        of->run(prepared, &again);
        done += again.pair_count;
    }
}

/* A part of a pair is owed to the next call. Each thread owes its own. Axes of a warm start are of each pair in its
 * place, and go on to the next frame as they are answered: there the first pairs are answered again, to the same
 * places. */
static void run(const void *prepared, const gjb_batch *batch)
{
    static _Thread_local double owed;
    of->run(prepared, batch);
    owed += share_again * (double)batch->pair_count;
    gjb_batch again = *batch;
    again.pair_count = (size_t)owed;
    again.stats = NULL;
    owed -= (double)again.pair_count;
    if (again.pair_count && !batch->axes && batch->result_stride <= RECORD)
        answer_again(prepared, batch, again.pair_count);
    else if (again.pair_count)
        of->run(prepared, &again);
}

const gjb_contender *gjb_slowed(const gjb_contender *contender, double share)
{
    of = contender;
    share_again = share;
    slowed = *contender;
    slowed.run = run;
    return &slowed;
}
