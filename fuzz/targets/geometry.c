/* Decodes bytes into a pair, mutates it by geometry, and encodes it again. */
#include "fuzz/targets/geometry.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/mutate.h"
#include "fuzz/targets/pair_bytes.h"

/* Too large for a stack; engines call from one thread. */
static gjb_edit edits[3];

static int load(const gjb_geometry *what, gjb_edit *edit, const uint8_t *data, size_t size)
{
    gjb_scene *scene = data ? gjb_pair_from_bytes(data, size, what->dim) : NULL;
    if (!scene)
        return -1;
    gjb_edit_load(edit, scene, 0, 0);
    gjb_scene_free(scene);
    edit->moving = what->moving;
    if (what->square)
        gjb_edit_square(edit);
    return gjb_edit_settle(edit);
}

size_t gjb_geometry_mutate(const gjb_geometry *what, const uint8_t *data, size_t size, const uint8_t *other,
                           size_t other_size, uint8_t *out, size_t most, unsigned seed)
{
    gjb_edit *edit = &edits[0], *second = &edits[1], *spare = &edits[2];
    gjb_random random = gjb_random_make(seed, 0, size);
    if (load(what, edit, data, size))
        return 0;
    const int crosses = !load(what, second, other, other_size) && second->dim == edit->dim;
    int changed = 0;
    for (uint32_t times = 1 + gjb_random_below(&random, 4); times > 0; times--)
        changed |= gjb_mutate(&random, edit, crosses ? second : NULL, spare) != NULL;
    if (what->square)
        gjb_edit_square(edit);
    gjb_scene *scene = changed ? gjb_edit_scene(edit, NULL) : NULL;
    size_t length = 0;
    unsigned char *bytes = scene ? gjb_scene_pack(scene, &length) : NULL;
    const int fits = bytes && length <= most;
    if (fits)
        memcpy(out, bytes, length);
    free(bytes);
    gjb_scene_free(scene);
    return fits ? length : 0;
}
