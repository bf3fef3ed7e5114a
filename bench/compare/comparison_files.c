/* Compares two result files: rows of one name are matched, and their samples judged as measured apart. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/compare/comparison.h"
#include "bench/rows.h"
#include "bench/statistics.h"

static const gjb_field fields[] = {
    {"name", GJB_FIELD_TEXT, 1},
    {"workload_hash", GJB_FIELD_TEXT, 1},
    {"margin", GJB_FIELD_COUNT, 0},
    {"within", GJB_FIELD_COUNT, 0},
    {"leaving", GJB_FIELD_TEXT, 0},
    {"samples", GJB_FIELD_TIMES, 1},
    {"ns_per_pair", GJB_FIELD_TIME, 1},
    {"label", GJB_FIELD_TEXT, 0},
    {"mean_iterations", GJB_FIELD_COUNT, 0},
    {"iteration_histogram", GJB_FIELD_COUNTS, 0},
    {"lane_occupancy", GJB_FIELD_COUNT, 0},
    {"spilled_share", GJB_FIELD_COUNT, 0},
    {"careful_share", GJB_FIELD_COUNT, 0},
    {"capped_rate", GJB_FIELD_COUNT, 0},
    {"unwritten_rate", GJB_FIELD_COUNT, 0},
};

static const char *text_of(const json_t *row, const char *key)
{
    return json_string_value(json_object_get(row, key));
}

/* Rows by name, if that is wanted; NULL out of memory. */
static json_t *by_name(json_t *rows, const char *only)
{
    json_t *all = json_object(), *row;
    size_t i;
    json_array_foreach(rows, i, row)
        if (!only || strstr(text_of(row, "name"), only))
            json_object_set(all, text_of(row, "name"), row);
    return all;
}

/* Returns how many there are. */
static size_t samples_of(const json_t *row, double times[GJB_SAMPLES_MAX])
{
    const json_t *samples = json_object_get(row, "samples");
    size_t count = 0;
    for (; count < GJB_SAMPLES_MAX && count < json_array_size(samples); count++)
        times[count] = json_number_value(json_array_get(samples, count));
    return count;
}

/* What a row does not say is the default. */
static const char *spelled(const json_t *row, const char *key, char text[32])
{
    const json_t *value = json_object_get(row, key);
    if (strcmp(key, "leaving") == 0)
        snprintf(text, 32, "%.31s", value ? json_string_value(value) : "hit");
    else
        snprintf(text, 32, "%.9g", json_number_value(value));
    return text;
}

/* Why the pairs are not the same: what was asked of them, or they themselves. */
static const char *another_workload(gjb_compared *v, const json_t *old, const json_t *new)
{
    static const char *const keys[] = {"leaving", "within", "margin"};
    char before[32], after[32];
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(spelled(old, keys[i], before), spelled(new, keys[i], after)) != 0) {
            snprintf(v->question, sizeof v->question, "another question: %s is %s in the old, %s in the new", keys[i],
                     before, after);
            return v->question;
        }
    return "another workload: the pairs are not the same";
}

static const char *compare_rows(gjb_compared *v, const json_t *old, const json_t *new, double floor,
                                uint64_t seed)
{
    double before[GJB_SAMPLES_MAX], after[GJB_SAMPLES_MAX];
    const size_t olds = samples_of(old, before), news = samples_of(new, after);
    v->name = text_of(new, "name");
    v->answers[0] = old;
    v->answers[1] = new;
    v->ns[0] = json_number_value(json_object_get(old, "ns_per_pair"));
    v->ns[1] = json_number_value(json_object_get(new, "ns_per_pair"));
    if (strcmp(text_of(old, "workload_hash"), text_of(new, "workload_hash")) != 0)
        return another_workload(v, old, new);
    v->launches = olds < news ? olds : news;
    v->ratio = gjb_ratio_apart(before, olds, after, news, log1p(floor), seed);
    /* What is shown is what is judged. */
    v->ns[0] = gjb_median(before, olds);
    v->ns[1] = gjb_median(after, news);
    return "";
}

/* Of each new row that has an old one. 0, or -1 if it was stopped. */
static int compare_all(gjb_comparison *c, json_t *olds, json_t *news, const gjb_files_settings *s)
{
    json_t *row;
    size_t i, tests = 0, done = 0;
    json_array_foreach(news, i, row)
        tests += json_object_get(olds, text_of(row, "name")) != NULL;
    json_array_foreach(news, i, row) {
        const json_t *before = json_object_get(olds, text_of(row, "name"));
        if (!before)
            continue;
        if (s->stop && *s->stop)
            return -1;
        if (s->progress)
            s->progress(s->user, done++, tests);
        gjb_compared *v = &c->rows[c->count++];
        v->trouble = compare_rows(v, before, row, s->floor, s->seed);
    }
    if (s->progress)
        s->progress(s->user, tests, tests);
    return 0;
}

int gjb_compare_files(gjb_comparison *c, const gjb_result_file sides[GJB_PAIRED_SIDES], const gjb_files_settings *s,
                      gjb_error *error)
{
    const size_t count = sizeof fields / sizeof *fields;
    *c = (gjb_comparison){.floor = s->floor, .alpha = s->alpha, .of_files = 1};
    json_t *olds = gjb_rows(sides[0].root, sides[0].path, fields, count, error),
           *news = olds ? gjb_rows(sides[1].root, sides[1].path, fields, count, error) : NULL;
    if (!news)
        return -1;
    json_t *wanted = by_name(olds, s->only);
    c->rows = calloc(json_array_size(news) + 1, sizeof *c->rows);
    int failed = 0;
    if (!c->rows || !wanted)
        failed = gjb_fail(error, "out of memory");
    else if (compare_all(c, wanted, news, s))
        failed = gjb_fail(error, "interrupted before all benchmarks were compared: nothing is judged");
    else if (!c->count)
        failed = gjb_fail(error, "nothing to compare: %s and %s have no benchmark in common%s%s", sides[0].path,
                          sides[1].path, s->only ? " whose name contains " : "", s->only ? s->only : "");
    else
        gjb_comparison_judge(c);
    json_decref(wanted);
    return failed ? -1 : 0;
}
