/* GJK in long double on a pair in motion at one time. It only proposes: an axis is judged by its
 * gap over all vertices, and a point of each core is what it is. */
#include "reference/motion/moving_pair.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "reference/methods/nearest3.h"

enum { CAP = 256 };

typedef ref_corner corner;

static corner support(const ref_posed *posed, const ref_real n[3])
{
    const ref_real back[3] = {-n[0], -n[1], -n[2]};
    corner c;
    ref_mover_support(posed, 0, n, c.place[0]);
    ref_mover_support(posed, 1, back, c.place[1]);
    for (int m = 0; m < 3; m++) {
        c.place[1][m] += posed->offset[m];
        c.w[m] = c.place[1][m] - c.place[0][m];
    }
    return c;
}

/* Velocity of a vertex of the difference, but for the translations. */
static void velocity(const ref_posed *posed, const corner *c, ref_real out[3])
{
    ref_real r[3], a[3], b[3];
    for (int m = 0; m < 3; m++)
        r[m] = c->place[1][m] - posed->offset[m];
    ref_cross(a, posed->mover->body[0].turn, c->place[0]);
    ref_cross(b, posed->mover->body[1].turn, r);
    for (int m = 0; m < 3; m++)
        out[m] = b[m] - a[m];
}

/* The spin that keeps n square to the simplex: n'.e = -n.e' of its edges e, n' in their span. Left 0 if
 * it would be faster than what turns: short edges turn by rounding alone. */
static void follow(const ref_posed *posed, const corner *simplex, int count, ref_axis *axis)
{
    const ref_real *n = axis->normal;
    ref_real edge[2][3], first[3], later[3], right[2], swing[3];
    ref_real most = 2 * (posed->mover->body[0].speed + posed->mover->body[1].speed);
    axis->spin[0] = axis->spin[1] = axis->spin[2] = 0;
    if (count < 2 || count > 3 || most == 0)
        return;
    velocity(posed, &simplex[0], first);
    for (int k = 1; k < count; k++) {
        velocity(posed, &simplex[k], later);
        right[k - 1] = 0;
        for (int m = 0; m < 3; m++) {
            edge[k - 1][m] = simplex[k].w[m] - simplex[0].w[m];
            right[k - 1] -= n[m] * (later[m] - first[m]);
        }
    }
    ref_real ee = ref_inner(edge[0], edge[0]), weight[2] = {right[0] / ee, 0};
    if (count == 3) {
        ref_real ef = ref_inner(edge[0], edge[1]), ff = ref_inner(edge[1], edge[1]), det = ee * ff - ef * ef;
        weight[0] = (right[0] * ff - right[1] * ef) / det;
        weight[1] = (right[1] * ee - right[0] * ef) / det;
    }
    for (int m = 0; m < 3; m++)
        swing[m] = weight[0] * edge[0][m] + (count == 3 ? weight[1] * edge[1][m] : 0);
    if (ref_inner(swing, swing) <= most * most) /* false of NaN */
        ref_cross(axis->spin, n, swing);
}

/* How far the nearest point lies from the border: weight times height over the side across. */
static ref_real inside(const corner *simplex, const ref_nearest3l *nearest, int count, uint32_t dim)
{
    ref_real least = HUGE_VALL;
    for (int k = 0; k < count; k++) {
        ref_real side[3], edge[3], across[3];
        const ref_real *v = simplex[k].w, *p = simplex[(k + 1) % count].w, *q = simplex[(k + 2) % count].w;
        for (int m = 0; m < 3; m++) {
            edge[m] = v[m] - p[m];
            side[m] = q[m] - p[m];
        }
        ref_cross(across, side, edge);
        ref_real height = count == 2 ? sqrtl(ref_inner(edge, edge))
                                     : sqrtl(ref_inner(across, across) / ref_inner(side, side));
        least = fminl(least, nearest->weight[k] * height);
    }
    return count == (int)dim && least > 0 ? least : 0;
}

static void take_points(ref_nearby *out, const ref_nearest3l *nearest, const corner *simplex, int count)
{
    out->apart = nearest->distance > 0;
    out->distance = nearest->distance;
    out->inside = 0;
    for (int m = 0; m < 3; m++) {
        for (int side = 0; side < 2; side++) {
            out->point[side][m] = 0;
            for (int k = 0; k < count; k++)
                out->point[side][m] += nearest->weight[k] * simplex[k].place[side][m];
        }
    }
}

static void take_axis(const ref_posed *posed, ref_nearby *out, const ref_nearest3l *nearest, const corner *simplex,
                      int count)
{
    for (int m = 0; m < 3; m++)
        out->axis.normal[m] = nearest->normal[m];
    out->inside = inside(simplex, nearest, count, posed->mover->body[0].dim);
    follow(posed, simplex, count, &out->axis);
}

/* Drops what the nearest point does not need. */
static ref_nearest3l reduce(corner simplex[4], int *count)
{
    ref_real w[4][3];
    for (int k = 0; k < *count; k++)
        for (int m = 0; m < 3; m++)
            w[k][m] = simplex[k].w[m];
    ref_nearest3l nearest = ref_nearest_simplex3l((const ref_real(*)[3])w, *count, 0);
    if (nearest.count == 4)
        return nearest;
    int kept = 0;
    for (int k = 0; k < *count; k++) {
        if (nearest.weight[k] > 0) {
            simplex[kept] = simplex[k];
            nearest.weight[kept++] = nearest.weight[k];
        }
    }
    *count = kept;
    return nearest;
}

static bool known(const corner *simplex, int count, const corner *c)
{
    for (int k = 0; k < count; k++) {
        const ref_real *w = simplex[k].w;
        if (w[0] == c->w[0] && w[1] == c->w[1] && w[2] == c->w[2])
            return true;
    }
    return false;
}

ref_curved ref_mover_curved(const ref_posed *posed)
{
    ref_curved curved = posed->mover->rest;
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < (int)(curved.dim * curved.dim); k++) {
            const int i = k / (int)curved.dim, m = k % (int)curved.dim;
            curved.body[side].turn[i][m] = posed->rotation[side][i][m];
        }
        for (int m = 0; m < 3 && side; m++)
            curved.body[side].offset[m] = posed->offset[m];
    }
    return curved;
}

/* The same of curved cores. Their axes stand still: no simplex says how a feature of one point turns. */
static void curved_distance(const ref_posed *posed, const ref_real from[3], ref_nearby *out)
{
    const ref_curved curved = ref_mover_curved(posed);
    ref_near near;
    ref_curved_approach(&curved, from, 2 * LDBL_EPSILON * posed->mover->size, &near);
    *out = (ref_nearby){.apart = near.lower > 0, .distance = near.upper, .iterations = (int)near.corners};
    memcpy(out->axis.normal, near.lower > 0 ? near.normal : near.axis, sizeof near.normal);
    if (posed->mover->plane)
        ref_mover_plane(posed, &out->axis);
    memcpy(out->point, near.point, sizeof near.point);
}

void ref_mover_distance(const ref_posed *posed, const ref_real from[3], ref_nearby *out)
{
    if (posed->mover->is_curved) {
        curved_distance(posed, from, out);
        return;
    }
    const ref_real any[3] = {1, 0, 0};
    const ref_real met = 2 * LDBL_EPSILON * posed->mover->size;
    ref_real best = -HUGE_VALL;
    corner simplex[4] = {support(posed, ref_inner(from, from) > 0 ? from : any)};
    int count = 1;
    *out = (ref_nearby){.apart = false};
    for (out->iterations = 1; out->iterations <= CAP; out->iterations++) {
        ref_nearest3l nearest = reduce(simplex, &count);
        if (!(nearest.distance > 0)) {
            *out = (ref_nearby){.apart = false, .iterations = out->iterations};
            return;
        }
        corner next = support(posed, nearest.normal);
        ref_real gap = ref_inner(nearest.normal, next.w);
        take_points(out, &nearest, simplex, count); /* distances only fall, */
        if (gap >= best) {                          /* and what an axis proves may do so too */
            best = gap;
            take_axis(posed, out, &nearest, simplex, count);
        }
        if (nearest.distance - gap <= met || known(simplex, count, &next))
            return;
        simplex[count++] = next;
    }
}
