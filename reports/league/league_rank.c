/* Ranks league entries by correctness, then by time at a common base point. */
#include "reports/league/league_rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

league_class league_class_of(const league_row *row)
{
    static const double almost = 1e-3;
    if (!(row->graded > 0))
        return LEAGUE_UNKNOWN;
    /* Pairs that it did not come back from are wrong answers too, but for those that were asked exchanged. */
    const double wrong = fmax(row->wrong, row->hung + row->crashed);
    if (wrong == 0)
        return LEAGUE_RIGHT;
    return wrong <= almost * row->graded ? LEAGUE_ALMOST : LEAGUE_OFTEN;
}

double league_ns(const league_lines *lines, const league_row *row)
{
    const league_cell *cell = league_find(&row->base, lines->base);
    return cell ? cell->value[LEAGUE_NS] : NAN;
}

/* The base point that most lines were timed at; the first of those that tie. */
static const char *common_base(const results *part, const char *query)
{
    league_cells seen = {0};
    size_t best = 0;
    for (size_t i = 0; i < part->league_count; i++) {
        const league_row *row = &part->league[i];
        for (size_t b = 0; !strcmp(row->query, query) && b < row->base.n; b++) {
            league_cell *cell = league_cell_of(&seen, row->base.cells[b].name);
            if (cell)
                cell->value[0]++;
        }
    }
    for (size_t i = 1; i < seen.n; i++)
        if (seen.cells[i].value[0] > seen.cells[best].value[0])
            best = i;
    return seen.n ? seen.cells[best].name : "";
}

/* Nothing is slower than what was not timed. */
static double slowness(const league_lines *lines, const league_row *row)
{
    const double ns = league_ns(lines, row);
    return isfinite(ns) ? ns : INFINITY;
}

static int before(const league_lines *lines, const league_row *a, const league_row *b)
{
    const league_class x = league_class_of(a), y = league_class_of(b);
    const double s = slowness(lines, a), t = slowness(lines, b);
    if (x != y)
        return x < y;
    if (s != t)
        return s < t;
    return strcmp(a->contender, b->contender) < 0;
}

static void insert(league_lines *lines, const league_row *row)
{
    size_t at = lines->n++;
    for (; at && before(lines, row, lines->rows[at - 1]); at--)
        lines->rows[at] = lines->rows[at - 1];
    lines->rows[at] = row;
}

/* Has another backend of the same contender and precision a better claim to the line? */
static int outdone(const results *part, const league_lines *lines, const league_row *row)
{
    for (size_t i = 0; i < part->league_count; i++) {
        const league_row *other = &part->league[i];
        if (other == row || strcmp(other->query, row->query) || strcmp(other->contender, row->contender) ||
            strcmp(other->precision, row->precision))
            continue;
        const double s = slowness(lines, other), t = slowness(lines, row);
        /* The last of equals is the widest, or was read last. */
        if (s < t || (s == t && other > row))
            return 1;
    }
    return 0;
}

void league_rank(const results *part, const char *query, league_lines *lines)
{
    *lines = (league_lines){.query = query, .base = common_base(part, query)};
    for (size_t i = 0; i < part->league_count && lines->n < LEAGUE_LINES; i++) {
        const league_row *row = &part->league[i];
        if (!strcmp(row->query, query) && !outdone(part, lines, row))
            insert(lines, row);
    }
}
