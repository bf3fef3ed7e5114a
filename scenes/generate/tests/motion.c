/* A pair in motion at many times: poses, displacement, turns, first contact and least distance. */
#include "scenes/generate/tests/motion.h"

#include <math.h>

#include "scenes/generate/tests/recipes.h"

static gjb_pose2d pose_at2(const gjb_body2 *body, double t)
{
    const gjb_pose2d *p = &body->pose;
    const double c = cos(t * body->motion.angle), s = sin(t * body->motion.angle);
    return (gjb_pose2d){p->x + t * body->motion.x, p->y + t * body->motion.y, c * p->c - s * p->s,
                        s * p->c + c * p->s};
}

static gjb_pose3d pose_at3(const gjb_body3 *body, double t)
{
    const gjb_pose3d *p = &body->pose;
    const gjb_motion3d *m = &body->motion;
    const double angle = sqrt(m->wx * m->wx + m->wy * m->wy + m->wz * m->wz), half = 0.5 * t * angle;
    const double share = angle > 0.0 ? sin(half) / angle : 0.0;
    const double x = share * m->wx, y = share * m->wy, z = share * m->wz, w = cos(half);
    return (gjb_pose3d){p->x + t * m->x,
                        p->y + t * m->y,
                        p->z + t * m->z,
                        w * p->qx + x * p->qw + y * p->qz - z * p->qy,
                        w * p->qy + y * p->qw + z * p->qx - x * p->qz,
                        w * p->qz + z * p->qw + x * p->qy - y * p->qx,
                        w * p->qw - x * p->qx - y * p->qy - z * p->qz};
}

gjb_pair motion_at(const gjb_pair *pair, double t)
{
    gjb_pair now = *pair;
    if (pair->dim == 2) {
        now.as.plane.a.pose = pose_at2(&pair->as.plane.a, t);
        now.as.plane.b.pose = pose_at2(&pair->as.plane.b, t);
    } else {
        now.as.space.a.pose = pose_at3(&pair->as.space.a, t);
        now.as.space.b.pose = pose_at3(&pair->as.space.b, t);
    }
    return now;
}

static gjb_motion3d motion_of(const gjb_pair *pair, int body)
{
    if (pair->dim == 2) {
        const gjb_motion2d *m = body ? &pair->as.plane.b.motion : &pair->as.plane.a.motion;
        return (gjb_motion3d){m->x, m->y, 0.0, 0.0, 0.0, m->angle};
    }
    return body ? pair->as.space.b.motion : pair->as.space.a.motion;
}

double motion_own_way(const gjb_pair *pair, int body)
{
    const gjb_motion3d m = motion_of(pair, body);
    return hypot(hypot(m.x, m.y), m.z);
}

double motion_way(const gjb_pair *pair)
{
    const gjb_motion3d a = motion_of(pair, 0), b = motion_of(pair, 1);
    return hypot(hypot(b.x - a.x, b.y - a.y), b.z - a.z);
}

double motion_turns(const gjb_pair *pair, int body)
{
    const gjb_motion3d m = motion_of(pair, body);
    return hypot(hypot(m.wx, m.wy), m.wz) / 6.283185307179586;
}

static void look(const gjb_pair *pair, double t, motion_story *story)
{
    const gjb_pair now = motion_at(pair, t);
    const double sigma = recipe_sigma(&now, &story->size);
    if (sigma <= 0.0 && t < story->first)
        story->first = t;
    if (sigma < story->closest) {
        story->closest = sigma;
        story->at = t;
    }
    if (t == 0.0)
        story->start = sigma;
}

motion_story motion_watch(const gjb_pair *pair, int samples)
{
    motion_story story = {.first = 2.0, .closest = INFINITY};
    for (int i = 0; i <= samples; i++)
        look(pair, (double)i / samples, &story);
    for (double step = 0.5 / samples; step > 1e-9; step *= 0.5) {
        const double at = story.at;
        look(pair, fmax(at - step, 0.0), &story);
        look(pair, fmin(at + step, 1.0), &story);
    }
    return story;
}
