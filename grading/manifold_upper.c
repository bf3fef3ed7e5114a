/* Is a point on the upper side of a shape along n? Without its topology, by support mapping alone.
 *
 * A point a that is no more than T below the highest point of its shape is. Else the highest point of the shape over a
 * is found. Over a point across n, the shape's height is the least value of the planes that hold the shape below them:
 * three points of the shape hold one up, the farthest one beyond it takes the place of one of them, and so on, as in
 * the dual simplex method. It starts with three points far below and far out. If one of these stays, a lies next to
 * the shape by rounding, and the point of its rim that the others make takes the place of the one over a: a wall that
 * stands along n has its rim for an upper side, and nothing below.
 *
 * What comes out is a point of the shape, a combination of support points, that is D higher than a. On a slope a may be
 * off across n by T, too, so D may be T (1 + slope). Where D is more, the point over it proves that a lies below the
 * surface. A slope of more than 2^10 counts as a wall.
 *
 * Contacts of rounded shapes are points of the core that are moved along n by the radius. On a slope they lie within the
 * shape. So a is on the upper side, too, if what it was moved from is within T of that of the core. */
#include "grading/manifold.h"

#include <math.h>
#include <string.h>

#include "grading/bounds_private.h"

enum { CORNERS = 3, ROUNDS = 100 };
static const real steepest = 0x1p10L;

typedef struct roof {
    const gjb_placed_pair *placed;
    real e[3], f[3], up[3], from[3]; /* about the point that is asked about */
    int of_b, core;                  /* 1: of the core alone */
    real at[CORNERS][3]; /* across and up */
    int real_point[CORNERS];
    real tilt[2], height; /* the plane: height - tilt.w */
} roof;

static real radius_of(const gjb_placed_pair *placed, int of_b)
{
    return placed->is_curved             ? placed->curved.body[of_b].ball
           : placed->pair->dim == 2 ? placed->plane[of_b].radius
                                    : placed->space[of_b].radius;
}

/* The farthest point of a shape along r; in the plane, of the prism over it, as thick as the pair is large. */
static void support(const roof *roof, const real r[3], real out[3])
{
    const gjb_placed_pair *placed = roof->placed;
    const int plane = placed->pair->dim == 2, of_b = roof->of_b;
    real flat[3] = {r[0], r[1], plane ? 0 : r[2]};
    const real radius = roof->core ? 0 : radius_of(placed, of_b);
    const int any = gjb_normalise3(flat);
    if (placed->is_curved) {
        ref_solid_support(&placed->curved.body[of_b], flat, out);
    } else if (plane) {
        const gjb_placed2 *own = &placed->plane[of_b];
        uint32_t best = 0;
        for (uint32_t k = 1; k < own->count; k++)
            if (flat[0] * own->vertices[k][0] + flat[1] * own->vertices[k][1] >
                flat[0] * own->vertices[best][0] + flat[1] * own->vertices[best][1])
                best = k;
        out[0] = own->vertices[best][0];
        out[1] = own->vertices[best][1];
    } else {
        uint32_t index = 0;
        gjb_placed_support3(&placed->space[of_b], flat, &index);
        gjb_image3(&placed->space[of_b], index, out);
    }
    for (int k = 0; k < 3 && any; k++)
        out[k] += radius * flat[k];
    if (plane)
        out[2] = r[2] < 0 ? -(real)placed->size : (real)placed->size;
}

static void roof_support(const roof *roof, const real tilt[2], real out[3])
{
    real r[3], x[3];
    for (int k = 0; k < 3; k++)
        r[k] = roof->up[k] + tilt[0] * roof->e[k] + tilt[1] * roof->f[k];
    support(roof, r, x);
    gjb_sub3(x, roof->from, x);
    out[0] = gjb_dot3(roof->e, x);
    out[1] = gjb_dot3(roof->f, x);
    out[2] = gjb_dot3(roof->up, x);
}

/* Far out and far below, about the point. */
static void set_start(roof *roof)
{
    static const real way[CORNERS][2] = {{1, 0.0625L}, {-0.5625L, 0.875L}, {-0.4375L, -0.9375L}};
    const real far = 8 * (real)roof->placed->size;
    for (int k = 0; k < CORNERS; k++) {
        roof->at[k][0] = far * way[k][0];
        roof->at[k][1] = far * way[k][1];
        roof->at[k][2] = -steepest * far;
        roof->real_point[k] = 0;
    }
}

static real turn(const real p[3], const real q[3])
{
    return p[0] * q[1] - p[1] * q[0];
}

/* The plane through the three. */
static int set_plane(roof *roof)
{
    real d[3], e[3];
    gjb_sub3(roof->at[1], roof->at[0], d);
    gjb_sub3(roof->at[2], roof->at[0], e);
    const real whole = turn(d, e);
    if (whole == 0)
        return 0;
    roof->tilt[0] = -(d[2] * e[1] - e[2] * d[1]) / whole;
    roof->tilt[1] = -(e[2] * d[0] - d[2] * e[0]) / whole;
    roof->height = roof->at[0][2] + roof->tilt[0] * roof->at[0][0] + roof->tilt[1] * roof->at[0][1];
    return isfinite(roof->height);
}

/* Takes a point in the place of the one without which the point asked about stays within the three. */
static void exchange(roof *roof, const real point[3])
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
    roof->real_point[best] = 1;
}

/* The point of the shape over the one that is asked about, across and up, or next to it if none is over it; and how
 * steep the shape is there. 0 if there is none. */
static int point_over(const roof *roof, real over[3], real *slope)
{
    real weights = 0;
    const real *end[2] = {NULL, NULL};
    int reals = 0;
    over[0] = over[1] = over[2] = 0;
    for (int k = 0; k < CORNERS; k++) {
        const real weight = fmaxl(0, turn(roof->at[(k + 1) % CORNERS], roof->at[(k + 2) % CORNERS]));
        if (!roof->real_point[k])
            continue;
        if (reals < 2)
            end[reals] = roof->at[k];
        reals++;
        weights += weight;
        for (int m = 0; m < 3; m++)
            over[m] += weight * roof->at[k][m];
    }
    if (reals == 0 || !(weights > 0))
        return 0;
    for (int m = 0; m < 3; m++)
        over[m] /= weights;
    *slope = reals == 3 ? hypotl(roof->tilt[0], roof->tilt[1]) : 0;
    if (reals == 2) {
        const real across = hypotl(end[1][0] - end[0][0], end[1][1] - end[0][1]);
        *slope = across > 0 ? fminl(fabsl(end[1][2] - end[0][2]) / across, steepest) : steepest;
    }
    return 1;
}

/* 0 if nothing comes out, which proves nothing. */
static int find_over(roof *roof, real near, real doubt, real over[3], real *slope)
{
    real point[3];
    set_start(roof);
    for (int round = 0; round < ROUNDS && set_plane(roof); round++) {
        const real steep = hypotl(roof->tilt[0], roof->tilt[1]);
        roof_support(roof, roof->tilt, point);
        const real beyond = point[2] + roof->tilt[0] * point[0] + roof->tilt[1] * point[1] - roof->height;
        if (beyond <= 0.0625L * near + doubt * (1 + steep))
            return point_over(roof, over, slope);
        exchange(roof, point);
    }
    return 0;
}

static void open_roof(roof *roof, const gjb_placed_pair *placed, const gjb_flat_frame *frame, int of_b,
                      const double point[3], int core)
{
    *roof = (struct roof){.placed = placed, .of_b = of_b, .core = core};
    const real back = core ? radius_of(placed, of_b) : 0;
    for (int k = 0; k < 3; k++) {
        roof->e[k] = frame->e[k];
        roof->f[k] = of_b ? -frame->f[k] : frame->f[k];
        roof->up[k] = of_b ? -frame->n[k] : frame->n[k];
        roof->from[k] = point[k] - back * roof->up[k];
    }
}

/* How much more than `near` what the point was moved from is off the core's upper side. */
static real off_core(const gjb_placed_pair *placed, const gjb_flat_frame *frame, int of_b, const double point[3],
                     real near)
{
    const real doubt = 4 * placed->error;
    real over[3], slope;
    roof roof;
    open_roof(&roof, placed, frame, of_b, point, 1);
    if (!find_over(&roof, near, doubt, over, &slope))
        return 0;
    const real up = fabsl(over[2]) - (near + doubt) * (1 + slope), aside = hypotl(over[0], over[1]) - near - doubt;
    return fmaxl(0, fmaxl(up, aside));
}

real gjb_below_surface(const gjb_placed_pair *placed, const gjb_flat_frame *frame, int of_b, const double point[3],
                       real near)
{
    const real level[2] = {0, 0}, doubt = 4 * placed->error;
    real over[3], slope;
    roof roof;
    open_roof(&roof, placed, frame, of_b, point, 0);
    roof_support(&roof, level, over);
    if (over[2] <= near + doubt || !find_over(&roof, near, doubt, over, &slope))
        return 0;
    const real below = over[2] - (near + doubt) * (1 + slope);
    if (below <= 0 || radius_of(placed, of_b) == 0)
        return fmaxl(below, 0);
    return fminl(below, off_core(placed, frame, of_b, point, near));
}
