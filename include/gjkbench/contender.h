/* The contract that every implementation meets: ours, packaged libraries and
 * plug-ins. Plain C, and C++, with nothing of gjkbench's insides in it.
 *
 * Conventions are those of gjkbench/types.h: normal from A to B, points relative
 * to A's translation in world axes, closed shapes, point_b - point_a =
 * sigma * normal. An adapter converts and says in a comment what the
 * library's own convention is.
 *
 * A plug-in is a shared object with one symbol, gjb_plugin (below). The guide is
 * docs/plugins.md; gjkbench/adapter.h saves most of the writing.
 */
#ifndef GJKBENCH_CONTENDER_H
#define GJKBENCH_CONTENDER_H

#include <gjkbench/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counts changes that break a plug-in built before; fields that are appended to
 * gjb_contender do not, since struct_size tells whether a table has them. */
#define GJB_CONTENDER_ABI 2u

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
    uint64_t unproven;     /* pairs whose bounds did not meet: the least depth that was found is the answer */
} gjb_run_stats;

typedef struct gjb_batch {
    gjb_query query;
    const void *poses;          /* of the prepared precision, `pose_stride` bytes apart */
    size_t pose_stride;
    const uint32_t *body_shape; /* NULL: body i has shape i */
    const uint32_t *pairs;      /* [pair_count][2] body indices, checked by the caller */
    size_t pair_count;
    void *results;              /* poisoned beforehand; all pair_count records are written */
    size_t result_stride;       /* >= the size of the query's record, a multiple of its alignment */
    void *workspace;            /* of workspace_size() bytes, 64-aligned; one per thread. All zero before
                                   the first call, then as the last call left it */
    gjb_run_stats *stats;       /* may be NULL */
    /* Appended; a plug-in that was built before does not know of them. */
    const void *motions;        /* of sweep and toi: like poses, `motion_stride` bytes apart; NULL: nothing moves */
    size_t motion_stride;
    void *axes;                 /* warm start; NULL: none. A vector of the prepared precision a pair,
                                   `axis_stride` bytes apart, in world axes and of any length: in, an axis
                                   of the same pair's last answer (normal or separating axis, from A to B),
                                   0 where nothing is known; out, that of this answer, 0 where there is none.
                                   A hint: whatever it is, the answer is right. Who has no use for it leaves it. */
    size_t axis_stride;
} gjb_batch;

/* Everything that is not said to be optional is there. All of it stays valid, and the
 * same, as long as the plug-in is loaded. */
typedef struct gjb_contender {
    uint32_t abi_version;  /* GJB_CONTENDER_ABI */
    uint32_t struct_size;  /* sizeof(gjb_contender) */
    const char *name;      /* short and stable: a-z, 0-9, '-', '.' and '_', at most 31 ("box2d") */
    const char *version;   /* of the implementation */
    const char *licence;   /* SPDX: "MIT" */
    const char *note;      /* what a reader must know, or "" ("also clips a contact") */
    const char *variant_of; /* the contender that this is another configuration of, or NULL; a variant
                               takes part where it is named, or all are asked for */
    uint32_t dims;         /* bit d */
    uint32_t kinds;        /* bit per gjb_kind */
    uint32_t queries;      /* bit per gjb_query */
    uint32_t does_more;    /* those of them that cost it more than they ask for, as `note` explains */
    uint32_t no_normal;    /* queries to which it gives no normal of its own, */
    uint32_t no_points;    /* or no witness points: what records then hold of them is not graded */
    uint32_t precisions;   /* bit per gjb_precision; what it is fed and returns */
    uint32_t max_vertices; /* per shape; more is unsupported. GJB_NO_VERTEX_LIMIT: any */
    uint32_t ours;         /* 1: a wrong answer fails verification; refused of a plug-in */
    /* Accuracy that its documentation promises, by query and absolute in world
     * units, beyond kS*eps; of sweep and toi how far apart, or how deep, shapes are when it says "now". `skin` is a margin it adds by design. */
    double tau[GJB_QUERY_ROOM];
    double skin;
    /* Backends by name, NULL-terminated, narrowest first; or NULL when there is just one way. */
    const char *const *backends;
    int (*backend_available)(const char *backend); /* on this CPU; NULL: all of them */

    /* Shapes only; timed apart. The library stays valid while prepared is.
     * NULL when out of memory. Shapes it does not support are not an error here:
     * `run` answers GJB_UNSUPPORTED for their pairs. `backend` is one of
     * `backends`, or NULL where there is just one way. */
    void *(*prepare)(const gjb_shapes *shapes, const char *backend);
    /* Bytes of workspace that `run` needs: bounded, whatever the pair count. */
    size_t (*workspace_size)(const void *prepared);
    /* Thread-safe on one `prepared` with distinct workspaces and results. */
    void (*run)(const void *prepared, const gjb_batch *batch);
    void (*release)(void *prepared);
    /* Appended; struct_size tells whether a table has them. */
    double tau_time; /* of toi, where what is promised is a time and no distance: a part of the step; T then grows by
                        the way that the pair goes in it (gjb_path_size less gjb_pair_size, times this) */
} gjb_contender;

/* What a plug-in defines. `options` is what followed the file's name and a colon on
 * the command line, "" where nothing did: the plug-in's own business, such as
 * "tolerance=1e-6,warm". Returns a NULL-terminated array of tables, which stays valid,
 * or NULL with one line in `error` (of `error_size` bytes, "" beforehand), as for an
 * option that it does not know. Called once in a process, on one thread. */
typedef const gjb_contender *const *(*gjb_plugin_function)(const char *options, char *error, size_t error_size);

#ifdef __GNUC__
#define GJB_PLUGIN_EXPORT __attribute__((visibility("default")))
#else
#define GJB_PLUGIN_EXPORT
#endif
GJB_PLUGIN_EXPORT const gjb_contender *const *gjb_plugin(const char *options, char *error, size_t error_size);

#ifdef __cplusplus
}
#endif
#endif
