/* Holds an answer to the truth: value, normal, witness points and bounds within measured tolerances. */
#include "reference/tests/claim.h"

#include <criterion/criterion.h>
#include <math.h>

#include "reference/reference.h"

/* In units of eps S. Measured over 4 million pairs in 2D and 630,000 in 3D: at most
 * 3.2 and 2.9 for the value, 3.2 and 2.4 for the bounds, 3.7 and 4.3 for the distance
 * between them, 5.4 and 4.2 for the difference of the points, 2.1 and 3.5 for the gap,
 * 2.1 and 2.2 for the membership. */
static const double value_limit = CLAIM_VALUE_LIMIT, point_limit = 12, width_limit = 32;

claim claim_in_plane(const gjb_pair2 *pair, claim c)
{
    long double error;
    c.dim = 2;
    c.size = gjb_pair_size2(pair);
    c.gap = ref_gap2(pair, c.normal, &error);
    c.off_a = ref_point_distance2(pair, false, c.point_a, &error);
    c.off_b = ref_point_distance2(pair, true, c.point_b, &error);
    return c;
}

claim claim_in_space(const gjb_pair3 *pair, claim c)
{
    long double error;
    c.dim = 3;
    c.size = gjb_pair_size3(pair);
    c.gap = ref_gap3(pair, c.normal, &error);
    c.off_a = ref_point_distance3(pair, false, c.point_a, &error);
    c.off_b = ref_point_distance3(pair, true, c.point_b, &error);
    return c;
}

static double length(const double *v, int dim)
{
    double sum = 0;
    for (int m = 0; m < dim; m++)
        sum = hypot(sum, v[m]);
    return sum;
}

void claim_check(const claim *c, double lo, double hi, const char *who, int family, int index)
{
    const double unit = c->size > 0 ? 0x1p-53 * c->size : 0x1p-1074; /* two points in one place */
    double apart[3];
    for (int m = 0; m < c->dim; m++)
        apart[m] = c->point_b[m] - c->point_a[m] - c->sigma * c->normal[m];
    const struct { const char *what; double found, limit; } rows[] = {
        {"value", fmax(c->sigma - hi, lo - c->sigma) / unit, value_limit},
        {"bounds", fmax(c->lower - hi, lo - c->upper) / unit, value_limit},
        {"width of bounds", (c->upper - c->lower) / unit, width_limit},
        {"gap along the normal", (double)fabsl(c->gap - lo) / unit, value_limit},
        {"difference of points", length(apart, c->dim) / unit, point_limit},
        {"point off its shape", (double)fmaxl(c->off_a, c->off_b) / unit, value_limit},
        {"length of the normal", fabs(length(c->normal, c->dim) - 1) / 0x1p-53, 4},
    };
    cr_assert(c->lower <= c->upper, "%s, family %d, pair %d: bounds crossed", who, family, index);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        cr_assert(rows[k].found <= rows[k].limit, "%s, family %d, pair %d: %s: %g", who, family, index,
                  rows[k].what, rows[k].found);
}

void claim_expect(const claim *c, double sigma, const double *normal, double slack, const char *name,
                  const char *who)
{
    const double *n = c->normal;
    cr_expect(fabs(c->sigma - sigma) <= slack, "%s, %s: sigma %.17g", name, who, c->sigma);
    cr_expect(fabs(length(n, c->dim) - 1) <= 4 * 0x1p-53, "%s, %s: |normal| %.17g", name, who,
              length(n, c->dim));
    const int one_right = length(normal, c->dim) > 0;
    for (int k = 0; k < c->dim; k++) {
        cr_expect(!one_right || fabs(n[k] - normal[k]) <= slack, "%s, %s: normal[%d] %g", name, who, k, n[k]);
        cr_expect(fabs(c->point_b[k] - c->point_a[k] - c->sigma * n[k]) <= slack, "%s, %s: points", name, who);
    }
    cr_expect(fabsl(c->gap - sigma) <= 4e-15L * c->size, "%s, %s: gap %.17Lg", name, who, c->gap);
    cr_expect(c->off_a <= slack, "%s, %s: point a", name, who);
    cr_expect(c->off_b <= slack, "%s, %s: point b", name, who);
}
