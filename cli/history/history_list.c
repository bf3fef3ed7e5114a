/* What there is in a history: list, show. */
#include <stdlib.h>
#include <string.h>

#include "cli/history/history.h"
#include "history/series.h"

static void print_cell(sqlite3_stmt *q, int column)
{
    fputs(history_clean(gjb_store_text(q, column)), stdout);
}

/* Prints rows by letters: t a text, d a date, w a text of eight, n a number; what is between them as it is. */
static long print_rows(const gjb_store *store, const char *sql, const char *parameter, const char *form, gjb_error *error)
{
    sqlite3_stmt *q = gjb_store_ask(store, sql, &parameter, 1, error);
    int got = q ? 1 : -1;
    long rows = 0;
    while (got > 0 && (got = gjb_store_row(store, q, error)) > 0) {
        int column = 0;
        for (const char *f = form; *f; f++) {
            if (*f != '%') {
                putchar(*f);
                continue;
            }
            switch (*++f) {
            case 't': print_cell(q, column); break;
            case 'd': fputs(gjb_day_of(sqlite3_column_int64(q, column)).s, stdout); break;
            case 'w': printf("%.8s", gjb_store_text(q, column)); break;
            case 'r': printf("%9.4g", sqlite3_column_double(q, column)); break;
            default: printf("%lld", (long long)sqlite3_column_int64(q, column));
            }
            column++;
        }
        rows++;
    }
    sqlite3_finalize(q);
    return got < 0 ? -1 : rows;
}

static int list(const gjb_store *store, int benchmarks, gjb_error *error)
{
    if (benchmarks)
        return print_rows(store,
                          "SELECT b.name, count(*), count(DISTINCT r.machine) FROM benchmark b JOIN measurement m ON"
                          " m.benchmark = b.id JOIN run r ON r.id = m.run WHERE ?1 IS NULL GROUP BY b.id ORDER BY b.name",
                          NULL, "%t  %n times, %n machine(s)\n", error) < 0;
    puts("machines, or what counted: times of one are never compared with another's");
    if (print_rows(store,
                   "SELECT m.id, m.cpu || CASE m.cpus WHEN 0 THEN '' ELSE ', ' || m.cpus || ' CPUs' END, count(r.id),"
                   " CASE count(r.id) WHEN 1 THEN '' ELSE 's' END, group_concat(DISTINCT r.host) FROM machine m"
                   " JOIN run r ON r.machine = m.id WHERE ?1 IS NULL GROUP BY m.id ORDER BY m.id",
                   NULL, "  %t  %t; %n run%t; hosts %t\n", error) < 0)
        return -1;
    puts("builds");
    if (print_rows(store,
                   "SELECT b.id, b.compiler, b.type, b.flags, count(r.id), CASE count(r.id) WHEN 1 THEN '' ELSE 's' END"
                   " FROM build b JOIN run r ON r.build = b.id WHERE ?1 IS NULL GROUP BY b.id ORDER BY b.id",
                   NULL, "  %n  %t, %t, %t; %n run%t\n", error) < 0)
        return -1;
    puts("runs, in the order of their commits");
    return print_rows(store,
                      "SELECT p.hash, strftime('%Y-%m-%d %H:%M', p.date, 'unixepoch'), p.\"commit\", "
                      "p.place, p.machine, p.build, p.seed, (SELECT count(*) FROM measurement m"
                      " WHERE m.run = p.id), coalesce((SELECT ', from ' || file FROM source WHERE run = p.id AND file <> ''),"
                      " '')"
                      " FROM placed p WHERE ?1 IS NULL ORDER BY p.place, p.date, p.hash",
                      NULL, "  %w  run %t  commit %t of %d  machine %t  build %n  seed %n  %n benchmarks%t\n",
                      error) < 0;
}

int history_list(int argc, char **argv)
{
    const char *db = NULL, *files[1];
    int benchmarks = 0;
    const cli_option options[] = {{"benchmarks", CLI_FLAG, &benchmarks, NULL, "list the benchmarks instead, with the number of times of each"},
                                  {"db", CLI_TEXT, &db, "FILE", history_db_about},
                                  {0}};
    const cli_spec spec = {
        .usage = "history list [--benchmarks] [--db FILE]",
        .about = "Lists machines, builds and runs of the history. A machine is named by a hash of its CPU's name, number of\n"
                 "processors, caches and whether its clock is scaled; a run by a hash of all its content.",
        .options = options,
        .examples = "  gjkbench history list\n"
                    "  gjkbench history list --benchmarks --db team.db\n",
    };
    gjb_store store = {0};
    gjb_error error = {{0}};
    int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code >= 0)
        return code;
    const int failed = gjb_store_open(&store, history_path(db), GJB_STORE_READ, &error) || list(&store, benchmarks, &error);
    gjb_store_close(&store);
    return failed ? history_fail("list", &error, GJB_EXIT_USAGE) : GJB_EXIT_OK;
}

static int show(const gjb_store *store, const char *run, gjb_error *error)
{
    static const char matching[] = "hash GLOB ?1 || '*' OR \"commit\" = ?1";
    char sql[640];
    if (strspn(run, "0123456789abcdefABCDEF") != strlen(run) && strpbrk(run, "*?["))
        return gjb_fail(error, "'%s': expected the beginning of a run's hash, or a commit", run);
    snprintf(sql, sizeof sql,
             "SELECT p.hash, coalesce((SELECT file FROM source WHERE run = p.id), ''), p.\"commit\", p.place, p.date,"
             " p.machine, m.identity, p.host, p.kernel, b.compiler, b.type, b.flags, p.seed FROM placed p"
             " JOIN build b ON b.id = p.build JOIN machine m ON m.id = p.machine"
             " WHERE p.id IN (SELECT id FROM run WHERE %s) ORDER BY p.place, p.date, p.hash", matching);
    const long runs = print_rows(store, sql, run,
                                 "run      %t\nfile     %t\ncommit   %t, in place %d\ndate     %d\n"
                                 "machine  %t\n         %t\nhost     %t\n"
                                 "kernel   %t\ncompiler %t, %t\nflags    %t\nseed     %n\n\n", error);
    if (runs == 0)
        return gjb_fail(error, "%s: no run begins with '%s', and none is of that commit; 'history list' names them", store->path, run);
    snprintf(sql, sizeof sql,
             "SELECT m.ns, m.low, m.high, CASE WHEN k.identity LIKE '{\"counted_by\"%%' THEN 'instr.' ELSE 'ns    ' END,"
             " m.fingerprint, m.workload_hash, b.name FROM run r JOIN measurement m ON m.run = r.id"
             " JOIN benchmark b ON b.id = m.benchmark JOIN machine k ON k.id = r.machine WHERE %s"
             " ORDER BY r.date, r.hash, m.position", matching);
    if (runs > 0)
        puts("   a pair       low      high  unit    fingerprint       workload          benchmark");
    return runs < 0 || print_rows(store, sql, run, "%r %r %r  %t  %t  %t  %t\n", error) < 0 ? -1 : 0;
}

int history_show(int argc, char **argv)
{
    const char *db = NULL, *files[1];
    const cli_option options[] = {{"db", CLI_TEXT, &db, "FILE", history_db_about}, {0}};
    const cli_spec spec = {
        .usage = "history show RUN [--db FILE]",
        .about = "Shows runs with all their times. RUN is a commit, or the beginning of a run's hash.",
        .options = options,
        .examples = "  gjkbench history show 3f9a20c1\n"
                    "  gjkbench history show b4db410\n",
        .min_files = 1,
        .max_files = 1,
    };
    gjb_store store = {0};
    gjb_error error = {{0}};
    int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code >= 0)
        return code;
    const int failed = gjb_store_open(&store, history_path(db), GJB_STORE_READ, &error) || show(&store, files[0], &error);
    gjb_store_close(&store);
    return failed ? history_fail("show", &error, GJB_EXIT_USAGE) : GJB_EXIT_OK;
}
