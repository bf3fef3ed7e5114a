/* What is said to a program and what it answers, in the two forms of docs/programs.md. */
#ifndef GJB_CONTENDERS_PROGRAM_FRAMES_H
#define GJB_CONTENDERS_PROGRAM_FRAMES_H

#include <gjkbench/adapter.h>

#include "contenders/program/piped.h"

/* Bytes to write. `failed`: memory did not suffice, or a frame is longer than its length can say. */
typedef struct gjb_bytes {
    char *data;
    size_t size, room;
    int failed;
} gjb_bytes;
void gjb_bytes_add(gjb_bytes *bytes, const void *data, size_t size);

/* Shapes that go to the program: of kinds that it claims, with no more vertices than it takes. */
typedef struct gjb_claim {
    uint32_t kinds, max_vertices;
} gjb_claim;
int gjb_claims(const gjb_claim *claim, const gjb_shapes *shapes, uint32_t shape);

/* Pairs [first, first + count) of a batch, and what came of them. */
typedef struct gjb_asked {
    const gjb_shapes *shapes;
    const gjb_batch *batch;
    size_t first, count;
    uint32_t id;
    size_t done;              /* answers that came */
    uint64_t ns;              /* that they took, as the program says */
    _Atomic uint64_t progress; /* goes up by one an answer */
} gjb_asked;

/* 1 without and 0 with motions: only queries over a step have them. */
int gjb_asked_is_at_rest(const gjb_asked *asked);
/* For the forms: what a frame of answers begins with, then each answer, whose record is written. A breach, or
 * GJB_TAKEN_MORE. */
int gjb_asked_begin(gjb_asked *asked, uint64_t id, uint64_t first, uint64_t count, uint64_t ns);
int gjb_asked_take(gjb_asked *asked, const gjb_answer *answer);

/* Writers add one frame. `ready`, of a uint64_t that becomes nanoseconds, and `answers`, of a gjb_asked, are
 * gjb_piped_take. */
typedef struct gjb_form {
    const char *name;
    void (*shapes)(gjb_bytes *out, const gjb_shapes *shapes, const gjb_claim *claim);
    void (*ask)(gjb_bytes *out, const gjb_asked *asked);
    gjb_piped_take ready, answers;
} gjb_form;
extern const gjb_form gjb_form_binary, gjb_form_json;

/* The number `index` of an array in the shapes' precision. */
double gjb_number_of(const gjb_shapes *shapes, const void *numbers, size_t index);
/* What one pair of a question is about: bodies, their shapes, poses, and motions if it has any. */
typedef struct gjb_asked_pair {
    uint32_t body[2], shape[2];
    double pose[2][7], motion[2][6];
} gjb_asked_pair;
gjb_asked_pair gjb_asked_pair_of(const gjb_asked *asked, size_t index);
uint32_t gjb_pose_numbers(uint32_t dim);

#endif
