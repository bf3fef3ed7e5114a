/* Prints the page to PDF with a browser in headless mode. */
#include "draw/print.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "draw/program.h"

int print_browser(char *path, size_t size)
{
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome", "chrome", NULL};
    return program_find("GJKBENCH_BROWSER", names, path, size);
}

/* A path as a URL has it. */
static void add_url(text *out, const char *path)
{
    text_add(out, "file://");
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("/-_.~", c))
            text_bytes(out, path, 1);
        else
            text_format(out, "%%%02X", c);
    }
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)kind;
    (void)at;
    return remove(path);
}

static int is_pdf(const char *path)
{
    char head[5] = "";
    FILE *f = fopen(path, "rb");
    if (!f)
        return 0;
    size_t n = fread(head, 1, 4, f);
    fclose(f);
    return n == 4 && !strcmp(head, "%PDF");
}

/* Options of the browser: to print, to leave the reader's own settings and the network alone. */
static program_end run(const char *browser, const char *profile, const char *page, const char *pdf,
                       text *complaint)
{
    text url = {0}, own = {0}, to = {0}, in = {0}, out = {0};
    add_url(&url, page);
    text_format(&own, "--user-data-dir=%s", profile);
    text_format(&to, "--print-to-pdf=%s", pdf);
    char *argv[] = {(char *)"browser",
                    (char *)"--headless",
                    (char *)"--disable-gpu",
                    (char *)"--no-first-run",
                    (char *)"--disable-background-networking",
                    (char *)"--disable-component-update",
                    (char *)"--disable-sync",
                    (char *)"--disable-quic",
                    (char *)"--no-pdf-header-footer",
                    own.s,
                    to.s,
                    url.s,
                    geteuid() ? NULL : (char *)"--no-sandbox",
                    NULL}; /* root has no sandbox to print in */
    program_end end = url.failed || own.failed || to.failed
                          ? PROGRAM_UNSTARTED
                          : program_run(browser, argv, &in, 120, &out, complaint);
    text_free(&url);
    text_free(&own);
    text_free(&to);
    text_free(&out);
    return end;
}

int print_page(const char *browser, const char *out_dir, gjb_error *error)
{
    char name[4352], target[4352], part[4400], *page = NULL, profile[] = "/tmp/gjkbench-print-XXXXXX";
    text complaint = {0};
    int result = -1;
    snprintf(name, sizeof name, "%.4096s/index.html", out_dir);
    if (!(page = realpath(name, NULL)))
        return gjb_fail(error, "%s: not there", name);
    snprintf(target, sizeof target, "%.*s/report.pdf", (int)(strrchr(page, '/') - page), page);
    snprintf(part, sizeof part, "%s.part", target);
    if (!mkdtemp(profile)) {
        free(page);
        return gjb_fail(error, "%s: cannot make folder", profile);
    }
    program_end end = run(browser, profile, page, part, &complaint);
    nftw(profile, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    if (end != PROGRAM_FINE || !is_pdf(part))
        gjb_fail(error, "%s %s", browser,
                 end == PROGRAM_UNENDED     ? "did not finish printing"
                 : end == PROGRAM_UNSTARTED ? "cannot be started"
                                            : "did not print the page");
    else if (rename(part, target))
        gjb_fail(error, "%s: cannot be written", target);
    else
        result = 0;
    if (result)
        remove(part);
    text_free(&complaint);
    free(page);
    return result;
}
