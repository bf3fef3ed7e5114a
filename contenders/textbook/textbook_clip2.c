/* The plane: contact manifolds by separating axes and clipping, as tutorials for 2D engines teach them. The edge of
 * either polygon along whose normal the other one is farthest off is the reference edge; a little is added for the
 * first polygon, so that contacts do not flicker. The edge of the other polygon that faces it most is the incident
 * edge, which is clipped by the sides of the reference edge (Sutherland and Hodgman 1974). What is then deep enough
 * is a contact.
 *
 * Faults that are kept: an edge without length has no normal, and a polygon without an inside has no axis along
 * itself; corners that face each other are clipped away, though they may be within the margin. */
#include "contenders/textbook/textbook_parts.h"

typedef struct polygon {
    uint32_t count;
    const double (*at)[2]; /* counter-clockwise, in the world */
} polygon;

static polygon place(const gjb_body2 *body, double (*at)[2])
{
    const gjb_pose2d *pose = &body->pose;
    for (uint32_t i = 0; i < body->count; i++) {
        const double *v = body->vertices[i];
        at[i][0] = pose->c * v[0] - pose->s * v[1] + pose->x;
        at[i][1] = pose->s * v[0] + pose->c * v[1] + pose->y;
    }
    return (polygon){body->count, (const double(*)[2])at};
}

static const double *end_of(const polygon *p, uint32_t edge)
{
    return p->at[edge + 1 < p->count ? edge + 1 : 0];
}

static void normal_of(const polygon *p, uint32_t edge, double normal[2])
{
    double along[2];
    tb_subtract2(end_of(p, edge), p->at[edge], along);
    const double length = sqrt(tb_dot2(along, along));
    normal[0] = along[1] / length;
    normal[1] = -along[0] / length;
}

static double above(const double normal[2], const double origin[2], const double point[2])
{
    double from[2];
    tb_subtract2(point, origin, from);
    return tb_dot2(normal, from);
}

/* The largest separation along any normal of `p`, and its edge. */
static double separation_of(const polygon *p, const polygon *other, uint32_t *edge)
{
    double most = -INFINITY;
    for (uint32_t i = 0; i < p->count; i++) {
        double normal[2], least = INFINITY;
        normal_of(p, i, normal);
        for (uint32_t k = 0; k < other->count; k++)
            least = fmin(least, above(normal, p->at[i], other->at[k]));
        if (least > most && normal[0] == normal[0]) {
            most = least;
            *edge = i;
        }
    }
    return most;
}

static uint32_t incident_edge(const polygon *p, const double facing[2])
{
    uint32_t edge = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < p->count; i++) {
        double normal[2];
        normal_of(p, i, normal);
        const double along = tb_dot2(normal, facing);
        if (along < least) {
            least = along;
            edge = i;
        }
    }
    return edge;
}

/* What of a segment lies below a line; how many points are left of it. */
static uint32_t clip(double segment[2][2], uint32_t count, const double outward[2], const double origin[2])
{
    double kept[3][2];
    uint32_t left = 0;
    if (count < 2)
        return 0;
    const double d[2] = {above(outward, origin, segment[0]), above(outward, origin, segment[1])};
    for (int i = 0; i < 2; i++)
        if (d[i] <= 0)
            memcpy(kept[left++], segment[i], sizeof kept[0]);
    if (d[0] * d[1] < 0) {
        const double t = d[0] / (d[0] - d[1]);
        for (int k = 0; k < 2; k++)
            kept[left][k] = segment[0][k] + t * (segment[1][k] - segment[0][k]);
        left++;
    }
    memcpy(segment, kept, left * sizeof kept[0]);
    return left;
}

/* `on_b`: the reference edge is B's. */
static void add(gjb_answer *answer, int on_b, const double point[2], double separation, const double origin[2],
                uint32_t feature)
{
    gjb_contact3d *contact = &answer->contact[answer->count++];
    double *incident = on_b ? contact->point_a : contact->point_b;
    double *reference = on_b ? contact->point_b : contact->point_a;
    const double sign = on_b ? 1 : -1;
    for (int k = 0; k < 2; k++) {
        incident[k] = point[k] - origin[k];
        reference[k] = incident[k] + sign * separation * answer->normal[k];
    }
    contact->separation = separation;
    contact->feature = feature;
}

void tb_clip2(const gjb_pair2 *pair, double margin, tb_clip_space2 *space, gjb_answer *answer)
{
    const double origin[2] = {pair->a.pose.x, pair->a.pose.y};
    const polygon both[2] = {place(&pair->a, space->at[0]), place(&pair->b, space->at[1])};
    uint32_t edge[2] = {0, 0};
    const double of_a = separation_of(&both[0], &both[1], &edge[0]);
    const double of_b = separation_of(&both[1], &both[0], &edge[1]);
    const double most = fmax(of_a, of_b);
    answer->status = most > 0 ? GJB_SEPARATED : GJB_OVERLAPPING;
    if (most > margin)
        return;
    const int on_b = of_b > of_a + TB_CLIP_PREFERENCE;
    const polygon *reference = &both[on_b], *incident = &both[!on_b];
    const double *from = reference->at[edge[on_b]], *to = end_of(reference, edge[on_b]);
    double normal[2], segment[2][2];
    normal_of(reference, edge[on_b], normal);
    const uint32_t facing = incident_edge(incident, normal);
    memcpy(segment[0], incident->at[facing], sizeof segment[0]);
    memcpy(segment[1], end_of(incident, facing), sizeof segment[1]);
    const double forward[2] = {-normal[1], normal[0]}, back[2] = {normal[1], -normal[0]};
    uint32_t count = clip(segment, 2, back, from);
    count = clip(segment, count, forward, to);
    for (int k = 0; k < 2; k++)
        answer->normal[k] = on_b ? -normal[k] : normal[k];
    for (uint32_t i = 0; i < count; i++) {
        const double separation = above(normal, from, segment[i]);
        if (separation <= margin)
            add(answer, on_b, segment[i], separation, origin,
                (uint32_t)on_b << 25 | edge[on_b] << 13 | facing << 1 | i);
    }
}
