/* Grading of sweeps of boxes. With the gaps between faces that look at each other, g + t v, the boxes are in
 * contact while none is above 0; the largest of them, F(t), is convex. All that is asked of F is its value at
 * a time and its least value over an interval, here in long double; rational arithmetic decides where that
 * leaves a doubt. */
#include <float.h>
#include <math.h>

#include "grading/grade_private.h"

typedef long double real;

static int is_unturned(const gjb_pair *pair)
{
    if (pair->dim == 2) {
        const gjb_body2 *body[2] = {&pair->as.plane.a, &pair->as.plane.b};
        for (int i = 0; i < 2; i++)
            if (body[i]->pose.c != 1 || body[i]->pose.s != 0 || body[i]->motion.angle != 0)
                return 0;
        return 1;
    }
    const gjb_body3 *body[2] = {&pair->as.space.a, &pair->as.space.b};
    for (int i = 0; i < 2; i++) {
        const gjb_pose3d *p = &body[i]->pose;
        const gjb_motion3d *m = &body[i]->motion;
        if (p->qx != 0 || p->qy != 0 || p->qz != 0 || m->wx != 0 || m->wy != 0 || m->wz != 0)
            return 0;
    }
    return 1;
}

/* Extent of A or B about its own translation, which is exact; 1 when it is a box without radius. */
static int extent(const gjb_pair *pair, int of_b, real low[3], real high[3])
{
    const gjb_body2 *flat = of_b ? &pair->as.plane.b : &pair->as.plane.a;
    const gjb_body3 *solid = of_b ? &pair->as.space.b : &pair->as.space.a;
    const uint32_t dim = pair->dim, count = dim == 2 ? flat->count : solid->count;
    const double *rows = dim == 2 ? *flat->vertices : *solid->vertices;
    const gjb_kind kind = dim == 2 ? flat->kind : solid->kind;
    for (uint32_t k = 0; k < dim; k++) {
        low[k] = high[k] = rows[k];
        for (uint32_t i = 1; i < count; i++) {
            low[k] = fminl(low[k], rows[i * dim + k]);
            high[k] = fmaxl(high[k], rows[i * dim + k]);
        }
    }
    const double radius = dim == 2 ? flat->radius : solid->radius;
    return (kind == GJB_POINT || kind == GJB_BOX || kind == GJB_AABB) && radius == 0;
}

static void translation(const gjb_pair *pair, uint32_t k, real *offset, real *velocity)
{
    if (pair->dim == 2) {
        const gjb_body2 *a = &pair->as.plane.a, *b = &pair->as.plane.b;
        *offset = k ? (real)b->pose.y - a->pose.y : (real)b->pose.x - a->pose.x;
        *velocity = k ? (real)b->motion.y - a->motion.y : (real)b->motion.x - a->motion.x;
        return;
    }
    const gjb_pose3d *a = &pair->as.space.a.pose, *b = &pair->as.space.b.pose;
    const gjb_motion3d *u = &pair->as.space.a.motion, *v = &pair->as.space.b.motion;
    const real places[3] = {(real)b->x - a->x, (real)b->y - a->y, (real)b->z - a->z};
    const real ways[3] = {(real)v->x - u->x, (real)v->y - u->y, (real)v->z - u->z};
    *offset = places[k];
    *velocity = ways[k];
}

static gjb_swept *opened(gjb_truth *truth)
{
    gjb_swept *s = &truth->motion.swept;
    if (truth->motion.swept_open)
        return s;
    truth->motion.swept_open = 1;
    s->exact = 0;
    const int box_a = extent(truth->pair, 0, s->low[0], s->high[0]);
    const int box_b = extent(truth->pair, 1, s->low[1], s->high[1]);
    s->boxes = box_a && box_b && is_unturned(truth->pair);
    for (uint32_t k = 0; k < truth->pair->dim; k++) {
        real offset, velocity;
        translation(truth->pair, k, &offset, &velocity);
        s->low[1][k] += offset;
        s->high[1][k] += offset;
        s->gap[2 * k] = s->low[0][k] - s->high[1][k]; /* B below A */
        s->speed[2 * k] = -velocity;
        s->gap[2 * k + 1] = s->low[1][k] - s->high[0][k];
        s->speed[2 * k + 1] = velocity;
    }
    return s;
}

/* Of any gap below: a difference of places, of corners, and a sum of both, then a product. */
static real doubt_of(const gjb_truth *truth)
{
    return 16 * LDBL_EPSILON * (real)gjb_path_size(truth->pair);
}

/* F(t). */
static real widest(const gjb_swept *s, uint32_t dim, real t)
{
    real most = -INFINITY;
    for (uint32_t i = 0; i < 2 * dim; i++)
        most = fmaxl(most, s->gap[i] + t * s->speed[i]);
    return most;
}

/* The least F in [from, to]: at an end, or where a gap that shrinks and one that grows are the same. */
static real clearance(const gjb_swept *s, uint32_t dim, real from, real to)
{
    real least = fminl(widest(s, dim, from), widest(s, dim, to));
    for (uint32_t i = 0; i < 2 * dim; i++)
        for (uint32_t j = 0; j < 2 * dim; j++) {
            if (!(s->speed[i] < 0 && s->speed[j] >= 0))
                continue;
            const real t = (s->gap[i] - s->gap[j]) / (s->speed[j] - s->speed[i]);
            if (t > from && t < to)
                least = fminl(least, widest(s, dim, t));
        }
    return least;
}

static const ref_sweep_truth *ask_oracle(gjb_truth *truth)
{
    gjb_swept *s = &truth->motion.swept;
    if (!s->exact)
        ref_oracle_sweep(truth->pair, 0, &s->oracle);
    s->exact = 1;
    truth->exact = 1;
    return &s->oracle;
}

void gjb_swept_exact(gjb_truth *truth)
{
    gjb_swept *s = opened(truth);
    if (!s->boxes)
        return;
    const ref_sweep_truth *o = ask_oracle(truth);
    const real least = clearance(s, truth->pair->dim, 0, 1), doubt = doubt_of(truth);
    truth->conflict |= least > o->clearance[1] + doubt || least < o->clearance[0] - doubt ||
                       (o->status == GJB_SEPARATED) != (o->clearance[1] > 0);
    if (o->status == GJB_HIT)
        truth->conflict |= fabsl(widest(s, truth->pair->dim, o->first[0])) >
                           doubt + DBL_EPSILON * (real)gjb_path_size(truth->pair);
}

double gjb_swept_time(gjb_truth *truth)
{
    if (!opened(truth)->boxes)
        return NAN;
    const ref_sweep_truth *o = ask_oracle(truth);
    return o->status == GJB_HIT ? 0.5 * (o->first[0] + o->first[1]) : o->status == GJB_OVERLAPPING ? 0 : NAN;
}

/* Beyond what is granted? Ours are granted nothing, and within a doubt the oracle decides: `exactly`. */
static int beyond(gjb_grading *g, real depth, int (*exactly)(const ref_sweep_truth *, const gjb_result *))
{
    if (!g->granted->ours)
        return depth > g->tolerance;
    if (fabsl(depth) > doubt_of(g->truth))
        return depth > 0;
    return exactly(ask_oracle(g->truth), g->result);
}

static int later(const ref_sweep_truth *o, const gjb_result *r)
{
    return o->status == GJB_OVERLAPPING ? r->value > 0 : o->status == GJB_HIT && r->value > o->first[0];
}
static int sooner(const ref_sweep_truth *o, const gjb_result *r)
{
    return o->status != GJB_SEPARATED && r->last < o->last[1];
}
static int touching(const ref_sweep_truth *o, const gjb_result *r)
{
    (void)r;
    return o->status != GJB_SEPARATED;
}

static void note(gjb_grading *g, real distance)
{
    g->grade.value_eps = fmax(g->grade.value_eps, gjb_in_eps(g, fmaxl(0, distance)));
}

/* The face that is hit closes in, and no other is farther from closing. */
static void grade_normal(gjb_grading *g, const gjb_swept *s)
{
    const gjb_result *r = g->result;
    const uint32_t dim = g->truth->pair->dim;
    uint32_t face = 0, others = 0;
    for (uint32_t k = 1; k < dim; k++)
        if (fabs(r->normal[k]) > fabs(r->normal[face]))
            face = k;
    for (uint32_t k = 0; k < 3; k++)
        others += k != face && fabs(r->normal[k]) > (g->granted->ours ? 0 : 4 * g->granted->epsilon);
    const int unit = fabs(fabs(r->normal[face]) - 1) <= (g->granted->ours ? 0 : 4 * g->granted->epsilon);
    const uint32_t line = 2 * face + (r->normal[face] > 0);
    const real gap = s->gap[line] + (real)r->value * s->speed[line];
    const real shortfall = widest(s, dim, r->value) - gap;
    g->grade.has_normal = 1;
    g->grade.normal_eps = gjb_in_eps(g, fmaxl(0, shortfall));
    if (others || !(shortfall <= g->tolerance) || (r->value > 0 && !(s->speed[line] < 0)))
        gjb_set_fault(&g->grade, GJB_FAULT_NORMAL);
    else if (!unit) {
        g->grade.length_off = fabs(r->normal[face]) - 1;
        gjb_set_fault(&g->grade, GJB_FAULT_LENGTH);
    }
}

/* Centre of what they share, or of what is between them, relative to A's translation then. */
static void grade_point(gjb_grading *g, const gjb_swept *s)
{
    const gjb_result *r = g->result;
    real worst = 0;
    for (uint32_t k = 0; k < g->truth->pair->dim; k++) {
        const real way = (real)r->value * s->speed[2 * k + 1];
        const real low = fmaxl(s->low[0][k], s->low[1][k] + way);
        const real high = fminl(s->high[0][k], s->high[1][k] + way);
        worst = fmaxl(worst, fabsl(r->point_a[k] - 0.5L * (low + high)));
    }
    g->grade.has_points = 1;
    g->grade.witness_eps = gjb_in_eps(g, worst);
    if (!(worst <= g->tolerance))
        gjb_set_fault(&g->grade, GJB_FAULT_WITNESS);
}

static void grade_times(gjb_grading *g, const gjb_swept *s)
{
    const gjb_result *r = g->result;
    const uint32_t dim = g->truth->pair->dim;
    if (!(r->value >= 0 && r->value <= r->last && r->last <= 1)) {
        g->grade.value_eps = 1 / g->granted->epsilon; /* all of S: no time of the step */
        gjb_set_fault(&g->grade, GJB_FAULT_VALUE);
        return;
    }
    const real early = widest(s, dim, r->value), left = widest(s, dim, r->last);
    note(g, fmaxl(early, left));
    if (r->status == GJB_HIT && r->value > 0) {
        const real late = -clearance(s, dim, 0, r->value);
        note(g, late);
        if (beyond(g, late, later))
            gjb_set_fault(&g->grade, GJB_FAULT_LATE);
    }
    if (r->last < 1) {
        const real missed = -clearance(s, dim, r->last, 1);
        note(g, missed);
        if (beyond(g, missed, sooner))
            gjb_set_fault(&g->grade, GJB_FAULT_LAST);
    }
    if (early > g->tolerance)
        gjb_set_fault(&g->grade, r->status == GJB_OVERLAPPING ? GJB_FAULT_BOOLEAN : GJB_FAULT_VALUE);
    if (left > g->tolerance)
        gjb_set_fault(&g->grade, GJB_FAULT_LAST);
    if (r->status == GJB_HIT && r->value == 0 && early < -g->tolerance)
        gjb_set_fault(&g->grade, GJB_FAULT_BOOLEAN);
}

void gjb_grade_sweep(gjb_grading *g)
{
    const gjb_swept *s = opened(g->truth);
    if (!s->boxes) { /* what is no sweep has no answer */
        g->grade.has_value = 0;
        gjb_set_fault(&g->grade, GJB_FAULT_BOOLEAN);
        return;
    }
    if (g->result->status == GJB_SEPARATED) {
        const real depth = -clearance(s, g->truth->pair->dim, 0, 1);
        note(g, depth);
        if (beyond(g, depth, touching))
            gjb_set_fault(&g->grade, GJB_FAULT_BOOLEAN);
        else if (!g->granted->ours && depth >= 0)
            g->grade.verdict = GJB_UNGRADED;
        return;
    }
    grade_times(g, s);
    if (g->result->status == GJB_HIT && !g->granted->no_normal)
        grade_normal(g, s);
    if (!g->granted->no_points)
        grade_point(g, s);
}
