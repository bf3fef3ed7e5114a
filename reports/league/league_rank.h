/* Who stands where in the league table of a query. */
#ifndef GJB_REPORTS_LEAGUE_RANK_H
#define GJB_REPORTS_LEAGUE_RANK_H

#include "reports/point_selection.h"

typedef enum league_class {
    LEAGUE_RIGHT,
    LEAGUE_ALMOST,
    LEAGUE_OFTEN,
    LEAGUE_UNKNOWN,
    LEAGUE_CLASSES
} league_class;

enum { LEAGUE_LINES = 256 };

/* Lines of one query: of each contender and precision the fastest backend. */
typedef struct league_lines {
    const char *query;
    size_t n;
    const league_row *rows[LEAGUE_LINES];
    const char *base; /* where they are compared by time: "polygon8"; "" if none was timed */
} league_lines;

/* Sorted: never wrong, wrong in at most 0.1% of what was graded, more often, never graded; then by time. */
void league_rank(const results *part, const char *query, league_lines *lines);
league_class league_class_of(const league_row *row);
/* Nanoseconds a pair at the base point of the lines; NaN if it was not timed. */
double league_ns(const league_lines *lines, const league_row *row);

#endif
