#include "cli/hulls.h"

#include "core/generate.h"

const char cli_hulls_about[] = "scene whose 3D hulls the workloads realN take (default: those that ship)";

static int fits(const gjb_scene *hulls, const char *workload, gjb_error *error)
{
    const gjb_recipe recipe = {
        .dim = 3, .workload = workload, .family = "mixed", .pairs = 1, .library = &hulls->shapes};
    gjb_scene *one = gjb_generate(&recipe, error);
    gjb_scene_free(one);
    return one ? 0 : -1;
}

gjb_scene *cli_hulls_load(const char *path, const cli_select *select, gjb_error *error)
{
    gjb_error inner = {{0}};
    gjb_scene *hulls = gjb_scene_load(path, error);
    if (!hulls)
        return NULL;
    int failed = 0;
    const char *const *tour = gjb_workload_tour(3);
    for (size_t i = 0; !failed && i < select->workload_count; i++)
        failed = gjb_workload_vertices(3, select->workloads[i]) && fits(hulls, select->workloads[i], &inner);
    for (size_t i = 0; !failed && !select->workload_count && tour[i]; i++)
        failed = fits(hulls, tour[i], &inner);
    if (hulls->shapes.dim != 3 || failed) {
        if (hulls->shapes.dim != 3)
            gjb_fail(error, "--hulls: %s is 2D, and hulls are 3D", path);
        else
            gjb_fail(error, "--hulls: %s: %s", path, inner.text);
        gjb_scene_free(hulls);
        return NULL;
    }
    return hulls;
}
