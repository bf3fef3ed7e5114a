/* The meshes of a model: where their files may lie, and their points in the frame of the shapes that have them. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/generate/generate_solid.h"
#include "scenes/model/assets.h"
#include "scenes/model/model_parts.h"

enum { PLACES = 2 };

/* Where a name may lie; those that come second are taken if nothing is at the first. */
typedef struct places {
    char paths[PLACES][PATH_MAX];
    const char *list[PLACES + 1];
} places;

/* A name of a package: the package's folder lies in `assets`, or is `assets`. */
static int places_of_package(const char *rest, const char *assets, places *p)
{
    const char *slash = strchr(rest, '/');
    if (slash == NULL || slash == rest || slash[1] == '\0')
        return -1;
    return snprintf(p->paths[0], PATH_MAX, "%s/%s", assets, rest) >= PATH_MAX ||
           snprintf(p->paths[1], PATH_MAX, "%s%s", assets, slash) >= PATH_MAX;
}

static int places_of_name(const gjb_model *model, const char *name, const char *assets, places *p)
{
    const char *file = model->xml->file, *end = strrchr(file, '/');
    const int length = end != NULL ? (int)(end - file) + 1 : 0;
    return snprintf(p->paths[0], PATH_MAX, "%.*s%s%s", length, file, model->folder, name) >= PATH_MAX ||
           snprintf(p->paths[1], PATH_MAX, "%s/%s%s", assets, model->folder, name) >= PATH_MAX;
}

/* "" if the name has places, else why not. */
static const char *find_places(const gjb_model *model, const char *name, const char *assets, places *p)
{
    static const char *const schemes[] = {"package://", "model://"};
    for (int i = 0; i < PLACES; i++)
        p->list[i] = p->paths[i];
    p->list[PLACES] = NULL;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (strncmp(name, schemes[i], strlen(schemes[i])) == 0)
            return places_of_package(name + strlen(schemes[i]), assets, p) ? "names no file of a package" : "";
    const char *slash = model->bare_names ? strrchr(name, '/') : NULL;
    name = slash != NULL ? slash + 1 : name;
    if (strstr(name, "://") != NULL)
        return "only package:// and model:// are resolved";
    if (name[0] == '/' || model->folder[0] == '/')
        return "begins with /, and names are taken from the folders of the file and of --assets";
    return name[0] == '\0' || places_of_name(model, name, assets, p) ? "names no file" : "";
}

static int refuse(const gjb_model *model, const gjb_model_mesh *mesh, gjb_error *error, const char *why,
                  const char *assets)
{
    return gjb_fail(error, "%.200s:%u: mesh '%s': file '%.60s': %s%s%.80s%s", model->xml->file, mesh->line, mesh->name,
                    mesh->file, why, assets != NULL ? " --assets '" : "", assets != NULL ? assets : "",
                    assets != NULL ? "'" : "");
}

static int load_file(const gjb_model *model, const gjb_model_mesh *mesh, const char *assets, gjb_mesh *out,
                     gjb_error *error)
{
    places p;
    const char *found = NULL, *why = "";
    if (assets == NULL)
        return refuse(model, mesh, error, "files are opened only inside a folder that --assets DIR names", NULL);
    const char *fault = find_places(model, mesh->file, assets, &p);
    if (fault[0] != '\0')
        return refuse(model, mesh, error, fault, NULL);
    const int descriptor = gjb_assets_open(assets, p.list, &found, &why);
    return descriptor < 0 ? refuse(model, mesh, error, why, assets) : gjb_mesh_load_open(descriptor, found, out, error);
}

static int copy_points(const gjb_model *model, const gjb_model_mesh *mesh, gjb_mesh *out, gjb_error *error)
{
    memset(out, 0, sizeof *out);
    out->format = "vertices";
    out->points = malloc(mesh->point_count * sizeof *out->points);
    if (out->points == NULL)
        return refuse(model, mesh, error, "out of memory", NULL);
    memcpy(out->points, mesh->points, mesh->point_count * sizeof *out->points);
    out->point_count = (uint32_t)mesh->point_count;
    return 0;
}

int gjb_model_load_mesh(const gjb_model *model, uint32_t index, const char *assets, gjb_mesh *mesh, gjb_error *error)
{
    const gjb_model_mesh *from = &model->meshes[index];
    if ((from->file != NULL ? load_file(model, from, assets, mesh, error) : copy_points(model, from, mesh, error)) != 0)
        return -1;
    double m[3][3];
    gjb_rotation3(from->reference.q, m);
    for (uint32_t i = 0; i < mesh->point_count; i++) {
        double moved[3];
        gjb_minus3(mesh->points[i], from->reference.t, moved);
        for (int d = 0; d < 3; d++)
            mesh->points[i][d] = (m[0][d] * moved[0] + m[1][d] * moved[1] + m[2][d] * moved[2]) * from->scale[d];
    }
    mesh->volume *= from->scale[0] * from->scale[1] * from->scale[2];
    mesh->volume = mesh->volume < 0 ? -mesh->volume : mesh->volume;
    return 0;
}
