/* The truth of curved pairs: paper, twins that are polytopes or balls, other ways to the same number, and dense
 * search. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "reference/curved/curved_axis_lower.h"
#include "reference/curved/curved_cache.h"
#include "reference/curved/curved_plane.h"
#include "reference/reference.h"
#include "reference/tests/curved/curved_pairs.h"
#include "reference/tests/pairs.h"
#include "reference/tests/pairs3.h"

enum { MOST = 100000 };

typedef struct bounds {
    double lo, hi, size;
} bounds;

static bounds oracle(const gjb_pair *pair)
{
    bounds b = {.size = gjb_pair_size(pair)};
    if (pair->dim == 2) {
        ref_exact x;
        ref_oracle2(&pair->as.plane, &x);
        b.lo = x.lo;
        b.hi = x.hi;
    } else {
        ref_exact3 x;
        ref_oracle3(&pair->as.space, &x);
        b.lo = x.lo;
        b.hi = x.hi;
    }
    return b;
}

static ref_enclosure enclosed(const gjb_pair *pair, double share)
{
    ref_curved curved;
    ref_enclosure found;
    ref_curved_open(&curved, pair);
    ref_curved_enclose(&curved, share * (ref_real)gjb_pair_size(pair), MOST, true, &found);
    return found;
}

static bool meet(bounds p, bounds q)
{
    return p.lo <= q.hi && q.lo <= p.hi;
}

/* ---- twins that the exact oracle knows ---- */

static void expect_exact(const gjb_pair *pair, double *widest, int family, int index)
{
    static const double shares[] = {0x1p-53, 0x1p-24};
    const bounds exact = oracle(pair);
    for (int k = 0; k < 2; k++) {
        const ref_enclosure found = enclosed(pair, shares[k]);
        cr_assert(found.lower <= exact.hi && found.upper >= exact.lo,
                  "%uD, family %d, pair %d: [%.20Lg, %.20Lg], exact [%.17g, %.17g]", (unsigned)pair->dim, family, index,
                  found.lower, found.upper, exact.lo, exact.hi);
        const double width = (double)(found.upper - found.lower) / exact.size;
        *widest = k == 0 && exact.size > 0 ? fmax(*widest, width) : *widest;
    }
}

/* The same search and the same proof on pairs of polytopes: all that curved cores add is their support mappings. */
Test(curved, proves_of_polytopes_what_is_exact, .timeout = 120)
{
    static test_pair flat;
    static test_pair3 solid;
    double widest = 0;
    for (int family = 0; family < TEST_FAMILIES; family++) {
        for (int k = 0; k < 60; k++) {
            test_pair_make(&flat, (test_family)family, (uint64_t)k, 12);
            const gjb_pair pair = {.dim = 2, .as.plane = flat.pair};
            expect_exact(&pair, &widest, family, k);
        }
    }
    for (int family = 0; family < TEST_FAMILIES3; family++) {
        for (int k = 0; k < 40; k++) {
            test_pair3_make(&solid, (test_family3)family, (uint64_t)k, 12);
            const gjb_pair pair = {.dim = 3, .as.space = solid.pair};
            expect_exact(&pair, &widest, family, k);
        }
    }
    cr_expect(widest < 1e-12, "%g S wide", widest);
}

/* A superellipsoid with p = 1 is an octahedron. */
Test(curved, takes_octahedra_as_the_exact_oracle_does)
{
    curved_pair made, twin;
    for (int k = 0; k < 300; k++) {
        const uint32_t dim = k % 2 ? 2 : 3;
        double vertices[18] = {0}, rows[6] = {0};
        curved_pair_make(&made, dim, (curved_family)(k / 2 % CURVED_COAXIAL), (uint64_t)k);
        for (uint32_t m = 0; m < dim; m++) {
            rows[m] = made.rows[0][0][m] * (m + 1.0);
            /* Of a polygon in order: right, up, left, down. */
            vertices[dim == 2 ? m * 2 + m : 2 * m * dim + m] = rows[m];
            vertices[dim == 2 ? (m + 2) * 2 + m : (2 * m + 1) * dim + m] = -rows[m];
        }
        rows[dim] = 1;
        twin = made;
        gjb_pair *pairs[2] = {&made.pair, &twin.pair};
        const gjb_pose2d pose2 = made.pair.as.plane.a.pose;
        const gjb_pose3d pose3 = made.pair.as.space.a.pose;
        curved_pair_set(&made, 0, dim == 2 ? GJB_SUPERELLIPSE : GJB_SUPERELLIPSOID, 2, rows, 0);
        curved_pair_set(&twin, 0, dim == 2 ? GJB_POLYGON : GJB_HULL, 2 * dim, vertices, 0);
        for (int i = 0; i < 2; i++) {
            if (dim == 2) {
                pairs[i]->as.plane.a.pose = pose2;
                pairs[i]->as.plane.b.vertices = (const double(*)[2])(i ? &twin : &made)->rows[1];
            } else {
                pairs[i]->as.space.a.pose = pose3;
                pairs[i]->as.space.b.vertices = (const double(*)[3])(i ? &twin : &made)->rows[1];
            }
        }
        const bounds curved = oracle(&made.pair), straight = oracle(&twin.pair);
        cr_assert(meet(curved, straight), "pair %d: [%.17g, %.17g], [%.17g, %.17g]", k, curved.lo, curved.hi,
                  straight.lo, straight.hi);
    }
}

/* ---- paper ---- */

typedef struct half {
    gjb_kind kind;
    uint32_t count;
    double rows[6], radius, at[3], turn[4];
} half;

#define STRAIGHT {0, 0, 0, 1}
#define QUARTER_X {0.5, 0, 0, 0.5}
#define UPSIDE_DOWN {1, 0, 0, 0}
#define LEVEL {1, 0, 0, 0} /* of the plane */
#define ROOT2 1.4142135623730951
#define ROOT5 2.23606797749979

static const struct known {
    const char *name;
    uint32_t dim;
    half a, b;
    double sigma;
} paper[] = {
    {"ellipsoids in line", 3, {GJB_ELLIPSOID, 1, {3, 2, 1}, 0, {0}, STRAIGHT}, {GJB_ELLIPSOID, 1, {1, 2, 3}, 0, {6, 0, 0}, STRAIGHT}, 2},
    {"ellipsoids touching", 3, {GJB_ELLIPSOID, 1, {3, 2, 1}, 0, {0}, STRAIGHT}, {GJB_ELLIPSOID, 1, {3, 2, 1}, 0, {0, 0, -2}, STRAIGHT}, 0},
    {"the same ellipsoid", 3, {GJB_ELLIPSOID, 1, {3, 2, 1}, 0, {7, 7, 7}, {0.5, 0.5, 0.5, 0.5}}, {GJB_ELLIPSOID, 1, {3, 2, 1}, 0, {7, 7, 7}, {0.5, 0.5, 0.5, 0.5}}, -2},
    {"rounded ellipsoids", 3, {GJB_ELLIPSOID, 1, {3, 2, 1}, 0.5, {0}, STRAIGHT}, {GJB_ELLIPSOID, 1, {3, 2, 1}, 0.25, {0, 0, 4}, STRAIGHT}, 1.25},
    {"ball in a ball", 3, {GJB_ELLIPSOID, 1, {3, 3, 3}, 0, {0}, STRAIGHT}, {GJB_ELLIPSOID, 1, {1, 1, 1}, 0, {0, 1, 0}, STRAIGHT}, -3},
    {"point in an oblate ellipsoid", 3, {GJB_ELLIPSOID, 1, {2, 2, 1}, 0, {0}, STRAIGHT}, {GJB_POINT, 1, {0}, 0, {0}, STRAIGHT}, -1},
    {"point in a prolate ellipsoid", 3, {GJB_ELLIPSOID, 1, {1, 1, 2}, 0, {0}, STRAIGHT}, {GJB_POINT, 1, {0}, 0, {0}, STRAIGHT}, -1},
    {"disc and point", 3, {GJB_ELLIPSOID, 1, {2, 2, 0}, 0, {0}, STRAIGHT}, {GJB_POINT, 1, {0}, 0, {5, 0, 4}, STRAIGHT}, 5},
    {"discs in one plane", 3, {GJB_CYLINDER, 1, {2, 0}, 0, {0}, STRAIGHT}, {GJB_CYLINDER, 1, {2, 0}, 0, {1, 0, 0}, STRAIGHT}, 0},
    {"discs linked", 3, {GJB_CYLINDER, 1, {2, 0}, 0, {0}, STRAIGHT}, {GJB_CYLINDER, 1, {2, 0}, 0, {3, 0, 0}, QUARTER_X}, -1},
    {"cylinders abreast", 3, {GJB_CYLINDER, 1, {1, 2}, 0, {0}, STRAIGHT}, {GJB_CYLINDER, 1, {2, 1}, 0, {3, 4, 1}, STRAIGHT}, 2},
    {"cylinders stacked", 3, {GJB_CYLINDER, 1, {1, 2}, 0, {0}, STRAIGHT}, {GJB_CYLINDER, 1, {2, 1}, 0, {1, 1, 5}, STRAIGHT}, 2},
    {"cylinders rim to rim", 3, {GJB_CYLINDER, 1, {1, 2}, 0, {0}, STRAIGHT}, {GJB_CYLINDER, 1, {2, 1}, 0, {6, 0, 7}, STRAIGHT}, 5},
    {"cylinder in a cylinder", 3, {GJB_CYLINDER, 1, {3, 5}, 0, {0}, STRAIGHT}, {GJB_CYLINDER, 1, {1, 1}, 0, {0}, STRAIGHT}, -4},
    {"cylinder in a cylinder, off its axis", 3, {GJB_CYLINDER, 1, {3, 5}, 0, {0}, STRAIGHT}, {GJB_CYLINDER, 1, {1, 1}, 0, {0, 1, 0}, STRAIGHT}, -3},
    {"cylinders crossed", 3, {GJB_CYLINDER, 1, {1, 4}, 0, {0}, STRAIGHT}, {GJB_CYLINDER, 1, {1, 4}, 0, {5, 0, 0}, QUARTER_X}, 3},
    {"cylinders crossed, overlapping", 3, {GJB_CYLINDER, 1, {1, 4}, 0, {0}, STRAIGHT}, {GJB_CYLINDER, 1, {1, 4}, 0, {1.5, 0, 0}, QUARTER_X}, -0.5},
    {"cylinder and box", 3, {GJB_CYLINDER, 1, {1, 2}, 0, {0}, STRAIGHT}, {GJB_HULL, 4, {0}, 0, {0, 0, 7}, STRAIGHT}, 5},
    {"cone tip", 3, {GJB_CONE, 1, {1, 2}, 0, {0}, STRAIGHT}, {GJB_POINT, 1, {0}, 0, {3, 0, 6}, STRAIGHT}, 5},
    {"cones tip to tip", 3, {GJB_CONE, 1, {1, 2}, 0, {0}, STRAIGHT}, {GJB_CONE, 1, {1, 2}, 0, {0, 0, 7}, UPSIDE_DOWN}, 3},
    {"cone and its own kind on its base", 3, {GJB_CONE, 1, {1, 2}, 0, {0}, STRAIGHT}, {GJB_CONE, 1, {1, 2}, 0, {0, 0, -5}, UPSIDE_DOWN}, 1},
    {"cones side by side, one upside down", 3, {GJB_CONE, 1, {1, 2}, 0, {0}, STRAIGHT}, {GJB_CONE, 1, {1, 2}, 0, {3, 0, 0}, UPSIDE_DOWN}, 1.9402850002906638},
    {"point over a slope", 3, {GJB_CONE, 1, {1, 1}, 0, {0}, STRAIGHT}, {GJB_POINT, 1, {0}, 0, {2, 0, 1}, STRAIGHT}, 4 / ROOT5},
    {"point amid a cone", 3, {GJB_CONE, 1, {2, 2}, 0, {0}, STRAIGHT}, {GJB_POINT, 1, {0}, 0, {0, 0, 0}, STRAIGHT}, -2 / ROOT5},
    {"superellipsoids along an axis", 3, {GJB_SUPERELLIPSOID, 2, {1, 2, 3, 4}, 0, {0}, STRAIGHT}, {GJB_SUPERELLIPSOID, 2, {1, 2, 3, 1.5}, 0, {0, 0, 8}, STRAIGHT}, 2},
    {"point on a diagonal", 2, {GJB_SUPERELLIPSE, 2, {1, 1, 4}, 0, {0}, LEVEL}, {GJB_POINT, 1, {0}, 0, {2, 2}, LEVEL}, ROOT2 * (2 - 0.8408964152537145)},
    {"ellipses abreast", 2, {GJB_ELLIPSE, 1, {3, 1}, 0, {0}, LEVEL}, {GJB_ELLIPSE, 1, {2, 1}, 0.5, {0, 4}, LEVEL}, 1.5},
    {"ellipse in a circle", 2, {GJB_ELLIPSE, 1, {3, 1}, 0, {0}, LEVEL}, {GJB_ELLIPSE, 1, {4, 4}, 0, {0, 0}, LEVEL}, -5},
    {"ellipse of no width and a point", 2, {GJB_ELLIPSE, 1, {3, 0}, 0, {0}, LEVEL}, {GJB_POINT, 1, {0}, 0, {6, 4}, LEVEL}, 5},
    {"circles by powers of 2", 2, {GJB_SUPERELLIPSE, 2, {1, 1, 2}, 0, {0}, LEVEL}, {GJB_SUPERELLIPSE, 2, {2, 2, 2}, 0, {3, 4}, LEVEL}, 2},
};
enum { KNOWN = sizeof paper / sizeof *paper };

static void load(curved_pair *out, const struct known *row, double scale)
{
    const half *halves[2] = {&row->a, &row->b};
    out->pair.dim = row->dim;
    for (int side = 0; side < 2; side++) {
        const half *h = halves[side];
        double rows[12] = {0}, at[3];
        memcpy(rows, h->rows, sizeof h->rows);
        for (uint32_t k = 0; k < (h->kind == GJB_POINT ? 1 : row->dim); k++)
            rows[k] *= scale;
        for (int k = 0; k < 3; k++)
            at[k] = scale * h->at[k];
        curved_pair_set(out, side, h->kind, h->count, rows, scale * h->radius);
        curved_pair_pose(out, side, at, h->turn);
    }
}

Test(curved, agrees_with_paper)
{
    static const double scales[] = {1, 0x1p-60, 0x1p60};
    curved_pair made;
    for (int k = 0; k < KNOWN; k++) {
        for (int s = 0; s < 3; s++) {
            load(&made, &paper[k], scales[s]);
            for (int turn = 0; turn < 2; turn++) {
                const gjb_pair pair = turn ? curved_pair_swapped(&made.pair) : made.pair;
                const bounds b = oracle(&pair);
                const double sigma = paper[k].sigma * scales[s], slack = 4e-16 * b.size;
                cr_expect(b.lo <= sigma + slack && sigma - slack <= b.hi && b.hi - b.lo <= 1e-14 * b.size,
                          "%s: [%.17g, %.17g], %.17g", paper[k].name, b.lo, b.hi, sigma);
            }
        }
    }
}

/* All directions from that between the centres to that across are as good, along no body's circle: what the cap leaves
 * open is wide, and right. */
Test(curved, is_wide_and_not_wrong_where_an_arc_of_directions_ties)
{
    static const struct known row = {"discs through each other's centres", 3, {GJB_CYLINDER, 1, {2, 0}, 0, {0}, STRAIGHT},
                                     {GJB_CYLINDER, 1, {2, 0}, 0, {2, 0, 0}, QUARTER_X}, -2};
    curved_pair made;
    load(&made, &row, 1);
    const bounds b = oracle(&made.pair);
    cr_expect(b.lo <= -2 && b.hi >= -2 && b.hi - b.lo < 1e-5, "[%.17g, %.17g]", b.lo, b.hi);
}

/* ---- other ways to the same number ---- */

/* Both orders, both functions, a power of two larger, radii added, lengths a little longer. */
static void try_relations(const curved_pair *made, int family, int index, int *capped)
{
    const gjb_pair *pair = &made->pair, swapped = curved_pair_swapped(pair);
    const bounds b = oracle(pair), other = oracle(&swapped);
    const double width = (b.hi - b.lo) / b.size;
    cr_assert(meet(b, other), "%uD, family %d, pair %d: swapped", (unsigned)pair->dim, family, index);
    *capped += width > 1e-14;
    cr_assert(b.size == 0 || width <= (family == CURVED_LEANING ? 1e-7 : 1e-12), "%uD, family %d, pair %d: %g S wide",
              (unsigned)pair->dim, family, index, width);
    gjb_pair rounded = *pair;
    const double radius = 0.25 * b.size, doubt = 0x1p-51 * b.size;
    if (pair->dim == 2)
        rounded.as.plane.a.radius += radius;
    else
        rounded.as.space.a.radius += radius;
    bounds less = oracle(&rounded);
    less.lo += radius - doubt;
    less.hi += radius + doubt;
    cr_assert(meet(b, less), "%uD, family %d, pair %d: rounded", (unsigned)pair->dim, family, index);
    const ref_enclosure coarse = enclosed(pair, 0x1p-20);
    cr_assert(coarse.lower <= b.hi && coarse.upper >= b.lo, "%uD, family %d, pair %d: coarsely", (unsigned)pair->dim,
              family, index);
    cr_assert(coarse.upper - coarse.lower <= 0x1.1p-20 * b.size, "%uD, family %d, pair %d: coarsely %Lg S wide",
              (unsigned)pair->dim, family, index, (coarse.upper - coarse.lower) / b.size);
}

Test(curved, is_the_same_whichever_way, .timeout = 300)
{
    curved_pair made;
    int capped = 0;
    for (uint32_t dim = 2; dim <= 3; dim++) {
        for (int family = 0; family < CURVED_FAMILIES; family++) {
            for (int k = 0; k < (dim == 2 ? 40 : 16); k++) {
                curved_pair_make(&made, dim, (curved_family)family, (uint64_t)k);
                try_relations(&made, family, k, &capped);
            }
        }
    }
    cr_expect(capped <= 8, "%d pairs with intervals wider than 1e-14 S", capped);
}

/* The general proof where a plane or a smaller core would have done. */
Test(curved, reduces_to_what_is_proven_without)
{
    curved_pair made;
    int flattened = 0, ellipsoids = 0, others = 0;
    for (int k = 0; k < 400; k++) {
        ref_curved curved, flat;
        ref_plane plane;
        curved_pair_make(&made, 3, k % 2 ? CURVED_COAXIAL : k % 4 ? CURVED_LEANING : CURVED_PARALLEL, (uint64_t)k);
        const ref_enclosure found = enclosed(&made.pair, 0x1p-53);
        ref_curved_open(&curved, &made.pair);
        flattened += ref_curved_flatten(&curved, &flat, &plane);
        for (int side = 0; side < 2; side++) {
            ellipsoids += curved.body[side].kind == GJB_ELLIPSOID;
            others += curved.body[side].kind == GJB_SUPERELLIPSOID;
        }
        const ref_real balls = curved.body[0].ball + curved.body[1].ball, nowhere[3] = {0};
        ref_near near;
        ref_curved_nearest(&curved, nowhere, curved.body[1].offset, 0, false, &near);
        ref_real lower = near.lower, upper = near.upper;
        if (near.lower <= 0) {
            ref_depth depth = {.highest = -near.lower};
            memcpy(depth.normal, near.axis, sizeof near.axis);
            ref_curved_depth(&curved, 0x1p-12L * curved.size, MOST, &depth);
            lower = -depth.highest;
            upper = depth.lowest > 0 ? -depth.lowest : near.upper;
        }
        cr_assert(found.lower <= upper - balls + 2 * curved.error && found.upper >= lower - balls - 2 * curved.error,
                  "pair %d: [%Lg, %Lg], [%Lg, %Lg]", k, found.lower, found.upper, lower - balls, upper - balls);
    }
    cr_expect(flattened > 100 && ellipsoids > 50 && others > 50, "%d, %d, %d", flattened, ellipsoids, others);
}

/* No direction may prove more than the upper bound, and some one has to prove the lower. */
Test(curved, is_what_a_dense_search_finds)
{
    curved_pair made;
    for (int k = 0; k < 240; k++) {
        const uint32_t dim = k % 3 ? 3 : 2;
        curved_pair_make(&made, dim, (curved_family)(k % CURVED_FAMILIES), (uint64_t)(1000 + k));
        const ref_enclosure found = enclosed(&made.pair, 0x1p-53);
        gjb_random r = gjb_random_make(9, 0, (uint64_t)k);
        ref_curved curved;
        ref_curved_open(&curved, &made.pair);
        ref_real best = -HUGE_VALL, at[3] = {1, 0, 0}, step = 1;
        for (int m = 0; m < 6000; m++) {
            ref_real n[3] = {0};
            for (uint32_t c = 0; c < dim; c++)
                n[c] = (m < 3000 ? 0 : at[c]) + step * gjb_random_range(&r, -1, 1);
            if (ref_inner(n, n) == 0)
                continue;
            const ref_real gap = ref_curved_gap(&curved, n);
            cr_assert(gap <= found.upper + curved.error, "pair %d: a gap of %Lg, at most %Lg", k, gap, found.upper);
            if (gap > best) {
                best = gap;
                ref_unit(at, n);
            } else if (m > 3000) {
                step *= 0.995L;
            }
        }
        const ref_real along = ref_curved_gap(&curved, found.normal);
        cr_assert(along >= found.lower - curved.error, "pair %d: the normal proves %Lg, not %Lg", k, along, found.lower);
        cr_assert(best >= found.lower - 0.02L * curved.size, "pair %d: the search found %Lg, not %Lg", k, best, found.lower);
    }
}

/* ---- answers and certificates ---- */

Test(curved, answers_fit_together)
{
    curved_pair made;
    for (int k = 0; k < 360; k++) {
        const uint32_t dim = k % 2 ? 3 : 2;
        const int family = k / 2 % CURVED_FAMILIES;
        if (family == CURVED_LEANING)
            continue; /* an answer may be cut short there */
        curved_pair_make(&made, dim, (curved_family)family, (uint64_t)(2000 + k));
        const bounds b = oracle(&made.pair);
        const double unit = 0x1p-53 * b.size;
        double sigma, n[3] = {0}, p[2][3] = {{0}};
        if (dim == 2) {
            const ref_answer a = ref_signed_distance2(&made.pair.as.plane);
            sigma = a.sigma;
            memcpy(n, a.normal, sizeof a.normal);
            memcpy(p[0], a.point_a, sizeof a.point_a);
            memcpy(p[1], a.point_b, sizeof a.point_b);
        } else {
            const ref_answer3 a = ref_signed_distance3(&made.pair.as.space, NULL);
            sigma = a.sigma;
            memcpy(n, a.normal, sizeof n);
            memcpy(p[0], a.point_a, sizeof n);
            memcpy(p[1], a.point_b, sizeof n);
        }
        cr_assert(sigma >= b.lo - 4 * unit && sigma <= b.hi + 4 * unit, "pair %d: %.17g in [%.17g, %.17g]", k, sigma, b.lo, b.hi);
        long double error, gap, off[2];
        gap = dim == 2 ? ref_gap2(&made.pair.as.plane, n, &error) : ref_gap3(&made.pair.as.space, n, &error);
        cr_assert(gap >= b.lo - 4 * unit, "pair %d: gap %.20Lg, [%.17g, %.17g]", k, gap, b.lo, b.hi);
        for (int side = 0; side < 2; side++) {
            off[side] = dim == 2 ? ref_point_distance2(&made.pair.as.plane, side, p[side], &error)
                                 : ref_point_distance3(&made.pair.as.space, side, p[side], &error);
            cr_assert(off[side] <= 4 * unit, "pair %d: point %d off by %Lg S", k, side, off[side] / b.size);
            for (int c = 0; c < 3; c++) {
                const double apart = p[1][c] - p[0][c] - sigma * n[c];
                cr_assert(fabs(apart) <= 8 * unit, "pair %d: points apart by %g eps S more", k, apart / unit);
            }
        }
    }
}

/* GJK alone leaves radii out, and says of cores that overlap no more than that. */
Test(curved, gjk_alone_is_the_distance_of_the_cores)
{
    static const ref_answer nothing2 = {.status = GJB_OVERLAPPING};
    static const ref_answer3 nothing3 = {.status = GJB_OVERLAPPING};
    curved_pair made;
    int apart = 0, overlapping = 0;
    for (int k = 0; k < 200; k++) {
        const uint32_t dim = k % 2 ? 3 : 2;
        const int family = k / 2 % CURVED_COAXIAL;
        curved_pair_make(&made, dim, (curved_family)family, (uint64_t)(3000 + k));
        double *radius[2][2] = {{&made.pair.as.plane.a.radius, &made.pair.as.plane.b.radius},
                                {&made.pair.as.space.a.radius, &made.pair.as.space.b.radius}};
        const double unit = 0x1p-53 * gjb_pair_size(&made.pair);
        *radius[dim - 2][0] += 0.25 * gjb_pair_size(&made.pair);
        ref_answer plane = dim == 2 ? ref_gjk2(&made.pair.as.plane) : nothing2;
        ref_answer3 space = dim == 3 ? ref_gjk3(&made.pair.as.space) : nothing3;
        *radius[dim - 2][0] = *radius[dim - 2][1] = 0;
        const bounds b = oracle(&made.pair);
        const gjb_status status = dim == 2 ? plane.status : space.status;
        const double sigma = dim == 2 ? plane.sigma : space.sigma;
        if (b.hi <= -4 * unit || status == GJB_OVERLAPPING) {
            cr_assert(status == GJB_OVERLAPPING && b.lo <= 4 * unit, "pair %d: status %d, sigma %g", k, (int)status, b.lo);
            plane.iterations = space.iterations = 0;
            cr_assert(!memcmp(&plane, &nothing2, sizeof plane) && !memcmp(&space, &nothing3, sizeof space), "pair %d", k);
            overlapping++;
            continue;
        }
        cr_assert_eq(status, GJB_SEPARATED, "pair %d", k);
        cr_assert(sigma >= b.lo - 4 * unit && sigma <= b.hi + 4 * unit, "pair %d: %.17g in [%.17g, %.17g]", k, sigma, b.lo, b.hi);
        long double error;
        for (int side = 0; side < 2; side++) {
            const long double off = dim == 2 ? ref_point_distance2(&made.pair.as.plane, side, side ? plane.point_b : plane.point_a, &error)
                                             : ref_point_distance3(&made.pair.as.space, side, side ? space.point_b : space.point_a, &error);
            cr_assert(fabsl(off) <= 4 * unit, "pair %d: point %d off its core by %Lg eps S", k, side, off / unit);
        }
        apart++;
    }
    cr_assert(apart > 20 && overlapping > 20, "%d apart, %d overlapping", apart, overlapping);
}

/* Depths that all but tie around an axis: a segment that leans by little in a body all but round about it is least deep
 * along the shortest semi-axis, to which it is square. */
Test(curved, finds_the_least_deep_of_a_ring, .timeout = 120)
{
    static const double at[3] = {0, 0, 0}, turns[2][4] = {{0, 0, 0, 1}, {0.5, -0.5, 0.5, 0.5}};
    for (int k = 0; k < 12; k++) {
        const double off = ldexp(1, -16 - 2 * k), lean = 0.6 * off, rows[3] = {1, 1 + off, 1 + 0.25 * (k % 4)};
        const double ends[6] = {0, -0.25 * lean, -0.25, 0, 0.25 * lean, 0.25};
        curved_pair made = {.pair = {.dim = 3}};
        curved_pair_set(&made, 0, GJB_ELLIPSOID, 1, rows, 0);
        curved_pair_set(&made, 1, GJB_SEGMENT, 2, ends, 0);
        for (int side = 0; side < 2; side++)
            curved_pair_pose(&made, side, at, turns[k % 2]);
        const bounds b = oracle(&made.pair);
        cr_expect(b.lo >= -1 - 0x1p-52 && b.lo <= -1 && b.hi >= -1, "%d: [%.17g, %.17g]", k, b.lo, b.hi);
        cr_expect(b.hi - b.lo < 1e-13, "%d: [%.17g, %.17g]", k, b.lo, b.hi);
    }
    /* Cylinders whose axes lean by 1e-9: cells alone leave 2e-12 on the way to the crease of the longer one. */
    static const double small[6] = {0.02189973147247677, 0.0414427886083394}, large[6] = {1.450556947119402, 1.6517568271564738};
    static const double where[2][3] = {{-0.05598484431183281, 0.15808885325193672, -0.153789386434659},
                                       {-0.09909231345691816, 0.003095617577076308, -0.006349782799937796}};
    static const double turned[2][4] = {{-0.2218520928577559, 0.3360907769339127, -0.6008561685028649, -0.6905045281000332},
                                        {-0.6008561688889942, 0.6905045286772221, 0.22185209181941415, 0.33609077574315865}};
    curved_pair made = {.pair = {.dim = 3}};
    for (int side = 0; side < 2; side++) {
        curved_pair_set(&made, side, GJB_CYLINDER, 1, side ? large : small, 0);
        curved_pair_pose(&made, side, where[side], turned[side]);
    }
    const bounds b = oracle(&made.pair);
    cr_expect(b.lo >= -1.4724566567085507, "%.17g", b.lo);
}

/* What is all but round about an axis, within each other: the depth that is proven around it is none that a direction is
 * less deep than, and no more is. */
Test(curved, proves_depths_that_all_but_tie, .timeout = 120)
{
    enum { PAIRS = 60 };
    static const double here[3] = {0, 0, 0};
    int proven = 0, narrow = 0;
    for (int k = 0; k < PAIRS; k++) {
        gjb_random r = gjb_random_make(12, 0, (uint64_t)k);
        curved_pair made = {.pair = {.dim = 3}};
        for (int side = 0; side < 2; side++) {
            const ref_real off = powl(2, gjb_random_range(&r, -45, -12)), size = side ? 0.3L : 1;
            const double scale = (double)size, tall = scale * gjb_random_range(&r, 1, 2);
            const double round[6] = {scale, scale * (double)(1 + off), tall, 2 + (double)off};
            const double needle[9] = {(double)off * scale, 0, tall, 0, (double)off * scale, -tall, 0, 0, 0};
            const double lean = (double)off, length = sqrt(1 + lean * lean);
            const double turn[4] = {side ? lean / length : 0, 0, 0, side ? 1 / length : 1}, at[3] = {side ? 0.5 * lean : 0, 0, 0};
            if (side && k % 3 == 0)
                curved_pair_set(&made, side, GJB_TRIANGLE, 3, needle, 0);
            else if (!side && k % 5 == 4)
                curved_pair_set(&made, side, GJB_CONE, 1, round, 0); /* least deep across its slant */
            else
                curved_pair_set(&made, side, k % 2 ? GJB_ELLIPSOID : GJB_SUPERELLIPSOID, k % 2 ? 1 : 2, round, 0);
            curved_pair_pose(&made, side, side ? at : here, turn);
        }
        ref_curved curved;
        ref_curved_open(&curved, &made.pair);
        const bounds b = oracle(&made.pair);
        const ref_real depth = -(ref_real)b.lo, little = 0x1p-46L;
        proven += ref_curved_axis_lower(&curved, depth - little, MOST / 8) == REF_AROUND_PROVEN;
        cr_expect(ref_curved_axis_lower(&curved, depth + 2 * curved.error, MOST / 8) != REF_AROUND_PROVEN,
                  "pair %d: more than %.20Lg", k, depth);
        narrow += b.hi - b.lo < 0x1p-40;
    }
    cr_expect(proven > 0.9 * PAIRS && narrow > 0.9 * PAIRS, "%d proven, %d narrow", proven, narrow);
}

/* Any pair that overlaps, shapes of revolution or not: what is proven around an axis is none that a direction is less deep
 * than. Ties along part of an arc are proven whatever else there is: the tip of a cone on the axis of a cylinder. */
Test(curved, proves_depths_about_any_axis, .timeout = 120)
{
    enum { PAIRS = 240 };
    static const double tip[2][3] = {{0}, {0, 0, -1}}, straight[4] = {0, 0, 0, 1}, lying[4] = {0, 0.5, 0, 0.5};
    int deep = 0, proven = 0;
    for (int k = 0; k < PAIRS; k++) {
        static const gjb_kind round[3] = {GJB_CYLINDER, GJB_CONE, GJB_ELLIPSOID};
        gjb_random r = gjb_random_make(14, 0, (uint64_t)k);
        curved_pair made = {.pair = {.dim = 3}};
        for (int side = 0; side < 2; side++) {
            const double wide = gjb_random_range(&r, 0.1, 1), tall = wide * exp2(gjb_random_range(&r, -4, 2));
            const double axes[3] = {wide, k % 3 == 2 ? wide : tall, tall};
            double turn[4], at[3], square = 0;
            for (int c = 0; c < 4; c++) {
                turn[c] = gjb_random_range(&r, -1, 1);
                square += turn[c] * turn[c];
            }
            for (int c = 0; c < 4; c++)
                turn[c] = side && k % 4 ? turn[c] / sqrt(square) : straight[c];
            for (int c = 0; c < 3; c++)
                at[c] = side ? gjb_random_range(&r, -0.1, 0.1) : 0;
            curved_pair_set(&made, side, round[(k + side * (k / 3)) % 3], 1, axes, 0);
            curved_pair_pose(&made, side, at, turn);
        }
        ref_curved curved;
        ref_curved_open(&curved, &made.pair);
        const bounds b = oracle(&made.pair);
        const ref_real depth = -(ref_real)b.lo;
        if (depth < 1e-3L)
            continue;
        deep++;
        proven += ref_curved_axis_lower(&curved, depth - 0x1p-44L, MOST / 8) == REF_AROUND_PROVEN;
        cr_expect(ref_curved_axis_lower(&curved, depth + 2 * curved.error, MOST / 8) != REF_AROUND_PROVEN,
                  "pair %d: more than %.20Lg", k, depth);
    }
    cr_expect(deep > PAIRS / 2 && proven > deep / 2, "%d deep, %d proven", deep, proven);

    static const double cylinder[6] = {0.5, 1}, cone[6] = {1, 1};
    curved_pair made = {.pair = {.dim = 3}};
    curved_pair_set(&made, 0, GJB_CYLINDER, 1, cylinder, 0);
    curved_pair_pose(&made, 0, tip[0], lying);
    curved_pair_set(&made, 1, GJB_CONE, 1, cone, 0);
    curved_pair_pose(&made, 1, tip[1], straight);
    const bounds b = oracle(&made.pair);
    cr_expect(b.lo <= -0.5 && b.hi >= -0.5 && b.hi - b.lo < 1e-12, "[%.17g, %.17g]", b.lo, b.hi);
}

/* A point moved out along the normal at a support point is as far off as it was moved. */
Test(curved, knows_how_far_a_point_is_off)
{
    curved_pair made;
    for (int k = 0; k < 600; k++) {
        const uint32_t dim = k % 2 ? 3 : 2;
        curved_pair_make(&made, dim, (curved_family)(k / 2 % CURVED_COAXIAL), (uint64_t)(3000 + k));
        gjb_random r = gjb_random_make(10, 0, (uint64_t)k);
        ref_curved curved;
        ref_curved_open(&curved, &made.pair);
        ref_real n[3] = {0}, x[3], point[3];
        for (uint32_t c = 0; c < dim; c++)
            n[c] = gjb_random_range(&r, -1, 1);
        ref_unit(n, n);
        ref_solid_support(&curved.body[0], n, x);
        const ref_real moved = curved.size * powl(2, gjb_random_range(&r, -60, 2));
        for (int c = 0; c < 3; c++)
            point[c] = x[c] + (curved.body[0].ball + moved) * n[c];
        const ref_real found = ref_curved_point_distance(&curved, 0, point);
        cr_assert(fabsl(found - moved) <= 2 * curved.error + 0x1p-58L * moved, "%uD, pair %d: %Lg, not %Lg, of %Lg",
                  (unsigned)dim, k, found, moved, curved.size);
        for (int c = 0; c < 3; c++)
            point[c] = x[c] + curved.body[0].ball * n[c] - 0.25L * (x[c] - curved.body[0].offset[c]);
        if (curved.body[0].ball == 0)
            cr_assert(ref_curved_point_distance(&curved, 0, point) <= 2 * curved.error, "pair %d: inside", k);
    }
}

/* At an end of a rhombus so thin that GJK's simplex gets no hold of it. */
Test(curved, knows_how_far_a_point_is_off_a_thin_shape)
{
    static const double rows[6] = {1.4150270766009808e-12, 0.8771984872603129, 0.5, 1.0000554663160623};
    static const double turn[4] = {0.525670458734695, -0.12410140852938499, 0.36933516167729197, -0.7562148818712089}, at[3] = {0, 0, 0}, dot[3] = {0};
    curved_pair made = {.pair = {.dim = 3}};
    curved_pair_set(&made, 0, GJB_SUPERELLIPSOID, 2, rows, 0);
    curved_pair_set(&made, 1, GJB_POINT, 1, dot, 0);
    curved_pair_pose(&made, 0, at, turn);
    curved_pair_pose(&made, 1, dot, turn);
    ref_curved curved;
    ref_curved_open(&curved, &made.pair);
    const ref_real point[3] = {-9.8527173615698189812e-13L, 9.7520131688678322174e-13L, -2.8376693386795121820e-13L};
    const ref_real found = ref_curved_point_distance(&curved, 0, point);
    cr_expect(found <= 2 * curved.error, "%Lg, error %Lg", found, curved.error);
}

/* A semi-axis that is a millionth of a millionth longer shows. */
Test(curved, tells_a_length_from_the_next)
{
    curved_pair made;
    for (int k = 0; k < KNOWN; k++) {
        load(&made, &paper[k], 1);
        const bounds before = oracle(&made.pair);
        for (int m = 0; m < 3; m++)
            made.rows[0][0][m] *= 1 + 1e-12;
        const bounds after = oracle(&made.pair);
        const bool super = paper[k].a.count == 2 && paper[k].dim == 2; /* its third number is its power */
        const bool none = before.lo == 0 && before.hi == 0;
        cr_expect(super || none || !meet(before, after) || strstr(paper[k].name, "discs in one plane"), "%s", paper[k].name);
    }
}

Test(curved, refuses_what_is_no_number)
{
    curved_pair made;
    curved_pair_make(&made, 3, CURVED_PLAIN, 0);
    made.rows[0][0][0] = NAN;
    cr_expect_eq(ref_signed_distance3(&made.pair.as.space, NULL).status, GJB_INVALID_INPUT);
    curved_pair_make(&made, 2, CURVED_PLAIN, 0);
    made.pair.as.plane.b.pose.x = INFINITY;
    cr_expect_eq(ref_gjk2(&made.pair.as.plane).status, GJB_INVALID_INPUT);
}

static void expect_same_answer(const ref_answer3 *p, const ref_answer3 *q)
{
    cr_expect(p->status == q->status && p->iterations == q->iterations && p->sigma == q->sigma && p->lower == q->lower &&
              p->upper == q->upper && !memcmp(p->normal, q->normal, sizeof p->normal) &&
              !memcmp(p->point_a, q->point_a, sizeof p->point_a) && !memcmp(p->point_b, q->point_b, sizeof p->point_b));
}

/* Each answer is kept under all that the pair says and what was asked, while there is room, until it is forgotten. */
Test(curved, what_is_remembered_is_what_was_found)
{
    enum { PAIRS = 8 };
    for (uint32_t dim = 2; dim <= 3; dim++) {
        curved_pair pairs[PAIRS];
        ref_answer3 fresh[PAIRS][3];
        for (int i = 0; i < PAIRS; i++) {
            curved_pair_make(&pairs[i], dim, i % 2 ? CURVED_ROUNDED : CURVED_PLAIN, 20 + (uint64_t)i);
            for (int w = 0; w < 3; w++)
                fresh[i][w] = ref_curved_answer(&pairs[i].pair, (ref_wanted)w);
        }
        cr_expect_null(ref_cache_find(&pairs[0].pair, REF_SIGNED), "a thread that was not asked keeps nothing");
        ref_remember(3 * PAIRS);
        for (int round = 0; round < 2; round++)
            for (int i = 0; i < PAIRS; i++)
                for (int w = 0; w < 3; w++) {
                    const ref_answer3 *kept = ref_cache_find(&pairs[i].pair, (ref_wanted)w);
                    cr_expect_eq(kept != NULL, round, "%uD, pair %d, %d", (unsigned)dim, i, w);
                    const ref_answer3 again = ref_curved_answer(&pairs[i].pair, (ref_wanted)w);
                    expect_same_answer(&again, &fresh[i][w]);
                }
        const gjb_pair swapped = curved_pair_swapped(&pairs[0].pair);
        cr_expect_null(ref_cache_find(&swapped, REF_SIGNED));
        gjb_pair larger = pairs[1].pair, moved = pairs[1].pair;
        if (dim == 2)
            larger.as.plane.b.radius *= 1 + 0x1p-52, moved.as.plane.a.pose.x = nextafter(moved.as.plane.a.pose.x, 9);
        else
            larger.as.space.b.radius *= 1 + 0x1p-52, moved.as.space.a.pose.x = nextafter(moved.as.space.a.pose.x, 9);
        cr_expect_null(ref_cache_find(&larger, REF_SIGNED));
        cr_expect_null(ref_cache_find(&moved, REF_SIGNED));
        ((double *)pairs[2].rows[0])[0] *= 1 + 0x1p-52;
        cr_expect_null(ref_cache_find(&pairs[2].pair, REF_SIGNED));
        ref_remember(1);
        cr_expect_null(ref_cache_find(&pairs[0].pair, REF_SIGNED), "what was before is forgotten");
        size_t kept = 0;
        for (int i = 0; i < PAIRS; i++)
            for (int w = 0; w < 3; w++) {
                ref_curved_answer(&pairs[i].pair, (ref_wanted)w);
                kept += ref_cache_find(&pairs[i].pair, (ref_wanted)w) != NULL;
            }
        cr_expect_eq(kept, 8, "%zu", kept);
        ref_forget();
        cr_expect_null(ref_cache_find(&pairs[0].pair, REF_SIGNED));
    }
}
