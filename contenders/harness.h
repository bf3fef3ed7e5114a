/* Runs a contender over a scene: prepares, splits into calls and threads,
 * poisons results, saves and restores the floating-point state around every
 * call, and says what was left unwritten. Verify, bench and tests all run
 * contenders through here. */
#ifndef GJB_CONTENDERS_HARNESS_H
#define GJB_CONTENDERS_HARNESS_H

#include "contenders/contender.h"
#include "core/error.h"
#include "core/scene.h"

/* Byte that result records are filled with before a contender runs. */
#define GJB_POISON 0xA5

/* Threads that a session may have. */
#define GJB_MAX_THREADS 1024u

/* A contender ready for one scene. `scene` must have the precision that the
 * contender is fed (see gjb_scene_convert), be checked (pairs inside), and
 * outlive the session. A session serves one caller at a time. */
typedef struct gjb_session gjb_session;

/* `backend` may be NULL for the best available: the last one of the
 * contender's list that this CPU has. `threads` 0 means 1; the caller's thread
 * is one of them, the others live as long as the session. NULL with one line
 * in `error` for an unknown backend, one that this CPU lacks, a scene of the
 * wrong precision or dimension, or lack of memory. */
gjb_session *gjb_session_open(const gjb_contender *contender, const char *backend, const gjb_scene *scene,
                              uint32_t threads, gjb_error *error);
void gjb_session_close(gjb_session *session); /* NULL is fine */
const char *gjb_session_backend(const gjb_session *session);   /* "-" where there is just one way */
double gjb_session_prepare_seconds(const gjb_session *session); /* wall time of `prepare` alone */

/* Calls after which the floating-point control state (rounding mode,
 * flush-to-zero, masked traps) differed from the default that the harness sets
 * before each, `prepare` included. Never shown to the caller: it is restored. */
uint64_t gjb_session_float_changes(const gjb_session *session);

/* Answers pairs [first, first + count) of a frame in calls of at most `call`
 * pairs (0: one call a thread), spread over the session's threads in
 * contiguous ranges. `results` holds count records of gjb_result_size() bytes.
 * With `poison` they are filled with GJB_POISON first, and the number of records
 * left unwritten comes back: a status outside gjb_status, or a field still
 * poisoned. Without `poison` nothing but the contender runs, and 0 comes back.
 * `stats` may be NULL; it is zeroed first. Neither allocates nor, on one
 * thread, locks. A range or frame outside the scene is not run: every record
 * then counts as unwritten. */
uint64_t gjb_session_run(gjb_session *session, gjb_query query, uint32_t frame, uint64_t first,
                         uint64_t count, uint64_t call, int poison, void *results, gjb_run_stats *stats);

/* For who times `contender->run(prepared, &batch)` itself, on one thread:
 * fills `batch` for the whole range with the session's workspace, and returns
 * `prepared`. Later calls only need `pairs`, `pair_count` and `results` moved.
 * The floating-point state is then the caller's to guard: gjb_float_enter and
 * gjb_float_leave of contenders/float_state.h around the timed block. NULL where
 * the frame or range lies outside the scene. */
const void *gjb_session_batch(const gjb_session *session, gjb_query query, uint32_t frame, uint64_t first,
                              uint64_t count, void *results, gjb_batch *batch);

/* One record as double, whatever its precision and dimension; in 2D the third
 * coordinates are 0. */
typedef struct gjb_result {
    gjb_status status; /* a status outside gjb_status reads as GJB_UNWRITTEN */
    unsigned iterations;
    double value, normal[3], point_a[3], point_b[3];
} gjb_result;
gjb_result gjb_result_get(gjb_query query, gjb_precision precision, uint32_t dim, const void *results,
                          uint64_t index);

#endif
