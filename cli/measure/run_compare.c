/* What differs between a run that was archived and the same run here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/archive/run_archive.h"
#include "cli/cli.h"
#include "core/json_file.h"
#include "core/sort.h"

enum { KEYS = 8, FIELDS = 24, SHOWN = 20, KEY_ROOM = 512 };

/* Results of one kind: what names a row, and what must be the same of it. `input` is of what it was asked; if that is
 * another, no answer can be the same. Counts of graded pairs may end by the clock: with another `graded`, those behind it are
 * not compared. */
typedef struct results_kind {
    const char *file, *array;
    const char *keys[KEYS];
    const char *input, *time, *graded;
    const char *fields[FIELDS], *of_graded[6];
} results_kind;

static const results_kind kinds[] = {
    {.file = "verify.json", .array = "rows",
     .keys = {"dim", "query", "workload", "family", "contender", "backend", "precision"},
     .fields = {"fingerprint", "pairs", "graded", "ungraded", "unsupported", "wrong", "nan", "hung", "crashed", "unasked",
                "capped", "unwritten", "symmetry_wrong", "beyond_1e3", "beyond_1e6", "iterations", "faults"}},
    {.file = "bench.json", .array = "benchmarks", .keys = {"name"}, .input = "workload_hash", .time = "ns_per_pair",
     .fields = {"label", "fingerprint_pairs", "iteration_histogram", "capped_rate", "unwritten_rate"},
     .graded = "graded", .of_graded = {"wrong_rate", "wrong_rate_1e3"}},
    {.file = "known.json", .array = "cases", .keys = {"id", "query", "contender", "backend", "precision"},
     .fields = {"verdict", "fault", "status", "value", "mishap"}},
};

typedef struct comparing {
    FILE *stream;
    size_t same, different, gone, extra, uncounted;
    double *ratios; /* there by here, of each row with a time */
    size_t ratio_count;
} comparing;

/* JSON of a value, for lines; the caller frees it. */
static char *text_of(const json_t *value)
{
    return value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(9))
                 : strdup("nothing");
}

static void key_of(const results_kind *kind, const json_t *row, char key[KEY_ROOM])
{
    size_t used = 0;
    for (size_t i = 0; i < KEYS && kind->keys[i] && used < KEY_ROOM; i++) {
        const json_t *value = json_object_get(row, kind->keys[i]);
        const char *s = json_string_value(value);
        used += s ? (size_t)snprintf(key + used, KEY_ROOM - used, "%s%s", i ? "/" : "", s)
                  : (size_t)snprintf(key + used, KEY_ROOM - used, "%s%lld%s", i ? "/" : "",
                                     (long long)json_integer_value(value),
                                     strcmp(kind->keys[i], "dim") ? "" : "d");
    }
}

/* Rows by key: of several alike each has a number behind its name. */
static json_t *by_key(const results_kind *kind, const json_t *root)
{
    json_t *all = json_object(), *row;
    size_t i;
    json_array_foreach(json_object_get(root, kind->array), i, row)
    {
        char key[KEY_ROOM], name[KEY_ROOM + 24];
        key_of(kind, row, key);
        snprintf(name, sizeof name, "%s", key);
        for (int n = 2; json_object_get(all, name); n++)
            snprintf(name, sizeof name, "%s#%d", key, n);
        json_object_set(all, name, row);
    }
    return all;
}

static void tell(comparing *c, const char *name, const char *field, const json_t *there, const json_t *here)
{
    char *a = text_of(there), *b = text_of(here);
    if (c->different < SHOWN)
        fprintf(c->stream, "  differs: %s: %s: %.60s there, %.60s here\n", name, field, a ? a : "?",
                b ? b : "?");
    free(a);
    free(b);
}

/* Numbers that one of both left out are equal if both did: older files have no null in their place. */
static int is_same(const json_t *a, const json_t *b)
{
    const int none = !a || json_is_null(a), nor = !b || json_is_null(b);
    return none || nor ? none == nor : json_equal(a, b);
}

static int differs_in(comparing *c, const char *name, const char *const *fields, size_t count,
                      const json_t *there, const json_t *here)
{
    for (size_t i = 0; i < count && fields[i]; i++) {
        const json_t *a = json_object_get(there, fields[i]), *b = json_object_get(here, fields[i]);
        if (!is_same(a, b)) {
            tell(c, name, fields[i], a, b);
            return 1;
        }
    }
    return 0;
}

static void compare_row(comparing *c, const results_kind *kind, const char *name, const json_t *there,
                        const json_t *here)
{
    const int graded_alike =
        !kind->graded || is_same(json_object_get(there, kind->graded), json_object_get(here, kind->graded));
    const double before = json_number_value(json_object_get(there, kind->time ? kind->time : "")),
                 now = json_number_value(json_object_get(here, kind->time ? kind->time : ""));
    if (kind->time && before > 0 && now > 0)
        c->ratios[c->ratio_count++] = now / before;
    c->uncounted += (size_t)!graded_alike;
    if ((kind->input && differs_in(c, name, &kind->input, 1, there, here)) ||
        differs_in(c, name, kind->fields, FIELDS, there, here) ||
        (graded_alike && differs_in(c, name, kind->of_graded, 6, there, here)))
        c->different++;
    else
        c->same++;
}

static void tell_missing(comparing *c, const char *name, const char *where, size_t before)
{
    if (before < SHOWN / 2)
        fprintf(c->stream, "  only %s: %s\n", where, name);
}

static int compare_kind(comparing *c, const results_kind *kind, const json_t *there, const json_t *here)
{
    json_t *a = by_key(kind, there), *b = by_key(kind, here), *row;
    const char *name;
    double *more = realloc(c->ratios, (c->ratio_count + json_object_size(a) + 1) * sizeof *more);
    if (more) {
        c->ratios = more;
        json_object_foreach(a, name, row)
        {
            const json_t *other = json_object_get(b, name);
            if (other)
                compare_row(c, kind, name, row, other);
            else
                tell_missing(c, name, "there", c->gone++);
        }
        json_object_foreach(b, name, row) if (!json_object_get(a, name))
            tell_missing(c, name, "here", c->extra++);
    }
    json_decref(a);
    json_decref(b);
    return more ? 0 : -1;
}

static void compare_environment(const cli_run_again *again, FILE *stream)
{
    json_t *there = json_object_get(again->manifest, "environment"), *here = cli_run_environment(), *value;
    const char *key;
    size_t differences = 0;
    fputs("machine and build\n", stream);
    json_object_foreach(there, key, value) if (!is_same(value, json_object_get(here, key)))
    {
        char *a = text_of(value), *b = text_of(json_object_get(here, key));
        fprintf(stream, "  %s: %s there, %s here\n", key, a ? a : "?", b ? b : "?");
        differences++;
        free(a);
        free(b);
    }
    json_object_foreach(here, key, value) if (!json_object_get(there, key))
    {
        fprintf(stream, "  %s: %s here alone\n", key,
                json_string_value(value) ? json_string_value(value) : "");
        differences++;
    }
    if (!differences)
        fputs("  the same\n", stream);
    json_decref(here);
}

static void tell_times(const comparing *c)
{
    if (!c->ratio_count)
        return;
    gjb_sort(c->ratios, c->ratio_count);
    fprintf(
        c->stream,
        "times\n  here %.2f times those there in the median of %zu points, %.2f to %.2f; they do not count\n",
        c->ratios[c->ratio_count / 2], c->ratio_count, c->ratios[0], c->ratios[c->ratio_count - 1]);
}

static void tell_sum(const comparing *c)
{
    if (c->different > SHOWN)
        fprintf(c->stream, "  ... and %zu more that differ\n", c->different - SHOWN);
    fprintf(c->stream, "  %zu the same bit by bit, %zu different", c->same, c->different);
    if (c->gone || c->extra)
        fprintf(c->stream, "; %zu only there, %zu only here", c->gone, c->extra);
    fputc('\n', c->stream);
    if (c->uncounted)
        fprintf(c->stream,
                "  of %zu more or fewer pairs were graded, by the clock: verdicts are not compared\n",
                c->uncounted);
}

int cli_run_compare(const cli_run_again *again, const char *out, FILE *stream, gjb_error *error)
{
    comparing c = {.stream = stream};
    int failed = 0;
    fputs("\nHeld against the archive\n", stream);
    compare_environment(again, stream);
    fputs("results\n", stream);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !failed; i++) {
        char path[CLI_RUN_PATH], name[128];
        gjb_error none = {""}; /* a kind that the run did not write */
        snprintf(path, sizeof path, "%s/data/%s", out, kinds[i].file);
        snprintf(name, sizeof name, "results/%s", kinds[i].file);
        const cli_member *m = cli_archive_find(&again->archive, name);
        json_t *there = m ? json_loadb(m->bytes, m->size, 0, NULL) : NULL,
               *here = gjb_json_load(path, &none);
        if (m && !there)
            failed = gjb_fail(error, "%s: not JSON", name);
        else if (m && compare_kind(&c, &kinds[i], there, here))
            failed = gjb_fail(error, "out of memory");
        json_decref(there);
        json_decref(here);
    }
    if (cli_archive_find(&again->archive, "results/convergence.json"))
        fputs("  skipped: convergence.json, which is of an older version\n", stream);
    if (!failed) {
        tell_sum(&c);
        tell_times(&c);
    }
    free(c.ratios);
    if (!failed && c.same + c.different == 0)
        failed = gjb_fail(error, "nothing to compare: no result is in both");
    return failed ? -1 : (int)c.different;
}
