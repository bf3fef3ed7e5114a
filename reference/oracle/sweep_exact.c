/* Sweep of two boxes in rational arithmetic. Along an axis the difference B - A of two intervals is an
 * interval [lo, hi] that moves at a constant speed, and the boxes are in contact if all of them hold 0:
 * the segment of relative motion is clipped by the slabs of the Minkowski sum (Kay and Kajiya 1986). */
#include <gmp.h>
#include <math.h>

#include "reference/motion/motion.h"
#include "reference/oracle/exact.h"

enum { AXES = 3 };

typedef struct slab {
    mpq_t lo, hi, speed;   /* of the difference at t = 0 */
    mpq_t side[2][2];      /* of A and of B at t = 0: least and greatest, relative to A's translation */
} slab;

typedef struct boxes {
    int dim;
    slab axis[AXES];
    mpq_t first, last, t, u, v;
} boxes;

/* Least and greatest coordinate of the vertices of a body, its translation and its displacement. */
typedef struct extent { double least, most, at, by; } extent;

static extent extent_of(const gjb_pair *pair, int side, int axis)
{
    extent e = {INFINITY, -INFINITY, 0, 0};
    const gjb_body2 *plane = side ? &pair->as.plane.b : &pair->as.plane.a;
    const gjb_body3 *space = side ? &pair->as.space.b : &pair->as.space.a;
    uint32_t count = pair->dim == 2 ? plane->count : space->count;
    for (uint32_t k = 0; k < count; k++) {
        double x = pair->dim == 2 ? plane->vertices[k][axis] : space->vertices[k][axis];
        if (!isfinite(x))
            return (extent){x, x, 0, 0};
        e.least = fmin(e.least, x);
        e.most = fmax(e.most, x);
    }
    if (pair->dim == 2) {
        e.at = axis == 0 ? plane->pose.x : plane->pose.y;
        e.by = axis == 0 ? plane->motion.x : plane->motion.y;
    } else {
        e.at = axis == 0 ? space->pose.x : axis == 1 ? space->pose.y : space->pose.z;
        e.by = axis == 0 ? space->motion.x : axis == 1 ? space->motion.y : space->motion.z;
    }
    return e;
}

static void boxes_open(boxes *b, const gjb_pair *pair)
{
    b->dim = (int)pair->dim;
    mpq_inits(b->first, b->last, b->t, b->u, b->v, NULL);
    for (int k = 0; k < b->dim; k++) {
        slab *s = &b->axis[k];
        extent from = extent_of(pair, 0, k), to = extent_of(pair, 1, k);
        mpq_inits(s->lo, s->hi, s->speed, s->side[0][0], s->side[0][1], s->side[1][0], s->side[1][1], NULL);
        mpq_set_d(s->side[0][0], from.least);
        mpq_set_d(s->side[0][1], from.most);
        mpq_set_d(b->t, to.at);
        mpq_set_d(b->u, from.at);
        mpq_sub(b->t, b->t, b->u);
        for (int end = 0; end < 2; end++) {
            mpq_set_d(s->side[1][end], end ? to.most : to.least);
            mpq_add(s->side[1][end], s->side[1][end], b->t);
        }
        mpq_sub(s->lo, s->side[1][0], s->side[0][1]);
        mpq_sub(s->hi, s->side[1][1], s->side[0][0]);
        mpq_set_d(s->speed, to.by);
        mpq_set_d(b->u, from.by);
        mpq_sub(s->speed, s->speed, b->u);
    }
}

static void boxes_close(boxes *b)
{
    mpq_clears(b->first, b->last, b->t, b->u, b->v, NULL);
    for (int k = 0; k < b->dim; k++) {
        slab *s = &b->axis[k];
        mpq_clears(s->lo, s->hi, s->speed, s->side[0][0], s->side[0][1], s->side[1][0], s->side[1][1], NULL);
    }
}

/* Adjacent doubles around it, or equal. */
static void around(const mpq_t x, double out[2])
{
    mpq_t y;
    mpq_init(y);
    double near = mpq_get_d(x); /* towards 0 */
    mpq_set_d(y, near);
    int beyond = mpq_cmp(x, y);
    out[0] = beyond < 0 ? nextafter(near, -INFINITY) : near;
    out[1] = beyond > 0 ? nextafter(near, INFINITY) : near;
    mpq_clear(y);
}

/* Times at which one axis begins and ceases to hold 0 with growth in b->v, to b->t and b->u. False: never. */
static bool times_of(boxes *b, const slab *s)
{
    int way = mpq_sgn(s->speed);
    mpq_sub(b->t, s->lo, b->v);
    mpq_add(b->u, s->hi, b->v);
    if (way == 0) {
        bool holds = mpq_sgn(b->t) <= 0 && mpq_sgn(b->u) >= 0;
        mpq_set_si(b->t, -1, 1);
        mpq_set_si(b->u, 2, 1);
        return holds;
    }
    mpq_div(b->t, b->t, s->speed);
    mpq_div(b->u, b->u, s->speed);
    mpq_neg(b->t, b->t);
    mpq_neg(b->u, b->u);
    if (way > 0)
        mpq_swap(b->t, b->u);
    return mpq_cmp(b->t, b->u) <= 0;
}

/* Writes first and last, and which faces of A are entered at first, without regard to whether that is > 0. */
static bool clip(boxes *b, double growth, uint32_t *faces)
{
    mpq_set_d(b->v, growth);
    mpq_set_si(b->first, 0, 1);
    mpq_set_si(b->last, 1, 1);
    *faces = 0;
    for (int k = 0; k < b->dim; k++) {
        if (!times_of(b, &b->axis[k]))
            return false;
        int later = mpq_cmp(b->t, b->first);
        if (later > 0) {
            mpq_set(b->first, b->t);
            *faces = 0;
        }
        if (later >= 0) /* B comes from above if it moves down */
            *faces |= 1u << (2 * k + (mpq_sgn(b->axis[k].speed) < 0));
        if (mpq_cmp(b->u, b->last) < 0)
            mpq_set(b->last, b->u);
    }
    return mpq_cmp(b->first, b->last) <= 0;
}

static gjb_status status_of(boxes *b, double growth, uint32_t *faces)
{
    if (!clip(b, growth, faces))
        return GJB_SEPARATED;
    return mpq_sgn(b->first) > 0 ? GJB_HIT : GJB_OVERLAPPING;
}

/* Where both are along an axis at b->t: the greater of the least ends and the least of the greater. */
static void shared(boxes *b, const slab *s, mpq_t from, mpq_t to)
{
    mpq_mul(b->v, s->speed, b->t);
    mpq_add(from, s->side[1][0], b->v);
    mpq_add(to, s->side[1][1], b->v);
    if (mpq_cmp(s->side[0][0], from) > 0)
        mpq_set(from, s->side[0][0]);
    if (mpq_cmp(s->side[0][1], to) < 0)
        mpq_set(to, s->side[0][1]);
}

static void centre(boxes *b, double point[AXES])
{
    mpq_t from, to;
    mpq_inits(from, to, NULL);
    mpq_set(b->t, b->first);
    for (int k = 0; k < b->dim; k++) {
        shared(b, &b->axis[k], from, to);
        mpq_add(from, from, to);
        mpq_div_2exp(from, from, 1);
        point[k] = mpq_get_d(from);
    }
    mpq_clears(from, to, NULL);
}

/* Gap at time t on the lower (-1) or upper side of A along an axis. */
static void gap_on(const boxes *b, int axis, int side, const mpq_t t, mpq_t out)
{
    const slab *s = &b->axis[axis];
    mpq_mul(out, s->speed, t);
    mpq_add(out, out, side > 0 ? s->lo : s->hi);
    if (side < 0)
        mpq_neg(out, out);
}

static void greatest_gap(const boxes *b, const mpq_t t, mpq_t out, mpq_t scratch)
{
    gap_on(b, 0, 1, t, out);
    for (int line = 1; line < 2 * b->dim; line++) {
        gap_on(b, line / 2, line % 2 ? -1 : 1, t, scratch);
        if (mpq_cmp(scratch, out) > 0)
            mpq_set(out, scratch);
    }
}

/* The least over t of the greatest of lines in t: at an end of the step, or where two of them meet. */
static void clearance(boxes *b, double out[2])
{
    mpq_t t, zero, one, at[2][2], greatest, least, scratch;
    mpq_inits(t, zero, one, at[0][0], at[0][1], at[1][0], at[1][1], greatest, least, scratch, NULL);
    mpq_set_ui(one, 1, 1);
    greatest_gap(b, zero, least, scratch);
    greatest_gap(b, one, greatest, scratch);
    if (mpq_cmp(greatest, least) < 0)
        mpq_set(least, greatest);
    for (int pair = 0; pair < 4 * b->dim * b->dim; pair++) {
        const int line[2] = {pair / (2 * b->dim), pair % (2 * b->dim)};
        if (line[0] >= line[1])
            continue;
        for (int k = 0; k < 2; k++) {
            gap_on(b, line[k] / 2, line[k] % 2 ? -1 : 1, zero, at[k][0]);
            gap_on(b, line[k] / 2, line[k] % 2 ? -1 : 1, one, at[k][1]);
            mpq_sub(at[k][1], at[k][1], at[k][0]);
        }
        mpq_sub(at[0][0], at[1][0], at[0][0]);
        mpq_sub(at[0][1], at[0][1], at[1][1]);
        if (mpq_sgn(at[0][1]) == 0)
            continue;
        mpq_div(t, at[0][0], at[0][1]);
        if (mpq_sgn(t) <= 0 || mpq_cmp(t, one) >= 0)
            continue;
        greatest_gap(b, t, greatest, scratch);
        if (mpq_cmp(greatest, least) < 0)
            mpq_set(least, greatest);
    }
    around(least, out);
    mpq_clears(t, zero, one, at[0][0], at[0][1], at[1][0], at[1][1], greatest, least, scratch, NULL);
}

void ref_oracle_sweep(const gjb_pair *pair, double growth, ref_sweep_truth *out)
{
    boxes b;
    uint32_t faces;
    *out = (ref_sweep_truth){.faces = 0};
    boxes_open(&b, pair);
    out->status = status_of(&b, growth, &faces);
    clearance(&b, out->clearance);
    if (out->status == GJB_HIT) {
        out->faces = faces;
        around(b.first, out->first);
    }
    if (out->status != GJB_SEPARATED) {
        around(b.last, out->last);
        centre(&b, out->point);
    }
    boxes_close(&b);
}

void ref_sweep_at(const gjb_pair *pair, double t, ref_sweep_state *out)
{
    boxes b;
    mpq_t from, to;
    boxes_open(&b, pair);
    mpq_inits(from, to, NULL);
    mpq_set_d(b.t, t);
    *out = (ref_sweep_state){.side = {0}};
    for (int k = 0; k < b.dim; k++) {
        gap_on(&b, k, 1, b.t, from);
        gap_on(&b, k, -1, b.t, to);
        out->side[k] = mpq_cmp(from, to) >= 0 ? 1 : -1;
        around(out->side[k] > 0 ? from : to, out->gap[k]);
        shared(&b, &b.axis[k], from, to);
        if (mpq_cmp(from, to) > 0)
            mpq_swap(from, to);
        out->region[k][0] = mpq_get_d(from);
        out->region[k][1] = mpq_get_d(to);
    }
    mpq_clears(from, to, NULL);
    boxes_close(&b);
}

static bool valid(const gjb_pair *pair)
{
    bool finite = true;
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < (int)pair->dim; k++) {
            extent e = extent_of(pair, side, k);
            finite = finite && isfinite(e.least) && isfinite(e.most) && isfinite(e.at) && isfinite(e.by);
        }
    }
    return finite;
}

void ref_sweep(const gjb_pair *pair, ref_sweep_answer *out)
{
    boxes b;
    uint32_t faces;
    double bounds[2];
    *out = (ref_sweep_answer){.status = GJB_INVALID_INPUT};
    if (!valid(pair))
        return;
    boxes_open(&b, pair);
    out->status = status_of(&b, 0, &faces);
    if (out->status != GJB_SEPARATED) {
        around(b.last, bounds);
        out->last = bounds[1];
        centre(&b, out->point);
    }
    if (out->status == GJB_HIT) {
        around(b.first, bounds);
        out->time = bounds[0];
        int face = __builtin_ctz(faces); /* of the lowest axis */
        out->normal[face / 2] = face % 2 ? 1 : -1;
    }
    boxes_close(&b);
}
