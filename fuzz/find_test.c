/* A failure as a program in C, to be pasted into somebody's tests. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/file.h"
#include "fuzz/hunt.h"

typedef struct writing {
    const gjb_ask *ask;
    const gjb_scene *pair;
    const gjb_outcome *o;
} writing;

static const char *kind_symbol(gjb_kind kind, char text[32])
{
    snprintf(text, 32, "GJB_%s", gjb_kind_name(kind));
    for (char *c = text; *c; c++)
        *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
    return text;
}

static const char *query_symbol(gjb_query query, char text[32])
{
    snprintf(text, 32, "GJB_%s", gjb_queries[query].name);
    for (char *c = text; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return text;
}

static void numbers(FILE *f, const double *values, size_t count, int narrow)
{
    for (size_t i = 0; i < count; i++)
        fprintf(f, "%s%a%s", i ? ", " : "", values[i], narrow ? "f" : "");
}

/* Shapes, poses and motions: the pair in numbers that lose nothing. */
static void write_pair(FILE *f, const writing *w)
{
    const gjb_scene *s = w->pair;
    const uint32_t dim = s->shapes.dim;
    const int narrow = s->shapes.precision == GJB_F32;
    const char *scalar = narrow ? "float" : "double";
    char a[32], b[32];
    fprintf(f, "static const uint8_t kind[2] = {%s, %s};\n", kind_symbol((gjb_kind)s->shapes.kind[0], a),
            kind_symbol((gjb_kind)s->shapes.kind[1], b));
    fprintf(f, "static const uint32_t first[2] = {0, %u}, row_count[2] = {%u, %u};\n",
            (unsigned)s->shapes.row_count[0], (unsigned)s->shapes.row_count[0],
            (unsigned)s->shapes.row_count[1]);
    fprintf(f, "static const %s rows[][%u] = {\n", scalar, (unsigned)dim);
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t v = 0; v < s->shapes.row_count[i]; v++) {
            double row[3];
            for (uint32_t k = 0; k < dim; k++) {
                const uint64_t at = (uint64_t)dim * (s->shapes.first[i] + v) + k;
                row[k] = narrow ? (double)((const float *)s->shapes.rows)[at]
                                : ((const double *)s->shapes.rows)[at];
            }
            fputs("    {", f);
            numbers(f, row, dim, narrow);
            fprintf(f, "}, /* %s: %.9g %.9g %.9g */\n", i ? "B" : "A", row[0], row[1], dim == 3 ? row[2] : 0);
        }
    double radius[2];
    for (uint32_t i = 0; i < 2; i++)
        radius[i] =
            narrow ? (double)((const float *)s->shapes.radius)[i] : ((const double *)s->shapes.radius)[i];
    fprintf(f, "};\nstatic const %s radius[2] = {", scalar);
    numbers(f, radius, 2, narrow);
    fprintf(f, "};\n/* %s; world = R local + t. */\nstatic const gjb_pose%u%c poses[2] = {",
            dim == 2 ? "x, y, c, s" : "x, y, z, qx, qy, qz, qw", (unsigned)dim, narrow ? 'f' : 'd');
    for (uint32_t i = 0; i < 2; i++) {
        const gjb_pose2d p = dim == 2 ? gjb_scene_pose(s, 0, i) : (gjb_pose2d){0, 0, 0, 0};
        const gjb_pose3d q = dim == 3 ? gjb_scene_pose3(s, 0, i) : (gjb_pose3d){0, 0, 0, 0, 0, 0, 0};
        fputs(i ? ", {" : "{", f);
        if (dim == 2)
            numbers(f, (double[]){p.x, p.y, p.c, p.s}, 4, narrow);
        else
            numbers(f, (double[]){q.x, q.y, q.z, q.qx, q.qy, q.qz, q.qw}, 7, narrow);
        fputc('}', f);
    }
    fprintf(f, "};\n/* Over the step, t from 0 to 1. */\nstatic const gjb_motion%u%c motions[2] = {",
            (unsigned)dim, narrow ? 'f' : 'd');
    for (uint32_t i = 0; i < 2; i++) {
        double motion[6];
        gjb_scene_motion(s, 0, i, motion);
        fputs(i ? ", {" : "{", f);
        numbers(f, motion, gjb_motion_numbers(dim), narrow);
        fputc('}', f);
    }
    fputs("};\n", f);
}

/* What is right, as bounds that the answer is held to. */
static void write_truth(FILE *f, const writing *w)
{
    const gjb_outcome *o = w->o;
    const gjb_query_row *row = &gjb_queries[w->ask->query];
    if (row->moving) {
        fputs("/* Time of first contact; NAN where there is none. */\nstatic const double contact = ", f);
        if (isfinite(o->truth))
            fprintf(f, "%a; /* %.17g */\n", o->truth, o->truth);
        else
            fputs("NAN;\n", f);
        return;
    }
    const double low = row->graded ? row->graded(o->lo) : 0, high = row->graded ? row->graded(o->hi) : 0;
    fprintf(f,
            "/* Proven: the signed distance lies between lo and hi (below 0: overlapping). T is what an "
            "answer may be off. */\n"
            "static const double lo = %a, hi = %a, T = %a; /* %.17g %.17g %.3g */\n",
            o->lo, o->hi, o->tolerance, o->lo, o->hi, o->tolerance);
    if (row->has_value)
        fprintf(f, "static const double value_lo = %a, value_hi = %a;\n", low < high ? low : high,
                low < high ? high : low);
}

static void write_checks(FILE *f, const writing *w)
{
    const gjb_query_row *row = &gjb_queries[w->ask->query];
    fputs("\nstruct answer {\n    unsigned status;\n    double value, normal[3];\n};\n\n"
          "static int check(const char *who, const struct answer *a)\n{\n    int failed = 0;\n",
          f);
    if (row->moving) {
        fputs("    if (a->status != (isnan(contact) ? GJB_SEPARATED : contact > 0 ? GJB_HIT : "
              "GJB_OVERLAPPING))\n"
              "        failed = printf(\"%s: status %u\\n\", who, a->status);\n"
              "    if (a->status == GJB_HIT && a->value > contact * (1 + 0x1p-40))\n"
              "        failed = printf(\"%s: at %.17g, too late: %.17g\\n\", who, a->value, contact);\n",
              f);
    } else {
        fputs("    if (a->status != GJB_SEPARATED && a->status != GJB_OVERLAPPING)\n"
              "        failed = printf(\"%s: status %u is no answer\\n\", who, a->status);\n"
              "    if (a->status == GJB_OVERLAPPING && lo > T)\n"
              "        failed = printf(\"%s: overlapping, and they are %.17g apart\\n\", who, lo);\n"
              "    if (a->status == GJB_SEPARATED && hi < -T)\n"
              "        failed = printf(\"%s: separated, and they are %.17g deep\\n\", who, -hi);\n",
              f);
        if (row->has_value) {
            fputs("    if (!(a->value >= value_lo - T && a->value <= value_hi + T))\n"
                  "        failed = printf(\"%s: %.17g is off by %.3g T\\n\", who, a->value,\n"
                  "                        (a->value < value_lo ? value_lo - a->value : a->value - value_hi) "
                  "/ T);\n"
                  "    const double length = a->normal[0] * a->normal[0] + a->normal[1] * a->normal[1] + "
                  "a->normal[2] * a->normal[2];\n",
                  f);
            fprintf(f,
                    "    if (%s && !(fabs(length - 1) <= 0x1p-20))\n"
                    "        failed = printf(\"%%s: a normal of squared length %%.17g\\n\", who, length);\n",
                    w->ask->query == GJB_DISTANCE      ? "a->status == GJB_SEPARATED && lo > T"
                    : w->ask->query == GJB_PENETRATION ? "a->status == GJB_OVERLAPPING && hi < -T"
                                                       : "a->status != GJB_UNWRITTEN");
        }
    }
    fputs("    return failed;\n}\n\n", f);
}

static void write_ours(FILE *f, const writing *w)
{
    char query[32];
    const uint32_t dim = w->pair->shapes.dim;
    const int narrow = w->pair->shapes.precision == GJB_F32, sweep = w->ask->query == GJB_SWEEP,
              head = w->ask->query == GJB_INTERSECT;
    char record[32];
    snprintf(record, sizeof record,
             head    ? "gjb_head"
             : sweep ? "gjb_sweep%u%c"
                     : "gjb_result%u%c",
             (unsigned)dim, narrow ? 'f' : 'd');
    fprintf(
        f,
        "static int ask(const char *backend)\n{\n    const gjb_shapes shapes = {%u, %s, 2, kind, first, "
        "row_count, radius, rows};\n"
        "    static const uint32_t pair[1][2] = {{0, 1}};\n    char error[256] = \"\";\n    %s result;\n"
        "    struct answer a = {0};\n    memset(&result, 0, sizeof result);\n"
        "    gjb_kernels *kernels = gjb_kernels_prepare(&shapes, backend, error, sizeof error);\n"
        "    if (!kernels)\n        return printf(\"%%s: %%s\\n\", backend, error);\n"
        "    const size_t size = gjb_kernels_workspace_size(kernels);\n    void *workspace = "
        "aligned_alloc(64, size);\n"
        "    memset(workspace, 0, size);\n"
        "    const gjb_batch batch = {.query = %s, .poses = poses, .pose_stride = sizeof *poses, .pairs = "
        "pair[0],\n"
        "                             .pair_count = 1, .results = &result, .result_stride = sizeof result,\n"
        "                             .workspace = workspace, .motions = motions, .motion_stride = sizeof "
        "*motions};\n"
        "    if (gjb_kernels_run(kernels, &batch, size, error, sizeof error))\n        return printf(\"%%s: "
        "%%s\\n\", backend, error);\n",
        (unsigned)dim, narrow ? "GJB_F32" : "GJB_F64", record, query_symbol(w->ask->query, query));
    if (head)
        fputs("    a.status = result.status;\n", f);
    else
        fprintf(f,
                "    a.status = result.head.status;\n    a.value = result.value;\n"
                "    for (int k = 0; k < %u; k++)\n        a.normal[k] = result.normal[k];\n",
                (unsigned)dim);
    fputs("    free(workspace);\n    gjb_kernels_release(kernels);\n    return check(backend, &a);\n}\n\n"
          "int main(void)\n{\n    int failed = 0;\n    for (size_t i = 0; gjb_kernels_backend(i); i++)\n"
          "        failed |= gjb_kernels_available(gjb_kernels_backend(i)) && ask(gjb_kernels_backend(i));\n"
          "    return failed != 0;\n}\n",
          f);
}

static void write_others(FILE *f, const writing *w)
{
    const gjb_outcome *o = w->o;
    char name[64];
    snprintf(name, sizeof name, "%s", w->ask->contender->name);
    fprintf(f,
            "/* What %s %s answered. To test it, or what was mended, fill this in by a call with the numbers "
            "above. */\n"
            "static struct answer ask(void)\n{\n    (void)kind, (void)first, (void)row_count, (void)rows, "
            "(void)radius, (void)poses, (void)motions;\n"
            "    return (struct answer){%u, ",
            name, w->ask->contender->version ? w->ask->contender->version : "", (unsigned)o->result.status);
    if (isfinite(o->result.value))
        fprintf(f, "%a", o->result.value);
    else
        fputs("NAN", f);
    fputs(", {", f);
    for (int k = 0; k < 3; k++) {
        if (k)
            fputs(", ", f);
        if (isfinite(o->result.normal[k]))
            fprintf(f, "%a", o->result.normal[k]);
        else
            fputs("NAN", f);
    }
    fprintf(f,
            "}};\n}\n\nint main(void)\n{\n    const struct answer a = ask();\n    return check(\"%s\", &a) "
            "!= 0;\n}\n",
            name);
}

static void write_test(FILE *f, const void *context)
{
    const writing *w = context;
    char line[GJB_FIND_LINE];
    gjb_find_line(w->ask, w->pair, w->o, line);
    const int ours = w->ask->contender->ours != 0;
    fprintf(f, "/* %s.\n *\n * %s\n * Fails as long as that is so. */\n", line,
            ours ? "cc -std=c17 THIS.c $(pkg-config --cflags --libs libgjkbench) -lm"
                 : "cc -std=c17 THIS.c $(pkg-config --cflags libgjkbench) -lm");
    fprintf(f,
            "#include <%s>\n#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include "
            "<stdlib.h>\n#include <string.h>\n\n",
            ours ? "gjkbench/kernels.h" : "gjkbench/types.h");
    write_pair(f, w);
    write_truth(f, w);
    write_checks(f, w);
    if (ours)
        write_ours(f, w);
    else
        write_others(f, w);
}

int gjb_find_save_test(const gjb_ask *ask, const gjb_scene *pair, const gjb_outcome *o, const char *path,
                       gjb_error *error)
{
    return gjb_file_write(path, write_test, &(writing){ask, pair, o}, error);
}
