/* What cylinders, cones and half-spaces show along a normal, as polytopes: for contact patches (docs/manifolds.md,
 * "Rounded and curved kinds"). */
#ifndef REF_FLATS_H
#define REF_FLATS_H

#include "reference/patch/slab.h"

/* A disc is a regular polygon of so many corners, of which one lies at the azimuth of the normal. */
enum { REF_DISC_CORNERS = 32 };

/* The pair at rest with each cylinder and cone as its feature along a normal, and a half-space as its square. Corners
 * keep the body's pose and the height of its flat face, so that they lie in its plane exactly. Across, a corner of the
 * inner polygon is in the disc and within 2^-51 of the radius of its rim. An outer one is as near to its place, and no
 * side of it cuts the disc. The ends of a side line are within 2^-51 of the radius of it. */
typedef struct ref_flats {
    gjb_pair pair;
    int plane;      /* 1: with a half-space, `slab` says which of both */
    int discs;      /* how many of both shapes show a disc */
    ref_slab slab;
    double rows[2][REF_DISC_CORNERS][3];
} ref_flats;

/* Which polygon stands for a disc. */
typedef enum ref_flats_way { REF_FLATS_INNER, REF_FLATS_OUTER } ref_flats_way;

/* Of a pair in space, or with a half-space; the normal points from A to B and is not 0. 0, or -1 where one of both
 * shows a point: of a rim, an apex, or that of another curved kind. `flats` must stay where it is. */
int ref_flats_open(ref_flats *flats, const gjb_pair *pair, const double normal[3], ref_flats_way way);

#endif
