/* Creates folders as needed, and writes text files into them. */
#include "draw/save_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/file.h"

int save_folder(const char *path, gjb_error *error)
{
    char part[4096];
    int n = snprintf(part, sizeof part, "%s", path);
    if (n <= 0 || (size_t)n >= sizeof part)
        return gjb_fail(error, "%.80s: not a folder name", path);
    for (char *s = part + 1;; s++) {
        if (*s != '/' && *s)
            continue;
        char end = *s;
        *s = '\0';
        struct stat info;
        if (mkdir(part, 0777) && (errno != EEXIST || stat(part, &info) || !S_ISDIR(info.st_mode)))
            return gjb_fail(error, "%s: cannot make folder: %s", part, strerror(errno));
        *s = end;
        if (!end)
            return 0;
    }
}

static void put_text(FILE *file, const void *context)
{
    const text *content = context;
    fwrite(content->s, 1, content->size, file);
}

int save_text(const char *folder, const char *name, const text *content, gjb_error *error)
{
    char path[4352];
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (n <= 0 || (size_t)n >= sizeof path)
        return gjb_fail(error, "%.80s: file name too long", folder);
    return gjb_file_write(path, put_text, content, error);
}
