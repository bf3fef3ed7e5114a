/* The command `import`: meshes to a scene of their convex hulls, and models of robots to scenes of their shapes. */
#include <stdlib.h>
#include <string.h>

#include "cli/tools/import.h"
#include "scenes/model/model.h"

/* Hulls as they come in. */
typedef struct hull_list {
    gjb_hull3 *list;
    size_t count, room;
    uint32_t *parts; /* with --as-body, the hulls of each file so far */
    size_t files;
} hull_list;

static gjb_hull3 *one_more(hull_list *hulls)
{
    if (hulls->count == hulls->room) {
        hulls->room = hulls->room ? 2 * hulls->room : 16;
        gjb_hull3 *grown = realloc(hulls->list, hulls->room * sizeof *grown);
        if (!grown)
            return NULL;
        hulls->list = grown;
    }
    gjb_hull3 *hull = &hulls->list[hulls->count++];
    *hull = (gjb_hull3){0};
    return hull;
}

/* All objects of a file. */
static int import_meshes(unsigned char *bytes, size_t size, const char *path, const import_request *wanted,
                         hull_list *hulls, gjb_error *error)
{
    gjb_meshes meshes;
    char name[256], label[336];
    if (gjb_meshes_take(bytes, size, strcmp(path, "-") ? path : "standard input", &meshes, error))
        return -1;
    snprintf(name, sizeof name, "%s", path);
    gjb_text_clean(name);
    if (meshes.count > 1)
        fprintf(wanted->text, "%s: %u objects, %s\n", name, meshes.count,
                wanted->as_body ? "parts of one body" : "each a shape of its own");
    if (wanted->as_body)
        hulls->parts[hulls->files++] = meshes.count;
    if (meshes.loose)
        fprintf(wanted->text, "  note: left out: %s of no object's faces\n",
                import_many(meshes.loose, "point", "points"));
    int failed = 0;
    for (uint32_t i = 0; i < meshes.count && !failed; i++) {
        gjb_hull3 *hull = one_more(hulls);
        snprintf(label, sizeof label, meshes.count > 1 ? "%s '%s'" : "%s", name, meshes.list[i].name);
        failed = hull ? import_hull(label, &meshes.list[i], wanted, hull, error)
                      : gjb_fail(error, "%s: out of memory for %zu hulls", path, hulls->count);
    }
    gjb_meshes_free(&meshes);
    return failed;
}

/* Adds the hulls of a file. 1 if it was a model, whose scene is saved then. */
static int import_file(const char *path, size_t file_count, const import_request *wanted, hull_list *hulls,
                       gjb_error *error)
{
    size_t size = 0;
    unsigned char *bytes = gjb_mesh_bytes(path, &size, error);
    if (!bytes)
        return -1;
    if (!gjb_model_is(bytes, size))
        return import_meshes(bytes, size, path, wanted, hulls, error);
    const int failed = file_count > 1
                           ? gjb_fail(error, "%s: a file of MJCF or URDF is a scene of its own: import it alone", path)
                           : import_model(bytes, size, path, wanted, error);
    free(bytes);
    return failed ? -1 : 1;
}

static int is_any_of_parts(const hull_list *hulls)
{
    for (size_t i = 0; i < hulls->files; i++)
        if (hulls->parts[i] > 1)
            return 1;
    return 0;
}

static int save_hulls(import_request *wanted, const char *const *files, size_t count, const hull_list *hulls,
                      gjb_error *error)
{
    wanted->meeting.parts = hulls->parts;
    wanted->meeting.compound_count = (uint32_t)hulls->files;
    gjb_scene *scene = gjb_hulls_meet(hulls->list, (uint32_t)hulls->count, wanted->precision, &wanted->meeting, error);
    if (!scene)
        return -1;
    snprintf(scene->note, sizeof scene->note, "hulls of %s, each against %s", import_many(count, "mesh", "meshes"),
             wanted->meeting.next_only ? "the next" : "each");
    const int failed = import_save(wanted, files[0], (const char *const[2]){"hull", "hulls"}, scene, error);
    if (!failed && wanted->meeting.shallow)
        fprintf(wanted->text, "  note: %s less deep than --gap %g: B stops where its middle is A's\n",
                import_many(wanted->meeting.shallow, "pair is", "pairs are"), wanted->meeting.gap);
    gjb_scene_free(scene);
    return failed;
}

static int import_all(import_request *wanted, const char *const *files, size_t count, gjb_error *error)
{
    hull_list hulls = {.parts = wanted->as_body ? calloc(count, sizeof *hulls.parts) : NULL};
    int result =
        wanted->as_body && !hulls.parts ? gjb_fail(error, "%s: out of memory for %zu files", files[0], count) : 0;
    for (size_t i = 0; i < count && result == 0; i++)
        result = import_file(files[i], count, wanted, &hulls, error);
    if (result == 0 && wanted->assets)
        result = gjb_fail(error, "--assets is for MJCF and URDF, and no file is one");
    if (result == 0 && wanted->as_body && !is_any_of_parts(&hulls))
        result = gjb_fail(error, "--as-body is for OBJ files of several objects, and no file is one");
    if (result == 0)
        result = save_hulls(wanted, files, count, &hulls, error);
    for (size_t i = 0; i < hulls.count; i++)
        gjb_hull3_free(&hulls.list[i]);
    free(hulls.list);
    free(hulls.parts);
    return result < 0 ? -1 : 0;
}

/* -1 to go on, else the exit code of a usage error. */
static int check(import_request *wanted, const char *precision)
{
    gjb_error error = {{0}};
    if (!wanted->out)
        return cli_usage_error("--out is missing: a scene file to write, .json or .gjb (binary)");
    const char *dot = strrchr(wanted->out, '.');
    if (!cli_is_stdout(wanted->out) && !import_is_binary(wanted->out) && (!dot || strcmp(dot, ".json")))
        return cli_usage_error("--out: '%s' must end in .json or .gjb (binary)", wanted->out);
    if (strcmp(precision, "f32") && strcmp(precision, "f64"))
        return cli_usage_error("--precision wants f32 or f64, not '%s'", precision);
    wanted->precision = strcmp(precision, "f32") ? GJB_F64 : GJB_F32;
    const char *pairs = wanted->pairs;
    if (pairs && strcmp(pairs, "all") && strcmp(pairs, "next"))
        return cli_usage_error("--pairs wants all or next, not '%s'", pairs);
    wanted->meeting.next_only = pairs && !strcmp(pairs, "next");
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
    import_request wanted = {.scale = 1};
    const char *precision = "f32";
    const cli_option options[] = {
        {"out", CLI_TEXT, &wanted.out, "SCENE", "scene to write: .json or .gjb (binary); '-' is stdout, as JSON"},
        {"vertices", CLI_COUNT, &wanted.vertices, "N", "simplify hulls of more than N vertices to N, 4 to 4096"},
        {"precision", CLI_TEXT, &precision, "P", "precision of the scene, f32 or f64 (default: f32)"},
        {"scale", CLI_REAL, &wanted.scale, "S", "multiply all coordinates by S (default: 1)"},
        {"gap", CLI_REAL, &wanted.meeting.gap, "G",
         "distance of each pair; below 0: its overlap (default: some pairs apart, some overlapping)"},
        {"pairs", CLI_TEXT, &wanted.pairs, "WHICH",
         "all: pair each hull with itself and all hulls after it; next: only with the next (default: all)"},
        {"assets", CLI_TEXT, &wanted.assets, "DIR",
         "folder that holds the meshes of MJCF and URDF; nothing outside it is opened (default: none)"},
        {"as-body", CLI_FLAG, &wanted.as_body, NULL,
         "take the objects of each OBJ file as the convex parts of one body, whose least distance counts"},
        {"name", CLI_TEXT, &wanted.name, "NAME", "name of the scene (default: the model's, or that of the first file)"},
        {0},
    };
    const cli_spec spec = {
        .usage = "import FILE... --out SCENE [OPTION]...",
        .about =
            "Converts meshes, or a model of a robot, to a scene.\n\n"
            "A mesh gives one shape, the convex hull of its points; so does each object of an OBJ file. It is an OBJ, OFF,\n"
            "PLY or STL file, or '-'. It need not be closed, oriented or manifold; problems are reported, and how far the\n"
            "mesh is from convex. Coordinates are single precision, as assimp reads them (PLY: as they are), and keep\n"
            "their origin.\n\n"
            "Each hull is paired with itself and with each hull after it, both turned at random (the same on every\n"
            "machine). With --gap G above 0 a pair is exactly that far apart; below 0, B is moved from touching by -G\n"
            "towards A's middle. Without --gap each pair is there twice: apart, and overlapping by a tenth of the smaller\n"
            "hull's half extent. Lengths are in the mesh's units times --scale.\n\n"
            "A mesh that is not convex: cut it into convex parts, and import them as objects of one OBJ file --as-body.\n"
            "Parts of one body are no pair; 'replay' forms the answer of two bodies from the pairs of their parts.\n\n"
            "A model is one MJCF or URDF file. Its collision shapes lie as it says, joints at zero, and each pair that it\n"
            "lets touch is a pair of the scene: not within a rigid body, not across a joint, not what it excludes. Shapes\n"
            "of one rigid body are its parts. What is left out is reported. Its meshes are opened only inside the folder\n"
            "that --assets names, after links are resolved: where the file says, or below that folder. Document types,\n"
            "entities and includes are refused.\n\n"
            "A hull of more than 4096 vertices must be simplified. --vertices N keeps N of its vertices: it starts from a\n"
            "tetrahedron, and repeatedly adds the vertex farthest from the hull so far. The printed deviation is the\n"
            "largest distance of a vertex that was left out; no support of the hull changes by more.\n\n"
            "Exits with 2 if a file cannot be read, or a mesh has fewer than four points; no scene is written then.",
        .options = options,
        .examples = "  gjkbench import bunny.obj teapot.off --out toys.json      then: gjkbench replay toys.json\n"
                    "  gjkbench import parts/*.stl --vertices 64 --scale 0.001 --out parts.gjb\n"
                    "  gjkbench import gear.obj --gap -0.05 --precision f64 --out deep.json\n"
                    "  gjkbench import bracket.obj hook.obj --as-body --gap 0.1 --out bodies.json\n"
                    "  gjkbench import robot.urdf --assets robot_description --out robot.json\n",
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
        code = check(&wanted, precision);
    if (code < 0) {
        code = import_all(&wanted, files, count, &error) ? GJB_EXIT_USAGE : GJB_EXIT_OK;
        if (code)
            fprintf(stderr, CLI_PROGRAM " import: %s\n", error.text);
    }
    free(files);
    return code;
}
