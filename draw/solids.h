/* Shapes of a pair and their Minkowski difference as they are drawn: outlines in the plane,
 * and wireframes of solids, seen from afar along one direction, with their hidden lines. */
#ifndef GJB_DRAW_SOLIDS_H
#define GJB_DRAW_SOLIDS_H

#include "core/error.h"
#include "core/types.h"

/* Of vectors in space. */
static inline double solid_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void solid_cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Orthographic. In the plane right is x and up is y. */
typedef struct view {
    uint32_t dim;
    double right[3], up[3], toward[3]; /* unit; `toward` the eye */
    double unit; /* drawn = world / unit: 1, or a power of ten if drawn numbers would be extreme */
} view;

void view_project(const view *v, const double at[3], double out[2]);
/* A direction of any length but zero, as a unit vector seen from the side: at most 1 long. */
void view_direct(const view *v, const double way[3], double out[2]);

/* Convex. Zero it before use; free with solid_free. */
typedef struct solid {
    double (*points)[3]; /* that it is the hull of */
    size_t count;
    double radius;
    double (*outline)[2],
        (*rounded)[2]; /* drawn: of the points, and grown by the radius (none if that is 0) */
    size_t outline_count, rounded_count;
    /* Edges of a solid, drawn: those in front first, then `hidden_count` behind the body itself. Of
     * one with many corners, those of a hull of few of them. */
    double (*edges)[2][2];
    size_t edge_count, hidden_count;
    int smooth;    /* no edges */
    int unbounded; /* a half-space: the points are a part of its surface, near what it is seen with; in the plane two
                      of them, and two below */
    double outward[3]; /* then its unit normal, out of it */
} solid;

void solid_free(solid *s);

/* The points of a body, placed about A's translation; of a curved one many of its surface, of a half-space a part of
 * it under the other. -1 when memory does not suffice. */
int solid_place(const gjb_pair *pair, int of_b, solid *s);
/* The outline of the points and, in space, edges. 0, or -1 with one line in `error`. */
int solid_draw(const view *v, solid *s, gjb_error *error);
/* Both: a body as it is seen, placed about A's translation, with outline and, in space, edges of flat faces. `s` is
 * zeroed before; free it either way. 0, or -1 with one line in `error`. */
int solid_see(const view *v, const gjb_pair *pair, int of_b, solid *s, gjb_error *error);

/* Direction k of n all around: on a circle, or on a spiral about the sphere. */
void solid_direction(uint32_t dim, int k, int n, double out[3]);

/* Hull of points in the plane, counter-clockwise, in place: returns how many are left, in front. Points
 * that are not finite are left out. */
size_t hull_of_drawn(double (*p)[2], size_t n);
int hull_holds(const double (*p)[2], size_t n, const double at[2]);

#endif
