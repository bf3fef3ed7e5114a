/* A film strip: a step of many moving boxes, as a row of pictures at the times of hits. */
#ifndef GJB_REPORTS_FILM_H
#define GJB_REPORTS_FILM_H

#include "core/error.h"
#include "draw/text.h"
#include "stepping/step.h"

typedef struct film {
    const char *title, *note;  /* of the scene; the note may be "" */
    uint32_t dim;
    const gjb_step_box *boxes; /* as they were given; those of no inverse mass are drawn as walls */
    const gjb_step *step;
    const char *response;      /* in words */
} film;

/* The pictures, each in its figure, through `gnuplot` (a path); faces that are hit at the time
 * of a picture are marked, and dashed lines are the ways so far. In 3D they are seen from
 * aslant. 0, or -1 with a reason. */
int film_strip(const film *f, const char *gnuplot, text *page, char *reason, size_t reason_size);

/* The section of a page with the strip of the scene that ships, data/motion/boxes.json, which is computed as
 * the page is made. Without `gnuplot`, or without the scene, it says so. */
void film_section(const char *gnuplot, text *page);

/* Writes `folder`/index.html, self-contained; folders are made as needed. GJB_REPORT_DRAWN, or
 * GJB_REPORT_UNDRAWN with one line in `error`: the page then has the hits as a table alone. Negative
 * with one line in `error` if it cannot be written. */
int gjb_film_write(const film *f, const char *folder, gjb_error *error);

#endif
