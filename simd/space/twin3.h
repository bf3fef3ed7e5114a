/* Sides of a polytope's faces, as numbers: what EPA's tables of neighbours hold, in lanes and for single pairs. */
#ifndef GJB_SIMD_TWIN3_H
#define GJB_SIMD_TWIN3_H

/* The side of a face from its corner `side` (0 to 2) to the next one. 4, not 3, so that it is taken apart by bits. */
#define TWIN(face, side) (4 * (face) + (side))
#define TWIN_FACE(twin) ((twin) >> 2)
#define TWIN_SIDE(twin) ((twin) & 3)

#endif
