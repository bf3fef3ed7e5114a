/* Places a pair in motion at a time, nearly exactly, and asks the oracle for sigma there.
 * Angles of up to GJB_MOST_RADIANS are exact products of doubles, or within 2^-170 of themselves; sines,
 * cosines and square roots come correctly rounded to 180 bits (MPFR: Fousse, Hanrot, Lefevre, Pelissier,
 * Zimmermann 2007). Each number kept is then within 2^-120 of the truth. */
#include <limits.h>
#include <math.h>
#include <mpfr.h>

#include "reference/motion/motion_place.h"
#include "reference/motion/moving_pair.h"

enum { WORKING = 180, KEPT = 128 };

static void keep(ref_dyadic *d, mpfr_t x)
{
    mpfr_prec_round(x, KEPT, MPFR_RNDN);
    d->exponent = 0;
    mpz_set_ui(d->mantissa, 0);
    if (mpfr_zero_p(x) == 0)
        d->exponent = (int)mpfr_get_z_2exp(d->mantissa, x);
}

/* x0 + t d of B less that of A, exactly. */
static void offset(ref_dyadic *out, const double at[2], const double by[2], double t)
{
    ref_dyadic part[2];
    mpz_t z;
    mpz_init(z);
    for (int k = 0; k < 2; k++)
        mpz_init(part[k].mantissa);
    ref_dyadic_difference(&part[0], at[1], at[0]);
    ref_dyadic_difference(&part[1], by[1], by[0]);
    if (t != 0) {
        int lowest = ref_lowest_bit(t);
        ref_set_scaled(z, t, lowest);
        mpz_mul(part[1].mantissa, part[1].mantissa, z);
        part[1].exponent += lowest;
    } else {
        mpz_set_ui(part[1].mantissa, 0);
    }
    int exponent = ref_dyadic_lowest(part, 2);
    out->exponent = exponent == INT_MAX ? 0 : exponent;
    ref_dyadic_scaled(out->mantissa, &part[0], out->exponent);
    ref_dyadic_scaled(z, &part[1], out->exponent);
    mpz_add(out->mantissa, out->mantissa, z);
    for (int k = 0; k < 2; k++)
        mpz_clear(part[k].mantissa);
    mpz_clear(z);
}

/* A point at its origin turns, and nothing is seen of it. */
static bool still(const double *rows, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (rows[k] != 0)
            return false;
    return true;
}

/* (c, s) at rest turned by t angle. */
static bool turned_plane(ref_dyadic out[4], const gjb_body2 *body, double t)
{
    const gjb_pose2d *pose = &body->pose;
    if (t == 0 || body->motion.angle == 0 || still(body->vertices[0], 2 * (size_t)body->count)) {
        ref_dyadic_set(&out[0], pose->c);
        ref_dyadic_set(&out[1], pose->s);
        return true;
    }
    mpfr_t c, s, x, y;
    mpfr_inits2(WORKING, c, s, x, y, (mpfr_ptr)0);
    mpfr_set_d(x, t, MPFR_RNDN);
    mpfr_mul_d(x, x, body->motion.angle, MPFR_RNDN); /* 106 bits: exact */
    mpfr_sin_cos(s, c, x, MPFR_RNDN);
    mpfr_mul_d(x, c, pose->c, MPFR_RNDN);
    mpfr_mul_d(y, s, pose->s, MPFR_RNDN);
    mpfr_sub(x, x, y, MPFR_RNDN);
    mpfr_mul_d(s, s, pose->c, MPFR_RNDN);
    mpfr_mul_d(y, c, pose->s, MPFR_RNDN);
    mpfr_add(y, s, y, MPFR_RNDN);
    keep(&out[0], x);
    keep(&out[1], y);
    mpfr_clears(c, s, x, y, (mpfr_ptr)0);
    return false;
}

/* q(t w) q0: with w = |w| k, real part c w0 - s k.u, the rest c u + s (w0 k + k x u). */
static bool turned_space(ref_dyadic out[4], const gjb_body3 *body, double t)
{
    const gjb_pose3d *p = &body->pose;
    const double q[4] = {p->qx, p->qy, p->qz, p->qw};
    const double w[3] = {body->motion.wx, body->motion.wy, body->motion.wz};
    if (t == 0 || (w[0] == 0 && w[1] == 0 && w[2] == 0) || still(body->vertices[0], 3 * (size_t)body->count)) {
        for (int k = 0; k < 4; k++)
            ref_dyadic_set(&out[k], q[k]);
        return true;
    }
    mpfr_t c, s, length, x, y, axis[3];
    mpfr_inits2(WORKING, c, s, length, x, y, axis[0], axis[1], axis[2], (mpfr_ptr)0);
    mpfr_set_ui(length, 0, MPFR_RNDN);
    for (int m = 0; m < 3; m++) {
        mpfr_set_d(axis[m], w[m], MPFR_RNDN);
        mpfr_fma(length, axis[m], axis[m], length, MPFR_RNDN);
    }
    mpfr_sqrt(length, length, MPFR_RNDN);
    mpfr_mul_d(x, length, t, MPFR_RNDN);
    mpfr_div_2ui(x, x, 1, MPFR_RNDN);
    mpfr_sin_cos(s, c, x, MPFR_RNDN);
    mpfr_div(s, s, length, MPFR_RNDN); /* so that s w is s k */
    for (int m = 0; m < 3; m++) {
        int a = (m + 1) % 3, b = (m + 2) % 3;
        mpfr_mul_d(x, axis[m], q[3], MPFR_RNDN);
        mpfr_mul_d(y, axis[a], q[b], MPFR_RNDN);
        mpfr_add(x, x, y, MPFR_RNDN);
        mpfr_mul_d(y, axis[b], q[a], MPFR_RNDN);
        mpfr_sub(x, x, y, MPFR_RNDN);
        mpfr_mul(x, x, s, MPFR_RNDN);
        mpfr_mul_d(y, c, q[m], MPFR_RNDN);
        mpfr_add(x, x, y, MPFR_RNDN);
        keep(&out[m], x);
        mpfr_set_prec(x, WORKING);
    }
    mpfr_mul_d(x, c, q[3], MPFR_RNDN);
    for (int m = 0; m < 3; m++) {
        mpfr_mul(y, s, axis[m], MPFR_RNDN);
        mpfr_mul_d(y, y, q[m], MPFR_RNDN);
        mpfr_sub(x, x, y, MPFR_RNDN);
    }
    keep(&out[3], x);
    mpfr_clears(c, s, length, x, y, axis[0], axis[1], axis[2], (mpfr_ptr)0);
    return false;
}

bool ref_motion_place(ref_place *place, const gjb_pair *pair, double t)
{
    bool exact = true;
    double at[3][2], by[3][2];
    for (int side = 0; side < 2; side++) {
        if (pair->dim == 2) {
            const gjb_body2 *body = side ? &pair->as.plane.b : &pair->as.plane.a;
            exact = turned_plane(place->rotation[side], body, t) && exact;
            at[0][side] = body->pose.x, at[1][side] = body->pose.y;
            by[0][side] = body->motion.x, by[1][side] = body->motion.y;
        } else {
            const gjb_body3 *body = side ? &pair->as.space.b : &pair->as.space.a;
            exact = turned_space(place->rotation[side], body, t) && exact;
            at[0][side] = body->pose.x, at[1][side] = body->pose.y, at[2][side] = body->pose.z;
            by[0][side] = body->motion.x, by[1][side] = body->motion.y, by[2][side] = body->motion.z;
        }
    }
    for (int m = 0; m < (int)pair->dim; m++)
        offset(&place->offset[m], at[m], by[m], t);
    mpfr_free_cache();
    return exact;
}

enum { CORNERS = 300000 };

/* A curved pair as it lies in long double, and how far sigma is from that of it; a proven interval of both as one. */
typedef struct curved_then {
    ref_mover mover;
    ref_curved curved;
} curved_then;

static void open_curved(curved_then *then, const gjb_pair *pair, double t)
{
    ref_posed posed;
    if (!ref_mover_open(&then->mover, pair))
        ref_broken("a motion that is none");
    ref_mover_pose(&then->mover, t, &posed);
    then->curved = ref_mover_curved(&posed);
}

static ref_sigma widened(const curved_then *then, ref_real lower, ref_real upper)
{
    ref_sigma sigma = {.lo = (double)(lower - then->mover.doubt), .hi = (double)(upper + then->mover.doubt)};
    sigma.lo = nextafter(sigma.lo, -INFINITY);
    sigma.hi = nextafter(sigma.hi, INFINITY);
    sigma.sign = sigma.lo > 0 ? 1 : sigma.hi <= 0 ? -1 : 0;
    return sigma;
}

static ref_sigma enclosed(const curved_then *then, ref_real width, uint32_t most, bool ties, bool *capped)
{
    ref_enclosure found;
    ref_curved_enclose(&then->curved, width, most, ties, &found);
    *capped = found.capped;
    return widened(then, found.lower, found.upper);
}

static ref_sigma curved_sigma_at(const gjb_pair *pair, double t)
{
    curved_then then;
    bool capped;
    open_curved(&then, pair, t);
    return enclosed(&then, then.mover.doubt, CORNERS, false, &capped);
}

/* Depths that tie at one time tie at the next: if one search came to no end, others get a part of its corners. */
enum { SHARE_OF_TIED = 8 };

/* What is apart has an axis and points. Of the rest an axis says how deep it may be: a proof of half of that says as
 * much of the sign as a narrow one, and if it is less than what is in doubt none is worth the search. */
static ref_sigma curved_sign_at(const gjb_pair *pair, double t, bool *tied)
{
    curved_then then;
    ref_near near;
    open_curved(&then, pair, t);
    const ref_real doubt = then.mover.doubt, error = then.curved.error, balls = then.mover.radii;
    ref_curved_approach(&then.curved, then.curved.body[1].offset, doubt / 2, &near);
    ref_sigma sigma = widened(&then, near.lower - balls - error, near.upper - balls + error);
    bool capped = near.upper - near.lower <= doubt;
    for (ref_real width = INFINITY; !capped && sigma.sign == 0 && width > doubt;) {
        if (-sigma.lo <= 2 * (doubt + error))
            break;
        width = fmaxl(doubt, fminl(-sigma.lo / 2, width / 4));
        const ref_sigma found = enclosed(&then, width, *tied ? CORNERS / SHARE_OF_TIED : CORNERS, true, &capped);
        *tied = *tied || capped;
        sigma.lo = fmax(sigma.lo, found.lo);
        sigma.hi = fmin(sigma.hi, found.hi);
        sigma.sign = sigma.lo > 0 ? 1 : sigma.hi <= 0 ? -1 : 0;
    }
    return sigma;
}

ref_sigma ref_oracle_sign_at(const gjb_pair *pair, double t, bool *tied)
{
    return ref_is_curved(pair) ? curved_sign_at(pair, t, tied) : ref_oracle_sigma_at(pair, t);
}

ref_sigma ref_oracle_sigma_at(const gjb_pair *pair, double t)
{
    if (ref_is_curved(pair))
        return curved_sigma_at(pair, t);
    ref_place place;
    gjb_pair near;
    ref_place_init(&place);
    bool exact = ref_motion_place(&place, pair, t);
    ref_pair_at(pair, t, &near);
    ref_sigma sigma;
    if (pair->dim == 2) {
        ref_exact found;
        ref_oracle2_placed(&near.as.plane, &place, &found);
        sigma = (ref_sigma){found.sign, found.lo, found.hi};
    } else {
        ref_exact3 found;
        ref_polytope3 polytope = {0};
        ref_oracle3_placed(&near.as.space, &place, &found, &polytope);
        ref_polytope3_free(&polytope);
        sigma = (ref_sigma){found.sign, found.lo, found.hi};
    }
    ref_place_clear(&place);
    if (!exact) {
        double moved = 0x1p-109 * gjb_path_size(pair); /* 2^-110 for either shape */
        sigma.lo = nextafter(sigma.lo - moved, -INFINITY);
        sigma.hi = nextafter(sigma.hi + moved, INFINITY);
        sigma.sign = sigma.lo > 0 ? 1 : sigma.hi <= 0 ? -1 : 0;
    }
    return sigma;
}
