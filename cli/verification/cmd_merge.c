/* The command `merge`: combines shards of `verify` or `fuzz`, and prints commands for missing ones. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/verification/verify_plan.h"
#include "core/json_file.h"
#include "fuzz/hunt.h"
#include "verify/verify_merge.h"

static int fail(const gjb_error *error)
{
    fprintf(stderr, CLI_PROGRAM " merge: %s\n", error->text);
    return GJB_EXIT_USAGE;
}

static int is_fuzz(const gjb_verify_part *part)
{
    const char *kind = json_string_value(json_object_get(part->root, "kind"));
    return kind && !strcmp(kind, "fuzz");
}

/* As a shell takes it back. */
static void print_word(FILE *stream, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,=:+%@";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, 0}, stream);
    fputc('\'', stream);
}

/* Where a missing shard goes: next to `like`, the file of shard `number`, with the last such number of its name replaced. */
static void print_file(FILE *stream, const char *like, uint64_t number, uint64_t shard)
{
    char digits[24], path[4608];
    const size_t length = (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    const char *slash = strrchr(like, '/'), *base = slash ? slash + 1 : like, *at = NULL;
    for (const char *c = base; (c = strstr(c, digits)); c++)
        if ((c == base || !strchr("0123456789", c[-1])) && (!c[length] || !strchr("0123456789", c[length])))
            at = c;
    if (at)
        snprintf(path, sizeof path, "%.*s%llu%s", (int)(at - like), like, (unsigned long long)shard, at + length);
    else
        snprintf(path, sizeof path, "%.*sshard-%llu.json", (int)(base - like), like, (unsigned long long)shard);
    print_word(stream, path);
}

/* As `verify` was called: its files have the words. */
static void print_arguments(FILE *stream, const json_t *root)
{
    size_t i;
    json_t *word;
    json_array_foreach(json_object_get(json_object_get(root, "context"), "arguments"), i, word) {
        fputc(' ', stream);
        print_word(stream, json_is_string(word) ? json_string_value(word) : "");
    }
}

/* An option and a list of names, each once; of objects their `key`. */
static void print_names(FILE *stream, const char *option, const json_t *list, const char *key)
{
    size_t i;
    json_t *one, *told = json_object();
    json_array_foreach(list, i, one) {
        const char *name = json_string_value(key ? json_object_get(one, key) : one);
        if (!name || !strcmp(name, "-") || json_object_get(told, name))
            continue;
        fprintf(stream, json_object_size(told) ? "," : " --%s ", option);
        print_word(stream, name);
        json_object_set_new(told, name, json_true());
    }
    json_decref(told);
}

/* What a search was asked for, from its plan: of a corpus and a plug-in that has no more than hash and name. */
static void print_search(FILE *stream, const json_t *root)
{
    const json_t *plan = json_object_get(root, "plan"), *workloads = json_object_get(plan, "workloads"), *one;
    const char *corpus = json_string_value(json_object_get(plan, "corpus"));
    int dims[2] = {0};
    size_t i;
    json_array_foreach(workloads, i, one)
        dims[json_integer_value(json_object_get(one, "dim")) == 3] = 1;
    print_names(stream, "contender", json_object_get(plan, "contenders"), "name");
    print_names(stream, "backend", json_object_get(plan, "contenders"), "backend");
    if (dims[0] != dims[1])
        fprintf(stream, " --dim %d", dims[1] ? 3 : 2);
    print_names(stream, "query", json_object_get(plan, "queries"), NULL);
    print_names(stream, "precision", json_object_get(plan, "precisions"), NULL);
    print_names(stream, "workload", workloads, "name");
    print_names(stream, "family", json_object_get(plan, "families"), NULL);
    if (json_integer_value(json_object_get(plan, "pairs")))
        fprintf(stream, " --pairs %" JSON_INTEGER_FORMAT, json_integer_value(json_object_get(plan, "pairs")));
    else
        fprintf(stream, " --time %.17gs", json_number_value(json_object_get(plan, "seconds")));
    fprintf(stream, " --seed %" JSON_INTEGER_FORMAT, json_integer_value(json_object_get(plan, "seed")));
    if (json_object_get(plan, "margin"))
        fprintf(stream, " --margin %.17g", json_number_value(json_object_get(plan, "margin")));
    if (json_object_get(plan, "within"))
        fprintf(stream, " --within %.17g", json_number_value(json_object_get(plan, "within")));
    if (json_object_get(plan, "leaving"))
        fputs(" --leaving ignore", stream);
    if (json_is_false(json_object_get(plan, "guided")))
        fputs(" --unguided", stream);
    if (json_is_true(json_object_get(plan, "as_found")))
        fputs(" --as-found", stream);
    if (json_integer_value(json_object_get(plan, "shrink")))
        fprintf(stream, " --shrink %" JSON_INTEGER_FORMAT, json_integer_value(json_object_get(plan, "shrink")));
    if (corpus && strcmp(corpus, "-") != 0)
        fputs(" --corpus CORPUS", stream);
}

/* The command that does a shard, or does it again. */
static void print_command(FILE *stream, const gjb_verify_part *parts, const gjb_verify_shards *shards, uint64_t shard)
{
    uint64_t known = shard; /* a shard that there is a file of */
    for (uint64_t s = 0; shards->state[known] == GJB_SHARD_MISSING && s < shards->count; s++)
        known = s;
    const gjb_verify_part *part = &parts[shards->part[known]];
    const int search = is_fuzz(part);
    fprintf(stream, CLI_PROGRAM " %s", search ? "fuzz" : "verify");
    (search ? print_search : print_arguments)(stream, part->root);
    fprintf(stream, " --shard %llu/%llu%s --json ", (unsigned long long)shard + 1, (unsigned long long)shards->count,
            search ? "" : " --resume");
    if (known == shard)
        print_word(stream, part->name);
    else
        print_file(stream, part->name, known + 1, shard + 1);
    fputc('\n', stream);
}

static int tell_missing(const gjb_verify_part *parts, const gjb_verify_shards *shards, FILE *stream)
{
    uint64_t interrupted = 0;
    for (uint64_t s = 0; s < shards->count; s++)
        interrupted += shards->state[s] == GJB_SHARD_INTERRUPTED;
    fprintf(stderr,
            CLI_PROGRAM " merge: of %llu shards %llu are missing and %llu interrupted; --partial merges the rest, and "
                        "these do them%s:\n",
            (unsigned long long)shards->count, (unsigned long long)(shards->count - shards->done - interrupted),
            (unsigned long long)interrupted,
            is_fuzz(parts) ? ", with the --plugin, --corpus and --out that there were" : "");
    for (uint64_t s = 0; s < shards->count; s++)
        if (shards->state[s] != GJB_SHARD_DONE)
            print_command(stream, parts, shards, s);
    return GJB_EXIT_USAGE;
}

/* Who made the parts, which is no part of the results: another run has another. */
static json_t *sources(const gjb_verify_part *parts, size_t count)
{
    json_t *list = json_array();
    for (size_t p = 0; p < count; p++) {
        json_t *context = json_object_get(parts[p].root, "context"),
               *seconds = json_object_get(json_object_get(parts[p].root, "summary"), "seconds"),
               *shard = json_object_get(json_object_get(parts[p].root, "plan"), "shard");
        json_array_append_new(list, json_pack("{ss sO sO sO* sO* sO*}", "file", parts[p].name, "shard", shard, "seconds",
                                              seconds, "date", json_object_get(context, "date"), "host_name",
                                              json_object_get(context, "host_name"), "cpu", json_object_get(context, "cpu")));
    }
    return list;
}

/* The program that answered, not the one that merges. */
static json_t *context_of(const gjb_verify_part *parts, size_t count)
{
    json_t *context = json_copy(json_object_get(parts[0].root, "context"));
    json_object_set_new(context, "merged", sources(parts, count));
    return context;
}

static int give(const gjb_verify_report *report, const gjb_verify_part *parts, size_t count, const char *json_path)
{
    gjb_error error = {{0}};
    FILE *stream = cli_text_stream(json_path);
    const gjb_verify_paint paint = cli_verify_paint(stream);
    gjb_verify_print(report, stream, &paint);
    if (!json_path)
        return gjb_verify_exit(report);
    json_t *json = json_object(), *results = gjb_verify_json(report);
    json_object_set_new(json, "context", context_of(parts, count));
    json_object_update_missing(json, results);
    const int failed = cli_write_json(json, json_path, &error);
    json_decref(results);
    json_decref(json);
    return failed ? fail(&error) : gjb_verify_exit(report);
}

/* Of one of the parts: with line and column. */
static int fail_at(const gjb_verify_part *parts, size_t count, gjb_error *error)
{
    for (size_t p = 0; p < count; p++)
        gjb_json_point_file(error, parts[p].name);
    return fail(error);
}

static int merge(const gjb_verify_part *parts, size_t count, int partial, const char *json_path)
{
    gjb_error error = {{0}};
    gjb_verify_shards shards;
    gjb_verify_report *report = gjb_verify_combine(parts, count, &shards, &error);
    int code;
    if (!report)
        code = fail_at(parts, count, &error);
    else if (report->interrupted && !partial)
        code = tell_missing(parts, &shards, cli_text_stream(json_path));
    else
        code = give(report, parts, count, json_path);
    gjb_verify_free(report);
    gjb_verify_shards_free(&shards);
    return code;
}

/* Of parts that were merged: none is there twice, and each is one of so many. */
static int shards_of_search(const gjb_verify_part *parts, size_t count, gjb_verify_shards *shards, gjb_error *error)
{
    const json_t *plan = json_object_get(parts[0].root, "plan");
    shards->count = (uint64_t)json_integer_value(json_object_get(plan, "shards"));
    shards->state = calloc(shards->count, sizeof *shards->state);
    shards->part = calloc(shards->count, sizeof *shards->part);
    if (!shards->state || !shards->part)
        return gjb_fail(error, "out of memory");
    for (size_t p = 0; p < count; p++) {
        const json_t *shard = json_object_get(json_object_get(parts[p].root, "plan"), "shard"),
                     *summary = json_object_get(parts[p].root, "summary");
        const size_t at = (size_t)json_integer_value(shard) - 1;
        const int cut = json_is_true(json_object_get(summary, "interrupted"));
        shards->state[at] = cut ? GJB_SHARD_INTERRUPTED : GJB_SHARD_DONE;
        shards->part[at] = p;
        shards->done += !cut;
    }
    return 0;
}

static int give_fuzz(json_t *hunt, const gjb_verify_part *parts, size_t count, const char *json_path)
{
    gjb_error error = {{0}};
    FILE *stream = cli_text_stream(json_path);
    const gjb_verify_paint paint = cli_verify_paint(stream);
    gjb_hunt_print(hunt, stream, &paint);
    int code = gjb_hunt_exit(hunt);
    if (json_path) {
        json_t *json = json_object();
        json_object_set_new(json, "context", context_of(parts, count));
        json_object_update_missing(json, hunt);
        code = cli_write_json(json, json_path, &error) ? fail(&error) : code;
        json_decref(json);
    }
    return code;
}

static int merge_fuzz(const gjb_verify_part *parts, size_t count, int partial, const char *json_path)
{
    gjb_error error = {{0}};
    gjb_verify_shards shards = {0};
    uint64_t missing = 0;
    int code;
    gjb_hunt_part *of = calloc(count, sizeof *of);
    for (size_t p = 0; p < count && of; p++)
        of[p] = (gjb_hunt_part){parts[p].name, parts[p].root};
    json_t *hunt = of ? gjb_hunt_merge(of, count, &missing, &error) : NULL;
    free(of);
    if (!hunt || shards_of_search(parts, count, &shards, &error))
        code = fail_at(parts, count, &error);
    else if (missing && !partial)
        code = tell_missing(parts, &shards, cli_text_stream(json_path));
    else
        code = give_fuzz(hunt, parts, count, json_path);
    json_decref(hunt);
    gjb_verify_shards_free(&shards);
    return code;
}

/* Results over one of the files that they are of: a shard would be lost. */
static int names_part(const char *json_path, const char *const *files, size_t count, gjb_error *error)
{
    struct stat to, from;
    if (cli_is_stdout(json_path) || stat(json_path, &to))
        return 0;
    for (size_t i = 0; i < count; i++)
        if (!cli_is_stdout(files[i]) && !stat(files[i], &from) && from.st_dev == to.st_dev && from.st_ino == to.st_ino)
            return gjb_fail(error, "--json: %s: is one of the files to merge", json_path);
    return 0;
}

int cmd_merge(int argc, char **argv)
{
    const char *json_path = NULL;
    int partial = 0;
    const cli_option options[] = {
        {"json", CLI_TEXT, &json_path, "FILE", "write the merged results as JSON; '-' is stdout, and the table goes to stderr"},
        {"partial", CLI_FLAG, &partial, NULL, "merge even if shards are missing or interrupted"},
        {0}};
    const cli_spec spec = {
        .usage = "merge FILE... [--json FILE] [--partial]",
        .about =
            "Combines the shards of one verification, or of one search by 'fuzz'. FILEs are result files of\n"
            "'verify --shard K/N --json' or 'fuzz --shard K/N --json'. Result, table and exit code are those that a single\n"
            "run would have given. Files of another seed, plan, commit, compiler or flags are refused, and so are a shard\n"
            "that is there twice and a file that was changed.\n\n"
            "If shards are missing or were interrupted, it exits with 2. On stdout it prints only the commands that run\n"
            "these shards, for a shell or a queue. --partial merges the others. In the commands for a search add\n"
            "--plugin and --out, which its files do not have, and the path of --corpus.",
        .options = options,
        .examples = "  mkdir -p c\n"
                    "  gjkbench verify --pairs 10M --shard 1/2 --json c/1.json    here; shard 2/2 on another machine\n"
                    "  gjkbench merge c/*.json --json campaign.json               the result of a single run\n"
                    "  gjkbench merge c/*.json | sh                               run missing and interrupted shards\n",
        .min_files = 1,
        .max_files = SIZE_MAX};
    const char **files = calloc((size_t)argc + 1, sizeof *files);
    gjb_verify_part *parts = calloc((size_t)argc + 1, sizeof *parts);
    size_t count = 0, loaded = 0;
    gjb_error error = {{0}};
    if (!files || !parts)
        gjb_fail(&error, "out of memory");
    int code = error.text[0] ? fail(&error) : cli_parse(&spec, argc, argv, files, &count);
    if (code < 0 && json_path && (cli_check_writable(json_path, &error) || names_part(json_path, files, count, &error)))
        code = fail(&error);
    for (; loaded < count && code < 0; loaded++) {
        parts[loaded] = (gjb_verify_part){gjb_json_place(files[loaded]), gjb_json_load(files[loaded], &error)};
        if (!parts[loaded].root)
            code = fail(&error);
    }
    if (code < 0)
        code = is_fuzz(&parts[0]) ? merge_fuzz(parts, count, partial, json_path) : merge(parts, count, partial, json_path);
    for (size_t p = 0; p < loaded; p++)
        json_decref((json_t *)(uintptr_t)parts[p].root);
    free(files);
    free(parts);
    return code;
}
