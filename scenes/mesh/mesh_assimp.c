/* The one file that knows assimp. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/mesh/mesh_parts.h"

#ifdef HAVE_ASSIMP
#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_MOST = 60 };

int gjb_mesh_supported(void)
{
    return 1;
}

static void count_corners(const struct aiScene *scene, gjb_mesh_soup *soup)
{
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const struct aiMesh *mesh = scene->mMeshes[m];
        soup->corner_count += mesh->mNumVertices;
        for (unsigned f = 0; f < mesh->mNumFaces; f++)
            soup->face_words += 1 + mesh->mFaces[f].mNumIndices;
    }
}

/* Objects bear their number as name, as gjb_obj_clean writes it; what comes before them has another one. */
static uint32_t object_of(const char *name)
{
    char *end;
    const unsigned long number = strtoul(name, &end, 10);
    return strcmp(name, "loose") == 0 ? GJB_MESH_LOOSE : end == name || *end != '\0' ? 0 : (uint32_t)number;
}

/* The object of each mesh, from the names of the nodes that hold it. */
static void name_spans(const struct aiScene *scene, const struct aiNode *node, gjb_mesh_soup *soup)
{
    for (unsigned i = 0; i < node->mNumMeshes; i++)
        if (node->mMeshes[i] < scene->mNumMeshes)
            soup->spans[node->mMeshes[i]].object = object_of(node->mName.data);
    for (unsigned i = 0; i < node->mNumChildren; i++)
        name_spans(scene, node->mChildren[i], soup);
}

/* In the accepted formats, nodes have no transforms. */
static void copy_corners(const struct aiScene *scene, gjb_mesh_soup *soup)
{
    size_t corner = 0, word = 0;
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const struct aiMesh *mesh = scene->mMeshes[m];
        for (unsigned f = 0; f < mesh->mNumFaces; f++) {
            const struct aiFace *face = &mesh->mFaces[f];
            uint32_t length = 0, *out = &soup->faces[word];
            for (unsigned i = 0; i < face->mNumIndices; i++)
                if (face->mIndices[i] < mesh->mNumVertices)
                    out[++length] = (uint32_t)(corner + face->mIndices[i]);
            out[0] = length;
            word += 1 + length;
        }
        for (unsigned v = 0; v < mesh->mNumVertices; v++) {
            const struct aiVector3D *at = &mesh->mVertices[v];
            const double numbers[3] = {at->x, at->y, at->z};
            memcpy(soup->corners[corner++], numbers, sizeof numbers);
        }
        soup->spans[m].corner_end = corner;
        soup->spans[m].word_end = word;
    }
    soup->span_count = scene->mNumMeshes;
    soup->face_words = word;
    if (scene->mRootNode != NULL)
        name_spans(scene, scene->mRootNode, soup);
}

/* The only file that assimp may open: text in memory, under a name with the suffix of its format. */
typedef struct only_file {
    char name[32];
    const char *text;
    size_t size, at;
    struct aiFile file;
} only_file;

static only_file *of(const struct aiFile *file)
{
    return (only_file *)(void *)file->UserData;
}

static size_t read_only(struct aiFile *file, char *to, size_t size, size_t count)
{
    only_file *f = of(file);
    const size_t left = size != 0 ? (f->size - f->at) / size : 0, got = count < left ? count : left;
    memcpy(to, f->text + f->at, got * size);
    f->at += got * size;
    return got;
}

static size_t write_nothing(struct aiFile *file, const char *from, size_t size, size_t count)
{
    (void)file, (void)from, (void)size, (void)count;
    return 0;
}

static size_t tell_place(struct aiFile *file)
{
    return of(file)->at;
}

static size_t tell_size(struct aiFile *file)
{
    return of(file)->size;
}

static enum aiReturn seek_place(struct aiFile *file, size_t offset, enum aiOrigin origin)
{
    only_file *f = of(file);
    /* From the end backwards, as assimp's own streams in memory count. Negative offsets wrap. */
    const size_t to = origin == aiOrigin_SET ? offset : origin == aiOrigin_CUR ? f->at + offset : f->size - offset;
    if (to > f->size)
        return aiReturn_FAILURE;
    f->at = to;
    return aiReturn_SUCCESS;
}

static void flush_nothing(struct aiFile *file)
{
    (void)file;
}

/* All other files that a mesh names, such as materials, count as missing. */
static struct aiFile *open_only(struct aiFileIO *system, const char *name, const char *mode)
{
    only_file *f = (only_file *)(void *)system->UserData;
    if (strcmp(name, f->name) != 0 || mode[0] != 'r')
        return NULL;
    f->at = 0;
    f->file = (struct aiFile){read_only, write_nothing, tell_place, tell_size, seek_place, flush_nothing, (char *)f};
    return &f->file;
}

static void close_only(struct aiFileIO *system, struct aiFile *file)
{
    (void)system, (void)file;
}

static int read_here(const char *text, size_t size, const gjb_mesh_format *format, const char *file,
                     gjb_mesh_soup *soup, gjb_error *error)
{
    memset(soup, 0, sizeof *soup);
    only_file only = {.text = text, .size = size};
    snprintf(only.name, sizeof only.name, "the file.%s", format->suffix); /* its name in assimp's messages */
    struct aiFileIO system = {open_only, close_only, (char *)&only};
    const struct aiScene *scene = aiImportFileEx(only.name, 0, &system);
    if (scene == NULL)
        return gjb_fail(error, "%s: not read as %s: %.200s", file, format->name, aiGetErrorString());
    count_corners(scene, soup);
    int result = 0;
    if (soup->corner_count > UINT32_MAX / 2) {
        result = gjb_fail(error, "%s: vertices: %zu, at most %u are read", file, soup->corner_count,
                          UINT32_MAX / 2);
    } else {
        soup->corners = malloc((soup->corner_count + 1) * sizeof *soup->corners);
        soup->faces = malloc((soup->face_words + 1) * sizeof *soup->faces);
        soup->spans = calloc((size_t)scene->mNumMeshes + 1, sizeof *soup->spans);
        if (soup->corners == NULL || soup->faces == NULL || soup->spans == NULL)
            result = gjb_fail(error, "%s: out of memory for %zu vertices", file, soup->corner_count);
        else
            copy_corners(scene, soup);
    }
    aiReleaseImport(scene);
    return result;
}

/* What the child writes at the beginning of the shared file; corners, faces and spans follow. */
typedef struct told {
    int result;
    gjb_error error;
    uint64_t corner_count, face_words, span_count;
} told;

static void put(FILE *stream, const void *bytes, size_t size)
{
    if (size > 0 && fwrite(bytes, 1, size, stream) != size)
        _exit(EXIT_FAILURE);
}

_Noreturn static void tell(FILE *stream, const char *text, size_t size, const gjb_mesh_format *format, const char *file)
{
    static const int plain[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}; /* sanitizers have their own */
    const struct rlimit none = {0, 0};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        signal(plain[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &none);
    alarm(SECONDS_MOST);
    gjb_mesh_soup soup;
    told t = {0};
    t.result = read_here(text, size, format, file, &soup, &t.error);
    t.corner_count = t.result == 0 ? soup.corner_count : 0;
    t.face_words = t.result == 0 ? soup.face_words : 0;
    t.span_count = t.result == 0 ? soup.span_count : 0;
    put(stream, &t, sizeof t);
    put(stream, soup.corners, t.corner_count * sizeof *soup.corners);
    put(stream, soup.faces, t.face_words * sizeof *soup.faces);
    put(stream, soup.spans, t.span_count * sizeof *soup.spans);
    _exit(fflush(stream) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

static int hear(FILE *stream, const char *file, gjb_mesh_soup *soup, gjb_error *error)
{
    told t = {0};
    rewind(stream);
    if (fread(&t, sizeof t, 1, stream) != 1)
        return gjb_fail(error, "%s: not read: no room for what it holds", file);
    t.error.text[sizeof t.error.text - 1] = '\0';
    if (t.result != 0)
        return gjb_fail(error, "%s", t.error.text);
    soup->corner_count = t.corner_count;
    soup->face_words = t.face_words;
    soup->corners = calloc(t.corner_count + 1, sizeof *soup->corners);
    soup->faces = calloc(t.face_words + 1, sizeof *soup->faces);
    soup->span_count = t.span_count;
    soup->spans = calloc(t.span_count + 1, sizeof *soup->spans);
    if (soup->corners == NULL || soup->faces == NULL || soup->spans == NULL)
        return gjb_fail(error, "%s: out of memory for %zu vertices", file, soup->corner_count);
    return fread(soup->corners, sizeof *soup->corners, soup->corner_count, stream) == soup->corner_count &&
                   fread(soup->faces, sizeof *soup->faces, soup->face_words, stream) == soup->face_words &&
                   fread(soup->spans, sizeof *soup->spans, soup->span_count, stream) == soup->span_count
               ? 0
               : gjb_fail(error, "%s: not read: no room for what it holds", file);
}

/* In a child process: fuzzing makes readers of assimp write out of bounds within seconds. */
int gjb_mesh_read(const char *text, size_t size, const gjb_mesh_format *format, const char *file,
                  gjb_mesh_soup *soup, gjb_error *error)
{
    memset(soup, 0, sizeof *soup);
    FILE *stream = tmpfile();
    const pid_t child = stream != NULL ? fork() : -1;
    if (child < 0) {
        const int why = errno;
        if (stream != NULL)
            fclose(stream);
        return gjb_fail(error, "%s: not read: no process to read it in: %s", file, strerror(why));
    }
    if (child == 0)
        tell(stream, text, size, format, file);
    int status = 0, result;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        result = gjb_fail(error, "%s: not read as %s: assimp takes more than %d s", file, format->name, SECONDS_MOST);
    else if (WIFSIGNALED(status))
        result = gjb_fail(error, "%s: not read as %s: assimp crashes on it (%s)", file, format->name,
                          strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != EXIT_SUCCESS)
        result = gjb_fail(error, "%s: not read as %s: assimp exited with %d", file, format->name, WEXITSTATUS(status));
    else
        result = hear(stream, file, soup, error);
    fclose(stream);
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
