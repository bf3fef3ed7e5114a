/* The highest point of a convex set over a point, and a plane there that holds the set below it, by support mapping.
 *
 * Over a point across n, the set's height is the least value of the planes that hold the set below them: three
 * points of the set hold one up, the farthest one beyond it takes the place of one of them, and so on, as in the dual
 * simplex method. It starts with three points far below and far out. Where one of these stays, the point lies next to
 * the set by rounding, or on its rim. */
#include "grading/manifold/roof.h"

#include <math.h>
#include <string.h>

#include "grading/bounds_private.h"

enum { CORNERS = 3, ROUNDS = 100 };

/* Far out and far below, about the point. */
static void set_start(gjb_roof *roof)
{
    static const real way[CORNERS][2] = {{1, 0.0625L}, {-0.5625L, 0.875L}, {-0.4375L, -0.9375L}};
    static const real turn[4][2] = {{1, 0}, {0.866L, 0.5L}, {0.5L, 0.866L}, {0, 1}};
    const real x = turn[roof->turned][0], y = turn[roof->turned][1];
    for (int k = 0; k < CORNERS; k++) {
        roof->at[k][0] = roof->far * (x * way[k][0] - y * way[k][1]);
        roof->at[k][1] = roof->far * (y * way[k][0] + x * way[k][1]);
        roof->at[k][2] = -roof->steepest * roof->far;
        roof->is_real[k] = 0;
    }
}

static real turn(const real p[3], const real q[3])
{
    return p[0] * q[1] - p[1] * q[0];
}

/* The plane through the three, from the one that is nearest across: two of a round rim may be next to one another, and
 * the third far out. */
static int set_plane(gjb_roof *roof)
{
    real d[3], e[3], least = INFINITY;
    const real *base = roof->at[0], *next = NULL, *last = NULL;
    for (int k = 0; k < CORNERS; k++) {
        const real far = fabsl(roof->at[k][0]) + fabsl(roof->at[k][1]);
        if (far < least) {
            least = far;
            base = roof->at[k];
            next = roof->at[(k + 1) % CORNERS];
            last = roof->at[(k + 2) % CORNERS];
        }
    }
    if (!next)
        return 0;
    gjb_sub3(next, base, d);
    gjb_sub3(last, base, e);
    const real whole = turn(d, e);
    if (whole == 0)
        return 0;
    roof->tilt[0] = -(d[2] * e[1] - e[2] * d[1]) / whole;
    roof->tilt[1] = -(e[2] * d[0] - d[2] * e[0]) / whole;
    roof->height = base[2] + roof->tilt[0] * base[0] + roof->tilt[1] * base[1];
    return isfinite(roof->height);
}

/* Takes a point in the place of the one without which the point asked about stays within the three. */
static void exchange(gjb_roof *roof, const real point[3])
{
    int best = 0;
    real most = -INFINITY;
    for (int k = 0; k < CORNERS; k++) {
        const real *p = roof->at[(k + 1) % CORNERS], *q = roof->at[(k + 2) % CORNERS];
        /* Counter-clockwise, as the start is: p, q and the new one. */
        const real first = turn(q, point), second = turn(point, p), whole = turn(p, q) + first + second;
        const real least = whole > 0 ? fminl(first, second) / whole : -INFINITY;
        if (least > most) {
            most = least;
            best = k;
        }
    }
    memcpy(roof->at[best], point, sizeof roof->at[best]);
    roof->is_real[best] = 1;
}

/* Nothing is beyond the plane but by rounding, if the farthest point is one of those that hold it up. */
static int holds(const gjb_roof *roof, const real point[3])
{
    for (int k = 0; k < CORNERS; k++)
        if (point[0] == roof->at[k][0] && point[1] == roof->at[k][1] && point[2] == roof->at[k][2])
            return 1;
    return 0;
}

/* The point of the rim that is nearest. The one towards a far point of the start may be another. */
static void set_on_rim(gjb_roof *roof, const real p[3], const real q[3])
{
    const real x = q[0] - p[0], y = q[1] - p[1], square = x * x + y * y;
    const real part = square > 0 ? -(p[0] * x + p[1] * y) / square : 0, t = fminl(1, fmaxl(0, part));
    for (int m = 0; m < 3; m++)
        roof->over[m] = p[m] + t * (q[m] - p[m]);
}

/* The point of the triangle that is over the one asked about, by the longest side and by how far from that it is: a
 * narrow triangle's areas are rounded too coarsely. */
static void set_in_triangle(gjb_roof *roof)
{
    real most = -1;
    int first = 0;
    for (int k = 0; k < CORNERS; k++) {
        const real *from = roof->at[k], *to = roof->at[(k + 1) % CORNERS];
        const real x = to[0] - from[0], y = to[1] - from[1];
        if (x * x + y * y > most) {
            most = x * x + y * y;
            first = k;
        }
    }
    const real *p = roof->at[first], *q = roof->at[(first + 1) % CORNERS], *r = roof->at[(first + 2) % CORNERS];
    const real length = sqrtl(most), x = (q[0] - p[0]) / length, y = (q[1] - p[1]) / length;
    const real wide = x * (r[1] - p[1]) - y * (r[0] - p[0]), out = x * -p[1] - y * -p[0];
    const real c = fminl(1, fmaxl(0, out / wide));
    const real along = x * (-p[0] - c * (r[0] - p[0])) + y * (-p[1] - c * (r[1] - p[1]));
    const real s = fminl(1 - c, fmaxl(0, along / length));
    for (int m = 0; m < 3; m++)
        roof->over[m] = p[m] + c * (r[m] - p[m]) + s * (q[m] - p[m]);
}

static int set_over(gjb_roof *roof)
{
    real weights = 0;
    const real *end[2] = {NULL, NULL};
    roof->reals = 0;
    roof->over[0] = roof->over[1] = roof->over[2] = 0;
    for (int k = 0; k < CORNERS; k++) {
        const real weight = fmaxl(0, turn(roof->at[(k + 1) % CORNERS], roof->at[(k + 2) % CORNERS]));
        if (!roof->is_real[k])
            continue;
        if (roof->reals < 2)
            end[roof->reals] = roof->at[k];
        roof->reals++;
        weights += weight;
        for (int m = 0; m < 3; m++)
            roof->over[m] += weight * roof->at[k][m];
    }
    if (roof->reals == 0 || !(weights > 0))
        return 0;
    for (int m = 0; m < 3; m++)
        roof->over[m] /= weights;
    if (roof->reals == 2)
        set_on_rim(roof, end[0], end[1]);
    else if (roof->reals == 3)
        set_in_triangle(roof);
    return 1;
}

int gjb_roof_find(gjb_roof *roof, real enough, real doubt)
{
    real point[3];
    set_start(roof);
    for (int round = 0; round < ROUNDS && set_plane(roof); round++) {
        const real steep = hypotl(roof->tilt[0], roof->tilt[1]);
        roof->support(roof->context, roof->tilt, point);
        const real beyond = point[2] + roof->tilt[0] * point[0] + roof->tilt[1] * point[1] - roof->height;
        if (beyond <= enough + doubt * (1 + steep) || holds(roof, point)) {
            roof->most = roof->height + fmaxl(0, beyond);
            return set_over(roof);
        }
        exchange(roof, point);
    }
    return 0;
}
