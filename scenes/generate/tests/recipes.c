/* Walks through families and workloads of both dimensions, and measures the scenes made. */
#include "scenes/generate/tests/recipes.h"

#include <criterion/criterion.h>
#include <math.h>

#include "scenes/generate/tests/brute_force.h"

gjb_scene *recipe_make(gjb_recipe recipe)
{
    gjb_error error = {0};
    gjb_scene *scene = gjb_generate(&recipe, &error);
    cr_assert_not_null(scene, "%s", error.text);
    return scene;
}

int recipe_next_family(recipe_walk *walk)
{
    for (;; walk->next_family++) {
        if (walk->next_family == gjb_family_count) {
            if (walk->dim == 3)
                return 0;
            walk->dim = 3;
            walk->next_family = 0;
        }
        walk->family = &gjb_families[walk->next_family];
        if (walk->family->dims >> walk->dim & 1u) {
            walk->next_family++;
            return 1;
        }
    }
}

int recipe_next(recipe_walk *walk)
{
    static const char *const small[4][16] = {
        [2] = {"point", "circle", "segment", "capsule", "box", "rounded-box", "polygon3", "polygon8", "polygon5",
               "rounded-polygon8", "mixed-kinds"},
        [3] = {"point", "sphere", "segment", "capsule", "triangle", "rounded-triangle", "box", "rounded-box", "hull4",
               "hull5", "hull8", "hull33", "rounded-hull8", "real14", "mixed-kinds"},
    };
    if (walk->family == NULL || small[walk->dim][walk->next_workload] == NULL) {
        walk->next_workload = 0;
        if (!recipe_next_family(walk))
            return 0;
    }
    walk->workload = small[walk->dim][walk->next_workload++];
    return 1;
}

double recipe_sigma(const gjb_pair *pair, double *smaller)
{
    double sigma, a, b;
    if (pair->dim == 2) {
        sigma = brute_force_sigma(&pair->as.plane);
        a = brute_force_size(&pair->as.plane.a);
        b = brute_force_size(&pair->as.plane.b);
    } else {
        sigma = brute_force_sigma3(&pair->as.space);
        a = brute_force_size3(&pair->as.space.a);
        b = brute_force_size3(&pair->as.space.b);
    }
    const double least = fmin(a, b), most = fmax(a, b);
    *smaller = least > 0.0 ? least : most > 0.0 ? most : 1.0;
    return sigma;
}

recipe_spread recipe_measure(gjb_recipe recipe, double lo, double hi)
{
    gjb_scene *scene = recipe_make(recipe);
    gjb_pair_space space = {0};
    recipe_spread found = {INFINITY, -INFINITY, 0.0, 0.0};
    for (uint64_t i = 0; i < recipe.pairs; i++) {
        gjb_pair pair;
        double size;
        cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
        const double sigma = recipe_sigma(&pair, &size);
        found.least = fmin(found.least, sigma / size);
        found.most = fmax(found.most, sigma / size);
        found.overlapping += sigma <= 0.0;
        found.within += sigma >= lo * size && sigma <= hi * size;
    }
    found.overlapping /= (double)recipe.pairs;
    found.within /= (double)recipe.pairs;
    gjb_pair_space_free(&space);
    gjb_scene_free(scene);
    return found;
}
