/* Bullet 3.24 as two contenders (f32 as packaged): btGjkEpaSolver2, and
 * btGjkPairDetector with EPA for overlaps.
 *
 * Shapes are Bullet's own: boxes, spheres, capsules, triangles, hulls of all
 * stored vertices. Its default margin of 0.04 is taken away: the margin is our
 * radius, and where taking it away from a box would leave rounding behind, the half
 * extents are set again. Spheres and capsules are margin alone, around a
 * point and a segment. Poses are given relative to A's translation.
 *
 * btGjkEpaSolver2 is used on cores, without margins, and the radii are taken
 * off here. It returns witnesses in the world, but a normal in the frame of the first
 * shape, from the second to the first; depths are negative distances.
 * There is no boolean call: intersect is its distance, so it does more than asked.
 *
 * btGjkPairDetector knows margins. Its normal "on B" points from B to A in the
 * world, its point lies on B, and a depth is a negative distance. It always goes on to
 * the depth where cores overlap, so distance does more than asked there. No
 * contact at all, which no limit on the distance excuses here, is a method that gave up.
 *
 * Neither promises an accuracy, hence tau 0.
 */
#include "contenders/rows.h"

#include <cstring>
#include <memory>
#include <vector>

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include "contenders/adapter.hpp"

namespace {

constexpr int capsule_axis = 1;

struct Shape {
    std::unique_ptr<btConvexShape> convex;
    float radius;
    bool moved; /* `within` is more than the identity: spheres off their origin, capsules */
    btTransform within;
};

using Prepared = std::vector<Shape>;

btVector3 vector(const float *row)
{
    return btVector3(row[0], row[1], row[2]);
}

std::unique_ptr<btConvexShape> make_box(const float *half, float radius)
{
    auto box = std::make_unique<btBoxShape>(vector(half));
    box->setMargin(radius);
    box->setImplicitShapeDimensions(vector(half));
    return box;
}

std::unique_ptr<btConvexShape> make_capsule(const float *rows, float radius, btTransform *within)
{
    double ends[2][3];
    for (int i = 0; i < 6; i++)
        ends[i / 3][i % 3] = double(rows[i]);
    gjb_placing frame;
    const double length = gjb_capsule_frame(ends, capsule_axis, &frame);
    const double *r = frame.r;
    within->setOrigin(btVector3(float(frame.t[0]), float(frame.t[1]), float(frame.t[2])));
    within->setBasis(btMatrix3x3(float(r[0]), float(r[1]), float(r[2]), float(r[3]), float(r[4]), float(r[5]),
                                 float(r[6]), float(r[7]), float(r[8])));
    return std::make_unique<btCapsuleShape>(radius, float(length));
}

std::unique_ptr<btConvexShape> make_hull(const float *rows, uint32_t count, float radius)
{
    auto hull = std::make_unique<btConvexHullShape>();
    for (uint32_t i = 0; i < count; i++)
        hull->addPoint(vector(rows + 3 * i), false);
    hull->recalcLocalAabb();
    hull->setMargin(radius);
    return hull;
}

Shape make_shape(const gjb_shapes *shapes, uint32_t index)
{
    const float *rows = static_cast<const float *>(shapes->rows) + 3 * size_t(shapes->first[index]);
    Shape shape = {nullptr, static_cast<const float *>(shapes->radius)[index], false, btTransform::getIdentity()};
    switch (gjb_kind(shapes->kind[index])) {
    case GJB_POINT:
        shape.convex = std::make_unique<btSphereShape>(shape.radius);
        shape.within.setOrigin(vector(rows));
        shape.moved = true;
        break;
    case GJB_SEGMENT:
        if (shape.radius > 0.0f) {
            shape.convex = make_capsule(rows, shape.radius, &shape.within);
            shape.moved = true;
        } else {
            shape.convex = make_hull(rows, 2, 0.0f);
        }
        break;
    case GJB_TRIANGLE:
        shape.convex = std::make_unique<btTriangleShape>(vector(rows), vector(rows + 3), vector(rows + 6));
        shape.convex->setMargin(shape.radius);
        break;
    case GJB_BOX:
        shape.convex = make_box(rows, shape.radius);
        break;
    default:
        shape.convex = make_hull(rows, shapes->row_count[index], shape.radius);
    }
    return shape;
}

struct Body {
    const Shape *shape;
    btTransform pose;
};

gjb_pose3f pose_of(const gjb_batch *batch, uint32_t index)
{
    gjb_pose3f pose;
    std::memcpy(&pose, gjb_batch_pose(batch, index), sizeof pose);
    return pose;
}

Body place(const Prepared &prepared, const gjb_batch *batch, uint32_t index, const gjb_pose3f &origin)
{
    const gjb_pose3f p = pose_of(batch, index);
    const Shape &shape = prepared[gjb_batch_shape(batch, index)];
    btTransform pose(btQuaternion(p.qx, p.qy, p.qz, p.qw),
                     btVector3(p.x - origin.x, p.y - origin.y, p.z - origin.z));
    return {&shape, shape.moved ? pose * shape.within : pose};
}

void store(double target[3], const btVector3 &v)
{
    for (int i = 0; i < 3; i++)
        target[i] = double(v[i]);
}

/* --- btGjkEpaSolver2 --------------------------------------------------------- */

using Results = btGjkEpaSolver2::sResults;

/* Radii pushed out along the normal. */
void from_cores(const Body &a, const Body &b, const Results &found, gjb_answer *answer)
{
    const float ra = a.shape->radius, rb = b.shape->radius, sigma = found.distance - (ra + rb);
    const btVector3 normal = -(a.pose.getBasis() * found.normal);
    answer->status = sigma > 0.0f ? GJB_SEPARATED : GJB_OVERLAPPING;
    answer->sigma = double(sigma);
    store(answer->normal, normal);
    store(answer->point_a, found.witnesses[0] + ra * normal);
    store(answer->point_b, found.witnesses[1] - rb * normal);
}

gjb_status failure(const Results &found)
{
    return found.status == Results::GJK_Failed || found.status == Results::EPA_Failed ? GJB_ITERATION_LIMIT
           : found.status == Results::Separated                                       ? GJB_SEPARATED
                                                                                      : GJB_OVERLAPPING;
}

void cores_apart(const Body &a, const Body &b, const btVector3 &guess, gjb_answer *answer)
{
    Results found;
    if (btGjkEpaSolver2::Distance(a.shape->convex.get(), a.pose, b.shape->convex.get(), b.pose, guess, found))
        from_cores(a, b, found, answer);
    else
        answer->status = failure(found);
}

void cores_overlap(const Body &a, const Body &b, const btVector3 &guess, gjb_answer *answer)
{
    Results found;
    if (btGjkEpaSolver2::Penetration(a.shape->convex.get(), a.pose, b.shape->convex.get(), b.pose, guess, found,
                                     false))
        from_cores(a, b, found, answer);
    else
        answer->status = failure(found);
}

/* Distance of the cores where the query needs it or the radii may, then their depth
 * where that says no more than "overlapping". */
void gjkepa(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const Prepared &shapes = *static_cast<const Prepared *>(prepared);
    const gjb_pose3f origin = pose_of(batch, pair[0]);
    const Body a = place(shapes, batch, pair[0], origin), b = place(shapes, batch, pair[1], origin);
    const btVector3 guess = b.pose.getOrigin() - a.pose.getOrigin();
    const bool sharp = a.shape->radius + b.shape->radius == 0.0f, depth_alone = batch->query == GJB_PENETRATION && sharp;
    if (!depth_alone) {
        cores_apart(a, b, guess, answer);
        const bool told = answer->normal[0] != 0 || answer->normal[1] != 0 || answer->normal[2] != 0;
        if (told || answer->status != GJB_OVERLAPPING || batch->query == GJB_INTERSECT || batch->query == GJB_DISTANCE)
            return;
    }
    cores_overlap(a, b, guess, answer);
}

void run_gjkepa(const void *prepared, const gjb_batch *batch)
{
    gjb_answer_all(prepared, batch, GJB_F32, 3, gjkepa);
}

/* --- btGjkPairDetector ------------------------------------------------------- */

struct Contact : public btDiscreteCollisionDetectorInterface::Result {
    bool found = false;
    btVector3 on_b, point;
    float distance = 0.0f;

    void setShapeIdentifiersA(int, int) override {}
    void setShapeIdentifiersB(int, int) override {}
    void addContactPoint(const btVector3 &normal, const btVector3 &at, btScalar depth) override
    {
        found = true;
        on_b = normal;
        point = at;
        distance = depth;
    }
};

void detect(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const Prepared &shapes = *static_cast<const Prepared *>(prepared);
    const gjb_pose3f origin = pose_of(batch, pair[0]);
    const Body a = place(shapes, batch, pair[0], origin), b = place(shapes, batch, pair[1], origin);
    btVoronoiSimplexSolver simplex; /* one a call: never shared between threads */
    btGjkEpaPenetrationDepthSolver depths;
    btGjkPairDetector detector(a.shape->convex.get(), b.shape->convex.get(), &simplex, &depths);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = a.pose;
    input.m_transformB = b.pose;
    Contact contact;
    detector.getClosestPoints(input, contact, nullptr);
    answer->iterations = unsigned(detector.m_curIter);
    answer->status = !contact.found            ? GJB_ITERATION_LIMIT
                     : contact.distance > 0.0f ? GJB_SEPARATED
                                               : GJB_OVERLAPPING;
    answer->sigma = double(contact.distance);
    store(answer->normal, -contact.on_b);
    store(answer->point_a, contact.point + contact.distance * contact.on_b);
    store(answer->point_b, contact.point);
}

void run_pair(const void *prepared, const gjb_batch *batch)
{
    gjb_answer_all(prepared, batch, GJB_F32, 3, batch->query == GJB_INTERSECT ? gjb_answer_unsupported : detect);
}

constexpr gjb_contender contender(const char *name, const char *note, uint32_t queries, uint32_t does_more,
                                  void (*run)(const void *, const gjb_batch *))
{
    return {.abi_version = GJB_CONTENDER_ABI,
            .struct_size = sizeof(gjb_contender),
            .name = name,
            .version = GJB_BULLET_VERSION,
            .licence = "Zlib",
            .note = note,
            .variant_of = nullptr,
            .dims = 1u << 3,
            .kinds = GJB_KINDS_3D,
            .queries = queries,
            .does_more = does_more,
            .precisions = 1u << GJB_F32,
            .max_vertices = GJB_NO_VERTEX_LIMIT,
            .ours = 0,
            .tau = {0, 0, 0, 0},
            .skin = 0,
            .backends = nullptr,
            .backend_available = nullptr,
            .prepare = gjb_prepare<Prepared, gjb_fill_each<Prepared, make_shape>>,
            .workspace_size = gjb_no_workspace,
            .run = run,
            .release = gjb_release<Prepared>};
}

} // namespace

static const gjb_contender with_gjkepa =
    contender("bullet-gjkepa", "btGjkEpaSolver2; it has no boolean: intersect is its distance",
              (1u << GJB_QUERIES) - 1, 1u << GJB_INTERSECT, run_gjkepa);
static const gjb_contender with_pair =
    contender("bullet-pair", "btGjkPairDetector with EPA; distance goes on to the depth of what overlaps",
              1u << GJB_DISTANCE | 1u << GJB_PENETRATION | 1u << GJB_SIGNED_DISTANCE, 1u << GJB_DISTANCE, run_pair);

const gjb_contender *const gjb_contenders_bullet[] = {&with_gjkepa, &with_pair, nullptr};
