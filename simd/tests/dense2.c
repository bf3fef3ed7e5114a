/* Signed distance of curved pairs in the plane by very many directions, refined, in long double. */
#include "simd/tests/dense2.h"

#include <math.h>
#include <stdlib.h>

enum { AROUND = 720, MOST_EDGES = 4096, NEAR = 54, REFINED = 24, GOLDEN = 110 };
static long double angles[AROUND + 2 * MOST_EDGES + 32 * NEAR], gaps[AROUND + 2 * MOST_EDGES + 32 * NEAR];

static long double support(const gjb_body2 *body, long double nx, long double ny)
{
    const long double c = (long double)body->pose.c, s = (long double)body->pose.s;
    const long double lx = c * nx + s * ny, ly = c * ny - s * nx;
    if (body->kind != GJB_ELLIPSE && body->kind != GJB_SUPERELLIPSE) {
        long double most = -INFINITY;
        for (uint32_t i = 0; i < body->count; i++)
            most = fmaxl(most, lx * (long double)body->vertices[i][0] + ly * (long double)body->vertices[i][1]);
        return most;
    }
    /* the dual norm, of exponent p / (p - 1) */
    const long double p = body->kind == GJB_ELLIPSE ? 2 : (long double)body->vertices[1][0];
    const long double mx = fabsl((long double)body->vertices[0][0] * lx), my = fabsl((long double)body->vertices[0][1] * ly);
    const long double most = fmaxl(mx, my), least = fminl(mx, my);
    if (p == 1 || most == 0)
        return most;
    const long double dual = p / (p - 1);
    return most * expl(log1pl(powl(least / most, dual)) / dual);
}

long double dense_gap(const gjb_pair2 *pair, long double nx, long double ny)
{
    const long double tx = (long double)pair->b.pose.x - (long double)pair->a.pose.x;
    const long double ty = (long double)pair->b.pose.y - (long double)pair->a.pose.y;
    return nx * tx + ny * ty - support(&pair->a, nx, ny) - support(&pair->b, -nx, -ny) -
           (long double)pair->a.radius - (long double)pair->b.radius;
}

static long double gap_at(const gjb_pair2 *pair, long double angle)
{
    return dense_gap(pair, cosl(angle), sinl(angle));
}

static int by_angle(const void *a, const void *b)
{
    const long double x = *(const long double *)a, y = *(const long double *)b;
    return x < y ? -1 : x > y;
}

static size_t angles_of(const gjb_body2 *body, long double flip, long double *out)
{
    const long double turn = atan2l((long double)body->pose.s, (long double)body->pose.c) + flip, half = acosl(-1.0L);
    const int curved = gjb_is_curved(body->kind);
    size_t count = 0;
    for (uint32_t i = 0; !curved && i < body->count; i++) {
        const double *p = body->vertices[i], *q = body->vertices[(i + 1) % body->count];
        out[count++] = turn + atan2l((long double)p[0] - (long double)q[0], (long double)q[1] - (long double)p[1]);
    }
    for (int axis = 0; curved && axis < 4; axis++)
        for (int k = 0; k < NEAR; k++)
            for (int sign = -1; sign < 2; sign++)
                out[count++] = turn + axis * half / 2 + (long double)sign * ldexpl(1, -k);
    return count;
}

static long double refined(const gjb_pair2 *pair, long double lo, long double hi)
{
    const long double part = (sqrtl(5.0L) - 1) / 2;
    long double p = hi - part * (hi - lo), q = lo + part * (hi - lo), at_p = gap_at(pair, p), at_q = gap_at(pair, q);
    for (int k = 0; k < GOLDEN; k++) {
        if (at_p > at_q) {
            hi = q, q = p, at_q = at_p;
            p = hi - part * (hi - lo);
            at_p = gap_at(pair, p);
        } else {
            lo = p, p = q, at_p = at_q;
            q = lo + part * (hi - lo);
            at_q = gap_at(pair, q);
        }
    }
    return fmaxl(at_p, at_q);
}

long double dense_sigma(const gjb_pair2 *pair)
{
    const long double whole = 2 * acosl(-1.0L);
    const long double tx = (long double)pair->b.pose.x - (long double)pair->a.pose.x;
    const long double ty = (long double)pair->b.pose.y - (long double)pair->a.pose.y;
    size_t count = 0;
    for (int i = 0; i < AROUND; i++)
        angles[count++] = whole * i / AROUND;
    count += angles_of(&pair->a, 0, angles + count);
    count += angles_of(&pair->b, whole / 2, angles + count);
    angles[count++] = tx == 0 && ty == 0 ? 0 : atan2l(ty, tx);
    for (size_t i = 0; i < count; i++)
        angles[i] -= whole * floorl(angles[i] / whole);
    qsort(angles, count, sizeof *angles, by_angle);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (angles[i] > angles[kept - 1] + 0x1p-58L) /* the same but for rounding */
            angles[kept++] = angles[i];
    count = kept;
    long double best = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        gaps[i] = gap_at(pair, angles[i]);
        best = fmaxl(best, gaps[i]);
    }
    /* of the directions tried, those no worse than both neighbours, the best first */
    long double bar = INFINITY;
    for (int k = 0; k < REFINED; k++) {
        size_t at = count;
        for (size_t i = 0; i < count; i++) {
            const size_t before = (i + count - 1) % count, after = (i + 1) % count;
            if (gaps[i] < bar && gaps[i] >= gaps[before] && gaps[i] >= gaps[after] && (at == count || gaps[i] > gaps[at]))
                at = i;
        }
        if (at == count)
            break;
        bar = gaps[at];
        const long double lo = angles[(at + count - 1) % count] - (at == 0 ? whole : 0);
        const long double hi = angles[(at + 1) % count] + (at + 1 == count ? whole : 0);
        best = fmaxl(best, refined(pair, lo, hi));
    }
    return best;
}

/* The largest excess of the point over the shape's supports, among its own directions. */
long double dense_outside(const gjb_pair2 *pair, int of_b, long double x, long double y)
{
    const gjb_body2 *body = of_b ? &pair->b : &pair->a;
    if (of_b) {
        x -= (long double)pair->b.pose.x - (long double)pair->a.pose.x;
        y -= (long double)pair->b.pose.y - (long double)pair->a.pose.y;
    }
    static const double origin[1][2] = {{0, 0}};
    const gjb_body2 point = {.kind = GJB_POINT, .count = 1, .vertices = origin, .pose = {(double)x, (double)y, 1, 0}};
    gjb_body2 shape = *body;
    shape.pose.x = shape.pose.y = 0;
    const gjb_pair2 both = {shape, point};
    return fmaxl(dense_sigma(&both), 0);
}
