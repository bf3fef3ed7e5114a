/* Drawings of series: times in order, relative to the first level, with changes and events marked. */
#ifndef GJB_HISTORY_DRAW_H
#define GJB_HISTORY_DRAW_H

#include <signal.h>
#include <stdint.h>

#include "draw/text.h"
#include "history/levels.h"

/* The name of its files: letters, digits and '-'. */
typedef struct gjb_draw_name { char s[320]; } gjb_draw_name;
gjb_draw_name gjb_draw_name_of(const gjb_series *series);

void gjb_draw_script(const gjb_found *found, const gjb_past *past, const gjb_levels *levels, text *out);
void gjb_draw_csv(const gjb_found *found, const gjb_past *past, const gjb_levels *levels, text *out);

/* "b4db410", with a + if the tree had changes that were not committed. */
typedef struct gjb_short_commit { char s[16]; } gjb_short_commit;
gjb_short_commit gjb_short_commit_of(const char *commit);

/* What a page is asked for, its numbers apart. */
typedef struct gjb_history_paper {
    const char *database; /* named on the page */
    const char *folder;
    const volatile sig_atomic_t *stop; /* raised: series that are not drawn by then are left out; may be NULL */
    void (*progress)(uint64_t done, uint64_t total); /* of series; may be NULL */
} gjb_history_paper;

/* FOLDER/index.html, and for each series FOLDER/data/NAME.csv and NAME.svg; folders are made as needed. 0,
 * GJB_REPORT_UNDRAWN with one line in `error` if gnuplot is missing or failed (the page then has numbers without
 * drawings), or -1 with one line in `error`. */
int gjb_history_page(const gjb_findings *findings, const gjb_past *past, const gjb_history_paper *asked,
                     gjb_error *error);

#endif
