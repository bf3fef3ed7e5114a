/* What the property table found, as text, JSON and Markdown, and each violating pair as a scene. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/json_file.h"
#include "properties/property_run.h"
#include "scenes/hash.h"

void gjb_prop_group_free(prop_group *group)
{
    gjb_scene_free(group->scene);
    free(group->list);
    *group = (prop_group){.count = 0};
}

/* --- Pairs that violate --- */

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *answer_json(const prop_answer *a, const char *of)
{
    json_t *value = isfinite(a->result.value) ? json_real(a->result.value) : json_null();
    return json_pack("{ss ss ss so}", "of", of, "query", gjb_queries[a->query].name, "status",
                     gjb_status_name(a->result.status), "value", value);
}

/* The file once more, with what it is about. */
static int annotate(const char *path, const gjb_property *row, const gjb_property_entry *entry,
                    const prop_finding *found, const prop_case *seen)
{
    gjb_error none = {""};
    json_t *scene = gjb_json_load(path, &none), *answers = json_array();
    /* Of the plane nothing was asked if the answer is about space. */
    if (seen->drawn.scene->shapes.dim == seen->got.scene->shapes.dim)
        json_array_append_new(answers, answer_json(&seen->drawn, "drawn"));
    if (seen->against_related)
        json_array_append_new(answers, answer_json(&seen->other, "against"));
    json_array_append_new(answers, answer_json(&seen->got, "related"));
    json_object_set_new(scene, "x-property",
                        json_pack("{ss ss ss ss sf}", "name", row->name, "statement", row->statement,
                                  "contender", entry->contender->name, "backend",
                                  entry->backend ? entry->backend : "-", "eps_s",
                                  isfinite(found->worst_eps) ? found->worst_eps : 0));
    json_object_set_new(scene, "x-answers", answers);
    if (seen->to && (seen->to->claim == PROP_KNOWN || seen->to->claim == PROP_TIME))
        json_object_set_new(scene, "x-known",
                            json_pack("[o,o]", number(seen->to->low), number(seen->to->high)));
    const int failed =
        !scene || json_dump_file(scene, path, JSON_INDENT(1) | JSON_REAL_PRECISION(17) | JSON_PRESERVE_ORDER);
    json_decref(scene);
    return failed;
}

int gjb_prop_case_save(const gjb_property_plan *plan, const gjb_property_entry *entry,
                       const gjb_property *row, const char *workload, const char *family, uint64_t pair,
                       const prop_finding *found, const prop_case *seen)
{
    const prop_answer *const all[] = {&seen->drawn, seen->against_related ? &seen->other : NULL, &seen->got};
    prop_pair *one = malloc(sizeof *one);
    prop_stack stack = {.margin = gjb_queries[seen->got.query].has_patch ? seen->got.scene->margin : 0,
                        .within = gjb_queries[seen->got.query].has_within ? seen->got.scene->within : 0};
    gjb_error error = {{0}};
    int failed = !one;
    const gjb_scene *got = seen->got.scene;
    gjb_prop_stack_clear(&stack, got->shapes.dim, (gjb_precision)got->shapes.precision,
                         gjb_scene_moves(seen->drawn.scene));
    for (int i = 0; i < 3 && !failed; i++) {
        /* Of another dimension, or the very same pair: once. */
        if (!all[i] || all[i]->scene->shapes.dim != got->shapes.dim ||
            (i == 2 && all[i]->scene == seen->drawn.scene && all[i]->index == seen->drawn.index))
            continue;
        gjb_prop_pair_get(all[i]->scene, all[i]->index, one);
        failed = gjb_prop_stack_push(&stack, one);
    }
    free(one);
    gjb_scene *scene = failed ? NULL : gjb_prop_stack_scene(&stack, &error);
    gjb_prop_stack_free(&stack);
    if (!scene)
        return -1;
    snprintf(scene->name, sizeof scene->name, "%s", workload);
    snprintf(scene->query, sizeof scene->query, "%s", gjb_queries[seen->got.query].name);
    const int known = seen->to && (seen->to->claim == PROP_KNOWN || seen->to->claim == PROP_TIME);
    const double before = known ? seen->to->low : seen->other.result.value;
    snprintf(scene->note, sizeof scene->note,
             "%s violates %s: %s%.9g, then %.9g; family %s, seed %" PRIu64 ", pair %" PRIu64,
             entry->contender->name, row->name, known ? "known " : "", before, seen->got.result.value, family,
             plan->seed, pair);
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%s-%ud-%s-%s-%016llx.json", plan->out, row->name,
             entry->contender->name, (unsigned)got->shapes.dim,
             gjb_precision_name((gjb_precision)got->shapes.precision), gjb_queries[seen->got.query].name,
             (unsigned long long)gjb_scene_hash(scene));
    mkdir(plan->out, 0777);
    failed = gjb_scene_save_json(scene, path, &error) || annotate(path, row, entry, found, seen);
    gjb_scene_free(scene);
    return failed ? -1 : 0;
}

/* --- Tables --- */

gjb_property_tally *gjb_property_at(const gjb_property_report *report, size_t entry, size_t property,
                                    uint32_t dim, gjb_precision precision, gjb_query query)
{
    return &report->tallies[(((entry * gjb_property_count + property) * 2 + dim - 2) * GJB_PRECISIONS +
                             (size_t)precision) *
                                GJB_QUERIES +
                            (size_t)query];
}

gjb_property_tally gjb_property_sum(const gjb_property_report *report, size_t entry, size_t property)
{
    gjb_property_tally sum = {0};
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (int p = 0; p < GJB_PRECISIONS; p++)
            for (int q = 0; q < GJB_QUERIES; q++) {
                const gjb_property_tally *t =
                    gjb_property_at(report, entry, property, dim, (gjb_precision)p, (gjb_query)q);
                sum.checked += t->checked;
                sum.violated += t->violated;
                sum.mute += t->mute;
                sum.ungraded += t->ungraded;
                sum.too_slow += t->too_slow;
                sum.saved += t->saved;
                sum.worst_eps = fmax(sum.worst_eps, t->worst_eps);
            }
    return sum;
}

int gjb_property_failed(const gjb_property_report *report)
{
    for (size_t e = 0; e < report->plan->entry_count; e++)
        for (size_t r = 0; r < gjb_property_count && report->plan->entries[e].contender->ours; r++) {
            const gjb_property_tally sum = gjb_property_sum(report, e, r);
            if (sum.violated || sum.mute)
                return 1;
        }
    return 0;
}

static int any(const gjb_property_tally *sum)
{
    return sum->checked || sum->mute;
}

static int fails(const gjb_property_tally *sum, int ours)
{
    return sum->violated || (sum->mute && ours);
}

static int same_tally(const gjb_property_tally *a, const gjb_property_tally *b)
{
    return a->checked == b->checked && a->violated == b->violated && a->mute == b->mute && a->ungraded == b->ungraded &&
           a->worst_eps == b->worst_eps;
}

static int looks_alike(const gjb_property_report *report, size_t a, size_t b)
{
    if (report->plan->entries[a].contender != report->plan->entries[b].contender)
        return 0;
    for (size_t r = 0; r < gjb_property_count; r++) {
        const gjb_property_tally one = gjb_property_sum(report, a, r), other = gjb_property_sum(report, b, r);
        if (!same_tally(&one, &other))
            return 0;
    }
    return 1;
}

/* How many entries from this one on look like it, which is one for each backend; 0 if one before it does. */
static size_t alike(const gjb_property_report *report, size_t entry)
{
    size_t n = 0;
    for (size_t e = 0; e < report->plan->entry_count; e++) {
        if (!looks_alike(report, e, entry))
            continue;
        if (e < entry)
            return 0;
        n++;
    }
    return n;
}

/* "batch/avx2", or "batch, 6 backends alike". */
static void print_name(const gjb_property_report *report, size_t entry, size_t backends, FILE *stream)
{
    const gjb_property_entry *e = &report->plan->entries[entry];
    fputs(e->contender->name, stream);
    if (backends > 1)
        fprintf(stream, ", %zu backends alike", backends);
    else if (e->backend)
        fprintf(stream, "/%s", e->backend);
}

/* What it comes to, and then of each that was asked: "libccd-epa: 12 of 28 properties violated". */
static void print_verdict(const gjb_property_report *report, FILE *stream, const char *bad, const char *plain)
{
    size_t of_ours = 0, failing = 0;
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t e = 0; e < report->plan->entry_count; e++) {
            const int ours = report->plan->entries[e].contender->ours;
            const size_t backends = pass ? alike(report, e) : 0;
            size_t held = 0, violated = 0;
            for (size_t r = 0; r < gjb_property_count; r++) {
                const gjb_property_tally sum = gjb_property_sum(report, e, r);
                held += any(&sum);
                violated += (size_t)fails(&sum, ours);
            }
            of_ours += !pass && held && ours;
            failing += !pass && violated && ours;
            if (!held || !backends)
                continue;
            fputs(violated ? bad : "", stream);
            print_name(report, e, backends, stream);
            fprintf(stream, ": %zu of %zu properties violated%s\n", violated, held, violated ? plain : "");
        }
        if (!pass && failing)
            fprintf(stream, "%s%zu of %zu of ours violate a property%s\n", bad, failing, of_ours, plain);
        else if (!pass)
            fputs(of_ours ? "none of ours violates a property\n" : "none of ours took part\n", stream);
    }
}

static void print_slow(const gjb_property_report *report, FILE *stream)
{
    uint64_t all = 0;
    for (size_t e = 0; e < report->plan->entry_count; e++)
        for (size_t r = 0; r < gjb_property_count; r++)
            all += gjb_property_sum(report, e, r).too_slow;
    if (all)
        fprintf(stream,
                "%" PRIu64
                " relation%s too slow to judge, and passed over: the truth took more than a pair has; "
                "one is %s\n",
                all, all == 1 ? " was" : "s were", report->too_slow_first);
}

/* Rows of what is violated before those of what holds. */
static void print_table(const gjb_property_report *report, size_t entry, size_t backends, FILE *stream, const char *bad,
                        const char *plain)
{
    const int ours = report->plan->entries[entry].contender->ours;
    int begun = 0;
    for (int failing = 1; failing >= 0; failing--)
        for (size_t r = 0; r < gjb_property_count; r++) {
            const gjb_property_tally sum = gjb_property_sum(report, entry, r);
            if (!any(&sum) || fails(&sum, ours) != failing)
                continue;
            if (!begun) {
                fputc('\n', stream);
                print_name(report, entry, backends, stream);
                fprintf(stream, "\n  %-18s %10s %10s %9s %12s\n", "property", "checked", "violated", "no answer",
                        "worst, eps S");
            }
            begun = 1;
            fprintf(stream, "  %s%-18s %10" PRIu64 " %10" PRIu64 " %9" PRIu64 " %12.4g%s\n", failing ? bad : "",
                    gjb_properties[r].name, sum.checked, sum.violated, sum.mute, sum.worst_eps, failing ? plain : "");
        }
}

void gjb_property_print(const gjb_property_report *report, FILE *stream, const char *bad, const char *plain)
{
    if (report->interrupted)
        fputs("interrupted: what was done until then\n", stream);
    print_verdict(report, stream, bad, plain);
    print_slow(report, stream);
    for (size_t e = 0; e < report->plan->entry_count; e++) {
        const size_t backends = alike(report, e);
        if (backends)
            print_table(report, e, backends, stream, bad, plain);
    }
}

json_t *gjb_property_json(const gjb_property_report *report)
{
    json_t *rows = json_array();
    for (size_t e = 0; e < report->plan->entry_count; e++)
        for (size_t r = 0; r < gjb_property_count; r++)
            for (uint32_t dim = 2; dim <= 3; dim++)
                for (int p = 0; p < GJB_PRECISIONS; p++)
                    for (int q = 0; q < GJB_QUERIES; q++) {
                        const gjb_property_entry *entry = &report->plan->entries[e];
                        const gjb_property_tally *t =
                            gjb_property_at(report, e, r, dim, (gjb_precision)p, (gjb_query)q);
                        if (any(t))
                            json_array_append_new(
                                rows,
                                json_pack("{ss ss ss si ss ss sI sI sI sI so* so}", "contender",
                                          entry->contender->name, "backend",
                                          entry->backend ? entry->backend : "-", "property",
                                          gjb_properties[r].name, "dim", (int)dim, "precision",
                                          gjb_precision_name((gjb_precision)p), "query", gjb_queries[q].name,
                                          "checked", (json_int_t)t->checked, "violated",
                                          (json_int_t)t->violated, "no_answer", (json_int_t)t->mute,
                                          "in_band", (json_int_t)(t->ungraded - t->too_slow), "too_slow",
                                          t->too_slow ? json_integer((json_int_t)t->too_slow) : NULL,
                                          "worst_eps", number(t->worst_eps)));
                    }
    return json_pack("{so sI sI sf sf sb}", "properties", rows, "pairs", (json_int_t)report->drawn, "seed",
                     (json_int_t)report->plan->seed, "margin", report->plan->margin, "within", report->plan->within, "interrupted",
                     report->interrupted);
}

/* --- The table itself --- */

static const char *dims_of(const gjb_property *row)
{
    return row->lifts             ? "2D, asked in 3D"
           : row->dims == 1u << 2 ? "2D"
           : row->dims == 1u << 3 ? "3D"
                                  : "2D and 3D";
}

/* "intersect, distance" */
static void queries_of(const gjb_property *row, char text[160])
{
    text[0] = 0;
    for (int q = 0; q < GJB_QUERIES; q++)
        if (row->queries >> q & 1)
            snprintf(text + strlen(text), 160 - strlen(text), "%s%s", text[0] ? ", " : "",
                     gjb_queries[q].name);
}

void gjb_property_list(FILE *stream, const uint8_t *taken)
{
    for (size_t r = 0; r < gjb_property_count; r++) {
        const gjb_property *row = &gjb_properties[r];
        char queries[160];
        queries_of(row, queries);
        if (!taken || taken[r])
            fprintf(stream, "%s: %s\n  where      %s; %s; %s\n  tolerance  %s\n  why        %s\n", row->name,
                    row->statement, row->where, dims_of(row), queries, row->allowed, row->why);
    }
}

/* A cell, in which a bar would end it. */
static void cell(FILE *stream, const char *text)
{
    fputs(" ", stream);
    for (; *text; text++)
        fprintf(stream, *text == '|' ? "\\%c" : "%c", *text);
    fputs(" |", stream);
}

void gjb_property_markdown(FILE *stream)
{
    fputs("| property | says | where | tolerance | why |\n| --- | --- | --- | --- | --- |\n", stream);
    for (size_t r = 0; r < gjb_property_count; r++) {
        const gjb_property *row = &gjb_properties[r];
        char queries[160], where[640];
        queries_of(row, queries);
        snprintf(where, sizeof where, "%s; %s; %s", row->where, dims_of(row), queries);
        fprintf(stream, "| `%s` |", row->name);
        cell(stream, row->statement);
        cell(stream, where);
        cell(stream, row->allowed);
        cell(stream, row->why);
        fputc('\n', stream);
    }
}

json_t *gjb_property_list_json(const uint8_t *taken)
{
    json_t *list = json_array();
    for (size_t r = 0; r < gjb_property_count; r++) {
        const gjb_property *row = &gjb_properties[r];
        json_t *queries = json_array(), *dims = json_array();
        for (int q = 0; q < GJB_QUERIES; q++)
            if (row->queries >> q & 1)
                json_array_append_new(queries, json_string(gjb_queries[q].name));
        for (int dim = 2; dim <= 3; dim++)
            if (row->dims >> dim & 1)
                json_array_append_new(dims, json_integer(dim));
        json_t *one = json_pack("{ss ss ss ss ss so so sb}", "name", row->name, "statement", row->statement,
                                "where", row->where, "tolerance", row->allowed, "why", row->why, "queries",
                                queries, "dims", dims, "bits", row->bits);
        if (taken && !taken[r])
            json_decref(one);
        else
            json_array_append_new(list, one);
    }
    return json_pack("{so}", "properties", list);
}
