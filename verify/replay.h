/* Replay: a scene from a file through contenders, every answer graded. */
#ifndef GJB_VERIFY_REPLAY_H
#define GJB_VERIFY_REPLAY_H

#include <signal.h>

#include "grading/grade.h"
#include "scenes/scene.h"
#include "verify/verify.h"

typedef struct gjb_replay_case gjb_replay_case;
typedef void (*gjb_replay_sink)(void *context, const gjb_replay_case *one);

typedef struct gjb_replay_plan {
    const gjb_verify_entry *entries;
    size_t entry_count;
    uint32_t dims;       /* bit d: scenes of other dimensions are passed over; 0: any */
    uint32_t queries;    /* bits; 0: the scene's own query, or the parts of it that a contender has; all if it names none */
    uint32_t precisions; /* bits; 0: the scene's own if the contender has it, else what it has */
    double step;         /* time that the step of a scene takes, the unit of reported times; 0: 1 */
    const volatile sig_atomic_t *stop; /* may be NULL */
    /* Called for each pair of compounds of more than one pair of parts, after the cases of a query; NULL: never. */
    gjb_replay_sink compounds;
} gjb_replay_plan;

struct gjb_replay_case {
    const char *id; /* of the scene, with ":FRAME/PAIR" behind when there is more than one pair; of a pair of compounds
                       that of the pair of parts that gave the answer */
    const gjb_contender *contender;
    const char *backend; /* "-" if there is just one way */
    gjb_precision precision;
    gjb_query query;
    gjb_grade grade;
    gjb_result result;
    const char *mishap; /* what it did apart from answering, or instead: "crashed", "hung", "returned NaN", ..., or
                           "unasked" after too many of these; else NULL */
    double epsilon;     /* of the coarser of the scene's precision and the answer's: an f32 pose is a rotation, and an
                           f32 polygon convex, to within a few of its own, whatever it is widened to */
    double tau;         /* with the skin, what its documentation grants the contender for the pair: world units */
    double truth; /* what `value` is held against; for intersect, sigma itself; of queries about motion the time of
                     first contact, NaN if there is none; NaN if the precision cannot hold it */
    const gjb_compound_pair *compounds; /* NULL: it is a pair of the scene */
    uint64_t contacts; /* of a manifold of compounds: of all pairs of parts; `result` has those of one */
};

/* Calls `sink` once per case, but for those that gjb_session_stop_on cuts short, in the order contender, query, pair. The scene's
 * inputs are rounded or widened to the precision a contender is fed; truth is
 * that of what it was fed, epsilon the coarser of the two. 0, or -1 with one
 * line in `error`. */
int gjb_replay_scene(const gjb_scene *scene, const char *id, const gjb_replay_plan *plan,
                     gjb_replay_sink sink, void *context, gjb_error *error);

#endif
