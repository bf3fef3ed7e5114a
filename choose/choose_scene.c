/* Builds the scene that a description asks for, from recipes joined and shuffled, and names its shapes. */
#include "choose/choose_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/plan.h"
#include "bench/statistics.h"

enum { PARTS_MOST = 256, SHUFFLE_STREAM = 0x63686f01 };

/* Pairs of one recipe, as a share of the scene. */
typedef struct part {
    const char *workload, *family;
    double share;
    gjb_scene *scene;
} part;

/* What makes up a share of overlapping pairs: family mixed, where half do, as far as it goes; and to the one
 * side the two families apart of each other, to the other the two that overlap. */
typedef struct blend {
    const char *family;
    double share;
} blend;

static size_t blend_of(double overlap, blend out[3])
{
    size_t count = 0;
    const int less = overlap < 0.5;
    const double mixed = overlap < 0 ? 1 : 2 * (less ? overlap : 1 - overlap);
    if (mixed > 0)
        out[count++] = (blend){"mixed", mixed};
    if (mixed < 1) {
        out[count++] = (blend){less ? "far" : "shallow", (1 - mixed) / 2};
        out[count++] = (blend){less ? "near" : "deep", (1 - mixed) / 2};
    }
    return count;
}

/* Families, or the blend, of every workload. */
static size_t list_parts(const choose_description *asked, part parts[PARTS_MOST])
{
    blend mixed[3];
    size_t blended = blend_of(asked->overlap, mixed), count = 0;
    size_t families = asked->family_count ? asked->family_count : blended;
    for (size_t w = 0; w < asked->workload_count; w++)
        for (size_t f = 0; f < families && count < PARTS_MOST; f++) {
            const int given = asked->family_count > 0;
            parts[count++] = (part){
                .workload = asked->workloads[w],
                .family = given ? asked->families[f]->name : mixed[f].family,
                .share = (given ? 1.0 / (double)families : mixed[f].share) / (double)asked->workload_count,
            };
        }
    return count;
}

static void say_parts(const part *parts, size_t count, char how[CHOOSE_HOW])
{
    size_t used = 0;
    *how = 0;
    for (size_t i = 0; i < count && used < CHOOSE_HOW; i++) {
        int size = count == 1 ? snprintf(how, CHOOSE_HOW, "%s %s", parts[i].workload, parts[i].family)
                              : snprintf(how + used, CHOOSE_HOW - used, "%s%.3g%% %s %s", i ? ", " : "",
                                         100 * parts[i].share, parts[i].workload, parts[i].family);
        used += size > 0 ? (size_t)size : 0;
    }
}

static uint32_t kept_share(uint32_t count, double share, uint32_t least)
{
    const uint32_t kept = (uint32_t)(count * share + 0.5);
    return kept > least ? kept : least;
}

static int generate(part *p, const choose_description *asked, uint32_t shapes, uint64_t pairs,
                    gjb_error *error)
{
    const gjb_recipe recipe = {
        .workload = p->workload,
        .family = p->family,
        .seed = asked->seed,
        .margin = asked->margin,
        .within = asked->within,
        .precision = asked->precision,
        .pairs = kept_share((uint32_t)pairs, p->share, 1),
        .shapes = kept_share(shapes, p->share, 2),
        .dim = asked->dim,
        .library = asked->library,
    };
    p->scene = gjb_generate(&recipe, error);
    return p->scene ? 0 : -1;
}

static double number_at(const void *numbers, uint32_t precision, size_t i)
{
    return precision == GJB_F32 ? (double)((const float *)numbers)[i] : ((const double *)numbers)[i];
}

static void copy_shape(gjb_scene *to, uint32_t at, uint32_t row, const gjb_shapes *from, uint32_t i,
                       double *rows)
{
    const size_t count = (size_t)from->row_count[i] * from->dim, first = (size_t)from->first[i] * from->dim;
    for (size_t k = 0; k < count; k++)
        rows[k] = number_at(from->rows, from->precision, first + k);
    gjb_scene_set_shape(to, at, (gjb_kind)from->kind[i], row, from->row_count[i], rows,
                        number_at(from->radius, from->precision, i));
}

static void copy_pose(gjb_scene *to, uint32_t at, const gjb_scene *from, uint32_t body)
{
    if (from->shapes.dim == 2)
        gjb_scene_set_pose(to, 0, at, gjb_scene_pose(from, 0, body));
    else
        gjb_scene_set_pose3(to, 0, at, gjb_scene_pose3(from, 0, body));
}

/* The parts one after another, pairs shuffled: neighbours in a batch then come from all of them. */
static int fill_joined(gjb_scene *all, const part *parts, size_t count, uint64_t seed)
{
    const uint64_t pairs = all->frames[0].pair_count;
    double *rows = malloc(GJB_MAX_VERTICES * 3 * sizeof *rows);
    uint32_t *order = malloc(pairs * sizeof *order);
    uint32_t shape = 0, row = 0, body = 0;
    uint64_t pair = 0;
    if (order)
        gjb_shuffle(order, (uint32_t)pairs, seed, SHUFFLE_STREAM);
    for (size_t p = 0; p < count && rows && order; p++) {
        const gjb_scene *s = parts[p].scene;
        for (uint32_t i = 0; i < s->body_count; i++) {
            copy_pose(all, body + i, s, i);
            all->body_shape[body + i] = shape + (s->body_shape ? s->body_shape[i] : i);
        }
        for (uint64_t i = 0; i < s->frames[0].pair_count; i++, pair++)
            for (int k = 0; k < 2; k++)
                all->frames[0].pairs[2 * order[pair] + (size_t)k] =
                    body + s->frames[0].pairs[2 * i + (size_t)k];
        for (uint32_t i = 0; i < s->shapes.count; i++, row += s->shapes.row_count[i - 1])
            copy_shape(all, shape + i, row, &s->shapes, i, rows);
        shape += s->shapes.count;
        body += s->body_count;
    }
    const int failed = !rows || !order;
    free(rows);
    free(order);
    return failed ? -1 : 0;
}

static gjb_scene *join(const part *parts, size_t count, const choose_description *asked, gjb_error *error)
{
    uint64_t shapes = 0, rows = 0, bodies = 0, pairs = 0;
    for (size_t p = 0; p < count; p++) {
        const gjb_scene *s = parts[p].scene;
        shapes += s->shapes.count;
        bodies += s->body_count;
        pairs += s->frames[0].pair_count;
        for (uint32_t i = 0; i < s->shapes.count; i++)
            rows += s->shapes.row_count[i];
    }
    gjb_scene *all =
        shapes <= UINT32_MAX && bodies <= UINT32_MAX && pairs <= UINT32_MAX
            ? gjb_scene_new(asked->dim, asked->precision, (uint32_t)shapes, rows, (uint32_t)bodies, pairs)
            : NULL;
    if (all && !all->body_shape) /* as many bodies as shapes */
        all->body_shape = calloc(bodies, sizeof *all->body_shape);
    if (!all || !all->body_shape || fill_joined(all, parts, count, asked->seed)) {
        gjb_fail(error, "out of memory for a scene of %llu pairs", (unsigned long long)pairs);
        gjb_scene_free(all);
        return NULL;
    }
    all->margin = parts[0].scene->margin;
    all->within = parts[0].scene->within;
    return all;
}

gjb_scene *choose_describe(const choose_description *asked, uint32_t *call, char how[CHOOSE_HOW],
                           gjb_error *error)
{
    static part parts[PARTS_MOST]; /* large */
    const size_t count = list_parts(asked, parts);
    gjb_bench_case point = *gjb_base_point(asked->dim);
    for (size_t w = 0; w < asked->workload_count; w++) {
        gjb_bench_case other = point;
        snprintf(other.workload, sizeof other.workload, "%s", asked->workloads[w]);
        if (!w || gjb_bench_case_vertices(&other) > gjb_bench_case_vertices(&point))
            point = other;
    }
    gjb_bench_case_fit(&point);
    if (asked->shapes)
        point.shapes = asked->shapes;
    if (asked->call)
        point.call = asked->call;
    *call = point.call;
    say_parts(parts, count, how);

    int failed = 0;
    for (size_t p = 0; p < count && !failed; p++)
        failed = generate(&parts[p], asked, point.shapes, gjb_bench_case_pairs(&point), error);
    gjb_scene *scene = NULL;
    if (!failed && count == 1) {
        scene = parts[0].scene;
        parts[0].scene = NULL;
    } else if (!failed) {
        scene = join(parts, count, asked, error);
    }
    for (size_t p = 0; p < count; p++)
        gjb_scene_free(parts[p].scene);
    return scene;
}

uint64_t choose_pairs(const gjb_scene *scene)
{
    uint64_t pairs = 0;
    for (uint32_t f = 0; f < scene->frame_count; f++)
        pairs += scene->frames[f].pair_count;
    return pairs;
}

/* A box is stored as one row. */
/* 0 of a curved shape or a half-space. */
static uint32_t vertices_of(const gjb_shapes *shapes, uint32_t i)
{
    if (gjb_is_curved(shapes->kind[i]) || gjb_is_unbounded(shapes->kind[i]))
        return 0;
    return shapes->kind[i] == GJB_BOX ? gjb_box_corners(shapes->dim) : shapes->row_count[i];
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void choose_shapes_text(const gjb_scene *scene, char text[CHOOSE_HOW])
{
    const gjb_shapes *shapes = &scene->shapes;
    uint64_t kinds[GJB_KINDS] = {0};
    uint32_t *vertices = malloc((shapes->count + 1) * sizeof *vertices), cornered = 0;
    for (uint32_t i = 0; i < shapes->count; i++) {
        kinds[shapes->kind[i]]++;
        if (vertices && vertices_of(shapes, i))
            vertices[cornered++] = vertices_of(shapes, i);
    }
    size_t used = (size_t)snprintf(text, CHOOSE_HOW, "%uD, %s, %u shape%s (", (unsigned)shapes->dim,
                                   gjb_precision_name((gjb_precision)shapes->precision),
                                   (unsigned)shapes->count, shapes->count == 1 ? "" : "s");
    const char *comma = "";
    for (int k = 0; k < GJB_KINDS && used < CHOOSE_HOW; k++)
        if (kinds[k]) {
            used += (size_t)snprintf(text + used, CHOOSE_HOW - used, "%s%.3g%% %s", comma,
                                     100.0 * (double)kinds[k] / shapes->count, gjb_kind_name((gjb_kind)k));
            comma = ", ";
        }
    const char *of = cornered < shapes->count ? "), those with vertices of" : ") of";
    if (cornered && used < CHOOSE_HOW) {
        qsort(vertices, cornered, sizeof *vertices, ascending);
        const uint32_t least = vertices[0], most = vertices[cornered - 1], middle = vertices[cornered / 2];
        if (least == most)
            snprintf(text + used, CHOOSE_HOW - used, "%s %u%s", of, (unsigned)most,
                     cornered < shapes->count ? "" : most == 1 ? " vertex" : " vertices");
        else
            snprintf(text + used, CHOOSE_HOW - used, "%s %u to %u%s, median %u", of, (unsigned)least,
                     (unsigned)most, cornered < shapes->count ? "" : " vertices", (unsigned)middle);
    } else if (used < CHOOSE_HOW) {
        snprintf(text + used, CHOOSE_HOW - used, ")");
    }
    free(vertices);
}

void choose_lacks_shapes(const gjb_scene *scene, uint32_t kinds, uint32_t max_vertices, char *text,
                         size_t size)
{
    const gjb_shapes *shapes = &scene->shapes;
    uint32_t missing = 0, most = 0;
    size_t used = 0;
    *text = 0;
    for (uint32_t f = 0; f < scene->frame_count; f++)
        for (uint64_t i = 0; i < 2 * scene->frames[f].pair_count; i++) {
            const uint32_t body = scene->frames[f].pairs[i],
                           shape = scene->body_shape ? scene->body_shape[body] : body;
            const uint32_t vertices = vertices_of(shapes, shape);
            most = vertices > most ? vertices : most;
            missing |= 1u << shapes->kind[shape] & ~kinds;
        }
    for (int k = 0; k < GJB_KINDS && used < size; k++)
        if (missing >> k & 1)
            used += (size_t)snprintf(text + used, size - used, "%s%s%s", used ? ", " : "",
                                     gjb_kind_name((gjb_kind)k), k == GJB_BOX ? "es" : "s");
    if (most > max_vertices && used < size)
        snprintf(text + used, size - used, "%sshapes of more than %u vertices (here %u)",
                 used ? ", nor " : "", (unsigned)max_vertices, (unsigned)most);
}
