/* What both methods of contacts in the plane share: the question, ids of features, and records.
 *
 * Heights are along the normal n, from A's origin; places are along the tangent (-ny, nx). A turned shape's vertex is
 * asked with the normal turned back, so that no vertex is placed. A's feature is asked along n. B's is asked against n,
 * which turns its heights and places about.
 *
 * Feature ids. A contact of edges has A's corner at that end of A's edge, and B's edge. So it keeps its id whichever
 * of the two edges ends there, and while the margin cuts it: only another edge of B, or other corners of A, change it.
 * A corner of A on an edge of B has the same id as when the edge next to it was level. A corner of B on an edge
 * of A has that edge and the corner. */
#ifndef GJB_SIMD_MANIFOLD2_H
#define GJB_SIMD_MANIFOLD2_H

#include "simd/context.h"

#if GJB_BITS == 32
typedef gjb_manifold2f manifold2;
typedef gjb_contact2f contact2;
#else
typedef gjb_manifold2d manifold2;
typedef gjb_contact2d contact2;
#endif

/* Tangent of the angle within which an edge counts as level: that of a sine of 1/64, and as much more as rounding of the
 * normal may take. No more than that: where chains of edges meet, an edge beyond the angle may be taken for the one
 * that is wanted. */
#define LEVEL_TANGENT (REAL_TANGENT * (1 + 512 * REAL_EPSILON))
#define REAL_TANGENT ((real)0.01562690780137034)
/* Of the size of the pair. Ends no farther apart are one contact. */
#define SAME_PLACE (16 * REAL_EPSILON)
/* The deepest contact is no more than this above the signed distance. */
#define AS_DEEP (8 * REAL_EPSILON)

/* What meets, above two times 12 bits for A and B. Never 0, and small enough that no id is a float that is no number. */
enum { KIND_ENDS = 1, KIND_CORNER_OF_B, KIND_CORNERS, KIND_BETWEEN /* the ends of chains */, KIND_CURVED };
#define KIND_SHIFT 24
#define OF_B 4096 /* by which B's number counts: GJB_MAX_VERTICES */

typedef struct patches2 {
    const gjb_library *library;
    const gjb_batch *batch;
    const size_t *pair;  /* their numbers in the batch */
    const record *found; /* their signed distances */
} patches2;

LANE_FN char *manifold_of(const patches2 *p, size_t i)
{
    return (char *)p->batch->results + p->pair[i] * p->batch->result_stride;
}

/* No contacts. How soon a distance ended as too large depends on how many pairs were asked together. */
LANE_FN void write_none(const patches2 *p, size_t i)
{
    char *to = manifold_of(p, i);
    const gjb_head head = {.status = p->found[i].head.status};
    memset(to, 0, sizeof(manifold2));
    memcpy(to, &head, sizeof head);
}

LANE_FN contact2 witness_contact(const record *r, uint32_t feature)
{
    return (contact2){.point_a = {r->point_a[0], r->point_a[1]},
                      .point_b = {r->point_b[0], r->point_b[1]},
                      .separation = r->value,
                      .feature = feature};
}

/* Contacts whose numbers may be -0. */
LANE_FN void write_manifold(const patches2 *p, size_t i, const contact2 *contact, uint32_t count)
{
    const record *r = p->found + i;
    manifold2 m;
    memset(&m, 0, sizeof m);
    m.head = r->head;
    m.count = count;
    for (uint32_t k = 0; k < count; k++) {
        for (int axis = 0; axis < 2; axis++) {
            m.contact[k].point_a[axis] = contact[k].point_a[axis] + 0;
            m.contact[k].point_b[axis] = contact[k].point_b[axis] + 0;
            m.normal[axis] = r->normal[axis] + 0;
        }
        m.contact[k].separation = contact[k].separation + 0;
        m.contact[k].feature = contact[k].feature;
    }
    memcpy(manifold_of(p, i), &m, sizeof m);
}

/* The witness points alone. */
LANE_FN void write_witness(const patches2 *p, size_t i, uint32_t kind)
{
    const contact2 only = witness_contact(p->found + i, kind << KIND_SHIFT);
    write_manifold(p, i, &only, 1);
}

/* The batch's margin in `real`. */
LANE_FN real margin_of(const patches2 *p)
{
    const double margin = p->batch->margin;
    return margin < (double)REAL_MAX ? (real)margin : (real)INFINITY;
}

#endif
