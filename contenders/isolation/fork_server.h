/* A small process that forks children in this one's stead. To fork a process costs what it holds, page by
 * page, and finds locks held that a thread of it had: this one holds little, and has one thread. */
#ifndef GJB_CONTENDERS_FORK_SERVER_H
#define GJB_CONTENDERS_FORK_SERVER_H

#include <sys/types.h>

/* From here until the matching end, children of sessions opened meanwhile are forked there. They know
 * this process as it is now: contenders that are made later, and what changes in them later, are not seen.
 * Begin it while there is little and no other thread; the calling thread outlives it. Calls nest. Where it
 * cannot be had, or does not answer, children are forked from this process, as they are without it.
 * GJKBENCH_FORK_SERVER=no in the environment leaves it out. */
void gjb_fork_server_begin(void);
void gjb_fork_server_end(void); /* sessions opened since are closed */

/* --- for children and what they share ---------------------------------------- */

int gjb_fork_server_is_on(void);

struct gjb_child;
/* Forks a process that serves `child` over `socket`, which stays the caller's. Its pid, or -1. */
pid_t gjb_fork_server_start(const struct gjb_child *child, int socket);
/* Of one that was started there: as gjb_child_wait_for_end. */
int gjb_fork_server_wait_for_end(pid_t pid, int killed);

#endif
