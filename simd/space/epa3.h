/* EPA in lanes (van den Bergen 2001), 3D: the depth of LANES pairs of
 * overlapping cores at once. Arithmetic runs in lanes: supports across pairs,
 * normals across the new faces of all pairs. Topology runs lane by lane, in so
 * few steps that no lane has to wait for another.
 *
 * A polytope grows where it is nearest to the origin; its nearest face bounds the
 * depth from below, the support along that face's normal from above. Normals are
 * made perpendicular to the longest side once more: the plane of a thin face is
 * then exact to rounding wherever the foot of the origin can be on it.
 * If faces have no normal, the surface tears, room runs out or the bounds do
 * not meet, the pair goes to the fallback path.
 */
#ifndef GJB_SIMD_EPA3_H
#define GJB_SIMD_EPA3_H

#include "simd/space/shell3.h"

/* How a shell begins: corners P, Q, R of the face that is nearest to the origin,
 * S behind it, and W in front, which sees that face, or also the one across PQ.
 * Faces and twins as in `shell`: twin[f][k] is the side of another face that lies on side k of face f. */
static const struct beginning {
    uint8_t faces, v[6][4], twin[6][4];
} beginnings[] = {
    {4, {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}},
     {{TWIN(1, 2), TWIN(3, 2), TWIN(2, 0)}, {TWIN(2, 2), TWIN(3, 0), TWIN(0, 0)},
      {TWIN(0, 2), TWIN(3, 1), TWIN(1, 0)}, {TWIN(1, 1), TWIN(2, 1), TWIN(0, 1)}}},
    {6, {{1, 2, 4}, {2, 0, 4}, {0, 1, 4}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}},
     {{TWIN(4, 2), TWIN(1, 2), TWIN(2, 1)}, {TWIN(5, 0), TWIN(2, 2), TWIN(0, 1)},
      {TWIN(3, 2), TWIN(0, 2), TWIN(1, 1)}, {TWIN(5, 2), TWIN(4, 0), TWIN(2, 0)},
      {TWIN(3, 1), TWIN(5, 1), TWIN(0, 0)}, {TWIN(1, 0), TWIN(4, 1), TWIN(3, 0)}}},
    {6, {{1, 2, 4}, {2, 0, 4}, {0, 3, 4}, {3, 1, 4}, {1, 3, 2}, {0, 2, 3}},
     {{TWIN(4, 2), TWIN(1, 2), TWIN(3, 1)}, {TWIN(5, 0), TWIN(2, 2), TWIN(0, 1)},
      {TWIN(5, 2), TWIN(3, 2), TWIN(1, 1)}, {TWIN(4, 0), TWIN(0, 2), TWIN(2, 1)},
      {TWIN(3, 0), TWIN(5, 1), TWIN(0, 0)}, {TWIN(1, 0), TWIN(4, 1), TWIN(2, 0)}}},
};
enum { TETRAHEDRON, OVER_ONE, OVER_TWO };

/* A tetrahedron P Q R S and the planes of its faces: its own, and across its sides. */
typedef struct solid3 {
    corner3 p, q, r, s;
    plane3 own, pq, qr, rp;
} solid3;

/* Support of both shapes, of any number of vertices. */
TILE_FN corner3 vertices_pair3(const tile *t, int N, v3 d)
{
    return (corner3){extreme_vertex3(&t->a, N, d), extreme_vertex3(&t->b, N, v3_neg(d))};
}

LANE_FN solid3 solid_sel(vm m, solid3 x, solid3 y)
{
    return (solid3){corner_sel(m, x.p, y.p), corner_sel(m, x.q, y.q), corner_sel(m, x.r, y.r), corner_sel(m, x.s, y.s),
                    plane_sel(m, x.own, y.own), plane_sel(m, x.pq, y.pq), plane_sel(m, x.qr, y.qr),
                    plane_sel(m, x.rp, y.rp)};
}

/* Four corners of D: three towards its nearest boundary if the shapes are round, the
 * last on the other side. *sound: lanes in which they have volume, and faces have
 * normals. `own` is the nearest face. */
LANE_FN solid3 surround3(const tile *t, int N, vm *sound)
{
    const vr one = v_set(1), zero = v_set(0);
    const vr square = v3_dot(t->shift, t->shift);
    vm off = v_gt(square, v_set((real)0x1p-20));
    const v3 u = v3_sel(off, v3_mul(t->shift, v_div(one, v_sqrt(square))), v3_set(1, 0, 0));
    /* perpendicular to u: its cross product with the axis that it is farthest from, or nearly */
    vm steep = v_gt(v_mul(u.x, u.x), v_set((real)0.5));
    v3 v = v3_sel(steep, (v3){v_neg(u.y), u.x, zero}, (v3){zero, v_neg(u.z), u.y});
    v = v3_mul(v, v_div(one, v_sqrt(v3_dot(v, v))));
    const v3 w = v3_cross(u, v);
    /* about 45 degrees off the axis, thirds of a turn around it: any unit vectors do */
    const v3 base = v3_mul(u, v_set((real)0.7)), half = v3_mul(v, v_set((real)-0.357));
    const v3 rest = v3_mul(w, v_set((real)0.618));
    const corner3 c[4] = {vertices_pair3(t, N, v3_add(base, v3_mul(v, v_set((real)0.714)))),
                          vertices_pair3(t, N, v3_add(v3_add(base, half), rest)),
                          vertices_pair3(t, N, v3_sub(v3_add(base, half), rest)), vertices_pair3(t, N, v3_neg(u))};
    const v3 o = point_of(&c[0]), e = v3_sub(point_of(&c[1]), o), f = v3_sub(point_of(&c[2]), o);
    const v3 g = v3_sub(point_of(&c[3]), o);
    const vr volume = v3_dot(v3_cross(e, f), g);
    vm flip = v_gt(volume, zero); /* the last corner belongs behind the first face */
    *sound = m_and(t->in_use, v_gt(v_abs(volume), v_set(64 * VOLUME_DOUBT)));
    solid3 x = {.p = c[0], .q = corner_sel(flip, c[2], c[1]), .r = corner_sel(flip, c[1], c[2]), .s = c[3]};
    const v3 p = o, q = point_of(&x.q), r = point_of(&x.r), s = point_of(&x.s);
    x.own = plane_of(p, q, r, p, sound);
    x.pq = plane_of(p, s, q, p, sound);
    x.rp = plane_of(p, r, s, p, sound);
    x.qr = plane_of(q, s, r, q, sound);
    const solid3 y = {x.p, x.s, x.q, x.r, x.pq, x.rp, x.qr, x.own}, z = {x.p, x.r, x.s, x.q, x.rp, x.own, x.qr, x.pq};
    const solid3 last = {x.q, x.s, x.r, x.p, x.qr, x.pq, x.rp, x.own};
    vr far = x.own.far;
    solid3 out = x;
    out = solid_sel(v_gt(x.pq.far, far), y, out);
    far = v_max(x.pq.far, far);
    out = solid_sel(v_gt(x.rp.far, far), z, out);
    far = v_max(x.rp.far, far);
    return solid_sel(v_gt(x.qr.far, far), last, out);
}

/* Stores shells that begin as `kind` of each lane. */
LANE_FN void put_beginnings(shells *all, unsigned live, const uint8_t *kind, const plane3 face[6])
{
    const vr none = v_set(-REAL_MAX);
    for (unsigned bits = live; bits; bits &= bits - 1) {
        const unsigned l = (unsigned)__builtin_ctz(bits);
        const struct beginning *from = &beginnings[kind[l]];
        shell *s = shell_of(all, l);
        s->corners = 0;
        s->faces = from->faces;
        for (unsigned k = 0; k < SHELL_FACES; k += LANES)
            v_store(s->far + k, none);
        memcpy(s->v, from->v, sizeof from->v);
        memcpy(s->twin, from->twin, sizeof from->twin);
    }
    const vr rows[4][6] = {{face[0].n.x, face[1].n.x, face[2].n.x, face[3].n.x, face[4].n.x, face[5].n.x},
                           {face[0].n.y, face[1].n.y, face[2].n.y, face[3].n.y, face[4].n.y, face[5].n.y},
                           {face[0].n.z, face[1].n.z, face[2].n.z, face[3].n.z, face[4].n.z, face[5].n.z},
                           {face[0].far, face[1].far, face[2].far, face[3].far, face[4].far, face[5].far}};
    for (int k = 0; k < 4; k++) {
        const vr tail[4] = {rows[k][4], rows[k][5], none, none};
        real *to[LANES];
        for (unsigned l = 0; l < LANES; l++) {
            shell *s = shell_of(all, l);
            real *const row[4] = {s->nx, s->ny, s->nz, s->far};
            to[l] = live >> l & 1 ? row[k] : all->spare;
        }
        v_store4t(rows[k], to);
        for (unsigned l = 0; l < LANES; l++)
            to[l] += 4;
        v_store4t(tail, to);
    }
}

/* Begins shells of the live lanes, grown by their first corner if that sees at most
 * two faces. Returns the lanes whose shells are sound. */
LANE_FN unsigned begin_shells(const tile *t, const context *ctx, int N, unsigned live, shells *all)
{
    vm sound;
    solid3 x = surround3(t, N, &sound);
    const corner3 c = vertices_pair3(t, N, v3_neg(x.own.n));
    const v3 w = point_of(&c);
    const vr doubt = v_set(COPLANAR);
    vm met = v_le(v_add(v3_dot(x.own.n, w), x.own.far), v_set(DEPTH_GAP));
    vm pq = v_gt(height_over(&x.pq, w), doubt), qr = v_gt(height_over(&x.qr, w), doubt);
    vm rp = v_gt(height_over(&x.rp, w), doubt), two = m_or(m_or(pq, qr), rp);
    vm grows = m_andnot(t->in_use, m_or(met, m_or(m_or(m_and(pq, qr), m_and(qr, rp)), m_and(rp, pq))));
    count_work(ctx, live);
    /* a second face that is seen is to be across PQ */
    x = solid_sel(qr, (solid3){x.q, x.r, x.p, x.s, x.own, x.qr, x.rp, x.pq},
                  solid_sel(rp, (solid3){x.r, x.p, x.q, x.s, x.own, x.rp, x.pq, x.qr}, x));
    const v3 p = point_of(&x.p), q = point_of(&x.q), r = point_of(&x.r), s = point_of(&x.s);
    vm whole = t->in_use, fine = t->in_use;
    plane3 face[6] = {plane_of(q, r, w, s, &whole), plane_of(r, p, w, s, &whole),
                      plane_of(p, v3_sel(two, s, q), w, v3_sel(two, r, s), &whole), plane_of(s, q, w, r, &fine),
                      x.qr, x.rp};
    const vr bar = nearest_allowed(x.own.far);
    for (int k = 0; k < 3; k++)
        whole = m_and(whole, v_le(face[k].far, bar));
    fine = m_and(fine, v_le(face[3].far, bar));
    whole = m_andnot(whole, m_andnot(two, fine));
    face[3] = plane_sel(two, face[3], x.pq);
    const plane3 flat[4] = {x.own, x.pq, x.rp, x.qr};
    for (int k = 0; k < 4; k++)
        face[k] = plane_sel(grows, face[k], flat[k]);
    for (int k = 4; k < 6; k++)
        face[k].far = v_sel(grows, face[k].far, v_set(-REAL_MAX));
    const unsigned grown = m_bits(grows), over_two = m_bits(two), torn = m_bits(m_andnot(grows, whole));
    live &= m_bits(sound) & ~torn;
    uint8_t kind[LANES];
    for (unsigned l = 0; l < LANES; l++)
        kind[l] = (uint8_t)(grown >> l & 1 ? OVER_ONE + (over_two >> l & 1) : TETRAHEDRON);
    put_beginnings(all, live, kind, face);
    add_corners(all, live, &x.p);
    add_corners(all, live, &x.q);
    add_corners(all, live, &x.r);
    add_corners(all, live, &x.s);
    add_corners(all, live & grown, &c);
    return live;
}

typedef struct depth3 {
    vr reach;   /* depth of the cores */
    v3 n;       /* outward normal of D there: B to A */
    v3 a, b;    /* witness points */
    vr iterations;
    vr rounds;  /* of lanes still live */
    unsigned live, proven;
} depth3;

/* Barycentric weights of the foot in a face. */
LANE_FN void foot_weights(const v3 p[3], v3 n, v3 foot, vr weight[3])
{
    const v3 q[3] = {v3_sub(p[0], foot), v3_sub(p[1], foot), v3_sub(p[2], foot)};
    for (int k = 0; k < 3; k++)
        weight[k] = v3_dot(n, v3_cross(q[(k + 1) % 3], q[(k + 2) % 3]));
}

/* How far the foot is outside a face of one lane, or less than 0; to choose among
 * faces of one plane. */
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

/* Of the faces that are as near as `face`, the one that holds the foot. */
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

/* Witness points of the lanes in `bits`, from the faces that hold the feet; out->n and
 * out->reach are known. Returns the lanes whose points are as far apart as the depth. */
LANE_FN unsigned find_witnesses(shells *all, unsigned bits, const uint8_t *face, depth3 *out)
{
    const v3 foot = v3_mul(out->n, out->reach);
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
    foot_weights(p, out->n, foot, weight);
    const vr zero = v_set(0);
    for (int k = 0; k < 3; k++)
        weight[k] = v_max(weight[k], zero); /* outside by rounding: on the side */
    const vr by = v_div(v_set(1), v_add(v_add(weight[0], weight[1]), weight[2]));
    for (int k = 0; k < 3; k++) {
        const vr share = v_mul(weight[k], by);
        out->a = v3_add(out->a, v3_mul(a[k], share));
        out->b = v3_add(out->b, v3_mul(b[k], share));
    }
    const v3 off = v3_sub(v3_sub(out->b, out->a), foot);
    return bits & m_bits(v_le(v3_dot(off, off), v_set(POINT_DOUBT))); /* false on NaN */
}

/* Finds the depths of the live lanes, whose shells have begun, until at most `spare`
 * are live. Lanes that are then neither proven nor live are lost. */
LANE_FN void find_depths(const tile *t, const context *ctx, int N, int spare, shells *all, depth3 *out)
{
    const vr zero = v_set(0), one = v_set(1);
    unsigned all_met = 0, live = out->live;
    uint8_t face[LANES] = {0}; /* the nearest; the last one for lanes whose bounds have met */
    out->reach = zero;
    out->n = out->a = out->b = v3_set(0, 0, 0);
    out->iterations = zero;
    vr rounds = out->rounds;
    while (lane_count(live) > spare) {
        real dir[3][LANES] = {{0}}, far[LANES] = {0}, w[3][LANES];
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
        const v3 n = {v_load(dir[0]), v_load(dir[1]), v_load(dir[2])};
        const corner3 c = vertices_pair3(t, N, v3_neg(n));
        const v3 point = point_of(&c);
        const vr reach = v3_dot(n, point);
        rounds = v_add(rounds, one);
        const unsigned met = m_bits(v_le(v_add(reach, v_load(far)), v_set(DEPTH_GAP))) & live;
        if (met) {
            real bit[LANES];
            for (unsigned l = 0; l < LANES; l++)
                bit[l] = (real)(met >> l & 1);
            vm take = v_gt(v_load(bit), zero);
            out->reach = v_sel(take, v_max(reach, zero), out->reach);
            out->n = v3_sel(take, n, out->n);
            out->iterations = v_sel(take, rounds, out->iterations);
            all_met |= met;
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
        real bar[LANES];
        v_store(bar, nearest_allowed(v_load(far)));
        torn |= measure_faces(all, bar);
        live &= ~torn;
    }
    out->rounds = rounds;
    out->live = live;
    out->proven = all_met ? find_witnesses(all, all_met, face, out) : 0;
}

#endif
