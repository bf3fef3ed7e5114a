/* Certificates in space: is the stated error honest, and is it small? The gap
 * against GMP floats of 400 bits, point distances against the oracle, and the
 * proof of a depth against polytopes that prove nothing. */
#include <criterion/criterion.h>
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference/reference.h"
#include "reference/tests/pairs3.h"

enum { BITS = 400 };

/* Vectors are quaternions here, as Hamilton meant them: v' = q v q* / q.q. */
typedef struct quaternion { mpf_t x[4]; } quaternion;

static void init(quaternion *q, double x, double y, double z, double w)
{
    const double from[4] = {x, y, z, w};
    for (int m = 0; m < 4; m++) {
        mpf_init2(q->x[m], BITS);
        mpf_set_d(q->x[m], from[m]);
    }
}

static void clear(quaternion *q)
{
    mpf_clears(q->x[0], q->x[1], q->x[2], q->x[3], NULL);
}

static void multiply(quaternion *out, const quaternion *p, const quaternion *q)
{
    static const int from[4][4] = {{3, 2, 1, 0}, {2, 3, 0, 1}, {1, 0, 3, 2}, {0, 1, 2, 3}};
    static const int sign[4][4] = {{1, 1, -1, 1}, {-1, 1, 1, 1}, {1, -1, 1, 1}, {-1, -1, -1, 1}};
    mpf_t term;
    mpf_init2(term, BITS);
    for (int m = 0; m < 4; m++) {
        mpf_set_ui(out->x[m], 0);
        for (int k = 0; k < 4; k++) {
            mpf_mul(term, p->x[k], q->x[from[m][k]]);
            if (sign[m][k] > 0)
                mpf_add(out->x[m], out->x[m], term);
            else
                mpf_sub(out->x[m], out->x[m], term);
        }
    }
    mpf_clear(term);
}

static void dot(mpf_t out, const quaternion *p, const quaternion *q, int count)
{
    mpf_t term;
    mpf_init2(term, BITS);
    mpf_set_ui(out, 0);
    for (int m = 0; m < count; m++) {
        mpf_mul(term, p->x[m], q->x[m]);
        mpf_add(out, out, term);
    }
    mpf_clear(term);
}

/* n . (world place of vertex k). */
static void along(mpf_t out, const gjb_body3 *body, uint32_t k, const quaternion *n)
{
    const gjb_pose3d *p = &body->pose;
    const double *at = body->vertices[k];
    quaternion v, q, back, first, second, t;
    mpf_t norm, sum;
    mpf_init2(norm, BITS);
    mpf_init2(sum, BITS);
    init(&v, at[0], at[1], at[2], 0);
    init(&q, p->qx, p->qy, p->qz, p->qw);
    init(&back, -p->qx, -p->qy, -p->qz, p->qw);
    init(&t, p->x, p->y, p->z, 0);
    init(&first, 0, 0, 0, 0);
    init(&second, 0, 0, 0, 0);
    multiply(&first, &q, &v);
    multiply(&second, &first, &back);
    dot(norm, &q, &q, 4);
    dot(sum, &second, n, 3);
    mpf_div(sum, sum, norm);
    dot(out, &t, n, 3);
    mpf_add(out, out, sum);
    quaternion *all[6] = {&v, &q, &back, &first, &second, &t};
    for (int m = 0; m < 6; m++)
        clear(all[m]);
    mpf_clears(norm, sum, NULL);
}

static double check_gap(const gjb_pair3 *pair, const double n[3])
{
    quaternion normal;
    mpf_t s, t, reach[2];
    init(&normal, n[0], n[1], n[2], 0);
    mpf_init2(s, BITS);
    mpf_init2(t, BITS);
    for (int side = 0; side < 2; side++) {
        const gjb_body3 *body = side ? &pair->b : &pair->a;
        mpf_init2(reach[side], BITS);
        for (uint32_t k = 0; k < body->count; k++) {
            along(s, body, k, &normal);
            if (k == 0 || (side ? mpf_cmp(s, reach[side]) < 0 : mpf_cmp(s, reach[side]) > 0))
                mpf_set(reach[side], s);
        }
    }
    mpf_sub(reach[1], reach[1], reach[0]);
    dot(s, &normal, &normal, 3);
    mpf_sqrt(s, s);
    mpf_div(reach[1], reach[1], s);
    mpf_set_d(t, pair->a.radius);
    mpf_sub(reach[1], reach[1], t);
    mpf_set_d(t, pair->b.radius);
    mpf_sub(reach[1], reach[1], t);
    long double error, gap = ref_gap3(pair, n, &error);
    mpf_set_d(t, (double)gap);
    mpf_sub(reach[1], reach[1], t);
    mpf_set_d(t, (double)(gap - (double)gap));
    mpf_sub(reach[1], reach[1], t);
    double missed = fabs(mpf_get_d(reach[1])), share = missed / (double)error;
    cr_assert(missed <= error, "gap off by %g, stated %Lg", missed, error);
    cr_assert(error <= 0x1p-4L * 0x1p-53L * gjb_pair_size3(pair), "stated error %Lg", error);
    clear(&normal);
    mpf_clears(s, t, reach[0], reach[1], NULL);
    return share;
}

static void random_direction(gjb_random *r, double n[3])
{
    for (int m = 0; m < 3; m++)
        n[m] = 3 * gjb_random_range(r, -1, 1);
}

Test(certificates3, gap_within_stated_error)
{
    static test_pair3 pair;
    gjb_random r = gjb_random_make(21, 0, 0);
    double most = 0;
    for (int family = 0; family < TEST_FAMILIES3; family++) {
        for (int k = 0; k < 100; k++) {
            test_pair3_make(&pair, (test_family3)family, (uint64_t)k, 8);
            double n[3];
            random_direction(&r, n);
            ref_answer3 answer = ref_signed_distance3(&pair.pair, NULL);
            most = fmax(most, check_gap(&pair.pair, n));
            most = fmax(most, check_gap(&pair.pair, answer.normal));
        }
    }
    cr_assert(most > 0.001 && most < 0.5, "largest share of the stated error used: %g", most);
}

/* The distance that was claimed goes into the oracle as the point's radius, so
 * that what the oracle encloses is how far the claim is off. */
static double check_distance(const gjb_pair3 *pair, int side, const double at[3])
{
    long double error, distance = ref_point_distance3(pair, side, at, &error);
    const double vertex[1][3] = {{at[0], at[1], at[2]}};
    const gjb_pose3d *from = &pair->a.pose;
    gjb_pair3 asked = {.a = {.kind = GJB_POINT, .count = 1, .vertices = vertex, .radius = (double)distance},
                       .b = side ? pair->b : pair->a};
    asked.a.pose = (gjb_pose3d){from->x, from->y, from->z, 0, 0, 0, 1};
    ref_exact3 x;
    ref_oracle3(&asked, &x);
    long double low = distance - (double)distance, missed = fmaxl(low - x.hi, x.lo - low);
    if (x.hi < -(double)distance)
        missed = distance; /* inside, and the distance 0 */
    else if (distance == 0)
        missed = fmax(x.lo, 0);
    cr_assert(missed <= error, "distance %Lg off by %Lg, stated %Lg", distance, missed, error);
    return (double)(missed / error);
}

Test(certificates3, point_distance_within_stated_error)
{
    static test_pair3 pair;
    gjb_random r = gjb_random_make(22, 0, 0);
    double most = 0;
    for (int family = 0; family < TEST_FAMILIES3; family++) {
        for (int k = 0; k < 200; k++) {
            test_pair3_make(&pair, (test_family3)family, (uint64_t)k, k % 20 ? 12 : 100);
            double size = gjb_pair_size3(&pair.pair), n[3];
            random_direction(&r, n);
            ref_answer3 answer = ref_signed_distance3(&pair.pair, NULL);
            const double *pa = answer.point_a, *pb = answer.point_b;
            const double places[5][3] = {
                {pa[0], pa[1], pa[2]},
                {pb[0], pb[1], pb[2]},
                {pa[0] + 1e-9 * size * n[0], pa[1] + 1e-9 * size * n[1], pa[2] + 1e-9 * size * n[2]},
                {pa[0] + 1e-16 * size * n[0], pa[1], pa[2]},
                {size * n[0] / 6, size * n[1] / 6, size * n[2] / 6},
            };
            for (int m = 0; m < 10; m++)
                most = fmax(most, check_distance(&pair.pair, m % 2, places[m / 2]));
        }
    }
    cr_assert(most > 0.001 && most < 0.5, "largest share of the stated error used: %g", most);
}

/* No direction proves more than sigma. */
Test(certificates3, gap_bounds_sigma)
{
    static test_pair3 pair;
    gjb_random r = gjb_random_make(23, 0, 0);
    for (int family = 0; family < TEST_FAMILIES3; family++) {
        for (int k = 0; k < 200; k++) {
            test_pair3_make(&pair, (test_family3)family, (uint64_t)k, 8);
            ref_exact3 x;
            ref_oracle3(&pair.pair, &x);
            for (int m = 0; m < 20; m++) {
                double n[3];
                random_direction(&r, n);
                long double error, gap = ref_gap3(&pair.pair, n, &error);
                cr_assert(gap - error <= x.hi, "family %d, pair %d", family, k);
            }
        }
    }
}

static const double cube[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                  {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const double origin[1][3] = {{0, 0, 0}};

/* A point at `x` in a cube of half edge 1, and the cube's twelve triangles. */
static void cube_proof(test_pair3 *pair, double x, uint32_t vertices[8][2], uint32_t faces[12][3])
{
    static const uint32_t triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                              {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    test_pair3_set(pair, 0, 1, origin, 0.5, (gjb_pose3d){x, 0, 0, 0, 0, 0, 1});
    test_pair3_set(pair, 1, 8, cube, 0.25, (gjb_pose3d){0, 0, 0, 0, 0, 0, 1});
    for (uint32_t k = 0; k < 8; k++) {
        vertices[k][0] = 0;
        vertices[k][1] = k;
    }
    memcpy(faces, triangles, sizeof triangles);
}

Test(certificates3, a_closed_surface_around_the_origin_proves_its_distance)
{
    static test_pair3 pair;
    uint32_t vertices[8][2], faces[12][3];
    ref_polytope3 p = {.vertices = vertices, .faces = faces, .vertex_count = 8, .face_count = 12};
    long double error;
    cube_proof(&pair, 0, vertices, faces);
    cr_expect(fabsl(ref_depth_bound3(&pair.pair, &p, &error) - 1) <= error && error < 1e-16L);
    cube_proof(&pair, 0.75, vertices, faces);
    cr_expect(fabsl(ref_depth_bound3(&pair.pair, &p, &error) - 0.25L) <= error);
    /* With the origin outside the surface winds around nothing. */
    cube_proof(&pair, 1.25, vertices, faces);
    cr_expect(ref_depth_bound3(&pair.pair, &p, &error) < 0);
    /* On it, it proves nothing either. */
    cube_proof(&pair, 1, vertices, faces);
    cr_expect(ref_depth_bound3(&pair.pair, &p, &error) <= 0);
    cube_proof(&pair, 0, vertices, faces);
    p.face_count = 11; /* a hole */
    cr_expect(ref_depth_bound3(&pair.pair, &p, &error) < 0);
    p.face_count = 0;
    cr_expect(ref_depth_bound3(&pair.pair, &p, &error) < 0);
}

Test(certificates3, what_is_no_such_surface_proves_nothing)
{
    static test_pair3 pair;
    uint32_t vertices[8][2], faces[12][3];
    ref_polytope3 p = {.vertices = vertices, .faces = faces, .vertex_count = 8, .face_count = 12};
    long double error;
    for (uint32_t k = 0; k < 12; k++) { /* one face turned over, lost, or named after a vertex that is not there */
        cube_proof(&pair, 0, vertices, faces);
        faces[k][0] ^= faces[k][1];
        faces[k][1] ^= faces[k][0];
        faces[k][0] ^= faces[k][1];
        cr_expect(ref_depth_bound3(&pair.pair, &p, &error) < 0, "face %u turned over", k);
        cube_proof(&pair, 0, vertices, faces);
        memcpy(faces[k], faces[(k + 1) % 12], sizeof faces[k]);
        cr_expect(ref_depth_bound3(&pair.pair, &p, &error) < 0, "face %u lost", k);
        cube_proof(&pair, 0, vertices, faces);
        faces[k][0] = faces[k][2] = UINT32_MAX / 2;
        faces[k][1] = UINT32_MAX / 3;
        cr_expect(ref_depth_bound3(&pair.pair, &p, &error) < 0, "face %u of no vertex", k);
    }
    cube_proof(&pair, 0, vertices, faces);
    for (uint32_t j = 0; j < 12; j++) {
        uint32_t swap = faces[j][0];
        faces[j][0] = faces[j][1];
        faces[j][1] = swap;
    }
    cr_expect(ref_depth_bound3(&pair.pair, &p, &error) < 0, "inside out");
    for (uint32_t k = 0; k < 8; k++) {
        cube_proof(&pair, 0, vertices, faces);
        vertices[k][1] = UINT32_MAX / 2; /* no such vertex of B */
        cr_expect(ref_depth_bound3(&pair.pair, &p, &error) < 0);
        vertices[k][1] = 7 - k; /* a corner pulled through the cube: less is proven, or nothing */
        cr_expect(ref_depth_bound3(&pair.pair, &p, &error) < 0.6L);
    }
}
