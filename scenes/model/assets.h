/* Files that other files name: opened inside one folder only. */
#ifndef GJB_SCENES_MODEL_ASSETS_H
#define GJB_SCENES_MODEL_ASSETS_H

/* Opens the first of the paths that is a regular file inside `folder`, after every link is resolved. What is opened is
 * what was checked: a link that is changed in between changes nothing. `paths` ends with NULL; those that do not begin
 * with / are taken from the folder that the program runs in. The descriptor, or -1; `why` then says what was wrong with
 * the one that came farthest, as in "is not there". `found` is which of them it was. */
int gjb_assets_open(const char *folder, const char *const *paths, const char **found, const char **why);

#endif
