/* A wrong answer of Box3D, by its public functions alone: two boxes a few units in size, edge along edge, whose closest
 * point on the first is not on its surface. usage: wrong; prints what the library has of them. */
#include <box3d/box3d.h>
#include <box3d/collision.h>
#include <math.h>
#include <stdio.h>

static const b3Vec3 half_a = {1.2739127f, 0.86425847f, 1.4480497f},
                    half_b = {1.5007321f, 1.0072718f, 1.3372438f};

static b3ShapeProxy corners_of(b3Vec3 half, b3Vec3 corners[8])
{
    for (int i = 0; i < 8; i++)
        corners[i] = (b3Vec3){i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
    return (b3ShapeProxy){corners, 8, 0};
}

/* How far the nearest of the three pairs of faces is, inward or outward. */
static double from_surface(b3Vec3 p, b3Vec3 half)
{
    const double x = fabs((double)p.x) - (double)half.x, y = fabs((double)p.y) - (double)half.y,
                 z = fabs((double)p.z) - (double)half.z;
    return fmax(fmax(x, y), z);
}

int main(void)
{
    b3Vec3 corners[2][8];
    const b3Transform a = {{0, 0, 0},
                           b3NormalizeQuat((b3Quat){{0.8547456f, -0.35243928f, 0.28736064f}, -0.25024065f})};
    const b3Transform b = {{-3.7910752f + 2.053789f, 2.4338884f - 0.9459926f, -0.5045212f + 3.331499f},
                           b3NormalizeQuat((b3Quat){{-0.25024068f, 0.28736046f, 0.35243896f}, -0.8547458f})};
    const b3DistanceInput input = {corners_of(half_a, corners[0]), corners_of(half_b, corners[1]),
                                   b3InvMulTransforms(a, b), true};
    b3SimplexCache cache = b3_emptyDistanceCache;
    const b3DistanceOutput found = b3ShapeDistance(&input, &cache, NULL, 0);
    printf("distance %.9g, which is 0.064338716; point on A (%.9g, %.9g, %.9g), %.3g from its surface\n",
           (double)found.distance, (double)found.pointA.x, (double)found.pointA.y, (double)found.pointA.z,
           from_surface(found.pointA, half_a));
    return 0;
}
