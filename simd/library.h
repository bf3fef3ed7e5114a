/* Prepared shapes in the layout that the kernels read, built once by `prepare`.
 *
 * In 2D a record is x[4q] y[4q] reals for q quads of vertices and, at the same
 * distance from every record, nx[4q] ny[4q]: (nx, ny)[i] is a unit axis along which
 * vertex i is extreme, the outward normal of the edge that starts there. The axes are
 * apart, because most queries need none, and a cache line fetched in vain costs as
 * much as a needed one. No record straddles more lines than it must. Only corners
 * of the hull are kept, counter-clockwise from the lowest x, and repeated to fill the quads
 * that the stored vertices take, which changes no answer. Above 32 corners it is the first that
 * is repeated, and after y come a point inside and a table of ranges of directions
 * (simd/ranges2.h).
 * Any unit vector is a valid axis to try, so points and segments, which have
 * fewer edges than slots, carry axes that cover the flat directions.
 *
 * In 3D a record is four reals, then x[4q] y[4q] z[4q]. The four are the half
 * extents of a box, or else zeros; and the extent (as in the meta). A box has its
 * eight corners too, for meeting other shapes. Above 32 vertices they come in
 * groups, x[16] y[16] z[16] each, the first on a line of its own. Above 1024 vertices
 * groups are of neighbours (groups.h), and after the head's line come x[g] y[g] z[g]
 * r[g] of their balls, padded with balls that are never extreme.
 *
 * A curved shape is one quad. In 2D: a, b, p, 1/(p - 1) in x, and 1/p first in y. In 3D the
 * head has a, b, c, or the base's radius, half the height and 0; x begins with p,
 * 1/(p - 1), 1/p. p and what comes of it are 0 if the kind has none; 1/(p - 1) is at most
 * CURVE_STEEPEST, at which a power of less than 1 is 0 as it is for p = 1.
 */
#ifndef GJB_SIMD_LIBRARY_H
#define GJB_SIMD_LIBRARY_H

#include "simd/groups.h"
#include "simd/simd.h"
#include "simd/solids.h"

#define WIDEST_LANES 16 /* of any backend */

/* Up to 8 quads (32 vertices) are held in lanes and come in powers of two;
 * larger shapes are scanned in place and padded to a multiple of 4 quads. */
#define LANE_QUADS 8
/* Up to so many quads a 3D support looks at all vertices, above only at some groups
 * (1,024 vertices: all is a fifth faster; 2,048: groups are, by a fifth and more). */
#define ALL_QUADS 256
enum { SIZE_4, SIZE_8, SIZE_16, SIZE_32, SIZE_BIG, SIZE_BOX /* two boxes in 3D */, SIZE_CURVED, SHAPE_INVALID };
#define METHOD_ROUNDED 1u
#define METHOD_BOX 16u /* in 3D: a box about its own axes */
#define METHOD_LINE 256u /* in 3D: a point or a segment */
#define METHOD_SIZE(method) ((method) >> 1 & 7u)
/* Of SIZE_CURVED: which support mapping. */
enum { CURVE_NONE, CURVE_ELLIPSE /* ellipsoid */, CURVE_SUPER /* superellipse, superellipsoid */, CURVE_CYLINDER, CURVE_CONE };
#define METHOD_CURVE(method) ((method) >> 5 & 7u)
#define CURVE_STEEPEST 0x1p100
/* -ln of the distance to an axis below which a direction counts as the axis. */
#define CURVE_FLATTEST(bits) ((bits) == 32 ? 20. : 41.)

typedef struct gjb_meta_f32 {
    uint32_t offset; /* of its record, in units of gjb_library_unit() reals */
    uint16_t quads;
    uint16_t method; /* METHOD_ROUNDED | METHOD_BOX | METHOD_LINE | 2 * (SIZE_4 ... or SHAPE_INVALID) | 32 * CURVE_... */
    float radius, extent; /* extent: max |vertex| + radius */
} gjb_meta_f32;

typedef struct gjb_meta_f64 {
    uint32_t offset;
    uint16_t quads, method;
    double radius, extent;
} gjb_meta_f64;

/* Where the Gauss map of a shape is: rows x, y, z and offset of its faces, in reals; then first face, second face,
 * vertex and bend of its arcs, in bytes. Rows are padded to the widest register by repeating the last. A face is
 * at n . p = offset, which no stored vertex exceeds but by rounding. From the normals of an arc's faces to any
 * direction of it the chords are at most 2 * bend / BENDS together. */
#define BENDS 200
typedef struct gjb_gauss {
    uint32_t at; /* in registers of the widest lanes */
    uint16_t faces, arcs; /* none: a point, or a shape whose pairs need another method */
    uint64_t corners; /* bit i: vertex i of the record */
} gjb_gauss;

/* Of a half-space: its unit normal, in 2D with z 0, the plane's distance along it, and the radius. Invalid: NaN as the
 * distance; all 0 of other shapes. */
enum { PLANE_NUMBERS = 5 };

typedef struct gjb_library {
    const gjb_backend *backend;
    gjb_bin *bins[5]; /* that serve 1, 2, 4, 8 and 16 entries best */
    gjb_precision precision;
    uint32_t dim;
    uint32_t count;
    uint32_t max_quads;
    void *meta;    /* gjb_meta_f32 or gjb_meta_f64 [count] */
    void *records; /* 64-aligned reals */
    size_t axes;   /* reals from a record to its axes; 2D */
    gjb_gauss *gauss; /* [count]; 3D */
    void *gauss_rows; /* 64-aligned reals; grow while the library is filled */
    size_t gauss_room; /* in reals */
    void *boxes;   /* 64-aligned reals, gjb_library_box() a shape; NULL: not one can be swept */
    int boxes_far; /* as `far` */
    void *bounds;  /* 64-aligned reals, BOUND_REALS a shape */
    int far;       /* too large to stay in a core's own cache */
    int curved;    /* some shape is */
    int alike;     /* every shape has the same method */
    double (*planes)[PLANE_NUMBERS]; /* [count]; NULL: no shape is a half-space (simd/space/fallback/halfspace.h) */
    void *room;    /* while filling: for a vertex of the largest shape, 3 points in 2D, a gjb_grouped in 3D */
    gjb_few *few;     /* for calls of up to `few_pairs` pairs at rest, served one by one without a window */
    uint32_t few_pairs;
} gjb_library;

/* Fill meta and records of a library whose arrays are sized by
 * gjb_library_quads(); one function per precision, from one source. -1 if memory runs out. */
int gjb_library_fill_f32(gjb_library *library, const gjb_shapes *shapes);
int gjb_library_fill_f64(gjb_library *library, const gjb_shapes *shapes);

/* Zeroed, on whole cache lines; NULL if memory runs out. */
void *gjb_library_array(size_t bytes);

/* Quads that n vertices are stored in. */
uint32_t gjb_library_quads_of(uint32_t n);

/* Quads of shape i, before corners are found; 1 for invalid shapes. */
uint32_t gjb_library_quads(const gjb_shapes *shapes, uint32_t i);

/* Reals that offsets count in: a quad of 2D vertices, one coordinate of a quad
 * of 3D ones. */
static inline size_t gjb_library_unit(uint32_t dim)
{
    return dim == 2 ? 8 : 4;
}

/* Kinds that a sweep takes, when they have no radius. */
static inline int gjb_library_sweeps(gjb_kind kind)
{
    return kind == GJB_POINT || kind == GJB_BOX || kind == GJB_AABB;
}

enum { LINE_REALS = 16 /* that a 3D record of groups is aligned to */ };

/* Balls of a 3D record, with those that fill a register. */
static inline size_t gjb_library_balls(uint32_t quads)
{
    return quads > ALL_QUADS ? (4 * (size_t)quads / GROUP + 15) / 16 * 16 : 0;
}

/* Units of a 3D record before its vertices: four reals, or a line. */
static inline size_t gjb_library_head(uint32_t quads)
{
    return quads > LANE_QUADS ? 4 + gjb_library_balls(quads) : 1;
}

/* Units of a record of so many quads. */
static inline size_t gjb_library_units(uint32_t dim, uint32_t quads)
{
    if (dim == 2)
        return quads + (quads > LANE_QUADS ? 1 + quads / 4 : 0); /* ranges2.h */
    return gjb_library_head(quads) + 3 * (size_t)quads;
}

/* The offset of a record of so many quads after `offset` units: not across a
 * cache line if it fits in one. */
static inline size_t gjb_library_place(uint32_t dim, size_t offset, uint32_t quads)
{
    if (dim == 2)
        return quads > 1 ? (offset + 1) / 2 * 2 : offset;
    return (offset + 3) / 4 * 4;
}

/* Whether a shape in 3D has a Gauss map, unless it is curved. */
static inline int gjb_library_maps(uint32_t quads)
{
    return 4 * quads <= SOLID_VERTICES;
}

static inline size_t gjb_library_padded(uint32_t rows)
{
    return ((size_t)rows + WIDEST_LANES - 1) / WIDEST_LANES * WIDEST_LANES;
}

/* Reals that a Gauss map takes, a multiple of the widest lanes. */
static inline size_t gjb_library_gauss(uint32_t faces, uint32_t arcs, size_t real_bytes)
{
    return gjb_library_padded((uint32_t)(4 * gjb_library_padded(faces) + 4 * gjb_library_padded(arcs) / real_bytes));
}

/* Reals of a shape in `boxes`, which a sweep reads without the meta: its least corner,
 * then its largest, in 3D from the fifth real on, so that two shapes share a line.
 * Infinite if the shape is no point or box, has a radius, or is invalid. */
static inline size_t gjb_library_box(uint32_t dim)
{
    return dim == 2 ? 4 : 8;
}

/* Reals of a shape in `bounds`, of its core in its own axes: the centre of the box about it and its radius; the box's
 * half extents and the extent (as in the meta), which is infinite if the shape is invalid. */
#define BOUND_REALS 8

/* Workspace of one thread: the kernels' context, then vertices for the fallback
 * path. The context's size is the same for every backend (simd/context.h). */
#define WINDOW 256 /* pairs looked at together: binned, and prefetched */
#define CHUNK 4096 /* of mixed kinds, sorted together */
#define MANIFOLD_CHUNK 1024 /* signed distances found before their patches are */
size_t gjb_context_bytes2_32(void);
size_t gjb_context_bytes2_64(void);
size_t gjb_context_bytes3_32(void);
size_t gjb_context_bytes3_64(void);

#endif
