/* Support gaps and point distances of an answer, which are often those of the next answer, to the bit. */
#include "grading/grade_private.h"

static int same_vector(const long double u[3], const double v[3])
{
    return u[0] == v[0] && u[1] == v[1] && u[2] == v[2];
}

long double gjb_gap_along(gjb_truth *truth, const double normal[3])
{
    gjb_measured *m = &truth->measured;
    if (!m->has_gap || !same_vector(m->normal, normal)) {
        for (int k = 0; k < 3; k++)
            m->normal[k] = normal[k];
        m->gap = gjb_support_gap(&truth->placed, m->normal);
        m->has_gap = 1;
    }
    return m->gap;
}

long double gjb_distance_to(gjb_truth *truth, int of_b, const double point[3])
{
    gjb_measured *m = &truth->measured;
    if (!m->has_distance[of_b] || !same_vector(m->point[of_b], point)) {
        for (int k = 0; k < 3; k++)
            m->point[of_b][k] = point[k];
        m->distance[of_b] = gjb_point_distance(&truth->placed, of_b, m->point[of_b]);
        m->has_distance[of_b] = 1;
    }
    return m->distance[of_b];
}
