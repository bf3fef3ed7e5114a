/* Compares two results of counts: exact, so that a verdict takes no statistics, and says which functions changed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/compare/answer_changes.h"
#include "bench/compare/comparison.h"
#include "bench/rows.h"
#include "core/json_file.h"

static const gjb_field fields[] = {
    {"name", GJB_FIELD_TEXT, 1},
    {"workload_hash", GJB_FIELD_TEXT, 0}, /* a point that could not be counted may have none */
    {"trouble", GJB_FIELD_TEXT, 0},
    {"instructions_per_pair", GJB_FIELD_COUNT, 0},
    {"cycles_per_pair", GJB_FIELD_COUNT, 0},
    {"misses_per_pair", GJB_FIELD_COUNT, 0},
};

static void compare_rows(gjb_compared *v, const json_t *const rows[GJB_PAIRED_SIDES], double floor)
{
    *v = (gjb_compared){.name = gjb_text_at(rows[1], "name"), .trouble = ""};
    for (int s = 0; s < GJB_PAIRED_SIDES; s++) {
        v->answers[s] = rows[s];
        v->instructions[s] = gjb_number_at(rows[s], "instructions_per_pair");
        if (!(v->instructions[s] > 0) && !v->trouble[0])
            v->trouble = *gjb_text_at(rows[s], "trouble") ? gjb_text_at(rows[s], "trouble") : "no instructions counted";
    }
    if (!v->trouble[0] && strcmp(gjb_text_at(rows[0], "workload_hash"), gjb_text_at(rows[1], "workload_hash")) != 0)
        v->trouble = "another workload: the pairs are not the same";
    if (v->trouble[0])
        return;
    const double change = log(v->instructions[1] / v->instructions[0]);
    v->ratio = (gjb_ratio){.log = change, .low = change, .high = change, .p = {1, 1, 1, 1}};
    v->ratio.change = change >= log1p(floor) && change > 0    ? GJB_CHANGE_SLOWER
                      : change <= -log1p(floor) && change < 0 ? GJB_CHANGE_FASTER
                                                              : GJB_CHANGE_NONE;
}

int gjb_compare_counts(gjb_comparison *c, const gjb_result_file sides[GJB_PAIRED_SIDES], const char *only, double floor,
                       gjb_error *error)
{
    const size_t count = sizeof fields / sizeof *fields;
    *c = (gjb_comparison){.floor = floor, .of_counts = 1};
    json_t *all[GJB_PAIRED_SIDES], *row;
    for (int s = 0; s < GJB_PAIRED_SIDES; s++)
        if (!(all[s] = gjb_rows(sides[s].root, sides[s].path, fields, count, error)))
            return -1;
    json_t *olds = json_object();
    size_t i;
    json_array_foreach(all[0], i, row)
        json_object_set(olds, gjb_text_at(row, "name"), row);
    c->rows = calloc(json_array_size(all[1]) + 1, sizeof *c->rows);
    json_array_foreach(all[1], i, row) {
        const json_t *const rows[GJB_PAIRED_SIDES] = {json_object_get(olds, gjb_text_at(row, "name")), row};
        if (!c->rows || !rows[0] || (only && !strstr(gjb_text_at(row, "name"), only)))
            continue;
        gjb_compared *v = &c->rows[c->count++];
        compare_rows(v, rows, floor);
        if (!v->trouble[0])
            c->of[v->ratio.change]++;
        c->changed += (size_t)gjb_answers_changed(v->answers);
    }
    json_decref(olds);
    if (!c->rows)
        return gjb_fail(error, "out of memory");
    return c->count ? 0
                    : gjb_fail(error, "nothing to compare: %s and %s have no benchmark in common%s%s", sides[0].path,
                               sides[1].path, only ? " whose name contains " : "", only ? only : "");
}

/* --- telling ------------------------------------------------------------------ */

static int is_equal(const gjb_compared *v)
{
    return !v->trouble[0] && v->instructions[0] == v->instructions[1];
}

static const char *verdict_of(const gjb_compared *v)
{
    return v->ratio.change == GJB_CHANGE_SLOWER   ? "more"
           : v->ratio.change == GJB_CHANGE_FASTER ? "fewer"
           : is_equal(v)                          ? "equal"
                                                  : "same";
}

/* "+0.31%", or what stands for it where one side has no such count. */
static void print_change(const gjb_compared *v, const char *key, FILE *stream)
{
    const double old = gjb_number_at(v->answers[0], key), new = gjb_number_at(v->answers[1], key);
    if (old > 0 && new > 0)
        fprintf(stream, " %+6.2f%%", 100 * (new / old - 1));
    else
        fprintf(stream, " %7s", old > 0 || new > 0 ? "?" : "-");
}

static void print_row(const gjb_compared *v, int width, FILE *stream, const gjb_bench_paint *paint)
{
    const char *colours[GJB_CHANGES] = {paint->plain, paint->plain, paint->good, paint->bad};
    if (v->trouble[0]) {
        fprintf(stream, "%-*s not counted: %s\n", width, v->name, v->trouble);
        return;
    }
    fprintf(stream, "%-*s %s%-5s%s", width, v->name, colours[v->ratio.change], verdict_of(v), paint->plain);
    print_change(v, "instructions_per_pair", stream);
    fprintf(stream, " %8.6g %8.6g", v->instructions[0], v->instructions[1]);
    print_change(v, "cycles_per_pair", stream);
    print_change(v, "misses_per_pair", stream);
    fputc('\n', stream);
    gjb_answers_print_changes(v->answers, stream);
}

typedef struct moved {
    const char *name;
    double old, new;
} moved;

static int by_change(const void *a, const void *b)
{
    const double x = fabs(((const moved *)a)->new - ((const moved *)a)->old),
                 y = fabs(((const moved *)b)->new - ((const moved *)b)->old);
    return (x < y) - (x > y);
}

/* Functions of the row that changed most, as far as they did. */
static void print_where(const gjb_compared *v, FILE *stream)
{
    enum { SHOWN = 5 };
    const json_t *olds = json_object_get(v->answers[0], "functions"),
                 *news = json_object_get(v->answers[1], "functions");
    moved *all = malloc((json_object_size(olds) + json_object_size(news) + 1) * sizeof *all);
    const char *name;
    json_t *value;
    size_t count = 0;
    if (!all || !olds || !news) {
        free(all);
        return;
    }
    json_object_foreach((json_t *)news, name, value)
        all[count++] = (moved){name, gjb_number_at(olds, name), json_number_value(value)};
    json_object_foreach((json_t *)olds, name, value)
        if (!json_object_get(news, name))
            all[count++] = (moved){name, json_number_value(value), 0};
    qsort(all, count, sizeof *all, by_change);
    fprintf(stream, "\nwhere %s changed, in instructions a pair:\n", v->name);
    for (size_t i = 0; i < count && i < SHOWN && all[i].old != all[i].new; i++)
        fprintf(stream, "  %-40s %8.6g -> %8.6g  %+.6g\n", all[i].name, all[i].old, all[i].new,
                all[i].new - all[i].old);
    free(all);
}

void gjb_counts_print(const gjb_comparison *c, FILE *stream, const gjb_bench_paint *paint)
{
    static const int order[] = {GJB_CHANGE_SLOWER, GJB_CHANGE_FASTER, GJB_CHANGES, GJB_CHANGE_NONE};
    size_t width = 9, equal = 0, judged = 0;
    const gjb_compared *most = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const gjb_compared *v = &c->rows[i];
        width = strlen(v->name) > width ? strlen(v->name) : width;
        judged += !v->trouble[0];
        equal += (size_t)is_equal(v);
        if (!v->trouble[0] && !is_equal(v) && (!most || fabs(v->ratio.log) > fabs(most->ratio.log)))
            most = v;
    }
    fprintf(stream, "%s%zu benchmark%s: %zu with more instructions, %zu with fewer, %zu the same (%zu equal)",
            c->of[GJB_CHANGE_SLOWER] ? paint->bad : paint->plain, c->count, c->count == 1 ? "" : "s",
            c->of[GJB_CHANGE_SLOWER], c->of[GJB_CHANGE_FASTER], c->of[GJB_CHANGE_NONE], equal);
    if (judged < c->count)
        fprintf(stream, ", %zu not counted", c->count - judged);
    fprintf(stream, "; answers of %zu changed%s\n", c->changed, paint->plain);
    fprintf(stream, "\n%-*s %-5s %7s %8s %8s %7s %7s\n", (int)width, "benchmark", "", "new/old", "old", "new", "cycles",
            "misses");
    for (size_t o = 0; o < sizeof order / sizeof *order; o++)
        for (size_t i = 0; i < c->count; i++)
            if ((c->rows[i].trouble[0] ? GJB_CHANGES : (int)c->rows[i].ratio.change) == order[o])
                print_row(&c->rows[i], (int)width, stream, paint);
    if (most)
        print_where(most, stream);
    fprintf(stream,
            "\ninstructions a pair; more and fewer: by %.2g%% and more. The changes of cycles, which are\n"
            "estimated, and of misses of the first cache, which is simulated, are for information: no verdict\n"
            "rests on them.\n",
            100 * c->floor);
}
