/* Wrong answers of Box2D v3, by its public functions alone. usage: wrong; prints what the library has of each pair. */
#include <box2d/collision.h>
#include <stdio.h>

static void print(const char *what, b2LocalManifold m)
{
    printf("%s: normal (%g, %g)", what, (double)m.normal.x, (double)m.normal.y);
    for (int i = 0; i < m.pointCount; i++)
        printf(", contact (%g, %g), separation %g", (double)m.points[i].point.x, (double)m.points[i].point.y,
               (double)m.points[i].separation);
    putchar('\n');
}

int main(void)
{
    const b2Circle circle = {{0, 0}, 1}, on_axis = {{-0.21f, -0.09f}, 0.1f};
    print("two circles of radius 1 in one place, the normal has length 1",
          b2CollideCircles(&circle, &circle, b2Transform_identity));

    const b2Capsule segment = {{-0.7f, -0.3f}, {0.7f, 0.3f}, 0};
    print("a circle on a segment, the normal is across it, (-0.394, 0.919) or the opposite",
          b2CollideCapsuleAndCircle(&segment, &on_axis, b2Transform_identity));

    const b2Capsule a = {{-0.5900879f, -1.1577759f}, {0.5900879f, 1.1577759f}, 0};
    const b2Capsule b = {{0.649353f, 0.15307617f}, {-0.460083f, -0.09802246f}, 0};
    const b2Transform of_a = {{0.46655297f, 1.5836531f}, {0.9995886f, 0.028680671f}};
    const b2Transform of_b = {{0.07808352f, -0.029892437f}, {0.15504321f, -0.9879077f}};
    print("two segments that touch, the normal is (0.891, -0.454)",
          b2CollideCapsules(&a, &b, b2InvMulTransforms(of_a, of_b)));

    const b2Capsule upright = {{0, 0.3f}, {0, -0.1f}, 0.5f}, across = {{-0.02f, 0}, {0.02f, 0}, 0.01f};
    print("a capsule across another, one contact, of separation -0.53",
          b2CollideCapsules(&upright, &across, b2Transform_identity));
    return 0;
}
