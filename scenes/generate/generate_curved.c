/* Curved shapes: drawing them at random, and their support mapping. */
#include <math.h>
#include <sleef.h>
#include <string.h>

#include "scenes/generate/generate_parts.h"
#include "scenes/generate/generate_solid.h"

/* Half of the exponents are common ones, two in eighteen all but 2 or 1, the others anything
 * from 1 to 16. */
static double draw_exponent(gjb_random *r)
{
    static const double usual[] = {1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 8.0, 16.0};
    const uint32_t many = sizeof usual / sizeof *usual, choice = gjb_random_below(r, 2 * many);
    const double any = gjb_random_octaves(r, 0, 4), little = gjb_random_octaves(r, -20, -3);
    if (choice >= many + 2)
        return any;
    return choice < many ? usual[choice] : choice == many ? 1.0 + little : any < 4.0 ? 2.0 + little : 2.0 - little;
}

/* One in 8 has all lengths equal, of three one in 8 two of them; one in 32 is flat or a needle without width. */
static void draw_lengths(gjb_random *r, uint32_t count, double size, double *lengths)
{
    const uint32_t fate = gjb_random_below(r, 32), which = gjb_random_below(r, count);
    for (uint32_t i = 0; i < count; i++)
        lengths[i] = size * gjb_random_range(r, 0.3, 1.0);
    for (uint32_t i = 0; i < count && fate >= 1 && fate <= 8; i++)
        lengths[i] = fate <= 4 || i != which ? lengths[(which + 1) % count] : lengths[i];
    if (fate == 0)
        lengths[which] = 0.0;
}

void gjb_draw_curved(gjb_random *r, gjb_kind kind, uint32_t dim, double size, double *rows)
{
    const uint32_t lengths = kind == GJB_CYLINDER || kind == GJB_CONE ? 2 : dim;
    memset(rows, 0, dim * sizeof *rows);
    draw_lengths(r, lengths, size, rows);
    if (kind == GJB_SUPERELLIPSE || kind == GJB_SUPERELLIPSOID) {
        memset(rows + dim, 0, dim * sizeof *rows);
        rows[dim] = draw_exponent(r);
    }
}

/* x^y of 0 <= x, the same bits on every machine. */
static double power(double x, double y)
{
    return Sleef_cinz_powd1_u10purec(x, y);
}

/* Of the unit ball of exponent p, along m >= 0 whose largest is 1. The ratios are those of the
 * point that has m for a normal; whatever their rounding, the last factor puts it on the surface. */
static void extreme_of_ball(uint32_t dim, double p, const double m[3], double out[3])
{
    double sum = 0.0;
    for (uint32_t i = 0; i < dim; i++) {
        out[i] = m[i] == 1.0 ? 1.0 : p == 1.0 ? 0.0 : power(m[i], 1.0 / (p - 1.0));
        sum += power(out[i], p);
    }
    const double shrink = power(sum, -1.0 / p);
    for (uint32_t i = 0; i < dim; i++)
        out[i] *= shrink;
}

void gjb_curved_support(gjb_kind kind, uint32_t dim, const double *rows, const double n[3], double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    if (kind == GJB_CYLINDER || kind == GJB_CONE) {
        const double flat = sqrt(n[0] * n[0] + n[1] * n[1]);
        const int apex = kind == GJB_CONE && 2.0 * rows[1] * n[2] >= rows[0] * flat;
        for (uint32_t i = 0; i < 2 && flat > 0.0 && !apex; i++)
            out[i] = rows[0] * (n[i] / flat);
        out[2] = kind == GJB_CONE ? (apex ? rows[1] : -rows[1]) : n[2] < 0.0 ? -rows[1] : rows[1];
        return;
    }
    double m[3] = {0.0, 0.0, 0.0}, most = 0.0;
    for (uint32_t i = 0; i < dim; i++) {
        m[i] = fabs(rows[i] * n[i]);
        most = m[i] > most ? m[i] : most;
    }
    if (!(most > 0.0))
        return; /* flat, and seen from the side: its centre is as far out as any point */
    for (uint32_t i = 0; i < dim; i++)
        m[i] /= most;
    if (kind == GJB_ELLIPSE || kind == GJB_ELLIPSOID) {
        const double length = sqrt(gjb_dot3(m, m));
        for (uint32_t i = 0; i < dim; i++)
            out[i] = m[i] / length;
    } else {
        extreme_of_ball(dim, rows[dim], m, out);
    }
    for (uint32_t i = 0; i < dim; i++)
        out[i] = n[i] < 0.0 ? -rows[i] * out[i] : rows[i] * out[i];
}

uint32_t gjb_curved_outline(gjb_kind kind, const double *rows, double (*points)[2])
{
    for (uint32_t i = 0; i < GJB_CURVED_OUTLINE; i++) {
        double n[3] = {0.0, 0.0, 0.0}, at[3];
        if (i % (GJB_CURVED_OUTLINE / 4) == 0) { /* exactly along the axes */
            const uint32_t quarter = i / (GJB_CURVED_OUTLINE / 4);
            n[quarter % 2] = quarter < 2 ? 1.0 : -1.0;
        } else {
            gjb_cos_sin((double)i / GJB_CURVED_OUTLINE, &n[0], &n[1]);
        }
        gjb_curved_support(kind, 2, rows, n, at);
        points[i][0] = at[0];
        points[i][1] = at[1];
    }
    return GJB_CURVED_OUTLINE;
}

uint32_t gjb_curved_hull(gjb_kind kind, const double *rows, double (*points)[3])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < 27; i++) {
        const double n[3] = {(double)(i % 3) - 1.0, (double)(i / 3 % 3) - 1.0, (double)(i / 9) - 1.0};
        if (i != 13)
            gjb_curved_support(kind, 3, rows, n, points[count++]);
    }
    return count;
}
