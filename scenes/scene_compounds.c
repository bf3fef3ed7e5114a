/* Compounds of a scene: bodies that are the parts of one, and the pairs of such. */
#include <stdlib.h>

#include "scenes/scene_private.h"

int gjb_scene_set_part(gjb_scene *scene, uint32_t body, uint32_t whole)
{
    if (scene->part_of == NULL) {
        scene->part_of = gjb_scene_alloc(scene->body_count, sizeof *scene->part_of);
        if (scene->part_of == NULL)
            return -1;
        for (uint32_t b = 0; b < scene->body_count; b++)
            scene->part_of[b] = b;
    }
    scene->part_of[body] = whole;
    return 0;
}

uint32_t gjb_scene_compounds(const gjb_scene *scene)
{
    uint32_t count = 0, *next = gjb_scene_next_parts(scene);
    for (uint32_t b = 0; next != NULL && b < scene->body_count; b++)
        count += gjb_scene_whole(scene, b) == b && next[b] != GJB_NO_PART;
    free(next);
    return count;
}

int gjb_scene_has_compounds(const gjb_scene *scene)
{
    for (uint32_t b = 0; b < scene->body_count; b++)
        if (gjb_scene_whole(scene, b) != b)
            return 1;
    return 0;
}

uint32_t *gjb_scene_next_parts(const gjb_scene *scene)
{
    uint32_t *next = malloc(((size_t)scene->body_count + 1) * sizeof *next);
    for (uint32_t b = 0; next != NULL && b < scene->body_count; b++)
        next[b] = GJB_NO_PART;
    /* The whole is the first of its parts, so what it holds last is the part behind it. */
    for (uint32_t b = scene->body_count; next != NULL && b-- > 0;) {
        const uint32_t whole = gjb_scene_whole(scene, b);
        if (whole != b) {
            next[b] = next[whole];
            next[whole] = b;
        }
    }
    return next;
}

/* A pair of the scene by what it is a part of. */
typedef struct placed {
    uint32_t whole[2];
    uint64_t place;
} placed;

static int by_wholes(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    for (int side = 0; side < 2; side++)
        if (p->whole[side] != q->whole[side])
            return p->whole[side] < q->whole[side] ? -1 : 1;
    return (p->place > q->place) - (p->place < q->place);
}

static int same_wholes(const placed *p, const placed *q)
{
    return p->whole[0] == q->whole[0] && p->whole[1] == q->whole[1];
}

/* How many parts each compound has, by its first; 1 of a body on its own. NULL without memory. */
static uint32_t *count_parts(const gjb_scene *scene)
{
    uint32_t *parts = calloc((size_t)scene->body_count + 1, sizeof *parts);
    for (uint32_t b = 0; parts != NULL && b < scene->body_count; b++)
        parts[gjb_scene_whole(scene, b)]++;
    return parts;
}

/* Appends the pairs of one frame, whose first pair is at `before`. */
static void find_in_frame(const gjb_scene *scene, uint32_t f, uint64_t before, const uint32_t *parts, placed *sorted,
                          gjb_compound_pairs *found)
{
    const gjb_frame *frame = &scene->frames[f];
    for (uint64_t i = 0; i < frame->pair_count; i++)
        sorted[i] = (placed){
            {gjb_scene_whole(scene, frame->pairs[2 * i]), gjb_scene_whole(scene, frame->pairs[2 * i + 1])}, before + i};
    if (frame->pair_count > 0)
        qsort(sorted, frame->pair_count, sizeof *sorted, by_wholes);
    for (uint64_t i = 0; i < frame->pair_count; i++) {
        const placed *p = &sorted[i];
        if (i == 0 || !same_wholes(p, p - 1))
            found->all[found->count++] = (gjb_compound_pair){
                .frame = f, .whole = {p->whole[0], p->whole[1]},
                .parts = (uint64_t)parts[p->whole[0]] * parts[p->whole[1]]};
        found->all[found->count - 1].listed++;
        found->of[p->place] = found->count - 1;
    }
}

int gjb_compound_pairs_find(const gjb_scene *scene, gjb_compound_pairs *found)
{
    uint64_t all = 0, most = 0;
    for (uint32_t f = 0; f < scene->frame_count; f++) {
        all += scene->frames[f].pair_count;
        most = scene->frames[f].pair_count > most ? scene->frames[f].pair_count : most;
    }
    *found = (gjb_compound_pairs){.all = calloc(all + 1, sizeof *found->all), .of = calloc(all + 1, sizeof *found->of)};
    uint32_t *parts = count_parts(scene);
    placed *sorted = calloc(most + 1, sizeof *sorted);
    const int failed = found->all == NULL || found->of == NULL || parts == NULL || sorted == NULL;
    uint64_t before = 0;
    for (uint32_t f = 0; f < scene->frame_count && !failed; f++) {
        find_in_frame(scene, f, before, parts, sorted, found);
        before += scene->frames[f].pair_count;
    }
    free(parts);
    free(sorted);
    if (failed)
        gjb_compound_pairs_free(found);
    return failed ? -1 : 0;
}

void gjb_compound_pairs_free(gjb_compound_pairs *found)
{
    free(found->all);
    free(found->of);
    *found = (gjb_compound_pairs){0};
}
