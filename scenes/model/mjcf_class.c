/* Classes of defaults of MJCF, and attributes that are looked up in them. */
#include <string.h>

#include "scenes/model/mjcf_parts.h"

/* The last of that name, which is the one that counts. */
static const gjb_xml *last_child(const gjb_xml *element, const char *name)
{
    const gjb_xml *last = NULL;
    for (const gjb_xml *at = gjb_xml_child(element, name); at != NULL; at = gjb_xml_after(at, name))
        last = at;
    return last;
}

static int add_class(gjb_mjcf *m, const gjb_xml *element, int32_t around, int is_top)
{
    const char *name = gjb_xml_value(element, "class");
    if (name == NULL && !is_top)
        return gjb_xml_refuse(m->xml, element, "class", m->error, "a class inside another has a name");
    if (m->class_count == GJB_MJCF_CLASSES_MOST)
        return gjb_xml_refuse(m->xml, element, "class", m->error, "more than %d classes", GJB_MJCF_CLASSES_MOST);
    const int32_t own = m->class_count++;
    m->classes[own] = (gjb_mjcf_class){last_child(element, "geom"), last_child(element, "mesh"), around};
    /* Of several that are not inside others, all are one class, and the last knows those before it. */
    m->main = is_top ? own : m->main;
    if ((!is_top || around == GJB_MJCF_NO_CLASS) &&
        gjb_names_add(&m->class_names, name != NULL ? name : "main", (uint32_t)own, element) != 0)
        return gjb_fail(m->error, "%s: out of memory", m->xml->file);
    for (const gjb_xml *at = gjb_xml_child(element, "default"); at != NULL; at = gjb_xml_after(at, "default"))
        if (add_class(m, at, own, 0) != 0)
            return -1;
    return 0;
}

int gjb_mjcf_read_classes(gjb_mjcf *m)
{
    const gjb_xml *root = m->xml->root;
    m->main = GJB_MJCF_NO_CLASS;
    for (const gjb_xml *at = gjb_xml_child(root, "default"); at != NULL; at = gjb_xml_after(at, "default"))
        if (add_class(m, at, m->main, 1) != 0)
            return -1;
    const gjb_xml *twice = gjb_names_sort(&m->class_names);
    return twice == NULL ? 0
                         : gjb_xml_refuse(m->xml, twice, "class", m->error, "there is a class of that name already");
}

int gjb_mjcf_class_of(const gjb_mjcf *m, const gjb_xml *element, const char *attribute, int32_t usual, int32_t *class)
{
    const char *name = gjb_xml_value(element, attribute);
    const gjb_name *found = gjb_names_find(&m->class_names, name);
    if (name != NULL && found == NULL && strcmp(name, "main") != 0)
        return gjb_xml_refuse(m->xml, element, attribute, m->error, "no <default> has that class");
    /* The first of those that are not inside others has the name, and the last has all that they say. */
    const int is_main = name != NULL && (found == NULL || m->classes[found->index].around == GJB_MJCF_NO_CLASS);
    *class = name == NULL ? usual : is_main ? m->main : (int32_t)found->index;
    return 0;
}

static const gjb_xml *defaults_of(const gjb_mjcf *m, const gjb_mjcf_thing *thing, int32_t class)
{
    return thing->is_mesh ? m->classes[class].mesh : m->classes[class].geom;
}

const gjb_xml *gjb_mjcf_owner(const gjb_mjcf *m, const gjb_mjcf_thing *thing, const char *attribute)
{
    const gjb_xml *at = thing->element;
    int32_t class = thing->class;
    while (at == NULL || gjb_xml_value(at, attribute) == NULL) {
        if (class == GJB_MJCF_NO_CLASS)
            return NULL;
        at = defaults_of(m, thing, class);
        class = m->classes[class].around;
    }
    return at;
}

int gjb_mjcf_numbers(const gjb_mjcf *m, const gjb_mjcf_thing *thing, const char *attribute, int least, int most,
                     double *numbers)
{
    const gjb_xml *owner = gjb_mjcf_owner(m, thing, attribute);
    return owner == NULL ? 0 : gjb_xml_numbers(m->xml, owner, attribute, least, most, numbers, m->error);
}
