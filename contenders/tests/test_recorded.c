/* The scenes that ship are those that are known, and the recorder writes the
 * same bytes every time. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contenders/recorded.h"
#include "scenes/hash.h"

Test(recorded, what_ships_loads_and_is_what_it_was)
{
    cr_assert_eq(gjb_recorded_count, 10);
    for (size_t i = 0; i < gjb_recorded_count; i++) {
        const gjb_recorded *row = &gjb_recorded_scenes[i];
        cr_assert_eq(gjb_recorded_find(row->name), row);
        cr_assert_eq(row->is_new, i >= 6, "%s", row->name);
        gjb_error error = {""};
        gjb_scene *scene = gjb_recorded_load(row, &error);
        cr_assert_not_null(scene, "%s", error.text);
        cr_assert_str_eq(scene->name, row->name);
        cr_assert_eq(scene->shapes.precision, GJB_F32);
        cr_assert_eq(scene->shapes.dim, strncmp(row->name, "bullet-", 7) == 0 ? 3 : 2);
        cr_assert_geq(scene->frame_count, 20);
        cr_assert_geq(scene->body_count, 100);
        for (uint32_t f = 0; f < scene->frame_count; f++)
            cr_assert_geq(scene->frames[f].pair_count, 100);
        gjb_scene_free(scene);
    }
    cr_assert_null(gjb_recorded_find("box2d-nothing"));
}

static int by_size(const void *a, const void *b)
{
    const double d = *(const double *)a - *(const double *)b;
    return (d > 0) - (d < 0);
}

static void position(const gjb_scene *scene, uint32_t frame, uint32_t body, double at[3])
{
    const gjb_pose2d flat = scene->shapes.dim == 2 ? gjb_scene_pose(scene, frame, body) : (gjb_pose2d){0};
    const gjb_pose3d deep = scene->shapes.dim == 3 ? gjb_scene_pose3(scene, frame, body) : (gjb_pose3d){0};
    at[0] = flat.x + deep.x;
    at[1] = flat.y + deep.y;
    at[2] = deep.z;
}

/* How many of its motions, on average of both frames, a body went from one frame to the next. */
static size_t ratios_of(const gjb_scene *scene, double *ratio, size_t most)
{
    size_t count = 0;
    for (uint32_t f = 0; f + 1 < scene->frame_count; f++)
        for (uint32_t i = 0; i < scene->body_count && count < most; i++) {
            double from[3], to[3], now[6], then[6], along = 0, size = 0;
            position(scene, f, i, from);
            position(scene, f + 1, i, to);
            gjb_scene_motion(scene, f, i, now);
            gjb_scene_motion(scene, f + 1, i, then);
            for (uint32_t k = 0; k < scene->shapes.dim; k++) {
                const double mean = 0.5 * (now[k] + then[k]);
                along += mean * (to[k] - from[k]);
                size += mean * mean;
            }
            if (size > 0.02 * 0.02)
                ratio[count++] = along / size;
        }
    return count;
}

/* The longest way of a body from one frame to the next. */
static double longest_way(const gjb_scene *scene)
{
    double longest = 0;
    for (uint32_t f = 0; f + 1 < scene->frame_count; f++)
        for (uint32_t i = 0; i < scene->body_count; i++) {
            double from[3], to[3], way = 0;
            position(scene, f, i, from);
            position(scene, f + 1, i, to);
            for (uint32_t k = 0; k < 3; k++)
                way += (to[k] - from[k]) * (to[k] - from[k]);
            longest = way > longest ? way : longest;
        }
    return sqrt(longest);
}

/* Frames are some steps apart: bodies go that many of their motions in between. At rest they go nowhere. */
Test(recorded, motions_are_those_of_one_step)
{
    static const double steps[] = {6, 8, 8, 4, 6, 6, 8, 8, 8, 0};
    enum { MOST = 20000 };
    static double ratio[MOST];
    for (size_t i = 0; i < gjb_recorded_count; i++) {
        gjb_error error = {""};
        gjb_scene *scene = gjb_recorded_load(&gjb_recorded_scenes[i], &error);
        cr_assert_not_null(scene, "%s", error.text);
        const size_t count = ratios_of(scene, ratio, MOST);
        if (steps[i] == 0) {
            cr_expect_eq(count, 0, "%s: %zu motions", scene->name, count);
            cr_expect_leq(longest_way(scene), 0.02, "%s: %g", scene->name, longest_way(scene));
            gjb_scene_free(scene);
            continue;
        }
        cr_assert_geq(count, 100, "%s: %zu", scene->name, count);
        qsort(ratio, count, sizeof *ratio, by_size);
        cr_expect_float_eq(ratio[count / 2], steps[i], 0.05 * steps[i], "%s: %g steps", scene->name, ratio[count / 2]);
        gjb_scene_free(scene);
    }
}

Test(recorded, another_scene_is_refused)
{
    gjb_recorded row = gjb_recorded_scenes[0];
    gjb_error error = {""};
    row.hash ^= 1;
    cr_assert_null(gjb_recorded_load(&row, &error));
    cr_assert_not_null(strstr(error.text, "hash"), "%s", error.text);
    error.text[0] = '\0';
    row.file = "scenes/nothing.gjb";
    cr_assert_null(gjb_recorded_load(&row, &error));
    cr_assert_not_null(strstr(error.text, "GJKBENCH_DATA"), "%s", error.text);
}

static char *slurp(const char *folder, const char *name, size_t *size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    const size_t capacity = 1 << 22;
    char *bytes = malloc(capacity);
    cr_assert_not_null(bytes);
    *size = fread(bytes, 1, capacity, file);
    fclose(file);
    remove(path);
    return bytes;
}

static int record(const char *recorder, const char *arguments, const char *folder)
{
    char command[1024];
    snprintf(command, sizeof command, "'%s' %s '%s' >/dev/null 2>&1", recorder, arguments, folder);
    const int status = system(command);
    return status == -1 ? -1 : status >> 8;
}

/* The program of every engine that the build found, and a scene of its own. */
static const struct {
    const char *variable, *files[5];
} recorders[] = {
    {"GJB_RECORDER_BOX2D", {"pyramid.gjb", "tumbler.gjb", "pile.gjb", "ragdolls.gjb", "level.gjb"}},
    {"GJB_RECORDER_BULLET", {"stack.gjb", "heap.gjb", "rollers.gjb", "pieces.gjb", "rest.gjb"}},
};
enum { RECORDERS = sizeof recorders / sizeof recorders[0], FILES = 5, FRAMES = 3 };

static void check_file(const char *one, const char *two, const char *name)
{
    size_t size, again;
    char *a = slurp(one, name, &size), *b = slurp(two, name, &again);
    cr_assert(size == again && memcmp(a, b, size) == 0, "%s differs", name);
    gjb_error error = {""};
    gjb_scene *scene = gjb_scene_parse(a, size, name, &error);
    cr_assert_not_null(scene, "%s", error.text);
    cr_assert_eq(scene->frame_count, FRAMES);

    /* What ships begins with the same bodies, poses and pairs. */
    char path[512];
    snprintf(path, sizeof path, "%s/scenes/%s", getenv("GJKBENCH_DATA"), name);
    gjb_scene *ships = gjb_scene_load(path, &error);
    cr_assert_not_null(ships, "%s", error.text);
    ships->frame_count = FRAMES;
    cr_assert_eq(gjb_scene_hash(scene), gjb_scene_hash(ships), "%s is not what ships", name);
    gjb_scene_free(ships); /* its later frames go with the process */
    gjb_scene_free(scene);
    free(a);
    free(b);
}

Test(recorded, two_recordings_are_the_same_bytes)
{
    int found = 0;
    for (size_t r = 0; r < RECORDERS; r++) {
        const char *recorder = getenv(recorders[r].variable);
        if (recorder == NULL)
            continue;
        char one[] = P_tmpdir "/gjb-record-XXXXXX", two[] = P_tmpdir "/gjb-record-XXXXXX";
        cr_assert(mkdtemp(one) != NULL && mkdtemp(two) != NULL);
        cr_assert_eq(record(recorder, "--frames 3", one), 0);
        cr_assert_eq(record(recorder, "--frames 3", two), 0);
        for (size_t i = 0; i < FILES; i++)
            check_file(one, two, recorders[r].files[i]);
        rmdir(one);
        rmdir(two);
        found++;
    }
    if (found == 0)
        cr_skip_test("built without Box2D and Bullet: no recorder");
}

Test(recorded, the_recorder_refuses_what_it_does_not_know)
{
    for (size_t r = 0; r < RECORDERS; r++) {
        const char *recorder = getenv(recorders[r].variable);
        if (recorder == NULL)
            continue;
        cr_assert_eq(record(recorder, "--frames 0", "/tmp"), GJB_EXIT_USAGE);
        cr_assert_eq(record(recorder, "--frames 3x", "/tmp"), GJB_EXIT_USAGE);
        cr_assert_eq(record(recorder, "--unheard-of", "/tmp"), GJB_EXIT_USAGE);
        cr_assert_eq(record(recorder, "--frames 1 /tmp", "no-such-scene"), GJB_EXIT_USAGE);
        cr_assert_eq(record(recorder, "--frames 1", "/nonexistent/folder"), GJB_EXIT_USAGE);
        cr_assert_eq(record(recorder, "--help", "/tmp"), GJB_EXIT_OK);
    }
}
