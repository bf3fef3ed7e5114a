/* Reads and writes archives as gzipped tar, by libarchive. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/archive/archive_file.h"
#include "core/file.h"

static const size_t most_bytes = (size_t)1 << 30;
enum { MOST_MEMBERS = 4096, BLOCK = 1 << 16 };

/* What libarchive writes goes to a file that gjb_file_write opened. */
static la_ssize_t put(struct archive *a, void *stream, const void *bytes, size_t size)
{
    const size_t done = fwrite(bytes, 1, size, stream);
    if (done != size)
        archive_set_error(a, EIO, "cannot write");
    return done == size ? (la_ssize_t)done : -1;
}

static int put_member(struct archive *a, const cli_member *member)
{
    struct archive_entry *entry = archive_entry_new();
    if (!entry)
        return -1;
    archive_entry_set_pathname(entry, member->name);
    archive_entry_set_size(entry, (la_int64_t)member->size);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    const int failed = archive_write_header(a, entry) != ARCHIVE_OK ||
                       archive_write_data(a, member->bytes, member->size) != (la_ssize_t)member->size;
    archive_entry_free(entry);
    return failed;
}

typedef struct writing {
    const cli_archive *archive;
    int failed;
} writing;

static void write_all(FILE *stream, const void *context)
{
    writing *w = (writing *)(uintptr_t)context;
    struct archive *a = archive_write_new();
    w->failed = !a || archive_write_add_filter_gzip(a) != ARCHIVE_OK ||
                archive_write_set_format_pax_restricted(a) != ARCHIVE_OK ||
                archive_write_set_filter_option(a, "gzip", "timestamp", NULL) != ARCHIVE_OK ||
                archive_write_open(a, stream, NULL, put, NULL) != ARCHIVE_OK;
    if (a)
        archive_write_set_bytes_in_last_block(a, 1); /* no padding behind the end */
    for (size_t i = 0; i < w->archive->count && !w->failed; i++)
        w->failed = put_member(a, &w->archive->members[i]);
    w->failed |= !a || archive_write_close(a) != ARCHIVE_OK;
    archive_write_free(a);
}

int cli_archive_write(const cli_archive *archive, const char *path, gjb_error *error)
{
    writing w = {archive, 0};
    if (gjb_file_write(path, write_all, &w, error))
        return -1;
    return w.failed ? gjb_fail(error, "%s: cannot write", path) : 0;
}

/* All bytes of a member, however large it says that it is. */
static int get_bytes(struct archive *a, const char *name, cli_archive *archive, size_t *left,
                     gjb_error *error, const char *path)
{
    char *bytes = NULL, block[BLOCK];
    size_t size = 0;
    la_ssize_t got;
    int failed = 0;
    while (!failed && (got = archive_read_data(a, block, sizeof block)) != 0) {
        if (got < 0) {
            failed = gjb_fail(error, "%s: cut short or damaged: %s", path, archive_error_string(a));
            break;
        }
        if ((size_t)got > *left) {
            failed = gjb_fail(error, "%s: larger than %zu bytes, the most that is read of an archive", path,
                              most_bytes);
            break;
        }
        char *more = realloc(bytes, size + (size_t)got);
        if (!more) {
            failed = gjb_fail(error, "%s: out of memory", path);
            break;
        }
        bytes = more;
        memcpy(bytes + size, block, (size_t)got);
        size += (size_t)got;
        *left -= (size_t)got;
    }
    failed = failed || cli_archive_add(archive, name, bytes, size, error);
    free(bytes);
    return failed;
}

static int get_member(struct archive *a, struct archive_entry *entry, cli_archive *archive, size_t *left,
                      gjb_error *error, const char *path)
{
    const char *name = archive_entry_pathname(entry);
    if (!name || !cli_archive_name(name) || archive_entry_filetype(entry) != AE_IFREG ||
        archive_entry_hardlink(entry) || archive_entry_symlink(entry))
        return gjb_fail(error,
                        "%s: member %zu is no file of a plain name: not written by 'gjkbench run --archive'",
                        path, archive->count);
    if (cli_archive_find(archive, name) || archive->count == MOST_MEMBERS)
        return gjb_fail(error, "%s: %s: there twice, or too many members", path, name);
    return get_bytes(a, name, archive, left, error, path);
}

int cli_archive_read(cli_archive *archive, const char *path, gjb_error *error)
{
    FILE *file = gjb_file_open(path, error);
    if (!file)
        return -1;
    struct archive *a = archive_read_new();
    struct archive_entry *entry;
    size_t left = most_bytes;
    int failed = 0, got = ARCHIVE_OK;
    if (!a || archive_read_support_filter_gzip(a) != ARCHIVE_OK || archive_read_support_format_tar(a) != ARCHIVE_OK)
        failed = gjb_fail(error, "%s: out of memory", path);
    else if (archive_read_open_FILE(a, file) != ARCHIVE_OK)
        failed = gjb_fail(error, "%s: not an archive of 'gjkbench run --archive': %s", path,
                          archive_error_string(a));
    while (!failed && (got = archive_read_next_header(a, &entry)) == ARCHIVE_OK)
        failed = get_member(a, entry, archive, &left, error, path);
    if (!failed && got != ARCHIVE_EOF)
        failed =
            gjb_fail(error, "%s: %s: %s", path,
                     archive->count ? "cut short or damaged" : "not an archive of 'gjkbench run --archive'",
                     archive_error_string(a));
    archive_read_free(a);
    fclose(file);
    return failed ? -1 : 0;
}
