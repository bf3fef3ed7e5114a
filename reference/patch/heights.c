/* Features over the plane normal to a direction: outline, the planes of their heights, and clipping by them. */
#include "reference/patch/heights.h"

#include <math.h>
#include <stdlib.h>

#include "reference/methods/surface3.h"
#include "reference/patch/faces.h"

/* Vertices as they are seen along n, with their heights. */
typedef struct seen {
    ref_point2 at;
    mpq_t height;
} seen;

static seen *look(const ref_placed *placed, int side, const ref_flat_frame *frame, const bool *member, uint32_t count)
{
    seen *out = ref_zeroed(count, sizeof *out);
    uint32_t k = 0;
    for (uint32_t v = 0; v < placed->count[side]; v++) {
        if (!member[v])
            continue;
        mpq_t *into[3] = {&out[k].at.x[0], &out[k].at.x[1], &out[k].height};
        for (int m = 0; m < 3; m++) {
            mpq_init(*into[m]);
            ref_inner3(mpq_numref(*into[m]), &placed->at[side][v], &frame->axis[m]);
        }
        k++;
    }
    return out;
}

/* The plane that is level across the line from p to q and goes through both. */
static void plane_along(ref_line2 *plane, const ref_flat_frame *frame, const seen *p, const seen *q)
{
    mpq_t rise;
    mpq_init(rise);
    ref_flat_inner(rise, frame, &p->at, &q->at, &q->at);
    mpq_sub(plane->by[2], q->height, p->height);
    mpq_div(rise, plane->by[2], rise);
    for (int m = 0; m < 2; m++) {
        mpq_sub(plane->by[m], q->at.x[m], p->at.x[m]);
        mpq_mul(plane->by[m], plane->by[m], rise);
        mpz_mul(mpq_denref(plane->by[m]), mpq_denref(plane->by[m]), frame->square[m]);
        mpq_canonicalize(plane->by[m]);
    }
    mpq_clear(rise);
}

/* The slopes of the plane through three; `turn` is not 0. */
static void plane_through(ref_line2 *plane, const seen *p, const seen *q, const seen *r, const mpq_t turn)
{
    mpq_t up[2], along[2], t;
    mpq_inits(up[0], up[1], along[0], along[1], t, NULL);
    mpq_sub(up[0], q->height, p->height);
    mpq_sub(up[1], r->height, p->height);
    for (int m = 0; m < 2; m++) {
        int other = !m;
        mpq_sub(along[0], q->at.x[other], p->at.x[other]);
        mpq_sub(along[1], r->at.x[other], p->at.x[other]);
        mpq_mul(plane->by[m], up[0], along[1]);
        mpq_mul(t, up[1], along[0]);
        mpq_sub(plane->by[m], plane->by[m], t);
        mpq_div(plane->by[m], plane->by[m], turn);
        if (m == 1)
            mpq_neg(plane->by[m], plane->by[m]);
    }
    mpq_clears(up[0], up[1], along[0], along[1], t, NULL);
}

/* Sign of the height of the plane over one of the vertices less the vertex' own. */
static int above(const ref_line2 *plane, const seen *vertex)
{
    mpq_t height;
    mpq_init(height);
    ref_line2_at(height, plane, &vertex->at);
    int sign = mpq_cmp(height, vertex->height);
    mpq_clear(height);
    return (sign > 0) - (sign < 0);
}

/* Is the plane at all vertices on the outer side or at them? `all`: at all of them. */
static bool supports(const ref_line2 *plane, const seen *vertices, uint32_t count, int side, bool *all)
{
    uint32_t on = 0;
    *all = false;
    for (uint32_t k = 0; k < count; k++) {
        int sign = above(plane, &vertices[k]);
        if ((side ? -sign : sign) < 0)
            return false;
        on += sign == 0;
    }
    *all = on == count;
    return true;
}

static bool is_known(const ref_feature *feature, const seen *vertices, const uint32_t *index, int needed)
{
    for (uint32_t k = 0; k < feature->plane_count; k++) {
        bool on = true;
        for (int m = 0; m < needed && on; m++)
            on = above(&feature->planes[k], &vertices[index[m]]) == 0;
        if (on)
            return true;
    }
    return false;
}

/* The plane through one, two or three vertices; false if they do not span it. */
static bool span(ref_line2 *plane, const ref_flat_frame *frame, const seen *vertices, const uint32_t *index, int needed)
{
    const seen *p = &vertices[index[0]], *q = &vertices[index[needed > 1]], *r = &vertices[index[needed - 1]];
    mpq_t turn;
    mpq_init(turn);
    bool spans = true;
    if (needed == 1) {
        mpq_set_ui(plane->by[0], 0, 1);
        mpq_set_ui(plane->by[1], 0, 1);
    } else if (needed == 2) {
        spans = !mpq_equal(p->at.x[0], q->at.x[0]) || !mpq_equal(p->at.x[1], q->at.x[1]);
        if (spans)
            plane_along(plane, frame, p, q);
    } else {
        ref_turn2_exact(turn, &p->at, &q->at, &r->at);
        spans = mpq_sgn(turn) != 0;
        if (spans)
            plane_through(plane, p, q, r, turn);
    }
    mpq_clear(turn);
    if (spans) { /* through p */
        mpq_set_ui(plane->by[2], 0, 1);
        mpq_t height;
        mpq_init(height);
        ref_line2_at(height, plane, &p->at);
        mpq_sub(plane->by[2], p->height, height);
        mpq_clear(height);
    }
    return spans;
}

/* The next of the choices of `needed` out of `count`, ascending; false after the last. */
static bool next_choice(uint32_t *index, int needed, uint32_t count)
{
    for (int m = needed - 1; m >= 0; m--) {
        if (index[m] + (uint32_t)(needed - m) >= count)
            continue;
        index[m]++;
        for (int k = m + 1; k < needed; k++)
            index[k] = index[k - 1] + 1;
        return true;
    }
    return false;
}

static void add_plane(ref_feature *feature, ref_line2 *plane)
{
    feature->planes = ref_grown(feature->planes, &feature->plane_room, feature->plane_count + 1, sizeof *plane);
    feature->planes[feature->plane_count++] = *plane;
    ref_line2_init(plane);
}

/* Of an outline with an area. The lower side is the upper one of the heights negated. */
static void find_faces(ref_feature *feature, const ref_flat_frame *frame, const seen *vertices,
                       uint32_t count, int side)
{
    ref_vector3 *at = ref_zeroed(count, sizeof *at);
    for (uint32_t k = 0; k < count; k++) {
        ref_vector3_init(&at[k]);
        mpz_set(at[k].x[0], mpq_numref(vertices[k].at.x[0]));
        mpz_set(at[k].x[1], mpq_numref(vertices[k].at.x[1]));
        mpz_set(at[k].x[2], mpq_numref(vertices[k].height));
        if (side)
            mpz_neg(at[k].x[2], at[k].x[2]);
    }
    uint32_t faces;
    ref_upper_face *face = ref_upper_faces(at, count, &faces, NULL);
    ref_line2 plane;
    ref_line2_init(&plane);
    for (uint32_t k = 0; k < faces; k++) {
        span(&plane, frame, vertices, face[k].at, 3);
        add_plane(feature, &plane);
    }
    ref_line2_clear(&plane);
    free(face);
    for (uint32_t k = 0; k < count; k++)
        ref_vector3_clear(&at[k]);
    free(at);
    if (feature->plane_count == 0)
        ref_broken("a face without a height");
}

/* All planes through as many vertices as the outline needs that no vertex is beyond. */
static void find_planes(ref_feature *feature, const ref_flat_frame *frame, const seen *vertices, uint32_t count,
                        int side)
{
    int needed = feature->outline.count < 3 ? (int)feature->outline.count : 3;
    uint32_t index[3] = {0, 1, 2};
    bool all = false;
    ref_line2 plane;
    if (needed == 3) {
        find_faces(feature, frame, vertices, count, side);
        return;
    }
    ref_line2_init(&plane);
    do {
        if (is_known(feature, vertices, index, needed) || !span(&plane, frame, vertices, index, needed) ||
            !supports(&plane, vertices, count, side, &all))
            continue;
        add_plane(feature, &plane);
    } while (!all && next_choice(index, needed, count));
    ref_line2_clear(&plane);
    if (feature->plane_count == 0)
        ref_broken("a feature without a height");
}

void ref_feature_open(ref_feature *feature, const ref_placed *placed, int side, const ref_flat_frame *frame,
                      double sine)
{
    *feature = (ref_feature){.plane_count = 0};
    bool *member = ref_zeroed(placed->count[side], sizeof *member);
    ref_vector3 outward;
    ref_vector3_init(&outward);
    for (int m = 0; m < 3; m++) {
        mpz_set(outward.x[m], frame->axis[2].x[m]);
        if (side)
            mpz_neg(outward.x[m], outward.x[m]);
    }
    uint32_t count = ref_extreme_vertices(placed, side, &outward, sine, member);
    ref_vector3_clear(&outward);
    seen *vertices = look(placed, side, frame, member, count);
    ref_polygon_open(&feature->outline, count);
    for (uint32_t k = 0; k < count; k++)
        for (int m = 0; m < 2; m++)
            mpq_set(feature->outline.at[k].x[m], vertices[k].at.x[m]);
    feature->outline.count = count;
    ref_polygon_hull(&feature->outline);
    find_planes(feature, frame, vertices, count, side);
    for (uint32_t k = 0; k < count; k++)
        mpq_clears(vertices[k].at.x[0], vertices[k].at.x[1], vertices[k].height, NULL);
    free(vertices);
    free(member);
}

void ref_feature_close(ref_feature *feature)
{
    for (uint32_t k = 0; k < feature->plane_count; k++)
        ref_line2_clear(&feature->planes[k]);
    free(feature->planes);
    ref_polygon_close(&feature->outline);
}

static void copy_point(ref_point2 *out, const ref_point2 *from)
{
    mpq_set(out->x[0], from->x[0]);
    mpq_set(out->x[1], from->x[1]);
}

/* The point of the segment from p to q that is nearest to x. */
static void nearest_on_side(ref_point2 *out, const ref_flat_frame *frame, const ref_point2 *p, const ref_point2 *q,
                            const ref_point2 *x)
{
    mpq_t along, whole;
    mpq_inits(along, whole, NULL);
    ref_flat_inner(along, frame, p, q, x);
    ref_flat_inner(whole, frame, p, q, q);
    if (mpq_sgn(along) <= 0) {
        copy_point(out, p);
    } else if (mpq_cmp(along, whole) >= 0) {
        copy_point(out, q);
    } else {
        mpq_div(along, along, whole);
        for (int m = 0; m < 2; m++) {
            mpq_sub(whole, q->x[m], p->x[m]);
            mpq_mul(whole, whole, along);
            mpq_add(out->x[m], p->x[m], whole);
        }
    }
    mpq_clears(along, whole, NULL);
}

/* The point of the outline, sides or inside, that is nearest to x. */
static void nearest_in_outline(ref_point2 *out, const ref_flat_frame *frame, const ref_polygon *outline,
                               const ref_point2 *x)
{
    bool found = false;
    ref_point2 point;
    mpq_t least, own;
    mpq_inits(least, own, point.x[0], point.x[1], NULL);
    for (uint32_t k = 0; k < outline->count; k++) {
        const ref_point2 *p = &outline->at[k], *q = &outline->at[(k + 1) % outline->count];
        if (outline->count > 2 && ref_turn2_sign(p, q, x) >= 0)
            continue; /* only sides that it is outside of can be nearest */
        nearest_on_side(&point, frame, p, q, x);
        ref_flat_inner(own, frame, x, &point, &point);
        if (found && mpq_cmp(own, least) >= 0)
            continue;
        mpq_set(least, own);
        copy_point(out, &point);
        found = true;
    }
    if (!found)
        copy_point(out, x);
    mpq_clears(least, own, point.x[0], point.x[1], NULL);
}

/* How high, as seen from this side, each plane is at least in double. Returns what the lowest one is at most. */
static double bound_heights(double *low, const ref_feature *feature, int side, const ref_point2 *at)
{
    double point[2], most = INFINITY, doubt;
    ref_point2_round(at, point);
    for (uint32_t k = 0; k < feature->plane_count; k++) {
        const double near = ref_line2_near(&feature->planes[k], point, &doubt);
        low[k] = (side ? -near : near) - doubt;
        most = fmin(most, low[k] + 2 * doubt);
    }
    return most;
}

const ref_line2 *ref_feature_plane(mpq_t height, const ref_feature *feature, int side, const ref_point2 *at)
{
    double *low = ref_zeroed(feature->plane_count, sizeof *low);
    const double most = bound_heights(low, feature, side, at);
    const ref_line2 *best = NULL;
    mpq_t own;
    mpq_init(own);
    for (uint32_t k = 0; k < feature->plane_count; k++) {
        if (low[k] > most)
            continue;
        ref_line2_at(own, &feature->planes[k], at);
        const int sign = best ? mpq_cmp(own, height) : 0;
        if (best && !(side ? sign > 0 : sign < 0))
            continue;
        mpq_set(height, own);
        best = &feature->planes[k];
    }
    mpq_clear(own);
    free(low);
    return best;
}

void ref_feature_height_near(mpq_t out, const ref_feature *feature, int side, const ref_flat_frame *frame,
                             const ref_point2 *at)
{
    ref_point2 nearest;
    mpq_inits(nearest.x[0], nearest.x[1], NULL);
    nearest_in_outline(&nearest, frame, &feature->outline, at);
    ref_feature_plane(out, feature, side, &nearest);
    mpq_clears(nearest.x[0], nearest.x[1], NULL);
}

/* Clips by slope . (x - at) + near |slope| >= 0. */
static void clip_from(ref_polygon *polygon, ref_line2 *line, const ref_point2 *at, const ref_flat_frame *frame,
                      const mpq_t near)
{
    mpq_t t, grown;
    mpq_inits(t, grown, NULL);
    mpq_set_ui(line->by[2], 0, 1);
    ref_line2_at(t, line, at);
    ref_flat_growth(grown, frame, line, near);
    mpq_sub(line->by[2], grown, t);
    ref_polygon_clip(polygon, line);
    mpq_clears(t, grown, NULL);
}

/* Clips by the box about the outline, its sides along e and f. */
static void clip_by_box(ref_polygon *polygon, const ref_polygon *outline, ref_line2 *line, const ref_flat_frame *frame,
                        const mpq_t near)
{
    for (int way = 0; way < 4; way++) {
        const ref_point2 *end = &outline->at[0];
        for (uint32_t k = 1; k < outline->count; k++) {
            int sign = mpq_cmp(outline->at[k].x[way / 2], end->x[way / 2]);
            end = (way % 2 ? sign > 0 : sign < 0) ? &outline->at[k] : end;
        }
        mpq_set_si(line->by[way / 2], way % 2 ? -1 : 1, 1);
        mpq_set_ui(line->by[!(way / 2)], 0, 1);
        clip_from(polygon, line, end, frame, near);
    }
}

/* Clips by the squares at both ends of the segment. */
static void clip_by_ends(ref_polygon *polygon, const ref_polygon *outline, ref_line2 *line, const ref_flat_frame *frame,
                         const mpq_t near)
{
    for (int end = 0; end < 2; end++) {
        for (int m = 0; m < 2; m++) {
            mpq_sub(line->by[m], outline->at[!end].x[m], outline->at[end].x[m]);
            mpz_mul(mpq_denref(line->by[m]), mpq_denref(line->by[m]), frame->square[m]);
            mpq_canonicalize(line->by[m]);
        }
        clip_from(polygon, line, &outline->at[end], frame, near);
    }
}

void ref_feature_clip(ref_polygon *polygon, const ref_feature *feature, const ref_flat_frame *frame, const mpq_t near)
{
    const ref_polygon *outline = &feature->outline;
    ref_line2 line;
    ref_line2_init(&line);
    for (uint32_t k = 0; k < outline->count && outline->count > 1; k++) {
        const ref_point2 *p = &outline->at[k], *q = &outline->at[k + 1 < outline->count ? k + 1 : 0];
        mpq_sub(line.by[0], p->x[1], q->x[1]);
        mpq_sub(line.by[1], q->x[0], p->x[0]);
        clip_from(polygon, &line, p, frame, near);
    }
    if (outline->count == 2)
        clip_by_ends(polygon, outline, &line, frame, near);
    else if (outline->count == 1 || mpq_sgn(near) > 0)
        clip_by_box(polygon, outline, &line, frame, near);
    ref_line2_clear(&line);
    ref_polygon_hull(polygon);
}
