/* The arithmetic of supports alone, as fast as a core's ports take it: the roof over any method that scans vertices. */
#ifndef GJB_SIMD_PORTS_H
#define GJB_SIMD_PORTS_H

#include <stdint.h>

#include "core/types.h"

/* Vertices that one scan looks at in each lane, of several directions at once so that none waits for another. */
enum {
    GJB_PORTS_DIRECTIONS = 4,
    GJB_PORTS_VERTICES = 16,
    GJB_PORTS_SCAN = GJB_PORTS_DIRECTIONS * GJB_PORTS_VERTICES
};

/* So many scans in 2D or 3D, of vertices in the first level of the cache: each is multiplied with a direction, held
 * against the best, and replaces it and its number. `sum` gets something of all, so that none is left out. */
typedef void gjb_ports_run(uint32_t dim, uint64_t scans, double *sum);

/* NULL if the build has no such backend. Whether the CPU has it is for the caller to know. */
gjb_ports_run *gjb_ports_find(const char *backend, gjb_precision precision);

#endif
