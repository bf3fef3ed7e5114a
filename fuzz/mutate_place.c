/* Mutations of poses: where shapes lie and how they are turned to each other. */
#include "fuzz/mutate_private.h"
#include "scenes/generate/generate_parts.h"

#include <stdlib.h>

#include "reference/reference.h"

void gjb_edit_unit(gjb_random *r, uint32_t dim, double n[3])
{
    n[2] = 0;
    if (dim == 2)
        gjb_random_rotation(r, &n[0], &n[1]);
    else
        gjb_random_direction3(r, n);
}

int gjb_edit_normalise(double n[3])
{
    const double most = fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2])));
    if (!(most > 0 && most < INFINITY))
        return -1;
    for (int k = 0; k < 3; k++)
        n[k] /= most;
    const double length = sqrt(gjb_edit_dot(n, n));
    for (int k = 0; k < 3; k++)
        n[k] /= length;
    return 0;
}

/* B * A for quaternions x, y, z, w. */
static void multiply(const double b[4], const double a[4], double out[4])
{
    out[0] = b[3] * a[0] + b[0] * a[3] + b[1] * a[2] - b[2] * a[1];
    out[1] = b[3] * a[1] - b[0] * a[2] + b[1] * a[3] + b[2] * a[0];
    out[2] = b[3] * a[2] + b[0] * a[1] - b[1] * a[0] + b[2] * a[3];
    out[3] = b[3] * a[3] - b[0] * a[0] - b[1] * a[1] - b[2] * a[2];
}

static void turn_by(gjb_edit *edit, uint32_t which, const double by[4])
{
    double *q = edit->body[which].turn, old[4];
    memcpy(old, q, sizeof old);
    if (edit->dim == 2) {
        q[0] = by[0] * old[0] - by[1] * old[1];
        q[1] = by[0] * old[1] + by[1] * old[0];
        gjb_unit_length(&q[0], &q[1]);
    } else {
        multiply(by, old, q);
        gjb_unit_quaternion(q);
    }
}

void gjb_edit_turn_to(gjb_edit *edit, uint32_t which, const double from[3], const double to[3])
{
    double by[4] = {0};
    const double cosine = gjb_edit_dot(from, to);
    if (edit->dim == 2) {
        by[0] = cosine;
        by[1] = from[0] * to[1] - from[1] * to[0];
    } else if (cosine < -1 + 0x1p-40) { /* half a turn about whatever is across */
        const double axis[3] = {fabs(from[0]) < 0.6, fabs(from[0]) >= 0.6, 0};
        gjb_edit_cross(from, axis, by);
        if (gjb_edit_normalise(by))
            return;
    } else {
        gjb_edit_cross(from, to, by);
        by[3] = 1 + cosine;
    }
    double square = 0;
    for (int k = 0; k < 4; k++)
        square += by[k] * by[k];
    for (int k = 0; k < 4; k++)
        by[k] /= sqrt(square);
    turn_by(edit, which, by);
}

double gjb_edit_support(const gjb_edit *edit, uint32_t which, const double n[3])
{
    const gjb_edit_body *b = &edit->body[which];
    double local[3], best = -INFINITY;
    gjb_edit_unturn(edit, which, n, local);
    if (gjb_is_curved(b->kind)) {
        double packed[6] = {0}, at[3];
        for (uint32_t v = 0; v < b->count; v++)
            memcpy(packed + (size_t)edit->dim * v, b->rows[v], edit->dim * sizeof(double));
        gjb_curved_support(b->kind, edit->dim, packed, local, at);
        best = gjb_edit_dot(at, local);
    } else if (b->kind == GJB_BOX || b->kind == GJB_AABB) {
        double corners[8][3];
        const uint32_t count = gjb_edit_corners(edit, which, corners);
        for (uint32_t v = 0; v < count; v++)
            best = fmax(best, gjb_edit_dot(corners[v], local));
    } else {
        for (uint32_t v = 0; v < b->count; v++)
            best = fmax(best, gjb_edit_dot(b->rows[v], local));
    }
    return best + b->radius;
}

int gjb_edit_sigma(const gjb_edit *edit, double *sigma, double normal[3])
{
    const double size = gjb_edit_size(edit);
    if (!(size > 0x1p-400 && size < 0x1p400))
        return 1;
    gjb_scene *scene = gjb_edit_scene(edit, NULL);
    gjb_pair_space space = {0};
    gjb_pair pair;
    int failed = !scene || gjb_scene_pair(scene, 0, 0, &space, &pair);
    if (!failed && edit->dim == 3 && gjb_pair_curved(&pair)) {
        /* A depth among curved solids may take seconds: only if a plane across the middle parts them. */
        double n[3];
        for (int k = 0; k < 3; k++)
            n[k] = edit->body[1].place[k] - edit->body[0].place[k];
        const double apart = sqrt(gjb_edit_dot(n, n));
        failed = gjb_edit_normalise(n);
        const double back[3] = {-n[0], -n[1], -n[2]};
        failed = failed || !(apart > gjb_edit_support(edit, 0, n) + gjb_edit_support(edit, 1, back));
    }
    normal[2] = 0;
    if (!failed && edit->dim == 2) {
        const ref_answer a = ref_signed_distance2(&pair.as.plane);
        failed = a.status != GJB_SEPARATED && a.status != GJB_OVERLAPPING;
        *sigma = a.sigma;
        memcpy(normal, a.normal, sizeof a.normal);
    } else if (!failed) {
        const ref_answer3 a = ref_signed_distance3(&pair.as.space, NULL);
        failed = a.status != GJB_SEPARATED && a.status != GJB_OVERLAPPING;
        *sigma = a.sigma;
        memcpy(normal, a.normal, sizeof a.normal);
    }
    gjb_pair_space_free(&space);
    gjb_scene_free(scene);
    return failed || !isfinite(*sigma) || gjb_edit_normalise(normal);
}

static void move(gjb_edit_body *b, const double n[3], double by)
{
    for (int k = 0; k < 3; k++)
        b->place[k] += by * n[k];
}

GJB_MUTATION(far)
{
    (void)which, (void)other;
    const double size = gjb_edit_size(edit);
    double n[3];
    gjb_edit_unit(r, edit->dim, n);
    if (!(size > 0 && size < 0x1p60))
        return 1;
    const double by =
        gjb_power_of_two(ilogb(size) + 1 + (int)gjb_random_below(r, edit->precision == GJB_F32 ? 22 : 48));
    for (int i = 0; i < 2; i++)
        move(&edit->body[i], n, by);
    return 0;
}

GJB_MUTATION(origin)
{
    (void)r, (void)other;
    double base[3];
    memcpy(base, edit->body[which].place, sizeof base);
    for (int i = 0; i < 2; i++)
        move(&edit->body[i], base, -1);
    return base[0] == 0 && base[1] == 0 && base[2] == 0;
}

GJB_MUTATION(same_place)
{
    (void)r, (void)other;
    memcpy(edit->body[which].place, edit->body[1 - which].place, sizeof edit->body[0].place);
    return 0;
}

static void no_turn(gjb_edit *edit, uint32_t which)
{
    static const double none[2][4] = {{1, 0, 0, 0}, {0, 0, 0, 1}};
    memcpy(edit->body[which].turn, none[edit->dim - 2], sizeof none[0]);
}

GJB_MUTATION(identity)
{
    (void)other;
    no_turn(edit, which);
    if (gjb_random_u32(r) & 1)
        no_turn(edit, 1 - which);
    return 0;
}

GJB_MUTATION(quarter)
{
    (void)other;
    static const double turns[4][4] = {
        {0.7071067811865476, 0, 0, 0.7071067811865476}, {0, 0, 0, 1}, {0, 0, 0, -1}, {0.5, 0.5, 0.5, 0.5}};
    static const double plane[4][2] = {{0, 1}, {-1, 0}, {0, -1}, {0.7071067811865476, 0.7071067811865476}};
    double by[4] = {0};
    if (edit->dim == 2) {
        memcpy(by, plane[gjb_random_below(r, 4)], sizeof plane[0]);
    } else {
        const uint32_t how = gjb_random_below(r, 4), axis = gjb_random_below(r, 3);
        memcpy(by, turns[how], sizeof by);
        if (how == 1 || how == 2)
            by[3] = 0, by[axis] = 1;
        else if (how == 0)
            by[0] = 0, by[axis] = turns[0][0];
    }
    turn_by(edit, which, by);
    return 0;
}

GJB_MUTATION(near_axis)
{
    (void)other;
    const int digits = edit->precision == GJB_F32 ? 24 : 53;
    const double lean = gjb_random_sign(r) * gjb_random_octaves(r, -digits - 1, -4);
    if (gjb_random_u32(r) & 1)
        no_turn(edit, which);
    else if (gjb_random_u32(r) & 1)
        memcpy(edit->body[which].turn, edit->body[1 - which].turn, sizeof edit->body[0].turn);
    double by[4] = {1, lean, 0, 0};
    if (edit->dim == 3) {
        by[0] = by[1] = 0;
        by[gjb_random_below(r, 3)] = lean;
        by[3] = 1;
    }
    /* Of first order in the lean: unit length is restored on the way in. */
    if (fabs(lean) > 0x1p-12)
        for (int k = 0; k < 4; k++)
            by[k] /= sqrt(1 + lean * lean);
    turn_by(edit, which, by);
    return 0;
}

GJB_MUTATION(turn)
{
    (void)other;
    double by[4] = {0};
    if (edit->dim == 2)
        gjb_random_rotation(r, &by[0], &by[1]);
    else
        gjb_random_quaternion(r, by);
    turn_by(edit, which, by);
    return 0;
}

GJB_MUTATION(nudge_turn)
{
    (void)other;
    double *q = &edit->body[which].turn[gjb_random_below(r, edit->dim == 2 ? 2 : 4)];
    *q = gjb_edit_step(edit->precision, *q, gjb_random_u32(r) & 1 ? 1 : -1);
    return 0;
}

/* Three corners of the shape that differ, or two in the plane, as far as it has them. */
static int some_corners(gjb_random *r, const gjb_edit *edit, uint32_t which, uint32_t wanted,
                        double out[3][3])
{
    double(*corners)[3] = malloc((size_t)GJB_MAX_VERTICES * sizeof *corners);
    const uint32_t count = corners ? gjb_edit_corners(edit, which, corners) : 0;
    uint32_t of[3] = {0};
    for (uint32_t i = 0; i < wanted && count; i++)
        of[i] = edit->dim == 2 && i ? (of[0] + i) % count : gjb_random_below(r, count);
    for (uint32_t i = 0; i < wanted && count; i++)
        memcpy(out[i], corners[of[i]], sizeof out[i]);
    free(corners);
    return !count || (wanted > 1 && of[0] == of[1]) || (wanted > 2 && (of[0] == of[2] || of[1] == of[2]));
}

/* A direction of the world that is the normal of a face, or of a plane through corners. */
static int some_normal(gjb_random *r, const gjb_edit *edit, uint32_t which, double n[3])
{
    double p[3][3], u[3], v[3], local[3] = {0};
    const gjb_kind kind = edit->body[which].kind;
    if (kind == GJB_BOX || kind == GJB_AABB || gjb_is_curved(kind)) {
        local[gjb_random_below(r, edit->dim)] = gjb_random_sign(r);
    } else {
        if (some_corners(r, edit, which, edit->dim, p))
            return 1;
        for (int k = 0; k < 3; k++) {
            u[k] = p[1][k] - p[0][k];
            v[k] = edit->dim == 3 ? p[2][k] - p[0][k] : (double)(k == 2);
        }
        gjb_edit_cross(u, v, local);
    }
    gjb_edit_turn(edit, which, local, n);
    return gjb_edit_normalise(n) != 0;
}

static int make_parallel(gjb_random *r, gjb_edit *edit, uint32_t which, double n[3])
{
    double mine[3];
    if (some_normal(r, edit, 1 - which, n) || some_normal(r, edit, which, mine))
        return 1;
    double against[3] = {-n[0], -n[1], -n[2]};
    gjb_edit_turn_to(edit, which, mine, gjb_random_u32(r) & 1 ? against : n);
    return 0;
}

GJB_MUTATION(parallel)
{
    (void)other;
    double n[3];
    return make_parallel(r, edit, which, n);
}

GJB_MUTATION(parallel_edges)
{
    (void)other;
    double edge[2][3], p[3][3];
    for (uint32_t i = 0; i < 2; i++) {
        double along[3];
        if (some_corners(r, edit, i, 2, p))
            return 1;
        for (int k = 0; k < 3; k++)
            along[k] = p[1][k] - p[0][k];
        gjb_edit_turn(edit, i, along, edge[i]);
        if (gjb_edit_normalise(edge[i]))
            return 1;
    }
    gjb_edit_turn_to(edit, which, edge[which], edge[1 - which]);
    return 0;
}

/* Faces parallel, and in one plane, or a few roundings or some way off it. */
GJB_MUTATION(flush)
{
    (void)other;
    double n[3]; /* from the other shape to this one */
    if (gjb_random_u32(r) & 1 ? some_normal(r, edit, 1 - which, n) : make_parallel(r, edit, which, n))
        return 1;
    const double back[3] = {-n[0], -n[1], -n[2]};
    double between[3];
    for (int k = 0; k < 3; k++)
        between[k] = edit->body[which].place[k] - edit->body[1 - which].place[k];
    const double gap =
        gjb_edit_dot(between, n) - gjb_edit_support(edit, 1 - which, n) - gjb_edit_support(edit, which, back);
    const double off = gjb_random_below(r, 3)
                           ? 0
                           : gjb_random_sign(r) * gjb_edit_size(edit) *
                                 gjb_random_octaves(r, edit->precision == GJB_F32 ? -24 : -53, -2);
    move(&edit->body[which], n, off - gap);
    return !isfinite(gap);
}

GJB_MUTATION(vertex_on)
{
    (void)other;
    double corner[3][3], mine[3], theirs[3];
    if (some_corners(r, edit, which, 1, corner))
        return 1;
    gjb_edit_turn(edit, which, corner[0], mine);
    /* On a corner of the other, or the middle of two of them. */
    if (some_corners(r, edit, 1 - which, 2, corner))
        return 1;
    const double share = gjb_random_u32(r) & 1 ? 0 : 0.5;
    for (int k = 0; k < 3; k++)
        corner[0][k] += share * (corner[1][k] - corner[0][k]);
    gjb_edit_turn(edit, 1 - which, corner[0], theirs);
    for (int k = 0; k < 3; k++)
        edit->body[which].place[k] = edit->body[1 - which].place[k] + theirs[k] - mine[k];
    return 0;
}

GJB_MUTATION(slide)
{
    (void)other;
    double n[3], across[3];
    gjb_edit_unit(r, edit->dim, across);
    const double by = gjb_edit_size(edit) * gjb_random_octaves(r, -10, 0);
    if (some_normal(r, edit, 1 - which, n))
        return 1;
    const double along = gjb_edit_dot(across, n);
    for (int k = 0; k < 3; k++)
        across[k] -= along * n[k];
    move(&edit->body[which], across, by);
    return 0;
}

GJB_MUTATION(touch)
{
    (void)r, (void)other;
    double sigma, n[3];
    if (gjb_edit_sigma(edit, &sigma, n))
        return 1;
    move(&edit->body[which], n, which ? -sigma : sigma);
    return sigma == 0;
}

GJB_MUTATION(near_touch)
{
    (void)other;
    double sigma, n[3];
    if (gjb_edit_sigma(edit, &sigma, n))
        return 1;
    const double off = gjb_random_sign(r) * gjb_edit_size(edit) *
                       gjb_random_octaves(r, edit->precision == GJB_F32 ? -26 : -55, -6);
    move(&edit->body[which], n, which ? off - sigma : sigma - off);
    return 0;
}

GJB_MUTATION(depth)
{
    (void)other;
    double sigma, n[3];
    if (gjb_edit_sigma(edit, &sigma, n))
        return 1;
    const double by = gjb_edit_size(edit) * gjb_random_octaves(r, -4, -1);
    move(&edit->body[which], n, which ? -by - sigma : sigma + by);
    return 0;
}
