#include "core/generate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/generate_parts.h"
#include "core/scene_private.h"

static void set_plan(gjb_plan *plan, gjb_kind kind, uint32_t count, uint8_t rounded)
{
    *plan = (gjb_plan){kind, count, rounded};
}

static void plan_point(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r, (void)n;
    set_plan(plan, GJB_POINT, 1, 0);
}

static void plan_circle(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r, (void)n;
    set_plan(plan, GJB_POINT, 1, 1);
}

static void plan_segment(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r, (void)n;
    set_plan(plan, GJB_SEGMENT, 2, 0);
}

static void plan_capsule(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r, (void)n;
    set_plan(plan, GJB_SEGMENT, 2, 1);
}

static void plan_box(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r, (void)n;
    set_plan(plan, GJB_BOX, 1, 0);
}

static void plan_rounded_box(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r, (void)n;
    set_plan(plan, GJB_BOX, 1, 1);
}

static void plan_polygon(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r;
    set_plan(plan, GJB_POLYGON, n, 0);
}

static void plan_rounded_polygon(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r;
    set_plan(plan, GJB_POLYGON, n, 1);
}

/* The eight kinds equally often, polygons with 3 to 16 vertices. */
static void plan_mixed_kinds(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    static void (*const plans[])(gjb_random *, uint32_t, gjb_plan *) = {
        plan_point, plan_circle,      plan_segment, plan_capsule,
        plan_box,   plan_rounded_box, plan_polygon, plan_rounded_polygon,
    };
    (void)n;
    const uint32_t kind = gjb_random_below(r, sizeof plans / sizeof *plans);
    plans[kind](r, 3 + gjb_random_below(r, 14), plan);
}

const gjb_workload gjb_workloads[] = {
    {"point", "points; families that overlap place them near instead", 1, 1, plan_point},
    {"circle", "circles: points with a radius", 1, 1, plan_circle},
    {"segment", "segments", 2, 1, plan_segment},
    {"capsule", "capsules: segments with a radius", 2, 1, plan_capsule},
    {"box", "boxes", 4, 1, plan_box},
    {"rounded-box", "boxes with a radius", 4, 1, plan_rounded_box},
    {"polygonN", "irregular convex polygons of N vertices, 3 to 4096", 0, 1, plan_polygon},
    {"rounded-polygonN", "the same with a radius", 0, 1, plan_rounded_polygon},
    {"mixed-kinds", "any of the above, polygons with 3 to 16 vertices", 8, 1, plan_mixed_kinds},
};
const size_t gjb_workload_count = sizeof gjb_workloads / sizeof *gjb_workloads;

const char *const gjb_workload_tour[] = {
    "point",     "circle",    "segment",   "capsule",          "box",        "rounded-box", "polygon3", "polygon4",
    "polygon8",  "polygon16", "polygon32", "polygon64",        "polygon256", "rounded-polygon8", "mixed-kinds", NULL};

/* Plans of families: called after the workload's, and on top of it. */

static void plan_four_vertices(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    const uint32_t count = plan->kind == GJB_POLYGON ? plan->count : n;
    (void)r;
    plan->kind = GJB_POLYGON;
    plan->count = count > 4 ? count : 4;
}

static void plan_flat(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    const uint32_t count = plan->kind == GJB_POLYGON ? plan->count : n;
    switch (gjb_random_below(r, 4)) {
    case 0:
        set_plan(plan, GJB_SEGMENT, 2, 0);
        break;
    case 1:
        set_plan(plan, GJB_SEGMENT, 2, 1);
        break;
    case 2:
        set_plan(plan, GJB_BOX, 1, plan->rounded);
        break;
    default:
        set_plan(plan, GJB_POLYGON, count > 3 ? count : 3, plan->rounded);
        break;
    }
}

static void plan_vertex_on(gjb_random *r, uint32_t n, gjb_plan *plan)
{
    (void)r, (void)n;
    if (plan->kind != GJB_POLYGON) {
        set_plan(plan, GJB_BOX, 1, plan->rounded);
    }
}

#define ROW(name, about, ...)                                                                                \
    {                                                                                                        \
        name, about, __VA_ARGS__                                                                             \
    }
const gjb_family gjb_families[] = {
    /* degenerate, touching, own shapes, sharing, version, scale, plan, shape, place */
    ROW("far", "gap of 1 to 3 sizes", 0, 0, 0, GJB_ANY, 1, 1.0, NULL, gjb_shape_plain, gjb_place_far),
    ROW("near", "gap of about 1% of the size", 0, 0, 0, GJB_ANY, 1, 1.0, NULL, gjb_shape_plain,
        gjb_place_near),
    ROW("touching", "touching, half of the pairs exactly and half up to rounding", 0, 1, 0, GJB_ANY, 1, 1.0,
        NULL, gjb_shape_lattice, gjb_place_touching),
    ROW("shallow", "overlap of about 1% of the size", 0, 0, 0, GJB_ANY, 1, 1.0, NULL, gjb_shape_plain,
        gjb_place_shallow),
    ROW("deep", "overlap of 20 to 50% of the size", 0, 0, 0, GJB_ANY, 1, 1.0, NULL, gjb_shape_plain,
        gjb_place_deep),
    ROW("contained", "one well inside the other", 0, 0, 0, GJB_HALVES, 1, 1.0, NULL, gjb_shape_contained,
        gjb_place_contained),
    ROW("mixed", "random distances, about half of the pairs overlapping", 0, 0, 0, GJB_ANY, 1, 1.0, NULL,
        gjb_shape_plain, gjb_place_mixed),
    ROW("needle", "aspect ratios to 1e4", 1, 0, 0, GJB_ANY, 1, 1.0, NULL, gjb_shape_needle,
        gjb_place_assorted),
    ROW("repeated", "polygons with repeated vertices", 1, 0, 1, GJB_ANY, 1, 1.0, plan_four_vertices,
        gjb_shape_repeated, gjb_place_assorted),
    ROW("collinear", "polygons with runs of collinear vertices, exactly and nearly", 1, 0, 1, GJB_ANY, 1, 1.0,
        plan_four_vertices, gjb_shape_collinear, gjb_place_assorted),
    ROW("parallel", "edges face to face, parallel exactly or to a few roundings", 1, 0, 1, GJB_ANY, 1, 1.0,
        NULL, gjb_shape_parallel, gjb_place_parallel),
    ROW("identical", "a shape against itself, in the same pose or nearly", 1, 0, 0, GJB_SAME, 1, 1.0, NULL,
        gjb_shape_plain, gjb_place_identical),
    ROW("tiny", "everything a millionth of its size", 1, 0, 0, GJB_ANY, 1, 1e-6, NULL, gjb_shape_plain,
        gjb_place_assorted),
    ROW("huge", "everything a million times its size", 1, 0, 0, GJB_ANY, 1, 1e6, NULL, gjb_shape_plain,
        gjb_place_assorted),
    ROW("far-origin", "1e3 to 1e6 sizes from the world's origin", 1, 0, 0, GJB_ANY, 1, 1.0, NULL,
        gjb_shape_plain, gjb_place_far_origin),
    ROW("size-ratio", "one shape 1e-4 to 1e4 times the other", 1, 0, 0, GJB_ANY, 1, 1.0, NULL,
        gjb_shape_size_ratio, gjb_place_size_ratio),
    ROW("flat", "shapes without thickness, half of them on one line", 1, 1, 1, GJB_ANY, 1, 1.0, plan_flat,
        gjb_shape_flat, gjb_place_flat),
    ROW("vertex-on", "integer shapes and steps, the origin exactly on a vertex or edge of A - B", 1, 1, 1,
        GJB_ANY, 1, 1.0, plan_vertex_on, gjb_shape_vertex_on, gjb_place_vertex_on),
};
#undef ROW
const size_t gjb_family_count = sizeof gjb_families / sizeof *gjb_families;

const gjb_family *gjb_family_find(const char *name)
{
    for (size_t i = 0; i < gjb_family_count; i++) {
        if (strcmp(gjb_families[i].name, name) == 0) {
            return &gjb_families[i];
        }
    }
    return NULL;
}

/* The row of a workload, and the number behind its name. */
static const gjb_workload *find_workload(const char *name, uint32_t *vertices)
{
    for (size_t i = 0; i < gjb_workload_count; i++) {
        const gjb_workload *row = &gjb_workloads[i];
        *vertices = row->vertices;
        if (row->vertices > 0) {
            if (strcmp(row->name, name) == 0) {
                return row;
            }
            continue;
        }
        const size_t stem = strlen(row->name) - 1;
        if (strncmp(row->name, name, stem) != 0 || name[stem] < '1' || name[stem] > '9') {
            continue;
        }
        uint32_t n = 0;
        const char *digit = name + stem;
        for (; *digit >= '0' && *digit <= '9' && n <= GJB_MAX_VERTICES; digit++) {
            n = 10 * n + (uint32_t)(*digit - '0');
        }
        if (*digit == '\0' && n >= 3 && n <= GJB_MAX_VERTICES) {
            *vertices = n;
            return row;
        }
    }
    return NULL;
}

uint32_t gjb_workload_vertices(const char *name)
{
    uint32_t vertices = 0;
    return find_workload(name, &vertices) != NULL ? vertices : 0;
}

/* What is random for what: part of the key. */
enum role { ROLE_SHAPE = 1, ROLE_PLACE, ROLE_DECK };

/* FNV-1a (Fowler, Noll, Vo 1991) over the words that name a stream. */
static uint64_t stream_of(const gjb_recipe *recipe, const gjb_workload *workload, const gjb_family *family,
                          enum role role)
{
    char text[160];
    snprintf(text, sizeof text, "%s:%u/%s:%u/%d", recipe->workload, workload->version, recipe->family,
             family->version, (int)role);
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *at = text; *at != '\0'; at++) {
        hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
    }
    return hash;
}

typedef struct maker {
    const gjb_recipe *recipe;
    const gjb_workload *workload;
    const gjb_family *family;
    uint32_t vertices;
    uint32_t shapes, halves[2];
    uint64_t stream[ROLE_DECK + 1];
    gjb_scene *scene;
} maker;

/* A shuffled pack of shapes from first to first + count - 1, dealt again and
 * again, shuffled afresh each time. */
typedef struct deck {
    uint32_t *order;
    uint32_t first, count;
    uint64_t stream, round;
} deck;

static uint32_t deal(deck *d, uint64_t seed, uint64_t k)
{
    const uint64_t round = k / d->count;
    if (round != d->round) {
        gjb_random r = gjb_random_make(seed, d->stream + d->first, round);
        for (uint32_t i = 0; i < d->count; i++) {
            const uint32_t j = gjb_random_below(&r, i + 1);
            d->order[i] = d->order[j];
            d->order[j] = d->first + i;
        }
        d->round = round;
    }
    return d->order[k % d->count];
}

/* Number of shape k of the scene in the unending sequence of shapes. */
static uint64_t shape_index(const maker *m, uint32_t k)
{
    if (m->recipe->shapes > 0) {
        return k;
    }
    const uint64_t index = 2 * m->recipe->first + k;
    return m->family->sharing == GJB_SAME ? index & ~(uint64_t)1 : index;
}

static gjb_plan plan_shape(const maker *m, uint32_t k, gjb_random *r)
{
    gjb_plan plan;
    *r = gjb_random_make(m->recipe->seed, m->stream[ROLE_SHAPE], shape_index(m, k));
    m->workload->plan(r, m->vertices, &plan);
    if (m->family->plan != NULL) {
        m->family->plan(r, m->vertices, &plan);
    }
    return plan;
}

static void make_shape(const maker *m, uint32_t k, uint32_t first_row, double (*rows)[2])
{
    gjb_random r;
    const gjb_plan plan = plan_shape(m, k, &r);
    const double aspect = m->recipe->aspect > 0.0 ? m->recipe->aspect : 1.0;
    gjb_draft draft = {
        .kind = plan.kind,
        .count = plan.count,
        .rounded = plan.rounded,
        .small = (uint8_t)(m->recipe->shapes > 0 ? k >= m->halves[0] : k % 2),
        .rows = rows,
        .scale = m->family->scale,
        .stretch = {sqrt(aspect), 1.0 / sqrt(aspect)},
    };
    m->family->shape(&r, &draft);
    gjb_draft_finish(&draft, m->recipe->precision);
    gjb_scene_set_shape(m->scene, k, draft.kind, first_row, draft.count, (const double(*)[2])draft.rows,
                        draft.radius);
}

/* Reads a shape back as it is stored: places follow what contenders get. */
static void load_body(const maker *m, uint32_t shape, gjb_placed *body)
{
    const gjb_shapes *shapes = &m->scene->shapes;
    const uint32_t precision = shapes->precision;
    const uint64_t first = shapes->first[shape];
    body->kind = (gjb_kind)shapes->kind[shape];
    body->count = shapes->row_count[shape];
    body->radius = gjb_scalar_load(shapes->radius, precision, shape);
    for (uint32_t i = 0; i < body->count; i++) {
        body->local[i][0] = gjb_scalar_load(shapes->rows, precision, 2 * (first + i));
        body->local[i][1] = gjb_scalar_load(shapes->rows, precision, 2 * (first + i) + 1);
    }
    if (body->kind == GJB_BOX) {
        const double x = body->local[0][0], y = body->local[0][1];
        const double corners[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
        memcpy(body->local, corners, sizeof corners);
        body->count = 4;
    }
    double sum[2] = {0.0, 0.0}, far = 0.0;
    for (uint32_t i = 0; i < body->count; i++) {
        sum[0] += body->local[i][0];
        sum[1] += body->local[i][1];
    }
    for (uint32_t i = 0; i < body->count; i++) {
        const double x = body->local[i][0] - sum[0] / body->count;
        const double y = body->local[i][1] - sum[1] / body->count;
        far = x * x + y * y > far ? x * x + y * y : far;
    }
    body->size = sqrt(far) + body->radius;
}

static void make_pair(const maker *m, gjb_placement *p, uint32_t i, const uint32_t shapes[2])
{
    gjb_random r = gjb_random_make(m->recipe->seed, m->stream[ROLE_PLACE], m->recipe->first + i);
    load_body(m, shapes[0], &p->a);
    load_body(m, shapes[1], &p->b);
    const double a = p->a.size, b = p->b.size, smaller = a < b ? a : b, larger = a < b ? b : a;
    p->size = smaller > 0.0 ? smaller : larger > 0.0 ? larger : m->family->scale;
    p->unit = p->size;
    p->offset[0] = m->recipe->offset;
    p->offset[1] = m->recipe->offset / 3.0;
    p->swap = 0;
    m->family->place(&r, p);
    gjb_scene *scene = m->scene;
    const uint32_t first = 2 * i + p->swap, second = 2 * i + 1 - p->swap;
    scene->body_shape[2 * i] = shapes[0];
    scene->body_shape[2 * i + 1] = shapes[1];
    gjb_scene_set_pose(scene, 0, 2 * i, p->a.pose);
    gjb_scene_set_pose(scene, 0, 2 * i + 1, p->b.pose);
    scene->frames[0].pairs[2 * (uint64_t)i] = first;
    scene->frames[0].pairs[2 * (uint64_t)i + 1] = second;
}

static void make_pairs(const maker *m, gjb_placement *p, uint32_t *order)
{
    const gjb_recipe *recipe = m->recipe;
    const int own = recipe->shapes == 0, halves = m->family->sharing == GJB_HALVES;
    deck decks[2];
    for (uint32_t side = 0; side < 2; side++) {
        decks[side] = (deck){
            .order = order + (side == 0 ? 0 : m->halves[0]),
            .first = side == 0 ? 0 : m->halves[0],
            .count = halves ? m->halves[side] : m->shapes,
            .stream = m->stream[ROLE_DECK],
            .round = UINT64_MAX,
        };
    }
    for (uint32_t i = 0; i < recipe->pairs; i++) {
        const uint64_t k = recipe->first + i;
        uint32_t shapes[2] = {2 * i, 2 * i + 1};
        for (uint32_t side = 0; side < 2 && !own; side++) {
            shapes[side] = halves                           ? deal(&decks[side], recipe->seed, k)
                           : m->family->sharing == GJB_SAME ? deal(&decks[0], recipe->seed, k)
                                                            : deal(&decks[0], recipe->seed, 2 * k + side);
        }
        make_pair(m, p, i, shapes);
    }
}

/* Workspace for shapes and places of at most `most` vertices. */
static int make_scene(const maker *m, uint32_t most, gjb_error *error)
{
    const size_t room = (size_t)most + 4; /* a box has four vertices in one row */
    double(*space)[2] = malloc(8 * room * sizeof *space);
    uint32_t *order = calloc((size_t)m->shapes + 1, sizeof *order);
    if (space == NULL || order == NULL) {
        free(space);
        free(order);
        return gjb_fail(error, "generate: out of memory");
    }
    uint32_t row = 0;
    for (uint32_t k = 0; k < m->shapes; k++) {
        make_shape(m, k, row, space);
        row += m->scene->shapes.row_count[k];
    }
    gjb_placement p = {
        .precision = m->recipe->precision,
        .a = {.local = space, .turned = space + room},
        .b = {.local = space + 2 * room, .turned = space + 3 * room},
        .loop = space + 4 * room,
    };
    make_pairs(m, &p, order);
    free(space);
    free(order);
    return 0;
}

static int check_recipe(const gjb_recipe *recipe, maker *m, gjb_error *error)
{
    m->recipe = recipe;
    m->workload = find_workload(recipe->workload, &m->vertices);
    m->family = gjb_family_find(recipe->family);
    if (m->workload == NULL) {
        return gjb_fail(error, "generate: workload '%s': unknown; polygonN takes 3 to %u vertices",
                        recipe->workload, GJB_MAX_VERTICES);
    }
    if (m->family == NULL) {
        return gjb_fail(error, "generate: family '%s': unknown", recipe->family);
    }
    if (recipe->precision != GJB_F32 && recipe->precision != GJB_F64) {
        return gjb_fail(error, "generate: precision: %d is neither f32 nor f64", (int)recipe->precision);
    }
    if (recipe->pairs == 0 || recipe->pairs > UINT32_MAX / 2) {
        return gjb_fail(error, "generate: pairs: %" PRIu64 ", must be 1 to %u", recipe->pairs,
                        UINT32_MAX / 2);
    }
    if (recipe->first > UINT64_MAX / 2 - recipe->pairs) {
        return gjb_fail(error, "generate: first: %" PRIu64 " is too large", recipe->first);
    }
    if (!(recipe->aspect >= 0.0 && recipe->aspect <= 1e6)) {
        return gjb_fail(error, "generate: aspect: %g, must be 0 to 1e6", recipe->aspect);
    }
    if (!(fabs(recipe->offset) <= 1e15)) {
        return gjb_fail(error, "generate: offset: %g, must be -1e15 to 1e15", recipe->offset);
    }
    if (recipe->shapes == 1 && m->family->sharing == GJB_HALVES) {
        return gjb_fail(error, "generate: shapes: 1, but family '%s' needs 2 or more", recipe->family);
    }
    m->shapes = recipe->shapes > 0 ? recipe->shapes : 2 * (uint32_t)recipe->pairs;
    m->halves[0] = m->shapes - m->shapes / 2;
    m->halves[1] = m->shapes / 2;
    for (int role = ROLE_SHAPE; role <= ROLE_DECK; role++) {
        m->stream[role] = stream_of(recipe, m->workload, m->family, (enum role)role);
    }
    return 0;
}

gjb_scene *gjb_generate(const gjb_recipe *recipe, gjb_error *error)
{
    maker m = {0};
    if (check_recipe(recipe, &m, error) != 0) {
        return NULL;
    }
    uint64_t rows = 0;
    uint32_t most = 0;
    for (uint32_t k = 0; k < m.shapes; k++) {
        gjb_random r;
        const gjb_plan plan = plan_shape(&m, k, &r);
        rows += plan.count;
        most = plan.count > most ? plan.count : most;
    }
    if (rows > UINT32_MAX) {
        gjb_fail(error,
                 "generate: pairs: %" PRIu64 " of %s need %" PRIu64 " vertices, more than a scene holds",
                 recipe->pairs, recipe->workload, rows);
        return NULL;
    }
    m.scene = gjb_scene_new(2, recipe->precision, m.shapes, rows, 2 * (uint32_t)recipe->pairs, recipe->pairs);
    if (m.scene == NULL) {
        gjb_fail(error, "generate: out of memory for %" PRIu64 " pairs of %s", recipe->pairs,
                 recipe->workload);
        return NULL;
    }
    snprintf(m.scene->name, sizeof m.scene->name, "%s", recipe->workload);
    if (make_scene(&m, most, error) != 0) {
        gjb_scene_free(m.scene);
        return NULL;
    }
    return m.scene;
}
