/* The command `explain`: describes the pair, prints a method's steps and proof, and writes the page or JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bugs/explain_pair.h"
#include "cli/cli.h"
#include "reports/report.h"

enum { VERTICES_SHOWN = 8, DIFFERENCES_SHOWN = 16 };

typedef struct explain_options {
    const char *method, *query, *only, *out, *json;
    uint64_t frame, pair, steps;
    double margin; /* in place of the scene's, if it is not negative */
    int no_pictures;
} explain_options;

/* ---- what is explained ---- */

/* The lengths of a curved shape, as scene files name them. */
static size_t about_curve(gjb_kind kind, uint32_t dim, const double *first, const double *second, char *out, size_t room)
{
    char at[96];
    if (kind == GJB_CYLINDER || kind == GJB_CONE)
        return (size_t)snprintf(out, room, ", base radius %.6g, half height %.6g", first[0], first[1]);
    size_t n = (size_t)snprintf(out, room, ", semi-axes %s", explain_point(first, dim, at));
    if (kind == GJB_SUPERELLIPSE || kind == GJB_SUPERELLIPSOID)
        n += (size_t)snprintf(out + n, room - n, ", exponent %.17g", second[0]);
    return n;
}

static size_t about_plane(uint32_t dim, const double *rows, char *words, size_t size)
{
    char normal[96];
    return (size_t)snprintf(words, size, ", normal %s, offset %.6g", explain_point(rows, dim, normal), rows[dim]);
}

static void about_body(const explain_pair *from, const char *letter, int of_b, explain_lines *lines)
{
    const gjb_pair *pair = &from->pair;
    const uint32_t dim = pair->dim;
    const gjb_body2 *flat = of_b ? &pair->as.plane.b : &pair->as.plane.a;
    const gjb_body3 *solid = of_b ? &pair->as.space.b : &pair->as.space.a;
    const uint32_t count = dim == 2 ? flat->count : solid->count;
    const gjb_kind kind = dim == 2 ? flat->kind : solid->kind;
    const double radius = dim == 2 ? flat->radius : solid->radius;
    const double *pose = dim == 2 ? &flat->pose.x : &solid->pose.x;
    char words[896], at[96];
    const int curved = gjb_is_curved(kind), plane = gjb_is_unbounded(kind);
    size_t n = (size_t)snprintf(words, sizeof words, "%s", gjb_kind_name(kind));
    if (curved && dim == 2)
        n += about_curve(kind, dim, flat->vertices[0], flat->vertices[1], words + n, sizeof words - n);
    else if (curved)
        n += about_curve(kind, dim, solid->vertices[0], solid->vertices[1], words + n, sizeof words - n);
    else if (plane)
        n += about_plane(dim, dim == 2 ? flat->vertices[0] : solid->vertices[0], words + n, sizeof words - n);
    else
        n += (size_t)snprintf(words + n, sizeof words - n, ", %u vert%s", count, count == 1 ? "ex" : "ices");
    for (uint32_t k = 0; k < count && k < VERTICES_SHOWN && !curved && !plane; k++)
        n += (size_t)snprintf(words + n, sizeof words - n, "%s %.*s%s%s", k ? "" : ":", *letter != '\0',
                              *letter ? &letter[k] : "", *letter ? " " : "",
                              explain_point(dim == 2 ? flat->vertices[k] : solid->vertices[k], dim, at));
    n += (size_t)snprintf(words + n, sizeof words - n, "%s", count > VERTICES_SHOWN && !curved && !plane ? " ..." : "");
    if (radius > 0)
        n += (size_t)snprintf(words + n, sizeof words - n, ", radius %.6g", radius);
    n += (size_t)snprintf(words + n, sizeof words - n, "; at %s", explain_point(pose, dim, at));
    if (dim == 2 ? flat->pose.s != 0 || flat->pose.c != 1
                 : solid->pose.qx != 0 || solid->pose.qy != 0 || solid->pose.qz != 0)
        n += (size_t)snprintf(words + n, sizeof words - n, ", turned by %s %s",
                              dim == 2 ? "(c, s) =" : "(qx, qy, qz) =", explain_point(pose + dim, dim, at));
    if (from->reversed[of_b])
        snprintf(words + n, sizeof words - n,
                 "; the file has them clockwise: as every polygon that is loaded, it was reversed, the first "
                 "vertex staying the first");
    explain_add(lines, of_b ? "shape B" : "shape A", "%s", words);
}

/* Of small shapes in the plane: every a - b, as tutorials list them. */
static void about_difference(const gjb_pair2 *pair, explain_lines *lines)
{
    char words[1024], at[96];
    size_t n = 0;
    if (pair->a.count * pair->b.count > DIFFERENCES_SHOWN)
        return;
    for (uint32_t i = 0; i < pair->a.count; i++)
        for (uint32_t j = 0; j < pair->b.count; j++) {
            const gjb_pose2d *p = &pair->a.pose, *q = &pair->b.pose;
            const double *a = pair->a.vertices[i], *b = pair->b.vertices[j];
            const double w[2] = {(p->c * a[0] - p->s * a[1]) - (q->c * b[0] - q->s * b[1] + (q->x - p->x)),
                                 (p->s * a[0] + p->c * a[1]) - (q->s * b[0] + q->c * b[1] + (q->y - p->y))};
            n += (size_t)snprintf(words + n, sizeof words - n, " %s", explain_point(w, 2, at));
        }
    explain_add(lines, "A - B", "the hull of all differences a - b:%s", words);
}

static void about(const explain_pair *pair, const explain_method *method, gjb_query query, explained *e)
{
    for (int b = 0; b < 2; b++)
        about_body(pair, e->letters.of[b], b, &e->about);
    if (*e->letters.of[0])
        explain_add(&e->about, "letters",
                    "vertices have them as in tutorials, in the order given: vertex B is not shape B");
    else if (pair->pair.dim == 2 && !gjb_pair_unbounded(&pair->pair) && !gjb_pair_curved(&pair->pair))
        about_difference(&pair->pair.as.plane, &e->about);
    explain_add(&e->about, "method", "%s: %s", method->name,
                method->proves && gjb_pair_unbounded(&pair->pair)
                    ? "the lowest point of the other shape along the plane's normal, in long double, as an interval; "
                      "there are no steps"
                : method->proves && gjb_pair_curved(&pair->pair)
                    ? "GJK distance (Gilbert, Johnson, Keerthi 1988) on the cores, and branch and bound over directions if "
                      "they overlap, in long double, as an interval; its steps are not shown"
                    : method->about);
    if (explain_is_asked(method))
        explain_add(&e->about, "steps", "not known: the contender is asked, and its answer is shown");
    else if (!method->proves)
        explain_add(&e->about, "bounds",
                    "no part of the method: from below, computed next to it from the pair itself, along the "
                    "directions that it searches");
    if (pair->rounded)
        explain_add(
            &e->about, "precision",
            "the method computes in f32: the pair, f64, was rounded to it first, as replay and verify do, "
            "and the rounded pair is what is shown, proven and graded");
    explain_add(&e->about, "query", "%s", gjb_queries[query].name);
}

/* ---- as text ---- */

static void print_lines(FILE *stream, const explain_lines *lines, int indent)
{
    for (size_t k = 0; k < lines->count; k++)
        fprintf(stream, "%*s%s%-10s%s %s\n", indent, "", cli_color(stream, CLI_DIM), lines->line[k].term,
                cli_color(stream, CLI_PLAIN), lines->line[k].words);
}

static void print_walk(FILE *stream, const explained *e)
{
    const size_t count = e->walk->count;
    fprintf(stream, "%s%s%s\n", cli_color(stream, CLI_BOLD), e->title, cli_color(stream, CLI_PLAIN));
    if (*e->note)
        fprintf(stream, "%s\n", e->note);
    print_lines(stream, &e->about, 0);
    letters_print(&e->letters, e->pair, stream);
    for (size_t k = 0; k < count && !cli_interrupted; k++) {
        if (!explain_told(k, count, e->most)) {
            if (explain_told(k - 1, count, e->most))
                fprintf(stream, "\n... steps %zu to %zu: --steps %zu shows them, --json has them\n", k + 1,
                        count - e->most / 2, count);
            continue;
        }
        const gjb_trace_step *step = &e->walk->steps[k];
        explain_lines lines;
        explain_step(e, k, &lines);
        fprintf(stream, "\n%s%zu %s%s: %s\n", cli_color(stream, CLI_BOLD), k + 1, step->method,
                cli_color(stream, CLI_PLAIN), step->text);
        print_lines(stream, &lines, 3);
    }
    fputc('\n', stream);
    if (!cli_interrupted)
        print_lines(stream, &e->proof, 0);
}

/* ---- the command ---- */

/* Text, page and JSON; an exit code. */
static int show(const explain_options *o, const explain_pair *pair, const explain_method *method,
                const explain_proof *proof, const gjb_answer *answer, const explained *e, gjb_error *error)
{
    FILE *stream = cli_text_stream(o->json);
    int drawn = GJB_REPORT_DRAWN;
    print_walk(stream, e);
    fflush(stream);
    if (!o->no_pictures && !cli_interrupted) {
        drawn = gjb_explain_write(e, o->out, error);
        if (drawn < 0)
            return GJB_EXIT_USAGE;
        if (drawn == GJB_REPORT_UNDRAWN)
            fprintf(stderr, CLI_PROGRAM " explain: %s\n", error->text);
        *error = (gjb_error){{0}};
        if (drawn != GJB_EXPLAIN_STOPPED)
            fprintf(stream, "\n%s/index.html\n", o->out);
    }
    if (o->json && !cli_interrupted) {
        json_t *json = explain_json(cli_context(), pair, method, proof, answer, e->walk);
        int failed = json ? cli_write_json(json, o->json, error) : gjb_fail(error, "out of memory");
        json_decref(json);
        if (failed)
            return GJB_EXIT_USAGE;
    }
    if (cli_interrupted) {
        fprintf(stderr, CLI_PROGRAM " explain: interrupted: no more is written\n");
        return CLI_EXIT_INTERRUPTED;
    }
    return proof->grade.verdict == GJB_WRONG && method->contender->ours ? GJB_EXIT_WRONG : GJB_EXIT_OK;
}

static int explain(const explain_options *o, const char *operand, explain_pair *pair, walk *steps,
                   explain_proof *proof, gjb_error *error)
{
    explain_method method;
    gjb_query query;
    gjb_answer answer = {.status = GJB_UNWRITTEN};
    gjb_result result;
    char mishap[GJB_MISHAP_TEXT] = "";
    if (explain_pair_open(pair, operand, o->frame, o->pair, o->only, error) ||
        explain_method_choose(o->method ? o->method : pair->method, o->query, pair, &method, &query, error) ||
        explain_pair_round(pair, method.contender->precisions >> GJB_F64 & 1 ? GJB_F64 : GJB_F32, error))
        return GJB_EXIT_USAGE;
    if (o->margin >= 0 && !gjb_queries[query].has_patch)
        return gjb_fail(error, "--margin is of manifold, and the query is %s", gjb_queries[query].name), GJB_EXIT_USAGE;
    if (o->margin >= 0)
        pair->scene->margin = pair->pair.margin = o->margin;
    const gjb_trace trace = walk_trace(steps);
    const int asked = explain_is_asked(&method);
    if (asked && explain_ask(&method, pair, query, &answer, &result, mishap, error))
        return cli_interrupted ? CLI_EXIT_INTERRUPTED : GJB_EXIT_USAGE;
    if (!asked && (method.walk(&method, &pair->pair, query, &trace, &answer) || steps->failed))
        return gjb_fail(error, "out of memory"), GJB_EXIT_HARNESS;
    if (!method.proves)
        explain_bound_steps(&pair->pair, steps);
    if (cli_interrupted)
        return gjb_fail(error, "interrupted during the walk"), CLI_EXIT_INTERRUPTED;
    if (explain_proof_make(pair, &method, query, &answer, asked ? &result : NULL, steps, proof, error))
        return GJB_EXIT_HARNESS;
    explained e = {.pair = &pair->pair,
                   .title = pair->title,
                   .note = pair->scene->note,
                   .walk = steps,
                   .letters = letters_make(&pair->pair, pair->reversed),
                   .most = o->steps,
                   .stop = &cli_interrupted,
                   .has_vectors = !isnan(proof->apart),
                   .sigma = answer.sigma,
                   .contact = answer.contact,
                   .contact_count = gjb_queries[query].has_patch ? answer.count : 0,
                   .patch = gjb_queries[query].has_patch && proof->has_patch ? &proof->patch : NULL,
                   .discs = proof->discs};
    memcpy(e.normal, answer.normal, sizeof e.normal);
    memcpy(e.point_a, answer.point_a, sizeof e.point_a);
    memcpy(e.point_b, answer.point_b, sizeof e.point_b);
    gjb_text_clean(pair->scene->note);
    about(pair, &method, query, &e);
    if (*mishap)
        explain_add(&e.about, "mishap", "it %s", mishap);
    explain_proof_tell(proof, pair, &method, &answer, steps, &e.proof);
    return show(o, pair, &method, proof, &answer, &e, error);
}

int cmd_explain(int argc, char **argv)
{
    explain_options o = {.out = "explain", .steps = 24, .margin = CLI_NO_MARGIN};
    const cli_option options[] = {
        {"method", CLI_TEXT, &o.method, "NAME",
         "method to show: reference, textbook-gjk2, textbook-epa2, ..., or any contender (default: reference)"},
        {"query", CLI_TEXT, &o.query, "NAME",
         "query to answer (default: the file's, or the one that says most of those that the method answers)"},
        {"margin", CLI_LENGTH, &o.margin, "M",
         "manifold: contacts are wanted up to this separation, in place of what the file says"},
        {"pair", CLI_COUNT, &o.pair, "N", "number of the pair in its frame (default: 0)"},
        {"frame", CLI_COUNT, &o.frame, "N", "number of the frame in the scene (default: 0)"},
        {"case", CLI_TEXT, &o.only, "ID", "case of a file of known failures"},
        {"steps", CLI_COUNT, &o.steps, "N",
         "show at most N steps, the first and the last of them (default: 24)"},
        {"out", CLI_TEXT, &o.out, "DIR", "folder for index.html (default: explain)"},
        {"no-pictures", CLI_FLAG, &o.no_pictures, NULL, "print only text, and write no page"},
        {"json", CLI_TEXT, &o.json, "FILE",
         "write every step as JSON, with exact numbers; '-' is stdout, and the text goes to stderr"},
        {0},
    };
    const cli_spec spec = {
        .usage = "explain PAIR [OPTION]...",
        .about =
            "Shows each step of a method on one pair: the search direction, the support point w = a - b of the\n"
            "Minkowski difference A - B, the simplex, the part of it that is nearest to the origin, and the bounds on\n"
            "the signed distance sigma that are proven so far. At the end are the answer and its proof (a separating axis\n"
            "and witness points, or the depth from both sides), and the exact truth from rational arithmetic.\n"
            "Of a manifold there are the contacts, the contact patch, and how much of it they cover.\n"
            "DIR/index.html has the same with a picture of each step, in one file that loads nothing. If a shape is\n"
            "curved or a half-space, the reference shows no steps, and the truth is a proven interval.\n\n"
            "PAIR is a failing pair that 'verify' saved, any scene (JSON or binary), a collection of known failures of\n"
            "other libraries with --case, '-' for standard input, or the name of an example:\n\n"
            "  tutorial          the triangles of the GJK tutorials\n"
            "  tutorial-printed  the same with the vertices in the order printed there, for\n"
            "                    which the tutorials' own method fails; a file cannot hold\n"
            "                    them, as the order would be repaired\n"
            "  polygons          apart\n"
            "  deep              EPA at work\n"
            "  boxes, hulls      3D\n\n"
            "In 2D small shapes have letters, and tables of all differences and sums.\n\n"
            "The other methods are the textbook contenders, which do what tutorials teach ('list' names them); bounds\n"
            "and proofs are computed next to their steps. Every other contender is asked, also yours: its answer and\n"
            "the proof are shown, without steps. If a contender that is not ours is wrong, the exit code is still 0;\n"
            "if it gives no answer, 2.\n"
            "For a method that computes in f32, a pair in f64 is rounded first, as in 'replay'.\n\n"
            "Pictures need gnuplot: the one that GJKBENCH_GNUPLOT names, else the first on PATH.",
        .options = options,
        .examples =
            "  gjkbench explain tutorial                          the example of the tutorials\n"
            "  gjkbench explain tutorial --method textbook-gjk2   their method\n"
            "  gjkbench explain tutorial-printed                  an order for which it fails\n"
            "  gjkbench explain pair.json --no-pictures           a pair that was answered wrongly\n"
            "  gjkbench explain scene.gjb --frame 3 --pair 17 --out page\n"
            "  gjkbench explain pair.json --method bullet-pair    what a library answered\n"
            "  gjkbench explain hulls --query intersect --json - | jq '.steps[].support.w'\n",
        .min_files = 1,
        .max_files = 1,
    };
    const char *files[1];
    gjb_error error = {{0}};
    explain_pair pair = {0};
    walk steps = {0};
    explain_proof proof = {0};
    int code = cli_parse(&spec, argc, argv, files, NULL);
    if (code < 0 && !o.steps)
        code = cli_usage_error("--steps wants at least 1");
    if (code < 0 && o.json && cli_check_writable(o.json, &error))
        code = cli_usage_error("%s", error.text);
    if (code < 0) {
        cli_catch_interrupt();
        code = explain(&o, files[0], &pair, &steps, &proof, &error);
        if (*error.text)
            fprintf(stderr, CLI_PROGRAM " explain: %s\n", error.text);
    }
    walk_free(&steps);
    explain_proof_free(&proof);
    explain_pair_close(&pair);
    return code;
}
