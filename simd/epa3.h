/* EPA in lanes (van den Bergen 2001), 3D: the depth of LANES pairs of
 * overlapping cores side by side. What is arithmetic runs in lanes: supports
 * across pairs, normals across the new faces of all pairs. What is topology runs
 * lane by lane, and so little of it that no lane need wait for another.
 *
 * A polytope grows where it is nearest to the origin; its nearest face bounds the
 * depth from below, the support along that face's normal from above. Normals are
 * made perpendicular to the longest side once more: a thin face then errs in its
 * plane by no more than rounding where the foot of the origin can be on it.
 * Where faces have no normal, the surface tears, room runs out or the bounds do
 * not meet, the pair goes to the solo path.
 */
#ifndef GJB_SIMD_EPA3_H
#define GJB_SIMD_EPA3_H

#include "simd/gjk3.h"

/* Room of a lane: a closed surface of V corners has 2V - 4 faces. */
enum { SHELL_CORNERS = 34, SHELL_FACES = 64, RIM_MAX = 63 };

/* Bounds of a depth that are this near have met; in the frame. */
#define DEPTH_GAP (8 * REAL_EPSILON)
/* A corner this near to the plane of a face is in it. */
#define COPLANAR (4 * REAL_EPSILON)

typedef struct shell {
    real nx[SHELL_FACES], ny[SHELL_FACES], nz[SHELL_FACES]; /* outward unit normals */
    real far[SHELL_FACES];      /* minus the distance of the plane; -REAL_MAX where there is no face */
    uint8_t v[SHELL_FACES][4];  /* corners, counter-clockwise from outside */
    uint8_t twin[SHELL_FACES][4]; /* 4 * face + side across the side from v[k] on */
    real corner[SHELL_CORNERS][12]; /* w, a, b, and room: four reals at a time */
    unsigned faces, corners;
} shell;

/* New faces of all lanes, whose normals are still to be found. */
typedef struct face_queue {
    const real *p[4][LANES * SHELL_FACES + LANES]; /* their corners, and their neighbour's across the rim */
    uint16_t of[LANES * SHELL_FACES]; /* lane * SHELL_FACES + face */
    unsigned count;
} face_queue;

/* More shells than lanes: a tile's last lanes leave theirs behind, to go on in a
 * tile with others of that sort. */
typedef struct shells {
    shell of[2 * LANES];
    uint8_t idle[2 * LANES]; /* that no lane has */
    unsigned idle_count;
    uint8_t at[LANES];       /* the lanes' */
    face_queue queue;
    real spare[12]; /* where lanes without a corner put it */
} shells;

/* Room for the shells of any backend: they differ in how many lanes they have. */
#define LINES(bytes) (((bytes) + 63) & ~(size_t)63)
#define SHELLS_BYTES ((size_t)200 << 10)
_Static_assert(LINES(sizeof(shells)) <= SHELLS_BYTES, "shells fit in the workspace");

LANE_FN shell *shell_of(shells *all, unsigned lane)
{
    return &all->of[all->at[lane]];
}

LANE_FN void begin_pool(shells *all)
{
    all->idle_count = 2 * LANES;
    for (unsigned i = 0; i < 2 * LANES; i++)
        all->idle[i] = (uint8_t)(2 * LANES - 1 - i);
}

LANE_FN void take_shells(shells *all, unsigned lanes)
{
    for (; lanes; lanes &= lanes - 1)
        all->at[__builtin_ctz(lanes)] = all->idle[--all->idle_count];
}

LANE_FN void give_shells_back(shells *all, unsigned lanes)
{
    for (; lanes; lanes &= lanes - 1)
        all->idle[all->idle_count++] = all->at[__builtin_ctz(lanes)];
}

/* Which shells the lanes have, in a form that spills. */
LANE_FN vr shells_held(const shells *all)
{
    real at[LANES];
    for (unsigned l = 0; l < LANES; l++)
        at[l] = (real)all->at[l];
    return v_load(at);
}

LANE_FN void hold_shells(shells *all, vr held, unsigned n)
{
    real at[LANES];
    v_store(at, held);
    for (unsigned l = 0; l < n; l++)
        all->at[l] = (uint8_t)(int)at[l];
}

/* `across`: a corner of the neighbour on the rim, which no face of a convex
 * surface has above it. */
static void queue_face(shells *all, unsigned lane, unsigned face, unsigned across)
{
    face_queue *q = &all->queue;
    const shell *s = shell_of(all, lane);
    const unsigned at = q->count++;
    q->of[at] = (uint16_t)(lane * SHELL_FACES + face);
    const unsigned corner[4] = {s->v[face][0], s->v[face][1], s->v[face][2], across};
    for (int k = 0; k < 4; k++)
        q->p[k][at] = s->corner[corner[k]];
}

LANE_FN v3 load3(const real *const *p)
{
    vr out[4];
    v_load4t(p, out);
    return (v3){out[0], out[1], out[2]};
}

/* Normals and distances of the queued faces. Returns the lanes of which a face
 * has no normal, or that rounding folded: a face has a neighbour's corner above
 * it, or is nearer to the origin than `bar` says, which no face is of a shell
 * that grows around the origin. */
LANE_FN unsigned measure_faces(shells *all, const real *bar)
{
    face_queue *queue = &all->queue;
    unsigned lost = 0;
    for (int k = 0; k < 4; k++)
        for (unsigned l = 0; l < LANES; l++)
            queue->p[k][queue->count + l] = all->spare;
    for (unsigned at = 0; at < queue->count; at += LANES) {
        const v3 p = load3(&queue->p[0][at]), q = load3(&queue->p[1][at]), r = load3(&queue->p[2][at]);
        const v3 e = v3_sub(q, p), f = v3_sub(r, p), g = v3_sub(r, q);
        const vr ee = v3_dot(e, e), ff = v3_dot(f, f), gg = v3_dot(g, g);
        v3 n = v3_cross(e, f);
        vm fat = v_gt(v3_dot(n, n), v_mul(v_set(FLAT_SQUARED), v_mul(ee, ff)));
        vm longer = v_gt(ff, ee);
        v3 side = v3_sel(longer, f, e);
        vr square = v_sel(longer, ff, ee);
        longer = v_gt(gg, square);
        side = v3_sel(longer, g, side);
        square = v_sel(longer, gg, square);
        n = v3_sub(n, v3_mul(side, v_div(v3_dot(n, side), square)));
        n = v3_mul(n, v_div(v_set(1), v_sqrt(v3_dot(n, n))));
        const vr far = v_neg(v3_dot(n, p)), high = v_set(2 * COPLANAR);
        const vr across = v3_dot(n, v3_sub(load3(&queue->p[3][at]), p));
        fat = m_and(fat, v_le(across, high));
        real x[LANES], y[LANES], z[LANES], d[LANES];
        v_store(x, n.x);
        v_store(y, n.y);
        v_store(z, n.z);
        v_store(d, far);
        const unsigned sound = m_bits(fat), some = queue->count - at < LANES ? queue->count - at : LANES;
        for (unsigned l = 0; l < some; l++) {
            const unsigned lane = queue->of[at + l] / SHELL_FACES, face = queue->of[at + l] % SHELL_FACES;
            shell *s = shell_of(all, lane);
            s->nx[face] = x[l];
            s->ny[face] = y[l];
            s->nz[face] = z[l];
            s->far[face] = d[l];
            lost |= ((~sound >> l & 1u) | (d[l] > bar[lane])) << lane;
        }
    }
    queue->count = 0;
    return lost;
}

/* The face nearest to the origin, the lowest index on ties. */
LANE_FN unsigned nearest_face(const shell *s)
{
    static const real ramp[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    vr best = v_load(s->far), index = v_load(ramp), which = index;
    for (unsigned f = LANES; f < s->faces; f += LANES) {
        const vr far = v_load(s->far + f);
        index = v_add(index, v_set(LANES));
        vm nearer = v_gt(far, best);
        best = v_max(far, best);
        which = v_sel(nearer, index, which);
    }
    unsigned top = m_bits(v_eq(best, v_set(v_largest(best))));
    real at[LANES];
    v_store(at, which);
    unsigned lowest = (unsigned)at[__builtin_ctz(top)];
    for (top &= top - 1; top; top &= top - 1) {
        const unsigned other = (unsigned)at[__builtin_ctz(top)];
        lowest = other < lowest ? other : lowest;
    }
    return lowest;
}

/* Bits of the faces that w sees. */
LANE_FN uint64_t seen_from(const shell *s, const real *w)
{
    const vr x = v_set(w[0]), y = v_set(w[1]), z = v_set(w[2]), doubt = v_set(COPLANAR);
    uint64_t seen = 0;
    for (unsigned f = 0; f < s->faces; f += LANES) {
        vr height = v_add(v_add(v_mul(x, v_load(s->nx + f)), v_mul(y, v_load(s->ny + f))), v_mul(z, v_load(s->nz + f)));
        height = v_add(height, v_load(s->far + f));
        seen |= (uint64_t)m_bits(v_gt(height, doubt)) << f;
    }
    return s->faces < 64 ? seen & (((uint64_t)1 << s->faces) - 1) : seen;
}

/* Puts a cone from the new corner, the last one, over the rim of what it sees;
 * the new faces take the places of the old and two more, and are queued. False
 * where the rim is not one loop, or there is no room. */
static int grow(shells *all, unsigned lane, uint64_t seen)
{
    shell *s = shell_of(all, lane);
    uint8_t from[RIM_MAX + 3], to[RIM_MAX + 3], twin[RIM_MAX + 3], id[RIM_MAX + 3], next[RIM_MAX + 3], at[SHELL_CORNERS];
    const unsigned count = (unsigned)__builtin_popcountll(seen), apex = s->corners - 1;
    unsigned rims = 0, i = 0;
    if (s->faces + 2 > SHELL_FACES || count + 2 > RIM_MAX)
        return 0;
    for (uint64_t rest = seen; rest; rest &= rest - 1) {
        const unsigned f = (unsigned)__builtin_ctzll(rest);
        id[i++] = (uint8_t)f;
        for (unsigned k = 0; k < 3; k++) {
            from[rims] = s->v[f][k];
            to[rims] = s->v[f][k == 2 ? 0 : k + 1];
            twin[rims] = s->twin[f][k];
            rims += !(seen >> (s->twin[f][k] >> 2) & 1);
        }
        if (rims > RIM_MAX)
            return 0;
    }
    id[i] = (uint8_t)s->faces;
    id[i + 1] = (uint8_t)(s->faces + 1);
    if (rims != count + 2)
        return 0;
    memset(at, 0, sizeof at);
    for (i = 0; i < rims; i++)
        at[from[i]] = (uint8_t)i;
    for (i = 0; i < rims; i++)
        next[i] = at[to[i]];
    unsigned steps = 0;
    i = 0;
    do {
        i = next[i];
        steps++;
    } while (i != 0 && steps <= rims);
    if (steps != rims)
        return 0;
    s->faces += 2;
    for (i = 0; i < rims; i++) {
        const unsigned f = id[i], after = id[next[i]];
        s->v[f][0] = from[i];
        s->v[f][1] = to[i];
        s->v[f][2] = (uint8_t)apex;
        s->twin[f][0] = twin[i];
        s->twin[twin[i] >> 2][twin[i] & 3] = (uint8_t)(f << 2);
        s->twin[f][1] = (uint8_t)(after << 2 | 2);
        s->twin[after][2] = (uint8_t)(f << 2 | 1);
        const unsigned other = twin[i] >> 2, side = twin[i] & 3;
        queue_face(all, lane, f, s->v[other][side == 0 ? 2 : side - 1]);
    }
    return 1;
}

/* Stores a corner of every live lane. */
LANE_FN void add_corners(shells *all, unsigned live, const corner3 *c)
{
    const v3 w = point_of(c);
    const vr fields[3][4] = {{w.x, w.y, w.z, c->a.x}, {c->a.y, c->a.z, c->b.x, c->b.y}, {c->b.z, w.x, w.y, w.z}};
    real *to[LANES];
    for (unsigned l = 0; l < LANES; l++) {
        shell *s = shell_of(all, l);
        to[l] = live >> l & 1 ? s->corner[s->corners++] : all->spare;
    }
    for (int k = 0; k < 3; k++) {
        v_store4t(fields[k], to);
        for (unsigned l = 0; l < LANES; l++)
            to[l] += 4;
    }
}

/* Tetrahedra: three corners of each towards where D ends soonest if the shapes
 * are round, the last on the other side. Returns the lanes that have volume. */
LANE_FN unsigned begin_shells(const tile *t, int N, unsigned live, shells *all)
{
    memset(all->spare, 0, sizeof all->spare);
    static const uint8_t faces[4][4] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    static const uint8_t twins[4][4] = {{4 * 1 + 2, 4 * 3 + 2, 4 * 2 + 0}, {4 * 2 + 2, 4 * 3 + 0, 4 * 0 + 0},
                                        {4 * 0 + 2, 4 * 3 + 1, 4 * 1 + 0}, {4 * 1 + 1, 4 * 2 + 1, 4 * 0 + 1}};
    const vr one = v_set(1), zero = v_set(0);
    const vr square = v3_dot(t->shift, t->shift);
    vm off = v_gt(square, v_set((real)0x1p-20));
    const v3 u = v3_sel(off, v3_mul(t->shift, v_div(one, v_sqrt(square))), v3_set(1, 0, 0));
    /* across u: its cross product with the axis that it is farthest from, or nearly */
    vm steep = v_gt(v_mul(u.x, u.x), v_set((real)0.5));
    v3 v = v3_sel(steep, (v3){v_neg(u.y), u.x, zero}, (v3){zero, v_neg(u.z), u.y});
    v = v3_mul(v, v_div(one, v_sqrt(v3_dot(v, v))));
    const v3 w = v3_cross(u, v);
    /* about 45 degrees off the axis, thirds of a turn around it: any unit vectors do */
    const v3 base = v3_mul(u, v_set((real)0.7)), half = v3_mul(v, v_set((real)-0.357));
    const v3 rest = v3_mul(w, v_set((real)0.618));
    const corner3 c[4] = {support_pair3(t, N, v3_add(base, v3_mul(v, v_set((real)0.714)))),
                          support_pair3(t, N, v3_add(v3_add(base, half), rest)),
                          support_pair3(t, N, v3_sub(v3_add(base, half), rest)), support_pair3(t, N, v3_neg(u))};
    const v3 o = point_of(&c[0]), e = v3_sub(point_of(&c[1]), o), f = v3_sub(point_of(&c[2]), o);
    const v3 g = v3_sub(point_of(&c[3]), o);
    const vr volume = v3_dot(v3_cross(e, f), g);
    /* the last corner belongs behind the first face */
    vm flip = v_gt(volume, zero);
    const corner3 first = corner_sel(flip, c[2], c[1]), second = corner_sel(flip, c[1], c[2]);
    live &= m_bits(v_gt(v_abs(volume), v_set(64 * VOLUME_DOUBT)));
    for (unsigned bits = live; bits; bits &= bits - 1) {
        shell *s = shell_of(all, (unsigned)__builtin_ctz(bits));
        s->corners = 0;
        s->faces = 4;
        for (unsigned k = 0; k < SHELL_FACES; k += LANES)
            v_store(s->far + k, v_set(-REAL_MAX));
        memcpy(s->v, faces, sizeof faces);
        memcpy(s->twin, twins, sizeof twins);
    }
    add_corners(all, live, &c[0]);
    add_corners(all, live, &first);
    add_corners(all, live, &second);
    add_corners(all, live, &c[3]);
    all->queue.count = 0;
    for (unsigned bits = live; bits; bits &= bits - 1)
        for (unsigned k = 0; k < 4; k++)
            queue_face(all, (unsigned)__builtin_ctz(bits), k, faces[k][0]);
    real none[LANES];
    v_store(none, v_set(REAL_MAX));
    return live & ~measure_faces(all, none);
}

typedef struct depth3 {
    vr reach;   /* depth of the cores */
    v3 n;       /* outward normal of D there: B to A */
    v3 a, b;    /* witness points */
    vr iterations;
    vr rounds;  /* of lanes still live */
    unsigned live, proven;
} depth3;

/* Weights of the foot in a face, by its corners' areas. */
LANE_FN void foot_weights(const v3 p[3], v3 n, v3 foot, vr weight[3])
{
    const v3 q[3] = {v3_sub(p[0], foot), v3_sub(p[1], foot), v3_sub(p[2], foot)};
    for (int k = 0; k < 3; k++)
        weight[k] = v3_dot(n, v3_cross(q[(k + 1) % 3], q[(k + 2) % 3]));
}

/* How far the foot is outside of a face of one lane, or less than 0; for choosing
 * among faces of one plane. */
static real foot_outside(const shell *s, unsigned f, const real foot[3])
{
    const real n[3] = {s->nx[f], s->ny[f], s->nz[f]};
    real most = -REAL_MAX;
    for (int k = 0; k < 3; k++) {
        const real *p = s->corner[s->v[f][k]], *q = s->corner[s->v[f][k == 2 ? 0 : k + 1]];
        const real e[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, d[3] = {foot[0] - p[0], foot[1] - p[1], foot[2] - p[2]};
        /* outward from the side: e x n */
        const real o[3] = {e[1] * n[2] - e[2] * n[1], e[2] * n[0] - e[0] * n[2], e[0] * n[1] - e[1] * n[0]};
        const real along = o[0] * d[0] + o[1] * d[1] + o[2] * d[2], square = o[0] * o[0] + o[1] * o[1] + o[2] * o[2];
        const real out = square > 0 ? along / (real)sqrt((double)square) : 0;
        most = out > most ? out : most;
    }
    return most;
}

/* Of the faces that are as near as `face`, the one that the foot is in. */
LANE_FN unsigned face_of_foot(const shell *s, unsigned face, const real foot[3])
{
    const vr bar = v_set(s->far[face] - 2 * DEPTH_GAP);
    uint64_t near = 0;
    for (unsigned f = 0; f < s->faces; f += LANES)
        near |= (uint64_t)m_bits(v_gt(v_load(s->far + f), bar)) << f;
    if ((near & (near - 1)) == 0)
        return face;
    real least = foot_outside(s, face, foot);
    for (; near && least > 0; near &= near - 1) {
        const unsigned f = (unsigned)__builtin_ctzll(near);
        const real here = foot_outside(s, f, foot);
        if (here < least) {
            least = here;
            face = f;
        }
    }
    return face;
}

/* Witness points of the lanes in `bits`, from the face that the foot is in.
 * Returns the lanes where they are not as far apart as the depth. */
LANE_FN unsigned find_witnesses(shells *all, unsigned bits, const uint8_t *face, const depth3 *now, depth3 *out,
                                vm take)
{
    const v3 foot = v3_mul(now->n, now->reach);
    real f[3][LANES];
    const real *at[3][LANES];
    v_store(f[0], foot.x);
    v_store(f[1], foot.y);
    v_store(f[2], foot.z);
    for (unsigned l = 0; l < LANES; l++)
        at[0][l] = at[1][l] = at[2][l] = all->spare;
    for (unsigned rest = bits; rest; rest &= rest - 1) {
        const unsigned l = (unsigned)__builtin_ctz(rest);
        const shell *s = shell_of(all, l);
        const unsigned g = face_of_foot(s, face[l], (const real[3]){f[0][l], f[1][l], f[2][l]});
        for (int k = 0; k < 3; k++)
            at[k][l] = s->corner[s->v[g][k]];
    }
    v3 p[3], a[3], b[3];
    vr weight[3];
    for (int k = 0; k < 3; k++) {
        vr group[3][4];
        for (int m = 0; m < 3; m++) {
            v_load4t(at[k], group[m]);
            for (unsigned l = 0; l < LANES; l++)
                at[k][l] += 4;
        }
        p[k] = (v3){group[0][0], group[0][1], group[0][2]};
        a[k] = (v3){group[0][3], group[1][0], group[1][1]};
        b[k] = (v3){group[1][2], group[1][3], group[2][0]};
    }
    foot_weights(p, now->n, foot, weight);
    const vr zero = v_set(0);
    for (int k = 0; k < 3; k++)
        weight[k] = v_max(weight[k], zero); /* outside by rounding: on the side */
    const vr by = v_div(v_set(1), v_add(v_add(weight[0], weight[1]), weight[2]));
    v3 pa = v3_set(0, 0, 0), pb = pa;
    for (int k = 0; k < 3; k++) {
        const vr share = v_mul(weight[k], by);
        pa = v3_add(pa, v3_mul(a[k], share));
        pb = v3_add(pb, v3_mul(b[k], share));
    }
    const v3 off = v3_sub(v3_sub(pb, pa), foot);
    out->a = v3_sel(take, pa, out->a);
    out->b = v3_sel(take, pb, out->b);
    return bits & ~m_bits(v_le(v3_dot(off, off), v_set(POINT_DOUBT))); /* NaN too */
}

/* Finds the depths of the live lanes, whose shells are begun, until no more than
 * `spare` are live. Lanes neither proven nor live then are lost. */
LANE_FN void find_depths(const tile *t, const context *ctx, int N, int spare, shells *all, depth3 *out)
{
    const vr zero = v_set(0), one = v_set(1);
    unsigned proven = 0, live = out->live;
    out->reach = zero;
    out->n = out->a = out->b = v3_set(0, 0, 0);
    out->iterations = zero;
    vr rounds = out->rounds;
    while (__builtin_popcount(live) > spare) {
        real dir[3][LANES] = {{0}}, far[LANES] = {0}, w[3][LANES];
        uint8_t face[LANES] = {0};
        count_work(ctx, live);
        for (unsigned bits = live; bits; bits &= bits - 1) {
            const unsigned l = (unsigned)__builtin_ctz(bits);
            const shell *s = shell_of(all, l);
            const unsigned f = nearest_face(s);
            face[l] = (uint8_t)f;
            dir[0][l] = s->nx[f];
            dir[1][l] = s->ny[f];
            dir[2][l] = s->nz[f];
            far[l] = s->far[f];
        }
        depth3 now;
        now.n = (v3){v_load(dir[0]), v_load(dir[1]), v_load(dir[2])};
        const corner3 c = support_pair3(t, N, v3_neg(now.n));
        const v3 point = point_of(&c);
        now.reach = v3_dot(now.n, point);
        rounds = v_add(rounds, one);
        const unsigned met = m_bits(v_le(v_add(now.reach, v_load(far)), v_set(DEPTH_GAP))) & live;
        if (met) {
            real bit[LANES];
            for (unsigned l = 0; l < LANES; l++)
                bit[l] = (real)(met >> l & 1);
            vm take = v_gt(v_load(bit), zero);
            now.reach = v_max(now.reach, zero);
            proven |= met & ~find_witnesses(all, met, face, &now, out, take);
            out->reach = v_sel(take, now.reach, out->reach);
            out->n = v3_sel(take, now.n, out->n);
            out->iterations = v_sel(take, rounds, out->iterations);
            live &= ~met;
        }
        v_store(w[0], point.x);
        v_store(w[1], point.y);
        v_store(w[2], point.z);
        for (unsigned bits = live; bits; bits &= bits - 1) /* a corner more than there is room for */
            if (shell_of(all, (unsigned)__builtin_ctz(bits))->corners == SHELL_CORNERS)
                live &= ~(1u << __builtin_ctz(bits));
        add_corners(all, live, &c);
        unsigned torn = 0;
        for (unsigned bits = live; bits; bits &= bits - 1) {
            const unsigned l = (unsigned)__builtin_ctz(bits);
            const uint64_t seen = seen_from(shell_of(all, l), (const real[3]){w[0][l], w[1][l], w[2][l]});
            if (!(seen >> face[l] & 1) || !grow(all, l, seen))
                torn |= 1u << l;
        }
        const vr distance = v_load(far);
        real bar[LANES];
        v_store(bar, v_sel(v_lt(distance, zero), v_add(distance, v_set(COPLANAR)), v_set(REAL_MAX)));
        torn |= measure_faces(all, bar);
        live &= ~torn;
    }
    out->rounds = rounds;
    out->live = live;
    out->proven = proven;
}

#endif
