/* Inside the reference room: what GJK and EPA tell a trace (core/trace.h).
 *
 * The methods work on D = { b - a } in a scaled frame; a trace is about A - B = -D
 * in world units. A vertex of D that minimises n.w is the support of A - B in
 * direction n. What is handed over here is of D, in the frame, with `dim` coordinates.
 * A step is put together by the calls below, and sent by ref_watch_tell. */
#ifndef REF_TRACE_STEPS_H
#define REF_TRACE_STEPS_H

#include <stdint.h>

#include "core/trace.h"

/* Hardly ever called: kept out of the way of those who are not watched. */
#define REF_WATCHED __attribute__((cold, noinline))

typedef struct ref_watch {
    const gjb_trace *trace;
    int dim;
    double unscale;      /* world = frame * unscale */
    double lower, upper; /* the tightest bounds so far on sigma of the cores, in the frame */
    gjb_trace_step step;
    gjb_trace_vertex *vertices;
    uint32_t (*faces)[3];
    uint32_t vertex_room, face_room;
} ref_watch;

/* `trace` may be NULL. */
void ref_watch_open(ref_watch *watch, const gjb_trace *trace, int dim);
/* The watch for a frame of this scale; NULL if there is no trace. */
ref_watch *ref_watch_at(ref_watch *watch, double unscale);
void ref_watch_close(ref_watch *watch);

/* D was searched for the vertex b - a that minimises direction.w: a bound from below.
 * `direction` has any length but zero, and is told as a unit vector. */
REF_WATCHED void ref_watch_search(ref_watch *watch, const double *direction, const double *a, const double *b);
/* A vertex of the simplex or polytope. Ends the program when memory does not suffice. */
REF_WATCHED void ref_watch_vertex(ref_watch *watch, const double *a, const double *b);
/* A face, counter-clockwise seen from outside D; in the plane an edge, r is UINT32_MAX. */
REF_WATCHED void ref_watch_face(ref_watch *watch, uint32_t p, uint32_t q, uint32_t r);
/* The nearest feature has this vertex of those told. */
REF_WATCHED void ref_watch_feature(ref_watch *watch, uint32_t vertex);
REF_WATCHED void ref_watch_feature_at(ref_watch *watch, const double *a, const double *b);
/* distance * normal is the nearest point. */
REF_WATCHED void ref_watch_closest(ref_watch *watch, double distance, const double *normal);
/* sigma of the cores is at most this. Taken only if it tightens: an origin outside EPA's
 * polytope, which only rounding or its seed bring about, has a face at a negative distance. */
REF_WATCHED void ref_watch_upper(ref_watch *watch, double upper);
/* A step of GJK: how it began, went on or ended, and its nearest point, distance * normal. */
typedef enum ref_gjk_step {
    REF_GJK_TOWARDS,  /* first support, in the direction from A's translation to B's */
    REF_GJK_ANYWHERE, /* the same if there is no such direction */
    REF_GJK_NEXT,     /* the feature just told is nearest */
    REF_GJK_MET,      /* the last support met the bound from above */
    REF_GJK_STUCK     /* it is known already, though the bounds are apart */
} ref_gjk_step;
REF_WATCHED void ref_watch_gjk(ref_watch *watch, ref_gjk_step what, double distance, const double *normal);
REF_WATCHED void ref_watch_tell(ref_watch *watch, const char *method, const char *text);

#endif
