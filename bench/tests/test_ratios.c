/* Statistics of comparisons on seeded data: rates of alarm, power, intervals, exact ranks, many benchmarks. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "bench/compare/ratios.h"
#include "bench/statistics.h"
#include "scenes/generate/generate.h"

enum { STREAM = 77, BENCHMARKS = 7 };

static double normal(gjb_random *random)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += gjb_random_range(random, 0, 1);
    return sum - 6;
}

/* Launches of a shared machine: one in ten is disturbed, on one side or the other. */
static void make_logs(gjb_random *random, double truth, double *logs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int disturbed = gjb_random_below(random, 10) == 0;
        logs[i] = truth + (disturbed ? 0.10 : 0.015) * normal(random);
    }
}

typedef struct counts {
    int of[GJB_CHANGES], covered, families; /* families: comparisons with any wrong call */
} counts;

static counts count_changes(int comparisons, size_t launches, double truth, double floor)
{
    counts c = {{0}, 0, 0};
    for (int k = 0; k < comparisons; k++) {
        gjb_ratio ratios[BENCHMARKS];
        gjb_random random = gjb_random_make(1, STREAM, (uint64_t)k);
        int any = 0;
        for (int b = 0; b < BENCHMARKS; b++) {
            double logs[100];
            make_logs(&random, truth, logs, launches);
            ratios[b] = gjb_ratio_of(logs, launches, floor, 0.01 / (2 * BENCHMARKS), 1);
            c.covered += ratios[b].low <= truth && truth <= ratios[b].high;
        }
        gjb_judge(ratios, BENCHMARKS, 0.01);
        for (int b = 0; b < BENCHMARKS; b++) {
            c.of[ratios[b].change]++;
            any |= ratios[b].change == GJB_CHANGE_FASTER || ratios[b].change == GJB_CHANGE_SLOWER;
        }
        c.families += any;
    }
    return c;
}

/* Everything is seeded: these are counts of one experiment, the same everywhere, and what they may be at most follows
 * from what is promised. */
Test(ratios, builds_that_do_not_differ_raise_few_alarms, .timeout = 120)
{
    const counts c = count_changes(60, 50, 0, 0);
    const int all = 60 * BENCHMARKS;
    cr_expect_leq(c.families, 3, "%d of 60 comparisons cry wolf: promised is 1%% of them", c.families);
    cr_expect(c.covered > 0.93 * all && c.covered < 0.97 * all, "95%% intervals hold the truth %d times of %d", c.covered,
              all);
    cr_expect_geq(c.of[GJB_CHANGE_NONE], all * 9 / 10, "%d of %d are called the same", c.of[GJB_CHANGE_NONE], all);
}

Test(ratios, a_difference_below_the_floor_is_no_alarm, .timeout = 120)
{
    const counts c = count_changes(30, 50, log(1.01), log(1.01));
    cr_expect_leq(c.families, 2, "%d of 30 comparisons cry wolf at the floor itself", c.families);
}

Test(ratios, slow_downs_are_found, .timeout = 120)
{
    const counts five = count_changes(10, 50, log(1.05), log(1.01)), two = count_changes(10, 50, log(1.02), log(1.005));
    cr_expect_eq(five.of[GJB_CHANGE_SLOWER], 10 * BENCHMARKS, "%d", five.of[GJB_CHANGE_SLOWER]);
    cr_expect_geq(two.of[GJB_CHANGE_SLOWER], 10 * BENCHMARKS * 8 / 10, "%d", two.of[GJB_CHANGE_SLOWER]);
    cr_expect_eq(two.of[GJB_CHANGE_FASTER], 0);
    const counts faster = count_changes(10, 50, -log(1.05), log(1.01));
    cr_expect_eq(faster.of[GJB_CHANGE_FASTER], 10 * BENCHMARKS);
}

/* Launches that one side was disturbed in, as many as 20% on either side, are no difference. */
Test(ratios, a_few_launches_decide_nothing)
{
    double logs[20];
    for (int i = 0; i < 20; i++)
        logs[i] = i < 4 ? 0.5 : 0.001 * (i % 3 - 1);
    gjb_ratio r = gjb_ratio_of(logs, 20, 0.005, 0.01, 1);
    cr_expect_float_eq(r.log, 0, 0.002, "%g", r.log);
    gjb_judge(&r, 1, 0.01);
    cr_expect_neq(r.change, GJB_CHANGE_SLOWER);
}

/* Equal times whose ratios are equal but for rounding. */
Test(ratios, rounding_is_no_spread)
{
    double logs[9];
    for (int i = 0; i < 9; i++)
        logs[i] = i == 4 ? nextafter(0.2, 1) : 0.2;
    gjb_ratio r = gjb_ratio_of(logs, 9, 0.005, 0.01 / 4, 1);
    gjb_judge(&r, 1, 0.01);
    cr_expect(r.change == GJB_CHANGE_SLOWER && fabs(r.low - 0.2) < 1e-12 && fabs(r.high - 0.2) < 1e-12, "%g, %.17g to %.17g", r.p[GJB_CHANGE_SLOWER],
              r.low, r.high);
}

Test(ratios, too_few_and_constant_ones)
{
    const double same[GJB_RATIOS_LEAST] = {0.03, 0.03, 0.03, 0.03, 0.03, 0.03}, none[GJB_RATIOS_LEAST] = {0};
    gjb_ratio few = gjb_ratio_of(same, GJB_RATIOS_LEAST - 1, 0.01, 0.01, 1);
    cr_expect(few.log == 0.03 && few.low == -INFINITY && few.high == INFINITY);
    gjb_ratio nothing = gjb_ratio_of(NULL, 0, 0.01, 0.01, 1);
    gjb_ratio all[3] = {few, gjb_ratio_of(same, GJB_RATIOS_LEAST, 0.01, 0.01 / 6, 1), gjb_ratio_of(none, GJB_RATIOS_LEAST, 0.01, 0.01 / 6, 1)};
    gjb_judge(all, 3, 0.01);
    cr_expect_eq(all[0].change, GJB_CHANGE_UNSURE);
    cr_expect(all[1].change == GJB_CHANGE_SLOWER && all[1].low == 0.03 && all[1].high == 0.03);
    cr_expect(all[2].change == GJB_CHANGE_NONE && all[2].log == 0);
    gjb_judge(&nothing, 1, 0.01);
    cr_expect_eq(nothing.change, GJB_CHANGE_UNSURE);
}

enum { SIX = 6 };

/* The mean of the middle four over the error that they have with the outer two pulled in: as in Wilcox, by hand. */
static double student_of_six(const double *any, double truth)
{
    double v[SIX], mean, pulled = 0, squares = 0;
    memcpy(v, any, sizeof v);
    gjb_sort(v, SIX);
    mean = (v[1] + v[2] + v[3] + v[4]) / 4;
    v[0] = v[1];
    v[5] = v[4];
    for (int i = 0; i < SIX; i++)
        pulled += v[i] / SIX;
    for (int i = 0; i < SIX; i++)
        squares += (v[i] - pulled) * (v[i] - pulled);
    const double error = sqrt(squares / 5 / SIX) / 0.6;
    return error > 1e-9 ? (mean - truth) / error : fabs(mean - truth) < 1e-12 ? 0 : copysign(INFINITY, mean - truth);
}

/* Six logs can be drawn in 6^6 ways: all of them, one by one. */
Test(ratios, few_are_resampled_in_every_way)
{
    const double logs[SIX] = {0.01, 0.035, 0.02, -0.01, 0.05, 0.03}, floor = 0.005;
    const double mean = (0.01 + 0.02 + 0.03 + 0.035) / 4, ours = student_of_six(logs, floor);
    long above = 0, all = 0;
    for (long way = 0; way < 46656; way++, all++) {
        double drawn[SIX];
        for (long i = 0, rest = way; i < SIX; i++, rest /= SIX)
            drawn[i] = logs[rest % SIX];
        above += student_of_six(drawn, mean) >= ours - 1e-9;
    }
    const gjb_ratio r = gjb_ratio_of(logs, SIX, floor, 0.01, 1);
    cr_expect(above > 50, "%ld", above);
    cr_expect_float_eq(r.p[GJB_CHANGE_SLOWER], (double)above / (double)all, 1e-12, "%g, %ld of %ld", r.p[GJB_CHANGE_SLOWER], above, all);
    cr_expect(r.low < mean && mean < r.high && r.low > -0.1 && r.high < 0.1, "%g to %g", r.low, r.high);
}

/* Of ten thousand benchmarks one is slower beyond doubt: as many resamples are drawn as that needs. */
Test(ratios, one_of_ten_thousand_is_found)
{
    enum { ALL = 10000, LAUNCHES = 24 };
    static gjb_ratio all[ALL];
    double logs[LAUNCHES], none[LAUNCHES] = {0};
    for (int i = 0; i < LAUNCHES; i++)
        logs[i] = 0.1 + 1e-4 * i;
    all[0] = gjb_ratio_of(logs, LAUNCHES, 0.05, 0.01 / (2 * ALL), 1);
    all[1] = gjb_ratio_of(none, LAUNCHES, 0.05, 0.01 / (2 * ALL), 1);
    for (int i = 2; i < ALL; i++)
        all[i] = all[1];
    gjb_judge(all, ALL, 0.01);
    cr_expect_eq(all[0].change, GJB_CHANGE_SLOWER, "%g", all[0].p[GJB_CHANGE_SLOWER]);
    cr_expect_eq(all[1].change, GJB_CHANGE_NONE);
    cr_expect_geq(all[0].p[GJB_CHANGE_SLOWER], gjb_finest_chance);
}

/* Holm: the smallest p-value is held against alpha over all, the next against alpha over all but one. */
Test(ratios, many_are_judged_together)
{
    gjb_ratio ratios[3] = {{.p = {1, 1, 1, 0.0016}}, {.p = {1, 1, 1, 0.0021}}, {.p = {1, 1, 0.0019, 1}}};
    gjb_judge(ratios, 3, 0.01);
    cr_expect_eq(ratios[0].change, GJB_CHANGE_SLOWER, "0.0016 <= 0.01 / 6");
    cr_expect_eq(ratios[2].change, GJB_CHANGE_FASTER, "0.0019 <= 0.01 / 5");
    cr_expect_eq(ratios[1].change, GJB_CHANGE_SLOWER, "0.0021 <= 0.01 / 4");
    ratios[0].p[GJB_CHANGE_SLOWER] = 0.0017;
    gjb_judge(ratios, 3, 0.01);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(ratios[i].change, GJB_CHANGE_UNSURE, "where the first fails, so do those behind it");
}

/* --- measured apart ----------------------------------------------------------- */

static gjb_ratio apart(gjb_random *random, double truth, size_t olds, size_t news, double floor)
{
    double logs[100], before[100], after[100];
    make_logs(random, 0, logs, olds);
    for (size_t i = 0; i < olds; i++)
        before[i] = 100 * exp(logs[i]);
    make_logs(random, truth, logs, news);
    for (size_t i = 0; i < news; i++)
        after[i] = 100 * exp(logs[i]);
    return gjb_ratio_apart(before, olds, after, news, floor, 1);
}

/* Of 200 pairs of samples of 12 and 20, and of 40: intervals hold the truth, and no alarm comes by chance. */
Test(ratios, samples_apart_have_honest_intervals, .timeout = 120)
{
    const size_t sizes[][2] = {{12, 20}, {40, 40}};
    for (int s = 0; s < 2; s++) {
        int covered = 0, alarms = 0, found = 0;
        for (int k = 0; k < 200; k++) {
            gjb_random random = gjb_random_make(2, STREAM, (uint64_t)k);
            gjb_ratio same = apart(&random, 0, sizes[s][0], sizes[s][1], 0);
            gjb_ratio slow = apart(&random, log(1.1), sizes[s][0], sizes[s][1], log(1.05));
            covered += same.low <= 0 && 0 <= same.high;
            gjb_judge(&same, 1, 0.01);
            gjb_judge(&slow, 1, 0.01);
            alarms += same.change == GJB_CHANGE_SLOWER || same.change == GJB_CHANGE_FASTER;
            found += slow.change == GJB_CHANGE_SLOWER;
        }
        cr_expect(covered >= 184 && covered <= 199, "95%% intervals hold the truth %d times of 200", covered);
        cr_expect_leq(alarms, 6, "%d of 200 alarms: promised are 2", alarms);
        cr_expect_geq(found, 150, "%d of 200 found", found);
    }
}

/* Six of six above: one of the 924 ways to draw six ranks of twelve. */
Test(ratios, ranks_are_exact)
{
    const double low[6] = {1, 2, 3, 4, 5, 6}, high[6] = {11, 12, 13, 14, 15, 16};
    const gjb_ratio r = gjb_ratio_apart(low, 6, high, 6, 0, 1);
    cr_expect_float_eq(r.p[GJB_CHANGE_SLOWER], 1 / 924.0, 1e-15, "%g", r.p[GJB_CHANGE_SLOWER]);
    cr_expect_float_eq(r.p[GJB_CHANGE_FASTER], 1, 1e-15);
    const gjb_ratio ties = gjb_ratio_apart(low, 6, low, 6, 0, 1);
    cr_expect(ties.p[GJB_CHANGE_SLOWER] > 0.5 && ties.log == 0, "%g", ties.p[GJB_CHANGE_SLOWER]);
    cr_expect_float_eq(r.log, log(13.5 / 3.5), 1e-15);
    const gjb_ratio few = gjb_ratio_apart(low, GJB_RATIOS_LEAST - 1, high, 6, 0, 1);
    cr_expect(few.low == -INFINITY && few.high == INFINITY && few.p[GJB_CHANGE_SLOWER] == 1);
}
