/* Parts of JSON readers: values of an expected kind, or one line that names file, place and
 * value if they are of another. */
#ifndef GJB_SCENES_SCENE_JSON_PARTS_H
#define GJB_SCENES_SCENE_JSON_PARTS_H

#include <jansson.h>

#include "core/error.h"
#include "core/types.h"

typedef struct gjb_json_reader {
    const char *file;
    gjb_error *error;
    uint32_t dim;
    gjb_precision precision;
    double *largest_angle; /* of poses; NULL: not needed */
} gjb_json_reader;

/* A place in the document; spelled out only in errors. */
typedef struct gjb_json_path {
    const struct gjb_json_path *up;
    const char *key; /* NULL: an index */
    uint64_t index;
} gjb_json_path;

#define KEY(parent, name) (&(const gjb_json_path){(parent), (name), 0})
#define INDEX(parent, number) (&(const gjb_json_path){(parent), NULL, (number)})

/* All return 0, or -1 with an error. */
int gjb_json_refuse(const gjb_json_reader *r, const gjb_json_path *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int gjb_json_refuse_type(const gjb_json_reader *r, const gjb_json_path *where, const json_t *value,
                         const char *wanted);
/* Checks that an object has only these fields: a misspelt one must not pass as a default.
 * `fields` ends with NULL. */
int gjb_json_object(const gjb_json_reader *r, const gjb_json_path *where, json_t *object,
                    const char *const *fields);
/* A number, rounded to the precision. */
int gjb_json_number(const gjb_json_reader *r, const gjb_json_path *where, const json_t *value,
                    double *number);
/* An array of exactly `size` numbers. */
int gjb_json_numbers(const gjb_json_reader *r, const gjb_json_path *where, const json_t *array, size_t size,
                     double *numbers);
int gjb_json_index(const gjb_json_reader *r, const gjb_json_path *where, const json_t *value,
                   uint32_t *index);
/* Copies to zero-filled `text`; does nothing if there is no value. */
int gjb_json_text(const gjb_json_reader *r, const gjb_json_path *where, const json_t *value, char *text,
                  size_t size);
/* Array under `key` of `object`. NULL with an error when it is something else. */
const json_t *gjb_json_array(const gjb_json_reader *r, const gjb_json_path *up, const json_t *object,
                             const char *key);

#endif
