/* The first screen of the page: run health, three sentences, and what speaks against a run. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/report.h"
#include "reports/tests/pages.h"
#include "reports/tests/sample.h"

TestSuite(opening, .init = set_up, .fini = tear_down);

Test(opening, wrong_answers_of_ours_and_unequal_bits_stand_out)
{
    json_t *verify = sample_verify(2), *row = json_array_get(json_object_get(verify, "rows"), 0);
    json_object_set_new(row, "wrong", json_integer(3));
    json_object_set_new(row, "fingerprint", json_string("feedface"));
    char *page = page_of_json(NULL, verify, 0);
    cr_expect_not_null(strstr(page, "3 wrong answers of ours."), "the count of wrong answers");
    cr_expect_not_null(strstr(page, "Backends disagree."));
    cr_expect_not_null(strstr(page, "<li class=\"wrong\">"));
    free(page);
}

Test(opening, unequal_bits_among_measured_points_stand_out)
{
    json_t *bench = sample_bench(2), *row = json_array_get(json_object_get(bench, "benchmarks"), 0);
    json_object_set_new(row, "label", json_string("feedface"));
    char *page = page_of_json(bench, NULL, 0);
    cr_expect_not_null(strstr(page, "Backends disagree."));
    free(page);
}

Test(opening, interrupted_runs_say_so)
{
    json_t *bench = sample_bench(2);
    json_object_set_new(json_object_get(bench, "context"), "interrupted", json_true());
    char *page = page_of_json(bench, NULL, 0);
    cr_expect_not_null(strstr(page, "Interrupted."));
    free(page);
    json_t *verify = sample_verify(2);
    json_object_set_new(json_object_get(verify, "summary"), "interrupted", json_true());
    page = page_of_json(NULL, verify, 0);
    cr_expect_not_null(strstr(page, "Interrupted."));
    free(page);
    page = page_of_json(sample_bench(2), sample_verify(2), 0);
    cr_expect_null(strstr(page, "Interrupted."));
    free(page);
}

/* The words of an element of the first lines. */
static const char *first_lines(const char *page, const char *from, const char *to)
{
    const char *part = between(page, from, to);
    cr_assert_str_not_empty(part, "%s", from);
    cr_expect_lt(strstr(page, from), strstr(page, "<main>"), "it opens the page");
    return part;
}

Test(opening, health_is_the_first_line)
{
    char *page = page_of_json(sample_bench(3), sample_verify(3), 0);
    cr_expect_lt(strstr(page, "id=\"health\""), strstr(page, "<h1>"));
    cr_expect_not_null(strstr(first_lines(page, "<p id=\"health\"", "</p>"), "class=\"health fine\"><b>Run clean:"));
    free(page);

    static const struct { const char *field; int value; const char *says; } rows[] = {
        {"hung", 1, "1 answer of ours is missing (hung: 1)"},
        {"capped", 2, "2 answers of ours are missing (at the iteration limit: 2)"},
        {"wrong", 1, "1 answer of ours is wrong"},
        {"wrong", 3, "3 answers of ours are wrong"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *verify = sample_verify(2);
        json_object_set_new(json_array_get(json_object_get(verify, "rows"), 0), rows[i].field,
                            json_integer(rows[i].value));
        json_object_set_new(json_object_get(verify, "summary"), "interrupted", json_true());
        page = page_of_json(NULL, verify, 0);
        const char *line = first_lines(page, "<p id=\"health\"", "</p>");
        cr_expect_not_null(strstr(line, "class=\"health amiss\"><b>Run not clean:</b> "
                                        "interrupted before the end (verify.json)"));
        cr_expect_not_null(strstr(line, rows[i].says), "%s", line);
        cr_expect_null(strstr(page, "1 answers"));
        free(page);
    }
    json_t *bench = sample_bench(2);
    json_object_set_new(json_array_get(json_object_get(bench, "benchmarks"), 0), "wrong_rate", json_real(0.01));
    page = page_of_json(bench, NULL, 0);
    cr_expect_not_null(strstr(page, "class=\"health amiss\"><b>Run not clean:</b> "
                                    "wrong answers of ours at 1 timed point."));
    free(page);
    page = page_of_json(sample_bench(2), NULL, 0);
    cr_expect_not_null(strstr(page, "class=\"health unknown\""), "nothing of ours was graded");
    free(page);
}

/* Others are 74 * 1.25 ns where batch avx512 takes 62 * 1.25 / 11.3 and a little for the call. */
Test(opening, three_sentences_open_the_page)
{
    json_t *bench = sample_bench(2);
    sample_add_like(bench, 0,
                    json_pack("{ss ss ss ss sf sf ss}", "contender", "box2d", "backend", "-", "family",
                              "shallow", "workload", "capsule", "ns_per_pair", 5.0, "wrong_rate_1e3", 0.0,
                              "query", "intersect"));
    sample_add_like(bench, 0,
                    json_pack("{ss ss sf ss}", "family", "shallow", "workload", "capsule", "ns_per_pair",
                              20.0, "query", "intersect"));
    char *page = page_of_json(bench, sample_verify(2), 0);
    const char *part = first_lines(page, "<ol id=\"opening\"", "</ol>");
    cr_expect_eq(count_of(part, "<li>"), 3);
    cr_expect_not_null(
        strstr(part, "Of our answers <b>0 of 15,438,072</b> are wrong (each of 6 backends counts). Graded against "), "%s",
        part);
    cr_expect_not_null(strstr(part, "to 600,000 pairs of 15 families."));
    cr_expect_not_null(strstr(part, "Ours is faster than every other right contender in <b>"), "%s", part);
    cr_expect_not_null(strstr(part, "best: <b>"));
    cr_expect_not_null(strstr(part, "worst: <b class=\"amiss\">0.25×</b> box2d (2D intersect, "
                                    "capsule, shallow: 20.0 ns "
                                    "against 5.00)"));
    cr_expect_not_null(strstr(part, "Small calls cost more; worst of them: <b class=\"amiss\">0."), "one pair a call");
    cr_expect_not_null(strstr(part, "Yes: it rests on "));
    cr_expect_not_null(strstr(part, "typically known to ±1.8% (95%); 12,288 graded answers a timed point."));
    free(page);
}

Test(opening, what_speaks_against_the_times_is_said_in_red)
{
    static const struct { const char *key; double low, high; json_int_t graded; double cost,
                         load; const char *says; } rows[] = {
        {"noise", 0.8, 1.2, 12288, 1, 1, "the machine was noisy, "},
        {"cost", 0.99, 1.01, 12288, 1.38, 1,
         "conditions of timing were not equal: the same contender differs by +38.0%, more than ±3%"},
        {"load", 0.99, 1.01, 12288, 1, 17, "load 17.0 on 8 processors"},
        {"few", 0.99, 1.01, 200, 1, 1,
         "few answers were graded, typically 200 a timed point, so that shares below 1.5% cannot be seen"},
        {"none", 0.99, 1.01, 12288, 1.02, 1, NULL},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        json_t *bench = sample_bench(2), *row, *context = json_object_get(bench, "context");
        size_t i;
        json_array_foreach(json_object_get(bench, "benchmarks"), i, row) {
            const double ns = json_number_value(json_object_get(row, "ns_per_pair"));
            json_object_set_new(row, "ns_low", json_real(rows[k].low * ns));
            json_object_set_new(row, "ns_high", json_real(rows[k].high * ns));
            json_object_set_new(row, "graded", json_integer(rows[k].graded));
        }
        json_object_set_new(context, "isolation_cost", json_pack("[{si sf}]", "dim", 2, "ratio", rows[k].cost));
        json_object_set_new(context, "load_avg", json_pack("[f]", rows[k].load));
        char *page = page_of_json(bench, NULL, 0);
        const char *part = first_lines(page, "<ol id=\"opening\"", "</ol>");
        cr_expect_eq(strstr(part, "<b class=\"amiss\">With care:</b>") != NULL, rows[k].says != NULL, "%s",
                     rows[k].key);
        cr_expect(!rows[k].says || strstr(part, rows[k].says), "%s: %s", rows[k].key, part);
        cr_expect_eq(strstr(part, "×</b> <b class=\"amiss\" title=\"conditions") != NULL, rows[k].cost > 1.03,
                     "%s: %s", rows[k].key, part);
        free(page);
    }
}

/* Of pairs that touch: some too close, and others that the contender does not take. */
Test(opening, what_could_not_be_graded_says_why)
{
    json_t *verify = sample_verify(2), *row;
    size_t i;
    json_array_foreach(json_object_get(verify, "rows"), i, row)
        if (!strcmp(json_string_value(json_object_get(row, "family")), "touching")) {
            const int ours = !strcmp(json_string_value(json_object_get(row, "contender")), "batch");
            json_object_set_new(row, "graded", json_integer(0));
            json_object_set_new(row, "wrong", json_integer(0));
            json_object_set_new(row, "ungraded", json_integer(ours ? 480 : 369));
            json_object_set_new(row, "unsupported", json_integer(ours ? 0 : 111));
        }
    char *page = page_of_json(NULL, verify, 0);
    cr_expect_not_null(strstr(page, "<td class=\"n quiet\">too close (369),<br>111 unsupported</td>"));
    cr_expect_not_null(strstr(page, "<td class=\"n quiet\">too close (2,880)</td>"), "of six backends");
    free(page);
}

Test(opening, pairs_that_were_too_slow_are_told)
{
    json_t *verify = sample_verify(2), *row, *summary = json_object_get(verify, "summary");
    size_t i;
    json_object_set_new(summary, "too_slow", json_integer(2));
    json_object_set_new(summary, "too_slow_first", json_string("pair 7 of 3D rounded-cone touching, f64"));
    json_array_foreach(json_object_get(verify, "rows"), i, row)
        if (!strcmp(json_string_value(json_object_get(row, "family")), "touching") &&
            strcmp(json_string_value(json_object_get(row, "contender")), "batch")) {
            json_object_set_new(row, "graded", json_integer(0));
            json_object_set_new(row, "wrong", json_integer(0));
            json_object_set_new(row, "ungraded", json_integer(369));
            json_object_set_new(row, "too_slow", json_integer(2));
            json_object_set_new(row, "unsupported", json_integer(111));
        }
    char *page = page_of_json(NULL, verify, 0);
    cr_expect_not_null(strstr(page,
                              "2 pairs were too slow to judge, and passed over, one of them pair 7 of 3D "
                              "rounded-cone touching, f64."));
    cr_expect_not_null(
        strstr(page, "<td class=\"n quiet\">too close (367),<br>too slow (2),<br>111 unsupported</td>"));
    free(page);
}

/* What the lanes owe to memory and to large calls is said in words too. */
