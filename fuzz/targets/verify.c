/* Result files of `verify`: read back, combined, printed and written. With a second file behind a NUL, two shards. */
#include <stdio.h>
#include <string.h>

#include "core/tests/target.h"
#include "fuzz/verify_merge.h"

/* The digest is what no search comes upon by chance. */
static void mend(json_t *root)
{
    char digest[20];
    if (json_is_object(root) && !gjb_verify_digest(root, digest))
        json_object_set_new(root, "digest", json_string(digest));
}

static void combine(const gjb_verify_part *parts, size_t count)
{
    static const gjb_verify_paint plain = {"", "", "", ""};
    gjb_error error = {{0}};
    gjb_verify_shards shards = {0};
    gjb_verify_report *report = gjb_verify_combine(parts, count, &shards, &error);
    if (report) {
        FILE *nowhere = fopen("/dev/null", "w");
        json_t *json = gjb_verify_json(report);
        gjb_target_require(json != NULL, "a report that cannot be written", NULL);
        gjb_verify_print(report, nowhere, &plain);
        (void)gjb_verify_exit(report);
        fclose(nowhere);
        json_decref(json);
        gjb_verify_free(report);
    } else {
        gjb_target_refused(&error);
    }
    gjb_verify_shards_free(&shards);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *second = memchr(data, 0, size);
    const size_t first = second ? (size_t)(second - data) : size;
    gjb_verify_part parts[2] = {
        {"first", json_loadb((const char *)data, first, JSON_REJECT_DUPLICATES, NULL)}, {"second", NULL}};
    if (second)
        parts[1].root = json_loadb((const char *)second + 1, size - first - 1, JSON_REJECT_DUPLICATES, NULL);
    const size_t count = parts[0].root ? 1 + (parts[1].root != NULL) : 0;
    if (count) {
        combine(parts, count);
        for (size_t i = 0; i < count; i++)
            mend((json_t *)(uintptr_t)parts[i].root);
        combine(parts, count);
    }
    for (size_t i = 0; i < 2; i++)
        json_decref((json_t *)(uintptr_t)parts[i].root);
    return 0;
}
