/* Wrong answers of Box2D v3, by its public functions alone. usage: wrong; prints what the library has of each pair. */
#include <box2d/collision.h>
#include <stdio.h>

int main(void)
{
    const b2Circle circle = {{0, 0}, 1};
    const b2LocalManifold m = b2CollideCircles(&circle, &circle, b2Transform_identity);
    printf("two circles of radius 1 in one place, the normal has length 1: (%g, %g), separation %g\n",
           (double)m.normal.x, (double)m.normal.y, (double)m.points[0].separation);
    return 0;
}
