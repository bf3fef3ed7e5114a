/* Between the files of the property table: pairs that may be changed, and what is claimed of them. */
#ifndef GJB_PROPERTIES_PROPERTY_PRIVATE_H
#define GJB_PROPERTIES_PROPERTY_PRIVATE_H

#include "grading/grade.h"
#include "properties/property.h"

enum { PROP_ROWS = 2 * GJB_PROPERTY_VERTICES + 8 };

/* A body as stored, in double; a plane one has no third coordinates. */
typedef struct prop_body {
    gjb_kind kind;
    uint32_t count;
    double rows[PROP_ROWS][3];
    double radius;
    double place[3];
    double turn[4];   /* (c, s), or q */
    double motion[6]; /* displacement, then angle or rotation vector; the first gjb_motion_numbers() count */
} prop_body;

typedef struct prop_pair {
    uint32_t dim;
    gjb_precision precision;
    prop_body body[2]; /* A, B */
} prop_pair;

/* The drawn pair, as `make` sees it. */
typedef struct gjb_drawn {
    const prop_pair *pair;
    double size; /* S; in motion that of the path */
    double epsilon;
    int moves;
    /* Of GJB_BY_ANSWER, else NULL: what was said, within what, and by which contender. */
    const gjb_result *said;
    double tolerance;
    gjb_query query;
    const gjb_contender *who;
} gjb_drawn;

typedef enum prop_claim {
    PROP_NOTHING, /* stands there for another to be held against */
    PROP_SAME,    /* sigma' = scale * sigma + shift */
    PROP_NO_LESS, /* sigma' >= sigma */
    PROP_NO_MORE,
    PROP_NEAR,  /* |sigma' - sigma| <= by */
    PROP_CHORD, /* sigma of the drawn pair is at most (1 - by) that of `against` and by that of this one */
    PROP_UNION, /* sigma of the drawn pair is the lesser of that of `against` and of this one, if positive */
    PROP_KNOWN, /* low <= sigma' <= high */
    PROP_FEATURES, /* as many contacts, and of our kernels the same ids */
    PROP_TIME /* of toi and sweep: first contact at `low` at the earliest and at `high` at the latest; above 1: none */
} prop_claim;

typedef struct gjb_related {
    prop_pair *pair; /* to be changed; only while it is made */
    uint32_t dim;    /* of it, in the end */
    prop_claim claim;
    int against; /* another of the related pairs, made before; -1: the drawn one */
    double scale, shift, by, low, high;
    double
        off; /* how far rounding of its numbers may have moved sigma, or of those that it is held against */
    double tau;                    /* what is granted in addition to T, for what was said */
    int query;                     /* that it is asked for; -1: the one that the drawn one is */
    double time_scale, time_shift; /* a time of the drawn pair is time_scale * (its own) + time_shift */
} gjb_related;

/* --- Pairs (property_pair.c) --- */

void gjb_prop_pair_get(const gjb_scene *scene, uint64_t index, prop_pair *out);
/* Rounds every number to the precision of the pair. 0, or -1 if one is too large for it. */
int gjb_prop_round(prop_pair *pair);
double gjb_prop_rounded(gjb_precision precision, double value);
/* As gjb_pair, in memory of `space`; only as long as that. */
int gjb_prop_view(const prop_pair *pair, gjb_pair_space *space, gjb_pair *view);
double gjb_prop_reach(const prop_pair *pair, int b); /* of the core */
/* A rotation in world axes, in long double; in the plane about z. */
typedef struct prop_turn {
    long double m[3][3];
    long double q[4]; /* of unit length */
} prop_turn;
prop_turn gjb_prop_turn_random(uint32_t dim, gjb_random *random);
/* The rotation of a body as stored. */
void gjb_prop_matrix(uint32_t dim, const prop_body *body, long double m[3][3]);
/* Turns the pair about the translation of A, and puts that to `place`; every number rounded. How far that moved sigma
 * may be off: motions, if `moves`, are turned too. */
double gjb_prop_turn_pair(prop_pair *pair, const prop_turn *turn, const double place[3], int moves);
/* by * direction is added to a translation, and rounded. Returns how far from there it went, and in *went how far it did. */
double gjb_prop_move(prop_pair *pair, int b, const double direction[3], double by, double *went);
void gjb_prop_direction(uint32_t dim, gjb_random *random, double direction[3]);
/* Is sum = a + b exactly, and a number of the precision? */
int gjb_prop_exact_sum(gjb_precision precision, double a, double b, double *sum);

/* Pairs in a row, for a scene of them. */
typedef struct prop_stack {
    uint32_t dim;
    gjb_precision precision;
    int moves;
    double margin, within; /* of the scene; clearing keeps them */
    size_t count, capacity; /* pairs */
    struct prop_stacked *pairs;
    double *rows;
    size_t row_count, row_capacity; /* numbers */
} prop_stack;
void gjb_prop_stack_clear(prop_stack *stack, uint32_t dim, gjb_precision precision, int moves);
int gjb_prop_stack_push(prop_stack *stack, const prop_pair *pair); /* 0, or -1 out of memory */
gjb_scene *gjb_prop_stack_scene(const prop_stack *stack, gjb_error *error);
void gjb_prop_stack_free(prop_stack *stack);

/* --- What is claimed (property_judge.c) --- */

typedef struct prop_answer {
    const gjb_scene *scene;
    uint64_t index;
    gjb_query query;
    gjb_result result;
} prop_answer;
/* Is it a distance that stopped at the scene's `within`? It says no more than that sigma is at least its value. */
int gjb_prop_stopped(const prop_answer *answer);

/* Of a pair of a scene: S at rest and of the path, and its kinds. */
typedef struct prop_measure {
    const gjb_scene *scene;
    uint64_t index;
    double rest, path;
    gjb_kind kind[2];
} prop_measure;

enum { PROP_MEASURES = 4096 };
typedef struct prop_judge {
    prop_measure
        known[PROP_MEASURES]; /* by index; of scenes that are still there, see gjb_prop_judge_forget */
    const gjb_contender *who;
    gjb_precision precision;
    gjb_pair_space space, space_then;
    gjb_truth truth, truth_in_motion;
    gjb_pair pair; /* of the truth that was opened last */
    int too_slow;  /* 1: a truth took more than a pair has, and left it open; for the caller to clear */
} prop_judge;
void gjb_prop_judge_close(prop_judge *judge);
void gjb_prop_judge_forget(prop_judge *judge); /* after a scene is freed, or its place may be another's */
/* S of a pair of a scene, at least the least; T that is granted to an answer about it. */
double gjb_prop_size(prop_judge *judge, const gjb_scene *scene, uint64_t index, int moving);
double gjb_prop_tolerance(prop_judge *judge, const prop_answer *a);
int gjb_prop_given(const gjb_result *result); /* an answer, of whatever query */

typedef enum prop_verdict { PROP_HOLDS, PROP_VIOLATED, PROP_MUTE, PROP_UNGRADED, PROP_SKIPPED } prop_verdict;
typedef struct prop_finding {
    prop_verdict verdict;
    double worst_eps;
} prop_finding;
/* `drawn` is the drawn pair's answer; `other` that which `to` is held against, which may be the same. */
prop_finding gjb_prop_hold(prop_judge *judge, const gjb_property *row, const gjb_related *to,
                           const prop_answer *drawn, const prop_answer *other, const prop_answer *got);
/* Two queries about one pair. */
prop_finding gjb_prop_agree(prop_judge *judge, const prop_answer *a, const prop_answer *b);

/* --- Relations --- */

#define PROP_MAKES(name) int name(const gjb_drawn *from, unsigned which, gjb_random *random, gjb_related *to)
PROP_MAKES(gjb_prop_swap);
PROP_MAKES(gjb_prop_rigid);
PROP_MAKES(gjb_prop_translate);
PROP_MAKES(gjb_prop_scale);
PROP_MAKES(gjb_prop_turns);
PROP_MAKES(gjb_prop_mirror);
void gjb_prop_carry_scaled(const gjb_related *to, gjb_result *result);
void gjb_prop_carry_turned(const gjb_related *to, gjb_result *result);

PROP_MAKES(gjb_prop_permuted);
PROP_MAKES(gjb_prop_repeated);
PROP_MAKES(gjb_prop_interior);
PROP_MAKES(gjb_prop_smaller);
PROP_MAKES(gjb_prop_larger);
PROP_MAKES(gjb_prop_cut);

PROP_MAKES(gjb_prop_box_is_hull);
PROP_MAKES(gjb_prop_capsule_is_rounded);
PROP_MAKES(gjb_prop_round_ellipse);
PROP_MAKES(gjb_prop_square_power);
PROP_MAKES(gjb_prop_first_power);
PROP_MAKES(gjb_prop_thin_curved);

PROP_MAKES(gjb_prop_inflate);
PROP_MAKES(gjb_prop_lipschitz);
PROP_MAKES(gjb_prop_convex);
PROP_MAKES(gjb_prop_along_normal);
PROP_MAKES(gjb_prop_through_zero);
PROP_MAKES(gjb_prop_separates);

PROP_MAKES(gjb_prop_extrude);
PROP_MAKES(gjb_prop_closed_forms);
PROP_MAKES(gjb_prop_closed_times);
PROP_MAKES(gjb_prop_slide);

PROP_MAKES(gjb_prop_common_velocity);
PROP_MAKES(gjb_prop_twice_as_far);
PROP_MAKES(gjb_prop_backwards);
PROP_MAKES(gjb_prop_first_half);
PROP_MAKES(gjb_prop_inflate_in_time);
PROP_MAKES(gjb_prop_along_the_way);

#endif
