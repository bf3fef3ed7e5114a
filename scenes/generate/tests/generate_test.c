/* What recipes promise in either dimension: the same pair in any shard, valid
 * scenes, names that are refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/generate/tests/recipes.h"
#include "scenes/hash.h"

static uint64_t body_hash(uint64_t hash, gjb_kind kind, const void *vertices, size_t bytes, double radius,
                          const void *pose, size_t pose_bytes, const void *motion, size_t motion_bytes)
{
    hash = gjb_fingerprint(motion, 1, motion_bytes, motion_bytes, hash);
    hash = gjb_fingerprint(vertices, 1, bytes, bytes, hash + kind);
    hash = gjb_fingerprint(&radius, 1, sizeof radius, sizeof radius, hash);
    return gjb_fingerprint(pose, 1, pose_bytes, pose_bytes, hash);
}

/* Pair `index` of a scene as bits: no library order, no place in arrays. */
static uint64_t pair_hash(const gjb_scene *scene, uint64_t index, gjb_pair_space *space)
{
    gjb_pair pair;
    cr_assert_eq(gjb_scene_pair(scene, 0, index, space, &pair), 0);
    uint64_t hash = 0;
    for (int side = 0; side < 2; side++) {
        if (pair.dim == 2) {
            const gjb_body2 *body = side == 0 ? &pair.as.plane.a : &pair.as.plane.b;
            hash = body_hash(hash, body->kind, body->vertices, body->count * sizeof *body->vertices,
                             body->radius, &body->pose, sizeof body->pose, &body->motion, sizeof body->motion);
        } else {
            const gjb_body3 *body = side == 0 ? &pair.as.space.a : &pair.as.space.b;
            hash = body_hash(hash, body->kind, body->vertices, body->count * sizeof *body->vertices,
                             body->radius, &body->pose, sizeof body->pose, &body->motion, sizeof body->motion);
        }
    }
    return hash;
}

static void expect_shards_agree(gjb_recipe recipe, gjb_pair_space *space)
{
    recipe.pairs = 40;
    gjb_scene *whole = recipe_make(recipe);
    for (uint64_t first = 0; first < 40; first += 13) {
        recipe.first = first;
        recipe.pairs = first == 39 ? 1 : 13;
        gjb_scene *part = recipe_make(recipe);
        for (uint64_t i = 0; i < recipe.pairs; i++)
            cr_expect_eq(pair_hash(part, i, space), pair_hash(whole, first + i, space),
                         "%uD %s, %u shapes: pair %d of the shard at %d", recipe.dim, recipe.family,
                         recipe.shapes, (int)i, (int)first);
        gjb_scene_free(part);
    }
    gjb_scene_free(whole);
}

Test(generate, every_pair_is_the_same_in_every_shard)
{
    gjb_pair_space space = {0};
    for (recipe_walk at = {.dim = 2}; recipe_next_family(&at);) {
        for (uint32_t shapes = 0; shapes <= 7; shapes += 7) {
            expect_shards_agree((gjb_recipe){.workload = "mixed-kinds",
                                             .family = at.family->name,
                                             .seed = 5,
                                             .shapes = shapes,
                                             .dim = at.dim},
                                &space);
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
    gjb_scene *scene = recipe_make(base);
    const uint64_t hash = gjb_scene_hash(scene);
    gjb_scene_free(scene);
    for (int i = 0; i < 4; i++) {
        scene = recipe_make(others[i]);
        cr_expect_neq(gjb_scene_hash(scene), hash, "variation %d", i);
        gjb_scene_free(scene);
    }
}

/* A name in both dimensions is two recipes: half extents of boxes come from the
 * same draws, and would be the same. */
Test(generate, dimensions_are_drawn_apart)
{
    const gjb_recipe plane = {
        .workload = "box", .family = "near", .seed = 1, .pairs = 1, .precision = GJB_F64};
    gjb_recipe also = plane, space = plane;
    also.dim = 2;
    space.dim = 3;
    gjb_scene *scenes[3] = {recipe_make(plane), recipe_make(also), recipe_make(space)};
    cr_expect_eq(gjb_scene_hash(scenes[0]), gjb_scene_hash(scenes[1]), "0 means 2");
    cr_expect_eq(scenes[2]->shapes.dim, 3);
    const double *flat = scenes[0]->shapes.rows, *solid = scenes[2]->shapes.rows;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 6; k++)
            cr_expect_neq(flat[i], solid[k]);
    for (int i = 0; i < 3; i++)
        gjb_scene_free(scenes[i]);
}

static void expect_let_in(const gjb_recipe *recipe)
{
    gjb_scene *scene = recipe_make(*recipe);
    const uint64_t hash = gjb_scene_hash(scene);
    gjb_error error = {0};
    cr_expect_eq(gjb_scene_check(scene, recipe->workload, &error), 0, "%uD %s: %s", recipe->dim,
                 recipe->family, error.text);
    cr_expect_eq(gjb_scene_hash(scene), hash, "%uD %s %s was fixed", recipe->dim, recipe->workload,
                 recipe->family);
    cr_expect_str_eq(scene->name, recipe->workload);
    gjb_scene_free(scene);
}

Test(generate, the_door_lets_every_scene_in_unchanged)
{
    for (recipe_walk at = {.dim = 2}; recipe_next(&at);) {
        for (int i = 0; i < 6; i++) {
            const gjb_recipe recipe = {
                .workload = at.workload,
                .family = at.family->name,
                .seed = 11,
                .precision = i % 2 ? GJB_F64 : GJB_F32,
                .pairs = 60,
                .shapes = i / 2 == 1 ? 9 : 0,
                .aspect = i / 2 == 2 ? 50.0 : 0.0,
                .offset = i / 2 == 2 ? 1000.0 : 0.0,
                .dim = at.dim,
            };
            expect_let_in(&recipe);
        }
    }
}

static void expect_even_use(const gjb_family *family, uint32_t dim)
{
    enum { SHAPES = 37, ROUNDS = 10 };
    const gjb_recipe recipe = {
        .workload = "box", .family = family->name, .pairs = SHAPES * ROUNDS, .shapes = SHAPES, .dim = dim};
    gjb_scene *scene = recipe_make(recipe);
    uint32_t uses[SHAPES] = {0}, in_order = 0;
    cr_assert_eq(scene->shapes.count, SHAPES);
    for (uint32_t b = 0; b < 2 * recipe.pairs; b++) {
        cr_assert_lt(scene->body_shape[b], SHAPES);
        uses[scene->body_shape[b]]++;
        in_order += b >= 2 && scene->body_shape[b] == (scene->body_shape[b - 2] + 1) % SHAPES;
    }
    /* The odd shape of two halves makes the smaller half busier. */
    const uint32_t slack = family->sharing == GJB_HALVES ? 2 : 0;
    for (uint32_t i = 0; i < SHAPES; i++)
        cr_expect(uses[i] + slack >= 2 * ROUNDS && uses[i] <= 2 * ROUNDS + slack,
                  "%uD %s: shape %u is used %u times", dim, recipe.family, i, uses[i]);
    cr_expect_lt(in_order, 100, "%s: %u steps to the next shape", recipe.family, in_order);
    gjb_scene_free(scene);
}

Test(generate, libraries_are_used_evenly_and_out_of_order)
{
    for (recipe_walk at = {.dim = 2}; recipe_next_family(&at);)
        expect_even_use(at.family, at.dim);
}

Test(generate, precisions_hold_the_same_shapes)
{
    for (uint32_t dim = 2; dim <= 3; dim++) {
        gjb_recipe recipe = {.workload = dim == 2 ? "polygon8" : "hull8",
                             .family = "near",
                             .pairs = 20,
                             .precision = GJB_F32,
                             .dim = dim};
        gjb_scene *narrow = recipe_make(recipe);
        recipe.precision = GJB_F64;
        gjb_scene *wide = recipe_make(recipe);
        for (size_t i = 0; i < dim * 40 * 8; i++)
            cr_expect_eq(((const float *)narrow->shapes.rows)[i],
                         (float)((const double *)wide->shapes.rows)[i]);
        gjb_scene_free(narrow);
        gjb_scene_free(wide);
    }
}

Test(generate, offset_and_aspect_do_what_they_say)
{
    const gjb_recipe base = {.workload = "box", .family = "mixed", .pairs = 50, .precision = GJB_F64};
    gjb_recipe moved = base, stretched = base;
    moved.offset = 3e4;
    stretched.aspect = 16.0;
    gjb_scene *scenes[3] = {recipe_make(base), recipe_make(moved), recipe_make(stretched)};
    for (uint32_t i = 0; i < 100; i++) {
        const gjb_pose2d p = gjb_scene_pose(scenes[0], 0, i), q = gjb_scene_pose(scenes[1], 0, i);
        cr_expect(fabs(q.x - p.x - 3e4) < 1e-9 && fabs(q.y - p.y - 1e4) < 1e-9);
        const double *plain = (const double *)scenes[0]->shapes.rows + 2 * i;
        const double *wide = (const double *)scenes[2]->shapes.rows + 2 * i;
        cr_expect(wide[0] == 4.0 * plain[0] && wide[1] == 0.25 * plain[1]);
    }
    for (int i = 0; i < 3; i++)
        gjb_scene_free(scenes[i]);
}

Test(generate, offset_and_aspect_do_the_same_in_space)
{
    const gjb_recipe base = {
        .workload = "box", .family = "mixed", .pairs = 50, .precision = GJB_F64, .dim = 3};
    gjb_recipe moved = base, stretched = base;
    moved.offset = 3e4;
    stretched.aspect = 16.0;
    gjb_scene *scenes[3] = {recipe_make(base), recipe_make(moved), recipe_make(stretched)};
    for (uint32_t i = 0; i < 100; i++) {
        const gjb_pose3d p = gjb_scene_pose3(scenes[0], 0, i), q = gjb_scene_pose3(scenes[1], 0, i);
        cr_expect(fabs(q.x - p.x - 3e4) < 1e-9 && fabs(q.y - p.y - 1e4) < 1e-9 &&
                  fabs(q.z - p.z - 6e3) < 1e-9);
        const double *plain = (const double *)scenes[0]->shapes.rows + 3 * i;
        const double *wide = (const double *)scenes[2]->shapes.rows + 3 * i;
        cr_expect(wide[0] == 4.0 * plain[0] && wide[1] == 0.25 * plain[1] && wide[2] == plain[2]);
    }
    for (int i = 0; i < 3; i++)
        gjb_scene_free(scenes[i]);
}

static void expect_unknown(gjb_recipe recipe, const char *word)
{
    gjb_error error = {0};
    cr_expect_null(gjb_generate(&recipe, &error), "%uD %s %s", recipe.dim, recipe.workload, recipe.family);
    cr_expect(strncmp(error.text, "generate: ", 10) == 0 && strchr(error.text, '\n') == NULL &&
                  strstr(error.text, word) != NULL,
              "%s", error.text);
}

Test(generate, bad_recipes_are_refused_with_one_line)
{
    static const struct {
        uint32_t dim;
        const char *names[16];
    } bad[] = {
        {2,
         {"", "polygon", "polygonN", "polygon2", "polygon4097", "polygon08", "polygon8x",
          "polygon99999999999", "rounded-polygon", "Box", "sphere", "triangle", "hull8", "rounded-hull8"}},
        {3,
         {"", "hull", "hullN", "hull3", "hull4097", "hull08", "hull8x", "hull99999999999", "rounded-hull",
          "Box", "circle", "polygon8", "rounded-polygon8"}},
    };
    for (size_t d = 0; d < 2; d++) {
        const uint32_t dim = bad[d].dim;
        for (size_t i = 0; bad[d].names[i] != NULL; i++) {
            cr_expect_eq(gjb_workload_vertices(dim, bad[d].names[i]), 0, "%uD %s", dim, bad[d].names[i]);
            expect_unknown(
                (gjb_recipe){.workload = bad[d].names[i], .family = "mixed", .pairs = 1, .dim = dim},
                "workload");
        }
        const gjb_recipe good = {.workload = "box", .family = "mixed", .pairs = 1, .dim = dim};
        gjb_recipe other;
        other = good, other.family = "nearer", expect_unknown(other, "family");
        other = good, other.pairs = 0, expect_unknown(other, "pairs");
        other = good, other.aspect = NAN, expect_unknown(other, "aspect");
        other = good, other.offset = INFINITY, expect_unknown(other, "offset");
        other = good, other.pairs = 1ull << 40, expect_unknown(other, "pairs");
        other = good, other.family = "contained", other.shapes = 1, expect_unknown(other, "shapes");
        other = good, other.dim = d == 0 ? 1 : 4, expect_unknown(other, "dim");
    }
    expect_unknown((gjb_recipe){.workload = "box", .family = "face-on", .pairs = 1, .dim = 2}, "face-on");
    cr_expect_eq(gjb_workload_vertices(4, "box"), 0);
    cr_expect_eq(gjb_workload_vertices(0, "box"), 0);
}

Test(generate, names_say_how_many_vertices)
{
    static const struct {
        uint32_t dim;
        const char *name;
        uint32_t vertices;
    } rows[] = {{2, "polygon4096", 4096}, {2, "rounded-polygon3", 3}, {2, "box", 4},    {2, "mixed-kinds", 8},
                {3, "hull4096", 4096},    {3, "rounded-hull4", 4},    {3, "box", 8},    {3, "mixed-kinds", 8},
                {3, "rounded-box", 8},    {3, "triangle", 3},         {3, "sphere", 1}, {3, "capsule", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(gjb_workload_vertices(rows[i].dim, rows[i].name), rows[i].vertices, "%uD %s",
                     rows[i].dim, rows[i].name);
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (const char *const *name = gjb_workload_tour(dim); *name != NULL; name++)
            cr_expect_gt(gjb_workload_vertices(dim, *name), 0, "%uD %s", dim, *name);
}
