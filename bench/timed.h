/* Where every contender of a table is timed: a child process, all of them on one processor. */
#ifndef GJB_BENCH_TIMED_H
#define GJB_BENCH_TIMED_H

#include "contenders/harness.h"

/* As gjb_session_open_isolated, errors and ownership too. A child of one thread stays on one processor, the same for
 * all that this process opens; one of more threads uses any. Where the system pins nothing, nor is a child. Of one
 * thread of the program alone. */
gjb_session *gjb_timed_open(const gjb_contender *contender, const char *backend, const gjb_scene *scene,
                            uint32_t threads, gjb_error *error);

#endif
