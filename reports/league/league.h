/* The league table: what verification and benchmarks say of every contender and
 * query, kept as one file that runs renew.
 *
 *   {"league": 1,
 *    "context": {"date", "host_name", "cpu", "num_cpus", "compiler", "flags", "commit", "seed", "commands"},
 *    "contenders": [{"name", "version", "licence", "note", "ours", ...}],
 *    "entries": [{"contender", "backend", "precision", "dim", "query", "date", "commit",
 *                 "pairs", "graded", "wrong", ...,        as verify counts them, over workloads and families
 *                 "metrics": {...},                       see verify/verify_metrics.h
 *                 "families": {"far": [graded, wrong]},
 *                 "base": {"polygon8": [ns, low, high]},  at the points that contenders are compared at
 *                 "classes": {"far": [ns, low, high]},
 *                 "vertices": {"polygon4": [ns, low, high, vertices a shape]},
 *                 "box_classes": {...},                   in 3D the classes at boxes, which some take alone;
 *                                                        in motion classes are families
 *                 "fingerprint"}]}                        of the answers at the first base point
 */
#ifndef GJB_REPORTS_LEAGUE_H
#define GJB_REPORTS_LEAGUE_H

#include <jansson.h>

#include "reports/metrics.h"

enum { LEAGUE_VERSION = 1, LEAGUE_CELLS = 64 };

/* Graded answers of a family and how many of them are wrong; or nanoseconds a pair with their interval, and for
 * `vertices` the number of them in each shape. */
typedef struct league_cell {
    const char *name;
    double value[4];
} league_cell;

typedef struct league_cells {
    size_t n;
    league_cell cells[LEAGUE_CELLS];
} league_cells;

enum { LEAGUE_GRADED = 0, LEAGUE_WRONG = 1, LEAGUE_NS = 0, LEAGUE_LOW = 1, LEAGUE_HIGH = 2, LEAGUE_VERTICES = 3 };

typedef struct league_row {
    const char *contender, *backend, *precision, *query, *date, *commit, *fingerprint;
    int ours; /* see results_ours */
    double dim;
    double pairs, graded, ungraded, unsupported, wrong, beyond_1e6, beyond_1e3, nan, hung, crashed, unasked,
        capped, unwritten, symmetry_wrong;
    double worst_error_eps; /* of answers that are numbers; NaN: not finite */
    metrics metrics;
    league_cells families, base, classes, box_classes, vertices; /* those of `vertices` by number of vertices */
} league_row;

/* Strings point into the JSON. 0, or -1 with one line naming field and value. */
int league_read(league_row *row, json_t *entry, const char *where, gjb_error *error);
json_t *league_row_json(const league_row *row);
/* The cell of that name, added at need; NULL when there are too many. */
league_cell *league_cell_of(league_cells *cells, const char *name);
const league_cell *league_find(const league_cells *cells, const char *name); /* NULL if none */
/* Vertices of each shape of a workload, for files too old to say: by its name (polygon8, hull16), four or eight of a
 * box; NaN if the name says none. */
double league_vertices(const char *workload, double dim);
/* Do both speak of one contender, backend, precision, dimension and query? */
int league_same(const league_row *a, const league_row *b);

/* The league table of results that `verify --json` and `bench --json` wrote; entries say date and commit of
 * the run. The caller owns the reference. NULL with one line in `error`. */
json_t *gjb_league_make(const char *const *files, size_t n, gjb_error *error);
/* A league file, checked. */
json_t *gjb_league_load(const char *path, gjb_error *error);

/* What became of the entries that were kept. */
typedef struct gjb_league_change {
    size_t kept, renewed, added, outdated; /* outdated: of another version of a contender that took part */
    char refused[200];                     /* why nothing could be kept, or "" */
} gjb_league_change;

/* The league of a run together with entries of an earlier one that the run says nothing about. Nothing is
 * kept if the earlier one comes from another machine (CPU, number of CPUs) or seed: times and pairs would
 * not compare. Takes no reference; the caller owns the result. NULL out of memory. */
json_t *gjb_league_merge(json_t *kept, json_t *fresh, gjb_league_change *change);

#endif
