/* Turns results of lanes into world units and records, and handles pairs that lanes refuse or
 * cannot prove. */
#ifndef GJB_SIMD_ANSWER2_H
#define GJB_SIMD_ANSWER2_H

#include "core/types.h"
#include "simd/doubtful.h"
#include "simd/plane/doubtful2.h"
#include "simd/plane/fallback/fallback2_body.h"
#include "simd/plane/fallback/fallback2_curved.h"
#include "simd/plane/tile2.h"

/* ---- the fallback path ---- */

/* The answer of a pair that was not found by lanes of `real`. `rounded`: a shape has a radius. */
static void write_fallback_answer(context *ctx, unsigned pair, unsigned iterations, const fallback_answer *got,
                                  int rounded)
{
    const gjb_query query = ctx->batch->query;
    const int overlapping = !(got->sigma > 0) || (got->cores_overlap && !rounded);
    const gjb_status status = overlapping ? GJB_OVERLAPPING : GJB_SEPARATED;
    if (!overlapping && notes_separation(ctx))
        note_axis(ctx, pair, got->normal);
    if (query == GJB_INTERSECT || (query == GJB_DISTANCE && overlapping) ||
        (query == GJB_PENETRATION && !overlapping)) {
        write_plain(ctx, pair, status, iterations);
        return;
    }
    record r;
    memset(&r, 0, sizeof r);
    r.value = (real)(query == GJB_PENETRATION ? -got->sigma : got->sigma) + 0;
    for (int k = 0; k < 2; k++) {
        r.normal[k] = (real)got->normal[k] + 0;
        r.point_a[k] = (real)got->a[k] + 0;
        r.point_b[k] = (real)got->b[k] + 0;
    }
    memcpy(result_of(ctx, pair), &r, sizeof r);
    write_head(ctx, pair, status, iterations);
}

/* All arithmetic is in fallback2.c, compiled once; here numbers are only moved. */
static void fallback_pair(context *ctx, unsigned entry, unsigned iterations)
{
    const sources *all = ctx->pairs.all;
    const unsigned pair = all->pair[entry];
    const size_t room = 8 * (size_t)ctx->library->max_quads; /* x and y of one shape */
    const uint32_t body_a = all->body_a[entry], body_b = all->body_b[entry];
    const shape_meta *ma = meta_of(ctx->library, ctx->batch, body_a), *mb = meta_of(ctx->library, ctx->batch, body_b);
    fallback_body a = widen_body(all->rec_a[entry], ma, pose_of(ctx->batch, body_a), ctx->fallback);
    fallback_body b = widen_body(all->rec_b[entry], mb, pose_of(ctx->batch, body_b), ctx->fallback + room);
    a.radius += (double)added_radius(ctx);
    fallback_answer got;
    (a.curve || b.curve ? gjb_fallback2_curved : gjb_fallback2)(&a, &b, (double)(ma->extent + mb->extent),
                                                              ctx->fallback + 2 * room, &got);

    if (ctx->batch->stats)
        ctx->batch->stats->fallback++;
    write_fallback_answer(ctx, pair, iterations, &got, a.radius > 0 || b.radius > 0);
}

/* ---- doubtful pairs in lanes of double ---- */

/* Straight cores without radius that fit: `guided` if it is known about along which axis they meet. */
LANE_FN int is_doubtful(const shape_meta *a, const shape_meta *b, int guided)
{
    if ((a->method | b->method) & METHOD_ROUNDED)
        return 0;
    const unsigned size_a = METHOD_SIZE(a->method), size_b = METHOD_SIZE(b->method);
    if (guided)
        return size_a <= SIZE_BIG && size_b <= SIZE_BIG && a->quads <= DOUBTFUL_VERTICES / 4 &&
               b->quads <= DOUBTFUL_VERTICES / 4;
    return size_a <= SIZE_32 && size_b <= SIZE_32;
}

LANE_FN void gather_entry(const context *ctx, unsigned entry, doubtful2 *d, unsigned row)
{
    const sources *all = ctx->pairs.all;
    d->record_a[row] = all->rec_a[entry];
    d->record_b[row] = all->rec_b[entry];
    d->pose_a[row] = pose_of(ctx->batch, all->body_a[entry]);
    d->pose_b[row] = pose_of(ctx->batch, all->body_b[entry]);
    d->extent[row] = (double)all->extent[entry];
    if (!d->uniform) {
        d->quads_a[row] = all->quads_a[entry];
        d->quads_b[row] = all->quads_b[entry];
    }
}

/* Rows of shapes that are scanned in place have no size in common. */
LANE_FN void guide(const context *ctx, unsigned first, unsigned rows, doubtful2 *d)
{
    double most = 1;
    for (unsigned row = 0; row < rows; row++) {
        const unsigned at = first + (row < d->pairs ? row : d->pairs - 1);
        const double quads = d->quads_a[row] > d->quads_b[row] ? d->quads_a[row] : d->quads_b[row];
        most = quads > most ? quads : most;
        d->toward_x[row] = (double)ctx->toward[0][at];
        d->toward_y[row] = (double)ctx->toward[1][at];
    }
    d->vertices = 4 * (uint32_t)most;
}

typedef real quad_of_reals __attribute__((vector_size(4 * sizeof(real))));
typedef double quad_of_doubles __attribute__((vector_size(4 * sizeof(double))));

/* Four numbers of a record, the second times `sign`. */
LANE_FN void write_quad(const double *from, real sign, void *to)
{
    quad_of_doubles wide;
    memcpy(&wide, from, sizeof wide);
    const quad_of_reals signs = {1, sign, 1, 1};
    const quad_of_reals zero = {0, 0, 0, 0}; /* x + 0 turns -0 into +0 */
    const quad_of_reals out = __builtin_convertvector(wide, quad_of_reals) * signs + zero;
    memcpy(to, &out, sizeof out);
}

/* Rows that are 0 give the record of a pair without vectors. */
LANE_FN void write_row(const context *ctx, unsigned pair, gjb_status status, unsigned iterations, const double *row)
{
    const gjb_query query = ctx->batch->query;
    if (query == GJB_PENETRATION || query == GJB_SIGNED_DISTANCE) {
        real *to = (real *)(void *)result_of(ctx, pair);
        write_quad(row, query == GJB_PENETRATION ? -1 : 1, to);
        write_quad(row + 4, 1, to + 4);
        write_head(ctx, pair, status, iterations);
    } else {
        write_plain(ctx, pair, status, iterations);
    }
}

/* A shape apart needs nearest features only if its distance is asked for. */
LANE_FN void write_decided(context *ctx, const uint16_t *entry, const uint16_t *iterations, const decided2 *got,
                           unsigned n)
{
    const gjb_query query = ctx->batch->query;
    const int notes = notes_separation(ctx), far = query == GJB_DISTANCE || query == GJB_SIGNED_DISTANCE;
    const unsigned answered = got->overlapping | (far ? 0 : got->apart), rest = ~answered & ((1u << n) - 1);
    for (unsigned bits = answered; bits; bits &= bits - 1) {
        const unsigned l = (unsigned)__builtin_ctz(bits), pair = ctx->pairs.all->pair[entry[l]];
        const unsigned over = got->overlapping >> l & 1;
        if (notes && !over) { /* the axis is none of the record's */
            note_axis(ctx, pair, got->row[l] + 2);
            write_plain(ctx, pair, GJB_SEPARATED, iterations[l]);
        } else {
            write_row(ctx, pair, GJB_SEPARATED + over, iterations[l], got->row[l]);
        }
    }
    for (unsigned bits = rest; bits; bits &= bits - 1) {
        const unsigned l = (unsigned)__builtin_ctz(bits);
        fallback_pair(ctx, entry[l], iterations[l]);
    }
}

doubtful2_fn DOUBTFUL_NAME(2);

/* Decides the doubtful pairs of a bin. */
LANE_CALL void decide_doubtful(context *ctx)
{
    enum { WIDEST = WIDEST_LANES / 2 };
    doubtful2 d;
    decided2 got;
    d.vertices = (uint32_t)ctx->vertices;
    d.guided = !d.vertices;
    d.uniform = !d.guided && ctx->uniform;
    d.floats = GJB_BITS == 32;
    d.axes = (uint32_t)notes_separation(ctx);
    d.signs_only = (ctx->batch->query == GJB_INTERSECT || ctx->batch->query == GJB_DISTANCE) && !d.axes;
    for (unsigned first = 0; first < ctx->doubtful_count; first += DOUBTFUL_ROWS) {
        const unsigned left = ctx->doubtful_count - first;
        const uint16_t *entry = ctx->doubtful + first;
        d.pairs = left < DOUBTFUL_ROWS ? left : DOUBTFUL_ROWS;
        const unsigned rows = (d.pairs + WIDEST - 1) / WIDEST * WIDEST;
        for (unsigned l = 0; l < rows; l++)
            gather_entry(ctx, entry[l < d.pairs ? l : d.pairs - 1], &d, l);
        if (d.guided)
            guide(ctx, first, rows, &d);
        DOUBTFUL_NAME(2)(&d, &got);
        write_decided(ctx, entry, ctx->doubtful_iterations + first, &got, d.pairs);
    }
    ctx->doubtful_count = 0;
}

/* ---- writing vectors ---- */

typedef struct answer2 {
    vr sigma, nx, ny, ax, ay, bx, by;
} answer2;

/* Writes the lanes in `bits`; a record's status follows from the sign of sigma,
 * except that touching cores without radius overlap. */
TILE_FN void write_answers(const context *ctx, const tile *t, unsigned bits, const answer2 *r,
                           const real *iterations, int cores_overlap)
{
    real o[7][LANES];
    const vr zero = v_set(0); /* x + 0 turns -0 into +0 */
    const vr *field = &r->sigma;
    for (int k = 0; k < 7; k++)
        v_store(o[k], v_add(field[k], zero));
    gjb_query query = ctx->batch->query;
    for (; bits; bits &= bits - 1) {
        unsigned l = (unsigned)__builtin_ctz(bits), pair = ctx->pairs.all->pair[t->entry[l]];
        gjb_status status = cores_overlap || !(o[0][l] > 0) ? GJB_OVERLAPPING : GJB_SEPARATED;
        unsigned count = (unsigned)(int)iterations[l];
        if ((query == GJB_DISTANCE && status == GJB_OVERLAPPING) ||
            (query == GJB_PENETRATION && status == GJB_SEPARATED)) {
            write_plain(ctx, pair, status, count);
            continue;
        }
        record out;
        memset(&out, 0, sizeof out);
        out.value = query == GJB_PENETRATION ? 0 - o[0][l] : o[0][l];
        out.normal[0] = o[1][l];
        out.normal[1] = o[2][l];
        out.point_a[0] = o[3][l];
        out.point_a[1] = o[4][l];
        out.point_b[0] = o[5][l];
        out.point_b[1] = o[6][l];
        memcpy(result_of(ctx, pair), &out, sizeof out);
        write_head(ctx, pair, status, count);
    }
}

TILE_FN void write_status(const context *ctx, const tile *t, unsigned bits, gjb_status status,
                          const real *iterations)
{
    const gjb_batch *batch = ctx->batch;
    if (batch->query == GJB_INTERSECT && !batch->stats) {
        char *results = (char *)batch->results + ctx->pairs.first * batch->result_stride;
        for (; bits; bits &= bits - 1) {
            unsigned l = (unsigned)__builtin_ctz(bits);
            gjb_head head = {(uint16_t)status, (uint16_t)(int)iterations[l]};
            memcpy(results + ctx->pairs.all->pair[t->entry[l]] * batch->result_stride, &head, sizeof head);
        }
        return;
    }
    for (; bits; bits &= bits - 1) {
        unsigned l = (unsigned)__builtin_ctz(bits);
        write_plain(ctx, ctx->pairs.all->pair[t->entry[l]], status, (unsigned)(int)iterations[l]);
    }
}

/* 1 if all lanes can be written at once, even unfinished ones, which are written
 * again later. Without branches, which would be unpredictable. */
LANE_FN int writes_whole(const context *ctx, const tile *t)
{
    return t->whole && !ctx->batch->stats;
}

/* Records of all lanes of a whole tile; lanes not in `defined` get no vectors. */
TILE_FN void write_records(const context *ctx, const tile *t, const answer2 *r, vm defined, unsigned overlapping,
                           const real *iterations)
{
#if GJB_BITS == 32
    uint32_t head[LANES];
#else
    uint64_t head[LANES];
#endif
    real *to[LANES], *to_points[LANES], head_bits[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        head[l] = (GJB_SEPARATED + (overlapping >> l & 1)) | (uint32_t)(int)iterations[l] << 16;
        to[l] = (real *)(void *)result_of(ctx, ctx->pairs.all->pair[t->entry[l]]);
        to_points[l] = to[l] + 4;
    }
    memcpy(head_bits, head, sizeof head);
    const vr zero = v_set(0);
    vr sigma = ctx->batch->query == GJB_PENETRATION ? v_sub(zero, r->sigma) : v_add(r->sigma, zero);
    const vr front[4] = {v_load(head_bits), v_sel(defined, sigma, zero), v_sel(defined, v_add(r->nx, zero), zero),
                         v_sel(defined, v_add(r->ny, zero), zero)};
    const vr points[4] = {v_sel(defined, v_add(r->ax, zero), zero), v_sel(defined, v_add(r->ay, zero), zero),
                          v_sel(defined, v_add(r->bx, zero), zero), v_sel(defined, v_add(r->by, zero), zero)};
    v_store4t(front, to);
    v_store4t(points, to_points);
}

/* `toward`: about the axis along which each lane's shapes meet, or NULL. */
LANE_CALL void fallback_lanes(context *ctx, const tile *t, unsigned bits, const real *iterations,
                              const real (*toward)[LANES])
{
    const sources *all = ctx->pairs.all;
    const int certain = !ctx->rounded && ctx->vertices > 0, grown = added_radius(ctx) > 0;
    for (; bits; bits &= bits - 1) {
        const unsigned l = (unsigned)__builtin_ctz(bits), entry = t->entry[l];
        if (grown || (!certain && !is_doubtful(meta_of(ctx->library, ctx->batch, all->body_a[entry]),
                         meta_of(ctx->library, ctx->batch, all->body_b[entry]), toward != NULL))) {
            fallback_pair(ctx, entry, (unsigned)(int)iterations[l]);
            continue;
        }
        const unsigned at = ctx->doubtful_count++;
        ctx->doubtful[at] = (uint16_t)entry;
        ctx->doubtful_iterations[at] = (uint16_t)(int)iterations[l];
        if (toward) {
            ctx->toward[0][at] = toward[0][l];
            ctx->toward[1][at] = toward[1][l];
        }
    }
}

LANE_FN void write_fallback(context *ctx, const tile *t, unsigned bits, const real *iterations)
{
    if (bits)
        fallback_lanes(ctx, t, bits, iterations, NULL);
}

LANE_FN unsigned refuse_invalid(const context *ctx, const tile *t, unsigned n)
{
    unsigned all = lanes_below(n), bad = all & ~m_bits(t->valid);
    if (!bad)
        return all;
    static const real none[LANES];
    write_status(ctx, t, bad, GJB_INVALID_INPUT, none);
    return all & ~bad;
}

/* Takes an answer of cores, `sigma` apart along (nx, ny) in world axes, to world
 * units, and its points to the surfaces of the radii. */
LANE_FN void add_radii(const tile *t, answer2 *r)
{
    r->sigma = v_sub(v_mul(r->sigma, t->grain), v_add(t->ra, t->rb));
    r->ax = v_add(v_mul(r->ax, t->grain), v_mul(t->ra, r->nx));
    r->ay = v_add(v_mul(r->ay, t->grain), v_mul(t->ra, r->ny));
    r->bx = v_sub(v_mul(r->bx, t->grain), v_mul(t->rb, r->nx));
    r->by = v_sub(v_mul(r->by, t->grain), v_mul(t->rb, r->ny));
}

#endif
