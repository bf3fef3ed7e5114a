/* What a program writes, whole, in pieces and mutated: frames of both forms and headers are read or refused, and nothing
 * beyond the records of a batch is written. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "contenders/program/header.h"
#include "core/random.h"
#include "core/types.h"

enum { PAIRS = 3, ROUNDS = 4000, GUARD = 64 };

static const uint8_t kind[2] = {GJB_POINT, GJB_BOX};
static const uint32_t first[2] = {0, 1}, row_count[2] = {1, 1}, pairs[2 * PAIRS] = {0, 1, 1, 0, 0, 0};
static const double radius[2] = {1, 0.5}, rows[4] = {0, 0, 1, 2}, poses[8] = {0, 0, 1, 0, 3, 0, 1, 0};
static const gjb_shapes shapes = {2, GJB_F64, 2, kind, first, row_count, radius, rows};
static char records[PAIRS * sizeof(gjb_manifold2d) + GUARD];

static gjb_batch batch_of(gjb_query query)
{
    const size_t size = gjb_result_size(query, GJB_F64, 2);
    memset(records, 0xA5, sizeof records);
    return (gjb_batch){.query = query,
                       .poses = poses,
                       .pose_stride = 4 * sizeof(double),
                       .pairs = pairs,
                       .pair_count = PAIRS,
                       .results = records,
                       .result_stride = size};
}

static void expect_guard(const gjb_batch *batch)
{
    for (size_t i = PAIRS * batch->result_stride; i < sizeof records; i++)
        cr_assert_eq((unsigned char)records[i], 0xA5, "byte %zu behind the records is written", i);
}

/* Feeds bytes as they would come, `step` at a time. */
static int feed(gjb_piped_take take, void *user, const char *bytes, size_t size, size_t step)
{
    size_t at = 0, came = 0;
    int taken = GJB_TAKEN_MORE;
    while (taken == GJB_TAKEN_MORE && came < size) {
        came = came + step < size ? came + step : size;
        size_t used = 1;
        while (taken == GJB_TAKEN_MORE && used > 0) {
            used = 0;
            char *copy = malloc(came - at + 1); /* so that a sanitizer sees what is read beyond it */
            memcpy(copy, bytes + at, came - at);
            char *exact = realloc(copy, came - at ? came - at : 1);
            taken = take(user, exact, came - at, &used);
            free(exact);
            cr_assert(used <= came - at);
            at += used;
        }
    }
    return taken;
}

static size_t put(char *to, size_t at, const void *data, size_t size)
{
    memcpy(to + at, data, size);
    return at + size;
}

/* Frames of one and of two answers. */
static size_t binary_reply(char *to, gjb_query query)
{
    const size_t each = query == GJB_MANIFOLD ? 296 : 96;
    size_t at = 0;
    for (uint32_t f = 0, done = 0; f < 2; done += 1 + f++) {
        const uint32_t head[2] = {4, (uint32_t)(24 + (1 + f) * each)}, tail[4] = {5, done, 1 + f, 0};
        const uint64_t ns = 100;
        at = put(to, at, head, sizeof head);
        at = put(to, at, &ns, sizeof ns);
        at = put(to, at, tail, sizeof tail);
        for (uint32_t i = 0; i <= f; i++) {
            const uint32_t status[4] = {GJB_SEPARATED, 9, 1, 0};
            const double sigma = 1.5;
            memset(to + at, 0, each);
            put(to, at, status, query == GJB_MANIFOLD ? 16 : 8);
            if (query != GJB_MANIFOLD)
                put(to, at + 8, &sigma, sizeof sigma);
            at += each;
        }
    }
    return at;
}

static const char json_reply[] =
    "{\"frame\":\"answers\",\"id\":5,\"first\":0,\"ns\":100,\"answers\":[{\"status\":\"separated\",\"sigma\":1.5,\"iterations\":9,"
    "\"normal\":[1,0],\"point_a\":[1,0],\"point_b\":[2.5,0]}]}\n"
    "{\"frame\":\"answers\",\"id\":5,\"first\":1,\"ns\":100,\"answers\":[{\"status\":\"separated\",\"sigma\":1.5,\"iterations\":9,"
    "\"contacts\":[{\"point_a\":[1,0],\"point_b\":[1,0],\"separation\":0,\"feature\":3}]},{\"status\":\"unsupported\"}]}\n";

static const gjb_query queries[] = {GJB_INTERSECT, GJB_DISTANCE, GJB_SWEEP, GJB_TOI, GJB_MANIFOLD};

Test(program, whole_and_in_pieces)
{
    char bytes[2048];
    for (size_t q = 0; q < sizeof queries / sizeof *queries; q++)
        for (size_t step = 1; step < 400; step += 1 + step / 8) {
            const gjb_batch batch = batch_of(queries[q]);
            gjb_asked asked = {.shapes = &shapes, .batch = &batch, .count = PAIRS, .id = 5};
            cr_assert_eq(feed(gjb_form_binary.answers, &asked, bytes, binary_reply(bytes, queries[q]), step),
                         GJB_TAKEN_ALL);
            cr_assert(asked.done == PAIRS && asked.ns == 200);
            expect_guard(&batch);
            gjb_asked again = {.shapes = &shapes, .batch = &batch, .count = PAIRS, .id = 5};
            cr_assert_eq(feed(gjb_form_json.answers, &again, json_reply, strlen(json_reply), step),
                         GJB_TAKEN_ALL);
            cr_assert(again.done == PAIRS && again.ns == 200);
            expect_guard(&batch);
        }
    const gjb_batch batch = batch_of(GJB_DISTANCE);
    gjb_asked asked = {.shapes = &shapes, .batch = &batch, .count = PAIRS, .id = 5};
    feed(gjb_form_json.answers, &asked, json_reply, strlen(json_reply), 1000);
    gjb_result2d record;
    memcpy(&record, records, sizeof record);
    cr_assert(record.head.status == GJB_SEPARATED && record.head.iterations == 9 && record.value == 1.5 &&
              record.normal[0] == 1 && record.point_b[0] == 2.5);
}

/* The same reply to other questions: of fewer pairs, of another number, with an answer already there. */
Test(program, replies_that_do_not_fit)
{
    static const struct {
        size_t count, done;
        uint32_t id;
        int breach;
    } cases[] = {{2, 0, 5, GJB_BREACH_COUNT}, {PAIRS, 0, 6, GJB_BREACH_ID}, {PAIRS, 1, 5, GJB_BREACH_ORDER}};
    char bytes[2048];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int text = 0; text < 2; text++) {
            const gjb_batch batch = batch_of(GJB_DISTANCE);
            gjb_asked asked = {.shapes = &shapes,
                               .batch = &batch,
                               .count = cases[i].count,
                               .id = cases[i].id,
                               .done = cases[i].done};
            const size_t size = text ? sizeof json_reply - 1 : binary_reply(bytes, GJB_DISTANCE);
            const int taken = text ? feed(gjb_form_json.answers, &asked, json_reply, size, size)
                                   : feed(gjb_form_binary.answers, &asked, bytes, size, size);
            cr_assert_eq(taken, cases[i].breach, "case %zu: %s", i, gjb_breach_name(taken));
            cr_assert_eq((unsigned char)records[2 * batch.result_stride], 0xA5, "a third record is written");
        }
}

static void mutate(char *bytes, size_t *size, uint64_t round)
{
    gjb_random random = gjb_random_make(7, 0, round);
    const uint32_t changes = 1 + gjb_random_below(&random, 4);
    for (uint32_t i = 0; i < changes; i++)
        bytes[gjb_random_below(&random, (uint32_t)*size)] ^= (char)(1u << gjb_random_below(&random, 8));
    if (gjb_random_below(&random, 4) == 0)
        *size = 1 + gjb_random_below(&random, (uint32_t)*size);
}

Test(program, mutated)
{
    uint64_t refused = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        char bytes[2048];
        const gjb_batch batch = batch_of(queries[round % 5]);
        gjb_asked asked = {.shapes = &shapes, .batch = &batch, .count = PAIRS, .id = 5};
        const int text = round / 5 % 2;
        size_t size = text ? sizeof json_reply - 1 : binary_reply(bytes, batch.query);
        if (text)
            memcpy(bytes, json_reply, size);
        mutate(bytes, &size, round);
        const int taken = feed(text ? gjb_form_json.answers : gjb_form_binary.answers, &asked, bytes, size,
                               1 + round % 300);
        cr_assert(taken >= GJB_TAKEN_MORE && taken < GJB_BREACHES);
        cr_assert(asked.done <= PAIRS && (taken != GJB_TAKEN_ALL || asked.done == PAIRS));
        refused += taken >= 0;
        expect_guard(&batch);
    }
    cr_assert(refused > ROUNDS / 8, "%llu are refused", (unsigned long long)refused);
}

/* Neither header has a note. */
static void free_texts(const gjb_contender *row)
{
    free((char *)(uintptr_t)row->name);
    free((char *)(uintptr_t)row->version);
    free((char *)(uintptr_t)row->licence);
}

Test(program, mutated_headers)
{
    static const char line[] =
        "{\"gjkbench\":1,\"form\":\"json\",\"name\":\"mine\",\"version\":\"1\",\"licence\":\"MIT\",\"dims\":[2,3],\"kinds\":[\"point\"],"
        "\"queries\":[\"toi\"],\"precisions\":[\"f64\"],\"max_vertices\":9,\"within\":[\"distance\"],\"leaving\":true,"
        "\"tau\":{\"toi\":1e-6},\"skin\":0.5}\n";
    gjb_contender row;
    const gjb_form *form = NULL;
    gjb_error error = {""};
    cr_assert_eq(gjb_program_header_read(line, sizeof line - 1, &row, &form, &error), 0, "%s", error.text);
    cr_assert(form == &gjb_form_json && row.dims == 12 && row.kinds == 1u << GJB_POINT &&
              row.queries == 1u << GJB_TOI);
    cr_assert(row.precisions == 1u << GJB_F64 && row.max_vertices == 9 && row.within == 1u << GJB_DISTANCE);
    cr_assert(row.leaving == 1u << GJB_TOI && row.tau[GJB_TOI] == 1e-6 && row.skin == 0.5 &&
              strcmp(row.name, "mine") == 0);
    free_texts(&row);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        char bytes[sizeof line];
        size_t size = sizeof line - 1;
        memcpy(bytes, line, size);
        mutate(bytes, &size, round);
        error.text[0] = '\0';
        if (gjb_program_header_read(bytes, size, &row, &form, &error) != 0)
            cr_assert(error.text[0] != '\0' && strchr(error.text, '\n') == NULL);
        else
            free_texts(&row);
    }
}

/* What is asked, read back by its layout. */
Test(program, asks)
{
    const gjb_batch batch = batch_of(GJB_DISTANCE);
    const gjb_asked asked = {.shapes = &shapes, .batch = &batch, .first = 1, .count = 2, .id = 5};
    const gjb_claim claim = {1u << GJB_BOX, GJB_NO_VERTEX_LIMIT};
    gjb_bytes out = {0};
    uint32_t head[8];
    gjb_form_binary.ask(&out, &asked);
    cr_assert_eq(out.size, 8 + 32 + 2 * (16 + 2 * 4 * 8));
    memcpy(head, out.data, sizeof head);
    cr_assert(head[0] == 3 && head[1] == out.size - 8 && head[2] == 5 && head[3] == GJB_DISTANCE &&
              head[4] == 2 && head[5] == 0);
    memcpy(head, out.data + 40, 16);
    cr_assert(head[0] == 1 && head[1] == 0 && head[2] == 1 && head[3] == 0); /* pair 1, of bodies 1 and 0 */
    out.size = 0;
    gjb_form_binary.shapes(&out, &shapes, &claim);
    cr_assert_eq(out.size, 8 + 16 + 16 + 8 + 16);
    memcpy(head, out.data, sizeof head);
    cr_assert(head[2] == 2 && head[3] == GJB_F64 && head[4] == 2 && head[5] == 1 && head[6] == 1 &&
              head[7] == GJB_BOX);
    free(out.data);
}
