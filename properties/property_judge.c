/* Holds answers against a claimed relation: intervals of sigma, times, tolerances, and bands of no verdict. */
#include <math.h>
#include <string.h>

#include "properties/property_private.h"

void gjb_prop_judge_close(prop_judge *judge)
{
    gjb_truth_close(&judge->truth);
    gjb_truth_close(&judge->truth_in_motion);
    gjb_pair_space_free(&judge->space);
    gjb_pair_space_free(&judge->space_then);
}

int gjb_prop_given(const gjb_result *result)
{
    return (result->status == GJB_SEPARATED || result->status == GJB_OVERLAPPING ||
            result->status == GJB_HIT) &&
           isfinite(result->value);
}

void gjb_prop_judge_forget(prop_judge *judge)
{
    memset(judge->known, 0, sizeof judge->known);
}

static const prop_measure *measure(prop_judge *judge, const gjb_scene *scene, uint64_t index)
{
    prop_measure *m = &judge->known[index % PROP_MEASURES];
    gjb_pair pair;
    if (m->scene == scene && m->index == index)
        return m;
    *m = (prop_measure){scene, index, NAN, NAN, {GJB_POINT, GJB_POINT}};
    if (gjb_scene_pair(scene, 0, index, &judge->space, &pair))
        return m;
    const int plane = pair.dim == 2;
    m->rest = gjb_pair_size(&pair);
    m->path = gjb_path_size(&pair);
    m->kind[0] = plane ? pair.as.plane.a.kind : pair.as.space.a.kind;
    m->kind[1] = plane ? pair.as.plane.b.kind : pair.as.space.b.kind;
    return m;
}

double gjb_prop_size(prop_judge *judge, const gjb_scene *scene, uint64_t index, int moving)
{
    const prop_measure *m = measure(judge, scene, index);
    return fmax(moving ? m->path : m->rest, gjb_least_size(judge->precision));
}

double gjb_prop_tolerance(prop_judge *judge, const prop_answer *a)
{
    const prop_measure *m = measure(judge, a->scene, a->index);
    gjb_tolerance own = gjb_tolerance_for(judge->who, a->query, judge->precision, a->scene->shapes.dim);
    own.k = fmax(own.k, fmax(own.k_of_kind[m->kind[0]], own.k_of_kind[m->kind[1]]));
    const double size = gjb_queries[a->query].moving != GJB_AT_REST ? m->path : m->rest;
    return gjb_tolerance_of(&own, size) + own.tau_time * (size - m->rest);
}

/* --- What an answer says of sigma --- */

typedef struct range {
    double low, high;
} range;

/* The sigma up to which shapes count as overlapping. */
static double bar_of(const prop_answer *a)
{
    return a->query == GJB_INTERSECT ? a->scene->within : 0;
}

int gjb_prop_stopped(const prop_answer *a)
{
    const gjb_result *r = &a->result;
    int points = 0;
    for (int k = 0; k < 3; k++)
        points |= r->point_a[k] != 0 || r->point_b[k] != 0;
    return a->query == GJB_DISTANCE && a->scene->within > 0 && r->status == GJB_SEPARATED &&
           r->value > a->scene->within && !points;
}

static range said(const prop_answer *a)
{
    const gjb_result *r = &a->result;
    const range apart = {bar_of(a), INFINITY}, met = {-INFINITY, bar_of(a)};
    switch (a->query) {
    case GJB_SIGNED_DISTANCE:
        return (range){r->value, r->value};
    case GJB_DISTANCE:
        return r->status == GJB_SEPARATED ? (range){r->value, gjb_prop_stopped(a) ? INFINITY : r->value} : met;
    case GJB_PENETRATION:
        return r->status == GJB_OVERLAPPING ? (range){-r->value, -r->value} : apart;
    case GJB_MANIFOLD: /* apart any plane between the shapes is right, and theirs may be the lesser gap */
        if (r->count == 0)
            return r->status == GJB_OVERLAPPING ? met : apart;
        return (range){r->value, r->status == GJB_OVERLAPPING ? r->value : INFINITY};
    default: /* a hit begins apart */
        return r->status == GJB_OVERLAPPING ? met : apart;
    }
}

static range above_zero(range r)
{
    return (range){fmax(r.low, 0), fmax(r.high, 0)};
}

/* How far the claim is missed; nothing is allowed yet. What is infinite is no bound, and misses nothing. */
static double missed(const gjb_related *to, const prop_answer *drawn, const prop_answer *other,
                     const prop_answer *got)
{
    const range was = said(drawn), is = said(got), related = said(other);
    const range then = {to->scale * related.low + to->shift, to->scale * related.high + to->shift};
    switch (to->claim) {
    case PROP_SAME:
        return fmax(then.low - is.high, is.low - then.high);
    case PROP_NO_LESS:
        return then.low - is.high;
    case PROP_NO_MORE:
        return is.low - then.high;
    case PROP_NEAR:
        return fmax(then.low - is.high, is.low - then.high) - to->by;
    case PROP_CHORD:
        return was.low - ((1 - to->by) * related.high + to->by * is.high);
    case PROP_UNION: {
        const range whole = above_zero(was), a = above_zero(related), b = above_zero(is);
        return fmax(whole.low - fmin(a.high, b.high), fmin(a.low, b.low) - whole.high);
    }
    case PROP_KNOWN:
        return fmax(to->low - is.high, is.low - to->high);
    case PROP_TIME:
    case PROP_FEATURES:
    case PROP_NOTHING:
        break;
    }
    return -INFINITY;
}

static int overlaps(const prop_answer *a)
{
    return a->result.status == GJB_OVERLAPPING;
}

/* May yes and no be compared? They are of one question, if that depends on no size that the claim scales. */
static int comparable(const gjb_related *to, const prop_answer *drawn, const prop_answer *other, const prop_answer *got)
{
    if (got->query != GJB_INTERSECT)
        return 0;
    return bar_of(got) == 0 || to->claim == PROP_KNOWN ||
           (to->scale == 1 && other->query == got->query && drawn->query == got->query);
}

/* Do yes and no contradict the claim? */
static int contradicts(const gjb_related *to, const prop_answer *drawn, const prop_answer *other,
                       const prop_answer *got)
{
    const int was = overlaps(other), is = overlaps(got);
    switch (to->claim) {
    case PROP_SAME:
        return (!was && is && to->shift >= 0) || (was && !is && to->shift <= 0);
    case PROP_NO_LESS:
        return !was && is;
    case PROP_NO_MORE:
        return was && !is;
    case PROP_CHORD:
        return was && is && !overlaps(drawn);
    case PROP_UNION:
        return overlaps(drawn) != (was || is);
    case PROP_KNOWN:
        return (to->low >= bar_of(got) && is) || (to->high <= bar_of(got) && !is);
    default:
        return 0;
    }
}

static gjb_truth *truth_of(prop_judge *judge, const prop_answer *a, int moving)
{
    gjb_truth *truth = moving ? &judge->truth_in_motion : &judge->truth;
    truth->epsilon = gjb_epsilon(judge->precision);
    return gjb_scene_pair(a->scene, 0, a->index, &judge->space_then, &judge->pair) ||
                   (moving ? gjb_truth_open_moving(truth, &judge->pair) : gjb_truth_open(truth, &judge->pair))
               ? NULL
               : truth;
}

/* How far sigma is proven to be from where the answer changes; less than `band` is as good as nothing. */
static double proven_off(prop_judge *judge, const prop_answer *a, double band)
{
    gjb_truth *truth = truth_of(judge, a, 0);
    if (!truth)
        return 0;
    const double bar = bar_of(a);
    if (truth->lo <= bar + band && truth->hi >= bar - band && (truth->hi > bar + band || truth->lo < bar - band))
        gjb_truth_exact(truth);
    const double off = fmax(truth->lo - bar, bar - truth->hi);
    judge->too_slow |= !(off > band) && ref_effort_too_slow(&truth->effort);
    return off;
}

static double unit_of(prop_judge *judge, const prop_answer *a)
{
    return gjb_epsilon(judge->precision) *
           gjb_prop_size(judge, a->scene, a->index, gjb_queries[a->query].moving != GJB_AT_REST);
}

static double in_units(prop_judge *judge, const prop_answer *a, double amount)
{
    return amount / unit_of(judge, a);
}

/* Every pair involved outside its band, so that someone is wrong. */
static prop_finding outside(prop_judge *judge, const prop_answer *const *involved, size_t count, double more,
                            double unit)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const double band = gjb_prop_tolerance(judge, involved[i]) + more,
                     off = proven_off(judge, involved[i], band);
        if (!(off > band))
            return (prop_finding){PROP_UNGRADED, 0};
        least = fmin(least, off);
    }
    return (prop_finding){PROP_VIOLATED, least / unit};
}

/* --- Times --- */

/* When a result, as one to the drawn pair, says that first contact is: 0 if they overlap at first, 2 never. */
static double time_of(const gjb_related *to, const gjb_result *r)
{
    double t = r->status == GJB_OVERLAPPING ? 0 : r->status == GJB_HIT ? r->value : 2;
    if (!to || t > 1)
        return t;
    if (to->time_scale < 0) /* backwards: the last contact */
        return r->last < 1 ? 1 - r->last : 0;
    t = to->time_scale * t + to->time_shift;
    return t > 1 ? 2 : t;
}

static gjb_verdict graded(prop_judge *judge, const prop_answer *a)
{
    gjb_truth *truth = truth_of(judge, a, 1);
    if (!truth)
        return GJB_UNGRADED;
    gjb_tolerance granted = gjb_tolerance_for(judge->who, a->query, judge->precision, a->scene->shapes.dim);
    granted.no_normal = granted.no_points = 1;
    granted.ours = 0;
    const gjb_grade grade = gjb_grade_result(a->query, truth, &a->result, &granted);
    judge->too_slow |= grade.too_slow;
    return grade.verdict;
}

/* Two times of one event. */
static prop_finding hold_times(prop_judge *judge, const gjb_related *to, const prop_answer *other,
                               const prop_answer *got)
{
    const prop_claim claim = to ? to->claim : PROP_SAME;
    double then = time_of(NULL, &other->result), now = time_of(to, &got->result);
    const double end = to && to->time_scale > 0 ? fmin(1, to->time_scale + to->time_shift) : 1;
    if (to && to->time_shift > 0 && to->time_scale > 0 && then < to->time_shift)
        return (prop_finding){PROP_SKIPPED, 0}; /* before this part of the step begins */
    then = then > end ? 2 : then;
    if ((claim == PROP_SAME && then == now) || (claim == PROP_NO_LESS && now >= then) ||
        (claim == PROP_NO_MORE && now <= then))
        return (prop_finding){PROP_HOLDS, 0};
    const int wrong = graded(judge, other) == GJB_WRONG, too = graded(judge, got) == GJB_WRONG;
    if (judge->too_slow)
        return (prop_finding){PROP_UNGRADED, 0};
    /* Both may be wrong alike. */
    const int differ = wrong && too ? fabs(then - now) > 0x1p-10 : wrong || too;
    return (prop_finding){differ ? PROP_VIOLATED : PROP_HOLDS, 0};
}

/* Against a formula: early, or late, by how far the shapes are then apart, or in each other. */
static prop_finding hold_formula(prop_judge *judge, const gjb_related *to, const prop_answer *got)
{
    const double t = time_of(NULL, &got->result), allowed = gjb_prop_tolerance(judge, got) + to->off;
    const double late = t > 1 ? to->by * (1 - to->low) : to->by * (t - to->low);
    const double amount = t > 1 ? late : fabs(late);
    return (prop_finding){amount > allowed ? PROP_VIOLATED : PROP_HOLDS,
                          in_units(judge, got, fmax(0, amount - to->off))};
}

/* --- Contacts --- */

static int has_id(const gjb_result *r, uint32_t id)
{
    int has = 0;
    for (uint32_t i = 0; i < r->count && i < GJB_CONTACTS_3D; i++)
        has |= r->contact[i].feature == id;
    return has;
}

/* What ids of others mean is theirs; those of the reference count its corners. */
static prop_finding hold_features(const gjb_contender *who, const gjb_result *was, const gjb_result *is)
{
    int same = was->count == is->count;
    for (uint32_t i = 0; i < is->count && i < GJB_CONTACTS_3D && who->ours && who->backends; i++)
        same = same && has_id(was, is->contact[i].feature) && has_id(is, was->contact[i].feature);
    return (prop_finding){same ? PROP_HOLDS : PROP_VIOLATED, 0};
}

/* --- All together --- */

/* Below normal numbers powers of two round, too. */
static int is_normal(gjb_precision precision, const gjb_result *r)
{
    const double least = precision == GJB_F32 ? 0x1p-126 : 0x1p-1022;
    int normal = r->value == 0 || fabs(r->value) >= least;
    for (int k = 0; k < 3; k++)
        normal = normal && (r->point_a[k] == 0 || fabs(r->point_a[k]) >= least) &&
                 (r->point_b[k] == 0 || fabs(r->point_b[k]) >= least);
    return normal;
}

prop_finding gjb_prop_hold(prop_judge *judge, const gjb_property *row, const gjb_related *to,
                           const prop_answer *drawn, const prop_answer *other, const prop_answer *got)
{
    const int moving = gjb_queries[got->query].moving != GJB_AT_REST,
              alone = to->claim == PROP_KNOWN || to->claim == PROP_TIME;
    const int three = to->claim == PROP_CHORD || to->claim == PROP_UNION;
    const int given = gjb_prop_given(&got->result), was_given = gjb_prop_given(&other->result);
    if (to->claim == PROP_NOTHING || got->result.status == GJB_UNSUPPORTED || got->result.unasked ||
        (!alone && (other->result.status == GJB_UNSUPPORTED || other->result.unasked)) ||
        (three && !gjb_prop_given(&drawn->result)))
        return (prop_finding){PROP_SKIPPED, 0};
    if (!given || (!alone && !was_given))
        return (prop_finding){given || was_given || alone ? PROP_MUTE : PROP_SKIPPED, 0};
    /* A margin is not scaled with the world, and a patch that is turned or mirrored begins at another corner. */
    const int limited = gjb_queries[got->query].has_within && got->scene->within > 0;
    const int carries = row->carry && (gjb_queries[got->query].has_patch || limited);
    if (row->bits && !carries && judge->who->ours && judge->who->backends) {
        gjb_result want = other->result;
        if (row->carry)
            row->carry(to, &want);
        const int normal = is_normal(judge->precision, &want) && is_normal(judge->precision, &got->result) &&
                           is_normal(judge->precision, &other->result);
        if (normal && memcmp(&want, &got->result, sizeof want))
            return (prop_finding){PROP_VIOLATED,
                                  moving ? 0 : in_units(judge, got, fabs(want.value - got->result.value))};
    }
    if (to->claim == PROP_FEATURES)
        return hold_features(judge->who, &other->result, &got->result);
    if (to->claim == PROP_TIME)
        return hold_formula(judge, to, got);
    if (moving)
        return hold_times(judge, to, other, got);
    const double amount = missed(to, drawn, other, got);
    double allowed = gjb_prop_tolerance(judge, got) + to->off + to->tau;
    allowed += alone ? 0 : to->scale * gjb_prop_tolerance(judge, other);
    allowed += three ? gjb_prop_tolerance(judge, drawn) : 0;
    /* Of a distance on the way to a time of impact, the time's T is most of what is allowed, and counts the path. */
    const int on_way = gjb_queries[drawn->query].moving != GJB_AT_REST;
    const double unit = fmax(unit_of(judge, got), on_way ? unit_of(judge, drawn) : 0);
    prop_finding finding = {PROP_HOLDS, fmax(0, (amount - to->off) / unit)};
    if (amount > allowed) {
        finding.verdict = PROP_VIOLATED;
    } else if (comparable(to, drawn, other, got) && contradicts(to, drawn, other, got)) {
        const prop_answer *const involved[] = {got, other, drawn};
        finding = outside(judge, involved, three ? 3 : alone ? 1 : 2, to->off + to->tau, unit);
    }
    return finding;
}

prop_finding gjb_prop_agree(prop_judge *judge, const prop_answer *a, const prop_answer *b)
{
    const gjb_related same = {.claim = PROP_SAME, .scale = 1, .against = -1, .time_scale = 1};
    const int times = gjb_queries[a->query].moving && gjb_queries[b->query].moving;
    if (a->result.status == GJB_UNSUPPORTED || b->result.status == GJB_UNSUPPORTED || a->result.unasked ||
        b->result.unasked)
        return (prop_finding){PROP_SKIPPED, 0};
    if (!gjb_prop_given(&a->result) || !gjb_prop_given(&b->result))
        return (prop_finding){
            gjb_prop_given(&a->result) || gjb_prop_given(&b->result) ? PROP_MUTE : PROP_SKIPPED, 0};
    if (times)
        return hold_times(judge, &same, a, b);
    const double amount = missed(&same, a, a, b),
                 allowed = gjb_prop_tolerance(judge, a) + gjb_prop_tolerance(judge, b);
    if (amount > allowed)
        return (prop_finding){PROP_VIOLATED, in_units(judge, a, amount)};
    if (isinf(amount) || amount <= 0) { /* nothing but yes and no, perhaps */
        const range x = said(a), y = said(b);
        if (isinf(x.high - x.low) && isinf(y.high - y.low) && overlaps(a) != overlaps(b) && bar_of(a) == bar_of(b)) {
            const prop_answer *const involved[] = {a, b};
            return outside(judge, involved, 2, 0, unit_of(judge, a));
        }
    }
    return (prop_finding){PROP_HOLDS, fmax(0, in_units(judge, a, amount))};
}
