/* The oracle in space against an enumeration that shares nothing with it: no
 * simplices, no polytope, no filters.
 *
 * Rationals first, then one common denominator. sigma of the cores is the
 * largest gap(n) / |n| over these n, each of them a lower bound, the right ones
 * among them: cross products of every two differences of vertices of one shape
 * (faces, edge against edge); differences of a vertex of B and one of A; the
 * part of these square to every difference within a shape; and, so that D may be
 * flat, those differences crossed with the axes, and the axes. */
#include <criterion/criterion.h>
#include <gmp.h>
#include <math.h>
#include <string.h>

#include "reference/oracle/exact3.h"
#include "reference/tests/pairs3.h"

enum { MOST = 8, EDGES = MOST * (MOST - 1) + 3 };

typedef struct point { mpz_t x[3]; } point;

typedef struct brute {
    uint32_t count[2];
    point at[2][MOST];
    point edge[EDGES];
    uint32_t edge_count;
    mpz_t unit;          /* world times this */
    mpz_t best, best2;   /* sign(gap) gap^2 over |n|^2 */
    bool any;
    mpz_t u, v, w, gap, n2;
    point n;
} brute;

static void point_init(point *p)
{
    mpz_inits(p->x[0], p->x[1], p->x[2], NULL);
}

static void point_clear(point *p)
{
    mpz_clears(p->x[0], p->x[1], p->x[2], NULL);
}

/* World place of a vertex in rationals. */
static void place(mpq_t out[3], const gjb_body3 *body, uint32_t k)
{
    const gjb_pose3d *pose = &body->pose;
    const double q[4] = {pose->qx, pose->qy, pose->qz, pose->qw}, t[3] = {pose->x, pose->y, pose->z};
    /* v + 2 (w (q x v) + q x (q x v)) / q.q */
    mpq_t z[4], v[3], first[3], second[3], norm, s;
    mpq_inits(norm, s, NULL);
    for (int m = 0; m < 4; m++) {
        mpq_init(z[m]);
        mpq_set_d(z[m], q[m]);
        mpq_mul(s, z[m], z[m]);
        mpq_add(norm, norm, s);
    }
    for (int m = 0; m < 3; m++) {
        mpq_inits(v[m], first[m], second[m], NULL);
        mpq_set_d(v[m], body->vertices[k][m]);
    }
    for (int round = 0; round < 2; round++) {
        for (int m = 0; m < 3; m++) {
            int a = (m + 1) % 3, b = (m + 2) % 3;
            mpq_t *to = round ? &second[m] : &first[m];
            mpq_mul(*to, z[a], round ? first[b] : v[b]);
            mpq_mul(s, z[b], round ? first[a] : v[a]);
            mpq_sub(*to, *to, s);
        }
    }
    for (int m = 0; m < 3; m++) {
        mpq_mul(first[m], first[m], z[3]);
        mpq_add(first[m], first[m], second[m]);
        mpq_add(first[m], first[m], first[m]);
        mpq_div(first[m], first[m], norm);
        mpq_add(out[m], v[m], first[m]);
        mpq_set_d(s, t[m]);
        mpq_add(out[m], out[m], s);
    }
    for (int m = 0; m < 3; m++)
        mpq_clears(v[m], first[m], second[m], NULL);
    mpq_clears(z[0], z[1], z[2], z[3], norm, s, NULL);
}

static void brute_init(brute *q, const gjb_pair3 *pair)
{
    mpq_t at[2][MOST][3];
    mpz_inits(q->unit, q->best, q->best2, q->u, q->v, q->w, q->gap, q->n2, NULL);
    point_init(&q->n);
    mpz_set_ui(q->unit, 1);
    q->any = false;
    for (int side = 0; side < 2; side++) {
        const gjb_body3 *body = side ? &pair->b : &pair->a;
        q->count[side] = body->count;
        for (uint32_t k = 0; k < body->count; k++) {
            mpq_inits(at[side][k][0], at[side][k][1], at[side][k][2], NULL);
            place(at[side][k], body, k);
            for (int m = 0; m < 3; m++)
                mpz_lcm(q->unit, q->unit, mpq_denref(at[side][k][m]));
        }
    }
    q->edge_count = 0;
    for (int side = 0; side < 2; side++) {
        for (uint32_t k = 0; k < q->count[side]; k++) {
            point *p = &q->at[side][k];
            point_init(p);
            for (int m = 0; m < 3; m++) {
                mpz_divexact(q->u, q->unit, mpq_denref(at[side][k][m]));
                mpz_mul(p->x[m], q->u, mpq_numref(at[side][k][m]));
            }
            mpq_clears(at[side][k][0], at[side][k][1], at[side][k][2], NULL);
            for (uint32_t j = 0; j < k; j++) {
                point *e = &q->edge[q->edge_count++];
                point_init(e);
                for (int m = 0; m < 3; m++)
                    mpz_sub(e->x[m], p->x[m], q->at[side][j].x[m]);
            }
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        point_init(&q->edge[q->edge_count]);
        mpz_set_ui(q->edge[q->edge_count++].x[axis], 1);
    }
}

static void brute_clear(brute *q)
{
    for (int side = 0; side < 2; side++)
        for (uint32_t k = 0; k < q->count[side]; k++)
            point_clear(&q->at[side][k]);
    for (uint32_t k = 0; k < q->edge_count; k++)
        point_clear(&q->edge[k]);
    mpz_clears(q->unit, q->best, q->best2, q->u, q->v, q->w, q->gap, q->n2, NULL);
    point_clear(&q->n);
}

static void dot(mpz_t out, const point *p, const point *n)
{
    mpz_mul(out, p->x[0], n->x[0]);
    mpz_addmul(out, p->x[1], n->x[1]);
    mpz_addmul(out, p->x[2], n->x[2]);
}

/* Tries q->n. */
static void try_normal(brute *q)
{
    dot(q->n2, &q->n, &q->n);
    if (mpz_sgn(q->n2) == 0)
        return;
    for (int side = 0; side < 2; side++) {
        for (uint32_t k = 0; k < q->count[side]; k++) {
            dot(q->v, &q->at[side][k], &q->n);
            int compared = k ? mpz_cmp(q->v, q->w) : 0;
            if (k == 0 || (side ? compared < 0 : compared > 0))
                mpz_set(q->w, q->v);
        }
        if (side == 0)
            mpz_neg(q->gap, q->w);
    }
    mpz_add(q->gap, q->gap, q->w);
    int sign = mpz_sgn(q->gap);
    mpz_mul(q->gap, q->gap, q->gap);
    if (sign < 0)
        mpz_neg(q->gap, q->gap);
    mpz_mul(q->u, q->gap, q->best2);
    mpz_mul(q->v, q->best, q->n2);
    if (!q->any || mpz_cmp(q->u, q->v) > 0) {
        mpz_set(q->best, q->gap);
        mpz_set(q->best2, q->n2);
        q->any = true;
    }
}

static void try_both(brute *q)
{
    try_normal(q);
    for (int m = 0; m < 3; m++)
        mpz_neg(q->n.x[m], q->n.x[m]);
    try_normal(q);
}

static void brute_solve(brute *q)
{
    for (uint32_t i = 0; i < q->edge_count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            for (int m = 0; m < 3; m++) {
                int a = (m + 1) % 3, b = (m + 2) % 3;
                mpz_mul(q->n.x[m], q->edge[i].x[a], q->edge[j].x[b]);
                mpz_submul(q->n.x[m], q->edge[i].x[b], q->edge[j].x[a]);
            }
            try_both(q);
        }
    }
    point w;
    point_init(&w);
    for (uint32_t k = 0; k < q->count[0] * q->count[1]; k++) {
        const point *a = &q->at[0][k / q->count[1]], *b = &q->at[1][k % q->count[1]];
        for (int m = 0; m < 3; m++) {
            mpz_sub(w.x[m], b->x[m], a->x[m]);
            mpz_set(q->n.x[m], w.x[m]);
        }
        try_both(q);
        for (uint32_t e = 0; e < q->edge_count; e++) {
            dot(q->u, &q->edge[e], &q->edge[e]);
            dot(q->v, &q->edge[e], &w);
            for (int m = 0; m < 3; m++) {
                mpz_mul(q->n.x[m], w.x[m], q->u);
                mpz_submul(q->n.x[m], q->edge[e].x[m], q->v);
            }
            try_both(q);
        }
    }
    point_clear(&w);
}

/* Sign of sigma - x: root of best over unit, less the radii. */
static int compare_sigma(brute *q, const gjb_pair3 *pair, double x)
{
    mpq_t bound, radius, best;
    mpq_inits(bound, radius, best, NULL);
    mpq_set_d(bound, x);
    mpq_set_d(radius, pair->a.radius);
    mpq_add(bound, bound, radius);
    mpq_set_d(radius, pair->b.radius);
    mpq_add(bound, bound, radius);
    int sign = mpq_sgn(bound);
    mpq_mul(bound, bound, bound);
    if (sign < 0)
        mpq_neg(bound, bound);
    mpz_set(mpq_numref(best), q->best);
    mpz_mul(mpq_denref(best), q->unit, q->unit);
    mpz_mul(mpq_denref(best), mpq_denref(best), q->best2);
    mpq_canonicalize(best);
    int compared = mpq_cmp(best, bound);
    mpq_clears(bound, radius, best, NULL);
    return (compared > 0) - (compared < 0);
}

static void check(const gjb_pair3 *pair, int family, int index)
{
    brute q;
    brute_init(&q, pair);
    brute_solve(&q);
    ref_exact3 x;
    ref_oracle3(pair, &x);
    cr_assert_eq(x.sign, compare_sigma(&q, pair, 0), "family %d, pair %d: sign", family, index);
    int lo = compare_sigma(&q, pair, x.lo), hi = compare_sigma(&q, pair, x.hi);
    cr_assert(x.lo == x.hi ? lo == 0 : lo > 0 && hi < 0 && nextafter(x.lo, x.hi) == x.hi,
              "family %d, pair %d: [%.17g, %.17g]", family, index, x.lo, x.hi);
    double size = gjb_pair_size3(pair);
    long double error, gap = ref_gap3(pair, x.normal, &error);
    cr_assert(fabsl(gap - x.lo) <= 4 * 0x1p-53 * size, "family %d, pair %d: normal, gap %Lg for %g", family, index,
              gap, x.lo);
    for (int m = 0; m < 3; m++)
        cr_assert(fabs(x.point_b[m] - x.point_a[m] - x.lo * x.normal[m]) <= 4 * 0x1p-53 * size,
                  "family %d, pair %d: points apart", family, index);
    for (int side = 0; side < 2; side++)
        cr_assert(ref_point_distance3(pair, side, side ? x.point_b : x.point_a, &error) <= 2 * 0x1p-53 * size,
                  "family %d, pair %d: point %d", family, index, side);
    brute_clear(&q);
}

Test(oracle3, agrees_with_rational_enumeration)
{
    static test_pair3 pair;
    for (int family = 0; family < TEST_FAMILIES3; family++) {
        for (int k = 0; k < 60; k++) {
            test_pair3_make(&pair, (test_family3)family, (uint64_t)k, k % 10 ? 6 : 8);
            check(&pair.pair, family, k);
        }
    }
}

/* Faces whose distances differ in the last bits alone: rounding would take the
 * wrong one. */
Test(oracle3, tells_nearly_equal_faces_apart)
{
    static test_pair3 pair;
    gjb_random r = gjb_random_make(6, 0, 0);
    for (int k = 0; k < 60; k++) {
        test_pair3_make(&pair, SPACE_PLAIN, (uint64_t)k, 3);
        double corners[8][3], dot[1][3];
        for (int m = 0; m < 3; m++) {
            double half = 1 + 0x1p-52 * gjb_random_below(&r, 4);
            dot[0][m] = 0x1p-52 * gjb_random_below(&r, 4);
            for (uint32_t c = 0; c < 8; c++)
                corners[c][m] = half * gjb_box_corner(3, c, (uint32_t)m);
        }
        test_pair3_set(&pair, 0, 8, (const double(*)[3])corners, 0, pair.pair.a.pose);
        test_pair3_set(&pair, 1, 1, (const double(*)[3])dot, 0, pair.pair.a.pose);
        check(&pair.pair, -2, k);
    }
}

/* Fibonacci numbers: s is off the plane through 0, q and the axis by one part in
 * 2^100, less than any long double tells, and to the other side for every other n. */
static uint32_t slope(int n, double hull[4][3])
{
    double f[3] = {0, 1, 1};
    for (int k = 1; k < n; k++) {
        double next = f[1] + f[2];
        f[0] = f[1];
        f[1] = f[2];
        f[2] = next;
    }
    const double rows[4][3] = {{0, 0, 0}, {f[2], f[1], 0}, {0, 0, f[1]}, {f[1], f[0], f[0]}};
    memcpy(hull, rows, sizeof rows);
    return 4;
}

Test(oracle3, tells_a_slope_that_rounding_cannot)
{
    static test_pair3 pair;
    const gjb_pose3d straight = {3, 1, 2, 0, 0, 0, 1}, turned = {3, 1, 2, 0, 0.5, 0, 0.5};
    double hull[4][3];
    for (int n = 20; n <= 75; n++) {
        uint32_t count = slope(n, hull);
        for (int k = 0; k < 12; k++) {
            const double at[1][3] = {{hull[3][0] + k % 3 - 1, hull[3][1] + (k / 3) % 2, hull[3][2] + k / 6}};
            test_pair3_set(&pair, k % 2, count, (const double(*)[3])hull, 0, n % 4 ? turned : straight);
            test_pair3_set(&pair, !(k % 2), 1, at, 0, n % 4 ? turned : straight);
            check(&pair.pair, -4, 100 * n + k);
        }
    }
}

/* The exact support itself, along the plane's normal and against it: s alone is
 * lower, or none is, by the sign of F(n)^2 - F(n-1) F(n+1) = -(-1)^n. */
Test(oracle3, support_tells_a_slope_that_rounding_cannot)
{
    static test_pair3 pair;
    double hull[4][3];
    static const double origin[1][3] = {{0, 0, 0}};
    for (int n = 20; n <= 75; n++) {
        uint32_t count = slope(n, hull);
        for (int side = 0; side < 2; side++) {
            test_pair3_set(&pair, side, count, (const double(*)[3])hull, 0, (gjb_pose3d){0, 0, 0, 0, 0, 0, 1});
            test_pair3_set(&pair, !side, 1, origin, 0, (gjb_pose3d){0, 0, 0, 0, 0, 0, 1});
            ref_grid3 grid;
            ref_vector3 normal;
            ref_place place;
            ref_place_init(&place);
            ref_place_of3(&place, &pair.pair);
            ref_grid3_open(&grid, &pair.pair, &place);
            ref_place_clear(&place);
            ref_vector3_init(&normal);
            for (int way = -1; way <= 1; way += 2) {
                mpz_set_d(normal.x[0], way * hull[1][1]);
                mpz_set_d(normal.x[1], -way * hull[1][0]);
                int height = way * (n % 2 ? 1 : -1) * (side ? 1 : -1); /* sign of n.w at s */
                for (uint32_t from = 0; from < 3; from++) {
                    ref_corner3 start = side ? (ref_corner3){0, from} : (ref_corner3){from, 0};
                    ref_corner3 lowest = ref_lowest3(&grid, &normal, start);
                    cr_assert_eq(side ? lowest.j : lowest.i, height < 0 ? 3 : from, "n %d, side %d, way %d", n, side,
                                 way);
                }
            }
            ref_vector3_clear(&normal);
            ref_grid3_close(&grid);
        }
    }
}

/* Moved to where they touch up to rounding: signs that only exactness tells. */
Test(oracle3, all_but_touching)
{
    static test_pair3 pair;
    for (int k = 0; k < 120; k++) {
        test_pair3_make(&pair, k % 2 ? SPACE_PLAIN : SPACE_SLIVER, (uint64_t)k, 6);
        pair.pair.a.radius = pair.pair.b.radius = 0;
        for (int round = 0; round < 3; round++) {
            ref_exact3 x;
            ref_oracle3(&pair.pair, &x);
            pair.pair.b.pose.x -= x.lo * x.normal[0];
            pair.pair.b.pose.y -= x.lo * x.normal[1];
            pair.pair.b.pose.z -= x.lo * x.normal[2];
        }
        check(&pair.pair, -3, k);
    }
}

Test(oracle3, scales_of_the_whole_range)
{
    static test_pair3 pair;
    static const double scales[] = {0x1p-1070, 0x1p-1000, 0x1p-600, 0x1p600, 0x1p1000};
    for (int k = 0; k < 40; k++) {
        for (int m = 0; m < 5; m++) {
            test_pair3_make(&pair, SPACE_LATTICE, (uint64_t)k, 6);
            ref_exact3 plain, scaled;
            ref_oracle3(&pair.pair, &plain);
            for (int side = 0; side < 2; side++) {
                gjb_body3 *body = side ? &pair.pair.b : &pair.pair.a;
                for (uint32_t v = 0; v < body->count; v++)
                    for (int c = 0; c < 3; c++)
                        pair.vertices[side][v][c] *= scales[m];
                body->radius *= scales[m];
                body->pose.x *= scales[m];
                body->pose.y *= scales[m];
                body->pose.z *= scales[m];
            }
            ref_oracle3(&pair.pair, &scaled);
            cr_assert_eq(plain.sign, scaled.sign);
            if (scales[m] > 0x1p-1000)
                cr_assert(plain.lo * scales[m] == scaled.lo && plain.hi * scales[m] == scaled.hi);
            ref_answer3 r = ref_signed_distance3(&pair.pair, NULL);
            cr_assert(fabs(r.sigma - scaled.lo) <= 8 * 0x1p-53 * gjb_pair_size3(&pair.pair) + 0x1p-1070,
                      "pair %d at %a: %a for %a", k, scales[m], r.sigma, scaled.lo);
        }
    }
}
