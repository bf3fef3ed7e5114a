/* Vertices of large hulls in groups of neighbours. A group's ball bounds its support
 * along any direction, so a support looks at few groups. */
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

/* Orders `count` vertices so that every GROUP of them from the start on are
 * neighbours: halves along the axis of most extent (k-d tree, Bentley 1975).
 * The order depends only on `at` and `index`. */
void gjb_group_vertices(gjb_grouped *vertices, uint32_t count);

/* A ball that holds all vertices, up to rounding of double; 1 <= count. */
gjb_ball gjb_group_ball(const gjb_grouped *vertices, uint32_t count);

#endif
