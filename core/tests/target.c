/* Support for fuzz targets: requirements, refusals with one line, temporary paths, silence. */
#include "core/tests/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void gjb_target_require(int condition, const char *what, const char *detail)
{
    if (condition)
        return;
    dprintf(STDERR_FILENO, "target: %s%s%s\n", what, detail && *detail ? ": " : "", detail ? detail : "");
    abort();
}

void gjb_target_refused(const gjb_error *error)
{
    if (getenv("GJB_TARGET_SAY"))
        dprintf(STDERR_FILENO, "refused: %s\n", error->text);
    gjb_target_require(error->text[0] != '\0', "refused without a word", NULL);
    gjb_target_require(!strchr(error->text, '\n'), "refused with more than one line", error->text);
}

const char *gjb_target_path(const uint8_t *data, size_t size)
{
    static char path[64];
    static int file = -1;
    if (file < 0) {
        file = memfd_create("input", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    gjb_target_require(file >= 0 && !ftruncate(file, 0) && pwrite(file, data, size, 0) == (ssize_t)size,
                       "no file in memory", NULL);
    return path;
}

void gjb_target_hush(void)
{
    /* glibc's streams are variables; their descriptors, which sanitizers write to, stay. */
    static FILE *nowhere;
    if (nowhere)
        return;
    nowhere = fopen("/dev/null", "w");
    gjb_target_require(nowhere != NULL, "no /dev/null", NULL);
    stdout = stderr = nowhere;
}
