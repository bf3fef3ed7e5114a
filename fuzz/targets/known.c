/* The importer of known failures: what it takes are scenes that keep the rules. */
#include <string.h>

#include "core/tests/target.h"
#include "verify/known_failures.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gjb_error error = {{0}};
    (void)gjb_known_failures_sniff(data, size);
    gjb_known_failures *all = gjb_known_failures_parse(data, size, "input", &error);
    if (!all) {
        gjb_target_refused(&error);
        return 0;
    }
    for (size_t i = 0; i < all->count; i++)
        gjb_target_require(!gjb_scene_check(all->cases[i].scene, "case", &error),
                           "a case that breaks the rules", error.text);
    gjb_known_failures_free(all);
    return 0;
}
