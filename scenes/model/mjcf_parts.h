/* Shared by the files that read MJCF. Conventions of the format: MuJoCo's documentation, "XML reference" and
 * "Modeling". */
#ifndef GJB_SCENES_MODEL_MJCF_PARTS_H
#define GJB_SCENES_MODEL_MJCF_PARTS_H

#include "scenes/model/model_parts.h"

enum { GJB_MJCF_CLASSES_MOST = 1024, GJB_MJCF_NO_CLASS = -1 };

/* A class of defaults, and the class that it takes from what it does not say. */
typedef struct gjb_mjcf_class {
    const gjb_xml *geom, *mesh; /* NULL: it says nothing of them */
    int32_t around;             /* GJB_MJCF_NO_CLASS: none */
} gjb_mjcf_class;

typedef struct gjb_mjcf {
    const gjb_xml_file *xml;
    gjb_model *model;
    gjb_error *error;
    double unit;      /* radians of an angle of the file */
    char sequence[4]; /* of Euler angles */
    gjb_mjcf_class classes[GJB_MJCF_CLASSES_MOST];
    int32_t class_count, main; /* the class of what names none */
    gjb_names class_names, meshes, bodies, geoms; /* a geom that is left out has the index UINT32_MAX */
    gjb_names paired; /* geoms that pairs name: they touch whatever their bits say */
} gjb_mjcf;

/* All classes. 0, or -1 with `error`, as below. */
int gjb_mjcf_read_classes(gjb_mjcf *m);
/* The class that an element's attribute names, else `usual`. */
int gjb_mjcf_class_of(const gjb_mjcf *m, const gjb_xml *element, const char *attribute, int32_t usual, int32_t *class);

/* What a thing's attributes are looked up in: the thing, and a class of defaults. */
typedef struct gjb_mjcf_thing {
    const gjb_xml *element;
    int32_t class;
    int is_mesh; /* else it is a geom */
} gjb_mjcf_thing;
/* The element that holds the attribute: the thing's, or the nearest class that says it. NULL: none. */
const gjb_xml *gjb_mjcf_owner(const gjb_mjcf *m, const gjb_mjcf_thing *thing, const char *attribute);
/* How many numbers it has, 0 if it is not there. Others stay. -1 with `error`. */
int gjb_mjcf_numbers(const gjb_mjcf *m, const gjb_mjcf_thing *thing, const char *attribute, int least, int most,
                     double *numbers);

/* Position and orientation of an element that has no defaults. */
int gjb_mjcf_frame(const gjb_mjcf *m, const gjb_xml *element, gjb_frame3 *frame);

/* Adds the shape of a geom of a body, or counts it as left out. `around` is the frame that it lies in. */
int gjb_mjcf_geom(gjb_mjcf *m, const gjb_xml *element, uint32_t body, const gjb_frame3 *around, int32_t class);

#endif
