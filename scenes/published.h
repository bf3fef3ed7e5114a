/* Published experiments and the pairs that they measure, so that `gjkbench recipe` repeats them. Each is a
 * table of panels, one drawing each, and of places within a panel, from left to right. */
#ifndef GJB_SCENES_PUBLISHED_H
#define GJB_SCENES_PUBLISHED_H

#include "scenes/scene.h"

enum { GJB_PUBLISHED_PANELS = 4, GJB_PUBLISHED_PLACES = 20, GJB_PUBLISHED_NAME = 48 };

typedef struct gjb_published_panel {
    const char *name;  /* 2D: the family; 3D: part of the workload's name */
    const char *title;
    double scale;      /* 3D: of all shapes */
} gjb_published_panel;

typedef struct gjb_published_place {
    const char *label;
    uint32_t vertices; /* 2D */
    double sigma;      /* 3D: signed distance of every pair */
} gjb_published_place;

/* How many pairs of shapes, relative poses of each, and seeds one after another. */
typedef struct gjb_published_size {
    uint32_t couples, poses, seeds;
} gjb_published_size;

typedef struct gjb_published {
    const char *name, *title, *about, *citation;
    uint32_t dim;
    uint32_t queries;             /* bit per gjb_query; used if none is selected */
    gjb_precision precision;      /* of the scenes, and of contenders that support it */
    const char *panel_title, *place_title, *place_column;
    gjb_published_panel panels[GJB_PUBLISHED_PANELS]; /* end with a NULL name */
    gjb_published_place places[GJB_PUBLISHED_PLACES]; /* end with a NULL label */
    gjb_published_size full, quick;
    const char *choices;          /* details that the publication leaves open, and the choices made here */
} gjb_published;

extern const gjb_published gjb_published_all[];
extern const size_t gjb_published_count;
const gjb_published *gjb_published_find(const char *name); /* NULL if none */

/* Workload and family of a panel and place: names that results carry. */
void gjb_published_workload(const gjb_published *p, const gjb_published_panel *panel,
                            const gjb_published_place *place, char name[GJB_PUBLISHED_NAME]);
void gjb_published_family(const gjb_published *p, const gjb_published_panel *panel,
                          const gjb_published_place *place, char name[GJB_PUBLISHED_NAME]);
/* 1 if the panel has pairs at the place. It has none if the hulls are too small for the depth. */
int gjb_published_has(const gjb_published *p, const gjb_published_panel *panel, const gjb_published_place *place);

/* Pairs of ellipsoid-like hulls in f64: A at the origin, B apart from it, both turned at random. Pair i is
 * couple i % (couples * seeds) in its pose i / (couples * seeds), so that the first pairs are of every
 * couple. The couples and poses of a seed do not depend on the size. NULL with one line in `error` if memory
 * runs out, or the size is 0 or has more than 10^7 pairs. */
enum { GJB_ELLIPSOID_VERTICES = 64 };
gjb_scene *gjb_published_ellipsoids(const gjb_published_size *size, uint64_t seed, double scale, gjb_error *error);

#endif
