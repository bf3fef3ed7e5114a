/* Degenerate hulls in space: repeated, collinear and coplanar vertices, slivers, flat shapes. */
#include <math.h>
#include <string.h>

#include "scenes/generate/generate_parts.h"
#include "scenes/generate/generate_solid.h"

static double radius_of_size3(gjb_random *r)
{
    return gjb_random_range(r, 0.5, 2.0);
}

/* Any order (Fisher, Yates 1938; Durstenfeld 1964). */
static void shuffle(gjb_random *r, uint32_t n, double (*v)[3])
{
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t j = gjb_random_below(r, i);
        double swap[3];
        memcpy(swap, v[i - 1], sizeof swap);
        memcpy(v[i - 1], v[j], sizeof swap);
        memcpy(v[j], swap, sizeof swap);
    }
}

/* Fewer corners than rows: the others repeat some of them. */
void gjb_shape_repeated3(gjb_random *r, gjb_draft *draft)
{
    const uint32_t n = draft->count, corners = 4 + gjb_random_below(r, n - 4);
    const double size = radius_of_size3(r);
    gjb_draw_hull3(r, corners, size, draft->rows3);
    for (uint32_t i = corners; i < n; i++)
        memcpy(draft->rows3[i], draft->rows3[gjb_random_below(r, corners)], sizeof *draft->rows3);
    shuffle(r, n, draft->rows3);
    draft->radius = draft->rounded ? size * 0.25 : 0.0;
}

/* `count` rows along a random edge of a hull: at dyadic fractions, or bulging
 * outwards by that share of its length. */
static void fill_edge(gjb_random *r, double (*hull)[3], uint32_t corners, double bulge, double parts,
                      uint32_t count, double (*rows)[3])
{
    double n[3], u[3];
    gjb_feature f;
    gjb_random_direction3(r, n);
    gjb_random_direction3(r, u);
    gjb_feature_of_points(hull, corners, n, u, 1, &f);
    const double length = sqrt(gjb_dot3(f.edge[0], f.edge[0]));
    for (uint32_t i = 0; i < count; i++) {
        const double t = floor((i + 1) * parts / (count + 1.0)) / parts;
        gjb_along3(f.at, f.edge[0], t, rows[i]);
        gjb_along3(rows[i], f.normal, bulge * length * t * (1.0 - t), rows[i]);
    }
}

/* Runs of vertices along one to three edges of a smaller hull: on lattice
 * edges exactly collinear as stored; or bulging by 2^-22 to 2^-12 of the edge,
 * collinear up to rounding. */
void gjb_shape_collinear3(gjb_random *r, gjb_draft *draft)
{
    const uint32_t n = draft->count, most = n - 4 < 8 ? n - 4 : 8, corners = 4 + gjb_random_below(r, most);
    const uint32_t extra = n - corners, exact = gjb_random_below(r, 2);
    const double bulge = exact ? 0.0 : gjb_random_octaves(r, -22, -12);
    const uint32_t runs = 1 + gjb_random_below(r, extra < 3 ? extra : 3);
    const double parts = gjb_power_above(extra / runs + 2);
    const double fine = 0x1p-21 * parts, grid = fine > 0x1p-14 ? fine : 0x1p-14;
    const double size = radius_of_size3(r);
    gjb_draw_hull3(r, corners, size, draft->rows3);
    gjb_snap(draft->rows3[0], 3 * corners, grid);
    uint32_t row = corners;
    for (uint32_t k = 0; k < runs; k++) {
        const uint32_t count = extra / runs + (k < extra % runs);
        fill_edge(r, draft->rows3, corners, bulge, parts, count, draft->rows3 + row);
        row += count;
    }
    shuffle(r, n, draft->rows3);
    draft->quantum = exact ? grid / parts : 0.0;
    draft->radius = draft->rounded ? size * 0.25 : 0.0;
}

/* Lower faces lie along local x and y exactly, segments along x. */
void gjb_shape_parallel3(gjb_random *r, gjb_draft *draft)
{
    gjb_shape_plain3(r, draft);
    const double size = radius_of_size3(r);
    double(*v)[3] = draft->rows3;
    if (draft->kind == GJB_SEGMENT) {
        const double half = size * gjb_random_range(r, 0.4, 0.8);
        v[0][0] = -half;
        v[1][0] = half;
        v[1][1] = v[0][1];
        v[1][2] = v[0][2];
    } else if (draft->kind == GJB_TRIANGLE) {
        gjb_draw_circle3(r, 3, 0.0, v);
        gjb_make_ellipsoid3(r, 3, size, 0, v);
    } else if (draft->kind == GJB_HULL) {
        gjb_draw_faceted3(r, draft->count, v);
        gjb_make_ellipsoid3(r, draft->count, size, 0, v);
    }
}

/* The lower face of a hull, with vertices inside the face too: in one plane
 * exactly, or in a bowl of 2^-22 to 2^-10 of the size either way. */
void gjb_shape_coplanar3(gjb_random *r, gjb_draft *draft)
{
    const uint32_t n = draft->count, face = n / 2 + gjb_random_below(r, n / 2 - 1), inner = face / 3;
    const double size = radius_of_size3(r), low = -gjb_random_range(r, 0.2, 0.6);
    const double depth = gjb_random_octaves(r, -22, -10);
    const uint32_t variant = gjb_random_below(r, 3);
    const double bowl = variant == 0 ? 0.0 : variant == 1 ? depth : -depth;
    double(*v)[3] = draft->rows3;
    gjb_draw_circle3(r, face, low, v);
    const double rim = v[0][0] * v[0][0] + v[0][1] * v[0][1];
    for (uint32_t i = 0; i < face; i++) {
        const double share = i < inner ? gjb_random_range(r, 0.0, 0.9) : 1.0;
        v[i][0] *= share;
        v[i][1] *= share;
        v[i][2] -= bowl * rim * (1.0 - share * share);
    }
    gjb_draw_spiral3(r, n - face, 0.2, 1.0, v + face);
    gjb_make_ellipsoid3(r, n, size, 0, v);
    shuffle(r, n, v);
    draft->radius = draft->rounded ? size * 0.25 : 0.0;
}

/* The lowest is an edge along local x. */
void gjb_shape_ridge3(gjb_random *r, gjb_draft *draft)
{
    gjb_shape_parallel3(r, draft);
    const double size = radius_of_size3(r), half = gjb_random_range(r, 0.4, 0.75);
    double(*v)[3] = draft->rows3;
    if (draft->kind != GJB_TRIANGLE && draft->kind != GJB_HULL)
        return;
    const double low = -0.6;
    for (int end = 0; end < 2; end++) {
        v[end][0] = end == 0 ? -half : half;
        v[end][1] = 0.0;
        v[end][2] = low;
    }
    gjb_draw_spiral3(r, draft->count - 2, -0.2, 1.0, v + 2);
    gjb_make_ellipsoid3(r, draft->count, size, 0, v);
}

/* Nearly flat, by 2^-4 to 2^-20; or with vertices 2^-6 to 2^-18 of the size
 * next to others, so that faces are slivers. */
void gjb_shape_sliver3(gjb_random *r, gjb_draft *draft)
{
    gjb_shape_plain3(r, draft);
    const uint32_t n = draft->count;
    double(*v)[3] = draft->rows3;
    if (gjb_random_below(r, 2) == 0) {
        draft->stretch[draft->kind == GJB_TRIANGLE ? 1 : 2] *= gjb_random_octaves(r, -20, -4);
        return;
    }
    const double sideways = gjb_random_octaves(r, -18, -6);
    for (uint32_t i = (n + 1) / 2; i < n; i++) {
        double step[3];
        gjb_random_direction3(r, step);
        gjb_along3(v[gjb_random_below(r, n / 2)], step, sideways, v[i]);
    }
}

/* Everything in the local plane z = 0 at multiples of 1/256; some on the x
 * axis, some a point. */
void gjb_shape_flat3(gjb_random *r, gjb_draft *draft)
{
    const uint32_t variant = gjb_random_below(r, 4), on_line = variant == 0, a_point = variant == 1;
    const double size = floor(256.0 * radius_of_size3(r)) / 256.0;
    double(*v)[3] = draft->rows3;
    draft->quantum = 0x1p-8;
    draft->radius = draft->rounded ? 0.25 * size : 0.0;
    if (draft->kind == GJB_BOX) {
        v[0][0] = size;
        v[0][1] = on_line ? 0.0 : size * gjb_random_range(r, 0.25, 1.0);
        v[0][2] = 0.0;
        return;
    }
    for (uint32_t i = 0; i < draft->count; i++) {
        double c, s;
        gjb_random_rotation(r, &c, &s);
        const double away = size * sqrt(gjb_random_unit(r));
        v[i][0] = a_point ? 0.25 : away * c;
        v[i][1] = a_point || on_line || draft->kind == GJB_SEGMENT ? 0.0 : away * s;
        v[i][2] = 0.0;
    }
    if (draft->kind == GJB_SEGMENT) {
        v[0][0] = -size;
        v[1][0] = 0.5 * size;
    }
}

/* Integer coordinates; those of vertices even, so that middles are integer
 * too. */
void gjb_shape_integer3(gjb_random *r, gjb_draft *draft)
{
    draft->radius = draft->rounded ? 1.0 + gjb_random_below(r, 3) : 0.0;
    if (draft->kind == GJB_BOX) {
        for (int axis = 0; axis < 3; axis++)
            draft->rows3[0][axis] = 1.0 + gjb_random_below(r, 8);
        draft->quantum = 1.0;
        return;
    }
    const double size = gjb_power_above(2 * draft->count);
    gjb_draw_hull3(r, draft->count, size > 16.0 ? size : 16.0, draft->rows3);
    draft->quantum = 2.0;
}
