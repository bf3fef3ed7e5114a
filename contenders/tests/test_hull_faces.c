/* Faces of hulls: closed, outward, and of the points that span them. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "contenders/libraries/hull_faces.h"

enum { MANY = 60 };

/* Every face looks outward, no point lies beyond one, and every edge is there twice, once
 * each way. Euler's formula then counts the corners. */
static void check(const double (*points)[3], uint32_t count, int want_faces, int want_corners)
{
    gjb_faces faces;
    static unsigned char edges[MANY][MANY];
    int corners = 0, sides = 0, used[MANY] = {0};
    memset(edges, 0, sizeof edges);
    cr_assert_eq(gjb_hull_faces(points, count, &faces), 0);
    for (size_t at = 0; at < faces.length; at += 1 + (size_t)faces.numbers[at]) {
        const int n = faces.numbers[at], *corner = &faces.numbers[at + 1];
        cr_assert_geq(n, 3);
        const double *a = points[corner[0]], *b = points[corner[1]], *c = points[corner[2]];
        double normal[3], length = 0;
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            normal[i] = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
            length = hypot(length, normal[i]);
        }
        for (uint32_t p = 0; p < count; p++) {
            double beyond = 0;
            for (int i = 0; i < 3; i++)
                beyond += normal[i] / length * (points[p][i] - a[i]);
            cr_assert_leq(beyond, 1e-12, "point %u lies %g outside", p, beyond);
        }
        for (int i = 0; i < n; i++, sides++) {
            const int from = corner[i], to = corner[(i + 1) % n];
            cr_assert(from >= 0 && (uint32_t)from < count && !edges[from][to]++, "an edge goes one way once");
            corners += !used[from]++;
        }
    }
    for (int i = 0; i < MANY; i++)
        for (int j = 0; j < MANY; j++)
            cr_assert_eq(edges[i][j], edges[j][i]);
    cr_assert_eq(faces.count - sides / 2 + corners, 2);
    cr_assert(corners == want_corners && (want_faces == 0 || faces.count == want_faces), "%d faces, %d corners",
              faces.count, corners);
    gjb_faces_free(&faces);
}

/* A face of four corners stays one, and points inside or repeated are left out. */
Test(hull_faces, a_cube_has_six)
{
    double points[12][3];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = (i >> k & 1) ? 1 : -1;
    memcpy(points[8], (double[3]){0, 0, 0}, sizeof points[8]);
    memcpy(points[9], (double[3]){0.25, 0.5, 0.125}, sizeof points[9]);
    memcpy(points[10], (double[3]){0.25, 0.5, 1}, sizeof points[10]);
    memcpy(points[11], points[3], sizeof points[11]);
    check((const double(*)[3])points, 8, 6, 8);
    check((const double(*)[3])points, 12, 6, 8);
}

Test(hull_faces, all_points_of_a_sphere_are_corners)
{
    double points[MANY][3];
    for (int i = 0; i < MANY; i++) {
        const double z = (2 * i + 1.0) / MANY - 1, r = sqrt(1 - z * z), angle = 2.4 * i;
        points[i][0] = r * cos(angle);
        points[i][1] = r * sin(angle);
        points[i][2] = z;
    }
    check((const double(*)[3])points, MANY, 2 * MANY - 4, MANY);
}

Test(hull_faces, what_has_no_volume_has_no_faces)
{
    const double flat[5][3] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0.5, 2, 1}};
    const double point[4][3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    gjb_faces faces;
    cr_assert_eq(gjb_hull_faces(flat, 5, &faces), -1);
    gjb_faces_free(&faces);
    cr_assert_eq(gjb_hull_faces(point, 4, &faces), -1);
    gjb_faces_free(&faces);
}
