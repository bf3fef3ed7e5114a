/* A picture of contacts: each has its separation next to it, readable also if several lie on one another. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reports/figures/find_draw.h"

static const double square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
static const double tetrahedron[4][3] = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}, {0, 0, 1}};

static gjb_pair pair_of(uint32_t dim)
{
    gjb_pair pair = {.dim = dim};
    if (dim == 2) {
        pair.as.plane.a =
            (gjb_body2){.kind = GJB_POLYGON, .count = 4, .vertices = square, .pose = {0, 0, 1, 0}};
        pair.as.plane.b =
            (gjb_body2){.kind = GJB_POLYGON, .count = 4, .vertices = square, .pose = {1.5, 0, 1, 0}};
        return pair;
    }
    pair.as.space.a = (gjb_body3){.kind = GJB_HULL, .count = 4, .vertices = tetrahedron, .pose = {.qw = 1}};
    pair.as.space.b = pair.as.space.a;
    pair.as.space.b.pose.z = 0.5;
    return pair;
}

static char *drawn(const gjb_find_picture *picture)
{
    char path[] = P_tmpdir "/gjb-find-draw-XXXXXX";
    gjb_error error = {{0}};
    const int made = mkstemp(path);
    cr_assert(made >= 0);
    close(made);
    cr_assert_eq(gjb_find_draw(picture, path, &error), 0, "%s", error.text);
    char *text = calloc(1, 1 << 20);
    FILE *f = fopen(path, "r");
    cr_assert(f && text && fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    unlink(path);
    return text;
}

/* Where each label is, by what a digit of this size takes. Returns how many. */
static size_t labels(const char *svg, double low[8][2], double high[8][2])
{
    size_t count = 0;
    for (const char *at = svg; (at = strstr(at, "<text x=\"")) != NULL; at++) {
        double x, y;
        char separation[32];
        if (sscanf(at, "<text x=\"%lf\" y=\"%lf\" font-size=\"10\" %*[^>]>%31[^<]", &x, &y, separation) != 3)
            continue;
        cr_assert_lt(count, 8);
        low[count][0] = x, low[count][1] = y - 8;
        high[count][0] = x + 5.6 * (double)strlen(separation), high[count][1] = y;
        count++;
    }
    return count;
}

/* All at one point, all seen at one point, and at places of their own. */
Test(find_draw, labels_of_contacts_are_clear_of_one_another)
{
    for (uint32_t dim = 2; dim <= 3; dim++)
        for (int way = 0; way < 3; way++) {
            const gjb_pair pair = pair_of(dim);
            gjb_result answer = {.status = GJB_OVERLAPPING, .count = dim == 2 ? 2 : 4, .normal = {0, 0, 1}};
            for (uint32_t i = 0; i < answer.count; i++) {
                gjb_contact3d *c = &answer.contact[i];
                const double off = way == 2 ? 0.3 * i : 0, deep = way == 1 && dim == 3 ? 0.1 * i : 0;
                memcpy(c->point_a, (double[3]){0.5 + off + deep, 0.1 + 2 * deep, deep}, sizeof c->point_a);
                memcpy(c->point_b, c->point_a, sizeof c->point_b);
                c->separation = -1.2345e-5 * (i + 1);
            }
            const gjb_find_picture picture = {.pair = &pair, .line = "what is wrong", .answer = &answer};
            char *svg = drawn(&picture);
            double low[8][2], high[8][2];
            cr_expect_eq(labels(svg, low, high), answer.count);
            for (uint32_t i = 0; i < answer.count; i++)
                for (uint32_t j = 0; j < i; j++)
                    cr_expect(low[i][0] > high[j][0] || high[i][0] < low[j][0] || low[i][1] > high[j][1] ||
                                  high[i][1] < low[j][1],
                              "%uD, way %d: labels %u and %u overlap", dim, way, i, j);
            cr_expect(strstr(svg, "normal and contact points: ") && !strstr(svg, "witness"));
            free(svg);
        }
}

Test(find_draw, one_pair_of_points_is_witnesses)
{
    const gjb_pair pair = pair_of(2);
    const gjb_result answer = {
        .status = GJB_OVERLAPPING, .value = -0.5, .normal = {1, 0}, .point_a = {1, 0}, .point_b = {0.5, 0}};
    const gjb_find_picture picture = {.pair = &pair, .line = "what is wrong", .answer = &answer};
    char *svg = drawn(&picture);
    cr_expect(strstr(svg, "normal and witness points: ") != NULL);
    free(svg);
}
