/* Meshes: OBJ, OFF, PLY and STL, through the checks of this project and then assimp, which a child process calls: what
 * it does there, and it leaks and crashes, must come back as one line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/tests/target.h"
#include "scenes/mesh/mesh.h"

static void check(const gjb_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->point_count; i++)
        for (int k = 0; k < 3; k++)
            gjb_target_require(isfinite(mesh->points[i][k]), "a point that is not finite", NULL);
    gjb_target_require(mesh->point_count >= 4, "fewer than four points", NULL);
    gjb_target_require(!(mesh->volume < 0), "a negative volume", NULL);
}

/* Without a file: what follows has been read before. */
static void check_objects(const uint8_t *data, size_t size)
{
    gjb_error error = {{0}};
    gjb_meshes meshes;
    unsigned char *bytes = malloc(size + 1);
    gjb_target_require(bytes != NULL, "no memory", NULL);
    memcpy(bytes, data, size);
    bytes[size] = '\0';
    if (gjb_meshes_take(bytes, size, "mesh", &meshes, &error)) {
        gjb_target_refused(&error);
        gjb_target_require(meshes.list == NULL, "refused, and owns something", NULL);
        return;
    }
    for (uint32_t i = 0; i < meshes.count; i++)
        check(&meshes.list[i]);
    gjb_meshes_free(&meshes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gjb_error error = {{0}};
    gjb_mesh mesh;
    if (gjb_mesh_load(gjb_target_path(data, size), &mesh, &error)) {
        gjb_target_refused(&error);
        gjb_target_require(mesh.points == NULL, "refused, and owns something", NULL);
        return 0;
    }
    check(&mesh);
    gjb_mesh_free(&mesh);
    check_objects(data, size);
    return 0;
}
