/* Exports a history as JSON or CSV, after all of it was read. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/file.h"
#include "draw/text.h"
#include "history/exchange.h"
#include "history/exchange_parts.h"

const char *const csv_names[CSV_COLUMNS] = {
    "run", "machine", "cpu", "num_cpus", "compiler", "flags", "build_type", "commit", "commit_date", "date",
    "seed", "benchmark", "contender", "version", "backend", "workload_hash", "fingerprint", "ns_per_pair", "ns_low", "ns_high",
    "row", "context"};

static void put_date(char text[32], json_int_t seconds)
{
    const time_t t = (time_t)seconds;
    struct tm utc;
    text[0] = '\0';
    if (seconds >= 0 && gmtime_r(&t, &utc))
        strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

int csv_line_make(csv_line *line, const gjb_record *record, size_t at)
{
    const gjb_row row = gjb_record_row(record, at);
    *line = (csv_line){.row = gjb_record_text(json_array_get(record->rows, at)),
                       .context = at ? NULL : gjb_record_text(record->context)};
    if (!line->row || (!at && !line->context))
        return -1;
    snprintf(line->cpus, sizeof line->cpus, "%lld", (long long)record->cpus);
    snprintf(line->seed, sizeof line->seed, "%lld", (long long)record->seed);
    put_date(line->date, record->date);
    put_date(line->commit_date, record->commit_date);
    snprintf(line->ns, sizeof line->ns, "%.17g", row.ns);
    snprintf(line->low, sizeof line->low, "%.17g", row.low);
    snprintf(line->high, sizeof line->high, "%.17g", row.high);
    const char *const s[CSV_COLUMNS] = {
        record->hash, record->machine, record->cpu, line->cpus, record->compiler, record->flags, record->build_type, record->commit,
        line->commit_date, line->date, line->seed, row.name, row.contender, row.version, row.backend, row.workload_hash,
        row.fingerprint, line->ns, line->low, line->high, line->row, line->context ? line->context : ""};
    memcpy(line->s, s, sizeof s);
    return 0;
}

void csv_line_free(csv_line *line)
{
    free(line->row);
    free(line->context);
}

/* A stored run as the record that it came from. 1, 0 at the end, or -1 with `error`. */
static int next_record(const gjb_store *store, sqlite3_stmt *runs, sqlite3_stmt *rows, gjb_record *record, gjb_error *error)
{
    const int got = gjb_store_row(store, runs, error);
    if (got <= 0)
        return got;
    char where[400];
    const char *hash = gjb_store_text(runs, 1);
    snprintf(where, sizeof where, "%.300s: run %.20s", store->path, hash);
    json_t *all = json_array(), *context = json_loads(gjb_store_text(runs, 2), 0, NULL);
    int failed = 0, more = 0;
    sqlite3_reset(rows);
    sqlite3_bind_int64(rows, 1, sqlite3_column_int64(runs, 0));
    while (!failed && (more = gjb_store_row(store, rows, error)) > 0)
        failed = json_array_append_new(all, json_loads(gjb_store_text(rows, 0), 0, NULL));
    json_t *root = json_pack("{so* so*}", "context", context, "benchmarks", all);
    failed = failed ? gjb_fail(error, "%s: a row is no JSON: the database is damaged", where)
                    : more < 0 || gjb_record_make(record, root, where, error);
    json_decref(root);
    if (!failed && strcmp(record->hash, hash))
        failed = gjb_fail(error, "%s: is not what was added, by its hash: the database was changed, or is damaged", where);
    return failed ? -1 : 1;
}

int gjb_history_each(const gjb_store *store, gjb_run_visit visit, void *user, gjb_error *error)
{
    sqlite3_stmt *runs = gjb_store_ask(store, "SELECT id, hash, context FROM run ORDER BY date, hash", NULL, 0, error);
    sqlite3_stmt *rows = gjb_store_ask(store, "SELECT row FROM measurement WHERE run = ? ORDER BY position", NULL, 0, error);
    int got = runs && rows ? 1 : -1;
    while (got > 0) {
        gjb_record record = {0};
        got = next_record(store, runs, rows, &record, error);
        if (got > 0 && visit(user, &record, error))
            got = -1;
        gjb_record_free(&record);
    }
    sqlite3_finalize(runs);
    sqlite3_finalize(rows);
    return got;
}

typedef struct writing {
    const gjb_store *store;
    gjb_run_visit visit;
    const char *head, *tail;
    FILE *file;
    size_t runs;
} writing;

static int visit_json(void *user, const gjb_record *record, gjb_error *error)
{
    writing *w = user;
    char *context = gjb_record_text(record->context);
    int failed = !context;
    if (context)
        fprintf(w->file, "%s\n {\"context\": %s,\n  \"benchmarks\": [", w->runs++ ? "," : "", context);
    free(context);
    for (size_t i = 0; i < json_array_size(record->rows) && !failed; i++) {
        char *row = gjb_record_text(json_array_get(record->rows, i));
        failed = !row;
        if (row)
            fprintf(w->file, "%s\n   %s", i ? "," : "", row);
        free(row);
    }
    fputs("]}", w->file);
    return failed ? gjb_fail(error, "history: out of memory") : 0;
}

static int visit_csv(void *user, const gjb_record *record, gjb_error *error)
{
    writing *w = user;
    int failed = 0;
    for (size_t i = 0; i < json_array_size(record->rows) && !failed; i++) {
        csv_line line;
        text out = {0};
        failed = csv_line_make(&line, record, i);
        for (size_t c = 0; c < CSV_COLUMNS && !failed; c++) {
            text_add(&out, c ? "," : "");
            text_csv(&out, line.s[c]);
        }
        text_add(&out, "\r\n");
        failed = failed || out.failed;
        if (!failed)
            fwrite(out.s, 1, out.size, w->file);
        text_free(&out);
        csv_line_free(&line);
    }
    return failed ? gjb_fail(error, "history: out of memory") : 0;
}

static int visit_nothing(void *user, const gjb_record *record, gjb_error *error)
{
    (void)user, (void)record, (void)error;
    return 0;
}

static void write_all(FILE *file, const void *context)
{
    writing *w = (writing *)(uintptr_t)context;
    w->file = file;
    fputs(w->head, file);
    gjb_history_each(w->store, w->visit, w, NULL);
    fputs(w->tail, file);
}

/* All is read once before the first byte is written: what cannot be read replaces no file. */
static int export_all(writing *w, const char *path, gjb_error *error)
{
    char *unused = NULL;
    if (sqlite3_exec(w->store->db, "BEGIN", NULL, NULL, &unused))
        return gjb_fail(error, "%s: cannot read: %s", w->store->path, unused);
    int failed = gjb_history_each(w->store, visit_nothing, NULL, error) || gjb_file_write(path, write_all, w, error);
    sqlite3_exec(w->store->db, "COMMIT", NULL, NULL, NULL);
    return failed ? -1 : 0;
}

int gjb_history_export_json(const gjb_store *store, const char *path, gjb_error *error)
{
    writing w = {.store = store, .visit = visit_json, .head = "{\"gjkbench_history\": 1,\n\"runs\": [", .tail = "\n]}\n"};
    return export_all(&w, path, error);
}

int gjb_history_export_csv(const gjb_store *store, const char *path, gjb_error *error)
{
    char head[512] = "";
    for (size_t c = 0; c < CSV_COLUMNS; c++) {
        strcat(head, c ? "," : "");
        strcat(head, csv_names[c]);
    }
    strcat(head, "\r\n");
    writing w = {.store = store, .visit = visit_csv, .head = head, .tail = ""};
    return export_all(&w, path, error);
}
