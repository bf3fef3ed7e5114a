/* Checks a plug-in's contender table field by field before anything uses it. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "contenders/plugin.h"
#include "core/types.h"

enum { NAME_MAX_LENGTH = 31, TEXT_MAX_LENGTH = 255, BACKEND_MAX_LENGTH = 15, BACKENDS_MAX = 16 };

/* What a table of this ABI version has at least: its first fields up to `release`. */
#define LEAST_SIZE (offsetof(gjb_contender, release) + sizeof(void (*)(void *)))

static int check_name(const char *name, gjb_error *error)
{
    const size_t length = name != NULL ? strnlen(name, NAME_MAX_LENGTH + 1) : 0;
    if (length == 0)
        return gjb_fail(error, "name: missing");
    if (length > NAME_MAX_LENGTH)
        return gjb_fail(error, "name: '%.40s': longer than %d characters", name, NAME_MAX_LENGTH);
    if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-._") != length)
        return gjb_fail(error, "name: '%s': only a-z, 0-9, '-', '.' and '_'", name);
    if (strcmp(name, "all") == 0)
        return gjb_fail(error, "name: 'all' means every contender");
    return 0;
}

static int check_texts(const gjb_contender *t, gjb_error *error)
{
    const struct {
        const char *field, *text;
        int optional;
    } texts[] = {{"version", t->version, 0}, {"licence", t->licence, 0}, {"note", t->note, 0},
                 {"variant_of", t->variant_of, 1}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (texts[i].text == NULL && !texts[i].optional)
            return gjb_fail(error, "%s: missing", texts[i].field);
        if (texts[i].text != NULL && strnlen(texts[i].text, TEXT_MAX_LENGTH + 1) > TEXT_MAX_LENGTH)
            return gjb_fail(error, "%s: longer than %d characters", texts[i].field, TEXT_MAX_LENGTH);
    }
    return 0;
}

/* Of each set of bits, one at least that this program knows. */
static int check_bits(const gjb_contender *t, gjb_error *error)
{
    const struct {
        const char *field;
        uint32_t bits, known;
    } sets[] = {{"dims", t->dims, 1u << 2 | 1u << 3},
                {"kinds", t->kinds, (1u << GJB_KINDS) - 1},
                {"queries", t->queries, (1u << GJB_QUERIES) - 1},
                {"precisions", t->precisions, (1u << GJB_PRECISIONS) - 1}};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if ((sets[i].bits & sets[i].known) == 0)
            return gjb_fail(error, "%s: %#x: none of them is known (%#x)", sets[i].field, (unsigned)sets[i].bits,
                            (unsigned)sets[i].known);
    return 0;
}

static int check_numbers(const gjb_contender *t, gjb_error *error)
{
    if (t->max_vertices == 0)
        return gjb_fail(error, "max_vertices: 0; GJB_NO_VERTEX_LIMIT means no limit");
    if (t->ours != 0)
        return gjb_fail(error, "ours: %u: a plug-in is none of ours", (unsigned)t->ours);
    for (int q = 0; q < GJB_QUERIES; q++)
        if (!(t->tau[q] >= 0) || !isfinite(t->tau[q]))
            return gjb_fail(error, "tau[%d]: %g: not a tolerance", q, t->tau[q]);
    if (!(t->skin >= 0) || !isfinite(t->skin))
        return gjb_fail(error, "skin: %g: not a tolerance", t->skin);
    if (t->struct_size >= offsetof(gjb_contender, tau_time) + sizeof t->tau_time &&
        (!(t->tau_time >= 0) || !isfinite(t->tau_time)))
        return gjb_fail(error, "tau_time: %g: not a tolerance", t->tau_time);
    const int has_relative = t->struct_size >= offsetof(gjb_contender, tau_relative) + sizeof t->tau_relative;
    for (int q = 0; q < GJB_QUERIES && has_relative; q++)
        if (!(t->tau_relative[q] >= 0 && t->tau_relative[q] < 1))
            return gjb_fail(error, "tau_relative[%d]: %g: not a part of a pair's size, from 0 to below 1", q,
                            t->tau_relative[q]);
    return 0;
}

static int check_backends(const gjb_contender *t, gjb_error *error)
{
    if (t->backends == NULL)
        return 0;
    for (int i = 0; t->backends[i] != NULL; i++) {
        const size_t length = strnlen(t->backends[i], BACKEND_MAX_LENGTH + 1);
        if (i == BACKENDS_MAX)
            return gjb_fail(error, "backends: more than %d, or no NULL behind the last", BACKENDS_MAX);
        if (length == 0 || length > BACKEND_MAX_LENGTH ||
            strspn(t->backends[i], "abcdefghijklmnopqrstuvwxyz0123456789-._") != length)
            return gjb_fail(error, "backends[%d]: '%.20s': 1 to %d of a-z, 0-9, '-', '.' and '_'", i, t->backends[i],
                            BACKEND_MAX_LENGTH);
    }
    return t->backends[0] == NULL ? gjb_fail(error, "backends: empty; NULL if there is just one way") : 0;
}

static int check_functions(const gjb_contender *t, gjb_error *error)
{
    const struct {
        const char *field;
        int there;
    } functions[] = {{"prepare", t->prepare != NULL},
                     {"workspace_size", t->workspace_size != NULL},
                     {"run", t->run != NULL},
                     {"release", t->release != NULL}};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (!functions[i].there)
            return gjb_fail(error, "%s: missing", functions[i].field);
    return 0;
}

int gjb_plugin_check(const gjb_contender *table, gjb_error *error)
{
    if (table->abi_version != GJB_CONTENDER_ABI)
        return gjb_fail(error, "abi_version: %u, and this program has %u: build it again with this program's headers",
                        (unsigned)table->abi_version, GJB_CONTENDER_ABI);
    if (table->struct_size < LEAST_SIZE)
        return gjb_fail(error, "struct_size: %u bytes, at least %zu: use sizeof(gjb_contender)",
                        (unsigned)table->struct_size, LEAST_SIZE);
    return check_name(table->name, error) || check_texts(table, error) || check_bits(table, error) ||
                   check_numbers(table, error) || check_backends(table, error) || check_functions(table, error)
               ? -1
               : 0;
}
