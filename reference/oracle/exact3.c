/* A pair in space on a grid of integers: exact rotations, corners, and the support mapping with its check. */
#include "reference/oracle/exact3.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

void ref_vector3_init(ref_vector3 *v)
{
    mpz_inits(v->x[0], v->x[1], v->x[2], NULL);
}

void ref_vector3_clear(ref_vector3 *v)
{
    mpz_clears(v->x[0], v->x[1], v->x[2], NULL);
}

void ref_cross3(ref_vector3 *out, const ref_vector3 *p, const ref_vector3 *q)
{
    for (int m = 0; m < 3; m++) {
        int a = (m + 1) % 3, b = (m + 2) % 3;
        mpz_mul(out->x[m], p->x[a], q->x[b]);
        mpz_submul(out->x[m], p->x[b], q->x[a]);
    }
}

void ref_inner3(mpz_t out, const ref_vector3 *p, const ref_vector3 *q)
{
    mpz_mul(out, p->x[0], q->x[0]);
    mpz_addmul(out, p->x[1], q->x[1]);
    mpz_addmul(out, p->x[2], q->x[2]);
}

void ref_subtract3(ref_vector3 *out, const ref_vector3 *p, const ref_vector3 *q)
{
    for (int m = 0; m < 3; m++)
        mpz_sub(out->x[m], p->x[m], q->x[m]);
}

bool ref_zero3(const ref_vector3 *v)
{
    return mpz_sgn(v->x[0]) == 0 && mpz_sgn(v->x[1]) == 0 && mpz_sgn(v->x[2]) == 0;
}

void ref_direction3(const ref_vector3 *v, long double out[3])
{
    size_t bits = 0;
    for (int m = 0; m < 3; m++) {
        size_t own = mpz_sizeinbase(v->x[m], 2);
        bits = own > bits ? own : bits;
    }
    for (int m = 0; m < 3; m++)
        out[m] = ref_to_long_double(v->x[m], -(int)bits);
}

static int least(int p, int q)
{
    return p < q ? p : q;
}

/* Exponent of the lowest bit of any of the numbers; 0 if all are 0. */
static int lowest_of(const double *numbers, size_t count)
{
    int lowest = INT_MAX;
    for (size_t k = 0; k < count; k++)
        lowest = least(lowest, ref_lowest_bit(numbers[k]));
    return lowest == INT_MAX ? 0 : lowest;
}

/* M(q) and q.q in integers; the scale of q cancels out of their ratio. */
static void integer_rotation(const ref_dyadic q[4], mpz_t m[3][3], mpz_t norm, mpz_t t)
{
    int exponent = ref_dyadic_lowest(q, 4);
    mpz_t z[4], square[4];
    mpz_set_ui(norm, 0);
    for (int k = 0; k < 4; k++) {
        mpz_inits(z[k], square[k], NULL);
        ref_dyadic_scaled(z[k], &q[k], exponent);
        mpz_mul(square[k], z[k], z[k]);
        mpz_add(norm, norm, square[k]);
    }
    for (int i = 0; i < 3; i++) {
        /* w2 + xi2 - the other two = 2 (w2 + xi2) - q.q */
        mpz_add(t, square[3], square[i]);
        mpz_mul_2exp(t, t, 1);
        mpz_sub(m[i][i], t, norm);
        int j = (i + 1) % 3, k = (i + 2) % 3;
        mpz_mul(m[i][j], z[i], z[j]);
        mpz_set(m[j][i], m[i][j]);
        mpz_submul(m[i][j], z[3], z[k]);
        mpz_addmul(m[j][i], z[3], z[k]);
        mpz_mul_2exp(m[i][j], m[i][j], 1);
        mpz_mul_2exp(m[j][i], m[j][i], 1);
    }
    for (int k = 0; k < 4; k++)
        mpz_clears(z[k], square[k], NULL);
}

static long double length_bound(const gjb_body3 *body)
{
    double most = 0;
    for (uint32_t k = 0; k < body->count; k++) {
        const double *v = body->vertices[k];
        most = fmax(most, fabs(v[0]) + fabs(v[1]) + fabs(v[2]));
    }
    return most;
}

static void open_side(ref_side3 *side, const gjb_body3 *body, const ref_dyadic q[4])
{
    side->body = body;
    side->vertex = lowest_of(&body->vertices[0][0], 3 * (size_t)body->count);
    side->image = ref_zeroed(body->count, sizeof *side->image);
    side->ready = ref_zeroed(body->count, sizeof *side->ready);
    for (int k = 0; k < 9; k++)
        mpz_init(side->turn[k / 3][k % 3]);
    long double near[4];
    for (int k = 0; k < 4; k++)
        near[k] = ref_to_long_double(q[k].mantissa, q[k].exponent);
    ref_rotation3l(near, side->rotation);
}

static void open_translation(ref_grid3 *g, const ref_dyadic offset[3])
{
    long double far = 0;
    for (int m = 0; m < 3; m++) {
        ref_dyadic_scaled(g->offset.x[m], &offset[m], g->exponent);
        g->shift[m] = ref_to_long_double(g->offset.x[m], g->exponent);
        mpz_mul(g->offset.x[m], g->offset.x[m], g->product);
        far += fabsl(g->shift[m]);
    }
    /* A rotation entry is within 16 units, and 4 times what q is truncated by, each of three products and
     * sums adds one, the shift and the difference two each of what they act on. */
    long double unit = 0x1p-64L;
    g->doubt = 72 * unit * (length_bound(g->side[0].body) + length_bound(g->side[1].body) + far);
}

void ref_place_of3(ref_place *place, const gjb_pair3 *pair)
{
    for (int side = 0; side < 2; side++) {
        const gjb_pose3d *p = side ? &pair->b.pose : &pair->a.pose;
        const double q[4] = {p->qx, p->qy, p->qz, p->qw};
        for (int k = 0; k < 4; k++)
            ref_dyadic_set(&place->rotation[side][k], q[k]);
    }
    ref_dyadic_difference(&place->offset[0], pair->b.pose.x, pair->a.pose.x);
    ref_dyadic_difference(&place->offset[1], pair->b.pose.y, pair->a.pose.y);
    ref_dyadic_difference(&place->offset[2], pair->b.pose.z, pair->a.pose.z);
}

void ref_grid3_open(ref_grid3 *g, const gjb_pair3 *pair, const ref_place *place)
{
    mpz_inits(g->product, g->radius, g->t, g->u, g->v, NULL);
    ref_vector3 *vectors[6] = {&g->offset, &g->p, &g->q, &g->r, &g->s, &g->n};
    for (int k = 0; k < 6; k++)
        ref_vector3_init(vectors[k]);
    open_side(&g->side[0], &pair->a, place->rotation[0]);
    open_side(&g->side[1], &pair->b, place->rotation[1]);
    const double radii[2] = {pair->a.radius, pair->b.radius};
    g->exponent = least(least(lowest_of(radii, 2), ref_dyadic_lowest(place->offset, 3)),
                        least(g->side[0].vertex, g->side[1].vertex));

    integer_rotation(place->rotation[0], g->side[0].turn, g->u, g->t);
    integer_rotation(place->rotation[1], g->side[1].turn, g->v, g->t);
    for (int side = 0; side < 2; side++) {
        g->side[side].shift = (mp_bitcnt_t)(g->side[side].vertex - g->exponent);
        for (int k = 0; k < 9; k++) {
            mpz_t *entry = &g->side[side].turn[k / 3][k % 3];
            mpz_mul(*entry, *entry, side ? g->u : g->v);
        }
    }
    mpz_mul(g->product, g->u, g->v);
    open_translation(g, place->offset);
    ref_set_scaled(g->radius, pair->a.radius, g->exponent);
    ref_set_scaled(g->t, pair->b.radius, g->exponent);
    mpz_add(g->radius, g->radius, g->t);
}

void ref_grid3_close(ref_grid3 *g)
{
    for (int side = 0; side < 2; side++) {
        ref_side3 *s = &g->side[side];
        for (uint32_t k = 0; k < s->body->count; k++)
            if (s->ready[k])
                ref_vector3_clear(&s->image[k]);
        for (int k = 0; k < 9; k++)
            mpz_clear(s->turn[k / 3][k % 3]);
        free(s->image);
        free(s->ready);
    }
    ref_vector3 *vectors[6] = {&g->offset, &g->p, &g->q, &g->r, &g->s, &g->n};
    for (int k = 0; k < 6; k++)
        ref_vector3_clear(vectors[k]);
    mpz_clears(g->product, g->radius, g->t, g->u, g->v, NULL);
}

const ref_vector3 *ref_image3(ref_grid3 *g, int which, uint32_t k)
{
    ref_side3 *side = &g->side[which];
    ref_vector3 *out = &side->image[k];
    if (side->ready[k])
        return out;
    side->ready[k] = true;
    ref_vector3_init(out);
    for (int c = 0; c < 3; c++) {
        ref_set_scaled(g->t, side->body->vertices[k][c], side->vertex);
        for (int m = 0; m < 3; m++)
            mpz_addmul(out->x[m], side->turn[m][c], g->t);
    }
    for (int m = 0; m < 3; m++) {
        mpz_mul_2exp(out->x[m], out->x[m], side->shift);
        if (which == 1)
            mpz_add(out->x[m], out->x[m], g->offset.x[m]);
    }
    return out;
}

void ref_corner3_at(ref_grid3 *g, ref_corner3 corner, ref_vector3 *out)
{
    const ref_vector3 *a = ref_image3(g, 0, corner.i), *b = ref_image3(g, 1, corner.j);
    for (int m = 0; m < 3; m++)
        mpz_sub(out->x[m], b->x[m], a->x[m]);
}

void ref_place3(const ref_grid3 *g, int side, uint32_t index, long double out[3])
{
    const double *v = g->side[side].body->vertices[index];
    for (int m = 0; m < 3; m++) {
        const long double *row = g->side[side].rotation[m];
        out[m] = row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + (side ? g->shift[m] : 0);
    }
}

void ref_corner3_near(const ref_grid3 *g, ref_corner3 corner, long double out[3])
{
    long double a[3], b[3];
    ref_place3(g, 0, corner.i, a);
    ref_place3(g, 1, corner.j, b);
    for (int m = 0; m < 3; m++)
        out[m] = b[m] - a[m];
}

/* Sign of local . (v - w) for stored vertices v and w. */
static int compare_along(ref_grid3 *g, const ref_side3 *side, const ref_vector3 *local, const long double near[3],
                         const double *v, const double *w)
{
    long double sum = 0, size = 0;
    for (int m = 0; m < 3; m++) {
        long double term = near[m] * ((long double)v[m] - w[m]);
        sum += term;
        size += fabsl(term);
    }
    if (fabsl(sum) > 0x1p-60L * size)
        return sum > 0 ? 1 : -1;
    if (v[0] == w[0] && v[1] == w[1] && v[2] == w[2])
        return 0;
    mpz_set_ui(g->u, 0);
    for (int m = 0; m < 3; m++) {
        ref_set_scaled(g->t, v[m], side->vertex);
        ref_set_scaled(g->v, w[m], side->vertex);
        mpz_sub(g->t, g->t, g->v);
        mpz_addmul(g->u, local->x[m], g->t);
    }
    return mpz_sgn(g->u);
}

static uint32_t farthest(ref_grid3 *g, int which, const ref_vector3 *n, uint32_t from)
{
    const ref_side3 *side = &g->side[which];
    ref_vector3 *local = &g->s;
    for (int c = 0; c < 3; c++) {
        mpz_mul(local->x[c], side->turn[0][c], n->x[0]);
        mpz_addmul(local->x[c], side->turn[1][c], n->x[1]);
        mpz_addmul(local->x[c], side->turn[2][c], n->x[2]);
    }
    long double near[3];
    ref_direction3(local, near);
    const double(*v)[3] = side->body->vertices;
    for (uint32_t k = 0; k < side->body->count; k++) {
        int sign = compare_along(g, side, local, near, v[k], v[from]);
        from = (which ? -sign : sign) > 0 ? k : from;
    }
    return from;
}

ref_corner3 ref_lowest3(ref_grid3 *g, const ref_vector3 *n, ref_corner3 from)
{
    return (ref_corner3){farthest(g, 0, n, from.i), farthest(g, 1, n, from.j)};
}

void ref_check_support3(ref_grid3 *g, const ref_vector3 *n, ref_corner3 corner)
{
    ref_corner3_at(g, ref_lowest3(g, n, corner), &g->p);
    ref_corner3_at(g, corner, &g->q);
    ref_inner3(g->u, &g->p, n);
    ref_inner3(g->v, &g->q, n);
    if (mpz_cmp(g->u, g->v) < 0)
        ref_broken("a vertex lies beyond the support");
}
