#include <string.h>

#include "bench/results.h"
#include "core/query.h"

const gjb_measurement *gjb_bench_rival(const gjb_bench *bench, const gjb_measurement *row, const char *name)
{
    const gjb_measurement *found = NULL;
    for (size_t i = 0; i < bench->count; i++) {
        const gjb_measurement *other = &bench->rows[i];
        if (other->point.query == row->point.query && other->point.call == row->point.call &&
            other->point.threads == row->point.threads && gjb_point_same_scene(&other->point, &row->point) &&
            !strcmp(other->point.way.contender->name, name))
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
        fprintf(stream, " %8.2f", rival->ns.median / row->ns.median);
    else
        fprintf(stream, " %8s", "-");
}

static void print_wrong(FILE *stream, const gjb_measurement *m, const gjb_bench_paint *paint)
{
    if (!m->grade.graded)
        fprintf(stream, " %9s", "-");
    else
        fprintf(stream, " %s%8.3g%%%s", m->grade.wrong ? paint->bad : paint->good,
                100.0 * (double)m->grade.wrong / (double)m->grade.graded, paint->plain);
}

void gjb_bench_print(const gjb_bench *bench, FILE *stream, const gjb_bench_paint *paint)
{
    char name[GJB_POINT_NAME];
    int width = 4;
    for (size_t i = 0; i < bench->count; i++) {
        int length = (int)strlen(gjb_point_name(&bench->rows[i].point, name));
        width = length > width ? length : width;
    }
    fprintf(stream, "%s%-*s %9s %19s %9s %8s %8s %9s%s\n", paint->title, width, "name", "ns/pair", "95% interval",
            "Mpairs/s", "x ref.", "x box2d", "wrong", paint->plain);
    for (size_t i = 0; i < bench->count; i++) {
        const gjb_measurement *m = &bench->rows[i];
        fprintf(stream, "%-*s %9.4g [%8.4g, %7.4g] %9.4g", width, gjb_point_name(&m->point, name), m->ns.median,
                m->ns.low, m->ns.high, 1e3 / m->ns.median);
        print_times(stream, gjb_bench_rival(bench, m, "reference"), m);
        print_times(stream, gjb_bench_rival(bench, m, "box2d"), m);
        print_wrong(stream, m, paint);
        fputc('\n', stream);
    }
    if (bench->unsupported)
        fprintf(stream, "%zu points left out: the contender does not support what they ask\n", bench->unsupported);
    if (bench->interrupted)
        fputs("interrupted: only what was measured by then\n", stream);
}

static int at_base(const gjb_measurement *m)
{
    const gjb_point *p = &m->point, *base = &gjb_base_point;
    return !p->recorded && p->shapes == base->shapes && p->call == base->call && p->threads == base->threads &&
           p->scene_precision == base->scene_precision && !strcmp(p->workload, base->workload) &&
           !strcmp(p->family, base->family);
}

void gjb_bench_print_headline(const gjb_bench *bench, FILE *stream, const gjb_bench_paint *paint)
{
    const gjb_point *base = &gjb_base_point;
    fprintf(stream, "%s%s, %s, %u shapes, %u pairs a call, one thread; transform and packing included%s\n",
            paint->title, base->workload, base->family, base->shapes, base->call, paint->plain);
    fprintf(stream, "%-16s %-24s %9s %9s %8s %8s %9s\n", "query", "", "ns/pair", "Mpairs/s", "x box2d", "x ref.",
            "wrong");
    for (unsigned query = 0; query < GJB_QUERIES; query++)
        for (size_t i = 0; i < bench->count; i++) {
            const gjb_measurement *m = &bench->rows[i];
            char way[64];
            if (m->point.query != query || !at_base(m))
                continue;
            snprintf(way, sizeof way, "%s%s%s %s", m->point.way.contender->name, m->point.way.backend ? " " : "",
                     m->point.way.backend ? m->point.way.backend : "", gjb_precision_name(m->point.precision));
            fprintf(stream, "%-16s %-24s %9.4g %9.4g", gjb_queries[query].name, way, m->ns.median, 1e3 / m->ns.median);
            print_times(stream, gjb_bench_rival(bench, m, "box2d"), m);
            print_times(stream, gjb_bench_rival(bench, m, "reference"), m);
            print_wrong(stream, m, paint);
            fputc('\n', stream);
        }
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
