/* What the files that build figures share. */
#include "reports/figures/figures_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const figures_classes[CLASSES] = {"far",  "near",      "touching", "shallow",
                                              "deep", "contained", "mixed"};

void figures_keep(figure_group *group, plot *p, int secondary)
{
    if (!p) {
        group->failed = 1;
        return;
    }
    if (!plot_finish(p) || group->n == GROUP_PLOTS) {
        free(p);
        return;
    }
    group->secondary[group->n] = secondary;
    group->plots[group->n++] = p;
}

void figures_heading(char heading[HEADING], const char *query, const char *precision)
{
    series_name name = points_spaced(query);
    snprintf(heading, HEADING, "%s%s%s", name.s, *precision ? ", " : "", precision);
}

void figures_each(const results *r, const base_point *base, figure_group *group, figure_draw draw,
                  const void *what)
{
    names queries = points_queries(r), precisions = points_precisions(r);
    for (size_t q = 0; q < queries.n; q++)
        for (size_t k = 0; k < precisions.n; k++) {
            const drawing d = {r, base, queries.s[q], precisions.s[k]};
            int shows = 1;
            plot *p = draw(&d, what, &shows);
            if (p && !shows)
                free(p);
            else
                figures_keep(group, p, strcmp(precisions.s[k], base->precision) != 0);
        }
}

int figures_in_classes(const base_point *base, const bench_row *row)
{
    return points_in_sweep(base, row, "families", VARY_CLASS);
}
