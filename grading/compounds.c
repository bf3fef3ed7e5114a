/* The answer of a pair of compounds: which pair of parts gives it, and what their grades prove. */
#include "grading/compounds.h"

#include <math.h>

/* Before any time. */
static const double at_first = -1;

/* What decides which pair of parts gives the answer: the least does. In the sense of sigma, of motion a time. NaN if
 * there is no answer. */
static double key_of(gjb_query query, const gjb_result *r)
{
    const int overlapping = r->status == GJB_OVERLAPPING;
    if (!overlapping && r->status != GJB_SEPARATED && r->status != GJB_HIT)
        return NAN;
    if (gjb_queries[query].moving)
        return overlapping ? at_first : r->status == GJB_HIT ? r->value : INFINITY;
    switch (query) {
    case GJB_INTERSECT: return overlapping ? -1 : 1;
    case GJB_DISTANCE: return overlapping ? 0 : r->value;
    case GJB_PENETRATION: return overlapping ? -r->value : 0;
    case GJB_MANIFOLD: return r->count ? r->value : overlapping ? 0 : INFINITY;
    default: return r->value;
    }
}

/* The key of the right answer to a pair of parts that was answered wrongly is no more than this. */
static double key_of_truth(gjb_query query, const gjb_part_answer *part)
{
    switch (query) {
    case GJB_INTERSECT: return part->result.status == GJB_SEPARATED && part->grade.fault == GJB_FAULT_BOOLEAN ? -1 : 1;
    case GJB_DISTANCE: return fmax(part->hi, 0) + part->allowed;
    case GJB_PENETRATION: return fmin(part->hi, 0) + part->allowed;
    default: return part->hi + part->allowed;
    }
}

static void note_grade(gjb_compound_answer *answer, gjb_query query, const gjb_part_answer *part)
{
    answer->open |= part->grade.verdict == GJB_UNGRADED;
    if (part->grade.verdict != GJB_WRONG)
        return;
    const double truth = key_of_truth(query, part);
    if (!answer->wrong || truth < answer->hidden) {
        answer->hidden = truth;
        answer->hides = part->grade;
    }
    answer->wrong = 1;
}

void gjb_compound_add(gjb_compound_answer *answer, gjb_query query, const gjb_part_answer *part)
{
    const int first = answer->parts == 0, overlapped = answer->result.status == GJB_OVERLAPPING;
    const double key = key_of(query, &part->result);
    answer->lo = first ? part->lo : fmin(answer->lo, part->lo);
    answer->hi = first ? part->hi : fmin(answer->hi, part->hi);
    answer->contacts += part->result.count;
    note_grade(answer, query, part);
    if (first || (!answer->missing && (isnan(key) || key < answer->key))) {
        answer->from = answer->parts;
        answer->result = part->result;
        answer->grade = part->grade;
        answer->key = key;
        answer->missing = isnan(key);
    } else if (query == GJB_INTERSECT && key == answer->key && part->grade.verdict == GJB_RIGHT)
        answer->grade = part->grade; /* one that overlaps is as good as another */
    if (query == GJB_MANIFOLD && !answer->missing && (overlapped || part->result.status == GJB_OVERLAPPING))
        answer->result.status = GJB_OVERLAPPING;
    answer->parts++;
}

void gjb_compound_finish(gjb_compound_answer *answer, gjb_query query)
{
    const gjb_verdict verdict = answer->grade.verdict;
    const int all_count = query == GJB_MANIFOLD; /* which has the answers of all parts */
    if (answer->missing || verdict == GJB_WRONG || verdict == GJB_NOT_SUPPORTED)
        return;
    if (answer->wrong && (all_count || answer->key > answer->hidden))
        answer->grade = answer->hides;
    else if (answer->open &&
             !(query == GJB_INTERSECT && verdict == GJB_RIGHT && answer->result.status == GJB_OVERLAPPING))
        answer->grade.verdict = GJB_UNGRADED;
}
