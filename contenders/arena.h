/* Memory that a child shares with its parent, or may only read. */
#ifndef GJB_CONTENDERS_ARENA_H
#define GJB_CONTENDERS_ARENA_H

#include "core/scene.h"

/* A copy of a scene that nobody can write to: one mapping, read-only. */
typedef struct gjb_arena {
    gjb_scene scene;
    void *base;
    size_t bytes;
} gjb_arena;

/* NULL when memory does not suffice. Sessions on the same scene share one
 * arena; every one releases it. */
const gjb_arena *gjb_arena_acquire(const gjb_scene *scene);
void gjb_arena_release(const gjb_arena *arena); /* NULL is fine */

/* Pages shared with children forked later, with many that nobody may touch on
 * either side: a wrong stride leads far. */
typedef struct gjb_fenced {
    void *base;
    size_t bytes;
    char *begin, *end; /* what may be touched: whole pages */
} gjb_fenced;
int gjb_fenced_map(gjb_fenced *fenced, size_t bytes); /* zeroed; 0, or -1 */
void gjb_fenced_unmap(gjb_fenced *fenced);            /* zeroed is fine */

#endif
