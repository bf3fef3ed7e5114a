/* The one file that knows assimp. */
#include <stdlib.h>
#include <string.h>

#include "core/mesh_parts.h"

#ifdef HAVE_ASSIMP
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

int gjb_mesh_supported(void)
{
    return 1;
}

static void count_corners(const struct aiScene *scene, gjb_mesh_soup *soup)
{
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const struct aiMesh *mesh = scene->mMeshes[m];
        soup->corner_count += mesh->mNumVertices;
        for (unsigned f = 0; f < mesh->mNumFaces; f++) {
            soup->face_words += 1 + mesh->mFaces[f].mNumIndices;
        }
    }
}

/* The formats that we let through place nothing: their nodes do not transform. */
static void copy_corners(const struct aiScene *scene, gjb_mesh_soup *soup)
{
    size_t corner = 0, word = 0;
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const struct aiMesh *mesh = scene->mMeshes[m];
        for (unsigned f = 0; f < mesh->mNumFaces; f++) {
            const struct aiFace *face = &mesh->mFaces[f];
            uint32_t length = 0, *out = &soup->faces[word];
            for (unsigned i = 0; i < face->mNumIndices; i++) {
                if (face->mIndices[i] < mesh->mNumVertices) {
                    out[++length] = (uint32_t)(corner + face->mIndices[i]);
                }
            }
            out[0] = length;
            word += 1 + length;
        }
        for (unsigned v = 0; v < mesh->mNumVertices; v++) {
            const struct aiVector3D *at = &mesh->mVertices[v];
            const double numbers[3] = {at->x, at->y, at->z};
            memcpy(soup->corners[corner++], numbers, sizeof numbers);
        }
    }
    soup->face_words = word;
}

/* What its C++ headers call AI_MEMORYIO_MAGIC_FILENAME. */
static const char own_name[] = "$$$___magic___$$$";

/* What assimp says, which knows the file by a name of its own making. */
static void complain(const char *file, const gjb_mesh_format *format, gjb_error *error)
{
    const char *said = aiGetErrorString(), *own = strstr(said, own_name);
    if (own == NULL) {
        gjb_fail(error, "%s: not read as %s: %.200s", file, format->name, said);
        return;
    }
    const char *rest = own + strlen(own_name);
    rest += *rest == '.' ? 1 + strspn(rest + 1, "abcdefghijklmnopqrstuvwxyz") : 0;
    gjb_fail(error, "%s: not read as %s: %.*sthe file%.100s", file, format->name, (int)(own - said), said, rest);
}

int gjb_mesh_read(const char *text, size_t size, const gjb_mesh_format *format, const char *file,
                  gjb_mesh_soup *soup, gjb_error *error)
{
    memset(soup, 0, sizeof *soup);
    const struct aiScene *scene = aiImportFileFromMemory(text, (unsigned)size, 0, format->suffix);
    if (scene == NULL) {
        complain(file, format, error);
        return -1;
    }
    count_corners(scene, soup);
    int result = 0;
    if (soup->corner_count > UINT32_MAX / 2) {
        result = gjb_fail(error, "%s: vertices: %zu, at most %u are read", file, soup->corner_count,
                          UINT32_MAX / 2);
    } else {
        soup->corners = malloc((soup->corner_count + 1) * sizeof *soup->corners);
        soup->faces = malloc((soup->face_words + 1) * sizeof *soup->faces);
        if (soup->corners == NULL || soup->faces == NULL) {
            result = gjb_fail(error, "%s: out of memory for %zu vertices", file, soup->corner_count);
        } else {
            copy_corners(scene, soup);
        }
    }
    aiReleaseImport(scene);
    return result;
}

#else

int gjb_mesh_supported(void)
{
    return 0;
}

int gjb_mesh_read(const char *text, size_t size, const gjb_mesh_format *format, const char *file,
                  gjb_mesh_soup *soup, gjb_error *error)
{
    (void)text, (void)size;
    memset(soup, 0, sizeof *soup);
    return gjb_fail(error, "%s: %s: this build reads no meshes: install assimp (Debian: libassimp-dev), build again",
                    file, format->name);
}
#endif
