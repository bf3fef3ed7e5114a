/* The helpers of gjkbench/adapter.h that read shapes and poses of either precision, place points, and make unit
 * vectors. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

#include <gjkbench/adapter.h>

static const double poses[2][7] = {{1, 2, 3, 0, 0, 0, 1}, {-0.5, 0.25, 4, 0.5, -0.5, 0.5, 0.5}};

/* A batch of two bodies whose poses are so many numbers in that precision. */
static gjb_batch batch_of(gjb_precision precision, size_t count, char stored[2 * 7 * sizeof(double)])
{
    const size_t size = precision == GJB_F64 ? sizeof(double) : sizeof(float);
    for (size_t body = 0; body < 2; body++)
        gjb_numbers_write(precision, poses[body], count, stored + body * count * size);
    const gjb_batch batch = {.poses = stored, .pose_stride = count * size};
    return batch;
}

/* A function for doubles reads a batch of floats, too, and the other way round. */
Test(adapter, poses_are_read_in_the_precision_that_they_are_stored_in)
{
    char stored[2 * 7 * sizeof(double)];
    for (int p = 0; p < GJB_PRECISIONS; p++)
        for (uint32_t body = 0; body < 2; body++) {
            const double *want = poses[body];
            gjb_batch batch = batch_of((gjb_precision)p, 7, stored);
            const gjb_pose3d d = gjb_batch_pose3d(&batch, body);
            const gjb_pose3f f = gjb_batch_pose3f(&batch, body);
            cr_expect(d.x == want[0] && d.y == want[1] && d.z == want[2] && d.qx == want[3] && d.qy == want[4] &&
                      d.qz == want[5] && d.qw == want[6]);
            cr_expect((double)f.x == want[0] && (double)f.z == want[2] && (double)f.qy == want[4] &&
                      (double)f.qw == want[6]);
            batch = batch_of((gjb_precision)p, 4, stored);
            const gjb_pose2d d2 = gjb_batch_pose2d(&batch, body);
            const gjb_pose2f f2 = gjb_batch_pose2f(&batch, body);
            cr_expect(d2.x == want[0] && d2.y == want[1] && d2.c == want[2] && d2.s == want[3]);
            cr_expect((double)f2.x == want[0] && (double)f2.s == want[3]);
        }
}

static const uint8_t kinds[] = {GJB_BOX, GJB_AABB, GJB_SEGMENT, GJB_HALFSPACE};
static const uint32_t firsts[] = {0, 1, 3, 5}, counts[] = {1, 2, 2, 2};
static const double radii[] = {0, 0.5, 0.25, 0};
static const double rows2[][2] = {{2, 1}, {3, -1}, {1, 5}, {0, 1}, {2, 3}, {0, 1}, {1, 0}};
static const double rows3[][3] = {{2, 1, 0.5}, {3, -1, 0}, {1, 5, -2}, {0, 1, 2}, {2, 3, 4}, {0, 1, 0}, {1, 0, 0}};

static gjb_shapes shapes_of(uint32_t dim, gjb_precision precision, char rows[7 * 3 * sizeof(double)],
                            char radius[4 * sizeof(double)])
{
    gjb_numbers_write(precision, dim == 2 ? rows2[0] : rows3[0], 7 * dim, rows);
    gjb_numbers_write(precision, radii, 4, radius);
    const gjb_shapes shapes = {dim, precision, 4, kinds, firsts, counts, radius, rows};
    return shapes;
}

Test(adapter, vertices_and_corners)
{
    char rows[7 * 3 * sizeof(double)], radius[4 * sizeof(double)];
    static const double box2[4][2] = {{-2, -1}, {2, -1}, {2, 1}, {-2, 1}}, low[3] = {1, -1, -2}, high[3] = {3, 5, 0};
    for (int p = 0; p < GJB_PRECISIONS; p++)
        for (uint32_t dim = 2; dim <= 3; dim++) {
            const gjb_shapes s = shapes_of(dim, (gjb_precision)p, rows, radius);
            const uint32_t corners = dim == 2 ? 4 : 8;
            double v[3];
            cr_expect(gjb_shape_vertex_count(&s, 0) == corners && gjb_shape_vertex_count(&s, 1) == corners &&
                      gjb_shape_vertex_count(&s, 2) == 2 && gjb_shape_vertex_count(&s, 3) == 0);
            for (uint32_t i = 0; i < corners; i++) {
                gjb_shape_vertex(&s, 0, i, v);
                if (dim == 2)
                    cr_expect(v[0] == box2[i][0] && v[1] == box2[i][1] && v[2] == 0, "corner %u", (unsigned)i);
                else
                    cr_expect(v[0] == (i & 1 ? 2 : -2) && v[1] == (i & 2 ? 1 : -1) && v[2] == (i & 4 ? 0.5 : -0.5));
                gjb_shape_vertex(&s, 1, i, v);
                for (uint32_t k = 0; k < dim; k++)
                    cr_expect(v[k] == low[k] || v[k] == high[k]);
                if (dim == 3)
                    for (uint32_t k = 0; k < 3; k++)
                        cr_expect_eq(v[k], i >> k & 1 ? high[k] : low[k]);
            }
            gjb_shape_vertex(&s, 2, 1, v);
            cr_expect(v[0] == 2 && v[1] == 3 && v[2] == (dim == 3 ? 4 : 0));
            for (uint32_t i = 0; i < 4; i++)
                cr_expect_eq(gjb_shape_radius(&s, i), radii[i]);
        }
}

Test(adapter, placed_points)
{
    const gjb_pose2d flat = {5, 6, 0, 1}, flat_origin = {4, 4, 1, 0}; /* a quarter turn */
    const gjb_pose3d pose = {1, 2, 3, 0, 0, 1, 1}, origin = {1, 1, 1, 0, 0, 0, 1};
    const gjb_placing placing = gjb_place(&pose, &origin);
    const double v[3] = {2, 1, 7};
    double p[3];
    gjb_place_point(&placing, v, p);
    cr_expect(fabs(p[0] + 1) < 1e-15 && fabs(p[1] - 3) < 1e-15 && fabs(p[2] - 9) < 1e-15, "%g %g %g", p[0], p[1], p[2]);
    gjb_place_point2(&flat, &flat_origin, v, p);
    cr_expect(p[0] == 0 && p[1] == 4 && p[2] == 0, "%g %g %g", p[0], p[1], p[2]);
}

/* Rounded to float, too, which is what a record holds. */
Test(adapter, a_unit_vector_is_one)
{
    for (int i = 1; i < 1000; i++) {
        double v[3] = {sin(i), cos(3 * i), 0.1 * i}, length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        const double was = gjb_unit(v);
        cr_expect_float_eq(was, length, 1e-12 * length);
        const double x = (double)(float)v[0], y = (double)(float)v[1], z = (double)(float)v[2];
        cr_expect(fabs(sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - 1) <= 2 * DBL_EPSILON);
        cr_expect(fabs(sqrt(x * x + y * y + z * z) - 1) <= 2 * (double)FLT_EPSILON);
    }
    double none[3] = {0, 0, 0};
    cr_expect(gjb_unit(none) == 0 && none[0] == 0);
}
