/* The command `report`: result files in, a page with its drawings out. */
#include <stdio.h>

#include "cli/cli.h"
#include "reports/report.h"

int cmd_report(int argc, char **argv)
{
    const char *out = "report", *files[64];
    size_t file_count = 0;
    int pdf = 0;
    const cli_option options[] = {
        {"out", CLI_TEXT, &out, "DIR", "folder for the page and what lies next to it (default: report)"},
        {"pdf", CLI_FLAG, &pdf, NULL, "also DIR/report.pdf, and every drawing as DIR/figures/*.pdf"},
        {0},
    };
    const cli_spec spec = {
        .usage = "report RESULT... [--out DIR]",
        .about = "Writes a page to look at, DIR/index.html, from the results that 'verify --json', 'bench --json',\n"
                 "'replay --json', 'compare --json' and 'history changes --json' write, and from league tables that 'run'\n"
                 "keeps. The page is one file that loads nothing: drawings are inline. The numbers of every drawing lie\n"
                 "next to it as DIR/data/*.csv, the drawings as DIR/figures/*.svg, the tables as DIR/tables/*.csv, *.md\n"
                 "and *.tex, under names that stay. Drawings need gnuplot (GJKBENCH_GNUPLOT names another one than the\n"
                 "first on PATH); without it the page has tables instead. --pdf needs chromium, or a browser like it\n"
                 "that GJKBENCH_BROWSER names.",
        .options = options,
        .examples = "  gjkbench report verify.json bench.json           both on one page, in report/index.html\n"
                    "  gjkbench report bench.json --out /tmp/page       times alone, elsewhere\n"
                    "  gjkbench report league.json                      a league table alone\n"
                    "  gjkbench report bench.json compare.json history.json   what changed, and since when\n"
                    "  gjkbench report bench.json --pdf                 for papers: report/report.pdf, report/figures/*.pdf\n",
        .min_files = 1,
        .max_files = 60,
    };
    if (argc > 64)
        return cli_usage_error("report: at most 60 result files");
    int code = cli_parse(&spec, argc, argv, files, &file_count);
    if (code >= 0)
        return code;
    gjb_error error = {{0}};
    int written = pdf ? gjb_report_print(files, file_count, out, &error)
                      : gjb_report_write(files, file_count, out, &error);
    if (written < 0) {
        fprintf(stderr, CLI_PROGRAM " report: %s\n", error.text);
        return GJB_EXIT_USAGE;
    }
    if (written == GJB_REPORT_UNDRAWN)
        fprintf(stderr, CLI_PROGRAM " report: %s\n", error.text);
    printf("%s/index.html\n", out);
    return GJB_EXIT_OK;
}
