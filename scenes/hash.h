/* Fingerprints: XXH3, 64 bits. */
#ifndef GJB_SCENES_HASH_H
#define GJB_SCENES_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "scenes/scene.h"

/* Of `count` records of `size` bytes, `stride` apart, chained onto `seed`. */
uint64_t gjb_fingerprint(const void *records, size_t count, size_t size, size_t stride, uint64_t seed);
/* The workload hash: of everything in a scene that can change an answer. */
uint64_t gjb_scene_hash(const gjb_scene *scene);
/* Of what can change an answer to that query: margin and `within` are left out if it has none. */
uint64_t gjb_scene_hash_for(const gjb_scene *scene, gjb_query query);

#endif
