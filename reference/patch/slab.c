/* Cuts from a half-space's plane the square over which the other shape is. */
#include "reference/patch/slab.h"

#include <math.h>

#include "reference/curved/halfspace.h"

/* The foot of the other's translation in the plane, in the half-space's own axes, and how far the corners are from it. */
static void find_middle(const ref_curved *curved, int side, ref_real middle[3], ref_real *wide)
{
    const ref_solid *half = &curved->body[side], *other = &curved->body[1 - side];
    ref_real square =
        curved->dim == 2 ? half->turn[0][0] * half->turn[0][0] + half->turn[1][0] * half->turn[1][0] : 1;
    for (int k = 0; k < 3; k++) {
        middle[k] = 0;
        for (int m = 0; m < 3; m++)
            middle[k] += half->turn[m][k] * (other->offset[m] - half->offset[m]) / square;
    }
    const ref_real above = ref_inner(half->semi, middle) - half->exponent;
    for (int k = 0; k < 3; k++)
        middle[k] -= above * half->semi[k];
    *wide = (1.5L * other->reach + 0x1p-6L * curved->size) / sqrtl(square);
}

long double ref_slab_above(const gjb_pair *pair, const double point[3])
{
    const ref_real at[3] = {point[0], point[1], pair->dim == 2 ? 0 : point[2]};
    ref_curved curved;
    ref_curved_open(&curved, pair);
    return ref_halfspace_above(&curved.body[ref_halfspace_side(&curved)], at);
}

void ref_slab_open(ref_slab *slab, const gjb_pair *pair)
{
    ref_curved curved;
    ref_real middle[3], wide, t[3], u[3];
    ref_curved_open(&curved, pair);
    slab->pair = *pair;
    slab->side = ref_halfspace_side(&curved);
    find_middle(&curved, slab->side, middle, &wide);
    const ref_real *n = curved.body[slab->side].semi;
    if (pair->dim == 2) {
        for (int i = 0; i < 2; i++) {
            const ref_real by = i ? wide : -wide;
            slab->flat[i][0] = (double)(middle[0] - by * n[1]);
            slab->flat[i][1] = (double)(middle[1] + by * n[0]);
        }
        gjb_body2 *body = slab->side ? &slab->pair.as.plane.b : &slab->pair.as.plane.a;
        body->kind = GJB_SEGMENT;
        body->count = 2;
        body->vertices = (const double(*)[2])slab->flat;
        return;
    }
    ref_across(n, t, u);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            slab->corners[i][k] =
                (double)(middle[k] + (i & 1 ? wide : -wide) * t[k] + (i & 2 ? wide : -wide) * u[k]);
    gjb_body3 *body = slab->side ? &slab->pair.as.space.b : &slab->pair.as.space.a;
    body->kind = GJB_HULL;
    body->count = 4;
    body->vertices = (const double(*)[3])slab->corners;
}
