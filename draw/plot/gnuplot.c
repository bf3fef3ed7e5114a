/* Finds and runs gnuplot, and rewrites its SVG for the page: smaller, and in the page's colours. */
#include "draw/plot/gnuplot.h"

#include <stdio.h>
#include <string.h>

#include "draw/program.h"

int gnuplot_find(char *path, size_t size)
{
    static const char *const names[] = {"gnuplot", NULL};
    return program_find("GJKBENCH_GNUPLOT", names, path, size);
}

/* Is `mark` among the last bytes? What is printed may hold NUL bytes. */
static int ends_with(const text *t, const char *mark)
{
    size_t size = strlen(mark);
    for (size_t back = size; back <= t->size && back < size + 16; back++)
        if (!memcmp(t->s + t->size - back, mark, size))
            return 1;
    return 0;
}

int gnuplot_run(const char *path, const text *script, text *svg, char *reason, size_t reason_size)
{
    return gnuplot_print(path, script, "</svg>", svg, reason, reason_size);
}

int gnuplot_print(const char *path, const text *script, const char *mark, text *printed, char *reason, size_t reason_size)
{
    /* -d: the reader's own gnuplot settings must not change the page. */
    char *argv[] = {(char *)"gnuplot", (char *)"-d", NULL};
    text complaint = {0};
    const program_end end = program_run(path, argv, script, 30, printed, &complaint);
    const int fine = end == PROGRAM_FINE && ends_with(printed, mark);
    if (end == PROGRAM_UNSTARTED) {
        snprintf(reason, reason_size, "cannot start %s", path);
    } else if (end == PROGRAM_UNENDED) {
        snprintf(reason, reason_size, "gnuplot did not finish");
    } else if (!fine) {
        const char *line = complaint.s ? complaint.s + strspn(complaint.s, " \t\r\n") : "";
        int size = (int)strcspn(line, "\r\n");
        snprintf(reason, reason_size, "gnuplot failed%s%.*s", size ? ": " : "", size > 120 ? 120 : size, line);
    }
    text_free(&complaint);
    return fine ? 0 : -1;
}

/* ---- fitting the SVG into the page ---- */

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int starts(const char *s, const char *end, const char *prefix)
{
    size_t size = strlen(prefix);
    return (size_t)(end - s) >= size && !memcmp(s, prefix, size);
}

/* Attributes that say what the page's style sheet says better. */
static const char *const dropped[] = {"font-family", "stroke-linecap", "stroke-linejoin", "id",
                                      "class", NULL};

static int is_dropped(const char *name, size_t size)
{
    for (size_t i = 0; dropped[i]; i++)
        if (strlen(dropped[i]) == size && !memcmp(dropped[i], name, size))
            return 1;
    return 0;
}

static int colour_value(const char *value, size_t size, text *page)
{
    char copy[32];
    int r, g, b;
    if (size >= sizeof copy)
        return 0;
    memcpy(copy, value, size);
    copy[size] = '\0';
    if (sscanf(copy, "rgb(%d,%d,%d)", &r, &g, &b) == 3 && r == 0 && g == 1) {
        if (b == 10)
            text_add(page, "currentColor");
        else if (b == 11)
            text_add(page, "var(--grid)");
        else if (b == 12)
            text_add(page, "var(--muted)");
        else
            text_format(page, "var(--c%d)", b);
        return 1;
    }
    if (!strcmp(copy, "black")) {
        text_add(page, "currentColor");
        return 1;
    }
    return 0;
}

/* A tenth of a pixel is plenty: second decimals and runs of space go. */
static void geometry(const char *value, size_t size, text *page)
{
    for (size_t i = 0; i < size; i++) {
        char c = value[i];
        if (is_space(c)) {
            if (i && !is_space(value[i - 1]) && i + 1 < size)
                text_add(page, " ");
        } else if (c == '.' && i + 2 < size && value[i + 1] >= '0' && value[i + 1] <= '9' &&
                   value[i + 2] >= '0' && value[i + 2] <= '9') {
            if (value[i + 1] != '0')
                text_bytes(page, value + i, 2);
            i += 2;
        } else {
            text_bytes(page, &c, 1);
        }
    }
}

/* What groups hand down to what is in them, so that it need not be said again: gnuplot says it for every stroke. */
static const char *const handed_down[] = {"fill", "stroke", "stroke-width"};
enum { HANDED_DOWN = sizeof handed_down / sizeof *handed_down, NESTED = 16 };

typedef struct group {
    char value[HANDED_DOWN][24];
    int written; /* has a tag of its own */
} group;

typedef struct groups {
    group at[NESTED];
    size_t depth; /* of the innermost */
    int failed;   /* nested deeper than gnuplot does, or closed too often */
} groups;

/* Whether an attribute says what the groups around it say already; takes it down for what is in this one. */
static int is_handed_down(groups *g, const char *key, size_t key_size, const text *value)
{
    for (size_t i = 0; i < HANDED_DOWN; i++) {
        char *now = g->at[g->depth].value[i];
        if (strlen(handed_down[i]) != key_size || memcmp(handed_down[i], key, key_size))
            continue;
        if (value->s && !strcmp(now, value->s))
            return 1;
        snprintf(now, sizeof g->at->value[i], "%s", value->s && value->size < sizeof g->at->value[i] ? value->s : "?");
    }
    return 0;
}

/* Adds the attributes of the tag that ends at `end`, those that the page needs; `g` if the tag is a group. */
static void copy_attributes(const char *s, const char *end, groups *g, text *page)
{
    while (s < end) {
        while (s < end && is_space(*s))
            s++;
        if (s < end && *s == '/') {
            text_add(page, "/");
            s++;
            continue;
        }
        const char *key = s;
        while (s < end && *s != '=' && !is_space(*s))
            s++;
        size_t key_size = (size_t)(s - key);
        while (s < end && (is_space(*s) || *s == '='))
            s++;
        if (s >= end || (*s != '"' && *s != '\''))
            break;
        char quote = *s++;
        const char *value = s;
        while (s < end && *s != quote)
            s++;
        size_t value_size = (size_t)(s - value);
        if (s < end)
            s++;
        if (is_dropped(key, key_size) || (g && key_size == 5 && !memcmp(key, "color", 5)))
            continue;
        if (key_size == 9 && !memcmp(key, "font-size", 9) && value_size >= 3 && !memcmp(value, "14.", 3))
            continue; /* the size that the style sheet sets */
        if (key_size == 10 && !memcmp(key, "xlink:href", 10)) {
            key += 6;
            key_size -= 6;
        }
        text short_value = {0};
        if (!colour_value(value, value_size, &short_value))
            geometry(value, value_size, &short_value);
        if (!g || !is_handed_down(g, key, key_size, &short_value)) {
            text_add(page, " ");
            text_bytes(page, key, key_size);
            text_format(page, "=\"%s\"", short_value.s ? short_value.s : "");
        }
        page->failed |= short_value.failed;
        text_free(&short_value);
    }
}

/* Copies one tag, `s` after '<' and `end` at '>'. A group that changes nothing is left out, and so is its end. */
static void copy_tag(const char *s, const char *end, groups *g, text *page)
{
    const char *name = s;
    while (s < end && !is_space(*s) && *s != '/')
        s++;
    if (s == name && s < end)
        s++;
    if (*name == '/') {
        const int closes_group = starts(name, end + 1, "/g>");
        g->failed |= closes_group && !g->depth;
        if (g->failed || (closes_group && !g->at[g->depth--].written))
            return;
        text_add(page, "<");
        text_bytes(page, name, (size_t)(end - name));
        text_add(page, ">");
        return;
    }
    if (s - name == 1 && *name == 'g') {
        text attributes = {0};
        g->failed |= g->depth + 1 == NESTED;
        if (g->failed)
            return;
        g->at[g->depth + 1] = g->at[g->depth];
        g->depth++;
        copy_attributes(s, end, g, &attributes);
        g->at[g->depth].written = attributes.size > 0;
        if (attributes.size)
            text_format(page, "<g%s>", attributes.s);
        page->failed |= attributes.failed;
        text_free(&attributes);
        return;
    }
    text_add(page, "<");
    text_bytes(page, name, (size_t)(s - name));
    copy_attributes(s, end, NULL, page);
    text_add(page, ">");
}

int gnuplot_embed(const text *svg, const char *title, text *page)
{
    const char *s = svg->s ? strstr(svg->s, "</defs>") : NULL, *end;
    if (!s)
        return -1;
    s += strlen("</defs>");
    end = svg->s + svg->size;
    const char *last = NULL;
    for (const char *at = s; (at = strstr(at, "</svg>")); at++)
        last = at;
    if (!last || last > end)
        return -1;
    end = last;
    int width, height;
    const char *box = strstr(svg->s, "viewBox=\"0 0 ");
    if (!box || sscanf(box, "viewBox=\"0 0 %d %d", &width, &height) != 2)
        return -1;
    text drawing = {0};
    groups open = {.at = {[1] = {.value = {"none", "currentColor", "1"}, .written = 1}}, .depth = 1};
    const group *all = &open.at[1]; /* gnuplot's canvas, which the file opened before its definitions */
    text_format(&drawing, "<g %s=\"%s\" %s=\"%s\" %s=\"%s\">", handed_down[0], all->value[0], handed_down[1],
                all->value[1], handed_down[2], all->value[2]);
    while (s < end) {
        if (*s != '<') {
            const char *from = s;
            int blank = 1;
            while (s < end && *s != '<')
                blank &= is_space(*s++);
            if (!blank)
                text_bytes(&drawing, from, (size_t)(s - from));
            continue;
        }
        if (starts(s, end, "<title>")) { /* gnuplot_plot_1 tells a reader nothing */
            const char *close = strstr(s, "</title>");
            s = close ? close + strlen("</title>") : end;
            continue;
        }
        const char *close = memchr(s, '>', (size_t)(end - s));
        if (!close)
            break;
        if (starts(s, end, "<g ") || starts(s, end, "<g>")) { /* a group of nothing */
            const char *after = close + 1;
            while (after < end && is_space(*after))
                after++;
            if (starts(after, end, "</g>")) {
                s = after + strlen("</g>");
                continue;
            }
        }
        copy_tag(s + 1, close, &open, &drawing);
        s = close + 1;
    }
    const int whole = !open.failed && !open.depth && !drawing.failed;
    if (whole) {
        text_format(page, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", width, height);
        text_html(page, title);
        text_add(page, "\">");
        gnuplot_gather_marks(drawing.s, page);
        text_add(page, "</svg>");
    }
    text_free(&drawing);
    return whole ? 0 : -1;
}
