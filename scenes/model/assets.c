/* Opens a file by a handle that reads nothing, asks the kernel where it lies, and only then reads. */
#include "scenes/model/assets.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The path of what a descriptor holds, free of links. */
static int path_of(int descriptor, char path[PATH_MAX])
{
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    const ssize_t length = readlink(name, path, PATH_MAX - 1);
    if (length <= 0 || path[0] != '/')
        return -1;
    path[length] = '\0';
    return 0;
}

static int lies_in(int descriptor, int folder)
{
    char inner[PATH_MAX], outer[PATH_MAX];
    if (path_of(descriptor, inner) != 0 || path_of(folder, outer) != 0)
        return 0;
    const size_t length = strcmp(outer, "/") == 0 ? 0 : strlen(outer);
    return strncmp(inner, outer, length) == 0 && (inner[length] == '/' || inner[length] == '\0');
}

/* O_PATH opens without any effect on what is opened, be it a device or a pipe; the second open reads that same file. */
static int open_inside(int folder, const char *path, const char **why)
{
    struct stat status;
    char name[64];
    const int handle = open(path, O_PATH | O_CLOEXEC);
    int descriptor = -1;
    if (handle < 0)
        return -1;
    snprintf(name, sizeof name, "/proc/self/fd/%d", handle);
    if (!lies_in(handle, folder))
        *why = "leads out of";
    else if (fstat(handle, &status) != 0 || !S_ISREG(status.st_mode))
        *why = "is no regular file in";
    else if ((descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) < 0)
        *why = "may not be read in";
    close(handle);
    return descriptor;
}

int gjb_assets_open(const char *folder, const char *const *paths, const char **found, const char **why)
{
    const int base = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int descriptor = -1;
    *why = base < 0 ? "is not there: cannot open the folder of" : "is not there in";
    for (; *paths != NULL && base >= 0 && descriptor < 0; paths++) {
        descriptor = open_inside(base, *paths, why);
        *found = *paths;
    }
    if (base >= 0)
        close(base);
    return descriptor;
}
