/* Tables of measured points, of the machine, and of contenders. */
#include "reports/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void tables_column(text *page, const char *title, int quantity)
{
    text_add(page, quantity ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">");
    text_add(page, title);
    text_add(page, "</th>");
}

/* ---- every measured point ---- */

/* Rows on the page itself: two thousand of them weigh a quarter of a megabyte, and nobody scrolls further. */
enum { SHOWN_POINTS = 2000 };

/* How many sweeps a point is part of: at most 64. */
static size_t sweeps_of(const bench_row *row)
{
    size_t n = *row->sweep != '\0';
    for (const char *c = row->sweep; *c; c++)
        n += *c == ',';
    return n < 64 ? n : 64;
}

/* Points in at least `sweeps` sweeps are shown, and of those in one less the first `room`. */
typedef struct shown_points {
    size_t sweeps, room;
} shown_points;

static shown_points choose_points(const results *r)
{
    size_t in[65] = {0}, shown = 0, sweeps = 65;
    for (size_t i = 0; i < results_points(r); i++)
        in[sweeps_of(results_point(r, i))]++;
    while (sweeps && shown + in[sweeps - 1] <= SHOWN_POINTS)
        shown += in[--sweeps];
    return (shown_points){.sweeps = sweeps, .room = sweeps ? SHOWN_POINTS - shown : 0};
}

static int is_shown(shown_points *shown, const bench_row *row)
{
    size_t sweeps = sweeps_of(row);
    return sweeps >= shown->sweeps || (sweeps + 1 == shown->sweeps && shown->room && shown->room--);
}

static void point_row(const results *r, const bench_row *row, int on_page, text *page)
{
    number n, low, high;
    text_add(page, on_page ? "<tr><th>" : "<tr class=\"file\"><th>");
    text_html(page, row->name);
    text_add(page, results_does_more(r, row->contender, row->query) ? " †</th>" : "</th>");
    text_format(page, "<td>%s</td>", number_figures(&n, row->ns));
    text_format(page, "<td>%s–%s</td>", isfinite(row->low) ? number_figures(&low, row->low) : "",
                isfinite(row->high) ? number_figures(&high, row->high) : "");
    text_format(page, "<td>%s</td>", number_figures(&n, row->minimum));
    text_format(page, "<td>%s</td>", number_figures(&n, row->pairs_per_second / 1e6));
    text_format(page, "<td>%s</td>", number_figures(&n, row->prepare_ns));
    double rate = points_wrong_rate(r, row);
    text_format(page, "<td%s>%s</td><td>", rate > 0 ? " class=\"bad\"" : "", number_rate(&n, rate));
    text_html(page, *row->fingerprint ? row->fingerprint : "–");
    text_add(page, "</td></tr>");
}

void tables_benchmarks(const results *r, text *page)
{
    static const char *const titles[] = {"ns a pair", "interval", "least", "M pairs/s", "prepare, ns a shape",
                                         "wrong"};
    number n, all;
    text_add(page, "<details><summary>");
    if (results_points(r) > SHOWN_POINTS)
        text_format(page, "%s of the %s measured points: those that most figures share; the files below the table have all",
                    number_count(&n, SHOWN_POINTS), number_count(&all, (double)results_points(r)));
    else
        text_format(page, "All %s measured points", number_count(&n, (double)results_points(r)));
    text_add(page, "</summary><div class=\"scroll\"><table class=\"compact\" data-file=\"points\" "
                   "data-title=\"Every measured point\"><thead><tr>");
    tables_column(page, "name", 0);
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        tables_column(page, titles[i], 1);
    tables_column(page, "fingerprint", 0);
    text_add(page, "</tr></thead><tbody>");
    shown_points shown = choose_points(r);
    for (size_t i = 0; i < results_points(r); i++)
        point_row(r, results_point(r, i), is_shown(&shown, results_point(r, i)), page);
    text_add(page, "</tbody></table></div></details>");
}

/* ---- machine and contenders ---- */

static void value_html(json_t *value, text *page)
{
    if (json_is_string(value)) {
        text_html(page, json_string_value(value));
    } else if (json_is_integer(value)) {
        text_format(page, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_real(value)) {
        number n;
        text_add(page, number_figures(&n, json_real_value(value)));
    } else if (json_is_boolean(value)) {
        text_add(page, json_is_true(value) ? "yes" : "no");
    } else {
        text_add(page, "–");
    }
}

static void pair_row(const char *key, text *page)
{
    text_add(page, "<tr><th scope=\"row\">");
    series_name name = points_spaced(key);
    text_html(page, name.s);
    text_add(page, "</th><td>");
}

static void cache_row(json_t *caches, text *page)
{
    json_t *cache;
    size_t i;
    pair_row("caches", page);
    json_array_foreach(caches, i, cache) {
        const char *type = json_string_value(json_object_get(cache, "type"));
        number size;
        text_add(page, i ? ", L" : "L");
        value_html(json_object_get(cache, "level"), page);
        text_add(page, " ");
        text_html(page, type ? type : "");
        text_format(page, " %s", number_bytes(&size, json_number_value(json_object_get(cache, "size"))));
    }
    text_add(page, "</td></tr>");
}

static const char *const machine_facts[][2] = {
    {"cpu", "CPU"}, {"num_cpus", "logical CPUs"}, {"host_name", "host"}, {"date", "date"},
    {"compiler", "compiler"}, {"flags", "flags"}, {"library_build_type", "build"}, {"commit", "commit"},
    {"gjkbench_version", "gjkbench"}, {"version", "gjkbench"}, {"seed", "seed"},
};

static void ceiling_rows(json_t *ceiling, text *page)
{
    const char *key;
    json_t *value;
    json_object_foreach(ceiling, key, value) {
        if (json_is_object(value) || json_is_array(value))
            continue;
        char label[64];
        number n;
        snprintf(label, sizeof label, "memory ceiling: %.40s", key);
        pair_row(label, page);
        if (json_is_number(value))
            text_add(page, number_figures(&n, json_number_value(value)));
        else
            value_html(value, page);
        text_add(page, "</td></tr>");
    }
}

static void machine_table(const results_file *file, text *page)
{
    static const char *const kinds[RESULTS_KINDS] = {[RESULTS_BENCH] = "measured times",
                                                     [RESULTS_VERIFY] = "verification",
                                                     [RESULTS_KNOWN] = "replay of known failures",
                                                     [RESULTS_LEAGUE] = "league table",
                                                     [RESULTS_CONVERGE] = "convergence",
                                                     [RESULTS_COMPARED] = "comparison of two builds",
                                                     [RESULTS_TIMELINE] = "history"};
    json_t *context = file->context, *value;
    const char *name = strrchr(file->name, '/');
    text_add(page, "<div class=\"scroll\"><table class=\"facts\"><caption>");
    text_html(page, name ? name + 1 : file->name);
    text_format(page, " <span>%s</span></caption><tbody>", kinds[file->kind]);
    if (!context)
        text_add(page, "<tr><td>This file says nothing about its machine.</td></tr>");
    for (size_t i = 0; i < sizeof machine_facts / sizeof *machine_facts; i++) {
        const char *key = machine_facts[i][0];
        value = results_fact(file, key);
        if (!value || json_is_null(value) ||
            (!strcmp(key, "version") && json_object_get(context, "gjkbench_version")))
            continue;
        pair_row(machine_facts[i][1], page);
        value_html(value, page);
        text_add(page, "</td></tr>");
    }
    value = json_object_get(context, "caches");
    if (json_is_array(value) && json_array_size(value))
        cache_row(value, page);
    ceiling_rows(json_object_get(context, "memory_ceiling"), page);
    text_add(page, "</tbody></table></div>");
}

void tables_machine(const results *r, text *page)
{
    for (size_t f = 0; f < r->file_count; f++)
        machine_table(&r->files[f], page);
}

static void text_cell(json_t *object, const char *key, text *page)
{
    const char *s = json_string_value(json_object_get(object, key));
    text_add(page, "<td>");
    text_html(page, s && *s ? s : "–");
    text_add(page, "</td>");
}

/* In the build but not asked for, or of the other dimension: it has no results. */
static int has_results(const results *r, const char *contender)
{
    names seen = points_contenders(r);
    for (size_t i = 0; i < r->known_count; i++)
        names_add(&seen, r->known[i].contender);
    return names_find(&seen, contender) >= 0;
}

static void facts_head(const char *caption, const char *const *titles, size_t n, text *page)
{
    text_add(page, "<div class=\"scroll\"><table class=\"facts\" data-file=\"contenders-");
    text_slug(page, caption);
    text_format(page, "\"><caption>%s</caption><thead><tr>", caption);
    for (size_t i = 0; i < n; i++)
        tables_column(page, titles[i], 0);
    text_add(page, "</tr></thead><tbody>");
}

static void contender_name(const char *name, text *page)
{
    text_add(page, "<tr><th scope=\"row\">");
    text_html(page, name ? name : "–");
    text_add(page, "</th>");
}

static void measured(const results *r, json_t *list, text *page)
{
    static const char *const titles[] = {"contender", "version", "licence", "note"};
    json_t *one;
    size_t i;
    facts_head("Measured here", titles, 4, page);
    json_array_foreach(list, i, one) {
        const char *name = json_string_value(json_object_get(one, "name"));
        if (!name || !has_results(r, name))
            continue;
        contender_name(name, page);
        for (size_t k = 1; k < 4; k++)
            text_cell(one, titles[k], page);
        text_add(page, "</tr>");
    }
    text_add(page, "</tbody></table></div>");
}

static void missing(json_t *list, text *page)
{
    static const char *const titles[] = {"contender", "how to get it"};
    json_t *one;
    size_t i;
    facts_head("Missing from this build", titles, 2, page);
    json_array_foreach(list, i, one) {
        contender_name(json_string_value(json_object_get(one, "name")), page);
        text_cell(one, "advice", page);
        text_add(page, "</tr>");
    }
    text_add(page, "</tbody></table></div>");
}

void tables_contenders(const results *r, text *page)
{
    json_t *here = results_context(r, "contenders"), *absent = results_context(r, "missing");
    if (json_array_size(here))
        measured(r, here, page);
    else
        text_add(page, "<p class=\"absent\">These results do not list their contenders’ versions.</p>");
    if (json_array_size(absent))
        missing(absent, page);
    else
        text_add(page, "<p class=\"note\">No known contender is missing from this build.</p>");
}
