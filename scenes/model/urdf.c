/* URDF: the tree of links at the zero position of their joints, and what collides of each link. Conventions of the
 * format: the documentation of URDF in ROS, "XML robot description format". */
#include <stdlib.h>
#include <string.h>

#include "scenes/model/model_parts.h"

#define NO_LINK UINT32_MAX

typedef struct link {
    const gjb_xml *element, *joint; /* the joint whose child it is; NULL: none */
    uint32_t parent, first, next; /* in the list of links: the parent, the first child, the next child of the parent */
    uint32_t body;
} link;

typedef struct urdf {
    const gjb_xml_file *xml;
    gjb_model *model;
    gjb_error *error;
    gjb_names names; /* of links */
    link *links;
    uint32_t count;
} urdf;

static int refuse(const urdf *u, const gjb_xml *element, const char *attribute, const char *why)
{
    return gjb_xml_refuse(u->xml, element, attribute, u->error, "%s", why);
}

static int list_links(urdf *u)
{
    const gjb_xml *root = u->xml->root;
    uint32_t count = 0;
    for (const gjb_xml *at = gjb_xml_child(root, "link"); at != NULL; at = gjb_xml_after(at, "link"))
        count++;
    if (count == 0 || count > GJB_MODEL_BODIES_MOST)
        return gjb_xml_refuse(u->xml, root, NULL, u->error, "%u links, and 1 to %d are read", count,
                              GJB_MODEL_BODIES_MOST);
    u->links = calloc(count, sizeof *u->links);
    if (u->links == NULL)
        return refuse(u, root, NULL, "out of memory");
    for (const gjb_xml *at = gjb_xml_child(root, "link"); at != NULL; at = gjb_xml_after(at, "link")) {
        if (gjb_xml_named(at)[0] == '\0')
            return refuse(u, at, "name", "a link has a name");
        if (gjb_names_add(&u->names, gjb_xml_named(at), u->count, at) != 0)
            return refuse(u, at, NULL, "out of memory");
        u->links[u->count++] = (link){.element = at, .parent = NO_LINK, .first = NO_LINK, .next = NO_LINK};
    }
    const gjb_xml *twice = gjb_names_sort(&u->names);
    return twice != NULL ? refuse(u, twice, "name", "there is a link of that name already") : 0;
}

/* The link that a child element of a joint names, or NO_LINK with the error. */
static uint32_t link_of(const urdf *u, const gjb_xml *joint, const char *end)
{
    const gjb_xml *element = gjb_xml_child(joint, end);
    const char *name = element != NULL ? gjb_xml_value(element, "link") : NULL;
    const gjb_name *found = gjb_names_find(&u->names, name);
    if (name == NULL)
        gjb_xml_refuse(u->xml, element != NULL ? element : joint, element != NULL ? "link" : NULL, u->error,
                       "the joint has no <%s link>", end);
    else if (found == NULL)
        refuse(u, element, "link", "no link has that name");
    return found != NULL ? found->index : NO_LINK;
}

static int read_joint(urdf *u, const gjb_xml *joint)
{
    static const char *const types[] = {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"};
    const char *type = gjb_xml_value(joint, "type");
    int known = 0;
    for (size_t i = 0; i < sizeof types / sizeof *types && type != NULL; i++)
        known |= strcmp(type, types[i]) == 0;
    if (!known)
        return refuse(u, joint, "type", type != NULL ? "is no type of a joint" : "is missing");
    const uint32_t parent = link_of(u, joint, "parent"),
                   child = parent != NO_LINK ? link_of(u, joint, "child") : NO_LINK;
    if (child == NO_LINK)
        return -1;
    link *c = &u->links[child], *p = &u->links[parent];
    if (c->joint != NULL)
        return refuse(u, gjb_xml_child(joint, "child"), "link", "another joint has that child already");
    c->joint = joint;
    c->parent = parent;
    c->next = p->first;
    p->first = child;
    return 0;
}

static int read_origin(const urdf *u, const gjb_xml *element, gjb_frame3 *frame)
{
    const gjb_xml *origin = gjb_xml_child(element, "origin");
    double angles[3] = {0, 0, 0};
    *frame = gjb_no_turn;
    if (origin == NULL)
        return 0;
    if (gjb_xml_numbers(u->xml, origin, "xyz", 3, 3, frame->t, u->error) < 0 ||
        gjb_xml_numbers(u->xml, origin, "rpy", 3, 3, angles, u->error) < 0)
        return -1;
    gjb_turn_euler(angles, "XYZ", frame->q);
    return 0;
}

/* Positive numbers of an attribute that must be there. */
static int lengths(const urdf *u, const gjb_xml *element, const char *attribute, int count, double *out)
{
    const int found = gjb_xml_numbers(u->xml, element, attribute, count, count, out, u->error);
    if (found == 0)
        return refuse(u, element, attribute, "is missing");
    for (int i = 0; i < found; i++)
        if (!(out[i] > 0))
            return refuse(u, element, attribute, "lengths are above 0");
    return found < 0 ? -1 : 0;
}

static int take_box(const urdf *u, const gjb_xml *element, gjb_model_shape *shape)
{
    double size[3];
    if (lengths(u, element, "size", 3, size) != 0)
        return -1;
    for (int d = 0; d < 3; d++)
        size[d] /= 2;
    gjb_model_sides(shape, GJB_BOX, size);
    return 0;
}

static int take_sphere(const urdf *u, const gjb_xml *element, gjb_model_shape *shape)
{
    double radius;
    if (lengths(u, element, "radius", 1, &radius) != 0)
        return -1;
    gjb_model_sphere(shape, radius);
    return 0;
}

static int take_round(const urdf *u, const gjb_xml *element, gjb_model_shape *shape)
{
    double radius, length;
    if (lengths(u, element, "radius", 1, &radius) != 0 || lengths(u, element, "length", 1, &length) != 0)
        return -1;
    if (strcmp(element->name, "capsule") == 0)
        gjb_model_capsule(shape, radius, length / 2);
    else
        gjb_model_cylinder(shape, radius, length / 2);
    return 0;
}

/* Meshes of one file and scale are one. The last are looked at first, and few: a file has each mesh a few times. */
static int64_t same_mesh(const gjb_model *model, const char *file, const double scale[3])
{
    enum { LOOK_BACK = 256 };
    for (uint32_t i = model->mesh_count; i > 0 && model->mesh_count - i < LOOK_BACK; i--) {
        const gjb_model_mesh *mesh = &model->meshes[i - 1];
        if (strcmp(mesh->file, file) == 0 && memcmp(mesh->scale, scale, sizeof mesh->scale) == 0)
            return i - 1;
    }
    return -1;
}

static int take_mesh(const urdf *u, const gjb_xml *element, gjb_model_shape *shape)
{
    const char *file = gjb_xml_value(element, "filename");
    double scale[3] = {1, 1, 1};
    if (file == NULL || file[0] == '\0')
        return refuse(u, element, "filename", "is missing");
    if (gjb_xml_numbers(u->xml, element, "scale", 3, 3, scale, u->error) < 0)
        return -1;
    if (scale[0] == 0 || scale[1] == 0 || scale[2] == 0)
        return refuse(u, element, "scale", "no factor is 0");
    int64_t index = same_mesh(u->model, file, scale);
    if (index < 0) {
        index = gjb_model_add_mesh(u->model, u->xml, element, u->error);
        if (index < 0)
            return -1;
        gjb_model_mesh *mesh = &u->model->meshes[index];
        const char *slash = strrchr(file, '/');
        mesh->file = file;
        memcpy(mesh->scale, scale, sizeof mesh->scale);
        gjb_model_call(mesh->name, slash != NULL ? slash + 1 : file);
    }
    shape->kind = GJB_HULL;
    shape->mesh = (uint32_t)index;
    u->model->meshes[index].used++;
    return 0;
}

static int take_geometry(const urdf *u, const gjb_xml *collision, gjb_model_shape *shape)
{
    static const struct {
        const char *name;
        int (*take)(const urdf *u, const gjb_xml *element, gjb_model_shape *shape);
    } kinds[] = {{"box", take_box},
                 {"sphere", take_sphere},
                 {"cylinder", take_round},
                 {"capsule", take_round},
                 {"mesh", take_mesh}};
    const gjb_xml *geometry = gjb_xml_child(collision, "geometry"),
                  *element = geometry != NULL ? geometry->child : NULL;
    if (element == NULL || element->next != NULL)
        return refuse(u, geometry != NULL ? geometry : collision, NULL,
                      "a collision has one <geometry>, which holds one shape");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(element->name, kinds[i].name) == 0)
            return kinds[i].take(u, element, shape);
    return refuse(u, element, NULL, "is no shape of URDF: box, sphere, cylinder, capsule and mesh are");
}

static int read_collision(const urdf *u, const gjb_xml *collision, uint32_t body)
{
    gjb_frame3 frame;
    const int64_t index = gjb_model_add_shape(u->model, u->xml, collision, u->error);
    if (index < 0 || read_origin(u, collision, &frame) != 0)
        return -1;
    gjb_model_shape *shape = &u->model->shapes[index];
    shape->body = body;
    shape->contype = shape->conaffinity = 1;
    shape->pose = gjb_frame_in(&u->model->bodies[body].pose, &frame);
    return take_geometry(u, collision, shape);
}

/* The body of a link whose parent has one. */
static int read_link(urdf *u, link *l)
{
    gjb_frame3 own = gjb_no_turn;
    const int64_t index = gjb_model_add_body(u->model, u->xml, l->element, u->error);
    if (index < 0 || (l->joint != NULL && read_origin(u, l->joint, &own) != 0))
        return -1;
    gjb_model_body *body = &u->model->bodies[index];
    const int fixed = l->joint != NULL && strcmp(gjb_xml_value(l->joint, "type"), "fixed") == 0;
    l->body = (uint32_t)index;
    body->parent = l->joint != NULL ? u->links[l->parent].body : l->body;
    body->weld = fixed ? u->model->bodies[body->parent].weld : l->body;
    body->pose = l->joint != NULL ? gjb_frame_in(&u->model->bodies[body->parent].pose, &own) : own;
    for (const gjb_xml *at = l->element->child; at != NULL; at = at->next) {
        if (strcmp(at->name, "collision") == 0 && read_collision(u, at, l->body) != 0)
            return -1;
        if (strcmp(at->name, "visual") == 0)
            gjb_model_leave_out(u->model, GJB_LEFT_VISUAL, gjb_xml_named(l->element));
    }
    return 0;
}

/* From the root on, parents before children. */
static int read_tree(urdf *u)
{
    uint32_t root = NO_LINK, done = 0, listed = 0;
    uint32_t *queue = malloc(u->count * sizeof *queue);
    if (queue == NULL)
        return refuse(u, u->xml->root, NULL, "out of memory");
    int result = 0;
    for (uint32_t i = 0; i < u->count && result == 0; i++) {
        if (u->links[i].joint != NULL)
            continue;
        if (root != NO_LINK)
            result = gjb_xml_refuse(u->xml, u->links[i].element, NULL, u->error,
                                    "is the child of no joint, as '%.60s' is", gjb_xml_named(u->links[root].element));
        root = i;
    }
    if (result == 0 && root == NO_LINK)
        result = refuse(u, u->xml->root, NULL, "every link is the child of a joint: they go around");
    if (result == 0)
        queue[listed++] = root;
    for (; done < listed && result == 0; done++) {
        result = read_link(u, &u->links[queue[done]]);
        for (uint32_t child = u->links[queue[done]].first; child != NO_LINK; child = u->links[child].next)
            queue[listed++] = child;
    }
    for (uint32_t i = 0; i < u->count && result == 0 && listed < u->count; i++)
        if (u->links[i].joint != NULL && u->links[i].body == 0)
            result = refuse(u, u->links[i].joint, NULL, "does not hang on the root: its links go around");
    free(queue);
    return result;
}

/* What macros leave behind until they are expanded. */
static int refuse_macros(const urdf *u, const gjb_xml *element)
{
    for (const gjb_xml *at = element->child; at != NULL; at = at->next) {
        if (strncmp(at->name, "xacro:", 6) == 0)
            return refuse(u, at, NULL, "xacro is not expanded: run it, and import what it writes");
        if (refuse_macros(u, at) != 0)
            return -1;
    }
    return 0;
}

int gjb_urdf_read(const gjb_xml_file *xml, gjb_model *model, gjb_error *error)
{
    urdf u = {.xml = xml, .model = model, .error = error};
    gjb_model_call(model->name, gjb_xml_named(xml->root));
    int result = refuse_macros(&u, xml->root) != 0 || list_links(&u) != 0 ? -1 : 0;
    for (const gjb_xml *at = gjb_xml_child(xml->root, "joint"); at != NULL && result == 0;
         at = gjb_xml_after(at, "joint"))
        result = read_joint(&u, at);
    if (result == 0)
        result = read_tree(&u);
    gjb_names_free(&u.names);
    free(u.links);
    return result;
}
