/* Ranking, its reasons and licences, on made-up facts. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "choose/choose.h"

static const choose_need usual = {.accuracy = 1e-3, .wrong_share = 1e-3};

static choose_candidate made(const char *name, double ns, uint64_t wrong, uint64_t graded)
{
    choose_candidate c = {.name = name, .backend = "-", .version = "1", .licence = "MIT", .note = "",
                          .answered = graded, .graded = graded, .wrong = wrong, .timed = ns > 0,
                          .ns = {ns, 0.98 * ns, 1.02 * ns, 0.95 * ns}};
    return c;
}

static void expect_order(const choose_candidate *list, size_t count, const char *wanted)
{
    char got[256] = "";
    for (size_t i = 0; i < count; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s:%u%s", i ? " " : "", list[i].name, list[i].rank,
                 list[i].tied ? "=" : "");
    cr_expect_str_eq(got, wanted);
}

static void expect_reason(const choose_candidate *list, size_t count, size_t at, const choose_need *need,
                          const char *words)
{
    char text[CHOOSE_WORDS];
    choose_reason(list, count, at, need, text);
    cr_expect_not_null(strstr(text, words), "%s: '%s' lacks '%s'", list[at].name, text, words);
}

static void expect_sentence(const choose_candidate *list, size_t count, const choose_need *need, const char *words)
{
    char text[CHOOSE_WORDS];
    choose_sentence(list, count, need, text);
    cr_expect_not_null(strstr(text, words), "'%s' lacks '%s'", text, words);
}

Test(choose, the_fastest_that_fits_comes_first)
{
    choose_candidate list[] = {made("slow", 30, 0, 5000), made("wrong", 5, 50, 5000), made("fast", 10, 0, 5000),
                               made("middle", 20, 0, 5000)};
    cr_expect_eq(choose_rank(list, 4, &usual), 3);
    expect_order(list, 4, "fast:1 middle:2 slow:3 wrong:0");
    cr_expect_eq(list[3].why, CHOOSE_WRONG);
    cr_expect_float_eq(list[2].times, 3, 1e-12);
    expect_reason(list, 4, 0, &usual, "2.0 times as fast as the next, middle f32");
    expect_reason(list, 4, 2, &usual, "takes 3.0 times as long as the first");
    expect_reason(list, 4, 3, &usual, "wrong in 1% of 5000 pairs");
    expect_reason(list, 4, 3, &usual, "would take 0.50 of the time of the first");
    expect_sentence(list, 4, &usual,
                    "fast f32, at 10 ns a pair; 0 of 5000 wrong: the true rate may be as high as 0.074%");
}

/* b and c overlap each other, but c is slower than a for certain: only b shares its rank. */
Test(choose, overlapping_intervals_tie_with_the_first_of_a_rank)
{
    choose_candidate list[] = {made("c", 10.7, 0, 5000), made("a", 10, 0, 5000), made("b", 10.35, 0, 5000),
                               made("d", 10.9, 0, 5000), made("e", 20, 0, 5000)};
    choose_rank(list, 5, &usual);
    expect_order(list, 5, "a:1= b:1= c:3= d:3= e:5");
    expect_reason(list, 5, 0, &usual, "a tie with b f32: their intervals overlap");
    expect_reason(list, 5, 1, &usual, "a tie with a f32");
    expect_reason(list, 5, 2, &usual, "takes 1.07 times as long as the first");
    expect_reason(list, 5, 3, &usual, "a tie with c f32");
    expect_sentence(list, 5, &usual, "a f32 or, as fast, b f32");
}

/* A time that was measured comes before one that a program tells, however short that is. */
Test(choose, times_of_its_own_clock_rank_behind)
{
    choose_candidate list[] = {made("told", 1, 0, 5000), made("slow", 30, 0, 5000), made("fast", 10, 0, 5000)};
    list[0].self_timed = 1;
    cr_expect_eq(choose_rank(list, 3, &usual), 3);
    expect_order(list, 3, "fast:1 slow:2 told:3");
    expect_reason(list, 3, 2, &usual, "its time is that of its own clock");
    cr_expect_eq(choose_rank(list + 2, 1, &usual), 1);
    expect_sentence(list + 2, 1, &usual, "told f32, at 1 ns a pair by its own clock");
}

/* 0 of 2,000 is at most 0.18%: not shown to be within 0.1%, and never before one that is. */
Test(choose, few_pairs_prove_little)
{
    choose_candidate list[] = {made("few", 10, 0, 2000), made("many", 30, 0, 4000), made("some", 10, 1, 4000)};
    cr_expect_eq(choose_rank(list, 3, &usual), 3);
    expect_order(list, 3, "many:1 few:2= some:2=");
    cr_expect_eq(list[0].verdict, CHOOSE_FITS);
    cr_expect_eq(list[1].verdict, CHOOSE_UNPROVEN);
    cr_expect_float_eq(list[1].upper, 1 - pow(0.025, 1 / 2000.0), 1e-9);
    expect_reason(list, 3, 1, &usual, "0 of 2000 wrong: the true rate may be as high as 0.18%");
    expect_reason(list, 3, 1, &usual, "you need 3688 pairs to show 0.1%");
    expect_reason(list, 3, 2, &usual, "1 of 4000 wrong: the true rate may be as high as 0.14%");

    const choose_need never = {.accuracy = 1e-3, .wrong_share = 0}, lax = {.accuracy = 1e-3, .wrong_share = 2e-3};
    cr_expect_eq(choose_rank(list, 3, &never), 2);
    expect_order(list, 3, "few:1 many:2 some:0");
    cr_expect_eq(list[0].verdict, CHOOSE_UNPROVEN);
    expect_reason(list, 3, 0, &never, "no number of pairs shows that it is never wrong");
    choose_rank(list, 3, &lax);
    expect_order(list, 3, "few:1= some:1= many:3");
}

/* A handful of pairs ranks no contender, unless that many prove what is asked. */
Test(choose, a_handful_of_pairs_recommends_none)
{
    choose_candidate list[] = {made("slow", 20, 0, 6), made("fast", 10, 0, 6), made("wrong", 5, 3, 6)};
    cr_expect_eq(choose_rank(list, 3, &usual), 0);
    expect_order(list, 3, "fast:0 slow:0 wrong:0");
    expect_sentence(list, 3, &usual,
                    "too few pairs (6) to recommend one: add frames; 0 of 6 wrong: the true rate may be as "
                    "high as 46%; you need 3688 pairs to show 0.1%");
    const choose_need half = {.accuracy = 1e-3, .wrong_share = 0.5};
    choose_rank(list, 3, &half);
    cr_expect_eq(list[0].verdict, CHOOSE_FITS);
}

/* The number that the words promise is enough, and one pair less is not. */
Test(choose, pairs_to_show_a_share)
{
    cr_expect(gjb_share_upper(0, 3688) <= 1e-3);
    cr_expect(gjb_share_upper(0, 3687) > 1e-3);
}

Test(choose, every_reason_to_be_unfit_is_said)
{
    enum { COUNT = 7 };
    const licences mit = {.names = {"MIT"}, .count = 1};
    const choose_need need = {.accuracy = 1e-3, .wrong_share = 1e-3, .licences = &mit};
    choose_candidate list[COUNT] = {
        made("unasked", 0, 0, 0),  made("gpl", 5, 0, 5000),  made("dies", 0, 0, 100),   made("lacks", 0, 0, 0),
        made("declines", 0, 0, 50), made("worse", 8, 5, 100), made("two", 8, 4, 100)};
    list[1].licence = list[6].licence = "GPL-3.0-only";
    list[2].mishap = "hung";
    snprintf(list[3].lacks, sizeof list[3].lacks, "hulls");
    list[4].answered = 100;
    list[4].unsupported = 50;
    list[5].class_graded[CHOOSE_SHALLOW] = 10, list[5].class_wrong[CHOOSE_SHALLOW] = 5;
    list[5].class_graded[CHOOSE_FAR] = 90;
    list[5].worst = 0.25;
    list[5].too_slow = 3;
    snprintf(list[5].too_slow_first, sizeof list[5].too_slow_first, "frame 0, pair 7");
    cr_expect_eq(choose_rank(list, COUNT, &need), 0);
    /* One failing before two; wrong before licence before unknown before a crash before what is not
     * supported. */
    expect_order(list, COUNT, "worse:0 gpl:0 unasked:0 dies:0 declines:0 lacks:0 two:0");
    expect_sentence(list, COUNT, &need, "none; the nearest is worse f32, but: wrong in 5%");
    expect_reason(list, COUNT, 0, &need, "in 50% of the shallow ones, by up to 0.25 S: you allow 0.1% beyond 0.001 S");
    expect_reason(list, COUNT, 0, &need, "3 of the pairs too slow to judge, and passed over: the first is frame 0, pair 7");
    expect_reason(list, COUNT, 1, &need, "licence GPL-3.0-only is not in your list");
    expect_reason(list, COUNT, 3, &need, "hung on one of the pairs");
    expect_reason(list, COUNT, 5, &need, "does not support hulls");
    expect_reason(list, COUNT, 4, &need, "leaves 50% of the pairs unanswered");
    expect_reason(list, COUNT, 2, &need, "none of its answers was graded");
    expect_reason(list, COUNT, 6, &need, "wrong in 4%");
    expect_reason(list, COUNT, 6, &need, "licence GPL-3.0-only is not in your list");
}

Test(choose, the_nearest_miss_is_the_least_wrong)
{
    choose_candidate list[] = {made("b", 5, 30, 1000), made("a", 50, 20, 1000), made("c", 1, 40, 1000)};
    cr_expect_eq(choose_rank(list, 3, &usual), 0);
    expect_order(list, 3, "a:0 b:0 c:0");
}

/* As after Ctrl-C. */
Test(choose, who_has_no_time_has_no_rank)
{
    choose_candidate list[] = {made("untimed", 0, 0, 5000), made("timed", 10, 0, 5000), made("wrong", 0, 5000, 5000)};
    cr_expect_eq(choose_rank(list, 3, &usual), 1);
    expect_order(list, 3, "timed:1 untimed:0 wrong:0");
    cr_expect_eq(list[1].verdict, CHOOSE_UNTIMED);
    expect_reason(list, 3, 0, &usual, "the only one that fits");
    expect_reason(list, 3, 1, &usual, "its time was not measured");
    cr_expect_eq(choose_rank(list + 1, 1, &usual), 0);
    expect_sentence(list + 1, 1, &usual, "none yet");
    cr_expect_eq(choose_rank(NULL, 0, &usual), 0);
    expect_sentence(NULL, 0, &usual, "none: no contender was selected");
}

/* Whatever the order that they come in. */
Test(choose, ranking_does_not_depend_on_order)
{
    const choose_candidate from[] = {made("a", 10, 0, 5000), made("b", 10.1, 0, 5000), made("c", 12, 1, 5000),
                                     made("d", 9, 9, 5000)};
    static const int orders[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}, {2, 0, 3, 1}};
    for (size_t i = 0; i < 4; i++) {
        choose_candidate list[4];
        for (size_t k = 0; k < 4; k++)
            list[k] = from[orders[i][k]];
        choose_rank(list, 4, &usual);
        expect_order(list, 4, "a:1= b:1= c:3 d:0");
    }
}

/* Reasons never run over, however long names and notes are. */
Test(choose, words_are_cut)
{
    char longest[900];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    choose_candidate list[] = {made("a", 10, 9, 5000), made("b", 12, 9, 5000)};
    for (int i = 0; i < 2; i++) {
        list[i].licence = list[i].note = list[i].name = longest;
        list[i].more = 1;
        memset(list[i].lacks, 'y', sizeof list[i].lacks - 1);
    }
    const licences mit = {.names = {"MIT"}, .count = 1};
    const choose_need need = {.accuracy = 1e-3, .wrong_share = 1e-3, .licences = &mit};
    choose_rank(list, 2, &need);
    char text[CHOOSE_WORDS + 1];
    text[CHOOSE_WORDS] = 'z';
    choose_reason(list, 2, 1, &need, text);
    cr_expect_eq(text[CHOOSE_WORDS], 'z');
    cr_expect(strlen(text) < CHOOSE_WORDS);
    choose_sentence(list, 2, &need, text);
    cr_expect_eq(text[CHOOSE_WORDS], 'z');
}

Test(choose, classes_by_sigma)
{
    static const struct { double sigma; choose_class class; } known[] = {
        {0.5, CHOOSE_FAR}, {0.01, CHOOSE_NEAR}, {1e-7, CHOOSE_TOUCHING}, {0, CHOOSE_TOUCHING}, {-1e-7, CHOOSE_TOUCHING},
        {-0.01, CHOOSE_SHALLOW}, {-0.3, CHOOSE_DEEP},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        cr_expect_eq(choose_class_of(known[i].sigma), known[i].class, "%g", known[i].sigma);
}

/* --- licences ------------------------------------------------------------------ */

static int allows(const char *list, const char *expression)
{
    licences allowed;
    char unknown[CLI_LICENCE_NAME];
    cr_assert_eq(licences_read(&allowed, list, NULL, 0, unknown), 0, "%s: unknown '%s'", list, unknown);
    return licence_allowed(&allowed, expression);
}

Test(licence, names_words_and_patterns)
{
    static const struct { const char *list, *expression; int allowed; } known[] = {
        {"MIT", "MIT", 1}, {"mit", "MIT", 1}, {"MIT", "Zlib", 0}, {"MIT,Zlib", "Zlib", 1}, {"MIT", "MIT-0", 0},
        {"BSD-*", "BSD-3-Clause", 1}, {"BSD-*", "MIT", 0}, {"*", "LGPL-2.1", 1}, {"*-Clause", "BSD-2-Clause", 1},
        {"permissive", "Zlib", 1}, {"permissive", "BSL-1.0", 1}, {"permissive", "LGPL-2.1", 0},
        {"permissive", "GPL-3.0-only", 0}, {"permissive", "MPL-2.0", 0}, {"permissive", "LicenseRef-Mine", 0},
        {"weak-copyleft", "LGPL-2.1-or-later", 1}, {"weak-copyleft", "GPL-2.0", 0}, {"weak-copyleft", "MIT", 0},
        {"copyleft", "GPL-2.0", 1}, {"copyleft", "LGPL-3.0+", 1}, {"any", "LicenseRef-Mine", 1},
        {"GPL-3.0", "GPL-3.0-only", 1}, {"GPL-3.0-or-later", "GPL-3.0", 1}, {"GPL-3.0-only", "GPL-3.0-or-later", 0},
        {"GPL-3.0", "AGPL-3.0", 0}, {"GPL-3.0", "GPL-2.0", 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        cr_expect_eq(allows(known[i].list, known[i].expression), known[i].allowed, "%s of %s", known[i].expression,
                     known[i].list);
    cr_expect(licence_allowed(NULL, "anything at all"));
}

Test(licence, expressions)
{
    static const struct { const char *list, *expression; int allowed; } known[] = {
        {"MIT", "MIT OR GPL-3.0", 1}, {"MIT", "GPL-3.0 or MIT", 1}, {"MIT", "MIT AND GPL-3.0", 0},
        {"MIT,GPL-3.0", "MIT AND GPL-3.0", 1}, {"MIT", "Zlib AND MIT OR MIT", 1}, {"MIT", "MIT OR MIT AND Zlib", 1},
        {"MIT", "(MIT OR Zlib) AND Zlib", 0}, {"MIT", "((MIT))", 1}, {"Zlib", "MIT OR (Zlib AND Zlib)", 1},
        {"GPL-2.0", "GPL-2.0-only WITH Classpath-exception-2.0", 1}, {"MIT", "GPL-2.0-only WITH MIT", 0},
        {"permissive", "BSD-3-Clause or LGPL-2.1", 1}, {"MIT", "", 0}, {"MIT", "(MIT", 0}, {"MIT", "MIT)", 0},
        {"MIT", "MIT MIT", 0}, {"MIT", "OR MIT", 0}, {"*", "MIT OR", 0}, {"*", "(((((((((((((((((((((((((((((((((((((MIT", 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        cr_expect_eq(allows(known[i].list, known[i].expression), known[i].allowed, "'%s' of %s", known[i].expression,
                     known[i].list);
}

Test(licence, unknown_names_are_refused)
{
    static const char *const bad[][2] = {{"MTI", "MTI"}, {"MIT,,Zlib", ""}, {"", ""}, {"Zlib,free", "free"},
                                         {"XYZ-*", "XYZ-*"}, {"permissive,cheap", "cheap"}};
    static const char *const more[] = {"LicenseRef-Mine"};
    licences allowed;
    char unknown[CLI_LICENCE_NAME];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cr_expect_eq(licences_read(&allowed, bad[i][0], NULL, 0, unknown), -1, "%s", bad[i][0]);
        cr_expect_str_eq(unknown, bad[i][1]);
    }
    cr_expect_eq(licences_read(&allowed, "LicenseRef-Mine", NULL, 0, unknown), -1);
    cr_expect_eq(licences_read(&allowed, "LicenseRef-Mine", more, 1, unknown), 0);
    cr_expect(licence_allowed(&allowed, "LicenseRef-Mine"));
    char many[400] = "MIT";
    for (int i = 0; i < CLI_LICENCES_MAX; i++)
        strcat(many, ",MIT");
    cr_expect_eq(licences_read(&allowed, many, NULL, 0, unknown), -1);
}
