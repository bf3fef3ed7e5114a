/* Where bodies in motion are at a time, in long double. */
#include "grading/bounds_private.h"

static void turned2(const gjb_body2 *body, real t, real turn[2])
{
    const real angle = t * body->motion.angle, c = cosl(angle), s = sinl(angle);
    turn[0] = c * body->pose.c - s * body->pose.s;
    turn[1] = c * body->pose.s + s * body->pose.c;
}

static void turned3(const gjb_body3 *body, real t, real q[4])
{
    const gjb_pose3d *p = &body->pose;
    const real w[3] = {body->motion.wx, body->motion.wy, body->motion.wz}, rate = gjb_length3(w);
    const real half = 0.5L * t * rate, c = cosl(half), s = rate > 0 ? sinl(half) / rate : 0;
    const real u[3] = {s * w[0], s * w[1], s * w[2]}, v[3] = {p->qx, p->qy, p->qz};
    real across[3];
    gjb_cross3(u, v, across);
    for (int k = 0; k < 3; k++)
        q[k] = c * v[k] + p->qw * u[k] + across[k];
    q[3] = c * p->qw - gjb_dot3(u, v);
}

void gjb_turned_at(const gjb_pair *pair, int of_b, real t, real q[4])
{
    if (pair->dim == 2)
        turned2(of_b ? &pair->as.plane.b : &pair->as.plane.a, t, q);
    else
        turned3(of_b ? &pair->as.space.b : &pair->as.space.a, t, q);
}

void gjb_offset_at(const gjb_pair *pair, real t, real offset[3])
{
    real velocity[3];
    gjb_velocity(pair, velocity);
    if (pair->dim == 2) {
        const gjb_body2 *a = &pair->as.plane.a, *b = &pair->as.plane.b;
        offset[0] = (real)b->pose.x - a->pose.x;
        offset[1] = (real)b->pose.y - a->pose.y;
        offset[2] = 0;
    } else {
        const gjb_body3 *a = &pair->as.space.a, *b = &pair->as.space.b;
        offset[0] = (real)b->pose.x - a->pose.x;
        offset[1] = (real)b->pose.y - a->pose.y;
        offset[2] = (real)b->pose.z - a->pose.z;
    }
    for (int k = 0; k < 3; k++)
        offset[k] += t * velocity[k];
}

void gjb_velocity(const gjb_pair *pair, real velocity[3])
{
    if (pair->dim == 2) {
        const gjb_motion2d *a = &pair->as.plane.a.motion, *b = &pair->as.plane.b.motion;
        velocity[0] = (real)b->x - a->x;
        velocity[1] = (real)b->y - a->y;
        velocity[2] = 0;
    } else {
        const gjb_motion3d *a = &pair->as.space.a.motion, *b = &pair->as.space.b.motion;
        velocity[0] = (real)b->x - a->x;
        velocity[1] = (real)b->y - a->y;
        velocity[2] = (real)b->z - a->z;
    }
}

void gjb_pair_at(const gjb_pair *pair, real t, gjb_pair *then)
{
    real q[2][4], offset[3];
    for (int i = 0; i < 2; i++)
        gjb_turned_at(pair, i, t, q[i]);
    gjb_offset_at(pair, t, offset);
    *then = *pair;
    if (pair->dim == 2) {
        gjb_body2 *body[2] = {&then->as.plane.a, &then->as.plane.b};
        for (int i = 0; i < 2; i++) {
            body[i]->motion = (gjb_motion2d){0};
            body[i]->pose = (gjb_pose2d){.c = (double)q[i][0], .s = (double)q[i][1]};
        }
        body[1]->pose.x = (double)offset[0];
        body[1]->pose.y = (double)offset[1];
    } else {
        gjb_body3 *body[2] = {&then->as.space.a, &then->as.space.b};
        for (int i = 0; i < 2; i++) {
            body[i]->motion = (gjb_motion3d){0};
            body[i]->pose = (gjb_pose3d){.qx = (double)q[i][0], .qy = (double)q[i][1],
                                         .qz = (double)q[i][2], .qw = (double)q[i][3]};
        }
        body[1]->pose.x = (double)offset[0];
        body[1]->pose.y = (double)offset[1];
        body[1]->pose.z = (double)offset[2];
    }
}
