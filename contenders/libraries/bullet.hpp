/* What the adapters of Bullet share: shapes and bodies as it takes them. */
#ifndef GJB_CONTENDERS_BULLET_HPP
#define GJB_CONTENDERS_BULLET_HPP

#include <memory>
#include <vector>

#include <BulletCollision/CollisionShapes/btConvexShape.h>

#include "contenders/libraries/adapter.hpp"

namespace gjb_bullet {

struct Shape {
    std::unique_ptr<btConvexShape> convex;
    float radius;
    bool moved; /* `within` is more than the identity: spheres off their origin, capsules */
    btTransform within;
    btVector3 centre; /* inside, in the shape's own frame: where portals start */
};

using Prepared = std::vector<Shape>;

struct Body {
    const Shape *shape;
    btTransform pose;
};

/* A shape with a radius has that as its margin either way. `Shipped`: others have the library's own margin, not 0. */
template <bool Shipped> Shape make_shape(const gjb_shapes *shapes, uint32_t index);
std::unique_ptr<btConvexShape> make_hull(const float *rows, uint32_t count, float radius, bool shipped);
gjb_pose3f pose_of(const gjb_batch *batch, uint32_t index);
Body place(const Prepared &prepared, const gjb_batch *batch, uint32_t index, const gjb_pose3f &origin);
void store(double target[3], const btVector3 &v);
/* By btGjkEpaSolver2::Distance of the cores. */
void cores_apart(const Body &a, const Body &b, const btVector3 &guess, gjb_answer *answer);

/* Of bodies at rest. */
extern const gjb_contender still[5];
/* toi by btContinuousConvexCollision, btGjkConvexCast and btSubsimplexConvexCast, sweep by btRayAabb. */
extern const gjb_contender continuous, gjk_cast, simplex_cast, ray_aabb;
/* manifold by the dispatcher's algorithms; the second clips hulls. */
extern const gjb_contender dispatch, dispatch_clip;

} // namespace gjb_bullet

#endif
