/* Inside the reference room: the faces of the upper side of points over a plane. */
#ifndef REF_FACES_H
#define REF_FACES_H

#include "reference/oracle/exact3.h"

/* Three points on a face, counter-clockwise seen from above and not on one line there; and which of the list of all
 * corners are its own, in that order. */
typedef struct ref_upper_face {
    uint32_t at[3], first, count;
} ref_upper_face;

/* The faces of the hull of the points that look up, along the third coordinate, each of them once however many points
 * are on it, and their corners unless that is NULL. Not all points may be over one line. The caller frees both. Exact. */
ref_upper_face *ref_upper_faces(const ref_vector3 *points, uint32_t count, uint32_t *face_count,
                                uint32_t **corners);

#endif
