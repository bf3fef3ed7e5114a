/* What this CPU can do, asked once. */
#ifndef GJB_CORE_CPU_H
#define GJB_CORE_CPU_H

#include <stdint.h>

enum {
    GJB_CPU_SSE4 = 1u << 0,   /* SSE4.1 */
    GJB_CPU_AVX = 1u << 1,    /* with the operating system saving ymm */
    GJB_CPU_AVX2 = 1u << 2,
    GJB_CPU_AVX512 = 1u << 3, /* F, VL, DQ, BW, and zmm saved */
    GJB_CPU_NEON = 1u << 4
};

uint32_t gjb_cpu_features(void);
const char *gjb_cpu_name(void); /* brand string, or "unknown" */

#endif
