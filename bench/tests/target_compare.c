/* Results of `bench` as `compare` and `convert` read them. Behind a NUL comes the new side; without one the old file is
 * both. */
#include <stdio.h>
#include <string.h>

#include "bench/compare/comparison.h"
#include "bench/formats.h"
#include "core/tests/target.h"

enum { ROWS_MOST = 24 }; /* resampling takes its time */

static void compare(const json_t *old, const json_t *new)
{
    static const gjb_bench_paint plain = {"", "", "", ""};
    const gjb_result_file sides[GJB_PAIRED_SIDES] = {{"old", old}, {"new", new}};
    const gjb_files_settings settings = {.floor = 0.01, .alpha = 0.05, .seed = 1};
    gjb_error error = {{0}};
    gjb_comparison c = {0};
    if (gjb_compare_files(&c, sides, &settings, &error)) {
        gjb_target_refused(&error);
    } else {
        FILE *nowhere = fopen("/dev/null", "w");
        json_t *json = gjb_comparison_json(&c);
        gjb_target_require(json != NULL, "a comparison that cannot be written", NULL);
        gjb_comparison_print(&c, nowhere, &plain);
        fclose(nowhere);
        json_decref(json);
    }
    gjb_comparison_free(&c);
}

static void convert(const json_t *root)
{
    gjb_error error = {{0}};
    const json_t *rows = gjb_rows(root, "input", gjb_format_fields, GJB_FORMAT_FIELDS, &error);
    if (!rows) {
        gjb_target_refused(&error);
        return;
    }
    for (size_t i = 0; i < gjb_format_count; i++) {
        json_t *made = gjb_formats[i].convert(rows);
        gjb_target_require(made != NULL, "rows that cannot be converted", gjb_formats[i].name);
        json_decref(made);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *second = memchr(data, 0, size);
    const size_t first = second ? (size_t)(second - data) : size;
    json_t *old = json_loadb((const char *)data, first, JSON_REJECT_DUPLICATES, NULL), *new = old;
    if (second)
        new = json_loadb((const char *)second + 1, size - first - 1, JSON_REJECT_DUPLICATES, NULL);
    const size_t rows = json_array_size(json_object_get(old, "benchmarks")) +
                        json_array_size(json_object_get(new, "benchmarks"));
    if (old && new &&rows <= ROWS_MOST) {
        convert(old);
        compare(old, new);
    }
    if (second)
        json_decref(new);
    json_decref(old);
    return old ? 0 : -1;
}
