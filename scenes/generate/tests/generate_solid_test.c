/* Shapes and places of 3D families are what they are called. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/query.h"
#include "scenes/generate/tests/brute_force.h"
#include "scenes/generate/tests/recipes.h"

static const double *row_of(const gjb_scene *scene, uint32_t shape, uint32_t i)
{
    return (const double *)scene->shapes.rows + 3 * (scene->shapes.first[shape] + i);
}

/* Rows of a shape in double, stretched to fill a cube: affine maps keep what
 * is extreme. */
static void load_filled(const gjb_scene *scene, uint32_t shape, double (*v)[3])
{
    const gjb_shapes *shapes = &scene->shapes;
    const uint32_t n = shapes->row_count[shape];
    for (int axis = 0; axis < 3; axis++) {
        double lo = INFINITY, hi = -INFINITY;
        for (uint32_t i = 0; i < n; i++) {
            const size_t at = 3 * (size_t)(shapes->first[shape] + i) + (size_t)axis;
            v[i][axis] = shapes->precision == GJB_F32 ? (double)((const float *)shapes->rows)[at]
                                                      : ((const double *)shapes->rows)[at];
            lo = fmin(lo, v[i][axis]);
            hi = fmax(hi, v[i][axis]);
        }
        for (uint32_t i = 0; i < n; i++)
            v[i][axis] = (v[i][axis] - lo) / (hi - lo) - 0.5;
    }
}

/* A direction in which vertex k alone is farthest, by perceptron (Rosenblatt
 * 1958): it ends if and only if there is one. */
static int is_extreme(const double (*v)[3], uint32_t n, uint32_t k)
{
    double d[3] = {v[k][0], v[k][1], v[k][2]};
    for (int round = 0; round < 20000; round++) {
        uint32_t best = k == 0;
        double reach = -INFINITY, step[3], length = 0.0;
        for (uint32_t i = 0; i < n; i++) {
            const double here = d[0] * v[i][0] + d[1] * v[i][1] + d[2] * v[i][2];
            if (i != k && here > reach) {
                reach = here;
                best = i;
            }
        }
        if (d[0] * v[k][0] + d[1] * v[k][1] + d[2] * v[k][2] > reach)
            return 1;
        for (int axis = 0; axis < 3; axis++) {
            step[axis] = v[k][axis] - v[best][axis];
            length += step[axis] * step[axis];
        }
        if (length == 0.0)
            return 0;
        for (int axis = 0; axis < 3; axis++)
            d[axis] += step[axis] / sqrt(length);
    }
    return 0;
}

Test(generate_solid, hulls_have_every_vertex_extreme)
{
    static const struct {
        const char *name;
        uint32_t pairs;
    } rows[] = {{"hull4", 200}, {"hull5", 100}, {"hull6", 100},  {"hull8", 100},  {"hull16", 50},
                {"hull64", 10}, {"hull256", 2}, {"hull1024", 1}, {"hull4096", 1}, {"rounded-hull8", 50}};
    static const char *const families[] = {"mixed", "needle", "tiny", "huge"};
    double(*v)[3] = malloc(4096 * sizeof *v);
    for (size_t w = 0; w < sizeof rows / sizeof *rows; w++) {
        for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
            for (int precision = 0; precision < GJB_PRECISIONS; precision++) {
                gjb_scene *scene = recipe_make((gjb_recipe){.workload = rows[w].name,
                                                            .family = families[f],
                                                            .seed = 3,
                                                            .precision = (gjb_precision)precision,
                                                            .pairs = rows[w].pairs,
                                                            .dim = 3});
                for (uint32_t i = 0; i < scene->shapes.count; i++) {
                    const uint32_t n = scene->shapes.row_count[i];
                    cr_assert_eq(n, gjb_workload_vertices(3, rows[w].name));
                    load_filled(scene, i, v);
                    for (uint32_t k = 0; k < n; k += 1 + n / 100)
                        cr_expect(is_extreme((const double(*)[3])v, n, k), "%s %s %s: shape %u, vertex %u",
                                  rows[w].name, families[f], gjb_precision_name((gjb_precision)precision), i,
                                  k);
                }
                gjb_scene_free(scene);
            }
        }
    }
    free(v);
}

/* The test above would notice a vertex that is not. */
Test(generate_solid, the_middle_of_a_box_is_not_extreme)
{
    const double v[7][3] = {{0, 0, 0},          {1, 0, 0},   {0, 1, 0}, {0, 0, 1},
                            {0.25, 0.25, 0.25}, {0.5, 0, 0}, {0, 0, 1}};
    const int extreme[7] = {1, 1, 1, 0, 0, 0, 0};
    for (uint32_t k = 0; k < 7; k++)
        cr_expect_eq(is_extreme(v, 7, k), extreme[k], "vertex %u", k);
}

/* Six times the volume of a tetrahedron, over the product of three sides. */
static double flatness(const double *a, const double *b, const double *c, const double *d)
{
    double e[3][3], length = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        e[0][axis] = b[axis] - a[axis];
        e[1][axis] = c[axis] - a[axis];
        e[2][axis] = d[axis] - a[axis];
    }
    for (int i = 0; i < 3; i++)
        length *= sqrt(e[i][0] * e[i][0] + e[i][1] * e[i][1] + e[i][2] * e[i][2]);
    const double volume = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
                          e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
                          e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    return length > 0.0 ? fabs(volume) / length : 0.0;
}

/* What is counted of the hulls of a family. */
typedef struct census {
    uint32_t hulls, repeated, collinear, with_face, nearly, flat, adjacent;
    double largest, smallest, thinnest;
} census;

static int same(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static int in_line(const double *a, const double *b, const double *c)
{
    double n = 0.0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        n += fabs((b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]));
    }
    return n == 0.0;
}

static void measure_extent(const gjb_scene *scene, uint32_t s, double extent[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double lo = INFINITY, hi = -INFINITY;
        for (uint32_t i = 0; i < scene->shapes.row_count[s]; i++) {
            lo = fmin(lo, row_of(scene, s, i)[axis]);
            hi = fmax(hi, row_of(scene, s, i)[axis]);
        }
        extent[axis] = hi - lo;
    }
}

static void count_hull(const gjb_scene *scene, uint32_t s, census *found)
{
    const uint32_t n = scene->shapes.row_count[s];
    int repeated = 0, collinear = 0, adjacent = 0, nearly = 0;
    uint32_t face = 0;
    double extent[3], thick = 0.0;
    measure_extent(scene, s, extent);
    const double most = fmax(extent[0], fmax(extent[1], extent[2]));
    for (uint32_t i = 0; i < n; i++) {
        uint32_t level = 0;
        for (uint32_t j = 0; j < n; j++) {
            const double *a = row_of(scene, s, i), *b = row_of(scene, s, j);
            double apart = 0.0;
            for (int axis = 0; axis < 3; axis++)
                apart = fmax(apart, fabs(a[axis] - b[axis]));
            level += a[2] == b[2];
            nearly |= a[2] != b[2] && fabs(a[2] - b[2]) < 0x1p-9 * extent[2];
            repeated |= i != j && same(a, b);
            adjacent |= apart > 0.0 && apart < 0x1p-6 * most;
            for (uint32_t k = 0; k < j && j < i; k++) {
                const double *c = row_of(scene, s, k);
                collinear |= !same(a, b) && !same(b, c) && !same(a, c) && in_line(a, b, c);
                for (uint32_t l = 0; l < k; l++)
                    thick = fmax(thick, flatness(a, b, c, row_of(scene, s, l)));
            }
        }
        face = level > face ? level : face;
    }
    found->hulls++;
    found->repeated += repeated;
    found->collinear += collinear;
    found->with_face += face > 3;
    found->nearly += nearly;
    found->flat += thick == 0.0;
    found->adjacent += adjacent;
    found->largest = fmax(found->largest, most);
    found->smallest = fmin(found->smallest, most);
    found->thinnest = fmin(found->thinnest, fmin(extent[0], fmin(extent[1], extent[2])) / most);
}

static census census_of(const char *family)
{
    census found = {.smallest = INFINITY, .thinnest = INFINITY};
    gjb_scene *scene = recipe_make(
        (gjb_recipe){.workload = "hull12", .family = family, .precision = GJB_F64, .pairs = 150, .dim = 3});
    for (uint32_t s = 0; s < scene->shapes.count; s++) {
        if (scene->shapes.kind[s] == GJB_HULL) {
            cr_assert_eq(scene->shapes.row_count[s], 12, "%s", family);
            count_hull(scene, s, &found);
        }
    }
    gjb_scene_free(scene);
    return found;
}

/* Families in motion bear the names of those whose shapes they have. */
static int is_named(const char *family, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(family, name, length) == 0 && (family[length] == '\0' || strcmp(family + length, "-motion") == 0);
}

/* Coordinates with few bits are exactly in line, or in one plane, in the families
 * meant for that; on lattices also by chance. */
Test(generate_solid, degenerate_shapes_are_what_they_are_called)
{
    for (size_t f = 0; f < gjb_family_count; f++) {
        const char *name = gjb_families[f].name;
        if (!(gjb_families[f].dims >> 3 & 1u) || gjb_families[f].moving == GJB_BOXES_MOVING)
            continue;
        const census c = census_of(name);
        const double all = c.hulls;
        const int flat = is_named(name, "flat"), repeated = strcmp(name, "repeated") == 0;
        const int collinear = strcmp(name, "collinear") == 0, sliver = strcmp(name, "sliver") == 0;
        const int thin = is_named(name, "needle") || strcmp(name, "all-but-round") == 0 || strcmp(name, "crossed") == 0;
        const int faced =
            strcmp(name, "coplanar") == 0 || strcmp(name, "parallel") == 0 || strcmp(name, "near-axis") == 0;
        /* Two runs of collinear vertices may take the same edge. */
        cr_expect(repeated ? c.repeated == all : flat || c.repeated <= (collinear ? 0.1 * all : 0.0),
                  "%s: %u repeat", name, c.repeated);
        cr_expect(collinear ? c.collinear > 0.4 * all && c.collinear < 0.6 * all
                            : flat || c.collinear < 0.1 * all,
                  "%s: %u in line", name, c.collinear);
        cr_expect(flat ? c.flat == all : c.flat == 0, "%s: %u flat", name, c.flat);
        cr_expect(sliver ? c.adjacent > 0.4 * all && c.adjacent < 0.8 * all
                         : collinear || flat || thin || c.adjacent < 0.1 * all,
                  "%s: %u adjacent", name, c.adjacent);
        cr_expect(faced ? c.with_face > 0.3 * all : 1, "%s: %u with a face", name, c.with_face);
        cr_expect(strcmp(name, "coplanar") != 0 || (c.nearly > 0.5 * all && c.nearly < 0.85 * all),
                  "coplanar: %u of %u nearly", c.nearly, c.hulls);
        if (strcmp(name, "mixed") == 0)
            cr_expect(c.with_face > 0.1 * all && c.with_face < 0.4 * all, "%u with a face", c.with_face);
        else if (is_named(name, "needle"))
            cr_expect(c.thinnest < 3e-4 && c.thinnest > 3e-5, "%g", c.thinnest);
        else if (is_named(name, "tiny"))
            cr_expect(c.largest < 5e-6 && c.smallest > 1e-7);
        else if (is_named(name, "huge"))
            cr_expect(c.largest < 5e6 && c.smallest > 1e5);
        else if ((strcmp(name, "size-ratio") == 0 || strcmp(name, "ratio-motion") == 0))
            cr_expect(c.largest / c.smallest > 5e5, "%g", c.largest / c.smallest);
        else if (sliver)
            cr_expect(c.thinnest < 1e-5, "%g", c.thinnest);
    }
}

/* Columns: the rotated axes. */
static void axes_of(const gjb_pose3d *p, double m[3][3])
{
    const double x = p->qx, y = p->qy, z = p->qz, w = p->qw, n = x * x + y * y + z * z + w * w;
    const double r[3][3] = {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[j][i] = r[i][j] / n;
}

/* Sine of the angle between two directions. */
static double sine(const double a[3], const double b[3])
{
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const double c = a[i] * b[j] - a[j] * b[i];
        square += c * c;
    }
    return sqrt(square);
}

/* What is counted of the poses of pairs. */
typedef struct angles {
    double x, z, off_axis, off_other; /* between x axes, z axes; of A's axes from the world's, from B's */
    uint32_t same, near, nudged, x_exact, x_some, on_axis, in_line;
} angles;

static angles angles_of(const char *workload, const char *family, int pairs)
{
    angles found = {0};
    gjb_pair_space space = {0};
    gjb_scene *scene = recipe_make((gjb_recipe){
        .workload = workload, .family = family, .precision = GJB_F64, .pairs = (uint64_t)pairs, .dim = 3});
    for (uint64_t i = 0; i < (uint64_t)pairs; i++) {
        gjb_pair pair;
        gjb_scene_pair(scene, 0, i, &space, &pair);
        const gjb_pose3d *a = &pair.as.space.a.pose, *b = &pair.as.space.b.pose;
        double m[3][3], n[3][3], off = 0.0, from_b = 0.0, move = fabs(a->x - b->x) + fabs(a->y - b->y) + fabs(a->z - b->z);
        axes_of(a, m);
        axes_of(b, n);
        found.x = fmax(found.x, sine(m[0], n[0]));
        found.z = fmax(found.z, sine(m[2], n[2]));
        found.x_exact += sine(m[0], n[0]) < 1e-16;
        found.x_some += sine(m[0], n[0]) > 1e-5;
        for (int k = 0; k < 9; k++) {
            const double *u = m[k / 3], *v = n[k % 3], along = fabs(u[0] * v[0] + u[1] * v[1] + u[2] * v[2]);
            off = fmax(off, fmin(fabs(m[k / 3][k % 3]), fabs(fabs(m[k / 3][k % 3]) - 1.0)));
            from_b = fmax(from_b, fmin(along, fabs(along - 1.0)));
        }
        found.off_other = fmax(found.off_other, from_b);
        found.in_line += from_b < 1e-15;
        found.off_axis = fmax(found.off_axis, off);
        found.on_axis += off == 0.0;
        found.same += memcmp(a, b, sizeof *a) == 0;
        const int turned = a->qx != b->qx || a->qy != b->qy || a->qz != b->qz || a->qw != b->qw;
        found.nudged += move == 0.0 && turned && sine(m[0], n[0]) + sine(m[1], n[1]) < 1e-14;
        found.near += move < 1e-12 && sine(m[0], n[0]) + sine(m[1], n[1]) < 1e-12;
    }
    gjb_pair_space_free(&space);
    gjb_scene_free(scene);
    return found;
}

Test(generate_solid, degenerate_places_are_what_they_are_called)
{
    enum { PAIRS = 400 };
    angles a = angles_of("hull8", "parallel", PAIRS);
    cr_expect(a.z < 1e-14 && a.x_exact > 0.4 * PAIRS && a.x_some > 0.15 * PAIRS, "parallel: %g, %u, %u", a.z,
              a.x_exact, a.x_some);
    a = angles_of("hull8", "coplanar", PAIRS);
    cr_expect(a.z < 1e-14, "coplanar: %g", a.z);
    for (int box = 0; box < 2; box++) {
        a = angles_of(box ? "box" : "hull8", "parallel-edges", PAIRS);
        cr_expect(a.x < 1e-3 && a.x > 4e-4 && a.x_exact > (box ? 0.1 : 0.25) * PAIRS &&
                      a.x_some > 0.1 * PAIRS,
                  "parallel-edges: %g, %u, %u", a.x, a.x_exact, a.x_some);
        a = angles_of(box ? "box" : "hull8", "near-axis", PAIRS);
        cr_expect(a.off_axis <= 1e-5 && a.off_axis > 1e-6 && a.on_axis < 0.05 * PAIRS, "near-axis: %g, %u",
                  a.off_axis, a.on_axis);
    }
    a = angles_of("hull8", "identical", PAIRS);
    cr_expect(a.same > 50 && a.near > a.same + 50 && a.nudged > 50, "identical: %u, %u, %u", a.same, a.near, a.nudged);
    a = angles_of("cylinder", "aligned", PAIRS);
    cr_expect(a.off_other < 0.02 && a.off_other > 1e-3 && a.in_line > PAIRS / 4 && a.on_axis > PAIRS / 3, "aligned: %g, %u, %u",
              a.off_other, a.in_line, a.on_axis);
    a = angles_of("cylinder", "all-but-round", PAIRS);
    cr_expect(a.off_other < 0x1p-9 && a.off_other > 0x1p-12 && a.in_line > PAIRS / 20 && a.in_line < PAIRS / 4,
              "all-but-round: %g, %u", a.off_other, a.in_line);
    a = angles_of("superellipsoid", "crossed", PAIRS);
    cr_expect(a.off_other < 0.3 && a.off_other > 0.1 && a.in_line > PAIRS / 16 && a.in_line < PAIRS / 4, "crossed: %g, %u",
              a.off_other, a.in_line);
    a = angles_of("box", "vertex-on", PAIRS);
    cr_expect(a.off_axis < 1e-15, "vertex-on: %g", a.off_axis);
}

/* Two axes and the exponent: some exactly so, none off by more than 2^-10, and some by nearly as much. */
Test(generate_solid, all_but_round_shapes_are)
{
    gjb_scene *scene = recipe_make((gjb_recipe){
        .workload = "superellipsoid", .family = "all-but-round", .precision = GJB_F64, .pairs = 400, .dim = 3});
    uint32_t solids = 0, round = 0, square = 0;
    double off = 0.0, bent = 0.0;
    for (uint32_t s = 0; s < scene->shapes.count; s++) {
        if (scene->shapes.kind[s] != GJB_SUPERELLIPSOID)
            continue;
        const double *axis = row_of(scene, s, 0), p = row_of(scene, s, 1)[0];
        double least = INFINITY;
        for (int k = 0; k < 3; k++)
            least = fmin(least, fabs(axis[k] - axis[(k + 1) % 3]));
        solids++;
        round += least == 0.0;
        least /= fmax(axis[0], fmax(axis[1], fmax(axis[2], DBL_MIN)));
        square += p == 2.0;
        off = fmax(off, least);
        bent = fmax(bent, fabs(p - 2.0));
    }
    cr_expect(solids > 700 && round > solids / 4 && round < solids && square > solids / 4 && square < solids / 2,
              "%u, %u round, %u square", solids, round, square);
    cr_expect(off < 0x1.01p-10 && off > 0x1p-12 && bent < 0x1.01p-10 && bent > 0x1p-12, "%g, %g", off, bent);
    gjb_scene_free(scene);
}

/* Faces and edges that face each other are what decides sigma. */
Test(generate_solid, facing_pairs_are_near_contact)
{
    static const char *const families[] = {"parallel", "coplanar", "parallel-edges", "near-axis"};
    static const char *const kinds[] = {"box", "hull8", "rounded-hull8", "triangle", "capsule"};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        for (size_t w = 0; w < sizeof kinds / sizeof *kinds; w++) {
            for (int p = 0; p < GJB_PRECISIONS; p++) {
                const recipe_spread found = recipe_measure((gjb_recipe){.workload = kinds[w],
                                                                        .family = families[f],
                                                                        .seed = 4,
                                                                        .precision = (gjb_precision)p,
                                                                        .pairs = 150,
                                                                        .dim = 3},
                                                           -0.063, 0.063);
                cr_expect(found.least > -0.0635 && found.within > 0.8, "%s %s: %g at least, %g within",
                          families[f], kinds[w], found.least, found.within);
            }
        }
    }
}

/* All 24 rotations of a cube, and no other. */
Test(generate_solid, exact_rotations_are_those_of_a_cube)
{
    enum { PAIRS = 300 };
    gjb_scene *scene =
        recipe_make((gjb_recipe){.workload = "hull5", .family = "vertex-on", .pairs = PAIRS, .dim = 3});
    int seen[27 * 27 * 27 * 3] = {0}, count = 0;
    for (uint32_t b = 0; b < 2 * PAIRS; b++) {
        const gjb_pose3d pose = gjb_scene_pose3(scene, 0, b);
        double m[3][3];
        axes_of(&pose, m);
        int code = 0;
        for (int i = 0; i < 6; i++)
            code = 3 * code + (int)lrint(m[i / 3][i % 3]) + 1;
        count += seen[code]++ == 0;
    }
    cr_expect_eq(count, 24);
    gjb_scene_free(scene);
}

/* Contact on faces and edges, not on vertices alone: the origin of search is
 * then no difference of two vertices. */
Test(generate_solid, face_on_is_on_faces)
{
    gjb_pair_space space = {0};
    gjb_scene *scene = recipe_make((gjb_recipe){.workload = "hull8", .family = "face-on", .pairs = 200, .dim = 3});
    int touching = 0, on_vertices = 0;
    for (uint64_t i = 0; i < 200; i++) {
        gjb_pair pair;
        double smaller, a[3][3], b[3][3];
        gjb_scene_pair(scene, 0, i, &space, &pair);
        const gjb_pair3 *p = &pair.as.space;
        const double t[3] = {p->b.pose.x - p->a.pose.x, p->b.pose.y - p->a.pose.y, p->b.pose.z - p->a.pose.z};
        axes_of(&p->a.pose, a);
        axes_of(&p->b.pose, b);
        if (fabs(recipe_sigma(&pair, &smaller)) > 1e-12)
            continue;
        int vertex = 0;
        for (uint32_t k = 0; k < 64; k++) {
            double off = 0.0;
            for (int axis = 0; axis < 3; axis++) {
                double from = t[axis];
                for (int j = 0; j < 3; j++)
                    from += b[j][axis] * p->b.vertices[k / 8][j] - a[j][axis] * p->a.vertices[k % 8][j];
                off = fmax(off, fabs(from));
            }
            vertex |= off < 1e-9;
        }
        touching++;
        on_vertices += vertex;
    }
    cr_expect(touching > 100 && on_vertices > 20 && on_vertices < 0.75 * touching, "%d touch, %d on a vertex", touching,
              on_vertices);
    gjb_pair_space_free(&space);
    gjb_scene_free(scene);
}

Test(generate_solid, far_origin_is_far)
{
    gjb_scene *scene = recipe_make((gjb_recipe){
        .workload = "hull8", .family = "far-origin", .precision = GJB_F64, .pairs = 200, .dim = 3});
    double farthest = 0.0;
    for (uint32_t body = 0; body < 400; body++) {
        const gjb_pose3d pose = gjb_scene_pose3(scene, 0, body);
        const double away = hypot(hypot(pose.x, pose.y), pose.z);
        cr_expect(away > 400.0 && away < 3e6, "%g", away);
        farthest = fmax(farthest, away);
    }
    cr_expect_gt(farthest, 5e5);
    gjb_scene_free(scene);
}
