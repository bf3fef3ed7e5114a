/* A trace of an iterative method on one pair: a method that gets a trace calls it after each
 * step. NULL: no trace. */
#ifndef GJB_CORE_TRACE_H
#define GJB_CORE_TRACE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GJB_TRACE_FEATURE = 4 };

/* A vertex of the Minkowski difference A - B and the two supports that it is made of:
 * w = a - b. World axes, relative to A's translation, in world units; 2D has z = 0. */
typedef struct gjb_trace_vertex {
    double w[3], a[3], b[3];
} gjb_trace_vertex;

/* One step. Directions are those in which A - B was searched: its support in d is
 * support_A(d) - support_B(-d). Absent parts have has_... 0 or count 0. */
typedef struct gjb_trace_step {
    const char *method; /* "gjk", "epa", ...: static */
    const char *text;   /* what was done and why, one static sentence without a full stop */
    int has_direction, has_support, has_closest, has_lower, has_upper;
    double direction[3];      /* of any length */
    gjb_trace_vertex support; /* found in `direction` */
    const gjb_trace_vertex *vertices; /* simplex or polytope after the step */
    uint32_t vertex_count;
    const uint32_t (*faces)[3]; /* of a polytope, by vertices: in 2D edges, the third index UINT32_MAX */
    uint32_t face_count;
    uint32_t feature[GJB_TRACE_FEATURE], feature_count; /* vertices of the feature nearest to the origin */
    double closest[3];   /* the point of that feature nearest to the origin */
    double lower, upper; /* bounds on the signed distance of the pair's cores that hold after this step */
} gjb_trace_step;

typedef struct gjb_trace {
    void (*step)(void *user, const gjb_trace_step *step); /* `step` is valid only during the call */
    void *user;
} gjb_trace;

#ifdef __cplusplus
}
#endif
#endif
