/* Geoms of MJCF: where they lie, and what shape they are. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes/generate/generate_solid.h"
#include "scenes/model/mjcf_parts.h"

typedef enum turn_form { QUAT, AXISANGLE, EULER, XYAXES, ZAXIS, TURN_FORMS } turn_form;
static const struct {
    const char *attribute;
    int count;
} turn_forms[TURN_FORMS] = {{"quat", 4}, {"axisangle", 4}, {"euler", 3}, {"xyaxes", 6}, {"zaxis", 3}};

static int make_turn(const gjb_mjcf *m, turn_form form, const double v[6], double q[4])
{
    const double angles[3] = {v[0] * m->unit, v[1] * m->unit, v[2] * m->unit}, given[4] = {v[1], v[2], v[3], v[0]};
    switch (form) {
    case QUAT:
        memcpy(q, given, sizeof given);
        return gjb_turn_unit(q);
    case AXISANGLE: return gjb_turn_about(v, v[3] * m->unit, q);
    case EULER: gjb_turn_euler(angles, m->sequence, q); return 0;
    case XYAXES: return gjb_turn_xy_to(v, q);
    default: return gjb_turn_z_to(v, q);
    }
}

/* The orientation that one element gives. 1 if it gives one, 0 if not; -1 with the error. */
static int read_turn(const gjb_mjcf *m, const gjb_xml *element, double q[4])
{
    int found = -1;
    double numbers[6];
    for (int form = 0; form < TURN_FORMS; form++) {
        if (gjb_xml_value(element, turn_forms[form].attribute) == NULL)
            continue;
        if (found >= 0)
            return gjb_xml_refuse(m->xml, element, turn_forms[form].attribute, m->error,
                                  "%s gives an orientation already", turn_forms[found].attribute);
        found = form;
    }
    if (found < 0)
        return 0;
    const char *attribute = turn_forms[found].attribute;
    const int count = turn_forms[found].count;
    if (gjb_xml_numbers(m->xml, element, attribute, count, count, numbers, m->error) < 0)
        return -1;
    return make_turn(m, (turn_form)found, numbers, q) == 0
               ? 1
               : gjb_xml_refuse(m->xml, element, attribute, m->error,
                                "gives no orientation: a length is 0, or axes are parallel");
}

int gjb_mjcf_frame(const gjb_mjcf *m, const gjb_xml *element, gjb_frame3 *frame)
{
    *frame = gjb_no_turn;
    return gjb_xml_numbers(m->xml, element, "pos", 3, 3, frame->t, m->error) < 0 || read_turn(m, element, frame->q) < 0
               ? -1
               : 0;
}

typedef struct geom_type {
    const char *name;
    gjb_kind kind;
    int sizes, sizes_from_to; /* numbers of `size`, and with `fromto`; 0: there is no such geom */
} geom_type;
static const geom_type types[] = {
    {"sphere", GJB_POINT, 1, 0},      {"capsule", GJB_SEGMENT, 2, 1},    {"cylinder", GJB_CYLINDER, 2, 1},
    {"ellipsoid", GJB_ELLIPSOID, 3, 1}, {"box", GJB_BOX, 3, 1},          {"plane", GJB_HALFSPACE, 0, 0},
    {"mesh", GJB_HULL, 0, 0},
};

/* A geom while it is read. */
typedef struct geom {
    gjb_mjcf_thing thing;
    const geom_type *type;
    gjb_frame3 frame; /* in its body */
    double along;     /* half the length that `fromto` gives; 0: there is none */
} geom;

static int refuse(const gjb_mjcf *m, const geom *g, const char *attribute, const char *why)
{
    const gjb_xml *owner = gjb_mjcf_owner(m, &g->thing, attribute);
    return gjb_xml_refuse(m->xml, owner != NULL ? owner : g->thing.element, attribute, m->error, "%s", why);
}

/* Ends of the long axis. It points to the first end, which decides how a box lies about it. */
static int read_from_to(const gjb_mjcf *m, geom *g)
{
    double ends[6], axis[3];
    const int count = gjb_mjcf_numbers(m, &g->thing, "fromto", 6, 6, ends);
    if (count <= 0)
        return count;
    if (g->type->sizes_from_to == 0)
        return refuse(m, g, "fromto", "only a capsule, cylinder, ellipsoid or box reaches from one point to another");
    if (g->frame.t[0] != 0 || g->frame.t[1] != 0 || g->frame.t[2] != 0)
        return refuse(m, g, "fromto", "pos gives a place already");
    gjb_minus3(ends, ends + 3, axis);
    g->along = sqrt(gjb_dot3(axis, axis)) / 2;
    if (!(g->along > 0) || gjb_turn_z_to(axis, g->frame.q) != 0)
        return refuse(m, g, "fromto", "both ends are one point");
    for (int d = 0; d < 3; d++)
        g->frame.t[d] = (ends[d] + ends[3 + d]) / 2;
    return 1;
}

/* The nearest that gives an orientation in another form than `quat`, which counts only if none does: so MuJoCo has it,
 * be it that a geom has a `quat` and a class of defaults something else. */
static const gjb_xml *nearest_turn(const gjb_mjcf *m, const gjb_mjcf_thing *thing)
{
    const gjb_xml *at = thing->element, *quat = NULL;
    for (int32_t class = thing->class;; class = m->classes[class].around) {
        for (int form = 0; form < TURN_FORMS && at != NULL; form++) {
            const int given = gjb_xml_value(at, turn_forms[form].attribute) != NULL;
            if (given && form != QUAT)
                return at;
            quat = given && quat == NULL ? at : quat;
        }
        if (class == GJB_MJCF_NO_CLASS)
            return quat;
        at = m->classes[class].geom;
    }
}

static int read_place(const gjb_mjcf *m, geom *g)
{
    g->frame = gjb_no_turn;
    if (gjb_mjcf_numbers(m, &g->thing, "pos", 3, 3, g->frame.t) < 0)
        return -1;
    const int ends = read_from_to(m, g);
    if (ends != 0)
        return ends < 0 ? -1 : 0;
    const gjb_xml *nearest = nearest_turn(m, &g->thing);
    return nearest != NULL && read_turn(m, nearest, g->frame.q) < 0 ? -1 : 0;
}

/* Half sizes along x, y and z, as far as the type has them. */
static int read_sizes(const gjb_mjcf *m, const geom *g, double size[3])
{
    const int wanted = g->along > 0 ? g->type->sizes_from_to : g->type->sizes;
    const int count = gjb_mjcf_numbers(m, &g->thing, "size", 1, 3, size);
    if (count < 0)
        return -1;
    if (count < wanted)
        return gjb_xml_refuse(m->xml, g->thing.element, "size", m->error, "a %s takes %d number%s", g->type->name,
                              wanted, &"s"[wanted == 1]);
    for (int i = 0; i < wanted; i++)
        if (!(size[i] > 0))
            return refuse(m, g, "size", "sizes are above 0");
    if (g->along > 0) {
        const int round = g->type->kind == GJB_SEGMENT || g->type->kind == GJB_CYLINDER;
        size[1] = round ? g->along : size[0];
        size[2] = g->along;
    }
    return 0;
}

static int take_mesh(const gjb_mjcf *m, const geom *g, gjb_model_shape *shape)
{
    const gjb_xml *owner = gjb_mjcf_owner(m, &g->thing, "mesh");
    const gjb_name *found = gjb_names_find(&m->meshes, owner != NULL ? gjb_xml_value(owner, "mesh") : NULL);
    if (found == NULL)
        return refuse(m, g, "mesh",
                      owner != NULL ? "no mesh of <asset> has that name" : "is missing: the name of a mesh");
    shape->mesh = found->index;
    m->model->meshes[shape->mesh].used++;
    return 0;
}

static int take_shape(const gjb_mjcf *m, const geom *g, gjb_model_shape *shape)
{
    double size[3] = {0, 0, 0};
    if (read_sizes(m, g, size) != 0)
        return -1;
    shape->kind = g->type->kind;
    switch (shape->kind) {
    case GJB_POINT: gjb_model_sphere(shape, size[0]); return 0;
    case GJB_SEGMENT: gjb_model_capsule(shape, size[0], size[1]); return 0;
    case GJB_CYLINDER: gjb_model_cylinder(shape, size[0], size[1]); return 0;
    case GJB_HALFSPACE: shape->rows[0][2] = 1; return 0;
    case GJB_HULL: return take_mesh(m, g, shape);
    default: gjb_model_sides(shape, shape->kind, size); return 0;
    }
}

static int read_bits(const gjb_mjcf *m, const geom *g, const char *attribute, uint32_t *bits)
{
    double number = 1;
    if (gjb_mjcf_numbers(m, &g->thing, attribute, 1, 1, &number) < 0)
        return -1;
    if (number != floor(number) || fabs(number) > 2147483647)
        return refuse(m, g, attribute, "is a whole number of 31 bits");
    *bits = (uint32_t)(int32_t)number;
    return 0;
}

/* The type: 1, or 0 if shapes of it are left out, or -1 with the error. */
static int read_type(const gjb_mjcf *m, geom *g)
{
    const gjb_xml *owner = gjb_mjcf_owner(m, &g->thing, "type");
    const char *name = owner != NULL ? gjb_xml_value(owner, "type") : "sphere";
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(name, types[i].name) == 0)
            g->type = &types[i];
    if (g->type == NULL)
        return strcmp(name, "hfield") == 0 || strcmp(name, "sdf") == 0 ? 0
                                                                       : refuse(m, g, "type", "is no type of a geom");
    return g->type->kind != GJB_HULL && gjb_mjcf_owner(m, &g->thing, "mesh") != NULL
               ? refuse(m, g, "mesh", "only type 'mesh' is read with a mesh: nothing is fitted to it")
               : 1;
}

static int leave_out(gjb_mjcf *m, const geom *g, gjb_left_out why)
{
    char line[32];
    const char *name = gjb_xml_named(g->thing.element);
    snprintf(line, sizeof line, "line %u", g->thing.element->line);
    gjb_model_leave_out(m->model, why, name[0] != '\0' ? name : line);
    return gjb_names_add(&m->geoms, name, UINT32_MAX, g->thing.element);
}

int gjb_mjcf_geom(gjb_mjcf *m, const gjb_xml *element, uint32_t body, const gjb_frame3 *around, int32_t class)
{
    geom g = {.thing = {.element = element}};
    uint32_t contype = 1, conaffinity = 1;
    if (gjb_mjcf_class_of(m, element, "class", class, &g.thing.class) != 0 ||
        read_bits(m, &g, "contype", &contype) != 0 || read_bits(m, &g, "conaffinity", &conaffinity) != 0)
        return -1;
    if (contype == 0 && conaffinity == 0 && gjb_names_find(&m->paired, gjb_xml_value(element, "name")) == NULL)
        return leave_out(m, &g, GJB_LEFT_NO_CONTACT);
    const int known = read_type(m, &g);
    if (known <= 0)
        return known < 0 ? -1 : leave_out(m, &g, GJB_LEFT_NOT_CONVEX);
    const int64_t index = read_place(m, &g) == 0 ? gjb_model_add_shape(m->model, m->xml, element, m->error) : -1;
    if (index < 0)
        return -1;
    gjb_model_shape *shape = &m->model->shapes[index];
    shape->body = body;
    shape->contype = contype;
    shape->conaffinity = conaffinity;
    shape->pose = gjb_frame_in(around, &g.frame);
    if (take_shape(m, &g, shape) != 0)
        return -1;
    return gjb_names_add(&m->geoms, gjb_xml_named(element), (uint32_t)index, element);
}
