/* The query table: one row per query. Tests, fuzz targets, benchmarks, `list`
 * and the documentation iterate over it. */
#ifndef GJB_CORE_QUERY_H
#define GJB_CORE_QUERY_H

#include "core/types.h"

typedef struct gjb_query_row {
    gjb_query id;
    const char *name;      /* as on the command line */
    uint32_t dims;         /* bit d: dimension d */
    double (*graded)(double sigma); /* the true `value` for a sigma; NULL: a time */
    double k[2][GJB_PRECISIONS];    /* published tolerance factor of ours, measured, in 2D and 3D */
    double k_of_kind[GJB_KINDS];    /* the same for curved kinds; the largest of a pair counts */
    double k_ceiling;               /* never publish more */
    const char *reason;    /* why an answer within k*eps*S is right */
    const char *unit;      /* of cost in benchmarks */
    uint8_t vectors_when;  /* bit 0: separated, bit 1: overlapping, bit 2: hit carry normal and points */
    uint8_t has_value;
    uint8_t has_patch;     /* up to four contacts, and a margin: manifold */
    uint8_t has_within;    /* takes gjb_pair.within */
    uint8_t has_leaving;   /* takes gjb_pair.leaving */
    uint8_t moving;        /* applies to families in motion: gjb_query_meets */
} gjb_query_row;

extern const gjb_query_row gjb_queries[GJB_QUERIES];

/* What is asked if no query is named. Manifolds are asked for by name: their truth takes longer than that of other
 * queries, and so do the answers of `reference`. */
#define GJB_UNNAMED_QUERIES (((1u << GJB_QUERIES) - 1) & ~(1u << GJB_MANIFOLD))

/* 1 if a query applies to pairs of a family. Pairs at rest are for queries at rest; pairs in motion are for
 * sweep, which needs unturned boxes, and for toi, which takes every motion. `moving` is a gjb_moving. */
typedef enum gjb_moving {
    GJB_AT_REST = 0,
    GJB_BOXES_MOVING, /* boxes that are unturned, and do not turn */
    GJB_STRAIGHT_MOVING, /* any shapes that do not turn: what gjb_pair.leaving is of, as are the boxes */
    GJB_MOVING
} gjb_moving;
int gjb_query_meets(gjb_query query, unsigned moving);

/* A contender passes for right if at most so large a share of its graded answers is off by more than 1e-3 S, or if it
 * is a time of impact by more than it documents, and for nearly right up to the second. */
#define GJB_RIGHT_SHARE 1e-3
#define GJB_NEARLY_RIGHT_SHARE 1e-2

/* NULL if no query has that name. */
const gjb_query_row *gjb_query_find(const char *name);

#endif
