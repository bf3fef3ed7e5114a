/* Compiled once per backend and precision of what is stored. */
#include "simd/exact_side3.h"
#include "simd/toi.h"
#include "simd/turn_double.h"

#define SOLO__(backend, bits) gjb_solo3_toi_##backend##_##bits
#define SOLO_(backend, bits) SOLO__(backend, bits)
#define SOLO SOLO_(GJB_BACKEND, GJB_BITS)
gjb_solo3_toi SOLO;

/* 20 turns of shapes that nearly touch take some hundred rounds; more than this is no answer. */
enum { MOST_ROUNDS = 20000 };

/* What rounding may add to TOI_TOUCH: of a search that can do no better, and of the points
 * against their distance. */
#define TOI_SLACK 1.2

/* A shape's part in the motion, in the frame; `spin` in world axes. */
typedef struct spinner {
    double q[4];   /* x y z w at t = 0 */
    vec3 spin;     /* rotation vector of the step */
    vec3 axis;     /* of unit length; 0 where nothing turns */
    double rate, reach; /* |spin|; max |vertex| */
} spinner;

typedef struct journey {
    problem p;     /* as it is at t, in A's axes there, B moved by the lift */
    spinner a, b;
    vec3 at, lift; /* B's origin in A's axes at t; how far B is moved for GJK, 0 at first */
    vec3 start, way; /* of B's origin against A's, world axes, in the frame: at t = 0, and in the step */
    double t, grain, target, aim, near;
    mat3 world;    /* A's axes at t to the world's */
    vec3 held;     /* world axes, of any length: what last proved the cores apart, at t as well */
    vec3 turned;   /* by what GJK last turned the lift, world axes, */
    double share;  /* and how many times that it was turned by */
    int apart;     /* they were proven to be */
    int lifted;    /* B is moved, and they are apart with that */
    int spins;
} journey;

static spinner spinner_of(const gjb_solo_side *side, const double *motion, double scale)
{
    spinner s = {.spin = {motion[3], motion[4], motion[5]}, .reach = (side->extent - side->radius) * scale};
    memcpy(s.q, side->pose + 3, sizeof s.q);
    s.rate = sqrt(dot3(s.spin, s.spin));
    if (s.rate > 0)
        s.axis = mul3(s.spin, 1 / s.rate);
    return s;
}

/* The quaternion at t: first its own, then the turn. */
static void turned(const spinner *s, double t, double q[4])
{
    double c, n;
    gjb_turn_double(t * s->rate / 2, &c, &n);
    const vec3 u = mul3(s->axis, n), v = {s->q[0], s->q[1], s->q[2]};
    const vec3 part = add3(add3(mul3(v, c), mul3(u, s->q[3])), cross3(u, v));
    q[0] = part.x;
    q[1] = part.y;
    q[2] = part.z;
    q[3] = c * s->q[3] - dot3(u, v);
}

/* The pair as it is at j->t. */
static void place(journey *j)
{
    double a[4], b[4];
    turned(&j->a, j->t, a);
    turned(&j->b, j->t, b);
    j->world = rotation3(a[0], a[1], a[2], a[3]);
    j->p.turn = rotation3(a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1],
                          a[3] * b[1] + a[0] * b[2] - a[1] * b[3] - a[2] * b[0],
                          a[3] * b[2] - a[0] * b[1] + a[1] * b[0] - a[2] * b[3],
                          a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    j->at = turn_back3(&j->world, add3(j->start, mul3(j->way, j->t)));
    j->p.shift = j->at;
}

/* What proved the cores apart last, in A's axes. */
static vec3 held_axis(const journey *j)
{
    return mul3(turn_back3(&j->world, j->held), 1 / length3(j->held));
}

static void set_out(journey *j, const gjb_solo_pair *pair, const gjb_solo_motion *motion)
{
    const double *a = pair->a.pose, *b = pair->b.pose, *da = motion->a, *db = motion->b;
    const vec3 start = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const vec3 way = {db[0] - da[0], db[1] - da[1], db[2] - da[2]};
    j->a = spinner_of(&pair->a, da, 1);
    j->b = spinner_of(&pair->b, db, 1);
    const double size = pair->a.extent + pair->b.extent + length3(start) + length3(way) +
                        (j->a.rate * j->a.reach + j->b.rate * j->b.reach);
    const int exponent = size > 16 * DBL_MIN ? ilogb(size) : ilogb(16 * DBL_MIN);
    const double scale = ldexp(1, -exponent);
    j->grain = ldexp(1, exponent);
    j->a.reach *= scale;
    j->b.reach *= scale;
    j->start = mul3(start, scale);
    j->way = mul3(way, scale);
    j->t = 0;
    j->held = (vec3){1, 0, 0};
    j->apart = j->lifted = 0;
    j->spins = j->a.rate > 0 || j->b.rate > 0;
    j->target = TOI_TARGET * (double)REAL_EPSILON * fmax(size * scale, 1);
    j->aim = TOI_AIM * (double)REAL_EPSILON * fmax(size * scale, 1);
    j->near = TOI_TOUCH * (double)REAL_EPSILON * fmax(size * scale, 1);
    j->p = (problem){.scale = scale, .radius = (pair->a.radius + pair->b.radius) * scale};
    j->p.a = cloud_of(&pair->a);
    j->p.b = cloud_of(&pair->b);
    j->p.curve_a = curve_of(&pair->a, scale);
    j->p.curve_b = curve_of(&pair->b, scale);
    j->p.curved = j->p.curve_a.curve || j->p.curve_b.curve;
    j->lift = j->turned = (vec3){0, 0, 0};
    j->share = 1;
    memcpy(j->p.ahead, pair->ahead, sizeof j->p.ahead);
    place(j);
}

/* Of curved shapes that all but touch, rounding would turn the axis by as much as it moves the nearest points,
 * which a flat feature keeps perpendicular, and nothing else does. So GJK looks at B moved by a little along
 * what proved the cores apart: that axis is steady, and where GJK ends on the axis that B was moved along,
 * it is that of the pair as it is. */
#define LIFT 0x1p-24

static void lift(journey *j)
{
    if (!j->lifted)
        return;
    j->lift = mul3(held_axis(j), LIFT);
    j->p.shift = add3(j->at, j->lift);
}

/* A direction that moves along: n + tau * follow. The vertices' velocities count as if they
 * turned it the other way: it leans. */
typedef struct course {
    vec3 n, lean_a, lean_b; /* n of unit length; n x spin + follow, of each shape */
    double swing;           /* |follow| */
    double along, bend;     /* of the gap: its slope but for the lean, and the most it may lose with tau^2 */
} course;

/* What of the gap along it, times its length, is beyond the target tau later, at the least: a
 * concave function of tau less bend tau^2. */
static double room_after(journey *j, const course *go, double tau)
{
    const vec3 da = add3(go->n, mul3(go->lean_a, tau)), db = add3(go->n, mul3(go->lean_b, tau));
    const vec3 ua = mul3(da, 1 / length3(da)), ub = mul3(db, 1 / length3(db));
    j->p.supports++;
    uint32_t ia, ib;
    const vec3 a = extreme_point(&j->p.a, &j->p.curve_a, j->p.scale, ua, &ia);
    const vec3 local_b = extreme_point(&j->p.b, &j->p.curve_b, j->p.scale, neg3(turn_back3(&j->p.turn, ub)), &ib);
    const vec3 b = add3(turn3(&j->p.turn, local_b), j->p.shift);
    return dot3(db, sub3(b, j->p.shift)) - dot3(da, a) + dot3(go->n, j->at) + tau * go->along -
           go->bend * tau * tau - (j->p.radius + j->target) * sqrt(1 + tau * tau * go->swing * go->swing);
}

/* When g + tau slope - bend tau^2 has come down to 0. */
static double falls_to_zero(double g, double slope, double bend)
{
    const double root = sqrt(slope * slope + 4 * bend * g);
    return slope <= 0 ? 2 * g / (root - slope) : (slope + root) / (2 * bend);
}

/* How the normal n of the simplex's feature turns while its corners move: what keeps it
 * normal to the edges. 0 of a vertex. */
static vec3 follow_feature(const journey *j, const simplex *s, vec3 n, vec3 spin_a, vec3 spin_b)
{
    vec3 velocity[3];
    for (int k = 0; k < s->count; k++)
        velocity[k] = sub3(cross3(spin_b, sub3(s->c[k].b, j->p.shift)), cross3(spin_a, s->c[k].a));
    if (s->count < 2)
        return (vec3){0, 0, 0};
    const vec3 e = sub3(s->c[1].w, s->c[0].w);
    const double re = -dot3(sub3(velocity[1], velocity[0]), n);
    if (s->count == 2)
        return mul3(e, re / dot3(e, e));
    const vec3 f = sub3(s->c[2].w, s->c[0].w), normal = cross3(e, f);
    const double rf = -dot3(sub3(velocity[2], velocity[0]), n);
    return mul3(add3(mul3(cross3(f, normal), re), mul3(cross3(normal, e), rf)), 1 / dot3(normal, normal));
}

/* The second-order term of one shape (toi3.h): n x spin, and how fast that may change. */
static double most_bend(const spinner *s, vec3 turn, vec3 swing, double most)
{
    const double swings = length3(swing), turns = length3(turn) + swings * most;
    return s->reach * (swings + s->rate * turns * (0.5 + 0x1p-40));
}

/* What the axis that starts as n is asked about. */
typedef struct bearing {
    vec3 n, way, spin_a, spin_b; /* in A's axes */
    double room, left;           /* the gap is so much more than the target; at most so far */
    const corner *c;             /* of D, extreme along n */
} bearing;

/* How far the axis carries for certain that starts as n and follows. */
static double course_step(journey *j, const bearing *from, vec3 follow)
{
    const vec3 turn_a = cross3(from->n, from->spin_a), turn_b = cross3(from->n, from->spin_b);
    course go = {.n = from->n, .swing = length3(follow)};
    if (!(go.swing < 0x1p30))
        return 0;
    const double most = fmin(from->left, 0.5 / go.swing);
    go.lean_a = add3(turn_a, follow);
    go.lean_b = add3(turn_b, follow);
    go.along = dot3(from->n, from->way) + dot3(follow, j->at);
    go.bend = fmax(most_bend(&j->a, turn_a, cross3(follow, from->spin_a), most) +
                   most_bend(&j->b, turn_b, cross3(follow, from->spin_b), most) - dot3(follow, from->way), 0);
    const double slope = go.along + dot3(go.lean_b, sub3(from->c->b, j->p.shift)) - dot3(go.lean_a, from->c->a);
    const double guess = falls_to_zero(from->room, slope, go.bend + j->p.radius * go.swing * go.swing / 2);
    const double tau = guess < most ? guess : most, then = room_after(j, &go, tau), bent = go.bend * tau * tau;
    return then >= 0 ? tau : tau * fmin(falls_to_zero(from->room, then + bent - from->room, bent), 1);
}

typedef struct stretch {
    double step;
    vec3 axis; /* what proves them apart at its end, in A's axes at its beginning */
} stretch;

/* How far the pair may go on from j->t for certain: along n its gap is `room` more than
 * the target. The feature may be a small shape's edge that turns fast, which is no good to
 * follow where the other is large: so the axis at rest is tried too. */
static stretch safe_step(journey *j, const simplex *s, vec3 n, const corner *c, double room)
{
    const bearing from = {n, turn_back3(&j->world, j->way), turn_back3(&j->world, j->a.spin),
                          turn_back3(&j->world, j->b.spin), room, 1 - j->t, c};
    const double slope = dot3(n, from.way);
    if (!j->spins)
        return (stretch){fmin(falls_to_zero(room, slope, 0), from.left), n};
    const vec3 rest = {0, 0, 0};
    vec3 follow = follow_feature(j, s, n, from.spin_a, from.spin_b);
    if (j->p.curved) /* n is Newton's, maybe, and not the feature's own */
        follow = sub3(follow, mul3(n, dot3(n, follow)));
    stretch best = {course_step(j, &from, rest), n};
    const double along = s->count > 1 ? course_step(j, &from, follow) : 0;
    if (along > best.step)
        best = (stretch){along, add3(n, mul3(follow, along))};
    /* Balls do not care how far shapes turn. */
    const double ball_a = j->a.rate > 0 ? j->a.reach : dot3(n, c->a);
    const double ball_b = j->b.rate > 0 ? j->b.reach : -dot3(n, sub3(c->b, j->p.shift));
    const double ball = dot3(n, j->at) - (ball_a + ball_b) - (j->p.radius + j->target);
    const double rolled = ball > 0 ? fmin(falls_to_zero(ball, slope, 0), from.left) : 0;
    return rolled > best.step ? (stretch){rolled, n} : best;
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
    r->local_b[r->s.count] = turn_back3(&j->p.turn, sub3(c->b, j->p.shift));
    r->s.c[r->s.count++] = *c;
}

static void reduce_trail(trail *r, const nearest *n)
{
    vec3 kept[3];
    for (int k = 0; k < n->count; k++)
        kept[k] = r->local_b[n->index[k]];
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

static void move_on(journey *j, const stretch *by, trail *r)
{
    j->held = turn3(&j->world, by->axis);
    j->t += by->step;
    place(j);
    lift(j);
    carry(j, r);
}

static void write_contact(const journey *j, const gjb_solo_pair *pair, const core_answer *best,
                          gjb_solo_answer *out)
{
    vec3 n = turn3(&j->world, best->normal);
    n = mul3(n, 1 / length3(n));
    const vec3 a = add3(mul3(turn3(&j->world, best->a), j->grain), mul3(n, pair->a.radius));
    const vec3 b = sub3(mul3(turn3(&j->world, best->b), j->grain), mul3(n, pair->b.radius));
    const double fields[9] = {n.x, n.y, n.z, a.x, a.y, a.z, b.x, b.y, b.z};
    memcpy(out->normal, fields, sizeof out->normal);
    memcpy(out->a, fields + 3, sizeof out->a);
    memcpy(out->b, fields + 6, sizeof out->b);
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

/* The best bounds since the last step, and for how many rounds neither has become better.
 * Lengths alone would not tell: where all but touch, rounding makes them come and go in rings. */
typedef struct progress {
    double least, most;
    int idle;
} progress;
static const progress no_progress = {DBL_MAX, -DBL_MAX, 0};

static void note(progress *p, double length, double lower)
{
    p->idle = length < p->least || lower > p->most ? 0 : p->idle + 1;
    p->least = length < p->least ? length : p->least;
    p->most = lower > p->most ? lower : p->most;
}

/* What a round knows of the pair at j->t. */
typedef struct sight {
    double length, lower; /* of GJK's v; what the gap is at the least, */
    double known, upper;  /* and at most; how far its points are from touching along best->normal */
    double gap;                     /* by how much GJK has not ended */
    vec3 ended;                  /* v of unit length */
    vec3 apart;                  /* from A's nearest point to B's */
    vec3 foot;                   /* of unit length, for B to be moved along: v's, or a better one */
    corner c;                    /* extreme along best->normal */
    corner next;                 /* for the simplex */
} sight;

/* How far points of the cores, w apart, are from where surfaces that touch along n would have them. */
static double off_by(const journey *j, vec3 w, vec3 n)
{
    return length3(sub3(w, mul3(n, j->p.radius)));
}

/* Newton's direction, if it proves more; and its corner, if v comes nearer by that too. True where that corner
 * is where surfaces touch. */
static int look_along_newton(journey *j, vec3 n, double lift, sight *at, core_answer *best)
{
    static const sides none;
    vec3 d;
    const double gap = at->length - (at->lower + j->p.radius + lift);
    slide_along_lines(&j->p, n, gap, &at->next);
    if (!newton_step(&j->p, n, &at->next, &none, &d))
        return 0;
    corner other = support3(&j->p, d);
    const double lower = dot3(d, other.w) - dot3(d, j->lift) - j->p.radius, ahead = at->length - dot3(n, other.w);
    const double upper = off_by(j, sub3(other.w, j->lift), d);
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

/* Where GJK has ended, but D is so sharp that B's being moved matters: Newton's steps for the pair as it is, with
 * as much damping as it takes (Levenberg 1944). A wide turn that costs nothing leads on, too. */
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
        const double lower = dot3(n, apart) - j->p.radius, upper = off_by(j, apart, n), more = lower - at->lower;
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

static sight look(journey *j, const nearest *v, const trail *r, core_answer *best)
{
    const double touch = 4 * ROUNDING;
    sight at = {.length = sqrt(v->dd)};
    combine(&r->s, v->weight, best);
    best->normal = at.length > touch ? mul3(v->v, 1 / at.length) : held_axis(j);
    at.foot = at.ended = best->normal;
    at.c = at.next = support3(&j->p, best->normal);
    at.lower = dot3(best->normal, at.c.w) - j->p.radius;
    at.gap = at.length - (at.lower + j->p.radius);
    at.known = at.upper = at.length - j->p.radius;
    if (!j->p.curved)
        return at;
    const double lifted = dot3(best->normal, j->lift);
    best->b = sub3(best->b, j->lift);
    at.lower -= lifted;
    at.apart = sub3(best->b, best->a); /* as rounding leaves them, not v */
    at.known = length3(at.apart) - j->p.radius;
    at.upper = off_by(j, at.apart, best->normal);
    if (at.lower + j->p.radius + lifted > 0 && !(at.lower >= 0 && at.upper <= j->near) &&
        !look_along_newton(j, best->normal, lifted, &at, best))
        at.upper = off_by(j, at.apart, best->normal);
    if (at.gap <= ROUNDING && at.lower <= j->aim && at.upper > j->near && j->lifted)
        sharpen(j, &at, best);
    return at;
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

/* GJK has ended on the axis n. Where D is sharp the way there from the last one is short, and leads on: ever more
 * of it is taken, as long as B is moved away by it. */
static void lift_anew(journey *j, vec3 n)
{
    const vec3 from = held_axis(j), by = sub3(n, from), last = turn_back3(&j->world, j->turned);
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
    j->held = turn3(&j->world, j->share > 1 ? to : n);
    lift(j);
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
    const double depth = -dot3(at->apart, at->foot), aside = length3(add3(at->apart, mul3(at->foot, depth)));
    return j->lifted && !j->apart && at->gap <= ROUNDING && depth > 0 && aside <= fmax(0x1p-12 * depth, j->near);
}

#define STEADY 0x1p-24 /* a turn of the lift that proves nothing */
enum { MOST_LIFTS = 64, ENOUGH_LIFTS = 16 };

/* Whether GJK ends where it ended before, or has been lifted often: what its points, or those of the corner, are
 * aside of each other is rounding then, which they share. */
static int settle(const journey *j, const sight *at, int lifts, core_answer *best)
{
    const vec3 n = best->normal, due = mul3(n, j->p.radius + at->lower), own = sub3(at->c.w, j->lift);
    const vec3 aside = sub3(at->apart, due), own_aside = sub3(own, due);
    const int by_corner = length3(own_aside) < length3(aside);
    const vec3 half = mul3(by_corner ? own_aside : aside, 0.5);
    const int steady = lifts >= ENOUGH_LIFTS || length3(sub3(at->ended, held_axis(j))) <= STEADY;
    if (!(j->t > 0 && j->lifted && steady && at->gap <= ROUNDING && at->lower >= 0 && length3(half) <= j->near))
        return 0;
    best->a = add3(by_corner ? at->c.a : best->a, half);
    best->b = sub3(by_corner ? sub3(at->c.b, j->lift) : best->b, half);
    return 1;
}

/* Conservative advancement (Mirtich 1996) and GJK take turns: each axis that proves the
 * cores apart carries the pair on, and the simplex goes with it. */
static gjb_status travel(journey *j, trail *r, core_answer *best)
{
    const double touch = 4 * ROUNDING;
    progress made = no_progress;
    int anew = 0, lifts = 0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        int inside;
        const nearest v = nearest_known(j, &r->s, made.idle, &inside);
        if (!j->apart && !j->lifted && (inside || sqrt(v.dd) <= touch))
            return GJB_OVERLAPPING;
        reduce_trail(r, &v);
        const sight at = look(j, &v, r, best);
        if (j->t <= 0 && (meet(j, best, at.known, j->near) || sunk(j, &at)))
            return GJB_OVERLAPPING;
        if (meet(j, best, at.upper, j->near) && (at.lower >= 0 || (anew && fall_back(j, best, at.upper))))
            return GJB_HIT;
        stretch by = {0, best->normal};
        if (at.lower > j->aim) {
            if (!j->apart)
                j->held = turn3(&j->world, best->normal);
            j->apart = 1;
            j->lifted |= j->p.curved;
            by = safe_step(j, &r->s, best->normal, &at.c, at.lower - j->target);
            if (by.step >= 1 - j->t)
                return GJB_SEPARATED;
        }
        const int known = has_corner(&r->s, &at.next);
        if (!known)
            extend_trail(j, &at.next, r);
        if (j->t + by.step > j->t) {
            move_on(j, &by, r);
            made = no_progress;
            anew = lifts = 0;
        } else {
            note(&made, at.length, at.lower);
            const int ended = known || made.idle > 8 || at.gap <= ROUNDING;
            if (settle(j, &at, lifts, best))
                return GJB_HIT;
            if ((j->lifted && lifts < MOST_LIFTS && ended) || all_but_touching(j, &at)) {
                j->lifted = 1;
                lifts++;
                lift_anew(j, at.foot);
                carry(j, r);
                made = no_progress;
            } else if (known || made.idle > 8) {
                const int close = j->t > 0 && meet(j, best, at.upper, TOI_SLACK * j->near);
                if (close && (at.lower >= 0 || fall_back(j, best, at.upper)))
                    return GJB_HIT;
                if (anew++)
                    return GJB_ITERATION_LIMIT;
                /* The origin has left through a face that nobody looks at. */
                begin_trail(j, held_axis(j), r);
                made = no_progress;
                lifts = 0;
            }
        }
    }
    return GJB_ITERATION_LIMIT;
}

gjb_status SOLO(const gjb_solo_pair *pair, const gjb_solo_motion *motion, gjb_solo_answer *out)
{
    journey j;
    trail r;
    core_answer best;
    memset(out, 0, sizeof *out);
    set_out(&j, pair, motion);
    const vec3 axis = {motion->axis[0], motion->axis[1], motion->axis[2]};
    const double length = length3(axis), reach = length3(j.p.shift);
    vec3 d = reach > 0x1p-60 ? mul3(j.p.shift, 1 / reach) : (vec3){1, 0, 0};
    if (length > 0)
        d = turn_back3(&j.world, mul3(axis, 1 / length));
    begin_trail(&j, d, &r);
    const gjb_status status = travel(&j, &r, &best);
    out->sigma = j.t;
    out->iterations = j.p.supports;
    if (status == GJB_HIT || status == GJB_SEPARATED)
        write_contact(&j, pair, &best, out);
    return status;
}
