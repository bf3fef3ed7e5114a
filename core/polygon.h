/* Checks by exact signs whether an outline is a convex polygon. */
#ifndef GJB_CORE_POLYGON_H
#define GJB_CORE_POLYGON_H

#include <stdint.h>

typedef enum gjb_outline {
    GJB_OUTLINE_CCW,
    GJB_OUTLINE_CW,
    GJB_OUTLINE_FLAT,       /* all vertices on one line, in any order */
    GJB_OUTLINE_WINDS,      /* convex turns, but several times around */
    GJB_OUTLINE_DISORDERED, /* vertices do not follow their hull */
    GJB_OUTLINE_DENTED      /* `vertex` lies `depth` inside the hull */
} gjb_outline;

typedef struct gjb_outline_report {
    uint32_t vertex;
    double depth;
    int winds;
} gjb_outline_report;

/* `count` is at most GJB_MAX_VERTICES, coordinates are finite. Dents of up to
 * 4 * epsilon * (largest distance from the local origin) count as convex:
 * rounding a convex polygon makes them. */
gjb_outline gjb_outline_check(const double (*vertices)[2], uint32_t count, double epsilon,
                              gjb_outline_report *report);

#endif
