/* The command `replay`: scenes, saved pairs and known failures through contenders, graded, as text and JSON. */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/verification/cmd_replay.h"
#include "cli/verification/replay_lines.h"
#include "cli/verification/replay_table.h"
#include "cli/verification/verify_plan.h"
#include "core/file.h"
#include "core/json_file.h"
#include "verify/known_failures.h"
#include "verify/replay.h"

/* What the cases come to. */
typedef struct tally {
    json_t *cases; /* NULL: no JSON wanted */
    json_t *left_out; /* with it: what of a collection is not taken */
    cli_replay_table *table; /* instead of lines; NULL: none wanted */
    uint32_t dim; /* of the scene at hand */
    double margin, within; /* in its place, if it is not negative */
    uint32_t leaving;      /* likewise, if it is not CLI_NO_LEAVING */
    int markdown;
    FILE *stream;
    cli_replay_lines *lines; /* NULL: none wanted */
    uint64_t counts[GJB_VERDICTS], wrong_ours, too_slow, all_cases;
    /* The same of pairs of compounds, if a scene has any. */
    json_t *compounds;
    cli_replay_lines *compound_lines;
    uint64_t compound_counts[GJB_VERDICTS], compounds_wrong_ours, compounds_too_slow, all_compounds;
} tally;

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* null if the answer's status defines none. */
static json_t *vector(const gjb_replay_case *one, uint32_t dim, int group, const double *v)
{
    if (!(cli_replay_defined(one) & group))
        return json_null();
    json_t *array = json_array();
    for (uint32_t k = 0; k < dim; k++)
        json_array_append_new(array, number(v[k]));
    return array;
}

/* Of a manifold: how many contacts it says, and those that its record holds. */
static void add_contacts(json_t *json, const gjb_replay_case *one, uint32_t dim)
{
    json_t *contacts = json_array();
    for (uint32_t i = 0; i < cli_replay_contacts(one, dim); i++) {
        const gjb_contact3d *c = &one->result.contact[i];
        json_array_append_new(contacts,
                              json_pack("{so so so sI}", "point_a", vector(one, dim, GJB_POINTS, c->point_a),
                                        "point_b", vector(one, dim, GJB_POINTS, c->point_b), "separation",
                                        number(c->separation), "feature", (json_int_t)c->feature));
    }
    json_object_set_new(json, "count", json_integer((json_int_t)one->result.count));
    json_object_set_new(json, "contacts", contacts);
    json_object_set_new(json, "coverage", number(one->grade.has_coverage ? one->grade.coverage : NAN));
}

static json_t *add_json(json_t *cases, const tally *t, const gjb_replay_case *one)
{
    json_t *mishap = one->mishap ? json_string(one->mishap) : json_null();
    const gjb_result *r = &one->result;
    const int sweeps = one->query == GJB_SWEEP; /* whose one point is both */
    json_array_append_new(cases,
                          json_pack("{ss ss ss ss ss ss ss ss so so so so so so so so so}", "id", one->id, "contender",
                                    one->contender->name, "backend", one->backend, "precision",
                                    gjb_precision_name(one->precision), "query", gjb_queries[one->query].name,
                                    "verdict", gjb_verdict_name(one->grade.verdict), "fault",
                                    gjb_fault_name(one->grade.fault), "status",
                                    gjb_status_name(one->result.status), "mishap", mishap, "value",
                                    number(cli_replay_value(one)), "truth", number(one->truth), "error_eps",
                                    number(cli_replay_error(one)), "epsilon",
                                    number(one->epsilon > 0 ? one->epsilon : NAN), "tau", number(one->tau), "normal",
                                    vector(one, t->dim, GJB_NORMAL, r->normal), "point_a",
                                    vector(one, t->dim, GJB_POINTS, r->point_a), "point_b",
                                    sweeps ? json_null() : vector(one, t->dim, GJB_POINTS, r->point_b)));
    json_t *added = json_array_get(cases, json_array_size(cases) - 1);
    if (gjb_queries[one->query].has_patch)
        add_contacts(added, one, t->dim);
    if (one->grade.too_slow)
        json_object_set_new(added, "too_slow", json_true());
    return added;
}

static void take(void *context, const gjb_replay_case *one)
{
    tally *t = context;
    int wrong = one->grade.verdict == GJB_WRONG;
    t->counts[one->grade.verdict]++;
    t->wrong_ours += wrong && one->contender->ours;
    t->too_slow += one->grade.too_slow;
    t->all_cases++;
    if (t->cases)
        add_json(t->cases, t, one);
    if (t->table)
        cli_replay_table_add(t->table, t->dim, one);
    if (t->lines)
        cli_replay_lines_add(t->lines, t->dim, one);
}

/* The pair of parts that gave the answer stands behind the compounds, which are named by their first parts. */
static void take_compounds(void *context, const gjb_replay_case *one)
{
    tally *t = context;
    const gjb_compound_pair *pair = one->compounds;
    char id[600];
    t->compound_counts[one->grade.verdict]++;
    t->compounds_wrong_ours += one->grade.verdict == GJB_WRONG && one->contender->ours;
    t->compounds_too_slow += one->grade.too_slow;
    t->all_compounds++;
    if (t->compounds) {
        json_t *json = add_json(t->compounds, t, one);
        json_object_set_new(json, "compounds",
                            json_pack("[II]", (json_int_t)pair->whole[0], (json_int_t)pair->whole[1]));
        gjb_set_count(json, "asked", pair->listed);
        gjb_set_count(json, "pairs_of_parts", pair->parts);
        if (gjb_queries[one->query].has_patch)
            gjb_set_count(json, "contacts_of_all", one->contacts);
    }
    if (!t->compound_lines)
        return;
    gjb_replay_case named = *one;
    const int used =
        snprintf(id, sizeof id, "%u and %u by %.500s, %llu of %llu pairs of parts", pair->whole[0], pair->whole[1],
                 one->id, (unsigned long long)pair->listed, (unsigned long long)pair->parts);
    if (gjb_queries[one->query].has_patch)
        snprintf(id + used, sizeof id - (size_t)used, ", %llu contacts", (unsigned long long)one->contacts);
    named.id = id;
    cli_replay_lines_add(t->compound_lines, t->dim, &named);
}

/* 0, or -1 with `error`: of what a file says the options may not take. */
static int begin_scene(tally *t, gjb_scene *scene, const char *name, gjb_error *error)
{
    t->dim = scene->shapes.dim;
    scene->margin = t->margin >= 0 ? t->margin : scene->margin;
    scene->within = t->within >= 0 ? t->within : scene->within;
    return cli_take_leaving(scene, t->leaving, name, error);
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
        if (begin_scene(t, all->cases[i].scene, all->cases[i].id, error) ||
            gjb_replay_scene(all->cases[i].scene, all->cases[i].id, plan, take, t, error))
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
        failed = !scene;
        if (failed)
            gjb_scene_point(error, name, bytes, size);
        else if (begin_scene(t, scene, name, error) || cli_check_bounded(scene, name, error))
            failed = 1;
        else
            cli_warn_scene(scene, name);
        failed = failed || gjb_replay_scene(scene, name, plan, take, t, error);
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
    if (t->all_cases && t->markdown) { /* a page, which its sums end */
        cli_replay_table_print(t->table, 1, t->stream);
        fputc('\n', t->stream);
    }
    if (t->all_cases)
        cli_replay_verdict(t->counts, t->wrong_ours, t->too_slow, t->stream);
    if (t->all_cases && t->table && !t->markdown)
        cli_replay_table_print(t->table, 0, t->stream);
    if (t->all_cases && t->lines)
        cli_replay_lines_print(t->lines, !t->all_compounds, t->stream);
    if (t->all_compounds) {
        fputs("\nPairs of compounds, from the answers to pairs of their parts: ", t->stream);
        cli_replay_verdict(t->compound_counts, t->compounds_wrong_ours, t->compounds_too_slow, t->stream);
    }
    if (t->all_compounds && t->compound_lines)
        cli_replay_lines_print(t->compound_lines, 1, t->stream);
    if (!t->cases)
        return 0;
    json_t *json = json_pack("{so sO sO}", "context", cli_context(), "cases", t->cases, "left_out", t->left_out);
    if (t->all_compounds)
        json_object_set(json, "compounds", t->compounds);
    int failed = cli_write_json(json, json_path, error);
    json_decref(json);
    json_decref(t->cases);
    json_decref(t->left_out);
    json_decref(t->compounds);
    return failed;
}

static gjb_replay_plan plan_of(const cli_select *select, cli_verify_lists *lists)
{
    gjb_verify_plan entries = {0};
    cli_verify_plan(select, lists, &entries);
    return (gjb_replay_plan){.entries = entries.entries,
                             .entry_count = entries.entry_count,
                             .stop = &cli_interrupted,
                             .compounds = take_compounds,
                             .dims = select->dims,
                             .queries = select->queries_given ? select->queries : 0,
                             .precisions = select->precisions_given ? select->precisions : 0};
}

int cli_replay(const char *file, const cli_select *select, const char *json_path, FILE *stream, gjb_error *error)
{
    cli_verify_lists lists;
    const gjb_replay_plan plan = plan_of(select, &lists);
    tally t = {.cases = json_array(),
               .left_out = json_array(),
               .compounds = json_array(),
               .stream = stream,
               .margin = CLI_NO_MARGIN,
               .within = CLI_NO_MARGIN,
               .leaving = CLI_NO_LEAVING};
    if (replay_file(file, &plan, &t, error)) {
        json_decref(t.cases);
        json_decref(t.left_out);
        json_decref(t.compounds);
        return -1;
    }
    return finish(&t, json_path, error) ? -1 : t.wrong_ours > 0;
}

int cmd_replay(int argc, char **argv)
{
    static const char *const takes[] = {"query", "contender", "backend", "precision", "dim", NULL};
    cli_select select = {.takes = takes};
    const char *json_path = NULL, *form = NULL;
    int full = 0;
    double margin = CLI_NO_MARGIN, within = CLI_NO_MARGIN;
    uint32_t leaving = CLI_NO_LEAVING;
    const cli_option options[] = {
        {"full", CLI_FLAG, &full, NULL, "print every answer, with its normal and its points"},
        {"margin", CLI_LENGTH, &margin, "M",
         "manifold: contacts are wanted up to this separation, in place of what a file says"},
        {"within", CLI_LENGTH, &within, "M",
         "intersect: shapes up to this distance apart count as overlapping; distance: no distance beyond this matters; "
         "in place of what a file says"},
        {"leaving", CLI_LEAVING, &leaving, "WHAT",
         "toi: what becomes of a pair that touches at t = 0 and goes no deeper: hit or ignore; in place of what "
         "a file says"},
        {"json", CLI_TEXT, &json_path, "FILE",
         "write verdicts as JSON; '-' is stdout, and the text goes to stderr"},
        {"table", CLI_TEXT, &form, "FORM",
         "print a table of pairs and contenders, with their versions: text or markdown"},
        {0}};
    const cli_spec spec = {
        .usage = "replay FILE... [SELECT] [--full] [--table FORM] [--json FILE]",
        .about =
            "Answers the pairs of files with contenders, and grades each answer. FILE is a failing pair that\n"
            "'verify' saved, any scene (JSON or binary), a collection of known failures of other libraries\n"
            "({\"meta\": ..., \"cases\": [...]}), a folder of these, or '-'. Without SELECT every contender answers the query\n"
            "that the file names, or all queries if it names none, in the precision of the scene (of known failures:\n"
            "in every precision), if the contender has it.\n\n"
            "Prints the verdict, then wrong answers: ours first, then the largest errors. Backends that answered alike\n"
            "share a line. Right answers follow if there are few, else one line for each contender.\n\n"
            "  truth    for intersect the signed distance; for sweep and toi the time of\n"
            "           first contact, - if there is none\n"
            "  error    the largest of value, normal and witness points, in units of eps S;\n"
            "           for a time, how far apart or how deep the shapes are then; eps is\n"
            "           the coarser of the scene's precision and the answer's (prec)\n"
            "  granted  accuracy that the library documents, in the scene's units; an answer\n"
            "           is right if its error is at most granted + k eps S ('list' shows k)\n\n"
            "A crash, a hang or a change of rounding is named after the pair. A pair without an answer has no status\n"
            "and no value.\n\n"
            "If a scene has compounds, their answers follow, formed from those to pairs of their parts: the least\n"
            "distance, the first contact, the deepest overlap. A compound is named by its first part; the pair of parts\n"
            "that gave the answer is named next.\n\n"
            "Exits with 1 if an answer of ours is wrong, and with 2 if a file cannot be read or there is nothing to\n"
            "grade.",
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
        return cli_usage_error("--table wants text or markdown, not '%s'", form);
    }
    cli_verify_lists lists;
    const gjb_replay_plan plan = plan_of(&select, &lists);
    tally t = {.markdown = form && !strcmp(form, "markdown"), .table = form ? cli_replay_table_new(&plan) : NULL,
               .lines = form ? NULL : cli_replay_lines_new(full),
               .cases = json_path ? json_array() : NULL, .left_out = json_path ? json_array() : NULL,
               .compounds = json_path ? json_array() : NULL,
               .compound_lines = form ? NULL : cli_replay_lines_new(full),
               .stream = cli_text_stream(json_path), .margin = margin, .within = within, .leaving = leaving};
    int unread = 0;
    if (!t.table && !(t.lines && t.compound_lines)) {
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
    cli_replay_lines_free(t.lines);
    cli_replay_lines_free(t.compound_lines);
    free(files);
    if (t.all_cases == t.counts[GJB_NOT_SUPPORTED] && !unread && !cli_interrupted) {
        fputs(CLI_PROGRAM " replay: nothing to grade: no pair that a selected contender supports\n", stderr);
        unread = 1;
    }
    if (t.wrong_ours)
        return GJB_EXIT_WRONG;
    return unread ? GJB_EXIT_USAGE : cli_interrupted ? CLI_EXIT_INTERRUPTED : GJB_EXIT_OK;
}
