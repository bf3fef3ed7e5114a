/* The command `convert`: rewrites a result file in another program's format. */
#include <string.h>

#include "bench/formats.h"
#include "cli/cli.h"
#include "core/json_file.h"
#include "core/spelling.h"

static int convert(const char *file, const gjb_format *format, const char *out)
{
    gjb_error error = {{0}};
    json_t *root = gjb_json_load(file, &error);
    const json_t *rows =
        root ? gjb_rows(root, gjb_json_place(file), gjb_format_fields, GJB_FORMAT_FIELDS, &error) : NULL;
    json_t *made = rows ? format->convert(rows) : NULL;
    int failed = !made;
    if (rows && !made)
        gjb_fail(&error, "out of memory");
    else if (made)
        failed = cli_write_json(made, out, &error);
    if (root && !rows)
        gjb_json_point_file(&error, file);
    if (failed)
        fprintf(stderr, CLI_PROGRAM " convert: %s\n", error.text);
    json_decref(made);
    json_decref(root);
    return failed ? GJB_EXIT_USAGE : GJB_EXIT_OK;
}

int cmd_convert(int argc, char **argv)
{
    const char *to = NULL, *out = "-", *files[64], *names[16];
    char about[1024] = "Writes results of 'bench --json' or 'run' in the formats of programs that track benchmarks. Google\n"
                       "Benchmark's own tools read those results as they are.\n\nformats:";
    for (size_t i = 0; i < gjb_format_count; i++) {
        const size_t used = strlen(about);
        snprintf(about + used, sizeof about - used, "\n  %-14s %s", gjb_formats[i].name, gjb_formats[i].about);
        names[i] = gjb_formats[i].name;
    }
    const cli_option options[] = {
        {"to", CLI_TEXT, &to, "FORMAT", "a format of the list above"},
        {"json", CLI_TEXT, &out, "FILE", "file to write; '-' is stdout (default: -)"},
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
        const char *near = gjb_nearest_name(to, names, gjb_format_count);
        return cli_usage_error("--to %s: must be bencher or github-action%s%s%s", to, near ? "; did you mean '" : "",
                               near ? near : "", near ? "'?" : "");
    }
    return convert(files[0], format, out);
}
