#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/replay.h"
#include "cli/replay_table.h"
#include "cli/verify_plan.h"
#include "core/file.h"
#include "fuzz/known_failures.h"
#include "fuzz/replay.h"

enum { LINES_MAX = 60 };

/* What the cases come to. */
typedef struct tally {
    json_t *cases; /* NULL: no JSON wanted */
    json_t *left_out; /* with it: what of a collection is not taken */
    cli_replay_table *table; /* instead of lines; NULL: none wanted */
    uint32_t dim; /* of the scene at hand */
    int markdown;
    FILE *stream;
    uint64_t counts[GJB_VERDICTS], wrong_ours, lines, all_cases;
} tally;

static const char *const verdicts[GJB_VERDICTS] = {"right", "wrong", "ungraded", "unsupported"};

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Fields that nobody wrote hold no value. */
static double value_of(const gjb_replay_case *one)
{
    return one->result.status == GJB_UNWRITTEN ? NAN : one->result.value;
}

static void add_json(tally *t, const gjb_replay_case *one)
{
    json_t *mishap = one->mishap ? json_string(one->mishap) : json_null();
    json_array_append_new(t->cases,
                          json_pack("{ss ss ss ss ss ss ss ss so so so so so so}", "id", one->id, "contender",
                                    one->contender->name, "backend", one->backend, "precision",
                                    gjb_precision_name(one->precision), "query", gjb_queries[one->query].name,
                                    "verdict", verdicts[one->grade.verdict], "fault",
                                    gjb_fault_name(one->grade.fault), "status",
                                    gjb_status_name(one->result.status), "mishap", mishap, "value",
                                    number(value_of(one)), "truth", number(one->truth), "error_eps",
                                    number(one->grade.has_value ? one->grade.error_eps : NAN), "epsilon",
                                    number(one->epsilon > 0 ? one->epsilon : NAN), "tau", number(one->tau)));
}

static void print_head(const tally *t)
{
    fprintf(t->stream,
            "truth: of intersect, the signed distance; of sweep and toi, the time of first contact, - where there is\n"
            "none; error/epsS: the largest of value, normal and witness points, in units of eps S, a time's by the\n"
            "distance that the shapes then have or by how deep they were; eps is that of the scene's precision or of the\n"
            "answer's (prec), the coarser: rotations and convex polygons are so to no more; right is what is within granted\n"
            "+ k eps S ('list' shows k), the first by the library's own documentation and in the scene's units, as distances are\n"
            "%-11s %-12s %-8s %-4s %-15s %-14s %-14s %-14s %-10s %-8s %s\n",
            "verdict", "contender", "backend", "prec", "query", "status", "value",
            "truth", "error/epsS", "granted", "pair: fault");
}

static void print_number(FILE *stream, int width, int digits, double value)
{
    if (isfinite(value))
        fprintf(stream, " %-*.*g", width, digits, value);
    else
        fprintf(stream, " %-*s", width, "-");
}

static void print_case(tally *t, const gjb_replay_case *one)
{
    static const cli_paint paints[GJB_VERDICTS] = {CLI_GOOD, CLI_BAD, CLI_NOTE, CLI_DIM};
    const char *fault = one->mishap ? one->mishap : one->grade.fault ? gjb_fault_name(one->grade.fault) : "";
    if (!t->lines)
        print_head(t);
    fprintf(t->stream, "%s%-11s%s %-12s %-8s %-4s %-15s %-14s",
            cli_color(t->stream, paints[one->grade.verdict]), verdicts[one->grade.verdict],
            cli_color(t->stream, CLI_PLAIN), one->contender->name, one->backend,
            gjb_precision_name(one->precision), gjb_queries[one->query].name,
            one->mishap && one->result.status == GJB_UNWRITTEN ? "-" : gjb_status_name(one->result.status));
    print_number(t->stream, 14, 9, gjb_queries[one->query].has_value ? value_of(one) : NAN);
    print_number(t->stream, 14, 9, one->truth);
    print_number(t->stream, 10, 3, one->grade.has_value ? one->grade.error_eps : NAN);
    print_number(t->stream, 8, 3, one->tau);
    fprintf(t->stream, " %s%s%s\n", one->id, fault[0] ? ": " : "", fault);
}

static void take(void *context, const gjb_replay_case *one)
{
    tally *t = context;
    int wrong = one->grade.verdict == GJB_WRONG;
    t->counts[one->grade.verdict]++;
    t->wrong_ours += wrong && one->contender->ours;
    t->all_cases++;
    if (t->cases)
        add_json(t, one);
    if (t->table) {
        cli_replay_table_add(t->table, t->dim, one);
        return;
    }
    /* Everything while it is little; then only what went wrong. */
    if (t->lines < LINES_MAX || (wrong && one->contender->ours && t->lines < 2 * LINES_MAX)) {
        print_case(t, one);
        t->lines++;
    }
}

/* What another library got wrong in one precision is worth trying in both. */
static int replay_known(const gjb_known_failures *all, const char *file, const gjb_replay_plan *wanted,
                        tally *t, gjb_error *error)
{
    gjb_replay_plan both = *wanted, *plan = &both;
    if (!both.precisions)
        both.precisions = (1u << GJB_PRECISIONS) - 1;
    for (size_t i = 0; i < all->count; i++) {
        both.step = all->cases[i].step;
        t->dim = all->cases[i].scene->shapes.dim;
        if (gjb_replay_scene(all->cases[i].scene, all->cases[i].id, plan, take, t, error))
            return -1;
    }
    for (size_t i = 0; i < all->left_out_count; i++) {
        const gjb_left_out *out = &all->left_out[i];
        const char *ids = out->ids ? out->ids : out->first;
        fprintf(t->stream, "%s: %zu case%s not taken: %s: %s", file, out->count, out->count == 1 ? " is" : "s are",
                out->reason, ids);
        fprintf(t->stream, strcmp(ids, out->first) ? " (the first: %s)\n" : "\n", out->first);
        if (t->left_out)
            json_array_append_new(t->left_out, json_pack("{ss sI ss ss}", "reason", out->reason, "count",
                                                         (json_int_t)out->count, "first", out->first, "ids", ids));
    }
    return 0;
}

static int replay_file(const char *path, const gjb_replay_plan *plan, tally *t, gjb_error *error)
{
    size_t size;
    const char *name = cli_is_stdout(path) ? "standard input" : path;
    unsigned char *bytes = gjb_file_read(path, gjb_scene_accept, &size, error);
    if (!bytes)
        return -1;
    int failed;
    if (gjb_known_failures_sniff(bytes, size)) {
        gjb_known_failures *all = gjb_known_failures_parse(bytes, size, name, error);
        failed = !all || replay_known(all, name, plan, t, error);
        gjb_known_failures_free(all);
    } else {
        gjb_scene *scene = gjb_scene_parse(bytes, size, name, error);
        t->dim = scene ? scene->shapes.dim : 0;
        failed = !scene || gjb_replay_scene(scene, name, plan, take, t, error);
        gjb_scene_free(scene);
    }
    free(bytes);
    return failed ? -1 : 0;
}

typedef struct replaying {
    const gjb_replay_plan *plan;
    tally *tally;
    int complaints;
} replaying;

/* Complaints go to stderr, and the rest is replayed all the same. */
static void replay_one(void *context, const char *path, const char *why)
{
    replaying *r = context;
    gjb_error error = {{0}};
    if (why ? gjb_fail(&error, "%s", why) : replay_file(path, r->plan, r->tally, &error)) {
        fprintf(stderr, CLI_PROGRAM " replay: %s\n", error.text);
        r->complaints++;
    }
}

static int replay_path(const char *path, const gjb_replay_plan *plan, tally *t)
{
    replaying r = {plan, t, 0};
    cli_each_file(path, replay_one, &r);
    return r.complaints;
}

static int finish(tally *t, const char *json_path, gjb_error *error)
{
    if (t->table)
        cli_replay_table_print(t->table, t->markdown, t->stream);
    else if (t->all_cases > t->lines) /* never where no lines were wanted */
        fprintf(t->stream, "... %llu more\n", (unsigned long long)(t->all_cases - t->lines));
    fprintf(t->stream, "%s%s%llu right, %llu wrong (%llu of ours), %llu ungraded, %llu unsupported%s\n",
            t->table ? "\nOf answers: " : "", cli_color(t->stream, t->wrong_ours ? CLI_BAD : CLI_GOOD),
            (unsigned long long)t->counts[GJB_RIGHT], (unsigned long long)t->counts[GJB_WRONG],
            (unsigned long long)t->wrong_ours, (unsigned long long)t->counts[GJB_UNGRADED],
            (unsigned long long)t->counts[GJB_NOT_SUPPORTED], cli_color(t->stream, CLI_PLAIN));
    if (!t->cases)
        return 0;
    json_t *json = json_pack("{so sO sO}", "context", cli_context(), "cases", t->cases, "left_out", t->left_out);
    int failed = cli_write_json(json, json_path, error);
    json_decref(json);
    json_decref(t->cases);
    json_decref(t->left_out);
    return failed;
}

static gjb_replay_plan plan_of(const cli_select *select, cli_verify_lists *lists)
{
    gjb_verify_plan entries = {0};
    cli_verify_plan(select, lists, &entries);
    return (gjb_replay_plan){.entries = entries.entries,
                             .entry_count = entries.entry_count,
                             .stop = &cli_interrupted,
                             .dims = select->dims,
                             .queries = select->queries_given ? select->queries : 0,
                             .precisions = select->precisions_given ? select->precisions : 0};
}

int cli_replay(const char *file, const cli_select *select, const char *json_path, FILE *stream, gjb_error *error)
{
    cli_verify_lists lists;
    const gjb_replay_plan plan = plan_of(select, &lists);
    tally t = {.cases = json_array(), .left_out = json_array(), .stream = stream, .lines = UINT64_MAX};
    if (replay_file(file, &plan, &t, error)) {
        json_decref(t.cases);
        json_decref(t.left_out);
        return -1;
    }
    return finish(&t, json_path, error) ? -1 : t.wrong_ours > 0;
}

int cmd_replay(int argc, char **argv)
{
    static const char *const takes[] = {"query", "contender", "backend", "precision", "dim", NULL};
    cli_select select = {.takes = takes};
    const char *json_path = NULL, *form = NULL;
    const cli_option options[] = {{"json", CLI_TEXT, &json_path, "FILE",
                                   "verdicts as JSON; '-' is stdout, and the text goes to stderr"},
                                  {"table", CLI_TEXT, &form, "FORM",
                                   "cases by contenders, and who they are, in place of a line for each answer: text or markdown"},
                                  {0}};
    const cli_spec spec = {
        .usage = "replay FILE... [SELECT] [--table FORM] [--json FILE]",
        .about =
            "Runs the pairs of files through contenders and grades each answer. FILE is a failing pair that\n"
            "'verify' saved, any scene (JSON or binary), a collection of known failures of other libraries\n"
            "({\"meta\": ..., \"cases\": [...]}), a folder of these, or '-'. The default is every contender, in the scene's "
            "precision\n"
            "where it has that (known failures: in every precision it has), on the query that the file "
            "names\n"
            "(all, when it names none).\n\n"
            "What a library did beside answering stands behind the pair: crashed, hung, changed how floats are\n"
            "rounded; where it has no answer, there is no status and no value. The error is in\n"
            "units of eps S, and 'granted' what the library's own documentation allows beyond k of these.\n\n"
            "Exits with 1 when an answer of ours is wrong, 2 when a file cannot be read or there is\n"
            "nothing to grade.",
        .options = options,
        .select = &select,
        .examples = "  gjkbench replay failures\n"
                    "  gjkbench replay pair.json --contender batch --backend scalar,avx2 --query distance\n"
                    "  gjkbench replay data/known-failures --contender all --table markdown\n"
                    "  gjkbench replay known-failures.json --json - | jq '.cases[] | select(.verdict == "
                    "\"wrong\")'\n",
        .min_files = 1,
        .max_files = (size_t)-1};
    gjb_error error = {{0}};
    const char **files = calloc((size_t)argc, sizeof *files);
    size_t count = 0;
    if (!files)
        return GJB_EXIT_HARNESS;
    int code = cli_parse(&spec, argc, argv, files, &count);
    if (code >= 0) {
        free(files);
        return code;
    }
    if (json_path && cli_check_writable(json_path, &error)) {
        free(files);
        return cli_usage_error("%s", error.text);
    }
    if (form && strcmp(form, "text") && strcmp(form, "markdown")) {
        free(files);
        return cli_usage_error("--table '%s': text or markdown is wanted", form);
    }
    cli_verify_lists lists;
    const gjb_replay_plan plan = plan_of(&select, &lists);
    tally t = {.markdown = form && !strcmp(form, "markdown"), .table = form ? cli_replay_table_new(&plan) : NULL,
               .cases = json_path ? json_array() : NULL, .left_out = json_path ? json_array() : NULL,
               .stream = cli_text_stream(json_path)};
    int unread = 0;
    if (form && !t.table) {
        fputs(CLI_PROGRAM " replay: out of memory\n", stderr);
        free(files);
        return GJB_EXIT_HARNESS;
    }
    cli_catch_interrupt();
    for (size_t i = 0; i < count && !cli_interrupted; i++)
        unread |= replay_path(files[i], &plan, &t) > 0;
    if (finish(&t, json_path, &error)) {
        fprintf(stderr, CLI_PROGRAM " replay: %s\n", error.text);
        unread = 1;
    }
    cli_replay_table_free(t.table);
    free(files);
    if (t.all_cases == t.counts[GJB_NOT_SUPPORTED] && !unread && !cli_interrupted) {
        fputs(CLI_PROGRAM " replay: nothing to grade: no pair that a selected contender supports\n", stderr);
        unread = 1;
    }
    if (t.wrong_ours)
        return GJB_EXIT_WRONG;
    return unread ? GJB_EXIT_USAGE : cli_interrupted ? CLI_EXIT_INTERRUPTED : GJB_EXIT_OK;
}
