/* Swept boxes, one pair a lane: compiled once per backend, precision and dimension.
 *
 * Relative to A, B is a point that moves along a segment, against the Minkowski
 * sum of A and B reflected, which is a box: the segment is clipped against one
 * slab per axis (Kay and Kajiya 1986; Liang and Barsky 1984). Along an axis, with A
 * from la to ha and B from lb to hb about their own origins, d from A's translation to
 * B's and v from A's displacement to B's,
 *     in contact at t  <=>  p <= v t <= q,   p = (la - hb) - d,   q = (ha - lb) - d.
 *
 * Never late. Let u be the unit roundoff and M = max(|la - hb|, |ha - lb|) + |d|. The
 * computed p is off by 2 u M at most, apart from terms in u^2: la - hb, d and their
 * difference are rounded. The slab is grown to p - 6 u M, and the time it gives,
 * (p - 6 u M) / v, has three more roundings: of the growth, of v and of the quotient.
 * If p - 6 u M <= 0 the time is not above zero, which is early enough. Else they move
 * it by 3 u p / v at most, and p <= M: for v > 0
 *     v t <= p + (2 - 6 + 3) u M + terms in u^2 <= p,
 * so t is no later than the time of contact, which is p / v. By symmetry t is late
 * enough when a slab is left, and the same holds for v < 0. Rounding of M itself takes
 * less than the u M that is left over. How early? By (2 + 6 + 3) u M and a little of
 * the displacement along an axis. Over all axes the squares of M sum up to S^2 at most, since
 * max(|la - hb|, |ha - lb|) <= max(|la|, |ha|) + max(|lb|, |hb|): at the time of a hit
 * the boxes are within 12 u S of each other. Sums of subnormal numbers are exact. A
 * quotient below the least normal number N is off by u N at most, which is u N |v| of
 * the displacement. So an M that is not 0 counts as no less than 4 N |v|, which is
 * negligible next to S; and as no less than 16 N, the size to which smaller pairs are
 * held.
 *
 * Nothing is scaled: sums and quotients scale with a power of two as long as 6 u M is a
 * normal number.
 *
 * Two boxes that keep their distance along an axis have v = 0; the difference of two
 * floats is 0 only if they are equal. They are in its slab all the time or never: a
 * selection, without a quotient.
 */
#include "core/types.h"
#include "simd/lanes/lanes.h"
#include "simd/library.h"

#define GROWTH (6 * REAL_EPSILON)
#define CLOSE ((real)0x1p-10) /* largest difference of a rotation's squared length from 1 */
#define AHEAD 64 /* pairs prefetched ahead, one round at a time: memory is then always busy */

#if GJB_BITS == 32
typedef gjb_meta_f32 shape_meta;
#define RECORD_(dim) gjb_sweep##dim##f
#else
typedef gjb_meta_f64 shape_meta;
#define RECORD_(dim) gjb_sweep##dim##d
#endif
#define RECORD(dim) RECORD_(dim)
typedef RECORD(GJB_DIM) record;

/* A record is so many reals; the first is the head. */
enum { VALUE = 1, LAST, NORMAL, POINT = NORMAL + GJB_DIM, REALS = POINT + GJB_DIM };
_Static_assert(sizeof(record) == REALS * sizeof(real), "a record is reals without gaps");

#define SWEEP__(backend, dim, bits) gjb_sweep##dim##_##backend##_##bits
#define SWEEP_(backend, dim, bits) SWEEP__(backend, dim, bits)
#define SWEEP SWEEP_(GJB_BACKEND, GJB_DIM, GJB_BITS)

enum {
    POSE = GJB_DIM == 2 ? 4 : 7,
    TURN = GJB_DIM == 2 ? 1 : 3,
    MOTION = GJB_DIM + TURN,
    BOX = GJB_DIM == 2 ? 4 : 8
};

/* Addresses of the numbers of bodies. */
typedef struct sources {
    const char *poses, *motions;
    size_t pose_stride, motion_stride;
    const uint32_t *body_shape;
    const real *boxes;
    const real *first; /* 2D: a copy of body 0's motion with a real before it: four are read from there */
} sources;

LANE_FN const real *pose_of(const sources *from, uint32_t body)
{
    return (const real *)(from->poses + body * from->pose_stride);
}

LANE_FN const real *motion_of(const sources *from, uint32_t body)
{
#if GJB_DIM == 2
    if (body == 0 || from->motion_stride == 0)
        return from->first;
#endif
    return (const real *)(from->motions + body * from->motion_stride);
}

LANE_FN const real *box_of(const sources *from, uint32_t body)
{
    return from->boxes + BOX * (size_t)(from->body_shape ? from->body_shape[body] : body);
}

/* A body of each lane. */
typedef struct bodies {
    vr low[GJB_DIM], high[GJB_DIM], at[GJB_DIM], by[GJB_DIM];
    vm plain; /* neither turned nor turning */
} bodies;

/* Reals `at` to `at` + 3 of each lane's row. Keeps the compiler from computing the rows of several loads
 * before it loads: those are more pointers than registers. */
#define LOAD4(row, at, out) \
    do { \
        const real *rows[LANES]; \
        for (unsigned l = 0; l < LANES; l++) \
            rows[l] = (row) + (at); \
        v_load4t(rows, out); \
        __asm__ volatile("" ::: "memory"); \
    } while (0)

/* `body`: every second one, a pair's A or B. */
LANE_FN void load_bodies(const sources *from, const uint32_t *body, bodies *b)
{
    const vr zero = v_set(0);
    vr r[4];
#if GJB_DIM == 2
    LOAD4(box_of(from, body[2 * l]), 0, r);
    memcpy(b->low, r, sizeof b->low);
    memcpy(b->high, r + 2, sizeof b->high);
    LOAD4(pose_of(from, body[2 * l]), 0, r);
    memcpy(b->at, r, sizeof b->at);
    b->plain = m_and(v_eq(r[2], v_set(1)), v_eq(r[3], zero));
    LOAD4(motion_of(from, body[2 * l]), -1, r);
    memcpy(b->by, r + 1, sizeof b->by);
    b->plain = m_and(b->plain, v_eq(r[3], zero));
#else
    LOAD4(box_of(from, body[2 * l]), 0, r);
    memcpy(b->low, r, sizeof b->low);
    LOAD4(box_of(from, body[2 * l]), 4, r);
    memcpy(b->high, r, sizeof b->high);
    LOAD4(pose_of(from, body[2 * l]), 0, r);
    memcpy(b->at, r, sizeof b->at);
    LOAD4(pose_of(from, body[2 * l]), 3, r); /* any multiple of a unit quaternion's real part turns nothing */
    b->plain = m_and(m_and(v_eq(r[0], zero), v_eq(r[1], zero)), v_eq(r[2], zero));
    b->plain = m_and(b->plain, v_lt(v_abs(v_sub(v_mul(r[3], r[3]), v_set(1))), v_set(CLOSE)));
    LOAD4(motion_of(from, body[2 * l]), 0, r);
    memcpy(b->by, r, sizeof b->by);
    LOAD4(motion_of(from, body[2 * l]), 2, r);
    b->plain = m_and(b->plain, m_and(m_and(v_eq(r[1], zero), v_eq(r[2], zero)), v_eq(r[3], zero)));
#endif
}

/* The times at which the relative motion enters and leaves every slab so far. */
typedef struct clip {
    vr first, last, normal[GJB_DIM];
    vm valid;
} clip;

LANE_FN void clip_axis(clip *c, const bodies *a, const bodies *b, int axis)
{
    const vr zero = v_set(0), one = v_set(1), never = v_set(REAL_MAX), always = v_set(-REAL_MAX);
    const vr low = v_sub(a->low[axis], b->high[axis]), high = v_sub(a->high[axis], b->low[axis]);
    const vr d = v_sub(b->at[axis], a->at[axis]), v = v_sub(b->by[axis], a->by[axis]);
    const vr size = v_add(v_max(v_abs(low), v_abs(high)), v_abs(d));
    const vr least = v_max(v_set(16 * REAL_MIN), v_mul(v_set(4 * REAL_MIN), v_abs(v)));
    const vr growth = v_mul(v_sel(v_gt(size, zero), v_max(size, least), zero), v_set(GROWTH));
    const vr p = v_sub(v_sub(low, d), growth), q = v_add(v_sub(high, d), growth);
    const vm ahead = v_gt(v, zero), still = v_eq(v, zero), inside = m_and(v_le(p, zero), v_ge(q, zero));
    const vr divisor = v_sel(still, one, v);
    const vr enter = v_sel(still, v_sel(inside, always, never), v_div(v_sel(ahead, p, q), divisor));
    const vr leave = v_sel(still, never, v_div(v_sel(ahead, q, p), divisor));
    const vm later = v_gt(enter, c->first);
    c->first = v_sel(later, enter, c->first);
    c->last = v_min(leave, c->last);
    for (int k = 0; k < axis; k++)
        c->normal[k] = v_sel(later, zero, c->normal[k]);
    c->normal[axis] = v_sel(later, v_sel(ahead, v_set(-1), one), zero);
    c->valid = m_and(c->valid, v_lt(v_add(size, v_abs(v)), v_set(REAL_MAX / 16)));
}

/* The middle of the intersection of both boxes along an axis, relative to A's translation;
 * the middle of the gap if rounding left one. */
LANE_FN vr centre(const bodies *a, const bodies *b, int axis, vr t)
{
    const vr d = v_sub(b->at[axis], a->at[axis]), v = v_sub(b->by[axis], a->by[axis]);
    const vr x = v_add(d, v_mul(v, t));
    const vr low = v_max(a->low[axis], v_add(x, b->low[axis])),
             high = v_min(a->high[axis], v_add(x, b->high[axis]));
    return v_add(v_mul(v_set((real)0.5), v_add(low, high)), v_set(0)); /* no -0 */
}

static inline real head_real(gjb_status status)
{
    const record r = {.head.status = (uint16_t)status};
    real head;
    memcpy(&head, &r, sizeof head);
    return head;
}

/* The records' reals of LANES pairs; returns which lanes' numbers can be swept. */
LANE_FN vm sweep_tile(const bodies *a, const bodies *b, vr out[REALS])
{
    const vr zero = v_set(0), one = v_set(1);
    clip c = {.first = v_set(-REAL_MAX), .last = v_set(REAL_MAX), .valid = m_and(a->plain, b->plain)};
    for (int axis = 0; axis < GJB_DIM; axis++)
        clip_axis(&c, a, b, axis);
    const vm meet =
        m_and(m_and(v_le(c.first, c.last), v_le(c.first, one)), m_and(v_ge(c.last, zero), c.valid));
    const vm hit = m_and(meet, v_gt(c.first, zero));
    const vr t = v_sel(hit, c.first, zero);
    out[0] = v_sel(hit, v_set(head_real(GJB_HIT)),
                   v_sel(meet, v_set(head_real(GJB_OVERLAPPING)), v_set(head_real(GJB_SEPARATED))));
    out[VALUE] = t;
    out[LAST] = v_sel(meet, v_max(v_min(c.last, one), zero), zero);
    for (int axis = 0; axis < GJB_DIM; axis++) {
        out[NORMAL + axis] = v_sel(hit, c.normal[axis], zero);
        out[POINT + axis] = v_sel(meet, centre(a, b, axis, t), zero);
    }
    return c.valid;
}

static int all_finite(const real *x, int count)
{
    int finite = 1;
    for (int k = 0; k < count; k++)
        finite &= x[k] >= -REAL_MAX && x[k] <= REAL_MAX;
    return finite;
}

static int all_zero(const real *x, int count)
{
    int zero = 1;
    for (int k = 0; k < count; k++)
        zero &= x[k] >= 0 && x[k] <= 0;
    return zero;
}

/* 1 if no query accepts the body's numbers. */
static int invalid_body(const gjb_library *library, const sources *from, uint32_t body)
{
    const uint32_t shape = from->body_shape ? from->body_shape[body] : body;
    const real *pose = pose_of(from, body);
    real rho = 0;
    for (int k = GJB_DIM; k < POSE; k++)
        rho += pose[k] * pose[k];
    return METHOD_SIZE(((const shape_meta *)library->meta)[shape].method) == SHAPE_INVALID ||
           !all_finite(pose, POSE) || !all_finite(motion_of(from, body), MOTION) ||
           !(rho - 1 < CLOSE && 1 - rho < CLOSE);
}

/* 1 if a sweep does not accept the body, although other queries may. */
static int unsupported_body(const sources *from, uint32_t body)
{
    const real *turn = pose_of(from, body) + GJB_DIM;
    const int turned =
        GJB_DIM == 2 ? turn[0] < 1 || turn[0] > 1 || !all_zero(turn + 1, 1) : !all_zero(turn, 3);
    return turned || !all_zero(motion_of(from, body) + GJB_DIM, TURN) || !from->boxes ||
           !all_finite(box_of(from, body), GJB_DIM);
}

/* Other pairs have numbers whose sums overflow: they are invalid. */
static void refuse(const gjb_library *library, const sources *from, const uint32_t *pair, record *to)
{
    const int invalid = invalid_body(library, from, pair[0]) || invalid_body(library, from, pair[1]);
    const int unsupported = unsupported_body(from, pair[0]) || unsupported_body(from, pair[1]);
    const record r = {.head.status = !invalid && unsupported ? GJB_UNSUPPORTED : GJB_INVALID_INPUT};
    memcpy(to, &r, sizeof r);
}

/* Overlapping groups of four reals that cover a record. */
LANE_FN void store_records(const vr out[REALS], char *to, size_t stride)
{
    static const int from[] = {0, GJB_DIM == 2 ? 3 : 4, REALS - 4};
    for (int g = 0; g < (GJB_DIM == 2 ? 2 : 3); g++) {
        real *p[LANES];
        for (unsigned l = 0; l < LANES; l++)
            p[l] = (real *)(to + l * stride) + from[g];
        v_store4t(out + from[g], p);
    }
}

/* LANES pairs. Returns those whose numbers cannot be swept. */
LANE_FN unsigned run_tile(const sources *from, const uint32_t *pairs, char *results, size_t stride)
{
    bodies a, b;
    vr out[REALS];
    load_bodies(from, pairs, &a);
    load_bodies(from, pairs + 1, &b);
    const vm valid = sweep_tile(&a, &b, out);
    store_records(out, results, stride);
    return m_bits(m_not(valid)) & lanes_below(LANES);
}

/* `count` pairs, less than LANES: lanes beyond repeat the last. */
static __attribute__((noinline)) unsigned run_rest(const sources *from, const uint32_t *pairs, unsigned count,
                                                   char *results, size_t stride)
{
    uint32_t all[2 * LANES];
    record spare[LANES];
    for (unsigned l = 0; l < LANES; l++)
        memcpy(all + 2 * l, pairs + 2 * (l < count ? l : count - 1), 2 * sizeof *all);
    const unsigned bad = run_tile(from, all, (char *)spare, sizeof *spare);
    for (unsigned l = 0; l < count; l++)
        memcpy(results + l * stride, spare + l, sizeof *spare);
    return bad & lanes_below(count);
}

LANE_FN void prefetch(const void *address)
{
    __builtin_prefetch(address, 0, 2);
}

/* Prefetches each cache line of `bytes` bytes from `first` on. */
LANE_FN void prefetch_run(const char *first, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += 64)
        prefetch(first + at);
}

/* Consecutive bodies need no prefetch, unless their boxes, which are not consecutive, keep the
 * core waiting: then everything is faster with prefetches. */
LANE_FN void ask_for(const sources *from, const uint32_t *bodies, unsigned count, int far)
{
    const int in_order = bodies[count - 1] - bodies[0] <= 2 * count;
    if (in_order && !(far && from->body_shape))
        return;
    if (in_order) {
        const size_t run = bodies[count - 1] - bodies[0] + 1;
        prefetch_run((const char *)pose_of(from, bodies[0]), run * from->pose_stride);
        prefetch_run((const char *)motion_of(from, bodies[0]), run * from->motion_stride);
    } else
        for (unsigned k = 0; k < count; k++) {
            prefetch(pose_of(from, bodies[k]));
            prefetch(motion_of(from, bodies[k]));
            if (from->body_shape)
                prefetch(from->body_shape + bodies[k]);
        }
    for (unsigned k = 0; far && k < count; k++)
        prefetch(box_of(from, bodies[k]));
}

/* The strides are arguments so that callers can pass constants, which need no multiplications. */
LANE_FN void run_tiles(const gjb_library *library, const gjb_batch *batch, const sources *all,
                       size_t pose_stride, size_t motion_stride, size_t stride)
{
    sources from = *all;
    from.pose_stride = pose_stride;
    from.motion_stride = motion_stride;
    size_t asked = 0; /* pairs whose numbers have been prefetched */
    for (size_t first = 0; first < batch->pair_count; first += LANES) {
        const size_t until = batch->pair_count - first < AHEAD ? batch->pair_count : first + AHEAD;
        for (; asked < until; asked += LANES) {
            const size_t wanted = batch->pair_count - asked < LANES ? batch->pair_count - asked : LANES;
            ask_for(&from, batch->pairs + 2 * asked, 2 * (unsigned)wanted, library->boxes_far);
        }
        const size_t left = batch->pair_count - first;
        const uint32_t *pairs = batch->pairs + 2 * first;
        char *results = (char *)batch->results + first * stride;
        unsigned bad = left < LANES ? run_rest(&from, pairs, (unsigned)left, results, stride)
                                    : run_tile(&from, pairs, results, stride);
        for (; bad; bad &= bad - 1) {
            const unsigned l = (unsigned)__builtin_ctz(bad);
            refuse(library, all, pairs + 2 * l, (record *)(results + l * stride));
        }
    }
}

void SWEEP(const void *prepared, const gjb_batch *batch)
{
    const gjb_library *library = prepared;
    static const real still[1 + MOTION];
    if (batch->pair_count == 0)
        return;
    real first[1 + MOTION] = {0};
    if (batch->motions)
        memcpy(first + 1, batch->motions, MOTION * sizeof(real));
    const sources from = {.poses = batch->poses,
                          .motions = batch->motions ? batch->motions : (const void *)(still + 1),
                          .pose_stride = batch->pose_stride,
                          .motion_stride = batch->motions ? batch->motion_stride : 0,
                          .body_shape = batch->body_shape,
                          .boxes = library->boxes,
                          .first = first + 1};
    if (batch->stats) { /* one round a pair */
        batch->stats->pairs += batch->pair_count;
        batch->stats->lane_slots += (batch->pair_count + LANES - 1) / LANES * LANES;
        batch->stats->lane_live += batch->pair_count;
        batch->stats->iterations[0] += batch->pair_count;
    }
    for (size_t i = 0; !library->boxes && i < batch->pair_count; i++)
        refuse(library, &from, batch->pairs + 2 * i,
               (record *)((char *)batch->results + i * batch->result_stride));
    if (!library->boxes)
        return;
    const size_t pose = POSE * sizeof(real), motion = MOTION * sizeof(real);
    if (from.pose_stride == pose && from.motion_stride == motion && batch->result_stride == sizeof(record))
        run_tiles(library, batch, &from, pose, motion, sizeof(record));
    else
        run_tiles(library, batch, &from, from.pose_stride, from.motion_stride, batch->result_stride);
}
