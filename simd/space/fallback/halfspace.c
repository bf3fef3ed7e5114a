/* Half-spaces against every other kind, in the plane and in space: signed distance, normal, points, time of impact. */
#define GJB_BITS 64
#define GJB_LANES_SCALAR
#include "simd/space/fallback/halfspace.h"

#include <stdlib.h>
#include <string.h>

#include <gjkbench/adapter.h>

#include "simd/lanes/turn_double.h"
#include "simd/space/curve3.h"
#include "simd/space/fallback/halfspace_patch.h"
#include "simd/toi.h"

#define CLOSE 0x1p-10 /* largest difference of a rotation's squared length from 1 */
enum { TOI_STEPS = 20000, NEWTON_STEPS = 8 };

static double number_at(const gjb_library *library, const void *numbers, size_t i)
{
    return library->precision == GJB_F64 ? ((const double *)numbers)[i] : (double)((const float *)numbers)[i];
}

/* --- preparing --- */

static int fill_plane(const gjb_shapes *shapes, uint32_t i, double plane[PLANE_NUMBERS])
{
    const gjb_library as = {.precision = (gjb_precision)shapes->precision};
    const uint32_t dim = shapes->dim;
    const size_t first = (size_t)dim * shapes->first[i];
    const double most = shapes->precision == GJB_F64 ? DBL_MAX : (double)FLT_MAX,
                 radius = number_at(&as, shapes->radius, i);
    double largest = 0, length = 0;
    if (shapes->row_count[i] < 2 || !(radius >= 0 && radius <= most))
        return 0;
    for (uint32_t k = 0; k < dim; k++) {
        plane[k] = number_at(&as, shapes->rows, first + k);
        largest = fmax(largest, fabs(plane[k]));
        if (!(fabs(plane[k]) <= most))
            return 0;
    }
    plane[3] = number_at(&as, shapes->rows, first + dim);
    plane[4] = radius;
    for (uint32_t k = 0; k < dim && largest > 0; k++) {
        plane[k] /= largest;
        length += plane[k] * plane[k];
    }
    for (uint32_t k = 0; k < dim && largest > 0; k++)
        plane[k] /= sqrt(length);
    return largest > 0 && fabs(plane[3]) <= most;
}

double (*gjb_halfspace_planes(const gjb_shapes *shapes, int *failed))[PLANE_NUMBERS]
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < shapes->count; i++)
        count += gjb_is_unbounded(shapes->kind[i]);
    double(*planes)[PLANE_NUMBERS] = count ? calloc(shapes->count, sizeof *planes) : NULL;
    *failed = count && !planes;
    for (uint32_t i = 0; planes && i < shapes->count; i++)
        if (gjb_is_unbounded(shapes->kind[i]) && !fill_plane(shapes, i, planes[i]))
            planes[i][3] = NAN;
    return planes;
}

/* --- a pair --- */

/* A body in units of the pair's grain, relative to the half-space's translation. */
typedef struct body {
    uint32_t shape;
    double rest[3][3],
        turn[3][3]; /* at t = 0, and now; in the plane as stored, of no unit length but nearly */
    double place[3];
    double w[3], rate;
    double radius, reach; /* reach: of the core */
} body;

typedef struct pair {
    const gjb_library *library;
    int of_b; /* the half-space is B */
    body plane, other;
    const double *face; /* normal and distance, local */
    double height;      /* of the plane along its normal, with its radius */
    double way[3];      /* of the other body relative to the half-space */
    double size;        /* of the path */
    double grain, scale;
} pair;

static void turn_at_rest(uint32_t dim, const double *q, double r[3][3])
{
    if (dim == 2) {
        const double flat[3][3] = {{q[0], -q[1], 0}, {q[1], q[0], 0}, {0, 0, 1}};
        memcpy(r, flat, sizeof flat);
        return;
    }
    const mat3 turn = rotation3(q[0], q[1], q[2], q[3]);
    for (int i = 0; i < 3; i++) {
        r[i][0] = turn.row[i].x;
        r[i][1] = turn.row[i].y;
        r[i][2] = turn.row[i].z;
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double length_of(const double v[3])
{
    return sqrt(dot(v, v));
}

/* Its numbers in world units. 0 if one is not finite or the rotation is none. */
static int read_body(const gjb_library *library, const gjb_batch *batch, uint32_t index, body *b,
                     double motion[3])
{
    const uint32_t dim = library->dim, numbers = dim == 2 ? 4 : 7;
    const void *pose = gjb_batch_pose(batch, index);
    double p[7], m[6], square = 0, sum = 0;
    b->shape = gjb_batch_shape(batch, index);
    for (uint32_t k = 0; k < numbers; k++) {
        p[k] = number_at(library, pose, k);
        sum += fabs(p[k]);
        square += k >= dim ? p[k] * p[k] : 0;
    }
    memset(m, 0, sizeof m);
    if (batch->query == GJB_TOI)
        gjb_batch_motion(batch, library->precision, dim, index, m);
    for (uint32_t k = 0; k < 3; k++) {
        b->place[k] = k < dim ? p[k] : 0;
        motion[k] = k < dim ? m[k] : 0;
        b->w[k] = dim == 3 ? m[3 + k] : k == 2 ? m[2] : 0;
        sum += fabs(motion[k]) + fabs(b->w[k]);
    }
    if (!(sum <= DBL_MAX) || !(fabs(square - 1) < CLOSE))
        return 0;
    b->rate = length_of(b->w);
    turn_at_rest(dim, p + dim, b->rest);
    memcpy(b->turn, b->rest, sizeof b->turn);
    return b->rate <= GJB_MOST_RADIANS * (1 + 0x1p-12);
}

static unsigned method_of(const gjb_library *library, uint32_t shape)
{
    return library->precision == GJB_F64 ? ((const gjb_meta_f64 *)library->meta)[shape].method
                                         : ((const gjb_meta_f32 *)library->meta)[shape].method;
}

static void measure(const gjb_library *library, body *b)
{
    double extent;
    if (library->precision == GJB_F64) {
        const gjb_meta_f64 *meta = (const gjb_meta_f64 *)library->meta + b->shape;
        b->radius = meta->radius;
        extent = meta->extent;
    } else {
        const gjb_meta_f32 *meta = (const gjb_meta_f32 *)library->meta + b->shape;
        b->radius = (double)meta->radius;
        extent = (double)meta->extent;
    }
    b->reach = fmax(extent - b->radius, 0);
}

/* Everything in units of the grain. */
static void scale_pair(pair *p, const double motion[2][3])
{
    double apart = 0, way = 0;
    measure(p->library, &p->other);
    for (int k = 0; k < 3; k++) {
        p->other.place[k] -= p->plane.place[k];
        p->way[k] = motion[1][k] - motion[0][k];
        apart += fabs(p->other.place[k]);
        way += fabs(p->way[k]);
    }
    const double most = p->other.reach + p->other.radius + fabs(p->face[3]) + p->plane.radius + apart + way;
    p->grain = most > 16 * DBL_MIN ? v_pow2_floor(most) : 16 * DBL_MIN;
    p->scale = 1 / p->grain;
    p->other.reach *= p->scale;
    p->other.radius *= p->scale;
    p->plane.radius *= p->scale;
    for (int k = 0; k < 3; k++) {
        p->other.place[k] *= p->scale;
        p->way[k] *= p->scale;
    }
    const double around =
        p->library->dim == 2
            ? sqrt(p->plane.rest[0][0] * p->plane.rest[0][0] + p->plane.rest[1][0] * p->plane.rest[1][0])
            : 1;
    p->height = p->face[3] * p->scale * around + p->plane.radius;
    const double rest = p->other.reach + p->other.radius + fabs(p->face[3]) * p->scale + p->plane.radius +
                        length_of(p->other.place) + length_of(p->way);
    p->size = fmax(rest + p->plane.rate * rest + p->other.rate * p->other.reach, 0.5);
}

/* --- support mappings, in the local frame --- */

static double along_curve(const pair *p, const void *record, unsigned curve, const double n[3], double at[3])
{
    const uint32_t dim = p->library->dim;
    curve3 c = {.present = 1u << curve};
    double size[3] = {0, 0, 0};
    for (uint32_t k = 0; k < dim; k++)
        size[k] = number_at(p->library, record, k) * p->scale;
    c.is[curve] = 1;
    c.size = (v3){size[0], size[1], size[2]};
    if (curve == CURVE_SUPER) {
        const double power = number_at(p->library, record, dim == 2 ? 2 : 4);
        c.slope = fmin(1 / (power - 1), CURVE_STEEPEST);
        c.inverse = 1 / power;
    }
    const v3 top = extreme_of_curve(&c, (v3){n[0], n[1], n[2]});
    at[0] = top.x;
    at[1] = top.y;
    at[2] = dim == 3 ? top.z : 0;
    return dot(n, at);
}

static void read_vertex(const pair *p, const void *record, uint32_t quads, uint32_t i, double v[3])
{
    const uint32_t dim = p->library->dim, count = 4 * quads;
    const size_t start = dim == 2 ? 0 : 4 * gjb_library_head(quads),
                 group = dim == 3 && quads > LANE_QUADS ? GROUP : count;
    for (uint32_t k = 0; k < 3; k++)
        v[k] = k < dim ? number_at(p->library, record, start + (dim * (i / group) + k) * group + i % group) *
                             p->scale
                       : 0;
}

static double along_vertices(const pair *p, const void *record, uint32_t quads, const double n[3],
                             double at[3])
{
    double top = -INFINITY;
    for (uint32_t i = 0; i < 4 * quads; i++) {
        double v[3];
        read_vertex(p, record, quads, i, v);
        const double h = dot(n, v);
        if (h > top) {
            top = h;
            memcpy(at, v, sizeof v);
        }
    }
    return top;
}

static const void *record_of_other(const pair *p, uint32_t *quads)
{
    const gjb_library *library = p->library;
    const size_t unit = gjb_library_unit(library->dim);
    if (library->precision == GJB_F64) {
        const gjb_meta_f64 *meta = (const gjb_meta_f64 *)library->meta + p->other.shape;
        *quads = meta->quads;
        return (const double *)library->records + unit * meta->offset;
    }
    const gjb_meta_f32 *meta = (const gjb_meta_f32 *)library->meta + p->other.shape;
    *quads = meta->quads;
    return (const float *)library->records + unit * meta->offset;
}

/* How far the other shape's core reaches along n, of any length but 0, about its translation, and where. */
static double reach_along(const pair *p, const double n[3], double at[3])
{
    const gjb_library *library = p->library;
    const body *b = &p->other;
    double local[3], there[3] = {0, 0, 0};
    uint32_t quads;
    const void *record = record_of_other(p, &quads);
    const unsigned curve = METHOD_CURVE(method_of(library, b->shape));
    for (int k = 0; k < 3; k++)
        local[k] = b->turn[0][k] * n[0] + b->turn[1][k] * n[1] + b->turn[2][k] * n[2];
    const double most =
        curve ? along_curve(p, record, curve, local, there) : along_vertices(p, record, quads, local, there);
    for (int k = 0; k < 3; k++)
        at[k] = dot(b->turn[k], there);
    return most;
}

double gjb_halfspace_reach(const gjb_library *library, const gjb_batch *batch, uint32_t index, double scale,
                           const double n[3])
{
    pair p = {.library = library, .scale = scale};
    double motion[3], at[3];
    if (!read_body(library, batch, index, &p.other, motion))
        return INFINITY;
    return reach_along(&p, n, at);
}

/* --- at one time --- */

typedef struct view {
    double n[3];   /* out of the half-space */
    double c[3];   /* the other's translation relative to the half-space's */
    double low[3]; /* lowest point of the other's core, about its translation */
    double sigma;
} view;

static void look(const pair *p, double t, view *v)
{
    double back[3], turned[3];
    for (int k = 0; k < 3; k++)
        turned[k] = dot(p->plane.turn[k], p->face);
    const double length = length_of(turned);
    for (int k = 0; k < 3; k++) {
        v->n[k] = turned[k] / length;
        back[k] = -v->n[k];
        v->c[k] = p->other.place[k] + t * p->way[k];
    }
    const double down = reach_along(p, back, v->low);
    v->sigma = dot(v->n, v->c) - down - p->other.radius - p->height;
}

/* Vectors in world units, A to B. */
static void describe(const pair *p, const view *v, gjb_answer *answer)
{
    for (int k = 0; k < 3; k++) {
        const double mine = p->of_b ? v->low[k] : v->c[k] + v->low[k],
                     other = mine - p->other.radius * v->n[k];
        const double plane = other - v->sigma * v->n[k];
        answer->normal[k] = p->of_b ? -v->n[k] : v->n[k];
        answer->point_a[k] = (p->of_b ? other : plane) * p->grain;
        answer->point_b[k] = (p->of_b ? plane : other) * p->grain;
    }
}

static void answer_at_rest(const pair *p, const gjb_batch *batch, gjb_answer *answer)
{
    view v;
    look(p, 0, &v);
    answer->sigma = v.sigma * p->grain;
    const double bar = batch->query == GJB_INTERSECT ? batch->margin : 0;
    answer->status = answer->sigma > bar ? GJB_SEPARATED : GJB_OVERLAPPING;
    describe(p, &v, answer);
}

static vec3 vector_of(const double v[3])
{
    return (vec3){v[0], v[1], v[2]};
}

/* Across n; in the plane the second is the third axis. */
static void find_across(uint32_t dim, vec3 n, vec3 *t, vec3 *u)
{
    if (dim == 3) {
        across_of(n, t, u);
        return;
    }
    *t = (vec3){-n.y, n.x, 0};
    *u = (vec3){0, 0, 1};
}

static vec3 turned_back(const body *b, vec3 v)
{
    const double world[3] = {v.x, v.y, v.z};
    double local[3];
    for (int k = 0; k < 3; k++)
        local[k] = b->turn[0][k] * world[0] + b->turn[1][k] * world[1] + b->turn[2][k] * world[2];
    return vector_of(local);
}

/* `room`: of the fallback path. */
static void answer_manifold(const pair *p, const gjb_batch *batch, double *room, gjb_answer *answer)
{
    view v;
    uint32_t quads;
    look(p, 0, &v);
    answer->status = v.sigma * p->grain > 0 ? GJB_SEPARATED : GJB_OVERLAPPING;
    for (int k = 0; k < 3; k++)
        answer->normal[k] = p->of_b ? -v.n[k] : v.n[k];
    if (!(v.sigma * p->grain <= batch->margin))
        return;
    const void *record = record_of_other(p, &quads);
    const int narrow = p->library->precision == GJB_F32; /* rounding is that of records */
    lying l = {.of_b = p->of_b,
               .n = vector_of(v.n),
               .c = vector_of(v.c),
               .height = p->height - p->plane.radius,
               .deep = narrow ? 28 * 0x1p-24 : DEEP,
               .as_deep = narrow ? 8 * 0x1p-24 : AS_DEEP,
               .narrow = narrow ? 8 * 0x1p-24 : NARROW,
               .ball = p->plane.radius,
               .radius = p->other.radius,
               .grain = p->grain,
               .most = batch->margin * p->scale + p->plane.radius + p->other.radius};
    const vec3 low = add3(l.c, vector_of(v.low));
    find_across(p->library->dim, l.n, &l.t, &l.u);
    const view3 towards = {turned_back(&p->other, l.t),
                           turned_back(&p->other, l.u),
                           turned_back(&p->other, neg3(l.n)),
                           dot3(l.t, l.c),
                           dot3(l.u, l.c),
                           -dot3(l.n, l.c)};
    const unsigned curve = METHOD_CURVE(method_of(p->library, p->other.shape));
    if (curve == CURVE_CYLINDER || curve == CURVE_CONE) {
        const round3 round = {curve, number_at(p->library, record, 0) * p->scale,
                              number_at(p->library, record, 1) * p->scale};
        find_round_lying(&l, &round, &towards, room, low, answer);
        return;
    }
    if (curve) {
        put_lying(&l, low, v.sigma, FEATURE_DEEPEST(0, 0), answer);
        return;
    }
    const uint32_t count = 4 * quads;
    for (uint32_t i = 0; i < count; i++) {
        double at[3];
        read_vertex(p, record, quads, i, at);
        for (uint32_t k = 0; k < 3; k++)
            room[k * count + i] = at[k];
    }
    const stored3 stored = {room, count, count};
    find_lying(&l, &stored, &towards, room + 3 * count,
               p->library->dim == 2 ? GJB_CONTACTS_2D : GJB_CONTACTS_3D, low, answer);
}

/* --- in motion --- */

/* R(t w) R(0), by Rodrigues' formula. */
static void turn_to(body *b, double t)
{
    double c, s, axis[3];
    if (!(b->rate > 0))
        return;
    gjb_turn_double(t * b->rate, &c, &s);
    for (int k = 0; k < 3; k++)
        axis[k] = b->w[k] / b->rate;
    for (int column = 0; column < 3; column++) {
        const double r[3] = {b->rest[0][column], b->rest[1][column], b->rest[2][column]},
                     along = dot(axis, r);
        double across[3];
        cross(axis, r, across);
        for (int k = 0; k < 3; k++)
            b->turn[k][column] = c * r[k] + s * across[k] + (1 - c) * along * axis[k];
    }
}

/* The gap from a time on, from below. The normal turns by w and the other body by u; what the two make of a point r of
 * its core is n.(r + tau (u - w) x r) less at most (|w| + |u|)^2 |r| tau^2 / 2, and likewise of c. */
typedef struct outlook {
    const pair *p;
    double n[3], swung[3]; /* n x (w - u): the direction down turns by as much the other way */
    double along, opens, bend;
} outlook;

static void look_ahead(const pair *p, const view *v, outlook *o)
{
    const double *w = p->plane.w, s = p->plane.rate, u = p->other.rate, way = length_of(p->way);
    double relative[3], around[3];
    o->p = p;
    memcpy(o->n, v->n, sizeof o->n);
    for (int k = 0; k < 3; k++)
        relative[k] = p->other.w[k] - w[k];
    cross(v->n, relative, o->swung);
    cross(w, v->n, around);
    o->along = dot(v->n, v->c) - p->other.radius - p->height;
    o->opens = dot(v->n, p->way) + dot(around, v->c);
    o->bend =
        (s * s * (length_of(v->c) + way) + 2 * s * way + (s + u) * (s + u) * p->other.reach) * (1 + 0x1p-40);
}

/* The bound after tau, and its slope. */
static double gap_after(const outlook *o, double tau, double *slope)
{
    double down[3], at[3];
    for (int k = 0; k < 3; k++)
        down[k] = -(o->n[k] + tau * o->swung[k]);
    const double most = reach_along(o->p, down, at);
    *slope = o->opens - o->bend * tau + dot(o->swung, at);
    return o->along + tau * o->opens - most - 0.5 * o->bend * tau * tau;
}

/* How long the bound stays at `target`, from above it, up to `most`. It is concave, and no more than the parabola at its
 * beginning. Newton's method from beyond stays there, and a chord from the near end below. */
static double lasting(const outlook *o, double near, double target, double most)
{
    double slope, spare = near - target, start;
    gap_after(o, 0, &start);
    const double below = sqrt(start * start + 2 * o->bend * spare) - start,
                 root = below > 0 ? 2 * spare / below : most;
    double end = fmin(root, most), there = gap_after(o, end, &slope) - target;
    if (there >= 0)
        return end;
    for (int step = 0; step < NEWTON_STEPS && slope < 0; step++) {
        const double next = end - there / slope;
        if (!(next > 0 && next < end))
            break;
        const double then = gap_after(o, next, &slope) - target;
        if (then >= 0)
            return next;
        end = next;
        there = then;
    }
    return end * (spare / (spare - there)) * (1 - 0x1p-50);
}

/* No later than t in the precision of records. */
static double rounded_down(gjb_precision precision, double t)
{
    if (precision == GJB_F64)
        return t;
    float narrow = (float)t;
    if ((double)narrow > t)
        narrow = nextafterf(narrow, 0);
    return (double)narrow;
}

static void answer_moving(pair *p, gjb_answer *answer)
{
    const double epsilon = p->library->precision == GJB_F64 ? 0x1p-53 : 0x1p-24, unit = epsilon * p->size;
    const double target = TOI_TARGET * unit, touch = TOI_TOUCH * unit;
    double t = 0;
    view v;
    for (answer->iterations = 1; answer->iterations <= TOI_STEPS; answer->iterations++) {
        outlook o;
        turn_to(&p->plane, t);
        turn_to(&p->other, t);
        look(p, t, &v);
        if (v.sigma <= touch)
            break;
        look_ahead(p, &v, &o);
        const double next = t + lasting(&o, v.sigma, target, 1 - t);
        if (next >= 1) {
            answer->status = GJB_SEPARATED;
            return;
        }
        if (!(next > t))
            break;
        t = next;
    }
    answer->status = GJB_ITERATION_LIMIT;
    if (!(v.sigma <= touch))
        return;
    t = rounded_down(p->library->precision, t);
    turn_to(&p->plane, t);
    turn_to(&p->other, t);
    look(p, t, &v);
    answer->status = t > 0 ? GJB_HIT : GJB_OVERLAPPING;
    answer->sigma = t;
    describe(p, &v, answer);
}

/* --- batches --- */

static int is_plane(const gjb_library *library, uint32_t shape)
{
    const double *plane = library->planes[shape];
    return dot(plane, plane) > 0 || isnan(plane[3]);
}

static void answer_pair(const gjb_library *library, const gjb_batch *batch, const uint32_t *bodies,
                        double *room, gjb_answer *answer)
{
    pair p = {.library = library};
    double motion[2][3];
    const uint32_t shapes[2] = {gjb_batch_shape(batch, bodies[0]), gjb_batch_shape(batch, bodies[1])};
    p.of_b = !is_plane(library, shapes[0]);
    p.face = library->planes[shapes[p.of_b]];
    answer->status = GJB_INVALID_INPUT;
    if (!read_body(library, batch, bodies[p.of_b], &p.plane, motion[0]) ||
        !read_body(library, batch, bodies[!p.of_b], &p.other, motion[1]) || !(fabs(p.face[3]) <= DBL_MAX))
        return;
    const double *second = library->planes[shapes[!p.of_b]];
    const int both = dot(second, second) > 0;
    if (!both && METHOD_SIZE(method_of(library, shapes[!p.of_b])) == SHAPE_INVALID)
        return;
    answer->status = GJB_UNSUPPORTED;
    if (both || batch->query == GJB_SWEEP)
        return;
    p.plane.radius = p.face[4];
    scale_pair(&p, (const double(*)[3])motion);
    if (batch->query == GJB_TOI)
        answer_moving(&p, answer);
    else if (batch->query == GJB_MANIFOLD)
        answer_manifold(&p, batch, room, answer);
    else
        answer_at_rest(&p, batch, answer);
}

static void write_axis(const gjb_library *library, const gjb_batch *batch, size_t i, const gjb_answer *answer)
{
    static const double none[3] = {0};
    const int known =
        answer->status == GJB_SEPARATED || answer->status == GJB_OVERLAPPING || answer->status == GJB_HIT;
    gjb_numbers_write(library->precision, known ? answer->normal : none, library->dim,
                      (char *)batch->axes + i * batch->axis_stride);
}

void gjb_halfspace_run(const gjb_library *library, const gjb_batch *batch, double *room)
{
    for (size_t i = 0; i < batch->pair_count; i++) {
        const uint32_t *bodies = batch->pairs + 2 * i;
        if (!is_plane(library, gjb_batch_shape(batch, bodies[0])) &&
            !is_plane(library, gjb_batch_shape(batch, bodies[1])))
            continue;
        gjb_answer answer = {0};
        answer_pair(library, batch, bodies, room, &answer);
        gjb_answer_write(batch->query, library->precision, library->dim, &answer,
                         (char *)batch->results + i * batch->result_stride);
        if (batch->axes)
            write_axis(library, batch, i, &answer);
    }
}
