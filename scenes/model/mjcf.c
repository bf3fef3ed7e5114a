/* MJCF: settings, meshes, bodies within bodies, and which of them may touch. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/model/mjcf_parts.h"

static int refuse(const gjb_mjcf *m, const gjb_xml *element, const char *attribute, const char *why)
{
    return gjb_xml_refuse(m->xml, element, attribute, m->error, "%s", why);
}

/* Calls `read` of each element of that name in each section of that name. */
static int each(gjb_mjcf *m, const char *section, const char *name, int (*read)(gjb_mjcf *m, const gjb_xml *element))
{
    for (const gjb_xml *s = gjb_xml_child(m->xml->root, section); s != NULL; s = gjb_xml_after(s, section))
        for (const gjb_xml *at = gjb_xml_child(s, name); at != NULL; at = gjb_xml_after(at, name))
            if (read(m, at) != 0)
                return -1;
    return 0;
}

/* Which of two words an attribute says, or `usual`; -1 with the error. */
static int either(const gjb_mjcf *m, const gjb_xml *element, const char *attribute, const char *zero, const char *one,
                  int usual)
{
    const char *word = gjb_xml_value(element, attribute);
    if (word == NULL)
        return usual;
    if (strcmp(word, zero) == 0 || strcmp(word, one) == 0)
        return strcmp(word, one) == 0;
    return gjb_xml_refuse(m->xml, element, attribute, m->error, "is '%s' or '%s'", zero, one);
}

static int read_folder(gjb_mjcf *m, const gjb_xml *compiler, const char *attribute)
{
    const char *folder = gjb_xml_value(compiler, attribute);
    const size_t length = folder != NULL ? strlen(folder) : 0;
    if (folder == NULL)
        return 0;
    if (length + 2 > sizeof m->model->folder)
        return refuse(m, compiler, attribute, "is longer than names of folders are read");
    snprintf(m->model->folder, sizeof m->model->folder, "%s%s", folder,
             length > 0 && folder[length - 1] != '/' ? "/" : "");
    return 0;
}

static int read_compiler(gjb_mjcf *m, const gjb_xml *compiler)
{
    static const double degree = 0x1.1df46a2529d39p-6; /* pi / 180 */
    const int radians = either(m, compiler, "angle", "degree", "radian", m->unit == 1);
    const int bare = either(m, compiler, "strippath", "false", "true", m->model->bare_names);
    const char *sequence = gjb_xml_value(compiler, "eulerseq");
    if (radians < 0 || bare < 0 || read_folder(m, compiler, "assetdir") != 0 ||
        read_folder(m, compiler, "meshdir") != 0)
        return -1;
    if (sequence != NULL && (strlen(sequence) != 3 || strspn(sequence, "xyzXYZ") != 3))
        return refuse(m, compiler, "eulerseq", "is three of the letters x, y, z, X, Y and Z");
    if (either(m, compiler, "coordinate", "global", "local", 1) != 1)
        return refuse(m, compiler, "coordinate", "only local coordinates are read");
    if (sequence != NULL)
        memcpy(m->sequence, sequence, sizeof m->sequence);
    m->unit = radians ? 1 : degree;
    m->model->bare_names = bare;
    return 0;
}

static int read_flag(gjb_mjcf *m, const gjb_xml *flag)
{
    const int filters = either(m, flag, "filterparent", "disable", "enable", !m->model->parents_touch);
    m->model->parents_touch = filters == 0;
    return filters < 0 ? -1 : 0;
}

/* The last part of a path, without its suffix. */
static void call_after_file(char name[GJB_MODEL_NAME], const char *path)
{
    const char *slash = strrchr(path, '/'), *last = slash != NULL ? slash + 1 : path, *dot = strrchr(last, '.');
    char stem[GJB_MODEL_NAME];
    snprintf(stem, sizeof stem, "%.*s", dot != NULL ? (int)(dot - last < 63 ? dot - last : 63) : 63, last);
    gjb_model_call(name, stem);
}

/* Points in the file itself: three numbers each, as many as there are. */
static int read_vertices(gjb_mjcf *m, const gjb_xml *element, gjb_model_mesh *mesh)
{
    const size_t room = strlen(gjb_xml_value(element, "vertex")) / 2 + 1;
    double *numbers = malloc((room + 3) * sizeof *numbers);
    if (numbers == NULL)
        return refuse(m, element, "vertex", "out of memory");
    const int count = room > INT32_MAX ? -1
                                       : gjb_xml_numbers(m->xml, element, "vertex", 12, (int)room, numbers, m->error);
    if (count < 0 || count % 3 != 0) {
        free(numbers);
        return count < 0 ? -1 : refuse(m, element, "vertex", "takes three numbers for each point");
    }
    mesh->points = (double(*)[3])numbers;
    mesh->point_count = (size_t)count / 3;
    return 0;
}

static int read_mesh(gjb_mjcf *m, const gjb_xml *element)
{
    gjb_mjcf_thing thing = {.element = element, .is_mesh = 1};
    const char *file = gjb_xml_value(element, "file"), *vertices = gjb_xml_value(element, "vertex");
    if (gjb_mjcf_class_of(m, element, "class", m->main, &thing.class) != 0)
        return -1;
    if ((file == NULL) == (vertices == NULL))
        return refuse(m, element,
                      file != NULL                                ? "file"
                      : gjb_xml_value(element, "builtin") != NULL ? "builtin"
                                                                  : "file",
                      "a mesh has either a file or vertices");
    const int64_t index = gjb_model_add_mesh(m->model, m->xml, element, m->error);
    if (index < 0)
        return -1;
    gjb_model_mesh *mesh = &m->model->meshes[index];
    mesh->file = file;
    if (mesh->name[0] == '\0' && file != NULL)
        call_after_file(mesh->name, file);
    double q[4] = {1, 0, 0, 0};
    if ((file == NULL && read_vertices(m, element, mesh) != 0) ||
        gjb_mjcf_numbers(m, &thing, "scale", 3, 3, mesh->scale) < 0 ||
        gjb_mjcf_numbers(m, &thing, "refpos", 3, 3, mesh->reference.t) < 0 ||
        gjb_mjcf_numbers(m, &thing, "refquat", 4, 4, q) < 0)
        return -1;
    memcpy(mesh->reference.q, (double[4]){q[1], q[2], q[3], q[0]}, sizeof mesh->reference.q);
    if (gjb_turn_unit(mesh->reference.q) != 0)
        return refuse(m, element, "refquat", "gives no orientation: its length is 0");
    if (mesh->scale[0] == 0 || mesh->scale[1] == 0 || mesh->scale[2] == 0)
        return refuse(m, element, "scale", "no factor is 0");
    return 0;
}

/* After all meshes, whose names then stay where they are. */
static int list_meshes(gjb_mjcf *m)
{
    uint32_t index = 0;
    for (const gjb_xml *s = gjb_xml_child(m->xml->root, "asset"); s != NULL; s = gjb_xml_after(s, "asset")) {
        for (const gjb_xml *at = gjb_xml_child(s, "mesh"); at != NULL; at = gjb_xml_after(at, "mesh"), index++) {
            const char *name = gjb_xml_named(at);
            if (gjb_names_add(&m->meshes, name[0] != '\0' ? name : m->model->meshes[index].name, index, at) != 0)
                return refuse(m, at, NULL, "out of memory");
        }
    }
    const gjb_xml *twice = gjb_names_sort(&m->meshes);
    return twice != NULL ? refuse(m, twice, "name", "there is a mesh of that name already") : 0;
}

static int note_paired(gjb_mjcf *m, const gjb_xml *pair)
{
    static const char *const ends[] = {"geom1", "geom2"};
    for (int i = 0; i < 2; i++) {
        const char *name = gjb_xml_value(pair, ends[i]);
        if (name == NULL)
            return refuse(m, pair, ends[i], "is missing: the name of a geom");
        if (gjb_names_add(&m->paired, name, 0, pair) != 0)
            return refuse(m, pair, NULL, "out of memory");
    }
    return 0;
}

/* What a body or a frame may hold. */
typedef enum content { SHAPE, BODY, FRAME, IGNORED, GEOMETRY } content;
static const struct {
    const char *name;
    content is;
} contents[] = {
    {"geom", SHAPE},         {"body", BODY},         {"frame", FRAME},        {"inertial", IGNORED},
    {"joint", IGNORED},      {"freejoint", IGNORED}, {"site", IGNORED},       {"camera", IGNORED},
    {"light", IGNORED},      {"plugin", IGNORED},    {"composite", GEOMETRY}, {"flexcomp", GEOMETRY},
    {"replicate", GEOMETRY}, {"attach", GEOMETRY},
};

/* Is there a joint of the body, in it or in a frame of it? */
static int has_joint(const gjb_xml *element)
{
    for (const gjb_xml *at = element->child; at != NULL; at = at->next)
        if (strcmp(at->name, "joint") == 0 || strcmp(at->name, "freejoint") == 0 ||
            (strcmp(at->name, "frame") == 0 && has_joint(at)))
            return 1;
    return 0;
}

static int read_content(gjb_mjcf *m, const gjb_xml *element, uint32_t body, const gjb_frame3 *around, int32_t class);

/* A body, or a frame, whose content belongs to the body around it. */
static int read_inner(gjb_mjcf *m, const gjb_xml *element, uint32_t body, const gjb_frame3 *around, int32_t class,
                      int is_body)
{
    gjb_frame3 own;
    if (gjb_mjcf_frame(m, element, &own) != 0 || gjb_mjcf_class_of(m, element, "childclass", class, &class) != 0)
        return -1;
    own = gjb_frame_in(around, &own);
    if (is_body) {
        const int64_t index = gjb_model_add_body(m->model, m->xml, element, m->error);
        if (index < 0)
            return -1;
        gjb_model_body *added = &m->model->bodies[index];
        added->parent = body;
        added->weld = has_joint(element) ? (uint32_t)index : m->model->bodies[body].weld;
        added->pose = own;
        body = (uint32_t)index;
        if (gjb_names_add(&m->bodies, gjb_xml_named(element), body, element) != 0)
            return refuse(m, element, NULL, "out of memory");
    }
    return read_content(m, element, body, &own, class);
}

static int read_one(gjb_mjcf *m, const gjb_xml *at, uint32_t body, const gjb_frame3 *around, int32_t class)
{
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        if (strcmp(at->name, contents[i].name) != 0)
            continue;
        switch (contents[i].is) {
        case SHAPE: return gjb_mjcf_geom(m, at, body, around, class);
        case GEOMETRY:
            return refuse(m, at, NULL,
                          "is not expanded: let MuJoCo compile the model and save it, and import what it saved");
        case IGNORED: return 0;
        default: return read_inner(m, at, body, around, class, contents[i].is == BODY);
        }
    }
    return refuse(m, at, NULL, "is no element of a body");
}

static int read_content(gjb_mjcf *m, const gjb_xml *element, uint32_t body, const gjb_frame3 *around, int32_t class)
{
    for (const gjb_xml *at = element->child; at != NULL; at = at->next)
        if (read_one(m, at, body, around, class) != 0)
            return -1;
    return 0;
}

static int read_bodies(gjb_mjcf *m)
{
    const gjb_xml *world = gjb_xml_child(m->xml->root, "worldbody");
    if (world == NULL)
        return refuse(m, m->xml->root, NULL, "there is no <worldbody>");
    const int64_t index = gjb_model_add_body(m->model, m->xml, world, m->error);
    if (index < 0 || gjb_names_add(&m->bodies, "world", 0, world) != 0)
        return gjb_fail(m->error, "%s: out of memory", m->xml->file);
    gjb_model_call(m->model->bodies[0].name, "world");
    m->model->bodies[0].pose = gjb_no_turn;
    m->model->world_first = 1;
    for (; world != NULL; world = gjb_xml_after(world, "worldbody")) {
        int32_t class;
        if (gjb_mjcf_class_of(m, world, "childclass", m->main, &class) != 0 ||
            read_content(m, world, 0, &gjb_no_turn, class) != 0)
            return -1;
    }
    const gjb_xml *body = gjb_names_sort(&m->bodies), *geom = gjb_names_sort(&m->geoms);
    return body != NULL   ? refuse(m, body, "name", "there is a body of that name already")
           : geom != NULL ? refuse(m, geom, "name", "there is a geom of that name already")
                          : 0;
}

/* A rule about two things of a list of names: appends the key of both. */
static int add_rule(gjb_mjcf *m, const gjb_xml *rule, const gjb_names *names, const char *const ends[2],
                    uint64_t **keys, uint32_t *count)
{
    uint32_t index[2];
    for (int i = 0; i < 2; i++) {
        const gjb_name *found = gjb_names_find(names, gjb_xml_value(rule, ends[i]));
        if (found == NULL)
            return refuse(m, rule, ends[i],
                          gjb_xml_value(rule, ends[i]) == NULL ? "is missing" : "there is none of that name");
        index[i] = found->index;
    }
    if (*count == GJB_MODEL_RULES_MOST)
        return refuse(m, rule, NULL, "more than 16384 of them");
    if (*keys == NULL && (*keys = malloc(GJB_MODEL_RULES_MOST * sizeof **keys)) == NULL)
        return refuse(m, rule, NULL, "out of memory");
    if (index[0] != UINT32_MAX && index[1] != UINT32_MAX) /* neither is left out */
        (*keys)[(*count)++] = gjb_model_key(index[0], index[1]);
    return 0;
}

static int read_pair(gjb_mjcf *m, const gjb_xml *pair)
{
    static const char *const ends[] = {"geom1", "geom2"};
    return add_rule(m, pair, &m->geoms, ends, &m->model->together, &m->model->together_count);
}

static int read_exclude(gjb_mjcf *m, const gjb_xml *exclude)
{
    static const char *const ends[] = {"body1", "body2"};
    return add_rule(m, exclude, &m->bodies, ends, &m->model->apart, &m->model->apart_count);
}

static int read_all(gjb_mjcf *m)
{
    const gjb_xml *root = m->xml->root;
    gjb_model *model = m->model;
    for (const gjb_xml *at = gjb_xml_child(root, "compiler"); at != NULL; at = gjb_xml_after(at, "compiler"))
        if (read_compiler(m, at) != 0)
            return -1;
    if (each(m, "option", "flag", read_flag) != 0 || gjb_mjcf_read_classes(m) != 0 ||
        each(m, "asset", "mesh", read_mesh) != 0 || list_meshes(m) != 0 || each(m, "contact", "pair", note_paired) != 0)
        return -1;
    gjb_names_sort(&m->paired);
    if (read_bodies(m) != 0 || each(m, "contact", "pair", read_pair) != 0 ||
        each(m, "contact", "exclude", read_exclude) != 0)
        return -1;
    if (model->together_count > 0)
        qsort(model->together, model->together_count, sizeof *model->together, gjb_model_by_key);
    if (model->apart_count > 0)
        qsort(model->apart, model->apart_count, sizeof *model->apart, gjb_model_by_key);
    return 0;
}

int gjb_mjcf_read(const gjb_xml_file *xml, gjb_model *model, gjb_error *error)
{
    gjb_mjcf *m = calloc(1, sizeof *m);
    if (m == NULL)
        return gjb_fail(error, "%s: out of memory", xml->file);
    *m = (gjb_mjcf){.xml = xml, .model = model, .error = error, .unit = 0x1.1df46a2529d39p-6, .sequence = "xyz"};
    const char *name = gjb_xml_value(xml->root, "model");
    gjb_model_call(model->name, name != NULL ? name : "");
    const int result = read_all(m);
    gjb_names *const all[] = {&m->class_names, &m->meshes, &m->bodies, &m->geoms, &m->paired};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        gjb_names_free(all[i]);
    free(m);
    return result;
}
