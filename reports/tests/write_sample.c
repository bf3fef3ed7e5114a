/* Writes FOLDER/bench2.json, verify2.json, bench3.json, verify3.json,
 * history2.json, history3.json and known.json, made up: for looking at a page without an hour of measuring. */
#include <stdio.h>

#include "reports/tests/sample.h"

static int put(const char *folder, const char *name, int number, json_t *json)
{
    char path[4096], digits[16] = "";
    if (number)
        snprintf(digits, sizeof digits, "%d", number);
    snprintf(path, sizeof path, "%s/%s%s.json", folder, name, digits);
    int failed = json_dump_file(json, path, JSON_INDENT(1));
    json_decref(json);
    return failed;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return fputs("usage: write_sample FOLDER\n", stderr), 2;
    int failed = put(argv[1], "known", 0, sample_known());
    for (int dim = 2; dim <= 3; dim++)
        failed |= put(argv[1], "bench", dim, sample_bench(dim)) | put(argv[1], "verify", dim, sample_verify(dim)) |
                  put(argv[1], "history", dim, sample_timeline(dim));
    return failed ? 2 : 0;
}
