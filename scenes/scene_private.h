/* Shared by the files that read, write and check scenes. */
#ifndef GJB_SCENES_SCENE_PRIVATE_H
#define GJB_SCENES_SCENE_PRIVATE_H

#include "scenes/scene.h"

/* Named numbers of a kind, none negative unless it says so. */
typedef struct gjb_kind_part {
    const char *field;
    uint8_t row, column; /* of the first */
    uint8_t each_axis;   /* an array with one for each axis; else one number */
    uint8_t any_sign;
} gjb_kind_part;

/* The rows and parts of each kind. Indexed by gjb_kind. */
enum { GJB_KIND_PARTS = 2 };
typedef struct gjb_kind_row {
    const char *field;    /* that holds its rows in JSON; NULL: it has parts */
    uint32_t least, most; /* rows */
    gjb_kind_part parts[GJB_KIND_PARTS];
} gjb_kind_row;
extern const gjb_kind_row gjb_kinds[GJB_KINDS];

/* How many parts a kind has, and how many numbers a part. */
static inline uint32_t gjb_kind_part_count(unsigned kind)
{
    uint32_t count = 0;
    while (count < GJB_KIND_PARTS && gjb_kinds[kind].parts[count].field != NULL)
        count++;
    return count;
}

static inline uint32_t gjb_part_numbers(const gjb_kind_part *part, uint32_t dim)
{
    return part->each_axis ? dim : 1;
}

static inline size_t gjb_scalar_size(uint32_t precision)
{
    return precision == GJB_F32 ? sizeof(float) : sizeof(double);
}

static inline double gjb_scalar_load(const void *values, uint32_t precision, uint64_t index)
{
    return precision == GJB_F32 ? (double)((const float *)values)[index] : ((const double *)values)[index];
}

static inline void gjb_scalar_store(const void *values, uint32_t precision, uint64_t index, double value)
{
    if (precision == GJB_F32)
        ((float *)values)[index] = (float)value;
    else
        ((double *)values)[index] = value;
}

static inline uint32_t gjb_body_shape(const gjb_scene *scene, uint32_t body)
{
    return scene->body_shape != NULL ? scene->body_shape[body] : body;
}

static inline uint32_t gjb_kinds_of(uint32_t dim)
{
    return (dim == 2 ? GJB_KINDS_2D | GJB_CURVED_2D : GJB_KINDS_3D | GJB_CURVED_3D) | 1u << GJB_AABB | GJB_UNBOUNDED;
}

/* Zero-filled, aligned to a cache line; never NULL for lack of elements. */
void *gjb_scene_alloc(uint64_t count, size_t size);

/* Numbers of a pose in their order, and their names in JSON. */
enum { GJB_POSE_NUMBERS_MAX = 7 };
static inline uint32_t gjb_pose_numbers(uint32_t dim)
{
    return dim == 2 ? 4 : 7;
}
extern const char *const gjb_pose_names[4][GJB_POSE_NUMBERS_MAX + 1]; /* [dim] */
void gjb_pose_store(gjb_scene *scene, uint32_t frame, uint32_t body, const double *numbers);
void gjb_pose_load(const gjb_scene *scene, uint32_t frame, uint32_t body, double *numbers);

/* The same for motions; numbers after the first [dim] are angles. */
enum { GJB_MOTION_NUMBERS_MAX = 6 };
extern const char *const gjb_motion_names[4][GJB_MOTION_NUMBERS_MAX + 1]; /* [dim] */
/* Radians that a motion turns, and the arc length of the shape's farthest point about its local
 * origin. Infinite if beyond the range of a double. */
double gjb_motion_radians(uint32_t dim, const double *motion);
double gjb_motion_sweep(const gjb_scene *scene, uint32_t shape, const double *motion);

/* Copies shape `from` into shape `to` of another scene of its dimension, rows at `first`. */
void gjb_scene_copy_shape(const gjb_scene *source, uint32_t from, gjb_scene *target, uint32_t to, uint32_t first);

/* Unchecked scenes: the caller runs gjb_scene_check. */
gjb_scene *gjb_scene_parse_json(const char *text, size_t size, const char *file, gjb_error *error);
gjb_scene *gjb_scene_parse_binary(const unsigned char *bytes, size_t size, const char *file,
                                  gjb_error *error);

/* Its gjb_file_accept: checks the header against the file size before the rest is read. */
#define GJB_BINARY_MOST ((size_t)4 << 30)
size_t gjb_scene_accept_binary(const unsigned char *head, size_t size, size_t all, const char *file,
                               gjb_error *error);

/* First byte of every binary scene; no text file begins with it. */
#define GJB_BINARY_MAGIC "\x89GJB\r\n\x1a\n"

#endif
