/* The rows that contenders/table.c lists; nobody else needs them by name. */
#ifndef GJB_CONTENDERS_ROWS_H
#define GJB_CONTENDERS_ROWS_H

#include "contenders/contender.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const gjb_contender gjb_contender_batch;     /* contenders/batch.c */
extern const gjb_contender gjb_contender_reference; /* contenders/reference_contender.c */
extern const gjb_contender gjb_contender_box2d;     /* contenders/box2d.cpp, optional */

#ifdef __cplusplus
}
#endif
#endif
