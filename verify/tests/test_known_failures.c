/* The importer of other libraries' failures: what it makes of each shape, by
 * distances worked out by hand, and what it says of the rest. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "contenders/table.h"
#include "core/file.h"
#include "grading/grade.h"
#include "verify/known_failures.h"
#include "verify/replay.h"

#define PLANE "\"pose\": {\"R\": [[1, 0], [0, 1]], \"t\": [0, 0]}"
#define SPACE "\"pose\": {\"R\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], \"t\": [0, 0, 0]}"
/* A quarter turn about z, and 5 along x. */
#define TURNED "\"pose\": {\"R\": [[0, -1, 0], [1, 0, 0], [0, 0, 1]], \"t\": [5, 0, 0]}"
#define UNIT_BOX "{\"type\": \"box\", \"half_extents\": [1, 1, 1], " SPACE "}"
#define HOLLOW_BALL "{\"type\": \"sphere\", \"radius\": -0.5, " SPACE "}"

/* Vertices can be baked into such a pose, a curved shape cannot. */
#define SHEARED                                                                                                      \
    "{\"type\": \"cylinder\", \"radius\": 1, \"half_length\": 2, \"axis\": \"y\", \"pose\": {\"R\": [[1, 0.00001, 0], " \
    "[0, 1, 0], [0, 0, 1]], \"t\": [0, 0, 0]}}"

static const struct {
    const char *name, *a, *b;
    int dim;
    gjb_kind kind_a, kind_b;
    double sigma;
} sound[] = {
    {"circles", "{\"type\": \"circle\", \"radius\": 2, " PLANE "}",
     "{\"type\": \"circle\", \"radius\": 1, \"pose\": {\"R\": [[1, 0], [0, 1]], \"t\": [3, 4]}}", 2, GJB_POINT,
     GJB_POINT, 2},
    {"triangle in the plane", "{\"type\": \"triangle\", \"vertices\": [[0, 0], [1, 0], [0, 1]], " PLANE "}",
     "{\"type\": \"point\", \"p\": [3, 0], " PLANE "}", 2, GJB_POLYGON, GJB_POINT, 2},
    {"sphere", UNIT_BOX, "{\"type\": \"sphere\", \"radius\": 1.5, " TURNED "}", 3, GJB_BOX, GJB_POINT, 2.5},
    {"box, turned", UNIT_BOX, "{\"type\": \"box\", \"half_extents\": [2, 0.5, 1], " TURNED "}", 3, GJB_BOX, GJB_HULL,
     3.5},
    {"capsule by its axis", UNIT_BOX,
     "{\"type\": \"capsule\", \"radius\": 0.5, \"half_length\": 2, \"axis\": \"y\", " TURNED "}", 3, GJB_BOX,
     GJB_SEGMENT, 1.5},
    {"capsule along z", UNIT_BOX,
     "{\"type\": \"capsule\", \"radius\": 0.5, \"half_length\": 9, \"axis\": \"z\", " TURNED "}", 3, GJB_BOX,
     GJB_SEGMENT, 3.5},
    {"capsule by its ends", UNIT_BOX,
     "{\"type\": \"capsule\", \"radius\": 0.5, \"endpoints\": [[0, 0, 0], [0, 3, 0]], " TURNED "}", 3, GJB_BOX,
     GJB_SEGMENT, 0.5},
    {"triangle", UNIT_BOX, "{\"type\": \"triangle\", \"vertices\": [[0, 0, 0], [0, 1, 0], [0, 0, 1]], " TURNED "}", 3,
     GJB_BOX, GJB_TRIANGLE, 3},
    {"hull with a point inside", UNIT_BOX,
     "{\"type\": \"hull\", \"vertices\": [[0, 0, 0], [1, 0, 0], [0, 4.5, 0], [0, 0, 1], [0.1, 0.1, 0.1]], " TURNED "}",
     3, GJB_BOX, GJB_HULL, -0.5},
    {"hull of three", UNIT_BOX, "{\"type\": \"hull\", \"vertices\": [[0, 2, 0], [0, 1, 0], [0, 0, 1]], " TURNED "}", 3,
     GJB_BOX, GJB_TRIANGLE, 2},
    {"hull of two", UNIT_BOX, "{\"type\": \"hull\", \"vertices\": [[0, 2, 0], [0, 1, 0]], " TURNED "}", 3, GJB_BOX,
     GJB_SEGMENT, 2},
    {"hull of one", UNIT_BOX, "{\"type\": \"hull\", \"vertices\": [[0, 2, 0]], " TURNED "}", 3, GJB_BOX, GJB_POINT, 2},
};

static gjb_known_failures *parse(const char *cases, gjb_error *error)
{
    char text[2048];
    const int length = snprintf(text, sizeof text, "{\"meta\": {}, \"cases\": [%s]}", cases);
    cr_assert(length < (int)sizeof text && gjb_known_failures_sniff(text, (size_t)length));
    return gjb_known_failures_parse(text, (size_t)length, "file", error);
}

Test(known_failures, shapes_are_what_they_were)
{
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) {
        char text[1024];
        gjb_error error = {{0}};
        gjb_pair_space space = {0};
        gjb_truth truth = {0};
        gjb_pair pair;
        snprintf(text, sizeof text, "{\"id\": \"x\", \"dim\": %d, \"query\": \"distance\", \"A\": %s, \"B\": %s}",
                 sound[i].dim, sound[i].a, sound[i].b);
        gjb_known_failures *all = parse(text, &error);
        cr_assert(all && all->count == 1, "%s: %s", sound[i].name, error.text);
        gjb_scene *scene = all->cases[0].scene;
        cr_expect(scene->shapes.kind[0] == sound[i].kind_a && scene->shapes.kind[1] == sound[i].kind_b, "%s: kinds",
                  sound[i].name);
        cr_assert(!gjb_scene_pair(scene, 0, 0, &space, &pair) && !gjb_truth_open(&truth, &pair));
        gjb_truth_exact(&truth);
        cr_expect(truth.lo <= sound[i].sigma && sound[i].sigma <= truth.hi, "%s: %.17g, %.17g by hand",
                  sound[i].name, truth.lo, sound[i].sigma);
        gjb_truth_close(&truth);
        gjb_pair_space_free(&space);
        gjb_known_failures_free(all);
    }
}

Test(known_failures, what_comes_later_is_counted_by_reason)
{
    gjb_error error = {{0}};
    gjb_known_failures *all =
        parse("{\"id\": \"a\", \"dim\": 3, \"query\": \"raycast\", \"A\": {}, \"B\": {}},"
              "{\"id\": \"b\", \"dim\": 3, \"query\": \"distance\", \"A\": {\"type\": \"torus\"}, \"B\": {}},"
              "{\"id\": \"c\", \"dim\": 3, \"query\": \"contact\", \"A\": " UNIT_BOX ", \"B\": {\"type\": \"torus\"}},"
              "{\"id\": \"e\", \"dim\": 3, \"query\": \"contact\", \"A\": " UNIT_BOX ", \"B\": " SHEARED "},"
              "{\"id\": \"f\", \"dim\": 3, \"query\": \"contact\", \"A\": " UNIT_BOX ", \"B\": " HOLLOW_BALL "},"
              "{\"id\": \"d\", \"dim\": 3, \"query\": \"boolean\", \"A\": " UNIT_BOX ", \"B\": " UNIT_BOX "}",
              &error);
    cr_assert(all, "%s", error.text);
    cr_expect(all->count == 1 && !strcmp(all->cases[0].id, "d"));
    cr_assert_eq(all->left_out_count, 4);
    cr_expect(!strcmp(all->left_out[1].first, "b"));
    cr_expect(strstr(all->left_out[3].reason, "rules of scenes") && strstr(all->left_out[3].first, "f: ") &&
                  strstr(all->left_out[3].first, "radius") && strstr(all->left_out[3].first, "-0.5"),
              "%s", all->left_out[3].first);
    cr_expect(!strcmp(all->left_out[0].reason, "query 'raycast'") && all->left_out[0].count == 1);
    cr_expect(!strcmp(all->left_out[1].reason, "shape 'torus'") && all->left_out[1].count == 2);
    cr_expect(strstr(all->left_out[2].reason, "no rotation") && all->left_out[2].count == 1);
    gjb_known_failures_free(all);
}

Test(known_failures, what_is_broken_is_refused_by_name)
{
    static const struct {
        const char *dim, *a, *words;
    } broken[] = {
        {"3", "{\"type\": \"box\", \"half_extents\": [1, 1], " SPACE "}", "half_extents: 3 numbers"},
        {"2", "{\"type\": \"box\", \"half_extents\": [1, 1], " SPACE "}", "pose.R: 2 numbers"},
        {"3", "{\"type\": \"box\", \"half_extents\": [1, 1, null], " SPACE "}", "half_extents: a finite number"},
        {"3", "{\"type\": \"hull\", \"vertices\": [], " SPACE "}", "vertices: 0 of them"},
        {"3", "{\"type\": \"capsule\", \"half_length\": 1, \"axis\": \"w\", " SPACE "}", "axis: 'w'"},
        {"2", "{\"type\": \"capsule\", \"half_length\": 1, \"axis\": \"z\", " PLANE "}", "axis: 'z'"},
        {"3", "{\"type\": \"capsule\", \"half_length\": 1, \"axis\": \"\", " SPACE "}", "axis: ''"},
        {"3", "{\"type\": \"sphere\", \"radius\": \"1\", " SPACE "}", "radius: a finite number"},
        {"4", UNIT_BOX, "dim: 4"},
        {"3", "{\"type\": \"cylinder\", \"radius\": 1, \"half_length\": 2, \"axis\": \"w\", " SPACE "}", "axis: 'w'"},
        {"3", "{\"type\": \"cylinder\", \"radius\": 1, \"axis\": \"x\", " SPACE "}", "half_length: a finite number"},
        {"3", "{\"type\": \"ellipsoid\", \"radii\": [1, 2], " SPACE "}", "radii: 3 numbers"},
        {"3", "{}", "type: a name"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        char text[1024];
        gjb_error error = {{0}};
        snprintf(text, sizeof text, "{\"id\": \"it\", \"dim\": %s, \"query\": \"distance\", \"A\": %s, \"B\": {}}",
                 broken[i].dim, broken[i].a);
        cr_expect_null(parse(text, &error));
        cr_expect(strstr(error.text, "case it: ") && strstr(error.text, broken[i].words), "'%s', wanted '%s'",
                  error.text, broken[i].words);
    }
}

static void note_query(void *context, const gjb_replay_case *one)
{
    *(uint32_t *)context |= 1u << one->query;
}

static uint32_t asked(const gjb_scene *scene, uint32_t answered)
{
    gjb_contender limited = *gjb_contender_at(0);
    limited.queries = answered;
    const gjb_verify_entry entry = {.contender = &limited, .backend = limited.backends ? limited.backends[0] : NULL};
    const gjb_replay_plan plan = {.entries = &entry, .entry_count = 1};
    uint32_t queries = 0;
    gjb_error error = {{0}};
    cr_assert_eq(gjb_replay_scene(scene, "case", &plan, note_query, &queries, &error), 0, "%s", error.text);
    return queries;
}

/* Most cases are signed distances, which most libraries have no call for: these show their failures in its parts. */
Test(known_failures, a_library_is_asked_what_it_knows_of_a_query)
{
    enum { I = 1 << GJB_INTERSECT, D = 1 << GJB_DISTANCE, P = 1 << GJB_PENETRATION, S = 1 << GJB_SIGNED_DISTANCE };
    static const struct {
        const char *query;
        uint32_t answered, asked;
    } table[] = {{"distance", I | D | P | S, S}, {"distance", I | D | P, D | P}, {"contact", I | P, P},
                 {"distance", I, I},             {"penetration", I | D, I},      {"boolean", D | P, 0}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[512];
        gjb_error error = {{0}};
        snprintf(text, sizeof text, "{\"id\": \"it\", \"dim\": 3, \"query\": \"%s\", \"A\": %s, \"B\": %s}",
                 table[i].query, UNIT_BOX, UNIT_BOX);
        gjb_known_failures *all = parse(text, &error);
        cr_assert_not_null(all, "%s", error.text);
        cr_expect_eq(asked(all->cases[0].scene, table[i].answered), table[i].asked, "row %zu", i);
        gjb_known_failures_free(all);
    }
}

Test(known_failures, every_case_left_out_is_counted)
{
    char text[2048] = "";
    gjb_error error = {{0}};
    enum { QUERIES = 20 };
    for (int i = 0; i < QUERIES; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s{\"id\": \"a\", \"dim\": 3, \"query\": \"q%d\"}",
                 i ? "," : "", i);
    gjb_known_failures *all = parse(text, &error);
    cr_assert(all, "%s", error.text);
    size_t sum = 0, named = 0;
    for (size_t i = 0; i < all->left_out_count; i++) {
        sum += all->left_out[i].count;
        for (const char *at = all->left_out[i].ids; at; at = strchr(at + 1, ','))
            named++;
    }
    cr_expect_eq(sum, QUERIES);
    cr_expect_eq(named, QUERIES);
    gjb_known_failures_free(all);
}

static void note_verdict(void *context, const gjb_replay_case *one)
{
    ((gjb_verdict *)context)[one->precision] = one->grade.verdict;
}

/* And no reason to stop: the other precision, and what follows, can be answered. */
Test(known_failures, what_a_precision_cannot_hold_is_unsupported)
{
    gjb_error error = {{0}};
    gjb_known_failures *all =
        parse("{\"id\": \"far\", \"dim\": 3, \"query\": \"distance\", \"A\": " UNIT_BOX ", \"B\": {\"type\": \"point\", "
              "\"p\": [0, 0, 1e60], " SPACE "}}", &error);
    cr_assert(all, "%s", error.text);
    const gjb_verify_entry entry = {.contender = gjb_contender_at(0), .backend = "scalar"};
    const gjb_replay_plan plan = {.entries = &entry, .entry_count = 1, .precisions = (1u << GJB_PRECISIONS) - 1};
    gjb_verdict verdicts[GJB_PRECISIONS] = {GJB_WRONG, GJB_WRONG};
    cr_assert_eq(gjb_replay_scene(all->cases[0].scene, "far", &plan, note_verdict, verdicts, &error), 0, "%s", error.text);
    cr_expect_eq(verdicts[GJB_F32], GJB_NOT_SUPPORTED);
    cr_expect_eq(verdicts[GJB_F64], GJB_RIGHT);
    gjb_known_failures_free(all);
}

/* Of data/known-failures: how many cases each file has, so that none gets lost. */
static const struct {
    const char *file;
    size_t count;
} shipped[] = {{GJB_TOI_CASES, 12}, {GJB_CURVED_CASES, 17}, {GJB_POLYTOPE_CASES, 61}};

/* Those that ship have all their cases taken. */
static gjb_known_failures *load_cases(const char *file, json_t **root)
{
    gjb_error error = {{0}};
    size_t size, row = 0;
    while (strcmp(shipped[row].file, file))
        row++;
    unsigned char *bytes = gjb_file_read(file, NULL, &size, &error);
    cr_assert(bytes, "%s", error.text);
    gjb_known_failures *all = gjb_known_failures_parse(bytes, size, file, &error);
    cr_assert(all, "%s", error.text);
    *root = json_loadb((const char *)bytes, size, 0, NULL);
    free(bytes);
    cr_assert(*root && all->count == shipped[row].count && !all->left_out_count, "%s: %zu cases", file, all->count);
    return all;
}

/* --- Curved shapes, which have no vertices to bake a matrix into --- */

/* R of the file, row by row, by its columns' axis and sign: a quarter, half or third turn. */
typedef struct turn {
    int axis[3], sign[3];
} turn;

static void write_case(char text[1024], const char *shape, const turn *t)
{
    int r[3][3] = {{0}};
    for (int k = 0; k < 3; k++)
        r[t->axis[k]][k] = t->sign[k];
    snprintf(text, 1024,
             "{\"id\": \"x\", \"dim\": 3, \"query\": \"distance\", \"A\": {%s, \"pose\": {\"R\": [[%d, %d, %d], "
             "[%d, %d, %d], [%d, %d, %d]], \"t\": [1, 2, 3]}}, \"B\": " UNIT_BOX "}",
             shape, r[0][0], r[0][1], r[0][2], r[1][0], r[1][1], r[1][2], r[2][0], r[2][1], r[2][2]);
}

/* Column of the pose's matrix M(q) / (q.q), exactly: it is of whole numbers. */
static void column_of(const gjb_scene *scene, int column, double out[3])
{
    const gjb_pose3d p = gjb_scene_pose3(scene, 0, 0);
    const double q[4] = {p.qx, p.qy, p.qz, p.qw};
    const int k = (column + 1) % 3, m = (column + 2) % 3;
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    out[column] = (q[3] * q[3] + q[column] * q[column] - q[k] * q[k] - q[m] * q[m]) / square;
    out[k] = 2 * (q[column] * q[k] + q[m] * q[3]) / square;
    out[m] = 2 * (q[column] * q[m] - q[k] * q[3]) / square;
}

/* All 24 rotations of a cube; cylinders lie along each axis of the file's frame, ours along z. */
Test(known_failures, curved_shapes_turn_exactly)
{
    static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    static const char *const shapes[] = {
        "\"type\": \"cylinder\", \"radius\": 1.5, \"half_length\": 2, \"axis\": \"x\"",
        "\"type\": \"cylinder\", \"radius\": 1.5, \"half_length\": 2, \"axis\": \"y\"",
        "\"type\": \"cylinder\", \"radius\": 1.5, \"half_length\": 2, \"axis\": \"z\"",
        "\"type\": \"cone\", \"radius\": 1.5, \"half_length\": 2, \"axis\": \"x\"",
        "\"type\": \"ellipsoid\", \"radii\": [1.5, 2, 2.5]"};
    enum { UPRIGHT = 4, SHAPES = 5 };
    static const gjb_kind kinds[SHAPES] = {GJB_CYLINDER, GJB_CYLINDER, GJB_CYLINDER, GJB_CONE, GJB_ELLIPSOID};
    int cases = 0;
    for (int i = 0; i < 6 * 8 * SHAPES; i++) {
        const int *axis = order[i % 6], bits = i / 6 % 8, shape = i / 48, odd = i % 6 > 2;
        const turn t = {{axis[0], axis[1], axis[2]}, {bits & 1 ? -1 : 1, bits & 2 ? -1 : 1, bits & 4 ? -1 : 1}};
        char text[1024];
        gjb_error error = {{0}};
        if (t.sign[0] * t.sign[1] * t.sign[2] != (odd ? -1 : 1))
            continue; /* a reflection */
        write_case(text, shapes[shape], &t);
        gjb_known_failures *all = parse(text, &error);
        cr_assert(all && all->count == 1, "%s: %s", text, error.text);
        const gjb_scene *scene = all->cases[0].scene;
        const double *row = (const double *)scene->shapes.rows, radius = *(const double *)scene->shapes.radius;
        for (int k = 0; k < 3; k++) {
            const int theirs = shape < UPRIGHT ? (k + shape % 3 + 1) % 3 : k;
            double column[3];
            column_of(scene, k, column);
            for (int m = 0; m < 3; m++)
                cr_expect_eq(column[m], m == t.axis[theirs] ? t.sign[theirs] : 0, "%s: column %d: %.17g", text, k, column[m]);
        }
        cr_expect_eq(scene->shapes.kind[0], kinds[shape]);
        cr_expect(row[0] == 1.5 && row[1] == 2 && row[2] == (shape < UPRIGHT ? 0 : 2.5) && radius == 0);
        gjb_known_failures_free(all);
        cases++;
    }
    cr_expect_eq(cases, 24 * SHAPES);
}

/* Of the shapes as they were before any import, by others' means. */
static void are_where_they_were(const char *file)
{
    json_t *root;
    gjb_known_failures *all = load_cases(file, &root);
    gjb_pair_space space = {0};
    gjb_truth truth = {0};
    for (size_t i = 0; i < all->count; i++) {
        gjb_pair pair;
        const json_t *expected = json_object_get(json_array_get(json_object_get(root, "cases"), i), "expected");
        const double sigma = json_number_value(json_object_get(expected, "sigma"));
        cr_assert(!gjb_scene_pair(all->cases[i].scene, 0, 0, &space, &pair) && !gjb_truth_open(&truth, &pair));
        gjb_truth_exact(&truth);
        const double err = json_number_value(json_object_get(expected, "err")) + 1e-14 * gjb_pair_size(&pair);
        cr_expect(truth.lo - err <= sigma && sigma <= truth.hi + err && truth.hi - truth.lo <= 1e-12 * gjb_pair_size(&pair),
                  "%s: [%.17g, %.17g], on record is %.17g", all->cases[i].id, truth.lo, truth.hi, sigma);
    }
    gjb_truth_close(&truth);
    gjb_pair_space_free(&space);
    gjb_known_failures_free(all);
    json_decref(root);
}

Test(known_failures, curved_shapes_are_where_they_were)
{
    are_where_they_were(GJB_CURVED_CASES);
}

Test(known_failures, polytopes_are_where_they_were)
{
    are_where_they_were(GJB_POLYTOPE_CASES);
}

/* --- Times of impact: GJB_TOI_CASES, with what is expected of each in its own time --- */

Test(known_failures, times_of_impact_are_those_on_record)
{
    json_t *root;
    gjb_known_failures *all = load_cases(GJB_TOI_CASES, &root);
    gjb_pair_space space = {0};
    gjb_truth truth = {0};
    for (size_t i = 0; i < all->count; i++) {
        gjb_pair pair;
        const json_t *one = json_array_get(json_object_get(root, "cases"), i), *expected = json_object_get(one, "expected");
        const json_t *time = json_object_get(expected, "toi");
        cr_assert(!gjb_scene_pair(all->cases[i].scene, 0, 0, &space, &pair) && !gjb_truth_open_moving(&truth, &pair));
        const double found = gjb_truth_time(&truth, GJB_TOI) * all->cases[i].step;
        if (json_is_true(json_object_get(expected, "hit")))
            cr_expect(fabs(found - json_number_value(time)) <= 1e-8 * all->cases[i].step, "%s: %.17g", all->cases[i].id,
                      found);
        else
            cr_expect(isnan(found), "%s: %.17g", all->cases[i].id, found);
        const ref_bounds start = ref_sigma_at(&pair, 0);
        const double sigma = json_number_value(json_object_get(expected, "sigma_at_start"));
        cr_expect(start.lower - 1e-9 <= sigma && sigma <= start.upper + 1e-9, "%s: %.17g", all->cases[i].id, start.lower);
    }
    gjb_truth_close(&truth);
    gjb_pair_space_free(&space);
    gjb_known_failures_free(all);
    json_decref(root);
}

/* Motions are read as they are written: by velocity until a time or for ever, or as a whole. */
Test(known_failures, motions_become_one_step)
{
    static const struct {
        const char *motion;
        double step, way;
    } sound_motions[] = {{"{\"A\": {\"translation\": [0, 3, 0]}, \"t_max\": 1.0}", 1, 3},
                         {"{\"A\": {\"velocity\": [0, 3, 0]}, \"t_max\": 2.5}", 2.5, 7.5},
                         /* 5 + 4 sqrt 3 and a bit more, at a speed of 2 */
                         {"{\"A\": {\"velocity\": [0, 2, 0]}, \"t_max\": null}", 8, 16},
                         {"{\"t_max\": null}", 1, 0}};
    for (size_t i = 0; i < sizeof sound_motions / sizeof *sound_motions; i++) {
        char text[1024];
        double motion[6];
        gjb_error error = {{0}};
        snprintf(text, sizeof text,
                 "{\"id\": \"x\", \"dim\": 3, \"query\": \"toi\", \"A\": %s, \"B\": {\"type\": \"box\", \"half_extents\": "
                 "[1, 1, 1], " TURNED "}, \"motion\": %s}", UNIT_BOX, sound_motions[i].motion);
        gjb_known_failures *all = parse(text, &error);
        cr_assert(all && all->count == 1, "%zu: %s", i, error.text);
        gjb_scene_motion(all->cases[0].scene, 0, 0, motion);
        cr_expect_eq(all->cases[0].step, sound_motions[i].step, "%zu: %g", i, all->cases[0].step);
        cr_expect_eq(motion[1], sound_motions[i].way, "%zu: %g", i, motion[1]);
        gjb_known_failures_free(all);
    }
    static const struct {
        const char *motion, *words;
    } broken[] = {{"null", "motion: an object"},
                  {"{\"A\": {\"velocity\": [0, 2]}}", "motion.velocity: 3 numbers"},
                  {"{\"A\": {\"velocity\": [0, 2, 0], \"translation\": [0, 2, 0]}}", "not both"},
                  {"{\"A\": {\"velocity\": [0, 2, 0]}, \"t_max\": 0}", "motion.t_max: 0"},
                  {"{\"A\": {\"velocity\": [0, 2, 0]}, \"t_max\": \"1\"}", "motion.t_max: a finite number"}};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        char text[1024];
        gjb_error error = {{0}};
        snprintf(text, sizeof text, "{\"id\": \"it\", \"dim\": 3, \"query\": \"toi\", \"A\": %s, \"B\": %s, \"motion\": %s}",
                 UNIT_BOX, UNIT_BOX, broken[i].motion);
        cr_expect_null(parse(text, &error));
        cr_expect(strstr(error.text, "case it: ") && strstr(error.text, broken[i].words), "'%s'", error.text);
    }
}

/* Whether shapes that touch overlap is nobody's mistake; how far apart they are is graded all the same. */
static void expect_right(void *context, const gjb_replay_case *one)
{
    ++*(size_t *)context;
    if (one->grade.verdict == GJB_UNGRADED && one->query == GJB_INTERSECT)
        return;
    cr_expect_eq(one->grade.verdict, GJB_RIGHT, "%s: %s/%s %s answers %s %.9g, truth %.9g: %s", one->id,
                 one->contender->name, one->backend, gjb_precision_name(one->precision),
                 gjb_status_name(one->result.status), one->result.value, one->truth, gjb_fault_name(one->grade.fault));
}

/* An answer to every case, query and precision from each contender of ours that has the query, by backend. */
static void ours_know(const char *file, uint32_t queries)
{
    json_t *root;
    size_t answers = 0, wanted = 0;
    gjb_known_failures *all = load_cases(file, &root);
    for (size_t c = 0; c < gjb_contender_count(); c++) {
        const gjb_contender *contender = gjb_contender_at(c);
        for (size_t b = 0; contender->backends ? contender->backends[b] != NULL : b == 0; b++) {
            const gjb_verify_entry entry = {contender, contender->backends ? contender->backends[b] : NULL};
            const gjb_replay_plan plan = {.entries = &entry,
                                          .entry_count = 1,
                                          .queries = queries,
                                          .precisions = (1u << GJB_PRECISIONS) - 1};
            if ((!contender->ours && strcmp(contender->name, "reference")) ||
                (contender->backends && !contender->backend_available(contender->backends[b])))
                continue;
            for (int q = 0; q < GJB_QUERIES; q++)
                for (int p = 0; p < GJB_PRECISIONS; p++)
                    wanted += (queries & contender->queries) >> q & 1 && contender->precisions >> p & 1 ? all->count : 0;
            for (size_t i = 0; i < all->count; i++) {
                gjb_error error = {{0}};
                cr_assert_eq(gjb_replay_scene(all->cases[i].scene, all->cases[i].id, &plan, expect_right, &answers, &error), 0,
                             "%s", error.text);
            }
        }
    }
    cr_expect(wanted > 0 && answers == wanted, "%zu answers, %zu are wanted", answers, wanted);
    gjb_known_failures_free(all);
    json_decref(root);
}

enum { STILL = (1 << GJB_STILL_QUERIES) - 1 };

Test(known_failures, ours_know_the_times_of_impact)
{
    ours_know(GJB_TOI_CASES, 1u << GJB_TOI);
}

Test(known_failures, ours_know_curved_shapes)
{
    ours_know(GJB_CURVED_CASES, STILL);
}

Test(known_failures, ours_know_polytopes)
{
    ours_know(GJB_POLYTOPE_CASES, STILL);
}
