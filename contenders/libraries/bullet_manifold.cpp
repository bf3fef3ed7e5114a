/* Contact manifolds as Bullet 3.24's engine finds them: the algorithm that a btCollisionDispatcher with the default
 * configuration has for the types of both shapes, with its btPersistentManifold, which is emptied between pairs.
 *
 * That is btBoxBoxCollisionAlgorithm for two boxes, which prefers faces to edges by 5% (fudge_factor), gives contacts
 * of overlaps alone, and four at most; its own for two spheres and for sphere and triangle; and for all else
 * btConvexConvexAlgorithm, which gives the one deepest point. A manifold of an engine gathers more of those
 * in later steps; an emptied one has none of them, hence `partial`. With polyhedral features
 * (initializePolyhedralFeatures), which a user asks for, hulls that overlap are clipped
 * against each other: "bullet-dispatch-clip".
 *
 * A contact's normal lies on B and points to A, so ours is the other way; its points lie on either shape, in the world,
 * and its distance is negative in overlap. The normal is that of the deepest contact.
 *
 * The manifold's breaking threshold is the margin, but no less than the dispatcher would give the pair: 0.02
 * (gContactBreakingThreshold) of the size of the smaller shape, without which refreshing would drop every contact for
 * its rounding. Contacts that are apart by more than the margin are left out here. Contacts nearer to each other than
 * the threshold are the same to a manifold. m_closestPointDistanceThreshold is the margin, too, which two
 * spheres ask instead.
 *
 * Margins of shapes are our radii, as in contenders/libraries/bullet.cpp. Rounded boxes and triangles are hulls here,
 * since the algorithms for boxes and for spheres take a margin for a part of the box, or leave it out. Clipping
 * knows no margin, so rounded hulls have no features.
 */
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <BulletCollision/CollisionShapes/btPolyhedralConvexShape.h>
#include <BulletCollision/CollisionShapes/btStaticPlaneShape.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include "contenders/libraries/bullet.hpp"
#include "contenders/libraries/hull_faces.h"

using namespace gjb_bullet;

namespace {

std::vector<float> corners_of(const gjb_shapes *shapes, uint32_t index)
{
    const float *rows = static_cast<const float *>(shapes->rows) + 3 * size_t(shapes->first[index]);
    if (shapes->kind[index] != GJB_BOX)
        return std::vector<float>(rows, rows + 3 * size_t(shapes->row_count[index]));
    std::vector<float> corners;
    for (unsigned i = 0; i < 8; i++)
        for (unsigned axis = 0; axis < 3; axis++)
            corners.push_back(i >> axis & 1u ? rows[axis] : -rows[axis]);
    return corners;
}

/* Faces that Bullet finds of what is flat have no inside to clip. */
bool is_solid(const std::vector<float> &corners)
{
    std::vector<double> wide(corners.begin(), corners.end());
    gjb_faces faces;
    const bool solid = gjb_hull_faces(reinterpret_cast<const double(*)[3]>(wide.data()), uint32_t(wide.size() / 3),
                                      &faces) == 0;
    gjb_faces_free(&faces);
    return solid;
}

template <bool Clip> Shape make(const gjb_shapes *shapes, uint32_t index)
{
    const uint32_t kind = shapes->kind[index];
    const bool rounded = static_cast<const float *>(shapes->radius)[index] > 0.0f;
    Shape shape = make_shape<false>(shapes, index);
    if (rounded && (kind == GJB_BOX || kind == GJB_TRIANGLE)) {
        const std::vector<float> corners = corners_of(shapes, index);
        shape.convex = make_hull(corners.data(), uint32_t(corners.size() / 3), shape.radius, false);
    } else if (Clip && !rounded && (kind == GJB_BOX || kind == GJB_HULL) && is_solid(corners_of(shapes, index))) {
        static_cast<btPolyhedralConvexShape *>(shape.convex.get())->initializePolyhedralFeatures();
    }
    return shape;
}

btDefaultCollisionConstructionInfo small_pools()
{
    btDefaultCollisionConstructionInfo info;
    info.m_defaultMaxPersistentManifoldPoolSize = 64;
    info.m_defaultMaxCollisionAlgorithmPoolSize = 64;
    return info;
}

/* Shapes, and what breaks a contact of each. A half-space has a shape that is not convex. */
struct Set {
    Prepared shapes;
    std::vector<std::unique_ptr<btStaticPlaneShape>> planes;
    std::vector<float> breaking;

    btCollisionShape *shape(uint32_t index) const
    {
        if (planes[index] != nullptr)
            return planes[index].get();
        return shapes[index].convex.get();
    }
};

std::unique_ptr<btStaticPlaneShape> plane_of(const gjb_shapes *shapes, uint32_t index)
{
    const float *rows = static_cast<const float *>(shapes->rows) + 3 * size_t(shapes->first[index]);
    if (shapes->kind[index] != GJB_HALFSPACE)
        return nullptr;
    const btVector3 normal(rows[0], rows[1], rows[2]);
    auto plane = std::make_unique<btStaticPlaneShape>(normal.normalized(),
                                                      rows[3] + static_cast<const float *>(shapes->radius)[index]);
    plane->setMargin(0.0f);
    return plane;
}

template <bool Clip> void fill(const gjb_shapes *shapes, Set *set)
{
    gjb_fill_each<Prepared, make<Clip>>(shapes, &set->shapes);
    for (uint32_t i = 0; i < shapes->count; i++) {
        set->planes.push_back(plane_of(shapes, i));
        set->breaking.push_back(set->shape(i)->getContactBreakingThreshold(gContactBreakingThreshold));
    }
}

/* An algorithm with its manifold. */
struct Collider {
    btCollisionAlgorithm *algorithm;
    btPersistentManifold *manifold;
};

/* What a thread has of an engine. */
class Engine
{
public:
    Engine() : configuration_(small_pools()), dispatcher_(&configuration_) {}
    ~Engine()
    {
        for (btCollisionAlgorithm *algorithm : made_) {
            algorithm->~btCollisionAlgorithm();
            dispatcher_.freeCollisionAlgorithm(algorithm);
        }
    }

    const btPersistentManifold &collide(const Body &a, btCollisionShape *of_a, const Body &b, btCollisionShape *of_b,
                                        float margin, float breaking)
    {
        a_.setWorldTransform(a.pose);
        b_.setWorldTransform(b.pose);
        const btCollisionObjectWrapper placed_a(nullptr, of_a, &a_, a.pose, -1, -1);
        const btCollisionObjectWrapper placed_b(nullptr, of_b, &b_, b.pose, -1, -1);
        Collider &collider = colliders_[of_a->getShapeType()][of_b->getShapeType()];
        if (collider.algorithm == nullptr)
            collider = make_collider(of_a, placed_a, of_b, placed_b);
        collider.manifold->clearManifold();
        collider.manifold->setContactBreakingThreshold(std::max(margin, breaking));
        btManifoldResult result(&placed_a, &placed_b);
        result.m_closestPointDistanceThreshold = margin;
        collider.algorithm->processCollision(&placed_a, &placed_b, info_, &result);
        return *collider.manifold;
    }

    /* Of a convex shape and a plane the first is the convex one. */
    bool swapped(const btPersistentManifold &manifold) const { return manifold.getBody0() != &a_; }

private:
    /* One for each two types of shape: that is all it depends on. */
    Collider make_collider(btCollisionShape *a, const btCollisionObjectWrapper &placed_a, btCollisionShape *b,
                           const btCollisionObjectWrapper &placed_b)
    {
        a_.setCollisionShape(a);
        b_.setCollisionShape(b);
        btCollisionAlgorithm *algorithm =
            dispatcher_.findAlgorithm(&placed_a, &placed_b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
        made_.push_back(algorithm);
        btManifoldResult result(&placed_a, &placed_b);
        algorithm->processCollision(&placed_a, &placed_b, info_, &result); /* the first makes the manifold */
        return {algorithm, result.getPersistentManifold()};
    }

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btCollisionObject a_, b_;
    btDispatcherInfo info_;
    Collider colliders_[MAX_BROADPHASE_COLLISION_TYPES][MAX_BROADPHASE_COLLISION_TYPES] = {};
    std::vector<btCollisionAlgorithm *> made_;
};

void answer_pair(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    static thread_local Engine engine;
    const Set &set = *static_cast<const Set *>(prepared);
    const gjb_pose3f origin = pose_of(batch, pair[0]);
    const Body a = place(set.shapes, batch, pair[0], origin), b = place(set.shapes, batch, pair[1], origin);
    const uint32_t of_a = gjb_batch_shape(batch, pair[0]), of_b = gjb_batch_shape(batch, pair[1]);
    const float breaking = std::min(set.breaking[of_a], set.breaking[of_b]);
    const float margin = float(std::min(batch->margin, double(BT_LARGE_FLOAT)));
    const btPersistentManifold &manifold = engine.collide(a, set.shape(of_a), b, set.shape(of_b), margin, breaking);
    const bool swapped = engine.swapped(manifold);
    float least = INFINITY;
    for (int i = 0; i < manifold.getNumContacts(); i++) {
        const btManifoldPoint &contact = manifold.getContactPoint(i);
        const float distance = contact.getDistance();
        double on_a[3], on_b[3];
        if (distance > margin)
            continue;
        store(swapped ? on_b : on_a, contact.getPositionWorldOnA());
        store(swapped ? on_a : on_b, contact.getPositionWorldOnB());
        gjb_answer_contact(answer, on_a, on_b, double(distance), uint32_t(i));
        if (distance < least) {
            least = distance;
            store(answer->normal, swapped ? contact.m_normalWorldOnB : -contact.m_normalWorldOnB);
        }
    }
    answer->status = least <= 0.0f ? GJB_OVERLAPPING : GJB_SEPARATED;
}

void run(const void *prepared, const gjb_batch *batch)
{
    gjb_answer_all(prepared, batch, GJB_F32, 3, batch->query == GJB_MANIFOLD ? answer_pair : gjb_answer_unsupported);
}

template <bool Clip> constexpr gjb_contender contender(const char *name, const char *variant_of, const char *note)
{
    return {.abi_version = GJB_CONTENDER_ABI,
            .struct_size = sizeof(gjb_contender),
            .name = name,
            .version = GJB_BULLET_VERSION,
            .licence = "Zlib",
            .note = note,
            .variant_of = variant_of,
            .dims = 1u << 3,
            .kinds = GJB_KINDS_3D | GJB_CURVED_3D | GJB_UNBOUNDED,
            .queries = 1u << GJB_MANIFOLD,
            .does_more = 0,
            .no_normal = 0,
            .no_points = 0,
            .precisions = 1u << GJB_F32,
            .max_vertices = GJB_NO_VERTEX_LIMIT,
            .ours = 0,
            .tau = {},
            .skin = 0,
            .backends = nullptr,
            .backend_available = nullptr,
            .prepare = gjb_prepare<Set, fill<Clip>>,
            .workspace_size = gjb_no_workspace,
            .run = run,
            .release = gjb_release<Set>,
            .tau_time = 0,
            .partial = 1u << GJB_MANIFOLD,
            .touching_only = 1u << GJB_MANIFOLD,
            .within = 0,
            .unused = 0,
            .leaving = 0,
            .tau_relative = {}};
}

} // namespace

const gjb_contender gjb_bullet::dispatch = contender<false>(
    "bullet-dispatch", nullptr,
    "the dispatcher's algorithms, with an emptied manifold: four contacts of two boxes, in overlap only, and one of "
    "all else; it prefers faces of boxes to edges by 5%; contacts nearer to each other than the margin are one");
const gjb_contender gjb_bullet::dispatch_clip = contender<true>(
    "bullet-dispatch-clip", "bullet-dispatch",
    "the same with initializePolyhedralFeatures: sharp hulls that overlap are clipped against each other");
