/* GJK for one pair: the point of D nearest to the origin.
 *
 * The nearest point v of a simplex bounds the distance from above, the support
 * along v/|v| from below. v comes from normals, and is made perpendicular to its
 * feature once more: otherwise the rounding of v, divided by |v|, would tilt the
 * axis and keep the bounds apart near contact. */
#ifndef GJB_SIMD_FALLBACK3_GJK_H
#define GJB_SIMD_FALLBACK3_GJK_H

#include "simd/space/fallback/exact_side3.h"
#include "simd/space/fallback/fallback3_newton.h"

/* The nearest point of a simplex, or of a part of it, to the origin. */
typedef struct nearest {
    vec3 v;
    double dd; /* |v|^2 */
    int count, index[3];
    double weight[3];
} nearest;

/* Sides of a triangle count as collinear if their normal is shorter than this
 * times their lengths. */
#define FLAT_SQUARED 0x1p-100

static nearest nearest_vertex(const simplex *s, int i)
{
    return (nearest){s->c[i].w, dot3(s->c[i].w, s->c[i].w), 1, {i, 0, 0}, {1, 0, 0}};
}

static vec3 perpendicular(vec3 v, vec3 e, double ee)
{
    return sub3(v, mul3(e, dot3(v, e) / ee));
}

static nearest nearest_edge(const simplex *s, int i, int j)
{
    const vec3 p = s->c[i].w, q = s->c[j].w, e = sub3(q, p);
    const double ahead = -dot3(p, e), behind = dot3(q, e), ee = dot3(e, e);
    if (ahead <= 0 || !(ee > 0))
        return nearest_vertex(s, i);
    if (behind <= 0)
        return nearest_vertex(s, j);
    nearest n = {.count = 2, .index = {i, j, 0}};
    n.weight[1] = ahead / (ahead + behind);
    n.weight[0] = behind / (ahead + behind);
    n.v = perpendicular(perpendicular(ahead <= behind ? p : q, e, ee), e, ee);
    n.dd = dot3(n.v, n.v);
    return n;
}

/* Sides at a wider angle than this have a normal that rounding does not tilt by
 * more than the precision asked for. Sine squared. */
#define SURE_SQUARED (GJB_BITS == 32 ? 0x1p-20 : 0x1p-4)

/* The same from the two shorter sides, and perpendicular to the longest. */
static __attribute__((noinline)) vec3 thin_normal(vec3 p, vec3 q, vec3 r)
{
    vec3 side[3] = {sub3(q, p), sub3(r, q), sub3(p, r)};
    double square[3];
    for (int k = 0; k < 3; k++)
        square[k] = dot3(side[k], side[k]);
    int longest = square[1] > square[0];
    longest = square[2] > square[longest] ? 2 : longest;
    const int next = longest == 2 ? 0 : longest + 1, last = longest == 0 ? 2 : longest - 1;
    vec3 n = cross3(side[next], side[last]);
    if (!(dot3(n, n) > FLAT_SQUARED * square[next] * square[last]))
        return (vec3){0, 0, 0};
    return perpendicular(n, side[longest], square[longest]);
}

/* Normal of p, q, r, counter-clockwise seen from its tip. Zero for a triangle
 * without area. */
static inline vec3 triangle_normal(vec3 p, vec3 q, vec3 r)
{
    const vec3 e = sub3(q, p), f = sub3(r, p), n = cross3(e, f);
    if (__builtin_expect(dot3(n, n) > SURE_SQUARED * dot3(e, e) * dot3(f, f), 1))
        return n;
    return thin_normal(p, q, r);
}

/* How far beyond v a corner of the simplex is, times |v|: 0 for the nearest point. */
static double beyond(const simplex *s, const nearest *n)
{
    double most = 0;
    for (int k = 0; k < s->count; k++)
        most = fmax(most, n->dd - dot3(n->v, s->c[k].w));
    return most;
}

/* The nearer of two; if they are equal up to rounding, the one that is beyond no corner. */
static nearest nearer(const simplex *s, nearest m, nearest n)
{
    const double doubt = 16 * ROUNDING * sqrt(fmin(m.dd, n.dd)); /* lengths within 8 roundings of the size */
    if (fabs(m.dd - n.dd) > doubt)
        return n.dd < m.dd ? n : m;
    return beyond(s, &n) < beyond(s, &m) ? n : m;
}

/* Weights of the nearest point of the side that leaves out corner `out`. */
static void put_on_side(const simplex *s, int out, nearest *in)
{
    const int i = in->index[(out + 1) % 3], j = in->index[(out + 2) % 3];
    const nearest edge = nearest_edge(s, i, j);
    in->weight[out] = in->weight[(out + 1) % 3] = in->weight[(out + 2) % 3] = 0;
    for (int k = 0; k < edge.count; k++)
        in->weight[edge.index[k] == i ? (out + 1) % 3 : (out + 2) % 3] = edge.weight[k];
}

/* Whether a foot is outside the triangle only by rounding. It is then on a side, but the plane is
 * still right: the side alone would let the axis tilt. `up` is the foot's share of the height,
 * `over` that of the longest side, and the tip lies over `slope` of it. Rounding is a large part of
 * the height of a thin triangle, so its effect counts only as far as a side rises. */
static __attribute__((noinline)) int within_rounding(double up, double over, double slope, double hh, double ee)
{
    const double rise = 4 * ROUNDING / sqrt(hh), run = 4 * ROUNDING / sqrt(ee), along = over - up * slope;
    return up >= -rise && over >= -run && over <= 1 + run && along >= -run - rise * slope &&
           1 - up - along >= -run - rise * (1 - slope);
}

/* In the frame of the longest side e and the height h over it: areas about the origin
 * would err along a short side by rounding over its length. */
static nearest nearest_face(const simplex *s, int i, int j, int k)
{
    const vec3 side[3] = {sub3(s->c[j].w, s->c[i].w), sub3(s->c[k].w, s->c[j].w), sub3(s->c[i].w, s->c[k].w)};
    const double square[3] = {dot3(side[0], side[0]), dot3(side[1], side[1]), dot3(side[2], side[2])};
    const int index[3] = {i, j, k}, late = square[1] > square[0];
    const int first = square[2] > square[late] ? 2 : late; /* the longest side begins at this corner */
    const int from = index[first], to = index[(first + 1) % 3], top = index[(first + 2) % 3];
    const vec3 e = side[first], f = neg3(side[(first + 2) % 3]), p = s->c[from].w;
    const double ee = square[first], slope = ee > 0 ? dot3(f, e) / ee : 0;
    const vec3 h = ee > 0 ? perpendicular(sub3(f, mul3(e, slope)), e, ee) : f;
    const double hh = dot3(h, h);
    if (hh > FLAT_SQUARED * ee) {
        const double up = -dot3(p, h) / hh, over = -dot3(p, e) / ee;
        const double along = over - up * slope, rest = 1 - up - along;
        const double less = up < along ? up : along, least = less < rest ? less : rest;
        if (least >= 0 || (least >= -4 * ROUNDING / sqrt(hh) && within_rounding(up, over, slope, hh, ee))) {
            const vec3 n = cross3(e, h);
            nearest in = {.count = 3, .index = {from, to, top}, .weight = {rest, along, up}};
            in.v = mul3(n, dot3(n, p) / dot3(n, n));
            in.dd = dot3(in.v, in.v);
            if (least < 0)
                put_on_side(s, least == rest ? 0 : least == along ? 1 : 2, &in);
            return in;
        }
    }
    return nearer(s, nearer(s, nearest_edge(s, from, to), nearest_edge(s, to, top)), nearest_edge(s, top, from));
}

/* Sets *inside if the origin is in a tetrahedron, up to rounding. `apart`: it is
 * known to be outside, whatever the signs of a flat tetrahedron. */
static nearest nearest_of(const simplex *s, int apart, int *inside)
{
    static const int faces[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    *inside = 0;
    if (s->count == 1)
        return nearest_vertex(s, 0);
    if (s->count == 2)
        return nearest_edge(s, 0, 1);
    if (s->count == 3)
        return nearest_face(s, 0, 1, 2);
    nearest best = {.dd = DBL_MAX};
    for (int f = 0; f < 4; f++) {
        const vec3 p = s->c[faces[f][0]].w, q = s->c[faces[f][1]].w, r = s->c[faces[f][2]].w;
        const vec3 n = cross3(sub3(q, p), sub3(r, p));
        const double origin = -dot3(n, p), apex = dot3(n, sub3(s->c[faces[f][3]].w, p));
        if (apart || !(origin * apex > 0))
            best = best.dd == DBL_MAX ? nearest_face(s, faces[f][0], faces[f][1], faces[f][2])
                                      : nearer(s, best, nearest_face(s, faces[f][0], faces[f][1], faces[f][2]));
    }
    *inside = best.dd == DBL_MAX;
    return best;
}

/* Keeps the corners of the nearest point's feature. */
static void reduce(simplex *s, const nearest *n)
{
    corner kept[3];
    for (int k = 0; k < n->count; k++)
        kept[k] = s->c[n->index[k]];
    memcpy(s->c, kept, (size_t)n->count * sizeof *kept);
    s->count = n->count;
}

/* Results for the cores. */
typedef struct core_answer {
    double sigma, gap; /* signed distance; how far its bounds are from each other */
    vec3 normal, a, b;
    double torn; /* squared: error of EPA's points against the depth */
    sides on; /* of curved shapes: lines that the points may move on */
} core_answer;

static void combine(const simplex *s, const double *weight, core_answer *out)
{
    vec3 a = mul3(s->c[0].a, weight[0]), b = mul3(s->c[0].b, weight[0]);
    for (int k = 1; k < s->count; k++) {
        a = add3(a, mul3(s->c[k].a, weight[k]));
        b = add3(b, mul3(s->c[k].b, weight[k]));
    }
    out->a = a;
    out->b = b;
}

static inline void add_side(sides *on, int k, vec3 a, vec3 b, double least, double most)
{
    on->a[k] = a;
    on->b[k] = b;
    on->e[k] = on->stiff[k] = sub3(b, a);
    on->least[k] = least;
    on->most[k] = most;
}

static inline vec3 unit_or_0(vec3 v)
{
    const double square = dot3(v, v);
    return square > SHORTEST_SIDE_SQUARED ? mul3(v, 1 / sqrt(square)) : (vec3){0, 0, 0};
}

/* A chord between corners of one shape; 0 if it is so short that on a smooth surface it means nothing. */
static inline vec3 stiff_part(const fallback_curve *c, vec3 chord)
{
    const double size = fmax(fmax(c->size.x, c->size.y), c->size.z);
    return c->curve && dot3(chord, chord) < SHORTEST_CHORD_SQUARED * size * size ? (vec3){0, 0, 0} : chord;
}

/* The sides at the corner of the largest weight, which they share. */
static inline sides sides_of(const problem *p, const simplex *s, const double *weight)
{
    sides on;
    int heaviest = 0;
    memset(&on, 0, sizeof on);
    for (int k = 1; k < s->count; k++)
        heaviest = weight[k] > weight[heaviest] ? k : heaviest;
    const corner *from = &s->c[heaviest];
    for (int k = 0, side = 0; k < s->count && side < 2; k++)
        if (k != heaviest) {
            const vec3 a = sub3(s->c[k].a, from->a), b = sub3(s->c[k].b, from->b);
            add_side(&on, side, a, b, -weight[k], weight[heaviest] / (s->count - 1));
            on.stiff[side++] = unit_or_0(sub3(stiff_part(&p->curve_b, b), stiff_part(&p->curve_a, a)));
        }
    return on;
}

static inline int has_corner(const simplex *s, const corner *c)
{
    int known = 0;
    for (int k = 0; k < s->count; k++)
        known |= same_corner(&s->c[k], c);
    return known;
}

static inline vec3 unit_or_x(vec3 v)
{
    const double length = sqrt(dot3(v, v));
    return length > 0x1p-60 ? mul3(v, 1 / length) : (vec3){1, 0, 0};
}

/* The direction that leans from an axis towards the origin, seen from v: it finds the other
 * corners of the feature whose normal the axis is. False if v is no farther off the axis than
 * along it. */
static inline int lean(vec3 axis, vec3 v, vec3 *d)
{
    const double gap = dot3(axis, v);
    const vec3 off = sub3(v, mul3(axis, gap));
    const double aside = dot3(off, off);
    if (!(aside > gap * gap))
        return 0;
    *d = unit_or_x(add3(axis, mul3(off, 0.125 / sqrt(aside))));
    return 1;
}

#define LEANS 2 /* before GJK's own directions */

/* Replaces the support c along n by that along Newton's direction, if it proves more and brings v
 * nearer too: on smooth shapes GJK converges linearly, Newton's method quadratically. */
static void try_newton(problem *p, vec3 n, double length, double lower, corner *c)
{
    static const sides none;
    vec3 d;
    slide_along_lines(p, n, length - lower, c);
    if (!newton_step(p, n, c, &none, &d))
        return;
    corner other = support3(p, d);
    const double ahead = length - dot3(n, other.w);
    if (dot3(d, other.w) > lower && ahead >= 0.25 * (length - lower)) {
        slide_along_lines(p, n, ahead, &other);
        *c = other;
    }
}
#define NEWTON_FROM_ROUND 4

typedef enum outcome { APART, MET, BEYOND, WITHIN } outcome;
#define GJK_CAP 256

/* APART: `best` has the distance. MET: the origin is in the simplex, or nearer to it than `touch`. BEYOND
 * and WITHIN, asked for by `prune_*`: the cores are farther apart than the radii, and `best` has a
 * separating normal; or not as far. */
static inline outcome gjk3(problem *p, double met, int prune_apart, int prune_within, simplex *s, core_answer *best)
{
    const double touch = 4 * ROUNDING;
    vec3 d = unit_or_x(p->begin);
    double length, last = DBL_MAX;
    s->c[0] = support3(p, d);
    s->count = 1;
    best->gap = DBL_MAX;
    const vec3 axis = d;
    int leans = 0;
    if (p->warm) {
        const double gap = dot3(d, s->c[0].w);
        if (prune_apart && gap > p->radius) {
            best->normal = d;
            return BEYOND;
        }
        if (gap > 0)
            leans = prune_apart ? 0 : LEANS;
        else if (!prune_within) /* as without an axis: the depth follows */
            s->c[0] = support3(p, unit_or_x(p->shift));
    }
    for (int round = 0, idle = 0, apart = 0; round < GJK_CAP; round++) {
        int inside;
        nearest n = nearest_of(s, apart, &inside);
        if (inside && !holds_origin(s)) /* corners near each other on a round surface, or one shape tiny */
            n = nearest_of(s, 1, &inside);
        if (inside)
            return MET;
        reduce(s, &n);
        length = sqrt(n.dd);
        if (length <= touch) {
            combine(s, n.weight, best);
            return MET;
        }
        if (leans > 0 && lean(axis, n.v, &d)) {
            leans--;
            const corner other = support3(p, d);
            if (!has_corner(s, &other)) {
                s->c[s->count++] = other;
                continue;
            }
        }
        leans = 0;
        d = mul3(n.v, 1 / length);
        corner c = support3(p, d);
        const double lower = dot3(d, c.w), gap = length - lower;
        /* between nearly parallel faces the axis still turns long after the length
         * has stopped changing */
        idle = length < last ? 0 : idle + 1;
        apart |= lower > 2 * touch;
        if (gap < best->gap) {
            idle = 0;
            best->gap = gap;
            best->sigma = length;
            best->normal = d;
            combine(s, n.weight, best);
            if (p->curved)
                best->on = sides_of(p, s, n.weight);
        }
        if (prune_apart && lower > p->radius) {
            best->normal = d;
            return BEYOND;
        }
        if (prune_within && length <= p->radius)
            return WITHIN;
        if (gap <= met || idle > 8 || has_corner(s, &c))
            break;
        if (p->curved && (p->warm || round >= NEWTON_FROM_ROUND) && lower > 0)
            try_newton(p, d, length, lower, &c);
        last = length;
        s->c[s->count++] = c;
    }
    return APART;
}

#endif
