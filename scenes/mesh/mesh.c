/* Loads meshes, and divides a file into its objects. */
#include "scenes/mesh/mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "scenes/mesh/mesh_parts.h"

#define MESH_MAX ((size_t)256 << 20)

static size_t accept_mesh(const unsigned char *head, size_t size, size_t all, const char *file, gjb_error *error)
{
    (void)head, (void)size, (void)all, (void)file, (void)error;
    return MESH_MAX;
}

/* What a file holds, and the names of its objects, from number 1 on. */
typedef struct content {
    const char *file;
    const gjb_mesh_format *format;
    gjb_mesh_soup soup;
    char (*names)[GJB_MESH_NAME];
    size_t object_count;
} content;

static void free_content(content *c)
{
    free(c->soup.corners);
    free(c->soup.faces);
    free(c->soup.spans);
    free(c->names);
}

static int list_objects(const char *text, content *c, gjb_error *error)
{
    if (c->format->objects == NULL)
        return 0;
    c->names = calloc(GJB_MESH_OBJECTS_MOST, sizeof *c->names);
    if (c->names == NULL)
        return gjb_fail(error, "%s: out of memory for names", c->file);
    c->object_count = c->format->objects(text, c->names, GJB_MESH_OBJECTS_MOST);
    if (c->object_count > GJB_MESH_OBJECTS_MOST)
        return gjb_fail(error, "%s: objects: %zu, at most %d are read", c->file, c->object_count,
                        GJB_MESH_OBJECTS_MOST);
    return 0;
}

/* Takes the bytes. The caller frees the content in any case. */
static int read_content(unsigned char *bytes, size_t size, content *c, gjb_error *error)
{
    char *text = (char *)bytes;
    size = gjb_mesh_unmark(text, size);
    const gjb_mesh_format *format = c->format = gjb_mesh_recognise(text, size, c->file, error);
    int result = format == NULL ? -1 : list_objects(text, c, error);
    if (result == 0 && format->clean != NULL && (text = format->clean(text, &size)) == NULL)
        result = gjb_fail(error, "%s: out of memory", c->file);
    if (result == 0 && format->check != NULL)
        result = format->check(text, c->file, error);
    if (result == 0)
        result = format->read != NULL ? format->read(text, size, c->file, &c->soup, error)
                                      : gjb_mesh_read(text, size, format, c->file, &c->soup, error);
    free(text);
    return result;
}

static int load_whole(unsigned char *bytes, size_t size, const char *file, gjb_mesh *mesh, gjb_error *error)
{
    content c = {.file = file};
    int result = bytes == NULL ? -1 : read_content(bytes, size, &c, error);
    if (result == 0) {
        mesh->format = c.format->name;
        result = gjb_mesh_take(&c.soup, file, mesh, error);
    }
    free_content(&c);
    if (result != 0)
        gjb_mesh_free(mesh);
    return result;
}

int gjb_mesh_load(const char *path, gjb_mesh *mesh, gjb_error *error)
{
    size_t size = 0;
    memset(mesh, 0, sizeof *mesh);
    unsigned char *bytes = gjb_file_read(path, accept_mesh, &size, error);
    return load_whole(bytes, size, strcmp(path, "-") == 0 ? "standard input" : path, mesh, error);
}

int gjb_mesh_load_open(int descriptor, const char *file, gjb_mesh *mesh, gjb_error *error)
{
    size_t size = 0;
    memset(mesh, 0, sizeof *mesh);
    unsigned char *bytes = gjb_file_read_open(descriptor, file, accept_mesh, &size, error);
    return load_whole(bytes, size, file, mesh, error);
}

/* Sizes of what belongs to each object; before the first one counts as an object of its own. */
typedef struct share {
    size_t corners, words, faces;
} share;

static void add_span(const gjb_mesh_soup *soup, const gjb_mesh_span *from, const gjb_mesh_span *to, share *s)
{
    s->corners += to->corner_end - from->corner_end;
    s->words += to->word_end - from->word_end;
    for (size_t word = from->word_end; word < to->word_end; word += 1 + soup->faces[word])
        s->faces += soup->faces[word] >= 3;
}

/* The shares of the objects from 0 on. */
static share *share_out(const content *c)
{
    share *shares = calloc(c->object_count + 1, sizeof *shares);
    gjb_mesh_span before = {0};
    for (size_t i = 0; i < c->soup.span_count && shares != NULL; i++) {
        const gjb_mesh_span *span = &c->soup.spans[i];
        if (span->object <= c->object_count)
            add_span(&c->soup, &before, span, &shares[span->object]);
        before = *span;
    }
    return shares;
}

/* The soup of one object alone. */
static int pick(const content *c, uint32_t object, const share *size, gjb_mesh_soup *one)
{
    const gjb_mesh_soup *all = &c->soup;
    memset(one, 0, sizeof *one);
    one->corners = malloc((size->corners + 1) * sizeof *one->corners);
    one->faces = malloc((size->words + 1) * sizeof *one->faces);
    if (one->corners == NULL || one->faces == NULL)
        return -1;
    gjb_mesh_span before = {0};
    for (size_t i = 0; i < all->span_count; before = all->spans[i++]) {
        const gjb_mesh_span *span = &all->spans[i];
        if (span->object != object)
            continue;
        for (size_t word = before.word_end; word < span->word_end;) {
            const uint32_t length = one->faces[one->face_words++] = all->faces[word++];
            for (uint32_t k = 0; k < length; k++)
                one->faces[one->face_words++] =
                    (uint32_t)(all->faces[word++] - before.corner_end + one->corner_count);
        }
        const size_t corners = span->corner_end - before.corner_end;
        memcpy(one->corners + one->corner_count, all->corners + before.corner_end, corners * sizeof *one->corners);
        one->corner_count += corners;
    }
    return 0;
}

static int take_object(const content *c, uint32_t object, const share *size, gjb_mesh *mesh, gjb_error *error)
{
    gjb_mesh_soup one;
    mesh->format = c->format->name;
    snprintf(mesh->name, sizeof mesh->name, "%s", object > 0 ? c->names[object - 1] : "");
    if (mesh->name[0] == '\0')
        snprintf(mesh->name, sizeof mesh->name, "number %u", object);
    const int result = pick(c, object, size, &one) != 0
                           ? gjb_fail(error, "%s: out of memory for %zu vertices", c->file, size->corners)
                           : gjb_mesh_take(&one, c->file, mesh, error);
    free(one.corners);
    free(one.faces);
    return result;
}

/* Points of the whole file less those of the objects: what only loose points have. Points that two objects share count
 * once in the whole and twice in the objects, so it is found by welding, not by counting. */
static uint32_t count_loose(const content *c, const share *shares)
{
    uint32_t loose = 0;
    const gjb_mesh_soup *soup = &c->soup;
    uint32_t *order = malloc((soup->corner_count + 1) * sizeof *order),
             *owner = calloc(soup->corner_count + 1, sizeof *owner);
    gjb_mesh_span before = {0};
    for (size_t i = 0; i < soup->span_count && owner != NULL; before = soup->spans[i++]) {
        const uint32_t object = soup->spans[i].object;
        for (size_t k = before.corner_end; k < soup->spans[i].corner_end; k++)
            owner[k] = object <= c->object_count && shares[object].faces > 0;
    }
    if (order != NULL && owner != NULL) {
        gjb_mesh_order(soup, order);
        for (size_t i = 0, next; i < soup->corner_count; i = next) {
            uint32_t owned = 0;
            for (next = i; next < soup->corner_count && gjb_mesh_same(soup, order[i], order[next]); next++)
                owned |= owner[order[next]];
            loose += !owned;
        }
    }
    free(order);
    free(owner);
    return loose;
}

static int divide(const content *c, const share *shares, gjb_meshes *meshes, gjb_error *error)
{
    int result = 0;
    for (uint32_t object = 0; object <= c->object_count && result == 0; object++)
        if (shares[object].faces > 0)
            result = take_object(c, object, &shares[object], &meshes->list[meshes->count++], error);
    meshes->loose = result == 0 ? count_loose(c, shares) : 0;
    return result;
}

static int take_all(const content *c, gjb_meshes *meshes, gjb_error *error)
{
    share *shares = share_out(c);
    size_t count = 0;
    for (size_t i = 0; i <= c->object_count && shares != NULL; i++)
        count += shares[i].faces > 0;
    meshes->list = calloc(count + 1, sizeof *meshes->list);
    int result;
    if (shares == NULL || meshes->list == NULL) {
        result = gjb_fail(error, "%s: out of memory for %zu objects", c->file, c->object_count);
    } else if (count > 1) {
        result = divide(c, shares, meshes, error);
    } else {
        meshes->list[meshes->count++].format = c->format->name;
        result = gjb_mesh_take(&c->soup, c->file, meshes->list, error);
    }
    free(shares);
    return result;
}

unsigned char *gjb_mesh_bytes(const char *path, size_t *size, gjb_error *error)
{
    return gjb_file_read(path, accept_mesh, size, error);
}

int gjb_meshes_take(unsigned char *bytes, size_t size, const char *file, gjb_meshes *meshes, gjb_error *error)
{
    content c = {.file = file};
    memset(meshes, 0, sizeof *meshes);
    int result = read_content(bytes, size, &c, error);
    if (result == 0)
        result = take_all(&c, meshes, error);
    free_content(&c);
    if (result != 0)
        gjb_meshes_free(meshes);
    return result;
}

void gjb_mesh_free(gjb_mesh *mesh)
{
    free(mesh->points);
    memset(mesh, 0, sizeof *mesh);
}

void gjb_meshes_free(gjb_meshes *meshes)
{
    for (uint32_t i = 0; i < meshes->count; i++)
        gjb_mesh_free(&meshes->list[i]);
    free(meshes->list);
    memset(meshes, 0, sizeof *meshes);
}
