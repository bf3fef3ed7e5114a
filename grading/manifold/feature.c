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
#include "grading/manifold/manifold.h"

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

static void local_frame_open(local_frame *local, const gjb_placed_pair *placed, const gjb_flat_frame *frame,
                             int side)
{
    real turn[3][3], offset[3];
    const real *const axes[3] = {frame->e, frame->f, frame->n};
    turn_of(placed, side, turn, offset);
    for (int m = 0; m < 3; m++) {
        const real sign = m == 2 && side ? -1 : 1;
        local->offset[m] = gjb_dot3(axes[m], offset);
        for (int k = 0; k < 3; k++)
            local->axis[m][k] =
                sign * (turn[0][k] * axes[m][0] + turn[1][k] * axes[m][1] + turn[2][k] * axes[m][2]);
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

/* What is as narrow as rounding is taken for a segment, what is as short for a point: more is then asked for along it
 * than of a polygon, of which little is well within. */
static void set_dimension(gjb_feature *feature, real doubt)
{
    gjb_flat *outline = &feature->outline;
    uint32_t far = 0;
    real most = 0, across = 0;
    for (uint32_t k = 1; k < outline->count; k++) {
        const real length =
            hypotl(outline->at[k][0] - outline->at[0][0], outline->at[k][1] - outline->at[0][1]);
        if (length > most) {
            most = length;
            far = k;
        }
    }
    feature->dimension = 0;
    outline->count = most > 16 * doubt ? outline->count : 1;
    if (outline->count == 1)
        return;
    const real *p = outline->at[0], x = (outline->at[far][0] - p[0]) / most,
               y = (outline->at[far][1] - p[1]) / most;
    for (uint32_t k = 1; k < outline->count; k++)
        across = fmaxl(across, fabsl(x * (outline->at[k][1] - p[1]) - y * (outline->at[k][0] - p[0])));
    feature->dimension = across > 16 * doubt ? 2 : 1;
    if (feature->dimension == 2)
        return;
    outline->at[1][0] = outline->at[far][0];
    outline->at[1][1] = outline->at[far][1];
    outline->count = 2;
}

static void set_outline(gjb_feature *feature, real doubt)
{
    feature->outline.count = feature->count;
    for (uint32_t k = 0; k < feature->count; k++)
        for (int m = 0; m < 2; m++)
            feature->outline.at[k][m] = feature->at[k][m];
    gjb_flat_hull(&feature->outline);
    set_dimension(feature, doubt);
}

/* Vertices in doubt change nothing if they are no further out than those that are certain. */
static int doubt_matters(gjb_feature *feature, const near_top *near, const local_frame *local,
                         const uint32_t *doubtful, uint32_t count, real doubt)
{
    if (count == 0)
        return 0;
    gjb_feature_heights(feature, doubt, 8 * doubt);
    for (uint32_t k = 0; k < count; k++) {
        const real *v = near->at[doubtful[k]], at[2] = {v[0] + local->offset[0], v[1] + local->offset[1]};
        const real height = v[2] + (feature->side ? -local->offset[2] : local->offset[2]);
        real top, plane[3];
        if (gjb_feature_height(feature, at, &top, plane))
            return 1;
        top = feature->side ? -top : top;
        if (gjb_flat_distance(&feature->outline, at) > 8 * doubt || height > top + 8 * doubt)
            return 1;
    }
    return 0;
}

int gjb_feature_open(gjb_feature *feature, const gjb_placed_pair *placed, const gjb_flat_frame *frame,
                     int side)
{
    const int dim = (int)placed->pair->dim;
    const gjb_body3 *space = side ? &placed->whose->as.space.b : &placed->whose->as.space.a;
    const gjb_body2 *plane = side ? &placed->whose->as.plane.b : &placed->whose->as.plane.a;
    const double *v = dim == 3 ? &space->vertices[0][0] : &plane->vertices[0][0];
    local_frame local;
    near_top near;
    uint32_t doubtful[NEAR_ROOM], doubts = 0;
    local_frame_open(&local, placed, frame, side);
    feature->count = 0;
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
    if (feature->count == 0)
        return -1;
    set_outline(feature, placed->error);
    if (doubt_matters(feature, &near, &local, doubtful, doubts, placed->error))
        return -1;
    return 0;
}
