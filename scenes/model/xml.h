/* XML as a tree of bounded size: elements, attributes and lines. What it may not hold is refused by name. */
#ifndef GJB_SCENES_MODEL_XML_H
#define GJB_SCENES_MODEL_XML_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

enum { GJB_XML_DEPTH_MOST = 256, GJB_XML_ATTRIBUTES_MOST = 256, GJB_XML_ELEMENTS_MOST = 1 << 20 };

typedef struct gjb_xml {
    const char *name;
    uint32_t line, attribute_count;
    const char **attributes; /* name, value, name, value, … */
    struct gjb_xml *parent, *child, *last, *next;
} gjb_xml;

/* Owns its tree; free with gjb_xml_free. */
typedef struct gjb_xml_file {
    const char *file; /* its name in errors, the caller's */
    gjb_xml *root;
    struct gjb_xml_room *rooms;
} gjb_xml_file;

/* 1 if this build reads XML. */
int gjb_xml_supported(void);

/* Parses text in memory. A document type, an entity beyond the five of XML, an element `include` of any prefix, and
 * more or deeper elements than above are refused: nothing is ever opened or expanded. 0, or -1 with one line in `error`
 * naming file, line and what is wrong; `xml` then owns nothing. */
int gjb_xml_parse(const char *text, size_t size, const char *file, gjb_xml_file *xml, gjb_error *error);
void gjb_xml_free(gjb_xml_file *xml); /* a zeroed one is fine */

/* The value of an attribute, NULL if it is not there. */
const char *gjb_xml_value(const gjb_xml *element, const char *name);
/* The first child of that name, or the first element of that name after `element` among its siblings; NULL: none. */
const gjb_xml *gjb_xml_child(const gjb_xml *element, const char *name);
const gjb_xml *gjb_xml_after(const gjb_xml *element, const char *name);
/* Name of the element: its attribute `name`, else "". */
const char *gjb_xml_named(const gjb_xml *element);

/* Fails with "FILE:LINE: ELEMENT 'NAME': ATTRIBUTE 'VALUE': why"; without the attribute if it is NULL: -1. */
int gjb_xml_refuse(const gjb_xml_file *xml, const gjb_xml *element, const char *attribute, gjb_error *error,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Reads an attribute's numbers: finite, at most 1e12 by magnitude, with blanks between. How many there are, from
 * `least` to `most`; 0 if the attribute is not there; -1 with `error`. */
int gjb_xml_numbers(const gjb_xml_file *xml, const gjb_xml *element, const char *attribute, int least, int most,
                    double *numbers, gjb_error *error);

#endif
