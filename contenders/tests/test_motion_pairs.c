/* Times of impact of random pairs in motion, held against the reference's signed distance at many instants:
 * how many a contender answers too late, too early, or not at all. What happens
 * between two instants is not seen here; the tests of the exact oracle see it.
 */
#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/harness.h"
#include "contenders/table.h"
#include "core/query.h"
#include "reference/reference.h"

enum { PAIRS = 600, INSTANTS = 160 };

/* SplitMix64 (Steele, Lea and Flood, 2014). */
static uint64_t state;
static double uniform(double low, double high)
{
    uint64_t x = state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return low + (high - low) * (double)((x ^ x >> 31) >> 11) * 0x1p-53;
}

/* Balls, rods, boxes and polygons or hulls, by turns. */
static void add_shape(gjb_scene *scene, uint32_t i, uint32_t kind, uint32_t dim)
{
    double rows[8][3], flat[24];
    const uint32_t count = kind == 0 || kind == 2 ? 1 : kind == 1 ? 2 : dim == 2 ? 5 : 8;
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t c = 0; c < 3; c++)
            rows[k][c] = kind == 2 ? uniform(0.3, 1.2) : kind == 0 ? 0 : uniform(-1, 1);
    for (uint32_t k = 0; k < count && kind == 3 && dim == 2; k++) {
        rows[k][0] = uniform(0.9, 1) * cos(1.2566 * k);
        rows[k][1] = uniform(0.9, 1) * sin(1.2566 * k);
    }
    for (uint32_t k = 0; k < count * dim; k++)
        flat[k] = rows[k / dim][k % dim];
    static const gjb_kind kinds[2][4] = {{GJB_POINT, GJB_SEGMENT, GJB_BOX, GJB_POLYGON},
                                         {GJB_POINT, GJB_SEGMENT, GJB_BOX, GJB_HULL}};
    gjb_scene_set_shape(scene, i, kinds[dim - 2][kind], 8 * i, count, flat, kind < 2 ? uniform(0.1, 0.6) : 0);
}

/* B some way off, moving more or less towards A; every third pair does not turn, every third turns a lot. */
static gjb_scene *make_scene(uint32_t dim)
{
    gjb_scene *scene = gjb_scene_new(dim, GJB_F32, 2 * PAIRS, 16 * PAIRS, 2 * PAIRS, PAIRS);
    if (scene == NULL)
        abort();
    state = 5 + dim;
    for (uint32_t i = 0; i < 2 * PAIRS; i++) {
        double away[3] = {0}, motion[6] = {0}, q[4];
        add_shape(scene, i, i % 2 == 0 ? i / 2 % 4 : i / 8 % 4, dim);
        const double far = uniform(0.5, 6), speed = uniform(0.5, 8), turn = i / 2 % 3 == 0 ? 0 : i / 2 % 3 == 1 ? 0.7 : 6;
        for (uint32_t k = 0; k < 4; k++)
            q[k] = uniform(-1, 1);
        double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (uint32_t k = 0; k < dim && i % 2 == 1; k++) {
            away[k] = uniform(-1, 1) * far;
            motion[k] = -away[k] / far * speed + uniform(-1, 1);
        }
        if (dim == 2)
            motion[2] = turn * uniform(-1, 1);
        for (uint32_t k = 3; k < 6 && dim == 3; k++)
            motion[k] = turn * uniform(-0.57, 0.57);
        if (dim == 2) {
            norm = hypot(q[0], q[1]);
            gjb_scene_set_pose(scene, 0, i, (gjb_pose2d){10 + away[0], away[1], q[0] / norm, q[1] / norm});
        } else {
            gjb_scene_set_pose3(scene, 0, i, (gjb_pose3d){10 + away[0], away[1], away[2], q[0] / norm, q[1] / norm,
                                                          q[2] / norm, q[3] / norm});
        }
        if (gjb_scene_set_motion(scene, 0, i, motion) != 0)
            abort();
        scene->frames[0].pairs[i] = i;
    }
    return scene;
}

static void move2(gjb_body2 *body, double t)
{
    const double c = cos(t * body->motion.angle), s = sin(t * body->motion.angle);
    body->pose = (gjb_pose2d){body->pose.x + t * body->motion.x, body->pose.y + t * body->motion.y,
                              c * body->pose.c - s * body->pose.s, s * body->pose.c + c * body->pose.s};
}

static void move3(gjb_body3 *body, double t)
{
    const gjb_motion3d *m = &body->motion;
    const double angle = sqrt(m->wx * m->wx + m->wy * m->wy + m->wz * m->wz);
    const double half = 0.5 * t * angle, s = angle > 0 ? sin(half) / angle : 0, w = cos(half);
    const double x = s * m->wx, y = s * m->wy, z = s * m->wz;
    const gjb_pose3d p = body->pose;
    body->pose = (gjb_pose3d){p.x + t * m->x, p.y + t * m->y, p.z + t * m->z,
                              w * p.qx + x * p.qw + y * p.qz - z * p.qy, w * p.qy + y * p.qw + z * p.qx - x * p.qz,
                              w * p.qz + z * p.qw + x * p.qy - y * p.qx, w * p.qw - x * p.qx - y * p.qy - z * p.qz};
}

static double sigma_at(const gjb_pair *pair, double t)
{
    gjb_pair moved = *pair;
    if (pair->dim == 2) {
        move2(&moved.as.plane.a, t);
        move2(&moved.as.plane.b, t);
        return ref_signed_distance2(&moved.as.plane).sigma;
    }
    move3(&moved.as.space.a, t);
    move3(&moved.as.space.b, t);
    return ref_signed_distance3(&moved.as.space, NULL).sigma;
}

typedef struct truth {
    double sigma[INSTANTS + 1], size, way; /* gjb_path_size, and what of it is motion */
} truth;

static truth truths[PAIRS];

static void sample(const gjb_scene *scene)
{
    gjb_pair_space space = {0};
    gjb_pair pair;
    for (uint32_t i = 0; i < PAIRS; i++) {
        if (gjb_scene_pair(scene, 0, i, &space, &pair) != 0)
            abort();
        truths[i].size = gjb_path_size(&pair);
        truths[i].way = truths[i].size - gjb_pair_size(&pair);
        for (int k = 0; k <= INSTANTS; k++)
            truths[i].sigma[k] = sigma_at(&pair, (double)k / INSTANTS);
    }
    gjb_pair_space_free(&space);
}

/* The deepest that a pair was seen at instants before t. */
static double deepest_before(const truth *seen, double t)
{
    double least = INFINITY;
    for (int k = 0; k <= INSTANTS && (double)k / INSTANTS <= t; k++)
        least = fmin(least, seen->sigma[k]);
    return least;
}

typedef enum fault { FINE, LATE, EARLY, MISSED, INVENTED, GAVE_UP, UNSUPPORTED, FAULTS } fault;

static fault judge(const gjb_result *r, const truth *seen, double sigma, double T)
{
    switch (r->status) {
    case GJB_HIT:
        return !(r->value >= 0 && r->value <= 1) ? INVENTED
               : fmin(sigma, deepest_before(seen, r->value)) < -T ? LATE
               : sigma > T                                        ? EARLY
                                                                  : FINE;
    case GJB_SEPARATED:
        return deepest_before(seen, 1) < -T ? MISSED : FINE;
    case GJB_OVERLAPPING:
        return seen->sigma[0] > T ? INVENTED : FINE;
    case GJB_UNSUPPORTED:
        return UNSUPPORTED;
    default:
        return GAVE_UP;
    }
}

/* The most of them that a contender may get wrong, of those that it answers: twice what was measured, about. What is not
 * named here is right about all. */
static const struct {
    const char *name;
    double share;
} allowed[] = {
    {"box2d", 0.08},         /* misses contacts of what turns, as its header says */
    {"box2d-skin", 0.08},
    {"bullet-gjkcast", 0.15}, /* says no where a step ends in contact */
    {"fcl-libccd", 0.03},
    {"fcl-indep", 0.03},
    {"fcl-sampled", 1},
    {"textbook-ca2", 0.6}, /* late by a little on all that is round, where its distance is off */
};

static double share_of(const char *name)
{
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
        if (strcmp(allowed[i].name, name) == 0)
            return allowed[i].share;
    return 0;
}

static void check(const gjb_contender *contender, gjb_scene *scene)
{
    const gjb_precision precision = contender->precisions >> GJB_F32 & 1 ? GJB_F32 : GJB_F64;
    gjb_scene *fed = gjb_scene_convert(scene, precision);
    gjb_error error = {""};
    gjb_session *session = gjb_session_open(contender, NULL, fed, 1, &error);
    cr_assert_not_null(session, "%s", error.text);
    static gjb_result3d results[PAIRS];
    cr_assert_eq(gjb_session_run(session, GJB_TOI, 0, 0, PAIRS, 0, 1, results, NULL), 0);
    gjb_pair_space space = {0};
    uint32_t count[FAULTS] = {0}, hits = 0;
    for (uint32_t i = 0; i < PAIRS; i++) {
        gjb_pair pair;
        if (gjb_scene_pair(fed, 0, i, &space, &pair) != 0)
            abort();
        const gjb_result r = gjb_result_get(GJB_TOI, precision, fed->shapes.dim, results, i);
        const double T = contender->tau[GJB_TOI] + contender->tau_time * truths[i].way + contender->skin +
                         32 * gjb_epsilon(precision) * truths[i].size;
        const double sigma = r.status == GJB_HIT ? sigma_at(&pair, r.value) : 0;
        count[judge(&r, &truths[i], sigma, T)]++;
        hits += r.status == GJB_HIT;
    }
    gjb_pair_space_free(&space);
    gjb_session_close(session);
    gjb_scene_free(fed);
    const uint32_t wrong = count[LATE] + count[EARLY] + count[MISSED] + count[INVENTED];
    const uint32_t answered = PAIRS - count[UNSUPPORTED];
    char text[200];
    snprintf(text, sizeof text, "%s, %uD: of %u answers (%u hits) late %u, early %u, missed %u, invented %u, gave up %u",
             contender->name, (unsigned)scene->shapes.dim, answered, hits, count[LATE], count[EARLY], count[MISSED],
             count[INVENTED], count[GAVE_UP]);
    cr_log_info("%s", text);
    cr_expect_geq(answered, PAIRS / 16, "%s", text);
    cr_expect(wrong <= share_of(contender->name) * answered, "%s", text);
}

static void check_all(uint32_t dim)
{
    gjb_scene *scene = make_scene(dim);
    gjb_error error = {""};
    cr_assert_eq(gjb_scene_check(scene, "pairs", &error), 0, "%s", error.text);
    sample(scene);
    for (size_t i = 0; i < gjb_contender_count(); i++) {
        const gjb_contender *contender = gjb_contender_at(i);
        if (contender->queries >> GJB_TOI & 1u && contender->dims >> dim & 1u)
            check(contender, scene);
    }
    gjb_scene_free(scene);
}

Test(motion_pairs, in_2d)
{
    check_all(2);
}

Test(motion_pairs, in_3d)
{
    check_all(3);
}
