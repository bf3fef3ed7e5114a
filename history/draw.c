/* Draws a series with its levels, changes and events, as CSV and as a gnuplot script. */
#include "history/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/plot/plot.h"

enum { WIDTH = 480, HEIGHT = 300, DOTS = 400, WHISKERS = 120, LABELS = 12, LABEL_ROWS = 3, TICKS = 5 };
static const double LEFT = 0.12, RIGHT = 0.925, BOTTOM = 0.205;
enum { COLOUR_SLOWER = 6, COLOUR_FASTER = 3, COLOUR_LEVEL = 1, COLOUR_DOT = 8 };

gjb_draw_name gjb_draw_name_of(const gjb_series *s)
{
    gjb_draw_name name;
    snprintf(name.s, sizeof name.s, "%.230s-%.16s-build%lld-seed%lld", s->name, s->of->machine, s->of->build, s->of->seed);
    for (char *c = name.s; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9')))
            *c = '-';
    return name;
}

gjb_short_commit gjb_short_commit_of(const char *commit)
{
    gjb_short_commit s;
    snprintf(s.s, sizeof s.s, "%.*s%s", (int)(strcspn(commit, "-") < 8 ? strcspn(commit, "-") : 8), commit,
             strstr(commit, "-dirty") ? "+" : "");
    return s;
}

/* What times at `at` are held against: the first level of the same workload. */
static double yardstick(const gjb_levels *levels, size_t at)
{
    size_t l = 0;
    while (l + 1 < levels->count && levels->all[l].end <= at)
        l++;
    return levels->all[l].ns / levels->all[l].ratio;
}

static size_t level_at(const gjb_levels *levels, size_t at)
{
    size_t l = 0;
    while (l + 1 < levels->count && levels->all[l].end <= at)
        l++;
    return l;
}

void gjb_draw_csv(const gjb_found *found, const gjb_past *past, const gjb_levels *levels, text *out)
{
    const gjb_series *s = found->series;
    size_t turn = 0, event = 0;
    const char *unit = gjb_series_unit(s);
    text_format(out, "index,commit,place,run,%s_per_pair,%s_low,%s_high,ratio,level,level_ratio,change,change_low,"
                     "change_high,change_p,workload_hash,fingerprint,events\r\n",
                unit, unit, unit);
    for (size_t i = 0; i < s->count; i++) {
        const gjb_past_time *t = &s->times[i];
        const gjb_past_run *r = &past->runs[t->run];
        const size_t l = level_at(levels, i);
        text_format(out, "%zu,", i + 1);
        text_csv(out, r->commit);
        text_format(out, ",%s,%s,%.9g,%.9g,%.9g,%.9g,%zu,%.9g,", gjb_day_of(r->place).s, r->hash, t->ns, t->low, t->high,
                    t->ns / yardstick(levels, i), l + 1, levels->all[l].ratio);
        if (turn < found->turn_count && found->turns[turn].at == i) {
            const gjb_turn *c = &found->turns[turn++];
            text_format(out, "%.9g,%.9g,%.9g,%.4g,", c->ratio.value, c->ratio.low, c->ratio.high, c->p);
        } else {
            text_add(out, ",,,,");
        }
        text_csv(out, t->workload_hash);
        text_add(out, ",");
        text_csv(out, t->fingerprint);
        text_add(out, ",");
        for (const char *space = ""; event < found->event_count && found->events[event].at == i; event++, space = " ")
            text_format(out, "%s%s", space, gjb_event_name(found->events[event].kind));
        text_add(out, "\r\n");
    }
}

typedef struct range { double low, high; } range;

/* Over all dots, but for those that went so far astray that the others would lie on one line. */
static range heights(const gjb_series *s, const gjb_levels *levels)
{
    range y = {INFINITY, 0}, cap = {INFINITY, 0};
    for (size_t l = 0; l < levels->count; l++) {
        cap.low = fmin(cap.low, levels->all[l].ratio / 1.5);
        cap.high = fmax(cap.high, levels->all[l].ratio * 1.5);
    }
    for (size_t i = 0; i < s->count; i++) {
        const double ratio = s->times[i].ns / yardstick(levels, i);
        if (ratio < cap.low || ratio > cap.high)
            continue;
        y.low = fmin(y.low, ratio);
        y.high = fmax(y.high, ratio);
    }
    const double room = fmax(0.12 * (y.high - y.low), 0.01);
    return (range){y.low - room, y.high + room};
}

static void y_ticks(range y, text *out)
{
    const double raw = (y.high - y.low) / 6, base = pow(10, floor(log10(raw)));
    const double step = base * (raw / base > 5 ? 10 : raw / base > 2 ? 5 : raw / base > 1 ? 2 : 1);
    const int places = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3;
    const char *comma = "";
    text_add(out, "set ytics norotate (");
    for (double k = ceil(y.low / step); k * step <= y.high; k++, comma = ", ")
        text_format(out, "%s\"%.*f\" %.9g", comma, places, k * step, k * step);
    text_add(out, ")\n");
}

static void x_ticks(const gjb_series *s, const gjb_past *past, text *out)
{
    const size_t ticks = s->count < TICKS ? s->count : TICKS;
    text_add(out, "set xtics norotate (");
    for (size_t k = 0; k < ticks; k++) {
        const size_t at = ticks > 1 ? k * (s->count - 1) / (ticks - 1) : 0;
        text_format(out, "%s\"", k ? ", " : "");
        text_gnuplot(out, gjb_short_commit_of(past->runs[s->times[at].run].commit).s);
        text_format(out, "\" %zu", at + 1);
    }
    text_add(out, ")\n");
}

static void frame(const gjb_found *found, const gjb_past *past, range y, text *out)
{
    const gjb_series *s = found->series;
    const size_t rows = found->turn_count < LABEL_ROWS ? found->turn_count : LABEL_ROWS;
    text_format(out,
                "set terminal svg size %d,%d noenhanced dynamic font 'DejaVu Sans,14'\nset encoding utf8\nunset key\n"
                "set border 1 lw 1 lc rgb \"#0001%02x\"\nset grid ytics lt 1 lw 1 lc rgb \"#0001%02x\"\n"
                "set tics nomirror out scale 0.4,0 textcolor rgb \"#0001%02x\"\n"
                "set lmargin at screen %.3f\nset rmargin at screen %.3f\nset tmargin at screen %.3f\nset bmargin at screen "
                "%.3f\nset xrange [0.4:%.9g]\nset yrange [%.9g:%.9g]\n",
                WIDTH, HEIGHT, COLOUR_MUTED, COLOUR_GRID, COLOUR_INK, LEFT, RIGHT, 0.875 - 0.055 * (double)rows, BOTTOM, (double)s->count + 0.6, y.low,
                y.high);
    x_ticks(s, past, out);
    y_ticks(y, out);
    text_format(out,
                "set xlabel \"runs in order of commits\" offset 0,0.3 tc rgb \"#0001%02x\"\n"
                "set label \"%s per pair, first level = 1\" at screen 0.005, screen 0.955 left tc rgb \"#0001%02x\"\n",
                COLOUR_MUTED, s->of->counts ? "instructions" : "time", COLOUR_MUTED);
}

static void mark(double x, const char *label, int colour, int dash, const char *where, text *out)
{
    text_format(out, "set arrow from first %.9g, graph 0 to first %.9g, graph 1 nohead back dt %d lw 1.5 lc rgb \"#0001%02x\"\n",
                x, x, dash, colour);
    if (!*label)
        return;
    text_add(out, "set label \"");
    text_gnuplot(out, label);
    text_format(out, "\" at first %.9g, %s front tc rgb \"#0001%02x\" font ',12'\n", x, where, COLOUR_INK);
}

/* Labels stand above the frame in rows, so that neighbours do not touch. */
static void marks(const gjb_found *found, const gjb_past *past, text *out)
{
    const double count = (double)found->series->count;
    for (size_t i = 0; i < found->turn_count; i++) {
        const gjb_turn *t = &found->turns[i];
        const double x = (double)t->at + 0.5, share = x / (count + 1);
        char label[64] = "", where[64];
        snprintf(where, sizeof where, "graph %.3f %s", 1.035 + 0.085 * (double)(i % LABEL_ROWS),
                 share > 0.8 ? "right" : share < 0.2 ? "left" : "center");
        if (found->turn_count <= LABELS)
            snprintf(label, sizeof label, "%+.1f%%%s%s", 100 * (t->ratio.value - 1), found->turn_count <= 6 ? " " : "",
                     found->turn_count <= 6 ? gjb_short_commit_of(past->runs[found->series->times[t->at].run].commit).s : "");
        mark(x, label, t->ratio.value > 1 ? COLOUR_SLOWER : COLOUR_FASTER, 2, where, out);
    }
    for (size_t i = 0; i < found->event_count; i++)
        mark((double)found->events[i].at + 0.5, found->event_count <= LABELS ? gjb_event_name(found->events[i].kind) : "",
             COLOUR_MUTED, 3, "graph 0.03 left rotate by 90 offset character 0.7,0", out);
}

/* Groups of as many runs as it takes for DOTS dots: each the median of its runs. */
static size_t dots(const gjb_series *s, const gjb_levels *levels, range y, text *out)
{
    const size_t group = (s->count + DOTS - 1) / DOTS;
    size_t astray = 0;
    text strays = {0};
    text_add(out, "$dots << EOD\n");
    for (size_t i = 0; i < s->count; i += group) {
        const size_t end = i + group < s->count ? i + group : s->count;
        const double by = yardstick(levels, i), ratio = gjb_series_median(s, i, end) / by, x = (double)(i + end + 1) / 2;
        if (ratio > y.high || ratio < y.low) {
            text_format(&strays, "%.9g %.9g\n", x, ratio > y.high ? y.high : y.low);
            astray++;
            continue;
        }
        text_format(out, "%.9g %.9g %.9g %.9g\n", x, ratio, group == 1 ? fmax(s->times[i].low / by, y.low) : ratio,
                    group == 1 ? fmin(s->times[i].high / by, y.high) : ratio);
    }
    text_add(out, "EOD\n$strays << EOD\n");
    if (strays.size)
        text_bytes(out, strays.s, strays.size);
    text_add(out, "EOD\n");
    out->failed |= strays.failed;
    text_free(&strays);
    return astray;
}

void gjb_draw_script(const gjb_found *found, const gjb_past *past, const gjb_levels *levels, text *out)
{
    const gjb_series *s = found->series;
    const range y = heights(s, levels);
    frame(found, past, y, out);
    marks(found, past, out);
    const size_t astray = dots(s, levels, y, out);
    text_add(out, "$levels << EOD\n");
    const int tested = s->of->counts || s->count >= GJB_CHANGE_RUNS_LEAST; /* of fewer runs no level is known */
    for (size_t l = 0; l < levels->count && tested; l++)
        text_format(out, "%.9g %.9g\n%.9g %.9g\n\n", (double)levels->all[l].first + 0.62, levels->all[l].ratio,
                    (double)levels->all[l].end + 0.38, levels->all[l].ratio);
    text_add(out, "EOD\nplot ");
    if (s->count <= WHISKERS)
        text_format(out, "$dots using 1:3:(0):($4-$3) with vectors nohead lw 1 lc rgb \"#0001%02x\" notitle, ", COLOUR_DOT);
    text_format(out,
                "$dots using 1:2 with points pt 7 ps %.2f lc rgb \"#0001%02x\" notitle",
                s->count <= 60 ? 0.6 : 0.35, COLOUR_DOT);
    if (tested)
        text_format(out, ", $levels using 1:2 with lines lw 2.5 lc rgb \"#0001%02x\" notitle", COLOUR_LEVEL);
    if (astray) /* at the frame's edge */
        text_format(out, ", $strays using 1:2 with points pt 9 ps 0.9 lc rgb \"#0001%02x\" notitle", COLOUR_SLOWER);
    text_add(out, "\n");
}
