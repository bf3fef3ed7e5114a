/* A batch: one query for many pairs of placed shapes in one call. Plain C, and C++.
 *
 * Frames, units, the sign of normals and the result records are those of gjkbench/types.h. The caller owns
 * everything that a batch points to; it is read and written only during the call.
 */
#ifndef GJKBENCH_BATCH_H
#define GJKBENCH_BATCH_H

#include <gjkbench/types.h>

/* Counts of work. Each call adds to them; the caller sets them to 0 once. */
typedef struct gjb_run_stats {
    uint64_t pairs;          /* answered */
    uint64_t lane_slots;     /* iterations times lanes issued */
    uint64_t lane_live;      /* of those, lanes that still had work */
    uint64_t spilled;        /* pairs repacked into a later tile */
    uint64_t fallback;       /* pairs that went to the fallback path */
    uint64_t iterations[32]; /* histogram; the last bin counts 31 and more */
    uint64_t unproven;       /* pairs whose bounds did not meet: their answer is the least depth found */
} gjb_run_stats;

/* What a time of impact makes of a pair that touches at t = 0 and that goes no deeper: it slides along, or leaves. Its
 * signed distance is convex in t, so that it never comes back. docs/motion.md says what is right near the borders. */
typedef enum gjb_leaving {
    GJB_LEAVING_HIT,   /* it is in contact: overlapping */
    GJB_LEAVING_IGNORE /* it is separated */
} gjb_leaving;

typedef struct gjb_batch {
    gjb_query query;            /* the same for every pair */
    const void *poses;          /* one per body, in the prepared precision, `pose_stride` bytes apart */
    size_t pose_stride;
    const uint32_t *body_shape; /* the shape of each body; NULL: body i has shape i */
    const uint32_t *pairs;      /* [pair_count][2] indices of bodies, A and B; the caller checks them */
    size_t pair_count;
    void *results;              /* one record of the query per pair; all pair_count are written */
    size_t result_stride;       /* bytes from one to the next: >= the record's size, a multiple of its alignment */
    void *workspace;            /* of workspace_size() bytes, 64-aligned; one per thread. All zero before
                                   the first call, then as the last call left it */
    gjb_run_stats *stats;       /* may be NULL */
    /* Appended: older plug-ins do not know these. */
    const void *motions;        /* for sweep and toi: `motion_stride` bytes apart; NULL: nothing moves */
    size_t motion_stride;
    void *axes;                 /* warm start; NULL: none. One vector per pair in the prepared precision,
                                   `axis_stride` bytes apart, in world axes and of any length. In: an axis of
                                   the same pair's last answer (normal or separating axis, from A to B), 0 if
                                   none is known. Out: the axis of this answer, 0 if there is none. It is only
                                   a hint: any value gives a right answer. Implementations that do not use it
                                   leave it unchanged. */
    size_t axis_stride;
    /* >= 0. Its meaning is the query's, all others ignore it:
     * manifold: contacts are wanted up to this separation; INFINITY: all.
     * intersect, if more than 0: shapes overlap if their distance is at most this.
     * distance, if more than 0: no distance that is more matters, and an implementation may stop once it has proven
     *   that the shapes are further apart. The record is then separated, its value more than the margin and no more
     *   than the distance, its normal an axis along which the gap is at least the value, its points are 0. The whole
     *   answer is right, too.
     * A contender says which of the last two it takes (gjb_contender.within). */
    double margin;
    /* toi of pairs that do not turn, one of gjb_leaving; all other queries ignore it. A contender says that it takes it
     * (gjb_contender.leaving). */
    uint32_t leaving;
} gjb_batch;

#endif
