/* The pairs to choose by: a scene made from a description, and what a scene is like in words. */
#ifndef GJB_CLI_CHOOSE_SCENE_H
#define GJB_CLI_CHOOSE_SCENE_H

#include "scenes/generate/generate.h"
#include "scenes/scene.h"

enum { CHOOSE_HOW = 320 };

typedef struct choose_description {
    uint32_t dim;
    gjb_precision precision;
    const char *const *workloads; /* that the dimension has; each gets as many pairs */
    size_t workload_count;        /* at least 1 */
    const gjb_family *const
        *families; /* that the dimension has; each gets as many pairs; 0: as `overlap` says */
    size_t family_count;
    double overlap;  /* share of pairs that overlap; negative: as in family mixed, about half */
    uint32_t shapes; /* in the library; 0: 4,096, fewer of large ones */
    uint32_t call;   /* pairs a call; 0: 4,096, fewer of large ones */
    uint64_t seed;
    double margin;   /* of manifold, as gjb_recipe has it */
    double within;   /* of intersect and distance, likewise */
    const gjb_shapes *library; /* of the workloads "realN"; NULL: the hulls that ship */
} choose_description;

/* A scene of such pairs, in an order that nothing can foresee; of one workload and family the same that a
 * benchmark of them runs on. Sets `call`, and says in `how` what the pairs were drawn from. NULL with one
 * line in `error`; the caller frees it. */
gjb_scene *choose_describe(const choose_description *asked, uint32_t *call, char how[CHOOSE_HOW],
                           gjb_error *error);

/* Pairs of all frames. */
uint64_t choose_pairs(const gjb_scene *scene);

/* "3D, f32, 4,096 shapes (60% box, 40% hull), 8 to 64 vertices, median 8". */
void choose_shapes_text(const gjb_scene *scene, char text[CHOOSE_HOW]);

/* What a contender of these kinds (bits) and so many vertices a shape lacks for the shapes that take part in
 * pairs: "hulls of more than 8 vertices"; or "". */
void choose_lacks_shapes(const gjb_scene *scene, uint32_t kinds, uint32_t max_vertices, char *text,
                         size_t size);

#endif
