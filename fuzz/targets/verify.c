/* Result files of `verify` and `fuzz`: read back, combined, printed and written. With a second file behind a NUL, two
 * shards. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/tests/target.h"
#include "fuzz/hunt.h"
#include "verify/verify_merge.h"

/* The digest is what no search comes upon by chance. */
static void mend(json_t *root)
{
    char digest[20];
    if (json_is_object(root) && !gjb_verify_digest(root, digest))
        json_object_set_new(root, "digest", json_string(digest));
}

static const gjb_verify_paint plain = {"", "", "", ""};

static void combine_searches(const gjb_verify_part *parts, size_t count)
{
    gjb_error error = {{0}};
    gjb_hunt_part of[2];
    uint64_t missing = 0;
    for (size_t i = 0; i < count; i++)
        of[i] = (gjb_hunt_part){parts[i].name, parts[i].root};
    json_t *hunt = gjb_hunt_merge(of, count, &missing, &error);
    if (hunt) {
        FILE *nowhere = fopen("/dev/null", "w");
        char *text = json_dumps(hunt, 0);
        gjb_target_require(text != NULL, "a search that cannot be written", NULL);
        gjb_hunt_print(hunt, nowhere, &plain);
        (void)gjb_hunt_exit(hunt);
        fclose(nowhere);
        free(text);
        json_decref(hunt);
    } else {
        gjb_target_refused(&error);
    }
}

static void combine_verified(const gjb_verify_part *parts, size_t count)
{
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

/* As `merge` has it: the first file decides. */
static void combine(const gjb_verify_part *parts, size_t count)
{
    const char *kind = json_string_value(json_object_get(parts[0].root, "kind"));
    (kind && !strcmp(kind, "fuzz") ? combine_searches : combine_verified)(parts, count);
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
