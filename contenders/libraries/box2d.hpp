/* What the adapters of Box2D share: shapes and bodies as it takes them. */
#ifndef GJB_CONTENDERS_BOX2D_HPP
#define GJB_CONTENDERS_BOX2D_HPP

#include <vector>

#include <box2d/b2_circle_shape.h>
#include <box2d/b2_distance.h>
#include <box2d/b2_edge_shape.h>
#include <box2d/b2_polygon_shape.h>

#include "contenders/libraries/adapter.hpp"

namespace gjb_box2d {

constexpr int32 max_cached = 256; /* vertices that b2SimplexCache distinguishes */
constexpr float touching = 10.0f * b2_epsilon; /* what b2TestOverlap calls an overlap: distances below this */
constexpr double edge_preference = 0.001; /* an edge's face to a polygon's: see contenders/libraries/box2d.cpp */
constexpr float impact_tau = 3.25f * b2_linearSlop; /* see contenders/libraries/box2d_motion.cpp */

/* What the hot loops touch, dense; vertices and shapes live in Prepared. */
struct Core {
    const b2Vec2 *vertices;
    int32 count;
    float radius;
    const b2Shape *shape; /* for penetration; null if Box2D has no such shape */
    const b2Shape *touching; /* for manifold, which knows edges, too */
};

struct Prepared {
    std::vector<Core> cores;
    std::vector<b2Vec2> vertices;
    std::vector<b2PolygonShape> polygons;
    std::vector<b2CircleShape> circles;
    std::vector<b2EdgeShape> edges;
};

struct Body {
    const Core *core;
    b2Transform pose;
};

/* `Skinned`: polygons, boxes and segments without a radius have b2_polygonRadius. */
template <bool Skinned> void fill(const gjb_shapes *shapes, Prepared *prepared);
Body body(const Prepared &prepared, const gjb_batch *batch, uint32_t index);
void set_proxy(b2DistanceProxy *proxy, const Core &core);
void core_distance(const Body &a, const Body &b, bool radii, b2DistanceOutput *output, b2SimplexCache *cache);

/* Every query but toi. */
void run_still(const void *prepared, const gjb_batch *batch);
/* toi by b2TimeOfImpact. */
void time_of_impact(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer);

/* Of their own: toi of pairs that do not turn by b2ShapeCast, sweep by b2AABB::RayCast. */
extern const gjb_contender cast, ray_aabb;

} // namespace gjb_box2d

#endif
