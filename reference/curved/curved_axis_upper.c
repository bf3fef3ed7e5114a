/* Depths that all but tie around an axis, which branch and bound would need cells without number to tell apart: on
 * each meridian the lowest place near a lean, where the lines of two support points meet or halfway (Kelley 1960),
 * and of those the lowest, by golden section (Kiefer 1953). From above alone: nothing is proven of other directions. */
#include <math.h>
#include <string.h>

#include "reference/curved/curved_axis_upper.h"

enum { MERIDIANS = 96, TRIES = 2, SECTIONS = 36, LEANS = 60 };
static const ref_real reach = 0x1p-4L, steepest = 1.5L, uneven = 0x1p-4L, golden = 0.61803398874989484820L;

typedef struct ring {
    const ref_curved *curved;
    ref_depth *depth;
    ref_real axis[3], across[2][3];
    ref_real from, to; /* angles off the plane across the axis */
} ring;

/* A place on a meridian: its angle, how high h is there, how that rises, and the corner. */
typedef struct place {
    ref_real angle, height, rise, n[3], w[3];
} place;

static void look(ring *r, const ref_real out[3], ref_real angle, place *p)
{
    ref_real turned[3];
    const ref_real c = cosl(angle), s = sinl(angle);
    for (int k = 0; k < 3; k++) {
        p->n[k] = c * out[k] + s * r->axis[k];
        turned[k] = c * r->axis[k] - s * out[k];
    }
    ref_unit(p->n, p->n);
    const ref_corner corner = ref_depth_try(r->curved, p->n, r->depth);
    memcpy(p->w, corner.w, sizeof p->w);
    p->angle = angle;
    p->height = -ref_inner(p->n, p->w);
    p->rise = -ref_inner(turned, p->w);
}

/* Where two places are equally high as far as their corners tell; the middle if that is not between them. */
static ref_real between(const ring *r, const ref_real out[3], const place *lo, const place *hi)
{
    ref_real by[3];
    for (int k = 0; k < 3; k++)
        by[k] = lo->w[k] - hi->w[k];
    const ref_real u = ref_inner(out, by), v = ref_inner(r->axis, by), angle = v != 0 ? atanl(-u / v) : HUGE_VALL;
    return lo->angle < angle && angle < hi->angle ? angle : (lo->angle + hi->angle) / 2;
}

/* The lowest of a meridian; HUGE_VALL if that is at an end. */
static ref_real valley(ring *r, ref_real around)
{
    ref_real out[3];
    place lo, hi, now;
    for (int k = 0; k < 3; k++)
        out[k] = cosl(around) * r->across[0][k] + sinl(around) * r->across[1][k];
    look(r, out, r->from, &lo);
    look(r, out, r->to, &hi);
    if (!(lo.rise < 0 && hi.rise > 0))
        return HUGE_VALL;
    for (int k = 0; k < LEANS && hi.angle - lo.angle > 0x1p-62L; k++) {
        const ref_real middle = (lo.angle + hi.angle) / 2, least = fminl(lo.height, hi.height);
        const ref_real drop = fminl(-lo.rise, hi.rise) * (hi.angle - lo.angle);
        if (drop < r->curved->error / 64)
            return least;
        look(r, out, k % 3 == 2 ? middle : between(r, out, &lo, &hi), &now);
        if (now.rise > 0)
            hi = now;
        else
            lo = now;
    }
    return fminl(lo.height, hi.height);
}

static void go_around(ring *r)
{
    const ref_real step = 2 * acosl(-1) / MERIDIANS;
    ref_real low[MERIDIANS];
    for (int k = 0; k < MERIDIANS; k++)
        low[k] = valley(r, k * step);
    for (int try = 0; try < TRIES; try++) {
        int best = 0;
        for (int k = 1; k < MERIDIANS; k++)
            best = low[k] < low[best] ? k : best;
        if (low[best] == HUGE_VALL)
            return;
        ref_real from = (best - 1) * step, to = (best + 1) * step;
        ref_real p = to - golden * (to - from), q = from + golden * (to - from), at_p = valley(r, p), at_q = valley(r, q);
        for (int k = 0; k < SECTIONS; k++) {
            if (at_p < at_q) {
                to = q;
                q = p;
                at_q = at_p;
                p = to - golden * (to - from);
                at_p = valley(r, p);
            } else {
                from = p;
                p = q;
                at_p = at_q;
                q = from + golden * (to - from);
                at_q = valley(r, q);
            }
        }
        low[best] = low[(best + 1) % MERIDIANS] = low[(best + MERIDIANS - 1) % MERIDIANS] = HUGE_VALL;
    }
}

/* From the vertex farthest from the first to the one farthest from that. */
static bool longest_way(const ref_solid *solid, ref_real axis[3])
{
    uint32_t from = 0;
    for (int pass = 0; pass < 2; pass++) {
        ref_real most = 0, way[3];
        uint32_t farthest = from;
        for (uint32_t i = 0; i < solid->count; i++) {
            for (int k = 0; k < 3; k++)
                way[k] = (ref_real)solid->rows[3 * i + (uint32_t)k] - solid->rows[3 * from + (uint32_t)k];
            if (ref_inner(way, way) > most) {
                most = ref_inner(way, way);
                farthest = i;
                memcpy(axis, way, sizeof way);
            }
        }
        if (!(most > 0))
            return false;
        from = farthest;
    }
    return true;
}

bool ref_curved_axis(const ref_solid *solid, int which, ref_real axis[3])
{
    ref_real own[3] = {which == 0, which == 1, which == 2};
    const ref_real u = solid->semi[(which + 1) % 3], v = solid->semi[(which + 2) % 3];
    if (gjb_is_curved(solid->kind) ? fabsl(u - v) > uneven * fmaxl(u, v) : which > 0 || !longest_way(solid, own))
        return false;
    for (int k = 0; k < 3; k++)
        axis[k] = ref_inner(solid->turn[k], own);
    ref_unit(axis, axis);
    return true;
}

void ref_curved_axis_upper(const ref_curved *curved, ref_depth *depth)
{
    for (int k = 0; k < 6; k++) {
        ring r = {.curved = curved, .depth = depth};
        if (!ref_curved_axis(&curved->body[k / 3], k % 3, r.axis))
            continue;
        const ref_real lean = asinl(fmaxl(-1, fminl(1, ref_inner(r.axis, depth->normal))));
        r.from = lean - reach;
        r.to = lean + reach;
        if (fabsl(lean) + reach < steepest) {
            ref_across(r.axis, r.across[0], r.across[1]);
            go_around(&r);
        }
    }
}
