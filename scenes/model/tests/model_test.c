/* Models of robots: where shapes lie, which are pairs, which meshes are opened, and one line for each bad file. */
#include "scenes/model/model.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenes/generate/generate_solid.h"
#include "scenes/model/xml.h"
#include "scenes/tests/samples.h"

static int parse(const char *text, gjb_model *model, gjb_error *error)
{
    memset(error, 0, sizeof *error);
    return gjb_model_parse(text, strlen(text), "a.xml", model, error);
}

/* Where the frame of a shape takes a point. */
static void image(const gjb_frame3 *frame, const double point[3], double at[3])
{
    double m[3][3];
    gjb_rotation3(frame->q, m);
    for (int d = 0; d < 3; d++)
        at[d] = gjb_dot3(m[d], point) + frame->t[d];
}

static int near(const double a[3], const double b[3])
{
    return fabs(a[0] - b[0]) < 1e-12 && fabs(a[1] - b[1]) < 1e-12 && fabs(a[2] - b[2]) < 1e-12;
}

/* A shape's place: the images of (1, 0, 0) and (0, 0, 1). */
typedef struct place_case {
    const char *text;
    double x[3], z[3];
} place_case;

#define MJCF(before, body) "<mujoco>" before "<worldbody>" body "</worldbody></mujoco>"
#define BALL(attributes) "<geom size='1' " attributes "/>"
#define RADIAN "<compiler angle='radian'/>"
#define ROBOT(links) "<robot name='r'>" links "</robot>"
#define LINK(name, collision) "<link name='" name "'>" collision "</link>"
#define COLLISION(origin) "<collision>" origin "<geometry><sphere radius='1'/></geometry></collision>"
#define JOINT(type, parent, child, origin)                                                                             \
    "<joint name='" parent child "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" origin       \
    "</joint>"

static const place_case places[] = {
    {MJCF("", BALL("")), {1, 0, 0}, {0, 0, 1}},
    {MJCF("", BALL("pos='1 2 3'")), {2, 2, 3}, {1, 2, 4}},
    {MJCF("", BALL("quat='1 1 0 0'")), {1, 0, 0}, {0, -1, 0}}, /* about x by a quarter, of any length */
    {MJCF("", BALL("quat='-3 -3 0 0'")), {1, 0, 0}, {0, -1, 0}},
    {MJCF("", BALL("axisangle='2 0 0 90'")), {1, 0, 0}, {0, -1, 0}},
    {MJCF("", BALL("euler='90 0 0'")), {1, 0, 0}, {0, -1, 0}},
    {MJCF("", BALL("euler='90 90 0'")), {0, 1, 0}, {1, 0, 0}}, /* about y as x has turned it */
    {MJCF("<compiler eulerseq='XYZ'/>", BALL("euler='90 90 0'")), {0, 0, -1}, {0, -1, 0}},
    {MJCF("<compiler eulerseq='zyx'/>", BALL("euler='90 90 0'")), {0, 0, -1}, {0, 1, 0}},
    {MJCF("<compiler eulerseq='xXy'/>", BALL("euler='30 60 90'")), {0, 1, 0}, {1, 0, 0}},
    {MJCF(RADIAN, BALL("euler='1.5707963267948966 0 0'")), {1, 0, 0}, {0, -1, 0}},
    {MJCF(RADIAN "<compiler/>", BALL("axisangle='1 0 0 1.5707963267948966'")), {1, 0, 0}, {0, -1, 0}},
    {MJCF("", BALL("xyaxes='1 0 0 0 0 1'")), {1, 0, 0}, {0, -1, 0}},
    {MJCF("", BALL("xyaxes='0 5 0 -2 7 0'")), {0, 1, 0}, {0, 0, 1}}, /* y is turned upright to x */
    {MJCF("", BALL("xyaxes='-1 0 0 0 1 0'")), {-1, 0, 0}, {0, 0, -1}},
    {MJCF("", BALL("zaxis='0 -2 0'")), {1, 0, 0}, {0, -1, 0}},
    {MJCF("", BALL("zaxis='0 0 -2'")), {1, 0, 0}, {0, 0, -1}},
    {MJCF("", BALL("zaxis='3 0 0'")), {0, 0, -1}, {1, 0, 0}},
    {MJCF("", BALL("zaxis='0 0 1e-5'")), {1, 0, 0}, {0, 0, 1}},
    {MJCF("", "<body pos='1 0 0' euler='0 0 90'><body pos='2 0 0'>" BALL("pos='3 0 0'") "</body></body>"),
     {1, 6, 0},
     {1, 5, 1}},
    {MJCF("",
          "<body pos='1 0 0'><frame pos='0 1 0' euler='0 0 90'><frame pos='1 0 0'>" BALL("") "</frame></frame></body>"),
     {1, 3, 0},
     {1, 2, 1}},
    /* defaults: of main, of a class within it, of the class of a body, and its own */
    {MJCF("<default><geom pos='1 2 3'/></default>", BALL("")), {2, 2, 3}, {1, 2, 4}},
    {MJCF("<default class='all'><geom pos='1 2 3'/><default class='b'><geom euler='90 0 0'/></default></default>",
          BALL("class='b'")),
     {2, 2, 3},
     {1, 1, 3}},
    {MJCF("<default><default class='b'><geom quat='0 1 0 0'/></default></default>", BALL("class='b' euler='90 0 0'")),
     {1, 0, 0},
     {0, -1, 0}},
    {MJCF("<default><geom zaxis='0 -1 0'/><default class='b'><geom quat='0 0 1 0'/></default></default>",
          BALL("class='b' quat='0 1 0 0'")),
     {1, 0, 0},
     {0, -1, 0}}, /* a quat gives way to any other form */
    {MJCF("<default><geom pos='9 9 9'/><default class='b'><geom pos='1 2 3'/></default></default>",
          "<body childclass='b'><body>" BALL("") "</body></body>"),
     {2, 2, 3},
     {1, 2, 4}},
    {MJCF("<default><geom pos='9 9 9'/></default><default><geom pos='1 2 3'/></default>", BALL("class='main'")),
     {2, 2, 3},
     {1, 2, 4}},
    {MJCF("<default><default class='b'><geom pos='9 9 9'/></default></default>",
          "<body childclass='b'>" BALL("class='main' pos='1 2 3'") "</body>"),
     {2, 2, 3},
     {1, 2, 4}},
    /* fromto: the middle, and z towards the first */
    {MJCF("", "<geom type='capsule' size='.1' fromto='0 2 0 0 -4 0'/>"), {1, -1, 0}, {0, 0, 0}},
    {MJCF("", "<geom type='box' size='.1' fromto='1 0 3 1 0 1'/>"), {2, 0, 2}, {1, 0, 3}},
    {ROBOT(LINK("a", COLLISION("<origin xyz='1 2 3'/>"))), {2, 2, 3}, {1, 2, 4}},
    {ROBOT(LINK("a", COLLISION("<origin rpy='1.5707963267948966 0 0'/>"))), {1, 0, 0}, {0, -1, 0}},
    {ROBOT(LINK("a", COLLISION("<origin rpy='1.5707963267948966 1.5707963267948966 0'/>"))), {0, 0, -1}, {0, -1, 0}},
    {ROBOT(LINK("a", COLLISION("<origin rpy='0 1.5707963267948966 1.5707963267948966'/>"))), {0, 0, -1}, {0, 1, 0}},
    {ROBOT(JOINT("revolute", "b", "c", "<origin xyz='2 0 0'/>") LINK("c", COLLISION("<origin xyz='3 0 0'/>")) LINK(
         "a", "") LINK("b", "") JOINT("fixed", "a", "b", "<origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/>")),
     {1, 6, 0},
     {1, 5, 1}},
};

Test(model, places)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        gjb_model model;
        gjb_error error;
        double x[3], z[3];
        cr_assert_eq(parse(places[i].text, &model, &error), 0, "%s: %s", places[i].text, error.text);
        cr_assert_eq(model.shape_count, 1);
        image(&model.shapes[0].pose, (const double[3]){1, 0, 0}, x);
        image(&model.shapes[0].pose, (const double[3]){0, 0, 1}, z);
        cr_expect(near(x, places[i].x) && near(z, places[i].z), "%s: x to %g %g %g, z to %g %g %g", places[i].text,
                  x[0], x[1], x[2], z[0], z[1], z[2]);
        gjb_model_free(&model);
    }
}

/* Kind and numbers of a shape. */
typedef struct kind_case {
    const char *text;
    gjb_kind kind;
    double rows[2][3], radius;
} kind_case;

#define GEOM(attributes) MJCF("", "<geom " attributes "/>")
#define SHAPE(shape) ROBOT(LINK("a", "<collision><geometry>" shape "</geometry></collision>"))

static const kind_case kinds[] = {
    {GEOM("size='2'"), GJB_POINT, {{0}}, 2},
    {GEOM("type='sphere' size='2 5 6'"), GJB_POINT, {{0}}, 2},
    {GEOM("type='capsule' size='2 3'"), GJB_SEGMENT, {{0, 0, -3}, {0, 0, 3}}, 2},
    {GEOM("type='cylinder' size='2 3'"), GJB_CYLINDER, {{2, 3, 0}}, 0},
    {GEOM("type='ellipsoid' size='2 3 4'"), GJB_ELLIPSOID, {{2, 3, 4}}, 0},
    {GEOM("type='box' size='2 3 4'"), GJB_BOX, {{2, 3, 4}}, 0},
    {GEOM("type='plane' size='0 0 .1'"), GJB_HALFSPACE, {{0, 0, 1}}, 0},
    {GEOM("type='plane'"), GJB_HALFSPACE, {{0, 0, 1}}, 0},
    {GEOM("type='capsule' size='2' fromto='0 0 0 0 0 6'"), GJB_SEGMENT, {{0, 0, -3}, {0, 0, 3}}, 2},
    {GEOM("type='cylinder' size='2 9' fromto='0 0 0 0 0 6'"), GJB_CYLINDER, {{2, 3, 0}}, 0},
    {GEOM("type='box' size='2' fromto='0 0 0 0 0 6'"), GJB_BOX, {{2, 2, 3}}, 0},
    {GEOM("type='ellipsoid' size='2' fromto='0 0 0 0 0 6'"), GJB_ELLIPSOID, {{2, 2, 3}}, 0},
    {SHAPE("<box size='2 4 6'/>"), GJB_BOX, {{1, 2, 3}}, 0},
    {SHAPE("<sphere radius='2'/>"), GJB_POINT, {{0}}, 2},
    {SHAPE("<cylinder radius='2' length='6'/>"), GJB_CYLINDER, {{2, 3, 0}}, 0},
    {SHAPE("<capsule radius='2' length='6'/>"), GJB_SEGMENT, {{0, 0, -3}, {0, 0, 3}}, 2},
};

Test(model, kinds)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        gjb_model model;
        gjb_error error;
        cr_assert_eq(parse(kinds[i].text, &model, &error), 0, "%s: %s", kinds[i].text, error.text);
        const gjb_model_shape *shape = model.shapes;
        cr_expect(shape->kind == kinds[i].kind && shape->radius == kinds[i].radius, "%s: kind %d, radius %g",
                  kinds[i].text, (int)shape->kind, shape->radius);
        cr_expect_arr_eq(shape->rows, kinds[i].rows, sizeof kinds[i].rows, "%s", kinds[i].text);
        gjb_model_free(&model);
    }
}

/* Which of the shapes are pairs, as letters of their names, and how many are not. */
typedef struct pair_case {
    const char *text, *pairs;
    uint64_t ruled_out[GJB_RULED_COUNT];
} pair_case;

#define NAMED(name, more) BALL("name='" name "' " more)
#define BODY(name, more) "<body name='" name "'><joint/>" NAMED(name, "") more "</body>"

static const pair_case pair_cases[] = {
    {MJCF("", BODY("a", "") BODY("b", "")), "ab", {0}},
    {MJCF("", BODY("a", BODY("b", BODY("c", "")))), "ac", {0, 2}},
    {MJCF("<option><flag filterparent='disable'/></option>", BODY("a", BODY("b", ""))), "ab", {0}},
    /* what is joined to the world may touch it, what is part of it may not */
    {MJCF("", NAMED("w", "") BODY("a", "") "<body>" NAMED("f", "") "</body>"), "wa af", {1}},
    /* a body without joint belongs to the one around it, and joins what hangs on it; one within a frame does not */
    {MJCF("", BODY("a", "<body>" NAMED("b", "") BODY("c", "") "</body>") BODY("d", "")), "ad bd cd", {1, 2}},
    {MJCF("", BODY("a", "<body><frame><joint/></frame>" NAMED("b", "") "</body>") BODY("d", "")), "ad bd", {0, 1}},
    {MJCF("",
          "<body><freejoint/>" NAMED("a", "contype='2' conaffinity='1'") "</body><body><joint/>" NAMED(
              "b",
              "contype='1' conaffinity='4'") "</body><body><joint/>" NAMED("c",
                                                                           "contype='4' conaffinity='8'") "</body>"),
     "ab bc",
     {0, 0, 1}},
    {MJCF("<contact><exclude body1='b' body2='a'/></contact>", BODY("a", "") BODY("b", "") BODY("c", "")),
     "ac bc",
     {0, 0, 0, 1}},
    {MJCF("<contact><pair geom1='b' geom2='a'/></contact>", BODY("a", BODY("b", BODY("c", "")))), "ab ac", {0, 1}},
    {MJCF("<contact><pair geom1='a' geom2='c'/></contact>",
          "<body><joint/>" NAMED("a", "contype='0' conaffinity='0'") "</body>" BODY("b", "") "<body><joint/>" NAMED(
              "c", "contype='0' conaffinity='0'") "</body>"),
     "ac",
     {0, 0, 2}},
    {MJCF("", "<geom name='p' type='plane'/>"
              "<body><joint/><geom name='q' type='plane'/></body>" BODY("a", "")),
     "pa qa",
     {1}},
    {ROBOT(LINK("a", COLLISION("") COLLISION("")) LINK("b", COLLISION("")) LINK("c", COLLISION(""))
               JOINT("revolute", "a", "b", "") JOINT("continuous", "b", "c", "")),
     "03 13",
     {1, 3}},
    {ROBOT(LINK("a", COLLISION("")) LINK("b", COLLISION("")) LINK("c", COLLISION("")) LINK("d", COLLISION(""))
               JOINT("fixed", "a", "b", "") JOINT("prismatic", "b", "c", "") JOINT("floating", "c", "d", "")),
     "03 13",
     {1, 3}},
};

/* A letter for a shape: its name, or its number. */
static char letter(const gjb_model *model, const gjb_scene *scene, uint64_t end)
{
    const uint32_t i = scene->frames[0].pairs[end];
    return model->shapes[i].name[0] != '\0' ? model->shapes[i].name[0] : (char)('0' + i);
}

Test(model, pairs)
{
    for (size_t i = 0; i < sizeof pair_cases / sizeof *pair_cases; i++) {
        gjb_model model;
        gjb_error error;
        char found[64] = "", *to = found;
        cr_assert_eq(parse(pair_cases[i].text, &model, &error), 0, "%s: %s", pair_cases[i].text, error.text);
        gjb_scene *scene = gjb_model_scene(&model, NULL, GJB_F64, 1, &error);
        cr_assert_not_null(scene, "%s: %s", pair_cases[i].text, error.text);
        for (uint64_t p = 0; p < scene->frames[0].pair_count; p++)
            to +=
                sprintf(to, "%s%c%c", p > 0 ? " " : "", letter(&model, scene, 2 * p), letter(&model, scene, 2 * p + 1));
        cr_expect_str_eq(found, pair_cases[i].pairs, "%s: %s", pair_cases[i].text, found);
        for (int k = 0; k < GJB_RULED_COUNT; k++)
            cr_expect_eq(model.ruled_out[k], pair_cases[i].ruled_out[k], "%s: rule %d: %llu", pair_cases[i].text, k,
                         (unsigned long long)model.ruled_out[k]);
        gjb_scene_free(scene);
        gjb_model_free(&model);
    }
}

/* The shape that each is a part of, by its letter: the first of a rigid body. */
static const struct {
    const char *text, *wholes;
} wholes[] = {
    {MJCF("", BODY("a", NAMED("b", "")) BODY("c", "")), "aac"},
    /* shapes of the world are on their own, and a body that is joined to it is one */
    {MJCF("", NAMED("v", "") NAMED("w", "") "<body>" NAMED("f", "") NAMED("g", "") "</body>" BODY("a", NAMED("b", ""))),
     "vwffaa"},
    {MJCF("", "<body><joint/><geom name='q' type='plane'/>" NAMED("a", "") NAMED("b", "") "</body>" BODY("c", "")),
     "qaac"},
    {MJCF("", BODY("a", "<body>" NAMED("b", "") "</body>") BODY("d", "")), "aad"},
    {MJCF("", "<body name='a'><joint/>" NAMED("a", "") BODY("b", "") NAMED("c", "") "</body>" BODY("d", "")), "abad"},
    /* the second part comes after what it meets, which is turned round */
    {MJCF("", "<body name='a'><joint/>" NAMED("a", "") BODY("d", BODY("b", "")) NAMED("c", "") "</body>"), "adba"},
    /* the file asks for a pair of one body */
    {MJCF("<contact><pair geom1='b' geom2='a'/></contact>",
          BODY("a", NAMED("b", "") NAMED("e", "")) BODY("c", NAMED("d", ""))),
     "abecc"},
    {ROBOT(LINK("a", COLLISION("") COLLISION("")) LINK("b", COLLISION("")) LINK("c", COLLISION(""))
               LINK("d", COLLISION("")) JOINT("fixed", "a", "c", "") JOINT("revolute", "a", "d", "")
                   JOINT("revolute", "d", "b", "")),
     "00204"},
};

Test(model, compounds)
{
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
        gjb_model model;
        gjb_error error;
        cr_assert_eq(parse(wholes[i].text, &model, &error), 0, "%s: %s", wholes[i].text, error.text);
        gjb_scene *scene = gjb_model_scene(&model, NULL, GJB_F64, 1, &error);
        cr_assert_not_null(scene, "%s: %s", wholes[i].text, error.text);
        cr_assert_eq(scene->body_count, strlen(wholes[i].wholes));
        for (uint32_t b = 0; b < scene->body_count; b++) {
            const uint32_t whole = gjb_scene_whole(scene, b);
            const char found = model.shapes[whole].name[0] != '\0' ? model.shapes[whole].name[0] : (char)('0' + whole);
            cr_expect_eq(found, wholes[i].wholes[b], "%s: %u is a part of %c", wholes[i].text, b, found);
        }
        gjb_scene_free(scene);
        gjb_model_free(&model);
    }
}

/* Numbers of the scene are those of the model times the scale, normals apart. */
Test(model, scale)
{
    gjb_model model;
    gjb_error error;
    const char *text =
        MJCF("", "<geom type='plane' pos='0 0 1'/><body pos='1 2 3'><joint/><geom size='.5 2' type='capsule'/></body>");
    cr_assert_eq(parse(text, &model, &error), 0, "%s", error.text);
    gjb_scene *scene = gjb_model_scene(&model, NULL, GJB_F64, 10, &error);
    cr_assert_not_null(scene, "%s", error.text);
    const double *rows = scene->shapes.rows, *radius = scene->shapes.radius;
    cr_expect(rows[2] == 1 && rows[8] == -20 && rows[11] == 20 && radius[1] == 5, "%g %g %g %g", rows[2], rows[8],
              rows[11], radius[1]);
    const gjb_pose3d plane = gjb_scene_pose3(scene, 0, 0), body = gjb_scene_pose3(scene, 0, 1);
    cr_expect(plane.z == 10 && body.x == 10 && body.y == 20 && body.z == 30);
    gjb_scene_free(scene);
    gjb_model_free(&model);
}

Test(model, left_out)
{
    gjb_model model;
    gjb_error error;
    const char *text =
        MJCF("<default><default class='visual'><geom contype='0' conaffinity='0' type='mesh'/></default></default>",
             "<geom class='visual' mesh='none'/><geom name='eye' class='visual' mesh='none'/>"
             "<geom type='hfield' name='hills'/><geom contype='0' size='1'/>");
    cr_assert_eq(parse(text, &model, &error), 0, "%s", error.text);
    cr_expect(model.shape_count == 1 && model.left[GJB_LEFT_NO_CONTACT].count == 2 &&
              model.left[GJB_LEFT_NOT_CONVEX].count == 1);
    cr_expect_str_eq(model.left[GJB_LEFT_NO_CONTACT].names[0], "line 1");
    cr_expect_str_eq(model.left[GJB_LEFT_NO_CONTACT].names[1], "eye");
    cr_expect_str_eq(model.left[GJB_LEFT_NOT_CONVEX].names[0], "hills");
    gjb_model_free(&model);
    cr_assert_eq(parse(ROBOT(LINK("a", "<visual/><visual/>" COLLISION(""))), &model, &error), 0, "%s", error.text);
    cr_expect(model.left[GJB_LEFT_VISUAL].count == 2 && strcmp(model.left[GJB_LEFT_VISUAL].names[1], "a") == 0);
    gjb_model_free(&model);
}

/* Two links with a joint between them are no pair, and there is no other: the error says so. */
Test(model, no_pair)
{
    gjb_model model;
    gjb_error error = {""};
    cr_assert_eq(parse(ROBOT(LINK("a", COLLISION("")) LINK("b", COLLISION("")) JOINT("revolute", "a", "b", "")), &model,
                       &error), 0, "%s", error.text);
    cr_expect_null(gjb_model_scene(&model, NULL, GJB_F64, 1, &error));
    cr_expect(strstr(error.text, "no pair of its 2 collision shapes may touch: 0 do not move against each other, "
                                 "1 are joined") && strstr(error.text, "add a body"), "%s", error.text);
    gjb_model_free(&model);
}

/* A file that is refused, and what the one line says. */
typedef struct bad_case {
    const char *text, *words;
} bad_case;

static const bad_case bads[] = {
    {"<", "a.xml:1:"},
    {"<a>\n<b></a>", "a.xml:2:6: not XML: mismatched tag"},
    {"<mujoco/><mujoco/>", "not XML: junk after document element"},
    {"<!DOCTYPE mujoco SYSTEM 'file:///etc/passwd'><mujoco/>", "a.xml:1: DOCTYPE: document types"},
    {"<!DOCTYPE mujoco [<!ENTITY a 'b'>]><mujoco/>", "a.xml:1: DOCTYPE: document types"},
    {"<mujoco model='&a;'/>", "undefined entity: entities are not read"},
    {"<mujoco>\n<include file='/etc/passwd'/></mujoco>", "a.xml:2: include: other files are not included"},
    {"<robot xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='a'/></robot>",
     "a.xml:1: xi:include: other files"},
    {"<sdf/>", "a.xml:1: sdf: MJCF begins with <mujoco>, and URDF with <robot>"},
    {"<mujoco/>", "mujoco: there is no <worldbody>"},
    {MJCF("<compiler angle='grad'/>", ""), "compiler: angle 'grad': is 'degree' or 'radian'"},
    {MJCF("<compiler eulerseq='xyw'/>", ""), "compiler: eulerseq 'xyw': "},
    {MJCF("<compiler coordinate='global'/>", ""), "coordinate 'global': only local"},
    {MJCF("<option><flag filterparent='no'/></option>", ""), "flag: filterparent 'no'"},
    {MJCF("<default><default/></default>", ""), "default: class: a class inside another has a name"},
    {MJCF("<default><default class='a'/><default class='a'/></default>", ""),
     "class 'a': there is a class of that name"},
    {GEOM("name='foot' size='1' pos='0 0'"), "a.xml:1: geom 'foot': pos '0 0': takes 3 numbers"},
    {GEOM("size='1' pos='0 0 0 0'"), "pos '0 0 0 0': takes 3 numbers"},
    {GEOM("size='1' pos='0 0 nan'"), "pos '0 0 nan': number 3 is no number"},
    {GEOM("size='1' pos='0 0x1 0'"), "pos '0 0x1 0': number 2 is no number"},
    {GEOM("size='1' pos='0 0 1e13'"), "number 3 is no number up to 1e12"},
    {GEOM("size='1' pos='0,0,0'"), "number 1 is no number"},
    {GEOM("size='1,5'"), "size '1,5': number 1 is no number"},
    {GEOM("size='1' quat='0 0 0 0'"), "quat '0 0 0 0': gives no orientation"},
    {GEOM("size='1' axisangle='0 0 0 1'"), "axisangle '0 0 0 1': gives no orientation"},
    {GEOM("size='1' zaxis='0 0 0'"), "zaxis '0 0 0': gives no orientation"},
    {GEOM("size='1' xyaxes='1 0 0 -2 0 0'"), "axes are parallel"},
    {GEOM("size='1' quat='1 0 0 0' euler='0 0 0'"), "euler '0 0 0': quat gives an orientation already"},
    {GEOM("type='cube' size='1'"), "type 'cube': is no type of a geom"},
    {GEOM("type='box' size='1 2'"), "size '1 2': a box takes 3 numbers"},
    {GEOM("type='capsule'"), "size: a capsule takes 2 numbers"},
    {GEOM("size='0'"), "size '0': sizes are above 0"},
    {GEOM("size='-1'"), "size '-1': sizes are above 0"},
    {GEOM("size='1' fromto='0 0 0 0 0 1'"), "fromto '0 0 0 0 0 1': only a capsule"},
    {GEOM("type='box' size='1' fromto='0 0 1 0 0 1'"), "both ends are one point"},
    {GEOM("type='box' size='1' pos='1 0 0' fromto='0 0 0 0 0 1'"), "pos gives a place already"},
    {GEOM("size='1' contype='0.5'"), "contype '0.5': is a whole number"},
    {GEOM("size='1' class='a'"), "class 'a': no <default> has that class"},
    {GEOM("type='mesh'"), "mesh: is missing"},
    {GEOM("type='mesh' mesh='a'"), "mesh 'a': no mesh of <asset>"},
    {GEOM("type='box' mesh='a'"), "mesh 'a': only type 'mesh'"},
    {MJCF("", "<geom name='a' size='1'/><geom name='a' size='1'/>"),
     "geom 'a': name 'a': there is a geom of that name already"},
    {MJCF("", "<body name='a'/><body name='a'/>"), "there is a body of that name already"},
    {MJCF("", "<body childclass='a'/>"), "childclass 'a': no <default>"},
    {MJCF("", "<goem size='1'/>"), "goem: is no element of a body"},
    {MJCF("", "<body><replicate count='3'/></body>"), "replicate: is not expanded"},
    {MJCF("<asset><mesh name='a'/></asset>", ""), "mesh 'a': file: a mesh has either"},
    {MJCF("<asset><mesh builtin='sphere'/></asset>", ""), "builtin 'sphere': a mesh has either"},
    {MJCF("<asset><mesh name='a' vertex='0 0 0 1 0 0 0 1 0 0 0'/></asset>", ""), "takes 12 to"},
    {MJCF("<asset><mesh name='a' vertex='0 0 0 1 0 0 0 1 0 0 0 1 5'/></asset>", ""), "three numbers for each point"},
    {MJCF("<asset><mesh file='a.stl' scale='1 0 1'/></asset>", ""), "scale '1 0 1': no factor is 0"},
    {MJCF("<asset><mesh file='x/a.stl'/><mesh name='a' file='b.stl'/></asset>", ""),
     "there is a mesh of that name already"},
    {MJCF("<contact><pair geom1='a'/></contact>", BALL("name='a'")), "pair: geom2: is missing"},
    {MJCF("<contact><pair geom1='a' geom2='b'/></contact>", BALL("name='a'")), "geom2 'b': there is none of that name"},
    {MJCF("<contact><exclude body1='world' body2='b'/></contact>", ""), "exclude: body2 'b': there is none"},
    {ROBOT(""), "robot 'r': 0 links"},
    {ROBOT("<link/>"), "link: name: a link has a name"},
    {ROBOT(LINK("a", "") LINK("a", "")), "link 'a': name 'a': there is a link"},
    {ROBOT(LINK("a", "") LINK("b", "")), "link 'b': is the child of no joint, as 'a' is"},
    {ROBOT(LINK("a", "") LINK("b", "") JOINT("fixed", "a", "b", "") JOINT("fixed", "b", "a", "")), "they go around"},
    {ROBOT(LINK("a", "") LINK("b", "") LINK("c", "") JOINT("fixed", "c", "b", "") JOINT("fixed", "b", "c", "")),
     "its links go around"},
    {ROBOT(LINK("a", "") LINK("b", "") JOINT("fixed", "a", "b", "") JOINT("fixed", "a", "b", "")),
     "another joint has that child"},
    {ROBOT(LINK("a", "") JOINT("hinge", "a", "a", "")), "joint 'aa': type 'hinge': is no type"},
    {ROBOT(LINK("a", "") "<joint name='j'/>"), "joint 'j': type: is missing"},
    {ROBOT(LINK("a", "") "<joint name='j' type='fixed'/>"), "joint 'j': the joint has no <parent link>"},
    {ROBOT(LINK("a", "") JOINT("fixed", "a", "b", "")), "child: link 'b': no link has that name"},
    {ROBOT(LINK("a", "<collision/>")), "collision: a collision has one <geometry>"},
    {ROBOT(LINK("a", "<collision><geometry/></collision>")), "geometry: a collision has one"},
    {SHAPE("<box size='1 1 1'/><box size='1 1 1'/>"), "geometry: a collision has one"},
    {SHAPE("<cone radius='1'/>"), "cone: is no shape of URDF"},
    {SHAPE("<box/>"), "box: size: is missing"},
    {SHAPE("<box size='1 2'/>"), "size '1 2': takes 3 numbers"},
    {SHAPE("<sphere radius='-1'/>"), "radius '-1': lengths are above 0"},
    {SHAPE("<cylinder radius='1'/>"), "cylinder: length: is missing"},
    {SHAPE("<mesh/>"), "mesh: filename: is missing"},
    {SHAPE("<mesh filename='a.stl' scale='1 1 0'/>"), "scale '1 1 0': no factor is 0"},
    {ROBOT(LINK("a", COLLISION("<origin rpy='0 0 ${pi}'/>"))), "origin: rpy '0 0 ${pi}': number 3"},
    {ROBOT("<link name='a'><xacro:body/></link>"), "xacro:body: xacro is not expanded"},
};

Test(model, refused)
{
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        gjb_model model;
        gjb_error error;
        cr_expect_neq(parse(bads[i].text, &model, &error), 0, "%s", bads[i].text);
        cr_expect(sample_one_line(&error) && strstr(error.text, bads[i].words) != NULL, "%s: %s", bads[i].text,
                  error.text);
        cr_expect(model.xml == NULL && model.shapes == NULL);
    }
}

/* Depth, elements and attributes are bounded, each with its line. */
Test(model, bounds)
{
    const size_t size = (size_t)16 << 20;
    char *text = malloc(size), *to = text;
    gjb_model model;
    gjb_error error;
    cr_assert_not_null(text);
    for (int i = 0; i <= GJB_XML_DEPTH_MOST; i++)
        to = stpcpy(to, "<a>");
    cr_expect_neq(parse(text, &model, &error), 0);
    cr_expect_not_null(strstr(error.text, "more than 256 elements deep"), "%s", error.text);
    to = stpcpy(text, "<a>\n");
    for (int i = 0; i < GJB_XML_ELEMENTS_MOST; i++)
        to = stpcpy(to, "<a/>");
    cr_expect_neq(parse(text, &model, &error), 0);
    cr_expect_not_null(strstr(error.text, "a.xml:2: a: more than 1048576 elements"), "%s", error.text);
    to = stpcpy(text, "<a");
    for (int i = 0; i <= GJB_XML_ATTRIBUTES_MOST; i++)
        to += sprintf(to, " a%d=''", i);
    stpcpy(to, "/>");
    cr_expect_neq(parse(text, &model, &error), 0);
    cr_expect_not_null(strstr(error.text, "more than 256 attributes"), "%s", error.text);
    to = stpcpy(text, "<mujoco><worldbody>");
    for (int i = 0; i <= GJB_MODEL_SHAPES_MOST; i++)
        to = stpcpy(to, "<geom size='1'/>");
    stpcpy(to, "</worldbody></mujoco>");
    cr_expect_neq(parse(text, &model, &error), 0);
    cr_expect_not_null(strstr(error.text, "geom: more than 16384 of them"), "%s", error.text);
    free(text);
}

/* A folder with meshes, and one next to it with what must not be opened. */
static char folder[64];

static void put(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "wb");
    cr_assert_not_null(stream, "%s", path);
    fputs(text, stream);
    fclose(stream);
}

static void link_to(const char *name, const char *target)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    cr_assert_eq(symlink(target, path), 0, "%s", path);
}

static const char tetra[] = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";

static void make_folder(void)
{
    static const char *const folders[] = {"in", "in/sub", "out"};
    char path[256];
    sample_directory(folder);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, folders[i]);
        cr_assert_eq(mkdir(path, 0700), 0);
    }
    put("in/a.off", tetra);
    put("in/sub/b.off", tetra);
    put("out/c.off", tetra);
    link_to("in/inner.off", "sub/b.off");
    link_to("in/outer.off", "../out/c.off");
    link_to("in/door", "../out");
    snprintf(path, sizeof path, "%s/in/a.off", folder);
    link_to("out/back.off", path);
    snprintf(path, sizeof path, "%s/in/pipe", folder);
    cr_assert_eq(mkfifo(path, 0600), 0);
}

static void remove_folder(void)
{
    static const char *const folders[] = {"in/sub", "in", "out"};
    char path[256];
    for (size_t i = 0; i < sizeof folders / sizeof *folders && folder[0] != '\0'; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, folders[i]);
        sample_remove(path);
    }
    if (folder[0] != '\0')
        sample_remove(folder);
}

TestSuite(assets, .init = make_folder, .fini = remove_folder);

/* Loads the one mesh of a model that lies in `in`, unless `from` says where. */
static int load(const char *text, const char *from, const char *assets, gjb_mesh *mesh, gjb_error *error)
{
    char file[256], path[256];
    gjb_model model;
    memset(error, 0, sizeof *error);
    memset(mesh, 0, sizeof *mesh);
    snprintf(file, sizeof file, "%s/%s/model.xml", folder, from);
    snprintf(path, sizeof path, "%s/%s", folder, assets != NULL ? assets : "");
    if (gjb_model_parse(text, strlen(text), file, &model, error) != 0)
        return -1;
    const int result = gjb_model_load_mesh(&model, 0, assets != NULL ? path : NULL, mesh, error);
    gjb_model_free(&model);
    return result;
}

#define MESH(file) SHAPE("<mesh filename='" file "'/>")

/* Which files open, by the model's folder and that of --assets, and what is said of the others. */
static const struct {
    const char *text, *from, *assets, *words; /* NULL: it opens */
} opens[] = {
    {MESH("a.off"), "in", "in", NULL},
    {MESH("sub/b.off"), "in", "in", NULL},
    {MESH("../a.off"), "in/sub", "in", NULL},
    {MESH("a.off"), "out", "in", NULL}, /* below --assets, since it is not next to the model */
    {MESH("inner.off"), "in", "in", NULL},
    {MESH("back.off"), "out", "in", NULL}, /* a link from outside that leads inside */
    {MESH("sub/../a.off"), "in", "in", NULL},
    {MESH("package://sub/b.off"), "out", "in", NULL},
    {MESH("package://robot/sub/b.off"), "out", "in", NULL}, /* --assets is the package */
    {MESH("model://robot/a.off"), "out", "in", NULL},
    {MJCF("<compiler meshdir='sub'/><asset><mesh file='b.off'/></asset>", ""), "in", "in", NULL},
    {MJCF("<compiler assetdir='x' meshdir='sub/'/><asset><mesh file='b.off'/></asset>", ""), "out", "in", NULL},
    {MJCF("<compiler strippath='true'/><asset><mesh file='/home/me/a.off'/></asset>", ""), "in", "in", NULL},
    {MESH("a.off"), "in", NULL,
     "mesh 'a.off': file 'a.off': files are opened only inside a folder that --assets DIR names"},
    {MESH("none.off"), "in", "in", "is not there in --assets"},
    {MESH("a.off"), "in", "nowhere", "cannot open the folder of --assets"},
    {MESH("a.off"), "in", "in/a.off", "cannot open the folder of --assets"},
    {MESH("c.off"), "out", "in", "leads out of --assets"},
    {MESH("../out/c.off"), "in", "in", "leads out of --assets"},
    {MESH("outer.off"), "in", "in", "leads out of --assets"},
    {MESH("door/c.off"), "in", "in", "leads out of --assets"},
    {MESH("package://../out/c.off"), "in", "in", "leads out of --assets"},
    {MESH("package://c.off"), "in", "in", "names no file of a package"},
    {MESH("package:///a.off"), "in", "in", "names no file of a package"},
    {MESH("file:///etc/passwd"), "in", "in", "only package:// and model:// are resolved"},
    {MESH("/etc/passwd"), "in", "in", "begins with /"},
    {MJCF("<compiler meshdir='/etc'/><asset><mesh file='passwd'/></asset>", ""), "in", "in", "begins with /"},
    {MESH("pipe"), "in", "in", "is no regular file in --assets"},
    {MESH("sub"), "in", "in", "is no regular file in --assets"},
    {MESH("."), "in/sub", "in", "is no regular file in --assets"},
};

Test(assets, opened)
{
    for (size_t i = 0; i < sizeof opens / sizeof *opens; i++) {
        gjb_mesh mesh;
        gjb_error error;
        const int code = load(opens[i].text, opens[i].from, opens[i].assets, &mesh, &error);
        if (!gjb_mesh_supported() && strstr(error.text, "reads no meshes") != NULL) {
            cr_expect_null(opens[i].words, "%s", error.text);
            continue;
        }
        cr_expect_eq(code == 0, opens[i].words == NULL, "%s from %s: %s", opens[i].text, opens[i].from, error.text);
        if (opens[i].words != NULL)
            cr_expect(sample_one_line(&error) && strstr(error.text, opens[i].words) != NULL, "%s: %s", opens[i].text,
                      error.text);
        else
            cr_expect_eq(mesh.point_count, 4);
        gjb_mesh_free(&mesh);
    }
}

/* A folder whose name another begins with is another one. */
Test(assets, neighbour)
{
    gjb_mesh mesh;
    gjb_error error;
    char path[256];
    snprintf(path, sizeof path, "%s/in/subway", folder);
    cr_assert_eq(mkdir(path, 0700), 0);
    put("in/subway/d.off", tetra);
    cr_expect_neq(load(MESH("d.off"), "in/subway", "in/sub", &mesh, &error), 0);
    cr_expect_not_null(strstr(error.text, "leads out of --assets"), "%s", error.text);
    sample_remove(path);
}

/* Moved, turned back, then scaled: in that order. */
Test(model, vertices)
{
    gjb_model model;
    gjb_mesh mesh;
    gjb_error error;
    const char *text =
        MJCF("<default><mesh scale='2 1 -1'/></default><asset><mesh name='a' refpos='1 0 0' refquat='1 0 0 1' "
             "vertex='1 0 0 2 0 0  1 3 0\n1 0 4'/></asset>",
             "<geom type='mesh' mesh='a'/>");
    const double wanted[4][3] = {{0, 0, 0}, {0, -1, 0}, {6, 0, 0}, {0, 0, -4}};
    cr_assert_eq(parse(text, &model, &error), 0, "%s", error.text);
    cr_assert_eq(gjb_model_load_mesh(&model, 0, NULL, &mesh, &error), 0, "%s", error.text);
    cr_assert_eq(mesh.point_count, 4);
    for (int i = 0; i < 4; i++)
        cr_expect(near(mesh.points[i], wanted[i]), "%d: %g %g %g", i, mesh.points[i][0], mesh.points[i][1],
                  mesh.points[i][2]);
    gjb_mesh_free(&mesh);
    gjb_model_free(&model);
}
