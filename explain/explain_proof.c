/* Proves an answer from outside the method: certified bounds on sigma, and the exact oracle. */
#include <math.h>
#include <stdlib.h>

#include "explain/explain.h"
#include "reference/patch/flats.h"
#include "reference/reference.h"

/* More than what a sum of a few lengths loses to rounding. */
#define ROUNDED (1 + 0x1p-48)

static double radius_of(const gjb_pair *pair, int of_b)
{
    if (pair->dim == 2)
        return of_b ? pair->as.plane.b.radius : pair->as.plane.a.radius;
    return of_b ? pair->as.space.b.radius : pair->as.space.a.radius;
}

/* Of the cores: of the reference in the plane its own walk's last polygon, which ended with it. */
static double inner_bound(const explain_pair *pair, const explain_method *method, const walk *steps)
{
    return method->proves && pair->pair.dim == 2 ? walk_inner(steps) : explain_inner(&pair->pair);
}

/* ---- all of it ---- */

static void certify_vectors(const gjb_pair *pair, const gjb_answer *answer, explain_proof *proof)
{
    const gjb_pair cores = explain_cores(pair);
    double core[2][3], off[2], core_off[2], apart = 0, core_apart = 0;
    proof->gap = explain_gap(pair, answer->normal);
    proof->off_a = explain_off(pair, 0, answer->point_a, &off[0]);
    proof->off_b = explain_off(pair, 1, answer->point_b, &off[1]);
    for (int k = 0; k < 3; k++) {
        core[0][k] = answer->point_a[k] - radius_of(pair, 0) * answer->normal[k];
        core[1][k] = answer->point_b[k] + radius_of(pair, 1) * answer->normal[k];
        apart = hypot(apart, answer->point_b[k] - answer->point_a[k]);
        core_apart = hypot(core_apart, core[1][k] - core[0][k]);
    }
    proof->apart = apart;
    proof->above = (apart + off[0] + off[1]) * ROUNDED;
    /* A bound from above, so what the points are off the cores comes on top. */
    explain_off(&cores, 0, core[0], &core_off[0]);
    explain_off(&cores, 1, core[1], &core_off[1]);
    proof->core_apart = (core_apart + core_off[0] + core_off[1]) * ROUNDED;
}

static void certify_axis(const gjb_pair *pair, const walk *steps, explain_proof *proof)
{
    for (size_t k = 0; k < steps->count; k++) {
        double gap = steps->steps[k].has_direction ? explain_gap(pair, steps->steps[k].direction) : NAN;
        if (gap > proof->axis_gap || isnan(proof->axis_gap)) {
            proof->axis_gap = gap;
            proof->axis = k;
        }
    }
}

static void ask_oracle(const gjb_pair *pair, explain_proof *proof)
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
    union {
        gjb_result3d result;
        gjb_manifold3d manifold;
    } record;
    gjb_answer_write(query, GJB_F64, dim, answer, (char *)&record);
    return gjb_result_get(query, GJB_F64, dim, &record, 0);
}

/* What lies over one another along the answer's normal. */
static void find_patch(const explain_pair *pair, const gjb_answer *answer, explain_proof *proof)
{
    const double *n = answer->normal, length = hypot(hypot(n[0], n[1]), n[2]);
    const gjb_query_row *asked = gjb_query_find(pair->scene->query);
    ref_flats flats;
    if (!(gjb_queries[proof->query].has_patch || (asked && asked->has_patch)) || !(length > 0 && isfinite(length)) ||
        ref_flats_open(&flats, &pair->pair, n, REF_FLATS_INNER))
        return;
    const ref_patch_question question = {.normal = {n[0], n[1], n[2]},
                                         .sine = REF_PATCH_SINE,
                                         .margin = pair->pair.margin,
                                         .near = proof->tolerance,
                                         .slack = proof->tolerance};
    ref_patch_find(&flats.pair, &question, &proof->patch);
    proof->discs = flats.discs;
    proof->has_patch = 1;
}

void explain_proof_free(explain_proof *proof)
{
    ref_patch_free(&proof->patch);
}

int explain_proof_make(const explain_pair *pair, const explain_method *method, gjb_query query,
                       const gjb_answer *answer, const gjb_result *result, const walk *steps, explain_proof *proof,
                       gjb_error *error)
{
    const uint32_t dim = pair->pair.dim;
    *proof = (explain_proof){.query = query,
                         .gap = NAN,
                         .off_a = NAN,
                         .off_b = NAN,
                         .apart = NAN,
                         .above = NAN,
                         .inner = NAN,
                         .core_apart = NAN,
                         .axis_gap = NAN};
    const int f32 = pair->scene->shapes.precision == GJB_F32 || !(method->contender->precisions >> GJB_F64 & 1);
    proof->precision = f32 ? GJB_F32 : GJB_F64;
    const gjb_tolerance published = gjb_tolerance_for(method->contender, query, proof->precision, dim);
    const gjb_tolerance granted = gjb_tolerance_on(&published, &pair->pair);
    gjb_truth truth = {0};
    gjb_pair plain = pair->pair; /* methods are walked and asked without a margin */
    plain.within = 0;
    if (gjb_truth_open(&truth, &plain)) {
        gjb_truth_close(&truth);
        return gjb_fail(error, "out of memory");
    }
    ask_oracle(&pair->pair, proof);
    proof->result = result ? *result : result_of(query, dim, answer);
    proof->grade = gjb_grade_result(query, &truth, &proof->result, &granted);
    proof->no_points = granted.no_points;
    proof->no_normal = granted.no_normal;
    proof->size = truth.size;
    proof->epsilon = granted.epsilon;
    proof->k = granted.k;
    proof->tau = granted.tau + granted.skin + granted.relative * truth.size;
    proof->tolerance = gjb_tolerance_of(&granted, truth.size);
    const int has_vectors = query != GJB_INTERSECT && gjb_answer_defined(query, answer->status);
    if (has_vectors && !(explain_is_asked(method) && gjb_queries[query].has_patch && !answer->count)) {
        certify_vectors(&pair->pair, answer, proof);
        find_patch(pair, answer, proof);
    } else if (answer->status == GJB_SEPARATED) {
        certify_axis(&pair->pair, steps, proof);
    }
    if (answer->status == GJB_OVERLAPPING)
        proof->inner =
            inner_bound(pair, method, steps) + radius_of(&pair->pair, 0) + radius_of(&pair->pair, 1);
    gjb_truth_close(&truth);
    return 0;
}
