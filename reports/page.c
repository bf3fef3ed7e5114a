/* The page's frame: head, guide, navigation, sections by dimension, and what was not measured. */
#include "reports/page.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "draw/plot/gnuplot.h"
#include "draw/style.h"
#include "reports/figures/film.h"
#include "reports/league/league_table.h"
#include "reports/opening.h"
#include "reports/remarks.h"
#include "reports/tables.h"

static const struct { const char *term, *text; } guide[] = {
    {"nanoseconds a pair, pairs per second",
     "Median over timed blocks, with a bootstrap interval (whiskers where it is wide enough to see). Every "
     "contender gets the same scene: shapes, poses and pairs of indices, as an engine has them. Shapes are "
     "prepared once, timed apart; transforming and packing a pair are part of its time."},
    {"wrong",
     "The share of answers that lie beyond the tolerance kεS, plus what the contender itself documents as "
     "its accuracy. ε is the unit roundoff of the precision, S the size of the pair: its largest vertex and "
     "radius plus the distance of its centres. A boolean is graded only if the exact signed distance lies "
     "outside that band."},
    {"too close to call",
     "Pairs so near to touching that either boolean is right within the tolerance. Outside the touching "
     "families they must stay below 1%."},
    {"fingerprint",
     "A hash of all results of a run, bit for bit. Equal fingerprints mean equal answers: on every backend, "
     "whatever the lane, the batch, the neighbours or the thread."},
    {"backends",
     "The same kernels compiled for scalar lanes, SSE4.1 (4 lanes of f32), AVX and AVX2 (8), AVX-512 with "
     "256-bit (8) and 512-bit registers (16), and NEON (4). f64 has half the lanes."},
    {"separation classes",
     "far: apart by more than their size; near: a gap of about 1% of it; touching: at the edge of deciding; "
     "shallow, deep, contained: ever more overlap; mixed: random distances, about half of the pairs "
     "overlapping."},
    {"needed the double-precision fallback",
     "Pairs that lanes could not prove: one method in double precision answers them, the same for "
     "all backends."},
    {"too slow to judge",
     "The search for the exact truth of a pair has 30 s of processor time. Where that is not enough, what is "
     "known may not tell right from wrong: the pair is named, counted and passed over."},
    {"bounds that did not meet",
     "Pairs whose depth was found and not proven, as about an axis that both shapes are round about: branch "
     "and bound ended first, and the least depth that it met is the answer. It is graded like any other."},
    {"†",
     "This contender does more than the query asks, so it is not a like-for-like comparison. Box2D’s penetration, "
     "say, is its manifold, which clips the contact between the two shapes as well."},
    {"right, for a comparison",
     "Off by more than 1e-3 S in at most 0.1% of the graded answers at that point. The fastest other "
     "contender that is right is what ours are compared with first; if another is faster, it is shown next to "
     "it with the share of answers that are off by more."},
    {"±5% in red, next to a ratio",
     "Not to be relied on any better than that: the 95% interval of the ratio itself is wider than ±10%, or the same "
     "contender, timed twice, differs by that much where contenders are timed, and surely by more than 3%. Busy: other "
     "work had the processor for more than 10% of the time, or more wanted to run than there are processors. "
     "The mark says which of them it was when it is pointed at."},
    {"crashed, hung, left unasked",
     "Contenders that are not ours answer in a child process with a watchdog. A pair that they die of or do "
     "not come back from counts here; after too many, the rest of a scene is not asked."},
};

/* Section ids of 3D end in -3d; on a page of both dimensions titles say which. */
static void open_section(const page_part *part, int both, const char *id, const char *title, text *page)
{
    char prefix[16] = "";
    if (both)
        snprintf(prefix, sizeof prefix, "%uD: ", part->dim);
    char full[64], heading[128];
    snprintf(full, sizeof full, "%s%s", id, part->dim == 3 ? "-3d" : "");
    snprintf(heading, sizeof heading, "%s%s", prefix, title);
    fold_open(full, heading, page);
}

/* Whether the part has anything to show under that id. */
static int has_section(const page_part *part, const char *id)
{
    const figure_group *group = part->groups;
    while (group->id && strcmp(group->id, id))
        group++;
    return (group->id && group->n) || (!strcmp(id, "wrong") && part->r.verify_count) ||
           (!strcmp(id, "league") && part->r.league_count);
}

static void group_section(const page_part *part, int both, const figure_group *group, pen *pen,
                          text *page)
{
    size_t secondary = 0;
    if (!group->n)
        return;
    open_section(part, both, group->id, group->title, page);
    text_format(page, "<p class=\"lead\">%s</p>", group->lead);
    if (group->remarks) {
        text list = {0};
        group->remarks(&part->r, &part->base, &list);
        if (list.size)
            text_format(page, "<ul class=\"facts-list\">%s</ul>", list.s);
        page->failed |= list.failed;
        text_free(&list);
    }
    text_add(page, "<div class=\"plots\">");
    for (size_t i = 0; i < group->n; i++) {
        secondary += group->secondary[i] != 0;
        if (!group->secondary[i])
            drawing_figure(pen, group, group->plots[i], page);
    }
    text_add(page, "</div>");
    if (secondary) {
        text_format(page, "<details%s><summary>%s</summary><div class=\"plots\">",
                    secondary == group->n ? " open" : "",
                    "The same in other precisions");
        for (size_t i = 0; i < group->n; i++)
            if (group->secondary[i])
                drawing_figure(pen, group, group->plots[i], page);
        text_add(page, "</div></details>");
    }
    fold_close(page);
}

static void context_word(const results *r, const char *key, const char *before, text *page)
{
    const char *s = json_string_value(results_context(r, key));
    if (!s || !*s)
        return;
    text_add(page, before);
    text_html(page, s);
}

/* What a clock cut short, and how it was planned, in a sentence each. */
static void page_sample(const results *r, text *page)
{
    for (size_t i = 0; i < r->file_count; i++) {
        const results_file *file = &r->files[i];
        const int graded = file->kind == RESULTS_VERIFY;
        const json_t *sample = json_object_get(graded ? json_object_get(file->root, "plan") : file->context, "sample"),
                     *pairs = json_object_get(file->summary, "pairs"), *chunks = json_object_get(sample, "chunks"),
                     *scenes = json_object_get(sample, "scenes"), *of = json_object_get(sample, "of");
        const double seconds = json_number_value(json_object_get(sample, "seconds"));
        number n, m;
        if (!sample || (!graded && file->kind != RESULTS_BENCH))
            continue;
        text_add(page, "<p class=\"sub sample\">");
        if (graded) {
            text_format(page, "A sample, planned by time: %s pairs graded", number_count(&n, json_number_value(pairs)));
            if (seconds > 0)
                text_format(page, " in %.0f s", seconds);
            text_format(page, ", in %s of %s chunks: one of every family before a second of any, kinds of shapes by turns, "
                              "fewer pairs of shapes that curve or move. Each line says on how many graded answers it rests.</p>",
                        number_count(&m, json_number_value(chunks)), number_count(&n, json_number_value(of)));
        } else {
            text_format(page, "Times are of %s of %s scenes%s%s.</p>", number_count(&n, json_number_value(scenes)),
                        number_count(&m, json_number_value(of)), seconds > 0 ? ", those that were begun in time" : "",
                        json_number_value(scenes) < json_number_value(of) ? "; the others were left out" : "");
        }
    }
}

/* Sections of the whole page that may have nothing to show, and how to get it. */
static const struct {
    const char *id, *title;
    size_t counted; /* offset of what they show in results */
    const char *absent;
} whole_sections[] = {
    {"wrong", "Wrong answers by family", offsetof(results, verify_count),
     "No verification in these results: run gjkbench verify --json verify.json and report that file too."},
    {"changed", "What changed between two builds", offsetof(results, compared_count),
     "No comparison of two builds in these results: run gjkbench compare --json compare.json and report that "
     "file too."},
    {"cells", "Cells", offsetof(results, cell_count),
     "No cells in these results: run gjkbench bench --cells --json cells.json, which takes a quarter of an hour, and "
     "report that file too."},
    {"known", "Known failures by contender", offsetof(results, known_count),
     "No known failures in these results: run gjkbench replay FILE --json known.json on a collection of them "
     "and report that file too, or gjkbench run --known FILE."},
    {"points", "Every measured point", offsetof(results, bench_count),
     "No measured times in these results: run gjkbench bench --json bench.json and report that file too."},
};

static int is_empty(const results *all, const char *id)
{
    for (size_t i = 0; i < sizeof whole_sections / sizeof *whole_sections; i++)
        if (!strcmp(whole_sections[i].id, id))
            return !*(const size_t *)((const char *)all + whole_sections[i].counted) &&
                   !(all->apart_count && !strcmp(id, "points"));
    return 0;
}

/* One that is not on the page: named in `titles`, and in `list` how to get it. */
static void add_absent(const char *id, const char *title, const char *where, const char *how, text *titles, text *list)
{
    text_format(titles, "%s%s%s", titles->size ? "; " : "", title, where);
    text_format(list, "<li data-section=\"%s\">%s</li>", id, how);
}

/* What a section would show if it were measured: one line names them all, unfolded it says how to get them. */
static void absent_sections(const results *all, const page_part *parts, size_t part_count, text *page)
{
    text titles = {0}, list = {0};
    for (size_t g = 0; part_count && parts[0].groups[g].id; g++) {
        const figure_group *group = &parts[0].groups[g];
        char where[32] = "";
        size_t empty = 0;
        for (size_t p = 0; p < part_count; p++)
            if (!parts[p].groups[g].n && !empty++)
                snprintf(where, sizeof where, " (%uD)", parts[p].dim);
        if (empty)
            add_absent(group->id, group->title, empty < part_count ? where : "", group->absent, &titles, &list);
    }
    for (size_t i = 0; i < sizeof whole_sections / sizeof *whole_sections; i++)
        if (is_empty(all, whole_sections[i].id))
            add_absent(whole_sections[i].id, whole_sections[i].title, "", whole_sections[i].absent, &titles, &list);
    if (titles.size) {
        text_format(page,
                    "<details id=\"absent\"><summary>Not in these results: %s.</summary><ul class=\"facts-list\">",
                    titles.s);
        text_add(page, list.s);
        text_add(page, "</ul></details>\n");
    }
    page->failed |= titles.failed | list.failed;
    text_free(&titles);
    text_free(&list);
}

/* Sections that each dimension has, and those of the whole page. */
static const char *const part_sections[][2] = {
    {"league", "league table"}, {"throughput", "throughput"}, {"speedup", "backends"}, {"vertices", "vertices"},
    {"class", "classes"}, {"kinds", "shapes"}, {"call", "pairs per call"}, {"maps", "maps"},
    {"scenes", "recorded scenes"}, {"errors", "errors"},
    {"wrong", "wrong answers"}, {"lanes", "lanes"}, {"roof", "roofline"},
    {"threads", "threads"}, {"history", "history"},
};
static const struct { const char *id, *title; int kept; } page_sections[] = {
    {"motion", "motion and warm start", 0}, {"cells", "cells", 0}, {"known", "known failures", 0}, {"points", "all points", 0},
    {"machine", "machine", 1}, {"film", "moving boxes", 0}, {"contenders", "contenders", 0},
    /* `kept`: of a league table alone too */
};

/* A league table that was kept stands alone. */
static int only_league(const page_part *part)
{
    return !part->r.bench_count && !part->r.verify_count && !part->r.timeline_count;
}

static int league_alone(const results *all)
{
    return !all->bench_count && !all->apart_count && !all->verify_count && !all->known_count &&
           !all->compared_count && !all->timeline_count;
}

static void page_nav(const results *all, const page_part *parts, size_t part_count, text *page)
{
    for (size_t p = 0; p < part_count; p++) {
        text_format(page, "<nav aria-label=\"contents, %uD\">", parts[p].dim);
        if (part_count > 1)
            text_format(page, "<b>%uD</b>", parts[p].dim);
        const size_t sections = only_league(&parts[p]) ? 1 : sizeof part_sections / sizeof *part_sections;
        for (size_t i = 0; i < sections; i++)
            if (has_section(&parts[p], part_sections[i][0]))
                text_format(page, " <a href=\"#%s%s\">%s</a>", part_sections[i][0], parts[p].dim == 3 ? "-3d" : "",
                        part_sections[i][1]);
        text_add(page, "</nav>");
    }
    text_add(page, "<nav aria-label=\"contents\">");
    for (size_t i = 0; i < sizeof page_sections / sizeof *page_sections; i++)
        if ((page_sections[i].kept || !league_alone(all)) && (i > 0 || all->apart_count) &&
            !is_empty(all, page_sections[i].id))
            text_format(page, " <a href=\"#%s\">%s</a>", page_sections[i].id, page_sections[i].title);
    text_add(page, "</nav>");
}

/* First, since the words of it are used from the first line on; folded, for readers that know them. */
static void page_guide(const results *all, text *page)
{
    text_add(page, "<section id=\"guide\"><details><summary>How to read this page</summary>");
    page_sample(all, page);
    text_add(page, "<dl>");
    for (size_t i = 0; i < sizeof guide / sizeof *guide; i++)
        text_format(page, "<dt>%s</dt><dd>%s</dd>", guide[i].term, guide[i].text);
    text_add(page, "</dl></details></section>\n");
}

static void page_head(const results *all, const page_part *parts, size_t part_count, text *page)
{
    page_begin("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
               "script-src 'unsafe-inline'; img-src data:\">", "gjkbench: batched collision queries", "", "", page);
    gnuplot_marks(page);
    text_add(page, "<header>");
    opening_health(all, page);
    text_add(page, "<h1>Batched");
    for (size_t p = 0; p < part_count; p++)
        text_format(page, "%s %uD", p ? " and" : "", parts[p].dim);
    text_add(page, " collision queries, measured and proven</h1><p class=\"sub\">gjkbench");
    context_word(all, results_context(all, "gjkbench_version") ? "gjkbench_version" : "version", " ", page);
    context_word(all, "cpu", " · ", page);
    context_word(all, "compiler", " · ", page);
    context_word(all, "commit", " · commit ", page);
    context_word(all, "date", " · ", page);
    text_add(page, "</p>");
    opening_sentences(all, page);
    text_add(page, "<details class=\"contents\"><summary>Contents</summary>");
    page_nav(all, parts, part_count, page);
    text_add(page, "</details>");
    page_guide(all, page);
    text_add(page, "</header>\n");
}

static void part_body(const page_part *part, int both, pen *pen, text *page)
{
    if (part->r.league_count) {
        open_section(part, both, "league", "League table", page);
        league_lead(&part->r, !both || part->dim == 2, page);
        league_tables(&part->r, part->dim, &pen->tables, page);
        fold_close(page);
    }
    if (only_league(part))
        return;
    for (const figure_group *group = part->groups; group->id; group++) {
        group_section(part, both, group, pen, page);
        text_add(page, "\n");
        if (!strcmp(group->id, "errors") && has_section(part, "wrong")) {
            open_section(part, both, "wrong", "Wrong answers by family", page);
            tables_wrong(&part->r, part->dim, &pen->tables, page);
            fold_close(page);
        }
    }
}

static void headline_section(const results *all, const page_part *parts, size_t part_count, table_files *files,
                             text *page)
{
    text_add(page, "<section id=\"headline\"><h2>The fastest contenders, and by how much</h2>");
    if (all->bench_count) {
        for (size_t p = 0; p < part_count; p++)
            tables_headline(&parts[p].r, &parts[p].base, files, page);
        remarks_isolation(all, page);
    } else if (all->apart_count)
        text_add(page, "<p class=\"absent\">All measured times are of motion, or of warm starts: "
                       "<a href=\"#motion\">see there</a>.</p>");
    else
        tables_no_times(page);
    tables_verdicts(all, page);
    text_add(page, "</section>\n");
}

static void closing_sections(const results *all, const char *gnuplot, table_files *files, text *page)
{
    if (!league_alone(all)) {
        if (!is_empty(all, "known")) {
            fold_open("known", "Known failures by contender", page);
            tables_known(all, files, page);
            fold_close(page);
        }
        if (!is_empty(all, "points")) {
            fold_open("points", "Every measured point", page);
            tables_benchmarks(all, files, page);
            fold_close(page);
        }
    }
    fold_open("machine", "Machine and build", page);
    text_add(page, "<div class=\"tables\">");
    tables_machine(all, page);
    text_add(page, "</div>");
    fold_close(page);
    if (!league_alone(all)) {
        film_section(gnuplot, page);
        fold_open("contenders", "Contenders", page);
        tables_contenders(all, files, page);
        fold_close(page);
    }
}

void page_write(const results *all, const page_part *parts, size_t part_count, pen *pen, text *page)
{
    page_head(all, parts, part_count, page);
    text_add(page, "<main>");
    if (!league_alone(all)) {
        summary_part summary[PARTS];
        for (size_t p = 0; p < part_count; p++)
            summary[p] = (summary_part){&parts[p].r, &parts[p].base};
        tables_summary(all, summary, part_count, &pen->tables, page);
        headline_section(all, parts, part_count, &pen->tables, page);
    }
    if (!pen->gnuplot && !league_alone(all))
        text_add(page, "<p class=\"absent\">No drawings: gnuplot was not found, so their numbers are in "
                       "tables. Install it (Debian: <code>apt-get install gnuplot-nox</code>) and run "
                       "<code>gjkbench report</code> on the same files again.</p>\n");
    tables_motion(all, &pen->tables, page);
    if (!is_empty(all, "cells")) {
        fold_open("cells", "Cells: ours against the fastest right contender", page);
        tables_cells(all, &pen->tables, page);
        fold_close(page);
    }
    for (size_t p = 0; p < part_count; p++)
        part_body(&parts[p], part_count > 1, pen, page);
    closing_sections(all, pen->gnuplot, &pen->tables, page);
    if (!league_alone(all))
        absent_sections(all, parts, part_count, page);
    text_add(page, "</main>\n<footer>Written by gjkbench report. Next to this page lie the "
                   "numbers of every drawing as CSV, in the folder data, the drawings as SVG, in figures, and the "
                   "tables as CSV, Markdown and LaTeX, in tables. The page loads nothing from "
                   "anywhere.</footer><script>\n");
    for (size_t i = 0; page_script[i]; i++)
        text_add(page, page_script[i]);
    text_add(page, "</script></body></html>\n");
}
