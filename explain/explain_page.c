/* Writes the HTML page of a walk: summary, key, and a figure for each step. */
#include "explain/explain_page.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "draw/plot/gnuplot.h"
#include "draw/save_text.h"
#include "draw/style.h"
#include "explain/explain_draw.h"
#include "reports/report.h"

static const char style[] =
    ".walk{display:grid;gap:28px 36px;margin-top:18px;"
    "grid-template-columns:repeat(auto-fill,minmax(min(100%,560px),1fr))}\n"
    ".walk figure{border-top:1px solid var(--rule);padding-top:8px}\n"
    ".walk p{margin:0 0 4px;max-width:none}#steps>.note,#answer>.note{max-width:none;margin:8px 0 0}\n"
    ".walk svg text{paint-order:stroke;stroke:var(--paper);stroke-width:3.5px}\n"
    ".step{display:grid;grid-template-columns:max-content 1fr;gap:1px 14px;margin:4px 0 0;"
    "font-size:14px;max-width:none}\n"
    ".step dt{font-weight:400;color:var(--muted);margin:0}\n"
    ".step dd{font-variant-numeric:tabular-nums;overflow-wrap:anywhere}\n"
    ".wide.step{font-size:15px;gap:5px 18px;max-width:96ch}\n"
    ".letters{display:flex;flex-wrap:wrap;gap:14px 48px;margin-top:14px}.letters "
    "caption{white-space:nowrap}.letters th:first-child{font-weight:650}\n"
    ".key{list-style:none;padding:0;margin:10px 0 0;display:flex;flex-wrap:wrap;gap:4px 22px;"
    "font-size:14px}\n"
    ".key i{display:inline-block;width:14px;height:14px;border-radius:3px;margin-right:7px;"
    "vertical-align:-2px}\n";

/* What figures show in which colour, by what they are of. */
enum { OF_DIFFERENCE = 1, OF_STEPS = 2, OF_ANSWER = 4, OF_CONTACTS = 8, OF_SHAPES = 16, OF_EXACT = 32, OF_DISCS = 64 };
static const struct {
    int of;
    const char *colour, *what;
} key[] = {
    {OF_DIFFERENCE, "--muted", "the Minkowski difference A - B: it holds the origin O if and only if A and B overlap"},
    {OF_STEPS, "--c5", "the search direction, and the vertex of A - B farthest that way: its support w = a - b"},
    {OF_STEPS, "--c4", "the simplex, or the polytope that it has grown to"},
    {OF_STEPS, "--c6", "of it what is nearest to the origin, and the closest point there"},
    {OF_ANSWER, "--c6", "the normal and the witness points"},
    {OF_EXACT, "--c6", "the normal, and the contact patch along it, grown by T"},
    {OF_DISCS, "--c6", "the normal, and along it the contact patch of polygons that stand for discs"},
    {OF_CONTACTS, "--ink", "the contacts, and dashed what they span"},
    {OF_SHAPES, "--c1", "A"},
    {OF_SHAPES, "--c3", "B"},
};

static void write_lines(const explain_lines *lines, const char *classes, text *page)
{
    text_format(page, "<dl class=\"%s\">", classes);
    for (size_t k = 0; k < lines->count; k++) {
        text_add(page, "<dt>");
        text_html(page, lines->line[k].term);
        text_add(page, "</dt><dd>");
        text_html(page, lines->line[k].words);
        text_add(page, "</dd>");
    }
    text_add(page, "</dl>");
}

static void write_sentence(const char *words, text *page)
{
    char first[2] = {(char)toupper((unsigned char)words[0]), '\0'};
    text_add(page, "<p>");
    text_html(page, first);
    text_html(page, words[0] ? words + 1 : "");
    text_add(page, ".</p>");
}

typedef struct artist {
    const char *gnuplot; /* NULL: none, or it failed once */
    char reason[256];
} artist;

static void draw(artist *by, const text *script, const char *title, text *page)
{
    text svg = {0};
    if (by->gnuplot && !script->failed &&
        !gnuplot_run(by->gnuplot, script, &svg, by->reason, sizeof by->reason)) {
        text_add(page, "<div class=\"scroll\">");
        if (gnuplot_embed(&svg, title, page)) {
            snprintf(by->reason, sizeof by->reason, "gnuplot printed something else than a drawing");
            by->gnuplot = NULL;
        } else {
            by->reason[0] = '\0';
        }
        text_add(page, "</div>");
    } else {
        by->gnuplot = NULL; /* one failure is reported once, and not waited for again */
    }
    text_free(&svg);
}

static void write_step(const explained *e, const stage *s, size_t k, artist *by, text *page)
{
    const gjb_trace_step *step = &e->walk->steps[k];
    explain_lines lines;
    text script = {0};
    char title[192];
    snprintf(title, sizeof title, "Step %zu, %s: %s.", k + 1, step->method, step->text);
    text_format(page, "<figure id=\"step-%zu\"><figcaption><b>%zu &middot; ", k + 1, k + 1);
    text_html(page, step->method);
    text_add(page, "</b></figcaption>");
    write_sentence(step->text, page);
    explain_draw_step(e, s, k, &script);
    draw(by, &script, title, page);
    text_free(&script);
    explain_step(e, k, &lines);
    write_lines(&lines, "step", page);
    text_add(page, "</figure>\n");
}

static int stopped(const explained *e)
{
    return e->stop && *e->stop;
}

static void write_head(const explained *e, text *page)
{
    const int steps = e->walk->count > 0;
    page_begin("", e->title, steps ? ": step by step" : ": the answer", style, page);
    gnuplot_marks(page);
    page_heading(e->title, steps ? ", step by step" : ", the answer", e->note, page);
    write_lines(&e->about, "wide step", page);
    letters_html(&e->letters, e->pair, page);
    text_add(page, "</header>\n<main>");
}

static void write_key(int of, text *page)
{
    text_add(page, "<ul class=\"key\">");
    for (size_t k = 0; k < sizeof key / sizeof *key; k++)
        if (key[k].of & of)
            text_format(page, "<li><i style=\"background:var(%s)\"></i>%s</li>", key[k].colour, key[k].what);
    text_add(page, "</ul>");
}

/* What all figures have in common: of the steps, or, if there are none, of the answer. */
static void write_reading(const explained *e, const stage *s, text *page)
{
    const int steps = e->walk->count > 0, patch = !steps && e->contact_count && s->look.dim == 3;
    text_format(page, "<p class=\"note\">On the left %s, on the right the shapes, both relative to A's translation. ",
                patch ? "the contact patch" : "A - B");
    if (s->look.dim == 2 && steps)
        text_add(page, "A dashed line across a direction passes through the support: nothing lies beyond it. ");
    if (s->look.dim == 3)
        text_format(page, "%s seen along one direction, lines behind a body dotted. ",
                    steps ? "All steps are" : "The shapes are");
    if (gjb_pair_unbounded(e->pair))
        text_format(page, "A half-space goes on beyond the picture%s; the hatching is on its inner side. ",
                    s->look.dim == 3 ? ", as its dotted edge says" : "");
    if (s->approximate && !patch)
        text_add(page, "A - B has too many vertices to draw: it is drawn as the hull of 4,096 of its supports. ");
    else if (s->look.dim == 2 && s->bodies[DIFFERENCE].count <= DIFFERENCES_DRAWN && !s->bodies[DIFFERENCE].unbounded)
        text_add(page, "Dots are all differences a - b of vertices. ");
    text_add(page, "</p>");
    if (s->look.unit != 1)
        text_format(page, "<p class=\"note\">Drawings are in units of %g.</p>", s->look.unit);
}

static void write_steps(const explained *e, const stage *s, artist *by, text *page)
{
    const walk *w = e->walk;
    text_add(page, "<section id=\"steps\"><h2>The steps</h2>");
    write_key(OF_DIFFERENCE | OF_STEPS | OF_SHAPES, page);
    write_reading(e, s, page);
    text_add(page, "<div class=\"walk\">\n");
    for (size_t k = 0; k < w->count && !stopped(e); k++) {
        if (explain_told(k, w->count, e->most))
            write_step(e, s, k, by, page);
        else if (explain_told(k - 1, w->count, e->most))
            text_format(page,
                        "<figure><p class=\"absent\">Steps %zu to %zu are left out; --steps shows more of "
                        "them.</p></figure>\n",
                        k + 1, w->count - e->most / 2);
    }
    text_add(page, "</div></section>\n");
}

static const char *about_answer(const explained *e)
{
    if (e->contact_count && e->pair->dim == 3)
        return "On the left the contact patch, seen against the normal, with the separation of each contact.";
    if (e->contact_count)
        return "The normal points from A to B. Each contact has a point on either shape.";
    if (e->sigma > 0)
        return "The normal points from A to B; between the witness points a and b the gap is smallest.";
    if (gjb_is_unbounded(e->pair->dim == 2 ? e->pair->as.plane.b.kind : e->pair->as.space.b.kind))
        return "The normal points from A to B: the way out of the half-space.";
    return "The normal points from A to B. Dotted: B, moved along the normal by the depth.";
}

static void write_answer(const explained *e, const stage *s, artist *by, text *page)
{
    text script = {0};
    text_add(page, "<section id=\"answer\"><h2>The answer, and what proves it</h2>");
    if (e->has_vectors && !stopped(e)) {
        const int patch = e->contact_count && s->look.dim == 3;
        const int of = e->contact_count ? OF_CONTACTS | (e->discs ? OF_DISCS : OF_EXACT) : OF_ANSWER;
        if (!e->walk->count || e->contact_count)
            write_key(of | OF_SHAPES | (patch ? 0 : OF_DIFFERENCE), page);
        if (!e->walk->count)
            write_reading(e, s, page);
        text_add(page, "<div class=\"walk\"><figure>");
        explain_draw_answer(e, s, &script);
        draw(by, &script,
             e->contact_count ? "The answer: normal and contacts." : "The answer: normal and witness points.",
             page);
        text_format(page, "<p class=\"note\">%s</p></figure></div>", about_answer(e));
        text_free(&script);
    }
    write_lines(&e->proof, "wide step", page);
    text_add(page, "</section>");
}

static void write_page(const explained *e, const stage *s, artist *by, text *page)
{
    write_head(e, page);
    if (e->walk->count)
        write_steps(e, s, by, page);
    write_answer(e, s, by, page);
    text_add(page, "</main>\n<footer>Written by gjkbench explain. The page loads nothing from "
                   "anywhere.</footer></body></html>\n");
}

int gjb_explain_write(const explained *e, const char *folder, gjb_error *error)
{
    stage s;
    text page = {0};
    char gnuplot[4096];
    artist by = {.reason = ""};
    int result = -1, found = !gnuplot_find(gnuplot, sizeof gnuplot);
    by.gnuplot = found ? gnuplot : NULL;
    if (stage_open(&s, e->pair, e->walk, error))
        goto done;
    write_page(e, &s, &by, &page);
    if (stopped(e)) { /* gnuplot may have been stopped too: what it drew last is not to be trusted */
        result = GJB_EXPLAIN_STOPPED;
        goto done;
    }
    if (page.failed) {
        gjb_fail(error, "explain: out of memory");
        goto done;
    }
    if (save_folder(folder, error) || save_text(folder, "index.html", &page, error))
        goto done;
    result = GJB_REPORT_DRAWN;
    if (!by.gnuplot) {
        gjb_fail(error,
                 "%s: the page has the text without drawings; to draw later, %s and explain the pair again",
                 found ? by.reason : "gnuplot not found",
                 found ? "mend gnuplot" : "install gnuplot (Debian: apt-get install gnuplot-nox)");
        result = GJB_REPORT_UNDRAWN;
    }
done:
    stage_free(&s);
    text_free(&page);
    return result;
}
