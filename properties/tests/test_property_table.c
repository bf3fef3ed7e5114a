/* Each row of the property table holds for ours, and each is violated by somebody: contenders that are broken on
 * purpose, ours but for one fault, are caught by the rows that should catch them. */
#include <criterion/criterion.h>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/table.h"
#include "core/query.h"
#include "properties/property.h"
#include "reference/effort.h"

/* --- Faults --- */

static const gjb_contender *sound; /* of ours, whose answers are spoilt */
static gjb_precision precision;    /* of the session that was prepared last */
static uint32_t dim;
static unsigned prepared_so_far;
static const char *backend_now;
static pthread_t first_thread;
static const gjb_shapes *given;

static double get(const void *at, size_t i)
{
    return precision == GJB_F32 ? (double)((const float *)at)[i] : ((const double *)at)[i];
}

static void set(void *at, size_t i, double value)
{
    if (precision == GJB_F32)
        ((float *)at)[i] = (float)value;
    else
        ((double *)at)[i] = value;
}

/* value, normal, ... of a record. */
static void *fields(const gjb_batch *batch, size_t i)
{
    return (char *)batch->results + i * batch->result_stride + (precision == GJB_F32 ? 4 : 8);
}

static gjb_head *head(const gjb_batch *batch, size_t i)
{
    return (gjb_head *)((char *)batch->results + i * batch->result_stride);
}

static double value_of(const gjb_batch *batch, size_t i)
{
    return get(fields(batch, i), 0);
}

static void set_value(const gjb_batch *batch, size_t i, double value)
{
    set(fields(batch, i), 0, value);
}

/* Number `k` of the pose of a body of a pair. */
static double pose_number(const gjb_batch *batch, size_t i, int b, size_t k)
{
    return get((const char *)batch->poses + batch->pairs[2 * i + (size_t)b] * batch->pose_stride, k);
}

static int has_value(const gjb_batch *batch)
{
    return batch->query != GJB_INTERSECT && batch->query != GJB_SWEEP;
}

/* --- Of answers --- */

static void reverse_normal(const gjb_batch *batch, size_t i)
{
    for (size_t k = 1; has_value(batch) && k <= dim; k++)
        set(fields(batch, i), k, 0.0 - get(fields(batch, i), k));
}
static void half_again(const gjb_batch *batch, size_t i)
{
    if (has_value(batch) && batch->query != GJB_TOI)
        set_value(batch, i, 1.5 * value_of(batch, i));
}
static void saturate(const gjb_batch *batch, size_t i)
{
    if (has_value(batch) && value_of(batch, i) > 0.5)
        set_value(batch, i, 0.5 + 0.25 * (value_of(batch, i) - 0.5));
}
/* As if both had a margin in metres. */
static void absolute_margin(const gjb_batch *batch, size_t i)
{
    if (batch->query == GJB_DISTANCE && head(batch, i)->status == GJB_SEPARATED)
        set_value(batch, i, value_of(batch, i) + 1e-3);
    if (batch->query == GJB_SIGNED_DISTANCE)
        set_value(batch, i, value_of(batch, i) + 1e-3);
}
static void never_touch(const gjb_batch *batch, size_t i)
{
    if (has_value(batch) && batch->query != GJB_TOI && head(batch, i)->status == GJB_SEPARATED)
        set_value(batch, i, fmax(value_of(batch, i), 0.05));
}
static void other_sign(const gjb_batch *batch, size_t i)
{
    if (batch->query == GJB_SIGNED_DISTANCE)
        set_value(batch, i, 0.0 - value_of(batch, i));
}
static void late(const gjb_batch *batch, size_t i)
{
    if (gjb_queries[batch->query].moving && head(batch, i)->status == GJB_HIT)
        set_value(batch, i, fmin(1, value_of(batch, i) + 0.05));
}
static void late_where_turned(const gjb_batch *batch, size_t i)
{
    if (batch->query == GJB_TOI && head(batch, i)->status == GJB_HIT &&
        get((const char *)batch->motions + batch->pairs[2 * i] * batch->motion_stride, 0) > 0)
        set_value(batch, i, fmin(1, value_of(batch, i) + 0.05));
}
static void late_with_radius(const gjb_batch *batch, size_t i)
{
    const uint32_t *pair = batch->pairs + 2 * i; /* bodies are shapes here, unless it says otherwise */
    for (int b = 0; b < 2; b++)
        if (get(given->radius, batch->body_shape ? batch->body_shape[pair[b]] : pair[b]) > 1e-3) {
            late(batch, i);
            return;
        }
}
static void last_too_early(const gjb_batch *batch, size_t i)
{
    if (batch->query == GJB_SWEEP && head(batch, i)->status == GJB_HIT)
        set(fields(batch, i), 1, 0.5 * (value_of(batch, i) + get(fields(batch, i), 1)));
}
static void drift_with_place(const gjb_batch *batch, size_t i)
{
    if (has_value(batch) && value_of(batch, i) != 0)
        set_value(batch, i, value_of(batch, i) * (1 + 1e-4 * fabs(pose_number(batch, i, 0, 0))));
}
/* Of two bodies the one to the left is another than A. */
static void favour_left(const gjb_batch *batch, size_t i)
{
    if (pose_number(batch, i, 0, 0) < pose_number(batch, i, 1, 0))
        half_again(batch, i);
}
static void favour_one_hand(const gjb_batch *batch, size_t i)
{
    /* s in the plane, the product of two parts of q in space: both change their sign in a mirror. */
    const double hand =
        dim == 2 ? pose_number(batch, i, 0, 3) : pose_number(batch, i, 0, 4) * pose_number(batch, i, 0, 6);
    if (hand > 0)
        half_again(batch, i);
}
static void odd_sessions(const gjb_batch *batch, size_t i)
{
    if (prepared_so_far % 2)
        half_again(batch, i);
}
static void other_backends(const gjb_batch *batch, size_t i)
{
    if (backend_now && strcmp(backend_now, sound->backends[0]) != 0)
        half_again(batch, i);
}
static void other_threads(const gjb_batch *batch, size_t i)
{
    if (!pthread_equal(pthread_self(), first_thread))
        half_again(batch, i);
}
static void even_places(const gjb_batch *batch, size_t i)
{
    if (i % 2 == 0)
        half_again(batch, i);
}
static void ends_of_calls(const gjb_batch *batch, size_t i)
{
    if (i + 1 == batch->pair_count)
        half_again(batch, i);
}

/* --- Of calls --- */

/* A warm start that remembers. */
static void remember(const gjb_batch *batch, size_t i)
{
    static const uint32_t *last;
    static gjb_query query;
    static size_t count;
    if (last == batch->pairs && query == batch->query && count == batch->pair_count)
        half_again(batch, i);
    if (i + 1 == batch->pair_count) {
        last = batch->pairs;
        query = batch->query;
        count = batch->pair_count;
    }
}
static void previous_answer(const gjb_batch *batch, size_t i)
{
    const size_t size = gjb_result_size(batch->query, precision, dim),
                 from_the_end = batch->pair_count - 1 - i;
    if (from_the_end > 0) /* from the last to the first, so that each gets the one before it */
        memcpy((char *)batch->results + from_the_end * batch->result_stride,
               (char *)batch->results + (from_the_end - 1) * batch->result_stride, size);
}

/* --- Of what they are given --- */

static void *copy(const void *from, size_t bytes)
{
    void *to = malloc(bytes);
    if (!to)
        abort();
    return memcpy(to, from, bytes);
}

typedef struct shape_copy {
    uint8_t *kind;
    uint32_t *row_count;
    void *radius, *rows;
} shape_copy;

static void no_radius(gjb_shapes *s, shape_copy *c)
{
    for (uint32_t i = 0; i < s->count; i++)
        set(c->radius, i, 0);
}
static void segments_no_radius(gjb_shapes *s, shape_copy *c)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->kind[i] == GJB_SEGMENT)
            set(c->radius, i, 0);
}
static void first_four(gjb_shapes *s, shape_copy *c)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->kind[i] == GJB_POLYGON || s->kind[i] == GJB_HULL)
            c->row_count[i] = s->row_count[i] < 4 ? s->row_count[i] : 4;
}
static void last_row_twice(gjb_shapes *s, shape_copy *c)
{
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t k = 0; s->kind[i] == GJB_HULL && s->row_count[i] > 4 && k < dim; k++)
            set(c->rows, ((size_t)s->first[i] + s->row_count[i] - 1) * dim + k,
                2 * get(s->rows, ((size_t)s->first[i] + s->row_count[i] - 1) * dim + k));
    for (uint32_t i = 0; i < s->count; i++) /* outlines stay convex: a corner goes */
        c->row_count[i] -= s->kind[i] == GJB_POLYGON && s->row_count[i] > 3;
}
static void larger_boxes(gjb_shapes *s, shape_copy *c)
{
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t k = 0; s->kind[i] == GJB_BOX && k < dim; k++)
            set(c->rows, (size_t)s->first[i] * dim + k, 1.1 * get(s->rows, (size_t)s->first[i] * dim + k));
}
static void ellipses_are_boxes(gjb_shapes *s, shape_copy *c)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->kind[i] == GJB_ELLIPSE || s->kind[i] == GJB_ELLIPSOID)
            c->kind[i] = GJB_BOX;
}
static void powers_are_two(gjb_shapes *s, shape_copy *c)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->kind[i] == GJB_SUPERELLIPSE || s->kind[i] == GJB_SUPERELLIPSOID)
            set(c->rows, ((size_t)s->first[i] + 1) * dim, 2);
}
static void curves_have_width(gjb_shapes *s, shape_copy *c)
{
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t k = 0; gjb_is_curved(s->kind[i]) && k < 2; k++)
            set(c->rows, (size_t)s->first[i] * dim + k,
                fmax(0.1, get(s->rows, (size_t)s->first[i] * dim + k)));
}

/* A's pose, or motion, is not as it is said to be. */
static void without_rotation(void *pose, void *motion)
{
    (void)motion;
    for (size_t k = dim; k < (dim == 2 ? 4u : 7u); k++)
        set(pose, k, k == (dim == 2 ? 2u : 6u));
}
static void without_motion(void *pose, void *motion)
{
    (void)pose;
    for (size_t k = 0; motion && k < gjb_motion_numbers(dim); k++)
        set(motion, k, 0);
}

/* --- A fault, and who should see it --- */

typedef struct fault {
    const char *name, *caught_by; /* with spaces between */
    void (*answer)(const gjb_batch *batch, size_t i);
    void (*shapes)(gjb_shapes *s, shape_copy *c);
    void (*body)(void *pose, void *motion);
    const char *workloads[2];
    const char *family; /* NULL: all */
} fault;

#define POLYTOPES                                                                                            \
    {                                                                                                        \
        "polygon8", "hull8"                                                                                  \
    }
#define ROUNDED                                                                                              \
    {                                                                                                        \
        "rounded-polygon8", "rounded-hull8"                                                                  \
    }
#define CURVED                                                                                               \
    {                                                                                                        \
        "ellipse", "ellipsoid"                                                                               \
    }
static const fault faults[] = {
    {"normal of the wrong sign", "along-normal through-zero separates", .answer = reverse_normal,
     .workloads = POLYTOPES},
    {"values half again as large", "lipschitz inflate closed-form along-normal extrude", .answer = half_again,
     .workloads = POLYTOPES},
    {"values that saturate", "convex inflate closed-form", .answer = saturate, .workloads = POLYTOPES},
    {"an absolute margin", "scale agreement closed-form", .answer = absolute_margin, .workloads = POLYTOPES},
    {"distances of 0.05 at least", "through-zero closed-form", .answer = never_touch, .workloads = POLYTOPES},
    {"signed distance of the other sign", "agreement inflate smaller larger", .answer = other_sign,
     .workloads = POLYTOPES},
    {"times too late", "closed-form-time twice-as-far halves toi-distance", .answer = late,
     .workloads = POLYTOPES},
    {"sweeps too late", "closed-form-time halves", .answer = late, .workloads = {"box", "box"},
     .family = "box-sweep"},
    {"times by the sign of a velocity", "mirror turn rigid common-velocity", .answer = late_where_turned,
     .workloads = POLYTOPES, .family = "approach"},
    {"last contact too early", "backwards", .answer = last_too_early, .workloads = {"box", "box"},
     .family = "box-sweep"},
    {"an error that grows with place", "translate rigid", .answer = drift_with_place, .workloads = POLYTOPES},
    {"one who prefers the left", "swap mirror turn", .answer = favour_left, .workloads = POLYTOPES},
    {"one who prefers a hand", "mirror", .answer = favour_one_hand, .workloads = POLYTOPES},
    {"every other session", "session", .answer = odd_sessions, .workloads = POLYTOPES},
    {"backends that differ", "backends", .answer = other_backends, .workloads = POLYTOPES},
    {"threads that differ", "threads", .answer = other_threads, .workloads = POLYTOPES},
    {"even places in a call", "order lane batch", .answer = even_places, .workloads = POLYTOPES},
    {"a stale tail", "order lane batch threads", .answer = ends_of_calls, .workloads = POLYTOPES},
    {"a warm start that remembers", "repeat", .answer = remember, .workloads = POLYTOPES},
    {"the answer to the pair before", "order lane batch swap rigid", .answer = previous_answer,
     .workloads = POLYTOPES},
    {"no radius", "inflate closed-form larger", .shapes = no_radius, .workloads = {"circle", "sphere"}},
    {"no radius of curves", "ellipse-circle", .shapes = no_radius, .workloads = CURVED},
    {"late where there is a radius", "inflate-time", .answer = late_with_radius, .workloads = POLYTOPES,
     .family = "approach"},
    {"no radius of segments", "capsule-rounded", .shapes = segments_no_radius,
     .workloads = {"capsule", "capsule"}},
    {"the first four vertices", "permuted repeated cut box-hull", .shapes = first_four,
     .workloads = {"mixed-kinds", "mixed-kinds"}},
    {"the last vertex goes astray", "permuted interior smaller", .shapes = last_row_twice,
     .workloads = POLYTOPES},
    {"boxes too large", "box-hull closed-form cut", .shapes = larger_boxes, .workloads = {"box", "box"}},
    {"ellipses that are boxes", "ellipse-circle power-two", .shapes = ellipses_are_boxes,
     .workloads = CURVED},
    {"powers that are two", "power-one", .shapes = powers_are_two, .workloads = CURVED},
    {"curves that are never thin", "thin-curved", .shapes = curves_have_width, .workloads = CURVED},
    {"A's rotation forgotten", "swap rigid extrude turn", .body = without_rotation, .workloads = POLYTOPES},
    {"A's motion forgotten", "swap common-velocity toi-distance", .body = without_motion,
     .workloads = POLYTOPES, .family = "approach"},
};
enum { FAULTS = sizeof faults / sizeof *faults };
static const fault *now; /* at hand */

typedef struct spoilt {
    void *prepared;
    gjb_shapes shapes;
    shape_copy copy;
} spoilt;

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    spoilt *s = calloc(1, sizeof *s);
    size_t rows = 0;
    if (!s)
        return NULL;
    precision = (gjb_precision)shapes->precision;
    dim = shapes->dim;
    backend_now = backend;
    prepared_so_far++;
    first_thread = pthread_self();
    given = shapes;
    for (uint32_t i = 0; i < shapes->count; i++)
        rows = rows > (size_t)shapes->first[i] + shapes->row_count[i]
                   ? rows
                   : (size_t)shapes->first[i] + shapes->row_count[i];
    const size_t number = precision == GJB_F32 ? sizeof(float) : sizeof(double);
    s->copy = (shape_copy){
        copy(shapes->kind, shapes->count), copy(shapes->row_count, shapes->count * sizeof(uint32_t)),
        copy(shapes->radius, shapes->count * number), copy(shapes->rows, rows * dim * number)};
    s->shapes = *shapes;
    if (now->shapes)
        now->shapes(&s->shapes, &s->copy);
    s->shapes.kind = s->copy.kind;
    s->shapes.row_count = s->copy.row_count;
    s->shapes.radius = s->copy.radius;
    s->shapes.rows = s->copy.rows;
    s->prepared = sound->prepare(&s->shapes, backend);
    return s;
}

static size_t workspace_size(const void *prepared)
{
    return sound->workspace_size(((const spoilt *)prepared)->prepared);
}

static void run(const void *prepared, const gjb_batch *batch)
{
    gjb_batch changed = *batch;
    void *poses = NULL, *motions = NULL;
    if (now->body) {
        uint32_t bodies = 0;
        for (size_t i = 0; i < 2 * batch->pair_count; i++)
            bodies = bodies > batch->pairs[i] + 1 ? bodies : batch->pairs[i] + 1;
        changed.poses = poses = copy(batch->poses, bodies * batch->pose_stride);
        if (batch->motions)
            changed.motions = motions = copy(batch->motions, bodies * batch->motion_stride);
        for (size_t i = 0; i < batch->pair_count; i++)
            now->body((char *)poses + batch->pairs[2 * i] * batch->pose_stride,
                      motions ? (char *)motions + batch->pairs[2 * i] * batch->motion_stride : NULL);
    }
    sound->run(((const spoilt *)prepared)->prepared, &changed);
    for (size_t i = 0; i < batch->pair_count && now->answer; i++)
        now->answer(batch, i);
    free(poses);
    free(motions);
}

static void release(void *prepared)
{
    spoilt *s = prepared;
    sound->release(s->prepared);
    free(s->copy.kind);
    free(s->copy.row_count);
    free(s->copy.radius);
    free(s->copy.rows);
    free(s);
}

/* --- The table --- */

static int named(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
        if ((at == list || at[-1] == ' ') && strchr(" ", at[n]))
            return 1;
    return 0;
}

static const gjb_property_entry *entry_of(const gjb_contender *who, gjb_property_entry *entry)
{
    *entry = (gjb_property_entry){who, NULL};
    return entry;
}

Test(properties, every_fault_is_seen_and_every_property_sees_one, .timeout = 300)
{
    uint8_t *saw = calloc(gjb_property_count, 1), *taken = calloc(gjb_property_count, 1);
    sound = gjb_contender_find("batch");
    cr_assert(sound && saw && taken);
    for (int f = 0; f < FAULTS; f++) {
        const char *const plane[] = {faults[f].workloads[0], NULL}, *const space[] = {faults[f].workloads[1],
                                                                                      NULL};
        const gjb_family *families[64];
        size_t family_count = 0, known = 0;
        gjb_contender broken = *sound;
        gjb_property_entry entry;
        gjb_error error = {{0}};
        now = &faults[f];
        /* Nothing differs in a build of one backend. */
        if (now->answer == other_backends && !sound->backends[1]) {
            for (size_t r = 0; r < gjb_property_count; r++)
                saw[r] |= (uint8_t)named(now->caught_by, gjb_properties[r].name);
            continue;
        }
        prepared_so_far = 0;
        broken.prepare = prepare;
        broken.workspace_size = workspace_size;
        broken.run = run;
        broken.release = release;
        for (size_t i = 0; i < gjb_family_count; i++)
            if (!now->family || !strcmp(gjb_families[i].name, now->family))
                families[family_count++] = &gjb_families[i];
        for (size_t r = 0; r < gjb_property_count; r++) {
            taken[r] = (uint8_t)named(now->caught_by, gjb_properties[r].name);
            known += taken[r];
        }
        size_t words = 1;
        for (const char *at = now->caught_by; *at; at++)
            words += *at == ' ';
        cr_assert_eq(words, known, "%s: of '%s' some are no properties", now->name, now->caught_by);
        const gjb_property_plan plan = {.entries = entry_of(&broken, &entry),
                                        .entry_count = 1,
                                        .workloads = {plane, space},
                                        .families = families,
                                        .family_count = family_count,
                                        .taken = taken,
                                        .queries = ((1u << GJB_QUERIES) - 1) & ~(1u << GJB_MANIFOLD), /* below */
                                        .precisions = 1u << GJB_F64,
                                        .dims = 3u << 2,
                                        .pairs = 96,
                                        .seed = 5};
        gjb_property_report *report = gjb_property_run(&plan, &error);
        cr_assert(report, "%s: %s", now->name, error.text);
        for (size_t r = 0; r < gjb_property_count; r++) {
            const gjb_property_tally sum = gjb_property_sum(report, 0, r);
            saw[r] |= sum.violated > 0;
            cr_expect(!taken[r] || sum.violated, "%s: %s saw nothing in %llu", now->name,
                      gjb_properties[r].name, (unsigned long long)sum.checked);
        }
        cr_expect(gjb_property_failed(report));
        gjb_property_free(report);
    }
    for (size_t r = 0; r < gjb_property_count; r++)
        cr_expect(saw[r] || gjb_properties[r].queries == 1u << GJB_MANIFOLD, "no fault makes %s fail",
                  gjb_properties[r].name);
    free(saw);
    free(taken);
}

/* Nothing is violated by ours, and where a row has pairs it is checked. */
static void hold(const gjb_property_entry *entries, size_t entry_count, uint32_t dimension, int moving,
                 int curved, uint64_t pairs)
{
    const gjb_family *families[64];
    const char *straight[64] = {NULL};
    const char *const *tour = gjb_workload_tour(dimension), *const *bend =
                                                                gjb_workload_tour_curved(dimension);
    size_t count = 0;
    gjb_error error = {{0}};
    for (size_t i = 0; tour + i < bend && i < 63; i++)
        straight[i] = tour[i];
    for (size_t i = 0; i < gjb_family_count; i++)
        if ((gjb_families[i].moving != GJB_AT_REST) == moving)
            families[count++] = &gjb_families[i];
    const char *const *workloads = curved ? tour : straight;
    /* Exact patches: below, of few vertices. */
    const int dear = !strcmp(entries[0].contender->name, "reference");
    const gjb_property_plan plan = {.entries = entries,
                                    .entry_count = entry_count,
                                    .workloads = {workloads, workloads},
                                    .families = families,
                                    .family_count = count,
                                    .queries = ((1u << GJB_QUERIES) - 1) & ~(dear ? 1u << GJB_MANIFOLD : 0u),
                                    .precisions = (1u << GJB_PRECISIONS) - 1,
                                    .dims = 1u << dimension,
                                    .pairs = pairs,
                                    .seed = 9};
    gjb_property_report *report = gjb_property_run(&plan, &error);
    cr_assert(report, "%s", error.text);
    uint64_t checked = 0;
    for (size_t e = 0; e < entry_count; e++)
        for (size_t r = 0; r < gjb_property_count; r++) {
            const gjb_property_tally sum = gjb_property_sum(report, e, r);
            const gjb_property *row = &gjb_properties[r];
            const int here = row->dims >> dimension & 1 &&
                             row->pairs & (moving ? GJB_MOVING_PAIRS : GJB_STILL_PAIRS) &&
                             (row->way != GJB_BY_BACKEND ||
                              (entries[e].contender->backends && entries[e].contender->backends[1]));
            checked += sum.checked;
            cr_expect(!here || !curved || sum.checked, "%s: nothing was checked", row->name);
            cr_expect(!sum.violated && !sum.mute,
                      "%s, %s, %uD: %llu of %llu violate it, %llu without answer, worst %.9g eps S",
                      entries[e].contender->name, row->name, (unsigned)dimension,
                      (unsigned long long)sum.violated, (unsigned long long)sum.checked,
                      (unsigned long long)sum.mute, sum.worst_eps);
        }
    cr_expect(checked > 10000);
    gjb_property_free(report);
}

/* Pairs of every workload and family, f32 and f64, on the widest backend of this CPU, whose bits are held to be those of
 * the narrowest. */
static void hold_kernels(uint32_t dimension, int moving, uint64_t pairs)
{
    const gjb_property_entry entry = {gjb_contender_find("batch"), NULL};
    hold(&entry, 1, dimension, moving, 1, pairs);
}

Test(properties, hold_in_the_plane, .timeout = 300)
{
    hold_kernels(2, 0, 576);
}
Test(properties, hold_in_space, .timeout = 300)
{
    hold_kernels(3, 0, 672);
}
Test(properties, hold_in_motion_in_the_plane, .timeout = 300)
{
    hold_kernels(2, 1, 288);
}
Test(properties, hold_in_motion_in_space, .timeout = 300)
{
    hold_kernels(3, 1, 288);
}
/* Which is slow where solids curve. */
Test(properties, hold_for_the_reference, .timeout = 300)
{
    const gjb_property_entry entry = {gjb_contender_find("reference"), NULL};
    hold(&entry, 1, 2, 0, 0, 192);
    hold(&entry, 1, 3, 0, 0, 192);
}

/* Manifolds of few vertices. */
static gjb_property_report *hold_manifolds(const gjb_contender *contender, uint64_t pairs)
{
    static const char *const plane[] = {"box", "polygon3", "circle", NULL}, *const space[] = {"box", "hull4",
                                                                                              "sphere", NULL};
    static const char *const names[] = {"near", "shallow", "mixed"};
    const gjb_family *families[3];
    const gjb_property_entry entry = {contender, NULL};
    gjb_error error = {{0}};
    for (int i = 0; i < 3; i++)
        families[i] = gjb_family_find(names[i]);
    const gjb_property_plan plan = {.entries = &entry,
                                    .entry_count = 1,
                                    .workloads = {plane, space},
                                    .families = families,
                                    .family_count = 3,
                                    .queries = 1u << GJB_MANIFOLD,
                                    .precisions = 1u << GJB_F64,
                                    .dims = 3u << 2,
                                    .pairs = pairs,
                                    .seed = 3,
                                    .margin = GJB_DEFAULT_MARGIN};
    gjb_property_report *report = gjb_property_run(&plan, &error);
    cr_assert(report, "%s", error.text);
    return report;
}

static gjb_contender exact, skewed;
static int fewer; /* 1: a contact goes, 0: an id changes */

/* By the least bit of where B is. */
static void run_forgetful(const void *prepared, const gjb_batch *batch)
{
    exact.run(prepared, batch);
    for (size_t i = 0; i < batch->pair_count; i++) {
        const char *place = (const char *)batch->poses + batch->pairs[2 * i + 1] * batch->pose_stride;
        char *record = (char *)batch->results + i * batch->result_stride;
        gjb_manifold2d *plane = (gjb_manifold2d *)(void *)record;
        gjb_manifold3d *space = (gjb_manifold3d *)(void *)record;
        const int in_space = batch->result_stride == sizeof *space;
        if (!(place[0] & 1) || plane->count < 2) /* which lies where it does in space */
            continue;
        const uint32_t last = plane->count - 1;
        if (!fewer) {
            *(in_space ? &space->contact[0].feature : &plane->contact[0].feature) ^= 1u << 31;
            continue;
        }
        plane->count--;
        if (in_space)
            memset(&space->contact[last], 0, sizeof *space->contact);
        else
            memset(&plane->contact[last], 0, sizeof *plane->contact);
    }
}

Test(properties, contacts_that_change_while_a_face_slides_are_seen, .timeout = 120)
{
    const size_t slide = (size_t)(gjb_property_find("slide") - gjb_properties);
    exact = skewed = *gjb_contender_find("batch");
    gjb_property_report *report = hold_manifolds(&exact, 300);
    const gjb_property_tally kept = gjb_property_sum(report, 0, slide);
    cr_expect(kept.checked > 100 && !kept.violated && !kept.mute, "%llu of %llu", (unsigned long long)kept.violated,
              (unsigned long long)kept.checked);
    gjb_property_free(report);
    skewed.run = run_forgetful;
    for (fewer = 0; fewer < 2; fewer++) {
        report = hold_manifolds(&skewed, 300);
        for (uint32_t d = 2; d <= 3; d++) {
            const gjb_property_tally *lost = gjb_property_at(report, 0, slide, d, GJB_F64, GJB_MANIFOLD);
            cr_expect(lost->violated > lost->checked / 4, "%uD, %d: %llu of %llu", (unsigned)d, fewer,
                      (unsigned long long)lost->violated, (unsigned long long)lost->checked);
        }
        gjb_property_free(report);
    }
}

/* What is deeper than a hundredth is a tenth deeper to who sees A on the left of B. */
static void run_skewed(const void *prepared, const gjb_batch *batch)
{
    exact.run(prepared, batch);
    for (size_t i = 0; i < batch->pair_count; i++) {
        gjb_manifold2d *record = (gjb_manifold2d *)(void *)((char *)batch->results + i * batch->result_stride);
        for (uint32_t k = 0; batch->result_stride == sizeof *record && k < record->count; k++)
            if (record->contact[k].separation < -0.01 && record->normal[0] > 0)
                record->contact[k].separation *= 1.1;
    }
}

Test(properties, hold_for_manifolds_of_the_reference, .timeout = 120)
{
    gjb_property_report *report = hold_manifolds(gjb_contender_find("reference"), 18);
    uint64_t checked = 0;
    for (size_t r = 0; r < gjb_property_count; r++) {
        const gjb_property_tally sum = gjb_property_sum(report, 0, r);
        checked += sum.checked;
        cr_expect(!sum.violated && !sum.mute, "%s: %llu of %llu violate it, worst %.9g eps S", gjb_properties[r].name,
                  (unsigned long long)sum.violated, (unsigned long long)sum.checked, sum.worst_eps);
    }
    cr_expect(checked > 500, "%llu", (unsigned long long)checked);
    gjb_property_free(report);
}

Test(properties, a_manifold_that_depends_on_who_is_called_a_is_seen, .timeout = 120)
{
    exact = skewed = *gjb_contender_find("reference");
    skewed.run = run_skewed;
    gjb_property_report *report = hold_manifolds(&skewed, 18);
    const gjb_property_tally swapped =
        gjb_property_sum(report, 0, (size_t)(gjb_property_find("swap") - gjb_properties));
    cr_expect(swapped.violated > 0 && gjb_property_failed(report), "%llu checked", (unsigned long long)swapped.checked);
    gjb_property_free(report);
}

/* Times that differ by their rounding are graded: cut short, that accuses no contender. */
Test(properties, pass_over_what_is_too_slow_to_judge, .timeout = 60)
{
    static const char *const workloads[] = {"box", "hull16", NULL};
    const gjb_family *const family = gjb_family_find("approach-spin");
    const gjb_property_entry entry = {gjb_contender_find("reference"), NULL};
    const gjb_property_plan plan = {.entries = &entry,
                                    .entry_count = 1,
                                    .workloads = {workloads, workloads},
                                    .families = &family,
                                    .family_count = 1,
                                    .queries = 1u << GJB_TOI,
                                    .precisions = 1u << GJB_F64,
                                    .dims = 1u << 3,
                                    .pairs = 32,
                                    .seed = 9};
    gjb_error error = {{0}};
    uint64_t slow = 0, violated = 0;
    ref_effort_limit(0);
    gjb_property_report *report = gjb_property_run(&plan, &error);
    ref_effort_limit(REF_EFFORT_SECONDS);
    cr_assert(report, "%s", error.text);
    for (size_t r = 0; r < gjb_property_count; r++) {
        slow += gjb_property_sum(report, 0, r).too_slow;
        violated += gjb_property_sum(report, 0, r).violated;
    }
    cr_expect(slow > 0 && violated == 0, "%d too slow, %d violated", (int)slow, (int)violated);
    cr_expect(!strncmp(report->too_slow_first, "pair ", 5), "'%s'", report->too_slow_first);
    gjb_property_free(report);
}
