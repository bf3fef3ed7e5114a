/* Draws motions of pairs in space by plan, and judges times of impact by signed distances at many moments. */
#include "contenders/tests/motions3.h"

#include <math.h>
#include <stddef.h>

#include "reference/reference.h"

/* ---- how to move ---- */

static void random_direction(gjb_random *r, double out[3])
{
    double square;
    do {
        square = 0;
        for (int k = 0; k < 3; k++) {
            out[k] = gjb_random_range(r, -1, 1);
            square += out[k] * out[k];
        }
    } while (square > 1 || square < 0.01);
    for (int k = 0; k < 3; k++)
        out[k] /= sqrt(square);
}

typedef struct plan {
    const char *name;
    double towards; /* of the way between the origins, at most */
    double aside;   /* random displacement, of the pair's size */
    double spin;    /* radians, at most */
    double common;  /* displacement of both, in sizes */
    int graze;      /* moves along the nearest features, so that it nearly touches half-way */
} plan;

static const plan plans[] = {
    {"still", 0, 0, 0, 0, 0},
    {"towards", 3, 0.3, 0, 0, 0},
    {"aside", 1, 2, 0, 0, 0},
    {"turning", 2, 0.5, 3, 0, 0},
    {"spinning", 1.5, 0.3, 125, 0, 0},
    {"spin-alone", 0, 0, 6, 0, 0},
    {"whirling", 1, 0.3, 1000, 0, 0},
    {"common", 2, 0.3, 1, 1e3, 0},
    {"slow", 0.01, 0.001, 0.01, 0, 0},
    {"graze", 0, 1, 0, 0, 1},
    {"graze-turning", 0, 1, 2, 0, 1},
};

unsigned motions3_count(void)
{
    return sizeof plans / sizeof *plans;
}

const char *motions3_name(unsigned kind)
{
    return kind < sizeof plans / sizeof *plans ? plans[kind].name : NULL;
}

/* B so that it touches, but for a little, when half of `d` is passed. */
static void graze(gjb_scene *scene, const gjb_pair3 *pair, uint32_t body, gjb_random *r, double size,
                  double d[3])
{
    const ref_answer3 now = ref_signed_distance3(pair, NULL);
    gjb_pose3d pose = gjb_scene_pose3(scene, 0, body);
    double along = 0;
    for (int k = 0; k < 3; k++)
        along += d[k] * now.normal[k];
    const double off = now.sigma - size * gjb_random_range(r, -1, 1) * exp(-gjb_random_range(r, 2, 16));
    for (int k = 0; k < 3; k++)
        d[k] -= along * now.normal[k];
    pose.x -= off * now.normal[0] + d[0] / 2;
    pose.y -= off * now.normal[1] + d[1] / 2;
    pose.z -= off * now.normal[2] + d[2] / 2;
    gjb_scene_set_pose3(scene, 0, body, pose);
}

void motions3_set(gjb_scene *scene, unsigned kind, uint64_t seed)
{
    const plan *how = &plans[kind];
    gjb_pair_space space = {0};
    for (uint64_t i = 0; i < scene->frames[0].pair_count; i++) {
        gjb_random r = gjb_random_make(seed, 77 + kind, i);
        gjb_pair pair;
        if (gjb_scene_pair(scene, 0, i, &space, &pair) != 0)
            return;
        const gjb_pair3 *p = &pair.as.space;
        const gjb_pose3d *a = &p->a.pose, *b = &p->b.pose;
        const double size = gjb_pair_size3(p), between[3] = {b->x - a->x, b->y - a->y, b->z - a->z};
        double d[3], w[3], common[3], m[2][6] = {{0}};
        const double towards = gjb_random_range(&r, 0, how->towards);
        const double aside = gjb_random_range(&r, 0, how->aside) * size;
        random_direction(&r, d);
        random_direction(&r, common);
        for (int k = 0; k < 3; k++)
            d[k] = d[k] * aside - between[k] * towards;
        if (how->graze)
            graze(scene, p, scene->frames[0].pairs[2 * i + 1], &r, size, d);
        const double part = gjb_random_below(&r, 2) ? 0 : gjb_random_unit(&r);
        for (int side = 0; side < 2; side++) {
            const double angle = gjb_random_below(&r, 4) ? gjb_random_range(&r, 0, how->spin) : 0;
            random_direction(&r, w);
            for (int k = 0; k < 3; k++) {
                m[side][k] = d[k] * (side ? 1 - part : -part) + how->common * size * common[k];
                m[side][3 + k] = w[k] * angle;
            }
            gjb_scene_set_motion(scene, 0, scene->frames[0].pairs[2 * i + (uint64_t)side], m[side]);
        }
    }
    gjb_pair_space_free(&space);
}

/* ---- what is right ---- */

static gjb_pose3d turned(const gjb_body3 *body, long double t)
{
    const long double x = body->motion.wx, y = body->motion.wy, z = body->motion.wz;
    const long double rate = sqrtl(x * x + y * y + z * z), s = rate > 0 ? sinl(t * rate / 2) / rate : 0;
    const long double c = cosl(t * rate / 2), ux = x * s, uy = y * s, uz = z * s;
    const gjb_pose3d q = body->pose;
    return (gjb_pose3d){0,
                        0,
                        0,
                        (double)(c * q.qx + ux * q.qw + uy * q.qz - uz * q.qy),
                        (double)(c * q.qy + uy * q.qw + uz * q.qx - ux * q.qz),
                        (double)(c * q.qz + uz * q.qw + ux * q.qy - uy * q.qx),
                        (double)(c * q.qw - ux * q.qx - uy * q.qy - uz * q.qz)};
}

static gjb_pair3 moment(const gjb_pair3 *pair, double t)
{
    gjb_pair3 now = *pair;
    const gjb_pose3d *a = &pair->a.pose, *b = &pair->b.pose;
    const gjb_motion3d *da = &pair->a.motion, *db = &pair->b.motion;
    now.a.pose = turned(&pair->a, t);
    now.b.pose = turned(&pair->b, t);
    now.b.pose.x = (double)((long double)b->x - a->x + t * ((long double)db->x - da->x));
    now.b.pose.y = (double)((long double)b->y - a->y + t * ((long double)db->y - da->y));
    now.b.pose.z = (double)((long double)b->z - a->z + t * ((long double)db->z - da->z));
    return now;
}

double motions3_sigma(const gjb_pair3 *pair, double t)
{
    const gjb_pair3 now = moment(pair, t);
    return ref_signed_distance3(&now, NULL).sigma;
}

static double farthest(const gjb_body3 *body)
{
    double most = 0;
    for (uint32_t i = 0; i < body->count; i++)
        most = fmax(most, hypot(hypot(body->vertices[i][0], body->vertices[i][1]), body->vertices[i][2]));
    return most;
}

/* No distance changes faster. */
static double speed(const gjb_pair3 *pair)
{
    const gjb_motion3d *a = &pair->a.motion, *b = &pair->b.motion;
    return hypot(hypot(b->x - a->x, b->y - a->y), b->z - a->z) +
           hypot(hypot(a->wx, a->wy), a->wz) * farthest(&pair->a) +
           hypot(hypot(b->wx, b->wy), b->wz) * farthest(&pair->b);
}

enum { MOST_STEPS = 400 };

/* The first moment before `end` where they are found in contact, or 2. Goes as far as the
 * distance allows, and, once that is too slow, by steps that may miss. */
static double first_contact(const gjb_pair3 *pair, double end, int *unproven)
{
    const double fastest = speed(pair) * (1 + 1e-9), least = end / MOST_STEPS;
    double t = 0;
    while (t < end) {
        const double sigma = motions3_sigma(pair, t);
        if (sigma <= 0)
            return t;
        const double step = sigma / fastest;
        *unproven |= step < least && t + least < end;
        t += fmax(step, least);
    }
    return 2;
}

static verdict3 judge_contact(const gjb_pair3 *pair, const gjb_result3d *answer, double T, verdict3 v)
{
    const gjb_pair3 now = moment(pair, answer->value);
    const ref_answer3 truth = ref_signed_distance3(&now, NULL);
    double off = 0, length = 0;
    long double error;
    v.at = truth.sigma / v.size;
    if (!(answer->value >= 0 && answer->value <= 1))
        v.wrong = "a time that is none";
    else if (truth.sigma <= 0 && answer->value > 0)
        v.wrong = "late: in contact at the time";
    else if (truth.sigma > T)
        v.wrong = "early";
    for (int k = 0; k < 3; k++) {
        const double d = answer->point_b[k] - answer->point_a[k] - truth.sigma * answer->normal[k];
        off += d * d;
        length += answer->normal[k] * answer->normal[k];
    }
    if (v.wrong)
        return v;
    if (fabs(sqrt(length) - 1) > 4 * v.size / gjb_path_size3(pair))
        v.wrong = "a normal that is not of unit length";
    else if ((double)ref_gap3(&now, answer->normal, &error) < truth.sigma - T)
        v.wrong = "a normal that does not separate";
    else if (sqrt(off) > T)
        v.wrong = "points that are not as far apart as the shapes";
    else if ((double)ref_point_distance3(&now, false, answer->point_a, &error) > T ||
             (double)ref_point_distance3(&now, true, answer->point_b, &error) > T)
        v.wrong = "a point that is not on its shape";
    if (first_contact(pair, answer->value, &v.unproven) < answer->value)
        v.wrong = "late: in contact before the time";
    return v;
}

verdict3 motions3_judge(const gjb_pair3 *pair, gjb_precision precision, const gjb_result3d *answer, double k)
{
    const double S = fmax(gjb_path_size3(pair), gjb_least_size(precision)), eps = gjb_epsilon(precision);
    verdict3 v = {.size = eps * S};
    switch (answer->head.status) {
    case GJB_HIT:
        return judge_contact(pair, answer, k * v.size, v);
    case GJB_OVERLAPPING:
        v.at = motions3_sigma(pair, 0) / v.size;
        if (v.at > k)
            v.wrong = "overlap of shapes apart";
        return v;
    case GJB_SEPARATED:
        v.at = k;
        if (first_contact(pair, 1, &v.unproven) <= 1 || motions3_sigma(pair, 1) <= 0)
            v.wrong = "a contact missed";
        return v;
    default:
        v.wrong = "no answer";
        return v;
    }
}
