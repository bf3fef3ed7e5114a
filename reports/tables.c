/* Tables of measured points, of the machine, and of contenders. */
#include "reports/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- every measured point ---- */

/* Rows on the page itself: two thousand of them weigh a quarter of a megabyte, and more would not be read. */
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

static void point_row(const results *r, const bench_row *row, int on_page, table *t)
{
    number n, low, high;
    const double rate = points_wrong_rate(r, row);
    table_row_begin(t, on_page ? TABLE_BODY : TABLE_UNSEEN);
    table_put(t, TABLE_TITLE, "%s%s", row->name, results_does_more(r, row->contender, row->query) ? " †" : "");
    table_put(t, TABLE_NUMBER, "%s", number_figures(&n, row->ns));
    table_put(t, TABLE_NUMBER, "%s–%s", isfinite(row->low) ? number_figures(&low, row->low) : "",
              isfinite(row->high) ? number_figures(&high, row->high) : "");
    table_put(t, TABLE_NUMBER, "%s", number_figures(&n, row->minimum));
    table_put(t, TABLE_NUMBER, "%s", number_figures(&n, row->pairs_per_second / 1e6));
    table_put(t, TABLE_NUMBER, "%s", number_figures(&n, row->prepare_ns));
    table_put(t, TABLE_NUMBER | (rate > 0 ? TABLE_BAD : 0), "%s", number_rate(&n, rate));
    table_put(t, 0, "%s", *row->fingerprint ? row->fingerprint : "–");
}

void tables_benchmarks(const results *r, table_files *files, text *page)
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
    text_add(page, "</summary>");
    table t = {.class = "compact", .compact = 1};
    text_add(&t.file, "points");
    text_add(&t.title, "Every measured point");
    table_row_begin(&t, TABLE_HEAD);
    table_put(&t, TABLE_TITLE, "name");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        table_put(&t, TABLE_TITLE | TABLE_NUMBER, "%s", titles[i]);
    table_put(&t, TABLE_TITLE, "fingerprint");
    shown_points shown = choose_points(r);
    for (size_t i = 0; i < results_points(r); i++)
        point_row(r, results_point(r, i), is_shown(&shown, results_point(r, i)), &t);
    table_end(&t, files, page);
    text_add(page, "</details>");
}

/* ---- machine and contenders ---- */

static void say_value(json_t *value, table *t)
{
    number n;
    if (json_is_string(value))
        table_say(t, "%s", json_string_value(value));
    else if (json_is_integer(value))
        table_say(t, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        table_say(t, "%s", number_figures(&n, json_real_value(value)));
    else if (json_is_boolean(value))
        table_say(t, json_is_true(value) ? "yes" : "no");
    else
        table_say(t, "–");
}

/* A row of two cells: the second is begun. */
static void pair_row(const char *key, table *t)
{
    table_row_begin(t, TABLE_BODY);
    table_put(t, TABLE_TITLE, "%s", points_spaced(key).s);
    table_cell_begin(t, 0, 1, NULL);
}

static void cache_row(json_t *caches, table *t)
{
    json_t *cache;
    size_t i;
    pair_row("caches", t);
    json_array_foreach(caches, i, cache) {
        const char *type = json_string_value(json_object_get(cache, "type"));
        number size;
        table_say(t, i ? ", L" : "L");
        say_value(json_object_get(cache, "level"), t);
        table_say(t, " %s %s", type ? type : "",
                  number_bytes(&size, json_number_value(json_object_get(cache, "size"))));
    }
}

static const char *const machine_facts[][2] = {
    {"cpu", "CPU"}, {"num_cpus", "logical CPUs"}, {"host_name", "host"}, {"date", "date"},
    {"compiler", "compiler"}, {"flags", "flags"}, {"library_build_type", "build"}, {"commit", "commit"},
    {"gjkbench_version", "gjkbench"}, {"version", "gjkbench"}, {"seed", "seed"},
};

static void ceiling_rows(json_t *ceiling, table *t)
{
    const char *key;
    json_t *value;
    json_object_foreach(ceiling, key, value) {
        if (json_is_object(value) || json_is_array(value))
            continue;
        char label[64];
        number n;
        snprintf(label, sizeof label, "memory ceiling: %.40s", key);
        pair_row(label, t);
        if (json_is_number(value))
            table_say(t, "%s", number_figures(&n, json_number_value(value)));
        else
            say_value(value, t);
    }
}

static void machine_table(const results_file *file, text *page)
{
    static const char *const kinds[RESULTS_KINDS] = {[RESULTS_BENCH] = "measured times",
                                                     [RESULTS_VERIFY] = "verification",
                                                     [RESULTS_KNOWN] = "replay of known failures",
                                                     [RESULTS_LEAGUE] = "league table",
                                                     [RESULTS_CONVERGENCE] = "convergence, no longer drawn",
                                                     [RESULTS_COMPARED] = "comparison of two builds",
                                                     [RESULTS_TIMELINE] = "history"};
    json_t *context = file->context, *value;
    const char *name = strrchr(file->name, '/');
    table t = {.class = "facts"};
    text_add(&t.above, "<caption>");
    text_html(&t.above, name ? name + 1 : file->name);
    text_format(&t.above, " <span>%s</span></caption>", kinds[file->kind]);
    if (!context) {
        table_row_begin(&t, TABLE_BODY);
        table_put(&t, 0, "This file says nothing about its machine.");
    }
    for (size_t i = 0; i < sizeof machine_facts / sizeof *machine_facts; i++) {
        const char *key = machine_facts[i][0];
        value = results_fact(file, key);
        if (!value || json_is_null(value) ||
            (!strcmp(key, "version") && json_object_get(context, "gjkbench_version")))
            continue;
        pair_row(machine_facts[i][1], &t);
        say_value(value, &t);
    }
    value = json_object_get(context, "caches");
    if (json_is_array(value) && json_array_size(value))
        cache_row(value, &t);
    ceiling_rows(json_object_get(context, "memory_ceiling"), &t);
    table_end(&t, NULL, page);
}

void tables_machine(const results *r, text *page)
{
    for (size_t f = 0; f < r->file_count; f++)
        machine_table(&r->files[f], page);
}

static void text_cell(json_t *object, const char *key, int is, table *t)
{
    const char *s = json_string_value(json_object_get(object, key));
    table_put(t, is, "%s", s && *s ? s : "–");
}

/* In the build but not asked for, or of the other dimension: it has no results. */
static int has_results(const results *r, const char *contender)
{
    names seen = points_contenders(r);
    for (size_t i = 0; i < r->known_count; i++)
        names_add(&seen, r->known[i].contender);
    return names_find(&seen, contender) >= 0;
}

static table facts_table(const char *caption, const char *const *titles, size_t n)
{
    table t = {.class = "facts"};
    text_add(&t.file, "contenders-");
    text_slug(&t.file, caption);
    text_add(&t.title, caption);
    text_format(&t.above, "<caption>%s</caption>", caption);
    table_row_begin(&t, TABLE_HEAD);
    for (size_t i = 0; i < n; i++)
        table_put(&t, TABLE_TITLE, "%s", titles[i]);
    return t;
}

static void measured(const results *r, json_t *list, table_files *files, text *page)
{
    static const char *const titles[] = {"contender", "version", "licence", "note"};
    table t = facts_table("Measured here", titles, 4);
    json_t *one;
    size_t i;
    json_array_foreach(list, i, one) {
        const char *name = json_string_value(json_object_get(one, "name"));
        if (!name || !has_results(r, name))
            continue;
        table_row_begin(&t, TABLE_BODY);
        table_put(&t, TABLE_TITLE, "%s", name);
        for (size_t k = 1; k < 4; k++)
            text_cell(one, titles[k], 0, &t);
    }
    table_end(&t, files, page);
}

static void missing(json_t *list, table_files *files, text *page)
{
    static const char *const titles[] = {"contender", "how to get it"};
    table t = facts_table("Missing from this build", titles, 2);
    json_t *one;
    size_t i;
    json_array_foreach(list, i, one) {
        table_row_begin(&t, TABLE_BODY);
        text_cell(one, "name", TABLE_TITLE, &t);
        text_cell(one, "advice", 0, &t);
    }
    table_end(&t, files, page);
}

void tables_contenders(const results *r, table_files *files, text *page)
{
    json_t *here = results_context(r, "contenders"), *absent = results_context(r, "missing");
    if (json_array_size(here))
        measured(r, here, files, page);
    else
        text_add(page, "<p class=\"absent\">These results do not list their contenders’ versions.</p>");
    if (json_array_size(absent))
        missing(absent, files, page);
    else
        text_add(page, "<p class=\"note\">No known contender is missing from this build.</p>");
}
