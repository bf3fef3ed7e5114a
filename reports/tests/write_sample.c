/* Writes FOLDER/bench.json and FOLDER/verify.json, made up: for looking at a
 * page without an hour of measuring. */
#include <stdio.h>

#include "reports/tests/sample.h"

int main(int argc, char **argv)
{
    char path[4096];
    if (argc != 2)
        return fputs("usage: write_sample FOLDER\n", stderr), 2;
    json_t *bench = sample_bench(), *verify = sample_verify();
    snprintf(path, sizeof path, "%s/bench.json", argv[1]);
    int failed = json_dump_file(bench, path, JSON_INDENT(1));
    snprintf(path, sizeof path, "%s/verify.json", argv[1]);
    failed |= json_dump_file(verify, path, JSON_INDENT(1));
    json_decref(bench);
    json_decref(verify);
    return failed ? 2 : 0;
}
