/* Instruction sets and name of this CPU; on x86 by CPUID and by the registers that the system saves. */
#include "core/cpu.h"

#include <pthread.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

static pthread_once_t asked = PTHREAD_ONCE_INIT;
static uint32_t features;
static char name[64] = "unknown";

#if defined(__x86_64__)

/* Which registers the operating system saves on a context switch. An
 * instruction set whose registers are not saved counts as absent. */
static uint64_t saved_state(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static void ask(void)
{
    enum { YMM_STATE = 0x6, ZMM_STATE = 0xe6 };
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d))
        return;
    if (c & bit_SSE4_1)
        features |= GJB_CPU_SSE4;
    uint64_t saved = c & bit_OSXSAVE ? saved_state() : 0;
    if ((c & bit_AVX) && (saved & YMM_STATE) == YMM_STATE) {
        features |= GJB_CPU_AVX;
        if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
            const unsigned needed = bit_AVX512F | bit_AVX512VL | bit_AVX512DQ | bit_AVX512BW;
            if (b & bit_AVX2)
                features |= GJB_CPU_AVX2;
            if ((b & needed) == needed && (saved & ZMM_STATE) == ZMM_STATE)
                features |= GJB_CPU_AVX512;
        }
    }
    if (__get_cpuid(0x80000000u, &a, &b, &c, &d) && a >= 0x80000004u) {
        unsigned brand[13] = {0};
        for (unsigned i = 0; i < 3; i++)
            __get_cpuid(0x80000002u + i, &brand[4 * i], &brand[4 * i + 1], &brand[4 * i + 2],
                        &brand[4 * i + 3]);
        const char *text = (const char *)brand;
        text += strspn(text, " ");
        size_t length = strlen(text);
        while (length > 0 && text[length - 1] == ' ')
            length--;
        if (length > 0 && length < sizeof name) {
            memcpy(name, text, length);
            name[length] = '\0';
        }
    }
}

#elif defined(__aarch64__)

static void ask(void)
{
    features = GJB_CPU_NEON;
    strcpy(name, "aarch64");
}

#else

static void ask(void)
{
}

#endif

uint32_t gjb_cpu_features(void)
{
    pthread_once(&asked, ask);
    return features;
}

const char *gjb_cpu_name(void)
{
    pthread_once(&asked, ask);
    return name;
}
