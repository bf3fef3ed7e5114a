#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned char *read_stream(FILE *stream, const char *file, gjb_file_accept accept, size_t *size,
                                  gjb_error *error)
{
    size_t capacity = 1 << 16, used = 0, limit = SIZE_MAX - 1;
    unsigned char *bytes = NULL;
    struct stat status;
    if (fstat(fileno(stream), &status) == 0 && S_ISDIR(status.st_mode)) {
        gjb_fail(error, "%s: is a directory", file);
        return NULL;
    }
    for (;;) {
        unsigned char *grown = realloc(bytes, capacity + 1);
        if (grown == NULL) {
            gjb_fail(error, "%s: out of memory after %zu bytes", file, used);
            break;
        }
        bytes = grown;
        size_t got = fread(bytes + used, 1, capacity - used, stream);
        if (ferror(stream)) {
            gjb_fail(error, "%s: cannot read: %s", file, strerror(errno));
            break;
        }
        if (used == 0 && accept != NULL) {
            limit = accept(bytes, got, file, error);
            if (limit == 0) {
                break;
            }
        }
        used += got;
        if (used > limit) {
            gjb_fail(error, "%s: larger than %zu bytes, the most that is read of such a file", file, limit);
            break;
        }
        if (used < capacity) {
            bytes[used] = '\0';
            *size = used;
            return bytes;
        }
        capacity *= 2;
    }
    free(bytes);
    return NULL;
}

unsigned char *gjb_file_read(const char *path, gjb_file_accept accept, size_t *size, gjb_error *error)
{
    if (strcmp(path, "-") == 0) {
        return read_stream(stdin, "standard input", accept, size, error);
    }
    FILE *stream = fopen(path, "rbe");
    if (stream == NULL) {
        gjb_fail(error, "%s: cannot open: %s", path, strerror(errno));
        return NULL;
    }
    unsigned char *bytes = read_stream(stream, path, accept, size, error);
    fclose(stream);
    return bytes;
}

/* Nonzero is errno of the first thing that failed. */
static int write_and_close(FILE *stream, gjb_file_writer write, const void *context)
{
    errno = 0;
    write(stream, context);
    int failed = fflush(stream) != 0 || ferror(stream);
    int reason = failed ? (errno != 0 ? errno : EIO) : 0;
    if (stream != stdout && fclose(stream) != 0 && reason == 0) {
        reason = errno;
    }
    return reason;
}

static int write_in_place(const char *path, gjb_file_writer write, const void *context, gjb_error *error)
{
    FILE *stream = strcmp(path, "-") == 0 ? stdout : fopen(path, "wbe");
    int reason = stream == NULL ? errno : write_and_close(stream, write, context);
    return reason == 0 ? 0 : gjb_fail(error, "%s: cannot write: %s", path, strerror(reason));
}

int gjb_file_write(const char *path, gjb_file_writer write, const void *context, gjb_error *error)
{
    struct stat status;
    if (strcmp(path, "-") == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode))) {
        return write_in_place(path, write, context, error);
    }
    char *temporary = NULL;
    if (asprintf(&temporary, "%s.XXXXXX", path) < 0) {
        return gjb_fail(error, "%s: cannot write: out of memory", path);
    }
    int reason = 0;
    int descriptor = mkostemp(temporary, O_CLOEXEC);
    if (descriptor < 0) {
        reason = errno;
    } else {
        /* mkostemp makes files private; the result has the usual mode. */
        mode_t mask = umask(0);
        umask(mask);
        FILE *stream = fchmod(descriptor, 0666 & ~mask) == 0 ? fdopen(descriptor, "wb") : NULL;
        if (stream == NULL) {
            reason = errno;
            close(descriptor);
        } else {
            reason = write_and_close(stream, write, context);
        }
        if (reason == 0 && rename(temporary, path) != 0) {
            reason = errno;
        }
        if (reason != 0) {
            unlink(temporary);
        }
    }
    free(temporary);
    return reason == 0 ? 0 : gjb_fail(error, "%s: cannot write: %s", path, strerror(reason));
}
