/* Loads a mesh: welds equal points, and counts open and crowded edges. */
#include "scenes/mesh/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "scenes/mesh/mesh_parts.h"

#define MESH_MAX ((size_t)256 << 20)
enum { POINTS_LEAST = 4 };

static size_t accept_mesh(const unsigned char *head, size_t size, size_t all, const char *file, gjb_error *error)
{
    (void)head, (void)size, (void)all, (void)file, (void)error;
    return MESH_MAX;
}

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
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    qsort_r(order, n, sizeof *order, by_position, soup->corners);
    uint32_t first = 0;
    for (size_t i = 0; i < n; i++) {
        const double *p = soup->corners[order[i]], *q = soup->corners[first];
        first = i == 0 || p[0] != q[0] || p[1] != q[1] || p[2] != q[2] ? order[i] : first;
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

/* Each edge as often as faces have it; faces that fold onto a point or a
 * segment have none. */
static size_t list_edges(const gjb_mesh_soup *soup, const uint32_t *point, gjb_mesh *mesh, uint32_t (*edges)[2])
{
    size_t count = 0;
    for (size_t word = 0; word < soup->face_words; word += 1 + soup->faces[word]) {
        const uint32_t length = soup->faces[word], *corners = &soup->faces[word + 1];
        const size_t before = count;
        for (uint32_t i = 0; i < length && length >= 3; i++) {
            const uint32_t a = point[corners[i]], b = point[corners[(i + 1) % length]];
            if (a != b) {
                edges[count][0] = a < b ? a : b;
                edges[count++][1] = a < b ? b : a;
            }
        }
        count = count - before < 3 ? before : count;
        mesh->face_count += length >= 3;
    }
    return count;
}

static int count_edges(const gjb_mesh_soup *soup, const uint32_t *point, gjb_mesh *mesh)
{
    uint32_t(*edges)[2] = malloc((soup->face_words + 1) * sizeof *edges);
    if (edges == NULL)
        return -1;
    const size_t count = list_edges(soup, point, mesh, edges);
    qsort(edges, count, sizeof *edges, by_ends);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && by_ends(edges[i], edges[next]) == 0; next++) {
        }
        mesh->open_edges += next - i == 1;
        mesh->crowded_edges += next - i > 2;
    }
    free(edges);
    return 0;
}

static int take(const gjb_mesh_soup *soup, const char *file, gjb_mesh *mesh, gjb_error *error)
{
    if (check_finite(soup, file, error) != 0)
        return -1;
    uint32_t *point = malloc((soup->corner_count + 1) * sizeof *point);
    int result = point == NULL || weld(soup, mesh, point) != 0 || count_edges(soup, point, mesh) != 0 ? -1 : 0;
    free(point);
    if (result != 0)
        return gjb_fail(error, "%s: out of memory for %zu vertices", file, soup->corner_count);
    if (mesh->point_count < POINTS_LEAST)
        return gjb_fail(error, "%s: points: %u, a hull takes at least %d", file, mesh->point_count, POINTS_LEAST);
    return 0;
}

int gjb_mesh_load(const char *path, gjb_mesh *mesh, gjb_error *error)
{
    memset(mesh, 0, sizeof *mesh);
    size_t size;
    unsigned char *bytes = gjb_file_read(path, accept_mesh, &size, error);
    if (bytes == NULL)
        return -1;
    const char *file = strcmp(path, "-") == 0 ? "standard input" : path;
    char *text = (char *)bytes;
    size = gjb_mesh_unmark(text, size);
    const gjb_mesh_format *format = gjb_mesh_recognise(text, size, file, error);
    gjb_mesh_soup soup = {0};
    int result = format == NULL ? -1 : 0;
    if (result == 0 && format->clean != NULL && (text = format->clean(text, &size)) == NULL)
        result = gjb_fail(error, "%s: out of memory", file);
    if (result == 0 && format->check != NULL)
        result = format->check(text, file, error);
    if (result == 0)
        result = gjb_mesh_read(text, size, format, file, &soup, error);
    if (result == 0) {
        mesh->format = format->name;
        result = take(&soup, file, mesh, error);
    }
    free(soup.corners);
    free(soup.faces);
    free(text);
    if (result != 0)
        gjb_mesh_free(mesh);
    return result;
}

void gjb_mesh_free(gjb_mesh *mesh)
{
    free(mesh->points);
    memset(mesh, 0, sizeof *mesh);
}
