/* Places the corners of both cores on one grid of integers, for exact steps of proofs. */
#include "reference/certificate/certificate_grid.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int ref_cert_lowest(double x)
{
    int exponent;
    if (x == 0)
        return INT_MAX;
    const uint64_t mantissa = (uint64_t)ldexp(fabs(frexp(x, &exponent)), 53); /* exact, and not 0 */
    return exponent - 53 + __builtin_ctzll(mantissa);
}

void ref_cert_integer(mpz_t z, double x, int exponent)
{
    int own;
    mpz_set_d(z, ldexp(frexp(x, &own), 53));
    const long shift = (long)own - 53 - exponent;
    if (shift >= 0)
        mpz_mul_2exp(z, z, (mp_bitcnt_t)shift);
    else
        mpz_tdiv_q_2exp(z, z, (mp_bitcnt_t)-shift); /* zeros alone, if exponent is low enough */
}

void ref_lattice_init(ref_lattice *v)
{
    mpz_inits(v->x[0], v->x[1], v->x[2], NULL);
}

void ref_lattice_clear(ref_lattice *v)
{
    mpz_clears(v->x[0], v->x[1], v->x[2], NULL);
}

void ref_cert_inner(mpz_t out, const ref_lattice *p, const ref_lattice *q)
{
    mpz_mul(out, p->x[0], q->x[0]);
    mpz_addmul(out, p->x[1], q->x[1]);
    mpz_addmul(out, p->x[2], q->x[2]);
}

void ref_cert_cross(ref_lattice *out, const ref_lattice *p, const ref_lattice *q)
{
    for (int m = 0; m < 3; m++) {
        const int k = (m + 1) % 3, l = (m + 2) % 3;
        mpz_mul(out->x[m], p->x[k], q->x[l]);
        mpz_submul(out->x[m], p->x[l], q->x[k]);
    }
}

static int lower(int p, int q)
{
    return p < q ? p : q;
}

/* Of several numbers; 0 if all are 0. */
static int lowest_of(const double *numbers, size_t count)
{
    int lowest = INT_MAX;
    for (size_t k = 0; k < count; k++)
        lowest = lower(lowest, ref_cert_lowest(numbers[k]));
    return lowest == INT_MAX ? 0 : lowest;
}

/* [c -s; s c] as stored. */
static void turn_in_plane(ref_cert_side *side, const gjb_pose2d *pose)
{
    const double numbers[2] = {pose->c, pose->s};
    side->turn_exponent = lowest_of(numbers, 2);
    ref_cert_integer(side->turn[0][0], pose->c, side->turn_exponent);
    ref_cert_integer(side->turn[1][0], pose->s, side->turn_exponent);
    mpz_set(side->turn[1][1], side->turn[0][0]);
    mpz_neg(side->turn[0][1], side->turn[1][0]);
    mpz_set_ui(side->norm, 1);
}

/* M(q) of gjkbench/types.h and q.q; the scale of q cancels. */
static void turn_in_space(ref_cert_side *side, const gjb_pose3d *pose)
{
    const double q[4] = {pose->qx, pose->qy, pose->qz, pose->qw};
    const int exponent = lowest_of(q, 4);
    mpz_t z[4], t;
    mpz_init(t);
    mpz_set_ui(side->norm, 0);
    for (int k = 0; k < 4; k++) {
        mpz_init(z[k]);
        ref_cert_integer(z[k], q[k], exponent);
        mpz_addmul(side->norm, z[k], z[k]);
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        mpz_mul(t, z[3], z[3]);
        mpz_addmul(t, z[i], z[i]);
        mpz_submul(t, z[j], z[j]);
        mpz_submul(t, z[k], z[k]);
        mpz_set(side->turn[i][i], t);
        mpz_mul(t, z[i], z[j]);
        mpz_mul(side->turn[i][j], z[3], z[k]); /* 2 (xy - wz), and 2 (xy + wz) across */
        mpz_add(side->turn[j][i], t, side->turn[i][j]);
        mpz_sub(side->turn[i][j], t, side->turn[i][j]);
        mpz_mul_2exp(side->turn[i][j], side->turn[i][j], 1);
        mpz_mul_2exp(side->turn[j][i], side->turn[j][i], 1);
    }
    mpz_clears(z[0], z[1], z[2], z[3], t, NULL);
    side->turn_exponent = 0;
}

static void take_body(ref_cert_side *side, const gjb_pair *pair, int of_b)
{
    for (int k = 0; k < 9; k++)
        mpz_init(side->turn[k / 3][k % 3]);
    mpz_init(side->norm);
    ref_lattice_init(&side->offset);
    ref_lattice_init(&side->outward);
    if (pair->dim == 2) {
        const gjb_body2 *body = of_b ? &pair->as.plane.b : &pair->as.plane.a;
        side->kind = body->kind;
        side->rows_count = body->count;
        side->rows = &body->vertices[0][0];
        side->radius = body->radius;
        turn_in_plane(side, &body->pose);
    } else {
        const gjb_body3 *body = of_b ? &pair->as.space.b : &pair->as.space.a;
        side->kind = body->kind;
        side->rows_count = body->count;
        side->rows = &body->vertices[0][0];
        side->radius = body->radius;
        turn_in_space(side, &body->pose);
    }
    side->curved = gjb_is_curved(side->kind);
}

static void translations_of(const gjb_pair *pair, double at[2][3])
{
    if (pair->dim == 2) {
        const gjb_pose2d *a = &pair->as.plane.a.pose, *b = &pair->as.plane.b.pose;
        at[0][0] = a->x, at[0][1] = a->y, at[1][0] = b->x, at[1][1] = b->y;
        at[0][2] = at[1][2] = 0;
    } else {
        const gjb_pose3d *a = &pair->as.space.a.pose, *b = &pair->as.space.b.pose;
        at[0][0] = a->x, at[0][1] = a->y, at[0][2] = a->z;
        at[1][0] = b->x, at[1][1] = b->y, at[1][2] = b->z;
    }
}

/* turn * local + offset on the grid; `factor` is scale / norm. */
static void place(const ref_cert_grid *g, ref_cert_side *side, const double *local, uint32_t dim,
                  int exponent, const mpz_t factor, ref_lattice *out)
{
    const mp_bitcnt_t shift = (mp_bitcnt_t)(side->turn_exponent + exponent - g->exponent);
    mpz_t t;
    mpz_init(t);
    ref_lattice_init(out);
    for (uint32_t k = 0; k < dim; k++) {
        ref_cert_integer(t, local[k], exponent);
        for (uint32_t m = 0; m < dim; m++)
            mpz_addmul(out->x[m], side->turn[m][k], t);
    }
    for (uint32_t m = 0; m < dim; m++) {
        mpz_mul(out->x[m], out->x[m], factor);
        mpz_mul_2exp(out->x[m], out->x[m], shift);
        mpz_add(out->x[m], out->x[m], side->offset.x[m]);
    }
    mpz_clear(t);
}

/* What is placed of a side: vertices, inner points of a curved core, nothing of a half-space. */
static const double *corners_of(ref_cert_side *side, const ref_certificate *c, int s, uint32_t dim, uint32_t *stride)
{
    *stride = side->curved ? 3 : dim;
    side->count = side->curved ? c->inner_count[s] : gjb_is_unbounded(side->kind) ? 0 : side->rows_count;
    return side->curved ? (const double *)c->inner[s] : side->rows;
}

/* turn * normal, which shrinking or growing does not matter to. */
static void turn_normal(ref_cert_side *side, uint32_t dim)
{
    const int exponent = lowest_of(side->rows, dim);
    mpz_t t;
    mpz_init(t);
    for (uint32_t k = 0; k < dim && gjb_is_unbounded(side->kind); k++) {
        ref_cert_integer(t, side->rows[k], exponent);
        for (uint32_t m = 0; m < dim; m++)
            mpz_addmul(side->outward.x[m], side->turn[m][k], t);
    }
    mpz_clear(t);
}

void ref_cert_grid_open(ref_cert_grid *g, const gjb_pair *pair, const ref_certificate *c)
{
    double at[2][3];
    int exponent[2];
    mpz_t t;
    mpz_inits(g->scale, g->radii, t, NULL);
    g->dim = pair->dim;
    take_body(&g->side[0], pair, 0);
    take_body(&g->side[1], pair, 1);
    translations_of(pair, at);
    const double radii[2] = {g->side[0].radius, g->side[1].radius};
    g->exponent = lower(lowest_of(&at[0][0], 6), lowest_of(radii, 2));
    for (int s = 0; s < 2; s++) {
        ref_cert_side *side = &g->side[s];
        uint32_t stride;
        const double *corners = corners_of(side, c, s, g->dim, &stride);
        turn_normal(side, g->dim);
        exponent[s] = lowest_of(corners, (size_t)stride * side->count);
        g->exponent = lower(g->exponent, side->turn_exponent + exponent[s]);
    }
    mpz_mul(g->scale, g->side[0].norm, g->side[1].norm);
    for (int s = 0; s < 2; s++) {
        ref_cert_integer(t, radii[s], g->exponent);
        mpz_addmul(g->radii, t, g->scale);
    }
    for (int m = 0; m < 3; m++) {
        ref_cert_integer(g->side[1].offset.x[m], at[1][m], g->exponent);
        ref_cert_integer(t, at[0][m], g->exponent);
        mpz_sub(g->side[1].offset.x[m], g->side[1].offset.x[m], t);
        mpz_mul(g->side[1].offset.x[m], g->side[1].offset.x[m], g->scale);
    }
    for (int s = 0; s < 2; s++) {
        ref_cert_side *side = &g->side[s];
        uint32_t stride;
        const double *corners = corners_of(side, c, s, g->dim, &stride);
        side->at = calloc(side->count ? side->count : 1, sizeof *side->at);
        if (!side->at) {
            fputs("gjkbench: out of memory in a certificate\n", stderr);
            abort();
        }
        for (uint32_t k = 0; k < side->count; k++)
            place(g, side, corners + (size_t)stride * k, g->dim, exponent[s], g->side[!s].norm, &side->at[k]);
    }
    mpz_clear(t);
}

void ref_cert_grid_close(ref_cert_grid *g)
{
    for (int s = 0; s < 2; s++) {
        ref_cert_side *side = &g->side[s];
        for (uint32_t k = 0; k < side->count; k++)
            ref_lattice_clear(&side->at[k]);
        free(side->at);
        for (int k = 0; k < 9; k++)
            mpz_clear(side->turn[k / 3][k % 3]);
        mpz_clear(side->norm);
        ref_lattice_clear(&side->offset);
        ref_lattice_clear(&side->outward);
    }
    mpz_clears(g->scale, g->radii, NULL);
}

void ref_cert_corner(const ref_cert_grid *g, const uint32_t corner[2], ref_lattice *w)
{
    for (int m = 0; m < 3; m++)
        mpz_sub(w->x[m], g->side[1].at[corner[1]].x[m], g->side[0].at[corner[0]].x[m]);
}

void ref_cert_point(const ref_cert_grid *g, const double point[3], ref_lattice *out, mp_bitcnt_t *finer)
{
    const int lowest = lower(lowest_of(point, g->dim), g->exponent);
    *finer = (mp_bitcnt_t)(g->exponent - lowest);
    for (uint32_t m = 0; m < 3; m++) {
        ref_cert_integer(out->x[m], m < g->dim ? point[m] : 0, lowest);
        mpz_mul(out->x[m], out->x[m], g->scale);
    }
}

int ref_cert_refuse(ref_certified *verdict, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!verdict->reason[0])
        vsnprintf(verdict->reason, sizeof verdict->reason, format, arguments);
    va_end(arguments);
    verdict->accepted = false;
    return -1;
}
