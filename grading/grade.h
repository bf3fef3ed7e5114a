/* Grading: is this answer right? Certificates first, the exact oracle where
 * they leave a doubt. The rules are in docs/DESIGN.md, "Right". */
#ifndef GJB_GRADING_GRADE_H
#define GJB_GRADING_GRADE_H

#include "contenders/harness.h"
#include "core/query.h"
#include "grading/bounds_path.h"
#include "grading/manifold/manifold.h"
#include "reference/effort.h"
#include "reference/motion/motion.h"

typedef enum gjb_verdict {
    GJB_RIGHT = 0,
    GJB_WRONG,
    GJB_UNGRADED,
    GJB_NOT_SUPPORTED,
    GJB_VERDICTS
} gjb_verdict;
const char *gjb_verdict_name(gjb_verdict verdict); /* "right", "wrong", "ungraded", "unsupported" */

/* What was wrong, for tables and for naming saved files. */
typedef enum gjb_fault {
    GJB_FAULT_NONE = 0,
    GJB_FAULT_BOOLEAN, /* the wrong boolean, outside the band */
    GJB_FAULT_VALUE,
    GJB_FAULT_NORMAL,
    GJB_FAULT_LENGTH,  /* a normal's direction is right, its length is not 1 */
    GJB_FAULT_WITNESS,
    GJB_FAULT_NAN,
    GJB_FAULT_UNWRITTEN,
    GJB_FAULT_CAPPED,  /* iteration limit: a status, never right */
    GJB_FAULT_REFUSED, /* invalid input for valid input */
    GJB_FAULT_FORM,    /* a field that the status leaves undefined is not +0, or -0 anywhere (ours) */
    GJB_FAULT_LATE,    /* a time of impact after the truth */
    GJB_FAULT_LAST,    /* of sweep: the time of last contact is before the truth, or after it by more than T */
    /* Of manifolds (docs/manifolds.md, "When a manifold is right"): */
    GJB_FAULT_CONTACT, /* rules 1 to 3: a point is off its shape, off its partner, or further apart than the margin */
    GJB_FAULT_DEEPEST, /* rule 5: the least separation is not the gap along the normal */
    GJB_FAULT_PATCH,   /* rules 6 and 7: corners of the patch are missing, or all points, or there are some but none
                          is wanted */
    GJB_FAULT_FEATURE, /* ours: two contacts have one feature */
    GJB_FAULTS
} gjb_fault;
const char *gjb_fault_name(gjb_fault fault);

/* Fields of a record, in groups that a status defines together; all others are +0. */
enum { GJB_VALUE = 1, GJB_NORMAL = 2, GJB_POINTS = 4, GJB_LAST = 8 };
int gjb_defined_by(gjb_query query, gjb_status status);

/* Truth of two boxes that sweep: by axis and face of A, the lower first, the gap between the boxes along it
 * is gap + t * speed. Unlike a distance it may be as negative as the boxes are large. */
typedef struct gjb_swept {
    int boxes;         /* 1: pose and shape are those of unturned boxes */
    long double gap[6], speed[6];
    long double low[2][3], high[2][3]; /* A and B about A's translation; B as at the start */
    int exact;         /* 1: `oracle` is known */
    ref_sweep_truth oracle;
} gjb_swept;

/* Truth of a pair in motion; each part is found when it is first asked for. */
typedef struct gjb_motion_truth {
    int open, swept_open;
    gjb_path path;
    long double reached; /* sigma > 0 on [0, reached], if that is more than 0 */
    int stuck;           /* 1: the proof goes no further */
    double contact;      /* proven: sigma <= 0 at this time; INFINITY: none is known */
    int searched;        /* 1: for the deepest overlap */
    double depth;        /* the deepest overlap that a search found and proved; 0: none */
    int left;            /* 1: contact at first, which is left and to be ignored, as far as the last answer went */
    double at, lo, hi;   /* bounds on sigma at a time; NaN: none */
    int exact;           /* 1: `oracle` is known */
    ref_toi_truth oracle;
    gjb_swept swept;
} gjb_motion_truth;

/* What was measured last: an answer to one query is often the answer to the next, to the bit. */
typedef struct gjb_measured {
    int has_gap, has_distance[2];
    long double normal[3], gap;               /* support gap along the normal */
    long double point[2][3], distance[2];     /* of a point to A, of one to B */
} gjb_measured;

/* Truth of one pair, shared by all that answer it. Zero it before first use; it
 * keeps its buffers from pair to pair until gjb_truth_close. */
typedef struct gjb_truth {
    const gjb_pair *pair;
    double epsilon; /* what errors will be counted in, as bounds need not be much narrower than that times S; 0: those
                       of double. To be set before the first pair */
    int slowly;    /* 1: depths of curved cores by branch and bound alone, manifolds by the exact patch alone. To be
                      set before the first pair */
    double size;   /* S */
    double lo, hi; /* proven interval for sigma */
    int exact;     /* 1: from the oracle */
    int conflict;  /* 1: certificate and oracle contradict each other: a defect in one of them */
    int sought;    /* 1: bounds were looked for; 0: they are what answers have proven of themselves */
    int in_halves; /* 1: exact by integers alone: no oracle was asked */
    gjb_placed_pair placed;
    gjb_measured measured;
    gjb_wanted wanted, wanted_exactly; /* of the manifold that was graded last */
    gjb_motion_truth motion; /* opened by the first answer to a query about motion */
    int moving;              /* 1: opened for such queries alone, lo and hi are 0 */
    ref_effort effort;       /* of the pair; once it is cut, bounds hold but may be wide, and answers go ungraded */
} gjb_truth;
/* Bounds from certificates. `pair` is borrowed until the next open. 0, or -1 out of memory. */
int gjb_truth_open(gjb_truth *truth, const gjb_pair *pair);
/* The same without looking for bounds yet: lo and hi are infinite until answers are graded, whose normals and
 * witness points are proofs themselves. What these leave in doubt is looked for then. */
int gjb_truth_open_lazily(gjb_truth *truth, const gjb_pair *pair);
/* The same with lo and hi from integers (grading/halves.h), if the pair is of that form, and with nothing left to look
 * for; of other pairs the same. */
int gjb_truth_open_in_halves(gjb_truth *truth, const gjb_pair *pair);
/* The same for queries about motion alone, which have no use for sigma at the start; S is then that of
 * the path. */
int gjb_truth_open_moving(gjb_truth *truth, const gjb_pair *pair);
/* Narrows [lo, hi] by the exact oracle, once; opened for motion, asks the oracles of motion. */
void gjb_truth_exact(gjb_truth *truth);
/* The same to check what is known: of a curved pair at rest, or of one that was opened in halves, by a slow truth of
 * the same pair, opened lazily, whose oracle is asked whatever this one's said. */
void gjb_truth_audit(gjb_truth *truth, gjb_truth *slow);
void gjb_truth_close(gjb_truth *truth);

typedef struct gjb_tolerance {
    double k;       /* of k * eps * S */
    double k_of_kind[GJB_KINDS]; /* no less if a shape is of that kind */
    double epsilon; /* the coarser of scene's and contender's */
    double own;     /* the contender's; 0: as epsilon */
    double least;   /* size: smaller pairs are graded as if they had it */
    double tau;     /* absolute, documented by the contender */
    double tau_time; /* of toi: a part of the way that the pair goes in the step */
    double skin;    /* margin that the contender adds by design */
    double relative; /* a part of S, documented by the contender */
    int ours;       /* 1: -0 is a fault too */
    int no_normal, no_points; /* 1: the contender gives none of its own, and none are graded */
    int touching_only; /* of manifold, 1: it gives contacts of shapes that touch alone, whatever the margin */
    int partial;    /* of manifold, 1: the contender gives fewer points than fit, and need not cover the patch */
    int within;     /* of distance, 1: it may stop at the pair's `within`, if there is one */
} gjb_tolerance;

/* What is granted for a pair: k is that of its shapes. */
gjb_tolerance gjb_tolerance_on(const gjb_tolerance *tolerance, const gjb_pair *pair);

/* T, in world units, for a pair of size S. */
double gjb_tolerance_of(const gjb_tolerance *tolerance, double size);
/* What a contender of this precision is granted for a query in 2D or 3D: the published k,
 * its documented tau and skin. */
gjb_tolerance gjb_tolerance_for(const gjb_contender *contender, gjb_query query, gjb_precision precision,
                                uint32_t dim);

typedef struct gjb_grade {
    gjb_verdict verdict;
    gjb_fault fault;
    double error_eps;                          /* largest of the three below, in units of eps * S */
    double value_eps, normal_eps, witness_eps; /* value; support gap along the normal; witness points */
    double
        length_off; /* of the normal, if it was looked at: its length less 1, which no error above holds */
    double coverage;    /* of a manifold, if has_coverage: of what the best points that fit span, the share that its
                           points do */
    double bar;         /* what sigma decides status by: 0, or of intersect the pair's `within` */
    uint8_t has_coverage;
    uint8_t has_value, has_normal, has_points; /* which of these were looked at */
    uint8_t moving;                            /* of a query about motion: see gjb_grade_result */
    uint8_t too_slow; /* 1: ungraded, since the truth took more than a pair has (reference/effort.h) */
} gjb_grade;

/* The fault with its own measure, if errors in eps S do not say what was wrong: "normal's length is 1 +
 * 3e-06". */
enum { GJB_FAULT_TEXT = 80, GJB_LENGTH_TEXT = 32 };
const char *gjb_fault_text(const gjb_grade *grade, char text[GJB_FAULT_TEXT]);
/* The length of a normal that is not 1: "1 + 3e-06", or "0". */
const char *gjb_length_text(const gjb_grade *grade, char text[GJB_LENGTH_TEXT]);

/* 1 for an answer further than `share` S from the truth, or that is no answer: not a number, not written, capped,
 * refused, of the wrong form. A wrong boolean counts if the shapes are that far apart or overlap that deeply;
 * normals and points do not, but those of manifolds do, and corners that they lack. `truth` is the one that it was graded against, `epsilon` the tolerance's. */
int gjb_grade_beyond(const gjb_grade *grade, const gjb_truth *truth, double share, double epsilon);

/* What a wrong answer looks like, if that is a usual mistake of an adapter and not of its library. */
typedef enum gjb_hint {
    GJB_HINT_NONE = 0,
    GJB_HINT_THRESHOLD, /* "separated" by a thousandth of the depth, or less: a library's 0 is seldom exactly 0 */
    GJB_HINT_LENGTH,    /* GJB_FAULT_LENGTH */
    GJB_HINT_OPPOSITE,  /* the opposite normal is right */
    GJB_HINT_ORIGIN,    /* less A's translation, the points are right */
    GJB_HINT_EXCHANGED, /* each point is right as the other */
    GJB_HINT_NO_RADIUS, /* less both radii, the value is right */
    GJB_HINT_RADIUS_TWICE, /* with both radii added, the value is right */
    GJB_HINT_NO_POSE,   /* the value is right for both shapes in their own frames */
    GJB_HINT_POSE_TWICE, /* the value is right for poses that are applied twice */
    GJB_HINT_TURNED_BACK, /* the value is right for the opposite rotations */
    GJB_HINTS
} gjb_hint;
const char *gjb_hint_name(gjb_hint hint); /* "threshold", ... */
/* The mistake, and what to do, for a line of text after "of ... wrong answers ". */
const char *gjb_hint_about(gjb_hint hint);
/* 1 if answers have the fault that a hint explains, and few of that fault are left without it: what it takes for the
 * hint to be shown. Counts are of one contender: by fault and by hint. */
int gjb_hint_holds(gjb_hint hint, const uint64_t faults[GJB_FAULTS], const uint64_t hints[GJB_HINTS]);
/* Of one that was graded so, against that truth. */
gjb_hint gjb_hint_of(gjb_query query, gjb_truth *truth, const gjb_result *result, const gjb_grade *grade,
                     const gjb_tolerance *published);

/* The same of mistakes with poses, which take the truth of other pairs to find: of values of polytopes alone. */
gjb_hint gjb_pose_hint_of(gjb_query query, const gjb_truth *truth, const gjb_result *result, const gjb_grade *grade,
                          const gjb_tolerance *published);

/* Does the answer `s` to the pair exchanged claim another truth than `r`? It must not depend on who is
 * called A, but for rounding. Vectors are not looked at. */
int gjb_asymmetric(gjb_query query, gjb_truth *truth, const gjb_result *r, const gjb_result *s,
                   const gjb_tolerance *granted);

/* Time of first contact, for tables: NaN if there is none, 0 for overlap at the start. */
double gjb_truth_time(gjb_truth *truth, gjb_query query);

/* Never wrong without the oracle's word if the truth is in doubt. */
/* For queries about motion an error in value is a distance too: sigma at the time that was answered, if that is
 * early; how deep the shapes had been in each other by then, if it is late or a contact was missed. */
gjb_grade gjb_grade_result(gjb_query query, gjb_truth *truth, const gjb_result *result,
                           const gjb_tolerance *tolerance);

#endif
