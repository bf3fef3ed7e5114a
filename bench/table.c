/* Bench results as text: times, wrong answers, the headline, and comparison with the fastest right rival. */
#include <math.h>
#include <string.h>

#include "bench/results.h"
#include "contenders/program/program.h"
#include "core/query.h"

enum { MISHAP_LINES = 16 };

int gjb_bench_same_question(const gjb_measurement *a, const gjb_measurement *b)
{
    return a->point.query == b->point.query && a->point.call == b->point.call &&
           a->point.by_frame == b->point.by_frame &&
           a->point.threads == b->point.threads && gjb_bench_case_same_scene(&a->point, &b->point);
}

const gjb_measurement *gjb_bench_rival(const gjb_bench *bench, const gjb_measurement *row, const char *name)
{
    const gjb_measurement *found = NULL;
    for (size_t i = 0; i < bench->count; i++) {
        const gjb_measurement *other = &bench->rows[i];
        if (!other->point.start && gjb_bench_same_question(other, row) && !strcmp(other->point.way.contender->name, name))
            found = other;
    }
    return found;
}

/* Answers that speak against its contender. A time of impact has no share of S to be off by: there the contender's own
 * tolerance counts. */
static uint64_t off(const gjb_measurement *row)
{
    return gjb_queries[row->point.query].moving ? row->grade.wrong : row->grade.wrong_1e3;
}

/* Fewer are graded than answered: of what is no number, or was left unwritten, all answers tell, and it is wrong. */
static double no_answer_share(const gjb_measurement *m)
{
    const uint64_t none = m->stats.found[GJB_RETURNED_NAN] + m->unwritten;
    return m->answered ? (double)none / (double)m->answered : 0;
}

/* Of all rows of its contender, query, dimension and precision; with `workload`, of that alone. */
static double share_elsewhere(const gjb_bench *bench, const gjb_measurement *row, int workload)
{
    uint64_t wrong = 0, graded = 0;
    for (size_t i = 0; i < bench->count; i++) {
        const gjb_measurement *other = &bench->rows[i];
        const gjb_bench_case *a = &other->point, *b = &row->point;
        if (a->way.contender == b->way.contender && a->query == b->query && a->dim == b->dim &&
            a->precision == b->precision && (!workload || !strcmp(a->workload, b->workload))) {
            wrong += off(other);
            graded += other->grade.graded;
        }
    }
    return graded ? (double)wrong / (double)graded : NAN;
}

double gjb_bench_wrong_share(const gjb_bench *bench, const gjb_measurement *row)
{
    if (row->grade.graded)
        return fmax((double)off(row) / (double)row->grade.graded, no_answer_share(row));
    const double share = share_elsewhere(bench, row, 1);
    const double known = isnan(share) ? share_elsewhere(bench, row, 0) : share;
    return no_answer_share(row) > 0 ? fmax(known, no_answer_share(row)) : known;
}

int gjb_bench_right(const gjb_bench *bench, const gjb_measurement *row)
{
    return !(gjb_bench_wrong_share(bench, row) > GJB_RIGHT_SHARE);
}

const gjb_measurement *gjb_bench_others(const gjb_bench *bench, const gjb_measurement *row, int right)
{
    const gjb_measurement *found = NULL;
    for (size_t i = 0; i < bench->count; i++) {
        const gjb_measurement *other = &bench->rows[i];
        const gjb_contender *who = other->point.way.contender;
        if (!who->ours && !gjb_is_self_timed(who) && gjb_bench_same_question(other, row) &&
            (!right || gjb_bench_right(bench, other)) && (!found || other->ns.median < found->ns.median))
            found = other;
    }
    return found;
}

size_t gjb_bench_wrong_ours(const gjb_bench *bench)
{
    size_t rows = 0;
    for (size_t i = 0; i < bench->count; i++) {
        const gjb_measurement *m = &bench->rows[i];
        rows += m->point.way.contender->ours && (m->grade.wrong || m->unwritten || m->capped);
    }
    return rows;
}

static void print_times(FILE *stream, const gjb_measurement *rival, const gjb_measurement *row)
{
    if (rival && row->ns.median > 0)
        fprintf(stream, " %7.2f", rival->ns.median / row->ns.median);
    else
        fprintf(stream, " %7s", "-");
}

static void print_wrong(FILE *stream, const gjb_measurement *m, const gjb_bench_paint *paint)
{
    const double graded = m->grade.graded ? (double)m->grade.wrong / (double)m->grade.graded : NAN;
    const double share = fmax(graded, no_answer_share(m));
    if (isnan(graded) && !(share > 0))
        fprintf(stream, " %9s", "-");
    else
        fprintf(stream, " %s%8.3g%%%s", share > 0 ? paint->bad : paint->good, 100 * share, paint->plain);
}

/* Of manifolds; of others nothing, for it is the last column. */
static void print_coverage(FILE *stream, const gjb_measurement *m)
{
    if (m->grade.covered)
        fprintf(stream, "  covers %.4g%%", 100.0 * m->grade.coverage / (double)m->grade.covered);
}

static const char rivals[] =
    "x ref., x right, x any: times as fast as the reference, as the fastest other contender that is right\n"
    "(off by more than 1e-3 S in at most 0.1% of the graded pairs of the point), and as the fastest of all.\n";

static void print_mishap(const gjb_bench_mishap *m, FILE *stream, const gjb_bench_paint *paint)
{
    char name[GJB_BENCH_CASE_NAME], text[GJB_MISHAP_TEXT];
    fprintf(stream, "%s: %s%s%s", gjb_bench_case_name(&m->point, name), paint->bad,
            gjb_finding_text(&m->finding, text), paint->plain);
    if (m->finding.pair == GJB_NO_PAIR)
        fprintf(stream, ", at no single pair");
    else
        fprintf(stream, " %llux, first at pair %llu of frame %u", (unsigned long long)m->times,
                (unsigned long long)m->finding.pair, (unsigned)m->finding.frame);
    fprintf(stream, "%s%s\n", m->file ? ": " : "", m->file ? m->file : "");
    if (m->finding.said[0])
        fprintf(stream, "      it says: %s\n", m->finding.said);
}

static const gjb_measurement *cold_of(const gjb_bench *bench, const gjb_measurement *m)
{
    for (size_t i = 0; i < bench->count; i++) {
        const gjb_measurement *c = &bench->rows[i];
        if (!c->point.start && gjb_bench_same_question(c, m) &&
            c->point.way.contender == m->point.way.contender && c->point.way.backend == m->point.way.backend &&
            c->point.precision == m->point.precision)
            return c;
    }
    return NULL;
}

/* What is begun with an axis against what is not. */
static void print_coherence(const gjb_bench *bench, FILE *stream, const gjb_bench_paint *paint)
{
    int titled = 0;
    for (size_t i = 0; i < bench->count; i++) {
        const gjb_measurement *m = &bench->rows[i], *cold = m->point.start ? cold_of(bench, m) : NULL;
        if (!cold)
            continue;
        if (!titled++)
            fprintf(stream, "%s%-18s %-16s %-6s %9s %9s %9s %19s%s\n", paint->title, "warm start", "query", "start",
                    "cold ns", "ns", "x cold", "steps, cold and so", paint->plain);
        fprintf(stream, "%-18s %-16s %-6s %9.4g %9.4g %9.3f %8.3g %8.3g\n",
                m->point.recorded ? m->point.workload : m->point.family, gjb_queries[m->point.query].name,
                gjb_start_name(m->point.start), cold->ns.median, m->ns.median, cold->ns.median / m->ns.median,
                cold->mean_iterations, m->mean_iterations);
    }
}

/* Swept boxes against what memory allows. */
static void print_swept(const gjb_bench *bench, FILE *stream, const gjb_bench_paint *paint)
{
    int titled = 0;
    char name[GJB_BENCH_CASE_NAME];
    for (size_t i = 0; i < bench->count; i++) {
        const gjb_measurement *m = &bench->rows[i];
        if (!(m->memory_ns > 0))
            continue;
        if (!titled++)
            fprintf(stream, "%s%12s %11s %9s %10s %9s  %s%s\n", paint->title, "sweep, pairs", "in order, B", "ns/pair",
                    "memory ns", "x memory", "of", paint->plain);
        fprintf(stream, "%12llu %11zu %9.4g %10.4g %9.3g  %s\n", (unsigned long long)m->pairs,
                gjb_swept_bytes(m->point.dim, m->point.precision), m->ns.median, m->memory_ns,
                m->ns.median / m->memory_ns, gjb_bench_case_name(&m->point, name));
    }
}

/* Programs tell their times themselves. What it costs to ask them is no time of theirs. */
static void print_self_timed(const gjb_bench *bench, FILE *stream, const gjb_bench_paint *paint)
{
    int titled = 0;
    char name[GJB_BENCH_CASE_NAME];
    for (size_t i = 0; i < bench->count; i++) {
        const gjb_measurement *m = &bench->rows[i];
        if (!gjb_is_self_timed(m->point.way.contender))
            continue;
        if (!titled++)
            fprintf(stream, "%s%-22s %9s %9s  %s%s\n", paint->title, "self-timed: a program", "ns/pair", "pipe ns", "of",
                    paint->plain);
        fprintf(stream, "%-22s %9.4g %9.4g  %s\n", m->point.way.contender->name, m->ns.median, m->pipe_ns,
                gjb_bench_case_name(&m->point, name));
    }
    if (titled)
        fputs("Their times are those of their own clock, and no others are held against them. pipe ns: what asking them\n"
              "takes on top, which is not counted.\n", stream);
}

/* A title for each question, and a line for each way to answer it: together they are the names in the JSON. */
static void print_rows(const gjb_bench *bench, FILE *stream, const gjb_bench_paint *paint)
{
    char name[GJB_BENCH_CASE_NAME], question[GJB_BENCH_CASE_NAME], before[GJB_BENCH_CASE_NAME] = "";
    int width = 4;
    for (size_t i = 0; i < bench->count; i++) {
        const gjb_bench_case *point = &bench->rows[i].point;
        const int length =
            (int)(strlen(gjb_bench_case_name(point, name)) - gjb_bench_case_question(point, question)) + 1;
        width = length > width ? length : width;
    }
    fprintf(stream, "%s%-*s %9s %19s %7s %7s %7s %9s%s\n", paint->title, width, "name", "ns/pair", "95% interval",
            "x ref.", "x right", "x any", "wrong", paint->plain);
    for (size_t i = 0; i < bench->count; i++) {
        const gjb_measurement *m = &bench->rows[i];
        const size_t length = gjb_bench_case_question(&m->point, question);
        if (strcmp(question, before) != 0)
            fprintf(stream, "%s\n", question);
        strcpy(before, question);
        fprintf(stream, "  %-*s %9.4g [%8.4g, %7.4g]", width - 2, gjb_bench_case_name(&m->point, name) + length + 1,
                m->ns.median, m->ns.low, m->ns.high);
        print_times(stream, gjb_bench_rival(bench, m, "reference"), m);
        print_times(stream, gjb_bench_others(bench, m, 1), m);
        print_times(stream, gjb_bench_others(bench, m, 0), m);
        print_wrong(stream, m, paint);
        print_coverage(stream, m);
        fputc('\n', stream);
    }
}

void gjb_bench_print(const gjb_bench *bench, FILE *stream, const gjb_bench_paint *paint)
{
    print_rows(bench, stream, paint);
    fputs(rivals, stream);
    print_coherence(bench, stream, paint);
    print_swept(bench, stream, paint);
    print_self_timed(bench, stream, paint);
    gjb_bench_print_losses(bench, stream, paint);
}

void gjb_bench_print_losses(const gjb_bench *bench, FILE *stream, const gjb_bench_paint *paint)
{
    char name[GJB_BENCH_CASE_NAME];
    for (size_t i = 0; i < bench->died_count; i++)
        fprintf(stream, "%s: no time: the contender crashed or hung\n", gjb_bench_case_name(&bench->died[i], name));
    for (size_t i = 0; i < bench->mishaps.count && i < MISHAP_LINES; i++)
        print_mishap(&bench->mishaps.all[i], stream, paint);
    if (bench->mishaps.count > MISHAP_LINES)
        fprintf(stream, "... and %zu more like these, in the JSON\n", bench->mishaps.count - MISHAP_LINES);
    for (size_t i = 0; i < bench->unsupported && i < MISHAP_LINES; i++) {
        const gjb_bench_left_out *l = &bench->left_out[i];
        fprintf(stream, "%s: no time: the contender does not support %llu of %llu pairs\n",
                gjb_bench_case_name(&l->point, name), (unsigned long long)l->pairs, (unsigned long long)l->asked);
    }
    if (bench->unsupported > MISHAP_LINES)
        fprintf(stream, "... and %zu more points with unsupported pairs, in the JSON\n",
                bench->unsupported - MISHAP_LINES);
    if (bench->interrupted)
        fputs("interrupted: only what was measured by then\n", stream);
}

static int at(const gjb_bench_case *base, const gjb_measurement *m)
{
    const gjb_bench_case *p = &m->point;
    return p->dim == base->dim && !p->recorded && !p->start && p->shapes == base->shapes && p->call == base->call &&
           p->threads == base->threads && p->scene_precision == base->scene_precision &&
           !strcmp(p->workload, base->workload) && !strcmp(p->family, base->family);
}

static void print_headline_row(const gjb_bench *bench, const gjb_measurement *m, FILE *stream,
                               const gjb_bench_paint *paint)
{
    const gjb_way *way = &m->point.way;
    char name[64];
    snprintf(name, sizeof name, "%s%s%s %s", way->contender->name, way->backend ? " " : "",
             way->backend ? way->backend : "", gjb_precision_name(m->point.precision));
    fprintf(stream, "%-16s %-24s %9.4g %9.4g", gjb_queries[m->point.query].name, name, m->ns.median,
            1e3 / m->ns.median);
    print_times(stream, gjb_bench_others(bench, m, 1), m);
    print_times(stream, gjb_bench_others(bench, m, 0), m);
    print_times(stream, gjb_bench_rival(bench, m, "reference"), m);
    print_wrong(stream, m, paint);
    if (m->grade.graded)
        fprintf(stream, " %8.3g%%", 100.0 * (double)m->grade.wrong_1e3 / (double)m->grade.graded);
    print_coverage(stream, m);
    fputc('\n', stream);
}

static void print_base(const gjb_bench *bench, const gjb_bench_case *base, FILE *stream,
                       const gjb_bench_paint *paint)
{
    fprintf(stream, "%s%uD, %s, %s, %u shapes, %u pairs a call, one thread; transform and packing included%s\n",
            paint->title, base->dim, base->workload, base->family, base->shapes, base->call, paint->plain);
    fprintf(stream, "%-16s %-24s %9s %9s %8s %8s %8s %9s %9s\n", "query", "", "ns/pair", "Mpairs/s", "x right",
            "x any", "x ref.", "wrong", "at 1e-3 S");
    for (unsigned query = 0; query < GJB_QUERIES; query++)
        for (size_t i = 0; i < bench->count; i++)
            if (bench->rows[i].point.query == query && at(base, &bench->rows[i]))
                print_headline_row(bench, &bench->rows[i], stream, paint);
}

void gjb_bench_print_headline(const gjb_bench *bench, FILE *stream, const gjb_bench_paint *paint)
{
    for (size_t b = 0; b < gjb_base_point_count; b++) {
        int any = 0;
        for (size_t i = 0; i < bench->count && !any; i++)
            any = at(&gjb_base_points[b], &bench->rows[i]);
        if (any)
            print_base(bench, &gjb_base_points[b], stream, paint);
    }
    fputs(rivals, stream);
}

void gjb_memory_print(const gjb_memory_row *rows, size_t count, FILE *stream, const gjb_bench_paint *paint)
{
    fprintf(stream, "%srandom cache lines, one core%s\n%12s %10s %12s   %s\n", paint->title, paint->plain, "buffer MiB",
            "ns/line", "Mlines/s", "ns/line not prefetched, into the first level, into the second");
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%12.4g %10.3g %12.4g   %.3g, %.3g, %.3g\n", (double)rows[i].bytes / (1 << 20),
                rows[i].ns_per_line, 1e3 / rows[i].ns_per_line, rows[i].ns_by_level[0], rows[i].ns_by_level[1],
                rows[i].ns_by_level[2]);
}
