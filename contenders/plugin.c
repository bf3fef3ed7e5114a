/* Loads a plug-in's tables in a child process first, then makes contenders of them here. */
#include "contenders/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contenders/isolation/signal_guard.h"
#include "contenders/question.h"
#include "contenders/table.h"
#include "core/file.h"
#include "core/patience.h"

enum { TABLES_MAX = 32, LOAD_SECONDS = 10, TICK_MS = 20, ANSWER_MAX = 1 << 18 };

/* One contender of a plug-in, as this process knows it. */
typedef struct plugin {
    gjb_contender row; /* what the table calls a contender */
    const char *file, *options;
    size_t index; /* in what gjb_plugin returned */
    struct plugin *next;
} plugin;

static plugin *plugins;

/* --- where it is loaded ------------------------------------------------------ */

/* This program is linked with libraries itself, perhaps with another version of the plug-in's library. Calls within
 * that would find this program's functions of the same name, so the plug-in's come first. Sanitizers refuse that
 * flag. */
#if !defined(RTLD_DEEPBIND) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_FIRST 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define OWN_FIRST 0
#endif
#endif
#ifndef OWN_FIRST
#define OWN_FIRST RTLD_DEEPBIND
#endif

static const gjb_contender *const *load(const char *file, const char *options, gjb_error *error)
{
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL | OWN_FIRST);
    if (handle == NULL) {
        const char *why = dlerror();
        gjb_fail(error, "cannot be loaded: %s", why != NULL ? why : "unknown");
        return NULL;
    }
    void *symbol = dlsym(handle, "gjb_plugin");
    if (symbol == NULL) {
        gjb_fail(error, "no symbol gjb_plugin: not a plug-in, or it is not exported");
        return NULL;
    }
    gjb_plugin_function function; /* C knows no cast between the two; POSIX says that they are of one size */
    memcpy(&function, &symbol, sizeof function);
    char text[256] = "";
    const gjb_contender *const *tables = function(options, text, sizeof text);
    text[sizeof text - 1] = '\0';
    if (tables == NULL)
        gjb_fail(error, "%s", text[0] != '\0' ? text : "refused, and gjb_plugin does not say why");
    return tables;
}

static json_t *backends_json(const gjb_contender *t)
{
    json_t *names = json_array();
    for (const char *const *b = t->backends; b != NULL && *b != NULL; b++)
        if (gjb_contender_has(t, *b))
            json_array_append_new(names, json_string(*b));
    return names;
}

/* Fields that tables of before end without. */
static double tau_time_of(const gjb_contender *t)
{
    return t->struct_size >= offsetof(gjb_contender, tau_time) + sizeof t->tau_time ? t->tau_time : 0;
}

static uint32_t partial_of(const gjb_contender *t)
{
    return t->struct_size >= offsetof(gjb_contender, partial) + sizeof t->partial ? t->partial : 0;
}

static uint32_t touching_only_of(const gjb_contender *t)
{
    return t->struct_size >= offsetof(gjb_contender, touching_only) + sizeof t->touching_only ? t->touching_only : 0;
}

static int has_relative(const gjb_contender *t)
{
    return t->struct_size >= offsetof(gjb_contender, tau_relative) + sizeof t->tau_relative;
}

static json_t *table_json(const gjb_contender *t)
{
    json_t *tau = json_array(), *relative = json_array();
    for (int q = 0; q < GJB_QUERIES; q++) {
        json_array_append_new(tau, json_real(t->tau[q]));
        json_array_append_new(relative, json_real(has_relative(t) ? t->tau_relative[q] : 0));
    }
    return json_pack("{ss ss ss ss ss* sI sI sI sI sI sI sI sI so so sf sf sI sI sI sI so sb}", "name", t->name,
                     "version", t->version, "licence", t->licence, "note", t->note, "variant_of",
                     t->variant_of, "dims", (json_int_t)t->dims, "kinds", (json_int_t)t->kinds, "queries",
                     (json_int_t)t->queries, "does_more", (json_int_t)t->does_more, "no_normal",
                     (json_int_t)t->no_normal, "no_points", (json_int_t)t->no_points, "precisions",
                     (json_int_t)t->precisions, "max_vertices", (json_int_t)t->max_vertices, "tau", tau,
                     "tau_relative", relative, "skin", t->skin, "tau_time", tau_time_of(t), "partial",
                     (json_int_t)partial_of(t),
                     "touching_only", (json_int_t)touching_only_of(t), "within", (json_int_t)gjb_within_of(t),
                     "leaving", (json_int_t)gjb_leaving_of(t), "backends", backends_json(t), "has_backends",
                     t->backends != NULL);
}

static json_t *tables_json(const char *file, const char *options, gjb_error *error)
{
    const gjb_contender *const *tables = load(file, options, error);
    if (tables == NULL)
        return NULL;
    json_t *all = json_array();
    for (size_t i = 0; tables[i] != NULL; i++) {
        gjb_error inner = {""};
        json_t *one = NULL;
        if (i == TABLES_MAX)
            gjb_fail(error, "more than %d tables, or no NULL behind the last", TABLES_MAX);
        else if (gjb_plugin_check(tables[i], &inner) != 0)
            gjb_fail(error, "table %zu: %s", i, inner.text);
        else if ((one = table_json(tables[i])) == NULL)
            gjb_fail(error, "table %zu: a text is not UTF-8", i);
        if (one == NULL || json_array_append_new(all, one) != 0) {
            json_decref(all);
            return NULL;
        }
    }
    if (json_array_size(all) > 0)
        return all;
    gjb_fail(error, "gjb_plugin returned no table");
    json_decref(all);
    return NULL;
}

static void write_all(int out, const char *text, size_t length)
{
    while (length > 0) {
        const ssize_t wrote = write(out, text, length);
        if (wrote <= 0)
            return;
        text += wrote;
        length -= (size_t)wrote;
    }
}

_Noreturn static void tell(int out, const char *file, const char *options)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    gjb_signal_guard_begin(getppid());
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    const int nowhere = open("/dev/null", O_RDWR);
    for (int fd = 0; nowhere >= 0 && fd < 3 && getenv("GJKBENCH_CHILD_OUTPUT") == NULL; fd++)
        dup2(nowhere, fd);
    static const int plain[] = {SIGINT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}; /* as sanitizers would have them */
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        signal(plain[i], SIG_DFL);

    gjb_error error = {""};
    json_t *answer = tables_json(file, options, &error);
    if (answer == NULL)
        answer = json_pack("{ss}", "error", error.text);
    char *text = json_dumps(answer, JSON_COMPACT);
    if (text != NULL)
        write_all(out, text, strlen(text));
    _exit(0);
}

const gjb_contender *gjb_plugin_resolve(const gjb_contender *contender, gjb_error *error)
{
    const plugin *p = plugins;
    while (p != NULL && &p->row != contender)
        p = p->next;
    if (p == NULL)
        return contender;
    gjb_error inner = {""};
    const gjb_contender *const *tables = load(p->file, p->options, &inner);
    for (size_t i = 0; tables != NULL && tables[i] != NULL; i++)
        if (i == p->index && gjb_plugin_check(tables[i], &inner) == 0 &&
            strcmp(tables[i]->name, contender->name) == 0)
            return tables[i];
    gjb_fail(error, "%s: %s", p->file, inner.text[0] != '\0' ? inner.text : "this file has changed since it was loaded");
    return NULL;
}

/* --- where it is not --------------------------------------------------------- */

/* What the process wrote until it closed its end, or NULL if that is too much or takes too long. */
static char *read_answer(pid_t pid, int in)
{
    char *text = malloc(ANSWER_MAX);
    size_t length = 0;
    gjb_patience patience = {.who = gjb_awaited_process(pid), .cpu = LOAD_SECONDS, .blocked = LOAD_SECONDS};
    while (text != NULL && length < ANSWER_MAX - 1) {
        const gjb_await got = gjb_patience_await(&patience, in, TICK_MS);
        const ssize_t bytes = got == GJB_AWAIT_READY ? read(in, text + length, ANSWER_MAX - 1 - length) : -1;
        if (bytes < 0)
            break;
        length += (size_t)bytes;
        text[length] = '\0';
        if (bytes == 0)
            return text;
    }
    free(text);
    return NULL;
}

/* Tables as a child process sees them: an array, or NULL with `error`. */
static json_t *look(const char *file, const char *options, gjb_error *error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        gjb_fail(error, "no pipe: %s", strerror(errno));
        return NULL;
    }
    const pid_t pid = fork();
    if (pid == 0)
        tell(ends[1], file, options);
    close(ends[1]);
    char *text = pid > 0 ? read_answer(pid, ends[0]) : NULL;
    close(ends[0]);
    if (pid < 0) {
        gjb_fail(error, "no child process: %s", strerror(errno));
        return NULL;
    }
    int status = 0;
    if (text == NULL)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    json_t *answer = text != NULL ? json_loads(text, 0, NULL) : NULL;
    const char *why = json_string_value(json_object_get(answer, "error"));
    if (why != NULL)
        gjb_fail(error, "%s", why);
    else if (text == NULL)
        gjb_fail(error, "no answer within %d s of loading it", LOAD_SECONDS);
    else if (!json_is_array(answer) && WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
        gjb_fail(error, "sent a signal to this program while it was loaded");
    else if (!json_is_array(answer) && WIFSIGNALED(status))
        gjb_fail(error, "crashed while it was loaded: %s", strsignal(WTERMSIG(status)));
    else if (!json_is_array(answer))
        gjb_fail(error, "exited with %d while it was loaded", WEXITSTATUS(status));
    free(text);
    if (json_is_array(answer))
        return answer;
    json_decref(answer);
    return NULL;
}

/* Never called here; a mistake must show at once. */
static void *never_prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)shapes;
    (void)backend;
    abort();
}

static size_t never_size(const void *prepared)
{
    (void)prepared;
    abort();
}

static void never_run(const void *prepared, const gjb_batch *batch)
{
    (void)prepared;
    (void)batch;
    abort();
}

static void never_release(void *prepared)
{
    (void)prepared;
    abort();
}

static uint32_t bits(const json_t *table, const char *key)
{
    return (uint32_t)json_integer_value(json_object_get(table, key));
}

static const char *text_of(const json_t *table, const char *key)
{
    const char *text = json_string_value(json_object_get(table, key));
    char *copy = text != NULL ? strdup(text) : NULL;
    if (copy != NULL)
        gjb_text_clean(copy);
    return copy;
}

static const char *const *backends_of(const json_t *table)
{
    const json_t *names = json_object_get(table, "backends");
    const char **list = calloc(json_array_size(names) + 1, sizeof *list);
    for (size_t i = 0, count = 0; list != NULL && i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i)); /* NULL: no text, whatever that was to be */
        if (name != NULL)
            list[count++] = strdup(name);
    }
    return list;
}

/* They live as long as the program: contenders are passed around by address. */
static int add_one(const char *file, const char *options, size_t index, const json_t *table, gjb_error *error)
{
    plugin *p = calloc(1, sizeof *p);
    if (p == NULL)
        return gjb_fail(error, "out of memory");
    p->file = strdup(file);
    p->options = strdup(options);
    p->index = index;
    p->row = (gjb_contender){.abi_version = GJB_CONTENDER_ABI,
                             .struct_size = sizeof(gjb_contender),
                             .name = text_of(table, "name"),
                             .version = text_of(table, "version"),
                             .licence = text_of(table, "licence"),
                             .note = text_of(table, "note"),
                             .variant_of = text_of(table, "variant_of"),
                             .dims = bits(table, "dims"),
                             .kinds = bits(table, "kinds"),
                             .queries = bits(table, "queries"),
                             .does_more = bits(table, "does_more"),
                             .no_normal = bits(table, "no_normal"),
                             .no_points = bits(table, "no_points"),
                             .precisions = bits(table, "precisions"),
                             .max_vertices = bits(table, "max_vertices"),
                             .skin = json_number_value(json_object_get(table, "skin")),
                             .tau_time = json_number_value(json_object_get(table, "tau_time")),
                             .partial = bits(table, "partial"),
                             .touching_only = bits(table, "touching_only"),
                             .within = bits(table, "within"),
                             .leaving = bits(table, "leaving"),
                             .prepare = never_prepare,
                             .workspace_size = never_size,
                             .run = never_run,
                             .release = never_release};
    for (int q = 0; q < GJB_QUERIES; q++) {
        p->row.tau[q] = json_number_value(json_array_get(json_object_get(table, "tau"), (size_t)q));
        p->row.tau_relative[q] = json_number_value(json_array_get(json_object_get(table, "tau_relative"), (size_t)q));
    }
    if (json_is_true(json_object_get(table, "has_backends")))
        p->row.backends = backends_of(table);
    if (p->row.backends != NULL && p->row.backends[0] == NULL)
        return gjb_fail(error, "%s: no backend is available on this CPU", p->row.name);
    if (gjb_contender_add(&p->row, error) != 0)
        return -1;
    p->next = plugins;
    plugins = p;
    return 0;
}

static int is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

/* "FILE:OPTIONS" at the first colon, unless a file is called like all of it. */
static int split(const char *spec, char **file, const char **options, gjb_error *error)
{
    const char *colon = is_file(spec) ? NULL : strchr(spec, ':');
    char *name = colon != NULL ? strndup(spec, (size_t)(colon - spec)) : strdup(spec);
    *options = colon != NULL ? colon + 1 : "";
    FILE *stream = name != NULL ? gjb_file_open(name, error) : NULL; /* dlopen would wait for a pipe's writer */
    *file = stream != NULL ? realpath(name, NULL) : NULL;
    if (stream != NULL && *file == NULL)
        gjb_fail(error, "%s: %s", name, strerror(errno));
    if (stream != NULL)
        fclose(stream);
    free(name);
    return *file != NULL ? 0 : -1;
}

int gjb_plugin_add(const char *spec, gjb_error *error)
{
    char *file;
    const char *options;
    gjb_error inner = {""};
    if (split(spec, &file, &options, error) != 0)
        return -1;
    json_t *tables = look(file, options, &inner);
    int failed = tables == NULL;
    for (size_t i = 0; !failed && i < json_array_size(tables); i++)
        failed = add_one(file, options, i, json_array_get(tables, i), &inner) != 0;
    if (failed)
        gjb_fail(error, "%.*s: %s", (int)strcspn(spec, ":"), spec, inner.text);
    json_decref(tables);
    free(file);
    return failed ? -1 : 0;
}
