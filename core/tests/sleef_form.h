/* SLEEF's cinz sincos in each form of this architecture. `n` is a multiple of
 * 16. Only purec may be called without asking the CPU. */
#ifndef GJB_CORE_TESTS_SLEEF_FORM_H
#define GJB_CORE_TESTS_SLEEF_FORM_H

#include <stddef.h>

#define SLEEF_FORM(form)                                                                              \
    void sleef_sincosf_##form(const float *angle, float *sine, float *cosine, size_t n);              \
    void sleef_sincosd_##form(const double *angle, double *sine, double *cosine, size_t n);
SLEEF_FORM(purec)
SLEEF_FORM(sse4)
SLEEF_FORM(avx)
SLEEF_FORM(avx512)
SLEEF_FORM(neon)
#undef SLEEF_FORM

#endif
