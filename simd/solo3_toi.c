/* Compiled once per backend and precision of what is stored. */
#include "simd/solo3_gjk.h"
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
    problem p;     /* as it is at t, in A's axes there */
    spinner a, b;
    vec3 start, way; /* of B's origin against A's, world axes, in the frame: at t = 0, and in the step */
    double t, grain, target, aim, near;
    mat3 world;    /* A's axes at t to the world's */
    vec3 held;     /* world axes, of any length: what last proved the cores apart, at t as well */
    int apart;     /* they were proven to be */
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
    j->p.shift = turn_back3(&j->world, add3(j->start, mul3(j->way, j->t)));
}

static double length3(vec3 v)
{
    return sqrt(dot3(v, v));
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
    j->apart = 0;
    j->spins = j->a.rate > 0 || j->b.rate > 0;
    j->target = TOI_TARGET * (double)REAL_EPSILON * fmax(size * scale, 1);
    j->aim = TOI_AIM * (double)REAL_EPSILON * fmax(size * scale, 1);
    j->near = TOI_TOUCH * (double)REAL_EPSILON * fmax(size * scale, 1);
    j->p = (problem){.scale = scale, .radius = (pair->a.radius + pair->b.radius) * scale};
    j->p.a = cloud_of(&pair->a);
    j->p.b = cloud_of(&pair->b);
    memcpy(j->p.ahead, pair->ahead, sizeof j->p.ahead);
    place(j);
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
    const uint32_t ia = extreme3(&j->p.a, ua), ib = extreme3(&j->p.b, neg3(turn_back3(&j->p.turn, ub)));
    const corner c = corner_of(&j->p, ia, ib);
    return dot3(db, sub3(c.b, j->p.shift)) - dot3(da, c.a) + dot3(go->n, j->p.shift) + tau * go->along -
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
    go.along = dot3(from->n, from->way) + dot3(follow, j->p.shift);
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
    const vec3 follow = follow_feature(j, s, n, from.spin_a, from.spin_b), rest = {0, 0, 0};
    stretch best = {course_step(j, &from, rest), n};
    const double along = s->count > 1 ? course_step(j, &from, follow) : 0;
    if (along > best.step)
        best = (stretch){along, add3(n, mul3(follow, along))};
    /* Balls do not care how far shapes turn. */
    const double ball_a = j->a.rate > 0 ? j->a.reach : dot3(n, c->a);
    const double ball_b = j->b.rate > 0 ? j->b.reach : -dot3(n, sub3(c->b, j->p.shift));
    const double ball = dot3(n, j->p.shift) - (ball_a + ball_b) - (j->p.radius + j->target);
    const double rolled = ball > 0 ? fmin(falls_to_zero(ball, slope, 0), from.left) : 0;
    return rolled > best.step ? (stretch){rolled, n} : best;
}

static void move_on(journey *j, const stretch *by, simplex *s)
{
    j->held = turn3(&j->world, by->axis);
    j->t += by->step;
    place(j);
    for (int k = 0; k < s->count; k++)
        s->c[k] = corner_of(&j->p, s->c[k].ia, s->c[k].ib);
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

/* What proved the cores apart last, in A's axes. */
static vec3 held_axis(const journey *j)
{
    return mul3(turn_back3(&j->world, j->held), 1 / length3(j->held));
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

/* Adds to an expansion: n numbers that do not overlap, the least first (Shewchuk 1997). */
static int grow(double *e, int n, double x)
{
    for (int k = 0; k < n; k++) {
        const double sum = x + e[k], part = sum - x;
        e[k] = (x - (sum - part)) + (e[k] - part);
        x = sum;
    }
    e[n] = x;
    return n + 1;
}

/* The upper half of a's digits. */
static double upper_half(double a)
{
    const double c = 0x8000001p0 * a;
    return c - (c - a);
}

/* What rounding took from ab = a b (Dekker 1971): a fused operation would do, but not all backends have one. */
static double lost(double a, double b, double ab)
{
    const double a1 = upper_half(a), b1 = upper_half(b), a2 = a - a1, b2 = b - b1;
    return a2 * b2 - (((ab - a1 * b1) - a2 * b1) - a1 * b2);
}

static int grow_by_product(double *e, int n, double a, double b, double c)
{
    const double ab = a * b, rest = lost(a, b, ab), high = ab * c, low = rest * c;
    n = grow(e, n, lost(rest, c, low));
    n = grow(e, n, low);
    n = grow(e, n, lost(ab, c, high));
    return grow(e, n, high);
}

/* The sign of p . (q x r), exactly: of a flat tetrahedron rounding would leave any. */
static int side_of(vec3 p, vec3 q, vec3 r)
{
    const double about = dot3(p, cross3(q, r));
    if (fabs(about) > 8 * DBL_EPSILON * length3(p) * length3(q) * length3(r))
        return about > 0 ? 1 : -1;
    double e[24];
    int n = grow_by_product(e, 0, p.x, q.y, r.z);
    n = grow_by_product(e, n, p.y, q.z, r.x);
    n = grow_by_product(e, n, p.z, q.x, r.y);
    n = grow_by_product(e, n, -p.x, q.z, r.y);
    n = grow_by_product(e, n, -p.y, q.x, r.z);
    n = grow_by_product(e, n, -p.z, q.y, r.x);
    while (n && !(fabs(e[n - 1]) > 0))
        n--;
    return n ? (e[n - 1] > 0 ? 1 : -1) : 0;
}

/* The origin is in the tetrahedron of the corners as they are, which are off by their rounding alone. */
static int holds_origin(const simplex *s)
{
    const vec3 p = s->c[0].w, q = s->c[1].w, r = s->c[2].w, t = s->c[3].w;
    const int side[4] = {side_of(q, r, t), -side_of(p, r, t), side_of(p, q, t), -side_of(p, q, r)};
    int most = 0, least = 0;
    for (int k = 0; k < 4; k++) {
        most = side[k] > most ? side[k] : most;
        least = side[k] < least ? side[k] : least;
    }
    return most > least && !(most && least);
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

/* Conservative advancement (Mirtich 1996) and GJK take turns: each axis that proves the
 * cores apart carries the pair on, and the simplex goes with it. */
static gjb_status travel(journey *j, simplex *s, core_answer *best)
{
    const double touch = 4 * ROUNDING;
    progress made = no_progress;
    int anew = 0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        int inside;
        nearest v = nearest_of(s, j->apart, &inside);
        if (s->count == 4 && !j->apart && (inside || made.idle)) {
            const int held = holds_origin(s);
            if (inside && !held)
                v = nearest_of(s, 1, &inside);
            inside = held;
        }
        const double length = sqrt(v.dd);
        if (!j->apart && (inside || length <= touch))
            return GJB_OVERLAPPING;
        reduce(s, &v);
        combine(s, v.weight, best);
        best->normal = length > touch ? mul3(v.v, 1 / length) : held_axis(j);
        const corner c = support3(&j->p, best->normal);
        const double upper = length - j->p.radius, lower = dot3(best->normal, c.w) - j->p.radius;
        const int near = meet(j, best, upper, j->near);
        if (near && (j->t <= 0 || lower >= 0 || (anew && fall_back(j, best, upper))))
            return j->t > 0 ? GJB_HIT : GJB_OVERLAPPING;
        stretch by = {0, best->normal};
        if (lower > j->aim) {
            if (!j->apart)
                j->held = turn3(&j->world, best->normal);
            j->apart = 1;
            by = safe_step(j, s, best->normal, &c, lower - j->target);
            if (by.step >= 1 - j->t)
                return GJB_SEPARATED;
        }
        const int known = has_corner(s, &c);
        if (j->t + by.step > j->t) {
            move_on(j, &by, s);
            made = no_progress;
            anew = 0;
        } else {
            note(&made, length, lower);
            if (known || made.idle > 8) {
                const int close = j->t > 0 && meet(j, best, upper, TOI_SLACK * j->near);
                if (close && (lower >= 0 || fall_back(j, best, upper)))
                    return GJB_HIT;
                if (anew++)
                    return GJB_ITERATION_LIMIT;
                /* The origin has left through a face that nobody looks at. */
                s->c[0] = support3(&j->p, held_axis(j));
                s->count = 1;
                made = no_progress;
                continue;
            }
        }
        if (!known)
            s->c[s->count++] = corner_of(&j->p, c.ia, c.ib);
    }
    return GJB_ITERATION_LIMIT;
}

gjb_status SOLO(const gjb_solo_pair *pair, const gjb_solo_motion *motion, gjb_solo_answer *out)
{
    journey j;
    simplex s;
    core_answer best;
    memset(out, 0, sizeof *out);
    set_out(&j, pair, motion);
    const vec3 axis = {motion->axis[0], motion->axis[1], motion->axis[2]};
    const double length = length3(axis), reach = length3(j.p.shift);
    vec3 d = reach > 0x1p-60 ? mul3(j.p.shift, 1 / reach) : (vec3){1, 0, 0};
    if (length > 0)
        d = turn_back3(&j.world, mul3(axis, 1 / length));
    s.c[0] = support3(&j.p, d);
    s.count = 1;
    const gjb_status status = travel(&j, &s, &best);
    out->sigma = j.t;
    out->iterations = j.p.supports;
    if (status == GJB_HIT || status == GJB_SEPARATED)
        write_contact(&j, pair, &best, out);
    return status;
}
