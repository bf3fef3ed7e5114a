/* The contender table of this build. */
#ifndef GJB_CONTENDERS_TABLE_H
#define GJB_CONTENDERS_TABLE_H

#include <gjkbench/contender.h>

extern const gjb_contender *const gjb_contenders[];
extern const size_t gjb_contender_count;
const gjb_contender *gjb_contender_find(const char *name); /* NULL if none */

/* Known contenders that this build lacks, and how to get them, for `list` and
 * the report: NULL-terminated name/advice pairs. */
typedef struct gjb_missing { const char *name, *advice; } gjb_missing;
extern const gjb_missing gjb_contenders_missing[];

#endif
