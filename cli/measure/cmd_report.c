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
        {"out", CLI_TEXT, &out, "DIR", "folder for the page and the files next to it (default: report)"},
        {"pdf", CLI_FLAG, &pdf, NULL, "also write DIR/report.pdf, and every drawing as DIR/figures/*.pdf"},
        {0},
    };
    const cli_spec spec = {
        .usage = "report RESULT... [--out DIR]",
        .about = "Writes a page, DIR/index.html, from the results of 'verify --json', 'bench --json', 'replay --json',\n"
                 "'compare --json' and 'history changes --json', and from league tables of 'run'. The page is one file that\n"
                 "loads nothing: drawings are inline. The files next to it have names that do not change: the numbers of\n"
                 "every drawing in DIR/data/*.csv, the drawings in DIR/figures/*.svg, the tables in DIR/tables/*.csv, *.md\n"
                 "and *.tex.\n\n"
                 "Drawings need gnuplot: the one that GJKBENCH_GNUPLOT names, else the first on PATH. Without it the page has\n"
                 "tables instead. --pdf needs chromium, or a similar browser that GJKBENCH_BROWSER names.",
        .options = options,
        .examples = "  gjkbench report verify.json bench.json           both on one page, in report/index.html\n"
                    "  gjkbench report bench.json --out page            only times, in another folder\n"
                    "  gjkbench report league.json                      only a league table\n"
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
