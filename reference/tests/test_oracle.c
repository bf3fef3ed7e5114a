/* The oracle against an enumeration in GMP rationals that shares nothing with
 * it: no hulls, no merge, no integers, no filters.
 *
 * sigma of the cores is the largest gap(n) / |n| over these n: both
 * perpendiculars of every two vertices of one shape, and the difference of
 * every vertex of B and every vertex of A. Each gap is a lower bound, and the
 * normals of the difference's edges and nearest vertices are among them. */
#include <criterion/criterion.h>
#include <gmp.h>
#include <math.h>

#include "reference/oracle/hull2.h"
#include "reference/reference.h"
#include "reference/tests/pairs.h"

enum { MOST = 6 };

typedef struct point { mpq_t x, y; } point;

typedef struct brute {
    uint32_t count[2];
    point at[2][MOST];
    mpq_t best;  /* sign(gap) gap^2 / |n|^2 */
    bool any;
    mpq_t u, v, w, gap, n2;
    point n;
} brute;

static void point_init(point *p)
{
    mpq_inits(p->x, p->y, NULL);
}

static void point_clear(point *p)
{
    mpq_clears(p->x, p->y, NULL);
}

static void brute_init(brute *q, const gjb_pair2 *pair)
{
    mpq_inits(q->best, q->u, q->v, q->w, q->gap, q->n2, NULL);
    point_init(&q->n);
    q->any = false;
    for (int side = 0; side < 2; side++) {
        const gjb_body2 *body = side ? &pair->b : &pair->a;
        const gjb_pose2d *pose = &body->pose;
        q->count[side] = body->count;
        for (uint32_t k = 0; k < body->count; k++) {
            point *p = &q->at[side][k];
            point_init(p);
            const double rows[2][3] = {{pose->c, -pose->s, pose->x}, {pose->s, pose->c, pose->y}};
            for (int m = 0; m < 2; m++) {
                mpq_t *out = m ? &p->y : &p->x;
                mpq_set_d(*out, rows[m][2]);
                for (int t = 0; t < 2; t++) {
                    mpq_set_d(q->u, rows[m][t]);
                    mpq_set_d(q->v, body->vertices[k][t]);
                    mpq_mul(q->u, q->u, q->v);
                    mpq_add(*out, *out, q->u);
                }
            }
        }
    }
}

static void brute_clear(brute *q)
{
    for (int side = 0; side < 2; side++)
        for (uint32_t k = 0; k < q->count[side]; k++)
            point_clear(&q->at[side][k]);
    mpq_clears(q->best, q->u, q->v, q->w, q->gap, q->n2, NULL);
    point_clear(&q->n);
}

static void dot(mpq_t out, const point *p, const point *n, mpq_t scratch)
{
    mpq_mul(out, p->x, n->x);
    mpq_mul(scratch, p->y, n->y);
    mpq_add(out, out, scratch);
}

/* Tries q->n. */
static void try_normal(brute *q)
{
    dot(q->n2, &q->n, &q->n, q->u);
    if (mpq_sgn(q->n2) == 0)
        return;
    for (int side = 0; side < 2; side++) {
        for (uint32_t k = 0; k < q->count[side]; k++) {
            dot(q->v, &q->at[side][k], &q->n, q->u);
            int compared = k ? mpq_cmp(q->v, q->w) : 0;
            if (k == 0 || (side ? compared < 0 : compared > 0))
                mpq_set(q->w, q->v);
        }
        if (side == 0)
            mpq_neg(q->gap, q->w);
    }
    mpq_add(q->gap, q->gap, q->w);
    int sign = mpq_sgn(q->gap);
    mpq_mul(q->gap, q->gap, q->gap);
    mpq_div(q->gap, q->gap, q->n2);
    if (sign < 0)
        mpq_neg(q->gap, q->gap);
    if (!q->any || mpq_cmp(q->gap, q->best) > 0) {
        mpq_set(q->best, q->gap);
        q->any = true;
    }
}

static void brute_solve(brute *q)
{
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < q->count[side]; i++) {
            for (uint32_t j = 0; j < q->count[side]; j++) {
                const point *p = &q->at[side][i], *r = &q->at[side][j];
                mpq_sub(q->n.x, p->y, r->y);
                mpq_sub(q->n.y, r->x, p->x);
                try_normal(q);
            }
        }
    }
    for (uint32_t i = 0; i < q->count[0]; i++) {
        for (uint32_t j = 0; j < q->count[1]; j++) {
            mpq_sub(q->n.x, q->at[1][j].x, q->at[0][i].x);
            mpq_sub(q->n.y, q->at[1][j].y, q->at[0][i].y);
            try_normal(q);
        }
    }
}

/* Sign of sigma - x: root of best less the radii. */
static int compare_sigma(brute *q, const gjb_pair2 *pair, double x)
{
    mpq_set_d(q->u, x);
    mpq_set_d(q->v, pair->a.radius);
    mpq_add(q->u, q->u, q->v);
    mpq_set_d(q->v, pair->b.radius);
    mpq_add(q->u, q->u, q->v);
    int sign = mpq_sgn(q->u);
    mpq_mul(q->u, q->u, q->u);
    if (sign < 0)
        mpq_neg(q->u, q->u);
    int compared = mpq_cmp(q->best, q->u);
    return (compared > 0) - (compared < 0);
}

static void check(const gjb_pair2 *pair, int family, int index)
{
    brute q;
    brute_init(&q, pair);
    brute_solve(&q);
    ref_exact x;
    ref_oracle2(pair, &x);
    cr_assert_eq(x.sign, compare_sigma(&q, pair, 0), "family %d, pair %d: sign", family, index);
    int lo = compare_sigma(&q, pair, x.lo), hi = compare_sigma(&q, pair, x.hi);
    cr_assert(x.lo == x.hi ? lo == 0 : lo > 0 && hi < 0 && nextafter(x.lo, x.hi) == x.hi,
              "family %d, pair %d: [%.17g, %.17g]", family, index, x.lo, x.hi);
    double size = gjb_pair_size2(pair);
    long double error, gap = ref_gap2(pair, x.normal, &error);
    cr_assert(fabsl(gap - x.lo) <= 4 * 0x1p-53 * size, "family %d, pair %d: normal", family, index);
    for (int side = 0; side < 2; side++) {
        const double *point = side ? x.point_b : x.point_a;
        cr_assert(ref_point_distance2(pair, side, point, &error) <= 2 * 0x1p-53 * size,
                  "family %d, pair %d: point %d", family, index, side);
        cr_assert(fabs(x.point_b[side] - x.point_a[side] - x.lo * x.normal[side]) <= 4 * 0x1p-53 * size,
                  "family %d, pair %d: points apart", family, index);
    }
    brute_clear(&q);
}

Test(oracle, agrees_with_rational_enumeration)
{
    static test_pair pair;
    for (int family = 0; family < TEST_FAMILIES; family++) {
        for (int k = 0; k < 40; k++) {
            test_pair_make(&pair, (test_family)family, (uint64_t)k, family == DYADIC ? 4 : 5);
            if (pair.pair.a.count <= MOST && pair.pair.b.count <= MOST)
                check(&pair.pair, family, k);
        }
    }
}

/* Faces whose distances differ in the last bits alone: rounding would take the
 * wrong one. */
Test(oracle, tells_nearly_equal_faces_apart)
{
    static test_pair pair;
    gjb_random r = gjb_random_make(6, 0, 0);
    for (int k = 0; k < 60; k++) {
        test_pair_make(&pair, PLAIN, (uint64_t)k, 3);
        double x = 1 + 0x1p-52 * gjb_random_below(&r, 4), y = 1 + 0x1p-52 * gjb_random_below(&r, 4);
        double u = 0x1p-52 * gjb_random_below(&r, 4), v = 0x1p-52 * gjb_random_below(&r, 4);
        const double box[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}}, dot[1][2] = {{u, v}};
        test_pair_set(&pair, 0, GJB_POLYGON, 4, box, 0, pair.pair.a.pose);
        test_pair_set(&pair, 1, GJB_POINT, 1, dot, 0, pair.pair.a.pose);
        check(&pair.pair, -2, k);
    }
}

Test(oracle, any_order_of_vertices_means_their_hull)
{
    static test_pair pair;
    gjb_random r = gjb_random_make(5, 0, 0);
    for (int k = 0; k < 60; k++) {
        test_pair_make(&pair, PLAIN, (uint64_t)k, 3);
        for (int side = 0; side < 2; side++) {
            double v[MOST][2];
            for (int m = 0; m < MOST; m++) {
                v[m][0] = k % 2 ? gjb_random_below(&r, 4) : gjb_random_unit(&r);
                v[m][1] = k % 2 ? gjb_random_below(&r, 4) : gjb_random_unit(&r);
            }
            gjb_body2 *body = side ? &pair.pair.b : &pair.pair.a;
            test_pair_set(&pair, side, GJB_POLYGON, MOST, (const double (*)[2])v, body->radius, body->pose);
        }
        check(&pair.pair, -1, k);
    }
}

Test(oracle, scales_of_the_whole_range)
{
    static test_pair pair;
    static const double scales[] = {0x1p-1070, 0x1p-1000, 0x1p-600, 0x1p600, 0x1p1000};
    for (int k = 0; k < 40; k++) {
        for (int m = 0; m < 5; m++) {
            test_pair_make(&pair, DYADIC, (uint64_t)k, 1);
            ref_exact plain, scaled;
            ref_oracle2(&pair.pair, &plain);
            for (int side = 0; side < 2; side++) {
                gjb_body2 *body = side ? &pair.pair.b : &pair.pair.a;
                for (uint32_t v = 0; v < body->count; v++) {
                    pair.vertices[side][v][0] *= scales[m];
                    pair.vertices[side][v][1] *= scales[m];
                }
                body->radius *= scales[m];
                body->pose.x *= scales[m];
                body->pose.y *= scales[m];
            }
            ref_oracle2(&pair.pair, &scaled);
            cr_assert_eq(plain.sign, scaled.sign);
            if (scales[m] > 0x1p-1000)
                cr_assert(plain.lo * scales[m] == scaled.lo && plain.hi * scales[m] == scaled.hi);
            ref_answer r = ref_signed_distance2(&pair.pair);
            cr_assert(fabs(r.sigma - scaled.lo) <= 8 * 0x1p-53 * gjb_pair_size2(&pair.pair) + 0x1p-1070,
                      "pair %d at %a: %a for %a", k, scales[m], r.sigma, scaled.lo);
        }
    }
}

Test(oracle, hull_drops_what_is_not_extreme)
{
    static const double v[][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 0}, {2, 2}, {1, 1}, {0, 2}, {0, 1}, {0, 0}};
    static const double line[][2] = {{1, 1}, {3, 3}, {0, 0}, {2, 2}};
    uint32_t hull[9];
    cr_assert_eq(ref_hull2(v, 9, hull), 4u);
    cr_assert_eq(ref_hull2(line, 4, hull), 2u);
    cr_assert(hull[0] == 2 && hull[1] == 1);
    cr_assert_eq(ref_hull2(v, 1, hull), 1u);
    /* One unit in the last place off a straight line. */
    const double p[2] = {0, 0}, q[2] = {0x1p-30, 0x1p-30}, r[2] = {1, 1}, s[2] = {1, 1 + 0x1p-52};
    cr_assert_eq(ref_turn2(p, q, r), 0);
    cr_assert_eq(ref_turn2(p, q, s), 1);
    cr_assert_eq(ref_turn2(s, q, p), -1);
    /* Twice around is no convex polygon, though every turn is to the left. */
    const double star[5][2] = {{1, 0}, {-0.8, 0.6}, {0.3, -0.95}, {0.3, 0.95}, {-0.8, -0.6}};
    cr_assert_eq(ref_hull2(star, 5, hull), 5u);
    for (int k = 0; k < 5; k++)
        cr_assert_eq(ref_turn2(star[hull[k]], star[hull[(k + 1) % 5]], star[hull[(k + 2) % 5]]), 1);
    cr_assert(hull[0] != 0 || hull[1] != 1);
}
