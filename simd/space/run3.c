/* The batched 3D queries: compiled once per backend and precision.
 *
 * Pairs are taken in windows and binned as in 2D; each bin is served by the
 * method for its kind and size. The choices for a pair depend only on the
 * pair, so its answer is the same in any lane, batch, thread and backend.
 */
#define TILES_INLINE /* calls would cost boxes 3% to 7% of their time */
#include "simd/space/answer3.h"
#include "simd/space/depth3.h"
#include "simd/space/doubtful3.h"
#include "simd/space/fallback_side3.h"
#include "simd/space/near3.h"
#include "simd/space/sat3.h"
#ifdef GJB_LANES_SINGLE
#include "simd/space/sat_single3.h"
#endif

/* ---- one pair at a time ---- */

gjb_fallback3 HELPER(gjb_fallback3);

static void write_answer(context *ctx, unsigned pair, const gjb_fallback_answer *got)
{
    const gjb_query query = ctx->batch->query;
    const gjb_status status = got->overlapping ? GJB_OVERLAPPING : GJB_SEPARATED;
    if (!got->overlapping && notes_separation(ctx))
        note_axis(ctx, pair, got->normal);
    if (query == GJB_INTERSECT || (query == GJB_DISTANCE && got->overlapping) ||
        (query == GJB_PENETRATION && !got->overlapping)) {
        write_plain(ctx, pair, status, got->iterations);
        return;
    }
    record r;
    memset(&r, 0, sizeof r);
    r.value = (real)(query == GJB_PENETRATION ? -got->sigma : got->sigma) + 0;
    for (int k = 0; k < 3; k++) {
        r.normal[k] = (real)got->normal[k] + 0;
        r.point_a[k] = (real)got->a[k] + 0;
        r.point_b[k] = (real)got->b[k] + 0;
    }
    memcpy(result_of(ctx, pair), &r, sizeof r);
    write_head(ctx, pair, status, got->iterations);
}

/* Bounds that differ by less than a quarter of a rounding of the result have met. */
#define MET ((double)REAL_EPSILON * (GJB_BITS == 32 ? 0.25 : 2))

/* If even this leaves the bounds apart, its best is the answer, and counted as unproven.
 * `ahead`: two, or NULL. `axis`: the first direction, in world axes, or NULL. */
static void fallback_pair(context *ctx, unsigned entry, int cores_meet, const gjb_fallback_ahead *ahead,
                          const double *axis)
{
    const sources *all = ctx->pairs.all;
    const gjb_query query = ctx->batch->query;
    gjb_fallback_pair pair = {.a = side_of(ctx, all->rec_a[entry], all->body_a[entry]),
                                .b = side_of(ctx, all->rec_b[entry], all->body_b[entry]),
                                .met = MET,
                                .want_apart = query == GJB_DISTANCE || query == GJB_SIGNED_DISTANCE,
                                .want_depth = query == GJB_PENETRATION || query == GJB_SIGNED_DISTANCE,
                                .cores_meet = (uint8_t)cores_meet};
    pair.a.radius += (double)added_radius(ctx);
    if (ahead)
        memcpy(pair.ahead, ahead, sizeof pair.ahead);
    if (axis)
        memcpy(pair.axis, axis, sizeof pair.axis);
    else if (is_warm(ctx))
        load_axis(ctx, entry, pair.axis);
    gjb_fallback_answer got;
    if (!valid_pose(pair.a.pose) || !valid_pose(pair.b.pose)) {
        write_plain(ctx, all->pair[entry], GJB_INVALID_INPUT, 0);
        return;
    }
    HELPER(gjb_fallback3)(&pair, ctx->fallback, &got);
    write_answer(ctx, all->pair[entry], &got);
    if (ctx->batch->stats)
        ctx->batch->stats->unproven += !got.proven;
}

LANE_CALL void fallback_lanes(context *ctx, const tile *t, unsigned bits, int cores_meet)
{
    for (; bits; bits &= bits - 1)
        fallback_pair(ctx, t->entry[__builtin_ctz(bits)], cores_meet, NULL, NULL);
}

/* Continues with the lanes' last v as first direction: GJK converges slowly on round surfaces. */
LANE_CALL void fallback_lanes_from(context *ctx, const tile *t, unsigned bits, v3 v)
{
    const v3 axis = m3_turn(&t->world, v);
    real x[LANES], y[LANES], z[LANES];
    v_store(x, axis.x);
    v_store(y, axis.y);
    v_store(z, axis.z);
    for (; bits; bits &= bits - 1) {
        const unsigned l = (unsigned)__builtin_ctz(bits);
        const double from[3] = {(double)x[l], (double)y[l], (double)z[l]};
        fallback_pair(ctx, t->entry[l], 0, NULL,
                      from[0] * from[0] + from[1] * from[1] + from[2] * from[2] < 4 ? from : NULL);
    }
}

/* ---- writing lanes ---- */

/* Writes records of the lanes in `bits`; lanes not in `defined` get only a
 * status. */
TILE_FN void write_records(const context *ctx, const tile *t, unsigned bits, const answer3 *r, vm defined,
                           unsigned overlapping, vr iterations)
{
    const vr zero = v_set(0); /* x + 0 turns -0 into +0 */
    const vr sigma = ctx->batch->query == GJB_PENETRATION ? v_sub(zero, r->sigma) : r->sigma;
    const vr fields[10] = {sigma, r->n.x, r->n.y, r->n.z, r->a.x, r->a.y, r->a.z, r->b.x, r->b.y, r->b.z};
    real out[10][LANES], it[LANES];
    for (int k = 0; k < 10; k++)
        v_store(out[k], v_sel(defined, v_add(fields[k], zero), zero));
    v_store(it, iterations);
    for (; bits; bits &= bits - 1) {
        const unsigned l = (unsigned)__builtin_ctz(bits), pair = ctx->pairs.all->pair[t->entry[l]];
        record rec;
        memset(&rec, 0, sizeof rec);
        rec.value = out[0][l];
        for (int k = 0; k < 3; k++) {
            rec.normal[k] = out[1 + k][l];
            rec.point_a[k] = out[4 + k][l];
            rec.point_b[k] = out[7 + k][l];
        }
        memcpy(result_of(ctx, pair), &rec, sizeof rec);
        write_head(ctx, pair, overlapping >> l & 1 ? GJB_OVERLAPPING : GJB_SEPARATED, (unsigned)(int)it[l]);
    }
}

/* 1 if the heads of all lanes can be written at once. */
LANE_FN int writes_heads(const context *ctx, const tile *t)
{
    return ctx->batch->query == GJB_INTERSECT && t->whole && !ctx->batch->stats;
}

/* ---- the distance of cores in lanes ---- */

/* Lanes that are further apart than matters say so, and have no points. Returns them. */
LANE_FN unsigned leave_beyond(const context *ctx, const tile *t, const simplex3 *s, answer3 *r)
{
    if (!(distance_limit(ctx) > 0))
        return 0;
    const vm beyond = is_beyond(v3_dot(s->v, s->v), t->bar);
    const v3 none = {v_set(0), v_set(0), v_set(0)};
    r->sigma = v_sel(beyond, v_set(just_beyond(ctx)), r->sigma);
    r->a = v3_sel(beyond, none, r->a);
    r->b = v3_sel(beyond, none, r->b);
    return m_bits(beyond);
}

/* Writes lanes whose gap along n is more than matters: with that gap, that axis and no points. */
LANE_CALL void write_beyond(const context *ctx, const tile *t, unsigned beyond, v3 n, vr gap, vr iterations)
{
    const v3 none = {v_set(0), v_set(0), v_set(0)};
    answer3 r = {gap, n, none, none};
    finish_answer(t, &r);
    r.sigma = v_max(r.sigma, v_set(just_beyond(ctx)));
    r.a = r.b = none;
    write_records(ctx, t, beyond, &r, t->in_use, 0, iterations);
}

/* Lanes whose cores overlap are done (intersect, distance), or go on to the
 * depth. */
LANE_FN void distance_finish(context *ctx, const tile *t, int N, const simplex3 *s, const lanes_done *done)
{
    const gjb_query query = ctx->batch->query;
    unsigned doubtful = done->doubtful;
    const int whole = writes_heads(ctx, t);
    if (notes_separation(ctx))
        note_directions(ctx, t, done->separated & ~done->noted, s->v);
    if (whole) {
        write_heads(ctx, t->entry, t->in_order, done->overlapping, s->iterations);
    } else if (query == GJB_INTERSECT) {
        write_status(ctx, t, done->separated, GJB_SEPARATED, s->iterations);
    } else if (done->separated) {
        vm torn;
        answer3 r = apart_answer(t, N, s, &torn);
        const unsigned beyond = leave_beyond(ctx, t, s, &r);
        const unsigned lost = m_bits(torn) & done->separated & ~beyond, near = m_bits(v_le(r.sigma, v_set(0)));
        vm defined = query == GJB_DISTANCE ? v_gt(r.sigma, v_set(0))
                                           : query == GJB_PENETRATION ? v_le(r.sigma, v_set(0)) : t->in_use;
        write_records(ctx, t, done->separated & ~lost, &r, defined, near, s->iterations);
        doubtful |= lost;
    }
    if (whole)
        ;
    else if (query == GJB_INTERSECT || query == GJB_DISTANCE)
        write_status(ctx, t, done->overlapping, GJB_OVERLAPPING, s->iterations);
    else
        hand_on(ctx, t->entry, done->overlapping);
    if (ctx->batch->stats)
        ctx->batch->stats->fallback += (unsigned)__builtin_popcount(doubtful);
    if (N == ANY_CURVE)
        fallback_lanes_from(ctx, t, doubtful, s->v);
    else
        fallback_lanes(ctx, t, doubtful, 0);
    if (LANES > 1 && done->live)
        push_lanes(ctx, t->entry, done->live, &s->c[0].a.x, STATE_REALS, s->iterations);
}

/* The records of the pairs that a bin takes next. */
LANE_CALL void look_ahead(const context *ctx, const feed *f, scan_ahead *ahead)
{
    const sources *all = ctx->pairs.all;
    memset(ahead, 0, sizeof *ahead);
    for (unsigned l = 0; l < LANES && f->next + l < f->end; l++) {
        const unsigned entry = f->idx ? f->idx[f->next + l] : f->next + l;
        ahead->a[l] = ahead_of(ctx, all->rec_a[entry], all->body_a[entry]);
        ahead->b[l] = ahead_of(ctx, all->rec_b[entry], all->body_b[entry]);
    }
}

LANE_FN void distance_bin(context *ctx, int N, const uint16_t *idx, unsigned first, unsigned end)
{
    tile t;
    tile_curves curves;
    scan_ahead ahead;
    simplex3 s;
    memset(&s, 0, sizeof s);
    feed f = {.idx = idx, .next = first, .end = end};
    turn now;
    const gjb_query query = ctx->batch->query;
    const int prune_apart = apart_pruning(ctx);
    const int prune_within = query == GJB_INTERSECT || query == GJB_DISTANCE;
    while (next_turn(ctx, &f, &s.c[0].a.x, STATE_REALS, &s.iterations, &now)) {
        pack_poses3(&t, ctx, now.idx, now.first, now.n);
        if (N == ANY_HULL) {
            t.ahead = ctx->library->far && ctx->library->max_quads > BLOCK / 4 && !now.resumed ? &ahead : NULL;
            if (t.ahead)
                look_ahead(ctx, &f, &ahead);
        }
        if (N == ANY_CURVE)
            pack_curves3(&t, &curves, ctx);
        else if (N != ANY_HULL)
            pack_lanes3(&t, N, ctx->uniform);
        lanes_done done = {0, 0, 0, lanes_below(now.n), t.in_use, 0};
        if (!now.resumed) {
            done.live = refuse_invalid(ctx, &t, now.n);
            done.alive = t.valid;
            distance_start(&t, ctx, N, prune_apart, &s, &done);
        }
        distance_run(&t, ctx, N, now.spare, prune_apart, prune_within, &s, &done);
        distance_finish(ctx, &t, N, &s, &done);
    }
}

/* ---- the depth of cores in lanes ---- */

depth3_fn HELPER(gjb_depth3);

LANE_FN const gjb_gauss *gauss_of(const context *ctx, uint32_t body, const real **rows)
{
    const gjb_library *library = ctx->library;
    const gjb_gauss *gauss = &library->gauss[ctx->batch->body_shape ? ctx->batch->body_shape[body] : body];
    *rows = (const real *)library->gauss_rows + WIDEST_LANES * (size_t)gauss->at;
    return gauss;
}

LANE_FN void take_side(const context *ctx, const real *rec, uint32_t body, depth3_side *side)
{
    const unsigned quads = meta_of(ctx->library, ctx->batch, body)->quads;
    side->gauss = gauss_of(ctx, body, &side->rows);
    const hull3 hull = hull_of_record(rec, quads);
    side->vertices = hull.vertices;
    side->group = hull.group;
}

LANE_FN void prefetch_gauss(const context *ctx, uint32_t body)
{
    const real *rows;
    const gjb_gauss *gauss = gauss_of(ctx, body, &rows);
    const char *at = (const char *)rows;
    const char *end = (const char *)(rows + gjb_library_gauss(gauss->faces, gauss->arcs, sizeof(real)));
    for (; at < end; at += 64)
        prefetch(at);
}

/* What the lanes of a tile hand to the depth of one pair, and take from it. */
typedef struct depth_lanes {
    real turn[3][3][LANES], shift[3][LANES], scale[LANES], reach[LANES];
    real depth[LANES], n[3][LANES], a[3][LANES], b[3][LANES], rounds[LANES];
    unsigned of[DEPTH_NONE + 1]; /* lanes of each outcome */
} depth_lanes;

LANE_FN void store_frames(const tile *t, depth_lanes *d)
{
    v3 half;
    const vr extent = v_add(load_head(t->rec_a, &half), load_head(t->rec_b, &half));
    const vr reach = v_add(v_mul(extent, t->scale), v_sqrt(v3_dot(t->shift, t->shift)));
    for (int k = 0; k < 3; k++)
        v3_store(t->turn.row[k], d->turn[k][0], d->turn[k][1], d->turn[k][2]);
    v3_store(t->shift, d->shift[0], d->shift[1], d->shift[2]);
    v_store(d->scale, t->scale);
    v_store(d->reach, v_mul(reach, v_set((real)1.0001))); /* whatever was rounded */
}

LANE_FN void find_depth(const context *ctx, const tile *t, unsigned l, depth_lanes *d)
{
    depth3_pair pair;
    take_side(ctx, t->rec_a[l], t->body_a[l], &pair.a);
    take_side(ctx, t->rec_b[l], t->body_b[l], &pair.b);
    pair.scale = d->scale[l];
    pair.reach = d->reach[l];
    for (int k = 0; k < 3; k++) {
        pair.shift[k] = d->shift[k][l];
        for (int j = 0; j < 3; j++)
            pair.turn[k][j] = d->turn[k][j][l];
    }
    depth3_answer got;
    memset(&got, 0, sizeof got);
    d->of[HELPER(gjb_depth3)(&pair, &got)] |= 1u << l;
    d->depth[l] = got.depth;
    d->rounds[l] = (real)got.rounds;
    for (int k = 0; k < 3; k++) {
        d->n[k][l] = got.n[k];
        d->a[k][l] = got.a[k];
        d->b[k][l] = got.b[k];
    }
}

/* Depths of a tile's lanes in `bits`, whose cores are known to meet. */
LANE_CALL void find_depths(context *ctx, const tile *t, unsigned bits)
{
    depth_lanes d;
    memset(&d, 0, sizeof d);
    store_frames(t, &d);
    for (unsigned rest = bits; rest && ctx->library->far; rest &= rest - 1) {
        prefetch_gauss(ctx, t->body_a[__builtin_ctz(rest)]);
        prefetch_gauss(ctx, t->body_b[__builtin_ctz(rest)]);
    }
    for (unsigned rest = bits; rest; rest &= rest - 1)
        find_depth(ctx, t, (unsigned)__builtin_ctz(rest), &d);
    count_work(ctx, bits);
    const unsigned found = d.of[DEPTH_FOUND];
    answer3 r = {v_neg(v_load(d.depth)), v3_load(d.n[0], d.n[1], d.n[2]), v3_load(d.a[0], d.a[1], d.a[2]),
                 v3_load(d.b[0], d.b[1], d.b[2])};
    finish_answer(t, &r);
    write_records(ctx, t, found, &r, t->in_use, found, v_load(d.rounds));
    if (ctx->batch->stats)
        ctx->batch->stats->fallback += (unsigned)__builtin_popcount(d.of[DEPTH_LOST]);
    fallback_lanes(ctx, t, bits & ~found, 1);
}

/* The entries of the list, whose cores are known to overlap. */
static void depth_list(context *ctx)
{
    tile t;
    for (unsigned first = 0; first < ctx->listed; first += LANES) {
        const unsigned left = ctx->listed - first, n = left < LANES ? left : LANES;
        pack_poses3(&t, ctx, ctx->list + first, 0, n);
        find_depths(ctx, &t, lanes_below(n));
    }
    ctx->listed = 0;
}

/* ---- two boxes ---- */

/* Keeps lanes without radius for axes in double, and returns these. */
LANE_FN unsigned keep_sharp(context *ctx, const tile *t, unsigned bits)
{
    const unsigned sharp = m_bits(v_eq(t->radius, v_set(0))) & bits;
    for (unsigned left = sharp; left; left &= left - 1)
        ctx->doubtful[ctx->doubtful_count++] = t->entry[__builtin_ctz(left)];
    return sharp;
}

/* Gaps that rounding may have made of 0. A point of two boxes' difference that is outside by a gap g along its
 * facets is at most sqrt(3) g away: each corner has a whole octant of one of the boxes, unless both are flat. */
#define TOUCH_GAP (8 * REAL_EPSILON)

/* Decides by the sign of the true gap. Returns those of `bits` that it leaves: within a radius, or of two flat
 * boxes. */
LANE_FN unsigned decide_by_sign(const tile *t, const boxes3 *b, unsigned bits, unsigned *over)
{
    const vr gap = largest_gap3(b).gap, touch = v_set(TOUCH_GAP);
    const unsigned sharp = m_bits(v_eq(t->radius, v_set(0)));
    const unsigned open = m_bits(m_and(is_flat(b->ha), is_flat(b->hb))) | ~sharp;
    const unsigned meet = m_bits(v_le(gap, touch)) & bits, deep = m_bits(v_lt(gap, v_set(-GAP_DOUBT))) & bits;
    *over |= deep | (meet & ~open);
    return bits & ~*over & ~m_bits(v_gt(gap, v_add(t->radius, touch)));
}

/* Decides whether boxes overlap, by the quick gaps, then without edges that are parallel, then by the true gap. What
 * that leaves goes to the distance if it has a radius, or else to axes in double. */
LANE_FN void box_intersect(context *ctx, const tile *t, const boxes3 *b, unsigned live)
{
    const vr one = v_set(1), doubt = v_set(2 * GAP_DOUBT), apart = v_add(t->radius, doubt);
    const vr quick = quick_gap3(b);
    unsigned over = m_bits(v_lt(quick, v_neg(doubt))) & live;
    unsigned left = live & ~(over | m_bits(v_gt(quick, apart)));
    if (left) {
        const vr crossed = quick_gap_of_crossed3(b);
        over |= m_bits(v_lt(crossed, v_neg(doubt))) & left;
        left &= ~(over | m_bits(v_gt(crossed, apart)));
        if (left)
            left = decide_by_sign(t, b, left, &over);
    }
    if (writes_heads(ctx, t)) {
        write_heads(ctx, t->entry, t->in_order, over, one);
    } else {
        write_status(ctx, t, live & ~(left | over), GJB_SEPARATED, one);
        write_status(ctx, t, over, GJB_OVERLAPPING, one);
    }
    if (left)
        hand_on(ctx, t->entry, left & ~keep_sharp(ctx, t, left));
}

/* Depth of boxes along the axis of the largest gap. Other lanes are passed on to
 * the distance, except boxes apart if only the depth is asked for. */
LANE_FN void box_depth(context *ctx, const tile *t, const boxes3 *b, unsigned live)
{
    const gjb_query query = ctx->batch->query;
    const vr zero = v_set(0), one = v_set(1);
    const axis3 best = largest_gap3(b);
    const unsigned over = m_bits(v_lt(best.gap, v_set(-GAP_DOUBT))) & live;
    const unsigned apart = query == GJB_PENETRATION ? m_bits(v_gt(best.gap, t->radius)) & live & ~over : 0;
    if (is_warm(ctx) && apart)
        note_directions(ctx, t, apart, best.n);
    write_status(ctx, t, apart, GJB_SEPARATED, one);
    const vr far = v_add(t->bar, v_set(2 * GAP_DOUBT)); /* what is further may be so by rounding */
    const unsigned beyond = distance_limit(ctx) > 0 ? m_bits(v_gt(best.gap, far)) & live & ~over : 0;
    if (beyond)
        write_beyond(ctx, t, beyond, best.n, best.gap, one);
    const unsigned rest = live & ~(apart | over | beyond);
    hand_on(ctx, t->entry, query == GJB_PENETRATION && rest ? rest & ~keep_sharp(ctx, t, rest) : rest);
    if (!over)
        return;
    answer3 r = {.sigma = best.gap, .n = best.n};
    const unsigned torn = m_bits(overlap_points(b, &best, &r.a, &r.b)) & over;
    const unsigned lost = torn ? torn & ~keep_sharp(ctx, t, torn) : 0;
    finish_answer(t, &r);
    write_records(ctx, t, over & ~torn, &r, v_ge(zero, best.gap), over, one);
    if (ctx->batch->stats)
        ctx->batch->stats->fallback += (unsigned)__builtin_popcount(lost);
    fallback_lanes(ctx, t, lost, 0);
}

#ifdef GJB_LANES_SINGLE
/* 1 if quick gaps decide whether the boxes of an entry overlap, and that is asked. */
LANE_FN int decide_boxes(const context *ctx, unsigned bin, unsigned entry)
{
    const gjb_batch *batch = ctx->batch;
    if (batch->query != GJB_INTERSECT || is_warm(ctx) || batch->stats)
        return 0;
    const sources *all = ctx->pairs.all;
    const uint32_t a = all->body_a[entry], b = all->body_b[entry];
    const real cores = bin & 2u ? meta_of(ctx->library, batch, a)->radius + meta_of(ctx->library, batch, b)->radius : 0;
    const real radii = cores + added_radius(ctx);
    const int over = quick_overlap(pose_of(batch, a), pose_of(batch, b), all->rec_a[entry], all->rec_b[entry], radii);
    if (over >= 0)
        write_head(ctx, all->pair[entry], (gjb_status)(GJB_SEPARATED + over), 1);
    return over >= 0;
}
#endif

static void box_bin(context *ctx, const uint16_t *idx, unsigned first, unsigned end)
{
    tile t;
    for (unsigned k = first; k < end; k += LANES) {
        const unsigned n = end - k < LANES ? end - k : LANES;
        pack_poses3(&t, ctx, idx ? idx + k : NULL, k, n);
        for (unsigned l = LANES; l < 2 * LANES; l++) { /* of the next tile */
            prefetch_near(t.rec_a[l]);
            prefetch_near(t.rec_b[l]);
        }
        const unsigned live = refuse_invalid(ctx, &t, n);
        count_work(ctx, live);
        const boxes3 b = load_boxes(&t);
        if (ctx->batch->query == GJB_INTERSECT)
            box_intersect(ctx, &t, &b, live);
        else
            box_depth(ctx, &t, &b, live);
    }
}

doubtful3_fn DOUBTFUL_NAME(3);

LANE_FN void widen_box(const context *ctx, const real *rec, uint32_t body, double pose[8], double head[4])
{
    const real *from = pose_of(ctx->batch, body);
    for (int k = 0; k < 7; k++)
        pose[k] = (double)from[k];
    for (int k = 0; k < 4; k++)
        head[k] = (double)rec[k];
}

LANE_FN void write_decided(context *ctx, unsigned entry, const decided3 *got, unsigned l)
{
    const int over = got->overlapping >> l & 1;
    if (!over && !(got->apart >> l & 1)) {
        if (ctx->batch->stats)
            ctx->batch->stats->fallback++;
        fallback_pair(ctx, entry, 0, NULL, NULL);
        return;
    }
    gjb_fallback_answer answer = {.overlapping = over, .iterations = 1};
    if (ctx->batch->query != GJB_INTERSECT || is_warm(ctx)) {
        answer.sigma = got->sigma[l];
        for (int k = 0; k < 3; k++) {
            answer.normal[k] = got->normal[k][l];
            answer.a[k] = got->a[k][l];
            answer.b[k] = got->b[k][l];
        }
    }
    write_answer(ctx, ctx->pairs.all->pair[entry], &answer);
}

/* Decides the doubtful boxes of a bin. */
LANE_CALL void decide_doubtful(context *ctx)
{
    const sources *all = ctx->pairs.all;
    doubtful3 d;
    decided3 got;
    d.signs_only = ctx->batch->query == GJB_INTERSECT && !is_warm(ctx);
    for (unsigned first = 0; first < ctx->doubtful_count; first += DOUBTFUL_PAIRS) {
        const unsigned left = ctx->doubtful_count - first;
        const uint16_t *entry = ctx->doubtful + first;
        d.pairs = left < DOUBTFUL_PAIRS ? left : DOUBTFUL_PAIRS;
        for (unsigned l = 0; l < d.pairs; l++) {
            widen_box(ctx, all->rec_a[entry[l]], all->body_a[entry[l]], d.pose_a[l], d.head_a[l]);
            widen_box(ctx, all->rec_b[entry[l]], all->body_b[entry[l]], d.pose_b[l], d.head_b[l]);
        }
        DOUBTFUL_NAME(3)(&d, &got);
        for (unsigned l = 0; l < d.pairs; l++)
            write_decided(ctx, entry[l], &got, l);
    }
    ctx->doubtful_count = 0;
}

/* ---- a window ---- */

typedef void bin_fn(context *, const uint16_t *idx, unsigned first, unsigned end);

/* METHODS(8, 8) defines the bin_fn distance_8: distance_bin with N = 8. 4 and 8 vertices are unrolled by the
 * compiler, the rest loop over blocks of 8; `curved`, below, are pairs with a curve. */
#define METHODS(size, N)                                                                                         \
    static void distance_##size(context *c, const uint16_t *i, unsigned f, unsigned e)                           \
    {                                                                                                            \
        distance_bin(c, N, i, f, e);                                                                             \
    }
METHODS(4, 4)
METHODS(8, 8)
METHODS(blocks, in_blocks(c))

/* Pairs that axes leave go to the distance, and from there to the depth. */
static void boxes(context *ctx, const uint16_t *idx, unsigned first, unsigned end)
{
    if (ctx->batch->query == GJB_DISTANCE) {
        distance_8(ctx, idx, first, end);
        return;
    }
    uint16_t rest[WINDOW];
    box_bin(ctx, idx, first, end);
    if (ctx->doubtful_count)
        decide_doubtful(ctx);
    const unsigned count = ctx->listed;
    if (!count)
        return;
    memcpy(rest, ctx->list, count * sizeof *rest);
    ctx->listed = 0;
    distance_8(ctx, rest, 0, count);
}

#ifndef GJB_LANES_SINGLE
static void fallback_bin(context *ctx, const uint16_t *idx, unsigned first, unsigned end)
{
    const sources *all = ctx->pairs.all;
    for (unsigned k = first; k < end; k++) {
        gjb_fallback_ahead ahead[2] = {{NULL, NULL}, {NULL, NULL}};
        if (k + 1 < end && ctx->library->far) {
            const unsigned next = idx ? idx[k + 1] : k + 1;
            ahead[0] = ahead_of(ctx, all->rec_a[next], all->body_a[next]);
            ahead[1] = ahead_of(ctx, all->rec_b[next], all->body_b[next]);
        }
        fallback_pair(ctx, idx ? idx[k] : k, 0, ahead, NULL);
    }
}

METHODS(large, ANY_HULL)
METHODS(curved, ANY_CURVE)

/* Kinds that lanes distinguish: curves, then sizes of vertices. */
enum { SHAPE_CLASSES = CURVES + SIZE_BIG + 1 };

LANE_FN unsigned class_of(const context *ctx, uint32_t body)
{
    const unsigned method = meta_of(ctx->library, ctx->batch, body)->method;
    return METHOD_CURVE(method) ? METHOD_CURVE(method) : CURVES + METHOD_SIZE(method);
}

/* Tiles hold pairs of like kinds; hulls too large for lanes are run one by one. */
static void curved_bin(context *ctx, const uint16_t *idx, unsigned first, unsigned end)
{
    enum { KEYS = SHAPE_CLASSES * SHAPE_CLASSES };
    const sources *all = ctx->pairs.all;
    uint16_t start[KEYS + 1] = {0}, order[WINDOW], key[WINDOW];
    unsigned large = 0;
    for (unsigned i = first; i < end; i++) {
        const unsigned entry = idx ? idx[i] : i;
        const unsigned a = class_of(ctx, all->body_a[entry]), b = class_of(ctx, all->body_b[entry]);
        const int big = a == CURVES + SIZE_BIG || b == CURVES + SIZE_BIG;
        key[i - first] = (uint16_t)(big ? KEYS - 1 : a * SHAPE_CLASSES + b);
        start[key[i - first]]++;
        large += big;
    }
    for (unsigned k = 0, sum = 0; k < KEYS; k++) {
        const unsigned count = start[k];
        start[k] = (uint16_t)sum;
        sum += count;
    }
    for (unsigned i = first; i < end; i++)
        order[start[key[i - first]]++] = idx ? idx[i] : (uint16_t)i;
    distance_curved(ctx, order, 0, end - first - large);
    fallback_bin(ctx, order, end - first - large, end - first);
}

/* The entries of the list, whose cores are known to overlap. */
static void curved_depth_list(context *ctx)
{
    for (unsigned k = 0; k < ctx->listed; k++)
        fallback_pair(ctx, ctx->list[k], 1, NULL, NULL);
    ctx->listed = 0;
}
#endif

static const struct size_row {
    int vertices; /* in lanes; 0: scanned as they are stored, or any curve */
    bin_fn *run;
} sizes[] = {
    [SIZE_4] = {4, distance_4},       [SIZE_8] = {8, distance_8}, [SIZE_16] = {16, distance_blocks},
    [SIZE_32] = {32, distance_blocks}, [SIZE_BOX] = {8, boxes},
#ifndef GJB_LANES_SINGLE
    [SIZE_BIG] = {0, distance_large}, [SIZE_CURVED] = {0, curved_bin},
#endif
};

/* Two boxes are asked for these axes anyway. Pairs that are answered note no axis for a warm start: they need none. */
LANE_FN int asks_near(const context *ctx, unsigned size)
{
    const gjb_query query = ctx->batch->query;
    return size != SIZE_BOX && (query == GJB_INTERSECT || query == GJB_PENETRATION);
}

LANE_FN void serve_bin(context *ctx, unsigned bin, const uint16_t *idx, unsigned first, unsigned end)
{
    const struct size_row *size = &sizes[bin / 4];
    ctx->listed = 0;
    ctx->vertices = size->vertices;
    ctx->rounded = (bin >> 1 & 1) || added_radius(ctx) > 0;
    ctx->uniform = bin & 1;
    uint16_t near[WINDOW];
    if (asks_near(ctx, bin / 4)) {
        end = list_near_entries(ctx, idx, first, end, near);
        idx = near;
        first = 0;
    }
    size->run(ctx, idx, first, end);
#ifndef GJB_LANES_SINGLE
    if (ctx->listed > 0 && bin / 4 == SIZE_CURVED)
        curved_depth_list(ctx);
#endif
    if (ctx->listed > 0)
        depth_list(ctx);
}

gjb_bin KERNEL(gjb_bin3);

void KERNEL(gjb_bin3)(void *context_, unsigned bin, const uint16_t *idx, unsigned first, unsigned end)
{
    serve_bin(context_, bin, idx, first, end);
}

#if LANES == 1
/* Pairs with a curve, or too large for lanes, are the backend's. */
static void run_one(context *ctx, size_t pair)
{
    const gjb_library *library = ctx->library;
    const unsigned bin = fill_one(&ctx->pairs, library, ctx->batch, pair), size = bin / 4;
    if (is_warm(ctx))
        take_window_axes(ctx, 1);
#ifdef GJB_LANES_SINGLE
    if (size == SIZE_BOX && decide_boxes(ctx, bin, 0))
        return;
#endif
    if (bin >= BIN_INVALID)
        write_plain(ctx, 0, GJB_INVALID_INPUT, 0);
    else if (size == SIZE_BIG || size == SIZE_CURVED)
        library->backend->bin[3][library->precision](ctx, bin, NULL, 0, 1);
    else
        serve_bin(ctx, bin, NULL, 0, 1);
    if (is_warm(ctx))
        return_window_axes(ctx, 1);
}

void KERNEL(gjb_few3)(const void *prepared, const gjb_batch *batch)
{
    context *ctx = begin_run(prepared, batch);
    for (size_t pair = 0; pair < batch->pair_count; pair++)
        run_one(ctx, pair);
}
#endif

#ifndef GJB_LANES_SINGLE
void KERNEL(gjb_toi3)(const void *prepared, const gjb_batch *batch);

void KERNEL(gjb_run3)(const void *prepared, const gjb_batch *batch)
{
    if (batch->query == GJB_TOI) {
        KERNEL(gjb_toi3)(prepared, batch);
        return;
    }
    context *ctx = begin_run(prepared, batch);
    if (serve_mixed(ctx, KERNEL(gjb_bin3)))
        return;
    window *w = &ctx->pairs;
    walk walk = {0};
    for (unsigned count; (count = next_window(w, &walk, prepared, batch)) > 0;) {
        if (batch->axes)
            take_window_axes(ctx, count);
        serve_bins(ctx, KERNEL(gjb_bin3));
        for (unsigned b = 4 * SIZE_CURVED; b < BINS; b++)
            if (w->start[b + 1] > w->start[b])
                KERNEL(gjb_bin3)(ctx, b, NULL, w->start[b], w->start[b + 1]);
        for (unsigned i = w->start[BIN_INVALID]; i < count; i++)
            write_plain(ctx, w->all->pair[i], GJB_INVALID_INPUT, 0);
        if (batch->axes)
            return_window_axes(ctx, count);
    }
}
#endif

#if defined(GJB_LANES_SCALAR) && !defined(GJB_LANES_SINGLE)
size_t CONTEXT_BYTES(void)
{
    return sizeof(context);
}
#endif
