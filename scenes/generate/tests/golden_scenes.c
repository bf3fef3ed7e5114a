/* Golden scene hashes: every compiler and every machine generates these bits.
 * A plain program, so that it runs under an emulator too. With --print it
 * writes its table again, for a recipe changed on purpose (with its version). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "scenes/generate/generate.h"
#include "scenes/hash.h"

static const struct {
    uint32_t dim;
    const char *workload, *family;
    gjb_precision precision;
    uint64_t first, pairs;
    uint32_t shapes;
    double aspect, offset;
    uint64_t hash;
} golden[] = {
#include "scenes/generate/tests/golden_scenes.inc"
};

int main(int argc, char **argv)
{
    const int print = argc > 1 && strcmp(argv[1], "--print") == 0;
    const size_t count = sizeof golden / sizeof *golden;
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        const gjb_recipe recipe = {golden[i].workload,  golden[i].family, 20260101,
                                   golden[i].precision, golden[i].first,  golden[i].pairs,
                                   golden[i].shapes,    golden[i].aspect, golden[i].offset,
                                   golden[i].dim,       NULL,             0,                0,
                                   GJB_LEAVING_HIT};
        gjb_error error = {0};
        gjb_scene *scene = gjb_generate(&recipe, &error);
        if (scene == NULL) {
            fprintf(stderr, "%s\n", error.text);
            return 1;
        }
        const uint64_t hash = gjb_scene_hash(scene);
        gjb_scene_free(scene);
        if (print) {
            printf("{%" PRIu32 ", \"%s\", \"%s\", %s, %" PRIu64 ", %" PRIu64 ", %" PRIu32 ", %g, %g, 0x%016" PRIx64
                   "u},\n",
                   recipe.dim, recipe.workload, recipe.family, recipe.precision == GJB_F32 ? "GJB_F32" : "GJB_F64",
                   recipe.first, recipe.pairs, recipe.shapes, recipe.aspect, recipe.offset, hash);
        } else if (hash != golden[i].hash) {
            wrong++;
            fprintf(stderr, "%" PRIu32 "D %s/%s %s: %016" PRIx64 " instead of %016" PRIx64 "\n", recipe.dim,
                    recipe.workload, recipe.family, gjb_precision_name(recipe.precision), hash, golden[i].hash);
        }
    }
    if (!print)
        printf("%zu scenes, %d other than they were\n", count, wrong);
    return wrong != 0;
}
