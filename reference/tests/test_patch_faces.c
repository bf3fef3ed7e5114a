/* Faces of the upper side of points against an enumeration of all triangles, on lattices with many ties. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "reference/patch/faces.h"

enum { MOST = 14 };
__extension__ typedef __int128 wide;

typedef struct cloud {
    int64_t at[MOST][3];
    uint32_t count;
} cloud;

static uint64_t state = 1;

static int64_t draw(int64_t most)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)(most + 1));
}

static wide turn(const cloud *c, uint32_t p, uint32_t q, uint32_t r)
{
    return (wide)(c->at[q][0] - c->at[p][0]) * (c->at[r][1] - c->at[p][1]) -
           (wide)(c->at[q][1] - c->at[p][1]) * (c->at[r][0] - c->at[p][0]);
}

static int above(const cloud *c, const uint32_t *v, uint32_t k)
{
    wide d[3][3];
    for (int m = 0; m < 3; m++) {
        d[0][m] = c->at[v[1]][m] - c->at[v[0]][m];
        d[1][m] = c->at[v[2]][m] - c->at[v[0]][m];
        d[2][m] = c->at[k][m] - c->at[v[0]][m];
    }
    const wide volume = d[2][0] * (d[0][1] * d[1][2] - d[0][2] * d[1][1]) +
                        d[2][1] * (d[0][2] * d[1][0] - d[0][0] * d[1][2]) +
                        d[2][2] * (d[0][0] * d[1][1] - d[0][1] * d[1][0]);
    return (volume > 0) - (volume < 0);
}

static bool is_face(const cloud *c, const uint32_t *v)
{
    if (turn(c, v[0], v[1], v[2]) <= 0)
        return false;
    for (uint32_t k = 0; k < c->count; k++)
        if (above(c, v, k) > 0)
            return false;
    return true;
}

static bool is_same(const cloud *c, const uint32_t *v, const uint32_t *w)
{
    return above(c, v, w[0]) == 0 && above(c, v, w[1]) == 0 && above(c, v, w[2]) == 0;
}

static uint32_t enumerate(const cloud *c, uint32_t found[][3])
{
    uint32_t count = 0, v[3];
    for (v[0] = 0; v[0] < c->count; v[0]++)
        for (v[1] = 0; v[1] < c->count; v[1]++)
            for (v[2] = 0; v[2] < c->count; v[2]++) {
                bool known = !is_face(c, v);
                for (uint32_t k = 0; k < count && !known; k++)
                    known = is_same(c, found[k], v);
                for (int m = 0; m < 3 && !known; m++)
                    found[count][m] = v[m];
                count += !known;
            }
    return count;
}

/* `factor` is any number > 0: no sign depends on it. */
static void check(const cloud *c, const char *factor)
{
    uint32_t expected[2 * MOST][3], count;
    const uint32_t wanted = enumerate(c, expected);
    if (wanted == 0)
        return; /* over one line */
    ref_vector3 at[MOST];
    mpz_t by;
    mpz_init_set_str(by, factor, 16);
    for (uint32_t k = 0; k < c->count; k++) {
        ref_vector3_init(&at[k]);
        for (int m = 0; m < 3; m++) {
            mpz_set_si(at[k].x[m], c->at[k][m]);
            mpz_mul(at[k].x[m], at[k].x[m], by);
        }
    }
    ref_upper_face *faces = ref_upper_faces(at, c->count, &count, NULL);
    cr_assert_eq(count, wanted, "%u faces of %u", count, wanted);
    for (uint32_t k = 0; k < count; k++) {
        cr_assert(is_face(c, faces[k].at));
        for (uint32_t m = 0; m < k; m++)
            cr_assert_not(is_same(c, faces[m].at, faces[k].at), "a face twice");
    }
    free(faces);
    for (uint32_t k = 0; k < c->count; k++)
        ref_vector3_clear(&at[k]);
    mpz_clear(by);
}

/* Points on one another, in rows over one another and along the border. */
Test(patch_faces, of_lattices)
{
    for (int round = 0; round < 4000; round++) {
        const int64_t wide = 1 + draw(3), high = draw(3);
        cloud c = {.count = 3 + (uint32_t)draw(MOST - 3)};
        for (uint32_t k = 0; k < c.count; k++)
            for (int m = 0; m < 3; m++)
                c.at[k][m] = draw(m < 2 ? wide : high);
        check(&c, round % 2 ? "1" : "3000000000000000000000000000000000000000000000000000000000000000000000001");
    }
}

/* In a plane but for single units: no double tells that. */
Test(patch_faces, of_nearly_one_plane)
{
    for (int round = 0; round < 2000; round++) {
        cloud c = {.count = 3 + (uint32_t)draw(MOST - 3)};
        for (uint32_t k = 0; k < c.count; k++) {
            c.at[k][0] = draw(6);
            c.at[k][1] = draw(6);
            c.at[k][2] = (c.at[k][0] * 3 - c.at[k][1]) * ((int64_t)1 << 57) + draw(2);
        }
        check(&c, "1");
    }
}

/* On a line from above but for single units. */
Test(patch_faces, of_nearly_one_line)
{
    for (int round = 0; round < 2000; round++) {
        cloud c = {.count = 3 + (uint32_t)draw(MOST - 3)};
        for (uint32_t k = 0; k < c.count; k++) {
            c.at[k][0] = draw(6) * ((int64_t)1 << 50);
            c.at[k][1] = c.at[k][0] / 2 + draw(1);
            c.at[k][2] = draw(3);
        }
        check(&c, "1");
    }
}
