/* Whole files: read with limits, written so that no reader sees half of one. */
#ifndef GJB_CORE_FILE_H
#define GJB_CORE_FILE_H

#include <stdio.h>

#include "core/error.h"

/* All bytes of `path` ("-" is standard input), NUL-terminated beyond `size`;
 * the caller frees them. `accept` (may be NULL) sees the first block, at least
 * one byte unless the file is empty, and returns the largest size that it
 * would read, or 0 having failed with one line in `error`: so an endless
 * device is refused at its first bytes. NULL with one line in `error`. */
typedef size_t (*gjb_file_accept)(const unsigned char *head, size_t size, const char *file, gjb_error *error);
unsigned char *gjb_file_read(const char *path, gjb_file_accept accept, size_t *size, gjb_error *error);

/* Calls `write` on a temporary beside `path`, then renames it. "-" is standard
 * output; a path that exists and is not a regular file is written in place.
 * 0, or -1 with one line in `error`, the old file then being untouched. */
typedef void (*gjb_file_writer)(FILE *stream, const void *context);
int gjb_file_write(const char *path, gjb_file_writer write, const void *context, gjb_error *error);

#endif
