/* The contenders of this program: those of this build, then those of plug-ins. */
#ifndef GJB_CONTENDERS_TABLE_H
#define GJB_CONTENDERS_TABLE_H

#include <gjkbench/contender.h>

#include "core/error.h"

/* In the order that lists show: ours, packaged libraries by name, plug-ins as
 * they came. NULL beyond the last. */
const gjb_contender *gjb_contender_at(size_t index);
size_t gjb_contender_count(void);
const gjb_contender *gjb_contender_find(const char *name); /* NULL if none */

/* 1 if a contender has this backend and the CPU too. */
int gjb_contender_has(const gjb_contender *contender, const char *backend);

/* Adds one that lives as long as the program; before anybody counts on their
 * number. 0, or -1 with `error` if the name is taken or there are too many. */
int gjb_contender_add(const gjb_contender *contender, gjb_error *error);

/* Known contenders that this build lacks, and how to get them, for `list` and
 * the report: name/advice pairs, ending with NULL. */
typedef struct gjb_missing { const char *name, *advice; } gjb_missing;
extern const gjb_missing gjb_contenders_missing[];

#endif
