/* The least depths along the ridges of cones, cylinders and long ellipsoids, and at their ends; and on rings around the
 * axes of any curved shape, or of a needle with vertices. */
#ifndef GJB_SIMD_FALLBACK3_RIDGE_H
#define GJB_SIMD_FALLBACK3_RIDGE_H

#include "simd/space/fallback/fallback3_cells.h"
#include "simd/space/fallback/fallback3_descent.h"

/* Tolerance: no direction is shallower than the answer by more than this. */
#define CURVED_DOUBT (24 * (double)REAL_EPSILON)

#define ALIKE 0x1p-4 /* an ellipsoid has a ridge if its shorter axes differ by no more */
enum { RIDGE_LOOKS = 256, RIDGE_TRIES = 16, RIDGE_NARROWINGS = 64, LEAN_HALVINGS = GJB_BITS == 32 ? 24 : 52 };
#define LEVEL 0x1p-4            /* change of the depth with the direction, relative to it: level */
#define MOST_LEAN 0.9995       /* directions nearer to the axis make no ring */
#define LEAN_REACH 0x1p-4       /* to either side, the range in which the highest gap is searched */
#define MOST_MISFIT 0x1p-44     /* of points; better fits are searched here */
#define NEEDLE 0x1p-6           /* its width relative to its length */
#define RIDGE_COSINE 0.99969881869620424997 /* of a turn's 256th part */
#define RIDGE_SINE 0.024541228522912288032

/* A direction around an axis, and D along it. */
typedef struct ridge_look {
    double at[2]; /* unit vector across the axis */
    double lean, out; /* along it, and across it, of the unit vector of both */
    double gap, rise; /* and how fast the gap rises by the angle around */
    vec3 a, b;    /* points, if computed in double */
} ridge_look;

/* Directions around an axis: normals of the straight lines of a cone or cylinder, or those around an
 * ellipsoid with one longest axis and two about equal ones. D has edges along them, or a like bend, and along
 * such a ridge the depth may change so little that cells across it are dropped late. Or the directions with
 * the highest gap along each meridian, as at creases of needles. */
typedef struct ridge {
    const lane_problem *q;
    vec3 e[3]; /* unit vectors of the frame, the last the axis */
    double lean, out, least, most; /* if least < most: the highest between them */
    double bend; /* curvature by which the gap may rise above lines through looks */
    ridge_look look[RIDGE_LOOKS + 1];
} ridge;

/* Axes and looks are filled in by whatever uses it: they are too many to be cleared first. */
static void open_ridge(ridge *r, const lane_problem *q, double bend)
{
    r->q = q;
    r->lean = r->out = r->least = r->most = 0;
    r->bend = bend;
}

/* Sets the axis to a shape's own: A's extreme is along a direction of D, B's against it. */
static void set_axes(ridge *r, const problem *p, int of_b, int axis)
{
    static const vec3 own[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; k++) {
        const vec3 e = own[(axis + 1 + k) % 3];
        r->e[k] = of_b ? neg3(turn3(&p->turn, e)) : e;
    }
}

static void set_lean(ridge_look *l, double lean)
{
    l->lean = lean;
    l->out = sqrt(1 - lean * lean);
}

static vec3 ridge_normal(const ridge *r, const ridge_look *l)
{
    return add3(add3(mul3(r->e[0], l->out * l->at[0]), mul3(r->e[1], l->out * l->at[1])), mul3(r->e[2], l->lean));
}

static vec3 along_ridge(const ridge *r, const ridge_look *l)
{
    return sub3(mul3(r->e[1], l->out * l->at[0]), mul3(r->e[0], l->out * l->at[1]));
}

static void measure_look(const ridge *r, ridge_look *l, vec3 w)
{
    l->gap = dot3(ridge_normal(r, l), w);
    l->rise = dot3(along_ridge(r, l), w);
}

/* ---- in lanes ---- */

typedef struct meridian {
    v3 out, axis; /* perpendicular to the axis, and along it */
} meridian;

static vr out_of(vr lean)
{
    return v_sqrt(v_sub(v_set(1), v_mul(lean, lean)));
}

/* The support of D along a lean; *slope: derivative of the gap by the angle. */
static v3 look_at_lean(const lane_problem *q, const meridian *m, vr lean, vr out, vr *slope)
{
    const v3 w = lane_support(q, v3_add(v3_mul(m->out, out), v3_mul(m->axis, lean)));
    *slope = v_sub(v_mul(out, v3_dot(m->axis, w)), v_mul(lean, v3_dot(m->out, w)));
    return w;
}

/* The highest gap on each of LANES meridians; on a crease, the point between both sides with slope 0.
 * *none: lanes in which the gap is highest at an end. */
static v3 highest_lean(const ridge *r, const meridian *m, vr *at, vm *none)
{
    vr lo = v_set((real)r->least), hi = v_set((real)r->most), slope_lo, slope_hi;
    v3 w_lo = look_at_lean(r->q, m, lo, out_of(lo), &slope_lo), w_hi = look_at_lean(r->q, m, hi, out_of(hi), &slope_hi);
    const vr zero = v_set(0);
    *none = m_not(m_and(v_gt(slope_lo, zero), v_lt(slope_hi, zero)));
    for (int halving = 0; halving < LEAN_HALVINGS; halving++) {
        const vr middle = v_mul(v_set((real)0.5), v_add(lo, hi));
        vr slope;
        const v3 w = look_at_lean(r->q, m, middle, out_of(middle), &slope);
        const vm up = v_gt(slope, zero);
        lo = v_sel(up, middle, lo), slope_lo = v_sel(up, slope, slope_lo), w_lo = v3_sel(up, w, w_lo);
        hi = v_sel(up, hi, middle), slope_hi = v_sel(up, slope_hi, slope), w_hi = v3_sel(up, w_hi, w);
    }
    const vr fall = v_sub(slope_lo, slope_hi), share = v_sel(v_gt(fall, zero), v_div(slope_lo, fall), zero);
    *at = lo;
    return v3_add(w_lo, v3_mul(v3_sub(w_hi, w_lo), share));
}

static void look_along_ridge(ridge *r)
{
    real x[RIDGE_LOOKS], y[RIDGE_LOOKS], w[3][RIDGE_LOOKS], lean[RIDGE_LOOKS];
    double c = 1, s = 0;
    for (int i = 0; i < RIDGE_LOOKS; i++) {
        r->look[i] = (ridge_look){.at = {c, s}, .lean = r->lean, .out = r->out};
        x[i] = (real)c;
        y[i] = (real)s;
        const double was = c;
        c = c * RIDGE_COSINE - s * RIDGE_SINE;
        s = s * RIDGE_COSINE + was * RIDGE_SINE;
    }
    const v3 e0 = v3_same(r->e[0]), e1 = v3_same(r->e[1]);
    for (int i = 0; i < RIDGE_LOOKS; i += LANES) {
        const meridian m = {v3_add(v3_mul(e0, v_load(x + i)), v3_mul(e1, v_load(y + i))), v3_same(r->e[2])};
        vr at = v_set((real)r->lean), slope;
        vm none = v_gt(at, at);
        const v3 found = r->least < r->most ? highest_lean(r, &m, &at, &none)
                                            : look_at_lean(r->q, &m, at, v_set((real)r->out), &slope);
        v_store(w[0] + i, v3_sel(none, v3_set(-REAL_MAX, -REAL_MAX, -REAL_MAX), found).x);
        v_store(w[1] + i, found.y);
        v_store(w[2] + i, found.z);
        v_store(lean + i, at);
    }
    for (int i = 0; i < RIDGE_LOOKS; i++) {
        if (r->least < r->most)
            set_lean(&r->look[i], (double)lean[i]);
        if (w[0][i] > -REAL_MAX)
            measure_look(r, &r->look[i], (vec3){(double)w[0][i], (double)w[1][i], (double)w[2][i]});
        else
            r->look[i].gap = -DBL_MAX;
    }
    r->look[RIDGE_LOOKS] = r->look[0];
}

/* ---- one at a time ---- */

/* The place and height at which rising lines through two looks meet; 0 if they do not. */
static int meeting(const ridge *r, const ridge_look *lo, const ridge_look *hi, double *share, double *top)
{
    const double width = lo->at[0] * hi->at[1] - lo->at[1] * hi->at[0], rise = lo->rise - hi->rise;
    if (!(lo->gap > -DBL_MAX && hi->gap > -DBL_MAX && lo->rise >= 0 && hi->rise <= 0))
        return 0;
    const double by = rise > 0 ? (hi->gap - lo->gap - hi->rise * width) / rise : 0, at = fmin(fmax(by, 0), width);
    *share = width > 0 ? at / width : 0;
    *top = fmin(lo->gap + lo->rise * at, hi->gap + hi->rise * (at - width)) + 0.5 * r->bend * width * width;
    *top = fmax(*top, fmax(lo->gap, hi->gap));
    return 1;
}

/* The look before the highest place of a ridge, if the gap may rise above `bar` there; else -1. */
static int highest_of_ridge(const ridge *r, double bar)
{
    int best = -1;
    double high = bar, share, top;
    for (int i = 0; i < RIDGE_LOOKS; i++)
        if (meeting(r, &r->look[i], &r->look[i + 1], &share, &top) && top > high) {
            best = i;
            high = top;
        }
    return best;
}

/* Points between those of both sides of a crease; one side rises, the other falls. */
static corner between(const corner *lo, const corner *hi, double rise, double fall)
{
    const double share = rise - fall > 0 ? fmin(fmax(rise / (rise - fall), 0), 1) : 0;
    corner c = *lo;
    c.a = add3(lo->a, mul3(sub3(hi->a, lo->a), share));
    c.b = add3(lo->b, mul3(sub3(hi->b, lo->b), share));
    c.w = sub3(c.b, c.a);
    return c;
}

static void set_look(const ridge *r, ridge_look *l, const corner *c)
{
    l->a = c->a;
    l->b = c->b;
    measure_look(r, l, c->w);
}

/* The highest gap between two leans, of which the first should rise and the other fall, in double. */
static void settle_lean(problem *p, const ridge *r, double lo, double hi, ridge_look *l)
{
    corner c[2];
    double slope[2] = {0, 0}, lean[2] = {lo, hi};
    for (int halving = -2; halving < LEAN_HALVINGS && lean[1] - lean[0] > ROUNDING / 4; halving++) {
        const int end = halving + 2;
        set_lean(l, end < 2 ? lean[end] : 0.5 * (lean[0] + lean[1]));
        const vec3 across = add3(mul3(r->e[0], l->at[0]), mul3(r->e[1], l->at[1]));
        const corner found = support3(p, ridge_normal(r, l));
        const double here = l->out * dot3(r->e[2], found.w) - l->lean * dot3(across, found.w);
        const int side = end < 2 ? end : !(here > 0);
        lean[side] = l->lean;
        slope[side] = here;
        c[side] = found;
    }
    set_lean(l, lean[0]);
    c[0] = between(&c[0], &c[1], slope[0], slope[1]);
    set_look(r, l, &c[0]);
}

static void look_again(problem *p, const ridge *r, double lo, double hi, ridge_look *l)
{
    l->lean = r->lean;
    l->out = r->out;
    if (r->least < r->most) {
        settle_lean(p, r, lo, hi, l);
        return;
    }
    const corner c = support3(p, ridge_normal(r, l));
    set_look(r, l, &c);
}

/* The maximum of the gap along a ridge between a look and the next, searched where lines meet, or in the
 * middle; with points between those of both sides. */
static core_answer top_of_ridge(problem *p, const ridge *r, int look)
{
    ridge_look lo = r->look[look], hi = r->look[look + 1];
    const double less = fmin(lo.lean, hi.lean), more = fmax(lo.lean, hi.lean), margin = 0x1p-20 + 4 * (more - less);
    look_again(p, r, less - margin, more + margin, &lo);
    look_again(p, r, less - margin, more + margin, &hi);
    double share, top;
    for (int k = 0; k < RIDGE_NARROWINGS && meeting(r, &lo, &hi, &share, &top); k++) {
        if (fmin(lo.rise, -hi.rise) <= ROUNDING / 4 || lo.at[0] * hi.at[1] - lo.at[1] * hi.at[0] <= ROUNDING)
            break;
        if (k % 3 == 2 || !(share > 0 && share < 1))
            share = 0.5;
        const double x = lo.at[0] + share * (hi.at[0] - lo.at[0]), y = lo.at[1] + share * (hi.at[1] - lo.at[1]);
        const double length = sqrt(x * x + y * y);
        ridge_look now = {.at = {x / length, y / length}};
        look_again(p, r, less - margin, more + margin, &now);
        *(now.rise > 0 ? &lo : &hi) = now;
    }
    const corner from = {.a = lo.a, .b = lo.b}, to = {.a = hi.a, .b = hi.b}, c = between(&from, &to, lo.rise, hi.rise);
    core_answer out = {.normal = ridge_normal(r, lo.gap > hi.gap ? &lo : &hi), .a = c.a, .b = c.b};
    out.sigma = dot3(out.normal, support3(p, out.normal).w);
    measure_off(p, &out);
    return out;
}

/* The local minimum from the direction u, if it is less deep than the best. */
static void better_from(problem *p, vec3 u, core_answer *best)
{
    const core_answer other = better(p, u);
    if (other.sigma > best->sigma)
        *best = other;
}

/* Sets the axis of a ridge; 0 if the shape has none. */
static int ridge_of(ridge *r, const problem *p, int of_b)
{
    const fallback_curve *c = of_b ? &p->curve_b : &p->curve_a;
    const double size[3] = {c->size.x, c->size.y, c->size.z};
    const int longest = size[0] > size[1] && size[0] > size[2] ? 0 : size[1] > size[2] ? 1 : 2;
    const double u = size[(longest + 1) % 3], v = size[(longest + 2) % 3];
    r->lean = 0;
    r->out = 1;
    if (c->curve == CURVE_ELLIPSE || (c->curve == CURVE_SUPER && c->p == 2)) {
        set_axes(r, p, of_b, longest);
        return fabs(u - v) <= ALIKE * fmax(u, v) && u > 0 && v > 0;
    }
    set_axes(r, p, of_b, 2);
    return fallback_ridge(c, &r->lean, &r->out);
}

/* Improves the best by the highest places of a ridge, if that may gain more than `doubt`. */
static void search_along(problem *p, ridge *r, double doubt, core_answer *best)
{
    look_along_ridge(r);
    for (int k = 0; k < RIDGE_TRIES; k++) {
        const double off = fmin(best->gap, MOST_MISFIT) - CURVED_FIT; /* an equal gap may fit */
        const int look = highest_of_ridge(r, best->sigma + (off > 0 ? -off : doubt));
        if (look < 0)
            return;
        const core_answer top = top_of_ridge(p, r, look);
        if (top.sigma > best->sigma + doubt / 2)
            better_from(p, top.normal, best);
        if (improves(best, &top))
            *best = top;
        r->look[look].rise = -DBL_MAX;
    }
}

/* The longest of three extents of a shape with vertices, in its own axes; *width: the larger width along
 * the last two directions. */
static vec3 longest_way(const problem *p, const hull3 *c, const vec3 d[3], double *width)
{
    static const fallback_curve none = {.curve = CURVE_NONE};
    vec3 longest = {0, 0, 0};
    uint32_t index;
    *width = 0;
    for (int k = 0; k < 3; k++) {
        const vec3 way = sub3(extreme_point(c, &none, p->scale, d[k], &index),
                              extreme_point(c, &none, p->scale, neg3(d[k]), &index));
        if (dot3(way, way) > dot3(longest, longest))
            longest = way;
        if (k > 0)
            *width = fmax(*width, fabs(dot3(way, d[k])));
    }
    return longest;
}

/* The axis of a shape whose vertices are nearly collinear, in its own axes; 0 for other shapes. */
static int needle_axis(const problem *p, const hull3 *c, vec3 *axis)
{
    vec3 d[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double width;
    vec3 way = longest_way(p, c, d, &width);
    if (!(dot3(way, way) > SHORTEST_SIDE_SQUARED))
        return 0;
    d[0] = mul3(way, 1 / sqrt(dot3(way, way)));
    across_of(d[0], &d[1], &d[2]);
    way = longest_way(p, c, d, &width);
    const double square = dot3(way, way), length = sqrt(square);
    *axis = mul3(way, 1 / length);
    return square > SHORTEST_SIDE_SQUARED && width < NEEDLE * length;
}

/* The axes around which depths may be nearly equal: a curved shape's three, or a needle's. */
static int ring_axes(ridge *r, const problem *p, int of_b, int axis)
{
    vec3 along;
    if ((of_b ? &p->curve_b : &p->curve_a)->curve) {
        set_axes(r, p, of_b, axis);
        return 1;
    }
    if (axis > 0 || !needle_axis(p, of_b ? &p->b : &p->a, &along))
        return 0;
    r->e[2] = of_b ? turn3(&p->turn, along) : along;
    across_of(r->e[2], &r->e[0], &r->e[1]);
    return 1;
}

/* The same around the axes of the shapes, at about the angle of the best, if the depth is nearly level in one
 * direction from the best: as around an axis about which both shapes are nearly round. */
static void search_rings(problem *p, const lane_problem *q, core_answer *best)
{
    vec3 axes[2];
    double bend[2];
    bend_axes(p, best, axes, bend);
    const double level = fmin(fabs(bend[0] + best->sigma), fabs(bend[1] + best->sigma));
    if (!(level < LEVEL * -best->sigma))
        return;
    for (int k = 0; k < 6; k++) {
        ridge r;
        open_ridge(&r, q, level);
        if (!ring_axes(&r, p, k / 3, k % 3))
            continue;
        r.lean = dot3(r.e[2], best->normal);
        r.least = fmax(r.lean - LEAN_REACH, -MOST_LEAN);
        r.most = fmin(r.lean + LEAN_REACH, MOST_LEAN);
        if (r.least < r.lean && r.lean < r.most)
            search_along(p, &r, CURVED_FIT, best);
    }
}

/* Improves the best by the highest places of a shape's ridge, and from its ends. */
static void search_ridge(problem *p, const lane_problem *q, int of_b, core_answer *best)
{
    ridge r;
    open_ridge(&r, q, -best->sigma);
    if (!ridge_of(&r, p, of_b))
        return;
    for (int end = -1; end <= 1; end += 2) {
        const vec3 u = mul3(r.e[2], end);
        if (dot3(u, support3(p, u).w) > best->sigma + CURVED_DOUBT)
            better_from(p, u, best);
    }
    search_along(p, &r, CURVED_DOUBT, best);
}

#endif
