/* Hulls of one's own for the workloads "realN": the option --hulls. */
#ifndef GJB_CLI_HULLS_H
#define GJB_CLI_HULLS_H

#include "cli/options/select.h"
#include "scenes/scene.h"

extern const char cli_hulls_about[]; /* for --help */

/* Reads the scene whose shapes are the hulls, such as `import` makes, or all
 * scenes of a folder, by name. NULL with one line in `error` when one cannot be
 * read or is not 3D, or when no hull fits a selected workload. The caller frees it. */
gjb_scene *cli_hulls_load(const char *path, const cli_select *select, gjb_error *error);

#endif
