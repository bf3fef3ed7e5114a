/* Parses options from a table, prints help from it, and suggests the nearest name for a typing error. */
#include "cli/options/options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options/complete.h"
#include "cli/options/wrap.h"
#include "contenders/plugin.h"
#include "contenders/program/program.h"
#include "core/spelling.h"
#include "scenes/generate/generate.h"
#include "verify/verify_merge.h"

_Static_assert(GJB_VERIFY_SHARDS_MAX == 1 << 20, "what the message of --shard says");

static const char *command_name = "";

int cli_usage_error(const char *format, ...)
{
    gjb_error error = {{0}};
    va_list arguments;
    va_start(arguments, format);
    char text[512];
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    gjb_fail(&error, "%s", text); /* for its care with control characters */
    fprintf(stderr, "%s%s%s: %s\n", CLI_PROGRAM, *command_name ? " " : "", command_name, error.text);
    return GJB_EXIT_USAGE;
}

int cli_read_count(const char *text, uint64_t *value)
{
    char *end;
    if (*text < '0' || *text > '9')
        return -1;
    double number = strtod(text, &end);
    double unit = *end == 'k' ? 1e3 : *end == 'M' ? 1e6 : *end == 'G' ? 1e9 : 1;
    if (unit > 1)
        end++;
    number *= unit;
    if (*end || !(number < 9007199254740992.0) || number != (double)(uint64_t)number) {
        /* beyond 2^53 only plain digits keep every bit */
        errno = 0;
        unsigned long long whole = strtoull(text, &end, 10);
        if (*end || errno || whole > INT64_MAX) /* JSON has no more */
            return -1;
        *value = whole;
        return 0;
    }
    *value = (uint64_t)number;
    return 0;
}

static int read_seconds(const char *text, double *value)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"m", 60}, {"min", 60}, {"h", 3600}};
    char *end;
    double number = strtod(text, &end);
    if (end == text || !(number >= 0) || number > 1e9)
        return -1;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(end, units[i].name)) {
            *value = number * units[i].seconds;
            return 0;
        }
    return -1;
}

static int read_real(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end == text || *end != 0 || !isfinite(*value) ? -1 : 0;
}

static int read_length(const char *text, double *value)
{
    double number;
    if (read_real(text, &number) || !(number >= 0 && number <= GJB_MOST_MARGIN))
        return -1;
    *value = number + 0.0; /* no -0 */
    return 0;
}

static int read_numbers(const char *text, cli_numbers *numbers)
{
    char part[32];
    while (1) {
        size_t length = strcspn(text, ",");
        if (!length || length >= sizeof part ||
            numbers->count == sizeof numbers->value / sizeof *numbers->value)
            return -1;
        memcpy(part, text, length);
        part[length] = 0;
        if (cli_read_count(part, &numbers->value[numbers->count]))
            return -1;
        numbers->count++;
        if (!text[length])
            return 0;
        text += length + 1;
    }
}

static int read_shard(const char *text, cli_shard *shard)
{
    const char *slash = strchr(text, '/');
    char index[24];
    if (!slash || (size_t)(slash - text) >= sizeof index)
        return -1;
    memcpy(index, text, (size_t)(slash - text));
    index[slash - text] = 0;
    uint64_t k, n;
    if (cli_read_count(index, &k) || cli_read_count(slash + 1, &n) || k < 1 || k > n ||
        n > GJB_VERIFY_SHARDS_MAX) /* 'merge' takes no more */
        return -1;
    *shard = (cli_shard){k - 1, n};
    return 0;
}

static int store(const cli_option *option, const char *value)
{
    static const char *const wanted[] = {[CLI_FLAG] = "nothing",
                                         [CLI_TEXT] = "text",
                                         [CLI_COUNT] = "a whole number such as 4096, 200k or 10M, below 2^63",
                                         [CLI_SECONDS] = "a time such as 2, 500ms or 1.5m",
                                         [CLI_REAL] = "a number such as 0.5 or -1e-3",
                                         [CLI_LENGTH] = "a length from 0 to 2^120, such as 0.02",
                                         [CLI_NUMBERS] = "whole numbers with commas between",
                                         [CLI_SHARD] = "K/N with 1 <= K <= N <= 2^20",
                                         [CLI_LEAVING] = "hit or ignore"};
    int failed = 0;
    switch (option->type) {
    case CLI_FLAG:
        *(int *)option->target = 1;
        break;
    case CLI_TEXT:
        *(const char **)option->target = value;
        break;
    case CLI_COUNT:
        failed = cli_read_count(value, option->target);
        break;
    case CLI_SECONDS:
        failed = read_seconds(value, option->target);
        break;
    case CLI_REAL:
        failed = read_real(value, option->target);
        break;
    case CLI_LENGTH:
        failed = read_length(value, option->target);
        break;
    case CLI_NUMBERS:
        failed = read_numbers(value, option->target);
        break;
    case CLI_SHARD:
        failed = read_shard(value, option->target);
        break;
    case CLI_LEAVING:
        failed = strcmp(value, "hit") != 0 && strcmp(value, "ignore") != 0;
        *(uint32_t *)option->target = strcmp(value, "ignore") == 0 ? GJB_LEAVING_IGNORE : GJB_LEAVING_HIT;
        break;
    }
    if (failed)
        return cli_usage_error("--%s wants %s, not '%s'", option->name, wanted[option->type], value);
    return -1;
}

static void print_options(const cli_option *options)
{
    for (const cli_option *o = options; o && o->name; o++)
        cli_print_option(o->name, o->argument, o->about);
}

static void print_help(const cli_spec *spec)
{
    const int at = printf("usage: %s", CLI_PROGRAM);
    cli_print_wrapped(stdout, spec->usage, at, 7);
    putchar('\n');
    cli_print_wrapped(stdout, spec->about, 0, 0);
    puts("\noptions:");
    print_options(spec->options);
    print_options(cli_common_options);
    if (spec->select) {
        putchar('\n');
        cli_select_print(spec->select);
    }
    if (spec->examples) {
        puts("\nexamples:");
        cli_print_examples(stdout, spec->examples);
    }
}

/* Does `argument` spell option `name`? Sets *value behind '=', or NULL. */
static int spells(const char *argument, const char *name, const char **value)
{
    size_t length = strlen(name);
    if (strncmp(argument, name, length) || (argument[length] && argument[length] != '='))
        return 0;
    *value = argument[length] ? argument + length + 1 : NULL;
    return 1;
}

/* The operand of the usage that has this name in capitals: "[SCENE]" of "scene". Its length there, or 0. */
static size_t operand_of(const cli_spec *spec, const char *name, const char **operand)
{
    const char *word = strchr(spec->usage, ' ');
    const size_t length = word ? strcspn(word + 1, " ") : 0, size = strlen(name);
    const size_t bracket = length && word[1] == '[';
    *operand = word ? word + 1 : "";
    if (!spec->max_files || size < 3 || length < size + 2 * bracket)
        return 0;
    for (size_t i = 0; i < size; i++)
        if ((name[i] | 0x20) != (word[1 + bracket + i] | 0x20))
            return 0;
    return strchr("].", word[1 + bracket + size]) || length == size ? length : 0;
}

/* An option that has this name as its first or last word: "min-time" of "time". NULL if none has. */
static const char *longer_option(const char *name, const char *const *names, size_t count)
{
    const size_t size = strlen(name);
    for (size_t i = 0; size && i < count; i++) {
        const size_t length = strlen(names[i]);
        if (length > size && ((names[i][size] == '-' && !strncmp(names[i], name, size)) ||
                              (names[i][length - size - 1] == '-' && !strcmp(names[i] + length - size, name))))
            return names[i];
    }
    return NULL;
}

static int unknown_option(const cli_spec *spec, const char *argument)
{
    const char *names[64] = {"help", "color", "plugin", "contender-program"};
    size_t count = 4;
    if (spec->select)
        count += cli_select_names(spec->select, names + count);
    for (const cli_option *o = spec->options; o && o->name && count < 64; o++)
        names[count++] = o->name;
    char name[48];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
    const char *operand, *longer = longer_option(name, names, count),
                         *near = longer ? longer : gjb_nearest_name(name, names, count);
    const size_t length = operand_of(spec, name, &operand);
    if (length)
        return cli_usage_error("unknown option '--%s': give it without an option, as in '%s %s %.*s'", name, CLI_PROGRAM,
                               command_name, (int)length, operand);
    if (near)
        return cli_usage_error("unknown option '--%s': did you mean '--%s'?", name, near);
    return cli_usage_error("unknown option '--%s'; --help lists all options", name);
}

/* One "--name[=value]" at argv[*i]; -1 to go on, else an exit code. */
static int take_option(const cli_spec *spec, int argc, char **argv, int *i)
{
    const char *argument = argv[*i] + 2, *value = NULL;
    const char *next = *i + 1 < argc ? argv[*i + 1] : NULL;
    if (spells(argument, "help", &value)) {
        print_help(spec);
        return GJB_EXIT_OK;
    }
    if (spells(argument, "color", &value)) {
        if (!value && next)
            value = argv[++*i];
        if (!value || cli_color_set(value))
            return cli_usage_error("--color wants auto, always or never, not '%s'", value ? value : "");
        return -1;
    }
    if (spells(argument, "plugin", &value) || spells(argument, "contender-program", &value)) { /* by take_plugins */
        *i += !value;
        return -1;
    }
    for (const cli_option *o = spec->options; o && o->name; o++) {
        if (!spells(argument, o->name, &value))
            continue;
        if (o->type == CLI_FLAG && value)
            return cli_usage_error("--%s takes no value", o->name);
        if (o->type != CLI_FLAG && !value) {
            if (!next || (strncmp(next, "--", 2) == 0 && isalpha((unsigned char)next[2])))
                return cli_usage_error("--%s wants a value: --%s %s", o->name, o->name, o->argument);
            value = argv[++*i];
        }
        return store(o, value);
    }
    if (spec->select) {
        char name[48];
        size_t length = strcspn(argument, "=");
        if (length < sizeof name) {
            memcpy(name, argument, length);
            name[length] = 0;
            int inside = argument[length] == '=';
            value = inside ? argument + length + 1 : next ? next : "";
            gjb_error error = {{0}};
            int taken = cli_select_take(spec->select, name, value, &error);
            if (taken < 0)
                return cli_usage_error("%s", error.text);
            if (taken) {
                *i += !inside;
                return -1;
            }
        }
    }
    return unknown_option(spec, argument);
}

/* Before all else: other options may name their contenders. */
static int take_plugins(int argc, char **argv)
{
    static const struct {
        const char *name, *argument;
        int (*add)(const char *, gjb_error *);
    } sources[] = {{"plugin", "FILE", gjb_plugin_add}, {"contender-program", "COMMAND", gjb_program_add}};
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
        const char *value = NULL;
        gjb_error error = {{0}};
        size_t which = 0;
        while (which < 2 && (strncmp(argv[i], "--", 2) || !spells(argv[i] + 2, sources[which].name, &value)))
            which++;
        if (which == 2)
            continue;
        if (!value)
            value = ++i < argc ? argv[i] : "";
        if (!*value)
            return cli_usage_error("--%s wants a value: --%s %s", sources[which].name, sources[which].name,
                                   sources[which].argument);
        if (sources[which].add(value, &error))
            return cli_usage_error("--%s: %s", sources[which].name, error.text);
    }
    return -1;
}

static int refuse_operand(const cli_spec *spec, const char *argument)
{
    const char *dot = strrchr(argument, '.');
    const int file = dot && (!strcmp(dot, ".json") || !strcmp(dot, ".gjb"));
    if (spec->max_files)
        return cli_usage_error("too many operands: '%s'", argument);
    return cli_usage_error(
        "unexpected operand '%s'%s", argument,
        file ? ": it takes no file; 'choose' and 'replay' take scenes, 'report' and 'compare' results" : "");
}

int cli_parse(const cli_spec *spec, int argc, char **argv, const char **files, size_t *file_count)
{
    size_t count = 0;
    int only_files = 0;
    command_name = argv[0];
    if (cli_completing())
        return cli_complete(spec, argc, argv);
    const int refused = take_plugins(argc, argv);
    if (refused >= 0)
        return refused;
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        if (!only_files && !strcmp(argument, "--")) {
            only_files = 1;
        } else if (!only_files && !strcmp(argument, "-h")) {
            print_help(spec);
            return GJB_EXIT_OK;
        } else if (!only_files && !strncmp(argument, "--", 2)) {
            int code = take_option(spec, argc, argv, &i);
            if (code >= 0)
                return code;
        } else if (!only_files && argument[0] == '-' && argument[1]) {
            return cli_usage_error("unknown option '%s'; options begin with two dashes", argument);
        } else {
            if (count == spec->max_files)
                return refuse_operand(spec, argument);
            files[count++] = argument;
        }
    }
    if (count < spec->min_files)
        return cli_usage_error("an operand is missing; usage: %s %s", CLI_PROGRAM, spec->usage);
    if (file_count)
        *file_count = count;
    if (spec->select) {
        gjb_error error = {{0}};
        if (cli_select_finish(spec->select, &error))
            return cli_usage_error("%s", error.text);
    }
    return -1;
}
