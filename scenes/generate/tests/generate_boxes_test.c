/* Families of boxes in motion, axis by axis, in long double: exact if the boxes are on a
 * lattice, good to a rounding of 2^-64 elsewhere. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/query.h"
#include "scenes/generate/tests/motion.h"
#include "scenes/generate/tests/recipes.h"

typedef long double real;

/* The time in contact, or nearly: [in, out], not limited to the step; empty if in > out. */
typedef struct span {
    real in, out, gap; /* gap: along an axis without velocity, 0 in contact */
} span;

typedef struct box {
    real lo[3], hi[3], way[3];
    uint32_t dim;
} box;

static box box_of(const gjb_pair *pair, int body)
{
    const gjb_body2 *flat = body ? &pair->as.plane.b : &pair->as.plane.a;
    const gjb_body3 *solid = body ? &pair->as.space.b : &pair->as.space.a;
    const uint32_t dim = pair->dim, count = dim == 2 ? flat->count : solid->count;
    const double at[3] = {dim == 2 ? flat->pose.x : solid->pose.x, dim == 2 ? flat->pose.y : solid->pose.y,
                          dim == 2 ? 0.0 : solid->pose.z};
    const double way[3] = {dim == 2 ? flat->motion.x : solid->motion.x,
                           dim == 2 ? flat->motion.y : solid->motion.y, dim == 2 ? 0.0 : solid->motion.z};
    box b = {.dim = dim};
    for (uint32_t k = 0; k < dim; k++) {
        real lo = INFINITY, hi = -INFINITY;
        for (uint32_t i = 0; i < count; i++) {
            const real v = dim == 2 ? flat->vertices[i][k] : solid->vertices[i][k];
            lo = v < lo ? v : lo;
            hi = v > hi ? v : hi;
        }
        b.lo[k] = at[k] + lo;
        b.hi[k] = at[k] + hi;
        b.way[k] = way[k];
    }
    return b;
}

static span span_of(const box *a, const box *b)
{
    span s = {-INFINITY, INFINITY, 0.0};
    for (uint32_t k = 0; k < a->dim; k++) {
        const real way = b->way[k] - a->way[k], before = a->lo[k] - b->hi[k], behind = a->hi[k] - b->lo[k];
        if (way == 0.0L) {
            const real gap = before > 0.0L ? before : behind < 0.0L ? -behind : 0.0L;
            s.gap = gap > s.gap ? gap : s.gap;
            continue;
        }
        const real t = before / way, u = behind / way, in = t < u ? t : u, out = t < u ? u : t;
        s.in = in > s.in ? in : s.in;
        s.out = out < s.out ? out : s.out;
    }
    return s;
}

typedef struct census {
    int hit, start, miss, instants, axes, all_still, touching, ends, kinds[GJB_KINDS];
    real least_way, most_way, most_own, farthest, thinnest;
} census;

static void count_pair(const gjb_pair *pair, census *c)
{
    const box a = box_of(pair, 0), b = box_of(pair, 1);
    const span s = span_of(&a, &b);
    const int meets = s.gap == 0.0L && s.in <= s.out && s.in <= 1.0L && s.out >= 0.0L;
    real way = 0.0L, own = 0.0L;
    int still = 0;
    for (uint32_t k = 0; k < a.dim; k++) {
        const real d = b.way[k] - a.way[k];
        way = fmaxl(way, fabsl(d));
        own = fmaxl(own, fmaxl(fabsl(a.way[k]), fabsl(b.way[k])));
        still += d == 0.0L;
        c->touching += d == 0.0L && (a.lo[k] == b.hi[k] || a.hi[k] == b.lo[k]);
        c->farthest = fmaxl(c->farthest, fabsl(a.lo[k]));
        c->thinnest = a.hi[k] > a.lo[k] ? fminl(c->thinnest, a.hi[k] - a.lo[k]) : c->thinnest;
    }
    c->start += meets && s.in <= 0.0L;
    c->hit += meets && s.in > 0.0L;
    c->miss += !meets;
    c->instants += s.gap == 0.0L && s.in == s.out && s.in >= 0.0L && s.in <= 1.0L;
    c->ends += s.gap == 0.0L && s.in <= s.out && (s.in == 0.0L || s.in == 1.0L);
    c->axes += still > 0;
    c->all_still += still == (int)a.dim;
    c->least_way = fminl(c->least_way, way);
    c->most_way = fmaxl(c->most_way, way);
    c->most_own = fmaxl(c->most_own, own);
}

static void expect_unturned(const gjb_scene *scene, const char *family)
{
    for (uint32_t b = 0; b < scene->body_count; b++) {
        const uint32_t dim = scene->shapes.dim;
        double motion[6];
        gjb_scene_motion(scene, 0, b, motion);
        if (dim == 2) {
            const gjb_pose2d p = gjb_scene_pose(scene, 0, b);
            cr_expect(p.c == 1.0 && p.s == 0.0 && motion[2] == 0.0, "%s", family);
        } else {
            const gjb_pose3d p = gjb_scene_pose3(scene, 0, b);
            cr_expect(p.qx == 0.0 && p.qy == 0.0 && p.qz == 0.0 && p.qw == 1.0, "%s", family);
            cr_expect(motion[3] == 0.0 && motion[4] == 0.0 && motion[5] == 0.0, "%s", family);
        }
    }
}

enum { PAIRS = 2000 };

static census census_of(const char *family, uint32_t dim, gjb_precision precision)
{
    census c = {.least_way = INFINITY, .thinnest = INFINITY};
    gjb_scene *scene = recipe_make((gjb_recipe){.workload = "mixed-kinds",
                                                .family = family,
                                                .seed = 8,
                                                .precision = precision,
                                                .pairs = PAIRS,
                                                .dim = dim});
    gjb_pair_space space = {0};
    expect_unturned(scene, family);
    for (uint32_t i = 0; i < scene->shapes.count; i++) {
        c.kinds[scene->shapes.kind[i]]++;
        cr_expect_eq(precision == GJB_F32 ? ((const float *)scene->shapes.radius)[i]
                                          : ((const double *)scene->shapes.radius)[i],
                     0.0);
    }
    for (uint64_t i = 0; i < PAIRS; i++) {
        gjb_pair pair;
        cr_assert_eq(gjb_scene_pair(scene, 0, i, &space, &pair), 0);
        count_pair(&pair, &c);
    }
    gjb_pair_space_free(&space);
    gjb_scene_free(scene);
    return c;
}

/* Shares of all pairs: at least. */
static const struct {
    const char *family;
    double hit, start, miss, instants, axes, all_still, touching, ends;
} rows[] = {
    {"box-sweep", 0.4, 0, 0.4, 0, 0, 0, 0, 0},
    {"box-graze", 0.3, 0, 0.25, 0.1, 0, 0, 0, 0},
    {"box-axis", 0.15, 0.05, 0.3, 0, 0.99, 0.2, 0.08, 0},
    {"box-inside", 0, 0.7, 0.05, 0, 0.4, 0, 0, 0.1},
    {"box-fast", 0.35, 0, 0.4, 0, 0, 0, 0, 0},
    {"box-common", 0.35, 0, 0.4, 0, 0, 0, 0, 0},
    {"box-late", 0.35, 0.1, 0.15, 0, 0, 0, 0, 0.15},
};

Test(generate_boxes, families_are_what_they_are_called)
{
    size_t boxes = 0;
    for (size_t f = 0; f < gjb_family_count; f++)
        boxes += gjb_families[f].moving == GJB_BOXES_MOVING;
    cr_assert_eq(boxes, sizeof rows / sizeof *rows);
    for (size_t i = 0; i < 4 * sizeof rows / sizeof *rows; i++) {
        const uint32_t dim = 2 + i % 2;
        const gjb_precision precision = i / 2 % 2 ? GJB_F64 : GJB_F32;
        const char *name = rows[i / 4].family;
        const census c = census_of(name, dim, precision);
#define AT_LEAST(field)                                                                                      \
    cr_expect(c.field >= rows[i / 4].field * PAIRS, "%uD %s %s: " #field " %d", dim, name,                   \
              gjb_precision_name(precision), c.field)
        AT_LEAST(hit);
        AT_LEAST(start);
        AT_LEAST(miss);
        AT_LEAST(instants);
        AT_LEAST(axes);
        AT_LEAST(all_still);
        AT_LEAST(touching);
        AT_LEAST(ends);
#undef AT_LEAST
        cr_expect(c.kinds[GJB_POINT] > 300 && c.kinds[GJB_BOX] > 1500 && c.kinds[GJB_AABB] > 1000 &&
                      c.kinds[GJB_POINT] + c.kinds[GJB_BOX] + c.kinds[GJB_AABB] == 2 * PAIRS,
                  "%s", name);
        const int fast = strcmp(name, "box-fast") == 0, common = strcmp(name, "box-common") == 0;
        cr_expect(fast ? c.most_way > 1e4L && c.thinnest < 1e-4L : c.most_way < 20.0L, "%s: %Lg, %Lg", name,
                  c.most_way, c.thinnest);
        cr_expect(common ? c.most_own > 200.0L && c.farthest > 1e4L : fast || c.most_own < 40.0L, "%s: %Lg",
                  name, c.most_own);
    }
}
