/* GJK (Gilbert, Johnson, Keerthi 1988) and EPA (van den Bergen 2001) as they stand in the papers, in float and in
 * double, to see how they come nearer to the answer: what they would answer after each
 * support that they took. Nothing of ours is in them, neither lanes nor what ours do to converge sooner. */
#ifndef GJB_VERIFY_CONVERGE_METHODS_H
#define GJB_VERIFY_CONVERGE_METHODS_H

#include "core/types.h"

enum { GJB_CONVERGE_CAP = 256 }; /* supports that a method may take */

/* Support of A - B, about A's translation, in world axes: the w farthest along d, of any length but 0. */
typedef struct gjb_difference {
    void (*support)(const void *of, const double d[3], double w[3]);
    const void *of;
    uint32_t dim;
    double offset[3]; /* B's translation relative to A's: where a search begins */
    double size;      /* S */
} gjb_difference;

typedef enum gjb_converged {
    GJB_CONVERGE_MET,      /* bounds met, within 4 eps S */
    GJB_CONVERGE_FLOOR,    /* rounding ended progress: a support known already, or no nearer than the last */
    GJB_CONVERGE_CAPPED,   /* GJB_CONVERGE_CAP supports were not enough */
    GJB_CONVERGE_OTHER,    /* the pair turned out to be of the other sort, overlapping or apart */
    GJB_CONVERGE_ENDS
} gjb_converged;

typedef struct gjb_walk {
    gjb_converged end;
    uint32_t count;                  /* supports taken */
    double value[GJB_CONVERGE_CAP];  /* of [k]: what would be answered after k + 1 supports; those of GJK, if EPA
                                        has not begun, are 0 */
} gjb_walk;

/* Both from above: a distance is that of the simplex, a depth the least way out along any normal that was tried. Surfaces
 * of EPA that rounding tears thus end too soon, but not below the truth. All arithmetic behind the supports, which are
 * rounded to it, is in the precision. */
void gjb_walk_f32(const gjb_difference *d, int depth, gjb_walk *walk);
void gjb_walk_f64(const gjb_difference *d, int depth, gjb_walk *walk);

#endif
