/* What the lanes of double share that decide doubtful pairs, in 2D and in 3D: rows of a few pairs, one after
 * another. */
#ifndef GJB_SIMD_DOUBTFUL_H
#define GJB_SIMD_DOUBTFUL_H

#include "simd/lanes/lanes.h"

enum { DOUBTFUL_PAIRS = 8 };

/* One function per backend: DOUBTFUL_NAME(2) is gjb_doubtful2_avx2 and so on. */
#define DOUBTFUL_NAME__(dim, backend) gjb_doubtful##dim##_##backend
#define DOUBTFUL_NAME_(dim, backend) DOUBTFUL_NAME__(dim, backend)
#define DOUBTFUL_NAME(dim) DOUBTFUL_NAME_(dim, GJB_HELPERS)

#if GJB_BITS == 64
/* Four numbers of each of LANES pairs from `first` on, whose rows are `stride` apart. Lanes beyond the last repeat
 * it. */
LANE_FN void load_rows(const double *rows, unsigned stride, unsigned first, unsigned pairs, vr out[4])
{
    const real *from[LANES];
    for (unsigned l = 0; l < LANES; l++)
        from[l] = rows + stride * (first + l < pairs ? first + l : pairs - 1);
    v_load4t(from, out);
}
#endif

#endif
