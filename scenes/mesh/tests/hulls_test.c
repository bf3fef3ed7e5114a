/* Shipped hulls, pairs that meet at a gap or depth, and workloads of real hulls. */
#include "scenes/mesh/hulls.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/generate/generate.h"
#include "scenes/generate/tests/brute_force.h"
#include "scenes/scene_private.h"
#include "scenes/tests/samples.h"

static double number(const gjb_shapes *shapes, uint32_t shape, uint32_t i)
{
    return gjb_scalar_load(shapes->rows, shapes->precision, 3 * (uint64_t)shapes->first[shape] + i);
}

/* Every shipped hull has a volume, and every vertex is one of its hull's. */
Test(hulls, shipped)
{
    const gjb_shapes *shapes = gjb_hulls_shipped();
    uint32_t least = UINT32_MAX, most = 0;
    cr_assert_not_null(shapes);
    cr_assert(shapes->dim == 3 && shapes->precision == GJB_F32 && shapes->count == 52, "%u hulls", shapes->count);
    for (uint32_t s = 0; s < shapes->count; s++) {
        const uint32_t n = shapes->row_count[s];
        double(*points)[3] = malloc(n * sizeof *points);
        for (uint32_t i = 0; i < 3 * n; i++)
            points[i / 3][i % 3] = number(shapes, s, i);
        gjb_hull3 hull;
        cr_assert_eq(gjb_hull3_make((const double(*)[3])points, n, &hull, NULL), 0);
        cr_expect_eq(hull.dimension, 3, "shape %u", s);
        cr_expect_eq(hull.vertex_count, n, "shape %u: %u of %u are vertices", s, hull.vertex_count, n);
        least = n < least ? n : least;
        most = n > most ? n : most;
        gjb_hull3_free(&hull);
        free(points);
    }
    cr_expect(least == 4 && most == 2562, "%u to %u", least, most);
}

static gjb_hull3 hull_of(const double (*points)[3], size_t count)
{
    gjb_hull3 hull;
    cr_assert_eq(gjb_hull3_make(points, count, &hull, NULL), 0);
    return hull;
}

/* A box, a tetrahedron, a square, a triangle, a segment, a point; off centre. */
static void some_hulls(gjb_hull3 *hulls)
{
    static const struct {
        size_t count;
        double v[8][3];
    } some[] = {
        {8, {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 0}, {0, 0, 1}, {2, 0, 1}, {2, 3, 1}, {0, 3, 1}}},
        {4, {{5, 5, 5}, {6, 5, 5}, {5, 7, 5}, {5, 5, 8}}},
        {4, {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}},
        {3, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0.5}}},
        {2, {{-1, -2, 0}, {1, 2, 3}}},
        {1, {{1, 2, 3}}},
    };
    for (size_t i = 0; i < 6; i++)
        hulls[i] = hull_of(some[i].v, some[i].count);
}

/* Apart by the gap exactly; overlapping, and by no more; by brute force. */
static void check_meetings(const gjb_hull3 *hulls, uint32_t count, gjb_precision precision, double gap)
{
    gjb_meeting meeting = {.gap = gap, .seed = 3};
    const double slack = precision == GJB_F32 ? 1e-5 : 1e-13;
    gjb_error error = {{0}};
    gjb_scene *scene = gjb_hulls_meet(hulls, count, precision, &meeting, &error);
    cr_assert_not_null(scene, "%s", error.text);
    cr_expect_eq(scene->frames[0].pair_count, count * (count + 1) / 2 * (gap == 0 ? 2 : 1));
    gjb_pair_space space = {0};
    for (uint64_t i = 0; i < scene->frames[0].pair_count; i++) {
        gjb_pair pair;
        cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
        const double sigma = brute_force_sigma3(&pair.as.space);
        if (gap > 0)
            cr_expect_float_eq(sigma, gap, slack, "pair %d: %g, not %g", (int)i, sigma, gap);
        else if (gap < 0)
            cr_expect(sigma <= slack && sigma >= gap - slack, "pair %d: %g, not in %g .. 0", (int)i, sigma, gap);
        else
            cr_expect(i % 2 == 0 ? sigma >= -slack && sigma < 1 : sigma <= slack, "pair %d: %g", (int)i, sigma);
    }
    gjb_pair_space_free(&space);
    gjb_scene_free(scene);
}

Test(hulls, meet)
{
    gjb_hull3 hulls[6];
    some_hulls(hulls);
    for (int precision = GJB_F32; precision <= GJB_F64; precision++) {
        const double gaps[] = {0.25, 3.0, 0, -0.125, -100.0};
        for (size_t g = 0; g < 5; g++)
            check_meetings(hulls, 6, (gjb_precision)precision, gaps[g]);
    }
    gjb_meeting next = {.gap = 1, .next_only = 1};
    gjb_scene *scene = gjb_hulls_meet(hulls, 6, GJB_F64, &next, NULL);
    cr_assert_not_null(scene);
    static const gjb_kind kinds[] = {GJB_HULL, GJB_HULL, GJB_HULL, GJB_TRIANGLE, GJB_SEGMENT, GJB_POINT};
    for (uint32_t i = 0; i < 6; i++) {
        cr_expect_eq(scene->shapes.kind[i], kinds[i]);
        cr_expect(scene->body_shape[2 * i] == i && scene->body_shape[2 * i + 1] == (i + 1) % 6);
    }
    cr_expect_eq(scene->frames[0].pair_count, 6);
    gjb_scene_free(scene);
    gjb_error error = {{0}};
    cr_expect_null(gjb_hulls_meet(hulls, 0, GJB_F64, &next, &error));
    cr_expect(sample_one_line(&error));
    for (int i = 0; i < 6; i++)
        gjb_hull3_free(&hulls[i]);
}

/* The least sigma of the pairs of parts of each pair of compounds. */
static void check_compounds(const gjb_scene *scene, const gjb_compound_pairs *pairs, double gap)
{
    gjb_pair_space space = {0};
    double least[12];
    for (int i = 0; i < 12; i++)
        least[i] = INFINITY;
    for (uint64_t i = 0; i < scene->frames[0].pair_count; i++) {
        gjb_pair pair;
        cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
        least[pairs->of[i]] = fmin(least[pairs->of[i]], brute_force_sigma3(&pair.as.space));
    }
    for (uint64_t i = 0; i < pairs->count; i++)
        if (gap > 0)
            cr_expect_float_eq(least[i], gap, 1e-13, "pair %d: %g, not %g", (int)i, least[i], gap);
        else if (gap < 0)
            cr_expect(least[i] >= gap - 1e-13, "pair %d: %g, less than %g", (int)i, least[i], gap);
    gjb_pair_space_free(&space);
}

Test(hulls, compounds_meet)
{
    static const uint32_t parts[] = {2, 1, 3}, rounds[][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    static const double gaps[] = {0.25, 0, -0.125};
    gjb_hull3 hulls[6];
    some_hulls(hulls);
    for (int g = 0; g < 3; g++) {
        gjb_meeting meeting = {.gap = gaps[g], .seed = 3, .parts = parts, .compound_count = 3};
        gjb_error error = {{0}};
        gjb_compound_pairs pairs;
        gjb_scene *scene = gjb_hulls_meet(hulls, 6, GJB_F64, &meeting, &error);
        const uint64_t times = gaps[g] == 0 ? 2 : 1;
        cr_assert_not_null(scene, "%s", error.text);
        cr_assert_eq(gjb_compound_pairs_find(scene, &pairs), 0);
        cr_assert_eq(pairs.count, 6 * times);
        cr_expect_eq(scene->frames[0].pair_count, (4 + 2 + 6 + 1 + 3 + 9) * times);
        for (uint64_t i = 0; i < pairs.count; i++) {
            const uint32_t *two = rounds[i / times];
            cr_expect(pairs.all[i].listed == parts[two[0]] * parts[two[1]] &&
                      pairs.all[i].parts == pairs.all[i].listed);
        }
        check_compounds(scene, &pairs, gaps[g]);
        gjb_compound_pairs_free(&pairs);
        gjb_scene_free(scene);
    }
    gjb_meeting next = {.gap = 1, .next_only = 1, .parts = parts, .compound_count = 3};
    gjb_scene *scene = gjb_hulls_meet(hulls, 6, GJB_F64, &next, NULL);
    cr_assert_not_null(scene);
    cr_expect_eq(scene->frames[0].pair_count, 2 + 3 + 6);
    cr_expect_eq(scene->body_shape[scene->body_count - 1], 1, "the last meets the first");
    gjb_scene_free(scene);
    /* 4097 parts of one body, which meets itself: more pairs than are made. */
    static const uint32_t many[] = {4097};
    gjb_hull3 *points = calloc(4097, sizeof *points);
    gjb_error error = {{0}};
    for (int i = 0; i < 4097; i++)
        points[i] = hulls[5];
    gjb_meeting all = {.gap = 1, .parts = many, .compound_count = 1};
    cr_expect_null(gjb_hulls_meet(points, 4097, GJB_F64, &all, &error));
    cr_expect(sample_one_line(&error) && strstr(error.text, "4097 make 16785409 pairs"), "%s", error.text);
    free(points);
    for (int i = 0; i < 6; i++)
        gjb_hull3_free(&hulls[i]);
}

static gjb_scene *make(const char *workload, const char *family, gjb_precision precision, const gjb_shapes *library)
{
    gjb_recipe recipe = {.workload = workload, .family = family, .seed = 9, .precision = precision};
    recipe.pairs = 400;
    recipe.dim = 3;
    recipe.library = library;
    gjb_error error = {{0}};
    gjb_scene *scene = gjb_generate(&recipe, &error);
    cr_assert_not_null(scene, "%s", error.text);
    return scene;
}

/* Shape `s` of a scene is hull `model` times a power of two: largest coordinate in [1, 2). */
static int is_model(const gjb_shapes *shapes, uint32_t s, const gjb_shapes *library, uint32_t model)
{
    if (shapes->row_count[s] != library->row_count[model])
        return 0;
    double most = 0, scale = 0;
    for (uint32_t i = 0; i < 3 * shapes->row_count[s]; i++) {
        const double a = number(shapes, s, i), b = number(library, model, i);
        scale = scale == 0 && b != 0 ? a / b : scale;
        most = fmax(most, fabs(a));
        if (a != b * scale)
            return 0;
    }
    int exponent;
    return most >= 1 && most < 2 && frexp(scale, &exponent) == 0.5;
}

Test(hulls, workload)
{
    const gjb_shapes *library = gjb_hulls_shipped();
    static const char *const families[] = {"far", "near", "shallow", "deep", "mixed", "identical"};
    uint32_t small = 0;
    for (uint32_t i = 0; i < library->count; i++)
        small += library->row_count[i] <= 64;
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        gjb_scene *scene = make("real64", families[f], (gjb_precision)(f % 2), NULL);
        uint32_t seen[64] = {0}, kinds = 0;
        for (uint32_t s = 0; s < scene->shapes.count; s++) {
            uint32_t model = 0;
            while (model < library->count && !is_model(&scene->shapes, s, library, model))
                model++;
            cr_assert(model < library->count && library->row_count[model] <= 64, "%s: shape %u", families[f], s);
            kinds += seen[model]++ == 0;
        }
        cr_expect_eq(kinds, small, "%s: %u hulls of %u", families[f], kinds, small);
        gjb_scene_free(scene);
    }
}

/* The classes hold for real hulls too. */
Test(hulls, classes)
{
    static const struct {
        const char *family;
        double lo, hi; /* of sigma over the smaller size */
    } classes[] = {{"far", 0.9, 3.1}, {"near", 1e-4, 0.1}, {"shallow", -0.1, -1e-6}, {"deep", -1.0, -1e-3}};
    gjb_pair_space space = {0};
    for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
        gjb_scene *scene = make("real14", classes[c].family, GJB_F64, NULL);
        for (uint64_t i = 0; i < scene->frames[0].pair_count; i++) {
            gjb_pair pair;
            cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
            const double a = brute_force_size3(&pair.as.space.a), b = brute_force_size3(&pair.as.space.b);
            const double sigma = brute_force_sigma3(&pair.as.space) / fmin(a, b);
            cr_expect(sigma >= classes[c].lo && sigma <= classes[c].hi, "%s %d: %g", classes[c].family, (int)i, sigma);
        }
        gjb_scene_free(scene);
    }
    gjb_pair_space_free(&space);
}

/* A library of one's own, and one that will not do. */
Test(hulls, library)
{
    gjb_hull3 hulls[6];
    some_hulls(hulls);
    gjb_meeting next = {.next_only = 1};
    gjb_scene *own = gjb_hulls_meet(hulls, 6, GJB_F64, &next, NULL);
    cr_assert_not_null(own);
    gjb_scene *scene = make("real6", "near", GJB_F32, &own->shapes);
    for (uint32_t s = 0; s < scene->shapes.count; s++)
        cr_expect(is_model(&scene->shapes, s, &own->shapes, 1) || is_model(&scene->shapes, s, &own->shapes, 2));
    gjb_scene_free(scene);
    gjb_scene *round = gjb_hulls_meet(&hulls[3], 3, GJB_F64, &next, NULL);
    const gjb_recipe recipe = {.workload = "real6", .family = "near", .pairs = 1, .dim = 3, .library = &round->shapes};
    gjb_error error = {{0}};
    cr_expect_null(gjb_generate(&recipe, &error));
    cr_expect_not_null(strstr(error.text, "library"), "%s", error.text);
    gjb_scene_free(round);
    gjb_scene_free(own);
    for (int i = 0; i < 6; i++)
        gjb_hull3_free(&hulls[i]);
}
