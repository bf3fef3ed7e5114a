/* How many vertices a second one core can scan for supports when nothing else is in its way: the roof of a backend's
 * arithmetic, as bench/machine/memory_ceiling.h is that of memory. */
#ifndef GJB_BENCH_PORT_CEILING_H
#define GJB_BENCH_PORT_CEILING_H

#include <stdint.h>

#include "core/types.h"

typedef struct gjb_port_row {
    const char *backend;
    gjb_precision precision;
    uint32_t dim;
    double vertices_per_second; /* of all lanes together, thread CPU time, the best of the runs */
} gjb_port_row;

/* Measures the backend that `row` names, in its precision and dimension, for about `seconds`. 0, or -1 if the
 * build or this CPU has no such backend. */
int gjb_port_ceiling(gjb_port_row *row, double seconds);

#endif
