/* Turns arbitrary bytes, or a pair file, into a small valid pair in either dimension. */
#include "fuzz/targets/pair_bytes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/scene_private.h"

enum { POINTS_MAX = GJB_PAIR_VERTICES };

typedef struct bytes {
    const uint8_t *at;
    size_t left;
} bytes;

static uint32_t take(bytes *b, size_t count)
{
    uint32_t value = 0;
    for (size_t i = 0; i < count && b->left; i++, b->at++, b->left--)
        value |= (uint32_t)*b->at << (8 * i);
    return value;
}

/* The bits of a float, its exponent folded into 2^-20 .. 2^19; zero stays. */
static double take_number(bytes *b, gjb_precision precision)
{
    uint32_t bits = take(b, 4), exponent = bits >> 23 & 255;
    if (!(bits << 1))
        return 0;
    if (exponent < 107 || exponent > 146)
        exponent = 107 + exponent % 40;
    bits = (bits & 0x807fffffu) | exponent << 23;
    float f;
    memcpy(&f, &bits, sizeof f);
    double value = (double)f;
    if (precision == GJB_F64) /* digits below those of a float */
        value += value * 0x1p-40 * (double)(take(b, 2) & 0xffff);
    return value;
}

static int before(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

static int turns_left(const double p[2], const double q[2], const double r[2])
{
    long double left = ((long double)q[0] - p[0]) * ((long double)r[1] - p[1]);
    long double right = ((long double)q[1] - p[1]) * ((long double)r[0] - p[0]);
    return left - right > 0x1p-58L * (fabsl(left) + fabsl(right));
}

/* Andrew's monotone chain; what does not certainly turn is dropped. */
static uint32_t hull(double points[][2], uint32_t count, double out[][2])
{
    uint32_t n = 0;
    qsort(points, count, sizeof *points, before);
    for (int upper = 0; upper < 2; upper++) {
        uint32_t base = n;
        for (uint32_t k = 0; k < count; k++) {
            const double *p = points[upper ? count - 1 - k : k];
            while (n >= base + 2 && !turns_left(out[n - 2], out[n - 1], p))
                n--;
            memcpy(out[n++], p, sizeof *out);
        }
        n--; /* the other half begins with it */
    }
    return n;
}

/* Repeats vertices and puts points onto edges, as valid input may. */
static uint32_t thicken(bytes *b, double *rows, uint32_t count, uint32_t dim)
{
    uint32_t how = take(b, 1);
    if (!(how & 3) || count >= POINTS_MAX)
        return count;
    uint32_t at = how >> 2 & 31;
    at %= count;
    memmove(rows + (at + 1) * dim, rows + at * dim, (count - at) * dim * sizeof *rows);
    if (how & 2 && at + 2 <= count)
        for (uint32_t k = 0; k < dim; k++)
            rows[(at + 1) * dim + k] = 0.5 * (rows[at * dim + k] + rows[(at + 2) * dim + k]);
    return count + 1;
}

static gjb_pose2d take_pose(bytes *b, gjb_precision precision)
{
    static const double turns[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    uint32_t how = take(b, 1);
    gjb_pose2d pose = {take_number(b, precision), take_number(b, precision), turns[how & 3][0],
                       turns[how & 3][1]};
    if (how & 4) {
        double x = (double)take(b, 2) - 32768, y = (double)take(b, 2) - 32767.5, length = sqrt(x * x + y * y);
        pose.c = x / length;
        pose.s = y / length;
    }
    if (how & 8) {
        pose.x *= 0x1p-10;
        pose.y *= 0x1p-10;
    }
    return pose;
}

/* Turned exactly: not at all, half about x or z, a third about the diagonal;
 * or anyhow, or almost not. */
static gjb_pose3d take_pose3(bytes *b, gjb_precision precision)
{
    static const double turns[4][4] = {{0, 0, 0, 1}, {1, 0, 0, 0}, {0, 0, 1, 0}, {0.5, 0.5, 0.5, 0.5}};
    uint32_t how = take(b, 1);
    double t[3], q[4], squared = 0;
    for (int k = 0; k < 3; k++)
        t[k] = take_number(b, precision) * (how & 8 ? 0x1p-10 : 1);
    for (int k = 0; k < 4; k++) {
        q[k] = turns[how & 3][k];
        if (how & 4)
            q[k] = (double)take(b, 2) - 32767.5;
        else if (how & 16)
            q[k] += 0x1p-32 * ((double)take(b, 2) - 32768);
        squared += q[k] * q[k];
    }
    double length = how & 20 ? sqrt(squared) : 1;
    return (gjb_pose3d){t[0], t[1], t[2], q[0] / length, q[1] / length, q[2] / length, q[3] / length};
}

static uint32_t take_polygon(bytes *b, double *rows, uint32_t count)
{
    double points[POINTS_MAX][2];
    double(*corners)[2] = (double(*)[2])rows;
    memcpy(points, rows, count * sizeof *points);
    count = hull(points, count, corners);
    while (count && count < 3) {
        memcpy(corners[count], corners[0], sizeof *corners); /* flat, and valid */
        count++;
    }
    return count < 3 ? 3 : thicken(b, rows, count, 2);
}

/* Vertices in any order and anywhere, as a hull may have them; half of the
 * hulls on a lattice, where faces are coplanar and edges parallel. */
static uint32_t take_hull(bytes *b, double *rows, uint32_t count, uint32_t how)
{
    for (uint32_t i = 0; i < 3 * count && how & 16; i++)
        rows[i] = rint(ldexp(rows[i], -(int)(how >> 5 & 1))) * (i % 3 == 2 && how & 128 ? 0 : 1);
    return thicken(b, rows, count, 3);
}

/* Rows of a curved kind, flat ones too. The exponent is one that people use, or anything from 1 to 16. */
static uint32_t take_curved(bytes *b, gjb_kind kind, uint32_t dim, gjb_precision precision, double *rows)
{
    static const double usual[] = {1, 1.25, 1.5, 2, 2.5, 4, 8, 16};
    const uint32_t lengths = kind == GJB_CYLINDER || kind == GJB_CONE ? 2 : dim;
    memset(rows, 0, 2 * dim * sizeof *rows);
    for (uint32_t k = 0; k < lengths; k++)
        rows[k] = fabs(take_number(b, precision));
    if (kind != GJB_SUPERELLIPSE && kind != GJB_SUPERELLIPSOID)
        return 1;
    const uint32_t power = take(b, 2);
    rows[dim] = power & 1 ? exp2(power / 65536.0 * 4) : usual[(power >> 1) % 8];
    return 2;
}

static void take_shape(bytes *b, gjb_scene *scene, uint32_t i)
{
    /* Of bits that no other kind looks at: seeds that are older mean what they did. */
    static const gjb_kind curved_plane[] = {GJB_ELLIPSE, GJB_SUPERELLIPSE};
    static const gjb_kind curved_space[] = {GJB_ELLIPSOID, GJB_SUPERELLIPSOID, GJB_CYLINDER, GJB_CONE};
    static const gjb_kind plane[] = {GJB_POINT, GJB_SEGMENT, GJB_POLYGON, GJB_BOX};
    static const gjb_kind space[] = {GJB_POINT, GJB_SEGMENT, GJB_TRIANGLE, GJB_BOX,
                                     GJB_HULL,  GJB_HULL,    GJB_HULL,     GJB_HULL};
    static const uint32_t fixed[GJB_KINDS] = {
        [GJB_POINT] = 1, [GJB_SEGMENT] = 2, [GJB_BOX] = 1, [GJB_TRIANGLE] = 3, [GJB_AABB] = 2};
    const uint32_t dim = scene->shapes.dim;
    gjb_precision precision = (gjb_precision)scene->shapes.precision;
    uint32_t how = take(b, 1), count = 1 + take(b, 1) % (POINTS_MAX - 4);
    double rows[3 * (2 * POINTS_MAX + 2)];
    gjb_kind kind = dim == 2 ? plane[how % 4] : space[how % 8];
    if (kind == GJB_BOX && how & 32)
        kind = GJB_AABB;
    if (dim == 2 ? (how & 12) == 12 : (how & 8) != 0)
        kind = dim == 2 ? curved_plane[how % 2] : curved_space[how % 4];
    if (fixed[kind])
        count = fixed[kind];
    else if (kind == GJB_HULL && count < 4)
        count = 4;
    if (gjb_is_curved(kind))
        count = take_curved(b, kind, dim, precision, rows);
    for (uint32_t k = 0; k < dim * count && !gjb_is_curved(kind); k++) {
        rows[k] = take_number(b, precision);
        if (kind == GJB_BOX)
            rows[k] = fabs(rows[k]);
    }
    if (kind == GJB_POLYGON)
        count = take_polygon(b, rows, count);
    else if (kind == GJB_HULL)
        count = take_hull(b, rows, count, how);
    if (count > POINTS_MAX)
        count = POINTS_MAX;
    double radius = how & 64 ? fabs(take_number(b, precision)) : 0;
    gjb_scene_set_shape(scene, i, kind, i * POINTS_MAX, count, rows, radius);
}

/* Not at all, straight on, or turning as well, up to 64 times; half of the motions small against the shapes. */
static int take_motion(bytes *b, gjb_scene *scene, uint32_t body)
{
    const uint32_t how = take(b, 1), dim = scene->shapes.dim;
    const gjb_precision precision = (gjb_precision)scene->shapes.precision;
    double m[6] = {0};
    for (uint32_t k = 0; k < dim && how & 1; k++)
        m[k] = take_number(b, precision) * (how & 2 ? 0x1p-10 : 1);
    for (uint32_t k = dim; k < gjb_motion_numbers(dim) && how & 4; k++)
        m[k] = ldexp((double)take(b, 2) - 32768, how & 8 ? -7 : -14);
    return gjb_scene_set_motion(scene, 0, body, m);
}

/* The byte format: what any bytes come to. */
static gjb_scene *decode(const uint8_t *data, size_t size, uint32_t only)
{
    bytes b = {data, size};
    const uint32_t how = take(&b, 1), dim = (how & 6) == 2 ? 3 : 2;
    gjb_precision precision = (gjb_precision)(how & 1);
    gjb_scene *scene = only && dim != only ? NULL : gjb_scene_new(dim, precision, 2, 2 * POINTS_MAX, 2, 1);
    if (!scene)
        return NULL;
    for (uint32_t i = 0; i < 2; i++) {
        take_shape(&b, scene, i);
        if (dim == 2)
            gjb_scene_set_pose(scene, 0, i, take_pose(&b, precision));
        else
            gjb_scene_set_pose3(scene, 0, i, take_pose3(&b, precision));
    }
    scene->frames[0].pairs[0] = 0;
    scene->frames[0].pairs[1] = 1;
    int failed = 0;
    for (uint32_t i = 0; i < 2 && how & 8; i++)
        failed |= take_motion(&b, scene, i);
    if (failed) {
        gjb_scene_free(scene);
        return NULL;
    }
    return scene;
}

/* A pair file of anybody's is as welcome as the bytes, within the same bounds. */
static int is_bounded(const gjb_scene *scene, uint32_t only)
{
    const gjb_shapes *shapes = &scene->shapes;
    gjb_pair_space space = {0};
    gjb_pair pair;
    uint64_t pairs = 0;
    for (uint32_t f = 0; f < scene->frame_count; f++)
        pairs += scene->frames[f].pair_count;
    if (pairs != 1 || scene->frame_count != 1 || shapes->count > 2 || scene->body_count != 2 ||
        (only && shapes->dim != only))
        return 0;
    for (uint32_t i = 0; i < shapes->count; i++)
        if (shapes->row_count[i] > POINTS_MAX)
            return 0;
    const int opened = !gjb_scene_pair(scene, 0, 0, &space, &pair);
    const double extent = opened ? gjb_pair_size(&pair) : 0;
    gjb_pair_space_free(&space);
    return opened && (extent == 0 || (extent > 0x1p-40 && extent < 0x1p40));
}

gjb_scene *gjb_pair_from_bytes(const uint8_t *data, size_t size, uint32_t only)
{
    gjb_error error = {{0}};
    const int is_file = size > 8 && (data[0] == '{' || !memcmp(data, GJB_BINARY_MAGIC, 8));
    gjb_scene *scene = is_file ? gjb_scene_parse(data, size, "input", &error) : decode(data, size, only);
    if (scene && (is_file ? !is_bounded(scene, only) : gjb_scene_check(scene, "input", &error))) {
        gjb_scene_free(scene);
        return NULL;
    }
    return scene;
}
