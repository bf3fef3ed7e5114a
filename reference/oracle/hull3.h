/* Inside the reference room: a closed convex surface of vertices of D, in exact
 * terms. What a face sees and how faces compare is decided by long doubles with
 * a stated error, and by integers if that is in doubt. */
#ifndef REF_HULL3_H
#define REF_HULL3_H

#include "reference/methods/surface3.h"
#include "reference/oracle/exact3.h"

typedef enum ref_face_state3 {
    REF_OPEN,  /* not looked at */
    REF_FAR,   /* exactly no nearer than the best facet */
    REF_FACET  /* exactly no vertex of D beyond it */
} ref_face_state3;

/* Plane of a face, approximate: outward normal `n`, not unit, off by `doubt` in
 * length at most; distance from the origin, off by `off`. */
typedef struct ref_plane3l {
    long double n[3], length, doubt;
    long double distance, off;
    ref_face_state3 state;
} ref_plane3l;

typedef struct ref_hull3 {
    ref_grid3 *grid;
    ref_surface3 surface;
    ref_plane3l *planes; /* by face */
    uint32_t plane_room;
    ref_corner3 *corners;
    long double (*near)[3]; /* the corners, within grid->doubt a coordinate */
    uint32_t corner_count, corner_room, near_room;
    ref_vector3 best;        /* exact normal of the nearest facet so far, */
    mpz_t best_reach;        /* its product with the facet's corners, */
    mpz_t best_square;       /* and with itself */
    ref_vector3 p, q, r, s, n; /* scratch */
    mpz_t t, u, v;
} ref_hull3;

/* From four corners that span space, in any order. */
void ref_hull3_open(ref_hull3 *hull, ref_grid3 *grid, const ref_corner3 corner[4]);
void ref_hull3_close(ref_hull3 *hull);

/* Nearest or, with the origin outside, most outlying of the open faces, as far
 * as long doubles tell; UINT32_MAX when none is open. */
uint32_t ref_hull3_nearest_open(const ref_hull3 *hull);
/* A corner of D strictly beyond the face; false when there is exactly none. */
bool ref_hull3_beyond(ref_hull3 *hull, uint32_t face, ref_corner3 *corner);
/* Takes in a corner that the face sees. */
void ref_hull3_extend(ref_hull3 *hull, uint32_t face, ref_corner3 corner);
/* Is the face no nearer than the best facet, or does it take integers to tell? */
bool ref_hull3_surely_farther(const ref_hull3 *hull, uint32_t face, uint32_t best);
/* Exact sign of the face's distance less that of the best facet. */
int ref_hull3_compare(ref_hull3 *hull, uint32_t face);
void ref_hull3_take_best(ref_hull3 *hull, uint32_t face);
/* Fills planes[face]. */
void ref_hull3_measure(ref_hull3 *hull, uint32_t face);

/* span3.c. Up to four corners that span D, the first given; returns how many. */
int ref_span3(ref_grid3 *grid, ref_corner3 chosen[4]);
/* Any normal to a D that `count` < 4 corners span. */
void ref_flat_normal3(ref_grid3 *grid, const ref_corner3 *chosen, int count, ref_vector3 *normal);
/* Exact sign of the volume from chosen[0] to the others. */
int ref_volume_sign3(ref_grid3 *grid, const ref_corner3 chosen[4]);

#endif
