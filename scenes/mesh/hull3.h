/* Convex hulls of points in space, by qhull. */
#ifndef GJB_SCENES_MESH_HULL3_H
#define GJB_SCENES_MESH_HULL3_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* Owns its arrays; free with gjb_hull3_free. In the frame and units of the
 * points that it came from. */
typedef struct gjb_hull3 {
    uint32_t dimension; /* of what the points span: 3, 2 (a flat hull), 1 or 0 */
    uint32_t vertex_count;
    double (*vertices)[3];
    uint32_t *source; /* [vertex_count] indices of the points, ascending */
    /* Counter-clockwise seen from outside, normals outward. Together they are
     * closed: every edge lies between two triangles, once each way. Coplanar
     * triangles are not merged. A flat hull has its triangles twice, once for
     * each side; a segment or a point has none. */
    uint32_t triangle_count;
    uint32_t (*triangles)[3]; /* into vertices */
    double volume;            /* >= 0 */
} gjb_hull3;

/* The hull of `count` finite points (1 to 2^30; repeated, collinear, coplanar
 * and interior ones are fine). Vertices are points of the input, unchanged;
 * every point lies in the hull but for a few roundings of the largest
 * coordinate, and points that are so close to a plane, line or point span
 * only that. Barber, Dobkin, Huhdanpaa, "The quickhull algorithm for convex
 * hulls", 1996. 0, or -1 with one line in `error`; `hull` then owns nothing. */
int gjb_hull3_make(const double (*points)[3], size_t count, gjb_hull3 *hull, gjb_error *error);

void gjb_hull3_free(gjb_hull3 *hull); /* a zeroed one is fine */

/* The hull of at most `vertices` (>= 4) of the vertices of `hull`, chosen
 * greedily: from a large simplex on, the vertex farthest from the hull so far
 * comes next. That is quickhull stopped early, but by true distance, not by
 * that from a facet's plane. Above 256 vertices up to one in 64 come at a
 * time, each nearest to another triangle. `source` of the result indexes the
 * vertices of `hull`.
 *
 * `deviation` is the largest distance of a vertex left out from the result:
 * the Hausdorff distance of the two hulls, and so the largest difference of
 * their support functions. 0, or -1 with one line in `error`. */
int gjb_hull3_simplify(const gjb_hull3 *hull, uint32_t vertices, gjb_hull3 *result, double *deviation,
                       gjb_error *error);

#endif
