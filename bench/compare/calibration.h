/* How far comparisons are to be believed: counted over many whose answer is known. */
#ifndef GJB_BENCH_CALIBRATION_H
#define GJB_BENCH_CALIBRATION_H

#include "bench/compare/comparison.h"

/* One difference that is known: of builds that are the same, or of one that is slower by a known part. */
typedef struct gjb_calibration_level {
    const char *name;    /* "identical", "relinked", "+5%" */
    double slow;         /* the part; 0: none */
    uint64_t benchmarks; /* judged, in all comparisons */
    uint64_t of[GJB_CHANGES];
    double *sizes; /* if there is no difference: how far intervals of logarithms are from none */
    size_t size_count;
} gjb_calibration_level;

typedef struct gjb_calibration {
    gjb_calibration_level *levels;
    size_t count;
} gjb_calibration;

/* 0, or -1 out of memory. */
int gjb_calibration_add(gjb_calibration_level *level, const gjb_comparison *comparison);
void gjb_calibration_free(gjb_calibration *calibration); /* what levels own; not the array */

/* By how much intervals would have to be wider so that 99 of 100 of builds that do not differ have no difference in
 * them: a share. Chance alone takes 5 of 100 out, by little; what runs of one pair of builds have in common, and no
 * number of launches shows, is the rest. 0 if none was compared. */
double gjb_calibration_floor(const gjb_calibration *calibration);

/* False alarms of all that were compared and do not differ: a share. */
double gjb_calibration_alarms(const gjb_calibration *calibration);

/* A line a level, with exact 95% intervals (Clopper and Pearson, 1934). */
void gjb_calibration_print(const gjb_calibration *calibration, FILE *stream, const gjb_bench_paint *paint);
json_t *gjb_calibration_json(const gjb_calibration *calibration); /* an array; NULL out of memory */

#endif
