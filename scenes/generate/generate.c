/* Makes a scene from a recipe: a library of shapes, shuffled decks of them, and placed pairs. */
#include "scenes/generate/generate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/generate/generate_parts.h"
#include "scenes/mesh/hulls.h"
#include "scenes/scene_private.h"

/* What each random stream is for: part of the key. */
enum role { ROLE_SHAPE = 1, ROLE_PLACE, ROLE_DECK };

/* FNV-1a (Fowler, Noll, Vo 1991) over the words that name a stream. */
static uint64_t stream_of(const gjb_recipe *recipe, const gjb_workload *workload, const gjb_family *family,
                          uint32_t dim, enum role role)
{
    char text[160];
    snprintf(text, sizeof text, "%s%s:%u/%s:%u/%d", dim == 3 ? "3D/" : "", recipe->workload,
             workload->in[dim].version, recipe->family, family->in[dim].version, (int)role);
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *at = text; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
    return hash;
}

typedef struct maker {
    const gjb_recipe *recipe;
    const gjb_workload *workload;
    const gjb_family *family;
    const gjb_shapes *library;
    uint32_t dim, vertices;
    uint32_t shapes, halves[2];
    uint64_t stream[ROLE_DECK + 1];
    gjb_scene *scene;
} maker;

/* A pack of shapes from first to first + count - 1, dealt again and again,
 * shuffled each time. */
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

/* Are first shapes of pairs and second ones of different packs? */
static int takes_halves(const maker *m)
{
    return m->family->sharing == GJB_HALVES || gjb_workload_is_unbounded(m->dim, m->workload);
}

/* Number of shape k of the scene in the unending sequence of shapes. */
static uint64_t shape_index(const maker *m, uint32_t k)
{
    if (m->recipe->shapes > 0)
        return k;
    const uint64_t index = 2 * m->recipe->first + k;
    return m->family->sharing == GJB_SAME ? index & ~(uint64_t)1 : index;
}

static gjb_plan plan_shape(const maker *m, uint32_t k, gjb_random *r)
{
    gjb_plan plan = {
        .dim = m->dim,
        .library = m->library,
        .small = (uint8_t)(m->recipe->shapes > 0 ? k >= m->halves[0] : k % 2),
    };
    *r = gjb_random_make(m->recipe->seed, m->stream[ROLE_SHAPE], shape_index(m, k));
    m->workload->in[m->dim].plan(r, m->vertices, &plan);
    if (m->family->in[m->dim].plan != NULL)
        m->family->in[m->dim].plan(r, m->vertices, &plan);
    return plan;
}

/* `space`: room for twice the rows. */
static void make_shape(const maker *m, uint32_t k, uint32_t first_row, double *space)
{
    gjb_random r;
    const gjb_plan plan = plan_shape(m, k, &r);
    const double aspect = m->recipe->aspect > 0.0 ? m->recipe->aspect : 1.0;
    gjb_draft draft = {
        .dim = m->dim,
        .kind = plan.kind,
        .count = plan.count,
        .rounded = plan.rounded,
        .library = m->library,
        .model = plan.model,
        .small = plan.small,
        .scale = m->family->scale,
        .stretch = {sqrt(aspect), 1.0 / sqrt(aspect), 1.0},
    };
    if (m->dim == 2)
        draft.rows = (double(*)[2])space;
    else
        draft.rows3 = (double(*)[3])space;
    (gjb_is_unbounded(plan.kind) ? gjb_shape_halfspace : m->family->in[m->dim].shape)(&r, &draft);
    gjb_draft_finish(&draft, m->recipe->precision);
    gjb_scene_set_shape(m->scene, k, draft.kind, first_row, draft.count, space, draft.radius);
}

/* Two opposite corners become all, the lesser coordinates first. */
static void expand_corners(uint32_t dim, double *local)
{
    double lo[3], hi[3];
    for (uint32_t axis = 0; axis < dim; axis++) {
        const double p = local[axis], q = local[dim + axis];
        lo[axis] = p < q ? p : q;
        hi[axis] = p < q ? q : p;
    }
    for (uint32_t i = 0; i < dim * gjb_box_corners(dim); i++)
        local[i] = gjb_box_corner(dim, i / dim, i % dim) < 0.0 ? lo[i % dim] : hi[i % dim];
}

/* Reads a shape back as stored, since placing must use what contenders get. */
static void load_body(const maker *m, uint32_t shape, gjb_placed *body)
{
    const gjb_shapes *shapes = &m->scene->shapes;
    const uint32_t precision = shapes->precision, dim = shapes->dim;
    double *local = dim == 2 ? body->local[0] : body->local3[0];
    body->kind = (gjb_kind)shapes->kind[shape];
    body->count = shapes->row_count[shape];
    body->radius = gjb_scalar_load(shapes->radius, precision, shape);
    for (uint32_t i = 0; i < dim * body->count; i++)
        local[i] = gjb_scalar_load(shapes->rows, precision, (uint64_t)dim * shapes->first[shape] + i);
    body->is_plane = 0;
    if (gjb_is_unbounded(body->kind))
        gjb_halfspace_stand_in(dim, body, local);
    if (gjb_is_curved(body->kind)) {
        memcpy(body->curve, local, dim * body->count * sizeof *local);
        body->count = dim == 2 ? gjb_curved_outline(body->kind, body->curve, body->local)
                               : gjb_curved_hull(body->kind, body->curve, body->local3);
    }
    if (body->kind == GJB_AABB) {
        expand_corners(dim, local);
        body->count = gjb_box_corners(dim);
    }
    if (body->kind == GJB_BOX) {
        const double half[3] = {local[0], local[1], dim == 3 ? local[2] : 0.0};
        body->count = gjb_box_corners(dim);
        for (uint32_t i = 0; i < dim * body->count; i++)
            local[i] = half[i % dim] * gjb_box_corner(dim, i / dim, i % dim);
    }
    double sum[3] = {0.0, 0.0, 0.0}, far = 0.0;
    for (uint32_t i = 0; i < dim * body->count; i++)
        sum[i % dim] += local[i];
    for (uint32_t i = 0; i < body->count; i++) {
        double square = 0.0;
        for (uint32_t axis = 0; axis < dim; axis++) {
            const double x = local[dim * i + axis] - sum[axis] / body->count;
            square += x * x;
        }
        far = square > far ? square : far;
    }
    body->size = sqrt(far) + body->radius;
}

static void store_body(gjb_scene *scene, uint32_t body, const gjb_placed *placed)
{
    if (scene->frames[0].motions != NULL)
        gjb_scene_set_motion(scene, 0, body, placed->motion);
    if (scene->shapes.dim == 2)
        gjb_scene_set_pose(scene, 0, body, placed->pose);
    else
        gjb_scene_set_pose3(scene, 0, body, placed->pose3);
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
    p->offset[2] = m->recipe->offset / 5.0;
    p->swap = 0;
    p->curved = gjb_is_curved(p->a.kind) || gjb_is_curved(p->b.kind);
    memset(p->a.motion, 0, sizeof p->a.motion);
    memset(p->b.motion, 0, sizeof p->b.motion);
    memset(p->normal, 0, sizeof p->normal);
    m->family->in[m->dim].place(&r, p);
    gjb_place_turn_planes(p);
    gjb_scene *scene = m->scene;
    const uint32_t first = 2 * i + p->swap, second = 2 * i + 1 - p->swap;
    scene->body_shape[2 * i] = shapes[0];
    scene->body_shape[2 * i + 1] = shapes[1];
    store_body(scene, 2 * i, &p->a);
    store_body(scene, 2 * i + 1, &p->b);
    scene->frames[0].pairs[2 * (uint64_t)i] = first;
    scene->frames[0].pairs[2 * (uint64_t)i + 1] = second;
}

static void make_pairs(const maker *m, gjb_placement *p, uint32_t *order)
{
    const gjb_recipe *recipe = m->recipe;
    const int own = recipe->shapes == 0, halves = takes_halves(m);
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
        for (uint32_t side = 0; side < 2 && !own; side++)
            shapes[side] = halves                           ? deal(&decks[side], recipe->seed, k)
                           : m->family->sharing == GJB_SAME ? deal(&decks[0], recipe->seed, k)
                                                            : deal(&decks[0], recipe->seed, 2 * k + side);
        make_pair(m, p, i, shapes);
    }
}

/* Points the placement to its parts of `space`: eight times `room` rows. */
static gjb_placement placement_in(const maker *m, double *space, size_t room)
{
    gjb_placement p = {.dim = m->dim, .precision = m->recipe->precision};
    if (m->dim == 2) {
        double(*rows)[2] = (double(*)[2])space;
        p.a.local = rows;
        p.a.turned = rows + room;
        p.b.local = rows + 2 * room;
        p.b.turned = rows + 3 * room;
        p.loop = rows + 4 * room;
    } else {
        double(*rows)[3] = (double(*)[3])space;
        p.a.local3 = rows;
        p.a.turned3 = rows + room;
        p.b.local3 = rows + 2 * room;
        p.b.turned3 = rows + 3 * room;
    }
    return p;
}

/* Workspace for shapes and places of at most `most` vertices. */
static int make_scene(const maker *m, uint32_t most, gjb_error *error)
{
    const size_t room = (size_t)most + GJB_CURVED_OUTLINE; /* boxes and curved shapes have few rows */
    double *space = malloc(8 * room * m->dim * sizeof *space);
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
    gjb_placement p = placement_in(m, space, room);
    make_pairs(m, &p, order);
    free(space);
    free(order);
    return 0;
}

static int choose_library(const gjb_recipe *recipe, maker *m, gjb_error *error)
{
    m->library = recipe->library != NULL ? recipe->library : gjb_hulls_shipped();
    if (m->library == NULL)
        return gjb_fail(error, "generate: the hulls that ship cannot be read");
    if (m->library->dim != 3 || gjb_models_upto(m->library, m->vertices) == 0)
        return gjb_fail(error, "generate: library: no hull of at most %" PRIu32 " vertices among %" PRIu32 " shapes",
                        m->vertices, m->library->count);
    return 0;
}

static int check_recipe(const gjb_recipe *recipe, maker *m, gjb_error *error)
{
    if (recipe->dim != 0 && recipe->dim != 2 && recipe->dim != 3)
        return gjb_fail(error, "generate: dim: %" PRIu32 " is neither 2 nor 3", recipe->dim);
    m->recipe = recipe;
    m->dim = recipe->dim == 3 ? 3 : 2;
    m->workload = gjb_workload_find(m->dim, recipe->workload, &m->vertices);
    m->family = gjb_family_find(recipe->family);
    if (m->workload == NULL)
        return gjb_fail(error, "generate: workload '%s': unknown in %uD; %s to %u vertices", recipe->workload,
                        m->dim, m->dim == 2 ? "polygonN takes 3" : "hullN takes 4", GJB_MAX_VERTICES);
    if (m->family == NULL || !(m->family->dims >> m->dim & 1u))
        return gjb_fail(error, "generate: family '%s': unknown in %uD", recipe->family, m->dim);
    if (!gjb_family_has(m->family, m->dim, recipe->workload))
        return gjb_fail(error,
                        m->workload->curved && m->family->own_shapes
                            ? "generate: family '%s': brings shapes of vertices, but workload '%s' is of curved ones"
                            : "generate: family '%s': of two like shapes, but workload '%s' is of half-spaces and others",
                        recipe->family, recipe->workload);
    if (gjb_workload_takes_library(m->dim, m->workload) && choose_library(recipe, m, error) != 0)
        return -1;
    if (recipe->precision != GJB_F32 && recipe->precision != GJB_F64)
        return gjb_fail(error, "generate: precision: %d is neither f32 nor f64", (int)recipe->precision);
    if (recipe->pairs == 0 || recipe->pairs > UINT32_MAX / 2)
        return gjb_fail(error, "generate: pairs: %" PRIu64 ", must be 1 to %u", recipe->pairs,
                        UINT32_MAX / 2);
    if (recipe->first > UINT64_MAX / 2 - recipe->pairs)
        return gjb_fail(error, "generate: first: %" PRIu64 " is too large", recipe->first);
    if (!(recipe->aspect >= 0.0 && recipe->aspect <= 1e6))
        return gjb_fail(error, "generate: aspect: %g, must be 0 to 1e6", recipe->aspect);
    if (!(fabs(recipe->offset) <= 1e15))
        return gjb_fail(error, "generate: offset: %g, must be -1e15 to 1e15", recipe->offset);
    if (!(recipe->margin >= 0.0 && recipe->margin <= GJB_MOST_MARGIN))
        return gjb_fail(error, "generate: margin: %g, must be 0 to 2^120", recipe->margin);
    if (!(recipe->within >= 0.0 && recipe->within <= GJB_MOST_MARGIN))
        return gjb_fail(error, "generate: within: %g, must be 0 to 2^120", recipe->within);
    if (recipe->leaving > GJB_LEAVING_IGNORE)
        return gjb_fail(error, "generate: leaving: %" PRIu32 ", must be 0 (hit) or 1 (ignore)", recipe->leaving);
    if (recipe->leaving && !gjb_family_leaves(m->family))
        return gjb_fail(
            error, "generate: family '%s': %s, but leaving is 'ignore', which takes motions that do not turn",
            recipe->family, m->family->moving ? "turns" : "is at rest");
    if (recipe->shapes == 1 && takes_halves(m))
        return gjb_fail(error, "generate: shapes: 1, but %s '%s' needs 2 or more",
                        m->family->sharing == GJB_HALVES ? "family" : "workload",
                        m->family->sharing == GJB_HALVES ? recipe->family : recipe->workload);
    m->shapes = recipe->shapes > 0 ? recipe->shapes : 2 * (uint32_t)recipe->pairs;
    m->halves[0] = m->shapes - m->shapes / 2;
    m->halves[1] = m->shapes / 2;
    for (int role = ROLE_SHAPE; role <= ROLE_DECK; role++)
        m->stream[role] = stream_of(recipe, m->workload, m->family, m->dim, (enum role)role);
    return 0;
}

gjb_scene *gjb_generate(const gjb_recipe *recipe, gjb_error *error)
{
    maker m = {0};
    if (check_recipe(recipe, &m, error) != 0)
        return NULL;
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
    m.scene = gjb_scene_new(m.dim, recipe->precision, m.shapes, rows, 2 * (uint32_t)recipe->pairs, recipe->pairs);
    const double none[6] = {0.0};
    if (m.scene == NULL || (m.family->moving && gjb_scene_set_motion(m.scene, 0, 0, none) != 0)) {
        gjb_scene_free(m.scene);
        gjb_fail(error, "generate: out of memory for %" PRIu64 " pairs of %s", recipe->pairs,
                 recipe->workload);
        return NULL;
    }
    m.scene->margin = recipe->margin * m.family->scale;
    m.scene->within = recipe->within * m.family->scale;
    m.scene->leaving = recipe->leaving;
    snprintf(m.scene->name, sizeof m.scene->name, "%s", recipe->workload);
    if (make_scene(&m, most, error) != 0) {
        gjb_scene_free(m.scene);
        return NULL;
    }
    return m.scene;
}
