/* Scans vertices for the farthest along several directions at once, in lanes.
 * Compiled once per backend and precision, as kernels are. */
#include "simd/ports/ports.h"

#include "simd/lanes/lanes.h"

gjb_ports_run KERNEL(gjb_ports);

enum { DIRECTIONS = GJB_PORTS_DIRECTIONS, VERTICES = GJB_PORTS_VERTICES };

typedef struct course {
    vr d[3], best, at;
} course;

LANE_FN void look(course *c, vr (*vertex)[VERTICES], int v, uint32_t dim)
{
    vr value = v_add(v_mul(vertex[0][v], c->d[0]), v_mul(vertex[1][v], c->d[1]));
    if (dim == 3)
        value = v_add(value, v_mul(vertex[2][v], c->d[2]));
    const vm better = v_gt(value, c->best);
    c->best = v_sel(better, value, c->best);
    c->at = v_sel(better, v_set((real)v), c->at);
}

/* Each direction follows from the last one, so that no product can be reused. */
LANE_FN void scan(course courses[DIRECTIONS], vr (*vertex)[VERTICES], uint32_t dim, vr sums[DIRECTIONS])
{
    for (int k = 0; k < DIRECTIONS; k++) {
        course *c = &courses[k];
        for (int x = 0; x < 3; x++)
            c->d[x] = v_add(c->d[x], v_set((real)0.001));
        c->best = v_set(-REAL_MAX);
        c->at = v_set(0);
    }
    for (int v = 0; v < VERTICES; v++)
        for (int k = 0; k < DIRECTIONS; k++)
            look(&courses[k], vertex, v, dim);
    for (int k = 0; k < DIRECTIONS; k++)
        sums[k] = v_add(sums[k], v_add(courses[k].best, courses[k].at));
}

void KERNEL(gjb_ports)(uint32_t dim, uint64_t scans, double *sum)
{
    vr vertex[3][VERTICES], sums[DIRECTIONS];
    course courses[DIRECTIONS];
    for (int v = 0; v < VERTICES; v++)
        for (int x = 0; x < 3; x++)
            vertex[x][v] = v_set((real)((v * 7 + x * 3) % 11 - 5));
    for (int k = 0; k < DIRECTIONS; k++) {
        sums[k] = v_set(0);
        for (int x = 0; x < 3; x++)
            courses[k].d[x] = v_set((real)(k - x));
    }
    if (dim == 3)
        for (uint64_t i = 0; i < scans; i++)
            scan(courses, vertex, 3, sums);
    else
        for (uint64_t i = 0; i < scans; i++)
            scan(courses, vertex, 2, sums);
    *sum = 0;
    for (int k = 0; k < DIRECTIONS; k++)
        *sum += (double)v_largest(sums[k]);
}
