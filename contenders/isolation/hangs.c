/* Counts hangs by contender, and makes a shorter limit of them. */
#include "contenders/isolation/hangs.h"

#include <stdatomic.h>
#include <stddef.h>

enum { CONTENDERS_MAX = 256 };

static struct {
    const gjb_contender *_Atomic contender;
    _Atomic unsigned hangs, preparing;
} counts[CONTENDERS_MAX];

/* Its place, or, where all are taken, the last: those that share it then share their patience. */
static size_t place_of(const gjb_contender *contender)
{
    for (size_t i = 0; i < CONTENDERS_MAX; i++) {
        const gjb_contender *none = NULL;
        if (counts[i].contender == contender || atomic_compare_exchange_strong(&counts[i].contender, &none, contender) ||
            none == contender)
            return i;
    }
    return CONTENDERS_MAX - 1;
}

void gjb_hangs_count(const gjb_contender *contender)
{
    counts[place_of(contender)].hangs++;
}

void gjb_hangs_count_preparing(const gjb_contender *contender, unsigned hangs)
{
    counts[place_of(contender)].preparing += hangs;
}

double gjb_hangs_share(const gjb_contender *contender)
{
    const unsigned hangs = counts[place_of(contender)].hangs;
    return hangs < 2 ? 1 : hangs < 4 ? 0.5 : hangs < 8 ? 0.25 : 0.125;
}

int gjb_hangs_too_often(const gjb_contender *contender)
{
    return counts[place_of(contender)].preparing >= GJB_PREPARE_HANGS_MAX;
}

int gjb_hangs_any(const gjb_contender *contender)
{
    return counts[place_of(contender)].hangs > 0;
}
