/* A league table that was kept: read, held against itself and against an empty one. */
#include "core/tests/target.h"
#include "reports/league/league.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gjb_error error = {{0}};
    json_t *league = gjb_league_load(gjb_target_path(data, size), &error);
    if (!league) {
        gjb_target_refused(&error);
        return 0;
    }
    gjb_league_change change;
    json_t *none = json_object(), *self = gjb_league_merge(league, league, &change);
    gjb_target_require(self != NULL, "not to be merged with itself", NULL);
    gjb_target_require(!change.added, "an entry that is new to its own table", change.refused);
    json_decref(self);
    json_decref(gjb_league_merge(none, league, &change));
    json_decref(gjb_league_merge(league, none, &change));
    json_decref(none);
    json_decref(league);
    return 0;
}
