/* Collects a session's findings, and looks for unwritten records and NaN in answers. */
#include "contenders/isolation/findings.h"

#include <math.h>
#include <string.h>

#include "contenders/isolation/in_process.h"

static int has_room(const gjb_findings *findings, const gjb_finding *f)
{
    return f->what < GJB_MILD ? findings->ends < GJB_FINDINGS_MAX
                              : findings->mild[f->what][f->query] < GJB_MILD_MAX;
}

static _Atomic uint64_t deaths;

uint64_t gjb_session_deaths(void)
{
    return deaths;
}

void gjb_findings_add(gjb_findings *findings, gjb_finding finding, gjb_session_stats *stats)
{
    if (has_room(findings, &finding)) {
        findings->list[findings->count++] = finding;
        findings->mild[finding.what][finding.query] += finding.what >= GJB_MILD;
        findings->ends += finding.what < GJB_MILD;
    }
    findings->hangs += finding.what == GJB_HUNG;
    findings->in_a_row += finding.what < GJB_MILD;
    deaths += finding.what < GJB_MILD;
    if (stats == NULL || finding.pair == GJB_NO_PAIR)
        return;
    stats->found[finding.what]++;
    stats->hung += finding.what == GJB_HUNG;
    stats->crashed += finding.what < GJB_MILD && finding.what != GJB_HUNG;
}

int gjb_findings_enough(const gjb_findings *findings)
{
    return findings->ends == GJB_FINDINGS_MAX || findings->hangs >= GJB_HANGS_MAX;
}

/* Or an infinity, in any field: 0 times either is NaN. */
static int has_nan(const gjb_result *r)
{
    double sum = r->value * 0;
    for (int i = 0; i < 3; i++)
        sum += r->normal[i] * 0 + r->point_a[i] * 0 + r->point_b[i] * 0;
    return isnan(sum) && (r->status == GJB_SEPARATED || r->status == GJB_OVERLAPPING);
}

/* As it was written; GJB_UNWRITTEN if it was not. */
static int status_of(const void *results, size_t at)
{
    gjb_head head;
    memcpy(&head, (const char *)results + at, sizeof head);
    return head.status == GJB_POISON * 0x101 ? GJB_UNWRITTEN : head.status;
}

void gjb_findings_look(gjb_findings *findings, gjb_query query, gjb_precision precision, uint32_t dim,
                       uint32_t frame, uint64_t first, uint64_t count, const void *results,
                       gjb_session_stats *stats)
{
    const size_t size = gjb_result_size(query, precision, dim);
    for (uint64_t i = 0; i < count; i++) {
        const gjb_result r = gjb_result_get(query, precision, dim, results, i);
        gjb_finding finding = {.what = GJB_MISHAPS, .query = query, .frame = frame, .pair = first + i};
        if (status_of(results, i * size) >= GJB_STATUSES) {
            finding.what = GJB_UNKNOWN_STATUS;
            finding.code = status_of(results, i * size);
        } else if (gjb_count_unwritten(query, precision, dim, (const char *)results + i * size, 1) != 0)
            finding.what = GJB_LEFT_UNWRITTEN;
        else if (has_nan(&r))
            finding.what = GJB_RETURNED_NAN;
        if (finding.what != GJB_MISHAPS)
            gjb_findings_add(findings, finding, stats);
    }
}
