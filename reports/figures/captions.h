/* What a finished drawing shows, in a sentence made from its own numbers. Each fills `caption` of the plot, and
 * leaves it empty if there is nothing to say. */
#ifndef GJB_REPORTS_CAPTIONS_H
#define GJB_REPORTS_CAPTIONS_H

#include "draw/plot/plot.h"

void caption_highest(plot *p); /* who leads at the right-hand end, and who comes next */
void caption_lowest(plot *p);  /* who is lowest at how many places, and what the first of them takes */
void caption_growth(plot *p);  /* the fitted power of every line */
void caption_speedup(plot *p); /* what the widest backend makes of its lanes */
void caption_threads(plot *p); /* what the most threads make of one */
void caption_errors(plot *p);  /* who lies beyond the mark, and how often */
void caption_lanes(plot *p);   /* iterations of most pairs, or the least occupancy */
void caption_map(plot *p);     /* who leads in how many places */

#endif
