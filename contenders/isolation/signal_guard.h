/* Keeps a contender from ending the program that tests it: a signal to that, to its group or to every process ends the
 * sender in its place. */
#ifndef GJB_CONTENDERS_SIGNAL_GUARD_H
#define GJB_CONTENDERS_SIGNAL_GUARD_H

#include <sys/types.h>

/* Protects a process, and the group that it is in, from what is forked from here later and begins to be guarded. */
void gjb_signal_guard_protect(pid_t pid);

/* Guards this process, and all that it will fork, for good; `parent` is protected too. A forbidden signal ends the
 * sender by SIGSYS. Does nothing if the kernel, or its emulator, has no filters of system calls. */
void gjb_signal_guard_begin(pid_t parent);

#endif
