/* Box2D v3 (3.2 and later) as a plug-in of gjkbench, in float.
 *
 * Build: cmake -S . -B build -DCMAKE_PREFIX_PATH=... && cmake --build build. It finds Box2D's own CMake package.
 *
 * Frames: every function takes B's transform in the frame of A's body, and answers in that frame. The transform is
 * b2InvMulTransforms of both poses, with A at the origin, so that nothing is lost far from it; answers are turned into
 * world axes by A's rotation. Points are then relative to A's translation.
 * Normals point from A to B, as ours. Where a pair of kinds has a function in one order alone (polygon before capsule
 * before circle), shapes are exchanged and the answer is turned round.
 *
 * distance and intersect: b2ShapeDistance with the stored vertices and radii. A distance below 10 FLT_EPSILON is an
 * overlap, as in the library's own sensors; hence tau. Its normal is undefined then, and none is needed.
 * penetration and manifold: the b2Collide functions. A contact's point is the middle between both surfaces. Contacts
 * come up to 4 B2_LINEAR_SLOP apart whatever the margin (touching_only), and those beyond the margin are dropped.
 * That slop, which constants.h calls a collision tolerance, is tau: by the source two polygons count as touching within
 * a tenth of it, and two capsules have contacts along a side that are up to it further apart than the nearest points.
 * Polygons go through b2ComputeHull, which welds vertices nearer than 0.02 and drops those nearer than 0.01 to a line,
 * as documented: if it keeps fewer than there are, the pair is unsupported, for it would be another shape.
 * Beyond 16 km, where constants.h warns of the precision of floats, pairs are unsupported: vertices, positions as A
 * sees them, and motions (b2ComputeHull may recurse without end there).
 * toi: b2TimeOfImpact moves shapes to within a quarter of B2_LINEAR_SLOP of a target distance of cores, which is that
 * slop, or the radii less it: tau is 1.25 of it. Its rotations are blended, not of constant speed, and no more than an
 * eighth of a turn: pairs that turn are unsupported. A hit at 0 is an overlap. The hit point is the mean of both.
 * No more than 8 vertices (B2_MAX_POLYGON_VERTICES).
 */
#include <box2d/box2d.h>
#include <box2d/collision.h>
#include <float.h>
#include <gjkbench/adapter.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const float SLOP = 0.005f, MOST = 16000;
static const double TOUCHING = 10 * (double)FLT_EPSILON;

/* In the order in which functions take them. */
typedef enum form { NONE, POLYGON, CAPSULE, CIRCLE } form;

typedef struct shape {
    form form;          /* of penetration and manifold */
    b2ShapeProxy proxy; /* of all others; count 0: unsupported */
    b2Polygon polygon;
} shape;

static form form_of(const shape *s, gjb_kind kind, const b2Hull *hull)
{
    if (kind == GJB_POINT)
        return CIRCLE;
    if (kind == GJB_SEGMENT)
        return b2Distance(s->proxy.points[0], s->proxy.points[1]) > SLOP ? CAPSULE : NONE;
    return hull->count == s->proxy.count ? POLYGON : NONE;
}

static shape shape_of(const gjb_shapes *shapes, uint32_t index)
{
    shape s = {0};
    b2Vec2 points[B2_MAX_POLYGON_VERTICES];
    const uint32_t count = gjb_shape_vertex_count(shapes, index);
    float most = 0;
    if (count == 0 || count > B2_MAX_POLYGON_VERTICES)
        return s;
    for (uint32_t i = 0; i < count; i++) {
        double v[3];
        gjb_shape_vertex(shapes, index, i, v);
        points[i] = (b2Vec2){(float)v[0], (float)v[1]};
        most = fmaxf(most, fmaxf(fabsf(points[i].x), fabsf(points[i].y)));
    }
    if (!(most < MOST))
        return s;
    s.proxy = b2MakeProxy(points, (int)count, (float)gjb_shape_radius(shapes, index));
    b2Hull hull = {0};
    if (count > 2)
        hull = b2ComputeHull(points, (int)count);
    s.form = form_of(&s, (gjb_kind)shapes->kind[index], &hull);
    if (s.form == POLYGON)
        s.polygon = b2MakePolygon(&hull, s.proxy.radius);
    return s;
}

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    shape *all = malloc((shapes->count + 1u) * sizeof *all);
    for (uint32_t i = 0; all != NULL && i < shapes->count; i++)
        all[i] = shape_of(shapes, i);
    return all;
}

/* A pair in the frame of A, which lies at the origin. */
typedef struct question {
    const shape *a, *b;
    b2Rot turn; /* from that frame into world axes */
    b2Transform b_in_a;
    b2Transform b_pose; /* in world axes */
} question;

static question question_of(const shape *all, const gjb_batch *batch, const uint32_t *pair)
{
    const gjb_pose2d a = gjb_batch_pose2d(batch, pair[0]), b = gjb_batch_pose2d(batch, pair[1]);
    question q = {&all[gjb_batch_shape(batch, pair[0])], &all[gjb_batch_shape(batch, pair[1])],
                  {(float)a.c, (float)a.s}, {{0, 0}, {1, 0}}, {{(float)(b.x - a.x), (float)(b.y - a.y)},
                  {(float)b.c, (float)b.s}}};
    q.b_in_a = b2InvMulTransforms((b2Transform){{0, 0}, q.turn}, q.b_pose);
    return q;
}

static int is_near(b2Vec2 v)
{
    return fabsf(v.x) < MOST && fabsf(v.y) < MOST;
}

static void store(const question *q, b2Vec2 v, double out[3])
{
    const b2Vec2 world = b2RotateVector(q->turn, v);
    out[0] = (double)world.x;
    out[1] = (double)world.y;
    out[2] = 0;
}

/* --- distance ----------------------------------------------------------------- */

static void distance(const question *q, const gjb_batch *batch, gjb_answer *answer)
{
    const b2DistanceInput input = {q->a->proxy, q->b->proxy, q->b_in_a, true};
    b2SimplexCache cache = b2_emptySimplexCache;
    const b2DistanceOutput found = b2ShapeDistance(&input, &cache, NULL, 0);
    answer->iterations = (unsigned)found.iterations;
    answer->sigma = (double)found.distance;
    answer->status = answer->sigma < TOUCHING ? GJB_OVERLAPPING : GJB_SEPARATED;
    if (answer->status == GJB_OVERLAPPING || batch->query == GJB_INTERSECT)
        return;
    store(q, found.normal, answer->normal);
    gjb_unit(answer->normal); /* A's rotation is rounded */
    store(q, found.pointA, answer->point_a);
    store(q, found.pointB, answer->point_b);
}

/* --- penetration and manifold ------------------------------------------------- */

static b2Circle circle_of(const shape *s)
{
    return (b2Circle){s->proxy.points[0], s->proxy.radius};
}

static b2Capsule capsule_of(const shape *s)
{
    return (b2Capsule){s->proxy.points[0], s->proxy.points[1], s->proxy.radius};
}

/* a->form <= b->form */
static b2LocalManifold collide(const shape *a, const shape *b, b2Transform b_in_a)
{
    const b2Circle circle_a = circle_of(a), circle_b = circle_of(b);
    const b2Capsule capsule_a = capsule_of(a), capsule_b = capsule_of(b);
    switch (a->form * 4 + b->form) {
    case POLYGON * 4 + POLYGON:
        return b2CollidePolygons(&a->polygon, &b->polygon, b_in_a);
    case POLYGON * 4 + CAPSULE:
        return b2CollidePolygonAndCapsule(&a->polygon, &capsule_b, b_in_a);
    case POLYGON * 4 + CIRCLE:
        return b2CollidePolygonAndCircle(&a->polygon, &circle_b, b_in_a);
    case CAPSULE * 4 + CAPSULE:
        return b2CollideCapsules(&capsule_a, &capsule_b, b_in_a);
    case CAPSULE * 4 + CIRCLE:
        return b2CollideCapsuleAndCircle(&capsule_a, &circle_b, b_in_a);
    default:
        return b2CollideCircles(&circle_a, &circle_b, b_in_a);
    }
}

/* The manifold in A's frame, whichever of both the library calls A. */
static b2LocalManifold collide_either(const question *q)
{
    if (q->a->form <= q->b->form)
        return collide(q->a, q->b, q->b_in_a);
    const b2Transform a_in_b = b2InvMulTransforms(q->b_in_a, b2Transform_identity);
    b2LocalManifold m = collide(q->b, q->a, a_in_b);
    m.normal = b2Neg(b2RotateVector(q->b_in_a.q, m.normal));
    for (int i = 0; i < m.pointCount; i++)
        m.points[i].point = b2TransformPoint(q->b_in_a, m.points[i].point);
    return m;
}

static void contacts(const question *q, const gjb_batch *batch, gjb_answer *answer)
{
    if (q->a->form == NONE || q->b->form == NONE)
        return;
    const b2LocalManifold m = collide_either(q);
    double middle[3] = {0};
    int deepest = 0;
    answer->status = GJB_SEPARATED;
    if (m.pointCount == 0)
        return;
    store(q, m.normal, answer->normal);
    gjb_unit(answer->normal);
    for (int i = 0; i < m.pointCount; i++) {
        deepest = m.points[i].separation < m.points[deepest].separation ? i : deepest;
        store(q, m.points[i].point, middle);
        if (batch->query == GJB_MANIFOLD && (double)m.points[i].separation <= batch->margin)
            gjb_answer_contact_about(answer, middle, (double)m.points[i].separation, m.points[i].id);
    }
    answer->sigma = (double)m.points[deepest].separation;
    answer->status = answer->sigma <= 0 ? GJB_OVERLAPPING : GJB_SEPARATED;
    store(q, m.points[deepest].point, middle);
    gjb_answer_about(answer, middle);
}

/* --- toi ---------------------------------------------------------------------- */

/* As A sees it, which stays where it is. */
static void impact(const question *q, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    double a[6], b[6];
    gjb_batch_motion(batch, GJB_F32, 2, pair[0], a);
    gjb_batch_motion(batch, GJB_F32, 2, pair[1], b);
    if (a[2] != 0 || b[2] != 0)
        return;
    const b2Vec2 from = q->b_pose.p;
    const b2Vec2 to = {(float)((double)from.x + b[0] - a[0]), (float)((double)from.y + b[1] - a[1])};
    if (!is_near(to))
        return;
    const b2TOIInput input = {.proxyA = q->a->proxy,
                              .proxyB = q->b->proxy,
                              .sweepA = {.q1 = q->turn, .q2 = q->turn},
                              .sweepB = {.c1 = from, .c2 = to, .q1 = q->b_pose.q, .q2 = q->b_pose.q},
                              .maxFraction = 1};
    const b2TOIOutput found = b2TimeOfImpact(&input);
    static const gjb_status of[] = {
        [b2_toiStateUnknown] = GJB_ITERATION_LIMIT, [b2_toiStateFailed] = GJB_ITERATION_LIMIT,
        [b2_toiStateOverlapped] = GJB_OVERLAPPING,  [b2_toiStateHit] = GJB_HIT,
        [b2_toiStateSeparated] = GJB_SEPARATED,
    };
    answer->status = found.state == b2_toiStateHit && found.fraction <= 0 ? GJB_OVERLAPPING : of[found.state];
    answer->sigma = (double)found.fraction;
    answer->normal[0] = (double)found.normal.x;
    answer->normal[1] = (double)found.normal.y;
    gjb_unit(answer->normal);
    answer->point_a[0] = answer->point_b[0] = (double)found.point.x;
    answer->point_a[1] = answer->point_b[1] = (double)found.point.y;
}

/* --- the contender ------------------------------------------------------------ */

static void answer_pair(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const question q = question_of(prepared, batch, pair);
    if (q.a->proxy.count == 0 || q.b->proxy.count == 0 || !is_near(q.b_pose.p))
        return;
    if (batch->query == GJB_INTERSECT || batch->query == GJB_DISTANCE)
        distance(&q, batch, answer);
    else if (batch->query == GJB_TOI)
        impact(&q, batch, pair, answer);
    else if (batch->query == GJB_PENETRATION || batch->query == GJB_MANIFOLD)
        contacts(&q, batch, answer);
}

static void run(const void *prepared, const gjb_batch *batch)
{
    gjb_answer_all(prepared, batch, GJB_F32, 2, answer_pair);
}

GJB_PLUGIN_EXPORT const gjb_contender *const *gjb_plugin(const char *options, char *error, size_t error_size)
{
    static char version[32];
    static gjb_contender box2d = {
        .abi_version = GJB_CONTENDER_ABI,
        .struct_size = sizeof(gjb_contender),
        .name = "box2d-v3",
        .version = version,
        .licence = "MIT",
        .note = "GJK; penetration is a clipped manifold, of contacts no more than 0.02 apart; toi stops at 0.005, and "
                "does not turn; no polygons with vertices nearer than 0.02 or almost on a line",
        .dims = 1u << 2,
        .kinds = GJB_KINDS_2D | 1u << GJB_AABB,
        .queries = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE | 1u << GJB_PENETRATION | 1u << GJB_MANIFOLD |
                   1u << GJB_TOI,
        .does_more = 1u << GJB_INTERSECT | 1u << GJB_PENETRATION,
        .no_points = 1u << GJB_TOI,
        .precisions = 1u << GJB_F32,
        .max_vertices = B2_MAX_POLYGON_VERTICES,
        .prepare = prepare,
        .workspace_size = gjb_no_workspace,
        .run = run,
        .release = free,
        .touching_only = 1u << GJB_MANIFOLD,
    };
    static const gjb_contender *const tables[] = {&box2d, NULL};
    const b2Version found = b2GetVersion();
    snprintf(version, sizeof version, "%d.%d.%d", found.major, found.minor, found.revision);
    box2d.tau[GJB_INTERSECT] = box2d.tau[GJB_DISTANCE] = TOUCHING;
    box2d.tau[GJB_PENETRATION] = box2d.tau[GJB_MANIFOLD] = (double)SLOP;
    box2d.tau[GJB_TOI] = 1.25 * (double)SLOP;
    if (options[0] != '\0') {
        snprintf(error, error_size, "option '%s': there is none", options);
        return NULL;
    }
    return tables;
}
