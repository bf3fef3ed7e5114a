/* The reference with faults that only rare geometry shows: what a search is to find. */
#ifndef GJB_FUZZ_TESTS_PLANTED_H
#define GJB_FUZZ_TESTS_PLANTED_H

#include <gjkbench/contender.h>

#include "fuzz/editable_pair.h"

typedef struct planted {
    const char *name, *about;
    uint32_t dim;
    gjb_query query;
    const char *workload, *families[3]; /* that hide it: NULL ends them */
    int (*hit)(const gjb_edit *pair, unsigned iterations);
    double (*share)(
        const gjb_edit *pair); /* instead of `hit`: of T that it is off by; more than 1 is a failure */
    uint64_t pairs;            /* that suffice */
    int whole;                 /* 1: it shrinks to whole numbers */
} planted;
extern const planted planted_faults[];
extern const size_t planted_count;

/* A contender with that fault, in this process. Of one at a time. */
gjb_contender planted_contender(const planted *fault);

#endif
