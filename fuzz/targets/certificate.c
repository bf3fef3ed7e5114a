/* Certificates from files: refused in one line, or checked, written and read again the same. What the checker accepts of
 * anybody's file it must accept again, and prove as much. */
#include <stdlib.h>
#include <string.h>

#include "core/tests/target.h"
#include "reference/certificate/certificate.h"

enum { FACES_MOST = 400, POINTS_MOST = 200 }; /* exact arithmetic takes its time */

static int is_large(const ref_certificate *c)
{
    return c->face_count > FACES_MOST || c->vertex_count > FACES_MOST || c->inner_count[0] > POINTS_MOST ||
           c->inner_count[1] > POINTS_MOST || c->points[0].count > POINTS_MOST ||
           c->points[1].count > POINTS_MOST;
}

static void check(const ref_certificate_file *file, ref_certified *verdict)
{
    gjb_pair_space space = {0};
    gjb_pair pair;
    gjb_target_require(!gjb_scene_pair(file->scene, 0, 0, &space, &pair), "a file without a pair", NULL);
    ref_certificate_check(&pair, &file->certificate, verdict);
    gjb_target_require(verdict->lo <= verdict->hi, "proven bounds that cross", verdict->reason);
    gjb_target_require(verdict->accepted || verdict->reason[0], "refused without a reason", NULL);
    gjb_target_require(!(verdict->sign > 0 && verdict->hi <= 0) && !(verdict->sign < 0 && verdict->lo > 0),
                       "a sign that the bounds deny", NULL);
    gjb_pair_space_free(&space);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gjb_error error = {{0}};
    ref_certificate_file file = {0}, again = {0};
    if (ref_certificate_parse(data, size, "input", &file, &error)) {
        gjb_target_refused(&error);
    } else if (!is_large(&file.certificate)) {
        ref_certified first, second;
        char *text = ref_certificate_text(&file);
        gjb_target_require(text != NULL, "cannot be written", NULL);
        gjb_target_require(!ref_certificate_parse(text, strlen(text), "again", &again, &error),
                           "written, and refused", error.text);
        check(&file, &first);
        check(&again, &second);
        gjb_target_require(first.accepted == second.accepted && first.sign == second.sign &&
                               first.lo == second.lo && first.hi == second.hi,
                           "written and read again, it proves something else", text);
        free(text);
    }
    ref_certificate_file_close(&file);
    ref_certificate_file_close(&again);
    return 0;
}
