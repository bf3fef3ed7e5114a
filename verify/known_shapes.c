/* Shapes of imported cases: each library's kinds and rotations as shapes and poses of a scene. */
#include <math.h>
#include <string.h>

#include "verify/known_failures_private.h"

static int read_vertices(const gjb_known_context *c, const json_t *json, gjb_known_body *b)
{
    size_t count = json_array_size(json);
    if (!count || count > GJB_KNOWN_VERTICES)
        return REFUSE(c, "vertices: %zu of them, 1 to %d are wanted", count, GJB_KNOWN_VERTICES);
    b->count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        if (gjb_known_vector(c, json_array_get(json, i), "vertices", b->rows + i * c->dim))
            return -1;
    return 0;
}

/* Half of it, and the number of its axis. */
static int read_length(const gjb_known_context *c, const json_t *json, double *half, uint32_t *along)
{
    const char *axis = json_string_value(json_object_get(json, "axis"));
    *along = axis && axis[0] && !axis[1] ? (uint32_t)(axis[0] - 'x') : GJB_KNOWN_DIMS;
    if (*along >= c->dim)
        return REFUSE(c, "axis: '%s', one of %.*s is wanted", axis ? axis : "", (int)c->dim, "xyz");
    return gjb_known_number(c, json_object_get(json, "half_length"), "half_length", half);
}

static int read_capsule(const gjb_known_context *c, const json_t *json, gjb_known_body *b)
{
    const json_t *ends = json_object_get(json, "endpoints");
    b->kind = GJB_SEGMENT;
    b->count = 2;
    if (ends)
        return gjb_known_vector(c, json_array_get(ends, 0), "endpoints", b->rows) ||
               gjb_known_vector(c, json_array_get(ends, 1), "endpoints", b->rows + c->dim);
    double half = 0;
    uint32_t along = 0;
    if (read_length(c, json, &half, &along))
        return -1;
    b->rows[along] = -half;
    b->rows[c->dim + along] = half;
    return 0;
}

/* A cylinder, or a cone with its apex ahead. Ours stands along z: `up` says along which axis theirs does. */
static int read_upright(const gjb_known_context *c, const json_t *json, gjb_kind kind, gjb_known_body *b)
{
    b->kind = kind;
    b->rows[0] = b->radius;
    b->radius = 0;
    return read_length(c, json, &b->rows[1], &b->up);
}

/* Shapes given by their vertices. */
static const struct {
    uint32_t dim;
    const char *type;
    gjb_kind kind;
} outlines[] = {{2, "polygon", GJB_POLYGON}, {2, "triangle", GJB_POLYGON},  {2, "segment", GJB_SEGMENT},
                {3, "hull", GJB_HULL},       {3, "triangle", GJB_TRIANGLE}, {3, "segment", GJB_SEGMENT}};

/* A hull of few vertices is a simpler shape. */
static gjb_kind simplest(gjb_kind kind, uint32_t count)
{
    static const gjb_kind simple[] = {[1] = GJB_POINT, [2] = GJB_SEGMENT, [3] = GJB_TRIANGLE};
    return kind == GJB_HULL && count < 4 ? simple[count] : kind;
}

int gjb_known_shape(gjb_known_context *c, const json_t *json, gjb_known_body *b)
{
    const char *type = json_string_value(json_object_get(json, "type"));
    const json_t *radius = json_object_get(json, "radius");
    memset(b->rows, 0, 2 * GJB_KNOWN_DIMS * sizeof *b->rows);
    b->radius = 0;
    b->count = 1;
    b->up = 2;
    if (!type)
        return REFUSE(c, "%s", "type: a name is wanted");
    if (radius && gjb_known_number(c, radius, "radius", &b->radius))
        return -1;
    if (!strcmp(type, "circle") || !strcmp(type, "sphere")) {
        b->kind = GJB_POINT;
        return 0;
    }
    if (!strcmp(type, "point")) {
        b->kind = GJB_POINT;
        return gjb_known_vector(c, json_object_get(json, "p"), "p", b->rows);
    }
    if (!strcmp(type, "box")) {
        b->kind = GJB_BOX;
        return gjb_known_vector(c, json_object_get(json, "half_extents"), "half_extents", b->rows);
    }
    if (!strcmp(type, "capsule"))
        return read_capsule(c, json, b);
    if (c->dim == 3 && (!strcmp(type, "cylinder") || !strcmp(type, "cone")))
        return read_upright(c, json, strcmp(type, "cone") ? GJB_CYLINDER : GJB_CONE, b);
    if (c->dim == 3 && !strcmp(type, "ellipsoid")) {
        b->kind = GJB_ELLIPSOID;
        return gjb_known_vector(c, json_object_get(json, "radii"), "radii", b->rows);
    }
    for (size_t i = 0; i < sizeof outlines / sizeof *outlines; i++)
        if (c->dim == outlines[i].dim && !strcmp(type, outlines[i].type)) {
            if (read_vertices(c, json_object_get(json, "vertices"), b))
                return -1;
            b->kind = simplest(outlines[i].kind, b->count);
            return 0;
        }
    snprintf(c->why, sizeof c->why, "shape '%.40s'", type);
    return 0;
}

static int is_identity(const gjb_known_context *c, double r[GJB_KNOWN_DIMS][GJB_KNOWN_DIMS])
{
    int is = 1;
    for (uint32_t i = 0; i < c->dim; i++)
        for (uint32_t k = 0; k < c->dim; k++)
            is &= r[i][k] == (i == k);
    return is;
}

/* Rotates by a matrix that need not be orthogonal in the last digits. */
static void bake(const gjb_known_context *c, gjb_known_body *b, double r[GJB_KNOWN_DIMS][GJB_KNOWN_DIMS])
{
    if (b->kind == GJB_BOX) {
        const double half[GJB_KNOWN_DIMS] = {b->rows[0], b->rows[1], b->rows[2]};
        b->kind = c->dim == 2 ? GJB_POLYGON : GJB_HULL;
        b->count = gjb_box_corners(c->dim);
        for (uint32_t i = 0; i < b->count; i++)
            for (uint32_t k = 0; k < c->dim; k++)
                b->rows[i * c->dim + k] = gjb_box_corner(c->dim, i, k) * half[k];
    }
    for (uint32_t i = 0; i < b->count; i++) {
        double *row = b->rows + i * c->dim, turned[GJB_KNOWN_DIMS] = {0};
        for (uint32_t k = 0; k < c->dim; k++)
            for (uint32_t m = 0; m < c->dim; m++)
                turned[k] += r[k][m] * row[m];
        memcpy(row, turned, c->dim * sizeof *row);
    }
}

/* The quaternion of a rotation, as a multiple of it: 4 q_i q for the largest q_i, whose numbers are sums of the
 * matrix's own (S. W. Shepperd, Quaternion from rotation matrix, 1978). Of quarter turns that is exact, and what
 * is equal stays so when its length is divided out: so the pose is exactly that quarter turn. */
static void quaternion_of(double r[3][3], double q[4])
{
    const double trace = r[0][0] + r[1][1] + r[2][2];
    double largest = 1 + trace, length = 0;
    int of = 3;
    for (int i = 0; i < 3; i++)
        if (1 - trace + 2 * r[i][i] > largest) {
            largest = 1 - trace + 2 * r[i][i];
            of = i;
        }
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, m = (i + 2) % 3;
        q[i] = of == 3 ? r[m][k] - r[k][m] : i == of ? largest : r[i][of] + r[of][i];
    }
    q[3] = of == 3 ? largest : r[(of + 2) % 3][(of + 1) % 3] - r[(of + 1) % 3][(of + 2) % 3];
    for (int i = 0; i < 4; i++)
        length += q[i] * q[i];
    for (int i = 0; i < 4; i++)
        q[i] /= sqrt(length);
}

/* Largest difference between a matrix and the rotation by a quaternion of length 1. */
static double off_rotation(double r[3][3], const double q[4])
{
    double most = 0;
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, m = (i + 2) % 3;
        most = fmax(most, fabs(r[i][i] - (1 - 2 * (q[k] * q[k] + q[m] * q[m]))));
        most = fmax(most, fabs(r[i][k] - 2 * (q[i] * q[k] - q[m] * q[3])));
        most = fmax(most, fabs(r[k][i] - 2 * (q[i] * q[k] + q[m] * q[3])));
    }
    return most;
}

/* Columns in turn, so that the axis `up` of the local frame becomes z: nothing is rounded. */
static void stand_up(double r[3][3], uint32_t up)
{
    for (int i = 0; i < 3; i++) {
        const double row[3] = {r[i][0], r[i][1], r[i][2]};
        for (uint32_t k = 0; k < 3; k++)
            r[i][k] = row[(k + up + 1) % 3];
    }
}

void gjb_known_turn(gjb_known_context *c, gjb_known_body *b, double r[GJB_KNOWN_DIMS][GJB_KNOWN_DIMS])
{
    static const double none[4] = {0, 0, 0, 1};
    memcpy(b->turn, none, sizeof none);
    if (!gjb_is_curved(b->kind)) {
        if (!is_identity(c, r))
            bake(c, b, r);
        return;
    }
    stand_up(r, b->up);
    quaternion_of(r, b->turn);
    if (!(off_rotation(r, b->turn) <= GJB_KNOWN_OFF_ROTATION))
        snprintf(c->why, sizeof c->why, "curved shape posed by a matrix that is no rotation");
}
