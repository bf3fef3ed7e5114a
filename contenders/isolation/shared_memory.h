/* Memory that a child shares with its parent, or may only read. */
#ifndef GJB_CONTENDERS_SHARED_MEMORY_H
#define GJB_CONTENDERS_SHARED_MEMORY_H

#include "scenes/scene.h"

/* Pages. `afar`: at an address that a process forked elsewhere can have them at, too. */
typedef struct gjb_mapping {
    void *base;
    size_t bytes;
    size_t fence; /* so many bytes at its beginning and its end that may not be touched */
    int file;     /* what lies between the fences; -1 if a child has it by being forked from here */
    int writable; /* by others: for them it is shared, or a copy */
} gjb_mapping;

/* The same in another process, from a descriptor of its own; for one alone `file` stays what it was.
 * 0, or -1 if there is something already. */
int gjb_mapping_again(gjb_mapping *mapping, int file);

/* A read-only copy of a scene, in one mapping. */
typedef struct gjb_shared_scene {
    gjb_scene scene;
    gjb_mapping mapping;
} gjb_shared_scene;

/* NULL when memory does not suffice. Sessions on the same scene share one
 * copy, made as the first of them asks; every one releases it. */
const gjb_shared_scene *gjb_shared_acquire(const gjb_scene *scene, int afar);
void gjb_shared_release(const gjb_shared_scene *shared); /* NULL is fine */

/* Pages shared with children forked later, with many that may not be touched on
 * either side: a wrong stride leads far. */
typedef struct gjb_fenced {
    gjb_mapping mapping;
    char *begin, *end; /* what may be touched: whole pages */
} gjb_fenced;
int gjb_fenced_map(gjb_fenced *fenced, size_t bytes, int afar); /* zeroed; 0, or -1 */
void gjb_fenced_unmap(gjb_fenced *fenced);                      /* zeroed is fine */

#endif
