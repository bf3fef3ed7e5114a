/* Replays a scene: answers of each contender to its pairs in chunks, graded against truth. */
#include "verify/replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grading/compounds.h"

/* A call of so many curved pairs takes ours tenths of a second, and no signal ends it. */
enum { CHUNK = 256, KEPT = 256 };

/* A pair as a precision holds it, and what is known of it. */
typedef struct known_pair {
    gjb_pair_space space;
    gjb_pair pair;
    gjb_truth truth;
    int open;
} known_pair;

/* The pair of parts that gave the answer so far; its numbers beyond those of the answer. */
typedef struct given {
    uint64_t pair;
    double epsilon, tau;
    const char *mishap;
} given;

typedef struct replay {
    const gjb_replay_plan *plan;
    const char *id;
    gjb_replay_sink sink;
    void *context;
    gjb_error *error;
    /* By precision, at rest or moving: backends and contenders share the truth of the first pairs. The last
     * place is for all other pairs in turn, as large hulls of many would fill the memory. */
    known_pair *known[GJB_PRECISIONS][2];
    int many;
    /* Of a scene with compounds: their pairs, and for each its answer, and the case that gave it, as far as the query
     * has come. NULL: none are formed. */
    gjb_compound_pairs compounds;
    gjb_compound_answer *formed;
    given *given;
} replay;

static int stopped(const replay *r)
{
    return r->plan->stop && *r->plan->stop;
}

static void tell(const replay *r, gjb_replay_case *one, uint32_t frame, uint64_t pair)
{
    char id[512];
    snprintf(id, sizeof id, r->many ? "%s:%u/%llu" : "%s", r->id, (unsigned)frame, (unsigned long long)pair);
    one->id = id;
    (one->compounds ? r->plan->compounds : r->sink)(r->context, one);
}

static uint64_t place_of(const gjb_scene *scene, uint32_t frame, uint64_t pair)
{
    for (uint32_t before = 0; before < frame; before++)
        pair += scene->frames[before].pair_count;
    return pair;
}

/* What a contender did at a pair apart from answering it, and why it has no answer if it has none; NULL for
 * nothing. */
static const char *mishap_of(const gjb_session *session, gjb_query query, uint32_t frame, uint64_t pair,
                             int answered, int some_unasked)
{
    size_t count = 0;
    const gjb_finding *found = gjb_session_findings(session, &count);
    const char *of_all = NULL;
    for (size_t i = 0; i < count; i++) {
        if (found[i].pair == pair && found[i].frame == frame && (found[i].query == query || found[i].preparing))
            return gjb_finding_name(&found[i]);
        if ((found[i].pair == GJB_NO_PAIR || found[i].preparing) && found[i].what < GJB_MILD)
            of_all = gjb_finding_name(&found[i]); /* pairs are not asked then */
    }
    if (answered)
        return NULL;
    return of_all ? of_all : some_unasked ? "unasked" : gjb_mishap_name(GJB_LEFT_UNWRITTEN);
}

/* Times are reported in the unit of the step. */
static void in_time(double step, gjb_replay_case *one)
{
    one->result.value *= step;
    one->result.last *= step;
    one->truth *= step;
}

/* The pair with its truth, from `known`; NULL without memory. */
static known_pair *known_pair_of(replay *r, const gjb_scene *scene, uint32_t frame, uint64_t pair, int moving)
{
    known_pair **const all = &r->known[scene->shapes.precision][moving];
    const uint64_t place = place_of(scene, frame, pair);
    if (!*all && !(*all = calloc(KEPT + 1, sizeof **all)))
        return NULL;
    known_pair *const one = *all + (place < KEPT ? place : KEPT);
    if (one->open && place < KEPT)
        return one;
    one->open = !gjb_scene_pair(scene, frame, pair, &one->space, &one->pair) &&
                !(moving ? gjb_truth_open_moving : gjb_truth_open)(&one->truth, &one->pair);
    return one->open ? one : NULL;
}

static void forget_pairs(replay *r)
{
    for (int k = 0; k < 2 * GJB_PRECISIONS; k++) {
        known_pair *const all = r->known[k / 2][k % 2];
        for (size_t i = 0; all && i <= KEPT; i++) {
            gjb_truth_close(&all[i].truth);
            gjb_pair_space_free(&all[i].space);
        }
        free(all);
    }
}

/* What is shown is the truth itself: bounds that only had to decide a sign may lie far apart. */
static double truth_of(gjb_truth *truth, const gjb_replay_case *one, const gjb_tolerance *granted)
{
    if (gjb_pair_unbounded(truth->pair) == 2)
        return NAN;
    if (gjb_queries[one->query].moving)
        return gjb_truth_time(truth, one->query);
    if (one->grade.verdict != GJB_NOT_SUPPORTED && !(truth->hi - truth->lo <= granted->epsilon * truth->size))
        gjb_truth_exact(truth);
    return gjb_queries[one->query].graded(0.5 * truth->lo + 0.5 * truth->hi);
}

/* Adds a pair of parts to its pair of compounds, if these are wanted, in the unit of time that is reported. */
static void add_part(replay *r, const gjb_scene *scene, const gjb_replay_case *one, const gjb_part_answer *part,
                     uint32_t frame, uint64_t pair)
{
    if (!r->formed)
        return;
    const uint64_t at = r->compounds.of[place_of(scene, frame, pair)];
    gjb_compound_answer *answer = &r->formed[at];
    gjb_compound_add(answer, one->query, part);
    if (answer->from + 1 == answer->parts)
        r->given[at] = (given){pair, one->epsilon, one->tau, one->mishap};
}

static gjb_part_answer part_of(const gjb_replay_case *one, const gjb_truth *truth, const gjb_tolerance *granted)
{
    const gjb_tolerance own = gjb_tolerance_on(granted, truth->pair);
    gjb_part_answer part = {one->result, one->grade, truth->lo, truth->hi, gjb_tolerance_of(&own, truth->size)};
    if (gjb_queries[one->query].moving) {
        part.lo = part.hi = isnan(one->truth) ? INFINITY : one->truth;
        part.allowed = 0;
    }
    return part;
}

/* The truth of a pair of compounds, in the sense of gjb_replay_case.truth. */
static double truth_of_compounds(gjb_query query, const gjb_compound_answer *answer)
{
    if (gjb_queries[query].moving || isnan(answer->lo))
        return isfinite(answer->lo) ? answer->lo : NAN;
    return gjb_queries[query].graded(0.5 * answer->lo + 0.5 * answer->hi);
}

/* Of pairs that were answered whole, as no others say anything. Forgets them all. */
static void tell_compounds(replay *r, const gjb_replay_case *of)
{
    for (uint64_t i = 0; i < r->compounds.count; i++) {
        const gjb_compound_pair *pair = &r->compounds.all[i];
        gjb_compound_answer *answer = &r->formed[i];
        if (pair->parts < 2 || answer->parts == 0)
            continue;
        if (answer->parts == pair->listed && !stopped(r)) {
            const given *by = &r->given[i];
            gjb_compound_finish(answer, of->query);
            gjb_replay_case one = *of;
            one.grade = answer->grade;
            one.result = answer->result;
            one.mishap = by->mishap;
            one.epsilon = by->epsilon;
            one.tau = by->tau;
            one.truth = truth_of_compounds(of->query, answer);
            one.compounds = pair;
            one.contacts = answer->contacts;
            tell(r, &one, pair->frame, by->pair);
        }
        *answer = (gjb_compound_answer){0};
    }
}

/* 0 also if there are none, or none are wanted. */
static int find_compounds(replay *r, const gjb_scene *scene)
{
    if (!r->plan->compounds || !gjb_scene_has_compounds(scene))
        return 0;
    const int failed = gjb_compound_pairs_find(scene, &r->compounds);
    r->formed = failed ? NULL : calloc(r->compounds.count + 1, sizeof *r->formed);
    r->given = failed ? NULL : calloc(r->compounds.count + 1, sizeof *r->given);
    return r->formed && r->given ? 0 : gjb_fail(r->error, "%s: out of memory for its compounds", r->id);
}

static int grade_chunk(replay *r, const gjb_scene *scene, const gjb_session *session, gjb_replay_case *one,
                       const gjb_tolerance *granted, uint32_t frame, uint64_t first, uint64_t count,
                       const void *results, int some_unasked)
{
    for (uint64_t i = 0; i < count && !stopped(r); i++) {
        const int moving = gjb_queries[one->query].moving != GJB_AT_REST;
        known_pair *const known = known_pair_of(r, scene, frame, first + i, moving);
        if (!known)
            return gjb_fail(r->error, "%s: out of memory", r->id);
        one->result = gjb_result_get(one->query, one->precision, scene->shapes.dim, results, i);
        one->grade = gjb_grade_result(one->query, &known->truth, &one->result, granted);
        one->tau = granted->tau + granted->skin + granted->relative * known->truth.size;
        one->truth = truth_of(&known->truth, one, granted);
        if (known->truth.effort.cut == REF_STOPPED)
            break;
        if (moving)
            in_time(r->plan->step > 0 ? r->plan->step : 1, one);
        one->mishap = mishap_of(session, one->query, frame, first + i, one->result.status != GJB_UNWRITTEN,
                                some_unasked);
        if (known->truth.conflict)
            return gjb_fail(r->error, "%s: frame %u pair %llu: certificate and oracle contradict each other",
                            r->id, (unsigned)frame, (unsigned long long)(first + i));
        tell(r, one, frame, first + i);
        const gjb_part_answer part = part_of(one, &known->truth, granted);
        add_part(r, scene, one, &part, frame, first + i);
    }
    return 0;
}

/* Numbers that a contender's precision cannot hold are no pair to it. */
static void decline(replay *r, const gjb_scene *scene, const gjb_verify_entry *entry, uint32_t queries,
                    gjb_precision precision)
{
    for (int q = 0; q < GJB_QUERIES; q++) {
        gjb_replay_case one = {.contender = entry->contender, .backend = entry->backend ? entry->backend : "-",
                               .precision = precision, .query = (gjb_query)q, .truth = NAN};
        one.grade.verdict = GJB_NOT_SUPPORTED;
        one.result.status = GJB_UNSUPPORTED;
        const gjb_part_answer part = {one.result, one.grade, NAN, NAN, 0};
        for (uint32_t frame = 0; frame < scene->frame_count && queries >> q & 1; frame++)
            for (uint64_t at = 0; at < scene->frames[frame].pair_count && !stopped(r); at++) {
                tell(r, &one, frame, at);
                add_part(r, scene, &one, &part, frame, at);
            }
        tell_compounds(r, &one);
    }
}

static int run_query(replay *r, const gjb_scene *scene, gjb_session *session, gjb_replay_case *one,
                     const gjb_tolerance *granted)
{
    void *results = malloc(CHUNK * gjb_result_size(one->query, one->precision, scene->shapes.dim));
    if (!results)
        return gjb_fail(r->error, "%s: out of memory", r->id);
    int failed = 0;
    for (uint32_t frame = 0; frame < scene->frame_count && !failed; frame++)
        for (uint64_t at = 0; at < scene->frames[frame].pair_count && !failed && !stopped(r); at += CHUNK) {
            uint64_t left = scene->frames[frame].pair_count - at, count = left < CHUNK ? left : CHUNK;
            gjb_session_stats stats;
            gjb_session_run(session, one->query, frame, at, count, 0, 1, results, &stats);
            failed = grade_chunk(r, scene, session, one, granted, frame, at, count - stats.interrupted, results,
                                 stats.unasked > 0);
        }
    free(results);
    if (!failed)
        tell_compounds(r, one);
    return failed;
}

static int run_entry(replay *r, const gjb_scene *scene, const gjb_verify_entry *entry, uint32_t queries,
                     double epsilon)
{
    if (stopped(r))
        return 0; /* preparing a scene of large hulls takes seconds */
    gjb_session *session = gjb_session_open(entry->contender, entry->backend, scene, 1, r->error);
    if (!session)
        return -1;
    int failed = 0;
    for (int q = 0; q < GJB_QUERIES && !failed; q++) {
        if (!(queries >> q & 1))
            continue;
        gjb_replay_case one = {.contender = entry->contender,
                               .backend = gjb_session_backend(session),
                               .precision = (gjb_precision)scene->shapes.precision,
                               .query = (gjb_query)q};
        gjb_tolerance granted = gjb_tolerance_for(entry->contender, one.query, one.precision, scene->shapes.dim);
        if (granted.epsilon < epsilon)
            granted.epsilon = epsilon;
        one.epsilon = granted.epsilon;
        failed = run_query(r, scene, session, &one, &granted);
    }
    gjb_session_close(session);
    return failed;
}

/* Bits of the precisions that a contender is to be fed; none of a dimension that it lacks. */
static uint32_t precisions_for(const gjb_replay_plan *plan, const gjb_contender *contender,
                               const gjb_scene *scene)
{
    const uint32_t own = scene->shapes.precision;
    if (!(contender->dims >> scene->shapes.dim & 1))
        return 0;
    if (plan->precisions)
        return plan->precisions & contender->precisions;
    return contender->precisions >> own & 1 ? 1u << own : contender->precisions;
}

/* Bits of the queries that a contender is asked. One that has no answer to the query that the scene names is asked
 * what it knows of the same: distance and depth of a signed distance, else whether there is an overlap at all. */
static uint32_t queries_for(const gjb_replay_plan *plan, const gjb_contender *contender, const gjb_scene *scene)
{
    const gjb_query_row *named = gjb_query_find(scene->query);
    const uint32_t parts = 1u << GJB_DISTANCE | 1u << GJB_PENETRATION;
    /* manifold, whose truth is dear, where its margin shows that it is meant */
    const uint32_t still = GJB_AT_REST_QUERIES & ~(scene->margin > 0 ? 0u : 1u << GJB_MANIFOLD);
    if (plan->queries)
        return plan->queries & contender->queries;
    if (!named)
        return contender->queries & (gjb_scene_moves(scene) ? still | 1u << GJB_SWEEP | 1u << GJB_TOI : still);
    if (contender->queries >> named->id & 1)
        return 1u << named->id;
    if (named->id == GJB_SIGNED_DISTANCE && contender->queries & parts)
        return contender->queries & parts;
    return gjb_queries[named->id].moving ? 0 : contender->queries & 1u << GJB_INTERSECT;
}

static gjb_scene *converted_to(gjb_precision precision, const gjb_scene *scene)
{
    gjb_scene *converted = gjb_scene_convert(scene, precision);
    if (converted)
        gjb_scene_make_unit(converted);
    return converted;
}

int gjb_replay_scene(const gjb_scene *scene, const char *id, const gjb_replay_plan *plan,
                     gjb_replay_sink sink, void *context, gjb_error *error)
{
    replay r = {.plan = plan, .id = id, .sink = sink, .context = context, .error = error};
    uint32_t own = scene->shapes.precision;
    gjb_scene *converted[GJB_PRECISIONS] = {0};
    if (plan->dims && !(plan->dims >> scene->shapes.dim & 1))
        return 0;
    uint64_t pairs = 0;
    for (uint32_t frame = 0; frame < scene->frame_count; frame++)
        pairs += scene->frames[frame].pair_count;
    r.many = pairs > 1;
    int failed = find_compounds(&r, scene);
    for (size_t e = 0; e < plan->entry_count && !failed; e++) {
        const uint32_t wanted = precisions_for(plan, plan->entries[e].contender, scene);
        const uint32_t queries = queries_for(plan, plan->entries[e].contender, scene);
        for (uint32_t p = 0; p < GJB_PRECISIONS && !failed; p++) {
            if (!(wanted >> p & 1))
                continue;
            if (!gjb_scene_fits(scene, (gjb_precision)p)) {
                decline(&r, scene, &plan->entries[e], queries, (gjb_precision)p);
                continue;
            }
            if (p != own && !converted[p])
                converted[p] = converted_to((gjb_precision)p, scene);
            if (p != own && !converted[p])
                failed = gjb_fail(error, "%s: cannot be converted to %s: out of memory", id,
                                  gjb_precision_name((gjb_precision)p));
            else
                failed = run_entry(&r, p == own ? scene : converted[p], &plan->entries[e], queries,
                                   gjb_epsilon((gjb_precision)own));
        }
    }
    for (int p = 0; p < GJB_PRECISIONS; p++)
        gjb_scene_free(converted[p]);
    forget_pairs(&r);
    gjb_compound_pairs_free(&r.compounds);
    free(r.formed);
    free(r.given);
    return failed ? -1 : 0;
}
