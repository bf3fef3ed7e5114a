/* Finds recorded scenes by name, and loads them with a check of their hash. */
#include "contenders/recorded.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenes/hash.h"

const gjb_recorded gjb_recorded_scenes[] = {
    {"box2d-pyramid", "scenes/pyramid.gjb", "a pyramid of boxes, knocked over by a ball",
     0xdc9d067c16b07a29u, 0},
    {"box2d-tumbler", "scenes/tumbler.gjb", "boxes in a turning drum of four walls",
     0x015315fd5b310269u, 0},
    {"box2d-pile", "scenes/pile.gjb", "circles, boxes and polygons of 3 to 8 corners in a bin",
     0x06a97a833c3bd3e0u, 0},
    {"bullet-stack", "scenes/stack.gjb", "a wall of boxes, knocked over by a ball", 0x6e74c307c709724fu, 0},
    {"bullet-heap", "scenes/heap.gjb", "hulls of 4 to 32 corners in a bin", 0xca717f963c127c41u, 0},
    {"bullet-rollers", "scenes/rollers.gjb", "capsules and boxes rolling in a bin", 0xa825fae0999ae5abu, 0},
    {"box2d-ragdolls", "scenes/ragdolls.gjb", "dolls of jointed boxes, circles and rounded bars, heaped up in a bin",
     0xf4872b4c070b4f79u, 1},
    {"box2d-level", "scenes/level.gjb", "a platform game's level, in which much walks, jumps and rolls",
     0x0d95dfe7d53b5a0bu, 1},
    {"bullet-pieces", "scenes/pieces.gjb", "boulders cut into pieces of 20 to 60 corners, falling to a heap",
     0x03abc1ccd0ed900bu, 1},
    {"bullet-rest", "scenes/rest.gjb", "columns, walls and pyramids of boxes and barrels, at rest",
     0x76eea0e89cc84bceu, 1},
};
const size_t gjb_recorded_count = sizeof gjb_recorded_scenes / sizeof gjb_recorded_scenes[0];

const gjb_recorded *gjb_recorded_find(const char *name)
{
    for (size_t i = 0; i < gjb_recorded_count; i++)
        if (strcmp(gjb_recorded_scenes[i].name, name) == 0)
            return &gjb_recorded_scenes[i];
    return NULL;
}

/* 1 when there is such a file to read. */
static int path_in(const char *folder, const char *file, char *path, size_t size)
{
    const int length = snprintf(path, size, "%s/%s", folder, file);
    return length > 0 && (size_t)length < size && access(path, R_OK) == 0;
}

gjb_scene *gjb_recorded_load(const gjb_recorded *recorded, gjb_error *error)
{
    char path[4096];
    const char *named = getenv("GJKBENCH_DATA");
    if (named != NULL ? !path_in(named, recorded->file, path, sizeof path)
                      : !path_in(GJB_DATA_SOURCE, recorded->file, path, sizeof path) &&
                            !path_in(GJB_DATA_INSTALLED, recorded->file, path, sizeof path)) {
        gjb_fail(error, "%s: %s: not found; set GJKBENCH_DATA to the data folder", recorded->name,
                 recorded->file);
        return NULL;
    }
    gjb_scene *scene = gjb_scene_load(path, error);
    if (scene != NULL && gjb_scene_hash(scene) != recorded->hash) {
        gjb_fail(error, "%s: scene hash %016llx, the one that ships has %016llx", path,
                 (unsigned long long)gjb_scene_hash(scene), (unsigned long long)recorded->hash);
        gjb_scene_free(scene);
        return NULL;
    }
    return scene;
}
