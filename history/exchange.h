/* A whole history as one file for other programs, and back. What is written is a function of the runs alone: reading it
 * into a new history and writing that gives the same bytes. */
#ifndef GJB_HISTORY_EXCHANGE_H
#define GJB_HISTORY_EXCHANGE_H

#include "history/store.h"

/* {"gjkbench_history": 1, "runs": [...]}, each run as its result file said; or CSV with a line per time, whose last two
 * columns are the whole row and, in a run's first line, the whole context, as JSON. "-" is standard output; a
 * file comes by way of a temporary. Each 0, or -1 with one line in `error`. */
int gjb_history_export_json(const gjb_store *store, const char *path, gjb_error *error);
int gjb_history_export_csv(const gjb_store *store, const char *path, gjb_error *error);

typedef struct gjb_imported { size_t added, known; } gjb_imported;
/* Either, told apart by its first character. A column that does not say what its row does is refused, not
 * guessed about. The caller began a transaction. 0, or -1 with one line naming file, place, field and value. */
int gjb_history_import(gjb_store *store, const char *path, gjb_imported *imported, gjb_error *error);

/* Calls `visit` with each run, by date and hash, until it fails. */
typedef int (*gjb_run_visit)(void *user, const gjb_record *record, gjb_error *error);
int gjb_history_each(const gjb_store *store, gjb_run_visit visit, void *user, gjb_error *error);

#endif
