/* Grades a manifold by the rules of docs/manifolds.md: points, normal, the deepest, the patch and its coverage. */
#include "grading/grade_private.h"

#include <string.h>

#include "grading/bounds_private.h"
#include "grading/manifold/manifold.h"

/* --- Form ---------------------------------------------------------------------------------------- */

static int plus_zero(double x)
{
    return x == 0 && !signbit(x);
}

static gjb_fault numbers_fault(const double *x, int count, int defined, int ours)
{
    for (int k = 0; k < count; k++) {
        if (!isfinite(x[k]))
            return GJB_FAULT_NAN;
        if (defined ? ours && x[k] == 0 && signbit(x[k]) : !plus_zero(x[k]))
            return GJB_FAULT_FORM;
    }
    return GJB_FAULT_NONE;
}

gjb_fault gjb_manifold_form(const gjb_result *r, uint32_t dim, int ours)
{
    const uint32_t most = dim == 2 ? GJB_CONTACTS_2D : GJB_CONTACTS_3D;
    gjb_fault fault = numbers_fault(r->normal, 3, r->count > 0, ours);
    for (uint32_t i = 0; i < GJB_CONTACTS_3D && !fault; i++) {
        const gjb_contact3d *c = &r->contact[i];
        const int defined = i < r->count;
        const struct {
            const double *at;
            int count;
        } fields[] = {{c->point_a, 3}, {c->point_b, 3}, {&c->separation, 1}};
        for (int f = 0; f < 3 && !fault; f++)
            fault = numbers_fault(fields[f].at, fields[f].count, defined, ours);
        if (!fault && (c->zero != 0 || (!defined && c->feature != 0)))
            fault = GJB_FAULT_FORM;
    }
    return fault ? fault : r->count > most ? GJB_FAULT_FORM : GJB_FAULT_NONE;
}

/* --- Points, normal ------------------------------------------------------------------------------- */

static real distance_of(gjb_grading *g, uint32_t i, int of_b)
{
    const double *point = of_b ? g->result->contact[i].point_b : g->result->contact[i].point_a;
    if (memcmp(point, of_b ? g->result->point_b : g->result->point_a, 3 * sizeof *point) == 0)
        return gjb_distance_to(g->truth, of_b, point);
    const real at[3] = {point[0], point[1], point[2]};
    return gjb_point_distance(&g->truth->placed, of_b, at);
}

/* Rules 1 and 2: how far a point is off. */
static real contact_off(gjb_grading *g, const gjb_flat_frame *frame, uint32_t i)
{
    const gjb_contact3d *c = &g->result->contact[i];
    real off[3];
    for (int k = 0; k < 3; k++)
        off[k] = (real)c->point_b[k] - c->point_a[k] - (real)c->separation * g->result->normal[k];
    real worst = gjb_length3(off);
    for (int of_b = 0; of_b < 2; of_b++) {
        worst = fmaxl(worst, distance_of(g, i, of_b));
        const real below =
            gjb_below_surface(&g->truth->placed, frame, of_b, of_b ? c->point_b : c->point_a, g->tolerance);
        worst = below > 0 ? fmaxl(worst, g->tolerance + g->truth->placed.error + below) : worst;
    }
    return worst;
}

static void grade_contacts(gjb_grading *g, const gjb_flat_frame *frame)
{
    const real error = g->truth->placed.error;
    real worst = 0;
    int beyond = 0;
    for (uint32_t i = 0; i < g->result->count; i++) {
        worst = fmaxl(worst, contact_off(g, frame, i));
        beyond |= !(g->result->contact[i].separation <= g->truth->pair->margin + g->tolerance + error);
    }
    g->grade.has_points = 1;
    g->grade.witness_eps = in_units(worst, unit_of(g->granted, g->truth->size));
    if (!(worst <= g->tolerance + error) || beyond)
        gjb_set_fault(&g->grade, GJB_FAULT_CONTACT);
}

/* Shapes that are apart have to be separated; else the gap is sigma's. */
static void grade_normal(gjb_grading *g, real gap)
{
    const real tolerance = g->tolerance, error = g->truth->placed.error, lo = g->truth->lo;
    const real n[3] = {g->result->normal[0], g->result->normal[1], g->result->normal[2]};
    const gjb_normal_check check = {.length = gjb_length_of(n),
                                    .wanted = lo > tolerance ? 0 : fminl(lo, tolerance),
                                    .gap = gap,
                                    .allowed = tolerance + error,
                                    .unit = unit_of(g->granted, g->truth->size)};
    gjb_check_normal(&g->grade, &check, g->granted);
}

/* Rule 5. */
static void grade_deepest(gjb_grading *g, real gap)
{
    const real off = fabsl(g->result->value - gap);
    g->grade.has_value = 1;
    g->grade.value_eps = in_units(off, unit_of(g->granted, g->truth->size));
    if (!(off <= g->tolerance + g->truth->placed.error))
        gjb_set_fault(&g->grade, GJB_FAULT_DEEPEST);
}

static void grade_features(gjb_grading *g)
{
    const gjb_result *r = g->result;
    for (uint32_t i = 0; i < r->count && g->granted->ours; i++)
        for (uint32_t j = 0; j < i; j++)
            if (r->contact[i].feature == r->contact[j].feature)
                gjb_set_fault(&g->grade, GJB_FAULT_FEATURE);
}

/* --- The patch ------------------------------------------------------------------------------------- */

/* The points of an answer against what is wanted, `grant` more than T; less than it for a proof. */
typedef struct covering {
    const gjb_wanted *wanted;
    gjb_flat answer;
    real near, grant;
    int inner; /* 1: rule 5 asks for a point within the patch, so one corner of those that fit may be missing */
    int complete;
    real coverage;
} covering;

/* Across a segment points may be off by this many T. */
static const real across = 64;

/* Where the answer's points next to the line between W's ends begin and end, from the first end on. */
static void reach(const covering *c, const real way[2], real range[2])
{
    const real *p = c->wanted->patch.at[c->wanted->end[0]], from = way[0] * p[0] + way[1] * p[1];
    gjb_flat points = c->answer;
    for (int side = 0; side < 2; side++) {
        const real s = side ? -1 : 1, by[2] = {-way[1] * s, way[0] * s};
        const gjb_flat_line line = {{by[0], by[1], -(by[0] * p[0] + by[1] * p[1])}, 1, 0};
        gjb_flat_clip(&points, &line, across * c->near);
    }
    gjb_flat_extent(&points, way, range);
    range[0] -= from;
    range[1] -= from;
}

/* Is all covered that is asked from one end of W to the other? `share` of its length is. */
static int holds_along(const covering *c, real *share)
{
    const gjb_wanted *w = c->wanted;
    const real *p = w->patch.at[w->end[0]], *q = w->patch.at[w->end[1]], length = hypotl(q[0] - p[0], q[1] - p[1]);
    const real way[2] = {(q[0] - p[0]) / length, (q[1] - p[1]) / length}, near = c->near + c->grant;
    const real first = w->inset[0] + c->grant, last = length - w->inset[1] - c->grant;
    real range[2];
    reach(c, way, range);
    const real from = range[0], to = range[1];
    const real covered = fminl(length, to + w->inset[1]) - fmaxl(0, from - w->inset[0]);
    *share = from <= to && covered > 0 ? covered / length : 0;
    /* Which end is farther from the deepest point depends on the margin's T, which moves ends by T / sin(angle). */
    return first > last || (from - near <= first && to + near >= last) ||
           (c->inner && covered + 2 * across * near >= REF_PATCH_SHARE * length);
}

/* Is each point of the patch that is well within it next to the answer's points? */
static int holds_inside(const covering *c)
{
    gjb_flat inside = c->wanted->patch;
    const real near = c->near + c->grant;
    if (gjb_flat_shrink(&inside, near))
        return 0;
    for (uint32_t k = 0; k < inside.count; k++)
        if (!(gjb_flat_distance(&c->answer, inside.at[k]) <= near))
            return 0;
    return 1;
}

/* Is at least half as much covered as by the best points that fit? */
static void cover_polygon_by_half(covering *c)
{
    const gjb_wanted *w = c->wanted;
    gjb_flat_line line[GJB_CONTACTS_3D + 4];
    gjb_flat part = w->patch;
    for (uint32_t k = 0, count = gjb_flat_lines(&c->answer, line); k < count; k++)
        gjb_flat_clip(&part, &line[k], c->near);
    const real area = gjb_flat_area(&part);
    c->complete = area + c->grant * gjb_flat_perimeter(&w->patch) >= REF_PATCH_SHARE * w->best;
    c->coverage = w->best > 0 ? area / w->best : 1;
}

/* Half is enough where not all can be had. Where it is in doubt whether the corners fit, a proof needs all. Of corners
 * that four stand for, other four may stand that span as much. */
static void cover_polygon(covering *c)
{
    const int fits = c->wanted->fits;
    cover_polygon_by_half(c);
    const int half = c->complete && (c->inner || fits == 0 || (fits < 0 && c->grant > 0));
    const int as_much = c->wanted->patch.count > REF_PATCH_POINTS && c->coverage >= 1;
    real share;
    c->complete = half || as_much || (holds_inside(c) && (!c->wanted->along || holds_along(c, &share)));
}

/* Of T, by which the least separation has to be less than that of any corner to lie within the patch. Corners of W
 * are up to T off along faces that rise by less than a 64th. */
static const real inner_share = 0.0625L;

/* Would three of the best four corners do, or of those of another patch, which T moves? */
static int three_do(const covering *c, const gjb_wanted *of)
{
    covering three = *c;
    three.grant = -c->grant;
    for (int but = 0; but < 4; but++) {
        three.answer.count = 0;
        for (int m = 0; m < 4; m++)
            if (m != but)
                memcpy(three.answer.at[three.answer.count++], of->four[m], sizeof three.answer.at[0]);
        if (holds_inside(&three))
            return 1;
    }
    return 0;
}

/* Does the least separation lie within the patch, while its corners need all points that fit? Rounding makes corners,
 * so four may stand for more. */
static int has_inner(const covering *c, const gjb_wanted *w, const gjb_grading *g)
{
    const gjb_truth *truth = g->truth;
    const uint32_t most = truth->pair->dim == 2 ? GJB_CONTACTS_2D : GJB_CONTACTS_3D;
    /* That of a half-space is charged for the rounding of its direction. */
    const real gap = gjb_pair_unbounded(truth->pair) ? (real)truth->hi : gjb_gap_along(g->truth, g->result->normal);
    return w->patch.count >= most && gap < w->deepest - inner_share * c->near &&
           !(w->patch.count > 2 && three_do(c, w));
}

static void cover(covering *c, const gjb_grading *g)
{
    c->inner = has_inner(c, c->wanted, g);
    c->answer.count = g->result->count;
    for (uint32_t i = 0; i < g->result->count; i++) {
        const double *a = g->result->contact[i].point_a;
        const real at[3] = {a[0], a[1], a[2]};
        gjb_flat_of(&c->wanted->frame, at, c->answer.at[i]);
    }
    gjb_flat_hull(&c->answer);
    c->complete = 1;
    c->coverage = 1;
    if (c->wanted->patch.count == 2 && c->wanted->best > 0)
        c->complete = holds_along(c, &c->coverage);
    else if (c->wanted->patch.count > 2)
        cover_polygon(c);
}

static void write_coverage(gjb_grading *g, const covering *c)
{
    g->grade.has_coverage = c->wanted->patch.count > 0;
    g->grade.coverage = g->grade.has_coverage ? (double)fminl(1, c->coverage) : 0;
}

static gjb_wanted_question question_of(const gjb_grading *g, double margin)
{
    const double *n = g->result->normal, near = g->tolerance;
    return (gjb_wanted_question){{n[0], n[1], n[2]}, near, near, margin, REF_PATCH_SINE};
}

/* What is wanted, in long double or by the exact patch: of both shapes, or of what they show as polytopes. */
typedef struct asked {
    const gjb_placed_pair *placed;
    const ref_flats *flats; /* or none */
    double margin;          /* less T */
} asked;

/* Discs have arcs, so that corners do not fit. The answer is wrong only if it shares too little with the patch of the
 * outer polygons, in which that of the discs lies; or, if both patches are one, where corners are lacking. Where memory
 * does not suffice it is not called wrong. */
static int holds_around_discs(gjb_grading *g, const covering *inner, double margin)
{
    gjb_placed_pair placed = {0};
    gjb_wanted outer = {.known = 0};
    covering c = *inner;
    ref_flats flats;
    int right = 1;
    if (ref_flats_open(&flats, g->truth->placed.pair, g->result->normal, REF_FLATS_OUTER) == 0 &&
        gjb_place_pair(&placed, &flats.pair) == 0) {
        const gjb_wanted_question question = question_of(g, margin);
        gjb_wanted_exactly(&outer, &placed, &question);
        const real more = gjb_flat_area(&outer.patch) - gjb_flat_area(&inner->wanted->patch);
        const int matters = more > 2 * c.grant * gjb_flat_perimeter(&outer.patch);
        outer.best = inner->wanted->best;
        c.wanted = &outer;
        if (outer.state == 0) {
            cover_polygon_by_half(&c);
            right = matters && c.complete;
        }
    }
    gjb_placed_free(&placed);
    return right;
}

static int holds(gjb_grading *g, const asked *q, const covering *c, double margin)
{
    if (c->complete || !q->flats || q->flats->discs == 0 || c->wanted->patch.count < 3)
        return c->complete;
    return holds_around_discs(g, c, margin);
}

/* In the plane: that of the shorter feature, and of the patch at least. */
static real least_length(const asked *q, const covering *c)
{
    real least = INFINITY;
    for (int side = 0; side < 2; side++) {
        gjb_feature feature;
        if (gjb_feature_open(&feature, q->placed, &c->wanted->frame, side) == 0)
            least = fminl(least, gjb_flat_perimeter(&feature.outline) / 2);
    }
    return fmaxl(least < INFINITY ? least : 0, gjb_flat_perimeter(&c->wanted->patch) / 2);
}

/* T decides which vertices are extreme: slopes across a patch are known within T over its width. So an angle that
 * differs by no more may be meant. Of a segment that is the width of what the answer took for the patch, and in the
 * plane the length of the shorter feature. */
static real steepness(const gjb_grading *g, const asked *q, const covering *c)
{
    const gjb_flat *patch = c->wanted->patch.count > 2 ? &c->wanted->patch : &c->answer;
    if (g->truth->pair->dim == 2)
        return c->wanted->patch.count == 2 ? c->near / least_length(q, c) : 0;
    return patch->count > 2 ? c->near * gjb_flat_perimeter(patch) / (2 * gjb_flat_area(patch)) : 0;
}

/* An edge turns by no more than T over its length. So a smaller angle, that T over a small width allows, must not take
 * away what is long. */
static int keeps_length(const covering *c, const gjb_flat *other, real change)
{
    const gjb_flat *w = &c->wanted->patch;
    uint32_t end[2];
    const real length = gjb_flat_diagonal(w, end), *p = w->at[end[0]], *q = w->at[end[1]];
    if (change * length <= c->near)
        return 1;
    const real way[2] = {(q[0] - p[0]) / length, (q[1] - p[1]) / length};
    real range[2];
    gjb_flat_extent(other, way, range);
    return range[1] - range[0] >= length - 2 * across * c->near;
}

static int holds_at_another_angle(gjb_grading *g, const asked *q, const covering *c)
{
    const double steep = steepness(g, q, c);
    if (!(steep > 0))
        return 0;
    for (double part = 1; part >= 1. / 64; part /= 2)
        for (int less = 0; less < 2; less++) {
            gjb_wanted_question question = question_of(g, q->margin);
            question.sine = fmin(0.5, fmax(0, REF_PATCH_SINE + (less ? -part : part) * steep));
            gjb_wanted other = {.known = 0};
            covering again = *c;
            again.wanted = &other;
            gjb_wanted_exactly(&other, q->placed, &question);
            again.grant = other.doubt;
            if (other.state == 0)
                cover(&again, g);
            if (other.state == 0 && again.complete && other.patch.count > 0 &&
                (!less || keeps_length(c, &other.patch, part * steep)))
                return 1;
        }
    return 0;
}

/* T decides whether as many points do as fit, as it moves corners by more than T. If they do not for what lies exactly
 * over one another within the whole margin, half is enough. */
static int holds_by_half(gjb_grading *g, const asked *q, const covering *c)
{
    gjb_wanted_question question = question_of(g, q->margin + c->near);
    question.grown = 0;
    gjb_wanted other = {.known = 0};
    covering again = *c;
    if (c->wanted->patch.count <= 2)
        return 0;
    cover_polygon_by_half(&again);
    if (!again.complete)
        return 0;
    gjb_wanted_exactly(&other, q->placed, &question);
    return other.state == 0 && (other.fits == 0 || (other.patch.count > 2 && has_inner(&again, &other, g)));
}

/* T decides what is within the margin, and the best that fit of a larger patch need not cover a smaller one. So an
 * answer that holds of the whole margin is right, too. */
static int holds_within_margin(gjb_grading *g, const asked *q, const covering *c)
{
    const gjb_wanted_question question = question_of(g, q->margin + c->near);
    gjb_wanted other = {.known = 0};
    covering again = *c;
    again.wanted = &other;
    gjb_wanted_exactly(&other, q->placed, &question);
    again.grant = other.doubt;
    if (other.state || !other.patch.count)
        return 0;
    cover(&again, g);
    return again.complete;
}

/* Rule 6 of what overlaps, which is all that some contenders promise. */
static int covers_overlap(gjb_grading *g, const asked *q)
{
    gjb_truth *truth = g->truth;
    const double near = g->tolerance;
    covering c = {.wanted = &truth->wanted_exactly, .near = near};
    const gjb_wanted_question question = question_of(g, -near);
    gjb_wanted_exactly(&truth->wanted_exactly, q->placed, &question);
    c.grant = truth->wanted_exactly.doubt;
    if (truth->wanted_exactly.state == 0)
        cover(&c, g);
    return truth->wanted_exactly.state == 0 && holds(g, q, &c, -near);
}

/* Rule 6, and coverage: in long double if that proves it, else by the exact patch. */
static void grade_patch(gjb_grading *g, const asked *q)
{
    gjb_truth *truth = g->truth;
    const gjb_wanted_question question = question_of(g, q->margin);
    covering c = {.near = question.near};
    if (!truth->slowly && !truth->effort.slowly) {
        c.wanted = &truth->wanted;
        gjb_wanted_find(&truth->wanted, q->placed, &question);
        if (truth->wanted.state == 0) {
            c.grant = -4 * truth->wanted.doubt;
            cover(&c, g);
            write_coverage(g, &c);
            if (c.complete || g->granted->partial)
                return;
        }
    }
    c.wanted = &truth->wanted_exactly;
    gjb_wanted_exactly(&truth->wanted_exactly, q->placed, &question);
    if (truth->wanted_exactly.state) { /* more corners than there is room for */
        if (g->grade.verdict == GJB_RIGHT)
            g->grade.verdict = GJB_UNGRADED;
        return;
    }
    c.grant = truth->wanted_exactly.doubt;
    cover(&c, g);
    write_coverage(g, &c);
    if (g->granted->partial || holds(g, q, &c, q->margin) || holds_at_another_angle(g, q, &c) ||
        holds_by_half(g, q, &c) || holds_within_margin(g, q, &c))
        return;
    if (!(g->granted->touching_only && covers_overlap(g, q)))
        gjb_set_fault(&g->grade, GJB_FAULT_PATCH);
}

/* Cylinders and cones show discs and side lines, and a half-space what of its plane is under the other shape. All else
 * that curves shows a point, which rule 5 asks for. Where memory does not suffice, ungraded. */
static void grade_patch_on_flats(gjb_grading *g, double margin)
{
    gjb_placed_pair placed = {0};
    ref_flats flats;
    if (ref_flats_open(&flats, g->truth->placed.pair, g->result->normal, REF_FLATS_INNER)) {
        g->grade.has_coverage = 1;
        g->grade.coverage = 1;
        return;
    }
    const asked q = {&placed, &flats, margin};
    if (!gjb_place_pair(&placed, &flats.pair))
        grade_patch(g, &q);
    else if (g->grade.verdict == GJB_RIGHT)
        g->grade.verdict = GJB_UNGRADED;
    gjb_placed_free(&placed);
}

static void grade_covering(gjb_grading *g)
{
    const double margin = g->truth->pair->margin - g->tolerance;
    const asked q = {&g->truth->placed, NULL, margin};
    if (g->granted->touching_only && g->truth->lo > 0)
        return;
    if (!(g->truth->hi <= margin))
        return;
    if (g->truth->placed.is_curved)
        grade_patch_on_flats(g, margin);
    else
        grade_patch(g, &q);
}

/* --- All of it -------------------------------------------------------------------------------------- */

static void grade_none(gjb_grading *g)
{
    const double bar = g->granted->touching_only ? -g->tolerance : g->truth->pair->margin - g->tolerance;
    if (g->truth->hi < bar)
        gjb_set_fault(&g->grade, GJB_FAULT_PATCH);
    /* What an answer without points covers of what is wanted. */
    g->grade.has_coverage = g->grade.verdict == GJB_WRONG;
}

static void grade_some(gjb_grading *g)
{
    gjb_flat_frame frame;
    if (gjb_flat_frame_open(&frame, g->result->normal)) {
        g->grade.has_normal = 1;
        g->grade.length_off = -1;
        gjb_set_fault(&g->grade, GJB_FAULT_LENGTH);
        return;
    }
    const real gap = gjb_gap_along(g->truth, g->result->normal);
    if (g->truth->lo > g->truth->pair->margin + g->tolerance)
        gjb_set_fault(&g->grade, GJB_FAULT_PATCH);
    if (!g->granted->no_normal)
        grade_normal(g, gap);
    grade_deepest(g, gap);
    if (!g->granted->no_points)
        grade_contacts(g, &frame);
    grade_features(g);
    grade_covering(g);
}

/* Is it open on which side of a bound sigma is? An exact interval that straddles it by an ulp is on neither. */
static int straddles(const gjb_truth *truth, double bound)
{
    return truth->lo <= bound && truth->hi > bound;
}

int gjb_manifold_doubt(const gjb_truth *truth, const gjb_result *r, const gjb_tolerance *granted,
                       double tolerance)
{
    const double margin = truth->pair->margin;
    if (truth->lo < -tolerance ? truth->hi >= -tolerance : straddles(truth, tolerance))
        return 1;
    if (straddles(truth, margin - tolerance) || (r->count && straddles(truth, margin + tolerance)))
        return 1;
    return r->count && truth->lo <= tolerance && truth->hi - truth->lo > 2 * unit_of(granted, truth->size);
}

/* An oracle that gave up on a curved pair leaves an interval that may hold what decides. */
static int too_wide(const gjb_grading *g)
{
    const gjb_truth *truth = g->truth;
    return truth->exact && truth->hi - truth->lo > g->tolerance &&
           gjb_manifold_doubt(truth, g->result, g->granted, g->tolerance);
}

void gjb_grade_manifold(gjb_grading *g)
{
    const gjb_truth *truth = g->truth;
    const int apart = g->result->status == GJB_SEPARATED;
    g->grade.verdict = GJB_RIGHT;
    if ((truth->lo > g->tolerance && !apart) || (truth->hi < -g->tolerance && apart))
        gjb_set_fault(&g->grade, GJB_FAULT_BOOLEAN);
    if (g->result->count)
        grade_some(g);
    else
        grade_none(g);
    if (g->grade.verdict == GJB_RIGHT && too_wide(g))
        g->grade.verdict = GJB_UNGRADED;
    g->grade.error_eps = fmax(g->grade.value_eps, fmax(g->grade.normal_eps, g->grade.witness_eps));
}
