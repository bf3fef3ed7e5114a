/* Those of ours that property tests hold their relations against, and scenes
 * to hold them on. */
#ifndef GJB_PROPERTIES_TESTS_SUBJECTS_H
#define GJB_PROPERTIES_TESTS_SUBJECTS_H

#include "contenders/harness.h"
#include "grading/grade.h"
#include "scenes/generate/generate.h"

/* One way of answering: contender, backend, precision. */
typedef struct subject {
    const gjb_contender *contender;
    const char *backend; /* NULL if there is just one way */
    gjb_precision precision;
    int batched; /* the promises of bits hold */
} subject;

enum { SUBJECTS_MAX = 32, PAIRS = 16 };
size_t subjects(subject out[SUBJECTS_MAX]);

/* Calls `visit` for every subject, query and a scene of each workload of the
 * tour that does not curve and each family of a dimension; scenes are shared by those of one precision. */
typedef struct probe {
    subject who;
    gjb_query query;
    const gjb_scene *scene;
    const char *workload, *family;
    uint64_t failures, checks;
    char first[512]; /* the first failure, in words */
} probe;
void for_all(uint32_t dim, void (*visit)(probe *p), uint64_t *failures, uint64_t *checks, char first[512]);
/* The same with families in motion, and queries about it of those who claim them; of workloads every third with
 * each family. */
void for_all_moving(uint32_t dim, void (*visit)(probe *p), uint64_t *failures, uint64_t *checks, char first[512]);
/* Both with workloads that curve, every third with each family: their truth takes its time. */
void for_all_curved(uint32_t dim, void (*visit)(probe *p), uint64_t *failures, uint64_t *checks, char first[512]);
void for_all_curved_moving(uint32_t dim, void (*visit)(probe *p), uint64_t *failures, uint64_t *checks, char first[512]);

/* Counts a check; a failing one is described once. */
#define CHECK(p, condition, format, ...)                                                                     \
    do {                                                                                                     \
        (p)->checks++;                                                                                       \
        if (!(condition) && !(p)->failures++)                                                                \
            snprintf((p)->first, sizeof(p)->first, "%s/%s %uD %s %s %s %s: " format,                         \
                     (p)->who.contender->name, (p)->who.backend ? (p)->who.backend : "-", dim_of(p),         \
                     gjb_precision_name((p)->who.precision), gjb_queries[(p)->query].name, (p)->workload,    \
                     (p)->family, __VA_ARGS__);                                                              \
    } while (0)

/* Answers to all pairs of frame 0, as bytes; the caller frees them. */
void *answers(const subject *who, gjb_query query, const gjb_scene *scene, uint64_t call, uint32_t threads);

/* A scene that the test may change in place. */
gjb_scene *copy_of(const gjb_scene *scene);
unsigned dim_of(const probe *p);
/* Translation of a body in frame 0; the third coordinate is 0 in 2D. */
void place_of(const gjb_scene *scene, uint32_t body, double place[3]);
void set_place(gjb_scene *scene, uint32_t body, const double place[3]);
/* Takes bodies through a rotation of the world: (0.8, 0.6) in the plane, about
 * a slanted axis in space. */
void rotate_world(gjb_scene *scene, uint32_t body);
/* The world and every shape with x and -x exchanged, exactly. */
void mirror(gjb_scene *scene);
/* value = value * factor in every row, radius and translation. */
void scale_scene(gjb_scene *scene, double factor);
double row_number(const gjb_scene *scene, size_t row, uint32_t axis);
double radius_of(const gjb_scene *scene, uint32_t shape);
void set_radius(gjb_scene *scene, uint32_t shape, double radius);
uint32_t shape_of(const gjb_scene *scene, uint32_t body);
double size_of(const gjb_scene *scene, uint64_t pair);
/* T of pair `i`, of this query and subject. */
double tolerance_of(const probe *p, uint64_t pair);

#endif
