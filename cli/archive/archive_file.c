/* Archives in memory: members are added, found by name and freed. */
#include "cli/archive/archive_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"

int cli_archive_add(cli_archive *archive, const char *name, const char *bytes, size_t size, gjb_error *error)
{
    cli_member *more = realloc(archive->members, (archive->count + 1) * sizeof *more);
    if (more)
        archive->members = more;
    cli_member one = {strdup(name), malloc(size + 1), size};
    if (!more || !one.name || !one.bytes) {
        free(one.name);
        free(one.bytes);
        return gjb_fail(error, "%s: out of memory", name);
    }
    if (size)
        memcpy(one.bytes, bytes, size);
    one.bytes[size] = 0;
    archive->members[archive->count++] = one;
    return 0;
}

int cli_archive_add_file(cli_archive *archive, const char *name, const char *path, gjb_error *error)
{
    size_t size;
    unsigned char *bytes = gjb_file_read(path, NULL, &size, error);
    if (!bytes)
        return -1;
    const int failed = cli_archive_add(archive, name, (const char *)bytes, size, error);
    free(bytes);
    return failed;
}

const cli_member *cli_archive_find(const cli_archive *archive, const char *name)
{
    for (size_t i = 0; i < archive->count; i++)
        if (!strcmp(archive->members[i].name, name))
            return &archive->members[i];
    return NULL;
}

void cli_archive_free(cli_archive *archive)
{
    for (size_t i = 0; i < archive->count; i++) {
        free(archive->members[i].name);
        free(archive->members[i].bytes);
    }
    free(archive->members);
    *archive = (cli_archive){0};
}

int cli_archive_name(const char *name)
{
    char before = '/';
    size_t size = 0;
    for (const char *c = name; *c; before = *c++) {
        if (++size > 200 || !(isalnum((unsigned char)*c) || strchr("._-/", *c)))
            return 0;
        if (before == '/' && (*c == '/' || *c == '.'))
            return 0;
    }
    return size && before != '/';
}
