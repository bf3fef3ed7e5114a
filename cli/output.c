/* Output that commands share: colour, streams, JSON with a line for each element, folders, Ctrl-C, context. */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "contenders/harness.h"
#include "core/cpu.h"
#include "core/file.h"
#include "gjkbench-build.h"
#include "gjkbench-commit-date.h"
#include "gjkbench-commit.h"
#include "reference/effort.h"

static int color_mode; /* 0 auto, 1 always, -1 never */

int cli_color_set(const char *when)
{
    static const char *const names[] = {"never", "auto", "always"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(when, names[i])) {
            color_mode = i - 1;
            return 0;
        }
    return -1;
}

const char *cli_color(FILE *stream, cli_paint paint)
{
    static const char *const escapes[] = {"\033[0m",  "\033[1m",  "\033[2m",
                                          "\033[32m", "\033[31m", "\033[33m"};
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    int on = color_mode > 0 || (!color_mode && !(no_color && *no_color) && isatty(fileno(stream)) &&
                                terminal && strcmp(terminal, "dumb"));
    return on ? escapes[paint] : "";
}

int cli_is_stdout(const char *path)
{
    return path && !strcmp(path, "-");
}

FILE *cli_text_stream(const char *json_path)
{
    return cli_is_stdout(json_path) ? stderr : stdout;
}

void cli_open_streams(void)
{
    for (int descriptor = 0; descriptor < 3; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0) /* opens as this one, in the other direction, so that each use fails */
            open("/dev/null", descriptor ? O_RDONLY : O_WRONLY);
}

int cli_close_stdout(int code)
{
    errno = 0;
    const int lost = ferror(stdout), unclosed = fclose(stdout);
    if (!lost && !unclosed)
        return code;
    if (code != GJB_EXIT_USAGE) /* which has its line, mostly this one */
        fprintf(stderr, CLI_PROGRAM ": standard output: cannot write: %s\n",
                errno ? strerror(errno) : "some of it is lost");
    return code ? code : GJB_EXIT_USAGE;
}

static const size_t dump_flags = JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY;

static int dump_array(const json_t *array, FILE *file)
{
    int failed = 0;
    for (size_t i = 0; i < json_array_size(array); i++) {
        fputs(i ? ",\n " : "[\n ", file);
        failed |= json_dumpf(json_array_get(array, i), file, dump_flags);
    }
    fputs(json_array_size(array) ? "\n]" : "[]", file);
    return failed;
}

/* One line per member of the top object, and per element of its arrays, or of the top array: small,
 * and still something that grep and diff work on. */
static int dump(const json_t *json, FILE *file)
{
    int failed = 0, first = 1;
    const char *key;
    json_t *value;
    if (json_is_array(json)) {
        failed = dump_array(json, file);
        fputc('\n', file);
        return failed || ferror(file);
    }
    fputc('{', file);
    json_object_foreach((json_t *)(uintptr_t)json, key, value)
    {
        fprintf(file, "%s\n\"%s\": ", first ? "" : ",", key);
        first = 0;
        failed |= json_is_array(value) ? dump_array(value, file) : json_dumpf(value, file, dump_flags);
    }
    fputs("\n}\n", file);
    return failed || ferror(file);
}

typedef struct dumped {
    const json_t *json;
    int failed;
} dumped;

static void dump_into(FILE *file, const void *context)
{
    dumped *one = (dumped *)(uintptr_t)context;
    one->failed = dump(one->json, file);
}

int cli_write_json(const json_t *json, const char *path, gjb_error *error)
{
    dumped one = {json, 0};
    int unwritten = gjb_file_write(path, dump_into, &one, error);
    if (!unwritten && one.failed)
        return gjb_fail(error, "%s: out of memory", path);
    return unwritten;
}

int cli_check_writable(const char *path, gjb_error *error)
{
    char folder[4096] = ".";
    const char *slash = strrchr(path, '/');
    struct stat status;
    if (cli_is_stdout(path))
        return 0;
    if (strlen(path) >= sizeof folder)
        return gjb_fail(error, "%s: cannot write: %s", path, strerror(ENAMETOOLONG));
    if (slash) {
        size_t length = slash == path ? 1 : (size_t)(slash - path);
        memcpy(folder, path, length);
        folder[length] = 0;
    }
    if (!stat(path, &status) && S_ISDIR(status.st_mode))
        return gjb_fail(error, "%s: cannot write: %s", path, strerror(EISDIR));
    if (access(folder, W_OK | X_OK))
        return gjb_fail(error, "%s: cannot write: %s", path, strerror(errno));
    return 0;
}

int cli_is_scene(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && (!strcmp(dot, ".json") || !strcmp(dot, ".gjb"));
}

void cli_warn_scene(const gjb_scene *scene, const char *name)
{
    if (scene->largest_angle > 6.2831853071795865)
        fprintf(stderr, "warning: %s: an angle of %g: angles are in radians, and this is more than a turn\n",
                name, scene->largest_angle);
}

void cli_each_file(const char *path, cli_file_taker take, void *context)
{
    struct dirent **found = NULL;
    gjb_error error = {""};
    const int count = scandir(path, &found, cli_is_scene, alphasort);
    if (count < 0)
        take(context, path, NULL);
    if (count == 0) {
        gjb_fail(&error, "%s: no file in it ends in .json or .gjb", path);
        take(context, path, error.text);
    }
    for (int i = 0; i < count; i++) {
        char file[4096];
        const int longer = snprintf(file, sizeof file, "%s/%s", path, found[i]->d_name) >= (int)sizeof file;
        if (longer)
            gjb_fail(&error, "%s: the path is too long", path);
        if (!cli_interrupted)
            take(context, longer ? path : file, longer ? error.text : NULL);
        free(found[i]);
    }
    free(found);
}

int cli_make_folder(const char *path, gjb_error *error)
{
    char part[4096];
    size_t length = strlen(path);
    if (!length || length >= sizeof part)
        return gjb_fail(error, "'%s': not a folder name", path);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] && path[i] != '/')
            continue;
        memcpy(part, path, i);
        part[i] = 0;
        struct stat status;
        if (mkdir(part, 0777) && (errno != EEXIST || stat(part, &status) || !S_ISDIR(status.st_mode)))
            return gjb_fail(error, "%s: cannot make folder: %s", part,
                            strerror(errno == EEXIST ? ENOTDIR : errno));
    }
    if (access(path, W_OK | X_OK))
        return gjb_fail(error, "%s: cannot write there: %s", path, strerror(errno));
    return 0;
}

volatile sig_atomic_t cli_interrupted;

/* One Ctrl-C may come as two signals, as from timeout(1), which signals its child and then its group. */
static const double one_request_seconds = 0.5;

static double awake_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void interrupt(int signal_number)
{
    static double first;
    if (!cli_interrupted) {
        first = awake_seconds();
        cli_interrupted = signal_number;
    } else if (awake_seconds() - first > one_request_seconds) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
}

void cli_catch_interrupt(void)
{
    ref_effort_stop_on(&cli_interrupted);
    gjb_session_stop_on(&cli_interrupted);
    struct sigaction action = {.sa_handler = interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static const char *date_text(time_t seconds, char text[32])
{
    struct tm utc;
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
    return text;
}

json_t *cli_context(void)
{
    char date[32], commit_date[32], host[256] = "unknown", kernel[sizeof(struct utsname)] = "unknown";
    struct utsname system;
    gethostname(host, sizeof host - 1);
    if (!uname(&system))
        snprintf(kernel, sizeof kernel, "%s %s", system.sysname, system.release);
    const int dated = strspn(GJB_COMMIT_DATE, "0123456789") == sizeof GJB_COMMIT_DATE - 1; /* where the build had a repository to ask */
    return json_pack("{ss ss ss ss si ss ss ss ss* ss ss ss}", "date", date_text(time(NULL), date), "host_name", host,
                     "kernel", kernel, "cpu", gjb_cpu_name(), "num_cpus", (int)sysconf(_SC_NPROCESSORS_ONLN),
                     "executable", "gjkbench", "version", GJB_VERSION, "commit", GJB_COMMIT, "commit_date",
                     dated ? date_text((time_t)atoll(GJB_COMMIT_DATE), commit_date) : NULL, "compiler", GJB_COMPILER,
                     "flags", GJB_FLAGS, "library_build_type", GJB_BUILD_TYPE);
}

int cli_check_bounded(const gjb_scene *scene, const char *name, gjb_error *error)
{
    for (uint32_t f = 0; f < scene->frame_count; f++)
        for (uint64_t i = 0; i < 2 * scene->frames[f].pair_count; i++) {
            const uint32_t body = scene->frames[f].pairs[i], shape = scene->body_shape ? scene->body_shape[body] : body;
            if (!gjb_is_unbounded(scene->shapes.kind[shape]))
                return 0;
        }
    return gjb_fail(error, "%s: two half-spaces, which no contender answers", name);
}
