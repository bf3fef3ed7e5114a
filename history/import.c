/* Imports a history from JSON or CSV, and checks each column against the run's own context. */
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/json_file.h"
#include "history/exchange.h"
#include "history/exchange_parts.h"

static int add(gjb_store *store, const char *where, gjb_record *record, gjb_imported *imported, gjb_error *error)
{
    record->file = where;
    const int added = gjb_store_add(store, record, error);
    imported->added += added > 0;
    imported->known += added == 0;
    return added < 0 ? -1 : 0;
}

static int import_json(gjb_store *store, const char *where, const char *bytes, size_t size, gjb_imported *imported,
                       gjb_error *error)
{
    json_error_t at;
    json_t *root = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &at), *run;
    const json_t *runs = json_object_get(root, "runs"), *version = json_object_get(root, "gjkbench_history");
    size_t i;
    int failed = 0;
    if (!root)
        return gjb_fail(error, "%s:%d:%d: %s", where, at.line, at.column, at.text);
    if (!version)
        failed = gjb_fail(error, "%s: gjkbench_history: missing: not what 'history export' writes%s", where,
                          json_object_get(root, "benchmarks") ? "; 'history add' reads results of bench" : "");
    else if (json_integer_value(version) != 1)
        failed = gjb_fail(error, "%s: gjkbench_history: expected 1", where);
    else if (!json_is_array(runs))
        failed = gjb_fail(error, "%s: runs: expected an array", where);
    json_array_foreach(runs, i, run) {
        gjb_record record = {0};
        char place[320];
        snprintf(place, sizeof place, "%.270s: runs[%zu]", where, i);
        failed = failed || gjb_record_make(&record, run, place, error) || add(store, where, &record, imported, error);
        gjb_record_free(&record);
    }
    json_decref(root);
    if (failed && error)
        gjb_json_point(error, where, bytes, size);
    return failed ? -1 : 0;
}

/* ---- CSV, RFC 4180; a bare newline ends a line as well ---- */

typedef struct reader {
    const char *where;
    char *at, *end;
    size_t line; /* that was read last; 1 is the head */
} reader;

/* Takes a field out of its quotes, in place. What comes behind it is left at `at`. */
static char *field(reader *r)
{
    char *begin = r->at, *out = r->at;
    if (*begin != '"') {
        r->at += strcspn(r->at, ",\r\n");
        return begin;
    }
    for (r->at++; *r->at; r->at++) {
        if (*r->at == '"' && r->at[1] != '"')
            break;
        r->at += *r->at == '"';
        *out++ = *r->at;
    }
    if (!*r->at)
        return NULL;
    r->at++;
    *out = '\0';
    return begin;
}

/* The fields of one line. 0, or -1 with `error`. */
static int fields(reader *r, char *s[CSV_COLUMNS], gjb_error *error)
{
    r->line++;
    for (size_t c = 0; c < CSV_COLUMNS; c++) {
        s[c] = field(r);
        if (!s[c])
            return gjb_fail(error, "%s:%zu: %s: a quotation that does not end", r->where, r->line, csv_names[c]);
        const char after = *r->at;
        const int last = c + 1 == CSV_COLUMNS;
        if (last ? after && after != '\r' && after != '\n' : after != ',')
            return gjb_fail(error, "%s:%zu: %s: expected %s behind it, for there are %d columns", r->where, r->line,
                            csv_names[c], last ? "the line's end" : "a comma", CSV_COLUMNS);
        if (after)
            *r->at++ = '\0';
        if (last && after == '\r' && *r->at == '\n')
            r->at++;
    }
    return 0;
}

static int check_head(reader *r, gjb_error *error)
{
    char *s[CSV_COLUMNS];
    if (fields(r, s, error))
        return -1;
    for (size_t c = 0; c < CSV_COLUMNS; c++)
        if (strcmp(s[c], csv_names[c]))
            return gjb_fail(error, "%s:1: column %zu: '%.80s', expected '%s'", r->where, c + 1, s[c], csv_names[c]);
    return 0;
}

static json_t *json_of(const reader *r, const char *column, const char *value, gjb_error *error)
{
    json_error_t at;
    json_t *json = json_loads(value, JSON_REJECT_DUPLICATES, &at);
    if (!json)
        gjb_fail(error, "%s:%zu: %s: %s", r->where, r->line, column, *value ? at.text : "missing");
    return json;
}

typedef struct gathered {
    json_t *context, *rows; /* of the run that is being read; NULL before the first */
    char *(*lines)[CSV_COLUMNS];
    size_t first; /* its first line's number */
} gathered;

/* Each column against what the run's own JSON says. */
static int check_columns(const char *where, const gathered *g, const gjb_record *record, gjb_error *error)
{
    for (size_t i = 0; i < json_array_size(record->rows); i++) {
        csv_line wanted;
        if (csv_line_make(&wanted, record, i)) {
            csv_line_free(&wanted);
            return gjb_fail(error, "%s: out of memory", where);
        }
        for (size_t c = 0; c < CSV_ROW; c++)
            if (strcmp(g->lines[i][c], wanted.s[c])) {
                gjb_fail(error, "%s:%zu: %s: '%.60s', but by its %s it is '%.60s'", where, g->first + i, csv_names[c], g->lines[i][c],
                         c == CSV_RUN ? "row and context" : "JSON", wanted.s[c]);
                csv_line_free(&wanted);
                return -1;
            }
        csv_line_free(&wanted);
    }
    return 0;
}

static int finish_run(gjb_store *store, const reader *r, gathered *g, gjb_imported *imported, gjb_error *error)
{
    gjb_record record = {0};
    char where[320];
    if (!g->context)
        return 0;
    json_t *root = json_pack("{sO sO}", "context", g->context, "benchmarks", g->rows);
    snprintf(where, sizeof where, "%.270s:%zu", r->where, g->first);
    int failed = gjb_record_make(&record, root, where, error) || check_columns(r->where, g, &record, error) ||
                 add(store, r->where, &record, imported, error);
    json_decref(root);
    gjb_record_free(&record);
    json_decref(g->context);
    json_decref(g->rows);
    free(g->lines);
    *g = (gathered){0};
    return failed ? -1 : 0;
}

/* A line with a context begins a run. */
static int take_line(gjb_store *store, const reader *r, char *s[CSV_COLUMNS], gathered *g, gjb_imported *imported,
                     gjb_error *error)
{
    if (*s[CSV_CONTEXT]) {
        if (finish_run(store, r, g, imported, error))
            return -1;
        *g = (gathered){.context = json_of(r, "context", s[CSV_CONTEXT], error), .rows = json_array(), .first = r->line};
        if (!g->context)
            return -1;
    } else if (!g->context) {
        return gjb_fail(error, "%s:%zu: context: missing in a run's first line", r->where, r->line);
    }
    const size_t count = json_array_size(g->rows);
    void *grown = realloc(g->lines, (count + 1) * sizeof *g->lines);
    json_t *row = json_of(r, "row", s[CSV_ROW], error);
    if (grown)
        g->lines = grown;
    if (!grown || !row) {
        json_decref(row);
        return row ? gjb_fail(error, "%s: out of memory", r->where) : -1;
    }
    memcpy(g->lines[count], s, CSV_COLUMNS * sizeof *s);
    return json_array_append_new(g->rows, row) ? gjb_fail(error, "%s: out of memory", r->where) : 0;
}

static int import_csv(gjb_store *store, const char *where, char *bytes, size_t size, gjb_imported *imported, gjb_error *error)
{
    reader r = {.where = where, .at = bytes, .end = bytes + size};
    gathered g = {0};
    char *s[CSV_COLUMNS];
    int failed = check_head(&r, error);
    while (!failed && r.at < r.end)
        failed = fields(&r, s, error) || take_line(store, &r, s, &g, imported, error);
    failed = failed || finish_run(store, &r, &g, imported, error);
    json_decref(g.context);
    json_decref(g.rows);
    free(g.lines);
    return failed ? -1 : 0;
}

int gjb_history_import(gjb_store *store, const char *path, gjb_imported *imported, gjb_error *error)
{
    size_t size = 0;
    const char *where = strcmp(path, "-") ? path : "standard input";
    char *bytes = (char *)gjb_file_read(path, NULL, &size, error);
    *imported = (gjb_imported){0};
    if (!bytes)
        return -1;
    const char *first = bytes + strspn(bytes, " \t\r\n");
    const int csv = *first != '{' && *first != '[' && memchr(first, ',', strcspn(first, "\n"));
    int failed;
    if (!size)
        failed = gjb_fail(error, "%s: empty: neither JSON nor CSV", where);
    else if (strlen(bytes) != size)
        failed = gjb_fail(error, "%s: byte %zu is 0: neither JSON nor CSV", where, strlen(bytes) + 1);
    else
        failed = csv ? import_csv(store, where, bytes, size, imported, error)
                     : import_json(store, where, bytes, size, imported, error);
    free(bytes);
    return failed ? -1 : 0;
}
