/* The command `properties`: holds contenders to metamorphic relations, or lists these. */
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/verification/verify_plan.h"
#include "core/spelling.h"
#include "properties/property.h"

static void progress(uint64_t done, uint64_t total)
{
    cli_progress("checked", done, total);
}

typedef struct request {
    cli_select select;
    gjb_property_plan plan;
    const char *named, *json_path, *out;
    int list, markdown;
    uint8_t taken[128];
    const char *workloads[2][CLI_SELECT_MAX + 1];
    const gjb_family *families[CLI_SELECT_MAX];
    gjb_property_entry entries[CLI_CONTENDERS_MAX * CLI_BACKENDS_MAX];
} request;

static int parse(request *r, int argc, char **argv)
{
    const cli_option options[] = {
        {"property", CLI_TEXT, &r->named, "NAME", "check only these, with commas between (default: all)"},
        {"pairs", CLI_COUNT, &r->plan.pairs, "N",
         "pairs to draw per dimension and precision, at rest and again in motion (default: 500)"},
        {"seed", CLI_COUNT, &r->plan.seed, "S", "seed of the pairs, which are the same on every machine (default: 1)"},
        {"margin", CLI_LENGTH, &r->plan.margin, "M", cli_margin_about},
        {"within", CLI_LENGTH, &r->plan.within, "M", cli_within_about},
        {"list", CLI_FLAG, &r->list, NULL, "list each property: where it applies, its tolerance, and the reason for it"},
        {"markdown", CLI_FLAG, &r->markdown, NULL, "print that list as the table of docs/properties.md"},
        {"json", CLI_TEXT, &r->json_path, "FILE",
         "write results, or the list, as JSON; '-' is stdout, and the table goes to stderr"},
        {"out", CLI_TEXT, &r->out, "DIR", "folder for pairs that violate a property (default: none are saved)"},
        {0}};
    const cli_spec spec = {
        .usage =
            "properties [SELECT] [--property NAME] [--pairs N] [--seed S] [--list] [--json FILE] [--out DIR]",
        .about =
            "Checks relations between the answers of a contender, which hold if the answers are right: after swapping the\n"
            "bodies, turning, mirroring or scaling the world, shuffling vertices, cutting a shape in two, describing\n"
            "the same shape in another way, and some thirty more. The truth is computed only if a yes and a no\n"
            "contradict each other, and for times. The tolerance of each answer is granted, and the effect of rounding the\n"
            "changed numbers, which is computed for each pair; --list shows it row by row.\n\n"
            "Pairs are drawn over workloads and families in turn, with shapes of up to 256 vertices. The column 'checked'\n"
            "counts relations, of which a pair has several; 'worst' is the largest contradiction in units of eps S,\n"
            "also if it is small. With --out the first pairs that violate a property are saved for 'replay' and\n"
            "'explain', with their related pairs: at most three for each contender, property, dimension, precision\n"
            "and query.\n\n"
            "Exits with 1 if one of ours violates a property or gives no answer; violations of others are shown. Exits\n"
            "with 130 after Ctrl-C with nothing wrong so far: what was done is printed and written.",
        .options = options,
        .select = &r->select,
        .examples = "  gjkbench properties                                   all contenders, all properties\n"
                    "  gjkbench properties --list\n"
                    "  gjkbench properties --contender bullet-gjkepa --property swap,scale --out violations\n"
                    "  gjkbench properties --plugin mine.so --contender mine --pairs 5k\n"};
    const char *files[1];
    return cli_parse(&spec, argc, argv, files, NULL);
}

/* "swap,scale" */
static int take_named(request *r, gjb_error *error)
{
    char names[512];
    if (!r->named)
        return 0;
    snprintf(names, sizeof names, "%s", r->named);
    for (char *save, *name = strtok_r(names, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
        const gjb_property *row = gjb_property_find(name);
        const char *all[128];
        for (size_t i = 0; i < gjb_property_count; i++)
            all[i] = gjb_properties[i].name;
        const char *near = row ? NULL : gjb_nearest_name(name, all, gjb_property_count);
        if (!row)
            return near ? gjb_fail(error, "unknown property '%s'; did you mean '%s'?", name, near)
                        : gjb_fail(error, "unknown property '%s'; --list shows all", name);
        r->taken[row - gjb_properties] = 1;
        r->plan.taken = r->taken;
    }
    return r->plan.taken ? 0 : gjb_fail(error, "--property: names none");
}

static void add_workloads(request *r, uint32_t dim)
{
    const char **list = r->workloads[dim - 2];
    const char *const *tour = gjb_workload_tour(dim);
    size_t count = 0;
    for (size_t i = 0; i < r->select.workload_count; i++)
        if (gjb_workload_vertices(dim, r->select.workloads[i]))
            list[count++] = r->select.workloads[i];
    for (size_t i = 0; !r->select.workload_count && tour[i] && count < CLI_SELECT_MAX; i++)
        list[count++] = tour[i];
    r->plan.workloads[dim - 2] = list;
}

static void complete(request *r)
{
    gjb_property_plan *plan = &r->plan;
    const cli_select *select = &r->select;
    add_workloads(r, 2);
    add_workloads(r, 3);
    plan->families = r->families;
    for (size_t i = 0; i < select->family_count; i++)
        r->families[plan->family_count++] = select->families[i];
    for (size_t i = 0; !select->family_count && i < gjb_family_count && i < CLI_SELECT_MAX; i++)
        r->families[plan->family_count++] = &gjb_families[i];
    plan->entries = r->entries;
    for (size_t i = 0; i < select->contender_count; i++) {
        const char *backends[CLI_BACKENDS_MAX];
        const size_t count = cli_select_backends(select, select->contenders[i], backends);
        for (size_t b = 0; b < count && plan->entry_count < sizeof r->entries / sizeof *r->entries; b++)
            r->entries[plan->entry_count++] = (gjb_property_entry){select->contenders[i], backends[b]};
    }
    plan->queries = select->queries;
    plan->precisions = select->precisions;
    plan->dims = select->dims;
    plan->stop = &cli_interrupted;
    plan->progress = progress;
    plan->out = r->out;
}

static int list(const request *r)
{
    gjb_error error = {{0}};
    int failed = 0;
    if (r->markdown)
        gjb_property_markdown(stdout);
    else if (!r->json_path)
        gjb_property_list(stdout, r->plan.taken);
    if (r->json_path) {
        json_t *json = gjb_property_list_json(r->plan.taken);
        failed = cli_write_json(json, r->json_path, &error);
        json_decref(json);
    }
    return failed ? cli_usage_error("%s", error.text) : GJB_EXIT_OK;
}

static int give(const gjb_property_report *report, const char *json_path, gjb_error *error)
{
    FILE *stream = cli_text_stream(json_path);
    gjb_property_print(report, stream, cli_color(stream, CLI_BAD), cli_color(stream, CLI_PLAIN));
    if (!json_path)
        return 0;
    json_t *json = json_object(), *results = gjb_property_json(report);
    json_object_set_new(json, "context", cli_context());
    json_object_update_missing(json, results);
    const int failed = cli_write_json(json, json_path, error);
    json_decref(results);
    json_decref(json);
    return failed;
}

static int nothing_to_check(const request *r)
{
    char clash[256];
    return cli_usage_error("nothing to check: no selected contender has a selected query, precision, dimension, "
                           "workload and property together%s",
                           cli_select_clash(&r->select, clash));
}

/* Does any contender have what is selected? What its workloads and properties leave of that, the run shows. */
static int may_ask(const gjb_property_plan *plan)
{
    for (size_t e = 0; e < plan->entry_count; e++) {
        const gjb_contender *contender = plan->entries[e].contender;
        if (contender->dims & plan->dims && contender->precisions & plan->precisions &&
            contender->queries & plan->queries)
            return 1;
    }
    return 0;
}

static int checked_any(const gjb_property_report *report)
{
    for (size_t e = 0; e < report->plan->entry_count; e++)
        for (size_t r = 0; r < gjb_property_count; r++) {
            const gjb_property_tally sum = gjb_property_sum(report, e, r);
            if (sum.checked || sum.mute)
                return 1;
        }
    return 0;
}

int cmd_properties(int argc, char **argv)
{
    static request r; /* too large for the stack */
    r = (request){.plan = {.pairs = 500, .seed = 1, .margin = GJB_DEFAULT_MARGIN}};
    gjb_error error = {{0}};
    int code = parse(&r, argc, argv);
    if (code >= 0)
        return code;
    if (take_named(&r, &error))
        return cli_usage_error("%s", error.text);
    if (r.list || r.markdown)
        return list(&r);
    complete(&r);
    if (!r.plan.pairs)
        return cli_usage_error("nothing to check: --pairs 0");
    if (!may_ask(&r.plan))
        return nothing_to_check(&r);
    if ((r.out && cli_make_folder(r.out, &error)) || (r.json_path && cli_check_writable(r.json_path, &error)))
        return cli_usage_error("%s", error.text);
    cli_catch_interrupt();
    gjb_property_report *report = gjb_property_run(&r.plan, &error);
    if (!report) {
        fprintf(stderr, CLI_PROGRAM " properties: %s\n", error.text);
        return GJB_EXIT_HARNESS;
    }
    code = gjb_property_failed(report) ? GJB_EXIT_WRONG
           : report->interrupted       ? CLI_EXIT_INTERRUPTED
                                       : GJB_EXIT_OK;
    if (code == GJB_EXIT_OK && !checked_any(report))
        code = nothing_to_check(&r);
    else if (give(report, r.json_path, &error))
        code = cli_usage_error("%s", error.text);
    gjb_property_free(report);
    return code;
}
