/* Shapes as Bullet takes them: see contenders/libraries/bullet.cpp. */
#include <cmath>
#include <cstring>

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>

#include "contenders/libraries/bullet.hpp"

using namespace gjb_bullet;

namespace {

#define REAL float
#define NAME(kind) support_of_##kind
#define ABSOLUTE std::fabs
#define ROOT std::sqrt
#define POWER std::pow
#define LEAST_SQUARE 1e-30f
#define MOST_SQUARE 1e30f
#include "contenders/libraries/curved_support.h"

constexpr int capsule_axis = 1;

/* A shape of the user's, which Bullet takes by its support alone. */
using Support = void (*)(const float *, const float[3], float[3]);

ATTRIBUTE_ALIGNED16(class) Curved : public btConvexInternalShape
{
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

    Curved(Support support, const float *rows, uint32_t count) : support_(support)
    {
        m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
        std::memcpy(rows_, rows, 3 * count * sizeof *rows);
    }

    btVector3 localGetSupportingVertexWithoutMargin(const btVector3 &direction) const override
    {
        btVector3 point(0, 0, 0);
        support_(rows_, direction.m_floats, point.m_floats);
        return point;
    }
    void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3 *directions, btVector3 *points,
                                                           int count) const override
    {
        for (int i = 0; i < count; i++)
            points[i] = localGetSupportingVertexWithoutMargin(directions[i]);
    }
    void calculateLocalInertia(btScalar, btVector3 &inertia) const override { inertia.setZero(); }
    const char *getName() const override { return "Curved"; }

private:
    Support support_;
    float rows_[6] = {};
};

/* Bullet's box grows by its margin with sharp corners if it is asked for both together, as MPR and the simplex cast do. */
ATTRIBUTE_ALIGNED16(class) RoundedBox : public btBoxShape
{
public:
    BT_DECLARE_ALIGNED_ALLOCATOR();

    using btBoxShape::btBoxShape;

    btVector3 localGetSupportingVertex(const btVector3 &direction) const override
    {
        const btVector3 corner = localGetSupportingVertexWithoutMargin(direction);
        return direction.length2() > 0 ? corner + getMargin() * direction.normalized() : corner;
    }
    /* As inherited, of which compilers say that it may leave a plane unset. */
    void getPlane(btVector3 &normal, btVector3 &support, int i) const override
    {
        normal.setZero();
        normal[i / 2] = i % 2 ? -1.0f : 1.0f;
        support = localGetSupportingVertex(-normal);
    }
};

btVector3 vector(const float *row)
{
    return btVector3(row[0], row[1], row[2]);
}

/* `shipped`: with the library's own margin, not ours. */
template <class Sized> /* a box or cylinder */
std::unique_ptr<btConvexShape> make_sized(const btVector3 &half, float radius, bool shipped)
{
    auto sized = std::make_unique<Sized>(half);
    if (shipped)
        return sized;
    sized->setMargin(radius);
    sized->setImplicitShapeDimensions(half);
    return sized;
}

/* Heights of Bullet's cones are whole, and its margin is no part of them. */
std::unique_ptr<btConvexShape> make_curved(gjb_kind kind, const float *rows)
{
    if (kind == GJB_CONE)
        return std::make_unique<btConeShapeZ>(rows[0], 2 * rows[1]);
    if (kind == GJB_ELLIPSOID)
        return std::make_unique<Curved>(support_of_ellipsoid, rows, 1);
    return std::make_unique<Curved>(support_of_superellipsoid, rows, 2);
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

} // namespace

std::unique_ptr<btConvexShape> gjb_bullet::make_hull(const float *rows, uint32_t count, float radius, bool shipped)
{
    auto hull = std::make_unique<btConvexHullShape>();
    for (uint32_t i = 0; i < count; i++)
        hull->addPoint(vector(rows + 3 * i), false);
    if (!shipped)
        hull->setMargin(radius);
    hull->recalcLocalAabb(); /* as large as the margin makes it */
    return hull;
}

template <bool Shipped> Shape gjb_bullet::make_shape(const gjb_shapes *shapes, uint32_t index)
{
    const float *rows = static_cast<const float *>(shapes->rows) + 3 * size_t(shapes->first[index]);
    Shape shape = {nullptr, static_cast<const float *>(shapes->radius)[index], false, btTransform::getIdentity(),
                   btVector3(0, 0, 0)};
    const uint32_t kind = shapes->kind[index];
    const bool centred = kind == GJB_POINT || kind == GJB_BOX || (kind == GJB_SEGMENT && shape.radius > 0.0f) ||
                         (GJB_CURVED_3D >> kind & 1u);
    for (uint32_t i = 0; i < shapes->row_count[index] && !centred; i++)
        shape.centre += vector(rows + 3 * i) / float(shapes->row_count[index]);
    const bool shipped = Shipped && shape.radius == 0.0f;
    switch (gjb_kind(kind)) {
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
            shape.convex = make_hull(rows, 2, 0.0f, shipped);
        }
        break;
    case GJB_TRIANGLE:
        shape.convex = std::make_unique<btTriangleShape>(vector(rows), vector(rows + 3), vector(rows + 6));
        if (!shipped)
            shape.convex->setMargin(shape.radius);
        break;
    case GJB_BOX:
        shape.convex = shape.radius > 0.0f ? make_sized<RoundedBox>(vector(rows), shape.radius, false)
                                           : make_sized<btBoxShape>(vector(rows), shape.radius, shipped);
        break;
    case GJB_CYLINDER:
        shape.convex = make_sized<btCylinderShapeZ>(btVector3(rows[0], rows[0], rows[1]), shape.radius, shipped);
        break;
    case GJB_ELLIPSOID:
    case GJB_SUPERELLIPSOID:
    case GJB_CONE:
        shape.convex = make_curved(gjb_kind(kind), rows);
        if (!shipped)
            shape.convex->setMargin(shape.radius);
        break;
    default:
        shape.convex = make_hull(rows, shapes->row_count[index], shape.radius, shipped);
    }
    return shape;
}

template Shape gjb_bullet::make_shape<false>(const gjb_shapes *, uint32_t);
template Shape gjb_bullet::make_shape<true>(const gjb_shapes *, uint32_t);
