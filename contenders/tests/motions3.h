/* Motions for pairs in space, and a judge of times of impact that shares nothing with the
 * kernels: signed distances at poses of the moment, and how fast they can shrink. */
#ifndef GJB_CONTENDERS_TESTS_MOTIONS3_H
#define GJB_CONTENDERS_TESTS_MOTIONS3_H

#include "scenes/generate/generate.h"

/* Ways to move, by index; NULL beyond the last. */
unsigned motions3_count(void);
const char *motions3_name(unsigned kind);
/* Gives every body of the scene's first frame a motion of that kind. */
void motions3_set(gjb_scene *scene, unsigned kind, uint64_t seed);

/* What is wrong with an answer, or NULL; `unproven` counts separations that were only sampled. */
typedef struct verdict3 {
    const char *wrong;
    double at;      /* HIT, OVERLAPPING: sigma there, in eps S */
    double size;    /* eps S */
    int unproven;
} verdict3;
verdict3 motions3_judge(const gjb_pair3 *pair, gjb_precision precision, const gjb_result3d *answer, double k);

/* The signed distance at t, of a pair in motion. */
double motions3_sigma(const gjb_pair3 *pair, double t);

#endif
