/* Families in motion are what they are called, by brute force: poses at many times. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/query.h"
#include "scenes/generate/tests/motion.h"
#include "scenes/generate/tests/recipes.h"

static const double turn = 6.283185307179586;

/* What a family promises, in sizes of the smaller shape and turns of one body. Shares are of all
 * pairs; `near` are those whose least sigma is within 2^-5 of the size. */
typedef struct promise {
    const char *family;
    double way[2], own, turns[2];
    double hit[2], start[2], near;
} promise;

static const promise promises[] = {
    {"approach", {0.5, 8}, 24, {0, 0}, {0.35, 0.65}, {0, 0.01}, 0},
    {"approach-turn", {0.5, 8}, 24, {0, 0.12}, {0.3, 0.7}, {0, 0.05}, 0},
    {"approach-spin", {0.5, 8}, 24, {0, 1}, {0.3, 0.7}, {0, 0.05}, 0},
    {"spin", {0, 0}, 0, {0, 2}, {0.3, 0.9}, {0, 0.01}, 0},
    {"fast-spin", {0.5, 8}, 24, {0, 20}, {0.3, 0.8}, {0, 0.05}, 0},
    {"fast", {64, 8192}, 24600, {0, 1}, {0.35, 0.75}, {0, 0.05}, 0},
    {"graze-motion", {0, 8}, 24, {0, 1}, {0.2, 0.6}, {0, 0.15}, 0.65},
    {"resting", {0.01, 3}, 9, {0, 0.1}, {0.05, 0.6}, {0, 0.01}, 0.7},
    {"start-overlap", {0, 4}, 12, {0, 2}, {0, 0.25}, {0.6, 1}, 0},
    {"slow", {9e-7, 0.0079}, 0.024, {0, 0.001}, {0.1, 0.7}, {0, 0.4}, 0.95},
    {"cast", {0.5, 8}, 8, {0, 0}, {0.3, 0.7}, {0, 0.2}, 0},
    {"ray", {0.5, 8}, 8, {0, 0}, {0.1, 0.6}, {0, 0.2}, 0},
    {"common-motion", {0.5, 8}, 1040, {0, 1}, {0.3, 0.7}, {0, 0.05}, 0},
};

static void expect_promise(const promise *row, const char *workload, uint32_t dim, gjb_precision precision)
{
    const int pairs = dim == 2 ? 100 : 60;
    const gjb_recipe recipe = {.workload = workload,
                               .family = row->family,
                               .seed = 5,
                               .precision = precision,
                               .pairs = (uint64_t)pairs,
                               .dim = dim};
    gjb_scene *scene = recipe_make(recipe);
    gjb_pair_space space = {0};
    double hit = 0.0, start = 0.0, near = 0.0, most = 0.0;
    for (uint64_t i = 0; i < recipe.pairs; i++) {
        gjb_pair pair;
        cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
        const motion_story story = motion_watch(&pair, dim == 2 ? 150 : 40);
        const double way = motion_way(&pair) / story.size;
        cr_expect(way >= row->way[0] * 0.999 && way <= row->way[1] * 1.001, "%uD %s %s: way %g", dim,
                  row->family, workload, way);
        for (int body = 0; body < 2; body++) {
            const double turns = motion_turns(&pair, body), own = motion_own_way(&pair, body) / story.size;
            cr_expect(turns <= row->turns[1] * 1.001 && turns * turn <= 130.0 && own <= row->own * 1.1,
                      "%uD %s %s: %g turns, %g sizes", dim, row->family, workload, turns, own);
            most = fmax(most, turns);
        }
        hit += story.start > 0.0 && story.closest <= 0.0;
        start += story.start <= 0.0;
        near += fabs(story.closest) <= 0x1p-5 * story.size;
    }
    cr_expect_geq(most, 0.8 * row->turns[1], "%uD %s %s: at most %g turns", dim, row->family, workload, most);
    cr_expect(hit >= row->hit[0] * pairs && hit <= row->hit[1] * pairs, "%uD %s %s: %g hit", dim, row->family,
              workload, hit);
    cr_expect(start >= row->start[0] * pairs && start <= row->start[1] * pairs,
              "%uD %s %s: %g overlap at first", dim, row->family, workload, start);
    cr_expect_geq(near, row->near * pairs, "%uD %s %s: %g come near", dim, row->family, workload, near);
    gjb_pair_space_free(&space);
    gjb_scene_free(scene);
}

Test(generate_motion, families_keep_their_promises_in_the_plane)
{
    static const char *const workloads[] = {"box", "polygon5", "mixed-kinds"};
    for (size_t i = 0; i < sizeof promises / sizeof *promises; i++)
        for (int w = 0; w < 3; w++)
            expect_promise(&promises[i], workloads[w], 2, w == 1 ? GJB_F32 : GJB_F64);
}

Test(generate_motion, families_keep_their_promises_in_space)
{
    for (size_t i = 0; i < sizeof promises / sizeof *promises; i++) {
        expect_promise(&promises[i], "hull4", 3, GJB_F64);
        expect_promise(&promises[i], "rounded-triangle", 3, GJB_F32);
    }
}

/* Without rotation, a graze stays as far apart as intended, or gets no deeper. */
Test(generate_motion, grazes_are_grazes)
{
    for (uint32_t dim = 2; dim <= 3; dim++) {
        enum { PAIRS = 200 };
        gjb_scene *scene = recipe_make((gjb_recipe){.workload = dim == 2 ? "box" : "triangle",
                                                    .family = "graze-motion",
                                                    .seed = 6,
                                                    .precision = GJB_F64,
                                                    .pairs = PAIRS,
                                                    .dim = dim});
        gjb_pair_space space = {0};
        int straight = 0, sweeping = 0, hair = 0, below = 0;
        for (uint64_t i = 0; i < PAIRS; i++) {
            gjb_pair pair;
            cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
            const double a = motion_turns(&pair, 0), b = motion_turns(&pair, 1), way = motion_way(&pair);
            if (a + b > 0.0 && way > 0.0)
                continue;
            const motion_story story = motion_watch(&pair, dim == 2 ? 150 : 60);
            straight += a + b == 0.0;
            sweeping += way == 0.0;
            cr_expect_eq(way == 0.0 ? a * b : a + b, 0.0, "one turns, or none");
            cr_expect(fabs(story.closest) <= 0x1p-6 * story.size, "%uD pair %d: %g", dim, (int)i,
                      story.closest / story.size);
            hair += fabs(story.closest) <= 1e-5 * story.size;
            below += story.closest < 0.0;
        }
        cr_expect(straight > 80 && sweeping > 30 && hair > 40 && below > 40, "%uD: %d, %d, %d, %d", dim,
                  straight, sweeping, hair, below);
        gjb_pair_space_free(&space);
        gjb_scene_free(scene);
    }
}

/* Without rotation B's way leads from outside to the inside of A - B: first contact is robust. */
Test(generate_motion, aimed_pairs_go_through)
{
    for (uint32_t dim = 2; dim <= 3; dim++) {
        gjb_scene *scene = recipe_make((gjb_recipe){.workload = dim == 2 ? "polygon3" : "hull4",
                                                    .family = "approach",
                                                    .seed = 7,
                                                    .precision = GJB_F64,
                                                    .pairs = 200,
                                                    .dim = dim});
        gjb_pair_space space = {0};
        int hits = 0, shallow = 0;
        for (uint64_t i = 0; i < 200; i++) {
            gjb_pair pair;
            cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
            const motion_story story = motion_watch(&pair, 40);
            hits += story.closest <= 0.0;
            shallow += fabs(story.closest) < 1e-4 * story.size;
        }
        cr_expect(hits > 70 && shallow <= 2, "%uD: %d hits, %d of them shallow", dim, hits, shallow);
        gjb_pair_space_free(&space);
        gjb_scene_free(scene);
    }
}

/* The shape that a ray meets is the workload's, and what moves is a point. */
Test(generate_motion, casts_move_one_and_rays_a_point)
{
    for (int i = 0; i < 8; i++) {
        const uint32_t dim = 2 + i % 2;
        const int ray = i / 2 % 2;
        gjb_scene *scene = recipe_make((gjb_recipe){.workload = "rounded-box",
                                                    .family = ray ? "ray" : "cast",
                                                    .precision = i % 2 ? GJB_F64 : GJB_F32,
                                                    .first = 3,
                                                    .pairs = 100,
                                                    .shapes = i / 4 ? 10 : 0,
                                                    .dim = dim});
        gjb_pair_space space = {0};
        for (uint64_t k = 0; k < 100; k++) {
            gjb_pair pair;
            cr_assert_eq(gjb_scene_pair(scene, 0, k, &space, &pair), 0);
            const int mover = motion_own_way(&pair, 1) > 0.0;
            const gjb_kind kinds[2] = {dim == 2 ? pair.as.plane.a.kind : pair.as.space.a.kind,
                                       dim == 2 ? pair.as.plane.b.kind : pair.as.space.b.kind};
            cr_expect(motion_own_way(&pair, mover) > 0.0 && motion_own_way(&pair, !mover) == 0.0);
            cr_expect(motion_turns(&pair, 0) == 0.0 && motion_turns(&pair, 1) == 0.0);
            cr_expect_eq(kinds[mover], ray ? GJB_POINT : GJB_BOX);
            cr_expect_eq(kinds[!mover], GJB_BOX);
        }
        gjb_pair_space_free(&space);
        gjb_scene_free(scene);
    }
}

/* Exactly: signed distances at quarters of the step are roots of sums of small integers. */
Test(generate_motion, lattices_touch_at_quarters)
{
    for (int i = 0; i < 4; i++) {
        const uint32_t dim = 2 + i % 2;
        gjb_scene *scene = recipe_make((gjb_recipe){.workload = i % 2 ? "hull4" : "rounded-box",
                                                    .family = "lattice-motion",
                                                    .precision = i / 2 ? GJB_F64 : GJB_F32,
                                                    .pairs = 100,
                                                    .dim = dim});
        gjb_pair_space space = {0};
        int touching = 0, ends = 0, hits = 0;
        for (uint64_t k = 0; k < 100; k++) {
            gjb_pair pair;
            double size, first = 2.0;
            int touches = 0;
            cr_assert_eq(gjb_scene_pair(scene, 0, k, &space, &pair), 0);
            cr_expect(motion_turns(&pair, 0) == 0.0 && motion_turns(&pair, 1) == 0.0);
            for (int quarter = 0; quarter <= 4; quarter++) {
                const gjb_pair now = motion_at(&pair, 0.25 * quarter);
                const double sigma = recipe_sigma(&now, &size);
                if (fabs(sigma) <= 1e-6 * size) {
                    touches = 1;
                    ends += quarter == 0 || quarter == 4;
                }
                first = sigma <= 1e-6 * size && first > 1.0 ? 0.25 * quarter : first;
            }
            touching += touches;
            hits += first > 0.0 && first <= 1.0;
        }
        cr_expect(touching >= 60 && ends >= 25 && hits >= 30, "%uD: %d touch, %d at an end, %d are hit", dim,
                  touching, ends, hits);
        gjb_pair_space_free(&space);
        gjb_scene_free(scene);
    }
}

/* Motions are in the precision of the scene, and an offset moves both bodies alike. */
Test(generate_motion, offsets_move_poses_alone)
{
    for (size_t f = 0; f < gjb_family_count; f++) {
        for (uint32_t dim = 2; dim <= 3 && gjb_families[f].moving != GJB_AT_REST; dim++) {
            gjb_recipe recipe = {.workload = "mixed-kinds",
                                 .family = gjb_families[f].name,
                                 .pairs = 40,
                                 .precision = GJB_F64,
                                 .dim = dim};
            gjb_scene *here = recipe_make(recipe);
            recipe.offset = 3e4;
            gjb_scene *there = recipe_make(recipe);
            cr_assert(gjb_scene_moves(here) && gjb_scene_moves(there));
            cr_expect_eq(memcmp(here->frames[0].motions, there->frames[0].motions,
                                here->body_count * gjb_motion_size(GJB_F64, dim)),
                         0, "%s", recipe.family);
            const double scale = gjb_families[f].scale > 1.0 ? gjb_families[f].scale : 1.0;
            for (uint32_t b = 0; b < here->body_count; b++) {
                const double x = dim == 2 ? gjb_scene_pose(here, 0, b).y : gjb_scene_pose3(here, 0, b).y;
                const double y = dim == 2 ? gjb_scene_pose(there, 0, b).y : gjb_scene_pose3(there, 0, b).y;
                cr_expect(fabs(y - x - 1e4) < 1e-8 * scale, "%uD %s: %g", dim, recipe.family, y - x);
            }
            gjb_scene_free(here);
            gjb_scene_free(there);
        }
    }
}

Test(generate_motion, only_families_in_motion_have_motions)
{
    for (recipe_walk at = {.dim = 2}; recipe_next_family(&at);) {
        gjb_scene *scene = recipe_make(
            (gjb_recipe){.workload = "box", .family = at.family->name, .pairs = 3, .dim = at.dim});
        cr_expect_eq(gjb_scene_moves(scene), at.family->moving != GJB_AT_REST, "%s", at.family->name);
        gjb_scene_free(scene);
    }
}
