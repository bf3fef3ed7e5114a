/* Writing scenes as JSON that people can read and that reads back bit for bit. */
#include <inttypes.h>
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "scenes/scene_private.h"

/* Shortest of the usual precisions that reads back to the same bits. Assumes
 * the C locale. */
static void write_number(FILE *out, uint32_t precision, double value)
{
    const int least = precision == GJB_F32 ? 6 : 15, most = precision == GJB_F32 ? 9 : 17;
    char text[40];
    if (value == 0.0) {
        fputs(signbit(value) ? "-0.0" : "0", out);
        return;
    }
    for (int digits = least; digits <= most; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        const double back = strtod(text, NULL);
        if (precision == GJB_F32 ? (float)back == (float)value : back == value)
            break;
    }
    fputs(text, out);
}

static void write_numbers(FILE *out, uint32_t precision, const void *values, uint64_t first, uint64_t count)
{
    fputc('[', out);
    for (uint64_t i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", out);
        write_number(out, precision, gjb_scalar_load(values, precision, first + i));
    }
    fputc(']', out);
}

static void write_text(FILE *out, const char *field, const char *text)
{
    if (text[0] == '\0')
        return;
    char clean[256];
    snprintf(clean, sizeof clean, "%s", text);
    gjb_text_clean(clean);
    json_t *string = json_string(clean);
    char *quoted = json_dumps(string, JSON_ENCODE_ANY);
    if (quoted != NULL)
        fprintf(out, "  \"%s\": %s,\n", field, quoted);
    free(quoted);
    json_decref(string);
}

static void write_shape(FILE *out, const gjb_shapes *shapes, uint32_t i)
{
    const gjb_kind kind = (gjb_kind)shapes->kind[i];
    const uint64_t first = shapes->first[i], dim = shapes->dim;
    fprintf(out, "    {\"kind\": \"%s\"", gjb_kind_name(kind));
    for (uint32_t p = 0; p < gjb_kind_part_count(kind); p++) {
        const gjb_kind_part *part = &gjb_kinds[kind].parts[p];
        const uint64_t at = dim * (first + part->row) + part->column;
        fprintf(out, ", \"%s\": ", part->field);
        if (part->each_axis)
            write_numbers(out, shapes->precision, shapes->rows, at, dim);
        else
            write_number(out, shapes->precision, gjb_scalar_load(shapes->rows, shapes->precision, at));
    }
    if (gjb_kinds[kind].field != NULL) {
        fprintf(out, ", \"%s\": [", gjb_kinds[kind].field);
        for (uint32_t r = 0; r < shapes->row_count[i]; r++) {
            fputs(r > 0 ? ", " : "", out);
            write_numbers(out, shapes->precision, shapes->rows, dim * (first + r), dim);
        }
        fputc(']', out);
    }
    fputs(", \"radius\": ", out);
    write_number(out, shapes->precision, gjb_scalar_load(shapes->radius, shapes->precision, i));
    fputc('}', out);
}

static void write_motion(FILE *out, const gjb_scene *scene, uint32_t b)
{
    double motion[GJB_MOTION_NUMBERS_MAX];
    gjb_scene_motion(scene, 0, b, motion);
    fputs(", \"motion\": {", out);
    for (uint32_t i = 0; i < gjb_motion_numbers(scene->shapes.dim); i++) {
        fprintf(out, "%s\"%s\": ", i > 0 ? ", " : "", gjb_motion_names[scene->shapes.dim][i]);
        write_number(out, scene->shapes.precision, motion[i]);
    }
    fputc('}', out);
}

static void write_body(FILE *out, const gjb_scene *scene, uint32_t b)
{
    fprintf(out, "    {\"shape\": %" PRIu32, gjb_body_shape(scene, b));
    if (scene->frame_count == 1) {
        double pose[GJB_POSE_NUMBERS_MAX];
        gjb_pose_load(scene, 0, b, pose);
        fputs(", \"pose\": {", out);
        for (uint32_t i = 0; i < gjb_pose_numbers(scene->shapes.dim); i++) {
            fprintf(out, "%s\"%s\": ", i > 0 ? ", " : "", gjb_pose_names[scene->shapes.dim][i]);
            write_number(out, scene->shapes.precision, pose[i]);
        }
        fputc('}', out);
        if (scene->frames[0].motions != NULL)
            write_motion(out, scene, b);
    }
    fputc('}', out);
}

static void write_pairs(FILE *out, const gjb_frame *frame)
{
    fputs("\"pairs\": [", out);
    for (uint64_t p = 0; p < frame->pair_count; p++)
        fprintf(out, "%s[%" PRIu32 ", %" PRIu32 "]",
                p == 0       ? ""
                : p % 8 == 0 ? ",\n    "
                             : ", ",
                frame->pairs[2 * p], frame->pairs[2 * p + 1]);
    fputc(']', out);
}

/* `n` numbers of each body. */
static void write_of_each(FILE *out, const gjb_scene *scene, const char *key, const void *values, uint64_t n)
{
    fprintf(out, "\"%s\": [\n", key);
    for (uint32_t b = 0; b < scene->body_count; b++) {
        fputs("      ", out);
        write_numbers(out, scene->shapes.precision, values, n * b, n);
        fputs(b + 1 < scene->body_count ? ",\n" : "],\n     ", out);
    }
}

static void write_frame(FILE *out, const gjb_scene *scene, uint32_t f)
{
    const gjb_frame *frame = &scene->frames[f];
    fputs("    {", out);
    write_of_each(out, scene, "poses", frame->poses, gjb_pose_numbers(scene->shapes.dim));
    if (frame->motions != NULL)
        write_of_each(out, scene, "motions", frame->motions, gjb_motion_numbers(scene->shapes.dim));
    write_pairs(out, &scene->frames[f]);
    fputc('}', out);
}

static void write_margin(FILE *out, const char *field, double margin)
{
    if (!(margin > 0.0))
        return;
    fprintf(out, "  \"%s\": ", field);
    write_number(out, GJB_F64, margin);
    fputs(",\n", out);
}

/* What is written: a scene, and the next part of each body's compound. */
typedef struct written {
    const gjb_scene *scene;
    uint32_t *next; /* owned */
} written;

static void write_compounds(FILE *out, const written *w)
{
    const char *before = "\"compounds\": [";
    for (uint32_t b = 0; b < w->scene->body_count; b++) {
        if (gjb_scene_whole(w->scene, b) != b || w->next[b] == GJB_NO_PART)
            continue;
        fprintf(out, "%s[%" PRIu32, before, b);
        for (uint32_t part = w->next[b]; part != GJB_NO_PART; part = w->next[part])
            fprintf(out, ", %" PRIu32, part);
        fputc(']', out);
        before = ", ";
    }
    if (*before == ',')
        fputs("],\n  ", out);
}

static void write_scene(FILE *out, const void *context)
{
    const gjb_scene *scene = ((const written *)context)->scene;
    fprintf(out, "{\n  \"gjkbench\": 1,\n  \"dim\": %" PRIu32 ",\n  \"precision\": \"%s\",\n",
            scene->shapes.dim, gjb_precision_name((gjb_precision)scene->shapes.precision));
    write_text(out, "name", scene->name);
    write_text(out, "query", scene->query);
    write_text(out, "note", scene->note);
    write_margin(out, "margin", scene->margin);
    write_margin(out, "within", scene->within);
    if (scene->leaving)
        write_text(out, "leaving", "ignore");
    fputs("  \"shapes\": [\n", out);
    for (uint32_t i = 0; i < scene->shapes.count; i++) {
        write_shape(out, &scene->shapes, i);
        fputs(i + 1 < scene->shapes.count ? ",\n" : "\n", out);
    }
    fputs("  ],\n  \"bodies\": [\n", out);
    for (uint32_t b = 0; b < scene->body_count; b++) {
        write_body(out, scene, b);
        fputs(b + 1 < scene->body_count ? ",\n" : "\n", out);
    }
    fputs("  ],\n  ", out);
    write_compounds(out, context);
    if (scene->frame_count == 1) {
        write_pairs(out, &scene->frames[0]);
    } else {
        fputs("\"frames\": [\n", out);
        for (uint32_t f = 0; f < scene->frame_count; f++) {
            write_frame(out, scene, f);
            fputs(f + 1 < scene->frame_count ? ",\n" : "\n", out);
        }
        fputs("  ]", out);
    }
    fputs("\n}\n", out);
}

char *gjb_scene_text(const gjb_scene *scene)
{
    char *text = NULL;
    size_t size;
    written w = {scene, gjb_scene_next_parts(scene)};
    locale_t plain = w.next != NULL ? newlocale(LC_ALL_MASK, "C", (locale_t)0) : (locale_t)0; /* as below */
    FILE *stream = plain != (locale_t)0 ? open_memstream(&text, &size) : NULL;
    if (stream != NULL) {
        locale_t before = uselocale(plain);
        write_scene(stream, &w);
        uselocale(before);
        if (fclose(stream) != 0) {
            free(text);
            text = NULL;
        }
    }
    if (plain != (locale_t)0)
        freelocale(plain);
    free(w.next);
    return text;
}

int gjb_scene_save_json(const gjb_scene *scene, const char *path, gjb_error *error)
{
    written w = {scene, gjb_scene_next_parts(scene)};
    /* A decimal comma would not be JSON. */
    locale_t plain = w.next != NULL ? newlocale(LC_ALL_MASK, "C", (locale_t)0) : (locale_t)0;
    if (plain == (locale_t)0) {
        free(w.next);
        return gjb_fail(error, "%s: cannot write: %s", path, w.next != NULL ? "no C locale" : "out of memory");
    }
    locale_t before = uselocale(plain);
    int failed = gjb_file_write(path, write_scene, &w, error);
    free(w.next);
    uselocale(before);
    freelocale(plain);
    return failed;
}
