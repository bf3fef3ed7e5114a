/* The same mutations for AFL++, which loads them (AFL_CUSTOM_MUTATOR_LIBRARY) next to its own. GJKBENCH_FUZZ says what is
 * looked for: "2", "3", "2m", "3m" (moving), "2s", "3s" (for sweep); without it pairs of any dimension at rest. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/targets/geometry.h"

enum { MOST = 1 << 16 };

typedef struct mutator {
    gjb_geometry what;
    unsigned seed;
    uint8_t out[MOST];
} mutator;

void *afl_custom_init(void *afl, unsigned seed);
size_t afl_custom_fuzz(mutator *m, uint8_t *data, size_t size, uint8_t **out, uint8_t *other,
                       size_t other_size, size_t most);
void afl_custom_deinit(mutator *m);

void *afl_custom_init(void *afl, unsigned seed)
{
    const char *asked = getenv("GJKBENCH_FUZZ");
    mutator *m = calloc(1, sizeof *m);
    (void)afl;
    if (!m)
        return NULL;
    m->seed = seed;
    if (asked && (asked[0] == '2' || asked[0] == '3')) {
        m->what.dim = (uint32_t)(asked[0] - '0');
        m->what.square = asked[1] == 's';
        m->what.moving = asked[1] == 'm' || asked[1] == 's';
    }
    return m;
}

size_t afl_custom_fuzz(mutator *m, uint8_t *data, size_t size, uint8_t **out, uint8_t *other,
                       size_t other_size, size_t most)
{
    const size_t made = gjb_geometry_mutate(&m->what, data, size, m->seed & 1 ? other : NULL, other_size,
                                            m->out, most < MOST ? most : MOST, m->seed);
    m->seed++;
    *out = m->out;
    return made;
}

void afl_custom_deinit(mutator *m)
{
    free(m);
}
