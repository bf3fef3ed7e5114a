/* What `explain` keeps of a walk, what it draws of a pair, and the page around it. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "draw/solids.h"
#include "explain/explain_draw.h"
#include "explain/explain_page.h"
#include "reference/reference.h"
#include "reports/report.h"

static gjb_trace_vertex vertex(double x, double y, double z)
{
    return (gjb_trace_vertex){.w = {x, y, z}, .a = {x, y, z}};
}

Test(explain, a_walk_keeps_its_own_copies_and_numbers_vertices_as_they_are_met)
{
    walk w = {0};
    gjb_trace trace = walk_trace(&w);
    gjb_trace_vertex some[3] = {vertex(1, 0, 0), vertex(0, 1, 0), vertex(0, 0, 1)};
    uint32_t faces[1][3] = {{0, 1, UINT32_MAX}};
    trace.step(trace.user, &(gjb_trace_step){.method = "gjk",
                                             .text = "one",
                                             .has_support = 1,
                                             .support = some[1],
                                             .vertices = some + 1,
                                             .vertex_count = 1});
    trace.step(trace.user, &(gjb_trace_step){.method = "gjk",
                                             .text = "two",
                                             .vertices = some,
                                             .vertex_count = 3,
                                             .faces = (const uint32_t(*)[3])faces,
                                             .face_count = 1});
    memset(some, 0, sizeof some);
    memset(faces, 0, sizeof faces);
    cr_assert(w.count == 2 && w.met_count == 3 && !w.failed && !w.bare);
    cr_assert(w.steps[1].vertices[2].w[2] == 1 && w.steps[1].faces[0][2] == UINT32_MAX);
    const gjb_trace_vertex y = vertex(0, 1, 0), x = vertex(1, 0, 0), none = vertex(5, 0, 0);
    cr_assert(walk_number(&w, &y) == 0 && walk_number(&w, &x) == 1 && walk_number(&w, &none) == UINT32_MAX);
    walk_free(&w);
}

Test(explain, a_long_walk_keeps_its_ends)
{
    enum { FACES = 100000, STEPS = 80 }; /* 1.2 MB a step */
    uint32_t(*faces)[3] = calloc(FACES, sizeof *faces);
    gjb_trace_vertex only = vertex(1, 2, 3);
    walk w = {0};
    gjb_trace trace = walk_trace(&w);
    for (int k = 0; k < STEPS; k++)
        trace.step(trace.user, &(gjb_trace_step){.method = "epa",
                                                 .text = "",
                                                 .vertices = &only,
                                                 .vertex_count = 1,
                                                 .faces = (const uint32_t(*)[3])faces,
                                                 .face_count = FACES});
    cr_assert(w.count == STEPS && w.bare > 0 && w.bytes <= (size_t)66 << 20, "%zu bare, %zu bytes", w.bare,
              w.bytes);
    cr_assert(w.steps[0].face_count == FACES && w.steps[STEPS - 1].face_count == FACES);
    cr_assert(w.steps[STEPS - 2].face_count == 0 && w.steps[STEPS - 2].faces == NULL);
    walk_free(&w);
    free(faces);
}

/* The cube of half extent 1 about (0.25, 0, 0): its nearest faces prove 0.75; with one gone, nothing. */
Test(explain, a_polytope_proves_a_depth_only_when_it_is_closed)
{
    static const uint32_t cube[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                         {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    static const uint32_t square[4][3] = {
        {0, 1, UINT32_MAX}, {1, 3, UINT32_MAX}, {3, 2, UINT32_MAX}, {2, 0, UINT32_MAX}};
    gjb_trace_vertex corners[8];
    for (uint32_t i = 0; i < 8; i++)
        corners[i] = vertex(0.25 + gjb_box_corner(3, i, 0), gjb_box_corner(3, i, 1), gjb_box_corner(3, i, 2));
    for (int dim = 2; dim <= 3; dim++)
        for (uint32_t missing = 0; missing < 2; missing++)
            for (int moved = 0; moved < 2; moved++) {
                walk w = {0};
                gjb_trace trace = walk_trace(&w);
                gjb_trace_step step = {.method = "epa", .text = "", .vertices = corners};
                step.vertex_count = dim == 2 ? 4 : 8;
                step.faces = dim == 2 ? square : cube;
                step.face_count = (dim == 2 ? 4 : 12) - missing;
                for (uint32_t i = 0; i < 8; i++) {
                    corners[i].w[0] = 0.25 + gjb_box_corner(3, i, 0) + (moved ? 3 : 0);
                    corners[i].w[2] = dim == 2 ? 0 : gjb_box_corner(3, i, 2);
                }
                trace.step(trace.user, &step);
                double inner = walk_inner(&w);
                cr_assert(missing || moved ? isnan(inner) : inner == 0.75, "%dD, %u missing, moved %d: %g",
                          dim, missing, moved, inner);
                walk_free(&w);
            }
}

Test(explain, the_first_and_the_last_steps_are_told)
{
    int told = 0;
    for (size_t k = 0; k < 100; k++)
        told += explain_told(k, 100, 7);
    cr_assert(told == 7 && explain_told(3, 100, 7) && !explain_told(4, 100, 7) && explain_told(97, 100, 7));
    cr_assert(explain_told(0, 100, 1) && !explain_told(99, 100, 1) && explain_told(6, 7, 7));
}

static const double flat_a[3][2] = {{0, 1}, {1, -1}, {-1, -1}}, flat_b[3][2] = {{0, -1}, {1, 1}, {-1, 1}};

static gjb_pair tutorial(double radius)
{
    return (gjb_pair){.dim = 2,
                      .as.plane = {{GJB_POLYGON, 3, flat_a, radius, {0, 0, 1, 0}},
                                   {GJB_POLYGON, 3, flat_b, 0, {0, 0, 1, 0}}}};
}

static int has_point(const double (*p)[2], size_t n, double x, double y)
{
    for (size_t k = 0; k < n; k++)
        if (fabs(p[k][0] - x) < 1e-12 && fabs(p[k][1] - y) < 1e-12)
            return 1;
    return 0;
}

Test(explain, the_difference_of_the_tutorials_triangles)
{
    gjb_pair pair = tutorial(0.5);
    walk w = {0};
    stage s;
    gjb_error error = {{0}};
    cr_assert_eq(stage_open(&s, &pair, &w, &error), 0, "%s", error.text);
    const solid *d = &s.bodies[DIFFERENCE];
    const double(*outline)[2] = (const double(*)[2])d->outline;
    cr_assert(d->outline_count == 3 && !s.approximate && s.look.unit == 1);
    cr_assert(has_point(outline, 3, 0, 2) && has_point(outline, 3, 2, -2) && has_point(outline, 3, -2, -2));
    cr_assert(d->rounded_count > 100 && s.bodies[BODY_B].rounded_count == 0);
    for (size_t k = 0; k < d->rounded_count; k++) {
        double least = INFINITY;
        for (int v = 0; v < 3; v++)
            least = fmin(least, hypot(d->rounded[k][0] - outline[v][0], d->rounded[k][1] - outline[v][1]));
        cr_assert(fabs(least - 0.5) < 1e-9, "a rounded corner lies %g off", least);
    }
    stage_free(&s);
}

/* Two equal cubes: the difference is a cube of twice the size, of whose edges three are hidden. */
Test(explain, hidden_lines_of_a_cube)
{
    double corners[8][3];
    for (int i = 0; i < 8; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            corners[i][axis] = gjb_box_corner(3, (uint32_t)i, axis);
    const gjb_pose3d there = {0, 0, 0, 0, 0, 0, 1}, apart = {5, 1, 2, 0, 0, 0.6, 0.8};
    gjb_pair pair = {.dim = 3,
                     .as.space = {{GJB_BOX, 8, (const double(*)[3])corners, 0, there},
                                  {GJB_BOX, 8, (const double(*)[3])corners, 0, there}}};
    walk w = {0};
    stage s;
    gjb_error error = {{0}};
    for (int turned = 0; turned < 2; turned++) {
        pair.as.space.b.pose = turned ? apart : there;
        cr_assert_eq(stage_open(&s, &pair, &w, &error), 0, "%s", error.text);
        for (int b = 0; b < BODIES - turned; b++) {
            size_t hidden = s.bodies[b].hidden_count;
            cr_assert(s.bodies[b].edge_count == 12 && hidden == 3 &&
                          (b == DIFFERENCE || s.bodies[b].outline_count == 6),
                      "body %d: %zu edges, %zu hidden, an outline of %zu", b, s.bodies[b].edge_count, hidden,
                      s.bodies[b].outline_count);
        }
        double square = 0, dots = 0;
        for (int k = 0; k < 3; k++) {
            square += s.look.up[k] * s.look.up[k];
            dots += s.look.up[k] * s.look.right[k] + s.look.up[k] * s.look.toward[k] +
                    s.look.right[k] * s.look.toward[k];
        }
        cr_assert(fabs(square - 1) < 1e-12 && fabs(dots) < 1e-12 && s.look.up[2] > 0, "the view is no frame");
        stage_free(&s);
    }
}

/* What the reference met on its walk, independent of what is drawn. */
Test(explain, vertices_met_are_differences_drawn)
{
    static const double box[8][3] = {{-1, -2, -3}, {1, -2, -3}, {-1, 2, -3}, {1, 2, -3},
                                     {-1, -2, 3},  {1, -2, 3},  {-1, 2, 3},  {1, 2, 3}};
    gjb_pair pairs[2] = {tutorial(0.25)};
    pairs[0].as.plane.a.pose = (gjb_pose2d){3, -1, 0.8, 0.6};
    pairs[0].as.plane.b.pose = (gjb_pose2d){3.5, -1.25, -0.6, 0.8};
    pairs[1] = (gjb_pair){.dim = 3,
                          .as.space = {{GJB_BOX, 8, box, 0, {4, 5, 6, 0.5, -0.1, 0.7, 0.5}},
                                       {GJB_BOX, 8, box, 0, {5, 7, 6.5, -0.3, 0.4, 0.1, 0.85}}}};
    for (int k = 0; k < 2; k++) {
        walk w = {0};
        stage s;
        gjb_error error = {{0}};
        const gjb_trace trace = walk_trace(&w);
        if (k == 0)
            ref_signed_distance2_traced(&pairs[k].as.plane, &trace);
        else
            ref_signed_distance3_traced(&pairs[k].as.space, NULL, &trace);
        cr_assert(w.met_count >= 3);
        cr_assert_eq(stage_open(&s, &pairs[k], &w, &error), 0, "%s", error.text);
        for (uint32_t m = 0; m < w.met_count; m++)
            for (int body = 0; body < BODIES; body++) {
                const double *at = body == BODY_A ? w.met[m].a : body == BODY_B ? w.met[m].b : w.met[m].w;
                double least = INFINITY;
                for (size_t p = 0; p < s.bodies[body].count; p++) {
                    const double *q = s.bodies[body].points[p];
                    least = fmin(least, fabs(q[0] - at[0]) + fabs(q[1] - at[1]) + fabs(q[2] - at[2]));
                }
                cr_assert(least < 1e-13, "%dD: w%u of body %d is %g off what is drawn", k + 2, m + 1, body,
                          least);
            }
        stage_free(&s);
        walk_free(&w);
    }
}

/* Beyond what can be paired off: the outline of many supports is still right to a small part of the size. */
Test(explain, the_difference_of_large_shapes)
{
    enum { N = 1000 };
    static double round[N][2];
    for (int k = 0; k < N; k++) {
        round[k][0] = cos(k * 6.28318530717959 / N);
        round[k][1] = sin(k * 6.28318530717959 / N);
    }
    gjb_pair pair = {.dim = 2,
                     .as.plane = {{GJB_POLYGON, N, (const double(*)[2])round, 0, {7, 7, 1, 0}},
                                  {GJB_POLYGON, N, (const double(*)[2])round, 0, {8, 7, 1, 0}}}};
    walk w = {0};
    stage s;
    gjb_error error = {{0}};
    cr_assert_eq(stage_open(&s, &pair, &w, &error), 0, "%s", error.text);
    cr_assert(s.approximate && s.bodies[DIFFERENCE].outline_count > 200 &&
              s.bodies[DIFFERENCE].outline_count < 1000);
    for (size_t k = 0; k < s.bodies[DIFFERENCE].outline_count; k++) {
        const double *at = s.bodies[DIFFERENCE].outline[k];
        cr_assert(fabs(hypot(at[0] + 1, at[1]) - 2) < 1e-4);
    }
    stage_free(&s);
}

Test(explain, extreme_sizes_are_drawn_in_units_of_their_own)
{
    static const double tiny[3][2] = {{0, 1e-200}, {1e-200, -1e-200}, {-1e-200, -1e-200}};
    gjb_pair pair = tutorial(0);
    pair.as.plane.a.vertices = pair.as.plane.b.vertices = tiny;
    walk w = {0};
    stage s;
    gjb_error error = {{0}};
    cr_assert_eq(stage_open(&s, &pair, &w, &error), 0, "%s", error.text);
    cr_assert(s.look.unit > 0 && s.look.unit < 1e-198);
    for (size_t k = 0; k < s.bodies[DIFFERENCE].outline_count; k++)
        cr_assert(fabs(s.bodies[DIFFERENCE].outline[k][0]) < 20);
    stage_free(&s);
}

/* A method that fails may search along nothing and find nothing: gnuplot is not told so. */
Test(explain, what_is_no_number_is_not_drawn)
{
    gjb_pair pair = tutorial(0);
    walk w = {0};
    gjb_trace trace = walk_trace(&w);
    gjb_trace_vertex lost = vertex(NAN, INFINITY, 0);
    static const uint32_t edge[1][3] = {{0, 0, UINT32_MAX}};
    trace.step(trace.user, &(gjb_trace_step){.method = "epa",
                                             .text = "",
                                             .has_direction = 1,
                                             .has_support = 1,
                                             .support = lost,
                                             .vertices = &lost,
                                             .vertex_count = 1,
                                             .faces = edge,
                                             .face_count = 1,
                                             .feature = {0, 0},
                                             .feature_count = 2,
                                             .has_closest = 1,
                                             .closest = {NAN, NAN, NAN}});
    explained e = {.pair = &pair,
                   .title = "",
                   .note = "",
                   .walk = &w,
                   .most = 5,
                   .has_vectors = 1,
                   .sigma = -1,
                   .normal = {NAN, NAN, NAN},
                   .point_a = {NAN, 0, 0}};
    stage s;
    gjb_error error = {{0}};
    text script = {0};
    cr_assert_eq(stage_open(&s, &pair, &w, &error), 0, "%s", error.text);
    explain_draw_step(&e, &s, 0, &script);
    explain_draw_answer(&e, &s, &script);
    cr_assert(script.s && !script.failed && strstr(script.s, "unset multiplot"));
    for (const char *at = script.s; (at = strstr(at, "nan")) != NULL; at++)
        cr_assert(0, "the script says: %.60s", at - 20);
    cr_assert(!strstr(script.s, "inf"));
    text_free(&script);
    stage_free(&s);
    walk_free(&w);
}

/* A triangle of which a textbook method lost two corners, and one between numbers. */
Test(explain, the_hull_of_what_is_no_number)
{
    double p[6][2] = {{NAN, 0}, {0, 0}, {1, INFINITY}, {2, 0}, {-NAN, NAN}, {1, 1}};
    double lost[4][2] = {{NAN, NAN}, {0, NAN}, {NAN, 1}, {1, -INFINITY}};
    cr_assert_eq(hull_of_drawn(p, 6), 3);
    cr_assert(has_point((const double(*)[2])p, 3, 0, 0) && has_point((const double(*)[2])p, 3, 2, 0) &&
              has_point((const double(*)[2])p, 3, 1, 1));
    cr_assert_eq(hull_of_drawn(lost, 4), 0);
}

/* Names come from files. */
Test(explain, a_hostile_name_stays_text)
{
    char folder[] = "/tmp/gjkbench-explain-XXXXXX", path[96];
    cr_assert(mkdtemp(folder) != NULL);
    setenv("GJKBENCH_GNUPLOT", "/nonexistent/gnuplot", 1);
    gjb_pair pair = tutorial(0);
    walk w = {0};
    gjb_trace trace = walk_trace(&w);
    trace.step(trace.user, &(gjb_trace_step){.method = "gjk", .text = "a < b"});
    explained e = {
        .pair = &pair, .title = "<script>alert('x')</script>", .note = "\"&<b>", .walk = &w, .most = 5};
    explain_add(&e.proof, "verdict", "%s", "<i>right</i>");
    gjb_error error = {{0}};
    cr_assert_eq(gjb_explain_write(&e, folder, &error), GJB_REPORT_UNDRAWN);
    cr_assert(strstr(error.text, "gnuplot not found") != NULL);
    snprintf(path, sizeof path, "%s/index.html", folder);
    FILE *file = fopen(path, "r");
    cr_assert(file != NULL);
    static char page[1 << 16];
    size_t size = fread(page, 1, sizeof page - 1, file);
    page[size] = '\0';
    fclose(file);
    cr_assert(!strstr(page, "<script") && !strstr(page, "<i>right") && strstr(page, "&lt;i&gt;right"));
    cr_assert(strstr(page, "A &lt; b.") && strstr(page, "</html>"));
    remove(path);
    rmdir(folder);
    walk_free(&w);
}
