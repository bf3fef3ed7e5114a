/* Numbers in order. */
#ifndef GJB_CORE_SORT_H
#define GJB_CORE_SORT_H

#include <stddef.h>

void gjb_sort(double *values, size_t count); /* ascending */

#endif
