/* The checker's part for curved cores: points inside a core, and support gaps rounded down.
 * Steps about curved cores. Membership is exact but for superellipses and superellipsoids, whose powers are
 * rounded against the certificate, by MPFR, each operation correctly (Fousse, Hanrot, Lefevre, Pelissier,
 * Zimmermann 2007); support functions are rounded up, so that gaps are rounded down. */
#include "reference/certificate/certificate_grid.h"

#include <math.h>

enum { BITS = REF_CERT_BITS };

/* ---- membership ---- */

/* sum (x / a)^2 <= 1, and x = 0 if a = 0. */
static bool in_ellipsoid(uint32_t dim, const double *semi, const double *x)
{
    mpq_t sum, t, a;
    mpq_inits(sum, t, a, NULL);
    bool inside = true;
    for (uint32_t k = 0; k < dim; k++) {
        inside = inside && (semi[k] > 0 || x[k] == 0);
        if (semi[k] > 0) {
            mpq_set_d(t, x[k]);
            mpq_set_d(a, semi[k]);
            mpq_div(t, t, a);
            mpq_mul(t, t, t);
            mpq_add(sum, sum, t);
        }
    }
    inside = inside && mpq_cmp_ui(sum, 1, 1) <= 0;
    mpq_clears(sum, t, a, NULL);
    return inside;
}

/* sum |x / a|^p <= 1, every rounding up. */
static bool in_powers(uint32_t dim, const double *semi, double exponent, const double *x)
{
    mpfr_t sum, t, p;
    mpfr_inits2(BITS, sum, t, p, NULL);
    mpfr_set_ui(sum, 0, MPFR_RNDU);
    mpfr_set_d(p, exponent, MPFR_RNDN); /* exact */
    bool inside = true;
    for (uint32_t k = 0; k < dim; k++) {
        inside = inside && (semi[k] > 0 || x[k] == 0);
        if (semi[k] > 0) {
            mpfr_set_d(t, fabs(x[k]), MPFR_RNDN);
            mpfr_div_d(t, t, semi[k], MPFR_RNDU);
            mpfr_pow(t, t, p, MPFR_RNDU);
            mpfr_add(sum, sum, t, MPFR_RNDU);
        }
    }
    inside = inside && mpfr_cmp_ui(sum, 1) <= 0;
    mpfr_clears(sum, t, p, NULL);
    return inside;
}

/* x^2 + y^2 <= w^2, w = r, or of a cone r (h - z) / (2 h). */
static bool in_turned(bool cone, const double row[3], const double x[3])
{
    const double r = row[0], h = row[1];
    mpq_t sum, t, w;
    if (!(fabs(x[2]) <= h))
        return false;
    mpq_inits(sum, t, w, NULL);
    for (int k = 0; k < 2; k++) {
        mpq_set_d(t, x[k]);
        mpq_mul(t, t, t);
        mpq_add(sum, sum, t);
    }
    mpq_set_d(w, r);
    if (cone && h > 0) {
        mpq_t z;
        mpq_init(z);
        mpq_set_d(t, h);
        mpq_set_d(z, x[2]);
        mpq_sub(z, t, z);
        mpq_add(t, t, t);
        mpq_div(z, z, t);
        mpq_mul(w, w, z);
        mpq_clear(z);
    }
    mpq_mul(w, w, w);
    const bool inside = mpq_cmp(sum, w) <= 0;
    mpq_clears(sum, t, w, NULL);
    return inside;
}

bool ref_cert_inside(gjb_kind kind, uint32_t dim, const double *rows, const double point[3])
{
    for (uint32_t k = 0; k < dim; k++)
        if (!isfinite(point[k]))
            return false;
    switch (kind) {
    case GJB_ELLIPSE:
    case GJB_ELLIPSOID:
        return in_ellipsoid(dim, rows, point);
    case GJB_SUPERELLIPSE:
    case GJB_SUPERELLIPSOID:
        return in_powers(dim, rows, rows[dim], point);
    case GJB_CYLINDER:
    case GJB_CONE:
        return in_turned(kind == GJB_CONE, rows, point);
    default:
        return false;
    }
}

/* ---- support functions ---- */

/* All below: an upper bound on the greatest n.x over the core, n in local coordinates, exact. */

static void product(mpfr_t out, const mpz_t n, double length, mpfr_rnd_t way)
{
    mpfr_set_z(out, n, way);
    mpfr_mul_d(out, out, length, way);
}

/* sqrt(sum (a n)^2) over the first `count` axes, or all of one length. */
static void root_of_squares(mpfr_t out, const ref_lattice *n, const double *semi, uint32_t count,
                            bool one_length)
{
    mpfr_t t;
    mpfr_init2(t, BITS);
    mpfr_set_ui(out, 0, MPFR_RNDU);
    for (uint32_t k = 0; k < count; k++) {
        /* Away from 0, so that its square is rounded up whatever the sign. */
        product(t, n->x[k], semi[one_length ? 0 : k], MPFR_RNDA);
        mpfr_sqr(t, t, MPFR_RNDU);
        mpfr_add(out, out, t, MPFR_RNDU);
    }
    mpfr_sqrt(out, out, MPFR_RNDU);
    mpfr_clear(t);
}

/* (sum |a n|^q)^(1/q) with q = p / (p - 1) rounded down, which makes it larger; |a n| taken in units of the
 * largest m, so that the sum is at least 1, and its root too. Of p = 1 it is m. */
static void root_of_powers(mpfr_t out, const ref_lattice *n, const double *semi, double exponent,
                           uint32_t dim)
{
    mpfr_t t, m, q, sum;
    mpfr_inits2(BITS, t, m, q, sum, NULL);
    mpfr_set_ui(m, 0, MPFR_RNDU);
    uint32_t largest = 0;
    for (uint32_t k = 0; k < dim; k++) {
        product(t, n->x[k], semi[k], MPFR_RNDA);
        mpfr_abs(t, t, MPFR_RNDU);
        if (mpfr_cmp(t, m) > 0) {
            mpfr_set(m, t, MPFR_RNDU);
            largest = k;
        }
    }
    mpfr_set(out, m, MPFR_RNDU);
    if (exponent > 1 && mpfr_sgn(m) > 0) {
        mpfr_set_d(t, exponent, MPFR_RNDN);
        mpfr_sub_ui(t, t, 1, MPFR_RNDN); /* exact */
        mpfr_d_div(q, exponent, t, MPFR_RNDD);
        mpfr_set_ui(sum, 1, MPFR_RNDU);
        for (uint32_t k = 0; k < dim; k++) {
            if (k == largest)
                continue;
            product(t, n->x[k], semi[k], MPFR_RNDA);
            mpfr_abs(t, t, MPFR_RNDU);
            mpfr_div(t, t, m, MPFR_RNDU);
            mpfr_pow(t, t, q, MPFR_RNDU);
            mpfr_add(sum, sum, t, MPFR_RNDU);
        }
        mpfr_ui_div(q, 1, q, MPFR_RNDU);
        mpfr_pow(sum, sum, q, MPFR_RNDU);
        mpfr_mul(out, m, sum, MPFR_RNDU);
    }
    mpfr_clears(t, m, q, sum, NULL);
}

static void of_cylinder(mpfr_t out, const ref_lattice *n, const double row[3])
{
    mpfr_t t;
    mpfr_init2(t, BITS);
    root_of_squares(out, n, row, 2, true);
    product(t, n->x[2], row[1], MPFR_RNDA);
    mpfr_abs(t, t, MPFR_RNDU);
    mpfr_add(out, out, t, MPFR_RNDU);
    mpfr_clear(t);
}

/* The apex, or the rim of the disc. */
static void of_cone(mpfr_t out, const ref_lattice *n, const double row[3])
{
    mpfr_t t;
    mpfr_init2(t, BITS);
    root_of_squares(out, n, row, 2, true);
    product(t, n->x[2], row[1], MPFR_RNDD);
    mpfr_sub(out, out, t, MPFR_RNDU);
    product(t, n->x[2], row[1], MPFR_RNDU);
    mpfr_max(out, out, t, MPFR_RNDU);
    mpfr_clear(t);
}

/* Greatest n.x over a placed core, on the grid, at least; n times 2^-lowest is the direction. */
void ref_cert_support(const ref_cert_grid *g, int s, const ref_lattice *n, mpfr_t out)
{
    const ref_cert_side *side = &g->side[s];
    ref_lattice local;
    mpz_t t;
    mpfr_t whole;
    ref_lattice_init(&local);
    mpz_init(t);
    mpfr_init2(whole, BITS);
    for (uint32_t k = 0; k < g->dim; k++)
        for (uint32_t m = 0; m < g->dim; m++)
            mpz_addmul(local.x[k], side->turn[m][k], n->x[m]);
    switch (side->kind) {
    case GJB_ELLIPSE:
    case GJB_ELLIPSOID:
        root_of_squares(out, &local, side->rows, g->dim, false);
        break;
    case GJB_SUPERELLIPSE:
    case GJB_SUPERELLIPSOID:
        root_of_powers(out, &local, side->rows, side->rows[g->dim], g->dim);
        break;
    case GJB_CYLINDER:
        of_cylinder(out, &local, side->rows);
        break;
    case GJB_CONE:
        of_cone(out, &local, side->rows);
        break;
    default: /* corners: exact but for the last rounding */
        for (uint32_t k = 0; k < side->count; k++) {
            ref_cert_inner(t, n, &side->at[k]);
            mpfr_set_z(whole, t, MPFR_RNDU);
            if (k == 0 || mpfr_cmp(whole, out) > 0)
                mpfr_set(out, whole, MPFR_RNDU);
        }
    }
    if (side->curved) { /* from local units to the grid, and to its place */
        mpfr_mul_2si(out, out, side->turn_exponent - g->exponent, MPFR_RNDU);
        mpfr_mul_z(out, out, g->side[!s].norm, MPFR_RNDU);
        ref_cert_inner(t, n, &side->offset);
        mpfr_add_z(out, out, t, MPFR_RNDU);
    }
    ref_lattice_clear(&local);
    mpz_clear(t);
    mpfr_clear(whole);
}

double ref_cert_curved_gap(const ref_cert_grid *g, const double direction[3], int *sign)
{
    ref_lattice n, back;
    mpz_t t;
    mpfr_t a, b, length;
    int lowest = 0;
    ref_lattice_init(&n);
    ref_lattice_init(&back);
    mpz_init(t);
    mpfr_inits2(BITS, a, b, length, NULL);
    for (uint32_t m = 0; m < g->dim; m++) {
        const int own = ref_cert_lowest(direction[m]);
        lowest = m == 0 || own < lowest ? own : lowest;
    }
    for (uint32_t m = 0; m < 3; m++) {
        ref_cert_integer(n.x[m], m < g->dim ? direction[m] : 0, lowest);
        mpz_neg(back.x[m], n.x[m]);
    }
    ref_cert_support(g, 0, &n, a);
    ref_cert_support(g, 1, &back, b);
    mpfr_add(a, a, b, MPFR_RNDU);
    mpfr_neg(a, a, MPFR_RNDD); /* at most the least n.w over D */
    ref_cert_inner(t, &n, &n);
    mpfr_set_z(length, t, mpfr_sgn(a) >= 0 ? MPFR_RNDU : MPFR_RNDD);
    mpfr_sqrt(length, length, mpfr_sgn(a) >= 0 ? MPFR_RNDU : MPFR_RNDD);
    mpfr_div(a, a, length, MPFR_RNDD);
    mpfr_sub_z(a, a, g->radii, MPFR_RNDD);
    *sign = mpfr_sgn(a) > 0;
    mpfr_set_z(length, g->scale, mpfr_sgn(a) >= 0 ? MPFR_RNDU : MPFR_RNDD);
    mpfr_div(a, a, length, MPFR_RNDD);
    mpfr_mul_2si(a, a, g->exponent, MPFR_RNDD);
    const double gap = mpfr_get_d(a, MPFR_RNDD);
    ref_lattice_clear(&n);
    ref_lattice_clear(&back);
    mpz_clear(t);
    mpfr_clears(a, b, length, NULL);
    return gap + 0.0;
}
