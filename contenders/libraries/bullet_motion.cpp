/* Bullet 3.24 in motion (f32 as packaged): its three convex casts for toi, and a ray for sweep. Each sees A
 * stay where it is, and B move as A sees it: times are the same, and nothing is lost far from the origin.
 *
 * btContinuousConvexCollision ("bullet-ccd") is conservative advancement with rotation, from transforms at t
 * = 0 to those at t = 1: it draws velocities from these by btTransformUtil, which holds every turn to
 * ANGULAR_MOTION_THRESHOLD, an eighth of a turn; pairs with a body that turns more are unsupported. Bodies
 * turn about the origin of their transform, so a sphere or capsule whose centre is not ours is a hull of one
 * or two points with its radius as margin. btGjkConvexCast ("bullet-gjkcast") and btSubsimplexConvexCast
 * ("bullet-simplexcast", van den Bergen's) move without turning: pairs that turn are unsupported.
 *
 * The first two end if the distance is at most 0.001, written in their sources; the third if its square
 * is at most m_subSimplexCastEpsilon, 0.0001 by default: 0.001 and 0.01 are tau. Allowed penetration 0,
 * margins as in contenders/libraries/bullet.cpp. Their normal points from B to A in the world, their point lies on B.
 * "No" means that nothing is hit, or that the shapes overlap and part, or (btSubsimplexConvexCast) overlap at
 * all, which its documentation wants looked at beforehand: where "no" came before any step, btGjkEpaSolver2's
 * distance tells. 1 to 32 and more steps are counted by CastResult::DebugDraw, and what gave up says so by
 * reportFailure; but btGjkConvexCast, which at 32 only says "no".
 *
 * btRayAabb ("bullet-ray"): a ray at the sum of both boxes. Starting inside is a hit at 0 without a normal;
 * its normal points into the box.
 */
#include "contenders/contender_lists.h"

#include <cmath>

#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btSubSimplexConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <LinearMath/btAabbUtil2.h>
#include <LinearMath/btTransformUtil.h>

#include "contenders/libraries/bullet.hpp"

using namespace gjb_bullet;

namespace {

constexpr unsigned most_steps = 32; /* of btGjkConvexCast */

Shape make_moving(const gjb_shapes *shapes, uint32_t index)
{
    Shape shape = make_shape<false>(shapes, index);
    if (shape.within.getOrigin() != btVector3(0, 0, 0)) {
        const float *rows = static_cast<const float *>(shapes->rows) + 3 * size_t(shapes->first[index]);
        shape.convex = make_hull(rows, shapes->row_count[index], shape.radius, false);
        shape.within.setIdentity();
        shape.moved = false;
    }
    return shape;
}

template <class Number> btVector3 vector(const Number v[3])
{
    return {btScalar(v[0]), btScalar(v[1]), btScalar(v[2])};
}

btTransform end_of(const btTransform &from, const double motion[6])
{
    const btVector3 turn = vector(motion + 3);
    btTransform to = from;
    to.getOrigin() += vector(motion);
    if (!turn.isZero())
        to.setBasis(btMatrix3x3(btQuaternion(turn, turn.length())) * from.getBasis());
    return to;
}

double angle_of(const double motion[6])
{
    return std::hypot(motion[3], motion[4], motion[5]);
}

/* What a cast tells apart from its answer. */
struct Watch : public btConvexCast::CastResult {
    unsigned steps = 0;
    bool failed = false;

    void DebugDraw(btScalar) override { steps++; }
    void reportFailure(int, int) override { failed = true; }
};

struct Way {
    Body a, b;
    btTransform end_a, end_b;
};

bool by(btConvexCast *cast, const Way &way, Watch *watch)
{
    return cast->calcTimeOfImpact(way.a.pose, way.end_a, way.b.pose, way.end_b, *watch);
}

bool by_advancement(const Way &way, Watch *watch)
{
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depths;
    btContinuousConvexCollision cast(way.a.shape->convex.get(), way.b.shape->convex.get(), &simplex, &depths);
    return by(&cast, way, watch);
}

bool by_gjk(const Way &way, Watch *watch)
{
    btVoronoiSimplexSolver simplex;
    btGjkConvexCast cast(way.a.shape->convex.get(), way.b.shape->convex.get(), &simplex);
    const bool hit = by(&cast, way, watch);
    watch->failed = !hit && watch->steps >= most_steps;
    return hit;
}

bool by_subsimplex(const Way &way, Watch *watch)
{
    btVoronoiSimplexSolver simplex;
    btSubsimplexConvexCast cast(way.a.shape->convex.get(), way.b.shape->convex.get(), &simplex);
    return by(&cast, way, watch);
}

template <bool (*Cast)(const Way &, Watch *)>
void impact(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const Prepared &shapes = *static_cast<const Prepared *>(prepared);
    const gjb_pose3f origin = pose_of(batch, pair[0]);
    const double most_turn = Cast == by_advancement ? double(ANGULAR_MOTION_THRESHOLD) : 0;
    double motion_a[6], motion_b[6];
    gjb_relative_motions(batch, GJB_F32, 3, pair, motion_a, motion_b);
    if (angle_of(motion_a) > most_turn || angle_of(motion_b) > most_turn)
        return;
    const Body a = place(shapes, batch, pair[0], origin), b = place(shapes, batch, pair[1], origin);
    const Way way = {a, b, end_of(a.pose, motion_a), end_of(b.pose, motion_b)};
    Watch watch;
    watch.m_fraction = 1;
    if (Cast(way, &watch)) {
        answer->status = watch.m_fraction > 0 ? GJB_HIT : GJB_OVERLAPPING;
        answer->sigma = double(watch.m_fraction);
        store(answer->normal, -watch.m_normal);
        store(answer->point_a, watch.m_hitPoint);
        store(answer->point_b, watch.m_hitPoint);
    } else if (watch.failed) {
        answer->status = GJB_ITERATION_LIMIT;
    } else if (watch.steps > 0) {
        answer->status = GJB_SEPARATED;
    } else {
        cores_apart(a, b, b.pose.getOrigin() - a.pose.getOrigin(), answer);
    }
    answer->iterations = watch.steps;
}

template <bool (*Cast)(const Way &, Watch *)> void run(const void *prepared, const gjb_batch *batch)
{
    gjb_answer_all(prepared, batch, GJB_F32, 3, batch->query == GJB_TOI ? impact<Cast> : gjb_answer_unsupported);
}

bool ray_cast(const gjb_ray &ray, float *fraction, float normal[3])
{
    btVector3 into(0, 0, 0);
    *fraction = 1.0f;
    if (!btRayAabb(vector(ray.from), vector(ray.to), vector(ray.low), vector(ray.high), *fraction, into))
        return false;
    for (int i = 0; i < 3; i++)
        normal[i] = -into[i];
    return true;
}

struct Configuration {
    const char *name, *variant_of, *note;
    uint32_t kinds, queries, no_points;
    double tau;
    void *(*prepare)(const gjb_shapes *, const char *);
    void (*run)(const void *, const gjb_batch *);
    void (*release)(void *);
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
            .kinds = c.kinds,
            .queries = c.queries,
            .does_more = 0,
            .no_normal = 0,
            .no_points = c.no_points,
            .precisions = 1u << GJB_F32,
            .max_vertices = GJB_NO_VERTEX_LIMIT,
            .ours = 0,
            .tau = {0, 0, 0, 0, 0, c.tau},
            .skin = 0,
            .backends = nullptr,
            .backend_available = nullptr,
            .prepare = c.prepare,
            .workspace_size = gjb_no_workspace,
            .run = c.run,
            .release = c.release,
            .tau_time = 0,
            .partial = 0,
            .touching_only = 0,
            .within = 0,
            .unused = 0,
            .leaving = 0,
            .tau_relative = {}};
}

template <bool (*Cast)(const Way &, Watch *)>
constexpr gjb_contender cast(const char *name, const char *variant_of, const char *note, double tau)
{
    return contender({name, variant_of, note, GJB_KINDS_3D | GJB_CURVED_3D, 1u << GJB_TOI, 0, tau,
                      gjb_prepare<Prepared, gjb_fill_each<Prepared, make_moving>>, run<Cast>, gjb_release<Prepared>});
}

} // namespace

const gjb_contender gjb_bullet::continuous =
    cast<by_advancement>("bullet-ccd", nullptr,
                         "btContinuousConvexCollision: pairs whose bodies turn by an eighth of a turn at most", 1e-3);
const gjb_contender gjb_bullet::gjk_cast =
    cast<by_gjk>("bullet-gjkcast", "bullet-ccd", "btGjkConvexCast: pairs that do not turn", 1e-3);
const gjb_contender gjb_bullet::simplex_cast =
    cast<by_subsimplex>("bullet-simplexcast", "bullet-ccd", "btSubsimplexConvexCast: pairs that do not turn", 1e-2);
const gjb_contender gjb_bullet::ray_aabb = contender(
    {"bullet-ray", "bullet-ccd", "btRayAabb at the sum of both boxes, once from each end of the step",
     1u << GJB_POINT | 1u << GJB_BOX | 1u << GJB_AABB, 1u << GJB_SWEEP, 1u << GJB_SWEEP, 0,
     gjb_prepare<gjb_all_corners, gjb_fill_each<gjb_all_corners, gjb_make_corners>>,
     gjb_run_sweep_by_ray<3, ray_cast>, gjb_release<gjb_all_corners>});
