/* The fallback path of the time of impact in 2D: conservative advancement in double, one pair at a time.
 * As in toi2.h, one lane wide, with the direction of a proven distance. */
#define GJB_BITS 64
#define GJB_LANES_SCALAR
#include "simd/plane/fallback/fallback2_toi.h"

#include "simd/lanes/turn.h"
#include "simd/plane/fallback/fallback2_curve.h"
#include "simd/plane/fallback/fallback2_curved.h"
#include "simd/toi.h"

#define STEPS 20000 /* at most so many distances or looks ahead */
#define FEW_STEPS 32 /* after so many, directions that turn are tried too */
enum { WAYS = 3 };
#define CORNER 1.15 /* as in toi2.h */

/* A pair with its motion in units of `grain`; poses stay in world units. */
typedef struct course {
    const fallback_mover *a, *b;
    double grain, x, y, dx, dy;
    double reach_a, reach_b, radius, size;
} course;

typedef struct glance {
    double gap, ha, hb, along, slope;
} glance;

static fallback_body body_at(const fallback_mover *m, double t, double px, double py)
{
    fallback_body body = m->at;
    double c, s;
    v_turn(m->angle * t, &c, &s);
    body.c = c * m->at.c - s * m->at.s;
    body.s = s * m->at.c + c * m->at.s;
    body.px = px;
    body.py = py;
    return body;
}

/* A at time t; the frame moves with A's translation. */
static fallback_body a_at(const course *w, double t)
{
    return body_at(w->a, t, 0, 0);
}

static fallback_body b_at(const course *w, double t)
{
    return body_at(w->b, t, (w->x + t * w->dx) * w->grain, (w->y + t * w->dy) * w->grain);
}

/* Height of a shape along a unit vector of world axes, and how fast it rises as the shape turns. */
static double height(const fallback_body *body, double scale, double nx, double ny, double *rise)
{
    const double lx = body->c * nx + body->s * ny, ly = body->c * ny - body->s * nx;
    if (body->curve) {
        const curve2 c = fallback_curve_of(body, scale);
        double x, y;
        extreme_of_curve2(&c, lx, ly, &x, &y);
        *rise = x * ly - y * lx;
        return lx * x + ly * y;
    }
    double top = -INFINITY;
    *rise = 0;
    for (uint32_t i = 0; i < body->n; i++) {
        const double x = body->x[i] * scale, y = body->y[i] * scale, h = lx * x + ly * y;
        if (h > top) {
            top = h;
            *rise = x * ly - y * lx;
        }
    }
    return top;
}

/* Along n, which turns with `spin`. */
static glance look(const course *w, double t, const double n[2], double spin)
{
    const fallback_body a = a_at(w, t), b = b_at(w, t);
    const double scale = 1 / w->grain, x = w->x + t * w->dx, y = w->y + t * w->dy;
    double rise_a, rise_b;
    glance g;
    g.ha = height(&a, scale, n[0], n[1], &rise_a);
    g.hb = height(&b, scale, -n[0], -n[1], &rise_b);
    g.along = n[0] * x + n[1] * y;
    g.gap = g.along - g.ha - g.hb - w->radius;
    g.slope = n[0] * w->dx + n[1] * w->dy + spin * (n[0] * y - n[1] * x) - (w->a->angle - spin) * rise_a -
              (w->b->angle - spin) * rise_b;
    return g;
}

/* Half of the most that the gap bends down: because the shapes turn against the direction, and because the
 * direction turns against the displacement between them. */
static double bend_of(const course *w, double spin, double ha, double hb, double along)
{
    const double wa = w->a->angle - spin, wb = w->b->angle - spin;
    const double turns = wa * wa * fmax(ha, 0) + wb * wb * fmax(hb, 0) + spin * spin * fmax(-along, 0);
    return CORNER / 2 * turns + fabs(spin) * sqrt(w->dx * w->dx + w->dy * w->dy);
}

/* A proof in progress: the gap along n, which turns with `spin`, at a time. It looks ahead less far after
 * a look that met another vertex, which shortens the proof by more than the look itself. */
typedef struct proof {
    double t, n[2], spin, ahead;
    glance g;
} proof;

/* From a gap > aim to the time up to which it is proven to be `target`; 1 when the gap there is known, and wide. */
static int advance(const course *w, double target, double aim, double wide, proof *p)
{
    const double t = p->t, *n = p->n, wa = fabs(w->a->angle - p->spin), wb = fabs(w->b->angle - p->spin);
    const double nd = n[0] * w->dx + n[1] * w->dy;
    const double spare = p->g.gap - aim, bend = bend_of(w, p->spin, p->g.ha, p->g.hb, p->g.along);
    const double far_a = wa > 0 ? w->reach_a : p->g.ha + w->a->at.radius / w->grain;
    const double far_b = wb > 0 ? w->reach_b : p->g.hb + w->b->at.radius / w->grain;
    const double beyond = p->g.along - far_a - far_b - aim;
    const double line = beyond > 0 && p->spin == 0 ? nd < 0 ? t + beyond / -nd : 2 : t;
    const double root = toi_root(spare, p->g.slope, bend / CORNER, 4);
    const double turns = fmax(fmax(wa, wb), fabs(p->spin));
    const double tau = fmin(root, fmin(sqrt(3 * spare / fmax(bend, REAL_MIN)), 1 / fmax(turns, REAL_MIN)));
    const double te = fmin(t + fmin(tau, p->ahead), 1);
    p->t = fmin(line, 1);
    if (line >= te || te <= t)
        return 0;
    double c, s;
    v_turn(p->spin * (te - t), &c, &s);
    const double then[2] = {c * n[0] - s * n[1], s * n[0] + c * n[1]};
    const glance there = look(w, te, then, p->spin);
    const double most = bend_of(w, p->spin, fmax(p->g.ha, there.ha), fmax(p->g.hb, there.hb), fmin(p->g.along, there.along));
    const double share = toi_share(p->g.gap, there.gap, most * (te - t) * (te - t), target);
    p->ahead = share < 0.5 ? fmax((te - t) / 4, 0x1p-48) : 4 * p->ahead;
    p->t = share < 1 ? t + share * (te - t) : te;
    if (share < 1)
        return 0;
    memcpy(p->n, then, sizeof then);
    p->g = there;
    return there.gap > wide && there.gap > aim;
}

/* The farthest proof by directions that start as n, and are fixed or turn with a shape: flat sides may
 * meet face on. */
static int advance_best(const course *w, const double n[2], double target, double aim, double wide, int ways, proof *all, proof *best)
{
    const double t = best->t;
    int again = 0;
    for (int way = 0; way < ways; way++) {
        proof *p = &all[way];
        p->t = t;
        memcpy(p->n, n, sizeof p->n);
        p->g = look(w, t, n, p->spin);
        const int more = advance(w, target, aim, wide, p);
        if (way == 0 || p->t > best->t) {
            *best = *p;
            again = more;
        }
    }
    return again;
}

static course lay_out(const fallback_mover *a, const fallback_mover *b)
{
    course w = {.a = a, .b = b, .x = b->at.px - a->at.px, .y = b->at.py - a->at.py, .dx = b->dx - a->dx, .dy = b->dy - a->dy};
    const double most = a->extent + b->extent + fabs(w.x) + fabs(w.y) + fabs(w.dx) + fabs(w.dy);
    w.grain = most > 16 * REAL_MIN ? v_pow2_floor(most) : 16 * REAL_MIN;
    const double scale = 1 / w.grain;
    w.x *= scale, w.y *= scale, w.dx *= scale, w.dy *= scale;
    w.reach_a = a->extent * scale;
    w.reach_b = b->extent * scale;
    w.radius = (a->at.radius + b->at.radius) * scale;
    w.size = w.reach_a + w.reach_b + sqrt(w.x * w.x + w.y * w.y) + sqrt(w.dx * w.dx + w.dy * w.dy) +
             fabs(a->angle) * (w.reach_a - a->at.radius * scale) + fabs(b->angle) * (w.reach_b - b->at.radius * scale);
    w.size = fmax(w.size, 0.5);
    return w;
}

void gjb_fallback2_toi(const fallback_mover *a, const fallback_mover *b, double epsilon, double *room,
                      fallback_impact *impact)
{
    const course w = lay_out(a, b);
    const double unit = epsilon * w.size, target = TOI_TARGET * unit, aim = TOI_AIM * unit, touch = TOI_TOUCH * unit;
    const int curved = a->at.curve || b->at.curve;
    proof all[WAYS] = {{.ahead = 1}, {.ahead = 1, .spin = a->angle}, {.ahead = 1, .spin = b->angle}}, p = {0};
    memset(impact, 0, sizeof *impact);
    for (int step = 0; step < STEPS;) {
        const fallback_body at_a = a_at(&w, p.t), at_b = b_at(&w, p.t);
        (curved ? gjb_fallback2_curved : gjb_fallback2)(&at_a, &at_b, a->extent + b->extent, room, &impact->answer);
        const double known = impact->answer.sigma / w.grain, *n = impact->answer.normal, start = p.t;
        impact->t = p.t;
        if (known <= touch) {
            impact->status = p.t > 0 ? GJB_HIT : GJB_OVERLAPPING;
            return;
        }
        if (look(&w, p.t, n, 0).gap > aim)
            for (int again = advance_best(&w, n, target, aim, known / 2, step < FEW_STEPS ? 1 : WAYS, all, &p); again; step++)
                again = step < STEPS && p.t < 1 && advance(&w, target, aim, known / 2, &p);
        step++;
        if (p.t >= 1) {
            impact->status = GJB_SEPARATED;
            return;
        }
        if (!(p.t > start)) /* nothing is proven */
            break;
    }
    impact->status = GJB_ITERATION_LIMIT;
    memset(&impact->answer, 0, sizeof impact->answer);
}
