/* The page as a whole: its sections, what stands in them, and what it makes of bad input. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/types.h"
#include "draw/plot/gnuplot.h"
#include "draw/text.h"
#include "reports/report.h"
#include "reports/results.h"
#include "reports/tests/pages.h"
#include "reports/tests/sample.h"

static void write_text(const char *path, const char *content)
{
    FILE *f = fopen(path, "wb");
    cr_assert_not_null(f);
    fputs(content, f);
    fclose(f);
}

/* As `word` in text, not as part of another word. */
static int has_word(const char *s, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = s; (at = strcasestr(at, word)); at += n)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", at[-1]) &&
            !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", at[n]) &&
            strncmp(at, "NaN or hung", 11))
            return 1;
    return 0;
}

TestSuite(report, .init = set_up, .fini = tear_down);

static const char *const sections[] = {"brief", "headline", "throughput", "speedup", "vertices", "class", "kinds", "call", "scenes",
                                       "errors", "wrong", "lanes", "roof", "threads", "history", "cells",
                                       "known",
                                       "points", "machine", "contenders"};

static void expect_sections(const char *page)
{
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        char id[64];
        snprintf(id, sizeof id, "<li data-section=\"%s\">", sections[i]);
        const size_t absent = count_of(page, id);
        snprintf(id, sizeof id, "<section id=\"%s\">", sections[i]);
        cr_expect_eq(count_of(page, id) + absent, 1, "section %s", sections[i]);
        snprintf(id, sizeof id, "href=\"#%s\"", sections[i]);
        cr_expect(i < 2 || absent || strstr(page, id), "no way to section %s", sections[i]);
    }
    cr_expect_eq(count_of(page, "<section id=\"guide\"><details>"), 1, "how to read it comes first, folded");
    cr_expect_not(has_word(page, "nan") || has_word(page, "inf") || has_word(page, "infinity"));
}

Test(report, whose_a_contender_is_says_the_file)
{
    for (int said = 0; said < 2; said++) {
        json_t *bench = sample_bench(2);
        const char *file;
        gjb_error error = {{0}};
        results r;
        if (said)
            json_object_set_new(json_object_get(bench, "context"), "contenders",
                                json_pack("[{ss sb} {ss sb}]", "name", "box2d", "ours", 1, "name", "batch", "ours", 0));
        file = write_json("bench.json", bench);
        cr_assert_eq(results_load(&r, &file, 1, &error), 0, "%s", error.text);
        cr_assert_eq(results_make_league(&r, &error), 0, "%s", error.text);
        for (size_t i = 0; i < r.bench_count; i++)
            if (!strcmp(r.bench[i].contender, "box2d") || !strcmp(r.bench[i].contender, "batch"))
                cr_expect_eq(r.bench[i].ours, !strcmp(r.bench[i].contender, said ? "box2d" : "batch"));
        for (size_t i = 0; i < r.league_count; i++)
            if (!strcmp(r.league[i].contender, "box2d"))
                cr_expect_eq(r.league[i].ours, said);
        cr_expect_gt(r.league_count, 0);
        cr_expect(results_ours(&r, "reference"), "of which the file says nothing");
        results_free(&r);
    }
}

Test(report, page_has_every_section_and_draws)
{
    const char *files[] = {write_json("bench.json", sample_bench(2)), write_json("verify.json", sample_verify(2)),
                           write_json("known.json", sample_known()),
                           write_json("history.json", sample_timeline(2))};
    char *page = page_of(files, 4, 1);
    expect_sections(page);
    cr_expect_null(strstr(page, "class=\"absent\""), "the sample leaves a section empty");
    if (have_gnuplot()) {
        /* as many drawings as figures, and one sheet of point marks */
        cr_expect_eq(count_of(page, "role=\"img\"") + count_of(page, "class=\"map\""), count_of(page, "<figure"));
        cr_expect_gt(count_of(page, "<figure"), 30);
        cr_expect_null(strstr(page, "rgb("), "a colour of gnuplot's own stayed");
        cr_expect_null(strstr(page, "gnuplot_plot"));
    }
    free(page);
}

Test(report, page_loads_nothing)
{
    char *page = page_of_json(sample_bench(2), sample_verify(2), 1);
    cr_expect_eq(count_of(page, "<script"), 1, "its own, at its end");
    cr_expect_eq(count_of(page, "<script>"), 1);
    cr_expect_eq(count_of(page, "http"), count_of(page, "<meta http-equiv=\"Content-Security-Policy\""));
    cr_expect_not_null(strstr(page, "content=\"default-src 'none';"));
    cr_expect_null(strstr(page, "src="));
    cr_expect_null(strstr(page, "url("));
    cr_expect_null(strstr(page, "@import"));
    free(page);
}

/* Rows of both dimensions in one file. */
static json_t *both(json_t *plane, json_t *space, const char *key)
{
    json_array_extend(json_object_get(plane, key), json_object_get(space, key));
    json_decref(space);
    return plane;
}

static size_t length_of(const char *name)
{
    char *s = read_text(in_folder(name));
    size_t n = strlen(s);
    free(s);
    return n;
}

Test(report, both_dimensions_have_their_sections)
{
    const char *files[] = {write_json("bench.json", both(sample_bench(2), sample_bench(3), "benchmarks")),
                           write_json("verify.json", both(sample_verify(2), sample_verify(3), "rows")),
                           write_json("known.json", sample_known()),
                           write_json("history.json", both(sample_timeline(2), sample_timeline(3), "series"))};
    char *page = page_of(files, 4, 0);
    expect_sections(page);
    static const char *const sections[] = {"throughput", "speedup", "vertices", "class", "kinds", "call", "scenes",
                                           "errors", "wrong", "lanes", "threads", "history"};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        char id[64];
        snprintf(id, sizeof id, "<section id=\"%s-3d\"><details class=\"fold\"><summary><h2>3D: ", sections[i]);
        cr_expect_eq(count_of(page, id), 1, "%s", id);
        snprintf(id, sizeof id, "href=\"#%s-3d\"", sections[i]);
        cr_expect_eq(count_of(page, id), 1, "%s", id);
    }
    cr_expect_not_null(strstr(page, "<h1>Batched 2D and 3D collision queries"));
    cr_expect_eq(count_of(page, "class=\"absent\""), 1, "only that there are no drawings");
    /* box of 2D and box of 3D are different questions: their fingerprints are not compared */
    cr_expect_not_null(strstr(page, "The same bits from every backend."));
    free(page);

    char *csv = read_text(in_folder("page/data/3d-vertices-distance-f32.csv"));
    cr_expect_not_null(strstr(csv, "\r\nbatch avx512,4096,"));
    cr_expect_not_null(strstr(csv, "\r\nbullet-gjkepa,16,"));
    cr_expect_null(strstr(csv, "box2d"));
    free(csv);
    csv = read_text(in_folder("page/data/vertices-distance-f32.csv"));
    cr_expect_not_null(strstr(csv, "\r\nbox2d,8,"));
    cr_expect_null(strstr(csv, "bullet"));
    free(csv);
}

Test(report, motion_and_warm_starts_stand_apart)
{
    free(page_of_json(sample_bench(2), sample_verify(2), 0));
    const size_t curves = length_of("page/data/class-distance-f32.csv");
    json_t *bench = sample_bench(2);
    sample_add_like(bench, 0, json_pack("{ss sf}", "start", "warm", "ns_per_pair", 1.0));
    sample_add_like(bench, 0,
                    json_pack("{ss ss ss sf sf}", "query", "toi", "family", "approach-spin", "contender",
                              "batch", "ns_per_pair", 100.0, "wrong_rate", 0.0));
    sample_add_like(bench, 0,
                    json_pack("{ss ss ss ss sf}", "query", "toi", "family", "approach-spin", "contender",
                              "batch", "start", "stale", "ns_per_pair", 80.0));
    sample_add_like(bench, 0,
                    json_pack("{ss ss ss ss sf sf}", "query", "toi", "family", "approach-spin", "contender",
                              "box2d", "backend", "-", "ns_per_pair", 700.0, "wrong_rate", 0.0));
    sample_add_like(bench, 0,
                    json_pack("{ss ss ss ss sf sf}", "query", "toi", "family", "approach-spin", "contender",
                              "bullet-gjkepa", "backend", "-", "ns_per_pair", 300.0, "wrong_rate", 0.2));
    sample_add_like(bench, 0,
                    json_pack("{ss ss ss sf sf si}", "query", "sweep", "family", "box-sweep", "contender",
                              "batch", "ns_per_pair", 6.0, "memory_ns_per_pair", 4.0, "bytes_per_pair", 96));
    char *page = page_of_json(bench, sample_verify(2), 0);
    cr_expect_eq(length_of("page/data/class-distance-f32.csv"), curves, "none of it is in a figure");
    const char *section = between(page, "<section id=\"motion\">", "</section>");
    cr_expect_not_null(strstr(section, "<td class=\"n\">7.00 box2d</td>"), "%s", section);
    cr_expect_not_null(strstr(section, "2D polygon8</th><td class=\"n\">4,096</td><td>approach-spin</td>"),
                       "rows of other numbers of shapes differ in a column: %s", section);
    cr_expect_not_null(strstr(section, "<td class=\"n\">1.50</td>"), "6 ns where memory takes 4");
    cr_expect_not_null(strstr(section, "of the frame before"));
    cr_expect_not_null(strstr(section, "of another pair</td><td class=\"n\">100</td><td class=\"n\">80"));
    cr_expect_eq(count_of(page, "href=\"#motion\""), 1);
    cr_expect_not_null(strstr(page, "The same bits from every backend."));
    free(page);
    bench = sample_bench(2);
    sample_add_like(bench, 0,
                    json_pack("{ss ss ss ss ss}", "query", "toi", "family", "approach", "contender", "batch",
                              "backend", "scalar", "label", "0123456789abcdef"));
    sample_add_like(bench, 0,
                    json_pack("{ss ss ss ss ss}", "query", "toi", "family", "approach", "contender", "batch",
                              "backend", "avx2", "label", "fedcba9876543210"));
    page = page_of_json(bench, sample_verify(2), 0);
    cr_expect_not_null(strstr(page, "Backends disagree."), "other bits in motion");
    cr_expect_not_null(strstr(page, "fedcba9876543210"), "every point has its fingerprint");
    free(page);
    page = page_of_json(sample_bench(2), sample_verify(2), 0);
    cr_expect_null(strstr(page, "href=\"#motion\""));
    free(page);
}

/* The same numbers whether the other dimension is there or not. */
Test(report, a_dimension_stands_alone)
{
    free(page_of_json(sample_bench(3), sample_verify(3), 0));
    size_t alone = length_of("page/data/3d-errors-distance-f32.csv"), curves = length_of("page/data/3d-class-distance-f32.csv");
    char *page = page_of_json(both(sample_bench(2), sample_bench(3), "benchmarks"),
                              both(sample_verify(2), sample_verify(3), "rows"), 0);
    cr_expect_eq(length_of("page/data/3d-errors-distance-f32.csv"), alone);
    cr_expect_eq(length_of("page/data/3d-class-distance-f32.csv"), curves);
    free(page);
    page = page_of_json(sample_bench(3), NULL, 0);
    cr_expect_not_null(strstr(page, "<h1>Batched 3D collision queries"));
    cr_expect_null(strstr(page, "<section id=\"throughput\">"));
    free(page);
}

Test(report, headlines_hold_ours_against_who_is_right)
{
    char *page = page_of_json(sample_bench(3), sample_verify(3), 0);
    const char *card = between(page, "<h3>distance</h3>", "<table>");
    cr_expect_not_null(strstr(card, "fastest that is right: batch avx512"));
    const char *right = strstr(card, "as fast as bullet-gjkepa</span>"), *any = strstr(card, "as fast as libccd-mpr, off by more than 1e-3 S in 24%</span>");
    cr_expect(right && any && right < any, "%s", card);
    cr_expect_not_null(strstr(card, "as fast as the reference"));
    cr_expect_eq(count_of(page, "The base point: "), 2, "hull16, and box next to it");
    cr_expect_not_null(strstr(page, "Rates rest on 12,288 graded pairs each. Right: "));
    cr_expect_not_null(strstr(page, "Rates rest on 11,900 to 12,288 graded pairs each. Right: "));
    /* 5 crashes, 3 hangs and 71 left unasked in each of three queries */
    cr_expect_not_null(strstr(page, "<th scope=\"row\">bullet-gjkepa</th><td class=\"n bad\">1.1%</td>"
                                    "<td class=\"n\">890,644</td>"
                                    "<td class=\"n bad\">15</td><td class=\"n bad\">9</td>"
                                    "<td class=\"n bad\">213</td></tr>"),
                       "%s", between(page, "data-file=\"brief-wrong\"", "</table>"));
    cr_expect_not_null(strstr(page, "needed the double-precision fallback</th><td class=\"n\">2%"));
    cr_expect_not_null(strstr(page, "bounds that did not meet</th><td class=\"n\">1%"));
    free(page);

    json_t *bench = sample_bench(3);
    json_object_set_new(json_object_get(bench, "context"), "died", json_pack("[s s]", "3d/distance/hull16/far/shapes:4096/bullet-gjkepa/-/f32", "x"));
    json_object_set_new(json_object_get(bench, "context"), "isolation_cost",
                        json_pack("[{si ss sf sf sf si si} {si ss sf sf sf si si}]", "dim", 2, "contender",
                                  "batch", "ratio", 1.004, "ratio_low", 0.997, "ratio_high", 1.0132, "shapes",
                                  4096, "pairs_per_call", 256, "dim", 3, "contender", "reference", "ratio",
                                  0.98, "ratio_low", 0.9, "ratio_high", 1.0, "shapes", 4096, "pairs_per_call",
                                  16));
    page = page_of_json(bench, NULL, 0);
    cr_expect_not_null(strstr(page, "<th scope=\"col\" class=\"n\">points without a time</th>"));
    cr_expect_not_null(strstr(
        page, "2D batch +0.4% (95% interval −0.3% to +1.3%, 256 pairs a call); 3D reference −2.0% (95% interval −10.0% to "
              "+0.0%, 16 pairs a call), at 4,096 shapes."));
    free(page);
}

/* Box2D is in the build, but has nothing to say in 3D. */
Test(report, only_contenders_with_results_are_listed)
{
    char *page = page_of_json(sample_bench(3), NULL, 0);
    const char *part = between(page, "<caption>Measured here</caption>", "</table>");
    cr_expect_not_null(strstr(part, "<th scope=\"row\">batch</th>"));
    cr_expect_null(strstr(part, "<th scope=\"row\">box2d</th>"));
    free(page);
    page = page_of_json(sample_bench(2), NULL, 0);
    part = between(page, "<caption>Measured here</caption>", "</table>");
    cr_expect_not_null(strstr(part, "<th scope=\"row\">box2d</th>"));
    free(page);
}

Test(report, known_failures_name_who_fails)
{
    const char *path = write_json("known.json", sample_known());
    char *page = page_of(&path, 1, 0);
    const char *part = between(page, "<section id=\"known\">", "</section>");
    cr_expect_not_null(strstr(part, "Of 2 cases 1 is answered wrongly"));
    cr_expect_not_null(strstr(part, "<th scope=\"row\">case-a</th><td>✓</td><td class=\"bad\">penetration f64, distance f64</td><td>✓</td>"));
    cr_expect_not_null(strstr(part, "<th scope=\"row\">case-b</th><td>✓</td><td class=\"quiet\">–</td><td class=\"quiet\">too close</td>"));
    cr_expect_not_null(strstr(part, "<th scope=\"row\">wrong</th><td>0</td><td class=\"bad\">1</td><td>0</td>"));
    cr_expect_not_null(strstr(part, "shape &#39;cylinder&#39; (10)"));
    free(page);
}

static json_t *a_cell(const char *family, double ours, const char *rival, double theirs, double wrong)
{
    json_t *cell = json_pack("{si ss ss ss ss ss ss sf ss}", "dim", 3, "query", "signed_distance", "workload", "box",
                             "family", family, "call", "4096", "precision", "f32", "backend", "avx2", "ours_ns", ours,
                             "judged", !rival ? "none" : wrong > 1e-3 ? "1% off" : "right");
    if (rival)
        json_object_update_new(cell, json_pack("{ss sf sf sf}", "rival", rival, "rival_ns", theirs, "ratio",
                                               theirs / ours, "wrong_share", wrong));
    return cell;
}

Test(report, cells_say_what_is_lost_and_who_is_faster)
{
    json_t *bench = sample_bench(2);
    json_t *far = a_cell("far", 10, "fcl-libccd", 40, 0), *deep = a_cell("deep", 10, NULL, 0, 0);
    json_object_set_new(far, "recorded", json_string("first"));
    json_object_set_new(deep, "recorded", json_string("new"));
    json_object_set_new(bench, "cells", json_pack("[o o o o]", a_cell("touching", 200, "ode-boxbox", 100, 0),
                                                  a_cell("mixed", 40, "fcl-libccd", 100, 0.005), far, deep));
    char *page = page_of_json(bench, NULL, 0);
    const char *part = between(page, "<section id=\"cells\">", "</section>");
    cr_expect_not_null(strstr(part, "Of 4 cells <b class=\"amiss\">1</b> is lost and 2 are below 4 times as fast; 1 "
                                    "without a right peer is counted apart"));
    cr_expect_not_null(strstr(part, "0.500"), "the ratio of the first");
    cr_expect_not_null(strstr(part, "<th scope=\"row\">3D signed distance</th><td>box</td><td>touching</td>"));
    cr_expect_not_null(strstr(part, "ode-boxbox"));
    cr_expect_not_null(strstr(part, "<td>1% off</td>"));
    cr_expect_not_null(strstr(part, "no right peer"));
    cr_expect_not_null(strstr(part, "<td>far</td>"));
    cr_expect_not_null(strstr(part, "<td>deep, new</td>"));
    expect_sections(page);
    free(page);
    char *csv = read_text(in_folder("page/tables/cells.csv"));
    cr_expect_eq(count_of(csv, "\n"), 1 + 4, "%s", csv);
    free(csv);
}

static json_t *bench_of_two(double ours, double theirs)
{
    return json_pack("{s{s[{ss s[s]}]} s[{ss ss ss ss ss ss ss si si sf sf} {ss ss ss ss ss ss ss si si sf sf}]}", "context", "contenders",
                     "name", "box2d", "does_more", "penetration", "benchmarks",
                     "name", "a", "contender", "batch", "backend", "avx2", "query", "penetration", "workload", "polygon8",
                     "family", "mixed", "precision", "f32", "shapes", 4096, "threads", 1, "ns_per_pair", ours, "wrong_rate", 0.0,
                     "name", "b", "contender", "box2d", "backend", "-", "query", "penetration", "workload", "polygon8",
                     "family", "mixed", "precision", "f32", "shapes", 4096, "threads", 1, "ns_per_pair", theirs, "wrong_rate",
                     0.0021);
}

Test(report, headline_is_the_ratio_with_wrong_rates_beside)
{
    char *page = page_of_json(bench_of_two(8, 100), NULL, 0);
    cr_expect_not_null(strstr(page, "<span class=\"big\">12×"), "100 / 8 reads as 12 (12.5 rounded to even)");
    cr_expect_not_null(strstr(page, "box2d †"), "what does more is marked wherever it appears");
    cr_expect_not_null(strstr(page, "0.21%"));
    cr_expect_not_null(strstr(page, "fastest that is right: batch avx2"));
    free(page);
}

/* Even where the manifold is the fastest of all it makes no headline. */
Test(report, manifold_is_never_the_fastest)
{
    char *page = page_of_json(bench_of_two(100, 8), NULL, 0);
    cr_expect_not_null(strstr(page, "fastest that is right: batch avx2"));
    cr_expect_null(strstr(page, "fastest that is right: box2d"));
    free(page);
}

Test(report, verification_alone_makes_a_page)
{
    char *page = page_of_json(NULL, sample_verify(2), 0);
    expect_sections(page);
    cr_expect_not_null(strstr(page, "gjkbench bench"), "absent sections say how to get them");
    cr_expect_not_null(strstr(page, "No wrong answer of ours."));
    cr_expect_not_null(strstr(page, "The same bits from every backend."));
    cr_expect_not_null(strstr(page, "12%"), "box2d is wrong among the huge");
    free(page);
}

Test(report, times_alone_make_a_page)
{
    char *page = page_of_json(sample_bench(2), NULL, 0);
    expect_sections(page);
    cr_expect_not_null(strstr(page, "Nothing proven here."));
    free(page);
}

/* One line at the end, and no empty section with its way to it. */
Test(report, what_was_not_measured_is_one_line)
{
    char *page = page_of_json(NULL, sample_verify(2), 0);
    const char *line = between(page, "<details id=\"absent\">", "</summary>");
    cr_expect_not_null(strstr(line, "Not in these results: Throughput against the number of shapes; "
                                    "What each backend"), "%s", line);
    cr_expect_not_null(strstr(line, "; Known failures by contender; Every measured point."), "%s", line);
    cr_expect_eq(count_of(page, "href=\"#throughput\""), 0);
    cr_expect_eq(count_of(page, "<section id=\"points\">"), 0);
    cr_expect_eq(count_of(page, "class=\"absent\""), 3, "no drawings, no times twice");
    free(page);
}

/* Files of older versions have it: they load, alone too. */
Test(report, convergence_is_named_and_not_drawn)
{
    const char *files[] = {write_json("old.json", json_pack("{s[{ss}]}", "convergence", "query", "distance")),
                           write_json("bench.json", sample_bench(2))};
    char *alone = page_of(files, 1, 0), *both = page_of(files, 2, 0);
    cr_expect_not_null(strstr(alone, "old.json <span>convergence, no longer drawn"));
    cr_expect_not_null(strstr(both, "old.json <span>convergence, no longer drawn"));
    cr_expect_eq(count_of(both, "<section id=\"throughput\">"), 1);
    free(alone);
    free(both);
}

/* What is drawn of 70 runs are medians of two; levels step where the change is. */
Test(report, a_history_alone_makes_a_page)
{
    const char *files[] = {write_json("history.json", sample_timeline(3))};
    char *page = page_of(files, 1, have_gnuplot()), csv_path[96];
    cr_expect_eq(count_of(page, "<section id=\"history-3d\">"), 1);
    cr_expect_eq(count_of(page, "<section id=\"throughput-3d\">"), 0, "nothing was measured that it could say more of");
    cr_expect_eq(count_of(page, "href=\"#throughput-3d\""), 0);
    cr_expect_not_null(strstr(page, "1 of 2 series changed, and 1 is slower"));
    cr_expect_not_null(strstr(page, "+8.0% (+7.7% to +8.3%) with 01234567."));
    cr_expect_not_null(strstr(page, "No change in 70 runs."));
    const char *link = strstr(page, "3d-history-3d-distance-polygon8-mixed-batch-avx512-f32-");
    cr_assert_not_null(link);
    snprintf(csv_path, sizeof csv_path, "page/data/%.*s.csv", (int)(strcspn(link, ".\"") % 80), link);
    free(page);
    char *csv = read_text(in_folder(csv_path));
    cr_expect_eq(count_of(csv, "\r\nruns,"), 35);
    cr_expect_not_null(strstr(csv, "level,30.49,1\r"), "%s", csv);
    cr_expect_not_null(strstr(csv, "level,30.51,1.08\r"), "%s", csv);
    free(csv);
}

/* Two runs have no level: nothing was judged. */
Test(report, a_history_of_two_runs_has_no_level)
{
    json_t *history = sample_timeline(3), *row;
    size_t i;
    json_array_foreach(json_object_get(history, "series"), i, row) {
        json_object_set_new(row, "times", json_pack("[f f]", 20.0, 20.1));
        json_object_set_new(row, "levels",
                            json_pack("[{si si sf sf}]", "first", 0, "runs", 2, "ns", 20.0, "ratio", 1.0));
        json_object_set_new(row, "changes", json_array());
    }
    const char *files[] = {write_json("history.json", history)};
    char *page = page_of(files, 1, 0);
    cr_expect_eq(count_of(page, "Too few runs to find a change: 2, and it takes 4."), 2);
    cr_expect_null(strstr(page, ">level<"));
    free(page);
}

Test(report, facts_are_said_in_words)
{
    char *page = page_of_json(sample_bench(2), sample_verify(2), 0);
    cr_expect_not_null(strstr(page, "at 1,000,000 shapes batch avx512 keeps "));
    cr_expect_not_null(strstr(page, "memory gives for as many random lines"));
    cr_expect_not_null(strstr(page, "batch avx512 beats box2d from "));
    cr_expect_not_null(strstr(page, "600,000 pairs, proven"));
    cr_expect_not_null(strstr(page, "batch against the fastest other that is right, times as fast: "));
    free(page);
}

Test(report, errors_are_told_apart_by_kind)
{
    free(page_of_json(NULL, sample_verify(2), 0));
    char *csv = read_text(in_folder("page/data/errors-distance-f32.csv"));
    cr_expect_not_null(strstr(csv, "\r\nbatch,0.0625,"));
    cr_expect_not_null(strstr(csv, "\r\nbatch normal,"));
    cr_expect_not_null(strstr(csv, "\r\nbatch witness,"));
    cr_expect_not_null(strstr(csv, "\r\nbox2d,"));
    free(csv);
}

/* The row of a made-up result that is at a place. */
static json_t *row_of(json_t *bench, const char *name)
{
    json_t *row;
    size_t i;
    json_array_foreach(json_object_get(bench, "benchmarks"), i, row)
        if (!strcmp(json_string_value(json_object_get(row, "name")), name) &&
            strstr(json_string_value(json_object_get(row, "sweep")), "map-"))
            return row;
    cr_assert_fail("%s: not there", name);
    return NULL;
}

static double ns_of(json_t *bench, const char *name)
{
    return json_number_value(json_object_get(row_of(bench, name), "ns_per_pair"));
}

/* libccd-mpr is the fastest packaged one and wrong; bullet-gjkepa is right and slow. */
Test(report, maps_show_the_fastest_right_contender)
{
    json_t *bench = sample_bench(3);
    const double batch = ns_of(bench, "3d/distance/hull16/deep/shapes:4096/batch/avx512/f32");
    const double next = ns_of(bench, "3d/distance/hull16/deep/shapes:4096/reference/-/f64");
    json_decref(bench);
    free(page_of_json(sample_bench(3), sample_verify(3), 0));
    char *csv = read_text(in_folder("page/data/3d-map-vertices-distance-f32.csv")), line[160];
    cr_expect_eq(count_of(csv, "\r\n"), 1 + 4 * 5);
    cr_expect_eq(strncmp(csv, "family,vertices,fastest,ns_per_pair,next,times_as_fast,tied\r\n", 60), 0, "%s", csv);
    snprintf(line, sizeof line, "\r\ndeep,16,batch,%.9g,reference,%.9g,0\r\n", batch, next / batch);
    cr_expect_not_null(strstr(csv, line), "%s in %s", line, csv);
    free(csv);
    csv = read_text(in_folder("page/data/3d-map-vertices-others-distance-f32.csv"));
    cr_expect_eq(count_of(csv, ",bullet-gjkepa,"), 4 * 5, "%s", csv);
    cr_expect_null(strstr(csv, "libccd-mpr"));
    free(csv);
}

Test(report, maps_say_who_is_alone_tied_or_not_right)
{
    json_t *bench = sample_bench(3);
    static const char *const right = "3d/distance/hull16/deep/shapes:4096/bullet-gjkepa/-/f32";
    static const char *const ours = "3d/intersect/hull16/deep/shapes:4096/batch/avx512/f32";
    json_object_set_new(row_of(bench, right), "wrong_rate_1e3", json_real(0.5));
    json_object_set_new(row_of(bench, ours), "ns_high", json_real(1e6));
    char *page = page_of_json(bench, sample_verify(3), 0);
    cr_expect_eq(count_of(page, ">none right</td>"), 1);
    cr_expect_not_null(strstr(page, "<b>tie</b>"));
    cr_expect_eq(count_of(page, "<b>alone</b>"), 3 * (4 * 5 + 4 * 4) - 1, "bullet-gjkepa, but for one place");
    free(page);
    char *csv = read_text(in_folder("page/data/3d-map-vertices-others-distance-f32.csv"));
    cr_expect_not_null(strstr(csv, "\r\ndeep,16,,,,,0\r\n"), "%s", csv);
    free(csv);
    csv = read_text(in_folder("page/data/3d-map-vertices-intersect-f32.csv"));
    cr_expect_eq(count_of(csv, ",1\r\n"), 1);
    cr_expect_not_null(strstr(csv, "\r\ndeep,16,batch,"));
    free(csv);
}

/* Polygons of more than 8 vertices are not for box2d; one pair a call is, in the made-up results. */
Test(report, maps_of_2d)
{
    char *page = page_of_json(sample_bench(2), sample_verify(2), 0);
    cr_expect_eq(count_of(page, ">none</td>"), 3 * 2 * 5);
    cr_expect_eq(count_of(page, ">none right</td>"), 0);
    free(page);
    char *csv = read_text(in_folder("page/data/map-shapes-intersect-f32.csv"));
    cr_expect_eq(count_of(csv, ",1,box2d,"), 4, "%s", csv);
    cr_expect_eq(count_of(csv, ",batch,"), 12);
    cr_expect_not_null(strstr(csv, "\r\n4096,256,batch,"));
    free(csv);
    csv = read_text(in_folder("page/data/map-shapes-penetration-f32.csv"));
    cr_expect_not_null(strstr(csv, "box2d †"), "it does more");
    free(csv);
}

Test(report, csv_holds_the_numbers)
{
    free(page_of_json(sample_bench(2), sample_verify(2), 0));
    char *csv = read_text(in_folder("page/data/throughput-intersect-f32.csv"));
    cr_expect_eq(strncmp(csv, "series,shapes,pairs_per_second,low,high\r\n", 41), 0);
    cr_expect_eq(count_of(csv, "\r\nbatch avx512,"), 9, "nine shape counts");
    cr_expect_eq(count_of(csv, "\r\nreference f64,"), 9);
    json_t *bench = sample_bench(2), *row;
    size_t i;
    int found = 0;
    json_array_foreach(json_object_get(bench, "benchmarks"), i, row) {
        const char *name = json_string_value(json_object_get(row, "name"));
        if (strcmp(name, "2d/intersect/polygon8/mixed/shapes:65536/batch/avx2/f32"))
            continue;
        char line[128];
        snprintf(line, sizeof line, "\r\nbatch avx2,65536,%.9g,", json_number_value(json_object_get(row, "pairs_per_second")));
        cr_expect_not_null(strstr(csv, line), "%s", line);
        found++;
    }
    cr_expect_eq(found, 1);
    json_decref(bench);
    free(csv);

    csv = read_text(in_folder("page/data/speedup-distance.csv"));
    cr_expect_eq(strncmp(csv, "series,backend,speedup", 22), 0);
    cr_expect_not_null(strstr(csv, "\r\nf32,avx512,"));
    cr_expect_not_null(strstr(csv, ",16\r\n"), "sixteen lanes of f32");
    free(csv);
    csv = read_text(in_folder("page/data/class-distance-f32.csv"));
    cr_expect_not_null(strstr(csv, "\r\nbatch avx512,touching,"));
    free(csv);
}

static const char hostile[] = "\"</title><script>alert(1)</script><img src=x onerror=a>'`\"\n\" at 0,0; system(\"touch pwned\")\n";

Test(report, hostile_strings_stay_text)
{
    json_t *bench = sample_bench(2), *verify = sample_verify(2), *row;
    static const char *const keys[] = {"name", "contender", "backend", "precision", "query", "workload", "family", "label", "sweep"};
    size_t i;
    json_array_foreach(json_object_get(bench, "benchmarks"), i, row)
        json_object_set_new(row, keys[i % 9], json_string(hostile));
    json_array_foreach(json_object_get(verify, "rows"), i, row)
        json_object_set_new(row, keys[1 + i % 6], json_string(hostile));
    static const char *const facts[] = {"cpu", "compiler", "flags", "commit", "date", "gjkbench_version", "host_name"};
    for (i = 0; i < 7; i++)
        json_object_set_new(json_object_get(bench, "context"), facts[i], json_string(hostile));
    json_object_set_new(json_object_get(bench, "context"), "contenders",
                        json_pack("[{ss ss ss ss}]", "name", hostile, "version", hostile, "licence", hostile, "note", hostile));
    json_object_set_new(json_object_get(bench, "context"), "missing",
                        json_pack("[{ss ss} i n]", "name", hostile, "advice", hostile, 3));
    json_object_set_new(json_object_get(bench, "context"), "memory_ceiling", json_pack("{ss}", hostile, hostile));
    json_object_set_new(json_object_get(bench, "context"), "caches", json_pack("[{ss ss si} i n]", "type", hostile, "level", "1", "size", -4, 3));
    const char *bench_path = write_json("bench.json", bench), *verify_path = write_json("verify.json", verify);
    cr_assert_eq(chdir(folder), 0);
    char *page = page_of((const char *const[]){bench_path, verify_path}, 2, 1);
    cr_expect_eq(count_of(page, "<script"), 1);
    cr_expect_null(strstr(page, "<img"));
    cr_expect_not_null(strstr(page, "&lt;script&gt;alert(1)"));
    cr_expect_neq(access("pwned", F_OK), 0);
    expect_sections(page);
    free(page);
}

Test(report, labels_for_gnuplot_are_harmless)
{
    text t = {0};
    text_gnuplot(&t, "a\"b\\c`d`$e\n@f{g}^_h\x01 avx2 †");
    cr_expect_str_eq(t.s, "a?b?c?d??e??f?g??_h? avx2 †");
    text_free(&t);
    text_gnuplot(&t, "0123456789012345678901234567890123456789much longer");
    cr_expect_eq(strlen(t.s), 40);
    text_free(&t);
}

Test(report, html_and_csv_are_escaped)
{
    text t = {0};
    text_html(&t, "<a href='x' b=\"y\">&\x02\n");
    cr_expect_str_eq(t.s, "&lt;a href=&#39;x&#39; b=&quot;y&quot;&gt;&amp;? ");
    text_free(&t);
    text_csv(&t, "plain");
    text_csv(&t, "a,\"b\"");
    cr_expect_str_eq(t.s, "plain\"a,\"\"b\"\"\"");
    text_free(&t);
}

Test(report, numbers_read_well)
{
    number n;
    cr_expect_str_eq(number_count(&n, 1234567), "1,234,567");
    cr_expect_str_eq(number_count(&n, 999), "999");
    cr_expect_str_eq(number_count(&n, -1234), "-1,234");
    cr_expect_str_eq(number_count(&n, NAN), "–");
    cr_expect_str_eq(number_figures(&n, 0.12345), "0.123");
    cr_expect_str_eq(number_figures(&n, 9.996), "10.0");
    cr_expect_str_eq(number_figures(&n, 12345), "12,345");
    cr_expect_str_eq(number_figures(&n, INFINITY), "–");
    cr_expect_str_eq(number_rate(&n, 0), "0");
    cr_expect_str_eq(number_rate(&n, 2.4e-5), "24 ppm");
    cr_expect_str_eq(number_rate(&n, 0.0021), "0.21%");
    cr_expect_str_eq(number_rate(&n, 0.5), "50%");
    cr_expect_str_eq(number_bytes(&n, 32768), "32 KiB");
    cr_expect_str_eq(number_bytes(&n, 1048576), "1 MiB");
}

static const struct { const char *content, *says; } bad[] = {
    {"", "bad.json:"},
    {"not json", "bad.json:1:"},
    {"[1, 2]", "neither bench results"},
    {"3", "bad.json"},
    {"{\"benchmarks\": 4}", "neither bench results"},
    {"{\"benchmarks\": []}", "no results"},
    {"{\"rows\": [3]}", "rows[0]: expected an object"},
    {"{\"context\": [], \"rows\": []}", "context: expected an object"},
    {"{\"benchmarks\": [{}]}", "benchmarks[0].name: missing"},
    {"{\"benchmarks\": [{\"name\": \"a\", \"contender\": \"b\", \"query\": \"c\"}]}", "benchmarks[0].ns_per_pair: missing"},
    {"{\"benchmarks\": [{\"name\": \"a\", \"contender\": \"b\", \"query\": \"c\", \"ns_per_pair\": \"x\"}]}",
     "benchmarks[0].ns_per_pair: expected a number"},
    {"{\"benchmarks\": [{\"name\": \"a\", \"contender\": \"b\", \"query\": \"c\", \"ns_per_pair\": 0}]}",
     "benchmarks[0].ns_per_pair: 0 is not positive"},
    {"{\"benchmarks\": [{\"name\": \"a\", \"contender\": \"b\", \"query\": \"c\", \"ns_per_pair\": 1, \"shapes\": -1}]}",
     "benchmarks[0].shapes: -1 is negative"},
    {"{\"benchmarks\": [{\"name\": \"a\", \"contender\": \"b\", \"query\": \"c\", \"ns_per_pair\": 1, \"iteration_histogram\": 1}]}",
     "iteration_histogram: expected an array"},
    {"{\"benchmarks\": [], \"cells\": 1}", "cells: expected an array"},
    {"{\"benchmarks\": [], \"cells\": [1]}", "cells[0]: expected an object"},
    {"{\"benchmarks\": [], \"cells\": [{\"query\": \"a\"}]}", "cells[0].workload: missing"},
    {"{\"benchmarks\": [], \"cells\": [{\"query\": \"a\", \"workload\": \"b\", \"family\": \"c\", \"call\": \"1\", \"precision\": "
     "\"f32\", \"backend\": \"d\", \"judged\": \"right\", \"dim\": 2, \"ours_ns\": 0, \"rival_ns\": 1, \"ratio\": 1}]}",
     "cells[0].ratio: 1 without two times above 0"},
    {"{\"rows\": [{\"contender\": \"a\", \"query\": \"b\", \"pairs\": 1}]}", "rows[0].wrong: missing"},
    {"{\"rows\": [{\"contender\": \"a\", \"query\": \"b\", \"pairs\": 1, \"wrong\": 0, \"dim\": 4}]}",
     "rows[0].dim: 4 is neither 2 nor 3"},
    {"{\"series\": [{\"benchmark\": \"a\", \"levels\": []}]}", "series[0].times: expected an array"},
    {"{\"series\": [{\"benchmark\": \"a\", \"times\": [1, -1]}]}", "series[0].times[1]: expected a positive number"},
    {"{\"series\": [{\"benchmark\": \"a\", \"times\": [1], \"levels\": [7]}]}", "series[0].levels[0]: expected an object"},
    {"{\"series\": [{\"benchmark\": \"a\", \"times\": [1], \"levels\": [{\"first\": 0, \"runs\": 1, \"ns\": 1}]}]}",
     "series[0].levels[0].ratio: expected a number"},
    {"{\"series\": [{\"benchmark\": \"a\", \"times\": [1], \"levels\": [], \"changes\": [{\"at\": 1, \"ratio\": \"x\"}]}]}",
     "series[0].changes[0].ratio: expected a number"},
    {"{\"cases\": [{\"id\": \"a\"}]}", "cases[0].contender: missing"},
    {"{\"cases\": [7]}", "cases[0]: expected an object"},
    {"{\"rows\": [{\"contender\": \"a\", \"query\": \"b\", \"pairs\": 1, \"wrong\": 0, \"error_histogram\": [1, \"\"]}]}",
     "rows[0].error_histogram[1]: expected a count"},
    {"{\"rows\": [{\"contender\": \"a\", \"query\": \"b\", \"pairs\": 1e999, \"wrong\": 0}]}", "bad.json:1:"},
};

Test(report, bad_files_are_refused_in_one_line)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        gjb_error error = {{0}};
        const char *path = in_folder("bad.json");
        write_text(path, bad[i].content);
        cr_expect_lt(gjb_report_write(&path, 1, in_folder("page"), &error), 0, "%s", bad[i].content);
        cr_expect_not_null(strstr(error.text, bad[i].says), "'%s' gave '%s'", bad[i].content, error.text);
        cr_expect_not_null(strstr(error.text, "bad.json"), "'%s' gave '%s'", bad[i].content, error.text);
        cr_expect_null(strchr(error.text, '\n'));
        cr_expect_neq(access(in_folder("page/index.html"), F_OK), 0, "a page was written all the same");
    }
}

Test(report, unreadable_files_and_folders_are_refused)
{
    gjb_error error = {{0}};
    const char *path = in_folder("absent.json");
    cr_expect_lt(gjb_report_write(&path, 1, in_folder("page"), &error), 0);
    cr_expect_not_null(strstr(error.text, "absent.json"), "%s", error.text);
    error.text[0] = '\0';
    path = folder; /* a folder is no file */
    cr_expect_lt(gjb_report_write(&path, 1, in_folder("page"), &error), 0);
    cr_expect_str_not_empty(error.text);
    error.text[0] = '\0';
    cr_expect_lt(gjb_report_write(NULL, 0, in_folder("page"), &error), 0);
    cr_expect_str_not_empty(error.text);
    error.text[0] = '\0';
    path = write_json("verify.json", sample_verify(2));
    write_text(in_folder("occupied"), "a file");
    cr_expect_lt(gjb_report_write(&path, 1, in_folder("occupied/page"), &error), 0);
    cr_expect_not_null(strstr(error.text, "occupied"), "%s", error.text);
}

/* A gnuplot that fails, or prints something else, costs the drawings alone. */
Test(report, a_broken_gnuplot_leaves_a_page_with_tables)
{
    static const char *const scripts[] = {"#!/bin/sh\nexit 3\n", "#!/bin/sh\necho hello\n", "#!/bin/sh\necho '</svg>'\n",
                                          "#!/bin/sh\necho '<svg viewBox=\"0 0 9 9\"></defs></svg>'\nexit 1\n"};
    for (size_t i = 0; i < 4; i++) {
        gjb_error error = {{0}};
        const char *path = write_json("bench.json", sample_bench(2)), *program = in_folder("gnuplot");
        write_text(program, scripts[i]);
        cr_assert_eq(chmod(program, 0755), 0);
        setenv("GJKBENCH_GNUPLOT", program, 1);
        cr_expect_eq(gjb_report_write(&path, 1, in_folder("page"), &error), GJB_REPORT_UNDRAWN);
        cr_expect_not_null(strstr(error.text, "gnuplot"));
        char *page = read_text(in_folder("page/index.html"));
        expect_sections(page);
        cr_expect_null(strstr(page, "role=\"img\""));
        free(page);
    }
}

Test(report, another_base_point_is_named)
{
    json_t *bench = bench_of_two(8, 100), *row;
    size_t i;
    json_array_foreach(json_object_get(bench, "benchmarks"), i, row)
        json_object_set_new(row, "workload", json_string("hull16"));
    char *page = page_of_json(bench, NULL, 0);
    cr_expect_not_null(strstr(page, "The standard base point was not measured"));
    cr_expect_not_null(strstr(page, "hull16"));
    cr_expect_not_null(strstr(page, "<span class=\"big\">12×"));
    free(page);
}
