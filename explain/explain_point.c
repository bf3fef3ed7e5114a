/* A point in words. */
#include <math.h>
#include <stdio.h>

#include "explain/explain_page.h"

const char *explain_point(const double *at, uint32_t dim, char out[96])
{
    int n = snprintf(out, 96, "(");
    for (uint32_t k = 0; k < dim; k++)
        n += snprintf(out + n, (size_t)(96 - n), "%s%.6g", k ? ", " : "", isnan(at[k]) ? fabs(at[k]) : at[k] + 0.0);
    snprintf(out + n, (size_t)(96 - n), ")");
    return out;
}
