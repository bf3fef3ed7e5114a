/* Panels of polygons, lines, arrows, dots and labels, written as one gnuplot script. */
#include "draw/plot/canvas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void canvas_open(canvas *c, int width, int height)
{
    *c = (canvas){.width = width, .height = height};
}

void canvas_free(canvas *c)
{
    text_free(&c->blocks);
    text_free(&c->commands);
    text_free(&c->plot);
}

canvas_range canvas_nothing(void)
{
    return (canvas_range){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
}

/* Methods that fail compute numbers that cannot be drawn. */
static int drawable(const double at[2])
{
    return fabs(at[0]) < 1e30 && fabs(at[1]) < 1e30;
}

void canvas_take_in(canvas_range *range, const double at[2])
{
    if (!drawable(at))
        return;
    for (int k = 0; k < 2; k++) {
        range->low[k] = fmin(range->low[k], at[k]);
        range->high[k] = fmax(range->high[k], at[k]);
    }
}

/* Fractions of the height that a panel leaves below for ticks and above for its title. */
static const double below = 0.09, above = 0.09;

/* Left of a panel there is room for ticks of so many pixels; wider ones take theirs from the panel. */
static const double tick_room = 28, tick_apart = 34, tick_gap = 12;

/* Pixels of a tick's label in 12 point DejaVu Sans, whose digits are all as wide. */
static double tick_width(double number)
{
    char words[32];
    double width = 0;
    snprintf(words, sizeof words, "%g", number);
    for (const char *at = words; *at; at++)
        width += *at == '-' || *at == '.' ? 4.4 : 7.7;
    return width;
}

static double widest_tick(double low, double high, double step)
{
    const double first = ceil(low / step), count = fmin(floor(high / step) - first, 100);
    double widest = 0;
    for (double k = 0; k <= count; k++)
        widest = fmax(widest, tick_width((first + k) * step));
    return widest;
}

/* The least of 1, 2, 5, 10, 20 ... in which labels do not meet: they stand next to one another, or one above another. */
static double tick_step(double low, double high, double unit, int next_to)
{
    static const double factors[3] = {1, 2, 5};
    const double least = tick_apart * unit;
    const int ten = (int)floor(log10(least));
    double step = least;
    for (int k = 0; k < 9; k++) {
        step = factors[k % 3] * pow(10, ten + k / 3);
        if (step >= least && (!next_to || widest_tick(low, high, step) + tick_gap <= step / unit))
            break;
    }
    return step;
}

/* `range` in the middle of a box of so many pixels. */
static canvas_range fit(const canvas_range *range, const double box[2], int axes, double *unit)
{
    canvas_range shown;
    *unit = 0;
    for (int k = 0; k < 2; k++)
        *unit = fmax(*unit, (axes ? 1.42 : 1.16) * (range->high[k] - range->low[k]) / box[k]);
    if (!(*unit > 0)) /* a single point */
        *unit = fmax(1, fabs(range->low[0])) / box[0];
    for (int k = 0; k < 2; k++) {
        double middle = range->low[k] / 2 + range->high[k] / 2;
        shown.low[k] = middle - *unit * box[k] / 2;
        shown.high[k] = middle + *unit * box[k] / 2;
    }
    return shown;
}

static void add_ticks(canvas *c, const canvas_range *shown, double unit)
{
    text_format(&c->commands,
                "set xtics axis out scale 0 nomirror format \"%%g\" font ',12' %.17g\n"
                "set ytics out scale 0 nomirror format \"%%g\" font ',12' %.17g\n"
                "set border 0\n"
                "set tics textcolor rgb \"#0001%02x\"\n"
                "set xtics border\n"
                "set grid lt 1 lw 1 lc rgb \"#0001%02x\"\n",
                tick_step(shown->low[0], shown->high[0], unit, 1),
                tick_step(shown->low[1], shown->high[1], unit, 0), COLOUR_MUTED, COLOUR_GRID);
}

canvas_range canvas_panel(canvas *c, double left, double right, const canvas_range *range, const char *title,
                          int axes)
{
    double box[2] = {(right - left) * c->width, (1 - above - below) * c->height}, unit = 0, inset = 0;
    canvas_range all = *range;
    if (!(all.low[0] <= all.high[0]))
        all = (canvas_range){{-1, -1}, {1, 1}};
    canvas_range shown = fit(&all, box, axes, &unit);
    if (axes) {
        const double step = tick_step(shown.low[1], shown.high[1], unit, 0);
        inset = fmax(0, widest_tick(shown.low[1], shown.high[1], step) - tick_room);
        box[0] -= inset;
        shown = fit(&all, box, axes, &unit);
    }
    text_format(&c->commands,
                "set lmargin at screen %.4f\n"
                "set rmargin at screen %.4f\n"
                "set bmargin at screen %.4f\n"
                "set tmargin at screen %.4f\n"
                "set xrange [%.17g:%.17g]\n"
                "set yrange [%.17g:%.17g]\n"
                "set label 1 \"",
                left + inset / c->width, right, below, 1 - above, shown.low[0], shown.high[0], shown.low[1],
                shown.high[1]);
    text_gnuplot(&c->commands, title);
    text_format(&c->commands, "\" at screen %.4f, screen %.4f left tc rgb \"#0001%02x\"\n", left + inset / c->width,
                1 - above / 2.5, COLOUR_MUTED);
    if (axes)
        add_ticks(c, &shown, unit);
    else
        text_add(&c->commands, "unset xtics\nunset ytics\nset border 0\nunset grid\n");
    c->plot.size = 0;
    return shown;
}

void canvas_panel_end(canvas *c)
{
    text_add(&c->commands, c->plot.size ? "plot " : "plot NaN notitle");
    text_bytes(&c->commands, c->plot.s ? c->plot.s : "", c->plot.size);
    text_add(&c->commands, "\n");
}

/* A data block of these points, and the beginning of its plot clause. */
static void block(canvas *c, const double (*p)[2], size_t n, int closed)
{
    text_format(&c->blocks, "$d%d << EOD\n", c->next);
    for (size_t k = 0; k < n + (size_t)(closed && n > 2); k++)
        if (drawable(p[k % n]))
            text_format(&c->blocks, "%.9g %.9g\n", p[k % n][0], p[k % n][1]);
    text_add(&c->blocks, "EOD\n");
    text_format(&c->plot, "%s$d%d using 1:2 notitle ", c->plot.size ? ", " : "", c->next++);
}

void canvas_fill(canvas *c, const double (*p)[2], size_t n, int colour, double opacity)
{
    if (n < 3)
        return;
    block(c, p, n, 1);
    text_format(&c->plot, "with filledcurves closed fc rgb \"#0001%02x\" fs transparent solid %.1f noborder",
                colour, opacity);
}

void canvas_line(canvas *c, const double (*p)[2], size_t n, int closed, int colour, double width, int dash)
{
    if (n < 2)
        return;
    block(c, p, n, closed);
    text_format(&c->plot, "with lines lw %.1f dt %d lc rgb \"#0001%02x\"", width, dash, colour);
}

void canvas_segments(canvas *c, const double (*ends)[2][2], size_t n, int colour, double width, int dash)
{
    if (!n)
        return;
    text_format(&c->blocks, "$d%d << EOD\n", c->next);
    for (size_t k = 0; k < n; k++)
        if (drawable(ends[k][0]) && drawable(ends[k][1]))
            text_format(&c->blocks, "%.9g %.9g\n%.9g %.9g\n\n", ends[k][0][0], ends[k][0][1], ends[k][1][0],
                    ends[k][1][1]);
    text_add(&c->blocks, "EOD\n");
    text_format(&c->plot, "%s$d%d using 1:2 notitle with lines lw %.1f dt %d lc rgb \"#0001%02x\"",
                c->plot.size ? ", " : "", c->next++, width, dash, colour);
}

void canvas_arrow(canvas *c, const double from[2], const double to[2], int colour, double width)
{
    if (!drawable(from) || !drawable(to))
        return;
    text_format(&c->blocks, "$d%d << EOD\n%.9g %.9g %.9g %.9g\nEOD\n", c->next, from[0], from[1],
                to[0] - from[0], to[1] - from[1]);
    text_format(&c->plot,
                "%s$d%d using 1:2:3:4 notitle with vectors filled head size screen 0.016,18 lw %.1f lc rgb "
                "\"#0001%02x\"",
                c->plot.size ? ", " : "", c->next++, width, colour);
}

void canvas_dot(canvas *c, const double at[2], int type, double size, int colour)
{
    if (!drawable(at))
        return;
    block(c, (const double(*)[2])at, 1, 0);
    text_format(&c->plot, "with points pt %d ps %.1f lw 2 lc rgb \"#0001%02x\"", type, size, colour);
}

void canvas_label(canvas *c, const double at[2], const double away[2], const char *words, int colour)
{
    if (!drawable(at))
        return;
    double length = hypot(away[0], away[1]), x = length > 0 ? away[0] / length : 1,
           y = length > 0 ? away[1] / length : 0;
    const char *align = x > 0.4 ? "left" : x < -0.4 ? "right" : "center";
    if (!isfinite(x + y))
        return;
    if (fabs(x) > 0.4 && strlen(words) > 8) { /* next to the panel stand ticks, its own or the next one's */
        align = x > 0 ? "right" : "left";
        x = 0;
        y = y < 0 ? -1 : 1;
    }
    text_format(&c->blocks, "$d%d << EOD\n%.9g %.9g \"", c->next, at[0], at[1]);
    text_gnuplot(&c->blocks, words);
    text_add(&c->blocks, "\"\nEOD\n");
    text_format(&c->plot,
                "%s$d%d using 1:2:3 notitle with labels %s offset character %.2f,%.2f tc rgb \"#0001%02x\"",
                c->plot.size ? ", " : "", c->next++, align, 1.1 * x, 0.85 * y, colour);
}

void canvas_script(const canvas *c, text *out)
{
    text_format(out,
                "set terminal svg size %d,%d noenhanced dynamic font 'DejaVu Sans,14' dashlength 1.6\n"
                "set encoding utf8\n"
                "unset key\n"
                "set clip two\n",
                c->width, c->height);
    text_bytes(out, c->blocks.s ? c->blocks.s : "", c->blocks.size);
    text_add(out, "set multiplot\n");
    text_bytes(out, c->commands.s ? c->commands.s : "", c->commands.size);
    text_add(out, "unset multiplot\n");
    out->failed |= c->blocks.failed | c->commands.failed | c->plot.failed;
}
