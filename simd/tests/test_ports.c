/* The arithmetic of supports: it runs as often as requested, and is the same at any width. */
#include <criterion/criterion.h>
#include <math.h>

#include "simd/ports/ports.h"
#include "simd/simd.h"

/* The same in double, one lane: the greatest product and its number, of directions that move with every scan. */
static double by_hand(uint32_t dim, uint64_t scans)
{
    double sum = 0;
    for (int k = 0; k < GJB_PORTS_DIRECTIONS; k++) {
        double d[3], one = 0;
        for (int x = 0; x < 3; x++)
            d[x] = k - x;
        for (uint64_t i = 0; i < scans; i++) {
            double best = -INFINITY, at = 0;
            for (int x = 0; x < 3; x++)
                d[x] += 0.001;
            for (int v = 0; v < GJB_PORTS_VERTICES; v++) {
                double value = 0;
                for (uint32_t x = 0; x < dim; x++)
                    value += ((v * 7 + (int)x * 3) % 11 - 5) * d[x];
                at = value > best ? v : at;
                best = fmax(best, value);
            }
            one += best + at;
        }
        sum += one;
    }
    return sum;
}

Test(ports, scan_what_they_say)
{
    static const uint64_t scans[] = {0, 1, 2, 100};
    for (size_t b = 0; b < gjb_backend_count; b++) {
        const char *name = gjb_backends[b]->name;
        if (!gjb_backend_available(name))
            continue;
        for (int p = 0; p < GJB_PRECISIONS; p++)
            for (uint32_t dim = 2; dim <= 3; dim++)
                for (size_t s = 0; s < sizeof scans / sizeof *scans; s++) {
                    gjb_ports_run *run = gjb_ports_find(name, (gjb_precision)p);
                    cr_assert_not_null(run, "%s", name);
                    const double want = by_hand(dim, scans[s]);
                    double sum = NAN;
                    run(dim, scans[s], &sum);
                    cr_expect(fabs(sum - want) <= 1000 * gjb_epsilon((gjb_precision)p) * fabs(want),
                              "%s, %s, %uD, %d scans: %.17g, not %.17g", name,
                              gjb_precision_name((gjb_precision)p), dim, (int)scans[s], sum, want);
                }
    }
    cr_expect_null(gjb_ports_find("avx1024", GJB_F32));
}
