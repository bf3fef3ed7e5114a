/* Change points of made-up series: false alarms, steps that are found, uniform p-values, intervals of ratios. */
#include <criterion/criterion.h>
#include <math.h>

#include "history/change.h"
#include "scenes/generate/generate.h"

/* Made-up series: every number is exact, for nothing in them depends on the machine. */
enum { SERIES = 1000, LONGEST = 64 };

static double gauss(gjb_random *r)
{
    const double radius = sqrt(-2 * log(1 - gjb_random_unit(r)));
    return radius * cos(6.283185307179586 * gjb_random_unit(r));
}

typedef struct step { size_t at; double ratio; } step;
typedef struct made { size_t n; step steps[3]; double outlier; size_t outlier_at; } made;

/* Logarithms of times with 1% of noise. */
static void make(const made *m, uint64_t seed, double *values)
{
    gjb_random r = gjb_random_make(seed, 7, m->n);
    for (size_t i = 0; i < m->n; i++) {
        double ratio = 1;
        for (size_t k = 0; k < 3 && m->steps[k].at; k++)
            ratio *= i >= m->steps[k].at ? m->steps[k].ratio : 1;
        values[i] = log(100 * ratio * (i == m->outlier_at && m->outlier > 0 ? m->outlier : 1)) + 0.01 * gauss(&r);
    }
}

typedef struct tally { long changed, exact, near, changes; } tally; /* near: as many as made, each within one run */

static tally count(const made *m, double level)
{
    gjb_chance chance = {.seed = 1};
    tally t = {0, 0, 0, 0};
    long wanted = 0;
    while (wanted < 3 && m->steps[wanted].at)
        wanted++;
    for (uint64_t seed = 1; seed <= SERIES; seed++) {
        double values[LONGEST];
        gjb_split found[LONGEST];
        make(m, seed, values);
        const long n = gjb_changes_find(values, m->n, level, &chance, found);
        int exact = n == wanted, near = n == wanted;
        for (long k = 0; k < wanted && k < n; k++) {
            exact &= found[k].at == m->steps[k].at;
            near &= labs((long)found[k].at - (long)m->steps[k].at) <= 1;
        }
        t.changed += n > 0;
        t.changes += n;
        t.exact += exact;
        t.near += near;
    }
    gjb_chance_free(&chance);
    return t;
}

static void expect(const char *what, const made *m, double level, tally wanted)
{
    const tally got = count(m, level);
    cr_expect(got.changed == wanted.changed && got.changes == wanted.changes && got.exact == wanted.exact &&
                  got.near == wanted.near,
              "%s: changed %ld, changes %ld, exact %ld, near %ld; wanted %ld, %ld, %ld, %ld", what, got.changed, got.changes,
              got.exact, got.near, wanted.changed, wanted.changes, wanted.exact, wanted.near);
}

Test(change, false_alarms_of_noise)
{
    expect("30 runs", &(made){.n = 30}, 0.05, (tally){53, 947, 947, 55});
    expect("60 runs", &(made){.n = 60}, 0.05, (tally){48, 952, 952, 62});
    expect("30 runs at 1%", &(made){.n = 30}, 0.01, (tally){13, 987, 987, 13});
}

Test(change, one_run_astray)
{
    expect("in the middle", &(made){.n = 30, .outlier = 3, .outlier_at = 15}, 0.05, (tally){34, 966, 966, 35});
    expect("last but one", &(made){.n = 30, .outlier = 3, .outlier_at = 28}, 0.05, (tally){81, 919, 919, 83});
    expect("last", &(made){.n = 30, .outlier = 3, .outlier_at = 29}, 0.05, (tally){98, 902, 902, 101});
    expect("in a side of 13", &(made){.n = 27, .steps = {{13, 1.12}}, .outlier = 3, .outlier_at = 6}, 0.003, (tally){1000, 1000, 1000, 1000});
    expect("next to a step", &(made){.n = 30, .steps = {{15, 1.05}}, .outlier = 3, .outlier_at = 20}, 0.05, (tally){1000, 934, 953, 1047});
}

Test(change, steps)
{
    expect("5%", &(made){.n = 30, .steps = {{15, 1.05}}}, 0.05, (tally){1000, 931, 952, 1049});
    expect("5% at 0.1%", &(made){.n = 30, .steps = {{15, 1.05}}}, 0.001, (tally){1000, 977, 999, 1001});
    expect("1%", &(made){.n = 30, .steps = {{15, 1.01}}}, 0.05, (tally){464, 117, 220, 476});
    expect("5%, five runs from the end", &(made){.n = 30, .steps = {{25, 1.05}}}, 0.01, (tally){1000, 974, 992, 1004});
    expect("5%, three runs from the end", &(made){.n = 60, .steps = {{57, 1.05}}}, 0.01, (tally){995, 973, 986, 998});
    expect("5% faster, of 8", &(made){.n = 8, .steps = {{4, 1 / 1.05}}}, 0.05, (tally){995, 954, 992, 995});
    expect("two", &(made){.n = 45, .steps = {{15, 1.05}, {30, 1.05}}}, 0.05, (tally){1000, 916, 944, 2055});
    expect("two, back again", &(made){.n = 45, .steps = {{15, 1.05}, {30, 1 / 1.05}}}, 0.05, (tally){1000, 914, 940, 2059});
}

/* Many series at once: of a thousand, `stepped` have a step. */
static tally discover(size_t stepped)
{
    const made noise = {.n = 30}, step = {.n = 30, .steps = {{20, 1.05}}};
    gjb_chance chance = {.seed = 1, .draws = 80000};
    double p[SERIES], q[SERIES];
    tally t = {0, 0, 0, 0};
    for (size_t i = 0; i < SERIES; i++) {
        double values[LONGEST];
        make(i < stepped ? &step : &noise, i + 1, values);
        p[i] = gjb_split_find(values, step.n, &chance).p;
    }
    const double level = gjb_discoveries(p, SERIES, 0.05, q);
    for (size_t i = 0; i < SERIES; i++) {
        cr_assert_eq(q[i] <= 0.05, p[i] <= level, "series %zu: p %g, q %g, level %g", i, p[i], q[i], level);
        t.changed += q[i] <= 0.05;
        t.exact += q[i] <= 0.05 && i < stepped;
    }
    gjb_chance_free(&chance);
    return t;
}

Test(change, of_many_series)
{
    const struct { size_t stepped; long told, truly; } rows[] = {{0, 0, 0}, {1, 1, 1}, {100, 105, 100}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const tally t = discover(rows[i].stepped);
        cr_expect(t.changed == rows[i].told && t.exact == rows[i].truly, "of %zu with a step: %ld told, %ld of them truly; "
                  "wanted %ld, %ld", rows[i].stepped, t.changed, t.exact, rows[i].told, rows[i].truly);
    }
}

/* Worked by hand: 4 p-values at rate 0.05; the third fails its own threshold of 0.0375, and the second its of 0.025. */
Test(change, discoveries_by_hand)
{
    const double p[] = {0.04, 0.001, 0.9, 0.03};
    double q[4];
    cr_assert_float_eq(gjb_discoveries(p, 4, 0.05, q), 0.0125, 1e-12);
    const double wanted[] = {0.16 / 3, 0.004, 0.9, 0.16 / 3};
    for (size_t i = 0; i < 4; i++)
        cr_expect_float_eq(q[i], wanted[i], 1e-12, "q[%zu] %g", i, q[i]);
    cr_assert_eq(gjb_discoveries(p + 2, 1, 0.05, q), 0);
    cr_assert_eq(gjb_discoveries(p, 0, 0.05, q), 0);
}

Test(change, of_few_and_of_equal_runs)
{
    gjb_chance chance = {.seed = 1};
    const double three[] = {1, 1, 2}, same[] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 5}, apart[] = {1, 2, 3, 4, 11, 12, 13, 14};
    gjb_split found[10];
    cr_expect_eq(gjb_split_find(three, 3, &chance).p, 1);
    cr_expect_eq(gjb_split_find(three, 3, &chance).at, 0);
    cr_expect_eq(gjb_changes_find(three, 0, 0.05, &chance, found), 0);
    cr_expect_eq(gjb_changes_find(same, 10, 0.05, &chance, found), 0);
    /* Of eight runs in random order one in thirty-five parts so well: 2 / (8 choose 4). */
    cr_expect_float_eq(gjb_split_least_p(8), 2.0 / 70, 1e-12);
    cr_expect_float_eq(gjb_split_least_p(7), 4.0 / 35, 1e-12);
    const gjb_split split = gjb_split_find(apart, 8, &chance);
    cr_expect(split.at == 4 && fabs(split.p - 2.0 / 70) < 0.004, "at %zu, p %g", split.at, split.p);
    gjb_chance_free(&chance);
}

/* p of noise is what it says: every tenth of it comes as often. */
Test(change, p_is_uniform_without_a_change)
{
    gjb_chance chance = {.seed = 1};
    static const long wanted[10] = {95, 106, 103, 104, 85, 73, 135, 110, 93, 96};
    long bins[10] = {0};
    for (uint64_t seed = 1; seed <= SERIES; seed++) {
        double values[LONGEST];
        make(&(made){.n = 40}, seed, values);
        const double p = gjb_split_find(values, 40, &chance).p;
        bins[(int)fmin(9, 10 * p)]++;
    }
    for (size_t i = 0; i < 10; i++)
        cr_expect_eq(bins[i], wanted[i], "bin %zu: %ld, wanted %ld", i, bins[i], wanted[i]);
    gjb_chance_free(&chance);
}

static gjb_blocks blocks_of(double median, double spread, gjb_random *r)
{
    gjb_blocks b = {.median = median, .count = 9};
    for (size_t i = 0; i < b.count; i++)
        b.ns[i] = median * (1 + spread * gauss(r));
    return b;
}

/* The interval holds the ratio that was made, knows of both noises, and is the same again. */
Test(change, ratios)
{
    long held = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        gjb_random r = gjb_random_make(seed, 8, 0);
        gjb_blocks before[12], after[12];
        for (size_t i = 0; i < 12; i++) {
            before[i] = blocks_of(100 * exp(0.01 * gauss(&r)), 0.01, &r);
            after[i] = blocks_of(105 * exp(0.01 * gauss(&r)), 0.01, &r);
        }
        const gjb_shift a = gjb_shift_across(before, 12, after, 12, seed), b = gjb_shift_across(before, 12, after, 12, seed);
        cr_expect(a.low <= a.value && a.value <= a.high && a.low == b.low && a.high == b.high);
        held += a.low <= 1.05 && a.high >= 1.05;
    }
    cr_expect_eq(held, 198, "95%% intervals of 200 hold the ratio %ld times", held);
    gjb_blocks still = {.median = 2}, other = {.median = 3};
    const gjb_shift plain = gjb_shift_across(&still, 1, &other, 1, 1);
    cr_expect(plain.value == 1.5 && plain.low == 1.5 && plain.high == 1.5, "a run without blocks is its median");
    still = (gjb_blocks){.median = 7, .count = 2, .ns = {1, 3}};
    const gjb_shift wide = gjb_shift_across(&still, 1, &other, 1, 1);
    cr_expect(wide.low == 1 && wide.high == 3, "blocks alone widen it: %g to %g", wide.low, wide.high);
    cr_expect(wide.value == 1.5, "and are what counts, whatever the file says that their median is: %g", wide.value);
}
