/* The base point of a set of results, and which rows belong to which sweep:
 * a sweep varies one thing around the base point and holds the rest. */
#ifndef GJB_REPORTS_POINT_SELECTION_H
#define GJB_REPORTS_POINT_SELECTION_H

#include "reports/results.h"

typedef struct base_point {
    const char *workload, *family, *precision;
    double shapes, threads, call;
    int standard; /* one of the standard ones: mixed, 4,096 shapes, f32, one thread */
    uint32_t dim;
} base_point;

enum { NAMES = 96 };
/* Distinct names in the order that readers expect, unknown ones last. */
typedef struct names {
    size_t n;
    const char *s[NAMES];
} names;

typedef enum vary {
    VARY_NOTHING = 0,
    VARY_SHAPES = 1,
    VARY_VERTICES = 2,
    VARY_CLASS = 4,
    VARY_CALL = 8,
    VARY_THREADS = 16
} vary;

/* Of the rows of one dimension: the standard base point if it was measured (polygon8 in 2D, hull16 in 3D), else
 * that of the first row. */
base_point points_base(const results *r, uint32_t dim);
/* The points to compare contenders at: the base point and, if it is a standard one, those that stand next to it
 * in its dimension (box in 3D) and were measured. Returns how many, at most BASES. */
enum { BASES = 4 };
size_t points_bases(const results *r, const base_point *base, base_point out[BASES]);

/* `tag` is one of the sweeps that the row was measured for. */
int points_has_tag(const bench_row *row, const char *tag);

/* The row is at the base point but for what `varies`, or was measured for the sweep of that tag. Precision and
 * query are the caller's to compare. */
int points_in_sweep(const base_point *base, const bench_row *row, const char *tag, vary varies);

/* The row to show for `precision`: of that precision, or of a contender that answers this query in another
 * precision only. */
int points_precision(const bench_row *row, const char *precision);

names points_queries(const results *r);
names points_precisions(const results *r);
names points_families(const results *r);   /* verified families */
names points_contenders(const results *r); /* batch first */
names points_backends(const results *r);   /* of batch, narrowest first */
void names_add(names *list, const char *name);
int names_find(const names *list, const char *name); /* -1: not there */

/* Lanes of a backend, 0 when unknown. */
int points_lanes(const char *backend, const char *precision);

/* The fastest row of a contender (any when NULL, but none that does more than the query asks, nor one that is not
 * right) at the base point, or NULL. */
const bench_row *points_fastest(const results *r, const base_point *base, const char *query, const char *contender);

/* The fastest row of a contender that is not ours, with `right` of those that points_right passes; or NULL. */
const bench_row *points_others(const results *r, const base_point *base, const char *query, int right);
/* Off by more than 1e-3 S in at most 0.1% of the answers that were graded with the row; if that is not known, of
 * wrong answers at all. Where no answer can be graded, as of booleans of pairs that touch, nobody is right for that:
 * the contender's other pairs of the query decide. What was never graded anywhere passes. */
int points_right(const results *r, const bench_row *row);
/* The share that this goes by; NaN for what was never graded. */
double points_rule_rate(const results *r, const bench_row *row);

/* Share of wrong answers of a contender for this query, precision, workload and family: of the row itself where
 * it says so, else of the verified pairs; NaN when nothing is known. */
double points_wrong_rate(const results *r, const bench_row *row);

/* "batch avx512", "reference f64", "box2d †". */
typedef struct series_name { char s[64]; } series_name;
series_name points_series(const results *r, const bench_row *row, const char *precision);

/* signed_distance reads as "signed distance". */
series_name points_spaced(const char *name);

#endif
