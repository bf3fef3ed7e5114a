/* Bullet 3.24 as two contenders (f32 as packaged): btGjkEpaSolver2, and
 * btGjkPairDetector with EPA for overlaps; and what else it offers as variants of these.
 *
 * Shapes are Bullet's own: boxes, spheres, capsules, triangles, cylinders, cones, hulls of all
 * stored vertices; ellipsoids and superellipsoids, which it has none of, are convex shapes of the user's (ours)
 * with a support mapping in f32. Its default margin of 0.04 is taken away: the margin is our
 * radius, and where taking it away from a box or cylinder would leave rounding behind, the half
 * extents are set again. Spheres and capsules are margin alone, around a
 * point and a segment, and around the cores of cones and of what is ours. Poses are given relative to A's translation.
 *
 * btGjkEpaSolver2 is used on cores, without margins, and the radii are taken
 * off here. It returns witnesses in the world, but a normal in the frame of the first
 * shape, from the second to the first; depths are negative distances.
 * There is no boolean call: intersect is its distance, so it does more than asked.
 *
 * btGjkPairDetector knows margins. Its normal "on B" points from B to A in the
 * world, its point lies on B, and a depth is a negative distance. It always goes on to
 * the depth if cores overlap, so distance does more than asked there. No
 * contact at all, which no limit on the distance excuses here, is a method that gave up.
 *
 * Neither promises an accuracy, hence tau 0.
 *
 * Variants of btGjkPairDetector: with btMinkowskiPenetrationDepthSolver, which samples directions (with no
 * solver at all "no contact" is both an overlap and a loop that gave up, so there is nothing to
 * grade); and with the margin that shapes ship with,
 * CONVEX_DISTANCE_MARGIN: hulls, triangles, cones and what is ours are grown by it, boxes and cylinders keep their size and lose
 * their corners. That makes twice 0.04 of skin. Variant of btGjkEpaSolver2: btComputeMprPenetration, portal
 * refinement, on shapes with margins. Its direction is that in which B is to be moved, as our normal, and its
 * boundary tolerance is 1e-6 (BT_MPR_TOLERANCE). What it calls the point on B lies half way between
 * both surfaces, as in libccd, where it comes from, and is taken for that; the depth along the last portal is by design not the least.
 */
#include <cstring>
#include <memory>
#include <mutex>
#include <type_traits>
#include <vector>

#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btMinkowskiPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btMprPenetration.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include "contenders/libraries/bullet.hpp"

using namespace gjb_bullet;

gjb_pose3f gjb_bullet::pose_of(const gjb_batch *batch, uint32_t index)
{
    gjb_pose3f pose;
    std::memcpy(&pose, gjb_batch_pose(batch, index), sizeof pose);
    return pose;
}

Body gjb_bullet::place(const Prepared &prepared, const gjb_batch *batch, uint32_t index, const gjb_pose3f &origin)
{
    const gjb_pose3f p = pose_of(batch, index);
    const Shape &shape = prepared[gjb_batch_shape(batch, index)];
    btTransform pose(btQuaternion(p.qx, p.qy, p.qz, p.qw),
                     btVector3(p.x - origin.x, p.y - origin.y, p.z - origin.z));
    return {&shape, shape.moved ? pose * shape.within : pose};
}

void gjb_bullet::store(double target[3], const btVector3 &v)
{
    for (int i = 0; i < 3; i++)
        target[i] = double(v[i]);
}

/* --- btGjkEpaSolver2 --------------------------------------------------------- */

namespace {

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

} // namespace

void gjb_bullet::cores_apart(const Body &a, const Body &b, const btVector3 &guess, gjb_answer *answer)
{
    Results found;
    if (btGjkEpaSolver2::Distance(a.shape->convex.get(), a.pose, b.shape->convex.get(), b.pose, guess, found))
        from_cores(a, b, found, answer);
    else
        answer->status = failure(found);
}

namespace {

void cores_overlap(const Body &a, const Body &b, const btVector3 &guess, gjb_answer *answer)
{
    Results found;
    if (btGjkEpaSolver2::Penetration(a.shape->convex.get(), a.pose, b.shape->convex.get(), b.pose, guess, found,
                                     false))
        from_cores(a, b, found, answer);
    else
        answer->status = failure(found);
}

/* Distance of the cores if the query needs it or the radii may, then their depth
 * if that says no more than "overlapping". */
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

/* btMinkowskiPenetrationDepthSolver writes to a static list of directions in every call. */
template <class DepthSolver> std::unique_lock<std::mutex> alone()
{
    static std::mutex one;
    return std::is_same<DepthSolver, btMinkowskiPenetrationDepthSolver>::value ? std::unique_lock<std::mutex>(one)
                                                                             : std::unique_lock<std::mutex>();
}

template <class DepthSolver> void detect(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const Prepared &shapes = *static_cast<const Prepared *>(prepared);
    const gjb_pose3f origin = pose_of(batch, pair[0]);
    const Body a = place(shapes, batch, pair[0], origin), b = place(shapes, batch, pair[1], origin);
    btVoronoiSimplexSolver simplex; /* one a call: never shared between threads */
    DepthSolver depths;
    btGjkPairDetector detector(a.shape->convex.get(), b.shape->convex.get(), &simplex, &depths);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = a.pose;
    input.m_transformB = b.pose;
    Contact contact;
    const std::unique_lock<std::mutex> lock = alone<DepthSolver>();
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

template <class DepthSolver> void run_pair(const void *prepared, const gjb_batch *batch)
{
    gjb_answer_all(prepared, batch, GJB_F32, 3,
                   batch->query == GJB_INTERSECT ? gjb_answer_unsupported : detect<DepthSolver>);
}

/* --- btComputeMprPenetration -------------------------------------------------- */

/* As its templates want a shape. */
struct Placed {
    const Body &body;

    const btTransform &getWorldTransform() const { return body.pose; }
    btVector3 getObjectCenterInWorld() const { return body.pose(body.shape->centre); }
    btVector3 getLocalSupportWithMargin(const btVector3 &direction) const
    {
        return body.shape->convex->localGetSupportingVertex(direction);
    }
};

void mpr(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const Prepared &shapes = *static_cast<const Prepared *>(prepared);
    const gjb_pose3f origin = pose_of(batch, pair[0]);
    const Body a = place(shapes, batch, pair[0], origin), b = place(shapes, batch, pair[1], origin);
    btMprDistanceInfo found;
    const bool hit = btComputeMprPenetration(Placed{a}, Placed{b}, btMprCollisionDescription(), &found) == 0;
    answer->status = hit ? GJB_OVERLAPPING : GJB_SEPARATED;
    if (!hit)
        return;
    answer->sigma = double(found.m_distance);
    store(answer->normal, -found.m_normalBtoA);
    double middle[3];
    store(middle, found.m_pointOnB);
    gjb_answer_about(answer, middle);
}

void run_mpr(const void *prepared, const gjb_batch *batch)
{
    const bool known = batch->query == GJB_INTERSECT || batch->query == GJB_PENETRATION;
    gjb_answer_all(prepared, batch, GJB_F32, 3, known ? mpr : gjb_answer_unsupported);
}

/* --- the table --------------------------------------------------------------- */

struct Configuration {
    const char *name, *variant_of, *note;
    uint32_t queries, does_more;
    void (*run)(const void *, const gjb_batch *);
    double tau = 0;
    bool shipped = false; /* margins */
    uint32_t no_points = 0;
};

constexpr gjb_contender contender(const Configuration &c)
{
    return {.abi_version = GJB_CONTENDER_ABI,
            .struct_size = sizeof(gjb_contender),
            .name = c.name,
            .version = GJB_BULLET_VERSION,
            .licence = "Zlib",
            .note = c.note,
            .variant_of = c.variant_of,
            .dims = 1u << 3,
            .kinds = GJB_KINDS_3D | GJB_CURVED_3D,
            .queries = c.queries,
            .does_more = c.does_more,
            .no_normal = 0,
            .no_points = c.no_points,
            .precisions = 1u << GJB_F32,
            .max_vertices = GJB_NO_VERTEX_LIMIT,
            .ours = 0,
            .tau = {c.tau, c.tau, c.tau, c.tau},
            .skin = c.shipped ? 2 * double(CONVEX_DISTANCE_MARGIN) : 0,
            .backends = nullptr,
            .backend_available = nullptr,
            .prepare = c.shipped ? gjb_prepare<Prepared, gjb_fill_each<Prepared, make_shape<true>>>
                                 : gjb_prepare<Prepared, gjb_fill_each<Prepared, make_shape<false>>>,
            .workspace_size = gjb_no_workspace,
            .run = c.run,
            .release = gjb_release<Prepared>,
            .tau_time = 0,
            .partial = 0,
            .touching_only = 0,
            .within = 0,
            .unused = 0,
            .leaving = 0,
            .tau_relative = {}};
}

constexpr uint32_t intersect = 1u << GJB_INTERSECT, apart = 1u << GJB_DISTANCE, depth = 1u << GJB_PENETRATION,
                   both = 1u << GJB_SIGNED_DISTANCE;

} // namespace

const gjb_contender gjb_bullet::still[] = {
    contender({"bullet-gjkepa", nullptr, "btGjkEpaSolver2; it has no boolean: intersect is its distance",
               intersect | apart | depth | both, intersect, run_gjkepa}),
    contender({"bullet-pair", nullptr, "btGjkPairDetector with EPA; distance goes on to the depth of what overlaps",
               apart | depth | both, apart, run_pair<btGjkEpaPenetrationDepthSolver>}),
    contender({"bullet-pair-minkowski", "bullet-pair",
               "btGjkPairDetector with btMinkowskiPenetrationDepthSolver: depth by sampling directions",
               apart | depth | both, apart, run_pair<btMinkowskiPenetrationDepthSolver>}),
    contender({"bullet-pair-margin", "bullet-pair",
               "btGjkPairDetector with EPA, and the collision margin of 0.04 that shapes ship with",
               apart | depth | both, apart, run_pair<btGjkEpaPenetrationDepthSolver>, 0, true}),
    contender({"bullet-mpr", "bullet-gjkepa", "btComputeMprPenetration; its depth is by design not the least",
               intersect | depth, intersect, run_mpr, double(BT_MPR_TOLERANCE), false, depth}),
};
