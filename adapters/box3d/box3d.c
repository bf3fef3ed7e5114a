/* Box3D as a plug-in of gjkbench, in float: b3ShapeDistance and b3TimeOfImpact.
 *
 * Build: cmake -S . -B build -DCMAKE_PREFIX_PATH=... && cmake --build build. It finds Box3D's own CMake package.
 *
 * Frames: the distance takes B's transform in the frame of A's body, and answers in that frame. The transform is
 * b3InvMulTransforms of both poses, with A at the origin, so that nothing is lost far from it; answers are turned into
 * world axes by A's rotation. Points are then relative to A's translation.
 * Normals point from A to B, as ours. Radii are passed on, and the library takes them off.
 * Overlapping is a distance below B3_OVERLAP_SLOP (0.0005), as in the library's own overlap tests: its constants.h says
 * that small positive distances of overlaps are why. It is tau, and there is no other margin.
 * toi moves shapes to within a quarter of B3_LINEAR_SLOP of a target distance of cores, which is that slop, or the
 * radii less it: tau is 1.25 of it. Rotations are blended, not of constant speed: pairs that turn are unsupported. A
 * hit at 0 is an overlap. The hit point is the mean of both.
 * Beyond 16 km, where constants.h warns of the precision of floats, pairs are unsupported: vertices, positions as A
 * sees them, and motions. No more than 128 points (B3_MAX_SHAPE_CAST_POINTS). Contacts (b3CollideHulls) are not asked
 * for here.
 */
#include <box3d/box3d.h>
#include <box3d/collision.h>
#include <gjkbench/adapter.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_POINTS = 128 };
static const double SLOP = 0.005, OVERLAP_SLOP = 0.0005;
static const float MOST = 16000;

typedef struct prepared {
    b3ShapeProxy *proxies; /* count 0: unsupported */
    b3Vec3 *points;
} prepared;

static void release(void *prepared_by_us)
{
    prepared *p = prepared_by_us;
    free(p->proxies);
    free(p->points);
    free(p);
}

static int is_near(b3Vec3 v)
{
    return fabsf(v.x) < MOST && fabsf(v.y) < MOST && fabsf(v.z) < MOST;
}

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    prepared *p = malloc(sizeof *p);
    size_t total = 1, at = 0;
    for (uint32_t i = 0; i < shapes->count; i++)
        total += gjb_shape_vertex_count(shapes, i);
    if (p == NULL)
        return NULL;
    *p = (prepared){malloc((shapes->count + 1u) * sizeof *p->proxies), malloc(total * sizeof *p->points)};
    if (p->proxies == NULL || p->points == NULL) {
        release(p);
        return NULL;
    }
    for (uint32_t i = 0; i < shapes->count; i++) {
        const uint32_t count = gjb_shape_vertex_count(shapes, i);
        p->proxies[i] = (b3ShapeProxy){p->points + at, count <= MOST_POINTS ? (int)count : 0,
                                       (float)gjb_shape_radius(shapes, i)};
        for (uint32_t k = 0; k < count; k++) {
            double v[3];
            gjb_shape_vertex(shapes, i, k, v);
            p->points[at] = (b3Vec3){(float)v[0], (float)v[1], (float)v[2]};
            if (!is_near(p->points[at++]))
                p->proxies[i].count = 0;
        }
    }
    return p;
}

/* A pair in world axes, relative to A's translation. */
typedef struct question {
    b3ShapeProxy a, b;
    b3Transform pose_a, pose_b;
} question;

static b3Quat rotation_of(const gjb_pose3d *pose)
{
    return b3NormalizeQuat((b3Quat){{(float)pose->qx, (float)pose->qy, (float)pose->qz}, (float)pose->qw});
}

static question question_of(const prepared *p, const gjb_batch *batch, const uint32_t *pair)
{
    const gjb_pose3d a = gjb_batch_pose3d(batch, pair[0]), b = gjb_batch_pose3d(batch, pair[1]);
    return (question){p->proxies[gjb_batch_shape(batch, pair[0])], p->proxies[gjb_batch_shape(batch, pair[1])],
                      {{0, 0, 0}, rotation_of(&a)},
                      {{(float)(b.x - a.x), (float)(b.y - a.y), (float)(b.z - a.z)}, rotation_of(&b)}};
}

static void store(b3Vec3 v, double out[3])
{
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static void distance(const question *q, const gjb_batch *batch, gjb_answer *answer)
{
    const b3DistanceInput input = {q->a, q->b, b3InvMulTransforms(q->pose_a, q->pose_b), true};
    b3SimplexCache cache = b3_emptyDistanceCache;
    const b3DistanceOutput found = b3ShapeDistance(&input, &cache, NULL, 0);
    answer->iterations = (unsigned)found.iterations;
    answer->sigma = (double)found.distance;
    answer->status = answer->sigma < OVERLAP_SLOP ? GJB_OVERLAPPING : GJB_SEPARATED;
    if (answer->status == GJB_OVERLAPPING || batch->query == GJB_INTERSECT)
        return;
    store(b3RotateVector(q->pose_a.q, found.normal), answer->normal);
    gjb_unit(answer->normal);
    store(b3RotateVector(q->pose_a.q, found.pointA), answer->point_a);
    store(b3RotateVector(q->pose_a.q, found.pointB), answer->point_b);
}

/* As A sees it, which stays where it is. */
static void impact(const question *q, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    double a[6], b[6];
    gjb_batch_motion(batch, GJB_F32, 3, pair[0], a);
    gjb_batch_motion(batch, GJB_F32, 3, pair[1], b);
    for (int k = 3; k < 6; k++)
        if (a[k] != 0 || b[k] != 0)
            return;
    const b3Vec3 from = q->pose_b.p, to = {(float)((double)from.x + b[0] - a[0]), (float)((double)from.y + b[1] - a[1]),
                                           (float)((double)from.z + b[2] - a[2])};
    if (!is_near(to))
        return;
    const b3TOIInput input = {.proxyA = q->a,
                              .proxyB = q->b,
                              .sweepA = {.q1 = q->pose_a.q, .q2 = q->pose_a.q},
                              .sweepB = {.c1 = from, .c2 = to, .q1 = q->pose_b.q, .q2 = q->pose_b.q},
                              .maxFraction = 1};
    const b3TOIOutput found = b3TimeOfImpact(&input);
    static const gjb_status of[] = {
        [b3_toiStateUnknown] = GJB_ITERATION_LIMIT, [b3_toiStateFailed] = GJB_ITERATION_LIMIT,
        [b3_toiStateOverlapped] = GJB_OVERLAPPING,  [b3_toiStateHit] = GJB_HIT,
        [b3_toiStateSeparated] = GJB_SEPARATED,
    };
    answer->status = found.state == b3_toiStateHit && found.fraction <= 0 ? GJB_OVERLAPPING : of[found.state];
    answer->sigma = (double)found.fraction;
    store(found.normal, answer->normal);
    gjb_unit(answer->normal);
    store(found.point, answer->point_a);
    store(found.point, answer->point_b);
}

static void answer_pair(const void *prepared_by_us, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const question q = question_of(prepared_by_us, batch, pair);
    if (q.a.count == 0 || q.b.count == 0 || !is_near(q.pose_b.p))
        return;
    if (batch->query == GJB_INTERSECT || batch->query == GJB_DISTANCE)
        distance(&q, batch, answer);
    else if (batch->query == GJB_TOI)
        impact(&q, batch, pair, answer);
}

static void run(const void *p, const gjb_batch *batch)
{
    gjb_answer_all(p, batch, GJB_F32, 3, answer_pair);
}

GJB_PLUGIN_EXPORT const gjb_contender *const *gjb_plugin(const char *options, char *error, size_t error_size)
{
    static char version[32];
    static gjb_contender box3d = {
        .abi_version = GJB_CONTENDER_ABI,
        .struct_size = sizeof(gjb_contender),
        .name = "box3d",
        .version = version,
        .licence = "MIT",
        .note = "GJK; shapes less than 0.0005 apart overlap; toi stops at 0.005, and does not turn",
        .dims = 1u << 3,
        .kinds = GJB_KINDS_3D | 1u << GJB_AABB,
        .queries = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE | 1u << GJB_TOI,
        .does_more = 1u << GJB_INTERSECT,
        .no_points = 1u << GJB_TOI,
        .precisions = 1u << GJB_F32,
        .max_vertices = MOST_POINTS,
        .prepare = prepare,
        .workspace_size = gjb_no_workspace,
        .run = run,
        .release = release,
    };
    static const gjb_contender *const tables[] = {&box3d, NULL};
    const b3Version found = b3GetVersion();
    snprintf(version, sizeof version, "%d.%d.%d", found.major, found.minor, found.revision);
    box3d.tau[GJB_INTERSECT] = box3d.tau[GJB_DISTANCE] = OVERLAP_SLOP;
    box3d.tau[GJB_TOI] = 1.25 * SLOP;
    if (options[0] != '\0') {
        snprintf(error, error_size, "option '%s': there is none", options);
        return NULL;
    }
    return tables;
}
