/* One table of the league: what its lines share, and how a line is drawn. */
#ifndef GJB_REPORTS_LEAGUE_SHEET_H
#define GJB_REPORTS_LEAGUE_SHEET_H

#include "reports/league_rank.h"
#include "reports/text.h"

enum { LEAGUE_SEPARATIONS = 6, LEAGUE_SHIFTS = 3 };
enum { LEAGUE_CURVE = 96, LEAGUE_STRIP = 6 }; /* pixels: of a curve, of a family */

/* Separation classes beside that of the base point: as they are called, and as a column is. */
extern const char *const league_separations[LEAGUE_SEPARATIONS][2];

/* Of all lines of a table. */
typedef struct league_sheet {
    const results *part;
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
void league_line(const league_sheet *s, const league_row *row, text *page);

#endif
