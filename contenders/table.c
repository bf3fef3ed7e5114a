#include "contenders/table.h"

#include <string.h>

#include "contenders/rows.h"

/* Ours first, then packaged libraries by name. */
const gjb_contender *const gjb_contenders[] = {
#ifdef GJB_HAVE_SIMD
    &gjb_contender_batch,
#endif
#ifdef GJB_HAVE_REFERENCE
    &gjb_contender_reference,
#endif
#ifdef GJB_HAVE_BOX2D
    &gjb_contender_box2d,
#endif
    NULL,
};
const size_t gjb_contender_count = sizeof gjb_contenders / sizeof gjb_contenders[0] - 1;

const gjb_missing gjb_contenders_missing[] = {
#ifndef GJB_HAVE_BOX2D
    {"box2d", "install libbox2d-dev and a C++ compiler, "
              "then `meson setup --reconfigure build -Dcontenders=auto`"},
#endif
    {NULL, NULL},
};

const gjb_contender *gjb_contender_find(const char *name)
{
    for (size_t i = 0; i < gjb_contender_count; i++)
        if (strcmp(gjb_contenders[i]->name, name) == 0)
            return gjb_contenders[i];
    return NULL;
}
