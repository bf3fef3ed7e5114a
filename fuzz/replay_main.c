/* Replays files, and the files of folders, through a fuzz target. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/file.h"
#include "fuzz/target.h"

static int replay(const char *path)
{
    struct stat status;
    if (!stat(path, &status) && S_ISDIR(status.st_mode)) {
        struct dirent **names;
        int count = scandir(path, &names, NULL, alphasort), done = 0;
        for (int i = 0; i < count; i++) {
            char inner[4096];
            int length = snprintf(inner, sizeof inner, "%s/%s", path, names[i]->d_name);
            if (names[i]->d_name[0] != '.' && length < (int)sizeof inner)
                done += replay(inner);
            free(names[i]);
        }
        if (count >= 0)
            free(names);
        return done;
    }
    gjb_error error = {{0}};
    size_t size;
    unsigned char *bytes = gjb_file_read(path, NULL, &size, &error);
    if (!bytes) {
        fprintf(stderr, "%s\n", error.text);
        exit(GJB_EXIT_USAGE);
    }
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    return 1;
}

int main(int argc, char **argv)
{
    int done = 0;
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE-OR-FOLDER...\n", argv[0]);
        return GJB_EXIT_USAGE;
    }
    for (int i = 1; i < argc; i++)
        done += replay(argv[i]);
    printf("%d inputs replayed\n", done);
    return done ? GJB_EXIT_OK : GJB_EXIT_USAGE;
}
