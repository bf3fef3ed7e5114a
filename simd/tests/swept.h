/* Batches of moving boxes for tests of sweeps, and an exact judge of answers: by the
 * definition, in rational numbers, independent of the kernel. */
#ifndef GJB_SIMD_TESTS_SWEPT_H
#define GJB_SIMD_TESTS_SWEPT_H

#include "scenes/generate/generate.h"
#include "simd/simd.h"

/* Pair i is of bodies 2 i and 2 i + 1, body i has shape i. */
typedef struct swept {
    gjb_shapes shapes;
    size_t pairs;
    void *poses, *motions; /* pose_size and motion_size apart */
    size_t pose_size, motion_size, record_size;
    uint32_t *pair;
    uint8_t *kind;
    uint32_t *first, *rows_of;
    void *radius, *rows;
} swept;

/* How boxes are placed and moved. */
typedef enum swept_family {
    SWEPT_ANYHOW,   /* kinds, sizes and ways at random, some without motion along an axis */
    SWEPT_LATTICE,  /* small whole numbers: touching, grazing and ties are exact */
    SWEPT_GRAZING,  /* corner past corner, or face along face, by next to nothing */
    SWEPT_FAR,      /* far from the origin, both */
    SWEPT_MAGNITUDES, /* sizes, places and ways of any order */
    SWEPT_HASTY,    /* gone by before a time that is a normal number */
    SWEPT_FAMILIES
} swept_family;

swept swept_new(uint32_t dim, gjb_precision precision, swept_family family, uint64_t seed, size_t pairs);
void swept_free(swept *s);

/* Number k of a body, as stored. */
double swept_pose(const swept *s, size_t body, unsigned k);
double swept_motion(const swept *s, size_t body, unsigned k);
double swept_row(const swept *s, size_t body, unsigned k);
void swept_set_pose(swept *s, size_t body, unsigned k, double x);
void swept_set_motion(swept *s, size_t body, unsigned k, double x);
void swept_set_row(swept *s, size_t body, unsigned k, double x);

/* All pairs in calls of so many, records `stride` bytes apart; 0: of their size. */
void swept_run(const swept *s, const char *backend, size_t call, size_t stride, unsigned char *results);

/* A record of either precision. */
typedef struct swept_answer {
    unsigned status;
    double value, last, normal[3], point[3];
} swept_answer;
swept_answer swept_read(const swept *s, const unsigned char *results, size_t stride, size_t pair);

/* The error in an answer, or NULL; tolerance k eps S. `worst`: the largest deviation of right
 * answers, in eps S. */
const char *swept_judge(const swept *s, size_t pair, const swept_answer *answer, double k, double *worst);

#endif
