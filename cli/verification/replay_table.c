/* Cases by contenders as a table: verdicts gathered from answers, short names, and a legend. */
#include "cli/verification/replay_table.h"

#include <stdlib.h>
#include <string.h>

#include "core/query.h"

enum { ID = 96, ID_WIDTH = 28 };

typedef struct cell {
    unsigned counts[GJB_VERDICTS];
    uint32_t wrong; /* bits of the queries that were answered wrongly */
    int mishap;
} cell;

typedef struct row {
    char id[ID];
    uint32_t dim;
    cell *cells;
} row;

struct cli_replay_table {
    const gjb_contender **columns;
    size_t column_count;
    row *rows;
    size_t row_count, room, last; /* the row taken last */
    int incomplete;
};

static size_t column_of(const cli_replay_table *t, const gjb_contender *contender)
{
    size_t i = 0;
    while (i < t->column_count && t->columns[i] != contender)
        i++;
    return i;
}

cli_replay_table *cli_replay_table_new(const gjb_replay_plan *plan)
{
    cli_replay_table *t = calloc(1, sizeof *t);
    if (t)
        t->columns = calloc(plan->entry_count + 1, sizeof *t->columns);
    if (!t || !t->columns) {
        cli_replay_table_free(t);
        return NULL;
    }
    for (int ours = 1; ours >= 0; ours--)
        for (size_t i = 0; i < plan->entry_count; i++) {
            const gjb_contender *c = plan->entries[i].contender;
            if ((c->ours || !strcmp(c->name, "reference")) == ours && column_of(t, c) == t->column_count)
                t->columns[t->column_count++] = c;
        }
    return t;
}

void cli_replay_table_free(cli_replay_table *t)
{
    for (size_t i = 0; t && i < t->row_count; i++)
        free(t->rows[i].cells);
    if (t) {
        free(t->rows);
        free(t->columns);
    }
    free(t);
}

/* A pair file is known by its name; ":FRAME/PAIR" stays. */
static void short_id(const char *id, char out[ID])
{
    const char *pair = strrchr(id, ':'), *end = pair ? pair : id + strlen(id), *begin = end;
    while (begin > id && begin[-1] != '/')
        begin--;
    size_t length = (size_t)(end - begin);
    if (length > 5 && !strncmp(end - 5, ".json", 5))
        length -= 5;
    snprintf(out, ID, "%.*s%s", (int)length, begin, pair ? pair : "");
}

static int is_row(const cli_replay_table *t, size_t i, uint32_t dim, const char *id)
{
    return i < t->row_count && t->rows[i].dim == dim && !strcmp(t->rows[i].id, id);
}

/* Contenders are asked pair by pair in one order: that row again, or the next, is the likeliest. */
static row *row_of(cli_replay_table *t, uint32_t dim, const char *id)
{
    const size_t next = t->last + 1 < t->row_count ? t->last + 1 : 0;
    if (is_row(t, t->last, dim, id))
        return &t->rows[t->last];
    if (is_row(t, next, dim, id))
        return &t->rows[t->last = next];
    for (size_t i = t->row_count; i > 0; i--)
        if (is_row(t, i - 1, dim, id))
            return &t->rows[t->last = i - 1];
    if (t->row_count == t->room) {
        const size_t room = t->room ? 2 * t->room : 128;
        row *more = realloc(t->rows, room * sizeof *more);
        if (!more)
            return NULL;
        t->rows = more;
        t->room = room;
    }
    row *r = &t->rows[t->row_count];
    r->cells = calloc(t->column_count + 1, sizeof *r->cells);
    if (!r->cells)
        return NULL;
    snprintf(r->id, sizeof r->id, "%s", id);
    r->dim = dim;
    t->last = t->row_count++;
    return r;
}

void cli_replay_table_add(cli_replay_table *t, uint32_t dim, const gjb_replay_case *one)
{
    char id[ID];
    short_id(one->id, id);
    row *r = row_of(t, dim, id);
    const size_t column = column_of(t, one->contender);
    if (!r || column == t->column_count) {
        t->incomplete = 1;
        return;
    }
    cell *c = &r->cells[column];
    c->counts[one->grade.verdict]++;
    if (one->grade.verdict == GJB_WRONG) {
        c->wrong |= 1u << one->query;
        c->mishap |= one->mishap != NULL;
    }
}

/* What a case is to a contender as a whole: wrong if any answer is, then right, then too close to tell. */
static gjb_verdict verdict_of(const cell *c)
{
    return c->counts[GJB_WRONG]      ? GJB_WRONG
           : c->counts[GJB_RIGHT]    ? GJB_RIGHT
           : c->counts[GJB_UNGRADED] ? GJB_UNGRADED
                                     : GJB_NOT_SUPPORTED;
}

static const char letters[GJB_QUERIES] = {
    [GJB_INTERSECT] = 'i',       [GJB_DISTANCE] = 'd', [GJB_PENETRATION] = 'p',
    [GJB_SIGNED_DISTANCE] = 's', [GJB_SWEEP] = 'w',    [GJB_TOI] = 't',
    [GJB_MANIFOLD] = 'm'};
_Static_assert(GJB_MANIFOLD + 1 == GJB_QUERIES, "each query has a letter");

static void cell_text(const cell *c, int markdown, char out[16])
{
    static const char *const plain[GJB_VERDICTS] = {".", "", "~", ""}, *const marked[GJB_VERDICTS] = {
                                                                           "✓", "✗ ", "~", ""};
    const gjb_verdict verdict = verdict_of(c);
    snprintf(out, 16, "%s", (markdown ? marked : plain)[verdict]);
    size_t length = strlen(out);
    for (int q = 0; q < GJB_QUERIES && verdict == GJB_WRONG; q++)
        if (c->wrong >> q & 1)
            out[length++] = letters[q];
    if (verdict == GJB_WRONG && c->mishap)
        out[length++] = '!';
    out[length] = '\0';
}

static int answers_in(const cli_replay_table *t, size_t column, uint32_t dim)
{
    for (size_t i = 0; i < t->row_count; i++)
        if (t->rows[i].dim == dim && verdict_of(&t->rows[i].cells[column]) != GJB_NOT_SUPPORTED)
            return 1;
    return 0;
}

static void print_line(const char *first, const char *const *fields, size_t count, int markdown, FILE *stream)
{
    if (markdown)
        fprintf(stream, "| %s |", first);
    else
        fprintf(stream, "%-*s", ID_WIDTH, first);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, markdown ? " %s |" : " %4s", fields[i]);
    fputc('\n', stream);
}

static void print_rows(const cli_replay_table *t, uint32_t dim, const size_t *shown, size_t count,
                       int markdown, FILE *stream)
{
    const char **fields = calloc(count + 1, sizeof *fields);
    char(*texts)[16] = calloc(count + 1, sizeof *texts);
    for (size_t c = 0; fields && texts && c < count; c++)
        fields[c] = texts[c];
    for (size_t i = 0; fields && texts && i < t->row_count; i++) {
        for (size_t c = 0; c < count; c++)
            cell_text(&t->rows[i].cells[shown[c]], markdown, texts[c]);
        if (t->rows[i].dim == dim)
            print_line(t->rows[i].id, fields, count, markdown, stream);
    }
    static const char *const sums[GJB_VERDICTS] = {"right", "wrong", "too close to tell", "not asked"};
    for (int v = 0; fields && texts && v < GJB_VERDICTS; v++) {
        for (size_t c = 0; c < count; c++) {
            unsigned sum = 0;
            for (size_t i = 0; i < t->row_count; i++)
                sum += t->rows[i].dim == dim && verdict_of(&t->rows[i].cells[shown[c]]) == (gjb_verdict)v;
            snprintf(texts[c], sizeof texts[c], "%u", sum);
        }
        print_line(sums[v], fields, count, markdown, stream);
    }
    if (!fields || !texts)
        fputs("out of memory: rows are missing\n", stream);
    free(fields);
    free(texts);
}

/* A column's head: its name, or in text, if many names make a wide line, the number that the list below explains. */
static void print_head(const cli_replay_table *t, const size_t *shown, size_t count, int markdown,
                       FILE *stream)
{
    const char **fields = calloc(count + 1, sizeof *fields);
    char(*numbers)[16] = calloc(count + 1, sizeof *numbers);
    for (size_t c = 0; fields && numbers && c < count; c++) {
        snprintf(numbers[c], sizeof numbers[c], "%zu", shown[c] + 1);
        fields[c] = markdown ? t->columns[shown[c]]->name : numbers[c];
    }
    if (fields && numbers)
        print_line("case", fields, count, markdown, stream);
    if (markdown) {
        fputs("|---|", stream);
        for (size_t c = 0; c < count; c++)
            fputs("---|", stream);
        fputc('\n', stream);
    }
    free(fields);
    free(numbers);
}

static void print_legend(const cli_replay_table *t, int markdown, FILE *stream)
{
    fputs(markdown ? "\nIn a cell: ✓ every answer is right, over backends, precisions and queries that the "
                     "contender has; ✗ some answer is wrong, with the\n"
                     "queries: "
                   : "\n. right, ~ too close to tell, blank: not asked; else wrong in ",
          stream);
    for (int q = 0; q < GJB_QUERIES; q++)
        fprintf(stream, "%s%c %s", q ? ", " : "", letters[q], gjb_queries[q].name);
    fputs(markdown ? "; ! it crashed, hung, gave NaN or no answer; ~ too close to tell; blank: not asked, "
                     "since the contender takes no\n"
                     "such shapes, motion or query.\n\n| contender | version | what |\n|---|---|---|\n"
                   : "; ! crashed, hung, gave NaN or no answer\n\n",
          stream);
    for (size_t c = 0; c < t->column_count; c++) {
        const gjb_contender *one = t->columns[c];
        if (!answers_in(t, c, 2) && !answers_in(t, c, 3))
            continue;
        if (markdown)
            fprintf(stream, "| `%s` | %s | %s |\n", one->name, one->version, one->note ? one->note : "");
        else
            fprintf(stream, "%4zu  %-24s %s\n", c + 1, one->name, one->version);
    }
}

void cli_replay_table_print(const cli_replay_table *t, int markdown, FILE *stream)
{
    size_t *shown = calloc(t->column_count + 1, sizeof *shown);
    for (uint32_t dim = 2; shown && dim <= 3; dim++) {
        size_t count = 0, rows = 0;
        for (size_t c = 0; c < t->column_count; c++)
            if (answers_in(t, c, dim))
                shown[count++] = c;
        for (size_t i = 0; i < t->row_count; i++)
            rows += t->rows[i].dim == dim;
        if (!count)
            continue;
        fprintf(stream, markdown ? "\n## In %uD: %zu cases\n\n" : "\nin %uD: %zu cases\n", (unsigned)dim,
                rows);
        print_head(t, shown, count, markdown, stream);
        print_rows(t, dim, shown, count, markdown, stream);
    }
    if (!shown || t->incomplete)
        fputs("out of memory: cases are missing\n", stream);
    print_legend(t, markdown, stream);
    free(shown);
}
