/* Scenes and results in shared mappings at fixed addresses, with guard pages around what a child may write. */
#include "contenders/isolation/shared_memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGNMENT = 64, FENCE = 1 << 20 };

/* One that sessions hold. */
typedef struct entry {
    gjb_shared_scene shared;
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

/* --- mappings ---------------------------------------------------------------- */

/* Far from where a system puts things by itself, on machines of 47 bits and more; a new place each time. */
static const uintptr_t places_begin = (uintptr_t)((uint64_t)0x200000000000 & UINTPTR_MAX),
                       places_end = (uintptr_t)((uint64_t)0x500000000000 & UINTPTR_MAX);
static _Atomic uintptr_t place;

static void *reserve(void *at, size_t bytes, int exactly)
{
    return mmap(at, bytes, PROT_NONE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (exactly ? MAP_FIXED_NOREPLACE : 0), -1, 0);
}

static void *find_place(size_t bytes)
{
    uintptr_t at = atomic_fetch_add(&place, bytes) + places_begin;
    if (at + bytes > places_end) {
        atomic_store(&place, bytes);
        at = places_begin;
    }
    void *base = reserve((void *)at, bytes, 1);
    return base != MAP_FAILED ? base : reserve(NULL, bytes, 0);
}

static void *inner(const gjb_mapping *m)
{
    return (char *)m->base + m->fence;
}

/* For this process, which fills it. */
static int fill_place(const gjb_mapping *m)
{
    const size_t bytes = m->bytes - 2 * m->fence;
    const int kind = m->file >= 0 ? MAP_SHARED : (m->writable ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS;
    return mmap(inner(m), bytes, PROT_READ | PROT_WRITE, kind | MAP_FIXED, m->file, 0) == MAP_FAILED ? -1 : 0;
}

static void unmap(gjb_mapping *m)
{
    if (m->base == NULL)
        return;
    munmap(m->base, m->bytes);
    if (m->file >= 0)
        close(m->file);
    *m = (gjb_mapping){0};
}

static int map(gjb_mapping *m, size_t bytes, size_t fence, int writable, int afar)
{
    *m = (gjb_mapping){.bytes = bytes + 2 * fence, .fence = fence, .file = -1, .writable = writable};
    if (afar) {
        m->file = memfd_create("gjkbench", MFD_CLOEXEC);
        if (m->file >= 0 && ftruncate(m->file, (off_t)bytes) != 0) {
            close(m->file);
            m->file = -1;
        }
    }
    m->base = m->file >= 0 ? find_place(m->bytes) : reserve(NULL, m->bytes, 0);
    if (m->base == MAP_FAILED)
        m->base = NULL;
    if (m->base != NULL && fill_place(m) == 0)
        return 0;
    if (m->base == NULL && m->file >= 0)
        close(m->file);
    unmap(m);
    return -1;
}

int gjb_mapping_again(gjb_mapping *m, int file)
{
    const size_t bytes = m->bytes - 2 * m->fence;
    if (reserve(m->base, m->bytes, 1) != m->base)
        return -1;
    const int protection = m->writable ? PROT_READ | PROT_WRITE : PROT_READ;
    if (mmap(inner(m), bytes, protection, (m->writable ? MAP_SHARED : MAP_PRIVATE) | MAP_FIXED, file, 0) != MAP_FAILED)
        return 0;
    munmap(m->base, m->bytes);
    return -1;
}

/* --- scenes ------------------------------------------------------------------ */

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

static int map_scene(gjb_shared_scene *shared, const gjb_scene *scene, int afar)
{
    copier c = {0};
    copy_scene(&c, scene, &shared->scene);
    if (map(&shared->mapping, pages(c.used), 0, 0, afar) != 0)
        return -1;
    c = (copier){shared->mapping.base, 0};
    copy_scene(&c, scene, &shared->scene);
    if (mprotect(shared->mapping.base, shared->mapping.bytes, PROT_READ) == 0)
        return 0;
    unmap(&shared->mapping);
    return -1;
}

const gjb_shared_scene *gjb_shared_acquire(const gjb_scene *scene, int afar)
{
    pthread_mutex_lock(&lock);
    entry *e = entries;
    while (e != NULL && e->of != scene)
        e = e->next;
    if (e == NULL && (e = calloc(1, sizeof *e)) != NULL) {
        if (map_scene(&e->shared, scene, afar) != 0) {
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
    return e != NULL ? &e->shared : NULL;
}

void gjb_shared_release(const gjb_shared_scene *shared)
{
    pthread_mutex_lock(&lock);
    for (entry **at = &entries; shared != NULL && *at != NULL; at = &(*at)->next)
        if (&(*at)->shared == shared) {
            entry *e = *at;
            if (--e->holders == 0) {
                *at = e->next;
                unmap(&e->shared.mapping);
                free(e);
            }
            break;
        }
    pthread_mutex_unlock(&lock);
}

int gjb_fenced_map(gjb_fenced *fenced, size_t bytes, int afar)
{
    *fenced = (gjb_fenced){0};
    if (map(&fenced->mapping, pages(bytes), FENCE, 1, afar) != 0)
        return -1;
    fenced->begin = (char *)fenced->mapping.base + FENCE;
    fenced->end = fenced->begin + pages(bytes);
    return 0;
}

void gjb_fenced_unmap(gjb_fenced *fenced)
{
    unmap(&fenced->mapping);
    *fenced = (gjb_fenced){0};
}
