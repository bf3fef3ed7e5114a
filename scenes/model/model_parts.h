/* Shared by the files that read models. */
#ifndef GJB_SCENES_MODEL_MODEL_PARTS_H
#define GJB_SCENES_MODEL_MODEL_PARTS_H

#include "scenes/model/model.h"
#include "scenes/model/xml.h"

/* Each reads a tree whose root has the format's name. 0, or -1 with `error`; the caller frees the model. */
int gjb_mjcf_read(const gjb_xml_file *xml, gjb_model *model, gjb_error *error);
int gjb_urdf_read(const gjb_xml_file *xml, gjb_model *model, gjb_error *error);

/* A name, cut to what a model holds and without what must not reach a terminal. */
void gjb_model_call(char name[GJB_MODEL_NAME], const char *text);

/* A new one at the end, zeroed, with name and line; its index. -1 with `error`: more than a model holds, no memory. */
int64_t gjb_model_add_mesh(gjb_model *model, const gjb_xml_file *xml, const gjb_xml *element, gjb_error *error);
int64_t gjb_model_add_shape(gjb_model *model, const gjb_xml_file *xml, const gjb_xml *element, gjb_error *error);
int64_t gjb_model_add_body(gjb_model *model, const gjb_xml_file *xml, const gjb_xml *element, gjb_error *error);

void gjb_model_leave_out(gjb_model *model, gjb_left_out why, const char *name);

/* Elements by name, sorted, for looking up many. */
typedef struct gjb_name {
    const char *name;
    uint32_t index;
    const gjb_xml *element;
} gjb_name;
typedef struct gjb_names {
    gjb_name *list;
    size_t count, room;
} gjb_names;
/* Names with nothing in them are not listed. 0, or -1 without memory. */
int gjb_names_add(gjb_names *names, const char *name, uint32_t index, const gjb_xml *element);
/* Sorts; call it after the last is added. The second element of a name that is there twice, or NULL. */
const gjb_xml *gjb_names_sort(gjb_names *names);
const gjb_name *gjb_names_find(const gjb_names *names, const char *name); /* NULL: none, as for a name that is NULL */
void gjb_names_free(gjb_names *names);

/* The key of a pair of indices, in any order. */
static inline uint64_t gjb_model_key(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}
int gjb_model_by_key(const void *a, const void *b); /* for qsort */

/* Kinds of shapes of both formats, about the local origin, along z. */
void gjb_model_sphere(gjb_model_shape *shape, double radius);
void gjb_model_capsule(gjb_model_shape *shape, double radius, double half);
void gjb_model_cylinder(gjb_model_shape *shape, double radius, double half);
void gjb_model_sides(gjb_model_shape *shape, gjb_kind kind, const double half[3]); /* box and ellipsoid */

#endif
