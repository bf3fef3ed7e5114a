/* Score cards of a suite for people: as text and as Markdown. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/measure/suite_card.h"
#include "core/json_file.h"

enum { COLUMNS = 8, ALWAYS = 2 };

/* The counts of a row; those after the first two are left out if none of a card has any. */
static const char *const titles[COLUMNS] = {"graded", "wrong",     "no answer",  "crashed",
                                            "hung",   "not asked", "asymmetric", "too close"};

static uint64_t count_of(const gjb_suite_cell *c, size_t column)
{
    const uint64_t counts[COLUMNS] = {c->graded, c->wrong,    c->no_answer,  c->crashed,
                                      c->hung,   c->left_out, c->asymmetric, c->answers - c->graded};
    return counts[column];
}

typedef struct card {
    const cli_suite_cards *cards;
    size_t entry, count;
    cli_suite_row rows[CLI_SUITE_ROWS];
    gjb_suite_cell total;
    int shown[COLUMNS], markdown;
} card;

static card card_of(const cli_suite_cards *cards, size_t entry, int markdown)
{
    card c = {.cards = cards, .entry = entry, .total = cli_suite_total(cards, entry), .markdown = markdown};
    c.count = cli_suite_rows(cards, entry, c.rows);
    for (size_t k = 0; k < COLUMNS; k++)
        c.shown[k] = k < ALWAYS || count_of(&c.total, k) > 0;
    return c;
}

/* Do all rows from this one on, of the same query or of the same dimension of it, lack support? Then they are one. */
static size_t unsupported_from(const card *c, size_t at, int whole_query)
{
    size_t end = at;
    while (end < c->count && c->rows[end].query == c->rows[at].query &&
           (whole_query || c->rows[end].dim == c->rows[at].dim)) {
        if (c->rows[end].supported)
            return 0;
        end++;
    }
    return end - at;
}

static void put(text *out, const card *c, int width, const char *words)
{
    if (c->markdown)
        text_format(out, " %s |", words);
    else
        text_format(out, " %*s", width, words);
}

static int width_of(size_t column)
{
    const int title = (int)strlen(titles[column]);
    return title > 9 ? title : 9;
}

/* The first two cells of a row. */
static void begin_row(text *out, const card *c, const char *query, const char *pairs)
{
    text_format(out, c->markdown ? "| %s | %s |" : "  %-15s %-17s", query, pairs);
}

static void put_counts(text *out, const card *c, const gjb_suite_cell *sum, int has_error)
{
    char words[32];
    number n;
    for (size_t k = 0; k < COLUMNS; k++)
        if (c->shown[k])
            put(out, c, width_of(k), number_count(&n, (double)count_of(sum, k)));
    if (sum->worst > 0 && isfinite(sum->worst))
        snprintf(words, sizeof words, "%.1e", sum->worst);
    else
        snprintf(words, sizeof words, "%s", sum->worst > 0 ? "unbounded" : has_error ? "0" : "–");
    /* An en dash has three bytes and one column. */
    put(out, c, *words == '\xe2' ? 13 : 11, words);
    text_add(out, "\n");
}

static void put_head(text *out, const card *c)
{
    begin_row(out, c, "query", "pairs");
    for (size_t k = 0; k < COLUMNS; k++)
        if (c->shown[k])
            put(out, c, width_of(k), titles[k]);
    put(out, c, 11, "worst error");
    text_add(out, "\n");
    if (!c->markdown)
        return;
    text_add(out, "| --- | --- |");
    for (size_t k = 0; k < COLUMNS; k++)
        text_add(out, c->shown[k] ? " ---: |" : "");
    text_add(out, " ---: |\n");
}

/* Over as many rows as are not supported at all. Returns how many. */
static size_t put_unsupported(text *out, const card *c, size_t at)
{
    const cli_suite_row *row = &c->rows[at];
    const int first = at == 0 || c->rows[at - 1].query != row->query;
    const size_t all = first ? unsupported_from(c, at, 1) : 0;
    const size_t some = all ? all : unsupported_from(c, at, 0);
    const int opens = first || c->rows[at - 1].dim != row->dim;
    char pairs[48];
    if (all)
        snprintf(pairs, sizeof pairs, "all");
    else if (some && opens)
        snprintf(pairs, sizeof pairs, "%uD", (unsigned)row->dim);
    else
        snprintf(pairs, sizeof pairs, "%uD %s", (unsigned)row->dim, row->kind);
    begin_row(out, c, gjb_queries[row->query].name, pairs);
    put(out, c, 0, "not supported");
    for (size_t k = 1; c->markdown && k < COLUMNS; k++)
        text_add(out, c->shown[k] ? " |" : "");
    text_add(out, c->markdown ? " |\n" : "\n");
    return all ? all : some && opens ? some : 1;
}

static void put_rows(text *out, const card *c)
{
    put_head(out, c);
    for (size_t i = 0; i < c->count;) {
        const cli_suite_row *row = &c->rows[i];
        char pairs[48];
        if (!row->supported) {
            i += put_unsupported(out, c, i);
            continue;
        }
        snprintf(pairs, sizeof pairs, "%uD %s", (unsigned)row->dim, row->kind);
        begin_row(out, c, gjb_queries[row->query].name, pairs);
        put_counts(out, c, &row->sum, gjb_queries[row->query].has_value);
        i++;
    }
    begin_row(out, c, "all", "");
    put_counts(out, c, &c->total, 1);
}

static void put_times(text *out, const card *c)
{
    const gjb_bench *times = c->cards->times;
    const gjb_verify_entry *entry = &c->cards->entries[c->entry];
    size_t shown = 0;
    for (size_t i = 0; times && i < times->count; i++) {
        const gjb_measurement *m = &times->rows[i];
        char name[GJB_BENCH_CASE_NAME];
        number n;
        if (m->point.way.contender != entry->contender || m->point.way.backend != entry->backend)
            continue;
        if (!shown++)
            text_add(
                out,
                c->markdown
                    ? "\nTimes on one machine, which are no part of the suite:\n\n| measured | ns a pair |\n"
                      "| --- | ---: |\n"
                    : "\n  times on this machine, which are no part of the suite, in ns a pair\n");
        text_format(out, c->markdown ? "| `%s` | %s |\n" : "  %-68s %10s\n",
                    gjb_bench_case_name(&m->point, name), number_figures(&n, m->ns.median));
    }
}

static void put_what(text *out, const cli_suite_cards *cards)
{
    number a, b;
    text_format(out, "gjkbench suite %s, %s length: %s pairs, and %s on record", gjb_suite_name(cards->suite),
                gjb_suite_length_name(cards->length), number_count(&a, (double)cards->result->pairs),
                number_count(&b, (double)cards->result->cases));
}

static void put_hashes(text *out, const cli_suite_cards *cards, const char *quote)
{
    const gjb_verify_hashes *h = &cards->result->hashes;
    number n;
    if (!cards->result->complete)
        text_add(out, "PARTIAL: the run was stopped early, so these counts are not those of the suite.\n");
    else if (!cli_suite_confirmed(cards))
        text_add(out, "NOT THE SUITE: its pairs or truths are others than those recorded.\n");
    else
        text_format(
            out, "Hashes as recorded: inputs %s%016" PRIx64 "%s, truths %s%016" PRIx64 "%s (of %s pairs)%s",
            quote, h->inputs, quote, quote, h->truths, quote, number_count(&n, (double)h->truth_count),
            *quote ? ".\n" : "\n");
}

static void put_name(text *out, const card *c)
{
    const gjb_verify_entry *entry = &c->cards->entries[c->entry];
    const gjb_contender *who = entry->contender;
    text_format(out, "%s%s%s%s%s%s", who->name, who->version && *who->version ? " " : "",
                who->version ? who->version : "", entry->backend ? " (" : "",
                entry->backend ? entry->backend : "", entry->backend ? ")" : "");
}

void cli_suite_text(const cli_suite_cards *cards, text *out)
{
    put_what(out, cards);
    text_add(out, "\n");
    put_hashes(out, cards, "");
    for (size_t e = 0; e < cards->entry_count; e++) {
        const card c = card_of(cards, e, 0);
        text_add(out, "\n");
        put_name(out, &c);
        text_add(out, ": ");
        cli_suite_verdict(cards, e, out);
        text_add(out, "\n");
        put_rows(out, &c);
        put_times(out, &c);
    }
    if (cards->entry_count)
        text_add(
            out,
            "\nworst error: as a share of S, the size of the pair; 'gjkbench suite --help' explains columns\n");
}

void cli_suite_markdown(const cli_suite_cards *cards, text *out)
{
    for (size_t e = 0; e < cards->entry_count; e++) {
        const card c = card_of(cards, e, 1);
        text_add(out, e ? "\n## " : "## ");
        put_name(out, &c);
        text_add(out, "\n\n**");
        cli_suite_verdict(cards, e, out);
        text_add(out, "**\n\n");
        put_what(out, cards);
        text_format(out, ". Run on %.10s by gjkbench %s at commit %s, %s, on %s.\n",
                    gjb_text_at(cards->context, "date"), gjb_text_at(cards->context, "version"),
                    gjb_text_at(cards->context, "commit"), gjb_text_at(cards->context, "compiler"),
                    gjb_text_at(cards->context, "cpu"));
        put_hashes(out, cards, "`");
        text_add(out, "\n");
        put_rows(out, &c);
        text_add(
            out,
            "\n*Worst error*: as a share of S, the distance between the origins of A and B plus how far each reaches "
            "from its own.\n*Wrong*: off by more than the library documents, including no answer, crashes and hangs.\n"
            "*Too close*: booleans of shapes that touch up to rounding, and pairs whose truth takes too long.\n");
        put_times(out, &c);
    }
}
