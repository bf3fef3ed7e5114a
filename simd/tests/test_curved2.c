/* Answers of pairs with curved shapes in 2D, against very many directions in long double. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/tests/one_in.h"
#include "simd/tests/answers.h"
#include "simd/tests/dense2.h"

/* As published: of distances, and of depths. GJB_CURVED_PAIRS in the environment: pairs of each case. */
enum { K_DISTANCE = 64, K_DEPTH = 256, PAIRS = UNDER_SANITIZERS ? 8 : 30 };

typedef struct result2 {
    unsigned status;
    long double value, normal[2], a[2], b[2];
} result2;

static result2 result_at(const answers *all, gjb_precision precision, size_t pair)
{
    result2 r = {.status = answers_status(all, pair)};
    long double *to[7] = {&r.value, &r.normal[0], &r.normal[1], &r.a[0], &r.a[1], &r.b[0], &r.b[1]};
    if (all->size <= sizeof(gjb_head))
        return r;
    for (int k = 0; k < 7; k++) {
        if (precision == GJB_F32) {
            float f;
            memcpy(&f, all->results + pair * all->size + sizeof(gjb_head) + (size_t)k * sizeof f, sizeof f);
            *to[k] = (long double)f;
        } else {
            double d;
            memcpy(&d, all->results + pair * all->size + 8 + (size_t)k * sizeof d, sizeof d);
            *to[k] = (long double)d;
        }
    }
    return r;
}

static long double worst[2][GJB_STILL_QUERIES][4]; /* value, normal, points; in units of eps S */
static void note(int p, gjb_query q, int what, long double units)
{
    if (units > worst[p][q][what])
        worst[p][q][what] = units;
}

static void check_pair(const gjb_pair2 *pair, const result2 *r, gjb_precision precision, gjb_query query, long double sigma,
                       const char *what, size_t i)
{
    const gjb_pair both = {.dim = 2, .as.plane = *pair};
    const long double eps = (long double)gjb_epsilon(precision), unit = eps * (long double)gjb_pair_size(&both);
    const long double T = (query == GJB_PENETRATION || (query == GJB_SIGNED_DISTANCE && sigma < 0) ? K_DEPTH : K_DISTANCE) * unit;
    const unsigned sure = sigma > T ? GJB_SEPARATED : sigma < -T ? GJB_OVERLAPPING : r->status;
    cr_expect(r->status == sure && (sure == GJB_SEPARATED || sure == GJB_OVERLAPPING), "%s, pair %zu: status %u, sigma %La",
              what, i, r->status, sigma);
    const long double want = query == GJB_DISTANCE      ? fmaxl(sigma, 0)
                             : query == GJB_PENETRATION ? fmaxl(-sigma, 0)
                                                        : sigma;
    if (query == GJB_INTERSECT)
        return;
    note(precision, query, 0, fabsl(r->value - want) / unit);
    cr_expect(fabsl(r->value - want) <= T, "%s, pair %zu: %La instead of %La, off by %Lf units", what, i, r->value, want,
              fabsl(r->value - want) / unit);
    if ((query == GJB_DISTANCE && r->status == GJB_OVERLAPPING) ||
        (query == GJB_PENETRATION && r->status == GJB_SEPARATED))
        return;
    const long double nx = r->normal[0], ny = r->normal[1], length = sqrtl(nx * nx + ny * ny);
    const long double value = query == GJB_PENETRATION ? -r->value : r->value;
    const long double gap = length > 0 ? dense_gap(pair, nx / length, ny / length) : -INFINITY;
    const long double apart = hypotl(r->b[0] - r->a[0] - value * nx, r->b[1] - r->a[1] - value * ny);
    const long double off = fmaxl(dense_outside(pair, 0, r->a[0], r->a[1]), dense_outside(pair, 1, r->b[0], r->b[1]));
    note(precision, query, 1, (sigma - gap) / unit);
    note(precision, query, 2, apart / unit);
    note(precision, query, 3, off / unit);
    cr_expect(fabsl(length - 1) <= 4 * eps, "%s, pair %zu: a normal of length %La", what, i, length);
    cr_expect(gap >= sigma - T, "%s, pair %zu: along the normal %La, %Lf units less than sigma", what, i, gap, (sigma - gap) / unit);
    cr_expect(apart <= T, "%s, pair %zu: points differ from value times normal by %Lf units", what, i, apart / unit);
    cr_expect(off <= T, "%s, pair %zu: a point is %Lf units outside", what, i, off / unit);
}

static void check_case(const char *workload, const char *family, gjb_precision precision, size_t pairs, uint64_t seed)
{
    const gjb_recipe recipe = {
        .workload = workload, .family = family, .seed = seed, .precision = precision, .pairs = pairs};
    gjb_scene *scene = answers_scene(&recipe);
    long double *sigma = malloc(pairs * sizeof *sigma);
    gjb_pair_space space = {0};
    gjb_pair pair;
    for (int q = 0; q < GJB_STILL_QUERIES; q++) {
        answers all = answers_all(scene, NULL, (gjb_query)q);
        char what[96];
        snprintf(what, sizeof what, "%s %s %s %s", workload, family, gjb_precision_name(precision), gjb_queries[q].name);
        for (size_t i = 0; i < pairs; i++) {
            cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
            if (q == 0)
                sigma[i] = dense_sigma(&pair.as.plane);
            const result2 r = result_at(&all, precision, i);
            check_pair(&pair.as.plane, &r, precision, (gjb_query)q, sigma[i], what, i);
        }
        free(all.results);
    }
    gjb_pair_space_free(&space);
    free(sigma);
    gjb_scene_free(scene);
}

static const char *const workloads[] = {"ellipse", "rounded-ellipse", "superellipse", "rounded-superellipse", "mixed-curved"};
enum { WORKLOADS = sizeof workloads / sizeof *workloads };

static void check_family(const char *family)
{
    const char *wish = getenv("GJB_CURVED_PAIRS"), *seed = getenv("GJB_CURVED_SEED");
    const size_t pairs = wish ? (size_t)atol(wish) : PAIRS;
    for (int w = 0; w < WORKLOADS; w++)
        for (int p = 0; p < GJB_PRECISIONS; p++)
            check_case(workloads[w], family, (gjb_precision)p, pairs, seed ? (uint64_t)atol(seed) : 7);
    for (int p = 0; wish && p < GJB_PRECISIONS; p++)
        for (int q = 1; q < GJB_STILL_QUERIES; q++)
            printf("# %s %s %s: value %.2Lf, normal %.2Lf, points %.2Lf apart, %.2Lf outside\n", family,
                   gjb_precision_name((gjb_precision)p), gjb_queries[q].name, worst[p][q][0], worst[p][q][1],
                   worst[p][q][2], worst[p][q][3]);
}

#define FAMILY(name)                                                                                             \
    Test(curved2, is_right_of_##name)                                                                            \
    {                                                                                                            \
        check_family(#name);                                                                                     \
    }
FAMILY(mixed)
FAMILY(far)
FAMILY(near)
FAMILY(touching)
FAMILY(shallow)
FAMILY(deep)
FAMILY(contained)
FAMILY(needle)
FAMILY(aligned)
FAMILY(identical)

/* Polygons with more vertices than lanes take, against an ellipse: the same answer as A and as B. */
Test(curved2, take_large_polygons_on_either_side)
{
    for (int p = 0; p < GJB_PRECISIONS; p++) {
        const gjb_recipe recipe = {.workload = "polygon256", .family = "mixed", .seed = 5, .pairs = PAIRS, .precision = (gjb_precision)p};
        gjb_scene *scene = answers_scene(&recipe);
        for (uint32_t i = 0; i < PAIRS; i++) {
            const double axes[2] = {0.2 + 0.03 * i, 0.9 - 0.02 * i};
            const uint32_t shape = scene->body_shape[scene->frames[0].pairs[2 * i + 1]];
            gjb_scene_set_shape(scene, shape, GJB_ELLIPSE, scene->shapes.first[shape], 1, axes, 0);
        }
        const answers as_a = answers_all(scene, "scalar", GJB_SIGNED_DISTANCE);
        for (uint32_t i = 0; i < PAIRS; i++) {
            uint32_t *pair = &scene->frames[0].pairs[2 * i], first = pair[0];
            pair[0] = pair[1];
            pair[1] = first;
        }
        const answers as_b = answers_all(scene, "scalar", GJB_SIGNED_DISTANCE);
        for (size_t i = 0; i < PAIRS; i++) {
            const result2 a = result_at(&as_a, recipe.precision, i), b = result_at(&as_b, recipe.precision, i);
            cr_expect(a.status == b.status && (a.status == GJB_SEPARATED || a.status == GJB_OVERLAPPING) &&
                          fabsl(a.value - b.value) <= 0x1p-12L * (1 + fabsl(a.value)),
                      "pair %zu: %u %Lg as A, %u %Lg as B", i, a.status, a.value, b.status, b.value);
        }
        free(as_a.results);
        free(as_b.results);
        gjb_scene_free(scene);
    }
}
