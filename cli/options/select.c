/* Parses SELECT: dimensions, queries, precisions, workloads, families, contenders, backends; finds clashes. */
#include "cli/options/select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options/options.h"
#include "cli/options/wrap.h"
#include "contenders/recorded.h"
#include "contenders/table.h"
#include "core/spelling.h"

/* Every backend there is on any machine: one that is known but missing here
 * deserves another message than a typing error. */
static const char *const known_backends[] = {"scalar", "sse4", "avx", "avx2", "avx512vl", "avx512", "neon"};

enum { NAMES_MAX = 128, ALIKE = 5 };

static int unknown(const char *option, const char *value, const char *const *names, size_t count,
                   gjb_error *error)
{
    char list[384] = "";
    const char *near = gjb_nearest_name(value, names, count);
    if (!*value)
        return gjb_fail(error, "--%s: a name is missing: is there a comma too many?", option);
    /* Names that begin alike, such as those of one library. */
    for (size_t i = 0, used = 0; i < count && used < sizeof list - 40 && strlen(value) >= ALIKE; i++)
        if (!strncmp(names[i], value, ALIKE))
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", names[i]);
    if (*list && strchr(list, ','))
        return gjb_fail(error, "unknown %s '%s'; did you mean one of %s?", option, value, list);
    const size_t stem = near ? strlen(near) - 1 : 0; /* of "polygonN" and the like */
    if (near && near[stem] == 'N')
        return gjb_fail(error, "unknown %s '%s'; did you mean %s with a number for N, such as %.*s8?", option, value, near,
                        (int)stem, near);
    if (near)
        return gjb_fail(error, "unknown %s '%s'; did you mean '%s'?", option, value, near);
    size_t some = 0;
    for (size_t used = 0; some < count && used < sizeof list - 40; some++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", some ? ", " : "", names[some]);
    return some < count ? gjb_fail(error, "unknown %s '%s'; '" CLI_PROGRAM " list' shows all %zu", option, value, count)
                        : gjb_fail(error, "unknown %s '%s'; there are %s", option, value, list);
}

static int take_dim(cli_select *select, const char *value, gjb_error *error)
{
    static const char *const names[] = {"2", "3"};
    for (uint32_t i = 0; i < 2; i++)
        if (!strcmp(value, names[i])) {
            select->dims |= 1u << (2 + i);
            return 0;
        }
    return gjb_fail(error, "--dim: '%s' is neither 2 nor 3", value);
}

static int take_query(cli_select *select, const char *value, gjb_error *error)
{
    const gjb_query_row *row = gjb_query_find(value);
    const char *names[GJB_QUERIES];
    for (int i = 0; i < GJB_QUERIES; i++)
        names[i] = gjb_queries[i].name;
    if (!row)
        return unknown("query", value, names, GJB_QUERIES, error);
    select->queries |= 1u << row->id;
    select->queries_given = 1;
    return 0;
}

static int take_precision(cli_select *select, const char *value, gjb_error *error)
{
    const char *names[GJB_PRECISIONS];
    for (int i = 0; i < GJB_PRECISIONS; i++) {
        names[i] = gjb_precision_name((gjb_precision)i);
        if (!strcmp(value, names[i])) {
            select->precisions |= 1u << i;
            select->precisions_given = 1;
            return 0;
        }
    }
    return unknown("precision", value, names, GJB_PRECISIONS, error);
}

/* In either dimension: --dim may follow. */
static int known_workload(const char *name)
{
    return gjb_workload_vertices(2, name) || gjb_workload_vertices(3, name);
}

static int take_workload(cli_select *select, const char *value, gjb_error *error)
{
    const char *names[NAMES_MAX];
    size_t count = 0;
    int recorded = gjb_recorded_find(value) != NULL;
    if (recorded && !select->takes_recorded)
        return gjb_fail(error, "--workload: '%s' is a recorded scene, which only 'bench' takes", value);
    if (!recorded && (strlen(value) >= sizeof select->workloads[0] || !known_workload(value))) {
        const char *digits = strpbrk(value, "0123456789");
        size_t stem = digits ? (size_t)(digits - value) : 0;
        for (; count < gjb_workload_count && count < NAMES_MAX; count++) {
            const char *name = names[count] = gjb_workloads[count].name;
            if (stem && !strncmp(value, name, stem) && !strcmp(name + stem, "N") &&
                !digits[strspn(digits, "0123456789")])
                return gjb_fail(error, "unknown workload '%s': %s takes N from %u to %u", value, name,
                                gjb_workloads[count].least, GJB_MAX_VERTICES);
        }
        for (size_t i = 0; select->takes_recorded && i < gjb_recorded_count && count < NAMES_MAX; i++)
            names[count++] = gjb_recorded_scenes[i].name;
        return unknown("workload", value, names, count, error);
    }
    for (size_t i = 0; i < select->workload_count; i++)
        if (!strcmp(select->workloads[i], value))
            return 0;
    if (select->workload_count == CLI_SELECT_MAX)
        return gjb_fail(error, "--workload: at most %d names", CLI_SELECT_MAX);
    strcpy(select->workloads[select->workload_count++], value);
    return 0;
}

static int take_family(cli_select *select, const char *value, gjb_error *error)
{
    const gjb_family *family = gjb_family_find(value);
    const char *names[NAMES_MAX];
    size_t count = 0;
    if (!family) {
        for (; count < gjb_family_count && count < NAMES_MAX; count++)
            names[count] = gjb_families[count].name;
        return unknown("family", value, names, count, error);
    }
    for (size_t i = 0; i < select->family_count; i++)
        if (select->families[i] == family)
            return 0;
    if (select->family_count == CLI_SELECT_MAX)
        return gjb_fail(error, "--family: at most %d names", CLI_SELECT_MAX);
    select->families[select->family_count++] = family;
    return 0;
}

static void add_contender(cli_select *select, const gjb_contender *contender)
{
    for (size_t i = 0; i < select->contender_count; i++)
        if (select->contenders[i] == contender)
            return;
    if (select->contender_count < CLI_CONTENDERS_MAX)
        select->contenders[select->contender_count++] = contender;
}

/* Every contender, with other configurations of one or without. */
static void add_contenders(cli_select *select, int variants)
{
    for (size_t i = 0; i < gjb_contender_count(); i++)
        if (variants || !gjb_contender_at(i)->variant_of)
            add_contender(select, gjb_contender_at(i));
}

static int take_contender(cli_select *select, const char *value, gjb_error *error)
{
    const gjb_contender *contender = gjb_contender_find(value);
    const char *names[NAMES_MAX];
    size_t count = 0;
    if (!strcmp(value, "all")) {
        select->contenders_given = select->contenders_all = 1;
        add_contenders(select, 1);
        return 0;
    }
    if (!contender) {
        for (const gjb_missing *m = gjb_contenders_missing; m->name; m++)
            if (!strcmp(m->name, value))
                return gjb_fail(error, "--contender: '%s' is not in this build: %s", value, m->advice);
        for (; count < gjb_contender_count() && count < NAMES_MAX; count++)
            names[count] = gjb_contender_at(count)->name;
        return unknown("contender", value, names, count, error);
    }
    select->contenders_given = 1;
    add_contender(select, contender);
    return 0;
}

static int available(const char *backend)
{
    for (size_t c = 0; c < gjb_contender_count(); c++)
        if (gjb_contender_has(gjb_contender_at(c), backend))
            return 1;
    return 0;
}

static int take_backend(cli_select *select, const char *value, gjb_error *error)
{
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (; count < sizeof known_backends / sizeof *known_backends; count++)
        names[count] = known_backends[count];
    for (size_t c = 0; c < gjb_contender_count(); c++)
        for (const char *const *b = gjb_contender_at(c)->backends; b && *b && count < NAMES_MAX; b++)
            names[count++] = *b;
    size_t found = 0;
    while (found < count && strcmp(names[found], value))
        found++;
    if (found == count)
        return unknown("backend", value, names, sizeof known_backends / sizeof *known_backends, error);
    if (!available(value))
        return gjb_fail(error, "--backend: this CPU or build has no '%s'; 'gjkbench list' shows what it has", value);
    for (size_t i = 0; i < select->backend_count; i++)
        if (!strcmp(select->backends[i], value))
            return 0;
    if (select->backend_count < CLI_BACKENDS_MAX)
        snprintf(select->backends[select->backend_count++], sizeof select->backends[0], "%.15s", value);
    return 0;
}

static const struct {
    const char *name, *argument;
    int (*take)(cli_select *, const char *, gjb_error *);
    const char *about;
} rows[] = {
    {"query", "NAME", take_query,
     "intersect, distance, penetration, signed_distance, sweep, toi; manifold, which is asked for by name alone"},
    {"workload", "NAME", take_workload, "kind and size of shapes: box, capsule, polygon8, mixed-kinds, ..."},
    {"family", "NAME", take_family,
     "how pairs lie or move: far, near, touching, shallow, deep, mixed, needle, ray, ..."},
    {"contender", "NAME", take_contender,
     "batch (ours), reference, box2d, ...; 'all' adds the variants that are off by default"},
    {"backend", "NAME", take_backend,
     "instruction set of batch: scalar, sse4, avx, avx2, avx512vl, avx512, neon "
     "(default: GJKBENCH_BACKEND if set); one that this CPU lacks is an error"},
    {"precision", "NAME", take_precision, "f32, f64"},
    {"dim", "D", take_dim, "2, 3"},
};
enum { ROWS = sizeof rows / sizeof *rows };

static int takes(const cli_select *select, const char *name)
{
    const char *const *one = select->takes;
    while (one && *one && strcmp(*one, name))
        one++;
    return !one || *one;
}

size_t cli_select_names(const cli_select *select, const char **names)
{
    size_t count = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (takes(select, rows[i].name))
            names[count++] = rows[i].name;
    return count;
}

const char *cli_select_about(const char *option)
{
    for (size_t i = 0; i < ROWS; i++)
        if (!strcmp(rows[i].name, option))
            return rows[i].about;
    return NULL;
}

void cli_select_print(const cli_select *select)
{
    printf("SELECT (each may repeat, or take names with commas between; default: what the\n"
           "text above says; if it says nothing, everything but variants that need 'all'):\n");
    for (size_t i = 0; i < ROWS; i++)
        if (takes(select, rows[i].name))
            cli_print_option(rows[i].name, rows[i].argument, rows[i].about);
    printf("  '" CLI_PROGRAM " list' shows every name.\n");
}

static int take_one(cli_select *select, const char *option, const char *value, gjb_error *error)
{
    for (size_t i = 0; i < ROWS; i++)
        if (!strcmp(option, rows[i].name)) {
            if (!takes(select, option))
                return gjb_fail(error, "--%s '%s': this command does not select by it; --help lists its options", option,
                                value);
            return rows[i].take(select, value, error) ? -1 : 1;
        }
    return 0;
}

/* Splits at commas. */
static int take_list(cli_select *select, const char *option, const char *value, gjb_error *error)
{
    char part[64];
    for (;; value++) {
        size_t length = strcspn(value, ",");
        snprintf(part, sizeof part, "%.*s", (int)(length < 63 ? length : 63), value);
        int taken = take_one(select, option, part, error);
        value += length;
        if (taken != 1 || !*value)
            return taken;
    }
}

int cli_select_take(cli_select *select, const char *option, const char *value, gjb_error *error)
{
    return take_list(select, option, value, error);
}

static void add_lack(char *text, size_t size, const char *contender, const char *lacks)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s has no %s", used ? ", " : ": ", contender, lacks);
}

const char *cli_select_clash(const cli_select *select, char text[256])
{
    *text = '\0';
    for (size_t i = 0; select->contenders_given && i < select->contender_count && i < 4; i++) {
        const gjb_contender *c = select->contenders[i];
        if (!(c->dims & select->dims))
            add_lack(text, 256, c->name, select->dims & 1u << 3 ? "3D" : "2D");
        for (int q = 0; q < GJB_QUERIES && !(c->queries & select->queries); q++)
            if (select->queries >> q & 1)
                add_lack(text, 256, c->name, gjb_queries[q].name);
        for (int p = 0; p < GJB_PRECISIONS && !(c->precisions & select->precisions); p++)
            if (select->precisions >> p & 1)
                add_lack(text, 256, c->name, gjb_precision_name((gjb_precision)p));
    }
    return text;
}

int cli_select_finish(cli_select *select, gjb_error *error)
{
    if (!select->dims)
        select->dims = 1u << 2 | 1u << 3;
    if (!select->queries)
        select->queries = GJB_UNNAMED_QUERIES;
    if (!select->precisions)
        select->precisions = (1u << GJB_PRECISIONS) - 1;
    if (!select->contender_count)
        add_contenders(select, 0);
    const char *wish = getenv("GJKBENCH_BACKEND");
    if (!select->backend_count && wish && *wish) {
        gjb_error inner = {{0}};
        if (take_list(select, "backend", wish, &inner) < 0)
            return gjb_fail(error, "GJKBENCH_BACKEND: %s", inner.text);
    }
    return 0;
}

size_t cli_select_backends(const cli_select *select, const gjb_contender *contender,
                           const char *out[CLI_BACKENDS_MAX])
{
    size_t count = 0;
    if (!contender->backends) {
        out[count++] = NULL;
        return count;
    }
    for (const char *const *b = contender->backends; *b && count < CLI_BACKENDS_MAX; b++) {
        int wanted = !select->backend_count;
        for (size_t i = 0; i < select->backend_count; i++)
            wanted |= !strcmp(select->backends[i], *b);
        if (wanted && gjb_contender_has(contender, *b))
            out[count++] = *b;
    }
    return count;
}

int cli_select_query(const cli_select *select, const gjb_contender *contender, gjb_query query)
{
    return (select->queries & contender->queries) >> query & 1;
}

int cli_select_precision(const cli_select *select, const gjb_contender *contender, gjb_precision precision)
{
    return (select->precisions & contender->precisions) >> precision & 1;
}

int cli_check_leaving(const cli_select *select, uint32_t leaving, gjb_error *error)
{
    if (cli_leaving_of_made(leaving) == GJB_LEAVING_HIT)
        return 0;
    if (!(select->queries >> GJB_TOI & 1))
        return gjb_fail(error, "--leaving ignore: only toi has it, and --query names others");
    for (size_t i = 0; i < select->family_count; i++)
        if (select->families[i]->moving && !gjb_family_leaves(select->families[i]))
            return gjb_fail(error, "--leaving ignore: family '%s' turns", select->families[i]->name);
    return 0;
}

int cli_take_leaving(gjb_scene *scene, uint32_t leaving, const char *file, gjb_error *error)
{
    gjb_error why = {{0}};
    if (leaving == CLI_NO_LEAVING || !gjb_scene_take_leaving(scene, leaving, file, &why))
        return 0;
    return gjb_fail(error, "--leaving ignore: %.480s", why.text);
}
