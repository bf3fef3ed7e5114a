/* Results as `report` reads them, of every kind: told apart by content, checked field by field; the league table that
 * they come to. */
#include "core/tests/target.h"
#include "reports/results.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gjb_error error = {{0}};
    results r;
    const char *const files[] = {gjb_target_path(data, size)};
    if (results_load(&r, files, 1, &error)) {
        gjb_target_refused(&error);
    } else {
        size_t changed, slower;
        timeline_count(&r, &changed, &slower);
        for (size_t i = 0; i < results_points(&r); i++)
            gjb_target_require(results_point(&r, i) != NULL, "a point that is not there", NULL);
        for (uint32_t dim = 2; dim <= 3; dim++) {
            results part;
            if (!results_part(&r, dim, &part))
                results_part_free(&part);
        }
        (void)results_context(&r, "seed");
        if (results_make_league(&r, &error))
            gjb_target_refused(&error);
    }
    results_free(&r);
    return 0;
}
