/* Bisects the shapes of a scene for one that a contender does not live through preparing. */
#include "contenders/isolation/spoiling.h"

#include <stdlib.h>
#include <string.h>

#include "contenders/isolation/fork_server.h"

static size_t radius_size(const gjb_scene *scene)
{
    return scene->shapes.precision == GJB_F32 ? sizeof(float) : sizeof(double);
}

/* Does it come to an end while it prepares shapes [first, first + count), and nothing else? */
static int ends(const gjb_contender *contender, const char *backend, const gjb_scene *scene, uint32_t first,
                uint32_t count, gjb_end *end)
{
    gjb_scene part = *scene;
    gjb_error error = {""};
    part.shapes.kind += first;
    part.shapes.first += first;
    part.shapes.row_count += first;
    part.shapes.radius = (const char *)part.shapes.radius + first * radius_size(scene);
    part.shapes.count = count;
    part.body_count = part.frame_count = 0;
    part.body_shape = NULL;
    part.frames = NULL;
    const gjb_shared_scene *shared = gjb_shared_acquire(&part, gjb_fork_server_is_on());
    gjb_child *child = shared != NULL ? gjb_child_new(contender, backend, shared, 1, 1) : NULL;
    int ended = 0;
    if (child != NULL) {
        gjb_child_be_brief(child);
        ended = gjb_child_start(child, end, &error) == GJB_REPLY_ENDED;
    }
    gjb_child_free(child);
    gjb_shared_release(shared);
    return ended;
}

uint32_t gjb_spoiling_find(const gjb_contender *contender, const char *backend, const gjb_scene *scene, gjb_end *end)
{
    uint32_t first = 0, count = scene->shapes.count;
    while (count > 1) {
        const uint32_t half = count / 2;
        if (ends(contender, backend, scene, first, half, end)) {
            count = half;
        } else {
            first += half;
            count -= half;
            if (gjb_child_stopped() || !ends(contender, backend, scene, first, count, end))
                return GJB_NO_SHAPE;
        }
    }
    /* What was asked of one shape last is known, if there were several. */
    return count == 1 && (scene->shapes.count > 1 || ends(contender, backend, scene, 0, 1, end)) ? first
                                                                                                 : GJB_NO_SHAPE;
}

int gjb_spoiling_ends(const gjb_contender *contender, const char *backend, const gjb_scene *scene, uint32_t shape)
{
    gjb_end end;
    return ends(contender, backend, scene, shape, 1, &end);
}

int gjb_substitutes_make(gjb_substitutes *substitutes, const gjb_scene *scene)
{
    const gjb_shapes *s = &scene->shapes;
    const size_t count = s->count + 1u;
    *substitutes = (gjb_substitutes){.scene = *scene,
                                     .kind = malloc(count * sizeof *s->kind),
                                     .first = malloc(count * sizeof *s->first),
                                     .row_count = malloc(count * sizeof *s->row_count),
                                     .radius = malloc(count * radius_size(scene))};
    if (substitutes->kind == NULL || substitutes->first == NULL || substitutes->row_count == NULL ||
        substitutes->radius == NULL) {
        gjb_substitutes_free(substitutes);
        return -1;
    }
    memcpy(substitutes->kind, s->kind, s->count * sizeof *s->kind);
    memcpy(substitutes->first, s->first, s->count * sizeof *s->first);
    memcpy(substitutes->row_count, s->row_count, s->count * sizeof *s->row_count);
    memcpy(substitutes->radius, s->radius, s->count * radius_size(scene));
    gjb_shapes *own = &substitutes->scene.shapes;
    own->kind = substitutes->kind;
    own->first = substitutes->first;
    own->row_count = substitutes->row_count;
    own->radius = substitutes->radius;
    return 0;
}

void gjb_substitutes_set(gjb_substitutes *substitutes, uint32_t shape, uint32_t by)
{
    const size_t size = radius_size(&substitutes->scene);
    char *radius = substitutes->radius;
    substitutes->kind[shape] = substitutes->kind[by];
    substitutes->first[shape] = substitutes->first[by];
    substitutes->row_count[shape] = substitutes->row_count[by];
    memcpy(radius + shape * size, radius + by * size, size);
}

void gjb_substitutes_free(gjb_substitutes *substitutes)
{
    free(substitutes->kind);
    free(substitutes->first);
    free(substitutes->row_count);
    free(substitutes->radius);
    *substitutes = (gjb_substitutes){0};
}
