/* What goes into a history and out of it: add, import, export. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/history/history.h"
#include "history/exchange.h"

/* The result file itself, or that of a folder which 'run' wrote. */
static void result_path(const char *given, char path[4096])
{
    struct stat status;
    const int folder = !stat(given, &status) && S_ISDIR(status.st_mode);
    snprintf(path, 4096, folder ? "%s/data/bench.json" : "%s", given);
}

static int add_files(gjb_store *store, const char **files, size_t count, gjb_imported *all, gjb_error *error)
{
    for (size_t i = 0; i < count; i++) {
        gjb_record record;
        char path[4096];
        if (cli_interrupted)
            return -1;
        result_path(files[i], path);
        int added = gjb_record_read(&record, path, error);
        added = added ? -1 : gjb_store_add(store, &record, error);
        if (added >= 0)
            printf("%s: %s run %.8s: commit %s, machine %s, %s, %zu benchmarks\n", history_clean(path),
                   added ? "added" : "already there, not added again:", record.hash, history_clean(record.commit),
                   record.machine, history_clean(record.compiler), json_array_size(record.rows));
        gjb_record_free(&record);
        if (added < 0)
            return -1;
        all->added += added > 0;
        all->known += !added;
        cli_progress("added files", i + 1, count);
    }
    return 0;
}

int history_add(int argc, char **argv)
{
    const char *db = NULL, **files = calloc((size_t)argc + 1, sizeof *files);
    size_t count = 0;
    const cli_option options[] = {{"db", CLI_TEXT, &db, "FILE", history_db_about}, {0}};
    const cli_spec spec = {
        .usage = "history add FILE... [--db FILE]",
        .about = "Adds runs to the history, which is created if there is none. FILE is a result file of 'bench --json', or a\n"
                 "folder that 'run --out' wrote, from which data/bench.json is taken. Each run is kept in full. A run that is\n"
                 "already there, by the hash of its file's content, is named and not added again. If a file cannot be read,\n"
                 "or after Ctrl-C, none of the files is added. Two processes that add take turns.",
        .options = options,
        .examples = "  gjkbench history add bench.json\n"
                    "  gjkbench history add report results/*.json --db team.db\n"
                    "  gjkbench bench --quick --json - | gjkbench history add -\n",
        .min_files = 1,
        .max_files = (size_t)argc,
    };
    int code = files ? cli_parse(&spec, argc, argv, files, &count) : GJB_EXIT_HARNESS;
    gjb_store store = {0};
    gjb_error error = {{0}};
    gjb_imported all = {0};
    if (code < 0) {
        cli_catch_interrupt();
        code = gjb_store_open(&store, history_path(db), GJB_STORE_WRITE, &error) || gjb_store_begin(&store, &error) ||
                       add_files(&store, files, count, &all, &error) || gjb_store_commit(&store, &error)
                   ? GJB_EXIT_USAGE
                   : GJB_EXIT_OK;
        gjb_store_close(&store);
        if (cli_interrupted && code) {
            gjb_fail(&error, "interrupted; nothing was added");
            code = CLI_EXIT_INTERRUPTED;
        }
        if (code)
            history_fail("add", &error, code);
        else
            printf("%s: %zu added, %zu already there\n", history_path(db), all.added, all.known);
    }
    free(files);
    return code;
}

int history_import(int argc, char **argv)
{
    const char *db = NULL, *files[1];
    const cli_option options[] = {{"db", CLI_TEXT, &db, "FILE", history_db_about}, {0}};
    const cli_spec spec = {
        .usage = "history import FILE [--db FILE]",
        .about = "Reads the runs of a file that 'history export' wrote, JSON or CSV, into the history. Runs that are already\n"
                 "there are counted, and not added again. Each column of a CSV must agree with the JSON of its row: an edited\n"
                 "line is refused. Either all runs are read, or none.",
        .options = options,
        .examples = "  gjkbench history import theirs.json\n"
                    "  gjkbench history import theirs.csv --db both.db\n",
        .min_files = 1,
        .max_files = 1,
    };
    gjb_store store = {0};
    gjb_error error = {{0}};
    gjb_imported all = {0};
    int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code >= 0)
        return code;
    const int failed = gjb_store_open(&store, history_path(db), GJB_STORE_WRITE, &error) || gjb_store_begin(&store, &error) ||
                       gjb_history_import(&store, files[0], &all, &error) || gjb_store_commit(&store, &error);
    gjb_store_close(&store);
    if (failed)
        return history_fail("import", &error, GJB_EXIT_USAGE);
    printf("%s: %zu added, %zu already there\n", history_path(db), all.added, all.known);
    return GJB_EXIT_OK;
}

int history_export(int argc, char **argv)
{
    const char *db = NULL, *json = NULL, *csv = NULL, *files[1];
    const cli_option options[] = {{"json", CLI_TEXT, &json, "FILE", "write every run as its result file has it; '-' is stdout"},
                                  {"csv", CLI_TEXT, &csv, "FILE", "write one line per time; '-' is stdout"},
                                  {"db", CLI_TEXT, &db, "FILE", history_db_about},
                                  {0}};
    const cli_spec spec = {
        .usage = "history export --json FILE | --csv FILE [--db FILE]",
        .about = "Writes all runs. Both forms lose nothing: if 'history import' reads the file into a new history, an export\n"
                 "of that has the same bytes. The last two columns of the CSV are JSON: all that the result file has about\n"
                 "a benchmark, with raw samples, and, in the first line of a run, about the run.",
        .options = options,
        .examples = "  gjkbench history export --json all.json\n"
                    "  gjkbench history export --csv - | xsv select commit,benchmark,ns_per_pair\n",
    };
    gjb_store store = {0};
    gjb_error error = {{0}};
    int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code >= 0)
        return code;
    if (!json == !csv)
        return cli_usage_error("give the file to write: --json FILE or --csv FILE");
    if (cli_check_writable(json ? json : csv, &error))
        return history_fail("export", &error, GJB_EXIT_USAGE);
    int failed = gjb_store_open(&store, history_path(db), GJB_STORE_READ, &error);
    if (!failed)
        failed = json ? gjb_history_export_json(&store, json, &error) : gjb_history_export_csv(&store, csv, &error);
    gjb_store_close(&store);
    return failed ? history_fail("export", &error, GJB_EXIT_USAGE) : GJB_EXIT_OK;
}
