/* Cores in space as a pair places them: their vertices and supports. */
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
