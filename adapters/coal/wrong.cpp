/* Wrong answers of Coal, by its public functions alone: capsules in one place have no normal, and of cylinders EPA ends
 * before its tolerance. usage: wrong; prints what the library has of each pair. */
#include <coal/collision.h>
#include <coal/shape/geometric_shapes.h>

#include <cstdio>

static void print(const char *what, const coal::ShapeBase &a, const coal::ShapeBase &b, const coal::Vec3s &at)
{
    coal::CollisionResult found;
    coal::collide(&a, coal::Transform3s::Identity(), &b, coal::Transform3s(at), coal::CollisionRequest(),
                  found);
    if (!found.isCollision()) {
        std::printf("%s: no contact\n", what);
        return;
    }
    const coal::Contact &c = found.getContact(0);
    std::printf("%s: depth %g, normal (%g, %g, %g)\n", what, -c.penetration_depth, c.normal[0], c.normal[1],
                c.normal[2]);
}

int main()
{
    const coal::Capsule capsule(0.25, 2);
    const coal::Cylinder tin(0.5, 1), around(1, 2);
    print("two capsules in one place, 0.5 deep, the normal has length 1", capsule, capsule,
          coal::Vec3s(0, 0, 0));
    print("a cylinder of radius and half height 0.5 within one of 1, 1.5 deep", tin, around,
          coal::Vec3s(0, 0, 0));
    print("the same, 0.001 out of it, 1.499 deep", tin, around, coal::Vec3s(0.001, 0, 0));
    return 0;
}
