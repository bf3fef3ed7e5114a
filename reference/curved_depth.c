/* Branch and bound over directions.
 *
 * h(m) = max m.w over D, for unit m = -n; the depth is the least h. Directions are cells of the six faces of a
 * cube about the normal that is the best so far (in the plane the four sides of a square): a cell is the cone
 * of its corners d, and for a point s of D and t >= 0 the directions with m.s >= t |m| are a convex cone. So if
 * d.s >= t |d| at a cell's corners, h >= t all over it. The point is the best combination of the support points at the
 * corners, and later at the centre: a game that a small linear program solves, but which it solves badly is
 * only a lower bound that is lower. On smooth shapes and at kinks alike the bound falls short by the square of the
 * cell's width, near the least h, so that every level of cells, of half the width, has about as many left as
 * the one before. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/curved.h"

enum { LEVELS = 62, POLISH = 8, RESTARTS = 6, CORNERS = 4, KEPT = 2, POINTS = CORNERS + KEPT + 1 };

/* A direction of the cube, and the support point there, both along the axes of the cube. */
typedef struct probe {
    ref_real d[3], inverse; /* inverse of |d| */
    ref_real s[3], height;  /* h */
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
    uint32_t corners_of_cell;
    bool better; /* than the cube's normal is another one */
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

/* Height of D along the unit direction -n, and the point. */
static ref_real height(branch *b, const ref_real n[3], ref_real w[3])
{
    const ref_corner c = ref_curved_corner(b->curved, n);
    for (int k = 0; k < 3; k++) {
        w[k] = c.w[k];
    }
    b->depth->corners++;
    return -ref_inner(n, w);
}

static void look(branch *b, probe *p)
{
    ref_real n[3], w[3];
    for (int k = 0; k < 3; k++) {
        n[k] = -(p->d[0] * b->frame[0][k] + p->d[1] * b->frame[1][k] + p->d[2] * b->frame[2][k]);
    }
    p->inverse = 1 / ref_unit(n, n);
    p->height = height(b, n, w);
    for (int k = 0; k < 3; k++) {
        p->s[k] = ref_inner(b->frame[k], w);
    }
    if (p->height < b->depth->highest) {
        b->better = b->better || p->height < b->depth->highest - 0.25L * b->width;
        b->depth->highest = p->height;
        memcpy(b->depth->normal, n, sizeof n);
    }
}

static void middle(branch *b, const probe *p, const probe *q, probe *out)
{
    for (int k = 0; k < 3; k++) {
        out->d[k] = (p->d[k] + q->d[k]) / 2;
    }
    look(b, out);
}

/* ---- the bound of a cell ---- */

typedef struct game {
    ref_real along[CORNERS][POINTS]; /* of point j along corner k */
    uint32_t rows, columns;
} game;

static ref_real worst(const game *g, const ref_real weight[POINTS])
{
    ref_real least = HUGE_VALL;
    for (uint32_t k = 0; k < g->rows; k++) {
        ref_real sum = 0;
        for (uint32_t j = 0; j < g->columns; j++) {
            sum += weight[j] * g->along[k][j];
        }
        least = lesser(least, sum);
    }
    return least;
}

/* Weights of the points that are best against all corners (von Neumann's game as a linear program, by the simplex
 * method: Dantzig 1951): max sum x with G' x <= 1 over the corners; the weights are its dual. `mix` of the corners is
 * the direction that is lowest in the hull of the points: at a kink of h, the kink. Whoever solves it, `worst` judges. */
static ref_real play(const game *g, ref_real low, ref_real high, ref_real mix[CORNERS], ref_real weight[POINTS])
{
    enum { COLUMNS = CORNERS + POINTS + 1 };
    double tableau[POINTS + 1][COLUMNS] = {{0}};
    ref_real sum = 0;
    const uint32_t n = g->rows, m = g->columns, last = n + m;
    uint32_t basis[POINTS];
    for (uint32_t j = 0; j < m; j++) {
        basis[j] = n + j;
        for (uint32_t k = 0; k < n; k++) {
            tableau[j][k] = 1 + (double)((g->along[k][j] - low) / (high - low));
        }
        tableau[j][n + j] = tableau[j][last] = 1;
    }
    for (uint32_t k = 0; k < n; k++) {
        tableau[m][k] = -1;
    }
    for (int pivots = 0; pivots < 16; pivots++) {
        uint32_t enter = 0, leave = m;
        for (uint32_t c = 1; c < last; c++) {
            enter = tableau[m][c] < tableau[m][enter] ? c : enter;
        }
        if (!(tableau[m][enter] < -0x1p-40)) {
            break;
        }
        for (uint32_t j = 0; j < m; j++) {
            if (tableau[j][enter] > 0x1p-40 &&
                (leave == m || tableau[j][last] * tableau[leave][enter] < tableau[leave][last] * tableau[j][enter])) {
                leave = j;
            }
        }
        if (leave == m) {
            break;
        }
        const double pivot = tableau[leave][enter];
        basis[leave] = enter;
        for (uint32_t c = 0; c <= last; c++) {
            tableau[leave][c] /= pivot;
        }
        for (uint32_t j = 0; j <= m; j++) {
            const double factor = j == leave ? 0 : tableau[j][enter];
            for (uint32_t c = 0; c <= last && factor != 0; c++) {
                tableau[j][c] -= factor * tableau[leave][c];
            }
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        mix[k] = 0;
    }
    for (uint32_t j = 0; j < m; j++) {
        weight[j] = larger(tableau[m][n + j], 0);
        sum += weight[j];
        if (basis[j] < n) {
            mix[basis[j]] = larger(tableau[j][last], 0);
        }
    }
    for (uint32_t j = 0; j < m; j++) {
        weight[j] /= sum;
    }
    return sum > 0 ? worst(g, weight) : low;
}

/* What is known of a cell: all points to hand, the bound, and what its game came to. */
typedef struct judged {
    const probe *points[POINTS];
    uint32_t count;
    ref_real bound;
    ref_real mix[CORNERS], weight[POINTS];
} judged;

/* h is at least `bound` over the cell, `more` (or NULL) a probe within; 0 where nothing is proven, which it is of a D
 * that holds the origin. Enough is enough, and leaves the game unplayed. */
static bool judge(const branch *b, const cell *c, const probe *more, ref_real enough, judged *j)
{
    game g = {.rows = b->corners_of_cell};
    ref_real low = HUGE_VALL, high = -HUGE_VALL;
    *j = (judged){.bound = 0};
    for (uint32_t k = 0; k < b->corners_of_cell; k++) {
        j->points[j->count++] = &c->corner[k];
    }
    for (uint32_t k = 0; k < c->kept_count; k++) {
        j->points[j->count++] = &c->kept[k];
    }
    if (more) {
        j->points[j->count++] = more;
    }
    g.columns = j->count;
    for (uint32_t m = g.columns; m-- > 0;) {
        ref_real least = HUGE_VALL;
        for (uint32_t k = 0; k < g.rows; k++) {
            g.along[k][m] = ref_inner(c->corner[k].d, j->points[m]->s) * c->corner[k].inverse;
            least = lesser(least, g.along[k][m]);
            high = larger(high, g.along[k][m]);
        }
        j->bound = larger(j->bound, least);
        low = lesser(low, least);
    }
    if (j->bound < enough && high > low) {
        j->bound = larger(j->bound, play(&g, low, high, j->mix, j->weight));
    }
    return j->bound >= enough;
}

/* ---- cells ---- */

/* The two points that count most, corners left out. */
static void keep(const branch *b, const judged *j, cell *kept)
{
    ref_real last = HUGE_VALL;
    kept->kept_count = 0;
    while (kept->kept_count < KEPT) {
        uint32_t best = j->count;
        for (uint32_t m = b->corners_of_cell; m < j->count; m++) {
            if (j->weight[m] > 0 && j->weight[m] < last &&
                (best == j->count || j->weight[m] > j->weight[best])) {
                best = m;
            }
        }
        if (best == j->count) {
            return;
        }
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
    int least = 0;
    for (uint32_t k = 1; k < dim; k++) {
        least = fabsl(normal[k]) < fabsl(normal[least]) ? (int)k : least;
    }
    ref_real other[3] = {0}, *up = b->frame[dim - 1], *first = b->frame[0];
    for (int k = 0; k < 3; k++) {
        up[k] = -normal[k];
    }
    if (dim == 2) {
        first[0] = up[1];
        first[1] = -up[0];
        first[2] = b->frame[2][0] = b->frame[2][1] = 0;
        b->frame[2][2] = 1;
    } else {
        other[least] = 1;
        ref_cross(first, other, up);
        ref_unit(first, first);
        ref_cross(b->frame[1], up, first);
    }
}

static void start(branch *b)
{
    const uint32_t dim = b->curved->dim;
    turn_frame(b);
    b->now.count = b->next.count = 0;
    b->better = false;
    for (uint32_t face = 0; face < 2 * dim; face++) {
        cell *c = push(&b->next);
        c->kept_count = 0;
        for (uint32_t k = 0; k < b->corners_of_cell; k++) {
            probe *p = &c->corner[k];
            p->d[2] = 0;
            for (uint32_t m = 0; m + 1 < dim; m++) {
                p->d[(face / 2 + 1 + m) % dim] = k >> m & 1 ? 1 : -1;
            }
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

/* The lowest direction by what is known of the cell, where that is none of its corners. */
static bool inner(branch *b, const cell *c, const ref_real mix[CORNERS], probe *within)
{
    ref_real sum = 0, most = 0;
    memset(within->d, 0, sizeof within->d);
    for (uint32_t k = 0; k < b->corners_of_cell; k++) {
        const ref_real share = mix[k] * c->corner[k].inverse;
        sum += share;
        most = larger(most, share);
        for (int m = 0; m < 3; m++) {
            within->d[m] += share * c->corner[k].d[m];
        }
    }
    if (!(most < 0.999L * sum)) {
        return false;
    }
    for (int m = 0; m < 3; m++) {
        within->d[m] /= sum;
    }
    look(b, within);
    return true;
}

/* One level of cells, in a cube about the normal; true where another normal is better by so much that
 * a cube about that one has fewer. */
static bool level(branch *b, bool restart)
{
    const cells swap = b->now;
    b->now = b->next;
    b->next = swap;
    b->next.count = 0;
    for (uint32_t k = 0; k < b->now.count; k++) {
        const cell c = b->now.at[k];
        probe within, centre, *inside = NULL;
        judged j;
        if (judge(b, &c, NULL, b->depth->highest - b->width, &j)) {
            continue;
        }
        if (b->depth->corners >= b->most) {
            give_up(b, k);
            b->next.count = 0;
            return false;
        }
        if (inner(b, &c, j.mix, &within)) {
            inside = &within;
            if (judge(b, &c, inside, b->depth->highest - b->width, &j)) {
                continue;
            }
        }
        cell kept;
        keep(b, &j, &kept);
        middle(b, &c.corner[0], &c.corner[b->corners_of_cell - 1], &centre);
        if (inside || !judge(b, &c, &centre, b->depth->highest - b->width, &j)) {
            split(b, &c, &centre, &kept);
        }
    }
    return restart && b->better;
}

/* ---- a better normal ---- */

/* Newton's method on the tangent plane, the second derivatives (those of a support function: radii of curvature, less
 * the height for the sphere) by differences of support points. Keeps only what is lower. */
static bool newton(branch *b)
{
    const ref_real step = 0x1p-18L;
    ref_real *normal = b->depth->normal, w[3], there[2][3], g[2], r[2][2], n[3], delta[2];
    const ref_real h = height(b, normal, w);
    const uint32_t ways = b->curved->dim - 1;
    turn_frame(b);
    for (uint32_t i = 0; i < ways; i++) {
        for (int k = 0; k < 3; k++) {
            n[k] = normal[k] - step * b->frame[i][k];
        }
        ref_unit(n, n);
        height(b, n, there[i]);
        g[i] = ref_inner(b->frame[i], w);
    }
    for (uint32_t i = 0; i < ways; i++) {
        for (uint32_t j = 0; j < ways; j++) {
            r[i][j] = (ref_inner(b->frame[i], there[j]) - g[i]) / step - (i == j ? h : 0);
        }
    }
    if (ways == 1) {
        delta[0] = -g[0] / r[0][0];
        delta[1] = 0;
    } else {
        const ref_real cross = (r[0][1] + r[1][0]) / 2, det = r[0][0] * r[1][1] - cross * cross;
        delta[0] = -(g[0] * r[1][1] - g[1] * cross) / det;
        delta[1] = -(g[1] * r[0][0] - g[0] * cross) / det;
        if (!(det > 0)) {
            return false;
        }
    }
    if (!(r[0][0] > 0 && delta[0] * delta[0] + delta[1] * delta[1] < 0.25L)) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        n[k] = normal[k] - delta[0] * b->frame[0][k] - (ways == 2 ? delta[1] * b->frame[1][k] : 0);
    }
    ref_unit(n, n);
    const ref_real found = height(b, n, w);
    const bool lower = found < h;
    if (lower) {
        b->depth->highest = lesser(b->depth->highest, found);
        memcpy(normal, n, sizeof n);
    }
    return found < h - 0x1p-6L * b->width;
}

void ref_curved_depth(const ref_curved *curved, ref_real width, uint32_t most, ref_depth *depth)
{
    branch b = {.curved = curved, .width = width, .most = most, .depth = depth,
                .corners_of_cell = curved->dim == 2 ? 2 : 4};
    for (int restarts = 0;; restarts++) {
        for (int k = 0; k < POLISH && newton(&b); k++) {
        }
        start(&b);
        depth->lowest = HUGE_VALL;
        bool again = false;
        for (int deep = 0; deep < LEVELS && b.next.count > 0 && !again; deep++) {
            again = level(&b, restarts < RESTARTS && deep < 6);
        }
        if (again) {
            continue;
        }
        if (b.next.count > 0) {
            b.now.count = 0;
            give_up(&b, 0);
        }
        break;
    }
    depth->lowest = lesser(depth->lowest, depth->highest - width);
    free(b.now.at);
    free(b.next.at);
}
