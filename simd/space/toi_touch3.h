/* GJK of one pair at a time of its motion, of shapes that may be curved: how near they are known to be, and
 * whether they touch. */
#ifndef GJB_SIMD_TOI_TOUCH3_H
#define GJB_SIMD_TOI_TOUCH3_H

#include "simd/space/fallback/fallback3_gjk.h"
#include "simd/space/toi_course3.h"

/* What rounding may add to TOI_TOUCH: of a search that can do no better, and of the points
 * against their distance. */
#define TOI_SLACK 1.2

/* Of curved shapes that all but touch, rounding would turn the axis by as much as it moves the nearest
 * points: nothing keeps it perpendicular to anything, as a flat feature does. So GJK looks at B moved by a
 * little along what proved the cores apart. That axis is steady; and where GJK ends on the axis that B was
 * moved along, it is that of the pair as it is. How far: rounding turns the axis by ROUNDING / LIFT, which
 * costs the gap the square of that, and leaves the points aside of each other by LIFT times the angle within
 * which gaps are alike to rounding, a root of ROUNDING. So LIFT is a root of ROUNDING, too, and small. */
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

/* The simplex, and where its corners are on B: in curved shapes, which have no vertices to look up. */
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

/* The corners as the pair is now. */
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

/* Whether the closest points that are known are so close: the nearest point of a thin simplex
 * may be nearer than any that it is made of. */
static int meet(const journey *j, const core_answer *best, double upper, double close)
{
    return upper <= close && length3(sub3(best->b, best->a)) - j->p.radius <= TOI_SLACK * j->near;
}

/* So near, rounding turns the axis of cores that all but touch. That of the last step proves
 * more, and is as good where the closest points lie along it. */
static int fall_back(const journey *j, core_answer *best, double upper)
{
    const vec3 held = held_axis(j);
    const vec3 off = sub3(sub3(best->b, best->a), mul3(held, j->p.radius + fmax(upper, 0)));
    if (length3(off) > TOI_SLACK * j->near)
        return 0;
    best->normal = held;
    return 1;
}

/* What a round knows of the pair at j->t. */
typedef struct sight {
    double length, gap;  /* of GJK's v; by how much GJK has not ended */
    double lower, known; /* what the gap of the pair is at the least, and at most */
    double upper;        /* how far its points are from touching along best->normal */
    vec3 apart;          /* of curved shapes: from A's point to B's; */
    vec3 ended, foot;    /* v of unit length; for B to be moved along, that or a better one */
    corner c;            /* extreme along best->normal */
    corner next;         /* of curved shapes: for the simplex, in place of c */
} sight;

/* How far points of the cores, w apart, are from where surfaces that touch along n would have them. */
static double off_by(const journey *j, vec3 w, vec3 n)
{
    return length3(sub3(w, mul3(n, j->p.radius)));
}

/* Newton's direction, if it proves more; and its corner, if v comes nearer by that too. True if that
 * corner is where surfaces touch. */
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
#define WIDE 0x1p-18 /* a turn that rounding does not make */

/* Where GJK has ended, but D is so sharp that B's being moved matters: Newton's steps for the pair as it is,
 * with as much damping as it takes (Levenberg 1944). A wide turn that costs nothing leads on, too. */
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

/* What only curved shapes need. */
static __attribute__((noinline)) void look_closer(journey *j, sight *at, core_answer *best)
{
    const vec3 n = best->normal;
    const double lifted = dot3(n, j->lift);
    at->next = at->c;
    at->foot = at->ended = n;
    best->b = sub3(best->b, j->lift);
    at->lower -= lifted;
    at->apart = sub3(best->b, best->a); /* as rounding leaves them, not v */
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

/* The nearest point of the simplex; *inside where that holds the origin. */
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

/* GJK has ended on the axis n. Where D is sharp the way there from the last one is short, and leads on: ever
 * more of it is taken, as long as B is moved away by it. */
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

/* Whether cores that are not known to be apart are no deeper than what B may be moved by. */
static int all_but_touching(const journey *j, const sight *at)
{
    return j->p.curved && !j->lifted && at->length <= 0.5 * LIFT && at->lower + j->p.radius >= -0.25 * LIFT;
}

/* Whether GJK has ended with cores that overlap by so little: their points lie the other way along its axis,
 * and no axis but one far off could prove anything else. */
static int sunk(const journey *j, const sight *at)
{
    if (!j->lifted || j->apart || at->gap > ROUNDING)
        return 0;
    const double depth = -dot3(at->apart, at->foot), aside = length3(add3(at->apart, mul3(at->foot, depth)));
    return depth > 0 && aside <= fmax(0x1p-12 * depth, j->near);
}

#define STEADY 0x1p-24 /* a turn of the lift that proves nothing */
enum { MOST_LIFTS = 256, ENOUGH_LIFTS = 16 };

/* Whether GJK ends where it ended before, or B was moved often: what its points, or those of the corner, are
 * aside of each other is rounding then, which they share. */
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
