/* The parser of scenes, JSON or (GJB_TARGET_BINARY) binary, meets arbitrary bytes: it must refuse them with one line, or
 * give a scene that can be written, read again and is the same. */
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/tests/target.h"
#include "scenes/hash.h"
#include "scenes/scene.h"
#include "scenes/scene_private.h"

static void read_again(const gjb_scene *scene, void *bytes, size_t size, const char *how)
{
    gjb_error error = {{0}};
    gjb_target_require(bytes != NULL, "cannot be written", how);
    gjb_scene *again = gjb_scene_parse(bytes, size, "again", &error);
    gjb_target_require(again != NULL, how, error.text);
    gjb_target_require(gjb_scene_hash(again) == gjb_scene_hash(scene),
                       "written and read again, the scene is another", how);
    for (uint32_t b = 0; b < scene->body_count; b++)
        gjb_target_require(gjb_scene_whole(again, b) == gjb_scene_whole(scene, b), "a part of another compound", how);
    gjb_scene_free(again);
    free(bytes);
}

/* What was let in can be used: each pair is expanded, and taken out. */
static void use(const gjb_scene *scene)
{
    enum { PAIRS_MOST = 16 };
    gjb_pair_space space = {0};
    gjb_pair pair;
    gjb_target_require(gjb_scene_fits(scene, (gjb_precision)scene->shapes.precision),
                       "numbers that its precision lacks", NULL);
    for (uint32_t f = 0; f < scene->frame_count; f++)
        for (uint64_t p = 0; p < scene->frames[f].pair_count && p < PAIRS_MOST; p++) {
            gjb_target_require(!gjb_scene_pair(scene, f, p, &space, &pair), "a pair that is none", NULL);
            gjb_scene *one = gjb_scene_extract(scene, f, p);
            gjb_error error = {{0}};
            gjb_target_require(one && !gjb_scene_check(one, "pair", &error), "a pair that alone is refused",
                               error.text);
            gjb_scene_free(one);
        }
    gjb_pair_space_free(&space);
    gjb_compound_pairs compounds;
    gjb_target_require(!gjb_compound_pairs_find(scene, &compounds), "pairs of compounds are not found", NULL);
    for (uint64_t i = 0; i < compounds.count; i++)
        gjb_target_require(compounds.all[i].listed > 0, "compounds without a pair", NULL);
    gjb_compound_pairs_free(&compounds);
}

static int parse(const uint8_t *data, size_t size)
{
    gjb_error error = {{0}};
    size_t length = 0;
    gjb_scene *scene = gjb_scene_parse(data, size, "input", &error);
    if (!scene) {
        gjb_scene_point(&error, "input", data, size);
        gjb_target_refused(&error);
        return -1;
    }
    use(scene);
    char *text = gjb_scene_text(scene);
    read_again(scene, text, text ? strlen(text) : 0, "as JSON");
    unsigned char *packed = gjb_scene_pack(scene, &length);
    read_again(scene, packed, length, "as binary");
    gjb_scene_free(scene);
    return 0;
}

#ifdef GJB_TARGET_BINARY
/* What no search comes upon by chance: the magic, the size and the checksum. */
static void mend(uint8_t *bytes, size_t size)
{
    enum { SIZE_AT = 48, LEAST = 64 };
    if (size < LEAST)
        return;
    const uint64_t stated = size;
    memcpy(bytes, GJB_BINARY_MAGIC, 8);
    memcpy(bytes + SIZE_AT, &stated,
           sizeof stated); /* on little-endian machines, which are those that fuzz */
    const uint64_t sum = XXH3_64bits(bytes, size - 8);
    memcpy(bytes + size - 8, &sum, sizeof sum);
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)parse(data, size);
#ifdef GJB_TARGET_BINARY
    uint8_t *fixed = malloc(size + 1);
    gjb_target_require(fixed != NULL, "out of memory", NULL);
    memcpy(fixed, data, size);
    mend(fixed, size);
    (void)parse(fixed, size);
    free(fixed);
#endif
    return 0;
}
