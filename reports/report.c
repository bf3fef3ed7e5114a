#include "reports/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/file.h"
#include "reports/gnuplot.h"
#include "reports/page.h"

static int make_folder(const char *path, gjb_error *error)
{
    char part[4096];
    int n = snprintf(part, sizeof part, "%s", path);
    if (n <= 0 || (size_t)n >= sizeof part)
        return gjb_fail(error, "%.80s: not a folder name", path);
    for (char *s = part + 1;; s++) {
        if (*s != '/' && *s)
            continue;
        char end = *s;
        *s = '\0';
        struct stat info;
        if (mkdir(part, 0777) && (errno != EEXIST || stat(part, &info) || !S_ISDIR(info.st_mode)))
            return gjb_fail(error, "%s: cannot make folder: %s", part, strerror(errno));
        *s = end;
        if (!end)
            return 0;
    }
}

static void put_text(FILE *file, const void *context)
{
    const text *content = context;
    fwrite(content->s, 1, content->size, file);
}

static int save(const char *folder, const char *name, const text *content, gjb_error *error)
{
    char path[4352];
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (n <= 0 || (size_t)n >= sizeof path)
        return gjb_fail(error, "%.80s: file name too long", folder);
    return gjb_file_write(path, put_text, content, error);
}

static int save_data(const char *out_dir, const figure_group *groups, gjb_error *error)
{
    char folder[4200];
    snprintf(folder, sizeof folder, "%s/data", out_dir);
    if (make_folder(folder, error))
        return -1;
    for (const figure_group *group = groups; group->id; group++)
        for (size_t i = 0; i < group->n; i++) {
            text csv = {0};
            char name[128];
            plot_csv(group->plots[i], &csv);
            snprintf(name, sizeof name, "%s.csv", group->plots[i]->id);
            int failed = csv.failed ? gjb_fail(error, "report: out of memory") : save(folder, name, &csv, error);
            text_free(&csv);
            if (failed)
                return -1;
        }
    return 0;
}

int gjb_report_write(const char *const *files, size_t n, const char *out_dir, gjb_error *error)
{
    enum { GROUPS = 16 };
    figure_group groups[GROUPS] = {0};
    results r = {0};
    text page = {0};
    char gnuplot[4096], reason[256] = "";
    int result = -1, failed = 0;
    if (results_load(&r, files, n, error))
        goto done;
    base_point base = points_base(&r);
    for (size_t g = 0; figure_groups[g].id && g + 1 < GROUPS; g++) {
        groups[g] = figure_groups[g];
        figures_build(&groups[g], &r, &base);
        failed |= groups[g].failed;
    }
    if (save_data(out_dir, groups, error))
        goto done;
    int found = !gnuplot_find(gnuplot, sizeof gnuplot);
    page_write(&r, &base, groups, found ? gnuplot : NULL, &page, reason, sizeof reason);
    if (failed || page.failed) {
        gjb_fail(error, "report: out of memory");
        goto done;
    }
    if (save(out_dir, "index.html", &page, error))
        goto done;
    result = GJB_REPORT_DRAWN;
    if (!found || *reason) {
        gjb_fail(error, "%s: the page has tables instead of drawings; to draw later, %s and run 'gjkbench report' on the "
                 "same files again", found ? reason : "gnuplot not found",
                 found ? "mend gnuplot" : "install gnuplot (Debian: apt-get install gnuplot-nox)");
        result = GJB_REPORT_UNDRAWN;
    }
done:
    for (size_t g = 0; g < GROUPS; g++)
        figures_free(&groups[g]);
    text_free(&page);
    results_free(&r);
    return result;
}
