/* Shared by the files that generate scenes. Everything is computed in
 * correctly rounded double operations alone (+ - * / sqrt), so that every
 * machine generates the same bits. A field or function ending in 3 is for 3D,
 * one without for 2D or for both. */
#ifndef GJB_SCENES_GENERATE_GENERATE_PARTS_H
#define GJB_SCENES_GENERATE_GENERATE_PARTS_H

#include "scenes/generate/generate.h"

/* Volatile: gcc 12 at -O2 drops the conversion to float and back when it
 * vectorises two such values. */
static inline double gjb_rounded(gjb_precision precision, double value)
{
    if (precision == GJB_F32) {
        const volatile float narrow = (float)value;
        return narrow;
    }
    return value;
}

/* Kind and size of a shape, drawn before its coordinates, so that the size of the
 * scene is known. */
typedef struct gjb_plan {
    uint32_t dim;              /* set before the plan is made */
    const gjb_shapes *library; /* likewise */
    uint8_t small;             /* likewise: of the second half (GJB_HALVES) */
    gjb_kind kind;
    uint32_t count; /* rows, or vertices if the family has its own shapes */
    uint8_t rounded;
    uint32_t model; /* index in the library + 1; 0: none */
} gjb_plan;

/* A shape in the making, in its local frame. */
typedef struct gjb_draft {
    uint32_t dim;
    gjb_kind kind;
    uint32_t count;
    uint8_t rounded;
    uint8_t small;      /* as planned: goes inside one of the first half */
    double (*rows)[2];  /* room for twice the count */
    double (*rows3)[3];
    const gjb_shapes *library;
    uint32_t model;     /* as planned; families that change the count make hulls of their own */
    double radius;
    double scale;       /* of everything */
    double stretch[3];  /* of coordinates along local x, y and z */
    double quantum;     /* > 0: coordinates and radius become multiples of it */
} gjb_draft;

/* Row of a workload that the dimension has, and its vertices; NULL if none. */
const gjb_workload *gjb_workload_find(uint32_t dim, const char *name, uint32_t *vertices);

/* Are its shapes taken from a library of hulls? */
int gjb_workload_takes_library(uint32_t dim, const gjb_workload *workload);

/* Is one shape of each of its pairs a half-space, and the other not? */
int gjb_workload_is_unbounded(uint32_t dim, const gjb_workload *workload);

/* What 3D shapes are made of: points of the unit sphere between two heights;
 * on its circle at a height; with a flat lower face (n > 3) and at times an
 * upper one; an irregular hull, every vertex extreme. */
void gjb_draw_spiral3(gjb_random *r, uint32_t n, double lo, double hi, double (*v)[3]);
void gjb_draw_circle3(gjb_random *r, uint32_t n, double height, double (*v)[3]);
void gjb_draw_faceted3(gjb_random *r, uint32_t n, double (*v)[3]);
void gjb_draw_hull3(gjb_random *r, uint32_t n, double size, double (*v)[3]);
/* Makes points of the unit ball those of an ellipsoid of `size` about a
 * shifted centre; not turned, flat faces stay in their planes to the bit. */
void gjb_make_ellipsoid3(gjb_random *r, uint32_t n, double size, int turned, double (*v)[3]);
/* A curved shape's rows; 1 or 2. */
void gjb_draw_curved(gjb_random *r, gjb_kind kind, uint32_t dim, double size, double *rows);
/* Its point that is farthest along n, in its frame; in 2D with third coordinates 0. n of any
 * length but 0. */
void gjb_curved_support(gjb_kind kind, uint32_t dim, const double *rows, const double n[3], double out[3]);
/* Points of its surface all around, counter-clockwise in 2D; how many. */
enum { GJB_CURVED_OUTLINE = 32, GJB_CURVED_HULL = 26 };
uint32_t gjb_curved_outline(gjb_kind kind, const double *rows, double (*points)[2]);
uint32_t gjb_curved_hull(gjb_kind kind, const double *rows, double (*points)[3]);
/* Moves each of n values to the nearest multiple of `quantum`. */
void gjb_snap(double *values, uint32_t n, double quantum);
double gjb_power_above(uint32_t n); /* the least power of two that is no less */

/* Hulls of at most `vertices` in a library; the k-th of them. */
uint32_t gjb_models_upto(const gjb_shapes *library, uint32_t vertices);
uint32_t gjb_model_upto(const gjb_shapes *library, uint32_t vertices, uint32_t k);

/* The shapes of workloads, then those of families. */
void gjb_shape_plain3(gjb_random *r, gjb_draft *draft);
void gjb_shape_plain(gjb_random *r, gjb_draft *draft);
void gjb_shape_lattice(gjb_random *r, gjb_draft *draft);
void gjb_shape_contained(gjb_random *r, gjb_draft *draft);
void gjb_shape_needle(gjb_random *r, gjb_draft *draft);
void gjb_shape_all_but_round(gjb_random *r, gjb_draft *draft);
void gjb_shape_crossed(gjb_random *r, gjb_draft *draft);
void gjb_shape_repeated(gjb_random *r, gjb_draft *draft);
void gjb_shape_collinear(gjb_random *r, gjb_draft *draft);
void gjb_shape_parallel(gjb_random *r, gjb_draft *draft);
void gjb_shape_size_ratio(gjb_random *r, gjb_draft *draft);
void gjb_shape_flat(gjb_random *r, gjb_draft *draft);
void gjb_shape_vertex_on(gjb_random *r, gjb_draft *draft);
void gjb_shape_repeated3(gjb_random *r, gjb_draft *draft);
void gjb_shape_collinear3(gjb_random *r, gjb_draft *draft);
void gjb_shape_parallel3(gjb_random *r, gjb_draft *draft);
void gjb_shape_flat3(gjb_random *r, gjb_draft *draft);
void gjb_shape_integer3(gjb_random *r, gjb_draft *draft);
void gjb_shape_coplanar3(gjb_random *r, gjb_draft *draft);
void gjb_shape_ridge3(gjb_random *r, gjb_draft *draft);
void gjb_shape_sliver3(gjb_random *r, gjb_draft *draft);

/* Stretches, scales and rounds. A vertex that rounding has dented becomes a
 * repeat of the one before, so that the stored shape is convex. */
void gjb_draft_finish(gjb_draft *draft, gjb_precision precision);

/* One body of a pair being placed. */
typedef struct gjb_placed {
    gjb_kind kind;
    uint32_t count;      /* vertices, a box expanded to its corners */
    double (*local)[2];
    double (*turned)[2]; /* local * rotation */
    double (*local3)[3];
    double (*turned3)[3];
    double radius;
    double centre[3];    /* mean vertex, turned */
    double size;         /* circumradius about the mean vertex, with radius */
    gjb_pose2d pose;     /* rounded to the precision */
    gjb_pose3d pose3;
    double motion[6];    /* likewise, in the order of gjb_motion2d or gjb_motion3d */
    double curve[6];     /* rows of a curved kind, whose vertices are points of its surface, among
                            them those farthest along the axes; of a half-space its rows */
    uint8_t is_plane;    /* 1: a half-space, for which a point of its plane stands in until its plane is turned */
} gjb_placed;

/* A pair being placed. With the rotations fixed, the pair depends only on B's
 * translation t (relative to A's) and the convex A - B: sigma is the signed
 * distance of t to it, less both radii. In 2D A - B is built; in 3D only its
 * supporting planes are used. */
typedef struct gjb_placement {
    uint32_t dim;
    gjb_precision precision;
    double offset[3];
    double unit;     /* length of A's translation is about four of these */
    double size;     /* of the smaller body; of the larger if that is 0; 1 for two points */
    gjb_placed a, b;
    double (*loop)[2]; /* A - B, counter-clockwise, no repeated vertices */
    uint32_t loop_count;
    double centre[3]; /* of A - B: the difference of mean vertices */
    double radius;    /* of both */
    double t[3];      /* last place of B relative to A, before rounding */
    double normal[3]; /* outward normal of A - B at the place chosen by gjb_place_sigma */
    uint8_t swap;     /* return the pair as (B, A) */
    uint8_t curved;   /* A or B is curved: A - B is exact by its supports, approximate by its vertices */
} gjb_placement;

/* The point of a curved body, as it is turned, farthest along n. */
void gjb_placed_support(const gjb_placed *body, uint32_t dim, const double n[3], double out[3]);

void gjb_shape_halfspace(gjb_random *r, gjb_draft *draft);
/* Makes a body whose rows are in `local` that point. */
void gjb_halfspace_stand_in(uint32_t dim, gjb_placed *body, double *local);
/* Turns a half-space, if there is one, about the point that stood in for it, so that its normal is that of the place
 * chosen by gjb_place_sigma. The signed distance there is then that of the point. */
void gjb_place_turn_planes(gjb_placement *p);

/* How families place pairs. */
void gjb_place_far(gjb_random *r, gjb_placement *p);
void gjb_place_near(gjb_random *r, gjb_placement *p);
void gjb_place_touching(gjb_random *r, gjb_placement *p);
void gjb_place_shallow(gjb_random *r, gjb_placement *p);
void gjb_place_deep(gjb_random *r, gjb_placement *p);
void gjb_place_contained(gjb_random *r, gjb_placement *p);
void gjb_place_mixed(gjb_random *r, gjb_placement *p);
void gjb_place_assorted(gjb_random *r, gjb_placement *p);
void gjb_place_parallel(gjb_random *r, gjb_placement *p);
void gjb_place_identical(gjb_random *r, gjb_placement *p);
void gjb_place_far_origin(gjb_random *r, gjb_placement *p);
void gjb_place_size_ratio(gjb_random *r, gjb_placement *p);
void gjb_place_flat(gjb_random *r, gjb_placement *p);
void gjb_place_vertex_on(gjb_random *r, gjb_placement *p);
void gjb_place_touching3(gjb_random *r, gjb_placement *p);
void gjb_place_contained3(gjb_random *r, gjb_placement *p);
void gjb_place_parallel3(gjb_random *r, gjb_placement *p);
void gjb_place_identical3(gjb_random *r, gjb_placement *p);
void gjb_place_flat3(gjb_random *r, gjb_placement *p);
void gjb_place_vertex_on3(gjb_random *r, gjb_placement *p);
void gjb_place_face_on3(gjb_random *r, gjb_placement *p);
void gjb_place_edges3(gjb_random *r, gjb_placement *p);
void gjb_place_near_axis3(gjb_random *r, gjb_placement *p);
void gjb_place_aligned(gjb_random *r, gjb_placement *p);
void gjb_place_all_but_round(gjb_random *r, gjb_placement *p);
void gjb_place_crossed(gjb_random *r, gjb_placement *p);

/* The same for pairs in motion. */
void gjb_place_approach(gjb_random *r, gjb_placement *p);
void gjb_place_approach_turn(gjb_random *r, gjb_placement *p);
void gjb_place_approach_spin(gjb_random *r, gjb_placement *p);
void gjb_place_spin(gjb_random *r, gjb_placement *p);
void gjb_place_fast_spin(gjb_random *r, gjb_placement *p);
void gjb_place_fast(gjb_random *r, gjb_placement *p);
void gjb_place_graze_motion(gjb_random *r, gjb_placement *p);
void gjb_place_resting(gjb_random *r, gjb_placement *p);
void gjb_place_start_overlap(gjb_random *r, gjb_placement *p);
void gjb_place_slow(gjb_random *r, gjb_placement *p);
void gjb_place_cast(gjb_random *r, gjb_placement *p);
void gjb_place_touch_cast(gjb_random *r, gjb_placement *p);
void gjb_place_common_motion(gjb_random *r, gjb_placement *p);
void gjb_place_lattice_motion(gjb_random *r, gjb_placement *p);
void gjb_place_aligned_motion(gjb_random *r, gjb_placement *p);
void gjb_place_assorted_motion(gjb_random *r, gjb_placement *p);

/* Boxes that stay unturned, by half extents and by corners, and points. */
void gjb_shape_unturned(gjb_random *r, gjb_draft *draft);
void gjb_shape_unturned_lattice(gjb_random *r, gjb_draft *draft);
void gjb_shape_plate(gjb_random *r, gjb_draft *draft);
void gjb_place_box_sweep(gjb_random *r, gjb_placement *p);
void gjb_place_box_graze(gjb_random *r, gjb_placement *p);
void gjb_place_box_axis(gjb_random *r, gjb_placement *p);
void gjb_place_box_inside(gjb_random *r, gjb_placement *p);
void gjb_place_box_fast(gjb_random *r, gjb_placement *p);
void gjb_place_box_common(gjb_random *r, gjb_placement *p);
void gjb_place_box_late(gjb_random *r, gjb_placement *p);

/* Motion of the pair over the step. */
typedef struct gjb_course {
    double when;     /* the time at which the pair has the place drawn for it */
    double way[3];   /* displacement of B relative to A */
    double turns[2]; /* of A and of B */
    double common;   /* > 0: length of A's own displacement */
    double grid;     /* > 0: A's displacement is a multiple of this along each axis */
    uint8_t alone;   /* B moves alone */
} gjb_course;
/* Gives both bodies their motions and takes the pair back to the beginning of the step. */
void gjb_place_set_course(gjb_random *r, gjb_placement *p, const gjb_course *course);
/* gjb_place_at in either dimension. */
void gjb_place_put(gjb_placement *p, const double t[3]);
void gjb_random_direction(gjb_random *r, uint32_t dim, double u[3]); /* z is 0 in 2D */

/* Parts of places. */
void gjb_place_begin(gjb_random *r, gjb_placement *p); /* random poses but for B's translation */
void gjb_place_turn(gjb_placed *body, gjb_precision precision, double c, double s);
void gjb_place_difference(gjb_placement *p);           /* the loop, from both rotations */
void gjb_place_at(gjb_placement *p, double x, double y); /* B's translation relative to A's */
double gjb_place_deepest(const gjb_placement *p);      /* depth of the cores with t at the loop's centre */
/* At signed distance sigma. If the pair cannot overlap so deeply, nearly as deep as
 * it can; if it cannot overlap at all, close by and apart. */
void gjb_place_sigma(gjb_random *r, gjb_placement *p, double sigma);
/* Along a random ray, uniformly up to twice the distance at which the ray leaves the loop. */
void gjb_place_ray(gjb_random *r, gjb_placement *p);

/* The same in 3D, called by those above. Depths are upper bounds: the least over
 * the planes found. */
void gjb_place_begin3(gjb_random *r, gjb_placement *p);
void gjb_place_turn3(gjb_placed *body, gjb_precision precision, const double q[4]);
void gjb_place_difference3(gjb_placement *p); /* the centre and the radius */
void gjb_place_origin3(gjb_placement *p, const double at[3]); /* A's translation, but for the offset */
void gjb_place_at3(gjb_placement *p, const double t[3]);
double gjb_place_deepest3(const gjb_placement *p);
void gjb_place_sigma3(gjb_random *r, gjb_placement *p, double sigma);
void gjb_place_ray3(gjb_random *r, gjb_placement *p);

#endif
