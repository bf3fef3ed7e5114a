/* EPA's closed surface in space: faces that see a vertex give way to a cone over their horizon. */
#include "reference/methods/surface3.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *ref_grown(void *array, uint32_t *room, uint32_t count, size_t size)
{
    if (count <= *room)
        return array;
    uint32_t wanted = 2 * count > 64 ? 2 * count : 64;
    void *grown = realloc(array, wanted * size);
    if (!grown) {
        fputs("gjkbench: out of memory in the reference\n", stderr);
        abort();
    }
    *room = wanted;
    return grown;
}

static void push(uint32_t **list, uint32_t *count, uint32_t *room, uint32_t value)
{
    *list = ref_grown(*list, room, *count + 1, sizeof **list);
    (*list)[(*count)++] = value;
}

static uint32_t new_face(ref_surface3 *s)
{
    if (s->vacant_count)
        return s->vacant[--s->vacant_count];
    s->faces = ref_grown(s->faces, &s->room, s->count + 1, sizeof *s->faces);
    return s->count++;
}

void ref_surface3_open(ref_surface3 *s)
{
    static const uint32_t v[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const uint32_t across[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    s->count = s->vacant_count = s->fresh_count = s->extensions = 0;
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t at = new_face(s);
        s->faces[at] = (ref_face3){.gone = false};
        memcpy(s->faces[at].v, v[k], sizeof v[k]);
        memcpy(s->faces[at].across, across[k], sizeof across[k]);
        push(&s->fresh, &s->fresh_count, &s->fresh_room, at);
    }
}

static bool ask(ref_surface3 *s, uint32_t face, ref_sees3 sees, void *context, bool *first_time)
{
    *first_time = s->faces[face].asked != s->extensions;
    if (*first_time) {
        s->faces[face].asked = s->extensions;
        s->faces[face].sees = sees(context, face);
    }
    return s->faces[face].sees;
}

static uint32_t edge_towards(const ref_face3 *face, uint32_t v)
{
    return face->v[1] == v ? 0 : face->v[2] == v ? 1 : 2;
}

/* The faces that see stay on the stack, the edges to others go to the horizon. */
static void flood(ref_surface3 *s, uint32_t first, ref_sees3 sees, void *context)
{
    bool first_time;
    s->stack_count = s->horizon_count = 0;
    s->extensions++;
    ask(s, first, sees, context, &first_time);
    s->faces[first].sees = true;
    push(&s->stack, &s->stack_count, &s->stack_room, first);
    for (uint32_t at = 0; at < s->stack_count; at++) {
        for (uint32_t k = 0; k < 3; k++) {
            const ref_face3 *face = &s->faces[s->stack[at]];
            uint32_t other = face->across[k], v = face->v[k], next = face->v[(k + 1) % 3];
            if (ask(s, other, sees, context, &first_time)) {
                if (first_time)
                    push(&s->stack, &s->stack_count, &s->stack_room, other);
                continue;
            }
            s->horizon = ref_grown(s->horizon, &s->horizon_room, s->horizon_count + 1, sizeof *s->horizon);
            s->horizon[s->horizon_count++] = (ref_edge3){v, next, other, edge_towards(&s->faces[other], v)};
        }
    }
}

/* Brings the horizon's edges into their order. */
static bool one_simple_line(ref_surface3 *s)
{
    for (uint32_t k = 0; k + 1 < s->horizon_count; k++) {
        uint32_t follows = s->horizon_count;
        for (uint32_t m = k + 1; m < s->horizon_count; m++) {
            if (s->horizon[m].v == s->horizon[k].next_v) {
                if (follows != s->horizon_count)
                    return false;
                follows = m;
            }
        }
        if (follows == s->horizon_count)
            return false;
        ref_edge3 swap = s->horizon[follows];
        s->horizon[follows] = s->horizon[k + 1];
        s->horizon[k + 1] = swap;
    }
    return s->horizon_count >= 3 && s->horizon[s->horizon_count - 1].next_v == s->horizon[0].v;
}

bool ref_surface3_extend(ref_surface3 *s, uint32_t first, uint32_t vertex, ref_sees3 sees, void *context)
{
    flood(s, first, sees, context);
    if (!one_simple_line(s))
        return false;
    for (uint32_t k = 0; k < s->stack_count; k++) {
        s->faces[s->stack[k]].gone = true;
        push(&s->vacant, &s->vacant_count, &s->vacant_room, s->stack[k]);
    }
    s->fresh_count = 0;
    for (uint32_t k = 0; k < s->horizon_count; k++)
        push(&s->fresh, &s->fresh_count, &s->fresh_room, new_face(s));
    for (uint32_t k = 0; k < s->horizon_count; k++) {
        const ref_edge3 *edge = &s->horizon[k];
        uint32_t after = s->fresh[k + 1 < s->horizon_count ? k + 1 : 0];
        uint32_t before = s->fresh[k ? k - 1 : s->horizon_count - 1];
        s->faces[s->fresh[k]] =
            (ref_face3){.v = {edge->v, edge->next_v, vertex}, .across = {edge->beyond, after, before}};
        s->faces[edge->beyond].across[edge->beyond_edge] = s->fresh[k];
    }
    return true;
}

void ref_surface3_free(ref_surface3 *s)
{
    free(s->faces);
    free(s->vacant);
    free(s->stack);
    free(s->horizon);
    free(s->fresh);
    memset(s, 0, sizeof *s);
}

void ref_surface3_write(const ref_surface3 *s, uint32_t vertex_count, ref_polytope3 *out)
{
    out->vertices = ref_grown(out->vertices, &out->vertex_room, vertex_count, sizeof *out->vertices);
    out->faces = ref_grown(out->faces, &out->face_room, s->count, sizeof *out->faces);
    out->vertex_count = vertex_count;
    out->face_count = 0;
    for (uint32_t k = 0; k < s->count; k++)
        if (!s->faces[k].gone)
            memcpy(out->faces[out->face_count++], s->faces[k].v, sizeof s->faces[k].v);
}

void ref_polytope3_free(ref_polytope3 *polytope)
{
    free(polytope->vertices);
    free(polytope->faces);
    *polytope = (ref_polytope3){0};
}

/* Edges sorted by their lower vertex (a counting sort), then matched among the
 * few that share it. */
bool ref_closed3(const uint32_t (*faces)[3], uint32_t face_count, uint32_t vertex_count)
{
    typedef struct half { uint32_t other; int way; } half;
    uint32_t first_room = 0, half_room = 0, edges = 3 * face_count;
    uint32_t *first = ref_grown(NULL, &first_room, vertex_count + 2, sizeof *first);
    half *halves = ref_grown(NULL, &half_room, edges + 1, sizeof *halves);
    memset(first, 0, (vertex_count + 2) * sizeof *first);
    bool closed = true;
    for (uint32_t e = 0; e < edges && closed; e++) {
        uint32_t u = faces[e / 3][e % 3], v = faces[e / 3][(e + 1) % 3];
        closed = u < vertex_count && v < vertex_count && u != v;
        first[closed ? (u < v ? u : v) + 2 : 0]++;
    }
    for (uint32_t k = 2; k < vertex_count + 2; k++)
        first[k] += first[k - 1];
    for (uint32_t e = 0; e < edges && closed; e++) {
        uint32_t u = faces[e / 3][e % 3], v = faces[e / 3][(e + 1) % 3], low = u < v ? u : v;
        halves[first[low + 1]++] = (half){u < v ? v : u, u < v ? 1 : -1};
    }
    for (uint32_t k = 0; k < vertex_count && closed; k++) {
        for (uint32_t e = first[k]; e < first[k + 1] && closed; e++) {
            int sum = 0;
            for (uint32_t f = first[k]; f < first[k + 1]; f++)
                sum += halves[f].other == halves[e].other ? halves[f].way : 0;
            closed = sum == 0;
        }
    }
    free(first);
    free(halves);
    return closed;
}
