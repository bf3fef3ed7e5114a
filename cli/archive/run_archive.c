/* Writes a run's words, inputs and results into an archive, and unpacks one to repeat its run. */
#include "cli/archive/run_archive.h"

#include <dirent.h>
#include <gmp.h>
#include <gnu/libc-version.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli/cli.h"
#include "contenders/table.h"
#include "core/file.h"
#include "core/json_file.h"
#include "scenes/hash.h"

const char *const cli_run_results[] = {"verify.json", "bench.json", "known.json", "league.json", NULL};

static const char manifest_name[] = "manifest.json", kind[] = "gjkbench run";

/* Of the words of a run: where results go, which is another matter each time, and code that is loaded, which nobody's
 * archive may choose. */
static const char *const places[] = {"--out", "--league", "--archive", "--from", "--plugin", "--contender-program", NULL};
static const char *const plugins[] = {"--plugin", "--contender-program", NULL};
/* Nor words that it has no business to hold: inputs come by its list of them. */
static const char *const never[] = {"--known", "--hulls", "--help", "-h", NULL};

/* ---- writing ---- */

json_t *cli_run_environment(void)
{
    static const char *const keys[] = {"cpu",      "num_cpus", "version",           "commit",
                                       "compiler", "flags",    "library_build_type"};
    json_t *all = cli_context(), *environment = json_object();
    struct utsname system;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        json_object_set(environment, keys[i], json_object_get(all, keys[i]));
    if (!uname(&system))
        json_object_set_new(environment, "system",
                            json_sprintf("%s %s %s", system.sysname, system.release, system.machine));
    json_object_set_new(environment, "libc", json_string(gnu_get_libc_version()));
    json_object_set_new(environment, "gmp", json_string(gmp_version));
    json_object_set_new(environment, "jansson", json_string(JANSSON_VERSION));
    for (size_t i = 0; i < gjb_contender_count(); i++) {
        const gjb_contender *c = gjb_contender_at(i);
        if (!c->ours)
            json_object_set_new(environment, c->name, json_string(c->version));
    }
    json_decref(all);
    return environment;
}

/* Does argv[i] spell one of the options? *words is how many it takes with its value. */
static int spells_any(const char *const *options, int argc, char **argv, int i, int *words)
{
    for (size_t k = 0; options[k]; k++) {
        const size_t size = strlen(options[k]);
        if (!strncmp(argv[i], options[k], size) && (!argv[i][size] || argv[i][size] == '=')) {
            *words = argv[i][size] || i + 1 == argc ? 1 : 2;
            return 1;
        }
    }
    return 0;
}

/* The words to repeat it with. A backend that the environment names is one of them. */
static json_t *words_of(const cli_run_asked *asked)
{
    const char *inputs[CLI_RUN_INPUTS + 1] = {NULL}, *backend = getenv("GJKBENCH_BACKEND");
    const char *const backends[] = {"--backend", NULL};
    json_t *words = json_array();
    int skip, named = 0;
    for (int i = 0; i < CLI_RUN_INPUTS; i++)
        inputs[i] = asked->inputs[i].option;
    for (int i = 1; i < asked->argc; i += skip) {
        if (spells_any(places, asked->argc, asked->argv, i, &skip) ||
            spells_any(inputs, asked->argc, asked->argv, i, &skip))
            continue;
        skip = 1;
        int unused;
        named |= spells_any(backends, asked->argc, asked->argv, i, &unused);
        json_array_append_new(words, json_string(asked->argv[i]));
    }
    if (backend && *backend && !named) {
        json_array_append_new(words, json_string("--backend"));
        json_array_append_new(words, json_string(backend));
    }
    return words;
}

static json_t *plugins_of(const cli_run_asked *asked)
{
    json_t *names = json_array();
    int words;
    for (int i = 1; i < asked->argc; i++)
        if (spells_any(plugins, asked->argc, asked->argv, i, &words)) {
            const char *inside = strchr(asked->argv[i], '=');
            json_array_append_new(names, json_string(words == 2 ? asked->argv[i + 1]
                                                     : inside   ? inside + 1
                                                                : ""));
        }
    return names;
}

/* Names of an input's files are ours: those of a folder keep their order. */
static int keep_file(cli_archive *archive, json_t *names, const char *option, const char *path,
                     gjb_error *error)
{
    char name[128];
    const char *dot = strrchr(path, '.');
    snprintf(name, sizeof name, "inputs/%s/%04zu%s", option + 2, json_array_size(names),
             dot && !strcmp(dot, ".gjb") ? ".gjb" : ".json");
    json_array_append_new(names, json_string(name));
    return cli_archive_add_file(archive, name, path, error);
}

static int keep_input(cli_archive *archive, json_t *inputs, const cli_run_input *input, gjb_error *error)
{
    struct dirent **names = NULL;
    const int count = scandir(input->path, &names, cli_is_scene, alphasort);
    json_t *kept = json_array();
    int failed = count < 0 ? keep_file(archive, kept, input->option, input->path, error) : 0;
    for (int i = 0; i < count; i++) {
        char path[CLI_RUN_PATH];
        if (!failed &&
            snprintf(path, sizeof path, "%s/%s", input->path, names[i]->d_name) >= (int)sizeof path)
            failed = gjb_fail(error, "%s: the path is too long", input->path);
        failed = failed || keep_file(archive, kept, input->option, path, error);
        free(names[i]);
    }
    free(names);
    json_array_append_new(
        inputs, json_pack("{ss sb so}", "option", input->option, "folder", count >= 0, "files", kept));
    return failed;
}

int cli_run_archive_begin(cli_archive *archive, json_t **manifest, const cli_run_asked *asked,
                          gjb_error *error)
{
    json_t *inputs = json_array();
    int failed = 0;
    for (int i = 0; i < CLI_RUN_INPUTS && !failed; i++)
        if (asked->inputs[i].path)
            failed = keep_input(archive, inputs, &asked->inputs[i], error);
    *manifest = json_pack("{ss si so so so so}", "archive", kind, "format", CLI_RUN_FORMAT, "arguments",
                          words_of(asked), "plugins", plugins_of(asked), "environment", cli_run_environment(),
                          "inputs", inputs);
    return failed || *manifest ? failed : gjb_fail(error, "out of memory");
}

static json_t *list_members(const cli_archive *archive)
{
    json_t *list = json_array();
    for (size_t i = 0; i < archive->count; i++) {
        const cli_member *m = &archive->members[i];
        char hash[20];
        snprintf(hash, sizeof hash, "%016llx",
                 (unsigned long long)gjb_fingerprint(m->bytes, 1, m->size, m->size, 0));
        json_array_append_new(
            list, json_pack("{ss sI ss}", "name", m->name, "size", (json_int_t)m->size, "hash", hash));
    }
    return list;
}

int cli_run_archive_end(cli_archive *archive, json_t *manifest, const cli_run_asked *asked, const char *path,
                        gjb_error *error)
{
    char from[CLI_RUN_PATH], name[128];
    int failed = 0;
    for (size_t i = 0; cli_run_results[i] && !failed; i++) {
        snprintf(from, sizeof from, "%s/data/%s", asked->out, cli_run_results[i]);
        snprintf(name, sizeof name, "results/%s", cli_run_results[i]);
        if (!access(from, R_OK))
            failed = cli_archive_add_file(archive, name, from, error);
    }
    snprintf(from, sizeof from, "%s/index.html", asked->out);
    if (!failed && !access(from, R_OK))
        failed = cli_archive_add_file(archive, "report/index.html", from, error);
    json_object_set_new(manifest, "exit_code", json_integer(asked->exit_code));
    json_object_set_new(manifest, "members", list_members(archive));
    char *text = json_dumps(manifest, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    failed = failed || !text || cli_archive_add(archive, manifest_name, text, text ? strlen(text) : 0, error);
    free(text);
    if (failed)
        return -1;
    /* First, so that whoever looks into it meets what it is. */
    const cli_member last = archive->members[archive->count - 1];
    memmove(archive->members + 1, archive->members, (archive->count - 1) * sizeof last);
    archive->members[0] = last;
    return cli_archive_write(archive, path, error);
}

/* ---- reading ---- */

static int check_members(const cli_run_again *again, const char *path, gjb_error *error)
{
    json_t *list = json_object_get(again->manifest, "members"), *one;
    size_t i;
    if (!json_is_array(list))
        return gjb_fail(error, "%s: %s: members: expected an array", path, manifest_name);
    json_array_foreach(list, i, one)
    {
        const char *name = json_string_value(json_object_get(one, "name")),
                   *hash = json_string_value(json_object_get(one, "hash"));
        const cli_member *m = name ? cli_archive_find(&again->archive, name) : NULL;
        char here[20] = "";
        if (m)
            snprintf(here, sizeof here, "%016llx",
                     (unsigned long long)gjb_fingerprint(m->bytes, 1, m->size, m->size, 0));
        if (!m || !hash || strcmp(hash, here))
            return gjb_fail(error, "%s: member %s is %s: cut short or changed", path,
                            name ? name : "without a name", m ? "not what was written" : "missing");
    }
    return 0;
}

static int read_manifest(cli_run_again *again, const char *path, gjb_error *error)
{
    const cli_member *m = again->archive.count ? &again->archive.members[0] : NULL;
    if (!m || strcmp(m->name, manifest_name))
        return gjb_fail(error, "%s: not an archive of 'gjkbench run --archive'", path);
    json_error_t at;
    char words[GJB_JSON_WORDS];
    again->manifest = json_loadb(m->bytes, m->size, 0, &at);
    if (!again->manifest)
        return gjb_fail(error, "%s: %s:%d:%d: %s", path, manifest_name, at.line, at.column, at.text);
    const char *is = json_string_value(json_object_get(again->manifest, "archive"));
    const json_int_t format = json_integer_value(json_object_get(again->manifest, "format"));
    if (!is || strcmp(is, kind))
        return gjb_fail(error, "%s: %s: archive: expected \"%s\", not %s", path, manifest_name, kind,
                        gjb_json_words(json_object_get(again->manifest, "archive"), words));
    if (format > CLI_RUN_FORMAT)
        return gjb_fail(error, "%s: format %lld is newer than the newest that this gjkbench reads, %d", path,
                        (long long)format, CLI_RUN_FORMAT);
    if (format < 1)
        return gjb_fail(error, "%s: %s: format: expected 1 to %d, not %s", path, manifest_name, CLI_RUN_FORMAT,
                        gjb_json_words(json_object_get(again->manifest, "format"), words));
    return check_members(again, path, error);
}

static int add_word(cli_run_again *again, const char *word, gjb_error *error)
{
    char *copy = again->argc < CLI_RUN_WORDS ? strdup(word) : NULL;
    if (!copy)
        return gjb_fail(error, "%s: too many words in its arguments", manifest_name);
    again->argv[again->argc++] = copy;
    return 0;
}

static void write_member(FILE *stream, const void *context)
{
    const cli_member *m = context;
    fwrite(m->bytes, 1, m->size, stream);
}

/* Names in the folder are made here, of numbers: no name of the archive ever is one of the file system. */
static int unpack_input(cli_run_again *again, size_t number, const json_t *input, gjb_error *error)
{
    static const char *const options[] = {"--known", "--hulls"};
    const char *option = json_string_value(json_object_get(input, "option"));
    const json_t *files = json_object_get(input, "files");
    char folder[128], path[192] = "";
    size_t known = 0;
    while (known < 2 && (!option || strcmp(options[known], option)))
        known++;
    if (known == 2)
        return gjb_fail(error, "%s: inputs[%zu].option: expected --known or --hulls", manifest_name, number);
    snprintf(folder, sizeof folder, "%s/%zu", again->folder, number);
    if (mkdir(folder, 0700))
        return gjb_fail(error, "%s: cannot make folder", folder);
    for (size_t i = 0; i < json_array_size(files); i++) {
        const char *name = json_string_value(json_array_get(files, i)),
                   *dot = name ? strrchr(name, '.') : NULL;
        const cli_member *m = name ? cli_archive_find(&again->archive, name) : NULL;
        if (!m)
            return gjb_fail(error, "%s: inputs[%zu].files[%zu]: not in the archive", manifest_name, number,
                            i);
        snprintf(path, sizeof path, "%s/%04zu%s", folder, i, dot && !strcmp(dot, ".gjb") ? ".gjb" : ".json");
        if (gjb_file_write(path, write_member, m, error))
            return -1;
    }
    const int whole = json_is_true(json_object_get(input, "folder"));
    if (!whole && json_array_size(files) != 1)
        return gjb_fail(error, "%s: inputs[%zu].files: expected one", manifest_name, number);
    return add_word(again, option, error) || add_word(again, whole ? folder : path, error);
}

static int unpack_inputs(cli_run_again *again, gjb_error *error)
{
    const char *parent = getenv("TMPDIR");
    json_t *inputs = json_object_get(again->manifest, "inputs"), *input;
    size_t i;
    if (!json_array_size(inputs))
        return 0;
    if (!parent || !*parent || strlen(parent) > 32)
        parent = "/tmp";
    snprintf(again->folder, sizeof again->folder, "%s/gjkbench-run-XXXXXX", parent);
    if (!mkdtemp(again->folder)) {
        gjb_fail(error, "%s: cannot make folder", again->folder);
        again->folder[0] = 0;
        return -1;
    }
    json_array_foreach(inputs, i, input) if (unpack_input(again, i, input, error)) return -1;
    return 0;
}

int cli_run_again_open(cli_run_again *again, const char *path, const char *out, gjb_error *error)
{
    json_t *words, *word;
    size_t i;
    int unused;
    if (cli_archive_read(&again->archive, path, error) || read_manifest(again, path, error) ||
        add_word(again, "run", error))
        return -1;
    words = json_object_get(again->manifest, "arguments");
    json_array_foreach(words, i, word)
    {
        char *text = (char *)(uintptr_t)json_string_value(word);
        if (!text || spells_any(places, 1, &text, 0, &unused) || spells_any(never, 1, &text, 0, &unused))
            return gjb_fail(error, "%s: %s: arguments[%zu]: not one that a run is archived with", path,
                            manifest_name, i);
        if (add_word(again, text, error))
            return -1;
    }
    return unpack_inputs(again, error) || add_word(again, "--out", error) || add_word(again, out, error);
}

static int take_count(const json_t *object, const char *key, uint64_t *count)
{
    const json_t *value = json_object_get(object, key);
    *count = json_is_integer(value) && json_integer_value(value) > 0 ? (uint64_t)json_integer_value(value) : 0;
    return *count ? 0 : -1;
}

/* NULL if the archive has none; the caller owns it. */
static json_t *member_json(const cli_run_again *again, const char *name, int *failed, gjb_error *error)
{
    const cli_member *m = cli_archive_find(&again->archive, name);
    json_t *root = m ? json_loadb(m->bytes, m->size, 0, NULL) : NULL;
    if (m && !root)
        *failed = gjb_fail(error, "%s: not JSON", name);
    return root;
}

int cli_run_again_graded(const cli_run_again *again, cli_run_graded *graded, gjb_error *error)
{
    int failed = 0;
    json_t *verified = member_json(again, "results/verify.json", &failed, error),
           *measured = member_json(again, "results/bench.json", &failed, error);
    const json_t *plan = json_object_get(verified, "plan"), *pairs = json_object_get(plan, "sample"),
                 *scenes = json_object_get(json_object_get(measured, "context"), "sample");
    *graded = (cli_run_graded){0};
    if (plan && !failed &&
        (take_count(plan, "pairs", &graded->pairs) || take_count(plan, "space_pairs", &graded->space_pairs) ||
         (pairs && take_count(pairs, "chunks", &graded->chunks))))
        failed = gjb_fail(error, "results/verify.json: no plan of a run");
    if (scenes && !failed && take_count(scenes, "scenes", &graded->scenes))
        failed = gjb_fail(error, "results/bench.json: context.sample.scenes: no count");
    json_decref(verified);
    json_decref(measured);
    return failed;
}

/* Numbers in folders of numbers. */
static void remove_folder(const char *path)
{
    struct dirent **names = NULL;
    const int count = scandir(path, &names, NULL, NULL);
    for (int i = 0; i < count; i++) {
        char inside[512];
        snprintf(inside, sizeof inside, "%.250s/%.250s", path, names[i]->d_name);
        if (names[i]->d_name[0] != '.' && unlink(inside))
            remove_folder(inside);
        free(names[i]);
    }
    free(names);
    rmdir(path);
}

void cli_run_again_free(cli_run_again *again)
{
    if (again->folder[0])
        remove_folder(again->folder);
    for (int i = 0; i < again->argc; i++)
        free(again->argv[i]);
    json_decref(again->manifest);
    cli_archive_free(&again->archive);
    *again = (cli_run_again){0};
}
