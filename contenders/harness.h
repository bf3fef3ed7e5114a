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

/* A contender ready for one scene. `scene` must have the precision that the
 * contender is fed (see gjb_scene_convert) and outlive the session. */
typedef struct gjb_session gjb_session;

/* `backend` may be NULL for the best available. NULL with one line in `error`
 * for an unknown backend, one that this CPU lacks, or lack of memory. */
gjb_session *gjb_session_open(const gjb_contender *contender, const char *backend, const gjb_scene *scene,
                              uint32_t threads, gjb_error *error);
void gjb_session_close(gjb_session *session);
const char *gjb_session_backend(const gjb_session *session);   /* "-" where there is just one way */
double gjb_session_prepare_seconds(const gjb_session *session);

/* Answers pairs [first, first + count) of a frame in calls of at most `call`
 * pairs (0: all at once), spread over the session's threads. `results` holds
 * count records of gjb_result_size() bytes and is poisoned first when `poison`.
 * Returns the number of records left unwritten, wrongly shaped status included. */
uint64_t gjb_session_run(gjb_session *session, gjb_query query, uint32_t frame, uint64_t first, uint64_t count,
                         uint64_t call, int poison, void *results, gjb_run_stats *stats);

/* One record as double, whatever its precision. */
typedef struct gjb_result2 {
    gjb_status status;
    unsigned iterations;
    double value, normal[2], point_a[2], point_b[2];
} gjb_result2;
gjb_result2 gjb_result_get(gjb_query query, gjb_precision precision, const void *results, uint64_t index);

#endif
