/* Gathers the point marks of a series in gnuplot's SVG into fewer elements. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot/gnuplot.h"

void gnuplot_marks(text *page)
{
    static const char *const outlines[] = {
        /* gnuplot's open marks, each followed by its filled form */
        "<rect x=\"-1\" y=\"-1\" width=\"2\" height=\"2\"",
        "<circle r=\"1\"",
        "<path d=\"M0,-1.33L-1.33,.67L1.33,.67z\"",
        "<path d=\"M0,1.33L-1.33,-.67L1.33,-.67z\"",
        "<path d=\"M0,-1.4L1.4,0L0,1.4L-1.4,0z\"",
        "<path d=\"M0,-1.33L-1.265,-.411L-.782,1.067L.782,1.076L1.265,-.411z\"",
    };
    text_add(page, "<svg class=\"marks\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>");
    for (int i = 0; i < 6; i++) {
        text_format(page, "%s id=\"gpPt%d\" fill=\"var(--paper)\" stroke=\"currentColor\" stroke-width=\".36\"/>",
                    outlines[i], 3 + 2 * i);
        text_format(page, "%s id=\"gpPt%d\" fill=\"currentColor\" stroke=\"var(--paper)\" stroke-width=\".2\"/>",
                    outlines[i], 4 + 2 * i);
    }
    text_add(page, "</defs></svg>");
}

/* ---- marks of one series ---- */

/* One of gnuplot's: <use href="..." transform="translate(X,Y) scale(S)" .../>. */
typedef struct mark {
    const char *name, *look; /* "#gpPt4"; what follows Y: scale and colour */
    size_t name_size, look_size;
    double x, y, scale;
    const char *end; /* beyond its tag */
} mark;

static int read_mark(const char *s, mark *m)
{
    static const char opening[] = "<use href=\"", moved[] = "\" transform=\"translate(", sized[] = ") scale(",
                      closing[] = "/>";
    char *after;
    *m = (mark){0};
    if (strncmp(s, opening, sizeof opening - 1))
        return 0;
    m->name = s + sizeof opening - 1;
    m->name_size = strcspn(m->name, "\"");
    s = m->name + m->name_size;
    if (strncmp(s, moved, sizeof moved - 1))
        return 0;
    m->x = strtod(s + sizeof moved - 1, &after);
    if (*after != ',')
        return 0;
    m->y = strtod(after + 1, &after);
    m->look = after;
    if (strncmp(after, sized, sizeof sized - 1))
        return 0;
    m->scale = strtod(after + sizeof sized - 1, &after);
    const char *end = strstr(after, closing);
    m->look_size = end ? (size_t)(end - m->look) : 0;
    m->end = end ? end + sizeof closing - 1 : NULL;
    return end && m->scale > 0 && !memchr(after, '<', (size_t)(end - after));
}

static int looks_like(const mark *a, const mark *b)
{
    return a->look_size == b->look_size && !memcmp(a->look, b->look, a->look_size);
}

/* To a hundredth, as short as it goes. */
static void add_length(double value, text *page)
{
    char number[32];
    snprintf(number, sizeof number, "%.2f", value);
    size_t size = strlen(number);
    while (number[size - 1] == '0')
        size--;
    text_bytes(page, number, size - (number[size - 1] == '.'));
}

static void add_mark(const mark *m, text *page)
{
    text_format(page, "<use href=\"%.*s\" x=\"", (int)m->name_size, m->name);
    add_length(m->x / m->scale, page);
    text_add(page, "\" y=\"");
    add_length(m->y / m->scale, page);
    text_add(page, "\"/>");
}

void gnuplot_gather_marks(const char *drawing, text *page)
{
    const char *from = drawing, *at = drawing;
    while ((at = strstr(at, "<use "))) {
        mark first, next;
        if (!read_mark(at, &first) || !read_mark(first.end, &next) || !looks_like(&first, &next)) {
            at++;
            continue;
        }
        text_bytes(page, from, (size_t)(at - from));
        /* ") scale(S)" COLOUR: the group has both */
        text_format(page, "<g transform=\"%.*s>", (int)(first.look_size - 2), first.look + 2);
        add_mark(&first, page);
        do {
            add_mark(&next, page);
            from = at = next.end;
        } while (read_mark(at, &next) && looks_like(&first, &next));
        text_add(page, "</g>");
    }
    text_add(page, from);
}
