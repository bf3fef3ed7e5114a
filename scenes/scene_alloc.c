/* Memory of scenes, by cache lines. */
#include <stdlib.h>
#include <string.h>

#include "scenes/scene_private.h"

/* Shapes of eight f32 vertices then fill one cache line, not two halves. */
enum { CACHE_LINE = 64 };

void *gjb_scene_alloc(uint64_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - 2 * CACHE_LINE)
        return NULL;
    bytes = (bytes + CACHE_LINE) / CACHE_LINE * CACHE_LINE;
    void *memory = aligned_alloc(CACHE_LINE, bytes);
    return memory != NULL ? memset(memory, 0, bytes) : NULL;
}
