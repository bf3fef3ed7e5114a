/* The table of contenders: batched kernels, the reference, packaged libraries, and plug-ins as they are added. */
#include "contenders/table.h"

#include <string.h>

#include "contenders/contender_lists.h"

enum { CONTENDERS_MAX = 128 };

/* What is always there first, then rows of packaged.txt. */
#define LISTED(name) gjb_contenders_##name,
static const gjb_contender *const *const sources[] = {
#ifdef GJB_HAVE_SIMD
    gjb_contenders_batch,
#endif
#ifdef GJB_HAVE_REFERENCE
    gjb_contenders_reference,
#endif
    gjb_contenders_textbook,
    GJB_PACKAGED(LISTED)
};

static const gjb_contender *contenders[CONTENDERS_MAX];
static size_t contender_count;

/* Flat, so that the rest need not know where a contender came from. */
__attribute__((constructor)) static void list_contenders(void)
{
    for (size_t s = 0; s < sizeof sources / sizeof sources[0]; s++)
        for (const gjb_contender *const *c = sources[s]; *c != NULL && contender_count < CONTENDERS_MAX; c++)
            contenders[contender_count++] = *c;
}

#define MISSING(name, packages) \
    {name, "install " packages ", then `meson setup --reconfigure build -Dcontenders=auto`"},
const gjb_missing gjb_contenders_missing[] = {GJB_PACKAGED_MISSING(MISSING){NULL, NULL}};

const gjb_contender *gjb_contender_at(size_t index)
{
    return index < contender_count ? contenders[index] : NULL;
}

size_t gjb_contender_count(void)
{
    return contender_count;
}

const gjb_contender *gjb_contender_find(const char *name)
{
    for (size_t i = 0; i < contender_count; i++)
        if (strcmp(contenders[i]->name, name) == 0)
            return contenders[i];
    return NULL;
}

int gjb_contender_has(const gjb_contender *contender, const char *backend)
{
    for (const char *const *b = contender->backends; b != NULL && *b != NULL; b++)
        if (strcmp(*b, backend) == 0)
            return contender->backend_available == NULL || contender->backend_available(backend);
    return 0;
}

int gjb_contender_add(const gjb_contender *contender, gjb_error *error)
{
    if (gjb_contender_find(contender->name) != NULL)
        return gjb_fail(error, "name '%s': another contender has this name", contender->name);
    if (contender_count == CONTENDERS_MAX)
        return gjb_fail(error, "name '%s': more than %d contenders", contender->name, CONTENDERS_MAX);
    contenders[contender_count++] = contender;
    return 0;
}
