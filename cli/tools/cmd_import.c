/* The command `import`: meshes to a scene of their convex hulls, simplified and scaled as asked. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "scenes/mesh/hulls.h"
#include "scenes/mesh/mesh.h"

typedef struct request {
    uint64_t vertices; /* 0: as many as the hull has */
    double scale;
    gjb_meeting meeting;
    const char *name; /* NULL: after the first file */
    gjb_precision precision;
    const char *out;
    FILE *text;
} request;

static const char *const span_names[] = {"a single point", "on one line", "flat"};

/* A count with its word, both kept until the eighth call after. */
static const char *many(unsigned long long count, const char *one, const char *more)
{
    static char texts[8][48];
    static unsigned next;
    char *text = texts[next++ % 8];
    snprintf(text, sizeof texts[0], "%llu %s", count, count == 1 ? one : more);
    return text;
}

static void print_notes(FILE *text, const gjb_mesh *mesh, const gjb_hull3 *hull)
{
    if (mesh->face_count == 0)
        fputs("  note: no faces; the hull of the bare points is taken\n", text);
    if (mesh->open_edges)
        fprintf(text, "  note: the mesh is open (%s); its convex hull is used\n",
                many(mesh->open_edges, "boundary edge", "boundary edges"));
    if (mesh->crowded_edges)
        fprintf(text, "  note: not manifold: %s between more than two faces; its convex hull is used\n",
                many(mesh->crowded_edges, "edge lies", "edges lie"));
    if (hull->dimension < 3)
        fprintf(text, "  note: no volume: the points are %s, and so is the hull\n", span_names[hull->dimension]);
}

/* How far from the hull's middle its farthest vertex lies, to judge a deviation by. */
static double size_of(const gjb_hull3 *hull)
{
    double middle[3] = {0, 0, 0}, most = 0;
    for (uint32_t i = 0; i < 3 * hull->vertex_count; i++)
        middle[i % 3] += hull->vertices[i / 3][i % 3] / hull->vertex_count;
    for (uint32_t i = 0; i < hull->vertex_count; i++) {
        const double *v = hull->vertices[i];
        most = fmax(most, hypot(hypot(v[0] - middle[0], v[1] - middle[1]), v[2] - middle[2]));
    }
    return most;
}

/* Replaces the hull by one of fewer vertices. */
static int simplify(const request *wanted, gjb_hull3 *hull, gjb_error *error)
{
    if (wanted->vertices == 0 || hull->vertex_count <= wanted->vertices)
        return 0;
    gjb_hull3 less;
    double deviation;
    if (gjb_hull3_simplify(hull, (uint32_t)wanted->vertices, &less, &deviation, error))
        return -1;
    fprintf(wanted->text, "  simplified: %u vertices, %u triangles, volume %.6g, deviation %.4g (%.3g%% of its radius)\n",
            less.vertex_count, less.triangle_count, less.volume, deviation, 100 * deviation / size_of(hull));
    gjb_hull3_free(hull);
    *hull = less;
    return 0;
}

static int import_mesh(const char *path, const request *wanted, gjb_hull3 *hull, gjb_error *error)
{
    gjb_mesh mesh;
    if (gjb_mesh_load(path, &mesh, error))
        return -1;
    for (size_t i = 0; i < 3 * (size_t)mesh.point_count; i++)
        mesh.points[i / 3][i % 3] *= wanted->scale;
    int failed = gjb_hull3_make((const double(*)[3])mesh.points, mesh.point_count, hull, error);
    if (!failed) {
        char name[256];
        snprintf(name, sizeof name, "%s", path);
        gjb_text_clean(name);
        fprintf(wanted->text, "%s: %s, %s, %s; hull of %s, %s, volume %.6g\n", name, mesh.format,
                many(mesh.point_count, "point", "points"), many(mesh.face_count, "face", "faces"),
                many(hull->vertex_count, "vertex", "vertices"), many(hull->triangle_count, "triangle", "triangles"),
                hull->volume);
        print_notes(wanted->text, &mesh, hull);
        failed = simplify(wanted, hull, error);
    }
    gjb_mesh_free(&mesh);
    if (!failed && hull->vertex_count > GJB_MAX_VERTICES)
        failed = gjb_fail(error, "%s: hull vertices: %u, a shape has at most %u: simplify with --vertices", path,
                          hull->vertex_count, GJB_MAX_VERTICES);
    return failed;
}

static int is_binary(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strcmp(dot, ".gjb");
}

static int save(const request *wanted, const char *const *files, size_t count, gjb_scene *scene, gjb_error *error)
{
    const char *slash = strrchr(files[0], '/'), *name = wanted->name ? wanted->name : slash ? slash + 1 : files[0];
    snprintf(scene->name, sizeof scene->name, "%.48s", name);
    gjb_text_clean(scene->name);
    snprintf(scene->note, sizeof scene->note, "hulls of %s, each against %s", many(count, "mesh", "meshes"),
             wanted->meeting.next_only ? "the next" : "each");
    const int failed = is_binary(wanted->out) ? gjb_scene_save_binary(scene, wanted->out, error)
                                              : gjb_scene_save_json(scene, wanted->out, error);
    if (!failed)
        fprintf(wanted->text, "%s: %s, %s, %s\n", wanted->out, many(scene->shapes.count, "hull", "hulls"),
                many(scene->frames[0].pair_count, "pair", "pairs"), gjb_precision_name(wanted->precision));
    if (!failed && wanted->meeting.shallow)
        fprintf(wanted->text, "  note: %s less deep than --gap %g: B stops where its middle is A's\n",
                many(wanted->meeting.shallow, "pair is", "pairs are"), wanted->meeting.gap);
    return failed;
}

static int import_all(request *wanted, const char *const *files, size_t count, gjb_error *error)
{
    gjb_hull3 *hulls = calloc(count, sizeof *hulls);
    if (!hulls)
        return gjb_fail(error, "out of memory for %zu hulls", count);
    int failed = 0;
    for (size_t i = 0; i < count && !failed; i++)
        failed = import_mesh(files[i], wanted, &hulls[i], error);
    if (!failed) {
        gjb_scene *scene = gjb_hulls_meet(hulls, (uint32_t)count, wanted->precision, &wanted->meeting, error);
        failed = !scene || save(wanted, files, count, scene, error);
        gjb_scene_free(scene);
    }
    for (size_t i = 0; i < count; i++)
        gjb_hull3_free(&hulls[i]);
    free(hulls);
    return failed;
}

/* -1 to go on, else the exit code of a usage error. */
static int check(request *wanted, const char *precision, const char *pairs)
{
    gjb_error error = {{0}};
    if (!wanted->out)
        return cli_usage_error("--out is missing: a scene file to write, .json or .gjb (binary)");
    const char *dot = strrchr(wanted->out, '.');
    if (!cli_is_stdout(wanted->out) && !is_binary(wanted->out) && (!dot || strcmp(dot, ".json")))
        return cli_usage_error("--out: '%s' must end in .json or .gjb (binary)", wanted->out);
    if (strcmp(precision, "f32") && strcmp(precision, "f64"))
        return cli_usage_error("--precision wants f32 or f64, not '%s'", precision);
    wanted->precision = strcmp(precision, "f32") ? GJB_F64 : GJB_F32;
    if (strcmp(pairs, "all") && strcmp(pairs, "next"))
        return cli_usage_error("--pairs wants all or next, not '%s'", pairs);
    wanted->meeting.next_only = !strcmp(pairs, "next");
    if (wanted->vertices && (wanted->vertices < 4 || wanted->vertices > GJB_MAX_VERTICES))
        return cli_usage_error("--vertices wants 4 to %u, not %llu", GJB_MAX_VERTICES,
                               (unsigned long long)wanted->vertices);
    if (!(wanted->scale > 0))
        return cli_usage_error("--scale wants a number above 0, not %g", wanted->scale);
    if (cli_check_writable(wanted->out, &error))
        return cli_usage_error("%s", error.text);
    wanted->text = cli_text_stream(wanted->out);
    return -1;
}

int cmd_import(int argc, char **argv)
{
    request wanted = {.scale = 1};
    const char *precision = "f32", *pairs = "all";
    const cli_option options[] = {
        {"out", CLI_TEXT, &wanted.out, "SCENE", "scene to write: .json or .gjb (binary); '-' is stdout, as JSON"},
        {"vertices", CLI_COUNT, &wanted.vertices, "N", "simplify hulls of more than N vertices to N, 4 to 4096"},
        {"precision", CLI_TEXT, &precision, "P", "precision of the scene, f32 or f64 (default: f32)"},
        {"scale", CLI_REAL, &wanted.scale, "S", "multiply all coordinates by S (default: 1)"},
        {"gap", CLI_REAL, &wanted.meeting.gap, "G",
         "distance of each pair; below 0: its overlap (default: some pairs apart, some overlapping)"},
        {"pairs", CLI_TEXT, &pairs, "WHICH",
         "all: pair each hull with itself and all hulls after it; next: only with the next (default: all)"},
        {"name", CLI_TEXT, &wanted.name, "NAME", "name of the scene (default: that of the first file)"},
        {0},
    };
    const cli_spec spec = {
        .usage = "import MESH... --out SCENE [OPTION]...",
        .about =
            "Converts meshes to a scene: each mesh gives one shape, the convex hull of its points. MESH is an OBJ, OFF or\n"
            "STL file, or '-'. It need not be closed, oriented or manifold; problems are reported. Coordinates are single\n"
            "precision, as assimp reads them, and keep their origin.\n\n"
            "Each hull is paired with itself and with each hull after it, both turned at random (the same on every\n"
            "machine). With --gap G above 0 a pair is exactly that far apart; below 0, B is moved from touching by -G\n"
            "towards A's middle. Without --gap each pair is there twice: apart, and overlapping by a tenth of the smaller\n"
            "hull's half extent. Lengths are in the mesh's units times --scale.\n\n"
            "A hull of more than 4096 vertices must be simplified. --vertices N keeps N of its vertices: it starts from a\n"
            "tetrahedron, and repeatedly adds the vertex farthest from the hull so far. The printed deviation is the\n"
            "largest distance of a vertex that was left out; no support of the hull changes by more.\n\n"
            "Exits with 2 if a mesh cannot be read or has fewer than four points; no scene is written then.",
        .options = options,
        .examples = "  gjkbench import bunny.obj teapot.off --out toys.json      then: gjkbench replay toys.json\n"
                    "  gjkbench import parts/*.stl --vertices 64 --scale 0.001 --out parts.gjb\n"
                    "  gjkbench import gear.obj --gap -0.05 --precision f64 --out deep.json\n",
        .min_files = 1,
        .max_files = (size_t)-1,
    };
    gjb_error error = {{0}};
    const char **files = calloc((size_t)argc, sizeof *files);
    size_t count = 0;
    if (!files)
        return GJB_EXIT_HARNESS;
    int code = cli_parse(&spec, argc, argv, files, &count);
    if (code < 0)
        code = check(&wanted, precision, pairs);
    if (code < 0) {
        code = import_all(&wanted, files, count, &error) ? GJB_EXIT_USAGE : GJB_EXIT_OK;
        if (code)
            fprintf(stderr, CLI_PROGRAM " import: %s\n", error.text);
    }
    free(files);
    return code;
}
