/* Box2D 2.4.1 in motion (f32): b2TimeOfImpact as toi of the contenders in contenders/libraries/box2d.cpp, and two of
 * their own. Each sees A stay where it is, and B move as A sees it: times are the same, and nothing is lost
 * far from the origin.
 *
 * b2TimeOfImpact takes sweeps, translation and angle from t = 0 to tMax, linear in between, about the centre
 * of mass, which is put at the local origin; angles of many turns are taken. It advances to where cores are as
 * far apart as its target, max(b2_linearSlop, both radii - 3 b2_linearSlop), within a quarter of
 * b2_linearSlop: sharp shapes stop 0.005 early, round ones up to 3 b2_linearSlop deep, so impact_tau is 3.25
 * of them. e_touching at t = 0 and e_overlapped mean GJB_OVERLAPPING; e_failed (20 iterations, or a root that
 * is not found) is the limit. It may miss contacts that do not tunnel, says its header. It gives neither
 * normal nor points (b2Distance is to tell them), nor counts what it did per call. Its features are 8 bits
 * wide, hence no more than 256 vertices.
 *
 * b2ShapeCast ("box2d-cast") moves B without turning; pairs that turn are unsupported. It gives every shape a
 * radius of b2_polygonRadius at least, and stops within half of b2_linearSlop of a core distance of
 * max(b2_polygonRadius, both radii - b2_polygonRadius): tau is the sum of both. Its normal points from A to
 * B, as ours; its point lies on A so fattened, and is moved back by what was added. "No" means no hit or an
 * overlap at t = 0 alike: b2Distance, on the radii as they are, then tells which, as the first look of
 * b2TimeOfImpact does.
 *
 * b2AABB::RayCast ("box2d-ray"): the only way that Box2D has of sweeping unturned boxes, a ray at the sum of
 * both. It says no if the ray starts inside, so b2TestOverlap of boxes goes first.
 */
#include <cmath>

#include <box2d/b2_collision.h>
#include <box2d/b2_time_of_impact.h>

#include "contenders/libraries/box2d.hpp"

using namespace gjb_box2d;

namespace {

/* B's translation relative to A's; rounded once. */
b2Vec2 between(const Body &a, const Body &b)
{
    return b2Vec2(float(double(b.pose.p.x) - double(a.pose.p.x)), float(double(b.pose.p.y) - double(a.pose.p.y)));
}

b2Sweep sweep_of(const b2Rot &turned, const b2Vec2 &at, const double motion[6])
{
    b2Sweep sweep;
    const double angle = std::atan2(double(turned.s), double(turned.c));
    sweep.localCenter.SetZero();
    sweep.c0 = at;
    sweep.c.Set(float(double(at.x) + motion[0]), float(double(at.y) + motion[1]));
    sweep.a0 = float(angle);
    sweep.a = float(angle + motion[2]);
    sweep.alpha0 = 0.0f;
    return sweep;
}

void store(double target[3], const b2Vec2 &v)
{
    target[0] = double(v.x);
    target[1] = double(v.y);
}

} // namespace

void gjb_box2d::time_of_impact(const void *prepared, const gjb_batch *batch, const uint32_t *pair,
                               gjb_answer *answer)
{
    const Prepared &p = *static_cast<const Prepared *>(prepared);
    const Body a = body(p, batch, pair[0]), b = body(p, batch, pair[1]);
    if (a.core->count > max_cached || b.core->count > max_cached)
        return;
    double motion_a[6], motion_b[6];
    gjb_relative_motions(batch, GJB_F32, 2, pair, motion_a, motion_b);
    b2TOIInput input;
    set_proxy(&input.proxyA, *a.core);
    set_proxy(&input.proxyB, *b.core);
    input.sweepA = sweep_of(a.pose.q, b2Vec2(0.0f, 0.0f), motion_a);
    input.sweepB = sweep_of(b.pose.q, between(a, b), motion_b);
    input.tMax = 1.0f;
    b2TOIOutput output;
    b2TimeOfImpact(&output, &input);
    switch (output.state) {
    case b2TOIOutput::e_separated:
        answer->status = GJB_SEPARATED;
        break;
    case b2TOIOutput::e_touching:
        answer->status = output.t > 0.0f ? GJB_HIT : GJB_OVERLAPPING;
        break;
    case b2TOIOutput::e_overlapped:
        answer->status = GJB_OVERLAPPING;
        break;
    default:
        answer->status = GJB_ITERATION_LIMIT;
    }
    answer->sigma = double(output.t);
}

namespace {

constexpr double cast_tau = double(b2_polygonRadius) + 0.5 * double(b2_linearSlop);

void shape_cast(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const Prepared &p = *static_cast<const Prepared *>(prepared);
    Body a = body(p, batch, pair[0]), b = body(p, batch, pair[1]);
    double motion_a[6], motion_b[6];
    if (gjb_relative_motions(batch, GJB_F32, 2, pair, motion_a, motion_b))
        return;
    b.pose.p = between(a, b);
    a.pose.p.SetZero();
    b2ShapeCastInput input;
    set_proxy(&input.proxyA, *a.core);
    set_proxy(&input.proxyB, *b.core);
    input.transformA = a.pose;
    input.transformB = b.pose;
    input.translationB.Set(float(motion_b[0]), float(motion_b[1]));
    b2ShapeCastOutput output;
    const bool hit = b2ShapeCast(&output, &input);
    answer->iterations = unsigned(output.iterations);
    if (!hit) {
        b2DistanceOutput at_start;
        b2SimplexCache cache;
        core_distance(a, b, false, &at_start, &cache);
        const bool apart = at_start.distance - (a.core->radius + b.core->radius) >= touching;
        answer->status = apart ? GJB_SEPARATED : GJB_OVERLAPPING;
        return;
    }
    const float added = b2Max(a.core->radius, b2_polygonRadius) - a.core->radius;
    answer->status = output.lambda > 0.0f ? GJB_HIT : GJB_OVERLAPPING;
    answer->sigma = double(output.lambda);
    store(answer->normal, output.normal);
    store(answer->point_a, output.point - added * output.normal);
    store(answer->point_b, output.point - added * output.normal);
}

void run_cast(const void *prepared, const gjb_batch *batch)
{
    gjb_answer_all(prepared, batch, GJB_F32, 2, batch->query == GJB_TOI ? shape_cast : gjb_answer_unsupported);
}

bool ray_cast(const gjb_ray &ray, float *fraction, float normal[3])
{
    const b2Vec2 from(ray.from[0], ray.from[1]), to(ray.to[0], ray.to[1]);
    const b2AABB box = {b2Vec2(ray.low[0], ray.low[1]), b2Vec2(ray.high[0], ray.high[1])};
    if (b2TestOverlap(box, b2AABB{from, from})) {
        *fraction = 0.0f;
        return true;
    }
    b2RayCastOutput output;
    if (!box.RayCast(&output, {from, to, 1.0f}))
        return false;
    *fraction = output.fraction;
    normal[0] = output.normal.x;
    normal[1] = output.normal.y;
    return true;
}

struct Configuration {
    const char *name, *note;
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
            .version = GJB_BOX2D_VERSION,
            .licence = "MIT",
            .note = c.note,
            .variant_of = "box2d",
            .dims = 1u << 2,
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

} // namespace

const gjb_contender gjb_box2d::cast = contender(
    {"box2d-cast", "b2ShapeCast: pairs that do not turn; every shape is fattened by 0.01 (b2_polygonRadius) at least",
     GJB_KINDS_2D, 1u << GJB_TOI, 0, cast_tau, gjb_prepare<Prepared, fill<false>>, run_cast, gjb_release<Prepared>});
const gjb_contender gjb_box2d::ray_aabb = contender(
    {"box2d-ray", "b2AABB::RayCast at the sum of both boxes, once from each end of the step",
     1u << GJB_POINT | 1u << GJB_BOX | 1u << GJB_AABB, 1u << GJB_SWEEP, 1u << GJB_SWEEP, 0,
     gjb_prepare<gjb_all_corners, gjb_fill_each<gjb_all_corners, gjb_make_corners>>,
     gjb_run_sweep_by_ray<2, ray_cast>, gjb_release<gjb_all_corners>});
