/* Steps about half-spaces: how high the other core is above the plane, rounded against the certificate. */
#include "reference/certificate/certificate_grid.h"

#include <math.h>

int ref_cert_plane_of(const ref_cert_grid *g)
{
    return gjb_is_unbounded(g->side[0].kind) ? 0 : gjb_is_unbounded(g->side[1].kind) ? 1 : -1;
}

static mpfr_rnd_t opposite(mpfr_rnd_t way)
{
    return way == MPFR_RNDD ? MPFR_RNDU : MPFR_RNDD;
}

/* out = out / sqrt(square), rounded `way`. */
static void divide_by_root(mpfr_t out, const mpz_t square, mpfr_rnd_t way)
{
    const mpfr_rnd_t own = mpfr_sgn(out) >= 0 ? opposite(way) : way;
    mpfr_t root;
    mpfr_init2(root, REF_CERT_BITS);
    mpfr_set_z(root, square, own);
    mpfr_sqrt(root, root, own);
    mpfr_div(out, out, root, way);
    mpfr_clear(root);
}

/* How far the plane is from its shape's translation, rounded `way`. A matrix [c -s; s c] as stored makes shapes larger
 * by sqrt(c^2 + s^2), and the distance of a plane, too. */
static void offset_of(const ref_cert_grid *g, const ref_cert_side *side, mpfr_rnd_t way, mpfr_t out)
{
    const double d = side->rows[g->dim];
    const mpfr_rnd_t own = d >= 0 ? way : opposite(way);
    mpz_t square;
    mpz_init_set_ui(square, 1);
    if (g->dim == 2) {
        mpz_mul(square, side->turn[0][0], side->turn[0][0]);
        mpz_addmul(square, side->turn[1][0], side->turn[1][0]);
    }
    mpfr_set_z(out, square, own);
    mpfr_sqrt(out, out, own);
    if (g->dim == 2)
        mpfr_mul_2si(out, out, side->turn_exponent, own);
    mpfr_mul_d(out, out, d, way);
    mpz_clear(square);
}

/* From `outward . x` on the grid, times `weight`, to the height of x above the plane in world units, rounded `way`. */
static void height_of(const ref_cert_grid *g, mpfr_t along, const mpz_t weight, mpfr_rnd_t way)
{
    const ref_cert_side *side = &g->side[ref_cert_plane_of(g)];
    mpfr_t offset;
    mpz_t square;
    mpfr_init2(offset, REF_CERT_BITS);
    mpz_init(square);
    ref_cert_inner(square, &side->outward, &side->outward);
    divide_by_root(along, square, way);
    mpfr_div_z(along, along, weight, way);
    mpfr_div_z(along, along, g->scale, way);
    mpfr_mul_2si(along, along, g->exponent, way);
    offset_of(g, side, opposite(way), offset);
    mpfr_sub(along, along, offset, way);
    mpfr_clear(offset);
    mpz_clear(square);
}

static void take_radii(const ref_cert_grid *g, mpfr_t height, mpfr_rnd_t way)
{
    for (int s = 0; s < 2; s++)
        mpfr_sub_d(height, height, g->side[s].radius, way);
}

/* outward . (sum - weight * offset), exactly. */
static void along_outward(const ref_cert_side *side, const ref_lattice *sum, const mpz_t weight, mpz_t out)
{
    mpz_t t;
    mpz_init(t);
    ref_cert_inner(out, &side->outward, sum);
    ref_cert_inner(t, &side->outward, &side->offset);
    mpz_submul(out, t, weight);
    mpz_clear(t);
}

double ref_cert_plane_gap(const ref_cert_grid *g, int *above_0)
{
    const int s = ref_cert_plane_of(g);
    const ref_cert_side *side = &g->side[s];
    ref_lattice back;
    mpz_t t, one;
    mpfr_t height;
    ref_lattice_init(&back);
    mpz_init(t);
    mpz_init_set_ui(one, 1);
    mpfr_init2(height, REF_CERT_BITS);
    for (int m = 0; m < 3; m++)
        mpz_neg(back.x[m], side->outward.x[m]);
    ref_cert_support(g, 1 - s, &back, height); /* the least of outward . x, negated and rounded up */
    ref_cert_inner(t, &side->outward, &side->offset);
    mpfr_add_z(height, height, t, MPFR_RNDU);
    mpfr_neg(height, height, MPFR_RNDD);
    height_of(g, height, one, MPFR_RNDD);
    take_radii(g, height, MPFR_RNDD);
    *above_0 = mpfr_sgn(height) > 0;
    const double gap = mpfr_get_d(height, MPFR_RNDD);
    ref_lattice_clear(&back);
    mpz_clears(t, one, NULL);
    mpfr_clear(height);
    return gap + 0.0;
}

int ref_cert_plane_point(const ref_cert_grid *g, const ref_certificate *c, double *hi, int *above_0,
                         ref_certified *verdict)
{
    const int s = ref_cert_plane_of(g);
    ref_lattice sum;
    mpz_t weight, t;
    mpfr_t height;
    ref_lattice_init(&sum);
    mpz_inits(weight, t, NULL);
    mpfr_init2(height, REF_CERT_BITS);
    const int failed = ref_cert_mean(g, 1 - s, &c->points[1 - s], &sum, weight, verdict);
    if (!failed) {
        along_outward(&g->side[s], &sum, weight, t);
        mpfr_set_z(height, t, MPFR_RNDU);
        height_of(g, height, weight, MPFR_RNDU);
        take_radii(g, height, MPFR_RNDU);
        *above_0 = mpfr_sgn(height) > 0;
        *hi = mpfr_get_d(height, MPFR_RNDU) + 0.0;
    }
    ref_lattice_clear(&sum);
    mpz_clears(weight, t, NULL);
    mpfr_clear(height);
    return failed;
}

/* A point is in the half-space, grown by its radius and by `off`. */
static int under_plane(const ref_cert_grid *g, const ref_certificate *c, int s, ref_certified *verdict)
{
    ref_lattice at;
    mpz_t weight, t;
    mpfr_t height;
    mp_bitcnt_t finer;
    ref_lattice_init(&at);
    mpz_init(t);
    mpz_init_set_ui(weight, 1);
    mpfr_init2(height, REF_CERT_BITS);
    ref_cert_point(g, c->witness[s], &at, &finer);
    mpz_mul_2exp(weight, weight, finer);
    along_outward(&g->side[s], &at, weight, t);
    mpfr_set_z(height, t, MPFR_RNDU);
    height_of(g, height, weight, MPFR_RNDU);
    mpfr_sub_d(height, height, g->side[s].radius, MPFR_RNDU);
    mpfr_sub_d(height, height, c->off, MPFR_RNDU);
    const int above = mpfr_sgn(height) > 0;
    ref_lattice_clear(&at);
    mpz_clears(weight, t, NULL);
    mpfr_clear(height);
    return above ? ref_cert_refuse(verdict, "witness.%s: more than %.9g above the half-space", s ? "b" : "a",
                                   c->off)
                 : 0;
}

int ref_cert_plane_witness(const ref_cert_grid *g, const ref_certificate *c, ref_certified *verdict)
{
    const int s = ref_cert_plane_of(g);
    return under_plane(g, c, s, verdict) || ref_cert_witness_of(g, c, 1 - s, verdict) ? -1 : 0;
}
