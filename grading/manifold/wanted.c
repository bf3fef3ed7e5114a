/* The wanted patch of a manifold: features clipped by one another in long double, or the exact patch.
 *
 * In long double every line may lie a doubt further in or out. A patch that has a point which is well within all lines
 * is there for certain, and one that is not there with all lines moved out is not. What is neither is in doubt. */
#include "grading/manifold/manifold.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "grading/bounds_private.h"

enum { LINE_ROOM = GJB_FEATURE_ROOM + 4 + 48 };

typedef struct clipping {
    gjb_feature feature[2];
    int grown; /* the feature that clips */
    gjb_flat_line line[LINE_ROOM];
    uint32_t count;
    real near, radii, left; /* T, both radii, and the margin with them */
    real doubt, off; /* of lines; of separations */
} clipping;

static int clip(gjb_flat *flat, const clipping *c, real near, real doubts)
{
    for (uint32_t k = 0; k < c->count && flat->count; k++) {
        gjb_flat_line line = c->line[k];
        line.by[2] += doubts * line.doubt;
        if (gjb_flat_clip(flat, &line, near))
            return -1;
    }
    return 0;
}

/* Has the patch a point that is well within everything that it was made from? */
static int is_certain(const clipping *c, const gjb_flat *patch, real near)
{
    real middle[2] = {0, 0};
    for (uint32_t k = 0; k < patch->count; k++)
        for (int m = 0; m < 2; m++)
            middle[m] += patch->at[k][m] / patch->count;
    for (uint32_t k = 0; k < c->count; k++)
        if (!(gjb_line_at(&c->line[k], middle, near) > 8 * c->line[k].doubt))
            return 0;
    const gjb_feature *clipped = &c->feature[!c->grown];
    if (clipped->dimension == 0)
        return 1;
    gjb_flat_line side[GJB_FEATURE_ROOM + 4];
    const uint32_t sides = gjb_flat_lines(&clipped->outline, side), first = clipped->dimension == 1 ? 2 : 0;
    for (uint32_t k = first; k < (first ? sides : sides - 4); k++)
        if (!(gjb_line_at(&side[k], middle, 0) > 8 * c->doubt))
            return 0;
    return 1;
}

/* Faces that rounding broke up are one. */
static void find_planes(clipping *c)
{
    for (int side = 0; side < 2; side++)
        gjb_feature_heights(&c->feature[side], c->doubt, c->near / 64);
    c->off = 8 * c->doubt + c->feature[0].residue + c->feature[1].residue;
}

/* The separation of the cores over a point, and planes of A and B there. */
static int separation_at(const clipping *c, const real at[2], real *separation, real plane[2][3])
{
    real height[2];
    for (int side = 0; side < 2; side++)
        if (gjb_feature_height(&c->feature[side], at, &height[side], plane[side]))
            return -1;
    *separation = height[1] - height[0];
    return 0;
}

/* The separation is the most of the differences of two planes. Where a feature is grown, its plane may be off by what
 * it rises by over that length. Planes that are nearly level cross the margin anywhere; so these lines are moved out
 * by their doubt, and more is asked for rather than less. */
static int margin_line(const clipping *c, real plane[2][3], gjb_flat_line *line)
{
    const real *p = plane[0], *q = plane[1], *own = plane[c->grown];
    const real steep = hypotl(p[0] - q[0], p[1] - q[1]);
    if (!(steep > 0x1p-20L))
        return -1;
    *line = (gjb_flat_line){
        {(p[0] - q[0]) / steep, (p[1] - q[1]) / steep, (p[2] - q[2] + c->left + c->off) / steep},
        hypotl(own[0], own[1]) / steep,
        c->off / steep};
    return 0;
}

enum { CUTS = 24 };

/* Cuts off what is beyond the margin: where a corner is, by the planes there, until none is. */
static int cut_by_margin(clipping *c, gjb_flat *patch, real near)
{
    const gjb_feature *a = &c->feature[0], *b = &c->feature[1];
    if (b->high - a->low <= c->left - 16 * c->doubt)
        return 0;
    find_planes(c);
    for (int cut = 0; cut < CUTS; cut++) {
        uint32_t k = 0;
        for (; k < patch->count; k++) {
            real separation, plane[2][3];
            gjb_flat_line line;
            if (separation_at(c, patch->at[k], &separation, plane))
                return -1;
            if (separation <= c->left + 2 * c->off)
                continue;
            if (margin_line(c, plane, &line))
                return -1;
            if (gjb_line_at(&line, patch->at[k], near) >= -line.doubt)
                continue; /* in what is granted next to the border */
            if (c->count == LINE_ROOM || gjb_flat_clip(patch, &line, near))
                return -1;
            c->line[c->count++] = line;
            break;
        }
        if (k == patch->count)
            return 0;
    }
    return -1;
}

/* Of what is left of a segment, rounded, the two ends. */
static void keep_ends(gjb_flat *patch, const gjb_flat *segment)
{
    const real x = segment->at[1][0] - segment->at[0][0], y = segment->at[1][1] - segment->at[0][1];
    uint32_t first = 0, last = 0;
    for (uint32_t k = 1; k < patch->count; k++) {
        const real *own = patch->at[k];
        first = x * own[0] + y * own[1] < x * patch->at[first][0] + y * patch->at[first][1] ? k : first;
        last = x * own[0] + y * own[1] > x * patch->at[last][0] + y * patch->at[last][1] ? k : last;
    }
    const real ends[2][2] = {{patch->at[first][0], patch->at[first][1]},
                             {patch->at[last][0], patch->at[last][1]}};
    memcpy(patch->at, ends, sizeof ends);
    patch->count = first == last ? 1 : 2;
}

/* What is left of the clipped feature's outline. -1: in doubt. */
static int overlap(clipping *c, gjb_flat *patch, real near)
{
    const gjb_flat *outline = &c->feature[!c->grown].outline;
    patch->count = outline->count;
    memcpy(patch->at, outline->at, outline->count * sizeof outline->at[0]);
    if (clip(patch, c, near, 0))
        return -1;
    if (patch->count && cut_by_margin(c, patch, near))
        return -1;
    if (outline->count == 2 && patch->count)
        keep_ends(patch, outline);
    else
        gjb_flat_hull(patch);
    if (patch->count > 0)
        return is_certain(c, patch, near) ? 0 : -1;
    gjb_flat more;
    more.count = outline->count;
    memcpy(more.at, outline->at, outline->count * sizeof outline->at[0]);
    return clip(&more, c, near, 8) || more.count ? -1 : 0;
}

/* Parts of T, with which it is asked again where the ends are. */
enum { INSETS = 2 };
static const real inset_part[INSETS] = {0.125L, 0.0625L};

/* How far an end is from the nearest corner that is left with less grown. */
static real moved_by(const gjb_wanted *w, int end, const gjb_flat *inner)
{
    const real *at = w->patch.at[w->end[end]], *other = w->patch.at[w->end[1 - end]];
    const real length = hypotl(other[0] - at[0], other[1] - at[1]);
    real least = INFINITY;
    for (uint32_t k = 0; k < inner->count; k++)
        least = fminl(least, ((other[0] - at[0]) * (inner->at[k][0] - at[0]) +
                              (other[1] - at[1]) * (inner->at[k][1] - at[1])) /
                                 length);
    return least;
}


/* Is a polygon so narrow that nothing of it is T within? Its ends are those of the longest diagonal. */
static int is_narrow(gjb_wanted *w)
{
    gjb_flat inside = w->patch;
    if (w->patch.count < 3 || gjb_flat_shrink(&inside, w->to.near) || inside.count)
        return 0;
    return gjb_flat_diagonal(&w->patch, w->end) > 0;
}

/* Seen along the diagonal. */
static real width(const gjb_wanted *w, const gjb_flat *flat)
{
    const real *p = w->patch.at[w->end[0]], *q = w->patch.at[w->end[1]], length = hypotl(q[0] - p[0], q[1] - p[1]);
    const real across[2] = {(p[1] - q[1]) / length, (q[0] - p[0]) / length};
    real range[2];
    gjb_flat_extent(flat, across, range);
    return range[1] - range[0];
}

/* A segment's ends are made by lines that may cross it at a small angle, and move by more than near when these do: as
 * far as they are from where they would be with nothing grown. An end that no line makes with T may be made by one
 * with less, so that is found from two smaller parts, too. A narrow polygon may be taken for one of its sides: then the
 * ends that lines make move by as much more as it is wide. */
static void set_insets(gjb_wanted *w, const gjb_flat inner[INSETS])
{
    const real more = w->patch.count > 2 ? 1 + width(w, &w->patch) / w->to.near : 1;
    w->along = 1;
    for (int end = 0; end < 2; end++) {
        w->inset[end] = inner[0].count ? w->to.near : INFINITY;
        if (inner[0].count == 0)
            continue;
        const real moved = moved_by(w, end, &inner[0]);
        real most = moved / (1 - inset_part[0]);
        if (inner[1].count)
            most = fmaxl(most, 2 * moved_by(w, end, &inner[1]) - moved);
        w->inset[end] = fmaxl(w->inset[end], more * most);
    }
}

/* A polygon is narrow since a feature is, and then it is asked as an edge is; or since features share little across,
 * and then T may decide whether they share anything. Less grown, the latter is narrower. */
static int keeps_width(const gjb_wanted *w, const gjb_flat *inner)
{
    return w->patch.count == 2 || width(w, inner) > width(w, &w->patch) - 0.5L * w->to.near;
}

/* Corners that coincide within rounding are one. */
static void merge_corners(gjb_flat *patch, real doubt)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < patch->count; k++) {
        const real *last = patch->at[count ? count - 1 : 0], *own = patch->at[k];
        if (count && hypotl(own[0] - last[0], own[1] - last[1]) <= doubt)
            continue;
        memmove(patch->at[count++], own, sizeof patch->at[0]);
    }
    const real *first = patch->at[0], *last = patch->at[count ? count - 1 : 0];
    if (count > 3 && hypotl(first[0] - last[0], first[1] - last[1]) <= doubt)
        count--;
    if (count >= 3 || patch->count < 3)
        patch->count = count;
}

/* Are all corners within `near` of the hull of the best? -1: in doubt. */
static int is_fit(const gjb_wanted *w, const uint32_t best[4])
{
    gjb_flat hull = {.count = 4};
    real most = 0;
    for (int m = 0; m < 4; m++)
        memcpy(hull.at[m], w->patch.at[best[m]], sizeof hull.at[m]);
    for (uint32_t k = 0; k < w->patch.count; k++)
        most = fmaxl(most, gjb_flat_distance(&hull, w->patch.at[k]));
    return most <= w->to.near - 4 * w->doubt ? 1 : most > w->to.near + 4 * w->doubt ? 0 : -1;
}

static void set_four(gjb_wanted *w, const uint32_t best[4])
{
    for (int m = 0; m < 4; m++)
        memcpy(w->four[m], w->patch.at[best[m]], sizeof w->four[m]);
}

/* The best of more than four corners. -1 if it is in doubt which are deep. They fit if those do that include one
 * within T of the least separation, and those that include the very deepest: which of both is kept must not matter. */
static int choose_best(gjb_wanted *w, clipping *c)
{
    real separation[GJB_FLAT_ROOM], least = INFINITY;
    uint8_t deep[GJB_FLAT_ROOM], deepest[GJB_FLAT_ROOM];
    uint32_t best[4] = {0};
    real plane[2][3];
    find_planes(c);
    for (uint32_t k = 0; k < w->patch.count; k++) {
        if (separation_at(c, w->patch.at[k], &separation[k], plane))
            return -1;
        least = fminl(least, separation[k]);
    }
    for (uint32_t k = 0; k < w->patch.count; k++) {
        const real beyond = separation[k] - least - w->to.near;
        if (fabsl(beyond) <= 2 * c->off)
            return -1;
        deep[k] = beyond < 0;
        deepest[k] = separation[k] <= least + 2 * c->off;
    }
    w->deepest = least - c->radii;
    w->best = gjb_flat_best(&w->patch, deep, best);
    set_four(w, best);
    w->fits = is_fit(w, best);
    gjb_flat_best(&w->patch, deepest, best);
    w->fits = w->fits > 0 ? is_fit(w, best) : w->fits;
    return 0;
}

/* Points that fit the count. */
static uint32_t most_points(const gjb_placed_pair *placed)
{
    return placed->pair->dim == 2 ? GJB_CONTACTS_2D : GJB_CONTACTS_3D;
}

/* Of as many corners as fit. */
static int set_deepest(gjb_wanted *w, clipping *c)
{
    real separation, plane[2][3];
    find_planes(c);
    w->deepest = INFINITY;
    for (uint32_t k = 0; k < w->patch.count; k++) {
        if (separation_at(c, w->patch.at[k], &separation, plane))
            return -1;
        w->deepest = fminl(w->deepest, separation - c->radii);
    }
    return 0;
}

static int set_best(gjb_wanted *w, clipping *c, uint32_t most)
{
    w->fits = 1;
    memcpy(w->four, w->patch.at, sizeof w->four);
    w->best = w->patch.count > 2 ? gjb_flat_area(&w->patch) : 0;
    if (w->patch.count == 2)
        w->best = 0.5L * gjb_flat_perimeter(&w->patch);
    if (w->patch.count == most && set_deepest(w, c))
        return -1;
    return w->patch.count > REF_PATCH_POINTS ? choose_best(w, c) : 0;
}

static int find(gjb_wanted *w, const gjb_placed_pair *placed)
{
    clipping c;
    c.doubt = placed->error;
    c.near = w->to.near;
    c.radii = gjb_radii(placed);
    c.left = (real)w->to.margin + c.radii;
    for (int side = 0; side < 2; side++)
        if (gjb_feature_open(&c.feature[side], placed, &w->frame, side))
            return -1;
    c.grown = c.feature[0].dimension > c.feature[1].dimension ? 0 : 1;
    c.count = gjb_flat_lines(&c.feature[c.grown].outline, c.line);
    for (uint32_t k = 0; k < c.count; k++)
        c.line[k].doubt = c.doubt;
    w->patch.count = 0;
    w->doubt = c.doubt;
    /* What faces rise by over T, which is granted next to borders, is less than a sixteenth of it. */
    if (c.feature[1].low - c.feature[0].high > c.left + 16 * c.doubt + 0.0625L * c.near)
        return 0;
    if (overlap(&c, &w->patch, w->to.grown))
        return -1;
    merge_corners(&w->patch, 16 * c.doubt);
    if ((c.feature[!c.grown].dimension == 1 && w->patch.count == 2) || is_narrow(w)) {
        gjb_flat inner[INSETS];
        for (int k = 0; k < INSETS; k++)
            if (overlap(&c, &inner[k], inset_part[k] * w->to.grown))
                return -1;
        if (keeps_width(w, &inner[0]))
            set_insets(w, inner);
    }
    return set_best(w, &c, most_points(placed));
}

/* 1 if it is known. */
static int begin(gjb_wanted *w, const gjb_wanted_question *question)
{
    if (w->known && memcmp(&w->to, question, sizeof w->to) == 0)
        return 1;
    w->known = 1;
    w->to = *question;
    w->along = 0;
    w->end[0] = 0;
    w->end[1] = 1;
    w->inset[0] = w->inset[1] = w->to.near;
    w->state = gjb_flat_frame_open(&w->frame, w->to.normal);
    return w->state != 0;
}

void gjb_wanted_find(gjb_wanted *w, const gjb_placed_pair *placed, const gjb_wanted_question *question)
{
    if (!begin(w, question))
        w->state = find(w, placed);
}

/* --- Exactly --------------------------------------------------------------------------------------- */

static int set_patch(gjb_flat *flat, const gjb_flat_frame *frame, const ref_patch *patch)
{
    if (patch->count > GJB_FLAT_ROOM / 2)
        return -1;
    flat->count = patch->count;
    for (uint32_t k = 0; k < patch->count; k++) {
        const double *p = patch->corners[k].point_a;
        const real at[3] = {p[0], p[1], p[2]};
        gjb_flat_of(frame, at, flat->at[k]);
    }
    return 0;
}

/* The best four, with what may stand for the deepest corner. */
static void set_exact_best(gjb_wanted *w, const gjb_placed_pair *placed, ref_patch_question question,
                           const ref_patch *patch)
{
    w->best = (real)patch->size * patch->share;
    w->deepest = patch->deepest;
    w->fits = 1;
    memcpy(w->four, w->patch.at, sizeof w->four);
    if (patch->count <= REF_PATCH_POINTS)
        return;
    set_four(w, patch->best);
    w->fits = is_fit(w, patch->best);
    if (w->fits == 0)
        return;
    ref_patch strict = {0};
    question.slack = 0;
    ref_patch_find(placed->pair, &question, &strict);
    w->fits = w->fits > 0 ? is_fit(w, strict.best) : w->fits;
    ref_patch_free(&strict);
}

static void set_exact_insets(gjb_wanted *w, const gjb_placed_pair *placed, ref_patch_question question)
{
    gjb_flat inner[INSETS];
    int known = 1;
    for (int k = 0; k < INSETS; k++) {
        ref_patch patch = {0};
        question.near = (double)inset_part[k] * w->to.grown;
        ref_patch_find(placed->pair, &question, &patch);
        known &= set_patch(&inner[k], &w->frame, &patch) == 0;
        ref_patch_free(&patch);
    }
    if (known && keeps_width(w, &inner[0]))
        set_insets(w, inner);
}

void gjb_wanted_exactly(gjb_wanted *w, const gjb_placed_pair *placed, const gjb_wanted_question *to)
{
    if (begin(w, to))
        return;
    ref_patch patch = {0};
    const ref_patch_question question = {
        {to->normal[0], to->normal[1], to->normal[2]}, to->sine, to->margin, to->grown, to->near};
    ref_patch_find(placed->pair, &question, &patch);
    w->doubt = 4 * DBL_EPSILON * (real)placed->size;
    w->state = set_patch(&w->patch, &w->frame, &patch);
    if (w->state == 0) {
        set_exact_best(w, placed, question, &patch);
        merge_corners(&w->patch, w->doubt);
    }
    if (w->state == 0 && (w->patch.count == 2 || is_narrow(w)))
        set_exact_insets(w, placed, question);
    ref_patch_free(&patch);
}
