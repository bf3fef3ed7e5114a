/* Small grids: pairs are each there once, as many as orbits are counted, of valid shapes, evenly spread by number. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "scenes/generate/grid.h"

/* Small enough to list everything, and the two that ship. */
static const gjb_grid_row rows[] = {{"line", 2, 1, 1, 4}, {"tiny", 2, 2, 1, 4},  {"small", 2, 3, 1, 3},
                                    {"cube", 3, 2, 3, 3}, {"cubes", 3, 2, 3, 4}, {"grid2", 2, 4, 1, 4},
                                    {"grid3", 3, 3, 3, 4}};
enum { ROWS = sizeof rows / sizeof *rows, LISTED = 4, SHIPPED = ROWS - 2, CORNERS = GJB_GRID_CORNERS };

/* ---- a second count: Burnside's lemma over pairs, with nothing of the grid's own code ---- */

typedef struct list { /* corners, sorted, their least coordinates 0 */
    int count, at[CORNERS][3];
} list;

static int by_place(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(int)); /* of no meaning, but the same for the same */
}

static void tidy(list *l)
{
    for (int k = 0; k < 3; k++) {
        int low = l->at[0][k];
        for (int i = 1; i < l->count; i++)
            low = l->at[i][k] < low ? l->at[i][k] : low;
        for (int i = 0; i < l->count; i++)
            l->at[i][k] -= low;
    }
    qsort(l->at, (size_t)l->count, sizeof *l->at, by_place);
}

static int extent(const list *l, int k)
{
    int most = 0;
    for (int i = 0; i < l->count; i++)
        most = l->at[i][k] > most ? l->at[i][k] : most;
    return most;
}

/* A signed permutation of the axes: one of 8, or of 48. */
typedef struct turn {
    int axis[3], sign[3];
} turn;

static int turns_of(int dim, turn *turns)
{
    int count = 0;
    for (int code = 0; code < 27 * 8; code++) {
        const turn t = {{code % 3, code / 3 % 3, code / 9 % 3},
                        {code / 27 & 1 ? -1 : 1, code / 27 & 2 ? -1 : 1, code / 27 & 4 ? -1 : 1}};
        const int permutes = t.axis[0] != t.axis[1] && t.axis[0] != t.axis[2] && t.axis[1] != t.axis[2];
        if (permutes && (dim == 3 || (t.axis[2] == 2 && t.sign[2] == 1)))
            turns[count++] = t;
    }
    return count;
}

static list turned(const list *l, const turn *t)
{
    list image = {.count = l->count};
    for (int i = 0; i < l->count && i < CORNERS; i++)
        for (int k = 0; k < 3; k++)
            image.at[i][k] = t->sign[k] * l->at[i][t->axis[k]];
    tidy(&image);
    return image;
}

static int same(const list *a, const list *b)
{
    return a->count == b->count && !memcmp(a->at, b->at, (size_t)a->count * sizeof *a->at);
}

static int side_of(const int p[3], const int q[3], const int r[3])
{
    const int area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    return (area > 0) - (area < 0);
}

/* In the plane: is one of four corners inside the triangle of the others? */
static int has_inner(const list *l)
{
    for (int i = 0; i < l->count && l->count == 4; i++) {
        const int *p = l->at[i], *a = l->at[(i + 1) % 4], *b = l->at[(i + 2) % 4], *c = l->at[(i + 3) % 4];
        if (side_of(a, b, p) && side_of(a, b, p) == side_of(b, c, p) && side_of(b, c, p) == side_of(c, a, p))
            return 1;
    }
    return 0;
}

/* All lists of a grid, each once. Returns how many; the caller frees them. */
static size_t lists_of(const gjb_grid_row *row, list **all)
{
    const int side = (int)row->side, points = row->dim == 2 ? side * side : side * side * side;
    size_t count = 0;
    *all = calloc(1u << 16, sizeof **all);
    for (uint32_t corners = row->least; corners <= row->most && corners <= CORNERS; corners++) {
        int number[CORNERS + 1] = {0};
        while (number[corners] == 0) {
            list l = {.count = (int)corners};
            int least = 1, sorted = 1;
            for (uint32_t i = 0; i < corners && i < CORNERS; i++) {
                const int n = number[i], at[3] = {n % side, n / side % side, n / side / side};
                memcpy(l.at[i], at, sizeof at);
                sorted &= i == 0 || number[i - 1] <= n;
            }
            const list before = l;
            tidy(&l);
            for (int k = 0; k < 3; k++)
                least &= extent(&before, k) == extent(&l, k); /* not moved */
            if (least && sorted && (row->dim == 3 || !has_inner(&l)))
                (*all)[count++] = l;
            for (uint32_t i = 0;
                 i <= corners && (number[i] = (number[i] + 1) % (i < corners ? points : 2)) == 0; i++)
                ;
        }
    }
    return count;
}

/* Places of one bounding box against another, by halves, that a turn leaves alone: about the other's centre, and in
 * quarters, they are all within reach. */
static uint64_t places(const turn *t, int exchange, const int reach[3])
{
    uint64_t count = 0;
    int c[3];
    for (c[0] = -reach[0]; c[0] <= reach[0]; c[0]++)
        for (c[1] = -reach[1]; c[1] <= reach[1]; c[1]++)
            for (c[2] = -reach[2]; c[2] <= reach[2]; c[2]++) {
                int left = 1;
                for (int k = 0; k < 3; k++)
                    left &= (exchange ? -1 : 1) * t->sign[k] * c[t->axis[k]] == c[k];
                count += (uint64_t)left;
            }
    return count;
}

/* Pairs that a turn leaves alone: both lists are. */
static uint64_t kept(const turn *t, const list *all, size_t count)
{
    uint64_t of[4][4][4] = {{{0}}}, sum = 0; /* lists by their extents */
    for (size_t i = 0; i < count; i++) {
        const list image = turned(&all[i], t);
        if (same(&image, &all[i]))
            of[extent(&image, 0)][extent(&image, 1)][extent(&image, 2)]++;
    }
    for (int a = 0; a < 64; a++)
        for (int b = 0; b < 64; b++) {
            const uint64_t both = of[a / 16][a / 4 % 4][a % 4] * of[b / 16][b / 4 % 4][b % 4];
            const int reach[3] = {a / 16 + b / 16, a / 4 % 4 + b / 4 % 4, a % 4 + b % 4};
            sum += both ? both * places(t, 0, reach) : 0;
        }
    return sum;
}

/* Pairs that a turn exchanges: B is the image of A, and A that of B. */
static uint64_t exchanged(const turn *t, const list *all, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const list other = turned(&all[i], t), again = turned(&other, t);
        int reach[3];
        for (int k = 0; k < 3; k++)
            reach[k] = extent(&all[i], k) + extent(&other, k);
        if (same(&again, &all[i]))
            sum += places(t, 1, reach);
    }
    return sum;
}

static uint64_t orbits(const gjb_grid_row *row)
{
    turn turns[48];
    list *all;
    const int count = turns_of((int)row->dim, turns);
    const size_t lists = lists_of(row, &all);
    uint64_t sum = 0;
    cr_assert_eq(count, row->dim == 2 ? 8 : 48);
    for (int i = 0; i < count; i++)
        sum += kept(&turns[i], all, lists) + exchanged(&turns[i], all, lists);
    free(all);
    cr_assert_eq(sum % (uint64_t)(2 * count), 0);
    return sum / (uint64_t)(2 * count);
}

Test(grid, pairs_are_as_many_as_orbits)
{
    for (size_t r = 0; r < ROWS; r++) {
        gjb_grid *grid = gjb_grid_open(&rows[r]);
        const uint64_t count = orbits(&rows[r]);
        cr_assert(grid != NULL);
        cr_assert_eq(gjb_grid_pairs(grid), count, "%s: %llu pairs, %llu orbits", rows[r].name,
                     (unsigned long long)gjb_grid_pairs(grid), (unsigned long long)count);
        gjb_grid_close(grid);
    }
}

/* What docs/grids.md says. */
Test(grid, those_that_ship_have_so_many_pairs)
{
    static const uint64_t pairs[] = {22006441, 1056288435};
    cr_assert_eq(gjb_grid_count, 2u);
    for (size_t i = 0; i < gjb_grid_count; i++) {
        gjb_grid *grid = gjb_grid_open(&gjb_grids[i]);
        cr_assert_eq(gjb_grid_pairs(grid), pairs[i], "%s", gjb_grids[i].name);
        cr_assert_eq(gjb_grid_find(gjb_grids[i].name), &gjb_grids[i]);
        cr_assert(!memcmp(&rows[SHIPPED + i].dim, &gjb_grids[i].dim, 4 * sizeof(uint32_t)));
        gjb_grid_close(grid);
    }
    cr_assert_null(gjb_grid_find("grid"));
}

/* ---- pairs themselves ---- */

enum { NUMBERS = 2 * (1 + 3 * CORNERS) };

typedef struct form {
    signed char number[NUMBERS];
} form;

static int by_form(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(form));
}

/* Corners in halves where they are, moved so that the least of each coordinate is 0. */
static form write(list pair[2])
{
    form f = {{0}};
    int low[3] = {1000, 1000, 1000}, at = 0;
    for (int i = 0; i < 2 * CORNERS; i++)
        for (int k = 0; k < 3 && i % CORNERS < pair[i / CORNERS].count; k++) {
            const int x = pair[i / CORNERS].at[i % CORNERS][k];
            low[k] = x < low[k] ? x : low[k];
        }
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < pair[side].count; i++)
            for (int k = 0; k < 3; k++)
                pair[side].at[i][k] -= low[k];
        qsort(pair[side].at, (size_t)pair[side].count, sizeof *pair[side].at, by_place);
        f.number[at++] = (signed char)pair[side].count;
        for (int i = 0; i < 3 * CORNERS; i++, at++)
            f.number[at] = (signed char)(i < 3 * pair[side].count ? pair[side].at[i / 3][i % 3] : 0);
    }
    return f;
}

/* The least of all that symmetries and an exchange make of a pair. */
static form least_form(const gjb_grid_pair *pair, const turn *turns, int count)
{
    form least = {{0}};
    for (int i = 0; i < 2 * count; i++) {
        list both[2];
        for (int side = 0; side < 2; side++) {
            const gjb_grid_shape *shape = pair->shape[side];
            list *l = &both[side ^ (i & 1)];
            *l = (list){.count = (int)shape->count};
            for (int c = 0; c < l->count; c++)
                for (int k = 0; k < 3; k++) {
                    const int axis = turns[i / 2].axis[k];
                    l->at[c][k] =
                        turns[i / 2].sign[k] * (2 * shape->corner[c][axis] + (side ? pair->offset[axis] : 0));
                }
        }
        const form f = write(both);
        if (i == 0 || by_form(&f, &least) < 0)
            least = f;
    }
    return least;
}

static int boxes_meet(const gjb_grid_pair *pair)
{
    for (int k = 0; k < 3; k++)
        if (pair->offset[k] > 2 * pair->shape[0]->extent[k] ||
            -pair->offset[k] > 2 * pair->shape[1]->extent[k])
            return 0;
    return 1;
}

/* With the count of orbits: each is there once. */
Test(grid, no_pair_is_there_twice)
{
    for (size_t r = 0; r < LISTED; r++) {
        gjb_grid *grid = gjb_grid_open(&rows[r]);
        const uint64_t pairs = gjb_grid_pairs(grid);
        form *forms = calloc(pairs, sizeof *forms);
        turn turns[48];
        const int count = turns_of((int)rows[r].dim, turns);
        for (uint64_t i = 0; i < pairs; i++) {
            gjb_grid_pair pair;
            gjb_grid_pair_at(grid, i, &pair);
            cr_assert(boxes_meet(&pair), "%s: pair %llu", rows[r].name, (unsigned long long)i);
            forms[i] = least_form(&pair, turns, count);
        }
        qsort(forms, pairs, sizeof *forms, by_form);
        for (uint64_t i = 1; i < pairs; i++)
            cr_assert(by_form(&forms[i - 1], &forms[i]), "%s: a pair twice", rows[r].name);
        free(forms);
        gjb_grid_close(grid);
    }
}

/* ---- numbers ---- */

/* Shares of pairs, of 16 shards dealt by chunks of 1024 as `verify` does. */
Test(grid, shards_have_the_same_of_everything)
{
    enum { CHUNK = 1024, SHARDS = 16, CHUNKS = 20 };
    for (size_t r = SHIPPED; r < ROWS; r++) {
        gjb_grid *grid = gjb_grid_open(&rows[r]);
        double most[3] = {0}, least[3] = {1, 1, 1};
        for (uint64_t shard = 0; shard < SHARDS; shard++) {
            uint64_t found[3] = {0};
            for (uint64_t i = 0; i < CHUNKS * CHUNK; i++) {
                gjb_grid_pair pair;
                gjb_grid_pair_at(grid, (i / CHUNK * SHARDS + shard) * CHUNK + i % CHUNK, &pair);
                found[0] += pair.shape[0]->count == 4;
                found[1] += pair.shape[1]->extent[1] == (int)rows[r].side - 1;
                found[2] += pair.offset[0] % 2 == 0;
            }
            for (int f = 0; f < 3; f++) {
                const double share = (double)found[f] / (CHUNKS * CHUNK);
                most[f] = share > most[f] ? share : most[f];
                least[f] = share < least[f] ? share : least[f];
            }
        }
        for (int f = 0; f < 3; f++)
            cr_assert(most[f] - least[f] < 0.02 && least[f] > 0.1, "%s: share %d from %g to %g", rows[r].name,
                      f, least[f], most[f]);
        gjb_grid_close(grid);
    }
}

Test(grid, scenes_are_valid_and_the_same_in_both_precisions)
{
    for (size_t r = SHIPPED; r < ROWS; r++) {
        gjb_grid *grid = gjb_grid_open(&rows[r]);
        gjb_error error = {{0}};
        gjb_scene *narrow = gjb_grid_scene(grid, GJB_F32, 5000, 4000, &error);
        gjb_scene *wide = gjb_grid_scene(grid, GJB_F64, 5000, 4000, &error);
        cr_assert(narrow && wide, "%s", error.text);
        char *before = gjb_scene_text(wide);
        cr_assert(!gjb_scene_check(wide, rows[r].name, &error), "%s", error.text);
        char *after = gjb_scene_text(wide); /* nothing was turned around */
        cr_assert_str_eq(before, after);
        gjb_scene *widened = gjb_scene_convert(narrow, GJB_F64);
        char *same = gjb_scene_text(widened);
        cr_assert_str_eq(same, after);
        free(before);
        free(after);
        free(same);
        gjb_scene_free(narrow);
        gjb_scene_free(wide);
        gjb_scene_free(widened);
        cr_assert_null(gjb_grid_scene(grid, GJB_F32, gjb_grid_pairs(grid) - 3, 4, &error));
        cr_assert(strstr(error.text, "4 pairs from"), "%s", error.text);
        gjb_grid_close(grid);
    }
}
