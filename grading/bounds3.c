/* Bounds on sigma in space: placed vertices, support gaps, nearest points, and the depth from a polytope. */
#include "grading/bounds_private.h"

#include <float.h>

real gjb_core_gap3(const gjb_placed_pair *placed, const real n[3])
{
    gjb_vertex3 unused;
    return gjb_least_along3(&placed->space[0], &placed->space[1], n, &unused);
}

/* Of a box, whose corners are all (+-x, +-y, +-z): what of the point sticks out of it in its own axes. */
static real distance_of_box(const gjb_placed3 *box, const real point[3])
{
    real away[3], out[3];
    gjb_sub3(point, box->offset, away);
    for (int k = 0; k < 3; k++) {
        const real local = box->turn[0][k] * away[0] + box->turn[1][k] * away[1] + box->turn[2][k] * away[2];
        out[k] = fmaxl(fabsl(local) - fabs(box->vertices[0][k]), 0);
    }
    return fmaxl(gjb_length3(out) - box->radius, 0);
}

real gjb_point_distance3(const gjb_placed_pair *placed, int of_b, const real point[3])
{
    const gjb_pair3 *pair = &placed->pair->as.space;
    const gjb_kind kind = (of_b ? &pair->b : &pair->a)->kind;
    if (kind == GJB_BOX)
        return distance_of_box(&placed->space[of_b], point);
    static const double origin[1][3] = {{0, 0, 0}};
    const gjb_placed3 *shape = &placed->space[of_b];
    gjb_placed3 at = {.vertices = origin, .count = 1, .turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    real start[3];
    for (int k = 0; k < 3; k++)
        at.offset[k] = point[k];
    gjb_sub3(point, shape->offset, start);
    gjb_search3 found;
    gjb_search_nearest3(shape, &at, start, 0.25L * placed->error, &found);
    real distance = found.upper - shape->radius;
    if (distance > placed->error && found.upper - found.lower > placed->error) {
        /* Rounding ended the search early. */
        const double rounded[3] = {(double)point[0], (double)point[1], (double)point[2]};
        real error, exact = ref_point_distance3(&placed->pair->as.space, of_b, rounded, &error);
        /* Of a pair at a time the reference is handed a pose that was rounded. */
        return placed->pair == placed->whose ? exact : fminl(distance, exact + 8 * DBL_EPSILON * (real)placed->size);
    }
    return distance > 0 ? distance : 0;
}

/* Cores that may overlap: normals that may prove how little. */
static void try_normal(const gjb_placed_pair *placed, const real n[3], gjb_core_bounds *bounds)
{
    real unit[3] = {n[0], n[1], n[2]};
    if (gjb_normalise3(unit))
        bounds->lower = fmaxl(bounds->lower, gjb_core_gap3(placed, unit));
}

/* Cores that overlap: how deep at least, by the reference's polytope, and at most. 0, or -1 out of memory. */
static int bound_depth(gjb_placed_pair *placed, gjb_core_bounds *bounds)
{
    ref_answer3 guess = ref_signed_distance3(&placed->pair->as.space, &placed->polytope);
    const real normal[3] = {guess.normal[0], guess.normal[1], guess.normal[2]};
    try_normal(placed, normal, bounds);
    real inner, outward[3];
    if (gjb_inner_radius3(placed, &inner, outward))
        return -1;
    if (inner > 0) {
        const real inward[3] = {-outward[0], -outward[1], -outward[2]};
        bounds->upper = fminl(bounds->upper, -inner);
        try_normal(placed, inward, bounds);
    }
    return 0;
}

int gjb_core_bounds3(gjb_placed_pair *placed, gjb_core_bounds *bounds)
{
    const gjb_placed3 *a = &placed->space[0], *b = &placed->space[1];
    const real narrow = 0.5L * placed->error;
    *bounds = (gjb_core_bounds){-INFINITY, INFINITY};
    if (placed->deep && bound_depth(placed, bounds))
        return -1;
    if (bounds->upper < 0)
        return 0;

    gjb_search3 found;
    gjb_search_nearest3(a, b, b->offset, narrow, &found);
    bounds->lower = fmaxl(bounds->lower, found.lower);
    bounds->upper = fminl(bounds->upper, found.upper);
    return bounds->upper - bounds->lower <= narrow || placed->deep ? 0 : bound_depth(placed, bounds);
}
