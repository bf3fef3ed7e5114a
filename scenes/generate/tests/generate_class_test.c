/* Separation classes hold, by brute force. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/generate/tests/recipes.h"

static const char *const kinds[4][16] = {
    [2] = {"circle", "capsule", "box", "rounded-box", "polygon3", "polygon8", "rounded-polygon8", "polygon32"},
    [3] = {"sphere", "capsule", "box", "rounded-box", "hull4", "hull7", "real14", "rounded-triangle", "rounded-hull8"},
};

/* Overlaps of 3D may be less deep than is asked for, and seldom are. */
Test(generate_class, separation_classes_hold)
{
    static const struct {
        const char *family;
        double least, most, most3;
    } classes[] = {{"far", 0.999, 3.001, 3.001},
                   {"near", 0.00499, 0.01501, 0.01501},
                   {"touching", -1e-6, 1e-6, 1e-6},
                   {"shallow", -0.01501, -0.00499, -1e-4},
                   {"deep", -0.5001, -0.1999, -1e-2}};
    for (uint32_t dim = 2; dim <= 3; dim++) {
        for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
            for (size_t w = 0; kinds[dim][w] != NULL; w++) {
                for (int i = 0; i < 4; i++) {
                    const gjb_recipe recipe = {.workload = kinds[dim][w],
                                               .family = classes[c].family,
                                               .seed = 21,
                                               .precision = i % 2 ? GJB_F64 : GJB_F32,
                                               .pairs = dim == 2 ? 150 : 50,
                                               .shapes = i / 2 ? 20 : 0,
                                               .dim = dim};
                    const recipe_spread found = recipe_measure(recipe, classes[c].least, classes[c].most);
                    const double most = dim == 2 ? classes[c].most : classes[c].most3;
                    cr_expect(found.least >= classes[c].least && found.most <= most &&
                                  found.within >= (dim == 2 ? 1.0 : 0.75),
                              "%uD %s %s: sigma from %g to %g sizes, %g within", dim, kinds[dim][w],
                              classes[c].family, found.least, found.most, found.within);
                }
            }
        }
    }
}

/* Pairs that cannot overlap are near instead; pairs that can overlap a little do. */
Test(generate_class, flat_pairs_do_what_they_can)
{
    static const struct {
        uint32_t dim;
        const char *workload;
        double overlapping;
    } rows[] = {{2, "point", 0.0}, {2, "segment", 0.95}, {3, "point", 0.0}, {3, "segment", 0.0}, {3, "triangle", 0.95}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const gjb_recipe recipe = {.workload = rows[i].workload, .family = "deep", .pairs = 200, .dim = rows[i].dim};
        const recipe_spread found = recipe_measure(recipe, 0.0, 1.0);
        if (rows[i].overlapping > 0.0)
            cr_expect_gt(found.overlapping, rows[i].overlapping, "%uD %s", rows[i].dim, rows[i].workload);
        else
            cr_expect_gt(found.least, 0.004, "%uD %s", rows[i].dim, rows[i].workload);
    }
}

Test(generate_class, contained_shapes_are_well_inside)
{
    static const char *const round[4][8] = {[2] = {"circle", "box", "polygon8", "rounded-polygon8"},
                                            [3] = {"sphere", "box", "hull4", "hull8", "rounded-hull8"}};
    gjb_pair_space space = {0};
    for (int i = 0; i < 4; i++) {
        const uint32_t dim = 2 + i % 2, shapes = i / 2 * 11;
        for (size_t w = 0; round[dim][w] != NULL; w++) {
            const gjb_recipe recipe = {
                .workload = round[dim][w], .family = "contained", .pairs = 500, .shapes = shapes, .dim = dim};
            gjb_scene *scene = recipe_make(recipe);
            int first_is_larger = 0;
            for (uint64_t k = 0; k < recipe.pairs; k++) {
                gjb_pair pair;
                double smaller;
                gjb_scene_pair(scene, 0, k, &space, &pair);
                /* Inside: leaving takes more than the smaller shape's diameter, which the
                 * inscribed circle or ball of any of these exceeds half of. */
                cr_expect_lt(recipe_sigma(&pair, &smaller), -smaller, "%uD %s pair %d", dim, round[dim][w], (int)k);
                first_is_larger += scene->frames[0].pairs[2 * k] < scene->frames[0].pairs[2 * k + 1];
            }
            cr_expect(first_is_larger > 200 && first_is_larger < 300, "%uD %s: A is larger in %d of 500", dim,
                      round[dim][w], first_is_larger);
            gjb_scene_free(scene);
        }
    }
    gjb_pair_space_free(&space);
}

Test(generate_class, about_half_of_mixed_overlaps)
{
    static const char *const solid[4][16] = {
        [2] = {"circle", "segment", "capsule", "box", "rounded-box", "polygon3", "polygon8", "polygon5",
               "rounded-polygon8", "mixed-kinds"},
        [3] = {"sphere", "capsule", "triangle", "rounded-triangle", "box", "rounded-box", "hull4", "hull8",
               "rounded-hull8", "mixed-kinds"},
    };
    for (int i = 0; i < 4; i++) {
        const uint32_t dim = 2 + i % 2, shapes = i / 2 * 256;
        for (size_t w = 0; solid[dim][w] != NULL; w++) {
            const recipe_spread found = recipe_measure((gjb_recipe){.workload = solid[dim][w],
                                                                    .family = "mixed",
                                                                    .seed = 31,
                                                                    .pairs = dim == 2 ? 4000 : 1000,
                                                                    .shapes = shapes,
                                                                    .dim = dim},
                                                       -1.0, 1.0);
            const double least = strcmp(solid[dim][w], "mixed-kinds") == 0 ? 0.43 : 0.45;
            cr_expect(found.overlapping > least && found.overlapping < 0.55, "%uD %s: %g", dim, solid[dim][w],
                      found.overlapping);
        }
    }
}

/* 1 with exact rotations if both bodies have rotations of a square or a cube. */
static int make_exact(gjb_pair *pair)
{
    int exact = 1;
    for (int side = 0; side < 2; side++) {
        if (pair->dim == 2) {
            const gjb_pose2d *pose = side ? &pair->as.plane.b.pose : &pair->as.plane.a.pose;
            exact &= fabs(pose->c) + fabs(pose->s) == 1.0;
            continue;
        }
        /* All components that are not 0 are alike: 1 says the same exactly. */
        gjb_pose3d *pose = side ? &pair->as.space.b.pose : &pair->as.space.a.pose;
        double *q[4] = {&pose->qx, &pose->qy, &pose->qz, &pose->qw}, largest = 0.0;
        for (int i = 0; i < 4; i++)
            largest = fmax(largest, fabs(*q[i]));
        for (int i = 0; i < 4; i++) {
            exact &= *q[i] == 0.0 || fabs(*q[i]) == largest;
            *q[i] = copysign(*q[i] != 0.0, *q[i]);
        }
    }
    return exact;
}

/* Exactly, in integers: half of `touching` and most of `vertex-on` and
 * `face-on`. Brute force on coordinates of few bits rounds nowhere but in the
 * last square root or quotient, which keeps zeros. */
Test(generate_class, exact_touching_is_exact)
{
    static const struct {
        const char *family;
        double exact, zeros; /* shares of all pairs at least */
    } rows[] = {{"touching", 0.4, 1.0}, {"vertex-on", 1.0, 0.7}, {"face-on", 1.0, 0.5}};
    static const char *const exact_kinds[4][8] = {[2] = {"circle", "box", "capsule", "polygon8", "rounded-polygon8"},
                                                  [3] = {"sphere", "box", "capsule", "hull8", "rounded-hull8", "hull4"}};
    enum { PAIRS = 300 };
    gjb_pair_space space = {0};
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        const uint32_t dim = 2 + i % 2;
        const char *family = rows[i / 2].family;
        for (size_t w = 0; gjb_family_find(family)->dims >> dim & 1u && exact_kinds[dim][w] != NULL; w++) {
            gjb_scene *scene =
                recipe_make((gjb_recipe){.workload = exact_kinds[dim][w], .family = family, .pairs = PAIRS, .dim = dim});
            int zeros = 0, exact = 0;
            for (uint64_t k = 0; k < PAIRS; k++) {
                gjb_pair pair;
                double smaller;
                gjb_scene_pair(scene, 0, k, &space, &pair);
                if (!make_exact(&pair))
                    continue;
                if (strcmp(family, "face-on") == 0)
                    pair.as.space.a.radius = pair.as.space.b.radius = 0.0; /* of the cores, it says */
                const double sigma = recipe_sigma(&pair, &smaller);
                exact++;
                zeros += dim == 2 ? fabs(sigma) < 1e-13 : sigma == 0.0;
            }
            cr_expect(exact >= rows[i / 2].exact * PAIRS && zeros >= rows[i / 2].zeros * exact, "%uD %s %s: %d of %d", dim,
                      family, exact_kinds[dim][w], zeros, exact);
            gjb_scene_free(scene);
        }
    }
    gjb_pair_space_free(&space);
}
