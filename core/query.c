/* The rows of the query table: names, what each answers as a function of sigma, and published error factors. */
#include "core/query.h"

#include <string.h>

static double identity(double sigma)
{
    return sigma;
}

static double gap(double sigma)
{
    return sigma > 0.0 ? sigma : 0.0;
}

static double depth(double sigma)
{
    return sigma < 0.0 ? -sigma : 0.0;
}

#define PLANE (1u << 2)
#define SPACE (1u << 3)
#define WHEN_SEPARATED 1u
#define WHEN_OVERLAPPING 2u
#define WHEN_HIT 4u

/* The largest errors met of each are in docs/kernels.md. */
#define CURVED_PLANE [GJB_ELLIPSE] = 32.0, [GJB_SUPERELLIPSE] = 32.0
#define CURVED_APART {CURVED_PLANE, [GJB_ELLIPSOID] = 48.0, [GJB_SUPERELLIPSOID] = 48.0, [GJB_CYLINDER] = 64.0, [GJB_CONE] = 64.0}
#define CURVED_DEEP {CURVED_PLANE, [GJB_ELLIPSOID] = 64.0, [GJB_SUPERELLIPSOID] = 128.0, [GJB_CYLINDER] = 64.0, [GJB_CONE] = 64.0}
#define CURVED_MOVING {CURVED_PLANE, [GJB_ELLIPSOID] = 64.0, [GJB_SUPERELLIPSOID] = 64.0, [GJB_CYLINDER] = 64.0, [GJB_CONE] = 64.0}

const gjb_query_row gjb_queries[GJB_QUERIES] = {
    [GJB_INTERSECT] =
        {
            .id = GJB_INTERSECT,
            .name = "intersect",
            .dims = PLANE | SPACE,
            .graded = identity,
            .k = {{32.0, 32.0}, {32.0, 32.0}},
            .k_of_kind = CURVED_APART,
            .k_ceiling = 64.0,
            .reason = "each vertex carries a few roundings of its transform, and so does the support gap "
                      "whose sign "
                      "decides; within k*eps*S of touching neither answer is wrong",
            .unit = "pair",
            .vectors_when = 0,
            .has_value = 0,
            .has_within = 1,
        },
    [GJB_DISTANCE] =
        {
            .id = GJB_DISTANCE,
            .name = "distance",
            .dims = PLANE | SPACE,
            .graded = gap,
            .k = {{32.0, 32.0}, {32.0, 32.0}},
            .k_of_kind = CURVED_APART,
            .k_ceiling = 64.0,
            .reason = "a distance moves by no more than its closest features do: roundings of the transform, "
                      "of the "
                      "projection onto an edge and of the square root",
            .unit = "pair",
            .vectors_when = WHEN_SEPARATED,
            .has_value = 1,
            .has_within = 1,
        },
    [GJB_PENETRATION] =
        {
            .id = GJB_PENETRATION,
            .name = "penetration",
            .dims = PLANE | SPACE,
            .graded = depth,
            .k = {{32.0, 32.0}, {32.0, 32.0}},
            .k_of_kind = CURVED_DEEP,
            .k_ceiling = 256.0,
            .reason = "a depth is a least support over normals of edges, in 3D of faces and of pairs of edges; the "
                      "rounding of a short edge turns its normal, and the turn is multiplied by the size of the pair",
            .unit = "pair",
            .vectors_when = WHEN_OVERLAPPING,
            .has_value = 1,
        },
    [GJB_SIGNED_DISTANCE] =
        {
            .id = GJB_SIGNED_DISTANCE,
            .name = "signed_distance",
            .dims = PLANE | SPACE,
            .graded = identity,
            .k = {{32.0, 32.0}, {32.0, 32.0}},
            .k_of_kind = CURVED_DEEP,
            .k_ceiling = 256.0,
            .reason = "as distance if apart and as penetration if overlapping; both are zero at contact",
            .unit = "pair",
            .vectors_when = WHEN_SEPARATED | WHEN_OVERLAPPING,
            .has_value = 1,
        },
    [GJB_SWEEP] =
        {
            .id = GJB_SWEEP,
            .name = "sweep",
            .dims = PLANE | SPACE,
            .graded = NULL,
            .k = {{32.0, 32.0}, {32.0, 32.0}},
            .k_ceiling = 64.0,
            .reason = "gaps and displacements of both boxes are rounded, and boxes are grown by what that may "
                      "come to, so that no contact is missed",
            .unit = "pair",
            .vectors_when = WHEN_HIT,
            .has_value = 1,
            .moving = GJB_BOXES_MOVING,
        },
    [GJB_TOI] =
        {
            .id = GJB_TOI,
            .name = "toi",
            .dims = PLANE | SPACE,
            .graded = NULL,
            .k = {{32.0, 32.0}, {32.0, 32.0}},
            .k_of_kind = CURVED_MOVING,
            .k_ceiling = 64.0,
            .reason = "the advance ends while the shapes are proven apart, by more than rounding of the "
                      "transform and of the support gap may hide",
            .unit = "pair",
            .vectors_when = WHEN_HIT,
            .has_value = 1,
            .has_leaving = 1,
            .moving = GJB_MOVING,
        },
    [GJB_MANIFOLD] =
        {
            .id = GJB_MANIFOLD,
            .name = "manifold",
            .dims = PLANE | SPACE,
            .graded = identity,
            .k = {{32.0, 32.0}, {32.0, 32.0}},
            .k_of_kind = CURVED_DEEP,
            .k_ceiling = 256.0,
            .reason = "the normal is that of a signed distance; a point of the patch carries the roundings of its "
                      "edge and of the plane that cuts it, and lies on both shapes",
            .unit = "pair",
            .vectors_when = WHEN_SEPARATED | WHEN_OVERLAPPING,
            .has_value = 1,
            .has_patch = 1,
        },
};

int gjb_query_meets(gjb_query query, unsigned moving)
{
    const unsigned wanted = gjb_queries[query].moving;
    return wanted == GJB_AT_REST ? moving == GJB_AT_REST : moving != GJB_AT_REST && moving <= wanted;
}

const gjb_query_row *gjb_query_find(const char *name)
{
    for (int i = 0; i < GJB_QUERIES; i++)
        if (strcmp(gjb_queries[i].name, name) == 0)
            return &gjb_queries[i];
    return NULL;
}
