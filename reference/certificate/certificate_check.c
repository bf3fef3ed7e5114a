/* The checker of certificates: follows each step of a proof exactly, then holds the claim to what was proven. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/certificate/certificate_grid.h"

static bool all_finite(const double v[3], uint32_t dim)
{
    bool all = true;
    for (uint32_t m = 0; m < dim; m++)
        all = all && isfinite(v[m]);
    return all;
}

/* What can be said without the pair's geometry. */
static int well_formed(const ref_cert_grid *g, const ref_certificate *c, ref_certified *verdict)
{
    static const char *const names[2] = {"a", "b"};
    if (isnan(c->lo) || isnan(c->hi) || c->lo > c->hi)
        return ref_cert_refuse(verdict, "claim: [%.17g, %.17g] is no interval", c->lo, c->hi);
    if (c->has_witness && !(c->off >= 0 && c->off < INFINITY))
        return ref_cert_refuse(verdict, "witness.off: %.17g is no distance", c->off);
    for (int s = 0; s < 2; s++) {
        if (c->has_witness && !all_finite(c->witness[s], g->dim))
            return ref_cert_refuse(verdict, "witness.%s: a number is not finite", names[s]);
        const ref_cert_side *side = &g->side[s];
        if (gjb_is_unbounded(side->kind) && c->points[s].count)
            return ref_cert_refuse(verdict, "points.%s: a %s has none", names[s], gjb_kind_name(side->kind));
        if (c->inner_count[s] && !side->curved)
            return ref_cert_refuse(verdict, "inner.%s: a %s has vertices, and needs no inner points",
                                   names[s], gjb_kind_name(side->kind));
        for (uint32_t k = 0; k < c->inner_count[s]; k++) {
            if (!ref_cert_inside(side->kind, g->dim, side->rows, c->inner[s][k]))
                return ref_cert_refuse(verdict, "inner.%s[%u]: not surely in the %s", names[s], k,
                                       gjb_kind_name(side->kind));
        }
    }
    return 0;
}

/* A half-space has no corners, and one direction. */
static int well_formed_plane(const ref_cert_grid *g, const ref_certificate *c, ref_certified *verdict)
{
    const int s = ref_cert_plane_of(g);
    if (s < 0 && c->has_plane)
        return ref_cert_refuse(verdict, "plane: no shape is a halfspace");
    if (s >= 0 && gjb_is_unbounded(g->side[1 - s].kind))
        return ref_cert_refuse(verdict, "two half-spaces, of which nothing is checked");
    const char *odd = c->has_direction ? "direction" : c->simplex_count ? "simplex" : c->face_count ? "polytope" : NULL;
    if (s >= 0 && odd)
        return ref_cert_refuse(
            verdict, "%s: of a pair with a halfspace, only plane and points of the other shape are steps",
            odd);
    return 0;
}

static void take_lower(ref_certified *v, double lo, bool above_0)
{
    v->lo = lo > v->lo ? lo : v->lo;
    v->sign = above_0 ? 1 : v->sign;
}

static void take_upper(const ref_cert_grid *g, const ref_cert_bound *bound, ref_certified *v)
{
    const double hi = ref_cert_rounded(g, bound, true);
    v->hi = hi < v->hi ? hi : v->hi;
    if (v->sign == 0 && ref_cert_compare(g, bound, g->radii, 0) <= 0)
        v->sign = -1;
}

static int follow_direction(const ref_cert_grid *g, const ref_certificate *c, ref_certified *verdict)
{
    const double *n = c->direction;
    if (!all_finite(n, g->dim) || (n[0] == 0 && n[1] == 0 && (g->dim == 2 || n[2] == 0)))
        return ref_cert_refuse(verdict, "direction: none");
    if (g->side[0].curved || g->side[1].curved) {
        int above_0;
        const double gap = ref_cert_curved_gap(g, n, &above_0);
        take_lower(verdict, gap, above_0);
        return 0;
    }
    ref_cert_bound bound;
    ref_cert_bound_init(&bound);
    ref_cert_gap(g, n, &bound);
    take_lower(verdict, ref_cert_rounded(g, &bound, false), ref_cert_compare(g, &bound, g->radii, 0) > 0);
    ref_cert_bound_clear(&bound);
    return 0;
}

typedef int step(const ref_cert_grid *g, const ref_certificate *c, ref_cert_bound *bound,
                 ref_certified *verdict);

static int follow(step *one, const ref_cert_grid *g, const ref_certificate *c, ref_certified *verdict)
{
    ref_cert_bound bound;
    ref_cert_bound_init(&bound);
    const int failed = one(g, c, &bound, verdict);
    if (!failed)
        take_upper(g, &bound, verdict);
    ref_cert_bound_clear(&bound);
    return failed;
}

/* Does what was found imply what is claimed? */
static int imply(const ref_certificate *c, ref_certified *verdict)
{
    const ref_certified *found = verdict;
    if (c->lo == -INFINITY && c->hi == INFINITY && !c->sign && !c->has_witness)
        return ref_cert_refuse(verdict, "claim: nothing is claimed");
    if (!(found->lo >= c->lo))
        return ref_cert_refuse(verdict, "claim.lo: sigma >= %.17g is claimed, and >= %.17g proven", c->lo,
                               found->lo);
    if (!(found->hi <= c->hi))
        return ref_cert_refuse(verdict, "claim.hi: sigma <= %.17g is claimed, and <= %.17g proven", c->hi,
                               found->hi);
    if (c->sign && c->sign != found->sign)
        return ref_cert_refuse(verdict, "claim.is: '%s' is claimed, and %s proven",
                               c->sign > 0 ? "apart" : "overlap",
                               found->sign > 0   ? "'apart'"
                               : found->sign < 0 ? "'overlap'"
                                                 : "neither");
    return 0;
}

static int follow_plane(const ref_cert_grid *g, const ref_certificate *c, ref_certified *verdict)
{
    const int has_point = c->points[1 - ref_cert_plane_of(g)].count > 0;
    int above_0, failed = 0;
    double bound;
    if (c->has_plane) {
        bound = ref_cert_plane_gap(g, &above_0);
        take_lower(verdict, bound, above_0);
    }
    if (has_point)
        failed |= ref_cert_plane_point(g, c, &bound, &above_0, verdict);
    if (has_point && !failed) {
        verdict->hi = fmin(verdict->hi, bound);
        verdict->sign = verdict->sign == 0 && !above_0 ? -1 : verdict->sign;
    }
    if (c->has_witness)
        failed |= has_point ? ref_cert_plane_witness(g, c, verdict)
                            : ref_cert_refuse(verdict, "witness: claimed, and the proof has no point of the core");
    return failed;
}

static int follow_cores(const ref_cert_grid *g, const ref_certificate *c, ref_certified *verdict)
{
    int failed = 0;
    if (c->has_direction)
        failed |= follow_direction(g, c, verdict);
    if (c->points[0].count || c->points[1].count)
        failed |= follow(ref_cert_points, g, c, verdict);
    if (c->simplex_count)
        failed |= c->simplex_count > 4
                      ? ref_cert_refuse(verdict, "simplex: %u vertices, at most 4", c->simplex_count)
                      : follow(ref_cert_simplex, g, c, verdict);
    if (c->face_count)
        failed |= follow(ref_cert_polytope, g, c, verdict);
    if (c->has_witness)
        failed |= c->points[0].count && c->points[1].count
                      ? ref_cert_witness(g, c, verdict)
                      : ref_cert_refuse(verdict, "witness: claimed, and the proof has no points of the cores");
    return failed;
}

static void follow_all(const ref_cert_grid *g, const ref_certificate *c, ref_certified *verdict)
{
    int failed = ref_cert_plane_of(g) < 0 ? follow_cores(g, c, verdict) : follow_plane(g, c, verdict);
    if (!failed)
        failed = imply(c, verdict);
    /* No pair has both: then it is the checker that is wrong, and nothing that it says is to be used. */
    if (verdict->lo > verdict->hi || (verdict->sign > 0 && verdict->hi <= 0)) {
        fprintf(stderr, "gjkbench: the checker of certificates contradicts itself: sigma >= %a and <= %a\n",
                verdict->lo, verdict->hi);
        abort();
    }
    verdict->accepted = !failed;
}

void ref_certificate_check(const gjb_pair *pair, const ref_certificate *c, ref_certified *verdict)
{
    ref_cert_grid grid;
    memset(&grid, 0, sizeof grid);
    *verdict = (ref_certified){.lo = -INFINITY, .hi = INFINITY};
    for (int s = 0; s < 2; s++) { /* what is not finite cannot be placed */
        for (uint32_t k = 0; k < c->inner_count[s]; k++) {
            if (!all_finite(c->inner[s][k], 3)) {
                ref_cert_refuse(verdict, "inner.%s[%u]: not finite", s ? "b" : "a", k);
                return;
            }
        }
    }
    ref_cert_grid_open(&grid, pair, c);
    if (!well_formed(&grid, c, verdict) && !well_formed_plane(&grid, c, verdict))
        follow_all(&grid, c, verdict);
    ref_cert_grid_close(&grid);
}
