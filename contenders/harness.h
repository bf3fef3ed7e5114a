/* Runs a contender over a scene: prepares, splits into calls and threads,
 * poisons results, saves and restores the floating-point state around every
 * call, and says what was left unwritten. Verify, bench and tests all run
 * contenders through here.
 *
 * A contender that is not ours runs in a child process with a watchdog. The
 * scene is mapped read-only for it, its results lie between guard pages. Where
 * the child dies, hangs or writes outside its results, the pairs that it was
 * asked for are asked again in fresh children: the guilty ones
 * become findings and keep poisoned records, all others get their answers. Records
 * that are left unwritten or hold a NaN, and pairs after which floats round otherwise, are findings too. Its
 * standard output and error go nowhere, unless GJKBENCH_CHILD_OUTPUT is set.
 * The caller sees no difference between the two, apart from the findings. */
#ifndef GJB_CONTENDERS_HARNESS_H
#define GJB_CONTENDERS_HARNESS_H

#include <signal.h>

#include "core/error.h"
#include "scenes/scene.h"
#include <gjkbench/contender.h>

/* Byte that result records are filled with before a contender runs. */
#define GJB_POISON 0xA5
/* And of pairs that were not asked about, in the end. */
#define GJB_LEFT_OUT 0x5A

/* Threads that a session may have. */
#define GJB_MAX_THREADS 1024u

/* What a contender did apart from answering. */
typedef enum gjb_mishap {
    GJB_CRASHED = 0,    /* by the signal that `code` names */
    GJB_ABORTED,        /* called abort(), as a failed assertion does */
    GJB_THREW,          /* let a C++ exception escape; an abort if its library cannot be asked */
    GJB_EXITED,         /* with exit status `code` */
    GJB_HUNG,           /* no end within the time that gjb_session_hang_limit sets */
    GJB_WROTE_OUTSIDE,  /* before or behind its results */
    GJB_WROTE_INPUT,    /* to shapes, poses or pairs */
    GJB_UNPREPARED,     /* `prepare` or its workspace came to nothing: out of memory, it says */
    GJB_CLOSED_FILES,   /* closed files of gjkbench's, one of which it is asked through */
    GJB_SIGNALLED_US,   /* sent a signal to gjkbench, to its group or to every process; it did not arrive */
    GJB_BROKE_PROTOCOL, /* it is a program, and said what docs/programs.md does not allow: `code` is a gjb_breach */
    GJB_MILD,           /* from here on it lived */
    GJB_LEFT_UNWRITTEN = GJB_MILD, /* a record or a field of it */
    GJB_UNKNOWN_STATUS, /* wrote a status outside gjb_status: `code` */
    GJB_RETURNED_NAN,   /* or an infinity */
    GJB_CHANGED_FLOATS, /* left another rounding mode, flush-to-zero or trap mask than it found */
    GJB_MISHAPS
} gjb_mishap;

/* What a run counted: the contender, and also the harness. */
typedef struct gjb_session_stats {
    gjb_run_stats run;
    uint64_t crashed; /* pairs that its process came to an end for, in whatever way but this one: */
    uint64_t hung;    /* pairs that it did not come back from */
    uint64_t hung_preparing; /* of these, those with a shape that it hung while preparing */
    uint64_t unasked; /* pairs left out after too many of both */
    uint64_t interrupted; /* the last so many of the pairs, left out since the stop flag was raised */
    uint64_t found[GJB_MISHAPS]; /* pairs by what a finding says of them, those that are not kept too; but of
                                    changed floats, which pairs are asked again for, those alone */
} gjb_session_stats;

/* A contender ready for one scene. `scene` must have the precision that the
 * contender is fed (see gjb_scene_convert), be checked (pairs inside), and
 * outlive the session. A session serves one caller at a time. */
typedef struct gjb_session gjb_session;

/* `backend` may be NULL for the best available: the last one of the
 * contender's list that this CPU has. `threads` 0 means 1; the caller's thread
 * is one of them, the others live as long as the session. NULL with one line
 * in `error` for an unknown backend, one that this CPU lacks, a scene of the
 * wrong precision or dimension, or lack of memory. The scene stays as it is while
 * the session is open. A contender in a child that dies while it prepares, or comes to
 * nothing there, opens: that is a finding. The shapes that make it do so are looked for, and it prepares the others:
 * only pairs with one of them get no answer; if none is found, no pair does. Pairs with a shape
 * that the contender's table does not claim, by kind or number of vertices, are never
 * handed to one in a child: their answer is GJB_UNSUPPORTED. */
gjb_session *gjb_session_open(const gjb_contender *contender, const char *backend, const gjb_scene *scene,
                              uint32_t threads, gjb_error *error);
/* The same in a child process, ours too: to see what that costs. */
gjb_session *gjb_session_open_isolated(const gjb_contender *contender, const char *backend,
                                       const gjb_scene *scene, uint32_t threads, gjb_error *error);
void gjb_session_close(gjb_session *session); /* NULL is fine */
const char *gjb_session_backend(const gjb_session *session);   /* "-" if there is just one way */
double gjb_session_prepare_seconds(const gjb_session *session); /* wall time of `prepare` alone */

/* Calls after which the floating-point control state (rounding mode,
 * flush-to-zero, masked traps) differed from the default that the harness sets
 * before each, `prepare` included. Never shown to the caller: it is restored. */
uint64_t gjb_session_float_changes(const gjb_session *session);

/* What a search for a pair begins with: gjb_batch.axes. */
typedef enum gjb_start {
    GJB_COLD = 0, /* nothing */
    GJB_WARM,     /* the axis of the same bodies' answer in the frame before; in a scene of one frame, in that */
    GJB_STALE,    /* the axis of another pair of the frame: what a hint costs that is none */
    GJB_STARTS
} gjb_start;
const char *gjb_start_name(gjb_start start); /* "cold", "warm", "stale" */

/* How calls of `query` begin from here on, run or timed; all others begin cold. Asks about the whole scene
 * once, in order. An axis reaches a call by a list of indices that is made here; to gather it, and what
 * the contender does with it, is in a call's time. 0; 1 if the contender leaves axes alone; -1 with
 * `error` if memory does not suffice. In a child process all of that is there, and an end of it is a finding. */
int gjb_session_start(gjb_session *session, gjb_query query, gjb_start start, gjb_error *error);

/* Answers pairs [first, first + count) of a frame in calls of at most `call`
 * pairs (0: one call a thread), spread over the session's threads in
 * contiguous ranges. `results` holds count records of gjb_result_size() bytes.
 * With `poison` they are filled with GJB_POISON first, and the number of records
 * left unwritten comes back: a status outside gjb_status, or a field still
 * poisoned. Without `poison` nothing but the contender runs, and 0 comes back.
 * `stats` may be NULL; it is zeroed first. Neither allocates nor, on one
 * thread, locks. A range or frame outside the scene is not run: every record
 * then counts as unwritten. */
uint64_t gjb_session_run(gjb_session *session, gjb_query query, uint32_t frame, uint64_t first,
                         uint64_t count, uint64_t call, int poison, void *results, gjb_session_stats *stats);

/* Calls one after another through the scene, frame after frame, as a benchmark
 * makes them. On one thread a call ends with its frame; on several, one counts
 * up to GJB_THREADED_PAIRS pairs, spread in calls of `call`. */
typedef struct gjb_stretch {
    gjb_query query;
    uint32_t call;  /* pairs a call, at least 1 */
    uint64_t calls;
    uint32_t frame; /* where the first call starts; moved to where the next would */
    uint64_t at;
} gjb_stretch;
#define GJB_THREADED_PAIRS 65536u

typedef struct gjb_timing {
    double cpu_ns;  /* of the thread; of all threads together if there are several */
    double wall_ns; /* monotonic */
    double pipe_ns; /* of a contender that is a program, whose own clock gave both others: wall time that they leave out;
                       0 of others */
    uint64_t pairs;
} gjb_timing;

/* Times a stretch in the process that runs the contender: only calls lie between the clocks.
 * With `warm`, one more call precedes them. `results` has room for a call of
 * every thread; what it holds afterwards is unspecified. 0, or 1 if the stop
 * flag cut it short, or -1 if the contender did not live through it, or the
 * scene has no pairs. */
int gjb_session_time(gjb_session *session, gjb_stretch *stretch, int warm, void *results, gjb_timing *timing);

/* Prepares once more: seconds of thread CPU time, or -1 if that failed. */
double gjb_session_time_prepare(gjb_session *session);

#define GJB_NO_PAIR UINT64_MAX

enum { GJB_SAID = 200 };

typedef struct gjb_finding {
    gjb_mishap what;
    int code;
    gjb_query query;
    uint32_t frame;
    uint64_t pair; /* of the frame; GJB_NO_PAIR if it was timed, or no single pair repeats it */
    int preparing; /* 1: it was preparing; the pair is the first with a shape that makes it do so, and GJB_NO_PAIR if
                      that is in none, or no single shape makes it do so. Its query means nothing */
    char said[GJB_SAID]; /* of a program that came to an end: the line of its standard error that says most, without
                            control characters; "" if there was none */
} gjb_finding;

/* Mishaps so far, in order; valid until the next call on the session. After
 * GJB_FINDINGS_MAX that ended its process, or GJB_HANGS_MAX hangs, the session gives up:
 * pairs that are then left out hold GJB_LEFT_OUT and count as `unasked` in gjb_session_stats.
 * One whose contender is a program gives up after GJB_DEATHS_IN_A_ROW ends of either kind without an answer between
 * them, too.
 * Of each mild mishap, which poisoned runs alone look for, GJB_MILD_MAX a query are kept. None of
 * contenders that run in this process: unwritten records of theirs are counted
 * by gjb_session_run, changed floats by gjb_session_float_changes. */
const gjb_finding *gjb_session_findings(const gjb_session *session, size_t *count);
enum { GJB_FINDINGS_MAX = 64, GJB_HANGS_MAX = 8, GJB_DEATHS_IN_A_ROW = 8, GJB_MILD_MAX = 16 };
/* Findings of all sessions so far that ended a process of a contender, those that are not kept too. */
uint64_t gjb_session_deaths(void);
const char *gjb_mishap_name(gjb_mishap mishap); /* "crashed", ... */

/* The same of a finding: "crashed", "crashed while preparing". */
const char *gjb_finding_name(const gjb_finding *finding);
/* 1 if grading sees it in the record, and has a name of its own for it. */
int gjb_mishap_is_graded(gjb_mishap mishap);

/* "crashed (SIGSEGV)", "exited (3)", "hung". Returns `text`. */
enum { GJB_MISHAP_TEXT = 96 };
const char *gjb_finding_text(const gjb_finding *finding, char text[GJB_MISHAP_TEXT]); /* "hung while preparing" */
const char *gjb_mishap_text(gjb_mishap mishap, int code, char text[GJB_MISHAP_TEXT]);

/* CPU seconds that a child may take over a call beyond 4 ms a pair, 1 unless
 * set; for tests. A contender that hangs gets less from then on (contenders/isolation/hangs.h). It may be blocked for
 * ten times as long, and for a second at least (core/patience.h).
 * Not while a session is at work. */
void gjb_session_hang_limit(double seconds);

/* Once *stop is nonzero, children are not waited for any longer, whatever they
 * are at: the pairs that they have not answered stay poisoned, and count as
 * `interrupted` in gjb_session_stats, never as hung. Of our own contenders those without
 * backends are asked about few pairs at a time, and the rest hold GJB_LEFT_OUT and count as
 * `interrupted`; the others finish their call. For all sessions; NULL: none. Not while a session
 * is at work. */
void gjb_session_stop_on(const volatile sig_atomic_t *stop);

/* The sum of two counts. */
void gjb_run_stats_add(gjb_run_stats *sum, const gjb_run_stats *part);
void gjb_session_stats_add(gjb_session_stats *sum, const gjb_session_stats *part);

/* One record as double, whatever its precision and dimension; in 2D the third
 * coordinates are 0. */
typedef struct gjb_result {
    gjb_status status; /* a status outside gjb_status reads as GJB_UNWRITTEN */
    int unasked;       /* 1: it was not asked, which is no fault */
    unsigned iterations;
    double value, normal[3], point_a[3], point_b[3];
    double last; /* of sweep, whose one point is both */
    /* Of manifold. Value and points above are those of the contact with the least separation, 0 if there is none. */
    uint32_t count; /* as the record says, whatever fits */
    gjb_contact3d contact[GJB_CONTACTS_3D];
} gjb_result;
/* Bytes of the largest record of any query. */
enum { GJB_RECORD_MOST = sizeof(gjb_manifold3d) };
gjb_result gjb_result_get(gjb_query query, gjb_precision precision, uint32_t dim, const void *results,
                          uint64_t index);

#endif
