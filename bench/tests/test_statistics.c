/* Medians, their intervals' coverage, bounds on shares, and shuffles. */
#include <criterion/criterion.h>
#include <math.h>

#include "bench/statistics.h"
#include "scenes/generate/generate.h"

Test(statistics, median_of_odd_and_even_counts)
{
    double one[] = {7}, odd[] = {5, 1, 9}, even[] = {8, 2, 4, 6};
    cr_assert_eq(gjb_median(one, 1), 7);
    cr_assert_eq(gjb_median(odd, 3), 5);
    cr_assert_eq(gjb_median(even, 4), 5);
    cr_assert_eq(gjb_median(NULL, 0), 0);
}

Test(statistics, summary_of_nothing_and_of_constants)
{
    const double same[] = {3, 3, 3, 3, 3};
    gjb_summary none = gjb_summarise(NULL, 0, 1), s = gjb_summarise(same, 5, 1);
    cr_assert(none.median == 0 && none.low == 0 && none.high == 0 && none.minimum == 0);
    cr_assert(s.median == 3 && s.low == 3 && s.high == 3 && s.minimum == 3);
}

Test(statistics, summary_orders_its_parts_and_repeats)
{
    for (uint64_t seed = 1; seed <= 50; seed++)
        for (size_t count = 1; count <= 12; count++) {
            double samples[12], copy[12];
            gjb_random random = gjb_random_make(seed, 1, count);
            for (size_t i = 0; i < count; i++)
                copy[i] = samples[i] = gjb_random_range(&random, 10, 20);
            gjb_summary a = gjb_summarise(samples, count, seed), b = gjb_summarise(samples, count, seed);
            cr_expect(a.minimum <= a.low && a.low <= a.median && a.median <= a.high, "seed %d, %zu samples", (int)seed,
                      count);
            cr_expect(a.median == b.median && a.low == b.low && a.high == b.high);
            cr_expect_arr_eq(samples, copy, count * sizeof *samples, "samples are left alone");
        }
}

/* In closed form if none or all but one were found; else from tables of the interval. */
Test(statistics, upper_end_of_a_share)
{
    static const struct { uint64_t some, all; double upper, within; } known[] = {
        {1, 10, 0.445016, 1e-6}, {5, 20, 0.491046, 1e-6}, {2, 100, 0.070384, 1e-6}, {50, 100, 0.601679, 1e-6},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        cr_expect_float_eq(gjb_share_upper(known[i].some, known[i].all), known[i].upper, known[i].within,
                           "%d of %d: %.6f", (int)known[i].some, (int)known[i].all,
                           gjb_share_upper(known[i].some, known[i].all));
    for (uint64_t all = 1; all < 100000; all *= 3) {
        const double none = 1 - pow(0.025, 1 / (double)all), but_one = pow(0.975, 1 / (double)all);
        cr_expect_float_eq(gjb_share_upper(0, all), none, 1e-9 * none + 1e-12);
        if (all > 1)
            cr_expect_float_eq(gjb_share_upper(all - 1, all), but_one, 1e-9);
        cr_expect_eq(gjb_share_upper(all, all), 1);
    }
    cr_expect_eq(gjb_share_upper(0, 0), 1);
}

/* Of 1000 experiments the interval of 15 samples should hold the true median in
 * about 950. The percentile bootstrap of a median is known to be a little off
 * at such counts; an interval that is plain wrong is off by far more. Draws are
 * seeded, so the count is the same on every machine. */
static int covered(double (*draw)(gjb_random *), double truth)
{
    int inside = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        double samples[15];
        gjb_random random = gjb_random_make(seed, 2, 0);
        for (size_t i = 0; i < 15; i++)
            samples[i] = draw(&random);
        gjb_summary s = gjb_summarise(samples, 15, seed);
        inside += s.low <= truth && truth <= s.high;
    }
    return inside;
}

static double uniform(gjb_random *random)
{
    return gjb_random_unit(random);
}

/* Long tail to the right, as timings have; its median is 1. */
static double tailed(gjb_random *random)
{
    double u = gjb_random_unit(random);
    return u / (1 - u);
}

Test(statistics, interval_covers_the_median_as_often_as_it_says)
{
    int flat = covered(uniform, 0.5), tail = covered(tailed, 1);
    cr_assert(flat >= 920 && flat <= 980, "uniform: %d of 1000", flat);
    cr_assert(tail >= 920 && tail <= 980, "tailed: %d of 1000", tail);
}

Test(statistics, interval_narrows_with_more_samples)
{
    double samples[400];
    gjb_random random = gjb_random_make(1, 3, 0);
    for (size_t i = 0; i < 400; i++)
        samples[i] = gjb_random_unit(&random);
    gjb_summary few = gjb_summarise(samples, 20, 1), many = gjb_summarise(samples, 400, 1);
    cr_assert_lt(many.high - many.low, (few.high - few.low) / 2);
}

Test(statistics, shuffle_is_a_permutation_that_rounds_change)
{
    uint32_t order[100], other[100];
    uint8_t seen[100] = {0};
    gjb_shuffle(order, 100, 1, 0);
    for (size_t i = 0; i < 100; i++) {
        cr_assert_lt(order[i], 100);
        seen[order[i]]++;
    }
    for (size_t i = 0; i < 100; i++)
        cr_assert_eq(seen[i], 1);
    gjb_shuffle(other, 100, 1, 1);
    cr_assert_arr_neq(order, other, sizeof order);
    gjb_shuffle(other, 100, 1, 0);
    cr_assert_arr_eq(order, other, sizeof order);

    /* Every element comes first about as often: 10 elements, 10000 rounds. */
    unsigned first[10] = {0};
    for (uint64_t round = 0; round < 10000; round++) {
        gjb_shuffle(order, 10, 1, round);
        first[order[0]]++;
    }
    for (size_t i = 0; i < 10; i++)
        cr_expect(first[i] > 850 && first[i] < 1150, "element %zu came first %u times", i, first[i]);
}

Test(statistics, the_middle_half_is_what_counts)
{
    double some[] = {1000, 2, 3, -1000, 4, 5, 6, 1}, few[] = {3, 1, 2};
    cr_expect_eq(gjb_middle(some, 8), 3.5, "of 2, 3, 4 and 5");
    cr_expect_eq(gjb_middle(few, 3), 2);
    cr_expect_eq(gjb_middle(few, 0), 0);
    cr_expect(some[0] == -1000 && some[7] == 1000, "it sorts");
}
