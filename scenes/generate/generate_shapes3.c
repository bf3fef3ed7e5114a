/* Hulls of workloads in space: spirals on spheres, flat faces, ellipsoids, and models of a library. */
#include <math.h>
#include <string.h>

#include "scenes/generate/generate_parts.h"
#include "scenes/generate/generate_solid.h"
#include "scenes/scene_private.h"

/* The local origin lies at the centre in one shape of four, else within a
 * quarter of its size. */
static void draw_origin3(gjb_random *r, double size, double origin[3])
{
    gjb_random_direction3(r, origin);
    const double far = 0.25 * size * gjb_random_unit(r);
    const double away = gjb_random_below(r, 4) == 0 ? 0.0 : far;
    for (int axis = 0; axis < 3; axis++)
        origin[axis] *= away;
}

/* Moves vertex `v` of a unit sphere to a random point within `reach`, on the
 * sphere. */
static void jitter(gjb_random *r, double reach, double v[3])
{
    double step[3];
    gjb_random_direction3(r, step);
    gjb_along3(v, step, reach * gjb_random_unit(r), v);
    gjb_unit3(v);
}

/* n points of the unit sphere between heights lo and hi, on a Fibonacci
 * spiral (Vogel 1979) jittered by less than half the distance of neighbours. */
void gjb_draw_spiral3(gjb_random *r, uint32_t n, double lo, double hi, double (*v)[3])
{
    static const double golden = 0.6180339887498949; /* turns from one to the next */
    const double start = gjb_random_unit(r), reach = 0.8 * sqrt((hi - lo) / 2.0 / n);
    for (uint32_t i = 0; i < n; i++) {
        const double z = hi - (hi - lo) * (i + 0.5) / n, flat = sqrt(1.0 - z * z);
        double turns = start + i * golden;
        turns -= floor(turns);
        gjb_cos_sin(turns, &v[i][0], &v[i][1]);
        v[i][0] *= flat;
        v[i][1] *= flat;
        v[i][2] = z;
        jitter(r, reach, v[i]);
    }
}

/* n points of the unit sphere's circle at `height`: coplanar to the bit. */
void gjb_draw_circle3(gjb_random *r, uint32_t n, double height, double (*v)[3])
{
    const double flat = sqrt(1.0 - height * height), shift = gjb_random_unit(r);
    for (uint32_t i = 0; i < n; i++) {
        const double place = i + shift + 0.6 * (gjb_random_unit(r) - 0.5);
        gjb_cos_sin(place / n, &v[i][0], &v[i][1]);
        v[i][0] *= flat;
        v[i][1] *= flat;
        v[i][2] = height;
    }
}

/* Vertices of one flat face, that f32 keeps convex. */
enum { LARGEST_FACE = 128 };

/* A quarter to a half of n vertices (3 at least) on one flat face, the lower
 * one in the local frame, others beyond; and every third time an upper face
 * like it. */
void gjb_draw_faceted3(gjb_random *r, uint32_t n, double (*v)[3])
{
    const uint32_t drawn = n / 4 + gjb_random_below(r, n / 4 + 1);
    const uint32_t least = drawn < 3 ? 3 : drawn < LARGEST_FACE ? drawn : LARGEST_FACE;
    const uint32_t twice = gjb_random_below(r, 3) == 0 && n >= 2 * least;
    const double low = -gjb_random_range(r, 0.3, 0.8), high = gjb_random_range(r, 0.3, 0.8);
    const uint32_t upper = twice ? least : 0, rest = n - least - upper;
    gjb_draw_circle3(r, least, low, v);
    gjb_draw_circle3(r, upper, high, v + least);
    /* Jitter must not carry the others over the faces. */
    const double room = 0.9 * sqrt((high - low) / 2.0 / (rest > 0 ? rest : 1));
    const double top = twice ? high - room : 1.0, bottom = low + room;
    gjb_draw_spiral3(r, rest, bottom < top ? bottom : 0.0, bottom < top ? top : 0.0, v + least + upper);
}

/* A point of the unit ball becomes one of an ellipsoid of `size`; turned
 * unless that would round flat faces out of their planes. */
void gjb_make_ellipsoid3(gjb_random *r, uint32_t n, double size, int turned, double (*v)[3])
{
    double q[4], m[3][3], squash[3], origin[3];
    gjb_random_quaternion(r, q);
    gjb_rotation3(q, m);
    draw_origin3(r, size, origin);
    for (int axis = 0; axis < 3; axis++)
        squash[axis] = size * (axis == 0 ? 1.0 : gjb_random_range(r, 0.6, 1.0));
    for (uint32_t i = 0; i < n; i++) {
        double at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] = v[i][axis] * squash[axis];
        for (int axis = 0; axis < 3; axis++)
            v[i][axis] = (turned ? gjb_dot3(m[axis], at) : at[axis]) + origin[axis];
    }
}

/* An irregular hull with every vertex extreme: points of a sphere, made an
 * ellipsoid. One of four has flat faces of several vertices. */
void gjb_draw_hull3(gjb_random *r, uint32_t n, double size, double (*v)[3])
{
    const int faceted = gjb_random_below(r, 4) == 0 && n > 5;
    if (faceted)
        gjb_draw_faceted3(r, n, v);
    else
        gjb_draw_spiral3(r, n, -1.0, 1.0, v);
    gjb_make_ellipsoid3(r, n, size, !faceted, v);
}

static void draw_segment3(gjb_random *r, double size, double (*rows)[3])
{
    double u[3], origin[3];
    gjb_random_direction3(r, u);
    draw_origin3(r, size, origin);
    gjb_along3(origin, u, -size, rows[0]);
    gjb_along3(origin, u, size, rows[1]);
}

/* Corners on an ellipse of a random plane, none too close to another. */
static void draw_triangle(gjb_random *r, double size, double (*rows)[3])
{
    double q[4], m[3][3], origin[3];
    gjb_random_quaternion(r, q);
    gjb_rotation3(q, m);
    draw_origin3(r, size, origin);
    const double high = size * gjb_random_range(r, 0.6, 1.0);
    for (int i = 0; i < 3; i++) {
        double at[3] = {0.0, 0.0, 0.0};
        gjb_cos_sin((i + 0.5 * gjb_random_unit(r)) / 3.0, &at[0], &at[1]);
        at[0] *= size;
        at[1] *= high;
        for (int axis = 0; axis < 3; axis++)
            rows[i][axis] = gjb_dot3(m[axis], at) + origin[axis];
    }
}

static int is_model(const gjb_shapes *library, uint32_t i, uint32_t vertices)
{
    return library->kind[i] == GJB_HULL && library->row_count[i] <= vertices;
}

uint32_t gjb_models_upto(const gjb_shapes *library, uint32_t vertices)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < library->count; i++)
        count += (uint32_t)is_model(library, i, vertices);
    return count;
}

uint32_t gjb_model_upto(const gjb_shapes *library, uint32_t vertices, uint32_t k)
{
    uint32_t i = 0;
    for (uint32_t before = is_model(library, 0, vertices); before <= k && i + 1 < library->count;) {
        i++;
        before += (uint32_t)is_model(library, i, vertices);
    }
    return i;
}

/* As stored, but scaled by a power of two that brings the farthest coordinate into
 * [1, 2): coplanar faces stay coplanar, and bits stay the same in f32. */
static void copy_model(const gjb_draft *draft)
{
    const gjb_shapes *library = draft->library;
    const uint64_t first = 3 * (uint64_t)library->first[draft->model - 1];
    const uint32_t numbers = 3 * library->row_count[draft->model - 1];
    double most = 0.0;
    for (uint32_t i = 0; i < numbers; i++) {
        const double value = fabs(gjb_scalar_load(library->rows, library->precision, first + i));
        most = value > most ? value : most;
    }
    int exponent;
    frexp(most, &exponent);
    for (uint32_t i = 0; i < numbers; i++) {
        const double value = gjb_scalar_load(library->rows, library->precision, first + i);
        draft->rows3[i / 3][i % 3] = ldexp(value, 1 - exponent);
    }
}

void gjb_shape_plain3(gjb_random *r, gjb_draft *draft)
{
    const double size = gjb_random_range(r, 0.5, 2.0);
    switch (draft->kind) {
    case GJB_POINT:
        draw_origin3(r, size, draft->rows3[0]);
        draft->radius = draft->rounded ? size : 0.0;
        return;
    case GJB_SEGMENT:
    case GJB_AABB:
        draw_segment3(r, 0.8 * size, draft->rows3);
        break;
    case GJB_TRIANGLE:
        draw_triangle(r, size, draft->rows3);
        break;
    case GJB_BOX:
        for (int axis = 0; axis < 3; axis++)
            draft->rows3[0][axis] = size * gjb_random_range(r, 0.4, 1.0);
        break;
    case GJB_ELLIPSOID:
    case GJB_SUPERELLIPSOID:
    case GJB_CYLINDER:
    case GJB_CONE:
        gjb_draw_curved(r, draft->kind, 3, size, draft->rows3[0]);
        break;
    default:
        if (draft->model > 0 && draft->library->row_count[draft->model - 1] == draft->count)
            copy_model(draft);
        else
            gjb_draw_hull3(r, draft->count, size, draft->rows3);
        break;
    }
    const double radius = size * gjb_random_range(r, 0.05, 0.5);
    draft->radius = draft->rounded ? radius : 0.0;
}
