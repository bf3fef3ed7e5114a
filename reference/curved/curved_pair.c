/* Answers, exact intervals and audits of pairs with a curved core, in the plane and in space. */
#include "reference/curved/curved_pair.h"

#include <math.h>
#include <string.h>

#include "reference/curved/curved_cache.h"
#include "reference/effort.h"
#include "reference/methods/frame2.h"
#include "reference/methods/frame3.h"

/* Corners that an answer and the oracle may take: pairs with as many directions alike as that are all but
 * coaxial and yet not, and then the interval is wider. */
enum { MOST_CORNERS = 300000 };

static double outwards(ref_real value, double way)
{
    const double near = (double)value;
    return (way < 0 ? near > value : near < value) ? nextafter(near, way) : near;
}

static bool valid(const gjb_pair *pair)
{
    ref_frame2 flat;
    ref_frame3 solid;
    return pair->dim == 2 ? ref_frame2_open(&flat, &pair->as.plane) : ref_frame3_open(&solid, &pair->as.space);
}

static void take_vectors(const ref_enclosure *e, double normal[3], double a[3], double b[3])
{
    for (int k = 0; k < 3; k++) {
        normal[k] = (double)e->normal[k];
        a[k] = (double)e->point[0][k];
        b[k] = (double)e->point[1][k];
    }
}

static void leave_radii_out(gjb_pair *pair)
{
    if (pair->dim == 2)
        pair->as.plane.a.radius = pair->as.plane.b.radius = 0;
    else
        pair->as.space.a.radius = pair->as.space.b.radius = 0;
}

static ref_answer3 find_answer(const gjb_pair *pair, ref_wanted wanted)
{
    gjb_pair of = *pair;
    ref_curved curved;
    ref_enclosure e;
    if (wanted == REF_CORES)
        leave_radii_out(&of);
    ref_curved_open(&curved, &of);
    const ref_real width = REF_EPSILON3 * gjb_pair_size(&of);
    if (wanted == REF_SIGNED)
        ref_curved_enclose_quickly(&curved, width, MOST_CORNERS, true, &e);
    else
        ref_curved_enclose_distance(&curved, width, MOST_CORNERS, &e);
    ref_answer3 answer = {.iterations = (int)e.corners};
    answer.sigma = (double)(e.capped ? e.lower : (e.lower + e.upper) / 2); /* capped, what is along the best direction */
    answer.status = answer.sigma > 0 ? GJB_SEPARATED : GJB_OVERLAPPING;
    if (wanted != REF_SIGNED && answer.status == GJB_OVERLAPPING)
        return (ref_answer3){.status = GJB_OVERLAPPING, .iterations = (int)e.corners};
    answer.lower = outwards(e.lower, -INFINITY);
    answer.upper = outwards(e.upper, INFINITY);
    take_vectors(&e, answer.normal, answer.point_a, answer.point_b);
    return answer;
}

ref_answer3 ref_curved_answer(const gjb_pair *pair, ref_wanted wanted)
{
    if (!valid(pair))
        return (ref_answer3){.status = GJB_INVALID_INPUT};
    const ref_answer3 *known = ref_cache_find(pair, wanted);
    if (known)
        return *known;
    const ref_answer3 answer = find_answer(pair, wanted);
    ref_cache_keep(pair, wanted, &answer);
    return answer;
}

void ref_curved_oracle(const gjb_pair *pair, ref_exact3 *out)
{
    ref_curved curved;
    ref_enclosure e;
    ref_curved_open(&curved, pair);
    ref_curved_enclose_quickly(&curved, 0.5L * REF_EPSILON3 * gjb_pair_size(pair), MOST_CORNERS, true, &e);
    if (e.capped)
        ref_effort_note_cap();
    out->lo = outwards(e.lower, -INFINITY);
    out->hi = outwards(e.upper, INFINITY);
    out->sign = (out->lo > 0) - (out->hi < 0);
    take_vectors(&e, out->normal, out->point_a, out->point_b);
}

long double ref_curved_pair_gap(const gjb_pair *pair, const double *n, long double *error)
{
    const ref_real along[3] = {n[0], n[1], pair->dim == 2 ? 0 : n[2]};
    ref_curved curved;
    ref_curved_open(&curved, pair);
    *error = curved.error;
    return ref_curved_gap(&curved, along);
}

long double ref_curved_pair_distance(const gjb_pair *pair, bool of_b, const double *point, long double *error)
{
    const ref_real at[3] = {point[0], point[1], pair->dim == 2 ? 0 : point[2]};
    ref_curved curved;
    ref_curved_open(&curved, pair);
    curved.size += fabsl(at[0]) + fabsl(at[1]) + fabsl(at[2]);
    curved.error += 0x1p-57L * (fabsl(at[0]) + fabsl(at[1]) + fabsl(at[2]));
    *error = 2 * curved.error;
    return ref_curved_point_distance(&curved, of_b, at);
}

ref_answer ref_curved_answer2(const gjb_pair2 *pair, ref_wanted wanted)
{
    const gjb_pair of = ref_pair_of2(pair);
    const ref_answer3 in_space = ref_curved_answer(&of, wanted);
    ref_answer answer = {.status = in_space.status, .iterations = in_space.iterations, .sigma = in_space.sigma,
                         .lower = in_space.lower, .upper = in_space.upper};
    memcpy(answer.normal, in_space.normal, sizeof answer.normal);
    memcpy(answer.point_a, in_space.point_a, sizeof answer.point_a);
    memcpy(answer.point_b, in_space.point_b, sizeof answer.point_b);
    return answer;
}

void ref_curved_oracle2(const gjb_pair2 *pair, ref_exact *out)
{
    const gjb_pair of = ref_pair_of2(pair);
    ref_exact3 in_space;
    ref_curved_oracle(&of, &in_space);
    *out = (ref_exact){.sign = in_space.sign, .lo = in_space.lo, .hi = in_space.hi};
    memcpy(out->normal, in_space.normal, sizeof out->normal);
    memcpy(out->point_a, in_space.point_a, sizeof out->point_a);
    memcpy(out->point_b, in_space.point_b, sizeof out->point_b);
}
