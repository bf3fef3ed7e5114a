/* The frame of GJK and EPA in space: rotations, placed vertices, support mapping, witness points. */
#include "reference/methods/frame3.h"

#include <math.h>

static bool body_bound(const gjb_body3 *body, double *bound)
{
    const gjb_pose3d *pose = &body->pose;
    const double numbers[8] = {body->radius, pose->x, pose->y, pose->z, pose->qx, pose->qy, pose->qz, pose->qw};
    double most = body->radius;
    bool finite = body->count > 0;
    for (int k = 0; k < 8; k++)
        finite = finite && isfinite(numbers[k]);
    for (uint32_t k = 0; k < body->count; k++) {
        for (int m = 0; m < 3; m++) {
            finite = finite && isfinite(body->vertices[k][m]);
            most = fmax(most, fabs(body->vertices[k][m]));
        }
    }
    *bound = most;
    return finite && (pose->qx != 0 || pose->qy != 0 || pose->qz != 0 || pose->qw != 0);
}

void ref_rotation3(const gjb_pose3d *pose, long double rotation[3][3])
{
    const long double q[4] = {pose->qx, pose->qy, pose->qz, pose->qw};
    ref_rotation3l(q, rotation);
}

void ref_rotation3l(const long double q[4], long double rotation[3][3])
{
    long double x = q[0], y = q[1], z = q[2], w = q[3];
    long double xx = x * x, yy = y * y, zz = z * z, ww = w * w, norm = xx + yy + zz + ww;
    const long double m[3][3] = {
        {ww + xx - yy - zz, 2 * (x * y - w * z), 2 * (x * z + w * y)},
        {2 * (x * y + w * z), ww - xx + yy - zz, 2 * (y * z - w * x)},
        {2 * (x * z - w * y), 2 * (y * z + w * x), ww - xx - yy + zz},
    };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            rotation[i][j] = m[i][j] / norm;
}

bool ref_frame3_open(ref_frame3 *frame, const gjb_pair3 *pair)
{
    double bound_a, bound_b;
    if (!body_bound(&pair->a, &bound_a) || !body_bound(&pair->b, &bound_b))
        return false;
    const gjb_pose3d *a = &pair->a.pose, *b = &pair->b.pose;
    /* Halves, so that opposite huge translations do not overflow. */
    double half[3] = {0.5 * b->x - 0.5 * a->x, 0.5 * b->y - 0.5 * a->y, 0.5 * b->z - 0.5 * a->z};
    double bound = fmax(bound_a, bound_b);
    for (int k = 0; k < 3; k++)
        bound = fmax(bound, fabs(half[k]));
    int exponent = 0;
    if (bound > 0)
        frexp(bound, &exponent);
    exponent = exponent > 1022 ? 1022 : exponent < -1022 ? -1022 : exponent;
    frame->pair = pair;
    frame->watch = NULL;
    frame->scale = ldexp(1.0, -exponent);
    /* S from below: lengths by their largest coordinates. */
    double size = frame->scale * bound_a + frame->scale * bound_b;
    size += 2 * frame->scale * fmax(fabs(half[0]), fmax(fabs(half[1]), fabs(half[2])));
    frame->met = 3 * REF_EPSILON3 * size;
    frame->stalled = 5 * REF_EPSILON3 * size;
    frame->unscale = ldexp(1.0, exponent);
    for (int side = 0; side < 2; side++) {
        ref_rotation3(side ? b : a, frame->exact[side]);
        for (int k = 0; k < 9; k++)
            frame->rotation[side][k / 3][k % 3] = (double)frame->exact[side][k / 3][k % 3];
    }
    for (int k = 0; k < 3; k++)
        frame->offset[k] = 2 * (half[k] * frame->scale);
    return true;
}

/* Rounded once: few vertices are placed, and all that follows builds on them. */
static void image(const ref_frame3 *frame, int side, uint32_t k, double out[3])
{
    const double *v = (side ? &frame->pair->b : &frame->pair->a)->vertices[k];
    long double x = v[0] * frame->scale, y = v[1] * frame->scale, z = v[2] * frame->scale;
    for (int m = 0; m < 3; m++) {
        const long double *row = frame->exact[side][m];
        long double at = row[0] * x + row[1] * y + row[2] * z;
        out[m] = (double)(side ? at + frame->offset[m] : at);
    }
}

ref_vertex3 ref_vertex3_at(const ref_frame3 *frame, uint32_t i, uint32_t j)
{
    ref_vertex3 v = {.i = i, .j = j};
    image(frame, 0, i, v.a);
    image(frame, 1, j, v.b);
    for (int k = 0; k < 3; k++)
        v.w[k] = v.b[k] - v.a[k];
    return v;
}

/* Lowest index of the largest n . R v, sign turning n round. */
static uint32_t extreme(const ref_frame3 *frame, int side, const double n[3])
{
    const gjb_body3 *body = side ? &frame->pair->b : &frame->pair->a;
    const double(*r)[3] = frame->rotation[side];
    double scale = side ? -frame->scale : frame->scale, local[3];
    for (int k = 0; k < 3; k++)
        local[k] = (r[0][k] * n[0] + r[1][k] * n[1] + r[2][k] * n[2]) * scale;
    uint32_t best = 0;
    double most = -INFINITY;
    for (uint32_t k = 0; k < body->count; k++) {
        double reach = ref_dot3(local, body->vertices[k]);
        if (reach > most) {
            most = reach;
            best = k;
        }
    }
    return best;
}

ref_vertex3 ref_support3(const ref_frame3 *frame, const double n[3])
{
    return ref_vertex3_at(frame, extreme(frame, 0, n), extreme(frame, 1, n));
}

ref_answer3 ref_answer3_of(const ref_frame3 *frame, const ref_core3 *core)
{
    double ra = frame->pair->a.radius, rb = frame->pair->b.radius;
    double radius = ra * frame->scale + rb * frame->scale;
    ref_answer3 answer = {.iterations = core->iterations};
    answer.sigma = (core->sigma - radius) * frame->unscale;
    answer.lower = (core->lower - radius) * frame->unscale;
    answer.upper = (core->upper - radius) * frame->unscale;
    for (int k = 0; k < 3; k++) {
        answer.normal[k] = core->normal[k];
        answer.point_a[k] = core->a[k] * frame->unscale + ra * core->normal[k];
        answer.point_b[k] = core->b[k] * frame->unscale - rb * core->normal[k];
    }
    answer.status = answer.sigma > 0 ? GJB_SEPARATED : GJB_OVERLAPPING;
    return answer;
}

void ref_witness3(ref_core3 *core, const ref_vertex3 *simplex, int count, const double weight[4])
{
    /* From the heaviest vertex: what is far along an edge is not carried back. */
    int base = 0;
    for (int k = 1; k < count; k++)
        base = weight[k] > weight[base] ? k : base;
    for (int m = 0; m < 3; m++) {
        core->a[m] = simplex[base].a[m];
        core->b[m] = simplex[base].b[m];
        for (int k = 0; k < count; k++) {
            if (k != base) {
                core->a[m] += weight[k] * (simplex[k].a[m] - simplex[base].a[m]);
                core->b[m] += weight[k] * (simplex[k].b[m] - simplex[base].b[m]);
            }
        }
    }
}
