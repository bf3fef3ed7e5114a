/* The command `suite`: a named, frozen list of pairs, answered and graded, and its score cards. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/measure/suite_card.h"
#include "core/file.h"
#include "core/json_file.h"

/* Seconds of timed work a point: times are no part of a suite. */
static const double point_seconds = 0.02;

typedef struct request {
    cli_select select;
    int is_short, is_long, hashes, no_times;
    uint64_t threads;
    const char *json_path, *markdown_path, *badge_path, *out; /* NULL if not given */
    gjb_verify_entry entries[CLI_CONTENDERS_MAX * CLI_BACKENDS_MAX];
    size_t entry_count;
    gjb_bench times;
} request;

static int fail(const gjb_error *error, int code)
{
    fprintf(stderr, CLI_PROGRAM " suite: %s\n", error->text);
    return code;
}

/* -1 to go on, else an exit code. */
static int parse(request *r, int argc, char **argv, const char **name)
{
    static const char *const takes[] = {"contender", "backend", NULL};
    r->select.takes = takes;
    const cli_option options[] = {
        {"short", CLI_FLAG, &r->is_short, NULL,
         "take the short part, of a few seconds, as a check of builds"},
        {"long", CLI_FLAG, &r->is_long, NULL, "take thirty times as many pairs: about an hour"},
        {"threads", CLI_COUNT, &r->threads, "N",
         "processors to use (default: all); results do not depend on it"},
        {"json", CLI_TEXT, &r->json_path, "FILE",
         "write the cards as JSON; '-' is stdout, and the text goes to stderr"},
        {"markdown", CLI_TEXT, &r->markdown_path, "FILE", "write the cards as Markdown"},
        {"badge", CLI_TEXT, &r->badge_path, "FILE", "write a badge as SVG, of one contender"},
        {"out", CLI_TEXT, &r->out, "DIR",
         "folder for pairs that crashed, hung or failed in ours (default: none are kept)"},
        {"no-times", CLI_FLAG, &r->no_times, NULL, "measure no times"},
        {"hashes", CLI_FLAG, &r->hashes, NULL,
         "ask no contender: make the pairs and their truths, and print their hashes"},
        {0}};
    const cli_spec spec = {
        .usage = "suite [NAME] [SELECT] [--short | --long] [--json FILE] [--markdown FILE] [--badge FILE]",
        .about =
            "Answers a named, frozen list of pairs with each contender, grades the answers as 'verify' does, and\n"
            "prints a score card. What a suite of a name holds never changes, so that cards of different people and\n"
            "years compare. Without NAME it lists the suites.\n\n"
            "A suite has two hashes: of its inputs (shapes, poses, motions), and of exact truths (signed distances\n"
            "of polytopes). They are the same on every machine. If they are not as recorded, the card says so.\n"
            "docs/suite.md says what a suite holds, and how to cite it.\n\n"
            "Columns of a card:\n\n"
            "  graded       answers to pairs that the contender supports, right or wrong\n"
            "  wrong        off by more than the contender documents; includes the next three\n"
            "  no answer    NaN, unwritten, or at an iteration limit\n"
            "  crashed      pairs that ended the contender's process\n"
            "  hung         pairs that it did not come back from\n"
            "  not asked    pairs left out after too many of these\n"
            "  asymmetric   answers that change if A and B are swapped\n"
            "  too close    not graded: booleans of shapes that touch up to rounding, and\n"
            "               pairs whose truth takes too long\n"
            "  worst error  largest error as a share of S, the size of the pair\n\n"
            "Of a contender with several backends the widest is asked, or those of --backend. Times are measured\n"
            "on this machine, after the suite, and are no part of it.\n\n"
            "Exits with 1 if an answer of ours is wrong, with 99 if hashes are not as recorded, with 130 after\n"
            "Ctrl-C: the cards then show what was done, are marked as partial, and have no hashes and no badge.",
        .options = options,
        .select = &r->select,
        .examples = "  gjkbench suite                                             which suites are there?\n"
                    "  gjkbench suite 2026.1 --contender batch                    a minute or two\n"
                    "  gjkbench suite 2026.1 --plugin mine.so --contender mine --badge mine.svg\n"
                    "  gjkbench suite 2026.1 --contender all --json cards.json    every library here\n"
                    "  gjkbench suite 2026.1 --short --hashes                     is this build the same?\n",
        .max_files = 1,
        .operands = gjb_suite_names};
    size_t count = 0;
    const int code = cli_parse(&spec, argc, argv, name, &count);
    if (!count)
        *name = NULL;
    if (code < 0 && r->is_short && r->is_long)
        return cli_usage_error("--short and --long exclude each other");
    return code < 0 && r->threads > 1024 ? cli_usage_error("--threads: at most 1024") : code;
}

static int list(void)
{
    const char *names[GJB_SUITES_MAX];
    const size_t count = gjb_suite_names(names);
    for (size_t i = 0; i < count; i++) {
        gjb_error error = {{0}};
        gjb_suite *suite = gjb_suite_open(names[i], GJB_SUITE_USUAL, &error);
        if (!suite)
            return fail(&error, GJB_EXIT_HARNESS);
        printf("%-8s %s\n", names[i], gjb_suite_about(suite));
        gjb_suite_free(suite);
    }
    return GJB_EXIT_OK;
}

/* Of several backends the widest, unless some are named: a card is of a contender. */
static void choose_entries(request *r)
{
    for (size_t i = 0; i < r->select.contender_count && !r->hashes; i++) {
        const char *backends[CLI_BACKENDS_MAX];
        const size_t count = cli_select_backends(&r->select, r->select.contenders[i], backends);
        for (size_t b = r->select.backend_count || !count ? 0 : count - 1; b < count; b++)
            r->entries[r->entry_count++] = (gjb_verify_entry){r->select.contenders[i], backends[b]};
    }
}

/* What cannot work out is said before any work. -1 to go on, else an exit code. */
static int check(const request *r, const gjb_suite *suite)
{
    const char *const paths[] = {r->json_path, r->markdown_path, r->badge_path};
    gjb_error error = {{0}};
    char clash[256];
    uint32_t queries = 0;
    for (size_t i = 0; i < r->entry_count; i++)
        queries |= r->entries[i].contender->queries;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (paths[i] && cli_check_writable(paths[i], &error))
            return cli_usage_error("%s", error.text);
    if (r->markdown_path && cli_is_stdout(r->markdown_path))
        return cli_usage_error("--markdown -: give it a file");
    if (r->badge_path && (r->entry_count != 1 || cli_is_stdout(r->badge_path)))
        return cli_usage_error("--badge %s: %s", r->badge_path,
                               r->entry_count == 1 ? "give it a file"
                                                   : "it is of one contender: name it with --contender");
    if (r->out && cli_make_folder(r->out, &error))
        return cli_usage_error("%s", error.text);
    if (r->hashes && r->select.contenders_given)
        return cli_usage_error("--hashes asks no contender: leave out --contender");
    if (!r->hashes && !(queries & gjb_suite_queries(suite)))
        return cli_usage_error("nothing to grade: no selected contender has a query of the suite%s",
                               cli_select_clash(&r->select, clash));
    return -1;
}

static void progress(uint64_t done, uint64_t total)
{
    cli_progress("graded pairs", done, total);
}

static void time_progress(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    cli_progress("times", done, total);
}

/* Of the points to compare by, one for each query and dimension. */
static int keeps_point(const gjb_bench_case *point)
{
    return strcmp(point->family, "approach") != 0 &&
           (point->query == GJB_SWEEP || strcmp(point->workload, "box") != 0);
}

static void keep_points(gjb_plan *plan)
{
    size_t kept = 0;
    for (size_t i = 0; i < plan->count; i++)
        if (keeps_point(&plan->points[i]))
            plan->points[kept++] = plan->points[i];
    plan->count = kept;
}

/* What has none has no times, which is no error. */
static void measure_times(request *r, const gjb_suite *suite)
{
    gjb_way ways[sizeof r->entries / sizeof *r->entries];
    gjb_plan plan = {0};
    gjb_error error = {{0}};
    for (size_t i = 0; i < r->entry_count; i++)
        ways[i] = (gjb_way){r->entries[i].contender, r->entries[i].backend};
    const gjb_plan_options options = {.size = GJB_PLAN_QUICK,
                                      .brief = 1,
                                      .ways = ways,
                                      .way_count = r->entry_count,
                                      .queries = gjb_suite_queries(suite),
                                      .all_threads = 1,
                                      .margin = GJB_DEFAULT_MARGIN};
    const gjb_bench_settings settings = {.seed = 1,
                                         .min_time = point_seconds,
                                         .brief = 1,
                                         .stop = &cli_interrupted,
                                         .progress = time_progress};
    if (!gjb_plan_make(&plan, &options, &error)) {
        gjb_plan_keep_bases(&plan);
        keep_points(&plan);
        if (plan.count && gjb_bench_measure(&r->times, &plan, &settings, &error))
            fprintf(stderr, CLI_PROGRAM " suite: no times: %s\n", error.text);
    }
    gjb_plan_free(&plan);
}

static void put_text(FILE *stream, const void *context)
{
    fputs(context, stream);
}

static int write_text(const char *path, const text *out, gjb_error *error)
{
    return out->failed ? gjb_fail(error, "%s: out of memory", path)
                       : gjb_file_write(path, put_text, out->s, error);
}

static int write_markdown(const request *r, const cli_suite_cards *cards, gjb_error *error)
{
    text page = {0};
    cli_suite_markdown(cards, &page);
    const int failed = write_text(r->markdown_path, &page, error);
    text_free(&page);
    return failed;
}

/* A badge says what a suite found, and is not drawn of anything less. */
static int write_badge(const request *r, const cli_suite_cards *cards, gjb_error *error)
{
    text svg = {0};
    if (!cli_suite_confirmed(cards)) {
        fprintf(stderr, CLI_PROGRAM " suite: %s: no badge, since the suite is not complete\n", r->badge_path);
        return 0;
    }
    cli_suite_badge(cards, 0, &svg);
    const int failed = write_text(r->badge_path, &svg, error);
    text_free(&svg);
    return failed;
}

static int write_json(const request *r, const cli_suite_cards *cards, json_t *context, gjb_error *error)
{
    json_t *json = json_object(), *card = cli_suite_json(cards);
    json_object_set(json, "context", context);
    json_object_update_missing(json, card);
    const int failed = cli_write_json(json, r->json_path, error);
    json_decref(card);
    json_decref(json);
    return failed;
}

static int give(request *r, const cli_suite_cards *cards, json_t *context, gjb_error *error)
{
    text out = {0};
    cli_suite_text(cards, &out);
    const int failed = out.failed ? gjb_fail(error, "out of memory") : 0;
    if (!failed)
        fputs(out.s, cli_text_stream(r->json_path));
    text_free(&out);
    return failed || (r->json_path && write_json(r, cards, context, error)) ||
                   (r->markdown_path && write_markdown(r, cards, error)) ||
                   (r->badge_path && write_badge(r, cards, error))
               ? -1
               : 0;
}

static int exit_code(const cli_suite_cards *cards)
{
    const gjb_suite_result *result = cards->result;
    if (result->exit_code)
        return result->exit_code;
    if (cli_interrupted)
        return CLI_EXIT_INTERRUPTED;
    if (cli_suite_confirmed(cards))
        return GJB_EXIT_OK;
    const gjb_verify_hashes *h = gjb_suite_recorded(cards->suite);
    fprintf(
        stderr,
        CLI_PROGRAM
        " suite: hashes: inputs %016llx and truths %016llx, but %016llx and %016llx are recorded: a generator "
        "or an oracle changed, or is broken\n",
        (unsigned long long)result->hashes.inputs, (unsigned long long)result->hashes.truths,
        (unsigned long long)h->inputs, (unsigned long long)h->truths);
    return GJB_EXIT_HARNESS;
}

static int run(request *r, const gjb_suite *suite, gjb_suite_length length)
{
    gjb_suite_result result;
    gjb_error error = {{0}};
    const gjb_suite_settings settings = {.entries = r->entries,
                                         .entry_count = r->entry_count,
                                         .threads = (uint32_t)r->threads,
                                         .out = r->out,
                                         .stop = &cli_interrupted,
                                         .progress = progress};
    cli_catch_interrupt();
    int code = gjb_suite_run(suite, &settings, &result, &error) ? fail(&error, GJB_EXIT_HARNESS) : -1;
    if (code < 0 && !r->no_times && r->entry_count && !cli_interrupted)
        measure_times(r, suite);
    if (code < 0) {
        json_t *context = cli_context();
        const cli_suite_cards cards = {
            suite, length, r->entries, r->entry_count, &result, r->no_times ? NULL : &r->times, context};
        code = give(r, &cards, context, &error) ? fail(&error, GJB_EXIT_USAGE) : exit_code(&cards);
        json_decref(context);
    }
    gjb_bench_free(&r->times);
    gjb_suite_result_free(&result);
    return code;
}

static request the_request; /* large */

int cmd_suite(int argc, char **argv)
{
    request *r = &the_request;
    const char *name = NULL;
    gjb_error error = {{0}};
    int code = parse(r, argc, argv, &name);
    if (code >= 0)
        return code;
    if (!name)
        return list();
    const gjb_suite_length length = r->is_short  ? GJB_SUITE_SHORT
                                    : r->is_long ? GJB_SUITE_LONG
                                                 : GJB_SUITE_USUAL;
    gjb_suite *suite = gjb_suite_open(name, length, &error);
    if (!suite)
        return cli_usage_error("%s", error.text);
    choose_entries(r);
    code = check(r, suite);
    if (code < 0)
        code = run(r, suite, length);
    gjb_suite_free(suite);
    return code;
}
