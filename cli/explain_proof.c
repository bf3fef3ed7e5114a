#include <math.h>
#include <stdlib.h>

#include "cli/explain.h"
#include "reference/reference.h"

/* ---- certificates, one for both dimensions ---- */

static double gap_of(const gjb_pair *pair, const double n[3])
{
    long double error;
    if (!(hypot(hypot(n[0], n[1]), n[2]) > 0))
        return NAN;
    return (double)(pair->dim == 2 ? ref_gap2(&pair->as.plane, n, &error)
                                   : ref_gap3(&pair->as.space, n, &error));
}

static double off_of(const gjb_pair *pair, int of_b, const double point[3])
{
    long double error;
    if (!isfinite(point[0] + point[1] + point[2]))
        return NAN;
    return (double)(pair->dim == 2 ? ref_point_distance2(&pair->as.plane, of_b, point, &error)
                                   : ref_point_distance3(&pair->as.space, of_b, point, &error));
}

static gjb_pair cores_of(const gjb_pair *pair)
{
    gjb_pair cores = *pair;
    if (pair->dim == 2)
        cores.as.plane.a.radius = cores.as.plane.b.radius = 0;
    else
        cores.as.space.a.radius = cores.as.space.b.radius = 0;
    return cores;
}

static double radius_of(const gjb_pair *pair, int of_b)
{
    if (pair->dim == 2)
        return of_b ? pair->as.plane.b.radius : pair->as.plane.a.radius;
    return of_b ? pair->as.space.b.radius : pair->as.space.a.radius;
}

/* ---- the inner polytope ---- */

static double dot(const double p[3], const double q[3])
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

/* The part of the whole angle about the origin that a face takes up, signed: an edge's angle, or
 * a triangle's solid angle by van Oosterom and Strackee, 1983. */
static double angle_of(const double *p, const double *q, const double *r)
{
    if (!r)
        return atan2(p[0] * q[1] - p[1] * q[0], dot(p, q)) / (2 * 3.14159265358979323846);
    double a = sqrt(dot(p, p)), b = sqrt(dot(q, q)), c = sqrt(dot(r, r));
    double volume = p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
                    p[2] * (q[0] * r[1] - q[1] * r[0]);
    return 2 * atan2(volume, a * b * c + dot(p, q) * c + dot(p, r) * b + dot(q, r) * a) /
           (4 * 3.14159265358979323846);
}

static double plane_distance(const double *p, const double *q, const double *r)
{
    double e[3], f[3] = {0, 0, 1}, n[3];
    for (int k = 0; k < 3; k++) {
        e[k] = q[k] - p[k];
        f[k] = r ? r[k] - p[k] : f[k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
    double length = sqrt(dot(n, n));
    return length > 0 ? dot(n, p) / length : INFINITY; /* a line keeps nothing in */
}

/* All of its faces at least so far out, and once around the origin in all: then the ball of that
 * radius is enclosed by points of A - B, which is convex. In double, as the walk's own vertices
 * are. NaN where it proves nothing. */
static double inner_of(const walk *steps)
{
    const gjb_trace_step *step = steps->count ? &steps->steps[steps->count - 1] : NULL;
    double least = INFINITY, around = 0;
    if (!step || !step->face_count)
        return NAN;
    for (uint32_t f = 0; f < step->face_count; f++) {
        const uint32_t *face = step->faces[f];
        const double *p = step->vertices[face[0]].w, *q = step->vertices[face[1]].w;
        const double *r = face[2] == UINT32_MAX ? NULL : step->vertices[face[2]].w;
        least = fmin(least, plane_distance(p, q, r));
        around += angle_of(p, q, r);
    }
    return least >= 0 && fabs(fabs(around) - 1) < 1e-6 ? least : NAN;
}

/* In space the reference's polytope by its own certificate, else the walk's last one. */
static double inner_bound(const cli_pair *pair, const cli_method *method, const walk *steps)
{
    ref_polytope3 polytope = {0};
    long double error, bound;
    if (pair->pair.dim == 2 || !method->cores_alone)
        return inner_of(steps);
    ref_signed_distance3(&pair->pair.as.space, &polytope);
    bound = ref_depth_bound3(&pair->pair.as.space, &polytope, &error);
    ref_polytope3_free(&polytope);
    return bound >= 0 ? (double)bound : NAN;
}

/* ---- all of it ---- */

static void certify_vectors(const gjb_pair *pair, const gjb_answer *answer, cli_proof *proof)
{
    const gjb_pair cores = cores_of(pair);
    double core[2][3], apart = 0, core_apart = 0;
    proof->gap = gap_of(pair, answer->normal);
    proof->off_a = off_of(pair, 0, answer->point_a);
    proof->off_b = off_of(pair, 1, answer->point_b);
    for (int k = 0; k < 3; k++) {
        core[0][k] = answer->point_a[k] - radius_of(pair, 0) * answer->normal[k];
        core[1][k] = answer->point_b[k] + radius_of(pair, 1) * answer->normal[k];
        apart = hypot(apart, answer->point_b[k] - answer->point_a[k]);
        core_apart = hypot(core_apart, core[1][k] - core[0][k]);
    }
    proof->apart = apart;
    /* A bound from above, so what the points are off the cores comes on top. */
    proof->core_apart = core_apart + off_of(&cores, 0, core[0]) + off_of(&cores, 1, core[1]);
}

static void certify_axis(const gjb_pair *pair, const walk *steps, cli_proof *proof)
{
    for (size_t k = 0; k < steps->count; k++) {
        double gap = steps->steps[k].has_direction ? gap_of(pair, steps->steps[k].direction) : NAN;
        if (gap > proof->axis_gap || isnan(proof->axis_gap)) {
            proof->axis_gap = gap;
            proof->axis = k;
        }
    }
}

static void ask_oracle(const gjb_pair *pair, cli_proof *proof)
{
    ref_exact plane;
    ref_exact3 space;
    if (pair->dim == 2) {
        ref_oracle2(&pair->as.plane, &plane);
        proof->sign = plane.sign;
        proof->lo = plane.lo;
        proof->hi = plane.hi;
    } else {
        ref_oracle3(&pair->as.space, &space);
        proof->sign = space.sign;
        proof->lo = space.lo;
        proof->hi = space.hi;
    }
}

static gjb_result result_of(gjb_query query, uint32_t dim, const gjb_answer *answer)
{
    gjb_result3d record;
    gjb_answer_write(query, GJB_F64, dim, answer, (char *)&record);
    return gjb_result_get(query, GJB_F64, dim, &record, 0);
}

int cli_proof_make(const cli_pair *pair, const cli_method *method, gjb_query query, const gjb_answer *answer,
                   const walk *steps, cli_proof *proof, gjb_error *error)
{
    const uint32_t dim = pair->pair.dim;
    *proof = (cli_proof){.query = query,
                         .gap = NAN,
                         .off_a = NAN,
                         .off_b = NAN,
                         .apart = NAN,
                         .inner = NAN,
                         .core_apart = NAN,
                         .axis_gap = NAN};
    int f32 = pair->scene->shapes.precision == GJB_F32 || !(method->contender->precisions >> GJB_F64 & 1);
    proof->precision = f32 ? GJB_F32 : GJB_F64;
    const gjb_tolerance granted = gjb_tolerance_for(method->contender, query, proof->precision, dim);
    gjb_truth truth = {0};
    if (gjb_truth_open(&truth, &pair->pair)) {
        gjb_truth_close(&truth);
        return gjb_fail(error, "out of memory");
    }
    ask_oracle(&pair->pair, proof);
    proof->result = result_of(query, dim, answer);
    proof->grade = gjb_grade_result(query, &truth, &proof->result, &granted);
    proof->size = truth.size;
    proof->epsilon = granted.epsilon;
    proof->k = granted.k;
    proof->tau = granted.tau + granted.skin;
    proof->tolerance = gjb_tolerance_of(&granted, truth.size);
    if (query != GJB_INTERSECT && gjb_answer_defined(query, answer->status))
        certify_vectors(&pair->pair, answer, proof);
    else if (answer->status == GJB_SEPARATED)
        certify_axis(&pair->pair, steps, proof);
    if (answer->status == GJB_OVERLAPPING)
        proof->inner = inner_bound(pair, method, steps) +
                       (method->cores_alone ? radius_of(&pair->pair, 0) + radius_of(&pair->pair, 1) : 0);
    gjb_truth_close(&truth);
    return 0;
}
