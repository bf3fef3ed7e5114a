/* Jolt Physics as a plug-in of gjkbench, in float: its classes for GJK and EPA, not its collision dispatcher.
 *
 * Build: cmake -S . -B build -DCMAKE_PREFIX_PATH=... && cmake --build build. It finds Jolt's own CMake package, whose
 * definitions (instruction set, asserts) the adapter is compiled with.
 *
 * Frames: objects are vertices in their own frame and a matrix, as in its TransformedConvexObject, relative to A's
 * translation and in world axes, and so are the answers. Supports are a scan over all vertices, as that of its
 * PolygonConvexSupport and of its hulls, also of boxes, by their corners; no limit is set to their number.
 * Radii: AddConvexRadius, and the radii that GetPenetrationDepth takes. distance is that of cores less the radii.
 * Normals: the axis that a call leaves in ioV points from A to B; its length means nothing, so it is made 1 here.
 * GetClosestPoints returns the squared distance. It returns 0 for cores nearer than the collision tolerance of 1e-4
 * (the library's default), hence tau, and for those nearer than the square root of FLT_EPSILON times the largest
 * vertex of the difference, hence tau_relative. EPA ends when the square of the depth changes by less than 1e-4 of
 * itself (the default penetration tolerance), so a depth may be 5e-5 of itself off: tau_relative of penetration
 * is that, since a depth is less than S.
 * Margins: there is none. Convex radii of Jolt's own shapes, which shrink them, are not used.
 * intersect of rounded shapes asks for closest points of the cores; of others it is GJKClosestPoint::Intersects.
 * If GetPenetrationDepth says "no" of shapes that overlap, that is the answer: apart.
 */
#include <Jolt/Jolt.h>

#include <Jolt/Geometry/ConvexSupport.h>
#include <Jolt/Geometry/EPAPenetrationDepth.h>
#include <Jolt/Physics/PhysicsSettings.h>

#include <cmath>
#include <cstdio>
#include <new>
#include <vector>

#include <gjkbench/adapter.h>

namespace {

using namespace JPH;

const double most_rounding = std::sqrt(double(FLT_EPSILON));
const double half_tolerance = 0.5 * double(cDefaultPenetrationTolerance);

struct Shape {
    std::vector<Vec3> vertices; /* none: unsupported */
    float radius;
};

using Prepared = std::vector<Shape>;

/* A placed core, as Jolt's templates want it. */
struct Core {
    const Shape *shape;
    Mat44 pose;

    Vec3 GetSupport(Vec3Arg direction) const
    {
        const Vec3 local = pose.Multiply3x3Transposed(direction);
        Vec3 best = shape->vertices[0];
        float most = best.Dot(local);
        for (const Vec3 &v : shape->vertices)
            if (const float at = v.Dot(local); at > most) {
                most = at;
                best = v;
            }
        return pose * best;
    }
};

void *prepare(const gjb_shapes *shapes, const char *)
{
    try {
        auto *all = new Prepared(shapes->count);
        for (uint32_t i = 0; i < shapes->count; i++) {
            Shape &shape = (*all)[i];
            shape.radius = float(gjb_shape_radius(shapes, i));
            for (uint32_t k = 0; k < gjb_shape_vertex_count(shapes, i); k++) {
                double v[3];
                gjb_shape_vertex(shapes, i, k, v);
                shape.vertices.push_back(Vec3(float(v[0]), float(v[1]), float(v[2])));
            }
        }
        return all;
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

void release(void *prepared)
{
    delete static_cast<Prepared *>(prepared);
}

Core place(const Prepared &all, const gjb_batch *batch, uint32_t body, const gjb_pose3f &origin)
{
    const gjb_pose3f p = gjb_batch_pose3f(batch, body);
    const Vec3 at(float(double(p.x) - double(origin.x)), float(double(p.y) - double(origin.y)),
                  float(double(p.z) - double(origin.z)));
    return {&all[gjb_batch_shape(batch, body)],
            Mat44::sRotationTranslation(Quat(p.qx, p.qy, p.qz, p.qw).Normalized(), at)};
}

void store(Vec3Arg v, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = double(v[uint(i)]);
}

/* An axis of any length. */
void store_normal(Vec3Arg axis, gjb_answer *answer)
{
    store(axis, answer->normal);
    gjb_unit(answer->normal);
}

void intersect(const Core &a, const Core &b, gjb_answer *answer)
{
    GJKClosestPoint gjk;
    const float radii = a.shape->radius + b.shape->radius;
    Vec3 axis = Vec3::sAxisX(), point_a, point_b;
    const bool meet = radii > 0.0f ? gjk.GetClosestPoints(a, b, cDefaultCollisionTolerance, FLT_MAX, axis, point_a,
                                                          point_b) <= radii * radii
                                   : gjk.Intersects(a, b, cDefaultCollisionTolerance, axis);
    answer->status = meet ? GJB_OVERLAPPING : GJB_SEPARATED;
}

void distance(const Core &a, const Core &b, gjb_answer *answer)
{
    GJKClosestPoint gjk;
    Vec3 axis = Vec3::sAxisX(), point_a, point_b;
    const double square =
        double(gjk.GetClosestPoints(a, b, cDefaultCollisionTolerance, FLT_MAX, axis, point_a, point_b));
    answer->sigma = std::sqrt(square) - double(a.shape->radius) - double(b.shape->radius);
    answer->status = square > 0 && answer->sigma > 0 ? GJB_SEPARATED : GJB_OVERLAPPING;
    if (answer->status == GJB_OVERLAPPING)
        return;
    store_normal(axis, answer);
    store(point_a, answer->point_a);
    store(point_b, answer->point_b);
    for (int i = 0; i < 3; i++) {
        answer->point_a[i] += double(a.shape->radius) * answer->normal[i];
        answer->point_b[i] -= double(b.shape->radius) * answer->normal[i];
    }
}

void penetration(const Core &a, const Core &b, gjb_answer *answer)
{
    EPAPenetrationDepth epa;
    const AddConvexRadius<Core> round_a(a, a.shape->radius), round_b(b, b.shape->radius);
    Vec3 axis = Vec3::sAxisX(), point_a, point_b;
    answer->status = GJB_SEPARATED;
    if (!epa.GetPenetrationDepth(a, round_a, a.shape->radius, b, round_b, b.shape->radius, cDefaultCollisionTolerance,
                                 cDefaultPenetrationTolerance, axis, point_a, point_b))
        return;
    answer->status = GJB_OVERLAPPING;
    store_normal(axis, answer);
    store(point_a, answer->point_a);
    store(point_b, answer->point_b);
    answer->sigma = -double((point_b - point_a).Length());
}

void answer_pair(const void *prepared, const gjb_batch *batch, const uint32_t *pair, gjb_answer *answer)
{
    const Prepared &all = *static_cast<const Prepared *>(prepared);
    const gjb_pose3f origin = gjb_batch_pose3f(batch, pair[0]);
    const Core a = place(all, batch, pair[0], origin), b = place(all, batch, pair[1], origin);
    if (a.shape->vertices.empty() || b.shape->vertices.empty())
        return;
    if (batch->query == GJB_INTERSECT)
        intersect(a, b, answer);
    else if (batch->query == GJB_DISTANCE)
        distance(a, b, answer);
    else if (batch->query == GJB_PENETRATION)
        penetration(a, b, answer);
}

void run(const void *prepared, const gjb_batch *batch)
{
    gjb_answer_all(prepared, batch, GJB_F32, 3, answer_pair);
}

} // namespace

extern "C" GJB_PLUGIN_EXPORT const gjb_contender *const *gjb_plugin(const char *options, char *error, size_t error_size)
{
    static gjb_contender jolt = {};
    static const gjb_contender *const tables[] = {&jolt, nullptr};
    if (options[0] != '\0') {
        std::snprintf(error, error_size, "option '%s': there is none", options);
        return nullptr;
    }
    jolt.abi_version = GJB_CONTENDER_ABI;
    jolt.struct_size = sizeof jolt;
    jolt.name = "jolt";
    jolt.version = JOLT_VERSION;
    jolt.licence = "MIT";
    jolt.note = "its GJK and EPA; supports of vertices come from the adapter; collision and penetration tolerance 1e-4";
    jolt.dims = 1u << 3;
    jolt.kinds = GJB_KINDS_3D | 1u << GJB_AABB;
    jolt.queries = 1u << GJB_INTERSECT | 1u << GJB_DISTANCE | 1u << GJB_PENETRATION;
    jolt.precisions = 1u << GJB_F32;
    jolt.max_vertices = GJB_NO_VERTEX_LIMIT;
    for (int query : {GJB_INTERSECT, GJB_DISTANCE, GJB_PENETRATION}) {
        jolt.tau[query] = double(cDefaultCollisionTolerance);
        jolt.tau_relative[query] = query == GJB_PENETRATION ? half_tolerance : most_rounding;
    }
    jolt.prepare = prepare;
    jolt.workspace_size = gjb_no_workspace;
    jolt.run = run;
    jolt.release = release;
    return tables;
}
