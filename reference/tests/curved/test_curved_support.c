/* Support mappings of curved cores against MPFR at 256 bits: is the stated error honest, and not far too large? */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <mpfr.h>

#include "reference/curved/curved.h"
#include "reference/tests/curved/curved_pairs.h"

enum { BITS = 256 };

typedef struct precise {
    mpfr_t x[3];
} precise;

static void init(precise *v)
{
    mpfr_inits2(BITS, v->x[0], v->x[1], v->x[2], (mpfr_ptr)0);
}

static void clear(precise *v)
{
    mpfr_clears(v->x[0], v->x[1], v->x[2], (mpfr_ptr)0);
}

/* The pose's rotation as it is defined, from the stored numbers. */
static void rotation(const gjb_pair *pair, mpfr_t m[3][3])
{
    double q[4] = {0, 0, 0, 1};
    mpfr_t norm, term;
    mpfr_inits2(BITS, norm, term, (mpfr_ptr)0);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            mpfr_init2(m[i][k], BITS);
            mpfr_set_zero(m[i][k], 1);
        }
    }
    if (pair->dim == 2) {
        const gjb_pose2d *pose = &pair->as.plane.a.pose;
        mpfr_set_d(m[0][0], pose->c, MPFR_RNDN);
        mpfr_set_d(m[1][1], pose->c, MPFR_RNDN);
        mpfr_set_d(m[1][0], pose->s, MPFR_RNDN);
        mpfr_set_d(m[0][1], -pose->s, MPFR_RNDN);
    } else {
        const gjb_pose3d *pose = &pair->as.space.a.pose;
        q[0] = pose->qx;
        q[1] = pose->qy;
        q[2] = pose->qz;
        q[3] = pose->qw;
        mpfr_set_zero(norm, 1);
        for (int k = 0; k < 4; k++) {
            mpfr_set_d(term, q[k], MPFR_RNDN);
            mpfr_sqr(term, term, MPFR_RNDN);
            mpfr_add(norm, norm, term, MPFR_RNDN);
        }
        /* R = 1 + 2 (w [v] + [v]^2) / q.q */
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) {
                const int other = 3 - i - k;
                if (i == k) {
                    for (int l = 0; l < 3; l++) {
                        if (l != i) {
                            mpfr_set_d(term, q[l], MPFR_RNDN);
                            mpfr_sqr(term, term, MPFR_RNDN);
                            mpfr_sub(m[i][k], m[i][k], term, MPFR_RNDN);
                        }
                    }
                } else {
                    mpfr_set_d(term, q[i], MPFR_RNDN);
                    mpfr_mul_d(m[i][k], term, q[k], MPFR_RNDN);
                    mpfr_set_d(term, q[3], MPFR_RNDN);
                    mpfr_mul_d(term, term, (k - i + 3) % 3 == 1 ? -q[other] : q[other], MPFR_RNDN);
                    mpfr_add(m[i][k], m[i][k], term, MPFR_RNDN);
                }
                mpfr_mul_ui(m[i][k], m[i][k], 2, MPFR_RNDN);
                mpfr_div(m[i][k], m[i][k], norm, MPFR_RNDN);
                if (i == k)
                    mpfr_add_ui(m[i][k], m[i][k], 1, MPFR_RNDN);
            }
        }
    }
    mpfr_clears(norm, term, (mpfr_ptr)0);
}

/* h(n), by another formula than the one on trial: the dual norm, |m|_q with 1/p + 1/q = 1. */
static void height_of_super(mpfr_t out, mpfr_t m[3], double p)
{
    mpfr_t q, term, most;
    mpfr_inits2(BITS, q, term, most, (mpfr_ptr)0);
    mpfr_set_zero(most, 1);
    for (int k = 0; k < 3; k++)
        mpfr_max(most, most, m[k], MPFR_RNDN);
    mpfr_set(out, most, MPFR_RNDN);
    if (p > 1 && !mpfr_zero_p(most)) {
        mpfr_set_d(q, p, MPFR_RNDN);
        mpfr_sub_ui(term, q, 1, MPFR_RNDN);
        mpfr_div(q, q, term, MPFR_RNDN);
        mpfr_set_zero(out, 1);
        for (int k = 0; k < 3; k++) {
            mpfr_div(term, m[k], most, MPFR_RNDN);
            mpfr_pow(term, term, q, MPFR_RNDN);
            mpfr_add(out, out, term, MPFR_RNDN);
        }
        mpfr_ui_div(q, 1, q, MPFR_RNDN);
        mpfr_pow(out, out, q, MPFR_RNDN);
        mpfr_mul(out, out, most, MPFR_RNDN);
    }
    mpfr_clears(q, term, most, (mpfr_ptr)0);
}

static void height(mpfr_t out, const gjb_pair *pair, mpfr_t turn[3][3], const ref_real n[3])
{
    const gjb_kind kind = pair->dim == 2 ? pair->as.plane.a.kind : pair->as.space.a.kind;
    const double *rows = pair->dim == 2 ? pair->as.plane.a.vertices[0] : pair->as.space.a.vertices[0];
    precise local;
    mpfr_t term, other;
    mpfr_inits2(BITS, term, other, (mpfr_ptr)0);
    init(&local);
    for (int c = 0; c < 3; c++) {
        mpfr_set_zero(local.x[c], 1);
        for (int k = 0; k < 3; k++) {
            mpfr_set_ld(term, n[k], MPFR_RNDN);
            mpfr_mul(term, term, turn[k][c], MPFR_RNDN);
            mpfr_add(local.x[c], local.x[c], term, MPFR_RNDN);
        }
    }
    if (kind == GJB_CYLINDER || kind == GJB_CONE) {
        mpfr_hypot(out, local.x[0], local.x[1], MPFR_RNDN);
        mpfr_mul_d(out, out, rows[0], MPFR_RNDN);
        mpfr_mul_d(term, local.x[2], rows[1], MPFR_RNDN);
        if (kind == GJB_CYLINDER) {
            mpfr_abs(term, term, MPFR_RNDN);
            mpfr_add(out, out, term, MPFR_RNDN);
        } else {
            mpfr_sub(out, out, term, MPFR_RNDN);
            mpfr_max(out, out, term, MPFR_RNDN);
        }
    } else {
        mpfr_t m[3];
        for (uint32_t k = 0; k < 3; k++) {
            mpfr_init2(m[k], BITS);
            mpfr_mul_d(m[k], local.x[k], k < pair->dim ? rows[k] : 0, MPFR_RNDN);
            mpfr_abs(m[k], m[k], MPFR_RNDN);
        }
        const bool super = kind == GJB_SUPERELLIPSE || kind == GJB_SUPERELLIPSOID;
        height_of_super(out, m, super ? rows[pair->dim] : 2);
        mpfr_clears(m[0], m[1], m[2], (mpfr_ptr)0);
    }
    clear(&local);
    mpfr_clears(term, other, (mpfr_ptr)0);
}

static void direction(gjb_random *r, uint32_t dim, ref_real n[3])
{
    /* About axes as well, at all distances. */
    const double spread = gjb_random_below(r, 2) ? 1 : 60 * gjb_random_unit(r);
    n[2] = 0;
    for (uint32_t k = 0; k < dim; k++) {
        n[k] = gjb_random_range(r, -1, 1) * powl(2, -spread * gjb_random_below(r, 3));
        n[k] = gjb_random_below(r, 12) ? n[k] : 0;
    }
    if (!(ref_unit(n, n) > 0))
        n[0] = 1;
}

static double in_units(ref_real value, ref_real error)
{
    return value == 0 ? 0 : (double)(value / error); /* infinite if none is granted */
}

/* The point's height along n less the exact one along n, in units of the stated error. */
static double shortfall(const ref_real x[3], const ref_real n[3], mpfr_t exact, ref_real error)
{
    mpfr_t sum, term;
    mpfr_inits2(BITS, sum, term, (mpfr_ptr)0);
    mpfr_neg(sum, exact, MPFR_RNDN);
    for (int k = 0; k < 3; k++) {
        mpfr_set_ld(term, x[k], MPFR_RNDN);
        mpfr_t along;
        mpfr_init2(along, BITS);
        mpfr_set_ld(along, n[k], MPFR_RNDN);
        mpfr_mul(term, term, along, MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
        mpfr_clear(along);
    }
    const double found = in_units(mpfr_get_ld(sum, MPFR_RNDN), error);
    mpfr_clears(sum, term, (mpfr_ptr)0);
    return found;
}

static void try_solid(uint32_t dim, curved_family family, uint64_t index, double *worst)
{
    curved_pair made;
    ref_curved curved;
    mpfr_t turn[3][3], exact, there;
    curved_pair_make(&made, dim, family, index);
    if (dim == 2)
        made.pair.as.plane.b = made.pair.as.plane.a;
    else
        made.pair.as.space.b = made.pair.as.space.a;
    ref_curved_open(&curved, &made.pair);
    rotation(&made.pair, turn);
    mpfr_inits2(BITS, exact, there, (mpfr_ptr)0);
    const ref_solid *solid = &curved.body[0];
    const ref_real ball = solid->ball - (dim == 2 ? made.pair.as.plane.a.radius : made.pair.as.space.a.radius);
    gjb_random r = gjb_random_make(7, (uint64_t)family, index);
    for (int k = 0; k < 12; k++) {
        ref_real n[3], m[3], x[3];
        direction(&r, dim, n);
        const ref_real along = ref_solid_support(solid, n, x) + ball;
        for (int c = 0; c < 3; c++)
            x[c] += ball * n[c];
        height(exact, &made.pair, turn, n);
        mpfr_set_ld(there, along, MPFR_RNDN);
        mpfr_sub(there, there, exact, MPFR_RNDN);
        const double off = fabs(in_units(mpfr_get_ld(there, MPFR_RNDN), curved.error));
        const double low = shortfall(x, n, exact, curved.error);
        double high = low;
        for (int other = 0; other < 4; other++) { /* a point that is outside is so along some direction */
            direction(&r, dim, m);
            for (int c = 0; c < 3 && other < 3; c++)
                m[c] = n[c] + m[c] * powl(2, -12 * other);
            ref_unit(m, m);
            height(exact, &made.pair, turn, m);
            high = fmax(high, shortfall(x, m, exact, curved.error));
        }
        cr_assert(off <= 1 && low >= -1 && high <= 1, "%uD, family %d, pair %d: %g, %g, %g of the error stated",
                  (unsigned)dim, (int)family, (int)index, off, low, high);
        *worst = fmax(*worst, fmax(off, fmax(-low, high)));
    }
    for (int k = 0; k < 9; k++)
        mpfr_clear(turn[k / 3][k % 3]);
    mpfr_clears(exact, there, (mpfr_ptr)0);
}

Test(curved_support, is_within_the_error_stated)
{
    double worst = 0;
    for (uint32_t dim = 2; dim <= 3; dim++) {
        for (int family = 0; family < CURVED_COAXIAL; family++)
            for (uint64_t k = 0; k < 150 && family != CURVED_OFFSET; k++)
                try_solid(dim, (curved_family)family, k, &worst);
    }
    cr_expect(worst > 1. / 256, "the error stated is %g times what was found", 1 / worst);
    fprintf(stderr,"worst %g\n",worst);
    mpfr_free_cache();
}

/* What the derivation grants: 8 units of a power. */
Test(curved_support, powers_are_as_good_as_granted)
{
    mpfr_t x, y;
    mpfr_inits2(BITS, x, y, (mpfr_ptr)0);
    gjb_random r = gjb_random_make(8, 0, 0);
    for (int k = 0; k < 20000; k++) {
        const ref_real p = 1 + powl(2, gjb_random_range(&r, -40, 3.9));
        const ref_real t = k % 2 ? gjb_random_unit(&r) : powl(2, -gjb_random_range(&r, 0, 200) * (double)(p - 1));
        const ref_real powers[3][2] = {{t, 1 / (p - 1)}, {t, p}, {1 + 2 * t, -1 / p}};
        for (int m = 0; m < 3; m++) {
            const ref_real found = powl(powers[m][0], powers[m][1]);
            mpfr_set_ld(x, powers[m][0], MPFR_RNDN);
            mpfr_set_ld(y, powers[m][1], MPFR_RNDN);
            mpfr_pow(x, x, y, MPFR_RNDN);
            const ref_real exact = mpfr_get_ld(x, MPFR_RNDN);
            cr_assert(found == exact || fabsl(found - exact) <= 8 * (LDBL_EPSILON / 2) * exact || exact < LDBL_MIN,
                      "%Lg ^ %Lg", powers[m][0], powers[m][1]);
        }
    }
    mpfr_clears(x, y, (mpfr_ptr)0);
    mpfr_free_cache();
}

/* The radius of curvature of a core's section, from the support along three directions of a great circle. */
static ref_real curvature_radius(const ref_solid *solid, const ref_real n[3], const ref_real aside[3])
{
    static const ref_real step = 0x1p-12L;
    ref_real along[3], sum = 0, x[3];
    for (int way = -1; way <= 1; way += 2) {
        for (int k = 0; k < 3; k++)
            along[k] = cosl(step) * n[k] + way * sinl(step) * aside[k];
        sum += ref_solid_support(solid, along, x);
    }
    const ref_real h = ref_solid_support(solid, n, x);
    return h + (sum - 2 * h) / (step * step);
}

/* The ball that is said to roll in a core is no larger than any radius of curvature, and of an ellipsoid as large as the
 * smallest. */
Test(curved_support, a_ball_that_rolls_is_no_larger_than_curvature_lets_it)
{
    static const double exponents[] = {1.5, 1.8, 1.95, 2, 2.02, 2.2, 3, 4, 8};
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++) {
            gjb_random r = gjb_random_make(31, dim, e);
            ref_real tightest = HUGE_VALL;
            for (int k = 0; k < 4000; k++) {
                double rows[6] = {1, gjb_random_range(&r, 0.5, 1), gjb_random_range(&r, 0.5, 1)};
                rows[dim] = exponents[e];
                ref_solid solid;
                ref_solid_open(&solid, dim == 2 ? GJB_SUPERELLIPSE : GJB_SUPERELLIPSOID, dim, 2, rows, 0, 1);
                ref_real n[3] = {0}, way[3] = {0}, aside[3] = {0};
                for (uint32_t i = 0; i < dim; i++) {
                    n[i] = gjb_random_range(&r, -1, 1);
                    way[i] = gjb_random_range(&r, -1, 1);
                }
                ref_unit(n, n);
                for (uint32_t i = 0; i < dim; i++)
                    aside[i] = way[i] - ref_inner(way, n) * n[i];
                ref_unit(aside, aside);
                const ref_real least = fminl(rows[1], dim == 2 ? 1 : rows[2]),
                               ball = ref_solid_roundness(&solid) * least * least,
                               radius = curvature_radius(&solid, n, aside);
                cr_assert(ball <= radius * (1 + 0x1p-10L) + 0x1p-20L, "%uD, exponent %g: a ball of %Lg where the radius is %Lg",
                          (unsigned)dim, exponents[e], ball, radius);
                tightest = ball > 0 ? fminl(tightest, radius / ball) : tightest;
            }
            if (exponents[e] == 2 || exponents[e] == 2.02)
                cr_expect_lt(tightest, 1.05L, "%uD: of an ellipsoid the bound is met, and nearly so of what is nearly one",
                             (unsigned)dim);
        }
}
