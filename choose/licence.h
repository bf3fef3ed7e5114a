/* Which licences a user accepts, and whether one of them covers an implementation. */
#ifndef GJB_CHOOSE_LICENCE_H
#define GJB_CHOOSE_LICENCE_H

#include <stddef.h>

enum { CLI_LICENCES_MAX = 32, CLI_LICENCE_NAME = 48 };

/* What is allowed: SPDX identifiers, patterns with '*', or the words permissive, weak-copyleft,
 * copyleft and any. */
typedef struct licences {
    char names[CLI_LICENCES_MAX][CLI_LICENCE_NAME];
    size_t count; /* 0: any */
} licences;

/* Identifiers that are known here, then the words; NULL-terminated. */
extern const char *const licence_names[];

/* Splits `list` at commas. 0, or -1 with the offending part in `unknown`: too long or too many, or neither
 * a word nor met by a known identifier nor by one in the `count` expressions of `more`. */
int licences_read(licences *allowed, const char *list, const char *const *more, size_t count,
                      char unknown[CLI_LICENCE_NAME]);

/* Does what is allowed cover an SPDX expression ("BSD-3-Clause OR LGPL-2.1-only")? Of OR one side is enough,
 * of AND both are needed, and what WITH adds is not looked at: it only allows more. Letter case does not
 * count, and GPL-3.0 stands for both of its kinds, -only and -or-later. 0 for what cannot be read. */
int licence_allowed(const licences *allowed, const char *expression);

#endif
