/* Where every contender of a table is timed: a child process, all of them on one processor. */
#ifndef GJB_BENCH_TIMED_H
#define GJB_BENCH_TIMED_H

#include "contenders/harness.h"

/* As gjb_session_open_isolated. The child of one thread stays on the processor that is the last of those this process
 * may use; of more, on any. */
gjb_session *gjb_timed_open(const gjb_contender *contender, const char *backend, const gjb_scene *scene,
                            uint32_t threads, gjb_error *error);

#endif
