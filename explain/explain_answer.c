/* The answer and its certificate, in words. */
#include <math.h>
#include <stdio.h>

#include "explain/explain.h"

#include "core/query.h"
#include "reference/patch/flats.h"

static const char *count_of(size_t n, const char *one, char out[48])
{
    snprintf(out, 48, "%zu %s%s", n, one, n == 1 ? "" : "s");
    return out;
}

static double radii_of(const gjb_pair *pair)
{
    return pair->dim == 2 ? pair->as.plane.a.radius + pair->as.plane.b.radius
                          : pair->as.space.a.radius + pair->as.space.b.radius;
}

static void tell_answer(const explain_proof *proof, const explain_pair *pair, const gjb_answer *answer,
                        const walk *steps, explain_lines *lines)
{
    const uint32_t dim = pair->pair.dim;
    char n[96], a[96], b[96], count[48];
    count_of(steps->count, "step", count);
    const char *after = steps->count ? ", after " : "", *steps_taken = steps->count ? count : "";
    if (isnan(proof->apart)) {
        explain_add(lines, "answer", "%s%s%s", gjb_status_name(answer->status), after, steps_taken);
        return;
    }
    explain_add(lines, "answer", "%s%s%s: %s %.6g, sigma = %.6g", gjb_status_name(answer->status), after, steps_taken,
                answer->status == GJB_SEPARATED ? "distance" : "depth", fabs(answer->sigma), answer->sigma);
    explain_add(lines, "normal", "n = %s, from A to B", explain_point(answer->normal, dim, n));
    explain_add(lines, "points", "a = %s of A, b = %s of B", explain_point(answer->point_a, dim, a),
                explain_point(answer->point_b, dim, b));
    if (proof->no_points || proof->no_normal)
        explain_add(lines, "not given", "the contender has no %s of its own, and none %s graded",
                    proof->no_points && proof->no_normal ? "points and no normal"
                    : proof->no_points                   ? "points"
                                                         : "normal",
                    proof->no_points ? "are" : "is");
}

static void tell_contacts(const explain_proof *proof, const explain_pair *pair, const gjb_answer *answer,
                          explain_lines *lines)
{
    const uint32_t dim = pair->pair.dim;
    char term[24], a[96], b[96];
    if (!gjb_queries[proof->query].has_patch)
        return;
    if (!answer->count)
        explain_add(lines, "contacts", "none within the margin, %.6g", pair->pair.margin);
    for (unsigned i = 0; i < answer->count; i++) {
        const gjb_contact3d *contact = &answer->contact[i];
        snprintf(term, sizeof term, "contact %u", i + 1);
        explain_add(lines, term, "on A %s, on B %s, separation %.6g, feature %08x",
                    explain_point(contact->point_a, dim, a), explain_point(contact->point_b, dim, b),
                    contact->separation + 0.0, (unsigned)contact->feature);
    }
}

static void tell_coverage(const explain_proof *proof, const gjb_answer *answer, explain_lines *lines)
{
    const double coverage = proof->grade.coverage;
    if (!gjb_queries[proof->query].has_patch || !proof->grade.has_coverage)
        return;
    explain_add(lines, "coverage", "the contact%s span%s %.4g%% of what the best that fit would",
                answer->count == 1 ? "" : "s", answer->count == 1 ? "s" : "", 100 * coverage);
}

/* Of a pair that a manifold was asked of: what lies over one another along the normal. */
static void tell_patch(const explain_proof *proof, const explain_pair *pair, explain_lines *lines)
{
    static const char *const kinds[] = {"a point", "a segment of length", "a polygon of area"};
    const ref_patch *patch = &proof->patch;
    double most = -INFINITY;
    char size[32] = "", best[64] = "";
    if (!proof->has_patch)
        return;
    if (patch->count == 0) {
        explain_add(lines, "patch", "along n nothing lies over one another within the margin, %.6g", pair->pair.margin);
        return;
    }
    for (uint32_t i = 0; i < patch->count; i++)
        most = fmax(most, patch->corners[i].separation);
    if (patch->count > 1)
        snprintf(size, sizeof size, " %.6g", patch->size);
    if (patch->best_count < patch->count)
        snprintf(best, sizeof best, "; the best %u of them span %.4g%% of it", (unsigned)patch->best_count,
                 100 * patch->share);
    explain_add(lines, "patch",
                "along n the %s within the margin, %.6g, is %s%s: %u corner%s, separated by %.6g to %.6g%s",
                proof->discs ? "contact patch of polygons that stand for discs," : "contact patch, grown by T,",
                pair->pair.margin, kinds[patch->count < 3 ? patch->count - 1 : 2], size, (unsigned)patch->count,
                patch->count == 1 ? "" : "s", patch->deepest + 0.0, most + 0.0, best);
    if (proof->discs)
        explain_add(lines, "discs",
                    "a polygon of %u corners, all on its rim, stands for each disc: the patch of the discs holds this "
                    "one, and may be a little larger",
                    (unsigned)REF_DISC_CORNERS);
}

static void tell_radii(const explain_pair *pair, const explain_method *method, const gjb_answer *answer,
                       const walk *steps, int has_vectors, explain_lines *lines)
{
    const char *found = steps->count ? "the walk is on" : "the distance is first that of";
    const double radii = radii_of(&pair->pair);
    if (!(radii > 0) || explain_is_asked(method))
        return;
    if (!method->cores_alone)
        explain_add(lines, "radii", "each support already has its shape's radius along the direction");
    else if (has_vectors)
        explain_add(lines, "radii",
                    "%s the cores; the radii come off at the end: sigma = %.6g - %.6g, and each "
                    "point moves along the normal by its shape's radius",
                    found, answer->sigma + radii, radii);
    else
        explain_add(lines, "radii",
                    "%s the cores; the shapes overlap if these are at most %.6g apart", found, radii);
}

static void tell_separation(const explain_proof *proof, explain_lines *lines)
{
    explain_add(lines, "from below",
                "along n there is a gap of %.6g between the farthest that A reaches and the nearest of B: "
                "whatever lies in the shapes is at least that far apart, sigma >= %.6g",
                proof->gap, proof->gap);
    explain_add(
        lines, "from above",
        "a is %.2g off A, b is %.2g off B, and they are %.6g apart: two points of the shapes so near prove "
        "sigma <= %.6g",
        proof->off_a, proof->off_b, proof->apart, proof->above);
}

/* What a polytope of A - B proves: the walk's own, or the reference's. */
static void tell_inner(const explain_proof *proof, const explain_pair *pair, const explain_method *method,
                       explain_lines *lines)
{
    const int flat = pair->pair.dim == 2;
    explain_add(
        lines, "depth >=",
        "%s %s has vertices of A - B alone, which is convex, and goes round the origin with no %s "
        "nearer than %.6g%s: the ball of that radius lies in A - B. That proves the depth from below, "
        "sigma <= %.6g%s",
        method->proves ? "the last" : "the reference, asked for the same pair, ends with a proof: its last",
        flat ? "polygon" : "polytope", flat ? "edge" : "face", proof->inner,
        radii_of(&pair->pair) > 0 ? " (the radii included)" : "", -proof->inner,
        method->proves || explain_is_asked(method)
            ? ""
            : ". The method's own supports are rounded in world coordinates, and prove nothing");
}

static void tell_depth(const explain_proof *proof, const explain_pair *pair, const explain_method *method,
                       explain_lines *lines)
{
    if (isnan(proof->gap))
        explain_add(lines, "depth <=", "n is no direction: it proves nothing");
    else if (proof->gap > 0)
        explain_add(lines, "depth <=", "along n there is a gap of %.6g: the shapes are apart, sigma >= %.6g",
                    proof->gap, proof->gap);
    else
        explain_add(
            lines, "depth <=",
            "A - B reaches %.6g along n and no farther: B moved by so much along n touches A at most. "
            "That proves the depth from above, sigma >= %.6g",
            0 - proof->gap, proof->gap);
    if (proof->inner >= 0)
        tell_inner(proof, pair, method, lines);
    else if (radii_of(&pair->pair) > 0 && proof->core_apart < radii_of(&pair->pair))
        explain_add(lines, "depth >=",
                    "a and b, taken back to the cores, are %.6g from each other: the depth is at least the "
                    "radii less the distance of the cores, so at least %.6g, sigma <= %.6g",
                    proof->core_apart, radii_of(&pair->pair) - proof->core_apart,
                    proof->core_apart - radii_of(&pair->pair));
    else if (gjb_pair_unbounded(&pair->pair))
        explain_add(lines, "depth >=", "the plane is the only way out");
    else if (gjb_pair_curved(&pair->pair))
        explain_add(lines, "depth >=", "no direction is less deep than the interval below says, found by branch and bound");
    else
        explain_add(lines, "depth >=", "no polytope of %s encloses the origin: it proves no depth from below",
                    method->proves ? "this walk" : "the reference's walk");
    explain_add(lines, "witnesses", "a is %.2g off A, b is %.2g off B, and they are %.6g apart",
                proof->off_a, proof->off_b, proof->apart);
}

static void tell_status(const explain_proof *proof, const explain_pair *pair, const explain_method *method,
                        const gjb_answer *answer, const walk *steps, explain_lines *lines)
{
    if (answer->status == GJB_SEPARATED && proof->axis_gap > 0)
        explain_add(lines, "from below",
                    "along the direction of step %zu there is a gap of %.6g between A and B: a separating "
                    "axis, sigma >= %.6g",
                    proof->axis + 1, proof->axis_gap, proof->axis_gap);
    else if (answer->status == GJB_SEPARATED && !explain_is_asked(method) && !gjb_pair_unbounded(&pair->pair))
        explain_add(
            lines, "from below",
            "no direction that was searched has a gap between A and B: these steps do not prove the answer");
    else if (answer->status == GJB_OVERLAPPING && !method->proves && proof->inner >= 0)
        tell_inner(proof, pair, method, lines);
    else if (explain_is_asked(method))
        explain_add(lines, "proof", "the answer has no vectors that prove it; the exact sign below decides");
    else if (answer->status == GJB_OVERLAPPING && !method->proves)
        explain_add(
            lines, "from above",
            "the method's own supports are rounded in world coordinates, and prove nothing; the exact "
            "sign below decides");
    else if (answer->status == GJB_OVERLAPPING && steps->count)
        explain_add(lines, "from above",
                    "the last simplex has vertices of A - B alone; if it holds the origin, A and B have "
                    "a point in common: sigma <= 0. Rounding may deceive here, and the exact sign below "
                    "decides");
}

static void tell_truth(const explain_proof *proof, const explain_pair *pair, explain_lines *lines)
{
    static const char *const signs[] = {"they overlap", "they touch", "they are apart"};
    if (gjb_pair_curved(&pair->pair) || gjb_pair_unbounded(&pair->pair))
        explain_add(lines, "exact", "by a proven interval %s: sigma lies in [%.17g, %.17g]",
                    signs[proof->sign + 1], proof->lo, proof->hi);
    else if (proof->lo == proof->hi)
        explain_add(lines, "exact", "in rational arithmetic %s: sigma = %.17g", signs[proof->sign + 1],
                    proof->lo);
    else
        explain_add(lines, "exact", "in rational arithmetic %s: sigma lies in [%.17g, %.17g]",
                    signs[proof->sign + 1], proof->lo, proof->hi);
    char granted[48] = "";
    if (proof->tau > 0)
        snprintf(granted, sizeof granted, "%.3g (granted) + ", proof->tau);
    explain_add(lines, "tolerance",
                "the size of the pair is S = %.6g, the unit roundoff of %s epsilon = %.3g: T = %sk epsilon "
                "S = %.3g, with k = %g",
                proof->size, gjb_precision_name(proof->precision), proof->epsilon, granted, proof->tolerance,
                proof->k);
}

/* What a margin makes of that. */
static void tell_within(const explain_proof *proof, const explain_pair *pair, explain_lines *lines)
{
    const double within = pair->pair.within;
    const gjb_query_row *row = &gjb_queries[proof->query];
    if (!(within > 0) || !row->has_within)
        return;
    const char *side = proof->lo > within ? "is more" : proof->hi <= within ? "is no more" : "may be more";
    explain_add(lines, "within", row->has_value ? "the scene asks for no distance beyond %.6g, and sigma %s: the "
                                                  "method is asked without that, and judged so"
                                                : "the scene asks for shapes within %.6g of each other, and sigma %s: the "
                                                  "method is asked without a margin, and judged so",
                within, side);
}

static void tell_verdict(const explain_proof *proof, explain_lines *lines)
{
    const gjb_grade *grade = &proof->grade;
    static const char *const verdicts[GJB_VERDICTS] = {
        "right", "wrong", "ungraded: within T of touching, where rounding decides", "unsupported"};
    const int apart = proof->lo > proof->tolerance || proof->hi < -proof->tolerance;
    const int open = grade->verdict == GJB_UNGRADED && apart;
    char error[64] = "";
    if (grade->has_value)
        snprintf(error, sizeof error, "; the largest error is %.3g epsilon S", grade->error_eps);
    explain_add(lines, "verdict", "as an answer to %s: %s%s%s%s", gjb_queries[proof->query].name,
                open ? "ungraded: the proven interval is too wide to tell" : verdicts[grade->verdict], grade->fault ? ", fault: " : "",
                grade->fault ? gjb_fault_name(grade->fault) : "", error);
}

void explain_proof_tell(const explain_proof *proof, const explain_pair *pair, const explain_method *method,
                    const gjb_answer *answer, const walk *steps, explain_lines *lines)
{
    const int has_vectors = !isnan(proof->apart);
    lines->count = 0;
    tell_answer(proof, pair, answer, steps, lines);
    tell_contacts(proof, pair, answer, lines);
    tell_patch(proof, pair, lines);
    tell_coverage(proof, answer, lines);
    tell_radii(pair, method, answer, steps, has_vectors, lines);
    if (!has_vectors)
        tell_status(proof, pair, method, answer, steps, lines);
    else if (answer->status == GJB_SEPARATED)
        tell_separation(proof, lines);
    else
        tell_depth(proof, pair, method, lines);
    tell_truth(proof, pair, lines);
    tell_within(proof, pair, lines);
    tell_verdict(proof, lines);
}
