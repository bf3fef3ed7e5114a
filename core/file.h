/* Whole files: read with limits, written so that no reader sees half of one. */
#ifndef GJB_CORE_FILE_H
#define GJB_CORE_FILE_H

#include <stdint.h>
#include <stdio.h>

#include "core/error.h"

/* The most that is read of a file of any kind, and of text that is parsed into a tree,
 * which takes some twenty times the memory of its text. */
#define GJB_FILE_MOST ((size_t)1 << 30)
#define GJB_TEXT_MOST ((size_t)256 << 20)
#define GJB_FILE_SIZE_UNKNOWN SIZE_MAX /* of a pipe, say */

/* Opens a file that a user names, for reading. A pipe, a device, a socket or a folder is refused
 * without waiting. NULL with one line in `error`. */
FILE *gjb_file_open(const char *path, gjb_error *error);

/* All bytes of `path` ("-" is standard input, which may be a pipe), NUL-terminated beyond `size`;
 * the caller frees them. `accept` (NULL: all up to GJB_FILE_MOST) sees the first block, at least
 * one byte unless the file is empty, and `all`, the file's size or GJB_FILE_SIZE_UNKNOWN. It returns
 * the largest size that it accepts, or 0 with one line in `error`. So endless input, or a file larger
 * than it claims, is refused at its first bytes. NULL with one line in `error`. */
typedef size_t (*gjb_file_accept)(const unsigned char *head, size_t size, size_t all, const char *file,
                                  gjb_error *error);
unsigned char *gjb_file_read(const char *path, gjb_file_accept accept, size_t *size, gjb_error *error);
/* The same of a descriptor, which it closes; `file` is its name in errors. */
unsigned char *gjb_file_read_open(int descriptor, const char *file, gjb_file_accept accept, size_t *size,
                                  gjb_error *error);

/* Text of up to GJB_TEXT_MOST, which begins with no control character. */
size_t gjb_file_accept_text(const unsigned char *head, size_t size, size_t all, const char *file, gjb_error *error);

/* Calls `write` on a temporary next to `path`, then renames it. "-" is standard
 * output; a path that exists and is not a regular file is written in place.
 * 0, or -1 with one line in `error`, the old file then being untouched. */
typedef void (*gjb_file_writer)(FILE *stream, const void *context);
int gjb_file_write(const char *path, gjb_file_writer write, const void *context, gjb_error *error);

/* Is it a regular file that may be executed? */
int gjb_file_is_program(const char *path);
/* Path of the program `name` as a shell would find it: 1, or 0 if no folder of PATH has it. */
int gjb_file_on_path(const char *name, char *path, size_t size);

#endif
