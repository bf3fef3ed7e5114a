/* Makes a page in a temporary folder for a test, and searches its text. */
#include "reports/tests/pages.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot/gnuplot.h"
#include "reports/report.h"

char folder[64];

void set_up(void)
{
    strcpy(folder, "/tmp/gjkbench-pages-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
}

void tear_down(void)
{
    char command[160];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert_eq(system(command), 0);
}

const char *in_folder(const char *name)
{
    static char path[8][400];
    static int at;
    at = (at + 1) % 8;
    snprintf(path[at], sizeof path[at], "%s/%s", folder, name);
    return path[at];
}

const char *write_json(const char *name, json_t *json)
{
    const char *path = in_folder(name);
    cr_assert_eq(json_dump_file(json, path, 0), 0);
    json_decref(json);
    return path;
}

char *read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    cr_assert_not_null(f, "%s is missing", path);
    char *s = calloc(1, 4 << 20);
    size_t n = fread(s, 1, (4 << 20) - 1, f);
    cr_assert(n > 0 && n < 1500000, "%s has %zu bytes", path, n);
    fclose(f);
    return s;
}

int have_gnuplot(void)
{
    char path[4096];
    return !gnuplot_find(path, sizeof path);
}

/* The page of these files; draws when `draw`. */
char *page_of(const char *const *files, size_t n, int draw)
{
    gjb_error error = {{0}};
    setenv("GJKBENCH_GNUPLOT", draw ? "gnuplot" : "/nonexistent/gnuplot", 1);
    int got = gjb_report_write(files, n, in_folder("page"), &error);
    cr_assert_geq(got, 0, "%s", error.text);
    if (!draw) {
        cr_assert_eq(got, GJB_REPORT_UNDRAWN);
        cr_assert_not_null(strstr(error.text, "gnuplot"));
        cr_assert_not_null(strstr(error.text, "later"));
    } else if (have_gnuplot()) {
        cr_assert_eq(got, GJB_REPORT_DRAWN, "%s", error.text);
        cr_assert_str_empty(error.text);
    }
    return read_text(in_folder("page/index.html"));
}

char *page_of_json(json_t *bench, json_t *verify, int draw)
{
    const char *files[2];
    size_t n = 0;
    if (bench)
        files[n++] = write_json("bench.json", bench);
    if (verify)
        files[n++] = write_json("verify.json", verify);
    return page_of(files, n, draw);
}

size_t count_of(const char *s, const char *what)
{
    size_t n = 0;
    for (; (s = strstr(s, what)); s += strlen(what))
        n++;
    return n;
}

const char *between(const char *s, const char *from, const char *to)
{
    static char part[1 << 16];
    const char *a = strstr(s, from), *b = a ? strstr(a + strlen(from), to) : NULL;
    snprintf(part, sizeof part, "%.*s", b ? (int)(b - a) : 0, b ? a : "");
    return part;
}
