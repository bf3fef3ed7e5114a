/* Sorts numbers of double precision in place. */
#include "core/sort.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void gjb_sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ascending);
}
