/* The one file that knows expat; and what is asked of the tree that it gives. */
#include "scenes/model/xml.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory of a tree, freed at once. */
typedef struct gjb_xml_room {
    struct gjb_xml_room *next;
    size_t used, size;
    max_align_t bytes[];
} gjb_xml_room;

void gjb_xml_free(gjb_xml_file *xml)
{
    for (gjb_xml_room *room = xml->rooms, *next; room != NULL; room = next) {
        next = room->next;
        free(room);
    }
    memset(xml, 0, sizeof *xml);
}

const char *gjb_xml_value(const gjb_xml *element, const char *name)
{
    for (uint32_t i = 0; i < element->attribute_count; i++)
        if (strcmp(element->attributes[2 * i], name) == 0)
            return element->attributes[2 * i + 1];
    return NULL;
}

static const gjb_xml *of_name(const gjb_xml *element, const char *name)
{
    while (element != NULL && strcmp(element->name, name) != 0)
        element = element->next;
    return element;
}

const gjb_xml *gjb_xml_child(const gjb_xml *element, const char *name)
{
    return of_name(element->child, name);
}

const gjb_xml *gjb_xml_after(const gjb_xml *element, const char *name)
{
    return of_name(element->next, name);
}

const char *gjb_xml_named(const gjb_xml *element)
{
    const char *name = gjb_xml_value(element, "name");
    return name != NULL ? name : "";
}

int gjb_xml_refuse(const gjb_xml_file *xml, const gjb_xml *element, const char *attribute, gjb_error *error,
                   const char *format, ...)
{
    char why[256], what[256] = "";
    const char *name = gjb_xml_named(element), *value = attribute != NULL ? gjb_xml_value(element, attribute) : NULL;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    if (value != NULL)
        snprintf(what, sizeof what, "%.40s '%.60s%s': ", attribute, value, strlen(value) > 60 ? "…" : "");
    else if (attribute != NULL)
        snprintf(what, sizeof what, "%.40s: ", attribute);
    return gjb_fail(error, "%.200s:%u: %.40s%s%.60s%s: %s%s", xml->file, element->line, element->name,
                    name[0] != '\0' ? " '" : "", name, name[0] != '\0' ? "'" : "", what, why);
}

/* A number of decimal notation: strtod reads more, such as "nan" and "0x1". */
static int read_number(const char **at, double *number)
{
    const size_t length = strspn(*at, "+-.0123456789eE");
    char *end;
    *number = strtod(*at, &end);
    if (length == 0 || end != *at + length || !(fabs(*number) <= 1e12))
        return -1;
    *at = end;
    return *end == '\0' || isspace((unsigned char)*end) ? 0 : -1;
}

int gjb_xml_numbers(const gjb_xml_file *xml, const gjb_xml *element, const char *attribute, int least, int most,
                    double *numbers, gjb_error *error)
{
    const char *at = gjb_xml_value(element, attribute);
    int count = 0;
    if (at == NULL)
        return 0;
    for (;; count++) {
        double number;
        while (isspace((unsigned char)*at))
            at++;
        if (*at == '\0' || count == most)
            break;
        if (read_number(&at, &number) != 0)
            return gjb_xml_refuse(xml, element, attribute, error, "number %d is no number up to 1e12", count + 1);
        numbers[count] = number;
    }
    if (*at == '\0' && count >= least)
        return count;
    return least == most ? gjb_xml_refuse(xml, element, attribute, error, "takes %d number%s", least, &"s"[least == 1])
                         : gjb_xml_refuse(xml, element, attribute, error, "takes %d to %d numbers", least, most);
}

#ifdef HAVE_EXPAT
#include <expat.h>

int gjb_xml_supported(void)
{
    return 1;
}

typedef struct parsing {
    XML_Parser parser;
    gjb_xml_file *xml;
    gjb_xml *open; /* the innermost element */
    uint32_t depth, elements;
    gjb_error *error;
} parsing;

static int stop(parsing *p, const char *what, const char *why)
{
    XML_StopParser(p->parser, XML_FALSE);
    return gjb_fail(p->error, "%.200s:%lu: %.60s: %s", p->xml->file, (unsigned long)XML_GetCurrentLineNumber(p->parser),
                    what, why);
}

static void *room_for(parsing *p, size_t size)
{
    enum { USUAL = 1 << 16 };
    gjb_xml_room *room = p->xml->rooms;
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (room == NULL || room->size - room->used < size) {
        const size_t wanted = size > USUAL ? size : USUAL;
        room = malloc(sizeof *room + wanted);
        if (room == NULL) {
            stop(p, "memory", "none is left");
            return NULL;
        }
        *room = (gjb_xml_room){.next = p->xml->rooms, .size = wanted};
        p->xml->rooms = room;
    }
    char *at = (char *)room->bytes + room->used;
    room->used += size;
    return at;
}

static const char *copy_of(parsing *p, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = room_for(p, size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

static int copy_attributes(parsing *p, gjb_xml *element, const char **attributes)
{
    while (attributes[2 * element->attribute_count] != NULL)
        element->attribute_count++;
    if (element->attribute_count > GJB_XML_ATTRIBUTES_MOST)
        return stop(p, element->name, "more than 256 attributes");
    element->attributes = room_for(p, 2 * (element->attribute_count + 1) * sizeof *element->attributes);
    for (uint32_t i = 0; i < 2 * element->attribute_count && element->attributes != NULL; i++)
        if ((element->attributes[i] = copy_of(p, attributes[i])) == NULL)
            return -1;
    return element->attributes != NULL ? 0 : -1;
}

static int is_include(const char *name)
{
    const char *colon = strrchr(name, ':');
    return strcmp(colon != NULL ? colon + 1 : name, "include") == 0;
}

static void begin(void *data, const char *name, const char **attributes)
{
    parsing *p = data;
    if (p->error->text[0] != '\0')
        return;
    if (is_include(name)) {
        stop(p, name, "other files are not included: write what they hold here");
        return;
    }
    if (++p->depth > GJB_XML_DEPTH_MOST || ++p->elements > GJB_XML_ELEMENTS_MOST) {
        stop(p, name, p->depth > GJB_XML_DEPTH_MOST ? "more than 256 elements deep" : "more than 1048576 elements");
        return;
    }
    gjb_xml *element = room_for(p, sizeof *element);
    if (element == NULL)
        return;
    *element = (gjb_xml){.parent = p->open, .line = (uint32_t)XML_GetCurrentLineNumber(p->parser)};
    if ((element->name = copy_of(p, name)) == NULL || copy_attributes(p, element, attributes) != 0)
        return;
    if (p->open == NULL)
        p->xml->root = element;
    else if (p->open->last == NULL)
        p->open->child = element;
    else
        p->open->last->next = element;
    if (p->open != NULL)
        p->open->last = element;
    p->open = element;
}

static void end(void *data, const char *name)
{
    parsing *p = data;
    (void)name;
    if (p->error->text[0] != '\0')
        return;
    p->open = p->open->parent;
    p->depth--;
}

static void refuse_type(void *data, const char *name, const char *system, const char *public, int has_subset)
{
    (void)name, (void)system, (void)public, (void)has_subset;
    stop(data, "DOCTYPE", "document types and their entities are not read: delete it");
}

int gjb_xml_parse(const char *text, size_t size, const char *file, gjb_xml_file *xml, gjb_error *error)
{
    gjb_error first = {{0}};
    parsing p = {.parser = XML_ParserCreate(NULL), .xml = xml, .error = &first};
    memset(xml, 0, sizeof *xml);
    xml->file = file;
    if (p.parser == NULL)
        return gjb_fail(error, "%s: out of memory", file);
    XML_SetUserData(p.parser, &p);
    XML_SetElementHandler(p.parser, begin, end);
    XML_SetStartDoctypeDeclHandler(p.parser, refuse_type);
    if (XML_Parse(p.parser, text, (int)size, XML_TRUE) != XML_STATUS_OK && first.text[0] == '\0') {
        const enum XML_Error why = XML_GetErrorCode(p.parser);
        gjb_fail(&first, "%.200s:%lu:%lu: not XML: %s%s", file, (unsigned long)XML_GetCurrentLineNumber(p.parser),
                 (unsigned long)XML_GetCurrentColumnNumber(p.parser) + 1, XML_ErrorString(why),
                 why == XML_ERROR_UNDEFINED_ENTITY ? ": entities are not read" : "");
    }
    XML_ParserFree(p.parser);
    if (first.text[0] == '\0')
        return 0;
    gjb_xml_free(xml);
    return gjb_fail(error, "%s", first.text);
}

#else

int gjb_xml_supported(void)
{
    return 0;
}

int gjb_xml_parse(const char *text, size_t size, const char *file, gjb_xml_file *xml, gjb_error *error)
{
    (void)text, (void)size;
    memset(xml, 0, sizeof *xml);
    return gjb_fail(error, "%s: this build reads no MJCF or URDF: install expat (Debian: libexpat1-dev), build again",
                    file);
}
#endif
