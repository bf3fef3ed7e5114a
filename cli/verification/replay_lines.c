/* Lines of `replay`: the verdict, wrong answers before right ones, equal backends in one. */
#include "cli/verification/replay_lines.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "core/query.h"

/* KEPT bounds memory; what is beyond it is counted in the sums alone. */
enum { FEW = 40, WRONG_SHOWN = 20, KEPT = 4096, NAME_WIDTH = 18 };

typedef struct line {
    gjb_replay_case one; /* `id` is owned */
    uint32_t dim, backends;
    size_t at;
} line;

typedef struct sums {
    const gjb_contender *contender;
    uint64_t counts[GJB_VERDICTS];
    uint32_t wrong; /* bits of the queries that were answered wrongly */
    double worst;
    uint64_t too_slow;
    char slow_id[160]; /* of the first */
} sums;

struct cli_replay_lines {
    int full, incomplete;
    line *all;
    size_t count, room, kept[2], cut[2]; /* of right answers and all that are not wrong; of wrong ones */
    sums *by_contender;
    size_t contenders;
};

int cli_replay_defined(const gjb_replay_case *one)
{
    const gjb_status status = one->result.status;
    const int answered = status == GJB_SEPARATED || status == GJB_OVERLAPPING || status == GJB_HIT;
    const int none = gjb_queries[one->query].has_patch && one->result.count == 0;
    return answered && !none ? gjb_defined_by(one->query, status) : 0;
}

uint32_t cli_replay_contacts(const gjb_replay_case *one, uint32_t dim)
{
    const uint32_t most = dim == 2 ? GJB_CONTACTS_2D : GJB_CONTACTS_3D, count = one->result.count;
    if (!gjb_queries[one->query].has_patch || !cli_replay_defined(one))
        return 0;
    return count < most ? count : most;
}

double cli_replay_value(const gjb_replay_case *one)
{
    if (cli_replay_defined(one) & GJB_VALUE)
        return one->result.value;
    return gjb_queries[one->query].moving && one->result.status == GJB_OVERLAPPING ? 0 : NAN;
}

double cli_replay_error(const gjb_replay_case *one)
{
    const gjb_grade *g = &one->grade;
    if (!g->has_value)
        return NAN;
    return isfinite(g->error_eps) ? g->error_eps : fmax(g->value_eps, g->witness_eps);
}

cli_replay_lines *cli_replay_lines_new(int full)
{
    cli_replay_lines *lines = calloc(1, sizeof *lines);
    if (lines)
        lines->full = full;
    return lines;
}

void cli_replay_lines_free(cli_replay_lines *lines)
{
    for (size_t i = 0; lines && i < lines->count; i++)
        free((char *)(uintptr_t)lines->all[i].one.id);
    if (lines) {
        free(lines->all);
        free(lines->by_contender);
    }
    free(lines);
}

/* --- Taking --- */

/* Answers of a contender come together. NULL out of memory. */
static sums *sums_of(cli_replay_lines *l, const gjb_contender *contender)
{
    for (size_t i = l->contenders; i > 0; i--)
        if (l->by_contender[i - 1].contender == contender)
            return &l->by_contender[i - 1];
    sums *more = realloc(l->by_contender, (l->contenders + 1) * sizeof *more);
    if (!more)
        return NULL;
    l->by_contender = more;
    more[l->contenders] = (sums){.contender = contender};
    return &more[l->contenders++];
}

static int keep(cli_replay_lines *l, uint32_t dim, const gjb_replay_case *one)
{
    if (l->count == l->room) {
        const size_t room = l->room ? 2 * l->room : 128;
        line *more = realloc(l->all, room * sizeof *more);
        if (!more)
            return -1;
        l->all = more;
        l->room = room;
    }
    line *new = &l->all[l->count];
    *new = (line){*one, dim, 1, l->count};
    new->one.id = strdup(one->id);
    l->count += new->one.id != NULL;
    return new->one.id ? 0 : -1;
}

void cli_replay_lines_add(cli_replay_lines *l, uint32_t dim, const gjb_replay_case *one)
{
    const int wrong = one->grade.verdict == GJB_WRONG;
    sums *s = sums_of(l, one->contender);
    if (s) {
        s->counts[one->grade.verdict]++;
        s->wrong |= (uint32_t)wrong << one->query;
        if (one->grade.too_slow && !s->too_slow++)
            snprintf(s->slow_id, sizeof s->slow_id, "%s", one->id);
        if (one->grade.has_value)
            s->worst = fmax(s->worst, one->grade.error_eps);
    }
    l->incomplete |= !s;
    if (!l->full && l->kept[wrong] == KEPT)
        l->cut[wrong]++;
    else if (keep(l, dim, one))
        l->incomplete = 1;
    else
        l->kept[wrong]++;
}

/* --- Folding --- */

static int by_number(double a, double b)
{
    return (a > b) - (a < b);
}

/* Infinite if there is no measure: it is worse than any. */
static double severity(const line *l)
{
    return l->one.grade.verdict == GJB_WRONG ? l->one.grade.has_value ? l->one.grade.error_eps : INFINITY : 0;
}

static int same_answer(const line *a, const line *b)
{
    const gjb_replay_case *x = &a->one, *y = &b->one;
    const struct {
        const double *x, *y;
        size_t count;
    } numbers[] = {{&x->result.value, &y->result.value, 1},     {x->result.normal, y->result.normal, 3},
                   {x->result.point_a, y->result.point_a, 3},   {x->result.point_b, y->result.point_b, 3},
                   {&x->grade.error_eps, &y->grade.error_eps, 1}};
    for (int i = 0; i < (int)GJB_CONTACTS_3D; i++)
        if (memcmp(&x->result.contact[i], &y->result.contact[i], sizeof x->result.contact[i]) != 0)
            return 0;
    if (x->contender != y->contender || x->precision != y->precision || x->query != y->query ||
        x->result.status != y->result.status || x->result.count != y->result.count || x->mishap != y->mishap ||
        x->grade.verdict != y->grade.verdict || strcmp(x->id, y->id) != 0)
        return 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (memcmp(numbers[i].x, numbers[i].y, numbers[i].count * sizeof(double)) != 0)
            return 0;
    return 1;
}

/* Wrong before right, ours before others, the largest error first; backends of an answer lie together. */
static int by_rank(const void *a, const void *b)
{
    const line *x = a, *y = b;
    const int wrong = (y->one.grade.verdict == GJB_WRONG) - (x->one.grade.verdict == GJB_WRONG);
    const int ours = (int)y->one.contender->ours - (int)x->one.contender->ours;
    const int error = by_number(severity(y), severity(x)), id = strcmp(x->one.id, y->one.id);
    const int name = strcmp(x->one.contender->name, y->one.contender->name);
    const int query = (int)x->one.query - (int)y->one.query, at = by_number((double)x->at, (double)y->at);
    return wrong ? wrong : ours ? ours : error ? error : name ? name : id ? id : query ? query : at;
}

static void fold(cli_replay_lines *l)
{
    size_t kept = 0;
    if (l->count) /* else there may be no list */
        qsort(l->all, l->count, sizeof *l->all, by_rank);
    for (size_t i = 0; i < l->count; i++)
        if (kept && same_answer(&l->all[kept - 1], &l->all[i])) {
            l->all[kept - 1].backends++;
            free((char *)(uintptr_t)l->all[i].one.id);
        } else
            l->all[kept++] = l->all[i];
    l->count = kept;
}

/* --- Printing --- */

void cli_replay_verdict(const uint64_t counts[GJB_VERDICTS], uint64_t wrong_ours, uint64_t too_slow,
                        FILE *stream)
{
    uint64_t all = 0;
    for (int v = 0; v < GJB_VERDICTS; v++)
        all += counts[v];
    fprintf(stream, "%s%" PRIu64 " of %" PRIu64 " answer%s %s wrong",
            cli_color(stream, wrong_ours ? CLI_BAD : CLI_GOOD), counts[GJB_WRONG], all, all == 1 ? "" : "s",
            all == 1 || counts[GJB_WRONG] == 1 ? "is" : "are");
    if (counts[GJB_WRONG] && wrong_ours)
        fprintf(stream, ", %" PRIu64 " of them ours", wrong_ours);
    else if (counts[GJB_WRONG])
        fputs(", none of them ours", stream);
    fprintf(stream, "%s; %" PRIu64 " right, %" PRIu64 " too close to tell, %" PRIu64 " unsupported",
            cli_color(stream, CLI_PLAIN), counts[GJB_RIGHT], counts[GJB_UNGRADED] - too_slow,
            counts[GJB_NOT_SUPPORTED]);
    if (too_slow)
        fprintf(stream, ", %" PRIu64 " too slow to judge", too_slow);
    fputc('\n', stream);
}

static void print_number(FILE *stream, int width, int digits, double value)
{
    if (isfinite(value))
        fprintf(stream, " %-*.*g", width, digits, value);
    else
        fprintf(stream, " %-*s", width, "-");
}

static void print_head(FILE *stream)
{
    fprintf(stream, "%-11s %-*s %-10s %-4s %-15s %-14s %-14s %-14s %-10s %-8s %s\n", "verdict", NAME_WIDTH,
            "contender", "backend", "prec", "query", "status", "value", "truth", "error/epsS", "granted",
            "pair: fault");
}

static void print_vector(const char *name, const double *v, uint32_t dim, FILE *stream)
{
    fprintf(stream, "  %s (", name);
    for (uint32_t k = 0; k < dim; k++)
        fprintf(stream, k ? ", %.9g" : "%.9g", v[k]);
    fputc(')', stream);
}

/* A line for each contact of a manifold. */
static void print_contacts(const line *l, FILE *stream)
{
    const uint32_t count = cli_replay_contacts(&l->one, l->dim);
    for (uint32_t i = 0; i < count; i++) {
        const gjb_contact3d *contact = &l->one.result.contact[i];
        fprintf(stream, "%-10s", "");
        print_vector("on A", contact->point_a, l->dim, stream);
        print_vector("on B", contact->point_b, l->dim, stream);
        fprintf(stream, "  separation %.9g  feature %08" PRIx32 "\n", contact->separation, contact->feature);
    }
}

/* Under its line, indented: normal and points that the status defines. */
static void print_vectors(const line *l, FILE *stream)
{
    const gjb_result *r = &l->one.result;
    const int defined = cli_replay_defined(&l->one);
    if (!(defined & (GJB_NORMAL | GJB_POINTS)))
        return;
    fprintf(stream, "%-10s", "");
    if (defined & GJB_NORMAL)
        print_vector("normal", r->normal, l->dim, stream);
    if (gjb_queries[l->one.query].has_patch) {
        fprintf(stream, "  contacts %" PRIu32, r->count);
        if (l->one.grade.has_coverage)
            fprintf(stream, "  coverage %.4g%%", 100 * l->one.grade.coverage);
        fputc('\n', stream);
        print_contacts(l, stream);
        return;
    }
    if (defined & GJB_POINTS) {
        print_vector(l->one.query == GJB_SWEEP ? "point" : "on A", r->point_a, l->dim, stream);
        if (l->one.query != GJB_SWEEP) /* whose one point is both */
            print_vector("on B", r->point_b, l->dim, stream);
    }
    fputc('\n', stream);
}

static void print_line(const line *l, int full, FILE *stream)
{
    static const cli_paint paints[GJB_VERDICTS] = {CLI_GOOD, CLI_BAD, CLI_NOTE, CLI_DIM};
    const gjb_replay_case *one = &l->one;
    char text[GJB_FAULT_TEXT], backend[32];
    const char *fault = one->mishap                               ? one->mishap
                        : one->grade.fault || one->grade.too_slow ? gjb_fault_text(&one->grade, text)
                                                                  : "";
    if (l->backends > 1)
        snprintf(backend, sizeof backend, "%u alike", (unsigned)l->backends);
    else
        snprintf(backend, sizeof backend, "%.31s", one->backend);
    fprintf(stream, "%s%-11s%s %-*s %-10s %-4s %-15s %-14s", cli_color(stream, paints[one->grade.verdict]),
            gjb_verdict_name(one->grade.verdict), cli_color(stream, CLI_PLAIN), NAME_WIDTH, one->contender->name,
            backend, gjb_precision_name(one->precision), gjb_queries[one->query].name,
            one->mishap && one->result.status == GJB_UNWRITTEN ? "-" : gjb_status_name(one->result.status));
    print_number(stream, 14, 9, cli_replay_value(one));
    print_number(stream, 14, 9, one->truth);
    print_number(stream, 10, 3, cli_replay_error(one));
    print_number(stream, 8, 3, one->tau);
    fprintf(stream, " %s%s%s\n", one->id, fault[0] ? ": " : "", fault);
    if (full)
        print_vectors(l, stream);
}

static void print_sums(const cli_replay_lines *l, FILE *stream)
{
    fprintf(stream, "\n%-*s %9s %9s %9s %11s %10s  %s\n", NAME_WIDTH, "contender", "wrong", "right",
            "too close", "unsupported", "worst/epsS", "wrong in");
    for (size_t i = 0; i < l->contenders; i++) {
        const sums *s = &l->by_contender[i];
        if (!(s->counts[GJB_WRONG] + s->counts[GJB_RIGHT] + s->counts[GJB_UNGRADED]))
            continue; /* takes no such pairs */
        fprintf(stream, "%-*s %s%9" PRIu64 "%s %9" PRIu64 " %9" PRIu64 " %11" PRIu64 " %10.3g  ", NAME_WIDTH,
                s->contender->name, s->counts[GJB_WRONG] ? cli_color(stream, CLI_BAD) : "",
                s->counts[GJB_WRONG], s->counts[GJB_WRONG] ? cli_color(stream, CLI_PLAIN) : "",
                s->counts[GJB_RIGHT], s->counts[GJB_UNGRADED] - s->too_slow, s->counts[GJB_NOT_SUPPORTED],
                s->worst);
        const char *between = "";
        for (int q = 0; q < GJB_QUERIES; q++)
            if (s->wrong >> q & 1) {
                fprintf(stream, "%s%s", between, gjb_queries[q].name);
                between = ", ";
            }
        if (s->too_slow)
            fprintf(stream, "%s%" PRIu64 " too slow to judge, one of them %s", between, s->too_slow,
                    s->slow_id);
        fputc('\n', stream);
    }
}

void cli_replay_lines_print(cli_replay_lines *l, int last, FILE *stream)
{
    fold(l);
    size_t wrong = 0;
    while (wrong < l->count && l->all[wrong].one.grade.verdict == GJB_WRONG)
        wrong++;
    const int all = l->full || (l->count <= FEW && !l->cut[0] && !l->cut[1]);
    const size_t shown = all ? l->count : wrong < WRONG_SHOWN ? wrong : WRONG_SHOWN;
    if (shown)
        print_head(stream);
    for (size_t i = 0; i < shown; i++)
        print_line(&l->all[i], l->full, stream);
    if (!all && (wrong > shown || l->cut[1]))
        fprintf(stream, "... and %zu%s more that are wrong\n", wrong - shown + l->cut[1],
                l->cut[1] ? " or so" : "");
    if (!all)
        print_sums(l, stream);
    if (l->incomplete)
        fputs("out of memory: answers are missing\n", stream);
    if (!l->full && last)
        fprintf(
            stream,
            "\n--full shows %sanswers with normals and points, --table text pairs by contenders, --json FILE "
            "everything\n",
            all ? "" : "all ");
}
