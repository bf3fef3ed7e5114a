/* The Gauss map of a small shape in 3D, made once by `prepare` in the shape's own frame: normals of the faces of its
 * hull, and for each edge the two faces between whose normals its arc is. The depth of two shapes is along one of
 * these normals, or where arcs of both cross.
 *
 * An arc of much more than a right angle has one more normal in its middle, as if a face without area were on the
 * edge: a sum of opposite normals has no direction. So flat shapes have arcs, too: a polygon is a prism without
 * height; a segment has four normals around it. A point has neither faces nor arcs.
 */
#ifndef GJB_SIMD_SOLIDS_H
#define GJB_SIMD_SOLIDS_H

#include <stdint.h>

enum {
    SOLID_VERTICES = 64, /* bits of a word */
    SOLID_FACES = 252, /* twice the vertices, less 4, and one for each arc that is wide; fits in a byte */
    SOLID_ARCS = 2 * (3 * SOLID_VERTICES - 6),
};

typedef struct gjb_arc {
    uint8_t face[2];
    uint8_t vertex; /* an end of the edge */
} gjb_arc;

typedef struct gjb_solid {
    uint32_t faces, arcs;
    uint64_t corners; /* bit i: vertex i is one, the first of those that are equal */
    double normal[SOLID_FACES][3];         /* outward, of unit length */
    gjb_arc arc[SOLID_ARCS];
} gjb_solid;

/* The Gauss map of 1 to SOLID_VERTICES finite points. Neighbouring faces whose normals differ by at most `merge`
 * are one. Points nearer than some roundings of double to a face may be left above it. Returns 0, with an empty
 * solid, if rounding leaves no surface: its pairs need another method. */
int gjb_solid_find(gjb_solid *solid, const double (*points)[3], uint32_t count, double merge);

#endif
