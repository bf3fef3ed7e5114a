/* Recipes that several tests walk through, and what they make. */
#ifndef GJB_SCENES_GENERATE_TESTS_RECIPES_H
#define GJB_SCENES_GENERATE_TESTS_RECIPES_H

#include "scenes/generate/generate.h"

/* The scene, or a failed test. */
gjb_scene *recipe_make(gjb_recipe recipe);

/* A walk through families and workloads of both dimensions: starts at {.dim = 2}. */
typedef struct recipe_walk {
    uint32_t dim;
    const gjb_family *family;
    const char *workload;
    size_t next_family, next_workload;
} recipe_walk;
int recipe_next_family(recipe_walk *walk); /* every family of 2D, then of 3D; 0 after the last */
int recipe_next(recipe_walk *walk);        /* and with each every workload of a small tour */

/* sigma and the size of the smaller shape that has one (1 for two points), of
 * a pair of either dimension, by brute force. */
double recipe_sigma(const gjb_pair *pair, double *smaller);

/* Least and largest sigma over the smaller shape's size, the share of
 * overlaps, and the share from lo to hi. */
typedef struct recipe_spread {
    double least, most, overlapping, within;
} recipe_spread;
recipe_spread recipe_measure(gjb_recipe recipe, double lo, double hi);

#endif
