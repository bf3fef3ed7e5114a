#include <stdint.h>
#include <string.h>

#include "bench/formats.h"
#include "cli/cli.h"

static int fail(const char *file, const char *what)
{
    fprintf(stderr, CLI_PROGRAM " convert: %s: %s\n", file, what);
    return GJB_EXIT_USAGE;
}

static int convert(const char *file, const gjb_format *format, const char *out)
{
    json_error_t bad;
    gjb_error error = {{0}};
    char text[256];
    const char *key = "";
    json_t *root = strcmp(file, "-") ? json_load_file(file, JSON_REJECT_DUPLICATES, &bad)
                                     : json_loadf(stdin, JSON_REJECT_DUPLICATES, &bad);
    const json_t *rows = json_object_get(root, "benchmarks");
    int code = GJB_EXIT_OK;
    if (!root) {
        snprintf(text, sizeof text, "line %d: %.160s", bad.line, bad.text);
        code = fail(file, bad.line > 0 ? text : "cannot be read");
    } else if (!json_is_array(rows)) {
        code = fail(file, "no result of 'bench --json': it has no array 'benchmarks'");
    } else if (gjb_format_lacks(rows, &key) != SIZE_MAX) {
        snprintf(text, sizeof text, "benchmarks[%zu]: %s is missing, or no positive number", gjb_format_lacks(rows, &key), key);
        code = fail(file, text);
    } else {
        json_t *made = format->convert(rows);
        if (!made || cli_write_json(made, out, &error))
            code = fail(file, error.text[0] ? error.text : "out of memory");
        json_decref(made);
    }
    json_decref(root);
    return code;
}

int cmd_convert(int argc, char **argv)
{
    const char *to = NULL, *out = "-", *files[64], *names[16];
    char about[1024] = "Writes results of 'bench --json' or 'run' in the words of programs that track benchmarks. Google\n"
                       "Benchmark's own tools read those results as they are.\n\nformats:";
    for (size_t i = 0; i < gjb_format_count; i++) {
        const size_t used = strlen(about);
        snprintf(about + used, sizeof about - used, "\n  %-14s %s", gjb_formats[i].name, gjb_formats[i].about);
        names[i] = gjb_formats[i].name;
    }
    const cli_option options[] = {
        {"to", CLI_TEXT, &to, "FORMAT", "one of those below"},
        {"json", CLI_TEXT, &out, "FILE", "where it goes; '-' is stdout (the default)"},
        {0},
    };
    const cli_spec spec = {
        .usage = "convert RESULT --to FORMAT [--json FILE]",
        .about = about,
        .options = options,
        .examples = "  gjkbench convert report/data/bench.json --to bencher | bencher run --adapter json --file /dev/stdin\n"
                    "  gjkbench bench --json - | gjkbench convert - --to github-action --json output.json\n",
        .min_files = 1,
        .max_files = 1,
    };
    if (argc > 60)
        return cli_usage_error("too many arguments");
    int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code >= 0)
        return code;
    const gjb_format *format = to ? gjb_format_find(to) : NULL;
    if (!to)
        return cli_usage_error("--to is missing: bencher or github-action");
    if (!format) {
        const char *near = cli_nearest(to, names, gjb_format_count);
        return cli_usage_error("--to %s: must be bencher or github-action%s%s%s", to, near ? "; did you mean '" : "",
                               near ? near : "", near ? "'?" : "");
    }
    return convert(files[0], format, out);
}
