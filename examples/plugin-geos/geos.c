/* GEOS (the C++ library of geometry behind PostGIS) as a contender of gjkbench:
 * a plug-in to copy from. Options: "indexed" asks GEOS for distances by way of an
 * index over edges; the contender is then called geos-indexed.
 *
 * GEOS works in the plane, in double, on closed sets, and knows no radii: distances
 * are those of the cores, less the radii. It has no depth, so penetration and
 * signed_distance are not claimed. Distances are exact up to rounding, hence tau 0.
 */
#include <geos_c.h>
#include <gjkbench/adapter.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int indexed;

/* What `prepare` keeps: the shapes as stored. GEOS needs them placed, so geometries are made per pair. */
typedef struct library {
    gjb_shapes shapes;
} library;

/* GEOS needs one context per thread. It is never freed: threads live as long as their process. */
static GEOSContextHandle_t context(void)
{
    static _Thread_local GEOSContextHandle_t handle;
    if (handle == NULL)
        handle = GEOS_init_r();
    return handle;
}

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)backend; /* there is only one */
    library *l = malloc(sizeof *l);
    if (l != NULL)
        l->shapes = *shapes;
    return l;
}

/* A vertex turned by its pose and moved relative to A, as results are. */
static void place(const double v[2], const gjb_pose2d *pose, const gjb_pose2d *a, double out[2])
{
    out[0] = pose->c * v[0] - pose->s * v[1] + (pose->x - a->x);
    out[1] = pose->s * v[0] + pose->c * v[1] + (pose->y - a->y);
}

static GEOSGeometry *geometry(const gjb_shapes *s, uint32_t shape, const gjb_pose2d *pose, const gjb_pose2d *a)
{
    const double(*rows)[2] = (const double(*)[2])s->rows + s->first[shape];
    const gjb_kind kind = (gjb_kind)s->kind[shape];
    const unsigned count = kind == GJB_BOX ? 4 : s->row_count[shape], closed = kind == GJB_POLYGON || kind == GJB_BOX;
    GEOSCoordSequence *points = GEOSCoordSeq_create_r(context(), count + closed, 2);
    for (unsigned i = 0; i < count + closed; i++) {
        const unsigned k = i % count; /* a ring ends where it began */
        const double corner[2] = {k == 1 || k == 2 ? rows[0][0] : -rows[0][0], k >= 2 ? rows[0][1] : -rows[0][1]};
        double p[2];
        place(kind == GJB_BOX ? corner : rows[k], pose, a, p);
        GEOSCoordSeq_setXY_r(context(), points, i, p[0], p[1]);
    }
    if (kind == GJB_POINT)
        return GEOSGeom_createPoint_r(context(), points);
    if (kind == GJB_SEGMENT)
        return GEOSGeom_createLineString_r(context(), points);
    return GEOSGeom_createPolygon_r(context(), GEOSGeom_createLinearRing_r(context(), points), NULL, 0);
}

/* Witness points of the cores, and from them normal and points of the shapes. GEOS gives no
 * normal, as `no_normal` says: this one, from point to point, is not graded. */
static int witness(const GEOSGeometry *a, const GEOSGeometry *b, const double radius[2], gjb_answer *answer)
{
    GEOSCoordSequence *points = GEOSNearestPoints_r(context(), a, b);
    double p[2][2];
    if (points == NULL)
        return -1;
    for (unsigned i = 0; i < 2; i++)
        GEOSCoordSeq_getXY_r(context(), points, i, &p[i][0], &p[i][1]);
    GEOSCoordSeq_destroy_r(context(), points);
    const double gap[2] = {p[1][0] - p[0][0], p[1][1] - p[0][1]}, length = hypot(gap[0], gap[1]);
    for (int i = 0; i < 2; i++) {
        answer->normal[i] = length > 0 ? gap[i] / length : 0; /* from A to B, as gjkbench has it */
        answer->point_a[i] = p[0][i] + radius[0] * answer->normal[i];
        answer->point_b[i] = p[1][i] - radius[1] * answer->normal[i];
    }
    return 0;
}

static void answer_pair(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const gjb_shapes *s = &((const library *)prepared)->shapes;
    const gjb_pose2d *pose_a = gjb_batch_pose(batch, pair[0]), *pose_b = gjb_batch_pose(batch, pair[1]);
    const uint32_t shape[2] = {gjb_batch_shape(batch, pair[0]), gjb_batch_shape(batch, pair[1])};
    const double *radii = s->radius, radius[2] = {radii[shape[0]], radii[shape[1]]};
    GEOSGeometry *a = geometry(s, shape[0], pose_a, pose_a), *b = geometry(s, shape[1], pose_b, pose_a);
    double distance = 0;
    const int round = radius[0] + radius[1] > 0, boolean = batch->query == GJB_INTERSECT;
    int failed = a == NULL || b == NULL;
    if (!failed && boolean && !round) {
        const int touch = GEOSIntersects_r(context(), a, b); /* 2: an exception */
        failed = touch == 2;
        answer->status = touch == 1 ? GJB_OVERLAPPING : GJB_SEPARATED;
    } else if (!failed) {
        failed = (indexed ? GEOSDistanceIndexed_r : GEOSDistance_r)(context(), a, b, &distance) == 0;
        answer->sigma = distance - radius[0] - radius[1];
        answer->status = answer->sigma > 0 ? GJB_SEPARATED : GJB_OVERLAPPING;
        if (!failed && !boolean && answer->status == GJB_SEPARATED)
            failed = witness(a, b, radius, answer) != 0;
    }
    if (failed) /* an honest "no answer" */
        answer->status = GJB_ITERATION_LIMIT;
    GEOSGeom_destroy_r(context(), a);
    GEOSGeom_destroy_r(context(), b);
}

static void run(const void *prepared, const gjb_batch *batch)
{
    gjb_answer_all(prepared, batch, GJB_F64, 2, answer_pair);
}

GJB_PLUGIN_EXPORT const gjb_contender *const *gjb_plugin(const char *options, char *error, size_t error_size)
{
    static gjb_contender geos = {
        .abi_version = GJB_CONTENDER_ABI,
        .struct_size = sizeof(gjb_contender),
        .name = "geos",
        .version = GEOS_VERSION,
        .licence = "LGPL-2.1-only",
        .note = "geometries are made a pair, as its interface has it",
        .dims = 1u << 2,
        .kinds = GJB_KINDS_2D,
        .queries = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE,
        .no_normal = 1u << GJB_DISTANCE,
        .precisions = 1u << GJB_F64,
        .max_vertices = GJB_NO_VERTEX_LIMIT,
        .prepare = prepare,
        .workspace_size = gjb_no_workspace,
        .run = run,
        .release = free,
    };
    static const gjb_contender *const tables[] = {&geos, NULL};
    indexed = strcmp(options, "indexed") == 0;
    if (options[0] != '\0' && !indexed) {
        snprintf(error, error_size, "option '%s': there is only 'indexed'", options);
        return NULL;
    }
    if (indexed) {
        geos.name = "geos-indexed";
        geos.note = "distances by an index over edges, made a pair";
        geos.variant_of = "geos";
    }
    return tables;
}
