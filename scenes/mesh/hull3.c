/* Convex hulls by qhull of points that span a volume, a plane, a line or a point. */
#include "scenes/mesh/hull3.h"

#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/mesh/hull3_parts.h"

enum { POINTS_MAX = 1 << 30, FLAT = 1 /* next to 0 and -1 */ };

/* Facets in 2 or 3 dimensions, as indices of points. */
typedef struct facets {
    uint32_t count;
    uint32_t (*points)[3];
} facets;

/* The points being worked on, scaled by a power of two to about 1, so that no
 * product over- or underflows. */
typedef struct cloud {
    uint32_t count;
    double (*points)[3];
    int exponent;
} cloud;

static int out_of_memory(gjb_error *error, size_t points)
{
    return gjb_fail(error, "hull: out of memory for %zu points", points);
}

static void read_facets(qhT *qh, uint32_t dim, facets *out)
{
    facetT *facet;
    vertexT *vertex, **vertexp;
    FORALLfacets
    {
        uint32_t *p = out->points[out->count++], k = 0;
        FOREACHvertex_(facet->vertices)
        {
            if (k < dim)
                p[k++] = (uint32_t)qh_pointid(qh, vertex->point);
        }
        if (dim == 3 && facet->toporient) {
            const uint32_t other = p[1];
            p[1] = p[2];
            p[2] = other;
        }
    }
}

/* Runs qhull: 0, FLAT, or -1 with its message. */
static int run_qhull(double *numbers, uint32_t count, uint32_t dim, const char *options, facets *out,
                     gjb_error *error)
{
    char *said = NULL;
    size_t said_size = 0;
    FILE *log = open_memstream(&said, &said_size);
    if (log == NULL)
        return out_of_memory(error, count);
    qhT state;
    qh_zero(&state, log);
    char command[32];
    snprintf(command, sizeof command, "%s", options);
    const int code = qh_new_qhull(&state, (int)dim, (int)count, numbers, 0, command, NULL, log);
    /* qhull reports points with one common coordinate as bad input */
    int result = code == 0 ? 0 : code == qh_ERRsingular || code == qh_ERRinput ? FLAT : -1;
    if (result == 0) {
        out->count = 0;
        out->points = malloc(((size_t)state.num_facets + 1) * sizeof *out->points);
        if (out->points == NULL)
            result = out_of_memory(error, count);
        else
            read_facets(&state, dim, out);
    }
    int long_left, total_left;
    qh_freeqhull(&state, !qh_ALL);
    qh_memfreeshort(&state, &long_left, &total_left);
    fclose(log);
    if (result == -1)
        gjb_fail(error, "hull: of %u points: qhull gives up: %.100s", count, said != NULL ? said : "");
    free(said);
    return result;
}

/* `axes` picks `dim` coordinates of each point. If merged facets do not fit
 * together, the points are joggled, which keeps every facet simplicial. */
static int hull_of(const cloud *c, uint32_t dim, const uint32_t *axes, facets *out, gjb_error *error)
{
    int spread = 0;
    for (size_t k = 1; k < c->count && !spread; k++)
        for (uint32_t d = 0; d < dim; d++)
            spread |= c->points[k][axes[d]] != c->points[0][axes[d]];
    if (c->count <= dim || !spread)
        return FLAT;
    double *numbers = malloc((size_t)c->count * dim * sizeof *numbers);
    if (numbers == NULL)
        return out_of_memory(error, c->count);
    for (size_t k = 0; k < c->count; k++)
        for (uint32_t d = 0; d < dim; d++)
            numbers[k * dim + d] = c->points[k][axes[d]];
    gjb_error first = {{0}};
    int result = run_qhull(numbers, c->count, dim, "qhull Qt Pp", out, &first);
    if (result == -1)
        result = run_qhull(numbers, c->count, dim, "qhull QJ Pp", out, error);
    free(numbers);
    return result;
}

void gjb_hull3_ends(const double (*points)[3], size_t count, uint32_t ends[2])
{
    double most = -1.0;
    for (uint32_t d = 0; d < 3; d++) {
        uint32_t lo = 0, hi = 0;
        for (uint32_t i = 1; i < count; i++) {
            lo = points[i][d] < points[lo][d] ? i : lo;
            hi = points[i][d] > points[hi][d] ? i : hi;
        }
        if (points[hi][d] - points[lo][d] > most) {
            most = points[hi][d] - points[lo][d];
            ends[0] = lo;
            ends[1] = hi;
        }
    }
}

uint32_t gjb_hull3_third(const double (*points)[3], size_t count, const uint32_t ends[2], double normal[3])
{
    uint32_t third = ends[0];
    double along[3], to[3], across[3];
    gjb_minus3(points[ends[1]], points[ends[0]], along);
    memset(normal, 0, 3 * sizeof *normal);
    for (uint32_t i = 0; i < count; i++) {
        gjb_minus3(points[i], points[ends[0]], to);
        gjb_cross3(along, to, across);
        if (gjb_dot3(across, across) > gjb_dot3(normal, normal)) {
            memcpy(normal, across, sizeof across);
            third = i;
        }
    }
    return third;
}

int gjb_hull3_scale(const double (*points)[3], size_t count, double (*scaled)[3])
{
    int exponent = 0;
    double most = 0.0;
    for (size_t i = 0; i < 3 * count; i++)
        most = fmax(most, fabs(points[i / 3][i % 3]));
    frexp(most, &exponent);
    for (size_t i = 0; i < 3 * count; i++)
        scaled[i / 3][i % 3] = ldexp(points[i / 3][i % 3], -exponent) + 0.0; /* no -0 */
    return exponent;
}

/* The axes of the coordinate plane in which points of one plane show best. */
static void flat_axes(const cloud *c, uint32_t axes[2])
{
    uint32_t ends[2], out = 0;
    double normal[3];
    gjb_hull3_ends((const double(*)[3])c->points, c->count, ends);
    gjb_hull3_third((const double(*)[3])c->points, c->count, ends, normal);
    for (uint32_t d = 1; d < 3; d++)
        out = fabs(normal[d]) > fabs(normal[out]) ? d : out;
    axes[0] = (out + 1) % 3;
    axes[1] = (out + 2) % 3;
}

/* Keeps the points that the hull names. `number` has room for each point. */
static int keep_vertices(const double (*points)[3], size_t count, const uint8_t *used, uint32_t *number,
                         gjb_hull3 *hull)
{
    hull->vertex_count = 0;
    for (size_t i = 0; i < count; i++) {
        number[i] = hull->vertex_count;
        hull->vertex_count += used[i];
    }
    hull->vertices = malloc(hull->vertex_count * sizeof *hull->vertices);
    hull->source = malloc(hull->vertex_count * sizeof *hull->source);
    if (hull->vertices == NULL || hull->source == NULL)
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (used[i]) {
            memcpy(hull->vertices[number[i]], points[i], sizeof points[i]);
            hull->source[number[i]] = (uint32_t)i;
        }
    }
    return 0;
}

/* Edges in any order, each end in two of them, as a fan of triangles that is
 * seen from both sides. 0, or -1 when the edges are no single loop. `neighbours`
 * is zeroed and has room for each point; it holds the points next to it. */
static int fan(const facets *edges, uint32_t (*neighbours)[2], facets *out)
{
    enum { NONE = 0 }; /* else an index + 1 */
    for (uint32_t i = 0; i < edges->count; i++) {
        for (uint32_t end = 0; end < 2; end++) {
            uint32_t *slots = neighbours[edges->points[i][end]];
            if (slots[1] != NONE)
                return -1;
            slots[slots[0] != NONE] = edges->points[i][1 - end] + 1;
        }
    }
    const uint32_t start = edges->points[0][0];
    uint32_t last = start, at = neighbours[start][0] - 1, length = 1;
    out->count = 0;
    while (at != start) {
        const uint32_t *slots = neighbours[at], next = slots[slots[0] == last + 1] - 1;
        if (slots[1] == NONE || ++length > edges->count)
            return -1;
        if (next != start) {
            const uint32_t front[3] = {start, at, next}, back[3] = {start, next, at};
            memcpy(out->points[out->count++], front, sizeof front);
            memcpy(out->points[out->count++], back, sizeof back);
        }
        last = at;
        at = next;
    }
    return length == edges->count && length >= 3 ? 0 : -1;
}

/* A flat hull from the edges of its outline. */
static int close_flat(const cloud *c, const facets *edges, facets *triangles, gjb_error *error)
{
    uint32_t(*neighbours)[2] = calloc(c->count, sizeof *neighbours);
    triangles->points = malloc(2 * (size_t)edges->count * sizeof *triangles->points);
    int result = 0;
    if (neighbours == NULL || triangles->points == NULL)
        result = out_of_memory(error, c->count);
    else if (fan(edges, neighbours, triangles) != 0)
        result = gjb_fail(error, "hull: of %u points: the outline of a flat hull does not close", c->count);
    free(neighbours);
    return result;
}

static double volume_of(const gjb_hull3 *hull, int exponent)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < hull->triangle_count; i++) {
        double edge[3][3], normal[3];
        for (int k = 0; k < 3; k++) {
            gjb_minus3(hull->vertices[hull->triangles[i][k]], hull->vertices[0], edge[k]);
            for (int d = 0; d < 3; d++)
                edge[k][d] = ldexp(edge[k][d], -exponent);
        }
        gjb_cross3(edge[0], edge[1], normal);
        sum += gjb_dot3(normal, edge[2]);
    }
    return ldexp(fmax(sum, 0.0) / 6.0, 3 * exponent);
}

/* The hull of the points: triangles if they span at least a plane, else
 * `ends`. */
static int span(const cloud *c, facets *triangles, uint32_t *dimension, uint32_t ends[2], gjb_error *error)
{
    static const uint32_t all_axes[3] = {0, 1, 2};
    *dimension = 3;
    int result = hull_of(c, 3, all_axes, triangles, error);
    if (result != FLAT)
        return result;
    uint32_t axes[2];
    facets edges = {0};
    flat_axes(c, axes);
    *dimension = 2;
    result = hull_of(c, 2, axes, &edges, error);
    if (result == 0)
        result = close_flat(c, &edges, triangles, error);
    free(edges.points);
    if (result != FLAT)
        return result;
    gjb_hull3_ends((const double(*)[3])c->points, c->count, ends);
    *dimension = memcmp(c->points[ends[0]], c->points[ends[1]], sizeof c->points[0]) != 0;
    return 0;
}

static int build(const double (*points)[3], const cloud *c, gjb_hull3 *hull, gjb_error *error)
{
    facets triangles = {0};
    uint32_t ends[2] = {0, 0};
    if (span(c, &triangles, &hull->dimension, ends, error) != 0) {
        free(triangles.points);
        return -1;
    }
    hull->triangles = triangles.points;
    hull->triangle_count = triangles.count;
    uint8_t *used = calloc(c->count, 1);
    uint32_t *number = malloc(c->count * sizeof *number);
    int result = -1;
    if (used != NULL && number != NULL) {
        if (hull->dimension < 2) {
            used[ends[0]] = 1;
            used[hull->dimension == 1 ? ends[1] : ends[0]] = 1;
        }
        for (uint32_t i = 0; i < 3 * triangles.count; i++)
            used[triangles.points[i / 3][i % 3]] = 1;
        result = keep_vertices(points, c->count, used, number, hull);
        for (uint32_t i = 0; i < 3 * triangles.count && result == 0; i++) {
            uint32_t *index = &triangles.points[i / 3][i % 3];
            *index = number[*index];
        }
    }
    free(used);
    free(number);
    if (result == 0) {
        hull->volume = hull->dimension == 3 ? volume_of(hull, c->exponent) : 0.0;
        return 0;
    }
    return out_of_memory(error, c->count);
}

int gjb_hull3_make(const double (*points)[3], size_t count, gjb_hull3 *hull, gjb_error *error)
{
    memset(hull, 0, sizeof *hull);
    if (count == 0 || count > POINTS_MAX)
        return gjb_fail(error, "hull: points: %zu, must be 1 to %d", count, POINTS_MAX);
    cloud c = {.count = (uint32_t)count, .points = malloc(count * sizeof *c.points)};
    if (c.points == NULL)
        return out_of_memory(error, count);
    for (size_t i = 0; i < 3 * count; i++) {
        const double value = points[i / 3][i % 3];
        if (!isfinite(value)) {
            free(c.points);
            return gjb_fail(error, "hull: points[%zu].%c: %g, must be finite", i / 3, "xyz"[i % 3], value);
        }
    }
    c.exponent = gjb_hull3_scale(points, count, c.points);
    const int result = build(points, &c, hull, error);
    free(c.points);
    if (result != 0)
        gjb_hull3_free(hull);
    return result;
}

void gjb_hull3_free(gjb_hull3 *hull)
{
    free(hull->vertices);
    free(hull->source);
    free(hull->triangles);
    memset(hull, 0, sizeof *hull);
}
