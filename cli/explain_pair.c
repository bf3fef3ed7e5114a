#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/explain.h"
#include "core/file.h"
#include "fuzz/known_failures.h"
#include "gjkbench-build.h"

/* The folders that the examples may lie in, best first, NULL-terminated. */
static void folders_of(const char *folders[3])
{
    const char *named = getenv("GJKBENCH_DATA");
    folders[0] = named ? named : GJB_DATA_SOURCE;
    folders[1] = named ? NULL : GJB_DATA_INSTALLED;
    folders[2] = NULL;
}

/* The examples that ship, with commas between. */
static void list_examples(char *out, size_t size)
{
    const char *folders[3];
    struct dirent **found = NULL;
    size_t at = 0;
    int count = -1;
    char path[4096];
    folders_of(folders);
    for (int k = 0; folders[k] && count < 0; k++)
        if (snprintf(path, sizeof path, "%s/examples", folders[k]) < (int)sizeof path)
            count = scandir(path, &found, cli_is_scene, alphasort);
    out[0] = '\0';
    for (int i = 0; i < count; i++) {
        if (at < size)
            at += (size_t)snprintf(out + at, size - at, "%s%.*s", i ? ", " : "",
                                   (int)strcspn(found[i]->d_name, "."), found[i]->d_name);
        free(found[i]);
    }
    free(found);
}

/* The file that an operand means: itself, or an example of that name. */
static int find(const char *operand, char *path, size_t size, gjb_error *error)
{
    const char *folders[3];
    char examples[256];
    int plain = !strpbrk(operand, "/.") && strcmp(operand, "-");
    if ((size_t)snprintf(path, size, "%s", operand) >= size)
        return gjb_fail(error, "%.80s: the path is too long", operand);
    if (!plain || !access(path, F_OK))
        return 0;
    folders_of(folders);
    for (int k = 0; folders[k]; k++)
        if ((size_t)snprintf(path, size, "%s/examples/%s.json", folders[k], operand) < size &&
            !access(path, R_OK))
            return 0;
    list_examples(examples, sizeof examples);
    return gjb_fail(error, "%s: no such file, and no example of that name; %s%s", operand,
                    *examples ? "there are " : "set GJKBENCH_DATA to the data folder", examples);
}

/* Takes the scene of one case out of the collection. */
static gjb_scene *take_case(gjb_known_failures *all, const char *file, const char *only, gjb_error *error)
{
    size_t k = 0;
    while (k < all->count && only && strcmp(all->cases[k].id, only))
        k++;
    if (k < all->count && (only || all->count == 1)) {
        gjb_scene *scene = all->cases[k].scene;
        all->cases[k].scene = NULL;
        snprintf(scene->name, sizeof scene->name, "%.63s", all->cases[k].id);
        return scene;
    }
    if (!all->count) {
        gjb_fail(error, "%s: no case in it is of shapes that there are", file);
        return NULL;
    }
    if (!only) {
        gjb_fail(error, "%s: %zu cases: name one with --case, such as '%s'", file, all->count,
                 all->cases[0].id);
        return NULL;
    }
    const char **ids = calloc(all->count, sizeof *ids);
    for (size_t i = 0; ids && i < all->count; i++)
        ids[i] = all->cases[i].id;
    const char *near = ids ? cli_nearest(only, ids, all->count) : NULL;
    gjb_fail(error, near ? "%s: no case '%s': did you mean '%s'?" : "%s: no case '%s'", file, only, near);
    free(ids);
    return NULL;
}

static gjb_scene *load(const char *path, const char *name, const char *only, gjb_error *error)
{
    size_t size;
    gjb_scene *scene = NULL;
    unsigned char *bytes = gjb_file_read(path, gjb_scene_accept, &size, error);
    if (!bytes)
        return NULL;
    if (gjb_known_failures_sniff(bytes, size)) {
        gjb_known_failures *all = gjb_known_failures_parse(bytes, size, name, error);
        scene = all ? take_case(all, name, only, error) : NULL;
        gjb_known_failures_free(all);
    } else if (only) {
        gjb_fail(error, "%s: --case names a case of a file of known failures, and this is a scene", name);
    } else {
        scene = gjb_scene_parse(bytes, size, name, error);
    }
    free(bytes);
    return scene;
}

int cli_pair_open(cli_pair *p, const char *operand, uint64_t frame, uint64_t index, const char *only,
                  gjb_error *error)
{
    char path[4096];
    const char *name = cli_is_stdout(operand) ? "standard input" : operand;
    *p = (cli_pair){.index = index};
    if (find(operand, path, sizeof path, error) || !(p->scene = load(path, name, only, error)))
        return -1;
    if (frame >= p->scene->frame_count)
        return gjb_fail(error, "%s: --frame %llu: the scene has %u frame%s, counted from 0", name,
                        (unsigned long long)frame, p->scene->frame_count,
                        p->scene->frame_count == 1 ? "" : "s");
    p->frame = (uint32_t)frame;
    const uint64_t pairs = p->scene->frames[frame].pair_count;
    if (index >= pairs)
        return gjb_fail(error, "%s: --pair %llu: frame %u has %llu pair%s, counted from 0", name,
                        (unsigned long long)index, p->frame, (unsigned long long)pairs,
                        pairs == 1 ? "" : "s");
    if (gjb_scene_pair(p->scene, p->frame, index, &p->space, &p->pair))
        return gjb_fail(error, "%s: out of memory", name);
    snprintf(p->title, sizeof p->title, "%s", *p->scene->name ? p->scene->name : name);
    if (pairs > 1 || p->scene->frame_count > 1) {
        size_t n = strlen(p->title);
        snprintf(p->title + n, sizeof p->title - n, ":%u/%llu", p->frame, (unsigned long long)index);
    }
    gjb_text_clean(p->title);
    return 0;
}

void cli_pair_close(cli_pair *p)
{
    gjb_scene_free(p->scene);
    gjb_pair_space_free(&p->space);
    *p = (cli_pair){0};
}
