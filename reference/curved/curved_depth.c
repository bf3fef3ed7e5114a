/* The depth of a pair with a curved core, with bounds that are proven.
 * Branch and bound over directions.
 *
 * h(m) = max m.w over D, for unit m = -n; the depth is the least h. Directions are cells of the six faces of a
 * cube about the normal that is the best so far (in the plane the four sides of a square): a cell is the cone
 * of its corners d, and for a point s of D and t >= 0 the directions with m.s >= t |m| are a convex cone. So if
 * d.s >= t |d| at a cell's corners, h >= t all over it. The point is the best combination of the support points at the
 * corners, and later at the centre: a game that a small linear program solves, but which it solves badly is
 * only a lower bound that is lower. On smooth shapes and at kinks alike the bound falls short by the square of the
 * cell's width, near the least h, so that every level of cells, of half the width, has about as many left as
 * the one before.
 *
 * A plane that two bodies of revolution were brought to (curved_enclose.c) may be one in which B leans by a small angle w, in
 * an unknown direction: about its pivot its points go to s + w x s, so that along n they change by at most w times
 * their swing, (s x n), to either side. Each support point is then two, and the combination has to do for both. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/curved/curved.h"
#include "reference/curved/matrix_game.h"
#include "reference/effort.h"

enum { LEVELS = 62, CORNERS = 4, POINTS = REF_GAME_COLUMNS, KEPT = POINTS - 3 };

/* A direction of the cube, and the support point there, both along the axes of the cube. */
typedef struct probe {
    ref_real d[3], inverse; /* inverse of |d| */
    ref_real s[2][3]; /* second: of a body that leans the other way */
} probe;

typedef struct cell {
    probe corner[CORNERS]; /* in the plane two */
    probe kept[KEPT];      /* found within a larger cell about it, and of use there */
    uint32_t kept_count;
} cell;

typedef struct cells {
    cell *at;
    uint32_t count, room;
} cells;

typedef struct branch {
    const ref_curved *curved;
    ref_real width;
    uint32_t most;
    ref_depth *depth;
    ref_real frame[3][3]; /* axes of the cube, the last one -normal */
    uint32_t corners_of_cell, room; /* for points that are kept */
    uint32_t signs; /* 2 where B leans: either way is a point of its own */
    cells now, next;
} branch;

/* Of numbers. */
static inline ref_real larger(ref_real p, ref_real q)
{
    return p > q ? p : q;
}
static inline ref_real lesser(ref_real p, ref_real q)
{
    return p < q ? p : q;
}

static cell *push(cells *list)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        cell *more = realloc(list->at, list->room * sizeof *more);
        if (!more) {
            fputs("gjkbench: out of memory in the truth of a curved pair\n", stderr);
            abort();
        }
        list->at = more;
    }
    return &list->at[list->count++];
}

ref_corner ref_depth_try(const ref_curved *curved, const ref_real n[3], ref_depth *depth)
{
    const ref_corner corner = ref_curved_corner(curved, n);
    const ref_real height = -ref_inner(n, corner.w);
    depth->corners++;
    if (height < depth->highest) {
        depth->highest = height;
        memcpy(depth->normal, n, sizeof depth->normal);
    }
    return corner;
}

/* By how much a leaning B takes its point along an axis, the one way. */
static ref_real swing_along(const branch *b, const ref_real axis[3], const ref_corner *c)
{
    const ref_real *pivot = b->curved->pivot, x = c->place[1][0] - pivot[0], y = c->place[1][1] - pivot[1];
    return b->curved->lean * (axis[1] * x - axis[0] * y);
}

/* What h is along -n once B leans, by so much that terms of the second order are of no account. */
static ref_real leaning_height(branch *b, const ref_real n[3], ref_real sign)
{
    const ref_real *pivot = b->curved->pivot, w = sign * b->curved->lean;
    const ref_real back[3] = {-n[0], -n[1], 0}, turned[3] = {back[0] + w * back[1], back[1] - w * back[0], 0};
    ref_real x[3];
    b->depth->corners++;
    return ref_solid_support(&b->curved->body[0], n, x) + ref_solid_support(&b->curved->body[1], turned, x) +
           pivot[0] * (back[0] - turned[0]) + pivot[1] * (back[1] - turned[1]);
}

static void look(branch *b, probe *p)
{
    ref_real n[3];
    for (int k = 0; k < 3; k++)
        n[k] = -(p->d[0] * b->frame[0][k] + p->d[1] * b->frame[1][k] + p->d[2] * b->frame[2][k]);
    p->inverse = 1 / ref_unit(n, n);
    const ref_corner c = ref_curved_corner(b->curved, n);
    ref_real height = -ref_inner(n, c.w);
    b->depth->corners++;
    for (int way = 0; way < 2 && b->signs == 2; way++)
        height = lesser(height, leaning_height(b, n, way ? 1 : -1));
    for (int k = 0; k < 3; k++) {
        const ref_real at = ref_inner(b->frame[k], c.w), swing = b->signs == 2 ? swing_along(b, b->frame[k], &c) : 0;
        p->s[0][k] = at + swing;
        p->s[1][k] = at - swing;
    }
    if (height < b->depth->highest) {
        b->depth->highest = height;
        memcpy(b->depth->normal, n, sizeof n);
    }
}

static void middle(branch *b, const probe *p, const probe *q, probe *out)
{
    for (int k = 0; k < 3; k++)
        out->d[k] = (p->d[k] + q->d[k]) / 2;
    look(b, out);
}

/* ---- the bound of a cell ---- */

/* What is known of a cell: all points to hand, the bound, and what its game came to. */
typedef struct judged {
    const probe *points[POINTS];
    uint32_t count;
    ref_real bound;
    ref_real mix[REF_GAME_ROWS], weight[POINTS];
} judged;

/* h is at least `bound` over the cell, `more` (or NULL) a probe within; 0 if nothing is proven, which it is of a D
 * that holds the origin. Enough is enough, and leaves the game unplayed. */
static bool judge(const branch *b, const cell *c, const probe *more, ref_real enough, judged *j)
{
    ref_game g = {.rows = b->corners_of_cell * b->signs};
    ref_real low = HUGE_VALL, high = -HUGE_VALL;
    *j = (judged){.bound = 0};
    for (uint32_t k = 0; k < b->corners_of_cell; k++)
        j->points[j->count++] = &c->corner[k];
    for (uint32_t k = 0; k < c->kept_count; k++)
        j->points[j->count++] = &c->kept[k];
    if (more)
        j->points[j->count++] = more;
    g.columns = j->count;
    for (uint32_t m = g.columns; m-- > 0;) {
        ref_real least = HUGE_VALL;
        for (uint32_t k = 0; k < g.rows; k++) {
            const probe *at = &c->corner[k % b->corners_of_cell];
            g.along[k][m] = ref_inner(at->d, j->points[m]->s[k / b->corners_of_cell]) * at->inverse;
            least = lesser(least, g.along[k][m]);
            high = larger(high, g.along[k][m]);
        }
        j->bound = larger(j->bound, least);
        low = lesser(low, least);
    }
    if (j->bound < enough && high > low)
        j->bound = larger(j->bound, ref_game_play(&g, low, high, j->mix, j->weight));
    return j->bound >= enough;
}

/* ---- cells ---- */

/* The points that count most. In space corners are left out, for want of room: a part has one of them. */
static void keep(const branch *b, const judged *j, cell *kept)
{
    const uint32_t first = b->corners_of_cell == 2 ? 0 : b->corners_of_cell;
    ref_real last = HUGE_VALL;
    kept->kept_count = 0;
    while (kept->kept_count < b->room) {
        uint32_t best = j->count;
        for (uint32_t m = first; m < j->count; m++)
            if (j->weight[m] > 0 && j->weight[m] < last && (best == j->count || j->weight[m] > j->weight[best]))
                best = m;
        if (best == j->count)
            return;
        last = j->weight[best];
        kept->kept[kept->kept_count++] = *j->points[best];
    }
}

static cell *push_part(branch *b, const cell *kept)
{
    cell *part = push(&b->next);
    part->kept_count = kept->kept_count;
    memcpy(part->kept, kept->kept, sizeof part->kept);
    return part;
}

/* By its corners in the order of the bits of their numbers. */
static void split(branch *b, const cell *c, const probe *centre, const cell *kept)
{
    if (b->corners_of_cell == 2) {
        for (int half = 0; half < 2; half++) {
            cell *part = push_part(b, kept);
            part->corner[half] = c->corner[half];
            part->corner[1 - half] = *centre;
        }
        return;
    }
    probe side[4]; /* low v, high v, low u, high u */
    middle(b, &c->corner[0], &c->corner[1], &side[0]);
    middle(b, &c->corner[2], &c->corner[3], &side[1]);
    middle(b, &c->corner[0], &c->corner[2], &side[2]);
    middle(b, &c->corner[1], &c->corner[3], &side[3]);
    for (int part = 0; part < 4; part++) {
        cell *quarter = push_part(b, kept);
        quarter->corner[part] = c->corner[part];
        quarter->corner[part ^ 1] = side[part >> 1];
        quarter->corner[part ^ 2] = side[2 + (part & 1)];
        quarter->corner[part ^ 3] = *centre;
    }
}

static void turn_frame(branch *b)
{
    const uint32_t dim = b->curved->dim;
    const ref_real *normal = b->depth->normal;
    ref_real *up = b->frame[dim - 1], *first = b->frame[0];
    for (int k = 0; k < 3; k++)
        up[k] = -normal[k];
    if (dim == 2) {
        first[0] = up[1];
        first[1] = -up[0];
        first[2] = b->frame[2][0] = b->frame[2][1] = 0;
        b->frame[2][2] = 1;
    } else {
        ref_across(up, first, b->frame[1]);
    }
}

static void start(branch *b)
{
    const uint32_t dim = b->curved->dim;
    turn_frame(b);
    b->now.count = b->next.count = 0;
    for (uint32_t face = 0; face < 2 * dim; face++) {
        cell *c = push(&b->next);
        c->kept_count = 0;
        for (uint32_t k = 0; k < b->corners_of_cell; k++) {
            probe *p = &c->corner[k];
            p->d[2] = 0;
            for (uint32_t m = 0; m + 1 < dim; m++)
                p->d[(face / 2 + 1 + m) % dim] = k >> m & 1 ? 1 : -1;
            p->d[face / 2] = face & 1 ? 1 : -1;
            look(b, p);
        }
    }
}

/* What is left when the cap is reached: no more corners, but their bounds. */
static void give_up(branch *b, uint32_t from)
{
    judged j;
    for (uint32_t k = from; k < b->now.count; k++) {
        judge(b, &b->now.at[k], NULL, b->depth->highest, &j);
        b->depth->lowest = lesser(b->depth->lowest, j.bound);
    }
    for (uint32_t k = 0; k < b->next.count; k++) {
        judge(b, &b->next.at[k], NULL, b->depth->highest, &j);
        b->depth->lowest = lesser(b->depth->lowest, j.bound);
    }
    b->depth->capped = true;
}

/* The lowest direction by what is known of the cell, if that is none of its corners. */
static bool inner(branch *b, const cell *c, const ref_real mix[REF_GAME_ROWS], probe *within)
{
    ref_real sum = 0, most = 0;
    memset(within->d, 0, sizeof within->d);
    for (uint32_t k = 0; k < b->corners_of_cell; k++) {
        const ref_real share = (mix[k] + (b->signs == 2 ? mix[k + 2] : 0)) * c->corner[k].inverse;
        sum += share;
        most = larger(most, share);
        for (int m = 0; m < 3; m++)
            within->d[m] += share * c->corner[k].d[m];
    }
    if (!(most < 0.999L * sum))
        return false;
    for (int m = 0; m < 3; m++)
        within->d[m] /= sum;
    look(b, within);
    return true;
}

/* One level of cells. */
static void level(branch *b)
{
    const cells swap = b->now;
    b->now = b->next;
    b->next = swap;
    b->next.count = 0;
    for (uint32_t k = 0; k < b->now.count; k++) {
        const cell c = b->now.at[k];
        probe within, centre, *inside = NULL;
        judged j;
        if (judge(b, &c, NULL, b->depth->highest - b->width, &j))
            continue;
        if (b->depth->corners >= b->most || ref_effort_over()) {
            give_up(b, k);
            b->next.count = 0;
            return;
        }
        if (inner(b, &c, j.mix, &within)) {
            inside = &within;
            if (judge(b, &c, inside, b->depth->highest - b->width, &j))
                continue;
        }
        cell kept;
        keep(b, &j, &kept);
        middle(b, &c.corner[0], &c.corner[b->corners_of_cell - 1], &centre);
        if (inside || !judge(b, &c, &centre, b->depth->highest - b->width, &j))
            split(b, &c, &centre, &kept);
    }
}

void ref_curved_depth(const ref_curved *curved, ref_real width, uint32_t most, ref_depth *depth)
{
    branch b = {.curved = curved, .width = width, .most = most, .depth = depth,
                .corners_of_cell = curved->dim == 2 ? 2 : 4, .room = curved->dim == 2 ? KEPT : KEPT - 2, .signs = curved->lean > 0 ? 2 : 1};
    depth->lowest = HUGE_VALL;
    start(&b);
    for (int deep = 0; deep < LEVELS && b.next.count > 0; deep++)
        level(&b);
    if (b.next.count > 0) {
        b.now.count = 0;
        give_up(&b, 0);
    }
    depth->lowest = lesser(depth->lowest, depth->highest - width);
    free(b.now.at);
    free(b.next.at);
}
