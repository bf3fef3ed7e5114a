/* The pair at one time. */
#include <float.h>
#include <math.h>

#include "reference/motion/motion_advance.h"
#include "reference/oracle/exact.h"

static const double unit = 0x1p-53;

/* q(t w) q0, of unit length before it is rounded. */
static void turned(const gjb_body3 *body, double t, gjb_pose3d *out)
{
    const gjb_motion3d *m = &body->motion;
    const ref_real w[3] = {m->wx, m->wy, m->wz}, u[3] = {body->pose.qx, body->pose.qy, body->pose.qz};
    ref_real axis[3], across[3], q[4], half = t * ref_unit(axis, w) / 2, c = cosl(half), s = sinl(half);
    ref_real real = body->pose.qw, length = 0;
    ref_cross(across, axis, u);
    for (int k = 0; k < 3; k++)
        q[k] = c * u[k] + s * (real * axis[k] + across[k]);
    q[3] = c * real - s * ref_inner(axis, u);
    for (int k = 0; k < 4; k++)
        length += q[k] * q[k];
    length = sqrtl(length);
    *out = (gjb_pose3d){0, 0, 0, (double)(q[0] / length), (double)(q[1] / length), (double)(q[2] / length),
                        (double)(q[3] / length)};
}

void ref_pair_at(const gjb_pair *pair, double t, gjb_pair *out)
{
    *out = *pair;
    if (pair->dim == 2) {
        const gjb_body2 *from[2] = {&pair->as.plane.a, &pair->as.plane.b};
        gjb_body2 *to[2] = {&out->as.plane.a, &out->as.plane.b};
        for (int side = 0; side < 2; side++) {
            ref_real angle = (ref_real)t * from[side]->motion.angle, c = cosl(angle), s = sinl(angle);
            const gjb_pose2d *rest = &from[side]->pose;
            to[side]->motion = (gjb_motion2d){0};
            to[side]->pose.x = to[side]->pose.y = 0;
            to[side]->pose.c = (double)(c * rest->c - s * rest->s);
            to[side]->pose.s = (double)(s * rest->c + c * rest->s);
        }
        const gjb_body2 *a = from[0], *b = from[1];
        to[1]->pose.x = (double)((ref_real)b->pose.x - a->pose.x + t * ((ref_real)b->motion.x - a->motion.x));
        to[1]->pose.y = (double)((ref_real)b->pose.y - a->pose.y + t * ((ref_real)b->motion.y - a->motion.y));
        return;
    }
    const gjb_body3 *a = &pair->as.space.a, *b = &pair->as.space.b;
    gjb_pose3d *pose = &out->as.space.b.pose;
    turned(a, t, &out->as.space.a.pose);
    turned(b, t, pose);
    out->as.space.a.motion = out->as.space.b.motion = (gjb_motion3d){0};
    pose->x = (double)((ref_real)b->pose.x - a->pose.x + t * ((ref_real)b->motion.x - a->motion.x));
    pose->y = (double)((ref_real)b->pose.y - a->pose.y + t * ((ref_real)b->motion.y - a->motion.y));
    pose->z = (double)((ref_real)b->pose.z - a->pose.z + t * ((ref_real)b->motion.z - a->motion.z));
}

static void open_at(const gjb_pair *pair, double t, ref_mover *mover, ref_posed *posed)
{
    if (!ref_mover_open(mover, pair))
        ref_broken("a motion that is none");
    ref_mover_pose(mover, t, posed);
}

static ref_bounds outwards(ref_real lower, ref_real upper)
{
    ref_bounds bounds = {(double)lower, (double)upper};
    bounds.lower = bounds.lower > lower ? nextafter(bounds.lower, -INFINITY) : bounds.lower;
    bounds.upper = bounds.upper < upper ? nextafter(bounds.upper, INFINITY) : bounds.upper;
    return bounds;
}

/* Of the pair as rounded, and as far wider as the rounding moves it. */
static ref_bounds by_oracle(const gjb_pair *pair, double t, ref_real size)
{
    gjb_pair at;
    ref_pair_at(pair, t, &at);
    ref_real moved = 8 * unit * size; /* 4 for either shape */
    if (at.dim == 2) {
        ref_exact exact;
        ref_oracle2(&at.as.plane, &exact);
        return outwards(exact.lo - moved, exact.hi + moved);
    }
    ref_exact3 exact;
    ref_oracle3(&at.as.space, &exact);
    return outwards(exact.lo - moved, exact.hi + moved);
}

ref_bounds ref_sigma_at(const gjb_pair *pair, double t)
{
    ref_mover mover;
    ref_posed posed;
    ref_nearby nearby;
    open_at(pair, t, &mover, &posed);
    ref_mover_distance(&posed, posed.offset, &nearby);
    if (!nearby.apart)
        return by_oracle(pair, t, mover.size);
    ref_real between[3], lower = ref_mover_gap(&posed, nearby.axis.normal) - mover.doubt;
    for (int m = 0; m < 3; m++)
        between[m] = nearby.point[1][m] - nearby.point[0][m];
    /* A point of each core, but for the rounding of its weights. */
    ref_real upper = sqrtl(ref_inner(between, between)) - mover.radii + 2 * mover.doubt;
    return outwards(lower, upper);
}

ref_real ref_gap_at(const gjb_pair *pair, double t, const double n[3], ref_real *error)
{
    ref_mover mover;
    ref_posed posed;
    ref_real axis[3];
    const ref_real v[3] = {n[0], n[1], pair->dim == 3 ? n[2] : 0};
    open_at(pair, t, &mover, &posed);
    ref_unit(axis, v);
    *error = mover.doubt;
    return ref_mover_gap(&posed, axis);
}

ref_real ref_point_distance_at(const gjb_pair *pair, double t, bool of_b, const double point[3], ref_real *error)
{
    gjb_pair at;
    ref_pair_at(pair, t, &at);
    ref_real distance = at.dim == 2 ? ref_point_distance2(&at.as.plane, of_b, point, error)
                                    : ref_point_distance3(&at.as.space, of_b, point, error);
    *error += 4 * unit * (ref_real)gjb_path_size(pair);
    return distance;
}
