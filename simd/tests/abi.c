/* Public structs, byte for byte, on machines with 64-bit pointers: older programs and plug-ins rely on every
 * number here. A change breaks them, and needs a new GJB_KERNELS_ABI and soname, or a new GJB_CONTENDER_ABI.
 * A field appended to gjb_contender adds a line; one appended to gjb_batch, which callers of the library fill
 * in, also needs a new GJB_KERNELS_ABI, unless it is only read for queries that came with it or later. */
#include <stddef.h>
#include <stdio.h>

#include <gjkbench/contender.h>
#include <gjkbench/kernels.h>

#if UINTPTR_MAX == UINT64_MAX
#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type " has another size")
#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field " has moved")
#else
#define SIZE(type, bytes) _Static_assert(sizeof(type) > 0, "")
#define AT(type, field, offset) _Static_assert(offsetof(type, field) < sizeof(type), "")
#endif

SIZE(gjb_head, 4);
AT(gjb_head, status, 0);
AT(gjb_head, iterations, 2);

SIZE(gjb_result2f, 32);
AT(gjb_result2f, head, 0);
AT(gjb_result2f, value, 4);
AT(gjb_result2f, normal, 8);
AT(gjb_result2f, point_a, 16);
AT(gjb_result2f, point_b, 24);

SIZE(gjb_result2d, 64);
AT(gjb_result2d, head, 0);
AT(gjb_result2d, zero, 4);
AT(gjb_result2d, value, 8);
AT(gjb_result2d, normal, 16);
AT(gjb_result2d, point_a, 32);
AT(gjb_result2d, point_b, 48);

SIZE(gjb_result3f, 44);
AT(gjb_result3f, head, 0);
AT(gjb_result3f, value, 4);
AT(gjb_result3f, normal, 8);
AT(gjb_result3f, point_a, 20);
AT(gjb_result3f, point_b, 32);

SIZE(gjb_result3d, 88);
AT(gjb_result3d, head, 0);
AT(gjb_result3d, zero, 4);
AT(gjb_result3d, value, 8);
AT(gjb_result3d, normal, 16);
AT(gjb_result3d, point_a, 40);
AT(gjb_result3d, point_b, 64);

SIZE(gjb_sweep2f, 28);
AT(gjb_sweep2f, head, 0);
AT(gjb_sweep2f, value, 4);
AT(gjb_sweep2f, last, 8);
AT(gjb_sweep2f, normal, 12);
AT(gjb_sweep2f, point, 20);

SIZE(gjb_sweep2d, 56);
AT(gjb_sweep2d, head, 0);
AT(gjb_sweep2d, zero, 4);
AT(gjb_sweep2d, value, 8);
AT(gjb_sweep2d, last, 16);
AT(gjb_sweep2d, normal, 24);
AT(gjb_sweep2d, point, 40);

SIZE(gjb_sweep3f, 36);
AT(gjb_sweep3f, head, 0);
AT(gjb_sweep3f, value, 4);
AT(gjb_sweep3f, last, 8);
AT(gjb_sweep3f, normal, 12);
AT(gjb_sweep3f, point, 24);

SIZE(gjb_sweep3d, 72);
AT(gjb_sweep3d, head, 0);
AT(gjb_sweep3d, zero, 4);
AT(gjb_sweep3d, value, 8);
AT(gjb_sweep3d, last, 16);
AT(gjb_sweep3d, normal, 24);
AT(gjb_sweep3d, point, 48);

SIZE(gjb_shapes, 56);
AT(gjb_shapes, dim, 0);
AT(gjb_shapes, precision, 4);
AT(gjb_shapes, count, 8);
AT(gjb_shapes, kind, 16);
AT(gjb_shapes, first, 24);
AT(gjb_shapes, row_count, 32);
AT(gjb_shapes, radius, 40);
AT(gjb_shapes, rows, 48);

SIZE(gjb_contact2f, 24);
AT(gjb_contact2f, point_a, 0);
AT(gjb_contact2f, point_b, 8);
AT(gjb_contact2f, separation, 16);
AT(gjb_contact2f, feature, 20);

SIZE(gjb_contact2d, 48);
AT(gjb_contact2d, point_a, 0);
AT(gjb_contact2d, point_b, 16);
AT(gjb_contact2d, separation, 32);
AT(gjb_contact2d, feature, 40);
AT(gjb_contact2d, zero, 44);

SIZE(gjb_contact3f, 32);
AT(gjb_contact3f, point_a, 0);
AT(gjb_contact3f, point_b, 12);
AT(gjb_contact3f, separation, 24);
AT(gjb_contact3f, feature, 28);

SIZE(gjb_contact3d, 64);
AT(gjb_contact3d, point_a, 0);
AT(gjb_contact3d, point_b, 24);
AT(gjb_contact3d, separation, 48);
AT(gjb_contact3d, feature, 56);
AT(gjb_contact3d, zero, 60);

SIZE(gjb_manifold2f, 64);
AT(gjb_manifold2f, head, 0);
AT(gjb_manifold2f, count, 4);
AT(gjb_manifold2f, normal, 8);
AT(gjb_manifold2f, contact, 16);

SIZE(gjb_manifold2d, 120);
AT(gjb_manifold2d, head, 0);
AT(gjb_manifold2d, count, 4);
AT(gjb_manifold2d, normal, 8);
AT(gjb_manifold2d, contact, 24);

SIZE(gjb_manifold3f, 148);
AT(gjb_manifold3f, head, 0);
AT(gjb_manifold3f, count, 4);
AT(gjb_manifold3f, normal, 8);
AT(gjb_manifold3f, contact, 20);

SIZE(gjb_manifold3d, 288);
AT(gjb_manifold3d, head, 0);
AT(gjb_manifold3d, count, 4);
AT(gjb_manifold3d, normal, 8);
AT(gjb_manifold3d, contact, 32);

SIZE(gjb_pose2f, 16);
AT(gjb_pose2f, x, 0);
AT(gjb_pose2f, y, 4);
AT(gjb_pose2f, c, 8);
AT(gjb_pose2f, s, 12);

SIZE(gjb_pose2d, 32);
AT(gjb_pose2d, x, 0);
AT(gjb_pose2d, y, 8);
AT(gjb_pose2d, c, 16);
AT(gjb_pose2d, s, 24);

SIZE(gjb_pose3f, 28);
AT(gjb_pose3f, x, 0);
AT(gjb_pose3f, y, 4);
AT(gjb_pose3f, z, 8);
AT(gjb_pose3f, qx, 12);
AT(gjb_pose3f, qy, 16);
AT(gjb_pose3f, qz, 20);
AT(gjb_pose3f, qw, 24);

SIZE(gjb_pose3d, 56);
AT(gjb_pose3d, x, 0);
AT(gjb_pose3d, y, 8);
AT(gjb_pose3d, z, 16);
AT(gjb_pose3d, qx, 24);
AT(gjb_pose3d, qy, 32);
AT(gjb_pose3d, qz, 40);
AT(gjb_pose3d, qw, 48);

SIZE(gjb_motion2f, 12);
AT(gjb_motion2f, x, 0);
AT(gjb_motion2f, y, 4);
AT(gjb_motion2f, angle, 8);

SIZE(gjb_motion2d, 24);
AT(gjb_motion2d, x, 0);
AT(gjb_motion2d, y, 8);
AT(gjb_motion2d, angle, 16);

SIZE(gjb_motion3f, 24);
AT(gjb_motion3f, x, 0);
AT(gjb_motion3f, y, 4);
AT(gjb_motion3f, z, 8);
AT(gjb_motion3f, wx, 12);
AT(gjb_motion3f, wy, 16);
AT(gjb_motion3f, wz, 20);

SIZE(gjb_motion3d, 48);
AT(gjb_motion3d, x, 0);
AT(gjb_motion3d, y, 8);
AT(gjb_motion3d, z, 16);
AT(gjb_motion3d, wx, 24);
AT(gjb_motion3d, wy, 32);
AT(gjb_motion3d, wz, 40);

SIZE(gjb_run_stats, 304);
AT(gjb_run_stats, pairs, 0);
AT(gjb_run_stats, lane_slots, 8);
AT(gjb_run_stats, lane_live, 16);
AT(gjb_run_stats, spilled, 24);
AT(gjb_run_stats, fallback, 32);
AT(gjb_run_stats, iterations, 40);
AT(gjb_run_stats, unproven, 296);

SIZE(gjb_batch, 128);
AT(gjb_batch, query, 0);
AT(gjb_batch, poses, 8);
AT(gjb_batch, pose_stride, 16);
AT(gjb_batch, body_shape, 24);
AT(gjb_batch, pairs, 32);
AT(gjb_batch, pair_count, 40);
AT(gjb_batch, results, 48);
AT(gjb_batch, result_stride, 56);
AT(gjb_batch, workspace, 64);
AT(gjb_batch, stats, 72);
AT(gjb_batch, motions, 80);
AT(gjb_batch, motion_stride, 88);
AT(gjb_batch, axes, 96);
AT(gjb_batch, axis_stride, 104);
AT(gjb_batch, margin, 112);
AT(gjb_batch, leaving, 120);

SIZE(gjb_contender, 432);
AT(gjb_contender, abi_version, 0);
AT(gjb_contender, struct_size, 4);
AT(gjb_contender, name, 8);
AT(gjb_contender, version, 16);
AT(gjb_contender, licence, 24);
AT(gjb_contender, note, 32);
AT(gjb_contender, variant_of, 40);
AT(gjb_contender, dims, 48);
AT(gjb_contender, kinds, 52);
AT(gjb_contender, queries, 56);
AT(gjb_contender, does_more, 60);
AT(gjb_contender, no_normal, 64);
AT(gjb_contender, no_points, 68);
AT(gjb_contender, precisions, 72);
AT(gjb_contender, max_vertices, 76);
AT(gjb_contender, ours, 80);
AT(gjb_contender, tau, 88);
AT(gjb_contender, skin, 216);
AT(gjb_contender, backends, 224);
AT(gjb_contender, backend_available, 232);
AT(gjb_contender, prepare, 240);
AT(gjb_contender, workspace_size, 248);
AT(gjb_contender, run, 256);
AT(gjb_contender, release, 264);
AT(gjb_contender, tau_time, 272);
AT(gjb_contender, partial, 280);
AT(gjb_contender, touching_only, 284);
AT(gjb_contender, within, 288);
AT(gjb_contender, unused, 292);
AT(gjb_contender, leaving, 296);
AT(gjb_contender, tau_relative, 304);

_Static_assert(GJB_KERNELS_ABI == SONAME_ABI, "GJB_KERNELS_ABI and the soname say the same");

/* Numbers that are stored in records and files. */
#define IS(name, value) _Static_assert((name) == (value), #name " has another value")
IS(GJB_F32, 0);
IS(GJB_F64, 1);
IS(GJB_POINT, 0);
IS(GJB_SEGMENT, 1);
IS(GJB_POLYGON, 2);
IS(GJB_BOX, 3);
IS(GJB_TRIANGLE, 4);
IS(GJB_HULL, 5);
IS(GJB_AABB, 6);
IS(GJB_ELLIPSE, 7);
IS(GJB_SUPERELLIPSE, 8);
IS(GJB_ELLIPSOID, 9);
IS(GJB_SUPERELLIPSOID, 10);
IS(GJB_CYLINDER, 11);
IS(GJB_CONE, 12);
IS(GJB_HALFSPACE, 13);
IS(GJB_INTERSECT, 0);
IS(GJB_DISTANCE, 1);
IS(GJB_PENETRATION, 2);
IS(GJB_SIGNED_DISTANCE, 3);
IS(GJB_SWEEP, 4);
IS(GJB_TOI, 5);
IS(GJB_MANIFOLD, 6);
IS(GJB_UNWRITTEN, 0);
IS(GJB_SEPARATED, 1);
IS(GJB_OVERLAPPING, 2);
IS(GJB_ITERATION_LIMIT, 3);
IS(GJB_INVALID_INPUT, 4);
IS(GJB_UNSUPPORTED, 5);
IS(GJB_HIT, 6);

int main(void)
{
    puts("sizes, offsets and numbers are those that were published");
    return 0;
}
