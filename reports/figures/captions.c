/* Captions computed from a plot's own numbers: highest, lowest, growth, speed-up, errors, lanes. */
#include "reports/figures/captions.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reports/ratios.h"

/* Appends; what does not fit is left out whole, so that no sentence ends within a number. */
static void say(plot *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(plot *p, const char *format, ...)
{
    size_t size = strlen(p->caption);
    va_list list;
    va_start(list, format);
    int more = vsnprintf(p->caption + size, sizeof p->caption - size, format, list);
    va_end(list);
    if (more < 0 || (size_t)more >= sizeof p->caption - size)
        p->caption[size] = '\0';
}

static double unit_of(const plot *p)
{
    return p->y_unit > 0 ? p->y_unit : 1;
}

static const char *figures(number *n, const plot *p, double y)
{
    return number_figures(n, y / unit_of(p));
}

/* The name of an x, as readers know it. */
static const char *place_name(number *n, const plot *p, double x)
{
    return p->category_count ? p->categories[(size_t)x] : x < 1000 ? number_short(n, x) : number_count(n, x);
}

/* The same contender, whatever the backend. */
static int same_contender(const plot_line *a, const plot_line *b)
{
    return a == b || (a->owner[0] && !strcmp(a->owner, b->owner));
}

static double y_at(const plot_line *line, double x)
{
    for (size_t i = 0; i < line->n; i++)
        if (line->x[i] == x)
            return line->y[i];
    return NAN;
}

/* What is there, as a time is. */
static timing timing_at(const plot_line *line, double x)
{
    for (size_t i = 0; i < line->n; i++)
        if (line->x[i] == x)
            return (timing){line->y[i], line->low[i], line->high[i], NAN};
    return (timing){NAN, NAN, NAN, NAN};
}

static double last_x(const plot *p)
{
    double x = -INFINITY;
    for (size_t l = 0; l < p->line_count; l++)
        x = p->lines[l].n ? fmax(x, p->lines[l].x[p->lines[l].n - 1]) : x;
    return x;
}

/* The line that is highest at x, but for the contender `not`; NULL for none. */
static const plot_line *highest_at(const plot *p, double x, const plot_line * not )
{
    const plot_line *best = NULL;
    for (size_t l = 0; l < p->line_count; l++) {
        const plot_line *line = &p->lines[l];
        if (line->style.point && isfinite(y_at(line, x)) && !(not &&same_contender(line, not )) &&
            (!best || y_at(line, x) > y_at(best, x)))
            best = line;
    }
    return best;
}

void caption_highest(plot *p)
{
    number at, a, b;
    double x = last_x(p);
    const plot_line *first = highest_at(p, x, NULL), *next = first ? highest_at(p, x, first) : NULL;
    if (!first)
        return;
    say(p, "At %s %s: %s %s", place_name(&at, p, x), p->x_title, first->label,
        figures(&a, p, y_at(first, x)));
    if (next)
        say(p, ", then %s %s", next->label, figures(&b, p, y_at(next, x)));
    say(p, " %s.", p->y_title);
}

/* ---- the lowest ---- */

static const plot_line *lowest_at(const plot *p, double x)
{
    const plot_line *best = NULL;
    for (size_t l = 0; l < p->line_count; l++)
        if (isfinite(y_at(&p->lines[l], x)) && (!best || y_at(&p->lines[l], x) < y_at(best, x)))
            best = &p->lines[l];
    return best;
}

/* Distinct x of all lines. */
static size_t places(const plot *p, double x[PLOT_LINES * PLOT_POINTS])
{
    size_t n = 0;
    for (size_t l = 0; l < p->line_count; l++)
        for (size_t i = 0; i < p->lines[l].n; i++) {
            int seen = 0;
            for (size_t k = 0; k < n; k++)
                seen |= x[k] == p->lines[l].x[i];
            if (!seen)
                x[n++] = p->lines[l].x[i];
        }
    return n;
}

static void say_range(plot *p, const plot_line *line)
{
    size_t low = 0, high = 0;
    number a, b, at, to;
    for (size_t i = 1; i < line->n; i++) {
        low = line->y[i] < line->y[low] ? i : low;
        high = line->y[i] > line->y[high] ? i : high;
    }
    say(p, "; %s takes %s (%s) to %s (%s) %s", line->label, figures(&a, p, line->y[low]),
        place_name(&at, p, line->x[low]), figures(&b, p, line->y[high]), place_name(&to, p, line->x[high]),
        p->y_title);
}

void caption_lowest(plot *p)
{
    double x[PLOT_LINES * PLOT_POINTS];
    size_t n = places(p, x), wins[PLOT_LINES] = {0}, order[PLOT_LINES];
    for (size_t i = 0; i < n; i++)
        wins[lowest_at(p, x[i]) - p->lines]++;
    for (size_t l = 0; l < p->line_count; l++) {
        size_t k = l;
        for (; k && wins[order[k - 1]] < wins[l]; k--)
            order[k] = order[k - 1];
        order[k] = l;
    }
    for (size_t i = 0; i < p->line_count && wins[order[i]]; i++)
        say(p, "%s%s at %zu of %zu", i ? ", " : "Lowest: ", p->lines[order[i]].label, wins[order[i]], n);
    if (n && p->lines[order[0]].n > 1)
        say_range(p, &p->lines[order[0]]);
    if (n)
        say(p, ".");
}

/* ---- fits, lanes, threads ---- */

void caption_growth(plot *p)
{
    int said = 0;
    for (size_t l = 0; l < p->line_count; l++) {
        const plot_fit *fit = &p->lines[l].fit;
        if (fit->points)
            say(p, "%s%s %.2f (%.2f to %.2f)",
                said++ ? ", " : "Time grows as the number of vertices to the power of: ", p->lines[l].label,
                fit->exponent, fit->low, fit->high);
    }
    say(p, said ? "." : "No power of the number of vertices fits: too few points, or too far from a line.");
}

void caption_speedup(plot *p)
{
    int said = 0;
    for (size_t l = 0; l < p->line_count; l++) {
        const plot_line *line = &p->lines[l];
        size_t i = line->n - 1;
        if (!line->n || !isfinite(line->ideal[i]))
            continue;
        say(p, "%s%s, %s: %.1f times of %.0f lanes, %.0f%%", said++ ? "; " : "",
            p->categories[(size_t)line->x[i]], line->label, line->y[i], line->ideal[i],
            100 * line->y[i] / line->ideal[i]);
        p->doubt = ratio_wider(p->doubt, (ratio){line->y[i], line->low[i], line->high[i], NAN, 0, 0});
    }
    if (said)
        say(p, ".");
}

void caption_threads(plot *p)
{
    double most = last_x(p);
    const plot_line *best = highest_at(p, most, NULL);
    if (best && y_at(best, 1) > 0 && most > 1) {
        const ratio q = ratio_between(NULL, timing_at(best, most), timing_at(best, 1));
        say(p, "%.0f threads of %s give %.2f times one, %.0f%% of the ideal.", most, best->label, q.times,
            100 * q.times / most);
        p->doubt = ratio_wider(p->doubt, q);
    } else {
        caption_highest(p);
    }
}

/* ---- errors ---- */

void caption_errors(plot *p)
{
    number n;
    int said = 0;
    if (!p->mark_count)
        return;
    for (size_t l = 0; l < p->line_count; l++) {
        double share = y_at(&p->lines[l], p->marks[0].x);
        if (!(share > 0))
            continue;
        if (!said++)
            say(p, "Beyond %s:", p->marks[0].label);
        say(p, "%s %s %s", said > 1 ? "," : "", p->lines[l].label, number_rate(&n, share));
    }
    if (said)
        say(p, "; no other.");
    else
        say(p, "No contender exceeds %s.", p->marks[0].label);
}

/* Fewest iterations after which that share of the pairs is done. */
static double quantile(const plot_line *line, double share)
{
    double sum = 0;
    for (size_t i = 0; i < line->n; i++) {
        sum += line->y[i];
        if (sum >= share * (1 - 1e-9))
            return line->x[i];
    }
    return line->n ? line->x[line->n - 1] : NAN;
}

void caption_lanes(plot *p)
{
    number n, at;
    int iterations = !strcmp(p->x_column, "iterations");
    say(p, iterations ? "Half, and 99%%, of the pairs are done after:" : "Least busy:");
    for (size_t l = 0; l < p->line_count; l++) {
        const plot_line *line = &p->lines[l];
        size_t least = 0;
        for (size_t i = 1; i < line->n; i++)
            least = line->y[i] < line->y[least] ? i : least;
        if (iterations)
            say(p, "%s %s %.0f and %.0f", l ? "," : "", line->label, quantile(line, 0.5),
                quantile(line, 0.99));
        else if (line->n)
            say(p, "%s %s %s%% (%s)", l ? "," : "", line->label, figures(&n, p, line->y[least]),
                place_name(&at, p, line->x[least]));
    }
    say(p, ".");
}

void caption_map(plot *p)
{
    int said = 0;
    for (size_t i = 0; i < p->cell_count; i++) {
        size_t count = 0;
        int first = *p->cells[i].best != '\0';
        for (size_t k = 0; k < p->cell_count; k++) {
            int same = !strcmp(p->cells[k].best, p->cells[i].best);
            first &= !(same && k < i);
            count += (size_t)same;
        }
        if (first)
            say(p, "%s%s %zu of %zu", said++ ? ", " : "Leads: ", p->cells[i].best, count, p->cell_count);
    }
    say(p, said ? "." : "No contender is right anywhere here.");
}
