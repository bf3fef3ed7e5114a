/* Contact manifolds in space: what lies over one another along the normals of signed distances. */
#include "simd/space/boxes3.h"
#include "simd/space/discs3.h"
#include "simd/space/near3.h"

gjb_patches KERNEL(gjb_patches3);
gjb_near KERNEL(gjb_near3);

unsigned KERNEL(gjb_near3)(const void *prepared, const gjb_batch *batch, size_t first, unsigned count, size_t *near)
{
    return list_near(prepared, batch, first, count, sizeof(manifold), near);
}

/* One pair that has contacts. */
typedef struct pair3 {
    const shape_meta *meta[2];
    const real *pose[2];
    const record *apart;
    double margin;
    vec3 n, t, u; /* from A to B, and across */
    double grain, scale;
    double near; /* on that scale: features that miss each other by no more meet */
    double deep; /* and a corner that is no higher than the deepest point by more stands for it */
} pair3;

/* ---- writing ---- */

static void put_contact(contact *c, vec3 a, vec3 b, double separation, uint32_t feature)
{
    const double at[2][3] = {{a.x, a.y, a.z}, {b.x, b.y, b.z}};
    for (int k = 0; k < 3; k++) {
        c->point_a[k] = (real)at[0][k] + 0;
        c->point_b[k] = (real)at[1][k] + 0;
    }
    c->separation = (real)separation + 0;
    c->feature = feature;
}

/* The points of the signed distance. */
static void put_witness(contact *c, const record *r, uint32_t feature)
{
    memcpy(c->point_a, r->point_a, sizeof c->point_a);
    memcpy(c->point_b, r->point_b, sizeof c->point_b);
    c->separation = r->value;
    c->feature = feature;
}

static void put_corners(manifold *to, const pair3 *p, const patch3 *patch)
{
    const double ra = (double)p->meta[0]->radius, rb = (double)p->meta[1]->radius;
    for (unsigned i = 0; i < patch->count; i++) {
        const corner3 *c = &patch->corner[i];
        const vec3 across = add3(mul3(p->t, c->x * p->grain), mul3(p->u, c->y * p->grain));
        const vec3 a = add3(across, mul3(p->n, c->a * p->grain + ra)),
                   b = add3(across, mul3(p->n, c->b * p->grain - rb));
        put_contact(&to->contact[to->count++], a, b, c->gap * p->grain - (ra + rb), c->feature);
    }
}

/* ---- any polytopes, one pair at a time ---- */

static stored3 stored_of(const gjb_library *library, const shape_meta *meta)
{
    const unsigned n = 4u * meta->quads;
    return (stored3){record_of(library, meta) + 4 * gjb_library_head(meta->quads), n,
                     meta->quads > LANE_QUADS ? GROUP : n};
}

static void find_views(const pair3 *p, view3 view[2])
{
    const vec3 shift = {(double)p->pose[1][0] - (double)p->pose[0][0],
                        (double)p->pose[1][1] - (double)p->pose[0][1],
                        (double)p->pose[1][2] - (double)p->pose[0][2]};
    const vec3 at = mul3(shift, p->scale);
    for (int k = 0; k < 2; k++) {
        const real *q = p->pose[k] + 3;
        const mat3 turn = rotation3((double)q[0], (double)q[1], (double)q[2], (double)q[3]);
        const vec3 n = k ? neg3(p->n) : p->n;
        view[k] = (view3){mul3(turn_back3(&turn, p->t), p->scale),
                          mul3(turn_back3(&turn, p->u), p->scale),
                          mul3(turn_back3(&turn, n), p->scale),
                          k ? dot3(p->t, at) : 0,
                          k ? dot3(p->u, at) : 0,
                          k ? dot3(n, at) : 0};
    }
}

typedef struct space3 {
    double *reals;
    uint16_t *words;
    unsigned each;
} space3;

/* Where the deepest point is along an axis across the normal. */
static double deepest_along(const pair3 *p, vec3 axis)
{
    const real *a = p->apart->point_a;
    return dot3(axis, (vec3){(double)a[0], (double)a[1], (double)a[2]}) * p->scale;
}

/* Rows of the space for a feature or for sides, and what is left of it. */
static void take_feature(feature3 *f, space3 *left)
{
    double *reals = left->reals;
    uint16_t *words = left->words;
    *f = (feature3){.x = reals,
                    .y = reals + left->each,
                    .h = reals + 2 * left->each,
                    .u = reals + 3 * left->each,
                    .v = reals + 4 * left->each,
                    .id = words,
                    .corner = words + left->each,
                    .room = words + 2 * left->each};
    left->reals += 5 * left->each;
    left->words += 5 * left->each;
}

static void take_sides(sides3 *s, space3 *left, double grown)
{
    double *reals = left->reals;
    *s = (sides3){reals, reals + left->each, reals + 2 * left->each, left->words, 0, grown};
    left->reals += 3 * left->each;
    left->words += left->each;
}

/* Both features, and which are discs. */
typedef struct shown_pair3 {
    feature3 f[2];
    disc3 disc[2];
    const disc3 *is[2];
} shown_pair3;

/* What a cylinder or a cone shows. 0 if that is a point, whose name is the feature's first id. */
static int find_round(shown_pair3 *s, int k, const round3 *round, const view3 *view)
{
    feature3 *f = &s->f[k];
    const vec3 n = front_of(view);
    const shown3 shown = shown_by(round, n);
    f->id[0] = (uint16_t)name_of_point(round, n);
    f->corner[0] = 0;
    if (shown == SHOWS_POINT)
        return 0;
    if (shown == SHOWS_LINE) {
        find_side_line(f, round, view, n);
    } else {
        find_disc(f, &s->disc[k], round, view, n);
        s->is[k] = &s->disc[k];
    }
    return f->corners > 1;
}

/* 0 if one of both is a point, which is then the contact. */
static int find_both(manifold *to, shown_pair3 *s, const pair3 *p, const gjb_library *library, space3 *left)
{
    view3 view[2];
    find_views(p, view);
    for (int k = 0; k < 2; k++) {
        const shape_meta *meta = p->meta[k];
        int more;
        take_feature(&s->f[k], left);
        s->is[k] = NULL;
        if (METHOD_CURVE(meta->method)) {
            const real *head = record_of(library, meta);
            const round3 round = {METHOD_CURVE(meta->method), (double)head[0], (double)head[1]};
            more = find_round(s, k, &round, &view[k]);
        } else {
            const stored3 stored = stored_of(library, meta);
            find_feature(&s->f[k], &stored, &view[k]);
            more = s->f[k].corners > 1;
        }
        if (!more) { /* the witness points are there */
            const unsigned id = s->f[k].id[s->f[k].corner[0]];
            put_witness(&to->contact[to->count++], p->apart, k ? FEATURE_VERTEX_B(id) : FEATURE_VERTEX_A(id));
            return 0;
        }
    }
    return 1;
}

/* What lies over one another of features that have corners, or of discs. */
static void meet_features(meet3 *m, shown_pair3 *s, const pair3 *p, space3 *left)
{
    feature3 *f = s->f;
    sides3 sides[2];
    const int discs = s->is[0] || s->is[1];
    const int segment = f[0].corners == 2 ? 0 : f[1].corners == 2 ? 1 : -1;
    for (int k = 0; k < 2; k++) {
        take_sides(&sides[k], left, segment < 0 && !discs ? GROWN : p->near);
        if (s->is[k])
            find_rim_sides(s->is[k], &sides[k]);
        else if (segment != k)
            find_sides(&f[k], &sides[k]);
    }
    for (int k = 0; k < 2; k++) {
        m->stride = stride_of(f[k].corners);
        if (segment < 0 && !discs)
            find_corners(m, &f[k], &sides[1 - k], k);
    }
    if (discs)
        meet_discs(m, s->is, sides, p->deep);
    else if (segment >= 0)
        find_ends(m, &f[segment], &sides[1 - segment], segment);
    if (segment < 0 && m->cut && !(f[0].flat && f[1].flat))
        find_inner_corners(m, sides, deepest_along(p, p->t), deepest_along(p, p->u));
}

/* The last of two with one name gets another: rims and inner corners name more than there are bits for. */
static void part_names(manifold *to)
{
    for (unsigned i = 1; i < to->count; i++)
        for (unsigned j = 0; j < i; j++)
            if (to->contact[i].feature == to->contact[j].feature)
                to->contact[i].feature = FEATURE_OTHER(i);
}

static void find_patch(manifold *to, const pair3 *p, const gjb_library *library, space3 left)
{
    shown_pair3 s;
    patch3 patch;
    if (!find_both(to, &s, p, library, &left))
        return;
    feature3 *f = s.f;
    const unsigned id_a = f[0].id[f[0].corner[0]], id_b = f[1].id[f[1].corner[0]];
    const double radii = ((double)p->meta[0]->radius + (double)p->meta[1]->radius) * p->scale;
    const double least = -(f[0].top + f[1].top);
    meet3 m = {&f[0], &f[1], least, p->margin * p->scale + radii, 0, 1, &patch};
    patch.count = 0;
    meet_features(&m, &s, p, &left);
    drop_beyond(&patch, m.most);
    const corner3 inner = {.x = deepest_along(p, p->t), .y = deepest_along(p, p->u)};
    int is_inner = 0;
    if (patch.count == 0 || patch.corner[deepest_of(&patch)].gap > least + p->deep) {
        put_witness(&to->contact[to->count++], p->apart, FEATURE_DEEPEST(id_a, id_b));
        is_inner = 1;
    }
    keep_corners(&patch, is_inner ? &inner : NULL, 0, least + p->deep);
    put_corners(to, p, &patch);
    part_names(to);
}

LANE_CALL void find_patch_small(manifold *to, const pair3 *p, const gjb_library *library)
{
    enum { EACH = SOLID_VERTICES + SHARP };
    double reals[16 * EACH];
    uint16_t words[12 * EACH];
    find_patch(to, p, library, (space3){reals, words, EACH});
}

/* In the room of the fallback path, which the signed distances need no more: it has kilobytes for each vertex, and
 * threads may have small stacks. */
LANE_CALL void find_patch_large(manifold *to, const pair3 *p, const asked3 *q, unsigned vertices)
{
    const unsigned each = vertices + SHARP;
    double *room = ((context *)q->batch->workspace)->fallback;
    find_patch(to, p, q->library, (space3){room, (uint16_t *)(room + 16 * (size_t)each), each});
}

static void find_frame(pair3 *p)
{
    const double extent = (double)p->meta[0]->extent + (double)p->meta[1]->extent;
    double far[3], size = extent;
    for (int k = 0; k < 3; k++) {
        far[k] = (double)p->pose[1][k] - (double)p->pose[0][k];
        size += fabs(far[k]);
    }
    size = fmax(size, (double)REAL_MIN * 16);
    int exponent;
    frexp(size, &exponent);
    p->grain = ldexp(1, exponent - 1);
    p->scale = ldexp(1, 1 - exponent);
    const vec3 shift = mul3((vec3){far[0], far[1], far[2]}, p->scale);
    p->near = NEAR * (extent * p->scale + length3(shift));
    p->deep = DEEP * (extent * p->scale + length3(shift));
    const real *n = p->apart->normal;
    p->n = (vec3){(double)n[0], (double)n[1], (double)n[2]};
    p->n = mul3(p->n, 1 / length3(p->n));
    across_of(p->n, &p->t, &p->u);
}

static void begin_manifold(manifold *to, const record *r)
{
    memset(to, 0, sizeof *to);
    to->head = r->head;
    memcpy(to->normal, r->normal, sizeof to->normal);
}

/* Curved, and with no flat or straight part. */
static int is_smooth(const shape_meta *meta)
{
    const unsigned curve = METHOD_CURVE(meta->method);
    return curve == CURVE_ELLIPSE || curve == CURVE_SUPER;
}

/* Any pair that has contacts. */
static void answer_pair(const asked3 *q, unsigned pair)
{
    const uint32_t *bodies = q->batch->pairs + 2 * q->pair[pair];
    pair3 p = {.apart = &q->apart[pair], .margin = q->batch->margin};
    for (int k = 0; k < 2; k++) {
        p.meta[k] = meta_of(q->library, q->batch, bodies[k]);
        p.pose[k] = pose_of(q->batch, bodies[k]);
    }
    manifold *to = manifold_of(q, pair);
    begin_manifold(to, p.apart);
    if (is_smooth(p.meta[0]) || is_smooth(p.meta[1])) {
        put_witness(&to->contact[to->count++], p.apart, FEATURE_DEEPEST(0, 0));
        return;
    }
    find_frame(&p);
    const unsigned most = p.meta[0]->quads > p.meta[1]->quads ? p.meta[0]->quads : p.meta[1]->quads;
    if (4 * most <= SOLID_VERTICES)
        find_patch_small(to, &p, q->library);
    else
        find_patch_large(to, &p, q, 4 * most);
}

/* ---- batches ---- */

/* Pairs of a chunk by how they are answered. */
typedef struct lists3 {
    uint16_t boxes[MANIFOLD_CHUNK], faces[MANIFOLD_CHUNK], edges[MANIFOLD_CHUNK];
    unsigned box_count, face_count, edge_count;
} lists3;

static void answer_some(const asked3 *q, const uint16_t *pair, unsigned bits)
{
    for (; bits; bits &= bits - 1)
        answer_pair(q, pair[__builtin_ctz(bits)]);
}

static unsigned add_some(uint16_t *to, unsigned count, const uint16_t *pair, unsigned bits)
{
    for (; bits; bits &= bits - 1)
        to[count++] = pair[__builtin_ctz(bits)];
    return count;
}

static void sort_features(const asked3 *q, lists3 *lists)
{
    for (unsigned i = 0; i < lists->box_count; i += LANES) {
        const unsigned left = lists->box_count - i;
        const uint16_t *pair = lists->boxes + i;
        real index[2][LANES];
        const sorted3 s = sort_boxes(q, pair, left < LANES ? left : LANES, index);
        for (unsigned bits = s.corner; bits; bits &= bits - 1) {
            const unsigned l = (unsigned)__builtin_ctz(bits), a = (unsigned)(int)index[0][l],
                           b = (unsigned)(int)index[1][l];
            manifold *to = manifold_of(q, pair[l]);
            begin_manifold(to, &q->apart[pair[l]]);
            put_witness(&to->contact[to->count++], &q->apart[pair[l]],
                        a == 8 ? FEATURE_VERTEX_B(b) : FEATURE_VERTEX_A(a));
        }
        lists->face_count = add_some(lists->faces, lists->face_count, pair, s.faces);
        lists->edge_count = add_some(lists->edges, lists->edge_count, pair, s.edges);
        answer_some(q, pair, s.other);
    }
}

void KERNEL(gjb_patches3)(const void *prepared, const gjb_batch *batch, const size_t *pairs, size_t count,
                          const void *signed_distances)
{
    const asked3 q = {prepared, batch, pairs, signed_distances};
    lists3 lists;
    lists.box_count = lists.face_count = lists.edge_count = 0;
    for (unsigned i = 0; i < count; i++) {
        const record *r = &q.apart[i];
        const uint32_t *bodies = batch->pairs + 2 * pairs[i];
        const int known = r->head.status == GJB_SEPARATED || r->head.status == GJB_OVERLAPPING;
        if (!known || !((double)r->value <= batch->margin)) {
            manifold *to = manifold_of(&q, i);
            memset(to, 0, sizeof *to);
            to->head.status = r->head.status; /* iterations: as in plane/manifold2.h */
        } else if (meta_of(q.library, batch, bodies[0])->method & (METHOD_BOX | METHOD_LINE) &&
                   meta_of(q.library, batch, bodies[1])->method & (METHOD_BOX | METHOD_LINE)) {
            lists.boxes[lists.box_count++] = (uint16_t)i;
        } else {
            answer_pair(&q, i);
        }
    }
    sort_features(&q, &lists);
    for (unsigned i = 0; i < lists.face_count; i += LANES) {
        const unsigned left = lists.face_count - i;
        answer_some(&q, lists.faces + i, patch_faces(&q, lists.faces + i, left < LANES ? left : LANES));
    }
    for (unsigned i = 0; i < lists.edge_count; i += LANES) {
        const unsigned left = lists.edge_count - i;
        answer_some(&q, lists.edges + i, patch_edges(&q, lists.edges + i, left < LANES ? left : LANES));
    }
}
