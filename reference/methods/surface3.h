/* Inside the reference room: the closed surface of triangles that EPA grows. It
 * knows which face meets which, and no geometry: whether a face sees a vertex is
 * decided in double by the one who asks, or exactly by the other. */
#ifndef REF_SURFACE3_H
#define REF_SURFACE3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reference/reference.h"

/* Counter-clockwise seen from outside; `across[k]` is the face beyond the edge
 * from v[k] to the next vertex. */
typedef struct ref_face3 {
    uint32_t v[3];
    uint32_t across[3];
    uint32_t asked; /* the extension that last asked about it */
    bool sees;      /* its answer */
    bool gone;
} ref_face3;

/* A horizon edge: from v to its successor on the horizon, seen from outside. */
typedef struct ref_edge3 {
    uint32_t v, next_v;
    uint32_t beyond, beyond_edge; /* the face that stays, and which of its edges this is */
} ref_edge3;

/* Zero before first use. Faces keep their numbers while they live; numbers of
 * gone ones are given again. */
typedef struct ref_surface3 {
    ref_face3 *faces;
    uint32_t count, room;
    uint32_t *vacant; /* numbers of gone faces */
    uint32_t vacant_count, vacant_room;
    uint32_t *stack, stack_count, stack_room;
    ref_edge3 *horizon;
    uint32_t horizon_count, horizon_room;
    uint32_t *fresh; /* faces that the last extension made */
    uint32_t fresh_count, fresh_room;
    uint32_t extensions;
} ref_surface3;

typedef bool (*ref_sees3)(void *context, uint32_t face);

/* The four faces of a tetrahedron of vertices 0 .. 3, of which 3 lies on the
 * side from which 0, 1, 2 run clockwise. */
void ref_surface3_open(ref_surface3 *surface);
/* Replaces the faces that see `vertex`, found from `first`, which does, by a fan
 * from it to their outline. False, with nothing changed, when the outline is not
 * one simple closed line, which rounding alone can bring about. */
bool ref_surface3_extend(ref_surface3 *surface, uint32_t first, uint32_t vertex, ref_sees3 sees, void *context);
void ref_surface3_free(ref_surface3 *surface);
/* Writes the faces, and makes room for the vertices. */
void ref_surface3_write(const ref_surface3 *surface, uint32_t vertex_count, ref_polytope3 *out);

/* `array` grown to hold `count` elements of `size`; *room says how many it
 * holds. Ends the program when memory does not suffice. */
void *ref_grown(void *array, uint32_t *room, uint32_t count, size_t size);

/* Do the faces close: is every directed edge matched by as many reverse ones? */
bool ref_closed3(const uint32_t (*faces)[3], uint32_t face_count, uint32_t vertex_count);

#endif
