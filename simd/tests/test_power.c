/* Powers in lanes: near those of long double, the same bits on every backend of this CPU, and
 * never NaN for arguments of support mappings. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "simd/simd.h"

/* POWER_BACKENDS, from meson: ROW(scalar) ROW(sse4) ... of this build. */
#define ROW(name)                                                                                                \
    void powers_##name##_32(const float *x, const float *y, float *power, float *share, size_t count);                         \
    void powers_##name##_64(const double *x, const double *y, double *power, double *share, size_t count);
POWER_BACKENDS
#undef ROW

#define ROW(name) {#name, powers_##name##_32, powers_##name##_64},
static const struct power_row {
    const char *backend;
    void (*f32)(const float *, const float *, float *, float *, size_t);
    void (*f64)(const double *, const double *, double *, double *, size_t);
} rows[] = {POWER_BACKENDS};
enum { ROWS = sizeof rows / sizeof *rows };

enum { COUNT = 1 << 20 };
static double base[COUNT], exponent[COUNT];
static float base_32[COUNT], exponent_32[COUNT], power_32[ROWS][COUNT], share_32[ROWS][COUNT];
static double power_64[ROWS][COUNT], share_64[ROWS][COUNT];

static double share(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = (*state ^ *state >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* Arguments of support mappings: ratios in [0, 1] with exponents from 1/15 to 2^100, many near 1 or tiny, and
 * sums in [1, 3] with exponents from -1 to -1/16. */
static void fill(void)
{
    static const double special[] = {0, 1, 0.5, 1 - 0x1p-24, 1 - 0x1p-53, 0x1p-126, 0x1p-149, 0x1p-1022, 0x1p-1074};
    static const double steep[] = {0, 1, 2, 1.0 / 15, 15, 0x1p23, 0x1p52, 0x1p100, 0.5};
    /* Powers near sqrt(2) times a power of two, for which the exponent of the result is rounded from a
     * half. */
    static const double roots[][2] = {{0.25, 0.25}, {2, -0.5}, {2, -0.25}, {0.5, 0.5}, {0.125, 0.5}, {0.0625, 0.125}, {0.03125, 0.5}, {0.125, 1.0 / 6}};
    enum { SPECIAL = sizeof special / sizeof *special, STEEP = sizeof steep / sizeof *steep, ROOTS = sizeof roots / sizeof *roots, NEAR = 1024 };
    uint64_t state = 1;
    for (uint32_t i = 0; i < COUNT; i++) {
        const double u = share(&state), v = share(&state), w = share(&state);
        const int down = i % 4 == 3;
        base[i] = down ? 1 + 2 * u : i % 4 == 0 ? u : i % 4 == 1 ? 1 - ldexp(u, -(int)(40 * w)) : ldexp(u, -(int)(120 * w));
        exponent[i] = down ? -1 + v * 15 / 16 : i % 8 < 4 ? 1 / (15 * v + 1e-6) : exp2(104 * v - 4);
        if (i < SPECIAL * STEEP) {
            base[i] = special[i / STEEP];
            exponent[i] = steep[i % STEEP];
        }
        base_32[i] = (float)base[i];
        exponent_32[i] = (float)exponent[i];
        if (i >= SPECIAL * STEEP && i - SPECIAL * STEEP < ROOTS * NEAR) {
            const double *root = roots[(i - SPECIAL * STEEP) / NEAR], off = (int)((i - SPECIAL * STEEP) % NEAR) - NEAR / 2;
            base[i] = root[0] * (1 + off * 0x1p-53);
            base_32[i] = (float)(root[0] * (1 + off * 0x1p-24));
            exponent[i] = root[1];
            exponent_32[i] = (float)root[1];
        }
    }
    for (int r = 0; r < ROWS; r++)
        if (gjb_backend_available(rows[r].backend)) {
            rows[r].f32(base_32, exponent_32, power_32[r], share_32[r], COUNT);
            rows[r].f64(base, exponent, power_64[r], share_64[r], COUNT);
        }
}

/* `least`: the smallest normal number. */
static void hold(double x, double y, double got, long double epsilon, double least)
{
    const long double want = powl((long double)x, (long double)y);
    cr_assert(isfinite(got) && got >= 0, "%a to the power of %a: %a", x, y, got);
    if (want >= 2 * (long double)least)
        cr_assert(fabsl((long double)got - want) <= 2 * epsilon * want, "%a to the power of %a: %a is off by %Lf units",
                  x, y, got, ((long double)got - want) / want / epsilon);
    else
        cr_assert(got <= 2 * least, "%a to the power of %a: %a", x, y, got);
    if (x == 1 || y == 0 || (x == 0 && y > 0))
        cr_assert((long double)got == want, "%a to the power of %a: %a", x, y, got);
}

/* The same for the quicker form, if the result is a share. */
static void hold_share(double x, double y, double got, long double epsilon)
{
    const long double want = powl((long double)x, (long double)y);
    if (y == 0 || want > 1)
        return;
    cr_assert(got >= 0 && fabsl((long double)got - want) <= 4 * epsilon, "%a to the power of %a: share %a instead of %La", x, y, got, want);
    if (x == 0 || x == 1)
        cr_assert((long double)got == want, "%a to the power of %a: share %a", x, y, got);
}

Test(power, is_close_to_that_of_long_double)
{
    fill();
    for (uint32_t i = 0; i < COUNT; i++) {
        hold((double)base_32[i], (double)exponent_32[i], (double)power_32[0][i], 0x1p-24L, 0x1p-126);
        hold(base[i], exponent[i], power_64[0][i], 0x1p-53L, 0x1p-1022);
        hold_share((double)base_32[i], (double)exponent_32[i], (double)share_32[0][i], 0x1p-24L);
        hold_share(base[i], exponent[i], share_64[0][i], 0x1p-53L);
    }
}

Test(power, has_the_same_bits_on_all_backends)
{
    fill();
    for (int r = 1; r < ROWS; r++)
        if (gjb_backend_available(rows[r].backend))
            for (uint32_t i = 0; i < COUNT; i++) {
                cr_assert_eq(memcmp(&power_32[0][i], &power_32[r][i], sizeof(float)), 0,
                             "%s: %a to the power of %a", rows[r].backend, (double)base_32[i], (double)exponent_32[i]);
                cr_assert(exponent[i] == 0 || !memcmp(&share_32[0][i], &share_32[r][i], sizeof(float)),
                          "%s: share %a to the power of %a", rows[r].backend, (double)base_32[i], (double)exponent_32[i]);
                cr_assert(exponent[i] == 0 || !memcmp(&share_64[0][i], &share_64[r][i], sizeof(double)),
                          "%s: share %a to the power of %a", rows[r].backend, base[i], exponent[i]);
                cr_assert_eq(memcmp(&power_64[0][i], &power_64[r][i], sizeof(double)), 0,
                             "%s: %a to the power of %a", rows[r].backend, base[i], exponent[i]);
            }
}
