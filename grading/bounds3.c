/* Bounds on sigma in space: placed vertices, support gaps, nearest points, and the depth from a polytope. */
#include "grading/bounds_private.h"

#include <float.h>

void gjb_placed_rotation3(const real q[4], real r[3][3])
{
    real x = q[0], y = q[1], z = q[2], w = q[3];
    real xx = x * x, yy = y * y, zz = z * z, ww = w * w, norm = xx + yy + zz + ww;
    const real m[3][3] = {{ww + xx - yy - zz, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), ww - xx + yy - zz, 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), ww - xx - yy + zz}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            r[i][k] = m[i][k] / norm;
}

static void place(gjb_placed3 *placed, const gjb_body3 *body, const real q[4], const real offset[3])
{
    placed->vertices = body->vertices;
    placed->count = body->count;
    placed->radius = body->radius;
    double farthest = 0;
    for (uint32_t i = 0; i < body->count; i++)
        for (int k = 0; k < 3; k++)
            farthest = fmax(farthest, fabs(body->vertices[i][k]));
    placed->reach = 2 * farthest; /* more than sqrt 3 */
    gjb_placed_rotation3(q, placed->turn);
    for (int k = 0; k < 3; k++)
        placed->offset[k] = offset[k];
}

void gjb_place3(gjb_placed_pair *placed)
{
    const gjb_pair3 *pair = &placed->whose->as.space;
    const real still[3] = {0};
    real q[4], offset[3];
    gjb_turned_at(placed->whose, 0, placed->time, q);
    place(&placed->space[0], &pair->a, q, still);
    gjb_turned_at(placed->whose, 1, placed->time, q);
    gjb_offset_at(placed->whose, placed->time, offset);
    place(&placed->space[1], &pair->b, q, offset);
}

void gjb_image3(const gjb_placed3 *placed, uint32_t i, real out[3])
{
    const double *v = placed->vertices[i];
    for (int k = 0; k < 3; k++)
        out[k] = placed->turn[k][0] * v[0] + placed->turn[k][1] * v[1] + placed->turn[k][2] * v[2] +
                 placed->offset[k];
}

/* Double precision sorts out the vertices that cannot be it: n rounded and three
 * products and two sums leave n . v within 5 eps |n| |v|, and two such are compared. */
real gjb_placed_support3(const gjb_placed3 *placed, const real n[3], uint32_t *index)
{
    real local[3];
    for (int k = 0; k < 3; k++)
        local[k] = placed->turn[0][k] * n[0] + placed->turn[1][k] * n[1] + placed->turn[2][k] * n[2];
    const double x = (double)local[0], y = (double)local[1], z = (double)local[2];
    const double length = fmax(fmax(fabs(x), fabs(y)), fabs(z)); /* of n, but for sqrt 3 */
    const double doubt = 32 * DBL_EPSILON * length * placed->reach + 0x1p-1070;
    double bar = -INFINITY;
    real best = -INFINITY;
    for (uint32_t i = 0; i < placed->count; i++) {
        const double *v = placed->vertices[i];
        double rough = x * v[0] + y * v[1] + z * v[2];
        if (rough < bar)
            continue;
        bar = fmax(bar, rough - doubt);
        real along = local[0] * v[0] + local[1] * v[1] + local[2] * v[2];
        if (along > best) {
            best = along;
            *index = i;
        }
    }
    return best + gjb_dot3(n, placed->offset);
}

real gjb_least_along3(const gjb_placed3 *a, const gjb_placed3 *b, const real n[3], gjb_vertex3 *vertex)
{
    const real opposite[3] = {-n[0], -n[1], -n[2]};
    return -gjb_placed_support3(b, opposite, &vertex->j) - gjb_placed_support3(a, n, &vertex->i);
}

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
