/* The SQLite store of runs: opened, checked, locked, written in transactions, and queried. */
#include "history/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Says that an SQLite file is ours, as sqlite3(1) and file(1) read it: "gjkh". */
enum { APPLICATION = 0x676a6b68, PATIENCE_MS = 10000 };

static const char schema[] =
    "CREATE TABLE machine(id TEXT PRIMARY KEY, cpu TEXT NOT NULL, cpus INTEGER NOT NULL, identity TEXT NOT NULL) STRICT;"
    "CREATE TABLE build(id INTEGER PRIMARY KEY, compiler TEXT NOT NULL, flags TEXT NOT NULL, type TEXT NOT NULL,"
    " UNIQUE(compiler, flags, type)) STRICT;"
    "CREATE TABLE benchmark(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, contender TEXT NOT NULL,"
    " backend TEXT NOT NULL) STRICT;"
    "CREATE TABLE run(id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, machine TEXT NOT NULL REFERENCES machine(id),"
    " build INTEGER NOT NULL REFERENCES build(id), \"commit\" TEXT NOT NULL, commit_date INTEGER, date INTEGER NOT NULL,"
    " seed INTEGER NOT NULL, host TEXT NOT NULL, kernel TEXT NOT NULL, context TEXT NOT NULL) STRICT;"
    "CREATE INDEX run_of_commit ON run(\"commit\", commit_date);"
    "CREATE TABLE measurement(run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,"
    " benchmark INTEGER NOT NULL REFERENCES benchmark(id), position INTEGER NOT NULL,"
    " ns REAL NOT NULL, low REAL NOT NULL, high REAL NOT NULL, workload_hash TEXT NOT NULL, fingerprint TEXT NOT NULL,"
    " version TEXT NOT NULL, row TEXT NOT NULL, PRIMARY KEY(benchmark, run), UNIQUE(run, position)) STRICT;"
    /* A run's place: its commit's date if any run tells it, else its own. */
    "CREATE VIEW placed AS SELECT run.*, coalesce((SELECT max(c.commit_date) FROM run c"
    " WHERE c.\"commit\" = run.\"commit\"), run.date) AS place FROM run;";

/* Which file a run came from; of histories that older programs made, not of their runs. Not in `run`, whose columns
 * they know. */
static const char source[] = "CREATE TABLE IF NOT EXISTS main.source(run INTEGER PRIMARY KEY REFERENCES run(id)"
                             " ON DELETE CASCADE, file TEXT NOT NULL) STRICT;";
static const char no_source[] = "CREATE TEMP TABLE source(run INTEGER PRIMARY KEY, file TEXT NOT NULL) STRICT;";

static int fail(const gjb_store *store, const char *what, gjb_error *error)
{
    const int code = store->db ? sqlite3_errcode(store->db) : SQLITE_NOMEM;
    switch (code) {
    case SQLITE_NOTADB:
        return gjb_fail(error, "%s: is not an SQLite database", store->path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return gjb_fail(error, "%s: is locked by another process for more than %d s; try again later", store->path,
                        PATIENCE_MS / 1000);
    case SQLITE_READONLY:
        if (sqlite3_extended_errcode(store->db) == SQLITE_READONLY_ROLLBACK)
            return gjb_fail(error,
                            "%s: cannot %s: a write to it was cut short, which a user who may write to it and its "
                            "folder takes back by any 'gjkbench history' command",
                            store->path, what);
        return gjb_fail(error, "%s: cannot %s: it, or its folder, is read-only", store->path, what);
    case SQLITE_CANTOPEN: {
        const int why = sqlite3_system_errno(store->db);
        return gjb_fail(error, "%s: cannot %s: %s", store->path, what, why ? strerror(why) : sqlite3_errmsg(store->db));
    }
    default:
        return gjb_fail(error, "%s: cannot %s: %s", store->path, what,
                        store->db ? sqlite3_errmsg(store->db) : "out of memory");
    }
}

static int run_sql(const gjb_store *store, const char *sql, const char *what, gjb_error *error)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) ? fail(store, what, error) : 0;
}

static int number_of(const gjb_store *store, const char *sql, long long *number, gjb_error *error)
{
    sqlite3_stmt *statement = gjb_store_ask(store, sql, NULL, 0, error);
    const int got = statement ? gjb_store_row(store, statement, error) : -1;
    if (got > 0)
        *number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return got > 0 ? 0 : -1;
}

/* Inside a transaction, for another process may be making it, too. What it made is part of what is written next:
 * if that fails, the file stays empty. */
static int make_tables(gjb_store *store, gjb_error *error)
{
    char marks[96];
    long long tables = 0;
    snprintf(marks, sizeof marks, "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION, GJB_STORE_SCHEMA);
    if (gjb_store_begin(store, error) || number_of(store, "SELECT count(*) FROM sqlite_schema", &tables, error))
        return -1;
    if (!tables && (run_sql(store, schema, "make its tables", error) || run_sql(store, marks, "make it", error)))
        return -1;
    return tables ? gjb_store_commit(store, error) : 0;
}

static int check_ours(gjb_store *store, gjb_store_mode mode, gjb_error *error)
{
    long long application = 0, version = 0, tables = 0;
    if (number_of(store, "SELECT count(*) FROM sqlite_schema", &tables, error))
        return -1;
    if (!tables && mode == GJB_STORE_READ)
        return gjb_fail(error, "%s: is empty; 'gjkbench history add FILE' puts runs into it", store->path);
    if (!tables && make_tables(store, error))
        return -1;
    if (number_of(store, "PRAGMA application_id", &application, error) ||
        number_of(store, "PRAGMA user_version", &version, error))
        return -1;
    if (application != APPLICATION)
        return gjb_fail(error, "%s: is an SQLite database of another program, not a history of gjkbench", store->path);
    if (version != GJB_STORE_SCHEMA)
        return gjb_fail(error, "%s: user_version: %lld, but this gjkbench knows %d: a newer one made it", store->path,
                        version, GJB_STORE_SCHEMA);
    return 0;
}

/* Only what can be a database is opened: a pipe would be waited for. */
static int check_path(const char *path, gjb_store_mode mode, gjb_error *error)
{
    struct stat status;
    if (!stat(path, &status))
        return S_ISREG(status.st_mode) ? 0
               : gjb_fail(error, "%s: %s", path, S_ISDIR(status.st_mode) ? strerror(EISDIR) : "is no regular file");
    if (mode == GJB_STORE_READ)
        return gjb_fail(error, "%s: %s; 'gjkbench history add FILE' makes one", path,
                        errno == ENOENT ? "no history there" : strerror(errno));
    return 0;
}

/* Did this process make the file? Then it takes it away again if nothing comes into it. */
static bool make_file(const char *path)
{
    const int file = strcmp(path, ":memory:") ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    return file >= 0 && !close(file);
}

/* Of readers, which ask for files even if no table has them. */
static int close_to_writes(gjb_store *store, gjb_error *error)
{
    long long there = 0;
    if (number_of(store, "SELECT count(*) FROM sqlite_schema WHERE name = 'source'", &there, error) ||
        (!there && run_sql(store, no_source, "open", error)))
        return -1;
    return run_sql(store, "PRAGMA query_only = ON", "open", error);
}

int gjb_store_open(gjb_store *store, const char *path, gjb_store_mode mode, gjb_error *error)
{
    *store = (gjb_store){.path = path};
    if (check_path(path, mode, error))
        return -1;
    store->made = mode == GJB_STORE_WRITE && make_file(path);
    /* Readers may write as well: a killed process may have left a journal, which they roll back. Of what may not be
     * written SQLite makes a connection that only reads. */
    const int flags = SQLITE_OPEN_READWRITE | (mode == GJB_STORE_WRITE ? SQLITE_OPEN_CREATE : 0);
    if (sqlite3_open_v2(path, &store->db, flags, NULL))
        return fail(store, "open", error);
    sqlite3_extended_result_codes(store->db, 0);
    sqlite3_busy_timeout(store->db, PATIENCE_MS);
    if (run_sql(store, "PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY", "open", error) ||
        check_ours(store, mode, error))
        return -1;
    return mode == GJB_STORE_READ ? close_to_writes(store, error) : 0;
}

/* Under a lock, for others wait for it to write into the same file: see gjb_store_begin. */
static void remove_empty(gjb_store *store)
{
    gjb_error none = {""};
    long long tables = 1;
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    if (!sqlite3_exec(store->db, "BEGIN EXCLUSIVE", NULL, NULL, NULL) &&
        !number_of(store, "SELECT count(*) FROM sqlite_schema", &tables, &none) && !tables)
        unlink(store->path);
}

void gjb_store_close(gjb_store *store)
{
    if (store->db && store->made)
        remove_empty(store);
    sqlite3_close(store->db);
    *store = (gjb_store){.path = store->path};
}

int gjb_store_begin(gjb_store *store, gjb_error *error)
{
    if (!sqlite3_get_autocommit(store->db))
        return 0;
    int moved = 0;
    if (run_sql(store, "BEGIN IMMEDIATE", "write", error))
        return -1;
    sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved ? gjb_fail(error, "%s: was removed by another process just now; try again", store->path) : 0;
}

int gjb_store_commit(gjb_store *store, gjb_error *error)
{
    const int failed = run_sql(store, "COMMIT", "write", error);
    store->made = store->made && failed;
    return failed;
}

sqlite3_stmt *gjb_store_ask(const gjb_store *store, const char *sql, const char *const *texts, size_t count,
                            gjb_error *error)
{
    sqlite3_stmt *statement = NULL;
    int failed = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    for (size_t i = 0; i < count && !failed; i++)
        if (texts[i])
            failed = sqlite3_bind_text(statement, (int)i + 1, texts[i], -1, SQLITE_TRANSIENT);
    if (!failed)
        return statement;
    fail(store, "read", error);
    sqlite3_finalize(statement);
    return NULL;
}

int gjb_store_row(const gjb_store *store, sqlite3_stmt *statement, gjb_error *error)
{
    const int got = sqlite3_step(statement);
    return got == SQLITE_ROW ? 1 : got == SQLITE_DONE ? 0 : fail(store, "read", error);
}

const char *gjb_store_text(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text ? (const char *)text : "";
}

/* Binds by letters: t a text, i a whole number, r a real one, n a whole number or nothing below 0. */
typedef union bound { const char *t; long long i; double r; } bound;

static int put(const gjb_store *store, const char *sql, const char *types, const bound *values, gjb_error *error)
{
    sqlite3_stmt *statement = NULL;
    int failed = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    for (int i = 0; types[i] && !failed; i++)
        switch (types[i]) {
        case 't': failed = sqlite3_bind_text(statement, i + 1, values[i].t, -1, SQLITE_STATIC); break;
        case 'r': failed = sqlite3_bind_double(statement, i + 1, values[i].r); break;
        case 'n':
            if (values[i].i < 0) {
                failed = sqlite3_bind_null(statement, i + 1);
                break;
            }
            /* fall through */
        default: failed = sqlite3_bind_int64(statement, i + 1, values[i].i);
        }
    failed = failed || sqlite3_step(statement) != SQLITE_DONE ? fail(store, "write", error) : 0;
    sqlite3_finalize(statement);
    return failed;
}

static int put_run(gjb_store *store, const gjb_record *r, gjb_error *error)
{
    char *context = gjb_record_text(r->context);
    if (!context)
        return gjb_fail(error, "%s: out of memory", store->path);
    const bound machine[] = {{.t = r->machine}, {.t = r->cpu}, {.i = r->cpus}, {.t = r->identity}},
                build[] = {{.t = r->compiler}, {.t = r->flags}, {.t = r->build_type}},
                run[] = {{.t = r->hash}, {.t = r->machine}, {.t = r->compiler}, {.t = r->flags}, {.t = r->build_type},
                         {.t = r->commit}, {.i = r->commit_date}, {.i = r->date}, {.i = r->seed}, {.t = r->host},
                         {.t = r->kernel}, {.t = context}};
    int failed = put(store, "INSERT OR IGNORE INTO machine VALUES(?, ?, ?, ?)", "ttit", machine, error) ||
                 put(store, "INSERT OR IGNORE INTO build(compiler, flags, type) VALUES(?, ?, ?)", "ttt", build, error) ||
                 put(store,
                     "INSERT INTO run(hash, machine, build, \"commit\", commit_date, date, seed, host, kernel, context)"
                     " VALUES(?1, ?2, (SELECT id FROM build WHERE compiler = ?3 AND flags = ?4 AND type = ?5),"
                     " ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
                     "tttttt" "niittt", run, error);
    free(context);
    return failed ? -1 : 0;
}

static int put_row(gjb_store *store, const gjb_record *r, size_t at, long long run, gjb_error *error)
{
    const gjb_row row = gjb_record_row(r, at);
    char *text = gjb_record_text(json_array_get(r->rows, at));
    if (!text)
        return gjb_fail(error, "%s: out of memory", store->path);
    const bound benchmark[] = {{.t = row.name}, {.t = row.contender}, {.t = row.backend}},
                values[] = {{.i = run}, {.t = row.name}, {.i = (long long)at}, {.r = row.ns}, {.r = row.low},
                            {.r = row.high}, {.t = row.workload_hash}, {.t = row.fingerprint}, {.t = row.version},
                            {.t = text}};
    int failed =
        put(store, "INSERT OR IGNORE INTO benchmark(name, contender, backend) VALUES(?, ?, ?)", "ttt", benchmark, error) ||
        put(store,
            "INSERT INTO measurement(run, benchmark, position, ns, low, high, workload_hash, fingerprint, version, row)"
            " VALUES(?1, (SELECT id FROM benchmark WHERE name = ?2), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            "itirrrtttt", values, error);
    free(text);
    return failed ? -1 : 0;
}

int gjb_store_add(gjb_store *store, const gjb_record *record, gjb_error *error)
{
    const char *hash = record->hash;
    sqlite3_stmt *statement = gjb_store_ask(store, "SELECT 1 FROM run WHERE hash = ?", &hash, 1, error);
    const int known = statement ? gjb_store_row(store, statement, error) : -1;
    sqlite3_finalize(statement);
    if (known)
        return known > 0 ? 0 : -1;
    if (put_run(store, record, error))
        return -1;
    const long long run = sqlite3_last_insert_rowid(store->db);
    const bound from[] = {{.i = run}, {.t = record->file ? record->file : ""}};
    if (run_sql(store, source, "write", error) || put(store, "INSERT INTO source VALUES(?, ?)", "it", from, error))
        return -1;
    for (size_t i = 0; i < json_array_size(record->rows); i++)
        if (put_row(store, record, i, run, error))
            return -1;
    return 1;
}
