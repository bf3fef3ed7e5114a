/* Files that the program carries for its suites: the suites, and the pairs on record that they name. */
#ifndef GJB_VERIFY_SUITE_FILES_H
#define GJB_VERIFY_SUITE_FILES_H

#include <stddef.h>

typedef struct gjb_suite_file {
    const char *name; /* in the folder data: "suites/2026.1.json"; NULL ends the table */
    const unsigned char *bytes;
    size_t size;
} gjb_suite_file;
extern const gjb_suite_file gjb_suite_files[];

#endif
