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

#include <gjkbench/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counts changes that break a plug-in built before; fields that are appended to
 * gjb_contender do not, since struct_size tells whether a table has them. */
#define GJB_CONTENDER_ABI 2u

/* max_vertices of a contender that takes any. */
#define GJB_NO_VERTEX_LIMIT UINT32_MAX

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
     * `backends`, or NULL if there is just one way. */
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
 * the command line, "" if nothing did: the plug-in's own business, such as
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
