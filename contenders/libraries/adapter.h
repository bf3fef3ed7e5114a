/* What adapters of packaged libraries share apart from the public gjkbench/adapter.h. */
#ifndef GJB_CONTENDERS_ADAPTER_H
#define GJB_CONTENDERS_ADAPTER_H

#include <gjkbench/adapter.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The frame of a library's capsule that lies along its own axis `axis`: where it
 * takes that axis to the segment. Returns the segment's length. */
double gjb_capsule_frame(const double ends[2][3], int axis, gjb_placing *frame);

/* Motions of the bodies of a pair with A's displacement taken from both, which changes neither
 * times nor points relative to A's translation. 1 if one of them turns. */
int gjb_relative_motions(const gjb_batch *batch, gjb_precision precision, uint32_t dim, const uint32_t *pair,
                         double a[6], double b[6]);

/* `first` then `second`, as one. */
void gjb_compose(const gjb_placing *second, const gjb_placing *first, gjb_placing *out);

#ifdef __cplusplus
}
#endif
#endif
