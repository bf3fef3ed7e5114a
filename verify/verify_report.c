/* The results of a verification as JSON, as a table, and as a verdict. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "verify/verify_private.h"

enum { MISHAP_LINES = 16 };

/* JSON has no infinity. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *counts(const uint64_t *values, size_t count)
{
    while (count && !values[count - 1])
        count--;
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, json_integer((json_int_t)values[i]));
    return array;
}

/* From the histogram, so that it is the same on every machine. */
static double mean_iterations(const gjb_run_stats *stats)
{
    uint64_t sum = 0, pairs = 0;
    for (size_t i = 0; i < sizeof stats->iterations / sizeof *stats->iterations; i++) {
        pairs += stats->iterations[i];
        sum += i * stats->iterations[i];
    }
    return pairs ? (double)sum / (double)pairs : 0;
}

#define FIELD(name) {#name, offsetof(gjb_verify_row, name)}
#define STAT(name) {#name, offsetof(gjb_verify_row, stats.run.name)}
const gjb_verify_field gjb_verify_counts[] = {
    FIELD(pairs), FIELD(graded), FIELD(ungraded), FIELD(unsupported), FIELD(wrong), FIELD(nan), FIELD(hung),
    FIELD(crashed), FIELD(unasked), {"interrupted", offsetof(gjb_verify_row, stats.interrupted)}, FIELD(capped),
    FIELD(unwritten), FIELD(symmetry_wrong), FIELD(beyond_1e6), FIELD(beyond_1e3),
    {"careful", offsetof(gjb_verify_row, stats.run.fallback)}, STAT(unproven),
    STAT(spilled), STAT(lane_slots), STAT(lane_live), {0}};
const gjb_verify_field gjb_verify_worst[] = {FIELD(worst_error_eps), FIELD(worst_value_eps), FIELD(worst_normal_eps),
                                             FIELD(worst_witness_eps), {0}};

static json_t *row_json(const gjb_verify_row *row)
{
    const struct {
        const char *name;
        double value;
    } real[] = {{"lane_occupancy",
                 row->stats.run.lane_slots ? (double)row->stats.run.lane_live / (double)row->stats.run.lane_slots : 0},
                {"mean_iterations", mean_iterations(&row->stats.run)}};
    char print[20];
    snprintf(print, sizeof print, "%016llx", (unsigned long long)row->fingerprint);
    json_t *json =
        json_pack("{ss ss ss si ss ss ss}", "contender", row->contender->name, "backend", row->backend,
                  "precision", gjb_precision_name(row->precision), "dim", (int)row->dim, "query",
                  gjb_queries[row->query].name, "family", row->family->name, "workload", row->workload);
    for (const gjb_verify_field *f = gjb_verify_counts; f->name; f++)
        json_object_set_new(json, f->name, json_integer((json_int_t) * (const uint64_t *)((const char *)row + f->at)));
    if (row->too_slow)
        json_object_set_new(json, "too_slow", json_integer((json_int_t)row->too_slow));
    if (row->pairs_too_slow)
        json_object_set_new(json, "pairs_too_slow", json_integer((json_int_t)row->pairs_too_slow));
    if (row->crashed_exchanged)
        json_object_set_new(json, "crashed_exchanged", json_integer((json_int_t)row->crashed_exchanged));
    if (row->hung_exchanged)
        json_object_set_new(json, "hung_exchanged", json_integer((json_int_t)row->hung_exchanged));
    if (row->covered) { /* of manifolds alone */
        json_object_set_new(json, "covered", json_integer((json_int_t)row->covered));
        json_object_set_new(json, "coverage_millionths", json_integer((json_int_t)row->coverage));
        json_object_set_new(json, "mean_coverage", number(gjb_verify_coverage(row)));
    }
    for (const gjb_verify_field *f = gjb_verify_worst; f->name; f++)
        json_object_set_new(json, f->name, number(*(const double *)((const char *)row + f->at)));
    for (size_t i = 0; i < sizeof real / sizeof *real; i++)
        json_object_set_new(json, real[i].name, number(real[i].value));
    json_t *faults = json_object();
    for (int i = 1; i < GJB_FAULTS; i++)
        if (row->faults[i])
            json_object_set_new(faults, gjb_fault_name((gjb_fault)i),
                                json_integer((json_int_t)row->faults[i]));
    json_object_set_new(json, "faults", faults);
    json_t *hints = json_object();
    for (int i = 1; i < GJB_HINTS; i++)
        if (row->hints[i])
            json_object_set_new(hints, gjb_hint_name((gjb_hint)i), json_integer((json_int_t)row->hints[i]));
    if (json_object_size(hints))
        json_object_set(json, "hints", hints);
    json_decref(hints);
    json_t *found = json_object();
    for (int i = 0; i < GJB_MISHAPS; i++)
        if (row->found[i])
            json_object_set_new(found, gjb_mishap_name((gjb_mishap)i), json_integer((json_int_t)row->found[i]));
    json_object_set_new(json, "mishaps", found);
    json_object_set_new(json, "iterations", counts(row->stats.run.iterations, 32));
    json_object_set_new(json, "error_histogram",
                        json_pack("{so so so}", "value", counts(row->histogram[0], GJB_ERROR_BINS), "normal",
                                  counts(row->histogram[1], GJB_ERROR_BINS), "witness",
                                  counts(row->histogram[2], GJB_ERROR_BINS)));
    json_object_set_new(json, "metrics", gjb_metrics_json(&row->metrics));
    json_object_set_new(json, "fingerprint", json_string(print));
    return json;
}

static json_t *mishaps_json(const gjb_verify_report *report)
{
    json_t *all = json_array();
    for (size_t i = 0; i < report->mishap_count; i++) {
        const gjb_verify_mishap *m = &report->mishaps[i];
        const gjb_finding finding = {.what = m->what, .code = m->code, .preparing = m->preparing};
        char text[GJB_MISHAP_TEXT];
        json_array_append_new(
            all, json_pack("{ss ss ss si ss ss ss ss ss si so sb ss?}", "contender", m->contender->name,
                           "backend", m->backend, "precision", gjb_precision_name(m->precision), "dim",
                           (int)m->dim, "query", gjb_queries[m->query].name, "family", m->family->name,
                           "workload", m->workload, "what", gjb_mishap_name(m->what), "text",
                           gjb_finding_text(&finding, text), "code", m->code, "pair",
                           m->pair == GJB_NO_PAIR ? json_null() : json_integer((json_int_t)m->pair),
                           "exchanged", m->exchanged, "file", m->file));
        if (m->preparing)
            json_object_set_new(json_array_get(all, i), "preparing", json_true());
        if (m->said)
            json_object_set_new(json_array_get(all, i), "said", json_string(m->said));
    }
    return all;
}

/* Of each combination of workload, family and precision as many pairs as some contender was asked about: of a plan's
 * pairs there may be some that none takes. */
static uint64_t asked_pairs(const gjb_verify_report *report)
{
    uint64_t all = 0, most = 0;
    for (size_t i = 0; i < report->row_count; i++) {
        const gjb_verify_row *row = &report->rows[i], *before = i ? row - 1 : row;
        if (row->dim != before->dim || row->precision != before->precision || row->family != before->family ||
            strcmp(row->workload, before->workload) != 0) {
            all += most;
            most = 0;
        }
        most = row->pairs > most ? row->pairs : most;
    }
    return all + most;
}

json_t *gjb_verify_json(const gjb_verify_report *report)
{
    json_t *rows = json_array(), *edges = json_array();
    for (size_t i = 0; i < report->row_count; i++)
        json_array_append_new(rows, row_json(&report->rows[i]));
    for (int i = 0; i < GJB_ERROR_BINS - 1; i++)
        json_array_append_new(edges, json_real(ldexp(1, i - 4)));
    json_t *json = json_pack(
        "{ss sO* s{sI sI sI sI sI sI sI sI sb sb sf si sI so} so so sI}", "kind", "verify", "plan", report->plan, "summary",
        "pairs_planned", (json_int_t)report->pairs_planned, "pairs", (json_int_t)report->pairs_done, "wrong_ours",
        (json_int_t)report->wrong_ours, "differing_rows", (json_int_t)report->differing_rows, "ungraded_lines",
        (json_int_t)report->ungraded_lines, "oracle_calls", (json_int_t)report->oracle_calls, "audits",
        (json_int_t)report->audits, "conflicts", (json_int_t)report->conflicts, "interrupted", report->interrupted,
        "answers_only", report->answers_only, "seconds", report->seconds, "threads", (int)report->threads, "seed",
        (json_int_t)report->seed, "histogram_edges_eps", edges, "rows", rows, "mishaps", mishaps_json(report),
        "mishaps_dropped", (json_int_t)report->mishaps_dropped);
    if (json)
        json_object_set_new(json_object_get(json, "summary"), "asked", json_integer((json_int_t)asked_pairs(report)));
    if (json && report->too_slow)
        json_object_set_new(json_object_get(json, "summary"), "too_slow", json_integer((json_int_t)report->too_slow));
    if (json && report->too_slow && report->too_slow_first[0])
        json_object_set_new(json_object_get(json, "summary"), "too_slow_first",
                            json_string(report->too_slow_first));
    char print[20];
    if (json && !gjb_verify_digest(json, print))
        json_object_set_new(json, "digest", json_string(print));
    return json;
}

/* ---- the table: one line for backends that say the same, and no more than 100 columns ---- */

static uint64_t no_answers(const gjb_verify_row *line)
{
    return line->nan + line->hung + line->crashed + line->capped + line->unasked;
}

typedef struct table {
    const gjb_verify_row *lines;
    size_t count;
    uint32_t dim;
    int name_width, prints;    /* prints: fingerprints too, as for `--answers-only` */
    bool no_answer, asymmetry, coverage; /* columns of zeros alone are left out */
} table;

static bool looks_alike(const gjb_verify_row *a, const gjb_verify_row *b)
{
    return a->dim == b->dim && a->contender == b->contender && a->precision == b->precision && a->query == b->query &&
           a->graded == b->graded && a->ungraded == b->ungraded && a->wrong == b->wrong &&
           no_answers(a) == no_answers(b) && a->symmetry_wrong == b->symmetry_wrong &&
           a->covered == b->covered && a->coverage == b->coverage && a->fingerprint == b->fingerprint;
}

/* How many lines from `at` on look like it; 0 if one before it does. */
static size_t alike(const table *t, size_t at)
{
    size_t n = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (!looks_alike(&t->lines[i], &t->lines[at]))
            continue;
        if (i < at)
            return 0;
        n++;
    }
    return n;
}

static void print_worst(FILE *stream, const gjb_verify_row *line)
{
    if (line->worst_error_eps > 0)
        fprintf(stream, " %10.3g", line->worst_error_eps);
    else
        fprintf(stream, " %10s", gjb_queries[line->query].has_value ? "0" : "-");
}

static void print_line(FILE *stream, const table *t, const gjb_verify_row *line, size_t backends,
                       const gjb_verify_paint *paint)
{
    const uint64_t asked = line->pairs - line->unsupported;
    const uint64_t bad = line->wrong + line->symmetry_wrong + line->hung + line->crashed;
    const char *colour = !bad ? paint->good : line->contender->ours ? paint->bad : paint->note;
    char folded[32];
    snprintf(folded, sizeof folded, "%zu alike", backends);
    fprintf(stream, "%-*s %-8s %-4s%-15s %8llu %6.2f%% %s%7llu%s", t->name_width, line->contender->name,
            backends > 1 ? folded : line->backend, gjb_precision_name(line->precision), gjb_queries[line->query].name,
            (unsigned long long)line->graded, asked ? 100.0 * (double)line->ungraded / (double)asked : 0.0, colour,
            (unsigned long long)line->wrong, paint->plain);
    if (t->no_answer)
        fprintf(stream, " %7llu", (unsigned long long)no_answers(line));
    if (t->asymmetry)
        fprintf(stream, " %6llu", (unsigned long long)line->symmetry_wrong);
    print_worst(stream, line);
    if (t->coverage && line->covered)
        fprintf(stream, " %6.2f%%", 100 * gjb_verify_coverage(line));
    else if (t->coverage)
        fprintf(stream, " %7s", "-");
    if (t->prints)
        fprintf(stream, " %016llx", (unsigned long long)line->fingerprint);
    fputc('\n', stream);
}

static void print_table(FILE *stream, table *t, const gjb_verify_paint *paint)
{
    t->name_width = (int)strlen("contender");
    t->no_answer = t->asymmetry = t->coverage = false;
    for (size_t i = 0; i < t->count; i++) {
        const gjb_verify_row *line = &t->lines[i];
        const int length = (int)strlen(line->contender->name);
        if (line->dim != t->dim)
            continue;
        t->name_width = length > t->name_width ? length : t->name_width;
        t->no_answer |= no_answers(line) > 0;
        t->asymmetry |= line->symmetry_wrong > 0;
        t->coverage |= line->covered > 0;
    }
    fprintf(stream, "%-*s %-8s %uD  %-15s %8s %7s %7s%s%s %10s%s%s\n", t->name_width, "contender", "backend",
            (unsigned)t->dim, "query", "graded", "ungr.", "wrong", t->no_answer ? " no ans." : "",
            t->asymmetry ? " asymm." : "", "worst/epsS", t->coverage ? "  cover." : "",
            t->prints ? " fingerprint" : "");
    for (size_t i = 0; i < t->count; i++) {
        const size_t backends = t->lines[i].dim == t->dim ? alike(t, i) : 0;
        if (backends)
            print_line(stream, t, &t->lines[i], backends, paint);
    }
}

static void print_mishap(FILE *stream, const gjb_verify_mishap *m, uint64_t times)
{
    const gjb_finding finding = {.what = m->what, .code = m->code, .preparing = m->preparing};
    char text[GJB_MISHAP_TEXT];
    fprintf(stream, "  %-16s %-34s %7llux  %uD %s %s, %s %s", m->contender->name,
            gjb_finding_text(&finding, text), (unsigned long long)times, (unsigned)m->dim, m->workload,
            m->family->name, gjb_precision_name(m->precision), gjb_queries[m->query].name);
    if (m->pair == GJB_NO_PAIR)
        fprintf(stream, m->preparing ? ", no single shape" : ", no single pair");
    else
        fprintf(stream, ", pair %llu%s", (unsigned long long)m->pair, m->exchanged ? " exchanged" : "");
    fprintf(stream, "%s%s\n", m->file ? ": " : "", m->file ? m->file : "");
    if (m->said)
        fprintf(stream, "      it says: %s\n", m->said);
}

/* The first of its contender and kind that has a file; else the first. */
static int stands_for_its_kind(const gjb_verify_report *report, size_t index)
{
    const gjb_verify_mishap *m = &report->mishaps[index];
    for (size_t i = 0; i < report->mishap_count; i++) {
        const gjb_verify_mishap *other = &report->mishaps[i];
        if (i != index && other->contender == m->contender && other->what == m->what &&
            (i < index ? other->file || !m->file : other->file && !m->file))
            return 0;
    }
    return 1;
}

/* A line per contender and kind. */
static void print_mishaps(const gjb_verify_report *report, FILE *stream, const gjb_verify_paint *paint)
{
    size_t lines = 0, left = 0;
    fprintf(stream, "%swhat contenders did apart from answering, how often, and the first pair of it%s\n",
            paint->note, paint->plain);
    for (size_t i = 0; i < report->mishap_count; i++) {
        const gjb_verify_mishap *m = &report->mishaps[i];
        uint64_t times = 0;
        if (!stands_for_its_kind(report, i))
            continue;
        for (size_t r = 0; r < report->row_count; r++)
            times += report->rows[r].contender == m->contender ? report->rows[r].found[m->what] : 0;
        if (lines < MISHAP_LINES)
            print_mishap(stream, m, times);
        left += lines++ >= MISHAP_LINES;
    }
    if (left)
        fprintf(stream, "  and %zu kinds more, in the JSON\n", left);
}

/* A line per contender and kind of hint. */
static void print_hints(const gjb_verify_row *lines, size_t count, FILE *stream, const gjb_verify_paint *paint)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t hints[GJB_HINTS] = {0}, faults[GJB_FAULTS] = {0}, wrong = 0;
        int met = 0;
        for (size_t k = 0; k < count; k++) {
            if (lines[k].contender != lines[i].contender)
                continue;
            met |= k < i;
            wrong += lines[k].wrong;
            for (int h = 0; h < GJB_HINTS; h++)
                hints[h] += lines[k].hints[h];
            for (int f = 0; f < GJB_FAULTS; f++)
                faults[f] += lines[k].faults[f];
        }
        for (int h = 1; h < GJB_HINTS && !met; h++)
            if (gjb_hint_holds((gjb_hint)h, faults, hints))
                fprintf(stream, "%shint:%s %llu of %llu wrong answers of %s %s\n", paint->note, paint->plain,
                        (unsigned long long)hints[h], (unsigned long long)wrong, lines[i].contender->name,
                        gjb_hint_about((gjb_hint)h));
    }
}

/* Did one contender answer by two backends? */
static int compared(const gjb_verify_row *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (lines[i].contender == lines[j].contender && strcmp(lines[i].backend, lines[j].backend) != 0)
                return 1;
    return 0;
}

/* What is concluded is about those that took part. */
static void print_verdict(const gjb_verify_report *report, const gjb_verify_row *lines, size_t count,
                          FILE *stream)
{
    uint64_t ours = 0, asked = 0, bad = 0;
    for (size_t i = 0; i < count; i++) {
        const gjb_verify_row *line = &lines[i];
        ours += line->contender->ours;
        asked += line->contender->ours ? 0 : line->graded + line->ungraded;
        bad += line->contender->ours ? 0 : line->wrong; /* what it crashed or hung on has no answer, which is wrong */
    }
    if (report->answers_only)
        fputs(compared(lines, count) ? "not graded; backends agree"
                                     : "not graded; no two backends to compare",
              stream);
    else if (ours)
        fputs("none of our answers is wrong", stream);
    if (!report->answers_only && asked)
        fprintf(stream, "%s%llu of %llu answers of other contenders %s wrong%s", ours ? "; " : "",
                (unsigned long long)bad, (unsigned long long)asked, bad == 1 ? "is" : "are",
                ours ? "" : "; none of ours took part");
    if (!report->answers_only && !ours && !asked)
        fputs("nothing was graded", stream);
}

/* First of all, what it comes to, and whether that can be relied on. */
static void print_head(const gjb_verify_report *report, const gjb_verify_row *lines, size_t count, FILE *stream,
                       const gjb_verify_paint *paint)
{
    const int code = gjb_verify_exit(report);
    fprintf(stream, "%s%llu pairs in %.1f s on %u threads, seed %llu%s: ", code ? paint->bad : paint->good,
            (unsigned long long)asked_pairs(report), report->seconds, (unsigned)report->threads,
            (unsigned long long)report->seed, report->interrupted ? " (stopped early)" : "");
    if (!code)
        print_verdict(report, lines, count, stream);
    else
        fprintf(
            stream,
            "%llu of our answers %s wrong, %llu %s between backends, %llu %s 1%% or more ungraded, or 5%% too slow to judge",
            (unsigned long long)report->wrong_ours, report->wrong_ours == 1 ? "is" : "are",
            (unsigned long long)report->differing_rows, report->differing_rows == 1 ? "row differs" : "rows differ",
            (unsigned long long)report->ungraded_lines, report->ungraded_lines == 1 ? "line has" : "lines have");
    fprintf(stream, "%s\n", paint->plain);
    if (report->conflicts)
        fprintf(stream,
                "%struths contradict each other on %llu %s, a defect of the checkers%s%s%s\n",
                paint->bad, (unsigned long long)report->conflicts, report->conflicts == 1 ? "pair" : "pairs",
                report->conflict_first.text[0] ? "; one is " : "", report->conflict_first.text, paint->plain);
    if (report->too_slow)
        fprintf(stream, "%s%llu %s too slow to judge, and passed over: the truth took more than a pair has%s%s%s\n",
                paint->note, (unsigned long long)report->too_slow, report->too_slow == 1 ? "pair was" : "pairs were",
                report->too_slow_first[0] ? "; one is " : "", report->too_slow_first, paint->plain);
    if (report->save_error.text[0])
        fprintf(stream, "%sfailing pairs could not be saved: %s%s\n", paint->bad, report->save_error.text,
                paint->plain);
}

static void print_tables(const gjb_verify_report *report, const gjb_verify_row *lines, size_t count, FILE *stream,
                         const gjb_verify_paint *paint)
{
    for (size_t i = 0; i < count; i++) {
        /* Lines come in the order of precisions, tables by dimension. */
        size_t earlier = 0;
        while (lines[earlier].dim != lines[i].dim)
            earlier++;
        table t = {.lines = lines, .count = count, .dim = lines[i].dim, .prints = report->answers_only};
        if (earlier == i)
            print_table(stream, &t, paint);
    }
}

static void print_counts(const gjb_verify_report *report, const gjb_verify_row *lines, size_t count, FILE *stream)
{
    uint64_t unsupported = 0, unasked = 0, ends = 0, exchanged = 0, fallback = 0, unproven = 0, batched = 0;
    for (size_t i = 0; i < count; i++) {
        unsupported += lines[i].unsupported;
        unasked += lines[i].unasked;
        ends += lines[i].crashed + lines[i].hung;
        exchanged += lines[i].crashed_exchanged + lines[i].hung_exchanged;
        if (lines[i].contender->ours && lines[i].contender->backends) {
            fallback += lines[i].stats.run.fallback;
            unproven += lines[i].stats.run.unproven;
            batched += lines[i].pairs;
        }
    }
    if (unsupported)
        fprintf(stream, "%llu answers were 'unsupported' and are not graded\n",
                (unsigned long long)unsupported);
    if (unasked)
        fprintf(stream, "%llu answers were not asked for, of contenders that had crashed or hung too often\n",
                (unsigned long long)unasked);
    if (exchanged)
        fprintf(stream, "%llu of %llu crashes and hangs came with A and B exchanged, and are not among the wrong\n",
                (unsigned long long)exchanged, (unsigned long long)ends);
    if (batched)
        fprintf(stream, "%.3g%% of the batched answers needed the double-precision fallback\n",
                100.0 * (double)fallback / (double)batched);
    if (unproven)
        fprintf(stream, "on %.3f%% of them bounds did not meet: the least depth that was found is the answer\n",
                100.0 * (double)unproven / (double)batched);
    if (!report->answers_only)
        fprintf(stream, "exact checks: %llu pairs (%llu of them audits)\n",
                (unsigned long long)report->oracle_calls, (unsigned long long)report->audits);
}

enum { NOT_CLAIMED_MOST = 3, WORKLOADS_MOST = 64 };

/* Workloads of whose pairs a contender claims none, each once. Returns how many. */
static size_t unclaimed_workloads(const gjb_verify_report *report, const gjb_contender *contender,
                                  const char *names[WORKLOADS_MOST])
{
    uint64_t claimed[WORKLOADS_MOST] = {0};
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < report->row_count; i++) {
        const gjb_verify_row *row = &report->rows[i];
        size_t w = 0;
        while (w < count && strcmp(names[w], row->workload) != 0)
            w++;
        if (row->contender != contender || w == WORKLOADS_MOST)
            continue;
        names[w] = row->workload;
        claimed[w] += row->pairs - row->unsupported;
        count += w == count;
    }
    for (size_t w = 0; w < count; w++)
        if (!claimed[w])
            names[kept++] = names[w];
    return kept;
}

static int was_asked(const gjb_verify_report *report, const gjb_contender *contender, const char *query)
{
    for (size_t i = 0; i < report->row_count; i++)
        if (report->rows[i].contender == contender && strcmp(gjb_queries[report->rows[i].query].name, query) == 0)
            return 1;
    return 0;
}

/* From rows alone: what is merged says the same. */
static void print_unclaimed(const gjb_verify_report *report, const gjb_contender *contender, FILE *stream)
{
    const char *names[WORKLOADS_MOST], *before = "workloads ";
    const size_t count = unclaimed_workloads(report, contender, names);
    char list[512] = "";
    size_t at = 0, q;
    json_t *one;
    for (size_t i = 0; i < count && at + 80 < sizeof list; i++, before = ", ")
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", before, names[i]);
    before = count ? "; queries " : "queries ";
    json_array_foreach(json_object_get(report->plan, "queries"), q, one) {
        const gjb_query_row *row = json_is_string(one) ? gjb_query_find(json_string_value(one)) : NULL;
        if (!row || at + 80 > sizeof list || was_asked(report, contender, row->name))
            continue;
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", before, row->name);
        before = ", ";
    }
    if (at)
        fprintf(stream, "%s was asked none of: %s\n", contender->name, list);
}

/* Of few contenders, or it would be a table. */
static void print_all_unclaimed(const gjb_verify_report *report, const gjb_verify_row *lines, size_t count,
                                FILE *stream)
{
    const gjb_contender *others[NOT_CLAIMED_MOST + 1];
    size_t found = 0;
    for (size_t i = 0; i < count && found <= NOT_CLAIMED_MOST; i++) {
        size_t k = 0;
        while (k < found && others[k] != lines[i].contender)
            k++;
        if (k == found && !lines[i].contender->ours)
            others[found++] = lines[i].contender;
    }
    for (size_t i = 0; i < found && found <= NOT_CLAIMED_MOST; i++)
        print_unclaimed(report, others[i], stream);
}

void gjb_verify_print(const gjb_verify_report *report, FILE *stream, const gjb_verify_paint *paint)
{
    gjb_verify_row *lines;
    const size_t count = gjb_verify_lines(report, &lines);
    print_head(report, lines, count, stream, paint);
    fputc('\n', stream);
    print_tables(report, lines, count, stream, paint);
    fputc('\n', stream);
    if (report->mishap_count)
        print_mishaps(report, stream, paint);
    print_hints(lines, count, stream, paint);
    print_all_unclaimed(report, lines, count, stream);
    print_counts(report, lines, count, stream);
    free(lines);
}
