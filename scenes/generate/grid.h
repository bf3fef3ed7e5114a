/* Small grids, exhausted: every pair of shapes whose corners are a few points of a small grid of integers, each once.
 *
 * A shape is a list of corners in the grid of side^dim points 0 <= x, y, z < side; corners may be the same point, and
 * all may lie on a line or in a plane. In 3D they are in any order, so that one order of each list is taken:
 * triangles of 3, hulls of 4. In 2D they are in the order of the outline, and none is inside it: points, segments, and
 * polygons of 3 or 4. Shapes that a translation takes into one another are the same, so each has 0 as its least
 * coordinate on every axis.
 *
 * A pair is a shape A, a shape B and a translation of B, in halves, at which the bounding boxes meet or touch. Pairs
 * that a symmetry of the grid (8 in 2D, 48 in 3D), applied to both, or an exchange of A and B takes into one another
 * are the same, and one stands for all. */
#ifndef GJB_SCENES_GENERATE_GRID_H
#define GJB_SCENES_GENERATE_GRID_H

#include "scenes/generate/generate.h"

enum { GJB_GRID_CORNERS = 4, GJB_GRID_SIDE = 4 };

typedef struct gjb_grid_row {
    const char *name;
    uint32_t dim, side;   /* 2 or 3; 1 to GJB_GRID_SIDE, in 3D to 3 */
    uint32_t least, most; /* corners; in 2D from 1, in 3D from 3, up to GJB_GRID_CORNERS */
} gjb_grid_row;
extern const gjb_grid_row gjb_grids[]; /* "grid2", "grid3" */
extern const size_t gjb_grid_count;
const gjb_grid_row *gjb_grid_find(const char *name); /* NULL if none */

/* Stands for a family in results about a grid. It is not among gjb_families, and the grid's name is the workload. */
extern const gjb_family gjb_grid_family; /* "exhaustive" */

/* All pairs of a grid, by number. `row` is borrowed. NULL if memory does not suffice; the caller closes it. */
typedef struct gjb_grid gjb_grid;
gjb_grid *gjb_grid_open(const gjb_grid_row *row);
void gjb_grid_close(gjb_grid *grid); /* NULL is fine */
uint64_t gjb_grid_pairs(const gjb_grid *grid);

typedef struct gjb_grid_shape {
    uint32_t count;
    int8_t corner[GJB_GRID_CORNERS][3], extent[3]; /* extent: the largest coordinates. The third is 0 in 2D */
} gjb_grid_shape;
typedef struct gjb_grid_pair {
    const gjb_grid_shape *shape[2]; /* of the grid */
    int8_t offset[3];               /* of B against A, in halves */
} gjb_grid_pair;
/* `index` below gjb_grid_pairs. Neighbours in number are far from one another in kind: any stretch of numbers is a
 * fair sample of all. */
void gjb_grid_pair_at(const gjb_grid *grid, uint64_t index, gjb_grid_pair *pair);

/* So many pairs from `first` on, unturned, A at the origin. Every number is exact in both precisions. NULL with one
 * line in `error` if the grid has fewer or memory does not suffice; the caller frees the scene. */
gjb_scene *gjb_grid_scene(const gjb_grid *grid, gjb_precision precision, uint64_t first, uint64_t pairs,
                          gjb_error *error);

#endif
