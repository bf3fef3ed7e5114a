#include <unistd.h>

#include "cli/cli.h"
#include "cli/hulls.h"
#include "cli/verify_plan.h"

static int give_results(const gjb_verify_report *report, const char *json_path, gjb_error *error)
{
    FILE *stream = cli_text_stream(json_path);
    gjb_verify_paint paint = cli_verify_paint(stream);
    gjb_verify_print(report, stream, &paint);
    if (!json_path)
        return 0;
    json_t *json = json_object(), *results = gjb_verify_json(report);
    json_object_set_new(json, "context", cli_context());
    json_object_update_missing(json, results);
    int failed = cli_write_json(json, json_path, error);
    json_decref(results);
    json_decref(json);
    return failed;
}

int cmd_verify(int argc, char **argv)
{
    cli_select select = {0};
    gjb_verify_plan plan = {.pairs = 200000, .seed = 1, .audit = 512, .out = "failures"};
    uint64_t threads = 0, audit = plan.audit;
    cli_shard shard = {0, 1};
    const char *json_path = NULL, *out = NULL, *hulls_path = NULL;
    const cli_option options[] = {
        {"pairs", CLI_COUNT, &plan.pairs, "N",
         "pairs per dimension and precision, spread evenly over workloads and families (200k)"},
        {"seed", CLI_COUNT, &plan.seed, "S", "which pairs: the same on every machine (1)"},
        {"shard", CLI_SHARD, &shard, "K/N", "only the K-th of N parts of the pairs"},
        {"threads", CLI_COUNT, &threads, "N", "processors to use (all); results do not depend on it"},
        {"hulls", CLI_TEXT, &hulls_path, "PATH", cli_hulls_about},
        {"json", CLI_TEXT, &json_path, "FILE",
         "results as JSON; '-' is stdout, and the table goes to stderr"},
        {"out", CLI_TEXT, &out, "DIR", "folder for failing pairs (failures, made when the first comes)"},
        {"save-all", CLI_FLAG, &plan.save_all, NULL, "save failing pairs of other contenders too"},
        {"audit", CLI_COUNT, &audit, "N",
         "every N-th pair the exact oracle checks the certificates (512; 0: never)"},
        {0}};
    const cli_spec spec = {
        .usage = "verify [SELECT] [--pairs N] [--seed S] [--shard K/N] [--json FILE] [--out DIR]",
        .about =
            "Grades contenders on generated pairs: booleans outside the tolerance band, values, normals and\n"
            "witness points, each against proven bounds, and against the exact oracle where these leave a\n"
            "doubt. An answer is right within tau + skin + k eps S ('list' shows k). Failing pairs of ours\n"
            "are saved for 'replay', at most 20 for each row.\n\n"
            "Exits with 1 when an answer of ours is wrong, NaN, missing, at the iteration limit or changes\n"
            "when A and B are exchanged, when backends differ in a single bit, or when 1% or more of the\n"
            "pairs outside the touching families go ungraded (of 1,000 or more in a line). 130 when stopped by Ctrl-C with nothing wrong\n"
            "so far: what was done is printed and written. 2 when there is nothing to grade.",
        .options = options,
        .select = &select,
        .examples = "  gjkbench verify                                      everything: a minute or two\n"
                    "  gjkbench verify --contender batch --pairs 10M        a campaign on our kernels\n"
                    "  gjkbench verify --query penetration --family needle --precision f32\n"
                    "  gjkbench verify --backend avx2,scalar --json - | jq '.summary'\n"
                    "  gjkbench verify --workload real256 --hulls mine.gjb   shapes of one's own ('import' makes them)\n"
                    "  gjkbench verify --pairs 10M --shard 3/8              the third of eight machines\n"};
    const char *files[1];
    int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code >= 0)
        return code;
    if (threads > 1024)
        return cli_usage_error("--threads: at most 1024");
    gjb_error error = {{0}};
    /* The default folder is made only when a failure comes, but must not turn out unusable then. */
    int made = out || !access(plan.out, F_OK);
    plan.out = out ? out : plan.out;
    cli_verify_lists lists;
    cli_verify_plan(&select, &lists, &plan);
    plan.threads = (uint32_t)threads;
    plan.audit = (uint32_t)audit;
    plan.shard = shard.index;
    plan.shards = shard.of;
    if (cli_verify_check(&plan, &error) || (made && cli_make_folder(plan.out, &error)) ||
        (json_path && cli_check_writable(json_path, &error)))
        return cli_usage_error("%s", error.text);
    gjb_scene *hulls = hulls_path ? cli_hulls_load(hulls_path, &select, &error) : NULL;
    if (hulls_path && !hulls)
        return cli_usage_error("%s", error.text);
    plan.library = hulls ? &hulls->shapes : NULL;
    cli_catch_interrupt();
    gjb_verify_report *report = gjb_verify_run(&plan, &error);
    if (report && !give_results(report, json_path, &error)) {
        code = gjb_verify_exit(report);
        if (code == GJB_EXIT_OK && report->interrupted)
            code = CLI_EXIT_INTERRUPTED;
        else if (code == GJB_EXIT_OK && cli_verify_check_report(report, &error))
            code = cli_usage_error("%s", error.text);
    } else {
        fprintf(stderr, CLI_PROGRAM " verify: %s\n", error.text);
        code = report ? GJB_EXIT_USAGE : GJB_EXIT_HARNESS;
    }
    /* A thread lost in a contender of ours may still read the hulls. */
    if (!report || !report->interrupted)
        gjb_scene_free(hulls);
    gjb_verify_free(report);
    return code;
}
