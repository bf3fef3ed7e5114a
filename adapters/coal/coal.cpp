/* Coal 3 (hpp-fcl before) as a plug-in of gjkbench, in double: coal::collide and coal::distance.
 *
 * Build: cmake -S . -B build -DCMAKE_PREFIX_PATH=... && cmake --build build. It finds Coal's own CMake package. Hulls
 * are ConvexBase::convexHull, which throws if the library was built without COAL_HAS_QHULL, as it is by default: then,
 * and of flat hulls, they are unsupported. So are triangles, for which coal::distance throws.
 *
 * Frames: poses are given relative to A's translation, in world axes, and so are the answers. A point is a Sphere, a
 * segment a Capsule along its z. Radii are setSweptSphereRadius, or those of spheres, capsules and half-spaces.
 * Normals point from A to B, as ours, and have length 1. Pairs of some kinds have functions in closed form, others its
 * GJK and EPA.
 * intersect: collide without contacts. Overlapping is what has a contact, at a distance up to 1e-12. The batch's margin
 * is passed on as security_margin.
 * penetration: collide with contacts; penetration_depth is the signed distance.
 * distance and signed_distance: distance, which is precise up to the tolerances, "up to the user to decide": what is
 * not above gjk_tolerance overlaps in distance, and what is 0 or less in signed_distance.
 * tau is what narrowphase.h promises, the larger of gjk_tolerance and epa_tolerance, 1e-6 as they ship. Their
 * convergence criterion is relative as it ships, hence tau_relative. Reaching 128 or 64 iterations is not said.
 */
#include <coal/collision.h>
#include <coal/config.hh>
#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

#include <gjkbench/adapter.h>

namespace
{

using coal::Transform3s;
using coal::Vec3s;

struct Shape {
    std::shared_ptr<coal::ShapeBase> geometry; /* null: unsupported */
    Transform3s within = Transform3s::Identity();
};

using Prepared = std::vector<Shape>;

/* --- shapes ------------------------------------------------------------------- */

Vec3s vertex(const gjb_shapes *shapes, uint32_t shape, uint32_t i)
{
    double v[3] = {0, 0, 0};
    gjb_shape_vertex(shapes, shape, i, v);
    return Vec3s(v[0], v[1], v[2]);
}

const double *rows_of(const gjb_shapes *shapes, uint32_t i)
{
    return static_cast<const double *>(shapes->rows) + 3 * size_t(shapes->first[i]);
}

void make_capsule(const Vec3s &from, const Vec3s &to, double radius, Shape &shape)
{
    const Vec3s way = to - from;
    const double length = way.norm();
    coal::Matrix3s turn = coal::Matrix3s::Identity();
    if (length > 0)
        turn = Eigen::Quaterniond::FromTwoVectors(Vec3s::UnitZ(), way).toRotationMatrix();
    shape.geometry = std::make_shared<coal::Capsule>(radius, length);
    shape.within = Transform3s(turn, 0.5 * (from + to));
}

/* The largest value of a function of the points, and which it is of. */
template <typename Of> Vec3s farthest(const std::vector<Vec3s> &points, Of of)
{
    return *std::max_element(
        points.begin(), points.end(), [&](const Vec3s &p, const Vec3s &q) { return of(p) < of(q); });
}

/* qhull would say that a hull is flat by a function that gjkbench's own qhull has, too, which is found first and
 * fails. */
bool is_flat(const std::vector<Vec3s> &points)
{
    const Vec3s &from = points[0];
    const Vec3s way = farthest(
                          points, [&](const Vec3s &p) { return (p - from).norm(); }) -
                      from;
    const Vec3s side = way.cross(farthest(
                                     points, [&](const Vec3s &p) { return way.cross(p - from).norm(); }) -
                                 from);
    const auto height = [&](const Vec3s &p) { return std::fabs(side.dot(p - from)); };
    return !(height(farthest(points, height)) > 1e-5 * side.norm() * way.norm());
}

std::shared_ptr<coal::ShapeBase> make_hull(const gjb_shapes *shapes, uint32_t i)
{
    auto points = std::make_shared<std::vector<Vec3s>>();
    for (uint32_t k = 0; k < gjb_shape_vertex_count(shapes, i); k++)
        points->push_back(vertex(shapes, i, k));
    if (is_flat(*points))
        return nullptr;
    return std::shared_ptr<coal::ShapeBase>(
        coal::ConvexBase::convexHull(points, static_cast<unsigned>(points->size()), true));
}

std::shared_ptr<coal::ShapeBase> make_halfspace(const double *rows, double radius)
{
    const Vec3s normal(rows[0], rows[1], rows[2]);
    return std::make_shared<coal::Halfspace>(normal.normalized(), rows[3] + radius);
}

/* Heights of Coal's are whole. */
std::shared_ptr<coal::ShapeBase> make_swept(const gjb_shapes *shapes, uint32_t i)
{
    const double *row = rows_of(shapes, i);
    switch (gjb_kind(shapes->kind[i])) {
    case GJB_BOX:
        return std::make_shared<coal::Box>(2 * row[0], 2 * row[1], 2 * row[2]);
    case GJB_HULL:
        return make_hull(shapes, i);
    case GJB_ELLIPSOID:
        return std::make_shared<coal::Ellipsoid>(row[0], row[1], row[2]);
    case GJB_CYLINDER:
        return std::make_shared<coal::Cylinder>(row[0], 2 * row[1]);
    case GJB_CONE:
        return std::make_shared<coal::Cone>(row[0], 2 * row[1]);
    default:
        return nullptr;
    }
}

Shape make_shape(const gjb_shapes *shapes, uint32_t i)
{
    const double radius = gjb_shape_radius(shapes, i);
    Shape shape;
    switch (gjb_kind(shapes->kind[i])) {
    case GJB_POINT:
        shape.geometry = std::make_shared<coal::Sphere>(radius);
        shape.within.setTranslation(vertex(shapes, i, 0));
        return shape;
    case GJB_SEGMENT:
        make_capsule(vertex(shapes, i, 0), vertex(shapes, i, 1), radius, shape);
        return shape;
    case GJB_HALFSPACE:
        shape.geometry = make_halfspace(rows_of(shapes, i), radius);
        return shape;
    default:
        shape.geometry = make_swept(shapes, i);
        if (shape.geometry != nullptr)
            shape.geometry->setSweptSphereRadius(radius);
        return shape;
    }
}

Shape make_or_none(const gjb_shapes *shapes, uint32_t i)
{
    try {
        return make_shape(shapes, i);
    } catch (const std::exception &) {
        return {};
    }
}

void *prepare(const gjb_shapes *shapes, const char *)
{
    try {
        auto *all = new Prepared;
        for (uint32_t i = 0; i < shapes->count; i++)
            all->push_back(make_or_none(shapes, i));
        return all;
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

void release(void *prepared)
{
    delete static_cast<Prepared *>(prepared);
}

/* --- a pair ------------------------------------------------------------------- */

struct Body {
    const coal::CollisionGeometry *geometry;
    Transform3s pose;
};

Body place(const Prepared &all, const gjb_batch *batch, uint32_t body, const gjb_pose3d &origin)
{
    const gjb_pose3d pose = gjb_batch_pose3d(batch, body);
    const gjb_placing placing = gjb_place(&pose, &origin);
    coal::Matrix3s turn;
    for (int i = 0; i < 9; i++)
        turn(i / 3, i % 3) = placing.r[i];
    const Shape &shape = all[gjb_batch_shape(batch, body)];
    return {shape.geometry.get(),
            Transform3s(turn, Vec3s(placing.t[0], placing.t[1], placing.t[2])) * shape.within};
}

void store(const Vec3s &v, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = v[i];
}

void store_all(double sigma, const Vec3s &normal, const std::array<Vec3s, 2> &points, gjb_answer *answer)
{
    answer->sigma = sigma;
    store(normal, answer->normal);
    store(points[0], answer->point_a);
    store(points[1], answer->point_b);
}

void collide(const Body &a, const Body &b, const gjb_batch *batch, gjb_answer *answer)
{
    coal::CollisionRequest request;
    coal::CollisionResult result;
    request.enable_contact = batch->query == GJB_PENETRATION;
    request.security_margin = batch->query == GJB_INTERSECT ? batch->margin : 0;
    coal::collide(a.geometry, a.pose, b.geometry, b.pose, request, result);
    answer->status = result.isCollision() ? GJB_OVERLAPPING : GJB_SEPARATED;
    if (!result.isCollision() || batch->query == GJB_INTERSECT)
        return;
    const coal::Contact &contact = result.getContact(0);
    store_all(contact.penetration_depth, contact.normal, contact.nearest_points, answer);
}

void distance(const Body &a, const Body &b, const gjb_batch *batch, gjb_answer *answer)
{
    coal::DistanceRequest request;
    coal::DistanceResult result;
    request.enable_signed_distance = batch->query == GJB_SIGNED_DISTANCE;
    coal::distance(a.geometry, a.pose, b.geometry, b.pose, request, result);
    const double touching = request.enable_signed_distance ? 0 : request.gjk_tolerance;
    store_all(result.min_distance, result.normal, result.nearest_points, answer);
    answer->status = std::isnan(answer->sigma)  ? GJB_ITERATION_LIMIT
                     : answer->sigma > touching ? GJB_SEPARATED
                                                : GJB_OVERLAPPING;
}

void answer_pair(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const Prepared &all = *static_cast<const Prepared *>(prepared);
    const gjb_pose3d origin = gjb_batch_pose3d(batch, pair[0]);
    const Body a = place(all, batch, pair[0], origin), b = place(all, batch, pair[1], origin);
    if (a.geometry == nullptr || b.geometry == nullptr)
        return;
    try {
        if (batch->query == GJB_INTERSECT || batch->query == GJB_PENETRATION)
            collide(a, b, batch, answer);
        else if (batch->query == GJB_DISTANCE || batch->query == GJB_SIGNED_DISTANCE)
            distance(a, b, batch, answer);
    } catch (const std::exception &) {
        answer->status = GJB_ITERATION_LIMIT;
    }
}

void run(const void *prepared, const gjb_batch *batch)
{
    gjb_answer_all(prepared, batch, GJB_F64, 3, answer_pair);
}

} // namespace

extern "C" GJB_PLUGIN_EXPORT const gjb_contender *const *gjb_plugin(const char *options, char *error,
                                                                    size_t error_size)
{
    static gjb_contender contender = {};
    static const gjb_contender *const tables[] = {&contender, nullptr};
    if (options[0] != '\0') {
        std::snprintf(error, error_size, "option '%s': there is none", options);
        return nullptr;
    }
    contender.abi_version = GJB_CONTENDER_ABI;
    contender.struct_size = sizeof contender;
    contender.name = "coal";
    contender.version = COAL_VERSION;
    contender.licence = "BSD-3-Clause";
    contender.note =
        "coal::collide and coal::distance: its GJK and EPA to 1e-6, closed forms for some pairs of kinds";
    contender.dims = 1u << 3;
    contender.kinds = (GJB_KINDS_3D & ~(1u << GJB_TRIANGLE)) | 1u << GJB_ELLIPSOID | 1u << GJB_CYLINDER |
                      1u << GJB_CONE | GJB_UNBOUNDED;
    contender.queries =
        1u << GJB_INTERSECT | 1u << GJB_DISTANCE | 1u << GJB_PENETRATION | 1u << GJB_SIGNED_DISTANCE;
    contender.within = 1u << GJB_INTERSECT;
    contender.precisions = 1u << GJB_F64;
    contender.max_vertices = GJB_NO_VERTEX_LIMIT;
    for (int query : {GJB_INTERSECT, GJB_DISTANCE, GJB_PENETRATION, GJB_SIGNED_DISTANCE})
        contender.tau[query] = contender.tau_relative[query] = 1e-6;
    contender.prepare = prepare;
    contender.workspace_size = gjb_no_workspace;
    contender.run = run;
    contender.release = release;
    return tables;
}
