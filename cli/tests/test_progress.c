/* When progress says what, by a clock that is none. */
#include <criterion/criterion.h>
#include <string.h>

#include "cli/progress.h"

static char text[CLI_PACE_TEXT];

static const char *at(cli_pace *pace, double now, uint64_t done)
{
    return cli_pace_text(pace, "graded pairs", done, 47424, now, text);
}

Test(progress, elsewhere_than_on_a_terminal_a_line_comes_every_ten_seconds)
{
    cli_pace pace = {.command = "run"};
    cr_expect_null(at(&pace, 100, 0));
    cr_expect_null(at(&pace, 109.9, 10000), "nothing of what may end within ten seconds");
    cr_expect_str_eq(at(&pace, 110, 12345), "gjkbench run: graded 12,345 of 47,424 pairs, 26%, about 28 s left");
    cr_expect_null(at(&pace, 119.9, 20000));
    pace.deaths = 1;
    cr_expect_str_eq(at(&pace, 120, 23712),
                     "gjkbench run: graded 23,712 of 47,424 pairs, 50%, about 20 s left, 1 crash or hang");
    int lines = 0;
    for (int tenth = 0; tenth < 600; tenth++)
        lines += at(&pace, 120 + 0.1 * tenth, 20000) != NULL;
    cr_expect_eq(lines, 5, "%d lines in a minute after one", lines);
}

Test(progress, lines_keep_their_distance_from_one_work_to_the_next)
{
    cli_pace pace = {.command = "run"};
    cr_expect_null(at(&pace, 100, 0));
    cr_expect_null(at(&pace, 108, 47424), "it ends");
    cr_expect_null(cli_pace_text(&pace, "timed points", 0, 500, 109, text));
    cr_expect_str_eq(cli_pace_text(&pace, "timed points", 100, 500, 111, text),
                     "gjkbench run: timed 100 of 500 points, 20%, about 8 s left");
    cr_expect_null(cli_pace_text(&pace, "timed points", 500, 500, 112, text));
    cr_expect_null(cli_pace_text(&pace, "memory", 1, 2, 120, text));
    cr_expect_not_null(cli_pace_text(&pace, "memory", 1, 2, 121, text));
}

Test(progress, what_ends_by_the_clock_says_how_much_of_it_is_left)
{
    cli_pace pace = {.command = "run", .limit = 22};
    cr_expect_null(at(&pace, 100, 0));
    cr_expect_str_eq(at(&pace, 111, 2000), "gjkbench run: graded 2,000 pairs, 50%, about 11 s left");
    cr_expect_str_eq(at(&pace, 121, 45000), "gjkbench run: graded 45,000 pairs, 95%, about 1 s left",
                     "it may be done before");
    at(&pace, 123, 47424);
    cr_expect_eq(pace.limit, 0, "the next work has its own");
}

Test(progress, a_terminal_is_drawn_over_and_cleared)
{
    cli_pace pace = {.command = "run", .terminal = 1};
    cr_expect_null(at(&pace, 100, 0));
    cr_expect_str_eq(at(&pace, 100.2, 100), "graded 100 of 47,424 pairs, 0%", "too little to tell");
    cr_expect_null(at(&pace, 100.3, 200));
    cr_expect_str_eq(at(&pace, 104, 23712), "graded 23,712 of 47,424 pairs, 50%, about 4 s left");
    cr_expect_str_eq(at(&pace, 108, 47424), "");
    cr_expect_null(at(&pace, 109, 47424), "once");
}
