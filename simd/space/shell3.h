/* Shells: the polytopes of EPA in lanes, one per pair. Arithmetic runs across
 * lanes, topology lane by lane, in so few steps that no lane has to wait for
 * another. */
#ifndef GJB_SIMD_SHELL3_H
#define GJB_SIMD_SHELL3_H

#include "simd/space/gjk3.h"
#include "simd/space/twin3.h"

/* Room of a lane: a closed surface of V corners has 2V - 4 faces. */
enum { SHELL_CORNERS = 34, SHELL_FACES = 64, RIM_MAX = 63 };

/* Bounds of a depth this near to each other have met; in the frame. */
#define DEPTH_GAP (8 * REAL_EPSILON)
/* A corner this near to the plane of a face is in it. */
#define COPLANAR (4 * REAL_EPSILON)

typedef struct shell {
    real nx[SHELL_FACES], ny[SHELL_FACES], nz[SHELL_FACES]; /* outward unit normals */
    real far[SHELL_FACES];      /* minus the distance of the plane; -REAL_MAX if there is no face */
    uint8_t v[SHELL_FACES][4];  /* corners, counter-clockwise from outside */
    uint8_t twin[SHELL_FACES][4]; /* TWIN of the face across the side from v[k] on */
    real corner[SHELL_CORNERS][12]; /* w, a, b, and room: four reals at a time */
    unsigned faces, corners;
} shell;

/* New faces of all lanes, whose normals are still to be found. */
typedef struct face_queue {
    const real *p[4][LANES * SHELL_FACES + LANES]; /* their corners, and the neighbour's across the rim */
    uint16_t of[LANES * SHELL_FACES]; /* lane * SHELL_FACES + face */
    unsigned count;
} face_queue;

/* More shells than lanes: a tile's last lanes put theirs aside, to continue in a
 * tile with other such lanes. */
typedef struct shells {
    shell of[2 * LANES];
    uint8_t idle[2 * LANES]; /* used by no lane */
    unsigned idle_count;
    uint8_t at[LANES];       /* the lanes' */
    face_queue queue;
    real spare[12]; /* target for lanes without a corner */
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
    for (unsigned l = 0; l < n && l < LANES; l++) /* n is never more, but gcc warns */
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

/* Planes of faces: outward unit normals, and minus their distances. */
typedef struct plane3 {
    v3 n;
    vr far;
} plane3;

LANE_FN plane3 plane_sel(vm m, plane3 p, plane3 q)
{
    return (plane3){v3_sel(m, p.n, q.n), v_sel(m, p.far, q.far)};
}

LANE_FN vr height_over(const plane3 *f, v3 w)
{
    return v_add(v3_dot(w, f->n), f->far);
}

/* The plane of a new face, whose neighbour across the rim has the corner `opposite`.
 * Clears *sound if it has no normal, or if rounding folded it: no face of a convex
 * surface has another's corner above it. */
LANE_FN plane3 plane_of(v3 p, v3 q, v3 r, v3 opposite, vm *sound)
{
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
    const vr across = v3_dot(n, v3_sub(opposite, p));
    *sound = m_and(*sound, m_and(fat, v_le(across, v_set(2 * COPLANAR))));
    return (plane3){n, v_neg(v3_dot(n, p))};
}

/* A limit that new faces must not be nearer to the origin than: the distance of the face
 * that grew, at minus `far`. No face of a shell that grows around the origin is. */
LANE_FN vr nearest_allowed(vr far)
{
    return v_sel(v_lt(far, v_set(0)), v_add(far, v_set(COPLANAR)), v_set(REAL_MAX));
}

/* Measures the queued faces. Returns the lanes with a face that is not sound, or
 * nearer to the origin than `bar` allows. */
LANE_FN unsigned measure_faces(shells *all, const real *bar)
{
    face_queue *queue = &all->queue;
    unsigned lost = 0;
    for (int k = 0; k < 4; k++)
        for (unsigned l = 0; l < LANES; l++)
            queue->p[k][queue->count + l] = all->spare;
    for (unsigned at = 0; at < queue->count; at += LANES) {
        vm sound = m_below(LANES);
        const plane3 f = plane_of(load3(&queue->p[0][at]), load3(&queue->p[1][at]), load3(&queue->p[2][at]),
                                  load3(&queue->p[3][at]), &sound);
        real x[LANES], y[LANES], z[LANES], far[LANES];
        v_store(x, f.n.x);
        v_store(y, f.n.y);
        v_store(z, f.n.z);
        v_store(far, f.far);
        const unsigned good = m_bits(sound), some = queue->count - at < LANES ? queue->count - at : LANES;
        for (unsigned l = 0; l < some; l++) {
            const unsigned lane = queue->of[at + l] / SHELL_FACES, face = queue->of[at + l] % SHELL_FACES;
            shell *s = shell_of(all, lane);
            s->nx[face] = x[l];
            s->ny[face] = y[l];
            s->nz[face] = z[l];
            s->far[face] = far[l];
            lost |= ((~good >> l & 1u) | (far[l] > bar[lane])) << lane;
        }
    }
    queue->count = 0;
    return lost;
}

/* The face nearest to the origin, the lowest index on ties. */
LANE_FN unsigned nearest_face(const shell *s)
{
    vr best = v_load(s->far), index = v_ramp(), which = index;
    for (unsigned f = LANES; f < s->faces; f += LANES) {
        const vr far = v_load(s->far + f);
        index = v_add(index, v_set(LANES));
        vm nearer = v_gt(far, best);
        best = v_max(far, best);
        which = v_sel(nearer, index, which);
    }
    return v_top_index(best, which);
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

/* Puts a cone from the new corner, the last one, over the rim of the faces it sees;
 * the new faces take the places of the old and two more, and are queued. False
 * if there is no room, or if walking the rim shows that it is not one loop: the
 * shell is lost then. */
static int grow(shells *all, unsigned lane, uint64_t seen)
{
    shell *s = shell_of(all, lane);
    uint8_t from[RIM_MAX + 3], to[RIM_MAX + 3], twin[RIM_MAX + 3], id[RIM_MAX + 3], at[SHELL_CORNERS];
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
            rims += !(seen >> TWIN_FACE(s->twin[f][k]) & 1);
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
    s->faces += 2;
    unsigned around = 0; /* one loop: it ends where it began, and no corner begins two sides */
    uint64_t begun = 0;
    for (i = 0; i < rims; i++) {
        around = at[to[around]];
        begun |= (uint64_t)1 << from[i];
        const unsigned f = id[i], after = id[at[to[i]]];
        s->v[f][0] = from[i];
        s->v[f][1] = to[i];
        s->v[f][2] = (uint8_t)apex;
        s->twin[f][0] = twin[i];
        s->twin[TWIN_FACE(twin[i])][TWIN_SIDE(twin[i])] = (uint8_t)TWIN(f, 0);
        s->twin[f][1] = (uint8_t)TWIN(after, 2);
        s->twin[after][2] = (uint8_t)TWIN(f, 1);
        const unsigned other = TWIN_FACE(twin[i]), side = TWIN_SIDE(twin[i]);
        queue_face(all, lane, f, s->v[other][side == 0 ? 2 : side - 1]);
    }
    return around == 0 && (unsigned)__builtin_popcountll(begun) == rims;
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

#endif
