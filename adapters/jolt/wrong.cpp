/* Wrong answers of Jolt, by its public classes alone. Two flat squares that cross are 0.078 deep in each other. They
 * are given by their corners, each twice, as the corners of boxes of no thickness. Two balls in one place are as deep
 * as their diameter. usage: wrong; prints the depth that the library finds. */
#include <Jolt/Jolt.h>

#include <Jolt/Core/StaticArray.h>
#include <Jolt/Geometry/ConvexSupport.h>
#include <Jolt/Geometry/EPAPenetrationDepth.h>
#include <Jolt/Physics/PhysicsSettings.h>

#include <cstdio>

using namespace JPH;

/* Of two balls of radius 1 in one place: points with a convex radius. */
static float depth_of_balls()
{
    const PointConvexSupport centre{Vec3::sZero()};
    const AddConvexRadius<PointConvexSupport> ball(centre, 1.0f);
    EPAPenetrationDepth epa;
    Vec3 axis = Vec3::sAxisX(), on_a = Vec3::sZero(), on_b = Vec3::sZero();
    const bool found =
        epa.GetPenetrationDepth(centre, ball, 1.0f, centre, ball, 1.0f, cDefaultCollisionTolerance,
                                cDefaultPenetrationTolerance, axis, on_a, on_b);
    return found ? (on_b - on_a).Length() : 0.0f;
}

int main()
{
    using Corners = StaticArray<Vec3, 8>;
    const Corners corners({Vec3(0, -1, -1), Vec3(0, -1, -1), Vec3(0, 1, -1), Vec3(0, 1, -1), Vec3(0, -1, 1),
                           Vec3(0, -1, 1), Vec3(0, 1, 1), Vec3(0, 1, 1)});
    const PolygonConvexSupport<Corners> square(corners);
    const TransformedConvexObject<PolygonConvexSupport<Corners>> turned(
        Mat44::sRotation(Quat(0, -0.0010002771f, 0.03801053f, 0.9992768f).Normalized()), square);
    EPAPenetrationDepth epa;
    Vec3 axis = Vec3::sAxisX(), on_a = Vec3::sZero(), on_b = Vec3::sZero();
    const bool found =
        epa.GetPenetrationDepth(square, square, 0.0f, turned, turned, 0.0f, cDefaultCollisionTolerance,
                                cDefaultPenetrationTolerance, axis, on_a, on_b);
    std::printf("two flat squares, 0.078 deep: %s, depth %g\n",
                found ? "they collide" : "they do not collide", found ? double((on_b - on_a).Length()) : 0.0);
    std::printf("two balls of radius 1 in one place, 2 deep: depth %g\n", double(depth_of_balls()));
}
