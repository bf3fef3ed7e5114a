/* Archives of runs: bytes as they are (a tar, gzipped or not), or (GJB_TARGET_MANIFEST) the manifest up to the first NUL
 * and files behind it, each a name, a line break and its bytes, which become an archive whose sizes and hashes are right. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/archive/run_archive.h"
#include "core/tests/target.h"
#include "scenes/hash.h"

static void open_again(const char *path)
{
    gjb_error error = {{0}};
    cli_run_again again = {0};
    if (cli_run_again_open(&again, path, "out", &error))
        gjb_target_refused(&error);
    else
        for (int i = 0; i < again.argc; i++)
            gjb_target_require(again.argv[i] != NULL, "a word that is none", NULL);
    cli_run_again_free(&again);
}

#ifdef GJB_TARGET_MANIFEST
static void mend(cli_archive *archive)
{
    cli_member *head = &archive->members[0];
    json_t *manifest = json_loadb(head->bytes, head->size, 0, NULL), *list = json_array();
    char hash[20];
    for (size_t i = 1; i < archive->count; i++) {
        const cli_member *m = &archive->members[i];
        snprintf(hash, sizeof hash, "%016llx",
                 (unsigned long long)gjb_fingerprint(m->bytes, 1, m->size, m->size, 0));
        json_array_append_new(list, json_pack("{ss ss}", "name", m->name, "hash", hash));
    }
    if (json_is_object(manifest) && json_is_array(json_object_get(manifest, "members"))) {
        json_object_set(manifest, "members", list);
        free(head->bytes);
        head->bytes = json_dumps(manifest, 0);
        gjb_target_require(head->bytes != NULL, "out of memory", NULL);
        head->size = strlen(head->bytes);
    }
    json_decref(list);
    json_decref(manifest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/gjkbench-target-XXXXXX", name[256];
    gjb_error error = {{0}};
    cli_archive archive = {0};
    const uint8_t *at = data, *end = data + size;
    for (int head = 1; at < end || head; head = 0) {
        const uint8_t *stop = at < end ? memchr(at, 0, (size_t)(end - at)) : end;
        stop = stop ? stop : end;
        const uint8_t *line = head || at == end ? NULL : memchr(at, '\n', (size_t)(stop - at));
        if (head) {
            cli_archive_add(&archive, "manifest.json", (const char *)at, (size_t)(stop - at), &error);
        } else if (line && line - at < (ptrdiff_t)sizeof name) {
            memcpy(name, at, (size_t)(line - at));
            name[line - at] = 0;
            if (cli_archive_name(name) && !cli_archive_find(&archive, name))
                cli_archive_add(&archive, name, (const char *)line + 1, (size_t)(stop - line - 1), &error);
        }
        at = stop < end ? stop + 1 : end;
    }
    const int file = mkstemp(path);
    gjb_target_require(file >= 0 && archive.count, "no temporary", NULL);
    close(file);
    mend(&archive);
    gjb_target_require(!cli_archive_write(&archive, path, &error), "not written", error.text);
    open_again(path);
    unlink(path);
    cli_archive_free(&archive);
    return 0;
}
#else
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    open_again(gjb_target_path(data, size));
    return 0;
}
#endif
