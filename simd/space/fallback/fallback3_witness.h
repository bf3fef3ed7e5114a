/* Fits the witness points of a pair with a curved shape to its normal and its signed distance.
 *
 * A value errs with the square of the error of its direction, its points with that error itself: they come
 * from corners that are near each other on a round surface, or anywhere on a line or a face. So points
 * slide along straight lines of the surfaces, go out to the surfaces, or the normal turns to them. */
#ifndef GJB_SIMD_FALLBACK3_WITNESS_H
#define GJB_SIMD_FALLBACK3_WITNESS_H

#include "simd/space/fallback/fallback3_gjk.h"

/* Points with at most this error fit. */
#define CURVED_FIT (GJB_BITS == 32 ? (double)REAL_EPSILON : 8 * ROUNDING)

/* A squared length below rounding. */
#define STILL_SQUARED (ROUNDING * ROUNDING / 16)

/* How far the points' difference is from sigma n; if that is little, also how far they are outside their
 * shapes. */
static void measure_off(const problem *p, core_answer *out)
{
    const vec3 off = sub3(sub3(out->b, out->a), mul3(out->normal, out->sigma));
    out->gap = sqrt(dot3(off, off));
    if (out->gap < 0x1p-20)
        out->gap = fmax(out->gap, fmax(fallback_outside(&p->curve_a, out->a),
                                       fallback_outside(&p->curve_b, turn_back3(&p->turn, sub3(out->b, p->shift)))));
}

/* Limits the shares by which a point of a cylinder or cone, at height `at`, may move along a line that
 * rises by `by`, so that it stays between the ends, up to rounding. */
static void keep_between_ends(const fallback_curve *c, double at, double by, double *least, double *most)
{
    if ((c->curve != CURVE_CYLINDER && c->curve != CURVE_CONE) || !(fabs(by) > 0))
        return;
    const double end = c->size.y + 8 * ROUNDING, down = (-end - at) / by, up = (end - at) / by;
    *least = fmax(*least, fmin(fmin(down, up), 0));
    *most = fmin(*most, fmax(fmax(down, up), 0));
}

/* The shares by which points can move along a line and stay on their shapes. */
static void room_along(const problem *p, const core_answer *out, int k, double *least, double *most)
{
    const vec3 up = {p->turn.row[0].z, p->turn.row[1].z, p->turn.row[2].z};
    *least = out->on.least[k];
    *most = out->on.most[k];
    keep_between_ends(&p->curve_a, out->a.z, out->on.a[k].z, least, most);
    keep_between_ends(&p->curve_b, dot3(up, sub3(out->b, p->shift)), dot3(up, out->on.b[k]), least, most);
}

static void go_along(core_answer *out, int k, double share)
{
    sides *on = &out->on;
    out->a = add3(out->a, mul3(on->a[k], share));
    out->b = add3(out->b, mul3(on->b[k], share));
    on->least[k] -= share;
    on->most[k] -= share;
}

/* Moves points along both straight lines of the surfaces at once. If the lines are nearly parallel, moving
 * along one after the other would converge slowly. */
static void slide_across(const problem *p, core_answer *out)
{
    enum { A_LINE = 2, B_LINE };
    const vec3 e = out->on.e[A_LINE], f = out->on.e[B_LINE];
    const double ee = dot3(e, e), ratio = dot3(e, f) * inverse_or_0(ee);
    const vec3 across = sub3(f, mul3(e, ratio)), off = sub3(sub3(out->b, out->a), mul3(out->normal, out->sigma));
    const double square = dot3(across, across);
    if (!(ee > SHORTEST_SIDE_SQUARED && square > SHORTEST_SIDE_SQUARED))
        return;
    double least[2], most[2];
    room_along(p, out, A_LINE, &least[0], &most[0]);
    room_along(p, out, B_LINE, &least[1], &most[1]);
    if (fabs(ratio) > 0) {
        const double down = -least[0] / ratio, up = -most[0] / ratio;
        least[1] = fmax(least[1], fmin(down, up));
        most[1] = fmin(most[1], fmax(down, up));
    }
    const double share = fmin(fmax(-dot3(off, across) / square, least[1]), most[1]);
    go_along(out, A_LINE, -ratio * share);
    go_along(out, B_LINE, share);
}

/* Moves points along their lines, until they are sigma n apart, or at an end. */
static void slide_points(const problem *p, core_answer *out)
{
    double moved = 1;
    for (int pass = 0; pass < SLIDES && moved > STILL_SQUARED; pass++) {
        moved = 0;
        for (int k = 0; k < SIDES; k++) {
            const double ee = dot3(out->on.e[k], out->on.e[k]);
            if (!(ee > SHORTEST_SIDE_SQUARED))
                continue;
            double least, most;
            room_along(p, out, k, &least, &most);
            const vec3 off = sub3(sub3(out->b, out->a), mul3(out->normal, out->sigma));
            const double share = fmin(fmax(-dot3(off, out->on.e[k]) / ee, least), most);
            go_along(out, k, share);
            moved = fmax(moved, share * share * ee);
        }
        if (pass < 2)
            slide_across(p, out);
    }
}

static void place_points(const problem *p, core_answer *out)
{
    slide_points(p, out);
    measure_off(p, out);
}

/* The same answer with its points, which may be between corners of a round surface, moved out to it. */
static core_answer settled(const problem *p, const core_answer *from)
{
    core_answer out = *from;
    const vec3 back = neg3(turn_back3(&p->turn, out.normal)), local_b = turn_back3(&p->turn, sub3(out.b, p->shift));
    out.a = fallback_settle(&p->curve_a, out.normal, out.a);
    out.b = add3(turn3(&p->turn, fallback_settle(&p->curve_b, back, local_b)), p->shift);
    place_points(p, &out);
    return out;
}

/* 1 if `got` is less deep than `had` by more than its points fit worse. */
static int improves(const core_answer *had, const core_answer *got)
{
    return got->gap < DBL_MAX && got->sigma - got->gap > had->sigma - had->gap;
}

/* Turns the normal of an answer to its points, which costs depth only by the square of the angle if D is
 * round. Replaces `best` if that is better. */
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

/* Adds the straight lines of the surfaces on which an answer's points lie. */
static void add_lines(const problem *p, core_answer *out)
{
    const vec3 none = {0, 0, 0}, local_b = turn_back3(&p->turn, sub3(out->b, p->shift));
    add_side(&out->on, 2, fallback_line_at(&p->curve_a, out->a), none, -1, 1);
    add_side(&out->on, 3, none, turn3(&p->turn, fallback_line_at(&p->curve_b, local_b)), -1, 1);
}

#endif
