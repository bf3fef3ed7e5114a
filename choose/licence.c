/* Compares SPDX licence expressions with the licences that are allowed. */
#include "choose/licence.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* By what they ask of a program that is linked with such a library: a notice; the library's own source; the
 * program's. Those that implementations of this kind come with, and the usual others. */
const char *const licence_names[] = {
    "MIT",      "MIT-0",      "BSD-2-Clause",  "BSD-3-Clause", "Zlib",    "BSL-1.0", "Apache-2.0", "ISC",
    "0BSD",     "Unlicense",  "CC0-1.0",       "libpng-2.0",   "X11",     "NCSA",    "LGPL-2.0",   "LGPL-2.1",
    "LGPL-3.0", "MPL-2.0",    "EPL-2.0",       "CDDL-1.0",     "GPL-1.0", "GPL-2.0", "GPL-3.0",    "AGPL-3.0",
    "EUPL-1.2", "permissive", "weak-copyleft", "copyleft",     "any",     NULL};
enum { FIRST_WEAK = 14, FIRST_STRONG = 20, FIRST_WORD = 25 };

static const struct {
    const char *name;
    size_t first, end;
} words[] = {
    {"permissive", 0, FIRST_WEAK},
    {"weak-copyleft", FIRST_WEAK, FIRST_STRONG},
    {"copyleft", FIRST_WEAK, FIRST_WORD},
};

/* Length without what says which later versions count too. */
static size_t stem(const char *name)
{
    static const char *const endings[] = {"-only", "-or-later", "+"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const size_t size = strlen(endings[i]);
        if (length > size && !strcasecmp(name + length - size, endings[i]))
            return length - size;
    }
    return length;
}

static int matches(const char *pattern, const char *name)
{
    for (; *pattern && *pattern != '*'; pattern++, name++)
        if (tolower((unsigned char)*pattern) != tolower((unsigned char)*name))
            return 0;
    if (!*pattern)
        return !*name;
    while (*name && !matches(pattern + 1, name))
        name++;
    return matches(pattern + 1, name);
}

static int same_licence(const char *allowed, const char *name)
{
    if (strchr(allowed, '*'))
        return matches(allowed, name);
    const size_t a = stem(allowed), b = stem(name);
    const int precise = allowed[a] && name[b]; /* -only is not -or-later */
    return precise ? !strcasecmp(allowed, name) : a == b && !strncasecmp(allowed, name, a);
}

static int covers(const char *allowed, const char *name)
{
    if (!strcasecmp(allowed, "any"))
        return 1;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (!strcasecmp(allowed, words[w].name)) {
            for (size_t i = words[w].first; i < words[w].end; i++)
                if (same_licence(licence_names[i], name))
                    return 1;
            return 0;
        }
    return same_licence(allowed, name);
}

/* A recursive descent over SPDX's expressions: OR binds least, then AND, then WITH. */
typedef struct reader {
    const licences *allowed;
    const char *at;
    char token[CLI_LICENCE_NAME]; /* "" at the end */
    int bad;
    int depth;
} reader;
enum { DEEPEST = 32 };

static void next(reader *r)
{
    size_t size = 0;
    while (isspace((unsigned char)*r->at))
        r->at++;
    if (*r->at == '(' || *r->at == ')')
        size = 1;
    else
        size = strcspn(r->at, " \t\n()");
    r->bad |= size >= sizeof r->token;
    const size_t kept = size < sizeof r->token ? size : sizeof r->token - 1;
    memcpy(r->token, r->at, kept);
    r->token[kept] = 0;
    r->at += size;
}

static int read_or(reader *r);

static int read_one(reader *r)
{
    int good = 0;
    if (!strcmp(r->token, "(") && ++r->depth < DEEPEST) {
        next(r);
        good = read_or(r);
        r->bad |= strcmp(r->token, ")") != 0;
    } else {
        r->bad |= !isalnum((unsigned char)*r->token);
        for (size_t i = 0; i < r->allowed->count; i++)
            good |= covers(r->allowed->names[i], r->token);
    }
    next(r);
    if (!strcasecmp(r->token, "with")) {
        next(r);
        next(r);
    }
    return good;
}

static int read_and(reader *r)
{
    int good = read_one(r);
    while (!r->bad && !strcasecmp(r->token, "and")) {
        next(r);
        good &= read_one(r);
    }
    return good;
}

static int read_or(reader *r)
{
    int good = read_and(r);
    while (!r->bad && !strcasecmp(r->token, "or")) {
        next(r);
        good |= read_and(r);
    }
    return good;
}

int licence_allowed(const licences *allowed, const char *expression)
{
    if (!allowed || !allowed->count)
        return 1;
    for (size_t i = 0; i < allowed->count; i++)
        if (!strcasecmp(allowed->names[i], "any"))
            return 1;
    reader r = {.allowed = allowed, .at = expression};
    next(&r);
    const int good = read_or(&r);
    return good && !r.bad && !*r.token;
}

static int known(const char *name, const char *const *more, size_t count)
{
    licences alone = {.count = 1};
    strcpy(alone.names[0], name);
    for (size_t i = 0; licence_names[i]; i++)
        if (i < FIRST_WORD ? same_licence(name, licence_names[i])
                           : !strcasecmp(name, licence_names[i]))
            return 1;
    for (size_t i = 0; i < count; i++)
        if (licence_allowed(&alone, more[i]))
            return 1;
    return 0;
}

int licences_read(licences *allowed, const char *list, const char *const *more, size_t count,
                      char unknown[CLI_LICENCE_NAME])
{
    for (allowed->count = 0;; list++) {
        const size_t size = strcspn(list, ","), kept = size < CLI_LICENCE_NAME ? size : CLI_LICENCE_NAME - 1;
        memcpy(unknown, list, kept);
        unknown[kept] = 0;
        if (size != kept || allowed->count == CLI_LICENCES_MAX || !known(unknown, more, count))
            return -1;
        strcpy(allowed->names[allowed->count++], unknown);
        list += size;
        if (!*list)
            return 0;
    }
}
