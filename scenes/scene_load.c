/* Loads a scene from a file or from memory, as JSON or binary by its first bytes. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/json_file.h"
#include "scenes/scene_private.h"

static int is_binary(const unsigned char *bytes)
{
    return bytes[0] == (unsigned char)GJB_BINARY_MAGIC[0];
}

size_t gjb_scene_accept(const unsigned char *head, size_t size, size_t all, const char *file, gjb_error *error)
{
    size_t blank = 0;
    while (blank < size && strchr(" \t\r\n", head[blank]) != NULL && head[blank] != '\0')
        blank++;
    if (size == 0) {
        gjb_fail(error, "%s: empty, neither JSON nor a binary scene", file);
        return 0;
    }
    if (is_binary(head))
        return gjb_scene_accept_binary(head, size, all, file, error);
    /* The parser refuses everything but an object with its position, for which
     * it needs the text; control characters never begin an object. */
    if (blank < size && (iscntrl(head[blank]) || head[blank] >= 0x80)) {
        gjb_fail(error, "%s: neither JSON nor a binary scene: byte %zu is 0x%02x", file, blank, head[blank]);
        return 0;
    }
    return GJB_TEXT_MOST;
}

gjb_scene *gjb_scene_parse(const void *bytes, size_t size, const char *file, gjb_error *error)
{
    const size_t limit = gjb_scene_accept(bytes, size, size, file, error);
    if (limit == 0)
        return NULL;
    if (size > limit) {
        gjb_fail(error, "%s: %zu bytes of JSON, more than %zu: use the binary format", file, size, limit);
        return NULL;
    }
    gjb_scene *scene = is_binary(bytes) ? gjb_scene_parse_binary(bytes, size, file, error)
                                        : gjb_scene_parse_json(bytes, size, file, error);
    if (scene != NULL && gjb_scene_check(scene, file, error) != 0) {
        gjb_scene_free(scene);
        scene = NULL;
    }
    return scene;
}

void gjb_scene_point(gjb_error *error, const char *file, const void *bytes, size_t size)
{
    if (error != NULL && size > 0 && !is_binary(bytes))
        gjb_json_point(error, file, bytes, size);
}

gjb_scene *gjb_scene_load(const char *path, gjb_error *error)
{
    size_t size;
    unsigned char *bytes = gjb_file_read(path, gjb_scene_accept, &size, error);
    if (bytes == NULL)
        return NULL;
    gjb_scene *scene = gjb_scene_parse(bytes, size, strcmp(path, "-") == 0 ? "standard input" : path, error);
    if (scene == NULL)
        gjb_scene_point(error, strcmp(path, "-") == 0 ? "standard input" : path, bytes, size);
    free(bytes);
    return scene;
}
