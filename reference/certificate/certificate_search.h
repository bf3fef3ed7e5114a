/* Inside the reference room: the searches behind certificate_make.h. World axes about A's translation. */
#ifndef REF_CERTIFICATE_SEARCH_H
#define REF_CERTIFICATE_SEARCH_H

#include "reference/certificate/certificate_make.h"
#include "reference/vector.h"

typedef struct ref_made_side {
    gjb_kind kind;
    bool curved;
    uint32_t count;
    const double *rows;
    double radius;
    ref_real turn[3][3], offset[3];
} ref_made_side;

typedef struct ref_maker {
    uint32_t dim;
    double size;
    ref_made_side side[2];
} ref_maker;

/* A vertex of D, or of one core less a target. */
typedef struct ref_made_corner {
    uint32_t index[2];  /* of cores with vertices */
    double local[2][3]; /* of curved ones */
    ref_real w[3];
} ref_made_corner;

void ref_maker_open(ref_maker *m, const gjb_pair *pair);
/* The corner that minimises n.w over D (`of` -1), or over the core of side `of` less `target`. */
ref_made_corner ref_made_support(const ref_maker *m, int of, const ref_real target[3], const ref_real n[3]);

typedef struct ref_made_nearest {
    ref_made_corner simplex[4];
    ref_real weight[4], distance;
    int count;
    bool holds; /* the origin, as far as rounding goes */
} ref_made_nearest;
/* GJK (Gilbert, Johnson, Keerthi 1988) from a first direction. */
void ref_made_approach(const ref_maker *m, int of, const ref_real target[3], const ref_real from[3],
                       ref_made_nearest *out);

/* EPA (van den Bergen 2001) from a first direction: corners and faces of a polytope inside D; none where D
 * is flat but for rounding. The caller frees both. */
typedef struct ref_made_polytope {
    ref_made_corner *corners;
    uint32_t (*faces)[3];
    uint32_t corner_count, face_count;
} ref_made_polytope;
void ref_made_expand(const ref_maker *m, const ref_real from[3], ref_made_polytope *out);

#endif
