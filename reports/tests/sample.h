/* Made-up results with the shape of real ones, for tests and first looks. */
#ifndef GJB_REPORTS_SAMPLE_H
#define GJB_REPORTS_SAMPLE_H

#include <jansson.h>

json_t *sample_bench(void);
json_t *sample_verify(void);

#endif
