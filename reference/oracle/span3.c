/* Vertices that span D exactly, the normal of a flat D, and the sign of a tetrahedron's volume. */
#include "reference/oracle/hull3.h"

#include <math.h>

static long double inner(const long double p[3], const long double q[3])
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

/* How far corner k leads out of the span of the chosen ones, exactly 0 or not,
 * and about how far for the choice among them. */
static bool leads_out(ref_grid3 *g, const ref_corner3 *chosen, int count, ref_corner3 corner)
{
    ref_corner3_at(g, chosen[0], &g->p);
    ref_corner3_at(g, corner, &g->s);
    ref_subtract3(&g->s, &g->s, &g->p);
    if (count == 1)
        return !ref_zero3(&g->s);
    ref_corner3_at(g, chosen[1], &g->q);
    ref_subtract3(&g->q, &g->q, &g->p);
    if (count == 2) {
        ref_cross3(&g->n, &g->q, &g->s);
        return !ref_zero3(&g->n);
    }
    ref_corner3_at(g, chosen[2], &g->r);
    ref_subtract3(&g->r, &g->r, &g->p);
    ref_cross3(&g->n, &g->q, &g->r);
    ref_inner3(g->t, &g->n, &g->s);
    return mpz_sgn(g->t) != 0;
}

static long double rise(const ref_grid3 *g, const ref_corner3 *chosen, int count, ref_corner3 corner)
{
    long double u[3][3], base[3];
    ref_corner3_near(g, chosen[0], base);
    for (int k = 0; k < count; k++) {
        ref_corner3_near(g, k + 1 < count ? chosen[k + 1] : corner, u[k]);
        for (int m = 0; m < 3; m++)
            u[k][m] -= base[m];
        for (int j = 0; j < k; j++) {
            long double square = inner(u[j], u[j]), along = square > 0 ? inner(u[k], u[j]) / square : 0;
            for (int m = 0; m < 3; m++)
                u[k][m] -= along * u[j][m];
        }
    }
    return sqrtl(inner(u[count - 1], u[count - 1]));
}

/* The k-th of the corners that differ from `base` in one body alone: with it they
 * span what all of D spans. */
static ref_corner3 neighbour(const ref_grid3 *g, ref_corner3 base, uint32_t k)
{
    uint32_t na = g->side[0].body->count;
    return k < na ? (ref_corner3){k, base.j} : (ref_corner3){base.i, k - na};
}

/* Of the corners that lead out of what is spanned, the one that does most. */
int ref_span3(ref_grid3 *g, ref_corner3 chosen[4])
{
    uint32_t total = g->side[0].body->count + g->side[1].body->count;
    for (int count = 1; count < 4; count++) {
        ref_corner3 best = chosen[0];
        long double most = -1;
        for (uint32_t k = 0; k < total; k++) {
            ref_corner3 corner = neighbour(g, chosen[0], k);
            long double out = rise(g, chosen, count, corner);
            if (out > most) {
                most = out;
                best = corner;
            }
        }
        bool found = leads_out(g, chosen, count, best);
        for (uint32_t k = 0; k < total && !found; k++) {
            best = neighbour(g, chosen[0], k);
            found = leads_out(g, chosen, count, best);
        }
        if (!found)
            return count;
        chosen[count] = best;
    }
    return 4;
}

void ref_flat_normal3(ref_grid3 *g, const ref_corner3 *chosen, int count, ref_vector3 *normal)
{
    mpz_set_ui(normal->x[0], 1);
    mpz_set_ui(normal->x[1], 0);
    mpz_set_ui(normal->x[2], 0);
    if (count == 1)
        return;
    ref_corner3_at(g, chosen[0], &g->p);
    ref_corner3_at(g, chosen[1], &g->q);
    ref_subtract3(&g->q, &g->q, &g->p);
    if (count == 3) {
        ref_corner3_at(g, chosen[2], &g->r);
        ref_subtract3(&g->r, &g->r, &g->p);
        ref_cross3(normal, &g->q, &g->r);
        return;
    }
    /* Across the line and the axis that leans from it most. */
    int axis = 0;
    for (int m = 1; m < 3; m++)
        axis = mpz_cmpabs(g->q.x[m], g->q.x[axis]) < 0 ? m : axis;
    for (int m = 0; m < 3; m++)
        mpz_set_ui(g->r.x[m], m == axis);
    ref_cross3(normal, &g->q, &g->r);
}

int ref_volume_sign3(ref_grid3 *g, const ref_corner3 chosen[4])
{
    leads_out(g, chosen, 3, chosen[3]);
    return mpz_sgn(g->t);
}
