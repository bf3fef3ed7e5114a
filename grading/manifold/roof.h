/* Inside grading: what of a convex set is over a point, and how steep it is there. */
#ifndef GJB_GRADING_MANIFOLD_ROOF_H
#define GJB_GRADING_MANIFOLD_ROOF_H

/* Coordinates are two across and one up, about the point that is asked about. */
typedef struct gjb_roof {
    /* The point of the set that is farthest along (tilt, 1). */
    void (*support)(const void *context, const long double tilt[2], long double out[3]);
    const void *context;
    long double far;      /* more than the set is wide and high */
    long double steepest; /* planes that are steeper are none, but walls */
    int turned;           /* 0 to 3: how the start is turned. A rim is found along one of its directions */

    long double at[3][3]; /* points of the set, or of the start, */
    int is_real[3];
    long double tilt[2], height; /* and the plane through them: height - tilt . across */

    long double over[3]; /* found: a point of the set, over the one that is asked about or next to it, */
    int reals;           /* of so many points, less than 3 on a rim */
    long double most;    /* nothing of the set is higher over the point that is asked about */
} gjb_roof;

/* Set what comes first. Ends when nothing of the set is farther beyond the plane than `enough`, and rounding. 0 if
 * nothing was found, which proves nothing. */
int gjb_roof_find(gjb_roof *roof, long double enough, long double doubt);

#endif
