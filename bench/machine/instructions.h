/* Instructions that this thread has executed in user space, if the machine counts them for us. */
#ifndef GJB_BENCH_INSTRUCTIONS_H
#define GJB_BENCH_INSTRUCTIONS_H

#include <stdint.h>

/* A counter that runs, or -1 if there is none (a virtual machine, a kernel that refuses, another system). */
int gjb_instructions_open(void);
/* So far; 0 if `counter` is -1 or says nothing. */
uint64_t gjb_instructions_read(int counter);
void gjb_instructions_close(int counter);

#endif
