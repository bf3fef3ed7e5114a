/* Pairs in motion by brute force, for tests of what was generated: poses at a time by the
 * C library's sine and cosine, signed distances at many times. Shares nothing with the generator. */
#ifndef GJB_SCENES_GENERATE_TESTS_MOTION_H
#define GJB_SCENES_GENERATE_TESTS_MOTION_H

#include "scenes/scene.h"

/* The pair as it is at t, at rest. Vertices are those of `pair`. */
gjb_pair motion_at(const gjb_pair *pair, double t);
/* Length of the displacement of B against A; of that of one body (0: A); turns of one body. */
double motion_way(const gjb_pair *pair);
double motion_own_way(const gjb_pair *pair, int body);
double motion_turns(const gjb_pair *pair, int body);

/* What happens over the step, sampled at `samples` equal times after 0, and more finely around the
 * least sigma. */
typedef struct motion_story {
    double first;   /* the first sampled time with sigma <= 0; 2 if there is none */
    double closest; /* the least sigma seen */
    double at;      /* and when */
    double start;   /* sigma at 0 */
    double size;    /* of the smaller shape that has one */
} motion_story;
motion_story motion_watch(const gjb_pair *pair, int samples);

#endif
