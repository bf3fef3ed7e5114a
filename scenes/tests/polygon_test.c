/* Outlines that are accepted and refused as convex polygons, with exact signs. */
#include "core/polygon.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "core/types.h"
#include "scenes/tests/samples.h"

#define EPS 0x1p-53

typedef struct outline_case {
    const char *name;
    gjb_outline expected;
    uint32_t vertex; /* the dented one */
    uint32_t count;
    double v[12][2];
} outline_case;

static const outline_case cases[] = {
    {"square", GJB_OUTLINE_CCW, 0, 4, {{0, 0}, {1, 0}, {1, 1}, {0, 1}}},
    {"clockwise square", GJB_OUTLINE_CW, 0, 4, {{0, 0}, {0, 1}, {1, 1}, {1, 0}}},
    {"repeated vertices", GJB_OUTLINE_CCW, 0, 7, {{0, 0}, {0, 0}, {1, 0}, {1, 0}, {1, 0}, {0, 1}, {0, 0}}},
    {"repeated, clockwise", GJB_OUTLINE_CW, 0, 5, {{0, 0}, {0, 1}, {0, 1}, {1, 0}, {0, 0}}},
    {"collinear run", GJB_OUTLINE_CCW, 0, 6, {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 3}, {1, 1}}},
    {"one point", GJB_OUTLINE_FLAT, 0, 3, {{2, 3}, {2, 3}, {2, 3}}},
    {"origin", GJB_OUTLINE_FLAT, 0, 3, {{0, 0}, {0, 0}, {-0.0, 0}}},
    {"on a line", GJB_OUTLINE_FLAT, 0, 4, {{0, 0}, {1, 3}, {2, 6}, {-1, -3}}},
    {"pentagram", GJB_OUTLINE_WINDS, 0, 5, {{0, 3}, {-2, -3}, {3, 1}, {-3, 1}, {2, -3}}},
    {"twice around", GJB_OUTLINE_WINDS, 0, 6, {{0, 0}, {1, 0}, {0, 1}, {0, 0}, {1, 0}, {0, 1}}},
    {"twice around, clockwise", GJB_OUTLINE_WINDS, 0, 6, {{0, 0}, {0, 1}, {1, 0}, {0, 0}, {0, 1}, {1, 0}}},
    {"bow tie", GJB_OUTLINE_DISORDERED, 0, 4, {{0, 0}, {1, 1}, {1, 0}, {0, 1}}},
    {"dart", GJB_OUTLINE_DENTED, 2, 4, {{0, 0}, {4, 0}, {1, 1}, {0, 4}}},
    {"dart, clockwise", GJB_OUTLINE_DENTED, 2, 4, {{0, 0}, {0, 4}, {1, 1}, {4, 0}}},
    {"dent of 1e-9", GJB_OUTLINE_DENTED, 1, 5, {{0, 0}, {1, 1e-9}, {2, 0}, {2, 2}, {0, 2}}},
    {"spike", GJB_OUTLINE_DENTED, 2, 5, {{0, 0}, {5, 0}, {3, 0}, {3, 3}, {0, 3}}},
    {"fold", GJB_OUTLINE_DENTED, 2, 6, {{0, 0}, {2, 0}, {1, 0}, {3, 0}, {3, 3}, {0, 3}}},
    {"dent of 12 eps of the size", GJB_OUTLINE_DENTED, 1, 5, {{0, 0}, {1, 34 * EPS}, {2, 0}, {2, 2}, {0, 2}}},
    {"fold of 40 eps",
     GJB_OUTLINE_DENTED,
     2,
     6,
     {{0, 0}, {1 + 120 * EPS, 0}, {1, 0}, {2, 0}, {2, 2}, {0, 2}}},
    {"fold of 2 eps", GJB_OUTLINE_CCW, 0, 6, {{0, 0}, {1 + 4 * EPS, 0}, {1, 0}, {2, 0}, {2, 2}, {0, 2}}},
    {"dent of 2 eps", GJB_OUTLINE_CCW, 0, 5, {{0, 0}, {1, 4 * EPS}, {2, 0}, {2, 2}, {0, 2}}},
    {"decimal thirds", GJB_OUTLINE_CCW, 0, 5, {{0, 0}, {0.1, 0.7}, {0.2, 1.4}, {0.3, 2.1}, {-1, 2}}},
    {"decimal, clockwise", GJB_OUTLINE_CW, 0, 5, {{-1, 2}, {0.3, 2.1}, {0.2, 1.4}, {0.1, 0.7}, {0, 0}}},
    {"huge", GJB_OUTLINE_CCW, 0, 3, {{-1e308, -1e308}, {1e308, -1e308}, {0, 1e308}}},
    {"tiny", GJB_OUTLINE_CCW, 0, 3, {{0, 0}, {5e-324, 0}, {0, 5e-324}}},
    {"tiny, clockwise", GJB_OUTLINE_CW, 0, 3, {{0, 0}, {0, 5e-324}, {5e-324, 0}}},
};

Test(polygon, outlines)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const outline_case *c = &cases[i];
        gjb_outline_report report;
        const gjb_outline got = gjb_outline_check(c->v, c->count, EPS, &report);
        cr_expect_eq(got, c->expected, "%s: %d", c->name, got);
        if (got == GJB_OUTLINE_DENTED)
            cr_expect_eq(report.vertex, c->vertex, "%s: vertex %u", c->name, report.vertex);
        if (got == GJB_OUTLINE_WINDS)
            cr_expect_eq(report.winds, 2, "%s", c->name);
    }
}

/* The answer must not depend on the first vertex of the list. */
Test(polygon, outlines_from_any_vertex)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const outline_case *c = &cases[i];
        for (uint32_t start = 0; start < c->count; start++) {
            double v[12][2];
            for (uint32_t k = 0; k < c->count; k++)
                memcpy(v[k], c->v[(start + k) % c->count], sizeof v[k]);
            gjb_outline_report report;
            const gjb_outline got = gjb_outline_check((const double(*)[2])v, c->count, EPS, &report);
            cr_expect_eq(got, c->expected, "%s from %u: %d", c->name, start, got);
        }
    }
}

/* Clockwise by the first of vertices that come twice, and so in either direction: found by fuzzing, and let in. */
Test(polygon, around_and_back_is_refused)
{
    static const double there[5][2] = {{0, 0}, {4, -1}, {0, -1}, {4, -1}, {0, 0}};
    for (uint32_t start = 0; start < 5; start++) {
        double v[5][2];
        for (uint32_t k = 0; k < 5; k++)
            memcpy(v[k], there[(start + k) % 5], sizeof v[k]);
        gjb_outline_report report;
        const gjb_outline got = gjb_outline_check((const double(*)[2])v, 5, EPS, &report);
        cr_expect(got == GJB_OUTLINE_DISORDERED || got == GJB_OUTLINE_DENTED, "from %u: %d", start, got);
    }
}

/* Kettner et al. 2008: doubles next to a diagonal, for which plain arithmetic
 * gives noise. The exact side is that of j against i. */
Test(polygon, signs_are_exact)
{
    for (int i = 0; i < 64; i++) {
        for (int j = 0; j < 64; j++) {
            const double v[3][2] = {{0.5 + i * 0x1p-53, 0.5 + j * 0x1p-53}, {12, 12}, {24, 24}};
            const gjb_outline expected = v[0][1] > v[0][0]   ? GJB_OUTLINE_CCW
                                         : v[0][1] < v[0][0] ? GJB_OUTLINE_CW
                                                             : GJB_OUTLINE_FLAT;
            gjb_outline_report report;
            cr_assert_eq(gjb_outline_check(v, 3, EPS, &report), expected, "%d %d", i, j);
        }
    }
}

/* Convex polygons stay acceptable when rounded, in either direction. */
Test(polygon, rounded_polygons_pass)
{
    static double v[GJB_MAX_VERTICES][2], reversed[GJB_MAX_VERTICES][2];
    uint64_t state = 1;
    for (int round = 0; round < 400; round++) {
        const uint32_t n = 3 + (uint32_t)(sample_bits(&state) % (round < 390 ? 300 : GJB_MAX_VERTICES - 2));
        const double aspect = pow(10.0, (double)(sample_bits(&state) % 5));
        const double tilt = (double)(sample_bits(&state) % 1000);
        const int f32 = round % 2;
        for (uint32_t i = 0; i < n; i++) {
            const double angle = 6.283185307179586 * i / n;
            const double x = cos(angle), y = sin(angle) / aspect;
            v[i][0] = cos(tilt) * x - sin(tilt) * y;
            v[i][1] = sin(tilt) * x + cos(tilt) * y;
            if (f32) {
                v[i][0] = (float)v[i][0];
                v[i][1] = (float)v[i][1];
            }
            memcpy(reversed[n - 1 - i], v[i], sizeof v[i]);
        }
        gjb_outline_report report;
        const double epsilon = f32 ? 0x1p-24 : EPS;
        const gjb_outline ccw = gjb_outline_check((const double(*)[2])v, n, epsilon, &report);
        cr_expect_eq(ccw, GJB_OUTLINE_CCW, "round %d: %u vertices, aspect %g: %d at %u, %g", round, n, aspect,
                     ccw, report.vertex, report.depth);
        const gjb_outline cw = gjb_outline_check((const double(*)[2])reversed, n, epsilon, &report);
        cr_expect_eq(cw, GJB_OUTLINE_CW, "round %d reversed: %d", round, cw);
        /* The same with one vertex pushed in past its neighbours' chord. */
        const uint32_t i = (uint32_t)(sample_bits(&state) % n), before = (i + n - 1) % n, after = (i + 1) % n;
        for (int axis = 0; axis < 2 && n > 4; axis++)
            v[i][axis] = 0.5 * (v[before][axis] + v[after][axis]) * (1.0 - 1e-4);
        if (n > 4 && aspect == 1.0) {
            const gjb_outline dented = gjb_outline_check((const double(*)[2])v, n, epsilon, &report);
            cr_expect(dented == GJB_OUTLINE_DENTED && report.vertex == i, "round %d: dent missed: %d", round,
                      dented);
        }
    }
}
