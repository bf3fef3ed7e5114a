/* Draws moving boxes, sweeps them, and judges the answers in rational numbers. */
#include "simd/tests/swept.h"

#include <criterion/criterion.h>
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double read_real(const swept *s, const void *array, size_t i)
{
    return s->shapes.precision == GJB_F32 ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

static void write_real(const swept *s, void *array, size_t i, double x)
{
    if (s->shapes.precision == GJB_F32)
        ((float *)array)[i] = (float)x;
    else
        ((double *)array)[i] = x;
}

static size_t width(const swept *s)
{
    return s->shapes.precision == GJB_F32 ? sizeof(float) : sizeof(double);
}

double swept_pose(const swept *s, size_t body, unsigned k)
{
    return read_real(s, s->poses, body * s->pose_size / width(s) + k);
}

double swept_motion(const swept *s, size_t body, unsigned k)
{
    return read_real(s, s->motions, body * s->motion_size / width(s) + k);
}

double swept_row(const swept *s, size_t body, unsigned k)
{
    return read_real(s, s->rows, s->first[body] * s->shapes.dim + k);
}

void swept_set_pose(swept *s, size_t body, unsigned k, double x)
{
    write_real(s, s->poses, body * s->pose_size / width(s) + k, x);
}

void swept_set_motion(swept *s, size_t body, unsigned k, double x)
{
    write_real(s, s->motions, body * s->motion_size / width(s) + k, x);
}

void swept_set_row(swept *s, size_t body, unsigned k, double x)
{
    write_real(s, s->rows, s->first[body] * s->shapes.dim + k, x);
}

/* ---- drawing ---- */

static void draw_box(swept *s, size_t body, gjb_random *r, swept_family family, double size)
{
    static const gjb_kind kinds[] = {GJB_BOX, GJB_AABB, GJB_AABB, GJB_POINT};
    const unsigned dim = s->shapes.dim, which = gjb_random_below(r, family == SWEPT_ANYHOW ? 4 : 3);
    s->kind[body] = (uint8_t)kinds[which];
    s->rows_of[body] = kinds[which] == GJB_AABB ? 2 : 1;
    for (unsigned k = 0; k < dim * s->rows_of[body]; k++) {
        double x = family == SWEPT_LATTICE ? gjb_random_below(r, 4) : size * gjb_random_unit(r);
        if (gjb_random_below(r, 12) == 0)
            x = 0;
        if (kinds[which] != GJB_BOX && gjb_random_below(r, 2))
            x = -x;
        swept_set_row(s, body, k, x);
    }
}

/* A box of size 2^-hasty that moves by 2^hasty arrives at a time of 2^-2hasty. */
static int hasty(const swept *s)
{
    return s->shapes.precision == GJB_F32 ? 60 : 508;
}

static void place(swept *s, size_t body, gjb_random *r, swept_family family, double size)
{
    const unsigned dim = s->shapes.dim;
    for (unsigned k = 0; k < dim; k++) {
        const int lattice = family == SWEPT_LATTICE;
        double x = lattice ? gjb_random_below(r, 13) - 6.0 : size * gjb_random_range(r, -3, 3);
        double v = lattice ? gjb_random_below(r, 9) - 4.0 : size * gjb_random_range(r, -4, 4);
        if (gjb_random_below(r, 6) == 0)
            v = 0;
        if (family == SWEPT_FAR)
            x += 1e4 * (k + 1);
        if (family == SWEPT_MAGNITUDES) {
            x = ldexp(x, (int)gjb_random_below(r, 30) - 26);
            v = ldexp(v, (int)gjb_random_below(r, 60) - 45);
        }
        if (family == SWEPT_HASTY)
            v = ldexp(v, 2 * hasty(s) + 16 + (int)gjb_random_below(r, 12));
        swept_set_pose(s, body, k, x);
        swept_set_motion(s, body, k, v);
    }
    swept_set_pose(s, body, dim == 2 ? 2 : 6, dim == 2 || gjb_random_below(r, 2) ? 1 : -1);
}

static double end_of(const swept *s, size_t body, unsigned axis, int end)
{
    const double x = swept_row(s, body, axis);
    if (s->kind[body] == GJB_POINT)
        return x;
    if (s->kind[body] == GJB_BOX)
        return end ? x : -x;
    const double y = swept_row(s, body, s->shapes.dim + axis);
    return end ? fmax(x, y) : fmin(x, y);
}

/* Moves B so that it meets A at t in a corner, with contact beginning or ending on every axis;
 * or off by some roundings. */
static void graze(swept *s, size_t a, size_t b, gjb_random *r)
{
    const double t = gjb_random_below(r, 4) == 0 ? gjb_random_below(r, 2) : gjb_random_unit(r);
    for (unsigned k = 0; k < s->shapes.dim; k++) {
        const int end = (int)gjb_random_below(r, 2);
        const double touch = end_of(s, a, k, end) - end_of(s, b, k, !end);
        const double v = swept_motion(s, b, k) - swept_motion(s, a, k);
        const double sideways = gjb_epsilon((gjb_precision)s->shapes.precision) * gjb_random_range(r, -100, 100);
        swept_set_pose(s, b, k, touch - v * t + swept_pose(s, a, k) + (gjb_random_below(r, 2) ? sideways : 0));
    }
}

swept swept_new(uint32_t dim, gjb_precision precision, swept_family family, uint64_t seed, size_t pairs)
{
    const uint32_t bodies = 2 * (uint32_t)pairs;
    swept s = {.shapes = {.dim = dim, .precision = precision, .count = bodies}, .pairs = pairs};
    s.pose_size = gjb_pose_size(precision, dim);
    s.motion_size = gjb_motion_size(precision, dim);
    s.record_size = gjb_result_size(GJB_SWEEP, precision, dim);
    s.poses = calloc(bodies, s.pose_size);
    s.motions = calloc(bodies, s.motion_size);
    s.pair = calloc(bodies, sizeof *s.pair);
    s.kind = calloc(bodies, 1);
    s.first = calloc(bodies, sizeof *s.first);
    s.rows_of = calloc(bodies, sizeof *s.rows_of);
    s.radius = calloc(bodies, sizeof(double));
    s.rows = calloc(2 * bodies, dim * sizeof(double));
    for (uint32_t i = 0; i < bodies; i++) {
        gjb_random r = gjb_random_make(seed, 0x73770000u + family, i);
        double size = 1;
        if (family == SWEPT_MAGNITUDES)
            size = ldexp(1, 20 * (int)gjb_random_below(&(gjb_random){.key = {seed, i / 2}}, 9) - 80);
        if (family == SWEPT_HASTY)
            size = ldexp(1, -hasty(&s));
        s.pair[i] = i;
        s.first[i] = 2 * i;
        draw_box(&s, i, &r, family, size);
        place(&s, i, &r, family, size);
        if (family == SWEPT_GRAZING && i % 2)
            graze(&s, i - 1, i, &r);
    }
    s.shapes.kind = s.kind;
    s.shapes.first = s.first;
    s.shapes.row_count = s.rows_of;
    s.shapes.radius = s.radius;
    s.shapes.rows = s.rows;
    return s;
}

void swept_free(swept *s)
{
    free(s->poses);
    free(s->motions);
    free(s->pair);
    free(s->kind);
    free(s->first);
    free(s->rows_of);
    free(s->radius);
    free(s->rows);
}

/* ---- asking ---- */

void swept_run(const swept *s, const char *backend, size_t call, size_t stride, unsigned char *results)
{
    void *prepared = gjb_simd_prepare(&s->shapes, backend), *workspace = NULL;
    stride = stride ? stride : s->record_size;
    cr_assert_not_null(prepared);
    cr_assert_eq(posix_memalign(&workspace, 64, gjb_simd_workspace_size(prepared)), 0);
    memset(results, 0xA5, s->pairs * stride);
    for (size_t first = 0; first < s->pairs; first += call) {
        gjb_batch batch = {.query = GJB_SWEEP,
                           .poses = s->poses,
                           .pose_stride = s->pose_size,
                           .motions = s->motions,
                           .motion_stride = s->motion_size,
                           .pairs = s->pair + 2 * first,
                           .pair_count = s->pairs - first < call ? s->pairs - first : call,
                           .results = results + first * stride,
                           .result_stride = stride,
                           .workspace = workspace};
        gjb_simd_run(prepared, &batch);
    }
    gjb_simd_release(prepared);
    free(workspace);
}

swept_answer swept_read(const swept *s, const unsigned char *results, size_t stride, size_t pair)
{
    const unsigned dim = s->shapes.dim;
    const unsigned char *record = results + pair * (stride ? stride : s->record_size);
    double x[9] = {0};
    gjb_head head;
    memcpy(&head, record, sizeof head);
    for (unsigned k = 1; k < 3 + 2 * dim; k++) {
        float f;
        memcpy(&f, record + k * sizeof f, sizeof f);
        memcpy(&x[k], record + k * sizeof *x, s->shapes.precision == GJB_F64 ? sizeof *x : 0);
        x[k] = s->shapes.precision == GJB_F64 ? x[k] : (double)f;
    }
    swept_answer a = {.status = head.status, .value = x[1], .last = x[2]};
    memcpy(a.normal, x + 3, dim * sizeof *x);
    memcpy(a.point, x + 3 + dim, dim * sizeof *x);
    return a;
}

/* ---- judging, in rational numbers ---- */

enum { AXES = 3 };
typedef struct truth {
    unsigned dim;
    mpq_t a_low[AXES], a_high[AXES], b_low[AXES], b_high[AXES], d[AXES], v[AXES];
    mpq_t first, last, t, x, y;
    int meet; /* ever; then from first to last within [0, 1] */
} truth;

static void each_number(truth *q, void (*body)(mpq_t x))
{
    for (unsigned k = 0; k < AXES; k++) {
        body(q->a_low[k]);
        body(q->a_high[k]);
        body(q->b_low[k]);
        body(q->b_high[k]);
        body(q->d[k]);
        body(q->v[k]);
    }
    body(q->first);
    body(q->last);
    body(q->t);
    body(q->x);
    body(q->y);
}

static void start(mpq_t x) { mpq_init(x); }
static void finish(mpq_t x) { mpq_clear(x); }

static void difference(mpq_t out, double b, double a, mpq_t scratch)
{
    mpq_set_d(out, b);
    mpq_set_d(scratch, a);
    mpq_sub(out, out, scratch);
}

/* Narrows [first, last] to the times at which one axis is in contact. */
static void narrow(truth *q, unsigned k)
{
    mpq_t *const bound[2] = {&q->first, &q->last};
    const int way = mpq_sgn(q->v[k]);
    for (int high = 0; high < 2; high++) {
        /* x: the relative place that must be reached, and not passed */
        if (high)
            mpq_sub(q->x, q->a_high[k], q->b_low[k]);
        else
            mpq_sub(q->x, q->a_low[k], q->b_high[k]);
        mpq_sub(q->x, q->x, q->d[k]);
        if (way == 0) {
            q->meet &= high ? mpq_sgn(q->x) >= 0 : mpq_sgn(q->x) <= 0;
            continue;
        }
        mpq_div(q->x, q->x, q->v[k]);
        const int later = (way > 0) == !high;
        if (later ? mpq_cmp(q->x, q->first) > 0 : mpq_cmp(q->x, q->last) < 0)
            mpq_set(*bound[!later], q->x);
    }
}

static void find_truth(truth *q, const swept *s, size_t pair)
{
    q->dim = s->shapes.dim;
    q->meet = 1;
    each_number(q, start);
    mpq_set_ui(q->last, 1, 1);
    for (unsigned k = 0; k < q->dim; k++) {
        mpq_set_d(q->a_low[k], end_of(s, 2 * pair, k, 0));
        mpq_set_d(q->a_high[k], end_of(s, 2 * pair, k, 1));
        mpq_set_d(q->b_low[k], end_of(s, 2 * pair + 1, k, 0));
        mpq_set_d(q->b_high[k], end_of(s, 2 * pair + 1, k, 1));
        difference(q->d[k], swept_pose(s, 2 * pair + 1, k), swept_pose(s, 2 * pair, k), q->x);
        difference(q->v[k], swept_motion(s, 2 * pair + 1, k), swept_motion(s, 2 * pair, k), q->x);
    }
    for (unsigned k = 0; k < q->dim; k++)
        narrow(q, k);
    q->meet &= mpq_cmp(q->first, q->last) <= 0;
}

/* Puts the gap along an axis at q->t into q->x; < 0 if the boxes overlap. `side`: 1 if B is
 * beyond A, -1 if it is before it. */
static void gap_along(truth *q, unsigned k, int side)
{
    mpq_mul(q->x, q->v[k], q->t);
    mpq_add(q->x, q->x, q->d[k]); /* B's translation */
    if (side > 0) {
        mpq_add(q->x, q->x, q->b_low[k]);
        mpq_sub(q->x, q->x, q->a_high[k]);
    } else {
        mpq_add(q->x, q->x, q->b_high[k]);
        mpq_sub(q->x, q->a_low[k], q->x);
    }
}

/* Distance of the boxes at q->t, rounded. */
static double distance(truth *q)
{
    double square = 0, most = 0, gap[AXES] = {0};
    for (unsigned k = 0; k < q->dim; k++) {
        for (int side = -1; side < 2; side += 2) {
            gap_along(q, k, side);
            gap[k] = fmax(gap[k], mpq_get_d(q->x));
        }
        most = fmax(most, gap[k]);
    }
    for (unsigned k = 0; k < q->dim && most > 0; k++)
        square += gap[k] / most * (gap[k] / most);
    return most * sqrt(square);
}

/* Distance of a coordinate from the middle of the intersection along an axis at q->t. */
static double off_centre(truth *q, unsigned k, double point)
{
    mpq_mul(q->y, q->v[k], q->t);
    mpq_add(q->y, q->y, q->d[k]);
    mpq_add(q->x, q->y, q->b_low[k]);
    mpq_add(q->y, q->y, q->b_high[k]);
    if (mpq_cmp(q->x, q->a_low[k]) < 0)
        mpq_set(q->x, q->a_low[k]);
    if (mpq_cmp(q->y, q->a_high[k]) > 0)
        mpq_set(q->y, q->a_high[k]);
    mpq_add(q->x, q->x, q->y);
    mpq_set_d(q->y, 2 * point);
    mpq_sub(q->x, q->x, q->y);
    return fabs(mpq_get_d(q->x)) / 2;
}

static double farthest(const swept *s, size_t body)
{
    double reach[3] = {0};
    for (unsigned k = 0; k < s->shapes.dim; k++)
        reach[k] = fmax(fabs(end_of(s, body, k, 0)), fabs(end_of(s, body, k, 1)));
    return hypot(hypot(reach[0], reach[1]), reach[2]);
}

/* S of the pair in motion (gjb_path_size). */
static double size_of(const swept *s, const truth *q, size_t pair)
{
    double d[3] = {0}, v[3] = {0};
    for (unsigned k = 0; k < q->dim; k++) {
        d[k] = mpq_get_d(q->d[k]);
        v[k] = mpq_get_d(q->v[k]);
    }
    const double size = farthest(s, 2 * pair) + farthest(s, 2 * pair + 1) + hypot(hypot(d[0], d[1]), d[2]) +
                        hypot(hypot(v[0], v[1]), v[2]);
    return fmax(size, gjb_least_size((gjb_precision)s->shapes.precision));
}

#define WRONG_IF(condition)                                                                                      \
    if (condition)                                                                                               \
    return #condition

static const char *judge_hit(truth *q, const swept_answer *a, double tolerance, double *worst)
{
    double most = distance(q), count = 0;
    for (unsigned k = 0; k < q->dim; k++) {
        most = fmax(most, off_centre(q, k, a->point[k]));
        WRONG_IF(a->normal[k] != 0 && fabs(a->normal[k]) != 1);
        if (a->normal[k] != 0) {
            const int side = a->normal[k] > 0 ? 1 : -1;
            WRONG_IF(mpq_sgn(q->v[k]) * side >= 0); /* a face that B leaves */
            gap_along(q, k, side);
            most = fmax(most, fabs(mpq_get_d(q->x)));
            count++;
        }
    }
    WRONG_IF(count != (a->status == GJB_HIT));
    *worst = fmax(*worst, most);
    WRONG_IF(most > tolerance);
    return NULL;
}

static const char *judge(truth *q, const swept_answer *a, double tolerance, double *worst)
{
    const int starts = q->meet && mpq_sgn(q->first) == 0;
    if (a->status == GJB_SEPARATED) {
        WRONG_IF(q->meet);
        for (unsigned k = 0; k < q->dim; k++)
            WRONG_IF(a->normal[k] != 0 || a->point[k] != 0);
        WRONG_IF(a->value != 0 || a->last != 0);
        return NULL;
    }
    WRONG_IF(a->status != GJB_HIT && a->status != GJB_OVERLAPPING);
    WRONG_IF(a->status == GJB_HIT && starts);
    WRONG_IF(a->status == GJB_HIT && !(a->value > 0 && a->value <= 1));
    WRONG_IF(a->status == GJB_OVERLAPPING && a->value != 0);
    WRONG_IF(!(a->last >= a->value && a->last <= 1));
    mpq_set_d(q->t, a->last);
    WRONG_IF(q->meet && mpq_cmp(q->t, q->last) < 0);
    *worst = fmax(*worst, distance(q));
    WRONG_IF(distance(q) > tolerance);
    mpq_set_d(q->t, a->value);
    WRONG_IF(q->meet && mpq_cmp(q->t, q->first) > 0);
    return judge_hit(q, a, tolerance, worst);
}

const char *swept_judge(const swept *s, size_t pair, const swept_answer *answer, double k, double *worst)
{
    truth q;
    find_truth(&q, s, pair);
    const double unit = gjb_epsilon((gjb_precision)s->shapes.precision) * size_of(s, &q, pair);
    double off = 0;
    const char *wrong = judge(&q, answer, k * unit, &off);
    *worst = fmax(*worst, off / unit);
    each_number(&q, finish);
    return wrong;
}
