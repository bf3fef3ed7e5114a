/* Who depends on what, and that it shows in the one column that is for it. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/table.h"
#include "core/tests/one_in.h"
#include "verify/verify_private.h"

static gjb_verify_report *verify(const gjb_verify_workload *workloads, size_t workload_count,
                                 const gjb_family *const *families, size_t family_count,
                                 const gjb_verify_entry *entries, size_t entry_count, uint64_t each)
{
    const gjb_verify_plan plan = {.workloads = workloads,
                                  .workload_count = workload_count,
                                  .families = families,
                                  .family_count = family_count,
                                  .entries = entries,
                                  .entry_count = entry_count,
                                  .queries = (1u << GJB_STILL_QUERIES) - 1,
                                  .precisions = (1u << GJB_PRECISIONS) - 1,
                                  .pairs = each * workload_count * family_count,
                                  .threads = 1};
    gjb_error error = {{0}};
    gjb_verify_report *report = gjb_verify_run(&plan, &error);
    cr_assert(report, "%s", error.text);
    return report;
}

/* The reference, spoilt, on a family of polygons. */
static gjb_verify_report *verify_spoilt(gjb_contender *spoilt, void (*run)(const void *, const gjb_batch *), uint8_t ours,
                                        const char *name)
{
    static const gjb_verify_workload workload = {2, "polygon8"};
    const gjb_family *const family = gjb_family_find(name);
    const gjb_verify_entry entry = {spoilt, NULL};
    *spoilt = *gjb_contender_find("reference");
    spoilt->run = run;
    spoilt->ours = ours;
    return verify(&workload, 1, &family, 1, &entry, 1, GJB_METRIC_PAIRS);
}

typedef enum column { NOTHING = 0, SWAP = 1, AGAIN = 2, REORDERED = 4, OTHER_SESSION = 8, SHIFT = 16 } column;

static unsigned columns_of(const gjb_verify_row *row)
{
    const gjb_metrics *m = &row->metrics;
    unsigned seen = (row->symmetry_wrong ? SWAP : 0) | (m->again ? AGAIN : 0) | (m->reordered ? REORDERED : 0) |
                    (m->other_session ? OTHER_SESSION : 0);
    for (int k = 0; k < GJB_SHIFTS; k++)
        seen |= m->shifts[k].changed ? SHIFT : 0;
    return seen;
}

/* The reference, spoilt, on two families of a workload of each dimension: distances must show `expected`, and
 * nothing else. */
static void expect_columns(void (*run)(const void *, const gjb_batch *),
                           void *(*prepare)(const gjb_shapes *, const char *), unsigned expected)
{
    static const gjb_verify_workload workloads[] = {{2, "polygon8"}, {3, "hull8"}};
    const gjb_family *const families[] = {gjb_family_find("far"), gjb_family_find("mixed")};
    gjb_contender spoilt = *gjb_contender_find("reference");
    if (run)
        spoilt.run = run;
    if (prepare)
        spoilt.prepare = prepare;
    const gjb_verify_entry entry = {&spoilt, NULL};
    gjb_verify_report *report = verify(workloads, 2, families, 2, &entry, 1, GJB_METRIC_PAIRS);
    cr_assert_eq(report->row_count, 4 * GJB_STILL_QUERIES);
    for (size_t i = 0; i < report->row_count; i++) {
        const gjb_verify_row *row = &report->rows[i];
        cr_expect(row->pairs > GJB_METRIC_PAIRS && row->metrics.pairs == GJB_METRIC_PAIRS);
        cr_expect_eq(row->metrics.shifts[0].pairs + row->metrics.shifts[0].inexact, GJB_METRIC_PAIRS);
        if (row->query == GJB_DISTANCE)
            cr_expect_eq(columns_of(row), expected, "%uD %s: columns %x, not %x", (unsigned)row->dim,
                         row->family->name, columns_of(row), expected);
    }
    gjb_verify_free(report);
}

/* The value stands at the same place in records of both dimensions. */
static double *value_of(const gjb_batch *batch, size_t i)
{
    return &((gjb_result2d *)((char *)batch->results + i * batch->result_stride))->value;
}

static void answer(const void *prepared, const gjb_batch *batch)
{
    gjb_contender_find("reference")->run(prepared, batch);
}

static void spoil(const gjb_batch *batch, size_t i)
{
    if (batch->query == GJB_DISTANCE && *value_of(batch, i) > 0)
        *value_of(batch, i) *= 1.5;
}

Test(metrics, what_depends_on_nothing_shows_nothing, .timeout = 60)
{
    expect_columns(NULL, NULL, NOTHING);
}

static void favour_the_first(const void *prepared, const gjb_batch *batch)
{
    answer(prepared, batch);
    for (size_t i = 0; i < batch->pair_count; i++)
        if (batch->pairs[2 * i] > batch->pairs[2 * i + 1])
            spoil(batch, i);
}

Test(metrics, who_is_called_a_shows_under_swap, .timeout = 60)
{
    expect_columns(favour_the_first, NULL, SWAP);
}

/* Like a warm start that remembers the last batch. */
static void remember(const void *prepared, const gjb_batch *batch)
{
    static const uint32_t *last;
    answer(prepared, batch);
    for (size_t i = 0; i < batch->pair_count && last == batch->pairs; i++)
        spoil(batch, i);
    last = batch->pairs;
}

Test(metrics, a_call_made_twice_shows_again, .timeout = 60)
{
    expect_columns(remember, NULL, AGAIN);
}

static void favour_even_places(const void *prepared, const gjb_batch *batch)
{
    answer(prepared, batch);
    for (size_t i = 0; i < batch->pair_count; i += 2)
        spoil(batch, i);
}

Test(metrics, a_place_in_the_batch_shows_backwards, .timeout = 60)
{
    expect_columns(favour_even_places, NULL, REORDERED);
}

static unsigned prepared_so_far;

static void *count_preparing(const gjb_shapes *shapes, const char *backend)
{
    prepared_so_far++;
    return gjb_contender_find("reference")->prepare(shapes, backend);
}

static void favour_odd_sessions(const void *prepared, const gjb_batch *batch)
{
    answer(prepared, batch);
    for (size_t i = 0; i < batch->pair_count && prepared_so_far % 2; i++)
        spoil(batch, i);
}

Test(metrics, a_session_of_its_own_shows, .timeout = 60)
{
    expect_columns(favour_odd_sessions, count_preparing, OTHER_SESSION);
}

static double place_along_x(const gjb_batch *batch, uint32_t body)
{
    double x; /* first in the pose of either dimension */
    memcpy(&x, (const char *)batch->poses + body * batch->pose_stride, sizeof x);
    return x;
}

static void look_at_the_world(const void *prepared, const gjb_batch *batch)
{
    answer(prepared, batch);
    for (size_t i = 0; i < batch->pair_count; i++)
        if (batch->query == GJB_DISTANCE && *value_of(batch, i) > 0)
            *value_of(batch, i) += 0x1p-40 * fabs(place_along_x(batch, batch->pairs[2 * i]) +
                                                  place_along_x(batch, batch->pairs[2 * i + 1]));
}

Test(metrics, a_place_in_the_world_shows_when_shifted, .timeout = 60)
{
    /* What is added is small enough for both to be right; if nothing is exchanged it stays the same. */
    expect_columns(look_at_the_world, NULL, SHIFT);
}

Test(metrics, the_change_of_a_value_is_told_in_units_of_eps_s, .timeout = 60)
{
    gjb_contender spoilt;
    gjb_verify_report *report = verify_spoilt(&spoilt, look_at_the_world, 1, "far");
    for (size_t i = 0; i < report->row_count; i++) {
        const gjb_verify_row *row = &report->rows[i];
        if (row->query != GJB_DISTANCE)
            continue;
        /* Both bodies move by S to 2S times 2^log2: 2^-40 of twice that, of which one in 2^53 is eps. */
        for (int k = 0; k < GJB_SHIFTS; k++) {
            const double least = ldexp(1, gjb_shift_log2[k] + 14), most = 4 * least;
            const gjb_shift_count *s = &row->metrics.shifts[k];
            cr_expect(s->worst_eps >= least && s->worst_eps <= most, "2^%d S: %g, not in %g to %g",
                      gjb_shift_log2[k], s->worst_eps, least, most);
            cr_expect(s->flipped == 0 && s->changed == s->pairs && s->inexact == 0);
        }
    }
    gjb_verify_free(report);
}

/* Says the other thing of whatever lies beyond 2^15. */
static void err_far_out(const void *prepared, const gjb_batch *batch)
{
    answer(prepared, batch);
    for (size_t i = 0; i < batch->pair_count; i++)
        if (fabs(place_along_x(batch, batch->pairs[2 * i])) > 0x1p15) {
            gjb_head *head = (gjb_head *)((char *)batch->results + i * batch->result_stride);
            head->status = head->status == GJB_SEPARATED ? GJB_OVERLAPPING : GJB_SEPARATED;
        }
}

Test(metrics, changed_verdicts_are_counted_by_size, .timeout = 60)
{
    gjb_contender spoilt;
    gjb_verify_report *report = verify_spoilt(&spoilt, err_far_out, 1, "mixed");
    for (size_t i = 0; i < report->row_count; i++) {
        const gjb_shift_count *s = report->rows[i].metrics.shifts;
        cr_expect(!s[0].flipped && !s[1].flipped && s[2].flipped == s[2].pairs &&
                      s[2].pairs == GJB_METRIC_PAIRS,
                  "%d, %d, %d of %d flipped", (int)s[0].flipped, (int)s[1].flipped, (int)s[2].flipped,
                  (int)s[2].pairs);
    }
    gjb_verify_free(report);
}

static void die_of_one(const void *prepared, const gjb_batch *batch)
{
    for (size_t i = 0; i < batch->pair_count; i++)
        if (batch->pairs[2 * i] == 20)
            abort();
    answer(prepared, batch);
}

Test(metrics, what_dies_is_not_asked_again, .timeout = 60)
{
    gjb_contender spoilt;
    gjb_verify_report *report = verify_spoilt(&spoilt, die_of_one, 0, "mixed");
    cr_expect_eq(report->mishap_count, GJB_STILL_QUERIES);
    for (size_t i = 0; i < report->row_count; i++)
        cr_expect(report->rows[i].crashed == 1 && report->rows[i].metrics.pairs == 0);
    gjb_verify_free(report);
}

/* Of curved pairs fewer are asked again, but some of every query. */
Test(metrics, curved_pairs_are_asked_again, .timeout = 60)
{
    static const gjb_verify_workload workloads[] = {{2, "ellipse"}, {3, "ellipsoid"}};
    const gjb_family *const family = gjb_family_find("near");
    const gjb_verify_entry entries[] = {{gjb_contender_find("batch"), "scalar"},
                                        {gjb_contender_find("reference"), NULL}};
    gjb_verify_report *report = verify(workloads, 2, &family, 1, entries, 2, GJB_METRIC_PAIRS);
    for (size_t i = 0; i < report->row_count; i++) {
        const gjb_verify_row *row = &report->rows[i];
        const uint64_t expected = gjb_answers_singly(row->contender) ? GJB_METRIC_FEW
                                  : row->dim == 3                    ? GJB_METRIC_CURVED
                                                                     : GJB_METRIC_PAIRS;
        cr_expect(row->pairs >= GJB_METRIC_PAIRS && row->metrics.pairs == expected, "%s %uD %s: %d of %d",
                  row->contender->name, (unsigned)row->dim, gjb_queries[row->query].name,
                  (int)row->metrics.pairs, (int)row->pairs);
        cr_expect_eq(row->metrics.shifts[0].pairs + row->metrics.shifts[0].inexact, expected);
    }
    gjb_verify_free(report);
}

/* On three pairs of every workload (by day of every fifth) and family: what batches and rounding could show,
 * and do not. `costly`: such families alone, of one workload of each dimension; else all but they. */
static void expect_nothing_shows(const gjb_verify_entry *entries, size_t entry_count, int costly)
{
    gjb_verify_workload workloads[128];
    const gjb_family *families[64];
    size_t workload_count = 0, family_count = 0;
    for (uint32_t dim = 2; dim <= 3; dim++) {
        const char *const *names = costly ? gjb_workload_tour_curved(dim) : gjb_workload_tour(dim);
        for (size_t i = 0; names[i] && workload_count < (costly ? dim - 1 : 128); i++)
            if (gjb_workload_vertices(dim, names[i]) <= 64 && (costly || i % one_in(5) == 0))
                workloads[workload_count++] = (gjb_verify_workload){dim, names[i]};
    }
    for (size_t f = 0; f < gjb_family_count && family_count < 64; f++)
        if (costly == gjb_families[f].costly)
            families[family_count++] = &gjb_families[f];
    gjb_verify_report *report =
        verify(workloads, workload_count, families, family_count, entries, entry_count, 3);
    uint64_t asked = 0, shifted = 0;
    for (size_t i = 0; i < report->row_count; i++) {
        const gjb_verify_row *row = &report->rows[i];
        asked += row->metrics.pairs;
        shifted += row->metrics.shifts[GJB_SHIFTS - 1].pairs;
        cr_expect_eq(gjb_metrics_broken(&row->metrics), 0, "%s/%s %uD %s %s %s %s", row->contender->name,
                     row->backend, (unsigned)row->dim, row->workload, row->family->name,
                     gjb_precision_name(row->precision), gjb_queries[row->query].name);
    }
    cr_expect(asked > (costly ? 10 : 8000 / one_in(5)) && shifted > asked / 2, "%d asked, %d shifted", (int)asked,
              (int)shifted);
    cr_expect_eq(report->wrong_ours, 0);
    gjb_verify_free(report);
}

/* What docs/design.md promises of ours: the same bits wherever, whenever and with whatever they are asked. */
Test(metrics, ours_depend_on_nothing, .timeout = 900)
{
    gjb_verify_entry entries[16];
    size_t entry_count = 0;
    const gjb_contender *batch = gjb_contender_find("batch");
    for (const char *const *backend = batch->backends; *backend && entry_count < 15; backend++)
        if (batch->backend_available(*backend))
            entries[entry_count++] = (gjb_verify_entry){batch, *backend};
    expect_nothing_shows(entries, entry_count, 1);
    entries[entry_count++] = (gjb_verify_entry){gjb_contender_find("reference"), NULL};
    expect_nothing_shows(entries, entry_count, 0);
}
