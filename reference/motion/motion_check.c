/* Checker of proofs that shapes stay apart, in MPFR: what reference/motion/moving_pair.h says of gaps along an axis that
 * turns, written a second time, so that neither the search nor its arithmetic need be trusted. All is
 * rounded to 192 bits; below 2^12 roundings, each of 2^-192 of numbers not larger than `scale`, and a few of
 * them in turn, lie far below 2^-150 scale, which every bound is lowered by. */
#include <math.h>
#include <stdlib.h>

#include "reference/effort.h"
#include "reference/motion/motion_check.h"

static void vector_init(ref_check_vector *v)
{
    mpfr_inits2(REF_CHECK_BITS, v->x[0], v->x[1], v->x[2], (mpfr_ptr)0);
}

static void vector_clear(ref_check_vector *v)
{
    mpfr_clears(v->x[0], v->x[1], v->x[2], (mpfr_ptr)0);
}

static void dot(mpfr_t out, const ref_check_vector *p, const ref_check_vector *q)
{
    mpfr_mul(out, p->x[0], q->x[0], MPFR_RNDN);
    mpfr_fma(out, p->x[1], q->x[1], out, MPFR_RNDN);
    mpfr_fma(out, p->x[2], q->x[2], out, MPFR_RNDN);
}

static void length(mpfr_t out, const ref_check_vector *p)
{
    dot(out, p, p);
    mpfr_sqrt(out, out, MPFR_RNDN);
}

static void cross(ref_check_vector *out, const ref_check_vector *p, const ref_check_vector *q) /* out is neither */
{
    for (int m = 0; m < 3; m++) {
        int a = (m + 1) % 3, b = (m + 2) % 3;
        mpfr_fmms(out->x[m], p->x[a], q->x[b], p->x[b], q->x[a], MPFR_RNDN);
    }
}

/* The unit normal of a half-space, in its own axes. */
static void plane_normal(ref_check_vector *out, const ref_moving *from)
{
    mpfr_t whole;
    for (uint32_t m = 0; m < 3; m++)
        mpfr_set_d(out->x[m], m < from->dim ? from->core.rows[m] : 0, MPFR_RNDN);
    mpfr_init2(whole, REF_CHECK_BITS);
    length(whole, out);
    for (int m = 0; m < 3; m++)
        mpfr_div(out->x[m], out->x[m], whole, MPFR_RNDN);
    mpfr_clear(whole);
}

/* Of a half-space the foot, its only one. */
static void vertex(ref_check_vector *out, const ref_moving *from, uint32_t k)
{
    if (gjb_is_unbounded(from->core.kind)) {
        plane_normal(out, from);
        for (uint32_t m = 0; m < 3; m++)
            mpfr_mul_d(out->x[m], out->x[m], from->core.rows[from->dim], MPFR_RNDN);
        return;
    }
    const double *row = from->core.rows + (size_t)k * from->dim;
    for (uint32_t m = 0; m < 3; m++)
        mpfr_set_d(out->x[m], m < from->dim ? row[m] : 0, MPFR_RNDN);
}

static void apply(ref_check_vector *out, mpfr_t matrix[3][3], const ref_check_vector *v)
{
    for (int m = 0; m < 3; m++) {
        mpfr_mul(out->x[m], matrix[m][0], v->x[0], MPFR_RNDN);
        mpfr_fma(out->x[m], matrix[m][1], v->x[1], out->x[m], MPFR_RNDN);
        mpfr_fma(out->x[m], matrix[m][2], v->x[2], out->x[m], MPFR_RNDN);
    }
}

/* R(0) in the plane. */
static void rest_plane(ref_check_body *b, const gjb_pose2d *pose)
{
    const double c = pose->c, s = pose->s, entry[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
    for (int k = 0; k < 9; k++)
        mpfr_set_d(b->rest[k / 3][k % 3], entry[k / 3][k % 3], MPFR_RNDN);
}

/* In space column c is e_c + 2 u x (u x e_c + w e_c) / q.q. */
static void rest_space(ref_checker *k, ref_check_body *b, const gjb_pose3d *pose)
{
    const double q[4] = {pose->qx, pose->qy, pose->qz, pose->qw};
    mpfr_set_ui(k->t, 0, MPFR_RNDN);
    for (int m = 0; m < 4; m++) {
        mpfr_set_d(k->u, q[m], MPFR_RNDN);
        mpfr_fma(k->t, k->u, k->u, k->t, MPFR_RNDN);
    }
    for (int c = 0; c < 3; c++) {
        for (int m = 0; m < 3; m++) {
            mpfr_set_d(k->p.x[m], q[m], MPFR_RNDN);
            mpfr_set_ui(k->q.x[m], m == c, MPFR_RNDN);
        }
        cross(&k->r, &k->p, &k->q);
        mpfr_add_d(k->r.x[c], k->r.x[c], q[3], MPFR_RNDN);
        cross(&k->q, &k->p, &k->r);
        for (int m = 0; m < 3; m++) {
            mpfr_mul_2ui(k->q.x[m], k->q.x[m], 1, MPFR_RNDN);
            mpfr_div(k->q.x[m], k->q.x[m], k->t, MPFR_RNDN);
            mpfr_add_ui(b->rest[m][c], k->q.x[m], m == c, MPFR_RNDN);
        }
    }
}

void ref_check_support(ref_checker *k, ref_check_body *b, mpfr_t out)
{
    ref_check_to_local(k, b);
    if (gjb_is_curved(b->from->core.kind)) {
        ref_check_curved_support(k, &b->from->core, out);
        return;
    }
    mpfr_set_inf(out, -1);
    for (uint32_t i = 0; i < b->from->core.count; i++) {
        vertex(&k->r, b->from, i);
        dot(k->t, &k->q, &k->r);
        mpfr_max(out, out, k->t, MPFR_RNDN);
    }
}

static void measure(ref_checker *k, ref_check_body *b)
{
    if (gjb_is_curved(b->from->core.kind)) {
        ref_check_curved_extent(k, b);
        return;
    }
    mpfr_set_inf(b->least, 1);
    mpfr_set_inf(b->most, -1);
    mpfr_set_ui(b->reach, 0, MPFR_RNDN);
    mpfr_set_ui(b->aside, 0, MPFR_RNDN);
    for (uint32_t i = 0; i < b->from->core.count; i++) {
        vertex(&k->p, b->from, i);
        apply(&k->q, b->rest, &k->p);
        length(k->t, &k->q);
        mpfr_max(b->reach, b->reach, k->t, MPFR_RNDN);
        dot(k->t, &k->q, &b->axis);
        mpfr_min(b->least, b->least, k->t, MPFR_RNDN);
        mpfr_max(b->most, b->most, k->t, MPFR_RNDN);
        cross(&k->r, &b->axis, &k->q);
        length(k->t, &k->r);
        mpfr_max(b->aside, b->aside, k->t, MPFR_RNDN);
    }
}

static void open_body(ref_checker *k, const gjb_pair *pair, const ref_mover *mover, int side)
{
    ref_check_body *b = &k->side[side];
    b->from = &mover->body[side];
    vector_init(&b->turn);
    vector_init(&b->axis);
    mpfr_inits2(REF_CHECK_BITS, b->speed, b->reach, b->aside, b->least, b->most, (mpfr_ptr)0);
    for (int m = 0; m < 9; m++)
        mpfr_inits2(REF_CHECK_BITS, b->rest[m / 3][m % 3], b->now[m / 3][m % 3], (mpfr_ptr)0);
    double turn[3] = {0}, to[3] = {0}, by[3] = {0};
    if (pair->dim == 2) {
        const gjb_body2 *of = side ? &pair->as.plane.b : &pair->as.plane.a;
        rest_plane(b, &of->pose);
        turn[2] = of->motion.angle;
        to[0] = of->pose.x, to[1] = of->pose.y;
        by[0] = of->motion.x, by[1] = of->motion.y;
    } else {
        const gjb_body3 *of = side ? &pair->as.space.b : &pair->as.space.a;
        rest_space(k, b, &of->pose);
        turn[0] = of->motion.wx, turn[1] = of->motion.wy, turn[2] = of->motion.wz;
        to[0] = of->pose.x, to[1] = of->pose.y, to[2] = of->pose.z;
        by[0] = of->motion.x, by[1] = of->motion.y, by[2] = of->motion.z;
    }
    for (int m = 0; m < 3; m++) {
        mpfr_set_d(b->turn.x[m], turn[m], MPFR_RNDN);
        mpfr_set_d(k->t, to[m], MPFR_RNDN);
        mpfr_set_d(k->u, by[m], MPFR_RNDN);
        mpfr_sub(k->offset.x[m], k->t, k->offset.x[m], MPFR_RNDN); /* of A first, then of B less A's */
        mpfr_sub(k->drift.x[m], k->u, k->drift.x[m], MPFR_RNDN);
    }
    length(b->speed, &b->turn);
    for (int m = 0; m < 3; m++) {
        mpfr_set_ui(b->axis.x[m], 0, MPFR_RNDN);
        if (mpfr_zero_p(b->speed) == 0)
            mpfr_div(b->axis.x[m], b->turn.x[m], b->speed, MPFR_RNDN);
    }
    measure(k, b);
}

static void each(ref_checker *k, void (*visit)(mpfr_t))
{
    mpfr_t *all[] = {&k->margin, &k->scale, &k->tau, &k->spinning, &k->t, &k->u, &k->v, &k->w};
    for (size_t m = 0; m < sizeof all / sizeof *all; m++)
        visit(*all[m]);
    for (int m = 0; m < 8; m++)
        visit(k->bound[m / 4][m % 4]);
    for (int m = 0; m < 4; m++)
        visit(k->reaching[m / 2][m % 2]);
}

static void make(mpfr_t x)
{
    mpfr_init2(x, REF_CHECK_BITS);
    mpfr_set_ui(x, 0, MPFR_RNDN);
}

static void open_checker(ref_checker *k, const gjb_pair *pair, const ref_mover *mover, double margin)
{
    ref_check_vector *vectors[] = {&k->offset, &k->drift, &k->n, &k->spin, &k->p, &k->q, &k->r};
    for (size_t m = 0; m < sizeof vectors / sizeof *vectors; m++) {
        vector_init(vectors[m]);
        for (int c = 0; c < 3; c++)
            mpfr_set_ui(vectors[m]->x[c], 0, MPFR_RNDN);
    }
    each(k, make);
    open_body(k, pair, mover, 0);
    open_body(k, pair, mover, 1);
    /* What a gap must exceed: the radii too. */
    mpfr_set_d(k->margin, margin, MPFR_RNDN);
    mpfr_set_ld(k->t, mover->body[0].radius, MPFR_RNDN);
    mpfr_add(k->margin, k->margin, k->t, MPFR_RNDN);
    mpfr_set_ld(k->t, mover->body[1].radius, MPFR_RNDN);
    mpfr_add(k->margin, k->margin, k->t, MPFR_RNDN);
    if (mover->is_curved) { /* that of a ball which was an ellipsoid has been rounded */
        mpfr_set_ld(k->t, 0x1p-60L * mover->radii, MPFR_RNDN);
        mpfr_add(k->margin, k->margin, k->t, MPFR_RNDN);
    }
}

static void close_checker(ref_checker *k)
{
    ref_check_vector *vectors[] = {&k->offset, &k->drift, &k->n, &k->spin, &k->p, &k->q, &k->r};
    for (size_t m = 0; m < sizeof vectors / sizeof *vectors; m++)
        vector_clear(vectors[m]);
    for (int side = 0; side < 2; side++) {
        ref_check_body *b = &k->side[side];
        vector_clear(&b->turn);
        vector_clear(&b->axis);
        mpfr_clears(b->speed, b->reach, b->aside, b->least, b->most, (mpfr_ptr)0);
        for (int m = 0; m < 9; m++)
            mpfr_clears(b->rest[m / 3][m % 3], b->now[m / 3][m % 3], (mpfr_ptr)0);
    }
    each(k, mpfr_clear);
    mpfr_free_cache();
}

/* Rotation at t: each column r as c r + s k x r + (1 - c)(k.r) k. */
static void turn_to(ref_checker *k, ref_check_body *b, double t)
{
    mpfr_mul_d(k->t, b->speed, t, MPFR_RNDN);
    mpfr_sin_cos(k->u, k->v, k->t, MPFR_RNDN);
    for (int c = 0; c < 3; c++) {
        for (int m = 0; m < 3; m++)
            mpfr_set(k->p.x[m], b->rest[m][c], MPFR_RNDN);
        cross(&k->q, &b->axis, &k->p);
        dot(k->w, &b->axis, &k->p);
        mpfr_ui_sub(k->t, 1, k->v, MPFR_RNDN);
        mpfr_mul(k->w, k->w, k->t, MPFR_RNDN);
        for (int m = 0; m < 3; m++) {
            mpfr_mul(k->t, k->w, b->axis.x[m], MPFR_RNDN);
            mpfr_fma(k->t, k->v, k->p.x[m], k->t, MPFR_RNDN);
            mpfr_fma(b->now[m][c], k->u, k->q.x[m], k->t, MPFR_RNDN);
        }
    }
}

/* How far a body reaches along n, or against it, until tau. */
static void reaches(ref_checker *k, int side)
{
    ref_check_body *b = &k->side[side];
    int still = mpfr_zero_p(k->spinning);
    for (int m = 0; m < 3; m++)
        mpfr_sub(k->q.x[m], b->turn.x[m], k->spin.x[m], MPFR_RNDN);
    cross(&k->r, &k->n, &k->q);
    for (int m = 0; m < 3; m++) {
        mpfr_fma(k->p.x[m], k->tau, k->r.x[m], k->n.x[m], MPFR_RNDN);
        if (side)
            mpfr_neg(k->p.x[m], k->p.x[m], MPFR_RNDN);
    }
    ref_check_support(k, b, k->reaching[side][0]);
    /* |n across the axis| aside, or aside where n turns */
    cross(&k->r, &k->n, &b->axis);
    length(k->u, &k->r);
    if (!still)
        mpfr_set_ui(k->u, 1, MPFR_RNDN);
    mpfr_mul(k->u, k->u, b->aside, MPFR_RNDN);
    /* (s s reach + 2 s w aside + w w that) tau tau / 2 */
    mpfr_mul(k->v, k->spinning, b->reach, MPFR_RNDN);
    mpfr_mul(k->w, b->speed, b->aside, MPFR_RNDN);
    mpfr_mul_2ui(k->w, k->w, 1, MPFR_RNDN);
    mpfr_add(k->v, k->v, k->w, MPFR_RNDN);
    mpfr_mul(k->v, k->v, k->spinning, MPFR_RNDN);
    mpfr_sqr(k->w, b->speed, MPFR_RNDN);
    mpfr_fma(k->v, k->w, k->u, k->v, MPFR_RNDN);
    mpfr_sqr(k->w, k->tau, MPFR_RNDN);
    mpfr_mul(k->v, k->v, k->w, MPFR_RNDN);
    mpfr_div_2ui(k->v, k->v, 1, MPFR_RNDN);
    mpfr_add(k->reaching[side][0], k->reaching[side][0], k->v, MPFR_RNDN);
    if (!still) {
        mpfr_set_inf(k->reaching[side][1], 1);
        return;
    }
    /* The cylinder: along the axis from least to most, and aside. */
    dot(k->v, &k->n, &b->axis);
    if (side)
        mpfr_neg(k->v, k->v, MPFR_RNDN);
    mpfr_mul(k->v, k->v, mpfr_sgn(k->v) > 0 ? b->most : b->least, MPFR_RNDN);
    mpfr_add(k->reaching[side][1], k->u, k->v, MPFR_RNDN);
    if (mpfr_zero_p(b->speed)) /* without an axis nothing is said */
        mpfr_set(k->reaching[side][1], k->reaching[side][0], MPFR_RNDN);
}

/* The four bounds at t + tau, less the margin and what rounding may hide. */
static void bounds(ref_checker *k, double t, mpfr_t out[4])
{
    reaches(k, 0);
    reaches(k, 1);
    for (int m = 0; m < 3; m++) {
        mpfr_mul_d(k->p.x[m], k->drift.x[m], t, MPFR_RNDN);
        mpfr_add(k->p.x[m], k->p.x[m], k->offset.x[m], MPFR_RNDN);
    }
    length(k->u, &k->p);
    length(k->v, &k->drift);
    mpfr_add(k->u, k->u, k->v, MPFR_RNDN); /* c stays within this, whatever tau */
    /* scale: all that is added up, and what turns it */
    mpfr_add(k->scale, k->side[0].reach, k->side[1].reach, MPFR_RNDN);
    mpfr_add(k->scale, k->scale, k->u, MPFR_RNDN);
    mpfr_add(k->t, k->side[0].speed, k->side[1].speed, MPFR_RNDN);
    mpfr_add(k->t, k->t, k->spinning, MPFR_RNDN);
    mpfr_add_ui(k->t, k->t, 1, MPFR_RNDN);
    mpfr_mul(k->scale, k->scale, k->t, MPFR_RNDN);
    mpfr_mul(k->scale, k->scale, k->t, MPFR_RNDN);
    mpfr_abs(k->t, k->margin, MPFR_RNDN);
    mpfr_add(k->scale, k->scale, k->t, MPFR_RNDN);
    mpfr_div_2ui(k->scale, k->scale, REF_CHECK_SLACK, MPFR_RNDN);
    /* n.c + tau (n.d + (s x n).c) - (s s |c| + 2 s |d|) tau tau / 2 */
    dot(k->w, &k->n, &k->drift);
    cross(&k->q, &k->spin, &k->n);
    dot(k->t, &k->q, &k->p);
    mpfr_add(k->w, k->w, k->t, MPFR_RNDN);
    mpfr_mul(k->w, k->w, k->tau, MPFR_RNDN);
    dot(k->t, &k->n, &k->p);
    mpfr_add(k->w, k->w, k->t, MPFR_RNDN);
    mpfr_mul(k->u, k->u, k->spinning, MPFR_RNDN);
    mpfr_mul_2ui(k->v, k->v, 1, MPFR_RNDN);
    mpfr_add(k->u, k->u, k->v, MPFR_RNDN);
    mpfr_mul(k->u, k->u, k->spinning, MPFR_RNDN);
    mpfr_mul(k->u, k->u, k->tau, MPFR_RNDN);
    mpfr_mul(k->u, k->u, k->tau, MPFR_RNDN);
    mpfr_div_2ui(k->u, k->u, 1, MPFR_RNDN);
    mpfr_sub(k->w, k->w, k->u, MPFR_RNDN);
    mpfr_sub(k->w, k->w, k->margin, MPFR_RNDN);
    mpfr_sub(k->w, k->w, k->scale, MPFR_RNDN);
    for (int which = 0; which < 4; which++) {
        mpfr_sub(out[which], k->w, k->reaching[0][which & 1], MPFR_RNDN);
        mpfr_sub(out[which], out[which], k->reaching[1][which >> 1], MPFR_RNDN);
    }
}

/* A half-space has one axis, whatever the proof says: its normal, which turns as it does. */
static void follow_plane(ref_checker *k, double t, int side)
{
    ref_check_body *b = &k->side[side];
    turn_to(k, b, t);
    plane_normal(&k->p, b->from);
    apply(&k->n, b->now, &k->p);
    for (int m = 0; m < 3; m++) {
        mpfr_set(k->spin.x[m], b->turn.x[m], MPFR_RNDN);
        if (side)
            mpfr_neg(k->n.x[m], k->n.x[m], MPFR_RNDN);
    }
}

static bool holds(ref_checker *k, const ref_proof_step *step, double next)
{
    for (int m = 0; m < 3; m++) {
        mpfr_set_ld(k->n.x[m], step->normal[m], MPFR_RNDN);
        mpfr_set_ld(k->spin.x[m], step->spin[m], MPFR_RNDN);
    }
    const int plane = k->side[0].from->core.kind == GJB_HALFSPACE ? 0 : k->side[1].from->core.kind == GJB_HALFSPACE ? 1 : -1;
    if (plane >= 0)
        follow_plane(k, step->t, plane);
    length(k->t, &k->n);
    if (!mpfr_number_p(k->t) || mpfr_zero_p(k->t))
        return false;
    for (int m = 0; m < 3; m++)
        mpfr_div(k->n.x[m], k->n.x[m], k->t, MPFR_RNDN);
    length(k->spinning, &k->spin);
    turn_to(k, &k->side[0], step->t);
    turn_to(k, &k->side[1], step->t);
    mpfr_set_ui(k->tau, 0, MPFR_RNDN);
    bounds(k, step->t, k->bound[0]);
    mpfr_set_d(k->tau, next, MPFR_RNDN);
    mpfr_sub_d(k->tau, k->tau, step->t, MPFR_RNDN);
    bounds(k, step->t, k->bound[1]);
    for (int which = 0; which < 4; which++)
        if (mpfr_sgn(k->bound[0][which]) > 0 && mpfr_sgn(k->bound[1][which]) > 0)
            return true;
    return false;
}

bool ref_check_apart_exact(const gjb_pair *pair, double t0, double t1, double margin, const ref_proof *proof)
{
    ref_mover mover;
    ref_checker k;
    if (!ref_mover_open(&mover, pair) || proof->count == 0 || !(proof->steps[0].t <= t0) ||
        !(proof->end >= t1))
        return false;
    open_checker(&k, pair, &mover, margin);
    bool proven = true;
    for (uint32_t i = 0; i < proof->count && proven; i++) {
        double next = i + 1 < proof->count ? proof->steps[i + 1].t : proof->end;
        const ref_proof_step *step = &proof->steps[i];
        proven = !ref_effort_over() && next >= step->t && next <= 1 && step->t >= 0 && holds(&k, step, next);
    }
    close_checker(&k);
    return proven;
}
