/* What stands for or against our answers: sums of what was graded, and fingerprints that should be equal. */
#include "reports/proofs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const proof_loss proof_losses[PROOF_LOSSES] = {
    {"not a number", offsetof(verify_row, nan), offsetof(league_row, nan)},
    {"hung", offsetof(verify_row, hung), offsetof(league_row, hung)},
    {"crashed", offsetof(verify_row, crashed), offsetof(league_row, crashed)},
    {"at the iteration limit", offsetof(verify_row, capped), offsetof(league_row, capped)},
    {"not written", offsetof(verify_row, unwritten), offsetof(league_row, unwritten)},
};

static double loss_of(const void *row, size_t offset)
{
    return results_count(*(const double *)((const char *)row + offset));
}

/* A row of either kind, by what they have in common. */
static void add(proofs *sum, const char *contender, int ours, double graded, double ungraded, double wrong)
{
    sum->graded += graded;
    names_add(&sum->contenders, contender);
    if (!ours)
        return;
    sum->answers += graded;
    sum->ungraded += results_count(ungraded);
    sum->wrong += wrong;
}

proofs proofs_of(const results *r)
{
    proofs sum = {0};
    for (size_t i = 0; i < r->file_count; i++) {
        const json_t *summary = r->files[i].summary;
        const json_t *asked = json_object_get(summary, "asked"); /* of files since there are some; else of the plan */
        if (!json_is_true(json_object_get(summary, "answers_only")))
            sum.pairs += json_number_value(asked ? asked : json_object_get(summary, "pairs"));
        sum.too_slow += json_number_value(json_object_get(summary, "too_slow"));
        if (!sum.slow_first)
            sum.slow_first = json_string_value(json_object_get(summary, "too_slow_first"));
    }
    for (size_t i = 0; i < r->verify_count; i++) {
        const verify_row *row = &r->verify[i];
        add(&sum, row->contender, row->ours, row->graded, row->ungraded,
            row->wrong + results_count(row->symmetry_wrong));
        names_add(&sum.families, row->family);
        if (row->ours && row->graded > 0 && strcmp(row->backend, "-") != 0)
            names_add(&sum.backends, row->backend);
        for (size_t k = 0; k < PROOF_LOSSES && row->ours; k++)
            sum.lost[k] += loss_of(row, proof_losses[k].verified);
    }
    for (size_t i = 0; i < r->league_count && !r->verify_count; i++) { /* a league table that was kept */
        const league_row *row = &r->league[i];
        add(&sum, row->contender, row->ours, row->graded, row->ungraded,
            row->wrong + results_count(row->symmetry_wrong));
        for (size_t k = 0; k < PROOF_LOSSES && row->ours; k++)
            sum.lost[k] += loss_of(row, proof_losses[k].kept);
    }
    for (size_t k = 0; k < PROOF_LOSSES; k++)
        sum.missing += sum.lost[k];
    return sum;
}

/* One answer sheet: equal keys must have equal fingerprints. */
typedef struct sheet {
    const char *query, *workload, *family, *precision, *start, *backend, *fingerprint;
    double dim, shapes, pairs;
} sheet;

static int compare_numbers(double a, double b)
{
    return isnan(a) || isnan(b) ? isnan(a) - isnan(b) : (a > b) - (a < b);
}

static int compare_sheets(const void *left, const void *right)
{
    const sheet *a = left, *b = right;
    int order = strcmp(a->query, b->query);
    order = order ? order : strcmp(a->workload, b->workload);
    order = order ? order : strcmp(a->family, b->family);
    order = order ? order : strcmp(a->precision, b->precision);
    order = order ? order : strcmp(a->start, b->start);
    order = order ? order : compare_numbers(a->dim, b->dim);
    order = order ? order : compare_numbers(a->shapes, b->shapes);
    return order ? order : compare_numbers(a->pairs, b->pairs);
}

static void compare_fingerprints(sheet *sheets, size_t n, agreement *found)
{
    if (n)
        qsort(sheets, n, sizeof *sheets, compare_sheets);
    for (size_t i = 0, end; i < n; i = end) {
        int differs = 0, backends = 0;
        for (end = i; end < n && !compare_sheets(&sheets[i], &sheets[end]); end++) {
            differs |= strcmp(sheets[end].fingerprint, sheets[i].fingerprint) != 0;
            backends |= strcmp(sheets[end].backend, sheets[i].backend) != 0;
        }
        if (!backends)
            continue;
        for (size_t k = i; k < end; k++)
            names_add(&found->backends, sheets[k].backend);
        found->groups++;
        found->differing += differs != 0;
        if (differs && found->differing <= 6)
            text_format(&found->list, "%s%.0fd/%.40s/%.40s/%.40s/%.8s", found->list.size ? ", " : "",
                        sheets[i].dim, sheets[i].query, sheets[i].workload, sheets[i].family,
                        sheets[i].precision);
    }
}

/* The answers of batch among the verified pairs, then among the measured points: what was asked differs. */
int proofs_agreement(const results *r, agreement *found)
{
    size_t n = 0, most = r->verify_count > results_points(r) ? r->verify_count : results_points(r);
    sheet *sheets = calloc(most + 1, sizeof *sheets);
    if (!sheets)
        return -1;
    for (size_t i = 0; i < r->verify_count; i++) {
        const verify_row *row = &r->verify[i];
        if (results_batch(row->contender) && *row->fingerprint)
            sheets[n++] =
                (sheet){row->query,       row->workload, row->family, row->precision, "", row->backend,
                        row->fingerprint, row->dim,      NAN,         row->pairs};
    }
    compare_fingerprints(sheets, n, found);
    n = 0;
    for (size_t i = 0; i < results_points(r); i++) {
        const bench_row *row = results_point(r, i);
        if (results_batch(row->contender) && *row->fingerprint)
            sheets[n++] = (sheet){row->query,   row->workload,    row->family, row->precision, row->start,
                                  row->backend, row->fingerprint, row->dim,    row->shapes,    row->pairs};
    }
    compare_fingerprints(sheets, n, found);
    free(sheets);
    return 0;
}
