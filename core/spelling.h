/* Which of several names a misspelt one probably means. */
#ifndef GJB_CORE_SPELLING_H
#define GJB_CORE_SPELLING_H

#include <stddef.h>

/* The candidate nearest to `name`, or NULL if none is close. */
const char *gjb_nearest_name(const char *name, const char *const *candidates, size_t count);

#endif
