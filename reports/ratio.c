#include "reports/ratio.h"

#include <math.h>
#include <stdio.h>

#include "reports/results.h"

/* An interval that is wider, and a processor that others have for longer, make a mark. */
static const double wide = 0.10, much_shared = 0.10;

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

ratio ratio_inverse(ratio q)
{
    const double low = q.low;
    q.times = 1 / q.times;
    q.low = 1 / q.high;
    q.high = 1 / low;
    return q;
}

ratio ratio_of_run(const results *r)
{
    const timing none = {NAN, NAN, NAN, NAN};
    return ratio_between(r, none, none);
}

/* Half an interval, of 1; NaN: not known. */
static double width(ratio q)
{
    return fmax(q.high / q.times - 1, 1 - q.low / q.times);
}

ratio ratio_wider(ratio a, ratio b)
{
    ratio q = width(b) > width(a) || isnan(width(a)) ? b : a;
    q.shared = fmax(a.shared, b.shared);
    q.unequal = fmax(a.unequal, b.unequal);
    q.load = fmax(a.load, b.load);
    return q;
}

const char *ratio_text(number *n, ratio q, ratio_form form)
{
    number part;
    if (!isfinite(q.times) || form == RATIO_FIGURES)
        return number_figures(n, q.times);
    if (form == RATIO_PERCENT)
        snprintf(n->s, sizeof n->s, "%s%%", number_figures(&part, 100 * q.times));
    else
        snprintf(n->s, sizeof n->s, "%.*f×", q.times < 0.995 ? 2 : q.times < 9.95 ? 1 : 0,
                 fmin(q.times, 1e12));
    return n->s;
}

void ratio_html(ratio q, ratio_form form, text *page)
{
    number n;
    text_add(page, ratio_text(&n, q, form));
    if (!isnan(q.times))
        ratio_mark(q, page);
}

void ratio_mark(ratio q, text *page)
{
    const double own = width(q) > wide ? width(q) : 0, most = fmax(own, q.unequal);
    if (!(most > 0) && !(q.shared > much_shared) && !(q.load > 0))
        return;
    text_add(page, " <b class=\"amiss\" title=\"");
    if (q.unequal > 0)
        text_format(page, "conditions of timing differed by %.1f%%; ", 100 * q.unequal);
    if (own > 0)
        text_format(page, "its own 95%% interval is ±%.0f%%; ", 100 * own);
    if (q.shared > much_shared)
        text_format(page, "other work had the processor for %.0f%% of the time; ", 100 * q.shared);
    if (q.load > 0)
        text_format(page, "other work took part of the machine, load %.1f; ", q.load);
    text_add(page, "not to be relied on\"><small>");
    if (most > 0)
        text_format(page, most < 0.0995 ? "±%.1f%%" : "±%.0f%%", 100 * most);
    else
        text_add(page, "busy");
    text_add(page, "</small></b>");
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
