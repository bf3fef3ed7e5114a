/* libccd 2.1 as three contenders (f64 as packaged): GJK, GJK + EPA, MPR.
 *
 * The library knows no shapes: it asks for supports and centres, which this
 * adapter answers from our vertices and curved cores, radii included, relative to A's
 * translation. Packaged settings stay: epa_tolerance and mpr_tolerance 1e-4,
 * both absolute, hence tau of penetration; dist_tolerance 1e-6. (Variants have 1e-6; much below, EPA
 * often does not end on what is round.) Only
 * max_iterations, endless by default, is set: a pair that uses them up is
 * answered "iteration limit", which the library itself calls apart.
 *
 * Its penetration returns depth >= 0, a unit direction in which B is to be moved, which is our normal, and
 * one position "where force should take a place": our two points lie half a
 * depth to either side of it. The depth of MPR is that along the
 * portal it ended with, by design not the least.
 */
#include "contenders/contender_lists.h"

#include <ccd/ccd.h>
#include <math.h>
#include <stdlib.h>

#include "contenders/libraries/adapter.h"

#define REAL double
#define NAME(kind) support_of_##kind
#define ABSOLUTE fabs
#define ROOT sqrt
#define POWER pow
#define LEAST_SQUARE 1e-280
#define MOST_SQUARE 1e280
#include "contenders/libraries/curved_support.h"

enum { MAX_ITERATIONS = 500 };

/* CCD_INIT's, and a variant's. */
static const double PACKAGED = 1e-4, TIGHT = 1e-6;

typedef struct prepared {
    gjb_shapes shapes;
    double (*centres)[3];
    double tolerance; /* of EPA and of portals */
} prepared;

typedef struct body {
    gjb_kind kind;
    uint32_t count;
    const double *rows;
    double radius;
    const double *centre; /* local */
    gjb_placing placing;
    unsigned *supports;   /* counted */
} body;

static void support_of_vertices(const body *b, const double d[3], double p[3])
{
    const double *best = b->rows;
    double most = best[0] * d[0] + best[1] * d[1] + best[2] * d[2];
    for (uint32_t i = 1; i < b->count; i++) {
        const double *v = b->rows + 3 * i;
        const double at = v[0] * d[0] + v[1] * d[1] + v[2] * d[2];
        if (at > most) {
            most = at;
            best = v;
        }
    }
    memcpy(p, best, 3 * sizeof *p);
}

/* A point of the rim even along the axis: of a face, corners lead to fewer degenerate simplices. */
static void support_of_disc(double radius, double z, const double d[3], double p[3])
{
    const double across = sqrt(d[0] * d[0] + d[1] * d[1]);
    p[0] = across > 0 ? radius * (d[0] / across) : radius;
    p[1] = across > 0 ? radius * (d[1] / across) : 0;
    p[2] = z;
}

static void support_of_cone(double radius, double half, const double d[3], double p[3])
{
    if (2 * half * d[2] > radius * sqrt(d[0] * d[0] + d[1] * d[1])) {
        p[0] = p[1] = 0;
        p[2] = half;
    } else {
        support_of_disc(radius, -half, d, p);
    }
}

static void support_of_core(const body *b, const double d[3], double p[3])
{
    const double *row = b->rows;
    switch (b->kind) {
    case GJB_BOX:
        for (int i = 0; i < 3; i++)
            p[i] = d[i] < 0 ? -row[i] : row[i];
        break;
    case GJB_ELLIPSOID:
        support_of_ellipsoid(row, d, p);
        break;
    case GJB_SUPERELLIPSOID:
        support_of_superellipsoid(row, d, p);
        break;
    case GJB_CYLINDER:
        support_of_disc(row[0], d[2] < 0 ? -row[1] : row[1], d, p);
        break;
    case GJB_CONE:
        support_of_cone(row[0], row[1], d, p);
        break;
    default:
        support_of_vertices(b, d, p);
    }
}

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out)
{
    const body *b = object;
    double d[3], p[3], world[3];
    gjb_turn_back(b->placing.r, direction->v, d);
    support_of_core(b, d, p);
    gjb_turn(b->placing.r, p, world);
    const double length = b->radius > 0 ? sqrt(ccdVec3Len2(direction)) : 0;
    const double out_of_core = length > 0 ? b->radius / length : 0;
    for (int i = 0; i < 3; i++)
        out->v[i] = world[i] + b->placing.t[i] + out_of_core * direction->v[i];
    ++*b->supports;
}

static void centre(const void *object, ccd_vec3_t *out)
{
    const body *b = object;
    gjb_turn(b->placing.r, b->centre, out->v);
    for (int i = 0; i < 3; i++)
        out->v[i] += b->placing.t[i];
}

/* The mean of the vertices, or the local origin: inside, which is all that MPR asks for. */
static void *prepare_for(const gjb_shapes *shapes, double tolerance)
{
    prepared *p = malloc(sizeof *p);
    double(*centres)[3] = calloc(shapes->count + 1u, sizeof *centres);
    if (p == NULL || centres == NULL) {
        free(p);
        free(centres);
        return NULL;
    }
    for (uint32_t s = 0; s < shapes->count; s++) {
        const double *rows = (const double *)shapes->rows + 3 * (size_t)shapes->first[s];
        const int centred = shapes->kind[s] == GJB_BOX || (GJB_CURVED_3D >> shapes->kind[s] & 1u);
        for (uint32_t i = 0; i < shapes->row_count[s] && !centred; i++)
            for (int k = 0; k < 3; k++)
                centres[s][k] += rows[3 * i + (uint32_t)k] / shapes->row_count[s];
    }
    *p = (prepared){*shapes, centres, tolerance};
    return p;
}

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    return prepare_for(shapes, PACKAGED);
}

static void *prepare_tight(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    return prepare_for(shapes, TIGHT);
}

static void release(void *prepared_by_us)
{
    prepared *p = prepared_by_us;
    free(p->centres);
    free(p);
}

static body place(const prepared *p, const gjb_batch *batch, uint32_t index, const gjb_pose3d *origin,
                  unsigned *supports)
{
    const uint32_t s = gjb_batch_shape(batch, index);
    const gjb_pose3d pose = gjb_batch_pose3d(batch, index);
    return (body){(gjb_kind)p->shapes.kind[s],
                  p->shapes.row_count[s],
                  (const double *)p->shapes.rows + 3 * (size_t)p->shapes.first[s],
                  ((const double *)p->shapes.radius)[s],
                  p->centres[s],
                  gjb_place(&pose, origin),
                  supports};
}

/* A pair as the library sees it. */
typedef struct question {
    body a, b;
    ccd_t ccd;
    unsigned supports[2];
} question;

static void put(question *q, const prepared *p, const gjb_batch *batch, const uint32_t *pair)
{
    const gjb_pose3d origin = gjb_batch_pose3d(batch, pair[0]);
    q->supports[0] = q->supports[1] = 0;
    q->a = place(p, batch, pair[0], &origin, &q->supports[0]);
    q->b = place(p, batch, pair[1], &origin, &q->supports[1]);
    CCD_INIT(&q->ccd);
    q->ccd.support1 = q->ccd.support2 = support;
    q->ccd.center1 = q->ccd.center2 = centre;
    q->ccd.max_iterations = MAX_ITERATIONS;
    q->ccd.epa_tolerance = q->ccd.mpr_tolerance = p->tolerance;
}

/* The library calls the end of its iterations "apart". */
static gjb_status apart(const question *q)
{
    return q->supports[0] > MAX_ITERATIONS ? GJB_ITERATION_LIMIT : GJB_SEPARATED;
}

typedef int (*intersects)(const void *, const void *, const ccd_t *);
typedef int (*penetrates)(const void *, const void *, const ccd_t *, ccd_real_t *, ccd_vec3_t *, ccd_vec3_t *);

static inline void boolean(const void *prepared_by_us, const gjb_batch *batch, const uint32_t *pair, intersects call,
                           gjb_answer *answer)
{
    question q;
    put(&q, prepared_by_us, batch, pair);
    answer->status = call(&q.a, &q.b, &q.ccd) ? GJB_OVERLAPPING : apart(&q);
    answer->iterations = q.supports[0];
}

static inline void depth(const void *prepared_by_us, const gjb_batch *batch, const uint32_t *pair, penetrates call,
                         gjb_answer *answer)
{
    question q;
    ccd_real_t found = 0;
    ccd_vec3_t direction = {{0, 0, 0}}, position = {{0, 0, 0}};
    put(&q, prepared_by_us, batch, pair);
    const int outcome = call(&q.a, &q.b, &q.ccd, &found, &direction, &position);
    answer->status = outcome == 0 ? GJB_OVERLAPPING : outcome == -1 ? apart(&q) : GJB_ITERATION_LIMIT;
    answer->iterations = q.supports[0];
    answer->sigma = -found;
    memcpy(answer->normal, direction.v, sizeof answer->normal);
    gjb_answer_about(answer, position.v);
}

/* One function a contender and query, so that each loop calls the library straight. */
static void gjk_intersect(const void *p, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    boolean(p, batch, pair, ccdGJKIntersect, answer);
}

static void mpr_intersect(const void *p, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    boolean(p, batch, pair, ccdMPRIntersect, answer);
}

static void epa_penetration(const void *p, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    depth(p, batch, pair, ccdGJKPenetration, answer);
}

static void mpr_penetration(const void *p, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    depth(p, batch, pair, ccdMPRPenetration, answer);
}

static void run_gjk(const void *p, const gjb_batch *batch)
{
    gjb_answer_all(p, batch, GJB_F64, 3, batch->query == GJB_INTERSECT ? gjk_intersect : gjb_answer_unsupported);
}

static void run_epa(const void *p, const gjb_batch *batch)
{
    gjb_answer_all(p, batch, GJB_F64, 3, batch->query == GJB_PENETRATION ? epa_penetration : gjb_answer_unsupported);
}

static void run_mpr(const void *p, const gjb_batch *batch)
{
    gjb_answer_all(p, batch, GJB_F64, 3,
                   batch->query == GJB_INTERSECT     ? mpr_intersect
                   : batch->query == GJB_PENETRATION ? mpr_penetration
                                                     : gjb_answer_unsupported);
}

/* Its headers name no version. */
#define PC_NOTE "; the version is what its ccd.pc says, and release 2.1 calls itself 2.0"
#define CONFIGURED(tolerance, prepares)                                                                         \
    .abi_version = GJB_CONTENDER_ABI, .struct_size = sizeof(gjb_contender), .version = GJB_LIBCCD_VERSION,       \
    .licence = "BSD-3-Clause", .dims = 1u << 3, .kinds = GJB_KINDS_3D | GJB_CURVED_3D, .precisions = 1u << GJB_F64, \
    .max_vertices = GJB_NO_VERTEX_LIMIT, .no_points = 1u << GJB_PENETRATION, .tau = {0, 0, tolerance, 0},        \
    .prepare = prepares, .workspace_size = gjb_no_workspace, .release = release

static const gjb_contender contender_gjk = {
    CONFIGURED(1e-4, prepare),
    .name = "libccd-gjk",
    .note = "supports come from this suite's adapter; no more than 500 iterations" PC_NOTE,
    .queries = 1u << GJB_INTERSECT,
    .run = run_gjk,
};
static const gjb_contender contender_epa = {
    CONFIGURED(1e-4, prepare),
    .name = "libccd-epa",
    .note = "GJK, then EPA to 1e-4; one contact position, from which both witness points are drawn" PC_NOTE,
    .queries = 1u << GJB_PENETRATION,
    .run = run_epa,
};
static const gjb_contender contender_mpr = {
    CONFIGURED(1e-4, prepare),
    .name = "libccd-mpr",
    .note = "portal refinement to 1e-4; its depth is by design not the least; one contact position" PC_NOTE,
    .queries = 1u << GJB_INTERSECT | 1u << GJB_PENETRATION,
    .run = run_mpr,
};
static const gjb_contender contender_epa_tight = {
    CONFIGURED(1e-6, prepare_tight),
    .name = "libccd-epa-tight",
    .variant_of = "libccd-epa",
    .note = "GJK, then EPA to 1e-6" PC_NOTE,
    .queries = 1u << GJB_PENETRATION,
    .run = run_epa,
};
static const gjb_contender contender_mpr_tight = {
    CONFIGURED(1e-6, prepare_tight),
    .name = "libccd-mpr-tight",
    .variant_of = "libccd-mpr",
    .note = "portal refinement to 1e-6; its depth is by design not the least" PC_NOTE,
    .queries = 1u << GJB_INTERSECT | 1u << GJB_PENETRATION,
    .run = run_mpr,
};

const gjb_contender *const gjb_contenders_libccd[] = {&contender_gjk,       &contender_epa, &contender_mpr,
                                                      &contender_epa_tight, &contender_mpr_tight, NULL};
