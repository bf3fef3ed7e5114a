/* Pairs of a chunk: the scene of them, the name of one, and how its truth is opened. */
#include "verify/verify_private.h"

const char *gjb_verify_pair_name(const gjb_chunk *c, uint64_t index, char name[GJB_VERIFY_PAIR])
{
    snprintf(name, GJB_VERIFY_PAIR, "pair %llu of %uD %s %s, %s", (unsigned long long)(c->first + index),
             (unsigned)c->combo->dim, c->combo->workload, c->combo->family->name,
             gjb_precision_name(c->combo->precision));
    return name;
}

gjb_scene *gjb_verify_make_scene(const gjb_verify_plan *plan, const gjb_combo *combo, uint64_t first, uint64_t pairs,
                                 gjb_error *error)
{
    const gjb_recipe recipe = {.dim = combo->dim,
                               .workload = combo->workload,
                               .family = combo->family->name,
                               .library = plan->library,
                               .seed = plan->seed,
                               .margin = plan->margin,
                               .within = plan->within,
                               .leaving = gjb_family_leaves(combo->family) ? plan->leaving : GJB_LEAVING_HIT,
                               .precision = combo->precision,
                               .first = first,
                               .pairs = pairs};
    return plan->grid ? gjb_grid_scene(plan->grid, combo->precision, first, pairs, error)
                      : gjb_generate(&recipe, error);
}

int gjb_verify_open_truth(const gjb_chunk *c, gjb_truth *truth, const gjb_pair *pair)
{
    if (c->combo->family == &gjb_grid_family && !truth->slowly)
        return gjb_truth_open_in_halves(truth, pair);
    return c->combo->family->moving ? gjb_truth_open_moving(truth, pair) : gjb_truth_open_lazily(truth, pair);
}
