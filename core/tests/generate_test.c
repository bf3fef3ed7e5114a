/* What recipes promise: the same pair in any shard, classes that hold, shapes
 * that are what they are called. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/generate.h"
#include "core/hash.h"
#include "core/tests/brute_force.h"

static const char *const workloads[] = {"point",    "circle",           "segment",    "capsule",
                                        "box",      "rounded-box",      "polygon3",   "polygon8",
                                        "polygon5", "rounded-polygon8", "mixed-kinds"};
enum { WORKLOADS = sizeof workloads / sizeof *workloads };

static gjb_scene *make(gjb_recipe recipe)
{
    gjb_error error = {0};
    gjb_scene *scene = gjb_generate(&recipe, &error);
    cr_assert_not_null(scene, "%s", error.text);
    return scene;
}

/* Pair `index` of a scene as bits: no library order, no place in arrays. */
static uint64_t pair_hash(const gjb_scene *scene, uint64_t index, gjb_pair_space *space)
{
    gjb_pair pair;
    cr_assert_eq(gjb_scene_pair(scene, 0, index, space, &pair), 0);
    uint64_t hash = 0;
    for (int side = 0; side < 2; side++) {
        const gjb_body2 *body = side == 0 ? &pair.as.plane.a : &pair.as.plane.b;
        hash = gjb_fingerprint(body->vertices, body->count, sizeof *body->vertices, sizeof *body->vertices,
                               hash + body->kind);
        hash = gjb_fingerprint(&body->radius, 1, sizeof body->radius, sizeof body->radius, hash);
        hash = gjb_fingerprint(&body->pose, 1, sizeof body->pose, sizeof body->pose, hash);
    }
    return hash;
}

Test(generate, every_pair_is_the_same_in_every_shard)
{
    gjb_pair_space space = {0};
    for (uint32_t shapes = 0; shapes <= 7; shapes += 7) {
        for (size_t f = 0; f < gjb_family_count; f++) {
            if (!(gjb_families[f].dims >> 2 & 1)) {
                continue;
            }
            gjb_recipe recipe = {.workload = "mixed-kinds", .family = gjb_families[f].name, .seed = 5};
            recipe.shapes = shapes;
            recipe.pairs = 40;
            gjb_scene *whole = make(recipe);
            for (uint64_t first = 0; first < 40; first += 13) {
                recipe.first = first;
                recipe.pairs = first == 39 ? 1 : 13;
                gjb_scene *part = make(recipe);
                for (uint64_t i = 0; i < recipe.pairs; i++) {
                    cr_expect_eq(pair_hash(part, i, &space), pair_hash(whole, first + i, &space),
                                 "%s, %u shapes: pair %d of the shard at %d", recipe.family, shapes, (int)i,
                                 (int)first);
                }
                gjb_scene_free(part);
            }
            gjb_scene_free(whole);
        }
    }
    gjb_pair_space_free(&space);
}

Test(generate, seeds_and_names_give_other_pairs)
{
    const gjb_recipe base = {.workload = "polygon8", .family = "near", .seed = 1, .pairs = 4};
    gjb_recipe others[4] = {base, base, base, base};
    others[0].seed = 2;
    others[1].workload = "polygon9";
    others[2].family = "far";
    others[3].first = 4;
    gjb_scene *scene = make(base);
    const uint64_t hash = gjb_scene_hash(scene);
    gjb_scene_free(scene);
    for (int i = 0; i < 4; i++) {
        scene = make(others[i]);
        cr_expect_neq(gjb_scene_hash(scene), hash, "variation %d", i);
        gjb_scene_free(scene);
    }
}

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
            for (int axis = 0; axis < 2; axis++) {
                v[k][axis] = shapes->precision == GJB_F32
                                 ? (double)((const float *)shapes->rows)[2 * at + axis]
                                 : ((const double *)shapes->rows)[2 * at + axis];
            }
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

Test(generate, polygons_are_strictly_convex_with_every_vertex_distinct)
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
                gjb_scene *scene = make((gjb_recipe){.workload = rows[w].name,
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

Test(generate, the_door_lets_every_scene_in_unchanged)
{
    for (size_t w = 0; w < WORKLOADS; w++) {
        for (size_t f = 0; f < gjb_family_count; f++) {
            if (!(gjb_families[f].dims >> 2 & 1)) {
                continue;
            }
            for (int i = 0; i < 6; i++) {
                const gjb_recipe recipe = {
                    .workload = workloads[w],
                    .family = gjb_families[f].name,
                    .seed = 11,
                    .precision = i % 2 ? GJB_F64 : GJB_F32,
                    .pairs = 60,
                    .shapes = i / 2 == 1 ? 9 : 0,
                    .aspect = i / 2 == 2 ? 50.0 : 0.0,
                    .offset = i / 2 == 2 ? 1000.0 : 0.0,
                };
                gjb_scene *scene = make(recipe);
                const uint64_t hash = gjb_scene_hash(scene);
                gjb_error error = {0};
                cr_expect_eq(gjb_scene_check(scene, recipe.workload, &error), 0, "%s: %s", recipe.family,
                             error.text);
                cr_expect_eq(gjb_scene_hash(scene), hash, "%s %s was mended", recipe.workload, recipe.family);
                cr_expect_str_eq(scene->name, recipe.workload);
                gjb_scene_free(scene);
            }
        }
    }
}

/* Least and largest sigma over the smaller shape's size, and the share of
 * overlaps. */
typedef struct spread {
    double least, most, overlapping;
} spread;

static spread measure(gjb_recipe recipe)
{
    gjb_scene *scene = make(recipe);
    gjb_pair_space space = {0};
    spread found = {INFINITY, -INFINITY, 0.0};
    for (uint64_t i = 0; i < recipe.pairs; i++) {
        gjb_pair pair;
        cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
        const double sigma = brute_force_sigma(&pair.as.plane);
        double size = fmin(brute_force_size(&pair.as.plane.a), brute_force_size(&pair.as.plane.b));
        size = size > 0.0 ? size : fmax(brute_force_size(&pair.as.plane.a), brute_force_size(&pair.as.plane.b));
        size = size > 0.0 ? size : 1.0;
        found.least = fmin(found.least, sigma / size);
        found.most = fmax(found.most, sigma / size);
        found.overlapping += (sigma <= 0.0) / (double)recipe.pairs;
    }
    gjb_pair_space_free(&space);
    gjb_scene_free(scene);
    return found;
}

Test(generate, separation_classes_hold)
{
    static const struct {
        const char *family;
        double least, most;
        int overlaps;
    } classes[] = {{"far", 0.999, 3.001, 0},
                   {"near", 0.00499, 0.01501, 0},
                   {"touching", -1e-6, 1e-6, 1},
                   {"shallow", -0.01501, -0.00499, 1},
                   {"deep", -0.5001, -0.1999, 1}};
    static const char *const kinds[] = {"circle",   "capsule",          "box",      "rounded-box", "polygon3",
                                        "polygon8", "rounded-polygon8", "polygon32"};
    for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
        for (size_t w = 0; w < sizeof kinds / sizeof *kinds; w++) {
            for (int i = 0; i < 4; i++) {
                const gjb_recipe recipe = {.workload = kinds[w],
                                           .family = classes[c].family,
                                           .seed = 21,
                                           .precision = i % 2 ? GJB_F64 : GJB_F32,
                                           .pairs = 150,
                                           .shapes = i / 2 ? 20 : 0};
                const spread found = measure(recipe);
                cr_expect(found.least >= classes[c].least && found.most <= classes[c].most,
                          "%s %s: sigma from %g to %g sizes", kinds[w], classes[c].family, found.least,
                          found.most);
            }
        }
    }
    /* What cannot overlap is near instead, what can be a little deep is. */
    cr_expect_gt(measure((gjb_recipe){.workload = "point", .family = "deep", .pairs = 200}).least, 0.004);
    cr_expect_gt(measure((gjb_recipe){.workload = "segment", .family = "deep", .pairs = 200}).overlapping,
                 0.95);
}

Test(generate, contained_shapes_are_well_inside)
{
    static const char *const kinds[] = {"circle", "box", "polygon8", "rounded-polygon8"};
    for (size_t w = 0; w < sizeof kinds / sizeof *kinds; w++) {
        for (uint32_t shapes = 0; shapes <= 11; shapes += 11) {
            const gjb_recipe recipe = {
                .workload = kinds[w], .family = "contained", .pairs = 500, .shapes = shapes};
            gjb_scene *scene = make(recipe);
            gjb_pair_space space = {0};
            int first_is_larger = 0;
            for (uint64_t i = 0; i < recipe.pairs; i++) {
                gjb_pair pair;
                gjb_scene_pair(scene, 0, i, &space, &pair);
                const double a = brute_force_size(&pair.as.plane.a), b = brute_force_size(&pair.as.plane.b);
                /* Inside: leaving takes more than the smaller shape's diameter, which the
                 * inscribed circle of any of these exceeds half of. */
                cr_expect_lt(brute_force_sigma(&pair.as.plane), -fmin(a, b), "%s pair %d", kinds[w], (int)i);
                first_is_larger += a > b;
            }
            cr_expect(first_is_larger > 200 && first_is_larger < 300, "%s: A is larger in %d of 500",
                      kinds[w], first_is_larger);
            gjb_pair_space_free(&space);
            gjb_scene_free(scene);
        }
    }
}

Test(generate, about_half_of_mixed_overlaps)
{
    for (size_t w = 1; w < WORKLOADS; w++) {
        for (uint32_t shapes = 0; shapes <= 256; shapes += 256) {
            const spread found = measure((gjb_recipe){
                .workload = workloads[w], .family = "mixed", .seed = 31, .pairs = 4000, .shapes = shapes});
            const double least = strcmp(workloads[w], "mixed-kinds") == 0 ? 0.43 : 0.45;
            cr_expect(found.overlapping > least && found.overlapping < 0.55, "%s: %g", workloads[w],
                      found.overlapping);
        }
    }
}

/* Exactly, in integers: half of `touching` and most of `vertex-on`. Brute
 * force on coordinates of few bits rounds nowhere but in the last square
 * root, which keeps zeros. */
Test(generate, exact_touching_is_exact)
{
    static const char *const families[] = {"touching", "vertex-on"};
    static const char *const kinds[] = {"circle", "box", "capsule", "polygon8", "rounded-polygon8"};
    for (size_t f = 0; f < 2; f++) {
        for (size_t w = 0; w < sizeof kinds / sizeof *kinds; w++) {
            gjb_scene *scene = make((gjb_recipe){.workload = kinds[w], .family = families[f], .pairs = 400});
            gjb_pair_space space = {0};
            int exact = 0, quarter = 0;
            for (uint64_t i = 0; i < 400; i++) {
                gjb_pair pair;
                gjb_scene_pair(scene, 0, i, &space, &pair);
                const int square = fabs(pair.as.plane.a.pose.c) + fabs(pair.as.plane.a.pose.s) == 1.0;
                quarter += square;
                exact += square && fabs(brute_force_sigma(&pair.as.plane)) < 1e-13;
            }
            cr_expect(quarter > 160, "%s %s: %d", families[f], kinds[w], quarter);
            cr_expect(f == 0 ? exact == quarter : exact > 280, "%s %s: %d of %d", families[f], kinds[w],
                      exact, quarter);
            gjb_pair_space_free(&space);
            gjb_scene_free(scene);
        }
    }
}

Test(generate, libraries_are_used_evenly_and_out_of_order)
{
    enum { SHAPES = 37, ROUNDS = 10 };
    for (size_t f = 0; f < gjb_family_count; f++) {
            if (!(gjb_families[f].dims >> 2 & 1)) {
                continue;
            }
        const gjb_recipe recipe = {
            .workload = "box", .family = gjb_families[f].name, .pairs = SHAPES * ROUNDS, .shapes = SHAPES};
        gjb_scene *scene = make(recipe);
        uint32_t uses[SHAPES] = {0}, in_order = 0;
        cr_assert_eq(scene->shapes.count, SHAPES);
        for (uint32_t b = 0; b < 2 * recipe.pairs; b++) {
            cr_assert_lt(scene->body_shape[b], SHAPES);
            uses[scene->body_shape[b]]++;
            in_order += b >= 2 && scene->body_shape[b] == (scene->body_shape[b - 2] + 1) % SHAPES;
        }
        /* The odd shape of two halves makes the smaller half busier. */
        const uint32_t slack = gjb_families[f].sharing == GJB_HALVES ? 2 : 0;
        for (uint32_t i = 0; i < SHAPES; i++) {
            cr_expect(uses[i] + slack >= 2 * ROUNDS && uses[i] <= 2 * ROUNDS + slack,
                      "%s: shape %u is used %u times", recipe.family, i, uses[i]);
        }
        cr_expect_lt(in_order, 100, "%s: %u steps to the next shape", recipe.family, in_order);
        gjb_scene_free(scene);
    }
}

Test(generate, precisions_hold_the_same_shapes)
{
    gjb_recipe recipe = {.workload = "polygon8", .family = "near", .pairs = 20, .precision = GJB_F32};
    gjb_scene *narrow = make(recipe);
    recipe.precision = GJB_F64;
    gjb_scene *wide = make(recipe);
    for (size_t i = 0; i < 2 * 40 * 8; i++) {
        cr_expect_eq(((const float *)narrow->shapes.rows)[i], (float)((const double *)wide->shapes.rows)[i]);
    }
    gjb_scene_free(narrow);
    gjb_scene_free(wide);
}

Test(generate, offset_and_aspect_do_what_they_say)
{
    const gjb_recipe base = {.workload = "box", .family = "mixed", .pairs = 50, .precision = GJB_F64};
    gjb_recipe moved = base, stretched = base;
    moved.offset = 3e4;
    stretched.aspect = 16.0;
    gjb_scene *scenes[3] = {make(base), make(moved), make(stretched)};
    for (uint32_t i = 0; i < 100; i++) {
        const gjb_pose2d p = gjb_scene_pose(scenes[0], 0, i), q = gjb_scene_pose(scenes[1], 0, i);
        cr_expect(fabs(q.x - p.x - 3e4) < 1e-9 && fabs(q.y - p.y - 1e4) < 1e-9);
        const double *plain = (const double *)scenes[0]->shapes.rows + 2 * i;
        const double *wide = (const double *)scenes[2]->shapes.rows + 2 * i;
        cr_expect(wide[0] == 4.0 * plain[0] && wide[1] == 0.25 * plain[1]);
    }
    for (int i = 0; i < 3; i++) {
        gjb_scene_free(scenes[i]);
    }
}

Test(generate, bad_recipes_are_refused_with_one_line)
{
    const gjb_recipe good = {.workload = "polygon8", .family = "mixed", .pairs = 1};
    gjb_recipe bad[16];
    size_t n = 0;
    static const char *const names[] = {
        "",          "polygon",   "polygonN",           "polygon2",        "polygon4097",
        "polygon08", "polygon8x", "polygon99999999999", "rounded-polygon", "Box"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cr_expect_eq(gjb_workload_vertices(2, names[i]), 0, "%s", names[i]);
        bad[n] = good;
        bad[n++].workload = names[i];
    }
    bad[n] = good, bad[n++].family = "nearer";
    bad[n] = good, bad[n++].pairs = 0;
    bad[n] = good, bad[n++].aspect = NAN;
    bad[n] = good, bad[n++].offset = INFINITY;
    bad[n] = good, bad[n++].pairs = 1ull << 40;
    bad[n] = good, bad[n].family = "contained", bad[n++].shapes = 1;
    for (size_t i = 0; i < n; i++) {
        gjb_error error = {0};
        cr_expect_null(gjb_generate(&bad[i], &error), "recipe %zu", i);
        cr_expect(strncmp(error.text, "generate: ", 10) == 0 && strchr(error.text, '\n') == NULL, "%s",
                  error.text);
    }
    cr_expect_eq(gjb_workload_vertices(2, "polygon4096"), 4096);
    cr_expect_eq(gjb_workload_vertices(2, "rounded-polygon3"), 3);
    cr_expect_eq(gjb_workload_vertices(2, "box"), 4);
    cr_expect_eq(gjb_workload_vertices(2, "mixed-kinds"), 8);
}

static const double *row_of(const gjb_scene *scene, uint32_t shape, uint32_t i)
{
    const gjb_shapes *shapes = &scene->shapes;
    return (const double *)shapes->rows + 2 * (shapes->first[shape] + i % shapes->row_count[shape]);
}

/* Vertices equal to the one after, and vertices exactly in line with their
 * neighbours (coordinates have few bits where this is not 0 by luck). */
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

Test(generate, degenerate_shapes_are_what_they_are_called)
{
    enum { PAIRS = 200 };
    for (size_t f = 0; f < gjb_family_count; f++) {
            if (!(gjb_families[f].dims >> 2 & 1)) {
                continue;
            }
        const char *name = gjb_families[f].name;
        gjb_scene *scene =
            make((gjb_recipe){.workload = "polygon12", .family = name, .precision = GJB_F64, .pairs = PAIRS});
        uint32_t with_repeats = 0, with_runs = 0, polygons = 0;
        double largest = 0.0, smallest = INFINITY, thinnest = INFINITY;
        for (uint32_t s = 0; s < scene->shapes.count; s++) {
            uint32_t repeats, in_line;
            if (scene->shapes.kind[s] != GJB_POLYGON) {
                continue;
            }
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
        const int is_flat = strcmp(name, "flat") == 0;
        cr_expect_eq(with_repeats,
                     strcmp(name, "repeated") == 0 ? polygons
                     : is_flat                     ? with_repeats
                                                   : 0,
                     "%s: %u", name, with_repeats);
        cr_expect(strcmp(name, "collinear") == 0 ? with_runs > 150 && with_runs < 250
                  : is_flat                      ? with_runs + with_repeats == polygons
                                                 : with_runs == 0,
                  "%s: %u", name, with_runs);
        if (strcmp(name, "needle") == 0) {
            cr_expect(thinnest < 3e-4 && thinnest > 3e-5, "%g", thinnest);
        } else if (strcmp(name, "tiny") == 0) {
            cr_expect(largest < 5e-6 && smallest > 1e-7);
        } else if (strcmp(name, "huge") == 0) {
            cr_expect(largest < 5e6 && smallest > 1e5);
        } else if (strcmp(name, "size-ratio") == 0) {
            cr_expect(largest / smallest > 5e3, "%g", largest / smallest);
        }
        gjb_scene_free(scene);
    }
}

Test(generate, degenerate_places_are_what_they_are_called)
{
    enum { PAIRS = 400 };
    gjb_recipe recipe = {.workload = "polygon8", .precision = GJB_F64, .pairs = PAIRS};
    gjb_pair_space space = {0};
    gjb_pair pair;
    int exactly = 0, nearly = 0, same_pose = 0, near_pose = 0;
    recipe.family = "parallel";
    gjb_scene *scene = make(recipe);
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
    scene = make(recipe);
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
    scene = make(recipe);
    for (uint32_t body = 0; body < 2 * PAIRS; body++) {
        const gjb_pose2d pose = gjb_scene_pose(scene, 0, body);
        const double away = hypot(pose.x, pose.y);
        cr_expect(away > 400.0 && away < 3e6, "%g", away);
    }
    gjb_scene_free(scene);
    gjb_pair_space_free(&space);
}
