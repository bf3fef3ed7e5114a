/* Time in nanoseconds. */
#ifndef GJB_CORE_CLOCK_H
#define GJB_CORE_CLOCK_H

#include <stdint.h>

uint64_t gjb_clock_wall(void);    /* monotonic */
uint64_t gjb_clock_thread(void);  /* CPU time of the calling thread: a busy machine does not stretch it */

#endif
