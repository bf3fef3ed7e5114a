/* Mesh files: counts and coordinates of good ones, and one line for each bad one. */
#include "scenes/mesh/mesh.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenes/tests/samples.h"

/* A file in a folder of this test's own. */
static char folder[64], path[128];

static void write_bytes(const char *name, const void *bytes, size_t size)
{
    if (folder[0] == '\0')
        sample_directory(folder);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "wb");
    cr_assert_not_null(stream);
    cr_assert_eq(fwrite(bytes, 1, size, stream), size);
    fclose(stream);
}

static void clean(void)
{
    if (folder[0] != '\0')
        sample_remove(folder);
}

TestSuite(mesh, .fini = clean);

/* A unit cube without its top, and its corners in another order. */
#define OFF_BODY                                                                                             \
    "8 5 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n"                                       \
    "4 0 3 2 1\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n"
#define OBJ_TETRA "v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 0 4\nvt 0 0\nvn 0 0 1\n"
#define STL_FACET(a, b, c)                                                                                   \
    "facet normal 0 0 0\nouter loop\nvertex " a "\nvertex " b "\nvertex " c "\nendloop\nendfacet\n"

#define PLY_HEAD(form, vertices, faces)                                                                                \
    "ply\nformat " form " 1.0\nelement vertex " vertices "\nproperty float x\nproperty float y\nproperty float z\n"    \
    "element face " faces "\nproperty list uchar int vertex_indices\nend_header\n"

typedef struct good_case {
    const char *name, *text, *format;
    uint32_t points, faces, open, crowded;
} good_case;

static const good_case goods[] = {
    {"open-cube.off", "OFF\n" OFF_BODY, "OFF", 8, 5, 4, 0},
    {"comment.off", "OFF\n# made by hand\n" OFF_BODY, "OFF", 8, 5, 4, 0},
    {"before.off", "# by hand\n\n# twice\nOFF\n# and here\n\n" OFF_BODY, "OFF", 8, 5, 4, 0},
    {"between.off",
     "OFF # a tetrahedron\n4 4 0 # counts\n# points\n0 0 0\n1 0 0\n\n0 1 0\n0 0 1\n\n# faces\n3 0 2 1\n3 0 1 3 # last but one\n"
     "# more\n3 1 2 3\n3 2 0 3",
     "OFF", 4, 4, 0, 0},
    {"no-suffix", "OFF\n" OFF_BODY, "OFF", 8, 5, 4, 0},
    {"closed.obj", OBJ_TETRA "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", "OBJ", 4, 4, 0, 0},
    {"corners.obj", OBJ_TETRA "f 1/1/1 3/1/1 2/1/1\nf 1//1 2//1 4//1\nf -3 -2 -1\nf 3 1 4\n", "OBJ", 4, 4, 0, 0},
    {"bare.obj", "v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 0 4\n", "OBJ", 4, 0, 0, 0},
    {"fan.obj", OBJ_TETRA "v 1 1 1\nf 1 2 3\nf 1 2 4\nf 1 2 5\n", "OBJ", 5, 3, 6, 1},
    {"capitals.OBJ", OBJ_TETRA "f 1 2 3\n", "OBJ", 4, 1, 3, 0},
    {"no-suffix-either", "# by hand\n" OBJ_TETRA "f 1 3 2\n", "OBJ", 4, 1, 3, 0},
    {"loose.obj", OBJ_TETRA "v 9 9 9\ng a\nf 1 2 3\ng b\nf 1 2 4\nv 5 6 7", "OBJ", 6, 2, 4, 0},
    {"indented.obj", "  v 0 0 0\n\tv 2 0 0\n v\t0 3 0\nv 0 0 4\n f 1 2 3\n", "OBJ", 4, 1, 3, 0},
    {"marked.obj", "\xef\xbb\xbf" OBJ_TETRA "f 1 2 3\n", "OBJ", 4, 1, 3, 0},
    {"marked.off", "\xef\xbb\xbfOFF\n" OFF_BODY, "OFF", 8, 5, 4, 0},
    {"coloured.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1 255 0 9\n3 0 1 3 9 9 9\n", "OFF", 4, 2, 4, 0},
    {"text.stl", "solid a\n" STL_FACET("0 0 0", "0 1 0", "1 0 0") STL_FACET("0 0 0", "1 0 0", "0 0 1") "endsolid a\n",
     "STL", 4, 2, 4, 0},
    {"tetra.ply", PLY_HEAD("ascii", "4", "2") "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n", "PLY", 4, 2, 4, 0},
    {"more.ply",
     "ply\r\nformat ascii 1.0\r\ncomment by hand\r\nelement material 1\r\nproperty list uchar int parts\r\nelement face 1\r\n"
     "property uchar red\r\nproperty list uint8 uint32 vertex_index\r\nelement vertex 4\r\nproperty uchar a\r\n"
     "property double z\r\nproperty double x\r\nproperty double y\r\nend_header\r\n2 7 8\r\n255 3 0 1 2\r\n"
     "9 0 0 0\r\n9 1 0 0\r\n9 0 1 0\r\n9 0 0 1",
     "PLY", 4, 1, 3, 0},
    {"bare.ply",
     "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
     "0 0 0 1 0 0 0 1 0 0 0 1\n",
     "PLY", 4, 0, 0, 0},
    {"folded.obj", OBJ_TETRA "v 0 0 0\nf 1 2 5\nf 1 2 3\nf 4 3 2\n", "OBJ", 4, 3, 4, 0},
};

Test(mesh, counts)
{
    for (size_t i = 0; i < sizeof goods / sizeof *goods; i++) {
        const good_case *g = &goods[i];
        gjb_mesh mesh;
        gjb_error error = {{0}};
        write_bytes(g->name, g->text, strlen(g->text));
        const int code = gjb_mesh_load(path, &mesh, &error);
        if (g->points < 4) {
            cr_expect(code != 0 && strstr(error.text, "points: 3") != NULL, "%s: %s", g->name, error.text);
            continue;
        }
        cr_assert_eq(code, 0, "%s: %s", g->name, error.text);
        cr_expect_str_eq(mesh.format, g->format);
        cr_expect(mesh.point_count == g->points && mesh.face_count == g->faces, "%s: %u points, %u faces", g->name,
                  mesh.point_count, mesh.face_count);
        cr_expect(mesh.open_edges == g->open && mesh.crowded_edges == g->crowded, "%s: %u open, %u crowded", g->name,
                  mesh.open_edges, mesh.crowded_edges);
        gjb_mesh_free(&mesh);
    }
}

/* Every point is there, none is made up, in the order of the file. */
Test(mesh, coordinates)
{
    gjb_mesh mesh;
    gjb_error error = {{0}};
    const char *text = "v 0.5 -1.25 3e2\nv 1 0 0\nv 0 1 0\nv 0.5 -1.25 300\nv 0 0 -7\nf 4 2 3\nf 1 2 3 5\n";
    const double want[4][3] = {{0.5, -1.25, 300}, {1, 0, 0}, {0, 1, 0}, {0, 0, -7}};
    write_bytes("a.obj", text, strlen(text));
    cr_assert_eq(gjb_mesh_load(path, &mesh, &error), 0, "%s", error.text);
    cr_assert_eq(mesh.point_count, 4);
    for (int i = 0; i < 4; i++)
        cr_expect_arr_eq(mesh.points[i], want[i], sizeof want[i], "point %d: %g %g %g", i, mesh.points[i][0],
                         mesh.points[i][1], mesh.points[i][2]);
    gjb_mesh_free(&mesh);
}

/* Binary STL: 80 bytes of any text, a count, and 50 bytes a facet. */
static size_t binary_stl(unsigned char *bytes, uint32_t claimed, uint32_t facets, float corner)
{
    memset(bytes, 0, 84 + 50 * (size_t)facets);
    memcpy(bytes, "solid that is none", 18);
    memcpy(bytes + 80, &claimed, 4);
    for (uint32_t f = 0; f < facets; f++) {
        float numbers[12] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, corner, (float)f};
        memcpy(bytes + 84 + 50 * f, numbers, sizeof numbers);
    }
    return 84 + 50 * (size_t)facets;
}

Test(mesh, binary_stl)
{
    unsigned char bytes[512];
    gjb_mesh mesh;
    gjb_error error = {{0}};
    write_bytes("a.stl", bytes, binary_stl(bytes, 4, 4, 1));
    cr_assert_eq(gjb_mesh_load(path, &mesh, &error), 0, "%s", error.text);
    cr_expect(mesh.point_count == 6 && mesh.face_count == 4 && mesh.crowded_edges == 1, "%u, %u, %u", mesh.point_count,
              mesh.face_count, mesh.crowded_edges);
    gjb_mesh_free(&mesh);
}

/* The same four points in either order of bytes, as an int8, a float and a double. */
Test(mesh, binary_ply)
{
    for (int big = 0; big < 2; big++) {
        unsigned char bytes[512];
        size_t size = (size_t)snprintf(
            (char *)bytes, sizeof bytes,
            "ply\nformat binary_%s_endian 1.0\nelement vertex 4\nproperty char x\nproperty float y\n"
            "property double z\nelement face 1\nproperty list ushort uint vertex_indices\nend_header\n",
            big ? "big" : "little");
        const double points[4][3] = {{-1, 0.5, 0}, {1, 0, 0}, {0, 300, 0}, {0, 0, -0x1.8p-40}};
        const uint32_t corners[3] = {0, 1, 3};
        for (int i = 0; i < 4; i++) {
            const float y = (float)points[i][1];
            bytes[size++] = (unsigned char)(signed char)points[i][0];
            for (size_t k = 0; k < sizeof y; k++)
                bytes[size + k] = ((const unsigned char *)&y)[big ? 3 - k : k];
            for (size_t k = 0; k < 8; k++)
                bytes[size + 4 + k] = ((const unsigned char *)&points[i][2])[big ? 7 - k : k];
            size += 12;
        }
        bytes[size++] = big ? 0 : 3;
        bytes[size++] = big ? 3 : 0;
        for (int i = 0; i < 3; i++)
            for (size_t k = 0; k < 4; k++)
                bytes[size++] = (unsigned char)(corners[i] >> 8 * (big ? 3 - k : k));
        gjb_mesh mesh;
        gjb_error error = {{0}};
        write_bytes("b.ply", bytes, size);
        cr_assert_eq(gjb_mesh_load(path, &mesh, &error), 0, "%s", error.text);
        cr_expect(mesh.point_count == 4 && mesh.face_count == 1 && mesh.open_edges == 3, "%u, %u, %u", mesh.point_count,
                  mesh.face_count, mesh.open_edges);
        cr_expect_arr_eq(mesh.points, points, sizeof points);
        gjb_mesh_free(&mesh);
    }
}

/* Sides of a unit cube, corners 1 to 8 as in OFF_BODY, each face one number higher by `n`. */
#define CUBE_FACES(a, b, c, d, e, f, g, h)                                                                             \
    "f " a " " d " " c " " b "\nf " e " " f " " g " " h "\nf " a " " b " " f " " e "\nf " b " " c " " g " " f "\nf " c \
    " " d " " h " " g "\nf " d " " a " " e " " h "\n"
#define CUBE_AT(x0, x1)                                                                                                \
    "v " x0 " 0 0\nv " x1 " 0 0\nv " x1 " 1 0\nv " x0 " 1 0\nv " x0 " 0 1\nv " x1 " 0 1\nv " x1 " 1 1\nv " x0 " 1 1\n"
#define FIRST CUBE_FACES("1", "2", "3", "4", "5", "6", "7", "8")
#define SECOND CUBE_FACES("9", "10", "11", "12", "13", "14", "15", "16")

typedef struct object_case {
    const char *text;
    uint32_t count, loose;
    struct {
        const char *name;
        uint32_t points, faces, twisted;
        double volume;
    } wanted[3];
} object_case;

static const object_case objects[] = {
    {CUBE_AT("0", "1") FIRST, 1, 0, {{"", 8, 6, 0, 1}}},
    {"o one\n" CUBE_AT("0", "2") FIRST, 1, 0, {{"", 8, 6, 0, 2}}},
    {"o left side\n" CUBE_AT("0", "1") FIRST "o left part\n" CUBE_AT("1", "3") SECOND,
     2,
     0,
     {{"left side", 8, 6, 0, 1}, {"left part", 8, 6, 0, 2}}},
    /* vertices first, a name twice, groups and materials within, one object of points alone, one point of none */
    {CUBE_AT("0", "1") CUBE_AT("1", "3") "v 9 9 9\no a\ng x\nusemtl b\n" FIRST "o\no points\np 1\no a\ng y\n" SECOND,
     2,
     1,
     {{"a", 8, 6, 0, 1}, {"a", 8, 6, 0, 2}}},
    {CUBE_AT("0", "1") FIRST CUBE_AT("1", "3") "o \n" SECOND,
     2,
     0,
     {{"number 0", 8, 6, 0, 1}, {"number 1", 8, 6, 0, 2}}},
    /* open, and inside out at one face */
    {CUBE_AT("0", "1") "f 1 4 3 2\n", 1, 0, {{"", 8, 1, 0, 0}}},
    {CUBE_AT("0", "1") "f 1 2 3 4\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n", 1, 0, {{"", 8, 6, 4, 0}}},
};

Test(mesh, objects)
{
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        const object_case *o = &objects[i];
        gjb_meshes meshes;
        gjb_error error = {{0}};
        size_t size;
        write_bytes("objects.obj", o->text, strlen(o->text));
        unsigned char *bytes = gjb_mesh_bytes(path, &size, &error);
        cr_assert_not_null(bytes, "%s", error.text);
        cr_assert_eq(gjb_meshes_take(bytes, size, path, &meshes, &error), 0, "%zu: %s", i, error.text);
        cr_assert_eq(meshes.count, o->count, "%zu: %u objects", i, meshes.count);
        cr_expect_eq(meshes.loose, o->loose, "%zu: %u loose points", i, meshes.loose);
        for (uint32_t k = 0; k < meshes.count; k++) {
            const gjb_mesh *m = &meshes.list[k];
            cr_expect_str_eq(m->name, o->wanted[k].name, "%zu: %s", i, m->name);
            cr_expect(m->point_count == o->wanted[k].points && m->face_count == o->wanted[k].faces,
                      "%zu: %u points, %u faces", i, m->point_count, m->face_count);
            cr_expect(m->twisted_edges == o->wanted[k].twisted, "%zu: %u twisted", i, m->twisted_edges);
            cr_expect(fabs(m->volume - o->wanted[k].volume) < 1e-12, "%zu: volume %.17g", i, m->volume);
        }
        gjb_meshes_free(&meshes);
    }
}

Test(mesh, objects_refused)
{
    static const char *const texts[][2] = {
        {"o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3 4\no b\nf 1 2 3\n", "object 'b': points: 3"},
        {"o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 nan 1\nf 1 2 3\nf 1 2 4\no b\nf 1 2 3 4\n", "vertices["},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        gjb_meshes meshes;
        gjb_error error = {{0}};
        char *bytes = strdup(texts[i][0]);
        cr_expect_neq(gjb_meshes_take((unsigned char *)bytes, strlen(bytes), "a.obj", &meshes, &error), 0);
        cr_expect(sample_one_line(&error) && strstr(error.text, texts[i][1]) != NULL, "%s", error.text);
        cr_expect(meshes.list == NULL && meshes.count == 0);
    }
    gjb_meshes meshes;
    gjb_error error = {{0}};
    const size_t size = 3 * (GJB_MESH_OBJECTS_MOST + 1) + 8;
    char *many = malloc(size + 1), *to = many;
    cr_assert_not_null(many);
    for (int i = 0; i <= GJB_MESH_OBJECTS_MOST; i++)
        to = stpcpy(to, "o \n");
    stpcpy(to, "v 0 0 0\n");
    cr_expect_neq(gjb_meshes_take((unsigned char *)many, size, "many.obj", &meshes, &error), 0);
    cr_expect_not_null(strstr(error.text, "many.obj: objects: 4097, at most 4096"), "%s", error.text);
}

typedef struct bad_case {
    const char *name, *text;
    const char *words[2];
} bad_case;

static const bad_case bads[] = {
    {"empty.obj", "", {"empty"}},
    {"noise.obj", "I am no mesh\n", {"vertices: 0"}},
    {"noise.off", "I am no mesh\n", {"no OFF"}},
    {"noise.stl", "I am no mesh\n", {"solid", "84"}},
    {"noise.txt", "I am no mesh\n", {"content is not that of"}},
    {"scene.json", "{\"gjkbench\": 1}", {"content is not that of"}},
    {"billion.off", "OFF\n1000000000 1 0\n0 0 0\n", {"vertices: 1000000000", "more than a file of 25 bytes"}},
    {"faces.off", "OFF\n1 99999999999999999999999999 0\n0 0 0\n", {"faces: 999999", "more than"}},
    {"minus.off", "OFF\n-1 1 0\n0 0 0\n", {"vertices"}},
    {"none.off", "OFF\n", {"vertices", "missing"}},
    {"range.off",
     "OFF\n4 2 0 # few\n0 0 0\n1 0 0\n\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 4\n",
     {"faces[1]: vertex 4", "there are 4"}},
    {"below.off", "OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 -2 1\n", {"faces[0]: vertex -2"}},
    {"long.off",
     "OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n4000000000 0 1 2\n",
     {"faces[0]: claims 4000000000 corners", "names 3"}},
    {"next.off",
     "OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n4 0 1 2\n3 0 1 2\n",
     {"faces[0]: claims 4 corners", "names 3"}},
    {"fewer.off", "OFF\n4 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n", {"faces: 3 claimed, there are 1"}},
    {"gltf.obj", "{\"asset\": {}}\nv 0 0 0\n", {"content is not that of an OBJ"}},
    {"range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 5\n", {"range"}},
    {"binary.off", "OFF BINARY\n", {"binary OFF"}},
    {"short.off", "OFF\n4 0 0\n0 0 0\n1 0 0\n0 1 0\n", {"OFF"}},
    {"three.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", {"points: 3", "at least 4"}},
    {"same.off", "OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 0\n0 1 0\n4 0 1 2 3\n", {"points: 3", "at least 4"}},
    {"nan.obj", "v 0 0 0\nv 0 nan 1\nv 1 0 0\nv 0 1 1\nf 1 2 3 4\n", {"vertices[1].y: ", "must be finite"}},
    {"noise.ply", "I am no mesh\n", {"begins with no ply"}},
    {"headless.ply", "ply\nformat ascii 1.0\n", {"no line says end_header"}},
    {"format.ply", "ply\nformat ascii 2.0\nend_header\n", {"ply:2: format ascii 2.0"}},
    {"middle.ply", "ply\nformat binary_middle_endian 1.0\nend_header\n", {"ply:2: format binary_middle"}},
    {"line.ply", "ply\nformat ascii 1.0\nvertices 4\nend_header\n", {"ply:3: vertices 4: no line of a header"}},
    {"early.ply", "ply\nformat ascii 1.0\nproperty float x\nend_header\n", {"before any element"}},
    {"type.ply", "ply\nformat ascii 1.0\nelement vertex 4\nproperty real x\nend_header\n", {"ply:4: property real x"}},
    {"lists.ply",
     "ply\nformat ascii 1.0\nelement vertex 4\nproperty list float int x\nend_header\n",
     {"ply:4: property list"}},
    {"count.ply", "ply\nformat ascii 1.0\nelement vertex -4\nend_header\n", {"ply:3: element vertex -4"}},
    {"none.ply", "ply\nformat ascii 1.0\nelement face 4\nproperty float x\nend_header\n", {"no element 'vertex'"}},
    {"flat.ply",
     "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n",
     {"no number 'z'"}},
    {"twice.ply",
     "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nelement vertex 2\nend_header\n",
     {"there already"}},
    {"empty.ply",
     "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\nelement a 9\nend_header\n",
     {"element 'a': 9 without a property"}},
    {"billion.ply", PLY_HEAD("ascii", "1000000000", "1"), {"vertices: 1000000000", "more than a file of"}},
    {"faces.ply",
     PLY_HEAD("ascii", "4", "99999") "0 0 0\n1 0 0\n0 1 0\n0 0 1\n",
     {"face: 99999", "more than a file of"}},
    {"short.ply", PLY_HEAD("ascii", "4", "1") "0 0 0 1 0 0 0 1 0\n 0 0      \n", {"vertices[3]: no number"}},
    {"word.ply", PLY_HEAD("ascii", "4", "1") "0 0 0\n1 0 0\n0 one 0\n0 0 1\n3 0 1 2\n", {"vertices[2]: no number"}},
    {"nan.ply",
     PLY_HEAD("ascii", "4", "1") "0 0 0\n1 0 0\n0 nan 0\n0 0 1\n3 0 1 2\n",
     {"vertices[2].y: ", "must be finite"}},
    {"range.ply",
     PLY_HEAD("ascii", "4", "2") "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 1 4\n",
     {"faces[1]: vertex 4", "there are 4"}},
    {"below.ply", PLY_HEAD("ascii", "4", "1") "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 -1 2\n", {"faces[0]: vertex -1"}},
    {"long.ply",
     PLY_HEAD("ascii", "4", "1") "0 0 0\n1 0 0\n0 1 0\n0 0 1\n200 0 1 2\n",
     {"faces[0].vertex_indices: no number"}},
    {"next.ply",
     PLY_HEAD("ascii", "4", "1") "0 0 0\n1 0 0\n0 1 0\n0 0 1\n4 0 1 2      \n",
     {"faces[0]: claims 4 corners", "names 3"}},
    {"cut.ply",
     PLY_HEAD("binary_little_endian", "4", "1") "0123456789abcdef0123456789abcdef0123456789abcdef\3abc",
     {"faces[0].vertex_indices"}},
    {"huge.obj", "v 0 0 0\nv 0 1 1e300\nv 1 0 0\nv 0 1 1\nf 1 2 3 4\n", {"vertices[1].z: inf", "must be finite"}},
};

static void expect_refused(const char *name, const char *const words[2])
{
    gjb_mesh mesh;
    gjb_error error = {{0}};
    cr_expect_neq(gjb_mesh_load(path, &mesh, &error), 0, "%s", name);
    cr_expect(sample_one_line(&error), "%s: %s", name, error.text);
    cr_expect_not_null(strstr(error.text, path), "%s: %s", name, error.text);
    for (int w = 0; w < 2 && words[w] != NULL; w++)
        cr_expect_not_null(strstr(error.text, words[w]), "%s: %s", name, error.text);
    cr_expect_null(mesh.points);
}

Test(mesh, refused)
{
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        write_bytes(bads[i].name, bads[i].text, strlen(bads[i].text));
        expect_refused(bads[i].name, bads[i].words);
    }
    unsigned char bytes[512];
    write_bytes("billion.stl", bytes, binary_stl(bytes, 1000000000, 4, 1));
    expect_refused("billion.stl", (const char *[2]){"facets: 1000000000", "more than a file of 284 bytes"});
    write_bytes("cut.stl", bytes, binary_stl(bytes, 4, 4, 1) - 1);
    expect_refused("cut.stl", (const char *[2]){"facets: 4", "more than"});
    write_bytes("nan.stl", bytes, binary_stl(bytes, 4, 4, 0.0f / 0.0f));
    expect_refused("nan.stl", (const char *[2]){"vertices[2].y", "must be finite"});
    write_bytes("zero.obj", "v 1 2 3\n\0v 1 2 3\n", 17);
    expect_refused("zero.obj", (const char *[2]){"byte 8 is 0"});
    snprintf(path, sizeof path, "%s", folder);
    expect_refused("a folder", (const char *[2]){"is a directory"});
    snprintf(path, sizeof path, "%s/nowhere.obj", folder);
    expect_refused("no file", (const char *[2]){"cannot open"});
}
