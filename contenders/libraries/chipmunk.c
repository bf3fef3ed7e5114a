/* Chipmunk 7.0.3 as a contender (f64 as packaged).
 *
 * intersect and penetration: cpShapesCollide, which asks GJK, then EPA if the cores
 * overlap, each of at most 30 rounds, and clips a contact of one or two points; so penetration
 * does more than asked. It knows no distance between two shapes: what its GJK finds
 * apart comes back as "no contact". Shapes are its own: circles, segments with a radius,
 * polygons with a radius, whose vertices cpPolyShapeInitRaw takes as they are where
 * cpPolyShapeInit would make a hull of them. That asks for "convex with a counter-clockwise
 * winding": repeated vertices are left out, and what has no inside is unsupported.
 *
 * A count above 0 is an overlap. The normal points from the first shape to the second, as
 * ours, and points are in the world, each on its shape. The distance of a contact is defined as that of its points
 * along the normal, negative if they overlap, and the deepest counts. It is worked out here: the
 * field of that name has the other sign if the library exchanged the two shapes (it puts circles before
 * segments before polygons). Poses are given relative to A's translation.
 *
 * manifold: all contacts of that answer. They have no ids of their own in it, so the features are their places.
 *
 * It promises no accuracy, and cpShapesCollide knows no skin: the collision slop is its
 * solver's. So tau and skin are 0.
 *
 * A shape keeps its placed vertices inside, so threads cannot share one. What `prepare` has are
 * the planes in local coordinates, as the library itself made them; a thread lays those of a
 * pair into two shapes of its own, and cpShapeUpdate places them. This is why the library's structures are
 * looked into: its header calls them private, and good for preallocating.
 */
#include "contenders/contender_lists.h"

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>
#include <stdlib.h>

#include "contenders/libraries/adapter.h"

#define TEXT(x) #x
#define VERSION(major, minor, release) TEXT(major) "." TEXT(minor) "." TEXT(release)

typedef enum form { NONE, CIRCLE, SEGMENT, POLYGON } form;

typedef struct shape {
    form form;
    int count;    /* of planes */
    size_t first;
    double radius;
} shape;

typedef struct prepared {
    shape *shapes;
    struct cpSplittingPlane *planes; /* of a polygon; of a circle and a segment the ends, with its normal */
    int most;                        /* planes of a shape */
    cpBody *body;                    /* at rest: colliders ask for its rotation, which no answer depends on */
} prepared;

/* The shapes that a thread places, one for either body. */
typedef struct slot {
    cpCircleShape circle;
    cpSegmentShape segment;
    cpPolyShape polygon;
} slot;

/* Vertices without repetition. */
static int distinct(const double (*rows)[2], uint32_t count, cpVect *out)
{
    int kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const cpVect v = cpv(rows[i][0], rows[i][1]);
        if (kept == 0 || !cpveql(v, out[kept - 1]))
            out[kept++] = v;
    }
    while (kept > 1 && cpveql(out[kept - 1], out[0]))
        kept--;
    return kept;
}

static int has_inside(const cpVect *v, int count)
{
    double area = 0;
    for (int i = 2; i < count; i++)
        area += cpvcross(cpvsub(v[i - 1], v[0]), cpvsub(v[i], v[0]));
    return area > 0;
}

/* -1 out of memory. */
static int add_polygon(prepared *p, shape *s, const cpVect *vertices, int count)
{
    if (!has_inside(vertices, count))
        return 0;
    cpPolyShape *made = cpPolyShapeAlloc();
    if (made == NULL)
        return -1;
    cpPolyShapeInitRaw(made, p->body, count, vertices, s->radius);
    memcpy(p->planes + s->first, made->planes + count, (size_t)count * sizeof *made->planes);
    cpShapeFree((cpShape *)made);
    s->form = POLYGON;
    s->count = count;
    return 0;
}

static void add_segment(prepared *p, shape *s, const double (*rows)[2])
{
    cpSegmentShape made;
    const cpVect a = cpv(rows[0][0], rows[0][1]), b = cpv(rows[1][0], rows[1][1]);
    cpSegmentShapeInit(&made, p->body, a, b, s->radius);
    p->planes[s->first] = (struct cpSplittingPlane){a, made.n};
    p->planes[s->first + 1] = (struct cpSplittingPlane){b, made.n};
    s->form = SEGMENT;
    s->count = 2;
}

static int add_shape(prepared *p, const gjb_shapes *shapes, uint32_t index, size_t first, cpVect *space)
{
    const double(*rows)[2] = (const double(*)[2])shapes->rows + shapes->first[index];
    shape *s = &p->shapes[index];
    *s = (shape){NONE, 0, first, ((const double *)shapes->radius)[index]};
    switch ((gjb_kind)shapes->kind[index]) {
    case GJB_POINT:
        p->planes[first].v0 = cpv(rows[0][0], rows[0][1]);
        s->form = CIRCLE;
        s->count = 1;
        return 0;
    case GJB_SEGMENT:
        add_segment(p, s, rows);
        return 0;
    case GJB_BOX:
        for (int i = 0; i < 4; i++)
            space[i] = cpv(i == 1 || i == 2 ? rows[0][0] : -rows[0][0], i < 2 ? -rows[0][1] : rows[0][1]);
        return add_polygon(p, s, space, 4);
    default:
        return add_polygon(p, s, space, distinct(rows, shapes->row_count[index], space));
    }
}

static void release(void *prepared_by_us)
{
    prepared *p = prepared_by_us;
    if (p->body != NULL)
        cpBodyFree(p->body);
    free(p->shapes);
    free(p->planes);
    free(p);
}

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    size_t planes = 0;
    uint32_t most = 4;
    for (uint32_t i = 0; i < shapes->count; i++) {
        planes += shapes->kind[i] == GJB_BOX ? 4 : shapes->row_count[i];
        most = shapes->row_count[i] > most ? shapes->row_count[i] : most;
    }
    prepared *p = calloc(1, sizeof *p);
    cpVect *space = malloc(most * sizeof *space);
    int failed = p == NULL || space == NULL;
    if (!failed) {
        *p = (prepared){malloc((shapes->count + 1u) * sizeof *p->shapes), calloc(planes + 1, sizeof *p->planes),
                        (int)most, cpBodyNewStatic()};
        failed = p->shapes == NULL || p->planes == NULL || p->body == NULL;
    }
    size_t first = 0;
    for (uint32_t i = 0; i < shapes->count && !failed; i++) {
        failed = add_shape(p, shapes, i, first, space) != 0;
        first += (size_t)p->shapes[i].count;
    }
    free(space);
    if (failed && p != NULL) {
        release(p);
        p = NULL;
    }
    return p;
}

/* Two slots, then room for the placed and the local planes of each. */
static size_t workspace_size(const void *prepared_by_us)
{
    const prepared *p = prepared_by_us;
    return 2 * (sizeof(slot) + 2 * (size_t)p->most * sizeof *p->planes);
}

static void initialise(const prepared *p, slot *slots)
{
    static const cpVect corners[3] = {{0, 0}, {1, 0}, {0, 1}};
    memset(slots, 0, 2 * sizeof *slots);
    for (int i = 0; i < 2; i++) {
        cpCircleShapeInit(&slots[i].circle, p->body, 1, cpvzero);
        cpSegmentShapeInit(&slots[i].segment, p->body, corners[0], corners[1], 0);
        cpPolyShapeInitRaw(&slots[i].polygon, p->body, 3, corners, 0);
        slots[i].polygon.planes = (struct cpSplittingPlane *)(slots + 2) + 2 * i * p->most;
    }
}

static gjb_pose2d pose_of(const gjb_batch *batch, uint32_t body)
{
    gjb_pose2d pose;
    memcpy(&pose, gjb_batch_pose(batch, body), sizeof pose);
    return pose;
}

/* The library's placed shape; NULL if it has none. */
static cpShape *place(const prepared *p, const gjb_batch *batch, uint32_t body, const gjb_pose2d *origin,
                      slot *slot)
{
    const shape *s = &p->shapes[gjb_batch_shape(batch, body)];
    const struct cpSplittingPlane *planes = p->planes + s->first;
    const gjb_pose2d pose = pose_of(batch, body);
    cpShape *placed = NULL;
    switch (s->form) {
    case CIRCLE:
        slot->circle.c = planes[0].v0;
        slot->circle.r = s->radius;
        placed = &slot->circle.shape;
        break;
    case SEGMENT:
        slot->segment.a = planes[0].v0;
        slot->segment.b = planes[1].v0;
        slot->segment.n = planes[0].n;
        slot->segment.r = s->radius;
        placed = &slot->segment.shape;
        break;
    case POLYGON:
        slot->polygon.count = s->count;
        slot->polygon.r = s->radius;
        memcpy(slot->polygon.planes + s->count, planes, (size_t)s->count * sizeof *planes);
        placed = &slot->polygon.shape;
        break;
    case NONE:
        return NULL;
    }
    const double x = pose.x - origin->x, y = pose.y - origin->y;
    cpShapeUpdate(placed, cpTransformNew(pose.c, pose.s, -pose.s, pose.c, x, y));
    return placed;
}

static void store(double target[3], cpVect v)
{
    target[0] = v.x;
    target[1] = v.y;
}

static void answer_pair(const void *prepared_by_us, const gjb_batch *batch, const uint32_t *pair,
                        gjb_answer *answer)
{
    const prepared *p = prepared_by_us;
    slot *slots = batch->workspace;
    const gjb_pose2d origin = pose_of(batch, pair[0]);
    const cpShape *a = place(p, batch, pair[0], &origin, &slots[0]);
    const cpShape *b = place(p, batch, pair[1], &origin, &slots[1]);
    if (a == NULL || b == NULL)
        return;
    const cpContactPointSet contacts = cpShapesCollide(a, b);
    answer->status = contacts.count > 0 ? GJB_OVERLAPPING : GJB_SEPARATED;
    answer->sigma = INFINITY;
    store(answer->normal, contacts.normal);
    for (int i = 0; i < contacts.count; i++) {
        double point_a[3] = {0}, point_b[3] = {0};
        const cpVect gap = cpvsub(contacts.points[i].pointB, contacts.points[i].pointA);
        const double distance = cpvdot(gap, contacts.normal);
        store(point_a, contacts.points[i].pointA);
        store(point_b, contacts.points[i].pointB);
        if (batch->query == GJB_MANIFOLD) {
            gjb_answer_contact(answer, point_a, point_b, distance, (uint32_t)i);
        } else if (distance < answer->sigma) {
            answer->sigma = distance;
            memcpy(answer->point_a, point_a, sizeof point_a);
            memcpy(answer->point_b, point_b, sizeof point_b);
        }
    }
}

static void run(const void *prepared_by_us, const gjb_batch *batch)
{
    const int known = batch->query == GJB_INTERSECT || batch->query == GJB_PENETRATION || batch->query == GJB_MANIFOLD;
    initialise(prepared_by_us, batch->workspace);
    gjb_answer_all(prepared_by_us, batch, GJB_F64, 2, known ? answer_pair : gjb_answer_unsupported);
}

static const gjb_contender contender = {
    .abi_version = GJB_CONTENDER_ABI,
    .struct_size = sizeof(gjb_contender),
    .name = "chipmunk",
    .version = VERSION(CP_VERSION_MAJOR, CP_VERSION_MINOR, CP_VERSION_RELEASE),
    .licence = "MIT",
    .note =
        "cpShapesCollide: penetration also clips a contact; contacts in overlap only; Debian's build has assertions "
        "compiled in",
    .dims = 1u << 2,
    .kinds = GJB_KINDS_2D,
    .queries = 1u << GJB_INTERSECT | 1u << GJB_PENETRATION | 1u << GJB_MANIFOLD,
    .does_more = 1u << GJB_INTERSECT | 1u << GJB_PENETRATION,
    .precisions = 1u << GJB_F64,
    .max_vertices = GJB_NO_VERTEX_LIMIT,
    .prepare = prepare,
    .workspace_size = workspace_size,
    .run = run,
    .release = release,
    .touching_only = 1u << GJB_MANIFOLD,
};

const gjb_contender *const gjb_contenders_chipmunk[] = {&contender, NULL};
