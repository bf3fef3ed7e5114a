/* Plots of lines, bars and fits: styles, ticks, end labels, CSV, and the gnuplot script. */
#include "draw/plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sort.h"

/* Colours after Okabe and Ito (2008), distinct without colour vision by
 * point and dash as well. */
static const struct { const char *name; plot_style style; } styles[] = {
    {"scalar", {8, 6, 1, 1.5}},   {"sse4", {4, 9, 1, 1.5}},     {"avx", {5, 11, 1, 1.5}},
    {"avx2", {3, 5, 1, 2}},       {"avx512vl", {2, 13, 1, 2}},  {"avx512", {1, 7, 1, 3}},
    {"neon", {1, 15, 1, 3}},      {"reference", {COLOUR_INK, 4, 2, 1.5}},
    {"box2d", {6, 8, 4, 2}},      {"bullet-gjkepa", {6, 8, 4, 2}}, {"bullet-pair", {6, 10, 2, 1.5}},
    {"fcl-libccd", {5, 12, 2, 1.5}}, {"fcl-indep", {5, 14, 4, 1.5}}, {"libccd-gjk", {9, 4, 1, 1.5}},
    {"libccd-epa", {9, 10, 2, 1.5}}, {"libccd-mpr", {4, 12, 4, 2}},  {"ode-boxbox", {3, 14, 2, 2}},
};

plot_style plot_style_of(const char *contender, const char *backend, int index)
{
    static const int colours[] = {9, 5, 2, 4, 3, 6}, points[] = {14, 10, 12, 6, 4, 8};
    const char *key = strcmp(contender, "batch") ? contender : backend;
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++)
        if (!strcmp(styles[i].name, key))
            return styles[i].style;
    return (plot_style){colours[(unsigned)index % 6], points[(unsigned)index % 6], 5, 1.5};
}

plot *plot_new(plot_kind kind, const char *heading, const char *x_title, const char *x_column,
               const char *y_title, const char *y_column)
{
    plot *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->kind = kind;
    p->y_unit = 1;
    snprintf(p->heading, sizeof p->heading, "%s", heading);
    snprintf(p->x_title, sizeof p->x_title, "%s", x_title);
    snprintf(p->x_column, sizeof p->x_column, "%s", x_column);
    snprintf(p->y_title, sizeof p->y_title, "%s", y_title);
    snprintf(p->y_column, sizeof p->y_column, "%s", y_column);
    return p;
}

void plot_name(plot *p, const char *what, const char *query, const char *precision)
{
    snprintf(p->id, sizeof p->id, "%.30s%s%.28s%s%.28s", what, *query ? "-" : "", query, *precision ? "-" : "",
             precision);
    for (char *c = p->id; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9')))
            *c = '-';
}

plot_line *plot_line_of(plot *p, const char *label, plot_style style)
{
    for (size_t i = 0; i < p->line_count; i++)
        if (!strncmp(p->lines[i].label, label, sizeof p->lines[i].label - 1))
            return &p->lines[i];
    if (p->line_count == PLOT_LINES)
        return NULL;
    plot_line *line = &p->lines[p->line_count++];
    snprintf(line->label, sizeof line->label, "%s", label);
    line->style = style;
    return line;
}

void plot_add(plot_line *line, double x, double y, double low, double high)
{
    if (!line || line->n == PLOT_POINTS)
        return;
    for (size_t i = 0; i < line->n; i++)
        if (line->x[i] == x)
            return;
    line->x[line->n] = x;
    line->y[line->n] = y;
    line->low[line->n] = low;
    line->high[line->n] = high;
    line->ideal[line->n++] = NAN;
}

int plot_category(plot *p, const char *name)
{
    for (size_t i = 0; i < p->category_count; i++)
        if (!strncmp(p->categories[i], name, sizeof p->categories[i] - 1))
            return (int)i;
    if (p->category_count == PLOT_CATEGORIES)
        return -1;
    snprintf(p->categories[p->category_count], sizeof p->categories[0], "%s", name);
    return (int)p->category_count++;
}

void plot_mark_at(plot *p, double x, const char *label)
{
    if (p->mark_count == PLOT_MARKS || !isfinite(x) || (p->log_x && x <= 0))
        return;
    p->marks[p->mark_count].x = x;
    snprintf(p->marks[p->mark_count++].label, sizeof p->marks[0].label, "%s", label);
}

static void move_point(plot_line *line, size_t to, size_t from)
{
    line->x[to] = line->x[from];
    line->y[to] = line->y[from];
    line->low[to] = line->low[from];
    line->high[to] = line->high[from];
    line->ideal[to] = line->ideal[from];
}

static void swap_points(plot_line *line, size_t i, size_t j)
{
    double *const columns[] = {line->x, line->y, line->low, line->high, line->ideal};
    for (size_t c = 0; c < 5; c++) {
        double keep = columns[c][i];
        columns[c][i] = columns[c][j];
        columns[c][j] = keep;
    }
}

size_t plot_finish(plot *p)
{
    size_t total = 0, lines = 0, most = 0;
    if (p->kind == PLOT_MAP)
        return p->cell_count;
    for (size_t l = 0; l < p->line_count; l++) {
        plot_line *line = &p->lines[l];
        size_t kept = 0;
        for (size_t i = 0; i < line->n; i++)
            if (isfinite(line->x[i]) && isfinite(line->y[i]) && (!p->log_x || line->x[i] > 0) &&
                (!p->log_y || line->y[i] > 0))
                move_point(line, kept++, i);
        line->n = kept;
        for (size_t i = 1; i < kept; i++)
            for (size_t j = i; j && line->x[j - 1] > line->x[j]; j--)
                swap_points(line, j - 1, j);
        most = kept > most ? kept : most;
    }
    /* Next to curves, a line of one point is a stray of another sweep. */
    size_t least = p->kind == PLOT_CURVES && !p->legend && most > 1 ? 2 : 1;
    for (size_t l = 0; l < p->line_count; l++)
        if (p->lines[l].n >= least) {
            total += p->lines[l].n;
            if (lines != l)
                p->lines[lines] = p->lines[l];
            lines++;
        }
    p->line_count = lines;
    return total;
}

static void csv_number(text *out, double value)
{
    if (isfinite(value))
        text_format(out, "%.9g", value);
}

void plot_csv(const plot *p, text *out)
{
    int ranges = 0, ideals = 0, fits = 0;
    if (p->kind == PLOT_MAP) {
        plot_map_csv(p, out);
        return;
    }
    for (size_t l = 0; l < p->line_count; l++) {
        fits |= p->lines[l].fit.points > 0;
        for (size_t i = 0; i < p->lines[l].n; i++) {
            ranges |= isfinite(p->lines[l].low[i]);
            ideals |= isfinite(p->lines[l].ideal[i]);
        }
    }
    text_format(out, "series,%s,%s%s%s%s\r\n", p->x_column, p->y_column, ranges ? ",low,high" : "",
                ideals ? ",ideal" : "", fits ? ",exponent,exponent_low,exponent_high" : "");
    for (size_t l = 0; l < p->line_count; l++) {
        const plot_line *line = &p->lines[l];
        for (size_t i = 0; i < line->n; i++) {
            text_csv(out, line->label);
            text_add(out, ",");
            if (p->category_count)
                text_csv(out, p->categories[(size_t)line->x[i]]);
            else
                csv_number(out, line->x[i]);
            text_add(out, ",");
            csv_number(out, line->y[i]);
            if (ranges) {
                text_add(out, ",");
                csv_number(out, line->low[i]);
                text_add(out, ",");
                csv_number(out, line->high[i]);
            }
            if (ideals) {
                text_add(out, ",");
                csv_number(out, line->ideal[i]);
            }
            if (line->fit.points)
                text_format(out, ",%.6g,%.6g,%.6g", line->fit.exponent, line->fit.low, line->fit.high);
            else if (fits)
                text_add(out, ",,,");
            text_add(out, "\r\n");
        }
    }
}

/* ---- the gnuplot script ---- */

/* Narrow, so that text stays readable where a phone shrinks it. */
enum { WIDTH = 480, HEIGHT = 380 };
static const double LEFT = 0.112; /* of the width, for the labels of y */

typedef struct range { double low, high; } range;

static void widen(range *r, double v)
{
    if (!isfinite(v))
        return;
    r->low = fmin(r->low, v);
    r->high = fmax(r->high, v);
}

static void quoted(text *out, const char *label)
{
    text_add(out, "\"");
    text_gnuplot(out, label);
    text_add(out, "\"");
}

/* 4,096 reads as 4k, as sizes in powers of two do. */
static const char *tick_label(number *buffer, double v)
{
    if (v > 0 && v < 1 && fmod(1 / v, 1) == 0 && 1 / v < 1000) {
        snprintf(buffer->s, sizeof buffer->s, "1/%.0f", 1 / v);
        return buffer->s;
    }
    if (v >= 1024 && fmod(v, 1024) == 0 && fmod(v, 1000) != 0) {
        int mega = fmod(v, 1048576) == 0;
        snprintf(buffer->s, sizeof buffer->s, "%.0f%s", v / (mega ? 1048576 : 1024), mega ? "M" : "k");
        return buffer->s;
    }
    return number_short(buffer, v);
}

static double unit_of(const plot *p)
{
    return p->y_unit > 0 ? p->y_unit : 1;
}

static size_t characters(const char *s)
{
    size_t n = 0;
    for (; *s; s++)
        n += (*s & 0xC0) != 0x80;
    return n;
}

/* How names of categories find room: side by side, in two rows, or slanted. */
typedef enum fit { FIT_ROW, FIT_STAGGERED, FIT_SLANTED } fit;

static fit fit_categories(const plot *p, double right, size_t *longest)
{
    double slot = p->category_count ? (right - LEFT) * WIDTH / (double)p->category_count : WIDTH;
    *longest = 0;
    for (size_t i = 0; i < p->category_count; i++) {
        size_t size = characters(p->categories[i]);
        *longest = size > *longest ? size : *longest;
    }
    double need = 8.2 * (double)*longest + 6;
    return need <= slot ? FIT_ROW : need <= 2 * slot ? FIT_STAGGERED : FIT_SLANTED;
}

/* Ticks at the measured x, thinned where labels would touch. */
static void x_ticks(const plot *p, range x, double right, fit how, text *out)
{
    number label;
    text_add(out, how == FIT_SLANTED ? "set xtics rotate by 30 right (" : "set xtics norotate (");
    if (p->category_count) {
        for (size_t i = 0; i < p->category_count; i++) {
            text_add(out, i ? ", \"" : "\"");
            if (p->minor[i]) {
                text_format(out, "\" %zu", i);
                continue;
            }
            if (how == FIT_STAGGERED && i % 2)
                text_add(out, "\\n");
            text_gnuplot(out, p->categories[i]);
            text_format(out, "\" %zu", i);
        }
    } else {
        double values[PLOT_LINES * PLOT_POINTS];
        size_t n = 0;
        for (size_t l = 0; l < p->line_count; l++)
            for (size_t i = 0; i < p->lines[l].n; i++)
                values[n++] = p->lines[l].x[i];
        gjb_sort(values, n);
        double last = -INFINITY, span = p->log_x ? log(x.high / x.low) : x.high - x.low;
        for (size_t i = 0; i < n; i++) {
            double at = p->log_x ? log(values[i] / x.low) : values[i] - x.low;
            if (at / span - last < 36 / ((right - LEFT) * WIDTH))
                continue;
            text_format(out, "%s\"%s\" %.9g", last > -INFINITY ? ", " : "", tick_label(&label, values[i]),
                        values[i]);
            last = at / span;
        }
    }
    text_add(out, ")\n");
}

static void y_ticks(const plot *p, range y, text *out)
{
    number label;
    const char *comma = "";
    text_add(out, "set ytics norotate (");
    if (p->log_y) {
        double decades = log10(y.high / y.low);
        static const struct { double below; int n; double at[3]; } steps[] = {
            {2.5, 3, {1, 2, 5}}, {4.2, 2, {1, 3}}, {INFINITY, 1, {1}}};
        int fine = 0;
        while (decades >= steps[fine].below)
            fine++;
        int stride = decades > 6 ? 2 : 1;
        for (int e = (int)floor(log10(y.low)); e <= (int)ceil(log10(y.high)); e++)
            for (int s = 0; s < steps[fine].n; s++) {
                double v = steps[fine].at[s] * pow(10, e);
                if (v < y.low || v > y.high || e % stride)
                    continue;
                if (v < 0.001 && s == 0)
                    snprintf(label.s, sizeof label.s, "1e%d", e);
                else
                    number_short(&label, v);
                text_format(out, "%s\"%s\" %.9g", comma, label.s, v);
                comma = ", ";
            }
    } else {
        double raw = (y.high - y.low) / 5, base = pow(10, floor(log10(raw)));
        double step = base * (raw / base > 5 ? 10 : raw / base > 2.5 || p->differs * raw > 2 * base ? 5 : raw / base > 2 ? 2.5 : raw / base > 1 ? 2 : 1);
        for (double v = p->differs ? ceil(y.low / step) * step : 0; v <= y.high * 1.0001; v += step) {
            if (p->differs)
                snprintf(label.s, sizeof label.s, "%.*f", step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0, v);
            else
                number_short(&label, v);
            text_format(out, "%s\"%s\" %.9g", comma, label.s, v);
            comma = ", ";
        }
    }
    text_add(out, ")\n");
}

static double graph_y(const plot *p, range y, double v)
{
    return p->log_y ? log(v / y.low) / log(y.high / y.low) : (v - y.low) / (y.high - y.low);
}

/* Direct labels next to the right-hand end of every line, in the order of the
 * lines, pushed apart until none touch. */
static void end_labels(const plot *p, range y, double right, int *next, text *out)
{
    enum { WIDEST = PLOT_LINES };
    struct { size_t line; double at; } labels[WIDEST], keep;
    const double gap = 0.067;
    size_t n = p->line_count;
    for (size_t i = 0; i < n; i++) {
        const plot_line *line = &p->lines[i];
        labels[i].line = i;
        labels[i].at = graph_y(p, y, line->y[line->n - 1] / unit_of(p));
        for (size_t j = i; j && labels[j - 1].at > labels[j].at; j--) {
            keep = labels[j];
            labels[j] = labels[j - 1];
            labels[j - 1] = keep;
        }
    }
    for (int pass = 0; pass < 400; pass++)
        for (size_t i = 0; i < n; i++) {
            if (i && labels[i].at - labels[i - 1].at < gap) {
                double push = (gap - (labels[i].at - labels[i - 1].at)) / 2;
                labels[i].at += push;
                labels[i - 1].at -= push;
            }
            if (labels[i].at < 0)
                labels[i].at = 0;
            if (labels[i].at > 1)
                labels[i].at = 1;
        }
    for (size_t i = 0; i < n; i++) {
        const plot_line *line = &p->lines[labels[i].line];
        if (p->legend)
            labels[i].at = 0.97 - 0.07 * (double)labels[i].line;
        text_format(out, "set label %d ", (*next)++);
        quoted(out, line->label);
        text_format(out, " at screen %.4f, graph %.4f left point pt %d ps 0.9 lw %.1f lc rgb \"#0001%02x\""
                    " offset character 0.9,-0.22 tc rgb \"#0001%02x\"\n", right + 0.042,
                    labels[i].at, line->style.point,
                    line->style.width, line->style.colour, COLOUR_INK);
    }
}

static void data_block(const plot *p, size_t l, text *out)
{
    const plot_line *line = &p->lines[l];
    double unit = unit_of(p), shift = 0, width = 0.8 / (double)p->line_count;
    if (p->kind == PLOT_BARS)
        shift = ((double)l - ((double)p->line_count - 1) / 2) * width;
    text_format(out, "$d%zu << EOD\n", l);
    for (size_t i = 0; i < line->n; i++) {
        /* A distribution: if bins are empty, no line suggests otherwise. */
        if (i && p->legend && (p->log_x ? line->x[i] > 2.5 * line->x[i - 1] : line->x[i] > line->x[i - 1] + 1.5))
            text_add(out, "\n");
        double x = line->x[i] + shift, y = line->y[i] / unit;
        double low = isfinite(line->low[i]) ? line->low[i] / unit : y;
        double high = isfinite(line->high[i]) ? line->high[i] / unit : y;
        /* A whisker thinner than its point would only add ink. */
        int seen = p->band || (p->log_y ? low > 0 && high / low > 1.06 : high - low > 0.03 * y);
        text_format(out, "%.9g %.9g %.9g %.9g %.9g\n", x, y, seen ? low : y, seen ? high : y,
                    isfinite(line->ideal[i]) ? line->ideal[i] / unit : -1);
    }
    text_add(out, "EOD\n");
}

static int has_whiskers(const plot *p, const plot_line *line)
{
    for (size_t i = 0; i < line->n; i++) {
        double low = line->low[i], high = line->high[i];
        if (isfinite(low) && isfinite(high) && low > 0 &&
            (p->log_y ? high / low > 1.06 : high - low > 0.03 * line->y[i]))
            return 1;
    }
    return 0;
}

static void bars(const plot *p, double height, double right, int *next, text *out)
{
    double width = 0.8 / (double)p->line_count, unit = unit_of(p);
    const char *comma = "plot ";
    for (size_t l = 0; l < p->line_count; l++) {
        const plot_line *line = &p->lines[l];
        double shift = ((double)l - ((double)p->line_count - 1) / 2) * width;
        for (size_t i = 0; i < line->n; i++) {
            number value;
            double y = line->y[i] / unit, x = line->x[i] + shift;
            double ideal = line->ideal[i] / unit, top = y;
            snprintf(value.s, sizeof value.s, y < 9.95 ? "%.1f" : "%.0f", y);
            if (ideal > y - 0.01 * height && ideal < y + 0.085 * height)
                top = ideal; /* the number stands clear of the line */
            if (isfinite(ideal) || y < 0.99 || y > 1.01) /* the yardstick itself needs no number */
                text_format(out, "set label %d \"%s\" at first %.4f, first %.6g center font ',12' "
                            "offset character 0,0.55 tc rgb \"#0001%02x\"\n", (*next)++, value.s, x, top, COLOUR_INK);
            if (isfinite(ideal))
                text_format(out, "set arrow %d from first %.4f, first %.6g to first %.4f, first %.6g nohead front "
                            "lw 2 lc rgb \"#0001%02x\"\n", (*next)++, x - width * 0.48, ideal, x + width * 0.48, ideal,
                            COLOUR_INK);
        }
        if (p->line_count == 1) /* the heading says what a key of one entry would */
            continue;
        /* The key, in the order of the bars. */
        text_format(out, "set label %d ", (*next)++);
        quoted(out, line->label);
        text_format(out, " at screen %.4f, graph %.3f left point pt 5 ps 1.3 lc rgb \"#0001%02x\" "
                    "offset character 0.9,-0.22 tc rgb \"#0001%02x\"\n", right + 0.042, 0.95 - 0.075 * (double)l,
                    line->style.colour, COLOUR_INK);
    }
    for (size_t l = 0; l < p->line_count; l++) {
        text_format(out, "%s$d%zu using 1:2:(%.4f) with boxes fs solid 1 noborder lc rgb \"#0001%02x\" notitle",
                    comma, l, width * 0.94, p->lines[l].style.colour);
        comma = ", ";
    }
    text_add(out, "\n");
}

static void curves(const plot *p, text *out)
{
    const char *comma = "plot ";
    for (size_t l = 0; l < p->line_count; l++) {
        const plot_style *s = &p->lines[l].style;
        if (p->band) {
            text_format(out, "%s$d%zu using 1:3:4 with filledcurves fs transparent solid 0.14 noborder lc rgb "
                        "\"#0001%02x\" notitle", comma, l, s->colour);
            comma = ", ";
        } else if (has_whiskers(p, &p->lines[l])) {
            text_format(out, "%s$d%zu using 1:3:(0):($4-$3) with vectors nohead lw 1 lc rgb \"#0001%02x\" notitle",
                        comma, l, s->colour);
            comma = ", ";
        }
        if (p->kind == PLOT_DOTS && s->point)
            text_format(out, "%s$d%zu using 1:2 with points pt %d ps 1.1 lc rgb \"#0001%02x\" notitle", comma, l,
                        s->point, s->colour);
        else if (!s->point)
            text_format(out, "%s$d%zu using 1:2 with lines lw %.1f dt %d lc rgb \"#0001%02x\" notitle", comma, l,
                        s->width, s->dash, s->colour);
        else
            text_format(out, "%s$d%zu using 1:2 with linespoints pt %d ps 0.8 lw %.1f dt %d lc rgb \"#0001%02x\" "
                        "notitle", comma, l, s->point, s->width, s->dash, s->colour);
        comma = ", ";
    }
    text_add(out, "\n");
}

static void fit_line(const plot_line *line, double unit, int *next, text *out)
{
    const plot_fit *fit = &line->fit;
    if (!fit->points || line->n < 2)
        return;
    const double from = line->x[0], to = line->x[line->n - 1];
    text_format(out, "set arrow %d from first %.9g, first %.9g to first %.9g, first %.9g nohead back dt 3 lw 1 "
                "lc rgb \"#0001%02x\"\n", (*next)++, from, fit->scale * pow(from, fit->exponent) / unit, to,
                fit->scale * pow(to, fit->exponent) / unit, line->style.colour);
}

void plot_script(const plot *p, text *out)
{
    range x = {INFINITY, -INFINITY}, y = {INFINITY, -INFINITY};
    size_t longest = 0;
    for (size_t l = 0; l < p->line_count; l++) {
        const plot_line *line = &p->lines[l];
        size_t size = characters(line->label);
        longest = size > longest ? size : longest;
        for (size_t i = 0; i < line->n; i++) {
            widen(&x, line->x[i]);
            widen(&y, line->y[i] / unit_of(p));
            widen(&y, line->ideal[i] / unit_of(p));
            if (line->fit.points)
                widen(&y, line->fit.scale * pow(line->x[i], line->fit.exponent) / unit_of(p));
            widen(&y, p->band && (!p->log_y || line->low[i] > 0) ? line->low[i] / unit_of(p) : NAN);
            widen(&y, p->band ? line->high[i] / unit_of(p) : NAN);
        }
    }
    for (size_t i = 0; i < p->mark_count && p->legend; i++) /* a tolerance is seen, however far errors stay from it */
        widen(&x, p->marks[i].x);
    if (p->category_count)
        x = (range){p->kind == PLOT_BARS ? -0.6 : -0.3, (double)p->category_count - (p->kind == PLOT_BARS ? 0.4 : 0.7)};
    else if (x.low == x.high)
        x = p->log_x ? (range){x.low / 2, x.high * 2} : (range){x.low - 1, x.high + 1};
    if (p->log_y)
        y = (range){y.low / 1.25, y.high * 1.25};
    else if (p->differs && y.high >= y.low)
        y = (range){y.low - fmax(0.12 * (y.high - y.low), 0.01), y.high + fmax(0.12 * (y.high - y.low), 0.01)};
    else
        y = (range){0, y.high > 0 ? y.high * 1.12 : 1};

    double right = 1 - (42 + 8.6 * (double)(longest > 20 ? 20 : longest < 4 ? 4 : longest)) / WIDTH;
    size_t widest;
    fit how = fit_categories(p, right, &widest);
    double bottom = 0.165 + (how == FIT_STAGGERED ? 15.0 / HEIGHT : how == FIT_SLANTED ? 4.0 * (double)widest / HEIGHT : 0);
    int next = 1;
    text_format(out,
        "set terminal svg size %d,%d noenhanced dynamic font 'DejaVu Sans,14'\n"
        "set encoding utf8\nunset key\n"
        "set border 1 lw 1 lc rgb \"#0001%02x\"\n"
        "set grid ytics lt 1 lw 1 lc rgb \"#0001%02x\"\n"
        "set tics nomirror out scale 0.4,0 textcolor rgb \"#0001%02x\"\n"
        "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
        "set tmargin at screen 0.85\nset bmargin at screen %.3f\n",
        WIDTH, HEIGHT, COLOUR_MUTED, COLOUR_GRID, COLOUR_INK, LEFT, right, bottom);
    if (p->log_x)
        text_add(out, "set logscale x\n");
    if (p->log_y)
        text_add(out, "set logscale y\n");
    text_format(out, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", x.low, x.high, y.low, y.high);
    x_ticks(p, x, right, how, out);
    y_ticks(p, y, out);
    text_add(out, "set xlabel ");
    quoted(out, p->x_title);
    text_format(out, " offset 0,%.2f tc rgb \"#0001%02x\"\nset label %d ",
                how == FIT_STAGGERED ? -0.55 : 0.35, COLOUR_MUTED, next++);
    quoted(out, p->y_title);
    text_format(out, " at screen 0.005, screen 0.96 left tc rgb \"#0001%02x\"\n", COLOUR_MUTED);
    for (size_t i = 0; i < p->mark_count; i++) {
        const plot_mark *m = &p->marks[i];
        if (m->x < x.low || m->x > x.high)
            continue;
        text_format(out, "set arrow %d from first %.9g, graph 0 to first %.9g, graph 1 nohead back dt 3 lw 1 "
                    "lc rgb \"#0001%02x\"\nset label %d ", next, m->x, m->x, COLOUR_MUTED, next);
        quoted(out, m->label);
        text_format(out, " at first %.9g, graph 1.045 center tc rgb \"#0001%02x\"\n", m->x, COLOUR_MUTED);
        next++;
    }
    for (size_t l = 0; l < p->line_count; l++)
        fit_line(&p->lines[l], unit_of(p), &next, out);
    for (size_t l = 0; l < p->line_count; l++)
        data_block(p, l, out);
    if (p->kind == PLOT_BARS) {
        bars(p, y.high - y.low, right, &next, out);
    } else {
        end_labels(p, y, right, &next, out);
        curves(p, out);
    }
}
