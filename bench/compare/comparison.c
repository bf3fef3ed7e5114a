/* Verdicts over a whole comparison: what differs in answers, what is slower or faster, as text and as JSON. */
#include "bench/compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/compare/answer_changes.h"

void gjb_comparison_judge(gjb_comparison *c)
{
    gjb_ratio *ratios = malloc((c->count + 1) * sizeof *ratios);
    size_t judged = 0;
    if (!ratios)
        return;
    for (size_t i = 0; i < c->count; i++)
        if (!c->rows[i].trouble[0])
            ratios[judged++] = c->rows[i].ratio;
    gjb_judge(ratios, judged, c->alpha);
    judged = 0;
    for (size_t i = 0; i < c->count; i++) {
        gjb_compared *v = &c->rows[i];
        if (!v->trouble[0]) {
            v->ratio.change = ratios[judged++].change;
            c->of[v->ratio.change]++;
        }
        c->changed += (size_t)gjb_answers_changed(v->answers);
    }
    free(ratios);
}

int gjb_compare_paired(gjb_comparison *c, const gjb_paired *paired, double floor, double alpha, uint64_t seed,
                       gjb_error *error)
{
    *c = (gjb_comparison){.floor = floor, .alpha = alpha};
    c->rows = calloc(paired->count + 1, sizeof *c->rows);
    if (!c->rows)
        return gjb_fail(error, "out of memory");
    for (size_t i = 0; i < paired->count; i++) {
        const gjb_paired_row *row = &paired->rows[i];
        gjb_compared *v = &c->rows[c->count++];
        *v = (gjb_compared){.name = row->name, .launches = row->launches, .trouble = row->trouble};
        v->ratio = gjb_ratio_of(row->logs, row->launches, log1p(floor), alpha / (2 * (double)paired->count), seed);
        for (int s = 0; s < GJB_PAIRED_SIDES; s++) {
            v->ns[s] = row->ns[s];
            v->instructions[s] = row->instructions[s];
            v->answers[s] = row->answers[s];
        }
    }
    gjb_comparison_judge(c);
    return 0;
}

void gjb_comparison_free(gjb_comparison *c)
{
    free(c->rows);
    *c = (gjb_comparison){0};
}

/* --- telling ------------------------------------------------------------------ */

static double percent(double log_ratio)
{
    return 100 * expm1(log_ratio);
}

/* As the processor counted them, which is a little different each time. */
static void print_instructions(const gjb_compared *v, FILE *stream)
{
    if (v->instructions[0] > 0 && v->instructions[1] > 0 &&
        fabs(log(v->instructions[1] / v->instructions[0])) > 1e-3)
        fprintf(stream, "    changed: instructions a pair %.1f -> %.1f\n", v->instructions[0], v->instructions[1]);
}

static const char *verdict_of(const gjb_compared *v)
{
    return v->trouble[0]                             ? "not judged"
           : v->ratio.change == GJB_CHANGE_UNSURE ? "inconclusive"
                                                  : gjb_change_name(v->ratio.change);
}

static void print_row(const gjb_compared *v, int width, const char *what, FILE *stream,
                      const gjb_bench_paint *paint)
{
    const char *colours[GJB_CHANGES] = {paint->plain, paint->plain, paint->good, paint->bad};
    char interval[48];
    if (v->launches < GJB_RATIOS_LEAST)
        snprintf(interval, sizeof interval, "%zu %s are too few", v->launches, what);
    else
        snprintf(interval, sizeof interval, "%+.2f%% to %+.2f%%", percent(v->ratio.low),
                 percent(v->ratio.high));
    fprintf(stream, "%-*s  %s%-12s%s ", width, v->name, v->trouble[0] ? "" : colours[v->ratio.change],
            verdict_of(v), paint->plain);
    if (v->trouble[0])
        fprintf(stream, " %s\n", v->trouble);
    else
        fprintf(stream, "%+8.2f%%  %-21s %9.4g %9.4g\n", percent(v->ratio.log), interval, v->ns[0], v->ns[1]);
    print_instructions(v, stream);
    gjb_answers_print_changes(v->answers, stream);
}

/* What changed first; in the order of the benchmarks otherwise. */
static void print_rows(const gjb_comparison *c, FILE *stream, const gjb_bench_paint *paint)
{
    static const int order[] = {GJB_CHANGE_SLOWER, GJB_CHANGE_FASTER, GJB_CHANGES, GJB_CHANGE_UNSURE,
                                GJB_CHANGE_NONE};
    size_t width = 9;
    for (size_t i = 0; i < c->count; i++)
        width = strlen(c->rows[i].name) > width ? strlen(c->rows[i].name) : width;
    fprintf(stream, "\n%-*s  %-12s %9s  %-21s %9s %9s\n", (int)width, "benchmark", "verdict", "new/old",
            "95% interval", "old, ns", "new, ns");
    for (size_t o = 0; o < sizeof order / sizeof *order; o++)
        for (size_t i = 0; i < c->count; i++) {
            const gjb_compared *v = &c->rows[i];
            if ((v->trouble[0] ? GJB_CHANGES : (int)v->ratio.change) == order[o])
                print_row(v, (int)width, c->of_files ? "samples" : "launches", stream, paint);
        }
}

/* What the others take from those that are inconclusive: few launches cannot make a chance as small as many
 * benchmarks together ask for. */
static void print_alone(const gjb_comparison *c, size_t judged, FILE *stream)
{
    size_t alone[GJB_CHANGES] = {0};
    for (size_t i = 0; i < c->count; i++)
        for (int change = GJB_CHANGE_FASTER; change <= GJB_CHANGE_SLOWER; change++)
            alone[change] += !c->rows[i].trouble[0] && c->rows[i].ratio.change == GJB_CHANGE_UNSURE &&
                             c->rows[i].ratio.p[change] <= c->alpha;
    if (alone[GJB_CHANGE_SLOWER] + alone[GJB_CHANGE_FASTER])
        fprintf(
            stream,
            "taken alone, %zu more would be slower and %zu faster, some %.0f of them by chance: --only takes fewer "
            "together\n",
            alone[GJB_CHANGE_SLOWER], alone[GJB_CHANGE_FASTER], ceil(2 * c->alpha * (double)judged));
    if (c->alpha < 2 * (double)judged * gjb_finest_chance)
        fputs("of so many together so small a chance cannot be shown: nothing can be slower or faster\n", stream);
}

void gjb_comparison_print(const gjb_comparison *c, FILE *stream, const gjb_bench_paint *paint)
{
    const size_t judged = c->of[GJB_CHANGE_SLOWER] + c->of[GJB_CHANGE_FASTER] + c->of[GJB_CHANGE_NONE] +
                          c->of[GJB_CHANGE_UNSURE];
    if (c->of_counts) {
        gjb_counts_print(c, stream, paint);
        return;
    }
    fprintf(stream, "%s%zu benchmark%s: %zu slower, %zu faster, %zu the same, %zu inconclusive",
            c->of[GJB_CHANGE_SLOWER] ? paint->bad : paint->plain, c->count, c->count == 1 ? "" : "s",
            c->of[GJB_CHANGE_SLOWER], c->of[GJB_CHANGE_FASTER], c->of[GJB_CHANGE_NONE],
            c->of[GJB_CHANGE_UNSURE]);
    if (judged < c->count)
        fprintf(stream, ", %zu not judged", c->count - judged);
    fprintf(stream, "; answers or counts of %zu changed%s\n", c->changed, paint->plain);
    print_rows(c, stream, paint);
    fprintf(stream,
            "\n%s of times a pair, new over old, with 95%% interval; slower and faster: by more than %.2g%%; "
            "false-alarm rate:\n%.3g%% over all benchmarks\n",
            c->of_files ? "ratio of the medians" : "middle of the ratios", 100 * c->floor, 100 * c->alpha);
    print_alone(c, judged, stream);
}

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *row_json(const gjb_compared *v)
{
    static const char *const counts[] = {"branches_per_pair",    "mispredicted_per_pair", "misses_per_pair",
                                         "last_misses_per_pair", "cycles_per_pair",       "functions"};
    json_t *row = json_pack("{ss ss so so so so so sI so}", "name", v->name, "verdict",
                            v->trouble[0] ? "not judged" : gjb_change_name(v->ratio.change), "ratio",
                            real(exp(v->ratio.log)), "ratio_low", real(exp(v->ratio.low)), "ratio_high",
                            real(exp(v->ratio.high)), "p_slower", real(v->ratio.p[GJB_CHANGE_SLOWER]),
                            "p_faster", real(v->ratio.p[GJB_CHANGE_FASTER]), "launches",
                            (json_int_t)v->launches, "changed", gjb_answers_changes_json(v->answers));
    if (v->ns[0] > 0)
        json_object_set_new(row, "ns_per_pair", json_pack("[ff]", v->ns[0], v->ns[1]));
    if (v->instructions[0] > 0 && v->instructions[1] > 0)
        json_object_set_new(row, "instructions_per_pair",
                            json_pack("[ff]", v->instructions[0], v->instructions[1]));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        json_t *old = json_object_get(v->answers[0], counts[i]), *new = json_object_get(v->answers[1], counts[i]);
        if (old && new)
            json_object_set_new(row, counts[i], json_pack("[OO]", old, new));
    }
    if (v->trouble[0])
        json_object_set_new(row, "trouble", json_string(v->trouble));
    return row;
}

json_t *gjb_comparison_json(const gjb_comparison *c)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < c->count; i++)
        json_array_append_new(rows, row_json(&c->rows[i]));
    return json_pack("{ss sf sf so s{sI sI sI sI sI}}", "of", c->of_counts ? "instructions" : "times", "floor",
                     c->floor, "alpha", c->alpha, "comparisons", rows, "summary", "slower",
                     (json_int_t)c->of[GJB_CHANGE_SLOWER], "faster", (json_int_t)c->of[GJB_CHANGE_FASTER], "same",
                     (json_int_t)c->of[GJB_CHANGE_NONE], "cannot_tell", (json_int_t)c->of[GJB_CHANGE_UNSURE], "changed", (json_int_t)c->changed);
}
