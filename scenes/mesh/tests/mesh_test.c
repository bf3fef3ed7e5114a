/* Mesh files: counts and coordinates of good ones, and one line for each bad one. */
#include "scenes/mesh/mesh.h"

#include <criterion/criterion.h>
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
    {"text.stl",
     "solid a\n" STL_FACET("0 0 0", "0 1 0", "1 0 0") STL_FACET("0 0 0", "1 0 0", "0 0 1") "endsolid a\n", "STL", 4, 2,
     4, 0},
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
    {"range.off", "OFF\n4 2 0 # few\n0 0 0\n1 0 0\n\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 4\n", {"faces[1]: vertex 4", "there are 4"}},
    {"below.off", "OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 -2 1\n", {"faces[0]: vertex -2"}},
    {"long.off", "OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n4000000000 0 1 2\n",
     {"faces[0]: claims 4000000000 corners", "names 3"}},
    {"next.off", "OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n4 0 1 2\n3 0 1 2\n",
     {"faces[0]: claims 4 corners", "names 3"}},
    {"fewer.off", "OFF\n4 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n", {"faces: 3 claimed, there are 1"}},
    {"gltf.obj", "{\"asset\": {}}\nv 0 0 0\n", {"content is not that of an OBJ"}},
    {"range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 5\n", {"range"}},
    {"binary.off", "OFF BINARY\n", {"binary OFF"}},
    {"short.off", "OFF\n4 0 0\n0 0 0\n1 0 0\n0 1 0\n", {"OFF"}},
    {"three.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", {"points: 3", "at least 4"}},
    {"same.off", "OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 0\n0 1 0\n4 0 1 2 3\n", {"points: 3", "at least 4"}},
    {"nan.obj", "v 0 0 0\nv 0 nan 1\nv 1 0 0\nv 0 1 1\nf 1 2 3 4\n", {"vertices[1].y: ", "must be finite"}},
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
