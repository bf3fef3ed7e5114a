/* Time of impact in lanes, 3D: conservative advancement (Mirtich 1996) with axes that GJK
 * finds on the way, like a ray cast (van den Bergen 2004) against a D = { b - a } that may turn.
 *
 * Frame: the world's axes, from A's translation of the moment, scaled by the exact power of
 * two that brings the size of the path into [1, 2). Vertices stay local; directions are
 * turned to them, and points found are turned back. So corners can be placed again at another
 * time, and the simplex is kept.
 *
 * How far an axis carries, see safe_advance: the axis moves with the feature that it is normal
 * to. A fixed axis would soon cease to be normal to two faces that turn, and the advance would
 * converge linearly, not quadratically as it does.
 */
#ifndef GJB_SIMD_TOI3_H
#define GJB_SIMD_TOI3_H

#include "simd/lanes/turn.h"
#include "simd/space/gjk3.h"
#include "simd/toi.h"

#define TOI_ROUNDS 256 /* in lanes */

/* One shape's part in the motion. */
typedef struct spinner3 {
    vr x, y, z, w; /* quaternion at t = 0 */
    v3 spin, axis; /* rotation vector; the same of unit length, or 0 */
    vr rate, reach; /* |spin|; max |vertex|, in the frame */
    m3 turn;       /* local axes to the world's, at t */
} spinner3;

typedef struct path3 {
    spinner3 a, b;
    v3 start, way; /* of B's origin against A's: at t = 0, and in the step */
    v3 at;         /* at t */
    vr target, aim, touch;
    vm spins;
    int any_spin;
} path3;

typedef struct trip3 {
    corner3 local[3]; /* those of the simplex, as stored */
    v3 v;
    vr t;
    vr iterations;
    simplex3 s;       /* placed at t */
} trip3;
enum { TRIP_REALS = 22 };
_Static_assert(offsetof(trip3, iterations) == TRIP_REALS * sizeof(vr) && (int)TRIP_REALS <= (int)MOST_STATE_REALS,
               "what is spilled");

typedef struct trips_done {
    unsigned hit, separated, overlapping, doubtful, live;
    vm alive;
} trips_done;

/* ---- packing ---- */

LANE_FN const real *motion_of(const gjb_batch *batch, uint32_t body)
{
    static const real still[8];
    return batch->motions ? (const real *)((const char *)batch->motions + body * batch->motion_stride) : still;
}

LANE_FN v3 load_motions(const gjb_batch *batch, const uint32_t *body, v3 *spin)
{
    const real *p[LANES];
    vr front[4], back[4];
    for (unsigned l = 0; l < LANES; l++)
        p[l] = motion_of(batch, body[l]);
    v_load4t(p, front);
    OPAQUE(body);
    for (unsigned l = 0; l < LANES; l++)
        p[l] = motion_of(batch, body[l]) + 2;
    v_load4t(p, back);
    *spin = (v3){back[1], back[2], back[3]};
    return (v3){front[0], front[1], front[2]};
}

LANE_FN vr v3_length(v3 v)
{
    return v_sqrt(v3_dot(v, v));
}

LANE_FN void set_spinner(spinner3 *s, const pose3 *pose, v3 spin, vr reach)
{
    const vr zero = v_set(0);
    s->x = pose->x;
    s->y = pose->y;
    s->z = pose->z;
    s->w = pose->w;
    s->spin = spin;
    s->reach = reach;
    s->rate = v3_length(spin);
    const vm turns = v_gt(s->rate, zero);
    const vr by = v_sel(turns, v_div(v_set(1), s->rate), zero);
    s->axis = v3_mul(spin, by);
}

LANE_FN void pack_cloud3(cloud *c, const real *const *rec, const uint16_t *quads, int N, int uniform, vr scale)
{
    for (int q = 0; q < N / 4; q++) {
        vr x[4], y[4], z[4];
        load_quad3(rec, quads, N, uniform, 0, (uint32_t)q, x);
        load_quad3(rec, quads, N, uniform, 1, (uint32_t)q, y);
        load_quad3(rec, quads, N, uniform, 2, (uint32_t)q, z);
        for (int j = 0; j < 4; j++) {
            c->x[4 * q + j] = v_mul(x[j], scale);
            c->y[4 * q + j] = v_mul(y[j], scale);
            c->z[4 * q + j] = v_mul(z[j], scale);
        }
    }
}

/* Called after pack_poses3: the parts that a pair in motion adds. */
TILE_FN void pack_path3(tile *t, path3 *m, const context *ctx, const uint16_t *idx, unsigned first, unsigned n)
{
    const int some = idx || n < LANES;
    const sources *from = some ? &ctx->some : ctx->pairs.all;
    const uint32_t *body_a = from->body_a + (some ? 0 : first), *body_b = from->body_b + (some ? 0 : first);
    const vr zero = v_set(0), one = v_set(1);
    const pose3 a = load_poses3(ctx->batch, body_a), b = load_poses3(ctx->batch, body_b);
    v3 spin_a, spin_b, half;
    const v3 da = load_motions(ctx->batch, body_a, &spin_a), db = load_motions(ctx->batch, body_b, &spin_b);
    const v3 start = v3_sub(b.at, a.at), way = v3_sub(db, da);
    const vr ea = load_head(t->rec_a, &half), eb = load_head(t->rec_b, &half);
    set_spinner(&m->a, &a, spin_a, v_sub(ea, t->ra));
    set_spinner(&m->b, &b, spin_b, v_sub(eb, t->rb));
    const vr turned = v_add(v_mul(m->a.rate, m->a.reach), v_mul(m->b.rate, m->b.reach));
    /* scaled by the largest coordinate first: squares may over- or underflow */
    const vr most = v_add(v_add(v_add(v_abs(start.x), v_abs(start.y)), v_add(v_abs(start.z), v_abs(way.x))),
                          v_add(v_add(v_abs(way.y), v_abs(way.z)), v_add(v_add(ea, eb), turned)));
    const vr radians = v_set((real)(GJB_MOST_RADIANS * (1 + 0x1p-12)));
    t->valid = m_and(t->valid, v_lt(most, v_set(REAL_MAX / 64)));
    t->valid = m_and(t->valid, m_and(v_le(m->a.rate, radians), v_le(m->b.rate, radians)));
    const vr rough = v_pow2_floor(v_sel(t->valid, v_max(most, v_set(REAL_MIN * 16)), one));
    const vr by = v_div(one, rough);
    const vr lengths = v_add(v3_length(v3_mul(start, by)), v3_length(v3_mul(way, by)));
    const vm sized = m_and(t->valid, v_ge(most, v_set(REAL_MIN * 16)));
    const vr size = v_sel(sized, v_add(v_mul(v_add(v_add(ea, eb), turned), by), lengths), one);
    const vr shrink = v_pow2_floor(size);
    t->grain = v_mul(rough, shrink);
    t->scale = v_div(one, t->grain);
    const vr unit = v_mul(v_set(REAL_EPSILON), v_div(size, shrink));
    m->target = v_mul(unit, v_set(TOI_TARGET));
    m->aim = v_mul(unit, v_set(TOI_AIM));
    m->touch = v_mul(unit, v_set(TOI_TOUCH));
    m->a.reach = v_mul(m->a.reach, t->scale);
    m->b.reach = v_mul(m->b.reach, t->scale);
    m->start = v3_mul(start, t->scale);
    m->way = v3_mul(way, t->scale);
    m->spins = v_gt(v_add(m->a.rate, m->b.rate), zero);
    m->any_spin = m_bits(m->spins) != 0;
    m->a.turn = m3_rotation(a.x, a.y, a.z, a.w);
    m->b.turn = m3_rotation(b.x, b.y, b.z, b.w);
    t->radius = v_mul(v_add(t->ra, t->rb), t->scale);
    t->world = (m3){{v3_set(1, 0, 0), v3_set(0, 1, 0), v3_set(0, 0, 1)}};
}

/* Packs vertices, which stay local; called after pack_path3. */
LANE_FN void pack_both_clouds3(tile *t, int N, int uniform)
{
    pack_cloud3(&t->a, t->rec_a, t->quads_a, N, uniform, t->scale);
    pack_cloud3(&t->b, t->rec_b, t->quads_b, N, uniform, t->scale);
}
BY_SIZE(pack_clouds3, tile, pack_both_clouds3)

/* ---- a moment ---- */

/* Applies the turn up to t after the rotation of the pose. */
LANE_FN void turn_spinner(spinner3 *s, vr t)
{
    vr c, n;
    v_turn(v_mul(v_mul(t, s->rate), v_set((real)0.5)), &c, &n);
    const v3 u = v3_mul(s->axis, n);
    s->turn = m3_rotation(
        v_add(v_add(v_mul(s->x, c), v_mul(u.x, s->w)), v_sub(v_mul(u.y, s->z), v_mul(u.z, s->y))),
        v_add(v_sub(v_mul(s->y, c), v_mul(u.x, s->z)), v_add(v_mul(u.y, s->w), v_mul(u.z, s->x))),
        v_add(v_add(v_mul(s->z, c), v_mul(u.x, s->y)), v_sub(v_mul(u.z, s->w), v_mul(u.y, s->x))),
        v_sub(v_sub(v_mul(s->w, c), v_mul(u.x, s->x)), v_add(v_mul(u.y, s->y), v_mul(u.z, s->z))));
}

LANE_FN corner3 place_corner(const path3 *m, const corner3 *local)
{
    return (corner3){m3_turn(&m->a.turn, local->a), v3_add(m3_turn(&m->b.turn, local->b), m->at)};
}

/* Places the pair and the simplex at p->t. */
LANE_FN void place_trip(path3 *m, trip3 *p)
{
    if (m->any_spin) {
        turn_spinner(&m->a, p->t);
        turn_spinner(&m->b, p->t);
    }
    m->at = v3_add(m->start, v3_mul(m->way, p->t));
    for (int k = 0; k < 3; k++)
        p->s.c[k] = place_corner(m, &p->local[k]);
}

/* ---- how far an axis carries ---- */

/* The first tau > 0 at which g + slope tau - bend tau^2 is 0; g > 0, bend >= 0. */
LANE_FN vr falls_to_zero(vr g, vr slope, vr bend)
{
    const vr bend2 = v_add(bend, bend);
    const vr root = v_sqrt(v_add(v_mul(slope, slope), v_mul(v_add(bend2, bend2), g)));
    vm down = v_le(slope, v_set(0));
    return v_div(v_sel(down, v_add(g, g), v_add(slope, root)), v_sel(down, v_sub(root, slope), bend2));
}

/* The velocity of the unit normal n that keeps it normal to the edges of the simplex's feature
 * while its corners move. 0 for a vertex. */
LANE_FN v3 follow_feature(const path3 *m, const simplex3 *s, v3 n)
{
    v3 point[3], velocity[3];
    for (int k = 0; k < 3; k++) {
        point[k] = point_of(&s->c[k]);
        velocity[k] = v3_sub(v3_cross(m->b.spin, v3_sub(s->c[k].b, m->at)), v3_cross(m->a.spin, s->c[k].a));
    }
    const v3 e = v3_sub(point[1], point[0]), f = v3_sub(point[2], point[0]), normal = v3_cross(e, f);
    const vr re = v3_dot(v3_sub(velocity[0], velocity[1]), n), rf = v3_dot(v3_sub(velocity[0], velocity[2]), n);
    const vr ee = v3_dot(e, e), ff = v3_dot(f, f), nn = v3_dot(normal, normal), zero = v_set(0);
    const vm face = v_gt(nn, v_mul(v_set(FLAT_SQUARED), v_mul(ee, ff)));
    const v3 across = v3_add(v3_mul(v3_cross(f, normal), re), v3_mul(v3_cross(normal, e), rf));
    const vr by = v_div(v_set(1), v_sel(face, nn, ee));
    const v3 follow = v3_mul(v3_sel(face, across, v3_mul(e, re)), by);
    const vm sane = v_lt(v3_dot(follow, follow), v_set((real)0x1p40)); /* false on NaN: a vertex */
    const v3 none = {zero, zero, zero};
    return v3_sel(sane, follow, none);
}

/* The second-order term of one shape, see below; `turn` is n x spin, f moves n for `most`. */
LANE_FN vr most_bend(const spinner3 *s, v3 turn, v3 f, vr most)
{
    const vr swings = v3_length(v3_cross(f, s->spin)), turns = v_add(v3_length(turn), v_mul(swings, most));
    const vr half = v_set((real)(0.5 + 64 * (double)REAL_EPSILON)); /* plus possible rounding */
    return v_mul(s->reach, v_add(swings, v_mul(v_mul(s->rate, turns), half)));
}

/* The time that a pair may certainly advance, at most `left`: along the unit n, or an axis that
 * starts as n, its gap stays at least at the target. The gap is now `room` more than that, and
 * c is the extreme corner of D.
 *
 * Let the axis be n + tau f, and r a vertex about its own origin, turned by R(tau) about
 * spin w. Then (n + tau f) . R r = (n + tau (n x w + f)) . r within tau^2 times
 * |r| (|f x w| + |w| |(n + tau f) x w| / 2) (Taylor), and of all vertices of a shape the extreme of
 * the left side is that along the leaning direction on the right: a concave function of tau
 * in all, less that times tau^2. So is the gap less (radius + target) |n + tau f|. One more
 * support, at the end of a Newton step, gives the room left there; in between the function is
 * no lower than its chord. */
LANE_FN vr turning_advance(const tile *t, const path3 *m, int N, const simplex3 *s, v3 n, const corner3 *c,
                           vr room, vr left, int fresh)
{
    const vr zero = v_set(0), one = v_set(1), bound = v_add(t->radius, m->target);
    v3 f = v3_set(0, 0, 0);
    if (!fresh)
        f = follow_feature(m, s, n);
    const vr ff = v3_dot(f, f), swing = v_sqrt(ff);
    const v3 turn_a = v3_cross(n, m->a.spin), turn_b = v3_cross(n, m->b.spin);
    const v3 lean_a = v3_add(turn_a, f), lean_b = v3_add(turn_b, f);
    const vr along = v_add(v3_dot(n, m->way), v3_dot(f, m->at));
    const vr half = v_set((real)0.5), most = v_min(v_div(half, swing), left);
    const vr bend = v_max(v_sub(v_add(most_bend(&m->a, turn_a, f, most), most_bend(&m->b, turn_b, f, most)),
                                v3_dot(f, m->way)), zero);
    const vr slope = v_add(along, v_sub(v3_dot(lean_b, v3_sub(c->b, m->at)), v3_dot(lean_a, c->a)));
    const vr guess = falls_to_zero(room, slope, v_add(bend, v_mul(v_mul(t->radius, ff), half)));
    const vr tau = v_min(guess, most);

    const v3 da = m3_turn_back(&m->a.turn, v3_add(n, v3_mul(lean_a, tau)));
    const v3 db = v3_neg(m3_turn_back(&m->b.turn, v3_add(n, v3_mul(lean_b, tau))));
    const v3 a = extreme_vertex3(&t->a, N, da), b = extreme_vertex3(&t->b, N, db);
    const vr reach = v_add(v3_dot(a, da), v3_dot(b, db));
    const vr bent = v_mul(bend, v_mul(tau, tau));
    const vr wide = v_mul(bound, v_sqrt(v_add(one, v_mul(v_mul(tau, tau), ff))));
    const vr then = v_sub(v_sub(v_add(v3_dot(n, m->at), v_mul(tau, along)), reach), v_add(bent, wide));
    const vr share = v_min(falls_to_zero(room, v_sub(v_add(then, bent), room), bent), one);
    const vr curved = v_mul(tau, v_sel(v_ge(then, zero), one, share));

    /* Balls are the same however far shapes turn. */
    const vr ball_a = v_sel(v_gt(m->a.rate, zero), m->a.reach, v3_dot(n, c->a));
    const vr ball_b = v_sel(v_gt(m->b.rate, zero), m->b.reach, v3_dot(n, v3_sub(m->at, c->b)));
    const vr free = v_sub(v_sub(v3_dot(n, m->at), v_add(ball_a, ball_b)), bound);
    const vr rolled = v_min(falls_to_zero(v_max(free, zero), v3_dot(n, m->way), zero), left);
    return v_max(curved, v_sel(v_gt(free, zero), rolled, zero));
}

LANE_FN vr safe_advance(const tile *t, const path3 *m, int N, const simplex3 *s, v3 n, const corner3 *c,
                        vr room, vr left, int fresh)
{
    const vr straight = v_min(falls_to_zero(room, v3_dot(n, m->way), v_set(0)), left);
    if (!m->any_spin)
        return straight;
    return v_sel(m->spins, turning_advance(t, m, N, s, n, c, room, left, fresh), straight);
}

/* ---- the way ---- */

/* A simplex of one corner, in the lanes of `which`. */
LANE_FN void begin_simplex(trip3 *p, const corner3 *c, const corner3 *local, vm which)
{
    for (int k = 0; k < 3; k++) {
        p->s.c[k] = corner_sel(which, *c, p->s.c[k]);
        p->local[k] = corner_sel(which, *local, p->local[k]);
    }
    p->s.v = v3_sel(which, point_of(c), p->s.v);
}

/* One round of all lanes: the results of each step, for later steps. Each mask is set by one step. */
typedef struct round3 {
    /* see(): the support along n, at t */
    v3 n;
    corner3 local, c; /* the corner that is extreme: as stored, and placed */
    vr lower;         /* the gap along n: the shapes are no nearer */
    vm start;         /* t is 0: shapes that touch here overlap from the start, which is no hit */
    vm met;           /* within TOI_TOUCH: a hit, or overlapping at the start */
    vm lost;          /* so near to the origin that v has no direction, and not met: doubtful */
    vm known;         /* the simplex already has this corner: GJK at t has ended */

    /* go_ahead(): the time */
    vm arrived; /* apart up to t = 1 */
    vm moved;   /* t advanced: the simplex has to be placed again */

    /* next_simplex() */
    vm within; /* the simplex has the origin inside */
    vm idle;   /* the corner brought the simplex no nearer, or v is NaN */
} round3;

/* Takes the support along v, of squared length dd, and what follows from it for the lanes at p->t. */
LANE_FN void see(const tile *t, const path3 *m, int N, int fresh, vr dd, const trip3 *p, round3 *r)
{
    const vr zero = v_set(0), length = v_sqrt(dd);
    const v3 n = r->n = v3_mul(p->s.v, v_div(v_set(1), length));
    r->local = (corner3){extreme_vertex3(&t->a, N, m3_turn_back(&m->a.turn, n)),
                         extreme_vertex3(&t->b, N, v3_neg(m3_turn_back(&m->b.turn, n)))};
    r->c = place_corner(m, &r->local);
    const v3 w = point_of(&r->c);
    r->lower = v_sub(v3_dot(n, w), t->radius);
    const vr upper = fresh ? v_set(REAL_MAX) : v_sub(length, t->radius);
    r->start = v_le(p->t, zero);
    /* After the start a negative gap shows that n is not yet good enough for a hit's normal. */
    r->met = m_and(v_le(upper, m->touch), m_or(r->start, v_ge(r->lower, zero)));
    r->lost = m_andnot(v_le(dd, v_set(TOUCH_SQUARED)), r->met);
    r->known = m_or(m_or(same_point(w, point_of(&p->s.c[0])), same_point(w, point_of(&p->s.c[1]))),
                    same_point(w, point_of(&p->s.c[2])));
    if (fresh) /* it has no simplex yet */
        r->known = m_andnot(r->known, r->known);
}

/* Advances the time of lanes with a gap along n of more than the aim, as far as it is proven to be free. */
LANE_FN void go_ahead(const tile *t, const path3 *m, int N, int fresh, vm alive, trip3 *p, round3 *r)
{
    const vr one = v_set(1);
    const vm ahead = m_and(m_andnot(v_gt(r->lower, m->aim), m_or(r->met, r->lost)), alive);
    r->arrived = r->moved = m_andnot(ahead, ahead);
    if (!m_bits(ahead))
        return;
    const vr left = v_sub(one, p->t), room = v_sel(ahead, v_sub(r->lower, m->target), one);
    const vr step = safe_advance(t, m, N, &p->s, r->n, &r->c, room, left, fresh);
    const vr next = v_min(v_add(p->t, step), one);
    r->arrived = m_and(ahead, v_ge(step, left));
    r->moved = m_and(m_andnot(ahead, r->arrived), v_gt(next, p->t));
    p->t = v_sel(r->moved, next, p->t);
}

/* Notes in `done` which lanes end: met before arrived before doubtful. Returns the bits of those that go on, and
 * *alive as their mask. */
LANE_FN unsigned count_ends(const round3 *r, vr iterations, unsigned live, vm *alive, trips_done *done)
{
    /* a corner that is already in the simplex improves nothing, unless t advanced */
    const vm stuck = m_or(m_or(m_andnot(r->known, r->moved), r->lost), v_gt(iterations, v_set(TOI_ROUNDS)));
    const unsigned over = m_bits(r->met) & live, off = m_bits(r->arrived) & live & ~over;
    const unsigned doubt = m_bits(stuck) & live & ~over & ~off;
    done->overlapping |= over & m_bits(r->start);
    done->hit |= over & ~m_bits(r->start);
    done->separated |= off;
    done->doubtful |= doubt;
    *alive = m_andnot(*alive, m_or(r->met, m_or(r->arrived, stuck)));
    return live & ~(over | off | doubt);
}

/* A round of GJK at p->t, with the corner found. *dd: the square of the new v. */
LANE_FN void next_simplex(path3 *m, int fresh, vm alive, trip3 *p, round3 *r, vr *dd)
{
    if (m_bits(r->moved)) {
        place_trip(m, p);
        r->c = place_corner(m, &r->local);
    }
    /* the simplex of another time is no measure of progress now */
    vr before = v_sel(r->moved, v_set(REAL_MAX), *dd);
    if (fresh) {
        before = v_set(REAL_MAX);
        begin_simplex(p, &r->c, &r->local, alive);
    }
    choice3 kept;
    r->within = advance(&p->s, ANY_VERTICES, &r->c, alive, before, dd, &r->idle, &kept);
    keep_corners(p->local, &r->local, &kept, alive);
    /* After a move, the origin may have left through the simplex's far side, which GJK does
     * not check: then the simplex begins again. */
    const vm restarted = m_and(m_and(r->within, r->moved), alive);
    if (m_bits(restarted)) {
        begin_simplex(p, &r->c, &r->local, restarted);
        *dd = v3_dot(p->s.v, p->s.v);
        r->within = m_andnot(r->within, restarted);
        r->idle = m_andnot(r->idle, restarted);
    }
}

/* Notes in `done` which lanes the new simplex ends. A simplex with the origin inside is an overlap at the start;
 * later it contradicts that the pair is proven apart. One that came no nearer helps no more, unless time went on.
 * Returns as count_ends. */
LANE_FN unsigned count_simplex_ends(const round3 *r, vr time, unsigned live, vm *alive, trips_done *done)
{
    const unsigned inside = m_bits(r->within) & live, early = inside & m_bits(v_le(time, v_set(0)));
    const unsigned none = ((m_bits(r->idle) & ~m_bits(r->moved)) | inside) & live & ~early;
    done->overlapping |= early;
    done->doubtful |= none;
    *alive = m_andnot(*alive, m_or(r->within, m_andnot(r->idle, r->moved)));
    return live & ~(early | none);
}

/* Runs until at most `spare` lanes are live. `alive` is `live` as a mask. `fresh`: p->s.v is the first
 * direction, and there is no simplex yet. */
LANE_FN void toi_run(const tile *t, path3 *m, const context *ctx, int N, int spare, int fresh, trip3 *p,
                     trips_done *done)
{
    unsigned live = done->live;
    vm alive = done->alive;
    work did = {0, 0};
    vr dd = v3_dot(p->s.v, p->s.v);
    while (lane_count(live) > (fresh ? 0 : spare)) { /* lanes that are put aside need a simplex */
        round3 r;
        count_round(&did, live);
        p->iterations = v_sel(alive, v_add(p->iterations, v_set(1)), p->iterations);
        see(t, m, N, fresh, dd, p, &r);
        go_ahead(t, m, N, fresh, alive, p, &r);
        live = count_ends(&r, p->iterations, live, &alive, done);
        if (!live)
            break;
        next_simplex(m, fresh, alive, p, &r, &dd);
        fresh = 0;
        live = count_simplex_ends(&r, p->t, live, &alive, done);
    }
    done->live = live;
    add_work(ctx, &did);
}

#endif
