/* Models: MJCF and URDF, parsed from memory, and the scene of those that name no mesh's file. */
#include <math.h>

#include "core/tests/target.h"
#include "scenes/model/model.h"

/* A hull with four vertices in place of each mesh. */
static gjb_scene *make_scene(gjb_model *model, gjb_error *error)
{
    static double vertices[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static gjb_hull3 hulls[GJB_MODEL_MESHES_MOST];
    for (uint32_t i = 0; i < model->mesh_count; i++)
        hulls[i] = (gjb_hull3){.dimension = 3, .vertex_count = 4, .vertices = vertices};
    return gjb_model_scene(model, hulls, GJB_F64, 1, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gjb_error error = {{0}};
    gjb_model model;
    (void)gjb_model_is(data, size);
    if (gjb_model_parse(data, size, "model", &model, &error)) {
        gjb_target_refused(&error);
        gjb_target_require(model.shapes == NULL && model.xml == NULL, "refused, and owns something", NULL);
        return 0;
    }
    for (uint32_t i = 0; i < model.body_count; i++)
        gjb_target_require(model.bodies[i].parent <= i && model.bodies[i].weld <= i, "a body before its parent", NULL);
    for (uint32_t i = 0; i < model.mesh_count; i++) {
        gjb_mesh mesh;
        gjb_error refused = {{0}};
        if (gjb_model_load_mesh(&model, i, NULL, &mesh, &refused))
            gjb_target_refused(&refused);
        else
            gjb_mesh_free(&mesh);
    }
    gjb_scene *scene = make_scene(&model, &error);
    if (scene == NULL)
        gjb_target_refused(&error);
    else
        gjb_target_require(scene->body_count == model.shape_count && scene->frames[0].pair_count > 0, "shapes got lost",
                           NULL);
    gjb_scene_free(scene);
    gjb_model_free(&model);
    return 0;
}
