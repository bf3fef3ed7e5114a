/* One table of the league: what its lines share, and how a line is drawn. */
#ifndef GJB_REPORTS_LEAGUE_CELLS_H
#define GJB_REPORTS_LEAGUE_CELLS_H

#include "draw/table.h"
#include "reports/league/league_rank.h"

enum { LEAGUE_SEPARATIONS = 6, LEAGUE_SHIFTS = 3 };
enum { LEAGUE_CURVE = 96, LEAGUE_STRIP = 6 }; /* pixels: of a curve, of a family */

/* What times of a query are told by: separation classes of pairs at rest, families of those in motion. */
typedef struct league_families {
    const char *query;   /* NULL: of all others */
    const char *base[2]; /* at the base point: as it is called, and as its column is */
    const char *sweep;   /* the tag of the points that vary it */
    const char *further[LEAGUE_SEPARATIONS + 1][2]; /* NULL ends them */
} league_families;

const league_families *league_families_of(const char *query);

/* Of all lines of a table. */
typedef struct league_sheet {
    const results *part;
    const league_families *classes;
    size_t separations; /* families apart from the base's */
    league_lines lines;
    names families;
    double fastest[LEAGUE_SEPARATIONS], fastest_base;
    double low, high, few, many; /* of nanoseconds and vertices, over all curves */
    double log2[LEAGUE_SHIFTS];
    size_t shifts;
    int has_value;
} league_sheet;

/* Times by separation class at the shapes of the table's base point or, `other`, at the other ones that classes are
 * measured at in 3D: hull16 and boxes. */
const league_cells *league_classes(const league_sheet *s, const league_row *row, int other);

/* Cells in the order of the columns that league_table.c heads. */
void league_line(const league_sheet *s, const league_row *row, table *t);

#endif
