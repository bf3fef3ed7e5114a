/* The checker's part for curved cores: their supports and extents in MPFR, by other formulas than the search's. */
#include "reference/motion/motion_check.h"

/* |m|_q of q's three numbers times the semi-axes, 1/p + 1/q = 1: the support of a superellipsoid, by another formula
 * than that of the search. */
static void dual_norm(ref_checker *k, const ref_solid *core, mpfr_t out)
{
    mpfr_set_ui(out, 0, MPFR_RNDN);
    mpfr_set_ui(k->u, 0, MPFR_RNDN);
    for (int m = 0; m < 3; m++) {
        mpfr_set_ld(k->t, core->semi[m], MPFR_RNDN);
        mpfr_mul(k->r.x[m], k->q.x[m], k->t, MPFR_RNDN);
        mpfr_abs(k->r.x[m], k->r.x[m], MPFR_RNDN);
        mpfr_max(k->u, k->u, k->r.x[m], MPFR_RNDN);
    }
    if (mpfr_zero_p(k->u) || core->exponent == 1) {
        mpfr_set(out, k->u, MPFR_RNDN);
        return;
    }
    mpfr_set_ld(k->t, core->exponent, MPFR_RNDN);
    mpfr_sub_ui(k->v, k->t, 1, MPFR_RNDN);
    mpfr_div(k->v, k->t, k->v, MPFR_RNDN);
    for (int m = 0; m < 3; m++) {
        mpfr_div(k->t, k->r.x[m], k->u, MPFR_RNDN);
        mpfr_pow(k->t, k->t, k->v, MPFR_RNDN);
        mpfr_add(out, out, k->t, MPFR_RNDN);
    }
    mpfr_ui_div(k->v, 1, k->v, MPFR_RNDN);
    mpfr_pow(out, out, k->v, MPFR_RNDN);
    mpfr_mul(out, out, k->u, MPFR_RNDN);
}

void ref_check_curved_support(ref_checker *k, const ref_solid *core, mpfr_t out)
{
    if (core->kind != GJB_CYLINDER && core->kind != GJB_CONE) {
        dual_norm(k, core, out);
        return;
    }
    mpfr_hypot(out, k->q.x[0], k->q.x[1], MPFR_RNDN);
    mpfr_set_ld(k->t, core->semi[0], MPFR_RNDN);
    mpfr_mul(out, out, k->t, MPFR_RNDN);
    mpfr_set_ld(k->t, core->semi[2], MPFR_RNDN);
    mpfr_mul(k->t, k->t, k->q.x[2], MPFR_RNDN);
    if (core->kind == GJB_CYLINDER) {
        mpfr_abs(k->t, k->t, MPFR_RNDN);
        mpfr_add(out, out, k->t, MPFR_RNDN);
    } else {
        mpfr_sub(out, out, k->t, MPFR_RNDN);
        mpfr_max(out, out, k->t, MPFR_RNDN);
    }
}

/* How far a curved core is from its axis, whose local terms are in q: as ref_solid_aside has it. */
static void aside_curved(ref_checker *k, ref_check_body *b)
{
    const ref_solid *core = &b->from->core;
    const bool round = core->kind == GJB_CYLINDER || core->kind == GJB_CONE, sums = round || core->exponent > 2;
    mpfr_set_ui(k->u, 0, MPFR_RNDN);
    for (int m = round ? 2 : 0; m < 3; m++) {
        mpfr_sqr(k->t, k->q.x[m], MPFR_RNDD);
        mpfr_ui_sub(k->t, 1, k->t, MPFR_RNDU);
        mpfr_set_ld(k->v, core->semi[m], MPFR_RNDN);
        if (mpfr_sgn(k->t) > 0) {
            mpfr_sqrt(k->t, k->t, MPFR_RNDU);
            mpfr_mul(k->t, k->t, k->v, MPFR_RNDU);
            if (!sums)
                mpfr_sqr(k->t, k->t, MPFR_RNDU);
            mpfr_add(k->u, k->u, k->t, MPFR_RNDU);
        }
    }
    if (round) {
        mpfr_set_ld(k->v, core->semi[0], MPFR_RNDN);
        mpfr_add(k->u, k->u, k->v, MPFR_RNDU);
    } else if (!sums) {
        mpfr_sqrt(k->u, k->u, MPFR_RNDU);
    }
    mpfr_min(b->aside, b->reach, k->u, MPFR_RNDN);
}

/* Along its axis a curved core is as long as its supports say. It reaches as far as its largest semi-axis, or the
 * diagonal of what it is cut from. */
void ref_check_curved_extent(ref_checker *k, ref_check_body *b)
{
    const ref_solid *core = &b->from->core;
    const bool round = core->kind == GJB_CYLINDER || core->kind == GJB_CONE;
    mpfr_set_ui(b->reach, 0, MPFR_RNDN);
    for (int m = round ? 1 : 0; m < 3; m++) {
        mpfr_set_ld(k->t, core->semi[m], MPFR_RNDN);
        if (round || core->exponent > 2)
            mpfr_hypot(b->reach, b->reach, k->t, MPFR_RNDU);
        else
            mpfr_max(b->reach, b->reach, k->t, MPFR_RNDN);
    }
    for (int m = 0; m < 9; m++)
        mpfr_set(b->now[m / 3][m % 3], b->rest[m / 3][m % 3], MPFR_RNDN);
    for (int way = 0; way < 2; way++) {
        for (int m = 0; m < 3; m++) {
            mpfr_set(k->p.x[m], b->axis.x[m], MPFR_RNDN);
            if (way)
                mpfr_neg(k->p.x[m], k->p.x[m], MPFR_RNDN);
        }
        ref_check_to_local(k, b);
        ref_check_curved_support(k, core, way ? b->least : b->most);
    }
    mpfr_neg(b->least, b->least, MPFR_RNDN);
    aside_curved(k, b);
    if (b->from->dim == 2) { /* the rotation as stored may lengthen */
        mpfr_hypot(k->t, b->rest[0][0], b->rest[1][0], MPFR_RNDU);
        mpfr_mul(b->reach, b->reach, k->t, MPFR_RNDU);
        mpfr_mul(b->aside, b->aside, k->t, MPFR_RNDU);
    }
}

