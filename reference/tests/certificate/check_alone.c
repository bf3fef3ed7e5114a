/* The checker as whoever trusts nothing else would use it: linked with gjkcert alone.
 * usage: check_alone CERTIFICATE... */
#include <stdio.h>

#include "reference/certificate/certificate.h"

static int check(const char *path)
{
    gjb_error error = {{0}};
    gjb_pair_space space = {0};
    ref_certificate_file file;
    ref_certified verdict = {.accepted = false};
    gjb_pair pair;
    if (ref_certificate_load(path, &file, &error)) {
        fprintf(stderr, "%s\n", error.text);
    } else if (!gjb_scene_pair(file.scene, 0, 0, &space, &pair)) {
        ref_certificate_check(&pair, &file.certificate, &verdict);
        printf("%s: %s%s: %.17g <= sigma <= %.17g\n", path,
               verdict.accepted ? "accepted" : "refused: ", verdict.reason, verdict.lo, verdict.hi);
    }
    gjb_pair_space_free(&space);
    ref_certificate_file_close(&file);
    return verdict.accepted;
}

int main(int argc, char **argv)
{
    int refused = argc < 2;
    for (int i = 1; i < argc; i++)
        refused += !check(argv[i]);
    return refused > 0;
}
