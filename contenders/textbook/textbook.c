/* The textbook methods as contenders. Nothing here is part of a method: shapes are laid
 * out as the tutorials would hold them (a box by its corners), records are written.
 *
 * tau is the tolerance at which a tutorial tells its reader to stop. It is absolute, so it grants
 * more than the whole answer if shapes are small. */
#include "contenders/contender_lists.h"

#include <stdlib.h>

#include "contenders/textbook/textbook_parts.h"

/* --- methods, by one form a dimension ---------------------------------------------- */

static void gjk2(const gjb_pair2 *pair, int deep, tb_space2 *space, const gjb_trace *trace,
                 gjb_answer *answer)
{
    (void)deep;
    (void)space;
    tb_gjk2(pair, trace, answer);
}

static void epa2(const gjb_pair2 *pair, int deep, tb_space2 *space, const gjb_trace *trace,
                 gjb_answer *answer)
{
    (void)deep;
    tb_epa2(pair, TB_EPA2_TOLERANCE, space, trace, answer);
}

static void epa2_tight(const gjb_pair2 *pair, int deep, tb_space2 *space, const gjb_trace *trace,
                       gjb_answer *answer)
{
    (void)deep;
    tb_epa2(pair, TB_EPA2_TIGHT, space, trace, answer);
}

static void dist2(const gjb_pair2 *pair, int deep, tb_space2 *space, const gjb_trace *trace,
                  gjb_answer *answer)
{
    tb_dist2(pair, deep, 0, space, trace, answer);
}

static void dist2_nearer(const gjb_pair2 *pair, int deep, tb_space2 *space, const gjb_trace *trace,
                         gjb_answer *answer)
{
    tb_dist2(pair, deep, 1, space, trace, answer);
}

static void gjk3(const tb_pair3 *pair, tb_space3 *space, const gjb_trace *trace, gjb_answer *answer)
{
    (void)space;
    tb_gjk3(pair, trace, answer);
}

static void epa3(const tb_pair3 *pair, tb_space3 *space, const gjb_trace *trace, gjb_answer *answer)
{
    tb_epa3(pair, 0, space, trace, answer);
}

static void epa3_front(const tb_pair3 *pair, tb_space3 *space, const gjb_trace *trace, gjb_answer *answer)
{
    tb_epa3(pair, 1, space, trace, answer);
}

/* --- shapes ---------------------------------------------------------------------- */

typedef struct shape {
    gjb_kind kind;
    uint32_t count;
    const void *vertices; /* in the precision of the method */
    double radius;
} shape;

typedef struct prepared {
    shape *shapes;
    char *corners; /* of boxes */
} prepared;

static void release(void *prepared_by_us)
{
    prepared *p = prepared_by_us;
    free(p->shapes);
    free(p->corners);
    free(p);
}

static double number(const void *from, uint32_t precision, size_t i)
{
    return precision == GJB_F32 ? ((const float *)from)[i] : ((const double *)from)[i];
}

static void lay_out_box(const gjb_shapes *shapes, const void *half, void *corners)
{
    for (uint32_t i = 0; i < gjb_box_corners(shapes->dim); i++)
        for (uint32_t axis = 0; axis < shapes->dim; axis++) {
            const size_t at = (size_t)i * shapes->dim + axis;
            const double value = gjb_box_corner(shapes->dim, i, axis) * number(half, shapes->precision, axis);
            if (shapes->precision == GJB_F32)
                ((float *)corners)[at] = (float)value;
            else
                ((double *)corners)[at] = value;
        }
}

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)backend;
    const size_t row = shapes->dim * (shapes->precision == GJB_F32 ? sizeof(float) : sizeof(double));
    const size_t box = gjb_box_corners(shapes->dim) * row;
    prepared *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->shapes = malloc((shapes->count + 1u) * sizeof *p->shapes);
    p->corners = malloc((shapes->count + 1u) * box);
    if (p->shapes == NULL || p->corners == NULL) {
        release(p);
        return NULL;
    }
    for (uint32_t s = 0; s < shapes->count; s++) {
        shape *to = &p->shapes[s];
        *to = (shape){(gjb_kind)shapes->kind[s], shapes->row_count[s],
                      (const char *)shapes->rows + shapes->first[s] * row,
                      number(shapes->radius, shapes->precision, s)};
        if (to->kind == GJB_BOX) {
            lay_out_box(shapes, to->vertices, p->corners + s * box);
            to->vertices = p->corners + s * box;
            to->count = gjb_box_corners(shapes->dim);
        }
    }
    return p;
}

static inline gjb_body2 body2(const prepared *p, const gjb_batch *batch, uint32_t index)
{
    const shape *s = &p->shapes[gjb_batch_shape(batch, index)];
    gjb_body2 body = {
        .kind = s->kind, .count = s->count, .vertices = (const double(*)[2])s->vertices, .radius = s->radius};
    memcpy(&body.pose, gjb_batch_pose(batch, index), sizeof body.pose);
    return body;
}

static inline tb_body3 body3(const prepared *p, const gjb_batch *batch, uint32_t index)
{
    const shape *s = &p->shapes[gjb_batch_shape(batch, index)];
    tb_body3 body = {
        .count = s->count, .vertices = (const float(*)[3])s->vertices, .radius = (float)s->radius};
    gjb_pose3f pose;
    memcpy(&pose, gjb_batch_pose(batch, index), sizeof pose);
    tb_place3(&body, &(gjb_pose3d){pose.x, pose.y, pose.z, pose.qx, pose.qy, pose.qz, pose.qw});
    return body;
}

static size_t workspace2(const void *p)
{
    (void)p;
    return sizeof(tb_space2);
}

static size_t workspace_clip2(const void *p)
{
    (void)p;
    return sizeof(tb_clip_space2);
}

static size_t workspace3(const void *p)
{
    (void)p;
    return sizeof(tb_space3);
}

/* --- contenders -------------------------------------------------------------------- */

#define INTERSECT (1u << GJB_INTERSECT)
#define PENETRATION (1u << GJB_PENETRATION)
#define DISTANCES (1u << GJB_DISTANCE | 1u << GJB_PENETRATION | 1u << GJB_SIGNED_DISTANCE)

/* One function a contender, so that each loop calls its method straight. */
#define RUN(method, queries, answer_one, precision, dim)                                                     \
    static void run_##method(const void *p, const gjb_batch *batch)                                          \
    {                                                                                                        \
        const uint32_t known = (queries) >> batch->query & 1u;                                               \
        gjb_answer_all(p, batch, precision, dim, known ? answer_one : gjb_answer_unsupported);               \
    }
#define PLANE(method, queries)                                                                               \
    static void answer_##method(const void *p, const gjb_batch *batch, const uint32_t *bodies,               \
                                gjb_answer *answer)                                                          \
    {                                                                                                        \
        const gjb_pair2 pair = {body2(p, batch, bodies[0]), body2(p, batch, bodies[1])};                     \
        method(&pair, batch->query != GJB_DISTANCE, batch->workspace, NULL, answer);                         \
    }                                                                                                        \
    RUN(method, queries, answer_##method, GJB_F64, 2)
#define SPACE(method, queries)                                                                               \
    static void answer_##method(const void *p, const gjb_batch *batch, const uint32_t *bodies,               \
                                gjb_answer *answer)                                                          \
    {                                                                                                        \
        const tb_pair3 pair = {body3(p, batch, bodies[0]), body3(p, batch, bodies[1])};                      \
        method(&pair, batch->workspace, NULL, answer);                                                       \
    }                                                                                                        \
    RUN(method, queries, answer_##method, GJB_F32, 3)

PLANE(gjk2, INTERSECT)
PLANE(epa2, PENETRATION)
PLANE(epa2_tight, PENETRATION)
PLANE(dist2, DISTANCES)
PLANE(dist2_nearer, DISTANCES)
static void answer_ca2(const void *p, const gjb_batch *batch, const uint32_t *bodies, gjb_answer *answer)
{
    gjb_pair2 pair = {body2(p, batch, bodies[0]), body2(p, batch, bodies[1])};
    gjb_body2 *const body[2] = {&pair.a, &pair.b};
    for (int side = 0; side < 2; side++) {
        double motion[6];
        gjb_batch_motion(batch, GJB_F64, 2, bodies[side], motion);
        body[side]->motion = (gjb_motion2d){motion[0], motion[1], motion[2]};
    }
    tb_ca2(&pair, batch->workspace, answer);
}
RUN(ca2, 1u << GJB_TOI, answer_ca2, GJB_F64, 2)
static void answer_clip2(const void *p, const gjb_batch *batch, const uint32_t *bodies, gjb_answer *answer)
{
    const gjb_pair2 pair = {body2(p, batch, bodies[0]), body2(p, batch, bodies[1])};
    if (pair.a.count > 2 && pair.b.count > 2 && pair.a.radius == 0 && pair.b.radius == 0)
        tb_clip2(&pair, batch->margin, batch->workspace, answer);
}
RUN(clip2, 1u << GJB_MANIFOLD, answer_clip2, GJB_F64, 2)
SPACE(gjk3, INTERSECT)
SPACE(epa3, PENETRATION)
SPACE(epa3_front, PENETRATION)

#define COMMON                                                                                               \
    .abi_version = GJB_CONTENDER_ABI, .struct_size = sizeof(gjb_contender), .version = GJB_VERSION,          \
    .licence = "MIT", .max_vertices = GJB_NO_VERTEX_LIMIT, .prepare = prepare, .release = release
#define COMMON2                                                                                              \
    COMMON, .dims = 1u << 2, .kinds = GJB_KINDS_2D, .precisions = 1u << GJB_F64, .workspace_size = workspace2
#define COMMON3                                                                                              \
    COMMON, .dims = 1u << 3, .kinds = GJB_KINDS_3D, .precisions = 1u << GJB_F32, .workspace_size = workspace3

#define EPA2_NOTE "as 2D tutorials teach EPA: from GJK's triangle, nearest edge first, absolute tolerance "
#define DIST2_NOTE                                                                                           \
    "as 2D tutorials teach GJK with distance, then EPA, absolute tolerance 1e-5: of the simplex "
#define EPA3_NOTE "as 3D game tutorials teach EPA: edge list, absolute tolerance 0.001, in float; faces go "

#define DISTANCE_TAU                                                                                         \
    {                                                                                                        \
        [GJB_DISTANCE] = TB_DISTANCE_TOLERANCE, [GJB_PENETRATION] = TB_DISTANCE_TOLERANCE,                   \
        [GJB_SIGNED_DISTANCE] = TB_DISTANCE_TOLERANCE                                                        \
    }

static const gjb_contender textbook_gjk2 = {
    COMMON2,
    .name = "textbook-gjk2",
    .note = "as 2D tutorials teach GJK, yes or no: triangle simplex, start direction (0, 1)",
    .queries = INTERSECT,
    .run = run_gjk2,
};
static const gjb_contender textbook_epa2 = {
    COMMON2,
    .name = "textbook-epa2",
    .note = EPA2_NOTE "0.05",
    .queries = PENETRATION,
    .tau = {[GJB_PENETRATION] = TB_EPA2_TOLERANCE},
    .run = run_epa2,
};
static const gjb_contender textbook_epa2_tight = {
    COMMON2,
    .name = "textbook-epa2-tight",
    .note = EPA2_NOTE "1e-5",
    .variant_of = "textbook-epa2",
    .queries = PENETRATION,
    .tau = {[GJB_PENETRATION] = TB_EPA2_TIGHT},
    .run = run_epa2_tight,
};
static const gjb_contender textbook_dist2 = {
    COMMON2,
    .name = "textbook-dist2",
    .note = DIST2_NOTE "the oldest vertex goes",
    .queries = DISTANCES,
    .tau = DISTANCE_TAU,
    .run = run_dist2,
};
static const gjb_contender textbook_dist2_nearer = {
    COMMON2,
    .name = "textbook-dist2-nearer",
    .note = DIST2_NOTE "the farther side goes",
    .variant_of = "textbook-dist2",
    .queries = DISTANCES,
    .tau = DISTANCE_TAU,
    .run = run_dist2_nearer,
};
static const gjb_contender textbook_ca2 = {
    COMMON2,
    .name = "textbook-ca2",
    .note = "as 2D tutorials teach conservative advancement: textbook-dist2-nearer, absolute tolerance 1e-5, and contact "
            "after 30 steps",
    .queries = 1u << GJB_TOI,
    .no_points = 1u << GJB_TOI,
    .tau = {[GJB_TOI] = TB_DISTANCE_TOLERANCE},
    .run = run_ca2,
};
static const gjb_contender textbook_clip2 = {
    COMMON,
    .name = "textbook-clip2",
    .note = "as 2D tutorials teach manifolds: separating axes of edges, the incident edge clipped by the reference "
            "edge; sharp polygons alone, and of shapes apart what lies over one another",
    .dims = 1u << 2,
    .kinds = 1u << GJB_POLYGON | 1u << GJB_BOX,
    .queries = 1u << GJB_MANIFOLD,
    .precisions = 1u << GJB_F64,
    .tau = {[GJB_MANIFOLD] = TB_CLIP_PREFERENCE},
    .workspace_size = workspace_clip2,
    .run = run_clip2,
    .touching_only = 1u << GJB_MANIFOLD,
};
static const gjb_contender textbook_gjk3 = {
    COMMON3,
    .name = "textbook-gjk3",
    .note = "as 3D game tutorials teach GJK, yes or no: line, triangle and tetrahedron cases, in float",
    .queries = INTERSECT,
    .run = run_gjk3,
};
static const gjb_contender textbook_epa3 = {
    COMMON3,
    .name = "textbook-epa3",
    .note = EPA3_NOTE "whose normal points along the new vertex, the test most copied",
    .queries = PENETRATION,
    .tau = {[GJB_PENETRATION] = TB_EPA3_TOLERANCE},
    .run = run_epa3,
};
static const gjb_contender textbook_epa3_front = {
    COMMON3,
    .name = "textbook-epa3-front",
    .note = EPA3_NOTE "that the new vertex lies in front of",
    .variant_of = "textbook-epa3",
    .queries = PENETRATION,
    .tau = {[GJB_PENETRATION] = TB_EPA3_TOLERANCE},
    .run = run_epa3_front,
};

const gjb_contender *const gjb_contenders_textbook[] = {
    &textbook_gjk2,  &textbook_epa2,         &textbook_epa2_tight,
    &textbook_dist2, &textbook_dist2_nearer, &textbook_ca2,
    &textbook_clip2, &textbook_gjk3,         &textbook_epa3,
    &textbook_epa3_front, &tb_clip3, NULL,
};

/* --- for traces ---------------------------------------------------------------------- */

typedef struct method {
    void (*plane)(const gjb_pair2 *, int, tb_space2 *, const gjb_trace *, gjb_answer *);
    void (*space)(const tb_pair3 *, tb_space3 *, const gjb_trace *, gjb_answer *);
} method;

/* Row by row alike. */
const gjb_textbook gjb_textbooks[] = {
    {"textbook-gjk2", 2},  {"textbook-epa2", 2},         {"textbook-epa2-tight", 2},
    {"textbook-dist2", 2}, {"textbook-dist2-nearer", 2}, {"textbook-gjk3", 3},
    {"textbook-epa3", 3},  {"textbook-epa3-front", 3},
};
static const method methods[] = {
    {gjk2, NULL},         {epa2, NULL}, {epa2_tight, NULL}, {dist2, NULL},
    {dist2_nearer, NULL}, {NULL, gjk3}, {NULL, epa3},       {NULL, epa3_front},
};
const size_t gjb_textbook_count = sizeof gjb_textbooks / sizeof gjb_textbooks[0];
_Static_assert(sizeof methods / sizeof methods[0] == sizeof gjb_textbooks / sizeof gjb_textbooks[0],
               "a row each");

const gjb_textbook *gjb_textbook_find(const char *name)
{
    for (size_t i = 0; i < gjb_textbook_count; i++)
        if (strcmp(gjb_textbooks[i].name, name) == 0)
            return &gjb_textbooks[i];
    return NULL;
}

static int walk2(const method *m, const gjb_pair2 *pair, const gjb_trace *trace, gjb_answer *answer)
{
    if (pair->a.count == 0 || pair->b.count == 0)
        return -1;
    tb_space2 *space = malloc(sizeof *space);
    if (space == NULL)
        return -1;
    m->plane(pair, 1, space, trace, answer);
    free(space);
    return 0;
}

/* Rounded to float, as the contender is fed. */
static void narrow(const gjb_body3 *from, float (*vertices)[3], tb_body3 *to)
{
    for (uint32_t i = 0; i < from->count; i++)
        for (int k = 0; k < 3; k++)
            vertices[i][k] = (float)from->vertices[i][k];
    *to = (tb_body3){
        .count = from->count, .vertices = (const float(*)[3])vertices, .radius = (float)from->radius};
    tb_place3(to, &from->pose);
}

static int walk3(const method *m, const gjb_pair3 *pair, const gjb_trace *trace, gjb_answer *answer)
{
    if (pair->a.count == 0 || pair->b.count == 0)
        return -1;
    tb_space3 *space = malloc(sizeof *space);
    float(*vertices)[3] = malloc(((size_t)pair->a.count + pair->b.count) * sizeof *vertices);
    const int fine = space != NULL && vertices != NULL;
    if (fine) {
        tb_pair3 narrowed;
        narrow(&pair->a, vertices, &narrowed.a);
        narrow(&pair->b, vertices + pair->a.count, &narrowed.b);
        m->space(&narrowed, space, trace, answer);
    }
    free(space);
    free(vertices);
    return fine ? 0 : -1;
}

int gjb_textbook_walk(const gjb_textbook *textbook, const gjb_pair *pair, const gjb_trace *trace,
                      gjb_answer *answer)
{
    const method *m = &methods[textbook - gjb_textbooks];
    memset(answer, 0, sizeof *answer);
    if (textbook->dim != pair->dim)
        return -1;
    return pair->dim == 2 ? walk2(m, &pair->as.plane, trace, answer)
                          : walk3(m, &pair->as.space, trace, answer);
}
