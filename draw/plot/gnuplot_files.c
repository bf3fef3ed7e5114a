/* Drawings as files for papers: standalone SVG and PDF with the colours of white paper. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot/gnuplot.h"
#include "draw/plot/plot.h"

/* What the page's CSS variables are on white paper, by the number that goes through gnuplot; the style sheet
 * (draw/style.c) says the same. */
static const char *const paper[] = {
    [1] = "#0072b2",
    [2] = "#45a6df",
    [3] = "#009e73",
    [4] = "#d38f00",
    [5] = "#b9628f",
    [6] = "#d55e00",
    [8] = "#80868c",
    [9] = "#998a00",
    [COLOUR_INK] = "#1b1e21",
    [COLOUR_GRID] = "#e6e9ec",
    [COLOUR_MUTED] = "#5b636b",
};
enum { COLOURS = sizeof paper / sizeof *paper };

static const char *paper_colour(int number)
{
    return number > 0 && number < COLOURS && paper[number] ? paper[number] : paper[COLOUR_INK];
}

int gnuplot_standalone(const text *svg, const char *title, text *out)
{
    static const char head[] = "<title>Gnuplot</title>", ground[] = "fill=\"none\"/>",
                      box[] = "viewBox=\"0 0 ";
    const char *s = svg->s, *from = s;
    int width, height, titled = 0, grounded = 0;
    if (!s || !strstr(s, "<svg") || !strstr(s, head))
        return -1;
    for (; *s; s++) {
        int used = 0, r, g, b;
        if (!strncmp(s, box, sizeof box - 1) && sscanf(s, "viewBox=\"0 0 %d %d\"", &width, &height) == 2) {
            text_bytes(out, from, (size_t)(s - from));
            text_format(out, "width=\"%d\" height=\"%d\" ", width,
                        height); /* else some programs fill a page with it */
            from = s;
        } else if (!titled && !strncmp(s, head, sizeof head - 1)) {
            text_bytes(out, from, (size_t)(s - from));
            text_add(out, "<title>");
            text_html(out, title);
            text_add(out, "</title>");
            used = (int)sizeof head - 1;
            titled = 1;
        } else if (titled && !grounded && !strncmp(s, ground, sizeof ground - 1)) {
            text_bytes(out, from, (size_t)(s - from));
            text_add(out, "fill=\"#fff\"/>");
            used = (int)sizeof ground - 1;
            grounded = 1;
        } else if (*s == 'r' && sscanf(s, "rgb( %d, %d, %d)%n", &r, &g, &b, &used) == 3 && used && !r &&
                   g == 1) {
            text_bytes(out, from, (size_t)(s - from));
            text_add(out, paper_colour(b));
        } else {
            used = 0;
        }
        if (used) {
            from = s + used;
            s = from - 1;
        }
    }
    text_bytes(out, from, (size_t)(s - from));
    return 0;
}

/* The script of an SVG, for paper: other terminal, sizes in points, colours as they look. */
static void pdf_script(const text *script, text *out)
{
    static const double pixels = 40; /* a centimetre */
    const char *s = strchr(script->s, '\n');
    int width = 480, height = 380;
    sscanf(script->s, "set terminal svg size %d,%d", &width, &height);
    text_format(out, "set terminal pdfcairo size %.2fcm,%.2fcm noenhanced font 'DejaVu Sans,10' linewidth 0.8 "
                "pointscale 0.6\n", width / pixels, height / pixels);
    for (const char *at; s && (at = strstr(s, "#0001")); s = at + 7) {
        char digits[3] = {at[5], at[5] ? at[6] : '\0', '\0'};
        text_bytes(out, s, (size_t)(at - s));
        text_add(out, paper_colour((int)strtol(digits, NULL, 16)));
    }
    text_add(out, s ? s : "");
}

int gnuplot_pdf(const char *path, const text *script, text *pdf, char *reason, size_t reason_size)
{
    text own = {0};
    int failed = -1;
    pdf_script(script, &own);
    if (own.failed)
        snprintf(reason, reason_size, "out of memory");
    else
        failed = gnuplot_print(path, &own, "%%EOF", pdf, reason, reason_size);
    text_free(&own);
    return failed;
}
