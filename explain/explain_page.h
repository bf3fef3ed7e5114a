/* A method's walk over one pair, told step by step: as lines of text, and as a page of figures. */
#ifndef GJB_REPORTS_EXPLAIN_H
#define GJB_REPORTS_EXPLAIN_H

#include <signal.h>

#include "core/error.h"
#include "core/types.h"
#include "explain/explain_letters.h"
#include "explain/recorded_trace.h"
#include "reference/patch/patch.h"

/* A term and what there is to say of it: "support", "w2 = a - b = ...". */
typedef struct explain_line {
    char term[16], words[1024];
} explain_line;

enum { EXPLAIN_LINES = 24 };
typedef struct explain_lines {
    explain_line line[EXPLAIN_LINES];
    size_t count;
} explain_lines;

void explain_add(explain_lines *lines, const char *term, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "(1, -0.5)": the first `dim` coordinates. Returns `out`. */
const char *explain_point(const double *at, uint32_t dim, char out[96]);

typedef struct explained {
    const gjb_pair *pair;
    const char *title, *note; /* of the pair; the note may be "" */
    const walk *walk;
    letters letters;                                 /* of small shapes in the plane */
    size_t most;                                     /* steps told at most: the first and the last of them */
    explain_lines about;                             /* shapes, method, query */
    explain_lines proof;                             /* the answer, and what proves it */
    int has_vectors;                                 /* of the answer: drawn at the end */
    const volatile sig_atomic_t *stop;               /* may be NULL; not 0: no page any more */
    double sigma, normal[3], point_a[3], point_b[3]; /* by the conventions of core/types.h */
    const gjb_contact3d *contact; /* of a manifold, [contact_count]; its normal is that above */
    uint32_t contact_count;
    const ref_patch *patch; /* the exact one along that normal, or NULL */
    int discs;              /* polygons stand in it for so many discs */
} explained;

/* Is step k told, of `count`? */
int explain_told(size_t k, size_t count, size_t most);
/* Direction, support, simplex, nearest feature, bounds: what the step has. */
void explain_step(const explained *e, size_t k, explain_lines *lines);

enum { GJB_EXPLAIN_STOPPED = 2 };

/* Writes `folder`/index.html, self-contained; folders are made as needed, gnuplot is found as by
 * gjb_report_write. GJB_REPORT_DRAWN or GJB_REPORT_UNDRAWN (reports/report.h), the latter with
 * one line in `error` that says what is missing: the page then has the text alone.
 * GJB_EXPLAIN_STOPPED where `stop` was set: nothing is written, and an older page stays.
 * Negative with one line in `error` if it cannot be written. */
int gjb_explain_write(const explained *e, const char *folder, gjb_error *error);

#endif
