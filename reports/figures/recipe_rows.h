/* Between reports/figures/recipe.c and what reads its rows. */
#ifndef GJB_REPORTS_RECIPE_ROWS_H
#define GJB_REPORTS_RECIPE_ROWS_H

#include <jansson.h>

#include "core/error.h"
#include "scenes/published.h"

typedef struct quartiles {
    double low, median, high;
} quartiles;

typedef struct recipe_row {
    const char *contender, *backend, *precision, *query, *workload, *family;
    double ns, mean_iterations, wrong_rate, graded;
    size_t panel, place;  /* of the recipe */
    quartiles time;       /* of the blocks, nanoseconds a pair */
    quartiles iterations; /* of the pairs; NaN if the contender counts none */
    char series[64];
} recipe_row;

typedef struct recipe_results {
    json_t *root;
    const json_t *context, *facts;
    const gjb_published *what;
    recipe_row *rows;
    size_t count;
} recipe_results;

/* 0, or -1 with one line naming file, field and value. Free in both cases. */
int recipe_load(recipe_results *r, const char *path, gjb_error *error);
void recipe_free(recipe_results *r);

/* Of a histogram by whole numbers, as if each count were spread evenly over its bin. */
quartiles quartiles_of_counts(const json_t *histogram);

#endif
