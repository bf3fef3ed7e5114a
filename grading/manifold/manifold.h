/* Inside grading: contact patches in long double, which decide nearly all manifolds without the exact patch
 * (docs/manifolds.md, "How it is graded"). Flat coordinates are those along e and f of a frame, about A's
 * translation. */
#ifndef GJB_GRADING_MANIFOLD_H
#define GJB_GRADING_MANIFOLD_H

#include <stdint.h>

#include "core/types.h"
#include "reference/patch/flats.h"
#include "reference/patch/patch.h"

typedef struct gjb_placed_pair gjb_placed_pair;

/* Convex, counter-clockwise; 2 of a segment, 1 of a point. Corners may be repeated within rounding. */
enum { GJB_FLAT_ROOM = 160 };
typedef struct gjb_flat {
    uint32_t count;
    long double at[GJB_FLAT_ROOM][2];
} gjb_flat;

/* Keeps where by[0] x + by[1] y + by[2] + grown * near >= 0. `by` has a unit slope. */
typedef struct gjb_flat_line {
    long double by[3], grown;
    long double doubt; /* the line may lie so much further in or out */
} gjb_flat_line;

/* The hull of the points, in their place. */
void gjb_flat_hull(gjb_flat *flat);
/* 0, or -1 where there is no room. */
int gjb_flat_clip(gjb_flat *flat, const gjb_flat_line *line, long double near);
long double gjb_flat_area(const gjb_flat *flat);
long double gjb_flat_perimeter(const gjb_flat *flat);
long double gjb_flat_distance(const gjb_flat *flat, const long double point[2]); /* 0 inside */
/* The length of the longest diagonal or side, and which corners are its ends. 0 of a point. */
long double gjb_flat_diagonal(const gjb_flat *flat, uint32_t end[2]);
/* The least and the largest coordinate along a direction; of none INFINITY and -INFINITY. */
void gjb_flat_extent(const gjb_flat *flat, const long double way[2], long double range[2]);
/* Leaves of a polygon what is `by` or more within its sides. 0, or -1 where there is no room. */
int gjb_flat_shrink(gjb_flat *flat, long double by);
/* Lines about a hull, growing with near: its sides; ends of a segment, else the box about it. Returns how many:
 * at most its corners and four. */
uint32_t gjb_flat_lines(const gjb_flat *hull, gjb_flat_line *lines);
long double gjb_line_at(const gjb_flat_line *line, const long double point[2], long double near);
/* Of more than four corners the four of largest area, one of the deep ones among them. Returns the area. */
long double gjb_flat_best(const gjb_flat *flat, const uint8_t *deep, uint32_t best[4]);

/* e, f and the unit normal n, e x f = n: the axes of the exact patch. */
typedef struct gjb_flat_frame {
    long double e[3], f[3], n[3];
} gjb_flat_frame;
int gjb_flat_frame_open(gjb_flat_frame *frame, const double normal[3]); /* -1: it has no direction */
void gjb_flat_of(const gjb_flat_frame *frame, const long double point[3], long double out[2]);

/* Vertices of a shape that are extreme within the angle. */
enum { GJB_FEATURE_ROOM = 64 };
typedef struct gjb_feature {
    uint32_t count;
    int dimension; /* of the outline: 0, 1, 2 */
    int side;
    long double at[GJB_FEATURE_ROOM][3]; /* along e, f, n */
    long double low, high;               /* along n */
    gjb_flat outline;
    int is_even; /* 1: all are next to one plane, as far as was allowed */
    long double plane[3], residue, doubt;
} gjb_feature;
/* 0, or -1 where rounding leaves a doubt. */
int gjb_feature_open(gjb_feature *feature, const gjb_placed_pair *placed, const gjb_flat_frame *frame,
                     int side);
/* Before heights are asked for: vertices that are so near to one plane count as on it. */
void gjb_feature_heights(gjb_feature *feature, long double doubt, long double allowed);
/* Over the nearest point of the outline, and a plane there, which no vertex is beyond. -1 if it is not found. */
int gjb_feature_height(const gjb_feature *feature, const long double point[2], long double *height,
                       long double plane[3]);

/* What W of docs/manifolds.md depends on, apart from the pair. The margin is less T already. */
typedef struct gjb_wanted_question {
    double normal[3];
    double near;  /* T */
    double grown; /* by which one feature is: T, but where less is tried */
    double margin, sine;
} gjb_wanted_question;

/* What is wanted of a manifold with a normal: W of docs/manifolds.md. */
typedef struct gjb_wanted {
    int known; /* 1: to this question, whatever came of it */
    gjb_wanted_question to;
    int state; /* 0: it is there; -1: in doubt, or too large */
    gjb_flat_frame frame;
    gjb_flat patch;
    int along;            /* 1: it is asked from end to end: a segment, or a polygon that is narrower than 2 T */
    uint32_t end[2];      /* which corners are these ends */
    long double inset[2]; /* what is not asked for there */
    long double best;     /* size of the best points that fit */
    long double deepest;  /* of as many corners as fit or more, the least separation; of fewer unknown */
    int fits;             /* 1: the corners fit the count; 0: they do not; -1: one or the other */
    long double doubt;    /* each point of it may be off by so much */
    /* Of more corners than four the best, of four all. */
    long double four[4][2];
} gjb_wanted;

/* Of pairs of polytopes, at the angle's own sine. The same question again costs nothing. */
void gjb_wanted_find(gjb_wanted *wanted, const gjb_placed_pair *placed, const gjb_wanted_question *question);
/* The same by the exact patch, whose numbers are rounded to double. */
void gjb_wanted_exactly(gjb_wanted *wanted, const gjb_placed_pair *placed, const gjb_wanted_question *question);

/* How far a point of A or B lies below the shape's upper side (for B: its lower side) along n, less what the
 * slope there makes of `near`: 0 if there is no proof that it lies below. */
long double gjb_below_surface(const gjb_placed_pair *placed, const gjb_flat_frame *frame, int of_b,
                              const double point[3], long double near);

#endif
