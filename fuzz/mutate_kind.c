/* Mutations of kinds, of both shapes, and with another pair. */
#include "fuzz/mutate_private.h"

/* A kind that means the same points, if this shape has one. */
typedef struct equal_kind {
    gjb_kind from, to;
    int (*turn_into)(const gjb_edit *edit, gjb_edit_body *b);
} equal_kind;

/* At least `least` rows, the first repeated. */
static int pad(gjb_edit_body *b, uint32_t least)
{
    for (; b->count < least; b->count++)
        memcpy(b->rows[b->count], b->rows[b->count - 1], sizeof b->rows[0]);
    return 0;
}

static int as_polygon(const gjb_edit *edit, gjb_edit_body *b)
{
    (void)edit;
    return pad(b, 3);
}

static int as_triangle(const gjb_edit *edit, gjb_edit_body *b)
{
    (void)edit;
    return pad(b, 3);
}

static int as_hull(const gjb_edit *edit, gjb_edit_body *b)
{
    (void)edit;
    return pad(b, 4);
}

static int as_segment(const gjb_edit *edit, gjb_edit_body *b)
{
    (void)edit;
    return pad(b, 2);
}

static int corners_as_rows(const gjb_edit *edit, gjb_edit_body *b)
{
    double corners[8][3];
    b->count = gjb_edit_corners(edit, (uint32_t)(b - edit->body), corners);
    memcpy(b->rows, corners, b->count * sizeof corners[0]);
    return 0;
}

static int box_as_aabb(const gjb_edit *edit, gjb_edit_body *b)
{
    b->count = 2;
    for (uint32_t k = 0; k < edit->dim; k++)
        b->rows[1][k] = -b->rows[0][k];
    b->rows[1][2] = edit->dim == 2 ? 0 : b->rows[1][2];
    return 0;
}

/* Of one about the origin alone. */
static int aabb_as_box(const gjb_edit *edit, gjb_edit_body *b)
{
    for (uint32_t k = 0; k < edit->dim; k++)
        if (b->rows[0][k] != -b->rows[1][k])
            return 1;
    for (uint32_t k = 0; k < edit->dim; k++)
        b->rows[0][k] = fabs(b->rows[0][k]);
    b->count = 1;
    return 0;
}

/* Its radius becomes semi-axes. */
static int ball_as_curved(const gjb_edit *edit, gjb_edit_body *b)
{
    for (uint32_t k = 0; k < edit->dim; k++)
        if (b->rows[0][k] != 0)
            return 1;
    for (uint32_t k = 0; k < edit->dim; k++)
        b->rows[0][k] = b->radius;
    b->radius = 0;
    return 0;
}

static int curved_as_ball(const gjb_edit *edit, gjb_edit_body *b)
{
    for (uint32_t k = 1; k < edit->dim; k++)
        if (b->rows[0][k] != b->rows[0][0])
            return 1;
    b->radius += b->rows[0][0];
    memset(b->rows[0], 0, sizeof b->rows[0]);
    return 0;
}

static int with_power_two(const gjb_edit *edit, gjb_edit_body *b)
{
    (void)edit;
    memset(b->rows[1], 0, sizeof b->rows[1]);
    b->rows[1][0] = 2;
    b->count = 2;
    return 0;
}

static int without_power(const gjb_edit *edit, gjb_edit_body *b)
{
    (void)edit;
    b->count = 1;
    return b->rows[1][0] != 2;
}

static int power_one_as_rows(const gjb_edit *edit, gjb_edit_body *b)
{
    double corners[6][3];
    if (b->rows[1][0] != 1)
        return 1;
    b->count = gjb_edit_corners(edit, (uint32_t)(b - edit->body), corners);
    memcpy(b->rows, corners, b->count * sizeof corners[0]);
    return 0;
}

static const equal_kind equal_kinds[] = {
    {GJB_POINT, GJB_SEGMENT, as_segment},
    {GJB_POINT, GJB_POLYGON, as_polygon},
    {GJB_POINT, GJB_HULL, as_hull},
    {GJB_POINT, GJB_ELLIPSE, ball_as_curved},
    {GJB_POINT, GJB_ELLIPSOID, ball_as_curved},
    {GJB_SEGMENT, GJB_POLYGON, as_polygon},
    {GJB_SEGMENT, GJB_TRIANGLE, as_triangle},
    {GJB_SEGMENT, GJB_HULL, as_hull},
    {GJB_TRIANGLE, GJB_HULL, as_hull},
    {GJB_BOX, GJB_POLYGON, corners_as_rows},
    {GJB_BOX, GJB_HULL, corners_as_rows},
    {GJB_BOX, GJB_AABB, box_as_aabb},
    {GJB_AABB, GJB_BOX, aabb_as_box},
    {GJB_AABB, GJB_POLYGON, corners_as_rows},
    {GJB_AABB, GJB_HULL, corners_as_rows},
    {GJB_ELLIPSE, GJB_SUPERELLIPSE, with_power_two},
    {GJB_ELLIPSE, GJB_POINT, curved_as_ball},
    {GJB_SUPERELLIPSE, GJB_ELLIPSE, without_power},
    {GJB_SUPERELLIPSE, GJB_POLYGON, power_one_as_rows},
    {GJB_ELLIPSOID, GJB_SUPERELLIPSOID, with_power_two},
    {GJB_ELLIPSOID, GJB_POINT, curved_as_ball},
    {GJB_SUPERELLIPSOID, GJB_ELLIPSOID, without_power},
    {GJB_SUPERELLIPSOID, GJB_HULL, power_one_as_rows},
};

static int of_dimension(gjb_kind kind, uint32_t dim)
{
    return (int)((dim == 2 ? GJB_KINDS_2D | GJB_CURVED_2D : GJB_KINDS_3D | GJB_CURVED_3D) >> kind & 1u) ||
           kind == GJB_AABB;
}

GJB_MUTATION(equivalent)
{
    (void)other;
    gjb_edit_body *b = &edit->body[which];
    const uint32_t rows = (uint32_t)(sizeof equal_kinds / sizeof *equal_kinds),
                   first = gjb_random_below(r, rows);
    for (uint32_t i = 0; i < rows; i++) {
        const equal_kind *row = &equal_kinds[(first + i) % rows];
        if (row->from == b->kind && of_dimension(row->to, edit->dim)) {
            const int failed = row->turn_into(edit, b);
            b->kind = row->to;
            return failed;
        }
    }
    return 1;
}

static void copy_shape(gjb_edit_body *to, const gjb_edit_body *from)
{
    to->kind = from->kind;
    to->count = from->count;
    to->radius = from->radius;
    memcpy(to->rows, from->rows, from->count * sizeof from->rows[0]);
}

static void copy_pose(gjb_edit_body *to, const gjb_edit_body *from)
{
    memcpy(to->place, from->place, sizeof to->place);
    memcpy(to->turn, from->turn, sizeof to->turn);
}

/* The other shape becomes this one; at times it lies where this one does. */
GJB_MUTATION(equal)
{
    (void)other;
    gjb_edit_body *to = &edit->body[1 - which];
    copy_shape(to, &edit->body[which]);
    if (gjb_random_below(r, 3) == 0)
        copy_pose(to, &edit->body[which]);
    else if (gjb_random_u32(r) & 1)
        memcpy(to->turn, edit->body[which].turn, sizeof to->turn);
    return 0;
}

static void swap_bytes(void *a, void *b, size_t size)
{
    unsigned char *p = a, *q = b;
    for (size_t i = 0; i < size; i++) {
        const unsigned char kept = p[i];
        p[i] = q[i];
        q[i] = kept;
    }
}

GJB_MUTATION(swap)
{
    (void)r, (void)which, (void)other;
    const uint32_t a = edit->body[0].count, b = edit->body[1].count, most = a > b ? a : b;
    swap_bytes(&edit->body[0], &edit->body[1],
               offsetof(gjb_edit_body, rows) + most * sizeof edit->body[0].rows[0]);
    return 0;
}

GJB_MUTATION(cross_shape)
{
    copy_shape(&edit->body[which], &other->body[gjb_random_u32(r) & 1]);
    return 0;
}

GJB_MUTATION(cross_place)
{
    if (gjb_random_u32(r) & 1) /* how they lie to each other */
        copy_pose(&edit->body[1 - which], &other->body[1 - which]);
    copy_pose(&edit->body[which], &other->body[which]);
    return 0;
}

GJB_MUTATION(cross_motion)
{
    (void)r, (void)which;
    for (int i = 0; i < 2; i++)
        memcpy(edit->body[i].motion, other->body[i].motion, sizeof other->body[i].motion);
    return 0;
}
