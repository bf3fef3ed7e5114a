/* Adds contenders that are programs, and asks them: a process for each workspace, prepared as it starts. */
#include "contenders/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <wordexp.h>

#include "contenders/plugin.h"
#include "contenders/program/header.h"
#include "contenders/table.h"

enum { HEADER_SECONDS = 10, PAIRS_MOST = 4096 }; /* of a question */
static const double seconds_a_pair = 0.01, seconds_a_shape = 0.01, open_factor = 10, blocked_factor = 10,
                    blocked_least = 1;

/* They live as long as the program: contenders are passed around by address. */
typedef struct program {
    gjb_contender row, live; /* what the table has, and what a child process calls */
    const char *note;        /* of the header: the row's says more */
    char **words;
    char *header;
    size_t header_size;
    const gjb_form *form;
    struct program *next;
} program;

static program *programs;

/* Of a child process: the one that it asks. */
static const program *asked_program;
static gjb_program_watch watching;

static program *find(const gjb_contender *contender)
{
    program *p = programs;
    while (p != NULL && &p->row != contender && &p->live != contender)
        p = p->next;
    return p;
}

int gjb_is_self_timed(const gjb_contender *contender)
{
    return find(contender) != NULL;
}

/* --- asking -------------------------------------------------------------------- */

typedef struct prepared {
    const gjb_shapes *shapes;
    gjb_bytes frame;            /* the shapes, as every process is sent them */
    _Atomic(gjb_piped *) spare; /* the first, until a workspace has it */
    uint64_t ns;                /* that it took to prepare */
} prepared;

/* Of a thread; zeroed at first. */
typedef struct workspace {
    gjb_piped *piped;
    uint32_t asks;
    uint64_t ns;
} workspace;

static gjb_piped_limits limits_of(double factor, const _Atomic uint64_t *progress)
{
    const double blocked = blocked_factor * watching.seconds;
    return (gjb_piped_limits){factor * watching.seconds, blocked > blocked_least ? blocked : blocked_least,
                              progress, watching.alive};
}

/* One line, which is the header that there was. */
static int take_header(void *user, const char *bytes, size_t size, size_t *used)
{
    const program *p = user;
    const size_t both = size < p->header_size ? size : p->header_size;
    if (memcmp(bytes, p->header, both) != 0)
        return GJB_BREACH_HEADER;
    *used = size < p->header_size ? 0 : p->header_size;
    return *used > 0 ? GJB_TAKEN_ALL : GJB_TAKEN_MORE;
}

static void exchange(gjb_piped *piped, const gjb_bytes *out, const gjb_piped_limits *limits,
                     gjb_piped_take take, void *user)
{
    gjb_program_end end;
    if (gjb_piped_exchange(piped, out->data, out->size, limits, take, user, &end) != 0)
        watching.ended(&end);
}

/* A process that has the shapes; its nanoseconds for them. NULL: it could not be started. */
static gjb_piped *start(const prepared *p, uint64_t *ns)
{
    gjb_piped *piped = calloc(1, sizeof *piped);
    if (piped == NULL || gjb_piped_start(piped, asked_program->words, 0, NULL) != 0) {
        free(piped);
        return NULL;
    }
    const gjb_bytes nothing = {0};
    const gjb_piped_limits limits = limits_of(open_factor + seconds_a_shape * p->shapes->count, NULL);
    exchange(piped, &nothing, &limits, take_header, (void *)asked_program);
    exchange(piped, &p->frame, &limits, asked_program->form->ready, ns);
    return piped;
}

static void release(void *of)
{
    prepared *p = of;
    gjb_piped *spare = atomic_exchange(&p->spare, NULL);
    if (spare != NULL)
        gjb_piped_stop(spare);
    free(spare);
    free(p->frame.data);
    free(p);
}

static void *prepare(const gjb_shapes *shapes, const char *backend)
{
    const gjb_claim claim = {asked_program->row.kinds, asked_program->row.max_vertices};
    prepared *p = calloc(1, sizeof *p);
    (void)backend;
    if (p == NULL)
        return NULL;
    p->shapes = shapes;
    asked_program->form->shapes(&p->frame, shapes, &claim);
    gjb_piped *first = p->frame.failed ? NULL : start(p, &p->ns);
    atomic_store(&p->spare, first);
    if (first != NULL)
        return p;
    release(p);
    return NULL;
}

static size_t workspace_size(const void *of)
{
    (void)of;
    return sizeof(workspace);
}

static void run(const void *of, const gjb_batch *batch)
{
    prepared *p = (prepared *)of; /* for `spare` alone */
    workspace *w = batch->workspace;
    uint64_t unused;
    if (w->piped == NULL)
        w->piped = atomic_exchange(&p->spare, NULL);
    if (w->piped == NULL && (w->piped = start(p, &unused)) == NULL)
        watching.ended(&(gjb_program_end){.what = GJB_UNPREPARED});
    for (size_t first = 0; first < batch->pair_count; first += PAIRS_MOST) {
        const size_t left = batch->pair_count - first;
        gjb_asked asked = {.shapes = p->shapes,
                           .batch = batch,
                           .first = first,
                           .count = left < PAIRS_MOST ? left : PAIRS_MOST,
                           .id = w->asks++};
        gjb_bytes out = {0};
        asked_program->form->ask(&out, &asked);
        const gjb_piped_limits limits = limits_of(1 + seconds_a_pair * (double)asked.count, &asked.progress);
        if (out.failed)
            abort();
        exchange(w->piped, &out, &limits, asked_program->form->answers, &asked);
        w->ns += asked.ns;
        free(out.data);
    }
}

const gjb_contender *gjb_program_resolve(const gjb_contender *contender, const gjb_program_watch *watch)
{
    const program *p = find(contender);
    if (p == NULL)
        return contender;
    asked_program = p;
    watching = *watch;
    return &p->live;
}

uint64_t gjb_program_answers_ns(const gjb_contender *contender, void *of)
{
    workspace *w = of;
    if (contender->run != run)
        return 0;
    const uint64_t ns = w->ns;
    w->ns = 0;
    return ns > 0 ? ns : 1;
}

double gjb_program_prepare_seconds(const gjb_contender *contender, const void *of, double otherwise)
{
    return contender->run == run && of != NULL ? 1e-9 * (double)((const prepared *)of)->ns : otherwise;
}

/* --- adding -------------------------------------------------------------------- */

/* Never called here; a mistake must show at once. */
static void *never_prepare(const gjb_shapes *shapes, const char *backend)
{
    (void)shapes;
    (void)backend;
    abort();
}

static size_t never_size(const void *of)
{
    (void)of;
    abort();
}

static void never_run(const void *of, const gjb_batch *batch)
{
    (void)of;
    (void)batch;
    abort();
}

static void never_release(void *of)
{
    (void)of;
    abort();
}

/* A line, of a length that is one of a header. */
static int take_line(void *user, const char *bytes, size_t size, size_t *used)
{
    program *p = user;
    const char *end = memchr(bytes, '\n', size < GJB_HEADER_MOST ? size : GJB_HEADER_MOST);
    if (end == NULL)
        return size < GJB_HEADER_MOST ? GJB_TAKEN_MORE : GJB_BREACH_LENGTH;
    *used = p->header_size = (size_t)(end - bytes) + 1;
    p->header = malloc(p->header_size);
    if (p->header == NULL)
        return GJB_BREACH_LENGTH;
    memcpy(p->header, bytes, p->header_size);
    return GJB_TAKEN_ALL;
}

static int split(const char *command, char ***words, gjb_error *error)
{
    static const char *const why[] = {
        [WRDE_BADCHAR] =
            "one of |&;<>(){} or a new line stands outside quotes: it is a program and its arguments",
        [WRDE_BADVAL] = "it names a variable that is not set",
        [WRDE_CMDSUB] = "it is a program and its arguments, and runs no other command",
        [WRDE_NOSPACE] = "out of memory",
        [WRDE_SYNTAX] = "a quote or a brace is not closed"};
    wordexp_t found;
    const int failed = wordexp(command, &found, WRDE_NOCMD | WRDE_UNDEF);
    if (failed)
        return gjb_fail(error, "%s", why[failed]);
    if (found.we_wordc == 0)
        return gjb_fail(error, "no program is named");
    *words = found.we_wordv; /* for good */
    return 0;
}

/* Why there is no header, and what the program said of it. */
static int refuse_end(const gjb_piped *piped, const gjb_program_end *end, gjb_error *error)
{
    const char *said = piped->words[0] != '\0' ? "; it says: " : "";
    if (end->what == GJB_HUNG)
        return gjb_fail(error, "no header within %d s%s%s", HEADER_SECONDS, said, piped->words);
    if (end->what == GJB_BROKE_PROTOCOL && end->code == GJB_BREACH_LENGTH)
        return gjb_fail(error, "its first line is longer than %d bytes, and no header", GJB_HEADER_MOST);
    if (end->what == GJB_BROKE_PROTOCOL && end->code == GJB_BREACH_UNASKED)
        return gjb_fail(error, "it wrote more than its header before it was asked");
    if (end->what == GJB_EXITED)
        return gjb_fail(error, "exited (%d) before its header was there%s%s", end->code, said, piped->words);
    if (end->what == GJB_BROKE_PROTOCOL)
        return gjb_fail(error, "%s before its header was there%s%s", gjb_breach_name(end->code), said,
                        piped->words);
    return gjb_fail(error, "crashed (SIG%s) before its header was there%s%s",
                    end->what == GJB_ABORTED ? "ABRT" : sigabbrev_np(end->code), said, piped->words);
}

/* What is said of its times stands wherever notes do. */
static int mark(program *p, gjb_error *error)
{
    char *note;
    p->note = p->row.note;
    if (asprintf(&note, "a program, whose times are those of its own clock%s%s", *p->note ? "; " : "",
                 p->note) < 0)
        return gjb_fail(error, "out of memory");
    p->row.note = p->live.note = note; /* for good */
    return 0;
}

static int look(program *p, gjb_error *error)
{
    const gjb_piped_limits limits = {.cpu = HEADER_SECONDS, .blocked = HEADER_SECONDS};
    gjb_piped piped;
    gjb_program_end end;
    if (gjb_piped_start(&piped, p->words, 1, error) != 0)
        return -1;
    const int ended = gjb_piped_exchange(&piped, NULL, 0, &limits, take_line, p, &end);
    /* Of what goes on behind a line that is no header, the line is the reason. */
    int failed =
        p->header != NULL && gjb_program_header_read(p->header, p->header_size, &p->row, &p->form, error);
    if (ended && !failed)
        failed = refuse_end(&piped, &end, error);
    gjb_piped_stop(&piped);
    return failed ? -1 : 0;
}

int gjb_program_add(const char *command, gjb_error *error)
{
    gjb_error inner = {""};
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* what programs leave behind is reaped here: gjb_child_wait_for_end */
    program *p = calloc(1, sizeof *p);
    if (p == NULL)
        return gjb_fail(error, "out of memory");
    p->next = programs; /* also if it is refused, which ends the run: nothing is lost track of */
    programs = p;
    int failed = split(command, &p->words, &inner) || look(p, &inner);
    if (!failed) {
        p->live = p->row;
        p->live.prepare = prepare;
        p->live.workspace_size = workspace_size;
        p->live.run = run;
        p->live.release = release;
        p->row.prepare = never_prepare;
        p->row.workspace_size = never_size;
        p->row.run = never_run;
        p->row.release = never_release;
        failed = gjb_plugin_check(&p->row, &inner) || mark(p, &inner) || gjb_contender_add(&p->row, &inner);
    }
    if (failed)
        return gjb_fail(error, "'%.200s': %s", command, inner.text);
    return 0;
}
