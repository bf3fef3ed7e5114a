/* The depth of pairs of which a shape is curved, in lanes: the least support h of the
 * difference over all directions.
 *
 * Twelve directions cut the circle into cells, such that no axis of a curved shape is inside
 * a cell. From the best direction h is followed down to a minimum. Then cells that cannot hold
 * less are dropped, by a lower bound r of the outline's radius of curvature in a cell: the
 * outline is a convex one moved out by r, so h in the cell is at least r plus the distance of
 * a chord of that. If r exceeds h, h is a convex function of the angle, so its only minimum
 * is at an end or is the one already found. (Branch and bound, as on the fallback path,
 * simd/plane/fallback/fallback2_curved.h.) Cells that are left, usually none for ellipses, are
 * split one after the other. Pairs that lanes cannot prove so go to the fallback path.
 */
#ifndef GJB_SIMD_DEPTH2_H
#define GJB_SIMD_DEPTH2_H

#include "simd/plane/gjk2.h"

enum { FAN = 12, MOST_DESCENTS = 64, MOST_SPLITS = 96, STACKED = 24 };

/* In the frame, in which the pair's size is of order one. */
#define DEPTH_DOUBT (16 * REAL_EPSILON) /* tolerance of the least depth */
#define FLAT_RISE (8 * REAL_EPSILON)    /* a derivative that counts as 0 */

/* The difference along a unit vector. */
typedef struct look2 {
    vr nx, ny, ax, ay, bx, by;
    spot2 a, b;
} look2;

/* The difference's point there, h, and its derivative by the angle. */
typedef struct view2 {
    vr x, y, h, rise;
} view2;

LANE_FN view2 view_of(const look2 *l)
{
    view2 v = {.x = v_sub(l->ax, l->bx), .y = v_sub(l->ay, l->by)};
    v.h = v_dot(l->nx, l->ny, v.x, v.y);
    v.rise = v_cross(l->nx, l->ny, v.x, v.y);
    return v;
}

LANE_FN void blend_look(vm m, const look2 *from, look2 *to)
{
    const vr *f = &from->nx;
    vr *t = &to->nx;
    for (size_t k = 0; k < sizeof(look2) / sizeof(vr); k++)
        t[k] = v_sel(m, f[k], t[k]);
}

/* Along (x, y), of any length but 0. */
TILE_FN look2 look_along(const tile *t, int N, unsigned live, vr x, vr y)
{
    const vr length = v_sqrt(v_dot(x, y, x, y));
    look2 l = {.nx = v_div(x, length), .ny = v_div(y, length)};
    l.a = (spot2){.nx = l.nx, .ny = l.ny};
    l.b = (spot2){.nx = v_neg(v_dot(t->c, t->s, l.nx, l.ny)), .ny = v_neg(v_cross(t->c, t->s, l.nx, l.ny))};
    curved_extreme_a(t, N, live, l.nx, l.ny, &l.ax, &l.ay, &l.a.u, &l.a.v);
    curved_extreme_b(t, N, live, v_neg(l.nx), v_neg(l.ny), &l.bx, &l.by, &l.b.u, &l.b.v);
    return l;
}

/* ---- cells ---- */

typedef struct cell2 {
    look2 lo, hi; /* counter-clockwise, less than half a turn */
} cell2;

LANE_FN void blend_cell(vm m, const cell2 *from, cell2 *to)
{
    blend_look(m, &from->lo, &to->lo);
    blend_look(m, &from->hi, &to->hi);
}

/* Bounds of a cell. */
typedef struct bound2 {
    vr least;      /* lower bound of h in it */
    vr mx, my;     /* the direction of that, of any length, strictly inside */
    vm convex;     /* h is convex: least at an end, or at the only minimum inside */
    vm turns;      /* h falls at the first end and rises at the other */
} bound2;

/* If `curved`, also by the radius of curvature. */
LANE_FN bound2 bound_of(const tile *t, const cell2 *c, const view2 *lo, const view2 *hi, int curved)
{
    const vr zero = v_set(0), flat = v_set(FLAT_RISE), most = v_max(lo->h, hi->h), least = v_min(lo->h, hi->h);
    const look2 *p = &c->lo, *q = &c->hi;
    vr radius = zero;
    bound2 b;
    b.turns = m_and(v_lt(lo->rise, v_neg(flat)), v_gt(hi->rise, flat));
    b.convex = v_gt(zero, zero);
    if (curved) {
        const vr half = v_set((real)0.5), cosine = v_dot(p->nx, p->ny, q->nx, q->ny);
        const vr corner = v_div(v_set(1), v_sqrt(v_max(v_add(half, v_mul(half, cosine)), v_set((real)0x1p-20))));
        radius = v_add(least_radius(&t->curves->a, &p->a, &q->a, corner), least_radius(&t->curves->b, &p->b, &q->b, corner));
        b.convex = v_ge(radius, v_mul(corner, v_max(most, zero)));
        radius = v_min(radius, v_max(least, zero));
    }
    const vr px = v_sub(lo->x, v_mul(radius, p->nx)), py = v_sub(lo->y, v_mul(radius, p->ny));
    const vr qx = v_sub(hi->x, v_mul(radius, q->nx)), qy = v_sub(hi->y, v_mul(radius, q->ny));
    const vr ex = v_sub(qx, px), ey = v_sub(qy, py), length = v_sqrt(v_dot(ex, ey, ex, ey));
    const vm inside = m_and(v_lt(v_dot(p->nx, p->ny, ex, ey), zero), v_gt(v_dot(q->nx, q->ny, ex, ey), zero));
    const vr height = v_div(v_cross(px, py, ex, ey), length); /* of the chord over the origin */
    const vr beneath = v_sel(v_ge(height, zero), v_min(v_add(height, radius), least), v_set(-REAL_MAX));
    b.least = v_sel(inside, beneath, least);
    b.mx = v_sel(inside, ey, v_add(p->nx, q->nx));
    b.my = v_sel(inside, v_neg(ex), v_add(p->ny, q->ny));
    return b;
}

TILE_FN bound2 curved_bound_of(const tile *t, const cell2 *c, const view2 *lo, const view2 *hi)
{
    return bound_of(t, c, lo, hi, 1);
}

/* Lanes whose cell may hold less than `best`. */
LANE_FN vm may_hold_less(const bound2 *b, vr best)
{
    const vm less = v_lt(b->least, v_sub(best, v_set(DEPTH_DOUBT)));
    return m_andnot(less, m_andnot(b->convex, b->turns));
}

/* ---- the first directions ---- */

typedef struct fan2 {
    look2 look[FAN];
} fan2;

/* The same for the opposite direction, for shapes that are symmetric about their centres. */
LANE_FN look2 mirrored(const tile *t, const look2 *l)
{
    look2 m = *l;
    m.nx = v_neg(l->nx), m.ny = v_neg(l->ny);
    m.ax = v_neg(l->ax), m.ay = v_neg(l->ay);
    m.bx = v_add(t->tx, v_sub(t->tx, l->bx)), m.by = v_add(t->ty, v_sub(t->ty, l->by));
    m.a.nx = v_neg(l->a.nx), m.a.ny = v_neg(l->a.ny);
    m.b.nx = v_neg(l->b.nx), m.b.ny = v_neg(l->b.ny);
    return m;
}

/* In each quarter of the circle: an axis of a curve; an axis of the other shape if that is curved too,
 * else the middle; and the middle of the larger part of the quarter. */
LANE_CALL void spread_fan(const tile *t, const context *ctx, int N, unsigned live, fan2 *fan)
{
    const vr zero = v_set(0), one = v_set(1), diagonal = v_set((real)0.70710678118654752);
    const vm flat_a = t->curves->a.is[CURVE_NONE], flat = m_or(flat_a, t->curves->b.is[CURVE_NONE]);
    vr rx = v_sel(flat, diagonal, t->c), ry = v_sel(flat, diagonal, t->s);
    for (int k = 0; k < 3; k++) { /* into the first quarter */
        const vm there = m_and(v_gt(rx, zero), v_ge(ry, zero));
        const vr x = v_sel(there, rx, v_neg(ry));
        ry = v_sel(there, ry, rx);
        rx = x;
    }
    const vm early = v_lt(ry, rx); /* the other axis is in the first half */
    const vr part_x[3] = {one, v_sel(early, rx, v_add(one, rx)), v_sel(early, rx, rx)};
    const vr part_y[3] = {zero, v_sel(early, ry, ry), v_sel(early, v_add(ry, one), ry)};
    vr qx = v_sel(flat_a, t->c, one), qy = v_sel(flat_a, t->s, zero);
    const int symmetric = !(m_bits(flat) & live);
    for (int i = 0; i < FAN; i++) {
        const vr x = v_sub(v_mul(qx, part_x[i % 3]), v_mul(qy, part_y[i % 3]));
        const vr y = v_add(v_mul(qy, part_x[i % 3]), v_mul(qx, part_y[i % 3]));
        if (i < FAN / 2 || !symmetric) {
            count_work(ctx, live);
            fan->look[i] = look_along(t, N, live, x, y);
        }
        if (i >= FAN / 2) {
            const look2 other = mirrored(t, &fan->look[i - FAN / 2]);
            blend_look(m_not(flat), &other, &fan->look[i]);
        }
        if (i % 3 == 2) {
            const vr turned = qx;
            qx = v_neg(qy);
            qy = turned;
        }
    }
}

/* ---- a minimum ---- */

/* The best so far: a cell in which h falls and then rises, narrowed until the bound by its chord meets its
 * ends. */
typedef struct found2 {
    cell2 c;
    vr h, iterations;
    vm closed;
} found2;

/* A Newton step from the end at which the derivative is nearer to 0. */
LANE_FN vm newton_step(const tile *t, const cell2 *c, const view2 *lo, const view2 *hi, vr *x, vr *y)
{
    const vm low = v_lt(v_abs(lo->rise), v_abs(hi->rise));
    look2 from = c->hi;
    blend_look(low, &c->lo, &from);
    const vr one = v_set(1), rise = v_sel(low, lo->rise, hi->rise);
    const vr radius = v_add(least_radius(&t->curves->a, &from.a, &from.a, one), least_radius(&t->curves->b, &from.b, &from.b, one));
    const vr bend = v_sub(radius, v_sel(low, lo->h, hi->h)), by = v_neg(v_div(rise, bend));
    *x = v_sub(from.nx, v_mul(by, from.ny));
    *y = v_add(from.ny, v_mul(by, from.nx));
    return m_and(v_gt(bend, v_set(0)), m_and(v_gt(v_cross(c->lo.nx, c->lo.ny, *x, *y), v_set(0)),
                                             v_gt(v_cross(*x, *y, c->hi.nx, c->hi.ny), v_set(0))));
}

/* Closes the cells of the lanes in `alive`, by Newton's method while that converges, else by the chord's
 * normal, which may be that of a side, or by the middle. */
LANE_CALL void descend(const tile *t, const context *ctx, int N, vm alive, found2 *f)
{
    const vr zero = v_set(0), one = v_set(1);
    unsigned live = m_bits(alive);
    vm serves = alive;
    f->closed = m_andnot(f->closed, alive);
    for (int k = 0; k < MOST_DESCENTS; k++) {
        const view2 lo = view_of(&f->c.lo), hi = view_of(&f->c.hi);
        const bound2 b = bound_of(t, &f->c, &lo, &hi, 0);
        const vr least = v_min(lo.h, hi.h), rise_lo = v_abs(lo.rise), rise_hi = v_abs(hi.rise);
        f->h = v_sel(alive, least, f->h);
        /* an end with derivative 0 is the minimum */
        const vm at_lo = m_and(v_le(rise_lo, v_set(FLAT_RISE)), v_le(lo.h, hi.h));
        const vm at_hi = m_andnot(m_and(v_le(rise_hi, v_set(FLAT_RISE)), v_le(hi.h, lo.h)), at_lo);
        blend_look(m_and(alive, at_lo), &f->c.lo, &f->c.hi);
        blend_look(m_and(alive, at_hi), &f->c.hi, &f->c.lo);
        const vm met = v_le(v_sub(least, b.least), v_set(DEPTH_DOUBT));
        const vm ends = m_and(alive, m_or(met, m_or(at_lo, at_hi)));
        f->closed = m_or(f->closed, ends);
        alive = m_andnot(alive, ends);
        live = m_bits(alive);
        if (!live)
            break;
        vr x, y;
        const vm newton = m_and(newton_step(t, &f->c, &lo, &hi, &x, &y), serves);
        x = v_sel(newton, x, b.mx);
        y = v_sel(newton, y, b.my);
        if (k % 6 == 5) {
            x = v_add(f->c.lo.nx, f->c.hi.nx);
            y = v_add(f->c.lo.ny, f->c.hi.ny);
        }
        count_work(ctx, live);
        const look2 now = look_along(t, N, live, x, y);
        const view2 v = view_of(&now);
        serves = v_lt(v_abs(v.rise), v_mul(v_set((real)0.5), v_min(rise_lo, rise_hi)));
        serves = m_or(serves, m_not(newton));
        /* an end that is lower stays, whatever the slope here: h falls and then rises next to that end too */
        const vm rises = v_gt(v.rise, zero);
        const vr bar = v_sub(v.h, v_set(DEPTH_DOUBT / 4));
        const vm lo_stays = m_and(v_lt(lo.h, bar), v_le(lo.h, hi.h)), hi_stays = m_and(v_lt(hi.h, bar), v_lt(hi.h, lo.h));
        const vm up = m_andnot(m_or(rises, lo_stays), hi_stays);
        blend_look(m_and(alive, up), &now, &f->c.hi);
        blend_look(m_andnot(alive, up), &now, &f->c.lo);
        f->iterations = v_sel(alive, v_add(f->iterations, one), f->iterations);
    }
}

/* The cell of the fan next to its best direction, on the side to which h falls; *at is its number. */
LANE_CALL void start_descent(const fan2 *fan, found2 *f, vr *at)
{
    *at = v_set(0);
    f->h = v_set(REAL_MAX);
    f->iterations = v_set(FAN);
    f->closed = v_gt(*at, *at);
    f->c = (cell2){fan->look[0], fan->look[1]};
    for (int i = 0; i < FAN; i++) {
        const int before = (i + FAN - 1) % FAN, after = (i + 1) % FAN;
        const view2 here = view_of(&fan->look[i]);
        const vm better = v_lt(here.h, f->h), falls = v_le(here.rise, v_set(0));
        const vm forwards = m_and(better, falls), backwards = m_andnot(better, falls);
        f->h = v_sel(better, here.h, f->h);
        blend_look(forwards, &fan->look[i], &f->c.lo);
        blend_look(forwards, &fan->look[after], &f->c.hi);
        blend_look(backwards, &fan->look[before], &f->c.lo);
        blend_look(backwards, &fan->look[i], &f->c.hi);
        *at = v_sel(forwards, v_set((real)i), v_sel(backwards, v_set((real)before), *at));
    }
}

/* ---- what is left ---- */

enum { CELL_REALS = sizeof(cell2) / sizeof(vr) };

/* Cells of the lanes that are still to be searched; the last comes first. */
typedef struct stack2 {
    real cell[STACKED][LANES][CELL_REALS];
    real least[STACKED][LANES];
    unsigned count[LANES];
    unsigned overflown; /* lanes */
} stack2;

LANE_CALL void push_cells(stack2 *s, unsigned bits, const cell2 *c, vr least)
{
    if (!bits)
        return;
    real all[CELL_REALS][LANES], bound[LANES];
    const vr *from = &c->lo.nx;
    for (int k = 0; k < CELL_REALS; k++)
        v_store(all[k], from[k]);
    v_store(bound, least);
    for (; bits; bits &= bits - 1) {
        const unsigned l = (unsigned)__builtin_ctz(bits), at = s->count[l];
        if (at == STACKED) {
            s->overflown |= 1u << l;
            continue;
        }
        for (int k = 0; k < CELL_REALS; k++)
            s->cell[at][l][k] = all[k][l];
        s->least[at][l] = bound[l];
        s->count[l]++;
    }
}

LANE_FN vm m_of_bits(unsigned bits)
{
    real in[LANES];
    for (unsigned l = 0; l < LANES; l++)
        in[l] = (real)(bits >> l & 1);
    return v_gt(v_load(in), v_set(0));
}

/* Each lane of `bits` gets its next cell that may hold less than `best`. Returns the lanes that have one. */
LANE_CALL unsigned pop_cells(stack2 *s, unsigned bits, vr best, cell2 *c)
{
    if (!bits)
        return 0;
    real all[CELL_REALS][LANES], bar[LANES];
    vr *to = &c->lo.nx;
    unsigned got = 0;
    v_store(bar, v_sub(best, v_set(DEPTH_DOUBT)));
    for (int k = 0; k < CELL_REALS; k++)
        v_store(all[k], to[k]);
    for (; bits; bits &= bits - 1) {
        const unsigned l = (unsigned)__builtin_ctz(bits);
        while (s->count[l] > 0 && s->least[s->count[l] - 1][l] >= bar[l])
            s->count[l]--;
        if (s->count[l] == 0)
            continue;
        s->count[l]--;
        for (int k = 0; k < CELL_REALS; k++)
            all[k][l] = s->cell[s->count[l]][l][k];
        got |= 1u << l;
    }
    for (int k = 0; k < CELL_REALS; k++)
        to[k] = v_load(all[k]);
    return got;
}

/* Pushes the cells that may hold less: of the fan, and of what is left of the cell with the minimum found. */
LANE_CALL void push_fan(const tile *t, const fan2 *fan, const found2 *f, vr at, unsigned live, stack2 *s)
{
    cell2 rest = {f->c.hi, f->c.hi};
    memset(s->count, 0, sizeof s->count);
    s->overflown = 0;
    for (int i = 0; i <= FAN; i++) {
        cell2 c = rest;
        if (i < FAN) {
            const vm here = v_eq(at, v_set((real)i));
            c = (cell2){fan->look[i], fan->look[(i + 1) % FAN]};
            blend_look(here, &c.hi, &rest.hi);
            blend_look(here, &f->c.lo, &c.hi);
        }
        const view2 lo = view_of(&c.lo), hi = view_of(&c.hi);
        const bound2 b = curved_bound_of(t, &c, &lo, &hi);
        push_cells(s, m_bits(may_hold_less(&b, f->h)) & live, &c, b.least);
    }
}

/* Searches the cells of the stack until at most `spare` lanes have any. A better minimum goes to *f, not
 * closed. Returns the lanes that still have cells; adds to *doubtful those that cannot end. */
LANE_CALL unsigned look_into(const tile *t, const context *ctx, int N, unsigned live, int spare, stack2 *s, found2 *f,
                           unsigned *doubtful)
{
    const vr one = v_set(1);
    cell2 c = f->c;
    int splits = 0; /* of each live lane: all began together */
    live = pop_cells(s, live, f->h, &c);
    while (lane_count(live) > spare) {
        const vm alive = m_of_bits(live);
        const view2 lo = view_of(&c.lo), hi = view_of(&c.hi);
        const bound2 b = bound_of(t, &c, &lo, &hi, 0);
        const int middle = splits++ % 3 == 2;
        const vr x = middle ? v_add(c.lo.nx, c.hi.nx) : b.mx, y = middle ? v_add(c.lo.ny, c.hi.ny) : b.my;
        count_work(ctx, live);
        const look2 now = look_along(t, N, live, x, y);
        const view2 v = view_of(&now);
        f->iterations = v_sel(alive, v_add(f->iterations, one), f->iterations);

        const cell2 left = {c.lo, now}, right = {now, c.hi};
        const vm better = m_and(alive, v_lt(v.h, v_sub(f->h, v_set(DEPTH_DOUBT / 4))));
        const vm up = v_gt(v.rise, v_set(0));
        f->h = v_sel(better, v.h, f->h);
        blend_cell(m_and(better, up), &left, &f->c);
        blend_cell(m_andnot(better, up), &right, &f->c);
        f->closed = m_andnot(f->closed, better);

        const bound2 of_left = curved_bound_of(t, &left, &lo, &v), of_right = curved_bound_of(t, &right, &v, &hi);
        const vm wide_left = v_gt(v_cross(c.lo.nx, c.lo.ny, now.nx, now.ny), v_set(4 * REAL_EPSILON));
        const vm wide_right = v_gt(v_cross(now.nx, now.ny, c.hi.nx, c.hi.ny), v_set(4 * REAL_EPSILON));
        const vm keep_left = m_and(wide_left, may_hold_less(&of_left, f->h));
        const vm keep_right = m_and(wide_right, may_hold_less(&of_right, f->h));
        const vm both = m_and(keep_left, keep_right), first_left = v_lt(of_left.least, of_right.least);
        cell2 later = right;
        blend_cell(first_left, &right, &later);
        blend_cell(m_not(first_left), &left, &later);
        push_cells(s, m_bits(both) & live, &later, v_max(of_left.least, of_right.least));
        const vm go_left = m_and(keep_left, m_or(first_left, m_not(keep_right)));
        c = right;
        blend_cell(go_left, &left, &c);
        const unsigned none = live & ~m_bits(m_or(keep_left, keep_right));
        const unsigned tired = live & (splits >= MOST_SPLITS ? ALL_LANES : s->overflown);
        *doubtful |= tired;
        live = (live & ~none) | pop_cells(s, none, f->h, &c);
        live &= ~tired;
    }
    return live;
}

#endif
