/* Made-up results with the shape of real ones, for tests and first looks. */
#ifndef GJB_REPORTS_SAMPLE_H
#define GJB_REPORTS_SAMPLE_H

#include <jansson.h>

/* Of one dimension. In 3D bullet-gjkepa is right and libccd-mpr, the fastest packaged one, is wrong. */
json_t *sample_bench(int dim);
json_t *sample_verify(int dim);
json_t *sample_timeline(int dim); /* two series of 70 runs: one slower by 8% from run 31 on, one that does not change */
json_t *sample_known(void); /* case-a is failed by libccd-mpr, case-b by nobody */
/* A row like another but for what it asks, or how it began. */
void sample_add_like(json_t *bench, size_t index, json_t *changes);

#endif
