/* Duels between scripted workers: ratios, points that one side lacks, sides that fail, budgets, interruption. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/compare/calibration.h"
#include "bench/compare/worker_process.h"

enum { LAUNCHES = 6, PLACES = 5, TURNS = 4 };

typedef struct match {
    gjb_paired paired;
    gjb_error error;
    int failed;
} match;

/* Fakes with the words behind them, at most six each. */
static match run(const char *const old[7], const char *const new[7], gjb_paired_settings settings)
{
    match m = {.error = {{0}}};
    const char *words[GJB_PAIRED_SIDES][9] = {{0}};
    gjb_paired_side sides[GJB_PAIRED_SIDES];
    for (int s = 0; s < GJB_PAIRED_SIDES; s++) {
        words[s][0] = getenv("GJB_FAKE_WORKER");
        cr_assert_not_null(words[s][0]);
        for (int i = 0; i < 7 && (s ? new : old)[i]; i++)
            words[s][1 + i] = (s ? new : old)[i];
        sides[s] = (gjb_paired_side){words[s], 1};
    }
    if (!settings.launches)
        settings.launches = LAUNCHES;
    settings.budget = 60;
    settings.places = PLACES;
    settings.turns = TURNS;
    settings.seed = 1;
    m.failed = gjb_paired_run(&m.paired, sides, &settings, &m.error);
    return m;
}

#define WORDS(...) ((const char *const[7]){__VA_ARGS__})

Test(paired_runs, ratios_are_those_of_the_two)
{
    match m = run(WORDS("ns=10"), WORDS("ns=12", "answers=7799aabbccddeeff"), (gjb_paired_settings){0});
    cr_assert_eq(m.failed, 0, "%s", m.error.text);
    cr_assert(m.paired.count == 2 && m.paired.launches == LAUNCHES);
    gjb_comparison c;
    cr_assert_eq(gjb_compare_paired(&c, &m.paired, 0.01, 0.01, 1, &m.error), 0);
    for (size_t i = 0; i < 2; i++) {
        const gjb_paired_row *row = &m.paired.rows[i];
        cr_expect_str_eq(row->name, i ? "beta" : "alpha");
        cr_expect_eq(row->launches, LAUNCHES);
        for (size_t k = 0; k < row->launches; k++)
            cr_expect_float_eq(row->logs[k], log(1.2), 1e-12);
        cr_expect(fabs(row->ns[0] - 10) < 1e-9 && fabs(row->ns[1] - 12) < 1e-9);
        cr_expect(row->instructions[0] == 300 && row->instructions[1] == 360);
        cr_expect_eq(json_array_size(row->places), LAUNCHES);
        cr_expect_eq(json_array_size(json_array_get(row->places, 0)), PLACES);
        const json_t *place = json_array_get(json_array_get(row->places, LAUNCHES - 1), PLACES - 1);
        cr_expect_eq(json_array_size(place), 3);
        cr_expect_float_eq(json_number_value(json_array_get(place, 0)), 10, 1e-9);
        cr_expect_float_eq(json_number_value(json_array_get(place, 1)), 12, 1e-9);
        cr_expect_float_eq(json_number_value(json_array_get(place, 2)), log(1.2), 1e-12);
        cr_expect_eq(c.rows[i].ratio.change, GJB_CHANGE_SLOWER);
    }
    cr_expect(c.of[GJB_CHANGE_SLOWER] == 2 && c.changed == 2);
    json_t *json = gjb_comparison_json(&c), *row = json_array_get(json_object_get(json, "comparisons"), 0);
    cr_expect_str_eq(json_string_value(json_object_get(row, "verdict")), "slower");
    cr_expect_float_eq(json_number_value(json_object_get(row, "ratio")), 1.2, 1e-12);
    json_t *changed = json_object_get(row, "changed");
    cr_expect_eq(json_object_size(changed), 2, "the fingerprint and the iterations");
    cr_expect_str_eq(json_string_value(json_array_get(json_object_get(changed, "fingerprint"), 1)),
                     "7799aabbccddeeff");
    json_decref(json);
    gjb_comparison_free(&c);
    gjb_paired_free(&m.paired);
}

/* Places are drawn for each side by itself: they take part in both, and average out. */
Test(paired_runs, places_are_drawn_for_each_side)
{
    match m =
        run(WORDS("ns=10", "wander=10"), WORDS("ns=10", "wander=10"), (gjb_paired_settings){.launches = 40});
    cr_assert_eq(m.failed, 0, "%s", m.error.text);
    int above = 0, below = 0;
    for (size_t k = 0; k < m.paired.rows[0].launches; k++) {
        above += m.paired.rows[0].logs[k] > 1e-9;
        below += m.paired.rows[0].logs[k] < -1e-9;
    }
    cr_expect(above > 5 && below > 5, "%d above, %d below", above, below);
    gjb_comparison c;
    cr_assert_eq(gjb_compare_paired(&c, &m.paired, 0.01, 0.01, 1, &m.error), 0);
    cr_expect(c.of[GJB_CHANGE_SLOWER] == 0 && c.of[GJB_CHANGE_FASTER] == 0 && c.changed == 0);
    gjb_comparison_free(&c);
    gjb_paired_free(&m.paired);
}

Test(paired_runs, what_only_one_has_is_named)
{
    match m = run(WORDS("points=alpha,gone,beta"), WORDS("points=new,beta,alpha"), (gjb_paired_settings){0});
    cr_assert(m.failed == 0 && m.paired.count == 2);
    cr_expect_str_eq(m.paired.rows[0].name, "beta", "in the order of the new one");
    cr_expect_str_eq(json_string_value(json_array_get(m.paired.missing[GJB_PAIRED_OLD], 0)), "new");
    cr_expect_str_eq(json_string_value(json_array_get(m.paired.missing[GJB_PAIRED_NEW], 0)), "gone");
    gjb_paired_free(&m.paired);
    m = run(WORDS("points=alpha,beta"), WORDS("points=alpha,beta"), (gjb_paired_settings){.only = "bet"});
    cr_expect(m.failed == 0 && m.paired.count == 1 && !strcmp(m.paired.rows[0].name, "beta"));
    gjb_paired_free(&m.paired);
    m = run(WORDS("points=alpha"), WORDS("points=beta"), (gjb_paired_settings){0});
    cr_expect(m.failed && strstr(m.error.text, "no benchmark in common"), "%s", m.error.text);
    gjb_paired_free(&m.paired);
}

Test(paired_runs, what_cannot_be_compared_is_said_and_the_rest_goes_on)
{
    match m = run(WORDS("hash=0011223344556677"), WORDS("hash=0011223344556678"), (gjb_paired_settings){0});
    cr_assert(m.failed == 0 && m.paired.count == 2);
    for (size_t i = 0; i < 2; i++)
        cr_expect(strstr(m.paired.rows[i].trouble, "another workload") && m.paired.rows[i].launches == 0);
    gjb_comparison c;
    cr_assert_eq(gjb_compare_paired(&c, &m.paired, 0.01, 0.01, 1, &m.error), 0);
    cr_expect(c.count == 2 && c.of[GJB_CHANGE_UNSURE] == 0 && c.of[GJB_CHANGE_NONE] == 0, "none is judged");
    gjb_comparison_free(&c);
    gjb_paired_free(&m.paired);

    m = run(WORDS("ns=10"), WORDS("ns=12", "refuse=0"), (gjb_paired_settings){0});
    cr_assert_eq(m.failed, 0, "%s", m.error.text);
    cr_expect(m.paired.rows[0].launches == 0 && strstr(m.paired.rows[0].trouble, "no such shapes"), "%s",
              m.paired.rows[0].trouble);
    cr_assert_eq(gjb_compare_paired(&c, &m.paired, 0.01, 0.01, 1, &m.error), 0);
    cr_expect(c.rows[1].ratio.change == GJB_CHANGE_SLOWER && c.rows[0].ratio.change == GJB_CHANGE_UNSURE &&
                  c.of[GJB_CHANGE_SLOWER] == 1 && c.of[GJB_CHANGE_UNSURE] == 0,
              "the one that was measured is judged");
    gjb_comparison_free(&c);
    gjb_paired_free(&m.paired);
}

Test(paired_runs, a_side_that_is_gone_ends_it_with_a_word)
{
    match m = run(WORDS("ns=10"), WORDS("die=20"), (gjb_paired_settings){0});
    cr_expect(m.failed && strstr(m.error.text, "ended in the middle of serving"), "%s", m.error.text);
    cr_expect_eq(m.paired.rows[0].launches + m.paired.rows[1].launches, 1, "what was measured by then stays");
    gjb_paired_free(&m.paired);

    const char *const nobody[] = {"/nonexistent/gjkbench", NULL}, *const cat[] = {"cat", NULL},
                      *const no[] = {"true", NULL};
    const char *const *const others[] = {nobody, cat, no};
    for (size_t i = 0; i < 3; i++) {
        const gjb_paired_side sides[GJB_PAIRED_SIDES] = {{others[i], 1}, {others[i], 1}};
        const gjb_paired_settings settings = {.budget = 5};
        gjb_paired paired;
        gjb_error error = {{0}};
        if (i == 1)
            continue; /* it would wait for a word as we do */
        cr_expect(gjb_paired_run(&paired, sides, &settings, &error) && error.text[0] && !strchr(error.text, '\n'),
                  "%s", error.text);
        gjb_paired_free(&paired);
    }
}

Test(paired_runs, a_side_that_sleeps_is_not_waited_for)
{
    gjb_worker_process_patience(0.3);
    match m = run(WORDS("ns=10"), WORDS("nap=3600000"), (gjb_paired_settings){0});
    const gjb_paired_row *rows = m.paired.rows; /* it is gone for the one that comes second */
    const int first = strstr(rows[0].trouble, "in the middle of serving") != NULL;
    cr_expect(m.failed && strstr(rows[first].trouble, "it said nothing for 0.3 seconds"), "%s", rows[first].trouble);
}

Test(paired_runs, turns_that_were_not_taken_are_trouble)
{
    match m = run(WORDS("ns=10"), WORDS("few=1"), (gjb_paired_settings){0});
    cr_assert_eq(m.failed, 0, "%s", m.error.text);
    cr_expect(m.paired.rows[0].launches == 0 && strstr(m.paired.rows[0].trouble, "turns of"), "%s",
              m.paired.rows[0].trouble);
    gjb_paired_free(&m.paired);
}

/* Where no number of places is told, a launch goes to as many as its part of the budget has room for. */
Test(paired_runs, more_time_is_more_places)
{
    size_t places[2];
    for (int i = 0; i < 2; i++) {
        const char *const command[] = {getenv("GJB_FAKE_WORKER"), "points=alpha", NULL};
        const gjb_paired_side sides[GJB_PAIRED_SIDES] = {{command, 1}, {command, 1}};
        const gjb_paired_settings settings = {.budget = i ? 60 : 0.5, .launches = 1, .seed = 1};
        gjb_paired paired;
        gjb_error error = {{0}};
        cr_assert_eq(gjb_paired_run(&paired, sides, &settings, &error), 0, "%s", error.text);
        places[i] = json_array_size(json_array_get(paired.rows[0].places, 0));
        gjb_paired_free(&paired);
    }
    cr_expect(places[0] >= 2 && places[1] > 2 * places[0], "%zu, %zu", places[0], places[1]);
}

static volatile sig_atomic_t stop;

static void stop_at_half(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    (void)total;
    stop = done > 400;
}

Test(paired_runs, an_interruption_keeps_what_is_done)
{
    match m = run(WORDS("ns=10"), WORDS("ns=11"),
                  (gjb_paired_settings){.launches = 20, .stop = &stop, .progress = stop_at_half});
    cr_assert_eq(m.failed, 0, "%s", m.error.text);
    cr_expect(m.paired.interrupted && m.paired.launches > 5 && m.paired.launches < 20, "%zu", m.paired.launches);
    cr_expect_float_eq(m.paired.rows[0].ns[1], 11, 1e-9);
    gjb_paired_free(&m.paired);
}

Test(calibration, counts_alarms_and_what_was_found)
{
    gjb_calibration_level levels[] = {{.name = "identical"}, {.name = "+5%", .slow = 0.05}};
    gjb_calibration all = {levels, 2};
    gjb_compared rows[100];
    for (int i = 0; i < 100; i++)
        rows[i] = (gjb_compared){.name = "x",
                                 .trouble = i == 99 ? "trouble" : "",
                                 .launches = i == 98 ? 3 : 20,
                                 .ratio = {.low = i % 2 ? -1 : 1e-4 * i,
                                           .high = i % 2 ? -1e-4 * i : 1,
                                           .change = i == 0   ? GJB_CHANGE_SLOWER
                                                     : i == 1 ? GJB_CHANGE_FASTER
                                                              : GJB_CHANGE_NONE}};
    const gjb_comparison c = {.rows = rows, .count = 100};
    for (int i = 0; i < 2; i++)
        cr_assert_eq(gjb_calibration_add(&levels[i], &c), 0);
    cr_expect_float_eq(gjb_calibration_floor(&all), expm1(97e-4), 1e-12, "of 98, the last but none");
    cr_expect_float_eq(gjb_calibration_alarms(&all), 2 / 98.0, 1e-15, "of those that do not differ alone");
    json_t *json = gjb_calibration_json(&all);
    const json_t *same = json_array_get(json, 0), *slow = json_array_get(json, 1);
    cr_expect_eq(json_integer_value(json_object_get(same, "benchmarks")), 98);
    cr_expect_eq(json_integer_value(json_object_get(same, "found")), 2, "faster is a false alarm as well");
    cr_expect_eq(json_integer_value(json_object_get(slow, "found")), 1);
    cr_expect_float_eq(json_number_value(json_object_get(slow, "high")), gjb_share_upper(1, 98), 1e-15);
    cr_expect_float_eq(json_number_value(json_object_get(slow, "low")), 1 - pow(0.975, 1 / 98.0), 1e-9);
    json_decref(json);
    gjb_calibration_free(&all);
}
