/* A wrong answer of Jolt, by its public classes alone: two flat squares that cross are 0.078 deep in each other. They
 * are given by their corners, each twice, as the corners of boxes of no thickness.
 * usage: wrong; prints whether the library finds that they collide. */
#include <Jolt/Jolt.h>

#include <Jolt/Core/StaticArray.h>
#include <Jolt/Geometry/ConvexSupport.h>
#include <Jolt/Geometry/EPAPenetrationDepth.h>
#include <Jolt/Physics/PhysicsSettings.h>

#include <cstdio>

int main()
{
    using namespace JPH;
    using Corners = StaticArray<Vec3, 8>;
    const Corners corners({Vec3(0, -1, -1), Vec3(0, -1, -1), Vec3(0, 1, -1), Vec3(0, 1, -1), Vec3(0, -1, 1),
                           Vec3(0, -1, 1), Vec3(0, 1, 1), Vec3(0, 1, 1)});
    const PolygonConvexSupport<Corners> square(corners);
    const TransformedConvexObject<PolygonConvexSupport<Corners>> turned(
        Mat44::sRotation(Quat(0, -0.0010002771f, 0.03801053f, 0.9992768f).Normalized()), square);
    EPAPenetrationDepth epa;
    Vec3 axis = Vec3::sAxisX(), on_a = Vec3::sZero(), on_b = Vec3::sZero();
    const bool found = epa.GetPenetrationDepth(square, square, 0.0f, turned, turned, 0.0f, cDefaultCollisionTolerance,
                                               cDefaultPenetrationTolerance, axis, on_a, on_b);
    std::printf("two flat squares, 0.078 deep: %s, depth %g\n", found ? "they collide" : "they do not collide",
                found ? double((on_b - on_a).Length()) : 0.0);
}
