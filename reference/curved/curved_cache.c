/* Keeps a thread's answers to curved pairs under 128 bits of what each pair says, in an open-addressed table. */
#include "reference/curved/curved_cache.h"

#include <stdlib.h>

/* Inlined: a state on the stack then needs no allocation that could fail. */
#define XXH_INLINE_ALL
#include <xxhash.h>

typedef struct entry {
    XXH128_hash_t key;
    int taken;
    ref_answer3 answer;
} entry;

static _Thread_local struct memory {
    entry *entries; /* NULL: this thread does not remember */
    size_t room, used; /* of `room`, which is a power of two, half is used at most */
} memory;

void ref_remember(size_t answers)
{
    ref_forget();
    size_t room = 16;
    while (room < 2 * answers)
        room *= 2;
    memory.entries = calloc(room, sizeof *memory.entries);
    memory.room = memory.entries ? room : 0;
}

void ref_forget(void)
{
    free(memory.entries);
    memory = (struct memory){0};
}

/* Bodies of 2D and 3D have the same members. Each is added alone, since what lies between them is any. */
#define ADD_BODY(state, b)                                                                                             \
    do {                                                                                                               \
        const uint32_t form[] = {(uint32_t)(b).kind, (b).count};                                                       \
        XXH3_128bits_update(state, form, sizeof form);                                                                 \
        XXH3_128bits_update(state, (b).vertices, (b).count * sizeof *(b).vertices);                                    \
        XXH3_128bits_update(state, &(b).radius, sizeof (b).radius);                                                    \
        XXH3_128bits_update(state, &(b).pose, sizeof (b).pose);                                                        \
    } while (0)

static XXH128_hash_t key_of(const gjb_pair *pair, ref_wanted wanted)
{
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_128bits_reset_withSeed(&state, pair->dim);
    XXH3_128bits_update(&state, &wanted, sizeof wanted);
    if (pair->dim == 2) {
        ADD_BODY(&state, pair->as.plane.a);
        ADD_BODY(&state, pair->as.plane.b);
    } else {
        ADD_BODY(&state, pair->as.space.a);
        ADD_BODY(&state, pair->as.space.b);
    }
    return XXH3_128bits_digest(&state);
}

/* Where the key is, or the free place that it would take. */
static entry *place_of(XXH128_hash_t key)
{
    size_t at = key.low64 & (memory.room - 1);
    while (memory.entries[at].taken && !XXH128_isEqual(memory.entries[at].key, key))
        at = (at + 1) & (memory.room - 1);
    return &memory.entries[at];
}

const ref_answer3 *ref_cache_find(const gjb_pair *pair, ref_wanted wanted)
{
    const entry *e = memory.entries ? place_of(key_of(pair, wanted)) : NULL;
    return e && e->taken ? &e->answer : NULL;
}

void ref_cache_keep(const gjb_pair *pair, ref_wanted wanted, const ref_answer3 *answer)
{
    if (2 * memory.used >= memory.room)
        return;
    const XXH128_hash_t key = key_of(pair, wanted);
    entry *e = place_of(key);
    memory.used += !e->taken;
    *e = (entry){key, 1, *answer};
}
