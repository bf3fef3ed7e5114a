/* Randomness against published answers, and against what it promises. */
#include <criterion/criterion.h>
#include <math.h>

#include "scenes/generate/generate_parts.h"

Test(random, philox_gives_the_published_answers)
{
    /* Known answers of philox4x32-10 that Random123 is distributed with. */
    static const struct {
        uint32_t counter[4], key[2], block[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const uint32_t *c = known[k].counter, *key = known[k].key;
        gjb_random r = {
            .key = {key[0] | (uint64_t)key[1] << 32, c[2] | (uint64_t)c[3] << 32},
            .counter = c[0] | (uint64_t)c[1] << 32,
        };
        gjb_random before = r;
        before.counter--;
        for (int i = 0; i < 4; i++) {
            cr_expect_eq(gjb_random_u32(&r), known[k].block[i], "answer %zu, word %d", k, i);
            gjb_random_u32(&before);
        }
        cr_expect_eq(gjb_random_u32(&before), known[k].block[0], "the block after, answer %zu", k);
    }
}

Test(random, every_part_of_the_name_counts)
{
    static const uint64_t names[][3] = {{1, 2, 3},
                                        {2, 1, 3},
                                        {1, 2, 4},
                                        {1, 3, 3},
                                        {2, 2, 3},
                                        {1, 2, 3 + (1ull << 40)},
                                        {1 + (1ull << 40), 2, 3},
                                        {1, 2 + (1ull << 40), 3}};
    enum { NAMES = sizeof names / sizeof *names };
    uint64_t first[NAMES];
    for (size_t i = 0; i < NAMES; i++) {
        gjb_random r = gjb_random_make(names[i][0], names[i][1], names[i][2]), again = r;
        const uint64_t high = gjb_random_u32(&r);
        first[i] = high << 32 | gjb_random_u32(&r);
        cr_expect_eq(gjb_random_u32(&again), high);
        for (size_t j = 0; j < i; j++)
            cr_expect_neq(first[i], first[j], "names %zu and %zu", i, j);
    }
}

Test(random, unit_fills_its_range)
{
    gjb_random r = gjb_random_make(1, 2, 3);
    double sum = 0.0, least = 1.0, most = 0.0;
    enum { DRAWS = 1000000 };
    for (int i = 0; i < DRAWS; i++) {
        const double u = gjb_random_unit(&r);
        cr_assert(u >= 0.0 && u < 1.0);
        sum += u;
        least = fmin(least, u);
        most = fmax(most, u);
    }
    cr_expect_lt(fabs(sum / DRAWS - 0.5), 5.0 * sqrt(1.0 / 12.0 / DRAWS));
    cr_expect(least < 2e-5 && most > 1.0 - 2e-5, "%g to %g", least, most);
}

/* Chi squared of values below n: over `bins` equal ranges, or over remainders
 * by `bins`, which must then divide n. */
static double chi_squared(uint32_t n, uint32_t bins, int remainders)
{
    enum { DRAWS = 480000 };
    uint32_t counts[48] = {0};
    gjb_random r = gjb_random_make(4, 5, n);
    for (uint32_t i = 0; i < DRAWS; i++) {
        const uint32_t value = gjb_random_below(&r, n);
        cr_assert_lt(value, n);
        counts[remainders ? value % bins : (uint64_t)value * bins / n]++;
    }
    double sum = 0.0;
    for (uint32_t b = 0; b < bins; b++) {
        const double expected = (double)DRAWS / bins, off = counts[b] - expected;
        sum += off * off / expected;
    }
    return sum;
}

Test(random, below_is_unbiased)
{
    /* Of 3 * 2^30 values, a third would come twice as often: the first third
     * by taking remainders, every third by multiplying, without rejection. */
    static const struct {
        uint32_t n, bins;
        int remainders;
    } rows[] = {{2, 2, 0},           {3, 3, 0},           {7, 7, 0},          {48, 48, 0},
                {0x60000000, 48, 0}, {0xc0000000, 48, 0}, {0x60000000, 3, 1}, {0xc0000000, 3, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double chi = chi_squared(rows[i].n, rows[i].bins, rows[i].remainders);
        const double freedom = rows[i].bins - 1.0;
        cr_expect_lt(chi, freedom + 5.0 * sqrt(2.0 * freedom) + 5.0, "below(%u): %g", rows[i].n, chi);
    }
    gjb_random r = gjb_random_make(0, 0, 0);
    cr_expect_eq(gjb_random_below(&r, 0), 0);
    cr_expect_eq(gjb_random_below(&r, 1), 0);
}

Test(random, rotations_have_unit_length_in_both_precisions)
{
    gjb_random r = gjb_random_make(6, 7, 8);
    double worst = 0.0, worst_f32 = 0.0, sum_c = 0.0, sum_s = 0.0;
    enum { DRAWS = 200000 };
    for (int i = 0; i < DRAWS; i++) {
        double c, s;
        gjb_random_rotation(&r, &c, &s);
        const double cc = c * c, ss = s * s;
        const double residual = (fmax(cc, ss) - 1.0) + fmin(cc, ss) + (fma(c, c, -cc) + fma(s, s, -ss));
        const double fc = (float)c, fs = (float)s;
        worst = fmax(worst, fabs(residual));
        worst_f32 = fmax(worst_f32, fabs(fc * fc + fs * fs - 1.0));
        sum_c += c;
        sum_s += s;
    }
    cr_expect_leq(worst, 2.001 * 0x1p-53, "%g eps", worst * 0x1p53);
    cr_expect_leq(worst_f32, 2.001 * 0x1p-24, "%g eps", worst_f32 * 0x1p24);
    cr_expect_lt(fabs(sum_c / DRAWS), 0.01);
    cr_expect_lt(fabs(sum_s / DRAWS), 0.01);
}

/* Moments of uniform unit quaternions: a quarter and an eighth. */
Test(random, quaternions_are_uniform_and_of_unit_length)
{
    gjb_random r = gjb_random_make(9, 10, 11);
    double worst = 0.0, worst_f32 = 0.0, mean[4] = {0}, second[4] = {0}, fourth[4] = {0};
    enum { DRAWS = 200000 };
    for (int i = 0; i < DRAWS; i++) {
        double q[4], narrow = -1.0;
        long double sum = -1.0L;
        gjb_random_quaternion(&r, q);
        for (int k = 0; k < 4; k++) {
            sum += (long double)q[k] * q[k];
            narrow += (double)(float)q[k] * (float)q[k];
            mean[k] += q[k] / DRAWS;
            second[k] += q[k] * q[k] / DRAWS;
            fourth[k] += q[k] * q[k] * q[k] * q[k] / DRAWS;
        }
        worst = fmax(worst, fabs((double)sum));
        worst_f32 = fmax(worst_f32, fabs(narrow));
    }
    cr_expect_leq(worst, 2.01 * 0x1p-53, "%g eps", worst * 0x1p53);
    cr_expect_leq(worst_f32, 2.01 * 0x1p-24, "%g eps", worst_f32 * 0x1p24);
    for (int k = 0; k < 4; k++)
        cr_expect(fabs(mean[k]) < 0.006 && fabs(second[k] - 0.25) < 0.003 && fabs(fourth[k] - 0.125) < 0.003,
                  "component %d: %g, %g, %g", k, mean[k], second[k], fourth[k]);
}

/* Coordinates of a uniform direction are uniform (Archimedes): a third. */
Test(random, directions_are_uniform)
{
    gjb_random r = gjb_random_make(12, 13, 14);
    double mean[3] = {0}, second[3] = {0}, fourth[3] = {0};
    enum { DRAWS = 200000 };
    for (int i = 0; i < DRAWS; i++) {
        double u[3];
        gjb_random_direction3(&r, u);
        cr_assert_lt(fabs(u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - 1.0), 1e-15);
        for (int k = 0; k < 3; k++) {
            mean[k] += u[k] / DRAWS;
            second[k] += u[k] * u[k] / DRAWS;
            fourth[k] += u[k] * u[k] * u[k] * u[k] / DRAWS;
        }
    }
    for (int k = 0; k < 3; k++)
        cr_expect(fabs(mean[k]) < 0.007 && fabs(second[k] - 1.0 / 3.0) < 0.004 && fabs(fourth[k] - 0.2) < 0.004,
                  "axis %d: %g, %g, %g", k, mean[k], second[k], fourth[k]);
}
