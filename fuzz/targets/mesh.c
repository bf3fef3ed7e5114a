/* Meshes: OBJ, OFF and STL, through the checks of this project and then assimp, which a child process calls: what it does
 * there, and it leaks and crashes, must come back as one line. */
#include <math.h>

#include "core/tests/target.h"
#include "scenes/mesh/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gjb_error error = {{0}};
    gjb_mesh mesh;
    if (gjb_mesh_load(gjb_target_path(data, size), &mesh, &error)) {
        gjb_target_refused(&error);
        gjb_target_require(mesh.points == NULL, "refused, and owns something", NULL);
        return 0;
    }
    for (uint32_t i = 0; i < mesh.point_count; i++)
        for (int k = 0; k < 3; k++)
            gjb_target_require(isfinite(mesh.points[i][k]), "a point that is not finite", NULL);
    gjb_target_require(mesh.point_count >= 4, "fewer than four points", NULL);
    gjb_mesh_free(&mesh);
    return 0;
}
