/* The style sheet and the script of every page. */
#ifndef GJB_DRAW_STYLE_H
#define GJB_DRAW_STYLE_H

extern const char *const page_style[];  /* in parts, NULL at its end */
extern const char *const page_script[]; /* likewise */

#endif
