/* What goes into papers: fits, captions, tables in other languages, drawings as files. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "draw/plot/gnuplot.h"
#include "draw/table.h"
#include "reports/figures/captions.h"
#include "reports/report.h"
#include "reports/tests/pages.h"
#include "reports/tests/sample.h"

TestSuite(papers, .init = set_up, .fini = tear_down);

/* ---- fits ---- */

Test(papers, a_power_is_found_exactly)
{
    plot_line line = {.n = 0};
    for (double x = 4; x <= 256; x *= 2)
        plot_add(&line, x, 3 * pow(x, 0.75), NAN, NAN);
    plot_fit_power(&line);
    cr_expect_eq(line.fit.points, 7);
    cr_expect_float_eq(line.fit.exponent, 0.75, 1e-12);
    cr_expect_float_eq(line.fit.scale, 3, 1e-11);
    cr_expect_float_eq(line.fit.high - line.fit.low, 0, 1e-6);
}

/* x are powers of two, so that the sum of squares of log2(x) about its mean is 5; Student's t of two degrees is
 * 4.303. */
Test(papers, the_interval_is_that_of_a_straight_line_through_logarithms)
{
    static const double log2_y[] = {0, 1, 2.5, 3};
    plot_line line = {.n = 0};
    double rest = 0;
    for (int i = 0; i < 4; i++)
        plot_add(&line, exp2(i), exp2(log2_y[i]), NAN, NAN);
    plot_fit_power(&line);
    const double slope = (-1.5 * 0 - 0.5 * 1 + 0.5 * 2.5 + 1.5 * 3) / 5, mean = 6.5 / 4;
    for (int i = 0; i < 4; i++)
        rest += pow(log2_y[i] - mean - slope * (i - 1.5), 2);
    cr_expect_float_eq(line.fit.exponent, slope, 1e-12);
    cr_expect_float_eq(line.fit.high - slope, 4.303 * sqrt(rest / 2 / 5), 1e-9);
    cr_expect_float_eq(slope - line.fit.low, line.fit.high - slope, 1e-12);
}

Test(papers, quantiles_of_student_are_those_of_tables)
{
    static const double tables[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
    for (int freedom = 1; freedom <= 10; freedom++) {
        plot_line line = {.n = 0};
        double mean = (freedom + 1) / 2.0, xx = 0, xy = 0, rest = 0, y_mean = 0;
        for (int i = 0; i < freedom + 2; i++) /* up and down about a level */
            plot_add(&line, exp(i), exp(i % 2), NAN, NAN);
        plot_fit_power(&line);
        for (int i = 0; i < freedom + 2; i++) {
            y_mean += (i % 2) / (double)(freedom + 2);
            xx += (i - mean) * (i - mean);
            xy += (i - mean) * (i % 2);
        }
        for (int i = 0; i < freedom + 2; i++)
            rest += pow(i % 2 - y_mean - xy / xx * (i - mean), 2);
        double t = (line.fit.high - line.fit.exponent) / sqrt(rest / freedom / xx);
        cr_expect_float_eq(t, tables[freedom - 1], 0.01 * tables[freedom - 1], "%d degrees: %g", freedom, t);
    }
}

Test(papers, two_points_or_one_x_are_no_fit)
{
    plot_line line = {.n = 0};
    plot_fit_power(&line);
    cr_expect_eq(line.fit.points, 0);
    plot_add(&line, 4, 1, NAN, NAN);
    plot_add(&line, 8, 2, NAN, NAN);
    plot_add(&line, 16, -1, NAN, NAN); /* no logarithm */
    plot_fit_power(&line);
    cr_expect_eq(line.fit.points, 0);
    line = (plot_line){.n = 3, .x = {4, 4, 4}, .y = {1, 2, 3}};
    plot_fit_power(&line);
    cr_expect_eq(line.fit.points, 0);
}

/* Three points leave one degree of freedom; and what goes up and down fits no power. */
Test(papers, a_fit_that_tells_nothing_is_not_shown)
{
    static const struct { size_t n; double y[4]; int tells; } rows[] = {
        {4, {1, 2, 4, 8}, 1}, {3, {1, 2, 4, 0}, 0}, {4, {1, 2, 1, 2}, 0}, {4, {3, 3.1, 3, 3.1}, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        plot_line line = {.n = 0};
        for (size_t k = 0; k < rows[i].n; k++)
            plot_add(&line, exp2((double)k), rows[i].y[k], NAN, NAN);
        plot_fit_power(&line);
        cr_expect_eq(plot_fit_tells(&line.fit), rows[i].tells, "row %zu: %g, %g to %g", i, line.fit.exponent,
                     line.fit.low,
                     line.fit.high);
    }
}

/* ---- captions ---- */

static plot *curves(void)
{
    plot *p = plot_new(PLOT_CURVES, "distance", "shapes", "shapes", "nanoseconds per pair", "ns");
    static const double fast[] = {10, 20, 40}, slow[] = {8, 90, 160};
    for (int i = 0; i < 3; i++) {
        plot_add(plot_line_of(p, "batch avx512", plot_style_of("batch", "avx512", 0)), exp2(i + 2), fast[i], NAN, NAN);
        plot_add(plot_line_of(p, "batch scalar", plot_style_of("batch", "scalar", 0)), exp2(i + 2), 2 * slow[i], NAN, NAN);
        plot_add(plot_line_of(p, "box2d", plot_style_of("box2d", "-", 0)), exp2(i + 2), slow[i], NAN, NAN);
    }
    return p;
}

static void expect_caption(void (*caption)(plot *p), plot *p, const char *wanted)
{
    p->caption[0] = '\0';
    caption(p);
    cr_expect_str_eq(p->caption, wanted);
}

Test(papers, captions_say_what_there_is_to_see)
{
    plot *p = curves();
    expect_caption(caption_lowest, p,
                   "Lowest: batch avx512 at 2 of 3, box2d at 1 of 3; batch avx512 takes 10.0 (4) to 40.0 (16) "
                   "nanoseconds per pair.");
    expect_caption(caption_highest, p, "At 16 shapes: batch scalar 320, then box2d 160 nanoseconds per pair.");
    expect_caption(caption_growth, p,
                   "No power of the number of vertices fits: too few points, or too far from a line.");
    plot_fit_power(&p->lines[0]);
    expect_caption(caption_growth, p, "Time grows as the number of vertices to the power of: batch avx512 1.00 (1.00 to 1.00).");
    plot_mark_at(p, 4, "k = 4");
    expect_caption(caption_errors, p, "Beyond k = 4: batch avx512 1000%, batch scalar 1600%, box2d 800%; no other.");
    p->line_count = 0;
    expect_caption(caption_lowest, p, "");
    expect_caption(caption_highest, p, "");
    expect_caption(caption_speedup, p, "");
    expect_caption(caption_map, p, "No contender is right anywhere here.");
    free(p);
}

Test(papers, captions_of_bars_and_threads)
{
    plot *p = plot_new(PLOT_BARS, "distance", "backend", "backend", "times", "speedup");
    plot_category(p, "scalar");
    plot_category(p, "avx512");
    plot_line *line = plot_line_of(p, "f32", (plot_style){1, 5, 1, 1});
    plot_add(line, 0, 1, NAN, NAN);
    plot_add(line, 1, 8, NAN, NAN);
    line->ideal[1] = 16;
    expect_caption(caption_speedup, p, "avx512, f32: 8.0 times of 16 lanes, 50%.");
    free(p);
    p = curves();
    for (size_t l = 0; l < p->line_count; l++)
        for (size_t i = 0; i < 3; i++)
            p->lines[l].x[i] /= 4;
    p->line_count = 1;
    expect_caption(caption_threads, p, "4 threads of batch avx512 give 4.00 times one, 100% of the ideal.");
    free(p);
}

/* ---- tables in other languages ---- */

static void name(table *t, const char *file, const char *title)
{
    text_add(&t->file, file);
    text_add(&t->title, title);
}

static table example(void)
{
    static const char *const titles[] = {"who", "ns, |a|", "wrong", "empty"};
    table t = {.class = "x"};
    name(&t, "some-table", "a < b_c");
    table_row_begin(&t, TABLE_HEAD);
    table_cell_begin(&t, 0, 1, NULL);
    table_cell_begin(&t, 0, 2, "group");
    table_say(&t, "times");
    table_put(&t, 0, "gone");
    table_row_begin(&t, TABLE_HEAD);
    for (size_t i = 0; i < 4; i++)
        table_put(&t, TABLE_TITLE, "%s", titles[i]);
    table_row_begin(&t, TABLE_GROUP);
    table_cell_begin(&t, TABLE_TITLE, 4, NULL);
    table_say(&t, "Right");
    table_row_begin(&t, TABLE_BODY);
    table_put(&t, TABLE_TITLE, "my_lib & co");
    table_mark(&t, "<small>", " ");
    table_say(&t, "f32");
    table_mark(&t, "</small>", "");
    table_put(&t, TABLE_NUMBER, "1,352");
    table_put(&t, TABLE_NUMBER | TABLE_BAD, "0.7%%");
    table_cell_begin(&t, 0, 1, NULL);
    table_row_begin(&t, TABLE_FOOT);
    table_put(&t, TABLE_TITLE, "sum †, εS");
    table_put(&t, TABLE_NUMBER, "–");
    table_put(&t, 0, "%s", "\"x\\y{z}#$^~*\"");
    table_cell_begin(&t, 0, 1, NULL);
    return t;
}

/* Frees the table. */
static char *printed(table t, void (*print)(const table *t, text *out))
{
    text out = {0};
    cr_assert_not(t.html.failed || t.words.failed);
    print(&t, &out);
    table_end(&t, NULL, NULL);
    return out.s;
}

static void expect_printed(table t, void (*print)(const table *t, text *out), const char *wanted)
{
    char *got = printed(t, print);
    cr_expect_str_eq(got ? got : "", wanted);
    free(got);
}

Test(papers, tables_become_html)
{
    expect_printed(example(), table_html,
                   "<div class=\"scroll\"><table class=\"x\" data-file=\"some-table\" data-title=\"a &lt; b_c\">"
                   "<thead><tr><th></th><th colspan=\"2\" class=\"group\">times</th><th>gone</th></tr><tr><th scope=\"col\">who</th>"
                   "<th scope=\"col\">ns, |a|</th><th scope=\"col\">wrong</th><th scope=\"col\">empty</th></tr></thead><tbody>"
                   "<tr class=\"rank\"><th scope=\"rowgroup\" colspan=\"4\">Right</th></tr>"
                   "<tr><th scope=\"row\">my_lib &amp; co<small>f32</small></th><td class=\"n\">1,352</td>"
                   "<td class=\"n bad\">0.7%</td><td></td></tr></tbody><tfoot><tr><th scope=\"row\">sum †, εS</th>"
                   "<td class=\"n\">–</td><td>&quot;x\\y{z}#$^~*&quot;</td><td></td></tr></tfoot></table></div>");
}

Test(papers, tables_become_csv)
{
    expect_printed(example(), table_csv,
                   "who,\"ns, |a|\",wrong\r\nRight,,\r\nmy_lib & co f32,\"1,352\",0.7%\r\n"
                   "\"sum †, εS\",–,\"\"\"x\\y{z}#$^~*\"\"\"\r\n");
}

Test(papers, tables_become_markdown)
{
    expect_printed(example(), table_markdown,
                   "**a &lt; b\\_c**\n\n| who | ns, \\|a\\| | wrong |\n| --- | ---: | ---: |\n| Right |  |  |\n"
                   "| my\\_lib &amp; co f32 | 1,352 | **0.7%** |\n"
                   "| sum †, εS | – | \"x\\\\y{z}#$^\\~\\*\" |\n");
}

Test(papers, tables_become_latex)
{
    expect_printed(example(), table_latex,
                   "% a $<$ b\\_c\n\\begin{tabular}{lrr}\n\\hline\n"
                   " & \\multicolumn{2}{c}{times} \\\\\n"
                   "who & \\multicolumn{1}{r}{ns, $|$a$|$} & \\multicolumn{1}{r}{wrong} \\\\\n\\hline\n"
                   "\\multicolumn{3}{l}{Right} \\\\\n"
                   "my\\_lib \\& co f32 & 1,352 & \\textbf{0.7\\%} \\\\\n\\hline\n"
                   "sum $\\dagger$, $\\varepsilon$S & -- & ''x\\textbackslash{}y\\{z\\}\\#\\$\\textasciicircum{}"
                   "\\textasciitilde{}*'' \\\\\n\\hline\n\\end{tabular}\n");
}

/* What one cell below one title becomes; of an attribute, too, on the page. */
static table nasty(const char *words)
{
    table t = {0};
    table_row_begin(&t, TABLE_HEAD);
    table_put(&t, 0, "t");
    table_row_begin(&t, TABLE_BODY);
    table_cell_begin(&t, 0, 1, NULL);
    table_attribute(&t, "title", "%s", words);
    table_say(&t, "%s", words);
    return t;
}

Test(papers, no_text_breaks_out_of_its_cell)
{
    static const struct {
        const char *words, *html, *csv, *markdown, *latex;
    } rows[] = {
        {"a|b", "a|b", "a|b", "a\\|b", "a$|$b"},
        {"a&b", "a&amp;b", "a&b", "a&amp;b", "a\\&b"},
        {"5%", "5%", "5%", "5%", "5\\%"},
        {"%s%n", "%s%n", "%s%n", "%s%n", "\\%s\\%n"},
        {"a_b", "a_b", "a_b", "a\\_b", "a\\_b"},
        {"</td><b>", "&lt;/td&gt;&lt;b&gt;", "</td><b>", "&lt;/td>&lt;b>", "$<$/td$>$$<$b$>$"},
        {"a\"b'", "a&quot;b&#39;", "\"a\"\"b'\"", "a\"b'", "a''b'"},
        {"a\n\nb", "a  b", "\"a\n\nb\"", "a  b", "a  b"},
        {"a\r\nb", "a? b", "\"a\r\nb\"", "a  b", "a  b"},
        {"a,b", "a,b", "\"a,b\"", "a,b", "a,b"},
        {"&lt;", "&amp;lt;", "&lt;", "&amp;lt;", "\\&lt;"},
        {"[2pt]", "[2pt]", "[2pt]", "\\[2pt\\]", "{}[2pt]"},
        {"*", "*", "*", "\\*", "{}*"},
        {"\\end{tabular}", "\\end{tabular}", "\\end{tabular}", "\\\\end{tabular}", "\\textbackslash{}end\\{tabular\\}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char wanted[400];
        snprintf(wanted, sizeof wanted, "<div class=\"scroll\"><table><thead><tr><th>t</th></tr></thead><tbody><tr>"
                 "<td title=\"%s\">%s</td></tr></tbody></table></div>", rows[i].html, rows[i].html);
        expect_printed(nasty(rows[i].words), table_html, wanted);
        snprintf(wanted, sizeof wanted, "t\r\n%s\r\n", rows[i].csv);
        expect_printed(nasty(rows[i].words), table_csv, wanted);
        snprintf(wanted, sizeof wanted, "| t |\n| --- |\n| %s |\n", rows[i].markdown);
        expect_printed(nasty(rows[i].words), table_markdown, wanted);
        snprintf(wanted, sizeof wanted, "%% \n\\begin{tabular}{l}\n\\hline\nt \\\\\n\\hline\n%s \\\\\n\\hline\n"
                 "\\end{tabular}\n", rows[i].latex);
        expect_printed(nasty(rows[i].words), table_latex, wanted);
    }
}

Test(papers, letters_that_latex_may_lack_are_marked)
{
    char *tex = printed(nasty("Gérard 中 \xe2\x82"), table_latex);
    cr_expect_not_null(strstr(tex, "Gérard ? ?"), "%s", tex);
    free(tex);
}

Test(papers, empty_tables_and_wide_tables_are_printed)
{
    void (*const prints[])(const table *t, text *out) = {table_html, table_csv, table_markdown, table_latex};
    for (size_t i = 0; i < 4; i++) {
        table none = {0}, head = {0}, bare = {0}, wide = {0};
        table_row_begin(&head, TABLE_HEAD);
        table_row_begin(&bare, TABLE_HEAD);
        table_row_begin(&bare, TABLE_BODY);
        table_row_begin(&wide, TABLE_BODY);
        for (int k = 0; k < 1000; k++)
            table_put(&wide, 0, "%d", k);
        free(printed(none, prints[i]));
        free(printed(head, prints[i]));
        free(printed(bare, prints[i]));
        char *all = printed(wide, prints[i]);
        cr_expect_not_null(strstr(all, "999"));
        free(all);
    }
}

Test(papers, a_cell_without_a_row_is_a_failure)
{
    table t = {0};
    text page = {0};
    table_put(&t, 0, "lost");
    table_end(&t, NULL, &page);
    cr_expect(page.failed);
    text_free(&page);
}

/* Thousands of rows: the page leaves out what HTML lets out, the files do not notice. */
Test(papers, compact_tables_lose_end_tags_and_rows_for_their_files_alone)
{
    table t = {.class = "compact", .compact = 1};
    table_files files = {.folder = folder};
    text page = {0};
    static const char *const who[] = {"me", "they", "you"}, *const ns[] = {"1", "3", "22"};
    name(&t, "t", "t");
    table_row_begin(&t, TABLE_HEAD);
    table_put(&t, 0, "who");
    table_put(&t, TABLE_NUMBER, "ns");
    for (int i = 0; i < 3; i++) {
        table_row_begin(&t, i == 1 ? TABLE_UNSEEN : TABLE_BODY);
        table_put(&t, TABLE_TITLE, "%s", who[i]);
        table_put(&t, TABLE_NUMBER | (i == 2 ? TABLE_BAD : 0), "%s", ns[i]);
    }
    table_end(&t, &files, &page);
    cr_assert_not(files.failed, "%s", files.error.text);
    cr_expect_not_null(strstr(page.s, "<thead><tr><th>who<th class=\"n\">ns</thead><tbody><tr><th>me<td>1<tr><th>you"
                                      "<td class=\"bad\">22</tbody></table></div>"), "%s", page.s);
    cr_expect_not_null(strstr(page.s, "<a href=\"tables/t.csv\" aria-label=\"t as CSV\">CSV</a>"));
    char *md = read_text(in_folder("t.md"));
    cr_expect_str_eq(md, "**t**\n\n| who | ns |\n| --- | ---: |\n| me | 1 |\n| they | 3 |\n| you | **22** |\n");
    free(md);
    text_free(&page);
}

/* ---- drawings in the page ---- */

static int embed(const char *body, text *page)
{
    text svg = {0};
    text_format(&svg, "<svg viewBox=\"0 0 4 3\"><g id=\"gnuplot_canvas\"><defs></defs>%s</g></svg>", body);
    int failed = gnuplot_embed(&svg, "t", page);
    text_free(&svg);
    return failed;
}

Test(papers, groups_say_only_what_those_around_them_do_not)
{
    text page = {0};
    cr_assert_eq(embed("<g fill=\"none\" color=\"black\" stroke=\"currentColor\" stroke-width=\"1.00\"><path d='M1,2'/>"
                       "<g stroke=\"none\" fill=\"black\"><text>a</text><g stroke=\"none\"><text>b</text></g></g>"
                       "<g fill=\"none\"><path fill=\"none\" d='M3,4'/></g></g>"
                       "<g stroke-width=\"2.00\"><path d='M5,6'/></g>", &page), 0);
    cr_expect_str_eq(page.s, "<svg viewBox=\"0 0 4 3\" role=\"img\" aria-label=\"t\">"
                             "<g fill=\"none\" stroke=\"currentColor\" stroke-width=\"1\"><path d=\"M1,2\"/>"
                             "<g stroke=\"none\" fill=\"currentColor\"><text>a</text><text>b</text></g>"
                             "<path fill=\"none\" d=\"M3,4\"/>"
                             "<g stroke-width=\"2\"><path d=\"M5,6\"/></g></g></svg>");
    text_free(&page);
}

/* Marks of one size and colour are in a group; what stands between others parts them, and one alone stays as it is. */
Test(papers, marks_that_stand_together_are_gathered)
{
    text page = {0};
    cr_assert_eq(embed("<use xlink:href='#gpPt4' transform='translate(9.40,18.80) scale(4.70)' color='rgb(0,1,2)'/>\n"
                       "<use xlink:href='#gpPt5' transform='translate(14.1,47.0) scale(4.70)' color='rgb(0,1,2)'/>\n"
                       "<use xlink:href='#gpPt4' transform='translate(10,20) scale(4.70)' color='rgb(0,1,3)'/>\n"
                       "<path d='M1,2'/>"
                       "<use xlink:href='#gpPt4' transform='translate(-1,1) scale(3)' color='rgb(0,1,3)'/>"
                       "<use xlink:href='#gpPt4' transform='translate(1,0) scale(3)' color='rgb(0,1,3)'/>", &page), 0);
    const char *drawn = strstr(page.s, "<use") ? strstr(page.s, "<g transform") : NULL;
    cr_expect_str_eq(drawn ? drawn : "", "<g transform=\"scale(4.7)\" color=\"var(--c2)\"><use href=\"#gpPt4\" x=\"2\" y=\"4\"/>"
                     "<use href=\"#gpPt5\" x=\"3\" y=\"10\"/></g>"
                     "<use href=\"#gpPt4\" transform=\"translate(10,20) scale(4.7)\" color=\"var(--c3)\"/><path d=\"M1,2\"/>"
                     "<g transform=\"scale(3)\" color=\"var(--c3)\"><use href=\"#gpPt4\" x=\"-0.33\" y=\"0.33\"/>"
                     "<use href=\"#gpPt4\" x=\"0.33\" y=\"0\"/></g></g></svg>");
    text_free(&page);
}

Test(papers, drawings_whose_groups_do_not_close_are_refused_whole)
{
    static const char *const broken[] = {"<g stroke=\"none\">", "</g></g>",
                                         "<g><g><g><g><g><g><g><g><g><g><g><g><g><g><g><g><g>x"
                                         "</g></g></g></g></g></g></g></g></g></g></g></g></g></g></g></g></g>"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        text page = {0};
        cr_expect_neq(embed(broken[i], &page), 0, "%s", broken[i]);
        cr_expect_eq(page.size, 0, "%s", broken[i]);
        text_free(&page);
    }
}

/* ---- the files of a page ---- */

static int exists(const char *name)
{
    return !access(in_folder(name), R_OK);
}

Test(papers, every_link_of_the_page_leads_to_a_file)
{
    char *page = page_of_json(sample_bench(3), sample_verify(3), 1);
    size_t links = 0;
    for (const char *at = page; (at = strstr(at, "<a href=\"")); links++) {
        char name[200], path[256];
        at += strlen("<a href=\"");
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "\""), at);
        snprintf(path, sizeof path, "page/%s", name);
        cr_expect(*name == '#' || exists(path), "%s", path);
    }
    cr_expect_gt(links, 150);
    free(page);
}

Test(papers, drawings_lie_beside_the_page)
{
    if (!have_gnuplot())
        return;
    free(page_of_json(sample_bench(2), NULL, 1));
    char *svg = read_text(in_folder("page/figures/throughput-intersect-f32.svg"));
    cr_expect_eq(strncmp(svg, "<?xml", 5), 0);
    cr_expect_not_null(strstr(svg, "width=\"480\" height=\"380\" viewBox="));
    cr_expect_not_null(strstr(svg, "<title>Throughput against the number of shapes: intersect, f32."));
    cr_expect_not_null(strstr(svg, "#0072b2"), "the colour of avx512 on paper");
    cr_expect_null(strstr(svg, "rgb("), "a colour that stands for another");
    cr_expect_null(strstr(svg, "var("), "a colour of the page");
    cr_expect_not_null(strstr(svg, "</svg>"));
    free(svg);
    cr_expect_not(exists("page/figures/throughput-intersect-f32.pdf"), "PDF only where it was asked for");
    svg = read_text(in_folder("page/figures/map-shapes-distance-f32.svg"));
    cr_expect_not_null(strstr(svg, "<title>Best choice by case: "), "of a map, too, which is a table on the page");
    cr_expect_not_null(strstr(svg, ">box2d<"));
    cr_expect_null(strstr(svg, "rgb("));
    free(svg);
}

Test(papers, tables_lie_beside_the_page)
{
    free(page_of_json(sample_bench(2), sample_verify(2), 0));
    static const char *const names[] = {"brief-2d", "brief-wrong", "headline-2d-polygon8-distance", "points",
                                        "wrong-2d-distance", "map-vertices-distance-f32", "contenders-measured-here"};
    static const char *const endings[] = {"csv", "md", "tex"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t e = 0; e < 3; e++) {
            char name[128];
            snprintf(name, sizeof name, "page/tables/%s.%s", names[i], endings[e]);
            cr_expect(exists(name), "%s", name);
        }
    char *csv = read_text(in_folder("page/tables/brief-wrong.csv"));
    cr_expect_eq(strncmp(csv, "contender,wrong,of graded\r\n", 27), 0);
    cr_expect_not_null(strstr(csv, "\r\nbatch,0,"));
    free(csv);
}

Test(papers, errors_are_cumulative)
{
    json_t *verify = sample_verify(2), *row;
    size_t i;
    json_array_foreach(json_object_get(verify, "rows"), i, row)
        if (!strcmp(json_string_value(json_object_get(row, "contender")), "box2d"))
            json_object_set_new(row, "error_histogram", json_pack("[iiii]", 50, 30, 15, 5));
    free(page_of_json(NULL, verify, 0));
    char *csv = read_text(in_folder("page/data/errors-distance-f32.csv"));
    cr_expect_eq(strncmp(csv, "series,error_eps,share_beyond\r\n", 31), 0, "%.80s", csv);
    cr_expect_not_null(strstr(csv, "\r\nbox2d,0.0625,0.5\r\nbox2d,0.125,0.2\r\nbox2d,0.25,0.05\r\n"), "%s", csv);
    cr_expect_null(strstr(csv, "box2d,0.5,"), "nothing lies beyond the last bin");
    free(csv);
}

Test(papers, growth_stands_in_the_page_and_in_its_numbers)
{
    char *page = page_of_json(sample_bench(2), NULL, 0);
    cr_expect_not_null(strstr(page, "Time grows as the number of vertices to the power of: "));
    free(page);
    char *csv = read_text(in_folder("page/data/vertices-distance-f32.csv"));
    cr_expect_eq(strstr(csv, "series,vertices,ns_per_pair,low,high,exponent,exponent_low,exponent_high\r\n"), csv, "%.90s", csv);
    free(csv);
}

Test(papers, the_page_begins_with_what_readers_came_for)
{
    char *page = page_of_json(sample_bench(3), sample_verify(3), 0);
    const char *main = strstr(page, "<main>");
    cr_assert_not_null(main);
    cr_expect_eq(strncmp(main + 6, "<section id=\"brief\">", 20), 0);
    const char *fastest = strstr(main, "Fastest right contender</h3>"),
               *wrong = strstr(main, "Wrong answers, over all pairs that were graded</h3>");
    const char *all = strstr(main, "<section id=\"headline\">");
    cr_expect(fastest && wrong && all && fastest < wrong && wrong < all);
    cr_expect_null(strstr(main, "What changed</h3>"), "nothing was compared");
    cr_expect_not_null(strstr(main, "<li data-section=\"changed\">"));
    /* libccd-mpr is faster than bullet-gjkepa, and wrong */
    cr_expect_not_null(strstr(fastest, "×</b> bullet-gjkepa"));
    cr_expect(!strstr(fastest, "×</b> libccd-mpr") || strstr(fastest, "×</b> libccd-mpr") > all);
    free(page);
}

/* A roof goes down as lines go up; what stands in words is the nearest to it. That of arithmetic is what all vertices
 * of both take in each iteration. */
Test(papers, roofs_are_what_was_measured)
{
    char *page = page_of_json(sample_bench(2), NULL, 0);
    char *csv = read_text(in_folder("page/data/roof-intersect-f32.csv"));
    cr_expect_not_null(strstr(csv, "\r\n\"roof, 1 MiB\",4,250000000,,\r\n"), "%s", csv);
    cr_expect_not_null(strstr(csv, "\r\n\"roof, 64 MiB\",4,44250000,,\r\n"), "%s", csv);
    cr_expect_not_null(strstr(csv, "\r\n\"4,096 shapes\",4,"), "polygon8");
    char expected[96];
    snprintf(expected, sizeof expected, "\r\n\"roof, arithmetic\",4,%.9g,,\r\n", 1.6e10 / (2 * 8 * 4.2));
    cr_expect_not_null(strstr(csv, expected), "%s in %s", expected, csv);
    cr_expect_not_null(strstr(csv, "\r\n\"4,096 shapes\",66,"), "polygon256");
    cr_expect_not_null(strstr(csv, "\r\n\"1,000,000 shapes\",4,"));
    cr_expect_not_null(strstr(page, "Nearest to its roof: polygon"));
    cr_expect_not_null(strstr(page, "A roof was measured too low"), "made-up times of intersect are above it");
    free(csv);
    free(page);
}

Test(papers, results_without_ceilings_say_how_to_get_them)
{
    static const char *const left_out[] = {"memory_ceiling", "caches", "contenders", "missing", "date", "cpu"};
    json_t *bench = sample_bench(2), *row;
    size_t i;
    for (i = 0; i < sizeof left_out / sizeof *left_out; i++)
        json_object_del(json_object_get(bench, "context"), left_out[i]);
    json_array_foreach(json_object_get(bench, "benchmarks"), i, row) {
        json_object_del(row, "random_lines_per_pair");
        json_object_del(row, "wrong_rate_1e3");
        json_object_del(row, "graded");
    }
    char *page = page_of_json(bench, NULL, 0);
    cr_expect_not_null(strstr(page, "No measured ceiling of memory in these results"));
    cr_expect_not_null(strstr(page, "Lowest: "));
    free(page);
}

/* ---- on paper ---- */

static void write_program(const char *name, const char *content)
{
    FILE *f = fopen(in_folder(name), "w");
    char command[480];
    cr_assert_not_null(f);
    fputs(content, f);
    fclose(f);
    snprintf(command, sizeof command, "chmod +x '%s'", in_folder(name));
    cr_assert_eq(system(command), 0);
}

/* Prints into the file that it is told, and says next to it what it was asked for. */
static const char browser[] = "#!/bin/sh\nfor a; do case $a in --print-to-pdf=*) to=${a#*=} ;; file://*) url=$a ;; esac; done\n"
                              "printf '%%PDF-1.4 %s' \"$url\" >\"$to\"\n";

static int print(const char *page, gjb_error *error)
{
    const char *file = write_json("bench.json", sample_bench(2));
    setenv("GJKBENCH_GNUPLOT", "gnuplot", 1);
    setenv("GJKBENCH_BROWSER", in_folder("browser"), 1);
    return gjb_report_print(&file, 1, in_folder(page), error);
}

Test(papers, the_page_is_printed_by_a_browser)
{
    gjb_error error = {{0}};
    if (!have_gnuplot())
        return;
    write_program("browser", browser);
    cr_assert_eq(print("a page#1", &error), GJB_REPORT_DRAWN, "%s", error.text);
    char *pdf = read_text(in_folder("a page#1/report.pdf"));
    cr_expect_not_null(strstr(pdf, "%PDF-1.4 file:///"));
    cr_expect_not_null(strstr(pdf, "/a%20page%231/index.html"), "%s", pdf);
    cr_expect_not(exists("a page#1/report.pdf.part"));
    free(pdf);
    char *figure = read_text(in_folder("a page#1/figures/throughput-intersect-f32.pdf"));
    cr_expect_eq(strncmp(figure, "%PDF", 4), 0);
    free(figure);
    char *page = read_text(in_folder("a page#1/index.html"));
    cr_expect_not_null(strstr(page, "href=\"figures/throughput-intersect-f32.pdf\""));
    free(page);
}

Test(papers, a_browser_that_fails_or_is_missing_is_told_in_one_line)
{
    static const char *const bad[] = {NULL, "#!/bin/sh\nexit 1\n", "#!/bin/sh\nexit 0\n",
                                      "#!/bin/sh\nfor a; do case $a in --print-to-pdf=*) echo no >\"${a#*=}\" ;; esac; done\n"};
    if (!have_gnuplot())
        return;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        gjb_error error = {{0}};
        if (bad[i])
            write_program("browser", bad[i]);
        cr_expect_eq(print("page", &error), GJB_REPORT_UNDRAWN, "browser %zu", i);
        cr_expect_not_null(strstr(error.text, bad[i] ? "browser did not print the page" : "no browser to print with"), "%s", error.text);
        cr_expect_null(strchr(error.text, '\n'));
        cr_expect(exists("page/index.html"));
        cr_expect_not(exists("page/report.pdf") || exists("page/report.pdf.part"));
    }
}
