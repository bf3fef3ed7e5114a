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

/* In space the reference's polytope by its own certificate, else the walk's last one. */
static double inner_bound(const cli_pair *pair, const cli_method *method, const walk *steps)
{
    ref_polytope3 polytope = {0};
    long double error, bound;
    if (pair->pair.dim == 2 || !method->cores_alone)
        return walk_inner(steps);
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
