/* What callgrind counted, read from the file that it wrote. */
#ifndef GJB_BENCH_PROFILE_H
#define GJB_BENCH_PROFILE_H

#include <jansson.h>

#include "core/error.h"

typedef struct gjb_profile {
    double instructions, branches;
    double mispredicted;         /* branches, by callgrind's simple predictor */
    double misses, last_misses;  /* of the first level, data and code; of the last one */
    json_t *functions; /* instructions of each by itself, by name: copies that the compiler made of one are one */
    char by[48];       /* "callgrind-3.19.0" */
} gjb_profile;

/* Options that callgrind is started with: the caches are always the same, so that counts are of the program alone.
 * Ended by NULL. The file's name, which the caller adds, is "--callgrind-out-file=". */
extern const char *const gjb_callgrind_options[];

/* 0, or -1 with one line in `error`: no such file, or not what callgrind writes with the options above. Free in both
 * cases. */
int gjb_profile_read(gjb_profile *profile, const char *path, gjb_error *error);
void gjb_profile_free(gjb_profile *profile);

/* Cycles, estimated: the counts weighted by what they cost on the machine that the weights were fitted on
 * (scripts/fit-cycles.py). They rank changes; they predict no time. What misses the last level is left out. */
double gjb_profile_cycles(const gjb_profile *profile);

#endif
