/* Curved shapes that are others in disguise, or lie within others: each a row. */
#ifndef GJB_PROPERTIES_TESTS_SHAPE_RELATIONS_H
#define GJB_PROPERTIES_TESTS_SHAPE_RELATIONS_H

#include "core/types.h"

enum { ROWS_MAX = 32 };

/* A shape in its local frame; in the plane third coordinates are unused. */
typedef struct form {
    gjb_kind kind;
    uint32_t count;
    double rows[ROWS_MAX][3], radius;
} form;

typedef enum relation {
    SAME,   /* one set, two descriptions */
    INSIDE, /* what is asked about is part of what is known: sigma is no less */
    AROUND  /* and the other way round */
} relation;

/* How both scenes lie: in one dimension; or asked in space what is known of the plane, of which y is y, or z. */
typedef enum layout { AS_IT_IS, UPON_THE_PLANE, THROUGH_THE_AXIS } layout;

typedef struct kin {
    const char *name;
    uint32_t dim; /* of the workload, and of what is known */
    const char *workload;
    form (*asked)(const form *f);
    form (*known)(const form *f);
    relation how;
    layout lie;
    uint32_t queries;
} kin;

extern const kin all_kin[];
extern const size_t kin_count;

#endif
