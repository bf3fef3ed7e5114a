/* The page of a history: series that changed, by machine and build, each with its drawing and events. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot/gnuplot.h"
#include "draw/save_text.h"
#include "draw/style.h"
#include "history/draw.h"
#include "reports/report.h"

static const char style[] =
    ".past{display:grid;gap:26px 32px;grid-template-columns:repeat(auto-fill,minmax(min(100%,440px),1fr))}\n"
    ".past figcaption b{font-size:14px}.past ul{margin:2px 0 0;padding-left:18px;font-size:14px;color:var(--muted)}\n"
    ".past figcaption span{white-space:nowrap}.past svg text{paint-order:stroke;stroke:var(--paper);stroke-width:3px}.slower{color:var(--bad);font-weight:650}.faster{color:var(--good);font-weight:650}\n";

/* A file of its own has the page's colours, of light and dark, and its font. */
static const char svg_style[] = "svg{font-family:'DejaVu Sans',sans-serif;font-size:14px;color:var(--ink);stroke-linecap:round}"
                                "text{paint-order:stroke;stroke:var(--paper);stroke-width:3px}\n";

typedef struct artist {
    const char *gnuplot; /* NULL: none, or it failed once */
    char reason[256];
} artist;

typedef struct paper {
    const gjb_findings *findings;
    const gjb_past *past;
    const gjb_history_paper *asked;
    artist by;
    text page;
    size_t drawn;
} paper;

static int save_svg(const char *folder, const char *name, const text *drawing, gjb_error *error)
{
    char file[352];
    text out = {0};
    const char *box = strstr(drawing->s, "viewBox=\"");
    snprintf(file, sizeof file, "%s.svg", name);
    text_format(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" %.*s\"><style>\n", (int)strcspn(box + 9, "\"") + 9, box);
    text_add(&out, page_style[0]); /* colours, light and dark */
    text_add(&out, page_style[1]);
    text_add(&out, svg_style);
    text_add(&out, "</style><rect width=\"100%\" height=\"100%\" fill=\"var(--paper)\"/>");
    gnuplot_marks(&out);
    text_bytes(&out, drawing->s, drawing->size);
    text_add(&out, "</svg>\n");
    const int failed = out.failed ? gjb_fail(error, "history: out of memory") : save_text(folder, file, &out, error);
    text_free(&out);
    return failed;
}

static void what_changed(const gjb_past *past, const gjb_found *f, size_t turn, text *page)
{
    const gjb_turn *t = &f->turns[turn];
    const gjb_past_run *before = &past->runs[f->series->times[t->at - 1].run], *by = &past->runs[f->series->times[t->at].run];
    const int slower = t->ratio.value > 1;
    if (f->series->of->counts)
        text_format(page, "<span class=\"%s\">%+.2f%%</span> instructions, ", slower ? "slower" : "faster",
                    100 * (t->ratio.value - 1));
    else
        text_format(page, "<span class=\"%s\">%+.1f%%</span> (%+.1f%% to %+.1f%%), ", slower ? "slower" : "faster",
                    100 * (t->ratio.value - 1), 100 * (t->ratio.low - 1), 100 * (t->ratio.high - 1));
    text_add(page, strcmp(before->commit, by->commit) ? "between <code>" : "among runs of <code>");
    text_html(page, before->commit);
    if (strcmp(before->commit, by->commit)) {
        text_add(page, "</code> and <code>");
        text_html(page, by->commit);
    }
    text_add(page, "</code>");
    if (!f->series->of->counts)
        text_format(page, ", p&nbsp;%.2g", t->p);
}

static void list_of(const gjb_past *past, const gjb_found *f, text *page)
{
    if (!f->turn_count && !f->event_count)
        return;
    text_add(page, "<ul>");
    for (size_t i = 0; i < f->turn_count; i++) {
        text_add(page, "<li>");
        what_changed(past, f, i, page);
        text_add(page, "</li>");
    }
    for (size_t i = 0; i < f->event_count; i++) {
        const gjb_event *e = &f->events[i];
        text_format(page, "<li>%s: ", gjb_event_name(e->kind));
        text_html(page, *e->before ? e->before : "unknown");
        text_add(page, " → ");
        text_html(page, *e->after ? e->after : "unknown");
        text_add(page, " at <code>");
        text_html(page, past->runs[f->series->times[e->at].run].commit);
        text_add(page, "</code></li>");
    }
    text_add(page, "</ul>");
}

/* 0, or -1 with `error` if the SVG file cannot be written. */
static int draw(paper *p, const gjb_found *f, const gjb_levels *levels, const char *folder, const char *name, gjb_error *error)
{
    text script = {0}, svg = {0}, drawing = {0};
    char title[256];
    int failed = 0;
    snprintf(title, sizeof title, "%.200s: %s per pair over runs.", f->series->name,
             f->series->of->counts ? "instructions" : "time");
    gjb_draw_script(f, p->past, levels, &script);
    if (script.failed || gnuplot_run(p->by.gnuplot, &script, &svg, p->by.reason, sizeof p->by.reason)) {
        p->by.gnuplot = NULL; /* one failure is reported once, and not waited for again */
    } else if (gnuplot_embed(&svg, title, &drawing) || drawing.failed) {
        snprintf(p->by.reason, sizeof p->by.reason, "gnuplot printed something else than a drawing");
        p->by.gnuplot = NULL;
    } else {
        text_add(&p->page, "<div class=\"scroll\">");
        text_bytes(&p->page, drawing.s, drawing.size);
        text_add(&p->page, "</div>");
        failed = save_svg(folder, name, &drawing, error);
    }
    text_free(&script);
    text_free(&svg);
    text_free(&drawing);
    return failed;
}

/* A name that may go on in another line behind each of its parts. */
static void breakable(const char *name, text *page)
{
    for (char part[256]; *name; name += strlen(part)) {
        const size_t size = strcspn(name, "/") + (strchr(name, '/') != NULL);
        snprintf(part, sizeof part, "%.*s", (int)(size < sizeof part ? size : sizeof part - 1), name);
        text_html(page, part);
        text_add(page, "<wbr>");
    }
}

static int figure(paper *p, const gjb_found *f, gjb_error *error)
{
    const gjb_draw_name name = gjb_draw_name_of(f->series);
    gjb_levels levels;
    text csv = {0};
    char folder[4200], file[352];
    snprintf(folder, sizeof folder, "%s/data", p->asked->folder);
    snprintf(file, sizeof file, "%s.csv", name.s);
    int failed = gjb_levels_of(f, &levels) ? gjb_fail(error, "history: out of memory") : 0;
    if (!failed)
        gjb_draw_csv(f, p->past, &levels, &csv);
    failed = failed || (csv.failed ? gjb_fail(error, "history: out of memory") : save_text(folder, file, &csv, error));
    text_add(&p->page, "<figure><figcaption><b>");
    breakable(f->series->name, &p->page);
    text_format(&p->page, "</b> <span>%s<a href=\"data/%s.csv\" aria-label=\"numbers of this drawing as CSV\">CSV</a>",
                gjb_found_slower(f) ? "<span class=\"slower\">slower</span> " : "", name.s);
    if (p->by.gnuplot)
        text_format(&p->page, " <a href=\"data/%s.svg\" aria-label=\"this drawing alone\">SVG</a>", name.s);
    text_add(&p->page, "</span></figcaption>");
    if (!failed && p->by.gnuplot)
        failed = draw(p, f, &levels, folder, name.s, error);
    text_format(&p->page, "<ul><li>%zu run%s, %.4g %s a pair at first</li></ul>", f->series->count,
                f->series->count == 1 ? "" : "s", levels.all ? levels.all[0].ns : 0.0, gjb_series_unit(f->series));
    list_of(p->past, f, &p->page);
    text_add(&p->page, "</figure>\n");
    free(levels.all);
    text_free(&csv);
    return failed;
}

static int same_place(const gjb_series *a, const gjb_series *b)
{
    return !strcmp(a->of->machine, b->of->machine) && a->of->build == b->of->build && a->of->seed == b->of->seed;
}

/* Series of one machine, build and seed under one heading: never two of those in a figure. */
static int sections(paper *p, gjb_error *error)
{
    const gjb_findings *all = p->findings;
    for (size_t i = 0; i < all->count; i++) {
        const gjb_series *s = all->all[i].series;
        size_t earlier = 0;
        while (earlier < i && !same_place(all->all[earlier].series, s))
            earlier++;
        if (earlier < i)
            continue;
        text_add(&p->page, s->of->counts ? "<section><h2>Counts " : "<section><h2>Machine ");
        text_html(&p->page, s->of->machine);
        text_add(&p->page, ": ");
        text_html(&p->page, s->of->described);
        text_add(&p->page, ", ");
        text_html(&p->page, s->of->compiler);
        text_add(&p->page, "</h2><p class=\"lead\"><code>");
        text_html(&p->page, s->of->flags);
        text_format(&p->page, "</code>, seed %lld</p><div class=\"past\">\n", s->of->seed);
        for (size_t k = i; k < all->count; k++) {
            if (!same_place(all->all[k].series, s) || (p->asked->stop && *p->asked->stop))
                continue;
            if (figure(p, &all->all[k], error))
                return -1;
            p->drawn++;
            if (p->asked->progress)
                p->asked->progress(p->drawn, all->count);
        }
        text_add(&p->page, "</div></section>\n");
    }
    return 0;
}

static void overview(paper *p)
{
    size_t told = 0;
    text_add(&p->page, "<section id=\"headline\"><h2>What changed</h2>");
    for (size_t i = 0; i < p->findings->count; i++)
        told += p->findings->all[i].turn_count;
    if (!told && !p->findings->tested && !p->findings->counted)
        text_format(&p->page, "<p>Not tested: %zu run%s; a change takes %zu.</p>", p->past->run_count,
                    p->past->run_count == 1 ? "" : "s", gjb_runs_needed(p->findings->rate));
    else if (!told)
        text_add(&p->page, "<p>No change of any level.</p>");
    else
        text_add(&p->page, "<div class=\"scroll\"><table><thead><tr><th>benchmark</th><th>machine</th><th>the newest change</th>"
                           "<th class=\"n\">changes</th></tr></thead><tbody>");
    for (size_t i = 0; i < p->findings->count; i++) {
        const gjb_found *f = &p->findings->all[i];
        if (!f->turn_count)
            continue;
        text_add(&p->page, "<tr><th scope=\"row\">");
        text_html(&p->page, f->series->name);
        text_add(&p->page, "</th><td>");
        text_html(&p->page, f->series->of->machine);
        text_add(&p->page, "</td><td>");
        what_changed(p->past, f, f->turn_count - 1, &p->page);
        text_format(&p->page, "</td><td class=\"n\">%zu</td></tr>", f->turn_count);
    }
    text_add(&p->page, told ? "</tbody></table></div></section>\n" : "</section>\n");
}

static void head(paper *p, const char *database)
{
    text *page = &p->page;
    const gjb_findings *f = p->findings;
    page_begin("", "gjkbench: times over commits", "", style, page);
    gnuplot_marks(page);
    text_add(page, "<header><h1>Times over commits</h1><p class=\"sub\">gjkbench history · ");
    text_html(page, database);
    text_format(page, " · %zu runs · %zu series</p><p>A dot is a run: its median time, with the interval of that; a triangle at the edge is one that went far "
                      "astray. A blue line is "
                      "a level, a dashed line a change from one to the next, with its size and the first commit after it; dotted "
                      "lines are other events: another <i>workload</i>, other <i>answers</i>, another <i>version</i> of the "
                      "contender, another <i>kernel</i>. Times of another machine, compiler, flags or seed are another series; "
                      "after another workload they are held against a first level of their own. Counts of instructions are "
                      "exact: a level ends where one differs by a thousandth.</p>",
                p->past->run_count, p->findings->count);
    text_format(page, "<p class=\"note\">%zu of %zu parts tested, %zu of counts, %zu with fewer than %d runs; of those that are said to change at "
                      "most %.3g%% are expected not to (Benjamini and Hochberg).</p></header>\n<main>",
                f->tested, f->parts, f->counted, f->few, GJB_CHANGE_RUNS_LEAST, 100 * f->rate);
}

int gjb_history_page(const gjb_findings *findings, const gjb_past *past, const gjb_history_paper *asked,
                     gjb_error *error)
{
    char gnuplot[4096], folder[4200];
    const int found = !gnuplot_find(gnuplot, sizeof gnuplot);
    paper p = {.findings = findings, .past = past, .asked = asked, .by = {found ? gnuplot : NULL, ""}};
    snprintf(folder, sizeof folder, "%s/data", asked->folder);
    int result = save_folder(folder, error);
    if (!result) {
        head(&p, asked->database);
        overview(&p);
        result = sections(&p, error);
        if (!result && p.drawn < findings->count)
            text_format(&p.page, "<p class=\"note\">Interrupted: %zu of %zu series are drawn.</p>\n", p.drawn,
                        findings->count);
        text_add(&p.page, "</main>\n<footer>Written by gjkbench history plot. The numbers of every drawing lie next to this page as "
                          "CSV, and the drawing as SVG, in the folder data. The page loads nothing from anywhere.</footer></body></html>\n");
    }
    if (!result)
        result = p.page.failed ? gjb_fail(error, "history: out of memory") : save_text(asked->folder, "index.html", &p.page, error);
    if (!result && !p.by.gnuplot) {
        gjb_fail(error, "%s: the page has numbers without drawings; to draw later, %s and run this again",
                 found ? p.by.reason : "gnuplot not found",
                 found ? "repair gnuplot" : "install gnuplot (Debian: apt-get install gnuplot-nox)");
        result = GJB_REPORT_UNDRAWN;
    }
    text_free(&p.page);
    return result;
}
