/* Proves that a pair in motion stays apart, by an axis that keeps a gap over an interval. */
#include "grading/bounds_path.h"

#include <float.h>
#include <stdlib.h>

#include "grading/bounds_private.h"
#include "reference/curved/halfspace.h"
#include "reference/effort.h"

enum { PROOFS_MAX = 20000, NEWTON_MAX = 40, SHRINKS_MAX = 12 };

static int flatten(gjb_path *path, int i, const gjb_body2 *body, gjb_placed3 *core)
{
    if (body->count > path->room[i]) {
        void *more = realloc(path->flat[i], body->count * sizeof *path->flat[i]);
        if (!more)
            return -1;
        path->flat[i] = more;
        path->room[i] = body->count;
    }
    for (uint32_t v = 0; v < body->count; v++) {
        path->flat[i][v][0] = body->vertices[v][0];
        path->flat[i][v][1] = body->vertices[v][1];
        path->flat[i][v][2] = 0;
    }
    *core = (gjb_placed3){.vertices = (const double(*)[3])path->flat[i],
                          .count = body->count,
                          .radius = body->radius};
    return 0;
}

/* w, its length, and how far vertices are from its axis; the axis goes with the body, so that their
 * distance is that at the start. */
static void measure(gjb_mobile *body, real turn[3][3])
{
    real axis[3], local[3] = {0};
    for (int k = 0; k < 3; k++)
        axis[k] = body->spin[k];
    body->rate = gjb_length3(axis);
    body->swing = 0;
    if (body->rate > 0)
        for (int k = 0; k < 3; k++)
            for (int m = 0; m < 3; m++)
                local[k] += turn[m][k] * axis[m] / body->rate;
    double farthest = 0;
    for (uint32_t i = 0; i < body->core.count; i++) {
        const double *v = body->core.vertices[i];
        const real p[3] = {v[0], v[1], v[2]};
        real across[3];
        gjb_cross3(p, local, across);
        body->swing = fmaxl(body->swing, gjb_length3(across));
        for (int k = 0; k < 3; k++)
            farthest = fmax(farthest, fabs(v[k]));
    }
    body->swing *= 1 + 0x1p-40L;
    body->core.reach = 2 * farthest;
}

/* The same of one in a curved pair. In the plane the rotation as stored may lengthen. */
static void measure_curved(gjb_mobile *body, real turn[3][3])
{
    real axis[3] = {0};
    body->rate = gjb_length3(body->spin);
    for (int k = 0; k < 3 && body->rate > 0; k++)
        for (int m = 0; m < 3; m++)
            axis[k] += turn[m][k] * body->spin[m] / body->rate;
    const real scale = body->curved.dim == 2 ? hypotl(turn[0][0], turn[1][0]) : 1;
    if (gjb_is_unbounded(body->curved.kind)) { /* the foot alone */
        body->swing = body->curved.reach * scale * (1 + 0x1p-40L);
        return;
    }
    body->swing = ref_solid_aside(&body->curved, axis) * scale * (1 + 0x1p-40L);
}

static void turn_at(const gjb_path *path, int i, real t, real turn[3][3])
{
    real q[4];
    gjb_turned_at(path->pair, i, t, q);
    if (path->pair->dim == 3) {
        gjb_placed_rotation3(q, turn);
        return;
    }
    const real flat[3][3] = {{q[0], -q[1], 0}, {q[1], q[0], 0}, {0, 0, 1}};
    for (int k = 0; k < 9; k++)
        turn[k / 3][k % 3] = flat[k / 3][k % 3];
}

int gjb_path_open(gjb_path *path, const gjb_pair *pair)
{
    path->pair = pair;
    path->size = gjb_path_size(pair);
    /* As where the pair is placed at a time, and as much again for the steps of time. */
    path->error = 256 * LDBL_EPSILON * (real)path->size;
    path->is_curved = ref_is_curved(pair);
    path->plane = 0;
    gjb_velocity(pair, path->velocity);
    for (int k = 0; k < 3; k++)
        path->axis[k] = 0;
    for (int i = 0; i < 2; i++) {
        gjb_mobile *mobile = &path->body[i];
        *mobile = (gjb_mobile){.rate = 0};
        if (pair->dim == 2) {
            const gjb_body2 *body = i ? &pair->as.plane.b : &pair->as.plane.a;
            if (flatten(path, i, body, &mobile->core))
                return -1;
            ref_solid_open(&mobile->curved, body->kind, 2, body->count, *body->vertices, body->radius,
                           hypotl(body->pose.c, body->pose.s));
            mobile->spin[2] = body->motion.angle;
        } else {
            const gjb_body3 *body = i ? &pair->as.space.b : &pair->as.space.a;
            mobile->core = (gjb_placed3){.vertices = body->vertices,
                                         .count = body->count,
                                         .radius = body->radius};
            ref_solid_open(&mobile->curved, body->kind, 3, body->count, *body->vertices, body->radius, 1);
            mobile->spin[0] = body->motion.wx;
            mobile->spin[1] = body->motion.wy;
            mobile->spin[2] = body->motion.wz;
        }
        real turn[3][3];
        turn_at(path, i, 0, turn);
        if (path->is_curved) {
            measure_curved(mobile, turn);
            path->plane = gjb_is_unbounded(mobile->curved.kind) ? 1 + i : path->plane;
            path->error += LDBL_EPSILON * ref_solid_units(&mobile->curved) * mobile->curved.reach;
        } else {
            measure(mobile, turn);
        }
    }
    return 0;
}

void gjb_path_close(gjb_path *path)
{
    gjb_placed_free(&path->placed);
    for (int i = 0; i < 2; i++)
        free(path->flat[i]);
    *path = (gjb_path){.pair = NULL};
}

int gjb_path_sigma(gjb_path *path, long double t, double *lo, double *hi)
{
    return gjb_place_pair_at(&path->placed, path->pair, t) || gjb_bound_sigma(&path->placed, 0x1p-53, lo, hi) ? -1 : 0;
}

/* Largest n . p over the vertices, about the origin, at any angle. */
static real whole_support(const gjb_mobile *body, const gjb_placed3 *at, const ref_solid *curved, const real n[3])
{
    const real rate = body->rate, *w = body->spin;
    real across[3], best = -INFINITY;
    gjb_cross3(n, w, across);
    const real along = gjb_dot3(n, w) / rate, aside = gjb_length3(across) / rate;
    if (curved) { /* its cylinder, as long as it is the one way */
        real axis[3], unused[3];
        for (int k = 0; k < 3; k++)
            axis[k] = (along < 0 ? -w[k] : w[k]) / rate;
        return fabsl(along) * ref_solid_support(curved, axis, unused) + aside * body->swing;
    }
    for (uint32_t i = 0; i < at->count; i++) {
        real p[3], off[3];
        gjb_image3(at, i, p);
        gjb_cross3(p, w, off);
        best = fmaxl(best, along * gjb_dot3(p, w) / rate + aside * gjb_length3(off) / rate);
    }
    return best;
}

/* A pair as it is at a time, ready for gaps at times about it. */
typedef struct instant {
    const gjb_path *path;
    gjb_placed3 at[2]; /* about their origins */
    ref_solid curved[2]; /* instead, of a curved pair */
    real offset[3];
    real n[3];
    unsigned whole;
    real turning[2][3]; /* n x w, or n x (w - the axis's spin) */
    real swept;         /* how fast the turn of the axis alone opens the gap */
    real bend;          /* of both bodies: the bound loses bend s^2 / 2 */
} instant;

static void place_instant(instant *now, const gjb_path *path, real t)
{
    now->path = path;
    for (int i = 0; i < 2; i++) {
        now->at[i] = path->body[i].core;
        turn_at(path, i, t, now->at[i].turn);
        now->curved[i] = path->body[i].curved;
        for (uint32_t k = 0; k < path->pair->dim * path->pair->dim; k++) {
            const uint32_t row = k / path->pair->dim, column = k % path->pair->dim;
            now->curved[i].turn[row][column] = now->at[i].turn[row][column];
        }
    }
    gjb_offset_at(path->pair, t, now->offset);
}

/* The normal of the half-space, which turns as it does. What reference/motion/moving_pair.h says of such axes: with s its
 * spin, r a point that turns by w and c the offset, |d2/dt2 n.r| <= |s|^2 |r| + 2 |s||w| swing + |w|^2 swing, and
 * |d2/dt2 n.c| <= |s|^2 |c| + 2 |s||velocity|. */
static void along_plane(instant *now)
{
    const gjb_path *path = now->path;
    const int side = path->plane - 1;
    const real *spin = path->body[side].spin, s = path->body[side].rate, way = gjb_length3(path->velocity);
    real around[3];
    ref_halfspace_normal(&now->curved[side], now->n);
    for (int k = 0; k < 3 && side; k++)
        now->n[k] = -now->n[k];
    gjb_cross3(spin, now->n, around);
    now->swept = gjb_dot3(around, now->offset);
    now->bend = s * s * (gjb_length3(now->offset) + way) + 2 * s * way;
    for (int i = 0; i < 2; i++) {
        const gjb_mobile *body = &path->body[i];
        real relative[3];
        for (int k = 0; k < 3; k++)
            relative[k] = body->spin[k] - spin[k];
        gjb_cross3(now->n, relative, now->turning[i]);
        now->bend += s * s * 2 * body->curved.reach + (2 * s * body->rate + body->rate * body->rate) * body->swing;
    }
    now->bend *= 1 + 0x1p-40L;
}

static void along_axis(instant *now, const real n[3], unsigned whole)
{
    now->swept = 0;
    if (now->path->plane && !(whole && now->path->body[now->path->plane - 1].rate == 0)) {
        now->whole = 0;
        along_plane(now);
        return;
    }
    now->whole = whole;
    now->bend = 0;
    for (int k = 0; k < 3; k++)
        now->n[k] = n[k];
    if (now->path->plane) { /* one that stands still */
        ref_halfspace_normal(&now->curved[now->path->plane - 1], now->n);
        for (int k = 0; k < 3 && now->path->plane == 2; k++)
            now->n[k] = -now->n[k];
    }
    for (int i = 0; i < 2; i++) {
        const gjb_mobile *body = &now->path->body[i];
        gjb_cross3(now->n, body->spin, now->turning[i]);
        if (!(whole >> i & 1))
            now->bend += body->rate * gjb_length3(now->turning[i]) * body->swing;
    }
}

/* Largest n . p over a body about its origin, n of any length, and where. */
static real support_of(const instant *now, int i, const real n[3], real p[3])
{
    if (now->path->is_curved)
        return ref_solid_support(&now->curved[i], n, p);
    uint32_t v = 0;
    const real most = gjb_placed_support3(&now->at[i], n, &v);
    gjb_image3(&now->at[i], v, p);
    return most;
}

/* Lower bound on the gap along n, `s` after the instant, and how fast it changes. */
static real gap_after(const instant *now, real s, real *slope)
{
    const gjb_path *path = now->path;
    const real opens = gjb_dot3(now->n, path->velocity) + now->swept;
    real gap = gjb_dot3(now->n, now->offset) + s * opens - 0.5L * now->bend * s * s;
    *slope = opens - now->bend * s;
    for (int i = 0; i < 2; i++) {
        const real sign = i ? -1 : 1;
        real n[3], p[3];
        gap -= path->is_curved ? now->curved[i].ball : now->at[i].radius;
        for (int k = 0; k < 3; k++)
            n[k] = sign * (now->n[k] + (now->whole >> i & 1 ? 0 : s * now->turning[i][k]));
        if (now->whole >> i & 1) {
            gap -= whole_support(&path->body[i], &now->at[i], path->is_curved ? &now->curved[i] : NULL, n);
            continue;
        }
        gap -= support_of(now, i, n, p);
        *slope -= sign * gjb_dot3(now->turning[i], p);
    }
    return gap;
}

int gjb_path_apart(const gjb_path *path, const long double n[3], long double from, long double to,
                   unsigned whole, long double level)
{
    const real bar = level + path->error;
    instant now;
    real unused;
    if (path->pair->dim == 2 && n[2] != 0)
        return 0;
    place_instant(&now, path, from);
    along_axis(&now, n, whole);
    return gap_after(&now, 0, &unused) > bar && gap_after(&now, to - from, &unused) > bar;
}

/* How long the bound stays above the bar, by Newton's method from the end on: it is concave. */
static real longest(const instant *now, real most, real bar)
{
    real s = most;
    for (int step = 0; step < NEWTON_MAX; step++) {
        real slope, above = gap_after(now, s, &slope) - bar;
        if (above >= 0 || !(slope < 0))
            break;
        const real next = s - above / slope;
        if (!(next > 0))
            return 0;
        if (next > s * (1 - 0x1p-20L))
            return next;
        s = next;
    }
    return s;
}

enum { COARSE = 12, FINER = 20 }; /* bits of a gap that an axis is found to, and by which the next search is narrower */

/* The same of a curved pair, as far as the cores do not overlap, or by less than they were made smaller by. Far from the
 * level an axis will do that is as good as a part of its gap; `hasty` says that it is no better. */
static int find_curved_axis(const gjb_path *path, const instant *now, real level, int *hasty, real n[3])
{
    ref_curved at = {.dim = path->pair->dim, .body = {now->curved[0], now->curved[1]}, .size = path->size};
    const real finest = 0.0625L * path->error;
    const real *from = gjb_dot3(path->axis, path->axis) > 0 ? path->axis : now->offset;
    real gap = path->size;
    ref_near found;
    for (int k = 0; k < 3; k++)
        at.body[1].offset[k] = now->offset[k];
    for (real width = *hasty ? ldexpl(gap, -FINER) : finest;; width = fmaxl(finest, ldexpl(fminl(width, fmaxl(gap, 0)), -FINER))) {
        *hasty = width > finest;
        ref_curved_approach(&at, from, width, &found);
        gap = found.lower - (at.body[0].ball + at.body[1].ball) - level;
        for (int k = 0; k < 3; k++)
            n[k] = found.axis[k];
        if (!*hasty || gap > ldexpl(width, COARSE))
            break;
        from = n;
    }
    return gap > 2 * path->error;
}

static int find_straight_axis(const gjb_path *path, const instant *now, real level, real n[3])
{
    gjb_placed3 b = now->at[1];
    gjb_search3 found;
    const real radii = b.radius + now->at[0].radius;
    for (int k = 0; k < 3; k++)
        b.offset[k] = now->offset[k];
    gjb_search_nearest3(&now->at[0], &b, gjb_dot3(path->axis, path->axis) > 0 ? path->axis : now->offset,
                        0.25L * path->error, &found);
    for (int k = 0; k < 3; k++)
        n[k] = found.axis[k];
    return found.lower - radii > level + 2 * path->error;
}

/* Shapes in the plane have no thickness, and so a gap of 0 out of it, which says nothing of how deep they are in it. */
static int turn_into_plane(const gjb_path *path, real n[3])
{
    if (path->pair->dim == 3)
        return 1;
    n[2] = 0;
    return gjb_normalise3(n);
}

/* An axis that holds the shapes apart by more than `level` at the instant; 0 if there is none. */
static int find_axis(const gjb_path *path, const instant *now, real t, real level, int *hasty, real n[3])
{
    const int found = path->is_curved ? find_curved_axis(path, now, level, hasty, n)
                                      : find_straight_axis(path, now, level, n);
    if (found && turn_into_plane(path, n))
        return 1;
    if (level >= 0 || path->plane)
        return path->plane != 0;
    /* The cores overlap, but hardly: the way out is an axis too. */
    gjb_pair then;
    gjb_pair_at(path->pair, t, &then);
    if (then.dim == 2) {
        const ref_answer guess = ref_signed_distance2(&then.as.plane);
        n[0] = guess.normal[0];
        n[1] = guess.normal[1];
        n[2] = 0;
    } else {
        const ref_answer3 guess = ref_signed_distance3(&then.as.space, NULL);
        for (int k = 0; k < 3; k++)
            n[k] = guess.normal[k];
    }
    return gjb_normalise3(n);
}

/* The longest proof from t on, of which bodies are taken at all angles or not. */
static real propose(instant *now, const real n[3], real left, real bar, unsigned *whole)
{
    real best = 0;
    const real spin = now->path->plane ? now->path->body[now->path->plane - 1].rate : 0;
    for (unsigned which = 0; which < (spin > 0 ? 1 : 4); which++) {
        real most = left, unused;
        int worth = 1;
        for (int i = 0; i < 2; i++) {
            const real rate = now->path->body[i].rate;
            if (!(which >> i & 1) && rate * most > 1)
                most = 1 / rate; /* beyond a radian the expansion is worth nothing */
            worth &= !(which >> i & 1) || rate * left > 1;
        }
        if (!worth || most <= best)
            continue;
        along_axis(now, n, which);
        if (!(gap_after(now, 0, &unused) > bar))
            continue;
        const real length = longest(now, most, bar);
        if (length > best) {
            best = length;
            *whole = which;
        }
    }
    return best;
}

/* One proof from t on; how long it is, 0 if there is none. `hasty`: by an axis that is as good as it need be; out, 0
 * if it could not be better. */
static real prove_by(gjb_path *path, real t, real to, real level, int *hasty)
{
    instant now;
    real n[3];
    unsigned whole = 0;
    place_instant(&now, path, t);
    if (!find_axis(path, &now, t, level, hasty, n))
        return 0;
    for (int k = 0; k < 3; k++)
        path->axis[k] = n[k];
    real length = propose(&now, n, to - t, level + 1.5L * path->error, &whole);
    for (int shrink = 0; shrink < SHRINKS_MAX && length > 0 && t + length > t; shrink++) {
        const real end = t + length < to ? t + length : to;
        if (gjb_path_apart(path, n, t, end, whole, level))
            return end - t;
        length *= shrink < 4 ? 1 - ldexpl(1, 3 * shrink - 20) : 0.5L;
    }
    return 0;
}

static real prove(gjb_path *path, real t, real to, real level)
{
    int hasty = path->is_curved;
    const real length = prove_by(path, t, to, level, &hasty);
    if (length > 0 || !hasty)
        return length;
    hasty = 0;
    return prove_by(path, t, to, level, &hasty);
}

long double gjb_path_reach(gjb_path *path, long double from, long double to, long double level)
{
    real t = from;
    for (int proof = 0; proof < PROOFS_MAX && t < to && !ref_effort_over(); proof++) {
        const real length = prove(path, t, to, level);
        if (!(length > 0) || !(t + length > t))
            break;
        t += length;
    }
    return t < to ? t : to;
}
