/* Workloads and families: named, seeded recipes. Pair i of seed s is the same
 * on every machine, in any order, in any shard: Random123's Philox is keyed by
 * seed, recipe and index, and angles come from SLEEF's deterministic `cinz`
 * functions. A change to a recipe changes its version, which is part of the key.
 */
#ifndef GJB_SCENES_GENERATE_GENERATE_H
#define GJB_SCENES_GENERATE_GENERATE_H

#include "core/error.h"
#include "core/random.h"
#include "scenes/scene.h"

struct gjb_plan;      /* the parts of recipes: scenes/generate/generate_parts.h */
struct gjb_draft;
struct gjb_placement;

/* Workload = kind and size of shapes. One row each; a name in both dimensions
 * has one row. "polygon" and "hull" take a vertex count after their
 * names ("polygon8"): 3 or 4 to 4096. */
typedef struct gjb_workload_part {
    uint32_t vertices; /* 0: the number after the name */
    uint32_t version;
    void (*plan)(gjb_random *r, uint32_t n, struct gjb_plan *plan);
} gjb_workload_part;
typedef struct gjb_workload {
    const char *name; /* "point", "circle", "sphere", "segment", "capsule", "triangle", "rounded-triangle",
                         "box", "rounded-box", "polygonN", "rounded-polygonN", "hullN", "rounded-hullN",
                         "realN", "mixed-kinds", "ellipse", "superellipse", "ellipsoid", "superellipsoid",
                         "cylinder", "cone", each "rounded-" too, "mixed-curved", "halfspace" */
    const char *about;
    uint8_t dims;   /* bit d: exists in dimension d */
    uint32_t least; /* the least N, if a number follows the name */
    uint8_t curved; /* 1: some of its shapes are curved, or all */
    gjb_workload_part in[4]; /* [dim], of the dimensions that have it */
} gjb_workload;
extern const gjb_workload gjb_workloads[];
extern const size_t gjb_workload_count;
/* The workloads tested in a dimension: every row, those of N vertices
 * with the counts at which methods change. NULL-terminated. */
const char *const *gjb_workload_tour(uint32_t dim);
/* The end of that list, from the first curved workload on. */
const char *const *gjb_workload_tour_curved(uint32_t dim);

/* Which shapes of a library meet in a pair. */
enum {
    GJB_ANY = 0,
    GJB_HALVES, /* one of the first half and one of the second */
    GJB_SAME    /* a shape meets itself */
};

/* Family = separation class or degenerate family. A row is a recipe for each
 * dimension that has it: if `plan` is NULL, the workload determines the
 * shapes. */
typedef struct gjb_family_part {
    uint32_t version;
    void (*plan)(gjb_random *r, uint32_t n, struct gjb_plan *plan); /* on top of the workload's plan */
    void (*shape)(gjb_random *r, struct gjb_draft *draft);
    void (*place)(gjb_random *r, struct gjb_placement *placement);
} gjb_family_part;
typedef struct gjb_family {
    /* "far", "near", "touching", "shallow", "deep", "contained", "mixed"; "needle", ... */
    const char *name;
    const char *about;
    uint8_t dims;       /* bit d: exists in dimension d */
    uint8_t degenerate; /* 1: a degenerate family */
    uint8_t touching;   /* 1: booleans near sigma = 0 on purpose: the 1% rule on ungraded pairs is off */
    uint8_t own_shapes; /* 1: the family brings its shapes, of vertices; the workload gives only their size */
    uint8_t costly;     /* 1: depths of its curved solids, and their truth, take as long as a hundred
                           others: callers that ask for each in dozens of ways may take fewer pairs,
                           and then say so */
    uint8_t sharing;    /* GJB_ANY, ... */
    uint8_t moving;     /* gjb_moving: which queries apply (core/query.h) */
    double scale;       /* of shapes and places */
    gjb_family_part in[4]; /* [dim], of the dimensions that have it */
} gjb_family;
extern const gjb_family gjb_families[];
extern const size_t gjb_family_count;
const gjb_family *gjb_family_find(const char *name); /* NULL if none */
/* 1 if a family has pairs of a workload in a dimension. Families with shapes of their own have only vertices,
 * and so no pairs of curved workloads. */
int gjb_family_has(const gjb_family *family, uint32_t dim, const char *workload);

/* 1 if its pairs move and never turn: contacts that are left can be ignored in them (gjb_recipe.leaving). */
int gjb_family_leaves(const gjb_family *family);

/* The margin of generated pairs if none is asked for. Their shapes are about 1 in size: engines choose a hundredth or two. */
#define GJB_DEFAULT_MARGIN 0.02

typedef struct gjb_recipe {
    const char *workload;
    const char *family;
    uint64_t seed;
    gjb_precision precision;
    uint64_t first;     /* index of the first pair */
    uint64_t pairs;     /* how many */
    uint32_t shapes;    /* 0: every pair has two shapes of its own (2i, 2i+1); else pairs draw
                           from a library of that many, each used equally often and in an order
                           that caches cannot predict; each pair still has two bodies */
    double aspect;      /* > 0 stretches shapes along local x against y; 0 means 1 */
    double offset;      /* all poses are moved by (offset, offset / 3), in 3D (offset, offset / 3,
                           offset / 5): world offset */
    uint32_t dim;       /* 2 or 3; 0 means 2 */
    const gjb_shapes *library; /* of "realN": 3D hulls, borrowed; NULL: gjb_hulls_shipped() */
    double margin;      /* the scene's, times the scale of the family, so that it is the same share of its shapes */
    double within;      /* as `margin`; 0: none */
    uint32_t leaving;   /* the scene's; families that turn are refused with GJB_LEAVING_IGNORE */
} gjb_recipe;

/* NULL with one line in `error` for an unknown name, one that the dimension
 * does not have, or a value out of range. The caller frees the scene. */
gjb_scene *gjb_generate(const gjb_recipe *recipe, gjb_error *error);

/* Vertices of the shapes that a workload names in a dimension: "polygon8" 8,
 * "box" 4 in 2D and 8 in 3D, "mixed-kinds" 8. 0: the dimension has none of that name. */
uint32_t gjb_workload_vertices(uint32_t dim, const char *name);

#endif
