/* What `recipe` measured, as its report reads it, and as a table. */
#include <stdio.h>

#include "core/tests/target.h"
#include "reports/figures/recipe.h"
#include "reports/figures/recipe_rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    const char *path = gjb_target_path(data, size);
    gjb_error error = {{0}};
    recipe_results r = {0};
    const int failed = recipe_load(&r, path, &error);
    if (failed)
        gjb_target_refused(&error);
    recipe_free(&r);
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    if (!failed && gjb_recipe_print(path, nowhere, &error))
        gjb_target_refused(&error);
    return 0;
}
