/* Keeps a thread's answers to curved pairs under 128 bits of what each pair says, in an open-addressed table. */
#include "reference/curved/curved_memory.h"

#include <stdlib.h>

#include "scenes/hash.h"

typedef struct key {
    uint64_t half[2];
} key;

typedef struct entry {
    key key;
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

static uint64_t add(uint64_t so_far, const void *bytes, size_t size)
{
    return gjb_fingerprint(bytes, 1, size, size, so_far);
}

/* Bodies of 2D and 3D have the same members. Each is added alone, since what lies between them is any. */
#define ADD_BODY(h, b)                                                                                                 \
    do {                                                                                                               \
        const uint32_t form[] = {(uint32_t)(b).kind, (b).count};                                                       \
        (h) = add((h), form, sizeof form);                                                                             \
        (h) = add((h), (b).vertices, (b).count * sizeof *(b).vertices);                                                \
        (h) = add((h), &(b).radius, sizeof (b).radius);                                                                \
        (h) = add((h), &(b).pose, sizeof (b).pose);                                                                    \
    } while (0)

static key key_of(const gjb_pair *pair, ref_wanted wanted)
{
    key k;
    for (int i = 0; i < 2; i++) {
        uint64_t h = add((uint64_t)i, &wanted, sizeof wanted);
        if (pair->dim == 2) {
            ADD_BODY(h, pair->as.plane.a);
            ADD_BODY(h, pair->as.plane.b);
        } else {
            ADD_BODY(h, pair->as.space.a);
            ADD_BODY(h, pair->as.space.b);
        }
        k.half[i] = h;
    }
    return k;
}

/* Where the key is, or the free place that it would take. */
static entry *place_of(key k)
{
    size_t at = k.half[0] & (memory.room - 1);
    for (; memory.entries[at].taken; at = (at + 1) & (memory.room - 1))
        if (memory.entries[at].key.half[0] == k.half[0] && memory.entries[at].key.half[1] == k.half[1])
            break;
    return &memory.entries[at];
}

const ref_answer3 *ref_memory_find(const gjb_pair *pair, ref_wanted wanted)
{
    const entry *e = memory.entries ? place_of(key_of(pair, wanted)) : NULL;
    return e && e->taken ? &e->answer : NULL;
}

void ref_memory_keep(const gjb_pair *pair, ref_wanted wanted, const ref_answer3 *answer)
{
    if (2 * memory.used >= memory.room)
        return;
    entry *e = place_of(key_of(pair, wanted));
    memory.used += !e->taken;
    *e = (entry){key_of(pair, wanted), 1, *answer};
}
