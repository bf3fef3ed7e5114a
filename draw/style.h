/* The style sheet, the script and the beginning of every page. */
#ifndef GJB_DRAW_STYLE_H
#define GJB_DRAW_STYLE_H

#include "draw/text.h"

extern const char *const page_style[];  /* in parts, NULL at its end */
extern const char *const page_script[]; /* likewise */

/* As far as into the body. `meta`: tags of its own; `style`: behind the sheet; both as they are. The title and `rest` behind
 * it are text. */
void page_begin(const char *meta, const char *title, const char *rest, const char *style, text *page);
/* Opens <header>, with the title and `rest` as its heading, and below it the note if there is one. */
void page_heading(const char *title, const char *rest, const char *note, text *page);

#endif
