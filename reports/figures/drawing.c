/* Puts a drawing on the page with its table and its files, or the table alone without gnuplot. */
#include "reports/figures/drawing.h"

#include <stdio.h>
#include <string.h>

#include "draw/plot/gnuplot.h"
#include "draw/save_text.h"

static void plot_table(const plot *p, text *page)
{
    number n;
    table t = {0};
    table_row_begin(&t, TABLE_HEAD);
    table_put(&t, TABLE_TITLE, "series");
    table_put(&t, TABLE_TITLE | TABLE_NUMBER, "%s", p->x_title);
    table_put(&t, TABLE_TITLE | TABLE_NUMBER, "%s", p->y_title);
    for (size_t l = 0; l < p->line_count; l++)
        for (size_t i = 0; i < p->lines[l].n; i++) {
            const double x = p->lines[l].x[i], unit = p->y_unit > 0 ? p->y_unit : 1;
            table_row_begin(&t, TABLE_BODY);
            table_put(&t, TABLE_TITLE, "%s", p->lines[l].label);
            table_put(&t, TABLE_NUMBER, "%s", p->category_count ? p->categories[(size_t)x]
                                              : x < 1000 ? number_short(&n, x) : number_count(&n, x));
            table_put(&t, TABLE_NUMBER, "%s", number_figures(&n, p->lines[l].y[i] / unit));
        }
    table_end(&t, NULL, page);
}

static void save(pen *pen, const char *id, const char *ending, const text *content)
{
    char name[128];
    snprintf(name, sizeof name, "%s.%s", id, ending);
    if (!pen->unsaved && (content->failed || save_text(pen->folder, name, content, &pen->error))) {
        if (content->failed)
            gjb_fail(&pen->error, "report: out of memory");
        pen->unsaved = 1;
    }
}

static void save_files(pen *pen, const plot *p, const char *title, const text *script, const text *svg)
{
    text paper = {0}, pdf = {0};
    if (!gnuplot_standalone(svg, title, &paper))
        save(pen, p->id, "svg", &paper);
    if (pen->pdf && !gnuplot_pdf(pen->gnuplot, script, &pdf, pen->reason, sizeof pen->reason))
        save(pen, p->id, "pdf", &pdf);
    text_free(&paper);
    text_free(&pdf);
}

/* What was drawn ahead is taken; else gnuplot is asked now. 0, or -1 with the pen's reason. */
static int print_svg(pen *pen, const plot *p, const text *script, text *svg)
{
    text *ready = prerender_find(pen->prerender, p);
    if (!ready)
        return script->failed || gnuplot_run(pen->gnuplot, script, svg, pen->reason, sizeof pen->reason) ? -1 : 0;
    *svg = *ready;
    *ready = (text){0};
    return 0;
}

/* 1 when drawn; 0 with the pen's reason when its numbers must stand in. */
static int draw(pen *pen, const plot *p, const char *title, text *page)
{
    text script = {0}, svg = {0};
    int drawn = 0;
    plot_script(p, &script);
    if (!print_svg(pen, p, &script, &svg)) {
        text_add(page, "<div class=\"scroll\">");
        drawn = !gnuplot_embed(&svg, title, page);
        text_add(page, "</div>");
        if (!drawn)
            snprintf(pen->reason, sizeof pen->reason, "gnuplot printed something else than a drawing");
        else
            *pen->reason = '\0';
        if (drawn && pen->folder)
            save_files(pen, p, title, &script, &svg);
    }
    text_free(&script);
    text_free(&svg);
    return drawn;
}

/* 1 if the files of a map were made, which the page shows as a table. */
static int save_map(pen *pen, const plot *p, const char *title)
{
    text script = {0}, svg = {0};
    plot_map_script(p, &script);
    const int drawn = !print_svg(pen, p, &script, &svg);
    if (drawn)
        save_files(pen, p, title, &script, &svg);
    text_free(&script);
    text_free(&svg);
    return drawn;
}

static void file_link(const plot *p, const char *folder, const char *ending, const char *name, text *page)
{
    text_format(page, " <a href=\"%s/%s.%s\" aria-label=\"%s of ", folder, p->id, ending, name);
    text_html(page, p->heading);
    text_format(page, "\">%s</a>", name);
}

void drawing_figure(pen *pen, const figure_group *group, const plot *p, text *page)
{
    char title[1024];
    int marked = 0, drawn = 0;
    text body = {0};
    snprintf(title, sizeof title, "%s: %s. %s against %s. %s", group->title, p->heading, p->y_title,
             p->x_title, p->caption);
    if (p->kind == PLOT_MAP) {
        plot_map_table(p, &pen->tables, &body);
        drawn = pen->gnuplot && pen->folder && save_map(pen, p, title);
    } else if (pen->gnuplot && draw(pen, p, title, &body)) {
        drawn = 1;
    } else {
        pen->gnuplot = NULL;
        plot_table(p, &body);
    }
    text_format(page, "<figure id=\"fig-%s\"><figcaption><b>", p->id);
    text_html(page, p->heading);
    text_add(page, "</b><span class=\"files\">");
    file_link(p, "data", "csv", "CSV", page);
    if (drawn && pen->folder)
        file_link(p, "figures", "svg", "SVG", page);
    if (drawn && pen->folder && pen->pdf)
        file_link(p, "figures", "pdf", "PDF", page);
    text_add(page, "</span>");
    text doubt = {0};
    ratio_mark(p->doubt, &doubt);
    if (*p->caption || doubt.size) {
        text_add(page, "<p class=\"see\">");
        text_html(page, p->caption);
        text_add(page, doubt.size ? doubt.s : "");
        text_add(page, "</p>");
    }
    page->failed |= doubt.failed;
    text_free(&doubt);
    text_add(page, "</figcaption>");
    text_bytes(page, body.s ? body.s : "", body.size);
    page->failed |= body.failed;
    text_free(&body);
    for (size_t l = 0; l < p->line_count; l++)
        marked |= strstr(p->lines[l].label, "†") != NULL;
    for (size_t i = 0; i < p->cell_count; i++)
        marked |= strstr(p->cells[i].best, "†") != NULL;
    text_add(page, marked ? "<p class=\"note\">† does more than the query asks.</p></figure>" : "</figure>");
}
