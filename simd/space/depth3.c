/* The depth of two cores over faces and arcs of their Gauss maps, across a register; compiled once per backend and
 * precision. The arcs' part follows the convexity of h along an arc: with u not normalised, n(t) = (1 - t) n1 + t
 * n2, what a vertex contributes is linear in t, so two vertices that are extreme at the ends bound h from below,
 * most weakly where their lines cross. Either h meets the bound there, or a new vertex divides the arc.
 */
#include "simd/space/depth3.h"
#include "simd/lanes/lanes3.h"

/* In the frame, in which the pair's size is of order one. */
#define SAME_DEPTH (4 * REAL_EPSILON)  /* depths that differ by less are the same */
#define EXTREME (8 * REAL_EPSILON)     /* vertices this near to the farthest meet the other core */
#define OFF_SQUARED (64 * REAL_EPSILON * REAL_EPSILON) /* of witness points that should be one */
#define THIN_SQUARED (REAL_EPSILON * REAL_EPSILON)     /* sine^2 of a triangle that has no inside */

enum {
    MOST_VERTICES = SOLID_VERTICES,
    MOST_FACES = SOLID_FACES + WIDEST_LANES, /* padded */
    MOST_ENTRIES = 1024
};

/* A core in the frame. */
typedef struct core {
    real x[MOST_VERTICES + 16], y[MOST_VERTICES + 16], z[MOST_VERTICES + 16];
    unsigned vertices;
    real nx[MOST_FACES], ny[MOST_FACES], nz[MOST_FACES], far[MOST_FACES];
    unsigned faces; /* with those that fill a register */
    unsigned arcs;
    const uint8_t *first, *second, *vertex, *bend; /* of arcs */
    uint64_t corners;
} core;

/* Arcs, or parts of them, that may hold the depth: faces and vertex of the owner, and the other core's vertices
 * that are extreme at the ends. First in, first out. */
enum { FIRST, SECOND, VERTEX, LEFT, RIGHT, FIELDS };
typedef struct entries {
    real of[FIELDS][MOST_ENTRIES + WIDEST_LANES];
    unsigned next, count;
} entries;

typedef struct search {
    real best, u[3];
    real value[2][MOST_FACES]; /* of the owner's faces, then of the other's */
    real index[MOST_FACES];    /* of the other's vertex that bounds the owner's */
    entries open;
    unsigned asked; /* directions across arcs */
} search;

LANE_FN v3 pick_v3(const real *x, const real *y, const real *z, unsigned count, vr index)
{
    return (v3){v_pick(x, count, index), v_pick(y, count, index), v_pick(z, count, index)};
}

LANE_FN v3 set_v3(const real *x, const real *y, const real *z, unsigned i)
{
    return (v3){v_set(x[i]), v_set(y[i]), v_set(z[i])};
}

/* ---- the cores ---- */

LANE_FN m3 turn_of(const depth3_pair *pair)
{
    m3 m;
    for (int k = 0; k < 3; k++)
        m.row[k] = v3_set(pair->turn[k][0], pair->turn[k][1], pair->turn[k][2]);
    return m;
}

LANE_FN void load_core(core *c, const depth3_side *side, const depth3_pair *pair, int turned)
{
    const gjb_gauss *g = side->gauss;
    const m3 turn = turn_of(pair);
    const v3 shift = v3_set(pair->shift[0], pair->shift[1], pair->shift[2]);
    const vr scale = v_set(pair->scale);
    const size_t faces = gjb_library_padded(g->faces), arcs = gjb_library_padded(g->arcs);
    const real *v = side->vertices, *rows = side->rows;
    c->corners = g->corners;
    c->vertices = 64u - (unsigned)__builtin_clzll(g->corners);
    c->faces = (unsigned)faces;
    c->arcs = g->arcs;
    for (unsigned i = 0; i < c->vertices; i += LANES) {
        const real *x = v + i / side->group * side->group * 3 + i % side->group;
        v3 p = v3_mul(v3_load(x, x + side->group, x + 2 * side->group), scale);
        if (turned)
            p = v3_add(m3_turn(&turn, p), shift);
        v3_store(p, c->x + i, c->y + i, c->z + i);
    }
    for (size_t f = 0; f < faces; f += LANES) {
        v3 n = v3_load(rows + f, rows + faces + f, rows + 2 * faces + f);
        vr far = v_mul(v_load(rows + 3 * faces + f), scale);
        if (turned) {
            n = m3_turn(&turn, n);
            far = v_add(far, v3_dot(n, shift));
        }
        v3_store(n, c->nx + f, c->ny + f, c->nz + f);
        v_store(c->far + f, far);
    }
    c->first = (const uint8_t *)(rows + 4 * faces);
    c->second = c->first + arcs;
    c->vertex = c->second + arcs;
    c->bend = c->vertex + arcs;
}

/* ---- faces ---- */

/* The least of n . p over a core's vertices for `blocks` normals in each lane, and if `which` is not NULL the
 * first vertex that has it. Two blocks at a time share what is broadcast. */
LANE_FN void least_along(const core *c, const v3 *n, int blocks, vr *low, vr *which)
{
    const vr one = v_set(1);
    vr index = v_set(0);
    for (int b = 0; b < blocks; b++)
        low[b] = v3_dot(n[b], set_v3(c->x, c->y, c->z, 0));
    for (int b = 0; b < blocks && which; b++)
        which[b] = index;
    for (unsigned i = 1; i < c->vertices; i++) {
        const v3 p = set_v3(c->x, c->y, c->z, i);
        index = v_add(index, one);
        for (int b = 0; b < blocks; b++) {
            const vr h = v3_dot(n[b], p);
            if (which)
                which[b] = v_sel(v_lt(h, low[b]), index, which[b]);
            low[b] = v_min(h, low[b]);
        }
    }
}

/* Faces come in groups of neighbours, which are asked or left out as one on any backend. */
enum { MOST_GROUPS = 2 * MOST_FACES / WIDEST_LANES };

/* Faces of one core against the other. */
typedef struct facing {
    const core *core, *other;
    real *value;      /* of its faces: the depth along each, or a bound from below */
    real *index;      /* by which vertex, if it is the owner of the arcs; or NULL */
    real sign;        /* of its normals */
    unsigned seed[2]; /* vertices of the other */
} facing;

/* The first vertex that is least along d, and how far it is. */
LANE_FN unsigned least_vertex(const core *c, const real *d, real *least)
{
    const v3 along = v3_set(d[0], d[1], d[2]);
    vr low = v_set(REAL_MAX), which = v_set(0);
    for (unsigned i = 0; i < c->vertices; i += LANES) {
        vr here = v3_dot(along, v3_load(c->x + i, c->y + i, c->z + i));
        here = v_sel(m_below(c->vertices - i), here, v_set(REAL_MAX));
        which = v_sel(v_lt(here, low), v_add(v_ramp(), v_set((real)i)), which);
        low = v_min(here, low);
    }
    *least = -v_largest(v_neg(low));
    return v_top_index(v_neg(low), which);
}

/* Bounds of depths along the normals of a group from below, by two vertices of the other. Returns the least. */
LANE_FN real bound_group(const facing *side, unsigned group)
{
    const core *c = side->core, *o = side->other;
    const v3 p = set_v3(o->x, o->y, o->z, side->seed[0]), q = set_v3(o->x, o->y, o->z, side->seed[1]);
    const vr one = v_set((real)side->seed[0]), two = v_set((real)side->seed[1]);
    vr least = v_set(REAL_MAX);
    for (unsigned f = WIDEST_LANES * group; f < WIDEST_LANES * (group + 1); f += LANES) {
        const v3 n = v3_load(c->nx + f, c->ny + f, c->nz + f);
        const vr along = v3_dot(n, p), other = v3_dot(n, q), bound = v_sub(v_load(c->far + f), v_min(other, along));
        least = v_min(bound, least);
        v_store(side->value + f, bound);
        if (side->index)
            v_store(side->index + f, v_sel(v_lt(other, along), two, one));
    }
    return -v_largest(v_neg(least));
}

LANE_FN void note_face(search *s, const facing *side, unsigned f, real depth)
{
    const core *c = side->core;
    s->best = depth;
    s->u[0] = side->sign * c->nx[f];
    s->u[1] = side->sign * c->ny[f];
    s->u[2] = side->sign * c->nz[f];
}

/* Depths along the normals of a group. The best is noted, if it is better than that so far. */
LANE_FN void ask_group(search *s, const facing *side, unsigned group)
{
    enum { AT_ONCE = LANES < WIDEST_LANES ? 2 : 1 };
    const core *c = side->core;
    vr least = v_set(REAL_MAX), which = v_set(0);
    for (unsigned f = WIDEST_LANES * group; f < WIDEST_LANES * (group + 1); f += AT_ONCE * LANES) {
        v3 n[AT_ONCE];
        vr low[AT_ONCE], at[AT_ONCE];
        for (unsigned b = 0; b < AT_ONCE; b++)
            n[b] = v3_load(c->nx + f + b * LANES, c->ny + f + b * LANES, c->nz + f + b * LANES);
        if (side->index)
            least_along(side->other, n, AT_ONCE, low, at);
        else
            least_along(side->other, n, AT_ONCE, low, NULL);
        for (unsigned b = 0; b < AT_ONCE; b++) {
            const unsigned first = f + b * LANES;
            const vr here = v_sub(v_load(c->far + first), low[b]);
            which = v_sel(v_lt(here, least), v_add(v_ramp(), v_set((real)first)), which);
            least = v_min(here, least);
            if (side->index) {
                v_store(side->value + first, here);
                v_store(side->index + first, at[b]);
            }
        }
    }
    const real best = -v_largest(v_neg(least));
    if (best < s->best)
        note_face(s, side, v_top_index(v_neg(least), which), best);
}

LANE_FN void ask_face(search *s, const facing *side, unsigned f)
{
    const core *c = side->core;
    const real n[3] = {c->nx[f], c->ny[f], c->nz[f]};
    real least;
    const unsigned vertex = least_vertex(side->other, n, &least);
    const real depth = c->far[f] - least;
    side->value[f] = depth;
    if (side->index)
        side->index[f] = (real)vertex;
    if (depth < s->best)
        note_face(s, side, f, depth);
}

/* Asks those of a group whose bounds are below the best, one by one if they are few. */
LANE_FN void ask_open(search *s, const facing *side, unsigned group)
{
    enum { FEW_FACES = 6 };
    const unsigned first = WIDEST_LANES * group;
    unsigned bits = 0;
    for (unsigned f = 0; f < WIDEST_LANES; f += LANES)
        bits |= m_bits(v_lt(v_load(side->value + first + f), v_set(s->best))) << f;
    if (__builtin_popcount(bits) > FEW_FACES) {
        ask_group(s, side, group);
        return;
    }
    for (; bits; bits &= bits - 1) {
        const unsigned f = first + (unsigned)__builtin_ctz(bits);
        if (side->value[f] < s->best)
            ask_face(s, side, f);
    }
}

/* Takes the vertices that are nearest and farthest along a line, and the depth along it, either way: no face of a
 * greater depth is asked. */
LANE_FN void begin_along(search *s, facing side[2], const real *line)
{
    const real square = line[0] * line[0] + line[1] * line[1] + line[2] * line[2];
    const int known = square > THIN_SQUARED; /* smaller squares have lost bits */
    const real by = known ? 1 / (real)sqrt((double)square) : 0;
    real u[2][3], least[2][2]; /* there and back; of the other and of the owner */
    for (int way = 0; way < 2; way++) {
        for (int k = 0; k < 3; k++)
            u[way][k] = way ? -u[0][k] : line[k] * by;
        for (int k = 0; k < 2; k++)
            side[k].seed[way] = least_vertex(side[k].other, u[way], &least[k][way]);
    }
    for (int way = 0; way < 2; way++) {
        const real depth = SAME_DEPTH - least[0][way] - least[1][!way];
        if (known && depth < s->best) {
            s->best = depth;
            memcpy(s->u, u[way], sizeof s->u);
        }
    }
}

/* Asks the groups of both cores that may hold the best, the most promising first. Up to FEW it is faster to ask all.
 * `line`: that of the centres. */
LANE_FN void ask_faces(search *s, facing side[2], const real *line)
{
    enum { FEW = 4 };
    real bound[MOST_GROUPS];
    const unsigned own = side[0].core->faces / WIDEST_LANES, all = own + side[1].core->faces / WIDEST_LANES;
    if (all <= FEW) {
        for (unsigned g = 0; g < all; g++)
            if (g < own)
                ask_group(s, &side[0], g);
            else
                ask_group(s, &side[1], g - own);
        return;
    }
    begin_along(s, side, line);
    unsigned best = 0;
    for (unsigned g = 0; g < all; g++) {
        bound[g] = g < own ? bound_group(&side[0], g) : bound_group(&side[1], g - own);
        best = bound[g] < bound[best] ? g : best;
    }
    for (unsigned i = 0; i <= all; i++) {
        const unsigned g = i == 0 ? best : i - 1;
        if (!(bound[g] < s->best))
            continue;
        bound[g] = REAL_MAX;
        if (g < own)
            ask_open(s, &side[0], g);
        else
            ask_open(s, &side[1], g - own);
    }
}

/* ---- arcs ---- */

/* Opens arcs that are not too far from any direction as good as the best: h changes by at most `reach` times the
 * chord. */
LANE_FN void open_arcs(search *s, const core *c, real reach)
{
    const vr bar = v_set(2 * (s->best - SAME_DEPTH)), most = v_set(reach * ((real)2 / BENDS));
    unsigned count = 0;
    for (unsigned k = 0; k < c->arcs; k += LANES) {
        const vr first = v_bytes(c->first + k), second = v_bytes(c->second + k);
        const vr sum = v_add(v_pick(s->value[0], c->faces, first), v_pick(s->value[0], c->faces, second));
        const vr bound = v_sub(sum, v_mul(most, v_bytes(c->bend + k)));
        unsigned bits = m_bits(v_lt(bound, bar)) & lanes_below(c->arcs - k);
        if (!bits)
            continue;
        const vr left = v_pick(s->index, c->faces, first), right = v_pick(s->index, c->faces, second);
        const vr fields[FIELDS] = {first, second, v_bytes(c->vertex + k), left, right};
        bits &= ~m_bits(v_eq(left, right));
        for (int field = 0; field < FIELDS; field++)
            v_pack(s->open.of[field] + count, bits, fields[field]);
        count += (unsigned)lane_count(bits);
    }
    s->open.next = 0;
    s->open.count = count;
}

/* The part of an entry between two vertices. */
static void open_part(entries *open, unsigned entry, real left, real right)
{
    const unsigned at = open->count++;
    for (int field = FIRST; field <= VERTEX; field++)
        open->of[field][at] = open->of[field][entry];
    open->of[LEFT][at] = left;
    open->of[RIGHT][at] = right;
}

/* Directions at which the lines of left and right cross, of LANES entries. */
typedef struct crossings {
    real ux[LANES], uy[LANES], uz[LANES], bound[LANES];
} crossings;

/* Finds those of entries from e on. Returns those of `bits` whose bound is below that of the best. */
LANE_FN unsigned find_crossings(const search *s, const core *c, const core *other, unsigned e, unsigned bits,
                                crossings *out)
{
    const unsigned faces = c->faces, vertices = other->vertices;
    const vr first = v_load(s->open.of[FIRST] + e), second = v_load(s->open.of[SECOND] + e), zero = v_set(0);
    const v3 n1 = pick_v3(c->nx, c->ny, c->nz, faces, first), n2 = pick_v3(c->nx, c->ny, c->nz, faces, second);
    const v3 left = pick_v3(other->x, other->y, other->z, vertices, v_load(s->open.of[LEFT] + e));
    const v3 right = pick_v3(other->x, other->y, other->z, vertices, v_load(s->open.of[RIGHT] + e));
    const vr left1 = v_sub(v_pick(c->far, faces, first), v3_dot(n1, left));
    const vr left2 = v_sub(v_pick(c->far, faces, second), v3_dot(n2, left));
    const v3 step = v3_sub(right, left);
    const vr w2 = v_max(v3_dot(n1, step), zero), w1 = v_max(v_neg(v3_dot(n2, step)), zero); /* of n2 and n1 */
    const v3 n = v3_add(v3_mul(n1, w1), v3_mul(n2, w2));
    const vr by = v_div(v_set(1), v_sqrt(v3_dot(n, n)));
    const vr bound = v_mul(v_add(v_mul(left1, w1), v_mul(left2, w2)), by);
    const v3 u = v3_mul(n, by);
    v3_store(u, out->ux, out->uy, out->uz);
    v_store(out->bound, bound);
    return bits & m_bits(v_lt(bound, v_set(s->best - SAME_DEPTH))); /* false on NaN */
}

/* Asks entry e along u. 0 if there is no room for its parts. */
LANE_FN int ask_entry(search *s, const core *c, const core *other, unsigned e, const real *u, real bound)
{
    entries *open = &s->open;
    const unsigned v = (unsigned)(int)open->of[VERTEX][e];
    real least;
    const real which = (real)least_vertex(other, u, &least), left = open->of[LEFT][e], right = open->of[RIGHT][e];
    const real value = u[0] * c->x[v] + u[1] * c->y[v] + u[2] * c->z[v] - least;
    s->asked++;
    if (value < s->best) {
        s->best = value;
        memcpy(s->u, u, sizeof s->u);
    }
    if (value <= bound + SAME_DEPTH || which == left || which == right)
        return 1;
    if (open->count + 2 > MOST_ENTRIES)
        return 0;
    open_part(open, e, left, which);
    open_part(open, e, which, right);
    return 1;
}

/* Asks entries in turn until none is left that may hold the best: the order does not depend on how many lanes
 * there are. 0 if there are too many. */
LANE_FN int ask_arcs(search *s, const core *c, const core *other)
{
    entries *open = &s->open;
    while (open->next < open->count) {
        const unsigned first = open->next, n = open->count - first < LANES ? open->count - first : LANES;
        crossings at;
        for (int field = 0; field < FIELDS; field++) /* for lanes beyond the last */
            v_store(open->of[field] + open->count, v_set(0));
        open->next += n;
        for (unsigned bits = find_crossings(s, c, other, first, lanes_below(n), &at); bits; bits &= bits - 1) {
            const unsigned l = (unsigned)__builtin_ctz(bits);
            const real u[3] = {at.ux[l], at.uy[l], at.uz[l]};
            if (at.bound[l] < s->best - SAME_DEPTH && !ask_entry(s, c, other, first + l, u, at.bound[l]))
                return 0;
        }
    }
    return 1;
}

/* ---- witness points ---- */

/* The vertices of a core that meet the other, in turn if they are more than three. */
typedef struct meeting {
    real p[MOST_VERTICES][3];
    unsigned count;
} meeting;

static real dot_of(const real *a, const real *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void sub_of(const real *a, const real *b, real *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

/* out = a + by * b */
static void along_of(const real *a, const real *b, real by, real *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + by * b[k];
}

static void cross_of(const real *a, const real *b, real *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Sorts the corners of a polygon with normal u by the angle around the first (insertion sort: they are few). */
static void order_meeting(meeting *m, const real *u)
{
    for (unsigned i = 2; i < m->count; i++) {
        real moved[3], e[3], f[3], n[3];
        unsigned at = i;
        memcpy(moved, m->p[i], sizeof moved);
        sub_of(moved, m->p[0], e);
        for (; at > 1; at--) {
            sub_of(m->p[at - 1], m->p[0], f);
            cross_of(f, e, n);
            if (dot_of(n, u) >= 0)
                break;
            memcpy(m->p[at], m->p[at - 1], sizeof moved);
        }
        memcpy(m->p[at], moved, sizeof moved);
    }
}

/* The vertices of a core that are farthest along sign * u. Returns how far. */
LANE_FN real find_meeting(const core *c, const real *u, real sign, meeting *m)
{
    real along[MOST_VERTICES + 16];
    const v3 d = v3_set(sign * u[0], sign * u[1], sign * u[2]);
    vr most = v_set(-REAL_MAX);
    for (unsigned i = 0; i < c->vertices; i += LANES) {
        const vr here = v3_dot(d, v3_load(c->x + i, c->y + i, c->z + i));
        v_store(along + i, here);
        most = v_max(v_sel(m_below(c->vertices - i), here, most), most);
    }
    const real far = v_largest(most);
    m->count = 0;
    for (unsigned i = 0; i < c->vertices; i += LANES) {
        unsigned bits = m_bits(v_ge(v_load(along + i), v_set(far - EXTREME))) & (unsigned)(c->corners >> i);
        for (bits &= lanes_below(c->vertices - i); bits; bits &= bits - 1) {
            const unsigned v = i + (unsigned)__builtin_ctz(bits);
            m->p[m->count][0] = c->x[v];
            m->p[m->count][1] = c->y[v];
            m->p[m->count++][2] = c->z[v];
        }
    }
    if (m->count > 3)
        order_meeting(m, u);
    return far;
}

/* The nearest so far of a point of one core and one of the other. */
typedef struct nearest {
    real square, p[3], q[3];
} nearest;

static void offer(nearest *best, const real *p, const real *q, int swapped)
{
    real off[3];
    sub_of(p, q, off);
    const real square = dot_of(off, off);
    if (!(square < best->square))
        return;
    best->square = square;
    memcpy(swapped ? best->q : best->p, p, sizeof best->p);
    memcpy(swapped ? best->p : best->q, q, sizeof best->q);
}

static real clamp_share(real share)
{
    return share > 0 ? share < 1 ? share : 1 : 0;
}

/* A point and a segment, then a point and a triangle in a plane with normal u. */
static void try_segment(nearest *best, const real *a, const real *b, const real *r, int swapped)
{
    real e[3], d[3], p[3];
    sub_of(b, a, e);
    sub_of(r, a, d);
    const real square = dot_of(e, e);
    along_of(a, e, square > 0 ? clamp_share(dot_of(d, e) / square) : 0, p);
    offer(best, p, r, swapped);
}

static void try_triangle(nearest *best, const real *a, const real *b, const real *c, const real *r, const real *u,
                         int swapped)
{
    const real *v[3] = {a, b, c};
    real to[3][3], n[3], weight[3], e[3], f[3], sum = 0;
    sub_of(b, a, e);
    sub_of(c, a, f);
    cross_of(e, f, n);
    if (!(dot_of(n, n) > THIN_SQUARED * dot_of(e, e) * dot_of(f, f)))
        return;
    const real sign = dot_of(n, u) < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++)
        sub_of(v[k], r, to[k]);
    for (int k = 0; k < 3; k++) {
        cross_of(to[(k + 1) % 3], to[(k + 2) % 3], n);
        const real w = sign * dot_of(u, n);
        weight[k] = w > 0 ? w : 0;
        sum += weight[k];
    }
    real p[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        along_of(p, v[k], weight[k] / sum, p);
    offer(best, p, r, swapped);
}

/* A point of one core against the other's: its point, its segment, or the triangles that its polygon is made of. */
static void try_point(nearest *best, const meeting *m, const real *r, const real *u, int swapped)
{
    if (m->count == 1)
        offer(best, m->p[0], r, swapped);
    if (m->count == 2)
        try_segment(best, m->p[0], m->p[1], r, swapped);
    for (unsigned i = 1; i + 1 < m->count; i++)
        try_triangle(best, m->p[0], m->p[i], m->p[i + 1], r, u, swapped);
}

/* A point that is probably in the other's polygon: the one triangle that it would be in. */
static void try_inside(nearest *best, const meeting *m, const real *r, const real *u, int swapped)
{
    real to[3], e[3], n[3];
    unsigned at = 1;
    sub_of(r, m->p[0], to);
    for (unsigned i = 2; i + 1 < m->count; i++) {
        sub_of(m->p[i], m->p[0], e);
        cross_of(e, to, n);
        at = dot_of(n, u) >= 0 ? i : at;
    }
    try_triangle(best, m->p[0], m->p[at], m->p[at + 1], r, u, swapped);
}

/* The nearest points of two lines in a plane with normal u. */
static void try_edges(nearest *best, const real *a, const real *b, const real *c, const real *d, const real *u)
{
    real e[3], f[3], r[3], n[3], m[3], p[3], q[3];
    sub_of(b, a, e);
    sub_of(d, c, f);
    sub_of(c, a, r);
    cross_of(e, f, n);
    const real area = dot_of(n, u);
    if (!(area * area > THIN_SQUARED * dot_of(e, e) * dot_of(f, f)))
        return;
    cross_of(r, f, n);
    cross_of(r, e, m);
    along_of(a, e, clamp_share(dot_of(n, u) / area), p);
    along_of(c, f, clamp_share(dot_of(m, u) / area), q);
    offer(best, p, q, 0);
}

static const real *after(const meeting *m, unsigned i)
{
    return m->p[i + 1 == m->count ? 0 : i + 1];
}

/* The corner of q that is farthest within the sides of p, a polygon with normal u; the first on ties. */
static unsigned most_inside(const meeting *p, const meeting *q, const real *u)
{
    real x[MOST_VERTICES + 16], y[MOST_VERTICES + 16], z[MOST_VERTICES + 16], least[MOST_VERTICES + 16];
    for (unsigned i = 0; i < q->count; i++) {
        x[i] = q->p[i][0];
        y[i] = q->p[i][1];
        z[i] = q->p[i][2];
        least[i] = REAL_MAX;
    }
    for (unsigned k = 0; k < p->count; k++) {
        real e[3], inward[3];
        sub_of(after(p, k), p->p[k], e);
        cross_of(u, e, inward);
        const v3 n = v3_set(inward[0], inward[1], inward[2]);
        const vr at = v_set(dot_of(inward, p->p[k]));
        for (unsigned i = 0; i < q->count; i += LANES) {
            const vr height = v_sub(v3_dot(n, v3_load(x + i, y + i, z + i)), at);
            v_store(least + i, v_min(height, v_load(least + i)));
        }
    }
    unsigned best = 0;
    for (unsigned i = 1; i < q->count; i++)
        best = least[i] > least[best] ? i : best;
    return best;
}

/* Squared distance of points that are one up to rounding. */
#define SHARED_SQUARED (OFF_SQUARED / 16)

static void try_corners(nearest *best, const meeting *p, const meeting *q, const real *u)
{
    for (unsigned i = 0; i < q->count && best->square > SHARED_SQUARED; i++)
        try_point(best, p, q->p[i], u, 0);
    for (unsigned i = 0; i < p->count && best->square > SHARED_SQUARED; i++)
        try_point(best, q, p->p[i], u, 1);
}

static void try_crossings(nearest *best, const meeting *p, const meeting *q, const real *u)
{
    for (unsigned i = 0; i < p->count && best->square > SHARED_SQUARED; i++)
        for (unsigned j = 0; j < q->count && best->square > SHARED_SQUARED; j++)
            try_edges(best, p->p[i], after(p, i), q->p[j], after(q, j), u);
}

/* A point that p and q, moved to touch it, share: a corner of one in the other, or where edges cross. Of two polygons
 * with many corners the most promising comes first, as trying all takes more than finding the depth. */
static void find_shared(const meeting *p, const meeting *q, const real *u, nearest *best)
{
    best->square = REAL_MAX;
    if (p->count == 2 && q->count == 2)
        try_edges(best, p->p[0], p->p[1], q->p[0], q->p[1], u);
    if (p->count > 3 && q->count > 3) {
        try_inside(best, p, q->p[most_inside(p, q, u)], u, 0);
        if (best->square > SHARED_SQUARED)
            try_inside(best, q, p->p[most_inside(q, p, u)], u, 1);
        try_crossings(best, p, q, u);
        try_corners(best, p, q, u);
        return;
    }
    try_corners(best, p, q, u);
    try_crossings(best, p, q, u);
}

/* Depth and points along s->u. 0 if the cores do not meet in a point there. */
LANE_FN int finish_depth(const search *s, const core *owner, const core *other, int owner_is_b, depth3_answer *out)
{
    meeting p, q;
    nearest found;
    const real far = find_meeting(owner, s->u, 1, &p), near = find_meeting(other, s->u, -1, &q);
    const real depth = far + near > 0 ? far + near : 0;
    for (unsigned i = 0; i < q.count; i++)
        along_of(q.p[i], s->u, depth, q.p[i]);
    find_shared(&p, &q, s->u, &found);
    if (!(found.square <= OFF_SQUARED))
        return 0;
    along_of(found.q, s->u, -depth, found.q);
    out->depth = depth;
    out->rounds = 1 + s->asked;
    for (int k = 0; k < 3; k++)
        out->n[k] = owner_is_b ? -s->u[k] : s->u[k];
    memcpy(out->a, owner_is_b ? found.q : found.p, sizeof out->a);
    memcpy(out->b, owner_is_b ? found.p : found.q, sizeof out->b);
    return 1;
}

depth3_fn KERNEL(gjb_depth3);

/* The owner of the arcs is the core that has fewer, but some. */
depth3_outcome KERNEL(gjb_depth3)(const depth3_pair *pair, depth3_answer *out)
{
    const unsigned arcs_a = pair->a.gauss->arcs, arcs_b = pair->b.gauss->arcs;
    const int owner_is_b = arcs_a == 0 || (arcs_b > 0 && arcs_b < arcs_a);
    core a, b;
    search s;
    if ((arcs_a == 0 && arcs_b == 0) || !pair->a.gauss->corners || !pair->b.gauss->corners)
        return DEPTH_NONE;
    load_core(&a, &pair->a, pair, 0);
    load_core(&b, &pair->b, pair, 1);
    const core *owner = owner_is_b ? &b : &a, *other = owner_is_b ? &a : &b;
    s.best = REAL_MAX;
    s.asked = 0;
    facing sides[2] = {{owner, other, s.value[0], s.index, 1, {0, 0}},
                      {other, owner, s.value[1], NULL, -1, {0, 0}}};
    ask_faces(&s, sides, pair->shift);
    open_arcs(&s, owner, pair->reach);
    return ask_arcs(&s, owner, other) && finish_depth(&s, owner, other, owner_is_b, out) ? DEPTH_FOUND : DEPTH_LOST;
}
