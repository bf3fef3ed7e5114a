/* Convex polygons, segments and points in long double: hulls, clipping, areas, distances, and the four best corners. */
#include "grading/manifold/manifold.h"

#include <math.h>
#include <string.h>

#include "grading/bounds_private.h"

static real turn(const real p[2], const real q[2], const real r[2])
{
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

static int before(const real p[2], const real q[2])
{
    return p[0] < q[0] || (p[0] == q[0] && p[1] < q[1]);
}

/* By insertion: there are few. */
static void sort(gjb_flat *flat)
{
    for (uint32_t k = 1; k < flat->count; k++) {
        real own[2] = {flat->at[k][0], flat->at[k][1]};
        uint32_t at = k;
        for (; at > 0 && before(own, flat->at[at - 1]); at--)
            memcpy(flat->at[at], flat->at[at - 1], sizeof own);
        memcpy(flat->at[at], own, sizeof own);
    }
}

/* Andrew's monotone chain (1979). */
void gjb_flat_hull(gjb_flat *flat)
{
    real hull[2 * GJB_FLAT_ROOM + 2][2];
    uint32_t count = 0;
    if (flat->count < 2)
        return;
    sort(flat);
    if (!before(flat->at[0], flat->at[flat->count - 1])) {
        flat->count = 1;
        return;
    }
    for (int upper = 0; upper < 2; upper++) {
        const uint32_t first = count;
        for (uint32_t k = 0; k < flat->count; k++) {
            const real *next = flat->at[upper ? flat->count - 1 - k : k];
            while (count >= first + 2 && !(turn(hull[count - 2], hull[count - 1], next) > 0))
                count--;
            if (count == first || hull[count - 1][0] != next[0] || hull[count - 1][1] != next[1])
                memcpy(hull[count++], next, sizeof hull[0]);
        }
        count--;
    }
    memcpy(flat->at, hull, count * sizeof hull[0]);
    flat->count = count;
}

real gjb_line_at(const gjb_flat_line *line, const real point[2], real near)
{
    return line->by[0] * point[0] + line->by[1] * point[1] + line->by[2] + line->grown * near;
}

int gjb_flat_clip(gjb_flat *flat, const gjb_flat_line *line, real near)
{
    real value[GJB_FLAT_ROOM], out[GJB_FLAT_ROOM][2];
    uint32_t count = 0, within = 0;
    for (uint32_t k = 0; k < flat->count; k++) {
        value[k] = gjb_line_at(line, flat->at[k], near);
        within += value[k] >= 0;
    }
    if (within == flat->count)
        return 0;
    for (uint32_t k = 0; k < flat->count; k++) {
        const uint32_t next = k + 1 < flat->count ? k + 1 : 0;
        if (count + 2 > GJB_FLAT_ROOM)
            return -1;
        if (value[k] >= 0)
            memcpy(out[count++], flat->at[k], sizeof out[0]);
        if ((value[k] > 0 && value[next] < 0) || (value[k] < 0 && value[next] > 0)) {
            const real along = value[k] / (value[k] - value[next]);
            for (int m = 0; m < 2; m++)
                out[count][m] = flat->at[k][m] + (flat->at[next][m] - flat->at[k][m]) * along;
            count++;
        }
    }
    memcpy(flat->at, out, count * sizeof out[0]);
    flat->count = count;
    return 0;
}

real gjb_flat_area(const gjb_flat *flat)
{
    real sum = 0;
    for (uint32_t k = 2; k < flat->count; k++)
        sum += turn(flat->at[0], flat->at[k - 1], flat->at[k]);
    return 0.5L * sum;
}

static real apart(const real p[2], const real q[2])
{
    const real x = q[0] - p[0], y = q[1] - p[1];
    return sqrtl(x * x + y * y);
}

real gjb_flat_perimeter(const gjb_flat *flat)
{
    real sum = 0;
    for (uint32_t k = 0; k < flat->count; k++)
        sum += apart(flat->at[k], flat->at[k + 1 < flat->count ? k + 1 : 0]);
    return sum;
}

/* The point of the segment that is nearest. */
static void nearest_on(const real p[2], const real q[2], const real x[2], real out[2])
{
    const real way[2] = {q[0] - p[0], q[1] - p[1]}, to[2] = {x[0] - p[0], x[1] - p[1]};
    const real along = way[0] * to[0] + way[1] * to[1], whole = way[0] * way[0] + way[1] * way[1];
    const real t = along <= 0 || whole <= 0 ? 0 : along >= whole ? 1 : along / whole;
    for (int m = 0; m < 2; m++)
        out[m] = p[m] + t * way[m];
}

real gjb_flat_distance(const gjb_flat *flat, const real point[2])
{
    real least = INFINITY;
    int within = flat->count > 2;
    for (uint32_t k = 0; k < flat->count; k++) {
        const real *p = flat->at[k], *q = flat->at[k + 1 < flat->count ? k + 1 : 0];
        real near[2];
        within = within && turn(p, q, point) >= 0;
        nearest_on(p, q, point, near);
        least = fminl(least, apart(near, point));
    }
    return within ? 0 : least;
}

static void line_through(gjb_flat_line *line, const real at[2], real x, real y)
{
    const real length = sqrtl(x * x + y * y);
    *line = (gjb_flat_line){{x / length, y / length, 0}, 1, 0};
    line->by[2] = -(line->by[0] * at[0] + line->by[1] * at[1]);
}

static uint32_t box_lines(const gjb_flat *hull, gjb_flat_line *lines)
{
    for (int way = 0; way < 4; way++) {
        const int axis = way / 2, up = way % 2;
        uint32_t end = 0;
        for (uint32_t k = 1; k < hull->count; k++)
            if (up ? hull->at[k][axis] > hull->at[end][axis] : hull->at[k][axis] < hull->at[end][axis])
                end = k;
        line_through(&lines[way], hull->at[end], axis ? 0 : up ? -1 : 1, axis ? up ? -1 : 1 : 0);
    }
    return 4;
}

uint32_t gjb_flat_lines(const gjb_flat *hull, gjb_flat_line *lines)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < hull->count && hull->count > 1; k++) {
        const real *p = hull->at[k], *q = hull->at[k + 1 < hull->count ? k + 1 : 0];
        if (p[0] != q[0] || p[1] != q[1])
            line_through(&lines[count++], p, p[1] - q[1], q[0] - p[0]);
    }
    for (uint32_t end = 0; end < 2 && hull->count == 2; end++) {
        const real *p = hull->at[end], *q = hull->at[!end];
        line_through(&lines[count++], p, q[0] - p[0], q[1] - p[1]);
    }
    return hull->count == 2 ? count : count + box_lines(hull, lines + count);
}

real gjb_flat_diagonal(const gjb_flat *flat, uint32_t end[2])
{
    real longest = 0;
    end[0] = end[1] = 0;
    for (uint32_t i = 0; i < flat->count; i++)
        for (uint32_t k = 0; k < i; k++) {
            const real far = apart(flat->at[i], flat->at[k]);
            if (far <= longest)
                continue;
            longest = far;
            end[0] = i;
            end[1] = k;
        }
    return longest;
}

void gjb_flat_extent(const gjb_flat *flat, const real way[2], real range[2])
{
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (uint32_t k = 0; k < flat->count; k++) {
        const real at = way[0] * flat->at[k][0] + way[1] * flat->at[k][1];
        range[0] = fminl(range[0], at);
        range[1] = fmaxl(range[1], at);
    }
}

int gjb_flat_shrink(gjb_flat *flat, real by)
{
    gjb_flat_line line[GJB_FLAT_ROOM + 4];
    for (uint32_t k = 0, count = gjb_flat_lines(flat, line) - 4; k < count; k++)
        if (gjb_flat_clip(flat, &line[k], -by))
            return -1;
    return 0;
}

/* The corner from `at` on, before `end`, that is farthest from the line through i and j; indices count around. */
static uint32_t farthest(const gjb_flat *p, uint32_t i, uint32_t j, uint32_t at, uint32_t end, real *area)
{
    const real *from = p->at[i % p->count], *to = p->at[j % p->count];
    *area = fabsl(turn(from, p->at[at % p->count], to));
    for (; at + 1 < end; at++) {
        const real next = fabsl(turn(from, p->at[(at + 1) % p->count], to));
        if (next < *area)
            break;
        *area = next;
    }
    return at;
}

/* A diagonal of the four begins at a deep corner; as its end goes on, so does what is farthest on either side. */
real gjb_flat_best(const gjb_flat *p, const uint8_t *deep, uint32_t best[4])
{
    real most = -1;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t k = i + 1, l = i + 3;
        for (uint32_t j = i + 2; deep[i] && j < i + p->count - 1; j++) {
            real left, right;
            k = farthest(p, i, j, k, j, &left);
            l = farthest(p, i, j, l > j ? l : j + 1, i + p->count, &right);
            if (left + right <= most)
                continue;
            most = left + right;
            const uint32_t chosen[4] = {i, k, j, l};
            for (int m = 0; m < 4; m++)
                best[m] = chosen[m] % p->count;
        }
    }
    return 0.5L * most;
}

int gjb_flat_frame_open(gjb_flat_frame *frame, const double normal[3])
{
    int least = 0;
    for (int m = 0; m < 3; m++) {
        frame->n[m] = normal[m];
        least = fabs(normal[m]) < fabs(normal[least]) ? m : least;
    }
    const real axis[3] = {least == 0, least == 1, least == 2};
    if (!gjb_normalise3(frame->n))
        return -1;
    gjb_cross3(frame->n, axis, frame->e);
    gjb_normalise3(frame->e);
    gjb_cross3(frame->n, frame->e, frame->f);
    return 0;
}

void gjb_flat_of(const gjb_flat_frame *frame, const real point[3], real out[2])
{
    out[0] = gjb_dot3(frame->e, point);
    out[1] = gjb_dot3(frame->f, point);
}
