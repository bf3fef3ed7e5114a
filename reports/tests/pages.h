/* What tests of pages share: a folder of their own for results, and the page that is made of these. */
#ifndef GJB_REPORTS_TESTS_PAGES_H
#define GJB_REPORTS_TESTS_PAGES_H

#include <jansson.h>
#include <stddef.h>

/* Of the test that runs, from `set_up` to `tear_down`. */
extern char folder[64];
void set_up(void);
void tear_down(void);
/* A path in it; good until eight more were asked for. */
const char *in_folder(const char *name);
/* Writes a result and drops the reference; returns its path. */
const char *write_json(const char *name, json_t *json);
/* All of a file, which the caller frees. Ends the test if it is not there, empty, or larger than a page may be. */
char *read_text(const char *path);
int have_gnuplot(void);
/* The page of these files, which the caller frees; with drawings if `draw`. */
char *page_of(const char *const *files, size_t n, int draw);
/* The same of results; each may be NULL. */
char *page_of_json(json_t *bench, json_t *verify, int draw);
size_t count_of(const char *s, const char *what);
/* The text between two strings, or "". */
const char *between(const char *s, const char *from, const char *to);

#endif
