/* Internals of a step: the state of the boxes, which of them may meet, and the hits that are due. */
#ifndef GJB_STEPPING_STEP_WORLD_H
#define GJB_STEPPING_STEP_WORLD_H

#include <gjkbench/contender.h>

#include "stepping/step.h"

/* A hit that will happen unless one of the two boxes changes its velocity first. */
typedef struct gjb_due {
    double time;
    uint32_t a, b, version_a, version_b;
} gjb_due;

/* Where a box's swept bounds begin along the axis by which they are sorted. */
typedef struct gjb_start {
    double low;
    uint32_t box;
} gjb_start;

enum { GJB_STEP_CHUNK = 1024 }; /* pairs that are swept at once */

typedef struct gjb_world {
    const gjb_step_settings *settings;
    gjb_step *step;         /* places of its boxes are those at `since` */
    double *since;          /* [count] when the box last changed its velocity */
    double *weight;         /* [count] inverse mass, 0 once at the cap */
    uint32_t *version;      /* [count] changes of velocity */
    uint32_t *responses;    /* [count] */
    double (*low)[3], (*high)[3]; /* [count] swept bounds from `since` to the end */
    /* Boxes sorted by their lower bounds. Strays are kept apart: they have changed since the sort, or are so
     * much longer than the others that every search would be long. */
    gjb_start *starts;
    uint32_t *strays;
    uint8_t *stray;         /* [count] */
    uint32_t start_count, stray_count, sort_at; /* strays at which to sort again */
    uint32_t axis;
    double longest;         /* from low to high, of all but strays */
    uint32_t *row;          /* [count] scratch: boxes that push each other */
    uint8_t *in_row;        /* [count] */
    /* a heap, the earliest first */
    gjb_due *due;
    size_t due_count, due_room;
    /* of the batched kernel */
    void *prepared, *workspace, *poses, *motions, *results;
    uint32_t *pairs;
    uint32_t pair_count;
    double now;             /* the time at which the pairs are swept */
    size_t event_room;
    int failed;             /* out of memory */
} gjb_world;

static inline double gjb_world_place(const gjb_world *w, uint32_t i, uint32_t axis, double time)
{
    const gjb_step_box *box = &w->step->boxes[i];
    return box->at[axis] + box->by[axis] * (time - w->since[i]);
}

/* Two boxes as they are to each other along one axis. */
typedef struct gjb_facing {
    double gap;     /* < 0: they overlap */
    double skin;    /* of the two */
    int side;       /* 1: b is beyond a, -1: before it; of equal gaps the side that b moves to */
    double closing; /* by how much the gap shrinks until the end, if nothing changes */
} gjb_facing;

gjb_facing gjb_world_face(const gjb_world *w, uint32_t a, uint32_t b, uint32_t axis, double time);

/* The gap from which on two boxes are face on face along an axis rather than apart: -deep skins
 * for boxes thicker than the skin, rising to skin/16 for those of no thickness, so that it is
 * always nearer to the one face than to the other. */
double gjb_world_touching(const gjb_world *w, uint32_t a, uint32_t b, uint32_t axis, double deep);

/* 0, or -1 with w->failed. Released by gjb_world_close in any case. */
int gjb_world_open(gjb_world *w);
void gjb_world_close(gjb_world *w);

/* Sweeps all pairs whose swept bounds overlap, from time 0 on, and adds their hits to `due`. */
void gjb_world_sweep_all(gjb_world *w);
/* The same for all pairs of boxes whose velocity changed at `time`. */
void gjb_world_sweep(gjb_world *w, const uint32_t *changed, uint32_t count, double time);

/* Takes the earliest hit that is due, of equal times that of the lowest a, then b; 0: none is left. */
int gjb_world_next(gjb_world *w, gjb_due *out);

#endif
