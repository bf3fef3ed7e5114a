/* The command line: words, one a line, against options of every type and SELECT, and each word as a number, a list, a
 * shard and a time. --plugin and --contender-program are left out, for they run what they name. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "core/tests/target.h"

enum { WORDS = 64 };

static void parse(int argc, char **argv)
{
    int flag = 0;
    const char *text = NULL, *files[WORDS];
    uint64_t count = 0;
    double seconds = 0, real = 0;
    cli_numbers numbers = {{0}, 0};
    cli_shard shard = {0, 0};
    cli_select select = {.takes_recorded = 1};
    size_t file_count = 0;
    const cli_option options[] = {
        {"flag", CLI_FLAG, &flag, NULL, "a flag"},      {"text", CLI_TEXT, &text, "TEXT", "a text"},
        {"pairs", CLI_COUNT, &count, "N", "a count"},   {"time", CLI_SECONDS, &seconds, "T", "a time"},
        {"floor", CLI_REAL, &real, "X", "a number"},    {"shapes", CLI_NUMBERS, &numbers, "LIST", "counts"},
        {"shard", CLI_SHARD, &shard, "K/N", "a shard"}, {0},
    };
    const cli_spec spec = {
        .usage = "target", .about = "A target.", .options = options, .select = &select, .max_files = WORDS};
    if (cli_parse(&spec, argc, argv, files, &file_count) >= 0)
        return;
    gjb_target_require(file_count <= (size_t)argc, "more operands than words", NULL);
    gjb_target_require(select.dims && select.queries && select.precisions, "nothing is selected", NULL);
    gjb_target_require(numbers.count <= sizeof numbers.value / sizeof *numbers.value, "too many numbers",
                       NULL);
    gjb_target_require(!shard.of || shard.index < shard.of, "a shard beyond the last", NULL);
    gjb_target_require(seconds >= 0, "a time before now", NULL);
    for (size_t i = 0; i < select.contender_count; i++) {
        const char *ways[CLI_BACKENDS_MAX];
        gjb_target_require(cli_select_backends(&select, select.contenders[i], ways) <= CLI_BACKENDS_MAX,
                           "too many ways", NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *all = malloc(size + 1), *argv[WORDS + 1] = {(char *)(uintptr_t) "target"};
    int argc = 1;
    gjb_target_hush();
    gjb_target_require(all != NULL, "out of memory", NULL);
    memcpy(all, data, size);
    all[size] = 0;
    for (char *rest = all, *word; argc < WORDS && (word = strsep(&rest, "\n")) != NULL;)
        if (strncmp(word, "--plugin", 8) && strncmp(word, "--contender-program", 19)) {
            uint64_t count;
            (void)cli_read_count(word, &count);
            argv[argc++] = word;
        }
    argv[argc] = NULL;
    parse(argc, argv);
    free(all);
    return 0;
}
