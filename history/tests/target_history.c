/* A history that another program exports (JSON or CSV), and a result file that is added to one: into a database in
 * memory, if nothing that was refused may leave a trace. */
#include <stdlib.h>

#include "core/tests/target.h"
#include "history/exchange.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gjb_error error = {{0}};
    gjb_store store;
    gjb_imported imported;
    gjb_record record;
    gjb_target_require(!gjb_store_open(&store, ":memory:", GJB_STORE_WRITE, &error) &&
                           !gjb_store_begin(&store, &error),
                       "no database", error.text);
    const char *path = gjb_target_path(data, size);
    if (gjb_history_import(&store, path, &imported, &error)) {
        gjb_target_refused(&error);
    } else { /* what was taken is there */
        gjb_imported again;
        gjb_target_require(!gjb_history_import(&store, path, &again, &error), "taken once, refused again",
                           error.text);
        gjb_target_require(!again.added, "taken twice", NULL);
    }
    gjb_error other = {{0}};
    if (gjb_record_read(&record, path, &other) || gjb_store_add(&store, &record, &other) < 0)
        gjb_target_refused(&other);
    gjb_record_free(&record);
    gjb_store_close(&store);
    return 0;
}
