/* Command-line options from a table, with help made from the same table. */
#ifndef GJB_CLI_OPTIONS_H
#define GJB_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

struct cli_select;

typedef enum cli_type {
    CLI_FLAG,    /* int: set to 1 */
    CLI_TEXT,    /* const char * */
    CLI_COUNT,   /* uint64_t: digits, with k, M or G behind ("200k"), or 1e6 */
    CLI_SECONDS, /* double >= 0, with ms, s, m or h behind */
    CLI_REAL,    /* double, finite */
    CLI_LENGTH,  /* double >= 0, finite */
    CLI_NUMBERS, /* cli_numbers: counts with commas between */
    CLI_SHARD,   /* cli_shard: "K/N", 1 <= K <= N */
    CLI_LEAVING  /* uint32_t: a gjb_leaving */
} cli_type;

typedef struct cli_numbers {
    uint64_t value[64];
    size_t count; /* 0: not given */
} cli_numbers;

typedef struct cli_shard {
    uint64_t index, of; /* index from 0; of 0: not given */
} cli_shard;

/* One row an option. Rows end with a NULL name. */
typedef struct cli_option {
    const char *name; /* without the dashes */
    cli_type type;
    void *target;         /* of the type's kind; holds the default beforehand */
    const char *argument; /* as help names it, or NULL for a flag */
    const char *about;    /* one line */
} cli_option;

typedef struct cli_spec {
    const char *usage; /* behind "gjkbench ", one line */
    const char *about; /* a paragraph */
    const cli_option *options;
    struct cli_select *select;   /* NULL: the command takes no SELECT options */
    const char *examples;        /* lines as typed, each with its purpose */
    size_t min_files, max_files; /* operands that are no options */
    size_t (*operands)(const char **names); /* what they may be, if they are no files; for completion */
} cli_spec;

/* Options of every command, as rows of help alone: `cli_parse` takes them itself. */
extern const cli_option cli_common_options[];

/* Reads argv. Returns -1 to go on (operands are then in `files`, which must
 * hold argc entries), else the exit code to leave with: help was printed, or
 * one line about what was wrong. "--" ends the options, "-" is an operand. */
int cli_parse(const cli_spec *spec, int argc, char **argv, const char **files, size_t *file_count);

/* "gjkbench COMMAND: TEXT" on stderr, and GJB_EXIT_USAGE. */
int cli_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The rows "margin" and "within" of every command that makes pairs, and their targets before options are read. */
#define CLI_NO_MARGIN (-1.0)
extern const char cli_margin_about[], cli_within_about[];
/* What pairs get that are made: what was given, or the default. */
double cli_margin_of_made(double given);
double cli_within_of_made(double given);

/* The row "leaving" of these commands, and its target before options are read, if a file may say it, too. */
#define CLI_NO_LEAVING UINT32_MAX
extern const char cli_leaving_about[];
uint32_t cli_leaving_of_made(uint32_t given);

/* 0, or -1 when `text` is no such number. */
int cli_read_count(const char *text, uint64_t *value);

#endif
