/* The arrays that contenders/table.c lists: gjb_contenders_NAME, NULL-terminated, of a
 * row of packaged.txt each, and of what is always there. */
#ifndef GJB_CONTENDERS_CONTENDER_LISTS_H
#define GJB_CONTENDERS_CONTENDER_LISTS_H

#include <gjkbench/contender.h>

#include "contenders/packaged.h" /* made from packaged.txt */

#ifdef __cplusplus
extern "C" {
#endif

#define GJB_ROW(name) extern const gjb_contender *const gjb_contenders_##name[];
GJB_ROW(batch)
GJB_ROW(reference)
GJB_ROW(textbook)
GJB_PACKAGED(GJB_ROW)
#undef GJB_ROW

#ifdef __cplusplus
}
#endif
#endif
