/* Makes a report: loads results, draws, and writes the page with its data files and PDF. */
#include "reports/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot/gnuplot.h"
#include "draw/print.h"
#include "draw/save_text.h"
#include "reports/league/league_table.h"
#include "reports/page.h"

static int save_league(const char *folder, const page_part *part, gjb_error *error)
{
    names queries = league_queries(&part->r);
    int failed = 0;
    for (size_t q = 0; q < queries.n && !failed; q++) {
        text csv = {0};
        char name[128];
        league_csv(&part->r, queries.s[q], &csv);
        snprintf(name, sizeof name, "%s.csv", league_file(part->dim, queries.s[q]).s);
        failed = csv.failed ? gjb_fail(error, "report: out of memory") : save_text(folder, name, &csv, error);
        text_free(&csv);
    }
    return failed;
}

static int save_data(const char *folder, const figure_group *groups, gjb_error *error)
{
    for (const figure_group *group = groups; group->id; group++)
        for (size_t i = 0; i < group->n; i++) {
            text csv = {0};
            char name[128];
            plot_csv(group->plots[i], &csv);
            snprintf(name, sizeof name, "%s.csv", group->plots[i]->id);
            int failed = csv.failed ? gjb_fail(error, "report: out of memory") : save_text(folder, name, &csv, error);
            text_free(&csv);
            if (failed)
                return -1;
        }
    return 0;
}

/* The dimensions that have rows. Returns how many, or -1 out of memory. */
static int make_parts(const results *all, page_part parts[PARTS])
{
    int n = 0, failed = 0;
    for (uint32_t dim = 2; dim <= 3; dim++) {
        page_part *part = &parts[n];
        failed |= results_part(all, dim, &part->r);
        if (failed || (!part->r.bench_count && !part->r.verify_count && !part->r.league_count &&
                       !part->r.timeline_count)) {
            results_part_free(&part->r);
            continue;
        }
        n++;
        part->dim = dim;
        part->base = points_base(&part->r, dim);
        for (size_t g = 0; figure_groups[g].id && g + 1 < PART_GROUPS; g++) {
            part->groups[g] = figure_groups[g];
            figures_build(&part->groups[g], &part->r, &part->base);
            failed |= part->groups[g].failed;
        }
    }
    return failed ? -1 : n;
}

static void free_parts(page_part parts[PARTS])
{
    for (size_t p = 0; p < PARTS; p++) {
        for (size_t g = 0; g < PART_GROUPS; g++)
            figures_free(&parts[p].groups[g]);
        results_part_free(&parts[p].r);
    }
}

static int save_all_data(const char *out_dir, const page_part *parts, int n, gjb_error *error)
{
    char folder[4200];
    snprintf(folder, sizeof folder, "%s/data", out_dir);
    int failed = save_folder(folder, error);
    for (int p = 0; p < n && !failed; p++)
        failed = save_data(folder, parts[p].groups, error) || save_league(folder, &parts[p], error);
    return failed;
}

/* 0, or -1 out of memory. */
static int draw_ahead(prerender *all, const page_part *parts, int n, const char *gnuplot)
{
    int failed = 0;
    for (int p = 0; p < n; p++)
        for (const figure_group *group = parts[p].groups; group->id; group++)
            for (size_t i = 0; i < group->n; i++)
                failed |= prerender_add(all, group->plots[i]);
    if (!failed)
        prerender_draw(all, gnuplot);
    return failed;
}

static int write_report(const char *const *files, size_t n, const char *out_dir, int pdf, gjb_error *error)
{
    page_part *parts = calloc(PARTS, sizeof *parts);
    results r = {0};
    text page = {0};
    char gnuplot[4096], figures[4200], tables[4200];
    prerender drawings = {0};
    pen pen = {.prerender = &drawings, .folder = figures, .pdf = pdf, .tables.folder = tables};
    int result = -1, part_count = -1;
    if (!parts) {
        gjb_fail(error, "report: out of memory");
        goto done;
    }
    if (results_load(&r, files, n, error) || results_make_league(&r, error))
        goto done;
    for (size_t i = 0; i < r.file_count; i++)
        if (r.files[i].kind == RESULTS_CONVERGENCE)
            fprintf(stderr,
                    "gjkbench report: %s: convergence is no longer drawn; 'explain' shows the steps of a pair\n",
                    r.files[i].name);
    part_count = make_parts(&r, parts);
    if (part_count >= 0 && save_all_data(out_dir, parts, part_count, error))
        goto done;
    snprintf(figures, sizeof figures, "%s/figures", out_dir);
    snprintf(tables, sizeof tables, "%s/tables", out_dir);
    if (part_count >= 0 && !gnuplot_find(gnuplot, sizeof gnuplot)) {
        pen.gnuplot = gnuplot;
        if (save_folder(figures, error))
            goto done;
    }
    const int found = pen.gnuplot != NULL;
    if (found && draw_ahead(&drawings, parts, part_count, pen.gnuplot)) {
        gjb_fail(error, "report: out of memory");
        goto done;
    }
    if (part_count >= 0)
        page_write(&r, parts, (size_t)part_count, &pen, &page);
    if (part_count < 0 || page.failed) {
        gjb_fail(error, "report: out of memory");
        goto done;
    }
    if (pen.unsaved || pen.tables.failed) {
        *error = pen.unsaved ? pen.error : pen.tables.error;
        goto done;
    }
    if (save_text(out_dir, "index.html", &page, error))
        goto done;
    result = GJB_REPORT_DRAWN;
    if (!found || *pen.reason) {
        gjb_fail(error, "%s: the page has tables instead of drawings; to draw later, %s and run 'gjkbench report' on the "
                 "same files again", found ? pen.reason : "gnuplot not found",
                 found ? "mend gnuplot" : "install gnuplot (Debian: apt-get install gnuplot-nox)");
        result = GJB_REPORT_UNDRAWN;
    }
done:
    prerender_free(&drawings);
    if (parts)
        free_parts(parts);
    free(parts);
    text_free(&page);
    results_free(&r);
    return result;
}

int gjb_report_write(const char *const *files, size_t n, const char *out_dir, gjb_error *error)
{
    return write_report(files, n, out_dir, 0, error);
}

int gjb_report_print(const char *const *files, size_t n, const char *out_dir, gjb_error *error)
{
    char browser[4096];
    const int written = write_report(files, n, out_dir, 1, error);
    if (written != GJB_REPORT_DRAWN)
        return written;
    if (print_browser(browser, sizeof browser)) {
        gjb_fail(error, "no browser to print with: the page and the drawings are there, report.pdf is not; install chromium "
                 "(Debian: apt-get install chromium), or name a browser like it in GJKBENCH_BROWSER");
        return GJB_REPORT_UNDRAWN;
    }
    return print_page(browser, out_dir, error) ? GJB_REPORT_UNDRAWN : GJB_REPORT_DRAWN;
}
