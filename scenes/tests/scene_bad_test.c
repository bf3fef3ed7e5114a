/* Bad scenes, as files and as built in memory: refused with one line that names place and value. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/tests/samples.h"

/* Each text is refused with one line that names the file and has every word
 * listed: position or field, and value. */
typedef struct bad_case {
    const char *text;
    const char *words[3];
} bad_case;

#define HEAD "{\"gjkbench\": 1, "
#define SHAPE "{\"kind\": \"box\", \"half_extents\": [1, 1]}"
#define POSE "{\"x\": 0, \"y\": 0, \"c\": 1, \"s\": 0}"
#define BODY "{\"shape\": 0, \"pose\": " POSE "}"
#define SCENE(shapes, bodies, pairs)                                                                         \
    HEAD "\"shapes\": [" shapes "], \"bodies\": [" bodies "], \"pairs\": [" pairs "]}"
#define WITH_SHAPE(shape) SCENE(SHAPE ", " shape, BODY, "[0, 0]")
#define WITH_POSE(pose) SCENE(SHAPE, BODY ", {\"shape\": 0, \"pose\": " pose "}", "[0, 1]")
#define WITH_PAIRS(pairs) SCENE(SHAPE, BODY ", " BODY, pairs)
#define POLYGON(vertices) WITH_SHAPE("{\"kind\": \"polygon\", \"vertices\": [" vertices "]}")
#define F32_SHAPE(shape)                                                                                     \
    HEAD "\"precision\": \"f32\", \"shapes\": [" shape "], \"bodies\": [" BODY "], \"pairs\": [[0, 0]]}"
#define FRAMES(frames) HEAD "\"shapes\": [" SHAPE "], \"bodies\": [{\"shape\": 0}], \"frames\": [" frames "]}"

#define SCENE3(shapes, bodies, pairs)                                                                        \
    HEAD "\"dim\": 3, \"shapes\": [" shapes "], \"bodies\": [" bodies "], \"pairs\": [" pairs "]}"
#define SHAPE3 "{\"kind\": \"box\", \"half_extents\": [1, 1, 1]}"
#define POSE3 "{\"x\": 0, \"y\": 0, \"z\": 0, \"qx\": 0, \"qy\": 0.6, \"qz\": 0, \"qw\": 0.8}"
#define BODY3 "{\"shape\": 0, \"pose\": " POSE3 "}"
#define WITH_SHAPE3(shape) SCENE3(SHAPE3 ", " shape, BODY3, "[0, 0]")
#define WITH_POSE3(pose) SCENE3(SHAPE3, BODY3 ", {\"shape\": 0, \"pose\": {\"x\": 0, \"y\": 0, " pose "}}", "[0, 1]")
#define HULL(vertices) WITH_SHAPE3("{\"kind\": \"hull\", \"vertices\": [" vertices "]}")
#define TRIANGLE(vertices) WITH_SHAPE3("{\"kind\": \"triangle\", \"vertices\": [" vertices "]}")
#define FRAMES3(frames)                                                                                      \
    HEAD "\"dim\": 3, \"shapes\": [" SHAPE3 "], \"bodies\": [{\"shape\": 0}], \"frames\": [" frames "]}"

#define WITH_WITHIN(within)                                                                                  \
    HEAD "\"within\": " within ", \"shapes\": [" SHAPE "], \"bodies\": [" BODY "], \"pairs\": [[0,0]]}"
#define WITH_LEAVING(leaving)                                                                                \
    HEAD "\"leaving\": " leaving ", \"shapes\": [" SHAPE "], \"bodies\": [" BODY "], \"pairs\": [[0,0]]}"
#define TURNING(motion)                                                                                      \
    HEAD "\"leaving\": \"ignore\", \"shapes\": [" SHAPE "], \"bodies\": [{\"shape\": 0, \"pose\": " POSE          \
         ", \"motion\": " motion "}], \"pairs\": [[0,0]]}"
#define WITH_MARGIN(margin)                                                                                  \
    HEAD "\"margin\": " margin ", \"shapes\": [" SHAPE "], \"bodies\": [" BODY "], \"pairs\": [[0,0]]}"

static const bad_case cases[] = {
    /* not JSON, or not this JSON */
    {"", {"empty"}},
    {"   \n ", {":2:"}},
    {"[1, 2]", {"an array", "wanted an object"}},
    {"{\"gjkbench\": 1,\n \"shapes\": [NaN]}", {":2:15:", "NaN"}},
    {"{\"gjkbench\": 1,\n \"shapes\": [1e999]}", {":2:", "overflow"}},
    {"{\"a\": 1} x", {":1:", "end of file"}},
    {"{\"gjkbench\": 1, \"gjkbench\": 1}", {":1:", "duplicate"}},
    {"\x7f"
     "ELF",
     {"byte 0", "0x7f"}},
    {"\xef\xbb\xbf{}", {"byte 0", "0xef"}},
    {"{}", {"gjkbench", "missing"}},
    {"{\"gjkbench\": 2}", {"gjkbench: 2", "version 1"}},
    {HEAD "\"dim\": 4}", {"dim: 4"}},
    {HEAD "\"precision\": \"f16\"}", {"precision: 'f16'", "f32 or f64"}},
    {HEAD "\"precision\": 32}", {"precision: 32"}},
    {HEAD "\"shapse\": []}", {"unknown field 'shapse'", "there are gjkbench, dim, precision"}},
    {HEAD "\"sha\\u001b[2Jpes\": []}", {"unknown field 'sha?[2Jpes'"}},
    {HEAD "\"bodies\": []}", {"shapes: missing"}},
    {HEAD "\"shapes\": {}}", {"shapes: an object", "wanted an array"}},
    {HEAD "\"shapes\": [" SHAPE "]}", {"bodies: missing"}},
    {HEAD "\"shapes\": [" SHAPE "], \"bodies\": [" BODY "]}", {"pairs: missing"}},
    {HEAD "\"name\": 7, \"shapes\": [" SHAPE "], \"bodies\": [" BODY "], \"pairs\": [[0,0]]}", {"name: 7"}},
    {HEAD "\"query\": \"guess\", \"shapes\": [" SHAPE "], \"bodies\": [" BODY "], \"pairs\": [[0,0]]}",
     {"query: 'guess'", "there are intersect, distance"}},
    {WITH_MARGIN("-0.5"), {"margin: -0.5", "negative"}},
    {WITH_MARGIN("\"0.5\""), {"margin: '0.5'", "wanted a number"}},
    {WITH_MARGIN("null"), {"margin", "wanted a number"}},
    {WITH_MARGIN("1e307"), {"margin: 1e+307", "too large"}},
    {WITH_MARGIN("1e40, \"precision\": \"f32\""), {"margin: 1e+40", "too large"}},
    {WITH_MARGIN("1e37"), {"margin: 1e+37", "too large (at most 2^120)"}},
    {WITH_MARGIN("Infinity"), {"margin: invalid token near 'Infinity'"}},
    {WITH_WITHIN("-0.5"), {"within: -0.5", "negative"}},
    {WITH_WITHIN("\"0.5\""), {"within: '0.5'", "wanted a number"}},
    {WITH_WITHIN("[]"), {"within", "wanted a number"}},
    {WITH_WITHIN("1e307"), {"within: 1e+307", "too large"}},
    {WITH_WITHIN("1e40, \"precision\": \"f32\""), {"within: 1e+40", "too large"}},
    {WITH_WITHIN("1e39"), {"within: 1e+39", "too large (at most 2^120)"}},
    {WITH_WITHIN("NaN"), {"within: invalid token near 'NaN'"}},
    {WITH_WITHIN("-Infinity"), {"within: invalid token near '-'"}},
    {WITH_WITHIN("1e400"), {"within: real number overflow near '1e400'"}},
    {WITH_WITHIN("\"]{,\\\"\", \"note\": [1, {\"a\": [2, nan"), {"note[1].a[1]: invalid token near 'nan'"}},
    {WITH_SHAPE("{\"kind\": \"halfspace\", \"normal\": [0, 1], \"offset\": NaN}"),
     {"shapes[1].offset: invalid token near 'NaN'"}},
    {WITH_SHAPE("{\"kind\": \"halfspace\", \"normal\": [0, -Infinity], \"offset\": 0}"),
     {"shapes[1].normal[1]: "}},
    {WITH_LEAVING("\"maybe\""), {"leaving: 'maybe'", "wanted hit or ignore"}},
    {WITH_LEAVING("1"), {"leaving: 1", "wanted hit or ignore"}},
    {WITH_LEAVING("true"), {"leaving: true", "wanted hit or ignore"}},
    {WITH_LEAVING("\"ignore\", \"query\": \"distance\""),
     {"leaving: 'ignore' is of toi and ray", "'distance'"}},
    {WITH_LEAVING("\"ignore\", \"query\": \"sweep\""), {"leaving: 'ignore' is of toi and ray", "'sweep'"}},
    {TURNING("{\"angle\": 1e-300}"), {"bodies[0].motion.angle: 1e-300 turns"}},
    {HEAD "\"query\": \"far too long to be any query of ours\", \"shapes\": [" SHAPE "], \"bodies\": [" BODY
          "], \"pairs\": [[0,0]]}",
     {"query", "at most 23"}},
    {HEAD "\"note\": \"bell \\u0007\", \"shapes\": [" SHAPE "], \"bodies\": [" BODY "], \"pairs\": [[0,0]]}",
     {"note: 'bell ?'", "control"}},
    {HEAD "\"name\": \"csi \\u009b\", \"shapes\": [" SHAPE "], \"bodies\": [" BODY "], \"pairs\": [[0,0]]}",
     {"name: 'csi ?\?'", "control"}},
    /* empty scenes */
    {SCENE("", BODY, "[0, 0]"), {"shapes: empty"}},
    {SCENE(SHAPE, "", "[0, 0]"), {"bodies: empty"}},
    {SCENE(SHAPE, BODY, ""), {"pairs: empty"}},
    /* shapes */
    {WITH_SHAPE("7"), {"shapes[1]: 7", "an object"}},
    {WITH_SHAPE("{}"), {"shapes[1].kind: missing"}},
    {WITH_SHAPE("{\"kind\": \"star\"}"), {"shapes[1].kind: 'star'", "polygon"}},
    {WITH_SHAPE("{\"kind\": \"box\", \"vertices\": [[1, 1]]}"),
     {"shapes[1]: unknown field 'vertices'", "kind, radius, half_extents"}},
    {WITH_SHAPE("{\"kind\": \"circle\", \"radius\": 1}"),
     {"shapes[1].kind: 'circle'", "a point with a radius"}},
    {WITH_SHAPE("{\"kind\": \"capsule\", \"radius\": 1}"),
     {"shapes[1].kind: 'capsule'", "a segment with a radius"}},
    {WITH_SHAPE("{\"kind\": \"box\"}"), {"shapes[1].half_extents: missing"}},
    {WITH_SHAPE("{\"kind\": \"plane\"}"), {"shapes[1].kind: 'plane'", "a halfspace"}},
    {WITH_SHAPE("{\"kind\": \"halfspace\", \"normal\": [0, 1]}"), {"shapes[1].offset: missing"}},
    {WITH_SHAPE("{\"kind\": \"halfspace\", \"normal\": [0, 0], \"offset\": 1}"),
     {"shapes[1].normal: (0, 0) has no direction"}},
    {WITH_SHAPE("{\"kind\": \"halfspace\", \"normal\": [0, 1e300], \"offset\": -1e307}"),
     {"shapes[1].offset: -9.9999999999999999e+306", "too large"}},
    {WITH_SHAPE3("{\"kind\": \"halfspace\", \"normal\": [0, 1], \"offset\": 1}"), {"shapes[1].normal", "3"}},
    {WITH_SHAPE("{\"kind\": \"halfspace\", \"normal\": [0, 1], \"offset\": 1, \"radius\": -1}"),
     {"shapes[1].radius: -1 is negative"}},
    {WITH_SHAPE("{\"kind\": \"box\", \"half_extents\": [1]}"),
     {"shapes[1].half_extents: 1 values", "2 numbers"}},
    {WITH_SHAPE("{\"kind\": \"box\", \"half_extents\": [1, -2]}"),
     {"shapes[1].half_extents[1]: -2", "negative"}},
    {WITH_SHAPE("{\"kind\": \"box\", \"half_extents\": [1, 1], \"radius\": -0.5}"),
     {"shapes[1].radius: -0.5", "negative"}},
    {WITH_SHAPE("{\"kind\": \"box\", \"half_extents\": [1, 1], \"radius\": null}"),
     {"shapes[1].radius: null"}},
    {WITH_SHAPE("{\"kind\": \"point\", \"vertices\": [[1, 1], [2, 2]]}"),
     {"shapes[1].vertices: 2 given", "a point has 1"}},
    {WITH_SHAPE("{\"kind\": \"segment\", \"vertices\": [[1, 1]]}"),
     {"shapes[1].vertices: 1 given", "segment has 2"}},
    {POLYGON("[0, 0], [1, 0]"), {"shapes[1].vertices: 2 given", "3 to 4096"}},
    {POLYGON(""), {"shapes[1].vertices: 0 given"}},
    {POLYGON("[0, 0], [1, \"zero\"], [0, 1]"), {"shapes[1].vertices[1][1]: 'zero'", "a number"}},
    {POLYGON("[0, 0], [1, 0, 0], [0, 1]"), {"shapes[1].vertices[1]: 3 values"}},
    {POLYGON("[0, 0], 5, [0, 1]"), {"shapes[1].vertices[1]: 5", "array of 2"}},
    {POLYGON("[0, 0], [4, 0], [1.5, 1], [0, 4]"), {"shapes[1].vertices[2]", "(1.5, 1)", "convex"}},
    /* what f32 rounded is convex as f32; in f64 its middle vertex is dented by that */
    {POLYGON("[0, 0], [4, 0], [4.9999998, 1], [6, 2], [0, 2]"), {"shapes[1].vertices[2]", "convex in f32"}},
    {POLYGON("[0, 0], [1, 1], [1, 0], [0, 1]"), {"shapes[1].vertices", "convex"}},
    {POLYGON("[0, 3], [-2, -3], [3, 1], [-3, 1], [2, -3]"), {"shapes[1].vertices", "winds 2 times"}},
    {F32_SHAPE("{\"kind\": \"point\", \"vertices\": [[1e39, 0]]}"),
     {"shapes[0].vertices[0][0]: 1e+39", "f32"}},
    {F32_SHAPE("{\"kind\": \"box\", \"half_extents\": [1, 3.5e38]}"), {"shapes[0].half_extents[1]: 3.5e+38"}},
    {F32_SHAPE("{\"kind\": \"box\", \"half_extents\": [1, 1], \"radius\": -1e39}"),
     {"shapes[0].radius: -1e+39"}},
    {WITH_SHAPE("{\"kind\": \"ellipse\"}"), {"shapes[1].semi_axes: missing"}},
    {WITH_SHAPE("{\"kind\": \"ellipse\", \"semi_axes\": [1, -2]}"),
     {"shapes[1].semi_axes[1]: -2", "negative"}},
    {WITH_SHAPE("{\"kind\": \"ellipse\", \"semi_axes\": [1, 2], \"exponent\": 2}"),
     {"unknown field 'exponent'"}},
    {WITH_SHAPE("{\"kind\": \"superellipse\", \"semi_axes\": [1, 2], \"exponent\": 0.5}"),
     {"shapes[1].exponent: 0.5", "from 1 to 16"}},
    {WITH_SHAPE("{\"kind\": \"superellipse\", \"semi_axes\": [1, 2]}"), {"shapes[1].exponent: missing"}},
    {WITH_SHAPE("{\"kind\": \"cone\", \"base_radius\": 1, \"half_height\": 1}"), {"shapes[1].kind: 'cone'"}},
    /* bodies and poses */
    {SCENE(SHAPE, BODY ", 3", "[0, 0]"), {"bodies[1]: 3", "an object"}},
    {SCENE(SHAPE, "{\"shape\": 2, \"pose\": " POSE "}", "[0, 0]"), {"bodies[0].shape: 2", "the scene has 1"}},
    {SCENE(SHAPE, "{\"shape\": -1, \"pose\": " POSE "}", "[0, 0]"), {"bodies[0].shape: -1", "index"}},
    {SCENE(SHAPE, "{\"shape\": 0.5, \"pose\": " POSE "}", "[0, 0]"), {"bodies[0].shape: 0.5", "index"}},
    {SCENE(SHAPE, "{\"shape\": 1e300, \"pose\": " POSE "}", "[0, 0]"), {"bodies[0].shape: 1e+300", "index"}},
    {SCENE(SHAPE, "{\"pose\": " POSE "}", "[0, 0]"), {"bodies[0].shape: missing"}},
    {SCENE(SHAPE, "{\"shape\": 0}", "[0, 0]"), {"bodies[0].pose: missing"}},
    {WITH_POSE("{\"x\": 0, \"c\": 1, \"s\": 0}"), {"bodies[1].pose.y: missing"}},
    {WITH_POSE("{\"x\": 0, \"y\": 0, \"c\": 1}"), {"bodies[1].pose: c without s"}},
    {WITH_POSE("{\"x\": 0, \"y\": 0, \"c\": 1, \"s\": 0, \"angle\": 0}"), {"bodies[1].pose", "not both"}},
    {WITH_POSE("{\"x\": 0, \"y\": 0, \"theta\": 0}"), {"bodies[1].pose: unknown field 'theta'"}},
    {WITH_POSE("{\"x\": 0, \"y\": 0, \"angle\": \"90\"}"), {"bodies[1].pose.angle: '90'"}},
    {WITH_POSE("{\"x\": 0, \"y\": 0, \"c\": 0, \"s\": 0}"), {"bodies[1].pose", "(0, 0)"}},
    {WITH_POSE("{\"x\": 0, \"y\": 0, \"c\": 3, \"s\": 4}"), {"bodies[1].pose", "(3, 4)", "length 5"}},
    {WITH_POSE("{\"x\": 0, \"y\": 0, \"c\": 0.8, \"s\": 0.601}"), {"bodies[1].pose", "(0.8, 0.601)"}},
    {WITH_POSE("{\"x\": 0, \"y\": 0, \"c\": 1e200, \"s\": 1e200}"), {"bodies[1].pose", "1e+200"}},
    /* pairs */
    {WITH_PAIRS("[0, 1], [0, 2]"), {"pairs[1][1]: 2", "the scene has 2"}},
    {WITH_PAIRS("[0, 1], [0]"), {"pairs[1]", "two body indices"}},
    {WITH_PAIRS("[0, 1], 0"), {"pairs[1]: 0"}},
    {WITH_PAIRS("[0, \"b\"]"), {"pairs[0][1]: 'b'"}},
    {WITH_PAIRS("[4294967295, 0]"), {"pairs[0][0]: 4.29"}},
    /* frames */
    {FRAMES(""), {"frames: empty"}},
    {FRAMES("{\"poses\": [], \"pairs\": [[0, 0]]}"), {"frames[0].poses: 0 given for 1"}},
    {FRAMES("{\"poses\": [[0, 0, 1]], \"pairs\": [[0, 0]]}"), {"frames[0].poses[0]: 3 values"}},
    {FRAMES("{\"poses\": [[0, 0, 1, 0]]}"), {"frames[0].pairs: missing"}},
    {FRAMES("{\"poses\": [[0, 0, 1, 0]], \"pairs\": []}"), {"pairs: empty"}},
    {FRAMES("{\"poses\": [[0, 0, 1, 0]], \"pairs\": [[0, 0]]}, {\"poses\": [[0, 0, 1, 0]], \"pairs\": [[0, "
            "1]]}"),
     {"frames[1].pairs[0][1]: 1", "the scene has 1"}},
    {FRAMES("{\"poses\": [[0, 0, 1, 0]], \"pairs\": []}, {\"poses\": [[0, 0, 0, 2]], \"pairs\": [[0, 0]]}"),
     {"frames[1].poses[0]", "length 2"}},
    {HEAD "\"shapes\": [" SHAPE "], \"bodies\": [" BODY
          "], \"frames\": [{\"poses\": [[0, 0, 1, 0]], \"pairs\": []}]}",
     {"bodies[0]: unknown field 'pose'"}},
    {HEAD "\"shapes\": [" SHAPE "], \"bodies\": [], \"pairs\": [], \"frames\": []}",
     {"unknown field 'pairs'"}},
    /* three dimensions */
    {HEAD "\"dim\": \"3\"}", {"dim: '3'"}},
    {HEAD "\"dim\": 2.5}", {"dim: 2.5"}},
    {HEAD "\"dim\": 1}", {"dim: 1"}},
    {HEAD "\"dim\": -3}", {"dim: -3"}},
    {HULL("[0, 0, 0], [1, 0, 0], [0, 1, 0]"), {"shapes[1].vertices: 3 given", "hull has 4 to 4096"}},
    {HULL(""), {"shapes[1].vertices: 0 given"}},
    {HULL("[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1]"), {"shapes[1].vertices[3]: 2 values", "3 numbers"}},
    {HULL("[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0, 1]"), {"shapes[1].vertices[3]: 4 values"}},
    {HULL("[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, null]"), {"shapes[1].vertices[3][2]: null"}},
    {HULL("[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1e309]"), {":1:"}},
    {HULL("[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1e308]"),
     {"shapes[1].vertices[3][2]: 1e+308", "too large"}},
    {TRIANGLE("[0, 0, 0], [1, 0, 0]"), {"shapes[1].vertices: 2 given", "triangle has 3"}},
    {TRIANGLE("[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]"),
     {"shapes[1].vertices: 4 given", "triangle has 3"}},
    {WITH_SHAPE3("{\"kind\": \"polygon\", \"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}"),
     {"shapes[1].kind: 'polygon'", "hull"}},
    {WITH_SHAPE3("{\"kind\": \"cylinder\", \"base_radius\": 1}"), {"shapes[1].half_height: missing"}},
    {WITH_SHAPE3("{\"kind\": \"cylinder\", \"base_radius\": [1], \"half_height\": 1}"),
     {"shapes[1].base_radius", "a number"}},
    {WITH_SHAPE3("{\"kind\": \"cone\", \"base_radius\": 1e400, \"half_height\": 1}"), {":1:"}},
    {WITH_SHAPE3("{\"kind\": \"superellipsoid\", \"semi_axes\": [1, 2, 3], \"exponent\": 17}"),
     {"shapes[1].exponent: 17", "from 1 to 16"}},
    {WITH_SHAPE("{\"kind\": \"hull\", \"vertices\": [[0, 0], [1, 0], [0, 1], [1, 1]]}"),
     {"shapes[1].kind: 'hull'", "polygon"}},
    {WITH_SHAPE("{\"kind\": \"triangle\", \"vertices\": [[0, 0], [1, 0], [0, 1]]}"),
     {"shapes[1].kind: 'triangle'"}},
    {WITH_SHAPE3("{\"kind\": \"box\", \"half_extents\": [1, 1]}"),
     {"shapes[1].half_extents: 2 values", "3 numbers"}},
    {WITH_SHAPE("{\"kind\": \"box\", \"half_extents\": [1, 1, 1]}"),
     {"shapes[1].half_extents: 3 values", "2 numbers"}},
    {WITH_SHAPE3("{\"kind\": \"box\", \"half_extents\": [1, 1, -1]}"),
     {"shapes[1].half_extents[2]: -1", "negative"}},
    {WITH_SHAPE3("{\"kind\": \"point\", \"vertices\": [[0, 0, 0]], \"radius\": -2}"),
     {"shapes[1].radius: -2", "negative"}},
    {WITH_POSE3("\"z\": 0, \"qx\": 0, \"qy\": 0, \"qz\": 0, \"qw\": 0"),
     {"bodies[1].pose", "(0, 0, 0, 0)", "not a rotation"}},
    {WITH_POSE3("\"z\": 0, \"qx\": 2, \"qy\": 0, \"qz\": 0, \"qw\": 0"),
     {"bodies[1].pose", "(2, 0, 0, 0)", "length 2"}},
    {WITH_POSE3("\"z\": 0, \"qx\": 0.5, \"qy\": 0.5, \"qz\": 0.5, \"qw\": 0.502"),
     {"bodies[1].pose", "0.502", "length"}},
    {WITH_POSE3("\"z\": 0, \"qx\": 1e200, \"qy\": 0, \"qz\": 0, \"qw\": 0"), {"bodies[1].pose", "1e+200"}},
    {WITH_POSE3("\"z\": 0, \"qx\": 1e-200, \"qy\": 0, \"qz\": 0, \"qw\": 0"), {"bodies[1].pose", "1e-200"}},
    {WITH_POSE3("\"z\": 0, \"qx\": 0, \"qy\": 0, \"qz\": 1"), {"bodies[1].pose: qz without qw"}},
    {WITH_POSE3("\"z\": 0, \"qw\": 1"), {"bodies[1].pose: qw without q"}},
    {WITH_POSE3("\"qx\": 0, \"qy\": 0, \"qz\": 0, \"qw\": 1"), {"bodies[1].pose.z: missing"}},
    {WITH_POSE3("\"z\": 0, \"angle\": 1"), {"bodies[1].pose: unknown field 'angle'"}},
    {WITH_POSE3("\"z\": 0, \"c\": 1, \"s\": 0"), {"bodies[1].pose: unknown field 'c'"}},
    {WITH_POSE("{\"x\": 0, \"y\": 0, \"z\": 0}"), {"bodies[1].pose: unknown field 'z'"}},
    {FRAMES3("{\"poses\": [[0, 0, 1, 0]], \"pairs\": [[0, 0]]}"),
     {"frames[0].poses[0]: 4 values", "7 numbers"}},
    {FRAMES3("{\"poses\": [[0, 0, 0, 0, 0, 0, 0]], \"pairs\": [[0, 0]]}"),
     {"bodies[0].pose", "(0, 0, 0, 0)"}},
};

static void expect_refused(const void *bytes, size_t size, const char *const words[3], const char *shown)
{
    gjb_error error = {0};
    gjb_scene *scene = gjb_scene_parse(bytes, size, "dir/bad.json", &error);
    cr_expect_null(scene, "accepted: %s", shown);
    gjb_scene_free(scene);
    cr_expect(sample_one_line(&error), "%s", shown);
    cr_expect_eq(strncmp(error.text, "dir/bad.json:", 13), 0, "no file in: %s", error.text);
    for (int w = 0; w < 3 && words[w] != NULL; w++)
        cr_expect_not_null(strstr(error.text, words[w]), "no '%s' in: %s", words[w], error.text);
}

Test(scene_bad, table)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_refused(cases[i].text, strlen(cases[i].text), cases[i].words, cases[i].text);
}

/* The cases above are bad for the reason they state: their frame is good. */
Test(scene_bad, frame_of_the_table_is_good)
{
    static const char *const good[] = {
        WITH_SHAPE(SHAPE),
        WITH_POSE(POSE),
        WITH_PAIRS("[0, 1]"),
        F32_SHAPE(SHAPE),
        WITH_MARGIN("0.5"),
        WITH_WITHIN("0.5"),
        POLYGON("[0, 0], [4, 0], [4, 4]"),
        FRAMES("{\"poses\": [[0, 0, 1, 0]], \"pairs\": [[0, 0]]}"),
        WITH_SHAPE3(SHAPE3),
        WITH_POSE3("\"z\": 0, \"qx\": 0, \"qy\": 0, \"qz\": 0, \"qw\": 1"),
        WITH_POSE3("\"z\": 0"),
        HULL("[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]"),
        TRIANGLE("[0, 0, 0], [1, 0, 0], [0, 1, 0]"),
        FRAMES3("{\"poses\": [[0, 0, 0, 0, 0, 0, 1]], \"pairs\": [[0, 0]]}"),
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        gjb_error error = {0};
        gjb_scene *scene = gjb_scene_parse(good[i], strlen(good[i]), "good", &error);
        cr_expect_not_null(scene, "%s: %s", error.text, good[i]);
        gjb_scene_free(scene);
    }
}

Test(scene_bad, embedded_nul_and_bad_utf8)
{
    static const char nul[] = "{\"gjkbench\": 1,\0 \"shapes\": []}", torn[] = "{\"gjkbench\xc3\": 1}";
    expect_refused(nul, sizeof nul - 1, (const char *const[3]){":1:"}, "nul");
    expect_refused(torn, sizeof torn - 1, (const char *const[3]){":1:"}, "torn");
}

Test(scene_bad, too_many_vertices_and_deep_nesting)
{
    char *text = malloc(4 << 20), *end = text;
    end += sprintf(end, HEAD "\"shapes\": [{\"kind\": \"polygon\", \"vertices\": [");
    for (int i = 0; i < 5000; i++)
        end += sprintf(end, "%s[%d, %d]", i > 0 ? ", " : "", i, i * i);
    end += sprintf(end, "]}], \"bodies\": [" BODY "], \"pairs\": [[0, 0]]}");
    expect_refused(text, (size_t)(end - text), (const char *const[3]){"shapes[0].vertices: 5000", "4096"},
                   "many");

    memset(text, '[', 4 << 20);
    expect_refused(text, 4 << 20, (const char *const[3]){":1:", "depth"}, "nested arrays");
    end = text;
    for (int i = 0; i < 100000; i++)
        end += sprintf(end, "{\"x-\":");
    expect_refused(text, (size_t)(end - text), (const char *const[3]){":1:", "depth"}, "nested objects");

    end = text + sprintf(text, HEAD "\"shapes\": [");
    memset(end, '9', 100000);
    expect_refused(text, (size_t)(end - text) + 100000, (const char *const[3]){":1:"}, "long number");
    free(text);
}

/* Scenes built by programs get the same checks. */
typedef struct built_case {
    uint32_t dim;
    const char *word, *value;
    void (*spoil)(gjb_scene *scene);
} built_case;

static double *row(gjb_scene *scene, int i)
{
    return (double *)scene->shapes.rows + 2 * i;
}

static void nan_vertex(gjb_scene *s)
{
    row(s, 4)[1] = NAN;
}
static void infinite_vertex(gjb_scene *s)
{
    row(s, 0)[0] = -INFINITY;
}
static void infinite_radius(gjb_scene *s)
{
    ((double *)s->shapes.radius)[2] = INFINITY;
}
static void nan_half_extent(gjb_scene *s)
{
    row(s, 7)[1] = NAN;
}
static void nan_pose(gjb_scene *s)
{
    ((double *)s->frames[1].poses)[4 * 2 + 3] = NAN;
}
static void vast_vertex(gjb_scene *s)
{
    ((double *)s->shapes.rows)[0] = 0x1.1p1016;
}
static void infinite_pose(gjb_scene *s)
{
    ((double *)s->frames[0].poses)[4 * 3] = INFINITY;
}
static void no_kind(gjb_scene *s)
{
    ((uint8_t *)s->shapes.kind)[1] = 99;
}
static void no_rows(gjb_scene *s)
{
    ((uint32_t *)s->shapes.row_count)[0] = 0;
}
static void no_shape(gjb_scene *s)
{
    s->body_shape[5] = 6;
}
static void no_body(gjb_scene *s)
{
    s->frames[0].pairs[3] = 9;
}
static void no_dim(gjb_scene *s)
{
    s->shapes.dim = 4;
}
static void no_precision(gjb_scene *s)
{
    s->shapes.precision = 2;
}
static void endless_name(gjb_scene *s)
{
    memset(s->name, 'a', sizeof s->name);
}
static void nan_margin(gjb_scene *s)
{
    s->margin = NAN;
}
static void negative_margin(gjb_scene *s)
{
    s->margin = -1e-300;
}
static void endless_margin(gjb_scene *s)
{
    s->margin = INFINITY;
}
static void nan_within(gjb_scene *s)
{
    s->within = NAN;
}
static void negative_within(gjb_scene *s)
{
    s->within = -1e-300;
}
static void endless_within(gjb_scene *s)
{
    s->within = INFINITY;
}
static void no_leaving(gjb_scene *s)
{
    s->leaving = 2;
}
static void leaving_of_a_distance(gjb_scene *s)
{
    s->leaving = GJB_LEAVING_IGNORE;
}
static void control_note(gjb_scene *s)
{
    strcpy(s->note, "x\x1b]0;y");
}

static void nan_height(gjb_scene *s)
{
    ((double *)s->shapes.rows)[3 * (s->shapes.first[2] + 3) + 2] = NAN;
}
static void negative_depth(gjb_scene *s)
{
    ((double *)s->shapes.rows)[3 * s->shapes.first[3] + 2] = -1.0;
}
static void set_pose_number(gjb_scene *s, int which, double value)
{
    ((double *)s->frames[1].poses)[7 * 4 + which] = value;
}
static void infinite_height(gjb_scene *s)
{
    set_pose_number(s, 2, INFINITY);
}
static void nan_quaternion(gjb_scene *s)
{
    set_pose_number(s, 6, NAN);
}
static void zero_quaternion(gjb_scene *s)
{
    for (int i = 3; i < 7; i++)
        set_pose_number(s, i, 0.0);
}
static void plane_kind(gjb_scene *s)
{
    ((uint8_t *)s->shapes.kind)[4] = GJB_POLYGON;
}
static void space_kind(gjb_scene *s)
{
    ((uint8_t *)s->shapes.kind)[2] = GJB_HULL;
}
static void three_of_hull(gjb_scene *s)
{
    ((uint32_t *)s->shapes.row_count)[2] = 3;
}

static const built_case built[] = {
    {2, "shapes[2].vertices[1][1]", "nan", nan_vertex},
    {2, "shapes[0].vertices[0][0]", "-inf", infinite_vertex},
    {2, "shapes[0].vertices[0][0]", "too large", vast_vertex},
    {2, "shapes[2].radius", "inf", infinite_radius},
    {2, "shapes[3].half_extents[1]", "nan", nan_half_extent},
    {2, "frames[1].poses[2].s", "nan", nan_pose},
    {2, "frames[0].poses[3].x", "inf", infinite_pose},
    {2, "shapes[1].kind", "99", no_kind},
    {2, "shapes[0].vertices", "0 given", no_rows},
    {2, "bodies[5].shape", "6", no_shape},
    {2, "frames[0].pairs[1][1]", "9", no_body},
    {2, "dim", "4", no_dim},
    {2, "precision", "2", no_precision},
    {2, "name", "63", endless_name},
    {2, "note", "x?]0;y", control_note},
    {2, "margin", "nan", nan_margin},
    {2, "margin", "-1e-300", negative_margin},
    {3, "margin", "inf", endless_margin},
    {2, "within", "nan", nan_within},
    {2, "within", "-1e-300", negative_within},
    {3, "within", "inf", endless_within},
    {2, "leaving", "2", no_leaving},
    {3, "leaving", "'distance'", leaving_of_a_distance},
    {3, "shapes[2].vertices[3][2]", "nan", nan_height},
    {3, "shapes[3].half_extents[2]", "-1", negative_depth},
    {3, "frames[1].poses[4].z", "inf", infinite_height},
    {3, "frames[1].poses[4].qw", "nan", nan_quaternion},
    {3, "frames[1].poses[4]", "(0, 0, 0, 0)", zero_quaternion},
    {3, "shapes[4].kind", "polygon", plane_kind},
    {2, "shapes[2].kind", "hull", space_kind},
    {3, "shapes[2].vertices", "3 given", three_of_hull},
};

Test(scene_bad, built_scenes)
{
    for (size_t i = 0; i < sizeof built / sizeof built[0]; i++) {
        gjb_scene *scene = sample_scene(built[i].dim, GJB_F64, 2, 4);
        gjb_error error = {0};
        built[i].spoil(scene);
        cr_expect_eq(gjb_scene_check(scene, "built", &error), -1, "case %zu", i);
        cr_expect(sample_one_line(&error));
        cr_expect(strncmp(error.text, "built: ", 7) == 0 && strstr(error.text, built[i].word) != NULL &&
                      strstr(error.text, built[i].value) != NULL,
                  "case %zu: %s", i, error.text);
        gjb_scene_free(scene);
    }
}

Test(scene_bad, files)
{
    static const struct {
        const char *path, *word;
    } files[] = {
        {"/nonexistent/scene.json", "cannot open"},
        {"/tmp", "directory"},
        {"/dev/null", "is a device"},
        {"/dev/zero", "is a device"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        gjb_error error = {0};
        cr_expect_null(gjb_scene_load(files[i].path, &error));
        cr_expect(strstr(error.text, files[i].path) == error.text &&
                      strstr(error.text, files[i].word) != NULL,
                  "%s", error.text);
    }
}

/* Line and column, from 1, of the value that is refused or of what is nearest around what is missing. */
Test(scene_bad, says_line_and_column)
{
    static const struct {
        const char *text, *at;
    } lines[] = {
        {"{\"gjkbench\": 1,\n \"shapes\": [\n  " SHAPE ",\n  {\"kind\": \"box\", \"half_extents\": [1,\n -2]}],\n"
         " \"bodies\": [" BODY "], \"pairs\": [[0, 0]]}",
         ":5:2: shapes[1].half_extents[1]: -2 is negative"},
        {"{\"gjkbench\": 1, \"name\": \"\\\"}]\xc3\xa9\", \"shapes\": [" SHAPE "],\r\n\"bodies\": [" BODY "],\n"
         "\t\"pairs\" : [[0, 0], [0,\n\n 7]]}",
         ":5:2: pairs[1][1]: 7 is not a body"},
        {"{\"gjkbench\": 1,\n\"shapes\": [\n{\"kind\": \"box\"}], \"bodies\": [], \"pairs\": []}",
         ":3:1: shapes[0].half_extents: missing"},
        {"{\"gjkbench\": 1, \"note\": \"\xc3\xa9\", \"shapse\": []}", ":1:40: unknown field 'shapse'"},
        {"{\"gjkbench\": 1,\n\"shapes\": [\n{\"kind\": \"box\", \"half_extent\": 1}], \"bodies\": [], \"pairs\": []}",
         ":3:32: shapes[0]: unknown field 'half_extent'"},
        {"\n{}", ": gjkbench: missing"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        gjb_error error = {0};
        cr_expect_null(gjb_scene_parse(lines[i].text, strlen(lines[i].text), "bad.json", &error));
        gjb_scene_point(&error, "bad.json", lines[i].text, strlen(lines[i].text));
        cr_expect_eq(strncmp(error.text + 8, lines[i].at, strlen(lines[i].at)), 0, "%s", error.text);
    }
}
