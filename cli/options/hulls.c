/* Loads the hulls of a file, or of all files of a folder, as a library of shapes. */
#include "cli/options/hulls.h"

#include <dirent.h>
#include <stdlib.h>

#include "cli/output.h"
#include "scenes/generate/generate.h"
#include "scenes/mesh/hulls.h"

const char cli_hulls_about[] =
    "3D hulls for the workloads realN: a scene, or a folder of scenes (default: the included hulls)";

static int fits(const gjb_scene *hulls, const char *workload, gjb_error *error)
{
    const gjb_recipe recipe = {
        .dim = 3, .workload = workload, .family = "mixed", .pairs = 1, .library = &hulls->shapes};
    gjb_scene *one = gjb_generate(&recipe, error);
    gjb_scene_free(one);
    return one ? 0 : -1;
}

static int fits_all(const gjb_scene *hulls, const char *path, const cli_select *select, gjb_error *error)
{
    gjb_error inner = {{0}};
    int failed = 0;
    const char *const *tour = gjb_workload_tour(3);
    for (size_t i = 0; !failed && i < select->workload_count; i++)
        failed = gjb_workload_vertices(3, select->workloads[i]) && fits(hulls, select->workloads[i], &inner);
    for (size_t i = 0; !failed && !select->workload_count && tour[i]; i++)
        failed = fits(hulls, tour[i], &inner);
    return failed ? gjb_fail(error, "--hulls: %s: %s", path, inner.text) : 0;
}

static gjb_scene *load_file(const char *path, gjb_error *error)
{
    gjb_scene *scene = gjb_scene_load(path, error);
    if (scene && scene->shapes.dim != 3) {
        gjb_fail(error, "--hulls: %s is 2D, and hulls are 3D", path);
        gjb_scene_free(scene);
        return NULL;
    }
    return scene;
}

static gjb_scene *load_folder(const char *path, struct dirent *const *names, size_t count, gjb_error *error)
{
    gjb_scene **scenes = calloc(count + 1, sizeof *scenes), *joined = NULL;
    size_t loaded = 0;
    int failed = !scenes && gjb_fail(error, "--hulls: %s: out of memory", path);
    for (; loaded < count && !failed; loaded += !failed) {
        char file[4096];
        if (snprintf(file, sizeof file, "%s/%s", path, names[loaded]->d_name) >= (int)sizeof file)
            failed = gjb_fail(error, "--hulls: %s: the path is too long", path);
        else
            failed = !(scenes[loaded] = load_file(file, error));
    }
    if (!failed)
        joined = gjb_hulls_join(scenes, count, error);
    for (size_t i = 0; i < loaded; i++)
        gjb_scene_free(scenes[i]);
    free(scenes);
    return joined;
}

gjb_scene *cli_hulls_load(const char *path, const cli_select *select, gjb_error *error)
{
    struct dirent **names = NULL;
    const int count = scandir(path, &names, cli_is_scene, alphasort);
    gjb_scene *hulls = NULL;
    if (count < 0)
        hulls = load_file(path, error);
    else if (count == 0)
        gjb_fail(error, "--hulls: %s: no file in it ends in .json or .gjb", path);
    else
        hulls = load_folder(path, names, (size_t)count, error);
    for (int i = 0; i < count; i++)
        free(names[i]);
    free(names);
    if (hulls && fits_all(hulls, path, select, error)) {
        gjb_scene_free(hulls);
        return NULL;
    }
    return hulls;
}
