/* Compiled once per precision: fills records from shapes. */
#define GJB_LANES_SCALAR
#include <stdlib.h>

#include "simd/lanes/lanes.h"
#include "simd/library.h"
#include "simd/ranges2.h"

#if GJB_BITS == 32
#define FILL gjb_library_fill_f32
typedef gjb_meta_f32 shape_meta;
#else
#define FILL gjb_library_fill_f64
typedef gjb_meta_f64 shape_meta;
#endif

/* Least rows a kind is stored with. */
static const uint8_t least_rows[GJB_KINDS] = {[GJB_POINT] = 1,    [GJB_SEGMENT] = 2,  [GJB_POLYGON] = 3,
                                              [GJB_BOX] = 1,      [GJB_TRIANGLE] = 3, [GJB_HULL] = 1,
                                              [GJB_AABB] = 2,     [GJB_ELLIPSE] = 1,  [GJB_SUPERELLIPSE] = 2,
                                              [GJB_ELLIPSOID] = 1, [GJB_SUPERELLIPSOID] = 2,
                                              [GJB_CYLINDER] = 1, [GJB_CONE] = 1};

static const uint8_t curves[GJB_KINDS] = {
    [GJB_ELLIPSE] = CURVE_ELLIPSE,   [GJB_SUPERELLIPSE] = CURVE_SUPER, [GJB_ELLIPSOID] = CURVE_ELLIPSE,
    [GJB_SUPERELLIPSOID] = CURVE_SUPER, [GJB_CYLINDER] = CURVE_CYLINDER, [GJB_CONE] = CURVE_CONE};

static int usable(const gjb_shapes *shapes, uint32_t i)
{
    const uint32_t dim = shapes->dim;
    const real *rows = (const real *)shapes->rows + dim * (size_t)shapes->first[i];
    const uint32_t kinds = (dim == 2 ? GJB_KINDS_2D | GJB_CURVED_2D : GJB_KINDS_3D | GJB_CURVED_3D) | 1u << GJB_AABB;
    real radius = ((const real *)shapes->radius)[i];
    uint32_t n = shapes->row_count[i];
    if (shapes->kind[i] >= GJB_KINDS || !(kinds >> shapes->kind[i] & 1u) || n < least_rows[shapes->kind[i]] ||
        !(radius >= 0 && radius <= REAL_MAX))
        return 0;
    for (uint32_t k = 0; k < dim * n; k++)
        if (!(rows[k] >= -REAL_MAX && rows[k] <= REAL_MAX))
            return 0;
    const int lengths = shapes->kind[i] == GJB_BOX || curves[shapes->kind[i]];
    if (lengths && !(rows[0] >= 0 && rows[1] >= 0 && (dim == 2 || rows[2] >= 0)))
        return 0;
    return curves[shapes->kind[i]] != CURVE_SUPER ||
           (rows[dim] >= (real)GJB_LEAST_EXPONENT && rows[dim] <= (real)GJB_LARGEST_EXPONENT);
}

static int by_x_then_y(const void *left, const void *right)
{
    const double *a = left, *b = right;
    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return a[1] < b[1] ? -1 : a[1] > b[1];
}

static int turns_left(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0;
}

/* Strict hull of n points, counter-clockwise from the lowest x (Andrew 1979,
 * monotone chain); the order of `points` is lost. A shape means the hull of its
 * vertices: the edges of vertices that rounding has dented, or put on an edge,
 * must not become axes. Returns the number of corners, 1 and 2 for
 * flat shapes; `hull` has room for 2n. */
static uint32_t strict_hull(uint32_t n, double (*points)[2], double (*hull)[2])
{
    uint32_t count = 0;
    qsort(points, n, sizeof *points, by_x_then_y);
    for (int side = 0; side < 2; side++) {
        const uint32_t base = count;
        for (uint32_t k = 0; k < n; k++) {
            const double *p = points[side ? n - 1 - k : k];
            if (count > base && hull[count - 1][0] == p[0] && hull[count - 1][1] == p[1])
                continue;
            while (count >= base + 2 && !turns_left(hull[count - 2], hull[count - 1], p))
                count--;
            hull[count][0] = p[0];
            hull[count++][1] = p[1];
        }
        if (count > base + 1)
            count--; /* the next chain begins with it */
    }
    if (count == 2 && hull[0][0] == hull[1][0] && hull[0][1] == hull[1][1])
        count = 1;
    return count;
}

typedef struct destination {
    real *vertices, *axes; /* both x[n] y[n] */
    uint32_t n;
    int scaled; /* vertices come as 2^scaled times what they are */
} destination;

static void put(const destination *to, uint32_t slot, const double *vertex, double nx, double ny)
{
    to->vertices[slot] = (real)(to->scaled ? ldexp(vertex[0], -to->scaled) : vertex[0]);
    to->vertices[to->n + slot] = (real)(to->scaled ? ldexp(vertex[1], -to->scaled) : vertex[1]);
    to->axes[slot] = (real)nx;
    to->axes[to->n + slot] = (real)ny;
}

/* Scales by a power of two, whose exponent it returns, so that products of
 * coordinates do not overflow, and underflow only if they do not matter: a
 * vertex must not seem to be on a line because of underflow. f32 in double
 * needs no scaling. */
static int scale_up(double (*points)[2], uint32_t count)
{
    if (GJB_BITS == 32)
        return 0;
    double most = 0;
    for (uint32_t i = 0; i < 2 * count; i++)
        most = fmax(most, fabs(points[i / 2][i % 2]));
    if (most == 0)
        return 0;
    const int by = 500 - ilogb(most);
    for (uint32_t i = 0; i < 2 * count; i++)
        points[i / 2][i % 2] = ldexp(points[i / 2][i % 2], by);
    return by;
}

/* Corner i of the box whose opposite corners are two rows, the lesser numbers first. */
static real corner_of(uint32_t dim, const real *rows, uint32_t i, uint32_t axis)
{
    const real p = rows[axis], q = rows[dim + axis];
    return (gjb_box_corner(dim, i, axis) < 0) == (p < q) ? p : q;
}

/* How far around from -x a direction is, in parts of a square. */
static double way_around(double x, double y, int below)
{
    const double part = x / (fabs(x) + fabs(y));
    return y < 0 || below ? 1 + part : 3 - part;
}

/* A range begins earlier by more than rounding of the way around, in `real`. Axes are in order; the first is below x. */
static void fill_ranges(const destination *to, uint32_t corners)
{
    const uint32_t last = to->n - 1, ranges = to->n / 4 * RANGES_OF_QUAD;
    const double width = 4. / ranges, doubt = 32 * (double)REAL_EPSILON;
    real *range = gjb_ranges(to->vertices, to->n);
    uint32_t first = 0;
    to->vertices[2 * to->n + 2] = (real)corners;
    for (uint32_t axis = 0; axis < 2; axis++) {
        const real *row = to->vertices + axis * to->n;
        to->vertices[2 * to->n + axis] = (real)(0.5 * (double)row[0] + 0.5 * (double)row[corners / 2]);
    }
    for (uint32_t k = 0; k < ranges; k++) {
        for (; first < corners; first++)
            if (way_around((double)to->axes[first], (double)to->axes[to->n + first], first == 0) >= width * k - doubt)
                break;
        range[k] = (real)(first < last ? first : last);
    }
}

/* `room`: 3 * max(count, 4) points. What is scanned in place has more corners than lanes hold. */
static void fill_record(destination *to, gjb_kind kind, const real *rows, uint32_t count,
                        double (*room)[2])
{
    static const signed char corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const uint32_t given = kind == GJB_BOX || kind == GJB_AABB ? 4 : count;
    for (uint32_t i = 0; i < given; i++)
        for (uint32_t k = 0; k < 2; k++)
            room[i][k] = kind == GJB_BOX    ? corner[i][k] * (double)rows[k]
                         : kind == GJB_AABB ? (double)corner_of(2, rows, i, k)
                                            : (double)rows[2 * i + k];
    to->scaled = scale_up(room, given);
    double(*hull)[2] = room + given;
    uint32_t corners = strict_hull(given, room, hull), used = 0;
    const int ranges = corners > 4 * LANE_QUADS;
    if (to->n > 4 * LANE_QUADS)
        to->n = ranges ? (corners + 3) / 4 * 4 : 4 * gjb_library_quads_of(corners > 2 ? corners : 4);
    for (uint32_t i = 0; i < corners && corners > 1; i++) {
        const double *a = hull[i], *b = hull[i + 1 == corners ? 0 : i + 1];
        double ex = b[0] - a[0], ey = b[1] - a[1], scale = fabs(ex) > fabs(ey) ? fabs(ex) : fabs(ey);
        ex /= scale;
        ey /= scale;
        double length = sqrt(ex * ex + ey * ey);
        put(to, used++, a, ey / length, -ex / length);
        if (corners == 2) /* the cap: its vertex is extreme against its edge */
            put(to, used++, a, -ex / length, -ey / length);
    }
    for (uint32_t i = 0; corners == 1 && i < 4; i++) /* any axes are valid for a point */
        put(to, used++, hull[0], (i == 0) - (i == 2), (i == 1) - (i == 3));
    for (real *row = to->vertices; row; row = row == to->vertices ? to->axes : NULL)
        for (uint32_t i = used; i < to->n; i++) {
            const uint32_t from = ranges && row == to->vertices ? 0 : used - 1;
            row[i] = row[from];
            row[to->n + i] = row[to->n + from];
        }
    if (ranges)
        fill_ranges(to, corners);
}

/* A ball's radius has a margin, so that it also bounds the rounded supports of its
 * vertices along a direction of unit length within 2^-7. */
static void fill_balls(real *ball, size_t balls, const gjb_grouped *v, uint32_t groups, double reach)
{
    for (size_t g = groups; g < balls; g++)
        ball[3 * balls + g] = -REAL_MAX;
    for (uint32_t g = 0; g < groups; g++) {
        const gjb_ball b = gjb_group_ball(v + GROUP * (size_t)g, GROUP);
        for (uint32_t axis = 0; axis < 3; axis++)
            ball[axis * balls + g] = (real)b.centre[axis];
        ball[3 * balls + g] = (real)fmin(b.radius * (1 + 0x1p-6) + 64 * (double)REAL_EPSILON * reach, (double)REAL_MAX);
    }
}

/* Vertices in groups, the last repeated; the caller fills in the extent. */
static void fill_groups(real *record, uint32_t quads, const real *rows, uint32_t count, gjb_grouped *v)
{
    const size_t balls = gjb_library_balls(quads);
    real *vertices = record + 4 * gjb_library_head(quads);
    double reach = 0;
    for (uint32_t i = 0; i < 4 * quads; i++) {
        const uint32_t from = i < count ? i : count - 1;
        v[i].index = i;
        for (int axis = 0; axis < 3; axis++) {
            v[i].at[axis] = (double)rows[3 * from + (uint32_t)axis];
            reach = fmax(reach, fabs(v[i].at[axis]));
        }
    }
    if (balls) {
        gjb_group_vertices(v, 4 * quads);
        fill_balls(record + LINE_REALS, balls, v, 4 * quads / GROUP, reach);
    }
    for (uint32_t i = 0; i < 4 * quads; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            vertices[(3 * (i / GROUP) + axis) * GROUP + i % GROUP] = (real)v[i].at[axis];
}

/* Vertices as stored, the last repeated; before them the half extents of a box,
 * or zeros; the caller fills in the extent. */
static void fill_record3(real *record, uint32_t n, gjb_kind kind, const real *rows, uint32_t count)
{
    real *vertices = record + 4;
    const uint32_t given = kind == GJB_BOX || kind == GJB_AABB ? gjb_box_corners(3) : count;
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t from = i < given ? i : given - 1;
            vertices[axis * n + i] = kind == GJB_BOX    ? (real)gjb_box_corner(3, from, axis) * rows[axis]
                                     : kind == GJB_AABB ? corner_of(3, rows, from, axis)
                                                        : rows[3 * from + axis];
        }
        record[axis] = kind == GJB_BOX ? rows[axis] : 0;
    }
}

static void fill_curve(real *record, uint32_t dim, unsigned curve, const real *rows)
{
    real *numbers = dim == 2 ? record + 2 : record + 4;
    memcpy(record, rows, dim * sizeof *rows);
    if (curve != CURVE_SUPER)
        return;
    const double p = (double)rows[dim], q = 1 / (p - 1);
    numbers[0] = (real)p;
    numbers[1] = (real)(q < CURVE_STEEPEST ? q : CURVE_STEEPEST);
    numbers[2] = (real)(1 / p);
}

/* Largest length of n vertices, which come in groups of so many. Overestimates by
 * rounding at most: it only sizes the pair's frame. */
static real farthest(const real *vertices, uint32_t n, uint32_t group, uint32_t dim)
{
    real most = 0;
    for (uint32_t k = 0; k < n; k++) {
        const real *v = vertices + k / group * group * dim + k % group;
        real reach = 0;
        for (uint32_t axis = 0; axis < dim; axis++) {
            const real x = (real)fabs((double)v[axis * group]);
            reach = x > reach ? x : reach;
        }
        double sum = 0;
        for (uint32_t axis = 0; axis < dim && reach > 0; axis++) {
            const double part = (double)((real)fabs((double)v[axis * group]) / reach);
            sum += part * part;
        }
        if (reach > 0)
            reach *= (real)sqrt(sum);
        most = reach > most ? reach : most;
    }
    return most;
}

/* As gjb_core_reach, within a few roundings. */
static real curve_reach(uint32_t dim, unsigned curve, const real *rows)
{
    const int corner = curve == CURVE_CYLINDER || curve == CURVE_CONE || (curve == CURVE_SUPER && rows[dim] > 2);
    real most = 0;
    if (corner)
        return farthest(rows, 1, 1, dim);
    for (uint32_t axis = 0; axis < dim; axis++)
        most = rows[axis] > most ? rows[axis] : most;
    return most;
}

/* The least, or largest (`end`), coordinate of a shape that a sweep takes. */
static real box_end(gjb_kind kind, const real *rows, uint32_t dim, uint32_t axis, int end)
{
    if (kind == GJB_POINT)
        return rows[axis];
    if (kind == GJB_BOX)
        return end ? rows[axis] : -rows[axis];
    return (rows[axis] < rows[dim + axis]) == end ? rows[dim + axis] : rows[axis];
}

static void fill_box(real *box, const gjb_shapes *shapes, uint32_t i)
{
    const uint32_t dim = shapes->dim;
    const real *rows = (const real *)shapes->rows + dim * (size_t)shapes->first[i];
    const gjb_kind kind = (gjb_kind)shapes->kind[i];
    const int swept = usable(shapes, i) && gjb_library_sweeps(kind) && !(((const real *)shapes->radius)[i] > 0);
    for (int end = 0; end < 2; end++, box += gjb_library_box(dim) / 2)
        for (uint32_t axis = 0; axis < dim; axis++)
            box[axis] = swept ? box_end(kind, rows, dim, axis, end) + 0 /* no -0 */ : (real)INFINITY;
}

static void fill_bounds(real *bounds, const gjb_shapes *shapes, uint32_t i, const shape_meta *meta)
{
    const uint32_t dim = shapes->dim;
    const real *rows = (const real *)shapes->rows + dim * (size_t)shapes->first[i];
    const gjb_kind kind = (gjb_kind)shapes->kind[i];
    bounds[3] = meta->radius;
    bounds[7] = meta->extent;
    const unsigned curve = curves[kind];
    for (uint32_t axis = 0; axis < dim; axis++) {
        double least = (double)rows[axis], most = least;
        for (uint32_t k = 1; k < shapes->row_count[i]; k++) {
            least = fmin(least, (double)rows[dim * k + axis]);
            most = fmax(most, (double)rows[dim * k + axis]);
        }
        if (curve || kind == GJB_BOX) { /* a curve within a cube */
            most = (double)(curve ? curve_reach(dim, curve, rows) : rows[axis]);
            least = -most;
        }
        bounds[axis] = (real)(0.5 * least + 0.5 * most);
        bounds[4 + axis] = (real)fmax(most - (double)bounds[axis], (double)bounds[axis] - least);
    }
}

/* Normals that differ by less are one: the depth along them is the same to rounding. */
#define SAME_NORMAL ((double)REAL_EPSILON / 4)

/* The chords from two unit vectors to one between them add up to twice that to the middle at most, which is the
 * square root of 2 - 2 h, where h is the cosine of half the angle. */
static uint8_t bend_of(const double *n, const double *m)
{
    const double c = n[0] * m[0] + n[1] * m[1] + n[2] * m[2], half = sqrt(fmax((1 + c) / 2, 0));
    return (uint8_t)(1 + BENDS * sqrt(fmax(2 - 2 * half, 0)));
}

/* Room for so many reals more from `at` on. -1 if memory runs out. */
static int make_room(gjb_library *library, size_t at, size_t reals)
{
    if (at + reals <= library->gauss_room)
        return 0;
    const size_t room = 2 * (at + reals);
    void *rows = at / WIDEST_LANES <= UINT32_MAX ? gjb_library_array(room * sizeof(real)) : NULL;
    if (!rows)
        return -1;
    if (at)
        memcpy(rows, library->gauss_rows, at * sizeof(real));
    free(library->gauss_rows);
    library->gauss_rows = rows;
    library->gauss_room = room;
    return 0;
}

/* n . p of the vertex that is farthest along n as it is stored. */
static double offset_of(const real *n, size_t stride, const double (*points)[3], uint32_t count)
{
    double most = -(double)REAL_MAX;
    for (uint32_t i = 0; i < count; i++) {
        const double *p = points[i];
        const double along = (double)n[0] * p[0] + (double)n[stride] * p[1] + (double)n[2 * stride] * p[2];
        most = along > most ? along : most;
    }
    return most;
}

/* Changes the numbers of faces, so that every register of the widest lanes holds neighbours. */
static void group_faces(gjb_solid *solid)
{
    gjb_grouped face[SOLID_FACES];
    uint8_t number[SOLID_FACES];
    _Static_assert(GROUP == WIDEST_LANES, "a group is a register");
    if (solid->faces <= GROUP)
        return;
    for (uint32_t f = 0; f < solid->faces; f++) {
        memcpy(face[f].at, solid->normal[f], sizeof face[f].at);
        face[f].index = f;
    }
    gjb_group_vertices(face, solid->faces);
    for (uint32_t f = 0; f < solid->faces; f++) {
        memcpy(solid->normal[f], face[f].at, sizeof face[f].at);
        number[face[f].index] = (uint8_t)f;
    }
    for (uint32_t k = 0; k < solid->arcs; k++)
        for (int end = 0; end < 2; end++)
            solid->arc[k].face[end] = number[solid->arc[k].face[end]];
}

static void fill_gauss(const gjb_solid *solid, real *rows, const double (*points)[3], uint32_t n)
{
    const size_t faces = gjb_library_padded(solid->faces), arcs = gjb_library_padded(solid->arcs);
    for (size_t f = 0; f < faces; f++) {
        for (size_t axis = 0; axis < 3; axis++)
            rows[axis * faces + f] = (real)solid->normal[f < solid->faces ? f : solid->faces - 1][axis];
        rows[3 * faces + f] = f < solid->faces ? (real)offset_of(rows + f, faces, points, n) : rows[3 * faces + f - 1];
    }
    uint8_t *bytes = (uint8_t *)(rows + 4 * faces);
    for (size_t k = 0; k < arcs; k++) {
        const gjb_arc *arc = &solid->arc[k < solid->arcs ? k : solid->arcs - 1];
        bytes[k] = arc->face[0];
        bytes[arcs + k] = arc->face[1];
        bytes[2 * arcs + k] = arc->vertex;
        bytes[3 * arcs + k] = bend_of(solid->normal[arc->face[0]], solid->normal[arc->face[1]]);
    }
}

/* Adds the Gauss map of shape i, whose record has n vertices in groups of so many; *at is where it goes. -1 if memory
 * runs out. */
static int add_gauss(gjb_library *library, uint32_t i, const real *vertices, uint32_t n, uint32_t group, size_t *at)
{
    gjb_solid solid;
    double points[SOLID_VERTICES][3];
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t axis = 0; axis < 3; axis++)
            points[k][axis] = (double)vertices[(3 * (k / group) + axis) * group + k % group];
    gjb_solid_find(&solid, (const double(*)[3])points, n, SAME_NORMAL);
    group_faces(&solid);
    const size_t reals = solid.arcs ? gjb_library_gauss(solid.faces, solid.arcs, sizeof(real)) : 0;
    gjb_gauss *gauss = &library->gauss[i];
    gauss->at = (uint32_t)(*at / WIDEST_LANES);
    gauss->faces = (uint16_t)solid.faces;
    gauss->arcs = (uint16_t)solid.arcs;
    gauss->corners = solid.corners;
    if (make_room(library, *at, reals))
        return -1;
    if (reals)
        fill_gauss(&solid, (real *)library->gauss_rows + *at, (const double(*)[3])points, n);
    *at += reals;
    return 0;
}

int FILL(gjb_library *library, const gjb_shapes *shapes)
{
    size_t gauss_at = 0;
    shape_meta *meta = library->meta;
    real *records = library->records;
    size_t offset = 0;
    const uint32_t dim = shapes->dim;
    for (uint32_t i = 0; i < shapes->count; i++) {
        if (library->boxes)
            fill_box((real *)library->boxes + gjb_library_box(dim) * i, shapes, i);
        uint32_t quads = gjb_library_quads(shapes, i);
        offset = gjb_library_place(dim, offset, quads);
        meta[i] = (shape_meta){.offset = (uint32_t)offset, .quads = (uint16_t)quads};
        offset += gjb_library_units(dim, quads);
        real *bounds = (real *)library->bounds + BOUND_REALS * (size_t)i;
        if (!usable(shapes, i)) {
            meta[i].method = 2 * SHAPE_INVALID;
            bounds[7] = (real)INFINITY;
            continue;
        }
        real *record = records + gjb_library_unit(dim) * (size_t)meta[i].offset;
        const gjb_kind kind = (gjb_kind)shapes->kind[i];
        const real *rows = (const real *)shapes->rows + dim * (size_t)shapes->first[i];
        destination to = {.vertices = record, .axes = record + library->axes, .n = 4 * quads};
        const unsigned curve = curves[kind];
        if (curve)
            fill_curve(record, dim, curve, rows);
        else if (dim == 2)
            fill_record(&to, kind, rows, shapes->row_count[i], library->room);
        else if (quads > LANE_QUADS)
            fill_groups(record, quads, rows, shapes->row_count[i], library->room);
        else
            fill_record3(record, 4 * quads, kind, rows, shapes->row_count[i]);
        meta[i].quads = (uint16_t)(quads = to.n / 4);
        unsigned size = curve ? SIZE_CURVED : quads == 1 ? SIZE_4 : quads == 2 ? SIZE_8 : quads == 4 ? SIZE_16 : quads == 8 ? SIZE_32 : SIZE_BIG;
        library->curved |= curve > 0;
        meta[i].radius = ((const real *)shapes->radius)[i];
        meta[i].extent = meta[i].radius + (curve ? curve_reach(dim, curve, rows)
                                                 : farthest(dim == 2 ? record : record + 4 * gjb_library_head(quads),
                                                            4 * quads, dim == 3 && quads > LANE_QUADS ? GROUP : 4 * quads,
                                                            dim));
        meta[i].method = (uint16_t)(2 * size | (meta[i].radius > 0 ? METHOD_ROUNDED : 0) |
                                    (dim == 3 && kind == GJB_BOX ? METHOD_BOX : 0) |
                                    (dim == 3 && (kind == GJB_POINT || kind == GJB_SEGMENT) ? METHOD_LINE : 0) |
                                    32 * curve);
        fill_bounds(bounds, shapes, i, &meta[i]);
        if (dim == 3)
            record[3] = meta[i].extent;
        const uint32_t group = quads > LANE_QUADS ? GROUP : 4 * quads;
        if (dim == 3 && !curve && gjb_library_maps(quads) &&
            add_gauss(library, i, record + 4 * gjb_library_head(quads), 4 * quads, group, &gauss_at))
            return -1;
    }
    library->alike = 1;
    for (uint32_t i = 1; i < shapes->count; i++)
        library->alike &= meta[i].method == meta[0].method;
    return 0;
}
