/* Contact patches against an enumeration that shares nothing with them: every candidate for the nearest direction of a
 * normal cone, every triangle of vertices, every crossing of two sides, every four corners.
 *
 * Lattice pairs have small integers for coordinates, so that what is decided here in long double is exact; only
 * crossings are rounded. Of other pairs all is, and ties within `doubt` would go either way: none comes up. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "reference/patch/patch.h"
#include "reference/tests/pairs.h"
#include "reference/tests/pairs3.h"

enum { MOST = 10, ROOM = 8192 };
typedef long double real;

static const real doubt = 1e-9L;

typedef struct brute {
    uint32_t count[2], members[2];
    real at[2][MOST][3];     /* times 4, relative to A's translation */
    real flat[2][MOST][3];   /* of members: products with e, f and n */
    real n[3], e[3], f[3];
    uint32_t points;
    real point[ROOM][2];     /* of the overlap, its corners among them */
} brute;

static real inner(const real p[3], const real q[3])
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

static void cross(real out[3], const real p[3], const real q[3])
{
    for (int m = 0; m < 3; m++)
        out[m] = p[(m + 1) % 3] * q[(m + 2) % 3] - p[(m + 2) % 3] * q[(m + 1) % 3];
}

static real turn(const real p[2], const real q[2], const real r[2])
{
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

/* --- Where vertices are, in integers ------------------------------------------------------ */

static void place3(brute *b, const gjb_pair3 *pair)
{
    for (int side = 0; side < 2; side++) {
        const gjb_body3 *body = side ? &pair->b : &pair->a;
        const gjb_pose3d *q = &body->pose;
        const real x = q->qx, y = q->qy, z = q->qz, w = q->qw, s = 2 / (x * x + y * y + z * z + w * w);
        const real shift[3] = {q->x - pair->a.pose.x, q->y - pair->a.pose.y, q->z - pair->a.pose.z};
        const real turned[3][3] = {{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                                   {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                                   {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}};
        b->count[side] = body->count;
        for (uint32_t k = 0; k < body->count; k++) {
            const real v[3] = {body->vertices[k][0], body->vertices[k][1], body->vertices[k][2]};
            for (int m = 0; m < 3; m++)
                b->at[side][k][m] = 4 * (inner(turned[m], v) + shift[m]);
        }
    }
}

static void place2(brute *b, const gjb_pair2 *pair)
{
    for (int side = 0; side < 2; side++) {
        const gjb_body2 *body = side ? &pair->b : &pair->a;
        b->count[side] = body->count;
        for (uint32_t k = 0; k < body->count; k++) {
            const real x = body->vertices[k][0], y = body->vertices[k][1];
            b->at[side][k][0] = 4 * (body->pose.c * x - body->pose.s * y + (body->pose.x - pair->a.pose.x));
            b->at[side][k][1] = 4 * (body->pose.s * x + body->pose.c * y + (body->pose.y - pair->a.pose.y));
            b->at[side][k][2] = 0;
        }
    }
}

/* --- Features ------------------------------------------------------------------------------ */

/* Is r in the normal cone of the vertex, and within the angle of n? */
static bool direction_holds(const brute *b, int side, uint32_t k, const real n[3], const real r[3], real sine)
{
    real along = inner(n, r);
    if (along <= 0 || along * along < (1 - sine * sine) * inner(n, n) * inner(r, r))
        return false;
    for (uint32_t j = 0; j < b->count[side]; j++) {
        real d[3];
        for (int c = 0; c < 3; c++)
            d[c] = b->at[side][j][c] - b->at[side][k][c];
        if (inner(r, d) > 1e-14L * sqrtl(inner(r, r) * inner(d, d)))
            return false;
    }
    return true;
}

static bool is_member(const brute *b, int side, uint32_t k, real sine)
{
    real n[3], r[3], d[3], e[3], m[3];
    for (int c = 0; c < 3; c++)
        n[c] = side ? -b->n[c] : b->n[c];
    if (direction_holds(b, side, k, n, n, sine))
        return true;
    for (uint32_t i = 0; i < b->count[side]; i++) {
        for (uint32_t j = i; j < b->count[side]; j++) {
            for (int c = 0; c < 3; c++) {
                d[c] = b->at[side][i][c] - b->at[side][k][c];
                e[c] = b->at[side][j][c] - b->at[side][k][c];
            }
            cross(m, d, e);
            for (int c = 0; c < 3; c++)
                r[c] = i == j ? inner(d, d) * n[c] - inner(n, d) * d[c] : inner(n, m) * m[c];
            if (direction_holds(b, side, k, n, r, sine))
                return true;
        }
    }
    return false;
}

static void take_members(brute *b, real sine)
{
    real axis[3] = {0};
    int least = 0;
    for (int m = 0; m < 3; m++)
        least = fabsl(b->n[m]) < fabsl(b->n[least]) ? m : least;
    axis[least] = 1;
    cross(b->e, b->n, axis);
    cross(b->f, b->n, b->e);
    for (int side = 0; side < 2; side++) {
        b->members[side] = 0;
        for (uint32_t k = 0; k < b->count[side]; k++) {
            if (!is_member(b, side, k, sine))
                continue;
            real *to = b->flat[side][b->members[side]++];
            to[0] = inner(b->e, b->at[side][k]);
            to[1] = inner(b->f, b->at[side][k]);
            to[2] = inner(b->n, b->at[side][k]);
        }
    }
}

/* --- Overlap -------------------------------------------------------------------------------- */

/* Is a point in the triangle, which may be flat? `height` is then that of the triangle, the most (sign 1) or the
 * least (-1) if it stands upright. */
static bool in_triangle(const real *p, const real *q, const real *r, const real x[2], int sign, real *height)
{
    real size = turn(p, q, r), w[3] = {turn(q, r, x), turn(r, p, x), turn(p, q, x)};
    const real *corner[3] = {p, q, r};
    if (fabsl(size) > doubt) {
        for (int k = 0; k < 3; k++)
            if (w[k] / size < -doubt)
                return false;
        *height = (w[0] * p[2] + w[1] * q[2] + w[2] * r[2]) / size;
        return true;
    }
    bool found = false;
    for (int k = 0; k < 3; k++) {
        const real *a = corner[k], *b = corner[(k + 1) % 3];
        real dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
        real t = square > 0 ? (dx * (x[0] - a[0]) + dy * (x[1] - a[1])) / square : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        if (fabsl(a[0] + t * dx - x[0]) + fabsl(a[1] + t * dy - x[1]) > 1e3L * doubt)
            continue;
        real own = a[2] + t * (b[2] - a[2]);
        *height = found ? sign * fmaxl(sign * own, sign * *height) : own;
        found = true;
    }
    return found;
}

/* Is the point over the hull of the vertices, and how high is its outer side there? */
static bool over(const real (*v)[3], uint32_t count, const real x[2], int sign, real *height)
{
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i; j < count; j++) {
            for (uint32_t k = j; k < count; k++) {
                real own;
                if (!in_triangle(v[i], v[j], v[k], x, sign, &own))
                    continue;
                *height = found ? sign * fmaxl(sign * own, sign * *height) : own;
                found = true;
            }
        }
    }
    return found;
}

static bool over_both(const brute *b, const real x[2], real height[2])
{
    return over((const real(*)[3])b->flat[0], b->members[0], x, 1, &height[0]) &&
           over((const real(*)[3])b->flat[1], b->members[1], x, -1, &height[1]);
}

static void add_point(brute *b, const real x[2])
{
    real height[2];
    for (uint32_t k = 0; k < b->points; k++)
        if (b->point[k][0] == x[0] && b->point[k][1] == x[1])
            return;
    if (!over_both(b, x, height))
        return;
    cr_assert(b->points < ROOM);
    memcpy(b->point[b->points++], x, 2 * sizeof *x);
}

static void find_points(brute *b)
{
    b->points = 0;
    for (int side = 0; side < 2; side++)
        for (uint32_t k = 0; k < b->members[side]; k++)
            add_point(b, b->flat[side][k]);
    for (uint32_t i = 0; i < b->members[0]; i++)
        for (uint32_t j = 0; j < i; j++)
            for (uint32_t k = 0; k < b->members[1]; k++)
                for (uint32_t l = 0; l < k; l++) {
                    const real *p = b->flat[0][i], *q = b->flat[0][j], *r = b->flat[1][k], *s = b->flat[1][l];
                    real u = turn(r, s, p), v = turn(r, s, q), w = turn(p, q, r), z = turn(p, q, s);
                    if (u * v >= 0 || w * z >= 0)
                        continue;
                    real t = u / (u - v), x[2] = {p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])};
                    add_point(b, x);
                }
}

/* --- The patch against it ------------------------------------------------------------------- */

static void flatten(const brute *b, const ref_patch *patch, real (*out)[3])
{
    cr_assert(patch->count <= 2 * MOST);
    for (uint32_t k = 0; k < patch->count; k++) {
        const double *p = patch->corners[k].point_a;
        const real at[3] = {4 * (real)p[0], 4 * (real)p[1], 4 * (real)p[2]};
        out[k][0] = inner(b->e, at);
        out[k][1] = inner(b->f, at);
        out[k][2] = inner(b->n, at);
    }
}

/* Every corner is one of the points, and no point is outside the patch. */
static void check_overlap(const brute *b, const ref_patch *patch, const real (*corner)[3], real radius, bool lattice)
{
    real height[2], ignored, length = sqrtl(inner(b->n, b->n));
    for (uint32_t k = 0; k < patch->count; k++) {
        real nearest = INFINITY;
        for (uint32_t m = 0; m < b->points; m++)
            nearest = fminl(nearest, fabsl(b->point[m][0] - corner[k][0]) + fabsl(b->point[m][1] - corner[k][1]));
        cr_assert(nearest < 1e3L * doubt, "corner %u is off by %Lg", k, nearest);
        cr_assert(over_both(b, corner[k], height));
        cr_assert(fabsl(height[0] - corner[k][2]) < 1e3L * doubt); /* A has no radius */
        cr_assert(fabsl((height[1] - height[0]) / (4 * length) - patch->corners[k].separation - radius) < doubt);
        const real *next = corner[(k + 1) % patch->count], *last = corner[(k + 2) % patch->count];
        if (patch->count > 2) /* strictly convex, counter-clockwise */
            cr_assert(turn(corner[k], next, last) > (lattice ? doubt : -doubt));
    }
    for (uint32_t m = 0; m < b->points; m++)
        cr_assert(over(corner, patch->count, b->point[m], 1, &ignored), "point %u of %u is missing", m, b->points);
}

static real area_of(const real (*corner)[3], const uint32_t *index, uint32_t count)
{
    real area = 0;
    for (uint32_t k = 2; k < count; k++)
        area += turn(corner[index[0]], corner[index[k - 1]], corner[index[k]]);
    return area;
}

static void check_best(const ref_patch *patch, const real (*corner)[3])
{
    uint32_t all[2 * MOST], n = patch->count, i[4];
    real most = 0;
    for (uint32_t k = 0; k < n; k++)
        all[k] = k;
    cr_assert_eq(patch->best_count, n < 4 ? n : 4);
    if (n <= 4)
        return;
    for (i[0] = 0; i[0] < n; i[0]++)
        for (i[1] = i[0] + 1; i[1] < n; i[1]++)
            for (i[2] = i[1] + 1; i[2] < n; i[2]++)
                for (i[3] = i[2] + 1; i[3] < n; i[3]++) {
                    bool deep = false;
                    for (int m = 0; m < 4; m++)
                        deep = deep || patch->corners[i[m]].separation < patch->deepest + 1e-12;
                    most = deep ? fmaxl(most, area_of(corner, i, 4)) : most;
                }
    cr_assert(fabsl(area_of(corner, patch->best, 4) - most) < 1e-6L * most);
    cr_assert(fabsl(most / area_of(corner, all, n) - patch->share) < 1e-9L);
}

/* Within the margin: no corner is separated by more, none is missing that is not, and none is new to the patch. */
static void check_margin(const brute *b, const gjb_pair *pair, ref_patch_question *question, const ref_patch *whole,
                         const real (*corner)[3])
{
    real part[2 * MOST][3], ignored;
    ref_patch patch = {0};
    question->margin = whole->count > 1 ? 0.5 * (whole->corners[0].separation + whole->corners[1].separation) : 0;
    ref_patch_find(pair, question, &patch);
    flatten(b, &patch, part);
    for (uint32_t k = 0; k < patch.count; k++) {
        cr_assert(patch.corners[k].separation <= question->margin + 1e-12);
        cr_assert(over(corner, whole->count, part[k], 1, &ignored));
    }
    for (uint32_t k = 0; k < whole->count; k++)
        cr_assert(whole->corners[k].separation > question->margin - 1e-12 ||
                  over((const real(*)[3])part, patch.count, corner[k], 1, &ignored));
    ref_patch_free(&patch);
}

static bool is_zero(const double v[3])
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

/* A small integer vector. */
static void draw_normal(uint32_t dim, gjb_random *r, double normal[3])
{
    do
        for (uint32_t m = 0; m < dim; m++)
            normal[m] = gjb_random_below(r, 3) ? 0 : (int)gjb_random_below(r, 5) - 2;
    while (is_zero(normal));
}

/* The rounded normal of three vertices of A; any direction if chance has none that span a plane well. */
static void draw_face(const brute *b, gjb_random *r, double normal[3])
{
    for (int tries = 0; tries < 20; tries++) {
        const real *p[3];
        real d[2][3], n[3];
        for (int k = 0; k < 3; k++)
            p[k] = b->at[0][gjb_random_below(r, b->count[0])];
        for (int m = 0; m < 3; m++) {
            d[0][m] = p[1][m] - p[0][m];
            d[1][m] = p[2][m] - p[0][m];
        }
        cross(n, d[0], d[1]);
        real length = sqrtl(inner(n, n));
        for (int m = 0; m < 3; m++)
            normal[m] = length > 1e-3L ? (double)(n[m] / length) : gjb_random_range(r, -1, 1);
        if (length > 1e-3L)
            return;
    }
}

/* Returns how many corners the patch has. */
static uint32_t check(brute *b, const gjb_pair *pair, gjb_random *r, real radius, bool lattice)
{
    static const double sines[4] = {0, 0.25, 0.5, 0.75};
    /* A rounded normal is off the true one by more than the angle 0. */
    ref_patch_question question = {{0, 0, 0}, sines[lattice ? gjb_random_below(r, 4) : 1], INFINITY, 0, 0};
    if (lattice)
        draw_normal(pair->dim, r, question.normal);
    else
        draw_face(b, r, question.normal);
    for (int m = 0; m < 3; m++)
        b->n[m] = question.normal[m];
    take_members(b, question.sine);
    find_points(b);
    ref_patch patch = {0};
    real corner[2 * MOST][3];
    ref_patch_find(pair, &question, &patch);
    flatten(b, &patch, corner);
    check_overlap(b, &patch, (const real(*)[3])corner, radius, lattice);
    uint32_t all[2 * MOST];
    for (uint32_t k = 0; k < patch.count; k++)
        all[k] = k;
    real stretched = 2 * 16 * inner(b->e, b->e) * sqrtl(inner(b->n, b->n));
    if (patch.count > 2)
        cr_assert(fabsl(area_of((const real(*)[3])corner, all, patch.count) / stretched - patch.size) < doubt);
    check_best(&patch, (const real(*)[3])corner);
    check_margin(b, pair, &question, &patch, (const real(*)[3])corner);
    uint32_t count = patch.count;
    ref_patch_free(&patch);
    return count;
}

static void count_corners(uint32_t by_count[6], uint32_t count)
{
    by_count[count < 5 ? count : 5]++;
}

/* All sizes of patches come up. */
Test(patch_enumerated, in_space)
{
    static test_pair3 drawn;
    static brute b;
    uint32_t by_count[6] = {0};
    for (uint64_t k = 0; k < 4000; k++) {
        gjb_random r = gjb_random_make(37, 3, k);
        test_pair3_make(&drawn, SPACE_LATTICE, k, MOST);
        gjb_pair pair = {.dim = 3, .as.space = drawn.pair};
        pair.as.space.a.radius = 0;
        place3(&b, &drawn.pair);
        count_corners(by_count, check(&b, &pair, &r, pair.as.space.b.radius, true));
    }
    for (int m = 0; m < 6; m++)
        cr_assert(by_count[m] > 10, "%u patches of %d corners", by_count[m], m);
}

Test(patch_enumerated, in_the_plane)
{
    static test_pair drawn;
    static brute b;
    uint32_t by_count[6] = {0};
    for (uint64_t k = 0; k < 4000; k++) {
        gjb_random r = gjb_random_make(37, 2, k);
        test_pair_make(&drawn, DYADIC, k, 8);
        gjb_pair pair = {.dim = 2, .as.plane = drawn.pair};
        pair.as.plane.a.radius = 0;
        place2(&b, &drawn.pair);
        count_corners(by_count, check(&b, &pair, &r, pair.as.plane.b.radius, true));
    }
    for (int m = 0; m < 3; m++)
        cr_assert(by_count[m] > 100, "%u patches of %d corners", by_count[m], m);
    cr_assert(by_count[3] + by_count[4] + by_count[5] == 0);
}

Test(patch_enumerated, of_plain_hulls)
{
    static const test_family3 families[4] = {SPACE_PLAIN, SPACE_COPLANAR, SPACE_PARALLEL, SPACE_IDENTICAL};
    static test_pair3 drawn;
    static brute b;
    uint32_t by_count[6] = {0};
    for (uint64_t k = 0; k < 2000; k++) {
        gjb_random r = gjb_random_make(37, 4, k);
        test_pair3_make(&drawn, families[k % 4], k, MOST);
        for (int m = 0; m < 3; m++) { /* closer together, so that more lie over one another */
            double *at = m == 0 ? &drawn.pair.b.pose.x : m == 1 ? &drawn.pair.b.pose.y : &drawn.pair.b.pose.z;
            *at *= 0.25;
        }
        gjb_pair pair = {.dim = 3, .as.space = drawn.pair};
        pair.as.space.a.radius = 0;
        place3(&b, &drawn.pair);
        count_corners(by_count, check(&b, &pair, &r, pair.as.space.b.radius, false));
    }
    for (int m = 0; m < 6; m++)
        cr_assert(by_count[m] > 10, "%u patches of %d corners", by_count[m], m);
}
