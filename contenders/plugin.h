/* Contenders from shared objects: gjb_plugin of gjkbench/contender.h. This process
 * never loads one. A child process does, and says what tables it saw; sessions
 * load it again in children of their own. So whatever a plug-in does when it is
 * loaded costs a line, not the run. */
#ifndef GJB_CONTENDERS_PLUGIN_H
#define GJB_CONTENDERS_PLUGIN_H

#include <gjkbench/contender.h>

#include "core/error.h"

/* Adds the contenders of "FILE" or "FILE:OPTIONS" to the table. Their functions
 * are not to be called in this process. 0, or -1 with one line in `error` that names
 * the file: it is not there, cannot be loaded, has no gjb_plugin, refuses its
 * options, dies or hangs on it, or has a table that gjb_plugin_check refuses. */
int gjb_plugin_add(const char *spec, gjb_error *error);

/* For a process that may die: the table itself behind one that gjb_plugin_add
 * added, loaded here; any other contender as it is. NULL with `error`. */
const gjb_contender *gjb_plugin_resolve(const gjb_contender *contender, gjb_error *error);

/* 0, or -1 with one line that names the field: another ABI version, a table too
 * short, a function or a string that is not there, nothing that it supports,
 * a number that makes no sense. */
int gjb_plugin_check(const gjb_contender *table, gjb_error *error);

#endif
