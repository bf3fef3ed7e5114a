/* Shapes of workloads and families in the plane: rings, lattices, needles, repeated and collinear vertices. */
#include "scenes/generate/generate_parts.h"

#include <math.h>
#include <string.h>

/* Rings this large or larger are circles: their turns are so small that
 * rounding to f32 would dent anything more interesting. */
enum { LARGE_RING = 1024 };
/* Lattices of 2^-14 keep rings of at most so many vertices convex. */
enum { LARGE_LATTICE_RING = 64 };

static double radius_of_size(gjb_random *r)
{
    return gjb_random_range(r, 0.5, 2.0);
}

/* The local origin lies at the centre in one shape of four, else within a
 * quarter of its size. */
static void draw_origin(gjb_random *r, double size, double origin[2])
{
    double c, s;
    gjb_random_rotation(r, &c, &s);
    const double far = 0.25 * size * gjb_random_unit(r);
    const double away = gjb_random_below(r, 4) == 0 ? 0.0 : far;
    origin[0] = away * c;
    origin[1] = away * s;
}

/* Height of b over the chord a, c. */
static double sagitta(const double a[2], const double b[2], const double c[2])
{
    const double x = c[0] - a[0], y = c[1] - a[1];
    return (x * (b[1] - a[1]) - y * (b[0] - a[0])) / -sqrt(x * x + y * y);
}

/* Moves vertices of the unit circle inwards by up to a third of their own
 * height over the chord of their neighbours. The ring stays strictly convex,
 * however far the neighbours move. */
static void roughen(gjb_random *r, uint32_t n, double (*ring)[2])
{
    const double first[2] = {ring[0][0], ring[0][1]};
    double before[2] = {ring[n - 1][0], ring[n - 1][1]};
    for (uint32_t i = 0; i < n; i++) {
        const double here[2] = {ring[i][0], ring[i][1]};
        const double shrink =
            1.0 - gjb_random_range(r, 0.0, 0.33) * sagitta(before, here, i + 1 < n ? ring[i + 1] : first);
        ring[i][0] = here[0] * shrink;
        ring[i][1] = here[1] * shrink;
        memcpy(before, here, sizeof before);
    }
}

/* An irregular strictly convex polygon: stratified random angles on a circle,
 * roughened, squashed to an ellipse, turned. */
static void draw_ring(gjb_random *r, uint32_t n, double size, double (*ring)[2])
{
    const double jitter = n <= 3 ? 0.5 : n <= 256 ? 0.7 : 0.7 * 256.0 / n;
    for (uint32_t i = 0; i < n; i++) {
        const double place = i + 0.5 + jitter * (gjb_random_unit(r) - 0.5);
        gjb_cos_sin(place / n, &ring[i][0], &ring[i][1]);
    }
    if (n > 4 && n < LARGE_RING)
        roughen(r, n, ring);
    const double squash = gjb_random_range(r, 0.6, 1.0) * size;
    const double wide = size, high = n < LARGE_RING ? squash : size;
    double c, s, origin[2];
    gjb_random_rotation(r, &c, &s);
    draw_origin(r, size, origin);
    for (uint32_t i = 0; i < n; i++) {
        const double x = ring[i][0] * wide, y = ring[i][1] * high;
        ring[i][0] = (c * x - s * y) + origin[0];
        ring[i][1] = (s * x + c * y) + origin[1];
    }
}

static void draw_segment(gjb_random *r, double size, double (*rows)[2])
{
    double c, s, origin[2];
    gjb_random_rotation(r, &c, &s);
    draw_origin(r, size, origin);
    for (int end = 0; end < 2; end++) {
        const double along = end == 0 ? -size : size;
        rows[end][0] = origin[0] + along * c;
        rows[end][1] = origin[1] + along * s;
    }
}

void gjb_shape_plain(gjb_random *r, gjb_draft *draft)
{
    if (draft->dim == 3) {
        gjb_shape_plain3(r, draft);
        return;
    }
    const double size = radius_of_size(r);
    switch (draft->kind) {
    case GJB_POINT:
        draw_origin(r, size, draft->rows[0]);
        draft->radius = draft->rounded ? size : 0.0;
        return;
    case GJB_SEGMENT:
    case GJB_AABB:
        draw_segment(r, 0.8 * size, draft->rows);
        break;
    case GJB_BOX:
        draft->rows[0][0] = size * gjb_random_range(r, 0.4, 1.0);
        draft->rows[0][1] = size * gjb_random_range(r, 0.4, 1.0);
        break;
    case GJB_ELLIPSE:
    case GJB_SUPERELLIPSE:
        gjb_draw_curved(r, draft->kind, 2, size, draft->rows[0]);
        break;
    default:
        draw_ring(r, draft->count, size, draft->rows);
        break;
    }
    const double radius = size * gjb_random_range(r, 0.05, 0.5);
    draft->radius = draft->rounded ? radius : 0.0;
}

/* In 3D normals are products of coordinates: a coarser lattice keeps them, and
 * heights along them, exact. */
void gjb_shape_lattice(gjb_random *r, gjb_draft *draft)
{
    gjb_shape_plain(r, draft);
    draft->quantum = draft->dim == 3 ? 0x1p-12 : draft->count <= LARGE_LATTICE_RING ? 0x1p-14 : 0.0;
}

/* The inner shapes are small enough for the inscribed circle or ball of the
 * outer. */
void gjb_shape_contained(gjb_random *r, gjb_draft *draft)
{
    const double inner = draft->dim == 2 ? 0.0625 : 0.03125;
    gjb_shape_plain(r, draft);
    draft->scale *= draft->small ? inner : 1.0;
}

void gjb_shape_needle(gjb_random *r, gjb_draft *draft)
{
    gjb_shape_plain(r, draft);
    double aspect = gjb_random_octaves(r, 0, 14);
    aspect = aspect > 1e4 ? 1e4 : aspect;
    draft->stretch[1] /= aspect;
    if (draft->dim == 3 && gjb_random_below(r, 2) == 0)
        draft->stretch[2] /= aspect; /* else a blade */
    draft->radius /= draft->kind == GJB_POINT ? 1.0 : aspect;
}

/* Fewer corners than rows: the others repeat the corner before them, the first
 * and the last row included. */
void gjb_shape_repeated(gjb_random *r, gjb_draft *draft)
{
    const uint32_t n = draft->count, corners = 3 + gjb_random_below(r, n - 3);
    const uint32_t shift = gjb_random_below(r, n);
    double(*ring)[2] = draft->rows + n;
    const double size = radius_of_size(r);
    draw_ring(r, corners, size, ring);
    uint32_t corner = 0;
    for (uint32_t i = 0; i < n; i++) {
        memcpy(draft->rows[(i + shift) % n], ring[corner], sizeof *ring);
        const uint32_t rows_left = n - 1 - i, corners_left = corners - 1 - corner;
        corner += rows_left > 0 && gjb_random_below(r, rows_left) < corners_left;
    }
    draft->radius = draft->rounded ? size * 0.25 : 0.0;
}

void gjb_snap(double *values, uint32_t n, double quantum)
{
    for (uint32_t i = 0; i < n; i++)
        values[i] = floor(values[i] / quantum + 0.5) * quantum;
}

double gjb_power_above(uint32_t n)
{
    double power = 1.0;
    while (power < n)
        power *= 2.0;
    return power;
}

/* Vertices along the edges of a smaller ring: at dyadic fractions of lattice
 * edges, exactly collinear as stored; or bulging by 2^-22 to 2^-12 of the
 * edge, collinear up to rounding. */
void gjb_shape_collinear(gjb_random *r, gjb_draft *draft)
{
    const uint32_t n = draft->count;
    const uint32_t most = n - 1 < 10 ? n - 1 : 10, corners = 3 + gjb_random_below(r, most - 2);
    const uint32_t extra = n - corners, first = gjb_random_below(r, corners);
    const uint32_t exact = gjb_random_below(r, 2);
    const double bulge = exact ? 0.0 : gjb_random_octaves(r, -22, -12);
    const uint32_t spread = 1 + gjb_random_below(r, corners); /* edges that carry the run */
    const double parts = gjb_power_above(extra / spread + 2);
    const double fine = 0x1p-21 * parts, grid = fine > 0x1p-14 ? fine : 0x1p-14;
    double(*ring)[2] = draft->rows + n;
    const double size = radius_of_size(r);
    draw_ring(r, corners, size, ring);
    gjb_snap(ring[0], 2 * corners, grid);
    uint32_t row = 0;
    for (uint32_t k = 0; k < corners; k++) {
        const uint32_t turn = (k + corners - first) % corners;
        const uint32_t run = turn < spread ? extra / spread + (turn < extra % spread) : 0;
        const double *from = ring[k], *to = ring[(k + 1) % corners];
        const double edge[2] = {to[0] - from[0], to[1] - from[1]};
        for (uint32_t j = 0; j <= run; j++) {
            const double t = floor(j * parts / (run + 1.0)) / parts, out = bulge * t * (1.0 - t);
            draft->rows[row][0] = from[0] + edge[0] * t + edge[1] * out;
            draft->rows[row][1] = from[1] + edge[1] * t - edge[0] * out;
            row++;
        }
    }
    draft->quantum = exact ? grid / parts : 0.0;
    draft->radius = draft->rounded ? size * 0.25 : 0.0;
}

/* Lower edge (of polygons), boxes and segments lie along local x exactly. */
void gjb_shape_parallel(gjb_random *r, gjb_draft *draft)
{
    gjb_shape_plain(r, draft);
    if (draft->kind == GJB_SEGMENT) {
        const double half = draft->rows[1][0] - draft->rows[0][0];
        draft->rows[0][0] = -(fabs(half) + 0.25);
        draft->rows[1][0] = fabs(half) + 0.25;
        draft->rows[1][1] = draft->rows[0][1];
    }
    if (draft->kind != GJB_POLYGON)
        return;
    const uint32_t n = draft->count;
    const double size = radius_of_size(r), high = size * gjb_random_range(r, 0.6, 1.0);
    const double half = gjb_random_range(r, 0.3, 0.5) / n; /* of the lower edge, in turns */
    double origin[2];
    draw_origin(r, size, origin);
    for (uint32_t i = 0; i < n; i++) {
        double c, s, turns = half;
        if (i > 1) {
            const double place = i - 1 + 0.5 * (gjb_random_unit(r) - 0.5);
            turns = half + (1.0 - 2.0 * half) * place / (n - 1);
        }
        gjb_cos_sin(turns, &c, &s);
        draft->rows[i][0] = size * (i == 0 ? -s : s) + origin[0];
        draft->rows[i][1] = origin[1] - high * c;
    }
}

/* 1e-2 to 1e2 each, so 1e-4 to 1e4 against each other; in 3D 1e-3 to 1e3. */
void gjb_shape_size_ratio(gjb_random *r, gjb_draft *draft)
{
    const int octaves = draft->dim == 2 ? 7 : 10;
    const double most = draft->dim == 2 ? 100.0 : 1000.0, least = 1.0 / most;
    gjb_shape_plain(r, draft);
    const double scale = gjb_random_octaves(r, -octaves, octaves);
    draft->scale *= scale < least ? least : scale > most ? most : scale;
}

/* Everything on the local x axis, at multiples of 1/256. */
void gjb_shape_flat(gjb_random *r, gjb_draft *draft)
{
    const uint32_t n = draft->count;
    const uint32_t a_point = draft->kind == GJB_POLYGON && gjb_random_below(r, 4) == 0;
    const double size = floor(256.0 * radius_of_size(r)) / 256.0;
    draft->quantum = 0x1p-18;
    draft->radius = draft->rounded ? 0.25 * size : 0.0;
    if (draft->kind == GJB_BOX) {
        const uint32_t axis = gjb_random_below(r, 4) == 0;
        draft->rows[0][axis] = size;
        draft->rows[0][1 - axis] = 0.0;
        return;
    }
    /* Out along the axis and back. */
    const uint32_t turn = n / 2;
    const double step = floor(256.0 * size / (turn > 0 ? turn : 1)) / 256.0;
    const double stride = step > 0.0 ? step : 1.0 / 256.0;
    const double start = -stride * floor(turn / 2.0);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t along = i <= turn ? i : n - i;
        draft->rows[i][0] = a_point ? 0.25 : start + stride * along;
        draft->rows[i][1] = 0.0;
    }
}

/* Integer coordinates; polygons on even ones, so that middles of edges are
 * integer too. */
void gjb_shape_vertex_on(gjb_random *r, gjb_draft *draft)
{
    draft->radius = draft->rounded ? 1.0 + gjb_random_below(r, 3) : 0.0;
    if (draft->kind == GJB_BOX) {
        draft->rows[0][0] = 1.0 + gjb_random_below(r, 8);
        draft->rows[0][1] = 1.0 + gjb_random_below(r, 8);
        draft->quantum = 1.0;
        return;
    }
    const double n = draft->count, size = gjb_power_above((uint32_t)(n * sqrt(n)));
    draw_ring(r, draft->count, 2.0 * (size > 8.0 ? size : 8.0), draft->rows);
    draft->quantum = 2.0;
}

/* 1 if b lies to the right of a, c, or to the left by less than rounding.
 * Products of lattice coordinates are exact: there, collinear is allowed. */
static int dented(const double a[2], const double b[2], const double c[2], int exact)
{
    const double left = (b[0] - a[0]) * (c[1] - b[1]), right = (b[1] - a[1]) * (c[0] - b[0]);
    const double doubt = exact ? 0.0 : 0x1p-50 * (fabs(left) + fabs(right));
    return exact ? left < right : left - right <= doubt;
}

static int same(const double a[2], const double b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

/* A dented vertex becomes a repeat of the one before. */
static void mend(double (*v)[2], uint32_t n, int exact)
{
    for (int again = 1; again;) {
        again = 0;
        uint32_t before = n - 1;
        while (before > 0 && same(v[before], v[0]))
            before--;
        for (uint32_t i = 0; i < n; i++) {
            if (same(v[i], v[before]))
                continue;
            uint32_t after = (i + 1) % n;
            while (after != i && same(v[after], v[i]))
                after = (after + 1) % n;
            if (after == i || same(v[after], v[before]))
                return; /* down to two points */
            if (dented(v[before], v[i], v[after], exact)) {
                for (uint32_t k = i; k != after; k = (k + 1) % n)
                    memcpy(v[k], v[before], sizeof *v);
                again = 1;
                continue;
            }
            before = i;
        }
    }
}

/* Its normal may have any length, and its offset is along that. */
static void finish_halfspace(gjb_draft *draft, gjb_precision precision)
{
    double *numbers = draft->dim == 2 ? draft->rows[0] : draft->rows3[0];
    numbers[draft->dim] *= draft->scale;
    for (uint32_t i = 0; i < 2 * draft->dim; i++)
        numbers[i] = gjb_rounded(precision, numbers[i]) + 0.0;
    draft->radius = gjb_rounded(precision, draft->radius);
}

void gjb_draft_finish(gjb_draft *draft, gjb_precision precision)
{
    const double quantum = draft->quantum;
    draft->radius *= draft->scale;
    if (gjb_is_unbounded(draft->kind)) {
        finish_halfspace(draft, precision);
        return;
    }
    double *numbers = draft->dim == 2 ? draft->rows[0] : draft->rows3[0];
    const uint32_t dim = draft->dim, count = dim * (gjb_is_curved(draft->kind) ? 1 : draft->count);
    const int turned = draft->kind == GJB_CYLINDER || draft->kind == GJB_CONE; /* (r, h): along x, along z */
    for (uint32_t i = 0; i < count; i++)
        numbers[i] *= draft->stretch[turned && i == 1 ? 2 : i % dim] * draft->scale;
    if (draft->kind == GJB_SUPERELLIPSE || draft->kind == GJB_SUPERELLIPSOID)
        numbers[dim] = gjb_rounded(precision, numbers[dim]);
    if (quantum > 0.0) {
        gjb_snap(numbers, count, quantum);
        draft->radius = floor(draft->radius / quantum + 0.5) * quantum;
    }
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = gjb_rounded(precision, numbers[i]) + 0.0; /* + 0 makes -0 0 */
    draft->radius = gjb_rounded(precision, draft->radius);
    if (draft->kind == GJB_POLYGON)
        mend(draft->rows, draft->count, quantum > 0.0);
}
