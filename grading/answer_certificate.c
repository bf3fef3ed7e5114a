/* Makes a certificate's claim from a right answer: the interval of sigma, its normal and witness points. */
#include "grading/answer_certificate.h"

#include <math.h>
#include <string.h>

static double lower(double x)
{
    return nextafter(x, -INFINITY);
}

static double higher(double x)
{
    return nextafter(x, INFINITY);
}

/* T, the error of the measures that a grade is made of, and what a proof loses when it is written as doubles. */
static double slack_of(const gjb_placed_pair *placed, const gjb_tolerance *granted)
{
    return higher(gjb_tolerance_of(granted, placed->size) + (double)placed->error +
                  2 * gjb_epsilon(GJB_F64) * placed->size);
}

/* Where sigma is if the answer is right: by its status, and by its value, which of `distance` and `penetration`
 * says nothing beyond 0. */
static void place(gjb_query query, const gjb_result *r, double t, ref_certificate *c)
{
    const int apart = r->status == GJB_SEPARATED, beyond_0 = r->value - t > 0;
    const double sigma = query == GJB_PENETRATION ? -r->value : r->value;
    c->lo = apart ? -t : -INFINITY;
    c->hi = apart ? INFINITY : t;
    if (query == GJB_SIGNED_DISTANCE || query == GJB_PENETRATION || (query == GJB_DISTANCE && beyond_0))
        c->lo = fmax(c->lo, lower(sigma - t));
    if (query == GJB_SIGNED_DISTANCE || query == GJB_DISTANCE || (query == GJB_PENETRATION && beyond_0))
        c->hi = fmin(c->hi, higher(sigma + t));
}

void gjb_certify_answer(const gjb_placed_pair *placed, gjb_query query, const gjb_result *r,
                        const gjb_tolerance *granted, ref_certificate *c)
{
    const int vectors = gjb_queries[query].vectors_when >> (r->status == GJB_SEPARATED ? 0 : 1) & 1;
    const int has_normal = vectors && !granted->no_normal, has_points = vectors && !granted->no_points;
    const double t = slack_of(placed, granted);
    double points[2][3];
    memcpy(points[0], r->point_a, sizeof points[0]);
    memcpy(points[1], r->point_b, sizeof points[1]);
    ref_certificate_prove(placed->pair,
                          &(ref_evidence){.normal = has_normal ? r->normal : NULL,
                                          .points = has_points ? (const double(*)[3])points : NULL},
                          c);
    place(query, r, t, c);
    /* A right normal's gap is short of the truth by T at most, and the truth of the value. */
    if (has_normal)
        c->lo = lower(c->lo - t);
    /* Right points are as far apart as the value but for T, and each T from its shape. Where the cores overlap
     * they prove nothing, and a polytope does. */
    if (has_points && !c->simplex_count)
        c->hi = higher(c->hi > 0 ? fabs(r->value) + 3 * t : c->hi + 2 * t);
    if (has_points) {
        c->has_witness = true;
        c->off = t;
        memcpy(c->witness, points, sizeof points);
    }
}

/* --- Manifolds --- */

/* A manifold without contacts says that there is nothing within the margin. */
static void certify_none(const gjb_placed_pair *placed, const gjb_result *r, const gjb_tolerance *granted,
                         ref_certificate *c)
{
    const double t = slack_of(placed, granted), margin = placed->pair->margin;
    ref_certificate_prove(placed->pair, &(ref_evidence){0}, c);
    place(GJB_INTERSECT, r, t, c);
    if (!granted->touching_only && isfinite(margin))
        c->lo = fmax(c->lo, lower(margin - t));
}

void gjb_certify_contact(const gjb_placed_pair *placed, const gjb_result *r, uint32_t contact,
                         const gjb_tolerance *granted, ref_certificate *c)
{
    if (contact >= r->count) {
        certify_none(placed, r, granted, c);
        return;
    }
    const gjb_contact3d *at = &r->contact[contact];
    const double t = slack_of(placed, granted), sigma = r->value;
    const int has_points = !granted->no_points, apart = r->status == GJB_SEPARATED;
    double points[2][3];
    memcpy(points[0], at->point_a, sizeof points[0]);
    memcpy(points[1], at->point_b, sizeof points[1]);
    ref_certificate_prove(placed->pair,
                          &(ref_evidence){.normal = r->normal,
                                          .points = has_points ? (const double(*)[3])points : NULL},
                          c);
    /* The gap along the normal is the least separation but for T, and of what overlaps the truth but for another T. */
    c->lo = lower(sigma - t);
    c->hi = apart ? INFINITY : higher(fmin(sigma + t, 0) + t);
    /* As of other answers; only the deepest points are so near. */
    if (has_points && !c->simplex_count)
        c->hi = at->separation > sigma ? INFINITY : higher(apart || c->hi > 0 ? fabs(sigma) + 3 * t : sigma + 3 * t);
    if (has_points) {
        c->has_witness = true;
        c->off = t;
        memcpy(c->witness, points, sizeof points);
    }
}
