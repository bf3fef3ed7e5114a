/* Which vertices of a shape are extreme along a normal within the angle, in long double, and their heights.
 *
 * A direction n + t, t across n, is in the normal cone of v if h + w.t <= 0 for all other vertices, which are w away
 * across n and h higher. So v is extreme within the angle if these half-planes have a point in common that is within
 * tan(angle) of the origin. The nearest one is found by an active set of at most two of them, twice: with all h a
 * little more, where the point that comes out is tried on each half-plane and proves that v is extreme; and with all
 * h a little less, where a sum of three half-planes at most proves that there is no such point. What neither proves
 * is in doubt.
 *
 * Only a vertex that is lower than the top by no more than the slope tan(angle) over its way across can be extreme,
 * and only such that are little lower than that can matter: most vertices are left out by their height alone, in
 * double. */
#include "grading/manifold.h"

#include <float.h>
#include <math.h>

#include "grading/bounds_private.h"

/* tan of the angle whose sine is REF_PATCH_SINE. */
static const real slope = 0.0156269076979498474365L;

enum { NEAR_ROOM = 256 }; /* vertices that may matter */

typedef struct near_top {
    uint32_t count, top;
    real at[NEAR_ROOM][3]; /* about the shape's own origin */
    real doubt;            /* of any of these numbers */
} near_top;

typedef struct local_frame {
    real axis[3][3]; /* e, f and outward, in the axes of the shape */
    real offset[3];  /* of its origin along e, f and n */
} local_frame;

static void turn_of(const gjb_placed_pair *placed, int side, real turn[3][3], real offset[3])
{
    if (placed->pair->dim == 3) {
        const gjb_placed3 *own = &placed->space[side];
        for (int i = 0; i < 3; i++) {
            offset[i] = own->offset[i];
            for (int k = 0; k < 3; k++)
                turn[i][k] = own->turn[i][k];
        }
        return;
    }
    real q[4];
    gjb_turned_at(placed->whose, side, placed->time, q);
    const real flat[3][3] = {{q[0], -q[1], 0}, {q[1], q[0], 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        offset[i] = 0;
        for (int k = 0; k < 3; k++)
            turn[i][k] = flat[i][k];
    }
    if (side)
        gjb_offset_at(placed->whose, placed->time, offset);
}

static void local_frame_open(local_frame *local, const gjb_placed_pair *placed, const gjb_flat_frame *frame, int side)
{
    real turn[3][3], offset[3];
    const real *const axes[3] = {frame->e, frame->f, frame->n};
    turn_of(placed, side, turn, offset);
    for (int m = 0; m < 3; m++) {
        const real sign = m == 2 && side ? -1 : 1;
        local->offset[m] = gjb_dot3(axes[m], offset);
        for (int k = 0; k < 3; k++)
            local->axis[m][k] = sign * (turn[0][k] * axes[m][0] + turn[1][k] * axes[m][1] + turn[2][k] * axes[m][2]);
    }
}

static double along(const double n[3], const double *v, int dim)
{
    return dim == 3 ? n[0] * v[0] + n[1] * v[1] + n[2] * v[2] : n[0] * v[0] + n[1] * v[1];
}

/* Vertices that may be extreme, or keep others from being so. Those left out are more than twice the slope times the
 * width of the shape below the top: one below a vertex that may be extreme by more than once of it. */
static int find_near_top(near_top *near, const local_frame *local, const double *v, uint32_t count, int dim)
{
    const double n[3] = {(double)local->axis[2][0], (double)local->axis[2][1], (double)local->axis[2][2]};
    double top = -INFINITY, reach = 0;
    for (uint32_t i = 0; i < count; i++)
        top = fmax(top, along(n, v + (size_t)i * (size_t)dim, dim));
    for (uint32_t k = 0; k < count * (uint32_t)dim; k++)
        reach = fmax(reach, fabs(v[k]));
    const double stretch = dim == 3 ? 1 : hypot(n[0], n[1]); /* rotations of the plane are taken as stored */
    near->doubt = 64 * LDBL_EPSILON * (real)reach * stretch;
    /* The width is at most 2 sqrt 3 of the reach. */
    const double bar = top - (2 * 0.015627 * 3.4642 + 64 * DBL_EPSILON) * reach * stretch;
    near->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double *own = v + (size_t)i * (size_t)dim;
        if (along(n, own, dim) < bar)
            continue;
        if (near->count == NEAR_ROOM)
            return -1;
        for (int m = 0; m < 3; m++) {
            real sum = local->axis[m][0] * own[0] + local->axis[m][1] * own[1];
            near->at[near->count][m] = dim == 3 ? sum + local->axis[m][2] * own[2] : sum;
        }
        if (near->count == 0 || near->at[near->count][2] > near->at[near->top][2])
            near->top = near->count;
        near->count++;
    }
    return 0;
}

/* --- One vertex ------------------------------------------------------------------------------ */

/* The half-planes of a vertex: w.t <= -h. Those of vertices in the same place say nothing. */
typedef struct half_planes {
    uint32_t count;
    real w[NEAR_ROOM][3]; /* the third: h */
} half_planes;

static void set_half_planes(half_planes *all, const near_top *near, uint32_t vertex)
{
    all->count = 0;
    for (uint32_t k = 0; k < near->count; k++) {
        real *w = all->w[all->count];
        gjb_sub3(near->at[k], near->at[vertex], w);
        all->count += w[0] != 0 || w[1] != 0 || w[2] != 0;
    }
}

/* The point nearest to the origin so far, and the half-planes that keep it away, with their weights:
 * t = -sum of weight w. */
typedef struct nearest_tilt {
    real t[2];
    int active;
    real w[3][3], weight[3];
} nearest_tilt;

static real sum_at(const real w[3], const real t[2])
{
    return w[2] + w[0] * t[0] + w[1] * t[1];
}

static int tilt_holds(const nearest_tilt *tilt, const real t[2], int count, int but, int but_too, real small)
{
    for (int k = 0; k < count; k++)
        if (k != but && k != but_too && sum_at(tilt->w[k], t) > small)
            return 0;
    return 1;
}

static void take(nearest_tilt *tilt, int first, int second)
{
    for (int m = 0; m < 3; m++) {
        const real p = tilt->w[first][m], q = second < 0 ? 0 : tilt->w[second][m];
        tilt->w[0][m] = p;
        tilt->w[1][m] = q;
    }
    tilt->active = second < 0 ? 1 : 2;
}

/* The nearest point of the active half-planes and the one that joins, which is the last. 0 if there is none: weights
 * are then those of a sum that has no slope. */
static int join(nearest_tilt *tilt, real small)
{
    const int joins = tilt->active, count = joins + 1;
    const real *w = tilt->w[joins];
    const real square = w[0] * w[0] + w[1] * w[1];
    if (!(square > 0)) { /* straight above */
        take(tilt, joins, -1);
        tilt->weight[0] = 1;
        return 0;
    }
    {
        const real weight = w[2] / square, t[2] = {-weight * w[0], -weight * w[1]};
        if (tilt_holds(tilt, t, count, joins, -1, small)) {
            tilt->t[0] = t[0];
            tilt->t[1] = t[1];
            take(tilt, joins, -1);
            tilt->weight[0] = weight;
            return 1;
        }
    }
    for (int other = 0; other < joins; other++) {
        const real *v = tilt->w[other];
        const real turn = w[0] * v[1] - w[1] * v[0];
        if (turn == 0)
            continue;
        const real t[2] = {(w[1] * v[2] - w[2] * v[1]) / turn, (w[2] * v[0] - w[0] * v[2]) / turn};
        const real own = (v[0] * t[1] - v[1] * t[0]) / turn, its = (w[1] * t[0] - w[0] * t[1]) / turn;
        if (own < 0 || its < 0 || !tilt_holds(tilt, t, count, joins, other, small))
            continue;
        take(tilt, joins, other);
        tilt->t[0] = t[0];
        tilt->t[1] = t[1];
        tilt->weight[0] = own;
        tilt->weight[1] = its;
        return 1;
    }
    for (int k = 0; k < count; k++) {
        const real *p = tilt->w[(k + 1) % count], *q = tilt->w[(k + 2) % count];
        tilt->weight[k] = count < 3 ? sqrtl(p[0] * p[0] + p[1] * p[1]) : fabsl(p[0] * q[1] - p[1] * q[0]);
    }
    tilt->active = count;
    return 0;
}

/* With all h higher by `shift`. 1 if a point within the slope was found; 0 if the weights are to prove that there is
 * none. */
enum { ROUNDS = 64 };
static int find_tilt(const half_planes *all, real shift, real small, nearest_tilt *tilt)
{
    *tilt = (nearest_tilt){.active = 0};
    for (int round = 0; round < ROUNDS; round++) {
        real most = small;
        uint32_t worst = all->count;
        for (uint32_t k = 0; k < all->count; k++) {
            const real beyond = sum_at(all->w[k], tilt->t) + shift;
            if (beyond > most) {
                most = beyond;
                worst = k;
            }
        }
        if (worst == all->count)
            return 1;
        const int joins = tilt->active;
        for (int m = 0; m < 3; m++)
            tilt->w[joins][m] = all->w[worst][m] + (m == 2 ? shift : 0);
        if (!join(tilt, small) || tilt->t[0] * tilt->t[0] + tilt->t[1] * tilt->t[1] > slope * slope)
            return 0;
    }
    return 0;
}

/* A half-plane that all points of all of them are in, and that is farther from the origin than the slope. */
static int proves_none(const nearest_tilt *tilt)
{
    real sum[3] = {0, 0, 0};
    for (int k = 0; k < tilt->active; k++)
        for (int m = 0; m < 3; m++)
            sum[m] += tilt->weight[k] * tilt->w[k][m];
    return sum[2] > (1 + 0x1p-50L) * slope * sqrtl(sum[0] * sum[0] + sum[1] * sum[1]);
}

/* 1, 0, or -1 if rounding leaves a doubt. */
static int is_extreme(const near_top *near, uint32_t vertex)
{
    const real doubt = near->doubt, *s = near->at[near->top], *v = near->at[vertex];
    const real x = s[0] - v[0], y = s[1] - v[1];
    if (s[2] - v[2] > slope * sqrtl(x * x + y * y) + 4 * doubt)
        return 0;
    half_planes all;
    nearest_tilt tilt;
    set_half_planes(&all, near, vertex);
    if (find_tilt(&all, 4 * doubt, doubt, &tilt) &&
        tilt.t[0] * tilt.t[0] + tilt.t[1] * tilt.t[1] <= (1 - 0x1p-50L) * slope * slope)
        return 1;
    return !find_tilt(&all, -4 * doubt, doubt, &tilt) && proves_none(&tilt) ? 0 : -1;
}

/* --- The feature ------------------------------------------------------------------------------- */

static void add(gjb_feature *feature, const near_top *near, const local_frame *local, uint32_t vertex)
{
    real *at = feature->at[feature->count];
    const real *v = near->at[vertex];
    at[0] = v[0] + local->offset[0];
    at[1] = v[1] + local->offset[1];
    at[2] = (feature->side ? -v[2] : v[2]) + local->offset[2];
    feature->low = feature->count ? fminl(feature->low, at[2]) : at[2];
    feature->high = feature->count ? fmaxl(feature->high, at[2]) : at[2];
    feature->count++;
}

/* Of its outline; -1 in doubt: a triangle that may be flat, a segment that may be a point. */
static int dimension_of(const gjb_feature *feature, real doubt)
{
    const gjb_flat *outline = &feature->outline;
    uint32_t far = 0;
    real most = 0, across = 0;
    if (outline->count == 1)
        return 0;
    for (uint32_t k = 1; k < outline->count; k++) {
        const real length = hypotl(outline->at[k][0] - outline->at[0][0], outline->at[k][1] - outline->at[0][1]);
        if (length > most) {
            most = length;
            far = k;
        }
    }
    if (most <= 16 * doubt)
        return -1;
    const real x = (outline->at[far][0] - outline->at[0][0]) / most, y = (outline->at[far][1] - outline->at[0][1]) / most;
    for (uint32_t k = 0; k < feature->count; k++)
        across = fmaxl(across, fabsl(x * (feature->at[k][1] - outline->at[0][1]) -
                                     y * (feature->at[k][0] - outline->at[0][0])));
    return across > 16 * doubt ? 2 : across == 0 || outline->count == 2 ? 1 : -1;
}

static int set_outline(gjb_feature *feature, real doubt)
{
    feature->outline.count = feature->count;
    for (uint32_t k = 0; k < feature->count; k++)
        for (int m = 0; m < 2; m++)
            feature->outline.at[k][m] = feature->at[k][m];
    gjb_flat_hull(&feature->outline);
    feature->dimension = dimension_of(feature, doubt);
    return feature->dimension < 0 ? -1 : 0;
}

/* Vertices in doubt change nothing if they are no further out than those that are certain. */
static int doubt_matters(gjb_feature *feature, const near_top *near, const local_frame *local, const uint32_t *doubtful,
                         uint32_t count, real doubt, int dim)
{
    if (count == 0)
        return 0;
    if (feature->count == 0 || (feature->dimension < 2 && dim == 3) || gjb_feature_planes(feature, doubt))
        return 1;
    for (uint32_t k = 0; k < count; k++) {
        const real *v = near->at[doubtful[k]], at[2] = {v[0] + local->offset[0], v[1] + local->offset[1]};
        const real height = v[2] + (feature->side ? -local->offset[2] : local->offset[2]);
        const real top = (feature->side ? -1 : 1) * gjb_feature_height(feature, at);
        if (gjb_flat_distance(&feature->outline, at) > 8 * doubt || height > top + 8 * doubt)
            return 1;
    }
    return 0;
}

int gjb_feature_open(gjb_feature *feature, const gjb_placed_pair *placed, const gjb_flat_frame *frame, int side)
{
    const int dim = (int)placed->pair->dim;
    const gjb_body3 *space = side ? &placed->whose->as.space.b : &placed->whose->as.space.a;
    const gjb_body2 *plane = side ? &placed->whose->as.plane.b : &placed->whose->as.plane.a;
    const double *v = dim == 3 ? &space->vertices[0][0] : &plane->vertices[0][0];
    local_frame local;
    near_top near;
    uint32_t doubtful[NEAR_ROOM], doubts = 0;
    local_frame_open(&local, placed, frame, side);
    feature->count = feature->plane_count = 0;
    feature->side = side;
    if (find_near_top(&near, &local, v, dim == 3 ? space->count : plane->count, dim))
        return -1;
    for (uint32_t k = 0; k < near.count; k++) {
        const int extreme = is_extreme(&near, k);
        if (extreme > 0 && feature->count == GJB_FEATURE_ROOM)
            return -1;
        if (extreme > 0)
            add(feature, &near, &local, k);
        else if (extreme < 0)
            doubtful[doubts++] = k;
    }
    if (feature->count == 0 || set_outline(feature, placed->error))
        return -1;
    return doubt_matters(feature, &near, &local, doubtful, doubts, placed->error, dim) ? -1 : 0;
}

/* --- Heights -------------------------------------------------------------------------------------- */

static real plane_at(const real plane[3], const real at[2])
{
    return plane[0] * at[0] + plane[1] * at[1] + plane[2];
}

/* Through as many vertices as the outline needs; level across a segment. 0 if they do not span it. */
static int span(const gjb_feature *feature, const uint32_t *index, int needed, real plane[3])
{
    const real *p = feature->at[index[0]];
    plane[0] = plane[1] = 0;
    if (needed > 1) {
        real d[3], e[3];
        gjb_sub3(feature->at[index[1]], p, d);
        gjb_sub3(feature->at[index[needed - 1]], p, e);
        const real turn = needed == 2 ? d[0] * d[0] + d[1] * d[1] : d[0] * e[1] - d[1] * e[0];
        if (turn == 0)
            return 0;
        plane[0] = needed == 2 ? d[2] * d[0] / turn : (d[2] * e[1] - e[2] * d[1]) / turn;
        plane[1] = needed == 2 ? d[2] * d[1] / turn : (e[2] * d[0] - d[2] * e[0]) / turn;
    }
    plane[2] = p[2] - plane[0] * p[0] - plane[1] * p[1];
    return isfinite(plane[2]);
}

/* How many vertices the plane goes through; -1 if one is beyond. */
static int supports(const gjb_feature *feature, const real plane[3], real doubt)
{
    int on = 0;
    for (uint32_t k = 0; k < feature->count; k++) {
        const real beyond = (feature->side ? -1 : 1) * (feature->at[k][2] - plane_at(plane, feature->at[k]));
        if (beyond > 8 * doubt)
            return -1;
        on += beyond >= -8 * doubt;
    }
    return on;
}

static int next_choice(uint32_t *index, int needed, uint32_t count)
{
    for (int m = needed - 1; m >= 0; m--) {
        if (index[m] + (uint32_t)(needed - m) >= count)
            continue;
        index[m]++;
        for (int k = m + 1; k < needed; k++)
            index[k] = index[k - 1] + 1;
        return 1;
    }
    return 0;
}

/* Three vertices that are far apart. */
static void spread(const gjb_feature *feature, uint32_t index[3])
{
    real most[2] = {-1, -1}, d[3], e[3];
    index[0] = 0;
    for (uint32_t k = 1; k < feature->count; k++) {
        gjb_sub3(feature->at[k], feature->at[0], d);
        if (d[0] * d[0] + d[1] * d[1] > most[0]) {
            most[0] = d[0] * d[0] + d[1] * d[1];
            index[1] = k;
        }
    }
    gjb_sub3(feature->at[index[1]], feature->at[0], d);
    for (uint32_t k = 1; k < feature->count; k++) {
        gjb_sub3(feature->at[k], feature->at[0], e);
        if (fabsl(d[0] * e[1] - d[1] * e[0]) > most[1]) {
            most[1] = fabsl(d[0] * e[1] - d[1] * e[0]);
            index[2] = k;
        }
    }
}

/* Do the planes go through all vertices? */
static int complete(const gjb_feature *feature, real doubt)
{
    for (uint32_t k = 0; k < feature->count; k++)
        if (fabsl(gjb_feature_height(feature, feature->at[k]) - feature->at[k][2]) > 16 * doubt)
            return 0;
    return 1;
}

enum { TRIED = 10 }; /* vertices, for all choices of three */

int gjb_feature_planes(gjb_feature *feature, real doubt)
{
    const int needed = feature->dimension + 1;
    uint32_t index[3] = {0, 1, 2};
    if (feature->plane_count)
        return 0;
    if (needed == 3)
        spread(feature, index);
    if (span(feature, index, needed, feature->plane[0]) &&
        supports(feature, feature->plane[0], doubt) == (int)feature->count) {
        feature->plane_count = 1;
        return 0;
    }
    if (feature->count > TRIED)
        return -1;
    for (int m = 0; m < 3; m++)
        index[m] = (uint32_t)m;
    do {
        real *plane = feature->plane[feature->plane_count];
        if (!span(feature, index, needed, plane) || supports(feature, plane, doubt) < needed)
            continue;
        if (++feature->plane_count == GJB_PLANE_ROOM)
            break;
    } while (next_choice(index, needed, feature->count));
    if (feature->plane_count && feature->plane_count < GJB_PLANE_ROOM && complete(feature, doubt))
        return 0;
    feature->plane_count = 0;
    return -1;
}

static void nearest_in(const gjb_flat *outline, const real point[2], real out[2])
{
    real least = INFINITY;
    out[0] = point[0];
    out[1] = point[1];
    if (gjb_flat_distance(outline, point) == 0)
        return;
    for (uint32_t k = 0; k < outline->count; k++) {
        const real *p = outline->at[k], *q = outline->at[k + 1 < outline->count ? k + 1 : 0];
        const real d[2] = {q[0] - p[0], q[1] - p[1]}, to[2] = {point[0] - p[0], point[1] - p[1]};
        const real whole = d[0] * d[0] + d[1] * d[1], part = d[0] * to[0] + d[1] * to[1];
        const real t = part <= 0 || whole <= 0 ? 0 : part >= whole ? 1 : part / whole;
        const real x = p[0] + t * d[0], y = p[1] + t * d[1];
        const real square = (x - point[0]) * (x - point[0]) + (y - point[1]) * (y - point[1]);
        if (square < least) {
            least = square;
            out[0] = x;
            out[1] = y;
        }
    }
}

real gjb_feature_height(const gjb_feature *feature, const real point[2])
{
    real at[2], height = 0;
    nearest_in(&feature->outline, point, at);
    for (uint32_t k = 0; k < feature->plane_count; k++) {
        const real own = plane_at(feature->plane[k], at);
        height = k == 0 ? own : feature->side ? fmaxl(height, own) : fminl(height, own);
    }
    return height;
}
