/* One pair in motion, and how far an axis carries it (toi3.h): for any shapes, by their support mappings.
 *
 * Frame: A's axes at the time and its origin, lengths times the power of two that brings the size of
 * the path into [1, 2). */
#ifndef GJB_SIMD_TOI_PAIR3_H
#define GJB_SIMD_TOI_PAIR3_H

#include "simd/lanes/turn_double.h"
#include "simd/space/fallback/fallback3_ball.h"
#include "simd/space/fallback/fallback3_support.h"
#include "simd/toi.h"

/* A shape's part in the motion, in the frame; `spin` in world axes. */
typedef struct spinner {
    double q[4];   /* x y z w at t = 0 */
    vec3 spin;     /* rotation vector of the step */
    vec3 axis;     /* of unit length; 0 if nothing turns */
    double rate, reach; /* |spin|; no point of the core is farther from the origin */
    double ball; /* radius of a ball that rolls inside the shape, and that no turn changes */
} spinner;

typedef struct journey {
    problem p;     /* the pair at t, in A's axes at that time, B moved by the lift */
    spinner a, b;
    vec3 at, lift; /* B's origin in A's axes at t; how far B is moved for GJK, 0 at first */
    vec3 start, way; /* of B's origin against A's, world axes, in the frame: at t = 0, and in the step */
    double t, grain, target, aim, near;
    mat3 world;    /* A's axes at t to the world's */
    vec3 held;     /* world axes, of any length: the axis that last proved the cores apart, also at t */
    int apart;     /* the cores were proven apart */
    int lifted;    /* B is moved, and the cores are then apart, */
    vec3 up;       /* along this, world axes, of any length; */
    vec3 turned;   /* the last turn of it by GJK, */
    double share;  /* and by how much that was extended */
    int spins;
} journey;

static spinner spinner_of(const gjb_fallback_side *side, const double *motion, double scale)
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
    const vec3 u = mul3(s->axis, n);
    then_turned3(s->q, c, u, q);
}

/* The pair as it is at j->t. */
static void place(journey *j)
{
    double a[4], b[4];
    turned(&j->a, j->t, a);
    turned(&j->b, j->t, b);
    j->world = rotation3(a[0], a[1], a[2], a[3]);
    j->p.turn = relative_rotation3(a, b);
    j->at = turn_back3(&j->world, add3(j->start, mul3(j->way, j->t)));
    j->p.shift = j->at;
}

/* A direction of world axes, of any length, as a unit vector of A's. */
static vec3 axis_in_frame(const journey *j, vec3 world)
{
    return mul3(turn_back3(&j->world, world), 1 / length3(world));
}

/* The axis that last proved the cores apart. */
static vec3 held_axis(const journey *j)
{
    return axis_in_frame(j, j->held);
}

static void set_out(journey *j, const gjb_fallback_pair *pair, const gjb_fallback_motion *motion)
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
    j->p = (problem){.scale = scale, .radius = (pair->a.radius + pair->b.radius) * scale, .clear = LEAST_CLEAR};
    j->p.a = hull_of(&pair->a);
    j->p.b = hull_of(&pair->b);
    j->p.curve_a = curve_of(&pair->a, scale);
    j->p.curve_b = curve_of(&pair->b, scale);
    j->p.curved = j->p.curve_a.curve || j->p.curve_b.curve;
    j->a.ball = ROLLS * rolling_radius(&j->p.curve_a);
    j->b.ball = ROLLS * rolling_radius(&j->p.curve_b);
    j->lift = j->turned = (vec3){0, 0, 0};
    j->share = 1;
    memcpy(j->p.ahead, pair->ahead, sizeof j->p.ahead);
    place(j);
}

/* A direction that moves along: n + tau * follow. The vertices' velocities count as if they
 * turned it the other way: it leans. */
typedef struct course {
    vec3 n, lean_a, lean_b; /* n of unit length; n x spin + follow, of each shape */
    double swing;           /* |follow| */
    double along, bend;     /* of the gap: its slope but for the lean, and the most it may lose with tau^2 */
    double radius;          /* of both, with the balls that roll inside */
} course;

/* A lower bound of how much the gap along it, times its length, exceeds the target after tau: a
 * concave function of tau, less bend tau^2. */
static double room_after(journey *j, const course *go, double tau)
{
    const vec3 da = add3(go->n, mul3(go->lean_a, tau)), db = add3(go->n, mul3(go->lean_b, tau));
    const vec3 ua = mul3(da, 1 / length3(da)), ub = mul3(db, 1 / length3(db));
    j->p.supports++;
    const corner c = j->p.curved ? curved_corner(&j->p, ua, ub)
                                 : corner_of(&j->p, extreme3(&j->p.a, ua),
                                             extreme3(&j->p.b, neg3(turn_back3(&j->p.turn, ub))));
    const double of_a = dot3(da, c.a) - j->a.ball * length3(da), of_b = dot3(db, sub3(c.b, j->p.shift)) + j->b.ball * length3(db);
    return of_b - of_a + dot3(go->n, j->at) + tau * go->along - go->bend * tau * tau -
           (go->radius + j->target) * sqrt(1 + tau * tau * go->swing * go->swing);
}

/* The tau at which g + slope tau - bend tau^2 has fallen to 0. */
static double falls_to_zero(double g, double slope, double bend)
{
    const double root = sqrt(slope * slope + 4 * bend * g);
    return slope <= 0 ? 2 * g / (root - slope) : (slope + root) / (2 * bend);
}

/* The velocity of the normal n that keeps it normal to the edges of the simplex's feature
 * while its corners move. 0 for a vertex. */
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
    return (s->reach - s->ball) * (swings + s->rate * turns * (0.5 + 0x1p-40));
}

/* The input of the steps along an axis that starts as n. */
typedef struct bearing {
    vec3 n, way, spin_a, spin_b; /* in A's axes */
    double room, left;           /* the gap less the target; the most that a step may be */
    const corner *c;             /* of D, extreme along n */
} bearing;

/* How far an axis that starts as n, and changes by `follow`, certainly carries. */
static double course_step(journey *j, const bearing *from, vec3 follow)
{
    const vec3 turn_a = cross3(from->n, from->spin_a), turn_b = cross3(from->n, from->spin_b);
    course go = {.n = from->n, .swing = length3(follow), .radius = j->p.radius + j->a.ball + j->b.ball};
    if (!(go.swing < 0x1p30))
        return 0;
    const double most = fmin(from->left, 0.5 / go.swing);
    go.lean_a = add3(turn_a, follow);
    go.lean_b = add3(turn_b, follow);
    go.along = dot3(from->n, from->way) + dot3(follow, j->at);
    go.bend = fmax(most_bend(&j->a, turn_a, cross3(follow, from->spin_a), most) +
                   most_bend(&j->b, turn_b, cross3(follow, from->spin_b), most) - dot3(follow, from->way), 0);
    const double slope = go.along + dot3(go.lean_b, sub3(from->c->b, j->p.shift)) - dot3(go.lean_a, from->c->a);
    const double guess = falls_to_zero(from->room, slope, go.bend + go.radius * go.swing * go.swing / 2);
    const double tau = guess < most ? guess : most;
    const double then = room_after(j, &go, tau), bent = go.bend * tau * tau;
    return then >= 0 ? tau : tau * fmin(falls_to_zero(from->room, then + bent - from->room, bent), 1);
}

/* How far n certainly carries if it turns with one of the shapes, as if fixed to it. The support of that
 * shape is constant, and the other's origin moves along R'(d + tau way), whose second derivative is w x (w x
 * s) - 2 w x way. The other shape's support loses at most its reach times their relative rate. For a long
 * shape that turns near a small one, whose whole length counts for the linear axes above. */
static double carried_step(const journey *j, const bearing *from, const spinner *own, const spinner *other, vec3 spin)
{
    const double way = length3(from->way), far = length3(j->at) + way * from->left;
    const double slope = dot3(from->n, sub3(from->way, cross3(spin, j->at))) - other->reach * (own->rate + other->rate);
    const double bend = own->rate * (0.5 * own->rate * far + way);
    return fmin(falls_to_zero(from->room, slope, bend), from->left);
}

/* n after it has turned with the shape, in A's axes at the beginning (Rodrigues). */
static vec3 carried_axis(const journey *j, const spinner *own, vec3 n, double step)
{
    const vec3 axis = turn_back3(&j->world, own->axis);
    double c, s;
    gjb_turn_double(step * own->rate, &c, &s);
    return add3(add3(mul3(n, c), mul3(cross3(axis, n), s)), mul3(axis, dot3(axis, n) * (1 - c)));
}

typedef struct stretch {
    double step;
    vec3 axis; /* the axis that proves the cores apart at its end, in A's axes at its beginning */
} stretch;

#define SHORT 0x1p-12 /* a step below this share of the rest makes the search for a longer one worthwhile */

/* How far the pair may certainly advance from j->t: along n its gap is `room` more than
 * the target. The feature may be a small shape's edge that turns fast, which is bad to
 * follow if the other shape is large: so the axis at rest is tried too. */
static stretch safe_step(journey *j, const simplex *s, vec3 n, const corner *c, double room)
{
    const bearing from = {n, turn_back3(&j->world, j->way), turn_back3(&j->world, j->a.spin),
                          turn_back3(&j->world, j->b.spin), room, 1 - j->t, c};
    const double slope = dot3(n, from.way);
    if (!j->spins)
        return (stretch){fmin(falls_to_zero(room, slope, 0), from.left), n};
    const vec3 rest = {0, 0, 0};
    vec3 follow = follow_feature(j, s, n, from.spin_a, from.spin_b);
    if (j->p.curved) /* n may be Newton's, and not the feature's normal */
        follow = sub3(follow, mul3(n, dot3(n, follow)));
    stretch best = {course_step(j, &from, rest), n};
    const double along = s->count > 1 ? course_step(j, &from, follow) : 0;
    if (along > best.step)
        best = (stretch){along, add3(n, mul3(follow, along))};
    /* Balls are the same however far shapes turn. */
    const double ball_a = j->a.rate > 0 ? j->a.reach : dot3(n, c->a);
    const double ball_b = j->b.rate > 0 ? j->b.reach : -dot3(n, sub3(c->b, j->p.shift));
    const double ball = dot3(n, j->at) - (ball_a + ball_b) - (j->p.radius + j->target);
    const double rolled = ball > 0 ? fmin(falls_to_zero(ball, slope, 0), from.left) : 0;
    if (rolled > best.step)
        best = (stretch){rolled, n};
    for (int b = 0; b < 2 && best.step < SHORT * from.left; b++) {
        const spinner *own = b ? &j->b : &j->a;
        const double step = carried_step(j, &from, own, b ? &j->a : &j->b, b ? from.spin_b : from.spin_a);
        if (step > best.step)
            best = (stretch){step, carried_axis(j, own, n, step)};
    }
    return best;
}

#endif
