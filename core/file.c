/* Reads whole regular files within limits, and writes files by way of a temporary name. */
#include "core/file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Refuses special files: they have no end, or make a reader wait for a writer. */
static int refuse_special(mode_t mode, const char *path, gjb_error *error)
{
    static const struct {
        mode_t kind;
        const char *name;
    } kinds[] = {{S_IFIFO, "a pipe"}, {S_IFCHR, "a device"}, {S_IFBLK, "a device"}, {S_IFSOCK, "a socket"}};
    if (S_ISDIR(mode))
        return gjb_fail(error, "%s: is a directory", path);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if ((mode & S_IFMT) == kinds[i].kind)
            return gjb_fail(error, "%s: is %s, and files alone are read; '-' is standard input", path, kinds[i].name);
    }
    return 0;
}

/* Takes the descriptor. */
static FILE *open_stream(int descriptor, const char *path, gjb_error *error)
{
    struct stat status;
    FILE *stream = NULL;
    if (descriptor < 0 || fstat(descriptor, &status) != 0)
        gjb_fail(error, "%s: cannot open: %s", path, strerror(errno));
    else if (refuse_special(status.st_mode, path, error) == 0 && (stream = fdopen(descriptor, "rb")) == NULL)
        gjb_fail(error, "%s: cannot open: %s", path, strerror(errno));
    if (stream == NULL && descriptor >= 0)
        close(descriptor);
    return stream;
}

FILE *gjb_file_open(const char *path, gjb_error *error)
{
    /* O_NONBLOCK: a pipe without a writer opens at once, and is then refused. */
    return open_stream(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), path, error);
}

size_t gjb_file_accept_text(const unsigned char *head, size_t size, size_t all, const char *file, gjb_error *error)
{
    (void)all;
    size_t at = 0;
    while (at < size && strchr(" \t\r\n", head[at]) != NULL && head[at] != '\0')
        at++;
    if (at < size && iscntrl(head[at])) {
        gjb_fail(error, "%s: is no text: byte %zu is 0x%02x", file, at, head[at]);
        return 0;
    }
    return GJB_TEXT_MOST;
}

static int refuse_larger(const char *file, size_t limit, gjb_error *error)
{
    return gjb_fail(error, "%s: larger than %zu bytes, the most that is read of such a file", file, limit);
}

/* Room for `size` bytes and a NUL behind them. 0, or -1 with `error`. */
static int make_room(unsigned char **bytes, size_t size, const char *file, gjb_error *error)
{
    unsigned char *grown = realloc(*bytes, size + 1);
    *bytes = grown != NULL ? grown : *bytes;
    return grown != NULL ? 0 : gjb_fail(error, "%s: out of memory for %zu bytes", file, size);
}

/* Fills `bytes` from the stream. A file larger than `accept` allows is refused after its first block.
 * 0, or -1 with `error`. */
static int read_stream(FILE *stream, const char *file, gjb_file_accept accept, unsigned char **bytes, size_t *size,
                       gjb_error *error)
{
    struct stat status = {0};
    /* Files of /proc report size 0. */
    const int known = fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
    const size_t all = known ? (size_t)status.st_size : GJB_FILE_SIZE_UNKNOWN;
    size_t room = 1 << 16, used = 0, limit = GJB_FILE_MOST;
    if (S_ISDIR(status.st_mode))
        return refuse_special(status.st_mode, file, error);
    for (;; room = known && used < all && all < SIZE_MAX / 2 ? all + 1 : 2 * room) {
        if (make_room(bytes, room, file, error) != 0)
            return -1;
        const size_t got = fread(*bytes + used, 1, room - used, stream);
        if (ferror(stream))
            return gjb_fail(error, "%s: cannot read: %s", file, strerror(errno));
        if (used == 0 && accept != NULL && (limit = accept(*bytes, got, all, file, error)) == 0)
            return -1;
        used += got;
        if (used > limit || (known && all > limit))
            return refuse_larger(file, limit, error);
        if (used < room) {
            (*bytes)[used] = '\0';
            *size = used;
            return 0;
        }
    }
}

unsigned char *gjb_file_read_open(int descriptor, const char *file, gjb_file_accept accept, size_t *size,
                                  gjb_error *error)
{
    FILE *stream = open_stream(descriptor, file, error);
    unsigned char *bytes = NULL;
    if (stream != NULL && read_stream(stream, file, accept, &bytes, size, error) != 0) {
        free(bytes);
        bytes = NULL;
    }
    if (stream != NULL)
        fclose(stream);
    return bytes;
}

unsigned char *gjb_file_read(const char *path, gjb_file_accept accept, size_t *size, gjb_error *error)
{
    const int standard = strcmp(path, "-") == 0;
    FILE *stream = standard ? stdin : gjb_file_open(path, error);
    unsigned char *bytes = NULL;
    if (stream != NULL &&
        read_stream(stream, standard ? "standard input" : path, accept, &bytes, size, error) != 0) {
        free(bytes);
        bytes = NULL;
    }
    if (stream != NULL && !standard)
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
    if (stream != stdout && fclose(stream) != 0 && reason == 0)
        reason = errno;
    if (stream == stdout && reason != 0) { /* reported by the caller: nothing is left to lose when it is closed */
        __fpurge(stdout);
        clearerr(stdout);
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
    if (strcmp(path, "-") == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode)))
        return write_in_place(path, write, context, error);
    char *temporary = NULL;
    if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
        return gjb_fail(error, "%s: cannot write: out of memory", path);
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
        if (reason == 0 && rename(temporary, path) != 0)
            reason = errno;
        if (reason != 0)
            unlink(temporary);
    }
    free(temporary);
    return reason == 0 ? 0 : gjb_fail(error, "%s: cannot write: %s", path, strerror(reason));
}

int gjb_file_is_program(const char *path)
{
    struct stat info;
    return !stat(path, &info) && S_ISREG(info.st_mode) && !access(path, X_OK);
}

int gjb_file_on_path(const char *name, char *path, size_t size)
{
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        const size_t length = strcspn(folders, ":");
        const int n = snprintf(path, size, "%.*s/%s", length ? (int)length : 1, length ? folders : ".", name);
        if (n > 0 && (size_t)n < size && gjb_file_is_program(path))
            return 1;
        folders += length + (folders[length] == ':');
    }
    return 0;
}
