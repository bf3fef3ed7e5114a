/* The interface of every implementation: ours, packaged libraries and
 * plug-ins. Plain C, and C++; no internals of gjkbench.
 *
 * Conventions are those of gjkbench/types.h: normal from A to B, points relative
 * to A's translation in world axes, closed shapes, point_b - point_a =
 * sigma * normal, a normal of length 1. An adapter converts and says in a comment what the
 * library's own convention is.
 *
 * A plug-in is a shared object with one symbol, gjb_plugin (below). The guide is
 * docs/plugins.md; gjkbench/adapter.h saves most of the writing.
 */
#ifndef GJKBENCH_CONTENDER_H
#define GJKBENCH_CONTENDER_H

#include <gjkbench/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Incremented by changes that break older plug-ins. Fields appended to gjb_contender
 * break none, since struct_size shows whether a table has them. */
#define GJB_CONTENDER_ABI 2u

/* max_vertices of a contender that takes any. */
#define GJB_NO_VERTEX_LIMIT UINT32_MAX

/* Everything not marked optional is required. All of it stays valid and unchanged
 * as long as the plug-in is loaded. */
typedef struct gjb_contender {
    uint32_t abi_version;  /* GJB_CONTENDER_ABI */
    uint32_t struct_size;  /* sizeof(gjb_contender) */
    const char *name;      /* short and stable: a-z, 0-9, '-', '.' and '_', at most 31 ("box2d") */
    const char *version;   /* of the implementation */
    const char *licence;   /* SPDX: "MIT" */
    const char *note;      /* what a reader must know, or "" ("also clips a contact") */
    const char *variant_of; /* the contender that this is another configuration of, or NULL; a variant
                               takes part only if it is named, or all are asked for */
    uint32_t dims;         /* bit d */
    uint32_t kinds;        /* bit per gjb_kind */
    uint32_t queries;      /* bit per gjb_query */
    uint32_t does_more;    /* those for which it does more work than the query needs; `note` explains */
    uint32_t no_normal;    /* queries for which it gives no normal of its own, */
    uint32_t no_points;    /* or no witness points; those fields of its records are not graded */
    uint32_t precisions;   /* bit per gjb_precision, of its input and its answers */
    uint32_t max_vertices; /* per shape; more is unsupported. GJB_NO_VERTEX_LIMIT: any */
    uint32_t ours;         /* 1: a wrong answer fails verification; plug-ins must set 0 */
    /* Accuracy that its documentation promises beyond kS*eps, by query, absolute in world units; for
     * sweep and toi the distance or depth of the shapes at its time. `skin` is a margin it adds by design. */
    double tau[GJB_QUERY_ROOM];
    double skin;
    /* Names of backends, NULL-terminated, narrowest first; or NULL if there is only one. */
    const char *const *backends;
    int (*backend_available)(const char *backend); /* on this CPU; NULL: all of them */

    /* Prepares shapes; timed separately. `shapes` outlives the result.
     * NULL when out of memory. Shapes it does not support are not an error here:
     * `run` answers GJB_UNSUPPORTED for their pairs. `backend` is one of
     * `backends`, or NULL if there is only one. */
    void *(*prepare)(const gjb_shapes *shapes, const char *backend);
    /* Bytes of workspace that `run` needs: bounded, whatever the pair count. */
    size_t (*workspace_size)(const void *prepared);
    /* Thread-safe on one `prepared` with distinct workspaces and results. */
    void (*run)(const void *prepared, const gjb_batch *batch);
    void (*release)(void *prepared);
    /* Appended; struct_size shows whether a table has them. */
    double tau_time; /* for toi, if the promise is an accuracy in time: a fraction of the step. T then
                        grows by the distance that the pair moves in it: this times (gjb_path_size
                        - gjb_pair_size) */
    uint32_t partial;   /* manifold's bit: it gives fewer points than fit the patch. What they cover is then shown,
                           and not required (docs/manifolds.md) */
    uint32_t touching_only; /* manifold's bit: it promises contacts of shapes that touch or overlap. Of shapes that are
                               apart by less than the margin it gives none, or some; none are required of it */
    uint32_t within;        /* bits of intersect and distance, if it takes gjb_batch.margin for them. Where it does not, the
                               harness answers GJB_UNSUPPORTED for intersect, and asks for distances without a margin */
    uint32_t unused;        /* older tables may end within it: 0 */
    uint32_t leaving;       /* toi's bit, if it takes gjb_batch.leaving. Where it does not, the harness answers
                               GJB_UNSUPPORTED for pairs of which a contact that is left is to be ignored */
    /* Accuracy that its documentation promises relative to coordinates, extents or distances, by query: a part of the
     * pair's size S, at least 0 and below 1. T grows by this times S. */
    double tau_relative[GJB_QUERY_ROOM];
} gjb_contender;

/* The function that a plug-in defines. `options` is the text after the file's name and a
 * colon on the command line, or "". Only the plug-in interprets it: "tolerance=1e-6,warm".
 * Returns a NULL-terminated array of tables, which stays valid, or NULL with one line in
 * `error` (of `error_size` bytes, "" beforehand), for example about an unknown option.
 * Called once per process, on one thread. */
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
