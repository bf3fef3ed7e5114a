/* Counting under Valgrind's callgrind, from inside the program that is counted. Outside Valgrind nothing here does
 * anything, and a build without Valgrind's header is as one that never runs under it. */
#ifndef GJB_BENCH_CALLGRIND_H
#define GJB_BENCH_CALLGRIND_H

#include <gjkbench/contender.h>

/* Does this process run under Valgrind, and can it say there what to count? */
int gjb_callgrind_here(void);

/* The contender with its calls alone counted: not what prepares them, splits them or reads their answers. One at a
 * time: the next call makes this one count for the next contender. It runs in this process, whichever library it is of,
 * as a child's counts would be lost: what crashes ends the process. */
const gjb_contender *gjb_counted(const gjb_contender *contender);

/* From here on instructions are simulated, which is slow, with empty caches; none is counted yet. */
void gjb_callgrind_warm(void);
/* From here on calls of the counted contender are counted, from 0. */
void gjb_callgrind_start(void);
/* Ends both, and has callgrind write what it counted. Returns the number that is behind the file's name: 1, 2, ... */
unsigned gjb_callgrind_end(void);

#endif
