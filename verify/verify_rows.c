/* Adds up rows of chunks, groups them into lines, sorts mishaps, and concludes with an exit code. */
#include "verify/verify_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/hash.h"

static double larger(double a, double b)
{
    return a > b ? a : b;
}

void gjb_verify_merge(gjb_verify_row *into, const gjb_verify_row *from)
{
    into->pairs += from->pairs;
    into->graded += from->graded;
    into->ungraded += from->ungraded;
    into->too_slow += from->too_slow;
    into->pairs_too_slow += from->pairs_too_slow;
    into->unsupported += from->unsupported;
    into->wrong += from->wrong;
    into->nan += from->nan;
    into->hung += from->hung;
    into->crashed += from->crashed;
    into->capped += from->capped;
    into->unwritten += from->unwritten;
    into->symmetry_wrong += from->symmetry_wrong;
    for (size_t i = 0; i < GJB_FAULTS; i++)
        into->faults[i] += from->faults[i];
    for (size_t i = 0; i < GJB_HINTS; i++)
        into->hints[i] += from->hints[i];
    into->crashed_exchanged += from->crashed_exchanged;
    into->hung_exchanged += from->hung_exchanged;
    for (size_t i = 0; i < GJB_MISHAPS; i++)
        into->found[i] += from->found[i];
    for (size_t i = 0; i < 3 * GJB_ERROR_BINS; i++)
        into->histogram[i / GJB_ERROR_BINS][i % GJB_ERROR_BINS] +=
            from->histogram[i / GJB_ERROR_BINS][i % GJB_ERROR_BINS];
    into->covered += from->covered;
    into->coverage += from->coverage;
    into->beyond_1e6 += from->beyond_1e6;
    into->beyond_1e3 += from->beyond_1e3;
    into->saved += from->saved;
    into->fingerprint += from->fingerprint;
    into->worst_error_eps = larger(into->worst_error_eps, from->worst_error_eps);
    into->worst_value_eps = larger(into->worst_value_eps, from->worst_value_eps);
    into->worst_normal_eps = larger(into->worst_normal_eps, from->worst_normal_eps);
    into->worst_witness_eps = larger(into->worst_witness_eps, from->worst_witness_eps);
    into->unasked += from->unasked;
    gjb_metrics_add(&into->metrics, &from->metrics);
    gjb_session_stats_add(&into->stats, &from->stats);
}

double gjb_verify_coverage(const gjb_verify_row *row)
{
    return row->covered ? (double)row->coverage / ((double)row->covered * GJB_COVERAGE_ONE) : NAN;
}

int gjb_verify_keep_mishaps(gjb_verify_report *report, gjb_chunk *c)
{
    const size_t sum = report->mishap_count + c->mishap_count;
    if (sum > report->mishap_room) {
        gjb_verify_mishap *more = realloc(report->mishaps, 2 * sum * sizeof *more);
        if (!more)
            return -1;
        report->mishaps = more;
        report->mishap_room = 2 * sum;
    }
    for (size_t i = 0; i < c->mishap_count; i++)
        report->mishaps[report->mishap_count++] = c->mishaps[i];
    c->mishap_count = 0;
    report->mishaps_dropped += c->mishaps_dropped;
    return 0;
}

/* Do both rows stand in the same line of the table? */
static int same_line(const gjb_verify_row *a, const gjb_verify_row *b)
{
    return a->dim == b->dim && a->contender == b->contender && !strcmp(a->backend, b->backend) && a->precision == b->precision &&
           a->query == b->query;
}

/* A margin that someone chose may be just the gap that a family makes, of some of its pairs. */
static int may_touch_margin(const gjb_verify_report *report, const gjb_verify_row *row)
{
    return row->query == GJB_INTERSECT && 4 * row->ungraded <= row->pairs &&
           json_number_value(json_object_get(report->plan, "within")) > 0;
}

size_t gjb_verify_lines(const gjb_verify_report *report, gjb_verify_row **lines)
{
    size_t count = 0, capacity = 64;
    *lines = calloc(capacity, sizeof **lines);
    for (size_t i = 0; *lines && i < report->row_count; i++) {
        const gjb_verify_row *row = &report->rows[i];
        size_t at = 0;
        while (at < count && !same_line(&(*lines)[at], row))
            at++;
        if (at == count) {
            if (count == capacity) {
                gjb_verify_row *more = realloc(*lines, 2 * capacity * sizeof *more);
                if (!more)
                    break;
                *lines = more;
                capacity *= 2;
            }
            (*lines)[count] = (gjb_verify_row){.dim = row->dim,
                                               .contender = row->contender,
                                               .backend = row->backend,
                                               .precision = row->precision,
                                               .query = row->query};
            count++;
        }
        uint64_t chained = gjb_fingerprint(&row->fingerprint, 1, sizeof row->fingerprint,
                                           sizeof row->fingerprint, (*lines)[at].fingerprint);
        gjb_verify_merge(&(*lines)[at], row);
        (*lines)[at].fingerprint = chained;
        if (!row->family->touching && !may_touch_margin(report, row)) {
            (*lines)[at].pairs_apart += row->pairs;
            (*lines)[at].ungraded_apart += row->ungraded - row->too_slow;
            (*lines)[at].too_slow_apart += row->too_slow;
        }
    }
    return count;
}

/* A share of few pairs says nothing: workloads of two shapes make the same pair again and again. */
static int too_many_ungraded(const gjb_verify_row *line)
{
    return line->contender->ours && line->pairs_apart >= GJB_VERIFY_SHARE_LEAST &&
           (100 * line->ungraded_apart >= line->pairs_apart || 20 * line->too_slow_apart >= line->pairs_apart);
}

/* By place in the rows, pair and kind: chunks end in any order. */
static int by_place(const void *a, const void *b)
{
    const gjb_verify_mishap *x = a, *y = b;
    const uint64_t keys[][2] = {{x->place, y->place}, {x->pair, y->pair}, {(uint64_t)x->exchanged, (uint64_t)y->exchanged},
                                {x->what, y->what}, {(uint64_t)x->code, (uint64_t)y->code}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static int is_of_row(const gjb_verify_mishap *m, const gjb_verify_row *row)
{
    return m->query == row->query && m->contender == row->contender && m->family == row->family && m->dim == row->dim &&
           m->precision == row->precision && !strcmp(m->backend, row->backend) && !strcmp(m->workload, row->workload);
}

static void sort_mishaps(gjb_verify_report *report)
{
    for (size_t i = 0; i < report->mishap_count; i++) {
        gjb_verify_mishap *m = &report->mishaps[i];
        for (m->place = 0; m->place < report->row_count && !is_of_row(m, &report->rows[m->place]);)
            m->place++;
    }
    if (report->mishap_count)
        qsort(report->mishaps, report->mishap_count, sizeof *report->mishaps, by_place);
}

void gjb_verify_conclude(gjb_verify_report *report)
{
    size_t kept = 0;
    sort_mishaps(report);
    for (size_t i = 0; i < report->row_count; i++)
        if (report->rows[i].pairs)
            report->rows[kept++] = report->rows[i];
    report->row_count = kept;
    report->too_slow = 0;
    for (size_t i = 0; i < kept; i++) {
        const gjb_verify_row *row = &report->rows[i];
        report->too_slow += row->pairs_too_slow;
        for (size_t j = i; j-- > 0;) {
            const gjb_verify_row *other = &report->rows[j];
            if (other->dim != row->dim || other->contender != row->contender || other->workload != row->workload ||
                other->family != row->family || other->precision != row->precision)
                break;
            if (other->query == row->query) {
                report->differing_rows += other->fingerprint != row->fingerprint;
                break;
            }
        }
        if (row->contender->ours)
            report->wrong_ours += row->wrong + row->symmetry_wrong + row->hung + row->crashed +
                                  row->found[GJB_CHANGED_FLOATS] + gjb_metrics_broken(&row->metrics);
    }
    gjb_verify_row *lines;
    size_t count = gjb_verify_lines(report, &lines);
    for (size_t i = 0; i < count; i++)
        report->ungraded_lines += (uint64_t)too_many_ungraded(&lines[i]);
    free(lines);
}

void gjb_verify_free(gjb_verify_report *report)
{
    if (!report)
        return;
    for (size_t i = 0; i < report->mishap_count; i++) {
        free(report->mishaps[i].file);
        free(report->mishaps[i].said);
    }
    free(report->mishaps);
    free(report->contenders);
    json_decref(report->plan);
    free(report->rows);
    free(report);
}

int gjb_verify_exit(const gjb_verify_report *report)
{
    if (report->conflicts)
        return GJB_EXIT_HARNESS;
    return report->wrong_ours || report->ungraded_lines || report->differing_rows ? GJB_EXIT_WRONG
                                                                                  : GJB_EXIT_OK;
}
