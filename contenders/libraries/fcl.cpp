/* FCL 0.7 as two contenders (f64): fcl::collide and fcl::distance with its
 * libccd solver, and with its independent one; each with a tight tolerance too, as a variant.
 *
 * Shapes are FCL's own: Box, Sphere, Capsule (along its z), Ellipsoid, Cylinder, Cone, and Convex, which asks for
 * faces: hulls by qhull while preparing. Pairs of such shapes take its
 * special cases if it has any (spheres, boxes as ODE does them). What it
 * has no shape for is unsupported: triangles, which it knows as parts of
 * meshes alone, hulls without a volume, what is rounded, superellipsoids (it finds the support of a shape by the
 * shape's number, and has no place for one of the user's). Halfspace collides with each, and has no distances. Poses are given
 * relative to A's translation.
 *
 * collide: the contact's normal points from the first to the second, as ours,
 * and the depth is positive; but if the independent solver's EPA found it, the
 * depth is negative and the normal in the frame of the first shape. It has one position,
 * taken to lie half way between both surfaces; with a sphere both points are
 * drawn from its centre. Of several contacts the deepest counts. The depth of general pairs is libccd's portal refinement, by design not
 * the least. distance: nearest points in the world; the normal is drawn from
 * them, so what is nearer than distance_tolerance is called touching, and has none.
 * Its signed distance (enable_signed_distance) is left out: with the libccd solver it aborts the process on
 * many a touching pair, with the other it answers -1 for overlaps.
 * gjk_tolerance and distance_tolerance are 1e-6 as packaged, hence tau; both solvers take their EPA's or portals'
 * from the first.
 * continuousCollide: conservative advancement (CCDC_CONSERVATIVE_ADVANCEMENT), on motions that FCL draws from the transforms
 * at t = 0 and t = 1 (InterpMotion, about our local origin): bodies that turn by more than half a turn are unsupported, and so are ellipsoids.
 * A sees itself stay where it is. It ends once a step would be shorter than 1e-4 of the whole (the request's toc_err is
 * not passed on), a tolerance in time, hence tau_time. A contact at t = 0 is a hit at 0; it gives no normal and no points, and a hit at exactly
 * 1 is none. As packaged continuousCollide samples instead: CCDC_NAIVE, at 10 instants, is the default of its
 * request, and a variant here.
 * Where it reaches the limit of its iterations it says "apart". It throws if a configuration
 * fails its checks: answered "iteration limit".
 */
#include "contenders/contender_lists.h"

#include <cmath>
#include <cstring>
#include <exception>
#include <memory>
#include <vector>

#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/halfspace.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/math/motion/interp_motion.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/continuous_collision.h>
#include <fcl/narrowphase/distance.h>

#include "contenders/libraries/adapter.hpp"
#include "contenders/libraries/hull_faces.h"

namespace {

constexpr int capsule_axis = 2;
constexpr size_t max_contacts = 8;

struct Configuration {
    const char *name, *variant_of, *note;
    fcl::GJKSolverType solver;
    double tolerance; /* gjk_tolerance and distance_tolerance */
    uint32_t queries;
    fcl::CCDSolverType in_motion = fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
};

struct Shape {
    std::shared_ptr<fcl::CollisionGeometryd> geometry; /* null: none that FCL has */
    fcl::Transform3d within;
};

using Prepared = std::vector<Shape>;
using Motion = fcl::InterpMotion<double>;

fcl::Transform3d transform(const gjb_placing &placing)
{
    fcl::Transform3d t = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; i++) {
        t.translation()[i] = placing.t[i];
        for (int k = 0; k < 3; k++)
            t.linear()(i, k) = placing.r[3 * i + k];
    }
    return t;
}

/* Only corners that the faces name: FCL walks from one to the next, and the
 * others have no neighbours. */
std::shared_ptr<fcl::CollisionGeometryd> make_hull(const double (*rows)[3], uint32_t count)
{
    gjb_faces found;
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    const bool solid = gjb_hull_faces(rows, count, &found) == 0;
    std::vector<int> renamed(count, -1);
    for (size_t i = 0; solid && i < found.length;) {
        const int corners = found.numbers[i++];
        faces->push_back(corners);
        for (int c = 0; c < corners; c++) {
            const int old = found.numbers[i++];
            if (renamed[size_t(old)] < 0) {
                renamed[size_t(old)] = int(vertices->size());
                vertices->emplace_back(rows[old][0], rows[old][1], rows[old][2]);
            }
            faces->push_back(renamed[size_t(old)]);
        }
    }
    const int face_count = found.count;
    gjb_faces_free(&found);
    if (!solid)
        return nullptr;
    return std::make_shared<fcl::Convexd>(vertices, face_count, faces, false);
}

/* Heights of FCL's are whole. */
std::shared_ptr<fcl::CollisionGeometryd> make_sharp(gjb_kind kind, const double (*rows)[3], uint32_t count)
{
    const double *row = rows[0];
    switch (kind) {
    case GJB_BOX:
        return std::make_shared<fcl::Boxd>(2 * row[0], 2 * row[1], 2 * row[2]);
    case GJB_ELLIPSOID:
        return std::make_shared<fcl::Ellipsoidd>(row[0], row[1], row[2]);
    case GJB_CYLINDER:
        return std::make_shared<fcl::Cylinderd>(row[0], 2 * row[1]);
    case GJB_CONE:
        return std::make_shared<fcl::Coned>(row[0], 2 * row[1]);
    case GJB_HULL:
        return make_hull(rows, count);
    default:
        return nullptr;
    }
}

Shape make_shape(const gjb_shapes *shapes, uint32_t index)
{
    const auto rows = reinterpret_cast<const double(*)[3]>(static_cast<const double *>(shapes->rows)) +
                      shapes->first[index];
    const double radius = static_cast<const double *>(shapes->radius)[index];
    Shape shape = {nullptr, fcl::Transform3d::Identity()};
    switch (gjb_kind(shapes->kind[index])) {
    case GJB_POINT:
        shape.geometry = std::make_shared<fcl::Sphered>(radius);
        shape.within.translation() = fcl::Vector3d(rows[0][0], rows[0][1], rows[0][2]);
        break;
    case GJB_SEGMENT: {
        gjb_placing frame;
        const double length = gjb_capsule_frame(rows, capsule_axis, &frame);
        shape.geometry = std::make_shared<fcl::Capsuled>(radius, length);
        shape.within = transform(frame);
        break;
    }
    case GJB_HALFSPACE: {
        const fcl::Vector3d normal(rows[0][0], rows[0][1], rows[0][2]);
        shape.geometry = std::make_shared<fcl::Halfspaced>(normal.normalized(), rows[1][0] + radius);
        break;
    }
    default:
        if (radius == 0)
            shape.geometry = make_sharp(gjb_kind(shapes->kind[index]), rows, shapes->row_count[index]);
    }
    if (shape.geometry != nullptr)
        shape.geometry->computeLocalAABB();
    return shape;
}

struct Body {
    const fcl::CollisionGeometryd *geometry;
    fcl::Transform3d pose;

    bool ball() const { return geometry->getNodeType() == fcl::GEOM_SPHERE; }
    bool unbounded() const { return geometry->getNodeType() == fcl::GEOM_HALFSPACE; }
};

Body place(const Prepared &prepared, const gjb_batch *batch, uint32_t index, const gjb_pose3d &origin)
{
    const gjb_pose3d pose = gjb_batch_pose3d(batch, index);
    const Shape &shape = prepared[gjb_batch_shape(batch, index)];
    return {shape.geometry.get(), transform(gjb_place(&pose, &origin)) * shape.within};
}

void store(double target[3], const fcl::Vector3d &v)
{
    for (int i = 0; i < 3; i++)
        target[i] = v[i];
}

/* One more point of a manifold: of a ball that which `answer` has already. */
void add_contact(const fcl::Contactd &contact, bool ball, uint32_t index, gjb_answer *answer)
{
    double position[3];
    store(position, contact.pos);
    if (ball)
        gjb_answer_contact(answer, answer->point_a, answer->point_b, answer->sigma, index);
    else
        gjb_answer_contact_about(answer, position, -std::fabs(contact.penetration_depth), index);
}

void collide(const Body &a, const Body &b, gjb_query query, const Configuration &c, gjb_answer *answer)
{
    const bool manifold = query == GJB_MANIFOLD, depth = query == GJB_PENETRATION || manifold;
    const size_t most = manifold ? GJB_CONTACTS_3D : max_contacts;
    const fcl::CollisionRequestd request(depth ? most : 1, depth, 1, false, true, c.solver, c.tolerance);
    fcl::CollisionResultd result;
    answer->status = fcl::collide(a.geometry, a.pose, b.geometry, b.pose, request, result) > 0 ? GJB_OVERLAPPING
                                                                                             : GJB_SEPARATED;
    const fcl::Contactd *deepest = nullptr;
    for (size_t i = 0; depth && i < result.numContacts(); i++) {
        const fcl::Contactd &contact = result.getContact(i);
        if (deepest == nullptr || std::fabs(contact.penetration_depth) > std::fabs(deepest->penetration_depth))
            deepest = &contact;
    }
    if (deepest == nullptr)
        return;
    const bool by_epa = deepest->penetration_depth < 0;
    double position[3];
    answer->sigma = -std::fabs(deepest->penetration_depth);
    store(answer->normal, by_epa ? fcl::Vector3d(a.pose.linear() * deepest->normal) : deepest->normal);
    if (a.ball() || b.ball()) {
        const Body &ball = a.ball() ? a : b;
        store(position, ball.pose.translation());
        gjb_answer_from_ball(answer, a.ball() ? 1 : -1, position,
                             static_cast<const fcl::Sphered *>(ball.geometry)->radius);
    } else {
        store(position, deepest->pos);
        gjb_answer_about(answer, position);
    }
    for (size_t i = 0; manifold && i < result.numContacts(); i++)
        add_contact(result.getContact(i), a.ball() || b.ball(), uint32_t(i), answer);
}

void distance(const Body &a, const Body &b, const Configuration &c, gjb_answer *answer)
{
    const fcl::DistanceRequestd request(true, false, 0, 0, c.tolerance, c.solver);
    fcl::DistanceResultd result;
    answer->sigma = fcl::distance(a.geometry, a.pose, b.geometry, b.pose, request, result);
    answer->status = answer->sigma > c.tolerance ? GJB_SEPARATED : GJB_OVERLAPPING;
    const fcl::Vector3d gap = result.nearest_points[1] - result.nearest_points[0];
    const double length = gap.norm();
    store(answer->normal, length > 0 ? fcl::Vector3d(gap / length) : gap);
    store(answer->point_a, result.nearest_points[0]);
    store(answer->point_b, result.nearest_points[1]);
}

/* About our local origin, which lies at `origin`. */
Motion motion_of(const Body &body, const fcl::Vector3d &origin, const double motion[6])
{
    const fcl::Vector3d turn(motion[3], motion[4], motion[5]), way(motion[0], motion[1], motion[2]);
    const double angle = turn.norm();
    const fcl::Transform3d from = body.pose;
    fcl::Matrix3d turned = fcl::Matrix3d::Identity();
    if (angle > 0)
        turned = fcl::AngleAxisd(angle, turn / angle).toRotationMatrix();
    const fcl::Vector3d end = origin + way + turned * (from.translation() - origin);
    return Motion(from.linear(), from.translation(), turned * from.linear(), end,
                              from.linear().transpose() * (origin - from.translation()));
}

double angle_of(const double motion[6])
{
    return std::hypot(motion[3], motion[4], motion[5]);
}

/* Its table of conservative advancement has no ellipsoids: it prints so, and says "apart". */
bool advances(const Body &body, const Configuration &c)
{
    return c.in_motion != fcl::CCDC_CONSERVATIVE_ADVANCEMENT || body.geometry->getNodeType() != fcl::GEOM_ELLIPSOID;
}

void impact(const Body &a, const Body &b, const gjb_batch *batch, const uint32_t *pair, const Configuration &c,
            gjb_answer *answer)
{
    double motion_a[6], motion_b[6];
    gjb_relative_motions(batch, GJB_F64, 3, pair, motion_a, motion_b);
    if (angle_of(motion_a) > M_PI || angle_of(motion_b) > M_PI || !advances(a, c) || !advances(b, c))
        return;
    const gjb_pose3d pose_a = gjb_batch_pose3d(batch, pair[0]), pose_b = gjb_batch_pose3d(batch, pair[1]);
    const fcl::Vector3d apart(pose_b.x - pose_a.x, pose_b.y - pose_a.y, pose_b.z - pose_a.z);
    const Motion way_a = motion_of(a, fcl::Vector3d::Zero(), motion_a), way_b = motion_of(b, apart, motion_b);
    const fcl::ContinuousCollisionRequestd request(10, 1e-4, fcl::CCDM_LINEAR, c.solver, c.in_motion);
    fcl::ContinuousCollisionResultd result;
    fcl::continuousCollide(a.geometry, &way_a, b.geometry, &way_b, request, result);
    answer->sigma = result.time_of_contact;
    answer->status = !result.is_collide              ? GJB_SEPARATED
                     : result.time_of_contact > 0    ? GJB_HIT
                                                     : GJB_OVERLAPPING;
}

template <const Configuration &C>
void answer_pair(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const Prepared &shapes = *static_cast<const Prepared *>(prepared);
    const gjb_pose3d origin = gjb_batch_pose3d(batch, pair[0]);
    const Body a = place(shapes, batch, pair[0], origin), b = place(shapes, batch, pair[1], origin);
    if (a.geometry == nullptr || b.geometry == nullptr || !(C.queries >> batch->query & 1))
        return;
    if ((a.unbounded() || b.unbounded()) && (batch->query == GJB_DISTANCE || batch->query == GJB_TOI))
        return;
    try {
        if (batch->query == GJB_DISTANCE)
            distance(a, b, C, answer);
        else if (batch->query == GJB_TOI)
            impact(a, b, batch, pair, C, answer);
        else
            collide(a, b, batch->query, C, answer);
    } catch (const std::exception &) {
        answer->status = GJB_ITERATION_LIMIT;
    }
}

template <const Configuration &C> void run(const void *prepared, const gjb_batch *batch)
{
    gjb_answer_all(prepared, batch, GJB_F64, 3, answer_pair<C>);
}

#define LIBCCD "fcl::collide and fcl::distance, libccd solver; depth of general pairs is not the least"
#define INDEP "fcl::collide and fcl::distance, its own GJK and EPA"
#define TIGHTLY "; tolerances 1e-12, not 1e-6"
constexpr uint32_t still = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE | 1u << GJB_PENETRATION | 1u << GJB_MANIFOLD,
                   moving = 1u << GJB_TOI;
constexpr Configuration libccd = {"fcl-libccd", nullptr, LIBCCD, fcl::GST_LIBCCD, 1e-6, still | moving},
                        indep = {"fcl-indep", nullptr, INDEP, fcl::GST_INDEP, 1e-6, still | moving},
                        libccd_tight = {"fcl-libccd-tight", "fcl-libccd", LIBCCD TIGHTLY, fcl::GST_LIBCCD, 1e-12, still},
                        indep_tight = {"fcl-indep-tight", "fcl-indep", INDEP TIGHTLY, fcl::GST_INDEP, 1e-12, still},
                        sampled = {"fcl-sampled", "fcl-libccd", "continuousCollide by its default: a look at 10 instants",
                                   fcl::GST_LIBCCD, 1e-6, moving, fcl::CCDC_NAIVE};

template <const Configuration &C> constexpr gjb_contender contender()
{
    return {.abi_version = GJB_CONTENDER_ABI,
            .struct_size = sizeof(gjb_contender),
            .name = C.name,
            .version = GJB_FCL_VERSION,
            .licence = "BSD-3-Clause",
            .note = C.note,
            .variant_of = C.variant_of,
            .dims = 1u << 3,
            .kinds = 1u << GJB_POINT | 1u << GJB_SEGMENT | 1u << GJB_BOX | 1u << GJB_HULL | 1u << GJB_ELLIPSOID |
                     1u << GJB_CYLINDER | 1u << GJB_CONE | GJB_UNBOUNDED,
            .queries = C.queries,
            .does_more = 0,
            .no_normal = 1u << GJB_DISTANCE | 1u << GJB_TOI,
            .no_points = 1u << GJB_PENETRATION | 1u << GJB_TOI | 1u << GJB_MANIFOLD,
            .precisions = 1u << GJB_F64,
            .max_vertices = GJB_NO_VERTEX_LIMIT,
            .ours = 0,
            .tau = {C.tolerance, C.tolerance, C.tolerance, C.tolerance, 0, 0, C.tolerance},
            .skin = 0,
            .backends = nullptr,
            .backend_available = nullptr,
            .prepare = gjb_prepare<Prepared, gjb_fill_each<Prepared, make_shape>>,
            .workspace_size = gjb_no_workspace,
            .run = run<C>,
            .release = gjb_release<Prepared>,
            .tau_time = 1e-4,
            .partial = 1u << GJB_MANIFOLD,
            .touching_only = 1u << GJB_MANIFOLD,
            .within = 0,
            .unused = 0,
            .leaving = 0,
            .tau_relative = {}};
}

const gjb_contender tables[] = {contender<libccd>(), contender<indep>(), contender<libccd_tight>(),
                                contender<indep_tight>(), contender<sampled>()};

} // namespace

const gjb_contender *const gjb_contenders_fcl[] = {&tables[0], &tables[1], &tables[2], &tables[3], &tables[4],
                                                   nullptr};
