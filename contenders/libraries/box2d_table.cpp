/* The contenders that Box2D is: see contenders/libraries/box2d.cpp and box2d_motion.cpp. */
#include "contenders/contender_lists.h"

#include "contenders/libraries/box2d.hpp"

using namespace gjb_box2d;

namespace {

void run(const void *prepared, const gjb_batch *batch)
{
    if (batch->query == GJB_TOI)
        gjb_answer_all(prepared, batch, GJB_F32, 2, time_of_impact);
    else
        run_still(prepared, batch);
}

template <bool Skinned> constexpr gjb_contender contender(const char *name, const char *variant_of, const char *note)
{
    return {.abi_version = GJB_CONTENDER_ABI,
            .struct_size = sizeof(gjb_contender),
            .name = name,
            .version = GJB_BOX2D_VERSION,
            .licence = "MIT",
            .note = note,
            .variant_of = variant_of,
            .dims = 1u << 2,
            .kinds = GJB_KINDS_2D,
            .queries = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE | 1u << GJB_PENETRATION | 1u << GJB_TOI |
                       1u << GJB_MANIFOLD,
            .does_more = 1u << GJB_PENETRATION,
            .no_normal = 1u << GJB_DISTANCE | 1u << GJB_TOI,
            .no_points = 1u << GJB_TOI,
            .precisions = 1u << GJB_F32,
            .max_vertices = GJB_NO_VERTEX_LIMIT,
            .ours = 0,
            .tau = {touching, touching, 0.1 * b2_linearSlop, 0, 0, impact_tau, edge_preference},
            .skin = Skinned ? 2 * b2_polygonRadius : 0,
            .backends = nullptr,
            .backend_available = nullptr,
            .prepare = gjb_prepare<Prepared, fill<Skinned>>,
            .workspace_size = gjb_no_workspace,
            .run = run,
            .release = gjb_release<Prepared>,
            .tau_time = 0,
            .partial = 0,
            .touching_only = 1u << GJB_MANIFOLD,
            .within = 0,
            .unused = 0,
            .leaving = 0,
            .tau_relative = {}};
}

const gjb_contender sharp = contender<false>(
    "box2d", nullptr,
    "penetration is its contact manifold: it also clips a contact; contacts in overlap only; Debian's build has "
    "assertions compiled in");
const gjb_contender skinned = contender<true>(
    "box2d-skin", "box2d",
    "as it ships: polygons and edges have a skin of 0.01 each (b2_polygonRadius); contacts in overlap of skins only");

} // namespace

const gjb_contender *const gjb_contenders_box2d[] = {&sharp, &skinned, &cast, &ray_aabb, nullptr};
