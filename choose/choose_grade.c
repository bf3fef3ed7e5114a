/* Grades candidates on a sample of spans of pairs, against truths that are found once. */
#include "choose/choose_grade.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choose/choose_scene.h"
#include "grading/grade.h"

enum { RUN = 64, MOST_GRADED = 4096, FEWEST_GRADED = 128, GRADED_ROWS = 1 << 19 };

/* Pairs next to each other: a call takes them together. */
typedef struct span {
    uint32_t frame;
    uint64_t first, count;
    size_t at; /* of its first pair in the sample */
} span;

typedef struct truth_of {
    gjb_pair pair;
    gjb_pair_space space;
    gjb_truth truth;
} truth_of;

struct choose_sample {
    const choose_watch *watch;
    const gjb_scene *scene;
    gjb_scene *converted; /* to the other precision, made when asked for */
    span *spans;
    size_t span_count, pairs;
    /* Of the scene as it is, which widening leaves alone, and as rounded. */
    truth_of *truths[2];
    size_t known[2];
};

uint64_t choose_sample_pairs(uint32_t vertices)
{
    uint64_t pairs = MOST_GRADED;
    while (pairs > FEWEST_GRADED && pairs * vertices > GRADED_ROWS)
        pairs /= 2;
    return pairs;
}

/* As many runs of each frame as its share of the pairs. */
static int place_spans(choose_sample *s, uint64_t wanted)
{
    const uint64_t all = choose_pairs(s->scene);
    const uint64_t runs = (all + RUN - 1) / RUN;
    uint64_t kept = (wanted + RUN - 1) / RUN + 1; /* one may be short */
    kept = kept < runs ? kept : runs;
    s->spans = calloc(kept + s->scene->frame_count, sizeof *s->spans);
    if (!s->spans)
        return -1;
    uint64_t before = 0; /* pairs of the frames before */
    for (uint32_t f = 0; f < s->scene->frame_count; f++) {
        const uint64_t count = s->scene->frames[f].pair_count;
        for (uint64_t first = 0; first < count; first += RUN) {
            const uint64_t run = (before + first) / RUN;
            if (run * kept / runs == (run + 1) * kept / runs)
                continue;
            uint64_t part = count - first < RUN ? count - first : RUN;
            part = part < wanted - s->pairs ? part : wanted - s->pairs;
            if (!part || s->span_count == kept + s->scene->frame_count)
                break;
            s->spans[s->span_count++] = (span){f, first, part, s->pairs};
            s->pairs += part;
        }
        before += count;
    }
    return 0;
}

static int find_truths(choose_sample *s, const gjb_scene *fed, int rounded, gjb_error *error)
{
    truth_of *all = s->truths[rounded] = calloc(s->pairs + 1, sizeof *all);
    if (!all)
        return gjb_fail(error, "out of memory for %zu pairs", s->pairs);
    for (size_t i = 0; i < s->span_count; i++)
        for (uint64_t k = 0; k < s->spans[i].count; k++) {
            truth_of *t = &all[s->spans[i].at + k];
            if (*s->watch->stop)
                return 0;
            if (gjb_scene_pair(fed, s->spans[i].frame, s->spans[i].first + k, &t->space, &t->pair) ||
                gjb_truth_open(&t->truth, &t->pair))
                return gjb_fail(error, "out of memory for %zu pairs", s->pairs);
            s->watch->progress("proved pairs", ++s->known[rounded], s->pairs + 1);
        }
    s->watch->progress("proved pairs", 1, 1);
    return 0;
}

choose_sample *choose_sample_open(const gjb_scene *scene, uint64_t pairs, const choose_watch *watch, gjb_error *error)
{
    choose_sample *s = calloc(1, sizeof *s);
    if (!s) {
        gjb_fail(error, "out of memory");
        return NULL;
    }
    s->watch = watch;
    s->scene = scene;
    if (place_spans(s, pairs))
        gjb_fail(error, "out of memory");
    else if (!find_truths(s, scene, 0, error))
        return s;
    choose_sample_close(s);
    return NULL;
}

void choose_sample_close(choose_sample *s)
{
    for (int rounded = 0; s && rounded < 2; rounded++) {
        for (size_t i = 0; s->truths[rounded] && i < s->pairs; i++) {
            gjb_truth_close(&s->truths[rounded][i].truth);
            gjb_pair_space_free(&s->truths[rounded][i].space);
        }
        free(s->truths[rounded]);
    }
    if (s) {
        gjb_scene_free(s->converted);
        free(s->spans);
    }
    free(s);
}

static double sigma_by_size(const gjb_truth *truth)
{
    return truth->size > 0 ? (0.5 * truth->lo + 0.5 * truth->hi) / truth->size : 0;
}

choose_mix choose_sample_mix(const choose_sample *s)
{
    choose_mix mix = {.pairs = s->known[0]};
    for (size_t i = 0; i < s->known[0]; i++) {
        const double sigma = sigma_by_size(&s->truths[0][i].truth);
        mix.overlapping += sigma <= 0;
        mix.classes[choose_class_of(sigma)]++;
    }
    return mix;
}

const gjb_scene *choose_sample_fed(choose_sample *s, gjb_precision precision)
{
    if (precision == (gjb_precision)s->scene->shapes.precision)
        return s->scene;
    if (!s->converted && gjb_scene_fits(s->scene, precision))
        s->converted = gjb_scene_convert(s->scene, precision);
    return s->converted;
}

/* How far from touching a pair certainly is, in S. */
static double apart_from_touching(const gjb_truth *truth)
{
    return truth->size > 0 ? fmax(fmax(truth->lo, -truth->hi), 0) / truth->size : 0;
}

/* A normal is as good as the bound that it proves; its length may be off by more than grading bears, if
 * what was asked for bears more. */
static int borne_vectors(const gjb_grade *g, double epsilon, double accuracy)
{
    return g->normal_eps * epsilon <= accuracy && g->witness_eps * epsilon <= accuracy;
}

static void add_answer(choose_candidate *c, const gjb_grade *g, const gjb_truth *truth, double epsilon,
                       double accuracy)
{
    const choose_class class = choose_class_of(sigma_by_size(truth));
    c->answered++;
    c->unsupported += g->verdict == GJB_NOT_SUPPORTED;
    if (g->verdict == GJB_NOT_SUPPORTED || g->verdict == GJB_UNGRADED)
        return;
    const int right =
        g->fault == GJB_FAULT_NONE ||
        ((g->fault == GJB_FAULT_NORMAL || g->fault == GJB_FAULT_LENGTH) && borne_vectors(g, epsilon, accuracy));
    double error = g->has_value ? g->value_eps * epsilon : 0;
    if (g->fault == GJB_FAULT_BOOLEAN)
        error = fmax(error, apart_from_touching(truth));
    c->graded++;
    c->class_graded[class]++;
    c->wrong += !right;
    c->class_wrong[class] += !right;
    if (error > c->worst)
        c->worst = error;
}

/* The first thing that happened to it while it answered, but for answers that grading calls wrong; NULL for
 * none. */
static const char *mishap_of(const gjb_session *session)
{
    size_t count = 0;
    const gjb_finding *found = gjb_session_findings(session, &count);
    for (size_t i = 0; i < count; i++)
        if (!gjb_mishap_is_graded(found[i].what))
            return gjb_finding_name(&found[i]);
    return NULL;
}

/* Grades the answers to one span. */
static int grade_span(choose_sample *s, const span *where, const gjb_contender *contender, int rounded,
                      gjb_precision precision, gjb_query query, double accuracy, const void *results,
                      choose_candidate *c)
{
    const double own = gjb_epsilon(precision), scene = gjb_epsilon((gjb_precision)s->scene->shapes.precision);
    for (uint64_t i = 0; i < where->count && !*s->watch->stop; i++) {
        gjb_truth *truth = &s->truths[rounded][where->at + i].truth;
        const gjb_tolerance borne = {.epsilon = fmax(own, scene),
                                     .least = gjb_least_size(precision),
                                     .tau = accuracy * truth->size,
                                     .no_normal = contender->no_normal >> query & 1,
                                     .no_points = contender->no_points >> query & 1};
        const gjb_result result = gjb_result_get(query, precision, s->scene->shapes.dim, results, i);
        const gjb_grade grade = gjb_grade_result(query, truth, &result, &borne);
        if (truth->conflict)
            return -1;
        add_answer(c, &grade, truth, borne.epsilon, accuracy);
        if (grade.too_slow && !c->too_slow++)
            snprintf(c->too_slow_first, sizeof c->too_slow_first, "frame %u, pair %llu",
                     (unsigned)where->frame, (unsigned long long)(where->first + i));
    }
    return 0;
}

static int grade_all(choose_sample *s, gjb_session *session, const gjb_contender *contender, int rounded,
                     gjb_precision precision, gjb_query query, uint32_t call, double accuracy,
                     choose_candidate *c, gjb_error *error)
{
    void *results = malloc(RUN * gjb_result_size(query, precision, s->scene->shapes.dim));
    int failed = results ? 0 : gjb_fail(error, "out of memory");
    for (size_t i = 0; i < s->span_count && !failed && !c->mishap && !*s->watch->stop; i++) {
        const span *where = &s->spans[i];
        gjb_session_stats stats = {0};
        gjb_session_run(session, query, where->frame, where->first, where->count, call, 1, results, &stats);
        if (stats.interrupted)
            break;
        c->mishap = mishap_of(session);
        if (!c->mishap && grade_span(s, where, contender, rounded, precision, query, accuracy, results, c))
            failed =
                gjb_fail(error, "frame %u, pairs from %llu on: certificate and oracle contradict each other",
                         (unsigned)where->frame, (unsigned long long)where->first);
    }
    if (*s->watch->stop) {
        c->answered = c->unsupported = c->graded = c->wrong = c->too_slow = 0;
        c->worst = 0;
        memset(c->class_graded, 0, sizeof c->class_graded);
        memset(c->class_wrong, 0, sizeof c->class_wrong);
    }
    free(results);
    return failed;
}

int choose_grade(choose_sample *s, const gjb_way *way, gjb_precision precision, gjb_query query,
                 uint32_t call, double accuracy, choose_candidate *c, gjb_error *error)
{
    const gjb_scene *fed = choose_sample_fed(s, precision);
    const int rounded = precision < (gjb_precision)s->scene->shapes.precision;
    if (!fed)
        return gjb_fail(error, "out of memory");
    if (rounded && !s->truths[1] && find_truths(s, fed, 1, error))
        return -1;
    if (*s->watch->stop)
        return 0;
    gjb_session *session = gjb_session_open(way->contender, way->backend, fed, 1, error);
    if (!session)
        return -1;
    c->mishap = mishap_of(session); /* while it prepared */
    const int failed = grade_all(s, session, way->contender, rounded, precision, query, call, accuracy, c, error);
    gjb_session_close(session);
    return failed;
}
