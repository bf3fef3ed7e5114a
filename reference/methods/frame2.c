/* The frame of GJK and EPA in the plane: placed vertices, support mapping, nearest segments, witness points. */
#include "reference/methods/frame2.h"

#include <math.h>

static bool body_bound(const gjb_body2 *body, double *bound)
{
    double most = body->radius;
    bool finite = isfinite(body->radius) && body->count > 0;
    for (uint32_t k = 0; k < body->count; k++) {
        double x = fabs(body->vertices[k][0]), y = fabs(body->vertices[k][1]);
        finite = finite && isfinite(x) && isfinite(y);
        most = fmax(most, fmax(x, y));
    }
    const gjb_pose2d *pose = &body->pose;
    *bound = most;
    return finite && isfinite(pose->x) && isfinite(pose->y) && isfinite(pose->c) && isfinite(pose->s);
}

bool ref_frame2_open(ref_frame2 *frame, const gjb_pair2 *pair)
{
    double bound_a, bound_b;
    if (!body_bound(&pair->a, &bound_a) || !body_bound(&pair->b, &bound_b))
        return false;
    /* Halves, so that opposite huge translations do not overflow. */
    double half_x = 0.5 * pair->b.pose.x - 0.5 * pair->a.pose.x;
    double half_y = 0.5 * pair->b.pose.y - 0.5 * pair->a.pose.y;
    double bound = fmax(fmax(bound_a, bound_b), fmax(fabs(half_x), fabs(half_y)));
    int exponent = 0;
    if (bound > 0)
        frexp(bound, &exponent);
    exponent = exponent > 1022 ? 1022 : exponent < -1022 ? -1022 : exponent;
    frame->pair = pair;
    frame->watch = NULL;
    frame->scale = ldexp(1.0, -exponent);
    frame->unscale = ldexp(1.0, exponent);
    frame->offset[0] = 2 * (half_x * frame->scale);
    frame->offset[1] = 2 * (half_y * frame->scale);
    return true;
}

static void image(const ref_frame2 *frame, const gjb_body2 *body, uint32_t k, double out[2])
{
    double x = body->vertices[k][0] * frame->scale, y = body->vertices[k][1] * frame->scale;
    out[0] = body->pose.c * x - body->pose.s * y;
    out[1] = body->pose.s * x + body->pose.c * y;
}

ref_vertex2 ref_vertex2_at(const ref_frame2 *frame, uint32_t i, uint32_t j)
{
    ref_vertex2 v = {.i = i, .j = j};
    image(frame, &frame->pair->a, i, v.a);
    image(frame, &frame->pair->b, j, v.b);
    for (int k = 0; k < 2; k++) {
        v.b[k] += frame->offset[k];
        v.w[k] = v.b[k] - v.a[k];
    }
    return v;
}

static uint32_t extreme(const gjb_body2 *body, double x, double y)
{
    double lx = body->pose.c * x + body->pose.s * y;
    double ly = body->pose.c * y - body->pose.s * x;
    uint32_t best = 0;
    double most = lx * body->vertices[0][0] + ly * body->vertices[0][1];
    for (uint32_t k = 1; k < body->count; k++) {
        double reach = lx * body->vertices[k][0] + ly * body->vertices[k][1];
        if (reach > most) {
            most = reach;
            best = k;
        }
    }
    return best;
}

ref_vertex2 ref_support2(const ref_frame2 *frame, const double n[2])
{
    double x = n[0] * frame->scale, y = n[1] * frame->scale;
    uint32_t i = extreme(&frame->pair->a, x, y);
    uint32_t j = extreme(&frame->pair->b, -x, -y);
    return ref_vertex2_at(frame, i, j);
}

ref_answer ref_answer2(const ref_frame2 *frame, const ref_core2 *core)
{
    double ra = frame->pair->a.radius, rb = frame->pair->b.radius;
    double radius = (ra + rb) * frame->scale;
    ref_answer answer = {.iterations = core->iterations};
    answer.sigma = (core->sigma - radius) * frame->unscale;
    answer.lower = (core->lower - radius) * frame->unscale;
    answer.upper = (core->upper - radius) * frame->unscale;
    for (int k = 0; k < 2; k++) {
        answer.normal[k] = core->normal[k];
        answer.point_a[k] = core->a[k] * frame->unscale + ra * core->normal[k];
        answer.point_b[k] = core->b[k] * frame->unscale - rb * core->normal[k];
    }
    answer.status = answer.sigma > 0 ? GJB_SEPARATED : GJB_OVERLAPPING;
    return answer;
}

ref_nearest2 ref_segment_nearest2(const double p_in[2], const double q_in[2], const double target[2])
{
    double p[2] = {p_in[0] - target[0], p_in[1] - target[1]};
    double q[2] = {q_in[0] - target[0], q_in[1] - target[1]};
    double e[2] = {q_in[0] - p_in[0], q_in[1] - p_in[1]};
    double ahead = -ref_dot2(p, e), behind = ref_dot2(q, e);
    ref_nearest2 nearest = {0};
    if (ahead > 0 && behind > 0) {
        double length = sqrt(ref_dot2(e, e));
        double pp = ref_dot2(p, p), qq = ref_dot2(q, q);
        /* From the nearer end: the smaller vector rounds less. */
        double height = ref_cross2(pp <= qq ? p : q, e) / length;
        double sign = height < 0 ? -1 : 1;
        nearest.feature = 2;
        nearest.t = ahead / (ahead + behind);
        nearest.distance = fabs(height);
        nearest.normal[0] = sign * e[1] / length;
        nearest.normal[1] = -sign * e[0] / length;
        return nearest;
    }
    nearest.feature = ahead > 0;
    nearest.t = nearest.feature;
    const double *v = nearest.feature ? q : p;
    nearest.distance = sqrt(ref_dot2(v, v));
    if (nearest.distance > 0) {
        nearest.normal[0] = v[0] / nearest.distance;
        nearest.normal[1] = v[1] / nearest.distance;
    }
    return nearest;
}

void ref_witness2(ref_core2 *core, const ref_vertex2 *p, const ref_vertex2 *q, double t)
{
    for (int k = 0; k < 2; k++) {
        /* From the nearer end, so that t = 1 gives q exactly. */
        core->a[k] = t <= 0.5 ? p->a[k] + t * (q->a[k] - p->a[k]) : q->a[k] - (1 - t) * (q->a[k] - p->a[k]);
        core->b[k] = t <= 0.5 ? p->b[k] + t * (q->b[k] - p->b[k]) : q->b[k] - (1 - t) * (q->b[k] - p->b[k]);
    }
}
