/* Checks that an outline is convex: exact turns, once around, dents no deeper than rounding makes them. */
#include "core/polygon.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/types.h"

typedef double vertex[2];

/* Cross product (b - a) x (c - a) in rationals: the sign is exact, *value is
 * rounded once. */
static int exact_cross(const vertex a, const vertex b, const vertex c, double *value)
{
    mpq_t u[2], v[2], base, product;
    mpq_inits(u[0], u[1], v[0], v[1], base, product, NULL);
    for (int i = 0; i < 2; i++) {
        mpq_set_d(base, a[i]);
        mpq_set_d(u[i], b[i]);
        mpq_set_d(v[i], c[i]);
        mpq_sub(u[i], u[i], base);
        mpq_sub(v[i], v[i], base);
    }
    mpq_mul(base, u[0], v[1]);
    mpq_mul(product, u[1], v[0]);
    mpq_sub(base, base, product);
    int sign = mpq_sgn(base);
    *value = mpq_get_d(base);
    mpq_clears(u[0], u[1], v[0], v[1], base, product, NULL);
    return (sign > 0) - (sign < 0);
}

/* Sign of the turn a, b, c: in double if its error bound decides (Shewchuk
 * 1997, orient2d's first filter), else in rationals. */
static int turn(const vertex a, const vertex b, const vertex c)
{
    const double filter = (3.0 + 16.0 * 0x1p-53) * 0x1p-53, underflow = 0x1p-960;
    double left = (a[0] - c[0]) * (b[1] - c[1]);
    double right = (a[1] - c[1]) * (b[0] - c[0]);
    double cross = left - right;
    double bound = filter * (fabs(left) + fabs(right)) + underflow;
    if (cross > bound || cross < -bound)
        return cross > 0.0 ? 1 : -1;
    return exact_cross(a, b, c, &cross);
}

static int compare(const vertex a, const vertex b)
{
    for (int i = 0; i < 2; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Directions from +x (included) counter-clockwise to -x (excluded). */
static int points_up(const vertex from, const vertex to)
{
    return to[1] > from[1] || (to[1] == from[1] && to[0] > from[0]);
}

/* Do a, b, c on one line fold back at b? */
static int folds(const vertex a, const vertex b, const vertex c)
{
    return compare(a, b) == compare(c, b);
}

typedef struct walk {
    int left, right, folds;
    int winds; /* net times that the edge direction passes +x */
} walk;

/* Walks the outline once, past repeated vertices. */
static walk walk_around(const vertex *v, uint32_t n)
{
    walk w = {0};
    uint32_t start = 0;
    while (start < n && compare(v[start], v[(start + n - 1) % n]) == 0)
        start++;
    if (start == n)
        return w; /* a single repeated point */
    uint32_t before = (start + n - 1) % n;
    for (uint32_t step = 0; step < n; step++) {
        const uint32_t at = (start + step) % n, after = (at + 1) % n;
        if (compare(v[at], v[after]) == 0)
            continue;
        const int sign = turn(v[before], v[at], v[after]);
        const int was_up = points_up(v[before], v[at]), is_up = points_up(v[at], v[after]);
        w.left += sign > 0;
        w.right += sign < 0;
        w.folds += sign == 0 && folds(v[before], v[at], v[after]);
        w.winds += sign > 0 && !was_up && is_up;
        w.winds -= sign < 0 && was_up && !is_up;
        before = at;
    }
    return w;
}

static int compare_sorted(const void *a, const void *b, void *vertices)
{
    const uint16_t i = *(const uint16_t *)a, j = *(const uint16_t *)b;
    const vertex *v = vertices;
    int order = compare(v[i], v[j]);
    return order != 0 ? order : (i > j) - (i < j);
}

/* Indices of the strict hull, counter-clockwise (monotone chain, Andrew 1979). */
static uint32_t hull_of(const vertex *v, uint32_t n, uint16_t *hull)
{
    uint16_t sorted[GJB_MAX_VERTICES];
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < n; i++)
        sorted[i] = (uint16_t)i;
    qsort_r(sorted, n, sizeof *sorted, compare_sorted, (void *)v);
    for (uint32_t i = 0; i < n; i++)
        if (distinct == 0 || compare(v[sorted[distinct - 1]], v[sorted[i]]) != 0)
            sorted[distinct++] = sorted[i];
    uint32_t size = 0;
    for (int upper = 0; upper < 2; upper++) {
        const uint32_t base = size;
        for (uint32_t k = 0; k < distinct; k++) {
            const uint16_t i = sorted[upper ? distinct - 1 - k : k];
            while (size >= base + 2 && turn(v[hull[size - 2]], v[hull[size - 1]], v[i]) <= 0)
                size--;
            hull[size++] = i;
        }
        size--; /* the last of each chain starts the next */
    }
    return size;
}

/* Distance of p to the left of the line a, b, and how far along it lies. */
static double height(const vertex a, const vertex b, const vertex p, double *along)
{
    double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy), cross;
    *along = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length;
    exact_cross(a, b, p, &cross);
    return cross / length;
}

/* Thinner than the dents that rounding may make: counts as flat. */
static int is_sliver(const vertex *v, const uint16_t *hull, uint32_t size, double tolerance)
{
    for (uint32_t k = 0; k < size; k++) {
        uint32_t i = 0;
        double along;
        while (i < size && height(v[hull[k]], v[hull[(k + 1) % size]], v[hull[i]], &along) <= tolerance)
            i++;
        if (i == size)
            return 1;
    }
    return 0;
}

/* Outlines that turn both ways: each vertex must lie within `tolerance` of
 * the hull edge that spans it, and advance along it. */
static gjb_outline follow_hull(const vertex *v, uint32_t n, double tolerance, gjb_outline_report *report)
{
    uint16_t hull[2 * GJB_MAX_VERTICES];
    const uint32_t size = hull_of(v, n, hull);
    if (is_sliver(v, hull, size, tolerance))
        return GJB_OUTLINE_FLAT;
    uint32_t descents = 0;
    for (uint32_t k = 0; k < size; k++)
        descents += hull[(k + 1) % size] < hull[k];
    if (descents != 1)
        return descents == size - 1 ? GJB_OUTLINE_CW : GJB_OUTLINE_DISORDERED;
    for (uint32_t k = 0; k < size; k++) {
        const uint32_t from = hull[k], to = hull[(k + 1) % size];
        const double length = hypot(v[to][0] - v[from][0], v[to][1] - v[from][1]);
        double reached = 0.0;
        for (uint32_t i = (from + 1) % n; i != to; i = (i + 1) % n) {
            double along, inside = height(v[from], v[to], v[i], &along);
            if (inside > tolerance || along < reached - 2.0 * tolerance || along > length + 2.0 * tolerance) {
                report->vertex = i;
                report->depth = inside;
                return GJB_OUTLINE_DENTED;
            }
            reached = along > reached ? along : reached;
        }
    }
    return GJB_OUTLINE_CCW;
}

gjb_outline gjb_outline_check(const double (*vertices)[2], uint32_t count, double epsilon,
                              gjb_outline_report *report)
{
    double v[GJB_MAX_VERTICES][2];
    double largest = 0.0;
    for (uint32_t i = 0; i < count; i++)
        largest = fmax(largest, fmax(fabs(vertices[i][0]), fabs(vertices[i][1])));
    /* Scaled into the unit square by a power of two: no overflow below. */
    int exponent;
    frexp(largest, &exponent);
    exponent = exponent < -1000 ? -1000 : exponent;
    const double scale = ldexp(1.0, -exponent);
    for (uint32_t i = 0; i < count; i++) {
        v[i][0] = vertices[i][0] * scale;
        v[i][1] = vertices[i][1] * scale;
    }
    memset(report, 0, sizeof *report);
    const walk w = walk_around((const vertex *)v, count);
    if (w.left == 0 && w.right == 0)
        return GJB_OUTLINE_FLAT;
    if ((w.left == 0 || w.right == 0) && w.folds == 0) {
        report->winds = abs(w.winds);
        return report->winds != 1 ? GJB_OUTLINE_WINDS : w.right == 0 ? GJB_OUTLINE_CCW : GJB_OUTLINE_CW;
    }
    double size = 0.0;
    for (uint32_t i = 0; i < count; i++)
        size = fmax(size, hypot(v[i][0], v[i][1]));
    const double tolerance = 4.0 * epsilon * size;
    gjb_outline outline = follow_hull((const vertex *)v, count, tolerance, report);
    if (outline == GJB_OUTLINE_CW) {
        for (uint32_t i = 1, j = count - 1; i < j; i++, j--) {
            double swap[2];
            memcpy(swap, v[i], sizeof swap);
            memcpy(v[i], v[j], sizeof swap);
            memcpy(v[j], swap, sizeof swap);
        }
        outline = follow_hull((const vertex *)v, count, tolerance, report);
        report->vertex = (count - report->vertex) % count;
        /* Clockwise in both directions: it goes around and back. */
        outline = outline == GJB_OUTLINE_CCW  ? GJB_OUTLINE_CW
                  : outline == GJB_OUTLINE_CW ? GJB_OUTLINE_DISORDERED
                                              : outline;
    }
    report->depth = ldexp(report->depth, exponent);
    return outline;
}
