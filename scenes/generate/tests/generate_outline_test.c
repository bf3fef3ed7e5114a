/* Shapes and places of 2D families are what they are called. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/generate/tests/brute_force.h"
#include "scenes/generate/tests/recipes.h"

/* Outline turns left at every vertex, exactly once around, no vertex twice.
 * Double decides f32 exactly up to far smaller turns than are wanted. */
static void expect_strictly_convex(const gjb_scene *scene, uint32_t shape, const char *what)
{
    const gjb_shapes *shapes = &scene->shapes;
    const uint32_t n = shapes->row_count[shape];
    int passes = 0;
    double v[3][2];
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            const uint64_t at = shapes->first[shape] + (i + k) % n;
            for (int axis = 0; axis < 2; axis++)
                v[k][axis] = shapes->precision == GJB_F32
                                 ? (double)((const float *)shapes->rows)[2 * at + axis]
                                 : ((const double *)shapes->rows)[2 * at + axis];
        }
        const double e[2] = {v[1][0] - v[0][0], v[1][1] - v[0][1]};
        const double g[2] = {v[2][0] - v[1][0], v[2][1] - v[1][1]};
        const double left = e[0] * g[1], right = e[1] * g[0];
        cr_assert(left - right > 1e-15 * (fabs(left) + fabs(right)), "%s: shape %u, vertex %u", what, shape,
                  (i + 1) % n);
        passes += e[1] <= 0.0 && g[1] > 0.0;
    }
    cr_assert_eq(passes, 1, "%s: shape %u winds %d times", what, shape, passes);
}

Test(generate_outline, polygons_are_strictly_convex_with_every_vertex_distinct)
{
    static const struct {
        const char *name;
        uint32_t pairs;
    } rows[] = {{"polygon3", 1000},  {"polygon4", 1000}, {"polygon5", 1000},       {"polygon8", 1000},
                {"polygon16", 500},  {"polygon64", 200}, {"polygon256", 100},      {"polygon1023", 20},
                {"polygon1024", 20}, {"polygon4096", 5}, {"rounded-polygon8", 200}};
    static const char *const families[] = {"mixed", "touching", "needle", "parallel", "tiny", "huge"};
    for (size_t w = 0; w < sizeof rows / sizeof *rows; w++) {
        for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
            for (int precision = 0; precision < GJB_PRECISIONS; precision++) {
                gjb_scene *scene = recipe_make((gjb_recipe){.workload = rows[w].name,
                                                     .family = families[f],
                                                     .seed = 3,
                                                     .precision = (gjb_precision)precision,
                                                     .pairs = rows[w].pairs});
                char what[64];
                snprintf(what, sizeof what, "%s %s %s", rows[w].name, families[f],
                         gjb_precision_name((gjb_precision)precision));
                for (uint32_t i = 0; i < scene->shapes.count; i++) {
                    cr_assert_eq(scene->shapes.row_count[i], gjb_workload_vertices(2, rows[w].name), "%s", what);
                    expect_strictly_convex(scene, i, what);
                }
                gjb_scene_free(scene);
            }
        }
    }
}

static const double *row_of(const gjb_scene *scene, uint32_t shape, uint32_t i)
{
    const gjb_shapes *shapes = &scene->shapes;
    return (const double *)shapes->rows + 2 * (shapes->first[shape] + i % shapes->row_count[shape]);
}

/* Vertices equal to the one after, and vertices exactly in line with their
 * neighbours (other than by chance, only if coordinates have few bits). */
static void count_features(const gjb_scene *scene, uint32_t shape, uint32_t *repeats, uint32_t *in_line)
{
    *repeats = *in_line = 0;
    for (uint32_t i = 0; i < scene->shapes.row_count[shape]; i++) {
        const double *a = row_of(scene, shape, i), *b = row_of(scene, shape, i + 1),
                     *c = row_of(scene, shape, i + 2);
        *repeats += a[0] == b[0] && a[1] == b[1];
        *in_line += (b[0] - a[0]) * (c[1] - b[1]) == (b[1] - a[1]) * (c[0] - b[0]);
    }
}

/* Families in motion bear the names of those whose shapes they have. */
static int is_named(const char *family, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(family, name, length) == 0 && (family[length] == '\0' || strcmp(family + length, "-motion") == 0);
}

Test(generate_outline, degenerate_shapes_are_what_they_are_called)
{
    enum { PAIRS = 200 };
    for (size_t f = 0; f < gjb_family_count; f++) {
        if (!(gjb_families[f].dims >> 2 & 1u))
            continue;
        const char *name = gjb_families[f].name;
        gjb_scene *scene =
            recipe_make((gjb_recipe){.workload = "polygon12", .family = name, .precision = GJB_F64, .pairs = PAIRS});
        uint32_t with_repeats = 0, with_runs = 0, polygons = 0;
        double largest = 0.0, smallest = INFINITY, thinnest = INFINITY;
        for (uint32_t s = 0; s < scene->shapes.count; s++) {
            uint32_t repeats, in_line;
            if (scene->shapes.kind[s] != GJB_POLYGON)
                continue;
            polygons++;
            cr_assert_eq(scene->shapes.row_count[s], 12, "%s", name);
            count_features(scene, s, &repeats, &in_line);
            with_repeats += repeats > 0;
            with_runs += repeats == 0 && in_line > 0;
            double x[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY};
            for (uint32_t i = 0; i < 12; i++) {
                const double *v = row_of(scene, s, i);
                x[0] = fmin(x[0], v[0]), x[1] = fmax(x[1], v[0]);
                y[0] = fmin(y[0], v[1]), y[1] = fmax(y[1], v[1]);
            }
            largest = fmax(largest, x[1] - x[0]);
            smallest = fmin(smallest, x[1] - x[0]);
            thinnest = fmin(thinnest, (y[1] - y[0]) / (x[1] - x[0]));
        }
        const int is_flat = is_named(name, "flat");
        cr_expect_eq(with_repeats,
                     strcmp(name, "repeated") == 0 ? polygons
                     : is_flat                     ? with_repeats
                                                   : 0,
                     "%s: %u", name, with_repeats);
        cr_expect(strcmp(name, "collinear") == 0 ? with_runs > 150 && with_runs < 250
                  : is_flat                      ? with_runs + with_repeats == polygons
                                                 : with_runs == 0,
                  "%s: %u", name, with_runs);
        if (is_named(name, "needle"))
            cr_expect(thinnest < 3e-4 && thinnest > 3e-5, "%g", thinnest);
        else if (is_named(name, "tiny"))
            cr_expect(largest < 5e-6 && smallest > 1e-7);
        else if (is_named(name, "huge"))
            cr_expect(largest < 5e6 && smallest > 1e5);
        else if ((strcmp(name, "size-ratio") == 0 || strcmp(name, "ratio-motion") == 0))
            cr_expect(largest / smallest > 5e3, "%g", largest / smallest);
        gjb_scene_free(scene);
    }
}

Test(generate_outline, degenerate_places_are_what_they_are_called)
{
    enum { PAIRS = 400 };
    gjb_recipe recipe = {.workload = "polygon8", .precision = GJB_F64, .pairs = PAIRS};
    gjb_pair_space space = {0};
    gjb_pair pair;
    int exactly = 0, nearly = 0, same_pose = 0, near_pose = 0;
    recipe.family = "parallel";
    gjb_scene *scene = recipe_make(recipe);
    for (uint64_t i = 0; i < PAIRS; i++) {
        gjb_scene_pair(scene, 0, i, &space, &pair);
        const gjb_pose2d a = pair.as.plane.a.pose, b = pair.as.plane.b.pose;
        cr_expect(pair.as.plane.a.vertices[0][1] == pair.as.plane.a.vertices[1][1] &&
                  pair.as.plane.b.vertices[0][1] == pair.as.plane.b.vertices[1][1]);
        exactly += a.c == -b.c && a.s == -b.s;
        nearly += fabs(a.c + b.c) < 20 * 0x1p-53 && fabs(a.s + b.s) < 20 * 0x1p-53;
        const double size = fmin(brute_force_size(&pair.as.plane.a), brute_force_size(&pair.as.plane.b));
        cr_expect_lt(fabs(brute_force_sigma(&pair.as.plane)), 0.2 * size, "pair %d", (int)i);
    }
    cr_expect(exactly > 180 && exactly < 260 && nearly == PAIRS, "%d, %d", exactly, nearly);
    gjb_scene_free(scene);

    recipe.family = "identical";
    scene = recipe_make(recipe);
    for (uint64_t i = 0; i < PAIRS; i++) {
        gjb_scene_pair(scene, 0, i, &space, &pair);
        const gjb_pose2d a = pair.as.plane.a.pose, b = pair.as.plane.b.pose;
        cr_expect_eq(memcmp(pair.as.plane.a.vertices, pair.as.plane.b.vertices, 8 * sizeof *pair.as.plane.a.vertices), 0);
        same_pose += memcmp(&a, &b, sizeof a) == 0;
        near_pose += fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.c - b.c) + fabs(a.s - b.s) < 1e-12;
    }
    cr_expect(same_pose > 50 && near_pose > same_pose + 50, "%d, %d", same_pose, near_pose);
    gjb_scene_free(scene);

    recipe.family = "far-origin";
    scene = recipe_make(recipe);
    for (uint32_t body = 0; body < 2 * PAIRS; body++) {
        const gjb_pose2d pose = gjb_scene_pose(scene, 0, body);
        const double away = hypot(pose.x, pose.y);
        cr_expect(away > 400.0 && away < 3e6, "%g", away);
    }
    gjb_scene_free(scene);
    gjb_pair_space_free(&space);
}
