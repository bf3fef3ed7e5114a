/* Scenes and helpers that several tests share. */
#ifndef GJB_SCENES_TESTS_SAMPLES_H
#define GJB_SCENES_TESTS_SAMPLES_H

#include <stdint.h>

#include "scenes/scene.h"

/* Random bits for tests (splitmix64), independent of what is tested. */
uint64_t sample_bits(uint64_t *state);

/* Every kind of shape (but triangles), numbers from all over the precision's range, shared
 * shapes, a body paired with itself; `frames` frames. */
gjb_scene *sample_scene(uint32_t dim, gjb_precision precision, uint32_t frames, uint64_t seed);

/* The same with motions in every other frame, the first included, and a box by its corners. */
gjb_scene *sample_moving(uint32_t dim, gjb_precision precision, uint32_t frames, uint64_t seed);

/* 1 if both are equal, bit for bit, texts included. */
int sample_equal(const gjb_scene *a, const gjb_scene *b);

/* All that save_json or save_binary writes, on the heap. */
typedef int (*sample_saver)(const gjb_scene *scene, const char *path, gjb_error *error);
unsigned char *sample_saved(sample_saver save, const gjb_scene *scene, size_t *size);

/* A fresh directory for this test, to be removed with its files. */
void sample_directory(char path[64]);
void sample_remove(const char *directory);

/* 1 when `error` holds exactly one printable line. */
int sample_one_line(const gjb_error *error);

#endif
