/* Stands in for reading and writing archives in builds without libarchive. */
#include "cli/archive/archive_file.h"

static int missing(const char *path, gjb_error *error)
{
    return gjb_fail(error, "%s: archives need libarchive at build time (Debian: libarchive-dev)", path);
}

int cli_archive_write(const cli_archive *archive, const char *path, gjb_error *error)
{
    (void)archive;
    return missing(path, error);
}

int cli_archive_read(cli_archive *archive, const char *path, gjb_error *error)
{
    (void)archive;
    return missing(path, error);
}
