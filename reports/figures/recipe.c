/* Draws a repeated experiment: quartiles over places as lines and tables, a page, and text. */
#include "reports/figures/recipe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/query.h"
#include "draw/plot/gnuplot.h"
#include "draw/plot/plot.h"
#include "draw/save_text.h"
#include "draw/style.h"
#include "reports/figures/recipe_rows.h"
#include "reports/report.h"

/* What each panel shows of its rows, side by side. */
typedef enum metric { TIME, ITERATIONS, WRONG, METRICS } metric;
static const struct {
    const char *file, *title, *y_title, *column;
} metrics_of[METRICS] = {
    [TIME] = {"time", "time", "nanoseconds per pair", "ns_per_pair"},
    [ITERATIONS] = {"iterations", "iterations", "iterations, as the contender counts", "iterations"},
    [WRONG] = {"wrong", "wrong answers", "wrong answers, percent", "wrong_percent"},
};

static quartiles value_of(const recipe_row *row, metric what)
{
    if (what == TIME)
        return row->time;
    if (what == ITERATIONS)
        return row->iterations;
    const double percent = row->graded > 0 ? 100 * row->wrong_rate : NAN;
    return (quartiles){NAN, percent, NAN};
}

static int same_look(const plot_style *a, const plot_style *b)
{
    return a->colour == b->colour && a->point == b->point;
}

/* A look of its own that plot_style_of knows by name. */
static int has_look(const recipe_row *row, plot_style *look)
{
    const plot_style other = plot_style_of(row->contender, row->backend, 1);
    *look = plot_style_of(row->contender, row->backend, 0);
    return same_look(look, &other);
}

static int is_taken(const recipe_results *r, const recipe_row *row, const plot_style *look,
                    const plot_style *given)
{
    for (size_t i = 0; i < r->count; i++) {
        plot_style its;
        if (strcmp(r->rows[i].series, row->series) &&
            ((has_look(&r->rows[i], &its) && same_look(&its, look)) ||
             (&r->rows[i] < row && same_look(&given[i], look))))
            return 1;
    }
    return 0;
}

/* Lines look alike in all drawings, and no two of a drawing do while there are looks left. */
static void give_looks(const recipe_results *r, plot_style *given)
{
    enum { LOOKS = 6 };
    for (size_t i = 0; i < r->count; i++) {
        const recipe_row *row = &r->rows[i];
        size_t first = 0;
        while (strcmp(r->rows[first].series, row->series))
            first++;
        if (first < i) {
            given[i] = given[first];
            continue;
        }
        for (int index = 0;
             index < LOOKS && (!index || is_taken(r, row, &given[i], given)) && !has_look(row, &given[i]);
             index++)
            given[i] = plot_style_of(row->contender, row->backend, index);
    }
}

/* Labels find room at decades alone, and those on both sides of 0 are too near to one another for both. */
static int is_minor(const gjb_published_place *place)
{
    const double size = fabs(place->sigma), mantissa = size / pow(10, floor(log10(size)));
    return (mantissa > 2 && mantissa < 4) || (place[1].label && place->sigma < 0 && place[1].sigma > 0);
}

static plot *draw(const recipe_results *r, const plot_style *looks, size_t panel, const char *query,
                  metric what)
{
    const gjb_published *p = r->what;
    char heading[96];
    snprintf(heading, sizeof heading, "%s, %s: %s", query, p->panels[panel].title, metrics_of[what].title);
    plot *out = plot_new(PLOT_CURVES, heading, p->place_title, p->place_column, metrics_of[what].y_title,
                         metrics_of[what].column);
    if (!out)
        return NULL;
    plot_name(out, metrics_of[what].file, query, p->panels[panel].name);
    out->log_y = what == TIME;
    out->band = what != WRONG;
    for (size_t k = 0; p->dim == 3 && p->places[k].label; k++)
        if (gjb_published_has(p, &p->panels[panel], &p->places[k])) {
            const int at = plot_category(out, p->places[k].label);
            out->minor[at] = (char)is_minor(&p->places[k]);
            if (k && p->places[k].sigma > 0 && p->places[k - 1].sigma < 0)
                plot_mark_at(out, at - 0.5, "touching");
        }
    for (size_t i = 0; i < r->count; i++) {
        const recipe_row *row = &r->rows[i];
        const gjb_published_place *place = &p->places[row->place];
        const quartiles q = value_of(row, what);
        if (row->panel != panel || strcmp(row->query, query) || !isfinite(q.median))
            continue;
        plot_line *line = plot_line_of(out, row->series, looks[i]);
        plot_add(line, p->dim == 3 ? plot_category(out, place->label) : (double)place->vertices, q.median,
                 q.low, q.high);
    }
    return out;
}

/* ---- files ---- */

/* Programs that draw SVG know no variables: those of the light page, in place of their names. */
static void write_resolved(const char *s, const char *end, text *out)
{
    while (s < end) {
        const char *at = strstr(s, "var(--");
        if (!at || at >= end)
            break;
        text_bytes(out, s, (size_t)(at - s));
        const char *name = at + strlen("var("), *close = strchr(name, ')');
        char key[24];
        snprintf(key, sizeof key, "%.*s:", (int)(close - name), name);
        const char *value = strstr(page_style[0], key);
        value = value ? value + strlen(key) : "#000;";
        text_bytes(out, value, strcspn(value, ";}"));
        s = close + 1;
    }
    text_bytes(out, s, (size_t)(end - s));
}

static void standalone(const text *drawing, const char *heading, text *out)
{
    static const char ink[] = "var(--ink)";
    enum { ABOVE = 30 };
    int width = 480, height = 380;
    const char *body = strchr(drawing->s, '>') + 1;
    text marks = {0};
    sscanf(drawing->s, "<svg viewBox=\"0 0 %d %d", &width, &height);
    text_format(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 -%d %d %d\" width=\"%d\" height=\"%d\" "
        "font-family=\"DejaVu Sans, sans-serif\" font-size=\"14\" color=\"",
        ABOVE, width, height + ABOVE, width, height + ABOVE);
    write_resolved(ink, ink + strlen(ink), out);
    text_format(out, "\" stroke-linecap=\"round\" stroke-linejoin=\"round\"><title>");
    text_html(out, heading);
    text_format(out,
                "</title><rect y=\"-%d\" width=\"%d\" height=\"%d\" fill=\"#fff\"/><text x=\"3\" y=\"-8\" "
                "font-weight=\"bold\" fill=\"currentColor\">",
                ABOVE, width, height + ABOVE);
    text_html(out, heading);
    text_add(out, "</text>");
    gnuplot_marks(&marks);
    if (marks.s) { /* of the nested drawing the definitions alone */
        const char *defs = strstr(marks.s, "<defs>"), *end = strstr(marks.s, "</svg>");
        write_resolved(defs, end, out);
    }
    write_resolved(body, drawing->s + drawing->size, out);
    text_add(out, "\n");
    out->failed |= marks.failed | drawing->failed;
    text_free(&marks);
}

typedef struct artist {
    const char *gnuplot; /* NULL: none, or it failed once */
    char reason[256];
    char folder[4200];
    table_files tables;
} artist;

static int save(const artist *by, const plot *p, const char *ending, const text *content, gjb_error *error)
{
    char name[128];
    snprintf(name, sizeof name, "%s.%s", p->id, ending);
    return content->failed ? gjb_fail(error, "recipe: out of memory")
                           : save_text(by->folder, name, content, error);
}

/* On the page, and as SVG; without gnuplot its numbers are in the CSV alone. */
static int draw_into(artist *by, const plot *p, text *page, gjb_error *error)
{
    text script = {0}, svg = {0}, drawing = {0}, file = {0};
    char title[256];
    int failed = 0;
    snprintf(title, sizeof title, "%s. %s against %s.", p->heading, p->y_title, p->x_title);
    plot_script(p, &script);
    if (!gnuplot_run(by->gnuplot, &script, &svg, by->reason, sizeof by->reason)) {
        if (gnuplot_embed(&svg, title, &drawing) || !drawing.s) {
            snprintf(by->reason, sizeof by->reason, "gnuplot printed something else than a drawing");
            by->gnuplot = NULL;
        } else {
            text_add(page, "<div class=\"scroll\">");
            text_bytes(page, drawing.s, drawing.size);
            text_add(page, "</div>");
            standalone(&drawing, p->heading, &file);
            failed = save(by, p, "svg", &file, error);
            by->reason[0] = '\0';
        }
    } else {
        by->gnuplot = NULL; /* one failure is reported once, and not waited for again */
    }
    page->failed |= script.failed | drawing.failed;
    text_free(&script);
    text_free(&svg);
    text_free(&drawing);
    text_free(&file);
    return failed;
}

/* The x that any line has, in their order. How many. */
static size_t all_x(const plot *p, double x[PLOT_POINTS])
{
    size_t count = 0;
    for (size_t l = 0; l < p->line_count; l++)
        for (size_t i = 0; i < p->lines[l].n; i++) {
            const double value = p->lines[l].x[i];
            size_t at = 0;
            while (at < count && x[at] < value)
                at++;
            if (count == PLOT_POINTS || (at < count && x[at] == value))
                continue;
            memmove(x + at + 1, x + at, (count++ - at) * sizeof *x);
            x[at] = value;
        }
    return count;
}

/* What is drawn as a table, medians, which becomes files as those of the page of 'run' do. */
static void numbers(const plot *p, table_files *files, text *page)
{
    double x[PLOT_POINTS];
    const size_t count = all_x(p, x);
    number n;
    table t = {0};
    text_format(&t.file, "%s-table", p->id);
    text_format(&t.title, "%s: %s, by %s", p->heading, p->y_title, p->x_title);
    table_row_begin(&t, TABLE_HEAD);
    table_put(&t, TABLE_TITLE, "contender");
    for (size_t k = 0; k < count; k++)
        table_put(&t, TABLE_TITLE | TABLE_NUMBER, "%s",
                  p->category_count ? p->categories[(size_t)x[k]] : number_short(&n, x[k]));
    for (size_t l = 0; l < p->line_count; l++) {
        const plot_line *line = &p->lines[l];
        table_row_begin(&t, TABLE_BODY);
        table_put(&t, TABLE_TITLE, "%s", line->label);
        for (size_t k = 0, i = 0; k < count; k++) {
            const int there = i < line->n && line->x[i] == x[k];
            table_put(&t, TABLE_NUMBER, "%s", there ? number_figures(&n, line->y[i]) : "–");
            i += (size_t)there;
        }
    }
    text_add(page, "<details><summary>As a table</summary>");
    table_end(&t, files, page);
    text_add(page, "</details>");
}

static int figure(artist *by, const plot *p, text *page, gjb_error *error)
{
    text csv = {0};
    plot_csv(p, &csv);
    int failed = save(by, p, "csv", &csv, error);
    text_free(&csv);
    text_add(page, "<figure><figcaption><b>");
    text_html(page, p->heading);
    text_format(page, "</b> <span>%s%s%s<a href=\"data/%s.csv\">CSV</a></span></figcaption>",
                by->gnuplot ? "<a href=\"data/" : "", by->gnuplot ? p->id : "",
                by->gnuplot ? ".svg\">SVG</a> " : "", p->id);
    if (!failed && by->gnuplot)
        failed = draw_into(by, p, page, error);
    numbers(p, &by->tables, page);
    text_add(page, "</figure>\n");
    return failed;
}

/* ---- the page ---- */

static void word(const recipe_results *r, const char *key, const char *before, text *page)
{
    const char *s = json_string_value(json_object_get(r->context, key));
    if (s && *s) {
        text_add(page, before);
        text_html(page, s);
    }
}

static double fact(const recipe_results *r, const char *key)
{
    return json_number_value(json_object_get(r->facts, key));
}

static void head(const recipe_results *r, text *page)
{
    page_begin("", r->what->title, "", "", page);
    gnuplot_marks(page);
    page_heading(r->what->title, "", "", page);
    text_add(page, "<p class=\"sub\">gjkbench");
    word(r, "version", " ", page);
    word(r, "cpu", " · ", page);
    word(r, "compiler", " · ", page);
    word(r, "commit", " · commit ", page);
    word(r, "date", " · ", page);
    text_add(page, "</p></header>\n<main>");
}

/* As a shell takes it back. */
static void shell_word(const char *word, text *page)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,=:+%@";
    const int quoted = !*word || word[strspn(word, plain)];
    text_html(page, quoted ? "'" : "");
    for (; *word; word++)
        text_html(page, *word == '\'' ? "'\\''" : (char[]){*word, 0});
    text_html(page, quoted ? "'" : "");
}

/* As they were given, so that the command repeats the page; of older results the name alone. */
static void arguments(const recipe_results *r, text *page)
{
    const json_t *given = json_object_get(r->facts, "arguments"), *one;
    size_t i;
    if (!json_array_size(given))
        text_html(page, r->what->name);
    json_array_foreach(given, i, one) {
        text_add(page, i ? " " : "");
        shell_word(json_string_value(one) ? json_string_value(one) : "", page);
    }
}

static void about(const recipe_results *r, text *page)
{
    number n, m;
    text_add(page, "<p>Repeats the experiment of ");
    text_html(page, r->what->citation);
    text_add(page, ", on this machine and with the contenders that are here: <code>gjkbench recipe ");
    arguments(r, page);
    text_add(page, "</code>. The pairs are made again, not the authors’.</p>");
    if (r->what->dim == 3)
        text_format(page, "<p>At each place %s pairs: %s pairs of hulls, each in %.0f poses, of %.0f seed%s.",
                    number_count(&n, fact(r, "pairs")), number_count(&m, fact(r, "couples")),
                    fact(r, "poses"), fact(r, "seeds"), fact(r, "seeds") > 1 ? "s" : "");
    else
        text_format(page,
                    "<p>At each place the first %s pairs are counted and graded; times are taken over all "
                    "16,384 of the "
                    "scene.",
                    number_count(&n, fact(r, "pairs")));
    text_add(page, json_is_true(json_object_get(r->facts, "full"))
                       ? "</p><p>"
                       : " The whole experiment is larger: this is a first look.</p><p>");
    text_html(page, r->what->choices);
    text_add(page, "</p>");
    if (json_is_true(json_object_get(r->context, "interrupted")))
        text_add(page,
                 "<p class=\"absent\">The run was interrupted: what is drawn was measured by then.</p>");
    text_format(
        page,
        "<p class=\"note\">Time: median over blocks that alternate between contenders in random order, "
        "divided by "
        "the pairs of a block; the band is from the first to the third quartile of the blocks. Iterations: "
        "median and "
        "quartiles over the pairs, of those that count; each library defines iteration; 31 "
        "means 31 or more. Wrong: the share of graded answers beyond the tolerance kεS and what the "
        "contender "
        "itself "
        "documents; booleans within it are not graded. Series are in %s unless they say otherwise.</p>",
        gjb_precision_name(r->what->precision));
}

static int has_query(const recipe_results *r, const char *query)
{
    for (size_t i = 0; i < r->count; i++)
        if (!strcmp(r->rows[i].query, query))
            return 1;
    return 0;
}

/* A drawing holds so many lines; the others are in the results. */
static void tell_left_out(const recipe_results *r, const char *query, text *page)
{
    size_t series = 0;
    for (size_t i = 0; i < r->count; i++) {
        size_t before = 0;
        while (before < i &&
               (strcmp(r->rows[before].series, r->rows[i].series) || strcmp(r->rows[before].query, query)))
            before++;
        series += before == i && !strcmp(r->rows[i].query, query);
    }
    if (series > PLOT_LINES)
        text_format(
            page,
            "<p class=\"absent\">Of %zu contenders the first %d are drawn; all are in data/bench.json.</p>",
            series, PLOT_LINES);
}

static int section(const recipe_results *r, const plot_style *looks, const char *query, artist *by,
                   text *page, gjb_error *error)
{
    int failed = 0;
    text_format(page, "<section id=\"%s\"><h2>%s</h2>", query, query);
    tell_left_out(r, query, page);
    for (size_t panel = 0; r->what->panels[panel].name && !failed; panel++) {
        text_add(page, "<div class=\"plots\" style=\"margin-top:18px\">");
        for (int what = 0; what < METRICS && !failed; what++) {
            plot *p = draw(r, looks, panel, query, (metric)what);
            if (!p)
                failed = gjb_fail(error, "recipe: out of memory");
            else if (plot_finish(p))
                failed = figure(by, p, page, error);
            free(p);
        }
        text_add(page, "</div>\n");
    }
    text_add(page, "</section>\n");
    return failed;
}

int gjb_recipe_report(const char *json_path, const char *out_dir, gjb_error *error)
{
    recipe_results r = {0};
    text page = {0};
    char gnuplot[4096], tables[4200];
    artist by = {.reason = ""};
    const int found = !gnuplot_find(gnuplot, sizeof gnuplot);
    by.gnuplot = found ? gnuplot : NULL;
    snprintf(by.folder, sizeof by.folder, "%s/data", out_dir);
    snprintf(tables, sizeof tables, "%s/tables", out_dir);
    by.tables.folder = tables;
    int failed =
        recipe_load(&r, json_path, error) || save_folder(out_dir, error) || save_folder(by.folder, error);
    plot_style *looks = failed ? NULL : calloc(r.count, sizeof *looks);
    if (!failed && !looks)
        failed = gjb_fail(error, "recipe: out of memory");
    if (!failed) {
        give_looks(&r, looks);
        head(&r, &page);
        about(&r, &page);
    }
    for (unsigned q = 0; q < GJB_STILL_QUERIES && !failed; q++)
        if (has_query(&r, gjb_queries[q].name))
            failed = section(&r, looks, gjb_queries[q].name, &by, &page, error);
    text_add(&page, "</main>\n<footer>Written by gjkbench recipe. The numbers of every drawing lie next to "
                    "this page: all of them as CSV in the folder data, medians as CSV, Markdown and LaTeX in the "
                    "folder tables. The page loads nothing from anywhere.</footer></body></html>\n");
    if (!failed && page.failed)
        failed = gjb_fail(error, "recipe: out of memory");
    if (!failed && by.tables.failed) {
        *error = by.tables.error;
        failed = -1;
    }
    failed = failed || save_text(out_dir, "index.html", &page, error);
    free(looks);
    recipe_free(&r);
    text_free(&page);
    if (failed)
        return -1;
    if (by.gnuplot)
        return GJB_REPORT_DRAWN;
    gjb_fail(error, "%s: the numbers are kept as CSV, without drawings; %s and run the recipe again",
             found ? by.reason : "gnuplot not found",
             found ? "mend gnuplot" : "install gnuplot (Debian: apt-get install gnuplot-nox)");
    return GJB_REPORT_UNDRAWN;
}

/* ---- the table ---- */

/* Of one series, over the places of a panel. */
static void print_series(const recipe_results *r, const recipe_row *first, FILE *stream)
{
    double least = INFINITY, most = 0, wrong = 0, graded = 0;
    for (const recipe_row *row = first; row < r->rows + r->count; row++)
        if (row->panel == first->panel && !strcmp(row->query, first->query) &&
            !strcmp(row->series, first->series)) {
            least = fmin(least, row->ns);
            most = fmax(most, row->ns);
            graded += row->graded > 0 ? row->graded : 0;
            wrong += row->graded > 0 ? row->wrong_rate * row->graded : 0;
        }
    fprintf(stream, "%-14s %-22s %-26s %9.1f %9.1f %9.0f ", first->query, r->what->panels[first->panel].name,
            first->series, least, most, graded);
    if (graded > 0)
        fprintf(stream, "%9.0f\n", wrong);
    else
        fprintf(stream, "%9s\n", "-"); /* too close to tell, or not supported */
}

int gjb_recipe_print(const char *json_path, FILE *stream, gjb_error *error)
{
    recipe_results r = {0};
    const int failed = recipe_load(&r, json_path, error);
    if (!failed) {
        fprintf(stream, "%s\n%s\n\n%-14s %-22s %-26s %9s %9s %9s %9s\n", r.what->title, r.what->citation,
                "query", r.what->panel_title, "contender", "ns, least", "ns, most", "graded", "wrong");
        for (size_t i = 0; i < r.count; i++) {
            int before = 0;
            for (size_t k = 0; k < i && !before; k++)
                before = r.rows[k].panel == r.rows[i].panel && !strcmp(r.rows[k].query, r.rows[i].query) &&
                         !strcmp(r.rows[k].series, r.rows[i].series);
            if (!before)
                print_series(&r, &r.rows[i], stream);
        }
    }
    recipe_free(&r);
    return failed;
}
