/* The command `list`: backends, queries, kinds, workloads, families, contenders, and published error factors. */
#include <string.h>

#include "cli/cli.h"
#include "cli/options/wrap.h"
#include "contenders/program/program.h"
#include "contenders/recorded.h"
#include "contenders/table.h"
#include "core/cpu.h"
#include "core/types.h"
#include "scenes/published.h"
#include "simd/simd.h"

static json_t *backend_rows(void)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < gjb_backend_count; i++) {
        const gjb_backend *b = gjb_backends[i];
        json_array_append_new(rows, json_pack("{ss si si sb sb}", "name", b->name, "lanes_f32",
                                              (int)b->lanes[GJB_F32], "lanes_f64", (int)b->lanes[GJB_F64],
                                              "available", gjb_backend_available(b->name), "best",
                                              b == gjb_backend_best()));
    }
    return rows;
}

/* Bits as the numbers of the dimensions. */
static json_t *dims_json(uint32_t dims)
{
    json_t *array = json_array();
    for (int dim = 2; dim <= 3; dim++)
        if (dims >> dim & 1)
            json_array_append_new(array, json_integer(dim));
    return array;
}

/* The published factors: {"2": {"f32": K, "f64": K}, "3": ...}. */
static json_t *factors(const double k[2][GJB_PRECISIONS])
{
    json_t *by_dim = json_object();
    for (int dim = 2; dim <= 3; dim++) {
        char name[2] = {(char)('0' + dim), 0};
        json_t *factor = json_object();
        for (int p = 0; p < GJB_PRECISIONS; p++)
            json_object_set_new(factor, gjb_precision_name((gjb_precision)p), json_real(k[dim - 2][p]));
        json_object_set_new(by_dim, name, factor);
    }
    return by_dim;
}

/* Those of curved kinds: {"cone": K, ...}. */
static json_t *factors_of_kinds(const double k[GJB_KINDS])
{
    json_t *by_kind = json_object();
    for (int kind = 0; kind < GJB_KINDS; kind++)
        if (k[kind] > 0)
            json_object_set_new(by_kind, gjb_kind_name((gjb_kind)kind), json_real(k[kind]));
    return by_kind;
}

static json_t *contender_rows(void)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < gjb_contender_count(); i++) {
        const gjb_contender *c = gjb_contender_at(i);
        json_t *queries = json_array(), *precisions = json_array(), *kinds = json_array(),
               *no_normal = json_array(), *no_points = json_array();
        for (int q = 0; q < GJB_QUERIES; q++)
            if (c->queries >> q & 1) {
                json_array_append_new(queries, json_string(gjb_queries[q].name));
                if (c->no_normal >> q & 1)
                    json_array_append_new(no_normal, json_string(gjb_queries[q].name));
                if (c->no_points >> q & 1)
                    json_array_append_new(no_points, json_string(gjb_queries[q].name));
            }
        for (int p = 0; p < GJB_PRECISIONS; p++)
            if (c->precisions >> p & 1)
                json_array_append_new(precisions, json_string(gjb_precision_name((gjb_precision)p)));
        for (int k = 0; k < GJB_KINDS; k++)
            if (c->kinds >> k & 1)
                json_array_append_new(kinds, json_string(gjb_kind_name((gjb_kind)k)));
        json_array_append_new(rows, json_pack(
                                        "{ss ss ss ss ss* sb sb so so so so so so si}", "name", c->name, "version", c->version,
                                        "licence", c->licence, "note", c->note, "variant_of", c->variant_of, "ours",
                                        (int)c->ours, "self_timed", gjb_is_self_timed(c), "dims", dims_json(c->dims), "queries", queries, "no_normal",
                                        no_normal, "no_points", no_points, "precisions",
                                        precisions, "kinds", kinds, "max_vertices", (int)c->max_vertices));
    }
    return rows;
}

static json_t *everything(void)
{
    json_t *missing = json_array(), *queries = json_array(), *kinds = json_array(), *workloads = json_array(),
           *families = json_array(), *recorded = json_array(), *recipes = json_array();
    for (const gjb_missing *m = gjb_contenders_missing; m->name; m++)
        json_array_append_new(missing, json_pack("{ss ss}", "name", m->name, "advice", m->advice));
    for (int q = 0; q < GJB_QUERIES; q++)
        json_array_append_new(queries, json_pack("{ss so so so ss ss}", "name", gjb_queries[q].name, "dims",
                                                 dims_json(gjb_queries[q].dims), "k", factors(gjb_queries[q].k),
                                                 "k_of_kind", factors_of_kinds(gjb_queries[q].k_of_kind),
                                                 "unit", gjb_queries[q].unit, "reason", gjb_queries[q].reason));
    for (int k = 0; k < GJB_KINDS; k++)
        json_array_append_new(kinds, json_string(gjb_kind_name((gjb_kind)k)));
    for (size_t i = 0; i < gjb_workload_count; i++)
        json_array_append_new(
            workloads, json_pack("{ss so ss}", "name", gjb_workloads[i].name, "dims",
                                 dims_json(gjb_workloads[i].dims), "about", gjb_workloads[i].about));
    for (size_t i = 0; i < gjb_recorded_count; i++)
        json_array_append_new(recorded, json_pack("{ss ss}", "name", gjb_recorded_scenes[i].name, "about",
                                                  gjb_recorded_scenes[i].about));
    for (size_t i = 0; i < gjb_published_count; i++)
        json_array_append_new(recipes, json_pack("{ss si ss ss}", "name", gjb_published_all[i].name, "dim",
                                                 (int)gjb_published_all[i].dim, "about", gjb_published_all[i].about,
                                                 "citation", gjb_published_all[i].citation));
    static const char *const moves[] = {[GJB_AT_REST] = "no", [GJB_BOXES_MOVING] = "boxes",
                                       [GJB_STRAIGHT_MOVING] = "straight", [GJB_MOVING] = "yes"};
    for (size_t i = 0; i < gjb_family_count; i++)
        json_array_append_new(families,
                              json_pack("{ss so ss sb sb ss}", "name", gjb_families[i].name, "dims",
                                        dims_json(gjb_families[i].dims), "about", gjb_families[i].about,
                                        "degenerate", gjb_families[i].degenerate, "touching",
                                        gjb_families[i].touching, "moving", moves[gjb_families[i].moving]));
    return json_pack("{so so so so so so so so so so}", "context", cli_context(), "backends", backend_rows(),
                     "contenders", contender_rows(), "missing", missing, "queries", queries, "kinds", kinds,
                     "workloads", workloads, "recorded", recorded, "families", families, "recipes", recipes);
}

/* An array of names as "a b c". */
static void print_names(const json_t *names)
{
    size_t i;
    json_t *name;
    json_array_foreach(names, i, name) printf("%s%s", i ? " " : "", json_string_value(name));
}

static void title(const char *text)
{
    printf("%s%s%s\n", cli_color(stdout, CLI_BOLD), text, cli_color(stdout, CLI_PLAIN));
}

/* k of curved kinds, a line for each and a column for each query. */
static void print_curved_factors(const json_t *queries)
{
    size_t q;
    json_t *query;
    title("\nk of curved shapes; of two kinds the larger");
    printf("  %-16s", "");
    json_array_foreach(queries, q, query) printf("  %s", json_string_value(json_object_get(query, "name")));
    printf("\n");
    for (int kind = 0; kind < GJB_KINDS; kind++) {
        const char *name = gjb_kind_name((gjb_kind)kind);
        if (!gjb_is_curved((gjb_kind)kind))
            continue;
        printf("  %-16s", name);
        json_array_foreach(queries, q, query)
        {
            const json_t *k = json_object_get(json_object_get(query, "k_of_kind"), name);
            const int width = 2 + (int)json_string_length(json_object_get(query, "name"));
            k ? printf("%*g", width, json_number_value(k)) : printf("%*s", width, "-");
        }
        printf("\n");
    }
}

/* "2D 3D", padded so that columns hold. */
static void print_dims(const json_t *row)
{
    const json_t *dims = json_object_get(row, "dims");
    int has[4] = {0};
    for (size_t i = 0; i < json_array_size(dims); i++)
        has[json_integer_value(json_array_get(dims, i)) & 3] = 1;
    printf("%s %s  ", has[2] ? "2D" : "  ", has[3] ? "3D" : "  ");
}

/* A line for the kinds that not everybody has. */
static void print_curved(const json_t *row)
{
    size_t i;
    json_t *kind, *curved = json_array();
    json_array_foreach(json_object_get(row, "kinds"), i, kind)
        for (unsigned k = 0; k < GJB_KINDS; k++)
            if (gjb_is_curved(k) && strcmp(json_string_value(kind), gjb_kind_name((gjb_kind)k)) == 0)
                json_array_append(curved, kind);
    if (json_array_size(curved)) {
        printf("  %-16s takes curved shapes: ", "");
        print_names(curved);
        printf("\n");
    }
    json_decref(curved);
}

/* A line for what a contender leaves out of some answers. */
static void print_lacks(const json_t *row, const char *key, const char *what)
{
    const json_t *queries = json_object_get(row, key);
    if (!json_array_size(queries))
        return;
    printf("  %-16s gives no %s: ", "", what);
    print_names(queries);
    printf("\n");
}

static double factor(const json_t *row, const char *of, const char *dim, const char *precision)
{
    return json_number_value(json_object_get(json_object_get(json_object_get(row, of), dim), precision));
}

static const char *text(const json_t *row, const char *key)
{
    return json_string_value(json_object_get(row, key));
}

enum { NOTE_AT = 19, ABOUT_AT = 23 }; /* columns */

static void print_about(const json_t *row, int dims)
{
    printf("  %-20s ", text(row, "name"));
    if (dims)
        print_dims(row);
    cli_print_wrapped(stdout, text(row, "about"), dims ? ABOUT_AT + 7 : ABOUT_AT, dims ? ABOUT_AT + 7 : ABOUT_AT);
}

static void print_kinds(const json_t *kinds)
{
    char words[GJB_KINDS * 24] = "";
    size_t i;
    json_t *kind;
    json_array_foreach(kinds, i, kind)
    {
        const size_t length = strlen(words);
        snprintf(words + length, sizeof words - length, "%s%s", i ? " " : "", json_string_value(kind));
    }
    printf("  ");
    cli_print_wrapped(stdout, words, 2, 2);
}

static void print_everything(const json_t *all)
{
    size_t i;
    json_t *row;
    printf("CPU: %s\n\n", gjb_cpu_name());
    title("backends (lanes f32, f64)");
    json_array_foreach(json_object_get(all, "backends"), i, row)
    {
        int here = json_is_true(json_object_get(row, "available"));
        printf("  %-10s %2d %2d  %s%s%s%s\n", text(row, "name"),
               (int)json_integer_value(json_object_get(row, "lanes_f32")),
               (int)json_integer_value(json_object_get(row, "lanes_f64")),
               cli_color(stdout, here ? CLI_GOOD : CLI_DIM), here ? "available" : "not on this CPU",
               cli_color(stdout, CLI_PLAIN),
               json_is_true(json_object_get(row, "best")) ? ", the default" : "");
    }
    title("\ncontenders");
    json_array_foreach(json_object_get(all, "contenders"), i, row)
    {
        printf("  %-16s %-8s %-24s ", text(row, "name"), text(row, "version"), text(row, "licence"));
        print_dims(row);
        print_names(json_object_get(row, "precisions"));
        printf("\n  %-16s ", "");
        print_names(json_object_get(row, "queries"));
        printf("\n");
        const char *of = text(row, "variant_of"), *note = text(row, "note");
        if (of)
            printf("  %-16s another configuration of %s%s\n", "", of, *note ? ":" : "");
        if (*note) {
            printf("  %-16s ", "");
            cli_print_wrapped(stdout, note, NOTE_AT, NOTE_AT);
        }
        print_curved(row);
        print_lacks(row, "no_normal", "normal");
        print_lacks(row, "no_points", "witness points");
    }
    json_array_foreach(json_object_get(all, "missing"), i, row)
        printf("  %-16s %smissing%s: %s\n", text(row, "name"), cli_color(stdout, CLI_NOTE),
               cli_color(stdout, CLI_PLAIN), text(row, "advice"));
    title("\nqueries (right within k eps S; k for f32, f64 in 2D and in 3D)");
    json_array_foreach(json_object_get(all, "queries"), i, row)
    {
        printf("  %-16s %g %g  %g %g\n  %-16s ", text(row, "name"), factor(row, "k", "2", "f32"),
               factor(row, "k", "2", "f64"), factor(row, "k", "3", "f32"), factor(row, "k", "3", "f64"), "");
        cli_print_wrapped(stdout, text(row, "reason"), NOTE_AT, NOTE_AT);
    }
    print_curved_factors(json_object_get(all, "queries"));
    title("\nshape kinds (each with an optional radius)");
    print_kinds(json_object_get(all, "kinds"));
    title("\nworkloads");
    json_array_foreach(json_object_get(all, "workloads"), i, row)
        print_about(row, 1);
    title("\nrecorded scenes (workloads of 'bench')");
    json_array_foreach(json_object_get(all, "recorded"), i, row)
        print_about(row, 0);
    title("\nfamilies");
    json_array_foreach(json_object_get(all, "families"), i, row)
        print_about(row, 1);
    title("\npublished experiments (names for 'recipe')");
    json_array_foreach(json_object_get(all, "recipes"), i, row)
    {
        printf("  %s\n    ", text(row, "name"));
        cli_print_wrapped(stdout, text(row, "about"), 4, 4);
        printf("    ");
        cli_print_wrapped(stdout, text(row, "citation"), 4, 4);
    }
}

int cmd_list(int argc, char **argv)
{
    int json = 0;
    const cli_option options[] = {{"json", CLI_FLAG, &json, NULL, "write the names as JSON on stdout"}, {0}};
    const cli_spec spec = {
        .usage = "list [--json]",
        .about = "Shows the names that the other commands take: backends of this CPU, contenders,\n"
                 "queries, shape kinds, workloads and families.",
        .options = options,
        .examples = "  gjkbench list\n"
                    "  gjkbench list --json | jq -r '.backends[] | select(.available).name'\n"};
    const char *files[1];
    int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code >= 0)
        return code;
    json_t *all = everything();
    gjb_error error = {{0}};
    code = GJB_EXIT_OK;
    if (!json)
        print_everything(all);
    else if (cli_write_json(all, "-", &error))
        code = GJB_EXIT_USAGE;
    if (code)
        fprintf(stderr, CLI_PROGRAM " list: %s\n", error.text);
    json_decref(all);
    return code;
}
