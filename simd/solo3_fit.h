/* Witness points of one pair of which a shape is curved, made to fit its normal and its signed distance.
 *
 * A value errs with the square of how far its direction is off, its points with that itself: they come
 * from corners that are near each other on a round surface, or anywhere on a line or a face. So points
 * slide on the straight lines that they are on, go out to the surfaces, or the normal turns to them. */
#ifndef GJB_SIMD_SOLO3_FIT_H
#define GJB_SIMD_SOLO3_FIT_H

#include "simd/solo3_gjk.h"

/* Points so far off fit. */
#define CURVED_FIT (GJB_BITS == 32 ? (double)REAL_EPSILON : 8 * ROUNDING)

/* The square of what is less than rounding. */
#define STILL_SQUARED (ROUNDING * ROUNDING / 16)

/* How far points are from being sigma n apart, or, where that is little, from their shapes. */
static void measure_off(const problem *p, core_answer *out)
{
    const vec3 off = sub3(sub3(out->b, out->a), mul3(out->normal, out->sigma));
    out->gap = sqrt(dot3(off, off));
    if (out->gap < 0x1p-20)
        out->gap = fmax(out->gap, fmax(solo_outside(&p->curve_a, out->a),
                                       solo_outside(&p->curve_b, turn_back3(&p->turn, sub3(out->b, p->shift)))));
}

/* Keeps a point of a cylinder or cone, so high over its middle, from going past its ends, but for
 * rounding, as it rises by `by` a share. */
static void keep_between_ends(const solo_curve *c, double at, double by, double *least, double *most)
{
    if ((c->curve != CURVE_CYLINDER && c->curve != CURVE_CONE) || !(fabs(by) > 0))
        return;
    const double end = c->size.y + 8 * ROUNDING, down = (-end - at) / by, up = (end - at) / by;
    *least = fmax(*least, fmin(fmin(down, up), 0));
    *most = fmin(*most, fmax(fmax(down, up), 0));
}

/* Moves points along the lines that they are on, until they are sigma n apart, or at an end. */
static void slide_points(const problem *p, core_answer *out)
{
    sides *on = &out->on;
    const vec3 up = {p->turn.row[0].z, p->turn.row[1].z, p->turn.row[2].z};
    double moved = 1;
    for (int pass = 0; pass < p->slides && moved > STILL_SQUARED; pass++) {
        moved = 0;
        for (int k = 0; k < SIDES; k++) {
            const double ee = dot3(on->e[k], on->e[k]);
            if (!(ee > SHORTEST_SIDE_SQUARED))
                continue;
            double least = on->least[k], most = on->most[k];
            keep_between_ends(&p->curve_a, out->a.z, on->a[k].z, &least, &most);
            keep_between_ends(&p->curve_b, dot3(up, sub3(out->b, p->shift)), dot3(up, on->b[k]), &least, &most);
            const vec3 off = sub3(sub3(out->b, out->a), mul3(out->normal, out->sigma));
            const double share = fmin(fmax(-dot3(off, on->e[k]) / ee, least), most);
            out->a = add3(out->a, mul3(on->a[k], share));
            out->b = add3(out->b, mul3(on->b[k], share));
            on->least[k] -= share;
            on->most[k] -= share;
            moved = fmax(moved, share * share * ee);
        }
    }
}

static void place_points(const problem *p, core_answer *out)
{
    slide_points(p, out);
    measure_off(p, out);
}

/* The same answer with its points, which may be between corners of a round surface, out on it. */
static core_answer settled(const problem *p, const core_answer *from)
{
    core_answer out = *from;
    const vec3 back = neg3(turn_back3(&p->turn, out.normal)), local_b = turn_back3(&p->turn, sub3(out.b, p->shift));
    out.a = solo_settle(&p->curve_a, out.normal, out.a);
    out.b = add3(turn3(&p->turn, solo_settle(&p->curve_b, back, local_b)), p->shift);
    place_points(p, &out);
    return out;
}

/* Is it less deep by more than its points fit worse? */
static int improves(const core_answer *had, const core_answer *got)
{
    return got->gap < DBL_MAX && got->sigma - got->gap > had->sigma - had->gap;
}

/* An answer with its normal turned to its points, of which the depth grows by no more than the
 * square of the angle where D is round: taken in place of `best` if it is better. */
static void turn_to_points(problem *p, const core_answer *from, core_answer *best)
{
    core_answer turned = *from;
    const vec3 w = from->sigma > 0 ? sub3(from->b, from->a) : sub3(from->a, from->b);
    const double length = sqrt(dot3(w, w));
    if (!(length > 0x1p-60))
        return;
    turned.normal = mul3(w, 1 / length);
    turned.sigma = dot3(turned.normal, support3(p, turned.normal).w);
    measure_off(p, &turned);
    if (improves(best, &turned))
        *best = turned;
}

/* The straight lines of the surfaces that an answer's points are on. */
static void add_lines(const problem *p, core_answer *out)
{
    const vec3 none = {0, 0, 0}, local_b = turn_back3(&p->turn, sub3(out->b, p->shift));
    add_side(&out->on, 2, solo_line_at(&p->curve_a, out->a), none, -1, 1);
    add_side(&out->on, 3, none, turn3(&p->turn, solo_line_at(&p->curve_b, local_b)), -1, 1);
}

#endif
