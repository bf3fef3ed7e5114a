/* What both formats of models share: lists that grow within bounds, names, and shapes. */
#include "scenes/model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/model/model_parts.h"

void gjb_model_call(char name[GJB_MODEL_NAME], const char *text)
{
    snprintf(name, GJB_MODEL_NAME, "%s", text);
    gjb_text_clean(name);
}

/* Room for one more of `count` things, zeroed, doubling at powers of two. */
static void *grow(void *list, uint32_t count, size_t size)
{
    if ((count & (count - 1)) != 0)
        return list;
    char *grown = realloc(list, (count > 0 ? 2 * (size_t)count : 1) * size);
    if (grown != NULL)
        memset(grown + count * size, 0, (count > 0 ? count : 1) * size);
    return grown;
}

/* One more of a list. */
static int add(void **list, uint32_t *count, size_t size, uint32_t most, const gjb_xml_file *xml,
               const gjb_xml *element, gjb_error *error)
{
    if (*count == most)
        return gjb_xml_refuse(xml, element, NULL, error, "more than %u of them", most);
    void *grown = grow(*list, *count, size);
    if (grown == NULL)
        return gjb_xml_refuse(xml, element, NULL, error, "out of memory");
    *list = grown;
    ++*count;
    return 0;
}

int64_t gjb_model_add_mesh(gjb_model *model, const gjb_xml_file *xml, const gjb_xml *element, gjb_error *error)
{
    void *list = model->meshes;
    const int failed =
        add(&list, &model->mesh_count, sizeof *model->meshes, GJB_MODEL_MESHES_MOST, xml, element, error);
    if (failed)
        return -1;
    model->meshes = list;
    gjb_model_mesh *mesh = &model->meshes[model->mesh_count - 1];
    *mesh = (gjb_model_mesh){.line = element->line, .reference = gjb_no_turn, .scale = {1, 1, 1}};
    gjb_model_call(mesh->name, gjb_xml_named(element));
    return model->mesh_count - 1;
}

int64_t gjb_model_add_shape(gjb_model *model, const gjb_xml_file *xml, const gjb_xml *element, gjb_error *error)
{
    void *list = model->shapes;
    const int failed =
        add(&list, &model->shape_count, sizeof *model->shapes, GJB_MODEL_SHAPES_MOST, xml, element, error);
    if (failed)
        return -1;
    model->shapes = list;
    gjb_model_shape *shape = &model->shapes[model->shape_count - 1];
    shape->line = element->line;
    gjb_model_call(shape->name, gjb_xml_named(element));
    return model->shape_count - 1;
}

int64_t gjb_model_add_body(gjb_model *model, const gjb_xml_file *xml, const gjb_xml *element, gjb_error *error)
{
    void *list = model->bodies;
    const int failed =
        add(&list, &model->body_count, sizeof *model->bodies, GJB_MODEL_BODIES_MOST, xml, element, error);
    if (failed)
        return -1;
    model->bodies = list;
    gjb_model_call(model->bodies[model->body_count - 1].name, gjb_xml_named(element));
    return model->body_count - 1;
}

void gjb_model_leave_out(gjb_model *model, gjb_left_out why, const char *name)
{
    gjb_model_left *left = &model->left[why];
    if (left->count < GJB_MODEL_NAMES_SHOWN)
        gjb_model_call(left->names[left->count], name[0] != '\0' ? name : "one without a name");
    left->count++;
}

int gjb_names_add(gjb_names *names, const char *name, uint32_t index, const gjb_xml *element)
{
    if (name[0] == '\0')
        return 0;
    if (names->count == names->room) {
        names->room = names->room > 0 ? 2 * names->room : 64;
        gjb_name *grown = realloc(names->list, names->room * sizeof *grown);
        if (grown == NULL)
            return -1;
        names->list = grown;
    }
    names->list[names->count++] = (gjb_name){name, index, element};
    return 0;
}

static int by_name(const void *a, const void *b)
{
    const gjb_name *p = a, *q = b;
    const int order = strcmp(p->name, q->name);
    return order != 0 ? order : p->index < q->index ? -1 : p->index > q->index;
}

const gjb_xml *gjb_names_sort(gjb_names *names)
{
    if (names->count > 0)
        qsort(names->list, names->count, sizeof *names->list, by_name);
    for (size_t i = 1; i < names->count; i++)
        if (strcmp(names->list[i].name, names->list[i - 1].name) == 0)
            return names->list[i].element;
    return NULL;
}

const gjb_name *gjb_names_find(const gjb_names *names, const char *name)
{
    size_t low = 0, high = name != NULL ? names->count : 0;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strcmp(names->list[middle].name, name);
        if (order == 0)
            return &names->list[middle];
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return NULL;
}

void gjb_names_free(gjb_names *names)
{
    free(names->list);
    memset(names, 0, sizeof *names);
}

int gjb_model_by_key(const void *a, const void *b)
{
    const uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return p < q ? -1 : p > q;
}

void gjb_model_sphere(gjb_model_shape *shape, double radius)
{
    shape->kind = GJB_POINT;
    shape->radius = radius;
}

void gjb_model_capsule(gjb_model_shape *shape, double radius, double half)
{
    shape->kind = GJB_SEGMENT;
    shape->radius = radius;
    shape->rows[0][2] = -half;
    shape->rows[1][2] = half;
}

void gjb_model_cylinder(gjb_model_shape *shape, double radius, double half)
{
    shape->kind = GJB_CYLINDER;
    shape->rows[0][0] = radius;
    shape->rows[0][1] = half;
}

void gjb_model_sides(gjb_model_shape *shape, gjb_kind kind, const double half[3])
{
    shape->kind = kind;
    memcpy(shape->rows[0], half, sizeof shape->rows[0]);
}

void gjb_model_free(gjb_model *model)
{
    for (uint32_t i = 0; i < model->mesh_count; i++)
        free(model->meshes[i].points);
    free(model->meshes);
    free(model->shapes);
    free(model->bodies);
    free(model->together);
    free(model->apart);
    if (model->xml != NULL)
        gjb_xml_free(model->xml);
    free(model->xml);
    memset(model, 0, sizeof *model);
}
