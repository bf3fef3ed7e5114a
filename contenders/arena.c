#include "contenders/arena.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGNMENT = 64, FENCE = 1 << 20 };

/* One that sessions hold. */
typedef struct entry {
    gjb_arena arena;
    const gjb_scene *of;
    uint32_t holders;
    struct entry *next;
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry *entries;

static size_t pages(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

/* Counts bytes while `base` is NULL, and copies there otherwise. */
typedef struct copier {
    char *base;
    size_t used;
} copier;

static void *copy(copier *c, const void *from, size_t bytes)
{
    if (from == NULL)
        return NULL;
    void *to = c->base != NULL ? c->base + c->used : NULL;
    if (to != NULL)
        memcpy(to, from, bytes);
    c->used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return to;
}

static void copy_scene(copier *c, const gjb_scene *from, gjb_scene *to)
{
    const gjb_shapes *s = &from->shapes;
    const size_t scalar = s->precision == GJB_F32 ? sizeof(float) : sizeof(double);
    uint64_t rows = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if ((uint64_t)s->first[i] + s->row_count[i] > rows)
            rows = (uint64_t)s->first[i] + s->row_count[i];
    gjb_scene copied = *from;
    copied.shapes.kind = copy(c, s->kind, s->count * sizeof *s->kind);
    copied.shapes.first = copy(c, s->first, s->count * sizeof *s->first);
    copied.shapes.row_count = copy(c, s->row_count, s->count * sizeof *s->row_count);
    copied.shapes.radius = copy(c, s->radius, s->count * scalar);
    copied.shapes.rows = copy(c, s->rows, rows * s->dim * scalar);
    copied.body_shape = copy(c, from->body_shape, from->body_count * sizeof *from->body_shape);
    gjb_frame *frames = copy(c, from->frames, from->frame_count * sizeof *from->frames);
    copied.frames = frames;
    for (uint32_t f = 0; f < from->frame_count; f++) {
        const gjb_frame *frame = &from->frames[f];
        void *poses = copy(c, frame->poses,
                           from->body_count * gjb_pose_size((gjb_precision)s->precision, s->dim));
        void *motions = frame->motions == NULL
                            ? NULL
                            : copy(c, frame->motions,
                                   from->body_count * gjb_motion_size((gjb_precision)s->precision, s->dim));
        uint32_t *pairs = copy(c, frame->pairs, 2 * frame->pair_count * sizeof *frame->pairs);
        if (frames != NULL)
            frames[f] = (gjb_frame){poses, motions, pairs, frame->pair_count};
    }
    *to = copied;
}

static int map_scene(gjb_arena *arena, const gjb_scene *scene)
{
    copier c = {0};
    copy_scene(&c, scene, &arena->scene);
    arena->bytes = pages(c.used);
    arena->base = mmap(NULL, arena->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (arena->base == MAP_FAILED)
        return -1;
    c = (copier){arena->base, 0};
    copy_scene(&c, scene, &arena->scene);
    if (mprotect(arena->base, arena->bytes, PROT_READ) == 0)
        return 0;
    munmap(arena->base, arena->bytes);
    return -1;
}

const gjb_arena *gjb_arena_acquire(const gjb_scene *scene)
{
    pthread_mutex_lock(&lock);
    entry *e = entries;
    while (e != NULL && e->of != scene)
        e = e->next;
    if (e == NULL && (e = calloc(1, sizeof *e)) != NULL) {
        if (map_scene(&e->arena, scene) != 0) {
            free(e);
            pthread_mutex_unlock(&lock);
            return NULL;
        }
        e->of = scene;
        e->next = entries;
        entries = e;
    }
    if (e != NULL)
        e->holders++;
    pthread_mutex_unlock(&lock);
    return e != NULL ? &e->arena : NULL;
}

void gjb_arena_release(const gjb_arena *arena)
{
    pthread_mutex_lock(&lock);
    for (entry **at = &entries; arena != NULL && *at != NULL; at = &(*at)->next)
        if (&(*at)->arena == arena) {
            entry *e = *at;
            if (--e->holders == 0) {
                *at = e->next;
                munmap(e->arena.base, e->arena.bytes);
                free(e);
            }
            break;
        }
    pthread_mutex_unlock(&lock);
}

int gjb_fenced_map(gjb_fenced *fenced, size_t bytes)
{
    const size_t inner = pages(bytes);
    *fenced = (gjb_fenced){.bytes = inner + 2 * (size_t)FENCE};
    fenced->base = mmap(NULL, fenced->bytes, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fenced->base == MAP_FAILED) {
        *fenced = (gjb_fenced){0};
        return -1;
    }
    fenced->begin = (char *)fenced->base + FENCE;
    fenced->end = fenced->begin + inner;
    if (mprotect(fenced->begin, inner, PROT_READ | PROT_WRITE) == 0)
        return 0;
    gjb_fenced_unmap(fenced);
    return -1;
}

void gjb_fenced_unmap(gjb_fenced *fenced)
{
    if (fenced->base != NULL)
        munmap(fenced->base, fenced->bytes);
    *fenced = (gjb_fenced){0};
}
