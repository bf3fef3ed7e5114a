/* Places the shapes of a walk and their Minkowski difference, and chooses where from they are seen. */
#include "explain/explain_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIFFERENCES = 100000, SUPPORTS = 4096 };

void stage_free(stage *s)
{
    for (int b = 0; b < BODIES; b++)
        solid_free(&s->bodies[b]);
}

/* ---- outlines ---- */

static const double *farthest(const solid *s, const double way[3], double sign)
{
    const double *best = s->points[0];
    for (size_t k = 1; k < s->count; k++)
        if (sign * solid_dot(way, s->points[k]) > sign * solid_dot(way, best))
            best = s->points[k];
    return best;
}

/* A - B of a half-space is one, too: it is moved by the point of the other shape that goes farthest against it. */
static int differ_unbounded(stage *s)
{
    const int of_b = s->bodies[BODY_B].unbounded;
    const solid *plane = &s->bodies[of_b ? BODY_B : BODY_A], *other = &s->bodies[of_b ? BODY_A : BODY_B];
    solid *d = &s->bodies[DIFFERENCE];
    const double sign = of_b ? -1 : 1, *lowest = farthest(other, plane->outward, -1);
    d->points = malloc(plane->count * sizeof *d->points);
    d->radius = plane->radius + other->radius;
    d->unbounded = 1;
    for (int m = 0; m < 3; m++)
        d->outward[m] = sign * plane->outward[m];
    for (; d->points && d->count < plane->count; d->count++)
        for (int m = 0; m < 3; m++)
            d->points[d->count][m] = sign * (plane->points[d->count][m] - lowest[m]);
    return d->points ? 0 : -1;
}

static int differ(stage *s, const walk *w)
{
    const solid *a = &s->bodies[BODY_A], *b = &s->bodies[BODY_B];
    solid *d = &s->bodies[DIFFERENCE];
    if (a->unbounded || b->unbounded)
        return differ_unbounded(s);
    s->approximate = a->count * b->count > MOST_DIFFERENCES;
    size_t n = s->approximate ? SUPPORTS + w->met_count : a->count * b->count;
    d->points = malloc(n * sizeof *d->points);
    d->radius = a->radius + b->radius;
    d->smooth = a->smooth || b->smooth;
    for (size_t k = 0; k < n && d->points; k++) {
        double way[3];
        if (s->approximate && k < SUPPORTS)
            solid_direction(s->look.dim, (int)k, SUPPORTS, way);
        for (int m = 0; m < 3; m++)
            d->points[k][m] = !s->approximate ? a->points[k / b->count][m] - b->points[k % b->count][m]
                              : k < SUPPORTS  ? farthest(a, way, 1)[m] - farthest(b, way, -1)[m]
                                              : w->met[k - SUPPORTS].w[m];
    }
    d->count = n;
    return d->points ? 0 : -1;
}

static void look_from(view *v, double azimuth, double height)
{
    const double toward[3] = {cos(height) * cos(azimuth), cos(height) * sin(azimuth), sin(height)};
    const double right[3] = {-sin(azimuth), cos(azimuth), 0};
    memcpy(v->toward, toward, sizeof toward);
    memcpy(v->right, right, sizeof right);
    solid_cross(v->toward, v->right, v->up);
}

/* How much of the steps a view shows: of the distances between the origin, what the last
 * simplex and its closest point are, the part of the worst that is not along the view. */
static double clarity(const view *v, const double (*p)[3], size_t n)
{
    double worst = 1;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double d[3] = {p[i][0] - p[j][0], p[i][1] - p[j][1], p[i][2] - p[j][2]}, square = solid_dot(d, d);
            double along = solid_dot(d, v->toward);
            if (square > 0)
                worst = fmin(worst, 1 - along * along / square);
        }
    return sqrt(fmax(worst, 0));
}

static void choose_view(view *v, const walk *w)
{
    enum { SHOWN = 24 };
    double shown[SHOWN][3] = {{0, 0, 0}}, best = -1, chosen[2] = {0, 0};
    size_t n = 1;
    for (size_t k = w->count; k-- > 0 && n + 6 < SHOWN;) {
        const gjb_trace_step *step = &w->steps[k];
        for (uint32_t f = 0; f < step->feature_count; f++)
            memcpy(shown[n++], step->vertices[step->feature[f]].w, sizeof shown[0]);
        if (step->has_closest)
            memcpy(shown[n++], step->closest, sizeof shown[0]);
    }
    for (int turn_by = 0; turn_by < 36; turn_by++)
        for (int lift = 0; lift < 3; lift++) {
            double azimuth = (-60 + 10 * turn_by) * 3.14159265358979 / 180;
            double height = (20 + 8 * lift) * 3.14159265358979 / 180;
            look_from(v, azimuth, height);
            double clear = clarity(v, (const double(*)[3])shown, n);
            if (clear > best + 0.02) {
                best = clear;
                chosen[0] = azimuth;
                chosen[1] = height;
            }
        }
    look_from(v, chosen[0], chosen[1]);
}

static double unit_of(const gjb_pair *pair)
{
    double size = gjb_pair_size(pair);
    return size > 0 && (size < 1e-4 || size > 1e6) ? pow(10, floor(log10(size))) : 1;
}

int stage_open(stage *s, const gjb_pair *pair, const walk *w, gjb_error *error)
{
    *s = (stage){.look = {.dim = pair->dim, .right = {1, 0, 0}, .up = {0, 1, 0}, .toward = {0, 0, 1}}};
    s->look.unit = unit_of(pair);
    if (pair->dim == 3)
        choose_view(&s->look, w);
    int failed = 0;
    for (int b = 0; b < 2 && !failed; b++)
        failed = solid_place(pair, b, &s->bodies[b]);
    failed = failed || differ(s, w) ? gjb_fail(error, "explain: out of memory") : 0;
    for (int b = 0; b < BODIES && !failed; b++)
        failed = solid_draw(&s->look, &s->bodies[b], error);
    return failed;
}
