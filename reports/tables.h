/* The written parts of the page: headline, verdicts, tables. */
#ifndef GJB_REPORTS_TABLES_H
#define GJB_REPORTS_TABLES_H

#include "draw/table.h"
#include "reports/point_selection.h"

/* reports/summary.c: what a reader came for, before everything else: what is fastest, what is wrong, what changed */
typedef struct summary_part {
    const results *r;
    const base_point *base;
} summary_part;
void tables_summary(const results *all, const summary_part *parts, size_t part_count, table_files *files,
                    text *page);

/* reports/headline.c: who is fastest, of one dimension; may be nothing */
void tables_headline(const results *r, const base_point *base, table_files *files, text *page);
void tables_no_times(text *page);

/* reports/verdicts.c: proofs, fingerprints, interruptions */
void tables_verdicts(const results *r, text *page);

/* reports/wrong_answers_table.c: wrong answers by family */
void tables_wrong(const results *r, uint32_t dim, table_files *files, text *page);

/* reports/cells.c: where ours is slow, or slower than another */
void tables_cells(const results *r, table_files *files, text *page);

/* reports/known_failures_table.c, reports/tables.c */
void tables_known(const results *r, table_files *files, text *page);       /* known failures by contender */
void tables_benchmarks(const results *r, table_files *files, text *page);  /* every measured point */
void tables_machine(const results *r, text *page);
void tables_contenders(const results *r, table_files *files, text *page);  /* those with results here, and those missing */

/* reports/figures/motion.c: swept boxes, times of impact, and warm starts; nothing if none were measured */
void tables_motion(const results *r, table_files *files, text *page);

#endif
