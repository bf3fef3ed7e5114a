/* What there is to measure, as tables. */
#include <string.h>

#include "bench/plan.h"

enum { PLANE = 1u << 2, SPACE = 1u << 3, BOTH = PLANE | SPACE };

#define COMMON .shapes = 4096, .call = 4096, .threads = 1, .precision = GJB_F32, \
              .scene_precision = GJB_F32
#define USUAL .family = "mixed", COMMON
#define SWEPT "box-sweep"
#define TURNING "approach-turn"
const gjb_bench_case gjb_base_points[] = {
    {.dim = 2, .workload = "polygon8", USUAL},
    {.dim = 3, .workload = "hull16", USUAL},
    {.dim = 3, .workload = "box", USUAL},
    {.dim = 2, .workload = "box", .family = SWEPT, COMMON},
    {.dim = 3, .workload = "box", .family = SWEPT, COMMON},
    {.dim = 2, .workload = "polygon8", .family = TURNING, COMMON},
    {.dim = 2, .workload = "polygon8", .family = "approach", COMMON},
    {.dim = 3, .workload = "hull16", .family = TURNING, COMMON},
    {.dim = 3, .workload = "hull16", .family = "approach", COMMON},
    {.dim = 3, .workload = "box", .family = TURNING, COMMON},
};
const size_t gjb_base_point_count = sizeof gjb_base_points / sizeof *gjb_base_points;

const gjb_bench_case *gjb_base_point(uint32_t dim)
{
    size_t i = 0;
    while (i + 1 < gjb_base_point_count && gjb_base_points[i].dim != dim)
        i++;
    return &gjb_base_points[i];
}

const gjb_bench_case *gjb_base_point_of(uint32_t dim, gjb_around around)
{
    static const char *const families[] = {[GJB_AROUND_SWEPT] = SWEPT, [GJB_AROUND_MOVING] = TURNING};
    for (size_t i = 0; around && i < gjb_base_point_count; i++)
        if (gjb_base_points[i].dim == dim && !strcmp(gjb_base_points[i].family, families[around]))
            return &gjb_base_points[i];
    return gjb_base_point(dim);
}

#define DECADES "16,64,256,1024,4096,16384,65536,262144,1000000"
#define CORNERS "polygon3,polygon4,polygon8,polygon16,polygon32,polygon64,polygon256"
#define HULLS "box,hull4,hull8,hull16,hull32,hull64,hull128,hull256,hull512,hull1024,hull4096"
#define CLASSES "far,near,touching,shallow,deep,contained,mixed"
#define LYING "far,near,touching,shallow,deep"
#define KINDS "circle,capsule,box,rounded-box,rounded-polygon8,mixed-kinds"
#define SOLIDS "sphere,capsule,triangle,box,rounded-box,rounded-hull16,mixed-kinds"
#define CURVED "ellipse,superellipse,mixed-curved"
#define CURVED_SOLIDS "ellipsoid,superellipsoid,cylinder,cone,mixed-curved"
#define ROUNDED "rounded-ellipse,rounded-superellipse"
#define ROUNDED_SOLIDS "rounded-ellipsoid,rounded-superellipsoid,rounded-cylinder,rounded-cone"
#define FEW_CALLS "1,4,16,64,256,4096"
#define CALLS "1,4,16,64,256,1024,4096,16384,65536"
#define MOTIONS "approach,approach-turn,approach-spin,spin,fast-spin,fast,graze-motion,resting,start-overlap,slow,common-motion,cast,ray"
#define A_SCENE_EACH "box2d-pyramid,bullet-heap" /* one of each dimension */
#define SWEPT_BOXES "box-sweep,box-graze,box-axis"
#define FIRST GJB_AROUND_FIRST
#define EVERY {GJB_WAYS_ALL, GJB_WAYS_ALL, GJB_WAYS_ALL}
#define ENDS {GJB_WAYS_ENDS, GJB_WAYS_ENDS, GJB_WAYS_ALL}
#define ALONE GJB_AXIS_BASES, {"", "", ""}
#define ALWAYS {0, 0, 0}, ALONE
#define ENDS_LATER {GJB_WAYS_WIDEST, GJB_WAYS_ENDS, GJB_WAYS_ALL}
#define WIDEST {GJB_WAYS_WIDEST, GJB_WAYS_WIDEST, GJB_WAYS_ALL}

/* One row a sweep. The base comes first: should time run out, it is there. */
const gjb_sweep gjb_sweeps[] = {
    {"base", BOTH, GJB_AXIS_BASES, {"-", "-", "-"}, EVERY, 1, ALWAYS, FIRST},
    {"scenes", BOTH, GJB_AXIS_RECORDED, {A_SCENE_EACH, "*", "*"}, ENDS_LATER, 0, ALWAYS, FIRST},
    {"families", PLANE, GJB_AXIS_FAMILY, {"far,touching,deep,mixed", CLASSES, CLASSES}, ENDS_LATER, 1, ALWAYS, FIRST},
    {"families", SPACE, GJB_AXIS_FAMILY, {"touching,deep,mixed", CLASSES, CLASSES}, ENDS_LATER, 1, ALWAYS, FIRST},
    /* For contenders that take no hulls; most of it is in the map of vertices too. */
    {"families-box", SPACE, GJB_AXIS_WORKLOAD, {"", "box", "box"}, WIDEST, 1, {0, 0, 0},
     GJB_AXIS_FAMILY, {"", CLASSES, CLASSES}, FIRST},
    {"vertices", PLANE, GJB_AXIS_WORKLOAD, {"polygon4,polygon8,polygon32", CORNERS, CORNERS}, ENDS_LATER, 1, ALWAYS, FIRST},
    {"vertices", SPACE, GJB_AXIS_WORKLOAD, {"hull8,hull16,hull64", HULLS, HULLS}, ENDS_LATER, 1, ALWAYS, FIRST},
    {"calls", PLANE, GJB_AXIS_CALL, {"64,4096", CALLS, CALLS}, WIDEST, 0, ALWAYS, FIRST},
    {"calls", SPACE, GJB_AXIS_CALL, {"", FEW_CALLS, CALLS}, WIDEST, 0, ALWAYS, FIRST},
    {"calls-kinds", BOTH, GJB_AXIS_WORKLOAD, {"", "mixed-kinds", "mixed-kinds"}, WIDEST, 0, {0, 0, 0},
     GJB_AXIS_CALL, {"", FEW_CALLS, CALLS}, FIRST},
    /* Warm start on what it is for, and on scenes where it cannot help. */
    {"coherence", BOTH, GJB_AXIS_RECORDED, {A_SCENE_EACH, "*", "*"}, WIDEST, 1, {0, 0, 0},
     GJB_AXIS_START, {"cold,warm", "cold,warm", "cold,warm,stale"}, FIRST},
    {"coherence-cost", BOTH, GJB_AXIS_FAMILY, {"", "near,mixed", CLASSES}, WIDEST, 1, {0, 0, 0},
     GJB_AXIS_START, {"", "cold,stale", "cold,warm,stale"}, FIRST},
    {"threads", BOTH, GJB_AXIS_THREADS, {"", "1,all", "1,all"}, WIDEST, 0, ALWAYS, FIRST},
    {"precision", PLANE, GJB_AXIS_PRECISION,
     {"f64", "f64", "f64"}, {GJB_WAYS_WIDEST, GJB_WAYS_ALL, GJB_WAYS_ALL}, 1, ALWAYS, FIRST},
    {"precision", SPACE, GJB_AXIS_PRECISION,
     {"", "f64", "f64"}, {GJB_WAYS_WIDEST, GJB_WAYS_ALL, GJB_WAYS_ALL}, 1, ALWAYS, FIRST},
    /* Of contenders that have both precisions. */
    {"families-f64", BOTH, GJB_AXIS_PRECISION, {"", "f64", "f64"}, WIDEST, 1, {0, 0, 0},
     GJB_AXIS_FAMILY, {"", CLASSES, CLASSES}, FIRST},
    {"vertices-f64", PLANE, GJB_AXIS_PRECISION, {"", "f64", "f64"}, WIDEST, 1, {0, 0, 0},
     GJB_AXIS_WORKLOAD, {"", "polygon4,polygon16,polygon64", CORNERS}, FIRST},
    {"vertices-f64", SPACE, GJB_AXIS_PRECISION, {"", "f64", "f64"}, WIDEST, 1, {0, 0, 0},
     GJB_AXIS_WORKLOAD, {"", "hull4,hull8,hull64,hull256", HULLS}, FIRST},
    {"kinds", PLANE, GJB_AXIS_WORKLOAD, {"", KINDS "," CURVED, KINDS "," CURVED "," ROUNDED}, WIDEST, 0, ALWAYS, FIRST},
    {"kinds", SPACE, GJB_AXIS_WORKLOAD, {"", SOLIDS "," CURVED_SOLIDS, SOLIDS "," CURVED_SOLIDS "," ROUNDED_SOLIDS},
     WIDEST, 0, ALWAYS, FIRST},
    /* What curves, in both precisions and lying in every way. */
    {"kinds-f64", PLANE, GJB_AXIS_PRECISION, {"", "f64", "f64"}, WIDEST, 1, {0, 0, 0},
     GJB_AXIS_WORKLOAD, {"", CURVED, CURVED}, FIRST},
    {"kinds-f64", SPACE, GJB_AXIS_PRECISION, {"", "f64", "f64"}, WIDEST, 1, {0, 0, 0},
     GJB_AXIS_WORKLOAD, {"", CURVED_SOLIDS, CURVED_SOLIDS}, FIRST},
    {"families-curved", PLANE, GJB_AXIS_WORKLOAD, {"", "ellipse,superellipse", CURVED}, WIDEST, 1, {0, 0, 0},
     GJB_AXIS_FAMILY, {"", "near,deep", CLASSES}, FIRST},
    {"families-curved", SPACE, GJB_AXIS_WORKLOAD, {"", "ellipsoid,cylinder,cone", CURVED_SOLIDS}, WIDEST, 1, {0, 0, 0},
     GJB_AXIS_FAMILY, {"", "near,deep", CLASSES}, FIRST},
    {"real", SPACE, GJB_AXIS_WORKLOAD,
     {"", "real16,real64,real256", "real16,real64,real256,real4096"}, WIDEST, 0, ALWAYS, FIRST},
    {"shapes", PLANE, GJB_AXIS_SHAPES, {"64,4096,65536", DECADES, DECADES}, {GJB_WAYS_ENDS, GJB_WAYS_ALL, GJB_WAYS_ALL}, 0,
     {4096, 0, 0}, ALONE, FIRST},
    {"shapes", SPACE, GJB_AXIS_SHAPES,
     {"64,4096", "16,256,4096,16384,65536,262144", DECADES}, ENDS, 0, {4096, 16384, 65536}, ALONE, FIRST},
    /* In motion. */
    {"motion", BOTH, GJB_AXIS_FAMILY, {"", MOTIONS, MOTIONS}, WIDEST, 1, ALWAYS, GJB_AROUND_MOVING},
    {"motion-vertices", PLANE, GJB_AXIS_WORKLOAD, {"", "polygon4,polygon16,polygon64", CORNERS}, WIDEST, 1,
     ALWAYS, GJB_AROUND_MOVING},
    {"motion-vertices", SPACE, GJB_AXIS_WORKLOAD, {"", "box,hull8,hull32,hull64", "box,hull4,hull8,hull32,hull64,hull256"},
     WIDEST, 1, ALWAYS, GJB_AROUND_MOVING},
    {"motion-kinds", PLANE, GJB_AXIS_WORKLOAD, {"", "ellipse,superellipse", CURVED "," ROUNDED}, WIDEST, 1,
     ALWAYS, GJB_AROUND_MOVING},
    {"motion-kinds", SPACE, GJB_AXIS_WORKLOAD, {"", "ellipsoid,cylinder,cone", CURVED_SOLIDS "," ROUNDED_SOLIDS}, WIDEST, 1,
     ALWAYS, GJB_AROUND_MOVING},
    {"swept", BOTH, GJB_AXIS_FAMILY, {"", SWEPT_BOXES, SWEPT_BOXES}, WIDEST, 1, ALWAYS, GJB_AROUND_SWEPT},
    /* Two million boxes are a million pairs. */
    {"swept-shapes", BOTH, GJB_AXIS_SHAPES, {"64,4096,65536", "64,4096,65536,2000000", DECADES ",2000000"}, WIDEST, 1,
     {4096, 65536, 65536}, GJB_AXIS_BASES, {"", "", ""}, GJB_AROUND_SWEPT},
    /* Maps of the fastest contender: two factors, at values that sweeps above have too, which then cost nothing. */
    {"map-vertices", PLANE, GJB_AXIS_WORKLOAD,
     {"", "polygon4,polygon8,polygon16,polygon64", "polygon4,polygon8,polygon16,polygon64"},
     WIDEST, 0, {0, 0, 0}, GJB_AXIS_FAMILY, {"", LYING, LYING}, FIRST},
    {"map-vertices", SPACE, GJB_AXIS_WORKLOAD,
     {"", "box,hull8,hull16,hull64", "box,hull8,hull16,hull64,hull256"},
     WIDEST, 0, {0, 0, 0}, GJB_AXIS_FAMILY, {"", LYING, LYING}, FIRST},
    {"map-shapes", PLANE, GJB_AXIS_SHAPES, {"", "64,4096,65536,1000000", "64,4096,65536,1000000"},
     WIDEST, 0, {0, 0, 0}, GJB_AXIS_CALL, {"", "1,16,256,4096", "1,16,256,4096"}, FIRST},
    {"map-shapes", SPACE, GJB_AXIS_SHAPES, {"", "16,256,4096,16384", "16,256,4096,16384"},
     WIDEST, 0, {0, 0, 0}, GJB_AXIS_CALL, {"", "1,16,256,4096", "1,16,256,4096"}, FIRST},
};
const size_t gjb_sweep_count = sizeof gjb_sweeps / sizeof *gjb_sweeps;
_Static_assert(sizeof gjb_sweeps / sizeof *gjb_sweeps <= 64, "a bit each in gjb_bench_case");
