/* Outward faces of a hull with their corners in order, read from qhull's facets. */
#include "contenders/libraries/hull_faces.h"

#include <libqhull_r/qhull_ra.h>
#include <stdio.h>
#include <stdlib.h>

static int add(gjb_faces *faces, size_t *capacity, int number)
{
    if (faces->length == *capacity) {
        const size_t more = *capacity != 0 ? 2 * *capacity : 64;
        int *numbers = realloc(faces->numbers, more * sizeof *numbers);
        if (numbers == NULL)
            return -1;
        faces->numbers = numbers;
        *capacity = more;
    }
    faces->numbers[faces->length++] = number;
    return 0;
}

/* Twice the face's area along qhull's outward normal: negative where the
 * corners go round clockwise. */
static double winding(const double (*points)[3], const int *corner, int corners, const double *normal)
{
    double sum = 0;
    const double *o = points[corner[0]];
    for (int c = 1; c + 1 < corners; c++) {
        const double *p = points[corner[c]], *q = points[corner[c + 1]];
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            sum += normal[i] * ((p[j] - o[j]) * (q[k] - o[k]) - (p[k] - o[k]) * (q[j] - o[j]));
        }
    }
    return sum;
}

static int add_face(qhT *qh, facetT *facet, const double (*points)[3], gjb_faces *faces, size_t *capacity)
{
    vertexT *vertex, **vertexp;
    setT *corners = qh_facet3vertex(qh, facet);
    const size_t start = faces->length;
    int failed = add(faces, capacity, qh_setsize(qh, corners));
    FOREACHvertex_(corners)
        failed |= add(faces, capacity, qh_pointid(qh, vertex->point));
    qh_settempfree(qh, &corners);
    if (failed)
        return -1;
    int *first = faces->numbers + start + 1;
    const int count = first[-1];
    if (winding(points, first, count, facet->normal) < 0)
        for (int i = 0, j = count - 1; i < j; i++, j--) {
            const int swapped = first[i];
            first[i] = first[j];
            first[j] = swapped;
        }
    faces->count++;
    return 0;
}

int gjb_hull_faces(const double (*points)[3], uint32_t count, gjb_faces *faces)
{
    *faces = (gjb_faces){NULL, 0, 0};
    FILE *silent = fopen("/dev/null", "we");
    coordT *copy = malloc((size_t)count * 3 * sizeof *copy);
    int failed = silent == NULL || copy == NULL;
    if (!failed) {
        for (size_t i = 0; i < (size_t)count * 3; i++)
            copy[i] = points[i / 3][i % 3];
        qhT state;
        qhT *qh = &state;
        char options[] = "qhull Pp";
        qh_zero(qh, silent);
        failed = qh_new_qhull(qh, 3, (int)count, copy, False, options, NULL, silent) != 0;
        size_t capacity = 0;
        if (!failed) {
            facetT *facet;
            FORALLfacets
                failed = failed || add_face(qh, facet, points, faces, &capacity) != 0;
        }
        int left, lost;
        qh_freeqhull(qh, !qh_ALL);
        qh_memfreeshort(qh, &left, &lost);
    }
    free(copy);
    if (silent != NULL)
        fclose(silent);
    return failed ? -1 : 0;
}

void gjb_faces_free(gjb_faces *faces)
{
    free(faces->numbers);
    *faces = (gjb_faces){NULL, 0, 0};
}
