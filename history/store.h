/* The history's file: one SQLite database. Its tables are described in docs/history.md. */
#ifndef GJB_HISTORY_STORE_H
#define GJB_HISTORY_STORE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "history/record.h"

enum { GJB_STORE_SCHEMA = 1 };

typedef struct gjb_store {
    sqlite3 *db;
    const char *path;
    bool made; /* the file, and nothing is in it yet */
} gjb_store;

typedef enum gjb_store_mode { GJB_STORE_READ, GJB_STORE_WRITE /* made if there is none */ } gjb_store_mode;

/* 0, or -1 with one line: no such file, no database, no history, of a newer gjkbench, locked for more than ten
 * seconds, not to be written to. Close in both cases. `path` must outlive the store. A new history is there once
 * something is committed to it; closed before, its file is taken away. A write that a killed process left is taken
 * back, by readers as well. */
int gjb_store_open(gjb_store *store, const char *path, gjb_store_mode mode, gjb_error *error);
void gjb_store_close(gjb_store *store);

/* All or nothing; writers take turns. Each 0, or -1 with one line in `error`; without an end, closing takes all
 * back. */
int gjb_store_begin(gjb_store *store, gjb_error *error);
int gjb_store_commit(gjb_store *store, gjb_error *error);

/* 1 when it is new, 0 when it is there already, -1 with one line in `error`. */
int gjb_store_add(gjb_store *store, const gjb_record *record, gjb_error *error);

/* A statement with texts bound from the first parameter on, as many as are not NULL; or NULL with one line in
 * `error`. Ends with sqlite3_finalize. */
sqlite3_stmt *gjb_store_ask(const gjb_store *store, const char *sql, const char *const *texts, size_t count,
                            gjb_error *error);
/* 1 for a row, 0 for the end, -1 with one line in `error`. */
int gjb_store_row(const gjb_store *store, sqlite3_stmt *statement, gjb_error *error);
/* A column's text, "" for NULL; the statement's until its next row. */
const char *gjb_store_text(sqlite3_stmt *statement, int column);

#endif
