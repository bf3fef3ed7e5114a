/* Fingerprints of bytes, and of the contents of a scene, whatever its layout in memory. */
#include "scenes/hash.h"

#include "core/query.h"

/* Inlined: a state on the stack then needs no allocation that could fail. */
#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t gjb_fingerprint(const void *records, size_t count, size_t size, size_t stride, uint64_t seed)
{
    if (size == stride || count <= 1)
        return XXH3_64bits_withSeed(records, count * size, seed);
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_64bits_reset_withSeed(&state, seed);
    for (size_t i = 0; i < count; i++)
        XXH3_64bits_update(&state, (const char *)records + i * stride, size);
    return XXH3_64bits_digest(&state);
}

/* Hashes the contents of the scene, not its layout: shapes that share rows, or a
 * NULL body_shape, hash like their explicit equals. */
uint64_t gjb_scene_hash(const gjb_scene *scene)
{
    const gjb_shapes *shapes = &scene->shapes;
    const size_t scalar = shapes->precision == GJB_F32 ? sizeof(float) : sizeof(double);
    const size_t pose = gjb_pose_size((gjb_precision)shapes->precision, shapes->dim);
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_64bits_reset(&state);
    const uint32_t head[] = {shapes->dim, shapes->precision, shapes->count, scene->body_count,
                             scene->frame_count};
    XXH3_64bits_update(&state, head, sizeof head);
    for (uint32_t i = 0; i < shapes->count; i++) {
        const uint32_t form[] = {shapes->kind[i], shapes->row_count[i]};
        XXH3_64bits_update(&state, form, sizeof form);
        XXH3_64bits_update(&state, (const char *)shapes->radius + i * scalar, scalar);
        XXH3_64bits_update(&state,
                           (const char *)shapes->rows + (size_t)shapes->first[i] * shapes->dim * scalar,
                           (size_t)shapes->row_count[i] * shapes->dim * scalar);
    }
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const uint32_t shape = scene->body_shape != NULL ? scene->body_shape[i] : i;
        XXH3_64bits_update(&state, &shape, sizeof shape);
    }
    for (uint32_t f = 0; f < scene->frame_count; f++) {
        const gjb_frame *frame = &scene->frames[f];
        XXH3_64bits_update(&state, frame->poses, scene->body_count * pose);
        if (frame->motions != NULL) {
            const size_t motion = gjb_motion_size((gjb_precision)shapes->precision, shapes->dim);
            XXH3_64bits_update(&state, frame->motions, scene->body_count * motion);
        }
        XXH3_64bits_update(&state, &frame->pair_count, sizeof frame->pair_count);
        XXH3_64bits_update(&state, frame->pairs, (size_t)frame->pair_count * 2 * sizeof(uint32_t));
    }
    if (scene->margin > 0.0 || scene->within > 0.0) /* without one, the hash is that of before there were margins */
        XXH3_64bits_update(&state, &scene->margin, sizeof scene->margin);
    if (scene->within > 0.0)
        XXH3_64bits_update(&state, &scene->within, sizeof scene->within);
    if (scene->leaving)
        XXH3_64bits_update(&state, "leaving", sizeof "leaving");
    return XXH3_64bits_digest(&state);
}

uint64_t gjb_scene_hash_for(const gjb_scene *scene, gjb_query query)
{
    gjb_scene asked = *scene;
    asked.margin = gjb_queries[query].has_patch ? scene->margin : 0.0;
    asked.within = gjb_queries[query].has_within ? scene->within : 0.0;
    asked.leaving = gjb_queries[query].has_leaving ? scene->leaving : GJB_LEAVING_HIT;
    return gjb_scene_hash(&asked);
}
