/* Certificates against GMP floats of 400 bits: is the stated error honest, and
 * is it small? */
#include <criterion/criterion.h>
#include <gmp.h>
#include <math.h>

#include "reference/reference.h"
#include "reference/tests/pairs.h"

enum { BITS = 400 };

typedef struct point { mpf_t x, y; } point;

static void point_init(point *p)
{
    mpf_init2(p->x, BITS);
    mpf_init2(p->y, BITS);
}

static void point_clear(point *p)
{
    mpf_clears(p->x, p->y, NULL);
}

/* World place of a vertex of either body, relative to A's translation. */
static void place(point *out, const gjb_pair2 *pair, int side, uint32_t k, mpf_t t)
{
    const gjb_body2 *body = side ? &pair->b : &pair->a;
    const double rows[2][2] = {{body->pose.c, -body->pose.s}, {body->pose.s, body->pose.c}};
    const double shift[2][2] = {{body->pose.x, pair->a.pose.x}, {body->pose.y, pair->a.pose.y}};
    for (int m = 0; m < 2; m++) {
        mpf_t *to = m ? &out->y : &out->x;
        mpf_set_d(*to, shift[m][0]);
        mpf_set_d(t, shift[m][1]);
        mpf_sub(*to, *to, t);
        for (int d = 0; d < 2; d++) {
            mpf_t v;
            mpf_init2(v, BITS);
            mpf_set_d(v, body->vertices[k][d]);
            mpf_set_d(t, rows[m][d]);
            mpf_mul(v, v, t);
            mpf_add(*to, *to, v);
            mpf_clear(v);
        }
    }
}

static void dot(mpf_t out, const point *p, const point *q, mpf_t t)
{
    mpf_mul(out, p->x, q->x);
    mpf_mul(t, p->y, q->y);
    mpf_add(out, out, t);
}

static void set_long_double(mpf_t out, long double x, mpf_t t)
{
    mpf_set_d(out, (double)x);
    mpf_set_d(t, (double)(x - (double)x));
    mpf_add(out, out, t);
}

/* |claimed - exact| */
static double off(long double claimed, const mpf_t exact, mpf_t s, mpf_t t)
{
    set_long_double(s, claimed, t);
    mpf_sub(s, s, exact);
    return fabs(mpf_get_d(s));
}

static double check_gap(const gjb_pair2 *pair, const double n[2])
{
    point w, normal;
    mpf_t s, t, reach[2];
    point_init(&w);
    point_init(&normal);
    mpf_init2(s, BITS);
    mpf_init2(t, BITS);
    mpf_set_d(normal.x, n[0]);
    mpf_set_d(normal.y, n[1]);
    for (int side = 0; side < 2; side++) {
        mpf_init2(reach[side], BITS);
        const gjb_body2 *body = side ? &pair->b : &pair->a;
        for (uint32_t k = 0; k < body->count; k++) {
            place(&w, pair, side, k, t);
            dot(s, &w, &normal, t);
            if (k == 0 || (side ? mpf_cmp(s, reach[side]) < 0 : mpf_cmp(s, reach[side]) > 0))
                mpf_set(reach[side], s);
        }
    }
    mpf_sub(reach[1], reach[1], reach[0]);
    dot(s, &normal, &normal, t);
    mpf_sqrt(s, s);
    mpf_div(reach[1], reach[1], s);
    mpf_set_d(t, pair->a.radius);
    mpf_sub(reach[1], reach[1], t);
    mpf_set_d(t, pair->b.radius);
    mpf_sub(reach[1], reach[1], t);
    long double error, gap = ref_gap2(pair, n, &error);
    double missed = off(gap, reach[1], s, t), share = missed / (double)error;
    cr_assert(missed <= error, "gap off by %g, stated %Lg", missed, error);
    cr_assert(error <= 0x1p-6L * 0x1p-53L * gjb_pair_size2(pair), "stated error %Lg", error);
    point_clear(&w);
    point_clear(&normal);
    mpf_clears(s, t, reach[0], reach[1], NULL);
    return share;
}

/* Nearest over all segments between two vertices of the shape; inside when no
 * perpendicular of two vertices separates. No hull, no order. */
static double check_distance(const gjb_pair2 *pair, int side, const double at[2])
{
    const gjb_body2 *body = side ? &pair->b : &pair->a;
    point v[8], p, e, d, n;
    mpf_t s, t, u, least, length2;
    mpf_init2(s, BITS);
    mpf_init2(t, BITS);
    mpf_init2(u, BITS);
    mpf_init2(least, BITS);
    mpf_init2(length2, BITS);
    point_init(&p);
    point_init(&e);
    point_init(&d);
    point_init(&n);
    mpf_set_d(p.x, at[0]);
    mpf_set_d(p.y, at[1]);
    bool first = true, apart = false, flat = true;
    for (uint32_t k = 0; k < body->count; k++) {
        point_init(&v[k]);
        place(&v[k], pair, side, k, t);
    }
    for (uint32_t i = 0; i < body->count; i++) {
        for (uint32_t j = 0; j < body->count; j++) {
            mpf_sub(e.x, v[j].x, v[i].x);
            mpf_sub(e.y, v[j].y, v[i].y);
            mpf_sub(d.x, p.x, v[i].x);
            mpf_sub(d.y, p.y, v[i].y);
            dot(length2, &e, &e, t);
            dot(s, &d, &e, t);
            mpf_set_ui(u, 0);
            if (mpf_sgn(s) > 0 && mpf_cmp(s, length2) >= 0)
                mpf_set_ui(u, 1);
            else if (mpf_sgn(s) > 0)
                mpf_div(u, s, length2);
            mpf_mul(n.x, e.x, u);
            mpf_mul(n.y, e.y, u);
            mpf_sub(d.x, d.x, n.x);
            mpf_sub(d.y, d.y, n.y);
            dot(s, &d, &d, t);
            if (first || mpf_cmp(s, least) < 0) {
                mpf_set(least, s);
                first = false;
            }
            mpf_neg(n.x, e.y);
            mpf_set(n.y, e.x);
            dot(s, &n, &p, t);
            bool beyond = true;
            for (uint32_t k = 0; k < body->count; k++) {
                dot(u, &n, &v[k], t);
                beyond = beyond && mpf_cmp(s, u) > 0;
                mpf_sub(u, u, s);
                dot(d.x, &n, &v[i], t);
                dot(d.y, &n, &v[k], t);
                flat = flat && mpf_cmp(d.x, d.y) == 0;
            }
            apart = apart || beyond;
        }
    }
    if (!apart && !flat)
        mpf_set_ui(least, 0);
    mpf_sqrt(least, least);
    mpf_set_d(t, body->radius);
    mpf_sub(least, least, t);
    if (mpf_sgn(least) < 0)
        mpf_set_ui(least, 0);
    long double error, distance = ref_point_distance2(pair, side, at, &error);
    double missed = off(distance, least, s, t), share = missed / (double)error;
    cr_assert(missed <= error, "distance off by %g, stated %Lg", missed, error);
    for (uint32_t k = 0; k < body->count; k++)
        point_clear(&v[k]);
    point_clear(&p);
    point_clear(&e);
    point_clear(&d);
    point_clear(&n);
    mpf_clears(s, t, u, least, length2, NULL);
    return share;
}

Test(certificates, gap_within_stated_error)
{
    static test_pair pair;
    gjb_random r = gjb_random_make(11, 0, 0);
    double most = 0;
    for (int family = 0; family < TEST_FAMILIES; family++) {
        for (int k = 0; k < 150; k++) {
            test_pair_make(&pair, (test_family)family, (uint64_t)k, 8);
            double angle = 7 * gjb_random_unit(&r), n[2] = {3 * cos(angle), 3 * sin(angle)};
            ref_answer answer = ref_signed_distance2(&pair.pair);
            most = fmax(most, check_gap(&pair.pair, n));
            most = fmax(most, check_gap(&pair.pair, answer.normal));
        }
    }
    cr_assert(most > 0.001 && most < 0.5, "largest share of the stated error used: %g", most);
}

Test(certificates, point_distance_within_stated_error)
{
    static test_pair pair;
    gjb_random r = gjb_random_make(12, 0, 0);
    double most = 0;
    for (int family = 0; family < TEST_FAMILIES; family++) {
        for (int k = 0; k < 60; k++) {
            test_pair_make(&pair, (test_family)family, (uint64_t)k, 7);
            double size = gjb_pair_size2(&pair.pair);
            ref_answer answer = ref_signed_distance2(&pair.pair);
            const double places[4][2] = {
                {answer.point_a[0], answer.point_a[1]},
                {answer.point_b[0], answer.point_b[1]},
                {answer.point_a[0] + 1e-9 * size, answer.point_a[1]},
                {size * (gjb_random_unit(&r) - 0.5), size * (gjb_random_unit(&r) - 0.5)},
            };
            for (int m = 0; m < 8; m++)
                if ((m % 2 ? pair.pair.b.count : pair.pair.a.count) <= 8)
                    most = fmax(most, check_distance(&pair.pair, m % 2, places[m / 2]));
        }
    }
    cr_assert(most > 0.001 && most < 0.5, "largest share of the stated error used: %g", most);
}

/* No direction proves more than sigma. */
Test(certificates, gap_bounds_sigma)
{
    static test_pair pair;
    gjb_random r = gjb_random_make(13, 0, 0);
    for (int family = 0; family < TEST_FAMILIES; family++) {
        for (int k = 0; k < 200; k++) {
            test_pair_make(&pair, (test_family)family, (uint64_t)k, 8);
            ref_exact x;
            ref_oracle2(&pair.pair, &x);
            for (int m = 0; m < 20; m++) {
                double angle = 7 * gjb_random_unit(&r), n[2] = {cos(angle), sin(angle)};
                long double error, gap = ref_gap2(&pair.pair, n, &error);
                cr_assert(gap - error <= x.hi, "family %d, pair %d", family, k);
            }
        }
    }
}
