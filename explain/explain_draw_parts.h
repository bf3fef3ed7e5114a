/* Parts of a figure: bodies, half-spaces among them, contacts and their patch. */
#ifndef GJB_EXPLAIN_EXPLAIN_DRAW_PARTS_H
#define GJB_EXPLAIN_EXPLAIN_DRAW_PARTS_H

#include "draw/plot/canvas.h"
#include "explain/explain_page.h"
#include "explain/explain_view.h"

/* What is drawn in which colour; the page's key says the same. */
enum { INK_A = 1, INK_B = 3, INK_SIMPLEX = 4, INK_NEAREST = 6, INK_SEARCH = 5 };

/* A body within the panel of that range. A half-space goes on beyond its border, and is hatched on its inner side. */
void explain_draw_body(canvas *c, const view *look, const solid *body, const canvas_range *range, int colour,
                       double opacity, double width);
/* The exact patch, the contacts with their numbers, and their outline. */
void explain_draw_contacts(canvas *c, const explained *e, const view *look);
/* A panel: the same in space as it is seen against the normal, with the separations. */
void explain_draw_patch(canvas *c, const explained *e, const stage *s, const double panel[2]);

#endif
