/* Opens the pair to be explained: a file, one case of a collection, or an example that ships. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bugs/explain_pair.h"
#include "cli/cli.h"
#include "core/file.h"
#include "core/spelling.h"
#include "gjkbench-build.h"
#include "verify/known_failures.h"

/* The example that no file can hold. */
static const char printed_name[] = "tutorial-printed";

/* The folders that the examples may lie in, best first, NULL-terminated. */
static void folders_of(const char *folders[3])
{
    const char *named = getenv("GJKBENCH_DATA");
    folders[0] = named ? named : GJB_DATA_SOURCE;
    folders[1] = named ? NULL : GJB_DATA_INSTALLED;
    folders[2] = NULL;
}

/* The examples that ship, with commas between. */
static void list_examples(char *out, size_t size)
{
    const char *folders[3];
    struct dirent **found = NULL;
    size_t at = 0;
    int count = -1;
    char path[4096];
    folders_of(folders);
    for (int k = 0; folders[k] && count < 0; k++)
        if (snprintf(path, sizeof path, "%s/examples", folders[k]) < (int)sizeof path)
            count = scandir(path, &found, cli_is_scene, alphasort);
    out[0] = '\0';
    if (count >= 0)
        at = (size_t)snprintf(out, size, "%s, ", printed_name);
    for (int i = 0; i < count; i++) {
        if (at < size)
            at += (size_t)snprintf(out + at, size - at, "%s%.*s", i ? ", " : "",
                                   (int)strcspn(found[i]->d_name, "."), found[i]->d_name);
        free(found[i]);
    }
    free(found);
}

/* The file that an operand means: itself, or an example of that name. */
static int find(const char *operand, char *path, size_t size, gjb_error *error)
{
    const char *folders[3];
    char examples[256];
    int plain = !strpbrk(operand, "/.") && strcmp(operand, "-");
    if ((size_t)snprintf(path, size, "%s", operand) >= size)
        return gjb_fail(error, "%.80s: the path is too long", operand);
    if (!plain || !access(path, F_OK))
        return 0;
    folders_of(folders);
    for (int k = 0; folders[k]; k++)
        if ((size_t)snprintf(path, size, "%s/examples/%s.json", folders[k], operand) < size &&
            !access(path, R_OK))
            return 0;
    list_examples(examples, sizeof examples);
    return gjb_fail(error, "%s: no such file, and no example of that name; %s%s", operand,
                    *examples ? "there are " : "set GJKBENCH_DATA to the data folder", examples);
}

/* Takes the scene of one case out of the collection. */
static gjb_scene *take_case(gjb_known_failures *all, const char *file, const char *only, gjb_error *error)
{
    size_t k = 0;
    while (k < all->count && only && strcmp(all->cases[k].id, only))
        k++;
    if (k < all->count && (only || all->count == 1)) {
        gjb_scene *scene = all->cases[k].scene;
        all->cases[k].scene = NULL;
        snprintf(scene->name, sizeof scene->name, "%.63s", all->cases[k].id);
        return scene;
    }
    if (!all->count) {
        gjb_fail(error, "%s: no case in it has shapes that gjkbench knows", file);
        return NULL;
    }
    if (!only) {
        gjb_fail(error, "%s: %zu cases: name one with --case, such as '%s'", file, all->count,
                 all->cases[0].id);
        return NULL;
    }
    const char **ids = calloc(all->count, sizeof *ids);
    for (size_t i = 0; ids && i < all->count; i++)
        ids[i] = all->cases[i].id;
    const char *near = ids ? gjb_nearest_name(only, ids, all->count) : NULL;
    gjb_fail(error, near ? "%s: no case '%s': did you mean '%s'?" : "%s: no case '%s'", file, only, near);
    free(ids);
    return NULL;
}

/* `raw`: a scene in JSON as it stands in the file, else NULL; the caller owns the reference. */
static gjb_scene *load(const char *path, const char *name, const char *only, json_t **raw, gjb_error *error)
{
    size_t size;
    gjb_scene *scene = NULL;
    unsigned char *bytes = gjb_file_read(path, gjb_scene_accept, &size, error);
    if (!bytes)
        return NULL;
    if (gjb_known_failures_sniff(bytes, size)) {
        gjb_known_failures *all = gjb_known_failures_parse(bytes, size, name, error);
        scene = all ? take_case(all, name, only, error) : NULL;
        gjb_known_failures_free(all);
    } else if (only) {
        gjb_fail(error, "%s: --case names a case of a file of known failures, and this is a scene", name);
    } else {
        scene = gjb_scene_parse(bytes, size, name, error);
        if (scene)
            cli_warn_scene(scene, name);
        else
            gjb_scene_point(error, name, bytes, size);
        *raw = json_loadb((const char *)bytes, size, 0, NULL);
    }
    free(bytes);
    return scene;
}

/* ---- the order of vertices ---- */

static double coordinate(const json_t *shape, size_t vertex, size_t axis, uint32_t precision)
{
    const double value =
        json_number_value(json_array_get(json_array_get(json_object_get(shape, "vertices"), vertex), axis));
    return precision == GJB_F32 ? (float)value : value;
}

/* Turned about, a polygon has its second vertex last. */
static int was_reversed(const explain_pair *p, const json_t *raw, int of_b)
{
    const gjb_scene *scene = p->scene;
    const gjb_body2 *body = of_b ? &p->pair.as.plane.b : &p->pair.as.plane.a;
    if (p->pair.dim != 2 || body->kind != GJB_POLYGON)
        return 0;
    const uint32_t index = scene->frames[p->frame].pairs[2 * p->index + (uint64_t)of_b];
    const json_t *shape =
        json_array_get(json_object_get(raw, "shapes"), scene->body_shape ? scene->body_shape[index] : index);
    const double *first = body->vertices[1], *last = body->vertices[body->count - 1];
    const double x = coordinate(shape, 1, 0, scene->shapes.precision);
    const double y = coordinate(shape, 1, 1, scene->shapes.precision);
    return shape && x == last[0] && y == last[1] && (x != first[0] || y != first[1]);
}

/* The triangles of the tutorials as printed: the first is clockwise, and a loaded one would be turned. */
static gjb_scene *printed(gjb_error *error)
{
    static const double a[3][2] = {{0, 1}, {1, -1}, {-1, -1}}, b[3][2] = {{0, -1}, {1, 1}, {-1, 1}};
    gjb_scene *scene = gjb_scene_new(2, GJB_F64, 2, 6, 2, 1);
    if (!scene) {
        gjb_fail(error, "out of memory");
        return NULL;
    }
    gjb_scene_set_shape(scene, 0, GJB_POLYGON, 0, 3, a, 0);
    gjb_scene_set_shape(scene, 1, GJB_POLYGON, 3, 3, b, 0);
    for (uint32_t body = 0; body < 2; body++) {
        gjb_scene_set_pose(scene, 0, body, (gjb_pose2d){0, 0, 1, 0});
        scene->frames[0].pairs[body] = body;
    }
    snprintf(scene->name, sizeof scene->name, "%s", printed_name);
    snprintf(
        scene->note, sizeof scene->note,
        "the triangles of the GJK tutorials in the order printed there, the first clockwise: along (0, -1) "
        "two vertices tie, and which comes first decides");
    return scene;
}

static int choose_pair(explain_pair *p, const char *name, uint64_t frame, uint64_t index, gjb_error *error)
{
    if (frame >= p->scene->frame_count)
        return gjb_fail(error, "%s: --frame %llu: the scene has %u frame%s, counted from 0", name,
                        (unsigned long long)frame, p->scene->frame_count,
                        p->scene->frame_count == 1 ? "" : "s");
    p->frame = (uint32_t)frame;
    const uint64_t pairs = p->scene->frames[frame].pair_count;
    if (index >= pairs)
        return gjb_fail(error, "%s: --pair %llu: frame %u has %llu pair%s, counted from 0", name,
                        (unsigned long long)index, p->frame, (unsigned long long)pairs,
                        pairs == 1 ? "" : "s");
    if (gjb_scene_pair(p->scene, p->frame, index, &p->space, &p->pair))
        return gjb_fail(error, "%s: out of memory", name);
    snprintf(p->title, sizeof p->title, "%s", *p->scene->name ? p->scene->name : name);
    if (pairs > 1 || p->scene->frame_count > 1) {
        size_t n = strlen(p->title);
        snprintf(p->title + n, sizeof p->title - n, ":%u/%llu", p->frame, (unsigned long long)index);
    }
    gjb_text_clean(p->title);
    return 0;
}

int explain_pair_open(explain_pair *p, const char *operand, uint64_t frame, uint64_t index, const char *only,
                  gjb_error *error)
{
    char path[4096];
    const char *name = cli_is_stdout(operand) ? "standard input" : operand;
    *p = (explain_pair){.index = index};
    json_t *raw = NULL;
    if (!strcmp(operand, printed_name) && !only && access(operand, F_OK)) {
        p->scene = printed(error);
        p->method = "textbook-gjk2";
    } else if (!find(operand, path, sizeof path, error)) {
        p->scene = load(path, name, only, &raw, error);
    }
    int failed = !p->scene || choose_pair(p, name, frame, index, error);
    if (!failed && gjb_pair_unbounded(&p->pair) == 2)
        failed = gjb_fail(error, "%s: two half-spaces, which no contender answers", name) != 0;
    for (int b = 0; b < 2 && !failed; b++)
        p->reversed[b] = was_reversed(p, raw, b);
    json_decref(raw);
    return failed ? -1 : 0;
}
int explain_pair_round(explain_pair *p, gjb_precision precision, gjb_error *error)
{
    if (precision != GJB_F32 || p->scene->shapes.precision == GJB_F32)
        return 0;
    gjb_scene *rounded = gjb_scene_convert(p->scene, precision);
    if (!rounded)
        return gjb_fail(error, "%s: a number is larger than f32 may hold, which the method computes in",
                        p->title);
    gjb_scene_free(p->scene);
    p->scene = rounded;
    p->rounded = 1;
    return gjb_scene_pair(p->scene, p->frame, p->index, &p->space, &p->pair)
               ? gjb_fail(error, "out of memory")
               : 0;
}

void explain_pair_close(explain_pair *p)
{
    gjb_scene_free(p->scene);
    gjb_pair_space_free(&p->space);
    *p = (explain_pair){0};
}
