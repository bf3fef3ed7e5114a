/* Gauss maps have the faces, arcs and corners of the shape, and every direction of an arc is one of its edge's. */
#include "simd/solids.h"

#include <criterion/criterion.h>
#include <math.h>

#include "core/random.h"

#define MERGE 0x1p-26

static double along(const double *n, const double *p)
{
    return n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
}

static double farthest(const double *n, const double (*p)[3], uint32_t count)
{
    double most = -INFINITY;
    for (uint32_t i = 0; i < count; i++)
        most = fmax(most, along(n, p[i]));
    return most;
}

/* The vertex of an arc is extreme at its ends and in its middle; arcs are well below a half turn. */
static void check_arcs(const gjb_solid *s, const double (*p)[3], uint32_t count)
{
    for (uint32_t k = 0; k < s->arcs; k++) {
        const double *n = s->normal[s->arc[k].face[0]], *m = s->normal[s->arc[k].face[1]], *v = p[s->arc[k].vertex];
        const double middle[3] = {n[0] + m[0], n[1] + m[1], n[2] + m[2]};
        cr_assert_gt(along(middle, middle), 0.4);
        cr_assert_leq(farthest(n, p, count) - along(n, v), 1e-12);
        cr_assert_leq(farthest(m, p, count) - along(m, v), 1e-12);
        cr_assert_leq(farthest(middle, p, count) - along(middle, v), 1e-12);
    }
}

static void check(const double (*p)[3], uint32_t count, uint32_t faces, uint32_t arcs, uint64_t corners)
{
    gjb_solid s;
    cr_assert(gjb_solid_find(&s, p, count, MERGE));
    cr_expect_eq(s.faces, faces, "%u faces, not %u", s.faces, faces);
    cr_expect_eq(s.arcs, arcs, "%u arcs, not %u", s.arcs, arcs);
    cr_expect_eq(s.corners, corners, "corners %llx", (unsigned long long)s.corners);
    for (uint32_t f = 0; f < s.faces; f++)
        cr_expect_float_eq(along(s.normal[f], s.normal[f]), 1, 1e-14);
    check_arcs(&s, p, count);
}

/* A cube, with repeated corners, and points inside, on a face and on an edge. */
Test(solids, faces_in_one_plane_are_one)
{
    const double cube[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1},
                              {0, 1, 1}, {1, 1, 1}, {1, 1, 1}, {.5, .5, .5}, {.5, .5, 1}, {0, 0, .5}};
    check(cube, 8, 6, 12, 0xff);
    check(cube, 12, 6, 12, 0xff);
    check(cube + 1, 7, 7, 12, 0x7f);
}

/* A triangle and a square have two faces and a side on each edge; a segment has four normals around it. */
Test(solids, flat_shapes_have_arcs)
{
    const double flat[][3] = {{0, 0, 2}, {3, 0, 2}, {3, 3, 2}, {0, 3, 2}, {1, 1, 2}};
    const double line[][3] = {{1, 2, 3}, {2, 4, 6}, {3, 6, 9}, {3, 6, 9}};
    check(flat, 3, 5, 6, 7);
    check(flat, 5, 6, 8, 15);
    check(line, 4, 4, 4, 5);
    check(line, 1, 0, 0, 1);
    check(line + 2, 2, 0, 0, 1);
}

/* A thin tetrahedron, whose arcs at the rim are nearly half turns, has sides there as a flat one has. */
Test(solids, wide_arcs_have_a_normal_in_the_middle)
{
    const double thin[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {.2, .2, 1e-6}};
    check(thin, 4, 7, 9, 15);
}

/* Random points on a sphere have triangles alone: V - E + F = 2, whatever arcs are divided. */
Test(solids, triangles_close_a_surface)
{
    gjb_random r = gjb_random_make(5, 0, 0);
    for (int round = 0; round < 200; round++) {
        double p[SOLID_VERTICES][3];
        gjb_solid s;
        const uint32_t count = 4 + (uint32_t)round % (SOLID_VERTICES - 3);
        for (uint32_t i = 0; i < count; i++) {
            double square;
            do {
                for (int k = 0; k < 3; k++)
                    p[i][k] = gjb_random_range(&r, -1, 1);
                square = along(p[i], p[i]);
            } while (square < 0.1 || square > 1);
            for (int k = 0; k < 3; k++)
                p[i][k] /= sqrt(square);
        }
        cr_assert(gjb_solid_find(&s, (const double(*)[3])p, count, MERGE));
        cr_assert_eq(count + s.faces - s.arcs, 2);
        check_arcs(&s, (const double(*)[3])p, count);
    }
}
