/* Mutations of one shape. */
#include "fuzz/mutate_private.h"
#include "scenes/generate/generate_parts.h"

static int few_steps(gjb_random *r)
{
    const int most[] = {1, 1, 1, 2, 4, 64};
    const int steps = 1 + (int)gjb_random_below(r, (uint32_t)most[gjb_random_below(r, 6)]);
    return gjb_random_u32(r) & 1 ? steps : -steps;
}

/* A row and a column that the kind has a number in. */
static double *some_number(gjb_random *r, gjb_edit *edit, gjb_edit_body *b)
{
    const uint32_t row = gjb_random_below(r, b->count);
    uint32_t column = gjb_random_below(r, edit->dim);
    if (b->kind == GJB_CYLINDER || b->kind == GJB_CONE)
        column %= 2;
    if (row == 1 && (b->kind == GJB_SUPERELLIPSE || b->kind == GJB_SUPERELLIPSOID))
        column = 0;
    return &b->rows[row][column];
}

GJB_MUTATION(nudge)
{
    (void)other;
    gjb_edit_body *b = &edit->body[which];
    const uint32_t how = gjb_random_below(r, 8);
    double *number = how == 0   ? &b->radius
                     : how <= 2 ? &b->place[gjb_random_below(r, edit->dim)]
                                : some_number(r, edit, b);
    const double old = *number;
    *number = gjb_edit_step(edit->precision, old, few_steps(r));
    const int positive = how == 0 || b->kind == GJB_BOX || gjb_is_curved(b->kind);
    if (positive && how != 1 && how != 2 && *number < 0)
        *number = -*number;
    return *number == old;
}

GJB_MUTATION(collinear)
{
    (void)other;
    gjb_edit_body *b = &edit->body[which];
    const uint32_t n = b->count, at = gjb_random_below(r, n);
    /* In the plane between its neighbours, so that the outline keeps its order. */
    const uint32_t p = edit->dim == 2 ? (at + n - 1) % n : gjb_random_below(r, n);
    const uint32_t q = edit->dim == 2 ? (at + 1) % n : gjb_random_below(r, n);
    const double share = gjb_random_below(r, 9) / 8.0;
    if (at == p || at == q || p == q)
        return 1;
    for (uint32_t k = 0; k < edit->dim; k++)
        b->rows[at][k] = b->rows[p][k] + share * (b->rows[q][k] - b->rows[p][k]);
    return 0;
}

GJB_MUTATION(coplanar)
{
    (void)other;
    gjb_edit_body *b = &edit->body[which];
    const uint32_t n = b->count, at = gjb_random_below(r, n);
    uint32_t of[3];
    for (int i = 0; i < 3; i++)
        of[i] = gjb_random_below(r, n);
    double u[3], v[3], w[3], normal[3];
    for (int k = 0; k < 3; k++) {
        u[k] = b->rows[of[1]][k] - b->rows[of[0]][k];
        v[k] = b->rows[of[2]][k] - b->rows[of[0]][k];
        w[k] = b->rows[at][k] - b->rows[of[0]][k];
    }
    gjb_edit_cross(u, v, normal);
    if (at == of[0] || at == of[1] || at == of[2] || gjb_edit_normalise(normal))
        return 1;
    if (gjb_random_below(r, 3) == 0) { /* the fourth corner of a parallelogram, exactly in its plane */
        for (int k = 0; k < 3; k++)
            b->rows[at][k] = b->rows[of[1]][k] + v[k];
        return 0;
    }
    const double off = gjb_edit_dot(w, normal);
    for (int k = 0; k < 3; k++)
        b->rows[at][k] -= off * normal[k];
    return 0;
}

GJB_MUTATION(repeat)
{
    (void)other;
    gjb_edit_body *b = &edit->body[which];
    const uint32_t at = gjb_random_below(r, b->count);
    const int grows = (b->kind == GJB_POLYGON || b->kind == GJB_HULL) && b->count < GJB_MUTATE_VERTICES;
    if (!grows || gjb_random_u32(r) & 1) {
        const uint32_t next = (at + 1) % b->count; /* in place of its neighbour */
        memcpy(b->rows[next], b->rows[at], sizeof b->rows[0]);
        return b->count < 2;
    }
    memmove(b->rows[at + 1], b->rows[at], (b->count - at) * sizeof b->rows[0]);
    b->count++;
    return 0;
}

GJB_MUTATION(drop)
{
    (void)other;
    gjb_edit_body *b = &edit->body[which];
    const uint32_t at = gjb_random_below(r, b->count);
    if (b->count <= (b->kind == GJB_POLYGON ? 3u : 4u))
        return 1;
    b->count--;
    memmove(b->rows[at], b->rows[at + 1], (b->count - at) * sizeof b->rows[0]);
    return 0;
}

GJB_MUTATION(interior)
{
    (void)other;
    gjb_edit_body *b = &edit->body[which];
    if (b->count >= GJB_MUTATE_VERTICES)
        return 1;
    const uint32_t at = gjb_random_below(r, b->count);
    const uint32_t to = edit->dim == 2 ? (at + 1) % b->count : gjb_random_below(r, b->count);
    memmove(b->rows[at + 1], b->rows[at], (b->count - at) * sizeof b->rows[0]);
    b->count++;
    /* The middle of an edge or a chord; in space at times drawn on towards the centroid. */
    const double *p = b->rows[at], *q = b->rows[to > at || to == 0 ? (to + 1) % b->count : to];
    double middle[3], inward = edit->dim == 3 && gjb_random_u32(r) & 1 ? 0.5 : 0;
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (uint32_t v = 0; v < b->count; v++)
            sum += b->rows[v][k] / b->count;
        middle[k] = (1 - inward) * 0.5 * (p[k] + q[k]) + inward * sum;
    }
    memcpy(b->rows[at + 1], middle, sizeof middle);
    return 0;
}

/* Multiplies the shape along a local axis; radii stay. Of curved kinds with one number for two axes both. */
static void stretch(gjb_edit_body *b, uint32_t axis, double by)
{
    const int lengths_apart = b->kind == GJB_SUPERELLIPSE || b->kind == GJB_SUPERELLIPSOID;
    if (b->kind == GJB_CYLINDER || b->kind == GJB_CONE)
        axis %= 2;
    for (uint32_t v = 0; v < (lengths_apart ? 1 : b->count); v++)
        b->rows[v][axis] *= by;
}

GJB_MUTATION(aspect)
{
    (void)other;
    const double by = gjb_power_of_two(1 + (int)gjb_random_below(r, edit->precision == GJB_F32 ? 14 : 30));
    stretch(&edit->body[which], gjb_random_below(r, edit->dim), gjb_random_u32(r) & 1 ? by : 1 / by);
    return 0;
}

GJB_MUTATION(flatten)
{
    (void)other;
    const double tiny = gjb_epsilon(edit->precision) * gjb_power_of_two((int)gjb_random_below(r, 6) - 2);
    stretch(&edit->body[which], gjb_random_below(r, edit->dim), gjb_random_below(r, 3) ? 0 : tiny);
    return 0;
}

static void scale_shape(gjb_edit_body *b, uint32_t dim, double by)
{
    for (uint32_t axis = 0; axis < (b->kind == GJB_CYLINDER || b->kind == GJB_CONE ? 2 : dim); axis++)
        stretch(b, axis, by);
    b->radius *= by;
}

GJB_MUTATION(scale)
{
    (void)other;
    const double by = gjb_power_of_two(1 + (int)gjb_random_below(r, 12));
    scale_shape(&edit->body[which], edit->dim, gjb_random_u32(r) & 1 ? by : 1 / by);
    return 0;
}

GJB_MUTATION(scale_pair)
{
    (void)which, (void)other;
    const double power = gjb_power_of_two(1 + (int)gjb_random_below(r, 20));
    const double by = gjb_random_u32(r) & 1 ? power : 1 / power;
    for (int i = 0; i < 2; i++) {
        gjb_edit_body *b = &edit->body[i];
        scale_shape(b, edit->dim, by);
        for (uint32_t k = 0; k < edit->dim; k++) {
            b->place[k] *= by;
            b->motion[k] *= by;
        }
    }
    return 0;
}

GJB_MUTATION(radius)
{
    (void)other;
    gjb_edit_body *b = &edit->body[which];
    const double reach = gjb_edit_reach(edit, which), size = reach > 0 ? reach : 1;
    const double digits = edit->precision == GJB_F32 ? 24 : 53, old = b->radius;
    switch (gjb_random_below(r, 5)) {
    case 0:
        b->radius = 0;
        break;
    case 1: /* that sums round away, or nearly */
        b->radius = size * gjb_random_octaves(r, -(int)digits - 3, -(int)digits + 8);
        break;
    case 2:
        b->radius = size * gjb_random_octaves(r, 3, 20);
        break;
    case 3:
        b->radius = edit->body[1 - which].radius;
        break;
    default:
        b->radius = size * gjb_random_octaves(r, -8, 2);
    }
    return b->radius == old;
}

GJB_MUTATION(exponent)
{
    (void)other;
    static const double usual[] = {1,   1.0000001, 1.25, 1.5, 1.9999999, 2, 2.0000001,
                                   2.5, 3,         4,    8,   15.999999, 16};
    double *p = &edit->body[which].rows[1][0];
    const double old = *p;
    const uint32_t at = gjb_random_below(r, (uint32_t)(sizeof usual / sizeof *usual) + 2);
    *p = at < sizeof usual / sizeof *usual ? usual[at] : gjb_random_range(r, 1, 16);
    return *p == old;
}

/* To `bits` bits below that of the largest, or on a grid of the whole pair where whole. */
GJB_MUTATION(round)
{
    (void)other;
    const int both = (int)(gjb_random_u32(r) & 1);
    const double coarse = gjb_power_of_two(-(int)gjb_random_below(r, 8));
    for (uint32_t i = 0; i < 2; i++) {
        gjb_edit_body *b = &edit->body[i];
        const double size = gjb_edit_size(edit);
        if (!(size > 0 && size < 0x1p1000) || (i != which && !both))
            continue;
        const double quantum = coarse * gjb_power_of_two(ilogb(size) - 2);
        const int powers = b->kind == GJB_SUPERELLIPSE || b->kind == GJB_SUPERELLIPSOID;
        for (uint32_t v = 0; v < (powers ? 1 : b->count); v++)
            gjb_snap(b->rows[v], edit->dim, quantum);
        if (powers)
            b->rows[1][0] = rint(b->rows[1][0]);
        gjb_snap(&b->radius, 1, quantum);
        gjb_snap(b->place, edit->dim, quantum);
    }
    return 0;
}

GJB_MUTATION(mirror)
{
    (void)other;
    gjb_edit_body *b = &edit->body[which];
    const uint32_t axis = gjb_random_below(r, edit->dim);
    for (uint32_t v = 0; v < b->count; v++)
        b->rows[v][axis] = -b->rows[v][axis];
    return 0;
}
