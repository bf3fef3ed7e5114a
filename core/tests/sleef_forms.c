/* All forms of SLEEF's deterministic sincos that this CPU has give the same
 * bits, so that every machine generates the same scenes. A plain program, so
 * that it runs under an emulator too. */
#include <stdio.h>
#include <string.h>

#include "core/cpu.h"
#include "core/random.h"
#include "core/tests/sleef_form.h"

enum { INPUTS = 1 << 18 };

typedef struct form {
    const char *name;
    uint32_t needs;
    void (*f)(const float *, float *, float *, size_t);
    void (*d)(const double *, double *, double *, size_t);
} form;

static const form forms[] = {
    {"purec", 0, sleef_sincosf_purec, sleef_sincosd_purec},
#ifdef HAVE_X86_FORMS
    {"sse4", GJB_CPU_SSE4, sleef_sincosf_sse4, sleef_sincosd_sse4},
    {"avx", GJB_CPU_AVX, sleef_sincosf_avx, sleef_sincosd_avx},
    {"avx512", GJB_CPU_AVX512, sleef_sincosf_avx512, sleef_sincosd_avx512},
#endif
#ifdef HAVE_NEON_FORM
    {"neon", GJB_CPU_NEON, sleef_sincosf_neon, sleef_sincosd_neon},
#endif
};

static float in_f[INPUTS], sine_f[2][INPUTS], cosine_f[2][INPUTS];
static double in_d[INPUTS], sine_d[2][INPUTS], cosine_d[2][INPUTS];

/* A turn, as recipes ask for; many turns; any bits at all. */
static void draw_inputs(void)
{
    gjb_random r = gjb_random_make(1, 2, 3);
    for (int i = 0; i < INPUTS; i++) {
        const double turn = gjb_random_unit(&r) * 6.283185307179586;
        const uint32_t bits = gjb_random_u32(&r);
        const uint64_t wide = (uint64_t)bits << 32 | gjb_random_u32(&r);
        in_d[i] = i % 4 < 2 ? turn : 1e5 * (turn - 3.0);
        in_f[i] = (float)in_d[i];
        if (i % 4 == 3) {
            memcpy(&in_f[i], &bits, sizeof bits);
            memcpy(&in_d[i], &wide, sizeof wide);
        }
    }
}

/* One sign and payload for all NaNs: only whether it is one counts. */
static void canonical(float *f, double *d)
{
    for (int i = 0; i < INPUTS; i++) {
        f[i] = f[i] == f[i] ? f[i] : __builtin_nanf("");
        d[i] = d[i] == d[i] ? d[i] : __builtin_nan("");
    }
}

int main(void)
{
    int compared = 0, differ = 0;
    draw_inputs();
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        const int at = k > 0;
        if ((gjb_cpu_features() & forms[k].needs) != forms[k].needs) {
            printf("skipped %s: not on this CPU\n", forms[k].name);
            continue;
        }
        forms[k].f(in_f, sine_f[at], cosine_f[at], INPUTS);
        forms[k].d(in_d, sine_d[at], cosine_d[at], INPUTS);
        canonical(sine_f[at], sine_d[at]);
        canonical(cosine_f[at], cosine_d[at]);
        compared++;
        if (at && (memcmp(sine_f[0], sine_f[1], sizeof *sine_f) != 0 ||
                   memcmp(cosine_f[0], cosine_f[1], sizeof *cosine_f) != 0 ||
                   memcmp(sine_d[0], sine_d[1], sizeof *sine_d) != 0 ||
                   memcmp(cosine_d[0], cosine_d[1], sizeof *cosine_d) != 0)) {
            printf("%s differs from purec\n", forms[k].name);
            differ++;
        }
    }
    printf("%d forms compared over %d angles in both precisions, %d differ\n", compared, INPUTS, differ);
    return compared < 2 || differ > 0;
}
