/* GJK, then EPA, then the oracle if rounding stalls either. */
#include "reference/curved/curved_pair.h"
#include "reference/methods/frame3.h"

/* In the frame's place when the methods stall. */
static ref_answer3 ask_oracle(const gjb_pair3 *pair, int iterations, ref_polytope3 *polytope,
                              ref_watch *watch)
{
    ref_exact3 exact;
    ref_polytope3 own = {0};
    ref_oracle_polytope3(pair, &exact, polytope ? polytope : &own);
    ref_polytope3_free(&own);
    if (watch) { /* in the terms of the cores and of the frame */
        double radii = pair->a.radius + pair->b.radius;
        watch->lower = (exact.lo + radii) / watch->unscale;
        watch->upper = (exact.hi + radii) / watch->unscale;
        ref_watch_tell(watch, "exact", "rounding stalled the method: the exact oracle answered");
    }
    ref_answer3 answer = {.iterations = iterations, .lower = exact.lo, .upper = exact.hi};
    answer.sigma = exact.sign > 0 ? exact.hi : exact.lo;
    answer.status = exact.sign > 0 ? GJB_SEPARATED : GJB_OVERLAPPING;
    for (int k = 0; k < 3; k++) {
        answer.normal[k] = exact.normal[k];
        answer.point_a[k] = exact.point_a[k];
        answer.point_b[k] = exact.point_b[k];
    }
    return answer;
}

ref_answer3 ref_signed_distance3_traced(const gjb_pair3 *pair, ref_polytope3 *polytope,
                                        const gjb_trace *trace)
{
    ref_frame3 frame;
    ref_watch watch;
    if (polytope)
        polytope->vertex_count = polytope->face_count = 0;
    if (ref_is_curved3(pair)) {
        const gjb_pair of = ref_pair_of3(pair);
        return ref_curved_answer(&of, REF_SIGNED);
    }
    if (!ref_frame3_open(&frame, pair))
        return (ref_answer3){.status = GJB_INVALID_INPUT};
    ref_watch_open(&watch, trace, 3);
    frame.watch = ref_watch_at(&watch, frame.unscale);
    ref_core3 core = {0};
    ref_vertex3 simplex[4];
    int count = 0;
    ref_outcome3 outcome = ref_gjk_core3(&frame, &core, simplex, &count);
    bool done = outcome == REF_APART3 ||
                (outcome == REF_OVERLAP3 && ref_epa_core3(&frame, &core, simplex, count, polytope));
    ref_answer3 answer = done ? ref_answer3_of(&frame, &core)
                              : ask_oracle(pair, core.iterations, polytope, frame.watch);
    ref_watch_close(&watch);
    return answer;
}

ref_answer3 ref_signed_distance3(const gjb_pair3 *pair, ref_polytope3 *polytope)
{
    return ref_signed_distance3_traced(pair, polytope, NULL);
}

ref_answer3 ref_distance3(const gjb_pair3 *pair)
{
    const gjb_pair of = ref_pair_of3(pair);
    return ref_is_curved3(pair) ? ref_curved_answer(&of, REF_DISTANCE) : ref_signed_distance3(pair, NULL);
}

static ref_answer3 gjk_alone(const gjb_pair3 *pair, ref_watch *watch)
{
    gjb_pair3 cores = *pair;
    ref_frame3 frame;
    if (ref_is_curved3(pair)) {
        const gjb_pair of = ref_pair_of3(pair);
        return ref_curved_answer(&of, REF_CORES);
    }
    if (!ref_frame3_open(&frame, pair))
        return (ref_answer3){.status = GJB_INVALID_INPUT};
    cores.a.radius = cores.b.radius = 0;
    ref_frame3_open(&frame, &cores); /* radii may be far larger than the cores */
    frame.watch = ref_watch_at(watch, frame.unscale);
    ref_core3 core = {0};
    ref_vertex3 simplex[4];
    int count = 0;
    ref_outcome3 outcome = ref_gjk_core3(&frame, &core, simplex, &count);
    if (outcome == REF_OVERLAP3 && count == 4)
        return (ref_answer3){.status = GJB_OVERLAPPING, .iterations = core.iterations};
    /* Without a tetrahedron around the origin the cores only all but touch. */
    ref_answer3 answer = outcome == REF_APART3 ? ref_answer3_of(&frame, &core)
                                               : ask_oracle(&cores, core.iterations, NULL, frame.watch);
    if (answer.status == GJB_OVERLAPPING)
        return (ref_answer3){.status = GJB_OVERLAPPING, .iterations = core.iterations};
    return answer;
}

ref_answer3 ref_gjk3_traced(const gjb_pair3 *pair, const gjb_trace *trace)
{
    ref_watch watch;
    ref_watch_open(&watch, trace, 3);
    ref_answer3 answer = gjk_alone(pair, &watch);
    ref_watch_close(&watch);
    return answer;
}

ref_answer3 ref_gjk3(const gjb_pair3 *pair)
{
    return ref_gjk3_traced(pair, NULL);
}
