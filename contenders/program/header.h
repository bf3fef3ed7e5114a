/* The line that a program begins with: what a contender's table promises, as JSON. */
#ifndef GJB_CONTENDERS_PROGRAM_HEADER_H
#define GJB_CONTENDERS_PROGRAM_HEADER_H

#include <gjkbench/contender.h>

#include "contenders/program/frames.h"
#include "core/error.h"

enum { GJB_PROGRAM_PROTOCOL = 1, GJB_HEADER_MOST = 1 << 16 };

/* Fills all of `row` but its functions, and `form`, from `line`, which is not a string. What the row points to stays
 * for good. 0, or -1 with one line in `error` that names the field and its value. */
int gjb_program_header_read(const char *line, size_t size, gjb_contender *row, const gjb_form **form, gjb_error *error);

#endif
