/* Hulls against the definition in exact integers: vertices, closed faces, scale, simplification. */
#include "scenes/mesh/hull3.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/tests/samples.h"

/* Against the definition, in exact integers: a point is a vertex when no
 * segment, triangle or tetrahedron of other points holds it. */

enum { MOST = 14 };
__extension__ typedef __int128 wide;
typedef int64_t spot[3];

static wide volume6(const spot a, const spot b, const spot c, const spot d)
{
    wide u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
        w[k] = d[k] - a[k];
    }
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
}

static void normal_of(const spot a, const spot b, const spot c, spot out)
{
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
    }
}

static int is_zero(const spot v)
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

static wide inner(const spot a, const spot b)
{
    return (wide)a[0] * b[0] + (wide)a[1] * b[1] + (wide)a[2] * b[2];
}

static int in_segment(const spot p, const spot a, const spot b)
{
    spot n, pa, pb;
    normal_of(a, b, p, n);
    for (int k = 0; k < 3; k++) {
        pa[k] = a[k] - p[k];
        pb[k] = b[k] - p[k];
    }
    return is_zero(n) && inner(pa, pb) <= 0;
}

static int in_triangle(const spot p, const spot a, const spot b, const spot c)
{
    spot n, part[3];
    normal_of(a, b, c, n);
    if (is_zero(n) || volume6(a, b, c, p) != 0)
        return 0;
    normal_of(a, b, p, part[0]);
    normal_of(b, c, p, part[1]);
    normal_of(c, a, p, part[2]);
    return inner(n, part[0]) >= 0 && inner(n, part[1]) >= 0 && inner(n, part[2]) >= 0;
}

static int in_tetrahedron(const spot p, const spot a, const spot b, const spot c, const spot d)
{
    const wide whole = volume6(a, b, c, d);
    const wide parts[4] = {volume6(p, b, c, d), volume6(a, p, c, d), volume6(a, b, p, d), volume6(a, b, c, p)};
    int same = whole != 0;
    for (int k = 0; k < 4; k++)
        same &= whole > 0 ? parts[k] >= 0 : parts[k] <= 0;
    return same;
}

/* `p` distinct from all `n` others. */
static int is_extreme(const spot p, const spot *others, int n)
{
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) {
            if (in_segment(p, others[a], others[b]))
                return 0;
            for (int c = b + 1; c < n; c++) {
                if (in_triangle(p, others[a], others[b], others[c]))
                    return 0;
                for (int d = c + 1; d < n; d++)
                    if (in_tetrahedron(p, others[a], others[b], others[c], others[d]))
                        return 0;
            }
        }
    return 1;
}

static uint32_t span_of(const spot *p, int n)
{
    uint32_t dimension = 0;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n && dimension < 1; b++)
            dimension = memcmp(p[a], p[b], sizeof(spot)) != 0;
    for (int b = 0; b < n; b++)
        for (int c = 0; c < n && dimension == 1; c++) {
            spot normal;
            /* the first point that differs from p[0] gives the line */
            normal_of(p[0], p[b], p[c], normal);
            dimension += !is_zero(normal);
        }
    for (int b = 0; b < n && dimension == 2; b++)
        for (int c = 0; c < n; c++)
            for (int d = 0; d < n && dimension == 2; d++)
                dimension += volume6(p[0], p[b], p[c], p[d]) != 0;
    return dimension;
}

/* Every directed edge once, and its reverse once. */
static void check_closed(const gjb_hull3 *h, const char *name)
{
    for (uint32_t i = 0; i < 3 * h->triangle_count; i++) {
        const uint32_t from = h->triangles[i / 3][i % 3], to = h->triangles[i / 3][(i + 1) % 3];
        int same = 0, reverse = 0;
        for (uint32_t j = 0; j < 3 * h->triangle_count; j++) {
            const uint32_t a = h->triangles[j / 3][j % 3], b = h->triangles[j / 3][(j + 1) % 3];
            same += a == from && b == to;
            reverse += a == to && b == from;
        }
        /* the fan of a flat hull has its inner edges once from each side */
        const int want = h->dimension == 2 ? same : 1;
        cr_assert(same == want && reverse == want && from < h->vertex_count, "%s: edge %u-%u: %d, %d", name, from, to,
                  same, reverse);
    }
    if (h->dimension == 3)
        cr_expect_eq(h->triangle_count, 2 * h->vertex_count - 4, "%s: %u triangles of %u vertices", name,
                     h->triangle_count, h->vertex_count);
    if (h->dimension == 2)
        cr_expect_eq(h->triangle_count, 2 * h->vertex_count - 4, "%s", name);
    if (h->dimension < 2) {
        cr_expect_eq(h->triangle_count, 0, "%s", name);
        cr_expect_eq(h->vertex_count, h->dimension + 1, "%s", name);
    }
}

static void check_exact(const spot *p, int n, const char *name)
{
    double points[MOST][3];
    spot distinct[MOST], at[MOST];
    int kinds = 0, vertices = 0;
    for (int i = 0; i < n; i++) {
        int seen = 0;
        for (int k = 0; k < 3; k++)
            points[i][k] = (double)p[i][k];
        for (int j = 0; j < kinds; j++)
            seen |= memcmp(p[i], distinct[j], sizeof(spot)) == 0;
        if (!seen)
            memcpy(distinct[kinds++], p[i], sizeof(spot));
    }
    gjb_hull3 h;
    gjb_error error = {{0}};
    cr_assert_eq(gjb_hull3_make((const double(*)[3])points, (size_t)n, &h, &error), 0, "%s: %s", name, error.text);
    cr_expect_eq(h.dimension, span_of(p, n), "%s: dimension %u", name, h.dimension);
    for (uint32_t v = 0; v < h.vertex_count; v++) {
        cr_assert(h.source[v] < (uint32_t)n && (v == 0 || h.source[v] > h.source[v - 1]), "%s", name);
        cr_assert_arr_eq(h.vertices[v], points[h.source[v]], sizeof points[0]);
        for (int k = 0; k < 3; k++)
            at[v][k] = p[h.source[v]][k];
    }
    for (int i = 0; i < kinds; i++) {
        spot others[MOST];
        int count = 0, found = 0;
        for (int j = 0; j < kinds; j++)
            if (j != i)
                memcpy(others[count++], distinct[j], sizeof(spot));
        for (uint32_t v = 0; v < h.vertex_count; v++)
            found += memcmp(at[v], distinct[i], sizeof(spot)) == 0;
        const int extreme = is_extreme(distinct[i], (const spot *)others, count);
        vertices += extreme;
        cr_expect_eq(found, extreme, "%s: point %d (%ld %ld %ld): %d times", name, i, (long)distinct[i][0],
                     (long)distinct[i][1], (long)distinct[i][2], found);
    }
    cr_expect_eq((uint32_t)vertices, h.vertex_count, "%s", name);
    check_closed(&h, name);
    wide six = 0;
    for (uint32_t t = 0; t < h.triangle_count; t++) {
        spot *a = &at[h.triangles[t][0]], *b = &at[h.triangles[t][1]], *c = &at[h.triangles[t][2]];
        six += volume6(at[0], *a, *b, *c);
        for (int i = 0; i < kinds; i++)
            cr_expect(volume6(*a, *b, *c, distinct[i]) <= 0, "%s: point %d outside triangle %u", name, i, t);
    }
    cr_expect_float_eq(h.volume, (double)six / 6, 1e-12 * fabs(h.volume), "%s: volume %g", name, h.volume);
    cr_expect((h.volume > 0) == (h.dimension == 3), "%s: volume %g", name, h.volume);
    gjb_hull3_free(&h);
}

Test(hull3, against_the_definition)
{
    uint64_t state = 11;
    static const int64_t ranges[] = {2, 3, 4, 8, 100, 1 << 18};
    for (int round = 0; round < 4000; round++) {
        const int n = 1 + (int)(sample_bits(&state) % MOST);
        const int64_t range = ranges[sample_bits(&state) % 6];
        const int squash = (int)(sample_bits(&state) % 4); /* 0, 1: free; 2: on a plane; 3: on a line */
        spot p[MOST], basis[2];
        for (int k = 0; k < 6; k++)
            basis[k / 3][k % 3] = (int64_t)(sample_bits(&state) % 7) - 3;
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 3; k++)
                p[i][k] = (int64_t)(sample_bits(&state) % (uint64_t)range);
            if (squash >= 2) {
                const int64_t u = p[i][0], v = squash == 2 ? p[i][1] : 0;
                for (int k = 0; k < 3; k++)
                    p[i][k] = u * basis[0][k] + v * basis[1][k];
            }
        }
        char name[64];
        snprintf(name, sizeof name, "round %d, %d points, range %ld, squash %d", round, n, (long)range, squash);
        check_exact((const spot *)p, n, name);
    }
}

/* Coordinates of any size: the same hull, but for the power of two. */
Test(hull3, scales)
{
    const double corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    static const int exponents[] = {-1040, -300, -60, 0, 60, 300, 1000};
    for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++) {
        double points[9][3];
        for (int i = 0; i < 27; i++)
            points[i / 3][i % 3] = ldexp(i < 24 ? corner[i / 3][i % 3] : 0.5, exponents[e]);
        gjb_hull3 h;
        cr_assert_eq(gjb_hull3_make((const double(*)[3])points, 9, &h, NULL), 0);
        cr_expect(h.vertex_count == 8 && h.triangle_count == 12 && h.dimension == 3, "2^%d: %u vertices", exponents[e],
                  h.vertex_count);
        cr_expect_eq(h.volume, ldexp(1.0, 3 * exponents[e]), "2^%d: %g", exponents[e], h.volume);
        gjb_hull3_free(&h);
    }
}

static double next(uint64_t *state)
{
    return (double)(sample_bits(state) >> 11) * 0x1p-52 - 1.0;
}

/* Points on a sphere, squashed: all but `inside` of them are vertices. */
static void ball(double (*points)[3], uint32_t count, uint32_t inside, double squash, uint64_t seed)
{
    uint64_t state = seed;
    for (uint32_t i = 0; i < count; i++) {
        double v[3], length2;
        do {
            for (int d = 0; d < 3; d++)
                v[d] = next(&state);
            length2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        } while (length2 > 1 || length2 < 0.01);
        const double scale = (i < inside ? 0.5 : 1.0) / sqrt(length2);
        for (int d = 0; d < 3; d++)
            points[i][d] = v[d] * scale * (d == 2 ? squash : 1.0);
    }
}

Test(hull3, curved)
{
    enum { N = 3000, INSIDE = 500 };
    static double points[N][3];
    for (uint64_t seed = 1; seed <= 6; seed++) {
        gjb_hull3 h;
        ball(points, N, INSIDE, seed > 3 ? 0.01 : 1.0, seed);
        cr_assert_eq(gjb_hull3_make((const double(*)[3])points, N, &h, NULL), 0);
        cr_expect(h.vertex_count == N - INSIDE && h.source[0] == INSIDE, "%u vertices", h.vertex_count);
        cr_expect_eq(h.triangle_count, 2 * h.vertex_count - 4);
        gjb_hull3_free(&h);
    }
}

static double inner_real(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double to_segment(const double p[3], const double a[3], const double b[3])
{
    double ab[3], ap[3], length2 = 0;
    for (int d = 0; d < 3; d++) {
        ab[d] = b[d] - a[d];
        ap[d] = p[d] - a[d];
    }
    const double t = fmin(1, fmax(0, inner_real(ap, ab) / inner_real(ab, ab)));
    for (int d = 0; d < 3; d++)
        length2 += (ap[d] - t * ab[d]) * (ap[d] - t * ab[d]);
    return sqrt(length2);
}

/* By the projection on the plane if that is inside, else by the edges. */
static double to_triangle(const double p[3], const double a[3], const double b[3], const double c[3])
{
    const double *corner[3] = {a, b, c};
    double ab[3], ac[3], ap[3], best = INFINITY;
    for (int d = 0; d < 3; d++) {
        ab[d] = b[d] - a[d];
        ac[d] = c[d] - a[d];
        ap[d] = p[d] - a[d];
    }
    const double bb = inner_real(ab, ab), bc = inner_real(ab, ac), cc = inner_real(ac, ac);
    const double area = bb * cc - bc * bc, pb = inner_real(ap, ab), pc = inner_real(ap, ac);
    const double u = (cc * pb - bc * pc) / area, v = (bb * pc - bc * pb) / area;
    if (u >= 0 && v >= 0 && u + v <= 1) {
        best = 0;
        for (int d = 0; d < 3; d++)
            best += (ap[d] - u * ab[d] - v * ac[d]) * (ap[d] - u * ab[d] - v * ac[d]);
        best = sqrt(best);
    }
    for (int k = 0; k < 3; k++)
        best = fmin(best, to_segment(p, corner[k], corner[(k + 1) % 3]));
    return best;
}

/* Distance of a point outside: by the triangles of all triples of vertices,
 * each of which lies in the hull while some are its faces. */
static double to_hull(const double p[3], const gjb_hull3 *h)
{
    double best = INFINITY;
    for (uint32_t i = 0; i < h->vertex_count; i++)
        for (uint32_t j = i + 1; j < h->vertex_count; j++)
            for (uint32_t k = j + 1; k < h->vertex_count; k++)
                best = fmin(best, to_triangle(p, h->vertices[i], h->vertices[j], h->vertices[k]));
    return best;
}

static int is_kept(const gjb_hull3 *less, uint32_t vertex)
{
    for (uint32_t v = 0; v < less->vertex_count; v++)
        if (less->source[v] == vertex)
            return 1;
    return 0;
}

/* The deviation is the largest distance of a vertex left out; only vertices of
 * the hull are used; more vertices never deviate more. */
static void check_simplified(const gjb_hull3 *whole, const uint32_t *counts, size_t count_count)
{
    double before = INFINITY;
    for (size_t c = 0; c < count_count; c++) {
        const uint32_t wanted = counts[c] < whole->vertex_count ? counts[c] : whole->vertex_count;
        gjb_hull3 less;
        gjb_error error = {{0}};
        double deviation, most = 0;
        cr_assert_eq(gjb_hull3_simplify(whole, counts[c], &less, &deviation, &error), 0, "%s", error.text);
        cr_expect_eq(less.vertex_count, wanted, "%u: %u", counts[c], less.vertex_count);
        for (uint32_t v = 0; v < less.vertex_count; v++)
            cr_expect_arr_eq(less.vertices[v], whole->vertices[less.source[v]], sizeof less.vertices[v]);
        for (uint32_t v = 0; v < whole->vertex_count; v++)
            if (!is_kept(&less, v))
                most = fmax(most, to_hull(whole->vertices[v], &less));
        cr_expect_float_eq(deviation, most, 1e-9 * most, "%u: %g, by all triples %g", counts[c], deviation, most);
        cr_expect(deviation <= before, "%u: %g after %g", counts[c], deviation, before);
        cr_expect(less.volume <= whole->volume * (1 + 1e-12));
        before = deviation;
        gjb_hull3_free(&less);
    }
    cr_expect_eq(before, 0);
}

Test(hull3, simplified)
{
    enum { N = 90, LARGE = 290 };
    static double points[LARGE][3];
    static const uint32_t few[] = {4, 5, 6, 8, 13, 20, 45, 80, 89, 90, 4096}, many[] = {280, 285, 289, 290};
    gjb_hull3 whole;
    for (int scale = -200; scale <= 200; scale += 200) {
        ball(points, N, 0, 0.6, 77);
        for (int i = 0; i < 3 * N; i++)
            points[i / 3][i % 3] = ldexp(points[i / 3][i % 3], scale);
        cr_assert_eq(gjb_hull3_make((const double(*)[3])points, N, &whole, NULL), 0);
        check_simplified(&whole, few, sizeof few / sizeof *few);
        gjb_hull3_free(&whole);
    }
    ball(points, LARGE, 0, 0.2, 78);
    cr_assert_eq(gjb_hull3_make((const double(*)[3])points, LARGE, &whole, NULL), 0);
    check_simplified(&whole, many, sizeof many / sizeof *many);
    gjb_hull3_free(&whole);
}

Test(hull3, simplified_flat)
{
    enum { N = 64 };
    double points[N][3];
    gjb_hull3 whole, less;
    double deviation;
    for (int i = 0; i < N; i++) {
        points[i][0] = cos(i * 2 * 3.14159265358979 / N);
        points[i][1] = 3;
        points[i][2] = sin(i * 2 * 3.14159265358979 / N);
    }
    cr_assert_eq(gjb_hull3_make((const double(*)[3])points, N, &whole, NULL), 0);
    cr_expect(whole.dimension == 2 && whole.vertex_count == N && whole.volume == 0, "%u vertices", whole.vertex_count);
    cr_assert_eq(gjb_hull3_simplify(&whole, 8, &less, &deviation, NULL), 0);
    /* Greedy halving of arcs finds the regular octagon: its sagitta remains. */
    cr_expect_eq(less.vertex_count, 8);
    cr_expect_float_eq(deviation, 1 - cos(3.14159265358979 / 8), 1e-12, "%g", deviation);
    gjb_hull3_free(&less);
    gjb_hull3_free(&whole);
}

Test(hull3, refused)
{
    gjb_hull3 h;
    gjb_error error = {{0}};
    double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, INFINITY}}, deviation;
    cr_expect_neq(gjb_hull3_make((const double(*)[3])points, 4, &h, &error), 0);
    cr_expect_str_eq(error.text, "hull: points[3].z: inf, must be finite");
    error.text[0] = '\0';
    cr_expect_neq(gjb_hull3_make((const double(*)[3])points, 0, &h, &error), 0);
    cr_expect_not_null(strstr(error.text, "points: 0"), "%s", error.text);
    error.text[0] = '\0';
    points[3][2] = 1;
    gjb_hull3 whole;
    cr_assert_eq(gjb_hull3_make((const double(*)[3])points, 4, &whole, NULL), 0);
    cr_expect_neq(gjb_hull3_simplify(&whole, 3, &h, &deviation, &error), 0);
    cr_expect_not_null(strstr(error.text, "vertices: 3"), "%s", error.text);
    gjb_hull3_free(&whole);
}
