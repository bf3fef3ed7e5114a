/* A pair in motion in long double: support mappings and gaps at any time, and bounds on how far it moves.
 * Error of a gap, in units u of roundoff of long double, cos and sin trusted to 4 of them. The angle
 * t |w| carries 3u of itself, the axis 3u a coordinate. So an entry of R(t w) carries 26u + 9u angle,
 * the matrix at most three times that, an entry of R(0) 16u, and three products and sums 3u each: a
 * place carries at most (160 + 32 angle) u |v|. The direction's length and the sums of a product add
 * 8u of each length that takes part. Lengths from above are computed 2^-40 too long, which is more than
 * their rounding. */
#include "reference/motion/moving_pair.h"

#include <float.h>
#include <math.h>

#include "reference/curved/halfspace.h"
#include "reference/methods/frame3.h"

_Static_assert(LDBL_MANT_DIG >= 64, "the reference needs a long double of 64 bits or more");

static const ref_real unit = LDBL_EPSILON / 2;
static const ref_real upwards = 1 + 0x1p-40L;

static void apply(const ref_real matrix[3][3], const ref_real v[3], ref_real out[3])
{
    for (int m = 0; m < 3; m++)
        out[m] = ref_inner(matrix[m], v);
}

/* How far the body extends: about its origin, about its axis and along it. */
static void measure_vertices(ref_moving *body)
{
    for (uint32_t k = 0; k < body->core.count; k++) {
        const double *row = body->core.rows + (size_t)k * body->dim;
        const ref_real v[3] = {row[0], row[1], body->dim == 3 ? row[2] : 0};
        ref_real r[3], across[3];
        apply((const ref_real(*)[3])body->rest, v, r);
        ref_real length = sqrtl(ref_inner(r, r)) * upwards, slack = length * 0x1p-40L;
        ref_real along = ref_inner(body->axis, r);
        ref_cross(across, body->axis, r);
        body->reach = fmaxl(body->reach, length);
        body->aside = fmaxl(body->aside, sqrtl(ref_inner(across, across)) + slack);
        body->least = fminl(body->least, along - slack);
        body->most = fmaxl(body->most, along + slack);
    }
}

static void turn_back(const ref_real matrix[3][3], const ref_real n[3], ref_real out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = matrix[0][c] * n[0] + matrix[1][c] * n[1] + matrix[2][c] * n[2];
}

/* The foot alone. */
static void measure_plane(ref_moving *body)
{
    ref_real foot[3], local[3], across[3];
    ref_solid_support(&body->core, body->core.semi, local);
    apply((const ref_real(*)[3])body->rest, local, foot);
    ref_cross(across, body->axis, foot);
    body->reach = sqrtl(ref_inner(foot, foot)) * upwards;
    const ref_real slack = body->reach * 0x1p-40L, along = ref_inner(body->axis, foot);
    body->aside = sqrtl(ref_inner(across, across)) + slack;
    body->least = along - slack;
    body->most = along + slack;
}

static void measure(ref_moving *body)
{
    if (gjb_is_unbounded(body->core.kind)) {
        measure_plane(body);
        return;
    }
    if (!gjb_is_curved(body->core.kind)) {
        measure_vertices(body);
        return;
    }
    /* In the plane the rotation as stored may lengthen. */
    const ref_real scale = body->dim == 2 ? hypotl(body->rest[0][0], body->rest[1][0]) : 1;
    ref_real local[3], back[3], place[3], slack = body->core.reach * 0x1p-40L;
    turn_back((const ref_real(*)[3])body->rest, body->axis, local);
    for (int m = 0; m < 3; m++)
        back[m] = -local[m];
    body->reach = body->core.reach * scale * upwards;
    body->aside = ref_solid_aside(&body->core, local) * scale + slack;
    body->least = -ref_solid_support(&body->core, back, place) - slack;
    body->most = ref_solid_support(&body->core, local, place) + slack;
}

static bool finite_all(const double *numbers, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!isfinite(numbers[k]))
            return false;
    return true;
}

/* From the pose's rotation and the rotation vector already written. False: not a body. */
static bool open_body(ref_moving *body)
{
    body->speed = ref_unit(body->axis, body->turn);
    body->reach = body->aside = 0;
    body->least = HUGE_VALL;
    body->most = -HUGE_VALL;
    if (!finite_all(body->core.rows, (size_t)body->core.count * body->dim) ||
        !(body->speed <= GJB_MOST_RADIANS * upwards))
        return false;
    measure(body);
    if (body->reach == 0 && !gjb_is_unbounded(body->core.kind)) { /* a point at its origin: it turns, and nothing is seen of it */
        body->speed = body->turn[0] = body->turn[1] = body->turn[2] = 0;
        body->axis[0] = body->axis[1] = body->axis[2] = 0;
    }
    return true;
}

static bool open_plane(ref_moving *body, const gjb_body2 *from)
{
    const gjb_motion2d *m = &from->motion;
    const double numbers[8] = {from->pose.x, from->pose.y, from->pose.c, from->pose.s, m->x, m->y, m->angle,
                               from->radius};
    *body = (ref_moving){.dim = 2,
                         .rest = {{from->pose.c, -from->pose.s, 0}, {from->pose.s, from->pose.c, 0}, {0, 0, 1}},
                         .turn = {0, 0, m->angle}};
    ref_solid_open(&body->core, from->kind, 2, from->count, from->vertices[0], from->radius,
                   hypotl(from->pose.c, from->pose.s));
    body->radius = body->core.ball;
    return finite_all(numbers, 8) && open_body(body);
}

static bool open_space(ref_moving *body, const gjb_body3 *from)
{
    const gjb_motion3d *m = &from->motion;
    const gjb_pose3d *p = &from->pose;
    const double numbers[14] = {p->x, p->y, p->z, p->qx, p->qy, p->qz, p->qw, from->radius,
                                m->x, m->y, m->z, m->wx, m->wy, m->wz};
    *body = (ref_moving){.dim = 3, .turn = {m->wx, m->wy, m->wz}};
    ref_solid_open(&body->core, from->kind, 3, from->count, from->vertices[0], from->radius, 1);
    body->radius = body->core.ball;
    if (!finite_all(numbers, 14) || (p->qx == 0 && p->qy == 0 && p->qz == 0 && p->qw == 0))
        return false;
    ref_rotation3(p, body->rest);
    return open_body(body);
}

bool ref_mover_open(ref_mover *mover, const gjb_pair *pair)
{
    bool valid;
    if (pair->dim == 2) {
        const gjb_body2 *a = &pair->as.plane.a, *b = &pair->as.plane.b;
        valid = a->count && b->count && open_plane(&mover->body[0], a) && open_plane(&mover->body[1], b);
        const ref_real offset[3] = {(ref_real)b->pose.x - a->pose.x, (ref_real)b->pose.y - a->pose.y, 0};
        const ref_real drift[3] = {(ref_real)b->motion.x - a->motion.x, (ref_real)b->motion.y - a->motion.y, 0};
        for (int m = 0; m < 3; m++) {
            mover->offset[m] = offset[m];
            mover->drift[m] = drift[m];
        }
    } else {
        const gjb_body3 *a = &pair->as.space.a, *b = &pair->as.space.b;
        valid = a->count && b->count && open_space(&mover->body[0], a) && open_space(&mover->body[1], b);
        const double from[2][3] = {{a->pose.x, a->pose.y, a->pose.z}, {a->motion.x, a->motion.y, a->motion.z}};
        const double to[2][3] = {{b->pose.x, b->pose.y, b->pose.z}, {b->motion.x, b->motion.y, b->motion.z}};
        for (int m = 0; m < 3; m++) {
            mover->offset[m] = (ref_real)to[0][m] - from[0][m];
            mover->drift[m] = (ref_real)to[1][m] - from[1][m];
        }
    }
    if (!valid)
        return false;
    const ref_moving *a = &mover->body[0], *b = &mover->body[1];
    ref_real way = sqrtl(ref_inner(mover->offset, mover->offset)) + sqrtl(ref_inner(mover->drift, mover->drift));
    mover->radii = a->radius + b->radius;
    mover->size = gjb_path_size(pair);
    mover->is_curved = ref_is_curved(pair);
    mover->plane = gjb_is_unbounded(a->core.kind) ? 1 : gjb_is_unbounded(b->core.kind) ? 2 : 0;
    const ref_real more[2] = {mover->is_curved ? ref_solid_units(&a->core) : 0,
                              mover->is_curved ? ref_solid_units(&b->core) : 0};
    mover->doubt = (160 + more[0] + 32 * a->speed) * a->reach + (160 + more[1] + 32 * b->speed) * b->reach;
    mover->doubt += 16 * way + 8 * mover->radii;
    if (mover->plane) /* a normal that is turned as well, 160 units off at most */
        mover->doubt += (160 + 32 * mover->body[mover->plane - 1].speed) * (a->reach + b->reach + way + mover->radii);
    mover->doubt *= unit * upwards;
    if (mover->is_curved) {
        const ref_real(*turn[2])[3] = {a->rest, b->rest};
        ref_real both[2][3][3];
        for (int k = 0; k < 18; k++)
            both[k / 9][k / 3 % 3][k % 3] = turn[k / 9][k / 3 % 3][k % 3];
        ref_curved_open_at(&mover->rest, pair, (const ref_real(*)[3][3])both, mover->offset);
    }
    return true;
}

/* R(t w) by Rodrigues' formula, times the rotation at rest. */
static void turned(const ref_moving *body, double t, ref_real out[3][3])
{
    ref_real angle = t * body->speed, c = cosl(angle), s = sinl(angle);
    const ref_real *k = body->axis;
    if (body->speed == 0) {
        c = 1;
        s = 0;
    }
    for (int column = 0; column < 3; column++) {
        ref_real r[3] = {body->rest[0][column], body->rest[1][column], body->rest[2][column]}, across[3];
        ref_real along = ref_inner(k, r);
        ref_cross(across, k, r);
        for (int m = 0; m < 3; m++)
            out[m][column] = c * r[m] + s * across[m] + (1 - c) * along * k[m];
    }
}

void ref_mover_pose(const ref_mover *mover, double t, ref_posed *posed)
{
    posed->mover = mover;
    posed->t = t;
    for (int side = 0; side < 2; side++)
        turned(&mover->body[side], t, posed->rotation[side]);
    for (int m = 0; m < 3; m++)
        posed->offset[m] = mover->offset[m] + t * mover->drift[m];
}

static ref_real along_vertices(const ref_moving *body, const ref_real local[3], ref_real place[3])
{
    ref_real most = -HUGE_VALL;
    const double *best = body->core.rows;
    for (uint32_t k = 0; k < body->core.count; k++) {
        const double *row = body->core.rows + (size_t)k * body->dim;
        ref_real along = local[0] * row[0] + local[1] * row[1] + (body->dim == 3 ? local[2] * row[2] : 0);
        if (along > most) {
            most = along;
            best = row;
        }
    }
    place[0] = best[0];
    place[1] = best[1];
    place[2] = body->dim == 3 ? best[2] : 0;
    return most;
}

ref_real ref_mover_support(const ref_posed *posed, int side, const ref_real n[3], ref_real place[3])
{
    const ref_moving *body = &posed->mover->body[side];
    ref_real local[3], at[3], most;
    turn_back(posed->rotation[side], n, local);
    most = gjb_is_curved(body->core.kind) || gjb_is_unbounded(body->core.kind) ? ref_solid_support(&body->core, local, at)
                                          : along_vertices(body, local, at);
    if (place)
        apply(posed->rotation[side], at, place);
    return most;
}

ref_real ref_mover_gap(const ref_posed *posed, const ref_real n[3])
{
    const ref_real back[3] = {-n[0], -n[1], -n[2]};
    ref_axis axis;
    ref_real charge = 0;
    if (posed->mover->plane) {
        ref_mover_plane(posed, &axis);
        charge = ref_halfspace_charge(axis.normal, n, posed->mover->size);
    }
    return ref_inner(n, posed->offset) - charge - ref_mover_support(posed, 1, back, NULL) -
           ref_mover_support(posed, 0, n, NULL) - posed->mover->radii;
}

void ref_mover_plane(const ref_posed *posed, ref_axis *axis)
{
    const int side = posed->mover->plane - 1;
    const ref_moving *body = &posed->mover->body[side];
    ref_real turned[3];
    apply(posed->rotation[side], body->core.semi, turned);
    ref_unit(axis->normal, turned);
    for (int m = 0; m < 3; m++) {
        axis->normal[m] *= side ? -1 : 1;
        axis->spin[m] = body->turn[m];
    }
}

/* How far a body reaches along the axis over [t, t + tau]: by Taylor's formula, and by its cylinder. */
static void reaches(const ref_posed *posed, int side, const ref_axis *axis, ref_real spin, ref_real tau,
                    ref_real out[2])
{
    const ref_moving *body = &posed->mover->body[side];
    const ref_real *n = axis->normal, sign = side ? -1 : 1;
    ref_real relative[3], swung[3], across[3], ahead[3];
    for (int m = 0; m < 3; m++)
        relative[m] = body->turn[m] - axis->spin[m];
    ref_cross(swung, n, relative);
    ref_cross(across, n, body->axis);
    for (int m = 0; m < 3; m++)
        ahead[m] = sign * (n[m] + tau * swung[m]);
    ref_real lever = body->aside * (spin > 0 ? 1 : sqrtl(ref_inner(across, across)) * upwards);
    ref_real bend = spin * spin * body->reach + 2 * spin * body->speed * body->aside;
    bend += body->speed * body->speed * lever;
    out[0] = ref_mover_support(posed, side, ahead, NULL) + bend * tau * tau / 2 * upwards;
    ref_real along = sign * ref_inner(n, body->axis);
    bool wider = body->speed == 0; /* than what stays as it is */
    out[1] = spin > 0 ? HUGE_VALL : wider ? out[0] : along * (along > 0 ? body->most : body->least) + lever;
}

void ref_mover_bounds(const ref_posed *posed, const ref_axis *axis, ref_real tau,
                      ref_real bound[REF_BOUNDS_ON_GAP])
{
    const ref_mover *mover = posed->mover;
    const ref_real *c = posed->offset, *d = mover->drift;
    ref_real a[2], b[2], swung[3], spin = sqrtl(ref_inner(axis->spin, axis->spin)) * upwards;
    reaches(posed, 0, axis, spin, tau, a);
    reaches(posed, 1, axis, spin, tau, b);
    ref_real between = ref_inner(axis->normal, c) + tau * ref_inner(axis->normal, d);
    between -= mover->radii + mover->doubt;
    if (spin > 0) {
        ref_real way = sqrtl(ref_inner(d, d)), far = sqrtl(ref_inner(c, c)) + way;
        ref_cross(swung, axis->spin, axis->normal);
        between += tau * ref_inner(swung, c);
        between -= (spin * spin * far + 2 * spin * way) * tau * tau / 2 * upwards;
        between -= 32 * unit * tau * spin * (far + mover->body[0].reach + mover->body[1].reach);
    }
    for (int k = 0; k < REF_BOUNDS_ON_GAP; k++)
        bound[k] = between - a[k & 1] - b[k >> 1];
}
