/* What all commands do alike with their output: colour, progress, JSON, Ctrl-C. */
#ifndef GJB_CLI_OUTPUT_H
#define GJB_CLI_OUTPUT_H

#include <dirent.h>
#include <jansson.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>

#include "core/error.h"
#include "scenes/scene.h"

/* WHEN of --color: "auto", "always" or "never". -1 when it is none of them. */
int cli_color_set(const char *when);

typedef enum cli_paint { CLI_PLAIN, CLI_BOLD, CLI_DIM, CLI_GOOD, CLI_BAD, CLI_NOTE } cli_paint;
/* The escape for `paint`, or "" if colour is off: NO_COLOR, --color, or a
 * stream that is not a terminal. CLI_PLAIN ends what another began. */
const char *cli_color(FILE *stream, cli_paint paint);

/* 1 when `path` is "-": stdout then carries JSON alone, and everything that
 * people read goes to stderr. */
int cli_is_stdout(const char *path);
/* stdout, or stderr when stdout carries JSON (`json_path` may be NULL). */
FILE *cli_text_stream(const char *json_path);

/* Around the whole program: a stream that the caller closed is opened, so that no file takes its place and
 * every use of it fails; and the exit code for `code`: 2 instead of 0, with a line on stderr, if what went to
 * stdout did not all arrive. */
void cli_open_streams(void);
int cli_close_stdout(int code);

/* Writes an object, keys in the order they were set, or an array, to `path` ("-" is stdout), by way of a
 * temporary and rename. Does not take the reference. 0, or -1 with `error`. */
int cli_write_json(const json_t *json, const char *path, gjb_error *error);

/* Says before any work whether cli_write_json has a chance: the folder of
 * `path` exists and may be written to. 0, or -1 with `error`. */
int cli_check_writable(const char *path, gjb_error *error);

/* A filter for scandir: does the name end in .json or .gjb? */
int cli_is_scene(const struct dirent *entry);

/* One line on stderr if the file has an angle of more than a turn: degrees, perhaps. */
void cli_warn_scene(const gjb_scene *scene, const char *name);
/* 0, or -1 with `error` if each pair is one of two half-spaces, about which nothing can be said. */
int cli_check_bounded(const gjb_scene *scene, const char *name, gjb_error *error);

/* Hands over `path`, or the files of that folder that end in .json or .gjb, by name, until Ctrl-C. `why` is
 * NULL, or says in one line why there is nothing to take. */
typedef void (*cli_file_taker)(void *context, const char *path, const char *why);
void cli_each_file(const char *path, cli_file_taker take, void *context);

/* Every folder on the way to `path` and itself. 0, or -1 with `error`. */
int cli_make_folder(const char *path, gjb_error *error);

/* After this the first SIGINT or SIGTERM only raises the flag, so that work
 * done so far can be written, and no library is waited for any longer; one
 * that comes half a second later or more ends the program. */
void cli_catch_interrupt(void);
extern volatile sig_atomic_t cli_interrupted;
enum { CLI_EXIT_INTERRUPTED = 130 };

/* Progress with time left, on stderr: on a terminal a line that is drawn over, elsewhere a line of its own at most every
 * ten seconds, and none of what takes less. Call as often as you like. done == total ends it. `what` is what happens to
 * what, "graded pairs"; without a second word only its share is reported. */
void cli_progress(const char *what, uint64_t done, uint64_t total);
/* The next progress ends after so many seconds, whatever is left of its total by then. */
void cli_progress_until(double seconds);
/* Who speaks in those lines: "run". */
void cli_progress_of(const char *command);

/* What made the numbers: date, host, kernel, CPU, commit and its date, compiler, flags, version.
 * The caller adds its own keys and owns the reference. */
json_t *cli_context(void);

#endif
