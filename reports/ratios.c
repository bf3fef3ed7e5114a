/* Ratios of the times of result files, and how far conditions of timing were unequal in a run. */
#include "reports/ratios.h"

#include <math.h>

#include "reports/results.h"

timing timing_of(const bench_row *row)
{
    const double shared = row->threads > 1 ? NAN : 1 - row->cpu_time / row->real_time;
    return (timing){row->ns, row->low, row->high, shared};
}

timing timing_exact(double ns)
{
    return (timing){ns, ns, ns, NAN};
}

/* Independent errors of both, by their logarithms. */
static double apart(double over, double over_end, double under, double under_end)
{
    return hypot(log(over_end / over), log(under_end / under));
}

ratio ratio_between(const results *r, timing over, timing under)
{
    const double times = over.ns / under.ns;
    const unequal u = r ? unequal_in(r) : (unequal){NAN, 0};
    double load, cpus;
    const int busy = r && ratio_overloaded(r, &load, &cpus);
    return (ratio){.times = times,
                   .low = times * exp(-apart(over.ns, over.low, under.ns, under.high)),
                   .high = times * exp(apart(over.ns, over.high, under.ns, under.low)),
                   .shared = fmax(over.shared, under.shared),
                   .unequal = unequal_much(u) ? fabs(u.cost) : 0,
                   .load = busy ? load : 0};
}

int ratio_overloaded(const results *r, double *load, double *cpus)
{
    *load = json_number_value(json_array_get(results_context(r, "load_avg"), 0));
    *cpus = json_number_value(results_context(r, "num_cpus"));
    return *cpus > 0 && *load > *cpus + 1;
}

ratio ratio_of(const results *r, const bench_row *over, const bench_row *under)
{
    return ratio_between(r, timing_of(over), timing_of(under));
}

ratio ratio_of_run(const results *r)
{
    const timing none = {NAN, NAN, NAN, NAN};
    return ratio_between(r, none, none);
}

/* ---- what is left between equal conditions ---- */

unequal unequal_of(const json_t *row)
{
    const int two = json_object_get(row, "between") != NULL;
    const json_t *low = json_object_get(row, two ? "between_low" : "ratio_low"),
                 *high = json_object_get(row, two ? "between_high" : "ratio_high");
    unequal u = {json_number_value(json_object_get(row, two ? "between" : "ratio")) - 1, 0};
    if (!low || !high)
        u.surely = u.cost;
    else if (json_number_value(low) > 1)
        u.surely = json_number_value(low) - 1;
    else if (json_number_value(high) < 1)
        u.surely = json_number_value(high) - 1;
    return u;
}

int unequal_much(unequal u)
{
    return fabs(u.surely) > UNEQUAL_MOST;
}

static int worse(unequal a, unequal b)
{
    if (isnan(b.cost) || unequal_much(a) != unequal_much(b))
        return isnan(b.cost) || unequal_much(a);
    return fabs(a.cost) > fabs(b.cost);
}

unequal unequal_in(const results *r)
{
    unequal worst = {NAN, 0};
    json_t *one;
    size_t i;
    json_array_foreach(results_context(r, "isolation_cost"), i, one) {
        const unequal u = unequal_of(one);
        worst = worse(u, worst) ? u : worst;
    }
    return worst;
}
