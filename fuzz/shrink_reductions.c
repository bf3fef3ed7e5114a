/* What may be taken away from a pair. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "fuzz/mutate_private.h"
#include "fuzz/shrink_private.h"

static uint32_t least_rows(gjb_kind kind)
{
    return kind == GJB_POLYGON ? 3 : kind == GJB_HULL ? 4 : UINT32_MAX;
}

static int has_rows(gjb_kind kind)
{
    return !gjb_is_curved(kind) && !gjb_is_unbounded(kind) && kind != GJB_BOX && kind != GJB_AABB;
}

static void erase(gjb_edit_body *b, uint32_t first, uint32_t count)
{
    memmove(b->rows[first], b->rows[first + count], (b->count - first - count) * sizeof b->rows[0]);
    b->count -= count;
}

/* Runs of a half, quarter, ... of the vertices. */
static gjb_made without_runs(gjb_edit *edit, uint32_t k)
{
    gjb_edit_body *b = &edit->body[k % 2];
    uint32_t part = 2, at = k / 2;
    for (; at >= part; part *= 2)
        at -= part;
    if (part > 64)
        return GJB_NO_MORE;
    const uint32_t run = b->count / part, first = at * run;
    if (least_rows(b->kind) == UINT32_MAX || run < 2 || b->count - run < least_rows(b->kind))
        return GJB_NOT_MADE;
    erase(b, first, run);
    return GJB_MADE;
}

static gjb_made without_vertex(gjb_edit *edit, uint32_t k)
{
    const uint32_t first = edit->body[0].count;
    gjb_edit_body *b = &edit->body[k < first ? 0 : 1];
    const uint32_t at = k < first ? k : k - first;
    if (at >= b->count)
        return GJB_NO_MORE;
    if (least_rows(b->kind) == UINT32_MAX || b->count <= least_rows(b->kind))
        return GJB_NOT_MADE;
    erase(b, at, 1);
    return GJB_MADE;
}

static void extents(const gjb_edit *edit, uint32_t which, double low[3], double high[3])
{
    double(*corners)[3] = malloc((size_t)GJB_MAX_VERTICES * sizeof *corners);
    const uint32_t count = corners ? gjb_edit_corners(edit, which, corners) : 0;
    for (int k = 0; k < 3; k++)
        low[k] = high[k] = count ? corners[0][k] : 0;
    for (uint32_t v = 0; v < count; v++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], corners[v][k]);
            high[k] = fmax(high[k], corners[v][k]);
        }
    free(corners);
}

static void become(gjb_edit_body *b, gjb_kind kind, uint32_t count)
{
    b->kind = kind;
    b->count = count;
}

/* Simpler kinds, two bodies by turns. */
static gjb_made simpler_kind(gjb_edit *edit, uint32_t k)
{
    const uint32_t which = k % 2;
    gjb_edit_body *b = &edit->body[which];
    double low[3], high[3], middle[3], half[3], most = 0, least = INFINITY;
    extents(edit, which, low, high);
    for (uint32_t i = 0; i < 3; i++) {
        middle[i] = 0.5 * (low[i] + high[i]);
        half[i] = 0.5 * (high[i] - low[i]);
        most = i < edit->dim ? fmax(most, half[i]) : most;
        least = i < edit->dim ? fmin(least, half[i]) : least;
    }
    const double zero[3] = {0};
    switch (k / 2) {
    case 0: /* a point in the middle */
    case 1: /* a ball around it, as large as what it was; as small */
    case 2:
        b->radius += k / 2 == 0 ? 0 : k / 2 == 1 ? most : least;
        memcpy(b->rows[0], gjb_is_curved(b->kind) || b->kind == GJB_BOX ? zero : middle, sizeof zero);
        become(b, GJB_POINT, 1);
        return GJB_MADE;
    case 3:
    case 4: /* a box about the origin; about its middle */
        memset(b->rows[1], 0, sizeof zero);
        memcpy(b->rows[0], half, sizeof half);
        if (k / 2 == 4) {
            memcpy(b->rows[0], low, sizeof low);
            memcpy(b->rows[1], high, sizeof high);
        }
        become(b, k / 2 == 3 ? GJB_BOX : GJB_AABB, k / 2 == 3 ? 1 : 2);
        return GJB_MADE;
    case 5: /* its longest way as a segment */
    case 6:
    case 7: {
        const uint32_t axis = k / 2 - 5;
        if (axis >= edit->dim)
            return GJB_NOT_MADE;
        memcpy(b->rows[0], middle, sizeof middle);
        memcpy(b->rows[1], middle, sizeof middle);
        b->rows[0][axis] = low[axis];
        b->rows[1][axis] = high[axis];
        become(b, GJB_SEGMENT, 2);
        return GJB_MADE;
    }
    case 8: /* two or three of its vertices */
    case 9:
    case 10:
    case 11:
        if (b->kind != GJB_POLYGON && b->kind != GJB_HULL && b->kind != GJB_TRIANGLE)
            return GJB_NOT_MADE;
        if (k / 2 == 11) {
            if (edit->dim == 2 || b->kind == GJB_TRIANGLE)
                return GJB_NOT_MADE;
            become(b, GJB_TRIANGLE, 3);
            return GJB_MADE;
        }
        memcpy(b->rows[0], b->rows[k / 2 - 8], sizeof zero);
        memcpy(b->rows[1], b->rows[(k / 2 - 7) % b->count], sizeof zero);
        become(b, GJB_SEGMENT, 2);
        return GJB_MADE;
    case 12: /* exponent 2, the same axes */
        if (b->kind != GJB_SUPERELLIPSE && b->kind != GJB_SUPERELLIPSOID)
            return GJB_NOT_MADE;
        become(b, b->kind == GJB_SUPERELLIPSE ? GJB_ELLIPSE : GJB_ELLIPSOID, 1);
        return GJB_MADE;
    default:
        return GJB_NO_MORE;
    }
}

/* One shape becomes the other. */
static gjb_made alike(gjb_edit *edit, uint32_t k)
{
    if (k >= 2)
        return GJB_NO_MORE;
    gjb_edit_body *to = &edit->body[k], *from = &edit->body[1 - k];
    to->kind = from->kind;
    to->count = from->count;
    to->radius = from->radius;
    memcpy(to->rows, from->rows, from->count * sizeof from->rows[0]);
    return GJB_MADE;
}

static gjb_made radius(gjb_edit *edit, uint32_t k)
{
    gjb_edit_body *b = &edit->body[k % 2];
    const double to[] = {0, 1, 2, edit->body[1 - k % 2].radius};
    if (k >= 8)
        return GJB_NO_MORE;
    if (b->radius == 0)
        return GJB_NOT_MADE;
    b->radius = to[k / 2];
    return GJB_MADE;
}

static void unturned(gjb_edit *edit, uint32_t which)
{
    static const double none[2][4] = {{1, 0, 0, 0}, {0, 0, 0, 1}};
    memcpy(edit->body[which].turn, none[edit->dim - 2], sizeof none[0]);
}

/* Everything as A sees it. */
static void into_frame_of_a(gjb_edit *edit)
{
    gjb_edit_body *b = edit->body;
    double relative[3];
    for (int k = 0; k < 3; k++)
        relative[k] = b[1].place[k] - b[0].place[k];
    gjb_edit_unturn(edit, 0, relative, b[1].place);
    memset(b[0].place, 0, sizeof b[0].place);
    for (int i = 0; i < 2; i++)
        for (uint32_t part = 0; part < 2 && (part == 0 || edit->dim == 3); part++) {
            double v[3] = {0};
            memcpy(v, b[i].motion + part * edit->dim, edit->dim * sizeof *v);
            gjb_edit_unturn(edit, 0, v, v);
            memcpy(b[i].motion + part * edit->dim, v, edit->dim * sizeof *v);
        }
    const double *p = b[0].turn;
    double q[4];
    memcpy(q, b[1].turn, sizeof q);
    if (edit->dim == 2) {
        b[1].turn[0] = p[0] * q[0] + p[1] * q[1];
        b[1].turn[1] = p[0] * q[1] - p[1] * q[0];
    } else { /* conjugate of A's, times B's */
        const double a[4] = {-p[0], -p[1], -p[2], p[3]};
        b[1].turn[0] = a[3] * q[0] + a[0] * q[3] + a[1] * q[2] - a[2] * q[1];
        b[1].turn[1] = a[3] * q[1] - a[0] * q[2] + a[1] * q[3] + a[2] * q[0];
        b[1].turn[2] = a[3] * q[2] + a[0] * q[1] - a[1] * q[0] + a[2] * q[3];
        b[1].turn[3] = a[3] * q[3] - a[0] * q[0] - a[1] * q[1] - a[2] * q[2];
    }
    unturned(edit, 0);
}

/* Without rotation: both, one, or turned into the vertices; then rotations of known fractions. */
static gjb_made rotation(gjb_edit *edit, uint32_t k)
{
    static const double nice2[][4] = {{0, 1},     {-1, 0},     {0, -1},    {0.6, 0.8},
                                      {0.8, 0.6}, {-0.6, 0.8}, {0.8, -0.6}};
    static const double nice3[][4] = {{0, 0, 1, 0},         {0, 1, 0, 0},     {1, 0, 0, 0},
                                      {0, 0, 0.6, 0.8},     {0, 0.6, 0, 0.8}, {0.6, 0, 0, 0.8},
                                      {0.5, 0.5, 0.5, 0.5}, {0, 0, 0.8, 0.6}};
    const double(*nice)[4] = edit->dim == 2 ? nice2 : nice3;
    const uint32_t many = edit->dim == 2 ? sizeof nice2 / sizeof *nice2 : sizeof nice3 / sizeof *nice3;
    if (k == 0) {
        unturned(edit, 0);
        unturned(edit, 1);
        return GJB_MADE;
    }
    if (k == 1) {
        into_frame_of_a(edit);
        return GJB_MADE;
    }
    const uint32_t which = (k - 2) % 2, how = (k - 2) / 2;
    gjb_edit_body *b = &edit->body[which];
    if (how == 0) {
        unturned(edit, which);
        return GJB_MADE;
    }
    if (how == 1) {
        if (!has_rows(b->kind))
            return GJB_NOT_MADE;
        for (uint32_t v = 0; v < b->count; v++)
            gjb_edit_turn(edit, which, b->rows[v], b->rows[v]);
        unturned(edit, which);
        return GJB_MADE;
    }
    if (how - 2 >= many)
        return GJB_NO_MORE;
    memcpy(b->turn, nice[how - 2], sizeof nice[0]);
    return GJB_MADE;
}

/* Rounded rotations, unit length again. */
static gjb_made rounder_rotation(gjb_edit *edit, uint32_t k)
{
    gjb_edit_body *b = &edit->body[k % 2];
    const double grid = pow(10, -(double)(1 + k / 2));
    double square = 0;
    if (k >= 12)
        return GJB_NO_MORE;
    for (int i = 0; i < 4; i++) {
        b->turn[i] = rint(b->turn[i] / grid) * grid;
        square += b->turn[i] * b->turn[i];
    }
    for (int i = 0; i < 4; i++)
        b->turn[i] /= sqrt(square);
    return square > 0 ? GJB_MADE : GJB_NOT_MADE;
}

static gjb_made place(gjb_edit *edit, uint32_t k)
{
    gjb_edit_body *b = edit->body;
    const double origin[3] = {b[0].place[0], b[0].place[1], b[0].place[2]};
    switch (k) {
    case 0:
        for (int j = 0; j < 3; j++) {
            b[1].place[j] -= origin[j];
            b[0].place[j] = 0;
        }
        return GJB_MADE;
    case 1: /* in one place */
        memcpy(b[1].place, origin, sizeof origin);
        return GJB_MADE;
    case 2: /* B's vertices where it lies */
    case 3:
        if (!has_rows(b[k - 2].kind))
            return GJB_NOT_MADE;
        {
            double local[3];
            gjb_edit_unturn(edit, k - 2, b[k - 2].place, local);
            for (uint32_t v = 0; v < b[k - 2].count; v++)
                for (int j = 0; j < 3; j++)
                    b[k - 2].rows[v][j] += local[j];
            memset(b[k - 2].place, 0, sizeof origin);
        }
        return GJB_MADE;
    default:
        return GJB_NO_MORE;
    }
}

static gjb_made motion(gjb_edit *edit, uint32_t k)
{
    gjb_edit_body *b = edit->body;
    if (!edit->moving || k >= 6)
        return GJB_NO_MORE;
    const uint32_t which = k % 2, spin = edit->dim, numbers = gjb_motion_numbers(edit->dim);
    if (k < 2) { /* the other takes its way */
        for (uint32_t j = 0; j < spin; j++) {
            b[1 - which].motion[j] -= b[which].motion[j];
            b[which].motion[j] = 0;
        }
    } else if (k < 4) {
        memset(b[which].motion, 0, numbers * sizeof(double));
    } else {
        memset(b[which].motion + spin, 0, (numbers - spin) * sizeof(double));
    }
    return GJB_MADE;
}

/* Every number that may become rounder: at most that many a body. Exponents and rotations are others' work.
 */
static double *number(gjb_edit *edit, uint32_t k)
{
    for (int i = 0; i < 2; i++) {
        gjb_edit_body *b = &edit->body[i];
        const int powers = b->kind == GJB_SUPERELLIPSE || b->kind == GJB_SUPERELLIPSOID;
        const uint32_t rows = b->count * edit->dim, moves = edit->moving ? gjb_motion_numbers(edit->dim) : 0;
        if (k < rows)
            return powers && k > edit->dim ? &b->rows[1][0] : &b->rows[k / edit->dim][k % edit->dim];
        k -= rows;
        if (k < edit->dim)
            return &b->place[k];
        k -= edit->dim;
        if (k < 1)
            return &b->radius;
        k -= 1;
        if (k < moves)
            return &b->motion[k];
        k -= moves;
    }
    return NULL;
}

static double rounded_to(double value, int digits)
{
    const double grid = pow(10, abs(digits));
    return digits >= 0 ? rint(value * grid) / grid : rint(value / grid) * grid;
}

static gjb_made all_rounder(gjb_edit *edit, uint32_t k)
{
    const int digits = (int)k - 3;
    if (digits > 8)
        return GJB_NO_MORE;
    double *at;
    for (uint32_t i = 0; (at = number(edit, i)); i++)
        *at = rounded_to(*at, digits);
    return GJB_MADE;
}

static void scale_all(gjb_edit *edit, double by)
{
    edit->margin *= by;
    edit->within *= by;
    for (int i = 0; i < 2; i++) {
        gjb_edit_body *b = &edit->body[i];
        const int powers = b->kind == GJB_SUPERELLIPSE || b->kind == GJB_SUPERELLIPSOID;
        for (uint32_t v = 0; v < (powers ? 1 : b->count); v++)
            for (int j = 0; j < 3; j++)
                b->rows[v][j] *= by;
        b->radius *= by;
        for (uint32_t j = 0; j < 3; j++) {
            b->place[j] *= by;
            b->motion[j] *= j < edit->dim ? by : 1;
        }
    }
}

/* To a size at which whole numbers say it: by a power of two, or so that the largest number is 1 ... 64, and
 * rounded. */
static gjb_made whole_numbers(gjb_edit *edit, uint32_t k)
{
    static const double sizes[] = {1, 2, 4, 8, 10, 16, 32, 64, 100, 1000, 10000};
    double most = 0;
    if (k >= 3 * (sizeof sizes / sizeof *sizes))
        return GJB_NO_MORE;
    for (int i = 0; i < 2; i++)
        most = fmax(most, gjb_edit_reach(edit, (uint32_t)i));
    if (!(most > 0 && most < 0x1p500))
        return GJB_NOT_MADE;
    const double by = sizes[k / 3] / most;
    scale_all(edit, k % 3 ? by : exp2(rint(log2(by))));
    if (k % 3 != 2)
        return all_rounder(edit, 3);
    return all_rounder(edit, 4);
}

enum { WAYS = 16 };

/* One number: none, whole, of few digits, half. */
static gjb_made one_rounder(gjb_edit *edit, uint32_t k)
{
    double *at = number(edit, k / WAYS);
    const uint32_t way = k % WAYS;
    if (!at)
        return GJB_NO_MORE;
    if (*at == 0)
        return GJB_NOT_MADE;
    if (way == 0)
        *at = 0;
    else if (way == 1)
        *at = *at < 0 ? -1 : 1;
    else if (way == 2)
        *at = trunc(*at / 2);
    else if (way == 3)
        *at = -*at;
    else if (way == 4)
        *at -= *at < 0 ? -1 : 1;
    else
        *at = rounded_to(*at, (int)way - 7);
    return GJB_MADE;
}

/* None, or a rounder one. */
static gjb_made rounder(double *margin, uint32_t k)
{
    const double is = *margin, to[] = {0, 1, rint(is), rounded_to(is, 1), rounded_to(is, 2), rounded_to(is, 3)};
    if (k >= sizeof to / sizeof *to || is == 0)
        return GJB_NO_MORE;
    *margin = to[k];
    return to[k] >= 0 && to[k] != is ? GJB_MADE : GJB_NOT_MADE;
}

static gjb_made margin(gjb_edit *edit, uint32_t k)
{
    return rounder(&edit->margin, k);
}

static gjb_made within(gjb_edit *edit, uint32_t k)
{
    return rounder(&edit->within, k);
}

static gjb_made leaving(gjb_edit *edit, uint32_t k)
{
    if (k > 0)
        return GJB_NO_MORE;
    if (!edit->leaving)
        return GJB_NOT_MADE;
    edit->leaving = GJB_LEAVING_HIT;
    return GJB_MADE;
}

/* All of a column, of both shapes or one: a pair in a plane. */
static gjb_made without_axis(gjb_edit *edit, uint32_t k)
{
    const uint32_t axis = k % 3;
    if (k >= 9)
        return GJB_NO_MORE;
    if (axis >= edit->dim)
        return GJB_NOT_MADE;
    for (uint32_t i = 0; i < 2; i++) {
        gjb_edit_body *b = &edit->body[i];
        if (k / 3 == i + 1)
            continue;
        for (uint32_t v = 0; v < b->count && has_rows(b->kind); v++)
            b->rows[v][axis] = 0;
        if (k / 3 == 0)
            b->place[axis] = 0;
    }
    return GJB_MADE;
}

const gjb_reduction gjb_reductions[] = {
    {"simpler kind", simpler_kind},
    {"runs of vertices", without_runs},
    {"a vertex", without_vertex},
    {"motion", motion},
    {"place", place},
    {"rotation", rotation},
    {"radius", radius},
    {"margin", margin},
    {"within", within},
    {"leaving", leaving},
    {"shapes alike", alike},
    {"an axis", without_axis},
    {"whole numbers", whole_numbers},
    {"digits", all_rounder},
    {"digits of a rotation", rounder_rotation},
    {"a number", one_rounder},
};
const size_t gjb_reduction_count = sizeof gjb_reductions / sizeof *gjb_reductions;
