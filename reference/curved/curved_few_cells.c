/* Proves the least support of D over all directions by few cells.
 * Cells are squares of the faces of a cube (in the plane, parts of the sides of a square), each in the cap
 * about its middle. Where the least support itself lies no cell is narrow enough, unless its middle is that
 * direction: so from low cells the way leads down to a direction of locally least support, and as wide a cap
 * about it as holds takes all cells within it. */
#include "reference/curved/curved_few_cells.h"

#include <math.h>
#include <string.h>

#include "reference/curved/curved_turn.h"
#include "reference/effort.h"

/* Effort is counted in caps in double. */
enum {
    NEAR = 64,
    IN_LONG_DOUBLE = 16,
    TO_DESCEND = 64,
    MOST_EFFORT = 3000,
    DEEPEST = 44,
    STACK = 4 * DEEPEST + 32,
    MOST_LOWS = 6,
    STARTS = 13,
    MOST_TRIES = 2
};

typedef struct cell {
    int face, level;
    ref_real u, v, half;
} cell;

/* A first cap no wider than this may be one of many around an axis. */
static const ref_real narrow = 0x1p-5L;

/* A direction of locally least support, and the tangent of how far around it `bar` holds; 0: nowhere. */
typedef struct low {
    ref_real m[3], w;
} low;

typedef struct quick {
    const ref_curved *curved;
    ref_rough rough;
    ref_depth *depth;
    ref_real width, bar;
    bool turned; /* it was tried around an axis */
    bool stuck;  /* no cap holds about a direction that is as low as any */
    low lows[MOST_LOWS];
    uint32_t low_count;
    cell stack[STACK];
    uint32_t count, effort;
} quick;

static void point_of(const quick *s, const cell *c, ref_real u, ref_real v, ref_real m[3])
{
    const int dim = (int)s->curved->dim;
    m[2] = 0;
    m[c->face / 2] = c->face & 1 ? 1 : -1;
    m[(c->face / 2 + 1) % dim] = u;
    if (dim == 3)
        m[(c->face / 2 + 2) % dim] = v;
}

/* Its middle, and the tangent of the angle to its farthest corner. */
static ref_real middle_of(const quick *s, const cell *c, ref_real m[3])
{
    ref_real corner[3], cross[3], most = 0;
    point_of(s, c, c->u, c->v, m);
    ref_unit(m, m);
    for (int k = 0; k < 4; k++) {
        point_of(s, c, c->u + (k & 1 ? c->half : -c->half), c->v + (k & 2 ? c->half : -c->half), corner);
        ref_cross(cross, m, corner);
        const ref_real along = ref_inner(m, corner),
                       tangent = along > 0 ? sqrtl(ref_inner(cross, cross)) / along : HUGE_VALL;
        most = fmaxl(most, tangent);
    }
    return most * (1 + 0x1p-50L);
}

/* Is all of the cell within a cap that holds? Those are convex cones. */
static bool is_taken(const quick *s, const cell *c)
{
    for (uint32_t k = 0; k < s->low_count; k++) {
        const low *l = &s->lows[k];
        bool within = l->w > 0;
        for (int i = 0; i < 4 && within; i++) {
            ref_real corner[3], cross[3];
            point_of(s, c, c->u + (i & 1 ? c->half : -c->half), c->v + (i & 2 ? c->half : -c->half), corner);
            ref_cross(cross, l->m, corner);
            within = sqrtl(ref_inner(cross, cross)) <= l->w * (1 - 0x1p-50L) * ref_inner(l->m, corner);
        }
        if (within)
            return true;
    }
    return false;
}

static void lower(quick *s, const ref_real m[3])
{
    const ref_real n[3] = {-m[0], -m[1], -m[2]};
    ref_depth_try(s->curved, n, s->depth);
    s->bar = s->depth->highest - s->width;
}

/* As wide as it holds, by halves, and by eighths of what is narrow. */
static void widen(quick *s, low *l)
{
    for (l->w = 0.75L; l->w > 0x1p-44L; l->w /= l->w > 0x1p-8L ? 2 : 8) {
        s->effort += IN_LONG_DOUBLE;
        if (ref_cap_holds(s->curved, l->m, l->w, s->bar))
            return;
    }
    l->w = 0;
}

/* Is there a direction as low as any about which no cap holds? */
static bool is_stuck(const quick *s)
{
    for (uint32_t k = 0; k < s->low_count; k++)
        if (s->lows[k].w == 0 &&
            ref_cap_height(s->curved, s->lows[k].m) < s->bar + NEAR * (ref_real)s->rough.margin)
            return true;
    return false;
}

/* Down from a direction, unless that leads where it led before. True: that was one of many around an axis,
 * and all is proven about that. */
static bool explore(quick *s, const ref_real from[3])
{
    low *l = &s->lows[s->low_count];
    if (s->low_count == MOST_LOWS)
        return false;
    double m[3] = {(double)from[0], (double)from[1], (double)from[2]};
    s->effort += TO_DESCEND;
    ref_rough_descend(&s->rough, m);
    for (int k = 0; k < 3; k++)
        l->m[k] = m[k];
    ref_unit(l->m, l->m);
    ref_cap_descend(s->curved, l->m);
    lower(s, l->m);
    for (uint32_t k = 0; k < s->low_count; k++)
        if (ref_inner(s->lows[k].m, l->m) > 1 - 0x1p-30L)
            return false;
    widen(s, l);
    s->low_count++;
    s->stuck = is_stuck(s);
    if (l->w > narrow || s->turned || ref_cap_height(s->curved, l->m) > s->depth->highest + s->width)
        return false;
    s->turned = true;
    const bool proven = ref_curved_turn(s->curved, &s->rough, s->width, s->depth);
    s->bar = s->depth->highest - s->width;
    return proven;
}

/* From a direction and from the axes of both bodies, the lowest of them first, until no cap is in the way. */
static bool explore_all(quick *s, const ref_real from[3])
{
    double start[STARTS][3], high[STARTS];
    for (int k = 0; k < STARTS; k++) {
        for (int i = 0; i < 3; i++) {
            const ref_real along = k == STARTS - 1 ? from[i] : s->curved->body[k / 6].turn[i][k % 6 / 2];
            start[k][i] = (double)(k < STARTS - 1 && k & 1 ? -along : along);
        }
        /* Axes of bodies that were brought to a plane need not lie in it. */
        high[k] = s->curved->dim == 3 || k == STARTS - 1 ? ref_rough_height(&s->rough, start[k]) : HUGE_VAL;
    }
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        int best = 0;
        for (int k = 1; k < STARTS; k++)
            best = high[k] < high[best] ? k : best;
        const ref_real m[3] = {start[best][0], start[best][1], start[best][2]};
        if (explore(s, m))
            return true;
        if (!s->stuck)
            return false;
        high[best] = HUGE_VAL;
    }
    return false;
}

/* In double, and in long double if the support is too near the bar for that. */
static bool holds(quick *s, const ref_real m[3], ref_real w)
{
    const double rough[3] = {(double)m[0], (double)m[1], (double)m[2]},
                 bar = (double)s->bar + s->rough.margin;
    s->effort++;
    if (ref_rough_holds(&s->rough, rough, (double)w * (1 + 0x1p-40) + 0x1p-48, bar)) /* m was rounded */
        return true;
    if (!(ref_rough_height(&s->rough, rough) < bar + NEAR * s->rough.margin))
        return false;
    s->effort += IN_LONG_DOUBLE;
    return ref_cap_holds(s->curved, m, w, s->bar);
}

/* Nothing is to be gained from going down near where that was done. */
static bool is_new(const quick *s, const ref_real m[3], ref_real w)
{
    for (uint32_t k = 0; k < s->low_count; k++) {
        const low *l = &s->lows[k];
        const ref_real way[3] = {m[0] - l->m[0], m[1] - l->m[1], m[2] - l->m[2]};
        if (sqrtl(ref_inner(way, way)) < 4 * w + l->w)
            return false;
    }
    return true;
}

static void split(quick *s, const cell *c)
{
    const ref_real half = c->half / 2;
    for (int k = 0; k < (s->curved->dim == 2 ? 2 : 4); k++) {
        s->stack[s->count++] = (cell){c->face, c->level + 1, c->u + (k & 1 ? half : -half),
                                      s->curved->dim == 2 ? 0 : c->v + (k & 2 ? half : -half), half};
    }
}

static bool all_hold(const ref_curved *curved, ref_real width, ref_depth *depth)
{
    quick s = {.curved = curved, .depth = depth, .width = width};
    const ref_real from[3] = {-depth->normal[0], -depth->normal[1], -depth->normal[2]};
    if (curved->lean > 0 || !ref_rough_open(&s.rough, curved))
        return false;
    if (explore_all(&s, from))
        return true;
    for (int face = 0; face < 2 * (int)curved->dim; face++)
        s.stack[s.count++] = (cell){face, 0, 0, 0, 1};
    while (s.count > 0) {
        const cell c = s.stack[--s.count];
        ref_real m[3];
        if (is_taken(&s, &c))
            continue;
        const ref_real w = middle_of(&s, &c, m);
        if (holds(&s, m, w))
            continue;
        if (s.stuck || s.effort >= MOST_EFFORT || ref_effort_over() || c.level == DEEPEST)
            return false;
        if (c.level > 1 && is_new(&s, m, w) && explore(&s, m))
            return true;
        split(&s, &c);
    }
    return true;
}

bool ref_curved_few_cells(const ref_curved *curved, ref_real width, ref_depth *depth)
{
    if (!all_hold(curved, width, depth))
        return false;
    depth->lowest = fmaxl(depth->lowest, depth->highest - width);
    return true;
}
