/* Vertices of large hulls in groups of neighbours: where a group can end along a
 * direction is known from its ball, so a support looks at few of them. */
#ifndef GJB_SIMD_GROUPS_H
#define GJB_SIMD_GROUPS_H

#include <stdint.h>

enum { GROUP = 16 /* vertices: a register of the widest lanes */ };

typedef struct gjb_grouped {
    double at[3];
    double key;     /* scratch */
    uint32_t index; /* among the shape's vertices */
} gjb_grouped;

/* A ball around the vertices of a group. */
typedef struct gjb_ball {
    double centre[3], radius;
} gjb_ball;

/* Puts `count` vertices into such an order that every GROUP of them from the
 * start on are neighbours: halves along the axis of most extent (k-d tree,
 * Bentley 1975). The order depends on `at` and `index` alone. */
void gjb_group_vertices(gjb_grouped *vertices, uint32_t count);

/* Holds all of 1 <= count vertices, but for rounding of double. */
gjb_ball gjb_group_ball(const gjb_grouped *vertices, uint32_t count);

#endif
