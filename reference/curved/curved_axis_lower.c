/* Depths that all but tie around an axis, from below.
 *
 * Of a body all but round about an axis z most is a body of revolution R, and a convex body G is the rest: A = R + G
 * (Minkowski), so that h = h_R(lean) + h_G. A cone's tip in the middle of a cylinder ties with it along part of an arc, and
 * there the tip alone is G. An ellipsoid n' M n is that with M0, M made even about z, which in the
 * coordinates that make M0 a ball is I + F, of semi-axes squared 1 - f to 1 + f: in it rolls a ball of (1 - f) / sqrt(1 + f)
 * (Blaschke 1916), and maps keep sums. Of a superellipsoid the part of it that `ref_solid_roundness` says rolls. What revolves
 * about z itself is all R, what has vertices all G.
 *
 * Cells are intervals of the angle around z and of the lean. With a point g of G, h is at least F(lean) = h_R(lean) +
 * cos(lean) c + sin(lean) g.z all over one, c the least of g along the unit vectors across z that it has: exactly, so that
 * neither R nor where G lies asks for narrow cells. A game against the cell's corners chooses g. Along the lean F is bounded
 * by the points of R at the ends of an interval: either is a sinusoid, and where positive least at an end, or where
 * both meet (Kelley 1960). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/curved/curved_axis_lower.h"
#include "reference/curved/curved_axis_upper.h"
#include "reference/curved/matrix_game.h"
#include "reference/effort.h"

enum {
    SECTORS = 8,
    STRIPS = 16,
    MOST_CELLS = 1 << 14,
    MOST_CUTS = 500,
    CUTS_FOR_A_CORNER = 8,
    LEAN_CELLS = 128,
    LEANS = 48
};
static const ref_real uneven = 0x1p-6L; /* relative to the size, of what is taken for all but round; and G, if all is */

/* What of a body revolves. */
typedef struct part {
    bool spheroid, whole; /* neither: nothing */
    ref_real across, along; /* semi-axes of a spheroid */
} part;

typedef struct around {
    const ref_curved *curved;
    ref_real axis[3], cross[2][3];
    part body[2];
    ref_real bar; /* h is to be at least this */
    bool below; /* somewhere it is not */
    uint32_t corners, most, cuts, spent; /* cuts: of a cell; spent: all of them */
} around;

/* A direction by angle and lean; there the point of R, (out, up), and that of G by cross[0], cross[1] and axis. */
typedef struct spot {
    ref_real turn[2], lean[2]; /* cosine and sine */
    ref_real out, up, rest[3];
} spot;

typedef struct cell {
    ref_real turn[2], lean[2]; /* from, to: angles */
} cell;

/* ---- what revolves ---- */

/* Adds the point of a body's part at a lean; `side` 1: of -B. */
static void add_part(const around *s, int side, const ref_real lean[2], ref_real *out, ref_real *up)
{
    const part *p = &s->body[side];
    const ref_solid *solid = &s->curved->body[side];
    if (p->spheroid) {
        const ref_real x = p->across * lean[0], y = p->along * lean[1], h = hypotl(x, y);
        *out += h > 0 ? p->across * (x / h) : 0;
        *up += h > 0 ? p->along * (y / h) : 0;
    } else if (p->whole) {
        const ref_real sign = side ? -1 : 1;
        ref_real n[3], x[3];
        for (int k = 0; k < 3; k++)
            n[k] = sign * (lean[0] * s->cross[0][k] + lean[1] * s->axis[k]);
        ref_solid_support(solid, n, x);
        for (int k = 0; k < 3; k++)
            x[k] = sign * (x[k] - solid->offset[k]);
        *out += ref_inner(x, s->cross[0]);
        *up += ref_inner(x, s->axis);
    }
}

static bool revolves(const part *p)
{
    return p->spheroid || p->whole;
}

static void revolve(const around *s, const ref_real lean[2], ref_real *out, ref_real *up)
{
    *out = *up = 0;
    add_part(s, 0, lean, out, up);
    add_part(s, 1, lean, out, up);
}

/* How wide G of a body is across z, and its part of R. */
static ref_real take_part(around *s, int side)
{
    const ref_solid *solid = &s->curved->body[side];
    part *p = &s->body[side];
    const ref_real along[3] = {solid->turn[0][2], solid->turn[1][2], solid->turn[2][2]};
    ref_real m[3][3] = {{0}}, off = 0;
    *p = (part){0};
    if (!gjb_is_curved(solid->kind)) {
        ref_real most = 0;
        for (uint32_t i = 0; i < solid->count; i++) {
            ref_real way[3], turned[3];
            for (int k = 0; k < 3; k++)
                way[k] = (ref_real)solid->rows[3 * i + (uint32_t)k] - solid->rows[k];
            for (int k = 0; k < 3; k++)
                turned[k] = ref_inner(solid->turn[k], way);
            most = fmaxl(most, hypotl(ref_inner(turned, s->cross[0]), ref_inner(turned, s->cross[1])));
        }
        return most;
    }
    if (solid->kind == GJB_CYLINDER || solid->kind == GJB_CONE) {
        p->whole = fabsl(ref_inner(along, s->axis)) >= 1 - 0x1p-62L &&
                   hypotl(ref_inner(along, s->cross[0]), ref_inner(along, s->cross[1])) <= 0x1p-61L;
        return p->whole ? 0 : solid->reach;
    }
    const ref_real *axes[3] = {s->cross[0], s->cross[1], s->axis};
    for (int k = 0; k < 3; k++) {
        const ref_real t[3] = {solid->turn[0][k], solid->turn[1][k], solid->turn[2][k]};
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                m[r][c] += solid->semi[k] * solid->semi[k] * ref_inner(t, axes[r]) * ref_inner(t, axes[c]);
    }
    const ref_real across = sqrtl((m[0][0] + m[1][1]) / 2), up = sqrtl(m[2][2]);
    const ref_real d[3] = {across, across, up}, aside = sqrtl(m[0][0] + m[1][1]); /* of all of it */
    if (!(across > 0 && up > 0))
        return aside;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            const ref_real f = m[r][c] / (d[r] * d[c]) - (r == c);
            off += f * f;
        }
    }
    off = sqrtl(off) + 0x1p-58L;
    if (!(off < uneven))
        return aside;
    const ref_real share = fminl(ref_solid_roundness(solid), 1) * (1 - off) / sqrtl(1 + off) * (1 - 0x1p-56L);
    *p = (part){.spheroid = share > 0, .across = share * across, .along = share * up};
    return share > 0 ? (1 + off - share) * across : aside;
}

/* ---- along the lean ---- */

typedef struct cut {
    ref_real angle, lean[2], out, up, height; /* F >= out cos + up sin, and is `height` here */
} cut;

/* `out` and `up` are what the surfaces of revolution come to at that lean (revolve). */
static void set_cut(around *s, ref_real angle, const ref_real lean[2], ref_real out, ref_real up, cut *c)
{
    *c = (cut){.angle = angle,
               .lean = {lean[0], lean[1]},
               .out = out,
               .up = up,
               .height = lean[0] * out + lean[1] * up};
    s->cuts++;
    s->spent++;
}

static void cut_at(around *s, ref_real angle, ref_real least, ref_real rise, cut *c)
{
    const ref_real lean[2] = {cosl(angle), sinl(angle)};
    ref_real out, up;
    revolve(s, lean, &out, &up);
    set_cut(s, angle, lean, out + least, up + rise, c);
}

/* Is F above the bar between two leans? */
static bool above(around *s, const cut *lo, const cut *hi, ref_real least, ref_real rise, int deep)
{
    if (!(lo->height >= s->bar && hi->height >= s->bar))
        return false;
    /* positive at both ends, a sinusoid is least at one */
    if (fmaxl(fminl(lo->height, lo->out * hi->lean[0] + lo->up * hi->lean[1]),
              fminl(hi->height, hi->out * lo->lean[0] + hi->up * lo->lean[1])) >= s->bar)
        return true;
    const ref_real out = lo->out - hi->out, up = lo->up - hi->up, half = (hi->angle - lo->angle) / 2;
    const ref_real at_lo = out * lo->lean[0] + up * lo->lean[1], at_hi = out * hi->lean[0] + up * hi->lean[1];
    ref_real angle = lo->angle + half;
    if (at_lo > 0 && at_hi < 0) {
        const ref_real meet = up != 0 ? atanl(-out / up) : HUGE_VALL,
                       there = lo->out * cosl(meet) + lo->up * sinl(meet);
        if (lo->angle < meet && meet < hi->angle) {
            if (there >= s->bar)
                return true;
            angle = deep % 3 ? meet : angle;
        }
    }
    if (deep == 0 || s->cuts > MOST_CUTS || !(angle > lo->angle && angle < hi->angle))
        return false;
    cut middle;
    cut_at(s, angle, least, rise, &middle);
    return above(s, lo, &middle, least, rise, deep - 1) && above(s, &middle, hi, least, rise, deep - 1);
}

/* Where F is least between two leans. */
static ref_real lowest_lean(around *s, cut lo, cut hi, ref_real least, ref_real rise)
{
    for (int k = 0; k < LEANS && hi.angle - lo.angle > 0x1p-40L; k++) {
        const ref_real out = lo.out - hi.out, up = lo.up - hi.up, middle = (lo.angle + hi.angle) / 2;
        const ref_real meet = up != 0 ? atanl(-out / up) : HUGE_VALL;
        cut at;
        cut_at(s, k % 3 < 2 && lo.angle < meet && meet < hi.angle ? meet : middle, least, rise, &at);
        if (at.up * at.lean[0] - at.out * at.lean[1] > 0)
            hi = at;
        else
            lo = at;
    }
    return lo.height < hi.height ? lo.angle : hi.angle;
}

/* ---- cells ---- */

static void look(around *s, ref_real turn, ref_real lean, spot *at)
{
    ref_real n[3];
    at->turn[0] = cosl(turn), at->turn[1] = sinl(turn);
    at->lean[0] = cosl(lean), at->lean[1] = sinl(lean);
    for (int k = 0; k < 3; k++)
        n[k] = at->lean[0] * (at->turn[0] * s->cross[0][k] + at->turn[1] * s->cross[1][k]) + at->lean[1] * s->axis[k];
    ref_unit(n, n);
    const ref_corner corner = ref_curved_corner(s->curved, n);
    const ref_real *place[2];
    ref_real out = 0, up = 0;
    for (int side = 0; side < 2; side++) { /* what is all R has many points along its axis, and no matter which */
        place[side] = s->body[side].whole ? s->curved->body[side].offset : corner.place[side];
        if (s->body[side].spheroid)
            add_part(s, side, at->lean, &out, &up);
    }
    ref_real rest[3];
    for (int k = 0; k < 3; k++)
        rest[k] = place[0][k] - place[1][k];
    revolve(s, at->lean, &at->out, &at->up);
    at->rest[0] = ref_inner(rest, s->cross[0]) - out * at->turn[0];
    at->rest[1] = ref_inner(rest, s->cross[1]) - out * at->turn[1];
    at->rest[2] = ref_inner(rest, s->axis) - up;
    s->below |= -ref_inner(corner.w, n) < s->bar;
    s->corners++;
}

enum { CORNERS = 4, ROUNDS = 24, MORE_POINTS = REF_GAME_COLUMNS - CORNERS - 1 };

/* A cell: points of G to hand, and directions against which one of those between them is chosen: the corners, and
 * leans where F was least before, the last ones. */
typedef struct trial {
    spot at[REF_GAME_COLUMNS], row[REF_GAME_ROWS];
    uint32_t points, rows;
} trial;

/* A point of G between those to hand, chosen against the rows; what it comes to at the worst of them. */
static ref_real choose(const around *s, const trial *t, ref_real rest[3])
{
    ref_game g = {.rows = t->rows, .columns = t->points};
    ref_real low = HUGE_VALL, high = -HUGE_VALL, mix[REF_GAME_ROWS], weight[REF_GAME_COLUMNS] = {1}, sum = 0;
    for (uint32_t r = 0; r < t->rows; r++) {
        const spot *row = &t->row[r];
        const ref_real own = row->lean[0] * row->out + row->lean[1] * row->up;
        for (uint32_t k = 0; k < t->points; k++) {
            const ref_real *p = t->at[k].rest, aside = row->turn[0] * p[0] + row->turn[1] * p[1];
            g.along[r][k] = own + row->lean[0] * aside + row->lean[1] * p[2] - s->bar;
            low = fminl(low, g.along[r][k]);
            high = fmaxl(high, g.along[r][k]);
        }
    }
    const ref_real worth = high > low ? ref_game_play(&g, low, high, mix, weight) : low;
    memset(rest, 0, 3 * sizeof *rest);
    for (uint32_t k = 0; k < t->points; k++) {
        sum += weight[k];
        for (int m = 0; m < 3; m++)
            rest[m] += weight[k] * t->at[k].rest[m];
    }
    for (int m = 0; m < 3; m++)
        rest[m] /= sum;
    return worth;
}

/* Is F with that point above the bar between the cell's leans? Else *lowest is where it is least. */
static bool serves(around *s, const cell *c, const trial *t, const ref_real rest[3], ref_real *lowest)
{
    const ref_real *first = t->at[0].turn, *last = t->at[1].turn;
    const ref_real from = first[0] * rest[0] + first[1] * rest[1], to = last[0] * rest[0] + last[1] * rest[1];
    /* Least across z: at an end, or where it points away. */
    const bool away = first[1] * rest[0] - first[0] * rest[1] >= 0 && last[0] * rest[1] - last[1] * rest[0] >= 0;
    const ref_real least = away ? -hypotl(rest[0], rest[1]) : fminl(from, to);
    cut lo, hi;
    s->cuts = 0;
    const spot *low = &t->at[0], *high = &t->at[CORNERS - 1]; /* corners of least and of greatest lean */
    set_cut(s, c->lean[0], low->lean, low->out + least, low->up + rest[2], &lo);
    set_cut(s, c->lean[1], high->lean, high->out + least, high->up + rest[2], &hi);
    if (above(s, &lo, &hi, least, rest[2], LEAN_CELLS))
        return true;
    *lowest = lowest_lean(s, lo, hi, least, rest[2]);
    return false;
}

/* Is h above the bar all over a cell, by one point of G? `worth`: how far it is above at the worst of the directions that
 * count, HUGE_VALL if it is. */
static bool passes(around *s, const cell *c, ref_real *worth)
{
    trial t = {.rows = CORNERS};
    const ref_real middle = (c->turn[0] + c->turn[1]) / 2;
    ref_real rest[3], lowest;
    for (int k = 0; k < CORNERS; k++) {
        look(s, c->turn[k & 1], c->lean[k >> 1], &t.at[t.points++]);
        t.row[k] = t.at[k];
    }
    look(s, middle, (c->lean[0] + c->lean[1]) / 2, &t.at[t.points++]);
    for (int round = 0; round < ROUNDS; round++) {
        *worth = choose(s, &t, rest);
        if (!(*worth > 0))
            return false;
        if (serves(s, c, &t, rest, &lowest)) {
            *worth = HUGE_VALL;
            return true;
        }
        if (!(lowest > c->lean[0] && lowest < c->lean[1]))
            return false;
        if (round < MORE_POINTS)
            look(s, middle, lowest, &t.at[t.points++]);
        for (uint32_t end = 0; end < 2; end++) { /* as many as there is room for */
            spot *row = &t.row[CORNERS + 2 * (uint32_t)(round % ((REF_GAME_ROWS - CORNERS) / 2)) + end];
            memcpy(row->turn, t.at[end].turn, sizeof row->turn);
            row->lean[0] = cosl(lowest), row->lean[1] = sinl(lowest);
            revolve(s, row->lean, &row->out, &row->up);
        }
        t.rows = t.rows < REF_GAME_ROWS ? t.rows + 2 : t.rows;
    }
    return false;
}

/* A cell's halves by angle or by lean, those that do not pass; the worth of the worse is what the way is worth. */
static uint32_t halve(around *s, const cell *c, bool by_lean, cell left[2], ref_real *worth)
{
    uint32_t count = 0;
    *worth = HUGE_VALL;
    for (int half = 0; half < 2; half++) {
        cell part = *c;
        ref_real *range = by_lean ? part.lean : part.turn, own;
        range[1 - half] = (range[0] + range[1]) / 2;
        if (!passes(s, &part, &own)) {
            left[count++] = part;
            *worth = fminl(*worth, own);
        }
    }
    return count;
}

static bool may_go_on(const around *s)
{
    return !s->below && s->corners + s->spent / CUTS_FOR_A_CORNER < s->most && !ref_effort_over();
}

static bool all_above(around *s)
{
    cell *stack = malloc(MOST_CELLS * sizeof *stack);
    const ref_real turn = 2 * acosl(-1) / SECTORS, lean = acosl(-1) / STRIPS;
    uint32_t count = 0;
    for (int k = 0; stack && k < SECTORS * STRIPS && may_go_on(s); k++) {
        const ref_real from = k % SECTORS * turn, low = k / SECTORS * lean - acosl(0);
        const cell c = {{from, from + turn}, {low, low + lean}};
        ref_real worth;
        if (!passes(s, &c, &worth))
            stack[count++] = c;
    }
    bool proven = stack != NULL && may_go_on(s);
    while (proven && count > 0) {
        const cell c = stack[--count];
        cell left[2][2];
        ref_real worth[2];
        const uint32_t more[2] = {halve(s, &c, false, left[0], &worth[0]), halve(s, &c, true, left[1], &worth[1])};
        const bool alike = more[0] == more[1], tied = alike && worth[0] == worth[1];
        const int way = tied    ? c.lean[1] - c.lean[0] > c.turn[1] - c.turn[0]
                        : alike ? worth[1] > worth[0]
                                : more[1] < more[0];
        proven = may_go_on(s) && count + more[way] <= MOST_CELLS;
        for (uint32_t k = 0; k < more[way] && proven; k++)
            stack[count++] = left[way][k];
    }
    free(stack);
    return proven;
}

ref_around ref_curved_axis_lower(const ref_curved *curved, ref_real bar, uint32_t most)
{
    enum { AXES = 6 };
    around way[AXES];
    ref_real width[AXES];
    uint32_t count = 0;
    for (int k = 0; k < AXES; k++) {
        around s = {.curved = curved, .bar = bar, .most = most};
        if (!ref_curved_axis(&curved->body[k / 3], k % 3, s.axis))
            continue;
        bool tried = false;
        for (uint32_t m = 0; m < count; m++)
            tried = tried || fabsl(ref_inner(s.axis, way[m].axis)) >= 1;
        if (tried)
            continue;
        ref_across(s.axis, s.cross[0], s.cross[1]);
        const ref_real own = take_part(&s, 0) + take_part(&s, 1);
        if (!revolves(&s.body[0]) && !revolves(&s.body[1]))
            continue;
        uint32_t at = count++;
        for (; at > 0 && own < width[at - 1]; at--) { /* the narrowest first */
            way[at] = way[at - 1];
            width[at] = width[at - 1];
        }
        way[at] = s;
        width[at] = own;
    }
    for (uint32_t k = 0; k < count; k++)
        if (all_above(&way[k]))
            return REF_AROUND_PROVEN;
    return count > 0 && width[0] < uneven * curved->size ? REF_AROUND_OPEN : REF_NOT_AROUND;
}
