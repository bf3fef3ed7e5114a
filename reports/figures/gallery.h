/* One picture a kind of shape, in 2D and 3D. */
#ifndef GJB_REPORTS_GALLERY_H
#define GJB_REPORTS_GALLERY_H

#include "draw/text.h"

/* The section of a page with all of them: outlines in the plane, solids from aslant, each drawn from its own
 * supports, and dashed around it what a radius makes of it. Without `gnuplot` (a path) it says so. */
void gallery_section(const char *gnuplot, text *page);

#endif
