/* Pairs of plain numbers that rows change: read, rounded, rotated, moved, and stacked into a scene. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "properties/property_private.h"

static double number_at(const gjb_shapes *s, const void *array, size_t i)
{
    return s->precision == GJB_F32 ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

static void body_get(const gjb_scene *scene, uint32_t body, prop_body *out)
{
    const gjb_shapes *s = &scene->shapes;
    const uint32_t shape = scene->body_shape ? scene->body_shape[body] : body;
    out->kind = (gjb_kind)s->kind[shape];
    out->count = s->row_count[shape] < PROP_ROWS ? s->row_count[shape] : PROP_ROWS;
    out->radius = number_at(s, s->radius, shape);
    for (uint32_t row = 0; row < out->count; row++) {
        out->rows[row][2] = 0;
        for (uint32_t k = 0; k < s->dim; k++)
            out->rows[row][k] = number_at(s, s->rows, ((size_t)s->first[shape] + row) * s->dim + k);
    }
    if (s->dim == 2) {
        const gjb_pose2d p = gjb_scene_pose(scene, 0, body);
        memcpy(out->place, (double[3]){p.x, p.y, 0}, sizeof out->place);
        memcpy(out->turn, (double[4]){p.c, p.s, 0, 0}, sizeof out->turn);
    } else {
        const gjb_pose3d p = gjb_scene_pose3(scene, 0, body);
        memcpy(out->place, (double[3]){p.x, p.y, p.z}, sizeof out->place);
        memcpy(out->turn, (double[4]){p.qx, p.qy, p.qz, p.qw}, sizeof out->turn);
    }
    memset(out->motion, 0, sizeof out->motion);
    gjb_scene_motion(scene, 0, body, out->motion);
}

void gjb_prop_pair_get(const gjb_scene *scene, uint64_t index, prop_pair *out)
{
    out->dim = scene->shapes.dim;
    out->precision = (gjb_precision)scene->shapes.precision;
    for (int b = 0; b < 2; b++)
        body_get(scene, scene->frames[0].pairs[2 * index + (uint64_t)b], &out->body[b]);
}

double gjb_prop_rounded(gjb_precision precision, double value)
{
    if (precision == GJB_F32) {
        const volatile float narrow = (float)value; /* gcc 12 at -O2 may drop the conversion */
        return narrow;
    }
    return value;
}

static int round_all(gjb_precision precision, double *numbers, size_t count)
{
    int fits = 1;
    for (size_t i = 0; i < count; i++) {
        numbers[i] = gjb_prop_rounded(precision, numbers[i]) + 0.0;
        fits = fits && fabs(numbers[i]) <= gjb_largest(precision);
    }
    return fits;
}

int gjb_prop_round(prop_pair *pair)
{
    int fits = 1;
    for (int b = 0; b < 2; b++) {
        prop_body *body = &pair->body[b];
        fits = round_all(pair->precision, &body->rows[0][0], 3 * (size_t)body->count) && fits;
        fits = round_all(pair->precision, &body->radius, 1) && fits;
        fits = round_all(pair->precision, body->place, 3) && fits;
        fits = round_all(pair->precision, body->turn, 4) && fits;
        fits = round_all(pair->precision, body->motion, 6) && fits;
    }
    return fits ? 0 : -1;
}

double gjb_prop_reach(const prop_pair *pair, int b)
{
    const prop_body *body = &pair->body[b];
    double flat[PROP_ROWS * 2];
    if (pair->dim == 3)
        return gjb_core_reach(3, body->kind, &body->rows[0][0], body->count);
    for (uint32_t i = 0; i < body->count; i++)
        memcpy(flat + 2 * i, body->rows[i], 2 * sizeof *flat);
    return gjb_core_reach(2, body->kind, flat, body->count);
}

/* --- Rotations --- */

static void matrix_of(const long double q[4], long double m[3][3])
{
    const long double x = q[0], y = q[1], z = q[2], w = q[3], n = x * x + y * y + z * z + w * w;
    const long double r[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                                 {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                                 {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] = r[i][j] / n;
}

prop_turn gjb_prop_turn_random(uint32_t dim, gjb_random *random)
{
    prop_turn turn = {.q = {0}};
    const double angle = gjb_random_range(random, 0.1, 3);
    double axis[3] = {0, 0, 1};
    if (dim == 3)
        gjb_prop_direction(3, random, axis);
    const long double s = sinl(0.5L * angle);
    for (int k = 0; k < 3; k++)
        turn.q[k] = s * axis[k];
    turn.q[3] = cosl(0.5L * angle);
    const long double n =
        sqrtl(turn.q[0] * turn.q[0] + turn.q[1] * turn.q[1] + turn.q[2] * turn.q[2] + turn.q[3] * turn.q[3]);
    for (int k = 0; k < 4; k++)
        turn.q[k] /= n;
    matrix_of(turn.q, turn.m);
    return turn;
}

void gjb_prop_matrix(uint32_t dim, const prop_body *body, long double m[3][3])
{
    if (dim == 3) {
        matrix_of((long double[4]){body->turn[0], body->turn[1], body->turn[2], body->turn[3]}, m);
        return;
    }
    const long double c = body->turn[0], s = body->turn[1];
    const long double r[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
    memcpy(m, r, sizeof r);
}

static void apply(const long double m[3][3], const long double v[3], long double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
}

/* How far the rotation that is stored is from turn * what was. */
static long double turn_error(const prop_turn *turn, const long double was[3][3], const long double is[3][3])
{
    long double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            long double want = 0;
            for (int k = 0; k < 3; k++)
                want += turn->m[i][k] * was[k][j];
            sum += (is[i][j] - want) * (is[i][j] - want);
        }
    return sqrtl(sum);
}

static void turn_body(uint32_t dim, prop_body *body, const prop_turn *turn)
{
    const long double *p = turn->q;
    if (dim == 2) {
        const long double c = turn->m[0][0], s = turn->m[1][0];
        const double was[2] = {body->turn[0], body->turn[1]};
        body->turn[0] = (double)(c * was[0] - s * was[1]);
        body->turn[1] = (double)(s * was[0] + c * was[1]);
        return;
    }
    const long double x = body->turn[0], y = body->turn[1], z = body->turn[2], w = body->turn[3];
    body->turn[0] = (double)(p[3] * x + p[0] * w + p[1] * z - p[2] * y);
    body->turn[1] = (double)(p[3] * y - p[0] * z + p[1] * w + p[2] * x);
    body->turn[2] = (double)(p[3] * z + p[0] * y - p[1] * x + p[2] * w);
    body->turn[3] = (double)(p[3] * w - p[0] * x - p[1] * y - p[2] * z);
}

static double turn_motion(prop_pair *pair, prop_body *body, const prop_turn *turn, double reach)
{
    double off = 0;
    for (int part = 0; part < (pair->dim == 3 ? 2 : 1); part++) {
        double *m = body->motion + 3 * part;
        long double v[3] = {m[0], m[1], pair->dim == 3 ? m[2] : 0}, got[3], sum = 0;
        apply(turn->m, v, got);
        for (uint32_t k = 0; k < pair->dim; k++) {
            m[k] = gjb_prop_rounded(pair->precision, (double)got[k]);
            sum += (m[k] - got[k]) * (m[k] - got[k]);
        }
        off += (double)sqrtl(sum) * (part ? reach : 1);
    }
    return off;
}

double gjb_prop_turn_pair(prop_pair *pair, const prop_turn *turn, const double place[3], int moves)
{
    long double was[2][3][3], between[3], at[3], off = 0;
    const double reach[2] = {gjb_prop_reach(pair, 0), gjb_prop_reach(pair, 1)};
    for (int k = 0; k < 3; k++)
        between[k] = (long double)pair->body[1].place[k] - pair->body[0].place[k];
    apply(turn->m, between, at);
    for (int k = 0; k < 3; k++) {
        pair->body[0].place[k] = place[k];
        pair->body[1].place[k] = (double)(at[k] + place[k]);
    }
    for (int b = 0; b < 2; b++) {
        gjb_prop_matrix(pair->dim, &pair->body[b], was[b]);
        turn_body(pair->dim, &pair->body[b], turn);
        if (moves)
            off += turn_motion(pair, &pair->body[b], turn, reach[b]);
    }
    gjb_prop_round(pair);
    long double apart = 0;
    for (int k = 0; k < 3; k++) {
        const long double d = (long double)pair->body[1].place[k] - pair->body[0].place[k] - at[k];
        apart += d * d;
    }
    off += sqrtl(apart);
    for (int b = 0; b < 2; b++) {
        long double is[3][3];
        gjb_prop_matrix(pair->dim, &pair->body[b], is);
        off += turn_error(turn, (const long double(*)[3])was[b], (const long double(*)[3])is) * reach[b];
    }
    return (double)off;
}

double gjb_prop_move(prop_pair *pair, int b, const double direction[3], double by, double *went)
{
    prop_body *body = &pair->body[b];
    long double off = 0, way = 0;
    for (uint32_t k = 0; k < pair->dim; k++) {
        const long double want = (long double)by * direction[k];
        const double is = gjb_prop_rounded(pair->precision, (double)(body->place[k] + want));
        const long double did = (long double)is - body->place[k];
        off += (did - want) * (did - want);
        way += did * did;
        body->place[k] = is;
    }
    if (went)
        *went = (double)sqrtl(way);
    return (double)sqrtl(off);
}

void gjb_prop_direction(uint32_t dim, gjb_random *random, double direction[3])
{
    double n = 0;
    while (!(n > 0.1 && n <= 1)) {
        n = 0;
        for (uint32_t k = 0; k < 3; k++) {
            direction[k] = k < dim ? gjb_random_range(random, -1, 1) : 0;
            n += direction[k] * direction[k];
        }
    }
    for (int k = 0; k < 3; k++)
        direction[k] /= sqrt(n);
}

int gjb_prop_exact_sum(gjb_precision precision, double a, double b, double *sum)
{
    const double s = a + b;
    *sum = s;
    return s - a == b && s - b == a && gjb_prop_rounded(precision, s) == s &&
           fabs(s) <= gjb_largest(precision);
}

/* --- Many pairs --- */

typedef struct prop_stacked {
    struct {
        gjb_kind kind;
        uint32_t count;
        size_t first; /* number */
        double radius, place[3], turn[4], motion[6];
    } body[2];
} prop_stacked;

void gjb_prop_stack_clear(prop_stack *stack, uint32_t dim, gjb_precision precision, int moves)
{
    stack->dim = dim;
    stack->precision = precision;
    stack->moves = moves;
    stack->count = stack->row_count = 0;
}

int gjb_prop_stack_push(prop_stack *stack, const prop_pair *pair)
{
    const size_t numbers = (size_t)stack->dim * (pair->body[0].count + pair->body[1].count);
    if (stack->count == stack->capacity) {
        const size_t capacity = 2 * stack->capacity + 256;
        prop_stacked *more = realloc(stack->pairs, capacity * sizeof *more);
        if (!more)
            return -1;
        stack->pairs = more;
        stack->capacity = capacity;
    }
    if (stack->row_count + numbers > stack->row_capacity) {
        const size_t capacity = 2 * stack->row_capacity + numbers + 4096;
        double *more = realloc(stack->rows, capacity * sizeof *more);
        if (!more)
            return -1;
        stack->rows = more;
        stack->row_capacity = capacity;
    }
    prop_stacked *to = &stack->pairs[stack->count++];
    for (int b = 0; b < 2; b++) {
        const prop_body *from = &pair->body[b];
        to->body[b].kind = from->kind;
        to->body[b].count = from->count;
        to->body[b].first = stack->row_count;
        to->body[b].radius = from->radius;
        memcpy(to->body[b].place, from->place, sizeof from->place);
        memcpy(to->body[b].turn, from->turn, sizeof from->turn);
        memcpy(to->body[b].motion, from->motion, sizeof from->motion);
        for (uint32_t i = 0; i < from->count; i++, stack->row_count += stack->dim)
            memcpy(stack->rows + stack->row_count, from->rows[i], stack->dim * sizeof *stack->rows);
    }
    return 0;
}

gjb_scene *gjb_prop_stack_scene(const prop_stack *stack, gjb_error *error)
{
    const uint32_t bodies = 2 * (uint32_t)stack->count, dim = stack->dim;
    gjb_scene *scene =
        gjb_scene_new(dim, stack->precision, bodies, stack->row_count / dim, bodies, stack->count);
    if (!scene) {
        gjb_fail(error, "properties: out of memory");
        return NULL;
    }
    scene->margin = stack->margin;
    scene->within = stack->within;
    for (uint32_t i = 0; i < bodies; i++) {
        const prop_stacked *p = &stack->pairs[i / 2];
        const double *at = p->body[i % 2].place, *turn = p->body[i % 2].turn;
        gjb_scene_set_shape(scene, i, p->body[i % 2].kind, (uint32_t)(p->body[i % 2].first / dim),
                            p->body[i % 2].count, stack->rows + p->body[i % 2].first, p->body[i % 2].radius);
        if (scene->body_shape)
            scene->body_shape[i] = i;
        if (dim == 2)
            gjb_scene_set_pose(scene, 0, i, (gjb_pose2d){at[0], at[1], turn[0], turn[1]});
        else
            gjb_scene_set_pose3(scene, 0, i,
                                (gjb_pose3d){at[0], at[1], at[2], turn[0], turn[1], turn[2], turn[3]});
        scene->frames[0].pairs[i] = i;
        if (stack->moves && gjb_scene_set_motion(scene, 0, i, p->body[i % 2].motion)) {
            gjb_scene_free(scene);
            gjb_fail(error, "properties: out of memory");
            return NULL;
        }
    }
    return scene;
}

void gjb_prop_stack_free(prop_stack *stack)
{
    free(stack->pairs);
    free(stack->rows);
    *stack = (prop_stack){.count = 0};
}

int gjb_prop_view(const prop_pair *pair, gjb_pair_space *space, gjb_pair *view)
{
    prop_stack one = {0};
    gjb_error error = {{0}};
    gjb_prop_stack_clear(&one, pair->dim, pair->precision, 1);
    gjb_scene *scene = gjb_prop_stack_push(&one, pair) ? NULL : gjb_prop_stack_scene(&one, &error);
    const int failed = !scene || gjb_scene_pair(scene, 0, 0, space, view);
    gjb_scene_free(scene);
    gjb_prop_stack_free(&one);
    return failed ? -1 : 0;
}
