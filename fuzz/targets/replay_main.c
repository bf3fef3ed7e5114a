/* Replays files, and the files of folders, through a fuzz target. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/tests/target.h"

typedef struct tally {
    int accepted, rejected;
} tally;

static void replay(const char *path, tally *t)
{
    struct stat status;
    if (!stat(path, &status) && S_ISDIR(status.st_mode)) {
        struct dirent **names;
        int count = scandir(path, &names, NULL, alphasort);
        for (int i = 0; i < count; i++) {
            char inner[4096];
            int length = snprintf(inner, sizeof inner, "%s/%s", path, names[i]->d_name);
            if (names[i]->d_name[0] != '.' && length < (int)sizeof inner)
                replay(inner, t);
            free(names[i]);
        }
        if (count >= 0)
            free(names);
        return;
    }
    gjb_error error = {{0}};
    size_t size;
    unsigned char *bytes = gjb_file_read(path, NULL, &size, &error);
    /* Of its own size, so that a sanitizer sees the first byte behind it. */
    unsigned char *exact = bytes ? malloc(size + !size) : NULL;
    if (!exact) {
        dprintf(STDERR_FILENO, "%s\n", error.text);
        exit(GJB_EXIT_USAGE);
    }
    for (size_t i = 0; i < size; i++)
        exact[i] = bytes[i];
    free(bytes);
    if (LLVMFuzzerTestOneInput(exact, size))
        t->rejected++;
    else
        t->accepted++;
    free(exact);
}

int main(int argc, char **argv)
{
    tally t = {0, 0};
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE-OR-FOLDER...\n", argv[0]);
        return GJB_EXIT_USAGE;
    }
    for (int i = 1; i < argc; i++)
        replay(argv[i], &t);
    /* A target may have hushed the streams. */
    dprintf(STDOUT_FILENO, "%d inputs replayed, %d rejected by the target's decoder\n", t.accepted,
            t.rejected);
    return t.accepted ? GJB_EXIT_OK : GJB_EXIT_WRONG;
}
