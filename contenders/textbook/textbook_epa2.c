/* The plane: EPA, from GJK's last simplex, by the nearest edge. */
#include "contenders/textbook/textbook_parts.h"

#include <float.h>

typedef gjb_trace_vertex vertex;
typedef tb_walk2 walk;

typedef struct edge {
    double distance, normal[2];
    uint32_t from, to;
} edge;

/* The normal by a triple product, which points away from the origin whatever the winding, and
 * is 0 / 0 if the origin lies on the edge: no such edge is ever the nearest. */
static edge nearest_edge(const vertex *polygon, uint32_t count)
{
    edge nearest = {DBL_MAX, {0, 0}, count - 1, 0};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t j = i + 1 == count ? 0 : i + 1;
        double e[2], n[2];
        tb_subtract2(polygon[j].w, polygon[i].w, e);
        tb_triple2(e, polygon[i].w, e, n);
        const double length = sqrt(tb_dot2(n, n));
        n[0] /= length;
        n[1] /= length;
        const double distance = tb_dot2(n, polygon[i].w);
        if (distance < nearest.distance)
            nearest = (edge){distance, {n[0], n[1]}, i, j};
    }
    return nearest;
}

static void tell_epa(walk *w, tb_space2 *space, uint32_t count, const edge *nearest, const vertex *found,
                     const char *text)
{
    if (w->watch.trace == NULL)
        return;
    for (uint32_t i = 0; i < count; i++) {
        space->edges[i][0] = i;
        space->edges[i][1] = (i + 1) % count;
        space->edges[i][2] = UINT32_MAX;
    }
    gjb_trace_step step = {
        .text = text,
        .has_direction = 1,
        .has_support = 1,
        .has_closest = 1,
        .direction = {nearest->normal[0], nearest->normal[1], 0},
        .support = *found,
        .vertices = space->polygon,
        .vertex_count = count,
        .faces = (const uint32_t(*)[3])space->edges,
        .face_count = count,
        .feature = {nearest->from, nearest->to},
        .feature_count = 2,
    };
    for (int i = 0; i < 2; i++)
        step.closest[i] = nearest->distance < DBL_MAX ? nearest->distance * nearest->normal[i] : 0;
    tb_tell(&w->watch, &step);
}

void tb_epa_polygon2(walk *w, tb_space2 *space, const vertex *simplex, uint32_t count, double tolerance,
                     gjb_answer *answer)
{
    const unsigned before = w->supports;
    memcpy(space->polygon, simplex, count * sizeof *simplex);
    w->watch.method = "epa";
    while (w->supports - before < TB_EPA_CAP) {
        const edge nearest = nearest_edge(space->polygon, count);
        const vertex found = tb_search2(w, nearest.normal);
        const double depth = tb_dot2(found.w, nearest.normal);
        const int done = depth - nearest.distance < tolerance;
        tell_epa(w, space, count, &nearest, &found,
                 nearest.distance == DBL_MAX
                     ? "the origin lies on every edge, none has a normal: direction and depth come out as 0"
                 : done
                     ? "A - B reaches no farther beyond the nearest edge than the tolerance: its normal and "
                       "the support's distance are normal and depth"
                     : "A - B reaches farther than the nearest edge: the support goes in between its ends");
        if (done) {
            answer->status = GJB_OVERLAPPING;
            answer->sigma = 0 - depth;
            memcpy(answer->normal, nearest.normal, sizeof nearest.normal);
            tb_witness2(&space->polygon[nearest.from], &space->polygon[nearest.to],
                        tb_along2(space->polygon[nearest.from].w, space->polygon[nearest.to].w), answer);
            return;
        }
        memmove(space->polygon + nearest.to + 1, space->polygon + nearest.to,
                (count - nearest.to) * sizeof *space->polygon);
        space->polygon[nearest.to] = found;
        count++;
    }
    answer->status = GJB_ITERATION_LIMIT;
}

void tb_epa2(const gjb_pair2 *pair, double tolerance, tb_space2 *space, const gjb_trace *trace,
             gjb_answer *answer)
{
    walk w = tb_start2(pair, trace, "gjk");
    vertex simplex[3];
    uint32_t count;
    answer->status = tb_gjk_simplex2(&w, simplex, &count);
    if (answer->status == GJB_OVERLAPPING)
        tb_epa_polygon2(&w, space, simplex, count, tolerance, answer);
    answer->iterations = w.supports;
}

void tb_dist2(const gjb_pair2 *pair, int deep, int nearer, tb_space2 *space, const gjb_trace *trace,
              gjb_answer *answer)
{
    walk w = tb_start2(pair, trace, "distance");
    vertex simplex[3];
    const uint32_t count = tb_distance2(&w, nearer, simplex, answer);
    if (deep && count > 0)
        tb_epa_polygon2(&w, space, simplex, count, TB_DISTANCE_TOLERANCE, answer);
    answer->iterations = w.supports;
}
