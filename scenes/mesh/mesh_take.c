/* A mesh from its corners and faces: welds equal points, counts what edges show, and measures the volume. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/mesh/mesh_parts.h"

enum { POINTS_LEAST = 4 };

static int check_finite(const gjb_mesh_soup *soup, const char *file, gjb_error *error)
{
    for (size_t i = 0; i < 3 * soup->corner_count; i++) {
        const double value = soup->corners[i / 3][i % 3];
        if (!isfinite(value))
            return gjb_fail(error, "%s: vertices[%zu].%c: %g, must be finite", file, i / 3, "xyz"[i % 3], value);
    }
    return 0;
}

static int by_position(const void *a, const void *b, void *corners)
{
    const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const double *p = ((double(*)[3])corners)[i], *q = ((double(*)[3])corners)[j];
    for (int d = 0; d < 3; d++)
        if (p[d] != q[d])
            return p[d] < q[d] ? -1 : 1;
    return i < j ? -1 : i > j;
}

int gjb_mesh_same(const gjb_mesh_soup *soup, uint32_t a, uint32_t b)
{
    const double *p = soup->corners[a], *q = soup->corners[b];
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

void gjb_mesh_order(const gjb_mesh_soup *soup, uint32_t *order)
{
    for (size_t i = 0; i < soup->corner_count; i++)
        order[i] = (uint32_t)i;
    qsort_r(order, soup->corner_count, sizeof *order, by_position, soup->corners);
}

/* `point` of each corner, points numbered by first appearance. */
static int weld(const gjb_mesh_soup *soup, gjb_mesh *mesh, uint32_t *point)
{
    const size_t n = soup->corner_count;
    uint32_t *order = malloc((n + 1) * sizeof *order);
    mesh->points = malloc((n + 1) * sizeof *mesh->points);
    if (order == NULL || mesh->points == NULL) {
        free(order);
        return -1;
    }
    gjb_mesh_order(soup, order);
    uint32_t first = 0;
    for (size_t i = 0; i < n; i++) {
        first = i == 0 || !gjb_mesh_same(soup, order[i], first) ? order[i] : first;
        point[order[i]] = first;
    }
    for (size_t i = 0; i < n; i++) {
        if (point[i] == i) {
            memcpy(mesh->points[mesh->point_count], soup->corners[i], sizeof mesh->points[0]);
            point[i] = mesh->point_count++;
        } else {
            point[i] = point[point[i]];
        }
    }
    free(order);
    return 0;
}

static int by_ends(const void *a, const void *b)
{
    const uint32_t *p = a, *q = b;
    return p[0] != q[0] ? (p[0] < q[0] ? -1 : 1) : p[1] != q[1] ? (p[1] < q[1] ? -1 : 1) : 0;
}

/* Each edge as often as faces have it, and whether its face passes it from the higher point to the lower; faces that
 * fold onto a point or a segment have none. */
static size_t list_edges(const gjb_mesh_soup *soup, const uint32_t *point, gjb_mesh *mesh, uint32_t (*edges)[3])
{
    size_t count = 0;
    for (size_t word = 0; word < soup->face_words; word += 1 + soup->faces[word]) {
        const uint32_t length = soup->faces[word], *corners = &soup->faces[word + 1];
        const size_t before = count;
        for (uint32_t i = 0; i < length && length >= 3; i++) {
            const uint32_t a = point[corners[i]], b = point[corners[(i + 1) % length]];
            if (a != b) {
                edges[count][0] = a < b ? a : b;
                edges[count][1] = a < b ? b : a;
                edges[count++][2] = a > b;
            }
        }
        count = count - before < 3 ? before : count;
        mesh->face_count += length >= 3;
    }
    return count;
}

static int count_edges(const gjb_mesh_soup *soup, const uint32_t *point, gjb_mesh *mesh)
{
    uint32_t(*edges)[3] = malloc((soup->face_words + 1) * sizeof *edges);
    if (edges == NULL)
        return -1;
    const size_t count = list_edges(soup, point, mesh, edges);
    qsort(edges, count, sizeof *edges, by_ends);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && by_ends(edges[i], edges[next]) == 0; next++) {
        }
        mesh->open_edges += next - i == 1;
        mesh->crowded_edges += next - i > 2;
        mesh->twisted_edges += next - i == 2 && edges[i][2] == edges[i + 1][2];
    }
    free(edges);
    return 0;
}

/* Six times the volume of the tetrahedron from `o`. */
static double volume_at(const double o[3], const double a[3], const double b[3], const double c[3])
{
    double u[3], v[3], w[3];
    for (int d = 0; d < 3; d++) {
        u[d] = a[d] - o[d];
        v[d] = b[d] - o[d];
        w[d] = c[d] - o[d];
    }
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}

/* By the divergence theorem, each face as a fan of triangles. */
static void measure_volume(const gjb_mesh_soup *soup, gjb_mesh *mesh)
{
    if (mesh->open_edges != 0 || mesh->crowded_edges != 0 || mesh->twisted_edges != 0)
        return;
    const double(*corners)[3] = (const double(*)[3])soup->corners;
    for (size_t word = 0; word < soup->face_words; word += 1 + soup->faces[word]) {
        const uint32_t length = soup->faces[word], *face = &soup->faces[word + 1];
        for (uint32_t i = 2; i < length; i++)
            mesh->volume += volume_at(corners[0], corners[face[0]], corners[face[i - 1]], corners[face[i]]);
    }
    mesh->volume = fabs(mesh->volume) / 6;
}

/* The name of a mesh in errors: of the file, or of one of its objects. */
typedef struct mesh_label {
    char text[320];
} mesh_label;

int gjb_mesh_take(const gjb_mesh_soup *soup, const char *file, gjb_mesh *mesh, gjb_error *error)
{
    mesh_label label;
    snprintf(label.text, sizeof label.text, mesh->name[0] != '\0' ? "%.200s: object '%s'" : "%.240s", file, mesh->name);
    if (check_finite(soup, label.text, error) != 0)
        return -1;
    uint32_t *point = malloc((soup->corner_count + 1) * sizeof *point);
    const int result = point == NULL || weld(soup, mesh, point) != 0 || count_edges(soup, point, mesh) != 0 ? -1 : 0;
    free(point);
    if (result != 0)
        return gjb_fail(error, "%s: out of memory for %zu vertices", label.text, soup->corner_count);
    if (mesh->point_count < POINTS_LEAST)
        return gjb_fail(error, "%s: points: %u, a hull takes at least %d", label.text, mesh->point_count, POINTS_LEAST);
    measure_volume(soup, mesh);
    return 0;
}
