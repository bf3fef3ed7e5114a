/* The machine, as Google Benchmark's context describes it. */
#ifndef GJB_BENCH_MACHINE_H
#define GJB_BENCH_MACHINE_H

#include <jansson.h>

/* Adds mhz_per_cpu, cpu_scaling_enabled, caches and load_avg; what this system
 * does not say is left out, or an empty array. */
void gjb_machine_add(json_t *context);

#endif
