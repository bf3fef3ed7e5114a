/* Fits a power law to measured points, with a confidence interval of its exponent. */
#include "draw/plot/plot.h"

#include <math.h>

/* Two-sided 95% quantile of Student's t. From three degrees of freedom on the expansion of Cornish and Fisher
 * (1937) is off by less than 1%. */
static double student(size_t freedom)
{
    static const double first[] = {12.706, 4.303};
    const double z = 1.959964, f = (double)freedom;
    if (freedom <= 2)
        return first[freedom - 1];
    return z + (pow(z, 3) + z) / (4 * f) + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * f * f) +
           (3 * pow(z, 7) + 19 * pow(z, 5) + 17 * pow(z, 3) - 15 * z) / (384 * f * f * f);
}

void plot_fit_power(plot_line *line)
{
    double n = 0, mean_x = 0, mean_y = 0, xx = 0, xy = 0, rest = 0;
    line->fit = (plot_fit){0};
    for (size_t i = 0; i < line->n; i++)
        if (line->x[i] > 0 && line->y[i] > 0) {
            n++;
            mean_x += log(line->x[i]);
            mean_y += log(line->y[i]);
        }
    if (n < 3)
        return;
    mean_x /= n;
    mean_y /= n;
    for (size_t i = 0; i < line->n; i++)
        if (line->x[i] > 0 && line->y[i] > 0) {
            double dx = log(line->x[i]) - mean_x;
            xx += dx * dx;
            xy += dx * (log(line->y[i]) - mean_y);
        }
    if (!(xx > 0))
        return;
    const double slope = xy / xx;
    for (size_t i = 0; i < line->n; i++)
        if (line->x[i] > 0 && line->y[i] > 0) {
            double off = log(line->y[i]) - mean_y - slope * (log(line->x[i]) - mean_x);
            rest += off * off;
        }
    const double wide = student((size_t)n - 2) * sqrt(rest / (n - 2) / xx);
    line->fit = (plot_fit){(size_t)n, slope, slope - wide, slope + wide, exp(mean_y - slope * mean_x)};
}

int plot_fit_tells(const plot_fit *fit)
{
    return fit->points > 3 && fit->high - fit->low <= fabs(fit->exponent);
}
