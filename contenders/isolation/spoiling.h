/* Shapes that a contender does not live through preparing: which they are, and the scene without them. */
#ifndef GJB_CONTENDERS_SPOILING_H
#define GJB_CONTENDERS_SPOILING_H

#include "contenders/isolation/child.h"

#define GJB_NO_SHAPE UINT32_MAX

/* Of the shapes of a scene that a contender does not live through preparing, one that it does not live through alone:
 * how it ends then is in `end`. GJB_NO_SHAPE if there is none, as if it takes several, or the stop flag is raised. */
uint32_t gjb_spoiling_find(const gjb_contender *contender, const char *backend, const gjb_scene *scene, gjb_end *end);
/* 1 if it does not live through preparing that one shape, either. */
int gjb_spoiling_ends(const gjb_contender *contender, const char *backend, const gjb_scene *scene, uint32_t shape);

/* A scene whose shapes may be stood in for by others. Zero it; free it after all that uses its scene. */
typedef struct gjb_substitutes {
    gjb_scene scene;
    uint8_t *kind;
    uint32_t *first, *row_count;
    void *radius;
} gjb_substitutes;
/* `scene` is borrowed for as long. 0, or -1 out of memory. */
int gjb_substitutes_make(gjb_substitutes *substitutes, const gjb_scene *scene);
/* `by` stands in for `shape` from here on: never while a session has the scene. */
void gjb_substitutes_set(gjb_substitutes *substitutes, uint32_t shape, uint32_t by);
void gjb_substitutes_free(gjb_substitutes *substitutes);

#endif
