/* Every ratio of the page bears a red mark if it is not to be relied on, and none if it is. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "reports/tests/pages.h"
#include "reports/tests/sample.h"

TestSuite(ratio, .init = set_up, .fini = tear_down);

static const char mark[] = " <b class=\"amiss\" title=\"";

/* Of every kind that has a table; what has moved is timed at the first point of the sample. */
static json_t *bench(double between, double low, double high)
{
    json_t *all = sample_bench(2);
    sample_add_like(all, 0, json_pack("{ss sf}", "start", "warm", "ns_per_pair", 50.0));
    sample_add_like(all, 0, json_pack("{ss ss sf}", "query", "toi", "family", "approach", "ns_per_pair", 100.0));
    sample_add_like(all, 0, json_pack("{ss ss ss ss sf sf}", "query", "toi", "family", "approach", "contender", "box2d",
                                      "backend", "-", "ns_per_pair", 700.0, "wrong_rate", 0.0));
    sample_add_like(all, 0, json_pack("{ss ss sf sf}", "query", "sweep", "family", "box-sweep", "ns_per_pair", 6.0,
                                      "memory_ns_per_pair", 4.0));
    json_object_set_new(json_object_get(all, "context"), "isolation_cost",
                        json_pack("[{si sf sf sf}]", "dim", 2, "between", between, "between_low", low, "between_high",
                                  high));
    return all;
}

static size_t marks(const char *page)
{
    return count_of(page, "; not to be relied on\"><small>");
}

static void expect_mark(const char *page, const char *after)
{
    const char *at = strstr(page, after);
    cr_assert_not_null(at, "%s", after);
    cr_expect_eq(strncmp(at + strlen(after), mark, sizeof mark - 1), 0, "%.160s", at);
}

/* "3.1×", which may be in bold. */
static size_t expect_all_marked(const char *page)
{
    size_t count = 0;
    for (const char *at = page; (at = strstr(at, "×")); count++) {
        const int number = isdigit((unsigned char)at[-1]);
        at += strlen("×");
        at += strncmp(at, "</b>", 4) ? 0 : 4;
        cr_expect(!number || !strncmp(at, mark, sizeof mark - 1), "%.160s", at - 40);
    }
    return count;
}

static void expect_captions_marked(char *page, const char *id)
{
    char opening[48];
    snprintf(opening, sizeof opening, "<section id=\"%s\">", id);
    char *at = strstr(page, opening), *end = at ? strstr(at, "</section>") : NULL;
    cr_assert(at && end, "%s", id);
    *end = '\0';
    cr_expect_gt(count_of(at, "<figcaption>"), 0, "%s", id);
    for (; (at = strstr(at, "<figcaption>")); at++)
        cr_expect_not_null(strstr(between(at, "<figcaption>", "</figcaption>"), mark), "%s: %.200s", id, at);
    *end = '<';
}

Test(ratio, unequal_conditions_mark_all)
{
    static const char *const figures[] = {"throughput", "speedup", "vertices", "class", "kinds",
                                          "call",       "maps",    "scenes",   "roof",  "threads"};
    char *page = page_of_json(bench(1.05, 1.045, 1.055), sample_verify(2), 0);
    cr_expect_gt(expect_all_marked(page), 50);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        expect_captions_marked(page, figures[i]);
    expect_mark(page, "nanoseconds a pair, polygon8");
    expect_mark(strstr(page, "id=\"motion\""), "<td class=\"n\">7.00");
    expect_mark(strstr(page, "memory&#39;s time"), "<td class=\"n\">1.50");
    expect_mark(strstr(page, "times as fast</th>"), "<td class=\"n\">50.0</td><td class=\"n\">1.22");
    expect_mark(page, " keeps 58.3%");
    expect_mark(page, "pairs a call on");
    expect_mark(page, "times as fast: circle 12.9");
    cr_expect_not_null(strstr(page, "conditions of timing differed by 5.0%; not to be relied on\"><small>±5.0%<"));
    free(page);
}

Test(ratio, what_is_surely_beyond_three_percent_does)
{
    static const struct { double between, low, high; int marked; } rows[] = {
        {1.004, 0.99, 1.02, 0}, {1.037, 0.98, 1.09, 0}, {1.05, 1.02, 1.08, 0}, {1.05, 1.031, 1.07, 1},
        {0.95, 0.93, 0.969, 1}, {0.95, 0.93, 0.98, 0}, {1.2, 0.9, 1.5, 0}, {1.38, 1.37, 1.41, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *page = page_of_json(bench(rows[i].between, rows[i].low, rows[i].high), NULL, 0);
        cr_expect_eq(marks(page) > 0, rows[i].marked, "%g: %zu", rows[i].between, marks(page));
        cr_expect_eq(strstr(page, "conditions of timing were not equal") != NULL, rows[i].marked);
        free(page);
    }
}

Test(ratio, more_work_than_processors_marks_all)
{
    json_t *all = bench(1, 1, 1);
    json_object_set_new(json_object_get(all, "context"), "load_avg", json_pack("[f]", 9.5));
    char *page = page_of_json(all, NULL, 0);
    cr_expect_gt(expect_all_marked(page), 50);
    cr_expect_not_null(
        strstr(page, "title=\"other work took part of the machine, load 9.5; not to be relied on\"><small>busy<"));
    free(page);
    all = bench(1, 1, 1);
    json_object_set_new(json_object_get(all, "context"), "load_avg", json_pack("[f]", 8.5));
    page = page_of_json(all, NULL, 0);
    cr_expect_eq(marks(page), 0, "eight processors, and one process more");
    free(page);
}

/* One that moves by itself: no other is marked for that. */
Test(ratio, a_wide_interval_or_a_shared_processor_marks_its_own)
{
    json_t *all = bench(1, 1, 1), *row;
    size_t i;
    json_array_foreach(json_object_get(all, "benchmarks"), i, row)
        if (!strcmp(json_string_value(json_object_get(row, "query")), "toi"))
            json_object_set_new(row, "ns_high",
                                json_real(1.15 * json_number_value(json_object_get(row, "ns_per_pair"))));
    char *page = page_of_json(all, NULL, 0);
    cr_expect_eq(marks(page), 1);
    expect_mark(page, "<td class=\"n\">7.00");
    cr_expect_not_null(strstr(page, "its own 95% interval is ±15%; not to be relied on\"><small>±15%<"));
    free(page);

    all = bench(1, 1, 1);
    json_array_foreach(json_object_get(all, "benchmarks"), i, row)
    {
        const int sweep = !strcmp(json_string_value(json_object_get(row, "query")), "sweep");
        json_object_set_new(row, "cpu_time", json_real(100));
        json_object_set_new(row, "real_time", json_real(sweep ? 160 : 104));
    }
    page = page_of_json(all, NULL, 0);
    cr_expect_eq(marks(page), 1);
    expect_mark(page, "<td class=\"n\">1.50");
    cr_expect_not_null(
        strstr(page, "other work had the processor for 38% of the time; not to be relied on\"><small>busy<"));
    free(page);
}
