/* Files of a page, in folders made at need. */
#ifndef GJB_DRAW_SAVE_TEXT_H
#define GJB_DRAW_SAVE_TEXT_H

#include "core/error.h"
#include "draw/text.h"

/* Each 0, or -1 with one line in `error`. */
int save_folder(const char *path, gjb_error *error);
int save_text(const char *folder, const char *name, const text *content, gjb_error *error);

#endif
