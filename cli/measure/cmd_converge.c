/* The command `converge`: measures GJK's and EPA's convergence for each kind of shape, and prints a table. */
#include <inttypes.h>

#include "cli/cli.h"
#include "verify/converge/converge.h"

static void progress(uint64_t done, uint64_t total)
{
    cli_progress("converging", done, total);
}

/* Supports after which all but one in twenty are as near as that; 0: never. */
static int supports_until(const json_t *row, double near)
{
    const json_t *most = json_object_get(row, "most");
    size_t k = json_array_size(most);
    while (k > 0 && json_number_value(json_array_get(most, k - 1)) <= near)
        k--;
    return (int)json_integer_value(json_array_get(json_object_get(row, "supports"), k));
}

static void print(const json_t *json, FILE *stream)
{
    static const double levels[] = {1e-3, 1e-6, 1e-12};
    const json_t *row;
    size_t i;
    fputs("Supports that GJK (distance) and EPA (penetration) take until all but one pair in twenty are as "
          "near to the truth\n"
          "as that, in sizes of the pair; how many pairs end at the cap; and iterations of ours,\n"
          "how many of its pairs are unproven, and capped\n\n",
          stream);
    fprintf(stream, "%-3s %-12s %-15s %-4s %6s %6s %6s %6s %6s %9s %6s %6s %7s %6s\n", "dim", "query", "workload",
            "prec", "pairs", "1e-3", "1e-6", "1e-12", "capped", "ours: 50%", "95%", "all", "unprov.", "capped");
    json_array_foreach(json_object_get(json, "convergence"), i, row)
    {
        const json_t *ours = json_object_get(row, "ours");
        fprintf(stream, "%-3d %-12s %-15s %-4s %6d", (int)json_integer_value(json_object_get(row, "dim")),
                json_string_value(json_object_get(row, "query")),
                json_string_value(json_object_get(row, "workload")),
                json_string_value(json_object_get(row, "precision")),
                (int)json_integer_value(json_object_get(row, "pairs")));
        for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
            const int supports = supports_until(row, levels[k]);
            if (supports)
                fprintf(stream, " %6d", supports);
            else
                fprintf(stream, " %6s", "-");
        }
        fprintf(stream, " %6d", (int)json_integer_value(json_object_get(row, "capped")));
        if (ours)
            fprintf(stream, " %9.0f %6.0f %6.0f %7d %6d", json_number_value(json_object_get(ours, "median")),
                    json_number_value(json_object_get(ours, "most")),
                    json_number_value(json_object_get(ours, "all")),
                    (int)json_integer_value(json_object_get(ours, "unproven")),
                    (int)json_integer_value(json_object_get(ours, "capped")));
        fputc('\n', stream);
    }
}

int cmd_converge(int argc, char **argv)
{
    static const char *const takes[] = {"precision", "dim", NULL};
    cli_select select = {.takes = takes};
    gjb_converge_plan plan = {.pairs = 400, .seed = 1, .stop = &cli_interrupted, .progress = progress};
    const char *json_path = NULL, *files[1];
    const cli_option options[] = {
        {"pairs", CLI_COUNT, &plan.pairs, "N", "pairs of each kind, query and precision (400)"},
        {"seed", CLI_COUNT, &plan.seed, "S", "which pairs: the same on every machine (1)"},
        {"json", CLI_TEXT, &json_path, "FILE",
         "errors after each support as JSON, which 'report' draws; '-' is stdout"},
        {0}};
    const cli_spec spec = {
        .usage = "converge [--dim 2|3] [--precision f32|f64] [--pairs N] [--seed S] [--json FILE]",
        .about =
            "On a polytope GJK and EPA end; on a smooth shape they converge. Says how many supports that "
            "takes, kind\n"
            "by kind, against proven truth, of the methods as the papers give them, in f32 and f64, and "
            "how\n"
            "many iterations ours take on the same pairs. Unproven in 3D are penetrations whose\n"
            "bounds did not meet before branch and bound ran out of cells: the least depth found is the answer\n"
            "('verify' grades it). Exits with 1 when an answer of ours is at its cap.",
        .options = options,
        .select = &select,
        .examples = "  gjkbench converge --dim 3\n"
                    "  gjkbench converge --json converge.json && gjkbench report converge.json\n"};
    gjb_error error = {{0}};
    const int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code >= 0)
        return code;
    if (!plan.pairs || plan.pairs > 100000)
        return cli_usage_error("--pairs: %" PRIu64 ", must be 1 to 100000", plan.pairs);
    if (json_path && cli_check_writable(json_path, &error))
        return cli_usage_error("%s", error.text);
    plan.dims = select.dims;
    plan.precisions = select.precisions;
    cli_catch_interrupt();
    json_t *json = gjb_converge_json(&plan, &error);
    int failed = !json, result = GJB_EXIT_HARNESS;
    if (json) {
        print(json, cli_text_stream(json_path));
        result = gjb_converge_capped(json) ? GJB_EXIT_WRONG
                 : cli_interrupted         ? CLI_EXIT_INTERRUPTED
                                           : GJB_EXIT_OK;
        json_object_set_new(json, "context", cli_context());
        failed = json_path && cli_write_json(json, json_path, &error);
        result = failed ? GJB_EXIT_USAGE : result;
    }
    if (failed)
        fprintf(stderr, CLI_PROGRAM " converge: %s\n", error.text);
    json_decref(json);
    return result;
}
