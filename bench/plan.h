/* What to measure: sweeps, each varying one factor around a base point, or two for
 * a map, made into a list of points. */
#ifndef GJB_BENCH_PLAN_H
#define GJB_BENCH_PLAN_H

#include "contenders/harness.h"
#include "core/error.h"
#include <gjkbench/contender.h>

enum { GJB_BENCH_CASE_NAME = 224, GJB_SWEEP_NAMES = 1024 };

/* One way to run a contender. */
typedef struct gjb_way {
    const gjb_contender *contender;
    const char *backend; /* NULL if there is just one way */
} gjb_way;

/* A recorded scene: workload `name`, family "recorded". */
typedef struct gjb_recording {
    const char *name; /* "box2d-pyramid" */
    const gjb_scene *scene;
} gjb_recording;

typedef struct gjb_bench_case {
    uint32_t dim;
    gjb_query query;
    char workload[48];
    char family[48];
    const gjb_scene *recorded; /* NULL: the scene is generated */
    uint32_t shapes;           /* in the library */
    uint32_t call;             /* pairs a call, at most */
    uint32_t by_frame;         /* of a recording: each call is one frame; `call` is the largest then */
    uint32_t threads;
    double margin, within;     /* of manifold; of intersect and distance, as gjb_recipe has them; of a recording its own */
    uint32_t leaving;          /* of toi, as gjb_recipe has it; what turns is in no plan with GJB_LEAVING_IGNORE */
    gjb_start start;           /* what searches begin with; but for cold, of ours alone */
    gjb_way way;
    gjb_precision precision;       /* of what the contender is fed */
    gjb_precision scene_precision; /* of the scene before that */
    uint32_t names_scene;          /* the name says that too: another point differs in nothing else */
    uint64_t sweeps;               /* bit per row of gjb_sweeps */
    uint64_t answers, grades;      /* pairs behind its fingerprint, and to grade; 0: as many as the rules below say */
} gjb_bench_case;

typedef enum gjb_plan_size { GJB_PLAN_QUICK = 0, GJB_PLAN_DEFAULT, GJB_PLAN_FULL, GJB_PLAN_SIZES } gjb_plan_size;

typedef enum gjb_axis {
    GJB_AXIS_BASES = 0, /* the base points of the dimension; has no values */
    GJB_AXIS_SHAPES,
    GJB_AXIS_WORKLOAD,
    GJB_AXIS_FAMILY,
    GJB_AXIS_CALL,
    GJB_AXIS_THREADS,
    GJB_AXIS_PRECISION,
    GJB_AXIS_RECORDED,
    GJB_AXIS_START
} gjb_axis;

/* Which ways of a contender a sweep takes: all, or only its widest (the last
 * way listed) and, if it has several, its narrowest (the first) too. */
typedef enum gjb_breadth { GJB_WAYS_WIDEST = 0, GJB_WAYS_ENDS, GJB_WAYS_ALL } gjb_breadth;

/* Which base point of the dimension a sweep varies around: the first; of swept boxes; of times of impact. */
typedef enum gjb_around { GJB_AROUND_FIRST = 0, GJB_AROUND_SWEPT, GJB_AROUND_MOVING } gjb_around;

typedef struct gjb_sweep {
    const char *name; /* what varies has one name in both dimensions, even if its values differ */
    uint32_t dims;    /* bit d */
    gjb_axis axis;
    const char *values[GJB_PLAN_SIZES]; /* with commas between; "": the sweep is left out */
    gjb_breadth breadth[GJB_PLAN_SIZES];
    uint8_t all_queries; /* signed distance too, which others leave out */
    uint32_t others_shapes[GJB_PLAN_SIZES]; /* the most that contenders not ours get; 0: any */
    gjb_axis across;  /* a second factor that varies with each value of the first; GJB_AXIS_BASES: none */
    const char *across_values[GJB_PLAN_SIZES];
    gjb_around around;
} gjb_sweep;

extern const gjb_sweep gjb_sweeps[];
extern const size_t gjb_sweep_count; /* <= 64 */

typedef struct gjb_plan_options {
    gjb_plan_size size;
    int brief;           /* fewer answers and grades a point, if there is a minute for all of them */
    const gjb_way *ways; /* of one contender: together, narrowest first */
    size_t way_count;
    uint32_t dims;       /* bit d; 0: 2 and 3 */
    uint32_t queries;    /* bit per gjb_query; 0: as each sweep says */
    uint32_t precisions; /* bit per gjb_precision; 0: as each sweep says */
    /* When any of these is given, the plan is the product of what is given,
     * the base point standing for the rest, instead of the sweeps. */
    const char *const *workloads;
    size_t workload_count;
    const char *const *families;
    size_t family_count;
    const uint32_t *shapes;
    size_t shape_count;
    const uint32_t *calls;
    size_t call_count;
    const uint32_t *threads;
    size_t thread_count;
    const gjb_start *starts;
    size_t start_count;
    uint32_t all_threads; /* what "all" means; at least 1 */
    const gjb_recording *recordings;
    size_t recording_count;
    double margin, within; /* of generated scenes */
    uint32_t leaving;
} gjb_plan_options;

typedef struct gjb_plan {
    gjb_bench_case *points; /* names are unique */
    size_t count, capacity;
    /* Set beforehand: a contender that has f64 alone is asked about scenes of f32 and of f64, and not about whichever
     * comes first. */
    int both_scenes;
} gjb_plan;

/* The points to compare implementations by; query, way and sweeps are left
 * open. At each all queries are asked that meet its family (gjb_query_meets). */
extern const gjb_bench_case gjb_base_points[];
extern const size_t gjb_base_point_count;
const gjb_bench_case *gjb_base_point(uint32_t dim); /* 2 or 3 */
const gjb_bench_case *gjb_base_point_of(uint32_t dim, gjb_around around);

/* 0, or -1 with one line in `error`: a name that none of the dimensions knows, a
 * number out of range, nothing to measure. What one of two dimensions lacks is
 * left out there. Zero the plan beforehand; free it in both cases. */
int gjb_plan_make(gjb_plan *plan, const gjb_plan_options *options, gjb_error *error);
/* Adds the points to those that the plan has, or none: nothing to measure is no error here. Whether it is brief is
 * not asked. */
int gjb_plan_add(gjb_plan *plan, const gjb_plan_options *options, gjb_error *error);
void gjb_plan_free(gjb_plan *plan);
/* Leaves out what is no base point. */
void gjb_plan_keep_bases(gjb_plan *plan);

/* "2d/distance/polygon8/mixed/shapes:4096/batch/avx512/f32", with "/call:N" and
 * "/threads:N" behind the shapes if they are not the base point's, "/call:frame" if each call is a frame,
 * "/scene:f64" if that is all that differs, and "/warm" or "/stale" if it does not start cold. */
const char *gjb_bench_case_name(const gjb_bench_case *point, char name[GJB_BENCH_CASE_NAME]);
/* Its part before the contender, which those that are compared share. Returns its length. */
size_t gjb_bench_case_question(const gjb_bench_case *point, char name[GJB_BENCH_CASE_NAME]);
/* Those of a point's `sweeps`, with commas between. Returns `names`. */
const char *gjb_sweep_names(uint64_t sweeps, char names[GJB_SWEEP_NAMES]);

/* Lowers shapes and pairs a call of a point with large shapes: those take part in smaller numbers. */
void gjb_bench_case_fit(gjb_bench_case *point);

/* Makes each call of a point with a recording one of its frames. */
void gjb_bench_case_by_frame(gjb_bench_case *point);

/* Vertices of each of its shapes, at most; 0 for a recording. */
uint32_t gjb_bench_case_vertices(const gjb_bench_case *point);

/* Pairs in the point's scene: each shape at least once, and no fewer than a
 * branch predictor can learn by heart; of large shapes fewer. */
uint64_t gjb_bench_case_pairs(const gjb_bench_case *point);

/* Pairs behind its fingerprint and counts, and pairs to grade, if the scene
 * has that many: they depend on the scene alone, so that ways of a contender
 * compare, and answers of large shapes take long to get and to prove. Of the
 * base points at least 10,000 are graded: which contender is right is decided by a rate of
 * 0.1%. Of a recording, the pairs to grade are those of each frame. */
uint64_t gjb_bench_case_answers(const gjb_bench_case *point);
uint64_t gjb_bench_case_grades(const gjb_bench_case *point);

/* Do they run on the same scene? */
int gjb_bench_case_same_scene(const gjb_bench_case *a, const gjb_bench_case *b);

#endif
