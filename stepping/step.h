/* Moves many boxes over one step: they move until the first two of them meet, those two
 * respond, and the rest of the step is swept again, until its end. In 2D and 3D, in double;
 * built on the batched sweep, with the same bits on every backend.
 *
 * The method is event-driven simulation (Alder and Wainwright 1959): hits are taken in
 * order of time, of equal times that of the lowest indices first, and only the boxes that
 * responded are swept again, against those whose swept bounds meet theirs (sweep and prune,
 * Baraff 1992).
 *
 * Two boxes are kept apart by a skin: a hit is when the gap comes down to it. A box has one
 * along each axis, 2^-38 of the largest coordinate there that it has or heads for in the
 * step, and that of a pair is the mean of both: boxes that are far away, or fast, do not change
 * the skins of others. Its size: with u = 2^-53 and M the sum of both boxes' largest coordinates,
 * a hit's gap is off by the kernel's 12 u M (simd/sweep.c), by its time's u times the speed and by
 * the rounding of two places, below 20 u M in all, and every change of a velocity rounds a
 * place again, 3 u M; the skin is 2^14 u M. So with w, the sum of both thicknesses along an axis:
 *
 * - Boxes more than a skin apart along some axis when the step begins are apart at every
 *   time along some axis, except for an overlap there below a skin and below w/3. Each stays
 *   on the outside of a face of the other, so none passes another, not even points, or plates of no
 *   thickness exactly in line (w = 0: the gap is above 0).
 * - Those that are nearer, or touch, never overlap by more than a skin along the axis on which it
 *   takes least to part them.
 * - Those that overlap then do not get deeper, along that axis.
 *
 * To that end boxes count as face on face along an axis from an overlap of skin/4 on; those with
 * w below a skin from less, down to w = 0: from a gap of skin/16 on.
 *
 * Boxes in contact along an axis slide along each other without a hit. Two that are in line,
 * closer than skin/16 along an axis on which both have no thickness, do meet along another.
 */
#ifndef GJB_STEPPING_STEP_H
#define GJB_STEPPING_STEP_H

#include <stddef.h>
#include <stdint.h>

#include "scenes/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How two boxes that meet respond. Velocity here is displacement over a whole step. */
typedef enum gjb_response {
    GJB_RESPOND_STOP,    /* both stay where they are until the end of the step */
    GJB_RESPOND_SLIDE,   /* along the normal both go on at the velocity of their centre of mass; across
                            it nothing changes (restitution 0) */
    GJB_RESPOND_REFLECT, /* the same, and they part at `restitution` times the speed of approach */
    GJB_RESPONSES
} gjb_response;

/* A box: axis-aligned, from low to high about its origin, low <= high; the first `dim`
 * numbers of each. It starts at `at` and moves by `by` over the step, unless it hits another. */
typedef struct gjb_step_box {
    double low[3], high[3], at[3], by[3];
    double inverse_mass; /* >= 0, any unit; 0: no hit changes its velocity, except that two of these both
                            stop when they meet, as nothing else can keep them apart */
} gjb_step_box;

typedef struct gjb_step_settings {
    uint32_t dim;          /* 2 or 3 */
    gjb_response response;
    double restitution;    /* [0, 1], of GJB_RESPOND_REFLECT */
    uint32_t cap;          /* most responses of a box in the step, 1 to 1024; 0: GJB_STEP_CAP. Then it stops,
                              as if its inverse mass were 0, and is counted in `capped` */
    const char *backend;   /* of the kernels (simd/simd.h); NULL: the best of this CPU */
    int (*interrupted)(void); /* called between hits; nonzero ends the step there. NULL: never */
} gjb_step_settings;
#define GJB_STEP_CAP 256u

/* Boxes a < b have met. The normal is that of a's face, outward: side (-1 or 1) along axis.
 * Reported once for a pair, a time and a face, however many responses it takes until
 * neither approaches the other there: `responses`. */
typedef struct gjb_step_event {
    double time;         /* [0, 1], of the step; never before that of the event before */
    uint32_t a, b;
    uint8_t axis;
    int8_t side;
    uint16_t responses;
    double at[2][3];     /* of a and b then */
    double by[2][3];     /* displacement over a whole step from then on, after all responses at that time */
} gjb_step_event;

typedef enum gjb_step_status {
    GJB_STEP_DONE,        /* to the end; no box reached the cap */
    GJB_STEP_CAPPED,      /* to the end, but `capped` boxes reached the cap and stopped there */
    GJB_STEP_INTERRUPTED, /* up to `time` */
    GJB_STEP_INVALID,     /* a number that is not finite, negative or out of range; nothing was done */
    GJB_STEP_NO_MEMORY    /* the result is invalid */
} gjb_step_status;

/* Free with gjb_step_free, whatever the status. */
typedef struct gjb_step {
    gjb_step_status status;
    double time;            /* reached: 1 unless the step was interrupted */
    double (*skins)[3];     /* [count] of each box along each axis */
    uint32_t count;
    gjb_step_box *boxes;    /* [count] as they are at `time`; `by` is that of a whole step from there */
    uint8_t *reached_cap;   /* [count] */
    uint32_t capped;        /* boxes that reached the cap */
    uint32_t overlapping;   /* pairs that overlapped by more than the skin when it began */
    gjb_step_event *events; /* [event_count] in order of time */
    size_t event_count;
    uint64_t swept;         /* pairs that went through the kernel */
} gjb_step;

gjb_step gjb_step_boxes(const gjb_step_box *boxes, uint32_t count, const gjb_step_settings *settings);
void gjb_step_free(gjb_step *step);

/* The gap that a hit along an axis leaves between two boxes. */
static inline double gjb_step_skin(const gjb_step *step, uint32_t a, uint32_t b, uint32_t axis)
{
    return step->skins[a][axis] / 2 + step->skins[b][axis] / 2;
}

/* The place of every box at a time of the step, and its displacement over a whole step from there: each
 * [count]; `ways` may be NULL. `boxes` are those passed to gjb_step_boxes. */
void gjb_step_places(const gjb_step *step, const gjb_step_box *boxes, double time, double (*places)[3],
                     double (*ways)[3]);

/* The bodies of a scene in its first frame; the caller frees them. Only kinds point, box and aabb, without
 * radius and rotation. Bodies that move have an inverse mass of 1, the others 0.
 * NULL with one line in `error`, naming `file`, field and value. */
gjb_step_box *gjb_step_of_scene(const gjb_scene *scene, const char *file, gjb_error *error);

const char *gjb_response_name(gjb_response response); /* "stop", "slide", "reflect" */

#ifdef __cplusplus
}
#endif
#endif
