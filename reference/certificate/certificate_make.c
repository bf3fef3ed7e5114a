/* Makes certificates from the reference's answer or a given one: direction, points, simplex and polytope. */
#include "reference/certificate/certificate_make.h"

#include <stdlib.h>
#include <string.h>

#include "reference/certificate/certificate_search.h"
#include "reference/methods/surface3.h"
#include "reference/reference.h"

typedef struct making {
    const gjb_pair *pair;
    ref_maker m;
    ref_certificate *c;
    uint32_t inner_room[2];
} making;

/* The number of a corner's side: that of its vertex, or of an inner point that is noted now. */
static uint32_t number_of(making *k, int s, const ref_made_corner *corner)
{
    ref_certificate *c = k->c;
    if (!k->m.side[s].curved)
        return corner->index[s];
    for (uint32_t i = 0; i < c->inner_count[s]; i++)
        if (!memcmp(c->inner[s][i], corner->local[s], sizeof corner->local[s]))
            return i;
    c->inner[s] = ref_grown(c->inner[s], &k->inner_room[s], c->inner_count[s] + 1, sizeof *c->inner[s]);
    memcpy(c->inner[s][c->inner_count[s]], corner->local[s], sizeof corner->local[s]);
    return c->inner_count[s]++;
}

static void terms_of(making *k, int s, const ref_made_nearest *found, ref_terms *terms)
{
    uint32_t rooms[2] = {0};
    terms->count = 0;
    terms->index = ref_grown(NULL, &rooms[0], 4, sizeof *terms->index);
    terms->weight = ref_grown(NULL, &rooms[1], 4, sizeof *terms->weight);
    for (int i = 0; i < found->count; i++) {
        terms->index[terms->count] = number_of(k, s, &found->simplex[i]);
        terms->weight[terms->count++] = (double)found->weight[i];
    }
}

/* The bound from above that the part of the proof which `alone` has gives by itself; infinite if it does
 * not hold. Its inner points are borrowed. */
static double above(const making *k, ref_certificate *alone)
{
    ref_certified verdict;
    memcpy(alone->inner, k->c->inner, sizeof alone->inner);
    memcpy(alone->inner_count, k->c->inner_count, sizeof alone->inner_count);
    alone->lo = -HUGE_VAL;
    alone->hi = HUGE_VAL;
    ref_certificate_check(k->pair, alone, &verdict);
    return verdict.hi;
}

/* In floating point the origin may seem to be held: what is not is left out. */
static void note_simplex(making *k, const ref_made_nearest *found)
{
    ref_certificate alone = {.simplex_count = (uint32_t)found->count};
    for (int i = 0; i < found->count; i++)
        for (int s = 0; s < 2; s++)
            alone.simplex[i][s] = number_of(k, s, &found->simplex[i]);
    if (above(k, &alone) < HUGE_VAL) {
        memcpy(k->c->simplex, alone.simplex, sizeof alone.simplex);
        k->c->simplex_count = alone.simplex_count;
    }
}

/* Takes the arrays, or frees them. */
static void note_polytope(making *k, ref_certificate *alone)
{
    if (alone->face_count && above(k, alone) < HUGE_VAL) {
        k->c->vertices = alone->vertices;
        k->c->faces = alone->faces;
        k->c->vertex_count = alone->vertex_count;
        k->c->face_count = alone->face_count;
    } else {
        free(alone->vertices);
        free(alone->faces);
    }
}

static void expand(making *k, const ref_real normal[3])
{
    ref_made_polytope found;
    ref_certificate alone = {.lo = 0};
    uint32_t room = 0;
    ref_made_expand(&k->m, normal, &found);
    alone.vertices = ref_grown(NULL, &room, found.corner_count, sizeof *alone.vertices);
    alone.vertex_count = found.corner_count;
    alone.faces = found.faces;
    alone.face_count = found.face_count;
    for (uint32_t v = 0; v < found.corner_count && found.face_count; v++)
        for (int s = 0; s < 2; s++)
            alone.vertices[v][s] = number_of(k, s, &found.corners[v]);
    note_polytope(k, &alone);
    free(found.corners);
}

typedef struct told {
    gjb_status status;
    double normal[3], points[2][3];
} told;

/* What the reference says; of polytopes in space it brings one of D along. */
static told ask_reference(making *k)
{
    told t = {.status = GJB_UNWRITTEN};
    if (k->pair->dim == 2) {
        const ref_answer answer = ref_signed_distance2(&k->pair->as.plane);
        t.status = answer.status;
        memcpy(t.normal, answer.normal, sizeof answer.normal);
        memcpy(t.points[0], answer.point_a, sizeof answer.point_a);
        memcpy(t.points[1], answer.point_b, sizeof answer.point_b);
        return t;
    }
    ref_polytope3 polytope = {0};
    const ref_answer3 answer = ref_signed_distance3(&k->pair->as.space, &polytope);
    t.status = answer.status;
    memcpy(t.normal, answer.normal, sizeof answer.normal);
    memcpy(t.points[0], answer.point_a, sizeof answer.point_a);
    memcpy(t.points[1], answer.point_b, sizeof answer.point_b);
    if (polytope.face_count) {
        ref_certificate alone = {.vertices = polytope.vertices,
                                 .faces = polytope.faces,
                                 .vertex_count = polytope.vertex_count,
                                 .face_count = polytope.face_count};
        note_polytope(k, &alone);
    } else {
        ref_polytope3_free(&polytope);
    }
    return t;
}

/* The point of a core nearest to the given one. */
static void near_point(making *k, int s, const double told_point[3], const ref_real normal[3], ref_terms *terms)
{
    ref_made_nearest best = {.distance = HUGE_VALL};
    ref_real target[3] = {0};
    for (uint32_t m = 0; m < k->m.dim; m++)
        target[m] = told_point[m];
    for (int start = 0; start < 4; start++) { /* of thin cores one may stall */
        ref_real from[3];
        ref_made_nearest found;
        for (int m = 0; m < 3; m++)
            from[m] = start == 0 ? (s ? normal[m] : -normal[m]) : m == start - 1 && m < (int)k->m.dim;
        ref_made_approach(&k->m, s, target, from, &found);
        if (found.distance < best.distance)
            best = found;
    }
    terms_of(k, s, &best, terms);
}

/* The given points, or else the reference's or those of the nearest point of D, whichever are nearer to each
 * other. */
static void note_points(making *k, const ref_made_nearest *found, const double (*told_points)[3],
                        const double (*reference)[3], const ref_real normal[3])
{
    ref_certificate near = {.lo = 0}, joint = {.lo = 0};
    for (int s = 0; s < 2; s++) {
        near_point(k, s, told_points ? told_points[s] : reference[s], normal, &near.points[s]);
        terms_of(k, s, found, &joint.points[s]);
    }
    ref_certificate *best = told_points || above(k, &near) <= above(k, &joint) ? &near : &joint;
    memcpy(k->c->points, best->points, sizeof best->points);
    for (int s = 0; s < 2; s++) {
        ref_certificate *other = best == &near ? &joint : &near;
        free(other->points[s].index);
        free(other->points[s].weight);
    }
}

/* The other core's point next to the answer's, or else its lowest. */
static void prove_plane(making *k, int s, const ref_evidence *evidence)
{
    const ref_real nowhere[3] = {0};
    const ref_made_side *side = &k->m.side[s];
    ref_real outward[3] = {0};
    k->c->has_plane = true;
    for (uint32_t i = 0; i < k->m.dim; i++)
        for (uint32_t m = 0; m < k->m.dim; m++)
            outward[m] += side->turn[m][i] * side->rows[i];
    if (evidence->points) {
        near_point(k, 1 - s, evidence->points[1 - s], outward, &k->c->points[1 - s]);
        return;
    }
    const ref_made_nearest lowest = {
        .simplex = {ref_made_support(&k->m, 1 - s, nowhere, outward)}, .weight = {1}, .count = 1};
    terms_of(k, 1 - s, &lowest, &k->c->points[1 - s]);
}

void ref_certificate_prove(const gjb_pair *pair, const ref_evidence *evidence, ref_certificate *c)
{
    making k = {.pair = pair, .c = c};
    if (gjb_pair_unbounded(pair)) {
        const gjb_kind kind = pair->dim == 2 ? pair->as.plane.a.kind : pair->as.space.a.kind;
        ref_maker_open(&k.m, pair);
        prove_plane(&k, !gjb_is_unbounded(kind), evidence);
        return;
    }
    const told reference = ask_reference(&k);
    const ref_real nowhere[3] = {0};
    ref_real normal[3] = {0};
    ref_made_nearest found;
    ref_maker_open(&k.m, pair);
    c->has_direction = true;
    for (uint32_t m = 0; m < pair->dim; m++) {
        c->direction[m] = evidence->normal ? evidence->normal[m] : reference.normal[m];
        normal[m] = reference.normal[m];
    }
    ref_made_approach(&k.m, -1, nowhere, normal, &found);
    if (found.holds) {
        note_simplex(&k, &found);
        if (!c->face_count)
            expand(&k, normal);
    }
    note_points(&k, &found, evidence->points, reference.points, normal);
}

void ref_certificate_claim(const gjb_pair *pair, ref_certificate *c)
{
    ref_certified verdict;
    c->lo = -HUGE_VAL;
    c->hi = HUGE_VAL;
    c->sign = 0;
    ref_certificate_check(pair, c, &verdict);
    c->lo = verdict.lo;
    c->hi = verdict.hi;
    c->sign = verdict.sign;
}
