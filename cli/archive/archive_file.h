/* Files in memory, and as one file: a gzipped tar. Members have plain names and are never unpacked by them. */
#ifndef GJB_CLI_ARCHIVE_FILE_H
#define GJB_CLI_ARCHIVE_FILE_H

#include <stddef.h>

#include "core/error.h"

typedef struct cli_member {
    char *name, *bytes; /* bytes[size] is NUL */
    size_t size;
} cli_member;

/* Zero it before; free it in all cases. */
typedef struct cli_archive {
    cli_member *members;
    size_t count;
} cli_archive;

int cli_archive_add(cli_archive *archive, const char *name, const char *bytes, size_t size, gjb_error *error);
int cli_archive_add_file(cli_archive *archive, const char *name, const char *path, gjb_error *error);
const cli_member *cli_archive_find(const cli_archive *archive, const char *name); /* NULL if none */
void cli_archive_free(cli_archive *archive);

/* Letters, digits, '.', '-', '_' and single '/' between names that do not begin with a dot. */
int cli_archive_name(const char *name);

/* By way of a temporary and rename. Where the build has no libarchive both fail, saying so. The file depends on the
 * members alone. 0, or -1 with one line in `error`. */
int cli_archive_write(const cli_archive *archive, const char *path, gjb_error *error);
/* Regular files of plain names alone, each once, at most 1 GiB in all: whatever else is in it is refused. */
int cli_archive_read(cli_archive *archive, const char *path, gjb_error *error);

#endif
