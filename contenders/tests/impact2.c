/* Marches a pair in the plane through its motion to judge a time of impact, and draws motions. */
#include "contenders/tests/impact2.h"

#include <math.h>
#include <string.h>

#include "reference/reference.h"
#include "scenes/generate/generate.h"

enum { MOST_STEPS = 60000 };

impact2 impact2_read(const void *record, gjb_precision precision)
{
    impact2 out = {0};
    if (precision == GJB_F32) {
        gjb_result2f r;
        memcpy(&r, record, sizeof r);
        out = (impact2){(gjb_status)r.head.status, (double)r.value,
                        {(double)r.normal[0], (double)r.normal[1]},
                        {(double)r.point_a[0], (double)r.point_a[1]},
                        {(double)r.point_b[0], (double)r.point_b[1]}};
    } else {
        gjb_result2d r;
        memcpy(&r, record, sizeof r);
        out = (impact2){(gjb_status)r.head.status, r.value, {r.normal[0], r.normal[1]},
                        {r.point_a[0], r.point_a[1]}, {r.point_b[0], r.point_b[1]}};
    }
    return out;
}

static gjb_pose2d turned(const gjb_body2 *body, double t)
{
    const long double angle = (long double)body->motion.angle * (long double)t;
    const long double c = cosl(angle), s = sinl(angle), c0 = (long double)body->pose.c, s0 = (long double)body->pose.s;
    return (gjb_pose2d){0, 0, (double)(c * c0 - s * s0), (double)(s * c0 + c * s0)};
}

/* A's translation is the origin. */
static gjb_pair2 at_time(const gjb_pair2 *pair, double t)
{
    gjb_pair2 now = *pair;
    now.a.pose = turned(&pair->a, t);
    now.b.pose = turned(&pair->b, t);
    const gjb_motion2d *ma = &pair->a.motion, *mb = &pair->b.motion;
    now.b.pose.x = (double)(((long double)pair->b.pose.x - (long double)pair->a.pose.x) +
                            (long double)t * ((long double)mb->x - (long double)ma->x));
    now.b.pose.y = (double)(((long double)pair->b.pose.y - (long double)pair->a.pose.y) +
                            (long double)t * ((long double)mb->y - (long double)ma->y));
    return now;
}

static double reach(const gjb_body2 *body)
{
    double most = 0;
    for (uint32_t i = 0; i < body->count; i++)
        most = fmax(most, hypot(body->vertices[i][0], body->vertices[i][1]));
    return most;
}

/* Is there contact before `end`? 1, 0, or -1 if that is not found out. */
static int meets_before(const gjb_pair2 *pair, double end)
{
    const gjb_motion2d *ma = &pair->a.motion, *mb = &pair->b.motion;
    const double speed = (hypot(mb->x - ma->x, mb->y - ma->y) + fabs(ma->angle) * reach(&pair->a) +
                          fabs(mb->angle) * reach(&pair->b)) * (1 + 1e-12);
    double s = 0;
    for (int step = 0; step < MOST_STEPS; step++) {
        const gjb_pair2 now = at_time(pair, s);
        const double sigma = ref_signed_distance2(&now).sigma;
        if (!(sigma > 0))
            return 1;
        if (!(speed > 0) || s + sigma / speed * (1 - 1e-12) >= end)
            return 0;
        s += sigma / speed * (1 - 1e-12);
    }
    return -1;
}

static int points_are_wrong(const gjb_pair2 *now, const impact2 *answer, double sigma, double tolerance)
{
    long double error;
    double off = 0;
    for (int k = 0; k < 2; k++)
        off = fmax(off, fabs(answer->point_b[k] - answer->point_a[k] - sigma * answer->normal[k]));
    return off > tolerance || ref_point_distance2(now, false, answer->point_a, &error) > (long double)tolerance ||
           ref_point_distance2(now, true, answer->point_b, &error) > (long double)tolerance;
}

impact2_verdict impact2_judge(const gjb_pair2 *pair, gjb_precision precision, double k, const impact2 *answer)
{
    impact2_verdict v = {0};
    const double unit = gjb_epsilon(precision) * fmax(gjb_path_size2(pair), gjb_least_size(precision));
    const double tolerance = k * unit, t = answer->status == GJB_SEPARATED ? 1 : answer->t;
    if (answer->status != GJB_SEPARATED && answer->status != GJB_OVERLAPPING && answer->status != GJB_HIT) {
        v.wrong = "no answer";
        return v;
    }
    const gjb_pair2 now = at_time(pair, t);
    const double sigma = ref_signed_distance2(&now).sigma;
    v.units = sigma / unit;
    if (answer->status != GJB_HIT) {
        static const impact2 none;
        if (answer->t != 0 || memcmp(answer->normal, none.normal, 6 * sizeof(double)) != 0)
            v.wrong = "fields that are not defined";
    }
    if (answer->status == GJB_OVERLAPPING) {
        v.wrong = sigma > tolerance ? "no overlap at 0" : v.wrong;
        return v;
    }
    const int meets = meets_before(pair, t);
    v.undecided = meets < 0;
    if (!(t >= 0 && t <= 1))
        v.wrong = "no time";
    else if (meets > 0)
        v.wrong = answer->status == GJB_HIT ? "late" : "missed";
    else if (!(sigma > 0))
        v.wrong = "in contact at its time";
    if (v.wrong || answer->status == GJB_SEPARATED)
        return v;
    long double error;
    if (!(t > 0))
        v.wrong = "a hit at 0";
    else if (sigma > tolerance)
        v.wrong = "early";
    else if (fabs(hypot(answer->normal[0], answer->normal[1]) - 1) > 4 * gjb_epsilon(precision))
        v.wrong = "the normal's length";
    else if (ref_gap2(&now, answer->normal, &error) < (long double)(sigma - tolerance))
        v.wrong = "the normal";
    else if (points_are_wrong(&now, answer, sigma, tolerance))
        v.wrong = "the points";
    return v;
}

/* ---- motions ---- */

const char *const impact2_motions[] = {"still",  "approach", "approach-spin", "fast-spin", "spin",
                                       "graze", "common",   "tiny",          "long",      NULL};

/* Of body b, whose partner is at `off` from it, seen along world axes, and whose own reach is `size`. */
static void motion_of(gjb_random *r, const char *motion, const double off[2], double size, double out[6])
{
    const double length = hypot(off[0], off[1]), sign = gjb_random_below(r, 2) ? 1 : -1;
    const double share = gjb_random_range(r, 0, 1.5), aside = gjb_random_range(r, -1, 1) * size;
    const double across[2] = {length > 0 ? -off[1] / length : 0, length > 0 ? off[0] / length : 1};
    memset(out, 0, 6 * sizeof *out);
    if (!strcmp(motion, "still"))
        return;
    double along = share, sideways = 0.5 * aside;
    if (!strcmp(motion, "spin"))
        along = sideways = 0;
    else if (!strcmp(motion, "graze"))
        along = 2 * share, sideways = sign * size * (1 + 0.05 * gjb_random_range(r, -1, 1));
    else if (!strcmp(motion, "tiny"))
        along = 1e-3 * share, sideways = 1e-3 * aside;
    else if (!strcmp(motion, "long"))
        along = 1000 * share;
    for (int k = 0; k < 2; k++)
        out[k] = along * off[k] + sideways * across[k];
    if (!strcmp(motion, "approach-spin"))
        out[2] = gjb_random_range(r, -3.15, 3.15);
    else if (!strcmp(motion, "fast-spin"))
        out[2] = gjb_random_range(r, -150, 150);
    else if (!strcmp(motion, "spin"))
        out[2] = sign * exp(gjb_random_range(r, -7, 6.9));
    else if (!strcmp(motion, "graze"))
        out[2] = gjb_random_below(r, 2) ? 0 : gjb_random_range(r, -20, 20);
    else if (!strcmp(motion, "tiny"))
        out[2] = gjb_random_range(r, -1e-3, 1e-3);
    else if (!strcmp(motion, "common"))
        out[2] = gjb_random_below(r, 2) ? 1 : 0;
}

void impact2_move(gjb_scene *scene, const char *motion, uint64_t seed)
{
    gjb_pair_space space = {0};
    for (uint64_t i = 0; i < scene->frames[0].pair_count; i++) {
        gjb_random r = gjb_random_make(seed, 77, i);
        gjb_pair pair;
        double m[6];
        if (gjb_scene_pair(scene, 0, i, &space, &pair) != 0)
            break;
        const gjb_pair2 *p = &pair.as.plane;
        const double off[2] = {p->b.pose.x - p->a.pose.x, p->b.pose.y - p->a.pose.y};
        const double back[2] = {-off[0], -off[1]};
        const double size = reach(&p->a) + p->a.radius + reach(&p->b) + p->b.radius;
        const double *const way[2] = {off, back};
        const double common = strcmp(motion, "common") ? 0 : 50 * size * gjb_random_range(&r, -1, 1);
        for (int side = 0; side < 2; side++) {
            motion_of(&r, motion, way[side], size, m);
            m[0] += common;
            m[1] -= common;
            gjb_scene_set_motion(scene, 0, scene->frames[0].pairs[2 * i + (uint64_t)side], m);
        }
    }
    gjb_pair_space_free(&space);
}
