/* Contacts that are left: which of the pairs that hit only touch at t = 0, and go no deeper.
 *
 * Bodies that do not turn: sigma(t) is convex. At any time the normal of the signed distance gives a line below it,
 * for the gap along a fixed direction changes with the velocity along it. So two or three lines prove that sigma stays
 * above a level, and one value below it proves that it does not. The next time to look at is where the lines found so
 * far are lowest (cutting planes, Kelley 1960): a contact has one normal of many if it is at an edge or a vertex, and
 * only some of them separate what moves away.
 *
 * Signed distances come from the kernels, many pairs at once, so that every backend decides alike. Of these only the
 * normal counts: the gap along it is measured again in double, for distances of curved shapes are not known well
 * enough. That and bookkeeping are of one pair at a time. */
#include "simd/leaving.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/types.h"
#include "simd/space/fallback/halfspace.h"

enum {
    CHUNK_OF_LOOKS = 64, /* pairs looked at together */
    MOST_LOOKS = 64,     /* of a pair; then the contact stays */
    REALS_OF_POSE = 7    /* the most */
};

/* A lower bound of sigma that is linear in t. */
typedef struct line {
    double at_0, slope;
} line;

typedef struct leaver {
    size_t pair;         /* of the batch */
    double offset[3];    /* of B's origin against A's at t = 0 */
    double way[3];       /* and in the step */
    double deep, far;    /* LEAVING_DEEP, LEAVING_FAR */
    double radii, scale; /* of both; a power of two that brings the size below 1 */
    int plane;           /* one is a half-space, of which the distance itself is measured so */
    int hit;             /* it was said to hit, not to overlap */
    double t;            /* where to look next */
    double from, to;     /* sigma falls until the one, if it is not 0, and rises from the other on, if that is not 1 */
    line falling, rising; /* the lines of these two; `rising` once `closed` */
    int closed, looks;
} leaver;

/* What the pass knows of a batch. */
typedef struct pass {
    const gjb_library *library;
    const gjb_batch *batch;
    gjb_few *at_rest;
    size_t record, number; /* bytes */
} pass;

static double number_at(const pass *p, const void *from, size_t k)
{
    float f;
    double d;
    if (p->library->precision == GJB_F64) {
        memcpy(&d, (const char *)from + k * sizeof d, sizeof d);
        return d;
    }
    memcpy(&f, (const char *)from + k * sizeof f, sizeof f);
    return (double)f;
}

static void put_number(const pass *p, void *to, size_t k, double value)
{
    const float f = (float)value;
    if (p->library->precision == GJB_F64)
        memcpy((char *)to + k * sizeof value, &value, sizeof value);
    else
        memcpy((char *)to + k * sizeof f, &f, sizeof f);
}

static const void *pose_of(const pass *p, uint32_t body)
{
    return (const char *)p->batch->poses + body * p->batch->pose_stride;
}

static uint32_t shape_of(const pass *p, uint32_t body)
{
    return p->batch->body_shape ? p->batch->body_shape[body] : body;
}

static gjb_head *head_of(const pass *p, size_t pair)
{
    return (gjb_head *)(void *)((char *)p->batch->results + pair * p->batch->result_stride);
}

/* Only the status, and how many iterations led to it. */
static void rewrite(const pass *p, size_t pair, gjb_status status)
{
    gjb_head head = *head_of(p, pair);
    head.status = (uint16_t)status;
    memset(head_of(p, pair), 0, p->record);
    memcpy(head_of(p, pair), &head, sizeof head);
}

/* What a shape adds to S; also says whether it is curved or a half-space, and its radius. */
static double extent_of(const gjb_library *library, uint32_t shape, int *curved, leaver *l)
{
    const double *plane = library->planes ? library->planes[shape] : NULL;
    if (plane && !(plane[0] == 0 && plane[1] == 0 && plane[2] == 0)) {
        l->plane = 1;
        return fabs(plane[3]) + plane[4];
    }
    const gjb_meta_f32 *single = (const gjb_meta_f32 *)library->meta + shape;
    const gjb_meta_f64 *whole = (const gjb_meta_f64 *)library->meta + shape;
    const int is_single = library->precision == GJB_F32;
    *curved |= METHOD_CURVE(is_single ? single->method : whole->method) != CURVE_NONE;
    l->radii += is_single ? (double)single->radius : whole->radius;
    return is_single ? (double)single->extent : whole->extent;
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The pair as it begins. 0 if a body turns. */
static int begin(const pass *p, size_t pair, leaver *l)
{
    const gjb_library *library = p->library;
    const uint32_t *bodies = p->batch->pairs + 2 * pair, dim = library->dim;
    int curved = 0, turns = 0;
    double size = 0;
    *l = (leaver){.pair = pair, .to = 1, .hit = head_of(p, pair)->status == GJB_HIT};
    for (int side = 0; side < 2; side++) {
        const double sign = side ? 1 : -1;
        const char *motion = p->batch->motions;
        motion = motion ? motion + bodies[side] * p->batch->motion_stride : NULL;
        for (uint32_t k = 0; k < gjb_motion_numbers(dim) && motion; k++) {
            const double m = number_at(p, motion, k);
            turns |= k >= dim && m != 0;
            l->way[k % 3] += k < dim ? sign * m : 0;
        }
        for (uint32_t k = 0; k < dim; k++)
            l->offset[k] += sign * number_at(p, pose_of(p, bodies[side]), k);
        size += extent_of(library, shape_of(p, bodies[side]), &curved, l);
    }
    size = fmax(size + length(l->offset) + length(l->way), gjb_least_size(library->precision));
    const double unit = gjb_epsilon(library->precision) * size, more = curved && dim == 3 ? LEAVING_CURVED3 : 0;
    l->deep = (LEAVING_DEEP + more) * unit;
    l->far = (LEAVING_FAR + more) * unit;
    l->scale = ldexp(1, -1 - ilogb(size));
    return !turns;
}

static double along(const pass *p, const leaver *l, const void *record)
{
    double sum = 0;
    for (uint32_t k = 0; k < p->library->dim; k++)
        sum += number_at(p, record, 2 + k) * l->way[k];
    return sum;
}

/* May a pair in contact have touched at t = 0? One that hits later closed in by more on the way, unless it hardly
 * moved. */
static int may_leave(const pass *p, const leaver *l)
{
    const gjb_head *record = head_of(p, l->pair);
    return !l->hit || !(-number_at(p, record, 1) * along(p, l, record) > 3 * l->deep);
}

/* The pair as it lies at l->t: A at the origin, so that places are no coarser than the pair. */
static void place(const pass *p, const leaver *l, char *poses, uint32_t *shapes)
{
    const uint32_t dim = p->library->dim;
    for (int side = 0; side < 2; side++) {
        const uint32_t body = p->batch->pairs[2 * l->pair + (unsigned)side];
        char *pose = poses + (size_t)side * REALS_OF_POSE * p->number;
        shapes[side] = shape_of(p, body);
        memcpy(pose, pose_of(p, body), gjb_pose_size(p->library->precision, dim));
        for (uint32_t k = 0; k < dim; k++)
            put_number(p, pose, k, side ? l->offset[k] + l->t * l->way[k] : 0);
    }
}

typedef enum found { STAYS, LEAVES, OPEN } found;

static double value_of(line of, double t)
{
    return of.at_0 + t * of.slope;
}

/* Where the lines are lowest, if rounding has not put that outside; LEAVES if that is not below the level. */
static found look_further(leaver *l)
{
    if (!l->closed) {
        l->t = 1;
        return OPEN;
    }
    const double t = (l->falling.at_0 - l->rising.at_0) / (l->rising.slope - l->falling.slope);
    const int inside = t > l->from && t < l->to;
    if (inside && fmax(value_of(l->falling, t), value_of(l->rising, t)) >= -l->deep)
        return LEAVES;
    l->t = inside ? t : l->from + (l->to - l->from) / 2;
    return l->t > l->from && l->t < l->to ? OPEN : STAYS;
}

/* A line below sigma: the gap along the normal of a record of l->t. */
static line line_of(const pass *p, const leaver *l, const void *record)
{
    double n[3] = {0, 0, 0}, back[3], reach = l->radii, gap = 0, slope = 0;
    for (uint32_t k = 0; k < p->library->dim; k++)
        n[k] = number_at(p, record, 2 + k);
    const double by = 1 / length(n);
    for (int k = 0; k < 3; k++) {
        n[k] *= by;
        back[k] = -n[k];
        gap += n[k] * l->offset[k];
        slope += n[k] * l->way[k];
    }
    if (l->plane)
        return (line){number_at(p, record, 1) - l->t * slope, slope};
    const uint32_t *bodies = p->batch->pairs + 2 * l->pair;
    reach += (gjb_halfspace_reach(p->library, p->batch, bodies[0], l->scale, n) +
              gjb_halfspace_reach(p->library, p->batch, bodies[1], l->scale, back)) /
             l->scale;
    return (line){gap - reach, slope};
}

/* What the signed distance at l->t says. */
static found look(const pass *p, leaver *l, const void *record)
{
    gjb_head head;
    memcpy(&head, record, sizeof head);
    const double sigma = number_at(p, record, 1);
    if ((head.status != GJB_SEPARATED && head.status != GJB_OVERLAPPING) || !(sigma >= -l->deep) ||
        ++l->looks >= MOST_LOOKS || (l->looks == 1 && l->hit && !(sigma <= l->far)))
        return STAYS;
    const line below = line_of(p, l, record);
    const double slope = below.slope;
    if (fmin(below.at_0, value_of(below, 1)) >= -l->deep)
        return LEAVES;
    if (slope < 0) {
        l->falling = below;
        l->from = l->t;
    } else {
        l->rising = below;
        l->to = l->t;
        l->closed = 1;
    }
    return look_further(l);
}

/* Signed distances of all, and what they say; those that stay open come first. Returns how many. */
static unsigned look_at_all(const pass *p, leaver *all, unsigned count)
{
    static const uint32_t pairs[2 * CHUNK_OF_LOOKS] = {
#define TWO(i) 2 * (i), 2 * (i) + 1
#define EIGHT(i) TWO(i), TWO(i + 1), TWO(i + 2), TWO(i + 3), TWO(i + 4), TWO(i + 5), TWO(i + 6), TWO(i + 7)
        EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56)};
    double poses[2 * CHUNK_OF_LOOKS * REALS_OF_POSE];
    uint32_t shapes[2 * CHUNK_OF_LOOKS];
    gjb_result3d records[CHUNK_OF_LOOKS];
    unsigned open = 0;
    for (unsigned i = 0; i < count; i++)
        place(p, &all[i], (char *)poses + 2 * i * REALS_OF_POSE * p->number, shapes + 2 * (size_t)i);
    const gjb_batch batch = {.query = GJB_SIGNED_DISTANCE,
                             .poses = poses,
                             .pose_stride = REALS_OF_POSE * p->number,
                             .body_shape = shapes,
                             .pairs = pairs,
                             .pair_count = count,
                             .results = records,
                             .result_stride = p->record,
                             .workspace = p->batch->workspace};
    p->at_rest(p->library, &batch);
    for (unsigned i = 0; i < count; i++) {
        const found what = look(p, &all[i], (const char *)records + i * p->record);
        if (what == LEAVES)
            rewrite(p, all[i].pair, GJB_SEPARATED);
        else if (what == OPEN)
            all[open++] = all[i];
    }
    return open;
}

void gjb_leaving_run(const gjb_library *library, const gjb_batch *batch, gjb_few *at_rest)
{
    const pass p = {library, batch, at_rest, gjb_result_size(GJB_TOI, library->precision, library->dim),
                    library->precision == GJB_F64 ? sizeof(double) : sizeof(float)};
    leaver all[CHUNK_OF_LOOKS];
    for (size_t pair = 0; pair < batch->pair_count;) {
        unsigned count = 0;
        for (; pair < batch->pair_count && count < CHUNK_OF_LOOKS; pair++) {
            const unsigned status = head_of(&p, pair)->status;
            if (status != GJB_HIT && status != GJB_OVERLAPPING)
                continue;
            const int straight = begin(&p, pair, &all[count]);
            if (!straight)
                rewrite(&p, pair, GJB_UNSUPPORTED);
            count += straight && may_leave(&p, &all[count]);
        }
        while (count)
            count = look_at_all(&p, all, count);
    }
}
