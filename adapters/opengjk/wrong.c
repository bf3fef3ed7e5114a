/* A wrong answer of openGJK, by its public function alone: of a point and a segment that are 1300.94 apart it does not
 * get to a number. usage: wrong; prints the distance that the library has of them. */
#include <openGJK/openGJK.h>
#include <stdio.h>

int main(void)
{
    gkFloat point[1][3] = {{216799, 0, 707355}}, ends[2][3] = {{2811252, 0, -209099}, {148497, 0, 732898}};
    gkFloat *a[] = {point[0]}, *b[] = {ends[0], ends[1]};
    gkSimplex simplex = {0};
    const double found = (double)compute_minimum_distance((gkPolytope){1, {0, 0, 0}, 0, a},
                                                          (gkPolytope){2, {0, 0, 0}, 0, b}, &simplex);
    printf("point and segment, 1300.94 apart: %.9g\n", found);
    return 0;
}
