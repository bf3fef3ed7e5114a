/* The league table as a section of the page, and as CSV. */
#ifndef GJB_REPORTS_LEAGUE_TABLE_H
#define GJB_REPORTS_LEAGUE_TABLE_H

#include "draw/table.h"
#include "reports/point_selection.h"

/* A table for each query of one dimension: contenders that are never wrong first, then by time. */
void league_tables(const results *part, uint32_t dim, table_files *files, text *page);
/* The key to the tables, before them; `full` with what does not depend on the dimension. */
void league_lead(const results *part, int full, text *page);
/* Queries that have rows, in the order that readers expect. */
names league_queries(const results *part);
/* Every row of a query, all backends, and every number. */
void league_csv(const results *part, const char *query, text *csv);
/* "league-2d-distance" */
series_name league_file(uint32_t dim, const char *query);

#endif
