/* Inside the reference room: convex polygons, segments and points in a plane, in rationals. */
#ifndef REF_POLYGON_H
#define REF_POLYGON_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

/* Bounds what rounding does to a turn of numbers up to 1 in double: a sum of two products of differences, each of them
 * 2^-51 off or less. Beyond it the sign of the turn is sure. */
#define REF_TURN_DOUBT 0x1p-46

static inline int ref_sign(double value)
{
    return (value > 0) - (value < 0);
}

typedef struct ref_point2 { mpq_t x[2]; } ref_point2;

/* Corners in order, counter-clockwise; two of a segment, one of a point, none of nothing. */
typedef struct ref_polygon {
    ref_point2 *at;
    uint32_t count, room;
} ref_polygon;

/* All points at 0. */
void ref_polygon_open(ref_polygon *polygon, uint32_t room);
void ref_polygon_close(ref_polygon *polygon);

/* The strict hull of the points in its place: without repeated and collinear ones. */
void ref_polygon_hull(ref_polygon *polygon);

/* line[0] x + line[1] y + line[2] */
typedef struct ref_line2 { mpq_t by[3]; } ref_line2;
void ref_line2_init(ref_line2 *line);
void ref_line2_clear(ref_line2 *line);
void ref_line2_at(mpq_t out, const ref_line2 *line, const ref_point2 *point);
/* In double at a rounded point, and how far rounding may have moved it: infinity or NaN if numbers are too large. */
double ref_line2_near(const ref_line2 *line, const double point[2], double *doubt);
void ref_point2_round(const ref_point2 *point, double out[2]);
/* Keeps the part of a convex polygon where the line is >= 0. Corners may then be repeated. */
void ref_polygon_clip(ref_polygon *polygon, const ref_line2 *line);

/* Twice the area of the triangle p q r: > 0 if it is counter-clockwise. */
void ref_turn2_exact(mpq_t out, const ref_point2 *p, const ref_point2 *q, const ref_point2 *r);
/* Its sign alone, which doubles decide first. */
int ref_turn2_sign(const ref_point2 *p, const ref_point2 *q, const ref_point2 *r);
/* Twice the area of a strict hull. */
void ref_polygon_area(mpq_t out, const ref_polygon *polygon);
/* Of a strict hull of more than 4 corners the 4 of largest area, one of those marked in `deep` among them; ascending,
 * and twice their area in `most`. At least one is marked. */
void ref_polygon_best(const ref_polygon *polygon, const bool *deep, uint32_t best[4], mpq_t most);

#endif
