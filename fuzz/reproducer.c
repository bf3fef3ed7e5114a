/* A failure as a program in C, to be pasted into somebody's tests. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/file.h"
#include "fuzz/hunt.h"
#include "fuzz/reproducer_private.h"
#include "grading/bounds_path.h"

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

/* ---- what is right, apart from what the outcome says ---- */

/* A time at which the shapes are found to be deeper than T, the first of those looked at; INFINITY: none. */
static double too_deep(gjb_path *path, double until, double tolerance)
{
    const double from = (double)gjb_path_reach(path, 0, until, 0);
    double lo, hi, found = INFINITY, before = from;
    for (int i = -40; i <= 12 && isinf(found); i++) {
        const double t = from + (until - from) * (i < 1 ? ldexp(1.0 / 24, i) : i / 12.0);
        if (gjb_path_sigma(path, t, &lo, &hi) == 0 && hi < -tolerance)
            found = t;
        else
            before = t;
    }
    for (int i = 0; i < 40 && isfinite(found); i++) {
        const double t = 0.5 * before + 0.5 * found;
        if (gjb_path_sigma(path, t, &lo, &hi) == 0 && hi < -tolerance)
            found = t;
        else
            before = t;
    }
    return found;
}

/* Is a contact that is left to be ignored? */
static int ignores_leaving(const writing *w)
{
    return gjb_queries[w->ask->query].has_leaving && w->pair->leaving;
}

static int prove_times(writing *w, const gjb_pair *pair)
{
    const gjb_outcome *o = w->o;
    const gjb_result *r = &o->result;
    /* Gaps of a sweep are by axis, and no less than sigma by more than this factor. */
    const double level = o->tolerance * (w->ask->query == GJB_SWEEP ? sqrt(pair->dim) : 1);
    gjb_path path = {0};
    double lo, hi;
    if (gjb_path_open(&path, pair))
        return -1;
    w->soonest = (double)gjb_path_reach(&path, 0, 1, level);
    w->soonest = w->soonest >= 1 ? INFINITY : w->soonest;
    if (ignores_leaving(w) && o->symptom == GJB_FAULT_BOOLEAN && r->status != GJB_SEPARATED && isnan(o->truth))
        w->soonest = INFINITY; /* the grader proved that contact is left */
    w->starts_deep = gjb_path_sigma(&path, 0, &lo, &hi) == 0 && hi < -o->tolerance;
    if (w->ask->contender->ours) {
        w->latest = isfinite(o->truth) ? o->truth * (1 + 0x1p-40) : INFINITY;
    } else {
        w->latest = too_deep(&path, 1, o->tolerance);
        if (r->status == GJB_HIT && r->value > 0 && r->value < 1)
            w->latest = fmin(w->latest, too_deep(&path, r->value, o->tolerance));
    }
    gjb_path_close(&path);
    return 0;
}

static int prove_at_rest(writing *w, const gjb_pair *pair)
{
    gjb_placed_pair placed = {0};
    if (gjb_place_pair(&placed, pair))
        return -1;
    w->error = (double)placed.error;
    gjb_placed_free(&placed);
    for (int i = 0; i < 2 && w->o->symptom == GJB_FAULT_WITNESS; i++)
        w->proven[i] = gjb_find_way_out(w, pair, i, i ? w->o->result.point_b : w->o->result.point_a, w->out[i]);
    if (gjb_queries[w->ask->query].has_patch)
        gjb_manifold_prove(w, pair);
    return 0;
}

static double length_of(const double v[3])
{
    return hypot(hypot(v[0], v[1]), v[2]);
}

/* How far the points are from being as far apart as the value says, along the normal if there is one. */
static double off_each_other(const writing *w)
{
    const gjb_result *r = &w->o->result;
    const double sigma = w->ask->query == GJB_PENETRATION ? -r->value : r->value;
    double off[3];
    for (int k = 0; k < 3; k++)
        off[k] = r->point_b[k] - r->point_a[k] - (gjb_gives_normal(w) ? sigma * r->normal[k] : 0);
    return gjb_gives_normal(w) ? length_of(off) : fabs(length_of(off) - fabs(sigma));
}

/* Do the checks below see what is wrong with the answer? */
static int is_checked(const writing *w)
{
    const gjb_outcome *o = w->o;
    const gjb_result *r = &o->result;
    const int moving = gjb_queries[w->ask->query].moving, hit = moving && r->status == GJB_HIT;
    switch (o->symptom) {
    case GJB_FAULT_NAN:
    case GJB_FAULT_UNWRITTEN:
    case GJB_FAULT_CAPPED:
    case GJB_FAULT_REFUSED:
    case GJB_FAULT_FORM:
        return 1;
    case GJB_FAULT_BOOLEAN:
        return !moving || (r->status == GJB_SEPARATED && isfinite(w->latest)) ||
               (r->status == GJB_OVERLAPPING && w->soonest > 0) ||
               (hit && (w->starts_deep || r->value < w->soonest || r->value > w->latest));
    case GJB_FAULT_VALUE:
        return !moving || (hit && (!(r->value >= 0 && r->value <= 1) || r->value < w->soonest));
    case GJB_FAULT_LATE:
        return hit && r->value > w->latest;
    case GJB_FAULT_NORMAL:
        return !moving;
    case GJB_FAULT_LENGTH:
    case GJB_FAULT_DEEPEST:
        return 1;
    case GJB_FAULT_CONTACT:
    case GJB_FAULT_PATCH:
    case GJB_FAULT_FEATURE:
        return gjb_manifold_is_checked(w);
    case GJB_FAULT_WITNESS:
        return !moving && (off_each_other(w) > o->tolerance + w->error || w->proven[0] || w->proven[1]);
    default: /* of processes that ended, the answer of nobody is left */
        return o->symptom >= GJB_SYMPTOM_MISHAP && r->status == GJB_UNWRITTEN;
    }
}

/* May a distance have stopped there? */
static int is_limited(const writing *w)
{
    return gjb_written_within(w) > 0 && gjb_queries[w->ask->query].has_value &&
           (w->ask->contender->within >> w->ask->query & 1);
}

/* What is right, as bounds that the answer is held to. */
static void write_truth(FILE *f, const writing *w)
{
    const gjb_outcome *o = w->o;
    const gjb_query_row *row = &gjb_queries[w->ask->query];
    if (row->moving) {
        fputs("/* Proven: times before `soonest` are too early, those after `latest` too late; INFINITY in "
              "the one "
              "where the shapes stay\n * apart, in the other where no time is too late. */\n"
              "static const double soonest = ",
              f);
        gjb_write_number(f, w->soonest);
        fputs(", latest = ", f);
        gjb_write_number(f, w->latest);
        fprintf(f, "; /* %.17g %.17g */\nstatic const int starts_deep = %d;\n", w->soonest, w->latest,
                w->starts_deep);
    } else {
        fprintf(f,
                "/* Proven: the signed distance lies between lo and hi (below 0: overlapping). T is what an "
                "answer may be off. */\n"
                "static const double lo = %a, hi = %a, T = %a; /* %.17g %.17g %.3g */\n",
                o->lo, o->hi, o->tolerance, o->lo, o->hi, o->tolerance);
    }
    if (gjb_written_within(w) > 0)
        fprintf(f, "/* %s */\nstatic const double within = %a; /* %.17g */\n",
                row->has_value ? "No distance further than this matters." : "Shapes overlap if they are no further apart.",
                gjb_written_within(w), gjb_written_within(w));
    if (row->has_value && !row->moving && !row->has_patch) {
        const double low = row->graded(o->lo), high = row->graded(o->hi);
        fprintf(f, "static const double value_lo = %a, value_hi = %a, rounding = %a;\n",
                low < high ? low : high, low < high ? high : low, w->error);
    }
    if (row->has_patch)
        gjb_manifold_write_truth(f, w);
    if (w->proven[0] || w->proven[1]) {
        fputs("/* From shape to point, where a point was off its shape: no point of the shape is further "
              "that way. "
              "*/\nstatic const long double way_out[2][3] = {",
              f);
        gjb_write_vector(f, w->out[0]);
        fputs(", ", f);
        gjb_write_vector(f, w->out[1]);
        fputs("};\n", f);
    }
}

static void write_normal_check(FILE *f, const writing *w)
{
    fprintf(f,
            "        const long double n[3] = {a->normal[0], a->normal[1], a->normal[2]};\n"
            "        const long double length = sqrtl(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);\n"
            "        if (!(fabsl(length - 1) <= %a))\n"
            "            failed = printf(\"%%s: a normal of length %%.17Lg\\n\", who, length);\n",
            4 * w->o->epsilon);
    if (!gjb_queries[w->ask->query].moving)
        fprintf(f,
                "        const long double back[3] = {-n[0], -n[1], -n[2]}, gap = -(reach(0, n) + reach(1, "
                "back)) / length;\n"
                "        if (!(%s - gap <= T + rounding))\n"
                "            failed = printf(\"%%s: the gap along the normal is %%.17Lg, of %%.17g\\n\", "
                "who, gap, lo);\n",
                w->ask->query == GJB_PENETRATION ? "fmin(lo, 0)"
                : is_limited(w)                  ? "(beyond ? a->value : lo)"
                                                 : "lo");
}

static void write_points_check(FILE *f, const writing *w)
{
    fprintf(f,
            "        long double way[3], off = 0;\n"
            "        for (int k = 0; k < 3; k++) {\n"
            "            way[k] = (long double)a->point_b[k] - a->point_a[k]%s;\n"
            "            off += way[k] * way[k];\n"
            "        }\n"
            "        off = %s;\n"
            "        if (!(off <= T + rounding))\n"
            "            failed = printf(\"%%s: points are off what value and normal say by %%.3Lg T\\n\", "
            "who, off / "
            "T);\n",
            !gjb_gives_normal(w)                   ? ""
            : w->ask->query == GJB_PENETRATION ? " + (long double)a->value * a->normal[k]"
                                               : " - (long double)a->value * a->normal[k]",
            gjb_gives_normal(w) ? "sqrtl(off)" : "fabsl(sqrtl(off) - fabsl((long double)a->value))");
    if (w->proven[0] || w->proven[1])
        fputs(
            "        for (int i = 0; i < 2; i++) {\n"
            "            const double *point = i ? a->point_b : a->point_a;\n"
            "            const long double *d = way_out[i];\n"
            "            if (!(d[0] * point[0] + d[1] * point[1] + d[2] * point[2] - reach(i, d) <= T + "
            "rounding))\n"
            "                failed = printf(\"%s: the point of %c is off its shape\\n\", who, \"AB\"[i]);\n"
            "        }\n",
            f);
}

/* Normal and points, as grading holds them against the truth. */
static void write_vector_checks(FILE *f, const writing *w)
{
    const gjb_query_row *row = &gjb_queries[w->ask->query];
    const int points = gjb_gives_points(w) && !row->moving;
    if (!gjb_gives_normal(w) && !points)
        return;
    fputs("    if (vectors && !failed) {\n", f);
    if (gjb_gives_normal(w))
        write_normal_check(f, w);
    if (points && is_limited(w))
        fputs("    }\n    if (vectors && !failed && !beyond) {\n", f);
    if (points)
        write_points_check(f, w);
    fputs("    }\n", f);
}

/* Fields of a record: numbers all of them, and +0 where the status leaves them undefined. */
static void write_form_checks(FILE *f, const writing *w)
{
    const gjb_query query = w->ask->query;
    fprintf(f, "    const int vectors = %s;\n",
            query == GJB_DISTANCE       ? "a->status == GJB_SEPARATED"
            : query == GJB_PENETRATION  ? "a->status == GJB_OVERLAPPING"
            : gjb_queries[query].moving ? "a->status == GJB_HIT"
                                        : "a->status == GJB_SEPARATED || a->status == GJB_OVERLAPPING");
    fprintf(
        f,
        "    if (!failed)\n"
        "        failed = misses(who, \"value\", &a->value, 1, %s) + misses(who, \"normal\", a->normal, 3, "
        "vectors) +\n"
        "                 misses(who, \"point_a\", a->point_a, 3, %s) +\n"
        "                 misses(who, \"point_b\", a->point_b, 3, %s) +\n"
        "                 misses(who, \"last\", &a->last, 1, %s);\n",
        gjb_queries[query].moving ? "vectors" : "1",
        query == GJB_SWEEP ? "vectors || a->status == GJB_OVERLAPPING" : "vectors",
        query == GJB_SWEEP ? "vectors || a->status == GJB_OVERLAPPING" : "vectors",
        query == GJB_SWEEP ? "vectors || a->status == GJB_OVERLAPPING" : "0");
}

static void write_checks(FILE *f, const writing *w)
{
    const gjb_query_row *row = &gjb_queries[w->ask->query];
    if (row->has_value && !row->moving && (gjb_gives_normal(w) || w->proven[0] || w->proven[1]))
        gjb_write_support(f, w);
    fputs("\nstruct answer {\n    unsigned status;\n    double value, normal[3], point_a[3], point_b[3], "
          "last;\n};\n\n",
          f);
    if (row->has_value)
        gjb_write_misses(f, w);
    fputs("static int check(const char *who, const struct answer *a)\n{\n    int failed = 0;\n", f);
    gjb_write_status_checks(f, w);
    if (row->has_value)
        write_form_checks(f, w);
    if (is_limited(w)) /* 0 is on both shapes only where they touch */
        fputs("    int beyond = a->status == GJB_SEPARATED && a->value > within;\n"
              "    for (int k = 0; k < 3; k++)\n"
              "        beyond = beyond && a->point_a[k] == 0 && a->point_b[k] == 0;\n",
              f);
    if (row->has_value && !row->moving)
        fprintf(f, "    if (!failed && !(%sa->value >= value_lo - T%s && a->value <= value_hi + T))\n",
                is_limited(w) ? "(beyond || " : "", is_limited(w) ? ")" : "");
    if (row->has_value && !row->moving)
        fputs("        failed = printf(\"%s: %.17g is off by %.3g T\\n\", who, a->value,\n"
              "                        (a->value < value_lo ? value_lo - a->value : a->value - value_hi) "
              "/ T);\n",
              f);
    if (row->has_value)
        write_vector_checks(f, w);
    fputs("    return failed;\n}\n\n", f);
}

static void write_ours(FILE *f, const writing *w)
{
    char query[32];
    const uint32_t dim = w->pair->shapes.dim;
    const int narrow = w->pair->shapes.precision == GJB_F32, sweep = w->ask->query == GJB_SWEEP,
              head = w->ask->query == GJB_INTERSECT;
    const int patch = gjb_queries[w->ask->query].has_patch;
    char record[32];
    snprintf(record, sizeof record,
             head    ? "gjb_head"
             : patch ? "gjb_manifold%u%c"
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
        "*motions%s};\n"
        "    if (gjb_kernels_run(kernels, &batch, size, error, sizeof error))\n        return printf(\"%%s: "
        "%%s\\n\", backend, error);\n",
        (unsigned)dim, narrow ? "GJB_F32" : "GJB_F64", record, query_symbol(w->ask->query, query),
        patch                       ? ", .margin = margin"
        : gjb_written_within(w) > 0 ? ", .margin = within"
        : ignores_leaving(w)        ? ",\n                             .leaving = GJB_LEAVING_IGNORE"
                                    : "");
    if (head)
        fputs("    a.status = result.status;\n", f);
    else if (patch)
        gjb_manifold_write_reading(f, w);
    else
        fprintf(f,
                "    a.status = result.head.status;\n    a.value = result.value;\n%s"
                "    for (int k = 0; k < %u; k++) {\n        a.normal[k] = result.normal[k];\n"
                "        a.point_a[k] = result.%s[k];\n        a.point_b[k] = result.%s[k];\n    }\n",
                sweep ? "    a.last = result.last;\n" : "", (unsigned)dim, sweep ? "point" : "point_a",
                sweep ? "point" : "point_b");
    fputs("    free(workspace);\n    gjb_kernels_release(kernels);\n    return check(backend, &a);\n}\n\n"
          "int main(void)\n{\n    int failed = 0;\n    for (size_t i = 0; gjb_kernels_backend(i); i++)\n"
          "        failed |= gjb_kernels_available(gjb_kernels_backend(i)) && ask(gjb_kernels_backend(i));\n"
          "    return failed != 0;\n}\n",
          f);
}

static void write_answer(FILE *f, const gjb_result *r)
{
    const double *const vectors[] = {r->normal, r->point_a, r->point_b};
    fprintf(f, "{%u, ", (unsigned)r->status);
    gjb_write_number(f, r->value);
    for (int i = 0; i < 3; i++) {
        fputs(", ", f);
        gjb_write_vector(f, vectors[i]);
    }
    fputs(", ", f);
    gjb_write_number(f, r->last);
    fputs("}", f);
}

static void write_others(FILE *f, const writing *w)
{
    const gjb_outcome *o = w->o;
    char name[64];
    const gjb_reproducer_call *call = gjb_reproducer_call_of(w->ask, w->pair);
    snprintf(name, sizeof name, "%s", w->ask->contender->name);
    if (call) {
        fputs("#ifdef CALL\n", f);
        gjb_reproducer_call_write(f, call, w->ask, w->pair);
        fputs("#else\n", f);
    }
    fprintf(f,
            "/* What %s %s answered%s */\n"
            "static struct answer ask(void)\n{\n    (void)kind, (void)first, (void)row_count, (void)rows, "
            "(void)radius, (void)poses, (void)motions;\n"
            "    return (struct answer)",
            name, w->ask->contender->version ? w->ask->contender->version : "",
            call ? "." : ". To test it, or what was fixed, fill this in by a call with the numbers above.");
    if (gjb_queries[w->ask->query].has_patch)
        gjb_manifold_write_answer(f, w);
    else
        write_answer(f, &o->result);
    fprintf(f,
            ";\n}\n%s\nint main(void)\n{\n    const struct answer a = ask();\n    return check(\"%s\", &a) "
            "!= 0;\n}\n",
            call ? "#endif\n" : "", name);
}

static void write_test(FILE *f, const void *context)
{
    const writing *w = context;
    char line[GJB_FAILURE_LINE];
    gjb_failure_line(w->ask, w->pair, w->o, line);
    const int ours = w->ask->contender->ours != 0;
    const gjb_reproducer_call *call = gjb_reproducer_call_of(w->ask, w->pair);
    fprintf(f, "/* %s.\n *\n * %s\n%s%s%s * %s */\n", line,
            ours ? "cc -std=c17 THIS.c $(pkg-config --cflags --libs libgjkbench) -lm"
                 : "cc -std=c17 THIS.c $(pkg-config --cflags libgjkbench) -lm",
            call ? " * holds what it answered; what it answers is asked by\n * " : "",
            call ? gjb_reproducer_call_command(call) : "", call ? "\n" : "",
            is_checked(w)
                ? "Fails as long as that is so."
                : "Does not check that: it holds the answer to all else that a test can, and may pass.");
    fprintf(f,
            "#include <%s>\n#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include "
            "<stdlib.h>\n#include <string.h>\n\n",
            ours ? "gjkbench/kernels.h" : "gjkbench/types.h");
    write_pair(f, w);
    write_truth(f, w);
    if (gjb_queries[w->ask->query].has_patch)
        gjb_manifold_write_checks(f, w);
    else
        write_checks(f, w);
    if (ours)
        write_ours(f, w);
    else
        write_others(f, w);
}

int gjb_reproducer_save(const gjb_ask *ask, const gjb_scene *pair, const gjb_outcome *o, const char *path,
                        gjb_error *error)
{
    writing w = {.ask = ask, .pair = pair, .o = o};
    gjb_pair_space space = {0};
    gjb_pair placed;
    const int failed =
        gjb_scene_pair(pair, 0, 0, &space, &placed) ||
        (gjb_queries[ask->query].moving ? prove_times(&w, &placed) : prove_at_rest(&w, &placed));
    gjb_pair_space_free(&space);
    return failed ? gjb_fail(error, "%s: out of memory", path) : gjb_file_write(path, write_test, &w, error);
}
