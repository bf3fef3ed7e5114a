/* Score cards of a suite: what contenders got wrong, as text, JSON, Markdown and a badge; times apart. */
#ifndef GJB_CLI_SUITE_CARD_H
#define GJB_CLI_SUITE_CARD_H

#include <jansson.h>
#include <stdio.h>

#include "bench/measure.h"
#include "draw/text.h"
#include "verify/suite/suite.h"

/* What cards are drawn from; all of it is borrowed. A suite is confirmed if the run was complete and has the recorded
 * hashes; cards of any other are marked as partial, and carry no hash. */
typedef struct cli_suite_cards {
    const gjb_suite *suite;
    gjb_suite_length length;
    const gjb_verify_entry *entries;
    size_t entry_count;
    const gjb_suite_result *result;
    const gjb_bench *times; /* NULL: none were taken */
    const json_t *context;  /* of the run: cli_context */
} cli_suite_cards;

int cli_suite_confirmed(const cli_suite_cards *cards);

/* The row of a contender in a place of the suite, or "not supported" if it has no answer there; all of it summed. */
typedef struct cli_suite_row {
    gjb_query query;
    uint32_t dim;
    const char *kind;
    gjb_suite_cell sum;
    int supported;
} cli_suite_row;
enum { CLI_SUITE_ROWS = GJB_SUITE_PLACES + 2 * GJB_QUERIES };
/* Returns how many; queries and dimensions that are not in the suite have none. */
size_t cli_suite_rows(const cli_suite_cards *cards, size_t entry, cli_suite_row rows[CLI_SUITE_ROWS]);
gjb_suite_cell cli_suite_total(const cli_suite_cards *cards, size_t entry);

/* {"kind": "suite", "suite", "length", "complete", "inputs", "truths", ..., "cards": [{"contender", ..., "rows"}]}; the
 * caller adds "context", and owns it. */
json_t *cli_suite_json(const cli_suite_cards *cards);
void cli_suite_text(const cli_suite_cards *cards, text *out);
void cli_suite_markdown(const cli_suite_cards *cards, text *out);
/* One line of a badge, "0 wrong of 1,204,113", and the badge of it. */
void cli_suite_verdict(const cli_suite_cards *cards, size_t entry, text *out);
void cli_suite_badge(const cli_suite_cards *cards, size_t entry, text *svg);

#endif
