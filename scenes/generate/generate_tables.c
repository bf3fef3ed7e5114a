/* The tables of workloads and families, with their plans of kinds and vertices, and look-up by name. */
#include <string.h>

#include "core/query.h"
#include "scenes/generate/generate_parts.h"

/* The tables of workloads and families. */

static void set_plan(gjb_plan *plan, gjb_kind kind, uint32_t count, uint8_t rounded)
{
    plan->kind = kind;
    plan->count = count;
    plan->rounded = rounded;
}

static void plan_point(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r, (void)n;
    set_plan(plan, GJB_POINT, 1, 0);
}

static void plan_ball(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r, (void)n;
    set_plan(plan, GJB_POINT, 1, 1);
}

static void plan_segment(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r, (void)n;
    set_plan(plan, GJB_SEGMENT, 2, 0);
}

static void plan_capsule(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r, (void)n;
    set_plan(plan, GJB_SEGMENT, 2, 1);
}

static void plan_box(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r, (void)n;
    set_plan(plan, GJB_BOX, 1, 0);
}

static void plan_rounded_box(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r, (void)n;
    set_plan(plan, GJB_BOX, 1, 1);
}

static void plan_polygon(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r;
    set_plan(plan, GJB_POLYGON, n, 0);
}

static void plan_rounded_polygon(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r;
    set_plan(plan, GJB_POLYGON, n, 1);
}

static void plan_triangle(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r, (void)n;
    set_plan(plan, GJB_TRIANGLE, 3, 0);
}

static void plan_rounded_triangle(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r, (void)n;
    set_plan(plan, GJB_TRIANGLE, 3, 1);
}

static void plan_hull(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r;
    set_plan(plan, GJB_HULL, n, 0);
}

static void plan_rounded_hull(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r;
    set_plan(plan, GJB_HULL, n, 1);
}

static void plan_real(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    const uint32_t model = gjb_model_upto(plan->library, n, gjb_random_below(r, gjb_models_upto(plan->library, n)));
    set_plan(plan, GJB_HULL, plan->library->row_count[model], 0);
    plan->model = model + 1;
}

#define CURVED(name, kind, rows)                                              \
    static void plan_##name(gjb_random *r, uint32_t n, gjb_plan *plan)         \
    {                                                                          \
        (void)r, (void)n;                                                      \
        set_plan(plan, kind, rows, 0);                                         \
    }                                                                          \
    static void plan_rounded_##name(gjb_random *r, uint32_t n, gjb_plan *plan) \
    {                                                                          \
        (void)r, (void)n;                                                      \
        set_plan(plan, kind, rows, 1);                                         \
    }
CURVED(ellipse, GJB_ELLIPSE, 1)
CURVED(superellipse, GJB_SUPERELLIPSE, 2)
CURVED(ellipsoid, GJB_ELLIPSOID, 1)
CURVED(superellipsoid, GJB_SUPERELLIPSOID, 2)
CURVED(cylinder, GJB_CYLINDER, 1)
CURVED(cone, GJB_CONE, 1)
#undef CURVED

/* The kinds of the dimension equally often, with few vertices to 16. */
static void plan_mixed_kinds(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    static void (*const kinds[])(gjb_random *, uint32_t, gjb_plan *) = {
        plan_point, plan_ball,        plan_segment, plan_capsule,
        plan_box,   plan_rounded_box, plan_polygon, plan_rounded_polygon,
    };
    static void (*const kinds3[])(gjb_random *, uint32_t, gjb_plan *) = {
        plan_point,       plan_ball,     plan_segment,          plan_capsule, plan_box,
        plan_rounded_box, plan_triangle, plan_rounded_triangle, plan_hull,    plan_rounded_hull,
    };
    (void)n;
    const int plane = plan->dim == 2;
    const uint32_t least = plane ? 3 : 4;
    const uint32_t kind_count = plane ? sizeof kinds / sizeof *kinds : sizeof kinds3 / sizeof *kinds3;
    const uint32_t kind = gjb_random_below(r, kind_count);
    (plane ? kinds : kinds3)[kind](r, least + gjb_random_below(r, 17 - least), plan);
}

/* Half of the shapes curved, the others any. */
static void plan_mixed_curved(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    static void (*const kinds[])(gjb_random *, uint32_t, gjb_plan *) = {plan_ellipse, plan_rounded_ellipse, plan_superellipse,
                                                                        plan_rounded_superellipse};
    static void (*const kinds3[])(gjb_random *, uint32_t, gjb_plan *) = {
        plan_ellipsoid, plan_rounded_ellipsoid, plan_superellipsoid, plan_rounded_superellipsoid,
        plan_cylinder,  plan_rounded_cylinder,  plan_cone,           plan_rounded_cone};
    const int plane = plan->dim == 2;
    if (gjb_random_below(r, 2) == 0) {
        plan_mixed_kinds(r, n, plan);
        return;
    }
    const uint32_t kind = gjb_random_below(r, plane ? sizeof kinds / sizeof *kinds : sizeof kinds3 / sizeof *kinds3);
    (plane ? kinds : kinds3)[kind](r, n, plan);
}

/* A half-space, and a shape of any other kind. Families may change the second. */
static void plan_halfspace(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    if (plan->small && gjb_random_below(r, 12) == 0)
        set_plan(plan, GJB_AABB, 2, gjb_random_below(r, 2) == 0);
    else if (plan->small)
        plan_mixed_curved(r, n, plan);
    else
        set_plan(plan, GJB_HALFSPACE, 2, gjb_random_below(r, 4) == 0);
}

int gjb_workload_is_unbounded(uint32_t dim, const gjb_workload *workload)
{
    return workload->in[dim].plan == plan_halfspace;
}

int gjb_workload_takes_library(uint32_t dim, const gjb_workload *workload)
{
    return workload->in[dim].plan == plan_real;
}

enum { PLANE = 1u << 2, SPACE = 1u << 3, BOTH = PLANE | SPACE };

/* The same in both dimensions, or in one. */
#define IN_BOTH(...) {[2] = {__VA_ARGS__}, [3] = {__VA_ARGS__}}
#define IN_PLANE(...) {[2] = {__VA_ARGS__}}
#define IN_SPACE(...) {[3] = {__VA_ARGS__}}

const gjb_workload gjb_workloads[] = {
    {"point", "points; families that overlap place them near instead", BOTH, 0, 0, IN_BOTH(1, 1, plan_point)},
    {"circle", "circles: points with a radius", PLANE, 0, 0, IN_PLANE(1, 1, plan_ball)},
    {"sphere", "spheres: points with a radius", SPACE, 0, 0, IN_SPACE(1, 1, plan_ball)},
    {"segment", "segments", BOTH, 0, 0, IN_BOTH(2, 1, plan_segment)},
    {"capsule", "capsules: segments with a radius", BOTH, 0, 0, IN_BOTH(2, 1, plan_capsule)},
    {"triangle", "triangles", SPACE, 0, 0, IN_SPACE(3, 1, plan_triangle)},
    {"rounded-triangle", "triangles with a radius", SPACE, 0, 0, IN_SPACE(3, 1, plan_rounded_triangle)},
    {"box", "boxes", BOTH, 0, 0, {[2] = {4, 1, plan_box}, [3] = {8, 1, plan_box}}},
    {"rounded-box", "boxes with a radius", BOTH, 0, 0,
     {[2] = {4, 1, plan_rounded_box}, [3] = {8, 1, plan_rounded_box}}},
    {"polygonN", "irregular convex polygons of N vertices, 3 to 4096", PLANE, 3, 0, IN_PLANE(0, 1, plan_polygon)},
    {"rounded-polygonN", "the same with a radius", PLANE, 3, 0, IN_PLANE(0, 1, plan_rounded_polygon)},
    {"hullN", "irregular convex hulls of N vertices, 4 to 4096", SPACE, 4, 0, IN_SPACE(0, 1, plan_hull)},
    {"rounded-hullN", "the same with a radius", SPACE, 4, 0, IN_SPACE(0, 1, plan_rounded_hull)},
    {"realN", "included hulls of real objects, of at most N vertices, 4 to 4096", SPACE, 4, 0, IN_SPACE(0, 1, plan_real)},
    {"mixed-kinds", "any of the above, polygons with 3 and hulls with 4 to 16 vertices", BOTH, 0, 0,
     IN_BOTH(8, 1, plan_mixed_kinds)},
    {"ellipse", "ellipses", PLANE, 0, 1, IN_PLANE(1, 1, plan_ellipse)},
    {"rounded-ellipse", "ellipses with a radius", PLANE, 0, 1, IN_PLANE(1, 1, plan_rounded_ellipse)},
    {"superellipse", "superellipses of exponents from 1 to 16", PLANE, 0, 1, IN_PLANE(1, 1, plan_superellipse)},
    {"rounded-superellipse", "the same with a radius", PLANE, 0, 1, IN_PLANE(1, 1, plan_rounded_superellipse)},
    {"ellipsoid", "ellipsoids", SPACE, 0, 1, IN_SPACE(1, 1, plan_ellipsoid)},
    {"rounded-ellipsoid", "ellipsoids with a radius", SPACE, 0, 1, IN_SPACE(1, 1, plan_rounded_ellipsoid)},
    {"superellipsoid", "superellipsoids of exponents from 1 to 16", SPACE, 0, 1, IN_SPACE(1, 1, plan_superellipsoid)},
    {"rounded-superellipsoid", "the same with a radius", SPACE, 0, 1, IN_SPACE(1, 1, plan_rounded_superellipsoid)},
    {"cylinder", "cylinders", SPACE, 0, 1, IN_SPACE(1, 1, plan_cylinder)},
    {"rounded-cylinder", "cylinders with a radius", SPACE, 0, 1, IN_SPACE(1, 1, plan_rounded_cylinder)},
    {"cone", "cones", SPACE, 0, 1, IN_SPACE(1, 1, plan_cone)},
    {"rounded-cone", "cones with a radius", SPACE, 0, 1, IN_SPACE(1, 1, plan_rounded_cone)},
    {"mixed-curved", "half of them curved shapes of any kind, half mixed-kinds", BOTH, 0, 1, IN_BOTH(8, 1, plan_mixed_curved)},
    {"halfspace", "half-spaces, each against a shape of mixed-curved", BOTH, 0, 1, IN_BOTH(8, 1, plan_halfspace)},
};
const size_t gjb_workload_count = sizeof gjb_workloads / sizeof *gjb_workloads;

static const char *const tours[2][32] = {
    {"point", "circle", "segment", "capsule", "box", "rounded-box", "polygon3", "polygon4", "polygon8", "polygon16",
     "polygon32", "polygon64", "polygon256", "rounded-polygon8", "mixed-kinds",
     "ellipse", "rounded-ellipse", "superellipse", "rounded-superellipse", "mixed-curved", NULL},
    {"point", "sphere", "segment", "capsule", "triangle", "box", "rounded-box", "hull4", "hull8", "hull16", "hull32",
     "hull64", "hull256", "rounded-hull8", "real64", "mixed-kinds",
     "ellipsoid", "rounded-ellipsoid", "superellipsoid", "rounded-superellipsoid", "cylinder", "rounded-cylinder",
     "cone", "rounded-cone", "mixed-curved", NULL},
};

const char *const *gjb_workload_tour(uint32_t dim)
{
    return tours[dim == 3];
}

const char *const *gjb_workload_tour_curved(uint32_t dim)
{
    const char *const *name = gjb_workload_tour(dim);
    uint32_t vertices;
    while (*name != NULL && !gjb_workload_find(dim, *name, &vertices)->curved)
        name++;
    return name;
}

/* Plans of families: called after the workload's, and on top of it. */

/* The kind that has any number of vertices. */
static gjb_kind outline_kind(const gjb_plan *plan)
{
    return plan->dim == 2 ? GJB_POLYGON : GJB_HULL;
}

/* At least `least` vertices: as many as the workload's shape has, or as the
 * number in the workload's name says. */
static void plan_outline(gjb_plan *plan, uint32_t n, uint32_t least)
{
    const uint32_t count = plan->kind == outline_kind(plan) ? plan->count : n;
    plan->kind = outline_kind(plan);
    plan->count = count > least ? count : least;
}

/* One vertex more than the simplest with an inside. */
static void plan_one_more(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r;
    plan_outline(plan, n, plan->dim + 2);
}

static void plan_flat(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    switch (gjb_random_below(r, 4)) {
    case 0:
        set_plan(plan, GJB_SEGMENT, 2, 0);
        break;
    case 1:
        set_plan(plan, GJB_SEGMENT, 2, 1);
        break;
    case 2:
        set_plan(plan, GJB_BOX, 1, plan->rounded);
        break;
    default:
        plan_outline(plan, n, plan->dim + 1);
        break;
    }
}

/* Boxes, if the workload has no outlines. */
static void plan_box_or_outline(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r, (void)n;
    if (plan->kind != outline_kind(plan))
        set_plan(plan, GJB_BOX, 1, plan->rounded);
}

static void plan_face(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r;
    plan_outline(plan, n, 6);
}

/* Points have no edge. */
static void plan_edged(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r, (void)n;
    if (plan->kind == GJB_POINT)
        set_plan(plan, GJB_SEGMENT, 2, plan->rounded);
}

static void plan_sliver(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r;
    if (plan->kind != GJB_TRIANGLE)
        plan_outline(plan, n, 4);
}

/* Of each pair, the shape that moves. */
static void plan_ray(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    if (plan->small)
        plan_point(r, n, plan);
}

/* Half by half extents, the others by corners, and points. */
static void plan_unturned(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)n;
    const uint32_t choice = gjb_random_below(r, 8);
    if (choice == 0)
        set_plan(plan, GJB_POINT, 1, 0);
    else if (choice < 4)
        set_plan(plan, GJB_AABB, 2, 0);
    else
        set_plan(plan, GJB_BOX, 1, 0);
}

/* Families in motion: of the workload's shapes, and of boxes that stay unturned. */
#define MOVING(name, about, touching, place) \
    {name, about, BOTH, 0, touching, 0, 0, GJB_ANY, GJB_MOVING, 1.0, IN_BOTH(1, NULL, gjb_shape_plain, place)}
#define STRAIGHT(name, about, touching, place)                                                \
    {name, about, BOTH, 0, touching, 0, 0, GJB_ANY, GJB_STRAIGHT_MOVING, 1.0, IN_BOTH(1, NULL, gjb_shape_plain, place)}
#define BOXES(name, about, touching, shape, place)                                      \
    {name, "boxes that stay unturned, " about, BOTH, 0, touching, 1, 0, GJB_ANY, GJB_BOXES_MOVING, 1.0, \
     IN_BOTH(1, plan_unturned, shape, place)}

const gjb_family gjb_families[] = {
    /* dims, degenerate, touching, own shapes, costly, sharing, moving, scale, {version, plan, shape, place} */
    {"far", "gap of 1 to 3 sizes", BOTH, 0, 0, 0, 0, GJB_ANY, GJB_AT_REST, 1.0,
     IN_BOTH(1, NULL, gjb_shape_plain, gjb_place_far)},
    {"near", "gap of about 1% of the size", BOTH, 0, 0, 0, 0, GJB_ANY, GJB_AT_REST, 1.0,
     IN_BOTH(1, NULL, gjb_shape_plain, gjb_place_near)},
    {"touching", "touching, half of the pairs exactly and half up to rounding", BOTH, 0, 1, 0, 0, GJB_ANY, GJB_AT_REST, 1.0,
     {[2] = {1, NULL, gjb_shape_lattice, gjb_place_touching},
      [3] = {1, NULL, gjb_shape_lattice, gjb_place_touching3}}},
    {"shallow", "overlap of about 1% of the size, in 3D at most", BOTH, 0, 0, 0, 0, GJB_ANY, GJB_AT_REST, 1.0,
     IN_BOTH(1, NULL, gjb_shape_plain, gjb_place_shallow)},
    {"deep", "overlap of 20 to 50% of the size, in 3D at most", BOTH, 0, 0, 0, 0, GJB_ANY, GJB_AT_REST, 1.0,
     IN_BOTH(1, NULL, gjb_shape_plain, gjb_place_deep)},
    {"contained", "one well inside the other", BOTH, 0, 0, 0, 0, GJB_HALVES, GJB_AT_REST, 1.0,
     {[2] = {1, NULL, gjb_shape_contained, gjb_place_contained},
      [3] = {1, NULL, gjb_shape_contained, gjb_place_contained3}}},
    {"mixed", "random distances, about half of the pairs overlapping", BOTH, 0, 0, 0, 0, GJB_ANY, GJB_AT_REST, 1.0,
     IN_BOTH(1, NULL, gjb_shape_plain, gjb_place_mixed)},
    {"needle", "aspect ratios to 1e4", BOTH, 1, 0, 0, 0, GJB_ANY, GJB_AT_REST, 1.0,
     IN_BOTH(1, NULL, gjb_shape_needle, gjb_place_assorted)},
    {"repeated", "polygons and hulls with repeated vertices", BOTH, 1, 0, 1, 0, GJB_ANY, GJB_AT_REST, 1.0,
     {[2] = {1, plan_one_more, gjb_shape_repeated, gjb_place_assorted},
      [3] = {1, plan_one_more, gjb_shape_repeated3, gjb_place_assorted}}},
    {"collinear", "polygons and hulls with runs of collinear vertices, exactly and nearly", BOTH, 1, 0, 1,
     0, GJB_ANY, GJB_AT_REST, 1.0,
     {[2] = {1, plan_one_more, gjb_shape_collinear, gjb_place_assorted},
      [3] = {1, plan_one_more, gjb_shape_collinear3, gjb_place_assorted}}},
    {"parallel", "edges in 2D, faces in 3D, face to face, parallel exactly or to a few roundings", BOTH, 1, 0, 1,
     0, GJB_ANY, GJB_AT_REST, 1.0,
     {[2] = {1, NULL, gjb_shape_parallel, gjb_place_parallel},
      [3] = {1, NULL, gjb_shape_parallel3, gjb_place_parallel3}}},
    {"identical", "a shape against itself, in the same pose or nearly", BOTH, 1, 0, 0, 0, GJB_SAME, GJB_AT_REST, 1.0,
     {[2] = {1, NULL, gjb_shape_plain, gjb_place_identical},
      [3] = {1, NULL, gjb_shape_plain, gjb_place_identical3}}},
    {"tiny", "everything a millionth of its size", BOTH, 1, 0, 0, 0, GJB_ANY, GJB_AT_REST, 1e-6,
     IN_BOTH(1, NULL, gjb_shape_plain, gjb_place_assorted)},
    {"huge", "everything a million times its size", BOTH, 1, 0, 0, 0, GJB_ANY, GJB_AT_REST, 1e6,
     IN_BOTH(1, NULL, gjb_shape_plain, gjb_place_assorted)},
    {"far-origin", "1e3 to 1e6 sizes from the world's origin", BOTH, 1, 0, 0, 0, GJB_ANY, GJB_AT_REST, 1.0,
     IN_BOTH(1, NULL, gjb_shape_plain, gjb_place_far_origin)},
    {"size-ratio", "one shape 1e-4 to 1e4 times the other, 1e-6 to 1e6 in 3D", BOTH, 1, 0, 0, 0, GJB_ANY, GJB_AT_REST, 1.0,
     IN_BOTH(1, NULL, gjb_shape_size_ratio, gjb_place_size_ratio)},
    {"flat", "shapes without thickness, half of them on one line, in one plane in 3D", BOTH, 1, 1, 1,
     0, GJB_ANY, GJB_AT_REST, 1.0,
     {[2] = {1, plan_flat, gjb_shape_flat, gjb_place_flat},
      [3] = {1, plan_flat, gjb_shape_flat3, gjb_place_flat3}}},
    {"vertex-on", "integer shapes and steps, the origin exactly on a vertex, edge or face of A - B", BOTH, 1,
     1, 1, 0, GJB_ANY, GJB_AT_REST, 1.0,
     {[2] = {1, plan_box_or_outline, gjb_shape_vertex_on, gjb_place_vertex_on},
      [3] = {1, plan_box_or_outline, gjb_shape_integer3, gjb_place_vertex_on3}}},
    {"face-on", "integer shapes and steps, the origin exactly on a face of A - B or between opposite vertices",
     SPACE, 1, 1, 1, 0, GJB_ANY, GJB_AT_REST, 1.0, IN_SPACE(1, plan_box_or_outline, gjb_shape_integer3, gjb_place_face_on3)},
    {"coplanar", "faces of many coplanar or nearly coplanar vertices, face to face", SPACE, 1, 0, 1, 0, GJB_ANY, GJB_AT_REST,
     1.0, IN_SPACE(1, plan_face, gjb_shape_coplanar3, gjb_place_parallel3)},
    {"parallel-edges", "edge against edge, crossing at 0, a few roundings or up to 1e-3", SPACE, 1, 0, 1, 0, GJB_ANY, GJB_AT_REST,
     1.0, IN_SPACE(1, plan_edged, gjb_shape_ridge3, gjb_place_edges3)},
    {"near-axis", "boxes and hulls within 1e-5 of axis-aligned, one on the other, as near as that", SPACE, 1, 1, 1, 0, GJB_ANY, GJB_AT_REST,
     1.0, IN_SPACE(1, plan_box_or_outline, gjb_shape_parallel3, gjb_place_near_axis3)},
    {"sliver", "nearly flat hulls and hulls with nearly degenerate faces", SPACE, 1, 0, 1, 0, GJB_ANY, GJB_AT_REST, 1.0,
     IN_SPACE(1, plan_sliver, gjb_shape_sliver3, gjb_place_assorted)},
    {"aligned", "axes in line, exactly or to a few roundings: end to end, side by side or within one another", BOTH, 1, 1, 0,
     0, GJB_ANY, GJB_AT_REST, 1.0, IN_BOTH(1, NULL, gjb_shape_lattice, gjb_place_aligned)},
    {"all-but-round", "one within the other, about an axis that both are round about but for rounding to a thousandth", BOTH, 1, 0, 0,
     1, GJB_HALVES, GJB_AT_REST, 1.0, IN_BOTH(1, NULL, gjb_shape_all_but_round, gjb_place_all_but_round)},
    {"crossed", "thin shapes, to no thickness, each in the place of its like but for a small turn and less of an offset", BOTH, 1, 1,
     0, 0, GJB_SAME, GJB_AT_REST, 1.0, IN_BOTH(1, NULL, gjb_shape_crossed, gjb_place_crossed)},
    STRAIGHT("approach", "towards one another or past, without rotation", 0, gjb_place_approach),
    MOVING("approach-turn", "towards one another or past, turning up to an eighth of a turn", 0,
           gjb_place_approach_turn),
    MOVING("approach-spin", "towards one another or past, turning up to once", 0, gjb_place_approach_spin),
    MOVING("spin", "turning next to one another, a tenth of a turn to two", 0, gjb_place_spin),
    MOVING("fast-spin", "towards one another or past, turning 2 to 20 times", 0, gjb_place_fast_spin),
    MOVING("fast", "bullets: 64 to 8192 sizes in the step, aimed or just missing", 0, gjb_place_fast),
    MOVING("graze-motion", "closest within 2^-24 to 2^-6 of the size to touching, or touching exactly", 1,
           gjb_place_graze_motion),
    MOVING("resting", "1e-7 to 1e-3 of the size apart at first: sliding, rolling, leaving or pressing on", 1,
           gjb_place_resting),
    MOVING("start-overlap", "overlapping or touching at first", 1, gjb_place_start_overlap),
    MOVING("slow", "1e-6 to 1e-2 of the size in the step", 1, gjb_place_slow),
    MOVING("common-motion", "little against one another, and both 8 to 1024 sizes the same way", 0,
           gjb_place_common_motion),
    STRAIGHT("cast", "one moves alone, without rotation: towards the other, past it, by a hair, or from within it", 0,
             gjb_place_cast),
    {"ray", "casts of a point, whatever the workload's other shape is", BOTH, 0, 0, 0, 0, GJB_HALVES,
     GJB_STRAIGHT_MOVING, 1.0, IN_BOTH(1, plan_ray, gjb_shape_plain, gjb_place_cast)},
    STRAIGHT("touch-cast", "casts that begin touching, but for rounding: sliding along, leaving or going deeper", 1,
             gjb_place_touch_cast),
    {"touch-ray", "the same of rays", BOTH, 0, 1, 0, 0, GJB_HALVES, GJB_STRAIGHT_MOVING, 1.0,
     IN_BOTH(1, plan_ray, gjb_shape_plain, gjb_place_touch_cast)},
    {"lattice-motion", "integer shapes and motions, touching exactly at a quarter of the step", BOTH, 1, 1, 1,
     0, GJB_ANY, GJB_STRAIGHT_MOVING, 1.0,
     {[2] = {1, plan_box_or_outline, gjb_shape_vertex_on, gjb_place_lattice_motion},
      [3] = {1, plan_box_or_outline, gjb_shape_integer3, gjb_place_lattice_motion}}},
    {"aligned-motion", "axes in line, sliding along them or towards one another, touching at a quarter of the step", BOTH, 1, 1,
     0, 0, GJB_ANY, GJB_MOVING, 1.0, IN_BOTH(1, NULL, gjb_shape_lattice, gjb_place_aligned_motion)},
    {"needle-motion", "aspect ratios to 1e4, in any of the motions above", BOTH, 1, 1, 0, 0, GJB_ANY, GJB_MOVING, 1.0,
     IN_BOTH(1, NULL, gjb_shape_needle, gjb_place_assorted_motion)},
    {"flat-motion", "shapes without thickness, in any of the motions above", BOTH, 1, 1, 1, 0, GJB_ANY, GJB_MOVING, 1.0,
     {[2] = {1, plan_flat, gjb_shape_flat, gjb_place_assorted_motion},
      [3] = {1, plan_flat, gjb_shape_flat3, gjb_place_assorted_motion}}},
    {"ratio-motion", "one shape 1e-4 to 1e4 times the other, 1e-6 to 1e6 in 3D, in any of the motions above", BOTH,
     1, 1, 0, 0, GJB_ANY, GJB_MOVING, 1.0, IN_BOTH(1, NULL, gjb_shape_size_ratio, gjb_place_assorted_motion)},
    {"tiny-motion", "everything a millionth of its size, in any of the motions above", BOTH, 1, 1, 0, 0, GJB_ANY,
     GJB_MOVING, 1e-6, IN_BOTH(1, NULL, gjb_shape_plain, gjb_place_assorted_motion)},
    {"huge-motion", "everything a million times its size, in any of the motions above", BOTH, 1, 1, 0, 0, GJB_ANY,
     GJB_MOVING, 1e6, IN_BOTH(1, NULL, gjb_shape_plain, gjb_place_assorted_motion)},
    BOXES("box-sweep", "towards one another or past", 0, gjb_shape_unturned, gjb_place_box_sweep),
    BOXES("box-graze", "past a corner or edge, exactly or by a few roundings to 1e-2 of the size", 1,
          gjb_shape_unturned_lattice, gjb_place_box_graze),
    BOXES("box-axis", "no velocity on one axis or on all, there apart, overlapping or just touching", 1,
          gjb_shape_unturned_lattice, gjb_place_box_axis),
    BOXES("box-inside", "overlapping or touching at first", 1, gjb_shape_unturned_lattice, gjb_place_box_inside),
    BOXES("box-fast", "plates and boxes, 16 to 262144 sizes in the step", 1, gjb_shape_plate, gjb_place_box_fast),
    BOXES("box-common", "far from the origin, and both 8 to 1024 sizes the same way", 0, gjb_shape_unturned,
          gjb_place_box_common),
    BOXES("box-late", "first contact at t = 0 or t = 1, exactly or by a few roundings to 1e-2 of the size", 1,
          gjb_shape_unturned_lattice, gjb_place_box_late),
};
#undef MOVING
#undef BOXES
const size_t gjb_family_count = sizeof gjb_families / sizeof *gjb_families;

const gjb_family *gjb_family_find(const char *name)
{
    for (size_t i = 0; i < gjb_family_count; i++)
        if (strcmp(gjb_families[i].name, name) == 0)
            return &gjb_families[i];
    return NULL;
}

/* The number that `text` begins and ends with; 0 if it is none or larger than
 * a shape may be. */
static uint32_t number_of(const char *text)
{
    uint32_t n = 0;
    for (; *text >= '0' && *text <= '9' && n <= GJB_MAX_VERTICES; text++)
        n = 10 * n + (uint32_t)(*text - '0');
    return *text == '\0' && n <= GJB_MAX_VERTICES ? n : 0;
}

int gjb_family_has(const gjb_family *family, uint32_t dim, const char *workload)
{
    uint32_t vertices;
    const gjb_workload *row = gjb_workload_find(dim, workload, &vertices);
    return row != NULL && (family->dims >> dim & 1u) && !(family->own_shapes && row->curved) &&
           !(family->sharing == GJB_SAME && gjb_workload_is_unbounded(dim, row));
}

const gjb_workload *gjb_workload_find(uint32_t dim, const char *name, uint32_t *vertices)
{
    for (size_t i = 0; i < gjb_workload_count; i++) {
        const gjb_workload *row = &gjb_workloads[i];
        if (dim > 3 || !(row->dims >> dim & 1u))
            continue;
        *vertices = row->in[dim].vertices;
        if (*vertices > 0) {
            if (strcmp(row->name, name) == 0)
                return row;
            continue;
        }
        const size_t stem = strlen(row->name) - 1;
        if (strncmp(row->name, name, stem) != 0 || name[stem] < '1' || name[stem] > '9')
            continue;
        *vertices = number_of(name + stem);
        if (*vertices >= row->least)
            return row;
    }
    return NULL;
}

uint32_t gjb_workload_vertices(uint32_t dim, const char *name)
{
    uint32_t vertices = 0;
    return gjb_workload_find(dim, name, &vertices) != NULL ? vertices : 0;
}

int gjb_family_leaves(const gjb_family *family)
{
    return family->moving == GJB_BOXES_MOVING || family->moving == GJB_STRAIGHT_MOVING;
}
