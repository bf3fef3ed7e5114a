/* Sample scenes of every kind and dimension for tests, compared, saved and removed. */
#include "scenes/tests/samples.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "scenes/hash.h"

uint64_t sample_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Any number that a scene may hold, subnormal and negative zero included. */
static double any_number(gjb_precision precision, uint64_t *state)
{
    for (;;) {
        const uint64_t bits = sample_bits(state);
        double wide;
        float narrow;
        memcpy(&wide, &bits, sizeof wide);
        memcpy(&narrow, &bits, sizeof narrow);
        const double value = precision == GJB_F32 ? (double)narrow : wide;
        if (bits % 16 == 0)
            return bits % 32 == 0 ? -0.0 : 0.1;
        if (fabs(value) <= gjb_largest(precision))
            return value;
    }
}

enum { SHAPES = 6, BODIES = 9, PAIRS = 11 };

static void set_plane_shapes(gjb_scene *scene, gjb_precision precision, uint64_t *state)
{
    const double point[1][2] = {{any_number(precision, state), any_number(precision, state)}};
    const double segment[2][2] = {{any_number(precision, state), any_number(precision, state)},
                                  {any_number(precision, state), any_number(precision, state)}};
    const double quad[4][2] = {{-1.5, -1.0}, {2.25, -1.0}, {2.25, 0.1}, {-1.5, 0.1}};
    const double box[1][2] = {{fabs(any_number(precision, state)), 0.0}};
    double round[12][2];
    for (int i = 0; i < 12; i++) {
        round[i][0] = 0.3 + 7.0 * cos(i * 3.14159265358979 / 6.0);
        round[i][1] = -0.7 + 7.0 * sin(i * 3.14159265358979 / 6.0);
    }
    gjb_scene_set_shape(scene, 0, GJB_POINT, 0, 1, point, fabs(any_number(precision, state)));
    gjb_scene_set_shape(scene, 1, GJB_SEGMENT, 1, 2, segment, 0.0);
    gjb_scene_set_shape(scene, 2, GJB_POLYGON, 3, 4, quad, 0.1);
    gjb_scene_set_shape(scene, 3, GJB_BOX, 7, 1, box, 1e-3);
    gjb_scene_set_shape(scene, 4, GJB_POLYGON, 8, 12, (const double(*)[2])round, 0.0);
    gjb_scene_set_shape(scene, 5, GJB_BOX, 20, 1, (const double[1][2]){{1, 2}}, 0.0);
}

/* As many rows, and in the same places. */
static void set_solid_shapes(gjb_scene *scene, gjb_precision precision, uint64_t *state)
{
    static const uint32_t counts[SHAPES] = {1, 2, 4, 1, 12, 1};
    static const gjb_kind kinds[SHAPES] = {GJB_POINT, GJB_SEGMENT, GJB_HULL, GJB_BOX, GJB_HULL, GJB_BOX};
    double rows[12][3];
    for (uint32_t shape = 0, first = 0; shape < SHAPES; first += counts[shape++]) {
        for (uint32_t i = 0; i < 3 * counts[shape]; i++) {
            const double value = any_number(precision, state);
            rows[i / 3][i % 3] = kinds[shape] == GJB_BOX ? fabs(value) : value;
        }
        gjb_scene_set_shape(scene, shape, kinds[shape], first, counts[shape], rows,
                            shape % 2 ? 0.0 : fabs(any_number(precision, state)));
    }
}

static void set_any_pose(gjb_scene *scene, uint32_t frame, uint32_t body, gjb_precision precision,
                         uint64_t *state)
{
    const double angle = (double)(sample_bits(state) >> 40);
    const double at[3] = {any_number(precision, state), any_number(precision, state),
                          scene->shapes.dim == 3 ? any_number(precision, state) : 0.0};
    if (scene->shapes.dim == 2) {
        gjb_scene_set_pose(scene, frame, body, (gjb_pose2d){at[0], at[1], cos(angle), sin(angle)});
        return;
    }
    const double c = cos(angle), s = sin(angle), tilt = (double)(sample_bits(state) >> 40);
    const gjb_pose3d pose = {at[0], at[1], at[2], s * cos(tilt), s * sin(tilt) * 0.6, s * sin(tilt) * 0.8, c};
    gjb_scene_set_pose3(scene, frame, body, pose);
}

gjb_scene *sample_scene(uint32_t dim, gjb_precision precision, uint32_t frames, uint64_t seed)
{
    uint64_t state = seed;
    gjb_scene *scene = gjb_scene_new(dim, precision, SHAPES, 1 + 2 + 4 + 1 + 12 + 1, BODIES, PAIRS);
    (dim == 2 ? set_plane_shapes : set_solid_shapes)(scene, precision, &state);
    snprintf(scene->name, sizeof scene->name, "sample \"%llu\" \\ \xc3\xa9", (unsigned long long)seed);
    snprintf(scene->query, sizeof scene->query, "distance");
    snprintf(scene->note, sizeof scene->note, "a note / with a slash");
    for (uint32_t b = 0; b < BODIES; b++)
        scene->body_shape[b] = (b * 5 + 1) % SHAPES;
    for (uint32_t f = 0; f < frames; f++) {
        if (f > 0)
            gjb_scene_add_frame(scene, f == 1 ? 0 : PAIRS + f);
        for (uint32_t b = 0; b < BODIES; b++)
            set_any_pose(scene, f, b, precision, &state);
        for (uint64_t i = 0; i < 2 * scene->frames[f].pair_count; i++)
            scene->frames[f].pairs[i] = (uint32_t)(sample_bits(&state) % BODIES);
    }
    return scene;
}

/* Turns are few enough for the largest shapes. */
gjb_scene *sample_moving(uint32_t dim, gjb_precision precision, uint32_t frames, uint64_t seed)
{
    gjb_scene *scene = sample_scene(dim, precision, frames, seed);
    uint64_t state = seed + 1;
    double corners[6], motion[6];
    for (int i = 0; i < 6; i++)
        corners[i] = any_number(precision, &state);
    gjb_scene_set_shape(scene, 1, GJB_AABB, 1, 2, corners, 0.25);
    for (uint32_t f = 0; f < frames; f += 2) {
        for (uint32_t b = 0; b < BODIES; b++) {
            for (uint32_t i = 0; i < gjb_motion_numbers(dim); i++) {
                const double few = (double)(sample_bits(&state) % 1000) * -1e-4;
                motion[i] = i < dim ? any_number(precision, &state) : few;
            }
            gjb_scene_set_motion(scene, f, b, motion);
        }
    }
    return scene;
}

static int same_motions(const gjb_scene *a, const gjb_frame *x, const gjb_frame *y)
{
    const size_t size = gjb_motion_size((gjb_precision)a->shapes.precision, a->shapes.dim);
    if (x->motions == NULL || y->motions == NULL)
        return x->motions == y->motions;
    return memcmp(x->motions, y->motions, a->body_count * size) == 0;
}

int sample_equal(const gjb_scene *a, const gjb_scene *b)
{
    const size_t scalar = a->shapes.precision == GJB_F32 ? sizeof(float) : sizeof(double);
    int same = a->margin == b->margin && a->within == b->within && a->leaving == b->leaving &&
               strcmp(a->name, b->name) == 0 && strcmp(a->query, b->query) == 0 &&
               strcmp(a->note, b->note) == 0 && a->shapes.dim == b->shapes.dim &&
               a->shapes.precision == b->shapes.precision && a->shapes.count == b->shapes.count &&
               a->body_count == b->body_count && a->frame_count == b->frame_count;
    for (uint32_t i = 0; same && i < a->shapes.count; i++) {
        const size_t row = a->shapes.dim * scalar;
        same = a->shapes.kind[i] == b->shapes.kind[i] && a->shapes.row_count[i] == b->shapes.row_count[i] &&
               memcmp((const char *)a->shapes.radius + i * scalar,
                      (const char *)b->shapes.radius + i * scalar, scalar) == 0 &&
               memcmp((const char *)a->shapes.rows + a->shapes.first[i] * row,
                      (const char *)b->shapes.rows + b->shapes.first[i] * row,
                      a->shapes.row_count[i] * row) == 0;
    }
    for (uint32_t i = 0; same && i < a->body_count; i++)
        same = (a->body_shape ? a->body_shape[i] : i) == (b->body_shape ? b->body_shape[i] : i) &&
               gjb_scene_whole(a, i) == gjb_scene_whole(b, i);
    for (uint32_t f = 0; same && f < a->frame_count; f++) {
        const gjb_frame *x = &a->frames[f], *y = &b->frames[f];
        same =
            x->pair_count == y->pair_count && same_motions(a, x, y) &&
            memcmp(x->poses, y->poses,
                   a->body_count * gjb_pose_size((gjb_precision)a->shapes.precision, a->shapes.dim)) == 0 &&
            memcmp(x->pairs, y->pairs, x->pair_count * 2 * sizeof(uint32_t)) == 0;
    }
    return same;
}

unsigned char *sample_saved(sample_saver save, const gjb_scene *scene, size_t *size)
{
    char directory[64], path[80];
    gjb_error error = {0};
    sample_directory(directory);
    snprintf(path, sizeof path, "%s/scene", directory);
    unsigned char *bytes = save(scene, path, &error) == 0 ? gjb_file_read(path, NULL, size, &error) : NULL;
    sample_remove(directory);
    return bytes;
}

void sample_directory(char path[64])
{
    snprintf(path, 64, "/tmp/gjkbench-test-XXXXXX");
    if (mkdtemp(path) == NULL)
        abort();
}

void sample_remove(const char *directory)
{
    DIR *listing = opendir(directory);
    for (struct dirent *entry; listing != NULL && (entry = readdir(listing)) != NULL;) {
        char path[400];
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        unlink(path);
    }
    if (listing != NULL)
        closedir(listing);
    rmdir(directory);
}

int sample_one_line(const gjb_error *error)
{
    char copy[sizeof error->text];
    memcpy(copy, error->text, sizeof copy);
    return copy[0] != '\0' && gjb_text_clean(copy) == 0;
}
