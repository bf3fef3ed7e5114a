/* Selects measured points: the base point, rows of a sweep, the fastest, and right contenders. */
#include "reports/point_selection.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/query.h"

void names_add(names *list, const char *name)
{
    if (*name && list->n < NAMES && names_find(list, name) < 0)
        list->s[list->n++] = name;
}

int names_find(const names *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (!strcmp(list->s[i], name))
            return (int)i;
    return -1;
}

/* Moves the names of `order` to the front, in that order. */
static names ordered(names list, const char *const *order)
{
    names out = {0};
    for (; *order; order++) {
        int i = names_find(&list, *order);
        if (i >= 0)
            names_add(&out, list.s[i]);
    }
    for (size_t i = 0; i < list.n; i++)
        names_add(&out, list.s[i]);
    return out;
}

static const char *const backend_order[] = {"scalar", "sse4", "neon", "avx", "avx2", "avx512vl", "avx512", NULL};
static const struct { const char *name; int lanes[2]; } backend_lanes[] = {
    {"scalar", {1, 1}}, {"sse4", {4, 2}}, {"neon", {4, 2}}, {"avx", {8, 4}},
    {"avx2", {8, 4}}, {"avx512vl", {8, 4}}, {"avx512", {16, 8}},
};

int points_lanes(const char *backend, const char *precision)
{
    for (size_t i = 0; i < sizeof backend_lanes / sizeof *backend_lanes; i++)
        if (!strcmp(backend_lanes[i].name, backend))
            return backend_lanes[i].lanes[!strcmp(precision, "f64")];
    return 0;
}

names points_queries(const results *r)
{
    names list = {0};
    const char *order[GJB_QUERIES + 1] = {0};
    for (int q = 0; q < GJB_QUERIES; q++)
        order[q] = gjb_queries[q].name;
    for (size_t i = 0; i < r->bench_count; i++)
        names_add(&list, r->bench[i].query);
    for (size_t i = 0; i < r->verify_count; i++)
        names_add(&list, r->verify[i].query);
    return ordered(list, order);
}

names points_precisions(const results *r)
{
    static const char *const order[] = {"f32", "f64", NULL};
    names list = {0};
    for (size_t i = 0; i < r->bench_count; i++)
        names_add(&list, r->bench[i].precision);
    for (size_t i = 0; i < r->verify_count; i++)
        names_add(&list, r->verify[i].precision);
    return ordered(list, order);
}

names points_families(const results *r)
{
    static const char *const order[] = {"mixed", "far", "near", "touching", "shallow", "deep", "contained", NULL};
    names list = {0};
    for (size_t i = 0; i < r->verify_count; i++)
        names_add(&list, r->verify[i].family);
    return ordered(list, order);
}

names points_contenders(const results *r)
{
    static const char *const order[] = {"batch", "box2d", "reference", NULL};
    names list = {0};
    for (size_t i = 0; i < r->bench_count; i++)
        names_add(&list, r->bench[i].contender);
    for (size_t i = 0; i < r->verify_count; i++)
        names_add(&list, r->verify[i].contender);
    return ordered(list, order);
}

names points_backends(const results *r)
{
    names list = {0};
    for (size_t i = 0; i < r->bench_count; i++)
        if (results_batch(r->bench[i].contender) && strcmp(r->bench[i].backend, "-"))
            names_add(&list, r->bench[i].backend);
    return ordered(list, backend_order);
}

static int same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* What bench measures everything around, and what stands next to that; the first of a dimension comes first. */
static const struct { uint32_t dim; const char *workload; } standards[] = {
    {2, "polygon8"}, {3, "hull16"}, {3, "box"},
};
enum { STANDARDS = sizeof standards / sizeof *standards };

/* The row at that base point whose call size is the base point's own, or NULL. */
static const bench_row *row_at(const results *r, const base_point *base)
{
    const bench_row *found = NULL;
    for (size_t i = 0; i < r->bench_count; i++) {
        const bench_row *row = &r->bench[i];
        if (strcmp(row->workload, base->workload) || strcmp(row->family, base->family) ||
            row->shapes != base->shapes || row->threads != base->threads || strcmp(row->precision, base->precision))
            continue;
        if (points_has_tag(row, "base"))
            return row;
        if (!found || (points_has_tag(found, "calls") && !points_has_tag(row, "calls")))
            found = row;
    }
    return found;
}

base_point points_base(const results *r, uint32_t dim)
{
    base_point base = {"", "mixed", "f32", 4096, 1, NAN, 1, dim};
    for (size_t i = 0; i < STANDARDS; i++) {
        if (standards[i].dim != dim)
            continue;
        base.workload = standards[i].workload;
        const bench_row *row = row_at(r, &base);
        if (row)
            base.call = row->call;
        if (row || !r->bench_count)
            return base;
    }
    const bench_row *row = &r->bench[0];
    return (base_point){row->workload, row->family, row->precision, row->shapes, row->threads, row->call, 0, dim};
}

size_t points_bases(const results *r, const base_point *base, base_point out[BASES])
{
    size_t n = 0;
    out[n++] = *base;
    for (size_t i = 0; i < STANDARDS && base->standard && n < BASES; i++) {
        base_point second = *base;
        second.workload = standards[i].workload;
        if (standards[i].dim == base->dim && strcmp(second.workload, base->workload) && row_at(r, &second))
            out[n++] = second;
    }
    return n;
}

static int same_stem(const char *a, const char *b)
{
    size_t n = strcspn(a, "0123456789"), m = strcspn(b, "0123456789");
    return n == m && !strncmp(a, b, n) && a[n] && b[m];
}

int points_has_tag(const bench_row *row, const char *tag)
{
    size_t size = strlen(tag);
    for (const char *s = row->sweep; size && (s = strstr(s, tag)); s += size)
        if ((s == row->sweep || strchr(", ", s[-1])) && (!s[size] || strchr(", ", s[size])))
            return 1;
    return 0;
}

int points_in_sweep(const base_point *base, const bench_row *row, const char *tag, vary varies)
{
    int tagged = points_has_tag(row, tag);
    if (varies & VARY_VERTICES ? !same_stem(row->workload, base->workload) : strcmp(row->workload, base->workload))
        return 0;
    if (!(varies & VARY_CLASS) && strcmp(row->family, base->family))
        return 0;
    if (!(varies & VARY_THREADS) && row->threads != base->threads)
        return 0;
    return tagged || (((varies & VARY_SHAPES) || same(row->shapes, base->shapes)) &&
                      ((varies & VARY_CALL) || same(row->call, base->call)));
}

int points_precision(const bench_row *row, const char *precision)
{
    return row->only || !strcmp(row->precision, precision);
}

/* Over all the rows with the same contender and query, whatever their pairs. */
static double rate_elsewhere(const results *r, const bench_row *row)
{
    double wrong = 0, graded = 0;
    for (size_t i = 0; i < r->bench_count; i++) {
        const bench_row *other = &r->bench[i];
        if (other->graded > 0 && isfinite(other->wrong_rate_1e3) && !strcmp(other->contender, row->contender) &&
            !strcmp(other->query, row->query) && !strcmp(other->precision, row->precision)) {
            wrong += other->wrong_rate_1e3 * other->graded;
            graded += other->graded;
        }
    }
    return graded > 0 ? wrong / graded : NAN;
}

double points_rule_rate(const results *r, const bench_row *row)
{
    if (isfinite(row->wrong_rate_1e3) && row->graded != 0)
        return row->wrong_rate_1e3;
    const double verified = points_wrong_rate(r, row);
    return row->graded != 0 && isfinite(verified) ? verified : rate_elsewhere(r, row);
}

int points_right(const results *r, const bench_row *row)
{
    return !(points_rule_rate(r, row) > GJB_RIGHT_SHARE);
}

typedef enum who { NAMED, RIGHT, OTHERS, OTHERS_RIGHT } who;

static int takes_part(const results *r, const bench_row *row, who wanted, const char *contender)
{
    if (wanted == NAMED)
        return !strcmp(row->contender, contender);
    if (row->self_timed)
        return 0;
    if (wanted == RIGHT && results_does_more(r, row->contender, row->query))
        return 0;
    if (wanted != RIGHT && row->ours)
        return 0;
    return wanted == OTHERS || points_right(r, row);
}

static const bench_row *fastest(const results *r, const base_point *base, const char *query, who wanted,
                                const char *contender)
{
    const bench_row *best = NULL;
    for (size_t i = 0; i < r->bench_count; i++) {
        const bench_row *row = &r->bench[i];
        if (!strcmp(row->query, query) && points_in_sweep(base, row, "", VARY_NOTHING) &&
            points_precision(row, base->precision) && takes_part(r, row, wanted, contender) &&
            (!best || row->ns < best->ns))
            best = row;
    }
    return best;
}

const bench_row *points_fastest(const results *r, const base_point *base, const char *query, const char *contender)
{
    return fastest(r, base, query, contender ? NAMED : RIGHT, contender);
}

const bench_row *points_others(const results *r, const base_point *base, const char *query, int right)
{
    return fastest(r, base, query, right ? OTHERS_RIGHT : OTHERS, NULL);
}

double points_wrong_rate(const results *r, const bench_row *row)
{
    if (isfinite(row->wrong_rate))
        return row->wrong_rate;
    double wrong = 0, graded = 0;
    for (size_t i = 0; i < r->verify_count; i++) {
        const verify_row *v = &r->verify[i];
        if (!strcmp(v->contender, row->contender) && !strcmp(v->query, row->query) &&
            !strcmp(v->precision, row->precision) && !strcmp(v->workload, row->workload) &&
            !strcmp(v->family, row->family)) {
            wrong += v->wrong;
            graded += v->graded;
        }
    }
    return graded > 0 ? wrong / graded : NAN;
}

series_name points_series(const results *r, const bench_row *row, const char *precision)
{
    series_name name;
    int single = !*row->backend || !strcmp(row->backend, "-");
    snprintf(name.s, sizeof name.s, "%.20s%s%.14s%s%.6s%s%s", row->contender, single ? "" : " ", single ? "" : row->backend, strcmp(row->precision, precision) ? " " : "",
             strcmp(row->precision, precision) ? row->precision : "",
             results_does_more(r, row->contender, row->query) ? " †" : "", row->self_timed ? ", self-timed" : "");
    return name;
}

series_name points_spaced(const char *name)
{
    series_name out;
    snprintf(out.s, sizeof out.s, "%.60s", name);
    for (char *c = out.s; *c; c++)
        if (*c == '_')
            *c = ' ';
    return out;
}
