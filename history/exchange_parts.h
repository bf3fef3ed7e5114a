/* What writing and reading a CSV share. */
#ifndef GJB_HISTORY_EXCHANGE_PARTS_H
#define GJB_HISTORY_EXCHANGE_PARTS_H

#include "history/record.h"

enum {
    CSV_RUN = 0, CSV_MACHINE, CSV_CPU, CSV_CPUS, CSV_COMPILER, CSV_FLAGS, CSV_TYPE, CSV_COMMIT, CSV_COMMIT_DATE, CSV_DATE,
    CSV_SEED, CSV_BENCHMARK, CSV_CONTENDER, CSV_VERSION, CSV_BACKEND, CSV_WORKLOAD, CSV_FINGERPRINT, CSV_NS, CSV_LOW, CSV_HIGH,
    CSV_ROW, CSV_CONTEXT, CSV_COLUMNS
};
extern const char *const csv_names[CSV_COLUMNS];

typedef struct csv_line {
    const char *s[CSV_COLUMNS];
    char cpus[24], seed[24], date[32], commit_date[32], ns[32], low[32], high[32];
    char *row, *context; /* its own; context NULL but in a run's first line */
} csv_line;

/* The line of a run's row. 0, or -1 out of memory. Free in both cases. */
int csv_line_make(csv_line *line, const gjb_record *record, size_t at);
void csv_line_free(csv_line *line);

#endif
