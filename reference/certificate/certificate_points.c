/* Steps by corners alone: the support gap, points of the cores, a simplex around the origin. Exact. */
#include "reference/certificate/certificate_grid.h"

#include <limits.h>
#include <math.h>

static void direction_of(const double direction[3], uint32_t dim, ref_lattice *n)
{
    int lowest = INT_MAX;
    for (uint32_t m = 0; m < dim; m++) {
        const int own = ref_cert_lowest(direction[m]);
        lowest = own < lowest ? own : lowest;
    }
    for (uint32_t m = 0; m < 3; m++)
        ref_cert_integer(n->x[m], m < dim ? direction[m] : 0, lowest);
}

/* n.w is least over D where n.b is least over B and n.a greatest over A. */
void ref_cert_gap(const ref_cert_grid *g, const double direction[3], ref_cert_bound *bound)
{
    ref_lattice n;
    mpz_t t, best[2];
    ref_lattice_init(&n);
    mpz_inits(t, best[0], best[1], NULL);
    direction_of(direction, g->dim, &n);
    for (int s = 0; s < 2; s++) {
        for (uint32_t k = 0; k < g->side[s].count; k++) {
            ref_cert_inner(t, &n, &g->side[s].at[k]);
            const int order = mpz_cmp(t, best[s]);
            if (k == 0 || (s ? order < 0 : order > 0))
                mpz_set(best[s], t);
        }
    }
    mpz_sub(t, best[1], best[0]);
    bound->way = mpz_sgn(t);
    mpz_mul(bound->above, t, t);
    ref_cert_inner(bound->below, &n, &n);
    ref_lattice_clear(&n);
    mpz_clears(t, best[0], best[1], NULL);
}

int ref_cert_mean(const ref_cert_grid *g, int s, const ref_terms *terms, ref_lattice *sum, mpz_t weight,
                  ref_certified *verdict)
{
    const char *shape = s ? "b" : "a";
    int lowest = INT_MAX;
    for (uint32_t k = 0; k < terms->count; k++) {
        const double w = terms->weight[k];
        if (terms->index[k] >= g->side[s].count)
            return ref_cert_refuse(verdict, "points.%s.index[%u]: corner %u of %u", shape, k, terms->index[k],
                                   g->side[s].count);
        if (!(w >= 0 && w < INFINITY))
            return ref_cert_refuse(verdict, "points.%s.weight[%u]: %g is no weight", shape, k, w);
        lowest = ref_cert_lowest(w) < lowest ? ref_cert_lowest(w) : lowest;
    }
    if (lowest == INT_MAX)
        return ref_cert_refuse(verdict, "points.%s.weight: the sum is 0", shape);
    mpz_t t;
    mpz_init(t);
    for (uint32_t k = 0; k < terms->count; k++) {
        ref_cert_integer(t, terms->weight[k], lowest);
        mpz_add(weight, weight, t);
        for (int m = 0; m < 3; m++)
            mpz_addmul(sum->x[m], t, g->side[s].at[terms->index[k]].x[m]);
    }
    mpz_clear(t);
    return 0;
}

/* |b - a|, a = sum[0] / weight[0] and b likewise. */
static void apart(const ref_lattice sum[2], mpz_t weight[2], ref_cert_bound *bound)
{
    ref_lattice between;
    ref_lattice_init(&between);
    for (int m = 0; m < 3; m++) {
        mpz_mul(between.x[m], sum[1].x[m], weight[0]);
        mpz_submul(between.x[m], sum[0].x[m], weight[1]);
    }
    ref_cert_inner(bound->above, &between, &between);
    mpz_mul(bound->below, weight[0], weight[1]);
    mpz_mul(bound->below, bound->below, bound->below);
    bound->way = mpz_sgn(bound->above);
    ref_lattice_clear(&between);
}

int ref_cert_points(const ref_cert_grid *g, const ref_certificate *c, ref_cert_bound *bound,
                    ref_certified *verdict)
{
    ref_lattice sum[2];
    mpz_t weight[2];
    int failed = 0;
    for (int s = 0; s < 2; s++) {
        ref_lattice_init(&sum[s]);
        mpz_init(weight[s]);
    }
    for (int s = 0; s < 2 && !failed; s++)
        failed = ref_cert_mean(g, s, &c->points[s], &sum[s], weight[s], verdict);
    if (!failed)
        apart(sum, weight, bound);
    for (int s = 0; s < 2; s++) {
        ref_lattice_clear(&sum[s]);
        mpz_clear(weight[s]);
    }
    return failed;
}

/* The witness point is at most radius + off from the point of the core. */
int ref_cert_witness_of(const ref_cert_grid *g, const ref_certificate *c, int s, ref_certified *verdict)
{
    ref_lattice both[2];
    mpz_t weight[2], radius;
    mp_bitcnt_t finer;
    ref_cert_bound bound;
    ref_cert_bound_init(&bound);
    for (int k = 0; k < 2; k++) {
        ref_lattice_init(&both[k]);
        mpz_init(weight[k]);
    }
    mpz_init(radius);
    int failed = ref_cert_mean(g, s, &c->points[s], &both[0], weight[0], verdict);
    if (!failed) {
        ref_cert_point(g, c->witness[s], &both[1], &finer);
        mpz_set_ui(weight[1], 1);
        mpz_mul_2exp(weight[1], weight[1], finer);
        apart(both, weight, &bound);
        /* The radius as a bound of its own, on a grid that holds it: R's does. */
        ref_cert_integer(radius, g->side[s].radius, g->exponent);
        mpz_mul(radius, radius, g->scale);
        if (ref_cert_compare(g, &bound, radius, c->off) > 0)
            failed = ref_cert_refuse(verdict,
                                     "witness.%s: more than %.9g from the point of the core and its radius",
                                     s ? "b" : "a", c->off);
    }
    for (int k = 0; k < 2; k++) {
        ref_lattice_clear(&both[k]);
        mpz_clear(weight[k]);
    }
    mpz_clear(radius);
    ref_cert_bound_clear(&bound);
    return failed;
}

int ref_cert_witness(const ref_cert_grid *g, const ref_certificate *c, ref_certified *verdict)
{
    return ref_cert_witness_of(g, c, 0, verdict) || ref_cert_witness_of(g, c, 1, verdict) ? -1 : 0;
}

/* ---- a simplex ---- */

/* Sign of p . (q x r). */
static int volume(const ref_lattice *p, const ref_lattice *q, const ref_lattice *r)
{
    ref_lattice n;
    mpz_t t;
    ref_lattice_init(&n);
    mpz_init(t);
    ref_cert_cross(&n, q, r);
    ref_cert_inner(t, p, &n);
    const int sign = mpz_sgn(t);
    ref_lattice_clear(&n);
    mpz_clear(t);
    return sign;
}

/* Does the triangle hold the origin, which is in its plane? By the areas of the three triangles about the
 * origin, as vectors: none may oppose another, and they are not all 0. */
static bool triangle_holds(const ref_lattice *w)
{
    ref_lattice area[3];
    mpz_t t;
    bool holds = volume(&w[0], &w[1], &w[2]) == 0, some = false;
    mpz_init(t);
    for (int k = 0; k < 3; k++) {
        ref_lattice_init(&area[k]);
        ref_cert_cross(&area[k], &w[k], &w[(k + 1) % 3]);
        for (int m = 0; m < 3; m++)
            some = some || mpz_sgn(area[k].x[m]) != 0;
    }
    for (int k = 0; k < 3; k++) {
        ref_cert_inner(t, &area[k], &area[(k + 1) % 3]);
        holds = holds && mpz_sgn(t) >= 0;
    }
    for (int k = 0; k < 3; k++)
        ref_lattice_clear(&area[k]);
    mpz_clear(t);
    return holds && some;
}

static bool segment_holds(const ref_lattice *w)
{
    ref_lattice area;
    mpz_t t;
    ref_lattice_init(&area);
    mpz_init(t);
    ref_cert_cross(&area, &w[0], &w[1]);
    ref_cert_inner(t, &w[0], &w[1]);
    const bool holds = mpz_sgn(t) <= 0 && !mpz_sgn(area.x[0]) && !mpz_sgn(area.x[1]) && !mpz_sgn(area.x[2]);
    ref_lattice_clear(&area);
    mpz_clear(t);
    return holds;
}

/* 0 = sum of l_k w_k with l_k proportional to the volumes of the tetrahedra about the origin that leave w_k
 * out. */
static bool tetrahedron_holds(const ref_lattice *w)
{
    int least = 1, most = -1;
    for (int k = 0; k < 4; k++) {
        const ref_lattice *p = &w[k == 0], *q = &w[k <= 1 ? 2 : 1], *r = &w[k <= 2 ? 3 : 2];
        const int sign = k % 2 ? -volume(p, q, r) : volume(p, q, r);
        least = sign < least ? sign : least;
        most = sign > most ? sign : most;
    }
    return (least >= 0 && most > 0) || (most <= 0 && least < 0);
}

int ref_cert_simplex(const ref_cert_grid *g, const ref_certificate *c, ref_cert_bound *bound,
                     ref_certified *verdict)
{
    ref_lattice w[4];
    for (uint32_t k = 0; k < c->simplex_count; k++) {
        for (int s = 0; s < 2; s++) {
            if (c->simplex[k][s] >= g->side[s].count)
                return ref_cert_refuse(verdict, "simplex[%u][%d]: corner %u of %u", k, s, c->simplex[k][s],
                                       g->side[s].count);
        }
    }
    for (int k = 0; k < 4; k++)
        ref_lattice_init(&w[k]);
    for (uint32_t k = 0; k < c->simplex_count && k < 4; k++)
        ref_cert_corner(g, c->simplex[k], &w[k]);
    bool holds = false;
    switch (c->simplex_count) {
    case 1:
        holds = !mpz_sgn(w[0].x[0]) && !mpz_sgn(w[0].x[1]) && !mpz_sgn(w[0].x[2]);
        break;
    case 2:
        holds = segment_holds(w);
        break;
    case 3:
        holds = triangle_holds(w);
        break;
    case 4:
        holds = tetrahedron_holds(w);
        break;
    default:
        break;
    }
    for (int k = 0; k < 4; k++)
        ref_lattice_clear(&w[k]);
    mpz_set_ui(bound->above, 0);
    mpz_set_ui(bound->below, 1);
    return holds ? 0 : ref_cert_refuse(verdict, "simplex: does not hold the origin");
}
