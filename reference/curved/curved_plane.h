/* Inside the reference room: two bodies of revolution as a pair of the plane. */
#ifndef REF_CURVED_PLANE_H
#define REF_CURVED_PLANE_H

#include "reference/curved/curved.h"

/* Frame of the plane: its first axis from A's axis square to B's, its second along A's. */
typedef struct ref_plane {
    ref_real axis[2][3], origin[3];
    ref_real lean[2][3]; /* unit, square to A's axis: that about which B leans, and across it; any if it does not */
} ref_plane;

/* Bodies that revolve about axes (cylinders, cones, two equal semi-axes, points and segments: balls and capsules)
 * as a plane through both axes cuts them, B turned to have an axis parallel to A's. Of all directions as steep, the
 * best one is in that plane: so the signed distance is that of the pair but for the lean, which `flat` tells with
 * its pivot; errors that grow with its square are in flat->error. False if a body does not revolve, or the pair is
 * of the plane, or of two points. */
bool ref_curved_flatten(const ref_curved *curved, ref_curved *flat, ref_plane *plane);
/* A vector or a point of the plane in space. */
void ref_plane_back(const ref_plane *plane, const ref_real v[3], bool point, ref_real out[3]);

#endif
