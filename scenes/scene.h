/* Scenes: shapes, bodies (a shape with a pose), pairs of bodies, in frames
 * when bodies move. One precision a scene. The same schema serves scene
 * files, failing pairs and replays (docs/scene-format.md). */
#ifndef GJB_SCENES_SCENE_H
#define GJB_SCENES_SCENE_H

#include <stdio.h>

#include "core/error.h"
#include "core/types.h"

/* A frame: one pose per body, and the pairs that a broad phase reports. */
typedef struct gjb_frame {
    void *poses;          /* [body_count] gjb_pose2f, 2d, 3f or 3d */
    void *motions;        /* [body_count] gjb_motion2f, 2d, 3f or 3d; NULL: nothing moves in this frame */
    uint32_t *pairs;      /* [pair_count][2] body indices, a != b not required */
    uint64_t pair_count;
} gjb_frame;

/* Owns everything it points to; free with gjb_scene_free. */
typedef struct gjb_scene {
    char name[64];          /* workload name, for reports; may be "" */
    gjb_shapes shapes;      /* shapes.precision is the scene's precision */
    uint32_t body_count;
    uint32_t *body_shape;   /* NULL: body i has shape i */
    uint32_t *part_of;      /* [body_count] the first part of the compound that the body is a part of; its own index if
                               it is that part, or on its own. NULL: all are on their own */
    uint32_t frame_count;
    gjb_frame *frames;
    char query[24];         /* replays: the query that failed, or "" for all */
    char note[160];         /* free text carried by the file, or "" */
    double margin;          /* of queries with one (core/query.h): contacts are wanted up to this separation */
    double within;          /* of queries with one: gjb_pair.within; 0: none */
    uint32_t leaving;       /* of queries with it: gjb_pair.leaving. If it is to be ignored, nothing turns */
    double largest_angle;   /* of poses in JSON, in radians, by magnitude: more than a turn may be in
                               degrees */
} gjb_scene;

/* A scene with room for these counts, zero-filled, one frame. NULL if
 * memory runs out. Body i < shapes starts with shape i, others with
 * shape 0. Rows, kinds and so on are then written through
 * gjb_scene_set_*; frames are added with gjb_scene_add_frame. */
gjb_scene *gjb_scene_new(uint32_t dim, gjb_precision precision, uint32_t shapes, uint64_t rows, uint32_t bodies,
                         uint64_t pairs);
void gjb_scene_free(gjb_scene *scene); /* NULL is fine */

/* Writes shape `i`, whose rows start at `first`. `rows` is double [count][dim]. Rounds to
 * the precision of the scene. Caller guarantees that first + count stays inside. */
void gjb_scene_set_shape(gjb_scene *scene, uint32_t i, gjb_kind kind, uint32_t first, uint32_t count,
                         const void *rows, double radius);
/* Each only for scenes of its dimension. */
void gjb_scene_set_pose(gjb_scene *scene, uint32_t frame, uint32_t body, gjb_pose2d pose);
void gjb_scene_set_pose3(gjb_scene *scene, uint32_t frame, uint32_t body, gjb_pose3d pose);
gjb_pose2d gjb_scene_pose(const gjb_scene *scene, uint32_t frame, uint32_t body);
gjb_pose3d gjb_scene_pose3(const gjb_scene *scene, uint32_t frame, uint32_t body);
/* Motion of a body over the step that begins with the frame: gjb_motion_numbers() of them. Setting
 * one gives the frame motions, all others 0; 0, or -1 if memory runs out. A frame without motions
 * reads as 0. */
int gjb_scene_set_motion(gjb_scene *scene, uint32_t frame, uint32_t body, const double *numbers);
void gjb_scene_motion(const gjb_scene *scene, uint32_t frame, uint32_t body, double numbers[6]);
int gjb_scene_moves(const gjb_scene *scene); /* does any frame have motions? */
/* Index of the new frame, or UINT32_MAX when memory does not suffice. */
uint32_t gjb_scene_add_frame(gjb_scene *scene, uint64_t pairs);

/* Compounds (docs/scene-format.md, "Compounds"): bodies that are the parts of one, which need not be convex. It is
 * named by its first part. Contenders are asked about pairs of parts, and no answer, hash or time depends on compounds. */
#define GJB_NO_PART UINT32_MAX
enum { GJB_PARTS_LEAST = 2, GJB_PARTS_MOST = 4096 };
/* Makes the body a part of the compound whose first part is `whole`, which is no more than `body`. 0, or -1 if memory
 * runs out. */
int gjb_scene_set_part(gjb_scene *scene, uint32_t body, uint32_t whole);
/* The first part of the compound that the body is a part of; the body itself if it is on its own. */
static inline uint32_t gjb_scene_whole(const gjb_scene *scene, uint32_t body)
{
    return scene->part_of != NULL ? scene->part_of[body] : body;
}
int gjb_scene_has_compounds(const gjb_scene *scene);
uint32_t gjb_scene_compounds(const gjb_scene *scene); /* how many; 0 also if memory does not suffice */
/* The next part of the compound of each body, GJB_NO_PART after the last. The caller frees it; NULL without memory. */
uint32_t *gjb_scene_next_parts(const gjb_scene *scene);

/* All pairs of a frame whose parts are of the same two compounds; a body on its own counts as a compound of one. */
typedef struct gjb_compound_pair {
    uint32_t frame, whole[2]; /* the first part of either */
    uint64_t listed, parts;   /* pairs of parts: that the frame lists, and that there are */
} gjb_compound_pair;
typedef struct gjb_compound_pairs {
    gjb_compound_pair *all;
    uint64_t count;
    uint64_t *of; /* which of `all` each pair of the scene belongs to, frame after frame */
} gjb_compound_pairs;
/* Of a scene that was checked. 0, or -1 if memory does not suffice; free it in the first case. */
int gjb_compound_pairs_find(const gjb_scene *scene, gjb_compound_pairs *found);
void gjb_compound_pairs_free(gjb_compound_pairs *found);

/* 1 if the precision may hold every number of the scene. */
int gjb_scene_fits(const gjb_scene *scene, gjb_precision precision);
/* The same scene widened or rounded to another precision. A pose rounded to
 * f32 keeps (c, s) or q within 4 eps of unit length. NULL when memory does not
 * suffice, or when a number is larger than the precision may hold. */
gjb_scene *gjb_scene_convert(const gjb_scene *scene, gjb_precision precision);
/* Divides (c, s) and q by their length, as gjb_scene_check does. Widened, those of an f32 scene are of unit length up
 * to rounding in f32 only, which no scene of f64 has. */
void gjb_scene_make_unit(gjb_scene *scene);

/* Checks every rule of docs/scene-format.md and repairs what the rules allow:
 * clockwise polygons are reversed, (c, s) or q off unit length by more than 4 eps
 * but less than 1e-3 is renormalised. `file` is named in the error.
 * Returns 0, or -1 with one line in `error` naming file, field and value. */
int gjb_scene_check(gjb_scene *scene, const char *file, gjb_error *error);

/* Sets `leaving` in place of what the file says, by the same rule: a scene that ignores contacts that are left is about
 * a query that has it, and nothing turns. 0, or -1 with one line that names file and what is in the way. */
int gjb_scene_take_leaving(gjb_scene *scene, uint32_t leaving, const char *file, gjb_error *error);

/* A gjb_file_accept for scenes and for other JSON: text up to 256 MiB, binary
 * scenes up to 4 GiB whose header states the size of the file. */
size_t gjb_scene_accept(const unsigned char *head, size_t size, size_t all, const char *file, gjb_error *error);

/* Loads JSON or binary, distinguished by content; "-" is standard input.
 * Checked; NULL with one line in `error`. Never crashes on any bytes. */
gjb_scene *gjb_scene_load(const char *path, gjb_error *error);
/* The same from memory: `file` is the name for errors. */
gjb_scene *gjb_scene_parse(const void *bytes, size_t size, const char *file, gjb_error *error);
/* Adds line and column to the error of parsing `bytes`, if they are JSON; loading does so itself. */
void gjb_scene_point(gjb_error *error, const char *file, const void *bytes, size_t size);

/* JSON numbers round-trip exactly. Binary (little-endian) for large scenes.
 * Written to a temporary next to `path` and renamed, so that a reader never
 * sees half a file. 0, or -1 with `error`. */
int gjb_scene_save_json(const gjb_scene *scene, const char *path, gjb_error *error);
int gjb_scene_save_binary(const gjb_scene *scene, const char *path, gjb_error *error);
/* The text that gjb_scene_save_json writes; the caller frees it. NULL when memory does not suffice. */
char *gjb_scene_text(const gjb_scene *scene);

/* The bytes that gjb_scene_save_binary writes; the caller frees them. NULL when memory does not suffice. */
unsigned char *gjb_scene_pack(const gjb_scene *scene, size_t *size);

/* Workspace that gjb_scene_pair expands vertices into; grows as needed.
 * Zero it before first use; free with gjb_pair_space_free. */
typedef struct gjb_pair_space {
    double *numbers;
    size_t capacity;
} gjb_pair_space;
void gjb_pair_space_free(gjb_pair_space *space);

/* Pair `index` of a frame in double, boxes as their corners. Pointers live
 * until the next call with the same space. 0, or -1 out of memory. */
int gjb_scene_pair(const gjb_scene *scene, uint32_t frame, uint64_t index, gjb_pair_space *space,
                   gjb_pair *pair);

/* A scene of one pair, two bodies, for saving a failing pair; the shapes keep
 * their kinds (a box stays a box). NULL when memory does not suffice. */
gjb_scene *gjb_scene_extract(const gjb_scene *scene, uint32_t frame, uint64_t index);

#endif
