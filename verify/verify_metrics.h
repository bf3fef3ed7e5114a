/* What an answer depends on that it should not: being asked before, the order of
 * the pairs, their neighbours, where in the world the pair lies. Measured on the
 * first pairs of every combination; truth plays no part in it. What an answer
 * does when A and B change places is `symmetry_wrong` of the row. */
#ifndef GJB_FUZZ_VERIFY_METRICS_H
#define GJB_FUZZ_VERIFY_METRICS_H

#include <jansson.h>
#include <stdint.h>

enum {
    GJB_METRIC_PAIRS = 32, /* of a combination, at most */
    GJB_METRIC_SAMPLE = 16, /* of a sample's first combination of a family */
    GJB_METRIC_CURVED = 8,  /* of ours that answers curved pairs of space in lanes */
    GJB_METRIC_FEW = 4,     /* of ours that answers curved pairs one after another */
    GJB_SHIFTS = 3
};

/* Both bodies are moved by one vector, of 2^this times S rounded up to a power of
 * two. Before that, translations are rounded to a grid that leaves every sum
 * exact, so that the pair moved and the pair not moved have one truth. */
extern const int gjb_shift_log2[GJB_SHIFTS];

typedef struct gjb_shift_count {
    uint64_t pairs;   /* answered where they were */
    uint64_t inexact; /* left out: no such sum is exact in this precision */
    uint64_t changed; /* answers with other bytes */
    uint64_t flipped; /* of those, with another status, or not a number any more */
    double worst_eps; /* largest change of a value, in units of eps S; of a time, in units of eps */
} gjb_shift_count;

typedef struct gjb_metrics {
    uint64_t pairs; /* answered; of those, with other bytes, iterations included: */
    uint64_t again, reordered, other_session; /* at once again; backwards; in a session of its own */
    gjb_shift_count shifts[GJB_SHIFTS];
} gjb_metrics;

void gjb_metrics_add(gjb_metrics *sum, const gjb_metrics *part);
/* Answers that depended on anything: what ours promise never happens. */
uint64_t gjb_metrics_broken(const gjb_metrics *metrics);
/* {"repeat": {"pairs", "again", "reordered", "other_session"}, "shifts": [{"log2", "pairs",
 * "inexact", "changed", "flipped", "worst_eps"}]} */
json_t *gjb_metrics_json(const gjb_metrics *metrics);

#endif
