/* The league table in numbers, and in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/league/league_rank.h"
#include "reports/league/league_table.h"

series_name league_file(uint32_t dim, const char *query)
{
    series_name name;
    snprintf(name.s, sizeof name.s, "league-%ud-%.30s", (unsigned)dim, query);
    for (char *c = name.s; *c; c++)
        if (*c == '_')
            *c = '-';
    return name;
}

static const struct {
    const char *name;
    size_t offset;
} columns[] = {
#define COLUMN(key) {#key, offsetof(league_row, key)}
    COLUMN(pairs),
    COLUMN(graded),
    COLUMN(ungraded),
    COLUMN(unsupported),
    COLUMN(wrong),
    COLUMN(beyond_1e6),
    COLUMN(beyond_1e3),
    COLUMN(nan),
    COLUMN(hung),
    COLUMN(crashed),
    COLUMN(unasked),
    COLUMN(capped),
    COLUMN(unwritten),
    COLUMN(symmetry_wrong),
    COLUMN(worst_error_eps),
    {"asked_again", offsetof(league_row, metrics.pairs)},
    {"again_differs", offsetof(league_row, metrics.again)},
    {"order_differs", offsetof(league_row, metrics.reordered)},
    {"session_differs", offsetof(league_row, metrics.other_session)},
};

static const struct {
    const char *prefix;
    size_t offset;
    int index, low; /* the number to print, and whether those after it too */
} groups[] = {
    {"base", offsetof(league_row, base), LEAGUE_NS, 1},
    {"class", offsetof(league_row, classes), LEAGUE_NS, 1},
    {"box_class", offsetof(league_row, box_classes), LEAGUE_NS, 1},
    {"vertices", offsetof(league_row, vertices), LEAGUE_NS, 1},
    {"graded", offsetof(league_row, families), LEAGUE_GRADED, 0},
    {"wrong", offsetof(league_row, families), LEAGUE_WRONG, 0},
};

enum { COLUMNS = sizeof columns / sizeof *columns, GROUPS = sizeof groups / sizeof *groups };

static const league_cells *group_of(const league_row *row, size_t group)
{
    return (const league_cells *)((const char *)row + groups[group].offset);
}

static void number_csv(double value, text *csv)
{
    if (isfinite(value))
        text_format(csv, ",%.17g", value);
    else
        text_add(csv, ",");
}

static void head_csv(const league_cells names[GROUPS], const metrics *shifts, text *csv)
{
    text_add(csv, "contender,version,licence,backend,precision,query,date,commit,fingerprint");
    for (size_t i = 0; i < COLUMNS; i++)
        text_format(csv, ",%s", columns[i].name);
    for (size_t k = 0; k < shifts->shift_count; k++) {
        const double by = shifts->shifts[k].log2;
        text_format(csv,
                    ",moved_%g_pairs,moved_%g_inexact,moved_%g_changed,moved_%g_flipped,moved_%g_worst_eps",
                    by, by, by, by, by);
    }
    for (size_t g = 0; g < GROUPS; g++)
        for (size_t i = 0; i < names[g].n; i++) {
            text_format(csv, ",%s_", groups[g].prefix);
            text_csv(csv, names[g].cells[i].name);
            if (groups[g].low)
                text_format(csv, "_ns,%s_%s_low,%s_%s_high", groups[g].prefix, names[g].cells[i].name,
                            groups[g].prefix, names[g].cells[i].name);
        }
    text_add(csv, "\n");
}

static void row_csv(const results *part, const league_row *row, const league_cells names[GROUPS],
                    const metrics *shifts, text *csv)
{
    json_t *about = results_about(part, row->contender);
    const char *version = json_string_value(json_object_get(about, "version"));
    const char *licence = json_string_value(json_object_get(about, "licence"));
    const char *words[] = {row->contender,
                           version ? version : "",
                           licence ? licence : "",
                           row->backend,
                           row->precision,
                           row->query,
                           row->date,
                           row->commit,
                           row->fingerprint};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        text_add(csv, i ? "," : "");
        text_csv(csv, words[i]);
    }
    for (size_t i = 0; i < COLUMNS; i++)
        number_csv(*(const double *)((const char *)row + columns[i].offset), csv);
    for (size_t k = 0; k < shifts->shift_count; k++) {
        metric_shift none = {.pairs = NAN, .inexact = NAN, .changed = NAN, .flipped = NAN, .worst_eps = NAN};
        const metric_shift *s = &none;
        for (size_t i = 0; i < row->metrics.shift_count; i++)
            if (row->metrics.shifts[i].log2 == shifts->shifts[k].log2)
                s = &row->metrics.shifts[i];
        const double numbers[] = {s->pairs, s->inexact, s->changed, s->flipped, s->worst_eps};
        for (size_t i = 0; i < 5; i++)
            number_csv(numbers[i], csv);
    }
    for (size_t g = 0; g < GROUPS; g++)
        for (size_t i = 0; i < names[g].n; i++) {
            const league_cell *cell = league_find(group_of(row, g), names[g].cells[i].name);
            for (int v = groups[g].index; v <= (groups[g].low ? LEAGUE_HIGH : groups[g].index); v++)
                number_csv(cell ? cell->value[v] : NAN, csv);
        }
    text_add(csv, "\n");
}

void league_csv(const results *part, const char *query, text *csv)
{
    league_cells names[GROUPS] = {0};
    metrics shifts = {0};
    for (size_t i = 0; i < part->league_count; i++) {
        const league_row *row = &part->league[i];
        if (strcmp(row->query, query))
            continue;
        metrics_add(&shifts, &row->metrics);
        for (size_t g = 0; g < GROUPS; g++)
            for (size_t c = 0; c < group_of(row, g)->n; c++)
                league_cell_of(&names[g], group_of(row, g)->cells[c].name);
    }
    head_csv(names, &shifts, csv);
    for (size_t i = 0; i < part->league_count; i++)
        if (!strcmp(part->league[i].query, query))
            row_csv(part, &part->league[i], names, &shifts, csv);
}

static const char lead[] = "<p class=\"lead\">Right contenders first, then by speed. Of several backends the "
                           "fastest is shown; all are in the "
                           "CSV. Answers are graded over every family and workload, degenerate ones too.</p>";

static const char legend[] = "<li>Tiles: by separation class; darker = closer to the fastest in that "
                             "column. Curves: time against vertices, "
                             "both logarithmic, one scale a table; grey is the first line. "
                             "A name under a time: measured on that shape instead. Hover a dash for the reason.</li>"
                             "<li>All: beyond the tolerance kεS and what the contender documents as its own; "
                             "in small, off by more than 1e-3 S or no answer at all (not a number, capped, not written). Worst: of answers that "
                             "are numbers. "
                             "Crash: pairs that it died of. Cap: ended at its iteration limit.</li>"
                             "<li>Swap: another answer, beyond the tolerance, when A and B change places. "
                             "Again: other bytes when asked at once "
                             "again, in another order or in another session. Moved: both bodies by one "
                             "vector, exactly: the share of changed "
                             "verdicts, in small the largest change of a value. An adapter that hands its "
                             "library B relative to A hides what "
                             "the library would do.</li>";

/* The date of the oldest entry tells whether some were kept from an earlier run. */
void league_lead(const results *part, int full, text *page)
{
    const char *oldest = "", *newest = "";
    names families = {0};
    for (size_t i = 0; i < part->league_count; i++) {
        const league_row *row = &part->league[i];
        oldest = *row->date && (!*oldest || strcmp(row->date, oldest) < 0) ? row->date : oldest;
        newest = strcmp(row->date, newest) > 0 ? row->date : newest;
        for (size_t f = 0; f < row->families.n; f++)
            names_add(&families, row->families.cells[f].name);
    }
    if (full)
        text_add(page, lead);
    text_add(page, "<ul class=\"facts-list\">");
    text_add(
        page,
        "<li class=\"key\">By family: <i class=\"w1\"></i> none wrong <i class=\"w2\"></i> to 0.1% <i "
        "class=\"w3\"></i> to 1% <i class=\"w4\"></i> to 10% <i class=\"w5\"></i> more <i class=\"w0\"></i> "
        "nothing graded; hover a bar for its name<details><summary>Families from left to right</summary>");
    for (size_t f = 0; f < families.n; f++) {
        text_add(page, f ? ", " : "");
        text_html(page, families.s[f]);
    }
    text_add(page, ".</details></li>");
    if (full)
        text_add(page, legend);
    if (*oldest && strncmp(oldest, newest, 10) != 0)
        text_format(
            page,
            "<li>Entries are of %.10s to %.10s: those whose contender did not take part in the last run were "
            "kept.</li>",
            oldest, newest);
    text_add(page, "</ul>");
}
