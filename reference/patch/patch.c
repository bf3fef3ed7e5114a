/* The contact patch: both features projected along the normal, one clipped by the other, and what of it is wanted. */
#include "reference/patch/patch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "reference/methods/surface3.h"
#include "reference/patch/heights.h"

typedef struct patch {
    const ref_patch_question *question;
    ref_placed placed;
    ref_flat_frame frame;
    ref_feature feature[2];
    ref_polygon overlap;
    int grown; /* the feature that is grown */
    mpq_t near;
    mpq_t t, u;
} patch;

/* x * 2^exponent */
static void shift(mpq_t x, int exponent)
{
    if (exponent >= 0)
        mpq_mul_2exp(x, x, (mp_bitcnt_t)exponent);
    else
        mpq_div_2exp(x, x, (mp_bitcnt_t)-exponent);
}

/* A length in the world as one on the grid. */
static void to_grid(mpq_t out, const patch *p, double length)
{
    mpq_t product;
    mpq_init(product);
    mpq_set_z(product, p->placed.product);
    mpq_set_d(out, length);
    mpq_mul(out, out, product);
    shift(out, -p->placed.exponent);
    mpq_clear(product);
}

/* A length on the grid, to its `power`, in the world: truncated to double. */
static double to_world(const patch *p, const mpq_t length, int power)
{
    mpq_t world, product;
    mpq_inits(world, product, NULL);
    mpq_set_z(product, p->placed.product);
    mpq_set(world, length);
    for (int k = 0; k < power; k++)
        mpq_div(world, world, product);
    shift(world, power * p->placed.exponent);
    double out = mpq_get_d(world);
    mpq_clears(world, product, NULL);
    return out;
}

/* 0 of a point, 1 of a segment, 2 of a polygon. */
static uint32_t dimension(const ref_polygon *outline)
{
    return outline->count < 3 ? outline->count - 1 : 2;
}

/* The feature with fewer dimensions is clipped by the other one, which is grown: so a vertex next to an edge gives a
 * point, and an edge next to an edge a segment. */
static void clip_features(patch *p)
{
    p->grown = dimension(&p->feature[0].outline) > dimension(&p->feature[1].outline) ? 0 : 1;
    const ref_polygon *clipped = &p->feature[!p->grown].outline;
    ref_polygon_open(&p->overlap, clipped->count);
    for (uint32_t k = 0; k < clipped->count; k++)
        for (int m = 0; m < 2; m++)
            mpq_set(p->overlap.at[k].x[m], clipped->at[k].x[m]);
    p->overlap.count = clipped->count;
    to_grid(p->near, p, p->question->near);
    ref_feature_clip(&p->overlap, &p->feature[p->grown], &p->frame, p->near);
}

/* Where a feature is grown its planes may be off by what they rise by over that length. */
static void allow_growth(patch *p)
{
    ref_feature *feature = &p->feature[p->grown];
    for (uint32_t k = 0; k < feature->plane_count && mpq_sgn(p->near) > 0; k++) {
        ref_line2 *plane = &feature->planes[k];
        ref_flat_growth(p->u, &p->frame, plane, p->near);
        if (p->grown)
            mpq_neg(p->u, p->u);
        mpq_add(plane->by[2], plane->by[2], p->u);
    }
}

/* Cuts off a corner that is separated by more than `most`, by the two planes there. False if none is. */
static bool cut_corner(patch *p, const ref_feature *feature, const mpq_t most)
{
    bool cut = false;
    ref_line2 left;
    ref_line2_init(&left);
    for (uint32_t k = 0; k < p->overlap.count && !cut; k++) {
        const ref_line2 *a = ref_feature_plane(p->t, &feature[0], 0, &p->overlap.at[k]);
        const ref_line2 *b = ref_feature_plane(p->u, &feature[1], 1, &p->overlap.at[k]);
        mpq_sub(p->t, p->u, p->t);
        if (mpq_cmp(p->t, most) <= 0)
            continue;
        for (int m = 0; m < 3; m++)
            mpq_sub(left.by[m], a->by[m], b->by[m]);
        mpq_add(left.by[2], left.by[2], most);
        ref_polygon_clip(&p->overlap, &left);
        ref_polygon_hull(&p->overlap);
        cut = true;
    }
    ref_line2_clear(&left);
    return cut;
}

static void copy_planes(ref_line2 *out, const ref_feature *feature)
{
    for (uint32_t k = 0; k < feature->plane_count; k++) {
        ref_line2_init(&out[k]);
        for (int m = 0; m < 3; m++)
            mpq_set(out[k].by[m], feature->planes[k].by[m]);
    }
}

/* Keeps what is separated by the margin at most. The separation is the most of the differences of two planes, and
 * convex: it is so everywhere once it is so at all corners. */
static void clip_by_margin(patch *p)
{
    if (p->question->margin == INFINITY)
        return;
    ref_feature *grown = &p->feature[p->grown];
    ref_line2 *exact = ref_zeroed(grown->plane_count, sizeof *exact);
    mpq_t most;
    mpq_init(most);
    copy_planes(exact, grown);
    allow_growth(p);
    to_grid(most, p, p->question->margin);
    for (int side = 0; side < 2; side++) {
        to_grid(p->u, p, p->placed.radius[side]);
        mpq_add(most, most, p->u);
    }
    mpq_mul(most, most, p->frame.length);
    while (cut_corner(p, p->feature, most))
        ;
    for (uint32_t k = 0; k < grown->plane_count; k++) {
        ref_line2_clear(&grown->planes[k]);
        grown->planes[k] = exact[k];
    }
    free(exact);
    mpq_clear(most);
}

/* The point of a shape at a corner of the patch, at a height of its core. */
static void write_point(patch *p, int side, const ref_point2 *at, const mpq_t height, double point[3])
{
    for (int m = 0; m < 3; m++) {
        ref_flat_place(p->t, &p->frame, at, height, m);
        point[m] = to_world(p, p->t, 1);
        mpq_set_z(p->t, p->frame.axis[2].x[m]);
        mpq_div(p->t, p->t, p->frame.length);
        point[m] += (side ? -1 : 1) * p->placed.radius[side] * mpq_get_d(p->t);
    }
}

/* Writes the corners, and which of them are as deep as any within the slack. */
static void write_corners(patch *p, ref_patch *out, bool *deep)
{
    uint32_t count = p->overlap.count;
    mpq_t *height = ref_zeroed(2 * (size_t)count, sizeof *height);
    mpq_t least;
    mpq_init(least);
    for (uint32_t k = 0; k < count; k++) {
        mpq_inits(height[2 * k], height[2 * k + 1], NULL);
        for (int side = 0; side < 2; side++) {
            mpq_t *own = &height[2 * k + (uint32_t)side];
            if (side == p->grown && mpq_sgn(p->near) > 0)
                ref_feature_height_near(*own, &p->feature[side], side, &p->frame, &p->overlap.at[k]);
            else
                ref_feature_plane(*own, &p->feature[side], side, &p->overlap.at[k]);
            write_point(p, side, &p->overlap.at[k], *own, side ? out->corners[k].point_b : out->corners[k].point_a);
        }
        mpq_sub(height[2 * k], height[2 * k + 1], height[2 * k]);
        mpq_div(height[2 * k], height[2 * k], p->frame.length);
        out->corners[k].separation = to_world(p, height[2 * k], 1) - (p->placed.radius[0] + p->placed.radius[1]);
        if (k == 0 || mpq_cmp(height[2 * k], least) < 0)
            mpq_set(least, height[2 * k]);
    }
    to_grid(p->t, p, p->question->slack);
    mpq_add(p->t, p->t, least);
    for (uint32_t k = 0; k < count; k++) {
        deep[k] = mpq_cmp(height[2 * k], p->t) <= 0;
        out->deepest = k == 0 ? out->corners[k].separation : fmin(out->deepest, out->corners[k].separation);
        mpq_clears(height[2 * k], height[2 * k + 1], NULL);
    }
    mpq_clear(least);
    free(height);
}

/* Area or length. The area in the plane's coordinates is stretched by |e||f| = |e|^2 |n|. */
static double size_of(patch *p)
{
    if (p->overlap.count < 2)
        return 0;
    if (p->overlap.count == 2) {
        ref_flat_inner(p->t, &p->frame, &p->overlap.at[0], &p->overlap.at[1], &p->overlap.at[1]);
        ref_root_above(p->t, p->t);
        return to_world(p, p->t, 1);
    }
    ref_polygon_area(p->t, &p->overlap);
    mpq_set_z(p->u, p->frame.square[0]);
    mpq_div(p->t, p->t, p->u);
    mpq_div(p->t, p->t, p->frame.length);
    mpq_div_2exp(p->t, p->t, 1);
    return to_world(p, p->t, 2);
}

static void choose_best(patch *p, ref_patch *out, const bool *deep)
{
    out->best_count = out->count < REF_PATCH_POINTS ? out->count : REF_PATCH_POINTS;
    out->share = out->count ? 1 : 0;
    for (uint32_t k = 0; k < out->best_count; k++)
        out->best[k] = k;
    if (out->count <= REF_PATCH_POINTS)
        return;
    ref_polygon_best(&p->overlap, deep, out->best, p->t);
    ref_polygon_area(p->u, &p->overlap);
    mpq_div(p->t, p->t, p->u);
    out->share = mpq_get_d(p->t);
}

static void write_patch(patch *p, ref_patch *out)
{
    out->count = p->overlap.count;
    out->corners = ref_grown(out->corners, &out->room, out->count, sizeof *out->corners);
    out->deepest = 0;
    bool *deep = ref_zeroed(out->count, sizeof *deep);
    write_corners(p, out, deep);
    out->size = size_of(p);
    choose_best(p, out, deep);
    for (int side = 0; side < 2; side++)
        out->feature[side] = p->feature[side].outline.count;
    free(deep);
}

/* A defect of the caller. */
static void refuse(const char *what)
{
    fprintf(stderr, "gjkbench: a contact patch was asked for with %s\n", what);
    abort();
}

static void check(const gjb_pair *pair, const ref_patch_question *q)
{
    bool plane = pair->dim == 2;
    uint32_t count[2] = {plane ? pair->as.plane.a.count : pair->as.space.a.count,
                         plane ? pair->as.plane.b.count : pair->as.space.b.count};
    bool some = q->normal[0] != 0 || q->normal[1] != 0 || (!plane && q->normal[2] != 0);
    bool finite = isfinite(q->normal[0]) && isfinite(q->normal[1]) && (plane || isfinite(q->normal[2]));
    if (gjb_pair_curved(pair) || gjb_pair_unbounded(pair) || count[0] == 0 || count[1] == 0)
        refuse("a core without vertices");
    if (!some || !finite)
        refuse("a normal that is 0 or not finite");
    if (!(q->sine >= 0 && q->sine < 1))
        refuse("a sine that is not from 0 to below 1");
    if (!(q->near >= 0 && q->near < INFINITY && q->slack >= 0 && q->slack < INFINITY) || !(q->margin > -INFINITY))
        refuse("a negative or infinite length");
}

void ref_patch_find(const gjb_pair *pair, const ref_patch_question *question, ref_patch *out)
{
    patch p = {.question = question};
    check(pair, question);
    const double normal[3] = {question->normal[0], question->normal[1], pair->dim == 2 ? 0 : question->normal[2]};
    mpq_inits(p.near, p.t, p.u, NULL);
    ref_placed_open(&p.placed, pair);
    ref_flat_frame_open(&p.frame, normal);
    for (int side = 0; side < 2; side++)
        ref_feature_open(&p.feature[side], &p.placed, side, &p.frame, question->sine);
    clip_features(&p);
    clip_by_margin(&p);
    write_patch(&p, out);
    ref_polygon_close(&p.overlap);
    for (int side = 0; side < 2; side++)
        ref_feature_close(&p.feature[side]);
    ref_flat_frame_close(&p.frame);
    ref_placed_close(&p.placed);
    mpq_clears(p.near, p.t, p.u, NULL);
}

void ref_patch_free(ref_patch *patch)
{
    free(patch->corners);
    *patch = (ref_patch){.count = 0};
}
