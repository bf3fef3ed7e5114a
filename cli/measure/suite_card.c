/* Score cards of a suite: rows and sums of cells, the JSON of them, and the badge. */
#include "cli/measure/suite_card.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/json_file.h"

int cli_suite_confirmed(const cli_suite_cards *cards)
{
    const gjb_verify_hashes *own = &cards->result->hashes, *recorded = gjb_suite_recorded(cards->suite);
    return cards->result->complete && own->inputs == recorded->inputs && own->truths == recorded->truths;
}

static void add(gjb_suite_cell *sum, const gjb_suite_cell *part)
{
    sum->answers += part->answers;
    sum->graded += part->graded;
    sum->wrong += part->wrong;
    sum->no_answer += part->no_answer;
    sum->crashed += part->crashed;
    sum->hung += part->hung;
    sum->left_out += part->left_out;
    sum->unsupported += part->unsupported;
    sum->asymmetric += part->asymmetric;
    sum->worst = fmax(sum->worst, part->worst);
}

static cli_suite_row row_of(const cli_suite_cards *cards, size_t entry, gjb_query query, uint32_t dim,
                            const char *kind)
{
    cli_suite_row row = {query, dim, kind, {0}, 0};
    for (size_t i = 0; i < cards->result->cell_count; i++) {
        const gjb_suite_cell *c = &cards->result->cells[i];
        if (c->entry == entry && c->query == query && c->dim == dim && strcmp(c->kind, kind) == 0)
            add(&row.sum, c);
    }
    row.supported = row.sum.answers + row.sum.left_out > 0;
    return row;
}

/* Pairs on record follow those that are made, if there are any of the query. */
size_t cli_suite_rows(const cli_suite_cards *cards, size_t entry, cli_suite_row rows[CLI_SUITE_ROWS])
{
    gjb_suite_place places[GJB_SUITE_PLACES];
    const size_t count = gjb_suite_places(cards->suite, places);
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        const gjb_suite_place *p = &places[i], *next = i + 1 < count ? p + 1 : NULL;
        rows[made++] = row_of(cards, entry, p->query, p->dim, p->kind);
        if (next && next->query == p->query && next->dim == p->dim)
            continue;
        const cli_suite_row record = row_of(cards, entry, p->query, p->dim, gjb_suite_on_record);
        if (record.supported)
            rows[made++] = record;
    }
    return made;
}

gjb_suite_cell cli_suite_total(const cli_suite_cards *cards, size_t entry)
{
    gjb_suite_cell sum = {.entry = entry};
    for (size_t i = 0; i < cards->result->cell_count; i++)
        if (cards->result->cells[i].entry == entry)
            add(&sum, &cards->result->cells[i]);
    return sum;
}

/* ---- JSON ---- */

static void set_counts(json_t *json, const gjb_suite_cell *c)
{
    const struct {
        const char *key;
        uint64_t value;
    } counts[] = {
        {"answers", c->answers},     {"graded", c->graded},           {"wrong", c->wrong},
        {"no_answer", c->no_answer}, {"crashed", c->crashed},         {"hung", c->hung},
        {"left_out", c->left_out},   {"unsupported", c->unsupported}, {"asymmetric", c->asymmetric}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        gjb_set_count(json, counts[i].key, counts[i].value);
    json_object_set_new(json, "worst_error",
                        isfinite(c->worst) ? json_real(c->worst) : json_null()); /* null: unbounded */
}

static json_t *rows_json(const cli_suite_cards *cards, size_t entry)
{
    cli_suite_row rows[CLI_SUITE_ROWS];
    const size_t count = cli_suite_rows(cards, entry, rows);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *row = json_pack("{ss si ss sb}", "query", gjb_queries[rows[i].query].name, "dim",
                                (int)rows[i].dim, "kind", rows[i].kind, "supported", rows[i].supported);
        if (rows[i].supported)
            set_counts(row, &rows[i].sum);
        json_array_append_new(array, row);
    }
    return array;
}

static int is_of(const gjb_way *way, const gjb_verify_entry *entry)
{
    return way->contender == entry->contender && way->backend == entry->backend;
}

static json_t *times_json(const cli_suite_cards *cards, size_t entry)
{
    json_t *array = json_array();
    for (size_t i = 0; cards->times && i < cards->times->count; i++) {
        const gjb_measurement *m = &cards->times->rows[i];
        char name[GJB_BENCH_CASE_NAME];
        if (!is_of(&m->point.way, &cards->entries[entry]))
            continue;
        json_array_append_new(
            array, json_pack("{ss ss si sf sf sf}", "name", gjb_bench_case_name(&m->point, name), "query",
                             gjb_queries[m->point.query].name, "dim", (int)m->point.dim, "ns_per_pair",
                             m->ns.median, "ns_low", m->ns.low, "ns_high", m->ns.high));
    }
    return array;
}

static json_t *card_json(const cli_suite_cards *cards, size_t entry)
{
    const gjb_contender *who = cards->entries[entry].contender;
    const char *backend = cards->entries[entry].backend;
    const gjb_suite_cell total = cli_suite_total(cards, entry);
    text verdict = {0};
    cli_suite_verdict(cards, entry, &verdict);
    json_t *card =
        json_pack("{ss ss ss ss sb ss}", "contender", who->name, "version", who->version ? who->version : "",
                  "licence", who->licence ? who->licence : "", "backend", backend ? backend : "-", "ours",
                  who->ours != 0, "verdict", verdict.s ? verdict.s : "");
    text_free(&verdict);
    if (card) {
        set_counts(card, &total);
        json_object_set_new(card, "rows", rows_json(cards, entry));
        json_object_set_new(card, "times", times_json(cards, entry));
    }
    return card;
}

static void set_hash(json_t *json, const char *key, uint64_t hash)
{
    char digits[20];
    snprintf(digits, sizeof digits, "%016" PRIx64, hash);
    json_object_set_new(json, key, json_string(digits));
}

json_t *cli_suite_json(const cli_suite_cards *cards)
{
    const gjb_suite_result *result = cards->result;
    json_t *array = json_array();
    for (size_t e = 0; e < cards->entry_count; e++)
        json_array_append_new(array, card_json(cards, e));
    json_t *json = json_pack("{ss ss ss sb sI sI sf}", "kind", "suite", "suite", gjb_suite_name(cards->suite),
                             "length", gjb_suite_length_name(cards->length), "complete",
                             cli_suite_confirmed(cards), "pairs", (json_int_t)result->pairs, "on_record",
                             (json_int_t)result->cases, "seconds", result->seconds);
    if (json && result->complete) {
        set_hash(json, "inputs", result->hashes.inputs);
        set_hash(json, "truths", result->hashes.truths);
        gjb_set_count(json, "truth_count", result->hashes.truth_count);
    }
    json_object_set_new(json, "cards", array);
    return json;
}

/* ---- the verdict in a line, and as a badge ---- */

static int answers_in(const cli_suite_cards *cards, size_t entry, uint32_t dim)
{
    uint64_t answers = 0;
    for (size_t i = 0; i < cards->result->cell_count; i++) {
        const gjb_suite_cell *c = &cards->result->cells[i];
        answers += c->entry == entry && c->dim == dim ? c->answers : 0;
    }
    return answers > 0;
}

/* Of the suite's queries, those that it answered. */
static int queries_of(const cli_suite_cards *cards, size_t entry, int *all)
{
    uint32_t answered = 0;
    const uint32_t asked = gjb_suite_queries(cards->suite);
    int count = 0;
    for (size_t i = 0; i < cards->result->cell_count; i++)
        if (cards->result->cells[i].entry == entry && cards->result->cells[i].answers)
            answered |= 1u << cards->result->cells[i].query;
    *all = 0;
    for (int q = 0; q < GJB_QUERIES; q++) {
        *all += asked >> q & 1;
        count += asked >> q & answered >> q & 1;
    }
    return count;
}

void cli_suite_verdict(const cli_suite_cards *cards, size_t entry, text *out)
{
    const gjb_suite_cell total = cli_suite_total(cards, entry);
    const int plane = answers_in(cards, entry, 2), space = answers_in(cards, entry, 3);
    number wrong, graded, left;
    int all, some = queries_of(cards, entry, &all);
    if (!total.graded && !total.left_out) {
        text_add(out, "nothing supported");
        return;
    }
    text_format(out, "%s wrong of %s", number_count(&wrong, (double)total.wrong),
                number_count(&graded, (double)total.graded));
    if (total.left_out)
        text_format(out, ", %s not asked", number_count(&left, (double)total.left_out));
    if (some < all)
        text_format(out, ", %d of %d queries", some, all);
    if (plane != space)
        text_add(out, plane ? ", 2D" : ", 3D");
}

/* Green if nothing is wrong, amber if no more than of a library that passes for right in tables of times, else red. */
static const char *colour_of(const gjb_suite_cell *total)
{
    if (!total->graded)
        return "#616161";
    if (!total->wrong && !total->left_out)
        return "#2e7d32";
    return (double)total->wrong <= GJB_RIGHT_SHARE * (double)total->graded && !total->left_out ? "#b26a00"
                                                                                               : "#b3261e";
}

enum { BADGE_HEIGHT = 20, BADGE_EDGE = 8 };

/* Of text in 11 pixels; it is stretched or squeezed to it, whatever font there is. */
static int width_of(const char *words)
{
    double width = 0;
    for (const char *c = words; *c; c++)
        width += strchr("il.,:' |", *c) ? 3.6 : strchr("mwMW", *c) ? 9.8 : 6.6;
    return (int)ceil(width);
}

static void badge_words(text *svg, int at, const char *words)
{
    text_format(svg, "<text x=\"%d\" y=\"14\" textLength=\"%d\">", at + BADGE_EDGE, width_of(words));
    text_html(svg, words);
    text_add(svg, "</text>\n");
}

void cli_suite_badge(const cli_suite_cards *cards, size_t entry, text *svg)
{
    const gjb_suite_cell total = cli_suite_total(cards, entry);
    text right = {0}, left = {0};
    text_format(&left, "gjkbench %s%s%s", gjb_suite_name(cards->suite),
                cards->length == GJB_SUITE_USUAL ? "" : " ",
                cards->length == GJB_SUITE_USUAL ? "" : gjb_suite_length_name(cards->length));
    cli_suite_verdict(cards, entry, &right);
    svg->failed |= left.failed | right.failed;
    if (!svg->failed) {
        const int first = width_of(left.s) + 2 * BADGE_EDGE, second = width_of(right.s) + 2 * BADGE_EDGE;
        text_format(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" role=\"img\">\n<title>",
            first + second, BADGE_HEIGHT);
        text_html(svg, cards->entries[entry].contender->name);
        text_add(svg, ": ");
        text_html(svg, right.s);
        text_format(svg,
                    "</title>\n<clipPath id=\"r\"><rect width=\"%d\" height=\"%d\" rx=\"3\"/></clipPath>\n",
                    first + second, BADGE_HEIGHT);
        text_format(svg,
                    "<g clip-path=\"url(#r)\"><rect width=\"%d\" height=\"%d\" fill=\"#444\"/>"
                    "<rect x=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/></g>\n",
                    first, BADGE_HEIGHT, first, second, BADGE_HEIGHT, colour_of(&total));
        text_add(svg, "<g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\n");
        badge_words(svg, 0, left.s);
        badge_words(svg, first, right.s);
        text_add(svg, "</g>\n</svg>\n");
    }
    text_free(&left);
    text_free(&right);
}
