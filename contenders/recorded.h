/* Scenes recorded from a physics engine, shipped in data/scenes. */
#ifndef GJB_CONTENDERS_RECORDED_H
#define GJB_CONTENDERS_RECORDED_H

#include "core/error.h"
#include "scenes/scene.h"

typedef struct gjb_recorded {
    const char *name;  /* as a workload: "box2d-pyramid"; also the scene's own name */
    const char *file;  /* inside data/ */
    const char *about;
    uint64_t hash;     /* gjb_scene_hash of what ships */
    int is_new;        /* came after the first six: in no mean with them */
} gjb_recorded;

extern const gjb_recorded gjb_recorded_scenes[];
extern const size_t gjb_recorded_count;
const gjb_recorded *gjb_recorded_find(const char *name); /* NULL if none */

/* Loads and checks the scene (f32, several frames) from the folder that
 * GJKBENCH_DATA names, else from the source tree this was built from, else from
 * where it was installed. NULL with one line in `error` when it is in none of
 * them, is not a scene, or is another scene than the one that ships. */
gjb_scene *gjb_recorded_load(const gjb_recorded *recorded, gjb_error *error);

#endif
