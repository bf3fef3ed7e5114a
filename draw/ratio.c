/* A ratio of two times as text, with a mark in red if it cannot be believed. */
#include "draw/ratio.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* An interval that is wider, and a processor that others have for longer, make a mark. */
static const double wide = 0.10, much_shared = 0.10;

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

const char *ratio_doubt(number *n, ratio q)
{
    const double most = fmax(width(q) > wide ? width(q) : 0, q.unequal);
    if (most > 0)
        snprintf(n->s, sizeof n->s, most < 0.0995 ? "±%.1f%%" : "±%.0f%%", 100 * most);
    else
        strcpy(n->s, q.shared > much_shared || q.load > 0 ? "busy" : "");
    return n->s;
}

void ratio_mark(ratio q, text *page)
{
    const double own = width(q) > wide ? width(q) : 0;
    number doubt;
    if (!*ratio_doubt(&doubt, q))
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
    text_format(page, "not to be relied on\"><small>%s</small></b>", doubt.s);
}
