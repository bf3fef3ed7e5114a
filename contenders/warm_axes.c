/* Matches a frame's pairs with those of the frame before by bodies, and gathers their axes for warm starts. */
#include "contenders/warm_axes.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

struct gjb_warm {
    uint32_t frames;
    size_t axis, most;
    char **answers;  /* axes of each frame's answers */
    uint32_t **from; /* of each pair, where in those of the frame before */
    uint64_t known;
    int own; /* the frame before is the frame itself: of a scene of one, and where axes are stale */
};

/* A pair of bodies and where it is in its frame. */
typedef struct place {
    uint64_t bodies;
    uint32_t at;
} place;

static int by_bodies(const void *a, const void *b)
{
    const uint64_t p = ((const place *)a)->bodies, q = ((const place *)b)->bodies;
    return (p > q) - (p < q);
}

static place place_of(const gjb_frame *frame, uint64_t i)
{
    return (place){(uint64_t)frame->pairs[2 * i] << 32 | frame->pairs[2 * i + 1], (uint32_t)i};
}

/* Where frame `f` finds its pairs in the frame before. */
static int find_places(const gjb_scene *scene, gjb_start start, uint32_t f, uint32_t *from)
{
    const gjb_frame *now = &scene->frames[f], *before = &scene->frames[f ? f - 1 : 0];
    const uint64_t count = before->pair_count;
    if (start == GJB_STALE || (f == 0 && scene->frame_count == 1)) {
        for (uint64_t i = 0; i < now->pair_count; i++)
            from[i] = (uint32_t)((i + (start == GJB_STALE)) % now->pair_count);
        return 0;
    }
    place *places = f ? malloc((count + 1) * sizeof *places) : NULL;
    if (f && !places)
        return -1;
    for (uint64_t i = 0; f && i < count; i++)
        places[i] = place_of(before, i);
    if (f)
        qsort(places, count, sizeof *places, by_bodies);
    for (uint64_t i = 0; i < now->pair_count; i++) {
        const place wanted = place_of(now, i);
        const place *found = f ? bsearch(&wanted, places, count, sizeof *places, by_bodies) : NULL;
        from[i] = found ? found->at : NOWHERE;
    }
    free(places);
    return 0;
}

static int make_frame(gjb_warm *w, const gjb_scene *scene, gjb_start start, uint32_t f)
{
    const uint64_t count = scene->frames[f].pair_count;
    w->most = count > w->most ? count : w->most;
    w->answers[f] = calloc(count + 1, w->axis);
    w->from[f] = malloc((count + 1) * sizeof **w->from);
    return w->answers[f] && w->from[f] ? find_places(scene, start, f, w->from[f]) : -1;
}

/* Axes that are not 0. */
static uint64_t count_known(const gjb_warm *w, const char *axes, uint64_t count)
{
    static const char none[3 * sizeof(double)];
    uint64_t known = 0;
    for (uint64_t i = 0; i < count; i++)
        known += memcmp(axes + i * w->axis, none, w->axis) != 0;
    return known;
}

gjb_warm *gjb_warm_make(const gjb_scene *scene, gjb_start start, gjb_warm_ask *ask, void *user)
{
    gjb_warm *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->axis = scene->shapes.dim * (scene->shapes.precision == GJB_F32 ? sizeof(float) : sizeof(double));
    w->frames = scene->frame_count;
    w->own = start == GJB_STALE || w->frames == 1;
    w->answers = calloc(w->frames, sizeof *w->answers);
    w->from = calloc(w->frames, sizeof *w->from);
    int failed = !w->answers || !w->from;
    for (uint32_t f = 0; f < w->frames && !failed; f++) {
        failed = make_frame(w, scene, start, f);
        if (failed || scene->frames[f].pair_count == 0)
            continue;
        if (f > 0 && !w->own)
            gjb_warm_gather(w, f, 0, scene->frames[f].pair_count, w->answers[f]);
        w->known += count_known(w, w->answers[f], scene->frames[f].pair_count);
        ask(user, f, w->answers[f]);
    }
    for (uint32_t f = 0; f < w->frames && !failed; f++)
        if (w->own)
            w->known += count_known(w, w->answers[f], scene->frames[f].pair_count);
    if (failed) {
        gjb_warm_free(w);
        return NULL;
    }
    return w;
}

void gjb_warm_free(gjb_warm *warm)
{
    if (warm == NULL)
        return;
    for (uint32_t f = 0; f < warm->frames; f++) {
        if (warm->answers)
            free(warm->answers[f]);
        if (warm->from)
            free(warm->from[f]);
    }
    free(warm->answers);
    free(warm->from);
    free(warm);
}

size_t gjb_warm_axis(const gjb_warm *warm)
{
    return warm->axis;
}

uint64_t gjb_warm_known(const gjb_warm *warm)
{
    return warm->known;
}

size_t gjb_warm_most(const gjb_warm *warm)
{
    return warm->most;
}

/* `size` is a constant if it is inlined, so that an axis is moved by a load or two. */
static inline void gather(const char *last, const uint32_t *from, uint64_t count, char *axes, size_t size)
{
    static const char none[3 * sizeof(double)];
    for (uint64_t i = 0; i < count; i++)
        memcpy(axes + i * size, from[i] == NOWHERE ? none : last + from[i] * size, size);
}

void gjb_warm_gather(const gjb_warm *warm, uint32_t frame, uint64_t first, uint64_t count, void *axes)
{
    const uint32_t *from = warm->from[frame] + first;
    const char *last = warm->answers[warm->own || frame == 0 ? frame : frame - 1];
    switch (warm->axis) {
    case 2 * sizeof(float): gather(last, from, count, axes, 2 * sizeof(float)); break;
    case 3 * sizeof(float): gather(last, from, count, axes, 3 * sizeof(float)); break;
    case 2 * sizeof(double): gather(last, from, count, axes, 2 * sizeof(double)); break;
    default: gather(last, from, count, axes, 3 * sizeof(double)); break;
    }
}
