/* Only the arithmetic of supports, at the rate of a core's ports: an upper bound for methods that scan
 * vertices. */
#ifndef GJB_SIMD_PORTS_H
#define GJB_SIMD_PORTS_H

#include <stdint.h>

#include "core/types.h"

/* Vertices that one scan reads in each lane, for several directions at once so that none waits for
 * another. */
enum {
    GJB_PORTS_DIRECTIONS = 4,
    GJB_PORTS_VERTICES = 16,
    GJB_PORTS_SCAN = GJB_PORTS_DIRECTIONS * GJB_PORTS_VERTICES
};

/* Runs `scans` scans in 2D or 3D of vertices in the first-level cache: each vertex is multiplied with a
 * direction and compared with the best, which it may replace. `sum` depends on all of it, so that nothing is
 * optimised away. */
typedef void gjb_ports_run(uint32_t dim, uint64_t scans, double *sum);

/* NULL if the build has no such backend. The caller checks that the CPU supports it. */
gjb_ports_run *gjb_ports_find(const char *backend, gjb_precision precision);

#endif
