/* The contract that every implementation meets: ours, packaged libraries and,
 * later, plug-ins. Plain C with nothing of gjkbench's insides in it.
 *
 * Conventions are those of core/types.h: normal from A to B, points relative
 * to A's translation in world axes, closed shapes, point_b - point_a =
 * sigma * normal. An adapter converts and says in a comment what the
 * library's own convention is.
 */
#ifndef GJB_CONTENDER_H
#define GJB_CONTENDER_H

#include "core/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GJB_CONTENDER_ABI 1u

/* max_vertices of a contender that takes any. */
#define GJB_NO_VERTEX_LIMIT UINT32_MAX

/* Counts that a contender may add to; the harness zeroes them. */
typedef struct gjb_run_stats {
    uint64_t pairs;
    uint64_t lane_slots;   /* iterations times lanes issued */
    uint64_t lane_live;    /* of those, lanes that still had work */
    uint64_t spilled;      /* pairs repacked into a later tile */
    uint64_t careful;      /* pairs that went to the careful path */
    uint64_t iterations[32]; /* histogram; the last bin takes the rest */
    /* The harness's own, of contenders that run in a child process. */
    uint64_t crashed; /* pairs that it died of, or wrote outside its results for */
    uint64_t hung;    /* pairs that it did not come back from */
    uint64_t unasked; /* pairs left out after too many of both */
    uint64_t interrupted; /* the last so many of the pairs, left out since the stop flag was raised */
} gjb_run_stats;

typedef struct gjb_batch {
    gjb_query query;
    const void *poses;          /* of the prepared precision, `pose_stride` bytes apart */
    size_t pose_stride;
    const uint32_t *body_shape; /* NULL: body i has shape i */
    const uint32_t *pairs;      /* [pair_count][2] body indices, checked by the caller */
    size_t pair_count;
    void *results;              /* poisoned beforehand; all pair_count records are written */
    size_t result_stride;       /* >= gjb_result_size(query, precision) */
    void *workspace;            /* of workspace_size() bytes, 64-aligned; one per thread */
    gjb_run_stats *stats;       /* may be NULL */
} gjb_batch;

typedef struct gjb_contender {
    uint32_t abi_version;  /* GJB_CONTENDER_ABI */
    uint32_t struct_size;  /* sizeof(gjb_contender) */
    const char *name;      /* short and stable: "batch", "reference", "box2d" */
    const char *version;
    const char *licence;
    const char *note;      /* what a reader must know, or "" ("also clips a contact") */
    uint32_t dims;         /* bit d */
    uint32_t kinds;        /* bit per gjb_kind */
    uint32_t queries;      /* bit per gjb_query */
    uint32_t does_more;    /* those of them that cost it more than they ask for, as `note` explains */
    uint32_t precisions;   /* bit per gjb_precision; what it is fed and returns */
    uint32_t max_vertices; /* per shape; more is unsupported */
    uint8_t ours;          /* a wrong answer fails verification */
    /* Query-wise accuracy that its documentation promises, absolute in world
     * units, beyond kS*eps; 0 for ours. `skin` is a margin it adds by design. */
    double tau[GJB_QUERIES];
    double skin;
    /* Backends by name, NULL-terminated, or NULL when there is just one way. */
    const char *const *backends;
    int (*backend_available)(const char *backend); /* on this CPU; NULL with `backends` NULL */

    /* Shapes only; timed apart. The library stays valid while prepared is.
     * NULL when out of memory. Shapes it does not support are not an error here:
     * `run` answers GJB_UNSUPPORTED for their pairs. */
    void *(*prepare)(const gjb_shapes *shapes, const char *backend);
    /* Bytes of workspace that `run` needs: bounded, whatever the pair count. */
    size_t (*workspace_size)(const void *prepared);
    /* Thread-safe on one `prepared` with distinct workspaces and results. */
    void (*run)(const void *prepared, const gjb_batch *batch);
    void (*release)(void *prepared);
} gjb_contender;

#ifdef __cplusplus
}
#endif
#endif
