/* Wrong answers of Coal, by its public functions alone: capsules in one place have no normal, of cylinders EPA ends
 * before its tolerance, and a needle within a box is not found. usage: wrong; prints what the library has of each
 * pair. */
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

/* As one asks who needs no contact. */
static void print_meeting(const char *what, const coal::ShapeBase &a, const coal::ShapeBase &b,
                          const coal::Transform3s &at)
{
    coal::CollisionResult found;
    const coal::CollisionRequest request(coal::NO_REQUEST, 1);
    coal::collide(&a, coal::Transform3s::Identity(), &b, at, request, found);
    std::printf("%s: %s\n", what, found.isCollision() ? "yes" : "no");
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
    const coal::Box needle(1.148487253929816e-7, 1.0812250465472994e-7, 1.874318656766967),
        box(0.0051739455597195048, 0.0042352310443559884, 1.0054104934926122);
    const Eigen::Quaterniond half_turn(-3.1864014991417355e-15, 1, 8.253010723414009e-09, 0);
    const coal::Transform3s turned(half_turn, coal::Vec3s(0, 1.1706386435150895 - 1.17063865182001, 0));
    print_meeting("a needle within a box, asked without contacts, they overlap", needle, box, turned);
    return 0;
}
