/* Inside the reference room: a feature over the plane normal to a direction, as its outline and its height. */
#ifndef REF_HEIGHTS_H
#define REF_HEIGHTS_H

#include "reference/patch/flat.h"
#include "reference/patch/placed.h"

/* The hull of the extreme vertices of a shape. Its upper side (of A) or lower side (of B) is the least (the most) of
 * the heights of the planes. */
typedef struct ref_feature {
    ref_polygon outline;
    ref_line2 *planes; /* the height over a point */
    uint32_t plane_count, plane_room;
} ref_feature;

void ref_feature_open(ref_feature *feature, const ref_placed *placed, int side, const ref_flat_frame *frame,
                      double sine);
void ref_feature_close(ref_feature *feature);
/* The plane that the height over a point in the outline comes from, the first of several. */
const ref_line2 *ref_feature_plane(mpq_t height, const ref_feature *feature, int side, const ref_point2 *at);
/* Over the point of the outline that is nearest, since planes may be steep, and say nothing outside. */
void ref_feature_height_near(mpq_t out, const ref_feature *feature, int side, const ref_flat_frame *frame,
                             const ref_point2 *at);
/* Keeps of a polygon what is in the outline grown by `near`, a length on the grid, at its sides; 0: exactly. Corners
 * are not grown by more than the square about them. */
void ref_feature_clip(ref_polygon *polygon, const ref_feature *feature, const ref_flat_frame *frame, const mpq_t near);

#endif
