/* What `import` does with MJCF and URDF. */
#include "scenes/model/model.h"

#include <stdlib.h>
#include <string.h>

#include "cli/tools/import.h"

static void print_left(FILE *text, const gjb_model *model)
{
    static const char *const why[GJB_LEFT_COUNT][2] = {
        [GJB_LEFT_NO_CONTACT] = {"shape that makes no contacts (contype and conaffinity are 0)",
                                 "shapes that make no contacts (contype and conaffinity are 0)"},
        [GJB_LEFT_NOT_CONVEX] = {"shape of a type that is not convex (hfield, sdf)",
                                 "shapes of types that are not convex (hfield, sdf)"},
        [GJB_LEFT_VISUAL] = {"<visual>, of the link", "<visual>s, of the links"},
    };
    for (int i = 0; i < GJB_LEFT_COUNT; i++) {
        const gjb_model_left *left = &model->left[i];
        const uint32_t shown = left->count < GJB_MODEL_NAMES_SHOWN ? left->count : GJB_MODEL_NAMES_SHOWN;
        if (left->count == 0)
            continue;
        fprintf(text, "  note: left out: %u %s: ", left->count, why[i][left->count > 1]);
        for (uint32_t k = 0; k < shown; k++)
            fprintf(text, "%s%s", k > 0 ? ", " : "", left->names[k]);
        if (shown < left->count)
            fprintf(text, " and %u more", left->count - shown);
        fputc('\n', text);
    }
}

static void print_ruled_out(FILE *text, const gjb_model *model)
{
    static const char *const why[GJB_RULED_COUNT] = {
        [GJB_RULED_SAME] = "do not move against each other", [GJB_RULED_JOINED] = "are joined",
        [GJB_RULED_BITS] = "by contype and conaffinity", [GJB_RULED_LISTED] = "excluded by the file"};
    const char *before = "  pairs that are left out: ";
    for (int i = 0; i < GJB_RULED_COUNT; i++) {
        if (model->ruled_out[i] == 0)
            continue;
        fprintf(text, "%s%llu %s", before, (unsigned long long)model->ruled_out[i], why[i]);
        before = ", ";
    }
    if (*before == ',')
        fputc('\n', text);
}

/* The hulls of the meshes that shapes have. */
static int make_hulls(const gjb_model *model, const import_request *wanted, gjb_hull3 *hulls, gjb_error *error)
{
    int failed = 0;
    for (uint32_t i = 0; i < model->mesh_count && !failed; i++) {
        char label[128];
        gjb_mesh mesh;
        if (model->meshes[i].used == 0)
            continue;
        if (gjb_model_load_mesh(model, i, wanted->assets, &mesh, error))
            return -1;
        snprintf(label, sizeof label, "mesh '%s'", model->meshes[i].name);
        failed = import_hull(label, &mesh, wanted, &hulls[i], error);
        gjb_mesh_free(&mesh);
    }
    return failed;
}

static int make_scene(gjb_model *model, const char *path, const import_request *wanted, gjb_hull3 *hulls,
                      gjb_error *error)
{
    if (make_hulls(model, wanted, hulls, error))
        return -1;
    print_left(wanted->text, model);
    gjb_scene *scene = gjb_model_scene(model, hulls, wanted->precision, wanted->scale, error);
    if (!scene)
        return -1;
    snprintf(scene->note, sizeof scene->note, "collision geometry of %s", model->format);
    static const char *const things[] = {"shape", "shapes"};
    const int failed = import_save(wanted, model->name[0] ? model->name : path, things, scene, error);
    if (!failed)
        print_ruled_out(wanted->text, model);
    gjb_scene_free(scene);
    return failed;
}

int import_model(const void *bytes, size_t size, const char *path, const import_request *wanted, gjb_error *error)
{
    gjb_model model;
    const char *unfit = wanted->meeting.gap != 0 ? "--gap"
                        : wanted->pairs          ? "--pairs"
                        : wanted->as_body        ? "--as-body"
                                                 : NULL;
    if (unfit)
        return gjb_fail(error, "%s: %s is for meshes: bodies of MJCF and URDF lie and meet as the file says", path,
                        unfit);
    if (gjb_model_parse(bytes, size, strcmp(path, "-") ? path : "standard input", &model, error))
        return -1;
    char shown[256];
    snprintf(shown, sizeof shown, "%s", path);
    gjb_text_clean(shown);
    fprintf(wanted->text, "%s: %s%s%s%s, %s, %s\n", shown, model.format, model.name[0] ? " '" : "", model.name,
            model.name[0] ? "'" : "", import_many(model.body_count - (model.world_first != 0), "body", "bodies"),
            import_many(model.shape_count, "collision shape", "collision shapes"));
    gjb_hull3 *hulls = calloc((size_t)model.mesh_count + 1, sizeof *hulls);
    const int failed =
        hulls ? make_scene(&model, path, wanted, hulls, error) : gjb_fail(error, "%s: out of memory", path);
    for (uint32_t i = 0; i < model.mesh_count && hulls; i++)
        gjb_hull3_free(&hulls[i]);
    free(hulls);
    gjb_model_free(&model);
    return failed;
}
