/* Motions of imported cases: displacements or velocities, and the time that a step takes. */
#include <math.h>

#include "verify/known_failures_private.h"

/* Largest distance from the body's origin. */
static double reach(const gjb_known_context *c, const gjb_known_body *b)
{
    double farthest = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        const double *row = b->rows + i * c->dim;
        farthest = fmax(farthest, hypot(hypot(row[0], row[1]), c->dim == 3 ? row[2] : 0));
    }
    return farthest + b->radius;
}

static double length(const gjb_known_context *c, const double *v)
{
    return hypot(hypot(v[0], v[1]), c->dim == 3 ? v[2] : 0);
}

/* A time by which bodies that go on for ever have met, or never do: then their bounding spheres, doubled, are
 * past one another. A power of two, so that ways are exact. */
static double horizon(const gjb_known_context *c, const gjb_known_body *a, const gjb_known_body *b)
{
    double apart[GJB_KNOWN_DIMS] = {0}, faster[GJB_KNOWN_DIMS] = {0};
    for (uint32_t k = 0; k < c->dim; k++) {
        apart[k] = b->place[k] - a->place[k];
        faster[k] = b->way[k] - a->way[k];
    }
    const double speed = length(c, faster), far = length(c, apart) + 2 * (reach(c, a) + reach(c, b));
    return speed > 0 && far > 0 ? ldexp(1, (int)ceil(log2(far / speed))) : 1;
}

/* How a body goes on: the way of the whole motion, or a velocity. 0 if it has no motion. */
static int read_way(const gjb_known_context *c, const json_t *json, gjb_known_body *b, int *whole)
{
    const json_t *way = json_object_get(json, "translation"), *speed = json_object_get(json, "velocity");
    const json_t *turn = json_object_get(json, "rotation");
    for (uint32_t k = 0; k < GJB_KNOWN_DIMS; k++)
        b->way[k] = b->angle[k] = 0;
    *whole |= way || turn;
    if (!json)
        return 0;
    if (way && speed)
        return REFUSE(c, "%s", "motion: translation or velocity is wanted, not both");
    if ((way && gjb_known_vector(c, way, "motion.translation", b->way)) ||
        (speed && gjb_known_vector(c, speed, "motion.velocity", b->way)))
        return -1;
    if (turn && c->dim == 2)
        return gjb_known_number(c, turn, "motion.rotation", &b->angle[0]);
    return turn ? gjb_known_vector(c, turn, "motion.rotation", b->angle) : 0;
}

int gjb_known_motion(gjb_known_context *c, const json_t *json, gjb_known_body *a, gjb_known_body *b,
                     double *step)
{
    const json_t *end = json_object_get(json, "t_max");
    int whole = 0;
    *step = 1;
    if (!json_is_object(json))
        return REFUSE(c, "%s", "motion: an object is wanted");
    if (read_way(c, json_object_get(json, "A"), a, &whole) ||
        read_way(c, json_object_get(json, "B"), b, &whole))
        return -1;
    if (whole) {
        if (end && (json_is_null(end) || json_number_value(end) != 1))
            snprintf(c->why, sizeof c->why, "motion given as a whole, with an end of time");
        return 0;
    }
    if (!end || json_is_null(end))
        *step = horizon(c, a, b);
    else if (gjb_known_number(c, end, "motion.t_max", step))
        return -1;
    if (!(*step > 0))
        return REFUSE(c, "motion.t_max: %g, more than 0 is wanted", *step);
    for (uint32_t k = 0; k < c->dim; k++) {
        a->way[k] *= *step;
        b->way[k] *= *step;
    }
    return 0;
}
