/* The faces of a hull, for libraries that ask for them. By qhull. */
#ifndef GJB_CONTENDERS_HULL_FACES_H
#define GJB_CONTENDERS_HULL_FACES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Faces one after another: the number of corners, then their indices, counter-clockwise
 * seen from outside. */
typedef struct gjb_faces {
    int *numbers;
    size_t length; /* of numbers */
    int count;     /* of faces */
} gjb_faces;

/* 0, or -1 if the points span no volume or memory does not suffice. `faces` is to be
 * freed with gjb_faces_free in both cases. */
int gjb_hull_faces(const double (*points)[3], uint32_t count, gjb_faces *faces);
void gjb_faces_free(gjb_faces *faces);

#ifdef __cplusplus
}
#endif
#endif
