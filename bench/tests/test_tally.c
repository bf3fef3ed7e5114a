/* Tallies of scripted workers, by the processor's counter: verdicts, points that one side lacks, sides that fail. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "bench/compare/comparison.h"
#include "bench/compare/tally.h"

typedef struct count {
    gjb_tally tallies[GJB_TALLY_SIDES];
    gjb_comparison result;
    gjb_error error;
    int failed;
} count;

/* Fakes with the words behind them, at most six each. */
static count run(const char *const old[7], const char *const new[7], const char *only, double floor)
{
    count c = {.error = {{0}}};
    const char *words[GJB_TALLY_SIDES][9] = {{0}};
    gjb_tally_side sides[GJB_TALLY_SIDES];
    const gjb_tally_settings settings = {.by_processor = 1, .only = only};
    for (int s = 0; s < GJB_TALLY_SIDES; s++) {
        words[s][0] = getenv("GJB_FAKE_WORKER");
        cr_assert_not_null(words[s][0]);
        for (int i = 0; i < 7 && (s ? new : old)[i]; i++)
            words[s][1 + i] = (s ? new : old)[i];
        sides[s] = (gjb_tally_side){s ? "new" : "old", words[s]};
    }
    c.failed = gjb_tally_run(c.tallies, sides, GJB_TALLY_SIDES, &settings, &c.error);
    if (!c.failed) {
        const gjb_result_file files[GJB_PAIRED_SIDES] = {{"old", gjb_tally_json(&c.tallies[0])},
                                                         {"new", gjb_tally_json(&c.tallies[1])}};
        c.failed = gjb_compare_counts(&c.result, files, NULL, floor, &c.error);
        for (int s = 0; s < GJB_PAIRED_SIDES; s++)
            json_decref((json_t *)files[s].root); /* the tallies keep the rows */
    }
    return c;
}

static void drop(count *c)
{
    gjb_comparison_free(&c->result);
    for (int s = 0; s < GJB_TALLY_SIDES; s++)
        gjb_tally_free(&c->tallies[s]);
}

#define WORDS(...) ((const char *const[7]){"counts=processor", __VA_ARGS__})

/* At the floor itself it is a change. */
Test(tally, verdicts_are_of_instructions)
{
    static const struct {
        const char *ns;
        gjb_change change;
    } cases[] = {{"ns=10", GJB_CHANGE_NONE},      {"ns=10.04", GJB_CHANGE_NONE},   {"ns=10.06", GJB_CHANGE_SLOWER},
                 {"ns=9.94", GJB_CHANGE_FASTER}, {"ns=9.96", GJB_CHANGE_NONE}, {"ns=20", GJB_CHANGE_SLOWER}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        count c = run(WORDS("ns=10"), WORDS(cases[i].ns), NULL, 0.005);
        cr_assert_eq(c.failed, 0, "%s", c.error.text);
        cr_assert_eq(c.result.count, 2);
        cr_expect_eq(c.result.of[cases[i].change], 2, "%s", cases[i].ns);
        cr_expect_eq(c.result.rows[0].instructions[0], 300);
        cr_expect(c.result.of_counts && !c.result.changed);
        drop(&c);
    }
    count c = run(WORDS("ns=10"), WORDS("ns=10", "answers=7799aabbccddeeff"), "alp", 0);
    cr_expect(c.result.count == 1 && c.result.of[GJB_CHANGE_NONE] == 1 && c.result.changed == 1, "%s", c.error.text);
    drop(&c);
}

Test(tally, what_one_side_lacks_or_refuses)
{
    count c = run(WORDS("points=alpha,beta,gamma"), WORDS("points=beta,delta,alpha", "refuse=2"), NULL, 0.005);
    cr_assert_eq(c.failed, 0, "%s", c.error.text);
    cr_assert_eq(c.result.count, 2);
    for (int s = 0; s < GJB_TALLY_SIDES; s++)
        cr_assert_eq(json_array_size(c.tallies[s].missing), 1);
    cr_expect_str_eq(json_string_value(json_array_get(c.tallies[0].missing, 0)), "delta");
    cr_expect_str_eq(json_string_value(json_array_get(c.tallies[1].missing, 0)), "gamma");
    cr_expect(!c.result.rows[0].trouble[0] && strstr(c.result.rows[1].trouble, "no such shapes"), "%s",
              c.result.rows[1].trouble);
    drop(&c);
    c = run(WORDS("hash=1"), WORDS("hash=2"), NULL, 0.005);
    cr_expect(c.result.count == 2 && strstr(c.result.rows[0].trouble, "another workload"), "%s", c.error.text);
    drop(&c);
}

/* What was counted by then stays. */
Test(tally, sides_that_fail)
{
    count c = run(WORDS("ns=10"), WORDS("leave=1"), NULL, 0.005);
    cr_expect(c.failed && strstr(c.error.text, "new: "), "%s", c.error.text);
    cr_expect_eq(json_array_size(c.tallies[0].rows), 1);
    drop(&c);
    c = run(WORDS("ns=10"), (const char *const[7]){"ns=10"}, NULL, 0.005);
    cr_expect(c.failed && strstr(c.error.text, "new: cannot count"), "%s", c.error.text);
    drop(&c);
    c = run(WORDS("points=a"), WORDS("points=b"), NULL, 0.005);
    cr_expect(c.failed && strstr(c.error.text, "no benchmark is common"), "%s", c.error.text);
    drop(&c);
}
