/* Reads series of `history`, and draws times over commits with levels and changes. */
#include "reports/figures/timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/json_file.h"
#include "core/sort.h"
#include "reports/figures/figures_parts.h"
#include "reports/remarks.h"
#include "scenes/hash.h"

enum { DRAWN = 12, SHORT_COMMIT = 8 };

/* The level that run `at` is of. */
static const json_t *level_at(const timeline_row *row, size_t at)
{
    const json_t *level = NULL;
    for (size_t i = 0; i < json_array_size(row->levels); i++) {
        const json_t *next = json_array_get(row->levels, i);
        if (!level || gjb_number_at(next, "first") <= (double)at)
            level = next;
    }
    return level;
}

/* Relative to the first level of the same workload; NaN if the file does not say which that is. */
static double relative(const timeline_row *row, size_t at)
{
    const json_t *level = level_at(row, at);
    const double ns = level ? gjb_number_at(level, "ns") : 0;
    return ns > 0 ? json_number_value(json_array_get(row->times, at)) * gjb_number_at(level, "ratio") / ns : NAN;
}

/* Where there are more runs than a line has points, the median of as many as share one. */
static void add_runs(plot *p, const timeline_row *row)
{
    plot_line *line = plot_line_of(p, "runs", (plot_style){8, 7, 1, 1});
    const size_t count = json_array_size(row->times), group = (count + PLOT_POINTS - 1) / PLOT_POINTS;
    double *ratios = malloc((group + 1) * sizeof *ratios);
    for (size_t i = 0; line && ratios && i < count; i += group) {
        const size_t end = i + group < count ? i + group : count, n = end - i;
        for (size_t k = i; k < end; k++)
            ratios[k - i] = relative(row, k);
        gjb_sort(ratios, n);
        plot_add(line, (double)(i + end + 1) / 2, (ratios[(n - 1) / 2] + ratios[n / 2]) / 2, NAN, NAN);
    }
    free(ratios);
}

/* With fewer runs `history` looks for no change: a level would promise what was not judged. */
enum { RUNS_LEAST = 4 };

static int too_few(const timeline_row *row)
{
    return json_array_size(row->times) < RUNS_LEAST;
}

static void add_levels(plot *p, const timeline_row *row)
{
    if (too_few(row))
        return;
    plot_line *line = plot_line_of(p, "level", (plot_style){1, 0, 1, 2.5});
    json_t *level;
    size_t i;
    json_array_foreach(row->levels, i, level) {
        const double first = gjb_number_at(level, "first"), runs = gjb_number_at(level, "runs"),
                     ratio = gjb_number_at(level, "ratio");
        if (line && runs > 0 && ratio > 0) {
            plot_add(line, i ? first + 0.51 : 1, ratio, NAN, NAN);
            plot_add(line, i + 1 < json_array_size(row->levels) ? first + runs + 0.49 : first + runs, ratio,
                     NAN, NAN);
        }
    }
}

static void say_change(plot *p, const json_t *change)
{
    const json_t *interval = json_object_get(change, "interval"), *by = json_object_get(change, "by");
    const char *commit = json_string_value(json_object_get(by, "commit"));
    const size_t used = strlen(p->caption);
    snprintf(p->caption + used, sizeof p->caption - used, "%s%+.1f%% (%+.1f%% to %+.1f%%) with %.*s",
             used ? "; " : "", 100 * (gjb_number_at(change, "ratio") - 1),
             100 * (json_number_value(json_array_get(interval, 0)) - 1),
             100 * (json_number_value(json_array_get(interval, 1)) - 1), SHORT_COMMIT, commit ? commit : "?");
}

static void add_changes(plot *p, const timeline_row *row)
{
    json_t *change;
    size_t i;
    json_array_foreach(row->changes, i, change) {
        char label[32];
        snprintf(label, sizeof label, "%+.1f%%", 100 * (gjb_number_at(change, "ratio") - 1));
        plot_mark_at(p, gjb_number_at(change, "at") + 0.5, label);
        say_change(p, change);
    }
    const size_t used = strlen(p->caption);
    if (!used && too_few(row))
        snprintf(p->caption, sizeof p->caption, "Too few runs to find a change: %zu, and it takes %d.",
                 json_array_size(row->times), RUNS_LEAST);
    else if (!used)
        snprintf(p->caption, sizeof p->caption, "No change in %zu runs.", json_array_size(row->times));
    else if (used + 2 < sizeof p->caption)
        strcpy(p->caption + used, ".");
}

/* Of what makes it a series of its own: stays when others come. */
static void name_file(plot *p, const timeline_row *row)
{
    char whole[1024];
    const int size = snprintf(whole, sizeof whole, "%s|%s|%s|%s|%s|%g", row->benchmark, row->machine,
                              row->compiler, row->flags, row->build_type, row->seed);
    const uint64_t hash =
        gjb_fingerprint(whole, (size_t)size < sizeof whole ? (size_t)size : sizeof whole - 1, 1, 1, 0);
    snprintf(p->id, sizeof p->id, "history-%.60s-%08x", row->benchmark, (unsigned)(hash >> 32));
    for (char *c = p->id; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", *c))
            *c = '-';
}

/* The benchmark's name in words, so that it finds room. */
static plot *draw(const timeline_row *row)
{
    char heading[96];
    snprintf(heading, sizeof heading, "%s", row->benchmark);
    for (char *c = heading; (c = strchr(c, '/'));)
        *c = ' ';
    plot *p = plot_new(PLOT_DOTS, heading, "runs in order of commits", "run", "time a pair, first level = 1",
                       "ratio");
    if (!p)
        return NULL;
    p->differs = 1;
    add_runs(p, row);
    add_levels(p, row);
    add_changes(p, row);
    name_file(p, row);
    return p;
}

/* What got slower at the newest change, what changed, and the rest. */
static int rank(const timeline_row *row)
{
    return row->slower ? 0 : json_array_size(row->changes) ? 1 : 2;
}

void figures_timeline(const results *r, const base_point *base, figure_group *group)
{
    (void)base;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < r->timeline_count && group->n < DRAWN; i++)
            if (rank(&r->timeline[i]) == k && json_array_size(r->timeline[i].levels))
                figures_keep(group, draw(&r->timeline[i]), 0);
}

void timeline_count(const results *r, size_t *changed, size_t *slower)
{
    *changed = *slower = 0;
    for (size_t i = 0; i < r->timeline_count; i++) {
        *changed += rank(&r->timeline[i]) < 2;
        *slower += rank(&r->timeline[i]) == 0;
    }
}

void remarks_timeline(const results *r, const base_point *base, text *page)
{
    size_t changed, slower;
    (void)base;
    timeline_count(r, &changed, &slower);
    if (r->timeline_count)
        text_format(
            page,
            "<li>%zu series, of which %zu changed, and %zu %s slower since their newest change.%s</li>",
            r->timeline_count, changed, slower, slower == 1 ? "is" : "are",
            r->timeline_count > DRAWN ? " Those that changed are drawn first, as far as there is room." : "");
}
