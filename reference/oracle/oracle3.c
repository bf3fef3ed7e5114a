/* Exact oracle in space: distance, and the parts put together.
 *
 * The double methods say where to look. From their last simplex GJK goes on in
 * integers, usually by no step at all: the nearest point of the simplex is
 * computed exactly, and the exact support along it shows that no vertex of D is
 * nearer. Where the simplex holds the origin, exact EPA takes over. */
#include "reference/oracle/oracle3.h"
#include "reference/curved/curved_pair.h"
#include "reference/motion/placed_oracle.h"

#include <math.h>

typedef struct simplex {
    ref_vector3 w[4], e, f, n;
    mpz_t total, along, across, rest;
} simplex;

static void simplex_init(simplex *s)
{
    mpz_inits(s->total, s->along, s->across, s->rest, NULL);
    ref_vector3 *all[7] = {&s->w[0], &s->w[1], &s->w[2], &s->w[3], &s->e, &s->f, &s->n};
    for (int k = 0; k < 7; k++)
        ref_vector3_init(all[k]);
}

static void simplex_clear(simplex *s)
{
    mpz_clears(s->total, s->along, s->across, s->rest, NULL);
    ref_vector3 *all[7] = {&s->w[0], &s->w[1], &s->w[2], &s->w[3], &s->e, &s->f, &s->n};
    for (int k = 0; k < 7; k++)
        ref_vector3_clear(all[k]);
}

static bool at_vertex(const simplex *s, const int k[4], ref_closest3 *c)
{
    mpz_set_ui(c->weight[0], 1);
    for (int m = 0; m < 3; m++)
        mpz_set(c->normal.x[m], s->w[k[0]].x[m]);
    c->holds = ref_zero3(&c->normal);
    return true;
}

static bool on_edge(simplex *s, const int k[4], ref_closest3 *c)
{
    const ref_vector3 *p = &s->w[k[0]];
    ref_subtract3(&s->e, &s->w[k[1]], p);
    ref_inner3(s->total, &s->e, &s->e);
    ref_inner3(c->weight[1], p, &s->e);
    mpz_neg(c->weight[1], c->weight[1]);
    mpz_sub(c->weight[0], s->total, c->weight[1]);
    for (int m = 0; m < 3; m++) {
        mpz_mul(c->normal.x[m], s->total, p->x[m]);
        mpz_addmul(c->normal.x[m], c->weight[1], s->e.x[m]);
    }
    c->holds = ref_zero3(&c->normal);
    return mpz_sgn(c->weight[0]) > 0 && mpz_sgn(c->weight[1]) > 0;
}

/* p + along e + across f is the foot, both over n.n: along e x f = -p x f. */
static bool on_face(simplex *s, const int k[4], ref_closest3 *c)
{
    const ref_vector3 *p = &s->w[k[0]];
    ref_subtract3(&s->e, &s->w[k[1]], p);
    ref_subtract3(&s->f, &s->w[k[2]], p);
    ref_cross3(&c->normal, &s->e, &s->f);
    ref_inner3(s->total, &c->normal, &c->normal);
    ref_cross3(&s->n, &s->f, p);
    ref_inner3(c->weight[1], &s->n, &c->normal);
    ref_cross3(&s->n, p, &s->e);
    ref_inner3(c->weight[2], &s->n, &c->normal);
    mpz_sub(c->weight[0], s->total, c->weight[1]);
    mpz_sub(c->weight[0], c->weight[0], c->weight[2]);
    ref_inner3(s->rest, &c->normal, p);
    int side = mpz_sgn(s->rest);
    c->holds = side == 0;
    for (int m = 0; m < 3 && side < 0; m++)
        mpz_neg(c->normal.x[m], c->normal.x[m]);
    return mpz_sgn(s->total) > 0 && mpz_sgn(c->weight[0]) > 0 && mpz_sgn(c->weight[1]) > 0 &&
           mpz_sgn(c->weight[2]) > 0;
}

/* Weights are the volumes that the origin spans with the other three. */
static bool within(simplex *s, const int k[4], ref_closest3 *c)
{
    int sign = 0;
    c->holds = true;
    for (int m = 0; m < 4; m++) {
        const ref_vector3 *p = &s->w[m == 0 ? 1 : 0], *q = &s->w[m <= 1 ? 2 : 1], *r = &s->w[m <= 2 ? 3 : 2];
        ref_cross3(&s->n, p, q);
        ref_inner3(c->weight[m], &s->n, r);
        if (m % 2)
            mpz_neg(c->weight[m], c->weight[m]);
        int own = mpz_sgn(c->weight[m]);
        if (own == 0 || (sign && own != sign))
            return false;
        sign = own;
    }
    for (int m = 0; m < 4; m++)
        mpz_abs(c->weight[m], c->weight[m]);
    (void)k;
    return true;
}

static bool meets(simplex *s, const int k[4], int n, ref_closest3 *c)
{
    return n == 1 ? at_vertex(s, k, c) : n == 2 ? on_edge(s, k, c) : n == 3 ? on_face(s, k, c) : within(s, k, c);
}

/* Is no vertex of the simplex lower along the normal than those in the mask? */
static bool lowest_of_simplex(simplex *s, int count, unsigned mask, int first, const ref_vector3 *normal)
{
    ref_inner3(s->total, normal, &s->w[first]);
    for (int k = 0; k < count; k++) {
        if (mask >> k & 1)
            continue;
        ref_inner3(s->rest, normal, &s->w[k]);
        if (mpz_cmp(s->rest, s->total) < 0)
            return false;
    }
    return true;
}

/* Nearest point of the simplex; keeps the corners that it needs. The whole is
 * tried first, because it is what the double method already reduced. */
static void reduce(ref_grid3 *g, simplex *s, ref_closest3 *c)
{
    int count = c->count;
    for (int k = 0; k < count; k++)
        ref_corner3_at(g, c->corner[k], &s->w[k]);
    for (unsigned mask = (1u << count) - 1; mask > 0; mask--) {
        int k[4], n = 0;
        for (int m = 0; m < count; m++) {
            k[n & 3] = m;
            n += mask >> m & 1;
        }
        if (meets(s, k, n, c) && (c->holds || lowest_of_simplex(s, count, mask, k[0], &c->normal))) {
            for (int m = 0; m < n; m++)
                c->corner[m] = c->corner[k[m]];
            c->count = n;
            return;
        }
    }
    ref_broken("a simplex without a nearest point");
}

void ref_exact_gjk3(ref_grid3 *g, ref_closest3 *c)
{
    simplex s;
    simplex_init(&s);
    for (;;) {
        reduce(g, &s, c);
        if (c->holds)
            break;
        ref_corner3 lowest = ref_lowest3(g, &c->normal, c->corner[0]);
        ref_corner3_at(g, lowest, &s.e);
        ref_corner3_at(g, c->corner[0], &s.f);
        ref_inner3(s.total, &s.e, &c->normal);
        ref_inner3(s.rest, &s.f, &c->normal);
        if (mpz_cmp(s.total, s.rest) >= 0)
            break;
        c->corner[c->count++] = lowest;
    }
    simplex_clear(&s);
}

static void set_apart(ref_grid3 *g, const ref_closest3 *c, ref_root *sigma)
{
    sigma->sign = 1;
    ref_corner3_at(g, c->corner[0], &g->p);
    ref_inner3(sigma->numerator, &c->normal, &g->p);
    if (mpz_sgn(sigma->numerator) <= 0)
        ref_broken("a distance that is not positive");
    mpz_mul(sigma->numerator, sigma->numerator, sigma->numerator);
    ref_inner3(sigma->denominator, &c->normal, &c->normal);
}

/* Points of the cores from weighted corners. */
static void place(const ref_grid3 *g, const ref_corner3 *corner, const long double *weight, int count,
                  long double at[2][3])
{
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < count; k++) {
            long double v[3];
            ref_place3(g, side, side ? corner[k].j : corner[k].i, v);
            for (int m = 0; m < 3; m++)
                at[side][m] += weight[k] * v[m];
        }
    }
}

static void finish(ref_grid3 *g, ref_root *sigma, const ref_vector3 *normal, long double at[2][3], ref_exact3 *out)
{
    mpz_mul(g->u, g->product, g->product);
    mpz_mul(sigma->denominator, sigma->denominator, g->u);
    ref_interval interval = ref_enclose(sigma, g->radius, g->exponent);
    out->sign = interval.sign;
    out->lo = interval.lo;
    out->hi = interval.hi;
    long double n[3], length;
    ref_direction3(normal, n);
    length = sqrtl(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int m = 0; m < 3; m++) {
        out->normal[m] = (double)(n[m] / length);
        out->point_a[m] = (double)(at[0][m] + g->side[0].body->radius * (n[m] / length));
        out->point_b[m] = (double)(at[1][m] - g->side[1].body->radius * (n[m] / length));
    }
}

static void long_weights(const ref_closest3 *c, mpz_t sum, long double weight[4])
{
    mpz_set_ui(sum, 0);
    for (int k = 0; k < c->count; k++)
        mpz_add(sum, sum, c->weight[k]);
    int bits = (int)mpz_sizeinbase(sum, 2);
    for (int k = 0; k < c->count; k++)
        weight[k] = ref_to_long_double(c->weight[k], -bits) / ref_to_long_double(sum, -bits);
}

static void solve(ref_grid3 *g, ref_closest3 *c, ref_depth3 *depth, ref_exact3 *out, ref_polytope3 *polytope)
{
    long double at[2][3] = {{0}}, weight[4];
    ref_exact_gjk3(g, c);
    if (!c->holds) {
        set_apart(g, c, &depth->sigma);
        ref_check_support3(g, &c->normal, c->corner[0]);
        long_weights(c, g->t, weight);
        place(g, c->corner, weight, c->count, at);
        finish(g, &depth->sigma, &c->normal, at, out);
        return;
    }
    ref_exact_epa3(g, c, depth, polytope);
    if (depth->sigma.sign < 0) {
        place(g, depth->corner, depth->weight, 3, at);
    } else {
        long_weights(c, g->t, weight);
        place(g, c->corner, weight, c->count, at);
    }
    finish(g, &depth->sigma, &depth->normal, at, out);
}

/* Corners to start from: what GJK in double ended with. */
static void warm_start(const gjb_pair3 *pair, ref_closest3 *c)
{
    ref_frame3 frame;
    ref_core3 core;
    ref_vertex3 simplex[4];
    c->count = 0;
    if (!ref_frame3_open(&frame, pair))
        ref_broken("numbers that are not finite, or nothing to measure");
    ref_gjk_core3(&frame, &core, simplex, &c->count);
    for (int k = 0; k < c->count; k++)
        c->corner[k] = (ref_corner3){simplex[k].i, simplex[k].j};
}

void ref_oracle3_placed(const gjb_pair3 *pair, const ref_place *where, ref_exact3 *out, ref_polytope3 *polytope)
{
    ref_grid3 grid;
    ref_closest3 closest;
    ref_depth3 depth = {.sigma = {.sign = 0}};
    warm_start(pair, &closest);
    ref_grid3_open(&grid, pair, where);
    mpz_inits(closest.weight[0], closest.weight[1], closest.weight[2], closest.weight[3], NULL);
    mpz_inits(depth.sigma.numerator, depth.sigma.denominator, NULL);
    ref_vector3_init(&closest.normal);
    ref_vector3_init(&depth.normal);
    solve(&grid, &closest, &depth, out, polytope);
    ref_vector3_clear(&closest.normal);
    ref_vector3_clear(&depth.normal);
    mpz_clears(closest.weight[0], closest.weight[1], closest.weight[2], closest.weight[3], NULL);
    mpz_clears(depth.sigma.numerator, depth.sigma.denominator, NULL);
    ref_grid3_close(&grid);
}

void ref_oracle_polytope3(const gjb_pair3 *pair, ref_exact3 *out, ref_polytope3 *polytope)
{
    if (ref_is_curved3(pair)) {
        const gjb_pair of = ref_pair_of3(pair);
        ref_curved_oracle(&of, out);
        return;
    }
    ref_place where;
    ref_place_init(&where);
    ref_place_of3(&where, pair);
    ref_oracle3_placed(pair, &where, out, polytope);
    ref_place_clear(&where);
}

void ref_oracle3(const gjb_pair3 *pair, ref_exact3 *out)
{
    ref_polytope3 polytope = {0};
    ref_oracle_polytope3(pair, out, &polytope);
    ref_polytope3_free(&polytope);
}
