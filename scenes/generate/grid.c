/* Enumerates the pairs of a small grid up to symmetry, and makes scenes of them by number. */
#include "scenes/generate/grid.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/query.h"

const gjb_grid_row gjb_grids[] = {{"grid2", 2, 4, 1, 4}, {"grid3", 3, 3, 3, 4}};
const size_t gjb_grid_count = sizeof gjb_grids / sizeof *gjb_grids;

const gjb_family gjb_grid_family = {.name = "exhaustive",
                                    .about = "every pair of a small grid of integers, up to symmetry",
                                    .dims = 1u << 2 | 1u << 3,
                                    .degenerate = 1,
                                    .touching = 1,
                                    .own_shapes = 1,
                                    .moving = GJB_AT_REST,
                                    .scale = 1};

enum { SYMMETRIES_MAX = 48, POINTS_MAX = 27, NONE = UINT16_MAX };

/* Coordinate k of the image is coordinate axis[k], from the other end of its range if flip[k]. */
typedef struct symmetry {
    uint8_t axis[3], flip[3];
} symmetry;

/* With the first shape of a block, a second one, at every offset that no symmetry of both takes to a lesser one. */
typedef struct entry {
    uint32_t before; /* pairs of the block's earlier entries */
    uint16_t second;
} entry;

typedef struct block {
    uint64_t before;     /* pairs of earlier blocks */
    size_t entry, count; /* its entries */
    uint16_t first;
} block;

struct gjb_grid {
    const gjb_grid_row *row;
    symmetry symmetries[SYMMETRIES_MAX];
    uint32_t symmetry_count;
    gjb_grid_shape *shapes;
    uint32_t shape_count;
    uint16_t *image; /* [symmetry][shape] */
    uint16_t *least; /* [shape] of its images */
    uint16_t *of_code;
    entry *entries;
    size_t entry_count, entry_room;
    block *blocks; /* one for each shape that is the least of its images */
    size_t block_count;
    uint64_t pairs, stride; /* stride: prime to pairs */
};

const gjb_grid_row *gjb_grid_find(const char *name)
{
    for (size_t i = 0; i < gjb_grid_count; i++)
        if (!strcmp(gjb_grids[i].name, name))
            return &gjb_grids[i];
    return NULL;
}

/* ---- shapes ---- */

static uint32_t power(uint32_t base, uint32_t exponent)
{
    return exponent ? base * power(base, exponent - 1) : 1;
}

static void point_at(const gjb_grid_row *row, uint32_t number, int8_t point[3])
{
    for (uint32_t k = 0; k < 3; k++, number /= row->side)
        point[k] = k < row->dim ? (int8_t)(number % row->side) : 0;
}

static uint32_t number_of(const gjb_grid_row *row, const int8_t point[3])
{
    uint32_t number = 0;
    for (uint32_t k = row->dim; k-- > 0;)
        number = number * row->side + (uint32_t)point[k];
    return number;
}

/* Of the corners in any order; distinct for distinct lists. */
static uint32_t code_of(const gjb_grid_row *row, const gjb_grid_shape *shape)
{
    uint32_t numbers[GJB_GRID_CORNERS], code = 0;
    for (uint32_t i = 0; i < shape->count; i++) {
        const uint32_t number = number_of(row, shape->corner[i]);
        uint32_t at = i;
        for (; at > 0 && numbers[at - 1] > number; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
    for (uint32_t i = 0; i < shape->count; i++)
        code = code * (power(row->side, row->dim) + 1) + numbers[i] + 1;
    return code;
}

/* Twice the area of a triangle, positive if it turns left. */
static int turn(const int8_t *p, const int8_t *q, const int8_t *r)
{
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

/* Puts corners in the order of the outline, counter-clockwise. They come sorted by coordinates: those on the right of
 * the way from the first to the last stay so, the others follow backwards. */
static void order_outline(gjb_grid_shape *shape)
{
    const gjb_grid_shape sorted = *shape;
    const int8_t *first = sorted.corner[0], *last = sorted.corner[sorted.count - 1];
    int right = 0;
    for (uint32_t i = 0; i < sorted.count; i++)
        right |= turn(first, last, sorted.corner[i]) < 0;
    uint32_t front = 0, back = sorted.count;
    for (uint32_t i = 0; i < sorted.count; i++) {
        const int side = turn(first, last, sorted.corner[i]);
        const uint32_t place = i == 0 || side < 0 || (side == 0 && !right) ? front++ : --back;
        memcpy(shape->corner[place], sorted.corner[i], sizeof sorted.corner[i]);
    }
}

static int is_outline(const gjb_grid_shape *shape)
{
    for (uint32_t i = 0; i < shape->count; i++)
        for (uint32_t j = 0; j < shape->count; j++)
            if (turn(shape->corner[i], shape->corner[(i + 1) % shape->count], shape->corner[j]) < 0)
                return 0;
    return 1;
}

/* Of corners by number; 0 if they are no shape of the grid that stands for its translations. */
static int make_shape(const gjb_grid_row *row, const uint32_t *numbers, uint32_t count, gjb_grid_shape *shape)
{
    int8_t low[3] = {INT8_MAX, INT8_MAX, INT8_MAX};
    *shape = (gjb_grid_shape){.count = count};
    for (uint32_t i = 0; i < count; i++) {
        point_at(row, numbers[i], shape->corner[i]);
        for (uint32_t k = 0; k < 3; k++) {
            const int8_t x = shape->corner[i][k];
            low[k] = x < low[k] ? x : low[k];
            shape->extent[k] = x > shape->extent[k] ? x : shape->extent[k];
        }
    }
    if (low[0] || low[1] || low[2])
        return 0;
    if (row->dim == 3)
        return 1;
    order_outline(shape);
    return is_outline(shape);
}

/* The next list of numbers that do not decrease; 0 after the last. */
static int next_list(uint32_t *numbers, uint32_t count, uint32_t below)
{
    uint32_t at = count;
    while (at > 0 && numbers[at - 1] + 1 == below)
        at--;
    if (at == 0)
        return 0;
    const uint32_t value = numbers[at - 1] + 1;
    for (uint32_t i = at - 1; i < count; i++)
        numbers[i] = value;
    return 1;
}

/* Counts the shapes, and keeps them if there is room for them. */
static void list_shapes(gjb_grid *grid)
{
    const gjb_grid_row *row = grid->row;
    const uint32_t points = power(row->side, row->dim);
    grid->shape_count = 0;
    for (uint32_t count = row->least; count <= row->most; count++) {
        uint32_t numbers[GJB_GRID_CORNERS] = {0};
        gjb_grid_shape shape;
        do {
            if (!make_shape(row, numbers, count, &shape))
                continue;
            if (grid->shapes) {
                grid->shapes[grid->shape_count] = shape;
                grid->of_code[code_of(row, &shape)] = (uint16_t)grid->shape_count;
            }
            grid->shape_count++;
        } while (next_list(numbers, count, points));
    }
}

static int make_shapes(gjb_grid *grid)
{
    list_shapes(grid);
    grid->shapes = calloc(grid->shape_count, sizeof *grid->shapes);
    grid->of_code =
        calloc(power(power(grid->row->side, grid->row->dim) + 1, grid->row->most), sizeof *grid->of_code);
    if (!grid->shapes || !grid->of_code)
        return -1;
    list_shapes(grid);
    return 0;
}

/* ---- symmetries ---- */

static void list_symmetries(gjb_grid *grid)
{
    static const uint8_t orders[][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const uint32_t order_count = grid->row->dim == 2 ? 2 : 6;
    for (uint32_t o = 0; o < order_count; o++)
        for (uint32_t flips = 0; flips < 1u << grid->row->dim; flips++) {
            symmetry *s = &grid->symmetries[grid->symmetry_count++];
            memcpy(s->axis, orders[o], sizeof s->axis);
            for (uint32_t k = 0; k < 3; k++)
                s->flip[k] = flips >> k & 1u;
        }
}

static uint32_t image_of(const gjb_grid *grid, const symmetry *s, uint32_t of)
{
    const gjb_grid_shape *shape = &grid->shapes[of];
    gjb_grid_shape image = {.count = shape->count};
    for (uint32_t i = 0; i < shape->count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const int8_t x = shape->corner[i][s->axis[k]];
            image.corner[i][k] = s->flip[k] ? (int8_t)(shape->extent[s->axis[k]] - x) : x;
        }
    return grid->of_code[code_of(grid->row, &image)];
}

static int make_images(gjb_grid *grid)
{
    list_symmetries(grid);
    grid->image = calloc((size_t)grid->symmetry_count * grid->shape_count, sizeof *grid->image);
    grid->least = calloc(grid->shape_count, sizeof *grid->least);
    if (!grid->image || !grid->least)
        return -1;
    for (uint32_t i = 0; i < grid->shape_count; i++) {
        grid->least[i] = NONE;
        for (uint32_t s = 0; s < grid->symmetry_count; s++) {
            const uint16_t image = (uint16_t)image_of(grid, &grid->symmetries[s], i);
            grid->image[s * grid->shape_count + i] = image;
            grid->least[i] = image < grid->least[i] ? image : grid->least[i];
        }
    }
    return 0;
}

/* ---- pairs ---- */

/* What takes a pair of shapes to itself, and what it does to the way between the centres of their bounding boxes, which
 * is counted in quarters. An exchange of the shapes turns the way around. */
typedef struct holder {
    symmetry by;
    int turns;
} holder;

typedef struct holders {
    holder list[2 * SYMMETRIES_MAX];
    uint32_t count;
    int lesser; /* 1: something takes the pair to one with the same first shape and a lesser second one */
} holders;

static void hold(holders *all, const symmetry *by, int turns, uint32_t second, uint32_t image)
{
    all->lesser |= image < second;
    if (image == second)
        all->list[all->count++] = (holder){*by, turns};
}

/* `first` is the least of its images. */
static void find_holders(const gjb_grid *grid, uint32_t first, uint32_t second, holders *all)
{
    all->count = 0;
    all->lesser = grid->least[second] < first;
    for (uint32_t s = 0; s < grid->symmetry_count && !all->lesser; s++) {
        const uint16_t *image = grid->image + (size_t)s * grid->shape_count;
        if (image[first] == first)
            hold(all, &grid->symmetries[s], 0, second, image[second]);
        if (image[second] == first)
            hold(all, &grid->symmetries[s], 1, second, image[first]);
    }
}

static void reach_of(const gjb_grid *grid, uint32_t first, uint32_t second, int reach[3])
{
    for (int k = 0; k < 3; k++)
        reach[k] = grid->shapes[first].extent[k] + grid->shapes[second].extent[k];
}

/* Ways within reach that a holder leaves as they are: along a cycle of axes coordinates are the same but for their
 * signs, and 0 if the signs of the cycle contradict each other. */
static uint64_t ways_held(const holder *h, const int reach[3])
{
    uint64_t ways = 1;
    uint32_t seen = 0;
    for (uint32_t k = 0; k < 3; k++) {
        int flips = 0;
        if (seen >> k & 1u)
            continue;
        for (uint32_t at = k; !(seen >> at & 1u); at = h->by.axis[at]) {
            seen |= 1u << at;
            flips ^= h->by.flip[at] ^ h->turns;
        }
        ways *= flips ? 1 : 2 * (uint64_t)reach[k] + 1;
    }
    return ways;
}

/* Orbits of ways, by the lemma that is not Burnside's. */
static uint64_t count_ways(const holders *all, const int reach[3])
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < all->count; i++)
        sum += ways_held(&all->list[i], reach);
    return sum / all->count;
}

static int add_entry(gjb_grid *grid, uint32_t before, uint32_t second)
{
    if (grid->entry_count == grid->entry_room) {
        const size_t room = 2 * grid->entry_room + 1024;
        entry *more = realloc(grid->entries, room * sizeof *more);
        if (!more)
            return -1;
        grid->entries = more;
        grid->entry_room = room;
    }
    grid->entries[grid->entry_count++] = (entry){before, (uint16_t)second};
    return 0;
}

static int add_block(gjb_grid *grid, uint32_t first)
{
    block *b = &grid->blocks[grid->block_count++];
    uint64_t pairs = 0;
    *b = (block){.before = grid->pairs, .entry = grid->entry_count, .first = (uint16_t)first};
    for (uint32_t second = 0; second < grid->shape_count; second++) {
        holders all;
        int reach[3];
        find_holders(grid, first, second, &all);
        if (all.lesser)
            continue;
        if (add_entry(grid, (uint32_t)pairs, second))
            return -1;
        reach_of(grid, first, second, reach);
        pairs += count_ways(&all, reach);
    }
    b->count = grid->entry_count - b->entry;
    grid->pairs += pairs;
    return 0;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

static int make_blocks(gjb_grid *grid)
{
    grid->blocks = calloc(grid->shape_count, sizeof *grid->blocks);
    if (!grid->blocks)
        return -1;
    for (uint32_t first = 0; first < grid->shape_count; first++)
        if (grid->least[first] == first && add_block(grid, first))
            return -1;
    /* The golden ratio's multiples are spread evenly, however many there are. */
    grid->stride = (uint64_t)(0.6180339887498949 * (double)grid->pairs) | 1;
    while (common_divisor(grid->stride, grid->pairs) != 1)
        grid->stride++;
    return 0;
}

gjb_grid *gjb_grid_open(const gjb_grid_row *row)
{
    gjb_grid *grid = calloc(1, sizeof *grid);
    if (grid)
        grid->row = row;
    if (!grid || make_shapes(grid) || make_images(grid) || make_blocks(grid)) {
        gjb_grid_close(grid);
        return NULL;
    }
    return grid;
}

void gjb_grid_close(gjb_grid *grid)
{
    if (!grid)
        return;
    free(grid->shapes);
    free(grid->of_code);
    free(grid->image);
    free(grid->least);
    free(grid->entries);
    free(grid->blocks);
    free(grid);
}

uint64_t gjb_grid_pairs(const gjb_grid *grid)
{
    return grid->pairs;
}

/* ---- pairs by number ---- */

/* index * stride modulo pairs, without overflow: pairs < 2^32 for every grid of so few points. */
static uint64_t spread(const gjb_grid *grid, uint64_t index)
{
    return index * grid->stride % grid->pairs;
}

static const block *block_with(const gjb_grid *grid, uint64_t number)
{
    size_t low = 0, high = grid->block_count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        *(grid->blocks[middle].before <= number ? &low : &high) = middle;
    }
    return &grid->blocks[low];
}

static const entry *entry_with(const gjb_grid *grid, const block *b, uint64_t number)
{
    size_t low = b->entry, high = b->entry + b->count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        *(grid->entries[middle].before <= number ? &low : &high) = middle;
    }
    return &grid->entries[low];
}

static void way_at(const int reach[3], uint64_t number, int way[3])
{
    for (int k = 2; k >= 0; k--) {
        const uint64_t count = 2 * (uint64_t)reach[k] + 1;
        way[k] = (int)(number % count) - reach[k];
        number /= count;
    }
}

/* Less, in the order of way_at, than every other image? */
static int is_least(const holders *all, const int way[3])
{
    for (uint32_t i = 0; i < all->count; i++) {
        const holder *h = &all->list[i];
        int difference = 0;
        for (int k = 0; k < 3 && !difference; k++) {
            const int x = way[h->by.axis[k]];
            difference = (h->by.flip[k] ^ h->turns ? -x : x) - way[k];
        }
        if (difference < 0)
            return 0;
    }
    return 1;
}

static void find_way(const holders *all, const int reach[3], uint64_t number, int way[3])
{
    if (all->count == 1) { /* itself alone */
        way_at(reach, number, way);
        return;
    }
    for (uint64_t at = 0;; at++) {
        way_at(reach, at, way);
        if (is_least(all, way) && number-- == 0)
            return;
    }
}

void gjb_grid_pair_at(const gjb_grid *grid, uint64_t index, gjb_grid_pair *pair)
{
    const uint64_t number = spread(grid, index);
    const block *b = block_with(grid, number);
    const entry *e = entry_with(grid, b, number - b->before);
    holders all;
    int reach[3], way[3];
    find_holders(grid, b->first, e->second, &all);
    reach_of(grid, b->first, e->second, reach);
    find_way(&all, reach, number - b->before - e->before, way);
    pair->shape[0] = &grid->shapes[b->first];
    pair->shape[1] = &grid->shapes[e->second];
    for (int k = 0; k < 3; k++)
        pair->offset[k] = (int8_t)(way[k] + pair->shape[0]->extent[k] - pair->shape[1]->extent[k]);
}

/* ---- scenes ---- */

static uint32_t set_shape(gjb_scene *scene, uint32_t index, uint32_t row, const gjb_grid_shape *shape)
{
    static const gjb_kind kinds[4][GJB_GRID_CORNERS + 1] = {
        [2] = {0, GJB_POINT, GJB_SEGMENT, GJB_POLYGON, GJB_POLYGON}, [3] = {0, 0, 0, GJB_TRIANGLE, GJB_HULL}};
    const uint32_t dim = scene->shapes.dim;
    double rows[3 * GJB_GRID_CORNERS];
    for (uint32_t i = 0; i < shape->count; i++)
        for (uint32_t k = 0; k < dim; k++)
            rows[dim * i + k] = shape->corner[i][k];
    gjb_scene_set_shape(scene, index, kinds[dim][shape->count], row, shape->count, rows, 0);
    return row + shape->count;
}

static void set_pose(gjb_scene *scene, uint32_t body, const int8_t offset[3])
{
    if (scene->shapes.dim == 2)
        gjb_scene_set_pose(scene, 0, body, (gjb_pose2d){.x = 0.5 * offset[0], .y = 0.5 * offset[1], .c = 1});
    else
        gjb_scene_set_pose3(
            scene, 0, body,
            (gjb_pose3d){.x = 0.5 * offset[0], .y = 0.5 * offset[1], .z = 0.5 * offset[2], .qw = 1});
}

gjb_scene *gjb_grid_scene(const gjb_grid *grid, gjb_precision precision, uint64_t first, uint64_t pairs,
                          gjb_error *error)
{
    static const int8_t none[3] = {0};
    const uint64_t most = UINT32_MAX / (2 * GJB_GRID_CORNERS);
    if (pairs == 0 || pairs > most || first > grid->pairs || pairs > grid->pairs - first) {
        gjb_fail(error, "generate: %s: %" PRIu64 " pairs from %" PRIu64 " on, but it has %" PRIu64,
                 grid->row->name, pairs, first, grid->pairs);
        return NULL;
    }
    gjb_grid_pair *list = calloc(pairs, sizeof *list);
    uint64_t rows = 0;
    for (uint64_t i = 0; i < pairs && list; i++) {
        gjb_grid_pair_at(grid, first + i, &list[i]);
        rows += list[i].shape[0]->count + list[i].shape[1]->count;
    }
    const uint32_t bodies = 2 * (uint32_t)pairs;
    gjb_scene *scene = list ? gjb_scene_new(grid->row->dim, precision, bodies, rows, bodies, pairs) : NULL;
    if (!scene)
        gjb_fail(error, "generate: out of memory for %" PRIu64 " pairs of %s", pairs, grid->row->name);
    for (uint32_t body = 0, row = 0; body < bodies && scene; body++) {
        const gjb_grid_pair *pair = &list[body / 2];
        row = set_shape(scene, body, row, pair->shape[body % 2]);
        set_pose(scene, body, body % 2 ? pair->offset : none);
        scene->frames[0].pairs[body] = body;
    }
    if (scene)
        snprintf(scene->name, sizeof scene->name, "%s", grid->row->name);
    free(list);
    return scene;
}
