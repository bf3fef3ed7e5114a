/* One form of SLEEF's deterministic sincos over an array. Compiled once a
 * form, with the flags of its instruction set; FORM says which. */
#include "core/tests/sleef_form.h"

#include <sleef.h>
#include <string.h>

#define JOIN(a, b) a##_##b
#define NAME(a, b) JOIN(a, b)

#if defined(FORM_purec)
#define FORM purec
typedef float vf;
typedef double vd;
#define SINCOSF Sleef_cinz_sincosf1_u10purec
#define SINCOSD Sleef_cinz_sincosd1_u10purec
typedef Sleef_float_2 vf2;
typedef Sleef_double_2 vd2;
#elif defined(FORM_sse4)
#define FORM sse4
typedef __m128 vf;
typedef __m128d vd;
#define SINCOSF Sleef_cinz_sincosf4_u10sse4
#define SINCOSD Sleef_cinz_sincosd2_u10sse4
typedef Sleef___m128_2 vf2;
typedef Sleef___m128d_2 vd2;
#elif defined(FORM_avx)
#define FORM avx
typedef __m256 vf;
typedef __m256d vd;
#define SINCOSF Sleef_cinz_sincosf8_u10avx
#define SINCOSD Sleef_cinz_sincosd4_u10avx
typedef Sleef___m256_2 vf2;
typedef Sleef___m256d_2 vd2;
#elif defined(FORM_avx512)
#define FORM avx512
typedef __m512 vf;
typedef __m512d vd;
#define SINCOSF Sleef_cinz_sincosf16_u10avx512fnofma
#define SINCOSD Sleef_cinz_sincosd8_u10avx512fnofma
typedef Sleef___m512_2 vf2;
typedef Sleef___m512d_2 vd2;
#elif defined(FORM_neon)
#define FORM neon
typedef float32x4_t vf;
typedef float64x2_t vd;
#define SINCOSF Sleef_cinz_sincosf4_u10advsimdnofma
#define SINCOSD Sleef_cinz_sincosd2_u10advsimdnofma
typedef Sleef_float32x4_t_2 vf2;
typedef Sleef_float64x2_t_2 vd2;
#endif

void NAME(sleef_sincosf, FORM)(const float *angle, float *sine, float *cosine, size_t n)
{
    for (size_t i = 0; i < n; i += sizeof(vf) / sizeof *angle) {
        vf in;
        memcpy(&in, angle + i, sizeof in);
        const vf2 out = SINCOSF(in);
        memcpy(sine + i, &out.x, sizeof in);
        memcpy(cosine + i, &out.y, sizeof in);
    }
}

void NAME(sleef_sincosd, FORM)(const double *angle, double *sine, double *cosine, size_t n)
{
    for (size_t i = 0; i < n; i += sizeof(vd) / sizeof *angle) {
        vd in;
        memcpy(&in, angle + i, sizeof in);
        const vd2 out = SINCOSD(in);
        memcpy(sine + i, &out.x, sizeof in);
        memcpy(cosine + i, &out.y, sizeof in);
    }
}
