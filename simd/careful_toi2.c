/* As in toi2.h, one lane wide, with the direction of a proven distance. */
#define GJB_BITS 64
#define GJB_LANES_SCALAR
#include "simd/careful_toi2.h"

#include "simd/careful_curve2.h"
#include "simd/careful_curved2.h"
#include "simd/turn.h"
#include "simd/toi.h"

#define STEPS 20000 /* distances, or looks ahead */
#define CORNER 1.15 /* as in toi2.h */

/* A pair in units of `grain`, which only the motion needs: poses stay in world units. */
typedef struct course {
    const careful_mover *a, *b;
    double grain, x, y, dx, dy;
    double reach_a, reach_b, radius, size;
} course;

typedef struct glance {
    double gap, ha, hb, along, slope;
} glance;

static careful_body body_at(const careful_mover *m, double t, double px, double py)
{
    careful_body body = m->at;
    double c, s;
    v_turn(m->angle * t, &c, &s);
    body.c = c * m->at.c - s * m->at.s;
    body.s = s * m->at.c + c * m->at.s;
    body.px = px;
    body.py = py;
    return body;
}

/* A's translation is where the frame is. */
static careful_body a_at(const course *w, double t)
{
    return body_at(w->a, t, 0, 0);
}

static careful_body b_at(const course *w, double t)
{
    return body_at(w->b, t, (w->x + t * w->dx) * w->grain, (w->y + t * w->dy) * w->grain);
}

/* Height of a shape along a unit vector of world axes, and how fast it rises as the shape turns. */
static double height(const careful_body *body, double scale, double nx, double ny, double *rise)
{
    const double lx = body->c * nx + body->s * ny, ly = body->c * ny - body->s * nx;
    if (body->curve) {
        const curve2 c = careful_curve_of(body, scale);
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

static glance look(const course *w, double t, const double n[2])
{
    const careful_body a = a_at(w, t), b = b_at(w, t);
    const double scale = 1 / w->grain;
    double rise_a, rise_b;
    glance g;
    g.ha = height(&a, scale, n[0], n[1], &rise_a);
    g.hb = height(&b, scale, -n[0], -n[1], &rise_b);
    g.along = n[0] * (w->x + t * w->dx) + n[1] * (w->y + t * w->dy);
    g.gap = g.along - g.ha - g.hb - w->radius;
    g.slope = n[0] * w->dx + n[1] * w->dy - w->a->angle * rise_a - w->b->angle * rise_b;
    return g;
}

static double bend_of(const course *w, double ha, double hb)
{
    const double wa = w->a->angle, wb = w->b->angle;
    return CORNER / 2 * (wa * wa * fmax(ha, 0) + wb * wb * fmax(hb, 0));
}

/* From t, where the gap along n is g->gap > aim: the time up to which it is proven to be
 * `target`; *again when the gap there is known, in *g, and wide. *ahead is how far it looks: less
 * where that showed another vertex coming on, which shortens the proof by more than itself. */
static double advance(const course *w, double t, const double n[2], double target, double aim, double wide, glance *g,
                      double *ahead, int *again)
{
    const double wa = fabs(w->a->angle), wb = fabs(w->b->angle), nd = n[0] * w->dx + n[1] * w->dy;
    const double spare = g->gap - aim, bend = bend_of(w, g->ha, g->hb);
    const double far_a = wa > 0 ? w->reach_a : g->ha + w->a->at.radius / w->grain;
    const double far_b = wb > 0 ? w->reach_b : g->hb + w->b->at.radius / w->grain;
    const double beyond = g->along - far_a - far_b - aim, line = beyond > 0 ? nd < 0 ? t + beyond / -nd : 2 : t;
    const double root = toi_root(spare, g->slope, bend / CORNER, 4);
    const double tau = fmin(root, fmin(sqrt(3 * spare / fmax(bend, REAL_MIN)), 1 / fmax(fmax(wa, wb), REAL_MIN)));
    const double te = fmin(t + fmin(tau, *ahead), 1);
    *again = 0;
    if (line >= te || te <= t)
        return fmin(line, 1);
    const glance there = look(w, te, n);
    const double share = toi_share(g->gap, there.gap, bend_of(w, fmax(g->ha, there.ha), fmax(g->hb, there.hb)) *
                                                          (te - t) * (te - t), target);
    *ahead = share < 0.5 ? fmax((te - t) / 4, 0x1p-48) : 4 * *ahead;
    if (share < 1)
        return t + share * (te - t);
    *g = there;
    *again = there.gap > wide && there.gap > aim;
    return te;
}

static course lay_out(const careful_mover *a, const careful_mover *b)
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

void gjb_careful_toi2(const careful_mover *a, const careful_mover *b, double epsilon, double *room,
                      careful_impact *impact)
{
    const course w = lay_out(a, b);
    const double unit = epsilon * w.size, target = TOI_TARGET * unit, aim = TOI_AIM * unit, touch = TOI_TOUCH * unit;
    const int curved = a->at.curve || b->at.curve;
    double t = 0, ahead = 1;
    memset(impact, 0, sizeof *impact);
    for (int step = 0; step < STEPS;) {
        const careful_body at_a = a_at(&w, t), at_b = b_at(&w, t);
        (curved ? gjb_careful_curved2 : gjb_careful2)(&at_a, &at_b, a->extent + b->extent, room, &impact->answer);
        const double known = impact->answer.sigma / w.grain, *n = impact->answer.normal;
        impact->t = t;
        if (known <= touch) {
            impact->status = t > 0 ? GJB_HIT : GJB_OVERLAPPING;
            return;
        }
        glance g = look(&w, t, n);
        const double start = t;
        for (int again = 1; again && g.gap > aim; step++) {
            t = advance(&w, t, n, target, aim, known / 2, &g, &ahead, &again);
            if (t >= 1) {
                impact->status = GJB_SEPARATED;
                return;
            }
            if (step >= STEPS)
                break;
        }
        if (!(t > start)) /* nothing is proven */
            break;
    }
    impact->status = GJB_ITERATION_LIMIT;
    memset(&impact->answer, 0, sizeof impact->answer);
}
