/* GJK of one pair at a time of its motion, for shapes that may be curved: bounds of their distance, and
 * whether they touch. */
#ifndef GJB_SIMD_TOI_GJK3_H
#define GJB_SIMD_TOI_GJK3_H

#include "simd/space/fallback/fallback3_gjk.h"
#include "simd/space/toi_pair3.h"

/* Factor on TOI_TOUCH for rounding: of a search that cannot improve, and of the points
 * against their distance. */
#define TOI_SLACK 1.2

/* For curved shapes that nearly touch, rounding would turn the axis by as much as it moves the nearest
 * points: no flat feature keeps it perpendicular. So GJK runs with B moved a little along the axis that
 * proved the cores apart. That axis is steady, and if GJK ends on the axis along which B was moved, it is
 * that of the pair itself. The size: rounding turns the axis by ROUNDING / LIFT, which costs the gap the
 * square of that. It shifts the points sideways by LIFT times the angle within which gaps are equal up to
 * rounding, a root of ROUNDING. So LIFT is small, and about a root of ROUNDING too. */
#define LIFT 0x1p-24

static void lift(journey *j)
{
    if (!j->lifted)
        return;
    j->lift = mul3(axis_in_frame(j, j->up), LIFT);
    j->p.shift = add3(j->at, j->lift);
}

static void lift_along(journey *j, vec3 n)
{
    j->lifted = 1;
    j->up = turn3(&j->world, n);
    lift(j);
}

/* The simplex, and the points of its corners on B, for curved shapes, which have no vertices to look up. */
typedef struct trail {
    simplex s;
    vec3 local_b[4];
} trail;

static void begin_trail(journey *j, vec3 d, trail *r)
{
    r->s.c[0] = support3(&j->p, d);
    r->local_b[0] = turn_back3(&j->p.turn, sub3(r->s.c[0].b, j->p.shift));
    r->s.count = 1;
}

static void extend_trail(const journey *j, const corner *c, trail *r)
{
    if (j->p.curved)
        r->local_b[r->s.count] = turn_back3(&j->p.turn, sub3(c->b, j->p.shift));
    r->s.c[r->s.count++] = *c;
}

static void reduce_trail(trail *r, const nearest *n, int curved)
{
    vec3 kept[3];
    for (int k = 0; curved && k < n->count; k++)
        kept[k] = r->local_b[n->index[k]];
    if (curved)
        memcpy(r->local_b, kept, (size_t)n->count * sizeof *kept);
    reduce(&r->s, n);
}

/* Places the corners at the present pose. */
static void carry(const journey *j, trail *r)
{
    for (int k = 0; k < r->s.count; k++) {
        corner *c = &r->s.c[k];
        if (j->p.curved) {
            c->b = add3(turn3(&j->p.turn, r->local_b[k]), j->p.shift);
            c->w = sub3(c->b, c->a);
        } else {
            *c = corner_of(&j->p, c->ia, c->ib);
        }
    }
}

/* Whether the closest known points are within `close`: the nearest point of a thin simplex may
 * by rounding be nearer than the points that it is made of. */
static int meet(const journey *j, const core_answer *best, double upper, double close)
{
    return upper <= close && length3(sub3(best->b, best->a)) - j->p.radius <= TOI_SLACK * j->near;
}

/* Rounding turns the axis of cores that nearly touch. The axis of the last step proves more, and
 * is as good if the closest points lie along it. */
static int fall_back(const journey *j, core_answer *best, double upper)
{
    const vec3 held = held_axis(j);
    const vec3 off = sub3(sub3(best->b, best->a), mul3(held, j->p.radius + fmax(upper, 0)));
    if (length3(off) > TOI_SLACK * j->near)
        return 0;
    best->normal = held;
    return 1;
}

/* What a round has found about the pair at j->t. */
typedef struct sight {
    double length, gap;  /* length of GJK's v; how far GJK's bounds are apart */
    double lower, known; /* lower and upper bound of the pair's gap */
    double upper;        /* how far its points are from touching along best->normal */
    vec3 apart;          /* for curved shapes: from A's point to B's; */
    vec3 ended, foot;    /* v of unit length; that or a better axis, to move B along */
    corner c;            /* extreme along best->normal */
    corner next;         /* for curved shapes: the corner for the simplex, instead of c */
} sight;

/* How far w, the difference of points of the cores, is from its value for surfaces that touch along n. */
static double off_by(const journey *j, vec3 w, vec3 n)
{
    return length3(sub3(w, mul3(n, j->p.radius)));
}

/* Takes Newton's direction, if it proves more; and its corner, if that brings v nearer too. True if the
 * surfaces touch at that corner. */
static int look_along_newton(journey *j, vec3 n, double lift, sight *at, core_answer *best)
{
    static const sides none;
    vec3 d;
    const double gap = at->length - (at->lower + j->p.radius + lift);
    slide_along_lines(&j->p, n, gap, &at->next);
    if (!newton_step(&j->p, n, &at->next, &none, &d))
        return 0;
    corner other = support3(&j->p, d);
    const vec3 apart = sub3(other.w, j->lift);
    const double lower = dot3(d, apart) - j->p.radius, upper = off_by(j, apart, d);
    const double ahead = at->length - dot3(n, other.w);
    const int touch = lower >= 0 && upper <= j->near;
    if (!touch && !(lower > at->lower))
        return 0;
    best->normal = d;
    at->lower = lower;
    at->c = other;
    if (ahead >= 0.25 * gap) {
        slide_along_lines(&j->p, n, ahead, &other);
        at->next = other;
    }
    if (!touch)
        return 0;
    best->a = at->c.a;
    best->b = sub3(at->c.b, j->lift);
    at->known = at->upper = upper;
    return 1;
}

enum { SHARPENINGS = 12 };
#define LEAST_DAMPING 0x1p-50
#define WIDE 0x1p-18 /* a turn larger than rounding */

/* For a D so sharp that moving B matters, once GJK has ended: Newton's steps for the pair itself, with as
 * much damping as needed (Levenberg 1944). A wide turn that costs nothing is accepted too. */
static void sharpen(journey *j, sight *at, core_answer *best)
{
    static const sides none;
    corner c = at->c;
    vec3 from = best->normal;
    double damping = LEAST_DAMPING, off = off_by(j, sub3(c.w, j->lift), from);
    for (int k = 0; k < SHARPENINGS; k++) {
        corner plain = c;
        vec3 n;
        plain.w = sub3(sub3(c.w, j->lift), mul3(from, NEWTON_DAMPING - damping));
        if (!newton_step(&j->p, from, &plain, &none, &n))
            return;
        const corner other = support3(&j->p, n);
        const vec3 apart = sub3(other.w, j->lift);
        const double lower = dot3(n, apart) - j->p.radius, more = lower - at->lower;
        const double upper = off_by(j, apart, n);
        const int touch = lower >= 0 && upper <= j->near, wide = length3(sub3(n, from)) > WIDE;
        const int gains = touch || more > 0.5 * ROUNDING || (wide && more >= -0.5 * ROUNDING);
        if (!gains && !(upper < off && more >= -ROUNDING)) {
            damping *= 32;
            continue;
        }
        damping = fmax(damping / 32, LEAST_DAMPING);
        from = n;
        c = other;
        off = upper;
        if (!gains)
            continue;
        best->normal = at->foot = n;
        at->lower = lower;
        at->c = at->next = c;
        at->upper = off_by(j, at->apart, n);
        if (!touch)
            continue;
        best->a = c.a;
        best->b = sub3(c.b, j->lift);
        at->known = at->upper = upper;
        return;
    }
}

/* The part that only curved shapes need. */
static __attribute__((noinline)) void look_closer(journey *j, sight *at, core_answer *best)
{
    const vec3 n = best->normal;
    const double lifted = dot3(n, j->lift);
    at->next = at->c;
    at->foot = at->ended = n;
    best->b = sub3(best->b, j->lift);
    at->lower -= lifted;
    at->apart = sub3(best->b, best->a); /* of the rounded points, not v */
    at->known = length3(at->apart) - j->p.radius;
    at->upper = off_by(j, at->apart, n);
    const int good = at->lower > j->aim && at->lower >= 0.5 * at->known;
    if (at->lower + j->p.radius + lifted > 0 && !good && !(at->lower >= 0 && at->upper <= j->near) &&
        !look_along_newton(j, n, lifted, at, best))
        at->upper = off_by(j, at->apart, best->normal);
    if (j->lifted && at->gap <= ROUNDING && at->lower <= j->aim && at->upper > j->near)
        sharpen(j, at, best);
}

static inline void look(journey *j, const nearest *v, const simplex *s, sight *at, core_answer *best)
{
    const double touch = 4 * ROUNDING;
    at->length = sqrt(v->dd);
    combine(s, v->weight, best);
    best->normal = at->length > touch ? mul3(v->v, 1 / at->length) : held_axis(j);
    at->c = support3(&j->p, best->normal);
    const double ends = dot3(best->normal, at->c.w);
    at->gap = at->length - ends;
    at->lower = ends - j->p.radius;
    at->known = at->upper = at->length - j->p.radius;
    if (j->p.curved)
        look_closer(j, at, best);
}

/* The nearest point of the simplex; *inside if the simplex holds the origin. */
static nearest nearest_known(const journey *j, const simplex *s, int idle, int *inside)
{
    const int apart = j->apart || j->lifted;
    nearest v = nearest_of(s, apart, inside);
    if (s->count == 4 && !apart && (*inside || idle)) {
        const int held = holds_origin(s);
        if (*inside && !held)
            v = nearest_of(s, 1, inside);
        *inside = held;
    }
    return v;
}

/* Moves B along n, on which GJK has ended. If D is sharp, the step from the last axis is short and keeps its
 * direction: it is extended more and more, as long as it moves B away. */
static void lift_anew(journey *j, vec3 n)
{
    const vec3 from = j->lifted ? axis_in_frame(j, j->up) : n, by = sub3(n, from);
    const vec3 last = turn_back3(&j->world, j->turned);
    const int onwards = dot3(by, last) > 0.9 * length3(by) * length3(last);
    vec3 to = n;
    j->share = onwards ? 4 * j->share : 1;
    j->turned = turn3(&j->world, by);
    for (; j->share > 1; j->share *= 0.25) {
        const vec3 far = add3(from, mul3(by, j->share));
        to = mul3(far, 1 / length3(far));
        if (dot3(to, sub3(support3(&j->p, to).w, j->lift)) >= -0.25 * LIFT)
            break;
    }
    lift_along(j, j->share > 1 ? to : n);
}

/* Whether cores that are not known to be apart overlap by no more than B may be moved. */
static int all_but_touching(const journey *j, const sight *at)
{
    return j->p.curved && !j->lifted && at->length <= 0.5 * LIFT && at->lower + j->p.radius >= -0.25 * LIFT;
}

/* Whether GJK has ended with cores that overlap by that little: their points lie in reverse order along its
 * axis, and only a very different axis could prove otherwise. */
static int sunk(const journey *j, const sight *at)
{
    if (!j->lifted || j->apart || at->gap > ROUNDING)
        return 0;
    const double depth = -dot3(at->apart, at->foot), aside = length3(add3(at->apart, mul3(at->foot, depth)));
    return depth > 0 && aside <= fmax(0x1p-12 * depth, j->near);
}

#define STEADY 0x1p-24 /* a turn of the lift that proves nothing */
enum { MOST_LIFTS = 256, ENOUGH_LIFTS = 16 };

/* Whether GJK ends on the same axis as before, or B was moved often. Then the sideways offset of its
 * points, or of the corner's, is rounding, and is divided between both shapes. */
static int settle(const journey *j, const sight *at, int lifts, core_answer *best)
{
    if (!j->lifted || j->t <= 0)
        return 0;
    const vec3 n = best->normal, due = mul3(n, j->p.radius + at->lower), own = sub3(at->c.w, j->lift);
    const vec3 aside = sub3(at->apart, due), own_aside = sub3(own, due);
    const int by_corner = length3(own_aside) < length3(aside);
    const vec3 half = mul3(by_corner ? own_aside : aside, 0.5);
    const int steady = lifts >= ENOUGH_LIFTS || length3(sub3(at->ended, axis_in_frame(j, j->up))) <= STEADY;
    if (!(steady && at->gap <= ROUNDING && at->lower >= 0 && length3(half) <= j->near))
        return 0;
    best->a = add3(by_corner ? at->c.a : best->a, half);
    best->b = sub3(by_corner ? sub3(at->c.b, j->lift) : best->b, half);
    return 1;
}

#endif
